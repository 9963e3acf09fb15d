#include "Fractals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend::pypto {

namespace arith = mlir::arith;
using AstOperator = ast::Operator;

// The launch gives, behind the function's own parameters, a tuple with (dimensions, is of truth values) for each tensor
// in order, where None is a dimension the launch tells, and then these dimensions.
bool Operator::start(const KernelRequest &request, llvm::ArrayRef<Value> added) {
  const Range &range = request.function->nameRange;
  llvm::SmallVector<HostRef> tensors;
  if (added.empty() || !host.iterate(added[0].host, tensors))
    return bool(fail(range, "RuntimeError", "an operator needs a description of its tensors"));
  added = added.drop_front();
  auto next = tensors.begin();
  for (auto [spec, parameter] : llvm::zip(request.params, request.function->parameters)) {
    if (spec.kind != ParamSpec::Pointer)
      continue;
    llvm::SmallVector<HostRef> described, dims;
    if (next == tensors.end() || !host.iterate(*next++, described) || !host.iterate(described[0], dims))
      return bool(fail(range, "RuntimeError", "an operator needs a description of each tensor"));
    bool isTruth = host.asBool(described[1]).value_or(false);
    Value memory;
    memory.kind = kinds::memory;
    memory.dtype = isTruth ? DType::I1 : spec.dtype;
    memory.parts = std::make_shared<Parts>();
    Shape shape;
    llvm::SmallVector<mlir::Value> dynamic;
    for (const HostRef &dim : dims) {
      std::optional<int64_t> size = host.asInt(dim);
      shape.push_back(size ? *size : mlir::ShapedType::kDynamic);
      if (size) {
        memory.parts->items.push_back(Value::ofHost(dim));
        continue;
      }
      memory.parts->items.push_back(added.front());
      dynamic.push_back(added.front().ir);
      added = added.drop_front();
    }
    Value address = frame().env[parameter.name].value;
    auto type = tile::GlobalTensorType::get(&l.ir.context, shape, l.ir.element(spec.dtype));
    memory.ir = tile::TensorOp::create(builder(), loc(parameter.range), type, address.ir, mlir::Value(), dynamic,
                                       mlir::ValueRange());
    if (described.size() > 2 && host.asBool(described[2]).value_or(false))
      memory = unpackFractals(*this, memory, parameter.range);
    l.names.bind(parameter.name, memory, parameter.range);
  }
  return true;
}

// Arguments --------------------------------------------------------------------------------------------------------

Value Operator::expectTensor(const Argument &argument, llvm::StringRef what) {
  Value value = values.read(argument.value);
  if (isArray(value))
    return read(value, argument.range);
  return fail(argument.range, "TypeError", what + " must be a tensor, not " + describe(value));
}

bool Operator::checkDType(const Value &tensor, DTypes allowed, const Arguments &args) {
  DType dtype = elementOf(tensor);
  bool ok = allowed == DTypes::Any || (dtype != DType::I1 && (allowed == DTypes::Numbers || isFloat(dtype)));
  return ok || bool(fail(args.range, "TypeError", args.name + " is not defined for tensors of " + name(dtype),
                         dtype == DType::I1 ? "choose with pypto.where" : "convert it: pypto.cast(x, pypto.DT_FP32)"));
}

std::optional<Shape> Operator::expectShape(llvm::ArrayRef<Value> items, const Range &range, llvm::StringRef what) {
  Shape shape;
  for (const Value &item : items) {
    std::optional<int64_t> size = known(item);
    if (!size) {
      fail(range, "TypeError", what + " must be ints known while compiling, not " + describe(item),
           item.isScalar() ? "give the largest size, and the valid part with valid_shape" : "");
      return std::nullopt;
    }
    shape.push_back(*size);
  }
  if (shape.empty() || shape.size() > 5) {
    fail(range, "ValueError", what + " must have 1 to 5 sizes, not " + llvm::Twine(shape.size()));
    return std::nullopt;
  }
  return shape;
}

std::optional<DType> Operator::expectDType(const Argument &argument) {
  if (argument.value.isHost())
    if (HostRef element = host.getAttr(argument.value.host, "element"))
      return l.expect.dtype({Value::ofHost(element), argument.range}, "dtype");
  host.takeError();
  return l.expect.dtype(argument, "dtype");
}

