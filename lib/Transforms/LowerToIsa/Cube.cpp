// Matrices: global memory to L1, L1 to L0A and L0B, products in L0C, and the way out.
//
// In L1 every matrix lies in NZ: columns of 32 bytes, rows and columns rounded up to 16, of bytes to 32. A tile
// that does not fill this, or that can leave its tensor, is filled with the padding first; products then run over the
// whole tile, so the result does not depend on where the tile ends. Matrices move in blocks of 32 bytes of one row:
// they can start before their tensor by any number of rows, but only by whole blocks of columns. Where that is known
// while compiling it is said; otherwise the chip's alignment check does. Accumulators are updated in place; each
// carries a flag that says whether it is still fresh, so that the first product overwrites and later ones add, also
// when a loop runs zero times.
#include "../Divisor.h"
#include "../Matrices.h"
#include "Lowering.h"
#include "tilesmith/Support/FractalLoads.h"

using namespace mlir;

namespace tilesmith {

using isa::Memory;

namespace {
// A matrix tile in fractals of 16 rows x 32 bytes. Inner elements of products are rounded up to those in 32 bytes.
struct Fractals {
  int64_t rows, cols;       // of the tile
  int64_t perBlock;         // elements in 32 bytes
  int64_t high, wide, deep; // rows / 16; columns / 16; columns / perBlock: each rounded up
  Fractals(tile::TileType type)
      : rows(type.getShape().end()[-2]), cols(type.getShape().back()),
        perBlock(blockBytes / Emitter::sizeOf(type.getElementType())),
        high(roundUp(rows, unit(type, Memory::L0B)) / fractalRows),
        wide(roundUp(cols, unit(type, Memory::L0A)) / fractalRows), deep(divideUp(cols, perBlock)) {}
  static int64_t unit(tile::TileType type, Memory whereInner) {
    bool inner = type.getMemory() == whereInner || type.getMemory() == Memory::L1;
    return inner ? matrixUnit(type.getElementType()) : fractalRows;
  }
  int64_t bytes() const { return high * fractalRows * wide * fractalRows * (blockBytes / perBlock); }
};
} // namespace

// A part that starts inside a unit of rows is copied with rows after it: behind the last column there must be some.
static bool isCutInside(Value tile) {
  int64_t unit = matrixUnit(cast<tile::TileType>(tile.getType()).getElementType());
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    if (isRename(user))
      return isCutInside(user->getResult(0));
    auto copy = dyn_cast<tile::CopyOp>(user);
    return copy && divisorOf(copy.getOffsets().drop_back().back()) % unit;
  });
}
static int64_t bytesInL1(Value tile) {
  auto type = cast<tile::TileType>(tile.getType());
  return bytesInL1(type) + (isCutInside(tile) ? matrixUnit(type.getElementType()) * blockBytes : 0);
}

// Bytes are filled two by two: with zeros only.
void Lowering::fillL1(Value buffer, int64_t bytes, Value number) {
  if (!supports("fill_l1", elementOf(buffer))) {
    buffer = view(buffer, b.getI16Type());
    number = {};
  }
  emit("fill_l1", {buffer, 1, divideUp(bytes, blockBytes), 0, number ? number : scalar(elementOf(buffer), 0)});
}

// `unit`: how many columns the memory of the tile keeps together.
FailureOr<Lowering::MatrixPart> Lowering::clipMatrix(Operation *op, const GlobalTensor &tensor, ValueRange offsets,
                                                     tile::TileType type, int64_t unit) {
  size_t rank = type.getRank();
  if (rank < 2 || llvm::any_of(type.getShape().drop_back(2), [](int64_t dim) { return dim != 1; }))
    return op->emitError() << "a tile " << describe(type) << " in " << isa::stringify(type.getMemory())
                           << " is not a matrix: only its last two dimensions may be larger than 1";
  MatrixPart part;
  part.rows = clipAxis(tensor.dims[rank - 2], tensor.strides[rank - 2], offsets[rank - 2], type.getShape()[rank - 2]);
  part.cols = clipAxis(tensor.dims[rank - 1], tensor.strides[rank - 1], offsets[rank - 1], type.getShape()[rank - 1]);
  part.rowStride = tensor.strides[rank - 2];
  part.presentRows = extentOf(part.rows), part.presentCols = extentOf(part.cols);
  part.first = add(mul(add(part.rows.start, part.rows.low), part.rowStride), add(part.cols.start, part.cols.low));
  for (size_t i = 0; i + 2 < rank; ++i) {
    Axis plane = clipAxis(tensor.dims[i], tensor.strides[i], offsets[i], 1);
    part.presentRows = mul(part.presentRows, extentOf(plane));
    part.first = add(part.first, mul(plane.start, tensor.strides[i]));
  }
  if (auto low = get(part.cols.low); low && *low % unit && *low < part.cols.tile)
    return op->emitError() << "a matrix in " << isa::stringify(type.getMemory()) << " can start before its tensor by a "
                           << "multiple of " << unit << " columns only, not by " << *low;
  return part;
}

