#include "ScalarCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;

namespace tilesmith::plan {

static unsigned widthOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

Scalar scalarOf(int64_t value, Type type) {
  unsigned width = widthOf(type);
  if (width == 1)
    return Scalar::of(value & 1);
  return Scalar::of(width == 64 ? value : int64_t(uint64_t(value) << (64 - width)) >> (64 - width));
}

// The bits of an integer without its sign.
static uint64_t bitsOf(Scalar number, Type type) {
  unsigned width = widthOf(type);
  return width == 64 ? uint64_t(number.bits) : uint64_t(number.bits) & ((uint64_t(1) << width) - 1);
}

static Scalar realOf(double value, Type type) {
  return Scalar::of(type.isF64() ? value : double(float(value))); // narrower types are not told apart
}

static bool allKnown(ArrayRef<Scalar> operands) {
  return llvm::all_of(operands, [](Scalar operand) { return operand.known; });
}

using Signed = int64_t (*)(int64_t, int64_t);
using Unsigned = uint64_t (*)(uint64_t, uint64_t);
using Real = double (*)(double, double);

template <Signed compute> static Scalar ofSigned(Operation *op, ArrayRef<Scalar> in) {
  return allKnown(in) ? scalarOf(compute(in[0].bits, in[1].bits), op->getResult(0).getType()) : Scalar();
}
template <Unsigned compute> static Scalar ofUnsigned(Operation *op, ArrayRef<Scalar> in) {
  Type type = op->getResult(0).getType();
  return allKnown(in) ? scalarOf(int64_t(compute(bitsOf(in[0], type), bitsOf(in[1], type))), type) : Scalar();
}
template <Real compute> static Scalar ofReal(Operation *op, ArrayRef<Scalar> in) {
  return allKnown(in) ? realOf(compute(in[0].real(), in[1].real()), op->getResult(0).getType()) : Scalar();
}

// Integers wrap; a quotient by zero is 0, and of the smallest number by -1 that number again.
static int64_t add(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
static int64_t subtract(int64_t a, int64_t b) { return int64_t(uint64_t(a) - uint64_t(b)); }
static int64_t multiply(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }
static int64_t divide(int64_t a, int64_t b) { return !b ? 0 : b == -1 ? subtract(0, a) : a / b; }
static int64_t remainder(int64_t a, int64_t b) { return !b || b == -1 ? 0 : a % b; }
static int64_t divideUp(int64_t a, int64_t b) { return divide(a, b) + (remainder(a, b) != 0 && (a < 0) == (b < 0)); }
static int64_t divideDown(int64_t a, int64_t b) { return divide(a, b) - (remainder(a, b) != 0 && (a < 0) != (b < 0)); }
static int64_t least(int64_t a, int64_t b) { return std::min(a, b); }
static int64_t most(int64_t a, int64_t b) { return std::max(a, b); }
static int64_t both(int64_t a, int64_t b) { return a & b; }
static int64_t either(int64_t a, int64_t b) { return a | b; }
static int64_t differ(int64_t a, int64_t b) { return a ^ b; }
static int64_t shiftLeft(int64_t a, int64_t b) { return uint64_t(b) < 64 ? int64_t(uint64_t(a) << b) : 0; }
static int64_t shiftRight(int64_t a, int64_t b) { return uint64_t(b) < 64 ? a >> b : a < 0 ? -1 : 0; }
static uint64_t divide(uint64_t a, uint64_t b) { return b ? a / b : 0; }
static uint64_t remainder(uint64_t a, uint64_t b) { return b ? a % b : 0; }
static uint64_t divideUp(uint64_t a, uint64_t b) { return b ? a / b + (a % b != 0) : 0; }
static uint64_t least(uint64_t a, uint64_t b) { return std::min(a, b); }
static uint64_t most(uint64_t a, uint64_t b) { return std::max(a, b); }
static uint64_t shiftRight(uint64_t a, uint64_t b) { return b < 64 ? a >> b : 0; }
static double add(double a, double b) { return a + b; }
static double subtract(double a, double b) { return a - b; }
static double multiply(double a, double b) { return a * b; }
static double divide(double a, double b) { return a / b; }

static bool holds(arith::CmpIPredicate predicate, Scalar left, Scalar right, Type type) {
  int64_t a = left.bits, b = right.bits;
  uint64_t ua = bitsOf(left, type), ub = bitsOf(right, type);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  return false;
}

static Scalar compareIntegers(Operation *op, ArrayRef<Scalar> in) {
  auto compare = cast<arith::CmpIOp>(op);
  return allKnown(in) ? Scalar::of(int64_t(holds(compare.getPredicate(), in[0], in[1], compare.getLhs().getType())))
                      : Scalar();
}

static Scalar compareReals(Operation *op, ArrayRef<Scalar> in) {
  if (!allKnown(in))
    return {};
  APFloat a(in[0].real()), b(in[1].real());
  return Scalar::of(int64_t(arith::applyCmpPredicate(cast<arith::CmpFOp>(op).getPredicate(), a, b)));
}

static Scalar select(Operation *, ArrayRef<Scalar> in) { return !in[0].known ? Scalar() : in[0].bits ? in[1] : in[2]; }

static Scalar widen(Operation *op, ArrayRef<Scalar> in) { // and cut
  return allKnown(in) ? scalarOf(in[0].bits, op->getResult(0).getType()) : Scalar();
}
// A truth value is 0 or 1; its sign is its bit.
static Scalar widenSigned(Operation *op, ArrayRef<Scalar> in) {
  bool isTruth = op->getOperand(0).getType().isInteger(1);
  return allKnown(in) ? scalarOf(isTruth ? -in[0].bits : in[0].bits, op->getResult(0).getType()) : Scalar();
}
static Scalar widenUnsigned(Operation *op, ArrayRef<Scalar> in) {
  return allKnown(in) ? scalarOf(int64_t(bitsOf(in[0], op->getOperand(0).getType())), op->getResult(0).getType())
                      : Scalar();
}
static Scalar realOfInteger(Operation *op, ArrayRef<Scalar> in) {
  return allKnown(in) ? realOf(double(in[0].bits), op->getResult(0).getType()) : Scalar();
}
static Scalar changeReal(Operation *op, ArrayRef<Scalar> in) {
  return allKnown(in) ? realOf(in[0].real(), op->getResult(0).getType()) : Scalar();
}
static Scalar negate(Operation *, ArrayRef<Scalar> in) { return allKnown(in) ? Scalar::of(-in[0].real()) : Scalar(); }

static Scalar constant(Operation *op, ArrayRef<Scalar>) {
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return scalarOf(integer.getValue().getSExtValue(), integer.getType());
  if (auto real = dyn_cast<FloatAttr>(value))
    return Scalar::of(real.getValueAsDouble());
  return {};
}

Evaluate evaluatorOf(Operation *op) {
  using namespace arith;
  return llvm::TypeSwitch<Operation *, Evaluate>(op)
      .Case([](ConstantOp) { return constant; })
      .Case([](AddIOp) { return ofSigned<add>; })
      .Case([](SubIOp) { return ofSigned<subtract>; })
      .Case([](MulIOp) { return ofSigned<multiply>; })
      .Case([](DivSIOp) { return ofSigned<divide>; })
      .Case([](RemSIOp) { return ofSigned<remainder>; })
      .Case([](CeilDivSIOp) { return ofSigned<divideUp>; })
      .Case([](FloorDivSIOp) { return ofSigned<divideDown>; })
      .Case([](MinSIOp) { return ofSigned<least>; })
      .Case([](MaxSIOp) { return ofSigned<most>; })
      .Case([](AndIOp) { return ofSigned<both>; })
      .Case([](OrIOp) { return ofSigned<either>; })
      .Case([](XOrIOp) { return ofSigned<differ>; })
      .Case([](ShLIOp) { return ofSigned<shiftLeft>; })
      .Case([](ShRSIOp) { return ofSigned<shiftRight>; })
      .Case([](DivUIOp) { return ofUnsigned<divide>; })
      .Case([](RemUIOp) { return ofUnsigned<remainder>; })
      .Case([](CeilDivUIOp) { return ofUnsigned<divideUp>; })
      .Case([](MinUIOp) { return ofUnsigned<least>; })
      .Case([](MaxUIOp) { return ofUnsigned<most>; })
      .Case([](ShRUIOp) { return ofUnsigned<shiftRight>; })
      .Case([](AddFOp) { return ofReal<add>; })
      .Case([](SubFOp) { return ofReal<subtract>; })
      .Case([](MulFOp) { return ofReal<multiply>; })
      .Case([](DivFOp) { return ofReal<divide>; })
      .Case([](NegFOp) { return negate; })
      .Case([](CmpIOp) { return compareIntegers; })
      .Case([](CmpFOp) { return compareReals; })
      .Case([](SelectOp) { return select; })
      .Case([](ExtSIOp) { return widenSigned; })
      .Case([](ExtUIOp) { return widenUnsigned; })
      .Case<TruncIOp, IndexCastOp>([](auto) { return widen; })
      .Case([](SIToFPOp) { return realOfInteger; })
      .Case<ExtFOp, TruncFOp>([](auto) { return changeReal; })
      .Default([](Operation *) { return nullptr; });
}

} // namespace tilesmith::plan
