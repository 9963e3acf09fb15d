// Builtins about positions of elements: counting, other orders of axes, where an element stands, sorting, elements and
// rows by their numbers.
#include "Tensors.h"
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

//===- Counting
//-------------------------------------------------------------------------------------------------------===//

static Value ofNumber(Tiles &t, double number, bool isReal) {
  return isReal ? Value::ofHost(t.host.makeFloat(number)) : Value::ofHost(t.host.makeInt(int64_t(number)));
}

static Value arange(Tiles &t, const Arguments &args) {
  double bounds[3] = {0, 0, 1}; // start, stop, step
  bool isReal = false;
  for (int i : {0, 1, 2}) {
    if (!args[i])
      continue;
    const Value &bound = args[i].value;
    std::optional<double> real = bound.isHost() ? t.host.asFloat(bound.host) : std::nullopt;
    std::optional<int64_t> integer =
        bound.isHost() && t.host.isInt(bound.host) ? t.host.asInt(bound.host) : std::nullopt;
    if (!real && !integer)
      return t.fail(args[i].range, "TypeError",
                    "asc2.arange counts between numbers known while compiling, not " + t.describe(bound),
                    "count from 0 and add: asc2.arange(64) + start");
    bounds[i] = real ? *real : double(*integer);
    isReal |= bool(real);
  }
  auto [start, stop, step] = bounds;
  if (!args[1])
    stop = start, start = 0;
  std::optional<DType> dtype = args[3] ? t.l.expect.dtype(args[3], "dtype") : isReal ? DType::F32 : DType::I32;
  if (!dtype)
    return {};
  if (*dtype == DType::I1 || !isTileElement(*dtype))
    return t.fail(args[3].range, "RuntimeError", "asc2.arange cannot count in " + name(*dtype));
  double count = step != 0 ? std::ceil((stop - start) / step) : 0;
  if (!(count >= 1 && count <= double(int64_t(1) << 28)))
    return t.fail(args.range, "ValueError", "asc2.arange has no elements, or too many, between these bounds",
                  "a tile has at least one element");
  int64_t size = int64_t(count);
  if (!t.checkTileType(size, *dtype, args.range))
    return {};
  bool inFloats = isFloat(*dtype);
  if (isReal && !inFloats)
    return t.fail(args.range, "TypeError", "asc2.arange of fractions needs a float dtype, not " + name(*dtype));
  if (!inFloats) {
    double last = start + (count - 1) * step;
    double least = isUnsigned(*dtype) ? 0 : -std::ldexp(1.0, std::min(bitWidth(*dtype), 32u) - 1);
    double most = std::ldexp(1.0, std::min(bitWidth(*dtype), isUnsigned(*dtype) ? 31u : 32u) - !isUnsigned(*dtype)) - 1;
    if (std::min(start, last) < least || std::max(start, last) > most)
      return t.fail(args.range, "OverflowError", "the numbers of asc2.arange do not fit into " + name(*dtype));
  }
  DType counted = inFloats ? DType::F32 : DType::I32;
  Value tile = ofTile(tile::ArangeOp::create(t.builder(), t.loc(args.range), t.makeType(size, counted)));
  if (step != 1)
    tile = t.elementwise.binary(tile::BinaryKind::Mul, tile, ofNumber(t, step, inFloats), args.range);
  if (start != 0)
    tile = t.elementwise.binary(tile::BinaryKind::Add, tile, ofNumber(t, start, inFloats), args.range);
  return t.cast(tile, *dtype, args.range);
}

//===- Orders of axes
//-------------------------------------------------------------------------------------------------===//

Value transposed(Tiles &t, Value tile, llvm::ArrayRef<int64_t> given, const Range &range) {
  llvm::SmallVector<int64_t> axes(given), shape;
  int64_t rank = tileType(tile).getRank();
  if (axes.empty())
    for (int64_t axis = rank; axis-- > 0;)
      axes.push_back(axis);
  for (int64_t axis : axes)
    shape.push_back(shapeOf(tile)[axis]);
  if (llvm::is_sorted(axes))
    return tile;
  if (tileType(tile).getMemory() == isa::Memory::L0C)
    tile = t.toUB(tile, range);
  return ofTile(tile::TransposeOp::create(t.builder(), t.loc(range), tileType(tile).withShape(shape), tile.ir, axes));
}

