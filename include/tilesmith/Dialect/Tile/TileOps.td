//===- TileOps.td - The tile dialect: what the user wrote ------------------------------------------------------------===//
//
// Tensors in global memory and tiles as values. No addresses, no pipes, no flags: those come with the isa dialect.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_DIALECT_TILE_OPS
#define TILESMITH_DIALECT_TILE_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "tilesmith/Dialect/Tile/TileEnums.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tilesmith::tile";
  let summary = "Tensors in global memory and tiles as values.";
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let extraClassDeclaration = "void registerTypes();";
}

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_PtrType : Tile_Type<"Ptr", "ptr"> {
  let summary = "address in global memory: `!tile.ptr<f16>`";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Tile_TensorType : Tile_Type<"GlobalTensor", "tensor"> {
  let summary = "row-major array in global memory: `!tile.tensor<?x1024xf16>`";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
  }];
}

def Tile_TileType : Tile_Type<"Tile", "tile"> {
  let summary = "value of static shape in an on-chip memory: `!tile.tile<4x1024xf16, UB>`";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "::tilesmith::isa::Memory":$memory);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    int64_t getNumElements() const;
    // The same tile with another element type, shape or place.
    TileType withElementType(::mlir::Type type) const { return get(getContext(), getShape(), type, getMemory()); }
    TileType withShape(::llvm::ArrayRef<int64_t> shape) const { return get(getContext(), shape, getElementType(), getMemory()); }
    TileType withMemory(::tilesmith::isa::Memory memory) const { return get(getContext(), getShape(), getElementType(), memory); }
  }];
}

// Elements may be unsigned (`ui8`); a scalar of an unsigned element type is the signless integer of that width, because
// that is what arithmetic works on.

// A tile, or a scalar of the other operand's element type.
def Tile_TileOrScalar : AnyTypeOf<[Tile_TileType, AnyInteger, AnyFloat]>;
def Tile_Scalar : AnyTypeOf<[AnyInteger, AnyFloat]>;

class Tile_Op<string opMnemonic, list<Trait> traits = []> : Op<Tile_Dialect, opMnemonic, traits>;

// Global memory.

def Tile_TensorOp : Tile_Op<"tensor", [Pure, AttrSizedOperandSegments]> {
  let summary = "describes an array at `base`; dynamic dims in order, an optional element offset";
  let arguments = (ins Tile_PtrType:$base, Optional<I32>:$offset, Variadic<I32>:$dims);
  let results = (outs Tile_TensorType:$result);
  let assemblyFormat = "$base (`+` $offset^)? `,` `[` $dims `]` attr-dict `:` type($base) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "the tile at `offsets`; elements outside the tensor become `pad`";
  let arguments = (ins Tile_TensorType:$tensor, Variadic<I32>:$offsets, Tile_Scalar:$pad);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$tensor `[` $offsets `]` `,` $pad attr-dict `:` type($tensor) `,` type($pad) `->` type($result)";
  let hasVerifier = 1;
}

// A choice of elements in row-major order: the first `count` of them, those whose bit is set in `bits` (128 of them, low
// word first), or those that both choose. Without either, all.

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "writes the chosen elements of the tile at `offsets`; elements outside the tensor are dropped";
  let arguments = (ins Tile_TileType:$value, Tile_TensorType:$tensor, Variadic<I32>:$offsets, Optional<I32>:$count,
                       OptionalAttr<DenseI64ArrayAttr>:$bits);
  let assemblyFormat = "$value `,` $tensor `[` $offsets `]` (`count` $count^)? (`bits` $bits^)? attr-dict `:` type($value) `,` type($tensor)";
  let hasVerifier = 1;
}

