// Making tiles, and their shapes: broadcasting, new axes, other orders of axes.
#include "Program.h"

namespace tilesmith::frontend::triton {

std::optional<Shape> Program::commonShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b, const Range &range) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (llvm::ArrayRef<int64_t> shape : {a, b})
    for (size_t i = 1; i <= shape.size(); ++i) {
      int64_t size = shape[shape.size() - i], &whole = result[result.size() - i];
      if (size != 1 && whole != 1 && size != whole) {
        fail(range, "ValueError",
             "Cannot make_shape_compatible: incompatible dimensions at index " + llvm::Twine(result.size() - i) + ": " +
                 llvm::Twine(whole) + " and " + llvm::Twine(size),
             "the shapes are " + formatShape(a) + " and " + formatShape(b));
        return std::nullopt;
      }
      whole = size == 1 ? whole : size;
    }
  return result;
}

Value Program::broadcast(const Value &value, llvm::ArrayRef<int64_t> shape, const Range &range) {
  if (!isTensor(value)) {
    DType dtype = values.dtypeOf(value);
    Value number = value.isHost() ? convert(value, dtype, range) : value;
    if (!number || !checkType(shape, dtype, range))
      return {};
    return ofTensor(tile::SplatOp::create(builder(), loc(range), makeType(shape, dtype), number.ir));
  }
  if (shapeOf(value) == shape)
    return value;
  if (!checkType(shape, elementOf(value), range))
    return {};
  return ofTensor(tile::BroadcastOp::create(builder(), loc(range), typeOf(value).withShape(shape), value.ir));
}

Value Program::reshape(const Value &tensor, llvm::ArrayRef<int64_t> shape, const Range &range) {
  if (shapeOf(tensor) == shape)
    return tensor;
  return ofTensor(tile::ReshapeOp::create(builder(), loc(range), typeOf(tensor).withShape(shape), tensor.ir));
}

// No axes: the last two change places.
Value Program::transpose(const Value &tensor, llvm::ArrayRef<int64_t> given, const Range &range) {
  Shape axes(given), shape;
  int64_t rank = typeOf(tensor).getRank();
  if (axes.empty()) {
    for (int64_t axis = 0; axis < rank; ++axis)
      axes.push_back(axis);
    if (rank < 2)
      return fail(range, "ValueError", "tl.trans invoked with a 0- or 1-dimensional tensor");
    std::swap(axes[rank - 1], axes[rank - 2]);
  }
  for (int64_t axis : axes)
    shape.push_back(shapeOf(tensor)[axis]);
  if (llvm::is_sorted(axes))
    return tensor;
  return ofTensor(tile::TransposeOp::create(builder(), loc(range), typeOf(tensor).withShape(shape), tensor.ir, axes));
}

// x[:, None]: new axes, and nothing else.
Value Program::item(const Value &base, const Value &index, const Range &range) {
  llvm::SmallVector<Value> items;
  if (index.isSequence())
    items.append(index.items().begin(), index.items().end());
  else if (index.isHost() && host.isSequence(index.host)) {
    if (!values.toSequence(index, items, range, "an index"))
      return {};
  } else
    items.push_back(index);
  Shape source = shapeOfAny(base), shape;
  size_t used = 0;
  for (const Value &item : items) {
    if (values.isNone(item)) {
      shape.push_back(1);
      continue;
    }
    bool isWhole = item.is(frontend::kinds::slice) &&
                   llvm::all_of(item.items(), [&](const Value &part) { return values.isNone(part); });
    std::string text = item.isHost() ? host.repr(item.host) : "";
    if (!isWhole && text != "slice(None, None, None)")
      return fail(range, "ValueError", "unsupported tensor index: " + describe(item),
                  "a tensor is indexed by : and None only; parts of it are loaded by pointers or chosen with tl.where");
    if (used == source.size())
      return fail(range, "ValueError", "unsupported tensor index: more dimensions than " + formatShape(source));
    shape.push_back(source[used++]);
  }
  shape.append(source.begin() + used, source.end());
  if (shape.empty())
    return base;
  if (!isTensor(base))
    return broadcast(base, shape, range);
  return reshape(base, shape, range);
}

Value Program::arange(int64_t start, int64_t end, const Range &range) {
  Value counted = ofTensor(tile::ArangeOp::create(builder(), loc(range), makeType({end - start}, DType::I32)));
  return start ? binary(Op::Add, counted, number(start), range) : counted;
}

Value arange(Program &p, const Arguments &args) {
  std::optional<int64_t> bounds[2];
  for (int i : {0, 1}) {
    const Value &bound = args[i].value;
    bounds[i] = bound.isHost() && p.host.isInt(bound.host) ? p.host.asInt(bound.host) : std::nullopt;
    if (!bounds[i])
      return p.fail(
          args[i].range, "ValueError", "arange's arguments must be of type tl.constexpr, not " + p.describe(bound),
          "annotate the parameter it comes from with tl.constexpr; count from 0 and add what is known at run time");
  }
  auto [start, end] = std::pair(*bounds[0], *bounds[1]);
  if (end <= start)
    return p.fail(args.range, "ValueError",
                  "arange's end argument must be greater than the start argument, not " + llvm::Twine(start) + " and " +
                      llvm::Twine(end));
  if (start < INT32_MIN || end > INT32_MAX)
    return p.fail(args.range, "ValueError", "arange must fit in int32");
  return p.checkType({end - start}, DType::I32, args.range) ? p.arange(start, end, args.range) : Value();
}

