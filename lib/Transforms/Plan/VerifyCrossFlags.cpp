// Verify cross flags: follows the flags between the cores of a block, and reports what cannot be right.
//
// For each of a number of made-up arguments the scalar code of the kernel is computed for every core of one block, as
// the chip computes it: how often loops run, which way branches go and which flags are set and waited for. Then the
// cores are replayed together (CrossReplay.h). Found are waits that nothing satisfies, circles of waits, sets that are
// left over when the kernel ends or that the vector cores do not agree about, and more sets ahead of their waits than a
// flag counts.
//
// Only what decides about flags is computed. What an array holds is made up, equal for all cores. Where a number comes
// from a tile or an array that the kernel writes (the workspace is one), or a kernel takes too long with some
// arguments, these arguments say nothing. So what is reported happens with the arguments that the last note names; what
// is not reported may still be wrong with others, and is found by a checked launch.
#include "Accesses.h"
#include "CrossReplay.h"
#include "Linear.h"
#include "ScalarCode.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_VERIFYCROSSFLAGS
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
using namespace plan;

bool isCross(Operation *op) { return llvm::isa<CrossCoreSetOp, CrossCoreWaitOp>(op); }
bool isInner(Operation *op) { return llvm::isa<SetFlagOp, WaitFlagOp>(op); }

//===- What decides about flags
//-----------------------------------------------------------------------------------------===//

// The operations of a kernel that set flags, wait for them, or decide whether, how often and which.
class Slice {
public:
  explicit Slice(func::FuncOp kernel) {
    kernel.walk([&](Operation *op) {
      if (isCross(op))
        for (Operation *at = op; at != kernel; at = at->getParentOp())
          keep(at);
    });
    // Flags within a core count where flags between cores stand beside them.
    kernel.walk([&](Operation *op) {
      if ((isInner(op) || llvm::isa<PipeBarrierOp>(op)) &&
          (op->getParentOp() == kernel || kept.contains(op->getParentOp())))
        keep(op);
    });
    while (!open.empty())
      follow(open.pop_back_val());
  }

