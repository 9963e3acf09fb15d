// Functions of rows: soft maxima, norms, reductions, dequantisation.
//
// Everything is computed in float32. Rows are taken in groups of 16, as many as the temporary buffer holds, or all at
// once; what a function needs is so many bytes for a row, and some once. A float32 function works on the caller's
// tensors where it can: a soft maximum needs nothing but the numbers of its rows.
#include "Rows.h"
#include "Matrix.h"
#include "tilesmith/Machine/Abi.h"

namespace tilesmith::machine::library {

namespace {

constexpr int64_t group = 16; // rows

constexpr isa::DTypeSet Floats = isa::dtypeBit(DType::F16) | isa::dtypeBit(DType::F32);
constexpr isa::DTypeSet Ints32 = isa::dtypeBit(DType::I32);

const char *nameOf(int64_t function) {
  static constexpr const char *names[] = {
#define TILESMITH_LIBRARY_ROWS(NAME, ...) #NAME,
#include "tilesmith/Machine/Library.def"
  };
  return names[function];
}

isa::DTypeSet typesOf(int64_t function) {
  static constexpr isa::DTypeSet types[] = {
#define TILESMITH_LIBRARY_ROWS(NAME, PYTHON, TYPES, ...) TYPES,
#include "tilesmith/Machine/Library.def"
  };
  return types[function];
}

int64_t sizeOfElement(DType dtype) { return int64_t(isa::sizeOf(dtype)); }

// What a function keeps for a group of rows: whole rows in float32, blocks and numbers of rows; and rows it keeps once.
struct Needs {
  int matrices = 0, blocks = 2, numbers = 3, once = 0;
};

bool isColumnFunction(int64_t function) {
  return function == TS_ROWS_ColumnSum || function == TS_ROWS_ColumnMean || function == TS_ROWS_ColumnMax ||
         function == TS_ROWS_ColumnMin || function == TS_ROWS_CumSum;
}

Needs needsOf(int64_t function, bool isHalf) {
  switch (function) {
  case TS_ROWS_SoftmaxFlash:
  case TS_ROWS_SoftmaxFlashV2:
    return {isHalf, 6};
  case TS_ROWS_SimpleSoftMax:
    return {isHalf};
  case TS_ROWS_SoftmaxGrad:
    return {isHalf ? 3 : 1};
  case TS_ROWS_SoftmaxGradFront:
    return {isHalf ? 3 : 1};
  case TS_ROWS_RmsNorm:
    return {isHalf ? 2 : 1, 2, 3, isHalf};
  case TS_ROWS_LayerNorm:
  case TS_ROWS_LayerNormRstd:
    return {isHalf ? 2 : 1, 2, 3, isHalf ? 2 : 0};
  case TS_ROWS_AscendDequant:
    return {1, 0, 0, 0};
  default:
    return {isHalf};
  }
}

int64_t pitchOf(int64_t columns) { return Matrix::roundUp(columns * 4, isa::blockBytes); }

// What so many rows at once need; blocks and numbers are made for eight rows at a time.
int64_t bytesFor(const Needs &needs, int64_t rows, int64_t columns) {
  int64_t eights = Matrix::roundUp(rows, 8);
  return needs.matrices * rows * pitchOf(columns) + (columns > Matrix::lanes ? rows * isa::repeatBytes : 0) +
         needs.blocks * eights * isa::blockBytes + needs.numbers * eights * 4;
}

class RowFunction {
public:
  RowFunction(Issue &issue, const RowsCall &call, const Work &work, int64_t most)
      : issue(issue), call(call), needs(needsOf(call.function, call.dtype == int64_t(DType::F16))),
        dtype(DType(call.dtype)), dtype2(DType(call.dtype2)), pitch(pitchOf(call.columns)), most(most) {
    int64_t at = work.address;
    auto take = [&](int64_t bytes) {
      int64_t taken = at;
      at += bytes;
      return taken;
    };
    for (int i = 0; i < needs.once; ++i)
      once.push_back(take(pitch));
    for (int i = 0; i < needs.matrices; ++i)
      matrices.push_back(take(most * pitch));
    partial = take(call.columns > Matrix::lanes ? most * isa::repeatBytes : 0);
    for (int i = 0; i < needs.blocks; ++i)
      blocks.push_back(take(Matrix::roundUp(most, 8) * isa::blockBytes));
    for (int i = 0; i < needs.numbers; ++i)
      numbers.push_back(take(Matrix::roundUp(most, 8) * 4));
  }

