// Builds tile operations the way formulas are written: operands may be tiles or scalars, constants are numbers.
#ifndef TILESMITH_TRANSFORMS_TILEBUILDER_H
#define TILESMITH_TRANSFORMS_TILEBUILDER_H

#include "tilesmith/Transforms/Passes.h"

namespace tilesmith {

inline tile::TileType tileTypeOf(mlir::Value value) { return mlir::dyn_cast<tile::TileType>(value.getType()); }
inline mlir::Type elementTypeOf(mlir::Value value) {
  tile::TileType type = tileTypeOf(value);
  return type ? type.getElementType() : value.getType();
}

class TileBuilder {
public:
  using Value = mlir::Value;

  TileBuilder(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  mlir::Value constant(mlir::Type type, double number) {
    if (llvm::isa<mlir::FloatType>(type))
      return mlir::arith::ConstantOp::create(b, loc, b.getFloatAttr(type, number));
    return mlir::arith::ConstantOp::create(b, loc, b.getIntegerAttr(tile::scalarTypeOf(type), int64_t(number)));
  }
  mlir::Value unary(tile::UnaryKind kind, mlir::Value x) { return tile::UnaryOp::create(b, loc, x.getType(), kind, x); }
  mlir::Value binary(tile::BinaryKind kind, mlir::Value x, mlir::Value y) {
    return tile::BinaryOp::create(b, loc, tileTypeOf(x) ? x.getType() : y.getType(), kind, x, y);
  }
  mlir::Value binary(tile::BinaryKind kind, mlir::Value x, double y) {
    return binary(kind, x, constant(elementTypeOf(x), y));
  }
  mlir::Value add(mlir::Value x, mlir::Value y) { return binary(tile::BinaryKind::Add, x, y); }
  mlir::Value add(mlir::Value x, double y) { return binary(tile::BinaryKind::Add, x, y); }
  mlir::Value sub(mlir::Value x, mlir::Value y) { return binary(tile::BinaryKind::Sub, x, y); }
  mlir::Value mul(mlir::Value x, mlir::Value y) { return binary(tile::BinaryKind::Mul, x, y); }
  mlir::Value mul(mlir::Value x, double y) { return binary(tile::BinaryKind::Mul, x, y); }
  mlir::Value div(mlir::Value x, mlir::Value y) { return binary(tile::BinaryKind::Div, x, y); }
  mlir::Value div(double x, mlir::Value y) { return binary(tile::BinaryKind::Div, constant(elementTypeOf(y), x), y); }
  mlir::Value exp(mlir::Value x) { return unary(tile::UnaryKind::Exp, x); }
  mlir::Value abs(mlir::Value x) { return unary(tile::UnaryKind::Abs, x); }
  mlir::Value log(mlir::Value x) { return unary(tile::UnaryKind::Log, x); }
  mlir::Value sqrt(mlir::Value x) { return unary(tile::UnaryKind::Sqrt, x); }
  mlir::Value relu(mlir::Value x) { return unary(tile::UnaryKind::Relu, x); }
  mlir::Value floor(mlir::Value x) { return unary(tile::UnaryKind::Floor, x); }
  mlir::Value no(mlir::Value x) { return unary(tile::UnaryKind::Not, x); }
  mlir::Value min(mlir::Value x, double y) { return binary(tile::BinaryKind::Min, x, y); }
  mlir::Value max(mlir::Value x, double y) { return binary(tile::BinaryKind::Max, x, y); }
  template <typename Y> mlir::Value lt(mlir::Value x, Y y) { return compare(tile::CompareKind::LT, x, y); }
  template <typename Y> mlir::Value gt(mlir::Value x, Y y) { return compare(tile::CompareKind::GT, x, y); }
  template <typename Y> mlir::Value ge(mlir::Value x, Y y) { return compare(tile::CompareKind::GE, x, y); }
  template <typename Y> mlir::Value eq(mlir::Value x, Y y) { return compare(tile::CompareKind::EQ, x, y); }
  mlir::Value compare(tile::CompareKind kind, mlir::Value x, mlir::Value y) {
    return tile::CompareOp::create(b, loc, tileTypeOf(x).withElementType(b.getI1Type()), kind, x, y);
  }
  mlir::Value both(mlir::Value x, mlir::Value y) { return binary(tile::BinaryKind::And, x, y); }
  mlir::Value either(mlir::Value x, mlir::Value y) { return binary(tile::BinaryKind::Or, x, y); }
  // A scalar as a tile like another one.
  mlir::Value splat(mlir::Value x, tile::TileType type) {
    return tileTypeOf(x) ? x : tile::SplatOp::create(b, loc, type, x).getResult();
  }
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<int64_t> shape) {
    if (tileTypeOf(x).getShape() == shape)
      return x;
    return tile::ReshapeOp::create(b, loc, tileTypeOf(x).withShape(shape), x);
  }
  mlir::Value compare(tile::CompareKind kind, mlir::Value x, double y) {
    return compare(kind, x, constant(elementTypeOf(x), y));
  }
  // Of floats and signed integers: two scalars do not tell the sign of their tile.
  mlir::Value select(mlir::Value mask, mlir::Value x, double y) {
    return select(mask, x, constant(elementTypeOf(x), y));
  }
  mlir::Value select(mlir::Value mask, double x, mlir::Value y) {
    return select(mask, constant(elementTypeOf(y), x), y);
  }
  mlir::Value select(mlir::Value mask, double x, double y) {
    mlir::Type type = b.getF32Type();
    return select(mask, constant(type, x), constant(type, y));
  }
  mlir::Value select(mlir::Value mask, mlir::Value x, mlir::Value y) {
    mlir::Type type = tileTypeOf(x) ? elementTypeOf(x) : elementTypeOf(y);
    return tile::SelectOp::create(b, loc, tileTypeOf(mask).withElementType(type), mask, x, y);
  }
  mlir::Value cast(mlir::Value x, mlir::Type type) {
    if (elementTypeOf(x) == type)
      return x;
    return tile::CastOp::create(b, loc, tileTypeOf(x).withElementType(type), x);
  }
  mlir::Value reduce(tile::ReduceKind kind, mlir::Value x, llvm::ArrayRef<int64_t> dims,
                     llvm::ArrayRef<int64_t> shape) {
    return tile::ReduceOp::create(b, loc, tileTypeOf(x).withShape(shape), kind, x, dims);
  }
  mlir::Value broadcast(mlir::Value x, llvm::ArrayRef<int64_t> shape) {
    if (tileTypeOf(x).getShape() == shape)
      return x;
    return tile::BroadcastOp::create(b, loc, tileTypeOf(x).withShape(shape), x);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_TILEBUILDER_H
