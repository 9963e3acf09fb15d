// Pipeline loops: makes rings of the buffers that hand data from one pipe to another inside a loop.
//
// A buffer allocated in a loop body holds a value of one iteration. If two pipes touch it (a move fills it and compute
// reads it, compute fills it and a move drains it), the next iteration's producer would have to wait for this
// iteration's consumer. Such a buffer becomes a ring: allocated once before the outermost loop with `slots` slots, or
// as many as the option `ring_depth` says, addressed through slot `iteration` of the innermost loop around it. The
// scalar unit does not count as a pipe here: it waits anyway.
//
// Of L0A and L0B an iteration may have several tiles, the steps of a product. These take turns in the memory as they
// are, each in the bytes of one that is not needed any more.
//
// Buffers that only one pipe touches, buffers that leave their iteration through the loop's results, and buffers
// allocated outside of loops (their values live across iterations) stay as they are.
#include "Accesses.h"
#include "Memories.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_PIPELINELOOPS
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
using namespace plan;

std::optional<int64_t> tripCount(scf::ForOp loop) {
  std::optional<int64_t> lower = constantOf(loop.getLowerBound()), upper = constantOf(loop.getUpperBound()),
                         step = constantOf(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, (*upper - *lower + *step - 1) / *step);
}

struct PipelineLoops : impl::PipelineLoopsBase<PipelineLoops> {
  using PipelineLoopsBase::PipelineLoopsBase;

  void runOnOperation() override {
    depth = kernelOptions.ringDepth ? int64_t(*kernelOptions.ringDepth) : int64_t(slots);
    if (depth < 2)
      return;
    collectPipes();
    SmallVector<std::pair<AllocOp, scf::ForOp>> rings;
    getOperation().walk([&](AllocOp alloc) {
      if (scf::ForOp loop = loopToPipeline(alloc))
        rings.push_back({alloc, loop});
    });
    for (auto [alloc, loop] : rings)
      makeRing(alloc, loop);
    remark::analysis(getOperation().getLoc(), remarkOf(getArgument(), "loops"))
        << remark::metric("rings", rings.size()) << remark::metric("loops", iterations.size());
  }

private:
  void collectPipes() {
    getOperation().walk([&](Operation *op) {
      std::optional<Pipe> pipe = pipeOf(op);
      if (!pipe || *pipe == Pipe::S)
        return;
      for (const plan::Access &access : accessesOf(op))
        if (access.place.root)
          pipes[access.place.root] |= 1u << unsigned(*pipe);
    });
  }

  // The loop whose iterations a ring for this buffer would let overlap.
  scf::ForOp loopToPipeline(AllocOp alloc) {
    if (alloc.getSlots() > 1 || alloc.getAddress())
      return {};
    Operation *parent = alloc->getParentOp();
    while (!llvm::isa<func::FuncOp, scf::ForOp, scf::WhileOp>(parent))
      parent = parent->getParentOp();
    if (llvm::isa<func::FuncOp>(parent))
      return {};
    if (llvm::popcount(pipes.lookup(alloc.getResult())) < 2)
      return staysOne(alloc, "only one pipe touches it");
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      return staysOne(alloc, "the iterations of a while loop have no number");
    Memory memory = alloc.getResult().getType().getMemory();
    if ((memory == Memory::L0A || memory == Memory::L0B) && llvm::any_of(*alloc->getBlock(), [&](Operation &other) {
          auto step = dyn_cast<AllocOp>(other);
          return step && step != alloc && step.getResult().getType().getMemory() == memory;
        }))
      return staysOne(alloc, "the steps of the iteration take turns");
    if (tripCount(loop).value_or(2) < 2)
      return staysOne(alloc, "the loop has fewer than two iterations");
    for (Value yielded : loop.getYieldedValues())
      if (llvm::isa<BufferType>(yielded.getType()))
        for (const Place &place : placesOf(yielded))
          if (!place.root || place.root == alloc.getResult())
            return staysOne(alloc, "it may leave its iteration through the loop's results");
    return loop;
  }

  scf::ForOp staysOne(AllocOp alloc, const char *reason) {
    remark::missed(alloc.getLoc(), remarkOf(getArgument(), "ring")) << remark::reason("{0}", reason);
    return {};
  }

  void makeRing(AllocOp alloc, scf::ForOp loop) {
    int64_t count = std::min(depth, tripCount(loop).value_or(depth));
    remark::passed(alloc.getLoc(), remarkOf(getArgument(), "ring"))
        << remark::metric("slots", count) << remark::metric("bytes", alloc.getBytes());
    Memory memory = alloc.getResult().getType().getMemory();
    Value index = iterationOf(loop);
    OpBuilder builder(alloc);
    auto slot = SlotOp::create(builder, alloc.getLoc(), alloc.getResult().getType(), alloc.getResult(), index);
    alloc.getResult().replaceAllUsesExcept(slot, slot);
    Operation *outermost = loop;
    for (Operation *parent = loop; !llvm::isa<func::FuncOp>(parent); parent = parent->getParentOp())
      if (llvm::isa<scf::ForOp, scf::WhileOp>(parent))
        outermost = parent;
    alloc->moveBefore(outermost);
    alloc.setSlots(count);
    alloc.setBytes(alignUp(alloc.getBytes(), alignmentOf(memory))); // slots follow each other
  }

  // (iv - lower) / step, at the start of the body.
  Value iterationOf(scf::ForOp loop) {
    Value &index = iterations[loop];
    if (index)
      return index;
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    Location loc = loop.getLoc();
    Value iteration = loop.getInductionVar();
    if (constantOf(loop.getLowerBound()) != 0)
      iteration = arith::SubIOp::create(builder, loc, iteration, loop.getLowerBound());
    if (constantOf(loop.getStep()) != 1)
      iteration = arith::DivUIOp::create(builder, loc, iteration, loop.getStep());
    Type i64 = builder.getI64Type();
    if (iteration.getType().isIndex())
      iteration = arith::IndexCastOp::create(builder, loc, i64, iteration);
    else if (iteration.getType() != i64)
      iteration = arith::ExtSIOp::create(builder, loc, i64, iteration);
    return index = iteration;
  }

  int64_t depth = 1;
  llvm::DenseMap<Value, unsigned> pipes; // bits, by buffer
  llvm::DenseMap<Operation *, Value> iterations;
};

} // namespace
} // namespace tilesmith
