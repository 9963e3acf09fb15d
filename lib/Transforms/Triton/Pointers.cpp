#include "Pointers.h"

using namespace mlir;

namespace tilesmith::triton {

static tile::TileType typeOf(Value value) { return dyn_cast<tile::TileType>(value.getType()); }

Positions Reader::opaque(Value tile) {
  Positions result;
  result.strides.resize(typeOf(tile).getRank());
  result.rest.push_back({tile});
  return result;
}

// A tile or a number beside one.
Positions Reader::operand(Value value, ArrayRef<int64_t> shape) {
  if (typeOf(value))
    return positions(value);
  Positions result;
  result.start = Int(value);
  result.strides.resize(shape.size());
  return result;
}

// Dimensions other than those of size 1 stay as they are and in order: for each of the result the operand's, or -1.
static std::optional<SmallVector<int64_t>> sameDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> dims;
  size_t next = 0;
  for (int64_t size : to) {
    if (size == 1) {
      dims.push_back(-1);
      continue;
    }
    while (next < from.size() && from[next] == 1)
      ++next;
    if (next == from.size() || from[next] != size)
      return std::nullopt;
    dims.push_back(next++);
  }
  return std::all_of(from.begin() + std::min(next, from.size()), from.end(), [](int64_t size) { return size == 1; })
             ? std::optional(dims)
             : std::nullopt;
}

std::optional<Positions> Reader::reshaped(tile::ReshapeOp op) {
  tile::TileType from = typeOf(op.getOperand()), to = op.getType();
  Positions inner = positions(op.getOperand());
  Positions result;
  result.start = inner.start;
  result.strides.resize(to.getRank());
  if (inner.isUniform())
    return result;
  auto dims = sameDims(from.getShape(), to.getShape());
  if (!dims)
    return std::nullopt;
  for (auto [i, dim] : llvm::enumerate(*dims))
    if (dim >= 0)
      result.strides[i] = inner.strides[dim];
  for (const Rest &rest : inner.rest) {
    SmallVector<int64_t> shape;
    for (int64_t dim : *dims)
      shape.push_back(dim < 0 ? 1 : typeOf(rest.tile).getShape()[dim]);
    result.rest.push_back(
        {tile::ReshapeOp::create(n.b, n.loc, typeOf(rest.tile).withShape(shape), rest.tile), rest.scale});
  }
  return result;
}

Positions Reader::sum(Value lhs, Value rhs, ArrayRef<int64_t> shape, bool minus) {
  Positions a = operand(lhs, shape), b = operand(rhs, shape);
  Positions result = a;
  result.start = minus ? n.sub(a.start, b.start) : n.add(a.start, b.start);
  for (auto [mine, other] : llvm::zip_equal(result.strides, b.strides))
    mine = minus ? n.sub(mine, other) : n.add(mine, other);
  for (Rest rest : b.rest) {
    if (minus)
      rest.scale = n.sub(Int(0), rest.scale);
    result.rest.push_back(rest);
  }
  return result;
}