  void run() {
    if (needs.once) // gamma, beta
      for (int i = 0; i < needs.once; ++i)
        Matrix(issue, 1, call.length)
            .cast(DType::F32, once[size_t(i)], dtype, call.src[1 + i], call.length, RoundMode::None);
    for (first = 0; first < call.rows; first += most) {
      rows = std::min(most, call.rows - first);
      runGroup();
    }
  }

private:
  bool isHalf() const { return dtype == DType::F16; }
  Matrix all() { return Matrix(issue, rows, call.length); }
  int64_t rows8() const { return Matrix::roundUp(rows, 8); }
  Rows given(int64_t address) const {
    return {address + first * call.columns * sizeOfElement(dtype), call.columns * sizeOfElement(dtype), dtype};
  }
  Rows matrix(int i) const { return {matrices[size_t(i)], pitch}; }
  // A source as float32: where it lies, or brought into a matrix.
  Rows input(int source, int i) {
    Rows from = given(call.src[source]);
    if (!isHalf())
      return from;
    all().convert(matrix(i), from);
    return matrix(i);
  }
  Rows output(int i) const { return isHalf() ? matrix(i) : given(call.dst[0]); }
  void finish(const Rows &result) {
    if (isHalf())
      all().convert(given(call.dst[0]), result, RoundMode::Rint);
  }

  // Numbers of rows, with something behind the last one up to a multiple of eight.
  void reduce(Matrix::Kind kind, int64_t to, Rows from) {
    Matrix m = all();
    if (rows % 8)
      m.fill(DType::F32, to, 1, rows8());
    m.reduce(kind, to, from, partial);
  }
  int64_t mean(int64_t to, Rows from) {
    reduce(Matrix::Kind::Sum, to, from);
    all().runScalar(Opcode::Muls, DType::F32, to, to, 1.0 / double(call.length), rows8());
    return to;
  }
  // Where blocks of a tensor of rows are made: in it, or in a slot. They cannot be made in it where eight rows at once
  // are too many.
  int64_t blocksOf(int64_t tensor, int slot) const {
    return tensor && dtype2 == DType::F32 && rows % 8 == 0 ? tensor + first * isa::blockBytes : blocks[size_t(slot)];
  }
  // What belongs to rows into a tensor with a block for each.
  void storeBlocks(int64_t tensor, int64_t from, int64_t ofNumbers, int spare) {
    if (!tensor)
      return;
    int64_t to = tensor + first * isa::blockBytes;
    Matrix m = all();
    if (dtype2 == DType::F32) {
      if (to != from)
        m.copy(to, from, rows * isa::blockBytes);
      return;
    }
    int64_t halves = numbers[2];
    m.cast(DType::F16, halves, DType::F32, ofNumbers, rows8(), RoundMode::Rint);
    m.toBlocks(blocks[size_t(spare)], halves, DType::F16);
    m.copy(to, blocks[size_t(spare)], rows * isa::blockBytes);
  }
  // The same of blocks whose numbers are not there any more.
  void storeChanged(int64_t tensor, int64_t from, int spare) {
    if (tensor && dtype2 != DType::F32)
      all().toNumbers(numbers[1], from);
    storeBlocks(tensor, from, numbers[1], spare);
  }
  // A tensor with a block for each row, as float32.
  int64_t loadBlocks(int64_t tensor, int slot) {
    int64_t from = tensor + first * isa::blockBytes;
    if (dtype2 == DType::F32)
      return from;
    Matrix(issue, rows, 8).convert({blocks[size_t(slot)], isa::blockBytes}, {from, isa::blockBytes, dtype2});
    return blocks[size_t(slot)];
  }
  void storeNumbers(int64_t tensor, int64_t from) {
    if (!tensor)
      return;
    int64_t to = tensor + first * sizeOfElement(dtype2);
    if (dtype2 == DType::F32)
      all().runScalar(Opcode::Muls, DType::F32, to, from, 1, rows);
    else
      all().cast(DType::F16, to, DType::F32, from, rows, RoundMode::Rint);
  }

