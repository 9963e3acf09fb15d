#include "Value.h"
#include "Names.h"

namespace tilesmith::frontend {

llvm::ArrayRef<Value> Value::items() const {
  if (!parts)
    return {};
  return parts->items;
}

SequenceParts &Value::sequence() const { return static_cast<SequenceParts &>(*parts); }
RangeParts &Value::range() const { return static_cast<RangeParts &>(*parts); }
MethodParts &Value::method() const { return static_cast<MethodParts &>(*parts); }
FunctionParts &Value::function() const { return static_cast<FunctionParts &>(*parts); }
DictParts &Value::dict() const { return static_cast<DictParts &>(*parts); }

template <typename T> static Value withParts(const Kind *kind, llvm::ArrayRef<Value> items) {
  Value value;
  value.kind = kind;
  value.parts = std::make_shared<T>();
  value.parts->items.assign(items.begin(), items.end());
  return value;
}

Value Value::ofHost(HostRef object) {
  Value value;
  value.kind = object ? kinds::host : nullptr;
  value.host = std::move(object);
  return value;
}

Value Value::ofScalar(mlir::Value ir, DType dtype) {
  Value value;
  value.kind = kinds::scalar;
  value.ir = ir;
  value.dtype = dtype;
  return value;
}

Value Value::ofAddress(mlir::Value base, DType dtype) {
  Value value;
  value.kind = kinds::address;
  value.ir = base;
  value.dtype = dtype;
  return value;
}

Value Value::ofAddress(mlir::Value base, DType dtype, const Value &offset) {
  Value value = withParts<Parts>(kinds::address, offset);
  value.ir = base;
  value.dtype = dtype;
  return value;
}

Value Value::ofSequence(llvm::ArrayRef<Value> items, bool isList, unsigned region) {
  Value value = withParts<SequenceParts>(kinds::sequence, items);
  value.sequence().isList = isList;
  value.sequence().region = region;
  return value;
}

Value Value::ofMethod(const Value &receiver, llvm::StringRef name) {
  Value value = withParts<MethodParts>(kinds::method, receiver);
  value.method().name = name.str();
  return value;
}

Value Value::ofFunction(const ast::FunctionDef &tree, Frame &around, llvm::ArrayRef<Value> defaults) {
  Value value = withParts<FunctionParts>(kinds::function, defaults);
  value.function().tree = &tree;
  value.function().around = &around;
  value.function().number = around.number;
  return value;
}

Value Value::ofRange(llvm::ArrayRef<Value> bounds, bool isStatic) {
  Value value = withParts<RangeParts>(kinds::range, bounds);
  value.range().isStatic = isStatic;
  return value;
}

Value Value::ofDict(unsigned region) {
  Value value = withParts<DictParts>(kinds::dict, {});
  value.dict().region = region;
  return value;
}

Value Value::ofSlice(llvm::ArrayRef<Value> bounds) { return ofItems(kinds::slice, bounds); }
Value Value::ofItems(const Kind *kind, llvm::ArrayRef<Value> items) { return withParts<Parts>(kind, items); }

} // namespace tilesmith::frontend
