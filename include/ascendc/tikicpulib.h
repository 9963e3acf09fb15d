// Host programs that run kernels on the CPU: GmAlloc, GmFree, SetKernelMode and ICPU_RUN_KF, on the Machine.
//
// Link with libtilesmith_cpu (`tilesmith run main.cpp --host` does). TILESMITH_PLATFORM chooses the chip,
// TILESMITH_MODE=checked looks for hazards. Errors of a launch are written to stderr. One of ICPU_RUN_KF then ends the
// program with status 1; one of kernel<<<...>>> becomes its stream's error, as on the chip, and the program goes on.
#ifndef TILESMITH_ASCENDC_TIKICPULIB_H
#define TILESMITH_ASCENDC_TIKICPULIB_H

#include "tilesmith/host.h"
#include "tilesmith/kernel.h"
#include "tilesmith/simt.h"
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <tuple>
#include <unistd.h>

enum class KernelMode { MIX_MODE = 0, AIC_MODE, AIV_MODE, MIX_AIC_1_1, MIX_AIV_1_0, MIX_AIC_1_0, MIX_MODE_1_2 };

namespace AscendC {
inline void *GmAlloc(size_t size) {
  void *data = tilesmith_gm_alloc(size);
  if (!data) {
    std::fprintf(stderr, "error: GmAlloc of %zu bytes failed\n", size);
    std::exit(1);
  }
  return data;
}
inline void GmFree(void *data) { tilesmith_gm_free(data); }
} // namespace AscendC

namespace tilesmith {
inline KernelMetaType typeOf(KernelMode mode) {
  switch (mode) {
  case KernelMode::AIC_MODE:
    return KERNEL_TYPE_AIC_ONLY;
  case KernelMode::AIV_MODE:
    return KERNEL_TYPE_AIV_ONLY;
  case KernelMode::MIX_AIC_1_1:
    return KERNEL_TYPE_MIX_AIC_1_1;
  case KernelMode::MIX_AIV_1_0:
    return KERNEL_TYPE_MIX_AIV_1_0;
  case KernelMode::MIX_AIC_1_0:
    return KERNEL_TYPE_MIX_AIC_1_0;
  default:
    return KERNEL_TYPE_MIX_AIC_1_2;
  }
}
inline int64_t kernelType = -1; // of the launches that follow; -1: as the kernel says
} // namespace tilesmith

namespace AscendC {
inline void SetKernelMode(KernelMode mode) { tilesmith::kernelType = tilesmith::typeOf(mode); }
} // namespace AscendC

namespace tilesmith {

template <typename T> int64_t argumentBits(const T &value) {
  if constexpr (std::is_pointer_v<T>)
    return int64_t(reinterpret_cast<uintptr_t>(value));
  else if constexpr (kindOf<T>() == TS_STRUCT)
    return int64_t(reinterpret_cast<uintptr_t>(&value));
  else
    return bitsOf(value);
}

// Runs all blocks of a kernel; how many errors there were.
template <typename... Args>
int64_t runOnHost(const char *name, TsKernelFn run, int64_t type, int64_t blocks, const Args &...args) {
  api = tilesmith_api();
  const int64_t bits[sizeof...(Args) + 1] = {argumentBits(args)..., 0};
  int64_t errors = tilesmith_run(name, run, blocks, bits, sizeof...(Args), &fileOf, type);
  core = nullptr; // this thread is the host program again
  return errors;
}

template <auto kernel> struct HostRun;
template <typename... Args, void (*kernel)(Args...)> struct HostRun<kernel> {
  static void launch(const char *name, int64_t blocks, std::decay_t<Args>... args) {
    if (runOnHost(name, &KernelOf<kernel>::run, kernelType, blocks, args...) != 0)
      std::exit(1);
  }
};

} // namespace tilesmith