// An axis counted from the front; nothing after an error.
static std::optional<int64_t> axisOf(Tiles &t, const Argument &argument, int64_t otherwise, const Value &tile,
                                     const Range &range) {
  int64_t rank = tileType(tile).getRank();
  std::optional<int64_t> axis = argument ? t.l.expect.integer(argument, "a dimension") : otherwise;
  if (!axis)
    return std::nullopt;
  if (*axis < -rank || *axis >= rank) {
    t.fail(range, "RuntimeError",
           "dimension " + llvm::Twine(*axis) + " is out of range for a tile " + formatShape(shapeOf(tile)));
    return std::nullopt;
  }
  return *axis < 0 ? *axis + rank : *axis;
}

static Value transpose(Tiles &t, const Arguments &args) {
  Value tile = t.expectTile(args, 0);
  auto axes = tile ? t.l.expect.integers(args.rest, "an axis") : std::nullopt;
  if (!axes)
    return {};
  int64_t rank = tileType(tile).getRank();
  llvm::SmallVector<bool> seen(rank);
  for (int64_t &axis : *axes) {
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank || seen[axis] || int64_t(axes->size()) != rank)
      return t.fail(args.range, "RuntimeError",
                    "asc2.transpose needs every axis of a tile " + formatShape(shapeOf(tile)) + " once, or none",
                    "x.transpose(1, 0) is x.T of a matrix");
    seen[axis] = true;
  }
  return transposed(t, tile, *axes, args.range);
}

//===- Where elements stand
//-------------------------------------------------------------------------------------------===//

// Refuses the results of comparisons; brings the rest to UB.
static Value expectNumbers(Tiles &t, const Arguments &args, unsigned index) {
  Value tile = t.expectTile(args, index);
  if (!tile)
    return {};
  if (elementType(tile) == DType::I1)
    return t.fail(args[index].range, "RuntimeError", args.name + " is not defined for the result of a comparison",
                  "select numbers first: asc2.where(mask, 1, 0)");
  return t.toUB(tile, args[index].range);
}

static Value reshaped(Tiles &t, const Value &tile, llvm::ArrayRef<int64_t> shape, const Range &range) {
  if (shapeOf(tile) == shape)
    return tile;
  return ofTile(tile::ReshapeOp::create(t.builder(), t.loc(range), tileType(tile).withShape(shape), tile.ir));
}

template <tile::ArgKind kind> static Value arg(Tiles &t, const Arguments &args) {
  Value input = expectNumbers(t, args, 0);
  std::optional<bool> keepDims = input ? t.l.expect.boolean(args[2], false, "keep_dims") : std::nullopt;
  if (!keepDims)
    return {};
  mlir::Location at = t.loc(args.range);
  bool ofAll = !args[1];
  if (ofAll && *keepDims)
    return t.fail(args[2].range, "RuntimeError", "keep_dims needs the dimension to look along");
  if (ofAll)
    input = reshaped(t, input, tileType(input).getNumElements(), args.range);
  std::optional<int64_t> axis = axisOf(t, args[1], 0, input, args.range);
  if (!axis)
    return {};
  llvm::SmallVector<int64_t> shape(shapeOf(input));
  shape[*axis] = 1;
  Value found = ofTile(tile::ArgOp::create(t.builder(), at, t.makeType(shape, DType::I32), kind, input.ir, *axis));
  if (ofAll)
    return Value::ofScalar(tile::ExtractOp::create(t.builder(), at, t.l.ir.type(DType::I32), found.ir), DType::I32);
  if (*keepDims)
    return found;
  shape.erase(shape.begin() + *axis);
  if (shape.empty())
    return t.fail(args.range, "RuntimeError", args.name + " along the only dimension leaves no shape",
                  "give no dimension for a number, or keep_dims=True");
  return reshaped(t, found, shape, args.range);
}

