// Reductions, broadcasts, partial tiles of any rank, on both architectures.
#include "KernelRun.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace tilesmith;
using namespace tilesmith::testing;

namespace {

class Shapes : public ::testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(OnBoth, Shapes, ::testing::Values(isa::Arch::C220, isa::Arch::C310),
                         [](const auto &info) { return std::string(isa::stringify(info.param)); });

using Shape = std::vector<int64_t>;

std::string text(const Shape &shape) {
  std::string result;
  for (int64_t dim : shape)
    result += std::to_string(dim) + "x";
  return result;
}
int64_t size(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}
std::string tile(const Shape &shape, const std::string &type) { return "!tile.tile<" + text(shape) + type + ", UB>"; }

// Loads the whole array `from`, computes %r of shape `to`, stores it whole.
std::string wholeTile(const std::string &type, const Shape &from, const Shape &to, const std::string &body) {
  std::string zeros, zerosTo;
  for (size_t i = 0; i < from.size(); ++i)
    zeros += i ? ", %o" : "%o";
  for (size_t i = 0; i < to.size(); ++i)
    zerosTo += i ? ", %o" : "%o";
  std::string zero = type[0] == 'f' || type[0] == 'b' ? "0.0" : "0";
  return "func.func @k(%x: !tile.ptr<" + type + ">, %y: !tile.ptr<" + type +
         ">) attributes {tile.kernel} {\n"
         "  %o = arith.constant 0 : i32\n  %zero = arith.constant " +
         zero + " : " + type +
         "\n"
         "  %tx = tile.tensor %x, [] : !tile.ptr<" +
         type + "> -> !tile.tensor<" + text(from) + type +
         ">\n"
         "  %ty = tile.tensor %y, [] : !tile.ptr<" +
         type + "> -> !tile.tensor<" + text(to) + type +
         ">\n"
         "  %a = tile.load %tx[" +
         zeros + "], %zero : !tile.tensor<" + text(from) + type + ">, " + type + " -> " + tile(from, type) + "\n" +
         body + "  tile.store %r, %ty[" + zerosTo + "] : " + tile(to, type) + ", !tile.tensor<" + text(to) + type +
         ">\n  return\n}\n";
}

template <typename T> std::vector<T> numbers(int64_t count) {
  std::vector<T> values(count);
  uint32_t state = 12345;
  for (T &value : values) {
    state = state * 1664525 + 1013904223;
    value = T(float(int32_t(state >> 8) % 2001 - 1000) / (std::is_integral_v<T> ? 10 : 700));
  }
  return values;
}

template <typename T>
std::vector<T> apply(const std::string &ir, isa::Arch arch, const std::vector<T> &x, int64_t results) {
  std::vector<Argument> arguments = {Argument::array(x), Argument::array(std::vector<T>(results))};
  run(ir, arch, arguments);
  return arguments[1].values<T>();
}

// The reduction in f64 (integers: wrapping), for comparison.
template <typename T>
std::vector<double> reduceReference(const std::string &kind, const std::vector<T> &x, const Shape &shape,
                                    const std::vector<bool> &reduced) {
  Shape kept;
  for (size_t i = 0; i < shape.size(); ++i)
    kept.push_back(reduced[i] ? 1 : shape[i]);
  std::vector<double> result(size(kept), kind == "sum" ? 0 : kind == "prod" ? 1 : kind == "max" ? -1e300 : 1e300);
  for (int64_t flat = 0; flat < int64_t(x.size()); ++flat) {
    int64_t rest = flat, target = 0, stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      int64_t index = rest % shape[i];
      rest /= shape[i];
      if (!reduced[i])
        target += index * stride;
      stride *= kept[i];
    }
    double value = double(x[flat]);
    double &sum = result[target];
    sum = kind == "sum"    ? sum + value
          : kind == "prod" ? sum * value
          : kind == "max"  ? std::max(sum, value)
                           : std::min(sum, value);
  }
  return result;
}

