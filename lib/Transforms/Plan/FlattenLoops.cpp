// Flatten loops: makes one loop of the loop over results and the loop over k inside it.
//
// A result leaves in parts (`split-products`), and the products of the next one may begin as soon as a part has left.
// Flags cannot say so across the boundary of the inner loop: both ends of a token sit in one body, so that everything
// behind the loop would wait for all of it. In one loop they can, and the tiles of the next result are loaded early.
// A result that does not leave in parts, and of which L0C holds two, could take turns with the next one instead. On the
// 950 that is worth more; on the 910B loads take so long that it is not.
//
//   for i { acc = 0; for j { acc += a[i, j] * b[i, j] }; store acc }
//
// becomes, with n trips of the inner loop,
//
//   for t { i, j = t / n, t % n; acc = (j == 0 ? 0 : acc) + a[i, j] * b[i, j]; if j == n - 1 { store acc } }
//
// Iterations run in the same order. If the inner loop may have no trips, the outer one stays for that case, without it.
#include "Accesses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Dialect/Isa/Ranges.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Remarks.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_FLATTENLOOPS
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
using namespace plan;

bool multiplies(Operation *op) {
  return op
      ->walk(
          [](Operation *inner) { return pipeOf(inner) == Pipe::M ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

// The two loops and what stands around the inner one.
struct Nest {
  scf::ForOp outer, inner;
  SmallVector<AllocOp> buffers;    // of one result
  SmallVector<Operation *> before; // scalar code
  SmallVector<Operation *> after;
};

struct FlattenLoops : impl::FlattenLoopsBase<FlattenLoops> {
  using FlattenLoopsBase::FlattenLoopsBase;

  void runOnOperation() override {
    auto arch = getOperation()->getAttrOfType<StringAttr>(archAttrName);
    is950 = arch && arch.getValue() == "C310";
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (std::optional<Nest> nest = nestOf(loop))
        flatten(*nest);
  }

private:
  std::optional<Nest> nestOf(scf::ForOp outer) {
    Nest nest{outer, {}, {}, {}, {}};
    for (Operation &op : outer.getBody()->without_terminator()) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop && !nest.inner && multiplies(loop)) {
        nest.inner = loop;
      } else if (nest.inner) {
        nest.after.push_back(&op);
      } else if (auto alloc = dyn_cast<AllocOp>(op)) {
        nest.buffers.push_back(alloc);
      } else {
        nest.before.push_back(&op);
      }
    }
    if (!nest.inner)
      return std::nullopt;
    int64_t results = 0, parts = 0;
    for (AllocOp alloc : nest.buffers)
      if (alloc.getResult().getType().getMemory() == Memory::L0C) {
        results += alloc.getBytes();
        ++parts;
      }
    if (!results)
      return std::nullopt;
    if (2 * results <= l0c && parts < 2 && is950)
      return stayTwo(nest, "L0C holds two results");
    if (outer.getNumRegionIterArgs())
      return stayTwo(nest, "the outer loop carries values");
    for (Value bound : {nest.inner.getLowerBound(), nest.inner.getUpperBound(), nest.inner.getStep()})
      if (outer->isAncestor(bound.getParentBlock()->getParentOp()))
        return stayTwo(nest, "the trips of the inner loop differ from result to result");
    for (Operation *op : nest.before)
      if (!isMemoryEffectFree(op) || op->getNumRegions())
        return stayTwo(nest, "there are instructions before the inner loop");
    for (Operation *op : nest.after)
      if (llvm::isa<AllocOp>(op) || (op->getNumResults() && !isMemoryEffectFree(op)))
        return stayTwo(nest, "there are buffers behind the inner loop");
    return nest;
  }

  std::optional<Nest> stayTwo(const Nest &nest, const char *reason) {
    remark::missed(nest.outer->getLoc(), remarkOf(getArgument(), "loops")) << remark::reason("{0}", reason);
    return std::nullopt;
  }

  void flatten(Nest &nest) {
    remark::passed(nest.outer.getLoc(), remarkOf(getArgument(), "loops"))
        << remark::metric("results", nest.buffers.size()) << remark::metric("stores", nest.after.size());
    OpBuilder b(nest.outer);
    Location loc = nest.outer.getLoc();
    Value tripsOuter = trips(b, nest.outer), tripsInner = trips(b, nest.inner);
    if (rangeOf(tripsInner, Arithmetic::IsExact).low >= 1) {
      write(b, nest, tripsOuter, tripsInner);
      nest.outer.erase();
      return;
    }
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, tripsInner, number(b, loc, 0));
    auto choice = scf::IfOp::create(b, loc, any, /*withElseRegion=*/true);
    OpBuilder flat = choice.getThenBodyBuilder();
    write(flat, nest, tripsOuter, tripsInner);
    nest.outer->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
    nest.inner->replaceAllUsesWith(nest.inner.getInitArgs());
    nest.inner.erase();
  }

  static Value number(OpBuilder &b, Location loc, int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }

  static Value widen(OpBuilder &b, Location loc, Value value) {
    Type i64 = b.getI64Type();
    if (value.getType() == i64)
      return value;
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(b, loc, i64, value);
    return b.createOrFold<arith::ExtSIOp>(loc, i64, value);
  }

  static Value narrow(OpBuilder &b, Location loc, Value value, Type type) {
    if (value.getType() == type)
      return value;
    if (type.isIndex())
      return arith::IndexCastOp::create(b, loc, type, value);
    return arith::TruncIOp::create(b, loc, type, value);
  }

  // How often a loop runs. Steps are positive.
  static Value trips(OpBuilder &b, scf::ForOp loop) {
    Location loc = loop.getLoc();
    Value first = widen(b, loc, loop.getLowerBound()), last = widen(b, loc, loop.getUpperBound()),
          step = widen(b, loc, loop.getStep());
    Value one = number(b, loc, 1), zero = number(b, loc, 0);
    Value length = b.createOrFold<arith::SubIOp>(loc, last, first);
    length = b.createOrFold<arith::MaxSIOp>(loc, length, zero);
    if (matchPattern(step, m_One()))
      return length;
    Value rounded = b.createOrFold<arith::AddIOp>(loc, length, b.createOrFold<arith::SubIOp>(loc, step, one));
    return b.createOrFold<arith::DivSIOp>(loc, rounded, step);
  }

  static Value iteration(OpBuilder &b, scf::ForOp loop, Value index) {
    Location loc = loop.getLoc();
    Value by = narrow(b, loc, index, loop.getStep().getType());
    if (!matchPattern(loop.getStep(), m_One()))
      by = arith::MulIOp::create(b, loc, by, loop.getStep());
    if (matchPattern(loop.getLowerBound(), m_Zero()))
      return by;
    return arith::AddIOp::create(b, loc, loop.getLowerBound(), by);
  }

  void write(OpBuilder &b, Nest &nest, Value tripsOuter, Value tripsInner) {
    Location loc = nest.outer.getLoc();
    IRMapping map;
    for (AllocOp alloc : nest.buffers)
      b.clone(*alloc, map);
    // What each trip of the inner loop starts from: the initial value, or what the trip before left.
    scf::ForOp inner = nest.inner;
    SmallVector<unsigned> carried;
    SmallVector<Value> inits;
    for (auto [index, yielded, init] : llvm::enumerate(inner.getYieldedValues(), inner.getInitArgs()))
      if (!matchPattern(yielded, m_Constant())) {
        carried.push_back(index);
        Attribute zero = b.getZeroAttr(init.getType());
        inits.push_back(arith::ConstantOp::create(b, loc, cast<TypedAttr>(zero)));
      }
    Value all = b.createOrFold<arith::MulIOp>(loc, tripsOuter, tripsInner);
    auto loop = scf::ForOp::create(b, loc, number(b, loc, 0), all, number(b, loc, 1), inits);
    loop->setDiscardableAttrs(nest.outer->getDiscardableAttrDictionary());
    OpBuilder body = OpBuilder::atBlockBegin(loop.getBody());
    Value turn = loop.getInductionVar();
    Value outerIndex = arith::DivUIOp::create(body, loc, turn, tripsInner),
          innerIndex = arith::RemUIOp::create(body, loc, turn, tripsInner);
    auto is = [&](Value value) {
      return arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, innerIndex, value).getResult();
    };
    Value isFirst = is(number(body, loc, 0));
    Value isLast = is(arith::SubIOp::create(body, loc, tripsInner, number(body, loc, 1)));
    map.map(nest.outer.getInductionVar(), iteration(body, nest.outer, outerIndex));
    for (Operation *op : nest.before)
      copy(body, op, map);
    map.map(inner.getInductionVar(), iteration(body, inner, innerIndex));
    for (auto [index, yielded, init] : llvm::enumerate(inner.getYieldedValues(), inner.getInitArgs())) {
      auto *at = llvm::find(carried, index);
      Value before;
      if (at != carried.end()) {
        before = loop.getRegionIterArg(at - carried.begin());
      } else {
        Attribute constant;
        matchPattern(yielded, m_Constant(&constant));
        before = arith::ConstantOp::create(body, loc, cast<TypedAttr>(constant));
      }
      map.map(inner.getRegionIterArg(index),
              arith::SelectOp::create(body, loc, isFirst, map.lookupOrDefault(init), before).getResult());
    }
    for (Operation &op : inner.getBody()->without_terminator())
      body.clone(op, map);
    SmallVector<Value> left;
    for (auto [index, yielded] : llvm::enumerate(inner.getYieldedValues())) {
      map.map(inner.getResult(index), map.lookupOrDefault(yielded));
      if (llvm::is_contained(carried, index))
        left.push_back(map.lookupOrDefault(yielded));
    }
    // Each store under a condition of its own: flags are set and waited for around it.
    for (Operation *op : nest.after) {
      if (isMemoryEffectFree(op)) {
        copy(body, op, map);
        continue;
      }
      if (auto choice = dyn_cast<scf::IfOp>(op); choice && isNever(map.lookupOrDefault(choice.getCondition())))
        continue;
      auto guarded = scf::IfOp::create(body, op->getLoc(), isLast);
      guarded.getThenBodyBuilder().clone(*op, map);
    }
    // A loop without values has its terminator already.
    if (!left.empty())
      scf::YieldOp::create(body, loc, left);
  }

  static bool isNever(Value condition) {
    IntegerAttr known;
    return matchPattern(condition, m_Constant(&known)) && known.getValue().isZero();
  }

  // A clone, or what it folds to: what the two loops had to find out at run time may be known now.
  static void copy(OpBuilder &b, Operation *op, IRMapping &map) {
    Operation *clone = b.clone(*op, map);
    SmallVector<Value> folded;
    if (failed(b.tryFold(clone, folded)) || folded.empty())
      return;
    for (auto [old, value] : llvm::zip(op->getResults(), folded))
      map.map(old, value);
    clone->erase();
  }

  bool is950 = false;
};

} // namespace
} // namespace tilesmith