static Value cumsum(Tiles &t, const Arguments &args) {
  Value input = expectNumbers(t, args, 0);
  std::optional<int64_t> axis = input ? axisOf(t, args[1], -1, input, args.range) : std::nullopt;
  if (!axis)
    return {};
  return ofTile(tile::CumsumOp::create(t.builder(), t.loc(args.range), input.ir.getType(), input.ir, *axis));
}

//===- Sorting
//--------------------------------------------------------------------------------------------------------===//

// Values and positions, the first `count` of each row.
static Value sorted(Tiles &t, Value input, int64_t count, bool largestFirst, const Range &range, const Range &at) {
  DType dtype = elementType(input);
  // What the sorting unit compares: halves and floats. Smaller integers and bfloat16 are floats exactly.
  DType as = dtype == DType::F16 ? DType::F16 : DType::F32;
  if (!isFloat(dtype) && bitWidth(dtype) > 16)
    return t.fail(at, "NotImplementedError",
                  "sorting tiles of " + name(dtype) + " has no instruction: the chip sorts float16 and float32",
                  "numbers below 2**24 are exact in float32: .to(asc.float32)");
  Value keys = t.cast(input, as, range);
  if (!largestFirst)
    keys = t.elementwise.unary(tile::UnaryKind::Neg, keys, range);
  llvm::SmallVector<int64_t> shape(shapeOf(keys));
  shape.back() = count;
  auto op =
      tile::SortOp::create(t.builder(), t.loc(range), t.makeType(shape, as), t.makeType(shape, DType::I32), keys.ir);
  Value values = ofTile(op.getValues());
  if (!largestFirst)
    values = t.elementwise.unary(tile::UnaryKind::Neg, values, range);
  Value pair[] = {t.cast(values, dtype, range), ofTile(op.getPositions())};
  return Value::ofSequence(pair, false);
}

static Value sort(Tiles &t, const Arguments &args) {
  Value input = expectNumbers(t, args, 0);
  std::optional<bool> descending = input ? t.l.expect.boolean(args[1], false, "descending") : std::nullopt;
  return descending ? sorted(t, input, shapeOf(input).back(), *descending, args.range, args[0].range) : Value();
}

static Value topk(Tiles &t, const Arguments &args) {
  Value input = expectNumbers(t, args, 0);
  std::optional<int64_t> count = input ? t.l.expect.integer(args[1], "k") : std::nullopt;
  std::optional<bool> largest = count ? t.l.expect.boolean(args[2], true, "largest") : std::nullopt;
  if (!largest)
    return {};
  if (*count < 1 || *count > shapeOf(input).back())
    return t.fail(args[1].range, "ValueError",
                  "asc2.topk takes 1 to " + llvm::Twine(shapeOf(input).back()) + " elements of a row of a tile " +
                      formatShape(shapeOf(input)) + ", not " + llvm::Twine(*count));
  return sorted(t, input, *count, *largest, args.range, args[0].range);
}

//===- By position
//----------------------------------------------------------------------------------------------------===//

static Value expectIndex(Tiles &t, const Arguments &args, unsigned index) {
  Value tile = t.expectTile(args, index);
  if (!tile)
    return {};
  if (!isInteger(elementType(tile)) || elementType(tile) == DType::I1)
    return t.fail(args[index].range, "TypeError", "positions must be a tile of integers, not " + t.describe(tile),
                  "convert it: .to(asc.int32)");
  return t.cast(t.toUB(tile, args[index].range), DType::I32, args[index].range);
}

