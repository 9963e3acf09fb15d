"""Registers: wide products, carries, counts of values, blocks by offsets, calls of two instructions, names of older sources."""

import asc
import numpy as np
import pytest
from asc.runtime import config

C220, C310 = "Ascend910B1", "Ascend950PR_9599"
SOURCE = """#include "kernel_operator.h"
using namespace AscendC;
__simd_vf__ inline void body(__ubuf__ TYPE *x, __ubuf__ TYPE *y, __ubuf__ OUT *z) {
  Reg::MaskReg m = Reg::CreateMask<TYPE, Reg::MaskPattern::MASK>(), all = Reg::CreateMask<TYPE>(), allOut = Reg::CreateMask<OUT>();
  Reg::RegTensor<TYPE> a, b, c, d;
  Reg::RegTensor<OUT> r, s;
  Reg::LoadAlign(a, x);
  Reg::LoadAlign(b, y);
  BODY
}
extern "C" __global__ __aicore__ void registers(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 2048);
  auto t = buffer.Get<uint8_t>();
  GlobalTensor<uint8_t> xs, ys, zs;
  xs.SetGlobalBuffer(x, 256);
  ys.SetGlobalBuffer(y, 256);
  zs.SetGlobalBuffer(z, 512);
  DataCopy(t, xs, 256);
  DataCopy(t[256], ys, 256);
  PipeBarrier<PIPE_ALL>();
  asc_vf_call<body>((__ubuf__ TYPE *)t.GetPhyAddr(), (__ubuf__ TYPE *)t[256].GetPhyAddr(), (__ubuf__ OUT *)t[512].GetPhyAddr());
  PipeBarrier<PIPE_ALL>();
  DataCopy(zs, t[512], 512);
}
"""
STORE2 = " Reg::StoreAlign(z, r, allOut); Reg::StoreAlign(z + Reg::RegTensor<OUT>::lanes, s, allOut);"
CTYPE = {"int32": "int32_t", "uint32": "uint32_t", "uint8": "uint8_t", "uint16": "uint16_t", "float32": "float", "float16": "half"}


def lanes(mask, dtype):
    count = 256 // np.dtype(dtype).itemsize
    return np.arange(count) < (count if mask == "ALL" else count // 2)


def counted(x, mask, offset, cumulative):
    counts = np.bincount(x[lanes(mask, x.dtype)], minlength=256)
    return (np.cumsum(counts) if cumulative else counts)[offset : offset + 128].astype(np.uint16)


def wide(x, y, mask):
    keep = lanes(mask, x.dtype)
    product = x.astype(object) * y.astype(object)
    low = np.array([p & 0xFFFFFFFF for p in product], np.uint64).astype(np.uint32).view(x.dtype)
    high = np.array([(p >> 32) & 0xFFFFFFFF for p in product], np.uint64).astype(np.uint32).view(x.dtype)
    return np.where(keep, low, 0), np.where(keep, high, 0)


def carries(x, y, mask):
    """x + y, and y + x with what that carried."""
    a, b = x.view(np.uint32).astype(np.uint64), y.view(np.uint32).astype(np.uint64)
    first = np.where(lanes(mask, x.dtype), a + b, 0)
    second = np.where(lanes(mask, x.dtype), a + b + (first >> 32), 0)
    return first.astype(np.uint32).view(x.dtype), second.astype(np.uint32).view(x.dtype)


CASES = {
    "Mull": ("Reg::Mull(r, s, a, b, m);" + STORE2, ["int32", "uint32"], None, wide, 0),
    "AddC": ("Reg::MaskReg k, l; Reg::Add(k, r, a, b, m); Reg::AddC(l, s, b, a, k, m);" + STORE2, ["int32", "uint32"], None, carries, 0),
    "Histograms": (
        "Reg::Duplicate(r, uint16_t(3)); Reg::Duplicate(s, uint16_t(0)); Reg::Histograms<uint8_t, uint16_t>(r, a, m);"
        "Reg::Histograms<uint8_t, uint16_t, Reg::HistogramsBinType::BIN1, Reg::HistogramsType::ACCUMULATE>(s, a, m);" + STORE2,
        ["uint8"], "uint16", lambda x, y, mask: (3 + counted(x, mask, 0, False), counted(x, mask, 128, True)), 0,
    ),
    "GatherB": (
        "Reg::Arange(c, 0); Reg::ShiftLefts(c, c, 6, all);"
        "Reg::Duplicate(d, 7 * 32); Reg::Sub(d, d, c, Reg::CreateMask<int32_t, Reg::MaskPattern::VL4>());"
        "Reg::GatherB(r, x, (Reg::RegTensor<uint32_t> &)d, Reg::CreateMask<int32_t, Reg::MaskPattern::VL32>()); s = b;" + STORE2,
        ["int32"], None,
        lambda x, y, mask: (np.concatenate([*(x.reshape(8, 8)[[7, 5, 3, 1]]), np.zeros(32, np.int32)]), y), 0,
    ),
    "Prelu": ("Reg::Prelu(r, a, b, m); Reg::Log2(s, b, m);" + STORE2, ["float32"], None,
              lambda x, y, mask: (np.where(lanes(mask, x.dtype), np.where(x >= 0, x, x * y), 0),
                                  np.where(lanes(mask, x.dtype), np.log2(y), 0)), 3e-6),
    "older names": ("Reg::PairReduceSum(r, a, all); Reg::ReduceMaxWithDataBlock(s, a, all);" + STORE2, ["float32"], None,
                    lambda x, y, mask: (np.concatenate([x[::2] + x[1::2], np.zeros(32, np.float32)]),
                                        np.concatenate([x.reshape(8, 8).max(1), np.zeros(56, np.float32)])), 0),
}


@pytest.mark.parametrize("name, dtype, mask", [(name, dtype, mask) for name in CASES for dtype in CASES[name][1] for mask in ("ALL", "H")])
def test_on_random_operands(tmp_path, name, dtype, mask):
    body, _, out, meaning, tolerance = CASES[name]
    out = out or dtype
    rng = np.random.default_rng(11)
    count = 256 // np.dtype(dtype).itemsize
    if dtype == "float32":
        x, y = rng.standard_normal(count).astype(dtype), rng.uniform(0.1, 9, count).astype(dtype)
    else:
        info = np.iinfo(dtype)
        x, y = (rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True) for _ in range(2))
    z = np.zeros(512, np.uint8)
    path = tmp_path / "registers.cpp"
    path.write_text(SOURCE.replace("BODY", body).replace("TYPE", CTYPE[dtype]).replace("OUT", CTYPE[out]).replace("MASK>", mask + ">"))
    config.set_platform(config.Backend.Model, C310)
    library = asc.load_ascendc(path)
    try:
        with asc.check() as report:
            library["registers"][1](x.view(np.uint8), y.view(np.uint8), z)
    finally:
        library.close()
        config.set_platform(config.Backend.Model, C220)
    assert report.findings == []
    np.testing.assert_allclose(z.view(out), np.concatenate(meaning(x, y, mask)), rtol=tolerance, atol=tolerance)
