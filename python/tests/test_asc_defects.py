"""What programs for PyAsc ran into there must not happen here: a test for each such mistake.

The mistakes of Matmul objects are in the tests of those.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import asc
from asc.runtime import config

ROOT = Path(__file__).resolve().parents[2]
C220 = "Ascend910B1"


@pytest.fixture(autouse=True)
def platform():
    config.set_platform(config.Backend.Model, C220)


def written(kernel, *arguments, **options):
    """The kernel as Ascend C, without comments."""
    lines = kernel[1].ascendc(*arguments, **options).splitlines()
    return "\n".join(line for line in lines if not line.strip().startswith("//"))


@asc.jit
def loops(z: asc.GlobalAddress, n: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    i = 0
    while i < n:
        i += 1
    z_gm.set_value(0, i)
    total = 0
    for k in range(n):
        total += 2
    z_gm.set_value(1, total)


def test_loops_carry_python_ints():
    """A condition must see the carried value, and a Python int must not be folded after one trip."""
    z = np.zeros(2, np.int32)
    loops[1](z, 7)
    assert list(z) == [7, 14]


def test_numbers_of_cache_modes():
    assert (asc.CacheMode.CACHE_MODE_NORMAL, asc.CacheMode.CACHE_MODE_DISABLE) == (0, 1)
    assert (asc.CacheMode.CACHE_MODE_LAST, asc.CacheMode.CACHE_MODE_PERSISTENT) == (2, 4)


@asc.jit
def hinted(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    x_gm.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE, asc.CacheRwMode.READ)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)
    asc.data_copy(a, x_gm, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm, a, 64)


def test_a_hint_for_the_cache_is_the_one_that_was_given():
    x, z = np.ones(64, np.float32), np.zeros(64, np.float32)
    hinted[1](x, z)
    assert z.all()
    assert "SetL2CacheHint<static_cast<AscendC::CacheRwMode>(1)>(static_cast<AscendC::CacheMode>(1))" in written(hinted, x, z)


@asc.jit
def everybody(workspace: asc.GlobalAddress):
    sync = asc.GlobalTensor()
    sync.set_global_buffer(workspace)
    local = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64)
    asc.sync_all(is_aiv_only=False)
    asc.sync_all(sync, local, 1, is_aiv_only=False)
    asc.ib_set(sync, local, 0, 1, is_aiv_only=False)


def test_which_cores_wait_is_written():
    text = written(everybody, np.zeros(64, np.int32))
    assert text.count("SyncAll<false>(") == 2 and "IBSet<false>(" in text


@asc.jit
def two_masks(x: asc.GlobalAddress):
    a = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 256)
    bits = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 512, 64)
    for_all = [0xFFFF, 0]
    asc.duplicate(a, 1.0, 256)
    asc.compare(bits, a, a, asc.CMPMODE.EQ, for_all, 1, asc.BinaryRepeatParams())
    asc.compare(bits, a, a, asc.CMPMODE.LT, for_all, 1, asc.BinaryRepeatParams())
    asc.compare(bits, a, a, asc.CMPMODE.LT, 64, 1, asc.BinaryRepeatParams(), is_set_mask=False)


def test_arrays_of_masks_have_names_of_their_own():
    text = written(two_masks, np.zeros(8, np.float16))
    declared = [line.split("[2]")[0].split()[-1] for line in text.splitlines() if "const uint64_t" in line]
    assert len(declared) == len(set(declared)) == 2
    assert "AscendC::Compare<half, uint8_t, false>(" in text


@asc.jit
def merged(n: int):
    a = asc.LocalTensor(asc.float16, asc.TPosition.A2, 0, 256)
    b = asc.LocalTensor(asc.float16, asc.TPosition.B2, 0, 256)
    c = asc.LocalTensor(asc.float32, asc.TPosition.CO1, 0, 256)
    asc.mmad(c, a, b, asc.MmadParams(m=16, n=16, k=16, unit_flag=3))
    asc.mmad(c, a, b, asc.MmadParams(16, n, 16, cmatrix_init_val=False))
    asc.data_copy(
        asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 64),
        asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 512, 64),
        asc.DataCopyParams(1, n, 0, 0),
    )


def test_members_are_what_was_given_and_fit_their_types():
    """Some of the members of MmadParams, a unit flag that is not a bool, numbers of the running kernel in narrow members."""
    text = written(merged, 4)
    assert ".unitFlag = 3;" in text and ".cmatrixInitVal = false;" in text
    assert ".n = static_cast<uint16_t>(" in text and ".blockLen = static_cast<uint16_t>(" in text


@asc.jit
def quantised(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    c = asc.LocalTensor(asc.float32, asc.TPosition.CO1, 0, 256)
    asc.fixpipe(x_gm, c, asc.FixpipeParamsV220(16, 16, 16, 16, asc.QuantModes.QF322B8_PRE, 7))


def test_a_quantisation_is_written_by_its_name():
    text = written(quantised, np.zeros(256, np.int8))
    assert ".quantPre = QuantMode_t::QF322B8_PRE;" in text and ".deqScalar = 7;" in text


@asc.jit
def lengths(z: asc.GlobalAddress):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    z_gm.set_value(0, asc.get_sort_len(64))
    z_gm.set_value(1, asc.get_sort_offset(3))
    memory = asc.LocalMemAllocator()
    memory.alloc(asc.TPosition.VECIN, asc.float16, 5)
    z_gm.set_value(2, memory.get_cur_addr())


def test_sizes_are_numbers():
    """get_sort_len has a result, an allocator counts what it gave."""
    z = np.zeros(3, np.int32)
    lengths[1](z)
    assert list(z) == [128, 6, 32]


@pytest.mark.filterwarnings("ignore:.*not in the model")
def test_slices_and_lists_of_tensors_are_made():
    """SliceInfo without an end; a list of tensors that is asked twice."""

    @asc.jit
    def kernel(x: asc.GlobalAddress, n: int):
        info = asc.SliceInfo(start_index=0, stride=1)
        a = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 256)
        x_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x)
        if n > 0:
            tensors = asc.ListTensorDesc(x)
            asc.data_copy(a, x_gm, [info], [info], 1)
            tensors.get_size()
            tensors.get_size()

    kernel[1](np.zeros(256, np.float16), 0)


@asc.jit
def chosen(z: asc.GlobalAddress, wanted: bool):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    if wanted and not (not wanted):
        z_gm.set_value(0, 1)
    else:
        z_gm.set_value(0, 2)


@pytest.mark.parametrize("wanted", [True, False])
def test_a_bool_is_a_truth(wanted):
    z = np.zeros(1, np.int32)
    chosen[1](z, wanted)
    assert z[0] == (1 if wanted else 2)


@asc.jit
def count_blocks(z: asc.GlobalAddress):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    z_gm.set_value(asc.get_block_idx(), asc.get_block_num())


def test_launches_do_not_share_their_options():
    """kernel[n] is a launcher of its own."""
    two, three = count_blocks[2], count_blocks[3]
    z = np.zeros(8, np.int32)
    two(z)
    assert list(z[:3]) == [2, 2, 0]
    three(z)
    assert list(z[:3]) == [3, 3, 3]


SCRIPT = """
import numpy as np, asc
from asc.runtime import config
config.set_platform(config.Backend.Model, "Ascend910B1")

