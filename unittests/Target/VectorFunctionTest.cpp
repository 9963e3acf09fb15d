// Vector functions: loops, walks, tails, reductions, masks.
#include "VectorText.h"
#include <cmath>
#include <numeric>

using namespace tilesmith;
using namespace tilesmith::host;

namespace {

std::vector<float> ramp(size_t count, float scale = 0.01f) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = scale * (float(i * 37 % 1001) - 500);
  return values;
}

// The canonical order of a sum: lane by lane, then neighbours.
float canonicalSum(const float *values, int64_t count) {
  float lanes[64] = {};
  for (int64_t i = 0; i < count; ++i)
    lanes[i % 64] = i < 64 ? values[i] : lanes[i % 64] + values[i];
  for (int width = 64; width > 1; width /= 2)
    for (int i = 0; i < width / 2; ++i)
      lanes[i] = lanes[2 * i] + lanes[2 * i + 1];
  return lanes[0];
}

// Whole chunks, a partial one at the end, and nothing written behind it.
TEST(VectorFunction, ScalesWithATail) {
  for (int64_t count : {1, 63, 64, 65, 128, 250, 1000}) {
    int64_t bytes = (count * 4 + 63) / 32 * 32;
    std::string body = load("x", 0, "f32") + "    %k = isa.vf_scalar %ps : f32 -> !isa.reg<f32>\n" +
                       "    %y = isa.vf_compute \"muls\"(%x, %k) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>\n" +
                       store("y", "f32");
    std::vector<float> x = ramp(count);
    Bytes out = run(kernelText(vfText(1, count, {"f32"}, "f32", body), {"f32"}, "f32", bytes), {bytesOf(x, bytes)},
                    bytes, 3.0f);
    ASSERT_EQ(out.size(), size_t(bytes));
    std::vector<float> y = valuesOf<float>(out, count);
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(y[i], x[i] * 3.0f) << count << " " << i;
    for (int64_t i = count * 4; i < bytes; ++i)
      ASSERT_EQ(out[i], 0xee) << count << " " << i;
  }
}

// Rows with a pitch: the bytes between them stay; broadcasts over rows, over columns and over all.
TEST(VectorFunction, WalksRowsElementsAndOne) {
  constexpr int64_t rows = 5, cols = 70, pitch = 320, bytes = rows * pitch;
  std::string full = " {pitch = 320 : i64}";
  std::string body = "    %x = isa.vf_load %p0 full" + full + " : !isa.buffer<UB, f32> -> !isa.reg<f32>\n" +
                     load("r", 1, "f32", "row") + load("e", 2, "f32", "element") + load("q", 3, "f32", "one") + R"(
    %0 = isa.vf_compute "add"(%x, %r) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %1 = isa.vf_compute "mul"(%0, %e) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %2 = isa.vf_compute "sub"(%1, %q) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %2, %po full)" +
                     full + " : !isa.reg<f32>, !isa.buffer<UB, f32>\n";
  std::vector<std::string> types(4, "f32");
  std::vector<float> x = ramp(bytes / 4), r = ramp(cols, 0.5f), e = {1, 2, 3, 4, 5}, q = {0.25f};
  Bytes out = run(kernelText(vfText(rows, cols, types, "f32", body), types, "f32", bytes),
                  {bytesOf(x, bytes), bytesOf(r, bytes), bytesOf(e, bytes), bytesOf(q, bytes)}, bytes);
  ASSERT_EQ(out.size(), size_t(bytes));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < pitch / 4; ++j) {
      float value;
      std::memcpy(&value, &out[i * pitch + j * 4], 4);
      if (j < cols)
        ASSERT_EQ(value, (x[i * pitch / 4 + j] + r[j]) * e[i] - 0.25f) << i << " " << j;
      else
        ASSERT_EQ(std::bit_cast<uint32_t>(value), 0xeeeeeeeeu) << i << " " << j;
    }
}

// Sums in the canonical order, bit for bit, for rows shorter, equal and longer than the lanes; one rounding for f16.
TEST(VectorFunction, SumsInTheCanonicalOrder) {
  for (int64_t cols : {1, 5, 64, 100, 128, 515}) {
    constexpr int64_t rows = 3;
    int64_t bytes = (rows * cols * 4 + 31) / 32 * 32;
    std::string body = load("x", 0, "f32") + "    isa.vf_reduce sum %x, %po : !isa.reg<f32>, !isa.buffer<UB, f32>\n";
    std::vector<float> x = ramp(rows * cols, 0.013f);
    Bytes out =
        run(kernelText(vfText(rows, cols, {"f32"}, "f32", body), {"f32"}, "f32", bytes), {bytesOf(x, bytes)}, bytes);
    std::vector<float> sums = valuesOf<float>(out, rows);
    for (int64_t i = 0; i < rows; ++i)
      EXPECT_EQ(sums[i], canonicalSum(&x[i * cols], cols)) << cols << " " << i;

    std::vector<_Float16> half(x.begin(), x.end());
    std::string narrow = load("x", 0, "f16") + "    isa.vf_reduce sum %x, %po : !isa.reg<f16>, !isa.buffer<UB, f16>\n";
    out = run(kernelText(vfText(rows, cols, {"f16"}, "f16", narrow), {"f16"}, "f16", bytes), {bytesOf(half, bytes)},
              bytes);
    std::vector<_Float16> halfSums = valuesOf<_Float16>(out, rows);
    for (int64_t i = 0; i < rows; ++i) {
      std::vector<float> wide(half.begin() + i * cols, half.begin() + (i + 1) * cols);
      EXPECT_EQ(halfSums[i], _Float16(canonicalSum(wide.data(), cols))) << cols << " " << i;
    }
  }
}

