// Data moves against scalar loops: layouts, padding, atomics, scalar accesses.
#include "ExecFixture.h"

using namespace tilesmith;
using namespace tilesmith::unittests;

namespace {

int64_t gm(int64_t offset) { return Memories::at(Memory::GM, offset); }
int64_t ub(int64_t offset) { return Memories::at(Memory::UB, offset); }
int64_t l1(int64_t offset) { return Memories::at(Memory::L1, offset); }

TEST(ExecMove, CopyInPadsEachBlockToWholeBlocks) {
  for (bool isPad : {true, false})
    for (int64_t length : {2, 30, 32, 62, 64})
      for (int64_t left : {0, 3})
        for (int64_t right : {0, 1, 5}) {
          Memories memories(Arch::C220);
          auto want = memories.of(Memory::UB);
          const auto &from = memories.of(Memory::GM);
          int64_t value = 0x3c00, padded = (left * 2 + length + right * 2 + 31) / 32 * 32;
          for (int64_t i = 0; i < 5; ++i) {
            uint8_t *block = &want[size_t(640 + i * (padded + 64))];
            const uint8_t *source = &from[size_t(100 + i * (length + 10))];
            for (int64_t j = 0; j < padded; j += 2)
              std::memcpy(block + j, isPad ? reinterpret_cast<const uint8_t *>(&value) : source, 2);
            std::memcpy(block + left * 2, source, size_t(length));
          }
          Instr instr = makeInstr("copy_gm_to_ub", DType::F16, DType::F16,
                                  {ub(640), gm(100), 5, length, 10, 2, isPad, left, right, value});
          ASSERT_EQ("", validateOperands(instr, Arch::C220));
          execute(instr, memories.view);
          ASSERT_EQ(want, memories.of(Memory::UB)) << length << " " << left << " " << right;
        }
}

TEST(ExecMove, ANegativeSourceStrideRepeatsABlockOnC310) {
  Memories memories(Arch::C310);
  Instr instr = makeInstr("copy_gm_to_ub", DType::F32, DType::F32, {ub(0), gm(64), 4, 64, -64, 0, 0, 0, 0, 0});
  ASSERT_EQ("", validateOperands(instr, Arch::C310));
  EXPECT_EQ("srcStride of copy_gm_to_ub is -64, allowed are 0 to 4294967295", validateOperands(instr, Arch::C220));
  execute(instr, memories.view);
  for (size_t i = 0; i < 256; ++i)
    ASSERT_EQ(memories.of(Memory::GM)[64 + i % 64], memories.of(Memory::UB)[i]);
}

TEST(ExecMove, CopyOutDropsTheFiller) {
  for (int64_t length : {4, 36, 64}) {
    Memories memories(Arch::C220);
    auto want = memories.of(Memory::GM);
    int64_t pitch = (length + 31) / 32 * 32 + 32;
    for (int64_t i = 0; i < 6; ++i)
      std::copy_n(&memories.of(Memory::UB)[size_t(i * pitch)], length, &want[size_t(12 + i * (length + 8))]);
    execute(makeInstr("copy_ub_to_gm", DType::F32, DType::F32, {gm(12), ub(0), 6, length, 1, 8}), memories.view);
    ASSERT_EQ(want, memories.of(Memory::GM));
  }
}

TEST(ExecMove, AtomicStoresCombineWithGlobalMemory) {
  for (DType dtype : {DType::F32, DType::F16, DType::BF16, DType::I32, DType::I16, DType::I8})
    for (isa::AtomicOp op : {isa::AtomicOp::Add, isa::AtomicOp::Max, isa::AtomicOp::Min}) {
      std::mt19937 random(7);
      Memories memories(Arch::C220);
      int64_t size = isa::sizeOf(dtype), count = 100;
      for (int64_t i = 0; i < count; ++i) {
        writeBits(&memories.of(Memory::GM)[size_t(i * size)], dtype, randomElement(random, dtype));
        writeBits(&memories.of(Memory::UB)[size_t(i * size)], dtype, randomElement(random, dtype));
      }
      auto want = memories.of(Memory::GM);
      for (int64_t i = 0; i < count; ++i) {
        uint64_t a = readBits(&want[size_t(i * size)], dtype),
                 b = readBits(&memories.of(Memory::UB)[size_t(i * size)], dtype);
        uint64_t result;
        bool max = op == isa::AtomicOp::Max;
        if (isFloat(dtype)) {
          double x = decodeFloat(a, dtype), y = decodeFloat(b, dtype);
          result = op == isa::AtomicOp::Add ? encodeFloat(float(x) + float(y), dtype)
                   : x == y                 ? (std::signbit(x) == max ? b : a)
                                            : ((x > y) == max ? a : b);
        } else {
          int64_t x = decodeInt(a, dtype), y = decodeInt(b, dtype);
          result = uint64_t(op == isa::AtomicOp::Add ? x + y : max ? std::max(x, y) : std::min(x, y));
        }
        writeBits(&want[size_t(i * size)], dtype, result);
      }
      memories.view.atomic = op;
      execute(makeInstr("copy_ub_to_gm", dtype, dtype, {gm(0), ub(0), 1, count * size, 0, 0}), memories.view);
      expectMemory(want, memories.of(Memory::GM), dtype, 0, "atomic");
      ASSERT_FALSE(HasFatalFailure());
    }
}

TEST(ExecMove, NdToNzFillsWholePieces) {
  for (DType dtype : {DType::I8, DType::F16, DType::F32})
    for (int64_t columns : {8, 20, 64}) {
      Memories memories(Arch::C220);
      int64_t size = isa::sizeOf(dtype), perPiece = 32 / size, rows = 21, pitch = 100, c0Stride = 32, matrices = 2;
      auto want = memories.of(Memory::L1);
      for (int64_t matrix = 0; matrix < matrices; ++matrix)
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t column = 0; column < (columns + perPiece - 1) / perPiece * perPiece; ++column) {
            uint8_t *to = &want[size_t(matrix * 5120 * size + (column / perPiece * c0Stride + row) * 32 +
                                       column % perPiece * size)];
            if (column < columns)
              std::copy_n(&memories.of(Memory::GM)[size_t((matrix * 3000 + row * pitch + column) * size)], size, to);
            else
              std::fill_n(to, size, uint8_t(0));
          }
      execute(makeInstr("copy_gm_to_l1_nz", dtype, dtype,
                        {l1(0), gm(0), matrices, rows, columns, 3000, pitch, c0Stride, 1, 5120}),
              memories.view);
      ASSERT_EQ(want, memories.of(Memory::L1)) << columns;
    }
}

