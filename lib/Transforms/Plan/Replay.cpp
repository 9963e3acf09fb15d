#include "Replay.h"

#include "Kernel.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

static constexpr unsigned scalar = unsigned(Pipe::S);

static std::string name(unsigned pipe) { return std::string(stringify(Pipe(pipe))); }

void Replay::issue(unsigned pipe) {
  for (unsigned i = 0; i < numPipes; ++i)
    if (i != scalar)
      known[pipe][i] = std::max(known[pipe][i], known[scalar][i]);
}

void Replay::call(Operation *op, Pipe on, ArrayRef<Touch> touches) {
  unsigned pipe = unsigned(on);
  issue(pipe);
  if (isa::ordersItself(arch, on))
    known[pipe][pipe] = index[pipe];
  for (const Touch &touch : touches)
    for (const Past &other : past) {
      const Touch &earlier = other.touch;
      if (!touch.meets(earlier) || (!earlier.write && !touch.write) || known[pipe][other.pipe] >= other.index)
        continue;
      if (touch.task != earlier.task && touch.task >= 0 && earlier.task >= 0)
        continue;
      if (other.pipe == pipe && touch.exempt && touch.exempt == earlier.exempt)
        continue;
      fault = {op, other.op,
               name(pipe) + (touch.write ? " writes " : " reads ") + std::string(stringify(touch.memory)) + " before " +
                   name(other.pipe) + " is known to have " + (earlier.write ? "written" : "read") + " it"};
      return;
    }
  ++index[pipe];
  for (const Touch &touch : touches)
    past.push_back({touch, pipe, index[pipe], op});
}

void Replay::set(Operation *op, Pipe fromPipe, Pipe toPipe, int64_t id) {
  unsigned from = unsigned(fromPipe), to = unsigned(toPipe);
  issue(from);
  if (id < 0 || id >= numFlags || !plan::hasEvent(arch, fromPipe, toPipe)) {
    fault = {op, nullptr, "flag " + std::to_string(id) + " from " + name(from) + " to " + name(to) + " does not exist"};
    return;
  }
  Flag &raised = flag(fromPipe, toPipe, id);
  bool waited = !raised.lastWait || to == scalar || known[from][to] >= raised.lastWait;
  if (raised.raised || !waited) {
    fault = {op, raised.op,
             "flag " + std::to_string(id) + " from " + name(from) + " to " + name(to) +
                 (raised.raised ? " is set twice" : " is set again before its wait is known to be over")};
    return;
  }
  raised.raised = true;
  raised.clock = known[from];
  raised.clock[from] = index[from];
  raised.op = op;
}

void Replay::wait(Operation *op, Pipe fromPipe, Pipe toPipe, int64_t id) {
  unsigned to = unsigned(toPipe);
  issue(to);
  if (id < 0 || id >= numFlags || !flag(fromPipe, toPipe, id).raised) {
    fault = {op, nullptr,
             "flag " + std::to_string(id) + " from " + name(unsigned(fromPipe)) + " to " + name(to) +
                 " is waited for but not set"};
    return;
  }
  Flag &raised = flag(fromPipe, toPipe, id);
  raised.raised = false;
  raised.lastWait = ++index[to];
  for (unsigned i = 0; i < numPipes; ++i)
    known[to][i] = std::max(known[to][i], raised.clock[i]);
}

void Replay::barrier(Pipe pipe) {
  if (pipe != Pipe::ALL) {
    known[unsigned(pipe)][unsigned(pipe)] = index[unsigned(pipe)];
    return;
  }
  known.fill(index);
  past.clear();
}

void Replay::end(Operation *op) {
  for (unsigned from = 0; from < numPipes; ++from)
    for (unsigned to = 0; to < numPipes; ++to)
      for (unsigned id = 0; id < flagIds; ++id)
        if (flags[from][to][id].raised)
          fault = {flags[from][to][id].op, op,
                   "flag " + std::to_string(id) + " from " + name(from) + " to " + name(to) +
                       " is still set at the end"};
}

} // namespace tilesmith::plan
