// The vector mask. The register is the core's: a call names it in its mask operand, or says what it becomes.
#ifndef TILESMITH_ASCENDC_MASKS_H
#define TILESMITH_ASCENDC_MASKS_H

#include "tilesmith/enums.h"

namespace tilesmith {

// The mask operand of a call: a number of first lanes, or one bit for each of the lanes of a repeat.
template <bool isSetMask, int64_t lanes, typename Mask> int64_t maskOf(const Mask &mask) {
  if constexpr (!isSetMask) {
    return TS_MASK_BITS;
  } else if constexpr (std::is_integral_v<Mask>) {
    return mask < 0 ? TS_MASK_GIVEN : TS_MASK_GIVEN + int64_t(uint64_t(mask) < TS_MASK_MOST ? mask : TS_MASK_MOST);
  } else {
    const uint64_t *words = mask;
    api->tsm_mask_lanes(core, int64_t(words[0]), lanes > 64 ? int64_t(words[1]) : 0);
    return TS_MASK_BITS;
  }
}

} // namespace tilesmith

namespace AscendC {

inline void SetMaskCount() { tilesmith::api->tsm_mask_mode(tilesmith::core, 1); }
inline void SetMaskNorm() { tilesmith::api->tsm_mask_mode(tilesmith::core, 0); }
inline void ResetMask() { tilesmith::api->tsm_mask_lanes(tilesmith::core, -1, -1); }
template <typename T, MaskMode mode = MaskMode::NORMAL> inline void SetVectorMask(uint64_t maskHigh, uint64_t maskLow) {
  tilesmith::api->tsm_mask_mode(tilesmith::core, mode == MaskMode::COUNTER);
  tilesmith::api->tsm_mask_lanes(tilesmith::core, int64_t(maskLow), int64_t(maskHigh));
}
template <typename T, MaskMode mode = MaskMode::NORMAL> inline void SetVectorMask(int32_t length) {
  tilesmith::api->tsm_mask_mode(tilesmith::core, mode == MaskMode::COUNTER);
  tilesmith::api->tsm_mask_first(tilesmith::core, length);
}

// The scale of the next casts from int32_t to half.
inline void SetDeqScale(half scale) {
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(tilesmith::Register::DeqScale),
                                   tilesmith::bitsOf<half>(scale));
}

// Scale, offset and sign of the next CastDeq.
inline uint64_t tsDeqWord(float scale, int16_t offset, bool signMode) {
  return uint64_t(uint32_t(tilesmith::bitsOf<float>(scale))) | uint64_t(uint16_t(offset) & 0x1ff) << 37 |
         uint64_t(signMode) << 46;
}
inline void SetDeqScale(float scale, int16_t offset, bool signMode) {
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(tilesmith::Register::DeqScale),
                                   int64_t(tsDeqWord(scale, offset, signMode)));
}
constexpr uint64_t MASK_PLACEHOLDER = 0;

} // namespace AscendC

#endif