// Row-major positions in a tile of this shape, of elements that `index` names along one axis; -1 where it leaves it.
static Value flatIndex(Tiles &t, Value index, llvm::ArrayRef<int64_t> shape, int64_t axis, const Range &range) {
  Elementwise &e = t.elementwise;
  auto number = [&](int64_t value) { return t.number(value); };
  Value inside = e.binary(tile::BinaryKind::And, e.compare(tile::CompareKind::GE, index, number(0), range),
                          e.compare(tile::CompareKind::LT, index, number(shape[axis]), range), range);
  int64_t stride = 1;
  Value flat;
  for (int64_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    Value at = index;
    if (d != axis) {
      if (shapeOf(index)[d] == 1)
        continue;
      llvm::SmallVector<int64_t> along(shape.size(), 1);
      along[d] = shapeOf(index)[d];
      at = ofTile(tile::ArangeOp::create(t.builder(), t.loc(range), t.makeType(along, DType::I32)));
    }
    if (stride != 1)
      at = e.binary(tile::BinaryKind::Mul, at, number(stride), range);
    flat = flat ? e.binary(tile::BinaryKind::Add, flat, at, range) : at;
  }
  mlir::Value outside = t.l.ir.i32(-1, range);
  return ofTile(tile::SelectOp::create(t.builder(), t.loc(range), tileType(index), inside.ir, flat.ir, outside));
}

// Positions of gather and scatter along `dim`, which may be left out: then they count in the whole tile.
static Value positions(Tiles &t, const Arguments &args, const Value &tile, const Value &index, const Argument &dim) {
  if (!dim)
    return index;
  std::optional<int64_t> axis = axisOf(t, dim, 0, tile, dim.range);
  if (!axis)
    return {};
  llvm::ArrayRef<int64_t> shape = shapeOf(tile), own = shapeOf(index);
  bool fits = shape.size() == own.size();
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = int64_t(i) == *axis || own[i] <= shape[i];
  if (!fits)
    return t.fail(args.range, "RuntimeError",
                  args.name + " along dimension " + llvm::Twine(*axis) + " of a tile " + formatShape(shape) +
                      " needs positions of as many dimensions, none longer but that one, not " + formatShape(own));
  return flatIndex(t, index, shape, *axis, args.range);
}

static Value gather(Tiles &t, const Arguments &args) {
  Value input = expectNumbers(t, args, 0);
  Value index = input ? expectIndex(t, args, 1) : Value();
  index = index ? positions(t, args, input, index, args[2]) : Value();
  if (!index)
    return {};
  auto type = t.makeType(shapeOf(index), elementType(input));
  return t.masks.apply(ofTile(tile::GatherOp::create(t.builder(), t.loc(args.range), type, input.ir, index.ir)),
                       args.range);
}

static Value scatter(Tiles &t, const Arguments &args) {
  Value input = expectNumbers(t, args, 0);
  Value index = input ? expectIndex(t, args, 1) : Value();
  Value source = index ? expectNumbers(t, args, 2) : Value();
  if (!source)
    return {};
  if (elementType(source) != elementType(input) || shapeOf(source) != shapeOf(index))
    return t.fail(args[2].range, "RuntimeError",
                  "asc2.scatter puts " + t.describe(source) + " at the positions " + formatShape(shapeOf(index)) +
                      " of " + t.describe(input),
                  "source has the shape of the positions and the dtype of the input");
  index = positions(t, args, input, index, args[3]);
  if (!index)
    return {};
  return ofTile(
      tile::ScatterOp::create(t.builder(), t.loc(args.range), input.ir.getType(), source.ir, input.ir, index.ir));
}

// The matrix and the row numbers of load_rows and store_rows.
static bool checkRows(Tiles &t, const Value &tensor, const Value &rows, const Argument &tensorAt,
                      const Argument &rowsAt) {
  const Layout &layout = Layout::of(tensor);
  if (tensor.items().size() != 2 || !layout.order.empty() || layout.hasUnit)
    return bool(t.fail(tensorAt.range, "RuntimeError",
                       "rows are taken from a tensor of 2 dimensions whose last one has stride 1, not of " +
                           llvm::Twine(tensor.items().size()) +
                           (tensor.items().size() == 2 ? " with other strides" : ""),
                       "describe the array as rows: asc2.tensor(pointer, [rows, columns])"));
  if (tileType(rows).getRank() != 1)
    return bool(t.fail(rowsAt.range, "RuntimeError",
                       "numbers of rows are a tile of 1 dimension, not " + t.describe(rows), "flatten it: .ravel()"));
  return true;
}

