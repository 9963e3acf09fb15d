// Footprints against an oracle that visits every element, one at a time.
#include "tilesmith/Machine/Effects.h"
#include "CoreTesting.h"
#include <functional>
#include <random>
#include <set>
#include <tuple>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

using Bytes = std::set<std::tuple<Access, Memory, int64_t>>;

Bytes expand(const Instr &instr, Arch arch) {
  std::vector<Effect> effects;
  effectsOf(instr, arch, effects);
  Bytes bytes;
  bool written = false;
  for (const Effect &effect : effects) {
    EXPECT_GE(effect.count, 1);
    EXPECT_GE(effect.length, 1);
    EXPECT_TRUE(effect.count == 1 || effect.stride > effect.length) << "touching runs are merged";
    written |= effect.access == Access::Write;
    EXPECT_TRUE(!written || effect.access == Access::Write) << "reads come first";
    for (int64_t i = 0; i < effect.count; ++i)
      for (int64_t j = 0; j < effect.length; ++j)
        bytes.insert({effect.access, effect.memory, effect.start + i * effect.stride + j});
  }
  return bytes;
}

Instr make(Opcode op, DType dtype, std::initializer_list<int64_t> args, DType dtype2 = DType::F32) {
  Instr instr;
  instr.op = op;
  instr.dtype = dtype;
  instr.dtype2 = dtype2;
  instr.numArgs = uint8_t(args.size());
  std::copy(args.begin(), args.end(), instr.args);
  return instr;
}

struct Oracle {
  Bytes bytes;
  void touch(Access access, int64_t address, int64_t size) {
    for (int64_t i = 0; i < size; ++i)
      bytes.insert({access, Address(address).memory(), Address(address).offset() + i});
  }
  // Lane l of repeat r, by the rule of Vector.td.
  static int64_t lane(int64_t base, int64_t l, int64_t r, int64_t size, int64_t blk, int64_t rep) {
    int64_t perBlock = 32 / size;
    return base + (r * rep + l / perBlock * blk) * 32 + l % perBlock * size;
  }
};

std::mt19937 generator(1);
int64_t pick(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(generator); }

constexpr int64_t D = ub(32768), A = ub(65536), B = ub(98304), C = ub(131072);

} // namespace

TEST(Effects, CountForms) {
  for (int64_t count : {0, 1, 7, 64, 1000}) {
    Oracle oracle;
    oracle.touch(Access::Read, A, count * 2);
    oracle.touch(Access::Read, B, count * 2);
    oracle.touch(Access::Write, D, count * 2);
    EXPECT_EQ(expand(make(Opcode::Add, DType::F16, {D, A, B, count}), Arch::C220), oracle.bytes);
    oracle.touch(Access::Read, D, count * 2);
    EXPECT_EQ(expand(make(Opcode::MulAddDst, DType::F16, {D, A, B, count}), Arch::C220), oracle.bytes);
  }
  Oracle cast;
  cast.touch(Access::Read, A, 200);
  cast.touch(Access::Write, D, 400);
  EXPECT_EQ(expand(make(Opcode::Cast, DType::F32, {D, A, 0, 100}, DType::F16), Arch::C220), cast.bytes);
  Oracle compare;
  compare.touch(Access::Read, A, 512);
  compare.touch(Access::Write, D, 16);
  EXPECT_EQ(expand(make(Opcode::CompareScalar, DType::F32, {D, A, 0, 0, 128}), Arch::C220), compare.bytes);
  Oracle copy; // whole blocks only
  copy.touch(Access::Read, A, 96);
  copy.touch(Access::Write, D, 96);
  EXPECT_EQ(expand(make(Opcode::Copy, DType::F32, {D, A, 31}), Arch::C220), copy.bytes);
}

