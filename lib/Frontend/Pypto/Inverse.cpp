// Inverse trigonometric and hyperbolic functions, and the cube root: computed in FP32, rounded once to the type of the
// tensor. Branches are chosen at the end, element by element, so what a branch not taken makes of an element is lost.
#include "Operator.h"

#include <numbers>

namespace tilesmith::frontend::pypto {

using graph::BinaryKind;
using graph::UnaryKind;
using tile::CompareKind;

namespace {

// A tensor of FP32, or a number, in a formula. Shapes have been checked, so no step fails.
class Term {
public:
  Term(Operator &o, const Range &range, Value value) : o(&o), range(&range), value(std::move(value)) {}

  Term number(double one) const { return with(Value::ofHost(o->host.makeFloat(one))); }
  Term unary(UnaryKind kind) const { return with(o->unary(kind, value, *range)); }
  Term binary(BinaryKind kind, const Term &other) const { return with(o->binary(kind, value, other.value, *range)); }
  Term compare(CompareKind kind, const Term &other) const { return with(o->compare(kind, value, other.value, *range)); }
  // Of truth values: one of two.
  Term choose(const Term &yes, const Term &no) const { return with(o->select(value, yes.value, no.value, *range)); }

  friend Term operator+(const Term &a, const Term &b) { return a.binary(BinaryKind::Add, b); }
  friend Term operator-(const Term &a, const Term &b) { return a.binary(BinaryKind::Sub, b); }
  friend Term operator*(const Term &a, const Term &b) { return a.binary(BinaryKind::Mul, b); }
  friend Term operator/(const Term &a, const Term &b) { return a.binary(BinaryKind::Div, b); }
  friend Term operator+(const Term &a, double b) { return a + a.number(b); }
  friend Term operator-(const Term &a, double b) { return a + -b; }
  friend Term operator*(const Term &a, double b) { return a * a.number(b); }
  friend Term operator-(double a, const Term &b) { return -b + a; }
  friend Term operator-(const Term &a) { return a.unary(UnaryKind::Neg); }
  friend Term operator>(const Term &a, double b) { return a.compare(CompareKind::GT, a.number(b)); }
  friend Term operator<(const Term &a, double b) { return a.compare(CompareKind::LT, a.number(b)); }
  friend Term operator==(const Term &a, double b) { return a.compare(CompareKind::EQ, a.number(b)); }
  friend Term abs(const Term &a) { return a.unary(UnaryKind::Abs); }
  friend Term sqrt(const Term &a) { return a.unary(UnaryKind::Sqrt); }
  friend Term log1p(const Term &a) { return a.unary(UnaryKind::Log1p); }

