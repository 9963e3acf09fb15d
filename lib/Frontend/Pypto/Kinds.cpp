// The kinds of values pypto adds to Python: tensors, and arrays in global memory.
#include "Operator.h"

namespace tilesmith::frontend::pypto {

using ast::CompareOperator;
using ast::UnaryOperator;

std::string formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? ", " : "") + (mlir::ShapedType::isDynamic(size) ? "DYNAMIC" : std::to_string(size));
  return text + "]";
}

static Value callOperation(Lowering &l, llvm::StringRef name, llvm::ArrayRef<Value> operands, const Range &range) {
  CallSite site{range, {}, {}};
  for (const Value &operand : operands)
    site.positional.push_back({operand, range});
  return l.calls.callBuiltin(name, site);
}

namespace {

// What tensors and arrays have in common: operators, attributes, methods, items.
class ArrayKind : public Kind {
public:
  llvm::StringRef className(const Value &) const override { return "pypto.Tensor"; }

  std::optional<Value> binary(Lowering &l, ast::Operator op, const Value &lhs, const Value &rhs,
                              const Range &range) const override {
    bool reflected = !isArray(lhs); // c - x is -(x - c), c / x is 1 / x * c
    switch (op) {
    case ast::Operator::Add:
      return callOperation(l, "pypto.add", ordered(lhs, rhs, reflected), range);
    case ast::Operator::Sub: {
      Value result = callOperation(l, "pypto.sub", ordered(lhs, rhs, reflected), range);
      return result && reflected ? callOperation(l, "pypto.neg", result, range) : result;
    }
    case ast::Operator::Mul:
      return callOperation(l, "pypto.mul", ordered(lhs, rhs, reflected), range);
    case ast::Operator::Div: {
      if (!reflected)
        return callOperation(l, "pypto.div", {lhs, rhs}, range);
      Value inverse = callOperation(l, "pypto.reciprocal", rhs, range);
      return inverse ? callOperation(l, "pypto.mul", {inverse, lhs}, range) : Value();
    }
    case ast::Operator::FloorDiv: {
      Value quotient = callOperation(l, "pypto.div", {lhs, rhs}, range);
      return quotient ? callOperation(l, "pypto.floor", quotient, range) : Value();
    }
    case ast::Operator::Mod:
      return callOperation(l, "pypto.remainder", {lhs, rhs}, range);
    case ast::Operator::Pow:
      return callOperation(l, "pypto.pow", {lhs, rhs}, range);
    case ast::Operator::MatMul: {
      if (reflected || !isArray(rhs))
        return std::nullopt;
      Operator &o = Operator::of(l);
      Value right = o.read(rhs, range);
      DType dtype = right ? elementOf(right) : DType::Void;
      if (!right)
        return Value();
      Value out = Value::ofHost(l.host.makeDType(dtype == DType::I8 ? DType::I32 : dtype));
      return callOperation(l, "pypto.matmul", {lhs, right, out}, range);
    }
    default:
      return std::nullopt;
    }
  }
  std::optional<Value> unary(Lowering &l, UnaryOperator op, const Value &operand, const Range &range) const override {
    if (op == UnaryOperator::UAdd)
      return operand;
    if (op == UnaryOperator::USub)
      return callOperation(l, "pypto.neg", operand, range);
    return std::nullopt;
  }
  std::optional<Value> compare(Lowering &l, CompareOperator op, const Value &lhs, const Value &rhs,
                               const Range &range) const override {
    if ((lhs.isHost() && !l.values.isNumber(lhs)) || (rhs.isHost() && !l.values.isNumber(rhs)))
      return std::nullopt; // None, strings
    static constexpr llvm::StringLiteral names[] = {"pypto.eq", "pypto.ne", "pypto.lt",
                                                    "pypto.le", "pypto.gt", "pypto.ge"};
    static constexpr llvm::StringLiteral turned[] = {"pypto.eq", "pypto.ne", "pypto.gt",
                                                     "pypto.ge", "pypto.lt", "pypto.le"};
    bool reflected = !isArray(lhs);
    return callOperation(l, (reflected ? turned : names)[unsigned(op)], ordered(lhs, rhs, reflected), range);
  }
  Truth truth(Lowering &l, const Value &value, const Range &range) const override {
    l.errors.fail(range, "TypeError", l.values.describe(value) + " has no truth value",
                  "choose element by element with pypto.where, or branch on a number: t[0, 0] > 0");
    return {};
  }

  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name, const Range &) const override {
    if (name == "shape")
      return Value::ofSequence(dims(l, value), /*isList=*/true);
    if (name == "valid_shape")
      return Value::ofSequence(value.items(), /*isList=*/true);
    if (name == "dim")
      return Value::ofHost(l.host.makeInt(value.items().size()));
    if (name == "dtype")
      return Value::ofHost(l.host.makeDType(dtypeOf(l, value)));
    return std::nullopt;
  }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override { return tensorMethod(name); }
  std::vector<std::string> names(const Value &) const override { return tensorMethodNames(); }

