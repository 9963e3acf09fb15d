//===- Layout.td - Where the bytes of a call lie, and what its numbers may be -----------------------------------------===//
//
// Both are said with expressions over the call's operands by name: integers, + - * / (rounding down), comparisons, ! && ||,
// a ? b : c, min(a, b), max(a, b), ceil(a, b) (division rounding up), up(a, b) (the next multiple). Besides operands,
// enumerators of attributes and the numbers of Chip.td they know
//
//   size, size2   bytes of an element of the first and the second dtype
//   perElement    values that an element of the first dtype holds: 2 where they have four bits, otherwise 1
//   c310          1 on C310, otherwise 0
//   perRepeat     elements of a repeat: of the wider dtype where there are two
//   span(mask)    lanes up to the last one a mask can name: the mask, or all lanes where it is scattered bits
//   kept(p, n)    how many of n elements pattern p of gather_mask keeps
//
// A layout is one of these shapes; all numbers are bytes unless they count something.
//
//   run(length, count, stride ...)        `length` bytes, again `count` times `stride` apart, and all that again, up to three levels
//   rows(count, length, pitch)            the same with one level
//   elements(n, bytes)                    n elements one after the other; `bytes` of each may be left out: the operand's own
//   bits(n)                               n bits, eight to a byte
//   lanes(mask, repeat, blk, rep, bytes)  `mask` lanes of `repeat` groups; block b of group r starts at (r * rep + b * blk) * blockBytes
//   nz(rows, rowBytes, width, pitch, count, stride)
//                                         a matrix in columns of `width` bytes that are `pitch` apart; perhaps `count` of them
//   zz(rows, rowBytes)                    a matrix in fractals, row by row
//   results(mask, repeat, lanes, n, rep)  one element for each group of `lanes` with an active one, n groups of a repeat, repeats
//                                         rep * n elements apart
//   packed(high, repeat, rep, bytes)      by hand: 16 rows at addresses packed into the four words from this operand on
//   at(offset, shape)                     the shape from there on
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_LAYOUT
#define TILESMITH_ISA_LAYOUT

// Bytes of an operand, where `when` holds (empty: always). A buffer that is read and written lies there for both.
class Lies<string operandName, string shapeText, string condition = ""> {
  string operand = operandName;
  string shape = shapeText;
  string when = condition;
  string access = ""; // Read or Write; empty: the operand's
}
class Reads<string operand, string shape, string when = ""> : Lies<operand, shape, when> { let access = "Read"; }
class Writes<string operand, string shape, string when = ""> : Lies<operand, shape, when> { let access = "Write"; }

#endif // TILESMITH_ISA_LAYOUT
