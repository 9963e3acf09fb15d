"""The C API (asc_*): every function on random operands against NumPy, and programs that use it."""

import asc
import numpy as np
import pytest
from asc.runtime import config
from test_ascendc_programs import C220, C310, CLANG, GCC, PROGRAMS, tilesmith


@pytest.mark.parametrize(
    "program, platform, compiler",
    [
        ("capi_add.asc", C220, GCC),
        ("capi_add.asc", C310, CLANG),
        ("capi_registers.asc", C310, GCC),
        ("capi_registers.asc", C310, CLANG),
    ],
)
def test_programs_of_the_c_api(program, platform, compiler):
    done = tilesmith("check", "-v", platform, PROGRAMS / program, "--compiler", compiler, "--host")
    assert (done.returncode, done.stdout) == (0, "wrong: 0\nno findings in 1 launch\n"), done.stderr


ROWS, LANES = 4, 64  # of float: a repeat
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum, "min": np.minimum,
    "add_relu": lambda x, y: np.maximum(x + y, 0), "sub_relu": lambda x, y: np.maximum(x - y, 0),
}
UNARY = {
    "abs": np.abs, "exp": np.exp, "ln": np.log, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "rcp": np.reciprocal,
    "relu": lambda x: np.maximum(x, 0),
}
SCALAR = {
    "add_scalar": np.add, "mul_scalar": np.multiply, "max_scalar": np.maximum, "min_scalar": np.minimum,
    "leakyrelu": lambda x, s: np.where(x >= 0, x, x * s),
}
CASTS = {
    "float2int32_rn": np.rint, "float2int32_rd": np.floor, "float2int32_ru": np.ceil, "float2int32_rz": np.trunc,
}
REGISTERS = {**{name: BINARY[name] for name in ("add", "sub", "mul", "div", "max", "min")}}
COMPARES = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}

HEADER = """#include "c_api/asc_simd.h"
BODIES
extern "C" __global__ __vector__ void calls(__gm__ float *x, __gm__ float *y, __gm__ float *out, float s) {
  asc_init();
  __ubuf__ float a[256];
  __ubuf__ float b[256];
  __ubuf__ float c[256];
  asc_copy_gm2ub_sync(a, x, 1024);
  asc_copy_gm2ub_sync(b, y, 1024);
  asc_set_mask_norm();
  asc_set_vector_mask(~0ul, ~0ul);
"""
TAIL = """  asc_sync();
  asc_copy_ub2gm_sync(out + {0}, c, 1024);
"""


def kernel(calls, bodies=""):
    text = "".join(f"  {call}\n" + TAIL.format(256 * i) for i, call in enumerate(calls))
    return HEADER.replace("BODIES", bodies) + text + "}\n"


def run(tmp_path, platform, source, calls, scalar=0.75):
    rng = np.random.default_rng(7)
    x, y = rng.uniform(0.25, 9, 256).astype(np.float32), rng.uniform(0.25, 9, 256).astype(np.float32)
    x[::5], y[::3] = 1 + x[::5], x[::3]
    out = np.zeros((calls, 256), np.float32)
    path = tmp_path / "calls.cpp"
    path.write_text(source)
    config.set_platform(config.Backend.Model, platform)
    library = asc.load_ascendc(path)
    try:
        with asc.check() as report:
            library["calls"][1](x, y, out, scalar)
    finally:
        library.close()
        config.set_platform(config.Backend.Model, C220)
    assert report.findings == []
    return x, y, out


@pytest.mark.parametrize("platform", [C220, C310])
def test_functions_on_pointers(tmp_path, platform):
    """By count, by repeats under the mask set before, and with the barrier behind."""
    calls, expected, s = [], [], np.float32(0.75)
    for name, meaning in BINARY.items():
        calls += [f"asc_{name}(c, a, b, 256);", f"asc_{name}(c, a, b, 4, 1, 1, 1, 8, 8, 8);", f"asc_{name}_sync(c, a, b, 256);"]
        expected += [lambda x, y, f=meaning: f(x, y)] * 3
    for name, meaning in UNARY.items():
        calls += [f"asc_{name}(c, a, 256);", f"asc_{name}(c, a, 4, 1, 1, 8, 8);", f"asc_{name}_sync(c, a, 256);"]
        expected += [lambda x, y, f=meaning: f(x)] * 3
    for name, meaning in SCALAR.items():
        calls += [f"asc_{name}(c, a, s, 256);", f"asc_{name}(c, a, s, 4, 1, 1, 8, 8);", f"asc_{name}_sync(c, a, s, 256);"]
        expected += [lambda x, y, f=meaning: f(x, s)] * 3
    for name, meaning in CASTS.items():
        calls += [f"asc_{name}((__ubuf__ int32_t *)c, a, 256);"]
        expected += [lambda x, y, f=meaning: f(x).astype(np.int32).view(np.float32)]
    calls += ["asc_duplicate(c, s, 256);", "asc_duplicate(c, s, 4, 1, 8);", "asc_copy_ub2ub(c, a, 2, 16, 0, 0);"]
    expected += [lambda x, y: np.full_like(x, s)] * 2 + [lambda x, y: x]
    x, y, out = run(tmp_path, platform, kernel(calls), len(calls))
    for call, meaning, result in zip(calls, expected, out):
        np.testing.assert_allclose(result, meaning(x, y), rtol=2e-3 if "rsqrt" in call or "rcp" in call else 2e-6, err_msg=call)


