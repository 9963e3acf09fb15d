//===- IsaInterfaces.td - What every instruction op can say about itself ---------------------------------------------===//
#ifndef TILESMITH_DIALECT_ISA_INTERFACES
#define TILESMITH_DIALECT_ISA_INTERFACES

include "mlir/IR/OpBase.td"

def Isa_InstructionOpInterface : OpInterface<"InstructionOpInterface"> {
  let cppNamespace = "::tilesmith::isa";
  let description = [{An op that is exactly one call of the Machine's C ABI. Its facts come from the instruction table.}];
  let methods = [
    InterfaceMethod<"Its row of the instruction table.", "const ::tilesmith::isa::InstructionInfo &", "getInfo", (ins), "", [{
      return *::tilesmith::isa::findInstruction($_op->getName().stripDialect());
    }]>,
  ];
  let verify = [{ return ::tilesmith::isa::verifyInstruction($_op); }];
}

#endif // TILESMITH_DIALECT_ISA_INTERFACES
