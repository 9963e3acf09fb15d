// Element-wise operations and builtins: unary, binary, comparison, selection, conversion.
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

using tile::BinaryKind;
using tile::CompareKind;
using tile::UnaryKind;

static bool isShift(BinaryKind kind) { return kind == BinaryKind::Shl || kind == BinaryKind::Shr; }
static bool isBitwise(BinaryKind kind) {
  return kind == BinaryKind::And || kind == BinaryKind::Or || kind == BinaryKind::Xor;
}

// Brings two operands, at least one a tile, to one element type: tiles are cast, scalars converted to the tile's type.
bool Elementwise::unify(Value &lhs, Value &rhs, llvm::StringRef what, const Range &range) {
  for (Value *side : {&lhs, &rhs}) {
    if (isTile(*side))
      *side = t.toUB(*side, range);
    else if (!t.values.isNumeric(*side))
      return bool(t.fail(range, "TypeError", what + " of a tile needs a tile or a number, not " + t.describe(*side),
                         t.toTile(*side)));
  }
  if (isTile(lhs) && isTile(rhs)) {
    auto shape = t.commonShape(shapeOf(lhs), shapeOf(rhs), what, range);
    std::optional<DType> dtype = shape ? t.promote(elementType(lhs), elementType(rhs), what, range) : std::nullopt;
    if (!dtype)
      return false;
    lhs = t.broadcast(t.cast(lhs, *dtype, range), *shape, range);
    rhs = t.broadcast(t.cast(rhs, *dtype, range), *shape, range);
    return true;
  }
  Value &scalar = isTile(lhs) ? rhs : lhs;
  DType dtype = elementType(isTile(lhs) ? lhs : rhs);
  mlir::Value ir = t.scalars.convert(scalar, dtype, range);
  if (!ir)
    return false;
  scalar = Value::ofScalar(ir, dtype);
  return true;
}

bool Elementwise::checkShift(const Value &lhs, const Value &rhs, const Range &range) {
  bool ok = isTile(lhs) && t.values.isInteger(rhs) && isInteger(elementType(lhs)) && elementType(lhs) != DType::I1;
  if (!ok)
    return bool(t.fail(range, "TypeError",
                       "a shift takes an integer tile and an integer number, not " + t.describe(lhs) + " and " +
                           t.describe(rhs)));
  std::optional<int64_t> count = rhs.isHost() ? t.host.asInt(rhs.host) : 0;
  if (!count || *count < 0)
    return bool(t.fail(range, "ValueError", "a shift count must not be negative or huge: " + t.host.repr(rhs.host)));
  return true;
}

Value Elementwise::binary(BinaryKind kind, Value lhs, Value rhs, const Range &range) {
  std::string what = tile::stringifyBinaryKind(kind).str();
  if (isShift(kind) && !checkShift(lhs, rhs, range))
    return {};
  if (kind == BinaryKind::Pow && isTile(lhs) && isInteger(elementType(lhs)) && rhs.isHost() &&
      t.host.asInt(rhs.host).value_or(0) < 0)
    return t.fail(range, "ValueError", "an integer tile cannot be raised to the power " + t.host.repr(rhs.host),
                  "convert it first: .to(asc.float32)");
  if (!unify(lhs, rhs, what, range))
    return {};
  tile::TileType type = tileType(isTile(lhs) ? lhs : rhs);
  DType dtype = fromMlir(type.getElementType());
  if (isBitwise(kind) && isFloat(dtype))
    return t.fail(range, "TypeError",
                  what + " is defined for integer tiles and comparison results, not for " + name(dtype));
  if (!isBitwise(kind) && dtype == DType::I1)
    return t.fail(range, "TypeError", what + " is not defined for the result of a comparison",
                  "select with asc2.where, combine with & | ^ ~");
  return t.masks.apply(ofTile(tile::BinaryOp::create(t.builder(), t.loc(range), type, kind, lhs.ir, rhs.ir)), range);
}

Value Elementwise::compare(CompareKind kind, Value lhs, Value rhs, const Range &range) {
  if (!isTile(lhs)) {
    static constexpr CompareKind mirrored[] = {CompareKind::GT, CompareKind::LT, CompareKind::EQ,
                                               CompareKind::GE, CompareKind::LE, CompareKind::NE};
    std::swap(lhs, rhs);
    kind = mirrored[unsigned(kind)];
  }
  if (!unify(lhs, rhs, "comparison", range))
    return {};
  if (elementType(lhs) == DType::I1) {
    if (kind != CompareKind::EQ && kind != CompareKind::NE)
      return t.fail(range, "TypeError", "results of comparisons have no order", "compare them with == and !=");
    Value differs =
        ofTile(tile::BinaryOp::create(t.builder(), t.loc(range), tileType(lhs), BinaryKind::Xor, lhs.ir, rhs.ir));
    return kind == CompareKind::NE ? differs : unary(UnaryKind::Not, differs, range);
  }
  tile::TileType type = tileType(lhs).withElementType(t.builder().getI1Type());
  return t.masks.apply(ofTile(tile::CompareOp::create(t.builder(), t.loc(range), type, kind, lhs.ir, rhs.ir)), range);
}