def test_functions_on_registers(tmp_path):
    bodies, calls, expected = "", [], []

    def add(name, statement, meaning):
        nonlocal bodies
        bodies += (
            f"__simd_vf__ inline void {name}(__ubuf__ float *x, __ubuf__ float *y, __ubuf__ float *z, float s) {{\n"
            "  uint32_t left = 256;\n  for (uint16_t i = 0; i < 4; ++i) {\n    vector_bool m = asc_update_mask_b32(left), k;\n"
            "    vector_float a, b, c;\n    asc_loadalign(a, x + i * 64);\n    asc_loadalign(b, y + i * 64);\n"
            f"    asc_duplicate(c, 0.0f);\n    {statement}\n    asc_storealign(z + i * 64, c, m);\n  }}\n}}\n"
        )
        calls.append(f"asc_vf_call<{name}>(a, b, c, s);")
        expected.append(meaning)

    for name, meaning in REGISTERS.items():
        add(f"of_{name}", f"asc_{name}(c, a, b, m);", lambda x, y, s, f=meaning: f(x, y))
    for name in ("abs", "exp", "ln", "sqrt", "relu"):
        add(f"of_{name}", f"asc_{name}(c, a, m);", lambda x, y, s, f=UNARY[name]: f(x))
    for name in ("add_scalar", "mul_scalar", "max_scalar", "min_scalar", "leakyrelu"):
        add(f"of_{name}", f"asc_{name}(c, a, s, m);", lambda x, y, s, f=SCALAR[name]: f(x, s))
    for name, meaning in COMPARES.items():
        add(f"of_{name}", f"asc_{name}(k, a, b, m); asc_select(c, a, b, k);", lambda x, y, s, f=meaning: np.where(f(x, y), x, y))
        add(f"of_{name}_s", f"asc_{name}_scalar(k, a, s, m); asc_select(c, a, b, k);",
            lambda x, y, s, f=meaning: np.where(f(x, s), x, y))
    add("of_brc", "asc_loadalign_brc(c, x + 5);", lambda x, y, s: np.full_like(x, x[5]))
    add("of_half", "asc_add(c, a, b, asc_create_mask_b32(PAT_H));",
        lambda x, y, s: np.where(np.arange(256) % 64 < 32, x + y, 0))
    scalar = 4.5
    x, y, out = run(tmp_path, C310, kernel(calls, bodies), len(calls), scalar)
    for call, meaning, result in zip(calls, expected, out):
        np.testing.assert_allclose(result, meaning(x, y, np.float32(scalar)), rtol=2e-6, err_msg=call)


@pytest.mark.parametrize("platform, copies", [
    (C220, ("asc_copy_gm2ub_align(a, x, 3, 20, 0, 3, 12, 0);", "asc_copy_ub2gm_align((__gm__ void *)out, (__ubuf__ void *)a, 3, 20, 0, 44);")),
    (C310, ("asc_copy_gm2ub_align(a, x, 3, 20, 0, 3, true, 0, 32, 32);",
            "asc_copy_ub2gm_align(out, a, 3, 20, asc_store_l2_cache_mode::ANY_NAME, 64, 32);")),
])  # fmt: skip
def test_bursts_of_any_bytes(tmp_path, platform, copies):
    """Three of five floats: every eighth in, every sixteenth out. Strides count from beginning to beginning on the 950, behind on the 910B."""
    source = HEADER.replace("BODIES", "").split("  asc_copy_gm2ub_sync(a")[0] + f"  {copies[0]}\n  asc_sync();\n  {copies[1]}\n}}\n"
    x, _, out = run(tmp_path, platform, source, 1)
    expected = np.zeros(256, np.float32)
    for i in range(3):
        expected[16 * i : 16 * i + 5] = x[8 * i : 8 * i + 5]
    np.testing.assert_array_equal(out[0], expected)
