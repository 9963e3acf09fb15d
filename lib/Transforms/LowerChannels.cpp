// Lower channels: turns channels between cores into rings in the workspace with counted flags.
//
// A channel has a parameter: the part of the workspace that belongs to the block, with room for `slots` tiles. Sending
// is a store to the next slot, receiving a load from it. Two cross-core flags go with it: `full` counts tiles that are
// there, set behind the store on the pipe that stores, and `empty` counts slots that may be written, set behind the
// load. The one who receives sets `empty` for all slots when the kernel begins; the one who sends takes them back when
// it ends. Whose turn it is, both cores count alike: the iteration of the loop around, or where that does not do a
// number that loops and branches carry.
//
// A number that crosses is a tile of one element. The cube core, which has no memory for one, reads it on its scalar
// unit.
//
// Channels that share a flag have as many slots as the flag lets be in use at a time.
//
// A direct channel (`isa.direct`) has its slots in UB or L1. A load from it is no move: the tile lies there, waited for
// by the pipe that reads it, and its slot is empty behind the last operation that does.
#include "DirectChannels.h"
#include "LowerToIsa/Lowering.h"
#include "Matrices.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tilesmith/Dialect/Isa/Workspace.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace tilesmith {
#define GEN_PASS_DEF_LOWERCHANNELS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::CoreKind;
using isa::Memory;
using isa::Pipe;

static constexpr int64_t slots = 2;
static constexpr int64_t slotAlignment = 512; // bytes: what a transfer from GM begins at best
static constexpr int64_t betweenKinds = 2;    // mode of flags between the cube core and its vector cores

static bool isEnd(Operation *op) { return llvm::isa<tile::SendOp, tile::ReceiveOp>(op); }
static int64_t numberOf(Operation *op, StringRef name) { return cast<IntegerAttr>(op->getAttr(name)).getInt(); }

namespace {
class Channels {
public:
  // Without flags within the cores a wait holds back its whole core: nothing else keeps an access behind it.
  Channels(func::FuncOp half, isa::Arch arch, bool ordered)
      : half(half), holdsPipe(ordered && arch == isa::Arch::C310), b(half.getContext()) {}

