#include "TraceBuilder.h"
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::test;

namespace {

const Platform &c220 = platform("Ascend910B1");
const Platform &c310 = platform("Ascend950PR_9599");

std::vector<Finding> check(const TraceBuilder &builder, const Platform &on = c220) {
  std::vector<Finding> findings;
  checkOrder(builder.trace, on, findings);
  return findings;
}

std::string ids(const std::vector<Finding> &findings) {
  std::string text;
  for (const Finding &finding : findings)
    text += (text.empty() ? "" : " ") + finding.id.str();
  return text;
}

// 4096 bytes at UB 0 are written, and the writer is known to everyone.
TraceBuilder initialised(int64_t bytes = 4096) {
  TraceBuilder b;
  b.fill(0, bytes / 2).barrier(Pipe::ALL);
  return b;
}

} // namespace

//===- Flags between pipes
//---------------------------------------------------------------------------------------------===//

TEST(Order, VectorReadOfALoadNeedsAFlag) {
  TraceBuilder b;
  b.load(0, 0, 4096).exp(8192, 0, 2048);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "order.raw");
  EXPECT_EQ(findings[0].text, "V reads UB [0, 4096) while MTE2 may still be writing it: no flag between them");
  EXPECT_TRUE(findings[0].isError());
  EXPECT_EQ(findings[0].loc, 2u);
  EXPECT_EQ(findings[0].otherLoc, 1u);

  TraceBuilder good;
  good.load(0, 0, 4096).flag(Pipe::MTE2, Pipe::V).exp(8192, 0, 2048);
  EXPECT_EQ(ids(check(good)), "");
}

TEST(Order, AFlagCoversOnlyWhatItsPipeDidBefore) {
  TraceBuilder b;
  b.load(0, 0, 4096).set(Pipe::MTE2, Pipe::V).load(4096, 4096, 4096).wait(Pipe::MTE2, Pipe::V).exp(8192, 0, 4096);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "order.raw");
  EXPECT_EQ(findings[0].text, "V reads UB [4096, 8192) while MTE2 may still be writing it: no flag between them");
}

TEST(Order, OverwritingWhatIsStillReadNeedsAFlagBack) {
  TraceBuilder b;
  b.load(0, 0, 4096).flag(Pipe::MTE2, Pipe::V).exp(8192, 0, 2048).load(0, 4096, 4096);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "order.war");
  EXPECT_EQ(findings[0].text, "MTE2 writes UB [0, 4096) while V may still be reading it: no flag between them");

  TraceBuilder good;
  good.load(0, 0, 4096).flag(Pipe::MTE2, Pipe::V).exp(8192, 0, 2048).flag(Pipe::V, Pipe::MTE2).load(0, 4096, 4096);
  EXPECT_EQ(ids(check(good)), "");
}

TEST(Order, TwoPipesWritingTheSameBytesNeedAFlag) {
  TraceBuilder b;
  b.load(0, 0, 4096).fill(2048, 512);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "order.waw");
  EXPECT_EQ(findings[0].text, "V writes UB [2048, 3072) while MTE2 may still be writing it: no flag between them");
}

TEST(Order, HappensBeforeIsTransitive) {
  TraceBuilder b;
  b.load(0, 0, 4096).flag(Pipe::MTE2, Pipe::V).exp(8192, 0, 2048).flag(Pipe::V, Pipe::MTE3).store(65536, 0, 4096);
  EXPECT_EQ(ids(check(b)), "");
}

TEST(Order, HazardsAreExactToTheByte) {
  TraceBuilder b;
  b.fill(2048, 1024).barrier(Pipe::ALL).load(0, 0, 2048).exp(8192, 2048, 1024);
  EXPECT_EQ(ids(check(b)), "");
}

// Rows of 32 bytes with 32 bytes between them: the gaps belong to nobody.
TEST(Order, StridedMovesLeaveTheirGapsAlone) {
  TraceBuilder b = initialised();
  b.call(Opcode::CopyGmToUb, {ub(0), gm(0), 8, 32, 0, 1, 0, 0, 0, 0});
  b.call(Opcode::CopyUbToGm, {gm(65536), ub(32), 8, 32, 1, 0});
  EXPECT_EQ(ids(check(b)), "");
  TraceBuilder bad = initialised();
  bad.call(Opcode::CopyGmToUb, {ub(0), gm(0), 8, 32, 0, 1, 0, 0, 0, 0});
  bad.call(Opcode::CopyUbToGm, {gm(65536), ub(64), 4, 32, 1, 0});
  EXPECT_EQ(ids(check(bad)), "order.raw");
}

