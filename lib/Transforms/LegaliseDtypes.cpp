// Legalise dtypes: every operation works in an element type the architecture computes in.
//
// What a type supports is asked from the instruction table. Where it does not: bf16 goes through f32 and is rounded
// once; 8-bit integers go through 16 bits and keep their low bits, or through f16 where order alone matters; integer
// reductions go through i32; f16 and bf16 sums and products are accumulated in f32. Conversions without an instruction
// become chains of conversions that are exact up to the last. Integer results are exact and wrap.
#include "TileBuilder.h"

namespace tilesmith {
#define GEN_PASS_DEF_LEGALISEDTYPES
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using tile::BinaryKind;
using tile::ReduceKind;
using tile::UnaryKind;

namespace {

class Legaliser : OpBuilder::Listener {
public:
  Legaliser(func::FuncOp kernel, isa::Arch arch) : kernel(kernel), arch(arch), b(kernel.getContext(), this) {}

  LogicalResult run() {
    kernel.walk([&](Operation *op) { worklist.push_back(op); });
    while (!worklist.empty())
      if (failed(legalise(worklist.pop_back_val())))
        return failure();
    return success();
  }

private:
  // What a rewrite creates is looked at too.
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override { worklist.push_back(op); }

  LogicalResult legalise(Operation *op);
  Value legaliseUnary(TileBuilder &t, tile::UnaryOp op);
  Value legaliseBinary(TileBuilder &t, tile::BinaryOp op);
  Value legaliseCompare(TileBuilder &t, tile::CompareOp op);
  Value legaliseSelect(TileBuilder &t, tile::SelectOp op);
  Value legaliseCast(TileBuilder &t, tile::CastOp op);
  Value legaliseReduce(TileBuilder &t, tile::ReduceOp op);

  bool supports(StringRef mnemonic, Type type) {
    auto *info = isa::findInstruction(std::string_view(mnemonic.data(), mnemonic.size()));
    auto dtype = isa::getDType(type);
    return info && dtype && info->supports(arch, *dtype);
  }
  // A tile or scalar in another element type.
  Value convert(TileBuilder &t, Value operand, Type type);

