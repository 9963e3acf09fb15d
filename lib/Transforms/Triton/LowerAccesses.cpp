// Lower accesses: every access by a tile of offsets becomes an access of a tensor, of rows by number, or of elements.
//
// Guarantees
//  - what a mask does not choose is neither read nor written, whatever the mask is
//  - offsets with one stride for each dimension under masks that are boxes become one box: a load or store of a tensor
//    that ends where the mask does; the dimension of stride 1 stands last, dimensions of stride 0 are loaded once and
//    repeated
//  - other accesses that go along one dimension in steps of 1 become rows by number, one for each element of the
//  others;
//    what is left becomes rows of one element. Rows that are not chosen have the number -1, which no tensor has
//  - afterwards there is no operation of the triton dialect
#include "Pointers.h"

namespace tilesmith {
#define GEN_PASS_DEF_LOWERACCESSES
#include "tilesmith/Transforms/Triton/TritonPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::triton;

namespace {

constexpr int64_t blockBytes = 32; // rows of tiles of rows begin on so many

class Lowering {
public:
  Lowering(OpBuilder &b, Location loc, Value base, Value offsets, Value mask)
      : b(b), loc(loc), reader(b, loc), n(reader.n), base(base), mask(mask),
        type(cast<tile::TileType>(offsets.getType())), element(cast<tile::PtrType>(base.getType()).getElementType()) {
    positions = reader.positions(offsets);
    choice = reader.choice(mask, type.getShape());
  }

  Value load(Value other) {
    Value pad = other && !llvm::isa<tile::TileType>(other.getType()) ? other : zero();
    bool whole = false;
    Value loaded = isBox(/*writes=*/false) ? loadBox(pad, whole) : loadRows(pad);
    bool ofTile = other && pad != other;
    if ((ofTile || whole) && mask)
      loaded = tile::SelectOp::create(b, loc, loaded.getType(), mask, loaded, ofTile ? other : pad);
    return loaded;
  }

  void store(Value value, std::optional<tile::AtomicKind> atomic) {
    if (isBox(/*writes=*/true))
      storeBox(value, atomic);
    else if (atomic)
      combineElements(value, *atomic);
    else
      storeRows(value);
  }

private:
  int64_t sizeOfElement() const { return std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1); }
  ArrayRef<int64_t> shape() const { return type.getShape(); }
  tile::TileType tileOf(ArrayRef<int64_t> shape, Type of) {
    return tile::TileType::get(b.getContext(), shape, of, isa::Memory::UB);
  }
  Value zero() {
    Type scalar = tile::scalarTypeOf(element);
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(scalar));
  }
  Value reshaped(Value tile, ArrayRef<int64_t> to) {
    auto from = cast<tile::TileType>(tile.getType());
    return from.getShape() == to ? tile : tile::ReshapeOp::create(b, loc, from.withShape(to), tile).getResult();
  }
  Value broadcast(Value tile, ArrayRef<int64_t> to) {
    auto from = cast<tile::TileType>(tile.getType());
    return from.getShape() == to ? tile : tile::BroadcastOp::create(b, loc, from.withShape(to), tile).getResult();
  }
  Value number(int64_t value) { return n.i32(Int(value)); }

  // A matrix keeps both dimensions: products take no other tiles.
  bool isMatrix() const { return type.getRank() == 2; }
  bool isRepeated(int64_t dim) const { return positions.strides[dim].is(0) && shape()[dim] > 1; }

  // The dimension whose elements lie next to each other; -1: there is none.
  int64_t dense() const {
    for (int64_t dim = type.getRank(); dim-- > 0;)
      if (shape()[dim] > 1 && positions.strides[dim].is(1))
        return dim;
    return -1;
  }

