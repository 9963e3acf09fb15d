"""`asc` kernels as Ascend C: each call of the author is one of the text, and the text through our headers is the kernel.

The kernels of kernels/asc are compared in test_equality.py; here are the forms they do not have, the text itself, and what cannot be
written.
"""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import asc
from asc.codegen.errors import CodegenError
from asc.runtime import config

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))

import equality

C220 = "Ascend910B1"


@pytest.fixture(autouse=True)
def platform():
    config.set_platform(config.Backend.Model, C220)


@pytest.fixture(scope="module")
def road():
    return equality.Road(equality.compilers()[0])


def same(road, launch):
    """The launch as machine code and as compiled text: the same calls, bytes, cycles; neither with a finding."""

    def test():
        for array in launch():
            equality.golden.check(array, None)

    one, other = equality.observed(test, ()), equality.observed(test, (), road.launch_by_hand)
    difference = equality.first_difference(one, other)
    assert difference is None, difference
    assert sum(launch.calls for launch in one[1]) > 0


def random(count, dtype=np.float32, seed=1):
    return np.random.default_rng(seed).standard_normal(count).astype(dtype)


@asc.jit
def copy_in(queue, array, i, tile):
    tensor = queue.alloc_tensor(array.dtype)
    asc.data_copy(tensor, array[i * tile :], tile)
    queue.enque(tensor)


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int, tile: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * length, length)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y + asc.get_block_idx() * length, length)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z + asc.get_block_idx() * length, length)
    pipe = asc.TPipe()
    ins = asc.TQue(asc.TPosition.VECIN, 2)
    outs = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(ins, 4, tile * x.dtype.sizeof())
    pipe.init_buffer(outs, 2, tile * x.dtype.sizeof())
    for i in range(length // tile):
        copy_in(ins, x_gm, i, tile)
        copy_in(ins, y_gm, i, tile)
        a = ins.deque(x.dtype)
        b = ins.deque(x.dtype)
        c = outs.alloc_tensor(x.dtype)
        asc.add(c, a, b, tile)
        outs.enque(c)
        ins.free_tensor(a)
        ins.free_tensor(b)
        c = outs.deque(x.dtype)
        asc.data_copy(z_gm[i * tile :], c, tile)
        outs.free_tensor(c)


TEXT = """
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 2> ins;
  AscendC::TQue<AscendC::TPosition::VECOUT, 2> outs;
  pipe.InitBuffer(ins, 4, 4096);
  pipe.InitBuffer(outs, 2, 4096);
"""


def test_queues_stay_queues(road):
    x, y, z = random(8192), random(8192, seed=2), np.zeros(8192, np.float32)
    text = add[2].ascendc(x, y, z, 4096, tile=1024)
    code = "\n".join(line for line in text.splitlines() if not line.strip().startswith("//")) + "\n"
    for line in TEXT.strip().splitlines():
        assert line.strip() in code, text
    for call in ("ins.AllocTensor<float>()", "ins.EnQue(", "ins.DeQue<float>()", "outs.FreeTensor(", "AscendC::Add("):
        assert call in code, text
    assert "InitSocState" not in code and "KERNEL_TASK_TYPE" not in code

    def launch():
        result = np.zeros(8192, np.float32)
        add[2](x, y, result, 4096, tile=1024)
        return [result]

    same(road, launch)


@asc.jit
def many_forms(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int, low: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    memory = asc.LocalMemAllocator()
    a = memory.alloc(asc.TPosition.VECIN, x.dtype, 512)
    d = memory.alloc(asc.TPosition.VECOUT, x.dtype, 512)
    bits = memory.alloc(asc.TPosition.VECCALC, asc.uint8, 64)
    asc.data_copy(a, x_gm, asc.DataCopyParams(1, n // 8, 0, 0))
    asc.set_flag(asc.HardEvent.MTE2_V, 1)
    asc.wait_flag(asc.HardEvent.MTE2_V, 1)
    asc.duplicate(d, 0.0, 512)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.adds(d, a, 2.5, mask=[low, 0], repeat_times=4, repeat_params=asc.UnaryRepeatParams(1, 1, 8, 8))
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.muls(d[256:], a[256:], 3.0, 32, 2, asc.UnaryRepeatParams(1, 1, 8, 8))
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.set_vector_mask(0, 0xFF, dtype=asc.float32, mode=asc.MaskMode.NORMAL)
    asc.add(d, d, a, mask=64, repeat_times=1, repeat_params=asc.BinaryRepeatParams(), is_set_mask=False)
    asc.reset_mask()
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.compare(bits, a, d, asc.CMPMODE.LT, 512)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    params = asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8)
    for i in range(2):
        params.dst_rep_stride = 8 + 8 * i
        asc.select(d[256 * i :], bits, a, d[256 * i :], asc.SelMode.VSEL_TENSOR_TENSOR_MODE, 64, 2, params)
        asc.pipe_barrier(asc.PipeID.PIPE_V)
    if n > 100:
        asc.exp(d, d, 64)
    else:
        asc.sqrt(d, d, 64)
    asc.cast(d.reinterpret_cast(asc.int32), d, asc.RoundMode.CAST_RINT, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.set_atomic_add(asc.float32)
    asc.data_copy_pad(z_gm, d, asc.DataCopyExtParams(1, 20, 0, 0, 0))
    asc.set_atomic_none()
    asc.data_copy(z_gm[8:], d[8:], 496)


def test_masks_records_modes_and_branches(road):
    x = random(512) * np.float32(0.1)

    def launch():
        z = np.zeros(512, np.float32)
        many_forms[1](x, z, 512, 0x55555555)
        return [z]

    same(road, launch)


@asc.jit
def elements(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buffer, n * 4)
    a = buffer.get(asc.float32)
    work = buffer.get_with_offset(8, 64, asc.float32)
    asc.data_copy(a, x_gm, n)
    event = pipe.fetch_event_id(asc.HardEvent.MTE2_S)
    asc.set_flag(asc.HardEvent.MTE2_S, event)
    asc.wait_flag(asc.HardEvent.MTE2_S, event)
    best = a.get_value(0)
    at = 0
    for i in range(n):
        value = a.get_value(i)
        if value > best:
            best = value
            at = i
    z_gm.set_value(0, best)
    z_gm.set_value(1, at)
    work.set_value(0, best * 2)
    asc.printf("best %f\n", best)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.adv.tanh(a, a, count=16)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm[8:], a, 16)


def test_scalar_code_and_the_library(road, capsys):
    x = random(64)

    def launch():
        z = np.zeros(64, np.float32)
        elements[1](x, z, 64)
        return [z]

    same(road, launch)
    assert capsys.readouterr().out.count("best") == 2


@asc.jit
def sorting(x: asc.GlobalAddress, z: asc.GlobalAddress, counts: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    counts_gm = asc.GlobalTensor()
    counts_gm.set_global_buffer(counts)
    memory = asc.LocalMemAllocator()
    a = memory.alloc(asc.TPosition.VECIN, asc.float16, 256)
    d = memory.alloc(asc.TPosition.VECOUT, asc.float16, 256)
    asc.data_copy(a, x_gm, 256)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    kept = asc.gather_mask(d, a, 1, True, 128, asc.GatherMaskParams(1, 2, 8, 0))
    counts_gm.set_value(0, kept)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    rows = []
    targets = []
    for i in asc.static_range(16):
        rows.append(a[i * 16 :])
        targets.append(d[i * 16 :])
    asc.trans_data_to_5hd(targets, rows, asc.TransDataTo5HDParams(False, False, 1, 0, 0))
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm, d, 256)


def test_lists_of_tensors_and_results_of_calls(road):
    x = random(256, np.float16)

    def launch():
        z, counts = np.zeros(256, np.float16), np.zeros(8, np.int32)
        sorting[1](x, z, counts)
        return [z, counts]

    same(road, launch)


def test_a_damaged_text_is_found(road):
    """What would a comparison be worth that a missing wait passes."""
    wait = r"\n *AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>.*?;"
    damaged = equality.Road(equality.compilers()[0], lambda text: re.sub(wait, "", text, count=1))
    x = random(512)

    def launch():
        z = np.zeros(512, np.float32)
        many_forms[1](x, z, 512, 1)
        return [z]

    with pytest.raises(AssertionError, match="wait_flag"):
        same(damaged, launch)


def test_dumps(tmp_path, monkeypatch):
    monkeypatch.setenv("PYASC_DUMP_PATH", str(tmp_path))
    z = np.zeros(8192, np.float32)

    @asc.jit
    def dumped(z: asc.GlobalAddress):
        z_gm = asc.GlobalTensor()
        z_gm.set_global_buffer(z)
        z_gm.set_value(3, 4.0)

    dumped[1](z)
    assert z[3] == 4
    assert "asc.issue" in (tmp_path / "codegen.mlir").read_text()
    assert "isa.set_value" in (tmp_path / "ascir.mlir").read_text()
    assert "z_gm.SetValue(3, 0x1p2f);" in (tmp_path / "ascendc.cpp").read_text()


@asc.jit
def not_there(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    d = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 512)
    asc.rp_sort16(d, d, 1)


def test_what_the_model_does_not_have_is_not_written():
    with pytest.raises(CodegenError) as error:
        not_there[1].ascendc(np.zeros(8, np.float16))
    assert "asc.rp_sort16(d, d, 1)" in str(error.value) and "this call cannot be written as Ascend C" in str(error.value)


@asc.jit
def placed_by_the_compiler(x: asc.GlobalAddress, y: asc.GlobalAddress, scale: float):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y)
    a = asc.LocalTensorAuto(asc.float16, [512])
    b = asc.LocalTensorAuto(asc.int8, [512])
    asc.data_copy(a, x_gm, 512)
    asc.adv.quant(b, a, scale, 0.0, 512)
    asc.data_copy(y_gm, b, 512)


def test_a_library_call_between_tensors_of_the_compiler_is_an_error_at_its_line():
    with pytest.raises(CodegenError) as error:
        placed_by_the_compiler[1].ascendc(np.zeros(512, np.float16), np.zeros(512, np.int8), 1.0)
    text = str(error.value)
    assert "this call cannot be written as Ascend C in a kernel whose tensors the compiler places" in text
    assert "asc.adv.quant(b, a, scale, 0.0, 512)" in text and "help: give its tensors places with TQue, TBuf or LocalTensor" in text


@asc.jit
def rows_by_address(x: asc.GlobalAddress, z: asc.GlobalAddress, in_tensors: asc.ConstExpr[bool]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    memory = asc.LocalMemAllocator()
    a = memory.alloc(asc.TPosition.VECIN, asc.float16, 256)
    d = memory.alloc(asc.TPosition.VECOUT, asc.float16, 256)
    to = memory.alloc(asc.TPosition.VECCALC, asc.uint64, 16)
    of = memory.alloc(asc.TPosition.VECCALC, asc.uint64, 16)
    asc.data_copy(a, x_gm, 256)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    if in_tensors:
        for i in range(16):
            to.set_value(i, d[i * 16 :].get_phy_addr())
            of.set_value(i, a[i * 16 :].get_phy_addr())
        asc.trans_data_to_5hd(to, of, asc.TransDataTo5HDParams())
    else:
        targets = []
        rows = []
        for i in asc.static_range(16):
            targets.append(d[i * 16 :].get_phy_addr())
            rows.append(a[i * 16 :].get_phy_addr())
        asc.trans_data_to_5hd(targets, rows, asc.TransDataTo5HDParams())
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm, d, 256)


@pytest.mark.parametrize("in_tensors", [True, False])
def test_rows_by_address(road, in_tensors):
    """Addresses are other numbers in C++, where they are pointers: only what they lead to is compared."""
    x = random(256, np.float16)

    def test():
        z = np.zeros(256, np.float16)
        rows_by_address[1](x, z, in_tensors)
        equality.golden.check(z, None)

    one, other = equality.observed(test, ()), equality.observed(test, (), road.launch_by_hand)
    assert one[0] == other[0] == [x.reshape(16, 16).T.tobytes()]
