//===- TritonEnums.td - Kinds of operations of the triton dialect ----------------------------------------------------===//
#ifndef TILESMITH_DIALECT_TRITON_ENUMS
#define TILESMITH_DIALECT_TRITON_ENUMS

include "mlir/IR/EnumAttr.td"

def Triton_UpdateKind : I32EnumAttr<"UpdateKind", "what an atomic access leaves", [
  I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">, I32EnumAttrCase<"Xor", 6, "xor">,
  I32EnumAttrCase<"Xchg", 7, "xchg">, I32EnumAttrCase<"Cas", 8, "cas">]> {
  let cppNamespace = "::tilesmith::triton";
}

#endif // TILESMITH_DIALECT_TRITON_ENUMS
