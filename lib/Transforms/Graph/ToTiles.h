// Tensors of a kernel as tiles: what the files of graph-to-tile have in common.
//
// The last axis of a tile is rounded up to whole blocks of 32 bytes of the narrowest element the kernel has (`unit`
// elements), so that tensors of one shape are tiles of one shape whatever their elements are.
#ifndef TILESMITH_LIB_TRANSFORMS_GRAPH_TOTILES_H
#define TILESMITH_LIB_TRANSFORMS_GRAPH_TOTILES_H

#include "../TileBuilder.h"
#include "GraphBuilder.h"
#include "Positions.h"

namespace tilesmith::graph {

// The element that changes no result of a reduction.
double neutralOf(tile::ReduceKind kind, mlir::Type element);

class ToTiles {
public:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;

  ToTiles(mlir::func::FuncOp kernel, int64_t unit) : kernel(kernel), unit(unit) {}

  // Values of control flow take their new type at once; results of graph operations are replaced one by one.
  void convertType(Value value, mlir::Operation *op);
  mlir::LogicalResult lower(mlir::Operation *op);

  // Whether it is a part of an array of which only products take panels, along an axis whose size the launch tells.
  static bool isPanels(mlir::Operation *op);

private:
  llvm::SmallVector<int64_t> padded(llvm::ArrayRef<int64_t> shape) const;
  tile::TileType tileOf(WholeTensorType type) const;
  // A tile in UB, or a scalar.
  Value get(Value value) const;
  static bool isTruth(WholeTensorType type) { return type.getElementType().isInteger(1); }

  // GraphToTile.cpp: elements and rows
  Value convert(TileBuilder &t, CastOp cast);
  // The first `valid` elements of the axis, the neutral one behind them.
  Value chosen(TileBuilder &t, Value x, int64_t axis, Value valid, double neutral);
  Value reduce(TileBuilder &t, ReduceOp op);
  Value sort(TileBuilder &t, SortOp op);

  // MemoryToTiles.cpp
  void takeWorkspace(WorkspaceOp op);
  Value loadTile(TileBuilder &t, Value memory, ValueRange offsets, llvm::ArrayRef<int64_t> shape, double pad = 0);
  Value load(TileBuilder &t, ViewOp view);
  Value loadColumn(TileBuilder &t, ViewOp view, llvm::ArrayRef<int64_t> shape);
  void store(TileBuilder &t, AssembleOp assemble);
  Value gatherRows(TileBuilder &t, GatherRowsOp op);
  void scatterRows(TileBuilder &t, ScatterRowsOp op);
  // The array as if it ended there.
  static Value limited(TileBuilder &t, Value memory, int64_t axis, Value end);

  // ShapesToTiles.cpp
  Value reshaped(TileBuilder &t, ReshapeOp reshape);
  Value turn(TileBuilder &t, TransposeOp transpose);
  bool isAligned(Value tile, ValueRange offsets, llvm::ArrayRef<int64_t> shape) const;
  Value slice(TileBuilder &t, SliceOp op);
  Value placed(TileBuilder &t, Value x, Value source, Value positions, llvm::ArrayRef<Value> indices, ValueRange valid);
  Value insertAt(TileBuilder &t, Value x, Value source, ValueRange offsets, ValueRange valid);
  bool isRows(Value x, Value source, ValueRange offsets, ValueRange valid, llvm::ArrayRef<int64_t> sizes) const;
  Value insert(TileBuilder &t, InsertOp op);
  Value gather(TileBuilder &t, GatherOp op);
  Value scatter(TileBuilder &t, ScatterOp op);
  Value join(TileBuilder &t, ConcatOp op);
  Value placeParts(TileBuilder &t, ConcatOp op);

  // ProductsToTiles.cpp
  Value operand(TileBuilder &t, MatmulOp op, Value tensor, bool isLeft, Value part, int64_t size);
  Value multiply(TileBuilder &t, MatmulOp op);

  mlir::func::FuncOp kernel;
  int64_t unit;
  llvm::DenseMap<Value, Value> tiles;
  llvm::DenseMap<Value, Value> sums; // of products, where they are made
};

} // namespace tilesmith::graph

#endif // TILESMITH_LIB_TRANSFORMS_GRAPH_TOTILES_H
