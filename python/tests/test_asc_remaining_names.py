"""Functions and members of `asc` that other tests do not launch: each in a kernel that moves data, on both platforms, against NumPy.

At the end every name that programs need is counted: one that no launched kernel of the tests calls fails.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from test_asc_forms import launched
from test_asc_more_names import C220, C310

import asc
from asc.runtime import config
from asc.runtime.config import KernelType


@pytest.fixture(params=[C220, C310], autouse=True)
def platform(request):
    config.set_platform(config.Backend.Model, request.param)
    return request.param


# Arithmetic that changes the element type: lanes and strides are those of the wider type.


def in_form(op, form):
    @asc.jit
    def body(d, a, b, work):
        wide = max(a.dtype.sizeof(), d.dtype.sizeof())
        lanes = 256 // wide
        params = asc.BinaryRepeatParams(
            1, 1, 1, lanes * d.dtype.sizeof() // 32, lanes * a.dtype.sizeof() // 32, lanes * a.dtype.sizeof() // 32
        )
        asc.set_deq_scale(0.5)
        if form == "count":
            op(d, a, b, 2 * lanes)
        elif form == "mask":
            op(d, a, b, lanes // 2, 2, params)
        else:
            op(d, a, b, mask=[0x5555555555555555, 0x5555555555555555], repeat_times=2, repeat_params=params)

    return body


def to_bytes(x, low=-128, high=127):
    return np.clip(np.rint(x), low, high)


MIXED = [
    ("add_deq_relu", np.int32, np.float16, lambda a, b: np.maximum((a + b) * 0.5, 0)),
    ("add_relu_cast", np.float16, np.int8, lambda a, b: to_bytes(np.maximum((a + b).astype(np.float16), 0))),
    ("add_relu_cast", np.float32, np.float16, lambda a, b: np.maximum(a + b, 0)),
    ("add_relu_cast", np.int16, np.int8, lambda a, b: to_bytes(np.maximum(a + b, 0))),
    ("sub_relu_cast", np.float16, np.int8, lambda a, b: to_bytes(np.maximum((a - b).astype(np.float16), 0))),
    ("sub_relu_cast", np.float32, np.float16, lambda a, b: np.maximum(a - b, 0)),
    ("sub_relu_cast", np.int16, np.int8, lambda a, b: to_bytes(np.maximum(a - b, 0))),
    ("mul_cast", np.float16, np.int8, lambda a, b: to_bytes((a * b).astype(np.float16))),
    ("mul_cast", np.float16, np.uint8, lambda a, b: to_bytes((a * b).astype(np.float16), 0, 255)),
]


@pytest.mark.parametrize("form", ["count", "mask", "bits"])
@pytest.mark.parametrize("name,source,result,meaning", MIXED, ids=[f"{name}-{a.__name__}-{d.__name__}" for name, a, d, _ in MIXED])
def test_arithmetic_that_changes_the_type(name, source, result, meaning, form):
    draw = np.random.default_rng(len(name))
    lanes = 256 // max(np.dtype(source).itemsize, np.dtype(result).itemsize)
    x, y = (draw.integers(-9, 9, 256).astype(source) for _ in range(2))
    z = np.full(256, 3, result)
    expected = z.copy()
    lane = np.arange(2 * lanes) % lanes
    active = np.ones(2 * lanes, bool) if form == "count" else lane < lanes // 2 if form == "mask" else lane % 2 == 0
    value = meaning(x.astype(np.float32), y.astype(np.float32)).astype(result)[: 2 * lanes]
    expected[: 2 * lanes][active] = value[active]
    np.testing.assert_array_equal(launched(in_form(getattr(asc, name), form), x, y, z), expected)


# The compare register, blocks by offsets, the smallest of blocks.


@asc.jit
def register_out(d, a, b, work):
    asc.compare(a, b, asc.CMPMODE.LT, 64, asc.BinaryRepeatParams())
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.get_cmp_mask(d)


def test_the_compare_register_is_read():
    x, y = (np.random.default_rng(seed).standard_normal(64).astype(np.float32) for seed in (1, 2))
    z = np.zeros(32, np.uint8)
    found = launched(register_out, x, y, z)
    np.testing.assert_array_equal(np.unpackbits(found[:8], bitorder="little"), x < y)
    assert not found[8:].any()


@asc.jit
def chosen_by_register(d, a, b, work):
    asc.set_cmp_mask(b)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.select(d, src0=a, src1=a[64:], repeat_times=1, repeat_params=asc.BinaryRepeatParams())


def test_the_compare_register_is_written():
    x = np.random.default_rng(1).standard_normal(128).astype(np.float32)
    bits = np.random.default_rng(2).integers(0, 256, 32).astype(np.uint8)
    chosen = np.unpackbits(bits[:8], bitorder="little").astype(bool)
    found = launched(chosen_by_register, x, bits, np.zeros(64, np.float32))
    np.testing.assert_array_equal(found, np.where(chosen, x[:64], x[64:]))


@asc.jit
def scattered(d, a, b, work):
    asc.scatter(d, a, b, 32, 100)


def test_elements_are_scattered():
    """The 950 does."""
    config.set_platform(config.Backend.Model, C310)
    x = np.arange(128, dtype=np.float32)
    places = np.random.default_rng(4).permutation(400)[:128].astype(np.uint32)
    expected = np.zeros(512, np.float32)
    expected[places[:100] + 8] = x[:100]
    np.testing.assert_array_equal(launched(scattered, x, places * 4, np.zeros(512, np.float32)), expected)


@asc.jit
def blocks(d, a, b, work):
    asc.gatherb(d, a, b, 2, asc.GatherRepeatParams(1, 8))


def test_blocks_by_offsets():
    x = np.arange(512, dtype=np.float32)
    order = np.random.default_rng(3).permutation(64)[:16].astype(np.uint32)
    found = launched(blocks, x, order * 32, np.zeros(128, np.float32))
    np.testing.assert_array_equal(found.reshape(16, 8), x.reshape(64, 8)[order])


@asc.jit
def block_smallest(d, a, b, work):
    asc.block_reduce_min(d, a, 2, 256 // a.dtype.sizeof(), 1, 1, 8)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_the_smallest_of_blocks(dtype):
    x = np.random.default_rng(4).standard_normal(512 // np.dtype(dtype).itemsize).astype(dtype)
    z = np.zeros(16, dtype)
    np.testing.assert_array_equal(launched(block_smallest, x, x, z), x.reshape(16, -1).min(axis=1))


@asc.jit
def merge_until_empty(d, a, b, work):
    lists = asc.MrgSortSrcList(asc.float32, a[0:], a[64:], a[128:], a[192:])
    asc.mrg_sort(d, lists, asc.MrgSort4Info([32, 32, 32, 32], True, 15, 1))
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    first, second, third, fourth = asc.get_mrg_sort_result()
    d.set_value(248, asc.number(first, asc.float32))
    d.set_value(249, asc.number(second, asc.float32))
    d.set_value(250, asc.number(third, asc.float32))
    d.set_value(251, asc.number(fourth, asc.float32))


def test_how_much_a_merge_took():
    """The list that is empty first has the largest scores: it ends the merge."""
    scores = -np.sort(-np.random.default_rng(5).random((4, 32)).astype(np.float32))
    scores[2] += 10
    x = np.zeros((128, 2), np.float32)
    x[:, 0] = scores.reshape(-1)
    z = np.zeros(256, np.float32)
    found = launched(merge_until_empty, x.reshape(-1), x.reshape(-1), z)
    np.testing.assert_array_equal(found[248:252], [0, 0, 32, 0])
    np.testing.assert_array_equal(found[:64:2], scores[2])


@asc.jit
def sorted_apart(d, a, b, work):
    asc.static_assert(a.dtype == asc.float32, "scores are floats")
    together = asc.LocalTensor(asc.float32)
    asc.adv.concat(together, a, work, 2)
    asc.sort(work, together, b, work[256:], 2, True)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.adv.extract(d, d[64:].reinterpret_cast(asc.uint32), work, 2)


def test_scores_are_sorted_with_their_places():
    x = np.random.default_rng(8).permutation(64).astype(np.float32)
    found = launched(sorted_apart, x, np.arange(64, dtype=np.uint32), np.zeros(128, np.float32))
    np.testing.assert_array_equal(found[:64], -np.sort(-x))
    np.testing.assert_array_equal(found[64:].view(np.uint32), np.argsort(-x))


# What a core says of itself; tensors, queues and pipes about themselves. Numbers go through an array of int32.


@asc.jit
def numbers(out: asc.GlobalAddress, x: asc.GlobalAddress, body: asc.ConstExpr):
    go = asc.GlobalTensor()
    go.set_global_buffer(out)
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 128)
    d = buffer.get(asc.int32)
    asc.duplicate(d, 0, 32)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    body(d, pipe, x)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(go, d, 32)


def numbers_of(body, count, x=None):
    out = np.zeros(32, np.int32)
    with asc.check() as report:
        numbers[1](out, np.arange(64, dtype=np.float32) if x is None else x, body)
    assert not report.findings, report.findings
    return list(out[:count])


@asc.jit
def identity(d, pipe, x):
    d.set_value(0, asc.number(asc.get_sub_block_idx(), asc.int32))
    d.set_value(1, asc.number(asc.get_data_block_size_in_bytes(), asc.int32))
    first = asc.get_system_cycle()
    d.set_value(2, asc.number(asc.get_system_cycle() - first > 0, asc.int32))
    if asc.ascend_is_aiv():
        d.set_value(3, 1)
    if asc.ascend_is_aic():
        d.set_value(4, 1)
    d.set_value(5, asc.number(asc.get_sub_block_num(), asc.int32))
    d.set_value(6, asc.number(asc.get_task_ratio(), asc.int32))


def test_what_a_core_knows_of_itself():
    """A kernel that does not say its type runs on a core of both kinds."""
    assert numbers_of(identity, 7) == [0, 32, 1, 1, 1, 1, 1]


@asc.jit
def about_tensors(d, pipe, x):
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 512)
    t = buffer.get(asc.float16)
    d.set_value(0, asc.number(t.get_length(), asc.int32))
    d.set_value(1, asc.number(t.get_size(), asc.int32))
    t.set_size(100)
    d.set_value(2, asc.number(t.get_size(), asc.int32))
    t.set_buffer_len(64)
    d.set_value(3, asc.number(t.get_length(), asc.int32))
    t.set_user_tag(9)
    d.set_value(4, asc.number(t.get_user_tag(), asc.int32))
    d.set_value(5, asc.number(t.get_position(), asc.int32))
    other = asc.LocalTensor(asc.float16)
    other.set_addr_with_offset(t, 16)
    d.set_value(6, asc.number(other.get_phy_addr() - t.get_phy_addr(), asc.int32))
    t.set_shape_info(asc.ShapeInfo(asc.array(asc.uint32, [3, 5]), asc.array(asc.uint32, [7, 2]), asc.DataFormat.ND))
    shape = t.get_shape_info()
    d.set_value(7, asc.number(asc.get_shape_size(shape), asc.int32))
    d.set_value(8, asc.number(shape.shape(1), asc.int32))
    d.set_value(9, asc.number(shape.original_shape(0), asc.int32))


def test_what_tensors_know_of_themselves():
    assert numbers_of(about_tensors, 10) == [512, 256, 100, 64, 9, 11, 32, 15, 5, 7]


@asc.jit
def about_queues(d, pipe, x):
    queue = asc.TQue(asc.TPosition.VECIN, 2)
    pipe.init_buffer(queue, 2, 64)
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    d.set_value(0, asc.number(queue.has_idle_buffer(), asc.int32))
    first = queue.alloc_tensor(asc.float32)
    second = queue.alloc_tensor(asc.float32)
    d.set_value(1, asc.number(queue.has_idle_buffer(), asc.int32))
    d.set_value(2, asc.number(queue.has_tensor_in_que(), asc.int32))
    asc.data_copy(first, gx, 16)
    queue.enque(first)
    asc.data_copy(second, gx[16:], 16)
    queue.enque(second)
    d.set_value(3, asc.number(queue.get_tensor_count_in_que(), asc.int32))
    d.set_value(4, asc.number(queue.has_tensor_in_que(), asc.int32))
    d.set_value(5, asc.number(queue.vacant_in_que(), asc.int32))
    tile = queue.deque(asc.float32)
    event = pipe.alloc_event_id(asc.HardEvent.MTE2_S)
    asc.set_flag(asc.HardEvent.MTE2_S, event)
    asc.wait_flag(asc.HardEvent.MTE2_S, event)
    pipe.release_event_id(event, asc.HardEvent.MTE2_S)
    d.set_value(6, asc.number(tile.get_value(3), asc.int32))
    queue.free_tensor(tile)
    queue.free_tensor(queue.deque(asc.float32))
    queue.free_all_event()


def test_what_queues_know_of_themselves():
    assert numbers_of(about_queues, 7) == [1, 0, 0, 2, 1, 0, 3]


@asc.jit
def again(d, pipe, x):
    same = asc.get_tpipe_ptr()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    same.init_buffer(buffer, 256)
    at = asc.number(buffer.get(asc.int32).get_phy_addr() - d.get_phy_addr(), asc.int32)
    d.set_value(0, at)


def test_the_pipe_of_a_kernel():
    assert numbers_of(again, 1) == [128]


# Stores that combine, the workspace of the system, waits of the scalar unit.


@asc.jit
def combined(x: asc.GlobalAddress, out: asc.GlobalAddress, kind: asc.ConstExpr[str]):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    go = asc.GlobalTensor()
    go.set_global_buffer(out)
    t = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    asc.data_copy(t, gx, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    if kind == "max":
        asc.set_atomic_max(x.dtype)
    elif kind == "min":
        asc.set_atomic_min(x.dtype)
    else:
        asc.set_atomic_add(x.dtype)
        asc.set_atomic_type(x.dtype)
    asc.data_copy(go, t, 64)
    asc.set_atomic_none()
    asc.data_sync_barrier(asc.MemDsbT.ALL)


@pytest.mark.parametrize("kind,meaning", [("max", np.maximum), ("min", np.minimum), ("type", np.add)])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int16, np.int32])
def test_stores_that_combine(kind, meaning, dtype):
    x, before = (np.random.default_rng(seed).integers(-50, 50, 64).astype(dtype) for seed in (1, 2))
    out = before.copy()
    with asc.check() as report:
        combined[1](x, out, kind)
    assert not report.findings, report.findings
    np.testing.assert_array_equal(out, meaning(x, before))


@asc.jit
def through_workspace(x: asc.GlobalAddress, out: asc.GlobalAddress, workspace: asc.GlobalAddress):
    asc.set_sys_workspace(workspace)
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    go = asc.GlobalTensor()
    go.set_global_buffer(out)
    gw = asc.GlobalTensor()
    gw.set_global_buffer(asc.get_sys_workspace())
    t = asc.LocalTensor(asc.uint8, asc.TPosition.VECIN, 0, 64)
    for source, target in ((gx, gw), (gw, go)):
        asc.data_copy(t, source, 64)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(target, t, 64)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)


def test_the_workspace_of_the_system():
    x, out = np.arange(64, dtype=np.uint8), np.zeros(64, np.uint8)
    with asc.check() as report:
        through_workspace[1](x, out, np.zeros(4096, np.uint8))
    assert not report.findings, report.findings
    np.testing.assert_array_equal(out, x)


# Cores that wait for each other.


@asc.jit(kernel_type=KernelType.AIV_ONLY)
def neighbours(
    x: asc.GlobalAddress, middle: asc.GlobalAddress, out: asc.GlobalAddress, workspace: asc.GlobalAddress, by: asc.ConstExpr[str]
):
    """Each block stores what it has doubled, and goes on with what the block behind it stored."""
    block = asc.get_block_idx()
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x + block * 64)
    gm = asc.GlobalTensor()
    gm.set_global_buffer(middle)
    go = asc.GlobalTensor()
    go.set_global_buffer(out + block * 64)
    gw = asc.GlobalTensor()
    gw.set_global_buffer(workspace)
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 256)
    wait = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(wait, 2048)
    t = buffer.get(asc.float32)
    w = wait.get(asc.int32)
    asc.data_copy(t, gx, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.muls(t, t, 2.0, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(gm[block * 64 :], t, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    if by == "flags":
        asc.cross_core_set_flag(3, 0, asc.PipeID.PIPE_MTE3)
        asc.cross_core_wait_flag(3, 0, asc.PipeID.PIPE_MTE2)
    else:
        asc.ib_set(gw, w, block, 0)
        asc.ib_wait(gw, w, (block + 1) % asc.get_block_num(), 0)
    asc.data_copy(t, gm[(block + 1) % asc.get_block_num() * 64 :], 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(go, t, 64)


@pytest.mark.parametrize("by", ["flags", "signals"])
def test_blocks_wait_for_each_other(by):
    x = np.random.default_rng(9).standard_normal((4, 64)).astype(np.float32)
    middle, out = np.zeros_like(x), np.zeros_like(x)
    with asc.check() as report:
        neighbours[4](x, middle, out, np.zeros(4096, np.int32), by)
    assert not report.findings, report.findings
    np.testing.assert_array_equal(out, 2 * np.roll(x, -1, axis=0))


@asc.jit
def trapped(x: asc.GlobalAddress):
    asc.trap()


def test_trap_is_a_finding():
    with pytest.raises(asc.KernelError, match="trap"):
        trapped[1](np.zeros(8, np.float32))


# The cube core of the 910B: turned fractals, and a scale that was set.


@asc.jit(kernel_type=KernelType.AIC_ONLY)
def turned(a: asc.GlobalAddress, b: asc.GlobalAddress, out: asc.GlobalAddress):
    """half(0.5 * a * b) of bytes; the fractals of b are turned on their way to L0B."""
    a_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a)
    b_gm = asc.GlobalTensor()
    b_gm.set_global_buffer(b)
    o_gm = asc.GlobalTensor()
    o_gm.set_global_buffer(out)
    a1 = asc.LocalTensor(asc.int8, asc.TPosition.A1, 0, 512)
    b1 = asc.LocalTensor(asc.int8, asc.TPosition.B1, 1024, 1024)
    a2 = asc.LocalTensor(asc.int8, asc.TPosition.A2, 0, 512)
    b2 = asc.LocalTensor(asc.int8, asc.TPosition.B2, 0, 1024)
    c = asc.LocalTensor(asc.int32, asc.TPosition.CO1, 0, 512)
    asc.data_copy(a1, a_gm, 512)
    asc.data_copy(b1, b_gm, 1024)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.load_data(a2, a1, asc.LoadData2DParams(0, 1, 1, 0, 0, False, 0))
    asc.load_data_with_transpose(b2, b1, asc.LoadData2dTransposeParams(0, 1, 1, 0, 0, 0))
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.mmad(c, a2, b2, asc.MmadParams(16, 32, 32))
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.set_fix_pipe_pre_quant_flag(0x3F000000)
    asc.fixpipe(o_gm, c, asc.FixpipeParamsV220(32, 16, 16, 32, asc.QuantModes.DEQF16))


def test_turned_fractals_and_a_scale_that_was_set():
    config.set_platform(config.Backend.Model, C220)
    draw = np.random.default_rng(6)
    a, b = draw.integers(-9, 9, (16, 32)).astype(np.int8), draw.integers(-9, 9, (32, 32)).astype(np.int8)
    out = np.zeros((16, 32), np.float16)
    with asc.check() as report:
        turned[1](a, b, out)
    assert not report.findings, report.findings
    np.testing.assert_array_equal(out, ((a.astype(np.int32) @ b) * 0.5).astype(np.float16))


# What programs need of the language: functions of asc, of asc.adv, and members. A launched kernel of these tests or of kernels/asc
# calls each. (Of functions of the library test_library_asc.py and test_library_functions.py launch every one of its table.)

FUNCTIONS = """add sub mul max min div bitwise_and bitwise_or add_relu sub_relu fused_mul_add fused_mul_add_relu mul_add_dst
add_deq_relu add_relu_cast sub_relu_cast mul_cast adds muls maxs mins leaky_relu shift_left shift_right abs reciprocal exp ln sqrt
rsqrt relu bitwise_not axpy duplicate brcb cast cast_deq set_deq_scale compare compare_scalar get_cmp_mask set_cmp_mask select gather
gatherb gather_mask get_gather_mask_remain_count scatter block_reduce_sum block_reduce_max block_reduce_min pair_reduce_sum
repeat_reduce_sum whole_reduce_sum whole_reduce_max whole_reduce_min reduce_sum reduce_max reduce_min transpose trans_data_to_5hd
sort32 mrg_sort sort get_mrg_sort_result get_sort_len get_sort_offset data_copy data_copy_pad copy set_pad_value load_data
load_data_with_transpose mmad init_const_value fixpipe set_fix_pipe_pre_quant_flag set_hf32_mode set_flag wait_flag pipe_barrier
data_sync_barrier cross_core_set_flag cross_core_wait_flag sync_all ib_set ib_wait notify_next_block wait_pre_block get_block_idx
get_block_num get_sub_block_idx get_sub_block_num get_task_ratio get_data_block_size_in_bytes get_system_cycle trap ascend_is_aic
ascend_is_aiv get_sys_workspace set_sys_workspace set_mask_count set_mask_norm reset_mask set_vector_mask set_atomic_add
set_atomic_none set_atomic_max set_atomic_min set_atomic_type printf dump_tensor number static_range ceildiv static_assert property
array LocalMemAllocator get_shape_size LocalTensorAuto MrgSortSrcList TPipe TQue TQueBind TBuf TBufPool get_tpipe_ptr GlobalTensor
LocalTensor ShapeInfo concat extract softmax rmsnorm quant get_mdl_config Matmul MatmulType register_matmul""".split()
MEMBERS = """set_global_buffer get_value set_value get_phy_addr get_size get_shape_info set_shape_info get_length set_buffer_len
get_position get_user_tag set_user_tag reinterpret_cast set_addr_with_offset set_size init_buffer alloc_event_id fetch_event_id
release_event_id init_buf_pool alloc_tensor enque deque free_tensor free_all_event has_tensor_in_que get_tensor_count_in_que
has_idle_buffer vacant_in_que get get_with_offset end set_tensor_a set_tensor_b set_bias set_tail set_org_shape
iterate get_tensor_c iterate_all wait_iterate_all iterate_batch set_workspace set_hf32 set_quant_scalar set_quant_vector get_cur_addr
alloc reset original_shape shape""".split()


def test_every_name_is_called_in_a_launched_kernel(capsys):
    root = Path(__file__).resolve().parents[2]
    files = [*root.glob("kernels/asc/*.py"), *root.glob("python/tests/test_asc_*.py"), *root.glob("python/tests/test_library*.py"),
             root / "python/tests/test_matmul_objects.py", root / "python/tests/library_calls.py"]  # fmt: skip
    files = [file for file in files if file not in (Path(__file__), root / "python/tests/test_asc_calls.py")]
    text = Path(__file__).read_text().split("\nFUNCTIONS = ")[0] + "".join(file.read_text() for file in files)
    missing = [name for name in FUNCTIONS if not re.search(rf"asc\.(adv\.)?{name}\b|[\"']{name}[\"']", text)]
    missing += [name for name in MEMBERS if not re.search(rf"\.{name}\(", text)]
    with capsys.disabled():
        print(f" {len(FUNCTIONS) + len(MEMBERS) - len(missing)} of {len(FUNCTIONS) + len(MEMBERS)} names", end="")
    assert not missing, missing
