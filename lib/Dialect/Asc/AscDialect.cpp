#include "tilesmith/Dialect/Asc/Asc.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilesmith::asc;

#include "tilesmith/Dialect/Asc/AscDialect.cpp.inc"
#define GET_OP_CLASSES
#include "tilesmith/Dialect/Asc/AscOps.cpp.inc"

void AscDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tilesmith/Dialect/Asc/AscOps.cpp.inc"
      >();
}

namespace {

// The buffer whose address, plus `offset` where there is one, the number is; null if it is another number.
Value findBuffer(Value number, SmallVectorImpl<Value> &offsets, unsigned depth = 0) {
  constexpr unsigned deepest = 16;
  if (auto address = number.getDefiningOp<AddressOp>())
    return address.getBuffer();
  auto sum = number.getDefiningOp<arith::AddIOp>();
  if (!sum || depth == deepest)
    return {};
  for (auto [part, other] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
    size_t before = offsets.size();
    if (Value buffer = findBuffer(part, offsets, depth + 1)) {
      offsets.push_back(other);
      return buffer;
    }
    offsets.truncate(before);
  }
  return {};
}

struct AtBuffer : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> offsets;
    Value buffer = findBuffer(op.getAddress(), offsets);
    auto type = cast<tilesmith::isa::BufferType>(op.getType());
    if (!buffer || cast<tilesmith::isa::BufferType>(buffer.getType()).getMemory() != type.getMemory())
      return failure();
    Value bytes;
    for (Value offset : offsets)
      bytes = bytes ? arith::AddIOp::create(rewriter, op.getLoc(), bytes, offset).getResult() : offset;
    if (bytes)
      buffer = tilesmith::isa::OffsetOp::create(rewriter, op.getLoc(), buffer.getType(), buffer, bytes);
    if (buffer.getType() != type)
      buffer = tilesmith::isa::ViewOp::create(rewriter, op.getLoc(), type, buffer);
    rewriter.replaceOp(op, buffer);
    return success();
  }
};

} // namespace

void AtOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AtBuffer>(context);
}

OpFoldResult AddressOp::fold(FoldAdaptor) {
  auto at = getBuffer().getDefiningOp<AtOp>();
  return at ? at.getAddress() : OpFoldResult();
}

void WriteOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (!getPure())
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult IssueOp::verify() {
  const isa::InstructionInfo *info = isa::findInstruction(std::string_view(getInstruction()));
  if (!info)
    return emitOpError() << "no instruction '" << getInstruction() << "' in the table";
  unsigned next = 0;
  for (unsigned i = 0; i < info->numOperands; ++i) {
    const isa::OperandInfo &operand = info->operands[i];
    StringRef name(operand.name);
    if (operand.kind == isa::OperandKind::Attribute) {
      if (!getChoices().getAs<IntegerAttr>(name))
        return emitOpError() << "has no number for '" << name << "'";
      continue;
    }
    if (next == getOperands().size())
      return emitOpError() << "misses its operand '" << name << "'";
    Type type = getOperands()[next++].getType();
    bool fits = operand.kind == isa::OperandKind::Buffer    ? mlir::isa<tilesmith::isa::BufferType>(type)
                : operand.kind == isa::OperandKind::Integer ? type.isInteger(64)
                                                            : type.isIntOrFloat();
    if (!fits)
      return emitOpError() << "operand '" << name << "' cannot be " << type;
  }
  if (next != getOperands().size())
    return emitOpError() << "has more operands than the instruction";
  return success();
}
