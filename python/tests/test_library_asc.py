"""Functions of rows of the library in asc, and what is wrong with calls of it: texts and places."""

import _tilesmith
import numpy as np
import pytest

import asc
from asc.codegen.errors import CodegenError
from asc.language.adv import RmsNormTiling, SoftmaxTiling

pytestmark = pytest.mark.filterwarnings("ignore:kernel .* has no effect:SyntaxWarning")

C220, C310 = "Ascend910B1", "Ascend950PR_9599"


@pytest.fixture(autouse=True, params=[C220, C310])
def platform(request):
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(request.param)
    yield request.param
    _tilesmith.set_platform(before)


@asc.jit
def softmax_rows(
    x: asc.GlobalAddress,
    y: asc.GlobalAddress,
    s: asc.GlobalAddress,
    m: asc.GlobalAddress,
    tiling: SoftmaxTiling,
    n: asc.ConstExpr[int],
    rows: asc.ConstExpr[int],
    has_work: asc.ConstExpr[bool],
):
    pipe = asc.TPipe()
    per_row = 32 // x.dtype.sizeof()
    data, result, sums, largest, work = (asc.TBuf(asc.TPosition.VECCALC), asc.TBuf(asc.TPosition.VECCALC),
                                         asc.TBuf(asc.TPosition.VECCALC), asc.TBuf(asc.TPosition.VECCALC),
                                         asc.TBuf(asc.TPosition.VECCALC))  # fmt: skip
    pipe.init_buffer(data, n * x.dtype.sizeof())
    pipe.init_buffer(result, n * x.dtype.sizeof())
    pipe.init_buffer(sums, rows * 32)
    pipe.init_buffer(largest, rows * 32)
    pipe.init_buffer(work, 32768)
    a = data.get(x.dtype)
    b = result.get(x.dtype)
    c = sums.get(x.dtype)
    d = largest.get(x.dtype)
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x)
    asc.data_copy(a, gm, n)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    if has_work:
        asc.adv.softmax(b, c, d, a, tiling, work.get(asc.uint8))
    else:
        asc.adv.softmax(b, c, d, a, tiling)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    gm.set_global_buffer(y)
    asc.data_copy(gm, b, n)
    gm.set_global_buffer(s)
    asc.data_copy(gm, c, rows * per_row)
    gm.set_global_buffer(m)
    asc.data_copy(gm, d, rows * per_row)


@pytest.mark.parametrize("has_work", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_softmax(dtype, has_work):
    rows, columns = 19, 96
    x = np.random.default_rng(3).standard_normal((rows, columns)).astype(dtype)
    y, block = np.zeros_like(x), 32 // x.itemsize
    sums, largest = np.zeros((rows, block), dtype), np.zeros((rows, block), dtype)
    with asc.check() as report:
        softmax_rows[1](x, y, sums, largest, SoftmaxTiling(src_m=rows, src_k=columns), x.size, rows, has_work)
    assert not report.findings, report.findings[0]["rendered"]
    exact = x.astype(np.float64)
    power = np.exp(exact - exact.max(1)[:, None])
    tolerance = 1e-6 if dtype == np.float32 else 1e-3
    np.testing.assert_allclose(y, power / power.sum(1)[:, None], tolerance, tolerance)
    np.testing.assert_allclose(sums, np.repeat(power.sum(1)[:, None], block, 1), tolerance)
    np.testing.assert_array_equal(largest, np.repeat(x.max(1)[:, None], block, 1))


@asc.jit
def rms_norm_rows(
    x: asc.GlobalAddress,
    g: asc.GlobalAddress,
    y: asc.GlobalAddress,
    tiling: RmsNormTiling,
    n: asc.ConstExpr[int],
    columns: asc.ConstExpr[int],
):
    memory = asc.LocalMemAllocator()
    a = memory.alloc(asc.TPosition.VECIN, x.dtype, n)
    c = memory.alloc(asc.TPosition.VECIN, x.dtype, columns)
    b = memory.alloc(asc.TPosition.VECOUT, x.dtype, n)
    work = memory.alloc(asc.TPosition.VECCALC, asc.uint8, 65536)
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x)
    asc.data_copy(a, gm, n)
    gm.set_global_buffer(g)
    asc.data_copy(c, gm, columns)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adv.rmsnorm(b, a, c, 0.5, tiling, temp_buffer=work)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    gm.set_global_buffer(y)
    asc.data_copy(gm, b, n)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_rms_norm(dtype):
    rows, columns = 21, 128
    rng = np.random.default_rng(4)
    x, gamma = rng.standard_normal((rows, columns)).astype(dtype), rng.standard_normal(columns).astype(dtype)
    y = np.zeros_like(x)
    tiling = RmsNormTiling(b_length=3, s_length=7, h_length=columns, original_h_length=columns)
    with asc.check() as report:
        rms_norm_rows[1](x, gamma, y, tiling, x.size, columns)
    assert not report.findings, report.findings[0]["rendered"]
    exact = x.astype(np.float64)
    exact = exact / np.sqrt((exact**2).mean(1) + 0.5)[:, None] * gamma.astype(np.float64)
    tolerance = 1e-6 if dtype == np.float32 else 1e-3
    np.testing.assert_allclose(y, exact, tolerance, tolerance)