TEST(ExecMove, FillWritesRunsOfBlocks) {
  Memories memories(Arch::C220);
  auto want = memories.of(Memory::L1);
  for (int64_t r = 0; r < 3; ++r)
    for (int64_t i = 0; i < 2 * 32; i += 2)
      writeBits(&want[size_t(64 + r * 5 * 32 + i)], DType::F16, 0x1234);
  execute(makeInstr("fill_l1", DType::F16, DType::F16, {l1(64), 3, 2, 3, 0x1234}), memories.view);
  EXPECT_EQ(want, memories.of(Memory::L1));
}

TEST(ExecMove, FillOfL0WritesRunsOfFractals) {
  for (Memory memory : {Memory::L0A, Memory::L0B}) {
    Memories memories(Arch::C220);
    auto want = memories.of(memory);
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t i = 0; i < 2 * 512; i += 4)
        writeBits(&want[size_t(512 + r * 3 * 512 + i)], DType::F32, 0x12345678);
    Instr instr = makeInstr("fill_l0", DType::F32, DType::F32, {Memories::at(memory, 512), 3, 2, 1, 0x12345678});
    ASSERT_EQ("", validateOperands(instr, Arch::C220));
    execute(instr, memories.view);
    EXPECT_EQ(want, memories.of(memory));
  }
}

