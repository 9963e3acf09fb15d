// Writes graph operations, and the scalar code around them, at one place of the source.
#ifndef TILESMITH_LIB_TRANSFORMS_GRAPH_GRAPHBUILDER_H
#define TILESMITH_LIB_TRANSFORMS_GRAPH_GRAPHBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Dialect/Graph/Graph.h"

namespace tilesmith::graph {

// On a workspace that all cores have in common; without it each core has its own.
inline constexpr llvm::StringLiteral sharedAttrName = "graph.shared";

// On a reduction: elements of a chunk along its axis.
inline constexpr llvm::StringLiteral chunkAttrName = "graph.chunk";

inline std::optional<int64_t> constantOf(mlir::Value value) {
  llvm::APInt known;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&known)))
    return std::nullopt;
  return known.getSExtValue();
}

class GraphBuilder {
public:
  using Value = mlir::Value;

  GraphBuilder(mlir::OpBuilder &b, mlir::Location loc, mlir::DenseI64ArrayAttr tile = {})
      : b(b), loc(loc), tile(tile) {}

  static WholeTensorType typeOf(Value tensor) { return llvm::cast<WholeTensorType>(tensor.getType()); }

  // Scalars of i32, folded where they are known.
  Value i32(int64_t number) { return mlir::arith::ConstantIntOp::create(b, loc, number, 32); }
  template <typename Op> Value scalar(Value x, Value y, llvm::function_ref<int64_t(int64_t, int64_t)> fold) {
    std::optional<int64_t> a = constantOf(x), c = constantOf(y);
    return a && c ? i32(fold(*a, *c)) : Value(Op::create(b, loc, x, y));
  }
  Value plus(Value x, Value y) {
    if (constantOf(x) == 0)
      return y;
    return constantOf(y) == 0 ? x : scalar<mlir::arith::AddIOp>(x, y, [](int64_t a, int64_t c) { return a + c; });
  }
  Value minus(Value x, Value y) {
    return constantOf(y) == 0 ? x : scalar<mlir::arith::SubIOp>(x, y, [](int64_t a, int64_t c) { return a - c; });
  }
  Value times(Value x, int64_t factor) {
    return factor == 1 ? x : scalar<mlir::arith::MulIOp>(x, i32(factor), [](int64_t a, int64_t c) { return a * c; });
  }
  Value atMost(Value x, Value y) {
    return scalar<mlir::arith::MinSIOp>(x, y, [](int64_t a, int64_t c) { return std::min(a, c); });
  }
  Value atLeast(Value x, Value y) {
    return scalar<mlir::arith::MaxSIOp>(x, y, [](int64_t a, int64_t c) { return std::max(a, c); });
  }
  Value dividedUp(Value x, int64_t by) {
    return by == 1 ? x : scalar<mlir::arith::DivSIOp>(plus(x, i32(by - 1)), i32(by), [](int64_t a, int64_t c) {
      return a / c;
    });
  }

  Value constant(mlir::Type type, double number) {
    if (llvm::isa<mlir::FloatType>(type))
      return mlir::arith::ConstantOp::create(b, loc, b.getFloatAttr(type, number));
    return mlir::arith::ConstantOp::create(b, loc, b.getIntegerAttr(tile::scalarTypeOf(type), int64_t(number)));
  }
  Value unary(UnaryKind kind, Value x) { return UnaryOp::create(b, loc, x.getType(), kind, x, tile); }
  Value binary(BinaryKind kind, Value x, Value y) {
    mlir::Type type = llvm::isa<WholeTensorType>(x.getType()) ? x.getType() : y.getType();
    return BinaryOp::create(b, loc, type, kind, x, y, tile);
  }
  Value binary(BinaryKind kind, Value x, double y) { return binary(kind, x, constant(typeOf(x).getElementType(), y)); }
  Value compare(tile::CompareKind kind, Value x, double y) {
    Value limit = constant(typeOf(x).getElementType(), y);
    return CompareOp::create(b, loc, typeOf(x).withElementType(b.getI1Type()), kind, x, limit, tile);
  }
  Value select(Value condition, Value x, Value y) {
    mlir::Type type = llvm::isa<WholeTensorType>(x.getType()) ? x.getType() : y.getType();
    return SelectOp::create(b, loc, type, condition, x, y, tile);
  }
  Value cast(Value x, mlir::Type element) {
    if (typeOf(x).getElementType() == element)
      return x;
    return CastOp::create(b, loc, typeOf(x).withElementType(element), x, tile);
  }
  Value expand(Value x, llvm::ArrayRef<int64_t> shape) {
    if (typeOf(x).getShape() == shape)
      return x;
    return ExpandOp::create(b, loc, typeOf(x).withShape(shape), x, tile);
  }
  Value reduce(tile::ReduceKind kind, Value x, int64_t axis, Value valid) {
    llvm::SmallVector<int64_t> shape(typeOf(x).getShape());
    shape[axis] = 1;
    return ReduceOp::create(b, loc, typeOf(x).withShape(shape), kind, x, axis, valid, tile);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::DenseI64ArrayAttr tile;
};

// The array an access of global memory goes to: a parameter of the kernel.
inline mlir::Value arrayOf(mlir::Value memory) {
  while (auto limit = memory.getDefiningOp<tile::LimitOp>())
    memory = limit.getTensor();
  auto tensor = memory.getDefiningOp<tile::TensorOp>();
  return tensor ? tensor.getBase() : memory;
}

// What an operation does in global memory; no memory: nothing.
struct MemoryAccess {
  mlir::Value memory;
  bool writes = false;
};
inline MemoryAccess accessOf(mlir::Operation *op) {
  if (auto view = llvm::dyn_cast<ViewOp>(op))
    return {view.getMemory(), false};
  if (auto assemble = llvm::dyn_cast<AssembleOp>(op))
    return {assemble.getMemory(), true};
  if (auto gather = llvm::dyn_cast<GatherRowsOp>(op))
    return {gather.getMemory(), false};
  if (auto scatter = llvm::dyn_cast<ScatterRowsOp>(op))
    return {scatter.getMemory(), true};
  if (auto get = llvm::dyn_cast<tile::GetOp>(op))
    return {get.getTensor(), false};
  if (auto set = llvm::dyn_cast<tile::SetOp>(op))
    return {set.getTensor(), true};
  return {};
}

} // namespace tilesmith::graph

#endif // TILESMITH_LIB_TRANSFORMS_GRAPH_GRAPHBUILDER_H
