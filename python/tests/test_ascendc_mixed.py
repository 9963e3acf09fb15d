"""Kernels whose blocks have cube and vector cores (kernels/ascendc): right, clean, the same however late instructions run, timed;
and every flag between their cores is needed: a mutant without it, with it twice, or with another one in its place is found."""

import re

import _tilesmith
import asc
import numpy as np
import pytest

import ascendc
from test_ascendc_kernels import C220, C310, run_clean

FOLDER = ascendc.ROOT / "kernels/ascendc"


def halves(shape, seed):
    """Small multiples of 1/8, so that products and their sums are exact in float32."""
    return (np.random.default_rng(seed).integers(-16, 17, shape) / 8).astype(np.float16)


class Matmul:
    """What a kernel of the library is given and what it must give."""

    def __init__(self, rows=192, n=64, k=32, blocks=2):
        self.rows, self.n, self.k, self.blocks = rows, n, k, blocks
        self.a, self.b = halves((rows, k), 1), halves((k, n), 2)
        self.c = np.zeros((rows, n), np.float32)
        self.product = self.a.astype(np.float32) @ self.b.astype(np.float32)


class MatmulAdd(Matmul):
    source, kernel, platforms = "matmul_add.cpp", "matmul_add", [C220, C310]

    def launch(self, kernel):
        self.d = halves((self.rows, self.n), 3).astype(np.float32)
        workspace = np.zeros((self.blocks, 2, 16, self.n), np.float32)
        kernel[self.blocks](self.a, self.b, self.d, self.c, workspace, self.rows, self.n, self.k)

    def is_right(self):
        return np.array_equal(self.c, self.product + self.d)


class MatmulGelu(Matmul):
    source, kernel, platforms = "matmul_gelu.cpp", "matmul_gelu", [C310]

    def launch(self, kernel):
        kernel[self.blocks](self.a, self.b, self.c, self.rows, self.n, self.k)

    def is_right(self):
        x = self.product.astype(np.float64)
        with np.errstate(over="ignore"):
            return np.allclose(self.c, x / (1 + np.exp(-1.5957691 * (x + 0.044715 * x**3))), rtol=1e-5, atol=1e-6)


class DequantMatmul(Matmul):
    source, kernel, platforms = "dequant_matmul.cpp", "dequant_matmul", [C220, C310]

    def __init__(self, rows=32, n=768, k=32, blocks=2):
        super().__init__(rows, n, k, blocks)
        self.w = np.random.default_rng(4).integers(-20, 21, (k, n)).astype(np.int8)
        self.scale = (2.0 ** np.random.default_rng(5).integers(-4, 2, n)).astype(np.float16)

    def launch(self, kernel):
        workspace = np.zeros((self.blocks, 2, self.k, 64), np.float16)
        kernel[self.blocks](self.a, self.w, self.scale, self.c, workspace, self.rows, self.n, self.k)

    def is_right(self):
        weights = self.w.astype(np.float32) * self.scale.astype(np.float32)
        return np.array_equal(self.c, self.a.astype(np.float32) @ weights)


class RingMatmul(Matmul):
    source, kernel, platforms = "ring_matmul.cpp", "ring_matmul", [C220, C310]

    def launch(self, kernel):
        ring = np.zeros((self.blocks, 4, 16, self.k), np.float16)
        kernel[self.blocks](self.a, self.b, self.c, ring, self.rows, self.n, self.k)

    def is_right(self):
        return np.array_equal(self.c, np.maximum(self.a, 0).astype(np.float32) @ self.b.astype(np.float32))


KERNELS = [MatmulAdd, MatmulGelu, DequantMatmul, RingMatmul]
ON_PLATFORMS = [(kernel, platform) for kernel in KERNELS for platform in kernel.platforms]
each_kernel = pytest.mark.parametrize("what, platform", ON_PLATFORMS, ids=lambda value: getattr(value, "kernel", value))


@pytest.fixture
def on(platform):
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(platform)
    yield
    _tilesmith.set_platform(before)


@each_kernel
@pytest.mark.parametrize("compiler", ascendc.COMPILERS)
def test_results_are_right_and_clean_however_late(on, what, platform, compiler):
    kernel = ascendc.load(FOLDER / what.source, compiler)[what.kernel]
    case = what()
    run_clean(lambda: case.launch(kernel), case.c)
    assert case.is_right()


