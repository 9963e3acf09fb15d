"""Functions of threads (SIMT) of the 950: results, order, races, time, and what they may touch."""

import asc
import numpy as np
import pytest
from asc.runtime import config
from test_ascendc_programs import C220, C310, CLANG, GCC, PROGRAMS, tilesmith


@pytest.mark.parametrize(
    "program, compiler, printed",
    [
        ("simt_gather.asc", GCC, "wrong: 0\n"),
        ("simt_reduce.asc", GCC, "0 400, 1\n"),
        ("simt_reduce.asc", CLANG, "0 400, 1\n"),
        ("simt_mixed.asc", CLANG, "wrong: 0\n"),
        ("simt_kernels.asc", GCC, "0 0 0 0 0 0 0 0 \n"),
        ("simt_kernels.asc", CLANG, "0 0 0 0 0 0 0 0 \n"),
    ],
)
def test_programs_of_threads(program, compiler, printed):
    """Grids and blocks of several dimensions, arrays in UB, barriers, operations of warps whose lanes have parted, atomic operations."""
    done = tilesmith("check", "-v", C310, PROGRAMS / program, "--compiler", compiler, "--host")
    assert done.returncode == 0 and done.stdout.startswith(printed) and "no findings" in done.stdout, done.stdout + done.stderr


KERNEL = """#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;
__simt_vf__ inline void body(__gm__ float *x, __gm__ float *y, __ubuf__ float *t, uint32_t n) {
  uint32_t i = threadIdx.x;
  BODY
}
extern "C" __global__ __aicore__ void threads(GM_ADDR x, GM_ADDR y, uint32_t n, uint32_t count) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 4096);
  LocalTensor<float> t = buffer.Get<float>();
  GlobalTensor<float> out;
  out.SetGlobalBuffer((__gm__ float *)y, 1024);
  asc_vf_call<body>(dim3{count}, (__gm__ float *)x, (__gm__ float *)y, (__ubuf__ float *)t.GetPhyAddr(), n);
  AFTER
}
"""


@pytest.fixture
def run(tmp_path):
    """Runs a body for `count` threads; (report, x, y)."""
    config.set_platform(config.Backend.Model, C310)
    libraries = []

    def runs(body, count=64, after="", blocks=1, observe=asc.check):
        source = tmp_path / "threads.cpp"
        source.write_text(KERNEL.replace("BODY", body).replace("AFTER", after))
        libraries.append(asc.load_ascendc(source))
        x, y = np.arange(1024, dtype=np.float32), np.zeros(1024, np.float32)
        with observe() as report:
            libraries[-1]["threads"][blocks](x, y, 1024, count)
        return report, x, y

    yield runs
    for library in libraries:
        library.close()
    config.set_platform(config.Backend.Model, C220)


def ids(report):
    return [finding["id"] for finding in report.findings]


def test_what_a_thread_writes_into_ub_is_not_read_from_outside(run):
    """Every function with a scratch would have been a false alarm (init.ub)."""
    report, x, y = run("t[i] = x[i]; asc_syncthreads(); y[i] = t[63 - i];")
    assert ids(report) == [] and (y[:64] == x[63::-1]).all()


def test_what_nothing_has_written_is_found(run):
    assert ids(run("y[i] = t[i];")[0]) == ["init.ub"]


@pytest.mark.parametrize(
    "body",
    [
        "y[i / 2] = x[i];",
        "t[i] = 1; if (i > 31) y[i] = t[63 - i];",
        "asc_atomic_add(y, 1.0f); if (i == 7) y[0] = 1;",
        "uint8_t *bytes = (uint8_t *)y; bytes[i] = 1; y[0] = 2;",
        "if (i < 2) t[i] = 1; asc_syncthreads(); float a = i < 2 ? t[1 - i] + t[i] : 0; if (i == 1) t[1] = a;",
    ],
)
def test_races_are_found(run, body):
    assert ids(run(body)[0]) == ["simt.race"]


@pytest.mark.parametrize(
    "body",
    [
        "asc_atomic_add(y, 1.0f);",
        "uint8_t *bytes = (uint8_t *)y; bytes[i] = 1;",
        "if (i < 32) { if (i == 3) t[0] = 5; asc_shfl(i, 0); y[i] = t[0]; }",
        "y[i] = x[0] + x[i];",
    ],
)
def test_what_is_ordered_or_shared_for_reading_is_no_race(run, body):
    assert ids(run(body)[0]) == []


def test_a_barrier_does_not_wait_for_threads_that_have_ended(run):
    report, x, y = run("if (i % 3 == 0) return; t[i] = x[i]; asc_syncthreads(); y[i] = t[i ^ 3];", count=4)
    assert ids(report) == [] and list(y[:4]) == [0, 2, 1, 0]