static mlir::Value columnOf(Tiles &t, const Argument &offset, const Range &range) {
  if (!offset)
    return t.l.ir.i32(0, range);
  if (!t.values.isNumeric(offset.value) || isFloat(t.values.dtypeOf(offset.value))) {
    t.fail(offset.range, "TypeError", "offset must be an integer, not " + t.describe(offset.value));
    return {};
  }
  return t.scalars.convert(offset.value, DType::I32, offset.range);
}

static Value loadRows(Tiles &t, const Arguments &args) {
  Value tensor = t.expectTensor(args, 0);
  Value rows = tensor ? expectIndex(t, args, 1) : Value();
  if (!rows || !checkRows(t, tensor, rows, args[0], args[1]))
    return {};
  std::optional<int64_t> columns = t.l.expect.integer(args[2], "the number of columns");
  if (!columns)
    return {};
  if (*columns < 1)
    return t.fail(args[2].range, "ValueError",
                  "asc2.load_rows loads at least one column, not " + llvm::Twine(*columns));
  llvm::SmallVector<int64_t> shape{shapeOf(rows)[0], *columns};
  if (!t.checkTileType(shape, tensor.dtype, args[2].range) || !t.checkAlignment(shape, tensor.dtype, args[2].range))
    return {};
  mlir::Value column = columnOf(t, args[3], args.range);
  Value pad = args[4] ? args[4].value : t.number(0);
  mlir::Value padding = column ? t.scalars.convert(pad, tensor.dtype, args[4] ? args[4].range : args.range) : column;
  if (!padding)
    return {};
  return ofTile(tile::GatherRowsOp::create(t.builder(), t.loc(args.range), t.makeType(shape, tensor.dtype), tensor.ir,
                                           rows.ir, column, padding));
}

static Value storeRows(Tiles &t, const Arguments &args) {
  Value value = expectNumbers(t, args, 0);
  Value tensor = value ? t.expectTensor(args, 1) : Value();
  Value rows = tensor ? expectIndex(t, args, 2) : Value();
  if (!rows || !checkRows(t, tensor, rows, args[1], args[2]))
    return {};
  if (elementType(value) != tensor.dtype)
    return t.fail(args[0].range, "RuntimeError",
                  "a tile of " + name(elementType(value)) + " cannot be stored into a tensor of " + name(tensor.dtype),
                  "convert it: .to(tensor.dtype)");
  if (tileType(value).getRank() != 2 || shapeOf(value)[0] != shapeOf(rows)[0])
    return t.fail(args[0].range, "RuntimeError",
                  "asc2.store_rows stores a row for each of " + llvm::Twine(shapeOf(rows)[0]) + " numbers, not " +
                      t.describe(value));
  if (t.masks.isActive())
    return t.fail(args.range, "NotImplementedError", "asc2.store_rows does not follow a mask",
                  "numbers of rows outside the tensor are skipped: asc2.where(mask, rows, -1)");
  if (!t.checkAlignment(shapeOf(value), tensor.dtype, args[0].range))
    return {};
  mlir::Value column = columnOf(t, args[3], args.range);
  if (!column)
    return {};
  tile::ScatterRowsOp::create(t.builder(), t.loc(args.range), value.ir, tensor.ir, rows.ir, column);
  return t.none();
}

llvm::ArrayRef<Builtin::Row> indexBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc2.arange", on<arange>},
      {"asc2.transpose", on<transpose>},
      {"asc2.argmax", on<arg<tile::ArgKind::Max>>},
      {"asc2.argmin", on<arg<tile::ArgKind::Min>>},
      {"asc2.cumsum", on<cumsum>},
      {"asc2.sort", on<sort>},
      {"asc2.topk", on<topk>},
      {"asc2.gather", on<gather>},
      {"asc2.scatter", on<scatter>},
      {"asc2.load_rows", on<loadRows>},
      {"asc2.store_rows", on<storeRows>},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
