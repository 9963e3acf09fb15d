// The matrix unit: fractal layouts, and products against sums in f64.
#include "ExecFixture.h"
#include "tilesmith/Machine/Effects.h"

using namespace tilesmith;
using namespace tilesmith::unittests;

namespace {

constexpr int64_t big = 512 * 1024;

int64_t at(Memory memory, int64_t offset = 0) { return Memories::at(memory, offset); }
int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Byte offset of A[m][k] in L0A.
int64_t inL0A(Arch arch, int64_t rows, int64_t cols, int64_t m, int64_t k, int64_t size) {
  int64_t width = 32 / size;
  int64_t fractal =
      arch == Arch::C310 ? k / width * ceilDiv(rows, 16) + m / 16 : m / 16 * ceilDiv(cols, width) + k / width;
  return fractal * 512 + m % 16 * 32 + k % width * size;
}
// Byte offset of B[k][n] in L0B.
int64_t inL0B(int64_t cols, int64_t k, int64_t n, int64_t size) {
  int64_t width = 32 / size;
  return (k / width * ceilDiv(cols, 16) + n / 16) * 512 + n % 16 * 32 + k % width * size;
}
// Byte offset of C[m][n] in L0C.
int64_t inL0C(int64_t rows, int64_t m, int64_t n) {
  return ((n / 16 * ceilDiv(rows, 16) + m / 16) * 256 + m % 16 * 16 + n % 16) * 4;
}

struct Matrix {
  int64_t rows, cols;
  DType dtype;
  std::vector<uint64_t> bits;
  Matrix(int64_t rows, int64_t cols, DType dtype, std::mt19937 &random)
      : rows(rows), cols(cols), dtype(dtype), bits(size_t(rows * cols)) {
    for (uint64_t &b : bits)
      b = dtype == DType::I8 ? random() & 0xff : encodeFloat(std::ldexp(double(int32_t(random())), -31), dtype);
  }
  uint64_t at(int64_t r, int64_t c) const { return bits[size_t(r * cols + c)]; }
  double value(int64_t r, int64_t c) const {
    return dtype == DType::I8 ? double(int8_t(at(r, c))) : decodeFloat(at(r, c), dtype);
  }
};

void checkProduct(Arch arch, DType dtype, int64_t m, int64_t n, int64_t k, bool init) {
  std::mt19937 random(unsigned(m * 7 + n * 3 + k));
  Memories memories(arch, big);
  int64_t size = isa::sizeOf(dtype);
  bool isInteger = dtype == DType::I8;
  Matrix a(m, k, dtype, random), b(k, n, dtype, random);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < k; ++j)
      writeBits(&memories.of(Memory::L0A)[size_t(m == 1 ? j * size : inL0A(arch, m, k, i, j, size))], dtype,
                a.at(i, j));
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j)
      writeBits(&memories.of(Memory::L0B)[size_t(inL0B(n, i, j, size))], dtype, b.at(i, j));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float old = 0.5f;
      int32_t oldInt = 1000;
      std::memcpy(&memories.of(Memory::L0C)[size_t(inL0C(m, i, j))], isInteger ? static_cast<void *>(&oldInt) : &old,
                  4);
    }
  auto want = memories.of(Memory::L0C);
  double worst = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      uint8_t *c = &want[size_t(inL0C(m, i, j))];
      if (isInteger) {
        int32_t sum = init ? 0 : 1000;
        for (int64_t x = 0; x < k; ++x)
          sum += int32_t(a.value(i, x) * b.value(x, j));
        std::memcpy(c, &sum, 4);
        continue;
      }
      float sum = init ? 0.0f : 0.5f; // one fma per product, in order
      double exact = sum;
      for (int64_t x = 0; x < k; ++x) {
        sum = std::fma(float(a.value(i, x)), float(b.value(x, j)), sum);
        exact += a.value(i, x) * b.value(x, j);
      }
      worst = std::max(worst, std::fabs(exact - double(sum)));
      std::memcpy(c, &sum, 4);
    }
  EXPECT_LT(worst, 1e-3);
  Instr instr = makeInstr("mmad", isInteger ? DType::I32 : DType::F32, dtype,
                          {at(Memory::L0C), at(Memory::L0A), at(Memory::L0B), m, n, k, 0, init});
  ASSERT_EQ("", validateOperands(instr, arch));
  execute(instr, memories.view);
  ASSERT_EQ(want, memories.of(Memory::L0C)) << isa::stringify(dtype) << " " << m << " " << n << " " << k;
}

