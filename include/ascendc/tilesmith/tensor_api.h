// The Tensor API: tensors are a place in a memory and a layout, copies and products follow from both. They end in the
// instructions everything else ends in.
#ifndef TILESMITH_ASCENDC_TENSOR_API_H
#define TILESMITH_ASCENDC_TENSOR_API_H

#include "kernel_operator.h"
#include "tilesmith/layouts.h"

namespace AscendC {
namespace Te {

enum class Location { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF };

// A place: a pointer into global memory, or bytes from the beginning of another memory.
template <Location location, typename T> struct MemPtr {
  static constexpr Location tsLocation = location;
  using Element = T;
  int64_t bytes = 0;

  MemPtr operator+(int64_t elements) const { return {bytes + elements * int64_t(sizeof(T))}; }
};
template <Location location, typename T> auto MakeMemPtr(T *pointer) {
  static_assert(location == Location::GM, "a pointer is into global memory");
  return MemPtr<location, T>{int64_t(reinterpret_cast<intptr_t>(pointer))};
}
template <Location location, typename T> auto MakeMemPtr(uint64_t bytes) { return MemPtr<location, T>{int64_t(bytes)}; }
template <typename T> auto MakeGMmemPtr(T *pointer) { return MakeMemPtr<Location::GM>(pointer); }
#define TILESMITH_MEMORY(NAME, LOCATION)                                                                               \
  template <typename T> auto Make##NAME##memPtr(uint64_t bytes) {                                                      \
    return MemPtr<Location::LOCATION, T>{int64_t(bytes)};                                                              \
  }
TILESMITH_MEMORY(UB, UB)
TILESMITH_MEMORY(L1, L1)
TILESMITH_MEMORY(L0A, L0A)
TILESMITH_MEMORY(L0B, L0B)
TILESMITH_MEMORY(L0C, L0C)
TILESMITH_MEMORY(Bias, BIAS)
TILESMITH_MEMORY(Fixbuf, FIXBUF)
#undef TILESMITH_MEMORY

template <typename Pointer, typename L> class Tensor {
public:
  using Element = typename Pointer::Element;
  static constexpr Location tsLocation = Pointer::tsLocation;
  using tsLayout = L;

  Tensor(Pointer pointer, const L &layout) : pointer(pointer), layout(layout) {}
  const L &Layout() const { return layout; }
  Pointer Data() const { return pointer; }
  // The same layout from a coordinate on, and as much of it as a shape says.
  template <typename... C> Tensor operator()(const Coord<C...> &coord) const {
    return {pointer + layout(coord), layout};
  }
  template <typename... C, typename... S> Tensor operator()(const Coord<C...> &coord, const Shape<S...> &shape) const {
    Tensor part = (*this)(coord);
    part.layout.rows = tsSize(Get<0>(shape));
    part.layout.columns = tsSize(Get<1>(shape));
    return part;
  }
  template <typename... C, typename... S> Tensor Slice(const Coord<C...> &coord, const Shape<S...> &shape) const {
    return (*this)(coord, shape);
  }

  // As the instructions take it.
  GlobalTensor<Element> tsGlobal() const {
    GlobalTensor<Element> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<Element *>(intptr_t(pointer.bytes)));
    return tensor;
  }
  LocalTensor<Element> tsLocal() const {
    constexpr TPosition position = tsLocation == Location::UB    ? TPosition::VECCALC
                                   : tsLocation == Location::L1  ? TPosition::A1
                                   : tsLocation == Location::L0A ? TPosition::A2
                                   : tsLocation == Location::L0B ? TPosition::B2
                                   : tsLocation == Location::L0C ? TPosition::CO1
                                                                 : TPosition::C2;
    int64_t left =
        tilesmith::api->tsm_capacity(tilesmith::core, int64_t(tilesmith::memoryOf(position))) - pointer.bytes;
    return LocalTensor<Element>(position, uint32_t(pointer.bytes),
                                uint32_t(left > 0 ? left / int64_t(sizeof(Element)) : 0));
  }

private:
  Pointer pointer;
  L layout;
};
template <typename Pointer, typename L> auto MakeTensor(const Pointer &pointer, const L &layout) {
  return Tensor<Pointer, L>(pointer, layout);
}

} // namespace Te

