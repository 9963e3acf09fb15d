// The C API: a block, its flags, and copies. Sizes are bytes, gaps of plain copies blocks of 32 bytes.
#ifndef TILESMITH_ASCENDC_CAPI_MOVES_H
#define TILESMITH_ASCENDC_CAPI_MOVES_H

#include "kernel_operator.h"

namespace tilesmith {

// A pointer into UB, or into global memory, as the tensor that begins there.
template <typename T> AscendC::LocalTensor<T> tensorAt(const T *pointer) {
  int64_t offset =
      int64_t(reinterpret_cast<intptr_t>(pointer)) - int64_t(reinterpret_cast<intptr_t>(api->tsm_ub(core)));
  int64_t left = api->tsm_capacity(core, int64_t(Memory::UB)) - offset;
  return AscendC::LocalTensor<T>::tsAt(addressOf(Memory::UB, offset),
                                       uint32_t(left > 0 ? left / int64_t(sizeof(T)) : 0), AscendC::TPosition::VECCALC);
}
template <typename T> AscendC::GlobalTensor<T> globalAt(const T *pointer) {
  AscendC::GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(const_cast<T *>(pointer));
  return tensor;
}
inline AscendC::LocalTensor<uint8_t> bytesAt(const void *pointer) {
  return tensorAt(static_cast<const uint8_t *>(pointer));
}
inline AscendC::GlobalTensor<uint8_t> globalBytesAt(const void *pointer) {
  return globalAt(static_cast<const uint8_t *>(pointer));
}

// What every asc_*_sync does behind its instruction: the core goes on when all of it is done.
inline void waitForAll(Where where) { pipe_barrier(PIPE_ALL, where); }

} // namespace tilesmith

//===- The block
//---------------------------------------------------------------------------------------------------===//

inline void asc_init() { AscendC::InitSocState(); }
inline int64_t asc_get_block_idx(tilesmith::Where where = tilesmith::Where::here()) { return get_block_idx(where); }
inline int64_t asc_get_block_num(tilesmith::Where where = tilesmith::Where::here()) { return get_block_num(where); }
inline int64_t asc_get_sub_block_id() { return get_subblockid(); }
inline int64_t asc_get_sub_block_dim() { return get_subblockdim(); }
inline int64_t asc_get_core_id(tilesmith::Where where = tilesmith::Where::here()) { return get_block_idx(where); }
inline int64_t asc_get_system_cycle() { return AscendC::GetSystemCycle(); }

inline void asc_sync_notify(pipe_t from, pipe_t to, int32_t id, tilesmith::Where where = tilesmith::Where::here()) {
  set_flag(from, to, id, where);
}
inline void asc_sync_wait(pipe_t from, pipe_t to, int32_t id, tilesmith::Where where = tilesmith::Where::here()) {
  wait_flag(from, to, id, where);
}
inline void asc_sync_pipe(pipe_t pipe, tilesmith::Where where = tilesmith::Where::here()) { pipe_barrier(pipe, where); }
inline void asc_sync(tilesmith::Where where = tilesmith::Where::here()) { tilesmith::waitForAll(where); }
inline void asc_sync_vec(tilesmith::Where where = tilesmith::Where::here()) { pipe_barrier(PIPE_V, where); }
inline void asc_sync_mte2(tilesmith::Where where = tilesmith::Where::here()) { pipe_barrier(PIPE_MTE2, where); }
inline void asc_sync_mte3(tilesmith::Where where = tilesmith::Where::here()) { pipe_barrier(PIPE_MTE3, where); }
inline void asc_get_buf(pipe_t pipe, uint8_t id, bool mode = false, tilesmith::Where where = tilesmith::Where::here()) {
  get_buf(pipe, id, mode, where);
}
inline void asc_release_buf(pipe_t pipe, uint8_t id, bool mode = false) { rls_buf(pipe, id, mode); }

inline void asc_set_mask_count() { AscendC::SetMaskCount(); }
inline void asc_set_mask_norm() { AscendC::SetMaskNorm(); }
inline void asc_set_vector_mask(uint64_t high, uint64_t low) {
  tilesmith::api->tsm_mask_lanes(tilesmith::core, int64_t(low), int64_t(high));
}

//===- Copies
//------------------------------------------------------------------------------------------------------===//

