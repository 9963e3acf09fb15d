// Hand over: finds out which kind of core computes what, and makes explicit what goes from one to the other.
//
// Products and what lies in L1 and L0C belong to the cube core, everything in UB to the vector cores; scalars and
// control flow to both. A load that only products read is the cube core's; one that both read is done by both. A
// product's result that a vector operation reads is sent to the vector cores right behind its definition, and what
// vectors make for a product is sent to the cube core: a tile.send and a tile.receive of a channel of their own. The
// program stays one function that means what it meant; `split-cores` takes it apart.
//
// An array that the kernel writes on one kind of core and touches on the other belongs to the vector cores as a whole,
// so that its accesses keep the order of the program.
//
// A kernel that needs one kind of core stays as it is; another gets `tile.mixed`.
#include "Arrays.h"
#include "Matrices.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_HANDOVER
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::Memory;

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }
static bool isTileOp(Operation *op) {
  return op->getDialect() && op->getDialect()->getNamespace() == tile::TileDialect::getDialectNamespace();
}
static bool isIn(Value value, Memory memory) { return isTile(value) && memoryOf(value) == memory; }

// Whether the way out of L0C stores the tile as the operation asks.
static bool isStoredWhole(Operation *op) {
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return !store.getCount() && !store.getBits();
  if (auto atomic = dyn_cast<tile::AtomicOp>(op))
    return !atomic.getCount() && !atomic.getBits();
  return false;
}

// Whether the cube core does this with a result of a product: what it can do on the way out, and what hands it on.
static bool isDoneWithResults(Operation *op) {
  if (auto cast = dyn_cast<tile::CastOp>(op)) { // one conversion, of the sum
    Type type = cast.getType().getElementType();
    return cast.getOperand().getType().getElementType().isF32() && (type.isF32() || type.isF16() || type.isBF16());
  }
  if (auto unary = dyn_cast<tile::UnaryOp>(op))
    return unary.getKind() == tile::UnaryKind::Relu && llvm::isa<FloatType>(unary.getType().getElementType());
  if (auto view = dyn_cast<tile::ReshapeOp>(op))
    return isMatrixView(view);
  if (auto copy = dyn_cast<tile::CopyOp>(op))
    return copy.getType().getMemory() != Memory::UB;
  return llvm::isa<tile::MatmulOp, tile::ProbeOp>(op) || isStoredWhole(op) || !isTileOp(op);
}

namespace {
class HandOver {
public:
  explicit HandOver(func::FuncOp kernel) : kernel(kernel) {}

  LogicalResult run() {
    if (!isMixed())
      return success();
    if (failed(refuseProbes()))
      return failure();
    ownArrays();
    loadForProducts();
    SmallVector<Operation *> ops;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (isTileOp(op)) {
        takeResults(op);
        if (failed(giveOperands(op)))
          return failure();
      }
    for (tile::CopyOp copy : moves)
      if (copy.getType() == copy.getOperand().getType() &&
          llvm::all_of(copy.getOffsets(), [](Value offset) { return matchPattern(offset, m_Zero()); })) {
        copy.replaceAllUsesWith(copy.getOperand());
        copy.erase();
      }
    kernel->setAttr(tile::mixedAttrName, UnitAttr::get(kernel.getContext()));
    return success();
  }

  int64_t channels = 0;

private:
  // Which kinds of cores the kernel needs as it stands.
  bool isMixed() {
    llvm::DenseSet<Operation *> ofCube;
    kernel.walk([&](Operation *op) {
      if (llvm::isa<tile::MatmulOp, tile::ZerosAccOp>(op))
        firstProduct = firstProduct ? firstProduct : op;
      if (auto load = dyn_cast<tile::LoadOp>(op); load && !load->use_empty() && feedsOnlyProducts(load)) {
        SmallVector<Operation *> open = {op};
        while (!open.empty()) {
          Operation *next = open.pop_back_val();
          if (!ofCube.insert(next).second || (next != op && !isSameMatrix(next)))
            continue;
          llvm::append_range(open, next->getUsers());
        }
      }
    });
    if (!firstProduct)
      return false;
    kernel.walk([&](Operation *op) {
      if (!isTileOp(op) || llvm::isa<tile::ProbeOp>(op) || firstVector || ofCube.contains(op))
        return;
      bool inUb = llvm::any_of(op->getOperands(), [](Value v) { return isIn(v, Memory::UB); }) ||
                  llvm::any_of(op->getResults(), [](Value v) { return isIn(v, Memory::UB); });
      bool ofResult = llvm::any_of(op->getOperands(), [](Value v) { return isIn(v, Memory::L0C); });
      if (inUb || (ofResult && !isDoneWithResults(op)))
        firstVector = op;
    });
    return firstVector;
  }

