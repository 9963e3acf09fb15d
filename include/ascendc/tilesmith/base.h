// What every other header stands on: the words of the language, the Machine behind this thread, places in the source.
#ifndef TILESMITH_ASCENDC_BASE_H
#define TILESMITH_ASCENDC_BASE_H

#include "tilesmith/Machine/Api.h"
#include "tilesmith/chip.inc"
#include "tilesmith/scalars.h"
#include "tilesmith/types.inc"
#include <stddef.h>
#include <stdint.h>
#include <type_traits>
#include <utility>

#define TILESMITH_ASCENDC 1
// Sources leave out their launches (`kernel<<<...>>>`) when they are compiled for a host.
#ifndef ASCENDC_CPU_DEBUG
#define ASCENDC_CPU_DEBUG 1
#endif
#ifndef __CCE_KT_TEST__
#define __CCE_KT_TEST__ 1
#endif
#ifndef __CCE_AICORE__
#define __CCE_AICORE__ 220
#endif
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif
#ifdef TILESMITH_FIND_KERNELS // the loader reads the preprocessed text for kernels that macros or includes define
#define __global__ __tilesmith_global__
#define __cube__ __tilesmith_cube__
#define __vector__ __tilesmith_vector__
#define __mix__(...) __tilesmith_mix__(__VA_ARGS__)
#else
#define __global__
#define __cube__
#define __vector__
#define __mix__(...)
#endif
#define __aicore__
#define __host_aicore__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __ssbuf__
#define __kfc_workspace__
#define __sync_noalias__
#define __sync_alias__
#define __check_sync_alias__
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __inout_pipe__(...)
#define __simd_vf__
#define __simd_callee__
#define __cce_unif_buff__
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef GM_ADDR
#define GM_ADDR uint8_t *
#endif

// Whether functions of the library are seen outside of it: only those that are exported on purpose.
#define TILESMITH_HIDDEN __attribute__((visibility("hidden")))

namespace tilesmith {

// The Machine's functions, given when the library is loaded, and the core the calling thread runs a block on.
inline const TsApi *api TILESMITH_HIDDEN = nullptr;
// (__thread: a compiler puts no function of its own around it.)
inline __thread TsCore *core TILESMITH_HIDDEN = nullptr;
// Whether its kernel has not ended yet: objects with a longer life must not reach for the core then.
inline thread_local bool inKernel TILESMITH_HIDDEN = false;

// Files whose lines made calls. A location is a file and a line in one number.
struct TILESMITH_HIDDEN Files {
  static constexpr int64_t most = 255;
  const char *names[most + 1] = {};
  int64_t count = 1; // 0: unknown

  int64_t indexOf(const char *name) {
    for (int64_t i = 1; i < __atomic_load_n(&count, __ATOMIC_ACQUIRE); ++i)
      if (names[i] == name || __builtin_strcmp(names[i], name) == 0)
        return i;
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
      ;
    int64_t at = 0;
    for (int64_t i = 1; i < count && !at; ++i)
      if (__builtin_strcmp(names[i], name) == 0)
        at = i;
    if (!at && count <= most) {
      names[count] = name;
      at = count;
      __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
    }
    __atomic_clear(&locked, __ATOMIC_RELEASE);
    return at;
  }

private:
  bool locked = false;
};
inline Files files TILESMITH_HIDDEN;

// The place of a call: every function of the headers takes one by default, and it is the caller's.
struct Where {
  const char *file;
  uint32_t line;

