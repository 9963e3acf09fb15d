"""TopK: the largest and smallest elements of rows with their places, against NumPy."""

import asc
import numpy as np
import pytest
from asc.runtime import config

C220, C310 = "Ascend910B1", "Ascend950PR_9599"
KERNEL = """#include "kernel_operator.h"
#include "tiling/tiling_api.h"
using namespace AscendC;
constexpr int32_t outter = 3, inner = 96, n = N, k = K;
extern "C" __global__ __aicore__ void topk(__gm__ TYPE *x, __gm__ TYPE *values, __gm__ int32_t *places, __gm__ int32_t *given, bool isLargest) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffers[6];
  constexpr int32_t kValues = (k * sizeof(TYPE) + 31) / 32 * 32 / sizeof(TYPE), kPlaces = (k + 7) / 8 * 8;
  uint32_t most, least;
  GetTopKMaxMinTmpSize(0, inner, outter, false, INIT, TopKMode::TOPK_NORMAL, isLargest, sizeof(TYPE), most, least);
  pipe.InitBuffer(buffers[0], outter * inner * sizeof(TYPE));
  pipe.InitBuffer(buffers[1], outter * kValues * sizeof(TYPE));
  pipe.InitBuffer(buffers[2], outter * kPlaces * 4);
  pipe.InitBuffer(buffers[3], inner * 4);
  pipe.InitBuffer(buffers[4], 32);
  pipe.InitBuffer(buffers[5], least LESS);
  auto src = buffers[0].Get<TYPE>(), dst = buffers[1].Get<TYPE>();
  auto index = buffers[2].Get<int32_t>(), first = buffers[3].Get<int32_t>();
  GlobalTensor<TYPE> xGm, yGm;
  GlobalTensor<int32_t> iGm, gGm;
  xGm.SetGlobalBuffer(x);
  yGm.SetGlobalBuffer(values);
  iGm.SetGlobalBuffer(places);
  gGm.SetGlobalBuffer(given);
  DataCopy(src, xGm, outter * inner);
  DataCopy(first, gGm, inner);
  PipeBarrier<PIPE_ALL>();
  TopkTiling tiling;
  TopK<TYPE, INIT>(dst, index, src, first, buffers[4].Get<bool>(), buffers[5].Get<uint8_t>(), k, tiling, {outter, inner, n}, isLargest);
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, dst, outter * kValues);
  DataCopy(iGm, index, outter * kPlaces);
}
"""


@pytest.fixture
def run(tmp_path):
    libraries = []

    def runs(platform, dtype, n=96, k=10, init=False, largest=(True,), less=""):
        words = {"TYPE": "half" if dtype == np.float16 else "float", "INIT": str(init).lower(), "LESS": less}
        text = KERNEL.replace("n = N", f"n = {n}").replace("k = K", f"k = {k}")
        for word, value in words.items():
            text = text.replace(word, value)
        path = tmp_path / "topk.cpp"
        path.write_text(text)
        config.set_platform(config.Backend.Model, platform)
        libraries.append(asc.load_ascendc(path))
        rng = np.random.default_rng(5)
        x = np.stack([rng.permutation(96) for _ in range(3)]).astype(dtype) - 40
        given = (rng.permutation(96) + 1000).astype(np.int32)
        pitch, step = -(-k * x.itemsize // 32) * 32 // x.itemsize, -(-k // 8) * 8
        for each in largest:
            values, places = np.zeros((3, pitch), dtype), np.zeros((3, step), np.int32)
            with asc.check() as report:
                libraries[-1]["topk"][1](x, values, places, given, each)
            order = np.argsort(-x[:, :n] if each else x[:, :n], axis=1)[:, :k]
            yield report, values[:, :k], places[:, :k], np.take_along_axis(x, order, 1), given[order] if init else order

    yield runs
    for library in libraries:
        library.close()
    config.set_platform(config.Backend.Model, C220)


@pytest.mark.parametrize(
    "platform, dtype, n, k, init",
    [(C220, np.float32, 96, 10, False), (C310, np.float16, 90, 16, True), (C220, np.float16, 65, 5, False), (C310, np.float32, 96, 96, True)],
)
def test_the_largest_and_smallest(run, platform, dtype, n, k, init):
    for report, values, places, expected, at in run(platform, dtype, n, k, init, (True, False)):
        assert report.findings == [], report.findings[0]["rendered"]
        np.testing.assert_array_equal(values, expected)
        np.testing.assert_array_equal(places, at)


@pytest.mark.parametrize("asked, id", [({"less": "- 32"}, "library.work"), ({"n": 8, "k": 9}, "library.operand")])
def test_what_does_not_fit_is_found(run, asked, id):
    (report, *_), = run(C220, np.float32, **asked)
    assert [finding["id"] for finding in report.findings] == [id]
