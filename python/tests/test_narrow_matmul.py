"""Products of 8- and 4-bit floats on the 950, plain and with MX scales, against float64."""

import numpy as np
import pytest

import _tilesmith
import asc
import ascendc

KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;

// C[m, n] = A[m, k] * B[n, k]^T with both factors row-major in global memory; scales lie there in fractals.
template <typename A, typename B, int perByte, bool scaled>
__aicore__ inline void product(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR aScales, GM_ADDR bScales, GM_ADDR bias, uint16_t m, uint16_t n,
                               uint16_t k) {
  uint16_t rowBytes = k / perByte, mUp = (m + 15) / 16 * 16, nUp = (n + 15) / 16 * 16, columns = (rowBytes + 31) / 32;
  GlobalTensor<A> aGm;
  GlobalTensor<B> bGm;
  GlobalTensor<float> cGm, biasGm;
  GlobalTensor<fp8_e8m0_t> aScalesGm, bScalesGm;
  aGm.SetGlobalBuffer((__gm__ A *)a);
  bGm.SetGlobalBuffer((__gm__ B *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  biasGm.SetGlobalBuffer((__gm__ float *)bias);
  aScalesGm.SetGlobalBuffer((__gm__ fp8_e8m0_t *)aScales);
  bScalesGm.SetGlobalBuffer((__gm__ fp8_e8m0_t *)bScales);
  LocalTensor<A> a1(TPosition::A1, 0, mUp * columns * 32), a2(TPosition::A2, 0, mUp * columns * 32);
  LocalTensor<B> b1(TPosition::B1, 65536, nUp * columns * 32), b2(TPosition::B2, 1024, nUp * columns * 32);
  LocalTensor<fp8_e8m0_t> aScales1(TPosition::A1, 131072, mUp * k / 32), bScales1(TPosition::B1, 135168, nUp * k / 32);
  LocalTensor<float> bias1(TPosition::C1, 140000 / 64 * 64, nUp), bias2(TPosition::C2, 0, nUp), c1(TPosition::CO1, 0, mUp * nUp);
  DataCopy(a1, aGm, Nd2NzParams(1, m, rowBytes, 0, rowBytes, mUp, 1, 0));
  DataCopy(b1, bGm, Nd2NzParams(1, n, rowBytes, 0, rowBytes, nUp, 1, 0));
  if constexpr (scaled) {
    DataCopy(aScales1, aScalesGm, mUp * k / 32);
    DataCopy(bScales1, bScalesGm, nUp * k / 32);
  }
  if (bias)
    DataCopy(bias1, biasGm, nUp);
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  LoadData2DParamsV2 left(0, 0, mUp / 16, columns, mUp / 16, mUp / 16, false, 0), right(0, 0, nUp / 16, columns, nUp / 16, nUp / 16, false, 0);
  uint16_t deep = k / 64;
  if constexpr (scaled) {
    LoadData(a2, a1, aScales1, left, LoadData2DMxParams{0, 0, uint8_t(mUp / 16), uint8_t(deep), deep, deep});
    LoadData(b2, b1, bScales1, right, LoadData2DMxParams{0, 0, uint8_t(nUp / 16), uint8_t(deep), deep, deep});
  } else {
    LoadData(a2, a1, left);
    LoadData(b2, b1, right);
  }
  if (bias)
    DataCopy(bias2, bias1, nUp);
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  MmadParams params(m, n, k, 3, false, true);
  if constexpr (scaled) {
    if (bias)
      MmadMx(c1, a2, b2, bias2, params);
    else
      MmadMx(c1, a2, b2, params);
  } else {
    if (bias)
      Mmad(c1, a2, b2, bias2, params);
    else
      Mmad(c1, a2, b2, params);
  }
  FixpipeParamsC310<CO2Layout::ROW_MAJOR> out;
  out.nSize = n;
  out.mSize = m;
  out.srcStride = mUp;
  out.dstStride = n;
  out.unitFlag = 3;
  Fixpipe<float, float, CFG_ROW_MAJOR>(cGm, c1, out);
}

#define PRODUCT(NAME, A, B, PER_BYTE, SCALED)                                                                                \\
  extern "C" __global__ __aicore__ void NAME(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR aScales, GM_ADDR bScales, GM_ADDR bias, \\
                                             uint16_t m, uint16_t n, uint16_t k) {                                           \\
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);                                                                          \\
    product<A, B, PER_BYTE, SCALED>(a, b, c, aScales, bScales, bias, m, n, k);                                               \\
  }
PRODUCT(e4m3_e4m3, fp8_e4m3fn_t, fp8_e4m3fn_t, 1, false)
PRODUCT(e4m3_e5m2, fp8_e4m3fn_t, fp8_e5m2_t, 1, false)
PRODUCT(hif8_hif8, hifloat8_t, hifloat8_t, 1, false)
PRODUCT(e4m3_hif8, fp8_e4m3fn_t, hifloat8_t, 1, false)
PRODUCT(mx_e4m3_e4m3, fp8_e4m3fn_t, fp8_e4m3fn_t, 1, true)
PRODUCT(mx_e5m2_e4m3, fp8_e5m2_t, fp8_e4m3fn_t, 1, true)
PRODUCT(mx_e2m1_e2m1, fp4x2_e2m1_t, fp4x2_e2m1_t, 2, true)
PRODUCT(mx_e2m1_e1m2, fp4x2_e2m1_t, fp4x2_e1m2_t, 2, true)
"""


@pytest.fixture(autouse=True)
def part():
    before = _tilesmith.current_platform()
    _tilesmith.set_platform("Ascend950PR_9599")
    yield
    _tilesmith.set_platform(before)


def fields(bits, exponent, mantissa, bias):
    sign, e, m = bits >> (exponent + mantissa), bits >> mantissa & (2**exponent - 1), bits & (2**mantissa - 1)
    value = np.where(e == 0, m * 2.0 ** (1 - bias - mantissa), (1 + m / 2.0**mantissa) * 2.0 ** (e.astype(float) - bias))
    return np.where(sign & 1, -value, value)


def hif8(bits):
    """By the table of the format: dot, signed exponent without its leading one, mantissa."""
    texts = {}
    for code in range(256):
        text = f"{code:08b}"
        sign, rest = -1.0 if text[0] == "1" else 1.0, text[1:]
        for dot, width in (("11", 4), ("10", 3), ("01", 2), ("001", 1), ("0001", 0)):
            if rest.startswith(dot):
                field, mantissa = rest[len(dot) : len(dot) + width], rest[len(dot) + width :]
                exponent = 0 if not width else int("1" + field[1:], 2) * (-1 if field[0] == "1" else 1)
                texts[code] = sign * 2.0**exponent * (1 + int(mantissa, 2) / 2 ** len(mantissa))
                break
        else:
            texts[code] = sign * 2.0 ** (int(rest[4:], 2) - 23) if int(rest[4:], 2) else 0.0
    return np.vectorize(texts.get)(bits)


DECODE = {
    "e4m3": lambda x: fields(x, 4, 3, 7),
    "e5m2": lambda x: fields(x, 5, 2, 15),
    "hif8": hif8,
    "e2m1": lambda x: fields(x, 2, 1, 1),
    "e1m2": lambda x: fields(x, 1, 2, 1),
}
# No NaN and no infinity, and for wide formats a range in which f32 sums stay close to float64.
CODES = {
    "e4m3": [x for x in range(256) if x & 0x7F != 0x7F],
    "e5m2": [x for x in range(256) if 0x20 <= x & 0x7F < 0x60],
    "hif8": [x for x in range(256) if 0x18 <= x & 0x7F < 0x58],
    "e2m1": range(16),
    "e1m2": range(16),
}


def factor(rng, kind, rows, k):
    """Bytes as they lie in global memory, and the values."""
    codes = rng.choice(list(CODES[kind]), (rows, k)).astype(np.uint8)
    four = kind in ("e2m1", "e1m2")
    return (codes[:, ::2] | codes[:, 1::2] << 4 if four else codes), DECODE[kind](codes.astype(np.int64))


def scales(rng, rows, k):
    """Scales in fractals of 16 rows of two, row of fractals by row of fractals, and as factors of each value."""
    codes = rng.integers(120, 134, (rows, k // 32)).astype(np.uint8)
    padded = np.zeros((-(-rows // 16) * 16, -(-k // 64) * 2), np.uint8)
    padded[:rows, : k // 32] = codes
    fractals = padded.reshape(padded.shape[0] // 16, 16, -1, 2).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(fractals), np.repeat(2.0 ** (codes.astype(float) - 127), 32, axis=1)


def run(name, m, n, k, biased=False):
    rng = np.random.default_rng(m * n + k)
    kinds = name.removeprefix("mx_").split("_")
    (a, left), (b, right) = factor(rng, kinds[0], m, k), factor(rng, kinds[1], n, k)
    none = np.zeros(0, np.uint8)
    (sa, wa), (sb, wb) = (scales(rng, m, k), scales(rng, n, k)) if name.startswith("mx_") else ((none, 1.0), (none, 1.0))
    bias = rng.standard_normal(-(-n // 16) * 16).astype(np.float32) if biased else None
    c = np.zeros((m, n), np.float32)
    ascendc.load(KERNEL)[name][1](a, b, c, sa, sb, bias, m, n, k)
    exact = (left * wa) @ (right * wb).T
    magnitude = np.abs(left * wa) @ np.abs(right * wb).T
    return c, exact + (bias[:n] if biased else 0), magnitude


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize(
    "name", ["e4m3_e4m3", "e4m3_e5m2", "hif8_hif8", "mx_e4m3_e4m3", "mx_e5m2_e4m3", "mx_e2m1_e2m1", "mx_e2m1_e1m2"]
)
@pytest.mark.parametrize("m, n, k", [(32, 48, 128), (17, 5, 64), (1, 16, 192)])
def test_products(name, m, n, k, biased):
    if m == 1 and not name.startswith("mx_"):
        pytest.skip("a plain product of one row reads it as a vector, as of wider types")
    with asc.check() as report:
        c, exact, magnitude = run(name, m, n, k, biased)
    assert not report.findings, report.findings[0]["rendered"]
    assert np.all(np.abs(c - exact) <= 1e-6 * k * magnitude + 1e-6)
    for late in ("consumers", "producers"):
        with asc.launch_mode(late=late):
            assert np.array_equal(run(name, m, n, k, biased)[0], c)


def test_what_the_unit_does_not_take_is_said():
    with pytest.raises(RuntimeError, match="mmad_fp8 does not multiply F8E4M3 by HIF8"):
        run("e4m3_hif8", 16, 16, 64)
    with pytest.raises(RuntimeError, match="k of mmad_mx is 96, not a multiple of 64"):
        run("mx_e4m3_e4m3", 16, 16, 96)
    _tilesmith.set_platform("Ascend910B1")
    with pytest.raises(RuntimeError, match="C220"):
        run("e4m3_e4m3", 16, 16, 64)


def test_rates():
    """Products of 4-bit floats take the time of 8-bit ones, as measured, and that is half the time of float16."""

    def cube(name):
        with asc.profile() as profile:
            run(name, 128, 128, 256)
        return profile.launches[0].busy["M"]

    eight, four = cube("mx_e4m3_e4m3"), cube("mx_e2m1_e2m1")
    assert cube("e4m3_e4m3") == eight
    assert eight - 20 == pytest.approx(128 * 128 * 256 / 8192, abs=2)
    assert four - 20 == pytest.approx(128 * 128 * 256 / 8192, abs=2)
