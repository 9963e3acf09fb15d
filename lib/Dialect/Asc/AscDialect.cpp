#include "tilesmith/Dialect/Asc/Asc.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"

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

OpFoldResult AddressOp::fold(FoldAdaptor) {
  auto at = getBuffer().getDefiningOp<AtOp>();
  return at ? at.getAddress() : OpFoldResult();
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
    bool fits = operand.kind == isa::OperandKind::Buffer    ? mlir::isa<isa::BufferType>(type)
                : operand.kind == isa::OperandKind::Integer ? type.isInteger(64)
                                                            : type.isIntOrFloat();
    if (!fits)
      return emitOpError() << "operand '" << name << "' cannot be " << type;
  }
  if (next != getOperands().size())
    return emitOpError() << "has more operands than the instruction";
  return success();
}
