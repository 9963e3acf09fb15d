"""Kernels of the `asc` language, launched on both platforms: tensors, queues, flags, masks, records, control flow, what is refused."""

import re
from contextlib import contextmanager

import warnings

import numpy as np
import pytest

import asc
import asc2
from asc.codegen.errors import CodegenError
from asc.language.core.struct import Field, Struct, StructField
from asc.runtime import config

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]


@pytest.fixture(params=PLATFORMS, autouse=True)
def platform(request):
    config.set_platform(config.Backend.Model, request.param)
    return request.param


@contextmanager
def clean():
    """Launches without a finding, however late their instructions run."""
    with asc.check() as report:
        yield
    assert not report.findings, "\n".join(finding["rendered"] for finding in report.findings)


def random(count, dtype=np.float32, seed=1):
    return np.random.default_rng(seed).random(count).astype(dtype)


@asc.jit
def add_with_flags(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int, tile: asc.ConstExpr[int]):
    base = asc.get_block_idx() * length
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x + base)
    gy = asc.GlobalTensor()
    gy.set_global_buffer(y + base, length)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z + base, length)
    size = x.dtype.sizeof()
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, tile)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, tile * size, tile)
    c = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 2 * tile * size, tile)
    for i in range(length // tile):
        asc.data_copy(a, gx[i * tile :], tile)
        asc.data_copy(b, gy[i * tile], count=tile)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.add(c, a, b, tile)
        asc.set_flag(asc.HardEvent.V_MTE3)
        asc.wait_flag(asc.HardEvent.V_MTE3)
        asc.data_copy(gz[i * tile :], c, tile)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int32])
def test_add_with_flags(dtype):
    x, y = (random(4096, np.float32, seed).astype(np.float32) * 100 for seed in (1, 2))
    x, y, z = x.astype(dtype), y.astype(dtype), np.zeros(4096, dtype)
    with clean():
        add_with_flags[4](x, y, z, 1024, tile=128)
    np.testing.assert_array_equal(z, x + y)


def test_a_missing_wait_is_found():
    """A kernel whose author forgot a wait is wrong on the chip, whatever its results are here."""
    kernel = re.sub(r" +asc.wait_flag\(asc.HardEvent.V_MTE3\)\n", "", add_with_flags.source)
    assert kernel != add_with_flags.source
    names = {"asc": asc}
    exec(compile(kernel.replace("@asc.jit\n", ""), "broken.py", "exec"), names)
    broken = asc.jit(names["add_with_flags"], source=kernel)
    x, y, z = random(1024), random(1024), np.zeros(1024, np.float32)
    with asc.check() as report:
        broken[1](x, y, z, 1024, tile=128)
    assert "order.raw" in {finding["id"] for finding in report.findings}


@asc.jit
def load(queue, array, i, tile):
    tensor = queue.alloc_tensor(array.dtype)
    asc.data_copy(tensor, array[i * tile :], tile)
    queue.enque(tensor)


@asc.jit
def add_with_queues(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int, tile: asc.ConstExpr[int]):
    base = asc.get_block_idx() * length
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x + base, length)
    gy = asc.GlobalTensor()
    gy.set_global_buffer(y + base, length)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z + base, length)
    pipe = asc.TPipe()
    qx = asc.TQue(asc.TPosition.VECIN, 2)
    qy = asc.TQue(asc.TPosition.VECIN, 2)
    qz = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(que=qx, num=2, len=tile * x.dtype.sizeof())
    pipe.init_buffer(qy, 2, tile * x.dtype.sizeof())
    pipe.init_buffer(qz, 2, tile * x.dtype.sizeof())
    i = 0
    while i < length // tile:
        load(qx, gx, i, tile)
        load(qy, gy, i, tile)
        a = qx.deque(x.dtype)
        b = qy.deque(x.dtype)
        c = qz.alloc_tensor(x.dtype)
        asc.add(c, a, b, tile)
        qz.enque(c)
        qx.free_tensor(a)
        qy.free_tensor(b)
        d = qz.deque(x.dtype)
        asc.data_copy(gz[i * tile :], d, tile)
        qz.free_tensor(d)
        i += 1