template <typename T>
void checkReduce(const std::string &type, isa::Arch arch, const std::string &kind, const Shape &shape,
                 std::vector<bool> reduced, double tolerance) {
  Shape to;
  std::string dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (reduced[i])
      dims += (dims.empty() ? "" : ", ") + std::to_string(i);
    else
      to.push_back(shape[i]);
  }
  if (to.empty())
    to.push_back(1);
  std::vector<T> x = numbers<T>(size(shape));
  if (kind == "prod")
    for (T &value : x)
      value = T(std::is_integral_v<T> ? (int64_t(value) % 3 == 0 ? 1 : -1) : 1 + double(value) / 10);
  std::string body =
      "  %r = tile.reduce " + kind + " %a [" + dims + "] : " + tile(shape, type) + " -> " + tile(to, type) + "\n";
  std::vector<T> y = apply(wholeTile(type, shape, to, body), arch, x, size(to));
  std::vector<double> expected = reduceReference(kind, x, shape, reduced);
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(double(y[i]), expected[i], tolerance * (std::fabs(expected[i]) + 1))
        << type << " " << kind << " of " << text(shape) << " over " << dims << " at " << i;
}

TEST_P(Shapes, ReductionsOverEveryAxis) {
  const std::pair<Shape, std::vector<bool>> cases[] = {{{64, 32}, {false, true}},
                                                       {{64, 32}, {true, false}},
                                                       {{64, 32}, {true, true}},
                                                       {{1}, {true}},
                                                       {{7}, {true}},
                                                       {{17}, {true}},
                                                       {{1000}, {true}},
                                                       {{3, 200}, {false, true}},
                                                       {{5, 72}, {true, false}},
                                                       {{300, 8}, {false, true}},
                                                       {{4, 6, 16}, {false, true, false}},
                                                       {{4, 6, 16}, {true, false, true}},
                                                       {{2, 4096}, {false, true}},
                                                       {{6, 5, 8}, {false, false, true}}};
  for (auto &[shape, reduced] : cases)
    for (std::string kind : {"sum", "max", "min", "prod"}) {
      checkReduce<float>("f32", GetParam(), kind, shape, reduced, 1e-4);
      checkReduce<int32_t>("i32", GetParam(), kind, shape, reduced, 0);
    }
}

TEST_P(Shapes, NarrowReductionsAreRoundedOnce) {
  for (std::string kind : {"sum", "max", "min"})
    for (Shape shape : {Shape{16, 64}, Shape{4, 512}}) {
      checkReduce<Half>("f16", GetParam(), kind, shape, {false, true}, 6e-4);
      checkReduce<int16_t>("i16", GetParam(), kind, shape, {false, true}, 0);
    }
  checkReduce<int8_t>("i8", GetParam(), "max", {4, 64}, {false, true}, 0);
}

TEST_P(Shapes, RowsThatDoNotFillBlocks) {
  // [5, 3] rows start off 32 bytes; reshaped from an array that was loaded as one row.
  std::string three = tile({5, 3}, "f32"), body = "  %m = tile.reshape %a : " + tile({15}, "f32") + " -> " + three +
                                                  "\n  %r = tile.reduce sum %m [1] : " + three + " -> " +
                                                  tile({5}, "f32") + "\n";
  std::vector<float> x = numbers<float>(15), y = apply(wholeTile("f32", {15}, {5}, body), GetParam(), x, 5);
  for (int i = 0; i < 5; ++i)
    ASSERT_NEAR(y[i], x[3 * i] + x[3 * i + 1] + x[3 * i + 2], 1e-5);
  body = "  %m = tile.reshape %a : " + tile({15}, "f32") + " -> " + three +
         "\n  %r = tile.reduce max %m [0] : " + three + " -> " + tile({3}, "f32") + "\n";
  y = apply(wholeTile("f32", {15}, {3}, body), GetParam(), x, 3);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(y[i], std::max({x[i], x[i + 3], x[i + 6], x[i + 9], x[i + 12]}));
}

template <typename T> void checkBroadcast(const std::string &type, isa::Arch arch, const Shape &from, const Shape &to) {
  std::vector<T> x = numbers<T>(size(from));
  std::string body = "  %r = tile.broadcast %a : " + tile(from, type) + " -> " + tile(to, type) + "\n";
  std::vector<T> y = apply(wholeTile(type, from, to, body), arch, x, size(to));
  for (int64_t flat = 0; flat < size(to); ++flat) {
    int64_t rest = flat, source = 0, stride = 1;
    for (size_t i = 0; i < to.size(); ++i) {
      int64_t dim = to[to.size() - 1 - i], index = rest % dim;
      rest /= dim;
      int64_t own = i < from.size() ? from[from.size() - 1 - i] : 1;
      source += (own == 1 ? 0 : index) * stride;
      stride *= own;
    }
    ASSERT_EQ(double(y[flat]), double(x[source])) << type << " " << text(from) << " to " << text(to) << " at " << flat;
  }
}