static Value filled(Program &p, llvm::ArrayRef<int64_t> shape, const Value &value, DType dtype, const Range &range) {
  if (dtype != DType::I1 && !p.checkType(shape, dtype, range))
    return {};
  Value given = value;
  if (given.isHost() && !isFloat(dtype) && p.host.asFloat(given.host)) // a float fills integers with its whole part
    given = p.number(int64_t(*p.host.asFloat(given.host)));
  Value number = p.convert(given, dtype, range);
  if (!number || shape.empty())
    return number;
  return p.broadcast(number, shape, range);
}

Value full(Program &p, const Arguments &args) {
  auto shape = p.expectShape(args[0]);
  std::optional<DType> dtype = shape ? p.expectDType(args[2]) : std::nullopt;
  Value value = dtype ? p.expectValue(args, 1) : Value();
  if (!value)
    return {};
  if (isTensor(value)) {
    if (typeOf(value).getNumElements() != 1)
      return p.fail(args[1].range, "ValueError", "only accepts size-1 tensor");
    return p.broadcast(p.convert(p.reshape(value, {1}, args.range), *dtype, args.range), *shape, args.range);
  }
  return filled(p, *shape, value, *dtype, args.range);
}

Value zeros(Program &p, const Arguments &args) {
  auto shape = p.expectShape(args[0]);
  std::optional<DType> dtype = shape ? p.expectDType(args[1]) : std::nullopt;
  return dtype ? filled(p, *shape, p.number(0), *dtype, args.range) : Value();
}

Value zerosLike(Program &p, const Arguments &args) {
  Value value = p.expectValue(args, 0);
  return value ? filled(p, p.shapeOfAny(value), p.number(0), p.values.dtypeOf(value), args.range) : Value();
}

Value broadcastTo(Program &p, const Arguments &args) {
  Value value = p.expectValue(args, 0);
  auto shape = value ? p.restAsShape(args) : std::nullopt;
  if (!shape)
    return {};
  auto common = p.commonShape(p.shapeOfAny(value), *shape, args.range);
  if (!common)
    return {};
  if (*common != *shape)
    return p.fail(args.range, "ValueError",
                  "Cannot broadcast, the expanded size of the tensor " + formatShape(*shape) +
                      " must match the existing " + formatShape(p.shapeOfAny(value)));
  return p.broadcast(value, *shape, args.range);
}

Value broadcast(Program &p, const Arguments &args) {
  Value a = p.expectValue(args, 0), b = a ? p.expectValue(args, 1) : Value();
  auto shape = b ? p.commonShape(p.shapeOfAny(a), p.shapeOfAny(b), args.range) : std::nullopt;
  if (!shape)
    return {};
  if (shape->empty())
    return Value::ofSequence({a, b}, false);
  return Value::ofSequence({p.broadcast(a, *shape, args.range), p.broadcast(b, *shape, args.range)}, false);
}

Value expandDims(Program &p, const Arguments &args) {
  Value value = p.expectValue(args, 0);
  if (!value)
    return {};
  llvm::SmallVector<Value> items;
  if (args[1].value.isHost() && p.host.isInt(args[1].value.host))
    items.push_back(args[1].value);
  else if (!p.values.toSequence(args[1].value, items, args[1].range, "axes"))
    return {};
  Shape shape = p.shapeOfAny(value);
  int64_t rank = shape.size() + items.size();
  Shape axes;
  for (const Value &item : items) {
    auto axis = p.expectAxis({item, args[1].range}, rank);
    if (!axis)
      return {};
    axes.push_back(*axis);
  }
  llvm::sort(axes);
  for (int64_t axis : axes)
    shape.insert(shape.begin() + std::min<int64_t>(axis, shape.size()), 1);
  return isTensor(value) ? p.reshape(value, shape, args.range) : p.broadcast(value, shape, args.range);
}

static Value reshaped(Program &p, const Value &value, llvm::ArrayRef<int64_t> shape, const Range &range) {
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  if (!isTensor(value) && elements == 1)
    return p.broadcast(value, shape, range);
  if (!isTensor(value) || elements != typeOf(value).getNumElements())
    return p.fail(range, "ValueError",
                  "reshape() cannot change total number of elements in tensor: " + p.describe(value) + " to " +
                      formatShape(shape));
  return p.reshape(value, shape, range);
}

Value reshape(Program &p, const Arguments &args) {
  Value value = p.expectValue(args, 0);
  auto shape = value ? p.restAsShape(args) : std::nullopt;
  return shape ? reshaped(p, value, *shape, args.range) : Value();
}

Value ravel(Program &p, const Arguments &args) {
  Value value = p.expectTile(args, 0);
  return value ? p.reshape(value, {typeOf(value).getNumElements()}, args.range) : Value();
}

Value permute(Program &p, const Arguments &args) {
  Value value = p.expectTile(args, 0);
  if (!value)
    return {};
  llvm::SmallVector<Value> items;
  if (args.rest.size() == 1 && !p.values.isNumeric(args.rest[0].value)) {
    if (!p.values.toSequence(args.rest[0].value, items, args.rest[0].range, "axes"))
      return {};
  } else {
    for (const Argument &argument : args.rest)
      items.push_back(argument.value);
  }
  int64_t rank = typeOf(value).getRank();
  Shape axes;
  for (const Value &item : items) {
    auto axis = p.expectAxis({item, args.range}, rank);
    if (!axis)
      return {};
    axes.push_back(*axis);
  }
  Shape sorted = axes;
  llvm::sort(sorted);
  sorted.erase(llvm::unique(sorted), sorted.end());
  if (!axes.empty() && int64_t(sorted.size()) != rank)
    return p.fail(args.range, "ValueError",
                  "permute dims must be a permutation of 0, 1, ..., n-1, where n is the number of dims");
  return p.transpose(value, axes, args.range);
}

} // namespace tilesmith::frontend::triton
