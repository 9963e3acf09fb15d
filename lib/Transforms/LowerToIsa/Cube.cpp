// Matrices: global memory to L1, L1 to L0A and L0B, products in L0C, and the way out.
//
// In L1 every matrix lies in NZ: columns of 32 bytes, rows rounded up to 16, columns rounded up to 16 elements. A tile
// that does not fill this, or that can leave its tensor, is zeroed first; products then run over the whole tile, so the
// result does not depend on where the tile ends. Accumulators are updated in place; each carries a flag that says
// whether it is still fresh, so that the first product overwrites and later ones add, also when a loop runs zero times.
#include "Lowering.h"
#include "Range.h"
#include <numeric>

using namespace mlir;

namespace tilesmith {

using isa::Memory;

namespace {
// A matrix tile in fractals of 16 rows x 32 bytes.
struct Fractals {
  int64_t rows, cols;       // of the tile
  int64_t perBlock;         // elements in 32 bytes
  int64_t high, wide, deep; // rows / 16; columns / 16; columns / perBlock: each rounded up
  Fractals(tile::TileType type)
      : rows(type.getShape()[0]), cols(type.getShape()[1]), perBlock(32 / Emitter::sizeOf(type.getElementType())),
        high(divideUp(rows, 16)), wide(divideUp(cols, 16)), deep(divideUp(cols, perBlock)) {}
  int64_t bytes() const { return high * 16 * wide * 16 * (32 / perBlock); }
};
} // namespace

// A number that divides the value, as far as its definition tells.
static int64_t divisorOf(Value value, unsigned depth = 0) {
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return std::abs(constant.getInt());
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return divisorOf(op->getOperand(i), depth + 1); };
  if (depth > 8)
    return 1;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return 1;
    return std::gcd(divisorOf(loop.getLowerBound(), depth + 1), divisorOf(loop.getStep(), depth + 1));
  }
  if (llvm::isa<arith::MulIOp>(op))
    return operand(0) * operand(1);
  if (llvm::isa<arith::AddIOp, arith::SubIOp>(op))
    return std::gcd(operand(0), operand(1));
  if (llvm::isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return operand(0);
  return 1;
}

void Lowering::zeroL1(Value buffer, int64_t bytes) {
  emit("fill_l1", {buffer, 1, divideUp(bytes, 32), 0, scalar(elementOf(buffer), 0)});
}

LogicalResult Lowering::lowerCubeLoad(tile::LoadOp op) {
  tile::TileType type = op.getType();
  if (type.getMemory() != Memory::L1 || type.getRank() != 2)
    return op.emitError() << "a tile of rank " << type.getRank() << " cannot be loaded to "
                          << isa::stringify(type.getMemory()) << "; matrices have two dimensions";
  if (!supports("copy_gm_to_l1_nz", type.getElementType()))
    return op.emitError() << "matrices of " << type.getElementType() << " are not supported on "
                          << isa::stringify(arch);
  Attribute pad;
  bool isZero = matchPattern(op.getPad(), m_Constant(&pad)) &&
                (matchPattern(op.getPad(), m_AnyZeroFloat()) || matchPattern(op.getPad(), m_Zero()));
  if (!isZero)
    return op.emitError() << "tiles of matrices are padded with 0; another pad_value needs a tile in UB";
  const GlobalTensor &tensor = tensors.find(op.getTensor())->second;
  Fractals shape(type);
  int64_t size = sizeOf(type.getElementType());
  Value dst = buffers[op.getResult()] =
      alloc(Memory::L1, type.getElementType(), shape.bytes(), nameOf(op.getResult()), describe(type));

  Int present[2], start[2];
  for (int i = 0; i < 2; ++i) {
    start[i] = widen(op.getOffsets()[i]);
    int64_t tile = type.getShape()[i];
    auto extent = get(tensor.dims[i]);
    bool inside = extent && rangeOf(op.getOffsets()[i]).high <= *extent - tile;
    present[i] = inside ? known(tile) : clamp(sub(tensor.dims[i], start[i]), known(0), known(tile));
  }
  auto copyIn = [&](Int rows, Int cols) {
    Value from = offset(tensor.base, mul(add(mul(start[0], tensor.dims[1]), start[1]), known(size)));
    emit("copy_gm_to_l1_nz", {dst, from, 1, rows, cols, 0, tensor.dims[1], shape.high * 16, 1, 0});
  };
  Int partial = either(less(present[0], known(shape.rows)), less(present[1], known(shape.cols)));
  if (shape.rows % 16 || shape.cols % 16) {
    zeroL1(dst, shape.bytes());
    copyIn(present[0], present[1]);
    return success();
  }
  when(
      partial,
      [&] {
        zeroL1(dst, shape.bytes());
        copyIn(present[0], present[1]);
      },
      [&] { copyIn(known(shape.rows), known(shape.cols)); });
  return success();
}

