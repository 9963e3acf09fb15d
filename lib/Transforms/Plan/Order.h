// What each pipe knows to be complete at each point of a kernel.
//
// A forward analysis over the region tree. For every pipe we keep the set of facts "all instances so far of instruction
// A are complete", and for every flag the facts its last set carried. Sets, waits and barriers add facts; executing an
// instruction spoils its own. Branches meet, loops run to a fixed point, so a fact that survives holds on every path.
//
// Facts are finer where a conflict is finer: for a ring of k slots there is one fact per slot, relative to the slot of
// the current iteration (the back edge rotates them); for addresses that step with a loop, one fact about the current
// iteration and one about earlier executions of the loop. Waits have facts too: a flag may be set again only when its
// last wait is known to be over.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_ORDER_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_ORDER_H

#include "Facts.h"

namespace tilesmith::plan {

// The analysis. Subclasses look at, or add to, the kernel on the way; `stop` ends the walk. `again` ends the visit of a
// branch or loop the walk is in: it begins once more with the state it began with, as `amend` has changed it.
class OrderWalk {
public:
  explicit OrderWalk(Kernel &kernel) : kernel(kernel), facts(kernel), lastRun(kernel.instructions.size()) {}
  virtual ~OrderWalk() = default;

  void run();

protected:
  // The nodes of a body from an index on.
  void walk(Body &body, State &state, size_t from = 0);

  virtual void atInstruction(Node &node, State &state) {}
  virtual void atSet(Node &node, State &state) {}
  virtual void atWait(Node &node, State &state) {}
  virtual void after(Node &node, const State &state) {}
  // `begun`: the clock when the walk came to the node that is visited again.
  virtual void amend(State &state, unsigned begun) {}

  bool knows(State &state, isa::Pipe pipe, const Dependency &dependency) const;
  bool knowsAllFor(Node &instruction, State &state) const {
    return state.known(instruction.pipe).test(facts.needed(instruction));
  }
  bool isPending(const State &state, const Token &token) const;
  void wait(const Token &token, FactView carried, bool all, State &state);

  Kernel &kernel;
  Facts facts;
  bool stop = false;
  Node *again = nullptr;
  unsigned clock = 0;            // counts executions
  std::vector<unsigned> lastRun; // by instruction

private:
  void visit(Node &node, State &state);
  void visitCompound(Node &node, State &state);
  void visitBranch(Node &node, State &state);
  void visitLoop(Node &node, State &state);
  void raise(Node &set, State &state);
  void lower(Node &wait, State &state);
  void spoil(unsigned instruction, isa::Pipe pipe, State &state) const;
  void enter(mlir::Operation *loop, State &state);
  void back(mlir::Operation *loop, State &state);
  void leave(mlir::Operation *loop, State &state);
  void rotate(mlir::Operation *loop, Facts::Turn &turn, State &state);
  FactSet spoiltIn(const Node &compound) const;
  bool isLeaving() const { return stop || again; }

  std::vector<State> parked; // one for each branch and loop the walk is in
};

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_ORDER_H
