"""Broadcast of an element, a row and a column, of every width, against NumPy."""

import asc
import numpy as np
import pytest
from asc.runtime import config

C220, C310 = "Ascend910B1", "Ascend950PR_9599"
KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void spread(__gm__ TYPE *x, __gm__ TYPE *y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffers[2];
  pipe.InitBuffer(buffers[0], 256);
  pipe.InitBuffer(buffers[1], 4096);
  auto src = buffers[0].Get<TYPE>(), dst = buffers[1].Get<TYPE>();
  GlobalTensor<TYPE> xGm, yGm;
  xGm.SetGlobalBuffer(x);
  yGm.SetGlobalBuffer(y);
  DataCopy(src, xGm, 64);
  PipeBarrier<PIPE_ALL>();
  const uint32_t from[] = {FROM}, to[] = {TO};
  CALL<TYPE, DIM, AXIS>(dst, src, to, from);
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, dst, SIZE);
}
"""


@pytest.fixture
def run(tmp_path):
    libraries = []

    def runs(platform, dtype, source, target, axis, call="Broadcast"):
        words = {"TYPE": {"float16": "half", "float32": "float"}.get(dtype, f"{dtype}_t"), "FROM": ", ".join(map(str, source)),
                 "TO": ", ".join(map(str, target)), "DIM": str(len(target)), "AXIS": str(axis), "SIZE": str(int(np.prod(target))), "CALL": call}
        text = KERNEL
        for word, value in words.items():
            text = text.replace(word, value)
        path = tmp_path / "spread.cpp"
        path.write_text(text)
        config.set_platform(config.Backend.Model, platform)
        libraries.append(asc.load_ascendc(path))
        x, y = (np.arange(64) - 20).astype(dtype), np.zeros(target, dtype)
        with asc.check() as report:
            libraries[-1]["spread"][1](x, y)
        expected = x[: int(np.prod(source))].reshape(source)
        return report, y, np.broadcast_to(expected, target) if source[axis] == 1 else None

    yield runs
    for library in libraries:
        library.close()
    config.set_platform(config.Backend.Model, C220)


@pytest.mark.parametrize("platform, dtype, source, target, axis, call", [
    (C220, "float16", [1], [96], 0, "Broadcast"), (C220, "float32", [1, 24], [10, 24], 0, "BroadCast"),
    (C220, "int8", [13, 1], [13, 64], 1, "Broadcast"), (C310, "uint8", [9, 1], [9, 32], 1, "Broadcast"),
    (C310, "float16", [20, 1], [20, 48], 1, "BroadCast"), (C310, "float32", [1, 64], [7, 64], 0, "Broadcast"),
])  # fmt: skip
def test_elements_rows_and_columns(run, platform, dtype, source, target, axis, call):
    report, y, expected = run(platform, dtype, source, target, axis, call)
    assert report.findings == [], report.findings[0]["rendered"]
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("source, target, axis, id", [([4, 2], [4, 32], 1, "library.operand"), ([4, 1], [4, 20], 1, "operand.unsupported")])
def test_what_does_not_fit_is_found(run, source, target, axis, id):
    assert id in [finding["id"] for finding in run(C220, "float16", source, target, axis)[0].findings]