  bool contains(Operation *op) const { return kept.contains(op); }
  bool needs(Value value) const { return needed.contains(value); }
  // Constants by which numbers are divided, and steps of loops: sizes of tiles among them.
  ArrayRef<int64_t> divisors() const { return constants.getArrayRef(); }

private:
  void keep(Operation *op) {
    if (!kept.insert(op).second)
      return;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      noteDivisor(loop.getStep());
      return need({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return need({loop.getConditionOp().getCondition()});
    if (llvm::isa<scf::IfOp, scf::IndexSwitchOp>(op))
      return need({op->getOperand(0)});
    if (llvm::isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
      noteDivisor(op->getOperand(1));
    for (Value operand : op->getOperands())
      need({operand});
  }
  void noteDivisor(Value value) {
    constexpr int64_t most = 8192;
    if (std::optional<int64_t> size = constantOf(value); size && *size > 1 && *size <= most)
      constants.insert(*size);
  }
  void need(ArrayRef<Value> values) {
    for (Value value : values)
      if (needed.insert(value).second)
        open.push_back(value);
  }
  void follow(Value value) {
    if (auto result = dyn_cast<OpResult>(value)) {
      Operation *op = result.getOwner();
      keep(op);
      unsigned number = result.getResultNumber();
      if (auto loop = dyn_cast<scf::ForOp>(op))
        return need({loop.getRegionIterArg(number)});
      if (auto loop = dyn_cast<scf::WhileOp>(op))
        return need({loop.getConditionOp().getArgs()[number]});
      for (Region &region : op->getRegions())
        if (!region.empty())
          need({region.front().getTerminator()->getOperand(number)});
      return;
    }
    auto argument = cast<BlockArgument>(value);
    Operation *op = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      keep(op);
      if (argument == loop.getInductionVar())
        return;
      unsigned number = argument.getArgNumber() - 1;
      need({loop.getInitArgs()[number], loop.getYieldedValues()[number]});
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      keep(op);
      unsigned number = argument.getArgNumber();
      if (argument.getOwner() == loop.getBeforeBody())
        need({loop.getInits()[number], loop.getYieldOp().getOperand(number)});
      else
        need({loop.getConditionOp().getArgs()[number]});
    }
  }

  llvm::DenseSet<Operation *> kept;
  llvm::DenseSet<Value> needed;
  SmallVector<Value> open;
  llvm::SetVector<int64_t> constants;
};

//===- One run
//----------------------------------------------------------------------------------------------------------===//

// What a launch is given, made up.
class Inputs {
public:
  Inputs(func::FuncOp kernel, const Slice &slice, unsigned number) : seed(uint64_t(number) << 32) {
    ArrayRef<int64_t> sizes = slice.divisors();
    auto made = [&]() -> int64_t {
      if (number < 4) // none, one, two and three of everything
        return number;
      int64_t factor = int64_t(random() % 4);
      if (sizes.empty() || random() % 2)
        return factor;
      return sizes[random() % sizes.size()] * factor + (random() % 4 ? 0 : int64_t(random() % 3) - 1);
    };
    blocks = number < 4 || number % 2 ? 1 : int64_t(1 + random() % 24);
    block = int64_t(random() % uint64_t(blocks));
    for (BlockArgument argument : kernel.getArguments()) {
      Type type = argument.getType();
      if (llvm::isa<BufferType>(type))
        arguments.push_back(Scalar::of(int64_t(argument.getArgNumber() + 1) << 40));
      else if (llvm::isa<FloatType>(type))
        arguments.push_back(Scalar::of(double(random() % 5) - 2));
      else
        arguments.push_back(scalarOf(made(), type));
    }
  }

  // What stands in an array.
  Scalar load(int64_t address, Type type) const {
    int64_t value = int64_t(mix(uint64_t(address) ^ seed) % 5) - 1;
    return llvm::isa<FloatType>(type) ? Scalar::of(double(value)) : scalarOf(value, type);
  }

  // "with n = 3, m = 5, in block 0 of 1".
  std::string text(func::FuncOp kernel) const {
    std::string out;
    for (BlockArgument argument : kernel.getArguments()) {
      Type type = argument.getType();
      if (llvm::isa<BufferType>(type))
        continue;
      Scalar value = arguments[argument.getArgNumber()];
      std::string name = "argument " + std::to_string(argument.getArgNumber());
      if (auto known = dyn_cast<NameLoc>(argument.getLoc()))
        name = known.getName().str();
      out += (out.empty() ? "with " : ", ") + name + " = " +
             (llvm::isa<FloatType>(type) ? std::to_string(value.real()) : std::to_string(value.bits));
    }
    return out + (out.empty() ? "in block " : ", in block ") + std::to_string(block) + " of " + std::to_string(blocks);
  }

  int64_t blocks = 1, block = 0;
  SmallVector<Scalar> arguments;

private:
  uint64_t random() { return mix(seed += 0x9E3779B97F4A7C15ull); }
  static uint64_t mix(uint64_t bits) { // splitmix64
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
    return bits ^ (bits >> 31);
  }
  uint64_t seed;
};

// The slice in the form it is computed in: values are numbers of a table.
struct Step {
  enum Kind : uint8_t {
    Compute,
    Load,
    Offset,
    OnCube,
    BlockIdx,
    BlockNum,
    Unknown,
    Event,
    For,
    While,
    If,
    Switch
  } kind;
  Operation *op = nullptr;
  Evaluate evaluate = nullptr;
  SmallVector<unsigned, 3> in; // of a loop: lower bound, upper bound and step, or the condition
  unsigned out = 0;            // of a loop: its counter
  SmallVector<std::vector<Step>, 2> bodies;
  // What is handed on: to the arguments of the first body, from one body to the next and to the results.
  using Assign = SmallVector<std::pair<unsigned, unsigned>, 4>; // to, from
  Assign entry;
  SmallVector<Assign, 2> exits;
  Assign leave; // of a loop: to its results
};

class Program {
public:
  Program(func::FuncOp kernel, const Slice &slice) : slice(slice) {
    bool reads = false;
    kernel.walk([&](GetValueOp load) { reads |= slice.contains(load); });
    kernel.walk([&](Operation *op) {
      if (reads && pipeOf(op))
        for (const OperandAccess &access : operandAccessesOf(op))
          if (access.write)
            written.insert(rootOf(access.buffer));
    });
    for (BlockArgument argument : kernel.getArguments())
      numberOf(argument);
    body = compile(kernel.getBody().front());
  }

  std::vector<Step> body;
  unsigned values() const { return numbers.size(); }

private:
  unsigned numberOf(Value value) { return numbers.try_emplace(value, numbers.size()).first->second; }

  std::vector<Step> compile(Block &block) {
    std::vector<Step> steps;
    for (Operation &op : block)
      if (slice.contains(&op))
        steps.push_back(compile(op));
    return steps;
  }

  Step compile(Operation &op) {
    Step step{kindOf(op), &op};
    if (step.kind == Step::Compute) {
      step.evaluate = evaluatorOf(&op);
      if (!step.evaluate)
        step.kind = Step::Unknown; // a number from a tile
    }
    if (auto load = dyn_cast<GetValueOp>(op); load && isWritten(load.getSrc()))
      step.kind = Step::Unknown;
    SmallVector<Value> read(op.getOperands());
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      read = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
      step.out = numberOf(loop.getInductionVar());
      step.entry = assign(loop.getRegionIterArgs(), loop.getInitArgs());
      step.exits = {assign(loop.getRegionIterArgs(), loop.getYieldedValues())};
      step.leave = assign(loop.getResults(), loop.getRegionIterArgs());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      read = {loop.getConditionOp().getCondition()};
      step.entry = assign(loop.getBeforeArguments(), loop.getInits());
      step.exits = {assign(loop.getAfterArguments(), loop.getConditionOp().getArgs()),
                    assign(loop.getBeforeArguments(), loop.getYieldOp().getOperands())};
      step.leave = assign(loop.getResults(), loop.getConditionOp().getArgs());
    } else if (op.getNumRegions()) {
      for (Region &region : op.getRegions())
        step.exits.push_back(region.empty() ? Step::Assign()
                                            : assign(op.getResults(), region.front().getTerminator()->getOperands()));
    } else if (op.getNumResults()) {
      step.out = numberOf(op.getResult(0));
    }
    for (Value value : read)
      step.in.push_back(numberOf(value));
    for (Region &region : op.getRegions())
      step.bodies.push_back(region.empty() ? std::vector<Step>() : compile(region.front()));
    return step;
  }

  static Step::Kind kindOf(Operation &op) {
    if (isCross(&op) || isInner(&op) || llvm::isa<PipeBarrierOp>(op))
      return Step::Event;
    return llvm::TypeSwitch<Operation *, Step::Kind>(&op)
        .Case([](scf::ForOp) { return Step::For; })
        .Case([](scf::WhileOp) { return Step::While; })
        .Case([](scf::IfOp) { return Step::If; })
        .Case([](scf::IndexSwitchOp) { return Step::Switch; })
        .Case([](OnCubeOp) { return Step::OnCube; })
        .Case([](BlockIdxOp) { return Step::BlockIdx; })
        .Case([](BlockNumOp) { return Step::BlockNum; })
        .Case([](GetValueOp) { return Step::Load; })
        .Case<OffsetOp, ViewOp>([](auto) { return Step::Offset; })
        .Default([](Operation *) { return Step::Compute; });
  }

  // The argument an address belongs to; otherwise where it is not plain any more.
  static Value rootOf(Value buffer) {
    while (Operation *op = buffer.getDefiningOp()) {
      if (!llvm::isa<OffsetOp, ViewOp>(op))
        break;
      buffer = op->getOperand(0);
    }
    return buffer;
  }
  bool isWritten(Value buffer) const {
    Value root = rootOf(buffer);
    return root.getDefiningOp() || written.contains(root);
  }

  // Only what is needed is handed on.
  Step::Assign assign(ValueRange to, ValueRange from) {
    Step::Assign result;
    for (auto [value, source] : llvm::zip_equal(to, from))
      if (slice.needs(value))
        result.push_back({numberOf(value), numberOf(source)});
    return result;
  }

  const Slice &slice;
  llvm::DenseMap<Value, unsigned> numbers;
  llvm::DenseSet<Value> written;
};

// Computes what one core does with its flags.
class Follow {
public:
  Follow(const Program &program, const Inputs &inputs, BlockCores cores, unsigned core)
      : inputs(inputs), cores(cores), core(core), numbers(program.values()) {
    llvm::copy(inputs.arguments, numbers.begin());
    run(program.body);
  }