//===-- L1 to L0
//----------------------------------------------------------------------------------------------------===//

// L0A holds fractals row by row on C220, column by column on C310; `from` points at the first fractal in L1, whose
// columns are `stride` fractals apart.
void Lowering::loadLeft(Value dst, Value from, tile::TileType type, int64_t stride) {
  Fractals shape(type);
  if (arch == isa::Arch::C310) {
    emit("load_data_2d_v2", {dst, from, 0, 0, shape.high, shape.deep, stride, shape.high, 0});
  } else if (shape.high <= shape.deep) {
    for (int64_t row = 0; row < shape.high; ++row)
      emit("load_data_2d", {offset(dst, known(row * shape.deep * 512)), from, row, shape.deep, stride, 0, 0});
  } else {
    for (int64_t col = 0; col < shape.deep; ++col)
      emit("load_data_2d", {offset(dst, known(col * 512)), from, col * stride, shape.high, 1, shape.deep - 1, 0});
  }
}

// L0B holds turned fractals, 32 bytes of k after each other, 16 columns of n inside.
void Lowering::loadRight(Value dst, Value from, tile::TileType type, int64_t stride) {
  Fractals shape(type);
  if (arch == isa::Arch::C310) {
    int64_t columns = shape.wide * 16 / shape.perBlock;
    emit("load_data_2d_v2", {dst, from, 0, 0, shape.high, columns, stride, shape.wide, 1});
  } else if (shape.perBlock == 8) {
    for (int64_t col = 0; col < shape.wide; ++col)
      emit("load_data_transpose", {offset(dst, known(col * 512)), from, 2 * col * stride, shape.high, stride,
                                   2 * shape.wide - 1, shape.wide - 1});
  } else if (shape.high <= shape.wide) {
    for (int64_t row = 0; row < shape.high; ++row)
      emit("load_data_2d", {offset(dst, known(row * shape.wide * 512)), from, row, shape.wide, stride, 0, 1});
  } else {
    for (int64_t col = 0; col < shape.wide; ++col)
      emit("load_data_2d", {offset(dst, known(col * 512)), from, col * stride, shape.high, 1, shape.wide - 1, 1});
  }
}

LogicalResult Lowering::lowerCubeCopy(tile::CopyOp op) {
  tile::TileType from = op.getOperand().getType(), to = op.getType();
  if (from.getRank() != 2)
    return op.emitError() << "matrices have two dimensions, this tile has " << from.getRank();
  if (to.getMemory() == Memory::L1 && from.getMemory() == Memory::L0C)
    return copyResultToL1(op);
  bool left = to.getMemory() == Memory::L0A;
  if (from.getMemory() != Memory::L1 || (!left && to.getMemory() != Memory::L0B))
    return op.emitError() << "there is no path from " << isa::stringify(from.getMemory()) << " to "
                          << isa::stringify(to.getMemory()) << " on " << isa::stringify(arch);
  Fractals source(from), target(to);
  Int start[2];
  int64_t units[2] = {16, left ? source.perBlock : 16};
  for (int i = 0; i < 2; ++i) {
    start[i] = widen(op.getOffsets()[i]);
    if (divisorOf(op.getOffsets()[i]) % units[i])
      return op.emitError() << "the part of a matrix must start at a multiple of " << units[i] << " in dimension " << i;
    if (auto first = get(start[i]); first && *first + to.getShape()[i] > from.getShape()[i])
      return op.emitError() << "the copied part ends at " << *first + to.getShape()[i] << " in dimension " << i
                            << ", outside the tile of size " << from.getShape()[i];
  }
  int64_t bytes = left ? target.high * target.deep * 512 : target.bytes();
  Value dst = buffers[op.getResult()] =
      alloc(to.getMemory(), to.getElementType(), roundUp(bytes, 512), nameOf(op.getResult()), describe(to));
  Int fractal = add(mul(div(start[1], known(source.perBlock)), known(source.high)), div(start[0], known(16)));
  Value first = offset(bufferOf(op.getOperand()), mul(fractal, known(512)));
  if (left)
    loadLeft(dst, first, to, source.high);
  else
    loadRight(dst, first, to, source.high);
  return success();
}

//===-- Products
//----------------------------------------------------------------------------------------------------===//

// A single row would make the chip read L0A as a plain vector: such products run over sixteen rows, fifteen of them
// zero.
static int64_t rowsOf(tile::TileType type) { return type.getShape()[0] == 1 ? 16 : type.getShape()[0]; }