// The mask of the repeat form: lanes beyond it are not read.
TEST(Order, MaskedLanesAreNotTouched) {
  TraceBuilder b = initialised();
  b.load(128, 0, 128); // lanes 32 to 63 of f32
  b.call(Opcode::AbsR, {ub(8192), ub(0), 32, 1, 1, 1, 8, 8}, DType::F32);
  EXPECT_EQ(ids(check(b)), "");
  TraceBuilder bad = initialised();
  bad.load(128, 0, 128);
  bad.call(Opcode::AbsR, {ub(8192), ub(0), 33, 1, 1, 1, 8, 8}, DType::F32);
  auto findings = check(bad);
  ASSERT_EQ(ids(findings), "order.raw");
  EXPECT_EQ(findings[0].text, "V reads UB [128, 132) while MTE2 may still be writing it: no flag between them");
}

TEST(Order, AHazardInALoopIsCountedNotRepeated) {
  std::vector<Finding> findings;
  TraceBuilder b;
  for (int i = 0; i < 5; ++i)
    b.load(0, 0, 4096).exp(8192, 0, 2048).barrier(Pipe::ALL);
  for (Instr &instr : b.trace.calls)
    instr.loc = instr.op == Opcode::Exp ? 2 : 1;
  checkOrder(b.trace, c220, findings);
  ASSERT_EQ(ids(findings), "order.raw");
  EXPECT_EQ(findings[0].count, 5);
}

//===- One pipe
//----------------------------------------------------------------------------------------------------------===//

TEST(Order, DependentVectorInstructionsNeedABarrierOnC220Only) {
  TraceBuilder b = initialised();
  b.exp(8192, 0, 2048).exp(16384, 8192, 2048);
  auto findings = check(b, c220);
  ASSERT_EQ(ids(findings), "order.raw");
  EXPECT_EQ(findings[0].text, "V reads UB [8192, 12288) while V may still be writing it: no barrier of V between them");
  EXPECT_EQ(ids(check(b, c310)), "");

  TraceBuilder good = initialised();
  good.exp(8192, 0, 2048).barrier(Pipe::V).exp(16384, 8192, 2048);
  EXPECT_EQ(ids(check(good, c220)), "");
}

TEST(Order, InPlaceIsNoHazardWithItself) {
  TraceBuilder b = initialised();
  b.exp(0, 0, 2048);
  EXPECT_EQ(ids(check(b)), "");
}

TEST(Order, ABarrierOfAnotherPipeDoesNotHelp) {
  TraceBuilder b = initialised();
  b.exp(8192, 0, 2048).barrier(Pipe::MTE2).exp(16384, 8192, 2048);
  EXPECT_EQ(ids(check(b)), "order.raw");
}

TEST(Order, AVectorToVectorFlagIsABarrier) {
  TraceBuilder b = initialised();
  b.exp(8192, 0, 2048).flag(Pipe::V, Pipe::V).exp(16384, 8192, 2048);
  EXPECT_EQ(ids(check(b)), "");
}

TEST(Order, OverlappingMovesOfOnePipeNeedABarrierOnBothArchitectures) {
  for (const Platform *on : {&c220, &c310}) {
    TraceBuilder loads;
    loads.load(0, 0, 4096).load(2048, 8192, 4096);
    EXPECT_EQ(ids(check(loads, *on)), "order.waw");
    TraceBuilder stores = initialised();
    stores.store(0, 0, 1024).store(512, 0, 1024);
    EXPECT_EQ(ids(check(stores, *on)), "order.waw");
    TraceBuilder good;
    good.load(0, 0, 4096).barrier(Pipe::MTE2).load(2048, 8192, 4096);
    EXPECT_EQ(ids(check(good, *on)), "");
  }
}

TEST(Order, DisjointMovesOfOnePipeNeedNothing) {
  TraceBuilder b;
  b.load(0, 0, 4096).load(4096, 4096, 4096);
  EXPECT_EQ(ids(check(b)), "");
}

