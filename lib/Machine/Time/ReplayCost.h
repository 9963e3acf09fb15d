// What an instruction costs by itself: the part of replay that knows instructions.
//
// Ticks are hundredths of a cycle, so that rates per cycle stay integers. Work is what an instruction does inside its
// core; a GlobalMove is one that needs L2 and perhaps HBM, whose duration only the whole launch knows.
#ifndef TILESMITH_LIB_MACHINE_TIME_REPLAYCOST_H
#define TILESMITH_LIB_MACHINE_TIME_REPLAYCOST_H

#include "tilesmith/Machine/Instr.h"
#include "tilesmith/Machine/Platform.h"
#include "tilesmith/Machine/Timing.h"
#include <algorithm>
#include <array>

namespace tilesmith::machine {

// An instruction occupies its pipe, and its result is there `tail` later. The next one may start in between.
struct Work {
  Ticks occupied = 0, tail = 0;
  int64_t amount = 0;  // bytes moved, or operations
  Ticks conflicts = 0; // the part of occupied that other bank groups would save
  Ticks following = 0; // more of occupied, if it begins as soon as the one before it is complete
};

// How replay treats a call.
enum class CallKind : uint8_t { Scalar, ScalarAccess, SetFlag, WaitFlag, CrossSet, CrossWait, Barrier, Local, Global };
CallKind findKind(Opcode op);
inline CallKind kindOf(Opcode op) {
  static const std::array<CallKind, isa::numOpcodes> kinds = [] {
    std::array<CallKind, isa::numOpcodes> table;
    for (unsigned i = 0; i < isa::numOpcodes; ++i)
      table[i] = findKind(Opcode(i));
    return table;
  }();
  return kinds[unsigned(op)];
}

// The paths that leave the core.
enum class GlobalPath : uint8_t { GmToUb, GmToL1, UbToGm, L0cToGm, L1ToGm };
inline constexpr unsigned numGlobalPaths = 5;
constexpr bool writesGlobal(GlobalPath path) { return path >= GlobalPath::UbToGm; }

// Bytes in GM: `matrices` groups, `matrixPitch` bytes apart, of `rows` runs of `rowBytes` bytes, `rowPitch` bytes
// apart.
struct GlobalMove {
  GlobalPath path = GlobalPath::GmToUb;
  isa::CacheHint hint = isa::CacheHint::Normal;
  int64_t start = 0, rowBytes = 0, rows = 1, rowPitch = 0, matrices = 1, matrixPitch = 0;
  Ticks latency = 0;    // before the first byte
  Ticks port = 0;       // the least time its bytes take, whatever the rate
  Ticks portMissed = 0; // more of it, if none of them are in L2
  Ticks least = 0;      // from issue to the end at least
  int64_t inFlight = 0; // bytes asked for and not there yet, at most
  int64_t window = 0;   // bytes asked for at a time; of L0C where FIX converts: half of them come out as f16
  int64_t extra = 0;    // bytes memory moves besides, because of how the pieces lie
};

inline int64_t bytesOf(const GlobalMove &move) { return move.rowBytes * move.rows * move.matrices; }

// One run of bytes from the first to the last of the move.
inline GlobalMove hullOf(GlobalMove move) {
  move.rowBytes += (std::max<int64_t>(move.rows, 1) - 1) * move.rowPitch +
                   (std::max<int64_t>(move.matrices, 1) - 1) * move.matrixPitch;
  move.rows = move.matrices = 1;
  return move;
}

const MovePath &pathOf(const Platform &platform, GlobalPath path);
Work workOf(const Instr &instr, const Platform &platform);
GlobalMove globalMoveOf(const Instr &instr, const Platform &platform);
// Its `extra`, which alone follows from where its bytes lie.
int64_t extraOf(const GlobalMove &move, const Platform &platform);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_REPLAYCOST_H
