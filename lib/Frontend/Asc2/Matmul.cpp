// Matrix products. An accumulator is a cell: matmul_acc replaces its tile, and every name bound to it sees the new one.
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

// What products of these elements are summed in; Void: there are none.
static DType sumOf(DType element) {
  return isFloat(element) ? DType::F32 : element == DType::I8 ? DType::I32 : DType::Void;
}

// Dimensions before the last two, broadcast as NumPy does; nothing if they do not go together.
static std::optional<llvm::SmallVector<int64_t>> broadcastBatch(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
  llvm::SmallVector<int64_t> result(std::max(a.size(), b.size()), 1);
  for (llvm::ArrayRef<int64_t> batch : {a, b})
    for (auto [size, whole] :
         llvm::zip_equal(batch, llvm::MutableArrayRef(result).drop_front(result.size() - batch.size()))) {
      if (size != 1 && whole != 1 && size != whole)
        return std::nullopt;
      whole = size == 1 ? whole : size;
    }
  return result;
}

// The type of the product; null after an error.
static tile::TileType productType(Tiles &t, const Value &lhs, const Value &rhs, const Range &range) {
  static constexpr int64_t mostProducts = 256; // they are written out
  auto fail = [&](const llvm::Twine &message, const llvm::Twine &help = "") {
    t.fail(range, "RuntimeError", message, help);
    return tile::TileType();
  };
  llvm::ArrayRef<int64_t> a = shapeOf(lhs), b = shapeOf(rhs);
  if (elementType(lhs) != elementType(rhs))
    return fail("a matrix product needs equal element types, not " + name(elementType(lhs)) + " and " +
                    name(elementType(rhs)),
                "convert one operand with .to(...)");
  DType sum = sumOf(elementType(lhs));
  if (sum == DType::Void)
    return fail("a matrix product is defined for float16, bfloat16, float32 and int8, not for " +
                name(elementType(lhs)));
  if (a.size() < 2 || b.size() < 2)
    return fail("a matrix product needs tiles of at least 2 dimensions, not " + formatShape(a) + " and " +
                formatShape(b));
  if (a.back() != b.end()[-2])
    return fail("the inner dimensions of " + formatShape(a) + " @ " + formatShape(b) + " differ");
  std::optional<llvm::SmallVector<int64_t>> shape = broadcastBatch(a.drop_back(2), b.drop_back(2));
  if (!shape)
    return fail("the dimensions before the last two of " + formatShape(a) + " @ " + formatShape(b) +
                    " do not go together",
                "each pair is equal, or one of the two is 1 or missing");
  int64_t count = 1;
  for (int64_t size : *shape)
    count *= size;
  if (count > mostProducts)
    return fail(formatShape(a) + " @ " + formatShape(b) + " is " + llvm::Twine(count) +
                    " products in one, which are written out; at most " + llvm::Twine(mostProducts) + " can be",
                "go through them in a loop");
  shape->push_back(a.end()[-2]);
  shape->push_back(b.back());
  return t.makeType(*shape, sum, isa::Memory::L0C);
}

static bool checkAccumulator(Tiles &t, const Value &acc, tile::TileType product, const Range &range) {
  DType sum = fromMlir(product.getElementType());
  if (product.getRank() != 2)
    return bool(t.fail(range, "RuntimeError",
                       "an accumulator takes one product, not the " + formatShape(product.getShape()) + " of several",
                       "go through them in a loop"));
  if (elementType(acc) != sum || shapeOf(acc) != product.getShape())
    return bool(
        t.fail(range, "RuntimeError",
               "the accumulator of a product " + formatShape(product.getShape()) + " cannot be " + t.describe(acc),
               "make it with asc2.zeros_acc(" + formatShape(product.getShape()) + ", asc." + name(sum) + ")"));
  return true;
}

static Value matmul(Tiles &t, const Arguments &args) {
  Value lhs = t.expectTile(args, 0);
  Value rhs = lhs ? t.expectTile(args, 1) : Value();
  tile::TileType type = rhs ? productType(t, lhs, rhs, args.range) : tile::TileType();
  if (!type)
    return {};
  Value acc;
  if (args[2]) {
    acc = t.expectTile(args, 2);
    if (!acc || !checkAccumulator(t, acc, type, args[2].range))
      return {};
  } else if (!t.checkTileType(type.getShape(), fromMlir(type.getElementType()), args.range)) {
    return {};
  }
  return ofTile(tile::MatmulOp::create(t.builder(), t.loc(args.range), type, lhs.ir, rhs.ir, acc.ir));
}

static Value matmulAcc(Tiles &t, const Arguments &args) {
  Value lhs = t.expectTile(args, 0);
  Value rhs = lhs ? t.expectTile(args, 1) : Value();
  tile::TileType type = rhs ? productType(t, lhs, rhs, args.range) : tile::TileType();
  if (!type)
    return {};
  const Value &acc = args[2].value;
  if (acc.kind != kinds::accumulator)
    return t.fail(args[2].range, isTile(t.values.read(acc)) ? "RuntimeError" : "TypeError",
                  "the accumulator of matmul_acc must come from asc2.zeros_acc, not be " + t.describe(acc));
  Value current = t.values.read(acc);
  if (!checkAccumulator(t, current, type, args[2].range))
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
  if ((*dtype != DType::F32 && *dtype != DType::I32) || shape->size() != 2)
    return t.fail(args.range, "RuntimeError",
                  "an accumulator is a float32 or int32 tile of 2 dimensions, not " + formatShape(*shape) + " " +
                      name(*dtype));
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
