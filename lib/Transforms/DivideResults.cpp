// Divide results: makes a product that L0C does not hold by parts of its result.
//
// A result that goes to one store in its block, through conversions at most, need not be there as a whole. Each part is
// a product of its own, of the rows and columns of the operands that it comes from, and is stored before the next one
// is begun. Products of pieces of an operand that add to one result stay together. Elements are sums of the same
// products in the same order. Another result stays whole, and planning says that it does not fit.
#include "Matrices.h"
#include "ProductParts.h"
#include "tilesmith/Transforms/Remarks.h"

namespace tilesmith {
#define GEN_PASS_DEF_DIVIDERESULTS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;

// Products that follow each other, and what happens to their result.
namespace {
struct Stored {
  SmallVector<tile::MatmulOp> products;
  SmallVector<Operation *> way; // the store, and before it conversions

  explicit Stored(tile::MatmulOp first) {
    for (tile::MatmulOp product = first; product; product = nextProduct(product))
      products.push_back(product);
    auto isPlain = [](tile::MatmulOp product) { return operandOf(product.getLhs()) && operandOf(product.getRhs()); };
    if (llvm::all_of(products, isPlain))
      follow(products.back().getResult());
  }
  tile::StoreOp store() const { return way.empty() ? tile::StoreOp() : dyn_cast<tile::StoreOp>(way.back()); }

private:
  void follow(Value value) {
    Block *block = value.getParentBlock();
    while (value.hasOneUse() && (*value.user_begin())->getBlock() == block && leavesInParts(*value.user_begin())) {
      Operation *user = *value.user_begin();
      if (!llvm::isa<tile::CastOp, tile::UnaryOp, tile::StoreOp>(user))
        return;
      way.push_back(user);
      if (!user->getNumResults())
        return;
      value = user->getResult(0);
    }
  }
};

struct DivideResultsPass : tilesmith::impl::DivideResultsBase<DivideResultsPass> {
  using DivideResultsBase::DivideResultsBase;

  void runOnOperation() override {
    SmallVector<tile::MatmulOp> large;
    getOperation().walk([&](tile::MatmulOp product) {
      ArrayRef<int64_t> shape = product.getType().getShape();
      if (!product.getAcc() && toFractals(shape[0]) * toFractals(shape[1]) * sizeOf(product.getType()) > l0c)
        large.push_back(product);
    });
    for (tile::MatmulOp product : large)
      if (Stored stored(product); stored.store())
        divide(stored);
  }

private:
  // Columns that a step of a product takes well.
  static constexpr int64_t mostColumns = 128;

  void divide(const Stored &stored) const {
    tile::MatmulOp last = stored.products.back();
    ArrayRef<int64_t> shape = last.getType().getShape();
    int64_t width = std::min(shape[1], mostColumns), rows = l0c / (toFractals(width) * sizeOf(last.getType()));
    int64_t height = std::min(shape[0], rows / isa::fractalRows * isa::fractalRows), parts = 0;
    for (int64_t column = 0; column < shape[1]; column += width)
      for (int64_t row = 0; row < shape[0]; row += height, ++parts) {
        PartPlace place{row, column, std::min(height, shape[0] - row), std::min(width, shape[1] - column)};
        Value part = multiply(stored.products, place, stored.store());
        for (Operation *op : stored.way)
          part = leavePart(op, part, place, stored.store());
      }
    remark::passed(last.getLoc(), remarkOf(getArgument(), "product")) << remark::metric("parts", parts);
    for (Operation *op : llvm::reverse(stored.way))
      op->erase();
    for (tile::MatmulOp product : llvm::reverse(stored.products))
      eraseProduct(product);
  }

  // A part of the result.
  static Value multiply(ArrayRef<tile::MatmulOp> products, const PartPlace &place, Operation *before) {
    OpBuilder b(before);
    auto [row, column, height, width] = place;
    Value sum;
    for (tile::MatmulOp product : products) {
      Location loc = product.getLoc();
      auto number = [&](int64_t value) -> Value {
        return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
      };
      int64_t depth = depthOf(product);
      Value left = operandOf(product.getLhs())->piece(b, loc, number(row), height, number(0), depth);
      Value right = operandOf(product.getRhs())->piece(b, loc, number(0), depth, number(column), width);
      auto type = product.getType().withShape({height, width});
      sum = tile::MatmulOp::create(b, loc, type, left, right, sum, product.getInner()).getResult();
    }
    return sum;
  }
};
} // namespace
