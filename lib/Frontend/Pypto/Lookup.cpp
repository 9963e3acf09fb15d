// Elements and rows by their numbers: read from tensors, put into tensors, and written into arrays in place.
#include "Fractals.h"

#include <utility>

namespace tilesmith::frontend::pypto {

// An index as a tensor of INT32.
static Value indexArgument(Operator &o, const Argument &argument) {
  Value index = o.expectTensor(argument, "index");
  if (!index)
    return {};
  if (elementOf(index) != DType::I32 && elementOf(index) != DType::I64)
    return o.fail(argument.range, "TypeError", "the index must be of INT32 or INT64, not " + name(elementOf(index)));
  return o.cast(index, DType::I32, argument.range);
}

static std::optional<int64_t> axisArgument(Operator &o, const Argument &argument, const Value &x) {
  return o.expectAxis(argument, int64_t(x.items().size()));
}

static bool checkIndex(Operator &o, const Value &x, const Value &index, int64_t axis, const Range &range) {
  bool fits = shapeOf(x).size() == shapeOf(index).size();
  for (size_t i = 0; fits && i < shapeOf(x).size(); ++i)
    fits = int64_t(i) == axis || shapeOf(index)[i] <= shapeOf(x)[i];
  return fits || bool(o.fail(range, "ValueError",
                             "an index " + formatShape(shapeOf(index)) + " does not go with a tensor " +
                                 formatShape(shapeOf(x)),
                             "ranks must be equal, and beside the axis the index is no larger"));
}

Value gather(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input"), index = x ? indexArgument(o, args[2]) : Value();
  std::optional<int64_t> axis = index ? axisArgument(o, args[1], x) : std::nullopt;
  if (!axis || !checkIndex(o, x, index, *axis, args.range))
    return {};
  auto type = typeOf(index).withElementType(typeOf(x).getElementType());
  return o.makeTensor(
      graph::GatherOp::create(o.builder(), o.loc(args.range), type, x.ir, index.ir, *axis, o.vectorTile()),
      Extents(index.items()));
}

// The rows of an array as those of a matrix: [a, b, c] by its first axis, or by its first two.
static Value asMatrix(Operator &o, const Value &memory, size_t rowAxes, const Range &range) {
  Extents dims{o.number(1), o.number(1)};
  for (auto [i, dim] : llvm::enumerate(memory.items())) {
    Value &product = dims[i >= rowAxes];
    product = product ? o.l.operators.binary(ast::Operator::Mul, product, dim, range) : product;
  }
  return dims[0] && dims[1] ? o.reshaped(memory, dims, range) : Value();
}

// An index of any rank as one axis.
static Value flattened(Operator &o, const Value &index, const Range &range) {
  Shape shape{llvm::product_of(shapeOf(index))};
  return o.reshape(index, shape, shapeOf(index).size() == 1 ? Extents(index.items()) : o.fullExtents(shape), range);
}

// Of an array the rows are loaded one by one; of a computed tensor elements are fetched.
Value indexSelect(Operator &o, const Arguments &args) {
  Value array = o.expectArray(args[0], "input"), index = array ? indexArgument(o, args[2]) : Value();
  std::optional<int64_t> axis = index ? axisArgument(o, args[1], array) : std::nullopt;
  if (!axis)
    return {};
  const Range &range = args.range;
  if (shapeOf(index).size() > 2 || llvm::any_of(shapeOf(index), mlir::ShapedType::isDynamic))
    return o.fail(args[2].range, "ValueError", "the index of index_select has one or two axes of known size");
  Extents dims = o.dimsOf(array);
  Shape shape;
  Extents extents;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (int64_t(i) == *axis) {
      shape.append(shapeOf(index).begin(), shapeOf(index).end());
      extents.append(index.items().begin(), index.items().end());
      continue;
    }
    shape.push_back(o.known(dim).value_or(mlir::ShapedType::kDynamic));
    extents.push_back(array.items()[i]);
  }
  if (llvm::any_of(shape, mlir::ShapedType::isDynamic))
    return o.fail(args[0].range, "NotImplementedError",
                  "index_select beside axes whose size only the launch tells is not there yet");
  Value rows = flattened(o, index, range);
  if (*axis == 0 && isMemory(array) && dims.size() > 1 && array.dtype != DType::I1) {
    Value matrix = asMatrix(o, array, 1, range);
    if (!matrix)
      return {};
    Shape part{shapeOf(rows)[0], *o.known(matrix.items()[1])};
    Value made =
        o.makeTensor(graph::GatherRowsOp::create(o.builder(), o.loc(range), o.makeType(part, array.dtype), matrix.ir,
                                                 rows.ir, o.i32(o.number(0), range), o.vectorTile()),
                     {rows.items()[0], o.number(part[1])});
    return o.reshape(made, shape, extents, range);
  }
  Value x = o.read(array, range);
  Shape one(shapeOf(x).size(), 1), all(shapeOf(x));
  one[*axis] = all[*axis] = shapeOf(rows)[0];
  Extents single(one.size(), o.number(1));
  single[*axis] = rows.items()[0];
  Value where = o.expand(o.reshape(rows, one, single, range), all, range);
  auto type = typeOf(where).withElementType(typeOf(x).getElementType());
  Value made =
      o.makeTensor(graph::GatherOp::create(o.builder(), o.loc(range), type, x.ir, where.ir, *axis, o.vectorTile()),
                   Extents(where.items()));
  return o.reshape(made, shape, extents, range);
}

