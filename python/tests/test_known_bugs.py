"""What goes wrong for users of other implementations of this language, one test for each known case, on both platforms.

The numbers are those of the list this was written from; a gap is a matter of speed or advice and has nothing to assert.
"""

import asc
import asc2
import numpy as np
import pytest
import torch
from asc.codegen.errors import CodegenError
from asc.runtime import config
from observed import launch

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
SCALE = 3


@pytest.fixture(autouse=True, params=PLATFORMS)
def platform(request):
    config.set_platform(config.Backend.Model, request.param)


def random(*shape, dtype=np.float32):
    return np.random.default_rng(7).uniform(-2, 2, shape).astype(dtype)


def load_and_store(fn):
    """A kernel of one tile of 64: the function decides what is stored."""

    @asc2.jit(always_compile=True)
    def kernel(x_ptr, y_ptr, n, f, fn: asc.ConstExpr):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        asc2.store(fn(x, n, f), asc2.tensor(y_ptr, [64]), offsets=[0])

    return kernel


def test_01_and_02_scalars_on_the_left():
    @asc2.jit
    def reflected(x, n, f):
        return 2 * x + (1.0 / (x + 8)) - (3 - x) + f * x + asc2.where(0 < x, 1.0, n - x)

    x, y = random(64), np.zeros(64, np.float32)
    launch(load_and_store(reflected), 1, x, y, 5, 0.5, fn=reflected)
    expected = 2 * x + np.float32(1) / (x + 8) - (3 - x) + np.float32(0.5) * x + np.where(0 < x, np.float32(1), 5 - x)
    np.testing.assert_allclose(y, expected, rtol=1e-6)


def test_03_a_float_seed_becomes_a_runtime_value():
    @asc2.jit
    def kernel(x_ptr, y_ptr, n):
        x, total = asc2.tensor(x_ptr, [256]), 0.0
        for i in range(n):
            total = total + asc2.load(x, [64], tile_id=[i]).sum()
        asc2.store(total, asc2.tensor(y_ptr, [1]), offsets=[0])

    x, y = random(256), np.zeros(1, np.float32)
    launch(kernel, 1, x, y, 4)
    np.testing.assert_allclose(y[0], x.sum(), rtol=1e-4)


def test_04_counting_in_a_loop():
    @asc2.jit
    def kernel(y_ptr, n):
        count = 0
        for i in range(n):
            count += 1
        asc2.store(count, asc2.tensor(y_ptr, [1]), offsets=[0])

    y = np.zeros(1, np.int32)
    launch(kernel, 1, y, 9)
    assert y[0] == 9


def test_05_while_conditions_are_evaluated_again():
    @asc2.jit
    def kernel(y_ptr, n):
        steps = 0
        while n > 1:
            n = n // 2
            steps += 1
        asc2.store(steps, asc2.tensor(y_ptr, [1]), offsets=[0])

    y = np.zeros(1, np.int32)
    launch(kernel, 1, y, 100)
    assert y[0] == 6


@pytest.mark.parametrize("size", [64, 65, 300, 4096])
def test_06_wide_tiles_are_computed_whole(size):
    @asc2.jit
    def kernel(x_ptr, y_ptr, size: asc.ConstExpr[int]):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [size], offsets=[0])
        asc2.store(asc2.tanh(x * 0.5) + asc2.full([size], 2.0), asc2.tensor(y_ptr, [size]), offsets=[0])

    x, y = random(size), np.zeros(size, np.float32)
    launch(kernel, 1, x, y, size=size)
    np.testing.assert_allclose(y, np.tanh(x * 0.5) + 2, rtol=1e-5, atol=1e-6)


