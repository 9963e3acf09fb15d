#include "KnownLaunches.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <tuple>

namespace tilesmith::machine {

namespace {

uint64_t mixed(uint64_t word) {
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93u;
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93u;
  return word ^ word >> 32;
}

void add(Number128 &number, const TsVfDesc &vf) {
  number.add(uint64_t(vf.rows), uint64_t(vf.cols), vf.numSteps, vf.digest);
  number.add(vf.numAccesses, vf.recorded != nullptr);
  for (uint32_t i = 0; i < vf.numAccesses; ++i) {
    const TsVfAccess &access = vf.accesses[i];
    number.add(uint64_t(access.arg) | uint64_t(access.walk) << 8, access.write, access.dtype, uint64_t(access.pitch));
  }
  if (!vf.recorded)
    return;
  const TsVfRecord &record = *vf.recorded;
  for (int64_t count : record.ops)
    number.add(uint64_t(count));
  number.add(uint64_t(record.loads), uint64_t(record.stores), uint64_t(record.nests), uint64_t(record.cycles));
  number.add(uint64_t(record.numRuns));
  for (int64_t i = 0; i < record.numRuns; ++i) {
    const TsVfRun &run = record.runs[i];
    number.add(uint64_t(run.start), uint64_t(run.length), uint64_t(run.stride), uint64_t(run.count));
    number.add(uint64_t(run.write), uint64_t(run.global));
  }
}

struct Known {
  std::mutex mutex;
  std::map<Number128::Value, KnownLaunch> launches;
};
Known &known() {
  static Known *all = new Known; // workers may outlive static objects
  return *all;
}

} // namespace

const std::array<uint64_t, 4> &Number128::beginning() {
  static const std::array<uint64_t, 4> drawn = [] {
    std::random_device device;
    std::array<uint64_t, 4> words;
    for (uint64_t &word : words)
      word = uint64_t(device()) << 32 | device();
    return words;
  }();
  return drawn;
}

Number128::Value Number128::value() const {
  uint64_t low = 0, high = 1;
  for (uint64_t lane : lanes) {
    low = mixed(low ^ lane);
    high = mixed(high + std::rotl(lane, 32));
  }
  return {low, high};
}

Number128::Value numberOf(const BlockTrace &trace) {
  static_assert(maxArgs % 4 == 0);
  Number128 number;
  number.add(uint64_t(trace.block), trace.kinds.has(isa::CoreKind::AIC), trace.kinds.has(isa::CoreKind::AIV),
             trace.calls.size());
  for (char letter : trace.core)
    number.add(uint8_t(letter));
  for (const Instr &call : trace.calls) {
    uint64_t types = uint64_t(call.dtype) | uint64_t(call.dtype2) << 8 | uint64_t(call.numArgs) << 16;
    number.add(uint64_t(call.op) << 32 | types, call.loc, call.lanes[0], call.lanes[1]);
    for (unsigned i = 0; i < call.numArgs; i += 4) { // operands it does not have are 0
      std::array<uint64_t, 4> four;
      std::memcpy(&four, &call.args[i], sizeof(four));
      std::apply([&](auto... each) { number.add(each...); }, four);
    }
    if (!call.vf)
      continue;
    if (!call.vf->digest && !call.vf->recorded)
      return {};
    add(number, *call.vf);
  }
  return number.value();
}

LaunchKey keyOf(const Launch &launch, isa::BlockCores cores, std::span<const Number128::Value> traces) {
  const Platform &platform = *launch.platform;
  bool mayChange = findPlatform(platform.name) != &platform; // those of files stay what they are
  if (mayChange || launch.mode == Mode::Traced || launch.replay.timeline || launch.onlyFirst > 0)
    return std::nullopt;
  if (std::find(traces.begin(), traces.end(), Number128::Value{}) != traces.end())
    return std::nullopt;
  Number128 number;
  number.add(platform.digest, uint64_t(reinterpret_cast<uintptr_t>(&platform)));
  number.add(uint64_t(launch.mode), launch.autoSync, launch.threads);
  number.add(launch.replay.warmL2, uint64_t(launch.replay.maxCycles), cores.aic, cores.aiv);
  number.add(traces.size(), launch.replay.arrays.size());
  for (const ArrayRange &array : launch.replay.arrays)
    number.add(uint64_t(array.device), uint64_t(array.size));
  for (auto [low, high] : traces)
    number.add(low, high);
  return number.value();
}

std::optional<KnownLaunch> knownLaunch(const LaunchKey &key) {
  if (!key)
    return std::nullopt;
  std::unique_lock lock(known().mutex, std::try_to_lock); // a forked child may find it locked for ever
  if (!lock)
    return std::nullopt;
  auto it = known().launches.find(*key);
  return it == known().launches.end() ? std::nullopt : std::optional(it->second);
}

void keepLaunch(const LaunchKey &key, KnownLaunch launch) {
  constexpr size_t most = 256; // some 20 KB each
  if (!key)
    return;
  std::unique_lock lock(known().mutex, std::try_to_lock);
  if (!lock)
    return;
  if (known().launches.size() >= most)
    known().launches.clear();
  known().launches.emplace(*key, std::move(launch));
}

} // namespace tilesmith::machine