  std::vector<CrossEvent> events;
  bool knows = true; // otherwise what decides was not known, or it takes too long

private:
  static constexpr unsigned mostSteps = 8000, mostEvents = 1500;

  void run(const std::vector<Step> &steps) {
    for (const Step &step : steps) {
      if (!knows)
        return;
      execute(step);
    }
  }

  int64_t known(unsigned number) {
    knows &= numbers[number].known;
    return numbers[number].bits;
  }

  void assign(const Step::Assign &list) {
    SmallVector<Scalar, 8> values;
    for (auto [to, from] : list)
      values.push_back(numbers[from]);
    for (auto [pair, value] : llvm::zip_equal(list, values))
      numbers[pair.first] = value;
  }

  void count() { knows &= ++steps <= mostSteps && events.size() <= mostEvents; }

  void execute(const Step &step) {
    bool onCube = core < cores.aic;
    Scalar &out = numbers[step.out];
    count();
    switch (step.kind) {
    case Step::Event:
      return happen(step);
    case Step::For:
      return runFor(step);
    case Step::While:
      return runWhile(step);
    case Step::If:
      return branch(step, known(step.in[0]) ? 0 : 1);
    case Step::Switch: {
      auto cases = cast<scf::IndexSwitchOp>(step.op).getCases();
      const int64_t *found = llvm::find(cases, known(step.in[0]));
      return branch(step, found == cases.end() ? 0 : unsigned(found - cases.begin()) + 1);
    }
    case Step::OnCube:
      out = Scalar::of(int64_t(onCube));
      return;
    case Step::BlockIdx:
      out = Scalar::of(onCube ? inputs.block : inputs.block * cores.aiv + core - cores.aic);
      return;
    case Step::BlockNum:
      out = Scalar::of(inputs.blocks);
      return;
    case Step::Unknown:
      out = {};
      return;
    case Step::Offset:
    case Step::Load:
    case Step::Compute: {
      SmallVector<Scalar, 4> operands;
      bool allKnown = true;
      for (unsigned number : step.in) {
        operands.push_back(numbers[number]);
        allKnown &= numbers[number].known;
      }
      if (step.kind == Step::Compute)
        out = step.evaluate(step.op, operands);
      else if (!allKnown)
        out = {};
      else if (step.kind == Step::Load)
        out = inputs.load(operands[0].bits, step.op->getResult(0).getType());
      else
        out = Scalar::of(operands[0].bits + (operands.size() > 1 ? operands[1].bits : 0));
    }
    }
  }

  void happen(const Step &step) {
    Operation *op = step.op;
    CrossEvent event{CrossEvent::Barrier, Pipe::S};
    event.op = op;
    if (auto set = dyn_cast<CrossCoreSetOp>(op)) {
      event.kind = CrossEvent::Set;
      event.pipe = set.getFrom().getValue();
    } else if (auto wait = dyn_cast<CrossCoreWaitOp>(op)) {
      event.kind = CrossEvent::Wait;
      event.pipe = wait.getOn().getValue();
    } else if (auto set = dyn_cast<SetFlagOp>(op)) {
      event.kind = CrossEvent::InnerSet;
      event.pipe = event.from = set.getFrom().getValue();
      event.to = set.getTo().getValue();
    } else if (auto wait = dyn_cast<WaitFlagOp>(op)) {
      event.kind = CrossEvent::InnerWait;
      event.from = wait.getFrom().getValue();
      event.pipe = event.to = wait.getTo().getValue();
    } else {
      if (cast<PipeBarrierOp>(op).getOn().getValue() == Pipe::ALL)
        events.push_back(event);
      return; // a pipe takes its own in order anyway
    }
    knows &= event.pipe != Pipe::ALL;
    if (isCross(op)) {
      event.mode = known(step.in[0]);
      event.id = known(step.in[1]);
      knows &= isFollowed(event);
    } else {
      event.id = known(step.in[0]);
      knows &= event.from != event.to && event.id >= 0 && event.id < flagIds;
    }
    if (knows)
      events.push_back(event);
  }