@each_kernel
def test_blocks_and_waves(on, what, platform):
    """One block, some, and more than the chip has cube cores for; the last tiles are not for everybody."""
    kernel = ascendc.load(FOLDER / what.source)[what.kernel]
    cubes = 24 if platform == C220 else 36
    for blocks, tiles in ((1, 1), (3, 7), (cubes + 5, cubes + 9)):
        case = what(32, 64 * tiles, 32, blocks) if what is DequantMatmul else what(16 * tiles, 64, 32, blocks)
        with asc.check() as report:
            case.launch(kernel)
        assert not report.findings and case.is_right()


@each_kernel
def test_time_is_told_by_kind_of_core(on, what, platform):
    kernel = ascendc.load(FOLDER / what.source)[what.kernel]
    cycles = set()
    for _ in range(2):
        case = what()
        with asc.profile() as profile:
            case.launch(kernel)
        cycles.add(profile.cycles)
        pipes = profile.launches[0].pipes
        assert pipes["AIC M"] > 0 and pipes["AIV MTE3"] > 0 and not {"AIC V", "AIV M", "V", "M"} & set(pipes)
    assert len(cycles) == 1


def test_a_mixed_kernel_overlaps_its_cores():
    """The vector cores work on one tile while the cube core makes the next: both together take less than one after the other."""
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(C220)
    try:
        kernel = ascendc.load(FOLDER / "matmul_add.cpp")["matmul_add"]
        case = MatmulAdd(rows=16 * 40, blocks=1)
        with asc.profile() as profile:
            case.launch(kernel)
        launch = profile.launches[0]
        assert launch.core_cycles < 3 * launch.cycles and sum(launch.pipes.values()) > 1
    finally:
        _tilesmith.set_platform(before)


# Mutants.

FLAG = re.compile(r"^( *)CrossCore(Set|Wait)Flag(<[^>]*>)?\((FULL|FREE)(.*)\);$", re.MULTILINE)


def mutants(text):
    """[(description, source)]: each flag left out, twice, and the other one in its place."""
    for match in FLAG.finditer(text):
        indent, what, options, flag, rest = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        call = f"CrossCore{what}Flag{options or ''}"
        other = "FREE" if flag == "FULL" else "FULL"
        for how, new in (("removed", ""), ("doubled", match.group() + "\n" + match.group()), ("swapped", f"{indent}{call}({other}{rest});")):
            yield f"line {line} {call}({flag}{rest}) {how}", text[:match.start()] + new + text[match.end():]


def library_of_mutants(what):
    """All mutants of a kernel in one source, each in a namespace of its own."""
    text = (FOLDER / what.source).read_text()
    head, body = text.split("using namespace AscendC;\n", 1)
    descriptions, parts = [], [head, "using namespace AscendC;\n"]
    for number, (description, mutant) in enumerate(mutants(body)):
        descriptions.append(description)
        parts.append(f"namespace mutant{number} {{\n" + re.sub(rf"\b{what.kernel}\(", f"{what.kernel}_{number}(", mutant) + "}\n")
    names = [f"{what.kernel}_{number}" for number in range(len(descriptions))]
    for name, number in zip(names, range(len(names))):
        parts.append(f"using mutant{number}::{name};\n")
    return descriptions, names, ascendc.load("".join(parts))


@pytest.mark.parametrize("what", KERNELS, ids=lambda what: what.kernel)
def test_every_flag_between_cores_is_needed(what):
    """A finding, a deadlock (which is one), or other bytes in late mode."""
    before = _tilesmith.current_platform()
    descriptions, names, kernels = library_of_mutants(what)
    assert len(names) >= 12
    survivors = []
    try:
        for platform in what.platforms:
            _tilesmith.set_platform(platform)
            for description, name in zip(descriptions, names):
                case = what()
                with asc.check() as report:
                    case.launch(kernels[name])
                found = bool(report.findings)
                for late in ("consumers", "producers"):
                    if not found:
                        case = what()
                        with asc.launch_mode(late=late):
                            case.launch(kernels[name])
                        found = not case.is_right()
                if not found:
                    survivors.append(f"{platform}: {description}")
    finally:
        _tilesmith.set_platform(before)
    assert not survivors, "\n".join(survivors)


# What cores are, and what they have.