  bool isBox(bool writes) const {
    if (!positions.rest.empty() || !choice.rest.empty())
      return false;
    int64_t last = dense(), length = last < 0 ? 1 : shape()[last];
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      const Int &stride = positions.strides[dim];
      if (shape()[dim] == 1 || dim == last || !stride.isKnown())
        continue;
      if (stride.number < 0 || (writes && stride.number == 0) || (stride.number > 0 && stride.number < length))
        return false;
    }
    return true;
  }

  // A box -----------------------------------------------------------------------------------------------------------

  struct Box {
    SmallVector<int64_t> dims; // of the access, in the order of the tensor
    bool hasUnit = false;      // a last dimension of size 1 follows
    Value tensor;
    SmallVector<Value> offsets;
    bool clipsRepeated = false;
  };

  Box makeBox() {
    Box box;
    Value condition = choice.condition;
    auto require = [&](const Choice::Interval &interval) {
      Value some = n.compare(arith::CmpIPredicate::slt, interval.low, interval.high);
      condition = condition ? arith::AndIOp::create(b, loc, condition, some).getResult() : some;
    };
    int64_t last = dense();
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      bool isOne = shape()[dim] == 1, repeated = isRepeated(dim);
      if (choice.intervals[dim].bounded && ((isOne && !isMatrix()) || repeated)) {
        require(choice.intervals[dim]);
        box.clipsRepeated |= repeated;
      }
      if ((!isOne || isMatrix()) && !repeated && dim != last)
        box.dims.push_back(dim);
    }
    if (last >= 0)
      box.dims.push_back(last);
    box.hasUnit = last < 0;

    Int start = positions.start;
    SmallVector<int64_t> extents;
    SmallVector<Value> dynamic, strides;
    bool isFirst = true;
    auto addDim = [&](Choice::Interval interval, int64_t size, Int stride) {
      if (isFirst && condition) {
        interval.high = n.choose(condition, interval.high, Int(0));
        interval.bounded = true;
      }
      isFirst = false;
      strides.push_back(n.i32(stride));
      if (!interval.bounded) {
        extents.push_back(size);
        box.offsets.push_back(number(0));
        return;
      }
      start = n.add(start, n.mul(interval.low, stride));
      Int extent = n.max(n.sub(interval.high, interval.low), Int(0));
      extents.push_back(extent.isKnown() ? extent.number : ShapedType::kDynamic);
      if (!extent.isKnown())
        dynamic.push_back(n.i32(extent));
      box.offsets.push_back(n.i32(n.sub(Int(0), interval.low)));
    };
    for (int64_t dim : box.dims)
      addDim(choice.intervals[dim], shape()[dim],
             shape()[dim] == 1 ? Int(type.getNumElements()) : positions.strides[dim]);
    if (box.hasUnit)
      addDim({Int(0), Int(1)}, 1, Int(1));
    if (box.dims.size() + box.hasUnit == 1) // dense as it is
      strides.clear();
    auto tensor = tile::GlobalTensorType::get(b.getContext(), extents, element);
    Value from = start.is(0) ? Value() : n.i32(start);
    box.tensor = tile::TensorOp::create(b, loc, tensor, base, from, dynamic, strides);
    return box;
  }

  SmallVector<int64_t> shapeOf(const Box &box) const {
    SmallVector<int64_t> result;
    for (int64_t dim : box.dims)
      result.push_back(shape()[dim]);
    if (box.hasUnit)
      result.push_back(1);
    return result;
  }
  // Where each dimension of the access, without those that are not in the box, stands in the box.
  static SmallVector<int64_t> placesOf(ArrayRef<int64_t> dims) {
    SmallVector<int64_t> sorted(dims), places;
    llvm::sort(sorted);
    for (int64_t dim : sorted)
      places.push_back(llvm::find(dims, dim) - dims.begin());
    return places;
  }

  Value loadBox(Value pad, bool &clipped) {
    Box box = makeBox();
    clipped = box.clipsRepeated;
    Value loaded = tile::LoadOp::create(b, loc, tileOf(shapeOf(box), element), box.tensor, box.offsets, pad);
    return inOrder(loaded, box.dims);
  }

  // A tile of these dimensions, and of size 1 behind them, as the access has it.
  Value inOrder(Value tile, ArrayRef<int64_t> dims) {
    SmallVector<int64_t> sizes, turned, kept(type.getRank(), 1);
    for (int64_t dim : dims)
      sizes.push_back(shape()[dim]), kept[dim] = shape()[dim];
    if (dims.empty())
      sizes.push_back(1);
    tile = reshaped(tile, sizes);
    SmallVector<int64_t> places = placesOf(dims);
    if (!llvm::is_sorted(places)) {
      for (int64_t place : places)
        turned.push_back(sizes[place]);
      tile = tile::TransposeOp::create(b, loc, tileOf(turned, element), tile, places);
    }
    return broadcast(reshaped(tile, kept), shape());
  }

  // The value as a tile of these dimensions.
  Value turnedTo(Value value, ArrayRef<int64_t> dims) {
    SmallVector<int64_t> sorted(dims), sizes, turned;
    llvm::sort(sorted);
    for (int64_t dim : sorted)
      sizes.push_back(shape()[dim]);
    for (int64_t dim : dims)
      turned.push_back(shape()[dim]);
    if (dims.empty())
      return reshaped(value, {1});
    value = reshaped(value, sizes);
    SmallVector<int64_t> axes;
    for (int64_t dim : dims)
      axes.push_back(llvm::find(sorted, dim) - sorted.begin());
    if (llvm::is_sorted(axes))
      return value;
    return tile::TransposeOp::create(b, loc, tileOf(turned, element), value, axes);
  }

  void storeBox(Value value, std::optional<tile::AtomicKind> atomic) {
    Box box = makeBox();
    Value turned = reshaped(turnedTo(value, box.dims), shapeOf(box));
    if (atomic)
      tile::AtomicOp::create(b, loc, *atomic, turned, box.tensor, box.offsets, Value(), DenseI64ArrayAttr());
    else
      tile::StoreOp::create(b, loc, turned, box.tensor, box.offsets, Value(), DenseI64ArrayAttr());
  }

  // Rows by number --------------------------------------------------------------------------------------------------

  struct Rows {
    SmallVector<int64_t> dims;               // rows are counted along these
    int64_t along = -1;                      // the dimension of a row; -1: rows of one element
    int64_t count = 1, length = 1, wide = 1; // rows, elements of a row, and as many as fill blocks
    Value numbers, tensor, column;
  };

  Rows makeRows(bool elements) {
    Rows rows;
    rows.along = elements ? -1 : dense();
    if (rows.along >= 0 && (llvm::any_of(positions.rest, [&](const Rest &r) { return r.dependsOn(rows.along); }) ||
                            llvm::any_of(choice.rest, [&](const Rest &r) { return r.dependsOn(rows.along); })))
      rows.along = -1;
    SmallVector<int64_t> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != rows.along) {
        rows.dims.push_back(dim);
        sizes.push_back(shape()[dim]);
        rows.count *= shape()[dim];
      }
    if (sizes.empty())
      sizes.push_back(1);
    rows.length = rows.along < 0 ? 1 : shape()[rows.along];
    int64_t unit = std::max<int64_t>(blockBytes / sizeOfElement(), 1);
    rows.wide = (rows.length + unit - 1) / unit * unit;

    Type i32 = b.getI32Type();
    auto count = [&](size_t place) { // along one of the dimensions of rows
      SmallVector<int64_t> one(sizes.size(), 1);
      one[place] = sizes[place];
      return tile::ArangeOp::create(b, loc, tileOf(one, i32)).getResult();
    };
    auto partOf = [&](Value tile) { // without the dimension of a row
      auto from = cast<tile::TileType>(tile.getType());
      SmallVector<int64_t> to;
      for (int64_t dim : rows.dims)
        to.push_back(from.getShape()[dim]);
      if (to.empty())
        to.push_back(1);
      return reshaped(tile, to);
    };
    Value sum;
    auto plus = [&](Value part) {
      part = broadcast(part, sizes);
      sum = sum ? tile::BinaryOp::create(b, loc, part.getType(), tile::BinaryKind::Add, sum, part).getResult() : part;
    };
    auto times = [&](Value part, Int scale) -> Value {
      if (scale.is(1))
        return part;
      return tile::BinaryOp::create(b, loc, part.getType(), tile::BinaryKind::Mul, part, n.i32(scale));
    };
    for (auto [place, dim] : llvm::enumerate(rows.dims))
      if (!positions.strides[dim].is(0) && shape()[dim] > 1)
        plus(times(count(place), positions.strides[dim]));
    for (const Rest &rest : positions.rest) {
      Value part = partOf(rest.tile);
      auto from = cast<tile::TileType>(part.getType());
      if (from.getElementType() != i32)
        part = tile::CastOp::create(b, loc, from.withElementType(i32), part);
      plus(times(part, rest.scale));
    }
    if (!sum)
      sum = tile::SplatOp::create(b, loc, tileOf(sizes, i32), n.i32(positions.start));
    else if (!positions.start.is(0))
      sum = tile::BinaryOp::create(b, loc, sum.getType(), tile::BinaryKind::Add, sum, n.i32(positions.start));

    // Which rows are chosen.
    Value chosen;
    auto only = [&](Value part) {
      part = broadcast(part, sizes);
      chosen = chosen ? tile::BinaryOp::create(b, loc, part.getType(), tile::BinaryKind::And, chosen, part).getResult()
                      : part;
    };
    for (auto [place, dim] : llvm::enumerate(rows.dims)) {
      const Choice::Interval &interval = choice.intervals[dim];
      if (!interval.bounded)
        continue;
      Value counted = count(place);
      auto truth = cast<tile::TileType>(counted.getType()).withElementType(b.getI1Type());
      only(tile::CompareOp::create(b, loc, truth, tile::CompareKind::LT, counted, n.i32(interval.high)));
      if (!interval.low.is(0))
        only(tile::CompareOp::create(b, loc, truth, tile::CompareKind::GE, counted, n.i32(interval.low)));
    }
    for (const Rest &rest : choice.rest)
      only(partOf(rest.tile));
    if (chosen)
      sum = tile::SelectOp::create(b, loc, sum.getType(), chosen, sum, number(-1));
    rows.numbers = reshaped(sum, {rows.count});

    // Rows begin at every element, and end where the interval of their dimension does.
    Choice::Interval inside{Int(0), Int(rows.length)};
    if (rows.along >= 0)
      inside = choice.intervals[rows.along];
    if (choice.condition)
      inside.high = n.choose(choice.condition, inside.high, Int(0));
    Int length = n.max(n.sub(inside.high, inside.low), Int(0));
    SmallVector<int64_t> extents{INT32_MAX, length.isKnown() ? length.number : ShapedType::kDynamic};
    SmallVector<Value> dynamic;
    if (!length.isKnown())
      dynamic.push_back(n.i32(length));
    auto tensor = tile::GlobalTensorType::get(b.getContext(), extents, element);
    rows.tensor = tile::TensorOp::create(b, loc, tensor, base, inside.low.is(0) ? Value() : n.i32(inside.low), dynamic,
                                         ValueRange{number(1), number(1)});
    rows.column = n.i32(n.sub(Int(0), inside.low));
    return rows;
  }

  // The dimensions of rows, then that of a row.
  SmallVector<int64_t> orderOf(const Rows &rows) const {
    SmallVector<int64_t> dims(rows.dims);
    if (rows.along >= 0)
      dims.push_back(rows.along);
    return dims;
  }

  // Elements of a tile by their positions, which all exist. Bytes go as 16-bit numbers.
  Value gathered(Value tile, Value index, ArrayRef<int64_t> to) {
    Type own = cast<tile::TileType>(tile.getType()).getElementType();
    bool isNarrow = own.getIntOrFloatBitWidth() < 16;
    Type as = isNarrow ? Type(b.getI16Type()) : own;
    if (isNarrow)
      tile = tile::CastOp::create(b, loc, cast<tile::TileType>(tile.getType()).withElementType(as), tile);
    Value result = tile::GatherOp::create(b, loc, tileOf(to, as), tile, index, true);
    return isNarrow ? tile::CastOp::create(b, loc, tileOf(to, own), result).getResult() : result;
  }
  // r * pitch + c for all of rows x columns; columns from `most` on are the last one below.
  Value gridOf(int64_t rows, int64_t columns, int64_t pitch, int64_t most) {
    Type i32 = b.getI32Type();
    SmallVector<int64_t> to{rows, columns};
    Value row = tile::ArangeOp::create(b, loc, tileOf({rows, 1}, i32));
    row = tile::BinaryOp::create(b, loc, row.getType(), tile::BinaryKind::Mul, row, number(pitch));
    if (columns == 1)
      return row;
    Value column = tile::ArangeOp::create(b, loc, tileOf({1, columns}, i32));
    if (most < columns)
      column = tile::BinaryOp::create(b, loc, column.getType(), tile::BinaryKind::Min, column, number(most - 1));
    return tile::BinaryOp::create(b, loc, tileOf(to, i32), tile::BinaryKind::Add, broadcast(row, to),
                                  broadcast(column, to));
  }

  // How many rows are moved at once: rows of few elements take whole blocks of UB, so many of them go in groups.
  static constexpr int64_t mostBytes = 1 << 15, groupUnit = 32; // groups begin on blocks, whatever their elements
  int64_t groupOf(const Rows &rows) const {
    int64_t most = mostBytes / (rows.wide * sizeOfElement());
    if (rows.count <= most || rows.wide == rows.length)
      return rows.count;
    for (int64_t group = most / groupUnit * groupUnit; group > 0; group -= groupUnit)
      if (rows.count % group == 0)
        return group;
    return rows.count;
  }
  Value partOf(Value tile, ArrayRef<int64_t> to, Value first) {
    SmallVector<Value> offsets{first};
    if (to.size() == 2)
      offsets.push_back(number(0));
    Type own = cast<tile::TileType>(tile.getType()).getElementType();
    return tile::CopyOp::create(b, loc, tileOf(to, own), tile, offsets);
  }

  Value moveIn(const Rows &rows, Value numbers, int64_t count, Value pad) {
    Value loaded =
        tile::GatherRowsOp::create(b, loc, tileOf({count, rows.wide}, element), rows.tensor, numbers, rows.column, pad);
    if (rows.wide != rows.length)
      loaded = gathered(loaded, gridOf(count, rows.length, rows.wide, rows.length), {count, rows.length});
    return loaded;
  }

  Value loadRows(Value pad) {
    Rows rows = makeRows(false);
    int64_t group = groupOf(rows);
    Value loaded;
    if (group == rows.count) {
      loaded = moveIn(rows, rows.numbers, rows.count, pad);
    } else {
      Value all = tile::SplatOp::create(b, loc, tileOf({rows.count, rows.length}, element), pad);
      auto loop = scf::ForOp::create(b, loc, number(0), number(rows.count), number(group), ValueRange{all});
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value first = loop.getInductionVar();
      Value part = moveIn(rows, partOf(rows.numbers, {group}, first), group, pad);
      Value more = tile::InsertOp::create(b, loc, part, loop.getRegionIterArg(0), first);
      scf::YieldOp::create(b, loc, more);
      loaded = loop.getResult(0);
    }
    return inOrder(reshaped(loaded, sizesOf(orderOf(rows))), orderOf(rows));
  }
  SmallVector<int64_t> sizesOf(ArrayRef<int64_t> dims) const {
    SmallVector<int64_t> sizes;
    for (int64_t dim : dims)
      sizes.push_back(shape()[dim]);
    return sizes;
  }

  void moveOut(const Rows &rows, Value value, Value numbers, int64_t count) {
    if (rows.length == 1 && rows.wide != 1)
      value = broadcast(value, {count, rows.wide});
    else if (rows.wide != rows.length)
      value = gathered(value, gridOf(count, rows.wide, rows.length, rows.length), {count, rows.wide});
    tile::ScatterRowsOp::create(b, loc, value, rows.tensor, numbers, rows.column);
  }

  void storeRows(Value value) {
    Rows rows = makeRows(false);
    Value turned = reshaped(turnedTo(value, orderOf(rows)), {rows.count, rows.length});
    int64_t group = groupOf(rows);
    if (group == rows.count)
      return moveOut(rows, turned, rows.numbers, rows.count);
    auto loop = scf::ForOp::create(b, loc, number(0), number(rows.count), number(group));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value first = loop.getInductionVar();
    moveOut(rows, partOf(turned, {group, rows.length}, first), partOf(rows.numbers, {group}, first), group);
  }

  // One element after the other, so that equal offsets all take effect.
  void combineElements(Value value, tile::AtomicKind kind) {
    Rows rows = makeRows(true);
    Value flat = reshaped(value, {rows.count});
    Value zero = number(0), end = number(rows.count), one = number(1);
    auto loop = scf::ForOp::create(b, loc, zero, end, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Type i32 = b.getI32Type();
    Value at = tile::SplatOp::create(b, loc, tileOf({1}, i32), loop.getInductionVar());
    Value row =
        tile::ExtractOp::create(b, loc, i32, tile::GatherOp::create(b, loc, tileOf({1}, i32), rows.numbers, at, true));
    Value element = gathered(flat, at, {1});
    Value chosen = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, row, zero);
    if (choice.condition)
      chosen = arith::AndIOp::create(b, loc, chosen, choice.condition);
    auto branch = scf::IfOp::create(b, loc, chosen, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    auto tensor = tile::GlobalTensorType::get(b.getContext(), {1}, this->element);
    Value target = tile::TensorOp::create(b, loc, tensor, base, row, ValueRange(), ValueRange());
    tile::AtomicOp::create(b, loc, kind, element, target, ValueRange{zero}, Value(), DenseI64ArrayAttr());
  }

  OpBuilder &b;
  Location loc;
  Reader reader;
  Numbers &n;
  Value base, mask;
  tile::TileType type; // of the offsets
  Type element;
  Positions positions;
  Choice choice;
};

struct LowerAccesses final : tilesmith::impl::LowerAccessesBase<LowerAccesses> {
  void runOnOperation() override {
    SmallVector<Operation *> accesses;
    getOperation().walk([&](Operation *op) {
      if (llvm::isa<LoadOp, StoreOp, AtomicOp>(op))
        accesses.push_back(op);
    });
    for (Operation *op : accesses) {
      OpBuilder b(op);
      if (auto load = dyn_cast<LoadOp>(op)) {
        Value loaded =
            Lowering(b, op->getLoc(), load.getBase(), load.getOffsets(), load.getMask()).load(load.getOther());
        load.getResult().replaceAllUsesWith(loaded);
      } else if (auto store = dyn_cast<StoreOp>(op)) {
        Lowering(b, op->getLoc(), store.getBase(), store.getOffsets(), store.getMask())
            .store(store.getValue(), std::nullopt);
      } else {
        auto atomic = cast<AtomicOp>(op);
        Lowering(b, op->getLoc(), atomic.getBase(), atomic.getOffsets(), atomic.getMask())
            .store(atomic.getValue(), atomic.getKind());
      }
      op->erase();
    }
  }
};

} // namespace
