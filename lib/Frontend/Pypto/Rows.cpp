// Reductions and what is composed of them, and products of matrices.
#include "Operator.h"

namespace tilesmith::frontend::pypto {

using graph::BinaryKind;
using graph::UnaryKind;
using tile::ReduceKind;

// Only valid elements take part. Halves are widened, and the result is rounded once.
Value Operator::reduce(ReduceKind kind, const Value &tensor, int64_t axis, bool keep, const Range &range) {
  DType dtype = elementOf(tensor);
  bool widens = (dtype == DType::F16 || dtype == DType::BF16) &&
                (kind == ReduceKind::Sum || kind == ReduceKind::Prod || dtype == DType::BF16);
  Value x = widens ? cast(tensor, DType::F32, range) : tensor;
  Shape shape(shapeOf(x));
  Extents extents(x.items());
  mlir::Value valid = i32(extents[axis], range);
  shape[axis] = 1;
  extents[axis] = number(1);
  Value result = makeTensor(
      graph::ReduceOp::create(builder(), loc(range), typeOf(x).withShape(shape), kind, x.ir, axis, valid, vectorTile()),
      extents);
  result = cast(result, dtype, range);
  if (keep || shape.size() == 1)
    return result;
  shape.erase(shape.begin() + axis);
  extents.erase(extents.begin() + axis);
  return reshape(result, shape, extents, range);
}

Value reduce(Operator &o, const Arguments &args) {
  const Operation &operation = operationOf(args);
  Value x = o.expectTensor(args[0], "input");
  std::optional<int64_t> axis = x ? o.expectAxis(args[1], shapeOf(x).size()) : std::nullopt;
  std::optional<bool> keep = axis ? o.l.expect.boolean(args[2], false, "keepdim") : std::nullopt;
  if (!keep || !o.checkDType(x, operation.dtypes, args))
    return {};
  return o.reduce(ReduceKind(operation.kind), x, *axis, *keep, args.range);
}

Value softmax(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  std::optional<int64_t> axis = x ? o.expectAxis(args[1], shapeOf(x).size()) : std::nullopt;
  if (!axis || !o.checkDType(x, DTypes::Floats, args))
    return {};
  mlir::Value valid = o.i32(x.items()[*axis], args.range);
  return o.makeTensor(
      graph::SoftmaxOp::create(o.builder(), o.loc(args.range), x.ir.getType(), x.ir, *axis, valid, o.vectorTile()),
      Extents(x.items()));
}

Value rmsNorm(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  if (!x || !o.checkDType(x, DTypes::Floats, args))
    return {};
  const Range &range = args.range;
  DType dtype = elementOf(x);
  int64_t last = int64_t(shapeOf(x).size()) - 1;
  Value epsilon = args[2] ? args[2].value : Value::ofHost(o.host.makeFloat(1e-6));
  Value wide = o.cast(x, DType::F32, range);
  Value squares = o.binary(BinaryKind::Mul, wide, wide, range);
  Value sum = o.reduce(ReduceKind::Sum, squares, last, true, range);
  Value count = Value::ofScalar(o.scalars.convert(x.items()[last], DType::F32, range), DType::F32);
  Value mean = o.binary(BinaryKind::Div, sum, count, range);
  Value shifted = o.binary(BinaryKind::Add, mean, epsilon, range);
  Value root = shifted ? o.unary(UnaryKind::Sqrt, shifted, range) : Value();
  Value result = root ? o.binary(BinaryKind::Div, wide, root, range) : Value();
  if (result && args[1]) {
    Value gamma = o.expectTensor(args[1], "gamma");
    if (!gamma)
      return {};
    result = o.binary(BinaryKind::Mul, result, o.cast(gamma, DType::F32, range), range);
  }
  return result ? o.cast(result, dtype, range) : Value();
}

// A result with size 1 at the axis, which goes unless it is kept.
static Value withoutAxis(Operator &o, const Value &x, int64_t axis, bool keep, const Range &range) {
  if (keep || shapeOf(x).size() == 1)
    return x;
  Shape shape(shapeOf(x));
  Extents extents(x.items());
  shape.erase(shape.begin() + axis);
  extents.erase(extents.begin() + axis);
  return o.reshape(x, shape, extents, range);
}

Value argument(Operator &o, const Arguments &args) {
  const Operation &operation = operationOf(args);
  Value x = o.expectTensor(args[0], "input");
  std::optional<int64_t> axis = !x        ? std::nullopt
                                : args[1] ? o.expectAxis(args[1], shapeOf(x).size())
                                          : int64_t(shapeOf(x).size()) - 1;
  std::optional<bool> keep = axis ? o.l.expect.boolean(args[2], false, "keepdim") : std::nullopt;
  if (!keep || !o.checkDType(x, operation.dtypes, args))
    return {};
  x = o.cast(x, DType::F32, args.range);
  Shape shape(shapeOf(x));
  Extents extents(x.items());
  mlir::Value valid = o.i32(extents[*axis], args.range);
  shape[*axis] = 1;
  extents[*axis] = o.number(1);
  auto op = graph::ArgOp::create(o.builder(), o.loc(args.range), o.makeType(shape, DType::I32),
                                 tile::ArgKind(operation.kind), x.ir, *axis, valid, o.vectorTile());
  return withoutAxis(o, o.makeTensor(op, extents), *axis, *keep, args.range);
}

Value variance(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  if (!x || !o.checkDType(x, DTypes::Floats, args))
    return {};
  const Range &range = args.range;
  int64_t rank = shapeOf(x).size();
  llvm::SmallVector<int64_t> axes;
  if (!args[1]) {
    axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  } else if (o.values.isNumeric(args[1].value)) {
    std::optional<int64_t> axis = o.expectAxis(args[1], rank);
    if (!axis)
      return {};
    axes.push_back(*axis);
  } else {
    llvm::SmallVector<Value> items;
    if (!o.values.toSequence(args[1].value, items, args[1].range, "dim"))
      return {};
    for (const Value &item : items) {
      std::optional<int64_t> axis = o.expectAxis({item, args[1].range}, rank);
      if (!axis)
        return {};
      axes.push_back(*axis);
    }
  }
  std::optional<int64_t> correction = args[2] ? o.l.expect.integer(args[2], "correction") : 1;
  std::optional<bool> keep = correction ? o.l.expect.boolean(args[3], false, "keepdim") : std::nullopt;
  if (!keep)
    return {};
  Value wide = o.cast(x, DType::F32, range), count = o.number(1);
  for (int64_t axis : axes)
    count = o.l.operators.binary(ast::Operator::Mul, count, x.items()[axis], range);
  auto sumOf = [&](Value value) {
    for (int64_t axis : axes)
      value = o.reduce(ReduceKind::Sum, value, axis, true, range);
    return value;
  };
  auto asFloat = [&](const Value &number) {
    return Value::ofScalar(o.scalars.convert(number, DType::F32, range), DType::F32);
  };
  Value mean = o.binary(BinaryKind::Div, sumOf(wide), asFloat(count), range);
  Value away = mean ? o.binary(BinaryKind::Sub, wide, mean, range) : Value();
  Value squares = away ? o.binary(BinaryKind::Mul, away, away, range) : Value();
  if (!squares)
    return {};
  Value result =
      o.binary(BinaryKind::Div, sumOf(squares), asFloat(o.minus(count, o.number(*correction), range)), range);
  llvm::sort(axes);
  for (int64_t axis : llvm::reverse(axes))
    result = withoutAxis(o, result, axis, *keep, range);
  return o.cast(result, elementOf(x), range);
}

// The last axis is the one that is sorted.
static bool checkLast(Operator &o, const Argument &dim, const Value &x, const Arguments &args) {
  std::optional<int64_t> axis = dim ? o.expectAxis(dim, shapeOf(x).size()) : int64_t(shapeOf(x).size()) - 1;
  if (!axis)
    return false;
  if (elementOf(x) != DType::F32)
    return bool(o.fail(args[0].range, "TypeError", args.name + " is defined for FP32, not for " + name(elementOf(x)),
                       "convert it: pypto.cast(x, pypto.DT_FP32)"));
  return *axis == int64_t(shapeOf(x).size()) - 1 ||
         bool(o.fail(dim.range, "ValueError", args.name + " works along the last axis"));
}

static Value sorted(Operator &o, const Value &x, int64_t count, DType dtype, const Range &range) {
  Shape shape(shapeOf(x));
  Extents extents(x.items());
  mlir::Value valid = o.i32(extents.back(), range);
  shape.back() = count;
  extents.back() = o.number(count);
  return o.makeTensor(
      graph::SortOp::create(o.builder(), o.loc(range), o.makeType(shape, dtype), x.ir, valid, o.vectorTile()), extents);
}

Value topk(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  std::optional<int64_t> count = x ? o.l.expect.integer(args[1], "k") : std::nullopt;
  std::optional<bool> largest = count ? o.l.expect.boolean(args[3], true, "largest") : std::nullopt;
  if (!largest || !checkLast(o, args[2], x, args))
    return {};
  if (*count < 1 || *count > shapeOf(x).back())
    return o.fail(args[1].range, "ValueError",
                  "k must be between 1 and " + llvm::Twine(shapeOf(x).back()) + ", not " + llvm::Twine(*count));
  Value key = *largest ? x : o.unary(UnaryKind::Neg, x, args.range);
  Value values = sorted(o, key, *count, DType::F32, args.range),
        positions = sorted(o, key, *count, DType::I32, args.range);
  return Value::ofSequence({*largest ? values : o.unary(UnaryKind::Neg, values, args.range), positions}, false);
}

Value argsort(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  std::optional<bool> descending = x ? o.l.expect.boolean(args[2], false, "descending") : std::nullopt;
  if (!descending || !checkLast(o, args[1], x, args))
    return {};
  Value key = *descending ? x : o.unary(UnaryKind::Neg, x, args.range);
  Value positions = sorted(o, key, shapeOf(x).back(), DType::I32, args.range);
  return o.makeTensor(positions.ir, Extents(x.items()));
}

// Products ---------------------------------------------------------------------------------------------------------

// What extend_params asks for behind a product: bias, scale, relu, in this order.
struct AfterProduct {
  bool any = false, isRelu = false;
  Value bias, scale;
};

static std::optional<AfterProduct> afterProduct(Operator &o, const Argument &argument) {
  AfterProduct after;
  if (!argument)
    return after;
  auto item = [&](const char *key) -> Value {
    if (argument.value.is(frontend::kinds::dict)) {
      for (auto [own, value] : llvm::zip_equal(argument.value.dict().keys, argument.value.items()))
        if (o.host.asString(own) == key)
          return o.values.isNone(value) ? Value() : value;
      return {};
    }
    HostRef value = argument.value.isHost() ? o.host.getItem(argument.value.host, o.host.makeString(key)) : HostRef();
    o.host.takeError();
    return value && !o.host.isNone(value) ? Value::ofHost(value) : Value();
  };
  if (!argument.value.is(frontend::kinds::dict) &&
      !(argument.value.isHost() && o.host.typeName(argument.value.host) == "dict")) {
    o.fail(argument.range, "TypeError", "extend_params must be a dict, not " + o.describe(argument.value));
    return std::nullopt;
  }
  if (Value bias = item("bias_tensor"); bias && !(after.bias = o.expectTensor({bias, argument.range}, "bias_tensor")))
    return std::nullopt;
  if (item("scale_tensor")) {
    o.fail(argument.range, "NotImplementedError", "scale_tensor of a product is not there yet",
           "multiply the product: pypto.cast(c, pypto.DT_FP32) * scale");
    return std::nullopt;
  }
  after.scale = item("scale");
  if (after.scale && !o.values.isNumeric(after.scale)) {
    o.fail(argument.range, "TypeError", "scale must be a number, not " + o.describe(after.scale));
    return std::nullopt;
  }
  if (Value relu = item("relu_type"); relu && relu.isHost()) {
    HostRef name = o.host.getAttr(relu.host, "name");
    o.host.takeError();
    after.isRelu = name && o.host.asString(name) == "RELU";
  }
  after.any = after.isRelu || after.bias || after.scale;
  return after;
}

static Value finishProduct(Operator &o, const Value &product, const AfterProduct &after, DType result,
                           const Range &range) {
  Value made = product;
  bool staysInteger = elementOf(product) == DType::I32 && result == DType::I32 && !after.scale;
  if (after.bias && elementOf(product) == DType::I32 && elementOf(after.bias) == DType::I32)
    made = o.binary(BinaryKind::Add, made, after.bias, range);
  if (made && !staysInteger)
    made = o.cast(made, DType::F32, range);
  if (made && after.bias && elementOf(after.bias) != DType::I32)
    made = o.binary(BinaryKind::Add, made, o.cast(after.bias, DType::F32, range), range);
  if (made && after.scale)
    made = o.binary(BinaryKind::Mul, made, after.scale, range);
  if (made && after.isRelu)
    made = staysInteger ? o.binary(BinaryKind::Max, made, o.number(0), range) : o.unary(UnaryKind::Relu, made, range);
  return made ? o.cast(made, result, range) : Value();
}

Value matmul(Operator &o, const Arguments &args) {
  Value a = o.expectTensor(args[0], "input"), b = a ? o.expectTensor(args[1], "mat2") : Value();
  std::optional<DType> out = b ? o.expectDType(args[2]) : std::nullopt;
  std::optional<bool> turnA = out ? o.l.expect.boolean(args[3], false, "a_trans") : std::nullopt;
  std::optional<bool> turnB = turnA ? o.l.expect.boolean(args[4], false, "b_trans") : std::nullopt;
  std::optional<bool> isNz = turnB ? o.l.expect.boolean(args[5], false, "c_matrix_nz") : std::nullopt;
  if (!isNz)
    return {};
  const Range &range = args.range;
  if (*isNz)
    return o.fail(args[5].range, "ValueError", "c_matrix_nz=True is not supported");
  std::optional<AfterProduct> after = afterProduct(o, args[6]);
  if (!after)
    return {};
  DType dtype = elementOf(a), result = *out;
  if (after->any && (result != DType::I32 || elementOf(a) == DType::I8))
    *out = elementOf(a) == DType::I8 ? DType::I32 : DType::F32; // what the product is before the rest
  int64_t rank = shapeOf(a).size();
  if (dtype != elementOf(b))
    return o.fail(range, "TypeError",
                  "matmul of " + name(dtype) + " and " + name(elementOf(b)) + ": operands must have one dtype",
                  "convert one with pypto.cast");
  bool isByte = dtype == DType::I8;
  if (!isFloat(dtype) && !isByte)
    return o.fail(range, "TypeError", "matmul is defined for FP16, BF16, FP32 and INT8, not for " + name(dtype));
  if (isByte ? *out != DType::I32 : *out != DType::F32 && *out != dtype)
    return o.fail(args[2].range, "TypeError", "matmul of " + name(dtype) + " cannot give " + name(*out),
                  isByte ? "INT8 gives INT32, or with a scale in extend_params FP16" : "");
  if (rank < 2 || rank > 4 || rank != int64_t(shapeOf(b).size()))
    return o.fail(range, "ValueError",
                  "matmul of " + formatShape(shapeOf(a)) + " and " + formatShape(shapeOf(b)) +
                      ": ranks must be equal, and 2 to 4");
  if (o.cubeShape[0].empty())
    return o.fail(range, "RuntimeError", "matmul needs cube tile shapes",
                  "call pypto.set_cube_tile_shapes([m, m], [k, k], [n, n]) before it");
  int64_t innerA = *turnA ? rank - 2 : rank - 1, innerB = *turnB ? rank - 1 : rank - 2;
  int64_t outerA = 2 * rank - 3 - innerA, outerB = 2 * rank - 3 - innerB;
  int64_t k = shapeOf(a)[innerA];
  bool isOpen = mlir::ShapedType::isDynamic(k) || mlir::ShapedType::isDynamic(shapeOf(b)[innerB]);
  if (k != shapeOf(b)[innerB] && !isOpen)
    return o.fail(range, "ValueError",
                  "matmul of " + formatShape(shapeOf(a)) + " and " + formatShape(shapeOf(b)) + ": inner sizes " +
                      llvm::Twine(k) + " and " + llvm::Twine(shapeOf(b)[innerB]) + " differ");
  bool loaded = a.ir.getDefiningOp<graph::ViewOp>() && b.ir.getDefiningOp<graph::ViewOp>();
  if (isOpen && (rank > 2 || !loaded || k != shapeOf(b)[innerB]))
    return o.fail(range, "NotImplementedError",
                  "matmul over an axis whose size only the launch tells is there for two arrays of two axes, "
                  "of both of which the launch tells it",
                  "go through it in a loop over views of known size");
  Shape shape;
  Extents extents;
  for (int64_t i = 0; i < rank - 2; ++i) {
    int64_t x = shapeOf(a)[i], y = shapeOf(b)[i];
    if (x != y && x != 1 && y != 1)
      return o.fail(range, "ValueError",
                    "matmul of " + formatShape(shapeOf(a)) + " and " + formatShape(shapeOf(b)) +
                        ": the axes before the last two do not go together");
    shape.push_back(x == 1 ? y : x);
    extents.push_back(x == 1 ? b.items()[i] : a.items()[i]);
  }
  shape.append({shapeOf(a)[outerA], shapeOf(b)[outerB]});
  extents.append({a.items()[outerA], b.items()[outerB]});
  std::optional<int64_t> validA = o.known(a.items()[innerA]), validB = o.known(b.items()[innerB]);
  if (validA && validB && *validA != *validB)
    return o.fail(range, "ValueError",
                  "matmul of inner extents " + llvm::Twine(*validA) + " and " + llvm::Twine(*validB));
  mlir::Value inner = o.i32(o.atMost(a.items()[innerA], b.items()[innerB], range), range);
  auto unitOf = [&](bool turned) { return turned ? o.builder().getUnitAttr() : mlir::UnitAttr(); };
  auto op = graph::MatmulOp::create(o.builder(), o.loc(range), o.makeType(shape, *out), a.ir, b.ir, inner,
                                    unitOf(*turnA), unitOf(*turnB), o.cubeTile());
  Value product = o.makeTensor(op, extents);
  return after->any ? finishProduct(o, product, *after, result, range) : product;
}

} // namespace tilesmith::frontend::pypto