std::optional<int64_t> Operator::expectAxis(const Argument &argument, int64_t rank) {
  std::optional<int64_t> axis = l.expect.integer(argument, "an axis");
  if (!axis || (*axis >= -rank && *axis < rank))
    return axis ? std::optional(*axis < 0 ? *axis + rank : *axis) : std::nullopt;
  fail(argument.range, "ValueError",
       "axis " + llvm::Twine(*axis) + " is out of range for a tensor of rank " + llvm::Twine(rank));
  return std::nullopt;
}

std::optional<Extents> Operator::expectNumbers(const Argument &argument, llvm::StringRef what) {
  llvm::SmallVector<Value> items;
  if (!values.toSequence(argument.value, items, argument.range, what))
    return std::nullopt;
  for (const Value &item : items)
    if (!values.isInteger(item)) {
      fail(argument.range, "TypeError", what + " must be integers, not " + describe(item));
      return std::nullopt;
    }
  return Extents(items);
}

// Numbers ----------------------------------------------------------------------------------------------------------

std::optional<int64_t> Operator::known(const Value &number) {
  return number.isHost() && host.isInt(number.host) ? host.asInt(number.host) : std::nullopt;
}

Value Operator::plus(const Value &a, const Value &b, const Range &range) {
  if (known(a) == 0)
    return b;
  return known(b) == 0 ? a : l.operators.binary(AstOperator::Add, a, b, range);
}
Value Operator::minus(const Value &a, const Value &b, const Range &range) {
  return known(b) == 0 ? a : l.operators.binary(AstOperator::Sub, a, b, range);
}
Value Operator::atMost(const Value &a, const Value &b, const Range &range) {
  if (known(a) && known(b))
    return number(std::min(*known(a), *known(b)));
  return Value::ofScalar(arith::MinSIOp::create(builder(), loc(range), i32(a, range), i32(b, range)), DType::I32);
}
Value Operator::atLeast(const Value &a, const Value &b, const Range &range) {
  if (known(a) && known(b))
    return number(std::max(*known(a), *known(b)));
  return Value::ofScalar(arith::MaxSIOp::create(builder(), loc(range), i32(a, range), i32(b, range)), DType::I32);
}

// Tensors ----------------------------------------------------------------------------------------------------------

mlir::DenseI64ArrayAttr Operator::vectorTile() {
  return vectorShape.empty() ? mlir::DenseI64ArrayAttr() : builder().getDenseI64ArrayAttr(vectorShape);
}

mlir::DenseI64ArrayAttr Operator::cubeTile() {
  return builder().getDenseI64ArrayAttr({cubeShape[0].back(), cubeShape[1].back(), cubeShape[2].back()});
}

graph::WholeTensorType Operator::makeType(llvm::ArrayRef<int64_t> shape, DType dtype) {
  return graph::WholeTensorType::get(&l.ir.context, shape, l.ir.element(dtype));
}

Value Operator::makeTensor(mlir::Value ir, Extents extents) {
  Value value;
  value.kind = kinds::tensor;
  value.dtype = fromMlir(llvm::cast<graph::WholeTensorType>(ir.getType()).getElementType());
  value.ir = ir;
  value.parts = std::make_shared<Parts>();
  value.parts->items.assign(extents.begin(), extents.end());
  return value;
}

Extents Operator::fullExtents(llvm::ArrayRef<int64_t> shape) {
  return Extents(llvm::map_range(shape, [&](int64_t size) { return number(size); }));
}

Extents Operator::dimsOf(const Value &array) {
  Extents dims(array.items());
  if (isTensor(array))
    for (auto [dim, size] : llvm::zip_equal(dims, shapeOf(array)))
      if (!mlir::ShapedType::isDynamic(size))
        dim = number(size);
  return dims;
}

