// Replays one path of a synchronised kernel with clock vectors.
//
// Independent of the analysis that placed the flags: it sees concrete addresses and flag ids in program order. Each
// pipe has a clock: how many calls of every pipe it knows to be complete. A set carries the clock of its pipe, with all
// its own calls complete; a wait joins it; what S knows, everything issued later knows, except the scalar unit's own
// accesses.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_REPLAY_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_REPLAY_H

#include "Accesses.h"
#include "tilesmith/Isa/Chip.h"
#include <array>
#include <string>
#include <vector>

namespace tilesmith::plan {

// Bytes one call touches. Two accesses of one exempt group on one pipe need no order (atomics, long multiplications).
struct Touch {
  isa::Memory memory;
  int64_t begin, end;
  bool write;
  int64_t task = -1; // iterations of a parallel loop: accesses of different tasks are independent
  int exempt = 0;
  std::optional<Repeats> repeats = {};

  bool meets(const Touch &other) const {
    return memory == other.memory && begin < other.end && other.begin < end &&
           !(repeats && other.repeats && repeats->misses(*other.repeats, other.begin - begin));
  }
};

class Replay {
public:
  explicit Replay(isa::Arch arch) : arch(arch) {}

  void call(mlir::Operation *op, isa::Pipe pipe, llvm::ArrayRef<Touch> touches);
  void set(mlir::Operation *op, isa::Pipe from, isa::Pipe to, int64_t id);
  void wait(mlir::Operation *op, isa::Pipe from, isa::Pipe to, int64_t id);
  void barrier(isa::Pipe pipe);
  void end(mlir::Operation *op);

  // The first thing that went wrong.
  struct Fault {
    mlir::Operation *op = nullptr, *other = nullptr;
    std::string text;
  } fault;
  bool ok() const { return !fault.op; }

private:
  static constexpr unsigned numPipes = unsigned(isa::Pipe::ALL);
  using Clock = std::array<int64_t, numPipes>;
  struct Flag {
    bool raised = false;
    Clock clock = {};
    int64_t lastWait = 0;
    mlir::Operation *op = nullptr;
  };
  struct Past {
    Touch touch;
    unsigned pipe;
    int64_t index;
    mlir::Operation *op;
  };

  void issue(unsigned pipe); // joins what S knows
  Flag &flag(isa::Pipe from, isa::Pipe to, int64_t id) { return flags[unsigned(from)][unsigned(to)][id]; }

  isa::Arch arch;
  std::array<Clock, numPipes> known = {};
  Clock index = {};
  std::array<std::array<std::array<Flag, isa::flagIds>, numPipes>, numPipes> flags = {};
  std::vector<Past> past;
};

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_REPLAY_H
