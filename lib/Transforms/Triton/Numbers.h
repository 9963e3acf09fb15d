// Numbers of the scalar code, folded where they are known.
#ifndef TILESMITH_LIB_TRANSFORMS_TRITON_NUMBERS_H
#define TILESMITH_LIB_TRANSFORMS_TRITON_NUMBERS_H

#include "tilesmith/Transforms/Triton/TritonPasses.h"

#include "mlir/IR/Matchers.h"

namespace tilesmith::triton {

// Known while compiling, or an i32 or i64.
struct Int {
  mlir::Value value;
  int64_t number = 0;
  Int(int64_t number = 0) : number(number) {}
  explicit Int(mlir::Value given) : value(given) {
    llvm::APInt constant;
    if (mlir::matchPattern(given, mlir::m_ConstantInt(&constant)))
      value = {}, number = constant.getSExtValue();
  }
  bool is(int64_t other) const { return !value && number == other; }
  bool isKnown() const { return !value; }
};

class Numbers {
public:
  Numbers(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  mlir::Value ir(Int x, unsigned width) {
    if (!x.value)
      return mlir::arith::ConstantOp::create(b, loc, b.getIntegerAttr(b.getIntegerType(width), x.number));
    unsigned own = x.value.getType().getIntOrFloatBitWidth();
    if (own < width)
      return mlir::arith::ExtSIOp::create(b, loc, b.getIntegerType(width), x.value);
    if (own > width)
      return mlir::arith::TruncIOp::create(b, loc, b.getIntegerType(width), x.value);
    return x.value;
  }
  mlir::Value i32(Int x) { return ir(x, 32); }

  Int add(Int x, Int y) {
    if (x.is(0))
      return y;
    if (y.is(0))
      return x;
    if (x.isKnown() && y.isKnown())
      return Int(x.number + y.number);
    return both<mlir::arith::AddIOp>(x, y);
  }
  Int sub(Int x, Int y) {
    if (y.is(0))
      return x;
    if (x.isKnown() && y.isKnown())
      return Int(x.number - y.number);
    return both<mlir::arith::SubIOp>(x, y);
  }
  Int mul(Int x, Int y) {
    if (x.is(0) || y.is(0))
      return Int(0);
    if (x.is(1))
      return y;
    if (y.is(1))
      return x;
    if (x.isKnown() && y.isKnown())
      return Int(x.number * y.number);
    return both<mlir::arith::MulIOp>(x, y);
  }
  Int max(Int x, Int y) {
    if (x.isKnown() && y.isKnown())
      return Int(std::max(x.number, y.number));
    return both<mlir::arith::MaxSIOp>(x, y);
  }
  Int min(Int x, Int y) {
    if (x.isKnown() && y.isKnown())
      return Int(std::min(x.number, y.number));
    return both<mlir::arith::MinSIOp>(x, y);
  }
  Int wide(Int x) { return x.isKnown() ? x : Int(ir(x, 64)); }
  // x, as i32, where it lies between 0 and size, and the nearer of these elsewhere.
  Int clamp(Int x, int64_t size) {
    Int inside = min(max(x, Int(0)), Int(size));
    return inside.isKnown() ? inside : Int(i32(inside));
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, Int x, Int y) {
    unsigned width = widthOf(x, y);
    return mlir::arith::CmpIOp::create(b, loc, predicate, ir(x, width), ir(y, width));
  }
  Int choose(mlir::Value condition, Int x, Int y) {
    unsigned width = widthOf(x, y);
    return Int(mlir::arith::SelectOp::create(b, loc, condition, ir(x, width), ir(y, width)).getResult());
  }

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  static unsigned widthOf(Int x, Int y) {
    for (const Int &one : {x, y})
      if (one.value && one.value.getType().getIntOrFloatBitWidth() == 64)
        return 64;
    return 32;
  }
  template <typename Operation> Int both(Int x, Int y) {
    unsigned width = widthOf(x, y);
    return Int(Operation::create(b, loc, ir(x, width), ir(y, width)).getResult());
  }
};

} // namespace tilesmith::triton

#endif // TILESMITH_LIB_TRANSFORMS_TRITON_NUMBERS_H
