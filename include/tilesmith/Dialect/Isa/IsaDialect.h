// The isa dialect: what the chip does. See IsaOps.td and the instruction table.
//
// A kernel is a func.func with `isa.kernel` and `isa.arch`; array parameters are !isa.buffer<GM, T>, scalars builtin
// types. Every instruction op, and isa.vf, is exactly one call of the Machine's C ABI.
#ifndef TILESMITH_DIALECT_ISA_ISADIALECT_H
#define TILESMITH_DIALECT_ISA_ISADIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tilesmith/Isa/Cores.h"

namespace tilesmith::isa {

// On a kernel.
inline constexpr llvm::StringLiteral kernelAttrName = "isa.kernel";
inline constexpr llvm::StringLiteral printsAttrName = "isa.prints"; // lines of device_print: [format, value, value ...]
inline constexpr llvm::StringLiteral breakpointsAttrName = "isa.breakpoints"; // its source has asc2.breakpoint()
inline constexpr llvm::StringLiteral archAttrName = "isa.arch";               // string: "C220" or "C310"
inline constexpr llvm::StringLiteral locationsAttrName = "isa.locations"; // of its native code: places, by their number

// On a kernel that runs on both kinds of cores: its type as the table spells it, and the bytes of workspace of a block.
// Its last parameter is the workspace then.
inline constexpr llvm::StringLiteral kernelTypeAttrName = "isa.kernel_type";
inline constexpr llvm::StringLiteral workspaceAttrName = "isa.workspace";

// On the halves such a kernel is while it is compiled: "AIC" or "AIV", and how many vector cores a block has; on the
// vector half the name of the cube half. On a parameter of a half: the bytes of workspace a block has for the channel.
inline constexpr llvm::StringLiteral coreAttrName = "isa.core";
inline constexpr llvm::StringLiteral vectorCoresAttrName = "isa.vector_cores";
inline constexpr llvm::StringLiteral halfOfAttrName = "isa.half_of";
inline constexpr llvm::StringLiteral channelAttrName = "isa.channel";

// What a probe has in place of a buffer whose value is in no memory.
inline constexpr int64_t probeNowhere = -1;

// On an array parameter: it overlaps no other argument, or it may overlap those that say so, too.
inline constexpr llvm::StringLiteral noaliasAttrName = "isa.noalias";
inline constexpr llvm::StringLiteral mayAliasAttrName = "isa.may_alias";

// On flags the compiler made: an integer that sets and waits of one dependency have in common.
inline constexpr llvm::StringLiteral tokenAttrName = "isa.token";

// Element type of the IR to dtype of the table, and back (integers are signless when signed). What MLIR does not have
// is null.
std::optional<DType> getDType(mlir::Type type);
mlir::Type getElementType(mlir::MLIRContext *context, DType dtype);

// The number of an enumerator in the C ABI. Every enumeration of the table is known; anything else ends the program.
int64_t abiValueOf(mlir::Attribute attribute);

// The type of a kernel of isa IR: as it says, or by the memories it allocates and the instructions it has.
KernelType kernelTypeOf(mlir::Operation *kernel);

// Operands live where the record says, and the dtype exists on the kernel's architecture.
mlir::LogicalResult verifyInstruction(mlir::Operation *op);

template <typename Enum> mlir::FailureOr<Enum> parseEnum(mlir::AsmParser &parser) {
  llvm::StringRef keyword;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (mlir::failed(parser.parseKeyword(&keyword)))
    return mlir::failure();
  if (std::optional<Enum> value = symbolize<Enum>(std::string_view(keyword.data(), keyword.size())))
    return *value;
  parser.emitError(loc, "unknown keyword '") << keyword << "'";
  return mlir::failure();
}

} // namespace tilesmith::isa

#include "tilesmith/Dialect/Isa/IsaInterfaces.h.inc"

#include "tilesmith/Dialect/Isa/IsaDialect.h.inc"
#include "tilesmith/Dialect/Isa/IsaEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tilesmith/Dialect/Isa/IsaAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tilesmith/Dialect/Isa/IsaTypes.h.inc"
#define GET_OP_CLASSES
#include "tilesmith/Dialect/Isa/IsaOps.h.inc"

#endif // TILESMITH_DIALECT_ISA_ISADIALECT_H