namespace tilesmith {

// A stream: what is launched on it is complete when the launch returns, so all there is to keep is whether one failed.
struct Stream {
  bool failed = false;
};
inline Stream defaultStream TILESMITH_HIDDEN;
inline Stream &streamOf(void *handle) { return handle ? *static_cast<Stream *>(handle) : defaultStream; }

// Errors of launches that no synchronisation has told the program of: one that ends well all the same did not look.
inline bool unnoticed TILESMITH_HIDDEN = false;
inline void noteFailure(Stream &stream) {
  stream.failed = true;
  static bool first = true;
  if (std::exchange(first, false))
    on_exit(
        [](int status, void *) {
          std::fflush(nullptr);
          if (status == 0 && unnoticed)
            _exit(1);
        },
        nullptr);
  unnoticed = true;
}

// kernel<<<blocks, l2Control, stream>>>(arguments), which the loader writes as launched<kernelAt(&kernel)>("kernel",
// type, blocks, l2Control, stream)(arguments).
template <auto kernel, int workspace> struct Launch;
template <typename... Args, void (*kernel)(Args...), int workspace> struct Launch<kernel, workspace> {
  const char *name;
  int64_t type, blocks;
  Stream &stream;

  void operator()(std::decay_t<Args>... args) const {
    if (runOnHost(name, &KernelOf<kernel, workspace>::run, type < 0 ? kernelType : type, blocks, args...) != 0)
      noteFailure(stream);
  }
};
template <auto kernel, int workspace = -1, typename L2Control = std::nullptr_t>
Launch<kernel, workspace> launched(const char *name, int64_t type, int64_t blocks, const L2Control & = {},
                                   void *stream = nullptr) {
  return {name, type, blocks, streamOf(stream)};
}

// kernel<<<blocks, threads, dynamicBytes, stream>>>(arguments): every block is a function of threads.
template <auto kernel> struct ThreadLaunch;
template <typename... Args, void (*kernel)(Args...)> struct ThreadLaunch<kernel> {
  const char *name;
  ThreadCounts blocks, threads;
  Stream &stream;
  Where where;

  void operator()(std::decay_t<Args>... args) const {
    static std::mutex oneAtATime;
    std::lock_guard lock(oneAtATime);
    static const ThreadLaunch *launch;
    launch = this;
    auto run = [](TsCore *on, const int64_t *bits) {
      auto body = [&] { KernelOf<kernel>::call(bits, std::index_sequence_for<Args...>()); };
      runBlock(on, [&] { runThreadKernel(launch->blocks, launch->threads, body, launch->where); });
    };
    if (runOnHost(name, run, KERNEL_TYPE_AIV_ONLY, int64_t(blocks.x) * blocks.y * blocks.z, args...) != 0)
      noteFailure(stream);
  }
};
// A kernel that says nothing of a core is launched so whatever stands behind the threads: `bytes` may be left out.
template <typename Bytes> void *streamAmong(Bytes bytes, void *stream) {
  if constexpr (std::is_pointer_v<Bytes>)
    return bytes;
  return stream;
}
template <auto kernel, typename Bytes = int64_t>
ThreadLaunch<kernel> launchedThreads(const char *name, int64_t, const ThreadCounts &blocks, const ThreadCounts &threads,
                                     Bytes bytes = {}, void *stream = nullptr, Where where = Where::here()) {
  return {name, blocks, threads, streamOf(streamAmong(bytes, stream)), where};
}
template <auto kernel>
ThreadLaunch<kernel> launched(const char *name, int64_t type, const ThreadCounts &blocks, const ThreadCounts &threads,
                              int64_t bytes, void *stream, Where where = Where::here()) {
  return launchedThreads<kernel>(name, type, blocks, threads, bytes, stream, where);
}

// The same of a template whose arguments follow from those of the call, as launchedBy(call, "kernel", type, ...)(...):
// which instance it is, only a call tells.
template <typename Call> struct LaunchBy {
  Call call;
  const char *name;
  int64_t type, blocks;
  Stream &stream;

  template <typename... Args> void operator()(Args... args) const {
    static std::mutex oneAtATime;
    std::lock_guard lock(oneAtATime);
    static const Call *function;
    static const std::tuple<Args...> *arguments;
    std::tuple<Args...> copies(args...);
    function = &call;
    arguments = &copies;
    auto run = [](TsCore *on, const int64_t *) { runBlock(on, [] { std::apply(*function, *arguments); }); };
    if (runOnHost(name, run, type < 0 ? kernelType : type, blocks, args...) != 0)
      noteFailure(stream);
  }
};
template <typename Call> struct ThreadLaunchBy {
  Call call;
  const char *name;
  ThreadCounts blocks, threads;
  Stream &stream;
  Where where;

  template <typename... Args> void operator()(Args... args) const {
    auto threadsOf = [this](auto... each) { runThreadKernel(blocks, threads, [&] { call(each...); }, where); };
    LaunchBy<decltype(threadsOf)>{threadsOf, name, KERNEL_TYPE_AIV_ONLY, int64_t(blocks.x) * blocks.y * blocks.z,
                                  stream}(args...);
  }
};
template <typename Call, typename Bytes = int64_t>
ThreadLaunchBy<Call> launchedThreadsBy(Call call, const char *name, int64_t, const ThreadCounts &blocks,
                                       const ThreadCounts &threads, Bytes bytes = {}, void *stream = nullptr,
                                       Where where = Where::here()) {
  return {call, name, blocks, threads, streamOf(streamAmong(bytes, stream)), where};
}
template <typename Call>
ThreadLaunchBy<Call> launchedBy(Call call, const char *name, int64_t type, const ThreadCounts &blocks,
                                const ThreadCounts &threads, int64_t bytes, void *stream, Where where = Where::here()) {
  return launchedThreadsBy(call, name, type, blocks, threads, bytes, stream, where);
}
template <typename Call, typename L2Control = std::nullptr_t>
LaunchBy<Call> launchedBy(Call call, const char *name, int64_t type, int64_t blocks, const L2Control & = {},
                          void *stream = nullptr) {
  return {call, name, type, blocks, streamOf(stream)};
}

} // namespace tilesmith

#define ICPU_SET_TILING_KEY(KEY) (::tilesmith::tilingKey = int64_t(KEY))
#define ICPU_RUN_KF(kernel, blocks, ...)                                                                               \
  ::tilesmith::HostRun<::tilesmith::kernelAt(&kernel)>::launch(#kernel, int64_t(blocks), __VA_ARGS__)

#endif