TEST(ExecCube, MmadAccumulatesSequentiallyInK) {
  for (Arch arch : {Arch::C220, Arch::C310})
    for (DType dtype : {DType::F16, DType::BF16, DType::F32, DType::I8})
      for (bool init : {true, false}) {
        checkProduct(arch, dtype, 16, 16, 16, init);
        checkProduct(arch, dtype, 32, 64, 48, init);
        checkProduct(arch, dtype, 33, 50, 37, init); // nothing beyond m, n, k is read as data or written
        checkProduct(arch, dtype, 5, 3, 1, init);
        checkProduct(arch, dtype, 16, 32, 700, init); // longer than one slice of k
        checkProduct(arch, dtype, 1, 40, 50, init);   // matrix-vector: L0A is a plain vector
        ASSERT_FALSE(HasFatalFailure());
      }
}

TEST(ExecCube, MmadWithAZeroExtentDoesNothing) {
  Memories memories(Arch::C220);
  auto want = memories.of(Memory::L0C);
  execute(
      makeInstr("mmad", DType::F32, DType::F16, {at(Memory::L0C), at(Memory::L0A), at(Memory::L0B), 16, 16, 0, 0, 1}),
      memories.view);
  EXPECT_EQ(want, memories.of(Memory::L0C));
}

// The whole road of a product as the compiler takes it: ND in GM, NZ in L1, fractals in L0, NZ in L0C, ND in GM.
void checkRoad(Arch arch, DType dtype, int64_t m, int64_t n, int64_t k, isa::QuantMode quant, bool relu) {
  std::mt19937 random(11);
  Memories memories(arch, big);
  int64_t size = isa::sizeOf(dtype), width = 32 / size, bAt = 128 * 1024, cAt = 256 * 1024;
  Matrix a(m, k, dtype, random), b(k, n, dtype, random);
  for (int64_t i = 0; i < m * k; ++i)
    writeBits(&memories.of(Memory::GM)[size_t(i * size)], dtype, a.bits[size_t(i)]);
  for (int64_t i = 0; i < k * n; ++i)
    writeBits(&memories.of(Memory::GM)[size_t(bAt + i * size)], dtype, b.bits[size_t(i)]);
  auto run = [&](std::string_view name, DType type, DType type2, std::initializer_list<int64_t> args) {
    Instr instr = makeInstr(name, type, type2, args);
    ASSERT_EQ("", validateOperands(instr, arch)) << name;
    execute(instr, memories.view);
  };
  int64_t m1 = ceilDiv(m, 16), n1 = ceilDiv(n, 16), k16 = ceilDiv(k, 16), kw = ceilDiv(k, width);
  run("copy_gm_to_l1_nz", dtype, dtype, {at(Memory::L1), at(Memory::GM), 1, m, k, 0, k, m1 * 16, 1, 0});
  run("copy_gm_to_l1_nz", dtype, dtype,
      {at(Memory::L1, bAt), at(Memory::GM, bAt), 1, k, n, 0, n, ceilDiv(k, 32) * 32, 1, 0});
  int64_t kRows = ceilDiv(k, 32) * 2; // fractal rows of B in L1
  if (arch == Arch::C310) {
    run("load_data_2d_v2", dtype, dtype, {at(Memory::L0A), at(Memory::L1), 0, 0, m1, kw, m1, m1, 0});
    int64_t mStep = size == 1 ? kRows : k16, kStep = size == 4 ? n1 * 2 : ceilDiv(n, width);
    run("load_data_2d_v2", dtype, dtype,
        {at(Memory::L0B), at(Memory::L1, bAt), 0, 0, mStep, kStep, kRows, size == 1 ? 2 * ceilDiv(n, 32) : n1, 1});
  } else {
    for (int64_t row = 0; row < m1; ++row)
      run("load_data_2d", dtype, dtype, {at(Memory::L0A, row * kw * 512), at(Memory::L1), row, kw, m1, 0, 0});
    if (size == 2)
      for (int64_t row = 0; row < k16; ++row)
        run("load_data_2d", dtype, dtype, {at(Memory::L0B, row * n1 * 512), at(Memory::L1, bAt), row, n1, kRows, 0, 1});
    else
      for (int64_t column = 0; column < n1; ++column)
        run("load_data_transpose", dtype, dtype,
            {at(Memory::L0B, column * 512), at(Memory::L1, bAt), column * 2 * kRows, k16, kRows, 2 * n1 - 1, n1 - 1});
  }
  DType result = size == 1 ? DType::I32 : DType::F32;
  run("mmad", result, dtype, {at(Memory::L0C), at(Memory::L0A), at(Memory::L0B), m, n, k, 0, 1});
  DType to = quant == isa::QuantMode::NoQuant ? result : quant == isa::QuantMode::F322F16 ? DType::F16 : DType::BF16;
  auto want = memories.of(Memory::GM);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t x = 0; x < k; ++x)
        sum = std::fma(float(a.value(i, x)), float(b.value(x, j)), sum);
      if (relu)
        sum = sum > 0 ? sum : 0;
      writeBits(&want[size_t(cAt + (i * (n + 5) + j) * isa::sizeOf(to))], to,
                result == DType::I32 ? uint64_t(int64_t(sum)) : encodeFloat(sum, to));
    }
  run("fixpipe_to_gm", to, result,
      {at(Memory::GM, cAt), at(Memory::L0C), n, m, m1 * 16, n + 5, int64_t(quant), relu, 0});
  expectMemory(want, memories.of(Memory::GM), to, 0, "product");
}