  func::FuncOp kernel;
  isa::Arch arch;
  OpBuilder b;
  SmallVector<Operation *> worklist;
};

} // namespace

Value Legaliser::convert(TileBuilder &t, Value operand, Type type) {
  if (tileTypeOf(operand))
    return t.cast(operand, type);
  Type from = operand.getType();
  if (from == type)
    return operand;
  if (llvm::isa<FloatType>(from) && llvm::isa<FloatType>(type))
    return from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth()
               ? arith::ExtFOp::create(b, t.loc, type, operand).getResult()
               : arith::TruncFOp::create(b, t.loc, type, operand).getResult();
  if (llvm::isa<FloatType>(type))
    return arith::SIToFPOp::create(b, t.loc, type, operand);
  return arith::ExtSIOp::create(b, t.loc, type, operand);
}

// The table's name for a kind; empty where lower-to-isa has its own sequence.
static StringRef mnemonicOf(UnaryKind kind) {
  switch (kind) {
  case UnaryKind::Log:
    return "ln";
  case UnaryKind::Not:
    return "";
  default:
    return tile::stringifyUnaryKind(kind);
  }
}

Value Legaliser::legaliseUnary(TileBuilder &t, tile::UnaryOp op) {
  Type type = op.getType().getElementType();
  Value x = op.getOperand();
  UnaryKind kind = op.getKind();
  StringRef mnemonic = mnemonicOf(kind);
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

Value Legaliser::legaliseBinary(TileBuilder &t, tile::BinaryOp op) {
  Type type = op.getType().getElementType();
  BinaryKind kind = op.getKind();
  StringRef mnemonic = kind == BinaryKind::Shl   ? "shift_left"
                       : kind == BinaryKind::Shr ? "shift_right"
                                                 : tile::stringifyBinaryKind(kind);
  if (kind == BinaryKind::And || kind == BinaryKind::Or || kind == BinaryKind::Xor || supports(mnemonic, type))
    return {};
  Type wide;
  bool ordered = kind == BinaryKind::Max || kind == BinaryKind::Min;
  if (type.isBF16())
    wide = b.getF32Type();
  else if (type.isInteger(8))
    wide = ordered                                              ? Type(b.getF16Type())
           : kind == BinaryKind::Div && arch == isa::Arch::C220 ? Type(b.getF32Type())
                                                                : b.getI16Type();
  else if (type.isInteger(16) && kind == BinaryKind::Div)
    wide = b.getF32Type(); // the quotient of 16-bit integers is never rounded onto the next integer
  else
    return {};
  return t.cast(t.binary(kind, convert(t, op.getLhs(), wide), convert(t, op.getRhs(), wide)), type);
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
  return t.compare(op.getKind(), convert(t, op.getLhs(), wide), convert(t, op.getRhs(), wide));
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
  return t.cast(
      t.select(op.getMask(), convert(t, op.getLhs(), b.getF16Type()), convert(t, op.getRhs(), b.getF16Type())), type);
}

// Pairs one Cast converts between; C310 has those of C220 and more.
static bool isOneCast(Type from, Type to, isa::Arch arch) {
  auto is = [](Type type, StringRef name) {
    return name == "f16"    ? type.isF16()
           : name == "bf16" ? type.isBF16()
           : name == "f32"  ? type.isF32()
           : name == "i8"   ? type.isInteger(8)
           : name == "i16"  ? type.isInteger(16)
           : name == "i32"  ? type.isInteger(32)
                            : type.isInteger(64);
  };
  static constexpr std::pair<StringRef, StringRef> common[] = {
      {"i8", "f16"},   {"i16", "f16"},  {"i16", "f32"}, {"f16", "i8"},  {"f16", "i16"}, {"f16", "i32"}, {"f16", "f32"},
      {"bf16", "i32"}, {"bf16", "f32"}, {"i32", "i16"}, {"i32", "f32"}, {"i32", "i64"}, {"f32", "i16"}, {"f32", "f16"},
      {"f32", "bf16"}, {"f32", "i32"},  {"f32", "i64"}, {"i64", "i32"}, {"i64", "f32"}};
  static constexpr std::pair<StringRef, StringRef> onlyC310[] = {
      {"i8", "i16"}, {"i8", "i32"}, {"i16", "i32"}, {"f16", "bf16"}, {"bf16", "f16"}};
  auto has = [&](ArrayRef<std::pair<StringRef, StringRef>> pairs) {
    return llvm::any_of(pairs, [&](auto pair) { return is(from, pair.first) && is(to, pair.second); });
  };
  return has(common) || (arch == isa::Arch::C310 && has(onlyC310));
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
    Type as = to.isInteger(8) ? f16 : to;
    return t.cast(t.select(op.getOperand(), t.constant(as, 1), t.constant(as, 0)), to);
  }
  if (to.isInteger(1))
    return t.compare(tile::CompareKind::NE, x, 0.0);
  if (isOneCast(from, to, arch))
    return {};
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
  if (from.isInteger(64) || to.isInteger(64))
    return t.cast(t.cast(x, i32), to);
  return t.cast(t.cast(x, f32), to);
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

LogicalResult Legaliser::legalise(Operation *op) {
  b.setInsertionPoint(op);
  TileBuilder t(b, op->getLoc());
  Value replacement;
  if (auto unary = dyn_cast<tile::UnaryOp>(op))
    replacement = legaliseUnary(t, unary);
  else if (auto binary = dyn_cast<tile::BinaryOp>(op))
    replacement = legaliseBinary(t, binary);
  else if (auto compare = dyn_cast<tile::CompareOp>(op))
    replacement = legaliseCompare(t, compare);
  else if (auto select = dyn_cast<tile::SelectOp>(op))
    replacement = legaliseSelect(t, select);
  else if (auto cast = dyn_cast<tile::CastOp>(op))
    replacement = legaliseCast(t, cast);
  else if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    replacement = legaliseReduce(t, reduce);
  else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    Type type = broadcast.getType().getElementType();
    if (type.isInteger(1) || (type.isInteger(8) && !supports("brcb", type)))
      replacement =
          t.cast(t.broadcast(t.cast(broadcast.getOperand(), b.getF16Type()), broadcast.getType().getShape()), type);
  }
  if (!replacement)
    return success();
  op->getResult(0).replaceAllUsesWith(replacement);
  op->erase();
  return success();
}

namespace {
struct LegaliseDtypesPass : tilesmith::impl::LegaliseDtypesBase<LegaliseDtypesPass> {
  using LegaliseDtypesBase::LegaliseDtypesBase;
  void runOnOperation() override {
    FailureOr<isa::Arch> target = getArch(getOperation(), arch);
    if (failed(target) || failed(Legaliser(getOperation(), *target).run()))
      signalPassFailure();
  }
};
} // namespace
