// Divide loads: loads right operands that L1 does not hold twice in pieces along k.
//
// A tile that is there once can be loaded anew only when the last product has read it, and until then the way to L1 has
// nothing to do. Where the tiles that a loop loads do not fit into L1 twice, each right operand is loaded in pieces,
// each a tile of its own, and its products are done piece after piece: a piece is loaded anew (`preload-tiles`) while
// the next one is multiplied. Rows stay as long as they are, so the pieces take no longer than the whole.
//
// On the 950, where the latency of a load is short, pieces also pay where L1 has room: the first product of all waits
// for less.
//
// Products add in the order of k, so results are those of one product. A tile that something else reads stays whole.
#include "DirectChannels.h"
#include "Matrices.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Remarks.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace tilesmith {
#define GEN_PASS_DEF_DIVIDELOADS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::Memory;

static bool isInL1(Value tile) {
  auto type = dyn_cast<tile::TileType>(tile.getType());
  return type && type.getMemory() == Memory::L1;
}

namespace {
struct DivideLoadsPass : tilesmith::impl::DivideLoadsBase<DivideLoadsPass> {
  using DivideLoadsBase::DivideLoadsBase;

  void runOnOperation() override {
    FailureOr<isa::Arch> known = getArch(getOperation(), arch);
    if (failed(known))
      return signalPassFailure();
    SmallVector<Block *> bodies;
    getOperation().walk([&](scf::ForOp loop) { bodies.push_back(loop.getBody()); });
    for (Block *body : bodies) {
      SmallVector<tile::LoadOp> loads;
      for (auto load : body->getOps<tile::LoadOp>())
        if (isInL1(load.getResult()) && !isDirect(load))
          loads.push_back(load);
      bool fits = fitsTwice(loads);
      for (tile::LoadOp load : loads)
        if (!fits || (known == isa::Arch::C310 && bytesInL1(load.getType()) > long950))
          divide(load);
    }
  }

private:
  bool fitsTwice(ArrayRef<tile::LoadOp> loads) {
    int64_t bytes = 0;
    for (tile::LoadOp load : loads)
      bytes += 2 * bytesInL1(load.getType());
    // Tiles of the loops around this one stay meanwhile.
    if (!loads.empty())
      getOperation().walk([&](tile::LoadOp other) {
        tile::LoadOp first = loads.front();
        if (isInL1(other.getResult()) && !isDirect(other) && other->getBlock() != first->getBlock() &&
            other->getParentOp()->isProperAncestor(first))
          bytes += bytesInL1(other.getType());
      });
    return bytes <= l1 - directBytes(getOperation(), Memory::L1);
  }

  // The products of a tile, if it is the whole right operand of each and nothing else.
  static std::optional<SmallVector<tile::MatmulOp>> productsOf(tile::LoadOp load) {
    SmallVector<tile::MatmulOp> products;
    if (load.getType().getRank() != 2)
      return std::nullopt;
    for (Operation *user : load->getUsers()) {
      auto copy = dyn_cast<tile::CopyOp>(user);
      if (!copy || copy.getTransposed() || !matchPattern(copy.getOffsets()[0], m_Zero()) ||
          copy.getType().getShape()[0] != load.getType().getShape()[0])
        return std::nullopt;
      for (Operation *reader : copy->getUsers()) {
        auto product = dyn_cast<tile::MatmulOp>(reader);
        if (!product || product.getRhs() != copy.getResult() || product.getLhs() == copy.getResult())
          return std::nullopt;
        auto left = product.getLhs().getDefiningOp<tile::CopyOp>();
        if (!left || left.getTransposed() || left.getType().getRank() != 2 ||
            left.getOperand().getType().getMemory() != Memory::L1)
          return std::nullopt;
        products.push_back(product);
      }
    }
    return products;
  }

  void divide(tile::LoadOp load) {
    int64_t depth = load.getType().getShape()[0];
    int64_t count = std::max<int64_t>(2, llvm::PowerOf2Ceil(llvm::divideCeil(bytesInL1(load.getType()), longest)));
    std::optional<SmallVector<tile::MatmulOp>> products = productsOf(load);
    // Steps of one product take whole fractals, of 32-bit elements too.
    if (!products || products->empty() || depth % (count * matrixUnit(load.getType().getElementType()))) {
      remark::missed(load.getLoc(), remarkOf(getArgument(), "load")) << remark::reason("{0}", "it stays whole");
      return;
    }
    remark::passed(load.getLoc(), remarkOf(getArgument(), "load"))
        << remark::metric("pieces", count) << remark::metric("depth", depth / count);
    OpBuilder b(load);
    Location loc = load.getLoc();
    tile::TileType type = load.getType();
    SmallVector<Value> pieces;
    for (int64_t i = 0; i < count; ++i) {
      SmallVector<Value> offsets(load.getOffsets());
      if (i)
        offsets[0] = arith::AddIOp::create(b, loc, offsets[0], number(b, loc, i * depth / count));
      auto shape = type.withShape({depth / count, type.getShape()[1]});
      pieces.push_back(tile::LoadOp::create(b, loc, shape, load.getTensor(), offsets, load.getPad()));
    }
    for (tile::MatmulOp product : *products)
      multiply(product, pieces, depth / count);
    for (Operation *copy : llvm::make_early_inc_range(load->getUsers()))
      copy->erase();
    load.erase();
  }

  static Value number(OpBuilder &b, Location loc, int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

  // The product by pieces of its right operand.
  static void multiply(tile::MatmulOp product, ArrayRef<Value> pieces, int64_t depth) {
    OpBuilder b(product);
    Location loc = product.getLoc();
    auto left = product.getLhs().getDefiningOp<tile::CopyOp>(), right = product.getRhs().getDefiningOp<tile::CopyOp>();
    tile::TileType leftType = left.getType(), rightType = right.getType();
    Value sum = product.getAcc();
    for (auto [index, piece] : llvm::enumerate(pieces)) {
      int64_t first = int64_t(index) * depth;
      SmallVector<Value> offsets(left.getOffsets());
      if (first)
        offsets[1] = arith::AddIOp::create(b, loc, offsets[1], number(b, loc, first));
      auto shape = leftType.withShape({leftType.getShape()[0], depth});
      Value a = tile::CopyOp::create(b, loc, shape, left.getOperand(), offsets);
      shape = rightType.withShape({depth, rightType.getShape()[1]});
      Value r = tile::CopyOp::create(b, loc, shape, piece, right.getOffsets());
      Value inner;
      if (product.getInner()) {
        inner = arith::SubIOp::create(b, loc, product.getInner(), number(b, loc, first));
        inner = arith::MinSIOp::create(b, loc, inner, number(b, loc, depth));
        inner = arith::MaxSIOp::create(b, loc, inner, number(b, loc, 0));
      }
      sum = tile::MatmulOp::create(b, loc, product.getType(), a, r, sum, inner).getResult();
    }
    product.getResult().replaceAllUsesWith(sum);
    product.erase();
    if (left->use_empty())
      left.erase();
  }

  static constexpr int64_t longest = 128 * 1024; // bytes of a piece
  static constexpr int64_t long950 = 64 * 1024;
};
} // namespace
