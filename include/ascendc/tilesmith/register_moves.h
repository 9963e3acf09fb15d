// Registers and UB: loads and stores in their distributions, changes of width.
#ifndef TILESMITH_ASCENDC_REGISTER_MOVES_H
#define TILESMITH_ASCENDC_REGISTER_MOVES_H

#include "tilesmith/registers.h"

namespace AscendC {
namespace Reg {

//===- Loads and stores
//---------------------------------------------------------------------------------------------------===//

// Copies what exists of [offset, offset + bytes); the rest is zero. Whether it may be read is asked when it is used.
inline void tsFetch(uint8_t *to, int64_t offset, int64_t bytes) {
  int64_t size = tilesmith::vf->ubSize;
  if (offset < 0 || offset >= size) {
    memset(to, 0, size_t(bytes));
    return;
  }
  int64_t there = bytes < size - offset ? bytes : size - offset;
  memcpy(to, tilesmith::vf->ub + offset, size_t(there));
  memset(to + there, 0, size_t(bytes - there));
}

inline int32_t tsLoad(int64_t offset, int64_t bits, int64_t stride, int64_t alignment) {
  tilesmith::vfLoads.push_back({offset, bits, stride, alignment, 0, tilesmith::vf->written});
  return int32_t(tilesmith::vfLoads.size() - 1);
}

template <typename R> void tsSpread(R &dst, int64_t offset, int64_t element, int64_t stride, int64_t alignment) {
  uint8_t memory[tilesmith::registerBytes];
  int64_t lanes = tilesmith::registerBytes / stride;
  tsFetch(memory, offset, lanes * element);
  if (element == stride) {
    memcpy(dst.bytes, memory, sizeof dst.bytes);
  } else {
    memset(dst.bytes, 0, sizeof dst.bytes);
    for (int64_t i = 0; i < lanes; ++i)
      memcpy(dst.bytes + i * stride, memory + i * element, size_t(element));
  }
  dst.sources.clear();
  dst.sources.add(tsLoad(offset, element * 8, stride, alignment));
}

template <typename R> void tsBroadcast(R &dst, int64_t offset, int64_t element) {
  uint8_t value[8] = {};
  if (tilesmith::mayRead(offset, element, element))
    tsFetch(value, offset, element);
  for (int64_t i = 0; i < tilesmith::registerBytes; i += element)
    memcpy(dst.bytes + i, value, size_t(element));
  dst.sources.clear();
}

template <typename T = void, LoadDist dist = LoadDist::DIST_NORM, typename X, const RegTrait &trait>
void LoadAlign(RegTensor<X, trait> &dst, const X *p, tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  dst.ready = tilesmith::loaded();
  int64_t offset = tilesmith::ubOffset(p);
  constexpr int64_t size = sizeof(X);
  if constexpr (dist == LoadDist::DIST_NORM)
    tsSpread(dst, offset, size, size, 32);
  else if constexpr (dist == LoadDist::DIST_UNPACK_B8)
    tsSpread(dst, offset, 1, 2, 32);
  else if constexpr (dist == LoadDist::DIST_UNPACK_B16)
    tsSpread(dst, offset, 2, 4, 32);
  else if constexpr (dist == LoadDist::DIST_UNPACK_B32)
    tsSpread(dst, offset, 4, 8, 32);
  else if constexpr (dist == LoadDist::DIST_UNPACK4_B8)
    tsSpread(dst, offset, 1, 4, 32);
  else if constexpr (dist == LoadDist::DIST_BRC_B8)
    tsBroadcast(dst, offset, 1);
  else if constexpr (dist == LoadDist::DIST_BRC_B16)
    tsBroadcast(dst, offset, 2);
  else if constexpr (dist == LoadDist::DIST_BRC_B32)
    tsBroadcast(dst, offset, 4);
  else if constexpr (dist == LoadDist::DIST_BLK) {
    uint8_t block[32] = {};
    if (tilesmith::mayRead(offset, 32, 32))
      tsFetch(block, offset, 32);
    for (int64_t i = 0; i < tilesmith::registerBytes; i += 32)
      memcpy(dst.bytes + i, block, 32);
    dst.sources.clear();
  } else if constexpr (dist == LoadDist::DIST_E2B_B16 || dist == LoadDist::DIST_E2B_B32) {
    constexpr int64_t element = dist == LoadDist::DIST_E2B_B16 ? 2 : 4;
    uint8_t values[32] = {};
    if (tilesmith::mayRead(offset, 8 * element, 8 * element))
      tsFetch(values, offset, 8 * element);
    for (int64_t i = 0; i < tilesmith::registerBytes; i += element)
      memcpy(dst.bytes + i, values + i / 32 * element, size_t(element));
    dst.sources.clear();
  } else if constexpr (dist == LoadDist::DIST_US_B8 || dist == LoadDist::DIST_US_B16) {
    constexpr int64_t element = dist == LoadDist::DIST_US_B8 ? 1 : 2;
    tsSpread(dst, offset, element, 2 * element, 32);
    for (int64_t i = 0; i < tilesmith::registerBytes; i += 2 * element)
      memcpy(dst.bytes + i + element, dst.bytes + i, size_t(element));
  } else if constexpr (dist == LoadDist::DIST_DS_B8 || dist == LoadDist::DIST_DS_B16) {
    constexpr int64_t element = dist == LoadDist::DIST_DS_B8 ? 1 : 2;
    uint8_t memory[2 * tilesmith::registerBytes];
    tsFetch(memory, offset, sizeof memory);
    for (int64_t i = 0; i < tilesmith::registerBytes; i += element)
      memcpy(dst.bytes + i, memory + 2 * i, size_t(element));
    dst.sources.clear();
    dst.sources.add(tsLoad(offset, 2 * element * 8, element, 32));
  } else {
    static_assert(tilesmith::alwaysFalse<X>, "LoadAlign: this distribution takes two registers");
  }
}
template <typename T, PostLiteral post, LoadDist dist = LoadDist::DIST_NORM, typename X, const RegTrait &trait>
void LoadAlign(RegTensor<X, trait> &dst, X *&p, int32_t stride, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(post == PostLiteral::POST_MODE_UPDATE, "LoadAlign: only POST_MODE_UPDATE exists here");
  LoadAlign<T, dist>(dst, p, where);
  p += stride;
}
template <typename T = void, LoadDist dist = LoadDist::DIST_NORM, typename X, const RegTrait &trait>
void LoadAlign(RegTensor<X, trait> &dst, const X *p, AddrReg offset,
               tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, dist>(dst, p + offset.offset, where);
}
// Even elements to the first register, odd ones to the second.
template <typename T, LoadDist dist, typename X, const RegTrait &trait>
void LoadAlign(RegTensor<X, trait> &even, RegTensor<X, trait> &odd, const X *p,
               tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(dist == LoadDist::DIST_DINTLV_B8 || dist == LoadDist::DIST_DINTLV_B16 ||
                    dist == LoadDist::DIST_DINTLV_B32,
                "LoadAlign: two registers are loaded by DIST_DINTLV_B8, _B16 or _B32");
  if (!tilesmith::running(where))
    return;
  even.ready = odd.ready = tilesmith::loaded();
  constexpr int64_t element = dist == LoadDist::DIST_DINTLV_B8 ? 1 : dist == LoadDist::DIST_DINTLV_B16 ? 2 : 4;
  int64_t offset = tilesmith::ubOffset(p);
  uint8_t memory[2 * tilesmith::registerBytes];
  tsFetch(memory, offset, sizeof memory);
  for (int64_t i = 0; i < tilesmith::registerBytes; i += element) {
    memcpy(even.bytes + i, memory + 2 * i, size_t(element));
    memcpy(odd.bytes + i, memory + 2 * i + element, size_t(element));
  }
  int32_t load = tsLoad(offset, 2 * element * 8, element, 32);
  even.sources.clear();
  even.sources.add(load);
  odd.sources = even.sources;
}
template <typename T = void, MaskDist dist = MaskDist::DIST_NORM, typename X>
void LoadAlign(MaskReg &dst, const X *p, tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::loaded();
  int64_t offset = tilesmith::ubOffset(p);
  constexpr int64_t bytes = dist == MaskDist::DIST_NORM ? 32 : dist == MaskDist::DIST_US ? 16 : 64;
  uint8_t memory[64];
  tsFetch(memory, offset, bytes);
  dst = MaskReg();
  dst.ready = ready;
  dst.width = dist == MaskDist::DIST_US ? 2 : 1;
  dst.lanes = tilesmith::registerBytes / dst.width;
  for (int64_t i = 0; i < dst.lanes; ++i) {
    int64_t bit = dist == MaskDist::DIST_DS ? 2 * i : i;
    if (memory[bit / 8] >> (bit % 8) & 1)
      dst.set(i * dst.width);
  }
  dst.sources.add(tsLoad(offset, dist == MaskDist::DIST_DS ? 2 : 1, dst.width, 1));
}

template <typename Visit> void tsEachRun(const MaskReg &mask, int64_t width, Visit visit) {
  int64_t lanes = tilesmith::registerBytes / width;
  // Most masks have all lanes.
  uint64_t all = width == 1   ? ~uint64_t(0)
                 : width == 2 ? 0x5555555555555555u
                 : width == 4 ? 0x1111111111111111u
                              : 0x0101010101010101u;
  if ((mask.bits[0] & mask.bits[1] & mask.bits[2] & mask.bits[3] & all) == all)
    return visit(int64_t(0), lanes);
  for (int64_t i = 0; i < lanes;) {
    int64_t end = i;
    while (end < lanes && mask.test(end * width))
      ++end;
    if (end > i)
      visit(i, end - i);
    i = end + 1;
  }
}

// Lanes of `stride` bytes, the first `element` bytes of each to memory, one after another.
inline void tsScatter(int64_t offset, const uint8_t *bytes, const MaskReg &mask, int64_t element, int64_t stride) {
  tsEachRun(mask, stride, [&](int64_t first, int64_t count) {
    int64_t at = offset + first * element;
    if (offset % 32) { // told once, with the alignment it needs
      tilesmith::mayWrite(offset, count * element, 32);
      return;
    }
    if (!tilesmith::mayWrite(at, count * element, 1))
      return;
    if (element == stride) {
      memcpy(tilesmith::vf->ub + at, bytes + first * stride, size_t(count * element));
      return;
    }
    for (int64_t i = 0; i < count; ++i)
      memcpy(tilesmith::vf->ub + at + i * element, bytes + (first + i) * stride, size_t(element));
  });
}

template <typename T = void, StoreDist dist = StoreDist::DIST_NORM, typename X, const RegTrait &trait>
void StoreAlign(X *p, const RegTensor<X, trait> &src, const MaskReg &mask,
                tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  tilesmith::stored(tilesmith::latest(src.ready, mask.ready));
  int64_t offset = tilesmith::ubOffset(p);
  constexpr int64_t size = sizeof(X);
  if constexpr (dist == StoreDist::DIST_FIRST_ELEMENT_B8 || dist == StoreDist::DIST_FIRST_ELEMENT_B16 ||
                dist == StoreDist::DIST_FIRST_ELEMENT_B32) {
    constexpr int64_t element = dist == StoreDist::DIST_FIRST_ELEMENT_B8    ? 1
                                : dist == StoreDist::DIST_FIRST_ELEMENT_B16 ? 2
                                                                            : 4;
    src.sources.use(0);
    if (tilesmith::mayWrite(offset, element, element))
      memcpy(tilesmith::vf->ub + offset, src.bytes, size_t(element));
    return;
  } else {
    src.sources.use(mask.last());
    mask.sources.use(mask.last());
  }
  if constexpr (dist == StoreDist::DIST_FIRST_ELEMENT_B8 || dist == StoreDist::DIST_FIRST_ELEMENT_B16 ||
                dist == StoreDist::DIST_FIRST_ELEMENT_B32)
    return;
  else if constexpr (dist == StoreDist::DIST_PACK_B16)
    tsScatter(offset, src.bytes, mask, 1, 2);
  else if constexpr (dist == StoreDist::DIST_PACK_B32)
    tsScatter(offset, src.bytes, mask, 2, 4);
  else if constexpr (dist == StoreDist::DIST_PACK_B64)
    tsScatter(offset, src.bytes, mask, 4, 8);
  else if constexpr (dist == StoreDist::DIST_PACK4_B32)
    tsScatter(offset, src.bytes, mask, 1, 4);
  else if constexpr (dist == StoreDist::DIST_NORM || dist == StoreDist::DIST_NORM_B8 ||
                     dist == StoreDist::DIST_NORM_B16 || dist == StoreDist::DIST_NORM_B32)
    tsScatter(offset, src.bytes, mask, size, size);
  else
    static_assert(dist == StoreDist::DIST_NORM, "StoreAlign: this distribution takes two registers");
}
template <typename T, PostLiteral post, StoreDist dist = StoreDist::DIST_NORM, typename X, const RegTrait &trait>
void StoreAlign(X *&p, const RegTensor<X, trait> &src, int32_t stride, const MaskReg &mask,
                tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(post == PostLiteral::POST_MODE_UPDATE, "StoreAlign: only POST_MODE_UPDATE exists here");
  StoreAlign<T, dist>(p, src, mask, where);
  p += stride;
}
template <typename T = void, StoreDist dist = StoreDist::DIST_NORM, typename X, const RegTrait &trait>
void StoreAlign(X *p, const RegTensor<X, trait> &src, AddrReg offset, const MaskReg &mask,
                tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, dist>(p + offset.offset, src, mask, where);
}
template <typename T = void, MaskDist dist = MaskDist::DIST_NORM, typename X>
void StoreAlign(X *p, const MaskReg &src, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(dist != MaskDist::DIST_DS, "StoreAlign of a mask: DIST_NORM or DIST_PACK");
  if (!tilesmith::running(where))
    return;
  tilesmith::stored(src.ready);
  constexpr int64_t step = dist == MaskDist::DIST_PACK ? 2 : 1;
  // Bits of lanes that mean something: one each when the mask has been packed that far.
  int64_t bits = src.width == step ? src.lanes : tilesmith::registerBytes / step;
  src.sources.use(src.last());
  uint8_t memory[32] = {};
  for (int64_t i = 0; i < bits; ++i)
    if (src.test(i * step))
      memory[i / 8] |= uint8_t(1u << (i % 8));
  int64_t offset = tilesmith::ubOffset(p), bytes = (bits + 7) / 8;
  if (tilesmith::mayWrite(offset, bytes, 1))
    memcpy(tilesmith::vf->ub + offset, memory, size_t(bytes));
}

// Addresses of any alignment. The helper register keeps nothing here.
template <typename X> void LoadUnAlignPre(UnalignReg &, const X *) {}
template <typename X, const RegTrait &trait>
void LoadUnAlign(RegTensor<X, trait> &dst, UnalignReg &, const X *p,
                 tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  dst.ready = tilesmith::loaded();
  tsSpread(dst, tilesmith::ubOffset(p), sizeof(X), sizeof(X), 1);
}
template <typename X, const RegTrait &trait>
void LoadUnAlign(RegTensor<X, trait> &dst, UnalignReg &u, X *&p, uint32_t stride,
                 tilesmith::Where where = tilesmith::Where::here()) {
  LoadUnAlign(dst, u, const_cast<const X *>(p), where);
  p += stride;
}
template <typename X, const RegTrait &trait>
void StoreUnAlign(X *&p, const RegTensor<X, trait> &src, UnalignReg &, uint32_t count,
                  tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  tilesmith::stored(src.ready);
  int64_t bytes = int64_t(count) * int64_t(sizeof(X));
  bytes = bytes < tilesmith::registerBytes ? bytes : tilesmith::registerBytes;
  src.sources.use(bytes - 1);
  int64_t offset = tilesmith::ubOffset(p);
  if (tilesmith::mayWrite(offset, bytes, 1))
    memcpy(tilesmith::vf->ub + offset, src.bytes, size_t(bytes));
  p += count;
}
// A mask as one bit for each lane of the pointer's type.
template <typename X>
void StoreUnAlign(X *&p, const MaskReg &src, UnalignReg &, tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  tilesmith::stored(src.ready);
  constexpr int64_t width = sizeof(X), all = tilesmith::registerBytes / width;
  int64_t lanes = src.width == width && src.lanes < all ? src.lanes : all;
  src.sources.use((lanes - 1) * width);
  uint8_t memory[32] = {};
  for (int64_t i = 0; i < lanes; ++i)
    if (src.test(i * width))
      memory[i / 8] |= uint8_t(1u << (i % 8));
  int64_t offset = tilesmith::ubOffset(p), bytes = (lanes + 7) / 8;
  if (tilesmith::mayWrite(offset, bytes, 1))
    memcpy(tilesmith::vf->ub + offset, memory, size_t(bytes));
  p += all / 8 / width;
}
template <typename X> void StoreUnAlignPost(X *&, UnalignReg &, int32_t) {}

// Both steps of an unaligned access at once.
template <typename T = void, typename X, const RegTrait &trait>
void Load(RegTensor<X, trait> &dst, const X *p, tilesmith::Where where = tilesmith::Where::here()) {
  UnalignReg unaligned;
  LoadUnAlign(dst, unaligned, p, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void Store(X *p, const RegTensor<X, trait> &src,
           uint32_t count = uint32_t(tilesmith::registerBytes / int64_t(sizeof(X))),
           tilesmith::Where where = tilesmith::Where::here()) {
  UnalignReg unaligned;
  StoreUnAlign(p, src, unaligned, count, where);
}

template <typename T> AddrReg CreateAddrReg(uint16_t i0, uint32_t s0) { return {int64_t(i0) * s0}; }
template <typename T> AddrReg CreateAddrReg(uint16_t i0, uint32_t s0, uint16_t i1, uint32_t s1) {
  return {int64_t(i0) * s0 + int64_t(i1) * s1};
}

// Program order is one of the orders the chip may take; what a barrier costs is that loads wait for stores.
template <MemType from, MemType to> void LocalMemBar(tilesmith::Where where = tilesmith::Where::here()) {
  if ((from == MemType::VEC_STORE || from == MemType::VEC_ALL) && (to == MemType::VEC_LOAD || to == MemType::VEC_ALL) &&
      tilesmith::running(where))
    tilesmith::told(TS_VF_BARRIER, 0);
}

//===- Widths
//-------------------------------------------------------------------------------------------------------------===//

// One half of a register with its elements twice as wide, and back: the low half of every element. Source and
// destination may be one register seen twice.
template <typename D, typename S, HighLowPart part = HighLowPart::LOWEST, const RegTrait &trait>
void UnPack(RegTensor<D, trait> &dst, const RegTensor<S, trait> &src) {
  static_assert(sizeof(D) == 2 * sizeof(S), "UnPack doubles the width of elements");
  constexpr int64_t count = tilesmith::registerBytes / int64_t(sizeof(D)),
                    first = part == HighLowPart::LOWEST ? 0 : count;
  RegTensor<D, trait> result;
  for (int64_t i = 0; i < count; ++i)
    result.tsSet(i, D(src.tsLane(first + i)));
  result.sources = part == HighLowPart::LOWEST ? src.sources.scaled(2, 1) : src.sources;
  result.ready = src.ready;
  dst = result;
}
template <typename D, typename S, HighLowPart part = HighLowPart::LOWEST, const RegTrait &trait>
void Pack(RegTensor<D, trait> &dst, const RegTensor<S, trait> &src) {
  static_assert(sizeof(S) == 2 * sizeof(D), "Pack halves the width of elements");
  constexpr int64_t count = tilesmith::registerBytes / int64_t(sizeof(S)),
                    first = part == HighLowPart::LOWEST ? 0 : count;
  RegTensor<D, trait> result;
  memset(result.bytes, 0, sizeof result.bytes);
  for (int64_t i = 0; i < count; ++i)
    memcpy(result.bytes + (first + i) * int64_t(sizeof(D)), src.bytes + i * int64_t(sizeof(S)), sizeof(D));
  result.sources = src.sources.scaled(1, 2);
  result.ready = src.ready;
  dst = result;
}

// A mask of T's lanes from the bits of a register.
template <typename T, int16_t offset, typename X, const RegTrait &trait>
void MaskGenWithRegTensor(MaskReg &dst, const RegTensor<X, trait> &src) {
  constexpr int64_t width = sizeof(T), lanes = tilesmith::registerBytes / width, first = offset * lanes;
  static_assert(first + lanes <= tilesmith::registerBytes * 8, "MaskGenWithRegTensor: the offset leaves the register");
  MaskReg result;
  result.width = width;
  result.lanes = lanes;
  for (int64_t i = 0; i < lanes; ++i)
    if (src.bytes[(first + i) / 8] >> ((first + i) % 8) & 1)
      for (int64_t bit = 0; bit < width; ++bit) // all bits of a lane, for elements of any width
        result.set(i * width + bit);
  // Lane i is one bit where the register has a byte for every eight.
  for (int32_t load : src.sources.loads)
    if (load >= 0) {
      tilesmith::VfLoad bits = tilesmith::vfLoads[size_t(load)];
      bits.offset += first / 8;
      bits.bits = 1;
      bits.stride = width;
      bits.read = 0;
      tilesmith::vfLoads.push_back(bits);
      result.sources.add(int32_t(tilesmith::vfLoads.size() - 1));
    }
  result.ready = src.ready;
  dst = result;
}

// Names of older sources.
template <typename T = void, LoadDist dist = LoadDist::DIST_NORM, typename X, const RegTrait &trait>
void DataCopy(RegTensor<X, trait> &dst, const X *p, tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, dist>(dst, p, where);
}
template <typename T = void, StoreDist dist = StoreDist::DIST_NORM, typename X, const RegTrait &trait>
void DataCopy(X *p, const RegTensor<X, trait> &src, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, dist>(p, src, mask, where);
}

} // namespace Reg
} // namespace AscendC

#endif