  // Not flags of all blocks, nor those a core does not have: what is wrong with these the Machine says.
  bool isFollowed(const CrossEvent &event) const {
    bool onCube = core < cores.aic;
    if (event.id < 0 || event.id >= (event.mode == 4 && onCube ? 2 * crossFlagIds : crossFlagIds))
      return false;
    switch (event.mode) {
    case 0:
      return event.kind == CrossEvent::Wait || inputs.blocks == 1;
    case 1:
      return event.kind == CrossEvent::Wait || !onCube;
    case 2:
      return true;
    case 4:
      return cores.aiv == vectorCoresPerCube;
    default:
      return false;
    }
  }

  //===- Control flow
  //-------------------------------------------------------------------------------------------------===//

  void runFor(const Step &loop) {
    Type type = cast<scf::ForOp>(loop.op).getInductionVar().getType();
    int64_t at = known(loop.in[0]), end = known(loop.in[1]), step = known(loop.in[2]);
    knows &= step > 0;
    assign(loop.entry);
    for (; knows && at < end; at += step) {
      numbers[loop.out] = scalarOf(at, type);
      run(loop.bodies[0]);
      assign(loop.exits[0]);
      count();
    }
    assign(loop.leave);
  }

  void runWhile(const Step &loop) {
    assign(loop.entry);
    while (knows) {
      run(loop.bodies[0]);
      if (!known(loop.in[0]))
        break;
      assign(loop.exits[0]);
      run(loop.bodies[1]);
      assign(loop.exits[1]);
      count();
    }
    assign(loop.leave);
  }

  void branch(const Step &step, unsigned way) {
    if (!knows)
      return;
    run(step.bodies[way]);
    assign(step.exits[way]);
  }

  const Inputs &inputs;
  BlockCores cores;
  unsigned core;
  unsigned steps = 0;
  std::vector<Scalar> numbers;
};

struct VerifyCrossFlags : impl::VerifyCrossFlagsBase<VerifyCrossFlags> {
  using VerifyCrossFlagsBase::VerifyCrossFlagsBase;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    auto type = kernel->getAttrOfType<StringAttr>(kernelTypeAttrName);
    std::optional<KernelType> which =
        type ? symbolize<KernelType>(std::string_view(type.getValue().data(), type.getValue().size())) : std::nullopt;
    if (kernel.isExternal() || !which || !coresOf(*which).mixed())
      return;
    BlockCores cores = coresOf(*which);
    Slice slice(kernel);
    Program program(kernel, slice);
    unsigned followed = 0;
    for (unsigned number = 0; number < runs; ++number) {
      Inputs inputs(kernel, slice, number);
      std::vector<std::vector<CrossEvent>> events;
      bool knows = true;
      for (unsigned core = 0; core < cores.count() && knows; ++core) {
        Follow follow(program, inputs, cores, core);
        knows = follow.knows;
        events.push_back(std::move(follow.events));
      }
      if (!knows)
        continue;
      ++followed;
      CrossFault fault = replayCross(cores, events);
      if (!fault.op)
        continue;
      InFlightDiagnostic error = emitError(fault.op->getLoc()) << fault.text;
      if (fault.other)
        error.attachNote(fault.other->getLoc()) << fault.note;
      error.attachNote(kernel.getLoc()) << "found " << inputs.text(kernel);
      return signalPassFailure();
    }
    remark::analysis(kernel.getLoc(), remarkOf(getArgument(), "flags"))
        << remark::metric("runs", runs.getValue()) << remark::metric("followed", followed);
  }
};

} // namespace
} // namespace tilesmith
