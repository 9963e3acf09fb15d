"""kernels/asc: each is right and clean, stays right however late its instructions run, and issues the calls of its twin in Ascend C."""

import importlib.util

import _tilesmith
import numpy as np
import pytest

import ascendc
import asc
from asc.runtime import config
from test_matmul_objects import tiling_of

C220, C310 = "Ascend910B1", "Ascend950PR_9599"
BOTH = pytest.mark.parametrize("platform", [C220, C310])


def load(name):
    path = ascendc.ROOT / f"kernels/asc/{name}.py"
    spec = importlib.util.spec_from_file_location(f"kernels_asc_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def random(shape, dtype=np.float32, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def run_clean(launch, *outputs):
    """Observed: no findings, and the same bytes however late instructions run."""
    start = [output.copy() for output in outputs]
    with asc.check() as report:
        launch()
    assert not report.findings, "\n".join(finding["rendered"] for finding in report.findings)
    expected = [output.tobytes() for output in outputs]
    for late in ("consumers", "producers"):
        for output, before in zip(outputs, start):
            output[...] = before
        with asc.launch_mode(late=late):
            launch()
        assert [output.tobytes() for output in outputs] == expected, late


def calls_of(launch):
    before = _tilesmith.get_settings()
    _tilesmith.set_settings(keep_calls=True)
    try:
        with asc.profile() as profile:
            launch()
    finally:
        _tilesmith.set_settings(keep_calls=before["keep_calls"])
    (one,) = profile.launches
    return one


def same_calls(mine, twin):
    """One line of Python is one instruction: the same calls, and the same cycles."""
    one, other = calls_of(mine), calls_of(twin)
    assert not one.call_trace.differs_from(other.call_trace)
    assert one.cycles == other.cycles


@BOTH
def test_add_flags(platform):
    config.set_platform(config.Backend.Model, platform)
    x, y, z = random(16384), random(16384, seed=2), np.zeros(16384, np.float32)
    kernel, twin = load("add_flags"), ascendc.load(ascendc.ROOT / "kernels/ascendc/add_flags.cpp")["add_flags"]
    run_clean(lambda: kernel[2](x, y, z, 16384), z)
    np.testing.assert_array_equal(z, x + y)
    same_calls(lambda: kernel[2](x, y, z, 16384), lambda: twin[2](x, y, z, 16384))


@BOTH
def test_add_custom(platform):
    config.set_platform(config.Backend.Model, platform)
    x, y, z = (random(16384, np.float16, seed) for seed in (1, 2, 3))
    kernel, twin = load("add_custom"), ascendc.load(ascendc.ROOT / "kernels/ascendc/add_custom.cpp")["add_custom"]
    run_clean(lambda: kernel[4](x, y, z, 16384), z)
    np.testing.assert_array_equal(z, x + y)
    same_calls(lambda: kernel[4](x, y, z, 16384), lambda: twin[4](x, y, z, 16384))


@BOTH
def test_add_automatic(platform):
    config.set_platform(config.Backend.Model, platform)
    x, y, z = random(8192), random(8192, seed=2), np.zeros(8192, np.float32)
    kernel = load("add_automatic")
    run_clean(lambda: kernel[2](x, y, z, 8192, tile=1024), z)
    np.testing.assert_array_equal(z, x + y)


@BOTH
def test_clip_select(platform):
    config.set_platform(config.Backend.Model, platform)
    x, y = random(4096), np.zeros(4096, np.float32)
    kernel, twin = load("clip_select"), ascendc.load(ascendc.ROOT / "kernels/ascendc/clip_select.cpp")["clip_select"]
    run_clean(lambda: kernel[2](x, y, 4096, -0.5, 0.5, 9.0), y)
    np.testing.assert_array_equal(y, np.where((x > -0.5) & (x < 0.5), x, np.float32(9)))
    same_calls(lambda: kernel[2](x, y, 4096, -0.5, 0.5, 9.0), lambda: twin[2](x, y, 4096, -0.5, 0.5, 9.0))


@BOTH
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_softmax_rows(platform, dtype):
    config.set_platform(config.Backend.Model, platform)
    x, y = random((5, 100), dtype), np.zeros((5, 100), dtype)
    name = "softmax_rows_half" if dtype == np.float16 else "softmax_rows_float"
    kernel, twin = load("softmax_rows"), ascendc.load(ascendc.ROOT / "kernels/ascendc/softmax_rows.cpp")[name]
    run_clean(lambda: kernel[2](x, y, 5, 100), y)
    exact = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    exact /= exact.sum(1, keepdims=True)
    np.testing.assert_allclose(y, exact, rtol=2e-3 if dtype == np.float16 else 2e-6, atol=1e-6)
    same_calls(lambda: kernel[2](x, y, 5, 100), lambda: twin[2](x, y, 5, 100))


def test_matmul_cube():
    config.set_platform(config.Backend.Model, C220)
    a, b, c = random((64, 64), np.float16), random((64, 48), np.float16, 2), np.zeros((64, 48), np.float32)
    kernel, twin = load("matmul_cube"), ascendc.load(ascendc.ROOT / "kernels/ascendc/matmul_cube.cpp")["matmul_cube"]
    run_clean(lambda: kernel[2](a, b, c, 32, 48, 64), c)
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32), rtol=1e-5, atol=1e-5)
    same_calls(lambda: kernel[2](a, b, c, 32, 48, 64), lambda: twin[2](a, b, c, 32, 48, 64))


