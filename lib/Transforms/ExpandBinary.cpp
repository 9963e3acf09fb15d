// Remainders and powers.
//
// A remainder of floats is exact while the truncated quotient is below 2^22, and NaN beyond. A power to an integer
// known while compiling is a product; any other of floats is exp(y log|x|), whose error grows with the logarithm of the
// result (1e-5 at the ends of f32), with the special cases of C.
#include "ExpandBinary.h"

#include "tilesmith/Support/Formulas.h"

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
  return isFloat ? formulas::power(t, x, y) : powerOfIntegers(t, x, y);
}

Value expandBinary(TileBuilder &t, tile::BinaryOp op) {
  tile::TileType type = op.getType();
  Type element = type.getElementType();
  bool isFloat = llvm::isa<FloatType>(element);
  Type wide = isFloat ? Type(t.b.getF32Type()) : element;
  Value x = t.cast(t.splat(op.getLhs(), type), wide), y = t.cast(t.splat(op.getRhs(), type), wide);
  if (op.getKind() == BinaryKind::Pow)
    return t.cast(power(t, op, x, y), element);
  Value rest = isFloat ? formulas::remainder(t, x, y) : t.sub(x, t.mul(t.div(x, y), y));
  return t.cast(op.getKind() == BinaryKind::Mod ? withSignOf(t, rest, y) : rest, element);
}

} // namespace tilesmith