static Value scattered(Operator &o, const Value &x, int64_t axis, const Value &index, const Value &source,
                       const Range &range) {
  llvm::SmallVector<mlir::Value> valid;
  for (const Value &extent : index.items())
    valid.push_back(o.i32(extent, range));
  return o.makeTensor(graph::ScatterOp::create(o.builder(), o.loc(range), x.ir.getType(), source.ir, x.ir, index.ir,
                                               axis, valid, o.vectorTile()),
                      Extents(x.items()));
}

// Parts of the source are joined with what is there, one after the other along the axis, so that equal numbers meet all
// of them. The index has the shape of the source.
static Value joined(Operator &o, graph::BinaryKind kind, const Value &x, int64_t axis, const Value &index,
                    const Value &source, const Range &range) {
  Shape one(shapeOf(index));
  if (llvm::any_of(one, mlir::ShapedType::isDynamic))
    return o.fail(range, "NotImplementedError", "an index whose size only the launch tells is not there yet");
  int64_t count = std::exchange(one[axis], 1);
  Value total = o.makeTensor(x.ir, Extents(x.items()));
  for (int64_t i = 0; total && i < count; ++i) {
    llvm::SmallVector<Value> at(one.size(), o.number(0));
    at[axis] = o.number(i);
    Value part = o.view(source, one, at, std::nullopt, range), where = o.view(index, one, at, std::nullopt, range);
    if (!part || !where)
      return {};
    auto type = typeOf(where).withElementType(typeOf(total).getElementType());
    Value old =
        o.makeTensor(graph::GatherOp::create(o.builder(), o.loc(range), type, total.ir, where.ir, axis, o.vectorTile()),
                     Extents(where.items()));
    Value made = o.binary(kind, old, part, range);
    total = made ? scattered(o, total, axis, where, made, range) : Value();
  }
  return total;
}

Value scatter(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input"), index = x ? indexArgument(o, args[2]) : Value();
  std::optional<int64_t> axis = index ? axisArgument(o, args[1], x) : std::nullopt;
  Value source = axis ? o.operand(args[3], "src") : Value();
  if (!source || !checkIndex(o, x, index, *axis, args.range))
    return {};
  std::optional<graph::BinaryKind> joins;
  if (args[4] && !o.values.isNone(args[4].value)) {
    std::optional<std::string> name =
        args[4].value.isHost() ? o.host.asString(args[4].value.host) : std::optional<std::string>();
    if (name != "add" && name != "multiply")
      return o.fail(args[4].range, "ValueError",
                    "reduce must be \"add\", \"multiply\" or None, not " + o.describe(args[4].value));
    joins = name == "add" ? graph::BinaryKind::Add : graph::BinaryKind::Mul;
  }
  if (!isTensor(source))
    source = o.filled(shapeOf(index), source, elementOf(x), args.range);
  if (!source)
    return {};
  if (shapeOf(source) != shapeOf(index) || elementOf(source) != elementOf(x))
    return o.fail(args[3].range, "ValueError",
                  "src must have the shape of the index and the dtype of the input, not " + o.describe(source));
  return joins ? joined(o, *joins, x, *axis, index, source, args.range)
               : scattered(o, x, *axis, index, source, args.range);
}

Value scatterInPlace(Operator &o, const Arguments &args) {
  Value made = scatter(o, args);
  if (!made)
    return {};
  llvm::SmallVector<Value> origin(shapeOf(made).size(), o.number(0));
  return o.assemble(made, args[0].value, origin, args.range) ? args[0].value : Value();
}