TEST(Order, EqualAtomicStoresOfOneBlockCommute) {
  TraceBuilder b = initialised();
  b.atomic(isa::AtomicOp::Add).store(0, 0, 1024).store(0, 1024, 1024);
  EXPECT_EQ(ids(check(b)), "");
  TraceBuilder mixed = initialised();
  mixed.atomic(isa::AtomicOp::Add).store(0, 0, 1024).atomic(isa::AtomicOp::Max).store(0, 1024, 1024);
  EXPECT_EQ(ids(check(mixed)), "order.waw");
}

//===- Matrix unit
//-----------------------------------------------------------------------------------------------------===//

namespace {

// L1 and L0 hold something, and everyone knows.
TraceBuilder cubeReady() {
  TraceBuilder b;
  b.loadNz(0, 0, 256, 256, 256).barrier(Pipe::ALL);
  b.call(Opcode::LoadData_2d, {l0a(0), l1(0), 0, 64, 1, 0, 0})
      .call(Opcode::LoadData_2d, {l0b(0), l1(0), 0, 64, 1, 0, 0});
  b.barrier(Pipe::ALL);
  return b;
}

} // namespace

TEST(Order, ShortAccumulationsNeedABarrier) {
  TraceBuilder small = cubeReady();
  small.mmad(48, 48, 16, true).mmad(48, 48, 16, false);
  EXPECT_NE(ids(check(small)).find("order.raw"), std::string::npos);

  TraceBuilder barrier = cubeReady();
  barrier.mmad(48, 48, 16, true).barrier(Pipe::M).mmad(48, 48, 16, false);
  EXPECT_EQ(ids(check(barrier)), "");

  // Ten fractals are touched, eight of them are whole: planner and checker count alike.
  TraceBuilder partial = cubeReady();
  partial.mmad(32, 79, 16, true).mmad(32, 79, 16, false);
  EXPECT_NE(ids(check(partial)).find("order.raw"), std::string::npos);

  TraceBuilder large = cubeReady();
  large.mmad(32, 80, 16, true).mmad(32, 80, 16, false);
  EXPECT_EQ(ids(check(large)), "");
}

TEST(Order, ResultsNeedAFlagToFix) {
  TraceBuilder b = cubeReady();
  b.mmad(64, 64, 16, true);
  b.call(Opcode::FixpipeToGm, {gm(1 << 20), l0c(0), 64, 64, 64, 64, 1, 0, 0}, DType::F16, DType::F32);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "order.raw");
  EXPECT_EQ(findings[0].text, "FIX reads L0C [0, 16384) while M may still be writing it: no flag between them");
}

TEST(Order, AccumulatingOntoNothingIsUninitialised) {
  TraceBuilder b = cubeReady();
  b.mmad(64, 64, 16, false);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "init.l0c");
}

//===- Scalar unit
//-----------------------------------------------------------------------------------------------------===//

TEST(Order, AWaitOnTheScalarUnitOrdersEverythingIssuedAfterIt) {
  TraceBuilder b;
  b.load(0, 0, 4096).flag(Pipe::MTE2, Pipe::S).exp(8192, 0, 2048).store(65536, 0, 4096);
  EXPECT_EQ(ids(check(b)), "");
  TraceBuilder early; // issued before the wait: not ordered by it
  early.load(0, 0, 4096).set(Pipe::MTE2, Pipe::S).exp(8192, 0, 2048).wait(Pipe::MTE2, Pipe::S);
  EXPECT_EQ(ids(check(early)), "order.raw");
}

TEST(Order, ScalarReadsNeedAFlagToS) {
  TraceBuilder b = initialised();
  b.exp(0, 0, 64).get(ub(0));
  auto findings = check(b, c310);
  ASSERT_EQ(ids(findings), "order.raw");
  EXPECT_EQ(findings[0].text, "S reads UB [0, 4) while V may still be writing it: no flag between them");
  TraceBuilder good = initialised();
  good.exp(0, 0, 64).flag(Pipe::V, Pipe::S).get(ub(0)).exp(0, 0, 64);
  EXPECT_EQ(ids(check(good, c310)), "");
}