TEST(ExecCube, AProductTravelsThroughAllLayouts) {
  using isa::QuantMode;
  for (Arch arch : {Arch::C220, Arch::C310})
    for (DType dtype : {DType::F16, DType::BF16, DType::F32}) {
      checkRoad(arch, dtype, 64, 48, 64, QuantMode::NoQuant, false);
      checkRoad(arch, dtype, 40, 72, 56, QuantMode::F322F16, true);
      checkRoad(arch, dtype, 17, 20, 40, QuantMode::F322BF16, false);
      ASSERT_FALSE(HasFatalFailure()) << isa::stringify(arch) << " " << isa::stringify(dtype);
    }
  checkRoad(Arch::C310, DType::I8, 32, 64, 64, QuantMode::NoQuant, true);
}

TEST(ExecCube, AtomicFixpipeAddsToGlobalMemory) {
  Memories memories(Arch::C220);
  std::mt19937 random(13);
  for (int64_t i = 0; i < 4096; ++i) {
    writeBits(&memories.of(Memory::L0C)[size_t(i * 4)], DType::F32,
              encodeFloat(double(int32_t(random())) / 65536, DType::F32));
    writeBits(&memories.of(Memory::GM)[size_t(i * 4)], DType::F32,
              encodeFloat(double(int32_t(random())) / 65536, DType::F32));
  }
  auto want = memories.of(Memory::GM);
  for (int64_t i = 0; i < 20; ++i)
    for (int64_t j = 0; j < 24; ++j) {
      uint8_t *c = &want[size_t((i * 40 + j) * 4)];
      float x = float(decodeFloat(readBits(c, DType::F32), DType::F32));
      float y =
          float(decodeFloat(readBits(&memories.of(Memory::L0C)[size_t(inL0C(32, i, j))], DType::F32), DType::F32));
      writeBits(c, DType::F32, encodeFloat(x + y, DType::F32));
    }
  memories.view.atomic = isa::AtomicOp::Add;
  execute(
      makeInstr("fixpipe_to_gm", DType::F32, DType::F32, {at(Memory::GM), at(Memory::L0C), 24, 20, 32, 40, 0, 0, 0}),
      memories.view);
  EXPECT_EQ(want, memories.of(Memory::GM));
}

TEST(ExecCube, FixpipeToL1WritesNzAgain) {
  for (DType to : {DType::F16, DType::F32}) {
    Memories memories(Arch::C310);
    std::mt19937 random(17);
    for (int64_t i = 0; i < 4096; ++i)
      writeBits(&memories.of(Memory::L0C)[size_t(i * 4)], DType::F32,
                encodeFloat(double(int32_t(random())) / 65536, DType::F32));
    auto want = memories.of(Memory::L1);
    int64_t size = isa::sizeOf(to), width = 32 / size;
    for (int64_t i = 0; i < 30; ++i)
      for (int64_t j = 0; j < 40; ++j)
        writeBits(
            &want[size_t(j / width * 48 * 32 + i * 32 + j % width * size)], to,
            encodeFloat(
                decodeFloat(readBits(&memories.of(Memory::L0C)[size_t(inL0C(32, i, j))], DType::F32), DType::F32), to));
    int64_t quant = int64_t(to == DType::F16 ? isa::QuantMode::F322F16 : isa::QuantMode::NoQuant);
    execute(makeInstr("fixpipe_to_l1", to, DType::F32, {at(Memory::L1), at(Memory::L0C), 40, 30, 32, 48, quant, 0, 0}),
            memories.view);
    ASSERT_EQ(want, memories.of(Memory::L1));
  }
}