Positions Reader::positions(Value tile) {
  tile::TileType type = typeOf(tile);
  Operation *op = tile.getDefiningOp();
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (!op || !element || element.getWidth() < 32 || element.isUnsigned())
    return opaque(tile);
  Positions result;
  result.strides.resize(type.getRank());
  if (auto splat = dyn_cast<tile::SplatOp>(op)) {
    result.start = Int(splat.getValue());
    return result;
  }
  if (llvm::isa<tile::ArangeOp>(op)) {
    int64_t stride = 1;
    for (int64_t dim = type.getRank(); dim-- > 0; stride *= type.getShape()[dim])
      result.strides[dim] = type.getShape()[dim] == 1 ? 0 : stride;
    return result;
  }
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
    std::optional<Positions> found = reshaped(reshape);
    return found ? *found : opaque(tile);
  }
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    Positions inner = positions(broadcast.getOperand());
    ArrayRef<int64_t> from = typeOf(broadcast.getOperand()).getShape();
    size_t grown = type.getRank() - from.size();
    result.start = inner.start;
    for (size_t i = 0; i < from.size(); ++i)
      result.strides[grown + i] = from[i] == 1 ? Int(0) : inner.strides[i];
    for (const Rest &rest : inner.rest) {
      SmallVector<int64_t> shape(grown, 1);
      llvm::append_range(shape, typeOf(rest.tile).getShape());
      Value wider = rest.tile;
      if (grown)
        wider = tile::ReshapeOp::create(n.b, n.loc, typeOf(rest.tile).withShape(shape), rest.tile);
      result.rest.push_back({wider, rest.scale});
    }
    return result;
  }
  if (auto transpose = dyn_cast<tile::TransposeOp>(op)) {
    Positions inner = positions(transpose.getOperand());
    result.start = inner.start;
    for (auto [i, axis] : llvm::enumerate(transpose.getAxes()))
      result.strides[i] = inner.strides[axis];
    for (const Rest &rest : inner.rest) {
      SmallVector<int64_t> shape;
      for (int64_t axis : transpose.getAxes())
        shape.push_back(typeOf(rest.tile).getShape()[axis]);
      result.rest.push_back(
          {tile::TransposeOp::create(n.b, n.loc, typeOf(rest.tile).withShape(shape), rest.tile, transpose.getAxes()),
           rest.scale});
    }
    return result;
  }
  if (auto cast = dyn_cast<tile::CastOp>(op)) {
    auto from = dyn_cast<IntegerType>(typeOf(cast.getOperand()).getElementType());
    if (from && from.getWidth() >= 32 && !from.isUnsigned())
      return positions(cast.getOperand());
    return opaque(tile);
  }
  if (auto unary = dyn_cast<tile::UnaryOp>(op); unary && unary.getKind() == tile::UnaryKind::Neg) {
    Positions inner = positions(unary.getOperand());
    result.start = n.sub(Int(0), inner.start);
    for (auto [mine, other] : llvm::zip_equal(result.strides, inner.strides))
      mine = n.sub(Int(0), other);
    for (Rest rest : inner.rest)
      result.rest.push_back({rest.tile, n.sub(Int(0), rest.scale)});
    return result;
  }
  auto binary = dyn_cast<tile::BinaryOp>(op);
  if (!binary)
    return opaque(tile);
  if (binary.getKind() == tile::BinaryKind::Add || binary.getKind() == tile::BinaryKind::Sub)
    return sum(binary.getLhs(), binary.getRhs(), type.getShape(), binary.getKind() == tile::BinaryKind::Sub);
  if (binary.getKind() == tile::BinaryKind::Mul) {
    Positions a = operand(binary.getLhs(), type.getShape()), b = operand(binary.getRhs(), type.getShape());
    if (!b.isUniform())
      std::swap(a, b);
    if (!b.isUniform())
      return opaque(tile);
    a.start = n.mul(a.start, b.start);
    for (Int &stride : a.strides)
      stride = n.mul(stride, b.start);
    for (Rest &rest : a.rest)
      rest.scale = n.mul(rest.scale, b.start);
    return a;
  }
  return opaque(tile);
}

// Masks -------------------------------------------------------------------------------------------------------------

// One comparison as an interval of the only dimension its sides differ along, or as a condition. `dims`: the dimension
// of the whole mask each one of the comparison is; -1: none, it is repeated.
bool Reader::addComparison(Choice &into, tile::CompareOp op, ArrayRef<int64_t> dims) {
  tile::TileType type = typeOf(op.getLhs());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (!element || element.isUnsigned() || element.getWidth() < 32)
    return false;
  Positions lhs = positions(op.getLhs()), rhs = operand(op.getRhs(), type.getShape());
  if (!lhs.rest.empty() || !rhs.rest.empty())
    return false;
  // lhs - rhs is distance + stride * i.
  int64_t along = -1;
  Int stride = 0;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Int difference = n.sub(lhs.strides[dim], rhs.strides[dim]);
    if (difference.is(0) || type.getShape()[dim] == 1)
      continue;
    if (along >= 0 || !difference.isKnown())
      return false;
    along = dim, stride = difference;
  }
  tile::CompareKind kind = op.getKind();
  if (along < 0) {
    using Predicate = arith::CmpIPredicate;
    static constexpr Predicate predicates[] = {Predicate::slt, Predicate::sgt, Predicate::eq,
                                               Predicate::sle, Predicate::sge, Predicate::ne};
    Value holds = n.compare(predicates[unsigned(kind)], lhs.start, rhs.start);
    into.condition = into.condition ? arith::AndIOp::create(n.b, n.loc, into.condition, holds).getResult() : holds;
    return true;
  }
  if (dims[along] < 0 || kind == tile::CompareKind::EQ || kind == tile::CompareKind::NE)
    return false;
  Int distance = n.sub(n.wide(rhs.start), n.wide(lhs.start)); // stride * i  op  distance
  int64_t step = stride.number, size = type.getShape()[along];
  if (step < 0) {
    step = -step;
    distance = n.sub(Int(0), distance);
    kind = kind == tile::CompareKind::LT   ? tile::CompareKind::GT
           : kind == tile::CompareKind::GT ? tile::CompareKind::LT
           : kind == tile::CompareKind::LE ? tile::CompareKind::GE
                                           : tile::CompareKind::LE;
  }
  // The first i with step * i >= x, between 0 and the size.
  auto first = [&](Int x) {
    if (step == 1)
      return n.clamp(x, size);
    Int inside = n.min(n.max(x, Int(0)), Int(size * step));
    if (inside.isKnown())
      return Int((inside.number + step - 1) / step);
    Value quotient = arith::DivSIOp::create(n.b, n.loc, n.ir(n.add(inside, Int(step - 1)), 64), n.ir(Int(step), 64));
    return n.clamp(Int(quotient), size);
  };
  Choice::Interval &interval = into.intervals[dims[along]];
  interval.bounded = true;
  switch (kind) {
  case tile::CompareKind::LT:
    interval.high = n.min(interval.high, first(distance));
    break;
  case tile::CompareKind::LE:
    interval.high = n.min(interval.high, first(n.add(distance, Int(1))));
    break;
  case tile::CompareKind::GE:
    interval.low = n.max(interval.low, first(distance));
    break;
  default:
    interval.low = n.max(interval.low, first(n.add(distance, Int(1))));
  }
  return true;
}

