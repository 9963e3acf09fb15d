#include "Order.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

//===- Facts ----------------------------------------------------------------------------------------------------------===//

// One for each slot, or one about this iteration and one about earlier ones.
static unsigned factsOf(const Cycle &cycle) { return cycle.slots ? unsigned(cycle.slots) : 2; }

Facts::Facts(const Kernel &kernel) : numInstructions(kernel.instructions.size()) {
  // Room for the tokens of the kernel and for those a walk adds on its way. Without it the walk starts again.
  unsigned room = std::max(48u, numInstructions / 2);
  size = numInstructions + room;
  for (auto &token : kernel.tokens)
    size += 1 + token->flags();
  // Sets are copied all the time: they hold no bit more than there are facts.
  llvm::SmallSet<std::tuple<unsigned, const void *, const void *, int64_t>, 32> cycles;
  for (auto &list : kernel.dependencies)
    for (const Dependency &dependency : list)
      if (const Cycle &cycle = dependency.cycle;
          cycle && cycles.insert({dependency.on, cycle.loop, cycle.outer, cycle.slots}).second)
        size += factsOf(cycle);
  for (FactSet &set : ofPipe)
    set = FactSet(size, false);
  inherited = full();
  for (Node *node : kernel.instructions)
    addSource(node->pipe, false);
  for (auto &list : kernel.dependencies)
    for (const Dependency &dependency : list)
      if (dependency.cycle)
        addRange(dependency.on, kernel.instructions[dependency.on]->pipe, false, dependency.cycle);
  for (auto &token : kernel.tokens)
    add(*token);
}

void Facts::own(unsigned fact, Pipe pipe, bool isWait) {
  ofPipe[unsigned(pipe)].set(fact);
  if (pipe == Pipe::S && !isWait)
    inherited.reset(fact);
}

unsigned Facts::addSource(Pipe pipe, bool isWait) {
  sources.push_back({next, {}});
  own(next++, pipe, isWait);
  return sources.size() - 1;
}

void Facts::addRange(unsigned source, Pipe pipe, bool isWait, const Cycle &cycle) {
  for (unsigned range : sources[source].ranges)
    if (ranges[range].cycle == cycle)
      return;
  unsigned count = factsOf(cycle);
  sources[source].ranges.push_back(ranges.size());
  ranges.push_back({cycle, source, next, count});
  for (unsigned i = 0; i < count; ++i)
    own(next++, pipe, isWait);
}

void Facts::add(const Token &token) {
  unsigned source = addSource(token.to, true);
  if (token.ring)
    addRange(source, token.to, true, token.ring);
}

SmallVector<unsigned, 2> Facts::needed(const Dependency &dependency) const {
  const Source &source = sources[dependency.on];
  for (unsigned index : source.ranges) {
    const Range &range = ranges[index];
    if (!dependency.cycle || !(range.cycle == dependency.cycle))
      continue;
    if (range.cycle.slots)
      return {range.first};
    return {range.first, range.first + 1};
  }
  return {source.all};
}

unsigned Facts::waited(const Token &token, bool all) const {
  const Source &source = sources[sourceOf(token)];
  return all || source.ranges.empty() ? source.all : ranges[source.ranges.front()].first;
}

//===- States ---------------------------------------------------------------------------------------------------------===//

// Where the flag of a token is, or would be.
template <typename Flags> static auto lowerBound(Flags &flags, unsigned token) {
  return llvm::lower_bound(flags, token, [](const FlagState &flag, unsigned number) { return flag.token < number; });
}

bool State::meet(const State &other) {
  bool changed = false;
  for (unsigned pipe = 0; pipe < numPipes; ++pipe)
    changed |= known[pipe].meet(other.known[pipe]);
  for (const FlagState &theirs : other.flags) {
    auto mine = lowerBound(flags, theirs.token);
    if (mine == flags.end() || mine->token != theirs.token) {
      flags.insert(mine, theirs);
      changed = true;
      continue;
    }
    changed |= theirs.pending && !mine->pending;
    mine->pending |= theirs.pending;
    for (unsigned slot = 0; slot < theirs.clocks.size(); ++slot)
      changed |= mine->clocks[slot].meet(theirs.clocks[slot]);
  }
  return changed;
}

