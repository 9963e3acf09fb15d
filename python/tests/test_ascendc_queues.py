"""Kernels in the manner of samples, several blocks and a tail: queues of two buffers (ascendc_kernels/queues.cpp), vector functions
(registers_each.cpp). Each against NumPy in float64, clean in checked mode, the same bytes late. Some each day, all with
TILESMITH_LONG=1."""

import math
import os
import random
from datetime import date

import numpy as np
import pytest
from test_ascendc_kernels import c310, load, platform, run_clean

_FIXTURES = (c310, platform)
F32, F16, I32, I16, U16, I8 = np.float32, np.float16, np.int32, np.int16, np.uint16, np.int8
erf = np.vectorize(math.erf, otypes=[np.float64])


def wide(function):
    """Computed in float64."""
    return lambda *args: function(*(np.asarray(arg, np.float64) for arg in args))


def tanh_of_softplus(x, y, s):
    return x * np.tanh(np.log1p(np.exp(x)))


# name: (type in, type out, what it is, where x and y lie)
CASES = {
    "abs_float": (F32, F32, wide(lambda x, y, s: np.abs(x)), (-4, 4)),
    "exp_float": (F32, F32, wide(lambda x, y, s: np.exp(x)), (-4, 4)),
    "ln_float": (F32, F32, wide(lambda x, y, s: np.log(x)), (0.1, 9)),
    "sqrt_half": (F16, F16, wide(lambda x, y, s: np.sqrt(x)), (0, 9)),
    "rsqrt_float": (F32, F32, wide(lambda x, y, s: 1 / np.sqrt(x)), (0.1, 9)),
    "reciprocal_float": (F32, F32, wide(lambda x, y, s: 1 / x), (0.5, 9)),
    "relu_half": (F16, F16, wide(lambda x, y, s: np.maximum(x, 0)), (-4, 4)),
    "not_int16": (I16, I16, lambda x, y, s: ~x, (-999, 999)),
    "tanh_float": (F32, F32, wide(lambda x, y, s: np.tanh(x)), (-4, 4)),
    "tanh_half": (F16, F16, wide(lambda x, y, s: np.tanh(x)), (-4, 4)),
    "sigmoid_half": (F16, F16, wide(lambda x, y, s: 1 / (1 + np.exp(-x))), (-4, 4)),
    "erf_float": (F32, F32, wide(lambda x, y, s: erf(x)), (-3, 3)),
    "sin_float": (F32, F32, wide(lambda x, y, s: np.sin(x)), (-9, 9)),
    "cos_half": (F16, F16, wide(lambda x, y, s: np.cos(x)), (-9, 9)),
    "atan_float": (F32, F32, wide(lambda x, y, s: np.arctan(x)), (-9, 9)),
    "asinh_float": (F32, F32, wide(lambda x, y, s: np.arcsinh(x)), (-9, 9)),
    "ceil_float": (F32, F32, wide(lambda x, y, s: np.ceil(x)), (-9, 9)),
    "floor_float": (F32, F32, wide(lambda x, y, s: np.floor(x)), (-9, 9)),
    "trunc_float": (F32, F32, wide(lambda x, y, s: np.trunc(x)), (-9, 9)),
    "frac_float": (F32, F32, wide(lambda x, y, s: x - np.trunc(x)), (-9, 9)),
    "sign_half": (F16, F16, wide(lambda x, y, s: np.sign(x)), (-4, 4)),
    "silu_float": (F32, F32, wide(lambda x, y, s: x / (1 + np.exp(-x))), (-4, 4)),
    "log2_float": (F32, F32, wide(lambda x, y, s: np.log2(x)), (0.1, 9)),
    "power_float": (F32, F32, wide(lambda x, y, s: x**y), (0.5, 3)),
    "fmod_float": (F32, F32, wide(lambda x, y, s: np.fmod(x, y)), (1, 9)),
    "add_float": (F32, F32, wide(lambda x, y, s: x + y), (-4, 4)),
    "add_int32": (I32, I32, lambda x, y, s: x + y, (-999, 999)),
    "sub_half": (F16, F16, wide(lambda x, y, s: x - y), (-4, 4)),
    "mul_float": (F32, F32, wide(lambda x, y, s: x * y), (-4, 4)),
    "mul_int16": (I16, I16, lambda x, y, s: x * y, (-99, 99)),
    "div_float": (F32, F32, wide(lambda x, y, s: x / y), (0.5, 9)),
    "max_half": (F16, F16, wide(lambda x, y, s: np.maximum(x, y)), (-4, 4)),
    "min_int32": (I32, I32, lambda x, y, s: np.minimum(x, y), (-999, 999)),
    "and_uint16": (U16, U16, lambda x, y, s: x & y, (0, 999)),
    "or_int16": (I16, I16, lambda x, y, s: x | y, (-999, 999)),
    "add_relu_float": (F32, F32, wide(lambda x, y, s: np.maximum(x + y, 0)), (-4, 4)),
    "sub_relu_half": (F16, F16, wide(lambda x, y, s: np.maximum(x - y, 0)), (-4, 4)),
    "adds_float": (F32, F32, wide(lambda x, y, s: x + s), (-4, 4)),
    "muls_half": (F16, F16, wide(lambda x, y, s: x * s), (-4, 4)),
    "maxs_int32": (I32, I32, lambda x, y, s: np.maximum(x, 2), (-9, 9)),
    "mins_float": (F32, F32, wide(lambda x, y, s: np.minimum(x, s)), (-4, 4)),
    "leaky_relu_float": (F32, F32, wide(lambda x, y, s: np.where(x > 0, x, x * s)), (-4, 4)),
    "shift_left_int32": (I32, I32, lambda x, y, s: x << 2, (-999, 999)),
    "shift_right_uint16": (U16, U16, lambda x, y, s: x >> 2, (0, 999)),
    "half_to_float": (F16, F32, wide(lambda x, y, s: x), (-4, 4)),
    "float_to_half": (F32, F16, wide(lambda x, y, s: x), (-4, 4)),
    "float_to_int32_floor": (F32, I32, lambda x, y, s: np.floor(x), (-99, 99)),
    "float_to_int32_round": (F32, I32, lambda x, y, s: np.trunc(x + np.copysign(0.5, x)), (-99, 99)),
    "int32_to_float": (I32, F32, wide(lambda x, y, s: x), (-999, 999)),
    "half_to_int8": (F16, I8, lambda x, y, s: np.rint(x), (-99, 99)),
    "half_to_int16_trunc": (F16, I16, lambda x, y, s: np.trunc(x), (-99, 99)),
    "axpy_float": (F32, F32, wide(lambda x, y, s: s * x + y), (-4, 4)),
    "mul_add_float": (F32, F32, wide(lambda x, y, s: x * y + y + 1), (-4, 4)),
    "hard_swish_float": (F32, F32, wide(lambda x, y, s: x * np.clip(x + 3, 0, 6) / 6), (-6, 6)),
    "mish_float": (F32, F32, wide(tanh_of_softplus), (-4, 4)),
    "square_sum_half": (F16, F16, wide(lambda x, y, s: x * x + y * y), (-4, 4)),
    "distance_float": (F32, F32, wide(lambda x, y, s: np.abs(x - y)), (-4, 4)),
}
# Of the 950: vector functions, started by asc_vf_call, one register after another.
REGISTERS = {
    "reg_add": (F32, F32, wide(lambda x, y, s: x + y), (-4, 4)),
    "reg_sub": (F16, F16, wide(lambda x, y, s: x - y), (-4, 4)),
    "reg_mul": (F32, F32, wide(lambda x, y, s: x * y), (-4, 4)),
    "reg_div": (F32, F32, wide(lambda x, y, s: x / y), (0.5, 9)),
    "reg_max": (I16, I16, lambda x, y, s: np.maximum(x, y), (-99, 99)),
    "reg_min": (I32, I32, lambda x, y, s: np.minimum(x, y), (-99, 99)),
    "reg_and": (U16, U16, lambda x, y, s: x & y, (0, 999)),
    "reg_or": (I32, I32, lambda x, y, s: x | y, (-999, 999)),
    "reg_xor": (I16, I16, lambda x, y, s: x ^ y, (-999, 999)),
    "reg_prelu": (F32, F32, wide(lambda x, y, s: np.where(x > 0, x, x * y)), (-4, 4)),
    "reg_exp_sub": (F32, F32, wide(lambda x, y, s: np.exp(x - y)), (-3, 3)),
    "reg_abs_sub": (F32, F32, wide(lambda x, y, s: np.abs(x - y)), (-4, 4)),
    "reg_abs": (F16, F16, wide(lambda x, y, s: np.abs(x)), (-4, 4)),
    "reg_neg": (I32, I32, lambda x, y, s: -x, (-99, 99)),
    "reg_not": (U16, U16, lambda x, y, s: ~x, (0, 999)),
    "reg_exp": (F32, F32, wide(lambda x, y, s: np.exp(x)), (-4, 4)),
    "reg_ln": (F32, F32, wide(lambda x, y, s: np.log(x)), (0.1, 9)),
    "reg_sqrt": (F32, F32, wide(lambda x, y, s: np.sqrt(x)), (0, 9)),
    "reg_relu": (F32, F32, wide(lambda x, y, s: np.maximum(x, 0)), (-4, 4)),
    "reg_adds": (F32, F32, wide(lambda x, y, s: x + s), (-4, 4)),
    "reg_muls": (F16, F16, wide(lambda x, y, s: x * s), (-4, 4)),
    "reg_leaky_relu": (F32, F32, wide(lambda x, y, s: np.where(x > 0, x, x * s)), (-4, 4)),
    "reg_axpy": (F32, F32, wide(lambda x, y, s: s * x + y), (-4, 4)),
    "reg_fma": (F32, F32, wide(lambda x, y, s: x * y + y), (-4, 4)),
    "reg_select": (F32, F32, wide(lambda x, y, s: np.where(x > y, x, s)), (-4, 4)),
    "reg_compare_scalar": (F32, F32, wide(lambda x, y, s: np.where(x < s, x, y)), (-4, 4)),
    "reg_truncate": (F32, F32, wide(lambda x, y, s: np.floor(x)), (-9, 9)),
    "reg_shift": (I32, I32, lambda x, y, s: x << 3, (-999, 999)),
    "reg_sigmoid": (F32, F32, wide(lambda x, y, s: 1 / (1 + np.exp(-x))), (-4, 4)),
    "reg_norm": (F32, F32, wide(lambda x, y, s: np.sqrt(x * x + y * y)), (-4, 4)),
}
CHOSEN = [("queues.cpp", name) for name in CASES] + [("registers_each.cpp", name) for name in REGISTERS]
TODAY = sorted(CHOSEN) if os.environ.get("TILESMITH_LONG") else sorted(random.Random(date.today().toordinal()).sample(CHOSEN, 16))


def check(file, name, case):
    before, after, meaning, (low, high) = case
    generator = np.random.default_rng(len(name))
    for total, blocks in ((1, 1), (3001, 3)):
        x, y = (generator.uniform(low, high, total).astype(before) for _ in range(2))
        z = np.zeros(total, after)
        run_clean(lambda: load(file)[name][blocks](x, y, z, total, 2.25), z)
        expected = meaning(x, y, 2.25)
        if np.issubdtype(after, np.integer):
            assert (z == expected.astype(after)).all()
        else:
            tolerance = 2e-3 if F16 in (before, after) and after != F32 else 3e-5
            np.testing.assert_allclose(z.astype(np.float64), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", [name for file, name in TODAY if file == "queues.cpp"])
def test_kernels_with_queues(platform, name):
    check("queues.cpp", name, CASES[name])


@pytest.mark.parametrize("name", [name for file, name in TODAY if file == "registers_each.cpp"])
def test_kernels_with_registers(c310, name):
    check("registers_each.cpp", name, REGISTERS[name])