Value Elementwise::unary(UnaryKind kind, const Value &operand, const Range &range) {
  DType dtype = elementType(operand);
  std::string what = tile::stringifyUnaryKind(kind).str();
  bool allowed = kind == UnaryKind::Not                              ? isInteger(dtype)
                 : kind == UnaryKind::Neg || kind == UnaryKind::Relu ? dtype != DType::I1
                                                                     : isFloat(dtype);
  if (!allowed)
    return t.fail(range, "RuntimeError", what + " is not defined for tiles of " + name(dtype),
                  isInteger(dtype) && kind != UnaryKind::Not ? "convert it first: .to(asc.float32)" : "");
  // The write-out of the cube applies relu to floats itself, so it stays in L0C.
  Value input = kind == UnaryKind::Relu && isFloat(dtype) && !t.masks.isActive() ? operand : t.toUB(operand, range);
  return t.masks.apply(ofTile(tile::UnaryOp::create(t.builder(), t.loc(range), input.ir.getType(), kind, input.ir)),
                       range);
}

// An element-wise function as it is declared: its operation, and whether it also takes a number.
struct Function {
  llvm::StringRef operation;
  bool takesNumber;
};

static const Function &declared(const Arguments &args) {
  static const llvm::StringMap<Function> functions = {
#define TILESMITH_ELEMENTWISE(group, name, operation, takesNumber) {name, {operation, takesNumber}},
#include "tilesmith/Frontend/Asc2Declarations.inc"
  };
  return functions.find(args.name)->second;
}

// A number travels as a one-element tile, so that it has the bits a tile would have.
static Value unaryOfNumber(Tiles &t, UnaryKind kind, const Arguments &args) {
  const Value &operand = args[0].value;
  DType dtype =
      operand.isScalar() && isFloat(operand.dtype) && isTileElement(operand.dtype) ? operand.dtype : DType::F32;
  mlir::Value scalar = t.scalars.convert(operand, dtype, args[0].range);
  if (!scalar)
    return {};
  mlir::Location at = t.loc(args.range);
  tile::TileType type = t.makeType({1}, dtype);
  mlir::Value tile = tile::SplatOp::create(t.builder(), at, type, scalar);
  tile = tile::UnaryOp::create(t.builder(), at, type, kind, tile);
  return Value::ofScalar(tile::ExtractOp::create(t.builder(), at, t.l.ir.type(dtype), tile), dtype);
}

static Value unary(Tiles &t, const Arguments &args) {
  const Function &function = declared(args);
  UnaryKind kind = *tile::symbolizeUnaryKind(function.operation);
  if (function.takesNumber && t.values.isNumeric(args[0].value))
    return unaryOfNumber(t, kind, args);
  Value operand = t.expectTile(args, 0);
  return operand ? t.elementwise.unary(kind, operand, args.range) : Value();
}

static bool needTile(Tiles &t, const Arguments &args, Value &lhs, Value &rhs) {
  lhs = t.values.read(args[0].value), rhs = t.values.read(args[1].value);
  return isTile(lhs) || isTile(rhs) ||
         bool(t.fail(args.range, "TypeError",
                     args.name + " needs at least one tile, not " + t.describe(lhs) + " and " + t.describe(rhs)));
}

static Value binary(Tiles &t, const Arguments &args) {
  BinaryKind kind = *tile::symbolizeBinaryKind(declared(args).operation);
  Value lhs, rhs;
  return needTile(t, args, lhs, rhs) ? t.elementwise.binary(kind, lhs, rhs, args.range) : Value();
}

static Value comparison(Tiles &t, const Arguments &args) {
  CompareKind kind = *tile::symbolizeCompareKind(declared(args).operation);
  Value lhs, rhs;
  return needTile(t, args, lhs, rhs) ? t.elementwise.compare(kind, lhs, rhs, args.range) : Value();
}

