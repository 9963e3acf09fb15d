// What a bad call says, and that it does nothing else.
#include "CoreTesting.h"

using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

TEST(Bounds, WriteBeyondUb) {
  auto kernel = [](TsCore *core, const int64_t *) { tsm_duplicate(core, 7, F32, ub(196000), 0, 1024); };
  LaunchResult result =
      Bench([](TsCore *core, const int64_t *) { tsm_duplicate(core, 7, F32, ub(195968), 0, 1024); }).run();
  EXPECT_EQ(only(result), "bounds.ub-write: write of 4096 bytes at UB offset 195968 leaves UB (196608 bytes)");
  EXPECT_EQ(result.findings[0].loc, 7u);
  EXPECT_EQ(only(Bench(kernel, Arch::C310).run()), "0 findings"); // 248 KiB there
}

TEST(Bounds, ReadBeyondUb) {
  EXPECT_EQ(only(Bench([](TsCore *core, const int64_t *) { tsm_abs(core, 0, F32, ub(0), ub(196576), 16); }).run()),
            "bounds.ub-read: read of 64 bytes at UB offset 196576 leaves UB (196608 bytes)");
}

TEST(Bounds, RepeatFormReachesOnlyItsLanes) {
  auto kernel = [](TsCore *core, const int64_t *) {
    // Two repeats of 16 lanes: blocks at 0, 64, 128, 192; the last block ends exactly at the end of UB.
    tsm_abs_r(core, 1, F32, ub(0), ub(196608 - 224), 16, 2, 1, 2, 2, 4);
    tsm_abs_r(core, 2, F32, ub(0), ub(196608 - 192), 16, 2, 1, 2, 2, 4);
  };
  EXPECT_EQ(only(Bench(kernel).run()),
            "bounds.ub-read: read of 224 bytes at UB offset 196416 leaves UB (196608 bytes)");
}

TEST(Bounds, GlobalAccessLiesInOneArray) {
  std::vector<float> x(100), y(100);
  auto beyond = [](TsCore *core, const int64_t *args) { load(core, ub(0), args[0] + 80, 400); };
  EXPECT_EQ(only(Bench(beyond).arrays(x, y).run()), "bounds.gm-read: read of 100 elements from x[20] leaves the "
                                                    "array, which has 100 elements");
  auto before = [](TsCore *core, const int64_t *args) { store(core, args[0] - 4, ub(0), 8); };
  EXPECT_EQ(only(Bench(before).arrays(x, y).run()), "bounds.gm-write: write of 2 elements that begin 1 before x[0]");
  auto element = [](TsCore *core, const int64_t *args) { tsm_get_value(core, 0, F32, args[1] + 420); };
  EXPECT_EQ(only(Bench(element).arrays(x, y).run()), "bounds.gm-read: read of y[105], but the array has 100 elements");
  auto null = [](TsCore *core, const int64_t *) { store(core, 0, ub(0), 8); };
  EXPECT_EQ(only(Bench(null).arrays(x, y).run()),
            "bounds.gm-write: write through a null pointer: the tensor was given no memory");
  auto nowhere = [](TsCore *core, const int64_t *) { store(core, 0x7000000000, ub(0), 8); };
  EXPECT_EQ(only(Bench(nowhere).arrays(x, y).run()),
            "bounds.gm-write: write of 8 bytes at address 0x7000000000, which lies in no array of the launch (x, y)");
  auto across = [](TsCore *core, const int64_t *args) { load(core, ub(0), args[0], 1 << 20); };
  EXPECT_EQ(only(Bench(across).arrays(x, y).run()), "bounds.gm-read: read of 262144 elements from x[0] leaves the "
                                                    "array, which has 100 elements");
}