void Lowering::copyMatrix(const MatrixPart &part, Value base, Value dst, tile::TileType type) {
  static constexpr int64_t longestRow = 65535; // of one copy on C220
  Fractals shape(type);
  int64_t size = sizeOfElement(base), column = shape.high * fractalBytes;
  Int low = rem(part.cols.low, known(part.cols.tile)); // nothing inside: anywhere
  // Columns inside a block of 32 bytes would be misaligned, which the chip refuses.
  Int start =
      add(mul(part.rows.low, known(blockBytes)), is(low, 0) ? known(0)
                                                            : add(mul(div(low, known(shape.perBlock)), known(column)),
                                                                  mul(rem(low, known(shape.perBlock)), known(size))));
  auto copy = [&](Int row, Int count, Int stride) {
    Value to = offset(dst, add(start, mul(row, known(blockBytes))));
    Value from = offset(base, mul(add(part.first, mul(row, part.rowStride)), known(size)));
    emit("copy_gm_to_l1_nz", {to, from, 1, count, part.presentCols, 0, stride, shape.high * fractalRows, 1, 0});
  };
  auto whole = [&] { copy(known(0), part.presentRows, part.rowStride); };
  if (arch != isa::Arch::C220)
    return whole();
  when(
      less(known(longestRow), part.rowStride),
      [&] { loop(known(0), part.presentRows, [&](Int row) { copy(row, known(1), part.presentCols); }); }, whole);
}

LogicalResult Lowering::lowerCubeLoad(tile::LoadOp op) {
  tile::TileType type = op.getType();
  if (type.getMemory() != Memory::L1)
    return op.emitError() << "a tile cannot be loaded to " << isa::stringify(type.getMemory());
  if (!supports("copy_gm_to_l1_nz", type.getElementType()))
    return noInstruction(op, "loading matrices", type.getElementType(), arch);
  const GlobalTensor &tensor = tensors.find(op.getTensor())->second;
  int64_t perBlock = blockBytes / sizeOf(type.getElementType());
  FailureOr<MatrixPart> part = clipMatrix(op, tensor, op.getOffsets(), type, perBlock);
  if (failed(part))
    return failure();
  if (!padsWithZero(op) && !supports("fill_l1", type.getElementType()))
    return op.emitError() << "a matrix of " << describe(type)
                          << " is padded with 0 on the way to L1: no instruction fills it "
                          << "with other bytes";
  auto end = get(part->cols.high);
  if (!padsWithZero(op) && !(end && (*end == part->cols.tile || *end % perBlock == 0)))
    return op.emitError() << "the rest of a block of " << perBlock << " columns is padded with 0 on the way to L1; "
                          << "another pad_value needs a tensor whose last dimension is known to be a multiple of it";
  Fractals shape(type);
  Value dst = buffers[op.getResult()] =
      alloc(Memory::L1, type.getElementType(), bytesInL1(op.getResult()), nameOf(op.getResult()), describe(type));

  auto copyPart = [&] {
    fillL1(dst, bytesInL1(op.getResult()), op.getPad());
    copyMatrix(*part, tensor.base, dst, type);
  };
  if (shape.rows % fractalRows || shape.cols % fractalRows || bytesInL1(op.getResult()) != shape.bytes()) {
    copyPart();
    return success();
  }
  Int partial = either(less(part->presentRows, known(shape.rows)), less(part->presentCols, known(shape.cols)));
  when(partial, copyPart, [&] {
    MatrixPart whole = *part;
    whole.rows.low = whole.cols.low = known(0);
    whole.presentRows = known(shape.rows), whole.presentCols = known(shape.cols);
    copyMatrix(whole, tensor.base, dst, type);
  });
  return success();
}

//===-- L1 to L0
//----------------------------------------------------------------------------------------------------===//

namespace {
// Loads of a whole tile at `dst` from what begins at `from` in L1.
struct LoadSink {
  Lowering &lowering;
  Value dst, from;

