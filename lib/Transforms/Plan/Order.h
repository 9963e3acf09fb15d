// What each pipe knows to be complete at each point of a kernel.
//
// A forward analysis over the region tree. For every pipe we keep the set of facts "all instances so far of instruction A
// are complete", and for every flag the facts its last set carried. Sets, waits and barriers add facts; executing an
// instruction spoils its own. Branches meet, loops run to a fixed point, so a fact that survives holds on every path.
//
// Facts are finer where a conflict is finer: for a ring of k slots there is one fact per slot, relative to the slot of the
// current iteration (the back edge rotates them); for addresses that step with a loop, one fact about the current
// iteration and one about earlier executions of the loop. Waits have facts too: a flag may be set again only when its
// last wait is known to be over.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_ORDER_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_ORDER_H

#include "Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

namespace tilesmith::plan {

// Numbers the facts of a kernel. Sources are the instructions, then the waits of the tokens.
class Facts {
public:
  explicit Facts(const Kernel &kernel);

  bool hasRoomFor(const Token &token) const { return next + 1 + token.flags() <= size; }
  void add(const Token &token);

  unsigned sourceOf(const Token &token) const { return numInstructions + token.number; }
  unsigned all(unsigned source) const { return sources[source].all; }
  // Facts that must hold for a dependency to be satisfied.
  llvm::SmallVector<unsigned, 2> needed(const Dependency &dependency) const;
  // The fact that the last wait for the flag about to be set is over; all: for every slot.
  unsigned waited(const Token &token, bool all) const;

  struct Range { // facts of one source and one cycle
    Cycle cycle;
    unsigned source, first, count;
  };
  struct Source {
    unsigned all;
    llvm::SmallVector<unsigned, 2> ranges; // indices
  };

  FactSet full() const { return FactSet(size, true); }

  unsigned size = 0;
  std::vector<Range> ranges;
  std::vector<Source> sources;
  std::array<FactSet, numPipes> ofPipe;
  FactSet inherited; // what a wait on S tells all pipes: everything but the scalar unit's own accesses

private:
  unsigned addSource(isa::Pipe pipe, bool isWait);
  void addRange(unsigned source, isa::Pipe pipe, bool isWait, const Cycle &cycle);
  void own(unsigned fact, isa::Pipe pipe, bool isWait);

  unsigned numInstructions = 0, next = 0;
};

struct FlagState {
  unsigned token = 0;
  llvm::SmallVector<FactSet, 1> clocks; // one per slot; slot s is s iterations behind the current one
  bool pending = false;                 // set and not yet waited for, in program order
};

struct State {
  std::array<FactSet, numPipes> known;
  // By token number. What a flag carried is forgotten with its wait: only few of a long kernel's are here at a time.
  std::vector<FlagState> flags;

  bool meet(const State &other); // whether anything changed
  bool isPending(const Token &token) const;
};

// The analysis. Subclasses look at, or add to, the kernel on the way; `stop` ends the walk.
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
  virtual void after(Node &node, const State &state) {}

  bool knows(const State &state, isa::Pipe pipe, const Dependency &dependency) const;
  FlagState &flag(State &state, const Token &token) const;
  void forget(State &state, const Token &token) const;
  void wait(const Token &token, const FactSet &clock, bool all, State &state) const;

  Kernel &kernel;
  Facts facts;
  bool stop = false;
  unsigned clock = 0;            // counts executions
  std::vector<unsigned> lastRun; // by instruction

private:
  void visit(Node &node, State &state);
  void visitBranch(Node &node, State &state);
  void visitLoop(Node &node, State &state);
  void spoil(unsigned source, isa::Pipe pipe, bool everySlot, State &state) const;
  void enter(mlir::Operation *loop, State &state) const;
  void back(mlir::Operation *loop, State &state) const;
  void leave(mlir::Operation *loop, State &state) const;
  void rotate(mlir::Operation *loop, int64_t slots, State &state) const;
};

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_ORDER_H
