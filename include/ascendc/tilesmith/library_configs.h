// What calls of the library say about how to compute. The model has one way for each function, which is at least as
// exact as any of the vendor's, so these change nothing.
#ifndef TILESMITH_ASCENDC_LIBRARY_CONFIGS_H
#define TILESMITH_ASCENDC_LIBRARY_CONFIGS_H

#include <stdint.h>

namespace AscendC {

enum class PowerAlgo { INTRINSIC = 0, DOUBLE_FLOAT_TECH };
enum class TanhAlgo { INTRINSIC = 0, COMPENSATION };
enum class SinAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
enum class CosAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
enum class ErfAlgo { INTRINSIC = 0, SUBSECTION_POLYNOMIAL_APPROXIMATION };
enum class AtanAlgo { TAYLOR_EXPANSION = 0, POLYNOMIAL_APPROXIMATION };
enum class RoundAlgo { INTRINSIC = 0 };
struct PowerConfig {
  PowerAlgo algo = PowerAlgo::INTRINSIC;
};
struct TanhConfig {
  TanhAlgo algo = TanhAlgo::INTRINSIC;
};
struct SinConfig {
  SinAlgo algo = SinAlgo::POLYNOMIAL_APPROXIMATION;
};
struct CosConfig {
  CosAlgo algo = CosAlgo::POLYNOMIAL_APPROXIMATION;
};
struct ErfConfig {
  ErfAlgo algo = ErfAlgo::INTRINSIC;
};
struct AtanConfig {
  AtanAlgo algo = AtanAlgo::TAYLOR_EXPANSION;
};
inline constexpr PowerConfig DEFAULT_POWER_CONFIG{}, defaultPowerConfig{};
inline constexpr TanhConfig DEFAULT_TANH_CONFIG{};
inline constexpr SinConfig defaultSinConfig{};
inline constexpr CosConfig defaultCosConfig{};

} // namespace AscendC

#endif
