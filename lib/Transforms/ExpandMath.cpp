// Expand math: composed and transcendental operations become sequences of basic ones.
//
// The same sequence on the chip and on the model, never a library call of unknown bits. Everything is computed in f32
// and within a few units in the last place, relative to the result; f16 and bf16 operands are widened first and the
// result is rounded once. Left are add sub mul div max min abs neg exp log sqrt relu floor ceil, comparisons,
// selections, casts, reductions and broadcasts.
#include "ExpandBinary.h"
#include "tilesmith/Transforms/Remarks.h"

namespace tilesmith {
#define GEN_PASS_DEF_EXPANDMATH
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using tile::BinaryKind;
using tile::CompareKind;
using tile::ReduceKind;
using tile::UnaryKind;

// a[0] + a[1] x + a[2] x^2 + ...
static Value polynomial(TileBuilder &t, Value x, ArrayRef<double> a) {
  Value sum = t.add(t.mul(x, a.back()), a[a.size() - 2]);
  for (double coefficient : llvm::reverse(a.drop_back(2)))
    sum = t.add(t.mul(sum, x), coefficient);
  return sum;
}

// Near 0 an odd polynomial, elsewhere 1 - exp(t P(t)): log(1 - erf(t)) is smooth, so the error near 1 is that of the
// last rounding alone and 1 + erf(x) stays usable for negative x (GELU). Fitted for the smallest error of erf; 1.1e-7
// absolute, 1.9e-7 relative in f32 arithmetic. From 4 on the result is 1.
static constexpr double erfLog[] = {-1.1284571886062622,  -0.6360421180725098,   -0.10455398261547089,
                                    0.022114865481853485, -0.002763175405561924, 8.041876571951434e-05,
                                    1.570425956742838e-05};

static Value erf(TileBuilder &t, Value x) {
  Value square = t.mul(x, x);
  Value near = t.mul(polynomial(t, square,
                                {1.1283791065216064, -0.37612608075141907, 0.11282822489738464, -0.02675718255341053,
                                 0.00471798749640584}),
                     x);
  Value size = t.binary(BinaryKind::Min, t.unary(UnaryKind::Abs, x), 4.0);
  Value exponent = t.mul(polynomial(t, size, erfLog), size);
  Value below = t.add(t.exp(exponent), -1.0);
  Value far = t.select(t.compare(CompareKind::LT, x, 0.0), below, t.mul(below, -1.0));
  return t.select(t.compare(CompareKind::LT, size, 0.5), near, far);
}

// Near 0 an odd polynomial, fitted for the smallest relative error, elsewhere 1 - 2 / (exp(2|x|) + 1): 1.8e-7 relative
// in f32 arithmetic, and near 1 the last rounding alone.
static Value tanh(TileBuilder &t, Value x) {
  Value square = t.mul(x, x);
  Value p =
      polynomial(t, square, {-0.3333294689655304, 0.13320724666118622, -0.05267180874943733, 0.016437575221061707});
  Value near = t.add(t.mul(t.mul(p, square), x), x);
  Value size = t.unary(UnaryKind::Abs, x);
  Value quotient = t.div(2.0, t.add(t.exp(t.mul(size, 2.0)), 1.0));
  Value below = t.add(quotient, -1.0);
  Value far = t.select(t.compare(CompareKind::LT, x, 0.0), below, t.mul(below, -1.0));
  return t.select(t.compare(CompareKind::LT, size, 0.55), near, far);
}

// Nearest integer for |x| < 2^22: at this size the lowest bit of a float is 1.
static Value nearest(TileBuilder &t, Value x) { return t.add(t.add(x, 12582912.0), -12582912.0); }

// The argument of a periodic function, NaN from 2^16 on: beyond, the pieces of pi below are too short to say where in
// its period x is. Times 2^112 such an x is infinite, and 0 times infinity is NaN.
static Value inPeriodicDomain(TileBuilder &t, Value x) { return t.add(x, t.mul(t.mul(x, 0x1p+112), 0.0)); }

// x - k * pi * scale. The first three pieces of pi have 8 bits: their products with a k of 16 bits are exact and so are
// the differences, and what is left near a zero or pole is right in all its bits.
static Value reduceByPi(TileBuilder &t, Value x, Value k, double scale) {
  for (double piece : {3.140625, 0.00096893310546875, -1.2814998626708984e-06, 1.984187159361081e-09})
    x = t.add(x, t.mul(k, -piece * scale));
  return x;
}

// 0 for even k, 1/2 for odd k.
static Value halfParity(TileBuilder &t, Value k) {
  Value half = t.mul(k, 0.5);
  return t.sub(half, t.unary(UnaryKind::Floor, half));
}

// sin(x) on [-pi/2, pi/2].
static Value sinNearZero(TileBuilder &t, Value x) {
  Value square = t.mul(x, x);
  Value p = polynomial(t, square,
                       {-0.166666597127914428710938, 0.00833307858556509017944336, -0.0001981069071916863322258,
                        2.6083159809786593541503e-06});
  return t.add(t.mul(t.mul(p, square), x), x);
}

static constexpr double inversePi = 0.318309886183790671538;

static Value sin(TileBuilder &t, Value x) {
  x = inPeriodicDomain(t, x);
  Value k = nearest(t, t.mul(x, inversePi));
  Value sign = t.add(t.mul(halfParity(t, k), -4.0), 1.0);
  return t.mul(sinNearZero(t, reduceByPi(t, x, k, 1)), sign);
}

// cos(x) = -(-1)^k sin(x - (k + 1/2) pi).
static Value cos(TileBuilder &t, Value x) {
  x = inPeriodicDomain(t, x);
  Value k = nearest(t, t.add(t.mul(x, inversePi), -0.5));
  Value sign = t.add(t.mul(halfParity(t, k), 4.0), -1.0);
  return t.mul(sinNearZero(t, reduceByPi(t, x, t.add(k, 0.5), 1)), sign);
}

// tan(x - k pi/2), or its negative reciprocal for odd k.
static Value tan(TileBuilder &t, Value x) {
  x = inPeriodicDomain(t, x);
  Value k = nearest(t, t.mul(x, 2 * inversePi));
  Value r = reduceByPi(t, x, k, 0.5);
  Value square = t.mul(r, r);
  Value p = polynomial(t, square,
                       {0.333331853151321411132812, 0.133383005857467651367188, 0.0534495301544666290283203,
                        0.0242998078465461730957031, 0.00331984995864331722259521, 0.00927245803177356719970703});
  Value near = t.add(t.mul(t.mul(p, square), r), r);
  Value odd = t.compare(CompareKind::GT, halfParity(t, k), 0.25);
  return t.select(odd, t.div(-1.0, near), near);
}

static constexpr double ln2 = 0.693147180559945309417;

// exp(x) / 2, finite wherever sinh and cosh are.
static Value halfExp(TileBuilder &t, Value x) { return t.exp(t.add(x, -ln2)); }

static Value cosh(TileBuilder &t, Value x) { return t.add(halfExp(t, x), halfExp(t, t.mul(x, -1.0))); }

static Value sinh(TileBuilder &t, Value x) {
  Value far = t.sub(halfExp(t, x), halfExp(t, t.mul(x, -1.0)));
  Value square = t.mul(x, x);
  Value p = polynomial(t, square, {1.0 / 6, 1.0 / 120, 1.0 / 5040});
  Value near = t.add(t.mul(t.mul(p, square), x), x);
  return t.select(t.compare(CompareKind::LT, square, 0.25), near, far);
}

// log(u) of the rounded u = 1 + x, times how far u is from x: what rounding took away is made good.
static Value log1p(TileBuilder &t, Value x) {
  Value u = t.add(x, 1.0), grown = t.add(u, -1.0), log = t.unary(UnaryKind::Log, u);
  Value near = t.select(t.compare(CompareKind::EQ, grown, 0.0), x, t.mul(t.div(log, grown), x));
  return t.select(t.compare(CompareKind::LT, t.unary(UnaryKind::Abs, x), 0.5), near, log);
}

// The same the other way around.
static Value expm1(TileBuilder &t, Value x) {
  Value u = t.exp(x), grown = t.add(u, -1.0);
  Value near = t.select(t.compare(CompareKind::EQ, grown, 0.0), x, t.mul(t.div(grown, t.unary(UnaryKind::Log, u)), x));
  return t.select(t.compare(CompareKind::LT, t.unary(UnaryKind::Abs, x), 0.5), near, grown);
}

static Value onePlusExp(TileBuilder &t, Value x) { return t.add(t.exp(t.mul(x, -1.0)), 1.0); }

// max(x, 0) + log(1 + exp(-|x|)): nothing overflows.
static Value softplus(TileBuilder &t, Value x) {
  Value rest = log1p(t, t.exp(t.mul(t.unary(UnaryKind::Abs, x), -1.0)));
  return t.add(t.unary(UnaryKind::Relu, x), rest);
}

// x (1 - erfc(x / sqrt(2)) / 2), and for negative x, where that would cancel, x erfc(-x / sqrt(2)) / 2.
static Value gelu(TileBuilder &t, Value x) {
  Value scaled = t.mul(t.unary(UnaryKind::Abs, x), 0.70710678118654752440);
  Value size = t.binary(BinaryKind::Min, scaled, 4.0);
  Value half = t.mul(t.exp(t.mul(polynomial(t, size, erfLog), size)), 0.5);
  half = t.select(t.compare(CompareKind::LT, scaled, 4.0), half, t.constant(t.b.getF32Type(), 0.0));
  Value rest = t.add(t.mul(half, -1.0), 1.0);
  Value y = t.mul(x, t.select(t.compare(CompareKind::LT, x, 0.0), half, rest));
  return t.select(t.compare(CompareKind::EQ, x, x), y, x); // NaN is not below 4
}

// The expansion of one function of an f32 tile; null: the kind is basic.
static Value expandUnary(TileBuilder &t, UnaryKind kind, Value x) {
  switch (kind) {
  case UnaryKind::Exp2:
    return t.exp(t.mul(x, ln2));
  case UnaryKind::Log2:
    return t.mul(t.unary(UnaryKind::Log, x), 1 / ln2);
  case UnaryKind::Rsqrt:
    return t.div(1.0, t.unary(UnaryKind::Sqrt, x));
  case UnaryKind::Erf:
    return erf(t, x);
  case UnaryKind::Tanh:
    return tanh(t, x);
  case UnaryKind::Sin:
    return sin(t, x);
  case UnaryKind::Cos:
    return cos(t, x);
  case UnaryKind::Tan:
    return tan(t, x);
  case UnaryKind::Sinh:
    return sinh(t, x);
  case UnaryKind::Cosh:
    return cosh(t, x);
  case UnaryKind::Log1p:
    return log1p(t, x);
  case UnaryKind::Expm1:
    return expm1(t, x);
  case UnaryKind::Sigmoid:
    return t.div(1.0, onePlusExp(t, x));
  case UnaryKind::Silu:
    return t.div(x, onePlusExp(t, x));
  case UnaryKind::Softplus:
    return softplus(t, x);
  case UnaryKind::Gelu:
    return gelu(t, x);
  default:
    return {};
  }
}

static bool isBasic(UnaryKind kind) {
  switch (kind) {
  case UnaryKind::Abs:
  case UnaryKind::Neg:
  case UnaryKind::Reciprocal:
  case UnaryKind::Exp:
  case UnaryKind::Log:
  case UnaryKind::Sqrt:
  case UnaryKind::Relu:
  case UnaryKind::Floor:
  case UnaryKind::Ceil:
  case UnaryKind::Not:
    return true;
  default:
    return false;
  }
}

// The last axis reduced and repeated again.
static Value alongRows(TileBuilder &t, ReduceKind kind, Value x) {
  SmallVector<int64_t> shape(tileTypeOf(x).getShape());
  shape.back() = 1;
  return t.reduce(kind, x, {int64_t(shape.size()) - 1}, shape);
}

static Value softmax(TileBuilder &t, Value x) {
  ArrayRef<int64_t> shape = tileTypeOf(x).getShape();
  Value powers = t.exp(t.sub(x, t.broadcast(alongRows(t, ReduceKind::Max, x), shape)));
  Value inverse = t.div(1.0, alongRows(t, ReduceKind::Sum, powers));
  return t.mul(powers, t.broadcast(inverse, shape));
}

static Value rmsNorm(TileBuilder &t, Value x, Value gamma, Value epsilon) {
  ArrayRef<int64_t> shape = tileTypeOf(x).getShape();
  Value mean = t.mul(alongRows(t, ReduceKind::Sum, t.mul(x, x)), 1.0 / shape.back());
  Value inverse = t.div(1.0, t.unary(UnaryKind::Sqrt, t.add(mean, epsilon)));
  return t.mul(t.mul(x, t.broadcast(inverse, shape)), t.broadcast(gamma, shape));
}

namespace {
struct ExpandMathPass : tilesmith::impl::ExpandMathBase<ExpandMathPass> {
  using ExpandMathBase::ExpandMathBase;
  void runOnOperation() override {
    SmallVector<Operation *> composed;
    getOperation().walk([&](Operation *op) {
      auto unary = dyn_cast<tile::UnaryOp>(op);
      auto binary = dyn_cast<tile::BinaryOp>(op);
      if (llvm::isa<tile::SoftmaxOp, tile::RmsNormOp>(op) || (unary && !isBasic(unary.getKind())) ||
          (binary && isComposed(binary.getKind())))
        composed.push_back(op);
    });
    remark::analysis(getOperation().getLoc(), remarkOf(getArgument(), "operations"))
        << remark::metric("expanded", composed.size());
    for (Operation *op : composed)
      if (failed(expand(op)))
        return signalPassFailure();
  }

  LogicalResult expand(Operation *op) {
    OpBuilder b(op);
    TileBuilder t(b, op->getLoc());
    Type type = tileTypeOf(op->getResult(0)).getElementType();
    if (auto binary = dyn_cast<tile::BinaryOp>(op)) {
      op->getResult(0).replaceAllUsesWith(expandBinary(t, binary));
      op->erase();
      return success();
    }
    if (!llvm::isa<FloatType>(type))
      return op->emitError() << "'" << op->getName().stripDialect() << "' needs a float tile, got " << type;
    Value x = t.cast(op->getOperand(0), b.getF32Type());
    Value result;
    if (auto unary = dyn_cast<tile::UnaryOp>(op))
      result = expandUnary(t, unary.getKind(), x);
    else if (auto norm = dyn_cast<tile::RmsNormOp>(op))
      result = rmsNorm(t, x, t.cast(norm.getGamma(), b.getF32Type()), norm.getEpsilon());
    else
      result = softmax(t, x);
    op->getResult(0).replaceAllUsesWith(t.cast(result, type));
    op->erase();
    return success();
  }
};
} // namespace
