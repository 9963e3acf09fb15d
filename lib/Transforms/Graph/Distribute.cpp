// Distribute: independent iterations go to the cores in turn.
//
// The parts of an operator are the operations and loops at its top. Parts that share no array which one of them writes
// do not wait for each other: each independent loop among them is dealt to the cores, iteration by iteration, and what
// is not a loop the first core does. Where a part needs what another one wrote, cores would have to wait for each
// other; there the first core does everything, in the order of the program.
#include "GraphBuilder.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace tilesmith {
#define GEN_PASS_DEF_DISTRIBUTE
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

namespace {

struct DistributePass : tilesmith::impl::DistributeBase<DistributePass> {
  void runOnOperation() override {
    Block &top = getOperation().front();
    SmallVector<Operation *> parts; // with effects, or tensors that those need
    for (Operation &op : top.without_terminator())
      if (llvm::isa<WorkspaceOp>(op))
        continue;
      else if (!isMemoryEffectFree(&op) || llvm::isa_and_present<GraphDialect>(op.getDialect()))
        parts.push_back(&op);
    if (parts.empty())
      return;
    if (dependOnEachOther(parts)) {
      onFirstCore(top, llvm::to_vector(llvm::make_pointer_range(top.without_terminator())));
      return;
    }
    SmallVector<Operation *> rest;
    for (Operation *op : parts) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop && loop->hasAttr(independentAttrName))
        deal(loop);
      else
        rest.push_back(op);
    }
    if (llvm::any_of(rest, [](Operation *op) { return !isMemoryEffectFree(op) && !llvm::isa<ViewOp>(op); }))
      onFirstCore(top, rest);
  }

  // A value that a part computes and another one uses, or an array that one writes and another one touches. What is not
  // a loop all cores could do, so values between these and loops do no harm.
  static bool dependOnEachOther(ArrayRef<Operation *> parts) {
    llvm::DenseMap<Value, std::pair<int, bool>> touched; // array: the number of a part, and whether one writes
    bool conflict = false;
    int number = 0;
    for (Operation *part : parts) {
      bool isLoop = part->getNumRegions() > 0;
      if (isLoop)
        ++number;
      part->walk([&](Operation *op) {
        auto [memory, writes] = accessOf(op);
        if (!memory)
          return;
        Value array = arrayOf(memory);
        int mine = isLoop ? number : 0;
        auto [it, isNew] = touched.try_emplace(array, mine, writes);
        if (isNew)
          return;
        conflict |= it->second.first != mine && (writes || it->second.second);
        it->second.second |= writes;
      });
      for (Value result : part->getResults())
        for (Operation *user : result.getUsers())
          conflict |=
              isLoop && llvm::any_of(parts, [&](Operation *other) { return other != part && other->isAncestor(user); });
    }
    return conflict;
  }

  static void deal(scf::ForOp loop) {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Value core = tile::BlockIdxOp::create(b, loc), cores = tile::BlockNumOp::create(b, loc);
    GraphBuilder g(b, loc);
    Value first =
        constantOf(loop.getStep()) == 1 ? core : arith::MulIOp::create(b, loc, core, loop.getStep()).getResult();
    loop.setLowerBound(g.plus(loop.getLowerBound(), first));
    loop.setStep(constantOf(loop.getStep()) == 1 ? cores
                                                 : arith::MulIOp::create(b, loc, cores, loop.getStep()).getResult());
  }

  // Puts what has effects under a test of the core; what only computes stays where everybody sees it.
  static void onFirstCore(Block &top, ArrayRef<Operation *> ops) {
    OpBuilder b = OpBuilder::atBlockTerminator(&top);
    Location loc = ops.front()->getLoc();
    Value core = tile::BlockIdxOp::create(b, loc);
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, core, zero);
    auto test = scf::IfOp::create(b, loc, isFirst, /*withElseRegion=*/false);
    Operation *end = test.thenBlock()->getTerminator();
    std::set<Operation *> moved;
    // Backwards: an operation moves if everything that uses it does.
    for (Operation *op : llvm::reverse(ops)) {
      bool onlyInside = llvm::all_of(op->getUsers(), [&](Operation *user) {
        Operation *inTop = top.findAncestorOpInBlock(*user);
        return moved.count(inTop) || inTop == test;
      });
      if (!onlyInside)
        continue;
      op->moveBefore(end);
      end = op;
      moved.insert(op);
    }
  }
};

} // namespace
