// Form accumulators: sums of products that loops carry stay where products are made.
//
// Guarantee: where a loop carries a tile of sums that begins with zeros, and an iteration does nothing with it but add
// one product, the loop carries the accumulator of the product. It leaves L0C once, after the loop.
#include "tilesmith/Transforms/Triton/TritonPasses.h"

#include "mlir/IR/Matchers.h"

namespace tilesmith {
#define GEN_PASS_DEF_FORMACCUMULATORS
#include "tilesmith/Transforms/Triton/TritonPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;

namespace {

struct Sum {
  tile::BinaryOp add;
  tile::CopyOp copy;
  tile::MatmulOp product;
};

// The sum of the carried tile and a product of which nothing else is known.
std::optional<Sum> sumOf(scf::ForOp loop, unsigned index) {
  Value carried = loop.getRegionIterArg(index);
  auto add = loop.getYieldedValues()[index].getDefiningOp<tile::BinaryOp>();
  auto splat = loop.getInitArgs()[index].getDefiningOp<tile::SplatOp>();
  bool fromZero =
      splat && (matchPattern(splat.getValue(), m_AnyZeroFloat()) || matchPattern(splat.getValue(), m_Zero()));
  if (!add || !fromZero || add.getKind() != tile::BinaryKind::Add || !carried.hasOneUse() || !add->hasOneUse())
    return std::nullopt;
  Value other = add.getLhs() == carried ? add.getRhs() : add.getRhs() == carried ? add.getLhs() : Value();
  auto copy = other ? other.getDefiningOp<tile::CopyOp>() : tile::CopyOp();
  auto product = copy && copy->hasOneUse() ? copy.getOperand().getDefiningOp<tile::MatmulOp>() : tile::MatmulOp();
  if (!product || !product->hasOneUse() || product.getAcc() || product.getType().getRank() != 2 ||
      add->getBlock() != loop.getBody() || product->getBlock() != loop.getBody())
    return std::nullopt;
  return Sum{add, copy, product};
}

struct FormAccumulators final : tilesmith::impl::FormAccumulatorsBase<FormAccumulators> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      for (unsigned index = 0; index < loop.getNumResults(); ++index)
        if (std::optional<Sum> sum = sumOf(loop, index))
          keepInPlace(loop, index, *sum);
  }

  static void keepInPlace(scf::ForOp loop, unsigned index, Sum sum) {
    OpBuilder b(loop);
    tile::TileType type = sum.product.getType(), outside = sum.add.getType();
    loop.getInitArgsMutable()[index].assign(tile::ZerosAccOp::create(b, loop.getLoc(), type));
    Value carried = loop.getRegionIterArg(index), result = loop.getResult(index);
    carried.setType(type);
    result.setType(type);
    b.setInsertionPoint(sum.product);
    Value added =
        tile::MatmulOp::create(b, sum.product.getLoc(), type, sum.product.getLhs(), sum.product.getRhs(), carried);
    loop.getBody()->getTerminator()->setOperand(index, added);
    sum.add->erase();
    sum.copy->erase();
    sum.product->erase();
    if (result.use_empty())
      return;
    b.setInsertionPointAfter(loop);
    Value zero = arith::ConstantOp::create(b, loop.getLoc(), b.getI32IntegerAttr(0));
    Value left = tile::CopyOp::create(b, loop.getLoc(), outside, result, ValueRange{zero, zero});
    result.replaceAllUsesExcept(left, left.getDefiningOp());
  }
};

} // namespace
