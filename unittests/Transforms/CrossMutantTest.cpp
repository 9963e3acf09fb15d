// Flags between cores that are not as the compiler made them: each is found, by the static check, the checker, another
// result, or a result that depends on how late instructions run. Those that have to run for it take time: of the larger
// kernel's some, others every time, and all with TILESMITH_LONG=1.
#include "KernelRun.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Target/Host/Jit.h"
#include "tilesmith/Transforms/Passes.h"
#include "tilesmith/Transforms/Pipeline.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::testing;
using isa::Pipe;

namespace {

// Scores, softmax without its maximum, and a product with it; the sum of both is carried.
constexpr const char *attention = R"(
func.func @k(%qp: !tile.ptr<f16> {isa.noalias}, %kp: !tile.ptr<f16> {isa.noalias}, %op: !tile.ptr<f32> {isa.noalias},
             %rows: i32, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant 0.0 : f16
  %none = arith.constant 0.0 : f32
  %some = arith.constant 0.0625 : f32
  %height = arith.muli %rows, %c32 : i32
  %width = arith.muli %n, %c32 : i32
  %q = tile.tensor %qp, [%height] : !tile.ptr<f16> -> !tile.tensor<?x32xf16>
  %k = tile.tensor %kp, [%width] : !tile.ptr<f16> -> !tile.tensor<32x?xf16>
  %v = tile.tensor %kp, [%width] : !tile.ptr<f16> -> !tile.tensor<?x32xf16>
  %o = tile.tensor %op, [%height] : !tile.ptr<f32> -> !tile.tensor<?x32xf32>
  scf.for %i = %c0 to %rows step %c1 : i32 {
    %row = arith.muli %i, %c32 : i32
    %left = tile.load %q[%row, %c0], %zero : !tile.tensor<?x32xf16>, f16 -> !tile.tile<32x32xf16, UB>
    %begin = tile.splat %none : f32 -> !tile.tile<32x32xf32, UB>
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %begin) -> (!tile.tile<32x32xf32, UB>) : i32 {
      %at = arith.muli %j, %c32 : i32
      %right = tile.load %k[%c0, %at], %zero : !tile.tensor<32x?xf16>, f16 -> !tile.tile<32x32xf16, UB>
      %s = tile.matmul %left, %right : !tile.tile<32x32xf16, UB>, !tile.tile<32x32xf16, UB> -> !tile.tile<32x32xf32, L0C>
      %t = tile.copy %s[%c0, %c0] : !tile.tile<32x32xf32, L0C> -> !tile.tile<32x32xf32, UB>
      %u = tile.binary mul %t, %some : !tile.tile<32x32xf32, UB>, f32 -> !tile.tile<32x32xf32, UB>
      %e = tile.unary exp %u : !tile.tile<32x32xf32, UB>
      %p = tile.cast %e : !tile.tile<32x32xf32, UB> -> !tile.tile<32x32xf16, UB>
      %w = tile.load %v[%at, %c0], %zero : !tile.tensor<?x32xf16>, f16 -> !tile.tile<32x32xf16, UB>
      %x = tile.matmul %p, %w : !tile.tile<32x32xf16, UB>, !tile.tile<32x32xf16, UB> -> !tile.tile<32x32xf32, L0C>
      %y = tile.copy %x[%c0, %c0] : !tile.tile<32x32xf32, L0C> -> !tile.tile<32x32xf32, UB>
      %next = tile.binary add %acc, %y : !tile.tile<32x32xf32, UB>, !tile.tile<32x32xf32, UB> -> !tile.tile<32x32xf32, UB>
      scf.yield %next : !tile.tile<32x32xf32, UB>
    }
    tile.store %sum, %o[%row, %c0] : !tile.tile<32x32xf32, UB>, !tile.tensor<?x32xf32>
  }
  return
}
)";