static Value where(Tiles &t, const Arguments &args) {
  Value mask = t.expectTile(args, 0);
  if (!mask)
    return {};
  if (elementType(mask) != DType::I1)
    return t.fail(args[0].range, "TypeError",
                  "the mask of asc2.where must be the result of a comparison, not " + t.describe(mask),
                  "compare it: tile != 0");
  Value sides[2] = {t.values.read(args[1].value), t.values.read(args[2].value)};
  llvm::SmallVector<int64_t> shape(shapeOf(mask));
  for (int i : {0, 1}) {
    if (!isTile(sides[i]) && !t.values.isNumeric(sides[i]))
      return t.fail(args[i + 1].range, "TypeError", "asc2.where selects tiles or numbers, not " + t.describe(sides[i]));
    if (!isTile(sides[i]))
      continue;
    auto common = t.commonShape(shape, shapeOf(sides[i]), "selection", args[i + 1].range);
    if (!common)
      return {};
    shape = *common;
  }
  DType dtype;
  if (isTile(sides[0]) != isTile(sides[1])) {
    dtype = elementType(isTile(sides[0]) ? sides[0] : sides[1]);
  } else {
    std::optional<DType> common =
        t.promote(t.values.dtypeOf(sides[0]), t.values.dtypeOf(sides[1]), "selection", args.range);
    if (!common)
      return {};
    dtype = *common;
  }
  if (!t.checkTileType(shape, dtype, args.range))
    return {};
  mlir::Value operands[2];
  for (int i : {0, 1}) {
    const Range &range = args[i + 1].range;
    operands[i] = isTile(sides[i]) ? t.broadcast(t.cast(t.toUB(sides[i], range), dtype, range), shape, range).ir
                                   : t.scalars.convert(sides[i], dtype, range);
    if (!operands[i])
      return {};
  }
  mask = t.broadcast(mask, shape, args[0].range);
  Value chosen = ofTile(tile::SelectOp::create(t.builder(), t.loc(args.range), t.makeType(shape, dtype), mask.ir,
                                               operands[0], operands[1]));
  return t.masks.apply(chosen, args.range);
}

static Value to(Tiles &t, const Arguments &args) {
  Value tile = t.expectTile(args, 0);
  std::optional<DType> dtype = tile ? t.l.expect.dtype(args[1], "the argument of to") : std::nullopt;
  if (!dtype)
    return {};
  if (*dtype == DType::I1 && elementType(tile) != DType::I1)
    return t.fail(args[1].range, "RuntimeError", "a tile cannot be converted to int1", "compare it: tile != 0");
  if (!t.checkTileType(shapeOf(tile), *dtype, args[1].range))
    return {};
  if (!t.masks.isActive() || elementType(tile) == *dtype)
    return t.cast(tile, *dtype, args.range);
  return t.masks.apply(t.cast(t.toUB(tile, args.range), *dtype, args.range), args.range);
}

static Value softmax(Tiles &t, const Arguments &args) {
  Value input = t.expectTile(args, 0);
  if (!input)
    return {};
  DType dtype = elementType(input);
  if (dtype != DType::F32 && dtype != DType::F16)
    return t.fail(args[0].range, "RuntimeError", "softmax is defined for float32 and float16, not for " + name(dtype));
  if (tileType(input).getRank() > 2)
    return t.fail(args[0].range, "RuntimeError",
                  "softmax takes a tile of at most 2 dimensions, not " + t.describe(input));
  input = t.toUB(input, args.range);
  return ofTile(tile::SoftmaxOp::create(t.builder(), t.loc(args.range), input.ir.getType(), input.ir));
}

static Value rmsNorm(Tiles &t, const Arguments &args) {
  Value input = t.expectTile(args, 0);
  Value gamma = input ? t.expectTile(args, 1) : Value();
  if (!gamma)
    return {};
  DType dtype = elementType(input);
  if (dtype != DType::F32 && dtype != DType::F16)
    return t.fail(args[0].range, "RuntimeError", "rms_norm is defined for float32 and float16, not for " + name(dtype));
  if (tileType(input).getRank() > 2)
    return t.fail(args[0].range, "RuntimeError",
                  "rms_norm takes a tile of at most 2 dimensions, not " + t.describe(input));
  int64_t columns = shapeOf(input).back();
  if (tileType(gamma).getNumElements() != columns)
    return t.fail(args[1].range, "RuntimeError",
                  "gamma has " + llvm::Twine(tileType(gamma).getNumElements()) + " elements for rows of " +
                      llvm::Twine(columns));
  if (!isFloat(elementType(gamma)))
    return t.fail(args[1].range, "RuntimeError", "gamma must be a tile of floats, not " + t.describe(gamma));
  mlir::Value epsilon = t.scalars.convert(args[2].value, DType::F32, args[2].range);
  if (!epsilon)
    return {};
  input = t.toUB(input, args.range);
  gamma = t.cast(t.toUB(gamma, args.range), dtype, args[1].range);
  return ofTile(
      tile::RmsNormOp::create(t.builder(), t.loc(args.range), input.ir.getType(), input.ir, gamma.ir, epsilon));
}

llvm::ArrayRef<Builtin::Row> elementwiseBuiltins() {
  static constexpr Builtin::Row rows[] = {
#define TILESMITH_ELEMENTWISE(group, name, operation, takesNumber) {name, on<group>},
#include "tilesmith/Frontend/Asc2Declarations.inc"
      {"asc2.softmax", on<softmax>},
      {"asc2.rms_norm", on<rmsNorm>},
      {"asc2.where", on<where>},
      {"Tile.to", on<to>},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
