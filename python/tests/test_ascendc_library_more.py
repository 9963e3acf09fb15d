"""Norms, choices, shapes, reductions and quantisation of the library as C++ kernels call them (ascendc_kernels/library_more.cpp):
results against NumPy in float64, no findings, the same bytes late, both platforms."""

import numpy as np
import pytest
from test_ascendc_kernels import c220, c310, load, platform, run_clean

ROWS, COLUMNS = 6, 96
_FIXTURES = (c220, c310, platform)


def kernel(name):
    return load("library_more.cpp")[name][1]


def random(shape, dtype=np.float32, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def near(result, expected, dtype):
    tolerance = 4e-3 if dtype == np.float16 else 2e-5
    np.testing.assert_allclose(result.astype(np.float64), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_gradient_of_a_layer_norm(platform, dtype):
    dy, x, gamma = (random(shape, dtype, seed) for seed, shape in enumerate([(ROWS, COLUMNS), (ROWS, COLUMNS), COLUMNS]))
    wide = x.astype(np.float64)
    mean, variance = wide.mean(1).astype(dtype), wide.var(1).astype(dtype)
    dx, res = np.zeros_like(x), np.zeros_like(x)
    run = kernel("layer_norm_grad_half" if dtype == np.float16 else "layer_norm_grad_float")
    run_clean(lambda: run(dy, x, variance, mean, gamma, dx, res, ROWS, COLUMNS), dx, res)
    root = 1 / np.sqrt(variance.astype(np.float64) + 1e-5)[:, None]
    centred = wide - mean.astype(np.float64)[:, None]
    d = dy.astype(np.float64) * gamma
    of_variance = (-0.5 * d * centred * root**3).sum(1, keepdims=True)
    of_mean = (-d * root).sum(1, keepdims=True) + of_variance * (-2 * centred).mean(1, keepdims=True)
    near(dx, d * root + of_variance * 2 * centred / COLUMNS + of_mean / COLUMNS, dtype)
    near(res, centred * root, dtype)


def test_gradients_of_gamma_and_beta(platform):
    res, dy = random((ROWS, COLUMNS)), random((ROWS, COLUMNS), seed=1)
    gamma, beta = np.zeros(COLUMNS, np.float32), np.zeros(COLUMNS, np.float32)
    run_clean(lambda: kernel("layer_norm_grad_beta")(res, dy, gamma, beta, ROWS, COLUMNS), gamma, beta)
    near(gamma, (res.astype(np.float64) * dy).sum(0), np.float32)
    near(beta, dy.astype(np.float64).sum(0), np.float32)


def test_batch_norm(platform):
    x, gamma, beta = random((ROWS, COLUMNS)), random(ROWS, seed=1), random(ROWS, seed=2)
    y, mean, variance = np.zeros_like(x), np.zeros(COLUMNS, np.float32), np.zeros(COLUMNS, np.float32)
    run_clean(lambda: kernel("batch_norm")(x, gamma, beta, y, mean, variance, ROWS, COLUMNS), y, mean, variance)
    wide = x.astype(np.float64)
    near(mean, wide.mean(0), np.float32)
    near(variance, wide.var(0), np.float32)
    near(y, (wide - wide.mean(0)) / np.sqrt(wide.var(0) + 1e-5) * gamma[:, None] + beta[:, None], np.float32)


def test_deep_norm(platform):
    x, gx = random((ROWS, COLUMNS), np.float16), random((ROWS, COLUMNS), np.float16, 1)
    beta, gamma = random(COLUMNS, np.float16, 2), random(COLUMNS, np.float16, 3)
    y, mean, variance = np.zeros_like(x), np.zeros(ROWS, np.float16), np.zeros(ROWS, np.float16)
    run_clean(lambda: kernel("deep_norm")(x, gx, beta, gamma, y, mean, variance, ROWS, COLUMNS), y, mean, variance)
    both = 0.5 * x.astype(np.float64) + gx
    near(mean, both.mean(1), np.float16)
    near(variance, both.var(1), np.float16)
    epsilon = float(np.float16(1e-3))
    near(y, (both - both.mean(1, keepdims=True)) / np.sqrt(both.var(1, keepdims=True) + epsilon) * gamma + beta, np.float16)


def test_group_norm(platform):
    x, gamma, beta = random((ROWS, COLUMNS)), random(ROWS, seed=1), random(ROWS, seed=2)
    y, mean, variance = np.zeros_like(x), np.zeros(2, np.float32), np.zeros(2, np.float32)
    run_clean(lambda: kernel("group_norm")(x, gamma, beta, y, mean, variance, ROWS, COLUMNS), y, mean, variance)
    groups = x.astype(np.float64).reshape(2, -1)
    near(mean, groups.mean(1), np.float32)
    near(variance, groups.var(1), np.float32)
    normal = (groups - groups.mean(1, keepdims=True)) / np.sqrt(groups.var(1, keepdims=True) + 1e-5)
    near(y, normal.reshape(ROWS, COLUMNS) * gamma[:, None] + beta[:, None], np.float32)


def test_normalise_by_given_moments(platform):
    x, gamma, beta = random((ROWS, COLUMNS), np.float16), random(COLUMNS, np.float16, 1), random(COLUMNS, np.float16, 2)
    mean, variance = x.astype(np.float32).mean(1), x.astype(np.float32).var(1)
    y, rstd = np.zeros_like(x), np.zeros(ROWS, np.float32)
    run_clean(lambda: kernel("normalize")(x, mean, variance, gamma, beta, y, rstd, ROWS, COLUMNS), y, rstd)
    root = 1 / np.sqrt(variance.astype(np.float64) + 1e-5)
    near(rstd, root, np.float32)
    near(y, (x - mean[:, None]) * root[:, None] * gamma + beta, np.float16)


def test_running_moments(platform):
    x = random((ROWS, COLUMNS), np.float16)
    mean, variance, total = np.zeros(COLUMNS, np.float32), np.zeros(COLUMNS, np.float32), np.zeros(16, np.float32)
    run_clean(lambda: kernel("welford")(x, mean, variance, total, ROWS, COLUMNS), mean, variance)
    wide = x.astype(np.float64)
    near(mean, wide.mean(0), np.float32)
    near(variance, ((wide - wide.mean(0)) ** 2).sum(0), np.float32)
    near(total[[0, 8]], [wide.mean(), wide.var()], np.float32)


def test_decimal_logarithm_of_a_soft_maximum(platform):
    x = random((ROWS, COLUMNS))
    y = np.zeros_like(x)
    run_clean(lambda: kernel("log_soft_max")(x, y, ROWS, COLUMNS), y)
    wide = np.exp(x.astype(np.float64))
    near(y, np.log10(wide / wide.sum(1, keepdims=True)), np.float32)


def test_rows_whose_maximum_is_the_smallest_number(platform):
    y = random((ROWS, COLUMNS), np.float16)
    largest = np.ones((ROWS, 8), np.float32)
    largest[[1, 4]] = -np.finfo(np.float32).max
    result = np.zeros_like(y)
    run_clean(lambda: kernel("adjust")(y, largest, result, ROWS, COLUMNS), result)
    expected = y.copy()
    expected[[1, 4]] = 0.25
    assert (result == expected).all()


def test_drop_out(platform):
    generator = np.random.default_rng(3)
    mask = generator.integers(0, 2, (ROWS, COLUMNS), dtype=np.uint8)
    x, y = random((ROWS, COLUMNS)), np.zeros((ROWS, COLUMNS), np.float32)
    run_clean(lambda: kernel("drop_out_bytes")(x, mask, y, ROWS, COLUMNS), y)
    near(y, x * mask / 0.75, np.float32)
    bits = generator.integers(0, 256, 4 * 128 // 8, dtype=np.uint8)
    x, y = random((4, 128), np.float16), np.zeros((4, 128), np.float16)
    run_clean(lambda: kernel("drop_out_bits")(x, bits, y, 4, 128), y)
    near(y, x * np.unpackbits(bits, bitorder="little").reshape(4, 128) * 2.0, np.float16)


def test_select_by_bytes(platform):
    mask = np.random.default_rng(3).integers(0, 3, (ROWS, COLUMNS), dtype=np.uint8)
    x = random((ROWS, COLUMNS), np.float16)
    y, z = np.zeros_like(x), np.zeros_like(x)
    run_clean(lambda: kernel("select_bytes")(x, mask, y, z, ROWS, COLUMNS), y, z)
    assert (y == np.where(mask == 0, x, np.float16(-2))).all()
    assert (z == np.where(mask == 0, np.float16(-2), x)).all()
    x = random((ROWS, COLUMNS))
    y = np.zeros_like(x)
    run_clean(lambda: kernel("where_bytes")(x, mask % 2, y, ROWS, COLUMNS), y)
    assert (y == np.where(mask % 2, x, np.float32(4))).all()


def test_rows_made_longer_and_shorter(platform):
    x, y = random((ROWS, 21), np.float16), np.zeros((ROWS, 32), np.float16)
    run_clean(lambda: kernel("pad")(x, y, ROWS, 21), y)
    assert (y == np.pad(x, ((0, 0), (0, 11)), constant_values=7)).all()
    x, y = random((ROWS, 24)), np.zeros((ROWS, 21), np.float32)
    run_clean(lambda: kernel("unpad")(x, y, ROWS, 24), y)
    assert (y == x[:, :21]).all()


def test_two_dimensions_turned(platform):
    x, y = random((32, 48), np.float16), np.zeros((48, 32), np.float16)
    run_clean(lambda: kernel("transpose")(x, y, 32, 48), y)
    assert (y == x.T).all()


def test_products_and_truths(platform):
    x = (1 + 0.1 * random((ROWS, COLUMNS))).astype(np.float32)
    by_row, by_column = np.zeros(ROWS, np.float32), np.zeros(COLUMNS, np.float32)
    run_clean(lambda: kernel("reduce_prod")(x, by_row, by_column, ROWS, COLUMNS), by_row, by_column)
    near(by_row, x.astype(np.float64).prod(1), np.float32)
    near(by_column, x.astype(np.float64).prod(0), np.float32)
    mask = np.ones((ROWS, COLUMNS), np.uint8)
    mask[1, 70], mask[2:4] = 0, 0
    mask[3, 95] = 5
    every, some = np.zeros(ROWS, np.uint8), np.zeros(ROWS, np.uint8)
    run_clean(lambda: kernel("reduce_truth")(mask, every, some, ROWS, COLUMNS), every, some)
    assert (every == mask.all(1)).all() and (some == mask.any(1)).all()
    a, b = (np.random.default_rng(seed).integers(0, 8, 192, dtype=np.int16) for seed in (1, 2))
    total = np.zeros(16, np.int16)
    run_clean(lambda: kernel("reduce_xor_sum")(a, b, total, 2, 96), total)
    assert total[0] == (a ^ b).sum()


def test_columns_with_scales_of_their_own(platform):
    x, scale, offset = random((ROWS, COLUMNS), np.float16), random(COLUMNS, np.float16, 1), random(COLUMNS, np.float16, 2)
    scale *= 20
    y = np.zeros((ROWS, COLUMNS), np.int8)
    run_clean(lambda: kernel("quantise_columns")(x, scale, offset, y, ROWS, COLUMNS), y)
    exact = x.astype(np.float32) * scale.astype(np.float32) + offset.astype(np.float32)
    assert (y == np.clip(np.rint(exact), -128, 127)).all()
    back = np.zeros_like(x)
    run_clean(lambda: kernel("antiquantise_columns")(y, scale, offset, back, ROWS, COLUMNS), back)
    near(back, (y.astype(np.float64) + offset) * scale, np.float16)


def test_vector_calls_that_are_vector_functions(c310):
    x, y = random(256), random(256, seed=1)
    z = np.zeros((9, 256), np.float32)
    run_clean(lambda: load("registers.cpp")["by_registers"][1](x, y, z, 256), z)
    both = np.stack([x, y], 1).ravel()
    near(z[0], np.abs(x.astype(np.float64) - y), np.float32)
    near(z[1], np.exp(x.astype(np.float64) - y), np.float32)
    assert (z[2] == np.where(x > 0, x, x * y)).all()
    assert (z[3] == x - np.float32(1.5)).all() and (z[4] == x / np.float32(3)).all()
    assert (z[5].view(np.int16) == x.view(np.int16) & 0x7FF0).all()
    assert (z[6].view(np.int16) == x.view(np.int16) | 0x0101).all()
    assert (z[7] == both[:256]).all() and (z[8] == y).all()


def test_copies_of_slices(platform):
    """Runs of 24 elements with 7 between them, of every other row."""
    x, y, z = random((3, 87)), np.zeros((2, 48), np.float32), np.zeros((3, 87), np.float32)
    run_clean(lambda: load("moves.cpp")["slices"][1](x, y, z), y, z)
    columns = np.r_[16:40, 47:71]
    assert (y == x[::2][:, columns]).all()
    expected = np.zeros_like(z)
    expected[np.ix_([0, 2], columns)] = x[np.ix_([0, 2], columns)]
    assert (z == expected).all()
