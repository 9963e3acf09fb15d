// Conflicts between cores: only waits for each other order one core's accesses to GM against another's.
//
// The writes of all blocks are laid out along the addresses and swept once; a byte two blocks write, or one writes and
// another reads, is a finding. Equal atomic stores commute. Scalar stores go through a cache of 64-byte lines that is
// not coherent, so two blocks' scalar stores into one line lose one of them even where their bytes differ.
#include "CrossOrder.h"
#include "GlobalEffects.h"
#include "OrderRules.h"
#include "tilesmith/Machine/Effects.h"
#include <algorithm>
#include <map>
#include <tuple>

namespace tilesmith::machine {

namespace {

constexpr int64_t scalarLine = 64;

struct Range {
  int64_t begin, end;
  uint32_t block; // position in the span
  uint32_t loc;
  WriteKind kind;
  DType dtype;  // that atomic stores combine
  DType access; // of the elements
  AccessPlace place = {};

  bool operator<(const Range &other) const {
    return std::tuple(begin, block, end, loc) < std::tuple(other.begin, other.block, other.end, other.loc);
  }
};

bool commute(const Range &a, const Range &b) { return followFreely(a.kind, b.kind) && a.dtype == b.dtype; }

class AcrossBlocks {
public:
  AcrossBlocks(std::span<const BlockTrace> blocks, const CrossOrder &order, const Platform &platform,
               std::vector<Finding> &findings, const AddressNames &names)
      : blocks(blocks), platform(platform), findings(findings), names(names), order(order), global(platform.arch) {}

  void run() {
    collectWrites();
    sweepWrites();
    checkReads();
    checkScalarLines();
  }

private:
  // Accesses of bytes that other cores reach: GM, and what direct paths of the 950 write into the memories of a core.
  template <typename Visit> void forEachShared(size_t block, Visit visit) {
    bool receives = order.receivedBy(block, Memory::UB) || order.receivedBy(block, Memory::L1);
    isa::AtomicOp atomic = isa::AtomicOp::None;
    for (size_t call = 0; call < blocks[block].calls.size(); ++call) {
      const Instr &instr = blocks[block].calls[call];
      if (instr.op == Opcode::SetAtomic)
        atomic = isa::SetAtomic(instr).op();
      bool ofCores = isDirect(instr) || receives;
      if (!touchesGlobal(instr, Access::ReadWrite) && !ofCores)
        continue;
      AccessPlace place = order.any() ? order.placeOf(block, call) : AccessPlace{};
      for (const Effect &effect : ofCores ? allEffects(instr) : global.of(instr))
        if (effect.memory == Memory::GM)
          visit(instr, effect, writeKindOf(instr, atomic), place);
        else if (isDirect(instr) && effect.access == Access::Write)
          order.eachTarget(block, instr,
                           [&](size_t target) { visit(instr, inMemoryOf(target, effect), WriteKind::Plain, place); });
        else if (const ByteSet *received = order.receivedBy(block, effect.memory);
                 received && received->overlaps(effect.start, effect.end()))
          visit(instr, inMemoryOf(block, effect), WriteKind::Plain, place);
    }
  }
  std::span<const Effect> allEffects(const Instr &instr) {
    effects.clear();
    effectsOf(instr, platform.arch, effects);
    return effects;
  }

  // Memories of cores lie beyond all device addresses.
  static constexpr int64_t memories = int64_t(1) << 61;
  static constexpr int coreShift = 32, memoryShift = 24;
  static Effect inMemoryOf(size_t core, Effect effect) {
    effect.start += memories | int64_t(core) << coreShift | int64_t(effect.memory) << memoryShift;
    return effect;
  }

