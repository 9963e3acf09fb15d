#include "tilesmith/Isa/Chip.h"
#include <gtest/gtest.h>

using namespace tilesmith::isa;

// A table read with its indices swapped would give the cube core's events to the vector core, or turn each around.
TEST(Chip, EventsAreThoseOfTheirCoreAndDirection) {
  for (Arch arch : {Arch::C220, Arch::C310}) {
    EXPECT_TRUE(hasEvent(arch, CoreKind::AIC, Pipe::FIX, Pipe::S));
    EXPECT_FALSE(hasEvent(arch, CoreKind::AIC, Pipe::S, Pipe::FIX));
    EXPECT_FALSE(hasEvent(arch, CoreKind::AIV, Pipe::FIX, Pipe::S));
    EXPECT_TRUE(hasEvent(arch, CoreKind::AIV, Pipe::V, Pipe::MTE3));
    EXPECT_FALSE(hasEvent(arch, CoreKind::AIC, Pipe::V, Pipe::MTE3));
  }
}

// A core can neither set nor wait on a pipe it does not have.
TEST(Chip, EventsAreBetweenPipesOfTheCore) {
  for (unsigned arch = 0; arch < numArch; ++arch)
    for (unsigned kind = 0; kind < numCoreKind; ++kind) {
      const CoreRule &core = ruleOf(Arch(arch), CoreKind(kind));
      for (unsigned from = 0; from < numPipe; ++from) {
        EXPECT_EQ(core.eventsTo[from] & ~core.pipes, 0) << stringify(Pipe(from));
        if (!(core.pipes & pipeBit(Pipe(from)))) {
          EXPECT_EQ(core.eventsTo[from], 0) << stringify(Pipe(from));
        }
      }
    }
}

TEST(Chip, OnlyThe950OrdersVectorInstructions) {
  EXPECT_FALSE(ordersItself(Arch::C220, Pipe::V));
  EXPECT_TRUE(ordersItself(Arch::C310, Pipe::V));
  EXPECT_TRUE(ordersItself(Arch::C220, Pipe::S));
  EXPECT_FALSE(ordersItself(Arch::C310, Pipe::M));
}

// A part of a fractal is not counted: a doubtful product asks for a barrier. Wild sizes must not overflow.
TEST(Chip, MmadFollowsFreelyFromTenWholeFractals) {
  EXPECT_TRUE(mmadFollowsFreely(160, 16));
  EXPECT_FALSE(mmadFollowsFreely(159, 16));
  EXPECT_TRUE(mmadFollowsFreely(32, 80));
  EXPECT_FALSE(mmadFollowsFreely(31, 159));
  EXPECT_FALSE(mmadFollowsFreely(-160, -16));
  EXPECT_TRUE(mmadFollowsFreely(INT64_MAX, INT64_MAX));
}

// What a planner hands out is good for every operand.
TEST(Chip, GranulesAreAligned) {
  for (unsigned memory = 0; memory < numMemory; ++memory)
    EXPECT_EQ(ruleOf(Memory(memory)).granule % ruleOf(Memory(memory)).alignment, 0) << stringify(Memory(memory));
}

// Planner, checker and printer ask for casts here; a pair lost or turned around would be refused, or run as another.
TEST(Chip, CastsGoFromTheirSourceToTheirTargets) {
  EXPECT_TRUE(castTargets(Arch::C220, DType::I32) & dtypeBit(DType::I64));
  EXPECT_FALSE(castTargets(Arch::C220, DType::U16));
  EXPECT_EQ(castTargets(Arch::C310, DType::U16), dtypeBit(DType::U8) | dtypeBit(DType::U32));
  EXPECT_TRUE(castTargets(Arch::C310, DType::U32) & dtypeBit(DType::I16));
  EXPECT_FALSE(castTargets(Arch::C310, DType::I16) & dtypeBit(DType::U16));
  for (unsigned from = 0; from < numDType; ++from)
    EXPECT_EQ(castTargets(Arch::C220, DType(from)) & ~castTargets(Arch::C310, DType(from)), 0u)
        << stringify(DType(from)) << ": C310 has what C220 has";
}