// One way only, in a branch of a loop.
constexpr const char *epilogue = R"(
func.func @k(%qp: !tile.ptr<f16> {isa.noalias}, %kp: !tile.ptr<f16> {isa.noalias}, %op: !tile.ptr<f32> {isa.noalias},
             %rows: i32, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant 0.0 : f16
  %some = arith.constant 0.5 : f32
  %height = arith.muli %rows, %c32 : i32
  %q = tile.tensor %qp, [%height] : !tile.ptr<f16> -> !tile.tensor<?x32xf16>
  %k = tile.tensor %kp, [] : !tile.ptr<f16> -> !tile.tensor<32x32xf16>
  %o = tile.tensor %op, [%height] : !tile.ptr<f32> -> !tile.tensor<?x32xf32>
  %right = tile.load %k[%c0, %c0], %zero : !tile.tensor<32x32xf16>, f16 -> !tile.tile<32x32xf16, UB>
  scf.for %i = %c0 to %rows step %c1 : i32 {
    %row = arith.muli %i, %c32 : i32
    %is = arith.cmpi ne, %i, %n : i32
    scf.if %is {
      %left = tile.load %q[%row, %c0], %zero : !tile.tensor<?x32xf16>, f16 -> !tile.tile<32x32xf16, UB>
      %s = tile.matmul %left, %right : !tile.tile<32x32xf16, UB>, !tile.tile<32x32xf16, UB> -> !tile.tile<32x32xf32, L0C>
      %t = tile.copy %s[%c0, %c0] : !tile.tile<32x32xf32, L0C> -> !tile.tile<32x32xf32, UB>
      %u = tile.binary add %t, %some : !tile.tile<32x32xf32, UB>, f32 -> !tile.tile<32x32xf32, UB>
      tile.store %u, %o[%row, %c0] : !tile.tile<32x32xf32, UB>, !tile.tensor<?x32xf32>
    }
  }
  return
}
)";

struct Ran {
  bool findings = false;
  std::vector<uint8_t> bytes;
  bool operator==(const Ran &) const = default;
};
void PrintTo(const Ran &ran, std::ostream *out) { *out << (ran.findings ? "findings" : "clean"); }

class Kernel {
public:
  Kernel(const char *ir, isa::Arch arch) : arch(arch), context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect, tile::TileDialect, isa::IsaDialect>();
    module = parseSourceString<ModuleOp>(ir, &context);
    PassManager passes(&context);
    PipelineOptions options;
    options.arch = arch;
    buildTileToIsaPipeline(passes, options);
    if (module && failed(passes.run(*module)))
      module = {};
  }

  bool isRight(ModuleOp mutant) {
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
    PassManager passes(&context);
    passes.addNestedPass<func::FuncOp>(createVerifyCrossFlags());
    return succeeded(passes.run(mutant));
  }

  // In program order and checked, and in both late modes: results of all three.
  std::vector<Ran> run(ModuleOp kernel) {
    OwningOpRef<ModuleOp> copy = kernel.clone();
    auto compiled = host::compileKernel(*copy);
    EXPECT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    auto loaded =
        host::loadKernel(llvm::StringRef(compiled->object.data(), compiled->object.size()), compiled->metadata.kernel);
    EXPECT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
    std::vector<Ran> results;
    for (machine::Late late : {machine::Late::None, machine::Late::Consumers, machine::Late::Producers}) {
      constexpr int64_t rows = 5, columns = 4;
      std::mt19937 random(7);
      std::vector<Half> q(rows * 32 * 32), k(columns * 32 * 32);
      for (std::vector<Half> *values : {&q, &k})
        for (Half &value : *values)
          value = Half(float(random() % 64) / 64 - 0.5f);
      std::vector<float> out(rows * 32 * 32);
      std::vector<uint8_t> workspace(size_t(compiled->metadata.workspace));
      std::vector<machine::HostRange> arrays = {{(uint8_t *)q.data(), int64_t(q.size() * 2)},
                                                {(uint8_t *)k.data(), int64_t(k.size() * 2)},
                                                {(uint8_t *)out.data(), int64_t(out.size() * 4)},
                                                {workspace.data(), int64_t(workspace.size())}};
      std::vector<machine::GlobalRange> ranges;
      std::vector<int64_t> at = machine::assignDeviceAddresses(arrays, ranges);
      std::vector<int64_t> args = {at[0], at[1], at[2], rows, columns, at[3]};
      machine::Launch launch;
      launch.platform = machine::findPlatform(arch == isa::Arch::C220 ? "Ascend910B1" : "Ascend950PR_9599");
      launch.kernel = loaded->function();
      launch.type = compiled->metadata.kernelType;
      launch.args = args;
      launch.global = ranges;
      launch.mode = late == machine::Late::None ? machine::Mode::Checked : machine::Mode::Fast;
      launch.late = late;
      machine::LaunchResult result = machine::launch(launch);
      auto *bytes = reinterpret_cast<const uint8_t *>(out.data());
      results.push_back({!result.findings.empty(), std::vector<uint8_t>(bytes, bytes + out.size() * 4)});
    }
    return results;
  }

  isa::Arch arch;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

