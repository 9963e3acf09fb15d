// Banks of UB: what a vector instruction loses because its operands meet in them.
//
// A bank is 32 bytes wide; neighbouring blocks lie in neighbouring groups of banks, and a group has one bank for each
// `bankBytes` of UB. In a cycle a group serves one row that is read and one that is written, in different banks. Equal
// rows are read once. A repeat's result is written `bankWriteDelay` cycles after it was read, so what meets is the
// write of one repeat and the reads of a later one; the write goes first.
//
// Parts without such groups (bankGroups 0) may have pairs of banks instead, which alternate every `bankBytes`: each of
// a pair serves one read in a cycle. How writes meet reads there is inside the measured costs.
#ifndef TILESMITH_LIB_MACHINE_TIME_BANKCOST_H
#define TILESMITH_LIB_MACHINE_TIME_BANKCOST_H

#include "tilesmith/Machine/Platform.h"
#include <array>

namespace tilesmith::machine {

// Blocks an instruction touches in a repeat: the first one's number, and the strides between blocks and repeats.
struct BankRows {
  int64_t first = 0, block = 1, repeat = 8;
  int32_t blocks = 0; // 0: it has no such operand
  bool operator==(const BankRows &) const = default;
};

struct BankUse {
  std::array<BankRows, 3> reads;
  BankRows write;
  int64_t repeats = 0;
  int64_t interval = 1; // cycles a repeat takes if nothing meets
  bool operator==(const BankUse &) const = default;
};

// Cycles in which the instruction waits for banks. Equal uses are computed once per thread.
int64_t bankStalls(const BankUse &use, const Platform &platform);

// Cycles that pairs of banks need to read the operands; 0: the part has none.
int64_t pairReads(const BankUse &use, const Platform &platform);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_BANKCOST_H
