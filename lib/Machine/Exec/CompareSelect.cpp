// Compare, CompareScalar, Select. Masks are packed bits, lane 0 in bit 0 of byte 0.
#include "Variant.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

namespace {
using isa::CmpMode;

#define TS_RELATION(MODE, UNSIGNED)                                                                                    \
  struct MODE {                                                                                                        \
    template <typename T> TS_ELEMENT I32x64 holds(LaneOf<T> a, LaneOf<T> b) {                                          \
      if constexpr (isUnsigned32<T>)                                                                                   \
        return el::UNSIGNED(a, b);                                                                                     \
      else                                                                                                             \
        return el::compare##MODE(a, b);                                                                                \
    }                                                                                                                  \
  };
TS_RELATION(LT, compareLTUnsigned)
TS_RELATION(GT, compareGTUnsigned)
TS_RELATION(EQ, compareEQ)
TS_RELATION(LE, compareLEUnsigned)
TS_RELATION(GE, compareGEUnsigned)
TS_RELATION(NE, compareNE)
#undef TS_RELATION

// Bits of lanes beyond `count` in the last byte become 0; bytes beyond it stay.
TS_ELEMENT void storeMask(uint8_t *dst, I32x64 mask, int64_t count) {
  uint64_t bits = el::packMask(mask);
  if (count >= kLanes) {
    __builtin_memcpy(dst, &bits, 8);
    return;
  }
  bits &= (uint64_t(1) << count) - 1;
  for (int64_t byte = 0; byte * 8 < count; ++byte)
    dst[byte] = uint8_t(bits >> byte * 8);
}

template <typename Relation> struct With {
  template <typename T> struct Compare {
    static void run(const Rows &r) {
      eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {
        LaneOf<T> a = el::load<T>(source<T>(r, 0, row, column), count);
        LaneOf<T> b = el::load<T>(source<T>(r, 1, row, column), count);
        storeMask(r.dst + row * r.dstPitch + column / 8, Relation::template holds<T>(a, b), count);
      });
    }
  };
  template <typename T> struct CompareScalar {
    static void run(const Rows &r) {
      LaneOf<T> b = splatBits<T>(r.scalar);
      eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {
        LaneOf<T> a = el::load<T>(source<T>(r, 0, row, column), count);
        storeMask(r.dst + row * r.dstPitch + column / 8, Relation::template holds<T>(a, b), count);
      });
    }
  };
};

template <template <typename> class Kernel> RowsFn pickAny(DType dtype) {
  return pick<Kernel, F16, BF16, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
}

// Selection moves bits, so that no NaN changes: the element type is any integer of the width.
template <typename T> struct Select {
  static void run(const Rows &r) {
    eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {
      uint64_t bits = 0;
      __builtin_memcpy(&bits, r.src[0] + row * r.srcPitch[0] + column / 8, count == kLanes ? 8 : (count + 7) / 8);
      LaneOf<T> a = el::load<T>(source<T>(r, 1, row, column), count);
      LaneOf<T> b = el::load<T>(source<T>(r, 2, row, column), count);
      el::store<T>(target<T>(r, row, column), el::select(el::unpackMask(bits), a, b), count);
    });
  }
};
} // namespace

RowsFn compareKernel(DType dtype, CmpMode mode) {
  switch (mode) {
  case CmpMode::LT:
    return pickAny<With<LT>::Compare>(dtype);
  case CmpMode::GT:
    return pickAny<With<GT>::Compare>(dtype);
  case CmpMode::EQ:
    return pickAny<With<EQ>::Compare>(dtype);
  case CmpMode::LE:
    return pickAny<With<LE>::Compare>(dtype);
  case CmpMode::GE:
    return pickAny<With<GE>::Compare>(dtype);
  case CmpMode::NE:
    return pickAny<With<NE>::Compare>(dtype);
  }
  return nullptr;
}

RowsFn compareScalarKernel(DType dtype, CmpMode mode) {
  switch (mode) {
  case CmpMode::LT:
    return pickAny<With<LT>::CompareScalar>(dtype);
  case CmpMode::GT:
    return pickAny<With<GT>::CompareScalar>(dtype);
  case CmpMode::EQ:
    return pickAny<With<EQ>::CompareScalar>(dtype);
  case CmpMode::LE:
    return pickAny<With<LE>::CompareScalar>(dtype);
  case CmpMode::GE:
    return pickAny<With<GE>::CompareScalar>(dtype);
  case CmpMode::NE:
    return pickAny<With<NE>::CompareScalar>(dtype);
  }
  return nullptr;
}

RowsFn selectKernel(DType dtype) {
  switch (isa::sizeOf(dtype)) {
  case 1:
    return Select<uint8_t>::run;
  case 2:
    return Select<uint16_t>::run;
  case 4:
    return Select<uint32_t>::run;
  default:
    return nullptr;
  }
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT
