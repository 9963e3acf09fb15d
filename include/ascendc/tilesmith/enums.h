// Enumerations and constants that only Ascend C knows; those of the instruction table are generated (types.inc).
#ifndef TILESMITH_ASCENDC_ENUMS_H
#define TILESMITH_ASCENDC_ENUMS_H

#include "tilesmith/base.h"

namespace AscendC {

enum class TPosition : uint8_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  MAX
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

enum class MaskMode : uint8_t { NORMAL, COUNTER };
enum class MemDsbT : uint8_t { ALL, DDR, UB, SEQ };
enum class CO2Layout : uint8_t { NZ, ROW_MAJOR, COLUMN_MAJOR };
enum class DataFormat : uint8_t { ND, NZ, NCHW, NC1HWC0, NHWC };
enum class CacheMode { CACHE_MODE_DISABLE = 1, CACHE_MODE_NORMAL = 0, CACHE_MODE_LAST = 2, CACHE_MODE_PERSISTENT = 4 };
enum class CacheRwMode { READ = 1, WRITE = 2, RW = 3 };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum { AIC = 1, AIV = 2, MIX = 3 };

struct FixpipeConfig {
  CO2Layout format;
  bool isToUB = false;
};
inline constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};
inline constexpr FixpipeConfig CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};

constexpr uint32_t ONE_BLK_SIZE = tilesmith::chip::blockBytes, DEFAULT_C0_SIZE = tilesmith::chip::blockBytes,
                   ONE_REPEAT_BYTE_SIZE = tilesmith::chip::repeatBytes,
                   DEFAULT_BLK_NUM = ONE_REPEAT_BYTE_SIZE / ONE_BLK_SIZE;
constexpr uint32_t DEFAULT_BLK_STRIDE = 1, DEFAULT_REPEAT_STRIDE = DEFAULT_BLK_NUM, HALF_FACTOR = 2;
constexpr uint32_t TOTAL_L1_SIZE = 512 * 1024, TOTAL_L0C_SIZE = 128 * 1024, TOTAL_L0A_SIZE = 64 * 1024,
                   TOTAL_L0B_SIZE = 64 * 1024;
constexpr uint8_t MAX_REPEAT_TIMES = 255;

} // namespace AscendC

enum event_t : int32_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
using TEventID = int8_t;
enum class CubeFormat { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR };
enum class LayoutMode { NONE = 0, NORMAL, BSNGD, SBNGD, BNGS1S2 };

namespace tilesmith {

constexpr Memory memoryOf(AscendC::TPosition position) {
  switch (position) {
  case AscendC::TPosition::GM:
    return Memory::GM;
  case AscendC::TPosition::A1:
  case AscendC::TPosition::B1:
  case AscendC::TPosition::C1:
  case AscendC::TPosition::TSCM:
    return Memory::L1;
  case AscendC::TPosition::A2:
    return Memory::L0A;
  case AscendC::TPosition::B2:
    return Memory::L0B;
  case AscendC::TPosition::C2:
    return Memory::BT;
  case AscendC::TPosition::CO1:
    return Memory::L0C;
  default:
    return Memory::UB;
  }
}

} // namespace tilesmith

#endif