TEST_P(Shapes, BroadcastsOfEveryKind) {
  const std::pair<Shape, Shape> cases[] = {{{1}, {3, 32}},      {{1, 32}, {50, 32}},      {{50, 1}, {50, 32}},
                                           {{3, 1}, {3, 300}},  {{1, 1}, {2, 8}},         {{1000}, {2, 1000}},
                                           {{9, 1}, {9, 2048}}, {{4, 1, 16}, {4, 3, 16}}, {{1, 5, 1}, {2, 5, 8}},
                                           {{8, 1}, {8, 5}},    {{1, 3}, {4, 3}}};
  for (auto &[from, to] : cases) {
    if (from.size() > 1 && from.back() == 1 && from.size() == 3)
      continue;
    checkBroadcast<float>("f32", GetParam(), from, to);
    checkBroadcast<Half>("f16", GetParam(), from, to);
    checkBroadcast<int32_t>("i32", GetParam(), from, to);
  }
  checkBroadcast<float>("f32", GetParam(), {1, 5, 1}, {2, 5, 8});
  checkBroadcast<int8_t>("i8", GetParam(), {1, 32}, {4, 32});
}

TEST_P(Shapes, SoftmaxAndRmsNorm) {
  for (Shape shape : {Shape{4, 96}, Shape{200}, Shape{16, 1024}}) {
    int64_t cols = shape.back(), rows = size(shape) / cols;
    std::vector<float> x = numbers<float>(size(shape));
    std::string whole = tile(shape, "f32");
    std::vector<float> y =
        apply(wholeTile("f32", shape, shape, "  %r = tile.softmax %a : " + whole + "\n"), GetParam(), x, size(shape));
    for (int64_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (int64_t c = 0; c < cols; ++c)
        sum += std::exp(double(x[r * cols + c]));
      for (int64_t c = 0; c < cols; ++c)
        ASSERT_NEAR(y[r * cols + c], std::exp(double(x[r * cols + c])) / sum,
                    2e-6 * std::exp(double(x[r * cols + c])) / sum);
    }
    std::string body = "  %two = arith.constant 2.0 : f32\n  %eps = arith.constant 1.0e-5 : f32\n"
                       "  %g = tile.splat %two : f32 -> " +
                       tile({cols}, "f32") +
                       "\n"
                       "  %r = tile.rms_norm %a, %g, %eps : " +
                       whole + ", " + tile({cols}, "f32") + " -> " + whole + "\n";
    y = apply(wholeTile("f32", shape, shape, body), GetParam(), x, size(shape));
    for (int64_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (int64_t c = 0; c < cols; ++c)
        sum += double(x[r * cols + c]) * x[r * cols + c];
      for (int64_t c = 0; c < cols; ++c) {
        double expected = 2 * x[r * cols + c] / std::sqrt(sum / cols + 1e-5);
        ASSERT_NEAR(y[r * cols + c], expected, 2e-6 * std::fabs(expected));
      }
    }
  }
}

