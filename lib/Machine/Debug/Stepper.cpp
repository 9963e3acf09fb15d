#include "tilesmith/Machine/Debugger.h"
#include <algorithm>
#include <cstring>

namespace tilesmith::machine {

static std::vector<uint8_t> bytesOf(std::span<const std::span<const uint8_t>> runs) {
  std::vector<uint8_t> bytes;
  for (std::span<const uint8_t> run : runs)
    bytes.insert(bytes.end(), run.begin(), run.end());
  return bytes;
}

void Stepper::watch(int64_t id, std::vector<std::span<const uint8_t>> runs) {
  std::vector<uint8_t> now = bytesOf(runs);
  watches.push_back({id, std::move(runs), std::move(now)});
}

bool Stepper::unwatch(int64_t id) {
  return std::erase_if(watches, [&](const Watch &watch) { return watch.id == id; }) > 0;
}

bool Stepper::stop(const Stop &stop, bool *passed) {
  Resume next = stopped(stop);
  if (passed)
    *passed = next == Resume::Same;
  if (next == Resume::Same)
    return true;
  resume = next;
  fromDepth = current.depth;
  stoppedBefore = true;
  return resume != Resume::Quit;
}

bool Stepper::begin(const DebuggedCore &core) {
  blockBegins = true;
  stoppedBefore = false;
  ofCore = core.index;
  current = {};
  values.clear();
  flight.clear();
  writes.clear();
  for (Watch &watch : watches) // memories of a core start anew
    watch.old = bytesOf(watch.runs);
  return resume != Resume::Quit;
}

bool Stepper::askInterrupt() {
  constexpr uint32_t askEvery = 256;
  return ++events % askEvery == 0 && isInterrupted();
}

bool Stepper::statement(const DebuggedCore &core, const Statement &statement) {
  if (resume == Resume::Quit)
    return false;
  values.assign(statement.values.begin(), statement.values.end());
  uint32_t before = current.loc;
  bool hadStop = stoppedBefore;
  current = statement;
  current.values = values;
  ofCore = core.index;
  bool first = blockBegins;
  blockBegins = stoppedBefore = false;
  if (onlyBlock >= 0 && core.block != onlyBlock)
    return true;
  if (askInterrupt())
    return stop({Reason::Interrupt, core, current});
  if (first && resume == Resume::Block && atStart)
    return stop({Reason::Block, core, current});
  // The statement a breakpoint of the source stands in has been a stop already.
  if (statement.kind == StatementKind::Breakpoint && !(hadStop && isSameLine(before, statement.loc)))
    return stop({Reason::Breakpoint, core, current});
  if (bool passed = false; statement.kind == StatementKind::Statement && isBreakpoint(statement.loc))
    if (bool goesOn = stop({Reason::Breakpoint, core, current}, &passed); !passed)
      return goesOn;
  bool stops = resume == Resume::Step || (resume == Resume::Next && statement.depth <= fromDepth) ||
               (resume == Resume::Finish && (statement.depth < fromDepth || statement.kind == StatementKind::End));
  if (stops && statement.kind != StatementKind::Breakpoint)
    return stop({Reason::Step, core, current});
  return true;
}

bool Stepper::before(const DebuggedCore &core, const Instr &call) {
  if (resume == Resume::Quit)
    return false;
  bool silent = onlyBlock >= 0 && core.block != onlyBlock;
  if (!hasDebugInfo && call.loc && (blockBegins || ofCore != core.index || !isSameLine(current.loc, call.loc)) &&
      !statement(core, {.loc = call.loc, .values = {}}))
    return false;
  if (silent)
    return true;
  if (askInterrupt())
    return stop({Reason::Interrupt, core, current, &call});
  if (resume == Resume::Call)
    return stop({Reason::Call, core, current, &call});
  return true;
}

bool Stepper::changed(const DebuggedCore &core, const Instr &call) {
  for (size_t i = 0; i < watches.size(); ++i) {
    std::vector<uint8_t> now = bytesOf(watches[i].runs);
    if (now == watches[i].old)
      continue;
    Watch seen = watches[i]; // a stop may remove it
    watches[i].old = std::move(now);
    if (!stop({Reason::Watch, core, current, &call, /*done=*/true, &seen}))
      return false;
  }
  return true;
}

bool Stepper::after(const DebuggedCore &core, const Instr &call, const Finding *found) {
  if (resume == Resume::Quit)
    return false;
  flight.note(call);
  if (!hasDebugInfo && !found)
    writes.note(call, core.platform.arch);
  if (onlyBlock >= 0 && core.block != onlyBlock)
    return true;
  if (found && !stop({Reason::Finding, core, current, &call, /*done=*/true, nullptr, found}))
    return false;
  return watches.empty() || changed(core, call);
}

} // namespace tilesmith::machine
