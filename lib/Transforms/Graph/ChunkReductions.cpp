// Chunk reductions: an axis whose size only the launch tells is reduced in a loop over chunks of it.
//
// What is reduced must be computed from arrays element by element, or by reductions along other axes, and the other
// axes have known sizes. The chain that computes it is made again inside of the loop, for one chunk, beginning with
// views of the arrays; the loop carries the result so far. The size of a chunk depends on the other axes only, so tile
// shapes change no byte.
#include "GraphBuilder.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <limits>

namespace tilesmith {
#define GEN_PASS_DEF_CHUNKREDUCTIONS
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;
using tile::ReduceKind;

// Elements of a chunk over all axes, and along the reduced one.
static constexpr int64_t mostElements = 8192, mostAlong = 2048;

static bool isOpen(Value value, int64_t axis) {
  auto type = dyn_cast<WholeTensorType>(value.getType());
  return type && ShapedType::isDynamic(type.getShape()[axis]);
}

// Whether the operation may write into the array. A workspace is no other array.
static bool writes(Operation &op, Value array) {
  auto result = op.walk([&](Operation *inner) {
    MemoryAccess access = accessOf(inner);
    if (!access.writes)
      return WalkResult::advance();
    Value written = arrayOf(access.memory);
    bool apart = written != array && (written.getDefiningOp<WorkspaceOp>() || array.getDefiningOp<WorkspaceOp>());
    return apart ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

// The operations that make the tensor along the open axis, in order; false: they cannot be made again at `end`.
static bool collect(Value tensor, int64_t axis, Operation *end, llvm::SetVector<Operation *> &chain) {
  Operation *op = tensor.getDefiningOp();
  if (!op || op->getBlock() != end->getBlock())
    return false;
  if (chain.contains(op))
    return true;
  if (auto view = dyn_cast<ViewOp>(op)) {
    for (Operation *next = op; next != end; next = next->getNextNode())
      if (writes(*next, arrayOf(view.getMemory())))
        return false;
  } else {
    auto reduce = dyn_cast<ReduceOp>(op);
    if (!llvm::isa<UnaryOp, BinaryOp, CompareOp, SelectOp, CastOp, ExpandOp>(op) &&
        !(reduce && int64_t(reduce.getAxis()) != axis))
      return false;
    // What is not open may stay where it is; made again, it does not keep what is outside of the loop whole.
    for (Value operand : op->getOperands())
      if (llvm::isa<WholeTensorType>(operand.getType()) && !collect(operand, axis, end, chain) && isOpen(operand, axis))
        return false;
  }
  return chain.insert(op);
}

static Value neutral(OpBuilder &b, Location loc, ReduceKind kind, Type element) {
  if (auto real = dyn_cast<FloatType>(element)) {
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    double number = kind == ReduceKind::Sum    ? 0
                    : kind == ReduceKind::Prod ? 1
                    : kind == ReduceKind::Max  ? -infinity
                                               : infinity;
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(real, number));
  }
  unsigned width = element.getIntOrFloatBitWidth();
  bool isSigned = !element.isUnsignedInteger();
  llvm::APInt number = kind == ReduceKind::Sum    ? llvm::APInt(width, 0)
                       : kind == ReduceKind::Prod ? llvm::APInt(width, 1)
                       : kind == ReduceKind::Max
                           ? (isSigned ? llvm::APInt::getSignedMinValue(width) : llvm::APInt::getMinValue(width))
                           : (isSigned ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width));
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(tile::scalarTypeOf(element), number));
}

static BinaryKind joining(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
    return BinaryKind::Add;
  case ReduceKind::Max:
    return BinaryKind::Max;
  case ReduceKind::Min:
    return BinaryKind::Min;
  case ReduceKind::Prod:
    return BinaryKind::Mul;
  }
  llvm_unreachable("a reduction");
}

namespace {
struct ChunkReductionsPass : tilesmith::impl::ChunkReductionsBase<ChunkReductionsPass> {
  void runOnOperation() override {
    SmallVector<ReduceOp> open;
    getOperation().walk([&](ReduceOp op) {
      if (isOpen(op.getOperand(), op.getAxis()) &&
          llvm::none_of(op.getResult().getType().getShape(), ShapedType::isDynamic))
        open.push_back(op);
    });
    llvm::SetVector<Block *> blocks;
    for (ReduceOp op : open) {
      blocks.insert(op->getBlock());
      cut(op);
    }
    for (Block *block : blocks)
      sink(*block);
  }

  // What is computed before a loop and used behind it only is made beside its users, so that groups do not span what
  // the loop writes.
  static void sink(Block &block) {
    SmallVector<Operation *> ops;
    for (Operation &op : block)
      if (llvm::isa<GraphDialect>(op.getDialect()) && op.getNumResults() == 1 &&
          (llvm::isa<ViewOp>(op) || isMemoryEffectFree(&op)))
        ops.push_back(&op);
    for (Operation *op : llvm::reverse(ops)) {
      Operation *first = nullptr;
      for (Operation *user : op->getUsers())
        if (Operation *there = block.findAncestorOpInBlock(*user); !first || there->isBeforeInBlock(first))
          first = there;
      if (!first)
        continue;
      auto view = dyn_cast<ViewOp>(op);
      bool isWritten = false;
      for (Operation *next = op->getNextNode(); view && next != first; next = next->getNextNode())
        isWritten |= writes(*next, arrayOf(view.getMemory()));
      if (!isWritten)
        op->moveBefore(first);
    }
  }

