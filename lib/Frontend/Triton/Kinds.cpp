// The kinds of values Triton adds to Python: tensors, pointers, block pointers.
#include "Program.h"

namespace tilesmith::frontend::triton {

using ast::CompareOperator;

std::string formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? ", " : "") + std::to_string(size);
  return text + "]";
}

static mlir::Value take(mlir::ValueRange &leaves) {
  mlir::Value leaf = leaves.front();
  leaves = leaves.drop_front();
  return leaf;
}

static Value shapeValue(Lowering &l, llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<Value> dims;
  for (int64_t size : shape)
    dims.push_back(Value::ofHost(l.host.makeInt(size)));
  return Value::ofSequence(dims, false);
}

static Truth noTruth(Lowering &l, const Value &value, const Range &range) {
  l.errors.fail(range, "TypeError",
                "Boolean value of Tensor with more than one value is ambiguous: " + l.values.describe(value),
                "reduce it first, or choose element by element with tl.where; combine masks with & | ~");
  return {};
}

namespace {

class TensorKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    return "a tensor " + formatShape(shapeOf(value)) + " " + name(elementOf(value)).str();
  }
  llvm::StringRef plural() const override { return "tensors"; }
  llvm::StringRef className(const Value &) const override { return "triton.tensor"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return elementOf(value); }

  void flatten(Lowering &, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    leaves.push_back(value.ir);
  }
  Value rebuild(Lowering &, const Value &, mlir::ValueRange &leaves) const override { return ofTensor(take(leaves)); }
  bool sameStructure(Lowering &, const Value &a, const Value &b) const override {
    return a.ir.getType() == b.ir.getType();
  }
  Target targetOf(const Value &value) const override { return Target{this, DType::Void, value.ir.getType()}; }
  Value convert(Lowering &, const Value &value, const Target &target, const Range &) const override {
    return isTensor(value) && value.ir.getType() == target.type ? value : Value();
  }

  std::optional<Value> binary(Lowering &l, ast::Operator op, const Value &lhs, const Value &rhs,
                              const Range &range) const override {
    if (isPointer(lhs) || isPointer(rhs))
      return isTensor(lhs) ? rhs.kind->binary(l, op, lhs, rhs, range) : lhs.kind->binary(l, op, lhs, rhs, range);
    return operatorOf(l, op, lhs, rhs, range);
  }
  std::optional<Value> unary(Lowering &l, ast::UnaryOperator op, const Value &operand,
                             const Range &range) const override {
    return Program::of(l).unary(op, operand, range);
  }
  std::optional<Value> compare(Lowering &l, CompareOperator op, const Value &lhs, const Value &rhs,
                               const Range &range) const override {
    static constexpr tile::CompareKind kinds[] = {tile::CompareKind::EQ, tile::CompareKind::NE, tile::CompareKind::LT,
                                                  tile::CompareKind::LE, tile::CompareKind::GT, tile::CompareKind::GE};
    Program &p = Program::of(l);
    if (!p.isValue(lhs) || !p.isValue(rhs) || unsigned(op) >= std::size(kinds))
      return std::nullopt;
    return p.compare(kinds[unsigned(op)], lhs, rhs, range);
  }
  Truth truth(Lowering &l, const Value &value, const Range &range) const override {
    if (typeOf(value).getNumElements() != 1)
      return noTruth(l, value, range);
    DType dtype = elementOf(value);
    Value flat = Program::of(l).reshape(value, {1}, range);
    mlir::Value number = tile::ExtractOp::create(l.ir.builder(), l.ir.loc(range), l.ir.type(dtype), flat.ir);
    return Truth{true, false, false, l.scalars.cast(number, dtype, DType::I1, range)};
  }

  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name,
                                 const Range &range) const override {
    Program &p = Program::of(l);
    if (name == "dtype")
      return p.dtypeObject(elementOf(value), false);
    if (name == "shape")
      return shapeValue(l, shapeOf(value));
    if (name == "numel")
      return Value::ofHost(l.host.makeInt(typeOf(value).getNumElements()));
    if (name == "T")
      return p.transpose(value, {}, range);
    return std::nullopt;
  }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override { return methodOf(name); }
  std::vector<std::string> names(const Value &) const override {
    std::vector<std::string> names = methodNames();
    names.insert(names.end(), {"dtype", "shape", "numel", "T"});
    return names;
  }
  llvm::StringRef origin() const override { return "tile"; }
  std::optional<Value> item(Lowering &l, const Value &base, const Value &index, const Range &range) const override {
    return Program::of(l).item(base, index, range);
  }
  llvm::json::Value inspect(Lowering &, const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir) const override {
    ir.push_back(value.ir);
    return llvm::json::Object{{"tile", name(elementOf(value))},
                              {"shape", llvm::json::Array(shapeOf(value))},
                              {"value", int64_t(ir.size() - 1)}};
  }
};

class PointerKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    const Value &offset = value.items()[0];
    return (isTensor(offset) ? "a tensor " + formatShape(shapeOf(offset)) + " of pointers to " : "a pointer to ") +
           name(value.dtype).str();
  }
  llvm::StringRef plural() const override { return "pointers"; }
  llvm::StringRef className(const Value &) const override { return "triton.tensor"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return value.dtype; }

  void flatten(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    l.merge.flatten(value.items()[0], leaves);
  }
  Value rebuild(Lowering &l, const Value &like, mlir::ValueRange &leaves) const override {
    return ofPointer(like.ir, like.dtype, l.merge.rebuild(like.items()[0], leaves));
  }
  bool sameStructure(Lowering &l, const Value &a, const Value &b) const override {
    return a.ir == b.ir && a.dtype == b.dtype && l.merge.sameStructure(a.items()[0], b.items()[0]);
  }
  // The array and an offset that can change.
  Value carried(Lowering &l, const Value &value, const Range &range) const override {
    if (!value.items()[0].isHost())
      return value;
    mlir::Value offset = l.scalars.convert(value.items()[0], DType::I32, range);
    return offset ? ofPointer(value.ir, value.dtype, Value::ofScalar(offset, DType::I32)) : Value();
  }

  std::optional<Value> binary(Lowering &l, ast::Operator op, const Value &lhs, const Value &rhs,
                              const Range &range) const override {
    bool left = isPointer(lhs);
    const Value &elements = left ? rhs : lhs;
    if (isPointer(elements) || !(op == ast::Operator::Add || (left && op == ast::Operator::Sub)))
      return l.errors.fail(range, "TypeError",
                           "operator " + ast::spelling(op) + " is not defined for " + l.values.describe(lhs) + " and " +
                               l.values.describe(rhs),
                           "a pointer moves by a number of elements: pointer + n");
    return Program::of(l).move(left ? lhs : rhs, elements, op == ast::Operator::Sub, range);
  }

  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name, const Range &) const override {
    if (name == "dtype" || name == "type")
      return Program::of(l).dtypeObject(value.dtype, true);
    if (name == "shape")
      return shapeValue(l, Program::of(l).shapeOfAny(value.items()[0]));
    return std::nullopt;
  }
  std::vector<std::string> names(const Value &) const override { return {"dtype", "shape"}; }
  std::optional<Value> item(Lowering &l, const Value &base, const Value &index, const Range &range) const override {
    Value offset = Program::of(l).item(base.items()[0], index, range);
    return offset ? ofPointer(base.ir, base.dtype, offset) : Value();
  }
};

class BlockKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    return "a pointer to a block " + formatShape(static_cast<BlockParts &>(*value.parts).shape) + " of " +
           name(value.dtype).str();
  }
  DType dtypeOf(Lowering &, const Value &value) const override { return value.dtype; }
  void flatten(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    for (const Value &item : value.items())
      l.merge.flatten(item, leaves);
  }
  Value rebuild(Lowering &l, const Value &like, mlir::ValueRange &leaves) const override {
    Value value = like;
    auto parts = std::make_shared<BlockParts>();
    parts->shape = static_cast<BlockParts &>(*like.parts).shape;
    for (const Value &item : like.items())
      parts->items.push_back(l.merge.rebuild(item, leaves));
    value.parts = parts;
    return value;
  }
  bool sameStructure(Lowering &l, const Value &a, const Value &b) const override {
    return a.ir == b.ir && a.dtype == b.dtype &&
           static_cast<BlockParts &>(*a.parts).shape == static_cast<BlockParts &>(*b.parts).shape &&
           llvm::all_of(llvm::zip_equal(a.items(), b.items()),
                        [&](auto pair) { return l.merge.sameStructure(std::get<0>(pair), std::get<1>(pair)); });
  }
  // Where the block stands can change; the array cannot.
  Value carried(Lowering &l, const Value &value, const Range &range) const override {
    Value result = value;
    auto parts = std::make_shared<BlockParts>(static_cast<BlockParts &>(*value.parts));
    size_t rank = parts->shape.size();
    for (Value &item : llvm::MutableArrayRef(parts->items).take_back(rank)) {
      mlir::Value number = l.scalars.convert(item, DType::I32, range);
      if (!number)
        return {};
      item = Value::ofScalar(number, DType::I32);
    }
    result.parts = parts;
    return result;
  }
  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name, const Range &) const override {
    if (name == "dtype" || name == "type")
      return Program::of(l).dtypeObject(value.dtype, true);
    return std::nullopt;
  }
};

class DescriptorKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    return "a descriptor of blocks " + formatShape(static_cast<BlockParts &>(*value.parts).shape) + " of " +
           name(value.dtype).str();
  }
  DType dtypeOf(Lowering &, const Value &value) const override { return value.dtype; }
  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name, const Range &) const override {
    auto &parts = static_cast<BlockParts &>(*value.parts);
    if (name == "dtype")
      return Program::of(l).dtypeObject(value.dtype, false);
    if (name == "block_shape")
      return shapeValue(l, parts.shape);
    if (name == "shape")
      return Value::ofSequence(llvm::ArrayRef(parts.items).slice(1, parts.shape.size()), false);
    return std::nullopt;
  }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override {
    return name == "load" ? "triton.load_tensor_descriptor" : name == "store" ? "triton.store_tensor_descriptor" : "";
  }
  std::vector<std::string> names(const Value &) const override { return {"load", "store", "dtype", "shape"}; }
};

constexpr TensorKind tensorKind;
constexpr PointerKind pointerKind;
constexpr BlockKind blockKind;
constexpr DescriptorKind descriptorKind;

} // namespace

namespace kinds {
const Kind *const tensor = &tensorKind;
const Kind *const pointer = &pointerKind;
const Kind *const block = &blockKind;
const Kind *const descriptor = &descriptorKind;
} // namespace kinds

Value ofTensor(mlir::Value ir) {
  Value value;
  value.kind = kinds::tensor;
  value.ir = ir;
  return value;
}

Value ofPointer(mlir::Value base, DType dtype, const Value &offset) {
  Value value = Value::ofItems(kinds::pointer, offset);
  value.ir = base;
  value.dtype = dtype;
  return value;
}

} // namespace tilesmith::frontend::triton
