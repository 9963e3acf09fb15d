#include "CrossOrder.h"
#include "OrderChecker.h"

namespace tilesmith::machine {

void join(Known &known, const Known &other) {
  if (!other || known == other)
    return;
  if (!known) {
    known = other;
    return;
  }
  auto both = std::make_shared<std::vector<uint32_t>>(*known);
  for (size_t i = 0; i < both->size(); ++i)
    (*both)[i] = std::max((*both)[i], (*other)[i]);
  known = std::move(both);
}

CrossOrder::CrossOrder(std::span<const BlockTrace> traces, isa::BlockCores cores, const Platform &platform,
                       std::vector<Finding> *findings, const AddressNames &names) {
  bool crosses = false, acrossBlocks = false;
  for (const BlockTrace &trace : traces)
    for (const Instr &instr : trace.calls)
      if (instr.info().family == Family::Cross) {
        crosses = true;
        acrossBlocks |=
            instr.op == Opcode::CrossSet || (instr.op == Opcode::CrossCoreSet && isa::CrossCoreSet(instr).mode() == 0);
      }
  if (!crosses && !cores.mixed())
    return;
  LaunchCores all{cores, int64_t(traces.size() / cores.count())};
  clocks = std::make_unique<CrossClocks>(all, acrossBlocks);
  places.resize(traces.size());
  std::vector<Finding> unused;
  std::vector<OrderChecker> checkers;
  checkers.reserve(traces.size());
  for (size_t i = 0; i < traces.size(); ++i) {
    places[i].resize(traces[i].calls.size());
    checkers.emplace_back(traces[i], platform, findings ? *findings : unused, names, nullptr,
                          Together{clocks.get(), i, &places[i], !findings});
  }
  for (bool any = true; any;) {
    any = false;
    for (OrderChecker &checker : checkers)
      any |= checker.advance();
  }
  if (!findings)
    return;
  bool over = true;
  for (OrderChecker &checker : checkers) {
    checker.conclude();
    over &= checker.isOver();
  }
  if (over)
    reportLeftOver(traces, *findings);
}

CrossOrder::~CrossOrder() = default;

void CrossOrder::reportLeftOver(std::span<const BlockTrace> traces, std::vector<Finding> &findings) const {
  auto nameOf = [&](size_t core) {
    return (traces[core].core.empty() ? "" : traces[core].core + " of ") + "block " +
           std::to_string(traces[core].block);
  };
  auto report = [&](size_t core, std::string text, uint32_t loc) {
    findings.push_back(
        {FindingKind::CrossUnpairedSet, std::move(text), traces[core].block, loc, 0, 1, traces[core].core, {}});
  };
  clocks->flags.leftOver([&](size_t core, int64_t counter, size_t pending) {
    report(core,
           "cross-core flag " + std::to_string(counter % isa::crossFlagIds) + " of " + nameOf(core) +
               " is still set (" + std::to_string(pending) +
               " more than it waited for) when the kernel ends: it leaks into the next one",
           clocks->counters[{core, counter}].loc);
  });
  clocks->flags.uncollected([&](size_t core, int64_t id, size_t pending) {
    report(core,
           nameOf(core) + " sets cross-core flag " + std::to_string(id % isa::crossFlagIds) + " " +
               std::to_string(pending) + " more times than the cores it is collected with",
           0);
  });
}

Known OrderChecker::handOn(unsigned pipe) const {
  const CrossClocks &clocks = *together.clocks;
  const PipeState &state = pipes[pipe];
  auto all = std::make_shared<std::vector<uint32_t>>(clocks.slots());
  if (state.others)
    *all = *state.others;
  for (unsigned i = 0; i < numOrderedPipes; ++i) {
    uint32_t &own = (*all)[clocks.slotOf(together.core, i)];
    own = std::max(own, i == pipe ? state.index : state.known[i]);
  }
  return all;
}

void OrderChecker::setForOthers(unsigned pipe, const Instr &instr) {
  CrossClocks &clocks = *together.clocks;
  if (instr.op == Opcode::CrossSet) {
    clocks.sets[isa::CrossSet(instr).key()].push_back(handOn(pipe));
    return;
  }
  isa::CrossCoreSet call(instr);
  clocks.flags.set(
      together.core, call.mode(), call.id(), handOn(pipe),
      [](Known &known, const Known &other) { machine::join(known, other); },
      [&](size_t receiver, int64_t counter, int64_t number, const Known &known) {
        CrossClocks::Counter &of = clocks.counters[{receiver, counter}];
        of.loc = instr.loc;
        if (number > isa::crossFlagLimit && !hasWaited(of, number - isa::crossFlagLimit, known, receiver))
          report(FindingKind::CrossFlagOverflow,
                 "cross-core flag " + std::to_string(call.id()) + " may be set more than " +
                     std::to_string(isa::crossFlagLimit) +
                     " times ahead of its waits: nothing orders this set after the wait that makes room for it",
                 instr.loc, 0);
      });
}

bool OrderChecker::hasWaited(const CrossClocks::Counter &counter, int64_t nth, const Known &known,
                             size_t receiver) const {
  if (int64_t(counter.waits.size()) < nth)
    return false;
  auto [pipe, index] = counter.waits[size_t(nth - 1)];
  return together.clocks->covers(known, together.core, receiver, pipe, index);
}

bool OrderChecker::takeFromOthers(unsigned pipe, const Instr &instr) {
  CrossClocks &clocks = *together.clocks;
  if (instr.op == Opcode::CrossWait) {
    isa::CrossWait wait(instr);
    int64_t needed = 0;
    const std::vector<Known> &made = clocks.sets[wait.key()];
    if (__builtin_mul_overflow(waitsOf[wait.key()] + 1, wait.sets(), &needed) || int64_t(made.size()) < needed)
      return false;
    ++waitsOf[wait.key()];
    for (int64_t set = 0; set < needed; ++set)
      learn(pipe, made[size_t(set)]);
    return true;
  }
  int64_t counter = counterOf(isa::CrossCoreWait(instr));
  if (!clocks.flags.ready(together.core, counter))
    return false;
  learn(pipe, clocks.flags.take(together.core, counter));
  auto &waits = clocks.counters[{together.core, counter}].waits;
  if (pipe != S) {
    waits.emplace_back(uint8_t(pipe), ++pipes[pipe].index);
    return true;
  }
  auto own = std::make_shared<std::vector<uint32_t>>(*pipes[S].others);
  waits.emplace_back(uint8_t(CrossClocks::scalarWaits),
                     ++(*own)[clocks.slotOf(together.core, CrossClocks::scalarWaits)]);
  pipes[S].others = std::move(own);
  return true;
}

} // namespace tilesmith::machine
