#include "Tensors.h"
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

using ast::CompareOperator;
using ast::Operator;
using ast::UnaryOperator;

std::string formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, dim] : llvm::enumerate(shape))
    text += (i ? ", " : "") + std::to_string(dim);
  return text + "]";
}

static mlir::Value take(mlir::ValueRange &leaves) {
  mlir::Value leaf = leaves.front();
  leaves = leaves.drop_front();
  return leaf;
}

static Value shapeAttribute(Lowering &l, const Value &tile) {
  llvm::SmallVector<Value> dims;
  for (int64_t dim : shapeOf(tile))
    dims.push_back(Value::ofHost(l.host.makeInt(dim)));
  return ofShape(dims);
}

static Truth noTruth(Lowering &l, const Value &tile, const Range &range) {
  l.errors.fail(range, "TypeError", l.values.describe(tile) + " has no truth value",
                "reduce it first, or choose element by element with asc2.where");
  return {};
}

static std::optional<tile::BinaryKind> binaryKind(Operator op) {
  switch (op) {
  case Operator::Add:
    return tile::BinaryKind::Add;
  case Operator::Sub:
    return tile::BinaryKind::Sub;
  case Operator::Mul:
    return tile::BinaryKind::Mul;
  case Operator::Div:
  case Operator::FloorDiv:
    return tile::BinaryKind::Div;
  case Operator::LShift:
    return tile::BinaryKind::Shl;
  case Operator::RShift:
    return tile::BinaryKind::Shr;
  case Operator::BitAnd:
    return tile::BinaryKind::And;
  case Operator::BitOr:
    return tile::BinaryKind::Or;
  case Operator::BitXor:
    return tile::BinaryKind::Xor;
  case Operator::Mod:
    return tile::BinaryKind::Rem;
  case Operator::Pow:
    return tile::BinaryKind::Pow;
  default:
    return std::nullopt;
  }
}

namespace {

class TileKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    return "a tile " + formatShape(shapeOf(value)) + " " + name(elementType(value)).str();
  }
  llvm::StringRef plural() const override { return "tiles"; }
  llvm::StringRef className(const Value &) const override { return "asc2.Tile"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return elementType(value); }

  void flatten(Lowering &, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    leaves.push_back(value.ir);
  }
  Value rebuild(Lowering &, const Value &, mlir::ValueRange &leaves) const override { return ofTile(take(leaves)); }
  bool sameStructure(Lowering &, const Value &a, const Value &b) const override {
    return a.ir.getType() == b.ir.getType();
  }
  Target targetOf(const Value &value) const override { return Target{this, DType::Void, value.ir.getType()}; }
  // A number fills a tile, in UB.
  Value convert(Lowering &l, const Value &value, const Target &target, const Range &range) const override {
    auto type = llvm::cast<tile::TileType>(target.type);
    if (isTile(value) && tileType(value) == type)
      return value;
    if (!l.values.isNumber(value) || type.getMemory() != isa::Memory::UB)
      return {};
    mlir::Value scalar = l.scalars.convert(value, fromMlir(type.getElementType()), range);
    return scalar ? ofTile(tile::SplatOp::create(l.ir.builder(), l.ir.loc(range), type, scalar)) : Value();
  }

  std::optional<Value> binary(Lowering &l, Operator op, const Value &lhs, const Value &rhs,
                              const Range &range) const override {
    if (op == Operator::MatMul) {
      CallSite site{range, {{lhs, range}, {rhs, range}}, {}};
      return l.calls.callBuiltin("asc2.matmul", site);
    }
    if (std::optional<tile::BinaryKind> kind = binaryKind(op))
      return Tiles::of(l).elementwise.binary(*kind, lhs, rhs, range);
    return std::nullopt;
  }
  std::optional<Value> unary(Lowering &l, UnaryOperator op, const Value &operand, const Range &range) const override {
    if (op == UnaryOperator::UAdd)
      return operand;
    tile::UnaryKind kind = op == UnaryOperator::Invert ? tile::UnaryKind::Not : tile::UnaryKind::Neg;
    return Tiles::of(l).elementwise.unary(kind, operand, range);
  }
  std::optional<Value> compare(Lowering &l, CompareOperator op, const Value &lhs, const Value &rhs,
                               const Range &range) const override {
    static constexpr tile::CompareKind kinds[] = {tile::CompareKind::EQ, tile::CompareKind::NE, tile::CompareKind::LT,
                                                  tile::CompareKind::LE, tile::CompareKind::GT, tile::CompareKind::GE};
    for (const Value *side : {&lhs, &rhs})
      if (!isTile(*side) && !l.values.isNumeric(*side))
        return std::nullopt;
    return Tiles::of(l).elementwise.compare(kinds[unsigned(op)], lhs, rhs, range);
  }
  Truth truth(Lowering &l, const Value &value, const Range &range) const override { return noTruth(l, value, range); }

  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name,
                                 const Range &range) const override {
    if (name == "dtype")
      return Value::ofHost(l.host.makeDType(elementType(value)));
    if (name == "shape")
      return shapeAttribute(l, value);
    if (name == "T")
      return transposed(Tiles::of(l), value, {}, range);
    if (name == "size")
      return Value::ofHost(l.host.makeInt(tileType(value).getNumElements()));
    return std::nullopt;
  }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override { return tileMethod(name); }
  std::vector<std::string> names(const Value &) const override {
    std::vector<std::string> names = tileMethodNames();
    names.insert(names.end(), {"dtype", "shape", "size", "T"});
    return names;
  }
  llvm::StringRef origin() const override { return "tile"; }
  llvm::json::Value inspect(Lowering &, const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir) const override {
    ir.push_back(value.ir);
    return llvm::json::Object{{"tile", name(elementType(value))},
                              {"shape", llvm::json::Array(shapeOf(value))},
                              {"value", int64_t(ir.size() - 1)}};
  }
  llvm::StringRef instead(llvm::StringRef what) const override {
    return llvm::StringSwitch<llvm::StringRef>(what)
        .Case("[]", "take a part of a tile with asc2.copy(tile, shape, offsets=[...])")
        .Case("len", "use .shape[0] or .size")
        .Case("abs", "use asc2.abs")
        .Case("max", "use asc2.maximum or asc2.reduce_max")
        .Case("min", "use asc2.minimum or asc2.reduce_min")
        .Cases({"int", "float", "bool"}, "convert a tile with .to(...)")
        .Default("");
  }
};