  bool hasItems() const override { return true; }
  std::optional<Value> item(Lowering &l, const Value &base, const Value &index, const Range &range) const override {
    return readItem(Operator::of(l), base, index, range);
  }

protected:
  constexpr ArrayKind() = default;
  virtual llvm::SmallVector<Value> dims(Lowering &l, const Value &value) const = 0;

private:
  static llvm::SmallVector<Value, 2> ordered(const Value &lhs, const Value &rhs, bool reflected) {
    return reflected ? llvm::SmallVector<Value, 2>{rhs, lhs} : llvm::SmallVector<Value, 2>{lhs, rhs};
  }
};

class TensorKind final : public ArrayKind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    return "a tensor " + formatShape(shapeOf(value)) + " " + name(elementOf(value)).str();
  }
  llvm::StringRef plural() const override { return "tensors"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return elementOf(value); }

  // Valid extents pass with the tensor.
  void flatten(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    leaves.push_back(value.ir);
    for (const Value &extent : value.items())
      l.merge.flatten(extent, leaves);
  }
  Value rebuild(Lowering &l, const Value &like, mlir::ValueRange &leaves) const override {
    mlir::Value ir = leaves.front();
    leaves = leaves.drop_front();
    Extents extents;
    for (const Value &extent : like.items())
      extents.push_back(l.merge.rebuild(extent, leaves));
    return Operator::of(l).makeTensor(ir, extents);
  }
  bool sameStructure(Lowering &l, const Value &a, const Value &b) const override {
    return a.ir.getType() == b.ir.getType() && llvm::all_of(llvm::zip_equal(a.items(), b.items()), [&](auto pair) {
             return l.merge.sameStructure(std::get<0>(pair), std::get<1>(pair));
           });
  }
  // Extents that may change are runtime numbers; an axis of one element always has it.
  Value carried(Lowering &l, const Value &value, const Range &range) const override {
    Operator &o = Operator::of(l);
    Extents extents;
    for (auto [size, extent] : llvm::zip_equal(shapeOf(value), value.items()))
      extents.push_back(size == 1 ? Value::ofHost(l.host.makeInt(1))
                                  : Value::ofScalar(o.i32(extent, range), DType::I32));
    return o.makeTensor(value.ir, extents);
  }
  Target targetOf(const Value &value) const override { return Target{this, DType::Void, value.ir.getType()}; }
  Value convert(Lowering &l, const Value &value, const Target &target, const Range &range) const override {
    Value tensor = isMemory(value) ? Operator::of(l).read(value, range) : value;
    return tensor && isTensor(tensor) && tensor.ir.getType() == target.type ? carried(l, tensor, range) : Value();
  }

protected:
  llvm::SmallVector<Value> dims(Lowering &l, const Value &value) const override {
    llvm::SmallVector<Value> dims;
    for (auto [size, extent] : llvm::zip_equal(shapeOf(value), value.items()))
      dims.push_back(mlir::ShapedType::isDynamic(size) ? extent : Value::ofHost(l.host.makeInt(size)));
    return dims;
  }
};

class MemoryKind final : public ArrayKind {
public:
  std::string describe(Lowering &l, const Value &value) const override {
    Shape shape;
    for (const Value &dim : value.items())
      shape.push_back(Operator::of(l).known(dim).value_or(mlir::ShapedType::kDynamic));
    return "a tensor " + formatShape(shape) + " " + name(value.dtype).str();
  }
  llvm::StringRef plural() const override { return "tensors"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return value.dtype; }
  // In a branch or a loop an argument may take turns with a tensor: the one it is there.
  Value carried(Lowering &l, const Value &value, const Range &range) const override {
    Operator &o = Operator::of(l);
    if (llvm::any_of(value.items(), [&](const Value &dim) { return !o.known(dim); }))
      return value;
    Value tensor = o.read(value, range);
    return tensor ? tensor.kind->carried(l, tensor, range) : value;
  }
  bool setItem(Lowering &l, const Value &base, const Value &index, const Value &value,
               const Range &range) const override {
    return writeItem(Operator::of(l), base, index, value, range);
  }

protected:
  llvm::SmallVector<Value> dims(Lowering &, const Value &value) const override {
    return llvm::SmallVector<Value>(value.items());
  }
};

// What pypto.tensor makes inside of a kernel. Read, it is the tensor it is now.
class LocalKind final : public Kind {
public:
  std::string describe(Lowering &l, const Value &value) const override {
    return read(l, value).kind->describe(l, read(l, value));
  }
  llvm::StringRef className(const Value &) const override { return "pypto.Tensor"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return value.dtype; }
  Value read(Lowering &l, const Value &value) const override {
    return Operator::of(l).makeTensor(l.cells.get(value.cell), Extents(value.items()));
  }
  bool hasItems() const override { return true; }
  std::optional<Value> item(Lowering &l, const Value &base, const Value &index, const Range &range) const override {
    return readItem(Operator::of(l), read(l, base), index, range);
  }
  bool setItem(Lowering &l, const Value &base, const Value &index, const Value &value,
               const Range &range) const override {
    return writeItem(Operator::of(l), base, index, value, range);
  }
};

constexpr TensorKind tensorKind;
constexpr MemoryKind memoryKind;
constexpr LocalKind localKind;

} // namespace

namespace kinds {
const Kind *const tensor = &tensorKind;
const Kind *const memory = &memoryKind;
const Kind *const local = &localKind;
} // namespace kinds

} // namespace tilesmith::frontend::pypto
