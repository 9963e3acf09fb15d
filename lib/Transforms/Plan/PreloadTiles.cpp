// Preload tiles: issues the loads of an iteration before the work of the one before it.
//
// The scalar unit issues in program order, and a pipe's queue holds so many calls. Where an iteration has more than
// that for the pipe that copies to L0, the loads behind them are issued only when the queue has room again, and the
// pipe that loads has nothing to do until then. So a loop that loads matrices to L1 and has that many copies is written
// with the loads one iteration ahead, two iterations at a time, each with buffers of its own:
//
//   load x0(0)
//   for each pair { load x1(i + 1); work(i, x0); if there is one { load x0(i + 2) }; work(i + 1, x1) }
//   if the number is odd { work(last, x0) }
//
// Where L1 does not hold all tiles twice, those that are read longest are there twice. The others are loaded for the
// next iteration behind the last op of this one that reads them.
//
// A loop that also loads what another core sends does that in its order: a wait for another core holds back the whole
// core, so it is most for the other loads to be issued before it. There all tiles are there once:
//
//   load x(0)
//   for each i { work(i) up to the last op that reads x; if there is one { load x(i + 1) }; the rest of work(i) }
//
// Iterations work in the same order on the same values. Loads move only where nothing in the loop writes what they
// read.
#include "Accesses.h"
#include "Conflicts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_PRELOADTILES
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
using namespace plan;

// The body of a loop: buffers that are loaded, loads, and the rest.
struct Parts {
  SmallVector<AllocOp> tiles;
  llvm::SetVector<Operation *> loads; // ops of the body
  SmallVector<Operation *> work;      // in order, scalar code of the loads too
  // Tiles that are there once, with the op of the work behind which they are loaded anew.
  llvm::DenseMap<Value, Operation *> once;
  bool waits = false; // for another core: what that sends is loaded by the work
};

struct PreloadTiles : impl::PreloadTilesBase<PreloadTiles> {
  using PreloadTilesBase::PreloadTilesBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (std::optional<Parts> parts = partsOf(loop))
        preload(loop, *parts);
  }

