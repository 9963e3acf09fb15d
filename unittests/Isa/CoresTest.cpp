#include "tilesmith/Isa/Cores.h"
#include <gtest/gtest.h>

using namespace tilesmith::isa;

namespace {

CoreKinds coresFor(std::string_view mnemonic, std::initializer_list<Memory> memories, Arch arch = Arch::C310) {
  return tilesmith::isa::coresFor(*findInstruction(mnemonic), arch,
                                  [&](unsigned operand) { return memories.begin()[operand]; });
}

} // namespace

TEST(Cores, InstructionsRunWhereTheirPipeAndMemoriesAre) {
  EXPECT_EQ(coresFor("add", {Memory::UB, Memory::UB, Memory::UB}), CoreKind::AIV);
  EXPECT_EQ(coresFor("mmad", {Memory::L0C, Memory::L0A, Memory::L0B}), CoreKind::AIC);
  EXPECT_EQ(coresFor("fixpipe_to_gm", {Memory::GM, Memory::L0C}), CoreKind::AIC);
  EXPECT_EQ(coresFor("copy_gm_to_ub", {Memory::UB, Memory::GM}), CoreKind::AIV);
  EXPECT_EQ(coresFor("copy_gm_to_ub", {Memory::L1, Memory::GM}), CoreKind::AIC);
  EXPECT_EQ(coresFor("copy_ub_to_gm", {Memory::GM, Memory::UB}, Arch::C220), CoreKind::AIV);
  EXPECT_EQ(coresFor("get_value", {Memory::UB}), CoreKind::AIV);
  EXPECT_EQ(coresFor("get_value", {Memory::GM}), CoreKinds::any());
  EXPECT_EQ(coresFor("set_flag", {}), CoreKinds::any());
}

TEST(Cores, KernelTypesSayTheCoresOfABlock) {
  EXPECT_EQ(coresOf(KernelType::AivOnly).kinds(), CoreKind::AIV);
  EXPECT_EQ(coresOf(KernelType::MixAiv_1_0).kinds(), CoreKind::AIV);
  EXPECT_EQ(coresOf(KernelType::AicOnly).kinds(), CoreKind::AIC);
  EXPECT_EQ(coresOf(KernelType::MixAic_1_0).kinds(), CoreKind::AIC);
  EXPECT_EQ(coresOf(KernelType::MixAic_1_1).count(), 2u);
  EXPECT_EQ(coresOf(KernelType::MixAic_1_2).count(), 3u);
  EXPECT_TRUE(coresOf(KernelType::MixAic_1_2).mixed());
  EXPECT_FALSE(coresOf(KernelType::MixAicHardSync).mixed());
}

// A kernel that only moves bytes on S and MTE2 needs no special core; the vendor's compiler makes it a vector kernel.
TEST(Cores, KernelsThatNeedNothingAreVectorKernels) {
  EXPECT_EQ(kernelTypeFor(CoreKinds()), KernelType::AivOnly);
  EXPECT_EQ(kernelTypeFor(CoreKind::AIC), KernelType::AicOnly);
  EXPECT_EQ(kernelTypeFor(CoreKinds::any()), KernelType::MixAic_1_2);
}
