// Deepen loads: makes loops over k load as much at a time as the way to L1 takes well.
//
// A load of a matrix costs its latency and a burst for each row, however little of k it brings. So a loop that loads
// tiles, multiplies them and adds to accumulators is rewritten to do several of its iterations in one:
//
//   for j { a = load A[r, d j]; b = load B[d j, c]; acc += a * b }
//
// becomes, four iterations at a time,
//
//   for j by 4 { a = load A[r, d j] of 4 d columns; b = load B[d j, c] of 4 d rows; acc += a * b }
//
// Tiles grow until a load is long enough, and never beyond what L1 holds twice beside everything else. On the 910B they
// grow until rows of left operands are long enough too, as long as L1 holds these twice: right operands are then loaded
// in pieces (`divide-loads`). The last iteration may have less to do: nothing behind the loop's own end is read, and
// its product says how many of its inner elements are (`inner`), so that the others take no part. Elements are added in
// the order they were, so results are the same bit by bit. Where offsets do not move by one tile along k, or a tile has
// another reader, the loop stays.
#include "Matrices.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Remarks.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace tilesmith {
#define GEN_PASS_DEF_DEEPENLOADS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::Memory;

static bool isIn(Value tile, Memory memory) {
  auto type = dyn_cast<tile::TileType>(tile.getType());
  return type && type.getMemory() == memory;
}

static int64_t sizeOf(tile::TileType type) { return type.getElementType().getIntOrFloatBitWidth() / 8; }

// By how much an integer grows when the loop's counter grows by one, if that is known.
static std::optional<int64_t> slopeOf(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar())
    return 1;
  if (loop.isDefinedOutsideOfLoop(value))
    return 0;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto operand = [&](unsigned i) { return slopeOf(op->getOperand(i), loop); };
  if (isMemoryEffectFree(op) && !op->getNumRegions() &&
      llvm::all_of(op->getOperands(), [&](Value each) { return slopeOf(each, loop) == 0; }))
    return 0;
  if (llvm::isa<arith::AddIOp, arith::SubIOp>(op)) {
    std::optional<int64_t> a = operand(0), b = operand(1);
    if (!a || !b)
      return std::nullopt;
    return llvm::isa<arith::AddIOp>(op) ? *a + *b : *a - *b;
  }
  if (llvm::isa<arith::MulIOp>(op))
    for (unsigned i : {0, 1}) {
      IntegerAttr factor;
      std::optional<int64_t> other = operand(1 - i);
      if (other && matchPattern(op->getOperand(i), m_Constant(&factor)))
        return *other * factor.getInt();
    }
  return std::nullopt;
}

namespace {
// A loop over k: what is in its body.
struct Loop {
  llvm::MapVector<tile::LoadOp, unsigned> loads; // and the dimension that is k
  SmallVector<tile::MatmulOp> products;
  int64_t depth = 0; // of a product
  int64_t step = 0;  // of the counter

  // Bytes of a tile in L1 for each inner element.
  static int64_t bytesOfDepth(tile::LoadOp load, unsigned axis) {
    tile::TileType type = load.getType();
    int64_t other = axis + 1 == unsigned(type.getRank()) ? type.getShape().end()[-2] : type.getShape().back();
    return llvm::alignTo(other, matrixUnit(type.getElementType())) * sizeOf(type);
  }
};

struct DeepenLoadsPass : tilesmith::impl::DeepenLoadsBase<DeepenLoadsPass> {
  using DeepenLoadsBase::DeepenLoadsBase;

  void runOnOperation() override {
    FailureOr<isa::Arch> known = getArch(getOperation(), arch);
    if (failed(known))
      return signalPassFailure();
    chip = *known;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (std::optional<Loop> of = loopOf(loop))
        if (int64_t factor = factorOf(loop, *of); factor > 1)
          deepen(loop, *of, factor);
  }

private:
  std::optional<Loop> stay(scf::ForOp loop, const char *reason) {
    remark::missed(loop.getLoc(), remarkOf(getArgument(), "loads")) << remark::reason("{0}", reason);
    return std::nullopt;
  }