// Words of layouts without the namespace, too.
using Te::Coord;
using Te::Crd2Idx;
using Te::Layout;
using Te::MakeCoord;
using Te::MakeLayout;
using Te::MakeShape;
using Te::MakeStride;
using Te::MakeTile;
using Te::Shape;
using Te::Stride;

namespace Te {

// What an instruction is told besides its tensors.
struct FixpipeParams {
  uint8_t unitFlag = 0;
};
struct MmadParams {
  uint16_t m = 0, n = 0, k = 0;
  uint8_t unitFlag = 0;
  bool cmatrixInitVal = true;
};

} // namespace Te
} // namespace AscendC

namespace tilesmith {

using namespace AscendC::Te;
template <typename L, typename Pattern> inline constexpr bool liesAs = std::is_same_v<typename L::tsPattern, Pattern>;

template <typename D, typename S> void copyToL1(const D &dst, const S &src, Where where) {
  using To = typename D::tsLayout;
  using From = typename S::tsLayout;
  const auto &to = dst.Layout();
  const auto &from = src.Layout();
  if constexpr (liesAs<From, NDLayoutPtn> && liesAs<To, NZLayoutPtn>) {
    AscendC::Nd2NzParams params(1, uint16_t(from.rows), uint16_t(from.columns), 0, uint16_t(from.pitch),
                                uint16_t(to.pitch), 1, 0);
    AscendC::DataCopy(dst.tsLocal(), src.tsGlobal(), params, where);
  } else if constexpr (liesAs<From, DNLayoutPtn> && liesAs<To, ZNLayoutPtn>) { // both turned
    AscendC::Nd2NzParams params(1, uint16_t(from.columns), uint16_t(from.rows), 0, uint16_t(from.pitch),
                                uint16_t(to.pitch), 1, 0);
    AscendC::DataCopy(dst.tsLocal(), src.tsGlobal(), params, where);
  } else if constexpr (liesAs<From, NZLayoutPtn> && liesAs<To, NZLayoutPtn>) {
    uint16_t bursts = uint16_t((from.columns + To::across - 1) / To::across), blocks = uint16_t(from.rows);
    AscendC::DataCopy(
        dst.tsLocal(), src.tsGlobal(),
        AscendC::DataCopyParams{bursts, blocks, uint16_t(from.pitch - from.rows), uint16_t(to.pitch - from.rows)},
        where);
  } else if constexpr (liesAs<From, NDLayoutPtn> && liesAs<To, NDLayoutPtn>) {
    AscendC::DataCopy(dst.tsLocal(), src.tsGlobal(), uint32_t(from.rows * from.columns), where);
  } else {
    static_assert(alwaysFalse<D>, "Copy from global memory to L1: ND to Nz, DN to Zn, Nz to Nz and ND to ND are there");
  }
}

// Factors: rows of squares for A, columns of them for B, whatever order the memory has.
template <bool isB, typename D, typename S> void copyToFactor(const D &dst, const S &src, Where where) {
  using T = typename D::Element;
  using From = typename S::tsLayout;
  const auto &from = src.Layout();
  constexpr bool isZn = liesAs<From, ZNLayoutPtn>, isNz = liesAs<From, NZLayoutPtn>;
  static_assert(isZn || isNz, "Copy from L1 to L0A and L0B: the matrix lies in L1 as Nz or Zn");
  constexpr bool turns = isB ? isNz : isZn;
  auto squares = [](int64_t value, int64_t unit) { return (value + unit - 1) / unit; };
  constexpr int64_t c0 = From::tsC0, square = 16 * c0;
  // In L1 the squares are counted along `fast`, `pitch` of them behind each other.
  int64_t rows = isB ? from.columns : from.rows, depth = isB ? from.rows : from.columns; // n or m, and k
  auto local = dst.tsLocal();
  auto in = src.tsLocal();
  int64_t along = squares(rows, 16), deep = squares(depth, c0);
  if (api->tsm_arch(core) > 0) { // later than C220: L0A and L0B hold the squares of the depth behind each other
    AscendC::LoadData2DParamsV2 params;
    params.mStep = uint16_t(turns ? squares(depth, 16) : along);
    params.kStep = uint16_t(turns ? squares(rows, c0) : deep);
    params.srcStride = int32_t(from.pitch / 16);
    params.dstStride = uint16_t(along);
    params.ifTranspose = turns;
    AscendC::LoadData(local, in, params, where);
    return;
  }
  static_assert(sizeof(T) == 2 || !turns, "Copy from L1 to L0A and L0B turns elements of 16 bits");
  for (int64_t i = 0; i < along; ++i) { // a row of squares, or a column of them for B
    int64_t first = turns ? i * (from.pitch / 16) * square : i * square;
    int64_t step = turns ? 1 : from.pitch / 16;
    if constexpr (isB) {
      // Zn in L0B: for each step of the depth all columns.
      for (int64_t j = 0; j < deep; ++j)
        AscendC::LoadData(local[(j * along + i) * square], in[first + j * step * square],
                          AscendC::LoadData2DParams(0, 1, 0, 0, 0, turns, 0), where);
    } else {
      AscendC::LoadData(local[i * deep * square], in[first],
                        AscendC::LoadData2DParams(0, uint8_t(deep), uint16_t(step), 0, 0, turns, 0), where);
    }
  }
}

template <typename D, typename S>
void copyOut(const D &dst, const S &src, const FixpipeParams &given, QuantMode_t quant, Where where) {
  using To = typename D::tsLayout;
  const auto &from = src.Layout();
  const auto &to = dst.Layout();
  AscendC::FixpipeParamsV220 params;
  params.nSize = uint16_t(to.columns);
  params.mSize = uint16_t(to.rows);
  params.srcStride = uint16_t(from.pitch);
  params.quantPre = quant;
  params.unitFlag = given.unitFlag;
  if constexpr (liesAs<To, NDLayoutPtn>) {
    params.dstStride = uint32_t(to.pitch);
    AscendC::Fixpipe<typename D::Element, typename S::Element, AscendC::CFG_ROW_MAJOR>(dst.tsGlobal(), src.tsLocal(),
                                                                                       params, where);
  } else {
    static_assert(liesAs<To, NZLayoutPtn>, "Copy from L0C to global memory: as ND or Nz");
    params.dstStride = uint32_t(to.pitch * To::across * int64_t(sizeof(typename D::Element)) / 32);
    AscendC::Fixpipe<typename D::Element, typename S::Element, AscendC::CFG_NZ>(dst.tsGlobal(), src.tsLocal(), params,
                                                                                where);
  }
}

template <typename T> constexpr QuantMode_t plainCast() {
  return std::is_same_v<T, half>         ? QuantMode_t::F322F16
         : std::is_same_v<T, bfloat16_t> ? QuantMode_t::F322BF16
                                         : QuantMode_t::NoQuant;
}

template <typename D, typename S>
void copyTensor(const D &dst, const S &src, const FixpipeParams &params, Where where) {
  constexpr Location to = D::tsLocation, from = S::tsLocation;
  if constexpr (from == Location::GM && to == Location::L1) {
    copyToL1(dst, src, where);
  } else if constexpr (from == Location::L1 && (to == Location::L0A || to == Location::L0B)) {
    copyToFactor<to == Location::L0B>(dst, src, where);
  } else if constexpr (from == Location::L0C && to == Location::GM) {
    copyOut(dst, src, params,
            std::is_same_v<typename S::Element, float> ? plainCast<typename D::Element>() : QuantMode_t::NoQuant,
            where);
  } else if constexpr (from == Location::GM && to == Location::UB) {
    using T = typename D::Element;
    const auto &rows = src.Layout();
    AscendC::DataCopyPad(dst.tsLocal(), src.tsGlobal(),
                         AscendC::DataCopyExtParams{uint16_t(rows.rows), uint32_t(rows.columns * sizeof(T)),
                                                    uint32_t((rows.pitch - rows.columns) * sizeof(T)), 0, 0},
                         AscendC::DataCopyPadExtParams<T>{}, where);
  } else if constexpr (from == Location::UB && to == Location::GM) {
    using T = typename D::Element;
    const auto &rows = dst.Layout();
    AscendC::DataCopyPad(dst.tsGlobal(), src.tsLocal(),
                         AscendC::DataCopyExtParams{uint16_t(rows.rows), uint32_t(rows.columns * sizeof(T)), 0,
                                                    uint32_t((rows.pitch - rows.columns) * sizeof(T)), 0},
                         where);
  } else {
    static_assert(alwaysFalse<D>, "Copy between these memories is not in the model yet");
  }
}

} // namespace tilesmith

