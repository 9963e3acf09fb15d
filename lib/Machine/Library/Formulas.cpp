// What the functions of single elements compute: the formulas the compiler shares (Support/Formulas.h), and those only
// the library has.
//
// Coefficients were fitted for the smallest relative error of the result; the errors are those of f32 arithmetic and
// are what docs/adv.md says and the tests hold.
#include "tilesmith/Support/Formulas.h"
#include "Formula.h"
#include <map>
#include <mutex>

namespace tilesmith::machine::library {

namespace {

using B = FormulaBuilder;
using V = FormulaBuilder::Value;
constexpr double pi = 3.14159265358979323846;

V withSign(B &t, V x, V size) { return t.select(t.lt(x, 0.0), t.mul(size, -1.0), size); }

// x on [0, 1/2].
V asinNearZero(B &t, V x) {
  V square = t.mul(x, x);
  V p = formulas::polynomial(t, square,
                             {0.166667539283, 0.0749524179265, 0.0454770937353, 0.0241476325561, 0.0422185070042});
  return t.add(t.mul(t.mul(p, square), x), x);
}
// sqrt((1 - |x|) / 2), whose arcsin is half of what is left to a quarter turn.
V rootOfRest(B &t, V size) { return t.sqrt(t.add(t.mul(size, -0.5), 0.5)); }

V asin(B &t, V x) {
  V size = t.abs(x), far = t.gt(size, 0.5);
  V y = asinNearZero(t, t.select(far, rootOfRest(t, size), size));
  return withSign(t, x, t.select(far, t.add(t.mul(y, -2.0), pi / 2), y));
}
V acos(B &t, V x) {
  V size = t.abs(x), far = t.gt(size, 0.5);
  V y = asinNearZero(t, t.select(far, rootOfRest(t, size), size));
  V twice = t.mul(y, 2.0), below = t.lt(x, 0.0);
  V outer = t.select(below, t.add(t.mul(twice, -1.0), pi), twice);
  V inner = t.add(t.mul(t.select(below, t.mul(y, -1.0), y), -1.0), pi / 2);
  return t.select(far, outer, inner);
}
V atan(B &t, V x) {
  V size = t.abs(x), far = t.gt(size, 1.0);
  V y = t.select(far, t.div(1.0, size), size);
  V square = t.mul(y, y);
  V p = formulas::polynomial(t, square,
                             {-0.333331526968, 0.199937718868, -0.142110473801, 0.106659728493, -0.0755214566047,
                              0.0432110436662, -0.0163674225308, 0.00292056538471});
  y = t.add(t.mul(t.mul(p, square), y), y);
  return withSign(t, x, t.select(far, t.add(t.mul(y, -1.0), pi / 2), y));
}

// Beyond, the square of x could overflow, and x + sqrt(x^2 +- 1) is 2 x.
constexpr double manyRoots = 1e9;
V logOfTwice(B &t, V size) { return t.add(t.log(size), formulas::ln2); }

V asinh(B &t, V x) {
  V size = t.abs(x), square = t.mul(size, size);
  V root = t.add(t.sqrt(t.add(square, 1.0)), 1.0);
  V near = formulas::log1p(t, t.add(t.div(square, root), size));
  return withSign(t, x, t.select(t.gt(size, manyRoots), logOfTwice(t, size), near));
}
V acosh(B &t, V x) {
  V above = t.add(x, -1.0);
  V near = formulas::log1p(t, t.add(t.sqrt(t.mul(above, t.add(above, 2.0))), above));
  return t.select(t.gt(x, manyRoots), logOfTwice(t, x), near);
}
V atanh(B &t, V x) {
  V size = t.abs(x);
  V y = formulas::log1p(t, t.div(t.mul(size, 2.0), t.add(t.mul(size, -1.0), 1.0)));
  return withSign(t, x, t.mul(y, 0.5));
}

// Of |x| from 1/2 on: exp(-x^2) p(v) / (1 + |x|), v = (|x| - 2) / (|x| + 2). The square is cut in two, so that exp sees
// what rounding took away.
V erfc(B &t, V x) {
  V size = t.min(t.abs(x), 10.2), wide = t.mul(size, 4097.0);
  V high = t.sub(wide, t.sub(wide, size)), low = t.sub(size, high);
  V power = t.mul(t.exp(t.mul(t.mul(high, high), -1.0)), t.exp(t.mul(t.mul(low, t.add(size, high)), -1.0)));
  V v = t.div(t.add(size, -2.0), t.add(size, 2.0));
  V p = formulas::polynomial(t, v,
                             {0.766187030085, -0.259974777977, 0.0378137414887, 0.0425341210519, -0.0252400308668,
                              -0.000495346434213, 0.0039093038244, 5.37735763799e-05, -0.000610827959037});
  V far = t.mul(power, t.div(p, t.add(size, 1.0)));
  far = t.select(t.lt(x, 0.0), t.add(t.mul(far, -1.0), 2.0), far);
  V near = t.add(t.mul(formulas::erf(t, x), -1.0), 1.0);
  V y = t.select(t.gt(size, 0.5), far, near);
  return t.select(t.eq(x, x), y, x);
}

// log(gamma(z)) for z from 7 on, by Stirling's series: (z - 1/2) (log(z) - 1) + (log(2 pi) - 1) / 2 + ...
V stirling(B &t, V z) {
  V inverse = t.div(1.0, z), square = t.mul(inverse, inverse);
  V p = t.mul(formulas::polynomial(t, square, {1.0 / 12, -1.0 / 360, 1.0 / 1260}), inverse);
  V head = t.mul(t.add(z, -0.5), t.add(t.log(z), -1.0));
  return t.add(t.add(head, p), 0.41893853320467274178);
}
// Of positive x: the argument is raised by 7 where that is needed, and the factors are taken off again.
V lgammaOfPositive(B &t, V x) {
  V few = t.lt(x, 7.0);
  V product = t.select(few, x, 1.0), raised = x;
  for (int i = 1; i < 7; ++i) {
    raised = t.add(raised, 1.0);
    product = t.mul(product, t.select(few, raised, 1.0));
  }
  return t.sub(stirling(t, t.select(few, t.add(raised, 1.0), x)), t.log(product));
}
// What x is off the nearest whole number: exact, and small beside the poles.
V fraction(B &t, V x) { return t.sub(x, t.round(x, RoundMode::Rint)); }

V lgamma(B &t, V x) {
  V negative = t.lt(x, 0.5);
  V y = lgammaOfPositive(t, t.select(negative, t.add(t.mul(x, -1.0), 1.0), x));
  V sine = formulas::sinNearZero(t, t.mul(t.abs(fraction(t, x)), pi));
  V mirrored = t.sub(t.add(t.mul(t.log(sine), -1.0), 1.1447298858494001741), y); // log(pi)
  V result = t.select(negative, mirrored, y);
  result = t.select(t.eq(t.abs(x), formulas::infinity), formulas::infinity, result);
  return t.select(t.eq(x, x), result, x);
}

V digamma(B &t, V x) {
  V negative = t.lt(x, 0.5);
  V z = t.select(negative, t.add(t.mul(x, -1.0), 1.0), x);
  V few = t.lt(z, 7.0);
  V taken = t.div(1.0, z), raised = z;
  for (int i = 1; i < 7; ++i) {
    raised = t.add(raised, 1.0);
    taken = t.add(taken, t.div(1.0, raised));
  }
  taken = t.select(few, taken, 0.0);
  V w = t.select(few, t.add(raised, 1.0), z);
  V inverse = t.div(1.0, w), square = t.mul(inverse, inverse);
  V p = t.mul(formulas::polynomial(t, square, {1.0 / 12, -1.0 / 120, 1.0 / 252}), square);
  V y = t.sub(t.sub(t.sub(t.log(w), t.mul(inverse, 0.5)), p), taken);
  // psi(x) = psi(1 - x) - pi / tan(pi x); whole numbers have no value.
  V part = fraction(t, x);
  V mirrored = t.sub(y, t.mul(t.div(1.0, formulas::tan(t, t.mul(part, pi))), pi));
  mirrored = t.select(t.eq(part, 0.0), formulas::notANumber, mirrored);
  return t.select(negative, mirrored, y);
}

V sign(B &t, V x) { return t.select(t.gt(x, 0.0), 1.0, t.select(t.lt(x, 0.0), -1.0, x)); }
V frac(B &t, V x) { return t.sub(x, t.round(x, RoundMode::Trunc)); }

V swish(B &t, V x) { return t.div(x, t.add(t.exp(t.mul(x, Scalar{-1, 0})), 1.0)); }
V gelu(B &t, V x) {
  V inner = t.mul(t.add(t.mul(t.mul(x, x), 0.044715), 1.0), x);
  return t.div(x, t.add(t.exp(t.mul(inner, -1.5957691216057308)), 1.0));
}
V fasterGelu(B &t, V x) { return t.div(x, t.add(t.exp(t.mul(x, -1.702)), 1.0)); }
V fasterGeluV2(B &t, V x) {
  V clipped = t.add(t.min(t.mul(t.abs(x), 0.70710678), 1.769), -1.769);
  V half = t.add(t.mul(t.mul(clipped, clipped), -0.1444), 0.5);
  return t.mul(x, t.add(withSign(t, x, half), 0.5));
}

V hypot(B &t, V x, V y) {
  V a = t.abs(x), b = t.abs(y), large = t.max(a, b), small = t.min(a, b);
  V ratio = t.select(t.eq(large, 0.0), 0.0, t.div(small, large));
  V result = t.mul(large, t.sqrt(t.add(t.mul(ratio, ratio), 1.0)));
  return t.select(t.eq(large, formulas::infinity), formulas::infinity, result);
}

V isFinite(B &t, V x) { return t.lt(t.abs(x), formulas::infinity); }

// x^y of integers: products of squares, by the bits of y; to a negative power only 1 and -1 are not fractions, which
// are 0. The chip compares integers for equality alone, so choices are products with 0 or 1.
V powerOfIntegers(B &t, V x, V y) {
  auto size = [&](V value) { return t.max(value, t.mul(value, -1.0)); };
  V result = t.fill(Scalar{1}), factor = x, rest = size(y);
  for (int bit = 0; bit < 31; ++bit) {
    V half = t.shiftRight(rest, 1), isOdd = t.sub(rest, t.shiftLeft(half, 1));
    result = t.mul(result, t.add(t.mul(t.add(factor, -1.0), isOdd), 1.0));
    rest = half;
    if (bit < 30)
      factor = t.mul(factor, factor);
  }
  V distance = t.max(t.min(t.add(size(x), -1.0), 1.0), -1.0); // of |x| from 1: -1, 0 or 1
  V isFraction = t.mul(t.mul(distance, distance), t.shiftRight(y, 31));
  return t.mul(result, t.add(isFraction, 1.0));
}

constexpr isa::DTypeSet Floats = isa::dtypeBit(DType::F16) | isa::dtypeBit(DType::F32);
constexpr isa::DTypeSet FloatsAndI32 = Floats | isa::dtypeBit(DType::I32);
constexpr isa::DTypeSet Words = isa::dtypeBit(DType::I16) | isa::dtypeBit(DType::U16);
constexpr isa::DTypeSet Bytes = isa::dtypeBit(DType::I8);

Formula write(TsLibraryMap function, DType dtype) {
  enum {
    Unary = 1,
    UnaryPrecision = 1,
    Truth = 1,
    TwoResults = 1,
    Scaled = 1,
    Quantise = 1,
    Binary,
    TruthOfTwo = 2,
    ScaledBinary = 2,
    Ternary
  };
  static constexpr int sources[] = {
#define TILESMITH_LIBRARY_MAP(NAME, PYTHON, SHAPE, ...) SHAPE,
#include "tilesmith/Machine/Library.def"
  };
  bool isWord = dtype == DType::I16 || dtype == DType::U16 || dtype == DType::I32;
  B t(sources[function], isWord ? dtype : DType::F32);
  V x = t.source(0), y = t.source(1), z = t.source(2);
  auto truth = [&](V mask) {
    t.formula.to = isa::dtypeBit(DType::U8) | isa::dtypeBit(DType::I8);
    return t.finish({t.select(mask, 1.0, 0.0)});
  };
  switch (function) {
  case TS_MAP_Acos:
    return t.finish({acos(t, x)});
  case TS_MAP_Acosh:
    return t.finish({acosh(t, x)});
  case TS_MAP_Asin:
    return t.finish({asin(t, x)});
  case TS_MAP_Asinh:
    return t.finish({asinh(t, x)});
  case TS_MAP_Atan:
    return t.finish({atan(t, x)});
  case TS_MAP_Atanh:
    return t.finish({atanh(t, x)});
  case TS_MAP_Ceil:
    return t.finish({t.round(x, RoundMode::Ceil)});
  case TS_MAP_Cos:
    return t.finish({formulas::cos(t, x)});
  case TS_MAP_Cosh:
    return t.finish({formulas::cosh(t, x)});
  case TS_MAP_Digamma:
    return t.finish({digamma(t, x)});
  case TS_MAP_Erf:
    return t.finish({formulas::erf(t, x)});
  case TS_MAP_Erfc:
    return t.finish({erfc(t, x)});
  case TS_MAP_Floor:
    return t.finish({t.floor(x)});
  case TS_MAP_Frac:
    return t.finish({frac(t, x)});
  case TS_MAP_Lgamma:
    return t.finish({lgamma(t, x)});
  case TS_MAP_Log:
    return t.finish({t.log(x)});
  case TS_MAP_Log2:
    return t.finish({t.mul(t.log(x), 1 / formulas::ln2)});
  case TS_MAP_Log10:
    return t.finish({t.mul(t.log(x), 0.43429448190325182765)});
  case TS_MAP_Rint:
  case TS_MAP_Round:
    return t.finish({t.round(x, RoundMode::Rint)});
  case TS_MAP_Sign:
    return t.finish({sign(t, x)});
  case TS_MAP_Sin:
    return t.finish({formulas::sin(t, x)});
  case TS_MAP_Sinh:
    return t.finish({formulas::sinh(t, x)});
  case TS_MAP_Tan:
    return t.finish({formulas::tan(t, x)});
  case TS_MAP_Tanh:
    return t.finish({formulas::tanh(t, x)});
  case TS_MAP_Trunc:
    return t.finish({t.round(x, RoundMode::Trunc)});
  case TS_MAP_Exp2:
    return t.finish({t.exp(t.mul(x, formulas::ln2))});
  case TS_MAP_SinCos: {
    V sine = formulas::sin(t, x);
    return t.finish({sine, formulas::cos(t, x)});
  }
  case TS_MAP_IsNan:
    return truth(t.ne(x, x));
  case TS_MAP_IsInf:
    return truth(t.eq(t.abs(x), formulas::infinity));
  case TS_MAP_IsFinite:
    return truth(isFinite(t, x));
  case TS_MAP_LogicalNot:
    return truth(t.eq(x, 0.0));
  case TS_MAP_ClampMax:
    return t.finish({t.min(x, Scalar{1, 0})});
  case TS_MAP_ClampMin:
    return t.finish({t.max(x, Scalar{1, 0})});
  case TS_MAP_Clamp:
    return t.finish({t.min(t.max(x, Scalar{1, 0}), Scalar{1, 1})});
  case TS_MAP_Power:
    return t.finish({isWord ? powerOfIntegers(t, x, y) : formulas::power(t, x, y)});
  case TS_MAP_PowerOfScalar:
  case TS_MAP_PowerByScalar: {
    V scalar = t.fill(Scalar{1, 0});
    V base = function == TS_MAP_PowerOfScalar ? scalar : x, exponent = function == TS_MAP_PowerOfScalar ? x : scalar;
    return t.finish({isWord ? powerOfIntegers(t, base, exponent) : formulas::power(t, base, exponent)});
  }
  case TS_MAP_Fmod:
    return t.finish({formulas::remainder(t, x, y)});
  case TS_MAP_Xor: {
    V any = t.bitOr(x, y);
    return t.finish({t.bitAnd(any, t.bitNot(t.bitAnd(x, y)))});
  }
  case TS_MAP_Hypot:
    return t.finish({hypot(t, x, y)});
  case TS_MAP_LogicalAnd:
    return truth(t.both(t.ne(x, 0.0), t.ne(y, 0.0)));
  case TS_MAP_LogicalOr:
    return truth(t.either(t.ne(x, 0.0), t.ne(y, 0.0)));
  case TS_MAP_LogicalXor: {
    V a = t.ne(x, 0.0), b = t.ne(y, 0.0);
    return truth(t.both(t.either(a, b), t.no(t.both(a, b))));
  }
  case TS_MAP_Lerp:
    return t.finish({t.add(t.mul(t.sub(y, x), z), x)});
  case TS_MAP_Fma:
    return t.finish({t.add(t.mul(x, y), z)});
  case TS_MAP_Sigmoid:
    return t.finish({formulas::sigmoid(t, x)});
  case TS_MAP_Silu:
    return t.finish({formulas::silu(t, x)});
  case TS_MAP_Swish:
    return t.finish({swish(t, x)});
  case TS_MAP_Gelu:
    return t.finish({gelu(t, x)});
  case TS_MAP_FasterGelu:
    return t.finish({fasterGelu(t, x)});
  case TS_MAP_FasterGeluV2:
    return t.finish({fasterGeluV2(t, x)});
  case TS_MAP_SwiGLU:
    return t.finish({t.mul(x, swish(t, y))});
  case TS_MAP_GeGLU:
    return t.finish({t.mul(x, gelu(t, y))});
  case TS_MAP_ReGlu:
    return t.finish({t.mul(x, t.relu(y))});
  case TS_MAP_AscendQuant:
    t.formula.to = isa::dtypeBit(DType::I8);
    return t.finish({t.round(t.add(t.mul(x, Scalar{1, 0}), Scalar{1, 1}), RoundMode::Rint)});
  case TS_MAP_AscendAntiQuant:
    t.formula.to = Floats;
    return t.finish({t.mul(t.add(x, Scalar{1, 1}), Scalar{1, 0})});
  case TS_MAP_COUNT:
    break;
  }
  return t.finish({x});
}

} // namespace

isa::DTypeSet typesOf(TsLibraryMap function) {
  static constexpr isa::DTypeSet types[] = {
#define TILESMITH_LIBRARY_MAP(NAME, PYTHON, SHAPE, TYPES, ...) TYPES,
#include "tilesmith/Machine/Library.def"
  };
  return types[function];
}

const char *nameOf(TsLibraryMap function) {
  static constexpr const char *names[] = {
#define TILESMITH_LIBRARY_MAP(NAME, ...) #NAME,
#include "tilesmith/Machine/Library.def"
  };
  return names[function];
}

const Formula &formulaOf(TsLibraryMap function, DType dtype) {
  static std::mutex mutex;
  static auto *written = new std::map<std::pair<int, int>, Formula>; // kernels may run while the program exits
  DType kind = isa::dtypeBit(dtype) & (Floats | Bytes) ? DType::F32 : dtype;
  std::lock_guard lock(mutex);
  auto [at, isNew] = written->try_emplace({int(function), int(kind)});
  if (isNew)
    at->second = write(function, kind);
  return at->second;
}

} // namespace tilesmith::machine::library
