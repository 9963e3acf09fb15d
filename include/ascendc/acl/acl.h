// The part of the runtime's interface that small host programs use, on the host: device memory is what GmAlloc gives,
// streams are in order, and every call succeeds that can.
#ifndef TILESMITH_ASCENDC_ACL_H
#define TILESMITH_ASCENDC_ACL_H

#include "tikicpulib.h"
#include <cstdlib>
#include <cstring>

using aclError = int;
using aclrtStream = void *;
using aclrtContext = void *;
constexpr aclError ACL_SUCCESS = 0, ACL_ERROR_NONE = 0, ACL_ERROR_BAD_ALLOC = 200000;
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
inline aclError aclrtCreateStream(aclrtStream *stream) {
  *stream = nullptr;
  return ACL_SUCCESS;
}
inline aclError aclrtDestroyStream(aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtSynchronizeStream(aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtSynchronizeDevice() { return ACL_SUCCESS; }
inline aclError aclrtMalloc(void **memory, size_t size, aclrtMemMallocPolicy) {
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
    return 100000; // an invalid parameter
  std::memmove(to, from, count);
  return ACL_SUCCESS;
}
inline aclError aclrtMemset(void *to, size_t room, int32_t value, size_t count) {
  if (count > room)
    return 100000;
  std::memset(to, value, count);
  return ACL_SUCCESS;
}
inline const char *aclGetRecentErrMsg() { return ""; }

#endif
