// The vector mask of a core: what SetVectorMask, SetMaskCount and masks of instructions leave behind, and who is active
// in a repeat because of it. Instructions of the Machine take either the number of first lanes or the lanes themselves.
#ifndef TILESMITH_ASCENDC_MASKS_H
#define TILESMITH_ASCENDC_MASKS_H

#include "tilesmith/enums.h"

namespace tilesmith {

struct MaskState {
  bool counts = false; // counter mode: `low` elements in all
  uint64_t low = ~uint64_t(0), high = ~uint64_t(0);
};
inline thread_local MaskState maskState TILESMITH_HIDDEN;

// What SetDeqScale and the calls before a Fixpipe leave behind.
inline thread_local half deqScale TILESMITH_HIDDEN = half(1.0f);
struct FixpipeState {
  int64_t quant = 0, ndNum = 1, srcNdStride = 0, dstNdStride = 0;
};
inline thread_local FixpipeState fixpipeState TILESMITH_HIDDEN;

// The first n lanes as bits.
inline void setPrefix(uint64_t n) {
  maskState.low = n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1;
  maskState.high = n >= 128 ? ~uint64_t(0) : n > 64 ? (uint64_t(1) << (n - 64)) - 1 : 0;
}

// Count forms leave all lanes active.
inline void countForm() { maskState = {}; }

// Runs one call with the mask that is set. Lanes beyond those of a repeat do not exist.
template <int64_t lanes, typename Call> void withState(int64_t repeat, Call call) {
  if (maskState.counts) {
    int64_t count = int64_t(maskState.low), whole = count / lanes, rest = count % lanes;
    if (whole)
      call(lanes, whole, int64_t(0));
    if (rest)
      call(rest, int64_t(1), whole);
    return;
  }
  uint64_t low = maskState.low, high = lanes > 64 ? maskState.high : 0;
  if (lanes < 64)
    low &= (uint64_t(1) << (lanes & 63)) - 1;
  bool prefix = (low & (low + 1)) == 0 && (high & (high + 1)) == 0 && (high == 0 || low == ~uint64_t(0));
  if (prefix)
    return call(int64_t(__builtin_popcountll(low) + __builtin_popcountll(high)), repeat, int64_t(0));
  api->mask_bits(core, low, high);
  call(TS_MASK_BITS, repeat, int64_t(0));
}

template <bool isSetMask, int64_t lanes, typename Call> void withMask(uint64_t mask, int64_t repeat, Call call) {
  if constexpr (isSetMask) {
    if (maskState.counts) { // in counter mode a mask is the number of all elements
      maskState.low = mask;
      return withState<lanes>(repeat, call);
    }
    setPrefix(mask);
    call(mask < uint64_t(lanes) ? int64_t(mask) : lanes, repeat, int64_t(0));
  } else {
    withState<lanes>(repeat, call);
  }
}

template <bool isSetMask, int64_t lanes, typename Call>
void withMask(const uint64_t mask[], int64_t repeat, Call call) {
  if constexpr (isSetMask) {
    maskState.low = mask[0];
    maskState.high = lanes > 64 ? mask[1] : 0;
  }
  withState<lanes>(repeat, call);
}

} // namespace tilesmith

namespace AscendC {

inline void SetMaskCount() { tilesmith::maskState.counts = true; }
inline void SetMaskNorm() { tilesmith::maskState.counts = false; }
inline void ResetMask() { tilesmith::maskState.low = tilesmith::maskState.high = ~uint64_t(0); }
template <typename T, MaskMode mode = MaskMode::NORMAL> inline void SetVectorMask(uint64_t maskHigh, uint64_t maskLow) {
  tilesmith::maskState.counts = mode == MaskMode::COUNTER;
  tilesmith::maskState.low = maskLow;
  tilesmith::maskState.high = maskHigh;
}
template <typename T, MaskMode mode = MaskMode::NORMAL> inline void SetVectorMask(int32_t length) {
  tilesmith::maskState.counts = mode == MaskMode::COUNTER;
  if (mode == MaskMode::COUNTER)
    tilesmith::maskState.low = uint64_t(length < 0 ? 0 : length);
  else
    tilesmith::setPrefix(uint64_t(length < 0 ? 0 : length));
}

constexpr uint64_t MASK_PLACEHOLDER = 0;

} // namespace AscendC

#endif