  LogicalResult refuseProbes() {
    Operation *probe = nullptr;
    kernel.walk([&](tile::ProbeOp op) { probe = op; });
    if (!probe)
      return success();
    InFlightDiagnostic error = firstVector->emitError()
                               << "a kernel that runs on cube cores and vector cores cannot be debugged by statements";
    error.attachNote(firstProduct->getLoc()) << "the matrix product is here";
    error.attachNote(firstVector->getLoc()) << "help: debug it as it was compiled (--as-compiled)";
    return error;
  }

  //===- Arrays
  //-----------------------------------------------------------------------------------------------------===//

  void ownArrays() {
    struct Touched {
      bool byCube = false, byVector = false, written = false;
    };
    llvm::MapVector<Value, Touched> arrays;
    kernel.walk([&](Operation *op) {
      Value tensor = tensorOf(op);
      if (!tensor)
        return;
      Touched &touched = arrays[arrayOf(tensor)];
      touched.written |= writesTensor(op);
      if (auto load = dyn_cast<tile::LoadOp>(op)) {
        bool cube = memoryOf(load.getResult()) != Memory::UB || productReads(load.getResult());
        touched.byCube |= cube;
        touched.byVector |= !cube || !feedsOnlyProducts(load.getResult());
      } else if (llvm::isa<tile::StoreOp, tile::AtomicOp>(op)) {
        (isIn(op->getOperand(0), Memory::L0C) ? touched.byCube : touched.byVector) = true;
      } else if (llvm::isa<tile::SetOp, tile::GatherRowsOp, tile::ScatterRowsOp>(op)) {
        touched.byVector = true;
      } else { // both cores read single elements
        touched.byCube = touched.byVector = true;
      }
    });
    for (auto &[array, touched] : arrays)
      if (touched.written && touched.byCube && touched.byVector)
        owned.insert(array);
  }
  bool isOwned(Operation *access) { return owned.contains(arrayOf(tensorOf(access))); }

  //===- Loads
  //------------------------------------------------------------------------------------------------------===//

  static bool productReads(Value tile) {
    return llvm::any_of(tile.getUsers(), [](Operation *user) {
      if (auto view = dyn_cast<tile::ReshapeOp>(user))
        return isMatrixView(view) && productReads(view.getResult());
      if (auto turn = dyn_cast<tile::TransposeOp>(user))
        return turnsMatrix(turn) && productReads(turn.getResult());
      return llvm::isa<tile::MatmulOp>(user);
    });
  }

  // Loads of products go to L1, a second time where vectors read the tile as well.
  void loadForProducts() {
    SmallVector<tile::LoadOp> loads;
    kernel.walk([&](tile::LoadOp load) { loads.push_back(load); });
    for (tile::LoadOp load : loads) {
      if (isOwned(load)) {
        moveTo(load.getResult(), Memory::UB);
        continue;
      }
      if (memoryOf(load.getResult()) != Memory::UB)
        continue;
      if (!load->use_empty() && feedsOnlyProducts(load.getResult())) {
        moveTo(load.getResult(), Memory::L1);
        continue;
      }
      if (productReads(load.getResult()))
        separate(load);
    }
  }

  // A copy of the load, and of its views, for products.
  static Operation *separate(Operation *op) {
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    Operation *copy = b.clone(*op);
    for (OpOperand &use : llvm::make_early_inc_range(op->getResult(0).getUses())) {
      Operation *user = use.getOwner();
      if (llvm::isa<tile::MatmulOp>(user)) {
        use.set(copy->getResult(0));
      } else if (isSameMatrix(user) && productReads(user->getResult(0)) &&
                 (!llvm::isa<tile::ReshapeOp>(user) || isMatrixView(cast<tile::ReshapeOp>(user)))) {
        separate(user)->setOperand(0, copy->getResult(0));
      }
    }
    if (llvm::isa<tile::LoadOp>(op))
      moveTo(copy->getResult(0), Memory::L1);
    return copy;
  }

  //===- From the cube core to the vector cores
  //---------------------------------------------------------------------===//