def test_add_with_queues():
    """`i` is a Python number before the loop and a runtime one in it: upstream folds it, and the loop never ends there."""
    x, y, z = random(4096), random(4096, seed=2), np.zeros(4096, np.float32)
    with clean():
        add_with_queues[4](x, y, z, 1024, tile=128)
    np.testing.assert_array_equal(z, x + y)


@asc.jit
def add_automatic(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int, tile: asc.ConstExpr[int]):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gy = asc.GlobalTensor()
    gy.set_global_buffer(y)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    for i in range(length // tile):
        a = asc.LocalTensorAuto(x.dtype, [tile])
        b = asc.LocalTensorAuto(x.dtype, shape=[tile])
        asc.data_copy(a, gx[i * tile :], tile)
        asc.data_copy(b, gy[i * tile :], tile)
        asc.add(b, a, b, tile)
        asc.data_copy(gz[i * tile :], b, tile)


def test_automatic_tensors_are_placed_and_ordered():
    x, y, z = random(2048), random(2048, seed=2), np.zeros(2048, np.float32)
    with clean():
        add_automatic[1](x, y, z, 2048, tile=256)
    np.testing.assert_array_equal(z, x + y)


def test_an_automatic_tensor_that_does_not_fit_says_so():
    x = random(1 << 17)
    with pytest.raises(CodegenError, match="does not fit into UB|UB"):
        add_automatic[1](x, x, np.zeros_like(x), 1 << 17, tile=1 << 16)


@asc.jit
def masks(x: asc.GlobalAddress, z: asc.GlobalAddress):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, 4096)
    a = buffer.get(asc.float16, 640)
    b = buffer.get_with_offset(640, 2048, asc.float16)
    asc.data_copy(a, gx, asc.DataCopyParams(1, 40, 0, 0))
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.duplicate(b, 0.0, 640)
    params = asc.BinaryRepeatParams()
    asc.add(b, a, a, 64, 2, params)
    asc.add(b[256:], a[256:], a[256:], [0xFFFF, 0], 1, params)
    asc.set_vector_mask(0, 0xFF, dtype=asc.float16)
    asc.add(b[384:], a[384:], a[384:], 128, 1, params, is_set_mask=False)
    asc.set_mask_count()
    asc.set_vector_mask(length=100, dtype=asc.float16, mode=asc.MaskMode.COUNTER)
    asc.add(b[512:], a[512:], a[512:], 0, 1, params, is_set_mask=False)
    asc.set_mask_norm()
    asc.reset_mask()
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(gz, b, 640)


def test_masks_of_every_kind():
    x, z = random(640, np.float16), np.zeros(640, np.float16)
    with clean():
        masks[1](x, z)
    expected = np.zeros_like(x)
    for part in (slice(0, 64), slice(128, 192), slice(256, 272), slice(384, 392), slice(512, 612)):
        expected[part] = x[part] * np.float16(2)
    np.testing.assert_array_equal(z, expected)


@asc.jit
def records(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, columns: int):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, 8192)
    params = asc.DataCopyExtParams()
    params.block_len = columns * 4
    for i in range(rows):
        params.block_count = i + 1
    tensor = queue.alloc_tensor(asc.float32)
    pad = asc.DataCopyPadExtParams(asc.float32, True, 0, 8 - columns % 8, 7.0)
    asc.data_copy_pad(tensor, gx, params, pad)
    queue.enque(tensor)
    tensor = queue.deque(asc.float32)
    width = (columns + 7) // 8 * 8
    asc.data_copy(gz, tensor, rows * width)
    queue.free_tensor(tensor)


def test_members_of_records_change_in_loops():
    x, z = random(3 * 13).reshape(3, 13), np.zeros((3, 16), np.float32)
    with clean():
        records[1](x, z, 3, 13)
    np.testing.assert_array_equal(z[:, :13], x)
    assert (z[:, 13:] == 7).all()