namespace AscendC {
namespace Te {

// Ways to copy, by the memories; the tensors say the same.
#define TILESMITH_COPY(NAME)                                                                                           \
  struct NAME {};
TILESMITH_COPY(CopyGM2L1)
TILESMITH_COPY(CopyL12L0)
TILESMITH_COPY(CopyL12L0A)
TILESMITH_COPY(CopyL12L0B)
TILESMITH_COPY(CopyL0C2GM)
TILESMITH_COPY(CopyGM2UB)
TILESMITH_COPY(CopyUB2GM)
#undef TILESMITH_COPY
struct CopyTraitDefault {};
template <typename Operation, typename Trait = CopyTraitDefault> struct CopyTraits {};
template <typename Traits> struct CopyAtom {
  template <typename D, typename S>
  void Call(const D &dst, const S &src, const FixpipeParams &params = {},
            tilesmith::Where where = tilesmith::Where::here()) const {
    tilesmith::copyTensor(dst, src, params, where);
  }
};
template <typename Operation, typename... Trait> auto MakeCopy(Operation, Trait...) {
  return CopyAtom<CopyTraits<Operation, Trait...>>{};
}
template <typename Traits, typename D, typename S>
void Copy(const CopyAtom<Traits> &, const D &dst, const S &src, const FixpipeParams &params = {},
          tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::copyTensor(dst, src, params, where);
}
template <typename D, typename S>
void Copy(const D &dst, const S &src, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::copyTensor(dst, src, {}, where);
}

struct MmadOperation {};
struct MmadTraitDefault {};
template <typename Operation = MmadOperation, typename Trait = MmadTraitDefault> struct MmadTraits {};
template <typename Traits> struct MmadAtom {
  MmadParams params;
  MmadAtom with(const MmadParams &given) const { return {given}; }
  MmadAtom with(uint16_t m, uint16_t n, uint16_t k, uint8_t unitFlag = 0, bool startsAtZero = true) const {
    return {{m, n, k, unitFlag, startsAtZero}};
  }
  template <typename C, typename A, typename B>
  void Call(const C &c, const A &a, const B &b, tilesmith::Where where = tilesmith::Where::here()) const {
    AscendC::MmadParams with;
    with.m = params.m ? params.m : uint16_t(a.Layout().rows);
    with.n = params.n ? params.n : uint16_t(b.Layout().columns);
    with.k = params.k ? params.k : uint16_t(a.Layout().columns);
    with.unitFlag = params.unitFlag;
    with.cmatrixInitVal = params.cmatrixInitVal;
    AscendC::Mmad(c.tsLocal(), a.tsLocal(), b.tsLocal(), with, where);
  }
};
template <typename... Parts> auto MakeMmad(Parts...) { return MmadAtom<MmadTraits<Parts...>>{}; }
template <typename Traits, typename C, typename A, typename B>
void Mmad(const MmadAtom<Traits> &atom, const C &c, const A &a, const B &b,
          tilesmith::Where where = tilesmith::Where::here()) {
  atom.Call(c, a, b, where);
}
template <typename Traits, typename C, typename A, typename B>
void Mad(const MmadAtom<Traits> &atom, const C &c, const A &a, const B &b,
         tilesmith::Where where = tilesmith::Where::here()) {
  atom.Call(c, a, b, where);
}
template <typename C, typename A, typename B>
void Mmad(const C &c, const A &a, const B &b, const MmadParams &params,
          tilesmith::Where where = tilesmith::Where::here()) {
  MmadAtom<MmadTraits<>>{params}.Call(c, a, b, where);
}

} // namespace Te
} // namespace AscendC

#endif