  void load(int64_t at, int64_t start, int64_t repeats, int64_t stride, int64_t gap, bool turns) {
    lowering.emit("load_data_2d", {to(at), from, start, repeats, stride, gap, turns ? 1 : 0});
  }
  void turn(int64_t at, int64_t start, int64_t repeats, int64_t stride, int64_t gap, int64_t gapInside) {
    lowering.emit("load_data_transpose", {to(at), from, start, repeats, stride, gap, gapInside});
  }
  void block(int64_t rows, int64_t columns, int64_t stride, int64_t apart, bool turns) {
    lowering.emit("load_data_2d_v2", {dst, from, 0, 0, rows, columns, stride, apart, turns ? 1 : 0});
  }

private:
  Value to(int64_t fractals) { return lowering.offset(dst, lowering.known(fractals * fractalBytes)); }
};
} // namespace

// With `inner` the product reads that many columns only, which tells it on C220 where rows start.
void Lowering::loadInner(Value dst, Value from, tile::TileType type, int64_t stride, Value inner) {
  Fractals shape(type);
  Int deep = div(add(widen(inner), known(shape.perBlock - 1)), known(shape.perBlock));
  for (int64_t row = 0; row < shape.high; ++row)
    emit("load_data_2d", {offset(dst, mul(deep, known(row * fractalBytes))), from, row, deep, stride, 0, 0});
}

// Whether a product takes either all of its inner elements or none.
static bool isAllOrNothing(tile::MatmulOp product) {
  auto choice = product.getInner() ? product.getInner().getDefiningOp<arith::SelectOp>() : arith::SelectOp();
  IntegerAttr all;
  return choice && matchPattern(choice.getTrueValue(), m_Constant(&all)) &&
         all.getInt() == product.getLhs().getType().getShape()[1] && matchPattern(choice.getFalseValue(), m_Zero());
}

LogicalResult Lowering::lowerCubeCopy(tile::CopyOp op) {
  tile::TileType from = op.getOperand().getType(), to = op.getType();
  auto isMatrix = [](ArrayRef<int64_t> shape) {
    return shape.size() >= 2 && llvm::all_of(shape.drop_back(2), [](int64_t dim) { return dim == 1; });
  };
  if (!isMatrix(from.getShape()) || !isMatrix(to.getShape()))
    return op.emitError() << "matrices have two dimensions, this tile is " << describe(from);
  if (to.getMemory() == Memory::L1 && from.getMemory() == Memory::L0C)
    return copyResultToL1(op);
  bool left = to.getMemory() == Memory::L0A;
  if (from.getMemory() != Memory::L1 || (!left && to.getMemory() != Memory::L0B))
    return op.emitError() << "there is no path from " << isa::stringify(from.getMemory()) << " to "
                          << isa::stringify(to.getMemory()) << " on " << isa::stringify(arch);
  Fractals source(from), target(to);
  bool turned = op.getTransposed();
  Int start[2];
  ValueRange offsets = op.getOffsets().take_back(2);
  int64_t unit = left != turned ? source.perBlock : matrixUnit(from.getElementType());
  if (divisorOf(offsets[1]) % unit)
    return op.emitError() << "a part of a matrix starts at a multiple of " << unit << " columns";
  if (int64_t columns = (left ? target.rows : target.cols);
      left == turned && columns % unit && source.perBlock > fractalRows)
    return op.emitError() << "a matrix of bytes is turned in squares: " << columns << " columns are not a multiple of "
                          << unit;
  for (int i = 0; i < 2; ++i) {
    start[i] = widen(offsets[i]);
    int64_t end = to.getShape().take_back(2)[turned ? 1 - i : i], whole = from.getShape().take_back(2)[i];
    if (auto first = get(start[i]); first && *first + end > whole)
      return op.emitError() << "the copied part ends at " << *first + end << " in dimension " << from.getRank() - 2 + i
                            << ", outside the tile of size " << whole;
  }
  // Turned, 16 rows of the operand become 16 columns, of floats two fractals.
  int64_t deep = turned ? target.wide * fractalRows / target.perBlock : target.deep;
  int64_t bytes = left ? target.high * deep * fractalBytes : target.bytes();
  Value dst = buffers[op.getResult()] =
      alloc(to.getMemory(), to.getElementType(), roundUp(bytes, fractalBytes), nameOf(op.getResult()), describe(to));
  // Rows lie 32 bytes apart, so a part may start at any of them.
  Int column = mul(div(start[1], known(source.perBlock)), known(source.high * fractalBytes));
  Value first = offset(bufferOf(op.getOperand()), add(column, mul(start[0], known(blockBytes))));
  FractalLoads loads(LoadSink{*this, dst, first}, arch == isa::Arch::C310);
  FractalShape shape{target.rows, target.perBlock, target.high, target.wide, target.deep};
  if (turned) {
    if (left)
      loads.leftTurned(shape, divideUp(target.cols, fractalRows), source.high);
    else
      loads.rightTurned(shape, source.high);
    return success();
  }
  auto readers = llvm::to_vector(
      llvm::make_filter_range(op->getUsers(), [](Operation *user) { return !llvm::isa<tile::ProbeOp>(user); }));
  auto product = readers.size() == 1 ? dyn_cast<tile::MatmulOp>(readers.front()) : tile::MatmulOp();
  Value inner = left && product && !isAllOrNothing(product) ? product.getInner() : Value();
  if (!left)
    loads.right(shape, source.high);
  else if (inner && arch == isa::Arch::C220)
    loadInner(dst, first, to, source.high, inner);
  else
    loads.left(shape, source.high);
  return success();
}

