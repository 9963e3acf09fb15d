// Layouts of the Tensor API: shapes, strides and coordinates of numbers that are known while compiling or not, and how
// matrices lie in fractals. A layout maps a coordinate to a number of elements.
#ifndef TILESMITH_ASCENDC_LAYOUTS_H
#define TILESMITH_ASCENDC_LAYOUTS_H

#include "tilesmith/base.h"
#include "tilesmith/utilities.h"

namespace AscendC {

// Elements of a block of 32 bytes; two share a byte of fp4.
template <typename T> constexpr uint32_t AuxGetC0Size() {
  constexpr bool isHalfByte = std::is_same_v<T, fp4x2_e2m1_t> || std::is_same_v<T, fp4x2_e1m2_t>;
  return uint32_t(tilesmith::chip::blockBytes / sizeof(T)) * (isHalfByte ? 2 : 1);
}
// What products of this type are added up in.
template <typename T> struct GetL0DataType {
  using Type = std::conditional_t<std::is_integral_v<T>, int32_t, float>;
};

namespace Te {

using Std::Int;

// Some numbers, or tuples of them, by what they mean.
#define TILESMITH_TUPLE(NAME, MAKE)                                                                                    \
  template <typename... Values> struct NAME : std::tuple<Values...> {                                                  \
    using std::tuple<Values...>::tuple;                                                                                \
  };                                                                                                                   \
  template <typename... Values> NAME(Values...) -> NAME<Values...>;                                                    \
  template <typename... Values> constexpr NAME<std::decay_t<Values>...> MAKE(Values &&...values) {                     \
    return NAME<std::decay_t<Values>...>(values...);                                                                   \
  }
TILESMITH_TUPLE(Shape, MakeShape)
TILESMITH_TUPLE(Stride, MakeStride)
TILESMITH_TUPLE(Coord, MakeCoord)
TILESMITH_TUPLE(Tile, MakeTile)
#undef TILESMITH_TUPLE

template <typename T, typename = void> inline constexpr bool isTuple = false;
template <typename T>
inline constexpr bool isTuple<T, std::void_t<decltype(std::tuple_size<typename T::tuple>::value)>> = true;
template <template <typename...> class Of, typename... Values>
constexpr const std::tuple<Values...> &tsTuple(const Of<Values...> &of) {
  return of;
}
template <typename T> inline constexpr bool isNumber = std::is_arithmetic_v<T>;
template <typename T, T value> inline constexpr bool isNumber<std::integral_constant<T, value>> = true;

template <size_t index, typename Tuple> constexpr auto Get(const Tuple &tuple) {
  return std::get<index>(tsTuple(tuple));
}
template <typename T> constexpr int64_t tsSize(const T &value) {
  if constexpr (isNumber<T>)
    return int64_t(value);
  else
    return std::apply([](const auto &...each) { return (int64_t(1) * ... * tsSize(each)); }, tsTuple(value));
}
// The offset of a coordinate: a number within a tuple counts its first axis fastest.
template <typename C, typename S, typename D>
constexpr int64_t tsOffset(const C &coord, const S &shape, const D &stride);
template <typename C, typename S, typename D, size_t... i>
constexpr int64_t tsOffsets(const C &coord, const S &shape, const D &stride, std::index_sequence<i...>) {
  return (int64_t(0) + ... +
          tsOffset(std::get<i>(tsTuple(coord)), std::get<i>(tsTuple(shape)), std::get<i>(tsTuple(stride))));
}
template <typename S, typename D, size_t... i>
constexpr int64_t tsSpread(int64_t coord, const S &shape, const D &stride, std::index_sequence<i...>) {
  int64_t offset = 0;
  auto one = [&](const auto &size, const auto &step, bool isLast) {
    int64_t all = tsSize(size);
    offset += tsOffset(isLast ? coord : coord % all, size, step);
    coord /= all;
  };
  (one(std::get<i>(tsTuple(shape)), std::get<i>(tsTuple(stride)), i + 1 == sizeof...(i)), ...);
  return offset;
}
template <typename C, typename S, typename D>
constexpr int64_t tsOffset(const C &coord, const S &shape, const D &stride) {
  if constexpr (isNumber<C> && isNumber<D>) {
    return int64_t(coord) * int64_t(stride);
  } else if constexpr (isNumber<C>) {
    constexpr size_t rank = std::tuple_size_v<std::decay_t<decltype(tsTuple(shape))>>;
    return tsSpread(int64_t(coord), shape, stride, std::make_index_sequence<rank>());
  } else {
    constexpr size_t rank = std::tuple_size_v<std::decay_t<decltype(tsTuple(coord))>>;
    return tsOffsets(coord, shape, stride, std::make_index_sequence<rank>());
  }
}

template <typename S, typename D> struct Layout {
  S shape;
  D stride;

  constexpr Layout(const S &shape = {}, const D &stride = {}) : shape(shape), stride(stride) {}
  template <typename C> constexpr int64_t operator()(const C &coord) const { return tsOffset(coord, shape, stride); }
  constexpr const S &Shape() const { return shape; }
  constexpr const D &Stride() const { return stride; }
  constexpr const S &GetShape() const { return shape; }
  constexpr const D &GetStride() const { return stride; }
  constexpr int64_t Size() const { return tsSize(shape); }
};
template <typename S, typename D> constexpr auto MakeLayout(const S &shape, const D &stride) {
  return Layout<S, D>(shape, stride);
}
// The first axis lies closest.
template <typename A> constexpr auto MakeLayout(const Shape<A> &shape) {
  return MakeLayout(shape, MakeStride(Int<1>{}));
}
template <typename A, typename B> constexpr auto MakeLayout(const Shape<A, B> &shape) {
  return MakeLayout(shape, MakeStride(Int<1>{}, tsSize(Get<0>(shape))));
}
template <typename C, typename S, typename D> constexpr int64_t Crd2Idx(const C &coord, const Layout<S, D> &layout) {
  return layout(coord);
}
template <typename S, typename D> constexpr int64_t Size(const Layout<S, D> &layout) { return layout.Size(); }
template <size_t index, typename S, typename D> constexpr auto GetShape(const Layout<S, D> &layout) {
  return Get<index>(layout.shape);
}
template <size_t index, typename S, typename D> constexpr auto GetStride(const Layout<S, D> &layout) {
  return Get<index>(layout.stride);
}

// How a matrix lies: row by row, column by column, or in squares of 16 rows and a block of columns. N and Z are the
// order of the squares (columns of them first, or rows), n and z that within one.
struct NDLayoutPtn {};
struct DNLayoutPtn {};
struct NZLayoutPtn {};
struct ZNLayoutPtn {};
struct ZZLayoutPtn {};
struct NNLayoutPtn {};
using NDExtLayoutPtn = NDLayoutPtn;
using DNExtLayoutPtn = DNLayoutPtn;
template <typename T> struct LayoutTraitDefault {
  static constexpr uint32_t c0 = AuxGetC0Size<T>();
};
template <typename T> inline constexpr uint32_t tsC0 = AuxGetC0Size<T>();
template <uint32_t value> inline constexpr uint32_t tsC0<std::integral_constant<uint32_t, value>> = value;
template <int value> inline constexpr uint32_t tsC0<std::integral_constant<int, value>> = uint32_t(value);
template <typename T> inline constexpr uint32_t tsC0<LayoutTraitDefault<T>> = LayoutTraitDefault<T>::c0;

// A matrix: rows and columns, and what lies between neighbours of the slower order.
template <typename Pattern, uint32_t c0> struct FrameLayout {
  using tsPattern = Pattern;
  static constexpr uint32_t tsC0 = c0;
  static constexpr bool isFractal = !std::is_same_v<Pattern, NDLayoutPtn> && !std::is_same_v<Pattern, DNLayoutPtn>;
  // Rows and columns of a square.
  static constexpr int64_t down =
      std::is_same_v<Pattern, ZNLayoutPtn> || std::is_same_v<Pattern, NNLayoutPtn> ? c0 : 16;
  static constexpr int64_t across =
      std::is_same_v<Pattern, ZNLayoutPtn> || std::is_same_v<Pattern, NNLayoutPtn> ? 16 : c0;
  int64_t rows = 0, columns = 0, pitch = 0;

  constexpr FrameLayout() = default;
  constexpr FrameLayout(int64_t rows, int64_t columns) : rows(rows), columns(columns) {
    auto up = [](int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; };
    pitch = std::is_same_v<Pattern, NDLayoutPtn>                                           ? columns
            : std::is_same_v<Pattern, DNLayoutPtn>                                         ? rows
            : std::is_same_v<Pattern, NZLayoutPtn> || std::is_same_v<Pattern, NNLayoutPtn> ? up(rows, down)
                                                                                           : up(columns, across);
  }
  constexpr int64_t at(int64_t row, int64_t column) const {
    if constexpr (std::is_same_v<Pattern, NDLayoutPtn>)
      return row * pitch + column;
    else if constexpr (std::is_same_v<Pattern, DNLayoutPtn>)
      return column * pitch + row;
    else if constexpr (std::is_same_v<Pattern, NZLayoutPtn>)
      return column / across * pitch * across + row * across + column % across;
    else if constexpr (std::is_same_v<Pattern, ZNLayoutPtn>)
      return row / down * pitch * down + column * down + row % down;
    else if constexpr (std::is_same_v<Pattern, ZZLayoutPtn>)
      return row / down * pitch * down + column / across * down * across + row % down * across + column % across;
    else
      return column / across * pitch * across + row / down * down * across + column % across * down + row % down;
  }
  template <typename C> constexpr int64_t operator()(const C &coord) const {
    return at(tsSize(Get<0>(coord)), tsSize(Get<1>(coord)));
  }
  constexpr int64_t Size() const { return rows * columns; }
};

template <typename Pattern, typename T> struct FrameLayoutFormat {
  constexpr auto operator()(int64_t rows, int64_t columns) const {
    return FrameLayout<Pattern, tsC0<T>>(rows, columns);
  }
};
template <typename Pattern, typename T = LayoutTraitDefault<half>>
constexpr auto MakeFrameLayout(int64_t rows, int64_t columns) {
  return FrameLayout<Pattern, tsC0<T>>(rows, columns);
}
#define TILESMITH_FORMAT(NAME, PATTERN)                                                                                \
  template <typename T> using NAME##LayoutFormat = FrameLayoutFormat<PATTERN, T>;                                      \
  template <typename T> constexpr auto Make##NAME##Layout(int64_t rows, int64_t columns) {                             \
    return FrameLayout<PATTERN, tsC0<T>>(rows, columns);                                                               \
  }
TILESMITH_FORMAT(ND, NDLayoutPtn)
TILESMITH_FORMAT(DN, DNLayoutPtn)
TILESMITH_FORMAT(NDExt, NDLayoutPtn)
TILESMITH_FORMAT(DNExt, DNLayoutPtn)
TILESMITH_FORMAT(Nz, NZLayoutPtn)
TILESMITH_FORMAT(Zn, ZNLayoutPtn)
TILESMITH_FORMAT(Zz, ZZLayoutPtn)
TILESMITH_FORMAT(Nn, NNLayoutPtn)
#undef TILESMITH_FORMAT
// Results: squares of 16 by 16.
struct L0CLayoutFormat {
  constexpr auto operator()(int64_t rows, int64_t columns) const { return FrameLayout<NZLayoutPtn, 16>(rows, columns); }
};
constexpr auto MakeL0CLayout(int64_t rows, int64_t columns) { return FrameLayout<NZLayoutPtn, 16>(rows, columns); }

} // namespace Te
} // namespace AscendC

#endif