  static Where here(const char *file = __builtin_FILE(), uint32_t line = __builtin_LINE()) { return {file, line}; }
  int64_t loc() const {
    if (!file)
      return 0; // unknown
    static thread_local const char *last = nullptr;
    static thread_local int64_t index = 0;
    if (file != last) {
      last = file;
      index = files.indexOf(file);
    }
    constexpr uint32_t lines = (1u << TS_LOC_LINE_BITS) - 1;
    return index << TS_LOC_LINE_BITS | (line < lines ? line : lines);
  }
};

// Leaves a kernel from inside after a finding has ended its block.
struct Ended {};
[[noreturn]] inline void fail(Where where, TsFinding finding, const char *text) {
  api->tsm_fail(core, where.loc(), int64_t(finding), text);
#if defined(__cpp_exceptions)
  throw Ended{};
#else
  __builtin_trap();
#endif
}

inline void unsupported(Where where, const char *what) { api->tsm_unsupported(core, where.loc(), what); }

// A number that emitted code puts into a field of type T.
template <typename T> void checkField(int64_t value, Where where) {
  if (int64_t(T(value)) != value)
    api->tsm_field(core, where.loc(), value, int64_t(sizeof(T)) * 8, std::is_signed_v<T>);
}

// T where the compiler must not look for T.
template <typename T> struct SameAs {
  using type = T;
};
template <typename T> using Same = typename SameAs<T>::type;

template <typename T> inline constexpr bool alwaysFalse = false;

// A type of elements as sources call it.
template <typename T> constexpr const char *typeName() {
  if constexpr (std::is_same_v<T, half>)
    return "half";
  else if constexpr (std::is_same_v<T, bfloat16_t>)
    return "bfloat16_t";
  else if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? "float" : "double";
  else if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_integral_v<T>)
    return std::is_signed_v<T> ? (sizeof(T) == 1   ? "int8_t"
                                  : sizeof(T) == 2 ? "int16_t"
                                  : sizeof(T) == 4 ? "int32_t"
                                                   : "int64_t")
                               : (sizeof(T) == 1   ? "uint8_t"
                                  : sizeof(T) == 2 ? "uint16_t"
                                  : sizeof(T) == 4 ? "uint32_t"
                                                   : "uint64_t");
  else
    return "this type";
}
// A register instruction that does not take elements of type T.
template <typename T> void unsupportedType(Where where, const char *instruction) {
  char text[128];
  __builtin_snprintf(text, sizeof text, "Reg::%s of %s", instruction, typeName<T>());
  unsupported(where, text);
}

template <typename T> constexpr int64_t dtypeOf() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, half>)
    return int64_t(DType::F16);
  else if constexpr (std::is_same_v<U, bfloat16_t>)
    return int64_t(DType::BF16);
  else if constexpr (std::is_same_v<U, float>)
    return int64_t(DType::F32);
  else if constexpr (std::is_same_v<U, fp8_e4m3fn_t>)
    return int64_t(DType::F8E4M3);
  else if constexpr (std::is_same_v<U, fp8_e5m2_t>)
    return int64_t(DType::F8E5M2);
  else if constexpr (std::is_same_v<U, fp8_e8m0_t>)
    return int64_t(DType::F8E8M0);
  else if constexpr (std::is_same_v<U, hifloat8_t>)
    return int64_t(DType::HIF8);
  else if constexpr (std::is_same_v<U, fp4x2_e2m1_t>)
    return int64_t(DType::F4E2M1);
  else if constexpr (std::is_same_v<U, fp4x2_e1m2_t>)
    return int64_t(DType::F4E1M2);
  else if constexpr (std::is_same_v<U, bool>)
    return int64_t(DType::U8);
  else if constexpr (std::is_integral_v<U>)
    return int64_t(std::is_signed_v<U> ? (sizeof(U) == 1   ? DType::I8
                                          : sizeof(U) == 2 ? DType::I16
                                          : sizeof(U) == 4 ? DType::I32
                                                           : DType::I64)
                                       : (sizeof(U) == 1   ? DType::U8
                                          : sizeof(U) == 2 ? DType::U16
                                          : sizeof(U) == 4 ? DType::U32
                                                           : DType::U64));
  else
    static_assert(alwaysFalse<T>, "tensors of this element type are not supported");
  return 0;
}

// A scalar as the Machine takes it: floats as their bits, integers by value.
template <typename T> int64_t bitsOf(const T &value) {
  if constexpr (std::is_integral_v<T>) {
    return int64_t(value);
  } else {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return int64_t(bits);
  }
}
template <typename T> T fromBits(int64_t bits) {
  T value;
  memcpy(static_cast<void *>(&value), &bits, sizeof(T)); // half has a constructor, and g++ warns
  return value;
}

template <typename T> constexpr int64_t widest() { return int64_t(sizeof(T)); }
template <typename T, typename U> constexpr int64_t widest() {
  return int64_t(sizeof(T) > sizeof(U) ? sizeof(T) : sizeof(U));
}

// Elements of a repeat, those of the widest type.
template <typename... T> constexpr int64_t lanesOf() { return chip::repeatBytes / widest<T...>(); }

constexpr int64_t addressOf(Memory memory, int64_t offset) { return int64_t(uint64_t(memory) << 56) + offset; }
constexpr Memory memoryAt(int64_t address) { return Memory(uint64_t(address) >> 56 & 15); }
constexpr int hintShift = 60; // of hints for L2 in addresses in GM (Isa/Operands.h)
// Where the scales of a factor lie: at a sixteenth of its address in L0A or L0B.
constexpr int64_t scalesAt(int64_t address) {
  Memory scales = memoryAt(address) == Memory::L0B ? Memory::L0BMX : Memory::L0AMX;
  return addressOf(scales, (address & ((int64_t(1) << 56) - 1)) / 16);
}
constexpr int64_t offsetOf(int64_t address) { return address & ((int64_t(1) << 56) - 1); }

} // namespace tilesmith

#endif
