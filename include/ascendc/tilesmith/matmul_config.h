// MatmulConfig: variants of matrix objects, and the functions that make them while compiling.
#ifndef TILESMITH_ASCENDC_MATMUL_CONFIG_H
#define TILESMITH_ASCENDC_MATMUL_CONFIG_H

#include "tilesmith/enums.h"
#include "tilesmith/matmul_tilings.h"

enum class BatchMode { NONE = 0, BATCH_LESS_THAN_L1, BATCH_LARGE_THAN_L1, SINGLE_LARGE_THAN_L1 };
enum class BatchOutMode { SINGLE_BATCH = 0, MULTI_BATCH, DYNAMIC };
enum class IterateOrder { ORDER_M = 0, ORDER_N, UNDEF };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT };
enum IterateMode : uint8_t {
  ITERATE_MODE_NORMAL = 1,
  ITERATE_MODE_ALL = 2,
  ITERATE_MODE_BATCH = 4,
  ITERATE_MODE_N_BATCH = 8,
  ITERATE_MODE_DEFAULT = 255
};
enum class MatmulConfigMode { CONFIG_NORM = 1, CONFIG_MDL, CONFIG_SPECIALMDL, CONFIG_IBSHARE };

struct MatmulConfig {
#define TILESMITH_MATMUL_CONFIG(TYPE, NAME, PYTHON, VALUE, ...) TYPE NAME = TYPE(VALUE);
#include "tilesmith/Machine/MatmulConfig.def"
};

// A configuration with its tiling, where both are known while compiling; -1: not known.
struct MatmulApiStaticTiling {
#define TILESMITH_CUBE_TILING(NAME, PYTHON) int32_t NAME = -1;
#include "tilesmith/Machine/CubeTiling.def"
  MatmulConfig cfg = {};
};

// What GetMMConfig takes, in any order.
struct MatmulShapeParams {
  uint32_t singleCoreM = 0, singleCoreN = 0, singleCoreK = 0, basicM = 0, basicN = 0, basicK = 0;
};
struct MatmulQuantParams {
  bool isPerTensor = false, hasAntiQuantOffset = false;
};
struct MatmulBatchParams {
  bool isNBatch = false;
  BatchMode batchMode = BatchMode::BATCH_LESS_THAN_L1;
  bool isBiasBatch = true;
};
struct MatmulFuncParams {
  bool intrinsicsCheck = false, enVecND2NZ = false, enableDoubleCache = false, enableL1CacheUB = false;
  uint32_t doMTE2Preload = 0;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableReuse = true, enableUBReuse = false, isPartialOutput = false, isA2B2Shared = false;
  bool isEnableChannelSplit = false, enableKdimReorderLoad = false;
};

namespace tilesmith {
constexpr MatmulConfig matmulMode(MatmulConfigMode mode) {
  MatmulConfig config;
  config.doNorm = mode == MatmulConfigMode::CONFIG_NORM;
  config.doMultiDataLoad = mode == MatmulConfigMode::CONFIG_MDL;
  config.doSpecialMDL = mode == MatmulConfigMode::CONFIG_SPECIALMDL;
  config.doIBShareNorm = mode == MatmulConfigMode::CONFIG_IBSHARE;
  return config;
}
constexpr void take(MatmulConfig &config, const MatmulShapeParams &given) {
  config.singleCoreM = given.singleCoreM;
  config.singleCoreN = given.singleCoreN;
  config.singleCoreK = given.singleCoreK;
  config.basicM = given.basicM;
  config.basicN = given.basicN;
  config.basicK = given.basicK;
}
constexpr void take(MatmulConfig &config, const MatmulQuantParams &given) {
  config.isPerTensor = given.isPerTensor;
  config.hasAntiQuantOffset = given.hasAntiQuantOffset;
}
constexpr void take(MatmulConfig &config, const MatmulBatchParams &given) {
  config.isNBatch = given.isNBatch;
  config.batchMode = given.batchMode;
  config.isBiasBatch = given.isBiasBatch;
}
constexpr void take(MatmulConfig &config, const MatmulFuncParams &given) {
  config.intrinsicsCheck = given.intrinsicsCheck;
  config.enVecND2NZ = given.enVecND2NZ;
  config.enableDoubleCache = given.enableDoubleCache;
  config.enableL1CacheUB = given.enableL1CacheUB;
  config.doMTE2Preload = given.doMTE2Preload;
  config.iterateOrder = given.iterateOrder;
  config.scheduleType = given.scheduleType;
  config.enableReuse = given.enableReuse;
  config.enableUBReuse = given.enableUBReuse;
  config.isPartialOutput = given.isPartialOutput;
  config.isA2B2Shared = given.isA2B2Shared;
  config.isEnableChannelSplit = given.isEnableChannelSplit;
  config.enableKdimReorderLoad = given.enableKdimReorderLoad;
}
} // namespace tilesmith