  void softMax(bool divides) {
    Matrix m = all();
    Rows x = input(0, 0), w = output(0);
    int64_t largest = blocksOf(call.dst[2], 0), n = numbers[0];
    reduce(Matrix::Kind::Max, n, x);
    m.toBlocks(largest, n);
    storeBlocks(call.dst[2], largest, n, 1);
    m.withBlocks(Opcode::Sub, w, x, largest);
    m.unary(Opcode::Exp, w, w);
    int64_t sum = blocksOf(call.dst[1], 0);
    reduce(Matrix::Kind::Sum, n, w);
    m.toBlocks(sum, n);
    storeBlocks(call.dst[1], sum, n, 1);
    if (divides)
      m.withBlocks(Opcode::Div, w, w, sum);
    finish(w);
  }
  void simpleSoftMax() {
    Matrix m = all();
    Rows x = input(0, 0), w = output(0);
    m.withBlocks(Opcode::Sub, w, x, loadBlocks(call.src[2], 0));
    m.unary(Opcode::Exp, w, w);
    m.withBlocks(Opcode::Div, w, w, loadBlocks(call.src[1], 1));
    finish(w);
  }
  // src: x, the sums and maxima so far; dst: the result, sums and maxima, and what earlier results are worth.
  void flash(bool divides) {
    if (!(call.flags & 1))
      return softMax(divides);
    Matrix m = all();
    Rows x = input(0, 0), w = output(0);
    int64_t n = numbers[0], largest = blocks[0], factor = blocks[2], sum = blocks[3], earlier = blocks[4];
    if (rows % 8)
      for (int64_t slot : {factor, earlier})
        m.fill(DType::F32, slot, 1, rows8() * 8);
    reduce(Matrix::Kind::Max, n, x);
    m.toBlocks(largest, n);
    int64_t before = loadBlocks(call.src[2], 1);
    m.run(Opcode::Max, DType::F32, largest, largest, before, rows * 8);
    m.run(Opcode::Sub, DType::F32, factor, before, largest, rows * 8);
    m.run(Opcode::Exp, DType::F32, factor, factor, factor, rows * 8);
    m.withBlocks(Opcode::Sub, w, x, largest);
    m.unary(Opcode::Exp, w, w);
    reduce(Matrix::Kind::Sum, n, w);
    m.toBlocks(sum, n);
    m.run(Opcode::Mul, DType::F32, earlier, factor, loadBlocks(call.src[1], 1), rows * 8);
    m.run(Opcode::Add, DType::F32, sum, sum, earlier, rows * 8);
    if (divides) {
      m.withBlocks(Opcode::Div, w, w, sum);
      m.run(Opcode::Div, DType::F32, factor, earlier, sum, rows * 8);
    }
    storeChanged(call.dst[1], sum, 5);
    storeChanged(call.dst[2], largest, 5);
    storeFactor(factor);
    finish(w);
  }
  // The factor has the element type of the rows.
  void storeFactor(int64_t factor) {
    DType of = std::exchange(dtype2, dtype);
    storeChanged(call.src[3], factor, 5);
    dtype2 = of;
  }
  void softmaxGrad(bool front) {
    Matrix m = all();
    Rows gradient = input(0, 0), y = input(1, 1), product = matrix(isHalf() ? 2 : 0);
    int64_t n = numbers[0], sum = blocks[0];
    m.binary(Opcode::Mul, product, gradient, y);
    reduce(Matrix::Kind::Sum, n, product);
    m.toBlocks(sum, n);
    if (front)
      return storeBlocks(call.dst[0], sum, n, 1);
    Rows w = isHalf() ? product : given(call.dst[0]);
    m.withBlocks(Opcode::Sub, product, gradient, sum);
    m.binary(Opcode::Mul, w, product, y);
    finish(w);
  }
  // sqrt(numbers + epsilon), as blocks.
  int64_t deviation(int64_t n) {
    Matrix m = all();
    float epsilon = __builtin_bit_cast(float, uint32_t(call.scalar[0]));
    m.runScalar(Opcode::Adds, DType::F32, n, n, epsilon, rows8());
    m.run(Opcode::Sqrt, DType::F32, n, n, n, rows8());
    m.toBlocks(blocks[0], n);
    return blocks[0];
  }
  int64_t parameters(int i) const { return isHalf() ? once[size_t(i)] : call.src[1 + i]; }
  void rmsNorm() {
    Matrix m = all();
    Rows x = input(0, 0), square = matrix(isHalf() ? 1 : 0), w = output(0);
    m.binary(Opcode::Mul, square, x, x);
    int64_t by = deviation(mean(numbers[0], square));
    m.withBlocks(Opcode::Div, w, x, by);
    m.withRow(Opcode::Mul, w, w, parameters(0));
    finish(w);
  }
  void layerNorm(bool rstd) {
    Matrix m = all();
    Rows x = input(0, 0), square = matrix(isHalf() ? 1 : 0), w = output(0);
    storeNumbers(call.dst[1], mean(numbers[0], x));
    m.toBlocks(blocks[0], numbers[0]);
    m.withBlocks(Opcode::Sub, w, x, blocks[0]);
    m.binary(Opcode::Mul, square, w, w);
    int64_t n = mean(numbers[1], square);
    if (!rstd)
      storeNumbers(call.dst[2], n);
    int64_t by = deviation(n);
    if (rstd) {
      m.run(Opcode::Reciprocal, DType::F32, numbers[0], n, n, rows8());
      storeNumbers(call.dst[2], numbers[0]);
    }
    m.withBlocks(Opcode::Div, w, w, by);
    m.withRow(Opcode::Mul, w, w, parameters(0));
    m.withRow(Opcode::Add, w, w, parameters(1));
    finish(w);
  }
  void rowReduce(Matrix::Kind kind, bool isMean) {
    Rows x = input(0, 0);
    if (isMean)
      mean(numbers[0], x);
    else
      reduce(kind, numbers[0], x);
    storeNumbers(call.dst[0], numbers[0]);
  }
  // Products with the scale of each column, or with one scale.
  void dequant() {
    Matrix m = all();
    Rows x{call.src[0] + first * call.columns * 4, call.columns * 4, DType::I32};
    int64_t pitchOfResult = Matrix::roundUp(call.columns * sizeOfElement(dtype2), isa::blockBytes);
    Rows y{call.dst[0] + first * pitchOfResult, pitchOfResult, dtype2};
    Rows w = dtype2 == DType::F32 ? y : matrix(0);
    m.convert(w, x);
    if (call.flags & 1)
      m.scalar(Opcode::Muls, w, w, __builtin_bit_cast(float, uint32_t(call.scalar[0])));
    else
      m.withRow(Opcode::Mul, w, w, call.src[1]);
    if (dtype2 != DType::F32)
      m.convert(y, w, RoundMode::Rint);
  }

