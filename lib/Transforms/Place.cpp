// Place: gives every tile its memory.
//
// Operands of a matrix product come to L0A and L0B through L1: a load straight to L0A or L0B is split, and an operand
// that was loaded elsewhere is loaded to L1 and copied. A transposed operand is turned by that copy. Results stay in
// L0C; relu and cast on them are folded into the store later. Equal accumulators are kept apart, because products
// change them in place. A kernel runs on vector cores or on matrix cores: one that needs both is refused, naming both
// places.
#include "Divisor.h"
#include "Matrices.h"
#include "tilesmith/Dialect/Isa/Ranges.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Passes.h"
#include "tilesmith/Transforms/Remarks.h"

namespace tilesmith {
#define GEN_PASS_DEF_PLACE
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::Memory;

static Value copyTo(OpBuilder &b, Value tile, Memory memory) {
  auto type = cast<tile::TileType>(tile.getType());
  Value zero = arith::ConstantOp::create(b, tile.getLoc(), b.getI32IntegerAttr(0));
  return tile::CopyOp::create(b, tile.getLoc(), type.withMemory(memory), tile,
                              SmallVector<Value>(type.getRank(), zero));
}

// A load straight to L0 becomes a load to L1 and a copy.
static void splitLoad(tile::LoadOp load) {
  Memory target = load.getType().getMemory();
  OpBuilder b(load->getContext());
  b.setInsertionPointAfter(load);
  load.getResult().setType(load.getType().withMemory(Memory::L1));
  Value copy = copyTo(b, load.getResult(), target);
  load.getResult().replaceAllUsesExcept(copy, copy.getDefiningOp());
}

// A load straight to L0 that is transposed afterwards goes to L1: the copy from there turns it.
static void bringToL1(tile::TransposeOp op) {
  Memory memory = op.getType().getMemory();
  auto load = op.getOperand().getDefiningOp<tile::LoadOp>();
  if ((memory != Memory::L0A && memory != Memory::L0B) || !load || !load.getResult().hasOneUse())
    return;
  load.getResult().setType(load.getType().withMemory(Memory::L1));
  op.getResult().setType(op.getType().withMemory(Memory::L1));
}

// A copy from a transposed tile in L1 copies from the tile itself, and turns.
static void turnCopy(tile::CopyOp copy) {
  auto transpose = copy.getOperand().getDefiningOp<tile::TransposeOp>();
  if (!transpose || !turnsMatrix(transpose) || transpose.getType().getMemory() != Memory::L1 ||
      copy.getType().getMemory() == Memory::UB)
    return;
  SmallVector<Value> offsets(copy.getOffsets());
  std::swap(offsets.end()[-2], offsets.end()[-1]);
  copy.getOperandMutable().assign(transpose.getOperand());
  copy.getOffsetsMutable().assign(offsets);
  copy.setTransposed(!copy.getTransposed());
  if (transpose->use_empty())
    transpose.erase();
}

static LogicalResult refuseBothCores(Operation *vector, tile::MatmulOp matrix) {
  InFlightDiagnostic error = vector->emitError()
                             << "the kernel needs a vector core for this '" << vector->getName().stripDialect()
                             << "' and a matrix core; split it into two kernels";
  error.attachNote(matrix.getLoc()) << "the matrix product is here";
  return error;
}

// A debugger that looks does not decide where a tile goes: probes are not counted.
static bool isUsedOnce(Operation *op) {
  return llvm::count_if(op->getUsers(), [](Operation *user) { return !llvm::isa<tile::ProbeOp>(user); }) == 1;
}

// An operand of a product, brought where the product reads it.
static LogicalResult placeOperand(tile::MatmulOp matmul, unsigned index, Memory target) {
  Value operand = matmul.getOperand(index);
  if (memoryOf(operand) == target)
    return success();
  if (memoryOf(operand) == Memory::UB) {
    // A loaded tile that only products read goes to L1 instead; any other tile in UB belongs to a vector core.
    Value root = behindTurns(operand).first;
    auto load = root.getDefiningOp<tile::LoadOp>();
    Operation *vector = load ? nullptr : root.getDefiningOp();
    if (!load && !vector)
      return matmul.emitError() << "operand " << index
                                << " of the matrix product is carried by a loop in UB; load it in the loop";
    if (load)
      vector = readerBesidesProducts(root);
    if (vector)
      return refuseBothCores(vector, matmul);
    moveTo(root, Memory::L1);
  }
  if (memoryOf(operand) == Memory::L0C) { // a result that is multiplied again
    OpBuilder b(matmul->getContext());
    b.setInsertionPointAfterValue(operand);
    operand = copyTo(b, operand, Memory::L1);
  }
  if (memoryOf(operand) != Memory::L1)
    return matmul.emitError() << "operand " << index << " of the matrix product lives in "
                              << isa::stringify(memoryOf(operand))
                              << "; products read tiles that were loaded from global memory";
  OpBuilder b(matmul);
  auto [source, turned] = behindTurns(operand);
  if (!turned) {
    matmul.setOperand(index, copyTo(b, operand, target));
    return success();
  }
  auto from = cast<tile::TileType>(source.getType()), to = cast<tile::TileType>(operand.getType());
  SmallVector<int64_t> shape(from.getShape());
  std::swap(shape.end()[-2], shape.end()[-1]);
  Value zero = arith::ConstantOp::create(b, matmul.getLoc(), b.getI32IntegerAttr(0));
  Value copy = tile::CopyOp::create(b, operand.getLoc(), from.withShape(shape).withMemory(target), source,
                                    SmallVector<Value>(from.getRank(), zero), /*transposed=*/true);
  if (from.getRank() != to.getRank())
    copy = tile::ReshapeOp::create(b, operand.getLoc(), to.withMemory(target), copy);
  matmul.setOperand(index, copy);
  return success();
}

// Matrices start before their tensor by whole blocks of columns only. Columns of a left operand are inner elements, and
// those before the tensor are zeros: where a block may be cut, both operands and the product leave them out.
static void leaveOutInnerBefore(tile::MatmulOp product) {
  auto left = product.getLhs().getDefiningOp<tile::LoadOp>(), right = product.getRhs().getDefiningOp<tile::LoadOp>();
  if (!left || !right || !isUsedOnce(left) || !isUsedOnce(right) || left->getBlock() != right->getBlock() ||
      !matchPattern(left.getPad(), m_AnyZeroFloat()) || !matchPattern(right.getPad(), m_AnyZeroFloat()))
    return;
  Value column = left.getOffsets()[1], row = right.getOffsets()[0];
  if (isa::rangeOf(column, isa::Arithmetic::IsExact).low >= 0 || divisorOf(column) % isa::fractalRows == 0)
    return;
  Operation *first = left->isBeforeInBlock(right) ? left : right;
  for (Value start : {column, row})
    if (Operation *op = start.getDefiningOp(); op && op->getBlock() == first->getBlock() && !op->isBeforeInBlock(first))
      return;
  OpBuilder b(first);
  Location loc = left.getLoc();
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value)).getResult();
  };
  Value zero = number(0), nowhere = number(int64_t(1) << 30);
  Value before = arith::MaxSIOp::create(b, loc, arith::SubIOp::create(b, loc, zero, column), zero);
  Value inner = arith::SubIOp::create(b, loc, number(left.getType().getShape()[1]), before);
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, inner, zero);
  Value leftStart = arith::MaxSIOp::create(b, loc, column, zero),
        rightStart = arith::AddIOp::create(b, loc, row, before);
  left->setOperand(2, arith::SelectOp::create(b, loc, any, leftStart, nowhere));
  right->setOperand(1, arith::SelectOp::create(b, loc, any, rightStart, nowhere));
  product.getInnerMutable().assign(arith::MaxSIOp::create(b, loc, inner, number(1)).getResult());
}

