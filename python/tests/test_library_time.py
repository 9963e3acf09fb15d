"""A function of the library takes at most 1.1 times what the same function takes that is written by hand with instructions."""

import _tilesmith
import ascendc
import numpy as np
import pytest

import asc

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

template <typename F> __aicore__ inline void On(GM_ADDR x, GM_ADDR y, uint32_t n, F f) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> a, b, w;
  pipe.InitBuffer(a, n * 4);
  pipe.InitBuffer(b, n * 4);
  pipe.InitBuffer(w, n * 4);
  GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)x, n);
  out.SetGlobalBuffer((__gm__ float *)y, n);
  LocalTensor<float> s = a.Get<float>(), d = b.Get<float>();
  DataCopy(s, in, n);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  f(d, s, w);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(out, d, n);
}
#define KERNEL(NAME, ...)                                                                                              \\
  extern "C" __global__ __aicore__ void NAME(GM_ADDR x, GM_ADDR y, uint32_t n) {                                       \\
    On(x, y, n, [&](LocalTensor<float> d, LocalTensor<float> s, TBuf<TPosition::VECCALC> &w) { __VA_ARGS__ });         \\
  }

KERNEL(sigmoid, Sigmoid(d, s, w.Get<uint8_t>(), n);)
KERNEL(sigmoid_by_hand, Muls(d, s, -1.0f, n); Exp(d, d, n); Adds(d, d, 1.0f, n); Reciprocal(d, d, n);)

KERNEL(gelu, Gelu(d, s, w.Get<uint8_t>(), n);)
KERNEL(gelu_by_hand, auto t = w.Get<float>(); Mul(t, s, s, n); Muls(t, t, 0.044715f, n); Adds(t, t, 1.0f, n); Mul(t, t, s, n);
       Muls(t, t, -1.5957691f, n); Exp(t, t, n); Adds(t, t, 1.0f, n); Div(d, s, t, n);)

// Rows of 64 numbers.
KERNEL(softmax, SoftMaxTiling tiling; tiling.srcM = n / 64; tiling.srcK = 64; SoftMax(d, s, w.Get<uint8_t>(), tiling);)
KERNEL(softmax_by_hand, auto t = w.Get<float>(); auto blocks = t[n / 64]; uint8_t rows = n / 64;
       BinaryRepeatParams by(1, 1, 0, 8, 8, 1);
       WholeReduceMax(t, s, 64, rows, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE); Brcb(blocks, t, rows / 8, {1, 8});
       Sub(d, s, blocks, 64, rows, by); Exp(d, d, n); WholeReduceSum(t, d, 64, rows, 1, 1, 8); Brcb(blocks, t, rows / 8, {1, 8});
       Div(d, d, blocks, 64, rows, by);)
"""


@pytest.fixture(autouse=True)
def restore_platform():
    before = _tilesmith.current_platform()
    yield
    _tilesmith.set_platform(before)


def cycles(kernel, n):
    x, y = np.linspace(-4, 4, n, dtype=np.float32), np.zeros(n, np.float32)
    with asc.profile() as profile:
        kernel[1](x, y, n)
    return profile.cycles, y


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend950PR_9599"])
@pytest.mark.parametrize("name", ["sigmoid", "gelu", "softmax"])
def test_a_function_takes_as_long_as_one_by_hand(name, platform):
    _tilesmith.set_platform(platform)
    kernels = ascendc.load(SOURCE)
    for n in (1024, 8192):
        time, result = cycles(kernels[name], n)
        by_hand, expected = cycles(kernels[name + "_by_hand"], n)
        np.testing.assert_allclose(result, expected, 1e-5)
        assert time <= 1.1 * by_hand, f"{name} of {n}: {time} cycles, by hand {by_hand}"
        print(f"{name} of {n} on {platform}: {time} cycles, by hand {by_hand}")