  std::optional<Loop> loopOf(scf::ForOp loop) {
    Loop of;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto load = dyn_cast<tile::LoadOp>(op); load && isIn(load.getResult(), Memory::L1))
        of.loads.insert({load, 0});
      else if (auto product = dyn_cast<tile::MatmulOp>(op))
        of.products.push_back(product);
    }
    if (of.loads.empty() || of.products.empty())
      return std::nullopt;
    for (Operation &op : loop.getBody()->without_terminator())
      if (!llvm::isa<tile::LoadOp, tile::MatmulOp, tile::CopyOp, tile::ReshapeOp>(op) &&
          (!isMemoryEffectFree(&op) || op.getNumRegions() ||
           !llvm::all_of(op.getResultTypes(), [](Type type) { return type.isIntOrIndex(); })))
        return stay(loop, "it does more than load and multiply");
    for (Value carried : loop.getRegionIterArgs())
      if (!isIn(carried, Memory::L0C))
        return stay(loop, "it carries more than accumulators");
    IntegerAttr step;
    if (!matchPattern(loop.getStep(), m_Constant(&step)) || step.getInt() <= 0 || !step.getType().isInteger(32))
      return stay(loop, "its step is not known");
    of.step = step.getInt();
    of.depth = of.products.front().getLhs().getType().getShape()[1];
    for (tile::MatmulOp product : of.products) {
      if (product.getInner() || product.getLhs().getType().getShape()[1] != of.depth ||
          of.depth % matrixUnit(product.getLhs().getType().getElementType()))
        return stay(loop, "its products differ in depth, or end inside a fractal");
      if (!product.getAcc())
        return stay(loop, "a product begins anew in each iteration");
    }
    unsigned operands = 0;
    for (auto &[load, axis] : of.loads) {
      if (!padsWithZero(load) || !axisOf(load, of, axis, operands))
        return stay(loop, "a tile is not the whole operand of products");
      for (auto [index, offset] : llvm::enumerate(load.getOffsets()))
        if (slopeOf(offset, loop) != (index == axis ? of.depth / of.step : 0))
          return stay(loop, "a tile does not follow the one before it");
    }
    if (of.depth % of.step)
      return stay(loop, "a tile does not follow the one before it");
    if (operands != 2 * of.products.size())
      return stay(loop, "an operand comes from outside the loop");
    return of;
  }

  // The dimension of a load that is k for all products it goes to; counts operands of products.
  static bool axisOf(tile::LoadOp load, const Loop &of, unsigned &axis, unsigned &operands) {
    std::optional<unsigned> found;
    std::function<bool(Value)> follow = [&](Value tile) {
      return llvm::all_of(tile.getUsers(), [&](Operation *user) {
        if (auto view = dyn_cast<tile::ReshapeOp>(user)) {
          auto last = [](Value of) { return cast<tile::TileType>(of.getType()).getShape().take_back(2); };
          return view.getType().getRank() >= 2 && last(view.getResult()) == last(view.getOperand()) &&
                 follow(view.getResult());
        }
        auto copy = dyn_cast<tile::CopyOp>(user);
        if (copy && copy.getTransposed()) // k is the other dimension
          return false;
        if (copy) {
          unsigned before = copy.getType().getMemory() == Memory::L0A ? 1 : 2;
          auto rank = unsigned(copy.getType().getRank());
          return matchPattern(copy.getOffsets()[rank - before], m_Zero()) &&
                 copy.getType().getShape()[rank - before] == copy.getOperand().getType().getShape()[rank - before] &&
                 (copy.getType().getMemory() == Memory::L0A || copy.getType().getMemory() == Memory::L0B) &&
                 follow(copy.getResult());
        }
        auto product = dyn_cast<tile::MatmulOp>(user);
        if (!product || !llvm::is_contained(of.products, product))
          return false;
        for (unsigned i : {0u, 1u}) {
          if (product.getOperand(i) != tile)
            continue;
          unsigned mine = load.getType().getRank() - (i == 0 ? 1 : 2);
          if (found.value_or(mine) != mine)
            return false;
          found = mine;
          ++operands;
        }
        return product.getAcc() != tile;
      });
    };
    if (load.getType().getRank() < 2 || !follow(load.getResult()) || !found)
      return false;
    axis = *found;
    return true;
  }

  // Bytes of L1 that other tiles may need at the same time, where they are loaded in turns twice.
  int64_t bytesOfOthers(scf::ForOp loop) {
    Operation *top = loop;
    while (!llvm::isa<func::FuncOp>(top->getParentOp()))
      top = top->getParentOp();
    int64_t bytes = 0;
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() != 1 || !isIn(op->getResult(0), Memory::L1) ||
          !llvm::isa<tile::LoadOp, tile::CopyOp>(op) || loop->isProperAncestor(op))
        return;
      bool isRepeated = op->getParentOfType<scf::ForOp>() || op->getParentOfType<scf::WhileOp>();
      if (!isRepeated || top->isAncestor(op))
        bytes += (isRepeated ? 2 : 1) * bytesInL1(cast<tile::TileType>(op->getResult(0).getType()));
    });
    return bytes;
  }

  // How many iterations to do in one.
  int64_t factorOf(scf::ForOp loop, const Loop &of) {
    // On the 950 an accumulator to which nothing was added needs L1 (`settle`).
    int64_t spare = chip == isa::Arch::C220 ? 0 : 16 * 1024;
    int64_t room = l1 - spare - bytesOfOthers(loop), factor = 1, wanted = 1, left = 0, right = 0, longestRow = 0;
    for (auto [load, axis] : of.loads) {
      int64_t bytes = Loop::bytesOfDepth(load, axis);
      wanted = std::max(wanted, lengthWanted() / bytes);
      bool isLeft = axis + 1 == unsigned(load.getType().getRank());
      (isLeft ? left : right) += bytes;
      if (isLeft)
        longestRow = std::max(longestRow, sizeOf(load.getType()));
    }
    while (factor * of.depth < wanted && 2 * factor * of.depth * 2 * (left + right) <= room)
      factor *= 2;
    // Rows of left operands are as long as the tile is deep. Of right operands L1 needs to hold pieces
    // (`divide-loads`).
    while (2 * factor * of.depth * longestRow <= rowWanted() && 2 * factor * of.depth * (2 * left + right) <= room)
      factor *= 2;
    if (std::optional<int64_t> trips = tripsOf(loop, of))
      while (factor > std::max<int64_t>(*trips, 1))
        factor /= 2;
    if (factor == 1)
      stay(loop, of.depth >= wanted ? "its loads are long enough" : "L1 does not hold more twice");
    return factor;
  }

  // Bytes that are worth a load: on the 910B the latency of one is that of 32 KiB.
  int64_t lengthWanted() const { return chip == isa::Arch::C220 ? 64 * 1024 : 32 * 1024; }

  // Bytes that are worth a row: on the 910B a burst costs as much as 900 bytes.
  int64_t rowWanted() const { return chip == isa::Arch::C220 ? 1024 : 256; }

  static std::optional<int64_t> tripsOf(scf::ForOp loop, const Loop &of) {
    IntegerAttr low, high;
    if (!matchPattern(loop.getLowerBound(), m_Constant(&low)) || !matchPattern(loop.getUpperBound(), m_Constant(&high)))
      return std::nullopt;
    return std::max<int64_t>(0, llvm::divideCeil(high.getInt() - low.getInt(), of.step));
  }

  static Value number(OpBuilder &b, Location loc, Type type, int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  }

  // Iterations of the loop as it was over so much of its range.
  static Value iterations(OpBuilder &b, Location loc, Value length, const Loop &of) {
    if (of.step == 1)
      return length;
    Value rounded = arith::AddIOp::create(b, loc, length, number(b, loc, length.getType(), of.step - 1));
    return arith::DivSIOp::create(b, loc, rounded, number(b, loc, length.getType(), of.step));
  }

  // The tensor of a load, ended where the loop's last tile ends.
  static Value ended(OpBuilder &b, scf::ForOp loop, const Loop &of, tile::LoadOp load, unsigned axis) {
    Location loc = load.getLoc();
    // The offset of the first iteration: its scalar code once more.
    IRMapping map;
    Type type = loop.getInductionVar().getType();
    map.map(loop.getInductionVar(), loop.getLowerBound());
    std::function<Value(Value)> first = [&](Value value) -> Value {
      if (Value known = map.lookupOrNull(value))
        return known;
      if (loop.isDefinedOutsideOfLoop(value))
        return value;
      Operation *op = value.getDefiningOp();
      for (Value operand : op->getOperands())
        first(operand);
      b.clone(*op, map);
      return map.lookup(value);
    };
    Value start = first(load.getOffsets()[axis]);
    Value length = arith::SubIOp::create(b, loc, loop.getUpperBound(), loop.getLowerBound());
    length = arith::MaxSIOp::create(b, loc, length, number(b, loc, type, 0));
    Value end = arith::MulIOp::create(b, loc, iterations(b, loc, length, of), number(b, loc, type, of.depth));
    end = arith::AddIOp::create(b, loc, start, end);
    auto from = load.getTensor().getType();
    SmallVector<int64_t> shape(from.getShape());
    shape[axis] = ShapedType::kDynamic;
    auto to = tile::GlobalTensorType::get(b.getContext(), shape, from.getElementType());
    return tile::LimitOp::create(b, loc, to, load.getTensor(), axis, end);
  }

  void deepen(scf::ForOp loop, Loop &of, int64_t factor) {
    remark::passed(loop.getLoc(), remarkOf(getArgument(), "loads"))
        << remark::metric("depth", of.depth * factor) << remark::metric("iterations", factor);
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Type type = loop.getInductionVar().getType();
    std::optional<int64_t> trips = tripsOf(loop, of);
    bool hasTail = !trips || *trips % factor;
    for (auto [load, axis] : of.loads) {
      if (hasTail)
        load.getTensorMutable().assign(ended(b, loop, of, load, axis));
      grow(load.getResult(), load.getType().getRank() - axis, factor);
    }
    if (hasTail) {
      OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
      Value left = arith::SubIOp::create(inside, loc, loop.getUpperBound(), loop.getInductionVar());
      left = arith::MinSIOp::create(inside, loc, iterations(inside, loc, left, of), number(inside, loc, type, factor));
      Value inner = arith::MulIOp::create(inside, loc, left, number(inside, loc, type, of.depth));
      for (tile::MatmulOp product : of.products)
        product.getInnerMutable().assign(inner);
    }
    loop.setStep(number(b, loc, type, of.step * factor));
  }

  // A tile, its views and its copies, with a dimension so many times as long; `fromEnd`: 1 is the last one.
  static void grow(Value tile, unsigned fromEnd, int64_t factor) {
    auto type = cast<tile::TileType>(tile.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.end()[-int(fromEnd)] *= factor;
    tile.setType(type.withShape(shape));
    for (Operation *user : tile.getUsers())
      if (llvm::isa<tile::ReshapeOp, tile::CopyOp>(user))
        grow(user->getResult(0), fromEnd, factor);
  }

  isa::Arch chip = isa::Arch::C220;
};
} // namespace
