// Skew loops: begins an iteration on one kind of core before the other one has ended the iteration before it.
//
// Where an iteration goes back and forth between cube core and vector cores (a product, its softmax, a product with
// that), each kind of core waits for the other most of the time. What an iteration does after its first way there and
// back becomes a second stage, and the loop does the second stage of an iteration behind the first stage of the next:
//
//   for i { s = q @ k(i); p = softmax(s); o += p @ v(i) }
//
// becomes, for any number of iterations but none,
//
//   p = softmax(q @ k(0)); for i from 1 { p' = softmax(q @ k(i)); o += p @ v(i - 1); p = p' }; o += p @ v(last)
//
// The cube core then multiplies for one iteration while the vector cores work on another. With `ahead` the loop is
// first skewed where an iteration crosses for the first time: what the vector cores begin an iteration with is then
// there when they are done with the one before. On the 950 that pays; on the 910B, where vector cores take longer, it
// does not.
//
//   s = q @ k(0); for i { s' = q @ k(i + 1); p = softmax(s); o += p @ v(i); s = s' }
//
// Tiles that wait for their
// second stage wait in the channel; what else the second stage reads of the first is loaded again, computed again or
// carried. Each value is computed from the same operands as before. A loop stays as it is where the order of its
// effects would change: one that reads an array it writes, or prints. And a kernel with more channels than there are
// flags for keeps its loops: channels that share a flag are received in the order they are sent in, and tiles that wait
// are not.
#include "Arrays.h"
#include "DirectChannels.h"
#include "Matrices.h"
#include "mlir/IR/IRMapping.h"
#include "tilesmith/Dialect/Asc/SyncAll.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_SKEWLOOPS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::Memory;

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }

static bool holdsChannels(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return llvm::isa<tile::SendOp, tile::ReceiveOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
// The body of one loop in two stages.
class Stages {
public:
  // The second stage is what comes after so many crossings.
  Stages(scf::ForOp loop, unsigned crossings) : loop(loop), body(loop.getBody()), behind(crossings) {
    for (Operation &op : body->without_terminator())
      ops.push_back(&op);
  }

  // Why the loop stays as it is; empty: it has two stages.
  std::string find() {
    measure();
    if (llvm::none_of(ops, [&](Operation *op) { return stages[op]; }))
      return "no iteration comes back to where it began";
    if (std::string why = effects(); !why.empty())
      return why;
    settle();
    if (llvm::all_of(ops, [&](Operation *op) { return stages[op] || !holdsChannels(op); }))
      return "an iteration begins with what the one before it ends with";
    sink();
    return collectCrossing();
  }

  // The loop that is left.
  scf::ForOp rewrite();

private:
  void markWaiting();

  // The operations of the body a value of the body comes from, and those an operation reads, inside its regions too.
  Operation *inBody(Operation *op) { return body->findAncestorOpInBlock(*op); }
  template <typename Visit> void eachOperand(Operation *op, Visit visit) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (loop->isAncestor(operand.getParentBlock()->getParentOp()) &&
            (operand.getParentBlock() == body || !op->isAncestor(operand.getParentBlock()->getParentOp())))
          visit(operand);
    });
  }

  // Stage by how often the way to an operation changed the kind of core: there and back is a stage.
  void measure() {
    llvm::DenseMap<Operation *, unsigned> crossings;
    llvm::DenseMap<uint64_t, unsigned> sent;
    for (Operation *op : ops) {
      unsigned most = 0;
      eachOperand(op, [&](Value operand) {
        if (Operation *definition = operand.getDefiningOp())
          most = std::max(most, crossings.lookup(inBody(definition)));
      });
      op->walk([&](tile::ReceiveOp receive) {
        if (auto known = sent.find(receive.getChannel()); known != sent.end())
          most = std::max(most, known->second + 1);
      });
      crossings[op] = most;
      op->walk([&](tile::SendOp send) { sent[send.getChannel()] = most; });
      stages[op] = most >= behind;
    }
  }

  // Effects whose order between iterations matters.
  std::string effects() {
    llvm::DenseSet<Value> written; // arrays
    std::string why;
    loop->walk([&](Operation *op) {
      if (llvm::isa<tile::PrintOp, tile::KeepOp, tile::SetOp>(op) || asc::isSyncAll(op))
        why = "its effects have an order";
      if (Value tensor = tensorOf(op); tensor && writesTensor(op))
        written.insert(arrayOf(tensor));
    });
    loop->walk([&](Operation *op) {
      if (Value tensor = tensorOf(op); tensor && !writesTensor(op) && written.contains(arrayOf(tensor)))
        why = "it reads an array that it writes";
    });
    if (storesInBothStages())
      why = "its stores have an order";
    return why;
  }
  bool storesInBothStages() {
    bool in[2] = {false, false};
    for (Operation *op : ops)
      op->walk([&](Operation *inner) {
        if (llvm::isa<tile::StoreOp, tile::AtomicOp>(inner))
          in[stages[op]] = true;
      });
    return in[0] && in[1];
  }

  // What the second stage makes the first one cannot read, in this iteration or in the next.
  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Operation *op : ops) {
        bool stage = stages[op];
        eachOperand(op, [&](Value operand) { stage |= stageOf(operand); });
        op->walk([&](tile::ReceiveOp receive) {
          for (Operation *other : ops)
            other->walk(
                [&](tile::SendOp send) { stage |= send.getChannel() == receive.getChannel() && stages[other]; });
        });
        changed |= stage != stages[op];
        stages[op] = stage;
      }
      for (auto [argument, yielded] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
        if (stageOf(yielded) && later.insert(argument).second)
          changed = true;
    }
  }
  // Whether the second stage makes it, of a carried value: has made it in the iteration before.
  bool stageOf(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() == body && later.contains(argument);
    return loop->isAncestor(value.getDefiningOp()) && inBody(value.getDefiningOp()) &&
           stages.lookup(inBody(value.getDefiningOp()));
  }

  // What only the second stage reads is done there.
  void sink() {
    for (Operation *op : llvm::reverse(ops)) {
      if (stages[op] || holdsChannels(op) || op->use_empty() ||
          !(isMemoryEffectFree(op) || llvm::isa<tile::LoadOp>(op)))
        continue;
      bool all = llvm::all_of(op->getUsers(),
                              [&](Operation *user) { return user != body->getTerminator() && stages[inBody(user)]; });
      // What it reads must still be there; what is carried is overwritten by then.
      eachOperand(op, [&](Value operand) {
        all &= canRepeat(operand) || (!llvm::isa<BlockArgument>(operand) && isTile(operand));
      });
      if (all)
        stages[op] = true;
    }
  }

  // Whether a value is computed again as easily: from the iteration's number and what is known before the loop, or it
  // is loaded from an array.
  bool canRepeat(Value value) {
    if (!loop->isAncestor(value.getParentBlock()->getParentOp()) || value == loop.getInductionVar())
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != body || op->getNumRegions())
      return false;
    if (!llvm::isa<tile::LoadOp, tile::TensorOp, tile::ReshapeOp>(op) &&
        (!isMemoryEffectFree(op) || llvm::any_of(op->getResults(), isTile) || llvm::any_of(op->getOperands(), isTile)))
      return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) { return canRepeat(operand); });
  }

  // Values of the first stage that the second one reads, and that are carried to it.
  std::string collectCrossing() {
    std::string why;
    for (Operation *op : ops)
      if (stages[op])
        eachOperand(op, [&](Value operand) {
          if (stageOf(operand) || canRepeat(operand) || !crossing.insert(operand))
            return;
          if (isTile(operand) && memoryOf(operand) != Memory::UB)
            why = "a matrix would have to wait beside its channel";
          if (llvm::isa<tile::GlobalTensorType>(operand.getType()))
            why = "an array depends on what the loop carries";
        });
    return why;
  }

  // Clones one stage of the iteration `index`. The map knows what is carried.
  void clone(OpBuilder &b, bool stage, Value index, IRMapping &map) {
    map.map(loop.getInductionVar(), index);
    for (Operation *op : ops) {
      bool repeat =
          stages[op] != stage && op->getNumResults() == 1 && canRepeat(op->getResult(0)) && isNeededBy(op, stage);
      if (stages[op] == stage || repeat)
        b.clone(*op, map);
    }
  }
  bool isNeededBy(Operation *op, bool stage) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      if (user == body->getTerminator())
        return false;
      Operation *reader = inBody(user);
      return stages[reader] == stage ||
             (reader->getNumResults() == 1 && canRepeat(reader->getResult(0)) && isNeededBy(reader, stage));
    });
  }

  scf::ForOp loop;
  Block *body;
  unsigned behind;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, bool> stages;
  llvm::DenseSet<Value> later; // carried values the second stage makes
  llvm::SmallSetVector<Value, 4> crossing;
};
} // namespace

