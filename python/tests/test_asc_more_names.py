"""Functions of `asc` that are not element by element: each form in a launched kernel on both platforms, against NumPy.

`on_core` brings three arrays into UB, runs a body given as a constant, and brings the third one back.
"""

import numpy as np
import pytest

import asc
from asc.runtime import config

C220, C310 = "Ascend910B1", "Ascend950PR_9599"


@pytest.fixture(params=[C220, C310], autouse=True)
def platform(request):
    config.set_platform(config.Backend.Model, request.param)
    return request.param


@asc.jit
def on_core(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, sizes: asc.ConstExpr, body: asc.ConstExpr):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gy = asc.GlobalTensor()
    gy.set_global_buffer(y)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    memory = asc.LocalMemAllocator()
    a = memory.alloc(asc.TPosition.VECIN, x.dtype, sizes[0])
    b = memory.alloc(asc.TPosition.VECIN, y.dtype, sizes[1])
    d = memory.alloc(asc.TPosition.VECOUT, z.dtype, sizes[2])
    work = memory.alloc(asc.TPosition.VECCALC, asc.float32, 1024)
    asc.data_copy(a, gx, sizes[0])
    asc.data_copy(b, gy, sizes[1])
    asc.data_copy(d, gz, sizes[2])
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    body(d, a, b, work)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(gz, d, sizes[2])


def run(body, x, y, z):
    before = z.copy()
    with asc.check() as report:
        on_core[1](x, y, z, sizes=(x.size, y.size, z.size), body=body)
    assert not report.findings, report.findings
    return before


def random(count, dtype=np.float32, seed=1):
    return np.random.default_rng(seed).standard_normal(count).astype(dtype)


FLOATS = pytest.mark.parametrize("dtype", [np.float16, np.float32])


# Reductions.


@asc.jit
def whole_sum(d, a, b, work):
    asc.whole_reduce_sum(d, a, 64, 4, 1, 1, 8 if a.dtype == asc.float32 else 4)


@asc.jit
def whole_max(d, a, b, work):
    asc.whole_reduce_max(d, a, mask=64, repeat_time=4, dst_rep_stride=1, src_blk_stride=1, src_rep_stride=8 if a.dtype == asc.float32 else 4,
                         order=asc.ReduceOrder.ORDER_ONLY_VALUE)


@asc.jit
def whole_min_index(d, a, b, work):
    asc.whole_reduce_min(d, a, 64, 4, 1, 1, 8 if a.dtype == asc.float32 else 4)


@asc.jit
def repeat_sum(d, a, b, work):
    asc.repeat_reduce_sum(d, a, repeat_time=4, mask=64, dst_blk_stride=1, src_blk_stride=1, dst_rep_stride=1,
                          src_rep_stride=8 if a.dtype == asc.float32 else 4)


@FLOATS
def test_reductions_of_repeats(dtype):
    x = random(256, dtype)
    rows = x.reshape(4, 64)
    exact = rows.astype(np.float64)
    for body in (whole_sum, repeat_sum):
        z = np.zeros(32, dtype)
        run(body, x, x, z)
        np.testing.assert_allclose(z[:4], exact.sum(1), rtol=2e-2 if dtype == np.float16 else 1e-5, atol=2e-2)
    z = np.zeros(32, dtype)
    run(whole_max, x, x, z)
    np.testing.assert_array_equal(z[:4], rows.max(1))
    z = np.zeros(32, dtype)
    run(whole_min_index, x, x, z)
    np.testing.assert_array_equal(z[:8:2], rows.min(1))
    index = z[1:8:2].view(np.uint16 if dtype == np.float16 else np.uint32)
    np.testing.assert_array_equal(index, rows.argmin(1))


@asc.jit
def block_sum(d, a, b, work):
    lanes = 256 // a.dtype.sizeof()
    asc.block_reduce_sum(d, a, 2, lanes, 1, 1, 8)