class Tile(Struct):
    length = Field(asc.int32, 64)


class Sizes(Struct):
    count = Field(asc.int32, 1)
    tile = StructField(Tile)
    scale = Field(asc.float32, 2.0)


@asc.jit
def scaled(x: asc.GlobalAddress, z: asc.GlobalAddress, sizes):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    tensor = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, sizes.tile.length)
    for i in range(sizes.count):
        asc.data_copy(tensor, gx[i * sizes.tile.length :], sizes.tile.length)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.muls(tensor, tensor, sizes.scale, sizes.tile.length)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(gz[i * sizes.tile.length :], tensor, sizes.tile.length)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)


def test_structs_are_arguments():
    x, z = random(512), np.zeros(512, np.float32)
    for scale in (2.0, 3.0):
        scaled[1](x, z, Sizes(count=4, tile=Tile(length=128), scale=scale))
        np.testing.assert_array_equal(z, x * np.float32(scale))
    assert Sizes(count=3).pack() == np.int32(3).tobytes() + np.int32(64).tobytes() + np.float32(2).tobytes()
    with pytest.raises(TypeError, match="Sizes has no field 'counts'; its fields are count, tile, scale"):
        Sizes(counts=1)


@asc.jit
def scalars(z: asc.GlobalAddress, n: int):
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    gz.set_value(0, asc.scalar_get_count_of_value(n, 1))
    gz.set_value(1, asc.scalar_count_leading_zero(n))
    gz.set_value(2, asc.scalar_get_sff_value(n, 1))
    gz.set_value(3, asc.scalar_cast(2.5, asc.int32, asc.RoundMode.CAST_RINT))
    gz.set_value(4, asc.scalar_cast(-2.5, asc.int32, asc.RoundMode.CAST_FLOOR))
    gz.set_value(5, asc.count_bits_cnt_same_as_sign_bit(n))
    gz.set_value(6, asc.property(asc.TOTAL_L1_SIZE))
    gz[7] = gz.get_value(6) // 2


def test_numbers_of_the_scalar_unit():
    z = np.zeros(8, np.int64)
    scalars[1](z, 0b10110000)
    assert z.tolist() == [3, 56, 4, 2, -3, 55, 512 * 1024, 256 * 1024]


@asc.jit
def pools(x: asc.GlobalAddress, z: asc.GlobalAddress):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    pipe = asc.TPipe()
    pool = asc.TBufPool(asc.TPosition.VECCALC)
    pipe.init_buf_pool(pool, 4096)
    for i in range(2):
        queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
        pool.init_buffer(queue, 1, 1024)
        tensor = queue.alloc_tensor(asc.float32)
        asc.data_copy(tensor, gx[i * 256 :], 256)
        queue.enque(tensor)
        tensor = queue.deque(asc.float32)
        asc.data_copy(gz[i * 256 :], tensor, 256)
        queue.free_tensor(tensor)
        pool.reset()


def test_pools_begin_again():
    x, z = random(512), np.zeros(512, np.float32)
    with clean():
        pools[1](x, z)
    np.testing.assert_array_equal(z, x)


@asc.jit
def sorted_scores(x: asc.GlobalAddress, indices: asc.GlobalAddress, z: asc.GlobalAddress, order: asc.GlobalAddress):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gi = asc.GlobalTensor()
    gi.set_global_buffer(indices)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    go = asc.GlobalTensor()
    go.set_global_buffer(order)
    memory = asc.LocalMemAllocator()
    a = memory.alloc(asc.TPosition.VECIN, asc.float32, 128)
    i = memory.alloc(asc.TPosition.VECIN, asc.uint32, 128)
    records = memory.alloc(asc.TPosition.VECCALC, asc.float32, asc.get_sort_len(128, asc.float32))
    work = memory.alloc(asc.TPosition.VECCALC, asc.float32, 256)
    asc.data_copy(a, gx, 128)
    asc.data_copy(i, gi, 128)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.sort(records, a, i, work, 4, is_full_sort=True)
    asc.extract(a, i, records, 4)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(gz, a, 128)
    asc.data_copy(go, i, 128)


