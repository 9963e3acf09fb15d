// Legalise dtypes: every operation works in an element type the architecture computes in.
//
// What a type supports is asked from the instruction table. Where it does not: bf16 goes through f32 and is rounded
// once; 8-bit integers go through 16 bits and keep their low bits, or through f16 where order alone matters; integer
// reductions go through i32; f16 and bf16 sums and products are accumulated in f32. Conversions without an instruction
// become chains of conversions that are exact up to the last. Integer results are exact and wrap.
//
// This file holds floats and signed integers; unsigned ones and conversions have files of their own. Integers of 64
// bits are moved as pairs of 32 bits, and computed by lower-to-isa.
#include "Legaliser.h"
#include "tilesmith/Transforms/Remarks.h"

namespace tilesmith {
#define GEN_PASS_DEF_LEGALISEDTYPES
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using tile::BinaryKind;
using tile::ReduceKind;
using tile::UnaryKind;

bool Legaliser::supports(StringRef mnemonic, Type type) {
  auto *info = isa::findInstruction(std::string_view(mnemonic.data(), mnemonic.size()));
  auto dtype = isa::getDType(type);
  return info && dtype && info->supports(arch, *dtype);
}

Value Legaliser::convert(TileBuilder &t, Value operand, Type from, Type to) {
  if (tileTypeOf(operand))
    return t.cast(operand, to);
  Type target = tile::scalarTypeOf(to);
  if (operand.getType() == target)
    return operand;
  unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
  bool isUnsigned = from.isUnsignedInteger();
  if (llvm::isa<FloatType>(from)) // floats are only ever widened or narrowed
    return fromWidth < toWidth ? arith::ExtFOp::create(b, t.loc, target, operand).getResult()
                               : arith::TruncFOp::create(b, t.loc, target, operand).getResult();
  if (llvm::isa<FloatType>(to))
    return isUnsigned ? arith::UIToFPOp::create(b, t.loc, target, operand).getResult()
                      : arith::SIToFPOp::create(b, t.loc, target, operand).getResult();
  return isUnsigned ? arith::ExtUIOp::create(b, t.loc, target, operand).getResult()
                    : arith::ExtSIOp::create(b, t.loc, target, operand).getResult();
}

// The table's name for a kind; empty where lower-to-isa has its own sequence.
static StringRef unaryMnemonic(UnaryKind kind) {
  switch (kind) {
  case UnaryKind::Log:
    return "ln";
  case UnaryKind::Not:
    return "";
  default:
    return tile::stringifyUnaryKind(kind);
  }
}

StringRef tilesmith::mnemonicOf(BinaryKind kind) {
  return kind == BinaryKind::Shl   ? "shift_left"
         : kind == BinaryKind::Shr ? "shift_right"
                                   : tile::stringifyBinaryKind(kind);
}

Value Legaliser::legaliseUnary(TileBuilder &t, tile::UnaryOp op) {
  Type type = op.getType().getElementType();
  Value x = op.getOperand();
  UnaryKind kind = op.getKind();
  StringRef mnemonic = unaryMnemonic(kind);
  if (op.getType().getMemory() != isa::Memory::UB || mnemonic.empty())
    return {};
  if (kind == UnaryKind::Floor || kind == UnaryKind::Ceil) {
    if (llvm::isa<IntegerType>(type))
      return x;
    return type.isF32() ? Value() : t.cast(t.unary(kind, t.cast(x, b.getF32Type())), type);
  }
  if (supports(mnemonic, type) || (kind == UnaryKind::Neg && supports("muls", type)))
    return {};
  if (llvm::isa<FloatType>(type))
    return t.cast(t.unary(kind, t.cast(x, b.getF32Type())), type);
  if (kind == UnaryKind::Relu)
    return t.binary(BinaryKind::Max, x, 0.0);
  if (kind == UnaryKind::Abs && !type.isInteger(8))
    return t.binary(BinaryKind::Max, x, t.unary(UnaryKind::Neg, x));
  if (type.isInteger(8))
    return t.cast(t.unary(kind, t.cast(x, b.getI16Type())), type);
  return {};
}

// Quotients of integers of at most 16 bits through f32 are never rounded onto the next integer. By zero the quotient is
// 0, as in registers and on the scalar unit: that is what dividing by infinity gives. minimum / -1 wraps.
Value Legaliser::divideThroughFloat(TileBuilder &t, tile::BinaryOp op) {
  Type type = op.getType().getElementType(), f32 = b.getF32Type();
  Value lhs = convert(t, op.getLhs(), type, f32), rhs = convert(t, op.getRhs(), type, f32);
  double infinity = std::numeric_limits<double>::infinity();
  IntegerAttr known;
  if (tileTypeOf(rhs)) {
    rhs = t.select(t.compare(tile::CompareKind::EQ, rhs, 0.0), t.constant(f32, infinity), rhs);
  } else if (!matchPattern(op.getRhs(), m_Constant(&known)) || known.getValue().isZero()) {
    Value isZero = arith::CmpFOp::create(b, t.loc, arith::CmpFPredicate::OEQ, rhs, t.constant(f32, 0));
    rhs = arith::SelectOp::create(b, t.loc, isZero, t.constant(f32, infinity), rhs);
  }
  return t.cast(t.cast(t.div(lhs, rhs), b.getI32Type()), type);
}

Value Legaliser::legaliseBinary(TileBuilder &t, tile::BinaryOp op) {
  Type type = op.getType().getElementType();
  BinaryKind kind = op.getKind();
  if (kind == BinaryKind::And || kind == BinaryKind::Or || kind == BinaryKind::Xor || supports(mnemonicOf(kind), type))
    return {};
  Type wide;
  bool ordered = kind == BinaryKind::Max || kind == BinaryKind::Min;
  bool isNarrow = type.isInteger(8) || type.isInteger(16);
  if (isNarrow && kind == BinaryKind::Div && arch == isa::Arch::C220)
    return divideThroughFloat(t, op);
  if (type.isBF16())
    wide = b.getF32Type();
  else if (type.isInteger(8))
    wide = ordered ? Type(b.getF16Type()) : b.getI16Type();
  else
    return {};
  return t.cast(t.binary(kind, convert(t, op.getLhs(), type, wide), convert(t, op.getRhs(), type, wide)), type);
}

Value Legaliser::legaliseCompare(TileBuilder &t, tile::CompareOp op) {
  Type type = op.getLhs().getType().getElementType();
  if (supports("compare", type))
    return {};
  Type wide = type.isInteger(8)                     ? Type(b.getF16Type())
              : type.isBF16() || type.isInteger(16) ? Type(b.getF32Type())
                                                    : Type();
  if (!wide)
    return {};
  return t.compare(op.getKind(), convert(t, op.getLhs(), type, wide), convert(t, op.getRhs(), type, wide));
}

Value Legaliser::legaliseSelect(TileBuilder &t, tile::SelectOp op) {
  Type type = op.getType().getElementType();
  if (type.isInteger(1)) {
    auto splat = [&](Value operand) -> Value {
      if (tileTypeOf(operand))
        return operand;
      return tile::SplatOp::create(b, t.loc, op.getType(), operand);
    };
    Value lhs = t.binary(BinaryKind::And, op.getMask(), splat(op.getLhs()));
    Value rhs = t.binary(BinaryKind::And, t.unary(UnaryKind::Not, op.getMask()), splat(op.getRhs()));
    return t.binary(BinaryKind::Or, lhs, rhs);
  }
  if (supports("select", type) || !type.isInteger(8))
    return {};
  return t.cast(t.select(op.getMask(), convert(t, op.getLhs(), type, b.getF16Type()),
                         convert(t, op.getRhs(), type, b.getF16Type())),
                type);
}

Value Legaliser::legaliseReduce(TileBuilder &t, tile::ReduceOp op) {
  Type type = op.getType().getElementType();
  ReduceKind kind = op.getKind();
  bool ordered = kind == ReduceKind::Max || kind == ReduceKind::Min;
  Type wide = type;
  if (type.isBF16() || (type.isF16() && !ordered))
    wide = b.getF32Type();
  else if (type.isInteger(8) || type.isInteger(16))
    wide = b.getI32Type();
  if (wide == type)
    return {};
  if (arch == isa::Arch::C220 && llvm::isa<IntegerType>(type) && ordered)
    wide = b.getF32Type(); // exact, and has a tree
  return t.cast(t.reduce(kind, t.cast(op.getOperand(), wide), op.getDims(), op.getType().getShape()), type);
}

Value Legaliser::legaliseBroadcast(TileBuilder &t, tile::BroadcastOp op) {
  Type type = op.getType().getElementType(), i32 = b.getI32Type();
  Value x = op.getOperand();
  if (type.isInteger(64)) {
    // Pairs of 32 bits are repeated as a whole.
    auto pairs = [](tile::TileType tile, Type half) {
      SmallVector<int64_t> shape(tile.getShape());
      shape.push_back(2);
      return tile.withElementType(half).withShape(shape);
    };
    Value halves = tile::BitcastOp::create(b, t.loc, pairs(op.getOperand().getType(), i32), x);
    halves = tile::BroadcastOp::create(b, t.loc, pairs(op.getType(), i32), halves);
    return tile::BitcastOp::create(b, t.loc, op.getType(), halves);
  }
  if (type.isInteger(1) || (type.isInteger(8) && !supports("brcb", type)))
    return t.cast(t.broadcast(t.cast(x, b.getF16Type()), op.getType().getShape()), type);
  return {};
}

// A part of a mask does not start on whole bytes: it is cut out of numbers.
Value Legaliser::legaliseCopy(TileBuilder &t, tile::CopyOp op) {
  tile::TileType from = op.getOperand().getType(), to = op.getType();
  if (!to.getElementType().isInteger(1) || from.getMemory() != isa::Memory::UB || to.getMemory() != isa::Memory::UB)
    return {};
  if (from == to)
    return op.getOperand();
  Type half = b.getF16Type();
  Value part = tile::CopyOp::create(b, t.loc, to.withElementType(half), t.cast(op.getOperand(), half), op.getOffsets());
  return t.cast(part, to.getElementType());
}

static bool isUnsigned(Type type) { return type.isUnsignedInteger() && !type.isInteger(64); }

void Legaliser::legalise(Operation *op) {
  b.setInsertionPoint(op);
  TileBuilder t(b, op->getLoc());
  Value replacement;
  if (auto unary = dyn_cast<tile::UnaryOp>(op))
    replacement = isUnsigned(unary.getType().getElementType()) ? unsignedUnary(t, unary) : legaliseUnary(t, unary);
  else if (auto binary = dyn_cast<tile::BinaryOp>(op))
    replacement = isUnsigned(binary.getType().getElementType()) ? unsignedBinary(t, binary) : legaliseBinary(t, binary);
  else if (auto compare = dyn_cast<tile::CompareOp>(op))
    replacement = isUnsigned(compare.getLhs().getType().getElementType()) ? unsignedCompare(t, compare)
                                                                          : legaliseCompare(t, compare);
  else if (auto select = dyn_cast<tile::SelectOp>(op))
    replacement = legaliseSelect(t, select);
  else if (auto cast = dyn_cast<tile::CastOp>(op))
    replacement = legaliseCast(t, cast);
  else if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    replacement = isUnsigned(reduce.getType().getElementType()) ? unsignedReduce(t, reduce) : legaliseReduce(t, reduce);
  else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
    replacement = legaliseBroadcast(t, broadcast);
  else if (auto copy = dyn_cast<tile::CopyOp>(op))
    replacement = legaliseCopy(t, copy);
  if (!replacement)
    return;
  ++rewritten;
  casts += llvm::isa<tile::CastOp>(op);
  op->getResult(0).replaceAllUsesWith(replacement);
  op->erase();
}

void Legaliser::run() {
  kernel.walk([&](Operation *op) { worklist.push_back(op); });
  while (!worklist.empty())
    legalise(worklist.pop_back_val());
}

namespace {
struct LegaliseDtypesPass : tilesmith::impl::LegaliseDtypesBase<LegaliseDtypesPass> {
  using LegaliseDtypesBase::LegaliseDtypesBase;
  void runOnOperation() override {
    FailureOr<isa::Arch> target = getArch(getOperation(), arch);
    if (failed(target))
      return signalPassFailure();
    Legaliser legaliser(getOperation(), *target);
    legaliser.run();
    remark::analysis(getOperation().getLoc(), remarkOf(getArgument(), "operations"))
        << remark::metric("rewritten", legaliser.rewritten) << remark::metric("casts", legaliser.casts);
  }
};
} // namespace
