// Split batches: writes a product of tiles with more than two dimensions as products of matrices.
//
// Dimensions before the last two say how many products there are, and are broadcast. A tile that was loaded is loaded
// matrix by matrix where it was loaded as a whole, because the cube core takes matrices; of any other tile each matrix
// is a copy. Transposes of matrices become transposes of each.
//
// Results leave matrix by matrix where all that is done with them works on each element alone, up to stores; elsewhere
// they are joined again.
#include "Matrices.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_SPLITBATCHES
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;

static tile::TileType typeOf(Value tile) { return cast<tile::TileType>(tile.getType()); }

// Sizes of the dimensions before the last two.
static ArrayRef<int64_t> batchOf(tile::TileType type) { return type.getShape().drop_back(2); }

static int64_t productOf(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

// Where matrix number `index` of `batch` stands.
static SmallVector<int64_t> placeOf(int64_t index, ArrayRef<int64_t> batch) {
  SmallVector<int64_t> place(batch.size());
  for (size_t axis = batch.size(); axis--; index /= batch[axis])
    place[axis] = index % batch[axis];
  return place;
}

// The type of one matrix of the tile, with dimensions of size 1 before it, and without them.
static tile::TileType oneOf(tile::TileType type) {
  SmallVector<int64_t> shape(type.getShape());
  std::fill(shape.begin(), shape.end() - 2, 1);
  return type.withShape(shape);
}
static tile::TileType matrixOf(tile::TileType type) { return type.withShape(type.getShape().take_back(2)); }

static bool storesEach(Operation *op) {
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return !store.getCount() && !store.getBits();
  auto atomic = dyn_cast<tile::AtomicOp>(op);
  return atomic && !atomic.getCount() && !atomic.getBits();
}
static bool leavesEach(Operation *op) {
  auto unary = dyn_cast<tile::UnaryOp>(op);
  return storesEach(op) || ((llvm::isa<tile::CastOp>(op) || (unary && unary.getKind() == tile::UnaryKind::Relu)) &&
                            llvm::all_of(op->getUsers(), leavesEach));
}

namespace {
struct SplitBatchesPass : tilesmith::impl::SplitBatchesBase<SplitBatchesPass> {
  using SplitBatchesBase::SplitBatchesBase;

  void runOnOperation() override {
    SmallVector<tile::MatmulOp> products;
    getOperation().walk([&](tile::MatmulOp op) {
      if (op.getType().getRank() > 2)
        products.push_back(op);
    });
    for (tile::MatmulOp product : products)
      split(product);
    for (tile::MatmulOp product : llvm::reverse(products)) {
      replace(product);
      product.erase();
    }
    for (const auto &replaced : {turns, loads})
      for (Operation *op : replaced)
        if (op->use_empty())
          op->erase();
  }

private:
  void split(tile::MatmulOp product) {
    OpBuilder b(product);
    tile::TileType type = product.getType();
    ArrayRef<int64_t> batch = batchOf(type);
    int64_t count = productOf(batch);
    for (int64_t number = 0; number < count; ++number) {
      SmallVector<int64_t> place = placeOf(number, batch);
      Value left = matrix(b, product.getLhs(), place), right = matrix(b, product.getRhs(), place);
      matrices[{product.getResult(), number}] =
          tile::MatmulOp::create(b, product.getLoc(), matrixOf(type), left, right, Value());
    }
    remark::passed(product.getLoc(), remarkOf(getArgument(), "product")) << remark::metric("products", count);
  }

  // The matrix of an operand that stands at `place` of the result.
  Value matrix(OpBuilder &b, Value operand, ArrayRef<int64_t> place) {
    tile::TileType type = typeOf(operand);
    if (type.getRank() == 2)
      return operand;
    SmallVector<int64_t> own(place.take_back(batchOf(type).size()));
    int64_t number = 0;
    for (auto [at, size] : llvm::zip_equal(own, batchOf(type))) {
      at = size == 1 ? 0 : at;
      number = number * size + at;
    }
    if (Value known = matrices.lookup({operand, number}))
      return known;
    Value made = make(operand, own);
    newest[operand] = made;
    return matrices[{operand, number}] = made;
  }

  Value make(Value operand, ArrayRef<int64_t> own) {
    tile::TileType type = typeOf(operand);
    Operation *op = operand.getDefiningOp();
    OpBuilder b(getOperation());
    Value before = newest.lookup(operand); // in the order in which products want them
    b.setInsertionPointAfterValue(before ? before : operand);
    Location loc = operand.getLoc();
    auto turn = dyn_cast_or_null<tile::TransposeOp>(op);
    if (turn && turnsMatrix(turn)) {
      turns.insert(op);
      SmallVector<int64_t> swapped = {1, 0};
      return tile::TransposeOp::create(b, loc, matrixOf(type), matrix(b, turn.getOperand(), own), swapped);
    }
    if (op && type.getMemory() == isa::Memory::L0C) { // a result on its way into the next product
      Value source = matrix(b, op->getOperand(0), own);
      Operation *mine = b.clone(*op);
      mine->setOperand(0, source);
      mine->getResult(0).setType(matrixOf(type));
      return mine->getResult(0);
    }
    Value part;
    if (auto load = dyn_cast_or_null<tile::LoadOp>(op)) {
      loads.insert(op);
      part = tile::LoadOp::create(b, loc, oneOf(type), load.getTensor(), moved(b, loc, load.getOffsets(), own),
                                  load.getPad());
    } else {
      SmallVector<Value> start(type.getRank(), number32(b, loc, 0));
      part = tile::CopyOp::create(b, loc, oneOf(type), operand, moved(b, loc, start, own));
    }
    return tile::ReshapeOp::create(b, loc, matrixOf(type), part);
  }

  static Value number32(OpBuilder &b, Location loc, int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

  // Offsets of the matrix at `place` of a tile at these offsets.
  static SmallVector<Value> moved(OpBuilder &b, Location loc, ValueRange offsets, ArrayRef<int64_t> place) {
    SmallVector<Value> result(offsets);
    for (auto [axis, by] : llvm::enumerate(place))
      if (by)
        result[axis] = matchPattern(result[axis], m_Zero())
                           ? number32(b, loc, by)
                           : arith::AddIOp::create(b, loc, result[axis], number32(b, loc, by)).getResult();
    return result;
  }

  // Users of the whole get the matrices, one by one where they can.
  void replace(tile::MatmulOp whole) {
    tile::TileType type = whole.getType();
    SmallVector<Value> parts;
    for (int64_t number = 0; number < productOf(batchOf(type)); ++number)
      parts.push_back(matrices.lookup({whole.getResult(), number}));
    SmallVector<Operation *> users(whole->getUsers());
    for (Operation *user : users)
      if (leavesEach(user)) {
        leave(user, parts);
        user->erase();
      }
    if (whole->use_empty())
      return;
    OpBuilder b(whole);
    Location loc = whole->getLoc();
    type = type.withMemory(isa::Memory::UB);
    SmallVector<int64_t> shape = {1};
    llvm::append_range(shape, type.getShape().take_back(2));
    SmallVector<Value> taken, start(2, number32(b, loc, 0));
    for (Value part : parts) {
      Value there = tile::CopyOp::create(b, loc, matrixOf(type), part, start);
      taken.push_back(tile::ReshapeOp::create(b, loc, type.withShape(shape), there));
    }
    shape.front() = parts.size();
    Value joined = tile::ConcatOp::create(b, loc, type.withShape(shape), taken);
    if (joined.getType() != type)
      joined = tile::ReshapeOp::create(b, loc, type, joined);
    moveUsers(whole.getResult(), joined);
  }

  // The users of a result that lay in L0C have it in UB, and so what they make of it.
  static void moveUsers(Value from, Value to) {
    SmallVector<Operation *> users(from.getUsers());
    if (from != to)
      from.replaceAllUsesWith(to);
    for (Operation *user : users) {
      if (auto copy = dyn_cast<tile::CopyOp>(user); copy && copy.getType() == to.getType()) {
        copy.replaceAllUsesWith(to);
        copy.erase();
      } else if (user->getNumResults() == 1 && llvm::isa<tile::TileType>(user->getResult(0).getType()) &&
                 memoryOf(user->getResult(0)) == isa::Memory::L0C && !llvm::isa<tile::MatmulOp>(user)) {
        Value result = user->getResult(0);
        result.setType(typeOf(result).withMemory(isa::Memory::UB));
        moveUsers(result, result);
      }
    }
  }

  static void leave(Operation *op, ArrayRef<Value> parts) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    tile::TileType type = typeOf(op->getOperand(0));
    auto each = [&](auto access) {
      for (auto [index, part] : llvm::enumerate(parts)) {
        SmallVector<Value> offsets = moved(b, loc, access.getOffsets(), placeOf(index, batchOf(type)));
        auto mine = cast<decltype(access)>(b.clone(*op));
        mine.getValueMutable().assign(
            tile::ReshapeOp::create(b, loc, oneOf(typeOf(mine.getValue())), part).getResult());
        mine->moveAfter(mine.getValue().getDefiningOp());
        mine.getOffsetsMutable().assign(offsets);
      }
    };
    if (auto store = dyn_cast<tile::StoreOp>(op))
      return each(store);
    if (auto atomic = dyn_cast<tile::AtomicOp>(op))
      return each(atomic);
    if (op->use_empty()) // products read past it
      return;
    SmallVector<Value> made;
    for (Value part : parts) {
      Operation *mine = b.clone(*op);
      mine->setOperand(0, part);
      mine->getResult(0).setType(matrixOf(typeOf(op->getResult(0))));
      made.push_back(mine->getResult(0));
    }
    SmallVector<Operation *> users(op->getUsers());
    for (Operation *user : users) {
      leave(user, made);
      user->erase();
    }
  }

  llvm::DenseMap<std::pair<Value, int64_t>, Value> matrices;
  llvm::DenseMap<Value, Value> newest;       // the matrix made last of an operand
  llvm::SetVector<Operation *> turns, loads; // of tiles as a whole
};
} // namespace
