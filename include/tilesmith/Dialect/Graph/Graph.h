// The graph dialect: operators on whole tensors. See GraphOps.td.
//
// A kernel of whole tensors is a func.func with `tile.kernel` whose body has operations of this dialect. The passes of
// Transforms/Graph leave none of them: the result is ordinary tile IR.
#ifndef TILESMITH_DIALECT_GRAPH_GRAPH_H
#define TILESMITH_DIALECT_GRAPH_GRAPH_H

#include "tilesmith/Dialect/Tile/Tile.h"

#include "tilesmith/Dialect/Graph/GraphDialect.h.inc"
#include "tilesmith/Dialect/Graph/GraphEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tilesmith/Dialect/Graph/GraphTypes.h.inc"
#define GET_OP_CLASSES
#include "tilesmith/Dialect/Graph/GraphOps.h.inc"

namespace tilesmith::graph {

// A loop whose iterations depend on each other in no way: cores may share them.
inline constexpr llvm::StringLiteral independentAttrName = "graph.independent";
// Of graph.full: the beginning of a tensor that is written in parts; nothing may read it (check-written).
inline constexpr llvm::StringLiteral unwrittenAttrName = "graph.unwritten";

// What becomes of an axis of an operand in the result: the number of an axis there, or one of these.
enum : int64_t {
  isWhole = -1, // the operation looks at all of it at once
  isOne = -2,   // it has one element, which is repeated
};

// For each axis of the operand: the axis of the result that is cut where it is cut. Of operations with a tensor as
// result.
llvm::SmallVector<int64_t> axesOf(mlir::Operation *op, unsigned operand);
// Whether an axis of the result can be cut at all.
bool canCut(mlir::Operation *op, int64_t axis);
// The largest piece of an axis of the result the tile shape in force allows; nothing: whatever fits.
std::optional<int64_t> tileOf(mlir::Operation *op, int64_t axis);

} // namespace tilesmith::graph

#endif // TILESMITH_DIALECT_GRAPH_GRAPH_H