// Rows of an array, whose numbers are given, in place.
static bool putRows(Operator &o, const Value &memory, size_t rowAxes, const Value &rows, const Value &source,
                    const Range &range) {
  if (!isMemory(memory))
    return bool(o.fail(range, "NotImplementedError", "only parameters can be written by index in place",
                       "pypto.scatter makes a tensor of a computed one"));
  Value matrix = asMatrix(o, memory, rowAxes, range);
  std::optional<int64_t> width = matrix ? o.known(matrix.items()[1]) : std::nullopt;
  if (!width || llvm::any_of(shapeOf(source), mlir::ShapedType::isDynamic))
    return bool(o.fail(range, "NotImplementedError", "rows of a size that only the launch tells are not there yet"));
  Shape shape{shapeOf(rows)[0], *width};
  if (elementOf(source) != memory.dtype || llvm::product_of(shapeOf(source)) != llvm::product_of(shape))
    return bool(o.fail(range, "ValueError",
                       o.describe(source) + " is not " + llvm::Twine(shape[0]) + " rows of " + o.describe(memory)));
  Value value = o.reshape(source, shape, o.fullExtents(shape), range);
  if (!mayWrite(o, matrix, range))
    return false;
  graph::ScatterRowsOp::create(o.builder(), o.loc(range), value.ir, matrix.ir, rows.ir, o.i32(rows.items()[0], range),
                               o.vectorTile());
  return true;
}

// The same, added to what is there.
static bool addRows(Operator &o, const Value &memory, size_t rowAxes, const Value &rows, const Value &source,
                    const Range &range) {
  if (!isMemory(memory))
    return bool(o.fail(range, "NotImplementedError", "only parameters can be written by index in place",
                       "pypto.index_add makes a tensor of a computed one"));
  Value matrix = asMatrix(o, memory, rowAxes, range), x = matrix ? o.read(matrix, range) : Value();
  if (!x)
    return false;
  if (llvm::any_of(shapeOf(x), mlir::ShapedType::isDynamic) ||
      llvm::any_of(shapeOf(source), mlir::ShapedType::isDynamic))
    return bool(o.fail(range, "NotImplementedError", "rows of a size that only the launch tells are not there yet"));
  Shape shape{shapeOf(rows)[0], shapeOf(x)[1]}, column{shape[0], 1};
  if (elementOf(source) != memory.dtype || llvm::product_of(shapeOf(source)) != llvm::product_of(shape))
    return bool(o.fail(range, "ValueError",
                       o.describe(source) + " is not " + llvm::Twine(shape[0]) + " rows of " + o.describe(memory)));
  Value where = o.expand(o.reshape(rows, column, {rows.items()[0], o.number(1)}, range), shape, range);
  Value sum =
      joined(o, graph::BinaryKind::Add, x, 0, where, o.reshape(source, shape, o.fullExtents(shape), range), range);
  return sum && o.assemble(sum, matrix, {o.number(0), o.number(0)}, range);
}

// (input, dim, index, source) of what goes into `into` along an axis; nothing, with an error, if they are not that.
struct Indexed {
  Value index, source;
  int64_t axis;
};
static std::optional<Indexed> indexed(Operator &o, const Value &into, const Arguments &args, llvm::StringRef source) {
  Value index = into ? indexArgument(o, args[2]) : Value();
  std::optional<int64_t> axis = index ? axisArgument(o, args[1], into) : std::nullopt;
  Value from = axis ? o.expectTensor(args[3], source) : Value();
  return from ? std::optional(Indexed{index, from, *axis}) : std::nullopt;
}

Value scatterUpdate(Operator &o, const Arguments &args) {
  Value memory = o.expectArray(args[0], "input");
  std::optional<Indexed> given = indexed(o, memory, args, "src");
  if (!given)
    return {};
  auto &[index, source, axis] = *given;
  size_t rank = memory.items().size();
  if ((rank != 2 && rank != 4) || axis != int64_t(rank) - 2)
    return o.fail(args.range, "ValueError",
                  "scatter_update writes rows of a cache [n, d] or [blocks, size, 1, d] along dim -2, not of " +
                      o.describe(memory));
  return putRows(o, memory, rank == 2 ? 1 : 3, flattened(o, index, args.range), source, args.range) ? memory : Value();
}

// One index of rows, or two of a matrix of rows.
Value indexPut(Operator &o, const Arguments &args) {
  Value memory = o.expectArray(args[0], "input");
  llvm::SmallVector<Value> items;
  if (!memory || !o.values.toSequence(args[1].value, items, args[1].range, "indices"))
    return {};
  Value source = o.expectTensor(args[2], "values");
  std::optional<bool> adds = source ? o.l.expect.boolean(args[3], false, "accumulate") : std::nullopt;
  if (!adds)
    return {};
  if (items.empty() || items.size() > memory.items().size() || (!*adds && items.size() == memory.items().size()))
    return o.fail(args[1].range, "NotImplementedError", "index_put_ of single elements is not there yet",
                  "give fewer indices than the tensor has axes");
  Value rows;
  for (auto [i, item] : llvm::enumerate(items)) {
    Value index = indexArgument(o, {item, args[1].range});
    if (!index)
      return {};
    if (rows) {
      rows = o.binary(graph::BinaryKind::Mul, rows, memory.items()[i], args.range);
      rows = rows ? o.binary(graph::BinaryKind::Add, rows, index, args.range) : Value();
    } else {
      rows = index;
    }
    if (!rows)
      return {};
  }
  rows = flattened(o, rows, args.range);
  bool done = *adds ? addRows(o, memory, items.size(), rows, source, args.range)
                    : putRows(o, memory, items.size(), rows, source, args.range);
  return done ? o.none() : Value();
}