IDENTITY = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ %s void who(GM_ADDR out) {
  %s
  __gm__ int32_t *row = (__gm__ int32_t *)out + 16 * (g_coreType == AscendC::AIC ? GetBlockIdx() : 8 + GetBlockIdx());
  row[0] = 1;
  if ASCEND_IS_AIC { row[1] = 1; }
  if ASCEND_IS_AIV { row[2] = 1; }
  row[3] = GetBlockNum();
  row[4] = GetSubBlockIdx();
  row[5] = GetSubBlockNum();
  row[6] = GetTaskRation();
}
"""


@pytest.mark.parametrize("attribute, statement, aic, aiv", [
    ("", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);", 1, 2), ("__mix__(1, 2)", "", 1, 2), ("__mix__(1, 1)", "", 1, 1),
    ("", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);", 1, 1), ("", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);", 1, 0),
    ("__cube__", "", 1, 0), ("__vector__", "", 0, 1), ("", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);", 0, 1)])
def test_each_core_runs_the_body_once_and_knows_its_place(attribute, statement, aic, aiv):
    out = np.zeros((16, 16), np.int32)
    ascendc.load(IDENTITY % (attribute, statement))["who"][2](out)
    expected = np.zeros_like(out)
    for block in range(2 * aic):
        expected[block, :7] = 1, 1, 0, 2, 0, 1, 1
    for block in range(2 * aiv):
        expected[8 + block, :7] = 1, 0, 1, 2, block % aiv, aiv, aiv
    assert np.array_equal(out, expected)


def test_a_core_of_the_other_kind_is_named():
    source = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void wrong(GM_ADDR x) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 256);
  Duplicate(buf.Get<float>(), 1.0f, 64);
}
"""
    with asc.check() as report:
        ascendc.load(source)["wrong"][1](np.zeros(64, np.float32))
    assert [(finding["id"], finding["text"], finding["core"]) for finding in report.findings] == [
        ("core.no-unit", "duplicate needs a vector core (AIV); AIC of block 0 is a cube core (AIC)", "AIC")]
    assert "note: in kernel 'wrong', block 0, AIC" in report.findings[0]["rendered"]


def test_a_deadlock_names_core_and_flag():
    source = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void stuck(GM_ADDR x) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  if ASCEND_IS_AIV {
    if (GetSubBlockIdx() == 1) { CrossCoreWaitFlag(7); }
  }
}
"""
    with asc.check() as report:
        ascendc.load(source)["stuck"][2](np.zeros(64, np.float32))
    assert [(finding["id"], finding["text"], finding["count"]) for finding in report.findings] == [
        ("deadlock.cross-wait", "AIV 1 of block 0 waits on S for cross-core flag 7, which nothing sets any more", 2)]


def test_ub_to_l1_and_back_through_the_matrix_unit():
    """The vector cores put halves of A into L1 of the cube core; without the flag the checker names the bytes."""
    source = """
#include "kernel_operator.h"
using namespace AscendC;
template <bool waits> __aicore__ inline void run(GM_ADDR a, GM_ADDR c) {
  GlobalTensor<half> aGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  LocalTensor<half> a1(TPosition::A1, 0, 512);
  if ASCEND_IS_AIV {
    int32_t sub = GetSubBlockIdx();
    LocalTensor<half> x(TPosition::VECIN, 0, 256), y(TPosition::VECOUT, 512, 256);
    DataCopy(x, aGm[sub * 16], DataCopyParams(16, 1, 1, 0));
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Muls(y, x, half(2.0f), 256);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a1[sub * 256], y, 256);
    CrossCoreSetFlag<4, PIPE_MTE3>(5);
  }
  if ASCEND_IS_AIC {
    LocalTensor<half> a2(TPosition::A2, 0, 512), b2(TPosition::B2, 0, 512);
    LocalTensor<float> c1(TPosition::CO1, 0, 256);
    if (waits) {
      CrossCoreWaitFlag<4, PIPE_MTE1>(5);
      CrossCoreWaitFlag<4, PIPE_MTE1>(16 + 5);
    }
    LoadData(a2, a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
    LoadData(b2, a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(c1, a2, b2, MmadParams(16, 16, 32, 0, false, true));
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    Fixpipe(cGm, c1, FixpipeParamsV220(16, 16, 16, 16, false));
  }
}
extern "C" __global__ __aicore__ __mix__(1, 2) void ordered(GM_ADDR a, GM_ADDR c) { run<true>(a, c); }
extern "C" __global__ __aicore__ __mix__(1, 2) void unordered(GM_ADDR a, GM_ADDR c) { run<false>(a, c); }
"""
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(C310)
    try:
        kernels = ascendc.load(source)
        a, c = halves((16, 32), 1), np.zeros((16, 16), np.float32)
        run_clean(lambda: kernels["ordered"][1](a, c), c)
        twice = 2 * a.astype(np.float32)
        assert np.array_equal(c, twice @ twice.T)
        with asc.check() as report:
            kernels["unordered"][1](a, c)
        texts = [finding["text"] for finding in report.findings if finding["id"] == "cross.read-write"]
        assert texts[0] == "AIC of block 0 reads L1 [512, 1024) of AIC of block 0 while AIV 1 of block 0 writes it"
    finally:
        _tilesmith.set_platform(before)
