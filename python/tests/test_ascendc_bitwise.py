"""BitwiseAnd and its like on integers of every width, against NumPy."""

import asc
import numpy as np
import pytest
from asc.runtime import config

C220, C310 = "Ascend910B1", "Ascend950PR_9599"
TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
CALLS = {"And": np.bitwise_and, "Or": np.bitwise_or, "Xor": np.bitwise_xor, "Not": lambda x, y: np.bitwise_not(x)}
KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
template <typename T> __aicore__ inline void all(const LocalTensor<uint8_t> &t, GlobalTensor<uint8_t> &out, uint32_t count) {
  LocalTensor<T> a = t.ReinterpretCast<T>(), b = t[1024].ReinterpretCast<T>(), c = t[2048].ReinterpretCast<T>();
  uint32_t at = 0;
  auto next = [&] {
    PipeBarrier<PIPE_ALL>();
    DataCopy(out[at], t[2048], 1024);
    PipeBarrier<PIPE_ALL>();
    at += 1024;
  };
  BitwiseAnd(c, a, b, count);
  next();
  BitwiseOr(c, a, b, count);
  next();
  BitwiseXor(c, a, b, count);
  next();
  BitwiseNot(c, a, count);
  next();
}
extern "C" __global__ __aicore__ void bits(GM_ADDR x, GM_ADDR y, GM_ADDR z, int32_t type, uint32_t count) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 3072);
  auto t = buffer.Get<uint8_t>();
  GlobalTensor<uint8_t> xs, ys, zs;
  xs.SetGlobalBuffer(x);
  ys.SetGlobalBuffer(y);
  zs.SetGlobalBuffer(z);
  DataCopy(t, xs, 1024);
  DataCopy(t[1024], ys, 1024);
  Duplicate(t[2048].ReinterpretCast<int16_t>(), int16_t(0), 512);
  PipeBarrier<PIPE_ALL>();
  switch (type) {
CASES
  }
}
"""
CASES = "".join(f"  case {i}: all<{name}_t>(t, zs, count); break;\n" for i, name in enumerate(TYPES))


@pytest.fixture(params=[C220, C310])
def kernel(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("bits") / "bits.cpp"
    path.write_text(KERNEL.replace("CASES", CASES))
    config.set_platform(config.Backend.Model, request.param)
    library = asc.load_ascendc(path)
    yield library["bits"]
    library.close()
    config.set_platform(config.Backend.Model, C220)


def test_integers_of_every_width(kernel):
    rng = np.random.default_rng(2)
    for number, dtype in enumerate(TYPES):
        x, y = (rng.integers(0, 256, 1024, dtype=np.uint8).view(dtype) for _ in range(2))
        count = x.size - 6
        z = np.zeros((4, x.size), dtype)
        with asc.check() as report:
            kernel[1](x.view(np.uint8), y.view(np.uint8), z.view(np.uint8), number, count)
        assert report.findings == [], report.findings[0]["rendered"]
        for row, (name, meaning) in zip(z, CALLS.items()):
            np.testing.assert_array_equal(row[:count], meaning(x, y)[:count], err_msg=f"{name} of {dtype}")


def test_half_a_word_is_told(kernel):
    x = np.zeros(1024, np.uint8)
    with asc.check() as report:
        kernel[1](x, x.copy(), np.zeros(4096, np.uint8), 1, 33)
    assert {finding["id"] for finding in report.findings} == {"operand.unsupported"}
    assert "of an odd number of bytes" in report.findings[0]["text"]