// Tiles of a channel from the first stage to the second wait there for an iteration.
void Stages::markWaiting() {
  llvm::DenseMap<uint64_t, bool> sent; // and in which stage
  for (Operation *op : ops)
    op->walk([&](tile::SendOp send) { sent[send.getChannel()] |= stages[op]; });
  llvm::DenseSet<uint64_t> waiting;
  for (Operation *op : ops)
    op->walk([&](tile::ReceiveOp receive) {
      if (auto known = sent.find(receive.getChannel()); known != sent.end() && !known->second && stages[op])
        waiting.insert(receive.getChannel());
    });
  loop->walk([&](Operation *op) {
    auto send = dyn_cast<tile::SendOp>(op);
    auto receive = dyn_cast<tile::ReceiveOp>(op);
    if ((send && waiting.contains(send.getChannel())) || (receive && waiting.contains(receive.getChannel())))
      op->setAttr(waitsAttrName, UnitAttr::get(op->getContext()));
  });
}

scf::ForOp Stages::rewrite() {
  markWaiting();
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value first = loop.getLowerBound(), end = loop.getUpperBound(), step = loop.getStep();
  // What fills a tile belongs to the way that reads it, and need not be copied to where a loop carries it.
  auto initsIn = [&](OpBuilder &branch) {
    SmallVector<Value> inits(loop.getInitArgs());
    for (Value &init : inits)
      if (auto splat = init.getDefiningOp<tile::SplatOp>())
        init = branch.clone(*splat)->getResult(0);
    return inits;
  };
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, first, end);
  bool leaves = loop.getNumResults();
  auto choice =
      leaves ? scf::IfOp::create(b, loc, loop.getResultTypes(), any, true, true) : scf::IfOp::create(b, loc, any);
  if (leaves) {
    OpBuilder none = OpBuilder::atBlockBegin(choice.elseBlock());
    scf::YieldOp::create(none, loc, initsIn(none));
  }
  Block *then = choice.thenBlock();
  b.setInsertionPoint(then, leaves ? then->end() : std::prev(then->end()));

  // What the values are after a stage, by the map of that stage.
  SmallVector<Value> carried = initsIn(b);
  auto advance = [&](bool stage, const IRMapping &map, MutableArrayRef<Value> values) {
    for (auto [value, argument, yielded] : llvm::zip(values, loop.getRegionIterArgs(), loop.getYieldedValues()))
      if (later.contains(argument) == stage)
        value = map.lookupOrDefault(yielded);
  };
  auto mapOf = [&](ValueRange values, ValueRange waiting) {
    IRMapping map;
    map.map(loop.getRegionIterArgs(), values.take_front(loop.getNumRegionIterArgs()));
    for (auto [value, now] : llvm::zip(crossing, waiting))
      map.map(value, now);
    return map;
  };
  auto waitingOf = [&](const IRMapping &map) {
    SmallVector<Value> waiting;
    for (Value value : crossing)
      waiting.push_back(map.lookupOrDefault(value));
    return waiting;
  };

  IRMapping begin = mapOf(carried, {});
  clone(b, false, first, begin);
  SmallVector<Value> waiting = waitingOf(begin);
  advance(false, begin, carried);

  Value second = arith::AddIOp::create(b, loc, first, step);
  SmallVector<Value> entering(carried);
  llvm::append_range(entering, waiting);
  auto both = scf::ForOp::create(b, loc, second, end, step, entering);
  both->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  unsigned count = loop.getNumRegionIterArgs();
  {
    OpBuilder inside = OpBuilder::atBlockBegin(both.getBody());
    ValueRange now = both.getRegionIterArgs();
    SmallVector<Value> next(now.take_front(count));
    IRMapping ahead = mapOf(now, {});
    clone(inside, false, both.getInductionVar(), ahead);
    SmallVector<Value> leaving = waitingOf(ahead);
    IRMapping behind = mapOf(now, now.drop_front(count));
    Value before = arith::SubIOp::create(inside, loc, both.getInductionVar(), step);
    clone(inside, true, before, behind);
    advance(false, ahead, next);
    advance(true, behind, next);
    llvm::append_range(next, leaving);
    if (!next.empty())
      scf::YieldOp::create(inside, loc, next);
  }
  // The last iteration: the loop has gone past it by a step.
  Value one = arith::ConstantOp::create(b, loc, b.getIntegerAttr(first.getType(), 1));
  Value length = arith::SubIOp::create(b, loc, arith::SubIOp::create(b, loc, end, first), one);
  Value last = arith::AddIOp::create(b, loc, first,
                                     arith::MulIOp::create(b, loc, arith::DivUIOp::create(b, loc, length, step), step));
  SmallVector<Value> results(both.getResults().take_front(count));
  IRMapping rest = mapOf(results, both.getResults().drop_front(count));
  clone(b, true, last, rest);
  advance(true, rest, results);
  if (leaves)
    scf::YieldOp::create(b, loc, results);
  loop.replaceAllUsesWith(choice.getResults());
  loop.erase();
  return both;
}