def test_sort():
    """get_sort_len gives a number; upstream's emits nothing."""
    x, z, order = random(128), np.zeros(128, np.float32), np.zeros(128, np.uint32)
    with clean():
        sorted_scores[1](x, np.arange(128, dtype=np.uint32), z, order)
    np.testing.assert_array_equal(z, -np.sort(-x))
    np.testing.assert_array_equal(x[order], z)


@asc.jit
def kept(x: asc.GlobalAddress, z: asc.GlobalAddress, counts: asc.GlobalAddress):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    gc = asc.GlobalTensor()
    gc.set_global_buffer(counts)
    memory = asc.LocalMemAllocator()
    a = memory.alloc(asc.TPosition.VECIN, asc.float32, 64)
    b = memory.alloc(asc.TPosition.VECOUT, asc.float32, 64)
    zeros = memory.alloc(asc.TPosition.VECCALC, asc.float32, 64)
    bits = memory.alloc(asc.TPosition.VECCALC, asc.uint8, 32)
    asc.data_copy(a, gx, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.duplicate(zeros, 0.5, 64)
    asc.duplicate(b, 0, 64)
    asc.compare(bits, a, zeros, asc.CMPMODE.GT, 64)
    words = bits.reinterpret_cast(asc.uint32)
    count = asc.gather_mask(b, a, words, True, 64, asc.GatherMaskParams(1, 1, 8, 8))
    gc.set_value(0, count)
    gc.set_value(1, asc.get_gather_mask_remain_count())
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(gz, b, 64)


def test_gather_mask_tells_how_many_it_kept():
    x, z, counts = random(64), np.zeros(64, np.float32), np.zeros(2, np.int64)
    kept[1](x, z, counts)
    wanted = x[x > 0.5]
    assert counts.tolist() == [len(wanted), len(wanted)]
    np.testing.assert_array_equal(z[: len(wanted)], wanted)


@asc.jit
def printing(n: int):
    tensor = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 8)
    asc.duplicate(tensor, n, 8)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.printf("n = %d, %s, 100%% of {}\n", n, "text")
    asc.dump_tensor(tensor, 7, 4)


def test_prints(capsys):
    printing[1](3)
    out = capsys.readouterr().out
    assert "n = 3, text, 100% of {}" in out and re.search(r"dump_tensor 7: \[3,? 3,? 3,? 3\]", out)


@asc.jit
def summed(x: asc.GlobalAddress, z: asc.GlobalAddress):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x + asc.get_block_idx() * 64)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    tensor = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tensor, gx, 64)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.set_atomic_add(asc.float32)
    asc.data_copy(gz, tensor, 64)
    asc.set_atomic_none()


def test_atomic_adds_of_blocks():
    x, z = np.arange(256, dtype=np.float32), np.zeros(64, np.float32)
    summed[4](x, z)
    np.testing.assert_array_equal(z, x.reshape(4, 64).sum(0))


@asc.jit
def in_turn(z: asc.GlobalAddress, workspace: asc.GlobalAddress):
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    gw = asc.GlobalTensor()
    gw.set_global_buffer(workspace)
    tensor = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 32)
    asc.wait_pre_block(gw, tensor)
    gz.set_value(0, gz.get_value(0) * 3 + asc.get_block_idx())
    asc.notify_next_block(gw, tensor)
    asc.sync_all()


def test_blocks_one_after_another():
    z = np.zeros(8, np.int32)
    in_turn[4](z, np.zeros(64, np.int32))
    assert z[0] == ((0 * 3 + 1) * 3 + 2) * 3 + 3