//===-- Products
//----------------------------------------------------------------------------------------------------===//

// A single row would make the chip read L0A as a plain vector: such products run over sixteen rows, fifteen of them
// zero.
static int64_t rowsOf(tile::TileType type) { return type.getShape()[0] == 1 ? fractalRows : type.getShape()[0]; }

LogicalResult Lowering::lowerZerosAcc(tile::ZerosAccOp op) {
  tile::TileType type = op.getType();
  if (type.getMemory() != Memory::L0C || type.getRank() != 2 ||
      (!type.getElementType().isF32() && !type.getElementType().isSignlessInteger(32)))
    return op.emitError() << "an accumulator is a float32 or int32 matrix in L0C";
  buffers[op.getResult()] =
      alloc(Memory::L0C, type.getElementType(), Fractals(type).bytes(), nameOf(op.getResult()), describe(type));
  fresh[op.getResult()] = known(1);
  return success();
}

LogicalResult Lowering::lowerMatmul(tile::MatmulOp op) {
  tile::TileType type = op.getType(), lhs = op.getLhs().getType();
  if (lhs.getMemory() != Memory::L0A || op.getRhs().getType().getMemory() != Memory::L0B)
    return op.emitError() << "place must run before lower-to-isa: operands of a product live in L0A and L0B";
  for (auto [dim, size] : {std::pair<StringRef, int64_t>{"rows", type.getShape()[0]},
                           {"columns", type.getShape()[1]},
                           {"inner elements", lhs.getShape()[1]}})
    if (size > 4095)
      return op.emitError() << "a product takes at most 4095 " << dim << ", got " << size;
  Value acc = op.getAcc(), dst;
  Int init = known(1);
  if (acc) {
    dst = bufferOf(acc);
    init = fresh.contains(acc) ? fresh.lookup(acc) : known(0);
  } else {
    dst = alloc(Memory::L0C, type.getElementType(), Fractals(type).bytes(), nameOf(op.getResult()), describe(type));
  }
  buffers[op.getResult()] = dst;
  fresh[op.getResult()] = known(0);
  Int inner = op.getInner() ? widen(op.getInner()) : known(lhs.getShape()[1]);
  emit("mmad", {dst, bufferOf(op.getLhs()), bufferOf(op.getRhs()), rowsOf(lhs), type.getShape()[1], inner, 0, init});
  return success();
}

// An accumulator nothing was added to holds zeros: one product of zeros, only where that happens.
void Lowering::settle(Value tile) {
  if (!fresh.contains(tile) || is(fresh.lookup(tile), 0))
    return;
  auto type = cast<tile::TileType>(tile.getType());
  Fractals shape(type);
  when(equal(fresh.lookup(tile), known(1)), [&] {
    Type factor = type.getElementType().isF32() ? Type(b.getF16Type()) : b.getI8Type();
    Value left = alloc(Memory::L0A, factor, shape.high * fractalBytes),
          right = alloc(Memory::L0B, factor, shape.wide * fractalBytes);
    std::pair<Value, int64_t> operands[] = {{left, shape.high}, {right, shape.wide}};
    if (arch == isa::Arch::C310) { // L0 gets zeros from L1 only
      int64_t longest = std::max(shape.high, shape.wide) * fractalBytes;
      Value zeros = alloc(Memory::L1, factor, longest);
      fillL1(zeros, longest);
      for (auto [dst, count] : operands)
        emit("load_data_2d_v2", {dst, zeros, 0, 0, count, 1, count, count, 0});
    } else {
      for (auto [dst, count] : operands) {
        Value filled = supports("fill_l0", factor) ? dst : view(dst, b.getI16Type());
        emit("fill_l0", {filled, 1, count, 0, scalar(elementOf(filled), 0)});
      }
    }
    emit("mmad", {bufferOf(tile), left, right, rowsOf(type), shape.cols, blockBytes / sizeOf(factor), 0, 1});
  });
}

