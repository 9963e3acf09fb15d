//===- IsaOps.td - The isa dialect: what the chip does ---------------------------------------------------------------===//
//
// Instruction ops are generated from the instruction table (IsaInstructions.td in the build tree). By hand are only what is
// not an instruction: buffers, and the register code inside vector functions.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_DIALECT_ISA_OPS
#define TILESMITH_DIALECT_ISA_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tilesmith/Dialect/Isa/IsaEnums.td"
include "tilesmith/Dialect/Isa/IsaInterfaces.td"

def Isa_Dialect : Dialect {
  let name = "isa";
  let cppNamespace = "::tilesmith::isa";
  let summary = "Buffers with addresses, one op per instruction, flags.";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

// A parameter holding an enumeration of the instruction table.
class Isa_EnumParameter<string name> : AttrOrTypeParameter<"::tilesmith::isa::" # name, ""> {
  let parser = "::tilesmith::isa::parseEnum<::tilesmith::isa::" # name # ">($_parser)";
  let printer = "$_printer << ::tilesmith::isa::stringify($_self)";
}

class Isa_EnumAttr<string name, string attrMnemonic> : AttrDef<Isa_Dialect, name> {
  let mnemonic = attrMnemonic;
  let parameters = (ins Isa_EnumParameter<name>:$value);
  let assemblyFormat = "`<` $value `>`";
}

def Isa_Buffer : TypeDef<Isa_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "an address in a memory, with the type of the elements there: `!isa.buffer<UB, f32>`";
  let parameters = (ins Isa_EnumParameter<"Memory">:$memory, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $memory `,` $elementType `>`";
}

