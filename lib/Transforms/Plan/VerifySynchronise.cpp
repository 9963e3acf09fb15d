// Verify synchronise: replays a kernel's flags on short paths and reports accesses that are not ordered.
//
// The kernel is interpreted with made-up scalars. Every loop runs a chosen number of times whatever its bounds (0 to 5,
// or mixed), every branch goes a chosen way whatever its condition, so that short paths through nests and branches are
// covered; addresses, slots and flag ids are computed as the kernel computes them.
#include "Accesses.h"
#include "Replay.h"
#include "tilesmith/Dialect/Tile/Tile.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_VERIFYSYNCHRONISE
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
using namespace plan;

// How loops and branches go in one replay.
struct Path {
  enum class Branches { First, Last, Alternate, Mixed } branches;
  int64_t trips; // -1: mixed
  uint64_t seed;

  uint64_t random() {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed;
  }
  int64_t tripsOfLoop() { return trips >= 0 ? trips : int64_t(random() % 4); }
  unsigned choose(unsigned count) {
    switch (branches) {
    case Branches::First:
      return 0;
    case Branches::Last:
      return count - 1;
    case Branches::Alternate:
      return turn++ % count;
    case Branches::Mixed:
      return random() % count;
    }
    return 0;
  }
  unsigned turn = 0;
};

// An integer, or an address with the end of the buffer it points into.
struct Number {
  int64_t value = 0, end = 0;
};

class Interpreter {
public:
  Interpreter(func::FuncOp func, Arch arch, Path path) : replay(arch), path(path), func(func) {}

  Replay::Fault run() {
    for (BlockArgument arg : func.getArguments())
      numbers[arg] = argument(arg);
    block(func.getBody().front());
    if (replay.ok())
      replay.end(func);
    return replay.fault;
  }

private:
  static constexpr int64_t globalBytes = int64_t(1) << 40;

  // Arguments that may alias are the same array here, the others far apart.
  Number argument(BlockArgument arg) {
    if (!llvm::isa<BufferType>(arg.getType()))
      return {int64_t(3 + arg.getArgNumber()), 0};
    bool alias =
        func.getArgAttr(arg.getArgNumber(), mayAliasAttrName) && !func.getArgAttr(arg.getArgNumber(), noaliasAttrName);
    int64_t begin = alias ? 0 : (arg.getArgNumber() + 1) * globalBytes;
    return {begin, begin + globalBytes};
  }

  void block(Block &block) {
    for (Operation &op : block) {
      if (!replay.ok())
        return;
      execute(op);
    }
  }

