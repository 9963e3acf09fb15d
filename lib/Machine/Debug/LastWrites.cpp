#include "Order/Footprint.h"
#include "tilesmith/Machine/Debugger.h"

namespace tilesmith::machine {

void LastWrites::clear() {
  runs.clear();
  calls = 0;
}

void LastWrites::note(const Instr &call, Arch arch) {
  ++calls;
  Regions regions;
  regionsOf(call, arch, regions);
  for (const Region &region : regions) {
    if (region.access != Access::Write || region.memory == Memory::GM)
      continue;
    int64_t begin = Address(region.memory, extentOf(region).begin).bits;
    int64_t end = begin + (extentOf(region).end - extentOf(region).begin);
    if (end <= begin)
      continue;
    // What was there keeps the parts before and after.
    auto at = runs.lower_bound(begin);
    if (at != runs.begin() && std::prev(at)->second.end > begin)
      --at;
    while (at != runs.end() && at->first < end) {
      auto [first, old] = *at;
      at = runs.erase(at);
      if (first < begin)
        runs[first] = {begin, old.by};
      if (old.end > end)
        at = runs.emplace(end, Run{old.end, old.by}).first;
    }
    runs[begin] = {end, {calls, call.loc}};
  }
}

std::optional<LastWrites::Write> LastWrites::of(Address begin, int64_t bytes) const {
  std::optional<Write> latest;
  auto at = runs.lower_bound(begin.bits);
  if (at != runs.begin() && std::prev(at)->second.end > begin.bits)
    --at;
  for (; at != runs.end() && at->first < begin.bits + bytes; ++at)
    if (!latest || at->second.by.number > latest->number)
      latest = at->second.by;
  return latest;
}

} // namespace tilesmith::machine
