// Distribute: shares an operator among the cores.
//
// The parts of an operator are the operations and loops at its top. Independent loops are dealt to the cores, iteration
// by iteration; what only computes and reads, every core that needs it does for itself; the first core does the rest.
// Before a part that touches an array which others have written, or writes one that others have touched, all cores wait
// for each other (SyncAll). A loop whose iterations depend on each other, or a branch, that has independent loops
// inside is walked by all cores alike: its body is shared in the same way, and cores wait at the end of an iteration.
//
// Where cores would have to wait for each other, but a number decides or is written that one of them computes, or a
// tensor that a loop carries is needed by others, the first core does everything, in the order of the program.
#include "GraphBuilder.h"
#include "tilesmith/Dialect/Asc/SyncAll.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tilesmith {
#define GEN_PASS_DEF_DISTRIBUTE
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

namespace {

bool isGraph(Operation *op) { return llvm::isa_and_present<GraphDialect>(op->getDialect()); }
bool isDealt(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && loop->hasAttr(independentAttrName);
}
bool isPart(Operation &op) { return !llvm::isa<WorkspaceOp>(op) && (!isMemoryEffectFree(&op) || isGraph(&op)); }
bool holds(Operation *op, llvm::function_ref<bool(Operation *)> is) {
  return op->walk([&](Operation *inner) { return is(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}
// Only what reads global memory may be done more than once.
bool onlyReads(Operation *op) {
  return !holds(op, [](Operation *inner) {
    return !inner->getNumRegions() && !isMemoryEffectFree(inner) && !llvm::isa<WorkspaceOp>(inner) &&
           (!accessOf(inner).memory || accessOf(inner).writes);
  });
}

// How a block is shared: its parts in phases, between which all cores wait.
struct Plan {
  struct Walked {
    Operation *op;
    SmallVector<std::unique_ptr<Plan>> bodies;
  };
  struct Phase {
    Operation *begin;              // its first part
    SmallVector<Operation *> rest; // of the first core, where nobody else needs it
  };
  Block *block;
  bool waitsAtEnd = false;
  SmallVector<Phase> phases;
  SmallVector<scf::ForOp> dealt;
  SmallVector<Walked> walked;

  bool waits() const {
    return waitsAtEnd || phases.size() > 1 || llvm::any_of(walked, [](const Walked &one) {
             return llvm::any_of(one.bodies, [](const auto &body) { return body->waits(); });
           });
  }
};

// Who touched an array since the cores last waited.
struct Touched {
  bool firstReads = false, firstWrites = false, othersRead = false, othersWrite = false;

  bool conflicts(const Touched &with) const {
    return (firstReads && with.othersWrite) || (firstWrites && (with.othersRead || with.othersWrite)) ||
           (othersRead && (with.firstWrites || with.othersWrite)) ||
           (othersWrite && (with.firstReads || with.firstWrites || with.othersRead || with.othersWrite));
  }
  void add(const Touched &other) {
    firstReads |= other.firstReads, firstWrites |= other.firstWrites;
    othersRead |= other.othersRead, othersWrite |= other.othersWrite;
  }
};
using Arrays = llvm::DenseMap<Value, Touched>;

Arrays arraysOf(Operation *part, bool ofFirst) {
  Arrays arrays;
  part->walk([&](Operation *op) {
    auto [memory, writes] = accessOf(op);
    if (!memory)
      return;
    Touched &touched = arrays[arrayOf(memory)];
    (ofFirst  ? writes ? touched.firstWrites : touched.firstReads
     : writes ? touched.othersWrite
              : touched.othersRead) = true;
  });
  return arrays;
}
bool conflict(const Arrays &before, const Arrays &after) {
  return llvm::any_of(after, [&](const auto &entry) {
    auto found = before.find(entry.first);
    return found != before.end() && found->second.conflicts(entry.second);
  });
}
void add(Arrays &to, const Arrays &more) {
  for (auto &[array, touched] : more)
    to[array].add(touched);
}

// Makes the plan of a block; nothing if a part has to be the first core's and others need what it computes.
class Planner {
public:
  // `touched` is empty; afterwards it has what was touched since cores last waited.
  std::unique_ptr<Plan> plan(Block &block, Arrays &touched) {
    auto plan = std::make_unique<Plan>();
    plan->block = &block;
    llvm::DenseMap<Operation *, size_t> phaseOf; // of operations that may be the first core's alone
    for (Operation &op : block.without_terminator()) {
      if (!isPart(op))
        continue;
      bool dealt = isDealt(&op), walked = !dealt && isWalked(&op), reads = onlyReads(&op);
      bool ofFirst = !dealt && !walked && !reads;
      Arrays mine = arraysOf(&op, ofFirst);
      if (plan->phases.empty())
        plan->phases.push_back({&op, {}});
      if (conflict(touched, mine)) {
        plan->phases.push_back({&op, {}});
        touched.clear();
      }
      if (dealt) {
        plan->dealt.push_back(cast<scf::ForOp>(op));
        add(touched, mine);
      } else if (walked) {
        if (!walk(op, *plan, touched))
          return nullptr;
      } else {
        phaseOf[&op] = plan->phases.size() - 1;
        plan->phases.back().rest.push_back(&op);
        add(touched, mine);
      }
    }
    return settle(*plan, phaseOf) ? std::move(plan) : nullptr;
  }

private:
  static bool isWalked(Operation *op) {
    return llvm::isa<scf::ForOp, scf::IfOp>(op) && !op->getNumResults() && holds(op, isDealt);
  }

  bool walk(Operation &op, Plan &plan, Arrays &touched) {
    Plan::Walked &walked = plan.walked.emplace_back();
    walked.op = &op;
    bool isLoop = llvm::isa<scf::ForOp>(op);
    Arrays after = touched; // of a loop that never runs, or of no branch
    for (Region &region : op.getRegions()) {
      if (region.empty())
        continue;
      Arrays inside;
      std::unique_ptr<Plan> body = this->plan(region.front(), inside);
      if (!body)
        return false;
      body->waitsAtEnd = isLoop;
      if (!isLoop)
        add(after, inside);
      walked.bodies.push_back(std::move(body));
    }
    touched = std::move(after);
    return true;
  }

  // Leaves in each phase what nobody beside the first core needs.
  static bool settle(Plan &plan, llvm::DenseMap<Operation *, size_t> &phaseOf) {
    for (size_t phase = plan.phases.size(); phase-- > 0;) {
      SmallVector<Operation *> &rest = plan.phases[phase].rest;
      for (Operation *op : llvm::reverse(rest)) {
        bool onlyThere = llvm::all_of(op->getUsers(), [&](Operation *user) {
          auto found = phaseOf.find(plan.block->findAncestorOpInBlock(*user));
          return found != phaseOf.end() && found->second == phase;
        });
        if (onlyThere)
          continue;
        if (!onlyReads(op))
          return false;
        phaseOf.erase(op);
      }
      llvm::erase_if(rest, [&](Operation *op) { return !phaseOf.contains(op); });
    }
    return true;
  }
};

struct DistributePass : tilesmith::impl::DistributeBase<DistributePass> {
  void runOnOperation() override {
    Block &top = getOperation().front();
    SmallVector<Operation *> all = llvm::to_vector(llvm::make_pointer_range(top.without_terminator()));
    if (llvm::none_of(all, [](Operation *op) { return isPart(*op); }))
      return;
    Arrays touched;
    std::unique_ptr<Plan> plan;
    if (holds(getOperation(), isDealt))
      plan = Planner().plan(top, touched);
    if (!plan || (plan->waits() && decidesByWritten())) {
      onFirstCore(top, all, top.getTerminator());
      return;
    }
    onlyVector = !holds(getOperation(), [](Operation *op) { return llvm::isa<MatmulOp>(op); });
    apply(*plan);
  }

private:
  bool onlyVector = true; // whether the kernel runs on vector cores alone

  // Whether the kernel reads or writes single elements of an array that it writes. They go through a core's cache, and
  // other cores see them late.
  bool decidesByWritten() {
    llvm::DenseSet<Value> written, byElement;
    getOperation().walk([&](Operation *op) {
      auto [memory, writes] = accessOf(op);
      if (writes)
        written.insert(arrayOf(memory));
      if (memory && llvm::isa<tile::GetOp, tile::SetOp>(op))
        byElement.insert(arrayOf(memory));
    });
    return llvm::any_of(byElement, [&](Value array) { return written.contains(array); });
  }

  void apply(Plan &plan) {
    for (Operation &op : *plan.block)
      if (llvm::isa<WorkspaceOp>(op))
        op.setAttr(sharedAttrName, UnitAttr::get(op.getContext()));
    for (auto [index, phase] : llvm::enumerate(plan.phases)) {
      bool isLast = index + 1 == plan.phases.size();
      Operation *end = isLast ? plan.block->getTerminator() : plan.phases[index + 1].begin;
      if (llvm::any_of(phase.rest, [](Operation *op) { return !onlyReads(op); }))
        onFirstCore(*plan.block, phase.rest, end);
      if (!isLast || plan.waitsAtEnd) {
        OpBuilder b(end);
        asc::createSyncAll(b, end->getLoc(), getOperation(), onlyVector);
      }
    }
    for (Plan::Walked &walked : plan.walked)
      for (auto &body : walked.bodies)
        apply(*body);
    for (scf::ForOp loop : plan.dealt)
      deal(loop);
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

  // Puts operations under a test of the core, before `end`; what others use stays where everybody sees it.
  static void onFirstCore(Block &block, ArrayRef<Operation *> ops, Operation *before) {
    OpBuilder b(before);
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
        Operation *inBlock = block.findAncestorOpInBlock(*user);
        return moved.count(inBlock) || inBlock == test;
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