  int64_t run() {
    half.walk([&](Operation *op) {
      if (isEnd(op))
        sites[numberOf(op, "channel")].push_back(op);
    });
    for (auto &[channel, ends] : sites)
      if (takesTurns(ends.front()) && !countByLoop(ends))
        carried.push_back(channel);
    if (!carried.empty()) {
      b.setInsertionPointToStart(&half.getBody().front());
      SmallVector<Value> turns(carried.size(), number(half.getLoc(), 0));
      count(half.getBody().front(), turns);
    }
    SmallVector<Operation *> ends;
    half.walk([&](Operation *op) {
      if (isEnd(op))
        ends.push_back(op);
    });
    for (Operation *op : ends)
      lower(op);
    balance();
    dropUnread();
    return int64_t(sites.size());
  }

private:
  Value number(Location loc, int64_t value) { return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value)); }

  //===- Whose turn it is
  //-------------------------------------------------------------------------------------------===//

  bool takesTurns(Operation *end) {
    std::optional<DirectWay> way = directWayOf(half.getArgument(numberOf(end, "argument")));
    return !way || way->slots > 1;
  }

  // One end in the body of a loop of the kernel itself: the loop counts.
  bool countByLoop(ArrayRef<Operation *> ends) {
    auto loop = dyn_cast<scf::ForOp>(ends.front()->getParentOp());
    if (ends.size() != 1 || !loop || loop->getParentOp() != half.getOperation())
      return false;
    b.setInsertionPointToStart(loop.getBody());
    Location loc = loop.getLoc();
    Value turn = loop.getInductionVar();
    if (!matchPattern(loop.getLowerBound(), m_Zero()))
      turn = arith::SubIOp::create(b, loc, turn, loop.getLowerBound());
    if (!matchPattern(loop.getStep(), m_One()))
      turn = arith::DivUIOp::create(b, loc, turn, loop.getStep());
    turns[ends.front()] = turn;
    return true;
  }

  bool hasCarried(Operation *op) const {
    return op
        ->walk([&](Operation *inner) {
          bool isOne = isEnd(inner) && llvm::is_contained(carried, numberOf(inner, "channel"));
          return isOne ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  // Counts the ends of the carried channels through a block; `now` becomes what holds behind it.
  void count(Block &block, SmallVector<Value> &now) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isEnd(&op)) {
        auto *at = llvm::find(carried, numberOf(&op, "channel"));
        if (at == carried.end())
          continue;
        Value &turn = now[at - carried.begin()];
        turns[&op] = turn;
        b.setInsertionPointAfter(&op);
        turn = arith::AddIOp::create(b, op.getLoc(), turn, number(op.getLoc(), 1));
      } else if (op.getNumRegions() && hasCarried(&op)) {
        countInside(&op, now);
      }
    }
  }

  // Replaces a loop or branch by one that carries the turns as well.
  void countInside(Operation *op, SmallVector<Value> &now) {
    b.setInsertionPoint(op);
    SmallVector<Value> operands(op->getOperands());
    bool isLoop = llvm::isa<scf::ForOp, scf::WhileOp>(op);
    if (isLoop)
      llvm::append_range(operands, now);
    SmallVector<Type> types(op->getResultTypes());
    llvm::append_range(types, ValueRange(now).getTypes());
    OperationState state(op->getLoc(), op->getName(), operands, types, {});
    state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
    if (op->getPropertiesStorageSize())
      state.propertiesAttr = op->getPropertiesAsAttribute();
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    Operation *copy = b.create(state);
    for (Region &region : copy->getRegions()) {
      if (region.empty()) { // a branch without an alternative
        OpBuilder::InsertionGuard guard(b);
        b.createBlock(&region);
        scf::YieldOp::create(b, op->getLoc());
      }
      SmallVector<Value> inside(now);
      if (isLoop)
        for (Value &turn : inside)
          turn = region.addArgument(turn.getType(), op->getLoc());
      count(region.front(), inside);
      Operation *terminator = region.front().getTerminator();
      terminator->insertOperands(terminator->getNumOperands(), inside);
    }
    unsigned old = op->getNumResults();
    op->replaceAllUsesWith(copy->getResults().take_front(old));
    llvm::copy(copy->getResults().drop_front(old), now.begin());
    op->erase();
  }

  // Branches hand on turns that nobody may ask for any more: inner ones to outer ones, which go first.
  void dropUnread() {
    for (size_t left = numResults(), before = left + 1; left != before; left = numResults()) {
      before = left;
      SmallVector<Operation *> branches;
      half.walk([&](scf::IfOp branch) {
        if (llvm::any_of(branch->getResults(), [](Value result) { return result.use_empty(); }))
          branches.push_back(branch);
      });
      RewritePatternSet patterns(half.getContext());
      scf::IfOp::getCanonicalizationPatterns(patterns, half.getContext());
      (void)applyOpPatternsGreedily(branches, std::move(patterns),
                                    GreedyRewriteConfig().setStrictness(GreedyRewriteStrictness::ExistingOps));
    }
  }
  size_t numResults() {
    size_t results = 0;
    half.walk([&](scf::IfOp branch) { results += branch->getNumResults(); });
    return results;
  }

  //===- Stores and loads
  //-------------------------------------------------------------------------------------------===//

  void lower(Operation *op) {
    b.setInsertionPoint(op);
    Location loc = op->getLoc();
    bool sends = llvm::isa<tile::SendOp>(op);
    auto type = cast<tile::TileType>((sends ? op->getOperand(0) : op->getResult(0)).getType());
    unsigned argument = numberOf(op, "argument");
    std::optional<DirectWay> way = directWayOf(half.getArgument(argument));
    int64_t count = way ? way->slots : slots;
    // Where two vector cores share a tile, each has its part of the slot; one that both have, the first one sends.
    bool shared = op->hasAttr("axis");
    int64_t axis = shared ? numberOf(op, "axis") : -1;
    if (way && way->memory == Memory::UB && !isCube()) // that is all a slot of this core has
      axis = -1;
    SmallVector<int64_t> shape(type.getShape());
    if (axis >= 0)
      shape[axis] *= isa::vectorCoresPerCube;
    int64_t elementBytes = type.getElementType().getIntOrFloatBitWidth() / 8;
    int64_t bytes = llvm::alignTo(type.withShape(shape).getNumElements() * elementBytes, slotAlignment);
    if (way) {
      bytes = way->bytes;
    } else {
      half.setArgAttr(argument, isa::channelAttrName, b.getI64IntegerAttr(count * bytes));
      noteRing(op, type.withShape(shape), bytes);
    }
    Value turn = turns.lookup(op);
    if (turn && !turn.getType().isInteger(32))
      turn = arith::TruncIOp::create(b, loc, b.getI32Type(), turn);
    Value slot = count > 1 ? arith::RemUIOp::create(b, loc, turn, number(loc, count)).getResult() : number(loc, 0);
    Value first = arith::MulIOp::create(b, loc, slot, number(loc, bytes / elementBytes));
    auto tensorType = tile::GlobalTensorType::get(b.getContext(), shape, type.getElementType());
    Value tensor =
        tile::TensorOp::create(b, loc, tensorType, half.getArgument(argument), first, ValueRange(), ValueRange())
            .getResult();
    SmallVector<Value> start(type.getRank(), number(loc, 0));
    if (axis >= 0)
      start[axis] = arith::MulIOp::create(b, loc, sub(), number(loc, type.getShape()[axis]));
    int64_t full = numberOf(op, "flag"), empty = full + 1;
    if (sends) {
      Pipe pipe = type.getMemory() == Memory::UB ? Pipe::MTE3 : Pipe::FIX;
      wait(loc, pipe, empty);
      OpBuilder::InsertionGuard guard(b);
      if (shared && axis < 0) {
        Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, sub(), number(loc, 0));
        b.setInsertionPointToStart(scf::IfOp::create(b, loc, isFirst).thenBlock());
      }
      tile::StoreOp::create(b, loc, op->getOperand(0), tensor, start, Value(), DenseI64ArrayAttr());
      b.setInsertionPoint(op);
      set(loc, pipe, full);
      returns[empty] = {pipe, count};
    } else if (type.getMemory() == Memory::UB && isCube()) {
      wait(loc, Pipe::S, full);
      for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
        auto extract = cast<tile::ExtractOp>(user);
        extract.replaceAllUsesWith(tile::GetOp::create(b, loc, extract.getType(), tensor, start).getResult());
        extract.erase();
      }
      set(loc, Pipe::S, empty);
      grants[empty] = {Pipe::MTE2, count};
    } else {
      Pipe pipe = !way ? Pipe::MTE2 : way->memory == Memory::UB ? Pipe::V : Pipe::MTE1;
      Operation *last = way ? lastUseOf(op->getResult(0)) : op;
      wait(loc, pipe, full);
      Value pad = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(type.getElementType())));
      auto load = tile::LoadOp::create(b, loc, type, tensor, start, pad);
      op->replaceAllUsesWith(load);
      b.setInsertionPointAfter(last);
      set(loc, pipe, empty);
      grants[empty] = {pipe, count};
    }
    op->erase();
  }

  bool isCube() const {
    return half->getAttrOfType<StringAttr>(isa::coreAttrName).getValue() == StringRef(isa::stringify(CoreKind::AIC));
  }

  // What a profile says of the channel.
  void noteRing(Operation *op, tile::TileType type, int64_t bytes) {
    bool sends = llvm::isa<tile::SendOp>(op);
    Location loc = op->getLoc();
    auto place = loc->findInstanceOf<FileLineColLoc>();
    NamedAttrList ring;
    unsigned argument = numberOf(op, "argument");
    if (auto known = half.getArgAttrOfType<DictionaryAttr>(argument, isa::ringAttrName)) // of another place
      ring = known;
    ring.set("bytes", b.getI64IntegerAttr(bytes));
    ring.set("slots", b.getI64IntegerAttr(slots));
    ring.set("shape", b.getStringAttr(describe(type)));
    if (auto name = dyn_cast<NameLoc>(loc))
      ring.set("name", name.getName());
    if (sends)
      ring.set("from", half->getAttr(isa::coreAttrName));
    StringRef where = sends ? "sent" : "received";
    if (place && !ring.get(where))
      ring.set(where, b.getI64IntegerAttr(place.getLine()));
    half.setArgAttr(argument, isa::ringAttrName, ring.getDictionary(b.getContext()));
  }

  void set(Location loc, Pipe pipe, int64_t flag) {
    isa::CrossCoreSetOp::create(b, loc, isa::PipeAttr::get(b.getContext(), pipe), wide(loc, betweenKinds),
                                wide(loc, flag));
  }
  // Only the 950 can hold back a single pipe; the 910B's waits have no mode.
  void wait(Location loc, Pipe pipe, int64_t flag) {
    bool onPipe = holdsPipe && pipe != Pipe::S;
    isa::CrossCoreWaitOp::create(b, loc, isa::PipeAttr::get(b.getContext(), onPipe ? pipe : Pipe::S),
                                 wide(loc, onPipe ? betweenKinds : 0), wide(loc, flag));
  }
  Value wide(Location loc, int64_t value) { return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value)); }

  // Which of the block's vector cores runs.
  Value sub() {
    if (subBlock)
      return subBlock;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&half.getBody().front());
    Value index = tile::BlockIdxOp::create(b, half.getLoc(), b.getI32Type());
    return subBlock = arith::RemUIOp::create(b, half.getLoc(), index, number(half.getLoc(), isa::vectorCoresPerCube));
  }

  // All slots are empty when the kernel begins, and when it ends.
  void balance() {
    b.setInsertionPointToStart(&half.getBody().front());
    for (auto [flag, turns] : grants)
      for (int64_t i = 0; i < turns.second; ++i)
        set(half.getLoc(), turns.first, flag);
    b.setInsertionPoint(half.getBody().front().getTerminator());
    for (auto [flag, turns] : returns)
      for (int64_t i = 0; i < turns.second; ++i)
        wait(half.getLoc(), turns.first, flag);
  }

  func::FuncOp half;
  bool holdsPipe;
  OpBuilder b;
  std::map<int64_t, SmallVector<Operation *>> sites; // ends by channel
  SmallVector<int64_t> carried;                      // channels whose turns are carried
  llvm::DenseMap<Operation *, Value> turns;
  Value subBlock;
  using Turns = std::pair<Pipe, int64_t>; // what sends or takes, and the slots
  std::map<int64_t, Turns> returns;       // flags this half waits for
  std::map<int64_t, Turns> grants;        // flags this half sets
};

struct LowerChannelsPass : tilesmith::impl::LowerChannelsBase<LowerChannelsPass> {
  using LowerChannelsBase::LowerChannelsBase;
  void runOnOperation() override {
    func::FuncOp half = getOperation();
    if (!half->hasAttr(isa::coreAttrName))
      return;
    FailureOr<isa::Arch> target = getArch(half, arch);
    if (failed(target))
      return signalPassFailure();
    int64_t count = Channels(half, *target, kernelOptions.insertSync.value_or(true)).run();
    remark::analysis(half.getLoc(), remarkOf(getArgument(), "channels")) << remark::metric("channels", count);
  }
};
} // namespace
