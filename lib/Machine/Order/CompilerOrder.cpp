// The order the vendor's compiler adds to C++ kernels.
#include "OrderChecker.h"

namespace tilesmith::machine {

namespace {

// An id of the flags from one pipe to another that the block uses nowhere, or the last one.
int64_t freeFlag(const BlockTrace &block, Pipe from, Pipe to) {
  uint32_t used = 0;
  for (const Instr &instr : block.calls)
    if (isa::family::Flag flag(instr); instr.info().family == Family::Flag && flag.from() == from && flag.to() == to)
      used |= 1u << (flag.id() & (isa::flagIds - 1));
  for (int64_t id = 0; id < isa::flagIds; ++id)
    if (!(used >> id & 1))
      return id;
  return isa::flagIds - 1;
}

} // namespace

void addCompilerOrder(BlockTrace &block, const Platform &platform) {
  std::vector<Finding> unused;
  std::vector<OrderChecker::Added> added;
  OrderChecker(block, platform, unused, AddressNames(), &added).run();
  if (added.empty())
    return;
  // Calls behind a wait are looked at late.
  std::sort(added.begin(), added.end(),
            [](auto &a, auto &b) { return std::tie(a.call, a.from, a.to) < std::tie(b.call, b.from, b.to); });
  std::map<std::pair<Pipe, Pipe>, int64_t> ids;
  Calls calls;
  calls.reserve(block.calls.size() + 2 * added.size());
  auto next = added.begin();
  for (size_t i = 0; i < block.calls.size(); ++i) {
    uint32_t loc = block.calls[i].loc;
    for (; next != added.end() && next->call == i; ++next) {
      auto [call, from, to] = *next;
      if (from == to) {
        calls.push_back(makeCall<isa::PipeBarrier>(loc, to));
        continue;
      }
      auto [id, isNew] = ids.try_emplace({from, to}, 0);
      if (isNew)
        id->second = freeFlag(block, from, to);
      calls.push_back(makeCall<isa::SetFlag>(loc, from, to, id->second));
      calls.push_back(makeCall<isa::WaitFlag>(loc, from, to, id->second));
    }
    calls.push_back(block.calls[i]);
  }
  block.calls = std::move(calls);
}

} // namespace tilesmith::machine
