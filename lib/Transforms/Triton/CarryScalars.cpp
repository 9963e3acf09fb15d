// Carry scalars: a loop that moves a tile of offsets by a number carries the number.
//
// Guarantee: where a loop carries a tile of i32 that one iteration changes by adding numbers only, each iteration reads
// the tile as it was before the loop plus a number, which the loop carries instead. So what the tile describes is seen
// inside of the loop. Other loops stay as they are.
#include "Pointers.h"

namespace tilesmith {
#define GEN_PASS_DEF_CARRYSCALARS
#include "tilesmith/Transforms/Triton/TritonPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::triton;

namespace {

bool isOffsets(Type type) {
  auto tile = dyn_cast<tile::TileType>(type);
  return tile && tile.getElementType().isSignlessInteger(32);
}

// How far an iteration moves the carried tile; nothing if it does something else.
std::optional<Int> distanceOf(scf::ForOp loop, unsigned index, OpBuilder &b) {
  Value carried = loop.getRegionIterArg(index), yielded = loop.getYieldedValues()[index];
  if (yielded == carried)
    return std::nullopt;
  Positions positions = Reader(b, loop.getLoc()).positions(yielded);
  bool moves = positions.rest.size() == 1 && positions.rest[0].tile == carried && positions.rest[0].scale.is(1) &&
               llvm::all_of(positions.strides, [](const Int &stride) { return stride.is(0); });
  return moves ? std::optional(positions.start) : std::nullopt;
}

void carryNumber(scf::ForOp &loop, unsigned index, Int distance) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value start = loop.getInitArgs()[index];
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  {
    OpBuilder inside(loop.getBody()->getTerminator());
    Value step = Numbers(inside, loc).i32(distance);
    IRRewriter rewriter(b);
    auto wider = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, zero, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &at, Location where, ArrayRef<BlockArgument> added) -> SmallVector<Value> {
          return {arith::AddIOp::create(at, where, added[0], step)};
        }));
    loop = wider;
  }
  auto moved = [&](OpBuilder &at, Value number) {
    return tile::BinaryOp::create(at, loc, start.getType(), tile::BinaryKind::Add, start, number).getResult();
  };
  Value carried = loop.getRegionIterArg(index);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  carried.replaceAllUsesWith(moved(inside, loop.getRegionIterArgs().back()));
  OpBuilder after(loop);
  after.setInsertionPointAfter(loop);
  loop.getResult(index).replaceAllUsesWith(moved(after, loop.getResults().back()));
  loop.getBody()->getTerminator()->setOperand(index, carried);
}

struct CarryScalars final : tilesmith::impl::CarryScalarsBase<CarryScalars> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PostOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      for (unsigned index = 0, count = loop.getNumResults(); index < count; ++index) {
        if (!isOffsets(loop.getResult(index).getType()))
          continue;
        OpBuilder b(loop.getBody()->getTerminator());
        if (std::optional<Int> distance = distanceOf(loop, index, b))
          carryNumber(loop, index, *distance);
      }
  }
};

} // namespace
