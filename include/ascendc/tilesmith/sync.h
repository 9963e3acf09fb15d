// Flags, barriers, modes, and what a block knows about itself.
#ifndef TILESMITH_ASCENDC_SYNC_H
#define TILESMITH_ASCENDC_SYNC_H

#include "tilesmith/instructions.h"

namespace tilesmith {

// What this core is. A kernel that does not say its type runs on one core for each block, of both kinds.
inline bool runsOn(int32_t kind) { return api->tsm_core_kinds(core) & kind; }

inline void setCrossCore(int64_t mode, pipe_t pipe, int64_t id, Where where) {
  api->tsm_cross_flag_set(core, where.loc(), mode, pipe, id);
}
inline void waitCrossCore(int64_t mode, pipe_t pipe, int64_t id, Where where) {
  api->tsm_cross_flag_wait(core, where.loc(), mode, pipe, id);
}

// The scalar unit goes on when V is through.
inline void scalarWaitsForVector(Where where) { api->tsm_scalar_waits_for_vector(core, where.loc()); }

} // namespace tilesmith

namespace AscendC {

inline int64_t GetBlockIdx(tilesmith::Where where = tilesmith::Where::here()) {
  return tilesmith::api->tsm_block_idx(tilesmith::core, where.loc());
}
inline int64_t GetBlockNum(tilesmith::Where where = tilesmith::Where::here()) {
  return tilesmith::api->tsm_block_num(tilesmith::core, where.loc());
}
inline int64_t GetSubBlockIdx() { return tilesmith::api->tsm_sub_block_idx(tilesmith::core); }
inline int64_t GetSubBlockNum() { return tilesmith::api->tsm_sub_block_num(tilesmith::core); }
// Vector cores for each block, as a vector core sees it; 1 on a cube core.
inline int64_t GetTaskRation() { return tilesmith::api->tsm_sub_block_num(tilesmith::core); }
inline int64_t GetTaskRatio() { return GetTaskRation(); }
inline constexpr int16_t GetDataBlockSizeInBytes() { return tilesmith::chip::blockBytes; }
inline uint32_t GetUBSizeInBytes() {
  return uint32_t(tilesmith::api->tsm_capacity(tilesmith::core, int64_t(tilesmith::Memory::UB)));
}

// The next kernel may begin, and this one waits until the one before has ended: kernels run one after another here.
template <auto...> inline void SetNextTaskStart() {}
template <auto...> inline void WaitPreTaskEnd() {}

inline void InitSocState() {} // masks and modes are as it leaves them when a block begins

// Cores that wait for each other.
template <uint8_t modeId, pipe_t pipe>
inline void CrossCoreSetFlag(uint16_t flagId, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(modeId <= 2 || modeId == 4, "CrossCoreSetFlag has the modes 0, 1, 2 and 4");
  tilesmith::setCrossCore(modeId, pipe, flagId, where);
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
inline void CrossCoreWaitFlag(uint16_t flagId, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(modeId <= 2 || modeId == 4, "CrossCoreWaitFlag has the modes 0, 1, 2 and 4");
  tilesmith::waitCrossCore(modeId, pipe, flagId, where);
}

// Everything of every core before it is complete when any core goes on: of the vector cores, or of all.
template <bool isAIVOnly = true> inline void SyncAll(tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_sync_all(tilesmith::core, where.loc(), isAIVOnly);
}
// By counters in global memory. The first usedCores blocks take part.
template <bool isAIVOnly = true>
inline void SyncAll(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &, int32_t usedCores = 0,
                    tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_sync_some(tilesmith::core, where.loc(), gmWorkspace.tsAddress(), usedCores);
}

// A signal of block blockIdx to whoever waits for it.
template <bool isAIVOnly = true>
inline void IBSet(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &, int32_t blockIdx,
                  int32_t eventID, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_block_set(tilesmith::core, where.loc(), gmWorkspace.tsAddress(), blockIdx, eventID);
}
template <bool isAIVOnly = true>
inline void IBWait(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &, int32_t blockIdx,
                   int32_t eventID, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_block_wait(tilesmith::core, where.loc(), gmWorkspace.tsAddress(), blockIdx, eventID);
}

// Blocks one after another: WaitPreBlock goes on when the block before has called NotifyNextBlock. The first one
// starts.
inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t> &, LocalTensor<int32_t> &) {}
inline void WaitPreBlock(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &,
                         tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_wait_pre_block(tilesmith::core, where.loc(), gmWorkspace.tsAddress());
}
inline void NotifyNextBlock(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &,
                            tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_notify_next_block(tilesmith::core, where.loc(), gmWorkspace.tsAddress());
}

template <typename T> inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &) {}
template <typename T, CacheLine, DcciDst = DcciDst::CACHELINE_ALL>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &) {}
template <typename T, CacheLine> inline void DataCacheCleanAndInvalid(const LocalTensor<T> &) {}
// Elements past the data cache, which the model does not have.
template <typename T> inline T ReadGmByPassDCache(T *address, tilesmith::Where where = tilesmith::Where::here()) {
  GlobalTensor<T> element;
  element.SetGlobalBuffer(address, 1);
  return element.GetValue(0, where);
}
template <typename T>
inline void WriteGmByPassDCache(T *address, tilesmith::Same<T> value,
                                tilesmith::Where where = tilesmith::Where::here()) {
  GlobalTensor<T> element;
  element.SetGlobalBuffer(address, 1);
  element.SetValue(0, value, where);
}
template <typename T> inline void DataCachePreload(const GlobalTensor<uint64_t> &, const T) {}
inline void ICachePreLoad(int64_t) {}
inline int64_t GetICachePreloadStatus() { return 0; }

