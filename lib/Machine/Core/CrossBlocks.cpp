#include "CrossBlocks.h"
#include <algorithm>
#include <memory>
#include <signal.h>

namespace tilesmith::machine {

void CrossBlocks::runAll() {
  runRest();
  {
    std::unique_lock lock(mutex);
    allOver.wait(lock, [&] { return over == count; });
  }
  for (std::thread &thread : threads)
    thread.join();
}

void CrossBlocks::grow(const LaunchCores &cores) {
  std::lock_guard lock(mutex);
  flags = CrossFlags<std::monostate>(cores);
  count = int64_t(cores.count());
  perBlock = cores.block.count();
}

// Runs cores that have not begun, then hands the turn to one that waits.
void CrossBlocks::runRest() {
  for (;;) {
    int64_t turn;
    {
      std::lock_guard lock(mutex);
      if (!beginsNext())
        break;
      turn = next++;
    }
    run(turn);
    std::lock_guard lock(mutex);
    ++over;
  }
  std::lock_guard lock(mutex);
  passOn();
}

CrossBlocks::Waiting *CrossBlocks::firstReady() const {
  Waiting *first = nullptr;
  for (Waiting *candidate : waiting)
    if ((!first || std::pair(candidate->last, candidate->turn) < std::pair(first->last, first->turn)) &&
        (*candidate->ready)())
      first = candidate;
  return first;
}

bool CrossBlocks::beginsNext() const {
  return next < count && (perBlock == 1 || next % perBlock != 0 || !firstReady());
}

// With the mutex held, by whoever has the turn and gives it away.
void CrossBlocks::passOn() {
  if (over == count)
    return allOver.notify_all();
  Waiting *chosen = firstReady();
  bool satisfied = chosen != nullptr;
  if (!chosen && !waiting.empty()) // nobody can go on: the first one ends with a finding, then the next has its chance
    chosen =
        *std::min_element(waiting.begin(), waiting.end(), [](Waiting *a, Waiting *b) { return a->turn < b->turn; });
  if (!chosen)
    return;
  chosen->satisfied = satisfied;
  chosen->goesOn = true;
  std::erase(waiting, chosen);
  chosen->wake.notify_all();
}

void CrossBlocks::set(int64_t key) {
  std::lock_guard lock(mutex);
  ++sets[key];
}

void CrossBlocks::setFlag(size_t core, int64_t mode, int64_t id) {
  std::lock_guard lock(mutex);
  flags.set(core, mode, id, {}, [](std::monostate, std::monostate) {}, [](auto &&...) {});
}

int64_t CrossBlocks::counted(int64_t key) const {
  auto it = sets.find(key);
  return it == sets.end() ? 0 : it->second;
}

int64_t CrossBlocks::needed(int64_t turn, int64_t key, int64_t perWait) {
  int64_t needed;
  return __builtin_mul_overflow(++waits[{turn, key}], perWait, &needed) ? INT64_MAX : needed;
}

bool CrossBlocks::wait(int64_t turn, const std::function<bool()> &ready, bool last) {
  std::unique_lock lock(mutex);
  if (!last && ready())
    return true;
  Waiting self{turn, &ready, last, false, false, {}};
  waiting.push_back(&self);
  if (beginsNext())
    threads.emplace_back([this] {
      // Where a host's handler of crashes runs when a kernel overflowed the stack of this thread.
      constexpr size_t size = 1 << 16;
      auto stack = std::make_unique<char[]>(size);
      stack_t own = {};
      own.ss_sp = stack.get();
      own.ss_size = size;
      sigaltstack(&own, nullptr);
      runRest();
      own.ss_flags = SS_DISABLE;
      sigaltstack(&own, nullptr);
    });
  else
    passOn();
  self.wake.wait(lock, [&] { return self.goesOn; });
  return self.satisfied;
}

} // namespace tilesmith::machine
