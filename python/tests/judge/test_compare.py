"""The gate through Python: every dtype row at its bounds, and against the NumPy gate of the kernel library."""

import os

import _tilesmith
import gate
import numpy as np
import pytest
import torch
from tilesmith.judge.verdict import compare

import asc

# The golden values 1.0 and 64 exact neighbours; the candidate in float64 where its dtype cannot hold an error of t (1 +- e).
ROWS = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-13, "float8_e4m3fn": 2.0**-3, "float8_e5m2": 2.0**-2,
        "int32": 2.0**-13, "int64": 2.0**-13, "float64": 2.0**-13, "uint8": 2.0**-13}


def judge(candidate, candidate_dtype, golden, golden_dtype, **options):
    return _tilesmith.compare(candidate, candidate_dtype, golden, golden_dtype, len(golden), **options)


@pytest.mark.parametrize("dtype, t", ROWS.items())
def test_threshold_of_every_dtype(dtype, t):
    assert _tilesmith.threshold(dtype) == t
    assert _tilesmith.threshold("hifloat32") == 2.0**-11 and _tilesmith.threshold("something else") == 2.0**-13


@pytest.mark.parametrize("t", sorted(set(ROWS.values()) | {2.0**-11}))
@pytest.mark.parametrize("sign, passes", [(-1, True), (0, False), (1, False)])
def test_both_bounds_are_strict(t, sign, passes):
    """Errors of exactly t and 10 t, and a little less and more, in float32 with the threshold of each row."""
    e = sign * 2.0**-10
    golden = np.ones(64, np.float32)
    mean = golden + np.float32(t * (1 + e))
    facts = judge(mean, "float32", golden, "float32", threshold=t)
    assert facts["passed"] == passes and facts["mere"] == pytest.approx(t * (1 + e), rel=1e-3)
    one = golden.copy()
    one[5] += np.float32(10 * t * (1 + e))
    facts = judge(one, "float32", golden, "float32", threshold=t)
    assert facts["passed"] == passes and facts["mare"] == pytest.approx(10 * t * (1 + e), rel=1e-3)


def tensors(dtype, seed, scale):
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(1000, generator=generator) * scale
    return values.to(dtype) if dtype.is_floating_point else (values * 100).to(dtype)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8, torch.int16,
                                   torch.int32, torch.int64, torch.uint8, torch.float8_e4m3fn, torch.float8_e5m2], ids=str)
def test_same_verdict_as_the_numpy_gate(dtype):
    """kernels/gate.py is written independently, in NumPy and float64: it stays the oracle of this one."""
    t = _tilesmith.threshold(str(dtype).removeprefix("torch."))
    for seed, (scale, error) in enumerate([(1, 0), (1, t / 2), (1, 3 * t), (1e-4, t), (30, 0.9 * t), (30, 12 * t)]):
        golden = tensors(dtype, seed, scale)
        wanted = golden.double() * (1 + error)
        actual = wanted.to(dtype)
        oracle = gate.compare(actual, golden)
        ours = asc.verify(lambda: actual, lambda: golden, [])
        assert ours.passed == oracle.passed
        assert ours.outputs[0].mere == pytest.approx(oracle.mere, rel=1e-6, abs=1e-30)
        assert ours.outputs[0].mare == pytest.approx(oracle.mare, rel=1e-6, abs=1e-30)


def test_complex_parts_are_elements():
    golden = np.array([1 + 1j, complex(np.nan, 2)], np.complex64)
    assert asc.verify(lambda: golden.copy(), lambda: golden, []).passed
    assert not asc.verify(lambda: golden.conj(), lambda: golden, []).passed


def test_wrong_arguments_are_errors_not_crashes():
    data = np.ones(4, np.float32)
    with pytest.raises(ValueError, match="the candidate has 16 bytes, 32 are needed"):
        _tilesmith.compare(data, "float32", np.ones(8, np.float32), "float32", 8)
    with pytest.raises(ValueError, match="dtype 'string'"):
        _tilesmith.compare(data, "string", data, "float32", 4)
    with pytest.raises(ValueError, match="not an open file"):
        _tilesmith.compare((-1, 0), "float32", data, "float32", 4)
    with pytest.raises(ValueError, match="out of range"):
        _tilesmith.compare(data, "float32", data, "float32", 1 << 62)
    with pytest.raises((TypeError, BufferError)):
        _tilesmith.compare(object(), "float32", data, "float32", 4)
    with pytest.raises(ValueError, match="not a number"):
        _tilesmith.compare(data, "float32", 1.0, "float32", 4)


def test_large_files_are_compared_in_bounded_memory():
    """Twice 512 MiB of holes: the process must not grow by what it compares."""
    size = 4 << 30 if os.environ.get("TILESMITH_LONG") else 512 << 20
    fds = [os.memfd_create("a"), os.memfd_create("b")]
    try:
        for fd in fds:
            os.ftruncate(fd, size)

        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        before, most = resident(), 0
        import threading

        done = threading.Event()

        def watch():
            nonlocal most
            while not done.wait(0.005):
                most = max(most, resident())

        thread = threading.Thread(target=watch)
        thread.start()
        facts = _tilesmith.compare((fds[0], 0), "float16", (fds[1], 0), "float16", size // 2)
        done.set()
        thread.join()
        assert facts["passed"] and facts["finite"] == size // 2
        assert most - before < 64 << 20
    finally:
        for fd in fds:
            os.close(fd)


@pytest.mark.parametrize("golden, found", [
    (np.full(100, 1e-9, np.float32), ["zeros"]),
    (np.full(100, 3.0, np.float32), ["a constant"]),
    (np.linspace(1, 2, 100, dtype=np.float32), ["input 0"]),
    (np.linspace(5, 7, 100, dtype=np.float32), []),
    (np.zeros(0, np.float32), []),
])
def test_null_outputs_are_noticed(golden, found):
    source = np.linspace(1, 2, 100, dtype=np.float32)
    description = {"dtype": "float32", "shape": list(golden.shape)}
    assert compare.null_probes(description, golden, [({"dtype": "float32", "shape": [100]}, source)]) == found


def test_asc_verify_reports():
    x = np.linspace(-3, 3, 1000, dtype=np.float32)
    good = asc.verify(lambda x: np.tanh(x), lambda x: np.tanh(x.astype(np.float64)).astype(np.float32), [x])
    assert good and good.passed and str(good).startswith("pass\n  output 0: pass: MERE ")
    bad = asc.verify(lambda x: (x, x), lambda x: (x, x + 1), [x])
    assert not bad and [verdict.passed for verdict in bad.outputs] == [True, False]
    assert "FAIL: MERE" in str(bad)
    assert "ZeroDivisionError" in asc.verify(lambda: 1 / 0, lambda: x, []).error
    with pytest.raises(AssertionError, match="output 1: FAIL"):
        asc.verify(lambda x: (x, x), lambda x: (x, x + 1), [x], raises=True)

    def spoil(x):
        y = x + 1
        x[0] = 9
        return y

    assert asc.verify(spoil, lambda x: x + 1, [x]).findings == ["input 0 was modified"]
    assert x[0] == np.float32(-3)