  // What of L0C, or of L1, an operation needs in UB.
  void takeResults(Operation *op) {
    Value before = op->getNumOperands() ? op->getOperand(0) : Value();
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isIn(value, Memory::L1) && llvm::isa<tile::CopyOp>(op) && isIn(op->getResult(0), Memory::UB)) {
        auto load = behindViews(value).getDefiningOp<tile::LoadOp>();
        if (!load || value != load.getResult())
          continue; // lowering says that there is no such path
        OpBuilder b(load);
        auto again = cast<tile::LoadOp>(b.clone(*load));
        again.getResult().setType(load.getType().withMemory(Memory::UB));
        operand.set(again.getResult());
      }
      if (!isIn(value, Memory::L0C))
        continue;
      bool keeps = isDoneWithResults(op) && !(tensorOf(op) && isOwned(op));
      if (keeps)
        continue;
      operand.set(taken(value, op));
    }
    // What is made element by element of what the vector cores have, they have, too.
    if (!llvm::isa<tile::MatmulOp>(op) && llvm::any_of(op->getOperands(), [](Value v) { return isIn(v, Memory::UB); }))
      for (Value result : op->getResults())
        if (isIn(result, Memory::L0C))
          result.setType(cast<tile::TileType>(result.getType()).withMemory(Memory::UB));
    if (auto copy = dyn_cast<tile::CopyOp>(op); copy && copy.getOperand() != before)
      moves.insert(copy);
  }

  Value taken(Value value, Operation *by) { return cross(value, Memory::UB, received, by); }

  //===- From the vector cores to the cube core
  //---------------------------------------------------------------------===//

  // What a product, or a copy to where products read, needs of UB.
  LogicalResult giveOperands(Operation *op) {
    auto copy = dyn_cast<tile::CopyOp>(op);
    bool toCube = llvm::isa<tile::MatmulOp>(op) || (copy && copy.getType().getMemory() != Memory::UB);
    if (!toCube)
      return success();
    for (OpOperand &operand : op->getOpOperands())
      if (isIn(operand.get(), Memory::UB)) {
        auto type = cast<tile::TileType>(operand.get().getType());
        if (type.getRank() < 2 || llvm::any_of(type.getShape().drop_back(2), [](int64_t dim) { return dim != 1; }))
          return op->emitError() << "the cube core takes matrices from the vector cores, and this tile has "
                                 << type.getRank() << " dimensions";
        operand.set(cross(operand.get(), Memory::L1, given, op));
      }
    if (copy)
      moves.insert(copy);
    return success();
  }

  //===- Channels
  //---------------------------------------------------------------------------------------------------===//

  // What is received stands where it is first used, in messages and profiles, under the name it has.
  static Location placeOfUse(Value value, Operation *by) {
    Location place = by->getLoc();
    if (auto named = dyn_cast<NameLoc>(place))
      place = named.getChildLoc();
    auto name = dyn_cast<NameLoc>(value.getLoc());
    return name ? Location(NameLoc::get(name.getName(), place)) : place;
  }

  Value cross(Value value, Memory memory, llvm::DenseMap<Value, Value> &known, Operation *by) {
    Value &there = known[value];
    if (there)
      return there;
    OpBuilder b(kernel.getContext());
    b.setInsertionPointAfterValue(value);
    Location loc = value.getLoc();
    tile::SendOp::create(b, loc, value, uint64_t(channels));
    auto receive = tile::ReceiveOp::create(
        b, placeOfUse(value, by), cast<tile::TileType>(value.getType()).withMemory(memory), uint64_t(channels));
    ++channels;
    return there = receive.getResult();
  }

  func::FuncOp kernel;
  Operation *firstProduct = nullptr, *firstVector = nullptr;
  llvm::SetVector<tile::CopyOp> moves;          // that may have become superfluous
  llvm::DenseSet<Value> owned;                  // arrays
  llvm::DenseMap<Value, Value> received, given; // by what was sent
};

struct HandOverPass : tilesmith::impl::HandOverBase<HandOverPass> {
  using HandOverBase::HandOverBase;
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!kernel->hasAttr(tile::kernelAttrName))
      return;
    HandOver handOver(kernel);
    if (failed(handOver.run()))
      return signalPassFailure();
    remark::analysis(kernel.getLoc(), remarkOf(getArgument(), "channels"))
        << remark::metric("channels", handOver.channels);
  }
};
} // namespace
