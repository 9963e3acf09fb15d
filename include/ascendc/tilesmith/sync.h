// Flags, barriers, modes, and what a block knows about itself.
#ifndef TILESMITH_ASCENDC_SYNC_H
#define TILESMITH_ASCENDC_SYNC_H

#include "tilesmith/tensors.h"

namespace AscendC {

template <HardEvent event> inline void SetFlag(int32_t eventID, tilesmith::Where where = tilesmith::Where::here()) {
  constexpr tilesmith::PipePair pipes = tilesmith::pipesOf(event);
  tilesmith::api->tsm_set_flag(tilesmith::core, where.loc(), pipes.from, pipes.to, eventID);
}
template <HardEvent event> inline void WaitFlag(int32_t eventID, tilesmith::Where where = tilesmith::Where::here()) {
  constexpr tilesmith::PipePair pipes = tilesmith::pipesOf(event);
  tilesmith::api->tsm_wait_flag(tilesmith::core, where.loc(), pipes.from, pipes.to, eventID);
}
template <pipe_t pipe> inline void PipeBarrier(tilesmith::Where where = tilesmith::Where::here()) {
  // The scalar unit is in order: there is nothing to wait for.
  if constexpr (pipe != PIPE_S)
    tilesmith::api->tsm_pipe_barrier(tilesmith::core, where.loc(), pipe);
}
template <MemDsbT> inline void DataSyncBarrier(tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_pipe_barrier(tilesmith::core, where.loc(), PIPE_ALL);
}

// From here on stores to global memory combine with what is there.
namespace tilesmith_atomic {
enum { None, Add, Max, Min };
}
template <typename T> inline void SetAtomicAdd(tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_set_atomic(tilesmith::core, where.loc(), tilesmith_atomic::Add);
}
template <typename T> inline void SetAtomicMax(tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_set_atomic(tilesmith::core, where.loc(), tilesmith_atomic::Max);
}
template <typename T> inline void SetAtomicMin(tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_set_atomic(tilesmith::core, where.loc(), tilesmith_atomic::Min);
}
inline void SetAtomicNone(tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_set_atomic(tilesmith::core, where.loc(), tilesmith_atomic::None);
}

inline int64_t GetBlockIdx(tilesmith::Where where = tilesmith::Where::here()) {
  return tilesmith::api->tsm_block_idx(tilesmith::core, where.loc());
}
inline int64_t GetBlockNum(tilesmith::Where where = tilesmith::Where::here()) {
  return tilesmith::api->tsm_block_num(tilesmith::core, where.loc());
}
// A block of the model is one core: it has no second vector core beside it.
inline int64_t GetSubBlockIdx() { return 0; }
inline int64_t GetSubBlockNum() { return 1; }
inline int64_t GetTaskRation() { return 1; }
inline int64_t GetTaskRatio() { return 1; }
inline constexpr int16_t GetDataBlockSizeInBytes() { return 32; }

inline void InitSocState() {} // masks and modes are as it leaves them when a block begins

template <typename T = void> inline void SyncAll() {
  static_assert(tilesmith::alwaysFalse<T>, "SyncAll: synchronisation between cores is not in the model yet");
}
template <uint8_t modeId, pipe_t pipe> inline void CrossCoreSetFlag(uint16_t) {
  static_assert(modeId > 255, "CrossCoreSetFlag: synchronisation between cores is not in the model yet");
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S> inline void CrossCoreWaitFlag(uint16_t) {
  static_assert(modeId > 255, "CrossCoreWaitFlag: synchronisation between cores is not in the model yet");
}

template <typename T> inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &) {}
template <typename T, CacheLine, DcciDst = DcciDst::CACHELINE_ALL>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &) {}
template <typename T> inline void DataCachePreload(const GlobalTensor<uint64_t> &, const T) {}
inline void ICachePreLoad(int64_t) {}

} // namespace AscendC

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

// One source serves cube and vector cores; here a block is both.
inline thread_local int32_t g_coreType TILESMITH_HIDDEN = AscendC::AIV;
#define ASCEND_IS_AIV constexpr(true)
#define ASCEND_IS_AIC constexpr(true)
#define KERNEL_TASK_TYPE_DEFAULT(...)
#define KERNEL_TASK_TYPE(...)
#define ENABLE_DETERMINISTIC()

#endif
