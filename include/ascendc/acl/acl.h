// The part of the runtime's interface that small host programs use, on the host: device memory is what GmAlloc gives,
// streams are in order, and every call succeeds that can. A kernel that failed is the error of its stream, which every
// synchronisation gives from then on.
#ifndef TILESMITH_ASCENDC_ACL_H
#define TILESMITH_ASCENDC_ACL_H

#include "tikicpulib.h"
#include <cstdlib>
#include <cstring>

using aclError = int;
using aclrtStream = void *;
using aclrtContext = void *;
using aclrtEvent = void *;
using aclFloat16 = uint16_t; // bits of a half
constexpr aclError ACL_SUCCESS = 0, ACL_ERROR_NONE = 0, ACL_ERROR_INVALID_PARAM = 100000, ACL_ERROR_BAD_ALLOC = 200000,
                   ACL_ERROR_RT_AICORE_EXCEPTION = 507015;
enum aclrtMemcpyKind {
  ACL_MEMCPY_HOST_TO_HOST,
  ACL_MEMCPY_HOST_TO_DEVICE,
  ACL_MEMCPY_DEVICE_TO_HOST,
  ACL_MEMCPY_DEVICE_TO_DEVICE
};
enum aclrtMemMallocPolicy { ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY, ACL_MEM_MALLOC_NORMAL_ONLY };

inline aclError aclInit(const char *) { return ACL_SUCCESS; }
inline aclError aclFinalize() { return ACL_SUCCESS; }
inline aclError aclrtSetDevice(int32_t) { return ACL_SUCCESS; }
inline aclError aclrtResetDevice(int32_t) { return ACL_SUCCESS; }
inline aclError aclrtGetDeviceCount(uint32_t *count) {
  *count = 1;
  return ACL_SUCCESS;
}
inline aclError aclrtCreateContext(aclrtContext *context, int32_t) {
  *context = nullptr;
  return ACL_SUCCESS;
}
inline aclError aclrtDestroyContext(aclrtContext) { return ACL_SUCCESS; }
inline aclError aclrtSetCurrentContext(aclrtContext) { return ACL_SUCCESS; }
inline aclError aclrtGetCurrentContext(aclrtContext *context) {
  *context = nullptr;
  return ACL_SUCCESS;
}
inline const char *aclrtGetSocName() {
  TsPlatformFacts facts;
  return tilesmith_platform(nullptr, &facts) ? facts.name : nullptr;
}
inline aclError aclrtGetDevice(int32_t *device) {
  *device = 0;
  return ACL_SUCCESS;
}
inline aclError aclrtCreateStream(aclrtStream *stream) {
  *stream = new tilesmith::Stream;
  return ACL_SUCCESS;
}
inline aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t, uint32_t) {
  return aclrtCreateStream(stream);
}
inline aclError aclrtDestroyStream(aclrtStream stream) {
  delete static_cast<tilesmith::Stream *>(stream);
  return ACL_SUCCESS;
}
inline aclError aclrtSynchronizeStream(aclrtStream stream) {
  if (!tilesmith::streamOf(stream).failed)
    return ACL_SUCCESS;
  tilesmith::unnoticed = false;
  return ACL_ERROR_RT_AICORE_EXCEPTION;
}
inline aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t) {
  return aclrtSynchronizeStream(stream);
}
inline aclError aclrtSynchronizeDevice() {
  return tilesmith::unnoticed ? (tilesmith::unnoticed = false, ACL_ERROR_RT_AICORE_EXCEPTION)
                              : aclrtSynchronizeStream(nullptr);
}
// What is launched is complete when the launch returns, so events have always happened; their times are of the host.
inline aclError aclrtCreateEvent(aclrtEvent *event) {
  *event = nullptr;
  return ACL_SUCCESS;
}
inline aclError aclrtDestroyEvent(aclrtEvent) { return ACL_SUCCESS; }
inline aclError aclrtRecordEvent(aclrtEvent, aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtSynchronizeEvent(aclrtEvent) { return ACL_SUCCESS; }
inline aclError aclrtStreamWaitEvent(aclrtStream, aclrtEvent) { return ACL_SUCCESS; }
inline aclError aclrtMalloc(void **memory, size_t size, aclrtMemMallocPolicy = ACL_MEM_MALLOC_HUGE_FIRST) {
  *memory = tilesmith_gm_alloc(size);
  return *memory ? ACL_SUCCESS : ACL_ERROR_BAD_ALLOC;
}
inline aclError aclrtFree(void *memory) {
  tilesmith_gm_free(memory);
  return ACL_SUCCESS;
}
inline aclError aclrtMallocHost(void **memory, size_t size) {
  *memory = std::malloc(size);
  return *memory ? ACL_SUCCESS : ACL_ERROR_BAD_ALLOC;
}
inline aclError aclrtFreeHost(void *memory) {
  std::free(memory);
  return ACL_SUCCESS;
}
inline aclError aclrtMemcpy(void *to, size_t room, const void *from, size_t count, aclrtMemcpyKind) {
  if (count > room)
    return ACL_ERROR_INVALID_PARAM;
  std::memmove(to, from, count);
  return ACL_SUCCESS;
}
inline aclError aclrtMemcpyAsync(void *to, size_t room, const void *from, size_t count, aclrtMemcpyKind kind,
                                 aclrtStream) {
  return aclrtMemcpy(to, room, from, count, kind);
}
inline aclError aclrtMemset(void *to, size_t room, int32_t value, size_t count) {
  if (count > room)
    return ACL_ERROR_INVALID_PARAM;
  std::memset(to, value, count);
  return ACL_SUCCESS;
}
inline aclError aclrtMemsetAsync(void *to, size_t room, int32_t value, size_t count, aclrtStream) {
  return aclrtMemset(to, room, value, count);
}
inline float aclFloat16ToFloat(aclFloat16 value) { return tilesmith::halfValue(value); }
inline aclFloat16 aclFloatToFloat16(float value) { return tilesmith::halfBits(value); }
inline const char *aclGetRecentErrMsg() { return ""; } // findings are on stderr

#endif
