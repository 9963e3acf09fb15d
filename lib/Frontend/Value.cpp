#include "Value.h"

namespace tilesmith::frontend {

llvm::ArrayRef<Value> Value::items() const {
  if (!parts)
    return {};
  return parts->items;
}

static Value withParts(Value::Kind kind, llvm::ArrayRef<Value> items) {
  Value value;
  value.kind = kind;
  value.parts = std::make_shared<Compound>();
  value.parts->items.assign(items.begin(), items.end());
  return value;
}

Value Value::ofHost(HostRef object) {
  Value value;
  value.kind = object ? Host : Invalid;
  value.host = std::move(object);
  return value;
}

Value Value::ofScalar(mlir::Value ir, DType dtype) {
  Value value;
  value.kind = Scalar;
  value.ir = ir;
  value.dtype = dtype;
  return value;
}

Value Value::ofTile(mlir::Value ir) {
  Value value;
  value.kind = Tile;
  value.ir = ir;
  return value;
}

Value Value::ofAccumulator(unsigned cell) {
  Value value;
  value.kind = Accumulator;
  value.cell = cell;
  return value;
}

Value Value::ofTensor(mlir::Value ir, DType dtype, llvm::ArrayRef<Value> dims) {
  Value value = withParts(Tensor, dims);
  value.ir = ir;
  value.dtype = dtype;
  value.parts->isShape = true;
  return value;
}

Value Value::ofAddress(mlir::Value base, DType dtype) {
  Value value;
  value.kind = Address;
  value.ir = base;
  value.dtype = dtype;
  return value;
}

Value Value::ofAddress(mlir::Value base, DType dtype, const Value &offset) {
  Value value = withParts(Address, offset);
  value.ir = base;
  value.dtype = dtype;
  return value;
}

Value Value::ofSequence(llvm::ArrayRef<Value> items, bool isList, unsigned region) {
  Value value = withParts(Sequence, items);
  value.parts->isList = isList;
  value.parts->region = region;
  return value;
}

Value Value::ofMethod(const Value &receiver, llvm::StringRef name) {
  Value value = withParts(Method, receiver);
  value.parts->method = name.str();
  return value;
}

} // namespace tilesmith::frontend
