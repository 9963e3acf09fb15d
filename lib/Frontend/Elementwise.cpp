// Element-wise builtins: unary, binary, comparison, selection, conversion.
#include "Lowering.h"

namespace tilesmith::frontend {

using tile::BinaryKind;
using tile::CompareKind;
using tile::UnaryKind;

static bool isShift(BinaryKind kind) { return kind == BinaryKind::Shl || kind == BinaryKind::Shr; }
static bool isBitwise(BinaryKind kind) {
  return kind == BinaryKind::And || kind == BinaryKind::Or || kind == BinaryKind::Xor;
}

// Brings two operands, at least one a tile, to one element type: tiles are cast, scalars converted to the tile's type.
static bool unify(Lowering &l, Value &lhs, Value &rhs, llvm::StringRef what, const Range &range) {
  for (Value *side : {&lhs, &rhs}) {
    if (side->isTile())
      *side = l.toUB(*side, range);
    else if (!l.isNumeric(*side))
      return bool(l.fail(range, "TypeError", what + " of a tile needs a tile or a number, not " + l.describe(*side)));
  }
  if (lhs.isTile() && rhs.isTile()) {
    if (lhs.tileType().getShape() != rhs.tileType().getShape())
      return bool(l.fail(range, "RuntimeError",
                         what + " of tiles of different shapes " + formatShape(lhs.tileType().getShape()) + " and " +
                             formatShape(rhs.tileType().getShape()),
                         "shapes are not broadcast by themselves; use .broadcast_to(...)"));
    std::optional<DType> dtype = l.promote(lhs.elementType(), rhs.elementType(), what, range);
    if (!dtype)
      return false;
    lhs = l.castTile(lhs, *dtype, range);
    rhs = l.castTile(rhs, *dtype, range);
    return true;
  }
  Value &scalar = lhs.isTile() ? rhs : lhs;
  DType dtype = (lhs.isTile() ? lhs : rhs).elementType();
  mlir::Value ir = l.toScalar(scalar, dtype, range);
  if (!ir)
    return false;
  scalar = Value::ofScalar(ir, dtype);
  return true;
}

Value Lowering::tileBinary(BinaryKind kind, Value lhs, Value rhs, const Range &range) {
  std::string what = tile::stringifyBinaryKind(kind).str();
  if (isShift(kind)) {
    bool ok = lhs.isTile() && isNumeric(rhs) && !isFloat(dtypeOf(rhs)) && isInteger(lhs.elementType()) &&
              lhs.elementType() != DType::Int1;
    if (!ok)
      return fail(range, "TypeError",
                  "a shift takes an integer tile and an integer number, not " + describe(lhs) + " and " +
                      describe(rhs));
    std::optional<int64_t> count = rhs.isHost() ? host.asInt(rhs.host) : 0;
    if (!count || *count < 0)
      return fail(range, "ValueError", "a shift count must not be negative or huge: " + host.repr(rhs.host));
  }
  if (!unify(*this, lhs, rhs, what, range))
    return {};
  tile::TileType type = (lhs.isTile() ? lhs : rhs).tileType();
  DType dtype = fromMlir(type.getElementType());
  if (isBitwise(kind) && isFloat(dtype))
    return fail(range, "TypeError",
                what + " is defined for integer tiles and comparison results, not for " + name(dtype));
  if (!isBitwise(kind) && dtype == DType::Int1)
    return fail(range, "TypeError", what + " is not defined for the result of a comparison",
                "select with asc2.where, combine with & | ^ ~");
  return applyMask(Value::ofTile(tile::BinaryOp::create(builder, loc(range), type, kind, lhs.ir, rhs.ir)), range);
}

Value Lowering::tileCompare(CompareKind kind, Value lhs, Value rhs, const Range &range) {
  if (!lhs.isTile()) {
    static constexpr CompareKind mirrored[] = {CompareKind::GT, CompareKind::LT, CompareKind::EQ,
                                               CompareKind::GE, CompareKind::LE, CompareKind::NE};
    std::swap(lhs, rhs);
    kind = mirrored[unsigned(kind)];
  }
  if (!unify(*this, lhs, rhs, "comparison", range))
    return {};
  if (lhs.elementType() == DType::Int1) {
    if (kind != CompareKind::EQ && kind != CompareKind::NE)
      return fail(range, "TypeError", "results of comparisons have no order", "compare them with == and !=");
    Value differs =
        Value::ofTile(tile::BinaryOp::create(builder, loc(range), lhs.tileType(), BinaryKind::Xor, lhs.ir, rhs.ir));
    return kind == CompareKind::NE ? differs : tileUnary(UnaryKind::Not, differs, range);
  }
  tile::TileType type = lhs.tileType().withElementType(builder.getI1Type());
  return applyMask(Value::ofTile(tile::CompareOp::create(builder, loc(range), type, kind, lhs.ir, rhs.ir)), range);
}

Value Lowering::tileUnary(UnaryKind kind, const Value &operand, const Range &range) {
  DType dtype = operand.elementType();
  std::string what = tile::stringifyUnaryKind(kind).str();
  bool allowed = kind == UnaryKind::Not                              ? isInteger(dtype)
                 : kind == UnaryKind::Neg || kind == UnaryKind::Relu ? dtype != DType::Int1
                                                                     : isFloat(dtype);
  if (!allowed)
    return fail(range, "RuntimeError", what + " is not defined for tiles of " + name(dtype),
                isInteger(dtype) && kind != UnaryKind::Not ? "convert it first: .to(asc.float32)" : "");
  // The write-out of the cube applies relu itself, so it stays in L0C.
  Value input = kind == UnaryKind::Relu && masks.empty() ? operand : toUB(operand, range);
  return applyMask(Value::ofTile(tile::UnaryOp::create(builder, loc(range), input.ir.getType(), kind, input.ir)),
                   range);
}

template <UnaryKind kind> static Value unary(Lowering &l, const Arguments &args) {
  Value operand = l.expectTile(args, 0);
  return operand ? l.tileUnary(kind, operand, args.range) : Value();
}

// exp, erf and sqrt also take a number. It travels as a one-element tile, so that it has the bits a tile would have.
template <UnaryKind kind> static Value unaryOrScalar(Lowering &l, const Arguments &args) {
  const Value &operand = args[0].value;
  if (!l.isNumeric(operand))
    return unary<kind>(l, args);
  DType dtype =
      operand.isScalar() && isFloat(operand.dtype) && isTileElement(operand.dtype) ? operand.dtype : DType::Float32;
  mlir::Value scalar = l.toScalar(operand, dtype, args[0].range);
  if (!scalar)
    return {};
  mlir::Location at = l.loc(args.range);
  tile::TileType type = l.tileType({1}, dtype);
  mlir::Value tile = tile::SplatOp::create(l.builder, at, type, scalar);
  tile = tile::UnaryOp::create(l.builder, at, type, kind, tile);
  return Value::ofScalar(tile::ExtractOp::create(l.builder, at, l.type(dtype), tile), dtype);
}

static bool needTile(Lowering &l, const Arguments &args, Value &lhs, Value &rhs) {
  lhs = l.read(args[0].value), rhs = l.read(args[1].value);
  return lhs.isTile() || rhs.isTile() ||
         bool(l.fail(args.range, "TypeError",
                     args.name + " needs at least one tile, not " + l.describe(lhs) + " and " + l.describe(rhs)));
}

template <BinaryKind kind> static Value binary(Lowering &l, const Arguments &args) {
  Value lhs, rhs;
  return needTile(l, args, lhs, rhs) ? l.tileBinary(kind, lhs, rhs, args.range) : Value();
}

template <CompareKind kind> static Value compare(Lowering &l, const Arguments &args) {
  Value lhs, rhs;
  return needTile(l, args, lhs, rhs) ? l.tileCompare(kind, lhs, rhs, args.range) : Value();
}

static Value where(Lowering &l, const Arguments &args) {
  Value mask = l.expectTile(args, 0);
  if (!mask)
    return {};
  if (mask.elementType() != DType::Int1)
    return l.fail(args[0].range, "TypeError",
                  "the mask of asc2.where must be the result of a comparison, not " + l.describe(mask),
                  "compare it: tile != 0");
  Value sides[2] = {l.read(args[1].value), l.read(args[2].value)};
  for (int i : {0, 1}) {
    if (!sides[i].isTile() && !l.isNumeric(sides[i]))
      return l.fail(args[i + 1].range, "TypeError", "asc2.where selects tiles or numbers, not " + l.describe(sides[i]));
    if (sides[i].isTile() && sides[i].tileType().getShape() != mask.tileType().getShape())
      return l.fail(args[i + 1].range, "RuntimeError",
                    "asc2.where selects from a tile of shape " + formatShape(sides[i].tileType().getShape()) +
                        " with a mask of shape " + formatShape(mask.tileType().getShape()),
                    "use .broadcast_to(...)");
  }
  DType dtype;
  if (sides[0].isTile() != sides[1].isTile()) {
    dtype = (sides[0].isTile() ? sides[0] : sides[1]).elementType();
  } else {
    std::optional<DType> common = l.promote(l.dtypeOf(sides[0]), l.dtypeOf(sides[1]), "selection", args.range);
    if (!common)
      return {};
    dtype = *common;
  }
  if (!l.checkTileType(mask.tileType().getShape(), dtype, args.range))
    return {};
  mlir::Value operands[2];
  for (int i : {0, 1}) {
    operands[i] = sides[i].isTile() ? l.castTile(l.toUB(sides[i], args[i + 1].range), dtype, args[i + 1].range).ir
                                    : l.toScalar(sides[i], dtype, args[i + 1].range);
    if (!operands[i])
      return {};
  }
  Value chosen = Value::ofTile(tile::SelectOp::create(
      l.builder, l.loc(args.range), l.tileType(mask.tileType().getShape(), dtype), mask.ir, operands[0], operands[1]));
  return l.applyMask(chosen, args.range);
}

static Value to(Lowering &l, const Arguments &args) {
  Value tile = l.expectTile(args, 0);
  std::optional<DType> dtype = tile ? l.expectDType(args[1], "the argument of to") : std::nullopt;
  if (!dtype)
    return {};
  if (*dtype == DType::Int1 && tile.elementType() != DType::Int1)
    return l.fail(args[1].range, "RuntimeError", "a tile cannot be converted to int1", "compare it: tile != 0");
  if (!l.checkTileType(tile.tileType().getShape(), *dtype, args[1].range))
    return {};
  if (l.masks.empty() || tile.elementType() == *dtype)
    return l.castTile(tile, *dtype, args.range);
  return l.applyMask(l.castTile(l.toUB(tile, args.range), *dtype, args.range), args.range);
}

static Value softmax(Lowering &l, const Arguments &args) {
  Value input = l.expectTile(args, 0);
  if (!input)
    return {};
  DType dtype = input.elementType();
  if (dtype != DType::Float32 && dtype != DType::Float16)
    return l.fail(args[0].range, "RuntimeError", "softmax is defined for float32 and float16, not for " + name(dtype));
  if (input.tileType().getRank() > 2)
    return l.fail(args[0].range, "RuntimeError",
                  "softmax takes a tile of at most 2 dimensions, not " + l.describe(input));
  input = l.toUB(input, args.range);
  return Value::ofTile(tile::SoftmaxOp::create(l.builder, l.loc(args.range), input.ir.getType(), input.ir));
}

static Value rmsNorm(Lowering &l, const Arguments &args) {
  Value input = l.expectTile(args, 0);
  Value gamma = input ? l.expectTile(args, 1) : Value();
  if (!gamma)
    return {};
  DType dtype = input.elementType();
  if (dtype != DType::Float32 && dtype != DType::Float16)
    return l.fail(args[0].range, "RuntimeError", "rms_norm is defined for float32 and float16, not for " + name(dtype));
  if (input.tileType().getRank() > 2)
    return l.fail(args[0].range, "RuntimeError",
                  "rms_norm takes a tile of at most 2 dimensions, not " + l.describe(input));
  int64_t columns = input.tileType().getShape().back();
  if (gamma.tileType().getNumElements() != columns)
    return l.fail(args[1].range, "RuntimeError",
                  "gamma has " + llvm::Twine(gamma.tileType().getNumElements()) + " elements for rows of " +
                      llvm::Twine(columns));
  if (!isFloat(gamma.elementType()))
    return l.fail(args[1].range, "RuntimeError", "gamma must be a tile of floats, not " + l.describe(gamma));
  mlir::Value epsilon = l.toScalar(args[2].value, DType::Float32, args[2].range);
  if (!epsilon)
    return {};
  input = l.toUB(input, args.range);
  gamma = l.castTile(l.toUB(gamma, args.range), dtype, args[1].range);
  return Value::ofTile(
      tile::RmsNormOp::create(l.builder, l.loc(args.range), input.ir.getType(), input.ir, gamma.ir, epsilon));
}

llvm::ArrayRef<BuiltinEntry> elementwiseBuiltins() {
  static constexpr BuiltinEntry entries[] = {
      {"asc2.add", "input, other", binary<BinaryKind::Add>},
      {"asc2.sub", "input, other", binary<BinaryKind::Sub>},
      {"asc2.mul", "input, other", binary<BinaryKind::Mul>},
      {"asc2.div", "input, other", binary<BinaryKind::Div>},
      {"asc2.maximum", "input, other", binary<BinaryKind::Max>},
      {"asc2.minimum", "input, other", binary<BinaryKind::Min>},
      {"asc2.left_shift", "input, other", binary<BinaryKind::Shl>},
      {"asc2.right_shift", "input, other", binary<BinaryKind::Shr>},
      {"asc2.equal", "input, other", compare<CompareKind::EQ>},
      {"asc2.not_equal", "input, other", compare<CompareKind::NE>},
      {"asc2.greater", "input, other", compare<CompareKind::GT>},
      {"asc2.greater_equal", "input, other", compare<CompareKind::GE>},
      {"asc2.less", "input, other", compare<CompareKind::LT>},
      {"asc2.less_equal", "input, other", compare<CompareKind::LE>},
      {"asc2.abs", "input", unary<UnaryKind::Abs>},
      {"asc2.ceil", "input", unary<UnaryKind::Ceil>},
      {"asc2.cos", "input", unary<UnaryKind::Cos>},
      {"asc2.cosh", "input", unary<UnaryKind::Cosh>},
      {"asc2.erf", "input", unaryOrScalar<UnaryKind::Erf>},
      {"asc2.exp", "input", unaryOrScalar<UnaryKind::Exp>},
      {"asc2.exp2", "input", unary<UnaryKind::Exp2>},
      {"asc2.floor", "input", unary<UnaryKind::Floor>},
      {"asc2.log", "input", unary<UnaryKind::Log>},
      {"asc2.log2", "input", unary<UnaryKind::Log2>},
      {"asc2.negative", "input", unary<UnaryKind::Neg>},
      {"asc2.relu", "input", unary<UnaryKind::Relu>},
      {"asc2.rsqrt", "input", unary<UnaryKind::Rsqrt>},
      {"asc2.sin", "input", unary<UnaryKind::Sin>},
      {"asc2.sinh", "input", unary<UnaryKind::Sinh>},
      {"asc2.sqrt", "input", unaryOrScalar<UnaryKind::Sqrt>},
      {"asc2.tan", "input", unary<UnaryKind::Tan>},
      {"asc2.tanh", "input", unary<UnaryKind::Tanh>},
      {"asc2.softmax", "input", softmax},
      {"asc2.rms_norm", "input, gamma, epsilon", rmsNorm},
      {"asc2.where", "mask, src0, src1", where},
      {"Tile.to", "self, dtype", to},
  };
  return entries;
}

} // namespace tilesmith::frontend
