#include "Order.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

//===- Facts ----------------------------------------------------------------------------------------------------------===//

Facts::Facts(const Kernel &kernel) : numInstructions(kernel.instructions.size()) {
  // Room for the tokens of the kernel and for those a walk adds on its way.
  constexpr unsigned room = 48;
  size = numInstructions + room;
  for (auto &token : kernel.tokens)
    size += 1 + token->flags();
  for (auto &list : kernel.dependencies)
    for (const Dependency &dependency : list)
      size += dependency.kind == Meeting::InSlot ? dependency.cycle.slots : dependency.kind == Meeting::InIteration ? 2 : 0;
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
  unsigned count = cycle.slots ? cycle.slots : 2;
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

bool State::meet(const State &other) {
  bool changed = false;
  auto meetSets = [&](FactSet &mine, const FactSet &theirs) {
    FactSet before = mine;
    mine.meet(theirs);
    changed |= !(before == mine);
  };
  for (unsigned pipe = 0; pipe < numPipes; ++pipe)
    meetSets(known[pipe], other.known[pipe]);
  if (flags.size() < other.flags.size())
    flags.resize(other.flags.size());
  for (unsigned i = 0; i < other.flags.size(); ++i) {
    const FlagState &theirs = other.flags[i];
    FlagState &mine = flags[i];
    changed |= theirs.pending && !mine.pending;
    mine.pending |= theirs.pending;
    if (mine.clocks.empty()) {
      changed |= !theirs.clocks.empty();
      mine.clocks = theirs.clocks;
      continue;
    }
    for (unsigned slot = 0; slot < theirs.clocks.size(); ++slot)
      meetSets(mine.clocks[slot], theirs.clocks[slot]);
  }
  return changed;
}

static void forEachSet(State &state, llvm::function_ref<void(FactSet &)> change) {
  for (FactSet &set : state.known)
    change(set);
  for (FlagState &flag : state.flags)
    for (FactSet &set : flag.clocks)
      change(set);
}

FlagState &OrderWalk::flag(State &state, const Token &token) const {
  if (state.flags.size() <= token.number)
    state.flags.resize(token.number + 1);
  FlagState &flag = state.flags[token.number];
  if (flag.clocks.empty())
    flag.clocks.assign(token.flags(), facts.full());
  return flag;
}

bool OrderWalk::knows(const State &state, Pipe pipe, const Dependency &dependency) const {
  return llvm::all_of(facts.needed(dependency), [&](unsigned fact) { return state.known[unsigned(pipe)].test(fact); });
}

//===- The walk -------------------------------------------------------------------------------------------------------===//

void OrderWalk::run() {
  State state;
  state.known.fill(facts.full());
  walk(kernel.body, state);
}

void OrderWalk::walk(Body &body, State &state) {
  for (size_t i = 0; i < body.nodes.size() && !stop; ++i) {
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
    if (node.allSlots || !node.token->ring || !node.token->isCarried())
      raised.pending = false;
    FactSet carried = raised.clocks[0];
    for (unsigned slot = 1; node.allSlots && slot < raised.clocks.size(); ++slot)
      carried.join(raised.clocks[slot]);
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
  for (auto &token : kernel.tokens)
    if (token->ring.loop == loop && token->ring.slots == slots && token->number < state.flags.size()) {
      auto &clocks = state.flags[token->number].clocks;
      if (!clocks.empty())
        std::rotate(clocks.begin(), clocks.end() - 1, clocks.end());
    }
}

} // namespace tilesmith::plan