namespace {
// Whether each channel has two flags of its own, also those that numbers may need (split-cores).
bool haveOwnFlags(func::FuncOp kernel) {
  int64_t channels = 0;
  llvm::DenseSet<Value> written;
  kernel.walk([&](Operation *op) {
    if (Value tensor = tensorOf(op); tensor && writesTensor(op))
      written.insert(arrayOf(tensor));
  });
  kernel.walk([&](Operation *op) {
    auto get = dyn_cast<tile::GetOp>(op);
    channels += llvm::isa<tile::SendOp, tile::ExtractOp>(op) || (get && written.contains(arrayOf(get.getTensor())));
  });
  return 2 * channels <= isa::userCrossFlagIds;
}

struct SkewLoopsPass : tilesmith::impl::SkewLoopsBase<SkewLoopsPass> {
  using SkewLoopsBase::SkewLoopsBase;
  void runOnOperation() override {
    if (!getOperation()->hasAttr(tile::mixedAttrName))
      return;
    bool ownFlags = haveOwnFlags(getOperation());
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (holdsChannels(loop))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      bool inner =
          llvm::none_of(*loop.getBody(), [](Operation &op) { return op.getNumRegions() && holdsChannels(&op); });
      if (!inner)
        continue;
      Stages stages(loop, 2);
      std::string why = ownFlags ? stages.find() : "there are more channels than flags";
      if (!why.empty()) {
        remark::missed(loop.getLoc(), remarkOf(getArgument(), "loop")) << remark::reason("{0}", why);
        continue;
      }
      remark::passed(loop.getLoc(), remarkOf(getArgument(), "loop"));
      if (Stages early(loop, 1); ahead && early.find().empty()) {
        scf::ForOp left = early.rewrite();
        if (Stages again(left, 2); again.find().empty())
          again.rewrite();
        continue;
      }
      stages.rewrite();
    }
  }
};
} // namespace
