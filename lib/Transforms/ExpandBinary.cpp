// Remainders and powers.
//
// A remainder of floats is exact while the truncated quotient is below 2^22, and NaN beyond. A power to an integer
// known while compiling is a product; any other of floats is exp(y log|x|), whose error grows with the logarithm of the
// result (1e-5 at the ends of f32), with the special cases of C.
#include "ExpandBinary.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using tilesmith::tile::BinaryKind;
using tilesmith::tile::CompareKind;
using tilesmith::tile::UnaryKind;

namespace tilesmith {

bool isComposed(BinaryKind kind) {
  return kind == BinaryKind::Rem || kind == BinaryKind::Mod || kind == BinaryKind::Pow;
}

// x - trunc(x / y) y for f32, with the sign of x.
//
// Operands are scaled so that nothing overflows. The quotient and the divisor are cut into halves of 11 and 12 bits:
// their products are exact, and so are the differences in this order. The quotient may be one off, as the division
// rounds; that is put right at the end.
static Value remainderOfFloats(TileBuilder &t, Value x, Value y) {
  static constexpr double mostQuotient = 0x1p+22, half = 0x1p+11, splitter = 4097;
  Type f32 = t.b.getF32Type();
  Value a = t.unary(UnaryKind::Abs, x), b = t.unary(UnaryKind::Abs, y);
  Value isLarge = t.compare(CompareKind::GT, b, 1.0);
  Value scale = t.select(isLarge, t.constant(f32, 0x1p-32), t.constant(f32, 0x1p+32));
  Value back = t.select(isLarge, t.constant(f32, 0x1p+32), t.constant(f32, 0x1p-32));
  Value left = t.mul(a, scale), right = t.mul(b, scale);
  Value quotient = t.unary(UnaryKind::Floor, t.div(left, right));
  Value high = t.mul(t.unary(UnaryKind::Floor, t.mul(quotient, 1 / half)), half), low = t.sub(quotient, high);
  Value wide = t.mul(right, splitter), top = t.sub(wide, t.sub(wide, right)), bottom = t.sub(right, top);
  Value rest = left;
  for (auto [q, d] : {std::pair(high, top), {high, bottom}, {low, top}, {low, bottom}})
    rest = t.sub(rest, t.mul(q, d));
  rest = t.select(t.compare(CompareKind::LT, rest, 0.0), t.add(rest, right), rest);
  rest = t.select(t.compare(CompareKind::GE, rest, right), t.sub(rest, right), rest);
  rest = t.mul(rest, back);
  rest = t.select(t.compare(CompareKind::LT, x, 0.0), t.mul(rest, -1.0), rest);
  Value nan = t.constant(f32, std::numeric_limits<double>::quiet_NaN());
  rest = t.select(t.compare(CompareKind::LT, quotient, mostQuotient), rest, nan);
  return t.select(t.compare(CompareKind::LT, a, b), x, rest);
}

// The remainder with the sign of y, from the one with the sign of x.
static Value withSignOf(TileBuilder &t, Value rest, Value y) {
  Type type = elementTypeOf(rest);
  if (type.isUnsignedInteger())
    return rest;
  Value differs = llvm::isa<FloatType>(type) ? t.binary(BinaryKind::Xor, t.compare(CompareKind::LT, rest, 0.0),
                                                        t.compare(CompareKind::LT, y, 0.0))
                                             : t.compare(CompareKind::LT, t.binary(BinaryKind::Xor, rest, y), 0.0);
  Value isPartial = t.both(t.compare(CompareKind::NE, rest, 0.0), differs);
  return t.select(isPartial, t.add(rest, y), rest);
}

// A product of `exponent` factors.
static Value powerByProducts(TileBuilder &t, Value x, uint64_t exponent) {
  Value result;
  for (Value factor = x; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = result ? t.mul(result, factor) : factor;
    if (exponent > 1)
      factor = t.mul(factor, factor);
  }
  return result;
}

static Value powerOfIntegers(TileBuilder &t, Value x, Value y) {
  tile::TileType type = tileTypeOf(x);
  Type element = type.getElementType();
  bool isSigned = !element.isUnsignedInteger();
  unsigned bits = element.getIntOrFloatBitWidth() - isSigned;
  auto number = [&](int64_t value) {
    return t.splat(arith::ConstantOp::create(t.b, t.loc, t.b.getIntegerAttr(tile::scalarTypeOf(element), value)), type);
  };
  auto bitOf = [&](unsigned bit) {
    Value chosen = t.both(y, number(int64_t(uint64_t(1) << bit)));
    return tile::CompareOp::create(t.b, t.loc, type.withElementType(t.b.getI1Type()), CompareKind::NE, chosen,
                                   number(0))
        .getResult();
  };
  auto select = [&](Value mask, Value a, Value b) {
    return tile::SelectOp::create(t.b, t.loc, type, mask, a, b).getResult();
  };
  Value one = number(1), result = one, factor = x;
  for (unsigned bit = 0; bit < bits; ++bit) {
    result = select(bitOf(bit), t.mul(result, factor), result);
    if (bit + 1 < bits)
      factor = t.mul(factor, factor);
  }
  if (!isSigned)
    return result;
  // To a negative power only 1 and -1 are not fractions.
  Value isUnit = t.either(t.compare(CompareKind::EQ, x, 1.0), t.compare(CompareKind::EQ, x, -1.0));
  Value inverse = select(isUnit, select(bitOf(0), x, one), number(0));
  return select(t.compare(CompareKind::LT, y, 0.0), inverse, result);
}

static Value powerOfFloats(TileBuilder &t, Value x, Value y) {
  double infinity = std::numeric_limits<double>::infinity();
  Value one = t.splat(t.constant(t.b.getF32Type(), 1.0), tileTypeOf(x));
  Value size = t.exp(t.mul(t.unary(UnaryKind::Log, t.unary(UnaryKind::Abs, x)), y));
  // Whether y is an odd integer, an integer; whether x is negative, -0 included.
  Value halves = t.mul(y, 0.5);
  Value isOdd = t.compare(CompareKind::EQ, t.sub(halves, t.unary(UnaryKind::Floor, halves)), 0.5);
  Value isWhole = t.compare(CompareKind::EQ, t.unary(UnaryKind::Floor, y), y);
  Value isNegative = t.either(t.compare(CompareKind::LT, x, 0.0), t.compare(CompareKind::LT, t.div(1.0, x), 0.0));
  Value result = t.select(t.both(isNegative, isOdd), t.mul(size, -1.0), size);
  Value isFiniteNegative = t.both(t.compare(CompareKind::LT, x, 0.0), t.compare(CompareKind::GT, x, -infinity));
  Value isRoot = t.both(isFiniteNegative, t.unary(UnaryKind::Not, isWhole));
  result = t.select(isRoot, t.constant(t.b.getF32Type(), std::numeric_limits<double>::quiet_NaN()), result);
  // |x| of 1 has a logarithm of 0, which an infinite y makes a NaN.
  Value isUnit =
      t.both(t.compare(CompareKind::EQ, x, -1.0), t.compare(CompareKind::EQ, t.unary(UnaryKind::Abs, y), infinity));
  Value isOne = t.either(t.either(t.compare(CompareKind::EQ, x, 1.0), t.compare(CompareKind::EQ, y, 0.0)), isUnit);
  return t.select(isOne, one, result);
}

// An exponent that is a small integer, known while compiling.
static std::optional<int64_t> wholeExponent(Value y) {
  static constexpr double most = 64;
  FloatAttr real;
  IntegerAttr integer;
  if (matchPattern(y, m_Constant(&integer)))
    return integer.getInt();
  if (!matchPattern(y, m_Constant(&real)))
    return std::nullopt;
  double value = real.getValueAsDouble();
  return std::fabs(value) <= most && std::floor(value) == value ? std::optional<int64_t>(int64_t(value)) : std::nullopt;
}

static Value power(TileBuilder &t, tile::BinaryOp op, Value x, Value y) {
  bool isFloat = llvm::isa<FloatType>(elementTypeOf(x));
  if (auto whole = wholeExponent(op.getRhs()); whole && tileTypeOf(op.getLhs()) && (isFloat || *whole >= 0)) {
    if (*whole == 0)
      return t.splat(t.constant(elementTypeOf(x), 1.0), tileTypeOf(x));
    Value product = powerByProducts(t, x, uint64_t(std::abs(*whole)));
    return *whole < 0 ? t.div(1.0, product) : product;
  }
  FloatAttr known;
  if (matchPattern(op.getRhs(), m_Constant(&known)) && known.getValueAsDouble() == 0.5 && tileTypeOf(op.getLhs())) {
    double infinity = std::numeric_limits<double>::infinity(); // its power is infinite also where it is negative
    return t.select(t.compare(CompareKind::EQ, x, -infinity), t.constant(elementTypeOf(x), infinity),
                    t.unary(UnaryKind::Sqrt, x));
  }
  return isFloat ? powerOfFloats(t, x, y) : powerOfIntegers(t, x, y);
}

Value expandBinary(TileBuilder &t, tile::BinaryOp op) {
  tile::TileType type = op.getType();
  Type element = type.getElementType();
  bool isFloat = llvm::isa<FloatType>(element);
  Type wide = isFloat ? Type(t.b.getF32Type()) : element;
  Value x = t.cast(t.splat(op.getLhs(), type), wide), y = t.cast(t.splat(op.getRhs(), type), wide);
  if (op.getKind() == BinaryKind::Pow)
    return t.cast(power(t, op, x, y), element);
  Value rest = isFloat ? remainderOfFloats(t, x, y) : t.sub(x, t.mul(t.div(x, y), y));
  return t.cast(op.getKind() == BinaryKind::Mod ? withSignOf(t, rest, y) : rest, element);
}

} // namespace tilesmith