Value Operator::reshaped(const Value &memory, Extents dims, const Range &range) {
  auto described = memory.ir.getDefiningOp<tile::TensorOp>();
  Shape shape;
  llvm::SmallVector<mlir::Value> dynamic;
  for (const Value &dim : dims) {
    std::optional<int64_t> size = known(dim);
    shape.push_back(size.value_or(mlir::ShapedType::kDynamic));
    if (!size)
      dynamic.push_back(i32(dim, range));
  }
  auto type = tile::GlobalTensorType::get(&l.ir.context, shape, described.getType().getElementType());
  Value made = memory;
  made.ir = tile::TensorOp::create(builder(), loc(range), type, described.getBase(), mlir::Value(), dynamic,
                                   mlir::ValueRange());
  made.parts = std::make_shared<Parts>();
  made.parts->items.assign(dims.begin(), dims.end());
  return made;
}

Value Operator::read(const Value &array, const Range &range) {
  if (isTensor(array))
    return array;
  Shape shape;
  for (const Value &dim : array.items())
    shape.push_back(known(dim).value_or(mlir::ShapedType::kDynamic));
  llvm::SmallVector<Value> origin(shape.size(), number(0));
  return view(array, shape, origin, Extents(array.items()), range);
}

// Valid is what the array has there, unless it is given.
Value Operator::view(const Value &array, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Value> offsets,
                     std::optional<Extents> valid, const Range &range) {
  for (auto [size, offset, dim] : llvm::zip_equal(shape, offsets, dimsOf(array))) {
    std::optional<int64_t> first = known(offset), all = known(dim);
    if (first && (*first < 0 || (all && *first >= *all)))
      return fail(range, "ValueError",
                  "a view that begins at " + llvm::Twine(*first) + " is outside a tensor with " +
                      llvm::Twine(all.value_or(0)) + " elements along this axis");
  }
  llvm::SmallVector<mlir::Value> begins;
  for (const Value &offset : offsets) {
    begins.push_back(i32(offset, range));
    if (!begins.back())
      return {};
  }
  Extents extents;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (valid) {
      extents.push_back((*valid)[i]);
      continue;
    }
    Value left = minus(array.items()[i], offsets[i], range);
    if (!left)
      return {};
    bool whole = mlir::ShapedType::isDynamic(size);
    extents.push_back(whole ? left : atMost(atLeast(left, number(0), range), number(size), range));
  }
  // A view of a view is one of the same array.
  mlir::Value memory = array.ir;
  if (isTensor(array)) {
    auto inner = array.ir.getDefiningOp<graph::ViewOp>();
    if (!inner)
      return makeTensor(graph::SliceOp::create(builder(), loc(range), makeType(shape, elementOf(array)), array.ir,
                                               begins, vectorTile()),
                        extents);
    memory = inner.getMemory();
    for (auto [begin, outer] : llvm::zip_equal(begins, inner.getOffsets()))
      begin = arith::AddIOp::create(builder(), loc(range), begin, outer);
  }
  DType dtype = isTensor(array) ? elementOf(array) : array.dtype;
  return makeTensor(graph::ViewOp::create(builder(), loc(range), makeType(shape, dtype), memory, begins), extents);
}

bool Operator::assemble(const Value &value, const Value &memory, llvm::ArrayRef<Value> offsets, const Range &range,
                        bool atomic) {
  if (!isMemory(memory) && !isLocal(memory))
    return bool(fail(range, "TypeError", describe(memory) + " cannot be written into", l.language.words().writeItem));
  if (elementOf(value) != memory.dtype)
    return bool(fail(range, "TypeError",
                     "a tensor of " + name(elementOf(value)) + " cannot be written into one of " + name(memory.dtype),
                     "convert it with pypto.cast"));
  if (shapeOf(value).size() != memory.items().size() || offsets.size() != memory.items().size())
    return bool(
        fail(range, "ValueError",
             "a tensor of rank " + llvm::Twine(shapeOf(value).size()) + " cannot be written into " + describe(memory)));
  llvm::SmallVector<mlir::Value> begins, extents;
  for (auto [offset, extent] : llvm::zip_equal(offsets, value.items())) {
    begins.push_back(i32(offset, range));
    extents.push_back(begins.back() ? i32(extent, range) : mlir::Value());
    if (!extents.back())
      return false;
  }
  if (isMemory(memory)) {
    if (!mayWrite(*this, memory, range))
      return false;
    graph::AssembleOp::create(builder(), loc(range), value.ir, memory.ir, begins, extents, vectorTile(),
                              atomic ? builder().getUnitAttr() : mlir::UnitAttr());
    return true;
  }
  if (atomic)
    return bool(fail(range, "NotImplementedError", "atomic_add into a tensor of the kernel itself is not there yet",
                     "add, and write the sum"));
  mlir::Value before = l.cells.get(memory.cell);
  bool isAll = value.ir.getType() == before.getType() &&
               llvm::all_of(offsets, [&](const Value &offset) { return known(offset) == 0; });
  for (auto [size, extent] : llvm::zip_equal(shapeOf(value), value.items()))
    isAll &= known(extent) == size;
  l.cells.set(memory.cell, isAll ? value.ir
                                 : graph::InsertOp::create(builder(), loc(range), before.getType(), value.ir, before,
                                                           begins, extents, vectorTile())
                                       .getResult());
  return true;
}

