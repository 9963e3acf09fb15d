// Whole tiles pass through the host's caches once, although a core has them in UB.
//
// A load moves nothing yet: a part of UB stands for the bytes of global memory (a view). Element-wise instructions by
// count wait. A store runs what waits strip by strip, from where the bytes are to where they go, and what it stored is
// a view again. So most bytes never reach UB, which is overwritten by the next tile.
//
// A kernel cannot tell: results are those of every instruction executed in its turn. Whatever else is executed settles
// first, which puts into UB all that it should hold; a view ends before the bytes it stands for are written. That needs
// a core whose UB and global memory change by its own instructions only, so the core decides when it may be used.
#ifndef TILESMITH_LIB_MACHINE_EXEC_DEFERRED_H
#define TILESMITH_LIB_MACHINE_EXEC_DEFERRED_H

#include "RowCall.h"
#include "tilesmith/Machine/Core.h"
#include <span>
#include <utility>

namespace tilesmith::machine::exec {

class Deferred {
public:
  // A block begins: nothing waits, and UB holds anything.
  void begin() { numViews = numSteps = 0; }
  // Whether the instruction has been executed as far as anybody can see. If not, it is executed after settling.
  bool take(const Instr &instr, const MemoryView &memory);
  void settle(const MemoryView &memory) {
    if (numViews || numSteps)
      settleAll(memory);
  }
  // How far into UB it has written since somebody asked.
  int64_t takeWritten() { return std::exchange(written, 0); }

private:
  // Bytes of UB.
  struct Range {
    int64_t begin, end;

    bool overlaps(const Range &other) const { return begin < other.end && other.begin < end; }
    bool covers(const Range &other) const { return begin <= other.begin && other.end <= end; }
    bool operator==(const Range &) const = default;
  };
  struct View {
    Range ub;
    const uint8_t *host = nullptr;
    const uint8_t *ahead = nullptr; // what the next load from this place will probably want; null: unknown

    bool standsFor(const uint8_t *from, int64_t bytes) const {
      return host < from + bytes && from < host + (ub.end - ub.begin);
    }
  };
  // Of an instruction that waits: `count` elements, each touched for the same element of the others.
  struct Operand {
    Range ub;
    int64_t size;        // bytes of an element
    const uint8_t *host; // where a view has the bytes; null: in UB
    const uint8_t *ahead;
    bool reads, writes;
    uint8_t arg; // of a vector function: which argument it is
  };
  // All that wait have the same count. Operands of rows are the destination and the sources.
  struct Step {
    RowsFn kernel = nullptr;
    TsVfPartFn part = nullptr; // instead of `kernel`
    static constexpr unsigned maxOperands = 8;
    Operand operands[maxOperands];
    unsigned num = 0;
    int64_t scalar = 0, mode = 0;
    const int64_t *args = nullptr; // of the vector function: where its scalars are

    std::span<Operand> all() { return {operands, num}; }
    std::span<const Operand> all() const { return {operands, num}; }
    void add(Address address, int64_t size, int64_t count, bool reads, bool writes, unsigned arg = 0);
    // All it has, and nothing of operands it has not.
    void operator=(const Step &other);
  };
  class StripRun;
  // Where the instruction at a place of the source loaded from last.
  struct Habit {
    uint32_t loc = 0;
    const uint8_t *last = nullptr;
  };

  bool load(const Instr &instr, const MemoryView &memory);
  bool rows(const Instr &instr, const MemoryView &memory);
  bool vectorFunction(const Instr &instr, const MemoryView &memory);
  bool wait(Step &step, int64_t elements, const MemoryView &memory);
  bool store(const Instr &instr, const MemoryView &memory);

  const uint8_t *foresee(uint32_t loc, const uint8_t *from, int64_t bytes, const MemoryView &memory);
  bool fits(const Step &step, int64_t count) const;
  bool touchesUb(const Range &range) const;
  bool writesUb(const Range &range) const;
  bool needs(const uint8_t *host, int64_t bytes) const;
  bool isOnlyResult(const Range &range, int64_t size) const;
  const View *viewOf(const Range &range) const;
  void addView(const View &view, const MemoryView &memory);
  void removeView(unsigned i);
  static void copyView(const View &view, const Range &range, uint8_t *to, bool streamed);
  void materialise(unsigned i, const MemoryView &memory);
  void makeRoom(const Range &range, bool isOverwritten, const MemoryView &memory);
  void runSteps(const MemoryView &memory, const Range *stored = nullptr, uint8_t *dst = nullptr);
  void settleAll(const MemoryView &memory);

  static constexpr unsigned maxViews = 8, maxSteps = 24, numHabits = 8;
  View views[maxViews];
  Step steps[maxSteps];
  Habit habits[numHabits];
  int64_t vfArgs[maxSteps][TS_VF_MAX_ARGS];
  unsigned numViews = 0, numSteps = 0;
  int64_t count = 0; // elements of each step
  int64_t written = 0;
};

} // namespace tilesmith::machine::exec

#endif // TILESMITH_LIB_MACHINE_EXEC_DEFERRED_H
