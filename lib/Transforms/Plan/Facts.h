// The facts of a kernel, numbered, and states: what each pipe knows, and what each raised flag carries.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_FACTS_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_FACTS_H

#include "FactSet.h"
#include "Kernel.h"
#include "llvm/ADT/DenseMap.h"

namespace tilesmith::plan {

// Numbers the facts of a kernel. Sources are the instructions, then the waits of the tokens.
class Facts {
public:
  explicit Facts(const Kernel &kernel);

  bool hasRoomFor(const Token &token) const { return next + 1 + token.flags() <= size; }
  void add(const Token &token);

  unsigned sourceOf(const Token &token) const { return numInstructions + token.number; }
  unsigned all(unsigned source) const { return sources[source].all; }
  // Facts that must hold for a dependency to be satisfied; for all of an instruction's.
  llvm::SmallVector<unsigned, 2> needed(const Dependency &dependency) const;
  llvm::ArrayRef<FactWord> needed(const Node &instruction) const { return neededBy[instruction.number]; }
  // The fact that the last wait for the flag about to be set is over; all: for every slot.
  unsigned waited(const Token &token, bool all) const;

  struct Range { // facts of one source and one cycle
    Cycle cycle;
    unsigned source, first, count;
  };
  struct Source {
    unsigned all;
    llvm::SmallVector<unsigned, 2> ranges;  // indices
    llvm::SmallVector<FactWord, 2> current; // what an execution spoils: `all`, and the current one of each range
    llvm::SmallVector<FactWord, 2> every;   // `all`, and every one of each range
  };
  struct Turn { // all ranges of a loop with so many slots
    int64_t slots;
    FactSet first, rest; // of each range
  };
  struct Loop {
    llvm::SmallVector<unsigned, 8> ranges; // whose loop or outer loop it is, indices
    llvm::SmallVector<Turn, 1> turns;
  };
  Loop &at(mlir::Operation *loop) { return loops[loop]; }

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
  llvm::DenseMap<mlir::Operation *, Loop> loops;
  std::vector<llvm::SmallVector<FactWord, 4>> neededBy; // by instruction
};

// What is known at one point of a kernel.
//
// States are copied at every branch, so all their sets are one piece of memory: what each pipe knows, then what the
// flags carried that are set and not waited for. What a flag carried is forgotten with its wait, and flags that play no
// part in a branch or loop are parked meanwhile: only few of a long kernel's are here at a time.
class State {
public:
  State() = default;
  explicit State(const Facts &facts); // everything is known

  FactView known(isa::Pipe pipe) { return set(unsigned(pipe)); }
  FactView known(unsigned pipe) { return set(pipe); }
  void knowAll();

  bool meet(const State &other); // whether anything changed
  void spoil(llvm::ArrayRef<FactWord> facts);
  void forEachSet(llvm::function_ref<void(FactView)> change);

  // The flag of a token as `clocks` sets, one per slot; slot s is s iterations behind the current one.
  struct Flag {
    unsigned token, clocks;
    bool pending; // set and not yet waited for, in program order
  };
  size_t raise(const Token &token); // a flag that was not here carried everything
  Flag &flag(size_t place) { return flags[place]; }
  FactView clock(size_t place, unsigned slot) { return set(firstClock(place) + slot); }
  void forget(const Token &token);
  bool isPending(const Token &token) const;

  // Takes out the flags of tokens that do not stay, and puts them back, less what was spoilt in between.
  State park(llvm::function_ref<bool(unsigned token)> stays);
  void unpark(State parked, FactView spoilt);
  bool isEmpty() const { return words.empty(); }
  void rotateClocks(llvm::function_ref<bool(unsigned token)> ofRing);

private:
  FactView set(size_t i) { return {words.data() + i * width, width}; }
  void insert(size_t place, const Flag &flag, const uint64_t *clocks);
  size_t find(unsigned token) const; // where the flag of a token is, or would be
  bool isAt(size_t place, unsigned token) const { return place < flags.size() && flags[place].token == token; }
  size_t firstClock(size_t place) const;

  llvm::SmallVector<uint64_t, 0> words; // of the pipes (parked: of none), then of the flags
  llvm::SmallVector<Flag, 0> flags;     // by token number
  unsigned width = 0;                   // words of a set
  unsigned pipes = 0;
};

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_FACTS_H
