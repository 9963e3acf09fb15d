"""SetL2CacheHint changes when a kernel is done, and nothing else: not its results, not what checks see."""

import _tilesmith
import asc
import numpy as np
import pytest

import ascendc

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, int32_t length, int32_t tile, int32_t mode) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, length);
  yGm.SetGlobalBuffer((__gm__ float *)y, length);
  if (mode == 1) xGm.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
  if (mode == 2) xGm.SetL2CacheHint<CacheRwMode::READ>(CacheMode::CACHE_MODE_LAST);
  if (mode == 3) yGm.SetL2CacheHint<CacheRwMode::WRITE>(CacheMode::CACHE_MODE_PERSISTENT);
  if (mode == 4) xGm.SetL2CacheHint<CacheRwMode::WRITE>(CacheMode::CACHE_MODE_DISABLE);
  LocalTensor<float> local(TPosition::VECCALC, 0, tile);
  for (int32_t i = GetBlockIdx(); i < length / tile; i += GetBlockNum()) {
    DataCopy(local, xGm[i * tile], tile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(local, local, 1.0f, tile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(yGm[i * tile], local, tile);
    SetFlag<HardEvent::MTE3_MTE2>(0);
    WaitFlag<HardEvent::MTE3_MTE2>(0);
  }
}"""


@pytest.fixture(params=["Ascend910B1", "Ascend950PR_9599"])
def platform(request):
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(request.param)
    yield request.param
    _tilesmith.set_platform(before)


def test_hints_change_time_alone(platform):
    kernel = ascendc.load(SOURCE)["twice"]
    x = np.arange(65536, dtype=np.float32)
    for mode in range(5):
        for late in (False, True):
            y = np.zeros_like(x)
            with asc.check(late=late) as report:
                kernel[4](x, y, x.size, 4096, mode)
            assert not report.findings
            np.testing.assert_array_equal(y, x + 1)


def test_bounds_are_seen_through_hints(platform):
    kernel = ascendc.load(SOURCE)["twice"]
    x, y = np.zeros(4096, np.float32), np.zeros(8192, np.float32)
    with asc.check() as report:
        kernel[1](x, y, 8192, 4096, 1)
    (finding,) = {finding["id"] for finding in report.findings}
    assert finding == "bounds.gm-read" and "argument" in report.findings[0]["rendered"]