@asc.jit
def block_max(d, a, b, work):
    asc.block_reduce_max(d, a, repeat=2, mask=256 // a.dtype.sizeof(), dst_rep_stride=1, src_blk_stride=1, src_rep_stride=8)


@asc.jit
def pair_sum(d, a, b, work):
    asc.pair_reduce_sum(d, a, 2, 256 // a.dtype.sizeof(), 1, 1, 8)


@FLOATS
def test_reductions_of_blocks_and_pairs(dtype):
    size = np.dtype(dtype).itemsize
    x = random(2 * 256 // size, dtype)
    for body, width, reduce in ((block_sum, 32 // size, np.sum), (block_max, 32 // size, np.max), (pair_sum, 2, np.sum)):
        groups = x.reshape(-1, width).astype(np.float64)
        z = np.zeros(512 // size, dtype)
        run(body, x, x, z)
        np.testing.assert_allclose(z[: len(groups)], reduce(groups, axis=1), rtol=5e-3 if size == 2 else 1e-5, atol=1e-2 if size == 2 else 1e-5)


@asc.jit
def sum_count(d, a, b, work):
    asc.reduce_sum(d, a, work.reinterpret_cast(a.dtype), 200)


@asc.jit
def sum_mask(d, a, b, work):
    asc.reduce_sum(d, a, work.reinterpret_cast(a.dtype), mask=32, repeat_time=3, src_rep_stride=8)


@asc.jit
def max_index(d, a, b, work):
    asc.reduce_max(d, a, work.reinterpret_cast(a.dtype), 200, cal_index=True)


@asc.jit
def min_mask(d, a, b, work):
    asc.reduce_min(d, a, work.reinterpret_cast(a.dtype), mask=32, repeat_time=3, src_rep_stride=8)


@FLOATS
def test_reductions_of_all(dtype):
    x = random(512, dtype)
    lanes = 256 // x.itemsize
    chosen = x[: 3 * lanes].reshape(3, lanes)[:, :32]
    tolerance = dict(rtol=2e-2, atol=5e-2) if dtype == np.float16 else dict(rtol=1e-5, atol=1e-5)
    for body, expected in ((sum_count, x[:200].astype(np.float64).sum()), (sum_mask, chosen.astype(np.float64).sum()), (min_mask, chosen.min())):
        z = np.zeros(16, dtype)
        run(body, x, x, z)
        np.testing.assert_allclose(z[0], expected, err_msg=body.__name__, **tolerance)
    z = np.zeros(16, dtype)
    run(max_index, x, x, z)
    assert z[0] == x[:200].max() and z[1:2].view(np.uint16 if dtype == np.float16 else np.uint32)[0] == x[:200].argmax()


# Comparisons and choices.


@asc.jit
def compared(d, a, b, work):
    asc.compare(d, a, b, asc.CMPMODE.GE, 128)


@asc.jit
def compared_scalar(d, a, b, work):
    asc.compare_scalar(d, a, 0.25, asc.CMPMODE.LT, 128)


@FLOATS
def test_comparisons_are_bits(dtype):
    x, y = random(128, dtype), random(128, dtype, 2)
    for body, expected in ((compared, x >= y), (compared_scalar, x < dtype(0.25))):
        z = np.zeros(32, np.uint8)
        run(body, x, y, z)
        np.testing.assert_array_equal(np.unpackbits(z[:16], bitorder="little").astype(bool), expected)


@asc.jit
def selected(d, a, b, work):
    bits = work.reinterpret_cast(asc.uint8)
    asc.compare(bits, a, b, asc.CMPMODE.LT, 128)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.select(d, bits, a, b, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, 128)


@asc.jit
def selected_scalar(d, a, b, work):
    bits = work.reinterpret_cast(asc.uint8)
    asc.compare_scalar(bits, a, 0, asc.CMPMODE.GT, 128)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.select(d, bits, a, 0.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, count=128)


@asc.jit
def selected_again(d, a, b, work):
    bits = work.reinterpret_cast(asc.uint8)
    asc.compare(bits, a, b, asc.CMPMODE.LT, 128)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.select(d, bits, a, b, asc.SelMode.VSEL_CMPMASK_SPR, 128)


@FLOATS
def test_selections(dtype):
    x, y = random(128, dtype), random(128, dtype, 2)
    lanes = 256 // x.itemsize
    first = np.tile((x < y)[:lanes], 128 // lanes)
    for body, expected in ((selected, np.minimum(x, y)), (selected_scalar, np.maximum(x, dtype(0))), (selected_again, np.where(first, x, y))):
        z = np.zeros(128, dtype)
        run(body, x, y, z)
        np.testing.assert_array_equal(z, expected, err_msg=body.__name__)


# Conversions.


@asc.jit
def cast_rint(d, a, b, work):
    asc.cast(d, a, asc.RoundMode.CAST_RINT, 64)


@asc.jit
def cast_floor(d, a, b, work):
    asc.cast(d, a, asc.RoundMode.CAST_FLOOR, mask=64, repeat_times=1, repeat_params=asc.UnaryRepeatParams(1, 1, 8, 8))


@asc.jit
def cast_trunc(d, a, b, work):
    asc.cast(d, a, asc.RoundMode.CAST_TRUNC, count=64)


@asc.jit
def cast_exact(d, a, b, work):
    asc.cast(d, a, asc.RoundMode.CAST_NONE, 64)


@pytest.mark.parametrize("source,target,body,meaning", [
    (np.float32, np.int32, cast_rint, np.rint), (np.float32, np.int32, cast_floor, np.floor), (np.float32, np.int16, cast_trunc, np.trunc),
    (np.float16, np.int32, cast_rint, np.rint), (np.float16, np.int16, cast_floor, np.floor), (np.float16, np.float32, cast_exact, np.positive),
    (np.float32, np.float16, cast_rint, np.positive), (np.int32, np.float32, cast_exact, np.positive), (np.int16, np.float16, cast_exact, np.positive),
    (np.float16, np.int8, cast_trunc, np.trunc), (np.int8, np.float16, cast_exact, np.positive), (np.uint8, np.float16, cast_exact, np.positive),
])
def test_casts(source, target, body, meaning):
    x = (random(64, np.float32) * 20).astype(source) if np.dtype(source).kind != "u" else np.arange(64, dtype=source)
    z = np.zeros(64, target)
    run(body, x, x, z)
    np.testing.assert_array_equal(z, meaning(x).astype(target))


# Filling, spreading, collecting.


@asc.jit
def filled(d, a, b, work):
    asc.duplicate(d, 3, 64)
    asc.duplicate(d[64:], 5, mask=16, repeat_times=1, dst_block_stride=1, dst_repeat_stride=8)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int16, np.int32, np.uint32])
def test_duplicate(dtype):
    z = np.zeros(192, dtype)
    run(filled, z, z, z)
    np.testing.assert_array_equal(z, np.repeat(np.array([3, 5, 0], dtype), [64, 16, 112]))


@asc.jit
def spread(d, a, b, work):
    asc.brcb(d, a, 2, asc.BrcbRepeatParams(1, 8))


@FLOATS
def test_brcb(dtype):
    x = random(16, dtype)
    width = 32 // x.itemsize
    z = np.zeros(16 * width, dtype)
    run(spread, x, x, z)
    np.testing.assert_array_equal(z, np.repeat(x, width))


@asc.jit
def gathered(d, a, b, work):
    asc.gather(d, a, b, 0, 64)


@asc.jit
def gathered_repeats(d, a, b, work):
    asc.gather(d, a, src_offset=b, src_base=0, mask=64, repeat_times=1, dst_rep_stride=8)


@FLOATS
def test_gather(dtype):
    x = random(128, dtype)
    order = np.random.default_rng(3).permutation(128)[:64]
    for body in (gathered, gathered_repeats):
        z = np.zeros(64, dtype)
        run(body, x, (order * x.itemsize).astype(np.uint32), z)
        np.testing.assert_array_equal(z, x[order])


@asc.jit
def copied(d, a, b, work):
    asc.copy(d, a, mask=32, repeat_time=2, repeat_params=asc.CopyRepeatParams(1, 1, 8, 8))
    asc.data_copy(d[128:], a, 64)
    asc.data_copy(d[192:], a, asc.DataCopyParams(2, 4, 4, 4))


def test_copies_inside_ub():
    x = random(128)
    z = np.zeros(320, np.float32)
    run(copied, x, x, z)
    expected = np.zeros(320, np.float32)
    expected[:32], expected[64:96] = x[:32], x[64:96]
    expected[128:192] = x[:64]
    expected[192:224], expected[256:288] = x[:32], x[64:96]
    np.testing.assert_array_equal(z, expected)


@asc.jit
def transposed(d, a, b, work):
    asc.transpose(d, a)


@asc.jit
def transposed_rows(d, a, b, work):
    to = [d[0:], d[16:], d[32:], d[48:], d[64:], d[80:], d[96:], d[112:], d[128:], d[144:], d[160:], d[176:], d[192:], d[208:], d[224:], d[240:]]
    rows = [a[0:], a[16:], a[32:], a[48:], a[64:], a[80:], a[96:], a[112:], a[128:], a[144:], a[160:], a[176:], a[192:], a[208:], a[224:], a[240:]]
    asc.trans_data_to_5hd(to, rows, asc.TransDataTo5HDParams(False, False, 1, 0, 0))


@pytest.mark.parametrize("body", [transposed, transposed_rows], ids=["transpose", "trans_data_to_5hd"])
def test_transpose(body):
    x, z = random(256, np.float16), np.zeros(256, np.float16)
    run(body, x, x, z)
    np.testing.assert_array_equal(z.reshape(16, 16), x.reshape(16, 16).T)


@asc.jit
def sorted_squares(d, a, b, work):
    asc.sort32(d, a, b, 2)


def test_sort32():
    x, z = random(64), np.zeros(128, np.float32)
    run(sorted_squares, x, np.arange(64, dtype=np.uint32), z)
    np.testing.assert_array_equal(z[::2].reshape(2, 32), -np.sort(-x.reshape(2, 32)))


@asc.jit
def merged(d, a, b, work):
    lists = asc.MrgSortSrcList(a[0:], a[64:], a[128:], a[192:])
    asc.mrg_sort(d, lists, asc.MrgSort4Info([32, 32, 32, 32], False, 15, 1))


@asc.jit
def merged_by_arguments(d, a, b, work):
    lists = asc.MrgSortSrcList(a[0:], a[64:], a[128:], a[192:])
    taken = asc.array(asc.uint32, 4)
    asc.mrg_sort(d, lists, [32, 32, 32, 32], taken, 15, 1)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    d.set_value(1, asc.number(taken[2], asc.float32))


def test_merges_of_sorted_lists():
    scores = -np.sort(-random(128).reshape(4, 32))
    x = np.zeros((128, 2), np.float32)
    x[:, 0] = scores.reshape(-1)
    for body in (merged, merged_by_arguments):
        z = np.zeros(256, np.float32)
        run(body, x.reshape(-1), x.reshape(-1), z)
        np.testing.assert_array_equal(z[::2], -np.sort(-scores.reshape(-1)))
        assert body is merged or z[1] == 32


@asc.jit
def converted(d, a, b, work):
    asc.add_relu_cast(d, a, b, 64)


def test_additions_that_convert():
    x, y = np.floor(random(64, np.float32) * 9).astype(np.float16), np.floor(random(64, np.float32, 2) * 9).astype(np.float16)
    z = np.zeros(64, np.int8)
    run(converted, x, y, z)
    np.testing.assert_array_equal(z, np.maximum(x + y, 0).astype(np.int8))


@asc.jit
def scaled_cast(d, a, b, work):
    asc.set_deq_scale(0.5)
    asc.cast(d, a, asc.RoundMode.CAST_NONE, 64)


def test_a_cast_by_the_scale_that_was_set(platform):
    if platform == C310:  # which has no cast from int32 to half
        return
    x, z = np.arange(-32, 32, dtype=np.int32), np.zeros(64, np.float16)
    run(scaled_cast, x, x, z)
    np.testing.assert_array_equal(z, (x * 0.5).astype(np.float16))


@asc.jit
def library(d, a, b, work):
    asc.adv.exp(d, a, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.adv.log(d, d)


def test_functions_of_the_library_that_are_instructions():
    x, z = random(64), np.zeros(64, np.float32)
    run(library, x, x, z)
    np.testing.assert_allclose(z, x, rtol=1e-5, atol=1e-6)
