#include "tilesmith/Isa/Isa.h"
#include <gtest/gtest.h>
#include <set>

using namespace tilesmith::isa;

// A type that two names lead to, or none, would become another one on its way through Python, the IR or the printer.
TEST(DType, NamesLeadBackToTheirType) {
  std::set<std::string_view> ascend;
  for (unsigned i = 0; i < numDType; ++i) {
    const DTypeInfo &info = infoOf(DType(i));
    EXPECT_EQ(info.name, stringify(DType(i)));
    EXPECT_EQ(symbolize<DType>(info.name), DType(i));
    EXPECT_EQ(dtypeOfPython(info.python), DType(i)) << info.python;
    EXPECT_TRUE(info.ascend.empty() || ascend.insert(info.ascend).second) << info.ascend;
  }
  EXPECT_EQ(dtypeOfPython("float31"), std::nullopt);
}

TEST(DType, SizesAreBits) {
  EXPECT_EQ(bitsOf(DType::F8E4M3), 8u);
  EXPECT_EQ(bitsOf(DType::HIF8), 8u);
  EXPECT_EQ(bitsOf(DType::F4E1M2), 4u);
  EXPECT_EQ(bitsOf(DType::I4), 4u);
  EXPECT_EQ(sizeOf(DType::F8E5M2), 1u);
  EXPECT_EQ(sizeOf(DType::F32), 4u);
  EXPECT_EQ(sizeOf(DType::U64), 8u);
  EXPECT_EQ(sizeOf(DType::I1), 0u) << "several share a byte";
  for (DType pair : {DType::I4, DType::F4E2M1})
    EXPECT_EQ(sizeOf(pair), 1u) << "what is moved and counted is two of them";
  EXPECT_EQ(sizeOf(DType(200)), 0u) << "calls are checked after their size was asked for";
}

// Sign, exponent and mantissa fill a float; where the split is not fixed, neither is given. A scale has no sign.
TEST(DType, FloatsAreMadeOfTheirParts) {
  for (unsigned i = 0; i < numDType; ++i) {
    const DTypeInfo &info = infoOf(DType(i));
    if (info.exponent) {
      EXPECT_EQ((DType(i) != DType::F8E8M0) + info.exponent + info.mantissa, info.bits) << info.name;
    }
    EXPECT_EQ(info.exponent != 0, info.kind == DTypeKind::Float && DType(i) != DType::HIF8) << info.name;
  }
}

TEST(DType, KindAndWidthFindIntegers) {
  EXPECT_EQ(dtypeOf(DTypeKind::Int, 4), DType::I4);
  EXPECT_EQ(dtypeOf(DTypeKind::Uint, 16), DType::U16);
  EXPECT_EQ(dtypeOf(DTypeKind::Uint, 4), std::nullopt);
}

// Sets of 16 bits had no room for the types past number 15: they would alias others, or vanish.
TEST(DType, SetsHoldTypesBeyondTheSixteenth) {
  DTypeSet set = dtypeBit(DType::F4E1M2);
  EXPECT_FALSE(set & dtypeBit(DType::F32));
  EXPECT_TRUE(set & dtypeBit(DType::F4E1M2));
  for (unsigned op = 0; op < numOpcodes; ++op)
    EXPECT_FALSE(getInstruction(Opcode(op)).supports(Arch::C220, DType::F4E1M2)) << getInstruction(Opcode(op)).mnemonic;
  EXPECT_TRUE(getInstruction(Opcode::MmadMx).supports(Arch::C310, DType::F4E1M2));
}