TEST(Order, ScalarWritesNeedAFlagFromS) {
  TraceBuilder b = initialised();
  b.put(ub(0)).exp(8192, 0, 64);
  EXPECT_EQ(ids(check(b, c310)), "order.raw");
  TraceBuilder good = initialised();
  good.put(ub(0)).flag(Pipe::S, Pipe::V).exp(8192, 0, 64);
  EXPECT_EQ(ids(check(good, c310)), "");
  TraceBuilder own = initialised();
  own.put(ub(0)).get(ub(0)).put(ub(0));
  EXPECT_EQ(ids(check(own, c310)), "");
}

TEST(Order, ABarrierOfAllOrdersAllPipes) {
  TraceBuilder b;
  b.load(0, 0, 4096)
      .barrier(Pipe::ALL)
      .exp(8192, 0, 2048)
      .put(ub(16384))
      .barrier(Pipe::ALL)
      .store(0, 8192, 4096)
      .get(ub(8192));
  b.barrier(Pipe::ALL).fill(16384, 2);
  EXPECT_EQ(ids(check(b)), "");
}

//===- Global memory
//---------------------------------------------------------------------------------------------------===//

TEST(Order, LoadingBackAStoreNeedsAFlag) {
  TraceBuilder b = initialised();
  b.store(0, 0, 1024).load(8192, 512, 1024);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "order.raw");
  EXPECT_EQ(findings[0].text, "MTE2 reads GM [512, 1024) while MTE3 may still be writing it: no flag between them");
  TraceBuilder good = initialised();
  good.store(0, 0, 1024).flag(Pipe::MTE3, Pipe::MTE2).load(8192, 512, 1024);
  EXPECT_EQ(ids(check(good)), "");
}

TEST(Order, StoringOverALoadNeedsAFlag) {
  TraceBuilder b = initialised();
  b.load(8192, 0, 1024).store(0, 0, 1024);
  EXPECT_EQ(ids(check(b)), "order.war");
}

TEST(Order, GlobalMemoryIsInitialisedByTheHost) {
  TraceBuilder b;
  b.load(0, 0, 1024).get(gm(4096));
  EXPECT_EQ(ids(check(b)), "");
}

//===- Initialisation
//--------------------------------------------------------------------------------------------------===//

TEST(Order, ReadingBytesNobodyWroteIsAFinding) {
  TraceBuilder b;
  b.fill(0, 1024).barrier(Pipe::V).exp(8192, 0, 2048);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "init.ub");
  EXPECT_EQ(findings[0].text, "V reads UB [2048, 4096), which nothing has written");
  EXPECT_TRUE(findings[0].isError());
  EXPECT_EQ(findings[0].loc, 3u);
}

TEST(Order, AReadDoesNotInitialise) {
  TraceBuilder b;
  b.exp(8192, 0, 64).barrier(Pipe::V).exp(8192, 0, 64);
  EXPECT_EQ(ids(check(b)), "init.ub init.ub");
}

TEST(Order, EmptyL1IsUninitialised) {
  TraceBuilder b;
  b.call(Opcode::LoadData_2d, {l0a(0), l1(0), 0, 1, 1, 0, 0});
  EXPECT_EQ(ids(check(b)), "init.l1");
}

//===- Flags themselves
//------------------------------------------------------------------------------------------------===//

TEST(Order, SetWhileSet) {
  TraceBuilder b;
  b.set(Pipe::MTE2, Pipe::V, 3).set(Pipe::MTE2, Pipe::V, 3).wait(Pipe::MTE2, Pipe::V, 3);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "flag.overrun");
  EXPECT_EQ(findings[0].text, "flag 3 from MTE2 to V is set again before anything waited for it");
  EXPECT_EQ(findings[0].loc, 2u);
  EXPECT_EQ(findings[0].otherLoc, 1u);
}