// A row of an array of rows, elements of two of them, and an index that only the flat array would have.
TEST(Names, ArraysOfSeveralDimensions) {
  AddressNames names({{4096, 4 * 4 * 16, "y", DType::F32, {4, 16}, false}, {8192, 8, "n", DType::I64, {1}, false}});
  auto bytes = [&](int64_t begin, int64_t end) { return names.globalBytes(4096 + begin, 4096 + end, DType::U8); };
  EXPECT_EQ(bytes(0, 4), "y[0, 0] of [4, 16]");
  EXPECT_EQ(bytes(4 * 17, 4 * 20), "y[1, 1:4] of [4, 16]");
  EXPECT_EQ(bytes(64, 128), "y[1, 0:16] of [4, 16]");
  EXPECT_EQ(bytes(60, 68), "y[0, 15] to y[1, 0] of [4, 16]");
  EXPECT_EQ(bytes(2, 3), "y[0, 0] of [4, 16]");
  EXPECT_EQ(names.outOfBounds(4096 + 4 * 67, 4096 + 4 * 68, DType::F32),
            "of y[4, 3] of [4, 16], but the array has 64 elements");
  EXPECT_EQ(names.outOfBounds(8192, 8192 + 16, DType::I64),
            "of 2 elements from n[0] leaves the array, which has 1 element");
  AddressNames freed({{4096, 64, "allocation 1", {}, {}, true}});
  EXPECT_EQ(freed.outOfBounds(4096, 4100, DType::F32), "of allocation 1[0], which was freed");
}

TEST(Bounds, SkippedCallTouchesNothing) {
  std::vector<float> x = iota(8), y(8, -1);
  auto kernel = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], 32);
    store(core, args[1], ub(0), 36);
  };
  Bench bench(kernel);
  EXPECT_EQ(bench.arrays(x, y).run().findings.size(), 1u);
  EXPECT_EQ(y, std::vector<float>(8, -1));
}

// Types of the table that no instruction takes: refused by name, whatever their size.
TEST(Operands, TypesNoInstructionTakesAreRefusedByName) {
  auto fp8 = [](TsCore *core, const int64_t *) { tsm_abs(core, 0, int64_t(DType::F8E4M3), ub(0), ub(32), 8); };
  EXPECT_EQ(only(Bench(fp8, Arch::C310).run()), "operand.abs: abs does not take F8E4M3 on C310");
  auto int4 = [](TsCore *core, const int64_t *) { tsm_abs(core, 0, int64_t(DType::I4), ub(0), ub(32), 8); };
  EXPECT_EQ(only(Bench(int4, Arch::C310).run()), "operand.abs: abs does not take I4 on C310");
  auto unknown = [](TsCore *core, const int64_t *) { tsm_abs(core, 0, 63, ub(0), ub(32), 8); };
  EXPECT_EQ(only(Bench(unknown, Arch::C310).run()), "operand.abs: unknown dtype");
}

TEST(Alignment, StartOfOperands) {
  auto vector = [](TsCore *core, const int64_t *) { tsm_abs(core, 0, F32, ub(36), ub(0), 8); };
  EXPECT_EQ(only(Bench(vector).run()), "align.ub: dst of abs starts at UB offset 36, not a multiple of 32");
  auto cube = [](TsCore *core, const int64_t *) {
    tsm_mmad(core, 0, F32, F16, at(Memory::L0C, 0), at(Memory::L0A, 256), at(Memory::L0B, 0), 16, 16, 16, 0, 1);
  };
  EXPECT_EQ(only(Bench(cube).run()), "align.l0a: a of mmad starts at L0A offset 256, not a multiple of 512");
  auto result = [](TsCore *core, const int64_t *) {
    tsm_mmad(core, 0, F32, F16, at(Memory::L0C, 32), at(Memory::L0A, 0), at(Memory::L0B, 0), 16, 16, 16, 0, 1);
  };
  EXPECT_EQ(only(Bench(result).run()), "align.l0c: dst of mmad starts at L0C offset 32, not a multiple of 64");
}

TEST(Alignment, ElementsSufficeForScalarsAndReducedValues) {
  auto kernel = [](TsCore *core, const int64_t *) {
    tsm_set_value(core, 0, F32, ub(36), 0);
    tsm_whole_reduce_sum(core, 0, F32, ub(1028), ub(0), 64, 1, 1, 1, 8);
  };
  EXPECT_EQ(only(Bench(kernel).run()), "0 findings");
  auto odd = [](TsCore *core, const int64_t *) { tsm_set_value(core, 0, F32, ub(34), 0); };
  EXPECT_EQ(only(Bench(odd).run()), "align.ub: dst of set_value starts at UB offset 34, not a multiple of 4");
}