template <MatmulConfigMode mode, typename... Params> constexpr MatmulConfig GetMMConfig(Params &&...params) {
  MatmulConfig config = tilesmith::matmulMode(mode);
  (tilesmith::take(config, params), ...);
  return config;
}

constexpr MatmulConfig GetNormalConfig(bool intrinsicsLimit = false, bool batchLoop = false, bool isVecND2NZ = false,
                                       BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1, bool isMsgReuse = true,
                                       IterateOrder iterateOrder = IterateOrder::UNDEF,
                                       ScheduleType scheduleType = ScheduleType::INNER_PRODUCT, bool enUnitFlag = true,
                                       bool enableMixDualMaster = false) {
  MatmulConfig config = tilesmith::matmulMode(MatmulConfigMode::CONFIG_NORM);
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enVecND2NZ = isVecND2NZ;
  config.batchMode = bmmMode;
  config.enableReuse = isMsgReuse;
  config.iterateOrder = iterateOrder;
  config.scheduleType = scheduleType;
  config.enUnitFlag = enUnitFlag;
  config.enableMixDualMaster = enableMixDualMaster;
  return config;
}

constexpr MatmulConfig GetMDLConfig(bool intrinsicsLimit = false, bool batchLoop = false, uint32_t doMTE2Preload = 0,
                                    bool isVecND2NZ = false, bool isPerTensor = false, bool hasAntiQuantOffset = false,
                                    bool enUnitFlag = false, bool isMsgReuse = true, bool enableUBReuse = true,
                                    bool enableL1CacheUB = false, bool enableMixDualMaster = false,
                                    bool enableKdimReorderLoad = false) {
  MatmulConfig config = tilesmith::matmulMode(MatmulConfigMode::CONFIG_MDL);
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.doMTE2Preload = doMTE2Preload;
  config.enVecND2NZ = isVecND2NZ;
  config.isPerTensor = isPerTensor;
  config.hasAntiQuantOffset = hasAntiQuantOffset;
  config.enUnitFlag = enUnitFlag;
  config.enableReuse = isMsgReuse;
  config.enableUBReuse = enableUBReuse;
  config.enableL1CacheUB = enableL1CacheUB;
  config.enableMixDualMaster = enableMixDualMaster;
  config.enableKdimReorderLoad = enableKdimReorderLoad;
  return config;
}

constexpr MatmulConfig GetSpecialMDLConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                           uint32_t doMTE2Preload = 0, bool isVecND2NZ = false,
                                           bool isPerTensor = false, bool hasAntiQuantOffset = false) {
  MatmulConfig config =
      GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload, isVecND2NZ, isPerTensor, hasAntiQuantOffset);
  config.doMultiDataLoad = false;
  config.doSpecialMDL = true;
  return config;
}

