// Conversions without an instruction become chains that are exact up to the last step, which rounds or wraps once.
#include "Legaliser.h"
#include "tilesmith/Isa/Chip.h"

using namespace mlir;
using namespace tilesmith;
using tile::BinaryKind;

bool Legaliser::isOneCast(Type from, Type to) {
  auto source = isa::getDType(from), target = isa::getDType(to);
  return source && target && *source != *target && isa::castTargets(arch, *source) & isa::dtypeBit(*target);
}

// `to` is not the signed type of that width, and no single conversion exists.
Value Legaliser::fromUnsigned(TileBuilder &t, Value x, Type to) {
  Type from = elementTypeOf(x), i32 = b.getI32Type(), f32 = b.getF32Type();
  unsigned width = from.getIntOrFloatBitWidth();
  bool narrows = llvm::isa<IntegerType>(to) && to.getIntOrFloatBitWidth() < width;
  if (narrows)
    return t.cast(t.cast(x, signedOf(from)), to);
  if (width == 8)
    return t.cast(t.cast(t.cast(x, b.getF16Type()), signedOf(to)), to);
  if (width == 16) {
    if (arch == isa::Arch::C310)
      return t.cast(t.cast(t.cast(x, unsignedOf(32)), i32), to);
    if (to.isF32())
      return t.add(t.cast(bias(t, x, from), f32), 32768.0);
    return t.cast(t.cast(t.cast(x, f32), signedOf(to)), to);
  }
  // 32 bits: both halves are exact in f32, their sum rounds once.
  if (to.isF32()) {
    Value high = t.binary(BinaryKind::Shr, x, 16.0), low = t.binary(BinaryKind::And, x, 65535.0);
    return t.add(t.mul(t.cast(t.cast(high, i32), f32), 65536.0), t.cast(t.cast(low, i32), f32));
  }
  return t.cast(t.cast(x, f32), to);
}

// `from` is not the signed type of that width, and no single conversion exists.
Value Legaliser::toUnsigned(TileBuilder &t, Value x, Type to) {
  Type from = elementTypeOf(x), i16 = b.getI16Type(), i32 = b.getI32Type(), f16 = b.getF16Type(), f32 = b.getF32Type();
  if (llvm::isa<IntegerType>(from)) {
    if (!to.isInteger(8))
      return t.cast(t.cast(x, signedOf(to)), to);
    if (!from.isInteger(16))
      return t.cast(t.cast(x, i16), to);
    return t.cast(t.cast(t.binary(BinaryKind::And, x, 255.0), f16), to);
  }
  if (to.isInteger(8))
    return t.cast(t.cast(t.cast(x, i16), f16), to); // f32, bf16: both steps saturate
  if (!from.isF32())
    return t.cast(t.cast(x, f32), to);
  Value floored = t.binary(BinaryKind::Max, x, 0.0);
  if (to.isInteger(16))
    return t.cast(t.cast(t.binary(BinaryKind::Min, floored, 65535.0), i32), to);
  // The upper half of the range is converted after taking 2^31 away; beyond it i32 saturates where u32 does.
  Value upper = t.compare(tile::CompareKind::GE, x, 0x1p31);
  Value reduced = t.select(upper, t.add(x, -0x1p31), floored);
  Value top = t.select(upper, t.constant(i32, INT32_MIN), t.constant(i32, 0));
  return t.cast(t.add(t.cast(reduced, i32), top), to);
}

// Integers of 64 bits, where one side has fewer and no single conversion exists.
Value Legaliser::castWide(TileBuilder &t, Value x, Type to) {
  Type from = elementTypeOf(x), i32 = b.getI32Type(), i64 = b.getI64Type(), f32 = b.getF32Type();
  if (from.isInteger(64)) {
    if (llvm::isa<FloatType>(to))
      return to.isF32() ? Value() : t.cast(t.cast(x, f32), to); // u64 to f32 is done by the scalar unit
    return t.cast(t.cast(t.cast(x, i64), i32), to);
  }
  if (llvm::isa<FloatType>(from))
    return from.isF32() ? Value() : t.cast(t.cast(x, f32), to);
  if (to.isUnsignedInteger())
    return t.cast(t.cast(x, i64), to);
  if (from.isInteger(32) && from.isUnsignedInteger()) // sign-extended, and the sign taken off again
    return t.binary(BinaryKind::And, t.cast(t.cast(x, i32), i64), double(UINT32_MAX));
  return t.cast(t.cast(x, i32), to);
}

Value Legaliser::legaliseCast(TileBuilder &t, tile::CastOp op) {
  Value x = op.getOperand();
  Type from = elementTypeOf(x), to = op.getType().getElementType();
  Type i16 = b.getI16Type(), i32 = b.getI32Type(), f16 = b.getF16Type(), f32 = b.getF32Type();
  if (op.getType().getMemory() != isa::Memory::UB)
    return {};
  if (from == to)
    return x;
  if (from.isInteger(1)) {
    Type as = to.isInteger(8) ? f16 : to.isInteger(64) ? i32 : to;
    return t.cast(t.select(x, t.constant(as, 1), t.constant(as, 0)), to);
  }
  if (to.isInteger(1))
    return t.compare(tile::CompareKind::NE, x, 0.0);
  if (isOneCast(from, to))
    return {};
  unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
  bool integers = llvm::isa<IntegerType>(from) && llvm::isa<IntegerType>(to);
  if (integers && fromWidth == toWidth) {
    if (arch == isa::Arch::C310 && toWidth < 64)
      return {}; // elements of registers are widened: the sign has to be made there
    return tile::BitcastOp::create(b, t.loc, op.getType(), x);
  }
  if (fromWidth == 64 || toWidth == 64)
    return castWide(t, x, to);
  if (from.isUnsignedInteger())
    return fromUnsigned(t, x, to);
  if (to.isUnsignedInteger())
    return toUnsigned(t, x, to);
  if (to.isInteger(8)) {
    if (from.isInteger(16)) {
      // The low byte with its sign, then through f16, which holds it exactly.
      Value low = t.binary(BinaryKind::Shr, t.binary(BinaryKind::Shl, x, 8.0), 8.0);
      return t.cast(t.cast(low, f16), to);
    }
    if (llvm::isa<IntegerType>(from))
      return t.cast(t.cast(x, i16), to);
    return t.cast(t.cast(t.cast(x, i16), f16), to); // f32, bf16: both steps saturate
  }
  if (from.isInteger(8))
    return t.cast(t.cast(x, f16), to);
  return t.cast(t.cast(x, f32), to);
}
