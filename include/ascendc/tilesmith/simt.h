// Functions of threads (SIMT): starting them, what a thread knows, meets and changes atomically.
//
// A thread is plain C++. What it does to memory the Machine learns from calls that the compiler puts before each
// access: sources with threads are compiled with -fsanitize=thread, whose functions are those at the end of this file.
#ifndef TILESMITH_ASCENDC_SIMT_H
#define TILESMITH_ASCENDC_SIMT_H

#include "tilesmith/vector_functions.h"
#include <math.h>
#include <tuple>

#define __simt_vf__
#define __simt_callee__
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#define LAUNCH_BOUND(...)

namespace tilesmith {

struct BlockPlace {
  uint32_t x = 0, y = 0, z = 0;
};

// The thread that runs, and how many there are, by their names in the language (simt_api/asc_simt.h).
inline __thread TsSimtThread threadIdx TILESMITH_HIDDEN; // as `core`: what the compiler calls reads it
inline thread_local BlockPlace blockIdx TILESMITH_HIDDEN;
inline thread_local ThreadCounts blockDim TILESMITH_HIDDEN, gridDim TILESMITH_HIDDEN;

// Runs `body` once for each thread.
template <typename Body> TILESMITH_UNSEEN void runThreads(const ThreadCounts &threads, const Body &body, Where where) {
  blockDim = threads;
  TsSimtFn once = [](const void *code) {
#if defined(__cpp_exceptions)
    bool failed = false;
    try {
      (*static_cast<const Body *>(code))();
    } catch (const Ended &) {
      failed = true;
    }
    if (failed)
      api->tsm_simt_stop(core);
#else
    (*static_cast<const Body *>(code))();
#endif
  };
  api->tsm_simt_call(core, where.loc(), once, &body, &threadIdx, threads.x, threads.y, threads.z);
}

// A function of threads, started from a kernel. Blocks are those of the kernel.
template <auto function> struct SimtOf;
template <typename... Args, void (*function)(Args...)> struct SimtOf<function> {
  void operator()(const ThreadCounts &threads, std::decay_t<Args>... args, Where where = Where::here()) const {
    gridDim = {uint32_t(api->tsm_block_num(core, where.loc()))};
    blockIdx = {uint32_t(api->tsm_block_idx(core, where.loc()))};
    runThreads(threads, [&] { function(args...); }, where);
  }
};

// A whole kernel of threads: `blocks` tells where this block stands among those of its launch.
template <typename Body>
void runThreadKernel(const ThreadCounts &blocks, const ThreadCounts &threads, const Body &body, Where where) {
  auto number = uint32_t(api->tsm_block_idx(core, where.loc()));
  gridDim = blocks;
  blockIdx = {number % blocks.x, number / blocks.x % blocks.y, number / blocks.x / blocks.y};
  runThreads(threads, body, where);
}

//===- Warps -----------------------------------------------------------------------------------------------------===//

constexpr int32_t warpLanes = TS_SIMT_WARP;
TILESMITH_UNSEEN inline int32_t laneOf() { return int32_t(threadIdx.number % TS_SIMT_WARP); }

// Which operation of a warp a lane has come to: its line, and among those of a line the call.
struct Meeting {
  Where where;
  const void *call;
  TILESMITH_UNSEEN const TsSimtWarp *with(int64_t bits) const {
    auto number = uint32_t(reinterpret_cast<uintptr_t>(call));
    return api->tsm_simt_exchange(core, where.loc() | int64_t(uint64_t(number) << 32), bits);
  }
};
// Of a function that is called, and so never becomes a part of its caller.
#define TILESMITH_MEETS TILESMITH_UNSEEN __attribute__((noinline))
#define TILESMITH_MEETING (::tilesmith::Meeting{where, __builtin_return_address(0)})

// A value of another lane, or one's own where that one takes no part or lies outside of the group.
template <typename T> TILESMITH_UNSEEN T fromLane(T value, int32_t lane, int32_t width, const Meeting &meeting) {
  static_assert(sizeof(T) <= 8, "lanes exchange values of at most 64 bits");
  const TsSimtWarp *warp = meeting.with(bitsOf<T>(value));
  int32_t group = laneOf() / width * width;
  if (lane < group || lane >= group + width || !(warp->active >> lane & 1))
    return value;
  return T(fromBits<T>(warp->values[lane]));
}
template <typename T, typename Join> TILESMITH_UNSEEN T overLanes(T value, Join join, const Meeting &meeting) {
  const TsSimtWarp *warp = meeting.with(bitsOf<T>(value));
  bool any = false;
  T result = value;
  for (int32_t lane = 0; lane < warpLanes; ++lane)
    if (warp->active >> lane & 1) {
      T other = fromBits<T>(warp->values[lane]);
      result = any ? join(result, other) : other;
      any = true;
    }
  return result;
}
TILESMITH_UNSEEN inline uint32_t lanesWhere(bool holds, const Meeting &meeting, uint32_t *active = nullptr) {
  const TsSimtWarp *warp = meeting.with(holds);
  uint32_t lanes = 0;
  for (int32_t lane = 0; lane < warpLanes; ++lane)
    lanes |= uint32_t(warp->active >> lane & warp->values[lane] & 1) << lane;
  if (active)
    *active = warp->active;
  return lanes;
}

//===- Atomic operations -----------------------------------------------------------------------------------------===//

// Blocks run beside each other, so a change of global memory is one of the host's, too.
template <typename T, typename Change> TILESMITH_UNSEEN T changed(T *at, Change change) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "atomic operations take 16, 32 and 64 bits");
  using Word = std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  api->tsm_simt_access(core, at, sizeof(T), TS_SIMT_ATOMIC, int64_t(intptr_t(__builtin_return_address(0))));
  auto *word = reinterpret_cast<Word *>(at);
  Word before = __atomic_load_n(word, __ATOMIC_RELAXED), after = 0;
  T value;
  do {
    memcpy(static_cast<void *>(&value), &before, sizeof(T));
    T next = change(value);
    memcpy(&after, static_cast<const void *>(&next), sizeof(T));
  } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return value;
}

} // namespace tilesmith