def Tile_AtomicOp : Tile_Op<"atomic", [MemoryEffects<[MemRead, MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "combines the chosen elements of the tile with the tensor at `offsets`, atomic across blocks";
  let arguments = (ins Tile_AtomicKind:$kind, Tile_TileType:$value, Tile_TensorType:$tensor, Variadic<I32>:$offsets,
                       Optional<I32>:$count, OptionalAttr<DenseI64ArrayAttr>:$bits);
  let assemblyFormat = "$kind $value `,` $tensor `[` $offsets `]` (`count` $count^)? (`bits` $bits^)? attr-dict `:` type($value) `,` type($tensor)";
  let hasVerifier = 1;
}

def Tile_LanesOp : Tile_Op<"lanes", [Pure]> {
  let summary = "a choice of elements as a tile of i1";
  let arguments = (ins Optional<I32>:$count, OptionalAttr<DenseI64ArrayAttr>:$bits);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "(`count` $count^)? (`bits` $bits^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_GetOp : Tile_Op<"get", [MemoryEffects<[MemRead]>]> {
  let summary = "reads one element of a tensor";
  let arguments = (ins Tile_TensorType:$tensor, Variadic<I32>:$offsets);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$tensor `[` $offsets `]` attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SetOp : Tile_Op<"set", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes one element of a tensor; outside the tensor nothing happens";
  let arguments = (ins Tile_Scalar:$value, Tile_TensorType:$tensor, Variadic<I32>:$offsets);
  let assemblyFormat = "$value `,` $tensor `[` $offsets `]` attr-dict `:` type($value) `,` type($tensor)";
  let hasVerifier = 1;
}

// Element-wise.

def Tile_UnaryOp : Tile_Op<"unary", [Pure, SameOperandsAndResultType]> {
  let summary = "element-wise function of one tile";
  let arguments = (ins Tile_UnaryKind:$kind, Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` type($result)";
}

def Tile_BinaryOp : Tile_Op<"binary", [Pure]> {
  let summary = "element-wise function; one side may be a scalar of the element type";
  let arguments = (ins Tile_BinaryKind:$kind, Tile_TileOrScalar:$lhs, Tile_TileOrScalar:$rhs);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_CompareOp : Tile_Op<"compare", [Pure]> {
  let summary = "element-wise comparison, a tile of i1; rhs may be a scalar";
  let arguments = (ins Tile_CompareKind:$kind, Tile_TileType:$lhs, Tile_TileOrScalar:$rhs);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SelectOp : Tile_Op<"select", [Pure]> {
  let summary = "element-wise choice by a tile of i1; either source may be a scalar";
  let arguments = (ins Tile_TileType:$mask, Tile_TileOrScalar:$lhs, Tile_TileOrScalar:$rhs);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$mask `,` $lhs `,` $rhs attr-dict `:` type($mask) `,` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "converts element types: float to int truncates, int to int keeps the low bits, everything else rounds to nearest even";
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

// Shapes.

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "a tile whose elements are all the scalar";
  let arguments = (ins Tile_Scalar:$value);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ExtractOp : Tile_Op<"extract", [Pure]> {
  let summary = "the element of a one-element tile as a scalar";
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "reduces the axes `dims`; the result's shape says whether they are kept as 1 or dropped (all: shape [1])";
  let arguments = (ins Tile_ReduceKind:$kind, Tile_TileType:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $operand $dims attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats axes of size 1; right-aligned, rank may grow";
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements in another shape";
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_BitcastOp : Tile_Op<"bitcast", [Pure]> {
  let summary = "the same bytes in UB as elements of another type; the shape has as many bytes";
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_CopyOp : Tile_Op<"copy", [Pure]> {
  let summary = "the sub-tile at `offsets`, in another place if the result says so";
  let arguments = (ins Tile_TileType:$operand, Variadic<I32>:$offsets);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand `[` $offsets `]` attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ConcatOp : Tile_Op<"concat", [Pure]> {
  let summary = "tiles joined along axis 0";
  let arguments = (ins Variadic<Tile_TileType>:$operands);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operands attr-dict `:` type($operands) `->` type($result)";
  let hasVerifier = 1;
}

// Composed operations, expanded by the compiler into the ones above.

def Tile_SoftmaxOp : Tile_Op<"softmax", [Pure, SameOperandsAndResultType]> {
  let summary = "softmax along the last axis";
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Tile_RmsNormOp : Tile_Op<"rms_norm", [Pure]> {
  let summary = "x * gamma / sqrt(mean(x * x) + epsilon) along the last axis; epsilon is f32";
  let arguments = (ins Tile_TileType:$operand, Tile_TileType:$gamma, F32:$epsilon);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand `,` $gamma `,` $epsilon attr-dict `:` type($operand) `,` type($gamma)  `->` type($result)";
}

// Matrices.

def Tile_ZerosAccOp : Tile_Op<"zeros_acc", [Pure]> {
  let summary = "a fresh accumulator in L0C";
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_MatmulOp : Tile_Op<"matmul", [Pure, AttrSizedOperandSegments]> {
  let summary = "a @ b, f32 in L0C; with `acc`, added to it; with `inner`, over the first so many inner elements";
  let arguments = (ins Tile_TileType:$lhs, Tile_TileType:$rhs, Optional<Tile_TileType>:$acc, Optional<I32>:$inner);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$lhs `,` $rhs (`,` $acc^ `:` type($acc))? (`inner` $inner^)? attr-dict `:` type($lhs) `,` type($rhs) "
                       "`->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$lhs, "::mlir::Value":$rhs, "::mlir::Value":$acc), [{
    build($_builder, $_state, type, lhs, rhs, acc, ::mlir::Value());
  }]>];
  let hasVerifier = 1;
}

// What the user looks at.

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "prints a line: the values in place of the `{}` of `format`, in order";
  let description = [{`dtypes` are the values' element types as the user names them (signless integers do not say).}];
  let arguments = (ins StrAttr:$format, Variadic<Tile_TileOrScalar>:$values, StrArrayAttr:$dtypes);
  let assemblyFormat = "$format `(` $values `)` $dtypes attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

// The block.

def Tile_BlockIdxOp : Tile_Op<"block_idx", [Pure]> {
  let summary = "index of this block";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_BlockNumOp : Tile_Op<"block_num", [Pure]> {
  let summary = "number of blocks of the launch";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

#endif // TILESMITH_DIALECT_TILE_OPS
