// Rows of float32 in UB, and the instructions that work on all of them at once.
//
// An operation goes along whichever way takes fewer calls: the same 64 columns of up to 255 rows, or up to 255 groups
// of 64 columns of one row. What belongs to a row is one block of 32 bytes with the number eight times, which a stride
// of 0 repeats over the columns; what belongs to a column is one row, which a stride of 0 repeats over the rows.
#ifndef TILESMITH_LIB_MACHINE_LIBRARY_MATRIX_H
#define TILESMITH_LIB_MACHINE_LIBRARY_MATRIX_H

#include "Issue.h"

namespace tilesmith::machine::library {

// Rows of some element type, `pitch` bytes apart.
struct Rows {
  int64_t address = 0, pitch = 0;
  DType dtype = DType::F32;
};

class Matrix {
public:
  // So many rows, of which the first `columns` elements count.
  Matrix(Issue &issue, int64_t rows, int64_t columns) : issue(issue), rows(rows), columns(columns) {}

  static constexpr int64_t lanes = isa::repeatBytes / 4, most = 255;
  static int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

  void unary(Opcode op, Rows dst, Rows src) { elementwise(op, {dst, src}, {}, false); }
  void scalar(Opcode op, Rows dst, Rows src, double number) {
    elementwise(op, {dst, src}, bitsOf(number, DType::F32), true);
  }
  void binary(Opcode op, Rows dst, Rows a, Rows b) { elementwise(op, {dst, a, b}, {}, false); }
  // The second operand is a block for each row, or one row for all.
  void withBlocks(Opcode op, Rows dst, Rows src, int64_t blocks) { broadcast(op, dst, src, blocks, true); }
  void withRow(Opcode op, Rows dst, Rows src, int64_t row) { broadcast(op, dst, src, row, false); }
  // Between element types.
  void convert(Rows dst, Rows src, RoundMode mode = RoundMode::None);

  // One number for each row, one after another. `partial`: 256 bytes for each row, where there are more than 64
  // columns.
  enum class Kind { Sum, Max, Min };
  void reduce(Kind kind, int64_t dst, Rows src, int64_t partial);
  // The numbers of rows as blocks; numbers and blocks are there for a multiple of eight rows.
  void toBlocks(int64_t blocks, int64_t numbers, DType dtype = DType::F32);
  // And back.
  void toNumbers(int64_t numbers, int64_t blocks);

  // `count` neighbouring elements.
  void run(Opcode op, DType dtype, int64_t dst, int64_t a, int64_t b, int64_t count);
  void runScalar(Opcode op, DType dtype, int64_t dst, int64_t a, double number, int64_t count);
  void fill(DType dtype, int64_t dst, double number, int64_t count);
  void copy(int64_t dst, int64_t src, int64_t bytes); // whole blocks
  void cast(DType to, int64_t dst, DType from, int64_t src, int64_t count, RoundMode mode);

  Issue &issue;
  int64_t rows, columns;

private:
  struct Part {
    int64_t row, column, mask, repeat;
    bool down; // repeats are rows
  };
  template <typename Visit> void eachPart(bool mayGoDown, Visit visit) const;
  Bytes bytesOf(const Rows &of) const;
  bool isDense(const Rows &of) const { return of.pitch == columns * int64_t(isa::sizeOf(of.dtype)); }
  static int64_t at(const Rows &of, const Part &part) {
    return of.address + part.row * of.pitch + part.column * int64_t(isa::sizeOf(of.dtype));
  }
  static int64_t stride(const Rows &of, const Part &part) {
    return part.down ? of.pitch / isa::blockBytes : lanes * int64_t(isa::sizeOf(of.dtype)) / isa::blockBytes;
  }
  static bool fits(const Rows &of) { return of.pitch / isa::blockBytes <= most && of.pitch % isa::blockBytes == 0; }
  void elementwise(Opcode op, std::vector<Rows> operands, int64_t scalar, bool hasScalar);
  void broadcast(Opcode op, Rows dst, Rows src, int64_t other, bool isBlocks);
};

} // namespace tilesmith::machine::library

#endif // TILESMITH_LIB_MACHINE_LIBRARY_MATRIX_H