  // Sorted; the ranges of one block are merged where they touch and are of one kind.
  void collectWrites() {
    for (size_t block = 0; block < blocks.size(); ++block) {
      size_t first = writes.size();
      forEachShared(block, [&](const Instr &instr, const Effect &effect, WriteKind kind, const AccessPlace &place) {
        if (effect.access != Access::Write) {
          read = {std::min(read.first, effect.start), std::max(read.second, effect.end())};
          return;
        }
        for (int64_t i = 0; i < effect.count; ++i) {
          int64_t begin = effect.start + i * effect.stride;
          DType dtype = kind == WriteKind::Plain ? DType::U8 : instr.dtype; // only atomic stores care
          writes.push_back({begin, begin + effect.length, uint32_t(block), instr.loc, kind, dtype, instr.dtype, place});
        }
        if (instr.op == Opcode::SetValue && effect.memory == Memory::GM)
          for (int64_t line = effect.start / scalarLine; line <= (effect.end() - 1) / scalarLine; ++line)
            scalars.push_back({line, effect.end(), uint32_t(block), instr.loc, kind, instr.dtype, instr.dtype, place});
      });
      merge(first);
    }
    std::sort(writes.begin(), writes.end());
  }

  void merge(size_t first) {
    std::sort(writes.begin() + std::ptrdiff_t(first), writes.end());
    size_t kept = first;
    for (size_t i = first; i < writes.size(); ++i) {
      Range *last = kept > first ? &writes[kept - 1] : nullptr;
      if (last && writes[i].begin <= last->end && writes[i].kind == last->kind && writes[i].dtype == last->dtype &&
          writes[i].place == last->place)
        last->end = std::max(last->end, writes[i].end);
      else
        writes[kept++] = writes[i];
    }
    writes.resize(kept);
  }

  // Of the ranges that began before, only the one that reaches furthest matters, and for its own block the furthest of
  // the other blocks; once for each kind of store. So the sweep costs the same however many blocks overlap.
  struct Open {
    const Range *furthest, *otherBlock = nullptr;

    void add(const Range &range) {
      if (range.end > furthest->end) {
        if (range.block != furthest->block)
          otherBlock = furthest;
        furthest = &range;
      } else if (range.block != furthest->block && (!otherBlock || range.end > otherBlock->end)) {
        otherBlock = &range;
      }
    }
    const Range *ofAnotherBlock(const Range &range) const {
      return furthest->block != range.block ? furthest : otherBlock;
    }
  };

  bool unordered(const Range &a, const Range &b) const {
    return a.block != b.block && !(order.any() && order.ordered(a.block, a.place, b.block, b.place));
  }

  // With waits between blocks every open range matters: which of them comes before is seen pair by pair.
  void sweepOrdered() {
    std::vector<const Range *> open;
    reach.resize(writes.size());
    for (size_t i = 0; i < writes.size(); ++i) {
      const Range &range = writes[i];
      reach[i] = std::max(range.end, i ? reach[i - 1] : range.end);
      std::erase_if(open, [&](const Range *other) { return other->end <= range.begin; });
      for (const Range *other : open)
        if (unordered(*other, range) && !commute(*other, range))
          report(FindingKind::CrossWriteWrite,
                 blockName(*other) + " and " + blockName(range) + " both write " + common(*other, range), range,
                 *other);
      open.push_back(&range);
    }
  }

  void sweepWrites() {
    if (order.any())
      return sweepOrdered();
    std::vector<Open> open;
    reach.resize(writes.size());
    for (size_t i = 0; i < writes.size(); ++i) {
      const Range &range = writes[i];
      reach[i] = std::max(range.end, i ? reach[i - 1] : range.end);
      Open *own = nullptr;
      for (Open &kind : open) {
        const Range *other = kind.ofAnotherBlock(range);
        if (other && other->end > range.begin && !commute(*other, range))
          report(FindingKind::CrossWriteWrite,
                 blockName(*other) + " and " + blockName(range) + " both write " + common(*other, range), range,
                 *other);
        if (kind.furthest->kind == range.kind && kind.furthest->dtype == range.dtype)
          own = &kind;
      }
      if (own)
        own->add(range);
      else
        open.push_back({&range});
    }
  }

  void checkReads() {
    if (writes.empty() || !overlapsWrites(read.first, read.second))
      return;
    for (size_t block = 0; block < blocks.size(); ++block)
      forEachShared(block, [&](const Instr &instr, const Effect &effect, WriteKind kind, const AccessPlace &place) {
        if (effect.access == Access::Write || !overlapsWrites(effect.start, effect.end()))
          return;
        for (int64_t i = 0; i < effect.count; ++i) {
          int64_t begin = effect.start + i * effect.stride;
          checkRead({begin, begin + effect.length, uint32_t(block), instr.loc, kind, instr.dtype, instr.dtype, place});
        }
      });
  }

