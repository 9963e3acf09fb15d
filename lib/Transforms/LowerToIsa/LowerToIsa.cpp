// Lower to isa: tile values become buffers, tile operations instructions.
//
// Every tile gets a buffer of its own and every operation writes the buffer of its result; loops carry tiles in buffers
// of their own (ControlFlow.cpp). Loads and stores are clipped to the tensor in every dimension, with run-time tests
// only where a tile can be partial (Moves.cpp). On C220 each operation becomes instructions through UB; on C310 runs of
// element-wise operations become vector functions (VectorFunctions.cpp). At the end no tile operation is left.
#include "Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tilesmith {
#define GEN_PASS_DEF_LOWERTOISA
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;

Lowering::Lowering(func::FuncOp kernel, isa::Arch arch, bool fuse)
    : Emitter(kernel, arch), kernel(kernel), fuse(fuse) {}

// Array parameters become buffers in global memory.
static void convertSignature(func::FuncOp kernel) {
  SmallVector<Type> inputs;
  for (BlockArgument argument : kernel.getArguments()) {
    if (auto pointer = dyn_cast<tile::PtrType>(argument.getType()))
      argument.setType(isa::BufferType::get(kernel.getContext(), isa::Memory::GM, pointer.getElementType()));
    inputs.push_back(argument.getType());
  }
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), inputs, kernel.getResultTypes()));
}

// Whether the pipe of vector instructions tells another core that it is done with what stands before. (It may wait for
// one before a group whose values nobody has seen.)
static bool endsVectors(Operation *op) {
  auto set = dyn_cast<isa::CrossCoreSetOp>(op);
  return set && set.getFrom().getValue() == isa::Pipe::V;
}

LogicalResult Lowering::run() {
  convertSignature(kernel);
  allocSlots();
  if (arch == isa::Arch::C310)
    repeatAtUses(kernel);
  if (failed(lowerBlock(kernel.getBody().front())))
    return failure();
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  kernel->removeAttr(tile::kernelAttrName);
  kernel->setAttr(isa::kernelAttrName, b.getUnitAttr());
  kernel->setAttr(isa::archAttrName, b.getStringAttr(StringRef(isa::stringify(arch))));
  if (kernel->removeAttr(tile::breakpointsAttrName))
    kernel->setAttr(isa::breakpointsAttrName, b.getUnitAttr());
  if (!prints.empty())
    kernel->setAttr(isa::printsAttrName, b.getArrayAttr(prints));
  return success();
}

LogicalResult Lowering::lowerBlock(Block &block) {
  Group group;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    loc = op.getLoc();
    if (arch == isa::Arch::C310) {
      if (isVectorisable(&op, group)) {
        if (!joins(&op, group)) {
          b.setInsertionPoint(&op);
          if (failed(close(group)))
            return failure();
          joins(&op, group);
        }
        dead.push_back(&op);
        continue;
      }
      // Loads and scalar code pass a group that waits for more; what could see its values may not.
      bool sees = op.getNumRegions() || op.hasTrait<OpTrait::IsTerminator>() || endsVectors(&op);
      for (Value operand : op.getOperands())
        sees |= operand.getDefiningOp() && group.members.contains(operand.getDefiningOp());
      // A result that goes into a carried buffer ends the old value there, which the group may still want to read.
      for (Value result : op.getResults())
        sees |= wanted.contains(result);
      if (sees) {
        b.setInsertionPoint(&op);
        if (failed(close(group)))
          return failure();
      }
    }
    loc = op.getLoc();
    b.setInsertionPoint(&op);
    if (failed(lower(&op)))
      return failure();
  }
  return success();
}

