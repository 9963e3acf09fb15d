// Buffers: tensors, slots of rings, views further on or of another element type.
#include "Printer.h"
#include "Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

std::string Printer::tensorType(BufferType type) {
  StringRef kind = type.getMemory() == Memory::GM ? "GlobalTensor" : "LocalTensor";
  return ("AscendC::" + kind + "<" + elementType(type.getElementType()) + ">").str();
}

// A view that is used once, by an instruction beside it, is written there.
bool Printer::isInlinedBuffer(Operation *op) {
  if (!mlir::isa<OffsetOp, ViewOp>(op) || !op->getResult(0).hasOneUse())
    return false;
  if (mlir::isa<ViewOp>(op) && mlir::cast<BufferType>(op->getResult(0).getType()).getMemory() == Memory::GM)
    return false;
  return (*op->getResult(0).user_begin())->getBlock() == op->getBlock();
}

std::pair<std::string, std::string> Printer::bufferAndIndex(Value value) {
  auto offset = value.getDefiningOp<OffsetOp>();
  if (values.isBound(value) || !offset)
    return {buffer(value), "0"};
  return {buffer(offset.getBase()), values.text(offset.getBytes())};
}

std::string Printer::buffer(Value value) {
  if (values.isBound(value))
    return values.variable(value).str();
  if (auto piece = value.getDefiningOp<asc::WriteOp>())
    return written(piece);
  if (auto choice = value.getDefiningOp<arith::SelectOp>())
    return "(" + values.operand(choice.getCondition()) + " ? " + buffer(choice.getTrueValue()) + " : " +
           buffer(choice.getFalseValue()) + ")";
  if (auto offset = value.getDefiningOp<OffsetOp>())
    return buffer(offset.getBase()) + "[" + values.text(offset.getBytes()) + "]";
  auto view = mlir::cast<ViewOp>(value.getDefiningOp());
  StringRef element = elementType(view.getResult().getType().getElementType());
  if (elementType(view.getBase().getType().getElementType()) == element)
    return buffer(view.getBase());
  return buffer(view.getBase()) + ".ReinterpretCast<" + element.str() + ">()";
}

LogicalResult Printer::printBuffer(Operation &op) {
  if (mlir::isa<AllocOp>(op) || op.getResult(0).use_empty() || isInlinedBuffer(&op))
    return success();
  Value result = op.getResult(0);
  auto type = mlir::cast<BufferType>(result.getType());
  if (elementType(type.getElementType()).empty())
    return op.emitOpError() << "has elements of type " << type.getElementType() << ", which Ascend C has no name for";
  if (auto slot = dyn_cast<SlotOp>(op)) {
    AllocOp alloc = slot.getAlloc();
    std::string name = names.unique(values.variable(alloc.getResult()));
    std::string address = *alloc.getAddress() || alloc.getSlots() == 1 ? std::to_string(*alloc.getAddress()) : "";
    if (alloc.getSlots() > 1) {
      std::string index = values.ranges.of(slot.getIndex()).low >= 0
                              ? values.operand(slot.getIndex())
                              : "static_cast<uint64_t>(" + values.text(slot.getIndex()) + ")";
      address += (address.empty() ? "" : " + ") + index + " % " + std::to_string(alloc.getSlots()) + " * " +
                 std::to_string(alloc.getBytes());
    }
    text.line(tensorType(type) + " " + name + "(" + positionOf(type.getMemory()) + ", " + address + ", " +
              Twine(alloc.getBytes() / elementSize(type.getElementType())) + ");");
    values.bind(result, name);
    return success();
  }
  std::string base = buffer(op.getOperand(0));
  std::string name = names.unique(StringRef(base).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }));
  if (mlir::isa<ViewOp>(op) && type.getMemory() == Memory::GM) {
    text.line(tensorType(type) + " " + name + ";");
    text.line(name + ".SetGlobalBuffer((__gm__ " + elementType(type.getElementType()) + " *)" + base +
              ".GetPhyAddr());");
  } else {
    text.line(tensorType(type) + " " + name + " = " + buffer(result) + ";");
  }
  values.bind(result, name);
  return success();
}

} // namespace tilesmith::ascendc