// Whether `user` may read the tile after `op` has changed it. Branches of one condition exclude each other.
static bool isReadAfter(Operation *user, Operation *op) {
  for (Operation *at = op; at; at = at->getParentOp())
    if (Operation *other = at->getBlock()->findAncestorOpInBlock(*user))
      return other == at ? !llvm::isa<scf::IfOp>(at) : at->isBeforeInBlock(other);
  return true;
}

// Whether `op` runs more than once for each time the tile is made.
static bool isRepeated(Operation *op, Value tile) {
  for (Operation *at = op->getParentOp(); at && !at->isAncestor(tile.getParentBlock()->getParentOp());
       at = at->getParentOp())
    if (llvm::isa<LoopLikeOpInterface>(at))
      return true;
  return false;
}

// What gives the tile's memory to a tile that products change.
static bool isConsumer(Operation *op) {
  return llvm::isa<tile::MatmulOp, RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(op) ||
         op->hasTrait<OpTrait::IsTerminator>();
}

// Accumulators are updated in place: who needs the zeros after somebody has changed them gets its own.
static void separateAccumulators(func::FuncOp kernel) {
  SmallVector<tile::ZerosAccOp> zeros;
  kernel.walk([&](tile::ZerosAccOp op) { zeros.push_back(op); });
  for (tile::ZerosAccOp op : zeros)
    for (OpOperand &use : llvm::make_early_inc_range(op.getResult().getUses())) {
      Operation *user = use.getOwner();
      bool changed = isConsumer(user) && isRepeated(user, op.getResult());
      for (OpOperand &other : op.getResult().getUses()) {
        Operation *owner = other.getOwner();
        if (&other != &use && isConsumer(owner) &&
            (owner == user ? other.getOperandNumber() < use.getOperandNumber() : isReadAfter(user, owner)))
          changed = true;
      }
      if (changed)
        use.set(OpBuilder(user).clone(*op)->getResult(0));
    }
}

