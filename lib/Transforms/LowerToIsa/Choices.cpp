// Operations on a choice of a tile's elements (asc2.mask): the choice as bits, and the boxes it leaves of an access.
//
// Elements are counted in row-major order. The first n of them are whole rows and the beginning of one more, in every
// dimension; a run of bits has such a beginning at both ends. So a choice is a few boxes, and an access to a box is an
// access clipped a little further: nothing outside the choice is touched.
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

Choice::Choice(Value count, std::optional<ArrayRef<int64_t>> words) : count(count) {
  if (words)
    bits = APInt(128, {uint64_t((*words)[0]), uint64_t((*words)[1])});
}

SmallVector<std::pair<int64_t, int64_t>> Choice::runs(int64_t elements) const {
  SmallVector<std::pair<int64_t, int64_t>> result;
  for (int64_t i = 0, end = std::min<int64_t>(elements, bits->getBitWidth()); i < end;) {
    int64_t first = i;
    while (i < end && (*bits)[i])
      ++i;
    if (i > first)
      result.push_back({first, i});
    else
      ++i;
  }
  return result;
}

static int64_t elementsAfter(ArrayRef<Axis> axes, size_t axis) {
  int64_t elements = 1;
  for (const Axis &inner : axes.drop_front(axis + 1))
    elements *= inner.tile;
  return elements;
}

// Only indices from `low` to `high` of the axis. Never less than nothing, so that extents stay countable.
static void limit(Emitter &e, Axis &axis, Int low, Int high) {
  axis.low = e.max(axis.low, low);
  axis.high = e.max(e.min(axis.high, high), axis.low);
}

static bool isEmpty(ArrayRef<Axis> axes) {
  return llvm::any_of(axes, [](const Axis &axis) {
    auto low = Emitter::get(axis.low), high = Emitter::get(axis.high);
    return low && high && *low >= *high;
  });
}

using Boxes = SmallVector<SmallVector<Axis>>;

static void keep(Boxes &boxes, SmallVector<Axis> box) {
  if (!isEmpty(box))
    boxes.push_back(std::move(box));
}

// The first `count` elements: for each axis the whole indices, then the rest inside the next one.
static void addFirst(Emitter &e, ArrayRef<Axis> axes, Int count, Boxes &boxes) {
  SmallVector<Axis> box(axes);
  for (size_t i = 0; i < axes.size(); ++i) {
    Int inner = e.known(elementsAfter(axes, i));
    Int whole = e.div(count, inner);
    SmallVector<Axis> part = box;
    limit(e, part[i], e.known(0), whole);
    keep(boxes, std::move(part));
    limit(e, box[i], whole, e.add(whole, e.known(1)));
    count = e.rem(count, inner);
  }
}

// Elements first to last - 1, from this axis on.
static void addRun(Emitter &e, SmallVector<Axis> box, size_t axis, int64_t first, int64_t last, Boxes &boxes) {
  int64_t inner = elementsAfter(box, axis);
  auto inside = [&](int64_t index, int64_t begin, int64_t end) {
    SmallVector<Axis> part = box;
    limit(e, part[axis], e.known(index), e.known(index + 1));
    addRun(e, std::move(part), axis + 1, begin, end, boxes);
  };
  int64_t begin = first / inner, end = last / inner, head = first % inner, tail = last % inner;
  if (begin == end && head)
    return inside(begin, head, tail);
  if (head)
    inside(begin++, head, inner);
  SmallVector<Axis> whole = box;
  limit(e, whole[axis], e.known(begin), e.known(end));
  keep(boxes, std::move(whole));
  if (tail)
    inside(end, 0, tail);
}

Boxes Lowering::boxesOf(ArrayRef<Axis> axes, const Choice &choice) {
  int64_t elements = axes.front().tile * elementsAfter(axes, 0);
  Boxes boxes;
  if (choice.bits)
    for (auto [first, last] : choice.runs(elements))
      addRun(*this, SmallVector<Axis>(axes), 0, first, last, boxes);
  else
    boxes.emplace_back(axes);
  if (!choice.count)
    return boxes;
  Int count = clamp(widen(choice.count), known(0), known(elements));
  Boxes both;
  for (ArrayRef<Axis> box : boxes)
    addFirst(*this, box, count, both);
  return both;
}

LogicalResult Lowering::lowerLanes(tile::LanesOp op) {
  int64_t elements = op.getType().getNumElements();
  Type word = b.getI16Type();
  Value bits = view(destination(op.getResult(), {}, false), word);
  emit("duplicate", {bits, scalar(word, 0), roundUp(elements, 64) / 16});
  Choice choice(op.getCount(), op.getBits());
  if (choice.bits) {
    APInt chosen = *choice.bits & APInt::getLowBitsSet(128, std::min<int64_t>(elements, 128));
    Value wide = view(bits, b.getI64Type());
    for (int64_t i : {0, 1})
      if (uint64_t part = chosen.extractBitsAsZExtValue(64, i * 64))
        emit("set_value", {offset(wide, known(i * 8)), value(int64_t(part))});
    return success();
  }
  // Whole words of ones, then one word with a part.
  Int count = clamp(widen(choice.count), known(0), known(elements));
  Int whole = div(count, known(16)), rest = rem(count, known(16));
  when(less(known(0), whole), [&] { emit("duplicate", {bits, scalar(word, -1), whole}); });
  when(less(known(0), rest), [&] {
    Value power = arith::ShLIOp::create(b, loc, value(known(1)), value(rest));
    Value ones = arith::SubIOp::create(b, loc, power, value(known(1)));
    emit("set_value", {offset(bits, mul(whole, known(2))), arith::TruncIOp::create(b, loc, word, ones).getResult()});
  });
  return success();
}

} // namespace tilesmith
