// The part of the runtime's interface that small host programs use, on the host: device memory is what GmAlloc gives,
// streams are in order, and every call succeeds that can. A kernel that failed is the error of its stream, which every
// synchronisation gives from then on.
#ifndef TILESMITH_ASCENDC_ACL_H
#define TILESMITH_ASCENDC_ACL_H

#include "tikicpulib.h"
#include "tilesmith/graph_types.h"
#include <chrono>
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
enum aclrtMemMallocPolicy {
  ACL_MEM_MALLOC_HUGE_FIRST,
  ACL_MEM_MALLOC_HUGE_ONLY,
  ACL_MEM_MALLOC_NORMAL_ONLY,
  ACL_MEM_MALLOC_HUGE_FIRST_P2P,
  ACL_MEM_MALLOC_HUGE_ONLY_P2P,
  ACL_MEM_MALLOC_NORMAL_ONLY_P2P
};
enum aclrtMemAttr { ACL_DDR_MEM, ACL_HBM_MEM };
enum aclrtRunMode { ACL_DEVICE, ACL_HOST };
enum aclrtDevAttr {
  ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
  ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
  ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
  ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
  ACL_DEV_ATTR_WARP_SIZE = 202,
  ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,
  ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
  ACL_DEV_ATTR_L2_CACHE_SIZE = 302
};
enum aclDataType {
  ACL_DT_UNDEFINED = -1,
  ACL_FLOAT = 0,
  ACL_FLOAT16 = 1,
  ACL_INT8 = 2,
  ACL_INT32 = 3,
  ACL_UINT8 = 4,
  ACL_INT16 = 6,
  ACL_UINT16 = 7,
  ACL_UINT32 = 8,
  ACL_INT64 = 9,
  ACL_UINT64 = 10,
  ACL_DOUBLE = 11,
  ACL_BOOL = 12,
  ACL_BF16 = 27,
  ACL_INT4 = 29
};
enum aclFormat { ACL_FORMAT_UNDEFINED = -1, ACL_FORMAT_NCHW = 0, ACL_FORMAT_NHWC = 1, ACL_FORMAT_ND = 2 };

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
inline aclError aclrtResetDeviceForce(int32_t) { return ACL_SUCCESS; }
inline aclError aclrtGetRunMode(aclrtRunMode *mode) {
  *mode = ACL_HOST;
  return ACL_SUCCESS;
}
inline aclError aclrtGetVersion(int32_t *major, int32_t *minor, int32_t *patch) {
  *major = 1;
  *minor = *patch = 0;
  return ACL_SUCCESS;
}
// Numbers of the platform the program runs on.
inline aclError aclrtGetDeviceInfo(uint32_t, aclrtDevAttr attribute, int64_t *value) {
  TsPlatformFacts facts;
  if (!tilesmith_platform(nullptr, &facts))
    return ACL_ERROR_INVALID_PARAM;
  switch (attribute) {
  case ACL_DEV_ATTR_AICORE_CORE_NUM:
  case ACL_DEV_ATTR_CUBE_CORE_NUM:
    *value = facts.cubeCores;
    return ACL_SUCCESS;
  case ACL_DEV_ATTR_VECTOR_CORE_NUM:
    *value = facts.vectorCores;
    return ACL_SUCCESS;
  case ACL_DEV_ATTR_WARP_SIZE:
    *value = 32;
    return ACL_SUCCESS;
  case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE:
    *value = facts.ub;
    return ACL_SUCCESS;
  case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
    *value = facts.gm;
    return ACL_SUCCESS;
  case ACL_DEV_ATTR_L2_CACHE_SIZE:
    *value = facts.l2;
    return ACL_SUCCESS;
  default:
    return ACL_ERROR_INVALID_PARAM;
  }
}
inline aclError aclrtGetMemInfo(aclrtMemAttr, size_t *left, size_t *total) {
  TsPlatformFacts facts;
  if (!tilesmith_platform(nullptr, &facts))
    return ACL_ERROR_INVALID_PARAM;
  *left = *total = size_t(facts.gm);
  return ACL_SUCCESS;
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
inline aclError aclrtDestroyStreamForce(aclrtStream stream) { return aclrtDestroyStream(stream); }
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
namespace tilesmith {
struct Event {
  std::chrono::steady_clock::time_point at;
};
} // namespace tilesmith
enum aclrtEventRecordedStatus { ACL_EVENT_RECORDED_STATUS_NOT_READY = 0, ACL_EVENT_RECORDED_STATUS_COMPLETE = 1 };
enum aclrtEventStatus { ACL_EVENT_STATUS_COMPLETE = 0, ACL_EVENT_STATUS_NOT_READY = 1 };
enum aclrtStreamStatus { ACL_STREAM_STATUS_COMPLETE = 0, ACL_STREAM_STATUS_NOT_READY = 1 };
constexpr uint32_t ACL_EVENT_TIME_LINE = 8, ACL_EVENT_SYNC = 1, ACL_EVENT_CAPTURE_STREAM_PROGRESS = 2,
                   ACL_STREAM_FAST_LAUNCH = 1, ACL_STREAM_FAST_SYNC = 2;
inline aclError aclrtCreateEvent(aclrtEvent *event) {
  *event = new tilesmith::Event;
  return ACL_SUCCESS;
}
inline aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t) { return aclrtCreateEvent(event); }
inline aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t) { return aclrtCreateEvent(event); }
inline aclError aclrtDestroyEvent(aclrtEvent event) {
  delete static_cast<tilesmith::Event *>(event);
  return ACL_SUCCESS;
}
inline aclError aclrtRecordEvent(aclrtEvent event, aclrtStream) {
  static_cast<tilesmith::Event *>(event)->at = std::chrono::steady_clock::now();
  return ACL_SUCCESS;
}
inline aclError aclrtSynchronizeEvent(aclrtEvent) { return ACL_SUCCESS; }
inline aclError aclrtStreamWaitEvent(aclrtStream, aclrtEvent) { return ACL_SUCCESS; }
inline aclError aclrtResetEvent(aclrtEvent, aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtQueryEventStatus(aclrtEvent, aclrtEventRecordedStatus *status) {
  *status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  return ACL_SUCCESS;
}
inline aclError aclrtStreamQuery(aclrtStream, aclrtStreamStatus *status) {
  *status = ACL_STREAM_STATUS_COMPLETE;
  return ACL_SUCCESS;
}
inline aclError aclrtEventElapsedTime(float *milliseconds, aclrtEvent begin, aclrtEvent end) {
  auto at = [](aclrtEvent event) { return static_cast<tilesmith::Event *>(event)->at; };
  *milliseconds = std::chrono::duration<float, std::milli>(at(end) - at(begin)).count();
  return ACL_SUCCESS;
}
// A function of the host in a stream: it runs at once, as everything before it is through.
using aclrtCallback = void (*)(void *);
enum aclrtCallbackBlockType { ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK };
inline aclError aclrtSubscribeReport(uint64_t, aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtUnSubscribeReport(uint64_t, aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtProcessReport(int32_t) { return ACL_SUCCESS; }
inline aclError aclrtLaunchCallback(aclrtCallback function, void *data, aclrtCallbackBlockType, aclrtStream) {
  function(data);
  return ACL_SUCCESS;
}
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
inline aclError aclrtMemcpy2d(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t rows,
                              aclrtMemcpyKind) {
  if (width > toPitch || width > fromPitch)
    return ACL_ERROR_INVALID_PARAM;
  for (size_t row = 0; row < rows; ++row)
    std::memmove(static_cast<char *>(to) + row * toPitch, static_cast<const char *>(from) + row * fromPitch, width);
  return ACL_SUCCESS;
}
inline aclError aclrtMallocAlign32(void **memory, size_t size, aclrtMemMallocPolicy policy) {
  return aclrtMalloc(memory, size, policy);
}
inline aclError aclrtMallocCached(void **memory, size_t size, aclrtMemMallocPolicy policy) {
  return aclrtMalloc(memory, size, policy);
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
inline size_t aclDataTypeSize(aclDataType type) { return size_t(ge::GetSizeByDataType(ge::DataType(type))); }
inline const char *aclGetRecentErrMsg() { return ""; } // findings are on stderr

#endif
