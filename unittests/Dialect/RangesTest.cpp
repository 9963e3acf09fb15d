// Which values integers can have, under each assumption about arithmetic.
#include "tilesmith/Dialect/Isa/Ranges.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Isa/Chip.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

namespace tilesmith::isa {
namespace {

constexpr int64_t least = INT32_MIN, most = INT32_MAX, blocks = mostBlocks;

class RangesTest : public testing::Test {
protected:
  RangesTest() {
    context.loadDialect<mlir::func::FuncDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect, IsaDialect>();
  }

  // The operand of the call of @seen, in a function of unknown i32 %n and %m.
  mlir::Value seen(const std::string &body) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func private @seen(i32)\nfunc.func @kernel(%n: i32, %m: i32) {\n"
        "%0 = arith.constant 0 : i32\n%1 = arith.constant 1 : i32\n%8 = arith.constant 8 : i32\n"
        "%64 = arith.constant 64 : i32\n" +
            body + "\nreturn\n}",
        &context);
    mlir::Value value;
    module->walk([&](mlir::func::CallOp call) { value = call.getOperand(0); });
    return value;
  }
  std::pair<int64_t, int64_t> range(const std::string &body, Arithmetic arithmetic) {
    Range range = rangeOf(seen(body), arithmetic);
    return {int64_t(range.low), int64_t(range.high)};
  }
  std::optional<int64_t> highest(const std::string &body) { return Ranges(Arithmetic::OfSizes).highest(seen(body)); }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

using Ends = std::pair<int64_t, int64_t>;
const std::string see = "\nfunc.call @seen(%v) : (i32) -> ()";

// A sum that may wrap is printed by a helper; taken as exact it would be a plain operator and overflow on the chip.
TEST_F(RangesTest, WhatMayWrapCanBeAnything) {
  std::string sum = "%b = isa.block_idx : i32\n%v = arith.addi %b, %64 : i32" + see;
  EXPECT_EQ(range(sum, Arithmetic::Wraps), Ends(64, blocks + 63));
  std::string product = "%b = isa.block_idx : i32\n%s = arith.muli %b, %b : i32\n%v = arith.addi %s, %1 : i32" + see;
  EXPECT_EQ(range(product, Arithmetic::Wraps), Ends(least, most));
  EXPECT_EQ(range(product, Arithmetic::IsExact), Ends(1, (blocks - 1) * (blocks - 1) + 1));
}

// The larger of two numbers as a front end writes it: a loop that runs at least once is seen to.
TEST_F(RangesTest, ChoicesOfTheLargerOrTheSmaller) {
  auto choice = [](const std::string &condition, const std::string &values) {
    return "%c = arith.cmpi " + condition + " : i32\n%v = arith.select %c, " + values + " : i32" + see;
  };
  for (Arithmetic arithmetic : {Arithmetic::Wraps, Arithmetic::IsExact}) {
    EXPECT_EQ(range(choice("slt, %n, %1", "%1, %n"), arithmetic).first, 1);
    EXPECT_EQ(range(choice("sge, %n, %1", "%n, %1"), arithmetic).first, 1);
    EXPECT_EQ(range(choice("slt, %n, %64", "%n, %64"), arithmetic).second, 64);
    EXPECT_EQ(range(choice("sgt, %n, %64", "%64, %n"), arithmetic).second, 64);
    EXPECT_LT(range(choice("slt, %n, %m", "%1, %n"), arithmetic).first, 1);
    EXPECT_LT(range(choice("ult, %n, %1", "%1, %n"), arithmetic).first, 1);
  }
}

TEST_F(RangesTest, CountersOfLoops) {
  std::string loop = "scf.for %v = %0 to %64 step %8 : i32 {" + see + "\n}";
  EXPECT_EQ(range(loop, Arithmetic::Wraps), Ends(0, 63));
  EXPECT_EQ(range(loop, Arithmetic::IsExact), Ends(0, 56));
  // Past the end of the type a counter that wraps starts again from below.
  std::string open = "scf.for %v = %0 to %n step %8 : i32 {" + see + "\n}";
  EXPECT_EQ(range(open, Arithmetic::Wraps), Ends(least, most));
  EXPECT_EQ(range(open, Arithmetic::IsExact).first, 0);
}

// min(n, 64) of something is at most 64 whatever n is, also after dividing it; n - 1 is not bounded because a number
// was subtracted from it.
TEST_F(RangesTest, SizesAreNotNegative) {
  std::string tail = "%t = arith.minsi %n, %64 : i32\n";
  EXPECT_EQ(highest(tail + "%v = arith.divsi %t, %8 : i32" + see), 8);
  EXPECT_EQ(highest(tail + "%r = arith.minsi %m, %8 : i32\n%v = arith.muli %t, %r : i32" + see), 512);
  EXPECT_EQ(highest(tail + "%v = arith.addi %t, %8 : i32" + see), 72);
  EXPECT_EQ(highest("%v = arith.remsi %n, %8 : i32" + see), 7);
  EXPECT_EQ(highest("%v = arith.subi %n, %1 : i32" + see), std::nullopt);
  EXPECT_EQ(highest("%l = arith.subi %n, %1 : i32\n%v = arith.divsi %l, %8 : i32" + see), std::nullopt);
  EXPECT_EQ(highest("%v = arith.muli %n, %8 : i32" + see), std::nullopt);
}

// A negative number extended without its sign is a large one.
TEST_F(RangesTest, ExtensionWithoutSign) {
  std::string bit = "%c = arith.cmpi slt, %n, %64 : i32\n%v = arith.extui %c : i1 to i32" + see;
  EXPECT_EQ(range(bit, Arithmetic::Wraps), Ends(0, 1));
  std::string byte = "%b = arith.trunci %n : i32 to i8\n%v = arith.extui %b : i8 to i32" + see;
  EXPECT_EQ(range(byte, Arithmetic::Wraps), Ends(least, most));
}

// Definitions deeper than we look are not remembered as unknown: asked for directly they are seen. And a question about
// many of them, each used twice, ends.
TEST_F(RangesTest, DeepDefinitions) {
  std::string chain = "%v0 = isa.block_idx : i32\n";
  for (int i = 0; i < 60; ++i) {
    std::string before = "%v" + std::to_string(i), more = "%m" + std::to_string(i),
                after = "%v" + std::to_string(i + 1);
    chain += more + " = arith.addi " + before + ", %1 : i32\n";
    chain += after + " = arith.maxsi " + more + ", " + before + " : i32\n";
  }
  mlir::Value last = seen(chain + "func.call @seen(%v60) : (i32) -> ()");
  Ranges ranges(Arithmetic::Wraps);
  EXPECT_EQ(int64_t(ranges.of(last).low), least);
  mlir::Value middle = last;
  for (int i = 0; i < 60; ++i)
    middle = middle.getDefiningOp()->getOperand(0);
  EXPECT_EQ(int64_t(ranges.of(middle).low), 30);
  EXPECT_EQ(int64_t(ranges.of(last).low), 60);
}

} // namespace
} // namespace tilesmith::isa