  // What a loop carries keeps its users whole. If an open axis comes of them, which must be cut, they read the result
  // in the workspace. Returns the last operation of the loop and of that.
  static Operation *shareByMemory(scf::ForOp loop) {
    Value total = loop.getResult(0);
    llvm::SetVector<Operation *> users(total.user_begin(), total.user_end());
    for (size_t i = 0; i < users.size(); ++i)
      users.insert(users[i]->user_begin(), users[i]->user_end());
    auto isDynamic = [](Type type) {
      auto tensor = dyn_cast<WholeTensorType>(type);
      return tensor && llvm::any_of(tensor.getShape(), ShapedType::isDynamic);
    };
    if (llvm::none_of(users, [&](Operation *user) { return llvm::any_of(user->getResultTypes(), isDynamic); }))
      return loop;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : total.getUses())
      if (llvm::isa<GraphDialect>(use.getOwner()->getDialect()))
        uses.push_back(&use);
    OpBuilder b(loop->getContext());
    b.setInsertionPointAfter(loop);
    Location loc = loop.getLoc();
    WholeTensorType type = GraphBuilder::typeOf(total);
    Type element = type.getElementType();
    int64_t bytes = llvm::product_of(type.getShape()) * element.getIntOrFloatBitWidth() / 8;
    Value base = WorkspaceOp::create(b, loc, tile::PtrType::get(b.getContext(), element), bytes);
    auto described = tile::GlobalTensorType::get(b.getContext(), type.getShape(), element);
    Value memory = tile::TensorOp::create(b, loc, described, base, Value(), ValueRange(), ValueRange());
    GraphBuilder g(b, loc);
    SmallVector<Value> origin(type.getRank(), g.i32(0)), sizes;
    for (int64_t size : type.getShape())
      sizes.push_back(g.i32(size));
    auto last = AssembleOp::create(b, loc, total, memory, origin, sizes, DenseI64ArrayAttr(), UnitAttr());
    for (OpOperand *use : uses) {
      b.setInsertionPoint(use->getOwner());
      use->set(ViewOp::create(b, loc, type, memory, origin));
    }
    return last;
  }

  void cut(ReduceOp op) {
    int64_t axis = op.getAxis();
    llvm::SetVector<Operation *> chain;
    if (!collect(op.getOperand(), axis, op, chain))
      return;
    OpBuilder b(op);
    GraphBuilder g(b, op.getLoc(), op.getTileShapeAttr());
    WholeTensorType type = op.getResult().getType();
    int64_t size = std::clamp<int64_t>(mostElements / llvm::product_of(type.getShape()), 1, mostAlong);
    if (auto chunk = op->getAttrOfType<IntegerAttr>(chunkAttrName))
      size = chunk.getInt();
    Value start = FullOp::create(b, g.loc, type, neutral(b, g.loc, op.getKind(), type.getElementType()), g.tile);
    auto loop = scf::ForOp::create(b, g.loc, g.i32(0), op.getValid(), g.i32(size), start);
    b.setInsertionPointToStart(loop.getBody());
    Value begin = loop.getInductionVar();
    IRMapping map;
    for (Operation *one : chain) {
      Operation *made = b.clone(*one, map);
      Value result = made->getResult(0);
      if (!isOpen(result, axis))
        continue;
      SmallVector<int64_t> shape(GraphBuilder::typeOf(result).getShape());
      shape[axis] = size;
      result.setType(GraphBuilder::typeOf(result).withShape(shape));
      if (auto view = dyn_cast<ViewOp>(made)) {
        b.setInsertionPoint(made);
        view.getOffsetsMutable()[axis].set(g.plus(view.getOffsets()[axis], begin));
        b.setInsertionPointAfter(made);
      }
    }
    Value valid = g.atMost(g.minus(op.getValid(), begin), g.i32(size));
    Value part = g.reduce(op.getKind(), map.lookup(op.getOperand()), axis, valid);
    Value sum = g.binary(joining(op.getKind()), loop.getRegionIterArg(0), part);
    scf::YieldOp::create(b, g.loc, sum);
    op.getResult().replaceAllUsesWith(loop.getResult(0));
    op.erase();
    Operation *last = shareByMemory(loop);
    // What is needed behind the loop only is made there, beside its users.
    for (Operation *one : llvm::reverse(chain)) {
      if (isOpTriviallyDead(one))
        one->erase();
      else if (llvm::all_of(one->getUsers(), [&](Operation *user) {
                 Operation *there = loop->getBlock()->findAncestorOpInBlock(*user);
                 return there && loop->isBeforeInBlock(there);
               }))
        one->moveAfter(last);
    }
  }
};
} // namespace