// `dims`: the dimension of the whole mask each one of this part is; -1: none, along it the part is repeated.
void Reader::collect(Choice &into, Value mask, SmallVector<int64_t> dims) {
  Operation *op = mask.getDefiningOp();
  if (auto binary = dyn_cast_or_null<tile::BinaryOp>(op); binary && binary.getKind() == tile::BinaryKind::And) {
    if (typeOf(binary.getLhs()) && typeOf(binary.getRhs())) {
      collect(into, binary.getLhs(), dims);
      collect(into, binary.getRhs(), dims);
      return;
    }
  }
  if (auto splat = dyn_cast_or_null<tile::SplatOp>(op)) {
    Value holds = splat.getValue();
    if (matchPattern(holds, m_One()))
      return;
    into.condition = into.condition ? arith::AndIOp::create(n.b, n.loc, into.condition, holds).getResult() : holds;
    return;
  }
  if (auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op)) {
    ArrayRef<int64_t> from = typeOf(broadcast.getOperand()).getShape(), to = broadcast.getType().getShape();
    SmallVector<int64_t> inner(dims.begin() + (to.size() - from.size()), dims.end());
    for (auto [dim, size] : llvm::zip_equal(inner, from))
      dim = size == 1 ? -1 : dim;
    return collect(into, broadcast.getOperand(), inner);
  }
  if (auto reshape = dyn_cast_or_null<tile::ReshapeOp>(op)) {
    ArrayRef<int64_t> from = typeOf(reshape.getOperand()).getShape(), to = reshape.getType().getShape();
    if (auto same = sameDims(from, to)) {
      SmallVector<int64_t> inner(from.size(), -1);
      for (auto [i, dim] : llvm::enumerate(*same))
        if (dim >= 0)
          inner[dim] = dims[i];
      return collect(into, reshape.getOperand(), inner);
    }
  }
  if (auto transpose = dyn_cast_or_null<tile::TransposeOp>(op)) {
    SmallVector<int64_t> inner(dims.size());
    for (auto [i, axis] : llvm::enumerate(transpose.getAxes()))
      inner[axis] = dims[i];
    return collect(into, transpose.getOperand(), inner);
  }
  if (auto compare = dyn_cast_or_null<tile::CompareOp>(op))
    if (addComparison(into, compare, dims))
      return;
  // Not described: a tile of the whole mask's rank, whose axes stand where they belong.
  size_t rank = into.intervals.size();
  SmallVector<int64_t> shape(rank, 1), order;
  ArrayRef<int64_t> own = typeOf(mask).getShape();
  for (auto [dim, size] : llvm::zip_equal(dims, own))
    if (dim >= 0)
      shape[dim] = size;
  bool sorted = true;
  int64_t last = -1;
  for (int64_t dim : dims)
    if (dim >= 0)
      sorted &= dim > last, last = dim;
  Value tile = mask;
  if (!sorted) {
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, dims.size())), turned;
    llvm::sort(axes, [&](int64_t a, int64_t b) { return std::pair(dims[a], a) < std::pair(dims[b], b); });
    for (int64_t axis : axes)
      turned.push_back(own[axis]);
    tile = tile::TransposeOp::create(n.b, n.loc, typeOf(mask).withShape(turned), mask, axes);
  }
  if (typeOf(tile).getShape() != ArrayRef<int64_t>(shape))
    tile = tile::ReshapeOp::create(n.b, n.loc, typeOf(mask).withShape(shape), tile);
  into.rest.push_back({tile});
}

Choice Reader::choice(Value mask, ArrayRef<int64_t> shape) {
  Choice result;
  for (int64_t size : shape)
    result.intervals.push_back({Int(0), Int(size)});
  if (mask)
    collect(result, mask, llvm::to_vector(llvm::seq<int64_t>(0, shape.size())));
  return result;
}

} // namespace tilesmith::triton
