#include "CrossOrder.h"
#include <algorithm>
#include <map>

namespace tilesmith::machine {

CrossOrder::CrossOrder(std::span<const BlockTrace> blocks, const Platform &platform) {
  auto crosses = [](const Instr &instr) { return instr.info().family == Family::Cross; };
  if (std::none_of(blocks.begin(), blocks.end(), [&](const BlockTrace &block) {
        return std::any_of(block.calls.begin(), block.calls.end(), crosses);
      }))
    return;
  ofBlocks.resize(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    CrossPoints points;
    findCrossPoints(blocks[i], platform, points);
    std::sort(points.sets.begin(), points.sets.end(), [](auto &a, auto &b) { return a.call < b.call; });
    OfBlock &block = ofBlocks[i];
    block.accesses = std::move(points.accesses);
    for (const CrossPoints::Set &set : points.sets)
      block.covered.push_back(set.clock);
    for (size_t set = block.covered.size(); set-- > 1;)
      for (unsigned pipe = 0; pipe < numOrderedPipes; ++pipe)
        block.covered[set - 1][pipe] = std::min(block.covered[set - 1][pipe], block.covered[set][pipe]);
    for (size_t call = 0; call < blocks[i].calls.size(); ++call)
      if (blocks[i].calls[call].op == Opcode::CrossWait)
        block.waits.push_back(call);
    block.after.assign(block.waits.size() + 1, Clock(blocks.size()));
  }
  follow(blocks);
}

CrossOrder::Place CrossOrder::placeOf(size_t index, size_t call) const {
  const OfBlock &block = ofBlocks[index];
  const CrossPoints::Access &access = block.accesses[call];
  auto set = std::partition_point(block.covered.begin(), block.covered.end(),
                                  [&](auto &clock) { return clock[access.pipe] < access.index; });
  uint32_t done = set == block.covered.end() || !access.index ? 0 : uint32_t(set - block.covered.begin()) + 1;
  auto waits = std::lower_bound(block.waits.begin(), block.waits.end(), call) - block.waits.begin();
  return {done, uint32_t(waits)};
}

// Lets the blocks make their sets and waits once more, in the order they ran in.
void CrossOrder::follow(std::span<const BlockTrace> blocks) {
  struct Runner {
    std::vector<const Instr *> calls;
    size_t next = 0, waits = 0;
    uint32_t sets = 0;
    Clock clock;
    std::map<int64_t, int64_t> waitsOf;
  };
  std::vector<Runner> runners(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    runners[i].clock.resize(blocks.size());
    for (const Instr &instr : blocks[i].calls)
      if (instr.info().family == Family::Cross)
        runners[i].calls.push_back(&instr);
  }
  std::map<int64_t, std::vector<Clock>> sets; // what each set of a key knew, in the order they were made
  auto advance = [&](size_t i) {
    Runner &runner = runners[i];
    size_t begin = runner.next;
    for (; runner.next < runner.calls.size(); ++runner.next) {
      const Instr &instr = *runner.calls[runner.next];
      if (instr.op == Opcode::CrossSet) {
        runner.clock[i] = ++runner.sets;
        sets[isa::CrossSet(instr).key()].push_back(runner.clock);
        continue;
      }
      isa::CrossWait wait(instr);
      int64_t needed = 0;
      const std::vector<Clock> &made = sets[wait.key()];
      if (__builtin_mul_overflow(runner.waitsOf[wait.key()] + 1, wait.sets(), &needed) || int64_t(made.size()) < needed)
        break;
      ++runner.waitsOf[wait.key()];
      for (int64_t set = 0; set < needed; ++set)
        for (size_t block = 0; block < blocks.size(); ++block)
          runner.clock[block] = std::max(runner.clock[block], made[size_t(set)][block]);
      ofBlocks[i].after[++runner.waits] = runner.clock;
    }
    return runner.next != begin;
  };
  for (bool any = true; any;) {
    any = false;
    for (size_t i = 0; i < blocks.size(); ++i)
      any |= advance(i);
  }
  // Waits that were never satisfied: what follows them did not happen, and knows no more than what came before.
  for (size_t i = 0; i < blocks.size(); ++i)
    for (size_t wait = runners[i].waits + 1; wait < ofBlocks[i].after.size(); ++wait)
      ofBlocks[i].after[wait] = runners[i].clock;
}

} // namespace tilesmith::machine