def bytes_of(tiling):
    return np.frombuffer(tiling.pack(), np.uint8)


@BOTH
def test_matmul_object(platform):
    config.set_platform(config.Backend.Model, platform)
    m, n, k = 128, 3000, 64
    a, b, c = random((m, k), np.float16), random((k, n), np.float16, 2), np.zeros((m, n), np.float32)
    tiling = tiling_of(m, n, k, "float16", 24)
    kernel, twin = kernel_and_twin("matmul_object")
    blocks = tiling.used_core_num
    run_clean(lambda: kernel[blocks](a, b, c, tiling), c)
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32), rtol=1e-5, atol=1e-5)
    same_calls(lambda: kernel[blocks](a, b, c, tiling), lambda: twin[blocks](a, b, c, bytes_of(tiling)))


@BOTH
def test_matmul_mix(platform):
    config.set_platform(config.Backend.Model, platform)
    m, n, k = 512, 1024, 512
    a, b, c = random((m, k), np.float16), random((k, n), np.float16, 2), np.zeros((m, n), np.float32)
    workspace, tiling = np.zeros(16 << 20, np.uint8), tiling_of(m, n, k, "float16", 48)
    kernel, twin = kernel_and_twin("matmul_mix")
    blocks = -(-tiling.used_core_num // 2)
    run_clean(lambda: kernel[blocks](a, b, c, workspace, tiling), c)
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32), rtol=1e-4, atol=1e-3)
    same_calls(lambda: kernel[blocks](a, b, c, workspace, tiling), lambda: twin[blocks](a, b, c, workspace, bytes_of(tiling)))


@BOTH
def test_matmul_leaky_relu(platform):
    config.set_platform(config.Backend.Model, platform)
    m, n, k = 512, 256, 128
    a, b, bias, c = random((m, k), np.float16), random((k, n), np.float16, 2), random(n), np.zeros((m, n), np.float32)
    workspace, tiling = np.zeros(16 << 20, np.uint8), tiling_of(m, n, k, "float16", 2, True, set_fix_split=(128, 64, -1))
    kernel, twin = kernel_and_twin("matmul_leaky_relu")
    run_clean(lambda: kernel[1](a, b, bias, c, workspace, tiling, 0.001), c)
    exact = a.astype(np.float32) @ b.astype(np.float32) + bias
    np.testing.assert_allclose(c, np.where(exact < 0, exact * np.float32(0.001), exact), rtol=1e-4, atol=1e-4)
    same_calls(
        lambda: kernel[1](a, b, bias, c, workspace, tiling, 0.001),
        lambda: twin[1](a, b, bias, c, workspace, bytes_of(tiling), 0.001),
    )


