// Types and numbers of the IR as C++ writes them.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_TYPES_H
#define TILESMITH_LIB_TARGET_ASCENDC_TYPES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tilesmith/Isa/Isa.h"
#include <string>

namespace tilesmith::ascendc {

// "half", "int32_t", ... of a scalar; empty: Ascend C has no such type.
llvm::StringRef cppType(mlir::Type scalar);
// Of the elements of a buffer: as above, packed bits are bytes.
llvm::StringRef elementType(mlir::Type element);
// Bytes of an element; packed bits are counted by the byte.
int64_t elementSize(mlir::Type element);
// The unsigned type of the same width as a signless integer.
std::string unsignedType(mlir::Type integer);

// An integer literal of a type that holds it; a negative one is in parentheses.
std::string literal(int64_t value, unsigned width = 64);
// A number of its type: hexadecimal floats, so that no reader rounds.
std::string literal(mlir::TypedAttr value);
std::string floatLiteral(const llvm::APFloat &value); // of type float
// A float expression as a value of a narrower type, and back.
std::string narrowFloat(const std::string &text, mlir::Type type);
std::string widenFloat(const std::string &text, mlir::Type type);

// TPosition of a static tensor in a memory.
llvm::StringRef positionOf(isa::Memory memory);

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_TYPES_H