inline void asc_copy_gm2ub(void *dst, const void *src, uint32_t bytes,
                           tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::DataCopyPad(tilesmith::bytesAt(dst), tilesmith::globalBytesAt(src),
                       AscendC::DataCopyExtParams{1, bytes, 0, 0, 0}, AscendC::DataCopyPadExtParams<uint8_t>{}, where);
}
inline void asc_copy_ub2gm(void *dst, const void *src, uint32_t bytes,
                           tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::DataCopyPad(tilesmith::globalBytesAt(dst), tilesmith::bytesAt(src),
                       AscendC::DataCopyExtParams{1, bytes, 0, 0, 0}, where);
}
// Bursts of whole blocks.
inline void asc_copy_gm2ub(void *dst, const void *src, uint16_t bursts, uint16_t blocks, uint16_t srcGap,
                           uint16_t dstGap, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::DataCopy(tilesmith::bytesAt(dst), tilesmith::globalBytesAt(src),
                    AscendC::DataCopyParams{bursts, blocks, srcGap, dstGap}, where);
}
inline void asc_copy_ub2gm(void *dst, const void *src, uint16_t bursts, uint16_t blocks, uint16_t srcGap,
                           uint16_t dstGap, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::DataCopy(tilesmith::globalBytesAt(dst), tilesmith::bytesAt(src),
                    AscendC::DataCopyParams{bursts, blocks, srcGap, dstGap}, where);
}
inline void asc_copy_ub2ub(void *dst, const void *src, uint16_t bursts, uint16_t blocks, uint16_t srcGap,
                           uint16_t dstGap, tilesmith::Where where = tilesmith::Where::here()) {
  using Word = uint16_t; // which both architectures copy
  AscendC::DataCopy(tilesmith::tensorAt(static_cast<Word *>(dst)), tilesmith::tensorAt(static_cast<const Word *>(src)),
                    AscendC::DataCopyParams{bursts, blocks, srcGap, dstGap}, where);
}
inline void asc_copy_gm2ub_sync(void *dst, const void *src, uint32_t bytes,
                                tilesmith::Where where = tilesmith::Where::here()) {
  asc_copy_gm2ub(dst, src, bytes, where);
  tilesmith::waitForAll(where);
}
inline void asc_copy_ub2gm_sync(void *dst, const void *src, uint32_t bytes,
                                tilesmith::Where where = tilesmith::Where::here()) {
  asc_copy_ub2gm(dst, src, bytes, where);
  tilesmith::waitForAll(where);
}

// Hints for L2. Which one it is changes nothing here; the loader takes the names of the vendor's enumerators away.
enum class asc_load_l2_cache_mode { tsAny };
enum class asc_store_l2_cache_mode { tsAny };

namespace tilesmith {

// What copies count in: bytes where a pointer does not say.
template <typename T> using Counted = std::conditional_t<std::is_void_v<T>, uint8_t, std::remove_cv_t<T>>;

struct Bursts {
  int64_t count, bytes, srcGap, dstGap; // gaps in global memory are bytes, those in UB blocks
  AscendC::DataCopyExtParams params() const {
    AscendC::DataCopyExtParams result;
    result.blockCount = uint16_t(count);
    result.blockLen = uint32_t(bytes);
    result.srcStride = decltype(result.srcStride)(srcGap);
    result.dstStride = decltype(result.dstStride)(dstGap);
    return result;
  }
};
template <typename T>
void copyIn(void *dst, const void *src, const Bursts &bursts, bool isPadded, uint8_t left, uint8_t right, Where where) {
  AscendC::DataCopyPad(tensorAt(static_cast<T *>(dst)), globalAt(static_cast<const T *>(src)), bursts.params(),
                       AscendC::DataCopyPadExtParams<T>{isPadded, left, right, T(0)}, where);
}
template <typename T> void copyOut(void *dst, const void *src, const Bursts &bursts, Where where) {
  AscendC::DataCopyPad(globalAt(static_cast<T *>(dst)), tensorAt(static_cast<const T *>(src)), bursts.params(), where);
}
// A distance from burst to burst as the gap behind one of them.
inline int64_t gapBehind(int64_t stride, int64_t bytes, int64_t bursts, int64_t unit) {
  return bursts <= 1 ? 0 : (stride - (bytes + unit - 1) / unit * unit) / unit;
}

} // namespace tilesmith

// Bursts of any number of bytes. On the 910B gaps follow: those of global memory in bytes, those of UB in blocks.
template <typename T, typename U>
inline void asc_copy_gm2ub_align(T *dst, U *src, uint16_t bursts, uint32_t bytes, uint8_t leftPadding,
                                 uint8_t rightPadding, uint32_t srcGap, uint32_t dstGap,
                                 tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::copyIn<tilesmith::Counted<T>>(dst, src, {bursts, bytes, srcGap, dstGap}, leftPadding || rightPadding,
                                           leftPadding, rightPadding, where);
}
template <typename T, typename U>
inline void asc_copy_ub2gm_align(T *dst, U *src, uint16_t bursts, uint32_t bytes, uint32_t srcGap, uint32_t dstGap,
                                 tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::copyOut<tilesmith::Counted<T>>(dst, src, {bursts, bytes, srcGap, dstGap}, where);
}
// On the 950 a hint for L2 follows, and the bytes from the beginning of a burst to that of the next.
template <typename T, typename U, typename Cache>
inline void asc_copy_gm2ub_align(T *dst, U *src, uint32_t bursts, uint32_t bytes, uint8_t leftPadding,
                                 uint8_t rightPadding, bool isPadded, Cache, uint64_t srcStride, uint32_t dstStride,
                                 tilesmith::Where where = tilesmith::Where::here()) {
  using Element = tilesmith::Counted<T>;
  int64_t padded = bytes + (leftPadding + rightPadding) * int64_t(sizeof(Element));
  tilesmith::copyIn<Element>(dst, src,
                             {bursts, bytes, tilesmith::gapBehind(int64_t(srcStride), bytes, bursts, 1),
                              tilesmith::gapBehind(dstStride, padded, bursts, 32)},
                             isPadded, leftPadding, rightPadding, where);
}
template <typename T, typename U, typename Cache>
inline void asc_copy_ub2gm_align(T *dst, U *src, uint32_t bursts, uint32_t bytes, Cache, uint64_t dstStride,
                                 uint32_t srcStride, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::copyOut<tilesmith::Counted<T>>(dst, src,
                                            {bursts, bytes, tilesmith::gapBehind(srcStride, bytes, bursts, 32),
                                             tilesmith::gapBehind(int64_t(dstStride), bytes, bursts, 1)},
                                            where);
}

#endif