// Counts the calls: blocks have no clock while they run, time is computed afterwards.
inline int64_t GetSystemCycle() { return tilesmith::api->tsm_system_cycle(tilesmith::core); }
inline uint64_t GetProgramCounter() { return 0; }
[[noreturn]] inline void Trap(tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::fail(where, TS_FINDING_KernelTrap, "the kernel called Trap");
}
// Scalars.
template <typename T, typename U, RoundMode mode> inline U ScalarCast(T value) {
  static_assert(std::is_same_v<T, float>, "ScalarCast converts a float");
  if constexpr (std::is_same_v<U, half> || std::is_same_v<U, bfloat16_t>)
    return U(value);
  float whole = mode == RoundMode::CAST_FLOOR   ? __builtin_floorf(value)
                : mode == RoundMode::CAST_CEIL  ? __builtin_ceilf(value)
                : mode == RoundMode::CAST_ROUND ? __builtin_roundf(value)
                : mode == RoundMode::CAST_TRUNC ? __builtin_truncf(value)
                                                : __builtin_rintf(value);
  return whole >= 2147483648.0f    ? U(INT32_MAX)
         : whole <= -2147483648.0f ? U(INT32_MIN)
         : whole != whole          ? U(0)
                                   : U(whole);
}
inline int64_t ScalarCountLeadingZero(uint64_t value) { return value ? __builtin_clzll(value) : 64; }
template <int countValue> inline int64_t ScalarGetCountOfValue(uint64_t value) {
  return __builtin_popcountll(countValue ? value : ~value);
}
template <int countValue> inline int64_t ScalarGetSFFValue(uint64_t value) {
  uint64_t bits = countValue ? value : ~value;
  return bits ? __builtin_ctzll(bits) : -1;
}

// Buffer ids of the 950: a pipe that locks an id waits for the other pipes that have unlocked it since.
using MutexID = uint8_t;
class Mutex {
public:
  template <pipe_t pipe> static void Lock(MutexID id, tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->tsm_buffer_lock(tilesmith::core, where.loc(), pipe, id);
  }
  template <pipe_t pipe> static void Unlock(MutexID id, tilesmith::Where = tilesmith::Where::here()) {
    tilesmith::api->tsm_buffer_unlock(tilesmith::core, pipe, id);
  }
};
inline MutexID AllocMutexID() { return MutexID(tilesmith::api->tsm_buffer_id(tilesmith::core)); }
inline void ReleaseMutexID(MutexID) {}