TEST(Operands, MemoryOfAnOperand) {
  auto kernel = [](TsCore *core, const int64_t *) { tsm_abs(core, 0, F32, at(Memory::L1, 0), ub(0), 8); };
  EXPECT_EQ(only(Bench(kernel).run()), "operand.abs: dst of abs lies in L1");
  auto nowhere = [](TsCore *core, const int64_t *) { tsm_abs(core, 0, F32, -32, ub(0), 8); };
  EXPECT_EQ(only(Bench(nowhere).run()), "operand.abs: dst of abs lies in no memory");
}

TEST(Operands, FlagsAndBarriers) {
  auto flag = [](TsCore *core, const int64_t *) { tsm_set_flag(core, 0, V, MTE2, 8); };
  EXPECT_EQ(only(Bench(flag).run()), "operand.set_flag: flag id 8 does not exist (0 to 7)");
  auto pipe = [](TsCore *core, const int64_t *) { tsm_wait_flag(core, 0, ALL, MTE2, 0); };
  EXPECT_EQ(only(Bench(pipe).run()),
            "operand.wait_flag: a flag goes from one pipe to another (0 to 6), not from 7 to 4");
  auto barrier = [](TsCore *core, const int64_t *) { tsm_pipe_barrier(core, 0, S); };
  EXPECT_EQ(only(Bench(barrier).run()),
            "operand.pipe_barrier: no barrier on pipe 0 (1 to 7: V, M, MTE1, MTE2, MTE3, FIX, ALL)");
}

TEST(Operands, VectorFunction) {
  static const TsVfAccess beyond[] = {{3, TS_VF_FULL, 0, uint8_t(DType::F32), 256}};
  static const TsVfAccess good[] = {{0, TS_VF_FULL, 0, uint8_t(DType::F32), 256}};
  static const TsVfDesc bad{1, 64, 1, 4, beyond, nullptr, 0, 0, nullptr},
      fine{1000, 64, 1, 4, good, nullptr, 0, 0, nullptr};
  static auto body = [](uint8_t *, const int64_t *) {};
  auto argument = [](TsCore *core, const int64_t *) {
    int64_t args[] = {ub(0)};
    tsm_vf(core, 0, &bad, body, args, 1);
  };
  EXPECT_EQ(only(Bench(argument, Arch::C310).run()), "operand.vf: access 0 names argument 3 of 1");
  auto many = [](TsCore *core, const int64_t *) { tsm_vf(core, 0, &bad, body, nullptr, 17); };
  EXPECT_EQ(only(Bench(many, Arch::C310).run()), "operand.vf: a vector function takes at most 16 arguments, not 17");
  auto rows = [](TsCore *core, const int64_t *) {
    int64_t args[] = {ub(0)};
    tsm_vf(core, 0, &fine, body, args, 1);
  };
  EXPECT_EQ(only(Bench(rows, Arch::C310).run()),
            "bounds.ub-read: read of 256000 bytes at UB offset 0 leaves UB (253952 bytes)");
}

TEST(Bounds, CountFormsAtTheEdges) {
  // Every corner of the quick acceptance: the last byte fits, one element more does not.
  static int64_t offset, count;
  auto kernel = [](TsCore *core, const int64_t *) {
    tsm_add(core, 1, F16, ub(0), ub(offset), ub(0), count);
    tsm_exp(core, 2, F16, ub(offset), ub(0), count);
    tsm_adds(core, 3, F16, ub(0), ub(offset), 0, count);
    tsm_duplicate(core, 4, F16, ub(offset), 0, count);
  };
  auto findings = [&](int64_t at, int64_t elements) {
    offset = at;
    count = elements;
    return Bench(kernel).run().findings.size();
  };
  EXPECT_EQ(findings(0, 98304), 0u);
  EXPECT_EQ(findings(0, 98305), 4u);
  EXPECT_EQ(findings(196576, 16), 0u);
  EXPECT_EQ(findings(196576, 17), 4u);
  EXPECT_EQ(findings(196608, 0), 0u);
  EXPECT_EQ(findings(0, -1), 4u);
  EXPECT_EQ(findings(16, 1), 4u);
  EXPECT_EQ(findings(int64_t(1) << 40, 1), 4u);
}
