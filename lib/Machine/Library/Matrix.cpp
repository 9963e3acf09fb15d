#include "Matrix.h"
#include <algorithm>

namespace tilesmith::machine::library {

// The repeat form of an element-wise instruction follows its count form in the table.
static Opcode repeatForm(Opcode op) { return Opcode(unsigned(op) + 1); }
static int64_t sizeOfElement(DType dtype) { return int64_t(isa::sizeOf(dtype)); }

template <typename Visit> void Matrix::eachPart(bool mayGoDown, Visit visit) const {
  int64_t groups = (columns + lanes - 1) / lanes;
  if (mayGoDown && rows >= groups) {
    for (int64_t column = 0; column < columns; column += lanes)
      for (int64_t row = 0; row < rows; row += most)
        visit(Part{row, column, std::min(lanes, columns - column), std::min(most, rows - row), true});
    return;
  }
  for (int64_t row = 0; row < rows; ++row) {
    int64_t whole = columns / lanes;
    for (int64_t group = 0; group < whole; group += most)
      visit(Part{row, group * lanes, lanes, std::min(most, whole - group), false});
    if (columns % lanes)
      visit(Part{row, whole * lanes, columns % lanes, 1, false});
  }
}

Bytes Matrix::bytesOf(const Rows &of) const {
  return Bytes::at(of.address, (rows - 1) * of.pitch + columns * sizeOfElement(of.dtype));
}

void Matrix::elementwise(Opcode op, std::vector<Rows> operands, int64_t scalar, bool hasScalar) {
  bool dense = true, down = true;
  for (const Rows &of : operands) {
    dense &= isDense(of);
    down &= fits(of);
  }
  std::vector<Bytes> reads;
  for (size_t i = 1; i < operands.size(); ++i)
    reads.push_back(bytesOf(operands[i]));
  issue.order(bytesOf(operands[0]), reads);
  if (dense) {
    Instr instr;
    instr.op = op;
    for (const Rows &of : operands)
      instr.args[instr.numArgs++] = of.address;
    if (hasScalar)
      instr.args[instr.numArgs++] = scalar;
    instr.args[instr.numArgs++] = rows * columns;
    return issue.now(instr, DType::F32);
  }
  eachPart(down, [&](const Part &part) {
    Instr instr;
    instr.op = repeatForm(op);
    for (const Rows &of : operands)
      instr.args[instr.numArgs++] = at(of, part);
    if (hasScalar)
      instr.args[instr.numArgs++] = scalar;
    instr.args[instr.numArgs++] = part.mask;
    instr.args[instr.numArgs++] = part.repeat;
    for (size_t i = 0; i < operands.size(); ++i)
      instr.args[instr.numArgs++] = 1;
    for (const Rows &of : operands)
      instr.args[instr.numArgs++] = part.repeat > 1 ? stride(of, part) : 0;
    issue.now(instr, DType::F32);
  });
}

void Matrix::broadcast(Opcode op, Rows dst, Rows src, int64_t other, bool isBlocks) {
  int64_t length = isBlocks ? rows * isa::blockBytes : columns * 4;
  issue.order(bytesOf(dst), {bytesOf(src), Bytes::at(other, length)});
  eachPart(fits(dst) && fits(src), [&](const Part &part) {
    Instr instr;
    instr.op = repeatForm(op);
    int64_t second = other + (isBlocks ? part.row * isa::blockBytes : part.column * 4);
    int64_t strideOfOther = isBlocks ? part.down : part.down ? 0 : lanes * 4 / isa::blockBytes;
    for (int64_t arg : {at(dst, part), at(src, part), second, part.mask, part.repeat, int64_t(1), int64_t(1),
                        int64_t(!isBlocks), stride(dst, part), stride(src, part), strideOfOther})
      instr.args[instr.numArgs++] = arg;
    if (part.repeat == 1)
      std::fill_n(&instr.args[instr.numArgs] - 3, 3, 0); // strides of one repeat
    issue.now(instr, DType::F32);
  });
}

void Matrix::convert(Rows dst, Rows src, RoundMode mode) {
  issue.order(bytesOf(dst), {bytesOf(src)});
  if (isDense(dst) && isDense(src)) {
    Instr instr = makeCall<isa::Cast>(0, Address(dst.address), Address(src.address), mode, rows * columns);
    instr.dtype2 = src.dtype;
    return issue.now(instr, dst.dtype);
  }
  eachPart(fits(dst) && fits(src), [&](const Part &part) {
    bool one = part.repeat == 1;
    Instr instr = makeCall<isa::CastR>(0, Address(at(dst, part)), Address(at(src, part)), mode, part.mask, part.repeat,
                                       1, 1, one ? 0 : stride(dst, part), one ? 0 : stride(src, part));
    instr.dtype2 = src.dtype;
    issue.now(instr, dst.dtype);
  });
}

void Matrix::reduce(Kind kind, int64_t dst, Rows src, int64_t partial) {
  Opcode combine = kind == Kind::Sum ? Opcode::Add : kind == Kind::Max ? Opcode::Max : Opcode::Min;
  Opcode whole = kind == Kind::Sum   ? Opcode::WholeReduceSum
                 : kind == Kind::Max ? Opcode::WholeReduceMax
                                     : Opcode::WholeReduceMin;
  Rows from = src;
  int64_t width = std::min(columns, lanes);
  if (columns > lanes) { // 64 partial results for each row
    Rows parts{partial, isa::repeatBytes};
    int64_t column = lanes;
    Matrix first(issue, rows, lanes);
    if (columns < 2 * lanes) // not all lanes have a second one
      first.scalar(Opcode::Muls, parts, src, 1);
    for (; column < columns; column += lanes) {
      bool isFirst = column == lanes && columns >= 2 * lanes;
      Rows next = src;
      next.address += column * 4;
      Matrix(issue, rows, std::min(lanes, columns - column)).binary(combine, parts, isFirst ? src : parts, next);
    }
    from = parts;
  }
  issue.order(Bytes::at(dst, rows * 4), {Bytes::at(from.address, (rows - 1) * from.pitch + width * 4)});
  for (int64_t row = 0; row < rows; row += most) {
    Instr instr;
    instr.op = whole;
    int64_t repeat = std::min(most, rows - row);
    for (int64_t arg : {dst + row * 4, from.address + row * from.pitch, width, repeat, int64_t(1), int64_t(1),
                        from.pitch / isa::blockBytes})
      instr.args[instr.numArgs++] = arg;
    issue.now(instr, DType::F32);
  }
}

void Matrix::toBlocks(int64_t blocks, int64_t numbers, DType dtype) {
  int64_t groups = (rows + 7) / 8;
  issue.order(Bytes::at(blocks, groups * 8 * isa::blockBytes), {Bytes::at(numbers, groups * 8 * sizeOfElement(dtype))});
  for (int64_t group = 0; group < groups; group += most)
    issue.now(makeCall<isa::Brcb>(0, Address(blocks + group * 8 * isa::blockBytes),
                                  Address(numbers + group * 8 * sizeOfElement(dtype)), std::min(most, groups - group),
                                  1, 8),
              dtype);
}

void Matrix::toNumbers(int64_t numbers, int64_t blocks) {
  int64_t groups = (rows + 7) / 8;
  issue.order(Bytes::at(numbers, groups * 32), {Bytes::at(blocks, groups * 8 * isa::blockBytes)});
  for (int64_t group = 0; group < groups; group += most) {
    int64_t repeat = std::min(most, groups - group);
    issue.now(makeCall<isa::BlockReduceMax>(0, Address(numbers + group * 32),
                                            Address(blocks + group * isa::repeatBytes), lanes, repeat, 1, 1, 8),
              DType::F32);
  }
}

void Matrix::run(Opcode op, DType dtype, int64_t dst, int64_t a, int64_t b, int64_t count) {
  int64_t bytes = count * sizeOfElement(dtype);
  Instr instr;
  instr.op = op;
  instr.args[instr.numArgs++] = dst;
  instr.args[instr.numArgs++] = a;
  if (isa::getInstruction(op).family == Family::VectorBinary)
    instr.args[instr.numArgs++] = b;
  instr.args[instr.numArgs++] = count;
  issue.order(Bytes::at(dst, bytes), {Bytes::at(a, bytes), Bytes::at(b, bytes)});
  issue.now(instr, dtype);
}

void Matrix::runScalar(Opcode op, DType dtype, int64_t dst, int64_t a, double number, int64_t count) {
  int64_t bytes = count * sizeOfElement(dtype);
  Instr instr;
  instr.op = op;
  for (int64_t arg : {dst, a, bitsOf(number, dtype), count})
    instr.args[instr.numArgs++] = arg;
  issue.order(Bytes::at(dst, bytes), {Bytes::at(a, bytes)});
  issue.now(instr, dtype);
}

void Matrix::fill(DType dtype, int64_t dst, double number, int64_t count) {
  issue.order(Bytes::at(dst, count * sizeOfElement(dtype)), {});
  issue.now(makeCall<isa::Duplicate>(0, Address(dst), bitsOf(number, dtype), count), dtype);
}

void Matrix::copy(int64_t dst, int64_t src, int64_t bytes) {
  issue.order(Bytes::at(dst, bytes), {Bytes::at(src, bytes)});
  issue.now(makeCall<isa::Copy>(0, Address(dst), Address(src), bytes / 4), DType::F32);
}

void Matrix::cast(DType to, int64_t dst, DType from, int64_t src, int64_t count, RoundMode mode) {
  issue.order(Bytes::at(dst, count * sizeOfElement(to)), {Bytes::at(src, count * sizeOfElement(from))});
  Instr instr = makeCall<isa::Cast>(0, Address(dst), Address(src), mode, count);
  instr.dtype2 = from;
  issue.now(instr, to);
}

} // namespace tilesmith::machine::library
