// What makes a compiled file a library of kernels: adapters from the Machine's arguments to those of each kernel, and
// their description.
//
//   #include "add_custom.cpp"                       // the user's file, unchanged
//   #include "tilesmith/kernel.h"
//   TILESMITH_LIBRARY(TILESMITH_KERNEL(add_custom))  // one TILESMITH_KERNEL for each, separated by commas
//
// A kernel whose declaration says its type (__mix__(1, 2), __cube__, __vector__) is TILESMITH_KERNEL_OF_TYPE.
#ifndef TILESMITH_ASCENDC_KERNEL_H
#define TILESMITH_ASCENDC_KERNEL_H

#include "kernel_operator.h"
#if defined(__cpp_exceptions)
#include <exception>
#endif

namespace tilesmith {

template <typename T> constexpr uint8_t kindOf() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_pointer_v<U>)
    return TS_POINTER;
  else if constexpr (std::is_same_v<U, bfloat16_t>)
    return TS_BFLOAT;
  else if constexpr (std::is_floating_point_v<U> || std::is_same_v<U, half>)
    return TS_FLOAT;
  else if constexpr (std::is_enum_v<U>)
    return TS_SIGNED;
  else if constexpr (std::is_integral_v<U>)
    return std::is_signed_v<U> ? TS_SIGNED : TS_UNSIGNED;
  else
    return TS_STRUCT;
}

template <typename T> constexpr TsParameter describe() {
  if constexpr (std::is_pointer_v<T>) {
    using Element = std::remove_pointer_t<T>;
    if constexpr (std::is_void_v<Element>)
      return {TS_POINTER, TS_STRUCT, sizeof(T), 1};
    else
      return {TS_POINTER, kindOf<Element>(), sizeof(T), sizeof(Element)};
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "a kernel parameter is a pointer, a number or a plain struct");
    return {kindOf<T>(), TS_STRUCT, sizeof(T), 0};
  }
}

// Numbers and device addresses travel in the argument itself, structs as a pointer to their bytes.
template <typename T> T argument(int64_t bits) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(uintptr_t(bits));
  } else if constexpr (kindOf<T>() == TS_STRUCT) {
    T value;
    memcpy(&value, reinterpret_cast<const void *>(uintptr_t(bits)), sizeof(T));
    return value;
  } else {
    return fromBits<T>(bits);
  }
}

// One block on a core of the Machine, from its beginning to its end, however it ends.
template <typename Body> void runBlock(TsCore *on, const Body &body) {
  core = on;
  vf = nullptr;
  inKernel = true;
  knowCore();
#if defined(__cpp_exceptions)
  try {
    body();
  } catch (const Ended &) {
  } catch (const std::exception &error) {
    api->tsm_thrown(on, 0, error.what());
  } catch (...) {
    api->tsm_thrown(on, 0, "not a std::exception");
  }
#else
  body();
#endif
  inKernel = false;
}

// `workspace`: the number of the parameter that is the workspace of the system (GetSysWorkSpacePtr); -1: none.
template <auto kernel, int workspace = -1> struct KernelOf;
template <typename... Args, void (*kernel)(Args...), int workspace> struct KernelOf<kernel, workspace> {
  static constexpr int64_t numParameters = sizeof...(Args);
  static constexpr TsParameter parameters[sizeof...(Args) + 1] = {describe<std::decay_t<Args>>()..., {}};

  template <size_t... i> static void call(const int64_t *args, std::index_sequence<i...>) {
    kernel(argument<std::decay_t<Args>>(args[i])...);
  }

  static void run(TsCore *on, const int64_t *args) {
    runBlock(on, [&] {
      if constexpr (workspace >= 0)
        api->tsm_set_register(core, int64_t(Register::Workspace), args[workspace]);
      call(args, std::index_sequence_for<Args...>());
    });
  }
};

// The kernel among the functions of its name: it returns nothing, functions of the C library that are called the same
// do.
template <typename... Args> constexpr auto kernelAt(void (*kernel)(Args...)) { return kernel; }

template <auto kernel, int workspace = -1> constexpr TsLibraryKernel libraryKernel(const char *name, int64_t type) {
  using Of = KernelOf<kernel, workspace>;
  return {name, &Of::run, Of::parameters, Of::numParameters, type};
}

inline const char *fileOf(int64_t index) { return index > 0 && index < files.count ? files.names[index] : nullptr; }

} // namespace tilesmith

#define TILESMITH_KERNEL(NAME) TILESMITH_KERNEL_OF_TYPE(NAME, -1)
#define TILESMITH_KERNEL_OF_TYPE(NAME, TYPE) tilesmith::libraryKernel<tilesmith::kernelAt(&NAME)>(#NAME, int64_t(TYPE))

#define TILESMITH_LIBRARY(...)                                                                                         \
  extern "C" __attribute__((visibility("default"))) const TsLibrary *tilesmith_bind(const TsApi *table) {              \
    if (!table || table->version != TS_API_VERSION || table->size != int64_t(sizeof(TsApi)))                           \
      return nullptr;                                                                                                  \
    tilesmith::api = table;                                                                                            \
    static const TsLibraryKernel kernels[] = {__VA_ARGS__};                                                            \
    static const TsLibrary library = {TS_API_VERSION, kernels, int64_t(sizeof kernels / sizeof kernels[0]),            \
                                      tilesmith::fileOf};                                                              \
    return &library;                                                                                                   \
  }

#endif
