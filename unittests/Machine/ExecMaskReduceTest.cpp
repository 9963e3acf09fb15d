// Comparing, choosing, reducing, filling: the vector instructions that are not element by element.
#include "ExecFixture.h"

using namespace tilesmith;
using namespace tilesmith::unittests;

namespace {

constexpr int64_t srcAt = 0, src1At = 16 * 1024, dstAt = 32 * 1024, src2At = 48 * 1024;

bool holds(double a, double b, isa::CmpMode mode) {
  switch (mode) {
  case isa::CmpMode::LT:
    return a < b;
  case isa::CmpMode::GT:
    return a > b;
  case isa::CmpMode::EQ:
    return a == b;
  case isa::CmpMode::LE:
    return a <= b;
  case isa::CmpMode::GE:
    return a >= b;
  case isa::CmpMode::NE:
    return a != b;
  }
  return false;
}

double valueOf(uint64_t bits, DType dtype) {
  return isFloat(dtype) ? decodeFloat(bits, dtype) : double(decodeInt(bits, dtype));
}

TEST(ExecVector, CompareWritesOneBitPerElementAndSelectReadsIt) {
  std::mt19937 random(4);
  for (unsigned type = 0; type < isa::numDType; ++type)
    for (int64_t mode = 0; mode < isa::numCmpMode; ++mode) {
      DType dtype = DType(type);
      if (!isa::findInstruction("compare")->supports(Arch::C310, dtype))
        continue;
      int64_t size = isa::sizeOf(dtype), lanes = 256 / size;
      Memories memories(Arch::C310);
      fillElements(memories, dtype, random);
      auto &ub = memories.of(Memory::UB);
      for (size_t i = 0; i < 8192; i += size_t(size) * 5) // some equal pairs
        std::memcpy(&ub[size_t(src1At) + i], &ub[i], size_t(size));
      int64_t dst = Memories::at(Memory::UB, dstAt), a = Memories::at(Memory::UB, srcAt),
              b = Memories::at(Memory::UB, src1At);
      auto element = [&](int64_t at) { return readBits(&ub[size_t(at)], dtype); };

      for (bool scalar : {false, true})
        for (bool repeat : {false, true}) {
          int64_t mask = repeat ? lanes - 5 : 3 * lanes, repeats = repeat ? 3 : 1;
          uint64_t other = element(1000 * size);
          int64_t otherArg = isFloat(dtype) ? int64_t(other) : decodeInt(other, dtype);
          auto want = ub;
          for (int64_t i = 0; i < 3 * lanes; ++i) {
            int64_t r = repeat ? i / lanes : 0, lane = repeat ? i % lanes : i;
            int64_t x = repeat ? elementOffset(dtype, lane, r, 2, 17) : lane * size;
            int64_t y = repeat ? elementOffset(dtype, lane, r, 1, 8) : lane * size;
            double right = scalar ? valueOf(other, dtype) : valueOf(element(src1At + y), dtype);
            bool bit = lane < mask && holds(valueOf(element(srcAt + x), dtype), right, isa::CmpMode(mode));
            uint8_t &byte = want[size_t(dstAt + i / 8)];
            byte = uint8_t((byte & ~(1 << i % 8)) | bit << i % 8);
          }
          Instr instr = scalar   ? repeat ? makeInstr("compare_scalar_r", dtype, dtype,
                                                      {dst, a, otherArg, mode, mask, repeats, 2, 17})
                                          : makeInstr("compare_scalar", dtype, dtype, {dst, a, otherArg, mode, mask})
                        : repeat ? makeInstr("compare_r", dtype, dtype, {dst, a, b, mode, mask, repeats, 2, 1, 17, 8})
                                 : makeInstr("compare", dtype, dtype, {dst, a, b, mode, mask});
          ASSERT_EQ("", validateOperands(instr, Arch::C310));
          execute(instr, memories.view);
          ASSERT_EQ(want, ub) << isa::stringify(dtype) << " mode " << mode << " scalar " << scalar << " repeat "
                              << repeat;
        }

      int64_t out = Memories::at(Memory::UB, src2At), count = 2 * lanes + 3;
      auto want = ub;
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(&want[size_t(src2At + i * size)],
                    &ub[size_t((ub[size_t(dstAt + i / 8)] >> i % 8 & 1 ? srcAt : src1At) + i * size)], size_t(size));
      execute(makeInstr("select", dtype, dtype, {out, dst, a, b, count}), memories.view);
      ASSERT_EQ(want, ub) << isa::stringify(dtype);
      for (int64_t r = 0; r < 3; ++r)
        for (int64_t lane = 0; lane < lanes - 1; ++lane) {
          int64_t bit = r * lanes + lane;
          bool first = ub[size_t(dstAt + bit / 8)] >> bit % 8 & 1;
          std::memcpy(&want[size_t(src2At + elementOffset(dtype, lane, r, 1, 9))],
                      &ub[size_t(first ? srcAt + elementOffset(dtype, lane, r, 2, 16)
                                       : src1At + elementOffset(dtype, lane, r, 0, 1))],
                      size_t(size));
        }
      execute(makeInstr("select_r", dtype, dtype, {out, dst, a, b, lanes - 1, 3, 1, 2, 0, 9, 16, 1}), memories.view);
      ASSERT_EQ(want, ub) << isa::stringify(dtype);
    }
}

// Integer sums wrap; maxima and minima order the zeros.
uint64_t combined(std::string_view name, DType dtype, uint64_t a, uint64_t b) {
  uint64_t all = ~uint64_t(0) >> (64 - 8 * isa::sizeOf(dtype));
  if (name == "whole_reduce_sum")
    return (a + b) & all;
  bool larger = name == "whole_reduce_max";
  double x = valueOf(a, dtype), y = valueOf(b, dtype);
  if (x == y)
    return std::signbit(x) == larger ? b : a;
  return (x > y) == larger ? a : b;
}

TEST(ExecVector, WholeReduceIsATreeOverNeighbours) {
  std::mt19937 random(5);
  for (DType dtype : {DType::F16, DType::F32, DType::I16, DType::I32})
    for (std::string_view name : {"whole_reduce_sum", "whole_reduce_max", "whole_reduce_min"})
      for (int64_t blk : {1, 2})
        for (int64_t mask : {int64_t(1), int64_t(5), int64_t(37), int64_t(256 / isa::sizeOf(dtype))}) {
          Memories memories(Arch::C310);
          fillElements(memories, dtype, random);
          auto &ub = memories.of(Memory::UB);
          auto want = ub;
          for (int64_t r = 0; r < 4; ++r) {
            std::vector<uint64_t> level;
            for (int64_t lane = 0; lane < mask; ++lane)
              level.push_back(readBits(&ub[size_t(srcAt + elementOffset(dtype, lane, r, blk, 17))], dtype));
            uint64_t result;
            if (name == "whole_reduce_sum" && isFloat(dtype)) {
              std::vector<float> sums(size_t(256 / isa::sizeOf(dtype)), 0.0f);
              for (size_t i = 0; i < level.size(); ++i)
                sums[i] = float(decodeFloat(level[i], dtype));
              for (size_t width = sums.size() / 2; width; width /= 2)
                for (size_t i = 0; i < width; ++i)
                  sums[i] = sums[2 * i] + sums[2 * i + 1];
              result = encodeFloat(sums[0], dtype);
            } else {
              result = level[0];
              for (size_t i = 1; i < level.size(); ++i)
                result = combined(name, dtype, result, level[i]);
            }
            writeBits(&want[size_t(dstAt + r * 3 * isa::sizeOf(dtype))], dtype, result);
          }
          execute(makeInstr(name, dtype, dtype,
                            {Memories::at(Memory::UB, dstAt), Memories::at(Memory::UB, srcAt), mask, 4, 3, blk, 17}),
                  memories.view);
          expectMemory(want, ub, dtype, 0, std::string(name));
          ASSERT_FALSE(HasFatalFailure()) << mask;
        }
}

TEST(ExecVector, DuplicateCopyAndBrcbMoveBitsOfEveryWidth) {
  for (DType dtype : {DType::I8, DType::BF16, DType::F32, DType::I64}) {
    int64_t size = isa::sizeOf(dtype), lanes = 256 / size;
    Memories memories(Arch::C310);
    auto &ub = memories.of(Memory::UB);
    int64_t dst = Memories::at(Memory::UB, dstAt), src = Memories::at(Memory::UB, srcAt);
    int64_t value = 0x123456789abcdef0;

    auto want = ub;
    for (int64_t i = 0; i < 77; ++i)
      std::memcpy(&want[size_t(dstAt + i * size)], &value, size_t(size));
    execute(makeInstr("duplicate", dtype, dtype, {dst, value, 77}), memories.view);
    ASSERT_EQ(want, ub);
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t lane = 0; lane < lanes - 1; ++lane)
        std::memcpy(&want[size_t(dstAt + elementOffset(dtype, lane, r, 3, 30))], &value, size_t(size));
    execute(makeInstr("duplicate_r", dtype, dtype, {dst, value, lanes - 1, 3, 3, 30}), memories.view);
    ASSERT_EQ(want, ub);

    std::copy_n(&want[size_t(srcAt)], 999 * size / 32 * 32, &want[size_t(dstAt)]); // whole blocks only
    execute(makeInstr("copy", dtype, dtype, {dst, src, 999}), memories.view);
    ASSERT_EQ(want, ub);
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t lane = 0; lane < lanes - 1; ++lane)
        std::copy_n(&ub[size_t(srcAt + elementOffset(dtype, lane, r, 2, 16))], size,
                    &want[size_t(dstAt + elementOffset(dtype, lane, r, 1, 9))]);
    execute(makeInstr("copy_r", dtype, dtype, {dst, src, lanes - 1, 3, 1, 2, 9, 16}), memories.view);
    ASSERT_EQ(want, ub);

    for (int64_t i = 0; i < 24; ++i)
      for (int64_t j = 0; j < 32; j += size)
        std::copy_n(&ub[size_t(srcAt + i * size)], size, &want[size_t(dstAt + (i / 8 * 20 + i % 8 * 2) * 32 + j)]);
    execute(makeInstr("brcb", dtype, dtype, {dst, src, 3, 2, 20}), memories.view);
    ASSERT_EQ(want, ub);
  }
}

} // namespace