TEST(Effects, RepeatForms) {
  for (int round = 0; round < 300; ++round) {
    DType dtype = round % 2 ? DType::F32 : DType::F16;
    int64_t size = isa::sizeOf(dtype), mask = pick(0, 256 / size), repeat = pick(0, 5);
    int64_t blk[3] = {pick(0, 3), pick(0, 3), pick(0, 3)}, rep[3] = {pick(0, 12), pick(0, 12), pick(0, 12)};
    Oracle binary;
    for (int64_t r = 0; r < repeat; ++r)
      for (int64_t l = 0; l < mask; ++l) {
        binary.touch(Access::Write, Oracle::lane(D, l, r, size, blk[0], rep[0]), size);
        binary.touch(Access::Read, Oracle::lane(A, l, r, size, blk[1], rep[1]), size);
        binary.touch(Access::Read, Oracle::lane(B, l, r, size, blk[2], rep[2]), size);
      }
    EXPECT_EQ(expand(make(Opcode::AddR, dtype, {D, A, B, mask, repeat, blk[0], blk[1], blk[2], rep[0], rep[1], rep[2]}),
                     Arch::C220),
              binary.bytes);
    for (int64_t r = 0; r < repeat; ++r)
      for (int64_t l = 0; l < mask; ++l)
        binary.touch(Access::Read, C + r * (256 / size / 8) + l / 8, 1);
    EXPECT_EQ(
        expand(make(Opcode::SelectR, dtype, {D, C, A, B, mask, repeat, blk[0], blk[1], blk[2], rep[0], rep[1], rep[2]}),
               Arch::C220),
        binary.bytes);

    Oracle reduce;
    for (int64_t r = 0; r < repeat; ++r)
      for (int64_t l = 0; l < mask; ++l) {
        reduce.touch(Access::Write, D + r * rep[0] * size, size);
        reduce.touch(Access::Read, Oracle::lane(A, l, r, size, blk[1], rep[1]), size);
      }
    EXPECT_EQ(expand(make(Opcode::WholeReduceSum, dtype, {D, A, mask, repeat, rep[0], blk[1], rep[1]}), Arch::C220),
              reduce.bytes);

    Oracle compare;
    for (int64_t r = 0; r < repeat; ++r) {
      for (int64_t l = 0; l < 256 / size; ++l)
        compare.touch(Access::Write, D + r * (256 / size / 8) + l / 8, 1);
      for (int64_t l = 0; l < mask; ++l)
        compare.touch(Access::Read, Oracle::lane(A, l, r, size, blk[1], rep[1]), size);
    }
    EXPECT_EQ(expand(make(Opcode::CompareScalarR, dtype, {D, A, 0, 0, mask, repeat, blk[1], rep[1]}), Arch::C220),
              compare.bytes);

    // f16 to f32: both sides count lanes of f32.
    int64_t wide = std::min<int64_t>(mask, 64);
    Oracle cast;
    for (int64_t r = 0; r < repeat; ++r)
      for (int64_t l = 0; l < wide; ++l) {
        cast.touch(Access::Write, Oracle::lane(D, l, r, 4, blk[0], rep[0]), 4);
        cast.touch(Access::Read, Oracle::lane(A, l, r, 2, blk[1], rep[1]), 2);
      }
    EXPECT_EQ(
        expand(make(Opcode::CastR, DType::F32, {D, A, 0, wide, repeat, blk[0], blk[1], rep[0], rep[1]}, DType::F16),
               Arch::C220),
        cast.bytes);

    Oracle brcb;
    for (int64_t r = 0; r < repeat; ++r)
      for (int64_t e = 0; e < 8; ++e) {
        brcb.touch(Access::Read, A + (r * 8 + e) * size, size);
        brcb.touch(Access::Write, D + (r * rep[0] + e * blk[0]) * 32, 32);
      }
    EXPECT_EQ(expand(make(Opcode::Brcb, dtype, {D, A, repeat, blk[0], rep[0]}), Arch::C220), brcb.bytes);
  }
}