// Copies a tile of `shape` at `offsets` (run-time values) of a tensor; outside it the load pads with 9.
template <typename T>
void checkClip(const std::string &type, isa::Arch arch, const Shape &tensor, const Shape &shape, const Shape &offsets) {
  std::string params, dims, question, at, zeros;
  for (size_t i = 0; i < tensor.size(); ++i) {
    params += ", %d" + std::to_string(i) + ": i32, %o" + std::to_string(i) + ": i32";
    dims += (i ? ", %d" : "%d") + std::to_string(i);
    at += (i ? ", %o" : "%o") + std::to_string(i);
    zeros += i ? ", %z" : "%z";
    question += "?x";
  }
  std::string pad = type[0] == 'f' ? "9.0" : "9", in = "!tile.tensor<" + question + type + ">";
  std::string out = "!tile.tensor<" + text(shape) + type + ">";
  std::string ir =
      "func.func @k(%x: !tile.ptr<" + type + ">, %y: !tile.ptr<" + type + ">, %w: !tile.ptr<" + type + ">" + params +
      ") attributes {tile.kernel} {\n  %z = arith.constant 0 : i32\n  %pad = arith.constant " + pad + " : " + type +
      "\n"
      "  %tx = tile.tensor %x, [" +
      dims + "] : !tile.ptr<" + type + "> -> " + in +
      "\n"
      "  %ty = tile.tensor %y, [] : !tile.ptr<" +
      type + "> -> " + out +
      "\n"
      "  %tw = tile.tensor %w, [" +
      dims + "] : !tile.ptr<" + type + "> -> " + in +
      "\n"
      "  %a = tile.load %tx[" +
      at + "], %pad : " + in + ", " + type + " -> " + tile(shape, type) +
      "\n"
      "  tile.store %a, %ty[" +
      zeros + "] : " + tile(shape, type) + ", " + out +
      "\n"
      "  tile.store %a, %tw[" +
      at + "] : " + tile(shape, type) + ", " + in + "\n  return\n}\n";
  std::vector<T> x = numbers<T>(size(tensor));
  std::vector<Argument> arguments = {Argument::array(x), Argument::array(std::vector<T>(size(shape))),
                                     Argument::array(std::vector<T>(x.size(), T(5)))};
  for (size_t i = 0; i < tensor.size(); ++i) {
    arguments.push_back(Argument::scalar(tensor[i]));
    arguments.push_back(Argument::scalar(offsets[i]));
  }
  run(ir, arch, arguments);
  std::vector<T> y = arguments[1].values<T>(), w = arguments[2].values<T>(), expected(x.size(), T(5));
  for (int64_t flat = 0; flat < size(shape); ++flat) {
    int64_t rest = flat, source = 0, stride = 1;
    bool inside = true;
    for (size_t i = shape.size(); i-- > 0;) {
      int64_t index = rest % shape[i] + offsets[i];
      rest /= shape[i];
      inside &= index >= 0 && index < tensor[i];
      source += index * stride;
      stride *= tensor[i];
    }
    ASSERT_EQ(double(y[flat]), inside ? double(x[source]) : 9)
        << "load " << type << " " << text(shape) << " of " << text(tensor) << " at " << flat;
    if (inside)
      expected[source] = x[source];
  }
  for (size_t i = 0; i < w.size(); ++i)
    ASSERT_EQ(double(w[i]), double(expected[i]))
        << "store " << type << " " << text(shape) << " to " << text(tensor) << " at " << i;
}

TEST_P(Shapes, TilesAreClippedInEveryDimension) {
  const std::tuple<Shape, Shape, Shape> cases[] = {{{100}, {64}, {0}},
                                                   {{100}, {64}, {64}},
                                                   {{100}, {64}, {100}},
                                                   {{100}, {64}, {164}},
                                                   {{100}, {64}, {-10}},
                                                   {{100}, {64}, {-64}},
                                                   {{100}, {64}, {-70}},
                                                   {{20}, {64}, {-11}},
                                                   {{3, 50}, {4, 64}, {0, 0}},
                                                   {{7, 100}, {4, 32}, {4, 96}},
                                                   {{7, 100}, {4, 32}, {-2, 40}},
                                                   {{7, 100}, {4, 32}, {2, -5}},
                                                   {{7, 32}, {4, 32}, {5, 0}},
                                                   {{2, 3, 40}, {2, 2, 32}, {1, 2, 16}},
                                                   {{5, 4, 3, 16}, {1, 2, 2, 16}, {4, 3, -1, 0}},
                                                   {{5, 40}, {1, 32}, {5, 0}},
                                                   {{9, 5}, {9, 5}, {0, 0}}};
  for (auto &[tensor, shape, offsets] : cases) {
    checkClip<float>("f32", GetParam(), tensor, shape, offsets);
    checkClip<Half>("f16", GetParam(), tensor, shape, offsets);
    checkClip<int8_t>("i8", GetParam(), tensor, shape, offsets);
  }
}

} // namespace
