//===- GraphOps.td - The graph dialect: operators on whole tensors ---------------------------------------------------===//
//
// What a PyPTO function says, before anything is cut into tiles: tensors as values, and where they are read and written.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_DIALECT_GRAPH_OPS
#define TILESMITH_DIALECT_GRAPH_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tilesmith/Dialect/Tile/TileOps.td"
include "tilesmith/Dialect/Graph/GraphEnums.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::tilesmith::graph";
  let summary = "Whole tensors as values.";
  let description = [{
    A tensor has a storage shape and, in its program, a valid extent for each axis, which may be smaller and known at launch only.
    Operations that would notice the difference (`assemble`, `reduce`, `softmax`, `matmul`) have the extent as an operand; all
    others may compute what they like behind it. Global memory is `!tile.tensor`; `arith` and `scf` are scalar code and control flow.
    `tile_shape` is the shape in force where the operation was written: it says how the operation may be cut, and never what it gives.
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::tile::TileDialect"];
  let extraClassDeclaration = "void registerTypes();";
}

def Graph_TensorType : TypeDef<Graph_Dialect, "WholeTensor"> {
  let mnemonic = "tensor";
  let summary = "tensor of up to five dimensions as a value: `!graph.tensor<64x256xf32>`";
  let description = [{
    `?` is a dimension that is as long as an argument's, which only the launch tells: tensors with one have to be cut there. Elements
    of i1 are truth values.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    WholeTensorType withElementType(::mlir::Type type) const { return get(getContext(), getShape(), type); }
    WholeTensorType withShape(::llvm::ArrayRef<int64_t> shape) const { return get(getContext(), shape, getElementType()); }
  }];
}

def Graph_TensorOrScalar : AnyTypeOf<[Graph_TensorType, AnyInteger, AnyFloat]>;

class Graph_Op<string opMnemonic, list<Trait> traits = []> : Op<Graph_Dialect, opMnemonic, traits>;
defvar TileShape = OptionalAttr<DenseI64ArrayAttr>;

// Global memory.

def Graph_WorkspaceOp : Graph_Op<"workspace", [MemoryEffects<[MemAlloc]>]> {
  let summary = "memory of the core that comes here, for tensors that do not fit on the chip";
  let description = [{
    What another core has written in its own is not seen.

    ```mlir
    %w = graph.workspace 65536 : !tile.ptr<f32>
    ```
  }];
  let arguments = (ins I64Attr:$bytes);
  let results = (outs Tile_PtrType:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($result)";
}

def Graph_ViewOp : Graph_Op<"view", [MemoryEffects<[MemRead]>]> {
  let summary = "the part of an array that begins at `offsets`";
  let description = [{
    What lies outside the array is 0.

    ```mlir
    %x = graph.view %m[%row, %zero] : !tile.tensor<?x256xf32> -> !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Tile_TensorType:$memory, Variadic<I32>:$offsets);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$memory `[` $offsets `]` attr-dict `:` type($memory) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_AssembleOp : Graph_Op<"assemble", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "writes the valid part of a tensor into an array, from `offsets` on";
  let description = [{
    `valid` is the extent of each axis that is written; what lies outside the array is dropped. An atomic one adds to what is there.

    ```mlir
    graph.assemble %y, %m[%row, %zero] valid [%left, %all] : !graph.tensor<64x256xf32>, !tile.tensor<?x256xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$value, Tile_TensorType:$memory, Variadic<I32>:$offsets, Variadic<I32>:$valid,
                       TileShape:$tile_shape, UnitAttr:$atomic);
  let assemblyFormat = "$value `,` $memory `[` $offsets `]` `valid` `[` $valid `]` (`atomic` $atomic^)? attr-dict `:` type($value) `,` type($memory)";
  let hasVerifier = 1;
}

// Element-wise.

def Graph_UnaryOp : Graph_Op<"unary", [Pure, SameOperandsAndResultType]> {
  let summary = "element-wise function of one tensor";
  let description = [{
    ```mlir
    %e = graph.unary exp %x : !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Graph_UnaryKind:$kind, Graph_TensorType:$operand, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` type($result)";
}

def Graph_BinaryOp : Graph_Op<"binary", [Pure]> {
  let summary = "element-wise function; one side may be a scalar of the element type";
  let description = [{
    Shapes are equal; `graph.expand` makes them so.

    ```mlir
    %s = graph.binary add %x, %y : !graph.tensor<64x256xf32>, !graph.tensor<64x256xf32> -> !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Graph_BinaryKind:$kind, Graph_TensorOrScalar:$lhs, Graph_TensorOrScalar:$rhs, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_CompareOp : Graph_Op<"compare", [Pure]> {
  let summary = "element-wise comparison, a tensor of i1; the right side may be a scalar";
  let description = [{
    Every comparison with a NaN is false, but `ne`.

    ```mlir
    %c = graph.compare lt %x, %limit : !graph.tensor<64x256xf32>, f32 -> !graph.tensor<64x256xi1>
    ```
  }];
  let arguments = (ins Tile_CompareKind:$kind, Graph_TensorType:$lhs, Graph_TensorOrScalar:$rhs, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_SelectOp : Graph_Op<"select", [Pure]> {
  let summary = "element-wise choice by a tensor of i1; either source may be a scalar";
  let description = [{
    ```mlir
    %s = graph.select %c, %x, %zero : !graph.tensor<64x256xi1>, !graph.tensor<64x256xf32>, f32 -> !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$condition, Graph_TensorOrScalar:$lhs, Graph_TensorOrScalar:$rhs, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$condition `,` $lhs `,` $rhs attr-dict `:` type($condition) `,` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_CastOp : Graph_Op<"cast", [Pure]> {
  let summary = "converts elements as `tile.cast` does: float to integer truncates, everything else rounds to nearest even";
  let description = [{
    ```mlir
    %h = graph.cast %x : !graph.tensor<64x256xf32> -> !graph.tensor<64x256xf16>
    ```
  }];
  let arguments = (ins Graph_TensorType:$operand, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

// Shapes.

def Graph_FullOp : Graph_Op<"full", [Pure]> {
  let summary = "a tensor whose elements are all the scalar";
  let description = [{
    ```mlir
    %z = graph.full %zero : f32 -> !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Tile_Scalar:$value, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_ExpandOp : Graph_Op<"expand", [Pure]> {
  let summary = "repeats axes of size 1; the rank stays";
  let description = [{
    ```mlir
    %b = graph.expand %s : !graph.tensor<64x1xf32> -> !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$operand, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_ReshapeOp : Graph_Op<"reshape", [Pure]> {
  let summary = "the same elements in another shape";
  let description = [{
    ```mlir
    %r = graph.reshape %s : !graph.tensor<64x1xf32> -> !graph.tensor<64xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$operand, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_TransposeOp : Graph_Op<"transpose", [Pure]> {
  let summary = "axis i of the result is axis `axes[i]` of the operand";
  let description = [{
    ```mlir
    %t = graph.transpose %x [1, 0] : !graph.tensor<64x256xf32> -> !graph.tensor<256x64xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$operand, DenseI64ArrayAttr:$axes, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$operand $axes attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_SliceOp : Graph_Op<"slice", [Pure]> {
  let summary = "the part of a computed tensor that begins at `offsets`";
  let description = [{
    ```mlir
    %p = graph.slice %x[%zero, %col] : !graph.tensor<64x256xf32> -> !graph.tensor<64x32xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$operand, Variadic<I32>:$offsets, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$operand `[` $offsets `]` attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_InsertOp : Graph_Op<"insert", [Pure, AttrSizedOperandSegments, AllTypesMatch<["operand", "result"]>]> {
  let summary = "a tensor with the valid part of another one in it, from `offsets` on";
  let description = [{
    ```mlir
    %w = graph.insert %p into %x[%zero, %col] valid [%n, %n] : !graph.tensor<64x32xf32>, !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$source, Graph_TensorType:$operand, Variadic<I32>:$offsets, Variadic<I32>:$valid,
                       TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$source `into` $operand `[` $offsets `]` `valid` `[` $valid `]` attr-dict `:` type($source) `,` type($result)";
  let hasVerifier = 1;
}

def Graph_ArangeOp : Graph_Op<"arange", [Pure]> {
  let summary = "start, start + step, start + 2 * step, ...";
  let description = [{
    One axis of i32 or f32, which is made as a whole.

    ```mlir
    %i = graph.arange %start, %step : i32, i32 -> !graph.tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_Scalar:$start, Tile_Scalar:$step, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$start `,` $step attr-dict `:` type($start) `,` type($step) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_ConcatOp : Graph_Op<"concat", [Pure]> {
  let summary = "tensors joined along an axis";
  let description = [{
    ```mlir
    %c = graph.concat 0 %x, %y : !graph.tensor<64x256xf32>, !graph.tensor<64x256xf32> -> !graph.tensor<128x256xf32>
    ```
  }];
  let arguments = (ins I64Attr:$axis, Variadic<Graph_TensorType>:$operands, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$axis $operands attr-dict `:` type($operands) `->` type($result)";
  let hasVerifier = 1;
}

// Elements and rows by their numbers.

def Graph_IotaOp : Graph_Op<"iota", [Pure]> {
  let summary = "for each element where it stands along an axis, counted from `start`";
  let description = [{
    ```mlir
    %c = graph.iota 1 from %zero : !graph.tensor<64x256xi32>
    ```
  }];
  let arguments = (ins I64Attr:$axis, I32:$start, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$axis `from` $start attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Graph_GatherOp : Graph_Op<"gather", [Pure]> {
  let summary = "elements of a tensor, which stand along the axis where the index says and along others where the index stands";
  let description = [{
    ```mlir
    %g = graph.gather %x[%i] 1 : !graph.tensor<64x256xf32>, !graph.tensor<64x8xi32> -> !graph.tensor<64x8xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$operand, Graph_TensorType:$index, I64Attr:$axis, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$operand `[` $index `]` $axis attr-dict `:` type($operand) `,` type($index) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_ScatterOp : Graph_Op<"scatter", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "a tensor with the elements of another one along the axis where the index says; of equal places the last counts";
  let description = [{
    `valid` says how much of the index counts.

    ```mlir
    %s = graph.scatter %v into %x[%i] 1 valid [%n, %m] : !graph.tensor<64x8xf32>, !graph.tensor<64x8xi32>, !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$source, Graph_TensorType:$operand, Graph_TensorType:$index, I64Attr:$axis,
                       Variadic<I32>:$valid, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$source `into` $operand `[` $index `]` $axis `valid` `[` $valid `]` attr-dict `:` type($source) `,` type($index) `,` type($result)";
  let hasVerifier = 1;
}

def Graph_GatherRowsOp : Graph_Op<"gather_rows", [MemoryEffects<[MemRead]>]> {
  let summary = "rows of a matrix in global memory, in the order of their numbers, from `column` on";
  let description = [{
    What lies outside the matrix is 0.

    ```mlir
    %e = graph.gather_rows %m[%ids, %zero] : !tile.tensor<?x256xf32>, !graph.tensor<64xi32> -> !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Tile_TensorType:$memory, Graph_TensorType:$rows, I32:$column, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$memory `[` $rows `,` $column `]` attr-dict `:` type($memory) `,` type($rows) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_ScatterRowsOp : Graph_Op<"scatter_rows", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes rows of a tensor to the rows of a matrix in global memory whose numbers are given";
  let description = [{
    The first `valid` of them, in order; what lies outside the matrix is dropped.

    ```mlir
    graph.scatter_rows %v, %m[%ids] valid %n : !graph.tensor<64x256xf32>, !tile.tensor<?x256xf32>, !graph.tensor<64xi32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$value, Tile_TensorType:$memory, Graph_TensorType:$rows, I32:$valid, TileShape:$tile_shape);
  let assemblyFormat = "$value `,` $memory `[` $rows `]` `valid` $valid attr-dict `:` type($value) `,` type($memory) `,` type($rows)";
  let hasVerifier = 1;
}

// Rows.

def Graph_CumsumOp : Graph_Op<"cumsum", [Pure, SameOperandsAndResultType]> {
  let summary = "sums of all beginnings of an axis";
  let description = [{
    ```mlir
    %s = graph.cumsum %x 1 : !graph.tensor<64x256xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$operand, I64Attr:$axis, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$operand $axis attr-dict `:` type($operand)";
  let hasVerifier = 1;
}

def Graph_ArgOp : Graph_Op<"arg", [Pure]> {
  let summary = "where the largest or smallest of the first `valid` elements of an axis stands, the first of equal ones";
  let description = [{
    ```mlir
    %i = graph.arg max %x 1 valid %n : !graph.tensor<64x256xf32> -> !graph.tensor<64x1xi32>
    ```
  }];
  let arguments = (ins Tile_ArgKind:$kind, Graph_TensorType:$operand, I64Attr:$axis, I32:$valid, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$kind $operand $axis `valid` $valid attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_SortOp : Graph_Op<"sort", [Pure]> {
  let summary = "the largest of the first `valid` elements of each row in descending order, or where they stood";
  let description = [{
    Along the last axis of f32, as many as the result has; of i32 as result, positions. Equal elements keep their order.

    ```mlir
    %v = graph.sort %x valid %n : !graph.tensor<64x256xf32> -> !graph.tensor<64x8xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$operand, I32:$valid, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$operand `valid` $valid attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_ReduceOp : Graph_Op<"reduce", [Pure]> {
  let summary = "reduces the first `valid` elements of one axis, whose size becomes 1";
  let description = [{
    ```mlir
    %s = graph.reduce sum %x 1 valid %n : !graph.tensor<64x256xf32> -> !graph.tensor<64x1xf32>
    ```
  }];
  let arguments = (ins Tile_ReduceKind:$kind, Graph_TensorType:$operand, I64Attr:$axis, I32:$valid, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$kind $operand $axis `valid` $valid attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Graph_SoftmaxOp : Graph_Op<"softmax", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "softmax of the first `valid` elements of one axis, computed in f32 and rounded once";
  let description = [{
    A composite: `expand-composites` writes it as max, sub, exp, sum, div.

    ```mlir
    %p = graph.softmax %x 1 valid %n : !graph.tensor<64x256xf16>
    ```
  }];
  let arguments = (ins Graph_TensorType:$operand, I64Attr:$axis, I32:$valid, TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$operand $axis `valid` $valid attr-dict `:` type($operand)";
  let hasVerifier = 1;
}

def Graph_MatmulOp : Graph_Op<"matmul", [Pure]> {
  let summary = "product of matrices over the first `inner` elements of the inner axis";
  let description = [{
    f32 (of i8: i32) sums, sequential in the inner axis, rounded once. `lhs` is [m, k], or [k, m] if `lhs_turned`; `rhs` likewise.
    `tile_shape` is [m, k, n], the panels of L1.

    ```mlir
    %c = graph.matmul %a, %b inner %k : !graph.tensor<64x256xf16>, !graph.tensor<256x128xf16> -> !graph.tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$lhs, Graph_TensorType:$rhs, I32:$inner, UnitAttr:$lhs_turned, UnitAttr:$rhs_turned,
                       TileShape:$tile_shape);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$lhs `,` $rhs `inner` $inner attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TILESMITH_DIALECT_GRAPH_OPS
