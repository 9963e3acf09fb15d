// Walks the kernel with the order analysis and repairs each dependency the analysis cannot prove.
//
// Both ends of a token sit in one body, the lowest that holds both instructions: the set after the node that holds the
// producer, the wait before the node that holds the consumer. If the consumer's node comes first, the dependency is
// carried by a loop, and the token is primed before the outermost loop around the body and drained after it.
#include "Order.h"
#include "Tokens.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {
namespace {

// Where a dependency can be ordered: after `from` and before `to`, both in one body.
struct Gap {
  Node *from = nullptr, *to = nullptr;
  bool carried = false;
  bool split = false; // producer and consumer are in different bodies of one node: no token can order them
};

Node *ancestorIn(const Body *body, Node *node) {
  while (node && node->parent != body)
    node = node->parent->owner;
  return node;
}

Node *outermostLoop(const Body *body) {
  Node *loop = nullptr;
  for (Node *owner = body->owner; owner; owner = owner->parent->owner)
    if (owner->isLoop())
      loop = owner;
  return loop;
}

Gap gapBetween(Node *producer, Node *consumer) {
  Body *body = consumer->parent;
  while (!ancestorIn(body, producer))
    body = body->owner->parent;
  Gap gap{ancestorIn(body, producer), ancestorIn(body, consumer)};
  size_t from = body->find(gap.from), to = body->find(gap.to);
  gap.carried = from >= to;
  gap.split = from == to && producer != consumer;
  if (gap.split) { // inside the branch, before what holds the consumer
    Node *inner = consumer;
    while (inner->parent->owner != gap.to)
      inner = inner->parent->owner;
    gap.to = inner;
  }
  return gap;
}

class Orderer : public OrderWalk {
public:
  Orderer(Kernel &kernel, bool edit) : OrderWalk(kernel), edit(edit) {}

  bool dirty = false; // something was missing

private:
  struct Snapshot {
    std::array<FactSet, numPipes> known;
    unsigned clock;
  };
  struct Repair {
    const Dependency *dependency = nullptr;
    Gap gap;
    bool isBarrier = false;

    // Latest producer first: it has often waited for the others itself. What is ordered within an iteration also orders
    // the iterations before.
    auto rank() const { return std::tuple(!isBarrier, !gap.carried, dependency->on); }
  };

  void atInstruction(Node &node, State &state) override {
    while (!stop) {
      std::optional<Repair> best;
      for (const Dependency &dependency : kernel.dependencies[node.number]) {
        if (knows(state, node.pipe, dependency))
          continue;
        Repair repair{&dependency, gapFor(dependency, node, state), kernel.instructions[dependency.on]->pipe == node.pipe};
        if (!best || best->rank() < repair.rank())
          best = repair;
      }
      if (!best)
        return;
      dirty = true;
      if (!edit) {
        stop = true;
        return;
      }
      repair(*best, node, state);
    }
  }

  void atSet(Node &node, State &state) override {
    Token &token = *node.token;
    if (state.known[unsigned(token.from)].test(facts.waited(token, node.allSlots)))
      return;
    dirty = stop = true;
    if (edit)
      addReturn(token, node);
  }

  void after(Node &node, const State &state) override { snapshots[&node] = {state.known, clock}; }

  Gap gapFor(const Dependency &dependency, Node &node, const State &state) const {
    Node *producer = kernel.instructions[dependency.on];
    if (dependency.kind == Meeting::InIteration) {
      SmallVector<unsigned, 2> needed = facts.needed(dependency);
      bool inIteration = state.known[unsigned(node.pipe)].test(needed[0]);
      if (inIteration) { // only earlier executions of the whole loop meet this one
        Node *loop = &node;
        while (loop->op != dependency.cycle.outer)
          loop = loop->parent->owner;
        return {loop, loop, true, false};
      }
    }
    return gapBetween(producer, &node);
  }