def test_07_masks_limit_stores_and_keep_scalars():
    @asc2.jit
    def kernel(x_ptr, y_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        with asc2.mask(count=10):
            asc2.store(x + 1.5, asc2.tensor(y_ptr, [64]), offsets=[0])

    x, y = random(64), np.full(64, -9, np.float32)
    launch(kernel, 1, x, y)
    np.testing.assert_array_equal(y, np.where(np.arange(64) < 10, x + np.float32(1.5), -9))


def test_08_scalar_stores_of_several_blocks_arrive():
    """Lines of 64 bytes are not shared between blocks here, as the chip's scalar cache demands."""

    @asc2.jit
    def kernel(y_ptr):
        i = asc2.block_idx()
        asc2.store(i + 1, asc2.tensor(y_ptr, [8, 16]), offsets=[i, 0])

    y = np.zeros((8, 16), np.int32)
    launch(kernel, 8, y)
    assert y[:, 0].tolist() == list(range(1, 9)) and not y[:, 1:].any()


def test_09_numpy_and_torch_take_the_same_path():
    @asc2.jit
    def kernel(a_ptr, b_ptr, c_ptr):
        a = asc2.load(asc2.tensor(a_ptr, [16, 16]), [16, 16], offsets=[0, 0], location=asc2.TileLocation.L0A)
        b = asc2.load(asc2.tensor(b_ptr, [16, 16]), [16, 16], offsets=[0, 0], location=asc2.TileLocation.L0B)
        asc2.store(a @ b, asc2.tensor(c_ptr, [16, 16]), offsets=[0, 0])

    a, b, c = random(16, 16), random(16, 16).T.copy(), np.zeros((16, 16), np.float32)
    launch(kernel, 1, a, b, c)
    other = torch.zeros(16, 16)
    kernel[1](torch.from_numpy(a), torch.from_numpy(b), other)
    assert c.any() and other.numpy().tobytes() == c.tobytes()
    np.testing.assert_allclose(c, a @ b, rtol=1e-5, atol=1e-5)


def test_10_more_blocks_than_work():
    @asc2.jit
    def kernel(x_ptr, y_ptr, size):
        x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
        i = asc2.block_idx()
        asc2.store(asc2.load(x, [64], tile_id=[i]) + 1, y, tile_id=[i])

    x, y = random(70), np.zeros(70, np.float32)
    launch(kernel, 8, x, y, 70)
    np.testing.assert_array_equal(y, x + 1)


def test_11_erf_is_accurate():
    @asc2.jit
    def error_function(x, n, f):
        return asc2.erf(x)

    x, y = np.linspace(-4, 4, 64, dtype=np.float32), np.zeros(64, np.float32)
    launch(load_and_store(error_function), 1, x, y, 0, 0.0, fn=error_function)
    np.testing.assert_allclose(y, torch.erf(torch.from_numpy(x)).numpy(), atol=1e-6)


def test_12_rms_norm():
    @asc2.jit
    def kernel(x_ptr, g_ptr, y_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [4, 64]), [4, 64], offsets=[0, 0])
        g = asc2.load(asc2.tensor(g_ptr, [64]), [64], offsets=[0])
        asc2.store(asc2.rms_norm(x, g, 1e-5), asc2.tensor(y_ptr, [4, 64]), offsets=[0, 0])

    x, g, y = random(4, 64), random(64), np.zeros((4, 64), np.float32)
    launch(kernel, 1, x, g, y)
    np.testing.assert_allclose(y, x * g / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5), rtol=1e-5, atol=1e-6)


def test_13_integer_negation_division_and_negative_axes():
    @asc2.jit
    def kernel(x_ptr, y_ptr, s_ptr, f):
        x = asc2.load(asc2.tensor(x_ptr, [4, 8]), [4, 8], offsets=[0, 0])
        y = asc2.negative(x) / (x * x + 1)
        y = y.expand_dims(-1).squeeze(-1)
        asc2.store(y, asc2.tensor(y_ptr, [4, 8]), offsets=[0, 0])
        asc2.store(x.sum(-1), asc2.tensor(s_ptr, [4]), offsets=[0])
        asc2.store(-f, asc2.tensor(s_ptr, [5]), offsets=[4])

    x = np.random.default_rng(1).integers(-9, 9, (4, 8)).astype(np.int32)
    y, s = np.zeros_like(x), np.zeros(5, np.int32)
    launch(kernel, 1, x, y, s, 6.0)
    np.testing.assert_array_equal(y, np.trunc(-x / (x * x + 1)))
    assert s.tolist() == [*x.sum(-1), -6]


def test_14_conversions_of_other_widths():
    @asc2.jit
    def kernel(x_ptr, y_ptr, n):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        asc2.store(x.to(asc.int32).to(asc.float16) * n, asc2.tensor(y_ptr, [64]), offsets=[0])

    x, y = (np.arange(64) - 30).astype(np.int8), np.zeros(64, np.float16)
    launch(kernel, 1, x, y, 3)
    np.testing.assert_array_equal(y, x.astype(np.float16) * 3)