//===-- The way out
//-------------------------------------------------------------------------------------------------===//

// The accumulator under relu and casts, which the way out applies itself.
Value accumulatorOf(Value value, bool &relu) {
  while (Operation *op = value.getDefiningOp()) {
    auto unary = dyn_cast<tile::UnaryOp>(op);
    if (!unary && !llvm::isa<tile::CastOp, tile::ReshapeOp>(op))
      break;
    relu |= bool(unary);
    value = op->getOperand(0);
  }
  return value;
}

FailureOr<isa::QuantMode> quantOf(Operation *op, Type type) {
  if (type.isF32() || type.isSignlessInteger(32))
    return isa::QuantMode::NoQuant;
  if (type.isF16())
    return isa::QuantMode::F322F16;
  if (type.isBF16())
    return isa::QuantMode::F322BF16;
  return op->emitError() << "the result of a product leaves L0C as float32, float16, bfloat16 or int32, not as "
                         << type;
}

LogicalResult Lowering::lowerCubeStore(Operation *op, Value stored, Value target, ValueRange offsets) {
  auto type = cast<tile::TileType>(stored.getType());
  if (type.getMemory() != Memory::L0C)
    return op->emitError() << "a tile in " << isa::stringify(type.getMemory()) << " cannot be stored";
  if (cast<isa::BufferType>(tensors.find(target)->second.base.getType()).getMemory() == Memory::UB)
    return storeToUb(op, stored, target, offsets);
  bool relu = false;
  Value acc = accumulatorOf(stored, relu);
  FailureOr<isa::QuantMode> quant = quantOf(op, type.getElementType());
  if (failed(quant))
    return failure();
  settle(acc);
  const GlobalTensor &tensor = tensors.find(target)->second;
  FailureOr<MatrixPart> part = clipMatrix(op, tensor, offsets, type, fractalRows);
  if (failed(part))
    return failure();
  // 16 columns of a row are 64 bytes of L0C; a start inside them would be misaligned, which the chip refuses.
  int64_t high = Fractals(type).high * fractalRows;
  Int low = rem(part->cols.low, known(part->cols.tile)), start = mul(part->rows.low, known(64));
  if (!is(low, 0))
    start = add(start,
                add(mul(div(low, known(fractalRows)), known(high * 64)), mul(rem(low, known(fractalRows)), known(4))));
  Value to = offset(tensor.base, mul(part->first, known(sizeOf(type.getElementType()))));
  emit("fixpipe_to_gm", {to, offset(bufferOf(acc), start), part->presentCols, part->presentRows, high, part->rowStride,
                         *quant, relu ? 1 : 0, 0});
  return success();
}

LogicalResult Lowering::copyResultToL1(tile::CopyOp op) {
  tile::TileType type = op.getType();
  bool relu = false;
  Value acc = accumulatorOf(op.getOperand(), relu);
  FailureOr<isa::QuantMode> quant = quantOf(op, type.getElementType());
  if (failed(quant))
    return failure();
  if (!supports("fixpipe_to_l1", type.getElementType()))
    return op.emitError() << "a " << type.getElementType() << " result cannot go from L0C to L1 on "
                          << isa::stringify(arch) << "; convert it to float16 or bfloat16 first";
  for (Value start : op.getOffsets())
    if (!is(widen(start), 0))
      return op.emitError() << "a result is copied to L1 as a whole";
  if (type.getShape() != op.getOperand().getType().getShape())
    return op.emitError() << "a result is copied to L1 as a whole";
  settle(acc);
  Fractals shape(type);
  Value dst = buffers[op.getResult()] =
      alloc(Memory::L1, type.getElementType(), bytesInL1(op.getResult()), nameOf(op.getResult()), describe(type));
  if (shape.rows % fractalRows || shape.cols % fractalRows || bytesInL1(op.getResult()) != shape.bytes())
    fillL1(dst, bytesInL1(op.getResult()));
  emit("fixpipe_to_l1", {dst, bufferOf(acc), shape.cols, shape.rows, shape.high * fractalRows, shape.high * fractalRows,
                         *quant, relu ? 1 : 0, 0});
  return success();
}

} // namespace tilesmith