  size_t firstAtOrAfter(int64_t address) const {
    return size_t(std::lower_bound(writes.begin(), writes.end(), address,
                                   [](const Range &range, int64_t value) { return range.begin < value; }) -
                  writes.begin());
  }
  bool overlapsWrites(int64_t begin, int64_t end) const {
    size_t last = firstAtOrAfter(end);
    return last && reach[last - 1] > begin;
  }
  void checkRead(const Range &read) {
    for (size_t i = firstAtOrAfter(read.end); i-- > 0 && reach[i] > read.begin;)
      if (writes[i].end > read.begin && unordered(read, writes[i])) {
        report(FindingKind::CrossReadWrite,
               blockName(read) + " reads " + common(read, writes[i]) + " while " + blockName(writes[i]) + " writes it",
               read, writes[i]);
        return;
      }
  }

  void checkScalarLines() {
    std::sort(scalars.begin(), scalars.end());
    for (size_t i = 1; i < scalars.size(); ++i) {
      const Range &a = scalars[i - 1], &b = scalars[i];
      if (a.begin == b.begin && unordered(a, b))
        report(FindingKind::CrossScalarLine,
               blockName(a) + " and " + blockName(b) + " both write scalars into the 64-byte line " +
                   names.globalBytes(a.begin * scalarLine, (a.begin + 1) * scalarLine, b.access) +
                   ": one write is lost when the line goes back",
               b, a);
    }
  }

  std::string common(const Range &a, const Range &b) const {
    int64_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
    if (begin < memories)
      return names.globalBytes(begin, end, a.access);
    constexpr int64_t offset = (int64_t(1) << memoryShift) - 1;
    auto memory = Memory(begin >> memoryShift & 15);
    return std::string(stringify(memory)) + " [" + std::to_string(begin & offset) + ", " +
           std::to_string(end & offset) + ") of " + nameOf(size_t((begin - memories) >> coreShift));
  }

  std::string blockName(const Range &range) const { return nameOf(range.block); }
  std::string nameOf(size_t core) const {
    const BlockTrace &trace = blocks[core];
    return (trace.core.empty() ? "" : trace.core + " of ") + "block " + std::to_string(trace.block);
  }

  void report(FindingKind id, std::string text, const Range &at, const Range &other) {
    auto [it, added] = reported.try_emplace(std::tuple(id, at.loc, other.loc), findings.size());
    if (added)
      findings.push_back(
          {id, std::move(text), blocks[at.block].block, at.loc, other.loc, 1, blocks[at.block].core, {}});
    else
      ++findings[it->second].count;
  }

  std::span<const BlockTrace> blocks;
  const Platform &platform;
  std::vector<Finding> &findings;
  const AddressNames &names;
  const CrossOrder &order;
  std::vector<Range> writes, scalars;
  GlobalEffects global;
  std::pair<int64_t, int64_t> read{INT64_MAX, INT64_MIN}; // all that is read lies between
  std::vector<int64_t> reach;                             // reach[i]: the furthest end of writes[0..i]
  std::vector<Effect> effects;
  std::map<std::tuple<FindingKind, uint32_t, uint32_t>, size_t> reported;
};

} // namespace

void checkAcrossBlocks(std::span<const BlockTrace> blocks, const Platform &platform, std::vector<Finding> &findings,
                       const AddressNames &names) {
  if (blocks.size() > 1)
    AcrossBlocks(blocks, CrossOrder(blocks, {0, 1}, platform, nullptr, names), platform, findings, names).run();
}

void checkCores(std::span<const BlockTrace> traces, isa::BlockCores cores, const Platform &platform,
                std::vector<Finding> &findings, const AddressNames &names) {
  AcrossBlocks(traces, CrossOrder(traces, cores, platform, &findings, names), platform, findings, names).run();
}

} // namespace tilesmith::machine
