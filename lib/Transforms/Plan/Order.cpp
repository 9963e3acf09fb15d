#include "Order.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

bool OrderWalk::knows(State &state, Pipe pipe, const Dependency &dependency) const {
  return llvm::all_of(facts.needed(dependency), [&](unsigned fact) { return state.known(pipe).test(fact); });
}

//===- The walk
//-------------------------------------------------------------------------------------------------------===//

void OrderWalk::run() {
  State state(facts);
  walk(kernel.body, state);
}

void OrderWalk::walk(Body &body, State &state, size_t from) {
  for (size_t i = from; i < body.nodes.size(); ++i) {
    Node *node = body.nodes[i];
    size_t size = body.nodes.size();
    unsigned begun = clock;
    visit(*node, state);
    while (again == node && !stop) {
      again = nullptr;
      amend(state, begun);
      visit(*node, state);
    }
    if (isLeaving())
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
    return spoil(node.number, node.pipe, state);
  case NodeKind::Branch:
  case NodeKind::For:
  case NodeKind::While:
    return visitCompound(node, state);
  case NodeKind::Set:
    if (!node.token->disabled)
      raise(node, state);
    return;
  case NodeKind::Wait:
    if (!node.token->disabled)
      lower(node, state);
    return;
  case NodeKind::Barrier:
    if (node.pipe == Pipe::ALL)
      return state.knowAll();
    return state.known(node.pipe).join(facts.ofPipe[unsigned(node.pipe)]);
  }
}

void OrderWalk::raise(Node &set, State &state) {
  atSet(set, state);
  Pipe from = set.token->from;
  size_t place = state.raise(*set.token);
  state.flag(place).pending = true;
  for (unsigned slot = 0; slot < (set.allSlots ? state.flag(place).clocks : 1); ++slot) {
    FactView carried = state.clock(place, slot);
    carried.copy(state.known(from));
    carried.join(facts.ofPipe[unsigned(from)]);
  }
}

void OrderWalk::lower(Node &node, State &state) {
  atWait(node, state);
  Token &token = *node.token;
  size_t place = state.raise(token);
  FactSet carried(facts.size, false);
  for (unsigned slot = 0; slot < (node.allSlots ? state.flag(place).clocks : 1); ++slot)
    carried.view().join(state.clock(place, slot));
  if (node.allSlots || !token.ring || !token.isCarried())
    state.forget(token);
  wait(token, carried, node.allSlots, state);
}

void OrderWalk::wait(const Token &token, FactView carried, bool all, State &state) {
  const Facts::Source &source = facts.sources[facts.sourceOf(token)];
  state.spoil(all ? source.every : source.current);
  // The wait itself blocks its pipe: later instructions there know that it is over.
  FactView waiting = state.known(token.to);
  waiting.join(carried);
  waiting.set(source.all);
  for (unsigned index : source.ranges)
    for (unsigned i = 0; i < facts.ranges[index].count; ++i)
      waiting.set(facts.ranges[index].first + i);
  if (token.to == Pipe::S)
    for (unsigned pipe = 0; pipe < numPipes; ++pipe)
      state.known(pipe).join(waiting, facts.inherited);
}

void OrderWalk::spoil(unsigned instruction, Pipe pipe, State &state) const {
  ArrayRef<FactWord> spoilt = facts.sources[instruction].current;
  if (!kernel.keepsOrder(pipe))
    return state.spoil(spoilt);
  SmallVector<uint64_t, 2> kept = state.known(pipe).read(spoilt);
  state.spoil(spoilt);
  state.known(pipe).write(spoilt, kept);
}

// The tokens that are set or waited for inside.
static void collectTokens(const Node &compound, llvm::BitVector &tokens) {
  for (auto &body : compound.bodies)
    for (const Node *node : body->nodes) {
      if (node->token)
        tokens.set(node->token->number);
      collectTokens(*node, tokens);
    }
}

// Most flags of a long kernel are set and waited for elsewhere: inside, nothing happens to what they carry but that
// instructions are executed and flags are waited for.
void OrderWalk::visitCompound(Node &node, State &state) {
  llvm::BitVector inside(kernel.tokens.size());
  collectTokens(node, inside);
  parked.push_back(state.park([&](unsigned token) { return inside.test(token); }));
  node.kind == NodeKind::Branch ? visitBranch(node, state) : visitLoop(node, state);
  State aside = std::move(parked.back());
  parked.pop_back();
  if (!aside.isEmpty())
    state.unpark(std::move(aside), isLeaving() ? FactSet(facts.size, false) : spoiltIn(node));
}

