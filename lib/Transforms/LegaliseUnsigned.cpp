// Unsigned integers where the architecture computes in signed ones.
//
// Sums, differences, products and left shifts have the same bits in both. Order is the same after the top bit is
// turned. 8 bits fit into f16 and 16 bits, 16 bits into f32, with room for the sign.
#include "Legaliser.h"

using namespace mlir;
using namespace tilesmith;
using tile::BinaryKind;
using tile::ReduceKind;
using tile::UnaryKind;

Value Legaliser::bias(TileBuilder &t, Value operand, Type type) {
  Type own = signedOf(type);
  double top = -double(int64_t(1) << (type.getIntOrFloatBitWidth() - 1));
  if (!tileTypeOf(operand))
    return arith::XOrIOp::create(b, t.loc, operand, t.constant(own, top));
  return t.binary(BinaryKind::Add, t.cast(operand, own), top);
}

Value Legaliser::unsignedUnary(TileBuilder &t, tile::UnaryOp op) {
  Type type = op.getType().getElementType();
  Value x = op.getOperand();
  switch (op.getKind()) {
  case UnaryKind::Neg:
    return t.cast(t.unary(UnaryKind::Neg, t.cast(x, signedOf(type))), type);
  case UnaryKind::Not:
    return {};
  default: // no element is negative or has a fraction
    return x;
  }
}

Value Legaliser::unsignedBinary(TileBuilder &t, tile::BinaryOp op) {
  Type type = op.getType().getElementType(), own = signedOf(type);
  BinaryKind kind = op.getKind();
  unsigned width = type.getIntOrFloatBitWidth();
  if (supports(mnemonicOf(kind), type))
    return {};
  Value lhs = op.getLhs(), rhs = op.getRhs();
  auto in = [&](Type wide) {
    return t.cast(t.binary(kind, convert(t, lhs, type, wide), convert(t, rhs, type, wide)), type);
  };
  switch (kind) {
  case BinaryKind::Add:
  case BinaryKind::Sub:
  case BinaryKind::Mul:
  case BinaryKind::Shl:
    return arch == isa::Arch::C310 ? in(unsignedOf(16)) : in(own); // the 950 lacks products of bytes only
  case BinaryKind::Shr:
    return in(b.getI16Type());
  case BinaryKind::Div:
    if (arch == isa::Arch::C310)
      return in(unsignedOf(16));
    return width == 32 ? Value() : divideThroughFloat(t, op);
  case BinaryKind::Max:
  case BinaryKind::Min:
    if (width == 8)
      return in(b.getF16Type());
    return t.cast(bias(t, t.binary(kind, bias(t, lhs, type), bias(t, rhs, type)), own), type);
  default: // bits are bits
    return {};
  }
}

Value Legaliser::unsignedCompare(TileBuilder &t, tile::CompareOp op) {
  Type type = op.getLhs().getType().getElementType(), own = signedOf(type);
  if (supports("compare", type))
    return {};
  auto in = [&](Type wide) {
    return t.compare(op.getKind(), convert(t, op.getLhs(), type, wide), convert(t, op.getRhs(), type, wide));
  };
  if (type.isInteger(8))
    return in(b.getF16Type());
  if (op.getKind() == tile::CompareKind::EQ || op.getKind() == tile::CompareKind::NE)
    return in(own);
  return t.compare(op.getKind(), bias(t, op.getLhs(), type), bias(t, op.getRhs(), type));
}

Value Legaliser::unsignedReduce(TileBuilder &t, tile::ReduceOp op) {
  Type type = op.getType().getElementType();
  ReduceKind kind = op.getKind();
  bool isWide = type.isInteger(32);
  auto in = [&](Value x) { return t.reduce(kind, x, op.getDims(), op.getType().getShape()); };
  if (kind == ReduceKind::Sum || kind == ReduceKind::Prod)
    return t.cast(in(t.cast(op.getOperand(), signedOf(type))), type);
  if (arch == isa::Arch::C310)
    return isWide ? Value() : t.cast(in(t.cast(op.getOperand(), unsignedOf(32))), type);
  if (isWide)
    return t.cast(bias(t, in(bias(t, op.getOperand(), type)), signedOf(type)), type);
  return t.cast(in(t.cast(op.getOperand(), b.getF32Type())), type); // exact, and has a tree
}