def Isa_Reg : TypeDef<Isa_Dialect, "Reg"> {
  let mnemonic = "reg";
  let summary = "64 lanes of a vector register inside a vector function; of i1: a mask";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

class Isa_Op<string opMnemonic, list<Trait> traits = []> : Op<Isa_Dialect, opMnemonic, traits>;
class Isa_Instruction<string opMnemonic, list<Trait> traits = []>
    : Isa_Op<opMnemonic, !listconcat([Isa_InstructionOpInterface], traits)>;

include "tilesmith/Dialect/Isa/IsaInstructions.td"

// Buffers.

def Isa_AllocOp : Isa_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer of `bytes`, `slots` times; `address` is set by the planner";
  let description = [{
    Before planning every value has its own alloc. With slots > 1 the buffer is a ring: `isa.slot` picks one. `source` is
    the name in the Python source, for messages and emitted code.
  }];
  let arguments = (ins I64Attr:$bytes, DefaultValuedAttr<I64Attr, "1">:$slots, OptionalAttr<I64Attr>:$address, OptionalAttr<StrAttr>:$source,
                       OptionalAttr<StrAttr>:$shape);
  let results = (outs Isa_Buffer:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Isa_SlotOp : Isa_Op<"slot", [Pure, AllTypesMatch<["ring", "result"]>]> {
  let summary = "slot `index` modulo the number of slots of a ring of buffers";
  let arguments = (ins Isa_Buffer:$ring, I64:$index);
  let results = (outs Isa_Buffer:$result);
  let assemblyFormat = "$ring `[` $index `]` attr-dict `:` type($ring)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{ AllocOp getAlloc(); }];
}

def Isa_OffsetOp : Isa_Op<"offset", [Pure, AllTypesMatch<["base", "result"]>]> {
  let summary = "the buffer `bytes` further on";
  let arguments = (ins Isa_Buffer:$base, I64:$bytes);
  let results = (outs Isa_Buffer:$result);
  let assemblyFormat = "$base `,` $bytes attr-dict `:` type($base)";
}

def Isa_ViewOp : Isa_Op<"view", [Pure]> {
  let summary = "the same bytes as elements of another type";
  let arguments = (ins Isa_Buffer:$base);
  let results = (outs Isa_Buffer:$result);
  let assemblyFormat = "$base attr-dict `:` type($base) `->` type($result)";
  let hasVerifier = 1;
}

// Vector functions: one loop nest over rows and chunks of 64 elements, register code inside.

def Isa_VfOp : Isa_Op<"vf", [IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "a vector function over `rows` x `cols` elements";
  let description = [{
    The body runs once for every 64 elements of every row. Arguments are UB buffers and scalars, at most 16; the block's
    arguments mirror them. Loads and stores name how they walk (full, row, element, one, bits); vf_reduce accumulates over
    the chunks of a row in the canonical order and writes one element per row. One call of the C ABI (tsm_vf), pipe V.
  }];
  let arguments = (ins Variadic<AnyType>:$args, I64Attr:$rows, I64Attr:$cols);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$rows `x` $cols `(` $args `)` attr-dict-with-keyword `:` type($args) $body";
  let hasVerifier = 1;
}

class Isa_VfBodyOp<string opMnemonic, list<Trait> traits = []> : Isa_Op<opMnemonic, !listconcat([HasParent<"VfOp">], traits)>;

def Isa_VfLoadOp : Isa_VfBodyOp<"vf_load"> {
  let summary = "the current 64 elements of a buffer; lanes past the end of the row are undefined";
  let arguments = (ins Isa_Buffer:$buffer, Isa_VfWalk:$walk, DefaultValuedAttr<I64Attr, "0">:$pitch);
  let results = (outs Isa_Reg:$result);
  let assemblyFormat = "$buffer $walk attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def Isa_VfStoreOp : Isa_VfBodyOp<"vf_store"> {
  let summary = "writes the lanes inside the row";
  let arguments = (ins Isa_Reg:$value, Isa_Buffer:$buffer, Isa_VfWalk:$walk, DefaultValuedAttr<I64Attr, "0">:$pitch);
  let assemblyFormat = "$value `,` $buffer $walk attr-dict `:` type($value) `,` type($buffer)";
  let hasVerifier = 1;
}

def Isa_VfScalarOp : Isa_VfBodyOp<"vf_scalar", [Pure]> {
  let summary = "a scalar argument in all lanes";
  let arguments = (ins AnyType:$value);
  let results = (outs Isa_Reg:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

def Isa_VfConstantOp : Isa_VfBodyOp<"vf_constant", [Pure]> {
  let summary = "a constant in all lanes";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Isa_Reg:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def Isa_VfComputeOp : Isa_VfBodyOp<"vf_compute", [Pure]> {
  let summary = "one register instruction, named as in the instruction table";
  let description = [{
    `instruction` is a mnemonic of the table whose element function defines the meaning (add, exp, cast, compare, select,
    ...). f16 and bf16 results are rounded to their type. `round` and `mode` as the instruction's attributes.
  }];
  let arguments = (ins StrAttr:$instruction, Variadic<Isa_Reg>:$operands, OptionalAttr<Isa_RoundModeAttr>:$round,
                       OptionalAttr<Isa_CmpModeAttr>:$mode);
  let results = (outs Isa_Reg:$result);
  let assemblyFormat = "$instruction `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
  let extraClassDeclaration = [{
    // The record of the instruction.
    const InstructionInfo &getInfo();
  }];
  let hasVerifier = 1;
}

def Isa_VfReduceOp : Isa_VfBodyOp<"vf_reduce"> {
  let summary = "reduces the lanes of a whole row (sum, max, min) and writes element r of the buffer";
  let arguments = (ins Isa_VfReduction:$kind, Isa_Reg:$value, Isa_Buffer:$buffer, DefaultValuedAttr<Isa_VfWalk, "::tilesmith::isa::VfWalk::Element">:$walk);
  let assemblyFormat = "$kind $value `,` $buffer attr-dict `:` type($value) `,` type($buffer)";
}

#endif // TILESMITH_DIALECT_ISA_OPS
