// Matrix products. An accumulator is a cell: matmul_acc replaces its tile, and every name bound to it sees the new one.
#include "Lowering.h"

namespace tilesmith::frontend {

static bool checkOperands(Lowering &l, const Value &lhs, const Value &rhs, const Range &range) {
  auto a = lhs.tileType(), b = rhs.tileType();
  if (a.getElementType() != b.getElementType())
    return bool(l.fail(range, "RuntimeError",
                       "a matrix product needs equal element types, not " + name(lhs.elementType()) + " and " +
                           name(rhs.elementType()),
                       "convert one operand with .to(...)"));
  if (!isFloat(lhs.elementType()))
    return bool(
        l.fail(range, "RuntimeError",
               "a matrix product is defined for float16, bfloat16 and float32, not for " + name(lhs.elementType())));
  if (a.getRank() != 2 || b.getRank() != 2)
    return bool(l.fail(range, "RuntimeError",
                       "a matrix product needs tiles of 2 dimensions, not " + formatShape(a.getShape()) + " and " +
                           formatShape(b.getShape())));
  if (a.getShape()[1] != b.getShape()[0])
    return bool(
        l.fail(range, "RuntimeError",
               "the inner dimensions of " + formatShape(a.getShape()) + " @ " + formatShape(b.getShape()) + " differ"));
  return true;
}

static bool checkAccumulator(Lowering &l, const Value &acc, const Value &lhs, const Value &rhs, const Range &range) {
  llvm::SmallVector<int64_t> shape{lhs.tileType().getShape()[0], rhs.tileType().getShape()[1]};
  if (acc.elementType() != DType::Float32 || acc.tileType().getShape() != llvm::ArrayRef<int64_t>(shape))
    return bool(l.fail(range, "RuntimeError",
                       "the accumulator of a product " + formatShape(shape) + " cannot be " + l.describe(acc),
                       "make it with asc2.zeros_acc(" + formatShape(shape) + ", asc.float32)"));
  return true;
}

static Value matmul(Lowering &l, const Arguments &args) {
  Value lhs = l.expectTile(args, 0);
  Value rhs = lhs ? l.expectTile(args, 1) : Value();
  if (!rhs || !checkOperands(l, lhs, rhs, args.range))
    return {};
  Value acc;
  if (args[2]) {
    acc = l.expectTile(args, 2);
    if (!acc || !checkAccumulator(l, acc, lhs, rhs, args[2].range))
      return {};
  }
  tile::TileType type =
      l.tileType({lhs.tileType().getShape()[0], rhs.tileType().getShape()[1]}, DType::Float32, isa::Memory::L0C);
  return Value::ofTile(tile::MatmulOp::create(l.builder, l.loc(args.range), type, lhs.ir, rhs.ir, acc.ir));
}

static Value matmulAcc(Lowering &l, const Arguments &args) {
  Value lhs = l.expectTile(args, 0);
  Value rhs = lhs ? l.expectTile(args, 1) : Value();
  if (!rhs || !checkOperands(l, lhs, rhs, args.range))
    return {};
  const Value &acc = args[2].value;
  if (acc.kind != Value::Accumulator)
    return l.fail(args[2].range, l.read(acc).isTile() ? "RuntimeError" : "TypeError",
                  "the accumulator of matmul_acc must come from asc2.zeros_acc, not be " + l.describe(acc));
  Value current = l.read(acc);
  if (!checkAccumulator(l, current, lhs, rhs, args[2].range))
    return {};
  l.cells[acc.cell] =
      tile::MatmulOp::create(l.builder, l.loc(args.range), current.ir.getType(), lhs.ir, rhs.ir, current.ir);
  return l.none();
}

static Value zerosAcc(Lowering &l, const Arguments &args) {
  auto shape = l.expectShape(args[0], "the shape of a tile");
  std::optional<DType> dtype = shape ? l.expectDType(args[1], "dtype") : std::nullopt;
  if (!dtype)
    return {};
  if (*dtype != DType::Float32 || shape->size() != 2)
    return l.fail(args.range, "RuntimeError",
                  "an accumulator is a float32 tile of 2 dimensions, not " + formatShape(*shape) + " " + name(*dtype));
  if (!l.checkTileType(*shape, *dtype, args[0].range))
    return {};
  l.cells.push_back(
      tile::ZerosAccOp::create(l.builder, l.loc(args.range), l.tileType(*shape, *dtype, isa::Memory::L0C)));
  return Value::ofAccumulator(l.cells.size() - 1);
}

llvm::ArrayRef<BuiltinEntry> matmulBuiltins() {
  static constexpr BuiltinEntry entries[] = {
      {"asc2.matmul", "input, other, acc=None", matmul},
      {"asc2.matmul_acc", "input, other, acc", matmulAcc},
      {"asc2.zeros_acc", "shape, dtype", zerosAcc},
  };
  return entries;
}

} // namespace tilesmith::frontend