  void execute(Operation &op) {
    if (auto set = dyn_cast<SetFlagOp>(op))
      return replay.set(&op, set.getFrom().getValue(), set.getTo().getValue(), numbers[set.getId()].value);
    if (auto wait = dyn_cast<WaitFlagOp>(op))
      return replay.wait(&op, wait.getFrom().getValue(), wait.getTo().getValue(), numbers[wait.getId()].value);
    if (auto barrier = dyn_cast<PipeBarrierOp>(op))
      return replay.barrier(barrier.getOn().getValue());
    if (auto mode = dyn_cast<SetAtomicOp>(op))
      atomic = mode.getOp().getValue();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return runFor(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return runWhile(loop);
    if (llvm::isa<scf::IfOp, scf::IndexSwitchOp>(op))
      return runBranch(op);
    if (std::optional<Pipe> pipe = pipeOf(&op))
      instruction(op, *pipe);
    for (OpResult result : op.getResults())
      numbers[result] = evaluate(op);
  }

  //===- Control flow
  //-------------------------------------------------------------------------------------------------===//

  void assign(ValueRange to, ValueRange from) {
    SmallVector<Number> values;
    for (Value value : from)
      values.push_back(numbers[value]);
    for (auto [value, number] : llvm::zip(to, values))
      numbers[value] = number;
  }

  void runFor(scf::ForOp loop) {
    assign(loop.getRegionIterArgs(), loop.getInitArgs());
    bool parallel = loop->hasAttr(tile::parallelAttrName) && task < 0;
    int64_t trips = path.tripsOfLoop();
    for (int64_t i = 0; i < trips && replay.ok(); ++i) {
      if (parallel)
        task = nextTask++;
      numbers[loop.getInductionVar()].value = numbers[loop.getLowerBound()].value + i * numbers[loop.getStep()].value;
      block(*loop.getBody());
      assign(loop.getRegionIterArgs(), loop.getYieldedValues());
    }
    if (parallel)
      task = -1;
    assign(loop.getResults(), loop.getRegionIterArgs());
  }

  void runWhile(scf::WhileOp loop) {
    assign(loop.getBeforeArguments(), loop.getInits());
    int64_t trips = path.tripsOfLoop();
    for (int64_t i = 0; replay.ok(); ++i) {
      block(*loop.getBeforeBody());
      if (i == trips)
        break;
      assign(loop.getAfterArguments(), loop.getConditionOp().getArgs());
      block(*loop.getAfterBody());
      assign(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
    }
    assign(loop.getResults(), loop.getConditionOp().getArgs());
  }

  void runBranch(Operation &op) {
    Region &region = op.getRegion(path.choose(op.getNumRegions()));
    if (region.empty())
      return;
    block(region.front());
    assign(op.getResults(), region.front().getTerminator()->getOperands());
  }

  //===- Instructions and scalars
  //-------------------------------------------------------------------------------------===//

  void instruction(Operation &op, Pipe pipe) {
    SmallVector<Touch> touches;
    for (const OperandAccess &access : operandAccessesOf(&op)) {
      const Number &address = numbers[access.buffer];
      Memory memory = cast<BufferType>(access.buffer.getType()).getMemory();
      // The size is an upper bound (of a padded move, say); no instruction leaves the buffer it was lowered for.
      int64_t end = access.size ? std::min(address.value + *access.size, address.end) : address.end;
      bool isGlobal = memory == Memory::GM;
      if (isGlobal && isChannel(access.buffer)) // ordered by flags between cores
        continue;
      int exempt = isGlobal && access.write && atomic != AtomicOp::None ? 1 + int(atomic) : isLongMmad(op) ? 100 : 0;
      touches.push_back({memory, address.value, end, access.write, isGlobal ? task : -1, exempt, access.repeats});
    }
    if (!touches.empty())
      replay.call(&op, pipe, touches);
  }

  bool isChannel(Value buffer) {
    return llvm::any_of(placesOf(buffer), [&](const Place &place) {
      auto argument = dyn_cast_if_present<BlockArgument>(place.root);
      return argument && func.getArgAttr(argument.getArgNumber(), channelAttrName);
    });
  }

  bool isLongMmad(Operation &op) {
    auto mmad = dyn_cast<MmadOp>(op);
    return mmad && mmadFollowsFreely(numbers[mmad.getM()].value, numbers[mmad.getN()].value);
  }

  Number evaluate(Operation &op) {
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      int64_t begin = alloc.getAddress() ? int64_t(*alloc.getAddress()) : (nextFree += 1 << 24);
      return {begin, begin + int64_t(alloc.getBytes() * alloc.getSlots())};
    }
    if (auto slot = dyn_cast<SlotOp>(op)) {
      AllocOp ring = slot.getAlloc();
      int64_t bytes = ring.getBytes();
      int64_t begin =
          numbers[ring.getResult()].value + uint64_t(numbers[slot.getIndex()].value) % ring.getSlots() * bytes;
      return {begin, begin + bytes};
    }
    if (auto offset = dyn_cast<OffsetOp>(op))
      return {numbers[offset.getBase()].value + numbers[offset.getBytes()].value, numbers[offset.getBase()].end};
    if (auto view = dyn_cast<ViewOp>(op))
      return numbers[view.getBase()];
    if (std::optional<int64_t> constant = constantOf(op.getResult(0)))
      return {*constant, 0};
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return numbers[path.choose(2) ? select.getFalseValue() : select.getTrueValue()];
    if (op.getNumOperands() == 1 && stripCasts(op.getResult(0)) != op.getResult(0))
      return numbers[op.getOperand(0)];
    if (op.getNumOperands() == 2)
      return {binary(op, numbers[op.getOperand(0)].value, numbers[op.getOperand(1)].value), 0};
    return {int64_t(path.random() % 5), 0}; // block index, values read from memory
  }

  int64_t binary(Operation &op, int64_t a, int64_t b) {
    if (llvm::isa<arith::AddIOp>(op))
      return a + b;
    if (llvm::isa<arith::SubIOp>(op))
      return a - b;
    if (llvm::isa<arith::MulIOp>(op))
      return a * b;
    if (llvm::isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op))
      return b ? a / b : 0;
    if (llvm::isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
      return b ? (a + b - 1) / b : 0;
    if (llvm::isa<arith::RemSIOp, arith::RemUIOp>(op))
      return b ? a % b : 0;
    if (llvm::isa<arith::MinSIOp, arith::MinUIOp>(op))
      return std::min(a, b);
    if (llvm::isa<arith::MaxSIOp, arith::MaxUIOp>(op))
      return std::max(a, b);
    if (llvm::isa<arith::ShLIOp>(op))
      return a << (b & 31);
    return int64_t(path.random() % 2);
  }

  Replay replay;
  Path path;
  func::FuncOp func;
  llvm::DenseMap<Value, Number> numbers;
  AtomicOp atomic = AtomicOp::None;
  int64_t task = -1, nextTask = 0, nextFree = 0;
};

struct VerifySynchronise : impl::VerifySynchroniseBase<VerifySynchronise> {
  using VerifySynchroniseBase::VerifySynchroniseBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    Arch arch = Arch::C220;
    if (auto name = func->getAttrOfType<StringAttr>(archAttrName); name && name.getValue() == "C310")
      arch = Arch::C310;
    using Branches = Path::Branches;
    SmallVector<Path> paths;
    for (int64_t trips : {0, 1, 2, 3, 5})
      for (Branches branches : {Branches::First, Branches::Last, Branches::Alternate})
        paths.push_back({branches, trips, 88172645463325252ull});
    for (uint64_t seed = 1; seed <= 12; ++seed)
      paths.push_back({Branches::Mixed, -1, seed * 0x9E3779B97F4A7C15ull});
    for (const Path &path : paths) {
      Replay::Fault fault = Interpreter(func, arch, path).run();
      if (!fault.op)
        continue;
      InFlightDiagnostic error = emitError(fault.op->getLoc()) << fault.text;
      if (fault.other)
        error.attachNote(fault.other->getLoc()) << "the other place";
      return signalPassFailure();
    }
    remark::analysis(func.getLoc(), remarkOf(getArgument(), "paths")) << remark::metric("paths", paths.size());
  }
};

} // namespace
} // namespace tilesmith
