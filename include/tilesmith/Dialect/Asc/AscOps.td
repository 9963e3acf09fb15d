//===- AscOps.td - The asc dialect: what a kernel of the asc language holds beside instructions -----------------------===//
//
// Addresses as numbers, entries of the Machine that are not instructions, and instructions that have not been held against
// the table yet. After `asc-to-isa` only addresses and entries are left, among ops of the isa dialect.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_DIALECT_ASC_OPS
#define TILESMITH_DIALECT_ASC_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Asc_Dialect : Dialect {
  let name = "asc";
  let cppNamespace = "::tilesmith::asc";
  let summary = "Addresses as numbers, entries of the Machine, instructions as their author wrote them.";
  let description = [{
    A kernel of the asc language is a `func.func` with `isa.kernel` and `asc.kernel`. Its tensors are addresses that the core
    gives out while it runs, and nothing is checked against the chip before `asc-to-isa` has seen the architecture.
  }];
  let dependentDialects = ["::tilesmith::isa::IsaDialect", "::mlir::arith::ArithDialect"];
}

def Asc_Buffer : Type<CPred<"::llvm::isa<::tilesmith::isa::BufferType>($_self)">, "a buffer of isa IR",
                      "::tilesmith::isa::BufferType">;

class Asc_Op<string opMnemonic, list<Trait> traits = []> : Op<Asc_Dialect, opMnemonic, traits>;

def Asc_AtOp : Asc_Op<"at", [Pure]> {
  let summary = "the buffer at an address the core gave";
  let description = [{
    At the address of another buffer, or so many bytes further on, it is that buffer: `isa.offset` and `isa.view` of it.

    ```mlir
    %x = asc.at %address : !isa.buffer<UB, f16>
    ```
  }];
  let hasCanonicalizer = 1;
  let arguments = (ins I64:$address);
  let results = (outs Asc_Buffer:$result);
  let assemblyFormat = "$address attr-dict `:` type($result)";
}

def Asc_AddressOp : Asc_Op<"address", [Pure]> {
  let summary = "where a buffer lies, with its memory in the top byte";
  let description = [{
    That of a buffer at an address folds to the address.

    ```mlir
    %address = asc.address %x : !isa.buffer<GM, f16>
    ```
  }];
  let arguments = (ins Asc_Buffer:$buffer);
  let results = (outs I64:$result);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
  let hasFolder = 1;
}

def Asc_CallOp : Asc_Op<"call"> {
  let summary = "one call of an entry of the Machine";
  let description = [{
    `place` says that the entry takes the place of the call. Arguments travel as 64 bits: floats as their bits, narrower
    integers with their sign. `text`, where there is one, is the last argument.

    ```mlir
    %tensor = asc.call "queue_alloc" place (%queue) : (i64) -> i64
    ```
  }];
  let arguments = (ins StrAttr:$entry, UnitAttr:$place, OptionalAttr<StrAttr>:$text, Variadic<AnyType>:$args);
  let results = (outs Optional<I64>:$result);
  let assemblyFormat = "$entry (`place` $place^)? `(` $args `)` attr-dict `:` functional-type($args, $result)";
}

def Asc_IssueOp : Asc_Op<"issue"> {
  let summary = "an instruction as the kernel's author wrote it";
  let description = [{
    `operands` are those of the record that are not enumerations, in its order; `choices` has the numbers of the others by
    their names. Memories and element types may be ones the instruction does not take: then `asc-to-isa` warns, and the
    Machine reports it when the instruction runs.

    ```mlir
    asc.issue "add"(%z, %x, %y, %count) {choices = {}} : (!isa.buffer<UB, f16>, !isa.buffer<UB, f16>, !isa.buffer<UB, f16>, i64) -> ()
    ```
  }];
  let arguments = (ins StrAttr:$instruction, Variadic<AnyType>:$operands, DictionaryAttr:$choices);
  let results = (outs Optional<AnyType>:$result);
  let assemblyFormat = "$instruction `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}

def Asc_WriteOp : Asc_Op<"write", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a piece of Ascend C";
  let description = [{
    A kernel that is traced to be written consists of these and of scalar code. `$0` in the text is the first operand, `$r` the
    variable the result is; without `$r` the text is the result's value. `type` is what the variable is declared as, where the type
    of the result does not say it; "" where the text declares it. One that is `pure` only computes its result.

    ```mlir
    %x = asc.write "$0.AllocTensor<half>()"(%queue) : (i32) -> !isa.buffer<UB, f16>
    ```
  }];
  let arguments = (ins StrAttr:$text, OptionalAttr<StrAttr>:$type, UnitAttr:$pure, Variadic<AnyType>:$args);
  let results = (outs Optional<AnyType>:$result);
  let assemblyFormat = "$text (`as` $type^)? (`pure` $pure^)? `(` $args `)` attr-dict `:` functional-type($args, $result)";
}

#endif // TILESMITH_DIALECT_ASC_OPS
