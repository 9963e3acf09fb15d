// Two roads to the same calls: vector functions described by a compiler and found out by running them; streams
// compared.
#include "CoreTesting.h"
#include "TraceBuilder.h"
#include "tilesmith/Machine/Api.h"

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

// 3 rows of 100 floats, 512 bytes apart: two loads, an addition and a store per 64 elements, a sum and its store per
// row.
const TsVfAccess accesses[] = {{0, TS_VF_FULL, 0, uint8_t(DType::F32), 512},
                               {1, TS_VF_ROW, 0, uint8_t(DType::F32), 0},
                               {2, TS_VF_FULL, 1, uint8_t(DType::F32), 512},
                               {3, TS_VF_ELEMENT, 1, uint8_t(DType::F32), 0}};

test::ChainVf described() {
  test::ChainVf vf(3, 100);
  vf.desc.numAccesses = 4;
  vf.desc.accesses = accesses;
  vf.load(2).chain(isa::CostClass::TwoSource).store().reduce(isa::CostClass::ReduceAdd);
  return vf;
}
const test::ChainVf vf = described();
const TsVfDesc &desc = vf.desc;
constexpr int64_t places[] = {0, 8192, 16384, 32768};

void compiled(TsCore *core, const int64_t *) {
  int64_t args[] = {ub(places[0]), ub(places[1]), ub(places[2]), ub(places[3])};
  tsm_vf(core, 1, &desc, [](uint8_t *, const int64_t *) {}, args, 4);
}

template <int64_t columns> void registerCode(uint8_t *, const int64_t *args) {
  const TsApi *api = tilesmith_api();
  auto *core = reinterpret_cast<TsCore *>(args[0]);
  auto step = [&](int kind, int64_t ready = 0) { return api->tsm_vf_step(core, kind, 0, ready); };
  for (int64_t row = 0; row < 3; ++row) {
    int64_t total = 0;
    for (int64_t column = 0; column < columns; column += 64) {
      if (column + 64 >= columns)
        step(TS_VF_LOOP);
      int64_t bytes = std::min<int64_t>(64, columns - column) * 4;
      api->tsm_vf_touch(core, places[0] + row * 512 + column * 4, bytes, 32, 0, 0);
      api->tsm_vf_touch(core, places[1] + column * 4, bytes, 32, 0, 0);
      api->tsm_vf_touch(core, places[2] + row * 512 + column * 4, bytes, 32, 1, 0);
      step(TS_VF_LOAD);
      int64_t value = step(int(isa::CostClass::TwoSource), step(TS_VF_LOAD));
      step(TS_VF_STORE, value);
      total = step(int(isa::CostClass::TwoSource), std::max(value, total));
    }
    api->tsm_vf_touch(core, places[3] + row * 4, 4, 4, 1, 0);
    step(TS_VF_STORE, step(int(isa::CostClass::ReduceAdd), total));
  }
}
template <int64_t columns> void written(TsCore *core, const int64_t *) {
  int64_t args[] = {reinterpret_cast<int64_t>(core)};
  tilesmith_api()->tsm_vf_call(core, 2, registerCode<columns>, args, 1);
}

LaunchResult traceOf(TsKernelFn kernel) {
  Bench bench(kernel, Arch::C310);
  bench.platform = *findPlatform("Ascend950PR_9599");
  bench.launch.mode = Mode::Timed;
  bench.launch.keepTraces = true;
  return bench.run();
}

} // namespace

TEST(CallStream, AVectorFunctionIsTheSameHoweverItIsKnown) {
  LaunchResult one = traceOf(compiled), two = traceOf(written<100>);
  EXPECT_TRUE(one.findings.empty() && two.findings.empty());
  EXPECT_EQ(firstDifference(one.traces, two.traces, Arch::C310).text, "");
  EXPECT_EQ(one.callHash, two.callHash);
  EXPECT_EQ(one.timing.cycles, two.timing.cycles);
}

TEST(CallStream, TheFirstDifferenceIsShownInWords) {
  LaunchResult one = traceOf(compiled), two = traceOf(written<101>);
  EXPECT_NE(one.callHash, two.callHash);
  EXPECT_EQ(
      firstDifference(one.traces, two.traces, Arch::C310).text,
      "block 0, call 0:\n"
      "  left:  vf loads 12, stores 9, nests 3, TwoSource 12, ReduceAdd 3; reads UB [0, 400) [512, 912) [1024, 1424) "
      "[8192, 8592); "
      "writes UB [16384, 16784) [16896, 17296) [17408, 17808) [32768, 32780)\n"
      "  right: vf loads 12, stores 9, nests 3, TwoSource 12, ReduceAdd 3; reads UB [0, 404) [512, 916) [1024, 1428) "
      "[8192, 8596); "
      "writes UB [16384, 16788) [16896, 17300) [17408, 17812) [32768, 32780)");
}

TEST(CallStream, OperandsCountAndPlacesDoNot) {
  auto add = [](int64_t loc, int64_t count) {
    BlockTrace block;
    Instr instr;
    instr.op = Opcode::Add;
    instr.loc = uint32_t(loc);
    instr.numArgs = 4;
    instr.args[0] = ub(0);
    instr.args[1] = ub(4096);
    instr.args[2] = ub(8192);
    instr.args[3] = count;
    block.calls.push_back(instr);
    return std::vector<BlockTrace>{block};
  };
  EXPECT_EQ(hashCalls(add(1, 64), Arch::C220), hashCalls(add(2, 64), Arch::C220));
  EXPECT_NE(hashCalls(add(1, 64), Arch::C220), hashCalls(add(1, 65), Arch::C220));
  EXPECT_EQ(firstDifference(add(1, 64), add(1, 65), Arch::C220).text,
            "block 0, call 0:\n  left:  add.F32 dst=UB 0, src0=UB 4096, src1=UB 8192, count=64\n"
            "  right: add.F32 dst=UB 0, src0=UB 4096, src1=UB 8192, count=65");
  std::vector<BlockTrace> none(1);
  EXPECT_EQ(
      firstDifference(add(1, 64), none, Arch::C220).text,
      "block 0, call 0:\n  left:  add.F32 dst=UB 0, src0=UB 4096, src1=UB 8192, count=64\n  right: no more calls");
}

TEST(CallStream, BarriersAreAddedWhereVDependsOnItself) {
  BlockTrace block;
  auto vector = [&](int64_t dst, int64_t src) {
    Instr instr;
    instr.op = Opcode::Abs;
    instr.numArgs = 3;
    instr.args[0] = ub(dst);
    instr.args[1] = ub(src);
    instr.args[2] = 64;
    block.calls.push_back(instr);
  };
  vector(0, 4096);
  vector(8192, 4096); // another destination, the same source
  vector(4096, 0);    // reads what the first wrote
  vector(0, 8192);    // writes what the third reads
  addCompilerOrder(block, *findPlatform("Ascend950PR_9599"));
  EXPECT_EQ(block.calls.size(), 4u); // ordered by the hardware
  addCompilerOrder(block, *findPlatform("Ascend910B1"));
  std::vector<Opcode> ops;
  for (const Instr &call : block.calls)
    ops.push_back(call.op);
  EXPECT_EQ(ops, (std::vector<Opcode>{Opcode::Abs, Opcode::Abs, Opcode::PipeBarrier, Opcode::Abs, Opcode::PipeBarrier,
                                      Opcode::Abs}));
}