namespace AscendC {
namespace Simt {

using Dim3 = tilesmith::ThreadCounts;

// Started from a kernel. An object, so that the place of the call can follow the arguments.
template <auto function> inline constexpr tilesmith::SimtOf<function> VF_CALL{};

template <int dimension = 0> TILESMITH_UNSEEN inline int32_t GetThreadIdx() {
  const TsSimtThread &thread = tilesmith::threadIdx;
  return int32_t(dimension == 0 ? thread.x : dimension == 1 ? thread.y : thread.z);
}
template <int dimension = 0> TILESMITH_UNSEEN inline int32_t GetThreadNum() {
  const Dim3 &threads = tilesmith::blockDim;
  return int32_t(dimension == 0 ? threads.x : dimension == 1 ? threads.y : threads.z);
}
TILESMITH_UNSEEN inline int32_t GetBlockIdx() { return int32_t(tilesmith::blockIdx.x); }
TILESMITH_UNSEEN inline int32_t GetBlockNum() { return int32_t(tilesmith::gridDim.x); }
TILESMITH_UNSEEN inline int32_t GetLaneId() { return tilesmith::laneOf(); }
TILESMITH_UNSEEN inline int32_t GetWarpSize() { return tilesmith::warpLanes; }
inline void ThreadBarrier(tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_simt_barrier(tilesmith::core, where.loc());
}
// What one thread wrote the others see at once.
inline void ThreadFence() {}

#define TILESMITH_SIMT_ATOMIC(NAME, RESULT)                                                                            \
  template <typename T> TILESMITH_UNSEEN inline T NAME(T *address, tilesmith::Same<T> value) {                         \
    return tilesmith::changed(address, [&](T old) TILESMITH_UNSEEN { return RESULT; });                                \
  }
TILESMITH_SIMT_ATOMIC(AtomicAdd, T(old + value))
TILESMITH_SIMT_ATOMIC(AtomicSub, T(old - value))
TILESMITH_SIMT_ATOMIC(AtomicExch, value)
TILESMITH_SIMT_ATOMIC(AtomicMax, value > old ? value : old)
TILESMITH_SIMT_ATOMIC(AtomicMin, value < old ? value : old)
TILESMITH_SIMT_ATOMIC(AtomicAnd, T(old &value))
TILESMITH_SIMT_ATOMIC(AtomicOr, T(old | value))
TILESMITH_SIMT_ATOMIC(AtomicXor, T(old ^ value))
TILESMITH_SIMT_ATOMIC(AtomicInc, old >= value ? T(0) : T(old + 1))
TILESMITH_SIMT_ATOMIC(AtomicDec, old == T(0) || old > value ? value : T(old - 1))
#undef TILESMITH_SIMT_ATOMIC
template <typename T>
TILESMITH_UNSEEN inline T AtomicCas(T *address, tilesmith::Same<T> expected, tilesmith::Same<T> value) {
  return tilesmith::changed(address, [&](T old) TILESMITH_UNSEEN { return old == expected ? value : old; });
}

// The functions of warps, in both namespaces that have them.
#define TILESMITH_SHUFFLE(NAME, LANE)                                                                                  \
  template <typename T>                                                                                                \
  TILESMITH_MEETS T NAME(T value, int32_t lane, int32_t width = tilesmith::warpLanes,                                  \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    int32_t mine [[maybe_unused]] = tilesmith::laneOf();                                                               \
    return tilesmith::fromLane(value, LANE, width, TILESMITH_MEETING);                                                 \
  }
#define TILESMITH_SHUFFLES(ANY, UP, DOWN, XOR)                                                                         \
  TILESMITH_SHUFFLE(ANY, mine / width * width + lane % width)                                                          \
  TILESMITH_SHUFFLE(UP, mine - lane)                                                                                   \
  TILESMITH_SHUFFLE(DOWN, mine + lane)                                                                                 \
  TILESMITH_SHUFFLE(XOR, mine ^ lane)
#define TILESMITH_VOTES(BALLOT, ACTIVE, SOME, EVERY)                                                                   \
  TILESMITH_MEETS inline uint32_t BALLOT(int32_t holds, tilesmith::Where where = tilesmith::Where::here()) {           \
    return tilesmith::lanesWhere(holds != 0, TILESMITH_MEETING);                                                       \
  }                                                                                                                    \
  TILESMITH_MEETS inline uint32_t ACTIVE(tilesmith::Where where = tilesmith::Where::here()) {                          \
    return tilesmith::lanesWhere(true, TILESMITH_MEETING);                                                             \
  }                                                                                                                    \
  TILESMITH_MEETS inline int32_t SOME(int32_t holds, tilesmith::Where where = tilesmith::Where::here()) {              \
    return tilesmith::lanesWhere(holds != 0, TILESMITH_MEETING) != 0;                                                  \
  }                                                                                                                    \
  TILESMITH_MEETS inline int32_t EVERY(int32_t holds, tilesmith::Where where = tilesmith::Where::here()) {             \
    uint32_t active = 0;                                                                                               \
    return tilesmith::lanesWhere(holds != 0, TILESMITH_MEETING, &active) == active;                                    \
  }
#define TILESMITH_SIMT_REDUCE(NAME, RESULT)                                                                            \
  template <typename T> TILESMITH_MEETS T NAME(T value, tilesmith::Where where = tilesmith::Where::here()) {           \
    return tilesmith::overLanes(value, [](T a, T b) TILESMITH_UNSEEN { return T(RESULT); }, TILESMITH_MEETING);        \
  }
#define TILESMITH_REDUCTIONS(SUM, MOST, LEAST)                                                                         \
  TILESMITH_SIMT_REDUCE(SUM, a + b)                                                                                    \
  TILESMITH_SIMT_REDUCE(MOST, b > a ? b : a)                                                                           \
  TILESMITH_SIMT_REDUCE(LEAST, b < a ? b : a)
TILESMITH_SHUFFLES(WarpShflSync, WarpShflUpSync, WarpShflDownSync, WarpShflXorSync)
TILESMITH_VOTES(WarpBallotSync, WarpActiveMask, WarpAnySync, WarpAllSync)
TILESMITH_REDUCTIONS(WarpReduceAddSync, WarpReduceMaxSync, WarpReduceMinSync)

// Numbers. Narrow floats are computed in float and rounded once.
#define TILESMITH_SIMT_MATH(NAME, FUNCTION)                                                                            \
  template <typename T> TILESMITH_UNSEEN inline T NAME(T x) { return T(FUNCTION(float(x))); }
TILESMITH_SIMT_MATH(Exp, expf)
TILESMITH_SIMT_MATH(Exp2, exp2f)
TILESMITH_SIMT_MATH(Expm1, expm1f)
TILESMITH_SIMT_MATH(Log, logf)
TILESMITH_SIMT_MATH(Log1p, log1pf)
TILESMITH_SIMT_MATH(Log2, log2f)
TILESMITH_SIMT_MATH(Log10, log10f)
TILESMITH_SIMT_MATH(Sqrt, sqrtf)
TILESMITH_SIMT_MATH(Rsqrt, 1.0f / ::sqrtf)
TILESMITH_SIMT_MATH(Sin, sinf)
TILESMITH_SIMT_MATH(Cos, cosf)
TILESMITH_SIMT_MATH(Tan, tanf)
TILESMITH_SIMT_MATH(Sinh, sinhf)
TILESMITH_SIMT_MATH(Cosh, coshf)
TILESMITH_SIMT_MATH(Tanh, tanhf)
TILESMITH_SIMT_MATH(Asin, asinf)
TILESMITH_SIMT_MATH(Acos, acosf)
TILESMITH_SIMT_MATH(Atan, atanf)
TILESMITH_SIMT_MATH(Erf, erff)
TILESMITH_SIMT_MATH(Erfc, erfcf)
TILESMITH_SIMT_MATH(Floor, floorf)
TILESMITH_SIMT_MATH(Ceil, ceilf)
TILESMITH_SIMT_MATH(Trunc, truncf)
TILESMITH_SIMT_MATH(Round, roundf)
TILESMITH_SIMT_MATH(Rint, rintf)
#undef TILESMITH_SIMT_MATH
template <typename T> TILESMITH_UNSEEN inline T Abs(T x) { return x < T(0) ? T(-x) : x; }
template <typename T> TILESMITH_UNSEEN inline T Max(T x, tilesmith::Same<T> y) { return y > x ? y : x; }
template <typename T> TILESMITH_UNSEEN inline T Min(T x, tilesmith::Same<T> y) { return y < x ? y : x; }
template <typename T> TILESMITH_UNSEEN inline T Pow(T x, tilesmith::Same<T> y) { return T(powf(float(x), float(y))); }
template <typename T> TILESMITH_UNSEEN inline T Fmod(T x, tilesmith::Same<T> y) { return T(fmodf(float(x), float(y))); }
template <typename T> TILESMITH_UNSEEN inline T Fma(T x, tilesmith::Same<T> y, tilesmith::Same<T> z) {
  return T(fmaf(float(x), float(y), float(z)));
}
template <typename T> TILESMITH_UNSEEN inline bool IsNan(T x) { return x != x; }
template <typename T> TILESMITH_UNSEEN inline bool IsInf(T x) { return __builtin_isinf(float(x)); }
template <typename T> TILESMITH_UNSEEN inline bool IsFinite(T x) { return __builtin_isfinite(float(x)); }
TILESMITH_UNSEEN inline uint32_t MulHi(uint32_t x, uint32_t y) { return uint32_t(uint64_t(x) * y >> 32); }
TILESMITH_UNSEEN inline int32_t MulHi(int32_t x, int32_t y) { return int32_t(int64_t(x) * y >> 32); }

} // namespace Simt
} // namespace AscendC

//===- What the compiler calls -----------------------------------------------------------------------------------===//

#if defined(__SANITIZE_THREAD__)
#define TILESMITH_SEES_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TILESMITH_SEES_THREADS 1
#endif
#endif

#ifdef TILESMITH_SEES_THREADS
#include "tilesmith/simt_accesses.h"
#endif

#endif