// There is a wait in between, but MTE2 may run ahead of V and set the flag twice before V takes it once.
TEST(Order, SetThatMayOvertakeItsWait) {
  TraceBuilder b;
  b.load(0, 0, 64).flag(Pipe::MTE2, Pipe::V).load(64, 0, 64).flag(Pipe::MTE2, Pipe::V);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "flag.overrun");
  EXPECT_EQ(
      findings[0].text,
      "flag 0 from MTE2 to V is set again while its wait may still be pending: nothing orders this set after the wait");
  TraceBuilder good;
  good.load(0, 0, 64).flag(Pipe::MTE2, Pipe::V).flag(Pipe::V, Pipe::MTE2).load(64, 0, 64).flag(Pipe::MTE2, Pipe::V);
  EXPECT_EQ(ids(check(good)), "");
  TraceBuilder otherId;
  otherId.load(0, 0, 64).flag(Pipe::MTE2, Pipe::V, 0).load(64, 0, 64).flag(Pipe::MTE2, Pipe::V, 1);
  EXPECT_EQ(ids(check(otherId)), "");
}

TEST(Order, SetAfterAWaitOnTheScalarUnitIsOrdered) {
  TraceBuilder b;
  b.flag(Pipe::V, Pipe::S).flag(Pipe::V, Pipe::S).flag(Pipe::V, Pipe::V).flag(Pipe::V, Pipe::V);
  EXPECT_EQ(ids(check(b)), "");
}

TEST(Order, WaitWithoutSet) {
  TraceBuilder b;
  b.wait(Pipe::V, Pipe::MTE2, 1).load(0, 0, 64);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "deadlock.wait-flag");
  EXPECT_EQ(findings[0].text, "MTE2 waits for flag 1 from V, which nothing sets before it");
  EXPECT_EQ(findings[0].loc, 1u);
}

// The pipe waits, the scalar unit goes on and issues the set.
TEST(Order, ASetMayComeAfterItsWaitInTheProgram) {
  TraceBuilder b;
  b.wait(Pipe::MTE2, Pipe::V).exp(8192, 0, 2048).load(0, 0, 4096).set(Pipe::MTE2, Pipe::V);
  EXPECT_EQ(ids(check(b)), "");
}

TEST(Order, AWaitOfTheScalarUnitStopsTheProgram) {
  TraceBuilder b;
  b.wait(Pipe::V, Pipe::S).set(Pipe::V, Pipe::S);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "deadlock.wait-flag");
  EXPECT_EQ(findings[0].text, "S waits for flag 0 from V, which nothing sets before it");
}

TEST(Order, ABarrierOfAllBehindAStuckPipeStopsTheProgram) {
  TraceBuilder b;
  b.wait(Pipe::V, Pipe::MTE2).barrier(Pipe::ALL).set(Pipe::V, Pipe::MTE2);
  EXPECT_EQ(ids(check(b)), "deadlock.wait-flag");
}

TEST(Order, FlagsLeftSetLeak) {
  TraceBuilder b;
  b.set(Pipe::MTE3, Pipe::MTE2, 5);
  auto findings = check(b);
  ASSERT_EQ(ids(findings), "flag.unpaired-set");
  EXPECT_EQ(findings[0].text,
            "flag 5 from MTE3 to MTE2 is still set when the block ends: it leaks into the next kernel on the core");
  EXPECT_FALSE(findings[0].isError());
}

TEST(Order, EventsDependOnTheKindOfCore) {
  TraceBuilder vector;
  vector.flag(Pipe::MTE1, Pipe::M);
  auto findings = check(vector);
  ASSERT_EQ(ids(findings), "flag.no-event flag.no-event");
  EXPECT_EQ(findings[0].text, "a vector core has no event from MTE1 to M");

  TraceBuilder cube = cubeReady();
  cube.flag(Pipe::MTE1, Pipe::M).flag(Pipe::FIX, Pipe::S);
  EXPECT_EQ(ids(check(cube)), "");
  TraceBuilder noVector = cubeReady();
  noVector.flag(Pipe::MTE2, Pipe::V);
  findings = check(noVector);
  ASSERT_EQ(ids(findings), "flag.no-event flag.no-event");
  EXPECT_EQ(findings[0].text, "a cube core has no event from MTE2 to V");
  TraceBuilder oneWay = cubeReady();
  oneWay.flag(Pipe::S, Pipe::FIX);
  EXPECT_EQ(ids(check(oneWay)), "flag.no-event flag.no-event");
}

//===- Between blocks
//--------------------------------------------------------------------------------------------------===//

namespace {

std::vector<Finding> across(std::initializer_list<TraceBuilder> builders) {
  std::vector<BlockTrace> traces;
  for (const TraceBuilder &builder : builders)
    traces.push_back(builder.trace);
  std::vector<Finding> findings;
  checkAcrossBlocks(traces, c220, findings);
  return findings;
}

TraceBuilder block(int64_t index) { return TraceBuilder(index); }

} // namespace

