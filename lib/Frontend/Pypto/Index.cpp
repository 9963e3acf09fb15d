// Items of tensors: slices that are views, numbers that are read and written one by one, and assignments.
#include "Fractals.h"
#include "tilesmith/Dialect/Graph/Sum.h"

namespace tilesmith::frontend::pypto {

// How far two numbers are apart, if that does not depend on the launch.
static std::optional<int64_t> distance(Operator &o, const Value &from, const Value &to, const Range &range) {
  std::optional<int64_t> a = o.known(from), b = o.known(to);
  if (a && b)
    return *b - *a;
  graph::Sum sum = graph::Sum::of(o.i32(to, range));
  sum.add(graph::Sum::of(o.i32(from, range)), -1);
  return sum.terms.empty() ? std::optional(sum.constant) : std::nullopt;
}

// A negative position counts from the end.
static Value position(Operator &o, const Value &given, const Value &dim, const Range &range) {
  std::optional<int64_t> at = o.known(given);
  return at && *at < 0 ? o.plus(dim, given, range) : given;
}

static bool isEllipsis(Operator &o, const Value &item) {
  return item.isHost() && o.host.typeName(item.host) == "ellipsis";
}
static bool isSlice(Operator &o, const Value &item) {
  return item.is(frontend::kinds::slice) || (item.isHost() && o.host.typeName(item.host) == "slice");
}

// lower, upper and step of a slice.
static llvm::SmallVector<Value, 3> boundsOf(Operator &o, const Value &slice) {
  if (slice.is(frontend::kinds::slice))
    return llvm::SmallVector<Value, 3>(slice.items());
  llvm::SmallVector<Value, 3> bounds;
  for (const char *name : {"start", "stop", "step"})
    bounds.push_back(Value::ofHost(o.host.getAttr(slice.host, name)));
  return bounds;
}

static std::optional<Piece> pieceOf(Operator &o, const Value &item, const Value &dim, bool isWrite,
                                    const Range &range) {
  Piece piece;
  if (!isSlice(o, item)) {
    if (!o.values.isInteger(item)) {
      o.fail(range, "TypeError", "an index must be an integer or a slice, not " + o.describe(item));
      return std::nullopt;
    }
    piece.start = position(o, item, dim, range);
    piece.size = 1;
    piece.drops = true;
    return piece.start ? std::optional(piece) : std::nullopt;
  }
  llvm::SmallVector<Value, 3> bounds = boundsOf(o, item);
  if (!o.values.isNone(bounds[2]) && o.known(bounds[2]) != 1) {
    o.fail(range, "FeError", "step must be 1 or None");
    return std::nullopt;
  }
  bool fromBegin = o.values.isNone(bounds[0]), toEnd = o.values.isNone(bounds[1]);
  for (int i : {0, 1})
    if (!(i ? toEnd : fromBegin) && !o.values.isInteger(bounds[i])) {
      o.fail(range, isArray(bounds[i]) ? "NotImplementedError" : "TypeError",
             "a slice goes from integer to integer, not " + o.describe(bounds[i]));
      return std::nullopt;
    }
  piece.start = fromBegin ? o.number(0) : position(o, bounds[0], dim, range);
  Value stop = toEnd ? dim : position(o, bounds[1], dim, range);
  if (!piece.start || !stop)
    return std::nullopt;
  piece.size = distance(o, piece.start, stop, range);
  if (std::optional<int64_t> all = o.known(dim); all && !toEnd && o.known(stop) && o.known(piece.start))
    piece.size = std::min(*o.known(stop), *all) - *o.known(piece.start);
  if (!piece.size && toEnd && o.known(piece.start) == 0)
    piece.size = mlir::ShapedType::kDynamic;
  if (fromBegin && !toEnd && isWrite) {
    piece.start = Value(); // the size of what is written is not known here
    piece.stop = stop;
  }
  if (piece.size && (isWrite || *piece.size > 0 || mlir::ShapedType::isDynamic(*piece.size)))
    return piece;
  if (isWrite)
    return piece;
  o.fail(range, "ValueError", piece.size ? "the slice is empty" : "the size of a slice must be known while compiling",
         piece.size ? "" : "write t[i * size : (i + 1) * size], or pypto.view(t, [size], [i * size])");
  return std::nullopt;
}

std::optional<llvm::SmallVector<Piece>> piecesOf(Operator &o, const Value &array, const Value &index, bool isWrite,
                                                 const Range &range) {
  llvm::SmallVector<Value> items;
  bool isTuple = index.isSequence() || (index.isHost() && o.host.isSequence(index.host));
  if (isTuple) {
    if (!o.values.toSequence(index, items, range, "an index"))
      return std::nullopt;
  } else {
    items.push_back(index);
  }
  size_t rank = array.items().size(),
         given = llvm::count_if(items, [&](const Value &item) { return !isEllipsis(o, item); });
  if (given > rank) {
    o.fail(range, "IndexError", llvm::Twine(given) + " indices for " + o.describe(array));
    return std::nullopt;
  }
  Value all = Value::ofSlice({o.none(), o.none(), o.none()});
  auto *rest = llvm::find_if(items, [&](const Value &item) { return isEllipsis(o, item); });
  if (rest == items.end()) {
    items.append(rank - given, all);
  } else {
    rest = items.erase(rest);
    items.insert(rest, rank - given, all);
  }
  llvm::SmallVector<Piece> pieces;
  for (auto [item, dim] : llvm::zip_equal(items, o.dimsOf(array))) {
    std::optional<Piece> piece = pieceOf(o, item, dim, isWrite, range);
    if (!piece)
      return std::nullopt;
    pieces.push_back(*piece);
  }
  return pieces;
}

// t[0:i] with a tensor i: what the slice's end names along the first axis; nothing: another index.
static Value indexTensor(Operator &o, const Value &index) {
  if (!isSlice(o, index) || !index.is(frontend::kinds::slice))
    return {};
  llvm::SmallVector<Value, 3> bounds = boundsOf(o, index);
  Value stop = o.values.read(bounds[1]);
  bool fromBegin = o.values.isNone(bounds[0]) || o.known(bounds[0]) == 0;
  return fromBegin && o.values.isNone(bounds[2]) && isArray(stop) ? stop : Value();
}
static Value call(Operator &o, llvm::StringRef name, llvm::ArrayRef<Value> operands, const Range &range) {
  CallSite site{range, {}, {}};
  for (const Value &operand : operands)
    site.positional.push_back({operand, range});
  return o.l.calls.callBuiltin(name, site);
}

Value readItem(Operator &o, const Value &array, const Value &index, const Range &range) {
  if (Value where = indexTensor(o, index))
    return call(o, where.items().size() == array.items().size() ? "pypto.gather" : "pypto.index_select",
                {array, o.number(0), where}, range);
  std::optional<llvm::SmallVector<Piece>> pieces = piecesOf(o, array, index, false, range);
  if (!pieces)
    return {};
  Shape shape, kept;
  llvm::SmallVector<Value> offsets;
  for (const Piece &piece : *pieces) {
    shape.push_back(*piece.size);
    offsets.push_back(piece.start);
    if (!piece.drops)
      kept.push_back(*piece.size);
  }
  if (kept.empty()) {
    if (!isMemory(array) || (array.dtype != DType::I32 && array.dtype != DType::I64))
      return o.fail(range, "TypeError", "one element can be read of a parameter of INT32, not of " + o.describe(array));
    llvm::SmallVector<mlir::Value> at;
    for (const Value &offset : offsets)
      at.push_back(o.i32(offset, range));
    mlir::Value read = tile::GetOp::create(o.builder(), o.loc(range), o.l.ir.type(array.dtype), array.ir, at);
    return Value::ofScalar(o.scalars.cast(read, array.dtype, DType::I32, range), DType::I32);
  }
  Value part = o.view(array, shape, offsets, std::nullopt, range);
  if (!part || kept.size() == shape.size())
    return part;
  Extents extents;
  for (auto [piece, extent] : llvm::zip_equal(*pieces, part.items()))
    if (!piece.drops)
      extents.push_back(extent);
  return o.reshape(part, kept, extents, range);
}

bool writeItem(Operator &o, const Value &memory, const Value &index, const Value &given, const Range &range) {
  if (Value where = indexTensor(o, index)) {
    bool isSame = where.items().size() == memory.items().size();
    return bool(isSame ? call(o, "pypto.scatter_", {memory, o.number(0), where, given}, range)
                       : call(o, "pypto.index_put_", {memory, Value::ofSequence({where}, false), given}, range));
  }
  std::optional<llvm::SmallVector<Piece>> pieces = piecesOf(o, memory, index, true, range);
  if (!pieces)
    return false;
  bool isElement = llvm::all_of(*pieces, [](const Piece &piece) { return piece.drops; });
  Value value = o.values.read(given);
  if (value.is(kinds::memory) && value.ir == memory.ir &&
      llvm::none_of(*pieces, [](const Piece &piece) { return piece.drops; }))
    return true; // what was written in place
  if (isElement && o.values.isNumeric(value)) {
    if (!mayWrite(o, memory, range))
      return false;
    mlir::Value number = o.scalars.convert(value, memory.dtype, range);
    llvm::SmallVector<mlir::Value> at;
    for (const Piece &piece : *pieces)
      at.push_back(o.i32(piece.start, range));
    if (number)
      tile::SetOp::create(o.builder(), o.loc(range), number, memory.ir, at);
    return bool(number);
  }
  if (!isArray(value))
    return bool(o.fail(range, "TypeError", "what is written into a tensor must be one, not " + o.describe(value),
                       "pypto.full(shape, number, dtype) makes one"));
  value = o.read(value, range);
  if (!value)
    return false;
  size_t kept = llvm::count_if(*pieces, [](const Piece &piece) { return !piece.drops; });
  if (kept == shapeOf(value).size() && kept != pieces->size()) {
    Shape shape;
    Extents extents;
    size_t next = 0;
    for (const Piece &piece : *pieces) {
      shape.push_back(piece.drops ? 1 : shapeOf(value)[next]);
      extents.push_back(piece.drops ? o.number(1) : value.items()[next]);
      next += !piece.drops;
    }
    value = o.reshape(value, shape, extents, range);
  }
  if (shapeOf(value).size() != pieces->size())
    return bool(o.fail(range, "ValueError",
                       "a tensor of rank " + llvm::Twine(shapeOf(value).size()) + " cannot be written into " +
                           llvm::Twine(kept) + " axes of " + o.describe(memory)));
  llvm::SmallVector<Value> offsets;
  for (auto [i, piece] : llvm::enumerate(*pieces)) {
    if (piece.start) {
      offsets.push_back(piece.start);
      continue;
    }
    offsets.push_back(o.minus(piece.stop, o.number(shapeOf(value)[i]), range));
    if (!offsets.back())
      return false;
  }
  return o.assemble(value, memory, offsets, range);
}

} // namespace tilesmith::frontend::pypto