@asc.jit
def with_little_work(x: asc.GlobalAddress, n: asc.ConstExpr[int]):
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, n)
    work = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 8192, 512)
    asc.duplicate(a, 1.0, n)
    asc.adv.erf(a, a, n, work)


def test_a_temporary_buffer_that_is_too_small_is_a_finding_on_the_910b(platform):
    """The 950 computes in registers and needs none."""
    with asc.check() as report:
        with_little_work[1](np.zeros(256, np.float32), 256)
    texts = [finding["text"] for finding in report.findings]
    needs = "Erf needs 1056 bytes for intermediate results; the temporary buffer has 512"
    assert texts == ([needs] if platform == C220 else [])


@asc.jit
def of_integers(x: asc.GlobalAddress, n: asc.ConstExpr[int]):
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, n)
    asc.duplicate(a, 1, n)
    asc.adv.tanh(a, a, n)


def test_an_element_type_a_function_does_not_take():
    with asc.check() as report:
        of_integers[1](np.zeros(256, np.int32), 256)
    assert [finding["text"] for finding in report.findings] == ["Tanh takes F16, F32, not I32"]


@asc.jit
def of_a_number(x: asc.GlobalAddress, n: asc.ConstExpr[int]):
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, n)
    asc.adv.tanh(a, 3, n)


def test_a_call_that_is_none():
    with pytest.raises(CodegenError, match="asc.adv.tanh takes tensors in UB, and numbers where its signature says so"):
        of_a_number[1](np.zeros(256, np.float32), 256)


@asc.jit
def automatic(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int, tile: asc.ConstExpr[int]):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x, n)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z, n)
    for i in range(n // tile):
        a = asc.LocalTensorAuto(x.dtype, [tile])
        b = asc.LocalTensorAuto(x.dtype, [tile])
        c = asc.LocalTensorAuto(x.dtype, [tile])
        work = asc.LocalTensorAuto(asc.uint8, [16384])
        asc.data_copy(a, gx[i * tile :], tile)
        asc.adv.tanh(b, a, tile, work)
        asc.adds(b, b, 1.0, tile)
        asc.adv.sigmoid(c, b, tile, work)
        asc.data_copy(gz[i * tile :], c, tile)


@pytest.mark.parametrize("tile", [256, 14336])
def test_tensors_the_compiler_places_are_ordered_around_the_library(tile):
    """With the long tile they must share bytes: the planner knows that a call reads and writes them."""
    x = np.random.default_rng(5).standard_normal(2 * 14336).astype(np.float32)
    z = np.zeros_like(x)
    with asc.check() as report:
        automatic[1](x, z, x.size, tile)
    assert not report.findings, report.findings[0]["rendered"]
    np.testing.assert_allclose(z, 1 / (1 + np.exp(-1 - np.tanh(x.astype(np.float64)))), 1e-6)
