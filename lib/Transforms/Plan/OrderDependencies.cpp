// Walks the kernel with the order analysis and repairs each dependency the analysis cannot prove.
//
// Both ends of a token sit in one body, the lowest that holds both instructions: the set after the node that holds the
// producer, the wait before the node that holds the consumer. If the consumer's node comes first, the dependency is
// carried by a loop, and the token is primed before the outermost loop around the body and drained after it.
#include "Order.h"
#include "Tokens.h"
#include "llvm/ADT/SetVector.h"

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

// Whether every dependency is satisfied and every set safe, while tokens are taken away one by one.
//
// What comes before a token in the kernel's own body does not change with it. States are kept along the way, and a
// check starts from the last one before the token. Most tokens do not get that far: without its wait, a token that is
// needed leaves something open soon after, even if all that came before it was still as it is with the token.
class Checker : public OrderWalk {
public:
  explicit Checker(Kernel &kernel)
      : OrderWalk(kernel), beforeWait(kernel.tokens.size()), freshBeforeWait(kernel.tokens.size()) {
    kept.push_back({nullptr, State(facts)});
    check(0);
  }

  bool holdsWithout(Token &token) {
    token.disabled = true;
    bool holds = !isMissedAfterWait(token) && check(lastKeptBefore(token));
    token.disabled = false;
    return holds;
  }

private:
  struct Kept {
    Node *node;  // an instruction, branch or loop of the kernel's own body; null: its start
    State state; // after it
  };
  static constexpr unsigned distance = 8; // in nodes

  size_t indexAfter(const Kept &place) const { return place.node ? kernel.body.find(place.node) + 1 : 0; }

  size_t lastKeptBefore(const Token &token) const {
    size_t first = kernel.body.find(ancestorIn(&kernel.body, token.isCarried() ? token.prime : token.set));
    return llvm::partition_point(kept, [&](const Kept &k) { return indexAfter(k) <= first; }) - kept.begin() - 1;
  }

  bool check(size_t place) {
    stop = false;
    passed = 0;
    fresh.clear();
    waits.clear();
    isKeeping = true;
    State state = kept[place].state;
    walk(kernel.body, state, indexAfter(kept[place]));
    isKeeping = false;
    if (stop)
      return false;
    kept.resize(place + 1);
    std::move(fresh.begin(), fresh.end(), std::back_inserter(kept));
    for (unsigned token : waits)
      std::swap(beforeWait[token], freshBeforeWait[token]);
    return true;
  }

  bool isMissedAfterWait(const Token &token) {
    stop = false;
    State state = beforeWait[token.number];
    Body &body = *token.wait->parent;
    walk(body, state, body.find(token.wait) + 1);
    return stop;
  }

  void after(Node &node, const State &state) override {
    if (isKeeping && node.parent == &kernel.body && node.kind <= NodeKind::While && ++passed % distance == 0)
      fresh.push_back({&node, state});
  }
  void atInstruction(Node &node, State &state) override { stop |= !knowsAllFor(node, state); }
  void atSet(Node &node, State &state) override {
    stop |= !state.known(node.token->from).test(facts.waited(*node.token, node.allSlots));
  }
  void atWait(Node &node, State &state) override {
    if (!isKeeping || node.allSlots)
      return;
    waits.insert(node.token->number);
    freshBeforeWait[node.token->number] = state;
  }

  std::vector<Kept> kept, fresh;                  // kept: in program order
  std::vector<State> beforeWait, freshBeforeWait; // by token, of the last visit of its wait
  llvm::SmallSetVector<unsigned, 32> waits;       // that are fresh
  unsigned passed = 0;
  bool isKeeping = false;
};

class Orderer : public OrderWalk {
public:
  using OrderWalk::OrderWalk;

  // Tokens for which one flag did not do have one per slot from now on.
  void makeRings() {
    for (Token *token : rings)
      token->ring = std::exchange(token->mayRing, Cycle());
  }

  bool changed = false;

private:
  struct Repair {
    const Dependency *dependency = nullptr;
    Gap gap;
    bool isBarrier = false;

    // Latest producer first: it has often waited for the others itself. What is ordered within an iteration also orders
    // the iterations before.
    auto rank() const { return std::tuple(!isBarrier, !gap.carried, dependency->on); }
  };

  void atInstruction(Node &node, State &state) override {
    while (!stop && !again && !knowsAllFor(node, state)) {
      std::optional<Repair> best;
      for (const Dependency &dependency : kernel.dependencies[node.number]) {
        if (knows(state, node.pipe, dependency))
          continue;
        Repair repair{&dependency, gapFor(dependency, node, state),
                      kernel.instructions[dependency.on]->pipe == node.pipe};
        if (!best || best->rank() < repair.rank())
          best = repair;
      }
      changed = true;
      repair(*best, node, state);
    }
  }

  void atSet(Node &node, State &state) override {
    Token &token = *node.token;
    FactView known = state.known(token.from);
    unsigned waited = facts.waited(token, node.allSlots);
    if (known.test(waited))
      return;
    changed = true;
    if (token.mayRing)
      rings.insert(&token);
    else
      addReturn(token, node);
    known.set(waited);
  }

  void after(Node &node, const State &) override { passed[&node] = clock; }

