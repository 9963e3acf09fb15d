"""LoadData with LoadData3DParamsV2 (img2col), and weights that lie in global memory as fractals: a convolution against NumPy."""

import numpy as np
import pytest

import _tilesmith
import asc
import ascendc

KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;

// y[places, n] = img2col(x) * w. The image is groups of channels x h x w pixels x 32 bytes, the weights lie in fractals as L0B has them:
// both are loaded by plain moves. Rows of the result come in pieces of `rows`.
extern "C" __global__ __aicore__ void convolve(GM_ADDR x, GM_ADDR w, GM_ADDR y, uint16_t h, uint16_t width, uint16_t channels, uint16_t n,
                                               uint8_t filterH, uint8_t filterW, uint8_t stride, uint8_t dilation, uint8_t pad,
                                               uint16_t places, uint16_t rows, uint16_t firstColumn) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  uint16_t k = (channels + 15) / 16 * 16 * filterH * filterW, wide = k - firstColumn;
  GlobalTensor<half> xGm, wGm;
  GlobalTensor<float> yGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  wGm.SetGlobalBuffer((__gm__ half *)w);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  uint32_t pixels = (channels + 15) / 16 * h * width;
  LocalTensor<half> a1(TPosition::A1, 0, pixels * 16), b1(TPosition::B1, 131072, k * n), a2(TPosition::A2, 0, rows * k), b2(TPosition::B2, 0, k * n);
  LocalTensor<float> c1(TPosition::CO1, 0, rows * n);
  DataCopy(a1, xGm, pixels * 16);
  DataCopy(b1, wGm, k * n);
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  for (uint32_t i = 0; i < wide * n / 256u; ++i)
    LoadData(b2[i * 256], b1[firstColumn * n + i * 256], LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  const uint8_t pads[] = {pad, pad, pad, pad};
  for (uint16_t row = 0; row < places; row += rows) {
    uint16_t some = places - row < rows ? places - row : rows, up = (some + 15) / 16 * 16;
    LoadData(a2, a1, LoadData3DParamsV2<half>(pads, h, width, channels, wide, up, firstColumn, row, stride, stride, filterW, filterH, dilation,
                                              dilation, false, false, half(0)));
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(c1, a2, b2, MmadParams(some, n, wide, 3, false, true));
    FixpipeParamsV220 out(n, some, up, n, false);
    out.unitFlag = 3;
    Fixpipe<float, float, CFG_ROW_MAJOR>(yGm[row * n], c1, out);
    SetFlag<HardEvent::M_MTE1>(0);
    WaitFlag<HardEvent::M_MTE1>(0);
  }
}