bool State::isPending(const Token &token) const {
  auto flag = lowerBound(flags, token.number);
  return flag != flags.end() && flag->token == token.number && flag->pending;
}

static void forEachSet(State &state, llvm::function_ref<void(FactSet &)> change) {
  for (FactSet &set : state.known)
    change(set);
  for (FlagState &flag : state.flags)
    for (FactSet &set : flag.clocks)
      change(set);
}

FlagState &OrderWalk::flag(State &state, const Token &token) const {
  auto flag = lowerBound(state.flags, token.number);
  if (flag == state.flags.end() || flag->token != token.number) {
    flag = state.flags.insert(flag, FlagState{token.number, {}, false});
    flag->clocks.assign(token.flags(), facts.full());
  }
  return *flag;
}

void OrderWalk::forget(State &state, const Token &token) const { state.flags.erase(lowerBound(state.flags, token.number)); }

bool OrderWalk::knows(const State &state, Pipe pipe, const Dependency &dependency) const {
  return llvm::all_of(facts.needed(dependency), [&](unsigned fact) { return state.known[unsigned(pipe)].test(fact); });
}

//===- The walk -------------------------------------------------------------------------------------------------------===//

void OrderWalk::run() {
  State state;
  state.known.fill(facts.full());
  walk(kernel.body, state);
}

void OrderWalk::walk(Body &body, State &state, size_t from) {
  for (size_t i = from; i < body.nodes.size() && !stop; ++i) {
    Node *node = body.nodes[i];
    size_t size = body.nodes.size();
    visit(*node, state);
    if (stop)
      return;
    if (body.nodes.size() != size)
      i = body.find(node);
    after(*node, state);
  }
}

void OrderWalk::visit(Node &node, State &state) {
  switch (node.kind) {
  case NodeKind::Instruction:
    atInstruction(node, state);
    lastRun[node.number] = ++clock;
    return spoil(node.number, node.pipe, false, state);
  case NodeKind::Branch:
    return visitBranch(node, state);
  case NodeKind::For:
  case NodeKind::While:
    return visitLoop(node, state);
  case NodeKind::Set: {
    if (node.token->disabled)
      return;
    atSet(node, state);
    unsigned from = unsigned(node.token->from);
    FactSet carried = state.known[from];
    carried.join(facts.ofPipe[from]);
    FlagState &raised = flag(state, *node.token);
    raised.pending = true;
    for (unsigned slot = 0; slot < (node.allSlots ? raised.clocks.size() : 1); ++slot)
      raised.clocks[slot] = carried;
    return;
  }
  case NodeKind::Wait: {
    if (node.token->disabled)
      return;
    FlagState &raised = flag(state, *node.token);
    FactSet carried = raised.clocks[0];
    for (unsigned slot = 1; node.allSlots && slot < raised.clocks.size(); ++slot)
      carried.join(raised.clocks[slot]);
    if (node.allSlots || !node.token->ring || !node.token->isCarried())
      forget(state, *node.token);
    return wait(*node.token, carried, node.allSlots, state);
  }
  case NodeKind::Barrier:
    for (unsigned pipe = 0; pipe < numPipes; ++pipe)
      if (node.pipe == Pipe::ALL)
        state.known[pipe] = facts.full();
      else if (unsigned(node.pipe) == pipe)
        state.known[pipe].join(facts.ofPipe[pipe]);
    return;
  }
}

void OrderWalk::wait(const Token &token, const FactSet &carried, bool all, State &state) const {
  FactSet &waiting = state.known[unsigned(token.to)];
  waiting.join(carried);
  FactSet before = waiting;
  spoil(facts.sourceOf(token), token.to, all, state);
  // The wait itself blocks its pipe: later instructions there know that it is over.
  waiting = before;
  const Facts::Source &source = facts.sources[facts.sourceOf(token)];
  waiting.set(source.all);
  for (unsigned index : source.ranges)
    for (unsigned i = 0; i < facts.ranges[index].count; ++i)
      waiting.set(facts.ranges[index].first + i);
  if (token.to == Pipe::S)
    for (FactSet &known : state.known)
      known.join(waiting, facts.inherited);
}