@asc.jit
def too_far(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    tensor = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(tensor, gx, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(gz, tensor, 64)


def test_slack_gives_arrays_room():
    """Published kernels copy whole tiles past the end of their arrays."""
    x, z = random(50), np.zeros(50, np.float32)
    with pytest.raises(asc.KernelError, match="bounds.gm-read") as error:
        too_far[1](x, z, 50)
    assert "help: kernels that copy whole tiles past the end of their arrays run with room behind them: kernel[n](..., slack=512)" in str(error.value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        too_far[1](x, z, 50, slack=4096)
    np.testing.assert_array_equal(z, x)


@asc.jit
def needs_room(x: asc.GlobalAddress):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    asc.data_copy(asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64), gx, 64)


def test_slack_says_once_that_it_was_needed(platform):
    if platform == PLATFORMS[0]:
        with pytest.warns(RuntimeWarning, match="needs_room reads or writes past the end of an array, into the room that slack"):
            needs_room[1](random(50), slack=4096)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        needs_room[1](random(50), slack=4096)


def test_slack_that_is_not_needed_is_not_mentioned():
    x, z = random(64), np.zeros(64, np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        too_far[1](x, z, 64, slack=512)


# What is refused, and what is only warned of.


def message(kernel, *args, **keywords):
    with pytest.raises(CodegenError) as error:
        kernel[1](*args, **keywords)
    return str(error.value)


@asc.jit
def mixed(x: asc.GlobalAddress):
    tensor = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.duplicate(tensor, 0, 64)
    asc2.store(asc2.full([8], 0.0, asc.float32), asc2.tensor(x, [8]), tile_id=[0])


def test_tiles_and_instructions_do_not_mix():
    text = message(mixed, random(8))
    assert "asc2.full works on tiles and cannot be used in a kernel of asc instructions" in text
    assert "help: write the whole kernel with asc2, or the whole kernel with asc" in text


@asc.jit
def two_pipes():
    asc.TPipe()
    asc.TPipe()


def test_a_kernel_has_one_pipe():
    assert "a kernel has one TPipe" in message(two_pipes)


@asc.jit
def no_buffer():
    tensor = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    array = asc.GlobalTensor()
    asc.data_copy(array, tensor, 64)


def test_an_array_needs_its_buffer():
    text = message(no_buffer)
    assert "the GlobalTensor has no buffer yet" in text and "help: call its set_global_buffer(address) first" in text


@asc.jit
def no_form():
    tensor = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 64)
    asc.add(tensor, tensor, 64)


def test_arguments_that_fit_no_form():
    text = message(no_form)
    assert "no form of asc.add takes (a LocalTensor of float32, a LocalTensor of float32, the int 64)" in text
    assert "help: it is called as add(dst, src0, src1, count, is_set_mask=True), or add(dst, src0, src1, mask, repeat_times" in text


@asc.jit
def wrong_memory(z: asc.GlobalAddress):
    a = asc.LocalTensor(asc.float16, asc.TPosition.A1, 0, 64)
    b = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    asc.add(b, a, b, 64)


def test_a_wrong_memory_is_a_warning_and_a_finding():
    """As upstream: what is compiled only may be wrong; what runs may not."""
    with pytest.warns(SyntaxWarning, match="Add: operand 'src0' cannot live in L1; running it is a finding"):
        with pytest.raises(asc.KernelError, match="operand"):
            wrong_memory[1](np.zeros(8, np.float16))


@asc.jit
def not_modelled():
    a = asc.LocalTensor(asc.float16, asc.TPosition.VECCALC, 0, 64)
    asc.rp_sort16(a, a, 1)


def test_an_instruction_the_model_does_not_have():
    with pytest.warns(SyntaxWarning, match="asc.rp_sort16: not in the model; running it is a finding"):
        with pytest.raises(asc.KernelError, match="the model does not have this: asc.rp_sort16"):
            not_modelled[1]()


def test_on_the_host():
    with pytest.raises(RuntimeError, match="asc.add works inside a kernel only: call it in a function decorated with @asc.jit"):
        asc.add(1, 2, 3, 4)
    with pytest.raises(RuntimeError, match="asc.TPipe works inside a kernel only"):
        asc.TPipe()
    assert asc.DataCopyParams(1, 2).block_len == 2 and asc.CacheMode.CACHE_MODE_NORMAL == 0