// y[16, columns] = d[16, places] * img2col(x): the image as the right factor. d lies in fractals as L0A has them.
extern "C" __global__ __aicore__ void gradient(GM_ADDR d, GM_ADDR x, GM_ADDR y, uint16_t h, uint16_t width, uint8_t filterH, uint8_t filterW,
                                               uint8_t pad, uint16_t places) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  uint16_t n = 16 * filterH * filterW;
  GlobalTensor<half> dGm, xGm;
  GlobalTensor<float> yGm;
  dGm.SetGlobalBuffer((__gm__ half *)d);
  xGm.SetGlobalBuffer((__gm__ half *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  LocalTensor<half> a1(TPosition::A1, 0, 16 * places), b1(TPosition::B1, 131072, h * width * 16), a2(TPosition::A2, 0, 16 * places),
      b2(TPosition::B2, 0, places * n);
  LocalTensor<float> c1(TPosition::CO1, 0, 16 * n);
  DataCopy(a1, dGm, 16 * places);
  DataCopy(b1, xGm, h * width * 16);
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  for (uint16_t i = 0; i < places / 16; ++i)
    LoadData(a2[i * 256], a1[i * 256], LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  const uint8_t pads[] = {pad, pad, pad, pad};
  LoadData(b2, b1, {pads, h, width, 16, n, places, 0, 0, 1, 1, filterW, filterH, 1, 1, false, false, half(0)});
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  Mmad(c1, a2, b2, MmadParams(16, n, places, 3, false, true));
  FixpipeParamsV220 out(n, 16, 16, n, false);
  out.unitFlag = 3;
  Fixpipe<float, float, CFG_ROW_MAJOR>(yGm, c1, out);
}

// A matrix of 16-bit elements into L1, as rows or, with nz, as it lies there.
extern "C" __global__ __aicore__ void weights(GM_ADDR w, uint16_t k, uint16_t n, bool nz) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  GlobalTensor<half> wGm;
  wGm.SetGlobalBuffer((__gm__ half *)w);
  LocalTensor<half> b1(TPosition::B1, 0, 64 * 256);
  for (uint16_t at = 0; at < k; at += 64) {
    if (nz) // columns of 16, each with all k rows
      DataCopy(b1, wGm[at * 16], DataCopyParams(n / 16, 64, k - 64, 0));
    else
      DataCopy(b1, wGm[at * n], Nd2NzParams(1, 64, n, 0, n, 64, 1, 0));
    PipeBarrier<PIPE_MTE2>();
  }
}
"""


@pytest.fixture(params=["Ascend910B1", "Ascend950PR_9599"])
def part(request):
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(request.param)
    yield request.param
    _tilesmith.set_platform(before)


def convolution(x, w, stride, dilation, pad, first_channel):
    """x [c, h, w], w [n, c, fh, fw] in float64; filter elements before first_channel's group do not count."""
    x = np.pad(x.astype(np.float64), ((0, 0), (pad, pad), (pad, pad)))
    n, channels, fh, fw = w.shape
    high = (x.shape[1] - dilation * (fh - 1) - 1) // stride + 1
    wide = (x.shape[2] - dilation * (fw - 1) - 1) // stride + 1
    y = np.zeros((high, wide, n))
    for i in range(high):
        for j in range(wide):
            patch = x[:, i * stride : i * stride + dilation * fh : dilation, j * stride : j * stride + dilation * fw : dilation][
                :, :fh, :fw
            ]
            y[i, j] = np.einsum("cij,ncij->n", patch[first_channel:], w.astype(np.float64)[:, first_channel:])
    return y.reshape(-1, n)


@pytest.mark.parametrize(
    "h, w, channels, n, fh, fw, stride, dilation, pad, rows, first_channel",
    [
        (8, 8, 16, 16, 3, 3, 1, 1, 1, 64, 0),
        (7, 9, 32, 32, 3, 2, 2, 1, 1, 16, 0),
        (9, 6, 20, 16, 2, 2, 1, 3, 2, 32, 0),
        (5, 5, 32, 16, 1, 1, 1, 1, 0, 32, 16),
        (1, 40, 16, 16, 1, 5, 3, 2, 4, 16, 0),
    ],
)
def test_convolution(part, h, w, channels, n, fh, fw, stride, dilation, pad, rows, first_channel):
    rng = np.random.default_rng(h * w)
    groups = -(-channels // 16)
    image = np.zeros((groups * 16, h, w), np.float16)
    image[:channels] = rng.integers(-4, 5, (channels, h, w))
    weights = np.zeros((n, groups * 16, fh, fw), np.float16)
    weights[:, :channels] = rng.integers(-4, 5, (n, channels, fh, fw))
    x = np.ascontiguousarray(image.reshape(groups, 16, h, w).transpose(0, 2, 3, 1))
    matrix = weights.reshape(n, groups, 16, fh, fw).transpose(1, 3, 4, 2, 0).reshape(-1, n)  # k by n
    fractals = np.ascontiguousarray(matrix.reshape(-1, 16, n // 16, 16).transpose(0, 2, 3, 1))  # k1 n1 n0 k0
    expected = convolution(image, weights, stride, dilation, pad, first_channel)
    places = len(expected)
    y = np.zeros((places, n), np.float32)

    def launch():
        ascendc.load(KERNEL)["convolve"][1](
            x, fractals, y, h, w, channels, n, fh, fw, stride, dilation, pad, places, rows, first_channel * fh * fw
        )

    with asc.check() as report:
        launch()
    assert not report.findings, report.findings[0]["rendered"]
    assert np.array_equal(y, expected)
    for late in ("consumers", "producers"):
        y[...] = 0
        with asc.launch_mode(late=late):
            launch()
        assert np.array_equal(y, expected)


def test_an_image_as_the_right_factor(part):
    rng = np.random.default_rng(1)
    image, d = rng.integers(-4, 5, (16, 8, 4)).astype(np.float16), rng.integers(-4, 5, (16, 32)).astype(np.float16)
    padded = np.pad(image.astype(np.float64), ((0, 0), (1, 1), (1, 1)))
    matrix = np.stack([padded[:, i : i + 3, j : j + 3].transpose(1, 2, 0).ravel() for i in range(8) for j in range(4)])
    fractals = np.ascontiguousarray(d.reshape(16, 2, 16).transpose(1, 0, 2))  # one row of fractals: both orders are the same
    y = np.zeros((16, matrix.shape[1]), np.float32)
    with asc.check() as report:
        ascendc.load(KERNEL)["gradient"][1](fractals, np.ascontiguousarray(image.transpose(1, 2, 0)), y, 8, 4, 3, 3, 1, 32)
    assert not report.findings, report.findings[0]["rendered"]
    assert np.array_equal(y, d.astype(np.float64) @ matrix)


def test_wrong_numbers_are_said(part):
    x = np.zeros((1, 4, 4, 16), np.float16)
    w, y = np.zeros((1, 1, 16, 16), np.float16), np.zeros((16, 16), np.float32)
    kernel = ascendc.load(KERNEL)["convolve"][1]
    with pytest.raises(RuntimeError, match="the filter of load_data_3d_v2 is larger than the image with its padding"):
        kernel(x, w, y, 4, 4, 16, 16, 1, 5, 1, 1, 0, 16, 16, 0)
    with pytest.raises(RuntimeError, match="stride of load_data_3d_v2 is 0 x 0, not at least 1 x 1"):
        kernel(x, w, y, 4, 4, 16, 16, 1, 1, 0, 1, 0, 16, 16, 0)


def test_weights_in_fractals_load_as_plain_moves(part):
    """ND to NZ costs at least as much as moving what already is NZ; where it has a floor for small loads, more even as they overlap."""
    w = np.zeros(64 * 16 * 256, np.float16)
    cycles = {}
    for nz in (False, True):
        with asc.profile() as profile:
            ascendc.load(KERNEL)["weights"][1](w, 64 * 16, 256, nz)
        cycles[nz] = profile.cycles
    assert cycles[True] <= cycles[False]
    if part == "Ascend910B1":
        assert cycles[True] < 0.95 * cycles[False]
