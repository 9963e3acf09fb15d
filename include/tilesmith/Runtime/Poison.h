// What a launch wrote, replaced by bytes that mean nothing but show where they come from.
//
// Every byte of global memory that an instruction of the launch stored becomes table[p], where p is a number from 1 to
// 255 made of the launch's number, the array and the place in it. Who runs the same calls twice, with two tables, can
// tell from the results alone whether they were written by launches: bytes that were only moved since then are
// table2[p] where they were table1[p]. What was computed from them, chosen by their values, or never written by a
// launch is not (tilesmith.judge.verdict.evidence). Bytes that a C++ kernel stores through plain pointers are no
// instruction's, and stay.
#ifndef TILESMITH_RUNTIME_POISON_H
#define TILESMITH_RUNTIME_POISON_H

#include "tilesmith/Machine/Launch.h"
#include <string>

namespace tilesmith::runtime {

// 256 bytes as hexadecimal digits, of which the first is not used. What follows them is free: another text begins to
// count launches anew.
bool isPoison(const std::string &text);

// The traces are those of a launch with these ranges; `poison` is as above.
void poisonWritten(std::span<const machine::BlockTrace> traces, isa::Arch arch,
                   std::span<const machine::GlobalRange> ranges, const std::string &poison);

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_POISON_H
