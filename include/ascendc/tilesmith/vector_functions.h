// Starting register code: asc_vf_call for a function, __VEC_SCOPE__ for code in place.
#ifndef TILESMITH_ASCENDC_VECTOR_FUNCTIONS_H
#define TILESMITH_ASCENDC_VECTOR_FUNCTIONS_H

#include "tilesmith/registers.h"

// Code of the host whose accesses to memory are not those of a thread (simt.h).
#define TILESMITH_UNSEEN __attribute__((no_sanitize("thread")))

namespace tilesmith {

template <typename T> int64_t vfArgument(T value) {
  if constexpr (std::is_pointer_v<T>)
    return int64_t(reinterpret_cast<intptr_t>(value));
  else
    return bitsOf<T>(value);
}
template <typename T> T vfParameter(int64_t bits) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(intptr_t(bits));
  else
    return fromBits<T>(bits);
}

// How many threads a function of threads has (simt.h).
struct ThreadCounts {
  uint32_t x, y, z;
  constexpr ThreadCounts(uint32_t x = 1, uint32_t y = 1, uint32_t z = 1) : x(x), y(y), z(z) {}
};
template <auto function> struct SimtOf;

template <auto function> struct VfOf;
template <typename... Args, void (*function)(Args...)> struct VfOf<function> {
  template <size_t... i> static void call(const int64_t *args, std::index_sequence<i...>) {
    function(vfParameter<std::decay_t<Args>>(args[i])...);
  }
  static void run(uint8_t *, const int64_t *args) {
    vf = api->tsm_vf_context(core);
    vfLoads.clear();
    call(args, std::index_sequence_for<Args...>());
    vf = nullptr;
  }
  void operator()(std::decay_t<Args>... args, Where where = Where::here()) const {
    static_assert(sizeof...(Args) <= TS_VF_MAX_ARGS, "a vector function of the model takes at most 16 arguments");
    int64_t packed[sizeof...(Args) + 1] = {vfArgument<std::decay_t<Args>>(args)..., 0};
    api->tsm_vf_call(core, where.loc(), &run, packed, sizeof...(Args));
  }
  void operator()(const ThreadCounts &threads, std::decay_t<Args>... args, Where where = Where::here()) const {
    SimtOf<function>{}(threads, args..., where);
  }
};

// Code in place: runs when it is reached, in every mode.
struct VfScope {
  bool first = true;
  explicit VfScope(Where where = Where::here()) {
    vf = api->tsm_vf_begin(core, where.loc());
    vfLoads.clear();
  }
  ~VfScope() {
    api->tsm_vf_end(core);
    vf = nullptr;
  }
  bool once() { return std::exchange(first, false); }
};

// An array in UB that a function declares; a place in the source has one for a block. They lie at the end of UB: memory
// whose size a launch gives lies at its beginning.
inline int64_t sharedEnd TILESMITH_HIDDEN = 0;
template <typename Array, typename Place> TILESMITH_UNSEEN Array &sharedArray(Place) {
  static const int64_t behind =
      __atomic_add_fetch(&sharedEnd, (int64_t(sizeof(Array)) + 31) / 32 * 32, __ATOMIC_RELAXED);
  int64_t end = api->tsm_capacity(core, int64_t(Memory::UB));
  return *reinterpret_cast<Array *>(api->tsm_ub(core) + end - behind);
}
// An array in a memory of the cube core: the offset of its place, which nothing on the host lies behind.
template <int memory> inline int64_t cubeEnd TILESMITH_HIDDEN = 0;
template <typename Array, AscendC::TPosition position, typename Place> auto *cubeArray(Place) {
  constexpr int memory = int(memoryOf(position));
  static const int64_t at =
      __atomic_fetch_add(&cubeEnd<memory>, (int64_t(sizeof(Array)) + 511) / 512 * 512, __ATOMIC_RELAXED);
  return reinterpret_cast<std::remove_extent_t<Array> *>(intptr_t(at));
}
template <typename T> TILESMITH_UNSEEN T *sharedMemory() { return reinterpret_cast<T *>(api->tsm_ub(core)); }

} // namespace tilesmith

#define __VEC_SCOPE__ for (tilesmith::VfScope tilesmithScope; tilesmithScope.once();)

// asc_vf_call<F>(arguments of F). An object, so that the place of the call can follow the arguments.
template <auto function> inline constexpr tilesmith::VfOf<function> asc_vf_call{};

#endif
