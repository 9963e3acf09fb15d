// Where the bytes of a call lie and what its numbers may be, as the records say it (Layout.td), for anyone who asks.
//
// A reader decides what a number is: the value of a call, an upper bound of a value of the IR. Both functions walk the
// record of an opcode and hand the reader what it says; nothing is interpreted, so a reader of plain numbers costs what
// hand-written code would.
//
//   visitLayouts   one shape for each buffer and condition, reads before writes
//   visitLimits    one limit for each number that has one, in operand order
//
// A reader has a type Value with the operators of the notation (ceil, up, min, max and choose are found beside it), and
//
//   Value arg(unsigned operand), size(), size2(), perElement(), c310(), perRepeat(), span(Value mask), kept(Value
//   pattern, Value count) bool may(Value condition)             whether it may hold run(access, operand, offset,
//   length, levels) levels: {count, stride}, at most three lanes(access, operand, bytes, mask, repeat, blk, rep)
//   nz(access, operand, rows, rowBytes, width, pitch, level) zz(access, operand, rows, rowBytes) results(access,
//   operand, mask, repeat, lanes, groups, rep) packed(access, operand, high, repeat, rep, bytes) between(operand, low,
//   high), mask(operand, lanes), multiple(operand, unit)
//
// as far as it uses the one function or the other. An attribute is a number, too.
#ifndef TILESMITH_ISA_LAYOUTS_H
#define TILESMITH_ISA_LAYOUTS_H

#include "tilesmith/Isa/Isa.h"

namespace tilesmith::isa {

#include "tilesmith/Isa/Layouts.h.inc"

} // namespace tilesmith::isa

#endif // TILESMITH_ISA_LAYOUTS_H
