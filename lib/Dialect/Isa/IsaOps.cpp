// Verifiers of the hand-written isa ops.
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Machine/VectorFunction.h"

using namespace mlir;
using namespace tilesmith::isa;

LogicalResult AllocOp::verify() {
  if (getBytes() <= 0 || getSlots() <= 0)
    return emitOpError() << "needs a positive size and at least one slot";
  if (getResult().getType().getMemory() == Memory::GM)
    return emitOpError() << "cannot allocate global memory";
  return success();
}

AllocOp SlotOp::getAlloc() { return getRing().getDefiningOp<AllocOp>(); }

LogicalResult SlotOp::verify() {
  if (!getAlloc())
    return emitOpError() << "needs the ring's isa.alloc";
  return success();
}

LogicalResult ViewOp::verify() {
  if (getBase().getType().getMemory() != getResult().getType().getMemory())
    return emitOpError() << "cannot change the memory";
  return success();
}

LogicalResult VfOp::verify() {
  if (getRows() <= 0 || getCols() <= 0)
    return emitOpError() << "needs a positive iteration space";
  if (getArgs().size() > TS_VF_MAX_ARGS)
    return emitOpError() << "takes at most " << TS_VF_MAX_ARGS << " arguments, got " << getArgs().size();
  Block &body = getBody().front();
  if (body.getArgumentTypes() != TypeRange(getArgs()))
    return emitOpError() << "the block's arguments must mirror the call's";
  for (Value arg : getArgs())
    if (auto buffer = dyn_cast<BufferType>(arg.getType()); buffer && buffer.getMemory() != Memory::UB)
      return emitOpError() << "works on UB, not on " << stringify(buffer.getMemory());
  return success();
}

LogicalResult VfLoadOp::verify() {
  if (getBuffer().getType().getElementType() != getResult().getType().getElementType())
    return emitOpError() << "register and buffer differ in element type";
  return success();
}

LogicalResult VfStoreOp::verify() {
  if (getBuffer().getType().getElementType() != getValue().getType().getElementType())
    return emitOpError() << "register and buffer differ in element type";
  return success();
}

LogicalResult VfReduceOp::verify() {
  int64_t width = getWidth();
  if (!width)
    return success();
  auto function = mlir::cast<VfOp>((*this)->getParentOp());
  if (width < 2 || width > 32 || !llvm::isPowerOf2_64(width))
    return emitOpError() << "reduces 2, 4, 8, 16 or 32 columns at a time, not " << width;
  if (function.getRows() != 1 || function.getCols() % width)
    return emitOpError() << "needs one row of a multiple of " << width << " columns";
  return success();
}

LogicalResult VfComputeOp::verify() {
  StringRef name = getInstruction();
  const InstructionInfo *info = findInstruction(std::string_view(name.data(), name.size()));
  if (!info)
    return emitOpError() << "no instruction '" << name << "' in the table";
  if (info->element.empty() && info->family != Family::Cast)
    return emitOpError() << "'" << name << "' has no element function";
  if (!info->inRegisters)
    return emitOpError() << "'" << name << "' is not an instruction on registers";
  return success();
}

const InstructionInfo &VfComputeOp::getInfo() { return *findInstruction(std::string_view(getInstruction())); }