void OrderWalk::spoil(unsigned source, Pipe pipe, bool everySlot, State &state) const {
  const Facts::Source &spoilt = facts.sources[source];
  FactSet kept = state.known[unsigned(pipe)];
  forEachSet(state, [&](FactSet &set) {
    set.reset(spoilt.all);
    for (unsigned index : spoilt.ranges) {
      const Facts::Range &range = facts.ranges[index];
      for (unsigned i = 0; i < (everySlot ? range.count : 1); ++i)
        set.reset(range.first + i);
    }
  });
  if (source < kernel.instructions.size() && kernel.keepsOrder(pipe))
    state.known[unsigned(pipe)] = kept;
}

void OrderWalk::visitBranch(Node &node, State &state) {
  std::optional<State> met;
  for (auto &body : node.bodies) {
    State taken = state;
    walk(*body, taken);
    if (stop)
      return;
    if (met)
      met->meet(taken);
    else
      met = std::move(taken);
  }
  state = std::move(*met);
}

void OrderWalk::visitLoop(Node &node, State &state) {
  enter(node.op, state);
  State exit;
  for (bool changed = true; changed;) {
    State end = state;
    walk(*node.bodies[0], end);
    if (stop)
      return;
    if (node.kind == NodeKind::While) {
      exit = end;
      walk(*node.bodies[1], end);
      if (stop)
        return;
    }
    back(node.op, end);
    changed = state.meet(end);
  }
  if (node.kind == NodeKind::While)
    state = std::move(exit);
  leave(node.op, state);
}

//===- Cycles ---------------------------------------------------------------------------------------------------------===//

void OrderWalk::enter(Operation *loop, State &state) const {
  for (const Facts::Range &range : facts.ranges)
    if (!range.cycle.slots && (range.cycle.loop == loop || range.cycle.outer == loop))
      forEachSet(state, [&](FactSet &set) {
        if (range.cycle.loop == loop)
          set.set(range.first);
        if (range.cycle.outer == loop)
          set.assign(range.first + 1, set.test(facts.all(range.source)));
      });
}

void OrderWalk::back(Operation *loop, State &state) const {
  SmallVector<int64_t, 2> rotated;
  for (const Facts::Range &range : facts.ranges) {
    if (range.cycle.loop != loop)
      continue;
    if (!range.cycle.slots) {
      forEachSet(state, [&](FactSet &set) { set.set(range.first); });
    } else if (!llvm::is_contained(rotated, range.cycle.slots)) {
      rotated.push_back(range.cycle.slots);
      rotate(loop, range.cycle.slots, state);
    }
  }
}

// After the loop the current slot is unknown: what holds is what holds whichever it is.
void OrderWalk::leave(Operation *loop, State &state) const {
  SmallVector<int64_t, 2> seen;
  for (const Facts::Range &range : facts.ranges) {
    if (range.cycle.loop == loop && range.cycle.slots && !llvm::is_contained(seen, range.cycle.slots)) {
      seen.push_back(range.cycle.slots);
      State turned = state;
      for (int64_t i = 1; i < range.cycle.slots; ++i) {
        rotate(loop, range.cycle.slots, turned);
        state.meet(turned);
      }
    }
  }
  for (const Facts::Range &range : facts.ranges)
    if (range.cycle.loop == loop || range.cycle.outer == loop)
      forEachSet(state, [&](FactSet &set) {
        bool all = set.test(facts.all(range.source));
        if (range.cycle.slots) {
          if (set.test(range.first)) // of all slots, as they are equal now
            set.set(facts.all(range.source));
          return;
        }
        if (range.cycle.loop == loop)
          set.assign(range.first, all);
        if (range.cycle.outer == loop)
          set.assign(range.first + 1, all);
      });
}

void OrderWalk::rotate(Operation *loop, int64_t slots, State &state) const {
  for (const Facts::Range &range : facts.ranges)
    if (range.cycle.loop == loop && range.cycle.slots == slots)
      forEachSet(state, [&](FactSet &set) {
        bool last = set.test(range.first + slots - 1);
        for (int64_t i = slots - 1; i > 0; --i)
          set.assign(range.first + i, set.test(range.first + i - 1));
        set.assign(range.first, last);
      });
  for (FlagState &flag : state.flags) {
    const Cycle &ring = kernel.tokens[flag.token]->ring;
    if (ring.loop == loop && ring.slots == slots)
      std::rotate(flag.clocks.begin(), flag.clocks.end() - 1, flag.clocks.end());
  }
}

} // namespace tilesmith::plan