  Gap gapFor(const Dependency &dependency, Node &node, State &state) const {
    if (dependency.kind == Meeting::InIteration && state.known(node.pipe).test(facts.needed(dependency)[0])) {
      Node *loop = &node; // only earlier executions of the whole loop meet this one
      while (loop->op != dependency.cycle.outer)
        loop = loop->parent->owner;
      return {loop, loop, true, false};
    }
    return gapBetween(kernel.instructions[dependency.on], &node);
  }

  // Adds what orders the dependency, and goes on as if it had been there: the state may now claim too much, never too
  // little. The walk after this one sees things as they are. If the addition stands before a branch or loop the walk is
  // in, that is visited again: other ways through it must see the addition, too.
  void repair(const Repair &repair, Node &node, State &state) {
    addition = add(repair, node);
    if (stop)
      return;
    if (repair.gap.to == &node)
      return amend(state, clock);
    again = repair.gap.to;
    stop |= ++repeats > 100 + 20 * kernel.instructions.size(); // guards against our own bugs
  }

  // A barrier (no token), or a token whose set the walk passed at a time of the clock.
  struct Addition {
    Pipe barrier = Pipe::ALL;
    Token *token = nullptr;
    unsigned set = 0;
  };

  Addition add(const Repair &repair, Node &node) {
    const Gap &gap = repair.gap;
    Pipe from = kernel.instructions[repair.dependency->on]->pipe, to = node.pipe;
    if (repair.isBarrier)
      return barrier(from, *gap.to, "the pipe does not keep its own order");
    if (!hasEvent(kernel.arch, from, to) && hasEvent(kernel.arch, from, Pipe::S))
      to = Pipe::S; // the scalar unit issues for all pipes, so what it has waited for is over for them too
    if (gap.split)
      return barrier(Pipe::ALL, *gap.to, "producer and consumer are in different branches");
    if (!hasEvent(kernel.arch, from, to))
      return barrier(Pipe::ALL, *gap.to, "the chip has no event between the pipes");
    Token &token = *kernel.makeToken(from, to);
    if (repair.dependency->kind == Meeting::InSlot) {
      // Within an iteration one flag may do; if not, atSet asks for one per slot.
      (gap.carried ? token.ring : token.mayRing) = repair.dependency->cycle;
      token.buffer = repair.dependency->ring;
      token.slotIndex = repair.dependency->slotIndex;
    }
    token.wait = kernel.insertBefore(gap.to, NodeKind::Wait, &token);
    token.set = kernel.insertAfter(gap.from, NodeKind::Set, &token);
    if (gap.carried)
      kernel.prime(token, outermostLoop(gap.to->parent));
    number(token);
    return {Pipe::ALL, &token, gap.carried ? clock : passed[gap.from]};
  }

  Addition barrier(Pipe pipe, Node &before, StringRef reason) {
    kernel.insertBarrier(&before, pipe, reason);
    return {pipe, nullptr, 0};
  }

  void amend(State &state, unsigned begun) override {
    if (addition.token)
      return wait(*addition.token, carriedBy(*addition.token, addition.set, begun, state), false, state);
    if (addition.barrier == Pipe::ALL)
      return state.knowAll();
    state.known(addition.barrier).join(facts.ofPipe[unsigned(addition.barrier)]);
  }

  // What a token brings whose set happened at a time of the clock, when the walk has come to another.
  FactSet carriedBy(const Token &token, unsigned set, unsigned now, State &state) {
    FactSet carried = facts.ofPipe[unsigned(token.from)];
    for (unsigned instruction = 0; instruction < kernel.instructions.size(); ++instruction)
      if (lastRun[instruction] > set && lastRun[instruction] <= now)
        carried.view().spoil(facts.sources[instruction].every);
    carried.view().join(state.known(token.from));
    return carried;
  }

  // Orders the wait of a token before its next set, by a token the other way round. A token primed inside an outer loop
  // is drained before it is primed again.
  void addReturn(Token &token, Node &set) {
    if (!hasEvent(kernel.arch, token.to, token.from)) {
      kernel.insertBarrier(token.wait, Pipe::ALL, "the flag would be set again before it is waited for");
      kernel.drop(token);
      stop = true;
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
    number(back);
  }

  // Gives the wait of a new token its facts. Without room for them the walk must start again.
  void number(const Token &token) {
    if (facts.hasRoomFor(token))
      facts.add(token);
    else
      stop = true;
  }

  llvm::DenseMap<Node *, unsigned> passed; // value of the clock when the walk had passed a node
  Addition addition;                       // the last one
  llvm::SmallSetVector<Token *, 8> rings;  // to be made after the walk, which counts on the flags there were
  size_t repeats = 0;
};

// Tokens that later ones have made superfluous, newest first.
void dropImplied(Kernel &kernel) {
  Checker checker(kernel);
  for (auto &token : llvm::reverse(kernel.tokens))
    if (!token->dropped && checker.holdsWithout(*token))
      kernel.drop(*token);
}

} // namespace

LogicalResult orderDependencies(Kernel &kernel, bool thorough) {
  // Each walk adds at least one of the finitely many nodes a kernel can need; the bound only guards against our own
  // bugs.
  for (size_t walks = 0; walks < 100 + 20 * kernel.instructions.size(); ++walks) {
    Orderer orderer(kernel);
    orderer.run();
    orderer.makeRings();
    if (!orderer.changed) {
      if (thorough)
        dropImplied(kernel);
      return success();
    }
  }
  return failure();
}

} // namespace tilesmith::plan
