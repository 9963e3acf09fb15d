// Following a core's calls: issue, flags, barriers, and what is wrong with them.
#include "GlobalEffects.h"
#include "OrderChecker.h"

namespace tilesmith::machine {

static std::string name(unsigned pipe) { return std::string(stringify(Pipe(pipe))); }

bool OrderChecker::advance() {
  uint64_t before = steps;
  for (unsigned pipe = 0; pipe < numOrderedPipes; ++pipe)
    release(pipe);
  for (; next < block.calls.size() && pipes[S].held.empty(); ++next, ++steps)
    if (!issue(block.calls[next]))
      break;
  return steps != before;
}

void OrderChecker::findGlobalWrites() {
  GlobalEffects global(platform.arch);
  for (const Instr &instr : block.calls)
    if (touchesGlobal(instr, Access::Write))
      for (const Effect &effect : global.of(instr))
        if (effect.access == Access::Write)
          globalWrites.emplace_back(effect.start, effect.end());
  std::sort(globalWrites.begin(), globalWrites.end());
  size_t kept = 0;
  for (auto &[begin, end] : globalWrites)
    if (kept && begin <= globalWrites[kept - 1].second)
      globalWrites[kept - 1].second = std::max(globalWrites[kept - 1].second, end);
    else
      globalWrites[kept++] = {begin, end};
  globalWrites.resize(kept);
}

bool OrderChecker::mayBeWritten(const Effect &effect) const {
  auto it = std::upper_bound(globalWrites.begin(), globalWrites.end(), std::pair(effect.end(), int64_t(0)));
  return it != globalWrites.begin() && std::prev(it)->second > effect.start;
}

bool OrderChecker::issue(const Instr &instr) {
  unsigned pipe = unsigned(pipeOf(instr));
  if (instr.op == Opcode::SetAtomic) {
    atomic = isa::SetAtomic(instr).op();
    return true;
  }
  if (instr.info().family == Family::Flag && !checkFlag(instr))
    return true;
  if (pipe == unsigned(Pipe::ALL))
    return barrierAll();
  if (pipe > unsigned(Pipe::ALL))
    return true;
  if (pipe == S) {
    execute(S, instr, atomic);
    return true;
  }
  Clock scalar = pipes[S].known;
  scalar[S] = 0; // scalar stores are complete only for who waits for a flag of S
  if (!pipes[pipe].held.empty()) {
    pipes[pipe].held.push_back({&instr, scalar, atomic, pipes[S].others});
    return true;
  }
  join(pipes[pipe].known, scalar);
  machine::join(pipes[pipe].others, pipes[S].others);
  execute(pipe, instr, atomic);
  return true;
}

bool OrderChecker::barrierAll() {
  Clock all;
  for (unsigned i = 0; i < numOrderedPipes; ++i) {
    if (!pipes[i].held.empty())
      return false;
    all[i] = pipes[i].index;
  }
  Known others;
  for (PipeState &pipe : pipes) {
    pipe.known = all;
    machine::join(others, pipe.others);
  }
  for (PipeState &pipe : pipes)
    pipe.others = others;
  return true;
}

void OrderChecker::execute(unsigned pipe, const Instr &instr, isa::AtomicOp mode) {
  PipeState &state = pipes[pipe];
  switch (instr.op) {
  case Opcode::WaitFlag: {
    Flag &flag = flagOf(instr);
    if (!flag.set) {
      state.held.push_front({&instr, Clock{}, mode});
      return;
    }
    flag.set = false;
    flag.waits = ++state.index;
    join(state.known, flag.clock);
    machine::join(state.others, flag.others);
    return;
  }
  case Opcode::SetFlag:
    setFlag(pipe, instr);
    return;
  case Opcode::CrossSet:
  case Opcode::CrossCoreSet:
    if (together.clocks)
      setForOthers(pipe, instr);
    return;
  case Opcode::CrossWait:
  case Opcode::CrossCoreWait:
    if (together.clocks && !takeFromOthers(pipe, instr)) // alone: what others did lies outside of the core
      state.held.push_front({&instr, Clock{}, mode});
    return;
  case Opcode::PipeBarrier:
    state.known[pipe] = state.index;
    return;
  default:
    if (usesUnitFlags(instr))
      return accessByUnits(pipe, instr, mode);
    access(pipe, instr, mode);
    return;
  }
}

// What was handed over orders the bytes of L0C both calls touch, and everything the giver knew when it began; its other
// bytes may still be under way.
void OrderChecker::accessByUnits(unsigned pipe, const Instr &instr, isa::AtomicOp mode) {
  PipeState &state = pipes[pipe];
  if (!units.ready(instr, platform.arch)) {
    state.held.push_front({&instr, Clock{}, mode});
    return;
  }
  unsigned giver = unsigned(giverOf(instr));
  uint32_t done = 0;
  const Handed *last = nullptr;
  units.eachTaken(instr, platform.arch, [&](const std::shared_ptr<const Handed> &handed, auto...) {
    if (!handed || handed.get() == last)
      return;
    last = handed.get();
    join(state.known, handed->known);
    machine::join(state.others, handed->others);
    done = std::max(done, handed->index);
  });
  auto given = std::make_shared<Handed>(Handed{state.known, state.others, 0});
  uint32_t before = std::exchange(state.known[giver], std::max(state.known[giver], done));
  access(pipe, instr, mode);
  state.known[giver] = before;
  if (!handsOver(instr))
    return;
  if (isa::ordersItself(platform.arch, Pipe(pipe)))
    given->known[pipe] = state.index - 1;
  given->index = state.index;
  units.hand(instr, platform.arch, [&](auto...) { return given; });
  lastHanded = instr.loc;
  release(giver);
}

void OrderChecker::setFlag(unsigned pipe, const Instr &instr) {
  Flag &flag = flagOf(instr);
  isa::SetFlag call(instr);
  unsigned to = unsigned(call.to());
  // The wait before is over for whoever is ordered after it: its own pipe, and all that S issues after waiting
  // itself.
  bool waited = !flag.waits || to == pipe || to == S || pipes[pipe].known[to] >= flag.waits;
  if (flag.set || !waited)
    report(FindingKind::FlagOverrun,
           "flag " + std::to_string(call.id()) + " from " + name(pipe) + " to " + name(to) +
               (flag.set ? " is set again before anything waited for it"
                         : " is set again while its wait may still be pending: nothing orders this set after the wait"),
           instr.loc, flag.loc);
  flag.set = true;
  flag.clock = pipes[pipe].known;
  flag.clock[pipe] = pipes[pipe].index;
  flag.others = pipes[pipe].others;
  flag.loc = instr.loc;
  release(to);
}

void OrderChecker::release(unsigned pipe) {
  PipeState &state = pipes[pipe];
  while (!state.held.empty()) {
    Queued first = state.held.front();
    if (first.instr->op == Opcode::WaitFlag && !flagOf(*first.instr).set)
      return;
    state.held.pop_front();
    join(state.known, first.scalar);
    machine::join(state.others, first.others);
    size_t left = state.held.size();
    execute(pipe, *first.instr, first.atomic);
    if (state.held.size() > left) // for another core or a part of L0C, and still waits
      return;
    ++steps;
  }
}

bool OrderChecker::checkFlag(const Instr &instr) {
  isa::family::Flag call(instr);
  int64_t from = call.fromValue(), to = call.toValue(), id = call.id();
  bool pipesExist = from >= 0 && from < numOrderedPipes && to >= 0 && to < numOrderedPipes;
  std::string_view core = !kinds.decides() ? "core" : kinds.has(isa::CoreKind::AIC) ? "cube core" : "vector core";
  if (!pipesExist || !hasEvent(Pipe(from), Pipe(to), platform.arch, kinds)) {
    auto pipeName = [](int64_t pipe) {
      return pipe >= 0 && pipe < isa::numPipe ? name(unsigned(pipe)) : "pipe " + std::to_string(pipe);
    };
    report(FindingKind::FlagNoEvent,
           "a " + std::string(core) + " has no event from " + pipeName(from) + " to " + pipeName(to), instr.loc, 0);
  }
  if (!pipesExist)
    return false;
  return id >= 0 && id < numFlagIds;
}

void OrderChecker::reportDeadlocks() {
  for (const PipeState &pipe : pipes) // what the core did not live to do says nothing about its own flags
    if (!pipe.held.empty() && pipe.held.front().instr->op == Opcode::CrossCoreWait)
      deadlocked = true;
  if (deadlocked)
    return;
  for (unsigned pipe = 0; pipe < numOrderedPipes; ++pipe) {
    if (pipes[pipe].held.empty())
      continue;
    deadlocked = true;
    const Instr &instr = *pipes[pipe].held.front().instr;
    if (instr.op == Opcode::CrossWait)
      continue;
    report(deadlockOf(instr), waitsForEver(instr), instr.loc, 0);
  }
}

void OrderChecker::reportUnpairedSets() {
  for (size_t i = 0; i < flags.size(); ++i)
    if (flags[i].set)
      report(FindingKind::FlagUnpairedSet,
             "flag " + std::to_string(i % numFlagIds) + " from " + name(unsigned(i / numFlagIds / numOrderedPipes)) +
                 " to " + name(unsigned(i / numFlagIds % numOrderedPipes)) +
                 " is still set when the block ends: it leaks into the next kernel on the core",
             flags[i].loc, 0);
  if (size_t full = units.full())
    report(FindingKind::FlagUnpairedSet,
           std::to_string(full * isa::unitFlagBytes) +
               " bytes of L0C are still full when the block ends: no Fixpipe with "
               "unitFlag 3 wrote them out, and the next kernel's Mmad with unitFlag waits for ever",
           lastHanded, 0);
}

void OrderChecker::report(const FindingId &id, std::string text, uint32_t loc, uint32_t otherLoc) {
  auto [it, added] = reported.try_emplace(std::tuple(id, loc, otherLoc), findings.size());
  if (added)
    findings.push_back({id, std::move(text), block.block, loc, otherLoc, 1, block.core, {}});
  else
    ++findings[it->second].count;
}

void checkOrder(const BlockTrace &block, const Platform &platform, std::vector<Finding> &findings,
                const AddressNames &names) {
  OrderChecker(block, platform, findings, names).run();
}

} // namespace tilesmith::machine
