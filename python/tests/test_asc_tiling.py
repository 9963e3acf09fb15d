"""Tilings of matrix products keep inside the memories of the chip, whatever the sizes."""

import random

import pytest

from asc.lib import host

BYTES = {host.DataType.DT_FLOAT16: 2, host.DataType.DT_FLOAT: 4, host.DataType.DT_INT8: 1, host.DataType.DT_BF16: 2}


def tiling_of(kind, m, n, k, dtype=host.DataType.DT_FLOAT16, **settings):
    one = kind(host.PlatformAscendCManager.get_instance("Ascend910B1"))
    for setter in (one.set_a_type, one.set_b_type):
        assert setter(host.TPosition.GM, host.CubeFormat.ND, dtype) == 0
    assert one.set_c_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT) == 0
    assert one.set_org_shape(m, n, k) == 0 and one.set_shape(m, n, k) == 0 and one.set_buffer_space(-1, -1, -1) == 0
    for name, values in settings.items():
        getattr(one, name)(*values)
    result = host.TCubeTiling()
    return one, result, one.get_tiling(result)


def check(one, dtype, dim, k):
    size = BYTES[dtype]
    assert one.used_core_num == -(-one.m // one.single_core_m) * -(-one.n // one.single_core_n) <= dim
    assert one.single_core_k == k
    assert one.base_m % 16 == one.base_n % 16 == one.base_k % (32 // size) == 0
    assert one.base_m * one.base_n * 4 * one.db_l0c <= 128 * 1024
    assert one.base_m * one.base_k * size * one.db_l0a <= 64 * 1024
    assert one.base_n * one.base_k * size * one.db_l0b <= 64 * 1024
    assert one.depth_a1 % (one.step_m * one.step_k_a) == 0 and one.depth_b1 % (one.step_n * one.step_k_b) == 0
    assert (one.depth_a1 * one.base_m + one.depth_b1 * one.base_n) * one.base_k * size <= 512 * 1024


def test_any_size_on_any_number_of_cores():
    draw = random.Random(7)
    for _ in range(400):
        m, n, k, dim = (draw.randint(1, most) for most in (5000, 5000, 8000, 48))
        dtype = draw.choice(list(BYTES))
        _, result, status = tiling_of(host.MultiCoreMatmulTiling, m, n, k, dtype, set_dim=(dim,))
        assert status == 0
        check(result, dtype, dim, k)


def test_what_is_set_is_kept():
    one, result, status = tiling_of(
        host.MatmulApiTiling, 1024, 640, 256, set_fix_split=(256, 128, -1), set_traverse=(host.MatrixTraverse.FIRSTN,),
        enable_bias=(True,), set_a_layout=(1, 2, 3, 4, 5), set_batch_num=(3,),
    )  # fmt: skip
    assert status == 0 and (one.get_base_m(), one.get_base_n()) == (256, 128)
    assert (result.m, result.n, result.k_a, result.k_b) == (1024, 640, 256, 256) and result.used_core_num == 1
    assert result.iterate_order == 1 and result.is_bias == 1 and result.batch_num == 3
    assert (result.a_layout_info_b, result.a_layout_info_d) == (1, 5)


def test_parts_of_cores():
    one, result, _ = tiling_of(host.MultiCoreMatmulTiling, 512, 1024, 512, set_dim=(48,))
    cores, along_m, along_n = one.get_core_num()
    assert cores == along_m * along_n == result.used_core_num
    assert one.get_single_shape() == (result.single_core_m, result.single_core_n, 512)
    assert one.enable_multi_core_split_k(True) is None and one.set_matmul_config_params(1) is None


@pytest.mark.parametrize(
    "settings", [{"set_fix_split": (512, 512, -1)}, {"set_buffer_space": (1024, -1, -1)}, {"set_fix_split": (128, 128, 4096)}]
)
def test_what_cannot_fit_is_minus_one(settings):
    assert tiling_of(host.MatmulApiTiling, 2048, 2048, 8192, **settings)[2] == -1


def test_a_tiling_without_sizes():
    assert host.MatmulApiTiling().get_tiling(host.TCubeTiling()) == -1


def test_batches_bring_a_shape():
    one = host.BatchMatmulTiling()
    assert one.set_batch_info_for_normal(4, 2, 32, 64, 48) == 0 and one.set_batch_num(2) == 0
    result = host.TCubeTiling()
    assert one.get_tiling(result) == 0
    assert (result.m, result.n, result.k_a, result.batch_m, result.batch_n, result.batch_num) == (32, 64, 48, 4, 2, 2)


@pytest.mark.parametrize(
    "first", [("set_single_shape", 512, -1, -1), ("set_single_range", 8, 8, 8, 1, 1, 1), ("set_align_split", 0, 0, 0)]
)
def test_parts_of_nothing(first):
    """Asked before there is a shape: the process lives, and there is no tiling."""
    one = host.MultiCoreMatmulTiling()
    one.set_dim(8)
    getattr(one, first[0])(*first[1:])
    assert one.get_core_num() == (1, 1, 1) and one.get_tiling(host.TCubeTiling()) == -1


def test_sizes_no_tiling_can_hold():
    one = host.MultiCoreMatmulTiling()
    assert one.set_shape(16, 1 << 40, 16) == -1 and one.get_tiling(host.TCubeTiling()) == -1
