// Register-level vector functions of the 950: AscendC::Reg (also called MicroAPI).
//
// A register is 256 bytes of this thread; arithmetic is that of the Machine's instruction of the same name. While a
// function runs it counts its operations and names the bytes of UB it touches. Loads have no mask: a loaded register
// remembers where its lanes came from, and only lanes that are used count as read, so that the unused end of a register
// is not read past a tensor.
#ifndef TILESMITH_ASCENDC_REGISTERS_H
#define TILESMITH_ASCENDC_REGISTERS_H

#include "tilesmith/tensors.h"
#include <vector>

namespace AscendC {

enum class MaskMergeMode { UNKNOWN, ZEROING, MERGING };
enum class ReduceType { SUM, MAX, MIN };

namespace Reg {

enum class LoadDist {
  DIST_NORM,
  DIST_BRC_B8,
  DIST_BRC_B16,
  DIST_BRC_B32,
  DIST_US_B8,
  DIST_US_B16,
  DIST_DS_B8,
  DIST_DS_B16,
  DIST_UNPACK_B8,
  DIST_UNPACK_B16,
  DIST_UNPACK_B32,
  DIST_UNPACK4_B8,
  DIST_BLK,
  DIST_E2B_B16,
  DIST_E2B_B32,
  DIST_DINTLV_B8,
  DIST_DINTLV_B16,
  DIST_DINTLV_B32
};
enum class StoreDist {
  DIST_NORM,
  DIST_NORM_B8,
  DIST_NORM_B16,
  DIST_NORM_B32,
  DIST_FIRST_ELEMENT_B8,
  DIST_FIRST_ELEMENT_B16,
  DIST_FIRST_ELEMENT_B32,
  DIST_PACK_B16,
  DIST_PACK_B32,
  DIST_PACK_B64,
  DIST_PACK4_B32,
  DIST_INTLV_B8,
  DIST_INTLV_B16,
  DIST_INTLV_B32
};
enum class MaskDist { DIST_NORM, DIST_US, DIST_DS, DIST_PACK = DIST_US };
enum class PostLiteral { POST_MODE_NORMAL, POST_MODE_UPDATE };
enum class MaskPattern { ALL, VL1, VL2, VL3, VL4, VL8, VL16, VL32, VL64, VL128, M3, M4, H, Q, ALLF = 15 };
enum class HighLowPart { LOWEST, HIGHEST };
enum class RegLayout { UNKNOWN = -1, ZERO, ONE, TWO, THREE };
enum class SatMode { UNKNOWN, NO_SAT, SAT };
enum class MemType { VEC_STORE, VEC_LOAD, SCALAR_STORE, SCALAR_LOAD, VEC_ALL, SCALAR_ALL };
enum class IndexOrder { INCREASE_ORDER, DECREASE_ORDER };
using AscendC::MaskMergeMode;
using AscendC::ReduceType;

struct CastTrait {
  RegLayout layoutMode = RegLayout::UNKNOWN;
  SatMode satMode = SatMode::UNKNOWN;
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  RoundMode roundMode = RoundMode::UNKNOWN;
};
struct RegTrait {
  int regNum = 1;
};
inline constexpr RegTrait RegTraitNumOne{1};

constexpr uint32_t VECTOR_REG_WIDTH = tilesmith::chip::repeatBytes;

} // namespace Reg

inline constexpr uint32_t GetVecLen() { return Reg::VECTOR_REG_WIDTH; }
inline constexpr uint32_t VECTOR_REG_WIDTH = Reg::VECTOR_REG_WIDTH;
} // namespace AscendC

namespace tilesmith {

inline thread_local TsVfContext *vf TILESMITH_HIDDEN = nullptr;

// A load whose lanes are not all read: lane i is `bits` bits of memory and `stride` bytes of the register.
struct VfLoad {
  int64_t offset, bits, stride, alignment, read; // read: bytes known to be read
  int64_t before;                                // writes of the function that came before it
};
inline thread_local std::vector<VfLoad> vfLoads TILESMITH_HIDDEN;

constexpr int64_t registerBytes = chip::repeatBytes;

// The loads a register is made of.
struct Sources {
  int32_t loads[6] = {-1, -1, -1, -1, -1, -1};