TEST(AcrossBlocks, TwoBlocksWritingTheSameBytes) {
  auto findings = across({block(0).store(0, 0, 1024), block(1).store(1000, 0, 1024)});
  ASSERT_EQ(ids(findings), "cross.write-write");
  EXPECT_EQ(findings[0].text, "block 0 and block 1 both write GM [1000, 1024)");
  EXPECT_EQ(findings[0].block, 1);
  EXPECT_EQ(ids(across({block(0).store(0, 0, 1024), block(1).store(1024, 0, 1024)})), "");
}

TEST(AcrossBlocks, OneBlockMayWriteAgain) {
  EXPECT_EQ(ids(across({block(0).store(0, 0, 1024).store(0, 0, 1024).load(0, 0, 1024), block(1).store(1024, 0, 64)})),
            "");
}

TEST(AcrossBlocks, ReadingWhatAnotherBlockWrites) {
  auto findings = across({block(0).store(0, 0, 1024), block(1).load(0, 512, 4096), block(2).load(0, 8192, 64)});
  ASSERT_EQ(ids(findings), "cross.read-write");
  EXPECT_EQ(findings[0].text, "block 1 reads GM [512, 1024) while block 0 writes it");
  EXPECT_EQ(findings[0].block, 1);
}

TEST(AcrossBlocks, InterleavedRowsDoNotOverlap) {
  auto rows = [](int64_t index, int64_t start) { return block(index).store(start, 0, 32, 64, 32); };
  EXPECT_EQ(ids(across({rows(0, 0), rows(1, 32)})), "");
  EXPECT_EQ(ids(across({rows(0, 0), rows(1, 16)})), "cross.write-write");
  EXPECT_EQ(ids(across({rows(0, 0), block(1).load(0, 32, 32, 64, 32)})), "");
}

// A long range that began far before must not hide behind a short one.
TEST(AcrossBlocks, LongRangesAreRemembered) {
  EXPECT_EQ(ids(across({block(0).store(0, 0, 4096), block(1).store(8192, 0, 32), block(0).store(100, 0, 8),
                        block(2).store(2048, 0, 32)})),
            "cross.write-write");
  EXPECT_EQ(ids(across({block(0).store(0, 0, 4096).store(4096, 0, 32), block(1).store(4096, 0, 4)})),
            "cross.write-write");
}

TEST(AcrossBlocks, EqualAtomicStoresCommute) {
  auto atomic = [](int64_t index, isa::AtomicOp op) { return block(index).atomic(op).store(0, 0, 1024); };
  EXPECT_EQ(ids(across({atomic(0, isa::AtomicOp::Add), atomic(1, isa::AtomicOp::Add), atomic(2, isa::AtomicOp::Add)})),
            "");
  EXPECT_EQ(ids(across({atomic(0, isa::AtomicOp::Add), atomic(1, isa::AtomicOp::Max)})), "cross.write-write");
  EXPECT_EQ(ids(across({atomic(0, isa::AtomicOp::Add), block(1).store(0, 0, 64)})), "cross.write-write");
  EXPECT_EQ(ids(across({atomic(0, isa::AtomicOp::Add), block(1).load(0, 0, 64)})), "cross.read-write");
  EXPECT_EQ(ids(across({atomic(0, isa::AtomicOp::Add),
                        block(1).atomic(isa::AtomicOp::Add).atomic(isa::AtomicOp::None).store(0, 0, 64)})),
            "cross.write-write");
}

TEST(AcrossBlocks, ScalarWritesIntoOneLine) {
  auto findings = across({block(0).put(gm(128)), block(1).put(gm(188))});
  ASSERT_EQ(ids(findings), "cross.scalar-line");
  EXPECT_EQ(findings[0].text,
            "block 0 and block 1 both write scalars into the 64-byte line GM [128, 192): one write is lost when "
            "the line goes back");
  EXPECT_EQ(ids(across({block(0).put(gm(128)), block(1).put(gm(192))})), "");
  EXPECT_EQ(ids(across({block(0).put(gm(128)).put(gm(132))})), "");
}
