"""The host's library of tilings: a program asks how large a temporary buffer must be, launches with a buffer of that size, and the Machine
agrees; one byte group less is a finding."""

import os
import subprocess
import sys

import pytest

PROGRAM = r"""
#include "kernel_operator.h"
#include "tiling/tiling_api.h"
#include "acl/acl.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
using namespace AscendC;

__global__ __aicore__ void library(GM_ADDR x, GM_ADDR y, uint32_t n, uint32_t bytes, SoftMaxTiling tiling) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> a, b, c;
  pipe.InitBuffer(a, 4096);
  pipe.InitBuffer(b, 4096);
  pipe.InitBuffer(c, bytes);
  GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)x, n);
  out.SetGlobalBuffer((__gm__ float *)y, n);
  auto s = a.Get<float>(), d = b.Get<float>();
  DataCopy(s, in, n);
  PipeBarrier<PIPE_ALL>();
  if (tiling.srcM)
    SoftMax(d, s, c.Get<uint8_t>(), tiling);
  else
    Erf(d, s, c.Get<uint8_t>(), n);
  PipeBarrier<PIPE_ALL>();
  DataCopy(out, d, n);
}

int main() {
  constexpr uint32_t n = 1024;
  const char *text = getenv("LESS");
  uint32_t less = text ? uint32_t(atoi(text)) : 0;
  aclInit(nullptr);
  aclrtStream stream;
  aclrtCreateStream(&stream);
  void *x, *y;
  aclrtMalloc(&x, n * 4, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&y, n * 4, ACL_MEM_MALLOC_HUGE_FIRST);
  float values[n];
  for (uint32_t i = 0; i < n; ++i)
    values[i] = float(i % 7) - 3;
  aclrtMemcpy(x, n * 4, values, n * 4, ACL_MEMCPY_HOST_TO_DEVICE);
  uint32_t most = 0, least = 0;
  ge::Shape shape({16, 64});
  GetErfMaxMinTmpSize(shape, sizeof(float), false, most, least);
  for (uint32_t bytes : {most, least - less}) {
    library<<<1, nullptr, stream>>>((GM_ADDR)x, (GM_ADDR)y, n, bytes, SoftMaxTiling());
    if (aclrtSynchronizeStream(stream))
      return 3;
  }
  aclrtMemcpy(values, n * 4, y, n * 4, ACL_MEMCPY_DEVICE_TO_HOST);
  printf("%d %.6f\n", most > least, values[4]);
  SoftMaxTiling tiling;
  uint32_t bytes = GetSoftMaxMinTmpSize(shape, sizeof(float), false);
  SoftMaxTilingFunc(shape, sizeof(float), bytes, tiling);
  library<<<1, nullptr, stream>>>((GM_ADDR)x, (GM_ADDR)y, n, bytes, tiling);
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(values, n * 4, y, n * 4, ACL_MEMCPY_DEVICE_TO_HOST);
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += values[i];
  printf("%.5f\n", sum);
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("host") / "main.asc"
    path.write_text(PROGRAM)
    return path


def run(program, *options, less=0):
    command = [sys.executable, "-m", "tilesmith", "run", str(program), "--host", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ | {"LESS": str(less)})


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend950PR_9599"])
def test_a_buffer_as_large_as_the_host_says_is_large_enough(program, platform):
    done = run(program, "-v", platform)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "0.842701", "1.00000"]


def test_a_smaller_one_is_a_finding(program):
    done = run(program, less=32)
    assert "Erf needs 1056 bytes for intermediate results; the temporary buffer has 1024 [library.work]" in done.stderr