@BOTH
def test_ordered_sum(platform):
    config.set_platform(config.Backend.Model, platform)
    x, y, sync = random((4, 1024)), np.zeros(1024, np.float32), np.zeros(64, np.int32)
    kernel, twin = load("ordered_sum"), ascendc.load(ascendc.ROOT / "kernels/ascendc/sync_blocks.cpp")["ordered_sum"]
    kernel[4](x, y, sync)
    np.testing.assert_array_equal(y, ((x[0] + x[1]) + x[2]) + x[3])
    same_calls(lambda: kernel[4](x, y, sync), lambda: twin[4](x, y, sync))


def kernel_and_twin(name):
    return load(name), ascendc.load(ascendc.ROOT / f"kernels/ascendc/{name}.cpp")[name]


@BOTH
def test_top_k(platform):
    config.set_platform(config.Backend.Model, platform)
    x, numbers = random((3, 1024)), np.arange(1024, dtype=np.uint32)
    scores, places = np.zeros((3, 10), np.float32), np.zeros((3, 10), np.uint32)
    kernel, twin = kernel_and_twin("top_k")
    run_clean(lambda: kernel[2](x, numbers, scores, places, 3, 10), scores, places)
    order = np.argsort(-x, axis=1, kind="stable")[:, :10]
    np.testing.assert_array_equal(places, order)
    np.testing.assert_array_equal(scores, np.take_along_axis(x, order, 1))
    same_calls(lambda: kernel[2](x, numbers, scores, places, 3, 10), lambda: twin[2](x, numbers, scores, places, 3, 10))


@BOTH
def test_transpose_squares(platform):
    config.set_platform(config.Backend.Model, platform)
    x, y = random((48, 80), np.float16), np.zeros((80, 48), np.float16)
    kernel, twin = kernel_and_twin("transpose_squares")
    run_clean(lambda: kernel[2](x, y, 48, 80), y)
    np.testing.assert_array_equal(y, x.T)
    same_calls(lambda: kernel[2](x, y, 48, 80), lambda: twin[2](x, y, 48, 80))


@BOTH
def test_scale_to_bytes(platform):
    config.set_platform(config.Backend.Model, platform)
    x, y = random(4096) * np.float32(2), np.zeros(4096, np.int8)
    kernel, twin = kernel_and_twin("scale_to_bytes")
    run_clean(lambda: kernel[2](x, y, 4096, 40.0, 3.0), y)
    exact = np.rint((x * np.float32(40) + np.float32(3)).astype(np.float16))
    np.testing.assert_array_equal(y, np.clip(exact, -128, 127).astype(np.int8))
    same_calls(lambda: kernel[2](x, y, 4096, 40.0, 3.0), lambda: twin[2](x, y, 4096, 40.0, 3.0))


@BOTH
def test_gather_rows(platform):
    config.set_platform(config.Backend.Model, platform)
    x, index = random(2048), np.random.default_rng(3).integers(0, 2048, 1024).astype(np.int32)
    y = np.zeros(1024, np.float32)
    kernel, twin = kernel_and_twin("gather_rows")
    run_clean(lambda: kernel[2](x, index, y, 2048, 1024), y)
    np.testing.assert_array_equal(y, x[index])
    same_calls(lambda: kernel[2](x, index, y, 2048, 1024), lambda: twin[2](x, index, y, 2048, 1024))


@BOTH
def test_sum_masked(platform):
    config.set_platform(config.Backend.Model, platform)
    x, y = np.random.default_rng(1).integers(-9, 9, (96, 64)).astype(np.float32), np.zeros(96, np.float32)
    kernel, twin = kernel_and_twin("sum_masked")
    run_clean(lambda: kernel[2](x, y, 96, 37), y)
    np.testing.assert_array_equal(y, x[:, :37].sum(1))
    same_calls(lambda: kernel[2](x, y, 96, 37), lambda: twin[2](x, y, 96, 37))
