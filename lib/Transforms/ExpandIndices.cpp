// Expand indices: operations about positions of elements become few that the chip has instructions for.
//
//  - a transpose of 16-bit squares stays; any other gathers its elements by positions computed in f32, which is exact
//  in
//    tiles that fit on the chip. Positions that do not change are computed once, before all loops, if they are few.
//    Transposed operands of matrix products stay too: products read them turned.
//  - where a largest or smallest element stands is the smallest position of those that equal it
//  - sums of beginnings are added row by row, so the axis is moved away from the end; a long column of few elements is
//  cut
//    into pieces that are added at the same time
//  - elements of 8 bits move as halves, those of 64 bits as pairs of 32
#include "Matrices.h"
#include "TileBuilder.h"
#include "tilesmith/Transforms/Remarks.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace tilesmith {
#define GEN_PASS_DEF_EXPANDINDICES
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using tile::BinaryKind;
using tile::CompareKind;
using tile::ReduceKind;

// Whether a transpose turns a matrix that is loaded for products alone, which read past it.
static bool turnsOperand(tile::TransposeOp op) {
  Value source = behindTurns(op.getResult()).first;
  return turnsMatrix(op) && !op->use_empty() && source.getDefiningOp<tile::LoadOp>() && feedsOnlyProducts(source);
}

namespace {
struct ExpandIndicesPass : tilesmith::impl::ExpandIndicesBase<ExpandIndicesPass> {
  using ExpandIndicesBase::ExpandIndicesBase;

  void runOnOperation() override {
    known.clear();
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) { found.push_back(op); });
    int64_t expanded = 0;
    for (Operation *op : found)
      expanded += expand(op);
    remark::analysis(getOperation().getLoc(), remarkOf(getArgument(), "operations"))
        << remark::metric("expanded", expanded);
  }