  void repair(const Repair &repair, Node &node, State &state) {
    const Gap &gap = repair.gap;
    Pipe from = kernel.instructions[repair.dependency->on]->pipe, to = node.pipe;
    if (repair.isBarrier)
      return barrier(from, *gap.to, node, state);
    if (!hasEvent(from, to) && hasEvent(from, Pipe::S))
      to = Pipe::S; // the scalar unit issues for all pipes, so what it has waited for is over for them too
    if (gap.split || !hasEvent(from, to))
      return barrier(Pipe::ALL, *gap.to, node, state);
    Token &token = *kernel.makeToken(from, to);
    if (repair.dependency->kind == Meeting::InSlot) {
      token.ring = repair.dependency->cycle;
      token.buffer = repair.dependency->ring;
      token.slotIndex = repair.dependency->slotIndex;
    }
    token.wait = kernel.insertBefore(gap.to, NodeKind::Wait, &token);
    token.set = kernel.insertAfter(gap.from, NodeKind::Set, &token);
    if (gap.carried) {
      kernel.prime(token, outermostLoop(gap.to->parent));
      stop = true;
    } else if (gap.to != &node || !facts.hasRoomFor(token)) {
      stop = true;
    } else {
      takeNow(token, *gap.from, state);
    }
  }

  // A barrier right before the instruction takes effect now; elsewhere the walk must start again.
  void barrier(Pipe pipe, Node &before, Node &node, State &state) {
    kernel.insertBefore(&before, NodeKind::Barrier)->pipe = pipe;
    if (&before != &node) {
      stop = true;
      return;
    }
    for (unsigned p = 0; p < numPipes; ++p)
      if (pipe == Pipe::ALL)
        state.known[p] = facts.full();
      else if (p == unsigned(pipe))
        state.known[p].join(facts.ofPipe[p]);
  }

  // The effect of a new token whose set lies behind us in the same body and whose wait is here.
  void takeNow(Token &token, Node &producer, State &state) {
    facts.add(token);
    const Snapshot &then = snapshots[&producer];
    FactSet carried = then.known[unsigned(token.from)];
    carried.join(facts.ofPipe[unsigned(token.from)]);
    for (auto [instruction, run] : lastRun)
      if (run > then.clock) {
        carried.reset(facts.all(instruction));
        for (unsigned index : facts.sources[instruction].ranges)
          for (unsigned i = 0; i < facts.ranges[index].count; ++i)
            carried.reset(facts.ranges[index].first + i);
      }
    for (FactSet &clock : flag(state, token).clocks)
      clock = carried;
    wait(token, carried, false, state);
  }

  // Orders the wait of a token before its next set, by a token the other way round. A token primed inside an outer loop
  // is drained before it is primed again.
  void addReturn(Token &token, Node &set) {
    if (!hasEvent(token.to, token.from)) {
      kernel.insertBefore(token.wait, NodeKind::Barrier);
      kernel.drop(token);
      return;
    }
    Token &back = *kernel.makeToken(token.to, token.from);
    if (!set.allSlots) {
      back.ring = token.ring;
      back.buffer = token.buffer;
      back.slotIndex = token.slotIndex;
    }
    back.set = kernel.insertAfter(set.allSlots ? token.drain : token.wait, NodeKind::Set, &back);
    back.wait = kernel.insertBefore(&set, NodeKind::Wait, &back);
    if (set.allSlots || !token.isCarried())
      kernel.prime(back, outermostLoop(set.parent));
  }

  bool edit;
  llvm::DenseMap<Node *, Snapshot> snapshots;
};

} // namespace

LogicalResult orderDependencies(Kernel &kernel) {
  // Each walk adds at least one of the finitely many nodes a kernel can need; the bound only guards against our own bugs.
  for (size_t walks = 0; walks < 100 + 20 * kernel.instructions.size(); ++walks) {
    Orderer orderer(kernel, /*edit=*/true);
    orderer.run();
    if (!orderer.dirty)
      return success();
  }
  return failure();
}

bool isOrdered(Kernel &kernel) {
  Orderer orderer(kernel, /*edit=*/false);
  orderer.run();
  return !orderer.dirty;
}

} // namespace tilesmith::plan