Value Operator::cast(const Value &tensor, DType dtype, const Range &range) {
  if (elementOf(tensor) == dtype)
    return tensor;
  auto type = typeOf(tensor).withElementType(l.ir.element(dtype));
  return makeTensor(graph::CastOp::create(builder(), loc(range), type, tensor.ir, vectorTile()),
                    Extents(tensor.items()));
}

Value Operator::unary(graph::UnaryKind kind, const Value &tensor, const Range &range) {
  return makeTensor(graph::UnaryOp::create(builder(), loc(range), tensor.ir.getType(), kind, tensor.ir, vectorTile()),
                    Extents(tensor.items()));
}

Value Operator::expand(const Value &tensor, llvm::ArrayRef<int64_t> shape, const Range &range) {
  if (shapeOf(tensor) == shape)
    return tensor;
  Value source = tensor;
  if (shapeOf(tensor).size() < shape.size()) {
    Shape longer(shape.size() - shapeOf(tensor).size(), 1);
    Extents extents(longer.size(), number(1));
    llvm::append_range(longer, shapeOf(tensor));
    llvm::append_range(extents, tensor.items());
    source = reshape(tensor, longer, extents, range);
    if (shapeOf(source) == shape)
      return source;
  }
  Extents extents;
  for (auto [one, size, extent] : llvm::zip_equal(shapeOf(source), shape, source.items()))
    extents.push_back(one == size ? extent : number(size));
  return makeTensor(
      graph::ExpandOp::create(builder(), loc(range), typeOf(source).withShape(shape), source.ir, vectorTile()),
      extents);
}

Value Operator::reshape(const Value &tensor, llvm::ArrayRef<int64_t> shape, Extents extents, const Range &range) {
  if (shapeOf(tensor) == shape)
    return makeTensor(tensor.ir, extents);
  return makeTensor(
      graph::ReshapeOp::create(builder(), loc(range), typeOf(tensor).withShape(shape), tensor.ir, vectorTile()),
      extents);
}

// The extents are those of the first tensor that is not repeated along the axis.
std::optional<std::pair<Shape, Extents>> Operator::broadcast(llvm::ArrayRef<Value> tensors, const Range &range) {
  size_t rank = 0;
  for (const Value &tensor : tensors)
    rank = std::max(rank, shapeOf(tensor).size());
  Shape shape(rank, 1);
  Extents extents(rank, number(1));
  for (const Value &tensor : tensors) {
    llvm::ArrayRef<int64_t> own = shapeOf(tensor);
    for (size_t i = 0; i < own.size(); ++i) {
      size_t axis = rank - own.size() + i;
      if (own[i] == 1 || (own[i] == shape[axis] && shape[axis] != 1))
        continue;
      if (shape[axis] != 1) {
        fail(range, "ValueError",
             "shapes " + formatShape(shapeOf(tensors.front())) + " and " + formatShape(own) + " do not go together",
             "axes are compared from the right: sizes must be equal, or one of them 1");
        return std::nullopt;
      }
      shape[axis] = own[i];
      extents[axis] = tensor.items()[i];
    }
  }
  return std::pair(shape, extents);
}

} // namespace tilesmith::frontend::pypto