@asc.jit
def kernel(z: asc.GlobalAddress, n: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    alpha = n
    beta = n + 1
    gamma = n + 2
    delta = n + 3
    for i in range(n):
        if i > 2:
            delta, alpha, gamma, beta = beta, gamma, alpha, delta
        else:
            beta = beta + alpha
    z_gm.set_value(0, alpha + 2 * beta + 3 * gamma + 4 * delta)

print(kernel[1].ascendc(np.zeros(1, np.int32), 5))
"""


def test_the_text_does_not_depend_on_the_seed_of_hashes(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    texts = {
        subprocess.run(
            [sys.executable, tmp_path / "script.py"],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "77")
    }
    assert len(texts) == 1 and "__global__" in texts.pop()


def device_function(number):
    @asc.jit
    def store(tensor):
        tensor.set_value(0, number)

    return store


@asc.jit
def with_function(x: asc.GlobalAddress, store: asc.ConstExpr):
    tensor = asc.GlobalTensor()
    tensor.set_global_buffer(x)
    store(tensor)


def test_functions_of_one_text_with_other_closures_are_other_constants():
    """What a function that is a constant reads counts like what the kernel reads."""
    for number in (1, 2, 1, 3):
        x = np.zeros(8, np.int32)
        with_function[1](x, device_function(number))
        assert x[0] == number
