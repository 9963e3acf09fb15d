//===- IsaEnums.td - Words of the register code in vector functions --------------------------------------------------===//
#ifndef TILESMITH_DIALECT_ISA_ENUMS
#define TILESMITH_DIALECT_ISA_ENUMS

include "mlir/IR/EnumAttr.td"

class Isa_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilesmith::isa";
}

// The numbers are the Machine's (TsVfWalk), which says what they mean.
def Isa_VfWalk : Isa_Enum<"VfWalk", "how a vector function goes through a buffer", [
  I32EnumAttrCase<"Full", 0, "full">, I32EnumAttrCase<"Row", 1, "row">, I32EnumAttrCase<"Element", 2, "element">,
  I32EnumAttrCase<"One", 3, "one">, I32EnumAttrCase<"Bits", 4, "bits">,
  I32EnumAttrCase<"Group", 5, "group">]>;

def Isa_VfReduction : Isa_Enum<"VfReduction", "what the lanes of a row become", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">]>;

#endif // TILESMITH_DIALECT_ISA_ENUMS
