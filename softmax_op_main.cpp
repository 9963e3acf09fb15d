// Launches softmax_op on 48 blocks of an Ascend910B1. Written by Tilesmith.
//
//   x: float32 [4096, 1024], 16777216 bytes
//   y: float32 [4096, 1024], 16777216 bytes, written
//   dynamic size 0 = 4096
//   dynamic size 1 = 4096
//
// Build with the compiler of CANN, and run on a device:
//   bisheng -x asc --npu-arch=dav-2201 -O3 -std=c++17 <this file> -o softmax_op -lascendcl
#include "softmax_op.cpp"
#include "acl/acl.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(aclError status, const char *what) {
  if (status == ACL_SUCCESS)
    return;
  std::fprintf(stderr, "%s failed: %d\n", what, static_cast<int>(status));
  std::exit(1);
}

static std::vector<uint8_t> readArray(const char *path, size_t bytes) {
  std::vector<uint8_t> data(bytes);
  if (std::FILE *file = std::fopen(path, "rb")) {
    if (std::fread(data.data(), 1, bytes, file) != bytes)
      std::fprintf(stderr, "%s is shorter than %zu bytes\n", path, bytes);
    std::fclose(file);
  }
  return data;
}

static void writeArray(const char *path, const std::vector<uint8_t> &data) {
  std::FILE *file = std::fopen(path, "wb");
  if (!file || std::fwrite(data.data(), 1, data.size(), file) != data.size())
    std::fprintf(stderr, "%s cannot be written\n", path);
  if (file)
    std::fclose(file);
}

int main() {
  check(aclInit(nullptr), "aclInit");
  check(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream), "aclrtCreateStream");

  // x: float32 [4096, 1024], 16777216 bytes
  std::vector<uint8_t> xHost = readArray("x.bin", 16777216);
  void *xDevice = nullptr;
  check(aclrtMalloc(&xDevice, 16777216, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  check(aclrtMemcpy(xDevice, 16777216, xHost.data(), 16777216, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");

  // y: float32 [4096, 1024], 16777216 bytes, written
  std::vector<uint8_t> yHost = readArray("y.bin", 16777216);
  void *yDevice = nullptr;
  check(aclrtMalloc(&yDevice, 16777216, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  check(aclrtMemcpy(yDevice, 16777216, yHost.data(), 16777216, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");

  softmax_op<<<48, nullptr, stream>>>(static_cast<__gm__ float *>(xDevice), static_cast<__gm__ float *>(yDevice), 4096, 4096);
  check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");

  check(aclrtMemcpy(yHost.data(), 16777216, yDevice, 16777216, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
  writeArray("y.out.bin", yHost);
  aclrtFree(xDevice);
  aclrtFree(yDevice);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