SmallVector<Operation *> flagsOf(ModuleOp module) {
  SmallVector<Operation *> flags;
  module.walk([&](Operation *op) {
    if (llvm::isa<isa::CrossCoreSetOp, isa::CrossCoreWaitOp>(op))
      flags.push_back(op);
  });
  return flags;
}

// The nearest operation of the block, before or behind, that is or holds a transfer of global memory on the pipe.
Operation *transferBeside(Operation *op, Pipe pipe, bool behind) {
  auto isTransfer = [&](Operation *inner) {
    auto instruction = dyn_cast<isa::InstructionOpInterface>(inner);
    return instruction && instruction.getInfo().pipe == pipe && llvm::any_of(inner->getOperandTypes(), [](Type type) {
             auto buffer = dyn_cast<isa::BufferType>(type);
             return buffer && buffer.getMemory() == isa::Memory::GM;
           });
  };
  for (Operation *at = op; (at = behind ? at->getNextNode() : at->getPrevNode());)
    if (at->walk([&](Operation *inner) {
            return isTransfer(inner) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted())
      return at;
  return nullptr;
}

// What the flag is for: the transfer before a set, or behind a wait. Those that prime and drain a ring have none.
Operation *transferOf(Operation *op) {
  if (auto set = dyn_cast<isa::CrossCoreSetOp>(op))
    return transferBeside(op, set.getFrom().getValue(), false);
  Pipe on = cast<isa::CrossCoreWaitOp>(op).getOn().getValue();
  if (on != Pipe::S)
    return transferBeside(op, on, true);
  // It holds back the whole core: the transfer is the next one.
  for (Pipe pipe : {Pipe::FIX, Pipe::MTE3, Pipe::MTE2})
    if (Operation *transfer = transferBeside(op, pipe, true))
      return transfer;
  return nullptr;
}

// A pipe that nothing makes wait for what another one is held back for.
Pipe otherPipe(Pipe pipe, bool onCube) { return onCube ? Pipe::MTE1 : pipe == Pipe::MTE2 ? Pipe::MTE3 : Pipe::MTE2; }

void setNumber(Operation *op, unsigned operand, int64_t value) {
  OpBuilder b(op);
  op->setOperand(operand, arith::ConstantOp::create(b, op->getLoc(), b.getI64IntegerAttr(value)));
}
int64_t numberIn(Operation *op, unsigned operand) {
  APInt value;
  EXPECT_TRUE(matchPattern(op->getOperand(operand), m_ConstantInt(&value)));
  return value.getSExtValue();
}

bool isOnCube(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto choice = dyn_cast_if_present<scf::IfOp>(op->getParentOp());
        choice && choice.getCondition().getDefiningOp<isa::OnCubeOp>())
      return op->getParentRegion() == &choice.getThenRegion();
  return false;
}

// Each changes one flag, or says that there is nothing to change.
using Mutation = std::function<bool(Operation *)>;
const std::vector<std::pair<std::string, Mutation>> mutations = {
    {"removed", [](Operation *op) { return op->erase(), true; }},
    {"doubled", [](Operation *op) { return OpBuilder(op).clone(*op), true; }},
    {"the other flag of its channel", [](Operation *op) { return setNumber(op, 1, numberIn(op, 1) ^ 1), true; }},
    {"the flag of another channel",
     [](Operation *op) { return setNumber(op, 1, (numberIn(op, 1) + 2) % isa::crossFlagIds), true; }},
    {"before its transfer, or behind it",
     [](Operation *op) {
       auto set = dyn_cast<isa::CrossCoreSetOp>(op);
       Operation *transfer = transferOf(op);
       if (transfer)
         set ? op->moveBefore(transfer) : op->moveAfter(transfer);
       return transfer != nullptr;
     }},
    {"of another pipe",
     [](Operation *op) {
       MLIRContext *context = op->getContext();
       if (!transferOf(op))
         return false;
       if (auto set = dyn_cast<isa::CrossCoreSetOp>(op)) { // does not wait for the transfer
         set.setFromAttr(isa::PipeAttr::get(context, Pipe::S));
         return true;
       }
       auto wait = cast<isa::CrossCoreWaitOp>(op);
       Pipe on = wait.getOn().getValue();
       if (on == Pipe::S)
         return false;
       wait.setOnAttr(isa::PipeAttr::get(context, otherPipe(on, isOnCube(op))));
       return true;
     }},
};

class CrossMutants : public ::testing::TestWithParam<std::tuple<isa::Arch, bool>> {};
INSTANTIATE_TEST_SUITE_P(OnBoth, CrossMutants,
                         ::testing::Combine(::testing::Values(isa::Arch::C220, isa::Arch::C310), ::testing::Bool()),
                         [](const auto &info) {
                           return std::string(isa::stringify(std::get<0>(info.param))) +
                                  (std::get<1>(info.param) ? "ThereAndBack" : "OneWay");
                         });

TEST_P(CrossMutants, AreAllFound) {
  auto [arch, back] = GetParam();
  Kernel kernel(back ? attention : epilogue, arch);
  ASSERT_TRUE(kernel.module);
  ASSERT_TRUE(kernel.isRight(*kernel.module));
  std::vector<Ran> right = kernel.run(*kernel.module);
  for (const Ran &ran : right) {
    ASSERT_FALSE(ran.findings);
    ASSERT_EQ(ran.bytes, right[0].bytes);
  }
  size_t count = flagsOf(*kernel.module).size();
  ASSERT_GE(count, back ? 30u : 8u);
  // A flag whose accesses are in order without it orders nothing: where data goes there and back, empty slots are known
  // anyway. What is left of its order by a mutant nobody can tell.
  std::map<int64_t, bool> orders;
  for (Operation *flag : flagsOf(*kernel.module))
    orders[numberIn(flag, 1)] = false;
  for (auto &[id, does] : orders) {
    OwningOpRef<ModuleOp> without = kernel.module->clone();
    for (Operation *flag : flagsOf(*without))
      if (numberIn(flag, 1) == id)
        flag->erase();
    does = kernel.run(*without) != right;
    EXPECT_TRUE(does || (back && id % 2)) << "flag " << id; // those of full slots always do
  }
  std::map<std::string, std::array<int, 3>> found; // by the static check, by running it, not
  unsigned seed = std::random_device()(), part = back && !std::getenv("TILESMITH_LONG") ? 6 : 1;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (size_t i = 0; i < count; ++i)
    for (auto &[what, mutate] : mutations) {
      OwningOpRef<ModuleOp> mutant = kernel.module->clone();
      Operation *op = flagsOf(*mutant)[i];
      std::string words;
      llvm::raw_string_ostream os(words);
      op->print(os);
      if (!mutate(op))
        continue;
      if (!kernel.isRight(*mutant)) {
        ++found[what][0];
        continue;
      }
      if (random() % part)
        continue;
      bool isFound = kernel.run(*mutant) != right;
      ++found[what][isFound ? 1 : 2];
      EXPECT_TRUE(isFound || !orders[numberIn(flagsOf(*kernel.module)[i], 1)])
          << "flag " << i << " " << what << ": " << words;
    }
  for (auto &[what, counts] : found)
    std::printf("%-34s %3d by the static check, %3d by running, %3d change nothing\n", what.c_str(), counts[0],
                counts[1], counts[2]);
}

// Sets and waits that come too often or are missing are what the static check is for.
TEST_P(CrossMutants, WrongCountsAreFoundWithoutRunning) {
  auto [arch, back] = GetParam();
  Kernel kernel(back ? attention : epilogue, arch);
  ASSERT_TRUE(kernel.module);
  for (size_t i = 0; i < flagsOf(*kernel.module).size(); ++i)
    for (const char *what : {"removed", "doubled"}) {
      OwningOpRef<ModuleOp> mutant = kernel.module->clone();
      for (auto &[name, mutate] : mutations)
        if (name == what)
          mutate(flagsOf(*mutant)[i]);
      EXPECT_FALSE(kernel.isRight(*mutant)) << "flag " << i << " " << what;
    }
}

} // namespace
