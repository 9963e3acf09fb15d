"""Matmul objects of the asc language: every way to ask for a product, against NumPy, observed and late; and what is refused."""

import itertools
import os
import random

import numpy as np
import pytest
import torch

import asc
from asc.lib import host
from asc.runtime import config
from asc.runtime.config import KernelType

C220, C310 = "Ascend910B1", "Ascend950PR_9599"
BOTH = pytest.mark.parametrize("platform", [C220, C310])
TYPES = {
    "float16": (torch.float16, host.DataType.DT_FLOAT16, 2e-3),
    "bfloat16": (torch.bfloat16, host.DataType.DT_BF16, 2e-2),
    "float32": (torch.float32, host.DataType.DT_FLOAT, 1e-5),
    "int8": (torch.int8, host.DataType.DT_INT8, 0),
}
WORKSPACE = 16 << 20
LONG = bool(os.environ.get("TILESMITH_LONG"))


@asc.jit
def product(
    a: asc.GlobalAddress, b: asc.GlobalAddress, bias: asc.GlobalAddress, c: asc.GlobalAddress, workspace: asc.GlobalAddress,
    tiling: asc.adv.TCubeTiling, turn_a: asc.ConstExpr[bool], turn_b: asc.ConstExpr[bool], how: asc.ConstExpr[str],
):  # fmt: skip
    to_ub = how == "ub" or how == "ahead"
    pipe = asc.TPipe()
    matmul = asc.adv.Matmul(
        asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, a.dtype, turn_a),
        asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, b.dtype, turn_b),
        asc.adv.MatmulType(asc.TPosition.VECCALC if to_ub else asc.TPosition.GM, asc.CubeFormat.ND, c.dtype),
        asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, bias.dtype),
    )
    asc.adv.register_matmul(pipe, workspace, matmul, tiling)
    if asc.get_block_idx() < tiling.used_core_num:
        along_m = asc.ceildiv(tiling.m, tiling.single_core_m)
        row = asc.get_block_idx() % along_m * tiling.single_core_m
        column = asc.get_block_idx() // along_m * tiling.single_core_n
        a_gm = asc.GlobalTensor()
        a_gm.set_global_buffer(a + (row if turn_a else row * tiling.k_a))
        b_gm = asc.GlobalTensor()
        b_gm.set_global_buffer(b + (column * tiling.k_b if turn_b else column))
        c_gm = asc.GlobalTensor()
        c_gm.set_global_buffer(c + (row * tiling.n + column))
        rows = min(tiling.m - row, tiling.single_core_m)
        columns = min(tiling.n - column, tiling.single_core_n)
        matmul.set_tail(rows, columns)
        matmul.set_tensor_a(a_gm, turn_a)
        matmul.set_tensor_b(b_gm, turn_b)
        if tiling.is_bias:
            bias_gm = asc.GlobalTensor()
            bias_gm.set_global_buffer(bias + column)
            matmul.set_bias(bias_gm)
        if how == "all":
            matmul.iterate_all(c_gm)
        elif how == "later":
            matmul.iterate_all(c_gm, sync=False, wait_iterate_all=True)
            matmul.wait_iterate_all()
        elif how == "tiles":
            with matmul.iterate():
                matmul.get_tensor_c(c_gm)
        else:
            if how == "ahead":
                ahead = (tiling.single_core_m + tiling.base_m) * (tiling.single_core_n + tiling.base_n) * c.dtype.sizeof()
                matmul.set_workspace(workspace + (WORKSPACE + asc.get_block_idx() * ahead))
            buffer = asc.TBuf(asc.TPosition.VECCALC)
            pipe.init_buffer(buffer, tiling.base_m * tiling.base_n * c.dtype.sizeof())
            tile = buffer.get(c.dtype)
            tiles_m = asc.ceildiv(rows, tiling.base_m)
            tiles_n = asc.ceildiv(columns, tiling.base_n)
            with matmul.iterate(sync=how != "ahead") as i:
                matmul.get_tensor_c(tile, en_sequential_write=True, sync=how != "ahead")
                top = (i // tiles_n if tiling.iterate_order else i % tiles_m) * tiling.base_m
                left = (i % tiles_n if tiling.iterate_order else i // tiles_m) * tiling.base_n
                size = c.dtype.sizeof()
                width = min(columns - left, tiling.base_n)
                asc.set_flag(asc.HardEvent.V_MTE3)
                asc.wait_flag(asc.HardEvent.V_MTE3)
                asc.data_copy_pad(
                    c_gm[top * tiling.n + left :], tile,
                    asc.DataCopyExtParams(min(rows - top, tiling.base_m), width * size, (tiling.base_n - asc.ceildiv(width * size, 32) * 32 // size) * size // 32,
                                          (tiling.n - width) * size, 0),
                )  # fmt: skip
                asc.set_flag(asc.HardEvent.MTE3_V)
                asc.wait_flag(asc.HardEvent.MTE3_V)
        matmul.end()


def tiling_of(m, n, k, dtype, cores, bias=False, **settings):
    tiler = host.MultiCoreMatmulTiling()
    tiler.set_dim(cores)
    for setter in (tiler.set_a_type, tiler.set_b_type):
        setter(host.TPosition.GM, host.CubeFormat.ND, TYPES[dtype][1])
    tiler.set_shape(m, n, k)
    tiler.set_org_shape(m, n, k)
    tiler.enable_bias(bias)
    for name, values in settings.items():
        getattr(tiler, name)(*values)
    tiling = host.TCubeTiling()
    assert tiler.get_tiling(tiling) == 0
    return tiling


def factors(m, n, k, dtype, seed=1):
    draw = torch.Generator().manual_seed(seed)
    if dtype == "int8":
        return [torch.randint(-20, 20, shape, generator=draw, dtype=torch.int8) for shape in ((m, k), (k, n))]
    return [torch.randn(shape, generator=draw).to(TYPES[dtype][0]) for shape in ((m, k), (k, n))]


def launch_observed(launch, *outputs):
    """No findings, and the same bytes however late instructions run."""
    with asc.check() as report:
        launch()
    assert not report.findings, "\n".join(finding["rendered"] for finding in report.findings)
    expected = [output.clone() for output in outputs]
    for late in ("consumers", "producers"):
        for output in outputs:
            output.zero_()
        with asc.launch_mode(late=late):
            launch()
        for output, wanted in zip(outputs, expected):
            assert torch.equal(output, wanted), late


def run(
    platform,
    m,
    n,
    k,
    dtype,
    how="all",
    cores=2,
    turn_a=False,
    turn_b=False,
    bias=False,
    cube_only=False,
    kernel_type=None,
    **settings,
):
    config.set_platform(config.Backend.Model, platform)
    tiling = tiling_of(m, n, k, dtype, cores, bias, **settings)
    a, b = factors(m, n, k, dtype)
    whole = torch.int32 if dtype == "int8" else torch.float32
    row = torch.arange(n, dtype=whole) if bias else torch.zeros(16, dtype=whole)
    c, workspace = torch.zeros((m, n), dtype=whole), torch.zeros(WORKSPACE + (1 << 20), dtype=torch.uint8)
    given = [a.T.contiguous() if turn_a else a, b.T.contiguous() if turn_b else b, row, c, workspace, tiling, turn_a, turn_b, how]
    options = {"matmul_cube_only": cube_only} | ({"kernel_type": kernel_type} if kernel_type else {})
    per_block = 1 if cube_only or kernel_type == KernelType.MIX_AIC_1_1 else 2
    blocks = max(-(-tiling.used_core_num // per_block), 1)
    launch_observed(lambda: product[blocks](*given, **options), c)
    exact = a.double() @ b.double() + (row.double() if bias else 0)
    torch.testing.assert_close(c.double(), exact, rtol=1e-5, atol=1e-4)


@BOTH
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("turn_a, turn_b", list(itertools.product((False, True), repeat=2)))
def test_types_and_turned_factors(platform, dtype, turn_a, turn_b):
    run(platform, 48, 80, 96, dtype, turn_a=turn_a, turn_b=turn_b, cube_only=True)


@BOTH
@pytest.mark.parametrize("how", ["all", "later", "tiles", "ub", "ahead"])
@pytest.mark.parametrize("kernel_type", [None, KernelType.MIX_AIC_1_1])
def test_ways_to_ask(platform, how, kernel_type):
    run(platform, 100, 132, 72, "float16", how=how, cores=4, bias=True, kernel_type=kernel_type, set_fix_split=(32, 48, 32))


@BOTH
def test_any_size(platform):
    draw = random.Random(11)
    for case in range(120 if LONG else 6):
        m, n, k = (draw.randint(1, most) for most in (200, 300, 400))
        dtype, how = draw.choice(list(TYPES)), draw.choice(["all", "tiles", "ub"])
        cube_only = how != "ub" and draw.random() < 0.5
        split = [draw.choice([-1, 16, 32, 64]) for _ in range(3)]
        run(platform, m, n, k, dtype, how=how, cores=draw.choice([1, 2, 3, 8]), turn_a=draw.random() < 0.5, turn_b=draw.random() < 0.5,
            bias=draw.random() < 0.5, cube_only=cube_only, set_fix_split=split, set_traverse=(draw.choice([0, 1, 2]),))  # fmt: skip


@asc.jit
def placed(
    a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, workspace: asc.GlobalAddress, tiling: asc.adv.TCubeTiling,
    fractals: asc.ConstExpr[bool], in_ub: asc.ConstExpr[bool], atomic: asc.ConstExpr[int], scale: asc.ConstExpr[int],
    scales: asc.GlobalAddress, by_columns: asc.ConstExpr[bool], hf32: asc.ConstExpr[bool],
):  # fmt: skip
    """One core, factors in fractals or in UB, results in rows or fractals."""
    layout = asc.CubeFormat.NZ if fractals else asc.CubeFormat.ND
    where = asc.TPosition.VECIN if in_ub else asc.TPosition.GM
    pipe = asc.TPipe()
    matmul = asc.adv.Matmul(
        asc.adv.MatmulType(where, layout, a.dtype), asc.adv.MatmulType(where, layout, b.dtype),
        asc.adv.MatmulType(asc.TPosition.GM, layout, c.dtype),
    )  # fmt: skip
    asc.adv.register_matmul(pipe, workspace, matmul, tiling)
    if asc.get_block_idx() == 0:
        a_gm = asc.GlobalTensor()
        a_gm.set_global_buffer(a)
        b_gm = asc.GlobalTensor()
        b_gm.set_global_buffer(b)
        c_gm = asc.GlobalTensor()
        c_gm.set_global_buffer(c)
        if scale:
            matmul.set_quant_scalar(scale)
        if by_columns:
            s_gm = asc.GlobalTensor()
            s_gm.set_global_buffer(scales)
            matmul.set_quant_vector(s_gm)
        matmul.set_hf32(hf32)
        if in_ub:
            left = asc.TQue(asc.TPosition.VECIN, 1)
            right = asc.TQue(asc.TPosition.VECIN, 1)
            pipe.init_buffer(left, 1, tiling.m * tiling.k_a * a.dtype.sizeof())
            pipe.init_buffer(right, 1, tiling.k_b * tiling.n * b.dtype.sizeof())
            tile = left.alloc_tensor(a.dtype)
            asc.data_copy(tile, a_gm, tiling.m * tiling.k_a)
            left.enque(tile)
            a_ub = left.deque(a.dtype)
            tile = right.alloc_tensor(b.dtype)
            asc.data_copy(tile, b_gm, tiling.k_b * tiling.n)
            right.enque(tile)
            b_ub = right.deque(b.dtype)
            matmul.set_tensor_a(a_ub)
            matmul.set_tensor_b(b_ub)
            matmul.iterate_all(c_gm, atomic)
            left.free_tensor(a_ub)
            right.free_tensor(b_ub)
        else:
            matmul.set_tensor_a(a_gm)
            matmul.set_tensor_b(b_gm)
            matmul.iterate_all(c_gm, atomic)
        matmul.end()


def in_fractals(matrix):
    """Columns of 32 bytes (of 4-byte results 64), one row after another."""
    rows, columns = matrix.shape
    width = 16 if matrix.element_size() >= 2 and matrix.dtype != torch.float32 else 8
    return matrix.reshape(rows, columns // width, width).transpose(0, 1).contiguous()


def run_placed(
    platform,
    dtype="float16",
    result=torch.float32,
    fractals=False,
    in_ub=False,
    atomic=0,
    scale=0.0,
    start=0,
    scales=None,
    hf32=False,
    **settings,
):
    config.set_platform(config.Backend.Model, platform)
    m, n, k = 64, 48, 32
    tiling = tiling_of(m, n, k, dtype, 1, **settings)
    a, b = factors(m, n, k, dtype)
    c = torch.full((m, n), start, dtype=result)
    workspace = torch.zeros(WORKSPACE, dtype=torch.uint8)
    bits = int(np.float32(scale).view(np.uint32))
    given = [
        in_fractals(a) if fractals else a,
        in_fractals(b) if fractals else b,
        c,
        workspace,
        tiling,
        fractals,
        in_ub,
        atomic,
        bits,
        np.zeros(4, np.uint64) if scales is None else scales.view(np.uint32).astype(np.uint64),
        scales is not None,
        hf32,
    ]
    with asc.check() as report:
        placed[1](*given)
    assert not report.findings, "\n".join(finding["rendered"] for finding in report.findings)
    exact = a.double() @ b.double()
    return (c.reshape(n // 16, m, 16).transpose(0, 1).reshape(m, n) if fractals else c), exact


@BOTH
@pytest.mark.parametrize("in_ub", [False, True])
@pytest.mark.parametrize("fractals", [False, True])
def test_where_factors_lie(platform, fractals, in_ub):
    c, exact = run_placed(platform, fractals=fractals, in_ub=in_ub, set_fix_split=(32, 32, 16))
    torch.testing.assert_close(c.double(), exact, rtol=1e-5, atol=1e-4)


@BOTH
@pytest.mark.parametrize("result", [torch.float16, torch.bfloat16])
def test_results_are_rounded(platform, result):
    c, exact = run_placed(platform, result=result)
    torch.testing.assert_close(c.double(), exact.to(result).double(), rtol=1e-2, atol=1e-2)


@BOTH
def test_results_with_a_scale(platform):
    c, exact = run_placed(platform, dtype="int8", result=torch.float16, scale=0.25)
    torch.testing.assert_close(c.double(), (exact * 0.25).half().double(), rtol=1e-3, atol=0.5)


@BOTH
def test_results_with_scales_of_columns(platform):
    """Tiles of 32 columns: each takes its own part of the scales."""
    scales = (np.arange(48) / 16 + 0.125).astype(np.float32)
    c, exact = run_placed(platform, dtype="int8", result=torch.float16, scales=scales, set_fix_split=(32, 32, 32))
    torch.testing.assert_close(c.double(), (exact * torch.from_numpy(scales).double()).half().double(), rtol=0, atol=0)


@BOTH
def test_factors_in_fewer_bits(platform):
    whole, exact = run_placed(platform, dtype="float32")
    c, exact = run_placed(platform, dtype="float32", hf32=True)
    assert 1e-5 < (c.double() - exact).abs().max() < 3e-2 and (whole.double() - exact).abs().max() < 1e-4


@BOTH
def test_results_are_added(platform):
    c, exact = run_placed(platform, atomic=1, start=100)
    torch.testing.assert_close(c.double(), exact + 100, rtol=1e-5, atol=1e-3)


@asc.jit
def batched(
    a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, workspace: asc.GlobalAddress, tiling: asc.adv.TCubeTiling,
    layout: asc.ConstExpr[int], batch_a: asc.ConstExpr[int], batch_b: asc.ConstExpr[int],
):  # fmt: skip
    pipe = asc.TPipe()
    nd = asc.CubeFormat.ND
    matmul = asc.adv.Matmul(
        asc.adv.MatmulType(asc.TPosition.GM, nd, a.dtype, False, layout), asc.adv.MatmulType(asc.TPosition.GM, nd, b.dtype, False, layout),
        asc.adv.MatmulType(asc.TPosition.GM, nd, c.dtype, False, layout),
    )  # fmt: skip
    asc.adv.register_matmul(pipe, workspace, matmul, tiling)
    if asc.get_block_idx() == 0:
        a_gm = asc.GlobalTensor()
        a_gm.set_global_buffer(a)
        b_gm = asc.GlobalTensor()
        b_gm.set_global_buffer(b)
        c_gm = asc.GlobalTensor()
        c_gm.set_global_buffer(c)
        matmul.set_tensor_a(a_gm)
        matmul.set_tensor_b(b_gm)
        matmul.iterate_batch(c_gm, batch_a, batch_b, False)
        matmul.end()


@BOTH
@pytest.mark.parametrize("layout, order", [(1, "bngsd"), (2, "bsngd"), (3, "sbngd"), (4, "bngsd")])
def test_batches(platform, layout, order):
    """Batches of two products with four heads; the right factor is shared by pairs of heads."""
    config.set_platform(config.Backend.Model, platform)
    batches, heads, groups, m, n, k = 2, 2, 2, 16, 32, 48
    draw = torch.Generator().manual_seed(3)
    a = torch.randn((batches, heads, groups, m, k), generator=draw).half()
    b = torch.randn((batches, heads, 1, k, n), generator=draw).half()
    exact = a.double() @ b.double()
    moved = tuple("bngsd".index(axis) for axis in order)
    c = torch.zeros([exact.shape[axis] for axis in moved])
    tiling = tiling_of(
        m, n, k, "float16", 1, set_a_layout=(batches, m, heads, groups, k), set_b_layout=(batches, k, heads, 1, n),
        set_c_layout=(batches, m, heads, groups, n),
    )  # fmt: skip
    workspace = torch.zeros(WORKSPACE, dtype=torch.uint8)
    given = [
        a.permute(moved).contiguous(),
        b.permute(moved).contiguous(),
        c,
        workspace,
        tiling,
        layout,
        batches * heads * groups,
        batches * heads,
    ]
    launch_observed(lambda: batched[1](*given), c)
    torch.testing.assert_close(c.permute([order.index(axis) for axis in "bngsd"]).double(), exact, rtol=1e-5, atol=1e-4)


@asc.jit
def refused(a: asc.GlobalAddress, workspace: asc.GlobalAddress, tiling: asc.adv.TCubeTiling, what: asc.ConstExpr[str]):
    pipe = asc.TPipe()
    half = asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, a.dtype)
    matmul = asc.adv.Matmul(
        half,
        half,
        half,
        matmul_config=asc.adv.MatmulConfig(is_partial_output=True) if what == "config" else asc.adv.get_mdl_config(),
    )
    asc.adv.register_matmul(pipe, workspace, matmul, tiling)
    a_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a)
    matmul.set_tensor_a(a_gm)
    matmul.set_tensor_b(a_gm)
    if what == "no tile":
        matmul.get_tensor_c(a_gm)


@pytest.mark.parametrize(
    "what, text",
    [
        ("config", "a matrix object with MatmulConfig::isPartialOutput"),
        ("no tile", "GetTensorC without a tile"),
    ],
)
def test_what_is_not_modelled_is_a_finding(what, text):
    config.set_platform(config.Backend.Model, C220)
    a, workspace = torch.zeros((16, 16), dtype=torch.float16), torch.zeros(WORKSPACE, dtype=torch.uint8)
    with pytest.raises(asc.KernelError, match=text):
        refused[1](a, workspace, tiling_of(16, 16, 16, "float16", 1), what)


def test_a_tiling_nobody_filled_is_a_finding():
    config.set_platform(config.Backend.Model, C220)
    a, workspace = torch.zeros((16, 16), dtype=torch.float16), torch.zeros(WORKSPACE, dtype=torch.uint8)
    with pytest.raises(asc.KernelError, match="nothing has filled it"):
        refused[1](a, workspace, host.TCubeTiling(), "")


def test_a_kernel_changes_its_copy_of_a_struct():
    @asc.jit(matmul_cube_only=True)
    def halves(out: asc.GlobalAddress, tiling: asc.adv.TCubeTiling):
        out_gm = asc.GlobalTensor()
        out_gm.set_global_buffer(out)
        if out_gm.get_value(0) == 0:
            tiling.m = tiling.m // 2
        tiling.share_l1_size = asc.property(asc.TOTAL_L1_SIZE)
        out_gm.set_value(1, tiling.m)
        out_gm.set_value(2, tiling.share_l1_size)

    config.set_platform(config.Backend.Model, C220)
    tiling, out = host.TCubeTiling(m=64), np.zeros(16, np.int32)
    halves[1](out, tiling)
    assert out[1:3].tolist() == [32, 512 * 1024] and tiling.m == 64


@asc.jit(matmul_cube_only=True)
def begun_later(
    a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, workspace: asc.GlobalAddress, tiling: asc.adv.TCubeTiling
):
    """The tiling comes after the object; a part of the rows is computed, with a bias that is taken back."""
    pipe = asc.TPipe()
    row = asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, c.dtype)
    half = asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, a.dtype)
    matmul = asc.adv.Matmul(half, half, row, row)
    asc.adv.register_matmul(pipe, workspace, matmul)
    matmul.init(tiling)
    a_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a)
    b_gm = asc.GlobalTensor()
    b_gm.set_global_buffer(b)
    c_gm = asc.GlobalTensor()
    c_gm.set_global_buffer(c)
    matmul.set_tensor_a(a_gm)
    matmul.set_tensor_b(b_gm)
    matmul.set_bias(c_gm)
    matmul.disable_bias()
    matmul.set_single_shape(24, 48, 32)
    matmul.iterate_all(c_gm)
    matmul.end()


def test_a_tiling_that_comes_later():
    config.set_platform(config.Backend.Model, C220)
    a, b = factors(64, 48, 32, "float16")
    c = torch.full((64, 48), 7.0)
    with asc.check() as report:
        begun_later[1](a, b, c, torch.zeros(WORKSPACE, dtype=torch.uint8), tiling_of(64, 48, 32, "float16", 1))
    assert not report.findings, report.findings
    torch.testing.assert_close(c[:24].double(), a[:24].double() @ b.double(), rtol=1e-5, atol=1e-4)
    assert (c[24:] == 7).all()