private:
  std::optional<Parts> partsOf(scf::ForOp loop) {
    Parts parts;
    int64_t copies = 0;
    llvm::DenseSet<Value> sent = tilesSent(loop);
    parts.waits = !sent.empty();
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto alloc = dyn_cast<AllocOp>(op);
      if (alloc && alloc.getResult().getType().getMemory() == Memory::L1 && !sent.contains(alloc.getResult()))
        parts.tiles.push_back(alloc);
      else if (isLoad(op) && !loadsSent(&op))
        parts.loads.insert(&op);
      else
        parts.work.push_back(&op);
      op.walk([&](Operation *inner) { copies += pipeOf(inner) == Pipe::MTE1; });
    }
    if (parts.loads.empty() || parts.tiles.empty())
      return std::nullopt;
    if (!parts.waits)
      chooseOnce(loop, parts);
    else if (!takeAllOnce(loop, parts))
      return stay(loop, "L1 has no room for its tiles beside each other");
    if (copies <= queue && parts.once.empty())
      return stay(loop, "its copies to L0 fit into the queue");
    llvm::DenseSet<Value> loaded;
    for (AllocOp alloc : parts.tiles)
      loaded.insert(alloc.getResult());
    for (Operation *op : parts.loads)
      for (const auto &[inner, access] : accessesIn(op))
        if (access.write ? !loaded.contains(access.place.root) : mayChange(loop, inner, access))
          return stay(loop, "a load depends on what the loop does");
    for (Operation *op : parts.work)
      for (const auto &[inner, access] : accessesIn(op))
        if (access.write && (!access.place.root || loaded.contains(access.place.root)))
          return stay(loop, "a loaded tile is changed");
    // What the loads compute with may not come from the work.
    for (Operation *op : parts.loads)
      if (!dependsOnScalarsOnly(loop, op))
        return stay(loop, "a load depends on what the loop carries");
    return parts;
  }

  // Which tiles L1 has no room for twice.
  void chooseOnce(scf::ForOp loop, Parts &parts) {
    struct Use {
      Value tile;
      int64_t bytes, first, last; // the last two: ops of the work
      unsigned order;
    };
    SmallVector<Use> uses;
    int64_t room = l1 - bytesOfOthers(loop);
    for (AllocOp tile : parts.tiles) {
      Use use{tile.getResult(), int64_t(tile.getBytes()), int64_t(parts.work.size()), 0, unsigned(uses.size())};
      for (auto [index, op] : llvm::enumerate(parts.work))
        if (llvm::any_of(accessesIn(op), [&](const auto &each) { return each.second.place.root == use.tile; })) {
          use.first = std::min<int64_t>(use.first, index);
          use.last = index;
        }
      room -= use.bytes;
      uses.push_back(use);
    }
    llvm::sort(uses, [](const Use &a, const Use &b) {
      return std::pair(b.last - b.first, a.order) < std::pair(a.last - a.first, b.order);
    });
    for (const Use &use : uses)
      if (room >= use.bytes || use.first > use.last)
        room -= use.bytes;
      else
        parts.once[use.tile] = parts.work[use.last];
  }

  // All tiles of the loop are there once, beside each other; false: they do not fit, or nobody reads one.
  bool takeAllOnce(scf::ForOp loop, Parts &parts) {
    for (AllocOp tile : parts.tiles) {
      Operation *last = nullptr;
      for (Operation *op : parts.work)
        if (llvm::any_of(accessesIn(op), [&](const auto &each) { return each.second.place.root == tile.getResult(); }))
          last = op;
      if (!last)
        return false;
      parts.once[tile.getResult()] = last;
    }
    // Beside them is what the loop reads of others, and what was loaded before it for something behind it.
    int64_t bytes = 0;
    getOperation().walk([&](AllocOp alloc) {
      if (alloc.getResult().getType().getMemory() != Memory::L1)
        return;
      bool isThere = loop->isAncestor(alloc);
      Operation *around = alloc->getBlock()->findAncestorOpInBlock(*loop);
      SmallVector<Operation *> users(alloc->getUsers());
      while (!isThere && around && alloc->isBeforeInBlock(around) && !users.empty()) {
        Operation *user = users.pop_back_val();
        isThere = !alloc->getBlock()->findAncestorOpInBlock(*user)->isBeforeInBlock(around);
        if (llvm::isa<OffsetOp, ViewOp>(user))
          llvm::append_range(users, user->getUsers());
      }
      bytes += isThere ? alloc.getBytes() : 0;
    });
    return bytes <= l1;
  }

  // Bytes of L1 that are needed beside the tiles of the loop.
  int64_t bytesOfOthers(scf::ForOp loop) {
    Operation *top = loop;
    while (!llvm::isa<func::FuncOp>(top->getParentOp()))
      top = top->getParentOp();
    int64_t bytes = 0;
    getOperation().walk([&](AllocOp alloc) {
      bool mayMeet = top->isAncestor(alloc) || llvm::isa<func::FuncOp>(alloc->getParentOp());
      if (alloc.getResult().getType().getMemory() == Memory::L1 && alloc->getBlock() != loop.getBody() && mayMeet)
        bytes += alloc.getBytes();
    });
    return bytes;
  }

  // What another core writes, under flags of its own.
  static bool isChannel(Value array) {
    auto argument = dyn_cast<BlockArgument>(array);
    auto half = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
    return half && half.getArgAttr(argument.getArgNumber(), channelAttrName);
  }

  static bool loadsSent(Operation *op) {
    return isLoad(*op) && llvm::any_of(accessesIn(op), [](const auto &each) {
             return each.second.place.root && isChannel(each.second.place.root);
           });
  }
  // Tiles of the loop that another core sends.
  static llvm::DenseSet<Value> tilesSent(scf::ForOp loop) {
    llvm::DenseSet<Value> tiles;
    for (Operation &op : loop.getBody()->without_terminator())
      if (loadsSent(&op))
        for (const auto &[inner, access] : accessesIn(&op))
          if (access.write && access.place.root)
            tiles.insert(access.place.root);
    return tiles;
  }

  std::optional<Parts> stay(scf::ForOp loop, const char *reason) {
    remark::missed(loop.getLoc(), remarkOf(getArgument(), "loads")) << remark::reason("{0}", reason);
    return std::nullopt;
  }

  static std::vector<std::pair<Operation *, plan::Access>> accessesIn(Operation *op) {
    std::vector<std::pair<Operation *, plan::Access>> all;
    op->walk([&](Operation *inner) {
      for (plan::Access &access : accessesOf(inner))
        all.push_back({inner, std::move(access)});
    });
    return all;
  }

  // Moves from global memory, and scalar code around them, without results.
  static bool isLoad(Operation &op) {
    bool loads = false, else_ = false;
    op.walk([&](Operation *inner) {
      if (std::optional<Pipe> pipe = pipeOf(inner))
        (*pipe == Pipe::MTE2 ? loads : else_) = true;
    });
    return loads && !else_ && !op.getNumResults();
  }

  static bool mayChange(scf::ForOp loop, Operation *load, const plan::Access &read) {
    for (Operation &op : loop.getBody()->without_terminator())
      for (const auto &[inner, access] : accessesIn(&op))
        if (access.write && inner != load && access.memory == Memory::GM &&
            conflictOf(load, read, inner, access).kind != Meeting::Never)
          return true;
    return false;
  }

  // Whether the op can be copied to where only the loop's counter is known.
  static bool dependsOnScalarsOnly(scf::ForOp loop, Operation *op) {
    SmallVector<Operation *> open = {op};
    llvm::DenseSet<Operation *> seen;
    while (!open.empty()) {
      Operation *next = open.pop_back_val();
      bool isFine = true;
      next->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands()) {
          if (!loop->isAncestor(operand.getParentBlock()->getParentOp()))
            continue;
          if (auto argument = dyn_cast<BlockArgument>(operand)) {
            isFine &= argument.getOwner() != loop.getBody() || argument == loop.getInductionVar();
            continue;
          }
          Operation *definition = loop.getBody()->findAncestorOpInBlock(*operand.getDefiningOp());
          if (definition == next || !seen.insert(definition).second)
            continue;
          if (llvm::isa<AllocOp>(definition))
            continue;
          isFine &= isMemoryEffectFree(definition) && !pipeOf(definition);
          open.push_back(definition);
        }
      });
      if (!isFine)
        return false;
    }
    return true;
  }

  void preload(scf::ForOp loop, const Parts &parts) {
    remark::passed(loop.getLoc(), remarkOf(getArgument(), "loads"))
        << remark::metric("tiles", parts.tiles.size()) << remark::metric("once", parts.once.size())
        << remark::metric("loads", parts.loads.size());
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Type type = loop.getInductionVar().getType();
    auto number = [&](OpBuilder &at, int64_t value) -> Value {
      return arith::ConstantOp::create(at, loc, at.getIntegerAttr(type, value));
    };
    // Two buffers for each tile, for even and odd iterations.
    IRMapping even, odd;
    Operation *outermost = loop;
    for (Operation *parent = loop; !llvm::isa<func::FuncOp>(parent); parent = parent->getParentOp())
      if (llvm::isa<scf::ForOp, scf::WhileOp>(parent))
        outermost = parent;
    OpBuilder before(parts.waits ? loop.getOperation() : outermost);
    for (AllocOp tile : parts.tiles) {
      before.clone(*tile, even);
      if (parts.once.contains(tile.getResult()))
        odd.map(tile.getResult(), even.lookup(tile.getResult()));
      else
        before.clone(*tile, odd);
    }
    // How often the loop runs. Steps are positive.
    Value first = loop.getLowerBound(), step = loop.getStep();
    Value length = b.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), first);
    length = b.createOrFold<arith::MaxSIOp>(loc, length, number(b, 0));
    Value trips = length;
    if (!matchPattern(step, m_One())) {
      Value rounded =
          b.createOrFold<arith::AddIOp>(loc, length, b.createOrFold<arith::SubIOp>(loc, step, number(b, 1)));
      trips = b.createOrFold<arith::DivSIOp>(loc, rounded, step);
    }
    auto iteration = [&](OpBuilder &at, Value index) -> Value {
      Value by = matchPattern(step, m_One()) ? index : at.createOrFold<arith::MulIOp>(loc, index, step);
      return matchPattern(first, m_Zero()) ? by : at.createOrFold<arith::AddIOp>(loc, first, by);
    };
    auto isBelow = [&](OpBuilder &at, Value x, Value y) -> Value {
      return arith::CmpIOp::create(at, loc, arith::CmpIPredicate::slt, x, y);
    };
    // Loads of an iteration, with the scalar code they need: of all tiles that are there twice, or of those behind
    // `op`.
    auto load = [&](OpBuilder &at, Value index, const IRMapping &tiles, Operation *behind = nullptr, bool all = false) {
      llvm::SetVector<Operation *> wanted;
      for (Operation *op : parts.loads)
        if (all || behindOf(op, parts) == behind)
          wanted.insert(op);
      if (wanted.empty())
        return;
      IRMapping map = tiles;
      map.map(loop.getInductionVar(), iteration(at, index));
      for (Operation &op : loop.getBody()->without_terminator())
        if (wanted.contains(&op) || isNeededByLoads(loop, wanted, op))
          at.clone(op, map);
    };
    // The work of an iteration. `next`: the one after it; where `more` holds, if given.
    auto work = [&](OpBuilder &at, Value index, const IRMapping &tiles, ValueRange carried, Value next = {},
                    Value more = {}) {
      IRMapping map = tiles;
      map.map(loop.getInductionVar(), iteration(at, index));
      map.map(loop.getRegionIterArgs(), carried);
      for (Operation *op : parts.work) {
        at.clone(*op, map);
        bool isLast = llvm::any_of(parts.once, [&](const auto &each) { return each.second == op; });
        if (!next || !isLast)
          continue;
        OpBuilder ahead = more ? scf::IfOp::create(at, loc, more).getThenBodyBuilder() : at;
        load(ahead, next, tiles, op);
      }
      SmallVector<Value> left;
      for (Value value : loop.getYieldedValues())
        left.push_back(map.lookupOrDefault(value));
      return left;
    };

    auto any = scf::IfOp::create(b, loc, isBelow(b, number(b, 0), trips));
    OpBuilder begin = any.getThenBodyBuilder();
    load(begin, number(begin, 0), even, nullptr, /*all=*/true);
    if (parts.waits) {
      auto each = scf::ForOp::create(b, loc, number(b, 0), trips, number(b, 1), loop.getInitArgs());
      each->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
      OpBuilder body = OpBuilder::atBlockBegin(each.getBody());
      Value next = arith::AddIOp::create(body, loc, each.getInductionVar(), number(body, 1));
      SmallVector<Value> carried =
          work(body, each.getInductionVar(), even, each.getRegionIterArgs(), next, isBelow(body, next, trips));
      if (!carried.empty())
        scf::YieldOp::create(body, loc, carried);
      loop->replaceAllUsesWith(each.getResults());
      loop.erase();
      return;
    }
    Value pairs = b.createOrFold<arith::DivUIOp>(loc, trips, number(b, 2));
    auto both = scf::ForOp::create(b, loc, number(b, 0), pairs, number(b, 1), loop.getInitArgs());
    both->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    OpBuilder body = OpBuilder::atBlockBegin(both.getBody());
    Value index = arith::MulIOp::create(body, loc, both.getInductionVar(), number(body, 2));
    Value next = arith::AddIOp::create(body, loc, index, number(body, 1));
    load(body, next, odd);
    SmallVector<Value> carried = work(body, index, even, both.getRegionIterArgs(), next);
    Value afterNext = arith::AddIOp::create(body, loc, index, number(body, 2));
    Value more = isBelow(body, afterNext, trips);
    OpBuilder ahead = scf::IfOp::create(body, loc, more).getThenBodyBuilder();
    load(ahead, afterNext, even);
    carried = work(body, next, odd, carried, afterNext, more);
    if (!carried.empty())
      scf::YieldOp::create(body, loc, carried);

    Value rest = b.createOrFold<arith::MulIOp>(loc, pairs, number(b, 2));
    bool leaves = loop.getNumResults();
    auto last = leaves ? scf::IfOp::create(b, loc, loop.getResultTypes(), isBelow(b, rest, trips), true, true)
                       : scf::IfOp::create(b, loc, isBelow(b, rest, trips));
    OpBuilder end = OpBuilder::atBlockBegin(last.thenBlock());
    carried = work(end, rest, even, both.getResults());
    if (leaves) {
      scf::YieldOp::create(end, loc, carried);
      OpBuilder none = OpBuilder::atBlockBegin(last.elseBlock());
      scf::YieldOp::create(none, loc, both.getResults());
    }
    loop->replaceAllUsesWith(last.getResults());
    loop.erase();
  }

  // The op of the work behind which a load is done one iteration ahead; null: before all of it.
  static Operation *behindOf(Operation *load, const Parts &parts) {
    Operation *behind = nullptr;
    for (const auto &[inner, access] : accessesIn(load))
      if (access.write)
        if (Operation *op = parts.once.lookup(access.place.root); op && (!behind || behind->isBeforeInBlock(op)))
          behind = op;
    return behind;
  }

  // Scalar code of the body that a load reads, through other such code.
  static bool isNeededByLoads(scf::ForOp loop, const llvm::SetVector<Operation *> &loads, Operation &op) {
    if (!isMemoryEffectFree(&op) || pipeOf(&op) || llvm::isa<AllocOp>(op))
      return false;
    return llvm::any_of(op.getUsers(), [&](Operation *user) {
      Operation *inBody = loop.getBody()->findAncestorOpInBlock(*user);
      return inBody && (loads.contains(inBody) || isNeededByLoads(loop, loads, *inBody));
    });
  }

  static constexpr int64_t queue = 32; // calls, of the pipe that copies to L0, on every part
};

} // namespace
} // namespace tilesmith