// What DataCopyPad fills up with where its parameters bring no value.
template <typename T, TPosition pos = TPosition::MAX> inline void SetPadValue(T paddingValue) {
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(tilesmith::Register::PadValue),
                                   tilesmith::bitsOf<T>(paddingValue));
}
template <typename T> inline void GetReduceMaxMinCount(T &, T &) {
  static_assert(tilesmith::alwaysFalse<T>,
                "GetReduceMaxMinCount is not in the model yet; read the result from the destination");
}
template <typename T> inline void GetReduceMaxMinCount(T &) {
  static_assert(tilesmith::alwaysFalse<T>,
                "GetReduceMaxMinCount is not in the model yet; read the result from the destination");
}

} // namespace AscendC

inline void get_buf(pipe_t pipe, uint8_t id, bool, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_buffer_lock(tilesmith::core, where.loc(), pipe, id);
}
inline void rls_buf(pipe_t pipe, uint8_t id, bool) { tilesmith::api->tsm_buffer_unlock(tilesmith::core, pipe, id); }
// As the hardware takes it: bits 4 and 5 of the word are the mode, from bit 8 on stands the flag.
inline void ffts_cross_core_sync(pipe_t pipe, uint64_t config, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::setCrossCore(int64_t(config >> 4 & 3), pipe, int64_t(config >> 8 & 15), where);
}
inline void wait_flag_dev(int64_t id, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::CrossCoreWaitFlag(uint16_t(id), where);
}
inline void set_flag(pipe_t from, pipe_t to, int32_t id, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_set_flag(tilesmith::core, where.loc(), from, to, id);
}
inline void wait_flag(pipe_t from, pipe_t to, int32_t id, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_wait_flag(tilesmith::core, where.loc(), from, to, id);
}
inline void pipe_barrier(pipe_t pipe, tilesmith::Where where = tilesmith::Where::here()) {
  if (pipe != PIPE_S)
    tilesmith::api->tsm_pipe_barrier(tilesmith::core, where.loc(), pipe);
}
inline void set_ffts_base_addr(uint64_t) {}
inline int64_t get_block_idx(tilesmith::Where where = tilesmith::Where::here()) { return AscendC::GetBlockIdx(where); }
inline int64_t get_block_num(tilesmith::Where where = tilesmith::Where::here()) { return AscendC::GetBlockNum(where); }
inline int64_t get_subblockid() { return AscendC::GetSubBlockIdx(); }
inline int64_t get_subblockdim() { return AscendC::GetSubBlockNum(); }

namespace tilesmith {

// A variable of the language: a number that each core has its own of. A local variable may hide it.
template <int64_t (*value)(Where)> struct CoreNumber {
  operator int64_t() const { return value({nullptr, 0}); }
};

} // namespace tilesmith

inline constexpr tilesmith::CoreNumber<&AscendC::GetBlockIdx> block_idx{};
inline constexpr tilesmith::CoreNumber<&AscendC::GetBlockNum> block_num{};

// One source serves cube and vector cores: each core of a block runs it once.
inline thread_local int32_t g_coreType TILESMITH_HIDDEN = AscendC::AIV;
#define ASCEND_IS_AIV (::tilesmith::runsOn(AscendC::AIV))
#define ASCEND_IS_AIC (::tilesmith::runsOn(AscendC::AIC))
#define ASCEND_IS_NOT_AIV (!::tilesmith::runsOn(AscendC::AIV))
#define ASCEND_IS_NOT_AIC (!::tilesmith::runsOn(AscendC::AIC))

namespace tilesmith {

inline void knowCore() { g_coreType = runsOn(AscendC::AIV) ? AscendC::AIV : AscendC::AIC; }

inline void sayType(KernelMetaType type, Where where = Where::here()) {
  api->tsm_kernel_type(core, where.loc(), type);
  knowCore();
}

} // namespace tilesmith

#define KERNEL_TASK_TYPE_DEFAULT(TYPE) ::tilesmith::sayType(TYPE)
#define KERNEL_TASK_TYPE(KEY, TYPE) (::tilesmith::tilingKey == int64_t(KEY) ? ::tilesmith::sayType(TYPE) : void())
#define ENABLE_DETERMINISTIC()

#endif