LogicalResult Lowering::lowerZerosAcc(tile::ZerosAccOp op) {
  tile::TileType type = op.getType();
  if (type.getMemory() != Memory::L0C || type.getRank() != 2 || !type.getElementType().isF32())
    return op.emitError() << "an accumulator is a float32 matrix in L0C";
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
    for (Operation *user : acc.getUsers())
      if (user != op && !(user->getBlock() == op->getBlock() && user->isBeforeInBlock(op)))
        return op.emitError() << "the accumulator is used again after this product; its old value is gone by then";
    dst = bufferOf(acc);
    init = fresh.contains(acc) ? fresh.lookup(acc) : known(0);
  } else {
    dst = alloc(Memory::L0C, type.getElementType(), Fractals(type).bytes(), nameOf(op.getResult()), describe(type));
  }
  buffers[op.getResult()] = dst;
  fresh[op.getResult()] = known(0);
  emit("mmad", {dst, bufferOf(op.getLhs()), bufferOf(op.getRhs()), rowsOf(lhs), type.getShape()[1], lhs.getShape()[1],
                0, init});
  return success();
}

// An accumulator nothing was added to holds zeros: one product of zeros, only where that happens.
void Lowering::settle(Value tile) {
  if (!fresh.contains(tile) || is(fresh.lookup(tile), 0))
    return;
  auto type = cast<tile::TileType>(tile.getType());
  Fractals shape(type);
  when(equal(fresh.lookup(tile), known(1)), [&] {
    Type half = b.getF16Type();
    int64_t longest = std::max(shape.high, shape.wide) * 512;
    Value zeros = alloc(Memory::L1, half, longest);
    Value left = alloc(Memory::L0A, half, shape.high * 512), right = alloc(Memory::L0B, half, shape.wide * 512);
    zeroL1(zeros, longest);
    for (auto [dst, count] : {std::pair<Value, int64_t>{left, shape.high}, {right, shape.wide}})
      if (arch == isa::Arch::C310)
        emit("load_data_2d_v2", {dst, zeros, 0, 0, count, 1, count, count, 0});
      else
        emit("load_data_2d", {dst, zeros, 0, count, 1, 0, 0});
    emit("mmad", {bufferOf(tile), left, right, rowsOf(type), shape.cols, 16, 0, 1});
  });
}

//===-- The way out
//-------------------------------------------------------------------------------------------------===//

// The accumulator under relu and casts, which the way out applies itself.
static Value accumulatorOf(Value value, bool &relu) {
  while (Operation *op = value.getDefiningOp()) {
    auto unary = dyn_cast<tile::UnaryOp>(op);
    if (!unary && !llvm::isa<tile::CastOp>(op))
      break;
    relu |= bool(unary);
    value = op->getOperand(0);
  }
  return value;
}

static FailureOr<isa::QuantMode> quantOf(Operation *op, Type type) {
  if (type.isF32())
    return isa::QuantMode::NoQuant;
  if (type.isF16())
    return isa::QuantMode::F322F16;
  if (type.isBF16())
    return isa::QuantMode::F322BF16;
  return op->emitError() << "the result of a product leaves L0C as float32, float16 or bfloat16, not as " << type;
}

LogicalResult Lowering::lowerCubeStore(Operation *op, Value stored, Value target, ValueRange offsets) {
  auto type = cast<tile::TileType>(stored.getType());
  if (type.getMemory() != Memory::L0C)
    return op->emitError() << "a tile in " << isa::stringify(type.getMemory()) << " cannot be stored";
  bool relu = false;
  Value acc = accumulatorOf(stored, relu);
  FailureOr<isa::QuantMode> quant = quantOf(op, type.getElementType());
  if (failed(quant))
    return failure();
  settle(acc);
  const GlobalTensor &tensor = tensors.find(target)->second;
  Int start[2], present[2];
  for (int i = 0; i < 2; ++i) {
    start[i] = widen(offsets[i]);
    auto extent = get(tensor.dims[i]);
    int64_t tile = type.getShape()[i];
    bool inside = extent && rangeOf(offsets[i]).high <= *extent - tile;
    present[i] = inside ? known(tile) : clamp(sub(tensor.dims[i], start[i]), known(0), known(tile));
  }
  Value to =
      offset(tensor.base, mul(add(mul(start[0], tensor.dims[1]), start[1]), known(sizeOf(type.getElementType()))));
  emit("fixpipe_to_gm", {to, bufferOf(acc), present[1], present[0], roundUp(type.getShape()[0], 16), tensor.dims[1],
                         *quant, relu ? 1 : 0});
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
      alloc(Memory::L1, type.getElementType(), shape.bytes(), nameOf(op.getResult()), describe(type));
  if (shape.rows % 16 || shape.cols % 16)
    zeroL1(dst, shape.bytes());
  emit("fixpipe_to_l1",
       {dst, bufferOf(acc), shape.cols, shape.rows, shape.high * 16, shape.high * 16, *quant, relu ? 1 : 0});
  return success();
}

} // namespace tilesmith
