#include "BankCost.h"
#include <algorithm>
#include <unordered_map>
#include <vector>

namespace tilesmith::machine {

namespace {

constexpr int64_t rowBytes = 32;
constexpr int32_t mostBlocks = 8, mostGroups = 64;
constexpr int64_t mostRepeats = 255; // longer calls are several instructions, which are alike

// The rows of some operands that no cycle has served yet.
class Rows {
public:
  Rows(const Platform &platform) : platform(platform) {}

  void add(const BankRows &rows, int64_t repeat) {
    for (int32_t i = 0; i < std::min(rows.blocks, mostBlocks); ++i)
      add(rows.first + rows.repeat * repeat + rows.block * i);
  }
  bool empty() const { return !count; }

  // Serves one row of each group. Rows of banks in `taken` wait, and with them later ones of their group; banks served
  // are added to `used`.
  void serve(const std::vector<int64_t> &taken, std::vector<int64_t> *used) {
    uint64_t groups = 0;
    unsigned left = 0;
    for (unsigned i = 0; i < count; ++i) {
      uint64_t group = uint64_t(1) << groupOf(rows[i]);
      bool waits = groups & group;
      groups |= group;
      if (!waits)
        waits = std::find(taken.begin(), taken.end(), bankOf(rows[i])) != taken.end();
      if (waits)
        rows[left++] = rows[i];
      else if (used)
        used->push_back(bankOf(rows[i]));
    }
    count = left;
  }

private:
  void add(int64_t row) {
    if (!platform.bankMerge || std::find(rows, rows + count, row) == rows + count)
      rows[count++] = row;
  }
  int64_t groupOf(int64_t row) const { return int64_t(uint64_t(row) % unsigned(platform.bankGroups)); }
  int64_t bankOf(int64_t row) const {
    return row * rowBytes / std::max<int64_t>(platform.bankBytes, 1) * mostGroups + groupOf(row);
  }

  const Platform &platform;
  int64_t rows[3 * mostBlocks];
  unsigned count = 0;
};

int64_t simulate(const BankUse &use, const Platform &platform) {
  const size_t delay = size_t(std::max(platform.bankWriteDelay, 0));
  std::vector<std::vector<int64_t>> written(delay + 64); // banks, by cycle, in a ring
  const std::vector<int64_t> nothing;
  auto at = [&](int64_t cycle) -> std::vector<int64_t> & { return written[size_t(cycle) % written.size()]; };
  const int64_t repeats = std::min(use.repeats, mostRepeats);
  int64_t now = 0, writer = 0; // the writer's next free cycle
  for (int64_t repeat = 0; repeat < repeats; ++repeat) {
    Rows reads(platform), writes(platform);
    for (const BankRows &rows : use.reads)
      reads.add(rows, repeat);
    writes.add(use.write, repeat);
    int64_t begin = now;
    do {
      reads.serve(delay ? at(now) : nothing, nullptr);
      at(now++).clear();
    } while (!reads.empty());
    for (; now < begin + use.interval; ++now)
      at(now).clear();
    writer = std::max(writer, now - 1 + int64_t(delay));
    while (!writes.empty())
      writes.serve(nothing, &at(writer++));
    for (; now < writer - int64_t(delay); ++now) // results leave no faster than they are written
      at(now).clear();
  }
  int64_t stalls = now - repeats * use.interval;
  return use.repeats > repeats ? stalls * use.repeats / repeats : stalls;
}

struct HashUse {
  size_t operator()(const BankUse &use) const {
    uint64_t hash = uint64_t(use.repeats) * 31 + uint64_t(use.interval);
    auto mix = [&](const BankRows &rows) {
      for (int64_t value : {rows.first, rows.block, rows.repeat, int64_t(rows.blocks)})
        hash = (hash ^ uint64_t(value)) * 0x9e3779b97f4a7c15 + (hash >> 29);
    };
    for (const BankRows &rows : use.reads)
      mix(rows);
    mix(use.write);
    return size_t(hash ^ hash >> 32);
  }
};

} // namespace

int64_t bankStalls(const BankUse &use, const Platform &platform) {
  if (platform.bankGroups <= 0 || platform.bankGroups > mostGroups || use.repeats <= 0)
    return 0;
  thread_local std::unordered_map<BankUse, int64_t, HashUse> known;
  thread_local uint64_t knownOf = 0; // the platform's digest
  constexpr size_t enough = 1 << 14;
  if (knownOf != platform.digest || known.size() > enough) {
    known.clear();
    knownOf = platform.digest;
  }
  auto [found, isNew] = known.try_emplace(use);
  if (isNew)
    found->second = simulate(use, platform);
  return found->second;
}

int64_t pairReads(const BankUse &use, const Platform &platform) {
  const int64_t blocksPerBank = platform.bankBytes / rowBytes;
  if (platform.bankGroups || blocksPerBank <= 0 || blocksPerBank > mostBlocks || use.repeats <= 0)
    return 0;
  const int64_t repeats = std::min(use.repeats, mostRepeats);
  int64_t cycles = 0;
  for (int64_t repeat = 0; repeat < repeats; ++repeat) {
    std::array<int64_t, 3 * mostBlocks> rows;
    std::array<int64_t, 2 * mostBlocks> reads = {}; // of each bank
    unsigned count = 0;
    int64_t most = 1;
    for (const BankRows &operand : use.reads)
      for (int32_t i = 0; i < std::min(operand.blocks, mostBlocks); ++i) {
        int64_t row = operand.first + operand.repeat * repeat + operand.block * i;
        if (std::find(rows.begin(), rows.begin() + count, row) != rows.begin() + count) // equal rows are read once
          continue;
        rows[count++] = row;
        most = std::max(most, ++reads[size_t(row % (2 * blocksPerBank))]);
      }
    cycles += most;
  }
  return use.repeats > repeats ? cycles * use.repeats / repeats : cycles;
}

} // namespace tilesmith::machine