// One matrix into UB of two vector cores: all of it to one, or halves of its rows or columns to both; bytes the
// footprint does not name stay.
TEST(ExecCube, FixpipeToUbWritesHalvesToBothVectorCores) {
  constexpr int64_t m = 30, n = 64, srcStride = 32, dst = 96;
  for (DType to : {DType::F16, DType::F32})
    for (int64_t dual : {0, 1, 2})
      for (bool nz : {false, true})
        for (int64_t sub : {0, 1}) {
          Memories memories(Arch::C310);
          std::mt19937 random(17);
          for (int64_t i = 0; i < 8192; ++i)
            writeBits(&memories.of(Memory::L0C)[size_t(i * 4)], DType::F32,
                      encodeFloat(double(int32_t(random())) / 65536, DType::F32));
          std::vector<uint8_t> ubs[2] = {memories.of(Memory::UB), memories.of(Memory::UB)}, want[2] = {ubs[0], ubs[1]};
          memories.view.ubOf[0] = ubs[0].data();
          memories.view.ubOf[1] = ubs[1].data();
          int64_t size = isa::sizeOf(to), width = 32 / size, dstStride = nz ? 48 : 80;
          int64_t rows = dual == 1 ? m / 2 : m, columns = dual == 2 ? n / 2 : n;
          std::vector<bool> touched(ubs[0].size());
          for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j) {
              int64_t core = dual ? i / rows + j / columns : sub, row = i % rows, column = j % columns;
              int64_t place = dst + (nz ? column / width * dstStride * 32 + row * 32 + column % width * size
                                        : (row * dstStride + column) * size);
              double value = decodeFloat(
                  readBits(&memories.of(Memory::L0C)[size_t(inL0C(srcStride, i, j))], DType::F32), DType::F32);
              writeBits(&want[core][size_t(place)], to, encodeFloat(value, to));
              std::fill_n(touched.begin() + place, size, true);
            }
          int64_t quant = int64_t(to == DType::F16 ? isa::QuantMode::F322F16 : isa::QuantMode::NoQuant);
          Instr instr =
              makeInstr("fixpipe_to_ub", to, DType::F32,
                        {at(Memory::UB, dst), at(Memory::L0C), n, m, srcStride, dstStride, quant, 0, 0, sub, dual, nz});
          ASSERT_EQ(validateOperands(instr, Arch::C310), "");
          execute(instr, memories.view);
          ASSERT_EQ(want[0], ubs[0]) << dual << nz << sub;
          ASSERT_EQ(want[1], ubs[1]) << dual << nz << sub;
          std::vector<Effect> effects;
          effectsOf(instr, Arch::C310, effects);
          std::vector<bool> named(touched.size());
          for (const Effect &effect : effects)
            for (int64_t i = 0; effect.access == Access::Write && i < effect.count; ++i)
              std::fill_n(named.begin() + effect.start + i * effect.stride, effect.length, true);
          ASSERT_EQ(named, touched) << dual << nz << sub;
        }
}

TEST(ExecCube, FixpipeToUbSplitsWholeHalves) {
  auto reason = [](int64_t n, int64_t m, int64_t dual) {
    return validateOperands(makeInstr("fixpipe_to_ub", DType::F32, DType::F32,
                                      {at(Memory::UB), at(Memory::L0C), n, m, 32, n, 0, 0, 0, 0, dual, 0}),
                            Arch::C310);
  };
  EXPECT_EQ(reason(64, 30, 1), "");
  EXPECT_EQ(reason(64, 31, 1), "fixpipe_to_ub splits an even number of rows, not 31");
  EXPECT_EQ(reason(48, 30, 2), "fixpipe_to_ub splits a multiple of 32 columns, not 48");
  EXPECT_EQ(reason(20, 30, 0), "rows in UB are whole blocks of 32 bytes, not 20 elements");
}

TEST(ExecCube, CopyUbToL1MovesWholeBlocksToTheCubeCore) {
  Memories memories(Arch::C310);
  std::vector<uint8_t> l1 = memories.of(Memory::L1), want = l1;
  memories.view.l1OfCube = l1.data();
  for (int64_t i = 0; i < 3; ++i)
    std::copy_n(memories.of(Memory::UB).begin() + 64 + i * (2 + 1) * 32, 64, want.begin() + 128 + i * (2 + 5) * 32);
  execute(makeInstr("copy_ub_to_l1", DType::F16, DType::F16, {at(Memory::L1, 128), at(Memory::UB, 64), 3, 2, 1, 5}),
          memories.view);
  EXPECT_EQ(want, l1);
}

} // namespace
