#include "CrossBlocks.h"
#include <algorithm>
#include <memory>
#include <signal.h>

namespace tilesmith::machine {

void CrossBlocks::runAll() {
  runRest();
  {
    std::unique_lock lock(mutex);
    allOver.wait(lock, [&] { return over == blocks; });
  }
  for (std::thread &thread : threads)
    thread.join();
}

// Starts the blocks that have not begun, then hands the turn to one that waits.
void CrossBlocks::runRest() {
  for (;;) {
    int64_t block;
    {
      std::lock_guard lock(mutex);
      if (nextBlock == blocks)
        break;
      block = nextBlock++;
    }
    runBlock(block);
    std::lock_guard lock(mutex);
    ++over;
  }
  std::lock_guard lock(mutex);
  passOn();
}

// With the mutex held, by whoever has the turn and gives it away.
void CrossBlocks::passOn() {
  if (over == blocks)
    return allOver.notify_all();
  Waiting *next = nullptr;
  for (Waiting *candidate : waiting)
    if (sets[candidate->key] >= candidate->needed && (!next || candidate->block < next->block))
      next = candidate;
  bool satisfied = next != nullptr;
  if (!next && !waiting.empty()) // nobody can go on: the first one ends with a finding, then the next has its chance
    next =
        *std::min_element(waiting.begin(), waiting.end(), [](Waiting *a, Waiting *b) { return a->block < b->block; });
  if (!next)
    return;
  next->satisfied = satisfied;
  next->goesOn = true;
  std::erase(waiting, next);
  next->wake.notify_all();
}

void CrossBlocks::set(int64_t key) {
  std::lock_guard lock(mutex);
  ++sets[key];
}

int64_t CrossBlocks::count(int64_t key) const {
  std::lock_guard lock(mutex);
  auto it = sets.find(key);
  return it == sets.end() ? 0 : it->second;
}

bool CrossBlocks::wait(int64_t block, int64_t key, int64_t perWait) {
  std::unique_lock lock(mutex);
  int64_t nth = ++waits[{block, key}], needed;
  if (__builtin_mul_overflow(nth, perWait, &needed))
    needed = INT64_MAX;
  if (sets[key] >= needed)
    return true;
  Waiting self{block, key, needed, false, false, {}};
  waiting.push_back(&self);
  if (nextBlock < blocks)
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
