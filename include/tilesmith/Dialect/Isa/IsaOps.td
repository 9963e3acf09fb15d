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
  let description = [{
    What the chip does. Every instruction op, and `isa.vf`, is exactly one call of the Machine's C ABI. A
    kernel is a `func.func` with `isa.kernel` and `isa.arch`; `arith` and `scf` are its scalar code.
  }];
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
  let description = [{
    Not a value with contents: two buffers may overlap, and instructions change what is there. It has no length; `isa.alloc`
    has, and the Machine checks accesses against it. Arrays of a kernel are buffers in GM.
  }];
  let parameters = (ins Isa_EnumParameter<"Memory">:$memory, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $memory `,` $elementType `>`";
}

def Isa_Reg : TypeDef<Isa_Dialect, "Reg"> {
  let mnemonic = "reg";
  let summary = "64 lanes of a vector register inside a vector function; of i1: a mask";
  let description = [{
    Each element has one 32-bit lane whatever its type, so narrow types are unpacked by loads and packed by stores:
    `!isa.reg<f16>`.
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

class Isa_Op<string opMnemonic, list<Trait> traits = []> : Op<Isa_Dialect, opMnemonic, traits>;
class Isa_Instruction<string opMnemonic, list<Trait> traits = []>
    : Isa_Op<opMnemonic, !listconcat([Isa_InstructionOpInterface], traits)>;

include "tilesmith/Dialect/Isa/IsaInstructions.td"

def Isa_KeepOp : Isa_Op<"keep", [MemoryEffects<[MemWrite]>]> {
  let summary = "keeps the loop it is in, as tile.keep; does nothing";
  let description = [{
    ```mlir
    isa.keep
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Isa_AssertOp : Isa_Op<"assert", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "ends the block with `message` where the condition does not hold, as tile.assert";
  let description = [{
    ```mlir
    isa.assert %ok, "n is not positive"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

// Kernels with both kinds of cores.

def Isa_OnCubeOp : Isa_Op<"on_cube", [Pure]> {
  let summary = "whether the core that asks is the block's cube core";
  let description = [{
    Not an instruction: it takes no time. In emitted source it is `ASCEND_IS_AIC`.

    ```mlir
    %cube = isa.on_cube
    ```
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

// Debugging.

def Isa_ProbeOp : Isa_Op<"probe", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a statement begins: a debugger may stop here and read the values";
  let description = [{
    Not an instruction: nothing waits for it and it takes no time. Buffers it names keep their bytes until here. See
    `tile.probe`.

    ```mlir
    isa.probe "{}" depth 1 kind 0(%x, %n) : !isa.buffer<UB, f32>, i32
    ```
  }];
  let arguments = (ins StrAttr:$site, I64Attr:$depth, I64Attr:$kind, Variadic<AnyType>:$values);
  let assemblyFormat = "$site `depth` $depth `kind` $kind `(` $values `)` attr-dict (`:` type($values)^)?";
}

// Buffers.

def Isa_AllocOp : Isa_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer of `bytes`, `slots` times; `address` is set by the planner";
  let description = [{
    Before planning every value has its own alloc. With slots > 1 the buffer is a ring: `isa.slot` picks one. `source` is
    the name in the Python source, for messages and emitted code; `shape` is the tile's, for messages.

    ```mlir
    %rows = isa.alloc 8192 {address = 0 : i64, slots = 2 : i64, source = "rows"} : !isa.buffer<UB, f16>
    ```
  }];
  let arguments = (ins I64Attr:$bytes, DefaultValuedAttr<I64Attr, "1">:$slots, OptionalAttr<I64Attr>:$address, OptionalAttr<StrAttr>:$source,
                       OptionalAttr<StrAttr>:$shape);
  let results = (outs Isa_Buffer:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Isa_SlotOp : Isa_Op<"slot", [Pure, AllTypesMatch<["ring", "result"]>]> {
  let summary = "slot `index` modulo the number of slots of a ring of buffers";
  let description = [{
    `index` counts iterations of a loop. A ring of one slot is a buffer, and its slot folds.

    ```mlir
    %now = isa.slot %rows[%iteration] : !isa.buffer<UB, f16>
    ```
  }];
  let arguments = (ins Isa_Buffer:$ring, I64:$index);
  let results = (outs Isa_Buffer:$result);
  let assemblyFormat = "$ring `[` $index `]` attr-dict `:` type($ring)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{ AllocOp getAlloc(); }];
  let hasFolder = 1;
}

def Isa_OffsetOp : Isa_Op<"offset", [Pure, AllTypesMatch<["base", "result"]>]> {
  let summary = "the buffer `bytes` further on";
  let description = [{
    By 0 it folds; one after the other becomes one by the sum.

    ```mlir
    %second = isa.offset %rows, %bytes : !isa.buffer<UB, f16>
    ```
  }];
  let arguments = (ins Isa_Buffer:$base, I64:$bytes);
  let results = (outs Isa_Buffer:$result);
  let assemblyFormat = "$base `,` $bytes attr-dict `:` type($base)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Isa_ViewOp : Isa_Op<"view", [Pure]> {
  let summary = "the same bytes as elements of another type";
  let description = [{
    To its own type it folds, and a view of a view is one of the first buffer.

    ```mlir
    %words = isa.view %rows : !isa.buffer<UB, f16> -> !isa.buffer<UB, i32>
    ```
  }];
  let arguments = (ins Isa_Buffer:$base);
  let results = (outs Isa_Buffer:$result);
  let assemblyFormat = "$base attr-dict `:` type($base) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

// Vector functions: one loop nest over rows and chunks of 64 elements, register code inside.

def Isa_VfOp : Isa_Op<"vf", [IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "a vector function over `rows` x `cols` elements";
  let description = [{
    The body runs once for every 64 elements of every row. Arguments are UB buffers and scalars, at most 16; the block's
    arguments mirror them. Loads and stores name how they walk (full, row, element, one, bits); vf_reduce accumulates over
    the chunks of a row in the canonical order and writes one element per row. One call of the C ABI (tsm_vf), pipe V.

    ```mlir
    isa.vf 4 x 1000(%x, %sums, %scale) : !isa.buffer<UB, f16>, !isa.buffer<UB, f32>, f32 {
    ^bb0(%bx: !isa.buffer<UB, f16>, %bs: !isa.buffer<UB, f32>, %s: f32):
      %0 = isa.vf_load %bx full {pitch = 2048 : i64} : !isa.buffer<UB, f16> -> !isa.reg<f16>
      %1 = isa.vf_compute "cast"(%0) : (!isa.reg<f16>) -> !isa.reg<f32>
      %2 = isa.vf_scalar %s : f32 -> !isa.reg<f32>
      %3 = isa.vf_compute "mul"(%1, %2) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
      isa.vf_reduce sum %3, %bs : !isa.reg<f32>, !isa.buffer<UB, f32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$args, I64Attr:$rows, I64Attr:$cols);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$rows `x` $cols `(` $args `)` attr-dict-with-keyword `:` type($args) $body";
  let hasVerifier = 1;
}

class Isa_VfBodyOp<string opMnemonic, list<Trait> traits = []> : Isa_Op<opMnemonic, !listconcat([HasParent<"VfOp">], traits)>;

def Isa_VfLoadOp : Isa_VfBodyOp<"vf_load"> {
  let summary = "the current 64 elements of a buffer; lanes past the end of the row are undefined";
  let description = [{
    `walk` says which those are: `full` has rows of `pitch` bytes, `row` the same row for all, `element` one element per row in all
    lanes, `one` one element for everything, `bits` a mask of one bit per element. (`group` is the walk of a reduction with a width.)

    ```mlir
    %0 = isa.vf_load %bx full {pitch = 2048 : i64} : !isa.buffer<UB, f16> -> !isa.reg<f16>
    ```
  }];
  let arguments = (ins Isa_Buffer:$buffer, Isa_VfWalk:$walk, DefaultValuedAttr<I64Attr, "0">:$pitch);
  let results = (outs Isa_Reg:$result);
  let assemblyFormat = "$buffer $walk attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def Isa_VfStoreOp : Isa_VfBodyOp<"vf_store"> {
  let summary = "writes the lanes inside the row";
  let description = [{
    Walks as `isa.vf_load` does.

    ```mlir
    isa.vf_store %0, %by full {pitch = 2048 : i64} : !isa.reg<f16>, !isa.buffer<UB, f16>
    ```
  }];
  let arguments = (ins Isa_Reg:$value, Isa_Buffer:$buffer, Isa_VfWalk:$walk, DefaultValuedAttr<I64Attr, "0">:$pitch);
  let assemblyFormat = "$value `,` $buffer $walk attr-dict `:` type($value) `,` type($buffer)";
  let hasVerifier = 1;
}

def Isa_VfScalarOp : Isa_VfBodyOp<"vf_scalar", [Pure]> {
  let summary = "a scalar argument in all lanes";
  let description = [{
    The register's element type tells the sign, which the scalar's does not.

    ```mlir
    %2 = isa.vf_scalar %s : f32 -> !isa.reg<f32>
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs Isa_Reg:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

def Isa_VfConstantOp : Isa_VfBodyOp<"vf_constant", [Pure]> {
  let summary = "a constant in all lanes";
  let description = [{
    ```mlir
    %c = isa.vf_constant 2.000000e+00 : f32 : !isa.reg<f32>
    ```
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Isa_Reg:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def Isa_VfComputeOp : Isa_VfBodyOp<"vf_compute", [Pure]> {
  let summary = "one register instruction, named as in the instruction table";
  let description = [{
    `instruction` is a mnemonic of the table whose element function defines the meaning (add, exp, cast, compare, select,
    ...). f16 and bf16 results are rounded to their type. `round` and `mode` as the instruction's attributes.

    ```mlir
    %m = isa.vf_compute "compare"(%0, %1) {mode = #isa.cmp_mode<LT>} : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<i1>
    %s = isa.vf_compute "select"(%m, %0, %1) : (!isa.reg<i1>, !isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    ```
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
  let description = [{
    The order is that of every reduction: chunk after chunk into 64 lanes, then a tree over neighbours. With a `width` the only row
    is many short ones side by side, of as many columns each (a power of two up to 32): every chunk has several results.

    ```mlir
    isa.vf_reduce sum %3, %bs : !isa.reg<f32>, !isa.buffer<UB, f32>
    isa.vf_reduce sum %3, %bs {width = 16 : i64} : !isa.reg<f32>, !isa.buffer<UB, f32>
    ```
  }];
  let arguments = (ins Isa_VfReduction:$kind, Isa_Reg:$value, Isa_Buffer:$buffer, DefaultValuedAttr<I64Attr, "0">:$width);
  let assemblyFormat = "$kind $value `,` $buffer attr-dict `:` type($value) `,` type($buffer)";
  let extraClassDeclaration = [{
    // How it goes through its buffer.
    VfWalk getWalk() { return getWidth() ? VfWalk::Group : VfWalk::Element; }
  }];
  let hasVerifier = 1;
}

#endif // TILESMITH_DIALECT_ISA_OPS