TEST(Effects, Moves) {
  for (int round = 0; round < 200; ++round) {
    int64_t count = pick(0, 4), length = pick(0, 30) * 4, gap = pick(0, 50), blocks = pick(0, 3), left = pick(0, 8),
            right = pick(0, 8);
    Oracle in;
    int64_t from = 100000, to = D;
    for (int64_t i = 0; length && i < count; ++i) {
      in.touch(Access::Read, from, length);
      from += length + gap;
      int64_t padded = (left * 4 + length + right * 4 + 31) / 32 * 32;
      in.touch(Access::Write, to, padded);
      to += padded + blocks * 32;
    }
    EXPECT_EQ(expand(make(Opcode::CopyGmToUb, DType::F32, {D, 100000, count, length, gap, blocks, 1, left, right, 0}),
                     Arch::C220),
              in.bytes);

    Oracle out;
    from = A, to = 100000;
    for (int64_t i = 0; i < count; ++i) {
      out.touch(Access::Read, from, length);
      from += (length + 31) / 32 * 32 + blocks * 32;
      out.touch(Access::Write, to, length);
      to += length + gap;
    }
    EXPECT_EQ(expand(make(Opcode::CopyUbToGm, DType::F32, {100000, A, count, length, blocks, gap}), Arch::C220),
              out.bytes);

    int64_t l1 = at(Memory::L1, 4096), nd = pick(0, 3), rows = pick(0, 20), columns = pick(0, 40),
            pitch = columns + pick(0, 5);
    int64_t c0 = rows + pick(0, 20), rowStride = pick(0, 2), ndSource = pick(0, 900), ndTarget = pick(0, 20) * 16;
    Oracle nz;
    for (int64_t m = 0; m < nd; ++m)
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < columns; ++c) {
          nz.touch(Access::Read, 100000 + (m * ndSource + r * pitch + c) * 2, 2);
          nz.touch(Access::Write, l1 + m * ndTarget * 2 + (c / 16 * c0 + r * rowStride) * 32, 32);
        }
    EXPECT_EQ(expand(make(Opcode::CopyGmToL1Nz, DType::F16,
                          {l1, 100000, nd, rows, columns, ndSource, pitch, c0, rowStride, ndTarget}),
                     Arch::C220),
              nz.bytes);

    Oracle fill;
    for (int64_t r = 0; r < count; ++r)
      for (int64_t b = 0; b < rows; ++b)
        fill.touch(Access::Write, l1 + (r * (rows + gap) + b) * 32, 32);
    EXPECT_EQ(expand(make(Opcode::FillL1, DType::F16, {l1, count, rows, gap, 0}), Arch::C220), fill.bytes);
  }
}