def test_15_truth_values_and_comparisons_are_pythons():
    @asc2.jit
    def kernel(y_ptr, n):
        y = asc2.tensor(y_ptr, [6])
        r = 0
        if n:
            r = 1
        asc2.store(r, y, offsets=[0])
        asc2.store(1 if (1 and 2) and not 0 else 0, y, offsets=[1])
        asc2.store(1 if 1 == 1.0 and 1 < 2.5 else 0, y, offsets=[2])
        asc2.store(1 if 0 < n < 3 else 0, y, offsets=[3])
        asc2.store(1 if 2 in (1, 2) else 0, y, offsets=[4])
        asc2.store(not n, y, offsets=[5])

    y = np.zeros(6, np.int32)
    launch(kernel, 1, y, 2)
    assert y.tolist() == [1, 1, 1, 1, 1, 0]


def test_16_conditional_expressions():
    @asc2.jit
    def kernel(x_ptr, y_ptr, n, double: asc.ConstExpr[bool]):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        y = x * 2 if double else x
        z = y + 1 if n > 3 else y - 1
        asc2.store(z, asc2.tensor(y_ptr, [64]), offsets=[0])

    x = random(64)
    for double in (False, True):
        for n in (1, 5):
            y = np.zeros(64, np.float32)
            launch(kernel, 1, x, y, n, double=double)
            np.testing.assert_array_equal(y, x * (2 if double else 1) + (1 if n > 3 else -1))


def test_17_default_arguments():
    @asc2.jit
    def kernel(y_ptr, n=4, m: asc.ConstExpr[int] = 5):
        asc2.store(n * m, asc2.tensor(y_ptr, [1]), offsets=[0])

    y = np.zeros(1, np.int32)
    launch(kernel, 1, y)
    assert y[0] == 20
    launch(kernel, 1, y, 2, m=3)
    assert y[0] == 6


def test_18_helpers_are_specialised_for_each_call():
    @asc2.jit
    def twice(value):
        return value + value

    @asc2.jit
    def kernel(x_ptr, y_ptr, n):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        asc2.store(twice(x) + twice(n) + twice(0.5), asc2.tensor(y_ptr, [64]), offsets=[0])

    x, y = random(64), np.zeros(64, np.float32)
    launch(kernel, 1, x, y, 3)
    np.testing.assert_allclose(y, 2 * x + 7, rtol=1e-6)


def test_19_pending_launches_are_independent():
    @asc2.jit
    def kernel(y_ptr):
        if asc2.block_idx() == 0:
            asc2.store(asc2.block_num(), asc2.tensor(y_ptr, [1]), offsets=[0])

    four, eight = kernel[4], kernel[8]
    y = np.zeros(1, np.int32)
    for launcher, count in ((four, 4), (eight, 8), (four, 4)):
        launcher(y)
        assert y[0] == count


def test_20_globals_are_part_of_the_key(monkeypatch):
    @asc2.jit
    def kernel(y_ptr):
        asc2.store(SCALE, asc2.tensor(y_ptr, [1]), offsets=[0])

    y = np.zeros(1, np.int32)
    for value in (3, 4, 3):
        monkeypatch.setitem(globals(), "SCALE", value)
        kernel[1](y)
        assert y[0] == value


def test_21_copies_inside_ub_and_tiles_of_higher_rank():
    @asc2.jit
    def kernel(x_ptr, y_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [2, 3, 16]), [2, 3, 16], offsets=[0, 0, 0])
        part = asc2.copy(x, [1, 2, 8], offsets=[1, 1, 8])
        asc2.store(part, asc2.tensor(y_ptr, [1, 2, 8]), offsets=[0, 0, 0])

    x, y = random(2, 3, 16), np.zeros((1, 2, 8), np.float32)
    launch(kernel, 1, x, y)
    np.testing.assert_array_equal(y, x[1:, 1:, 8:])


def test_22_rounding_of_a_cast_there_and_back():
    @asc2.jit
    def rounded(x, n, f):
        return x.to(asc.float16).to(asc.float32)

    x, y = random(64) / 3, np.zeros(64, np.float32)
    launch(load_and_store(rounded), 1, x, y, 0, 0.0, fn=rounded)
    np.testing.assert_array_equal(y, x.astype(np.float16).astype(np.float32))
    assert (x != y).any()