  void clear() { *this = Sources(); }
  void add(int32_t load) {
    for (int32_t &entry : loads) {
      if (entry == load)
        return;
      if (entry < 0) {
        entry = load;
        return;
      }
    }
    use(load, registerBytes - 1); // more than it remembers: read whole
  }
  void join(const Sources &other) {
    for (int32_t load : other.loads)
      if (load >= 0)
        add(load);
  }
  // The same loads with lanes `factor` times as far apart in the register (or closer, when it is below 1).
  Sources scaled(int64_t up, int64_t down) const {
    Sources result;
    for (int32_t load : loads)
      if (load >= 0) {
        VfLoad copy = vfLoads[size_t(load)];
        copy.stride = copy.stride * up / down;
        if (copy.stride == 0)
          continue;
        vfLoads.push_back(copy);
        result.add(int32_t(vfLoads.size() - 1));
      }
    return result;
  }
  // The loads of the upper half of the lanes, spread over a whole register.
  Sources upperHalf() const {
    Sources result;
    for (int32_t load : loads)
      if (load >= 0) {
        VfLoad copy = vfLoads[size_t(load)];
        copy.offset += registerBytes / 2 / copy.stride * copy.bits / 8;
        copy.stride *= 2;
        copy.alignment = 1;
        copy.read = 0;
        vfLoads.push_back(copy);
        result.add(int32_t(vfLoads.size() - 1));
      }
    return result;
  }
  // Register bytes up to `last` are used.
  void use(int64_t last) const {
    if (last >= 0)
      for (int32_t load : loads)
        if (load >= 0)
          use(load, last);
  }

private:
  static void use(int32_t index, int64_t last) {
    VfLoad &load = vfLoads[size_t(index)];
    int64_t bytes = ((last / load.stride + 1) * load.bits + 7) / 8;
    if (bytes <= load.read)
      return;
    if (load.read == 0 && load.alignment > 1 && load.offset % load.alignment)
      api->tsm_vf_touch(core, load.offset, bytes, load.alignment, 0, load.before);
    else
      api->tsm_vf_touch(core, load.offset + load.read, bytes - load.read, 1, 0, load.before);
    load.read = bytes;
  }
};

inline int64_t ubOffset(const void *pointer) {
  return int64_t(reinterpret_cast<intptr_t>(pointer) - reinterpret_cast<intptr_t>(vf->ub));
}

// Whether registers compute. Code that no asc_vf_call and no __VEC_SCOPE__ has started was called by its name: it is a
// vector function from its first register instruction to the next instruction that is not one.
inline bool running(Where where) {
  if (vf && vf->open)
    return true;
  vf = api->tsm_vf_enter(core, where.loc());
  vfLoads.clear();
  return vf->open;
}
// Bytes a store touches: whether it may write them now.
inline bool mayWrite(int64_t offset, int64_t bytes, int64_t alignment) {
  return api->tsm_vf_touch(core, offset, bytes, alignment, 1, 0) && vf->writes;
}
// Bytes a load reads whatever its lanes are used for.
inline bool mayRead(int64_t offset, int64_t bytes, int64_t alignment) {
  return api->tsm_vf_touch(core, offset, bytes, alignment, 0, vf->written);
}

// Instructions as time sees them: a register remembers the cycle from which it can be used.
inline int64_t latest(int64_t a, int64_t b) { return a > b ? a : b; }
inline int64_t told(TsVfStepKind kind, int64_t ready) {
  return vf->records ? api->tsm_vf_step(core, int64_t(kind), 0, ready) : 0;
}
inline int64_t loaded() { return told(TS_VF_LOAD, 0); }
inline void stored(int64_t ready) { told(TS_VF_STORE, ready); }
// An operation on elements of so many bytes; the result can be used from the cycle it returns.
inline int64_t counted(CostClass cost, int64_t size, int64_t ready) {
  return vf->records ? api->tsm_vf_step(core, int64_t(cost), size < 4, ready) : 0;
}
inline int64_t counted(Op op, int64_t size, int64_t ready) { return counted(costOf(op), size, ready); }

} // namespace tilesmith