private:
  // Replaces the operation, if it is one to replace.
  bool expand(Operation *op) {
    OpBuilder b(op);
    TileBuilder t(b, op->getLoc());
    Value result;
    if (auto transpose = dyn_cast<tile::TransposeOp>(op)) {
      if (transpose.getType().getMemory() != isa::Memory::UB || turnsOperand(transpose))
        return false;
      result = transposed(t, transpose.getOperand(), transpose.getAxes());
    } else if (auto arg = dyn_cast<tile::ArgOp>(op)) {
      result = position(t, arg);
    } else if (auto sums = dyn_cast<tile::CumsumOp>(op)) {
      result = cumulated(t, sums.getOperand(), sums.getAxis());
    } else if (auto gather = dyn_cast<tile::GatherOp>(op)) {
      result = gathered(t, gather);
    }
    if (!result)
      return false;
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return true;
  }

  static Value i32(TileBuilder &t, int64_t number) {
    return arith::ConstantOp::create(t.b, t.loc, t.b.getI32IntegerAttr(number));
  }
  static Value arange(TileBuilder &t, Type element, ArrayRef<int64_t> shape) {
    auto type = tile::TileType::get(t.b.getContext(), shape, element, isa::Memory::UB);
    return tile::ArangeOp::create(t.b, t.loc, type);
  }
  // Rows `first` to `first + count - 1` of a tile of rows.
  static Value rows(TileBuilder &t, Value x, int64_t first, int64_t count) {
    SmallVector<int64_t> shape(tileTypeOf(x).getShape());
    if (count == shape[0])
      return x;
    shape[0] = count;
    SmallVector<Value> offsets(shape.size(), i32(t, 0));
    offsets[0] = i32(t, first);
    return tile::CopyOp::create(t.b, t.loc, tileTypeOf(x).withShape(shape), x, offsets);
  }

  //===- Transposes

  // The same order of axes without axes of size 1 and with neighbours that stay neighbours as one.
  struct Order {
    SmallVector<int64_t> shape; // of the operand
    SmallVector<int64_t> axes;
  };
  static Order simplified(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
    Order order;
    SmallVector<int64_t> kept; // axes of the operand, in the order of the result
    llvm::copy_if(axes, std::back_inserter(kept), [&](int64_t axis) { return shape[axis] != 1; });
    SmallVector<int64_t> place(shape.size(), -1);
    SmallVector<std::pair<int64_t, int64_t>> groups; // first axis of the operand, size
    auto next = [&](int64_t axis) {
      do
        ++axis;
      while (axis < int64_t(shape.size()) && shape[axis] == 1);
      return axis;
    };
    int64_t last = -1;
    for (int64_t axis : kept) {
      if (last >= 0 && next(last) == axis)
        groups.back().second *= shape[axis];
      else
        groups.push_back({axis, shape[axis]});
      last = axis;
    }
    SmallVector<unsigned> inOperand = llvm::to_vector(llvm::seq<unsigned>(0, groups.size()));
    llvm::sort(inOperand, [&](unsigned x, unsigned y) { return groups[x].first < groups[y].first; });
    order.axes.resize(groups.size());
    for (auto [operand, result] : llvm::enumerate(inOperand)) {
      order.shape.push_back(groups[result].second);
      order.axes[result] = operand;
    }
    return order;
  }

  Value transposed(TileBuilder &t, Value x, ArrayRef<int64_t> axes) {
    tile::TileType from = tileTypeOf(x);
    Type type = from.getElementType(), half = t.b.getF16Type(), i32Type = t.b.getI32Type();
    SmallVector<int64_t> shape;
    for (int64_t axis : axes)
      shape.push_back(from.getShape()[axis]);
    Order order = simplified(from.getShape(), axes);
    if (llvm::is_sorted(order.axes))
      return t.reshape(x, shape);
    if (type.isInteger(64)) {
      SmallVector<int64_t> pairs(order.shape), to = {};
      pairs.push_back(2);
      SmallVector<int64_t> withPairs(order.axes);
      withPairs.push_back(order.axes.size());
      Value halves = tile::BitcastOp::create(t.b, t.loc, from.withElementType(i32Type).withShape(pairs), x);
      return tile::BitcastOp::create(t.b, t.loc, from.withShape(shape), transposed(t, halves, withPairs));
    }
    if (type.isInteger(8) || type.isInteger(1))
      return t.cast(transposed(t, t.cast(x, half), axes), type);
    SmallVector<int64_t> to;
    for (int64_t axis : order.axes)
      to.push_back(order.shape[axis]);
    x = t.reshape(x, order.shape);
    size_t rank = to.size();
    bool swapsLast =
        rank <= 3 && order.axes[rank - 1] == int64_t(rank) - 2 && order.axes[rank - 2] == int64_t(rank) - 1;
    if (type.getIntOrFloatBitWidth() == 16 && swapsLast && to[rank - 1] % isa::fractalRows == 0 &&
        to[rank - 2] % isa::fractalRows == 0)
      return t.reshape(tile::TransposeOp::create(t.b, t.loc, tileTypeOf(x).withShape(to), x, order.axes).getResult(),
                       shape);
    Value index = positionsOf(t, order, to);
    return t.reshape(
        tile::GatherOp::create(t.b, t.loc, tileTypeOf(x).withShape(to), x, index, /*inside=*/true).getResult(), shape);
  }

  // Where in the operand each element of the result stands.
  Value positionsOf(TileBuilder &t, const Order &order, ArrayRef<int64_t> to) {
    static constexpr int64_t mostBytesKept = 32 * 1024;
    int64_t elements = 1;
    for (int64_t size : to)
      elements *= size;
    bool inLoop = false;
    for (Operation *at = t.b.getInsertionBlock()->getParentOp(); at; at = at->getParentOp())
      inLoop |= llvm::isa<LoopLikeOpInterface>(at);
    bool isKept = !inLoop || elements * 4 <= mostBytesKept;
    Value &index = known[{order.shape, order.axes}];
    if (index && isKept)
      return index;
    OpBuilder::InsertionGuard guard(t.b);
    if (isKept)
      t.b.setInsertionPointToStart(&getOperation().getBody().front());
    SmallVector<int64_t> strides(order.shape.size(), 1);
    for (size_t i = strides.size() - 1; i-- > 0;)
      strides[i] = strides[i + 1] * order.shape[i + 1];
    Value rest = arange(t, t.b.getF32Type(), to), sum;
    for (size_t i = to.size(); i-- > 0;) {
      Value digit = rest;
      if (i) { // the nearest float to the quotient is never rounded onto the next integer
        Value quotient = t.unary(tile::UnaryKind::Floor, t.mul(t.add(rest, 0.5), 1.0 / to[i]));
        digit = t.add(rest, t.mul(quotient, -double(to[i])));
        rest = quotient;
      }
      Value part = strides[order.axes[i]] == 1 ? digit : t.mul(digit, double(strides[order.axes[i]]));
      sum = sum ? t.add(sum, part) : part;
    }
    Value result = t.cast(sum, t.b.getI32Type());
    if (isKept)
      index = result;
    return result;
  }

  //===- Gather

  // Positions outside are looked up at 0, and what stands there is put away.
  Value gathered(TileBuilder &t, tile::GatherOp op) {
    Value x = op.getOperand(), index = op.getIndex();
    if (op.getInside())
      return gatheredInside(t, x, index);
    int64_t elements = tileTypeOf(x).getNumElements();
    Value inside = t.both(t.compare(CompareKind::GE, index, 0.0), t.compare(CompareKind::LT, index, double(elements)));
    index = t.select(inside, index, 0.0);
    Value found = gatheredInside(t, x, index);
    return t.select(inside, found ? found : gatherOf(t, x, index), 0.0);
  }
  // Null: the chip has an instruction.
  Value gatheredInside(TileBuilder &t, Value x, Value index) {
    Type type = elementTypeOf(x);
    ArrayRef<int64_t> shape = tileTypeOf(index).getShape();
    if (type.isInteger(8))
      return t.cast(gatherOf(t, t.cast(x, t.b.getF16Type()), index), type);
    if (!type.isInteger(64))
      return {};
    // Pairs of words.
    int64_t elements = tileTypeOf(x).getNumElements(), count = tileTypeOf(index).getNumElements();
    Type word = t.b.getI32Type();
    Value words = tile::BitcastOp::create(t.b, t.loc, tileTypeOf(x).withElementType(word).withShape({2 * elements}), x);
    Value at = t.broadcast(t.reshape(t.mul(index, 2.0), {count, 1}), {count, 2});
    at = t.add(at, t.broadcast(arange(t, word, {1, 2}), {count, 2}));
    return tile::BitcastOp::create(t.b, t.loc, tileTypeOf(x).withShape(shape), gatherOf(t, words, at));
  }
  static Value gatherOf(TileBuilder &t, Value x, Value index) {
    return tile::GatherOp::create(t.b, t.loc, tileTypeOf(x).withShape(tileTypeOf(index).getShape()), x, index,
                                  /*inside=*/true);
  }

  //===- Where the largest element stands

  Value position(TileBuilder &t, tile::ArgOp op) {
    Value x = op.getOperand();
    tile::TileType type = tileTypeOf(x);
    int64_t axis = op.getAxis(), size = type.getShape()[axis];
    ReduceKind kind = op.getKind() == tile::ArgKind::Max ? ReduceKind::Max : ReduceKind::Min;
    SmallVector<int64_t> one(type.getShape()), along(type.getRank(), 1);
    one[axis] = 1;
    along[axis] = size;
    Value best = t.broadcast(t.reduce(kind, x, {axis}, one), type.getShape());
    Value isBest = t.compare(CompareKind::EQ, x, best);
    if (llvm::isa<FloatType>(type.getElementType())) // a NaN is the best one, and equals nothing
      isBest = t.either(isBest, t.compare(CompareKind::NE, x, x));
    Value places = t.broadcast(arange(t, t.b.getF32Type(), along), type.getShape());
    Value first = t.reduce(ReduceKind::Min, t.select(isBest, places, double(size)), {axis}, one);
    return t.cast(first, t.b.getI32Type());
  }

  //===- Sums of beginnings

  Value cumulated(TileBuilder &t, Value x, int64_t axis) {
    tile::TileType type = tileTypeOf(x);
    Type element = type.getElementType();
    if (!element.isF32() && !element.isInteger(64)) {
      Type wide = llvm::isa<FloatType>(element) ? Type(t.b.getF32Type()) : t.b.getI32Type();
      if (wide != element)
        return t.cast(cumulated(t, t.cast(x, wide), axis), element);
    }
    ArrayRef<int64_t> shape = type.getShape();
    int64_t size = shape[axis], outer = 1, inner = 1;
    for (int64_t i = 0; i < type.getRank(); ++i)
      (i < axis ? outer : i > axis ? inner : size) *= i == axis ? 1 : shape[i];
    if (size == 1)
      return x;
    x = t.reshape(x, {outer, size, inner});
    if (outer == 1)
      x = t.reshape(addRows(t, t.reshape(x, {size, inner})), {outer, size, inner});
    else if (isAligned(inner) || element.isInteger(64))
      x = tile::CumsumOp::create(t.b, t.loc, x.getType(), x, 1);
    else {
      Value turned = t.reshape(transposed(t, x, {1, 0, 2}), {size, outer * inner});
      x = transposed(t, t.reshape(addRows(t, turned), {size, outer, inner}), {1, 0, 2});
    }
    return t.reshape(x, shape);
  }

  static bool isAligned(int64_t words) { return words * 4 % isa::blockBytes == 0; }

  // Each row of a matrix added to all after it.
  Value addRows(TileBuilder &t, Value x) {
    static constexpr int64_t few = 16; // rows that are added one after the other
    ArrayRef<int64_t> shape = tileTypeOf(x).getShape();
    int64_t height = shape[0], width = shape[1];
    if (isAligned(width) || height <= few || elementTypeOf(x).isInteger(64))
      return tile::CumsumOp::create(t.b, t.loc, x.getType(), x, 0);
    // `pieces` pieces of `length` rows lie beside each other, and are added all at once.
    static constexpr int64_t unit = isa::blockBytes / 4;
    int64_t pieces = llvm::alignTo(int64_t(std::ceil(std::sqrt(double(height)))), unit);
    int64_t length = llvm::divideCeil(height, pieces), padded = pieces * length;
    auto zeros = [&](int64_t rows) {
      return t.splat(t.constant(elementTypeOf(x), 0.0), tileTypeOf(x).withShape({rows, width}));
    };
    auto concat = [&](Value a, Value b) {
      int64_t rows = tileTypeOf(a).getShape()[0] + tileTypeOf(b).getShape()[0];
      return tile::ConcatOp::create(t.b, t.loc, tileTypeOf(a).withShape({rows, width}), ValueRange{a, b}).getResult();
    };
    if (padded != height)
      x = concat(x, zeros(padded - height));
    int64_t across = pieces * width;
    Value beside = t.reshape(transposed(t, t.reshape(x, {pieces, length, width}), {1, 0, 2}), {length, across});
    Value sums = tile::CumsumOp::create(t.b, t.loc, beside.getType(), beside, 0);
    Value totals = t.reshape(rows(t, sums, length - 1, 1), {pieces, width});
    Value before = concat(zeros(1), rows(t, addRows(t, totals), 0, pieces - 1));
    sums = t.add(sums, t.broadcast(t.reshape(before, {1, across}), {length, across}));
    Value after = t.reshape(transposed(t, t.reshape(sums, {length, pieces, width}), {1, 0, 2}), {padded, width});
    return rows(t, after, 0, height);
  }

  // Positions that stand before all loops.
  std::map<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>, Value> known;
};
} // namespace
