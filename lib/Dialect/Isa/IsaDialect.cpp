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
  registerIsaDialectOperations(this);
}

namespace tilesmith::isa {

std::optional<DType> getDType(Type type) {
#define TILESMITH_FLOAT_TYPE(name, type_)                                                                              \
  if (llvm::isa<type_>(type))                                                                                          \
    return DType::name;
#include "tilesmith/Isa/DTypes.h.inc"
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  return dtypeOf(integer.isUnsigned() ? DTypeKind::Uint : DTypeKind::Int, integer.getWidth());
}

int64_t abiValueOf(Attribute attribute) {
#define TILESMITH_ENUM_ATTRIBUTE(Name)                                                                                 \
  if (auto known = dyn_cast_if_present<Name##Attr>(attribute))                                                         \
    return int64_t(known.getValue());
#include "tilesmith/Dialect/Isa/EnumAttributes.inc"
#undef TILESMITH_ENUM_ATTRIBUTE
  llvm::report_fatal_error("an operand of an instruction is not an enumeration of the table");
}

Type getElementType(MLIRContext *context, DType dtype) {
  switch (dtype) {
#define TILESMITH_FLOAT_TYPE(name, type)                                                                               \
  case DType::name:                                                                                                    \
    return type::get(context);
#include "tilesmith/Isa/DTypes.h.inc"
  default:
    if (!isInteger(dtype))
      return {};
    return IntegerType::get(context, bitsOf(dtype), isUnsigned(dtype) ? IntegerType::Unsigned : IntegerType::Signless);
  }
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

KernelType kernelTypeOf(Operation *kernel) {
  if (auto said = kernel->getAttrOfType<StringAttr>(kernelTypeAttrName))
    if (std::optional<KernelType> type = symbolize<KernelType>(std::string_view(said.getValue())))
      return *type;
  auto attribute = kernel->getAttrOfType<StringAttr>(archAttrName);
  std::optional<Arch> arch = attribute ? symbolize<Arch>(std::string_view(attribute.getValue())) : std::nullopt;
  CoreKinds needed;
  auto need = [&](CoreKinds kinds) {
    if (kinds.decides())
      needed |= kinds;
  };
  kernel->walk([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      need(coresWith(alloc.getResult().getType().getMemory()));
    if (auto instruction = dyn_cast<InstructionOpInterface>(op))
      need(coresWith(instruction.getInfo().pipe, arch.value_or(Arch::C220)));
  });
  return kernelTypeFor(needed);
}

} // namespace tilesmith::isa