// Rows of the source are added one after the other, so that equal numbers add up.
Value indexAdd(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  std::optional<Indexed> given = indexed(o, x, args, "source");
  if (!given)
    return {};
  auto &[index, source, axis] = *given;
  const Range &range = args.range;
  Shape one(shapeOf(x));
  one[axis] = 1;
  if (shapeOf(index).size() != 1 || shapeOf(source).size() != one.size() ||
      shapeOf(source)[axis] != shapeOf(index)[0] || elementOf(source) != elementOf(x))
    return o.fail(range, "ValueError",
                  "index_add_ takes an index of one axis and as many parts of " + o.describe(x) + ", not " +
                      o.describe(source));
  if (args[4])
    source = o.binary(graph::BinaryKind::Mul, source, args[4].value, range);
  if (!source)
    return {};
  Shape rank(one.size(), 1), all(one);
  Extents single(one.size(), o.number(1));
  rank[axis] = all[axis] = shapeOf(index)[0];
  single[axis] = index.items()[0];
  Value where = o.expand(o.reshape(index, rank, single, range), all, range);
  Value total = joined(o, graph::BinaryKind::Add, x, axis, where, source, range);
  if (!total || !(args.name.ends_with("_") || args.name.ends_with("__ub")))
    return total;
  llvm::SmallVector<Value> origin(shapeOf(total).size(), o.number(0));
  return o.assemble(total, args[0].value, origin, range) ? args[0].value : Value();
}

// Every second or fourth element of a row.
Value gatherMask(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "self");
  std::optional<int64_t> mode = x ? o.l.expect.integer(args[1], "pattern_mode") : std::nullopt;
  if (!mode)
    return {};
  if (*mode < 1 || *mode > 7)
    return o.fail(args[1].range, "ValueError", "pattern_mode must be between 1 and 7, not " + llvm::Twine(*mode));
  const Range &range = args.range;
  Shape shape(shapeOf(x));
  int64_t step = *mode == 7 ? 1 : *mode < 3 ? 2 : 4, first = *mode == 7 ? 0 : *mode - (*mode < 3 ? 1 : 3);
  if (llvm::any_of(shape, mlir::ShapedType::isDynamic))
    return o.fail(args[0].range, "NotImplementedError",
                  "gathermask of a tensor whose size only the launch tells is not there yet");
  if (shape.back() % step)
    return o.fail(args[0].range, "ValueError",
                  "the last axis of " + o.describe(x) + " must be a multiple of " + llvm::Twine(step));
  shape.back() /= step;
  Extents extents(x.items());
  extents.back() = o.l.operators.binary(
      ast::Operator::FloorDiv, o.plus(extents.back(), o.number(step - 1 - first), range), o.number(step), range);
  Value place = o.iota(shape, int64_t(shape.size()) - 1, DType::I32, range);
  place = o.binary(graph::BinaryKind::Mul, place, o.number(step), range);
  place = place ? o.binary(graph::BinaryKind::Add, place, o.number(first), range) : Value();
  if (!place || !extents.back())
    return {};
  auto type = typeOf(place).withElementType(typeOf(x).getElementType());
  return o.makeTensor(graph::GatherOp::create(o.builder(), o.loc(range), type, x.ir, place.ir,
                                              int64_t(shape.size()) - 1, o.vectorTile()),
                      extents);
}

Value oneHot(Operator &o, const Arguments &args) {
  Value index = indexArgument(o, args[0]);
  std::optional<int64_t> count = index ? o.l.expect.integer(args[1], "num_classes") : std::nullopt;
  if (!count)
    return {};
  if (*count <= 0)
    return o.fail(args[1].range, "ValueError", "num_classes must be positive, not " + llvm::Twine(*count));
  Shape one(shapeOf(index)), shape(one);
  Extents extents(index.items());
  one.push_back(1), shape.push_back(*count), extents.push_back(o.number(1));
  Value place = o.iota(shape, int64_t(shape.size()) - 1, DType::I32, args.range);
  Value same = o.compare(tile::CompareKind::EQ, o.expand(o.reshape(index, one, extents, args.range), shape, args.range),
                         place, args.range);
  extents.back() = o.number(*count);
  return o.makeTensor(o.cast(same, DType::I64, args.range).ir, extents);
}

} // namespace tilesmith::frontend::pypto
