#include "tilesmith/Dialect/Isa/IsaDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith::isa;

#include "tilesmith/Dialect/Isa/IsaDialect.cpp.inc"
#include "tilesmith/Dialect/Isa/IsaEnums.cpp.inc"
#include "tilesmith/Dialect/Isa/IsaInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tilesmith/Dialect/Isa/IsaAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tilesmith/Dialect/Isa/IsaTypes.cpp.inc"

void IsaDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilesmith/Dialect/Isa/IsaTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tilesmith/Dialect/Isa/IsaAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tilesmith/Dialect/Isa/IsaOps.cpp.inc"
      >();
}

namespace tilesmith::isa {

std::optional<DType> getDType(Type type) {
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (type.isF32())
    return DType::F32;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return DType::I1;
  case 8:
    return isUnsigned ? DType::U8 : DType::I8;
  case 16:
    return isUnsigned ? DType::U16 : DType::I16;
  case 32:
    return isUnsigned ? DType::U32 : DType::I32;
  case 64:
    return isUnsigned ? DType::U64 : DType::I64;
  default:
    return std::nullopt;
  }
}

Type getElementType(MLIRContext *context, DType dtype) {
  auto integer = [&](unsigned width, bool isUnsigned) {
    return IntegerType::get(context, width, isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  };
  switch (dtype) {
  case DType::F16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  case DType::I1:
    return integer(1, false);
  case DType::I8:
  case DType::U8:
    return integer(8, dtype == DType::U8);
  case DType::I16:
  case DType::U16:
    return integer(16, dtype == DType::U16);
  case DType::I32:
  case DType::U32:
    return integer(32, dtype == DType::U32);
  case DType::I64:
  case DType::U64:
    return integer(64, dtype == DType::U64);
  }
  return {};
}

static std::optional<Arch> archOf(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto name = op->getAttrOfType<StringAttr>(archAttrName))
      return symbolize<Arch>(std::string_view(name.getValue().data(), name.getValue().size()));
  return std::nullopt;
}

LogicalResult verifyInstruction(Operation *op) {
  const InstructionInfo *info = findInstruction(std::string_view(op->getName().stripDialect()));
  if (!info)
    return op->emitOpError() << "is not in the instruction table";
  // Attribute operands of the record are attributes of the op, so operands of the op skip them.
  unsigned next = 0;
  for (unsigned i = 0; i < info->numOperands; ++i) {
    const OperandInfo &operand = info->operands[i];
    if (operand.kind == OperandKind::Attribute)
      continue;
    Type type = op->getOperand(next++).getType();
    if (operand.kind != OperandKind::Buffer)
      continue;
    auto buffer = cast<BufferType>(type);
    if (!(operand.memories & memoryBit(buffer.getMemory())))
      return op->emitOpError() << "operand '" << operand.name << "' cannot live in " << stringify(buffer.getMemory());
    if (int(i) == info->dtypeOperand) {
      std::optional<DType> dtype = getDType(buffer.getElementType());
      std::optional<Arch> arch = archOf(op);
      if (!dtype || (arch && info->dtypes[unsigned(*arch)] && !info->supports(*arch, *dtype)) ||
          (arch && !info->dtypes[unsigned(*arch)]))
        return op->emitOpError() << "does not take " << buffer.getElementType() << (arch ? " on " : "")
                                 << (arch ? stringify(*arch) : std::string_view());
    }
  }
  return success();
}

} // namespace tilesmith::isa
