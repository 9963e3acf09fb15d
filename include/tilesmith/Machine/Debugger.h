// Who follows a launch step by step: a debugger, asked before and after every call and at every statement.
//
// With one, blocks run one after another, so what it sees is one core at a time; memories start from NaN bytes, so that
// what nobody wrote shows. A launch without one pays a test for it per call. Statements are told by kernels that were
// compiled with debug information; of others only the calls and their places are known.
#ifndef TILESMITH_MACHINE_DEBUGGER_H
#define TILESMITH_MACHINE_DEBUGGER_H

#include "tilesmith/Machine/Core.h"
#include <map>
#include <optional>
#include <span>
#include <string>

namespace tilesmith::machine {

// The core that runs, as long as the debugger is asked.
struct DebuggedCore {
  int64_t block = 0, blocks = 1;
  size_t index = 0; // among the cores of the launch
  std::string name; // "block 3", "AIV 1 of block 3"
  const MemoryView &memory;
  const Platform &platform;
};

enum class StatementKind : uint8_t { Statement, Breakpoint, End };

// A statement that is about to run. `site` says what `values` are, -1: nothing is known of them.
struct Statement {
  uint32_t loc = 0;
  int64_t site = -1, depth = 1; // functions around it
  StatementKind kind = StatementKind::Statement;
  std::span<const int64_t> values;
};

class Debugger {
public:
  virtual ~Debugger() = default;

  // Each returns false to end the launch.
  virtual bool begin(const DebuggedCore &core) = 0;
  virtual bool statement(const DebuggedCore &core, const Statement &statement) = 0;
  virtual bool before(const DebuggedCore &core, const Instr &call) = 0;
  // `found`: what is wrong with the call, or null. It was skipped then.
  virtual bool after(const DebuggedCore &core, const Instr &call, const Finding *found) = 0;
};

// A call in words: "add.f32 dst=UB 0, src0=UB 256, src1=UB 512, count=64".
std::string describeCall(const Instr &call, Arch arch);

// What the pipes of a core may still be doing. The Machine itself is through with every call when it returns; on the
// chip a call is known to be complete only when something has waited for it.
class InFlight {
public:
  struct Call {
    Instr instr;
    int64_t number = 0; // among those of its pipe, from 1
  };
  struct Flag {
    Pipe from = Pipe::S, to = Pipe::S;
    int64_t id = 0, sets = 0;
    uint32_t loc = 0; // of the last set
  };

  void clear();
  void note(const Instr &call);
  // Those nothing has waited for, oldest first; at most `most`, the latest. `count` receives how many there are.
  std::vector<Call> of(Pipe pipe, size_t most, int64_t &count) const;
  // Raised and not lowered.
  std::vector<Flag> flags() const;

private:
  struct Queue {
    std::vector<Call> calls; // the latest
    int64_t issued = 0, complete = 0;
  };
  struct Raised {
    int64_t sets = 0, position = 0; // of the last set in its pipe
    uint32_t loc = 0;
  };
  Queue queues[isa::numPipe];
  std::map<std::tuple<Pipe, Pipe, int64_t>, Raised> raised;
};

// Who last wrote the bytes of a core's memories: tells which of several buffers at an address, or slots of a ring,
// holds the latest value.
class LastWrites {
public:
  struct Write {
    int64_t number = 0; // among all calls of the block, from 1
    uint32_t loc = 0;
  };

  void clear();
  void note(const Instr &call, Arch arch);
  // The latest write to any of the bytes.
  std::optional<Write> of(Address begin, int64_t bytes) const;

private:
  struct Run {
    int64_t end;
    Write by;
  };
  std::map<int64_t, Run> runs; // by address, disjoint
  int64_t calls = 0;
};

// Stops a launch where it was told to: at lines, at the next statement or call, when bytes change, when something is
// wrong with a call.
class Stepper : public Debugger {
public:
  // Same: as if there had been no stop.
  enum class Resume : uint8_t { Continue, Step, Next, Finish, Call, Block, Quit, Same };
  enum class Reason : uint8_t { Block, Breakpoint, Step, Call, Watch, Finding, Interrupt };

  // Bytes somebody wants to see change.
  struct Watch {
    int64_t id = 0;
    std::vector<std::span<const uint8_t>> runs;
    std::vector<uint8_t> old;
  };
  struct Stop {
    Reason reason = Reason::Step;
    const DebuggedCore &core;
    const Statement &statement;
    const Instr *call = nullptr;  // the next one, or the one that was just made
    bool done = false;            // it was made
    const Watch *watch = nullptr; // `old` is what was there before
    const Finding *finding = nullptr;
  };

  // What to do after a stop.
  virtual Resume stopped(const Stop &stop) = 0;
  virtual bool isBreakpoint(uint32_t loc) = 0;
  // Asked now and then: the user wants it to stop.
  virtual bool isInterrupted() { return false; }
  // Whether two places are one line.
  virtual bool isSameLine(uint32_t a, uint32_t b) { return a == b; }

  void watch(int64_t id, std::vector<std::span<const uint8_t>> runs);
  bool unwatch(int64_t id);
  const InFlight &inFlight() const { return flight; }
  const LastWrites &lastWrites() const { return writes; } // of kernels without debug information

  int64_t onlyBlock = -1;   // -1: all
  bool atStart = true;      // the first statement of the launch is a stop
  bool hasDebugInfo = true; // the kernel tells its statements; otherwise one begins where the line of a call is another

  bool begin(const DebuggedCore &core) override;
  bool statement(const DebuggedCore &core, const Statement &statement) override;
  bool before(const DebuggedCore &core, const Instr &call) override;
  bool after(const DebuggedCore &core, const Instr &call, const Finding *found) override;

private:
  // Whether the launch goes on. `passed` receives whether it goes on as if there had been no stop.
  bool stop(const Stop &stop, bool *passed = nullptr);
  bool changed(const DebuggedCore &core, const Instr &call);
  bool askInterrupt();

  Resume resume = Resume::Block;
  int64_t fromDepth = 1;      // where the last stop was
  bool blockBegins = true;    // no statement of the core has run
  bool stoppedBefore = false; // at the statement before this one
  size_t ofCore = 0;          // whose statement `current` is
  Statement current;
  std::vector<int64_t> values; // of `current`
  std::vector<Watch> watches;
  InFlight flight;
  LastWrites writes;
  uint32_t events = 0;
};

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_DEBUGGER_H