  void runGroup() {
    switch (call.function) {
    case TS_ROWS_SoftMax:
      return softMax(true);
    case TS_ROWS_SimpleSoftMax:
      return simpleSoftMax();
    case TS_ROWS_SoftmaxFlash:
      return flash(true);
    case TS_ROWS_SoftmaxFlashV2:
      return flash(false);
    case TS_ROWS_SoftmaxGrad:
      return softmaxGrad(false);
    case TS_ROWS_SoftmaxGradFront:
      return softmaxGrad(true);
    case TS_ROWS_RmsNorm:
      return rmsNorm();
    case TS_ROWS_LayerNorm:
      return layerNorm(false);
    case TS_ROWS_LayerNormRstd:
      return layerNorm(true);
    case TS_ROWS_RowSum:
      return rowReduce(Matrix::Kind::Sum, false);
    case TS_ROWS_RowMean:
      return rowReduce(Matrix::Kind::Sum, true);
    case TS_ROWS_RowMax:
      return rowReduce(Matrix::Kind::Max, false);
    case TS_ROWS_RowMin:
      return rowReduce(Matrix::Kind::Min, false);
    case TS_ROWS_AscendDequant:
      return dequant();
    default:
      return;
    }
  }

  Issue &issue;
  const RowsCall &call;
  Needs needs;
  DType dtype, dtype2;
  int64_t pitch, most, first = 0, rows = 0, partial = 0;
  std::vector<int64_t> once, matrices, blocks, numbers;
};

// Reductions over the rows, and their running sums. Halves of what is left are combined until one row is.
int64_t bytesOfColumns(int64_t function, DType dtype, int64_t rows, int64_t columns) {
  if (function == TS_ROWS_CumSum)
    return dtype == DType::F16 ? 2 * pitchOf(columns) : 0;
  return (dtype == DType::F16 ? rows : std::max<int64_t>((rows + 1) / 2, 1)) * columns * 4;
}

void runColumns(Issue &issue, const RowsCall &call, const Work &work) {
  auto dtype = DType(call.dtype);
  bool isHalf = dtype == DType::F16;
  int64_t columns = call.columns, left = call.rows, from = call.src[0], to = work.address, row = columns * 4;
  Opcode op = call.function == TS_ROWS_ColumnMax   ? Opcode::Max
              : call.function == TS_ROWS_ColumnMin ? Opcode::Min
                                                   : Opcode::Add;
  Matrix m(issue, 1, columns);
  if (isHalf) {
    m.cast(DType::F32, to, dtype, from, left * columns, RoundMode::None);
    from = to;
  }
  if (left == 1 && !isHalf)
    m.runScalar(Opcode::Muls, DType::F32, to, from, 1, columns);
  while (left > 1) {
    int64_t half = left / 2;
    m.run(op, DType::F32, to, from, from + half * row, half * columns);
    if (left % 2) // the last row joins the first
      m.run(op, DType::F32, to, to, from + (left - 1) * row, columns);
    left = half;
    from = to;
  }
  if (call.function == TS_ROWS_ColumnMean)
    m.runScalar(Opcode::Muls, DType::F32, to, to, 1.0 / double(call.rows), columns);
  if (isHalf)
    m.cast(dtype, call.dst[0], DType::F32, to, columns, RoundMode::Rint);
  else
    m.runScalar(Opcode::Muls, DType::F32, call.dst[0], to, 1, columns);
}

// dst[i] = src[0] + ... + src[i]; dst2: the last of them.
void runCumSum(Issue &issue, const RowsCall &call, const Work &work) {
  auto dtype = DType(call.dtype);
  bool isHalf = dtype == DType::F16;
  int64_t columns = call.columns, size = sizeOfElement(dtype);
  int64_t sum = work.address, next = work.address + pitchOf(columns);
  Matrix m(issue, 1, columns);
  for (int64_t i = 0; i < call.rows; ++i) {
    int64_t src = call.src[0] + i * columns * size, dst = call.dst[0] + i * columns * size;
    if (!isHalf) {
      if (i == 0)
        m.runScalar(Opcode::Muls, dtype, dst, src, 1, columns);
      else
        m.run(Opcode::Add, dtype, dst, dst - columns * size, src, columns);
      continue;
    }
    m.cast(DType::F32, i == 0 ? sum : next, dtype, src, columns, RoundMode::None);
    if (i)
      m.run(Opcode::Add, DType::F32, sum, sum, next, columns);
    m.cast(dtype, dst, DType::F32, sum, columns, RoundMode::Rint);
  }
  if (call.dst[1]) {
    int64_t last = call.dst[0] + (call.rows - 1) * columns * size;
    m.copy(call.dst[1], last, columns * size);
  }
}

} // namespace

RowsRule ruleOfRows(int64_t function, DType dtype, int64_t rows, int64_t columns) {
  if (isColumnFunction(function)) {
    int64_t bytes = bytesOfColumns(function, dtype, rows, columns);
    return {bytes, bytes};
  }
  Needs needs = needsOf(function, dtype == DType::F16);
  int64_t once = needs.once * pitchOf(columns);
  return {once + bytesFor(needs, std::min(rows, group), columns), once + bytesFor(needs, rows, columns)};
}

void issueRows(TsCore &core, int64_t loc, const RowsCall &given) {
  if (core.ended)
    return;
  if (given.function >= TS_FORM_ReduceSum && given.function < TS_FORM_END)
    return issueForm(core, loc, given);
  bool isKnown = given.function >= 0 && given.function < TS_ROWS_COUNT;
  Request request(core, loc, isKnown ? nameOf(given.function) : "a function of the library that does not exist");
  if (!isKnown) {
    request.refuse("was called");
    return;
  }
  RowsCall call = given;
  if (!request.takes(DType(call.dtype), typesOf(call.function)) || !request.takes(DType(call.dtype2), Floats))
    return;
  constexpr int64_t most = 1 << 24;
  int64_t size = sizeOfElement(DType(call.dtype));
  if (call.rows < 0 || call.rows > most || call.columns < 0 || call.columns > most || call.length < 0 ||
      call.length > call.columns) {
    request.refuse("was called for " + std::to_string(call.rows) + " rows of " + std::to_string(call.length) + " of " +
                   std::to_string(call.columns) + " elements");
    return;
  }
  if (call.columns * size % isa::blockBytes) {
    request.refuse("takes rows that fill blocks of 32 bytes, not of " + std::to_string(call.columns) + " elements");
    return;
  }
  for (int64_t address : {call.dst[0], call.dst[1], call.dst[2], call.src[0], call.src[1], call.src[2], call.src[3]})
    if (address && Address(address).memory() != Memory::UB) {
      request.refuse("works on tensors in UB, not in " + std::string(isa::stringify(Address(address).memory())));
      return;
    }
  if (call.rows == 0 || call.length == 0)
    return;
  RowsRule rule = ruleOfRows(call.function, DType(call.dtype), call.rows, call.columns);
  Work work;
  if (rule.least > 0) {
    std::optional<Work> found = request.work(call.work, call.workBytes, rule.least);
    if (!found)
      return;
    work = *found;
  }
  Issue issue(core, loc);
  if (call.function == TS_ROWS_CumSum)
    return runCumSum(issue, call, work);
  if (isColumnFunction(call.function))
    return runColumns(issue, call, work);
  Needs needs = needsOf(call.function, call.dtype == int64_t(DType::F16));
  int64_t atOnce = call.rows;
  if (work.bytes < rule.most)
    atOnce = (work.bytes - needs.once * pitchOf(call.columns)) / bytesFor(needs, group, call.columns) * group;
  RowFunction(issue, call, work, std::clamp<int64_t>(atOnce, 1, call.rows)).run();
}

} // namespace tilesmith::machine::library

extern "C" void tsm_library_rows(TsCore *core, int64_t loc, int64_t function, int64_t dtype, int64_t dtype2,
                                 int64_t dst, int64_t dst2, int64_t dst3, int64_t src0, int64_t src1, int64_t src2,
                                 int64_t src3, int64_t src4, int64_t scalar0, int64_t scalar1, int64_t work,
                                 int64_t workBytes, int64_t rows, int64_t columns, int64_t length, int64_t flags) {
  tilesmith::machine::library::issueRows(*core, loc,
                                         {function,
                                          dtype,
                                          dtype2,
                                          {dst, dst2, dst3},
                                          {src0, src1, src2, src3, src4},
                                          {scalar0, scalar1},
                                          work,
                                          workBytes,
                                          rows,
                                          columns,
                                          length,
                                          flags});
}