  Operator *o;
  const Range *range;
  Value value;

private:
  Term with(Value made) const { return Term(*o, *range, std::move(made)); }
};

} // namespace

static constexpr double pi = std::numbers::pi, ln2 = std::numbers::ln2;

// x * (1 + x^2 * p(x^2)), from the highest coefficient on.
static Term oddSeries(const Term &x, llvm::ArrayRef<double> coefficients) {
  Term square = x * x, sum = square * coefficients[0] + coefficients[1];
  for (double next : coefficients.drop_front(2))
    sum = sum * square + next;
  return sum * square * x + x;
}

// Whether the sign is set: of -0, too; not of a NaN.
static Term isNegative(const Term &x) { return (x == 0).choose(x.unary(UnaryKind::Reciprocal), x) < 0; }
// Of at least 0, with the sign of the other; zeros keep theirs.
static Term withSign(const Term &size, const Term &sign) { return isNegative(sign).choose(-size, size); }

// The arctangent of what is at least 0, and of NaN: turned by an eighth or a quarter until the series is short.
static Term arcTangent(const Term &x) {
  static constexpr double series[] = {8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1};
  static constexpr double eighth = 0.41421356237309503, threeEighths = 2.414213562373095; // tangents
  Term isLarge = x > threeEighths, isMiddle = x > eighth;
  Term turned = isLarge.choose(-x.unary(UnaryKind::Reciprocal), isMiddle.choose((x - 1) / (x + 1), x));
  Term made = oddSeries(turned, series);
  return isLarge.choose(made + pi / 2, isMiddle.choose(made + pi / 4, made));
}

// The arcsine of -0.5 to 0.5.
static Term arcSine(const Term &x) {
  static constexpr double series[] = {4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2,
                                      1.6666752422e-1};
  return oddSeries(x, series);
}
// Of 0.5 to 1, half the angle to 1; NaN beyond.
static Term halfAngle(const Term &size) { return arcSine(sqrt((1 - size) * 0.5)); }

// In FP32, rounded once.
template <typename Compute> static Value inFloat(Operator &o, const Arguments &args, Compute compute) {
  Value x = o.expectTensor(args[0], "input");
  if (!x || !o.checkDType(x, operationOf(args).dtypes, args))
    return {};
  DType dtype = elementOf(x);
  return o.cast(compute(Term(o, args.range, o.cast(x, DType::F32, args.range))).value, dtype, args.range);
}

Value asin(Operator &o, const Arguments &args) {
  return inFloat(o, args, [](const Term &x) {
    Term size = abs(x);
    return (size > 0.5).choose(withSign(pi / 2 - halfAngle(size) * 2, x), arcSine(x));
  });
}

Value acos(Operator &o, const Arguments &args) {
  return inFloat(o, args, [](const Term &x) {
    Term size = abs(x), angle = halfAngle(size) * 2;
    return (size > 0.5).choose((x < 0).choose(pi - angle, angle), pi / 2 - arcSine(x));
  });
}

Value atan(Operator &o, const Arguments &args) {
  return inFloat(o, args, [](const Term &x) { return withSign(arcTangent(abs(x)), x); });
}

// The angle of the point (x, y): that of the nearer axis, turned to the quarter.
Value atan2(Operator &o, const Arguments &args) {
  Value y = o.expectTensor(args[0], "y"), x = y ? o.expectTensor(args[1], "x") : Value();
  if (!x || !o.checkDType(y, operationOf(args).dtypes, args) || !o.checkDType(x, operationOf(args).dtypes, args) ||
      !o.broadcast({y, x}, args.range))
    return {};
  DType dtype = elementOf(y);
  if (elementOf(x) != dtype)
    return o.fail(args.range, "TypeError",
                  "tensors of " + name(dtype) + " and " + name(elementOf(x)) + " do not go together",
                  "convert one with pypto.cast");
  Term up(o, args.range, o.cast(y, DType::F32, args.range)), right(o, args.range, o.cast(x, DType::F32, args.range));
  Term a = abs(up), b = abs(right);
  Term most = a.binary(BinaryKind::Max, b), least = a.binary(BinaryKind::Min, b);
  // Of two zeros 0, of two infinities 1.
  Term equal = a.compare(CompareKind::EQ, b);
  Term ratio = equal.choose((most == 0).choose(most, most.number(1)), least / most);
  Term angle = arcTangent(ratio);
  angle = a.compare(CompareKind::GT, b).choose(pi / 2 - angle, angle);
  angle = isNegative(right).choose(pi - angle, angle);
  Term sum = a + b; // NaN if one of them is
  angle = sum.compare(CompareKind::EQ, sum).choose(withSign(angle, up), sum);
  return o.cast(angle.value, dtype, args.range);
}

// Where squares would overflow, log(2 x).
static constexpr double squaresFit = 1e18;

Value asinh(Operator &o, const Arguments &args) {
  return inFloat(o, args, [](const Term &x) {
    Term size = abs(x), square = size * size;
    Term near = log1p(size + square / (sqrt(square + 1) + 1));
    return withSign((size > squaresFit).choose(size.unary(UnaryKind::Log) + ln2, near), x);
  });
}

Value acosh(Operator &o, const Arguments &args) {
  return inFloat(o, args, [](const Term &x) {
    Term beyond = x - 1;
    Term near = log1p(beyond + sqrt(beyond * beyond + beyond * 2));
    return (x > squaresFit).choose(x.unary(UnaryKind::Log) + ln2, near);
  });
}

Value atanh(Operator &o, const Arguments &args) {
  return inFloat(o, args, [](const Term &x) {
    Term size = abs(x);
    return withSign(log1p(size * 2 / (1 - size)) * 0.5, x);
  });
}

// By the logarithm, and one step of Newton's.
Value cbrt(Operator &o, const Arguments &args) {
  return inFloat(o, args, [](const Term &x) {
    Term size = abs(x), first = (size.unary(UnaryKind::Log) * (1 / 3.0)).unary(UnaryKind::Exp);
    Term root = first - (first - size / (first * first)) * (1 / 3.0);
    Term isOwn = (size == 0).binary(BinaryKind::Or, size == std::numeric_limits<float>::infinity());
    return withSign(isOwn.choose(size, root), x);
  });
}

} // namespace tilesmith::frontend::pypto
