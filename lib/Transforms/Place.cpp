// Place: gives every tile its memory, and the kernel its core.
//
// Operands of a matrix product come to L0A and L0B through L1: a load straight to L0A or L0B is split, and an operand
// that was loaded elsewhere is loaded to L1 and copied. Results stay in L0C; relu and cast on them are folded into the
// store later. Equal accumulators are kept apart, because products change them in place. A kernel runs on vector cores
// or on matrix cores: one that needs both is refused, naming both places.
#include "tilesmith/Transforms/Passes.h"

namespace tilesmith {
#define GEN_PASS_DEF_PLACE
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::Memory;

static Memory memoryOf(Value tile) { return cast<tile::TileType>(tile.getType()).getMemory(); }

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

static LogicalResult refuseBothCores(Operation *vector, tile::MatmulOp matrix) {
  InFlightDiagnostic error = vector->emitError()
                             << "the kernel needs a vector core for this '" << vector->getName().stripDialect()
                             << "' and a matrix core; split it into two kernels";
  error.attachNote(matrix.getLoc()) << "the matrix product is here";
  return error;
}

// An operand of a product, brought where the product reads it.
static LogicalResult placeOperand(tile::MatmulOp matmul, unsigned index, Memory target) {
  Value operand = matmul.getOperand(index);
  if (memoryOf(operand) == target)
    return success();
  if (memoryOf(operand) == Memory::UB) {
    // A loaded tile that only products read goes to L1 instead; any other tile in UB belongs to a vector core.
    auto load = operand.getDefiningOp<tile::LoadOp>();
    Operation *vector = load ? nullptr : operand.getDefiningOp();
    if (!load && !vector)
      return matmul.emitError() << "operand " << index
                                << " of the matrix product is carried by a loop in UB; load it in the loop";
    for (Operation *user : operand.getUsers())
      if (!llvm::isa<tile::MatmulOp>(user) &&
          !(llvm::isa<tile::CopyOp>(user) && memoryOf(user->getResult(0)) != Memory::UB))
        vector = user;
    if (vector)
      return refuseBothCores(vector, matmul);
    load.getResult().setType(load.getType().withMemory(Memory::L1));
  }
  if (memoryOf(operand) != Memory::L1)
    return matmul.emitError() << "operand " << index << " of the matrix product lives in "
                              << isa::stringify(memoryOf(operand))
                              << "; products read tiles that were loaded from global memory";
  OpBuilder b(matmul);
  matmul.setOperand(index, copyTo(b, operand, target));
  return success();
}

// Accumulators are updated in place: two users of equal zeros need two of them.
static void separateAccumulators(func::FuncOp kernel) {
  SmallVector<tile::ZerosAccOp> zeros;
  kernel.walk([&](tile::ZerosAccOp op) { zeros.push_back(op); });
  for (tile::ZerosAccOp op : zeros)
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op.getResult().getUses()))) {
      OpBuilder b(op);
      use.set(b.clone(*op)->getResult(0));
    }
}

// Whether an operation works on tiles in UB, which only vector cores have.
static bool needsVectorCore(Operation *op) {
  if (op->getDialect()->getNamespace() != tile::TileDialect::getDialectNamespace())
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
    if (llvm::isa<tile::MatmulOp, tile::StoreOp, tile::AtomicOp, tile::CastOp, tile::CopyOp>(op) ||
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
    for (tile::LoadOp load : loads)
      if (load.getType().getMemory() == Memory::L0A || load.getType().getMemory() == Memory::L0B)
        splitLoad(load);
    for (tile::MatmulOp product : products)
      if (failed(placeOperand(product, 0, Memory::L0A)) || failed(placeOperand(product, 1, Memory::L0B)))
        return signalPassFailure();

    separateAccumulators(kernel);

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
    kernel->setAttr("isa.core", StringAttr::get(kernel.getContext(), products.empty() ? "vector" : "cube"));
  }
};
} // namespace