TEST(ExecMove, CopyOutOfL1) {
  Memories memories(Arch::C220);
  auto want = memories.of(Memory::GM);
  for (int64_t i = 0; i < 4; ++i)
    std::copy_n(&memories.of(Memory::L1)[size_t(96 + i * 160)], 96, &want[size_t(16 + i * 100)]);
  Instr instr = makeInstr("copy_l1_to_gm", DType::F16, DType::F16, {gm(16), l1(96), 4, 96, 2, 4});
  ASSERT_EQ("", validateOperands(instr, Arch::C220));
  execute(instr, memories.view);
  EXPECT_EQ(want, memories.of(Memory::GM));
}

TEST(ExecMove, ScalarAccessesTravelAsBits) {
  Memories memories(Arch::C220);
  auto roundTrip = [&](DType dtype, int64_t bits) {
    execute(makeInstr("set_value", dtype, dtype, {ub(8), bits}), memories.view);
    return execute(makeInstr("get_value", dtype, dtype, {ub(8)}), memories.view);
  };
  EXPECT_EQ(-5, roundTrip(DType::I8, -5));
  EXPECT_EQ(251, roundTrip(DType::U8, 251));
  EXPECT_EQ(-5, roundTrip(DType::I16, -5));
  EXPECT_EQ(-5, roundTrip(DType::I32, -5));
  EXPECT_EQ(0xfffffffb, roundTrip(DType::U32, 0xfffffffb));
  EXPECT_EQ(INT64_MIN, roundTrip(DType::I64, INT64_MIN));
  EXPECT_EQ(0xbf800000, roundTrip(DType::F32, 0xbf800000));
  EXPECT_EQ(0xbc00, roundTrip(DType::F16, 0xbc00));
}

TEST(ExecMove, BadOperandsAreNamedWithTheirNumbers) {
  auto reason = [](Arch arch, Instr instr) { return validateOperands(instr, arch); };
  EXPECT_EQ("add does not take BF16 on C220",
            reason(Arch::C220, makeInstr("add", DType::BF16, DType::F32, {ub(0), ub(0), ub(0), 8})));
  EXPECT_EQ("count of add is -1, allowed are 0 to 2147483648",
            reason(Arch::C220, makeInstr("add", DType::F32, DType::F32, {ub(0), ub(0), ub(0), -1})));
  EXPECT_EQ(
      "mask of add_r is 65, allowed are 0 to 64",
      reason(Arch::C220, makeInstr("add_r", DType::F32, DType::F32, {ub(0), ub(0), ub(0), 65, 1, 1, 1, 1, 8, 8, 8})));
  EXPECT_EQ("cast from I32 to F16 does not exist on C220",
            reason(Arch::C220, makeInstr("cast", DType::F16, DType::I32, {ub(0), ub(0), 1, 8})));
  EXPECT_EQ("count of compare is 100 elements, 400 bytes, not a multiple of 256 bytes",
            reason(Arch::C220, makeInstr("compare", DType::F32, DType::F32, {ub(0), ub(0), ub(0), 0, 100})));
  EXPECT_EQ("compare of I32 on C220 only knows EQ, not LT",
            reason(Arch::C220, makeInstr("compare", DType::I32, DType::I32, {ub(0), ub(0), ub(0), 0, 64})));
  EXPECT_EQ("mmad of I8 accumulates in I32, not in F32",
            reason(Arch::C220, makeInstr("mmad", DType::F32, DType::I8, {0, 0, 0, 16, 16, 16, 0, 1})));
  EXPECT_EQ("fixpipe_to_gm from F32 to F16 does not go with quant mode NoQuant",
            reason(Arch::C220, makeInstr("fixpipe_to_gm", DType::F16, DType::F32, {0, 0, 16, 16, 16, 16, 0, 0, 0})));
}

} // namespace