// The first chunk initialises: a row of 64 negative zeros sums to minus zero, a shorter one meets the neutral +0.
TEST(VectorFunction, SumOfNegativeZeros) {
  for (int64_t cols : {63, 64, 128}) {
    std::string body = load("x", 0, "f32") + "    isa.vf_reduce sum %x, %po : !isa.reg<f32>, !isa.buffer<UB, f32>\n";
    std::vector<float> x(cols, -0.0f);
    Bytes out = run(kernelText(vfText(1, cols, {"f32"}, "f32", body), {"f32"}, "f32", 512), {bytesOf(x, 512)}, 512);
    EXPECT_EQ(std::signbit(valuesOf<float>(out, 1)[0]), cols != 63) << cols;
  }
}

TEST(VectorFunction, MaximaAndMinimaOfSmallTypes) {
  constexpr int64_t rows = 2, cols = 71, bytes = 160;
  std::vector<int8_t> x(rows * cols);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = int8_t(i * 29 % 100 - 120);
  for (const char *kind : {"max", "min", "sum"}) {
    std::string body =
        load("x", 0, "i8") + "    isa.vf_reduce " + kind + " %x, %po : !isa.reg<i8>, !isa.buffer<UB, i8>\n";
    Bytes out =
        run(kernelText(vfText(rows, cols, {"i8"}, "i8", body), {"i8"}, "i8", bytes), {bytesOf(x, bytes)}, bytes);
    std::vector<int8_t> got = valuesOf<int8_t>(out, rows);
    for (int64_t i = 0; i < rows; ++i) {
      auto begin = x.begin() + i * cols, end = begin + cols;
      int expected = kind == std::string("max")   ? *std::max_element(begin, end)
                     : kind == std::string("min") ? *std::min_element(begin, end)
                                                  : int8_t(std::accumulate(begin, end, 0));
      EXPECT_EQ(got[i], expected) << kind << " " << i;
    }
  }
}

// Masks live in UB as packed bits: written by one function, read by another, with a tail of odd length.
TEST(VectorFunction, MasksArePackedBits) {
  constexpr int64_t cols = 133, bytes = 544;
  std::string compare = load("x", 0, "f32") + R"(
    %k = isa.vf_constant 0.0 : f32 : !isa.reg<f32>
    %m = isa.vf_compute "compare"(%x, %k) {mode = #isa.cmp_mode<LT>} : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<i1>
)" + store("m", "i1", "bits");
  std::vector<float> x = ramp(cols);
  Bytes mask =
      run(kernelText(vfText(1, cols, {"f32"}, "i1", compare), {"f32"}, "i1", bytes), {bytesOf(x, bytes)}, bytes);
  ASSERT_EQ(mask.size(), size_t(bytes));
  for (int64_t i = 0; i < cols; ++i)
    ASSERT_EQ(mask[i / 8] >> (i % 8) & 1, x[i] < 0) << i;
  EXPECT_EQ(mask[(cols + 7) / 8], 0xee);

  std::string select = load("x", 0, "f32") + load("m", 1, "i1", "bits") + R"(
    %k = isa.vf_constant 0.5 : f32 : !isa.reg<f32>
    %y = isa.vf_compute "select"(%m, %k, %x) : (!isa.reg<i1>, !isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
)" + store("y", "f32");
  Bytes out = run(kernelText(vfText(1, cols, {"f32", "i1"}, "f32", select), {"f32", "i1"}, "f32", bytes),
                  {bytesOf(x, bytes), mask}, bytes);
  std::vector<float> y = valuesOf<float>(out, cols);
  for (int64_t i = 0; i < cols; ++i)
    ASSERT_EQ(y[i], x[i] < 0 ? 0.5f : x[i]) << i;
}

// The same bytes from every instruction set: AVX2 against whatever this host has.
TEST(VectorFunction, SameBytesOnEveryCpu) {
  constexpr int64_t cols = 1000, bytes = 4000;
  std::string body = load("x", 0, "f32") + R"(
    %e = isa.vf_compute "exp"(%x) : (!isa.reg<f32>) -> !isa.reg<f32>
    %k = isa.vf_constant 1.0 : f32 : !isa.reg<f32>
    %d = isa.vf_compute "adds"(%e, %k) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %q = isa.vf_compute "div"(%x, %d) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %l = isa.vf_compute "abs"(%q) : (!isa.reg<f32>) -> !isa.reg<f32>
    %n = isa.vf_compute "ln"(%l) : (!isa.reg<f32>) -> !isa.reg<f32>
)" + store("n", "f32");
  std::string text = kernelText(vfText(1, cols, {"f32"}, "f32", body), {"f32"}, "f32", bytes);
  std::vector<float> x = ramp(cols, 0.2f);
  Bytes host = run(text, {bytesOf(x, bytes)}, bytes);
  CompileOptions avx2;
  avx2.cpu = "x86-64-v3";
  EXPECT_EQ(host, run(text, {bytesOf(x, bytes)}, bytes, 0, avx2));
}

TEST(VectorFunction, RefusesWhatHasNoMeaning) {
  auto errorOf = [](const std::string &body, const std::string &type) {
    return HostKernel(kernelText(vfText(2, 9, {type}, type, body), {type}, type, 64)).error;
  };
  EXPECT_NE(
      errorOf(load("x", 0, "i64") + store("x", "i64"), "i64").find("do not fit into the lanes of a vector function"),
      std::string::npos);
  EXPECT_NE(errorOf(load("x", 0, "f32") + store("x", "f32", "element"), "f32")
                .find("walk 'element' would write different values to one element"),
            std::string::npos);
  EXPECT_NE(
      errorOf(load("x", 0, "i1") + store("x", "i1", "bits"), "i1").find("masks, and only masks, are walked as bits"),
      std::string::npos);
}

} // namespace
