// Moves, shapes and creation.
#include "Operator.h"

#include <cmath>

namespace tilesmith::frontend::pypto {

// A tensor, or an array whose part is meant.
Value Operator::expectArray(const Argument &argument, llvm::StringRef what) {
  Value value = values.read(argument.value);
  if (isArray(value))
    return value;
  return fail(argument.range, "TypeError", what + " must be a tensor, not " + describe(value));
}

std::optional<Shape> Operator::shapeArgument(const Argument &argument, llvm::StringRef what) {
  llvm::SmallVector<Value> items;
  if (!values.toSequence(argument.value, items, argument.range, what))
    return std::nullopt;
  return expectShape(items, argument.range, what);
}

bool Operator::checkPositive(llvm::ArrayRef<int64_t> shape, const Range &range, llvm::StringRef what) {
  for (int64_t size : shape)
    if (size <= 0)
      return bool(fail(range, "ValueError", what + " must be positive, not " + formatShape(shape)));
  return true;
}

bool Operator::validArgument(const Argument &argument, llvm::ArrayRef<int64_t> shape, std::optional<Extents> &valid) {
  if (!argument)
    return true;
  valid = expectNumbers(argument, "valid_shape");
  if (!valid)
    return false;
  if (valid->size() != shape.size())
    return bool(fail(argument.range, "ValueError",
                     "valid_shape has " + llvm::Twine(valid->size()) + " sizes for a tensor " + formatShape(shape)));
  for (auto [extent, size] : llvm::zip_equal(*valid, shape))
    if (std::optional<int64_t> own = known(extent); own && (*own < 0 || *own > size))
      return bool(fail(argument.range, "ValueError",
                       "the valid extent " + llvm::Twine(*own) + " is not within the size " + llvm::Twine(size)));
  return true;
}

Value view(Operator &o, const Arguments &args) {
  Value array = o.expectArray(args[0], "input");
  if (!array)
    return {};
  if (args[4])
    return o.fail(args[4].range, "NotImplementedError", "a view with another dtype is not there yet");
  if (!args[1])
    return o.fail(args.range, "TypeError", "pypto.view needs a shape");
  auto shape = o.shapeArgument(args[1], "the shape of a view");
  if (!shape || !o.checkPositive(*shape, args[1].range, "the shape of a view"))
    return {};
  if (shape->size() != array.items().size())
    return o.fail(args[1].range, "ValueError",
                  "a view of rank " + llvm::Twine(shape->size()) + " of " + o.describe(array),
                  "give one size for each axis");
  llvm::SmallVector<Value> offsets(shape->size(), o.number(0));
  if (args[2]) {
    auto given = o.expectNumbers(args[2], "offsets");
    if (!given)
      return {};
    if (given->size() != shape->size())
      return o.fail(args[2].range, "ValueError",
                    "offsets has " + llvm::Twine(given->size()) + " values for a view " + formatShape(*shape));
    offsets.assign(given->begin(), given->end());
  }
  std::optional<Extents> valid;
  return o.validArgument(args[3], *shape, valid) ? o.view(array, *shape, offsets, valid, args.range) : Value();
}

static bool assembleOne(Operator &o, const Argument &source, const Argument &where, const Argument &target,
                        const Range &range, bool atomic = false) {
  Value value = o.expectTensor(source, "src");
  auto offsets = value ? o.expectNumbers(where, "offsets") : std::nullopt;
  return offsets && o.assemble(value, target.value, *offsets, range, atomic);
}

Value atomicAdd(Operator &o, const Arguments &args) {
  return assembleOne(o, args[0], args[1], args[2], args.range, /*atomic=*/true) ? o.none() : Value();
}

// assemble(src, offsets, dst), or assemble([(src, offsets), ...], dst).
Value assemble(Operator &o, const Arguments &args) {
  Value first = o.values.read(args[0].value);
  if (isArray(first))
    return assembleOne(o, args[0], args[1], args[2], args.range) ? o.none() : Value();
  llvm::SmallVector<Value> pairs;
  if (!o.values.toSequence(first, pairs, args[0].range, "src"))
    return {};
  for (const Value &pair : pairs) {
    llvm::SmallVector<Value> items;
    if (!o.values.toSequence(pair, items, args[0].range, "an item of src"))
      return {};
    if (items.size() != 2)
      return o.fail(args[0].range, "ValueError", "each item of src is a tensor and its offsets");
    if (!assembleOne(o, {items[0], args[0].range}, {items[1], args[0].range}, args[1], args.range))
      return {};
  }
  return o.none();
}

Value move(Operator &o, const Arguments &args) {
  Value value = o.expectTensor(args[1], "src");
  if (!value)
    return {};
  const Value &target = args[0].value;
  llvm::SmallVector<Value> origin(shapeOf(value).size(), o.number(0));
  return o.assemble(value, target, origin, args.range) ? o.none() : Value();
}

// pypto.tensor(shape, dtype) inside of a kernel: nothing may be read before something is written (check-written).
Value localTensor(Operator &o, const Arguments &args) {
  if (!args[0] || !args[1])
    return o.fail(args.range, "TypeError", "a tensor inside of a kernel needs a shape and a dtype");
  auto shape = o.shapeArgument(args[0], "the shape");
  std::optional<DType> dtype = shape ? o.expectDType(args[1]) : std::nullopt;
  if (!dtype || !o.checkPositive(*shape, args[0].range, "sizes"))
    return {};
  static constexpr int64_t mostOnChip = 1 << 15; // bytes; larger ones are arrays of the core's workspace
  int64_t bytes = llvm::product_of(*shape) * bitWidth(*dtype) / 8;
  if (bytes > mostOnChip && *dtype != DType::I1) {
    mlir::Location at = o.loc(args.range);
    mlir::Type element = o.l.ir.element(*dtype);
    mlir::Value base = graph::WorkspaceOp::create(o.builder(), at, tile::PtrType::get(&o.l.ir.context, element), bytes);
    Value memory;
    memory.kind = kinds::memory;
    memory.dtype = *dtype;
    memory.ir = tile::TensorOp::create(o.builder(), at, tile::GlobalTensorType::get(&o.l.ir.context, *shape, element),
                                       base, mlir::Value(), mlir::ValueRange(), mlir::ValueRange());
    memory.parts = std::make_shared<Parts>();
    memory.parts->items.assign(o.fullExtents(*shape));
    return memory;
  }
  mlir::Value zero = o.scalars.convert(o.number(0), *dtype, args.range);
  auto start = graph::FullOp::create(o.builder(), o.loc(args.range), o.makeType(*shape, *dtype), zero, o.vectorTile());
  start->setAttr(graph::unwrittenAttrName, o.builder().getUnitAttr());
  Value value;
  value.kind = kinds::local;
  value.dtype = *dtype;
  value.cell = o.l.cells.make(start, "a tensor");
  value.parts = std::make_shared<Parts>();
  Extents dims = o.fullExtents(*shape);
  value.parts->items.assign(dims.begin(), dims.end());
  return value;
}

// -1 is what is left. A memory is described anew, so that sizes may be known to the launch only.
static std::optional<Extents> reshapedDims(Operator &o, const Value &memory, Extents dims, const Range &range) {
  Value all = o.number(1), rest = o.number(1), *open = nullptr;
  auto times = [&](const Value &a, const Value &b) { return o.l.operators.binary(ast::Operator::Mul, a, b, range); };
  for (const Value &dim : memory.items())
    all = all ? times(all, dim) : all;
  for (Value &dim : dims) {
    std::optional<int64_t> size = o.known(dim);
    bool isOpen = size == -1;
    if ((isOpen && open) || (size && *size <= 0 && !isOpen)) {
      o.fail(range, "ValueError",
             isOpen ? "only one size may be -1" : "sizes must be positive, not " + std::to_string(*size));
      return std::nullopt;
    }
    if (isOpen)
      open = &dim;
    else
      rest = rest ? times(rest, dim) : rest;
  }
  if (all && rest && open)
    rest = times(rest, *open = o.l.operators.binary(ast::Operator::FloorDiv, all, rest, range));
  if (!all || !rest)
    return std::nullopt;
  std::optional<int64_t> before = o.known(all), after = o.known(rest);
  if (before && after && *before != *after) {
    o.fail(range, "ValueError",
           o.describe(memory) + " cannot be reshaped to " + llvm::Twine(dims.size()) + " sizes of " +
               llvm::Twine(*after) + " elements: the number of elements differs");
    return std::nullopt;
  }
  return dims;
}

Value reshape(Operator &o, const Arguments &args) {
  Value array = o.expectArray(args[0], "input");
  std::optional<Extents> items = array ? o.expectNumbers(args[1], "the shape") : std::nullopt;
  std::optional<bool> inPlace = items ? o.l.expect.boolean(args[3], false, "inplace") : std::nullopt;
  if (!inPlace)
    return {};
  for (const Value &item : *items)
    if (!o.known(item) && !*inPlace)
      return o.fail(args[1].range, "TypeError",
                    "reshape to a size that only the launch tells. Use 'inplace=True' for dynamic shapes");
  if (items->empty() || items->size() > 5)
    return o.fail(args[1].range, "ValueError", "the shape must have 1 to 5 sizes, not " + llvm::Twine(items->size()));
  std::optional<Extents> valid;
  if (isMemory(array)) {
    std::optional<Extents> dims = reshapedDims(o, array, *items, args[1].range);
    if (!dims)
      return {};
    Value made = o.reshaped(array, *dims, args.range);
    if (*inPlace && !args[2])
      return made;
    Shape sizes;
    for (const Value &dim : *dims)
      sizes.push_back(o.known(dim).value_or(mlir::ShapedType::kDynamic));
    if (!o.validArgument(args[2], sizes, valid))
      return {};
    Value tensor = o.read(made, args.range);
    return valid ? o.makeTensor(tensor.ir, *valid) : tensor;
  }
  Value x = array;
  auto shape = o.expectShape(*items, args[1].range, "the shape");
  if (!shape)
    return {};
  if (llvm::any_of(shapeOf(x), mlir::ShapedType::isDynamic))
    return o.fail(args[0].range, "NotImplementedError",
                  "reshape of a computed tensor whose size only the launch tells is not there yet",
                  "view parts of known size, or reshape the parameter");
  int64_t all = llvm::product_of(shapeOf(x)), rest = 1;
  for (int64_t size : *shape)
    rest *= size == -1 ? 1 : size;
  for (int64_t &size : *shape)
    if (size == -1 && rest > 0)
      size = all / rest;
  if (!o.checkPositive(*shape, args[1].range, "sizes"))
    return {};
  if (llvm::product_of(*shape) != all)
    return o.fail(args[1].range, "ValueError",
                  "a tensor " + formatShape(shapeOf(x)) + " cannot be reshaped to " + formatShape(*shape) +
                      ": the number of elements differs");
  if (!o.validArgument(args[2], *shape, valid))
    return {};
  return o.reshape(x, *shape, valid ? *valid : o.fullExtents(*shape), args.range);
}

Value unsqueeze(Operator &o, const Arguments &args) {
  Value array = o.expectArray(args[0], "input");
  std::optional<int64_t> axis = array ? o.expectAxis(args[1], int64_t(array.items().size()) + 1) : std::nullopt;
  if (!axis)
    return {};
  if (isMemory(array)) {
    Extents dims(array.items());
    dims.insert(dims.begin() + *axis, o.number(1));
    return o.read(o.reshaped(array, dims, args.range), args.range);
  }
  Value x = array;
  Shape shape(shapeOf(x));
  Extents extents(x.items());
  shape.insert(shape.begin() + *axis, 1);
  extents.insert(extents.begin() + *axis, o.number(1));
  return o.reshape(x, shape, extents, args.range);
}

static Value permuted(Operator &o, const Value &x, llvm::ArrayRef<int64_t> axes, const Range &range) {
  Shape shape;
  Extents extents;
  for (int64_t axis : axes) {
    shape.push_back(shapeOf(x)[axis]);
    extents.push_back(x.items()[axis]);
  }
  return o.makeTensor(
      graph::TransposeOp::create(o.builder(), o.loc(range), typeOf(x).withShape(shape), x.ir, axes, o.vectorTile()),
      extents);
}

Value transpose(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  int64_t rank = x ? shapeOf(x).size() : 0;
  std::optional<int64_t> a = x ? o.expectAxis(args[1], rank) : std::nullopt,
                         b = a ? o.expectAxis(args[2], rank) : std::nullopt;
  if (!b)
    return {};
  Shape axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(axes[*a], axes[*b]);
  return *a == *b ? x : permuted(o, x, axes, args.range);
}

Value permute(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  auto axes = x ? o.shapeArgument(args[1], "the axes") : std::nullopt;
  if (!axes)
    return {};
  int64_t rank = shapeOf(x).size();
  for (int64_t &axis : *axes)
    axis += axis < 0 ? rank : 0;
  Shape sorted(*axes);
  llvm::sort(sorted);
  if (sorted != llvm::to_vector<5>(llvm::seq<int64_t>(0, rank)))
    return o.fail(args[1].range, "ValueError", "dims must name each axis of " + formatShape(shapeOf(x)) + " once");
  return permuted(o, x, *axes, args.range);
}

// Tensors are values: a copy is the tensor itself.
Value clone(Operator &o, const Arguments &args) { return o.expectTensor(args[0], "input"); }

Value expandClone(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  auto shape = x ? o.shapeArgument(args[1], "the shape") : std::nullopt;
  if (!shape)
    return {};
  bool fits = shape->size() == shapeOf(x).size() && llvm::all_of(llvm::zip(shapeOf(x), *shape), [](auto pair) {
                return std::get<0>(pair) == std::get<1>(pair) || std::get<0>(pair) == 1;
              });
  if (!fits)
    return o.fail(args[1].range, "ValueError",
                  "a tensor " + formatShape(shapeOf(x)) + " cannot be expanded to " + formatShape(*shape),
                  "ranks must be equal, and only axes of size 1 are repeated");
  std::optional<Extents> valid;
  if (!o.validArgument(args[2], *shape, valid))
    return {};
  Value result = o.expand(x, *shape, args.range);
  return valid ? o.makeTensor(result.ir, *valid) : result;
}

Value Operator::filled(llvm::ArrayRef<int64_t> shape, const Value &number, DType dtype, const Range &range) {
  if (!checkPositive(shape, range, "sizes"))
    return {};
  mlir::Value scalar = scalars.convert(number, dtype, range);
  if (!scalar)
    return {};
  return makeTensor(graph::FullOp::create(builder(), loc(range), makeType(shape, dtype), scalar, vectorTile()),
                    fullExtents(shape));
}

Value full(Operator &o, const Arguments &args) {
  auto shape = o.shapeArgument(args[0], "the size");
  std::optional<DType> dtype = shape ? o.expectDType(args[2]) : std::nullopt;
  if (!dtype)
    return {};
  Value number = args[1].value;
  if (number.isHost() && o.host.typeName(number.host) == "Element")
    number = Value::ofHost(o.host.getAttr(number.host, "value"));
  if (!o.values.isNumeric(number))
    return o.fail(args[1].range, "TypeError", "fill_value must be a number, not " + o.describe(number));
  if (isInteger(*dtype) && isFloat(o.values.dtypeOf(number)))
    return o.fail(args[1].range, "TypeError", "float scalar incompatible with integer tensor dtype");
  Value result = o.filled(*shape, number, *dtype, args.range);
  std::optional<Extents> valid;
  if (!result || !o.validArgument(args[3], *shape, valid))
    return {};
  return valid ? o.makeTensor(result.ir, *valid) : result;
}

static Value constants(Operator &o, const Arguments &args, int64_t number) {
  for (const Argument &argument : args.rest)
    if (argument.value.isHost() && o.host.typeName(argument.value.host) == "DataType")
      return o.fail(argument.range, "TypeError", "the dtype of " + args.name + " is given by keyword",
                    "dtype=" + o.host.repr(argument.value.host));
  llvm::SmallVector<Value> items;
  Range range = args.range;
  if (args.rest.size() == 1 && !o.values.isNumeric(args.rest[0].value)) {
    if (!o.values.toSequence(args.rest[0].value, items, args.rest[0].range, "the size"))
      return {};
  } else {
    for (const Argument &argument : args.rest) {
      if (!o.values.isNumeric(argument.value))
        return o.fail(argument.range, "TypeError",
                      "a size of " + args.name + " must be an int, not " + o.describe(argument.value),
                      "the dtype is given by keyword: dtype=pypto.DT_FP16");
      items.push_back(argument.value);
    }
  }
  auto shape = o.expectShape(items, range, "the size");
  std::optional<DType> dtype = !shape ? std::nullopt : args[0] ? o.expectDType(args[0]) : DType::F32;
  return dtype ? o.filled(*shape, o.number(number), *dtype, range) : Value();
}

Value zeros(Operator &o, const Arguments &args) { return constants(o, args, 0); }
Value ones(Operator &o, const Arguments &args) { return constants(o, args, 1); }

Value arange(Operator &o, const Arguments &args) {
  Value bounds[3] = {args[1] ? args[0].value : o.number(0), args[1] ? args[1].value : args[0].value,
                     args[2] ? args[2].value : o.number(1)};
  double numbers[3];
  bool isReal = false;
  for (auto [number, bound] : llvm::zip_equal(numbers, bounds)) {
    std::optional<double> real = bound.isHost() ? o.host.asFloat(bound.host) : std::nullopt;
    std::optional<int64_t> integer = o.known(bound);
    if (!real && !integer)
      return o.fail(args.range, "TypeError",
                    "pypto.arange takes numbers known while compiling, not " + o.describe(bound));
    isReal |= real.has_value();
    number = real ? *real : double(*integer);
  }
  auto [start, end, step] = numbers;
  double count = step ? std::ceil((end - start) / step) : 0;
  if (!(count >= 1 && count < INT32_MAX))
    return o.fail(args.range, "ValueError",
                  "pypto.arange of nothing: the step must not be 0, and lead from start to end");
  DType dtype = isReal ? DType::F32 : DType::I32;
  mlir::Value first = o.scalars.convert(bounds[0], dtype, args.range),
              by = first ? o.scalars.convert(bounds[2], dtype, args.range) : mlir::Value();
  if (!by)
    return {};
  Shape shape{int64_t(count)};
  return o.makeTensor(
      graph::ArangeOp::create(o.builder(), o.loc(args.range), o.makeType(shape, dtype), first, by, o.vectorTile()),
      o.fullExtents(shape));
}

// Joined are whole tensors: where one is not fully valid, what follows would not lie behind it.
Value concat(Operator &o, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (!o.values.toSequence(args[0].value, items, args[0].range, "tensors"))
    return {};
  llvm::SmallVector<mlir::Value> operands;
  Shape shape;
  Extents extents;
  int64_t axis = 0;
  for (const Value &item : items) {
    Value x = o.expectTensor({item, args[0].range}, "an item of tensors");
    if (!x)
      return {};
    if (operands.empty()) {
      shape = Shape(shapeOf(x));
      extents = Extents(x.items());
      std::optional<int64_t> given = args[1] ? o.expectAxis(args[1], shape.size()) : 0;
      if (!given)
        return {};
      axis = *given;
    } else {
      Shape own(shapeOf(x));
      if (own.size() != shape.size() ||
          x.ir.getType() != typeOf(x).withElementType(
                                llvm::cast<graph::WholeTensorType>(operands.front().getType()).getElementType()))
        return o.fail(args[0].range, "ValueError", "concat of tensors of different ranks or dtypes");
      shape[axis] += own[axis];
      own[axis] = shape[axis];
      if (own != shape)
        return o.fail(args[0].range, "ValueError",
                      "concat of " + formatShape(shapeOf(x)) + " and others: sizes beside axis " + llvm::Twine(axis) +
                          " differ");
    }
    if (o.known(x.items()[axis]) != shapeOf(x)[axis])
      return o.fail(args[0].range, "NotImplementedError",
                    "concat along an axis that is not fully valid is not there yet");
    operands.push_back(x.ir);
  }
  if (operands.size() < 2)
    return o.fail(args[0].range, "ValueError", "concat takes at least 2 tensors");
  extents[axis] = o.number(shape[axis]);
  auto type = llvm::cast<graph::WholeTensorType>(operands.front().getType()).withShape(shape);
  return o.makeTensor(graph::ConcatOp::create(o.builder(), o.loc(args.range), type, axis, operands, o.vectorTile()),
                      extents);
}

} // namespace tilesmith::frontend::pypto