def test_23_partial_tiles_are_clipped_in_every_dimension():
    @asc2.jit
    def kernel(x_ptr, y_ptr, rows, cols):
        x, y = asc2.tensor(x_ptr, [rows, cols]), asc2.tensor(y_ptr, [rows, cols])
        for i in range(asc2.num_tiles(x, 0, [4, 16])):
            for j in range(asc2.num_tiles(x, 1, [4, 16])):
                asc2.store(asc2.load(x, [4, 16], tile_id=[i, j]) + 1, y, tile_id=[i, j])

    x = random(11, 37)
    y = np.full((13, 37), -1, np.float32)
    launch(kernel, 1, x, y[:11], 11, 37)
    np.testing.assert_array_equal(y[:11], x + 1)
    assert (y[11:] == -1).all()


def test_25_device_prints(capsys):
    @asc2.jit
    def kernel(y_ptr, n):
        asc2.device_print("n is {}", n)

    kernel[1](np.zeros(1, np.int32), 12)
    assert capsys.readouterr().out.endswith("n is 12\n")


def test_26_errors_point_at_the_line(tmp_path):
    @asc2.jit(always_compile=True)
    def kernel(y_ptr, n):
        y = asc2.tensor(y_ptr, [n])
        asc2.store(undefined_name, y, offsets=[0])

    with pytest.raises(CodegenError) as info:
        kernel[1](np.zeros(1, np.int32), 1)
    line = kernel.first_line + 3
    first, excerpt, caret = str(info.value).splitlines()[:3]
    assert first.endswith(f"test_known_bugs.py:{line}:20: error: NameError: undefined_name is not defined")
    assert excerpt.strip() == f"{line} |         asc2.store(undefined_name, y, offsets=[0])"
    assert caret.index("^") == excerpt.index("undefined_name")


def test_27_right_operand_from_a_wider_tensor():
    @asc2.jit
    def kernel(a_ptr, b_ptr, c_ptr):
        a = asc2.load(asc2.tensor(a_ptr, [16, 48]), [16, 32], offsets=[0, 16], location=asc2.TileLocation.L0A)
        b = asc2.load(asc2.tensor(b_ptr, [32, 64]), [32, 16], offsets=[0, 32], location=asc2.TileLocation.L0B)
        asc2.store(a @ b, asc2.tensor(c_ptr, [16, 16]), offsets=[0, 0])

    a, b, c = random(16, 48), random(32, 64), np.zeros((16, 16), np.float32)
    launch(kernel, 1, a, b, c)
    np.testing.assert_allclose(c, a[:, 16:] @ b[:, 32:48], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("sign", [1, -1])
def test_28_integer_reductions_start_from_the_right_value(sign):
    @asc2.jit
    def kernel(x_ptr, y_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0]) * 1
        y = asc2.tensor(y_ptr, [2])
        asc2.store(x.max(), y, offsets=[0])
        asc2.store(x.min(), y, offsets=[1])

    x, y = (sign * (np.arange(64) + 5)).astype(np.int32), np.zeros(2, np.int32)
    launch(kernel, 1, x, y)
    assert y.tolist() == [x.max(), x.min()]


def test_29_annotations_as_text(tmp_path):
    import importlib.util

    path = tmp_path / "late.py"
    path.write_text("from __future__ import annotations\nimport asc, asc2\n\n@asc2.jit\ndef kernel(y_ptr, n: asc.ConstExpr[int]):\n"
                    "    asc2.store(asc2.full([n], 4), asc2.tensor(y_ptr, [n]), offsets=[0])\n")
    spec = importlib.util.spec_from_file_location("late", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    y = np.zeros(8, np.int32)
    launch(module.kernel, 1, y, n=8)
    assert (y == 4).all()


def test_30_a_tile_stored_twice_and_unchanged():
    @asc2.jit
    def kernel(x_ptr, y_ptr, z_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        asc2.store(x, asc2.tensor(y_ptr, [64]), offsets=[0])
        asc2.store(x, asc2.tensor(z_ptr, [64]), offsets=[0])

    x, y, z = random(64), np.zeros(64, np.float32), np.zeros(64, np.float32)
    launch(kernel, 1, x, y, z)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(z, x)
