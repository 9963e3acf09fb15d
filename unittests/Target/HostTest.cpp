// Kernels without vector functions: instructions, control flow, scalars.
#include "HostKernel.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace tilesmith;
using namespace tilesmith::host;

namespace {

constexpr const char *platform220 = "Ascend910B1";

// Two blocks, each adding its own 64 elements, with the flags the pipes need.
TEST(Host, CopyInAddCopyOut) {
  HostKernel kernel(R"(
func.func @add(%x: !isa.buffer<GM, f32>, %y: !isa.buffer<GM, f32>, %z: !isa.buffer<GM, f32>)
    attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !isa.buffer<UB, f32>
  %b = isa.alloc 256 {address = 256 : i64} : !isa.buffer<UB, f32>
  %c = isa.alloc 256 {address = 512 : i64} : !isa.buffer<UB, f32>
  %i = isa.block_idx : i64
  %at = arith.muli %i, %c256 : i64
  %xi = isa.offset %x, %at : !isa.buffer<GM, f32>
  %yi = isa.offset %y, %at : !isa.buffer<GM, f32>
  %zi = isa.offset %z, %at : !isa.buffer<GM, f32>
  isa.copy_gm_to_ub %a, %xi, %c1, %c256, %c0, %c0, %c0, %c0, %c0, %pad : !isa.buffer<UB, f32>, !isa.buffer<GM, f32>, f32
  isa.copy_gm_to_ub %b, %yi, %c1, %c256, %c0, %c0, %c0, %c0, %c0, %pad : !isa.buffer<UB, f32>, !isa.buffer<GM, f32>, f32
  isa.set_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  isa.wait_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  isa.add %c, %a, %b, %c64 : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>, !isa.buffer<UB, f32>
  isa.set_flag %c0 {from = #isa.pipe<V>, to = #isa.pipe<MTE3>}
  isa.wait_flag %c0 {from = #isa.pipe<V>, to = #isa.pipe<MTE3>}
  isa.copy_ub_to_gm %zi, %c, %c1, %c256, %c0, %c0 : !isa.buffer<GM, f32>, !isa.buffer<UB, f32>
  return
})");
  ASSERT_EQ(kernel.error, "");
  std::vector<float> x(128), y(128), z(128);
  std::iota(x.begin(), x.end(), 0.0f);
  std::iota(y.begin(), y.end(), 1000.0f);
  auto result = kernel.run(platform220, {x, y, z}, 2, machine::Mode::Checked);
  EXPECT_EQ(findingIds(result), "");
  for (int i = 0; i < 128; ++i)
    EXPECT_EQ(z[i], 1000.0f + 2 * i);
  EXPECT_GT(result.timing.cycles, 0);

  const Metadata &metadata = kernel.compiled.metadata;
  EXPECT_EQ(metadata.kernel, "add");
  EXPECT_EQ(metadata.arch, isa::Arch::C220);
  EXPECT_EQ(metadata.usage[unsigned(isa::Memory::UB)], 768);
  EXPECT_EQ(metadata.kernelType, isa::KernelType::AivOnly);
  EXPECT_FALSE(metadata.serial);
  ASSERT_EQ(metadata.parameters.size(), 3u);
  EXPECT_EQ(metadata.parameters[2], (Parameter{"", isa::DType::F32, true}));
}

// Each kind of scalar parameter arrives as its value; results of scalar arithmetic go back as bits.
TEST(Host, ScalarsOfEveryType) {
  HostKernel kernel(R"(
func.func @scalars(%x: !isa.buffer<GM, f32>, %f: f32, %h: f16, %g: bf16, %i: i32, %s: i8, %c: i1, %n: index)
    attributes {isa.kernel, isa.arch = "C220"} {
  %four = arith.constant 4 : i64
  %h32 = arith.extf %h : f16 to f32
  %g2 = arith.mulf %g, %g : bf16
  %g32 = arith.extf %g2 : bf16 to f32
  %i32 = arith.sitofp %i : i32 to f32
  %s32 = arith.sitofp %s : i8 to f32
  %yes = arith.constant 1.0 : f32
  %no = arith.constant 0.0 : f32
  %c32 = arith.select %c, %yes, %no : f32
  %n64 = arith.index_cast %n : index to i64
  %n32 = arith.sitofp %n64 : i64 to f32
  isa.set_value %x, %f : !isa.buffer<GM, f32>, f32
  %x1 = isa.offset %x, %four : !isa.buffer<GM, f32>
  isa.set_value %x1, %h32 : !isa.buffer<GM, f32>, f32
  %x2 = isa.offset %x1, %four : !isa.buffer<GM, f32>
  isa.set_value %x2, %g32 : !isa.buffer<GM, f32>, f32
  %x3 = isa.offset %x2, %four : !isa.buffer<GM, f32>
  isa.set_value %x3, %i32 : !isa.buffer<GM, f32>, f32
  %x4 = isa.offset %x3, %four : !isa.buffer<GM, f32>
  isa.set_value %x4, %s32 : !isa.buffer<GM, f32>, f32
  %x5 = isa.offset %x4, %four : !isa.buffer<GM, f32>
  isa.set_value %x5, %c32 : !isa.buffer<GM, f32>, f32
  %x6 = isa.offset %x5, %four : !isa.buffer<GM, f32>
  isa.set_value %x6, %n32 : !isa.buffer<GM, f32>, f32
  %x7 = isa.offset %x6, %four : !isa.buffer<GM, f32>
  %back = isa.get_value %x : !isa.buffer<GM, f32> -> f32
  %negative = arith.negf %back : f32
  isa.set_value %x7, %negative : !isa.buffer<GM, f32>, f32
  return
})");
  ASSERT_EQ(kernel.error, "");
  std::vector<float> x(8);
  // 1.5 in f16 is 0x3e00; 1.0078125 in bf16 is 0x3f81, its square 1.015686 rounds to 1.015625.
  auto result = kernel.run(platform220, {x, 2.5f, int64_t(0x3e00), int64_t(0x3f81), int64_t(-7), int64_t(-128),
                                         int64_t(1), int64_t(1) << 40});
  EXPECT_EQ(findingIds(result), "");
  EXPECT_EQ(x, (std::vector<float>{2.5f, 1.5f, 1.015625f, -7.0f, -128.0f, 1.0f, 0x1p40f, -2.5f}));
}

// A ring of two slots inside a loop with carried values, a branch, and a zero-trip loop.
TEST(Host, LoopsAndBranches) {
  HostKernel kernel(R"(
func.func @loops(%x: !isa.buffer<GM, i32>, %n: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %zero = arith.constant 0 : i32
  %ring = isa.alloc 32 {address = 0 : i64, slots = 2 : i64} : !isa.buffer<UB, i32>
  %s0 = isa.slot %ring[%c0] : !isa.buffer<UB, i32>
  %s1 = isa.slot %ring[%c1] : !isa.buffer<UB, i32>
  isa.set_value %s0, %zero : !isa.buffer<UB, i32>, i32
  isa.set_value %s1, %zero : !isa.buffer<UB, i32>, i32
  %total, %last = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %p = %x) -> (i32, !isa.buffer<GM, i32>) : i64 {
    %slot = isa.slot %ring[%i] : !isa.buffer<UB, i32>
    %old = isa.get_value %slot : !isa.buffer<UB, i32> -> i32
    %i32 = arith.trunci %i : i64 to i32
    %new = arith.addi %old, %i32 : i32
    isa.set_value %slot, %new : !isa.buffer<UB, i32>, i32
    %odd = arith.remsi %i, %c2 : i64
    %isOdd = arith.cmpi ne, %odd, %c0 : i64
    %next = scf.if %isOdd -> (!isa.buffer<GM, i32>) {
      %q = isa.offset %p, %c4 : !isa.buffer<GM, i32>
      scf.yield %q : !isa.buffer<GM, i32>
    } else {
      scf.yield %p : !isa.buffer<GM, i32>
    }
    %more = arith.addi %sum, %i32 : i32
    scf.yield %more, %next : i32, !isa.buffer<GM, i32>
  }
  scf.for %i = %c3 to %c3 step %c1 : i64 {
    isa.set_value %x, %zero : !isa.buffer<GM, i32>, i32
  }
  %even = isa.get_value %s0 : !isa.buffer<UB, i32> -> i32
  %odd = isa.get_value %s1 : !isa.buffer<UB, i32> -> i32
  isa.set_value %last, %total : !isa.buffer<GM, i32>, i32
  isa.set_value %x, %even : !isa.buffer<GM, i32>, i32
  %x1 = isa.offset %x, %c4 : !isa.buffer<GM, i32>
  isa.set_value %x1, %odd : !isa.buffer<GM, i32>, i32
  return
})");
  ASSERT_EQ(kernel.error, "");
  std::vector<int32_t> x(8);
  auto result = kernel.run(platform220, {x, int64_t(6)});
  EXPECT_EQ(findingIds(result), "");
  EXPECT_EQ(x, (std::vector<int32_t>{0 + 2 + 4, 1 + 3 + 5, 0, 15, 0, 0, 0, 0}));
}

// Whatever the arguments, scalar code neither traps nor hangs: a finding says what happened.
TEST(Host, ScalarFaultsAreFindings) {
  HostKernel kernel(R"(
func.func @faults(%x: !isa.buffer<GM, i32>, %a: i32, %b: i32, %f: f32, %step: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %c9 = arith.constant 9 : i64
  %one = arith.constant 1 : i32
  %q = arith.divsi %a, %b : i32
  %r = arith.remui %a, %b : i32
  %s = arith.shli %one, %a : i32
  %i = arith.fptosi %f : f32 to i32
  isa.set_value %x, %q : !isa.buffer<GM, i32>, i32
  %x1 = isa.offset %x, %c4 : !isa.buffer<GM, i32>
  isa.set_value %x1, %r : !isa.buffer<GM, i32>, i32
  %x2 = isa.offset %x1, %c4 : !isa.buffer<GM, i32>
  isa.set_value %x2, %s : !isa.buffer<GM, i32>, i32
  %x3 = isa.offset %x2, %c4 : !isa.buffer<GM, i32>
  isa.set_value %x3, %i : !isa.buffer<GM, i32>, i32
  scf.for %k = %c0 to %c9 step %step : i64 {
    isa.set_value %x3, %one : !isa.buffer<GM, i32>, i32
  }
  scf.while : () -> () {
    %yes = arith.constant true
    scf.condition(%yes)
  } do {
    scf.yield
  }
  return
})");
  ASSERT_EQ(kernel.error, "");
  std::vector<int32_t> x(4, -1);
  auto result = kernel.run(platform220, {x, int64_t(INT32_MIN), int64_t(0), 1e20f, int64_t(0)});
  EXPECT_EQ(x, (std::vector<int32_t>{0, 0, 0, INT32_MAX}));
  std::string ids = findingIds(result);
  EXPECT_NE(ids.find("operand.scalar-division"), std::string::npos) << ids;
  EXPECT_NE(ids.find("operand.scalar-shift"), std::string::npos) << ids;
  EXPECT_NE(ids.find("operand.loop-step"), std::string::npos) << ids;
  result = kernel.run(platform220, {x, int64_t(INT32_MIN), int64_t(-1), std::bit_cast<float>(0x7fc00000), int64_t(10)});
  EXPECT_EQ(x, (std::vector<int32_t>{0, INT32_MIN, 0, 1})); // the unsigned remainder by 2^32 - 1 is fine
}

// Division helpers round as their names say.
TEST(Host, FloorAndCeilDivision) {
  HostKernel kernel(R"(
func.func @divide(%x: !isa.buffer<GM, i32>, %a: i32, %b: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %c4 = arith.constant 4 : i64
  %f = arith.floordivsi %a, %b : i32
  %c = arith.ceildivsi %a, %b : i32
  isa.set_value %x, %f : !isa.buffer<GM, i32>, i32
  %x1 = isa.offset %x, %c4 : !isa.buffer<GM, i32>
  isa.set_value %x1, %c : !isa.buffer<GM, i32>, i32
  return
})");
  ASSERT_EQ(kernel.error, "");
  for (int a = -7; a <= 7; ++a)
    for (int b : {-3, -2, -1, 1, 2, 3}) {
      std::vector<int32_t> x(2);
      kernel.run(platform220, {x, int64_t(a), int64_t(b)});
      EXPECT_EQ(x[0], std::floor(double(a) / b)) << a << " " << b;
      EXPECT_EQ(x[1], std::ceil(double(a) / b)) << a << " " << b;
    }
}

// Kernels of one module are compiled into one object and launched by name; each knows its own places and cores.
TEST(Host, KernelsOfOneModuleAreLaunchedByName) {
  const char *text = R"(
func.func private @store(%x: !isa.buffer<GM, i32>, %v: i32) -> i32 {
  isa.set_value %x, %v : !isa.buffer<GM, i32>, i32 loc("lib.py":5:1)
  %c1 = arith.constant 1 : i32
  %next = arith.addi %v, %c1 : i32
  return %next : i32
}
func.func @once(%x: !isa.buffer<GM, i32>, %v: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %0 = func.call @store(%x, %v) : (!isa.buffer<GM, i32>, i32) -> i32 loc("once.py":1:1)
  return
}
func.func @twice(%v: i32, %x: !isa.buffer<GM, i32>) attributes {isa.kernel, isa.arch = "C220"} {
  %0 = func.call @store(%x, %v) : (!isa.buffer<GM, i32>, i32) -> i32 loc("twice.py":1:1)
  %1 = func.call @store(%x, %0) : (!isa.buffer<GM, i32>, i32) -> i32 loc("twice.py":2:1)
  %a = isa.alloc 256 {address = 0 : i64} : !isa.buffer<L1, f16>
  return
})";
  HostKernel once(text, {}, "once"), twice(text, {}, "twice");
  ASSERT_EQ(once.error + twice.error, "");
  std::vector<int32_t> x(8);
  once.run(platform220, {x, int64_t(5)});
  EXPECT_EQ(x[0], 5);
  twice.run(platform220, {int64_t(7), x});
  EXPECT_EQ(x[0], 8);
  for (const HostKernel *kernel : {&once, &twice})
    for (const SourceLocation &place : kernel->compiled.metadata.locations)
      if (place.file == "lib.py") {
        EXPECT_EQ(kernel->compiled.metadata.locations.at(place.caller).file, kernel->compiled.metadata.kernel + ".py");
      }
  EXPECT_EQ(once.compiled.metadata.kernelType, isa::KernelType::AivOnly);
  EXPECT_EQ(twice.compiled.metadata.kernelType, isa::KernelType::AicOnly);
  HostKernel unnamed(text);
  EXPECT_EQ(unnamed.error, "the module holds 2 kernels, and one was asked for");
}

TEST(Host, ErrorsSayWhereAndWhy) {
  HostKernel kernel(R"(
func.func @unplanned() attributes {isa.kernel, isa.arch = "C220"} {
  %a = isa.alloc 256 : !isa.buffer<UB, f32> loc("add.py":7:3)
  return
})");
  EXPECT_EQ(kernel.error, "loc(\"add.py\":7:3): 'isa.alloc' op has no address; plan memory before lowering");
  auto loaded = loadKernel("not an object", "add");
  EXPECT_FALSE(bool(loaded));
  llvm::consumeError(loaded.takeError());
}

} // namespace