TEST(Effects, Cube) {
  constexpr int64_t l0a = at(Memory::L0A, 1024), l0b = at(Memory::L0B, 512), l0c = at(Memory::L0C, 2048),
                    l1 = at(Memory::L1, 4096);
  auto up = [](int64_t value, int64_t unit) { return (value + unit - 1) / unit; };
  for (int round = 0; round < 60; ++round)
    for (Arch arch : {Arch::C220, Arch::C310}) {
      DType dtype = round % 2 ? DType::F32 : DType::F16;
      int64_t size = isa::sizeOf(dtype), width = 32 / size;
      int64_t m = pick(1, 40), n = pick(1, 40), k = pick(1, 40), init = pick(0, 1);
      Oracle mmad;
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < k; ++j) {
          int64_t place = arch == Arch::C220 ? i / 16 * up(k, width) + j / width : j / width * up(m, 16) + i / 16;
          mmad.touch(Access::Read, m == 1 ? l0a + j * size : l0a + place * 512 + i % 16 * 32 + j % width * size, size);
        }
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < k; ++j)
          mmad.touch(Access::Read, l0b + (j / width * up(n, 16) + i / 16) * 512 + i % 16 * 32 + j % width * size, size);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          int64_t place = l0c + ((j / 16 * up(m, 16) + i / 16) * 256 + i % 16 * 16 + j % 16) * 4;
          mmad.touch(Access::Write, place, 4);
          if (!init)
            mmad.touch(Access::Read, place, 4);
        }
      EXPECT_EQ(expand(make(Opcode::Mmad, DType::F32, {l0c, l0a, l0b, m, n, k, 0, init}, dtype), arch), mmad.bytes);

      int64_t srcStride = up(m, 16) * 16 + pick(0, 16), dstStride = n + pick(0, 9), column = m + pick(0, 5);
      Oracle toGm, toL1;
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          for (Oracle *oracle : {&toGm, &toL1})
            oracle->touch(Access::Read, l0c + ((j / 16 * srcStride + i) * 16 + j % 16) * 4, 4);
          toGm.touch(Access::Write, 100000 + (i * dstStride + j) * size, size);
          toL1.touch(Access::Write, l1 + (j / width * column + i) * 32 + j % width * size, size);
        }
      EXPECT_EQ(expand(make(Opcode::FixpipeToGm, dtype, {100000, l0c, n, m, srcStride, dstStride, 0, 0, 0}), arch),
                toGm.bytes);
      EXPECT_EQ(expand(make(Opcode::FixpipeToL1, dtype, {l1, l0c, n, m, srcStride, column, 0, 0, 0}), arch),
                toL1.bytes);
    }
}

TEST(Effects, VectorFunctionWalks) {
  TsVfAccess accesses[] = {{0, TS_VF_FULL, 0, uint8_t(DType::F16), 256},
                           {1, TS_VF_ROW, 0, uint8_t(DType::F32), 0},
                           {2, TS_VF_ELEMENT, 1, uint8_t(DType::F32), 0},
                           {3, TS_VF_ONE, 0, uint8_t(DType::F32), 0},
                           {4, TS_VF_BITS, 1, uint8_t(DType::I1), 0}};
  TsVfDesc desc{5, 72, 5, 2, accesses, nullptr, 0, 0, nullptr, nullptr};
  Instr instr = make(Opcode::VectorFunction, DType::F32, {D, A, B, C, ub(160000)});
  instr.vf = &desc;
  Oracle oracle;
  for (int64_t r = 0; r < 5; ++r)
    oracle.touch(Access::Read, D + r * 256, 144);
  oracle.touch(Access::Read, A, 288);
  oracle.touch(Access::Write, B, 20);
  oracle.touch(Access::Read, C, 4);
  oracle.touch(Access::Write, ub(160000), 45);
  EXPECT_EQ(expand(instr, Arch::C310), oracle.bytes);
}

TEST(Effects, NoArgumentOverflows) {
  const int64_t values[] = {0, 1, -1, 31, int64_t(1) << 31, int64_t(1) << 55, INT64_MAX, INT64_MIN};
  for (unsigned op = 0; op + 1 < isa::numOpcodes; ++op) {
    const isa::InstructionInfo &info = isa::getInstruction(Opcode(op));
    for (int round = 0; round < 300; ++round) {
      Instr instr;
      instr.op = Opcode(op);
      instr.dtype = DType(pick(0, isa::numDType - 1));
      instr.dtype2 = DType(pick(0, isa::numDType - 1));
      for (unsigned i = 0; i < info.numOperands; ++i)
        instr.args[i] = values[pick(0, 7)];
      // Sizes that would enumerate for hours are refused by the bounds check before anyone asks for effects.
      bool small = true;
      for (unsigned i = 0; i < info.numOperands; ++i)
        small &= info.operands[i].kind != isa::OperandKind::Integer || instr.args[i] < 100 ||
                 instr.args[i] >= int64_t(1) << 55;
      std::vector<Effect> effects;
      if (small)
        effectsOf(instr, Arch::C220, effects);
      for (const Effect &effect : effects)
        EXPECT_LE(effect.start, effect.end());
    }
  }
}