namespace AscendC {
namespace Reg {

// One bit per byte of a register; an element of w bytes listens to the bit of its first byte.
struct MaskReg {
  uint64_t bits[4] = {};
  int64_t lanes = 0; // that mean something, and
  int64_t width = 4; // how many bits belong to each
  int64_t ready = 0;
  tilesmith::Sources sources;

  bool test(int64_t byte) const { return bits[byte / 64] >> (byte % 64) & 1; }
  void set(int64_t byte) { bits[byte / 64] |= uint64_t(1) << (byte % 64); }
  // The last byte with a bit, -1: none.
  int64_t last() const {
    for (int i = 3; i >= 0; --i)
      if (bits[i])
        return i * 64 + 63 - __builtin_clzll(bits[i]);
    return -1;
  }
};

// Code casts references between registers of different element types: all of them are this.
struct TsRegister {
  alignas(64) uint8_t bytes[tilesmith::registerBytes];
  tilesmith::Sources sources;
  int64_t ready = 0; // the cycle from which it can be used
};

template <typename T, const RegTrait &trait = RegTraitNumOne> struct RegTensor : TsRegister {
  using ActualT = T;
  static constexpr int64_t lanes = tilesmith::registerBytes / int64_t(sizeof(T));

  RegTensor() = default;
  T tsLane(int64_t i) const {
    T value;
    memcpy(&value, bytes + i * int64_t(sizeof(T)), sizeof(T));
    return value;
  }
  void tsSet(int64_t i, T value) { memcpy(bytes + i * int64_t(sizeof(T)), &value, sizeof(T)); }
};

struct UnalignReg {
  int unused = 0;
};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;
struct AddrReg {
  int64_t offset = 0;
};

//===- Masks
//--------------------------------------------------------------------------------------------------------------===//

template <typename T> MaskReg tsPrefix(int64_t count) {
  MaskReg mask;
  constexpr int64_t width = sizeof(T), all = tilesmith::registerBytes / width;
  mask.width = width;
  mask.lanes = count < all ? count : all;
  for (int64_t i = 0; i < mask.lanes; ++i)
    mask.set(i * width);
  return mask;
}

template <typename T, const RegTrait &trait = RegTraitNumOne>
MaskReg UpdateMask(uint32_t &count, tilesmith::Where where = tilesmith::Where::here()) {
  constexpr uint32_t all = uint32_t(tilesmith::registerBytes / int64_t(sizeof(T)));
  MaskReg mask = tsPrefix<T>(count);
  if (tilesmith::running(where) && count > 0 && count <= all)
    tilesmith::told(TS_VF_LOOP, 0);
  count = count < all ? 0 : count - all;
  return mask;
}

template <typename T, MaskPattern pattern = MaskPattern::ALL, const RegTrait &trait = RegTraitNumOne>
MaskReg CreateMask() {
  constexpr int64_t all = tilesmith::registerBytes / int64_t(sizeof(T));
  switch (pattern) {
  case MaskPattern::ALL:
    return tsPrefix<T>(all);
  case MaskPattern::VL1:
    return tsPrefix<T>(1);
  case MaskPattern::VL2:
    return tsPrefix<T>(2);
  case MaskPattern::VL3:
    return tsPrefix<T>(3);
  case MaskPattern::VL4:
    return tsPrefix<T>(4);
  case MaskPattern::VL8:
    return tsPrefix<T>(8);
  case MaskPattern::VL16:
    return tsPrefix<T>(16);
  case MaskPattern::VL32:
    return tsPrefix<T>(32);
  case MaskPattern::VL64:
    return tsPrefix<T>(64);
  case MaskPattern::VL128:
    return tsPrefix<T>(128);
  case MaskPattern::H:
    return tsPrefix<T>(all / 2);
  case MaskPattern::Q:
    return tsPrefix<T>(all / 4);
  case MaskPattern::M3:
  case MaskPattern::M4: {
    MaskReg mask;
    mask.width = sizeof(T);
    mask.lanes = all;
    for (int64_t i = 0; i < all; i += pattern == MaskPattern::M3 ? 3 : 4)
      mask.set(i * int64_t(sizeof(T)));
    return mask;
  }
  case MaskPattern::ALLF:
    break;
  }
  return tsPrefix<T>(0);
}

template <typename F> void tsMaskLogic(MaskReg &dst, const MaskReg &a, const MaskReg &b, const MaskReg &mask, F f) {
  MaskReg result;
  for (int i = 0; i < 4; ++i)
    result.bits[i] = f(a.bits[i], b.bits[i]) & mask.bits[i];
  result.width = mask.width;
  result.lanes = mask.lanes;
  result.sources = a.sources;
  result.sources.join(b.sources);
  result.ready = tilesmith::latest(a.ready, b.ready);
  dst = result;
}
inline void Not(MaskReg &dst, const MaskReg &src, const MaskReg &mask) {
  tsMaskLogic(dst, src, src, mask, [](uint64_t a, uint64_t) { return ~a; });
}
inline void And(MaskReg &dst, const MaskReg &a, const MaskReg &b, const MaskReg &mask) {
  tsMaskLogic(dst, a, b, mask, [](uint64_t x, uint64_t y) { return x & y; });
}
inline void Or(MaskReg &dst, const MaskReg &a, const MaskReg &b, const MaskReg &mask) {
  tsMaskLogic(dst, a, b, mask, [](uint64_t x, uint64_t y) { return x | y; });
}
inline void Xor(MaskReg &dst, const MaskReg &a, const MaskReg &b, const MaskReg &mask) {
  tsMaskLogic(dst, a, b, mask, [](uint64_t x, uint64_t y) { return x ^ y; });
}
inline void Move(MaskReg &dst, const MaskReg &src) { dst = src; }
inline void Move(MaskReg &dst, const MaskReg &src, const MaskReg &mask) {
  tsMaskLogic(dst, src, src, mask, [](uint64_t a, uint64_t) { return a; });
}
inline void MaskNot(MaskReg &dst, const MaskReg &src, const MaskReg &mask) { Not(dst, src, mask); }
inline void MaskAnd(MaskReg &dst, const MaskReg &a, const MaskReg &b, const MaskReg &mask) { And(dst, a, b, mask); }
inline void MaskOr(MaskReg &dst, const MaskReg &a, const MaskReg &b, const MaskReg &mask) { Or(dst, a, b, mask); }
inline void MaskXor(MaskReg &dst, const MaskReg &a, const MaskReg &b, const MaskReg &mask) { Xor(dst, a, b, mask); }

// Half as many bits per element: bit 2i becomes bit i of one half of the mask; and back.
template <HighLowPart part = HighLowPart::LOWEST> void Pack(MaskReg &dst, const MaskReg &src) {
  MaskReg result;
  for (int64_t i = 0; i < 128; ++i)
    if (src.test(2 * i))
      result.set(i + (part == HighLowPart::HIGHEST ? 128 : 0));
  result.width = src.width > 1 ? src.width / 2 : 1;
  result.lanes = src.lanes;
  result.sources = src.sources.scaled(1, 2);
  result.ready = src.ready;
  dst = result;
}
template <HighLowPart part = HighLowPart::LOWEST> void UnPack(MaskReg &dst, const MaskReg &src) {
  MaskReg result;
  for (int64_t i = 0; i < 128; ++i)
    if (src.test(i + (part == HighLowPart::HIGHEST ? 128 : 0)))
      result.set(2 * i);
  result.width = src.width * 2;
  result.lanes = src.lanes < 128 / src.width ? src.lanes : 128 / src.width;
  result.sources = src.sources.scaled(2, 1);
  result.ready = src.ready;
  dst = result;
}
template <HighLowPart part = HighLowPart::LOWEST> void MaskPack(MaskReg &dst, const MaskReg &src) {
  Pack<part>(dst, src);
}
template <HighLowPart part = HighLowPart::LOWEST> void MaskUnPack(MaskReg &dst, const MaskReg &src) {
  UnPack<part>(dst, src);
}

} // namespace Reg
namespace MicroAPI = Reg;
} // namespace AscendC

#endif
