// Starting register code: asc_vf_call for a function, __VEC_SCOPE__ for code in place.
#ifndef TILESMITH_ASCENDC_VECTOR_FUNCTIONS_H
#define TILESMITH_ASCENDC_VECTOR_FUNCTIONS_H

#include "tilesmith/registers.h"

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

} // namespace tilesmith

#define __VEC_SCOPE__ for (tilesmith::VfScope tilesmithScope; tilesmithScope.once();)

// asc_vf_call<F>(arguments of F). An object, so that the place of the call can follow the arguments.
template <auto function> inline constexpr tilesmith::VfOf<function> asc_vf_call{};

#endif
