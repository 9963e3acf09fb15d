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
  let description = [{
    What the user wrote. A kernel is a `func.func` with `tile.kernel`; `arith` and `scf` are its scalar code and control flow.
    Loops may carry `tile.unroll_factor` and `tile.parallel`.
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let extraClassDeclaration = "void registerTypes();";
}

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_PtrType : Tile_Type<"Ptr", "ptr"> {
  let summary = "address in global memory: `!tile.ptr<f16>`";
  let description = [{
    What an array argument of a kernel is: where its elements begin. `tile.tensor` says how many there are.

    ```mlir
    %t = tile.tensor %x, [%n] : !tile.ptr<f16> -> !tile.tensor<?x1024xf16>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Tile_TensorType : Tile_Type<"GlobalTensor", "tensor"> {
  let summary = "row-major array in global memory: `!tile.tensor<?x1024xf16>`";
  let description = [{
    Strides follow from the shape, unless `tile.tensor` gives them. `?` is a dimension known at launch; `tile.tensor` has its operand. Elements are f16, bf16,
    f32 or integers of 1, 8, 16, 32 or 64 bits; an unsigned element type says so (`ui8`).
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
  }];
}

def Tile_TileType : Tile_Type<"Tile", "tile"> {
  let summary = "value of static shape in an on-chip memory: `!tile.tile<4x1024xf16, UB>`";
  let description = [{
    All dimensions are known and positive. UB holds tiles for the vector unit; L1, L0A and L0B what goes into a matrix
    product, L0C what comes out of it. Tiles are values: nothing changes one, and `place` and `plan-memory` decide where its
    bytes lie. Elements of i1 are a mask.
  }];
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
  let description = [{
    Loads and stores go through a tensor, because it knows where the array ends. `dims` are the dynamic dimensions of the
    result's type in order; `offset` counts elements from `base`. `strides` say how many elements lie between neighbours of each
    dimension; without them the array is dense and row-major.

    ```mlir
    %t = tile.tensor %x, [%n] : !tile.ptr<f16> -> !tile.tensor<?x1024xf16>
    %u = tile.tensor %x + %first, [] : !tile.ptr<f16> -> !tile.tensor<64xf16>
    %v = tile.tensor %x, [%n] strides [%pitch, %one] : !tile.ptr<f16> -> !tile.tensor<?x1024xf16>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Optional<I32>:$offset, Variadic<I32>:$dims, Variadic<I32>:$strides);
  let results = (outs Tile_TensorType:$result);
  let assemblyFormat = "$base (`+` $offset^)? `,` `[` $dims `]` (`strides` `[` $strides^ `]`)? attr-dict `:` type($base) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_LimitOp : Tile_Op<"limit", [Pure]> {
  let summary = "the tensor without what lies at index `end` of dimension `axis` and behind it";
  let description = [{
    Rows stay as far apart as they are; an end behind the tensor's changes nothing. The dimension is dynamic in the result.

    ```mlir
    %u = tile.limit %t axis 1 to %end : !tile.tensor<?x1024xf16> -> !tile.tensor<?x?xf16>
    ```
  }];
  let arguments = (ins Tile_TensorType:$tensor, I64Attr:$axis, I32:$end);
  let results = (outs Tile_TensorType:$result);
  let assemblyFormat = "$tensor `axis` $axis `to` $end attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "the tile at `offsets`; elements outside the tensor become `pad`";
  let description = [{
    The tile may stick out of the tensor on any side and in every dimension. What lies outside is not read.

    ```mlir
    %rows = tile.load %t[%row, %col], %zero : !tile.tensor<?x1024xf16>, f16 -> !tile.tile<4x1024xf16, UB>
    ```
  }];
  let arguments = (ins Tile_TensorType:$tensor, Variadic<I32>:$offsets, Tile_Scalar:$pad);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$tensor `[` $offsets `]` `,` $pad attr-dict `:` type($tensor) `,` type($pad) `->` type($result)";
  let hasVerifier = 1;
}

// A choice of elements in row-major order: the first `count` of them, those whose bit is set in `bits` (128 of them, low
// word first), or those that both choose. Without either, all.

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "writes the chosen elements of the tile at `offsets`; elements outside the tensor are dropped";
  let description = [{
    Without `count` and `bits` all elements are chosen. An element that is not chosen is not touched in the tensor: it may
    belong to another block.

    ```mlir
    tile.store %rows, %t[%row, %col] : !tile.tile<4x1024xf16, UB>, !tile.tensor<?x1024xf16>
    tile.store %v, %u[%at] count %n : !tile.tile<64xf16, UB>, !tile.tensor<64xf16>
    ```
  }];
  let arguments = (ins Tile_TileType:$value, Tile_TensorType:$tensor, Variadic<I32>:$offsets, Optional<I32>:$count,
                       OptionalAttr<DenseI64ArrayAttr>:$bits);
  let assemblyFormat = "$value `,` $tensor `[` $offsets `]` (`count` $count^)? (`bits` $bits^)? attr-dict `:` type($value) `,` type($tensor)";
  let hasVerifier = 1;
}

def Tile_AtomicOp : Tile_Op<"atomic", [MemoryEffects<[MemRead, MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "combines the chosen elements of the tile with the tensor at `offsets`, atomic across blocks";
  let description = [{
    Blocks may combine into the same elements in any order; none of their contributions is lost. Chooses as `tile.store`.

    ```mlir
    tile.atomic add %v, %u[%at] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_AtomicKind:$kind, Tile_TileType:$value, Tile_TensorType:$tensor, Variadic<I32>:$offsets,
                       Optional<I32>:$count, OptionalAttr<DenseI64ArrayAttr>:$bits);
  let assemblyFormat = "$kind $value `,` $tensor `[` $offsets `]` (`count` $count^)? (`bits` $bits^)? attr-dict `:` type($value) `,` type($tensor)";
  let hasVerifier = 1;
}

def Tile_LanesOp : Tile_Op<"lanes", [Pure]> {
  let summary = "a choice of elements as a tile of i1";
  let description = [{
    The choice of a mask as a value, for operations that select by it: either the first `count` elements in row-major order, or
    those whose bit is set in the 128 `bits`.

    ```mlir
    %first = tile.lanes count %n : !tile.tile<64xi1, UB>
    %two = tile.lanes bits [3, 0] : !tile.tile<64xi1, UB>
    ```
  }];
  let arguments = (ins Optional<I32>:$count, OptionalAttr<DenseI64ArrayAttr>:$bits);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "(`count` $count^)? (`bits` $bits^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_GatherRowsOp : Tile_Op<"gather_rows", [MemoryEffects<[MemRead]>]> {
  let summary = "rows of a matrix in global memory, in the order of a tile of their numbers";
  let description = [{
    Row i of the result is row `rows[i]` of the tensor, from `column` on. Rows and columns outside the tensor become `pad`. The scalar
    unit reads the numbers, and each row is a move of its own.

    ```mlir
    %e = tile.gather_rows %t[%ids, %zero], %pad : !tile.tensor<?x1024xf16>, !tile.tile<32xi32, UB>, f16 -> !tile.tile<32x1024xf16, UB>
    ```
  }];
  let arguments = (ins Tile_TensorType:$tensor, Tile_TileType:$rows, I32:$column, Tile_Scalar:$pad);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$tensor `[` $rows `,` $column `]` `,` $pad attr-dict `:` type($tensor) `,` type($rows) `,` type($pad) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ScatterRowsOp : Tile_Op<"scatter_rows", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes rows of a tile to the rows of a matrix in global memory that a tile names";
  let description = [{
    Row i of the tile goes to row `rows[i]` of the tensor, from `column` on, in the order of i. What lies outside is dropped.

    ```mlir
    tile.scatter_rows %v, %t[%ids, %zero] : !tile.tile<32x1024xf16, UB>, !tile.tensor<?x1024xf16>, !tile.tile<32xi32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$value, Tile_TensorType:$tensor, Tile_TileType:$rows, I32:$column);
  let assemblyFormat = "$value `,` $tensor `[` $rows `,` $column `]` attr-dict `:` type($value) `,` type($tensor) `,` type($rows)";
  let hasVerifier = 1;
}

def Tile_GetOp : Tile_Op<"get", [MemoryEffects<[MemRead]>]> {
  let summary = "reads one element of a tensor";
  let description = [{
    The scalar unit does it. Outside the array it is a finding.

    ```mlir
    %v = tile.get %u[%at] : !tile.tensor<64xf32> -> f32
    ```
  }];
  let arguments = (ins Tile_TensorType:$tensor, Variadic<I32>:$offsets);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$tensor `[` $offsets `]` attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SetOp : Tile_Op<"set", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes one element of a tensor; outside the tensor nothing happens";
  let description = [{
    The scalar unit does it.

    ```mlir
    tile.set %v, %u[%at] : f32, !tile.tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_Scalar:$value, Tile_TensorType:$tensor, Variadic<I32>:$offsets);
  let assemblyFormat = "$value `,` $tensor `[` $offsets `]` attr-dict `:` type($value) `,` type($tensor)";
  let hasVerifier = 1;
}

// Element-wise.

def Tile_UnaryOp : Tile_Op<"unary", [Pure, SameOperandsAndResultType]> {
  let summary = "element-wise function of one tile";
  let description = [{
    `expand-math` writes those the chip has no instruction for (sin, tanh, erf, ...) as sequences of others.

    ```mlir
    %e = tile.unary exp %x : !tile.tile<4x1024xf32, UB>
    ```
  }];
  let arguments = (ins Tile_UnaryKind:$kind, Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` type($result)";
}

def Tile_BinaryOp : Tile_Op<"binary", [Pure]> {
  let summary = "element-wise function; one side may be a scalar of the element type";
  let description = [{
    Shapes are equal; `tile.broadcast` makes them so. Integers wrap, division truncates and gives 0 by 0. `rem` is the remainder
    of the truncated quotient and has the sign of lhs, `mod` that of the quotient rounded down and has the sign of rhs;
    `expand-math` writes them and `pow` as sequences of others.

    ```mlir
    %s = tile.binary add %x, %y : !tile.tile<64xf32, UB>, !tile.tile<64xf32, UB> -> !tile.tile<64xf32, UB>
    %m = tile.binary mul %x, %scalar : !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xf32, UB>
    ```
  }];
  let arguments = (ins Tile_BinaryKind:$kind, Tile_TileOrScalar:$lhs, Tile_TileOrScalar:$rhs);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_CompareOp : Tile_Op<"compare", [Pure]> {
  let summary = "element-wise comparison, a tile of i1; rhs may be a scalar";
  let description = [{
    Every comparison with a NaN is false, but `ne`, which is true.

    ```mlir
    %c = tile.compare lt %x, %scalar : !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xi1, UB>
    ```
  }];
  let arguments = (ins Tile_CompareKind:$kind, Tile_TileType:$lhs, Tile_TileOrScalar:$rhs);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SelectOp : Tile_Op<"select", [Pure]> {
  let summary = "element-wise choice by a tile of i1; either source may be a scalar";
  let description = [{
    `lhs` where the mask is set, `rhs` elsewhere. Bits are kept, those of NaNs too. With equal arms there is no choice, and the op
    folds.

    ```mlir
    %s = tile.select %c, %x, %scalar : !tile.tile<64xi1, UB>, !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xf32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$mask, Tile_TileOrScalar:$lhs, Tile_TileOrScalar:$rhs);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$mask `,` $lhs `,` $rhs attr-dict `:` type($mask) `,` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "converts element types: float to int truncates, int to int keeps the low bits, everything else rounds to nearest even";
  let description = [{
    Float to integer saturates, and NaN becomes 0. `legalise-dtypes` makes chains of conversions the architecture has. A cast
    to its own type, and one back to an integer type from a wider integer, fold. A way through floats does not, as it makes NaNs
    canonical.

    ```mlir
    %w = tile.cast %x : !tile.tile<64xf16, UB> -> !tile.tile<64xf32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

// Shapes.

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "a tile whose elements are all the scalar";
  let description = [{
    ```mlir
    %z = tile.splat %scalar : f32 -> !tile.tile<4x64xf32, UB>
    ```
  }];
  let arguments = (ins Tile_Scalar:$value);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ExtractOp : Tile_Op<"extract", [Pure]> {
  let summary = "the element of a one-element tile as a scalar";
  let description = [{
    The scalar unit waits for the vector unit here, so what reads a single element of a long computation costs time. Of a
    splat it is the scalar.

    ```mlir
    %v = tile.extract %one : !tile.tile<1xf32, UB> -> f32
    ```
  }];
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "reduces the axes `dims`; the result's shape says whether they are kept as 1 or dropped (all: shape [1])";
  let description = [{
    Sums are added in one order on every platform: element j of a row into lane j mod 64, then a tree over neighbours.

    ```mlir
    %kept = tile.reduce max %x [1] : !tile.tile<4x64xf32, UB> -> !tile.tile<4x1xf32, UB>
    %all = tile.reduce sum %x [0, 1] : !tile.tile<4x64xf32, UB> -> !tile.tile<1xf32, UB>
    ```
  }];
  let arguments = (ins Tile_ReduceKind:$kind, Tile_TileType:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $operand $dims attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats axes of size 1; right-aligned, rank may grow";
  let description = [{
    To its own shape it folds.

    ```mlir
    %b = tile.broadcast %kept : !tile.tile<4x1xf32, UB> -> !tile.tile<4x64xf32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements in another shape";
  let description = [{
    A new name for the same bytes: no instruction comes from it. Chains become one.

    ```mlir
    %f = tile.reshape %x : !tile.tile<4x64xf32, UB> -> !tile.tile<256xf32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BitcastOp : Tile_Op<"bitcast", [Pure]> {
  let summary = "the same bytes in UB as elements of another type; the shape has as many bytes";
  let description = [{
    Also between shapes, as long as the bytes are as many. Chains become one.

    ```mlir
    %i = tile.bitcast %x : !tile.tile<64xf32, UB> -> !tile.tile<128xi16, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_CopyOp : Tile_Op<"copy", [Pure]> {
  let summary = "the sub-tile at `offsets`, in another place if the result says so";
  let description = [{
    Written by the user, it is a move of the chip: from L1 to L0A or L0B, from L0C to L1, or a part of a tile within UB. That is
    why it does not fold. On the way from L1 to L0A or L0B a matrix may be turned: offsets count in the operand, and the last two
    dimensions of the result have changed places.

    ```mlir
    %part = tile.copy %x[%zero, %col] : !tile.tile<4x64xf32, UB> -> !tile.tile<4x16xf32, UB>
    %turned = tile.copy %w[%zero, %zero] transposed : !tile.tile<32x64xf16, L1> -> !tile.tile<64x32xf16, L0B>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand, Variadic<I32>:$offsets, UnitAttr:$transposed);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand `[` $offsets `]` (`transposed` $transposed^)? attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_InsertOp : Tile_Op<"insert", [Pure, AllTypesMatch<["tile", "result"]>]> {
  let summary = "a tile with another one in place of its rows from `row` on";
  let description = [{
    Rows are what the first axis with more than one element counts. Written by passes that work on a tile in groups of rows.

    ```mlir
    %all = tile.insert %part, %x[%row] : !tile.tile<16x64xf32, UB> -> !tile.tile<128x64xf32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$part, Tile_TileType:$tile, I32:$row);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$part `,` $tile `[` $row `]` attr-dict `:` type($part) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ConcatOp : Tile_Op<"concat", [Pure]> {
  let summary = "tiles joined along axis 0";
  let description = [{
    The other dimensions are equal. Of one tile it folds.

    ```mlir
    %c = tile.concat %x, %y : !tile.tile<2x64xf32, UB>, !tile.tile<4x64xf32, UB> -> !tile.tile<6x64xf32, UB>
    ```
  }];
  let arguments = (ins Variadic<Tile_TileType>:$operands);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operands attr-dict `:` type($operands) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ArangeOp : Tile_Op<"arange", [Pure]> {
  let summary = "0, 1, 2, ... in row-major order, as i32 or f32";
  let description = [{
    ```mlir
    %i = tile.arange : !tile.tile<4x64xi32, UB>
    ```
  }];
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure]> {
  let summary = "axis i of the result is axis `axes[i]` of the operand";
  let description = [{
    Of the result of another transpose it starts from that one's operand; without a change of order it folds.

    ```mlir
    %t = tile.transpose %x [1, 0] : !tile.tile<4x64xf16, UB> -> !tile.tile<64x4xf16, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand, DenseI64ArrayAttr:$axes);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand $axes attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [Pure]> {
  let summary = "element i is the element of `operand` whose row-major position is `index[i]`; 0 where there is none";
  let description = [{
    With `inside` there always is one.

    ```mlir
    %g = tile.gather %x[%i] : !tile.tile<4x64xf32, UB>, !tile.tile<16xi32, UB> -> !tile.tile<16xf32, UB>
    %h = tile.gather %x[%i] inside : !tile.tile<4x64xf32, UB>, !tile.tile<16xi32, UB> -> !tile.tile<16xf32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand, Tile_TileType:$index, UnitAttr:$inside);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand `[` $index `]` (`inside` $inside^)? attr-dict `:` type($operand) `,` type($index) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ScatterOp : Tile_Op<"scatter", [Pure]> {
  let summary = "`operand` with element i of `source` at the row-major position `index[i]`";
  let description = [{
    Positions outside the operand are skipped; of equal ones the last counts.

    ```mlir
    %s = tile.scatter %v, %x[%i] : !tile.tile<16xf32, UB>, !tile.tile<4x64xf32, UB>, !tile.tile<16xi32, UB> -> !tile.tile<4x64xf32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$source, Tile_TileType:$operand, Tile_TileType:$index);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$source `,` $operand `[` $index `]` attr-dict `:` type($source) `,` type($operand) `,` type($index) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_CumsumOp : Tile_Op<"cumsum", [Pure, SameOperandsAndResultType]> {
  let summary = "sums of all beginnings of an axis: element i is the sum of the elements 0 to i";
  let description = [{
    `expand-indices` makes the axis one that is not the last, so that whole rows are added.

    ```mlir
    %s = tile.cumsum %x 0 : !tile.tile<4x64xf32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand, I64Attr:$axis);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SortOp : Tile_Op<"sort", [Pure]> {
  let summary = "the first elements of each row in descending order, and where they stood";
  let description = [{
    Along the last axis, as many as the results have. Equal elements keep their order, a NaN stands above all numbers. Elements are
    f16 or f32, positions i32.

    ```mlir
    %v, %i = tile.sort %x : !tile.tile<4x64xf32, UB> -> !tile.tile<4x8xf32, UB>, !tile.tile<4x8xi32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$values, Tile_TileType:$positions);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($values) `,` type($positions)";
  let hasVerifier = 1;
}

// Composed operations, expanded by the compiler into the ones above.

def Tile_SoftmaxOp : Tile_Op<"softmax", [Pure, SameOperandsAndResultType]> {
  let summary = "softmax along the last axis";
  let description = [{
    exp(x - max(x)) / sum(exp(x - max(x))) for each row, computed in f32. `expand-math` writes it out.

    ```mlir
    %p = tile.softmax %x : !tile.tile<4x64xf16, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Tile_RmsNormOp : Tile_Op<"rms_norm", [Pure]> {
  let summary = "x * gamma / sqrt(mean(x * x) + epsilon) along the last axis; epsilon is f32";
  let description = [{
    Computed in f32; `gamma` is repeated for every row. `expand-math` writes it out.

    ```mlir
    %n = tile.rms_norm %x, %gamma, %eps : !tile.tile<4x64xf16, UB>, !tile.tile<64xf16, UB> -> !tile.tile<4x64xf16, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$operand, Tile_TileType:$gamma, F32:$epsilon);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$operand `,` $gamma `,` $epsilon attr-dict `:` type($operand) `,` type($gamma)  `->` type($result)";
}

def Tile_ArgOp : Tile_Op<"arg", [Pure]> {
  let summary = "where the largest or smallest element of an axis stands, the first of equal ones; its size becomes 1";
  let description = [{
    A NaN is larger and smaller than all numbers. `expand-indices` writes it out.

    ```mlir
    %i = tile.arg max %x 1 : !tile.tile<4x64xf32, UB> -> !tile.tile<4x1xi32, UB>
    ```
  }];
  let arguments = (ins Tile_ArgKind:$kind, Tile_TileType:$operand, I64Attr:$axis);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $operand $axis attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

// Matrices.

def Tile_ZerosAccOp : Tile_Op<"zeros_acc", [Pure]> {
  let summary = "a fresh accumulator in L0C";
  let description = [{
    The first product that adds to it starts from nothing, so no instruction comes from the op.

    ```mlir
    %acc = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
    ```
  }];
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_MatmulOp : Tile_Op<"matmul", [Pure, AttrSizedOperandSegments]> {
  let summary = "a @ b in L0C; with `acc`, added to it; with `inner`, over the first so many inner elements";
  let description = [{
    f32 sums, sequential in k, one fma per product; of i8 elements i32 sums, which wrap. With dimensions before the last two it is as
    many products, and these dimensions are broadcast; `split-batches` writes them out. The accumulator's bytes become the result's: nothing may read `acc`
    afterwards, and `place` refuses what does.

    ```mlir
    %r = tile.matmul %a, %b : !tile.tile<16x32xf16, L0A>, !tile.tile<32x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
    %s = tile.matmul %a, %b, %r : !tile.tile<16x16xf32, L0C> inner %k : !tile.tile<16x32xf16, L0A>, !tile.tile<32x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
    ```
  }];
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
  let description = [{
    `dtypes` are the values' element types as the user names them (signless integers do not say). The scalar unit reads the
    elements, so a printed tile is a dependency like any other.

    ```mlir
    tile.print "{} of {}"(%x, %n) ["float32", "int32"] : !tile.tile<64xf32, UB>, i32
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<Tile_TileOrScalar>:$values, StrArrayAttr:$dtypes);
  let assemblyFormat = "$format `(` $values `)` $dtypes attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

def Tile_AssertOp : Tile_Op<"assert", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "ends the block with `message` where the condition does not hold";
  let description = [{
    The scalar unit tests it. Other blocks go on; the launch fails.

    ```mlir
    tile.assert %ok, "n is not positive"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

def Tile_KeepOp : Tile_Op<"keep", [MemoryEffects<[MemWrite]>]> {
  let summary = "keeps the loop it is in, which may be meant never to end";
  let description = [{
    A loop without effects would be removed as dead code, and a kernel that hangs would seem to work.

    ```mlir
    tile.keep
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_ProbeOp : Tile_Op<"probe", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a statement begins: a debugger may stop here and read the values";
  let description = [{
    `site` describes the values, as JSON: the functions around the statement, innermost first, with their names. `depth` is the
    number of those functions, `kind` a statement (0), a breakpoint of the source (1) or the end of the kernel (2). The values
    stay where they are until here; where they are placed does not depend on it.

    ```mlir
    tile.probe "{}" depth 1 kind 0(%x, %n) : !tile.tile<64xf32, UB>, i32
    ```
  }];
  let arguments = (ins StrAttr:$site, I64Attr:$depth, I64Attr:$kind, Variadic<AnyType>:$values);
  let assemblyFormat = "$site `depth` $depth `kind` $kind `(` $values `)` attr-dict (`:` type($values)^)?";
}

// Between the cores of a block. Channels carry tiles from the cube core to the vector cores or back, in order.

def Tile_SendOp : Tile_Op<"send", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "hands a tile to the other kind of core through a channel";
  let description = [{
    `hand-over` writes it where a value is made on one kind of core and used on the other. A channel holds a few tiles, and the
    one who sends waits while it is full.

    ```mlir
    tile.send %acc to 0 : !tile.tile<16x16xf32, L0C>
    ```
  }];
  let arguments = (ins Tile_TileType:$value, I64Attr:$channel);
  let assemblyFormat = "$value `to` $channel attr-dict `:` type($value)";
}

def Tile_ReceiveOp : Tile_Op<"receive", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the next tile of a channel";
  let description = [{
    Tiles come in the order they were sent in; the one who receives waits while there is none.

    ```mlir
    %x = tile.receive from 0 : !tile.tile<16x16xf32, UB>
    ```
  }];
  let arguments = (ins I64Attr:$channel);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "`from` $channel attr-dict `:` type($result)";
}

// The block.

def Tile_BlockIdxOp : Tile_Op<"block_idx", [Pure]> {
  let summary = "index of this block";
  let description = [{
    ```mlir
    %i = tile.block_idx
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_BlockNumOp : Tile_Op<"block_num", [Pure]> {
  let summary = "number of blocks of the launch";
  let description = [{
    ```mlir
    %n = tile.block_num
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

#endif // TILESMITH_DIALECT_TILE_OPS
