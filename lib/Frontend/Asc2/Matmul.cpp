// Matrix products. An accumulator is a cell: matmul_acc replaces its tile, and every name bound to it sees the new one.
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

static bool checkOperands(Tiles &t, const Value &lhs, const Value &rhs, const Range &range) {
  auto a = tileType(lhs), b = tileType(rhs);
  if (a.getElementType() != b.getElementType())
    return bool(t.fail(range, "RuntimeError",
                       "a matrix product needs equal element types, not " + name(elementType(lhs)) + " and " +
                           name(elementType(rhs)),
                       "convert one operand with .to(...)"));
  if (!isFloat(elementType(lhs)))
    return bool(
        t.fail(range, "RuntimeError",
               "a matrix product is defined for float16, bfloat16 and float32, not for " + name(elementType(lhs))));
  if (a.getRank() != 2 || b.getRank() != 2)
    return bool(t.fail(range, "RuntimeError",
                       "a matrix product needs tiles of 2 dimensions, not " + formatShape(a.getShape()) + " and " +
                           formatShape(b.getShape())));
  if (a.getShape()[1] != b.getShape()[0])
    return bool(
        t.fail(range, "RuntimeError",
               "the inner dimensions of " + formatShape(a.getShape()) + " @ " + formatShape(b.getShape()) + " differ"));
  return true;
}

static bool checkAccumulator(Tiles &t, const Value &acc, const Value &lhs, const Value &rhs, const Range &range) {
  llvm::SmallVector<int64_t> shape{shapeOf(lhs)[0], shapeOf(rhs)[1]};
  if (elementType(acc) != DType::F32 || shapeOf(acc) != llvm::ArrayRef<int64_t>(shape))
    return bool(t.fail(range, "RuntimeError",
                       "the accumulator of a product " + formatShape(shape) + " cannot be " + t.describe(acc),
                       "make it with asc2.zeros_acc(" + formatShape(shape) + ", asc.float32)"));
  return true;
}

static Value matmul(Tiles &t, const Arguments &args) {
  Value lhs = t.expectTile(args, 0);
  Value rhs = lhs ? t.expectTile(args, 1) : Value();
  if (!rhs || !checkOperands(t, lhs, rhs, args.range))
    return {};
  Value acc;
  if (args[2]) {
    acc = t.expectTile(args, 2);
    if (!acc || !checkAccumulator(t, acc, lhs, rhs, args[2].range))
      return {};
  }
  tile::TileType type = t.makeType({shapeOf(lhs)[0], shapeOf(rhs)[1]}, DType::F32, isa::Memory::L0C);
  return ofTile(tile::MatmulOp::create(t.builder(), t.loc(args.range), type, lhs.ir, rhs.ir, acc.ir));
}

static Value matmulAcc(Tiles &t, const Arguments &args) {
  Value lhs = t.expectTile(args, 0);
  Value rhs = lhs ? t.expectTile(args, 1) : Value();
  if (!rhs || !checkOperands(t, lhs, rhs, args.range))
    return {};
  const Value &acc = args[2].value;
  if (acc.kind != kinds::accumulator)
    return t.fail(args[2].range, isTile(t.values.read(acc)) ? "RuntimeError" : "TypeError",
                  "the accumulator of matmul_acc must come from asc2.zeros_acc, not be " + t.describe(acc));
  Value current = t.values.read(acc);
  if (!checkAccumulator(t, current, lhs, rhs, args[2].range))
    return {};
  t.l.cells.set(acc.cell, tile::MatmulOp::create(t.builder(), t.loc(args.range), current.ir.getType(), lhs.ir, rhs.ir,
                                                 current.ir));
  return t.none();
}

static Value zerosAcc(Tiles &t, const Arguments &args) {
  auto shape = t.expectShape(args[0], "the shape of a tile");
  std::optional<DType> dtype = shape ? t.l.expect.dtype(args[1], "dtype") : std::nullopt;
  if (!dtype)
    return {};
  if (*dtype != DType::F32 || shape->size() != 2)
    return t.fail(args.range, "RuntimeError",
                  "an accumulator is a float32 tile of 2 dimensions, not " + formatShape(*shape) + " " + name(*dtype));
  if (!t.checkTileType(*shape, *dtype, args[0].range))
    return {};
  return t.makeAccumulator(
      tile::ZerosAccOp::create(t.builder(), t.loc(args.range), t.makeType(*shape, *dtype, isa::Memory::L0C)));
}

llvm::ArrayRef<Builtin::Row> matmulBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc2.matmul", on<matmul>},
      {"asc2.matmul_acc", on<matmulAcc>},
      {"asc2.zeros_acc", on<zerosAcc>},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
