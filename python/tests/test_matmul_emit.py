"""Kernels with Matmul objects as Ascend C: objects stay objects, and the text through our headers makes the same calls."""

import numpy as np
import pytest
import torch
from test_asc_emit import road as road
from test_asc_emit import same
from test_matmul_objects import C220, WORKSPACE, batched, factors, product, tiling_of

import asc
from asc.runtime import config
from asc.runtime.config import KernelType


@pytest.fixture(autouse=True)
def platform():
    config.set_platform(config.Backend.Model, C220)


def arguments(how, turn_a=False):
    m, n, k = 100, 132, 72
    a, b = factors(m, n, k, "float16")
    tiling = tiling_of(m, n, k, "float16", 4, bias=True, set_fix_split=(32, 48, 32))
    workspace = torch.zeros(WORKSPACE + (1 << 20), dtype=torch.uint8)
    c = torch.zeros((m, n))
    return c, [a.T.contiguous() if turn_a else a, b, torch.arange(n, dtype=torch.float32), c, workspace, tiling, turn_a, False, how]


@pytest.mark.parametrize(
    "how, options, text",
    [
        ("all", {}, "matmul.IterateAll(c_gm);"),
        ("all", {"matmul_cube_only": True}, "#define ASCENDC_CUBE_ONLY"),
        ("later", {"kernel_type": KernelType.MIX_AIC_1_1}, "matmul.IterateAll<false>(c_gm, 0, false, true);"),
        ("tiles", {}, "matmul.Iterate();"),
        ("ub", {}, "matmul.GetTensorC(tile, 0, true);"),
        ("ahead", {}, "matmul.Iterate<false>();"),
    ],
)
def test_ways_to_ask(road, how, options, text):
    blocks = 4 if options.get("matmul_cube_only") else 4 if "kernel_type" in options else 2

    def launch():
        c, given = arguments(how, turn_a=how == "tiles")
        product[blocks](*given, **options)
        return [c.numpy()]

    _, given = arguments(how)
    source = product[blocks].ascendc(*given, **options)
    assert (
        text in source
        and "tiling.singleCoreM = 32;" in source
        and "REGIST_MATMUL_OBJ(&pipe, workspace, matmul, &tiling);" in source
    ), source
    same(road, launch)


def test_batches(road):
    batches, heads, m, n, k = 2, 3, 16, 32, 48
    a, b = (torch.randn((batches, heads, *shape)).half() for shape in ((m, k), (k, n)))
    tiling = tiling_of(m, n, k, "float16", 1, set_a_layout=(batches, m, heads, 1, k), set_b_layout=(batches, k, heads, 1, n),
                       set_c_layout=(batches, m, heads, 1, n))  # fmt: skip
    workspace = torch.zeros(WORKSPACE, dtype=torch.uint8)

    def launch():
        c = torch.zeros((batches, heads, m, n))
        batched[1](a, b, c, workspace, tiling, 1, batches * heads, batches * heads)
        return [c.numpy()]

    same(road, launch)


@asc.jit
def configured(a: asc.GlobalAddress, c: asc.GlobalAddress, workspace: asc.GlobalAddress, tiling: asc.adv.TCubeTiling, twice: int):
    pipe = asc.TPipe()
    half = asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, a.dtype)
    matmul = asc.adv.Matmul(half, half, half, matmul_config=asc.adv.get_mdl_config(intrinsics_limit=True, do_mte2_preload=2))
    other = asc.adv.Matmul(half, half, asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.NZ, a.dtype))
    asc.adv.register_matmul(pipe, workspace, matmul, tiling)
    tiling.base_k = 16
    other.init(tiling)
    a_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a)
    c_gm = asc.GlobalTensor()
    c_gm.set_global_buffer(c)
    if asc.get_block_idx() == 0:
        for i in range(twice):
            matmul.set_tensor_a(a_gm)
            matmul.set_tensor_b(a_gm, True)
            matmul.set_org_shape(32, 32, 32)
            matmul.set_single_shape(32, 16 * (i + 1), 32)
            matmul.iterate_all(c_gm, en_atomic=i)
        other.set_tensor_a(a_gm)
        other.set_tensor_b(a_gm)
        other.iterate_all(c_gm[1024:])
        matmul.end()


def test_configurations_and_two_objects(road):
    a, workspace = torch.randn((32, 32)).half(), torch.zeros(WORKSPACE, dtype=torch.uint8)
    tiling = tiling_of(32, 32, 32, "float16", 1)
    text = configured[1].ascendc(a, torch.zeros(2048).half(), workspace, tiling, 2)
    assert "config.doMultiDataLoad = true;" in text and "config.doMTE2Preload = static_cast<uint32_t>(2);" in text
    assert ", config> matmul;" in text and "CubeFormat::NZ" in text and "tiling1.baseK = 16;" in text, text

    def launch():
        c = torch.zeros(2048).half()
        configured[1](a, c, workspace, tiling, 2)
        return [c.numpy()]

    same(road, launch)
    exact = a.double() @ a.double()
    (c,) = launch()
    np.testing.assert_allclose(c[1024:].reshape(2, 32, 16).transpose(1, 0, 2).reshape(32, 32), exact, rtol=1e-2, atol=1e-2)