constexpr MatmulConfig GetIBShareNormConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                            bool isVecND2NZ = false, BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                            bool isDoubleCache = false, bool enUnitFlag = true) {
  MatmulConfig config = tilesmith::matmulMode(MatmulConfigMode::CONFIG_IBSHARE);
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enVecND2NZ = isVecND2NZ;
  config.batchMode = bmmMode;
  config.enableDoubleCache = isDoubleCache;
  config.enUnitFlag = enUnitFlag;
  return config;
}

constexpr MatmulConfig GetBasicConfig(uint32_t basicM, uint32_t basicN, uint32_t basicK, bool intrinsicsLimit = false,
                                      bool batchLoop = false, BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config;
  config.doNorm = false;
  config.doBasicBlock = true;
  config.basicM = basicM;
  config.basicN = basicN;
  config.basicK = basicK;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.batchMode = bmmMode;
  return config;
}

constexpr MatmulConfig GetSpecialBasicConfig(uint32_t basicM, uint32_t basicN, uint32_t basicK, uint32_t singleCoreM,
                                             uint32_t singleCoreN, uint32_t singleCoreK, uint32_t stepM, uint32_t stepN,
                                             bool intrinsicsLimit = false, bool batchLoop = false,
                                             BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config = GetBasicConfig(basicM, basicN, basicK, intrinsicsLimit, batchLoop, bmmMode);
  config.doBasicBlock = false;
  config.doSpecialBasicBlock = true;
  config.singleCoreM = singleCoreM;
  config.singleCoreN = singleCoreN;
  config.singleCoreK = singleCoreK;
  config.stepM = stepM;
  config.stepN = stepN;
  config.baseMN = basicM * basicN;
  config.singleCoreMN = singleCoreM * singleCoreN;
  return config;
}

inline constexpr MatmulConfig CFG_NORM = GetNormalConfig();
inline constexpr MatmulConfig CFG_MDL = GetMDLConfig();
inline constexpr MatmulConfig MM_CFG_NO_PRELOAD = GetMDLConfig();
inline constexpr MatmulConfig MM_CFG_PRELOAD = GetMDLConfig(false, false, true);
inline constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();

// A tiling that is known while compiling: the sizes of the configuration. What it does not say stays -1, and is taken
// from the tiling the object is given.
template <class A, class B, class C, class BIAS>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig &config,
                                                   int32_t l1Size = int32_t(AscendC::TOTAL_L1_SIZE)) {
  MatmulApiStaticTiling tiling;
  tiling.cfg = config;
  auto take = [](int32_t &member, uint32_t value) { member = value ? int32_t(value) : -1; };
  take(tiling.singleCoreM, config.singleCoreM);
  take(tiling.singleCoreN, config.singleCoreN);
  take(tiling.singleCoreK, config.singleCoreK);
  take(tiling.baseM, config.basicM);
  take(tiling.baseN, config.basicN);
  take(tiling.baseK, config.basicK);
  if (!config.basicM || !config.basicN || !config.basicK)
    return tiling;
  using T = typename A::T;
  int32_t steps = config.singleCoreK ? int32_t((config.singleCoreK + config.basicK - 1) / config.basicK) : 1;
  int32_t step = int32_t((config.basicM + config.basicN) * config.basicK * sizeof(T));
  int32_t fit = l1Size / (2 * step), deep = fit < 1 ? 1 : fit < 4 ? fit : 4;
  tiling.stepM = tiling.stepN = 1;
  tiling.stepKa = tiling.stepKb = deep < steps ? deep : steps;
  tiling.depthA1 = tiling.depthB1 = 2 * tiling.stepKa;
  tiling.dbL0A = tiling.dbL0B = 2;
  tiling.dbL0C = 1;
  tiling.iterateOrder = config.iterateOrder == IterateOrder::ORDER_N ? 1 : 0;
  return tiling;
}

namespace AscendC {
using ::BatchMode;
using ::IterateOrder;
using ::MatmulConfig;
using ::ScheduleType;
} // namespace AscendC

#endif
