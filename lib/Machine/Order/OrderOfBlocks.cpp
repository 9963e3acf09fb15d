#include "OrderOfBlocks.h"
#include "GlobalEffects.h"
#include "OrderRules.h"
#include <algorithm>

namespace tilesmith::machine {

namespace {

constexpr size_t mostRemembered = 8;

// Whether the block writes bytes of global memory that it reads, or writes twice. Of strided accesses all that lies
// between counts.
bool meetsItself(const BlockTrace &block, Arch arch) {
  using Range = std::pair<int64_t, int64_t>;
  std::vector<Range> reads, writes;
  GlobalEffects global(arch);
  for (const Instr &instr : block.calls)
    if (touchesGlobal(instr, Access::ReadWrite))
      for (const Effect &effect : global.of(instr))
        (effect.access == Access::Write ? writes : reads).emplace_back(effect.start, effect.end());
  std::sort(writes.begin(), writes.end());
  for (size_t i = 1; i < writes.size(); ++i)
    if (writes[i].first < writes[i - 1].second)
      return true;
  if (writes.empty())
    return false;
  return std::any_of(reads.begin(), reads.end(), [&](const Range &read) {
    if (read.first >= writes.back().second || read.second <= writes.front().first)
      return false;
    auto behind = std::lower_bound(writes.begin(), writes.end(), Range(read.second, INT64_MIN));
    return behind != writes.begin() && std::prev(behind)->second > read.first;
  });
}

bool alikeBeyondCores(const BlockTrace &a, const BlockTrace &b) {
  return a.calls.size() == b.calls.size() && a.kinds == b.kinds &&
         std::equal(a.calls.begin(), a.calls.end(), b.calls.begin(), [](const Instr &ours, const Instr &theirs) {
           return ours.loc == theirs.loc && (sameCall(ours, theirs) || alikeBut(ours, theirs, globalOperandsOf(ours)));
         });
}

} // namespace

void OrderOfBlocks::check(size_t number, std::vector<Finding> &findings, const AddressNames &names) {
  const BlockTrace &block = blocks[number];
  bool comparable = blocks.size() > 1 && !meetsItself(block, platform.arch);
  if (comparable && isLikeClean(block))
    return;
  size_t before = findings.size();
  checkOrder(block, platform, findings, names);
  if (comparable && findings.size() == before)
    rememberClean(block);
}

bool OrderOfBlocks::isLikeClean(const BlockTrace &block) {
  std::vector<const BlockTrace *> known;
  {
    std::lock_guard lock(mutex);
    known = clean;
  }
  return std::any_of(known.begin(), known.end(),
                     [&](const BlockTrace *other) { return alikeBeyondCores(block, *other); });
}

void OrderOfBlocks::rememberClean(const BlockTrace &block) {
  std::lock_guard lock(mutex);
  if (clean.size() < mostRemembered)
    clean.push_back(&block);
}

} // namespace tilesmith::machine
