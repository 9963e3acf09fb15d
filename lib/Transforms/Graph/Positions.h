// Elements of tiles by their positions in row-major order: for what moves elements and no instruction does at once.
//
// Positions are computed in f32, which is exact for as many elements as UB holds, and used as i32.
#ifndef TILESMITH_LIB_TRANSFORMS_GRAPH_POSITIONS_H
#define TILESMITH_LIB_TRANSFORMS_GRAPH_POSITIONS_H

#include "../TileBuilder.h"
#include "GraphBuilder.h"

namespace tilesmith::graph {

// How far elements of a tile are apart along each axis.
inline llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size() - 1; i > 0; --i)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

// The quotient rounded down.
inline mlir::Value dividedDown(TileBuilder &t, mlir::Value x, int64_t by) {
  if (by == 1)
    return x;
  return t.floor(t.mul(t.add(x, 0.5), 1.0 / double(by)));
}

// For each element of a tile of this shape, its index along each axis.
inline llvm::SmallVector<mlir::Value> indicesOf(TileBuilder &t, llvm::ArrayRef<int64_t> shape) {
  mlir::Value rest = tile::ArangeOp::create(
      t.b, t.loc, tile::TileType::get(t.b.getContext(), shape, t.b.getF32Type(), isa::Memory::UB));
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<int64_t> strides = stridesOf(shape);
  for (size_t axis = 0; axis + 1 < shape.size(); ++axis) {
    indices.push_back(dividedDown(t, rest, strides[axis]));
    rest = t.sub(rest, t.mul(indices.back(), double(strides[axis])));
  }
  indices.push_back(rest);
  return indices;
}

// The position that belongs to indices: their sum, each times its stride.
inline mlir::Value positionsOf(TileBuilder &t, llvm::ArrayRef<mlir::Value> indices, llvm::ArrayRef<int64_t> strides) {
  mlir::Value sum;
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    mlir::Value part = stride == 1 ? index : t.mul(index, double(stride));
    sum = sum ? t.add(sum, part) : part;
  }
  return sum;
}

// Elements by their positions; behind the operand's end there are zeros. Truth values and bytes go as numbers.
inline mlir::Value gathered(TileBuilder &t, mlir::Value x, mlir::Value positions) {
  mlir::Type element = elementTypeOf(x);
  bool isNarrow = element.getIntOrFloatBitWidth() < 16;
  mlir::Value from = isNarrow ? t.cast(x, t.b.getF16Type()) : x;
  auto type = tileTypeOf(from).withShape(tileTypeOf(positions).getShape());
  mlir::Value result =
      tile::GatherOp::create(t.b, t.loc, type, from, t.cast(positions, t.b.getI32Type()), mlir::UnitAttr());
  return isNarrow ? t.cast(result, element) : result;
}

// The position of the first element, as an i32.
inline mlir::Value originOf(TileBuilder &t, mlir::ValueRange offsets, llvm::ArrayRef<int64_t> strides) {
  GraphBuilder g(t.b, t.loc);
  mlir::Value origin = g.i32(0);
  for (auto [offset, stride] : llvm::zip_equal(offsets, strides))
    origin = g.plus(origin, g.times(offset, stride));
  return origin;
}

} // namespace tilesmith::graph

#endif // TILESMITH_LIB_TRANSFORMS_GRAPH_POSITIONS_H