// What does not hold after a branch or loop that held before, unless it was learnt inside.
FactSet OrderWalk::spoiltIn(const Node &compound) const {
  FactSet spoilt(facts.size, false);
  auto spoil = [&](unsigned number, bool everySlot) {
    const Facts::Source &source = facts.sources[number];
    spoilt.view().add(everySlot ? source.every : source.current);
    for (unsigned index : source.ranges) {
      const Facts::Range &range = facts.ranges[index];
      if (!compound.op->isAncestor(range.cycle.loop))
        continue;
      for (unsigned i = 0; i < range.count; ++i) // after the loop, iterations and slots are not told apart
        if (i == 0 || range.cycle.slots || compound.op->isAncestor(range.cycle.outer))
          spoilt.view().set(range.first + i);
    }
  };
  auto visit = [&](const Node &node, auto &self) -> void {
    if (node.kind == NodeKind::Instruction)
      spoil(node.number, false);
    if (node.kind == NodeKind::Wait && !node.token->disabled)
      spoil(facts.sourceOf(*node.token), node.allSlots);
    for (auto &body : node.bodies)
      for (Node *inner : body->nodes)
        self(*inner, self);
  };
  visit(compound, visit);
  return spoilt;
}

bool OrderWalk::isPending(const State &state, const Token &token) const {
  return state.isPending(token) || llvm::any_of(parked, [&](const State &aside) { return aside.isPending(token); });
}

void OrderWalk::visitBranch(Node &node, State &state) {
  State met;
  for (auto &body : node.bodies) {
    bool isFirst = body == node.bodies.front();
    State taken = state;
    walk(*body, taken);
    if (isLeaving())
      return;
    if (isFirst)
      met = std::move(taken);
    else
      met.meet(taken);
  }
  state = std::move(met);
}

void OrderWalk::visitLoop(Node &node, State &state) {
  State start = state, end, exit;
  enter(node.op, start);
  for (bool changed = true; changed;) {
    end = start;
    walk(*node.bodies[0], end);
    if (isLeaving())
      return;
    if (node.kind == NodeKind::While) {
      exit = end;
      walk(*node.bodies[1], end);
      if (isLeaving())
        return;
    }
    back(node.op, end);
    changed = start.meet(end);
  }
  state = node.kind == NodeKind::While ? std::move(exit) : std::move(start);
  leave(node.op, state);
}

//===- Cycles
//---------------------------------------------------------------------------------------------------------===//

void OrderWalk::enter(Operation *loop, State &state) {
  for (unsigned index : facts.at(loop).ranges) {
    const Facts::Range &range = facts.ranges[index];
    if (range.cycle.slots)
      continue;
    state.forEachSet([&](FactView set) {
      if (range.cycle.loop == loop)
        set.set(range.first);
      if (range.cycle.outer == loop)
        set.assign(range.first + 1, set.test(facts.all(range.source)));
    });
  }
}

void OrderWalk::back(Operation *loop, State &state) {
  Facts::Loop &cycles = facts.at(loop);
  for (unsigned index : cycles.ranges)
    if (const Facts::Range &range = facts.ranges[index]; range.cycle.loop == loop && !range.cycle.slots)
      state.forEachSet([&](FactView set) { set.set(range.first); });
  for (Facts::Turn &turn : cycles.turns)
    rotate(loop, turn, state);
}

// After the loop the current slot is unknown: what holds is what holds whichever it is.
void OrderWalk::leave(Operation *loop, State &state) {
  Facts::Loop &cycles = facts.at(loop);
  for (Facts::Turn &turn : cycles.turns) {
    State turned = state;
    for (int64_t i = 1; i < turn.slots; ++i) {
      rotate(loop, turn, turned);
      state.meet(turned);
    }
  }
  for (unsigned index : cycles.ranges) {
    const Facts::Range &range = facts.ranges[index];
    state.forEachSet([&](FactView set) {
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
}

void OrderWalk::rotate(Operation *loop, Facts::Turn &turn, State &state) {
  state.forEachSet([&](FactView set) { set.rotate(turn.first, turn.rest, turn.slots); });
  state.rotateClocks([&](unsigned token) {
    const Cycle &ring = kernel.tokens[token]->ring;
    return ring.loop == loop && ring.slots == turn.slots;
  });
}

} // namespace tilesmith::plan