static LogicalResult verifyAccumulator(tile::MatmulOp product) {
  Value acc = product.getAcc();
  if (!acc)
    return success();
  for (Operation *user : acc.getUsers())
    if (!llvm::isa<tile::ProbeOp>(user) &&
        (isRepeated(product, acc) || (user != product && isReadAfter(user, product))))
      return product.emitError() << "the accumulator is used again after this product; its old value is gone by then";
  return success();
}

// Whether an operation works on tiles in UB, which only vector cores have.
static bool needsVectorCore(Operation *op) {
  if (llvm::isa<tile::ProbeOp>(op) || op->getDialect()->getNamespace() != tile::TileDialect::getDialectNamespace())
    return false;
  auto inUb = [](Value value) {
    auto type = dyn_cast<tile::TileType>(value.getType());
    return type && type.getMemory() == Memory::UB;
  };
  return llvm::any_of(op->getOperands(), inUb) || llvm::any_of(op->getResults(), inUb);
}

// Relu and cast are what the way out of L0C can do.
static LogicalResult verifyResultUses(func::FuncOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) {
    if (op->getDialect()->getNamespace() != tile::TileDialect::getDialectNamespace())
      return WalkResult::advance();
    auto isResult = [](Value value) {
      return llvm::isa<tile::TileType>(value.getType()) && memoryOf(value) == Memory::L0C;
    };
    if (llvm::none_of(op->getOperands(), isResult))
      return WalkResult::advance();
    auto unary = dyn_cast<tile::UnaryOp>(op);
    if (llvm::isa<tile::MatmulOp, tile::StoreOp, tile::AtomicOp, tile::CastOp, tile::CopyOp, tile::ReshapeOp,
                  tile::ProbeOp>(op) ||
        (unary && unary.getKind() == tile::UnaryKind::Relu))
      return WalkResult::advance();
    op->emitError() << "the result of a matrix product can be stored, copied to L1, or pass relu and a cast; '"
                    << op->getName().stripDialect() << "' needs a vector core";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct PlacePass : tilesmith::impl::PlaceBase<PlacePass> {
  using PlaceBase::PlaceBase;
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    SmallVector<tile::LoadOp> loads;
    SmallVector<tile::MatmulOp> products;
    kernel.walk([&](Operation *op) {
      if (auto load = dyn_cast<tile::LoadOp>(op))
        loads.push_back(load);
      else if (auto product = dyn_cast<tile::MatmulOp>(op))
        products.push_back(product);
    });
    SmallVector<tile::TransposeOp> transposes;
    SmallVector<tile::CopyOp> copies;
    kernel.walk([&](tile::TransposeOp op) { transposes.push_back(op); });
    kernel.walk([&](tile::CopyOp op) { copies.push_back(op); });
    for (tile::TransposeOp op : transposes)
      bringToL1(op);
    for (tile::CopyOp op : copies)
      turnCopy(op);
    for (tile::MatmulOp product : products)
      leaveOutInnerBefore(product);
    for (tile::LoadOp load : loads)
      if (load.getType().getMemory() == Memory::L0A || load.getType().getMemory() == Memory::L0B)
        splitLoad(load);
    for (tile::MatmulOp product : products)
      if (failed(placeOperand(product, 0, Memory::L0A)) || failed(placeOperand(product, 1, Memory::L0B)))
        return signalPassFailure();

    kernel.walk([](tile::TransposeOp op) { // products read past them now
      if (op->use_empty())
        op.erase();
    });

    separateAccumulators(kernel);
    for (tile::MatmulOp product : products)
      if (failed(verifyAccumulator(product)))
        return signalPassFailure();

    Operation *vector = nullptr;
    kernel.walk([&](Operation *op) {
      if (!vector && needsVectorCore(op))
        vector = op;
    });
    if (vector && !products.empty()) {
      (void)refuseBothCores(vector, products.front());
      return signalPassFailure();
    }
    if (failed(verifyResultUses(kernel)))
      return signalPassFailure();
    remark::analysis(kernel.getLoc(), remarkOf(getArgument(), "tiles"))
        << remark::metric("loads", loads.size()) << remark::metric("products", products.size());
  }
};
} // namespace