def test_lanes_that_have_parted_meet_again(run):
    """Of two warps the second has eight lanes."""
    body = "uint32_t apart = 0; if (i % 2) apart = asc_activemask(); uint32_t all = asc_activemask(); y[i] = float(apart % 65536); x[i] = float(all % 65536);"
    report, x, y = run(body, count=40)
    assert ids(report) == []
    assert list(y[:4]) == [0, 0xAAAA, 0, 0xAAAA] and y[33] == 0xAA and y[32] == 0
    assert (x[:32] == 0xFFFF).all() and (x[32:40] == 0xFF).all()


def test_atomic_operations_of_all_blocks_meet(run):
    report, _, y = run("asc_atomic_add(y, 1.0f); asc_atomic_max(y + 1, x[i]);", count=256, blocks=8)
    assert ids(report) == [] and (y[0], y[1]) == (2048, 255)


def test_blocks_that_write_the_same_are_found(run):
    assert ids(run("y[i] = 1;", blocks=2)[0]) == ["cross.write-write"]


def test_a_copy_waits_for_what_threads_wrote(run):
    copy = "DataCopy(out[512], t, 64);"
    assert set(ids(run("t[i] = x[i];", after=copy)[0])) == {"order.raw", "late.differs"}
    report, x, y = run("t[i] = x[i];", after="SetFlag<HardEvent::V_MTE3>(0); WaitFlag<HardEvent::V_MTE3>(0); " + copy)
    assert ids(report) == [] and (y[512:576] == x[:64]).all()


@pytest.mark.parametrize(
    "body, id, text",
    [
        ("y[i + 1000] = 1;", "bounds.gm-write", "(thread 24)"),
        ("float a = x[i + 961]; if (a > 5000) y[0] = a;", "bounds.gm-read", "(thread 63)"),
        ("t[i + 64000] = 1;", "bounds.ub-write", "by thread 0 leaves UB"),
    ],
)
def test_accesses_out_of_bounds_end_the_block(run, body, id, text):
    report = run(body)[0]
    assert id in ids(report) and text in str(report.findings), report.findings


def test_an_assertion_of_a_thread_is_a_finding(run):
    report = run("assert(i < 40); y[i] = 1;")[0]
    assert ids(report) == ["kernel.assert"]


def test_threads_wait_for_memory_and_lines(run):
    """The same number of loads: of neighbours, and each from a line of its own."""
    times = {}
    for name, body in {"near": "y[i] = x[i % 512];", "far": "y[i] = x[i % 32 * 32];", "none": "if (n == 7) y[i] = 1;"}.items():
        report, _, _ = run(body, count=512, observe=asc.profile)
        times[name] = report.time_us
    assert times["none"] < times["near"] < times["far"]


def test_the_910b_has_no_threads(tmp_path):
    source = tmp_path / "threads.cpp"
    source.write_text(KERNEL.replace("BODY", "y[i] = 1;").replace("AFTER", ""))
    library = asc.load_ascendc(source)
    try:
        with asc.check() as report:
            library["threads"][1](np.zeros(1024, np.float32), np.zeros(1024, np.float32), 1024, 64)
    finally:
        library.close()
    assert "has no functions of threads" in report.findings[0]["text"]




def test_a_kernel_of_threads_needs_a_host_program():
    """Called like a kernel of instructions it would be one thread, and most of its results would be missing."""
    with pytest.raises(asc.AscendCError, match=r"gather_rows<<<blocks, threads, 0, stream>>>"):
        asc.load_ascendc(PROGRAMS / "simt_gather.asc")


FLOATS = {
    "Exp": np.exp, "Exp2": np.exp2, "Expm1": np.expm1, "Log": np.log, "Log1p": np.log1p, "Log2": np.log2, "Log10": np.log10, "Sqrt": np.sqrt,
    "Rsqrt": lambda x: 1 / np.sqrt(x), "Sin": np.sin, "Cos": np.cos, "Tan": np.tan, "Sinh": np.sinh, "Cosh": np.cosh, "Tanh": np.tanh,
    "Asin": np.arcsin, "Acos": np.arccos, "Atan": np.arctan, "Floor": np.floor, "Ceil": np.ceil, "Trunc": np.trunc, "Rint": np.rint,
    "Abs": np.abs,
}


def test_functions_of_numbers(run):
    """Forty threads for each function."""
    cases = "".join(f"case {i}: v = Simt::{name}(v); break;\n" for i, name in enumerate(FLOATS))
    _, _, y = run(f"float v = float(i % 40 + 1) / 41.0f;\nswitch (i / 40) {{\n{cases}}}\ny[i] = v;", count=40 * len(FLOATS))
    numbers = (np.arange(40, dtype=np.float32) + 1) / np.float32(41)
    for i, (name, meaning) in enumerate(FLOATS.items()):
        np.testing.assert_allclose(y[40 * i : 40 * i + 40], meaning(numbers), rtol=2e-6, atol=2e-7, err_msg=name)