// Every operation sees the tile its cell holds.
class AccumulatorKind final : public Kind {
public:
  std::string describe(Lowering &l, const Value &value) const override {
    return "an accumulator " + formatShape(shapeOf(read(l, value)));
  }
  llvm::StringRef className(const Value &) const override { return "asc2.Tile"; }
  DType dtypeOf(Lowering &, const Value &) const override { return DType::F32; }
  Value read(Lowering &l, const Value &value) const override { return ofTile(l.cells.get(value.cell)); }

  void flatten(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    leaves.push_back(l.cells.get(value.cell));
  }
  Value rebuild(Lowering &l, const Value &, mlir::ValueRange &leaves) const override {
    return Tiles::of(l).makeAccumulator(take(leaves));
  }
  // Flattened where its cell is known; types are compared there.
  bool sameStructure(Lowering &, const Value &, const Value &) const override { return true; }

  Truth truth(Lowering &l, const Value &value, const Range &range) const override {
    return noTruth(l, read(l, value), range);
  }
  llvm::json::Value inspect(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir) const override {
    return l.probes.inspect(read(l, value), ir);
  }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override { return tileMethod(name); }
};

class TensorKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    return "a tensor of " + name(value.dtype).str();
  }
  llvm::StringRef className(const Value &) const override { return "asc2.Tensor"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return value.dtype; }
  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name, const Range &) const override {
    if (name == "dtype")
      return Value::ofHost(l.host.makeDType(value.dtype));
    if (name == "shape")
      return ofShape(value.items());
    return std::nullopt;
  }
  std::vector<std::string> names(const Value &) const override { return {"dtype", "shape"}; }
  llvm::StringRef origin() const override { return "tensor"; }
  llvm::json::Value inspect(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir) const override {
    ir.push_back(value.ir);
    llvm::json::Object shown{{"tensor", name(value.dtype)}, {"value", int64_t(ir.size() - 1)}};
    llvm::json::Array dims;
    for (const Value &dim : value.items())
      dims.push_back(l.probes.inspect(dim, ir));
    shown["dims"] = std::move(dims);
    return shown;
  }
  llvm::StringRef instead(llvm::StringRef what) const override {
    return what == "[]"    ? "read an element with asc2.load(tensor, offsets=[...])"
           : what == "len" ? "use .shape[0]"
                           : "";
  }
};

class MaskKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &) const override { return "a mask"; }
  bool isContext() const override { return true; }
  bool enter(Lowering &l, const Value &value, const Range &range) const override {
    return Tiles::of(l).masks.enter(value, range);
  }
  void leave(Lowering &l) const override { Tiles::of(l).masks.leave(); }
};

constexpr TileKind tileKind;
constexpr AccumulatorKind accumulatorKind;
constexpr TensorKind tensorKind;
constexpr MaskKind maskKind;

} // namespace

namespace kinds {
const Kind *const tile = &tileKind;
const Kind *const accumulator = &accumulatorKind;
const Kind *const tensor = &tensorKind;
const Kind *const mask = &maskKind;
} // namespace kinds

Value ofTile(mlir::Value ir) {
  Value value;
  value.kind = kinds::tile;
  value.ir = ir;
  return value;
}

Value ofAccumulator(unsigned cell) {
  Value value;
  value.kind = kinds::accumulator;
  value.cell = cell;
  return value;
}

Value ofShape(llvm::ArrayRef<Value> dims) {
  Value value = Value::ofSequence(dims, false);
  value.sequence().methods = shapeMethod;
  return value;
}

Value ofTensor(mlir::Value ir, DType dtype, std::shared_ptr<Layout> layout) {
  Value value;
  value.kind = kinds::tensor;
  value.ir = ir;
  value.dtype = dtype;
  value.parts = std::move(layout);
  return value;
}

} // namespace tilesmith::frontend::asc2