LogicalResult Lowering::lower(Operation *op) {
  if (op->getDialect()->getNamespace() == tile::TileDialect::getDialectNamespace())
    dead.push_back(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tile::TensorOp op) { return lowerTensor(op); })
      .Case([&](tile::LimitOp op) { return lowerLimit(op); })
      .Case([&](tile::LoadOp op) {
        if (isInSlot(op))
          return lieInSlot(op), success();
        return op.getType().getMemory() == isa::Memory::UB ? lowerLoad(op) : lowerCubeLoad(op);
      })
      .Case([&](tile::StoreOp op) {
        return lowerStore(op, op.getValue(), op.getTensor(), op.getOffsets(), Choice(op.getCount(), op.getBits()));
      })
      .Case([&](tile::AtomicOp op) { return lowerAtomic(op); })
      .Case([&](tile::GetOp op) { return lowerGet(op); })
      .Case([&](tile::SetOp op) { return lowerSet(op); })
      .Case<tile::UnaryOp, tile::CastOp>([&](Operation *op) {
        // On the way out of L0C the store does it.
        if (cast<tile::TileType>(op->getResult(0).getType()).getMemory() == isa::Memory::L0C) {
          buffers[op->getResult(0)] = bufferOf(op->getOperand(0));
          return success();
        }
        auto unary = dyn_cast<tile::UnaryOp>(op);
        return unary ? lowerUnary(unary) : lowerCast(cast<tile::CastOp>(op));
      })
      .Case([&](tile::BinaryOp op) { return lowerBinary(op); })
      .Case([&](tile::CompareOp op) { return lowerCompare(op); })
      .Case([&](tile::SelectOp op) { return lowerSelect(op); })
      .Case([&](tile::LanesOp op) { return lowerLanes(op); })
      .Case([&](tile::PrintOp op) { return lowerPrint(op); })
      .Case([&](tile::KeepOp) {
        isa::KeepOp::create(b, loc);
        return success();
      })
      .Case([&](tile::AssertOp op) {
        isa::AssertOp::create(b, loc, op.getCondition(), op.getMessageAttr());
        return success();
      })
      .Case([&](tile::ProbeOp op) { return lowerProbe(op); })
      .Case([&](tile::ArangeOp op) { return lowerArange(op); })
      .Case([&](tile::GatherOp op) { return lowerGather(op); })
      .Case([&](tile::ScatterOp op) { return lowerScatter(op); })
      .Case([&](tile::TransposeOp op) { return lowerTranspose(op); })
      .Case([&](tile::CumsumOp op) { return lowerCumsum(op); })
      .Case([&](tile::SortOp op) { return lowerSort(op); })
      .Case([&](tile::GatherRowsOp op) { return lowerGatherRows(op); })
      .Case([&](tile::ScatterRowsOp op) { return lowerScatterRows(op); })
      .Case([&](tile::SplatOp op) { return lowerSplat(op); })
      .Case([&](tile::ExtractOp op) { return lowerExtract(op); })
      .Case([&](tile::ReduceOp op) { return lowerReduce(op); })
      .Case([&](tile::BroadcastOp op) { return lowerBroadcast(op); })
      .Case([&](tile::ReshapeOp op) {
        buffers[op.getResult()] = bufferOf(op.getOperand());
        return success();
      })
      .Case([&](tile::BitcastOp op) {
        buffers[op.getResult()] = view(bufferOf(op.getOperand()), op.getType().getElementType());
        return success();
      })
      .Case([&](tile::CopyOp op) {
        return op.getType().getMemory() == isa::Memory::UB ? lowerCopy(op) : lowerCubeCopy(op);
      })
      .Case([&](tile::ConcatOp op) { return lowerConcat(op); })
      .Case([&](tile::InsertOp op) { return lowerInsert(op); })
      .Case([&](tile::ZerosAccOp op) { return lowerZerosAcc(op); })
      .Case([&](tile::MatmulOp op) { return lowerMatmul(op); })
      .Case<tile::BlockIdxOp, tile::BlockNumOp>([&](Operation *op) {
        StringRef mnemonic = llvm::isa<tile::BlockIdxOp>(op) ? "block_idx" : "block_num";
        Value wide = emit(mnemonic, {}, b.getI64Type())->getResult(0);
        op->getResult(0).replaceAllUsesWith(arith::TruncIOp::create(b, loc, b.getI32Type(), wide));
        return success();
      })
      .Case([&](scf::ForOp op) { return lowerFor(op); })
      .Case([&](scf::IfOp op) { return lowerIf(op); })
      .Case([&](scf::WhileOp op) { return lowerWhile(op); })
      .Default([&](Operation *op) -> LogicalResult {
        if (op->getDialect()->getNamespace() == tile::TileDialect::getDialectNamespace())
          return op->emitError() << "'" << op->getName() << "' has no lowering; expand-math must run before";
        return success();
      });
}

// What is left behind: no tile operation and no tile type.
static LogicalResult verifyLowered(func::FuncOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) {
    if (op->getDialect() && op->getDialect()->getNamespace() == tile::TileDialect::getDialectNamespace()) {
      op->emitError() << "'" << op->getName() << "' is left after lower-to-isa";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

// The canonicalizer turns a branch that only chooses between two tiles into a select; lowering knows tiles in branches.
static void branchInsteadOfSelect(func::FuncOp kernel) {
  SmallVector<arith::SelectOp> selects;
  kernel.walk([&](arith::SelectOp op) {
    if (llvm::isa<tile::TileType>(op.getType()))
      selects.push_back(op);
  });
  for (arith::SelectOp op : selects) {
    OpBuilder b(op);
    auto branch = scf::IfOp::create(
        b, op.getLoc(), op.getCondition(),
        [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, op.getTrueValue()); },
        [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, op.getFalseValue()); });
    op.replaceAllUsesWith(branch.getResult(0));
    op.erase();
  }
}

namespace {
struct LowerToIsaPass : tilesmith::impl::LowerToIsaBase<LowerToIsaPass> {
  using LowerToIsaBase::LowerToIsaBase;
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!kernel->hasAttr(tile::kernelAttrName))
      return;
    FailureOr<isa::Arch> target = getArch(kernel, arch);
    if (failed(target))
      return signalPassFailure();
    branchInsteadOfSelect(kernel);
    Lowering lowering(kernel, *target, kernelOptions.vfFusion.value_or(kernelOptions.optLevel >= 2));
    if (failed(lowering.run()) || failed(verifyLowered(kernel)))
      signalPassFailure();
  }
};
} // namespace
