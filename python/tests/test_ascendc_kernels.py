"""Kernels as people write them in operator repositories (ascendc_kernels/ and kernels/ascendc/): each is right, clean in checked mode, and gives the
same bytes however late its instructions run. What breaks here is something the headers or the Machine lack or get wrong."""

import struct
from pathlib import Path

import _tilesmith
import asc
import numpy as np
import pytest

import ascendc

SOURCES = Path(__file__).resolve().parent / "ascendc_kernels"
LIBRARY = ascendc.ROOT / "kernels/ascendc"
C220, C310 = "Ascend910B1", "Ascend950PR_9599"


@pytest.fixture(params=[C220, C310])
def platform(request):
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(request.param)
    yield request.param
    _tilesmith.set_platform(before)


@pytest.fixture
def c220():
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(C220)
    yield C220
    _tilesmith.set_platform(before)


@pytest.fixture
def c310():
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(C310)
    yield C310
    _tilesmith.set_platform(before)


def load(name):
    return ascendc.load((SOURCES if (SOURCES / name).exists() else LIBRARY) / name)


def random(shape, dtype=np.float32, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def run_clean(launch, *outputs):
    """Runs the launch observed: no findings, and the same bytes however late instructions run."""
    start = [output.copy() for output in outputs]
    with asc.check() as report:
        launch()
    assert not report.findings, "\n".join(finding["rendered"] for finding in report.findings)
    expected = [output.tobytes() for output in outputs]
    for late in ("consumers", "producers"):
        for output, before in zip(outputs, start):
            output[...] = before
        with asc.launch_mode(late=late):
            launch()
        assert [output.tobytes() for output in outputs] == expected


def findings_of(launch):
    with asc.check() as report:
        launch()
    return [(finding["id"], finding["text"]) for finding in report.findings]


# Elements.


def tiling(length):
    return np.frombuffer(struct.pack("<If", length, 1.0), np.uint8).copy()


@pytest.mark.parametrize("name, dtype, tolerance", [("sigmoid_half", np.float16, 1e-3), ("sigmoid_float", np.float32, 1e-6)])
def test_sigmoid_by_steps(platform, name, dtype, tolerance):
    for length in (1, 2048, 2049, 9000):
        x = random(length, dtype)
        y = np.zeros_like(x)
        run_clean(lambda: load("elementwise.cpp")[name][3](x, y, tiling(length)), y)
        assert np.allclose(y, 1 / (1 + np.exp(-x.astype(np.float64))), rtol=tolerance, atol=tolerance / 10)


def test_gelu_of_half_and_bfloat(platform):
    kernels = load("elementwise.cpp")
    x = random(5000, np.float16)
    wide, y = x.astype(np.float64), np.zeros_like(x)
    expected = wide / (1 + np.exp(-1.5957691216057308 * (wide + 0.044715 * wide**3)))
    run_clean(lambda: kernels["gelu_half"][2](x, y, tiling(5000)), y)
    assert np.allclose(y, expected, rtol=1e-3, atol=1e-5)
    bits = (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)  # the upper half of a float is a bfloat16
    out, wide = np.zeros_like(bits), (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    run_clean(lambda: kernels["gelu_bfloat"][2](bits, out, tiling(5000)), out)
    expected = wide / (1 + np.exp(-1.5957691216057308 * (wide + 0.044715 * wide**3)))
    assert np.allclose((out.astype(np.uint32) << 16).view(np.float32), expected, rtol=8e-3, atol=1e-5)


def test_hard_swish(platform):
    x = random(4100)
    y = np.zeros_like(x)
    run_clean(lambda: load("elementwise.cpp")["hard_swish_float"][2](x, y, tiling(4100)), y)
    assert np.allclose(y, x * np.clip(x + 3, 0, 6) / 6, rtol=1e-5, atol=1e-6)


def test_swiglu_of_halves_of_rows(platform):
    x, y = random((5, 128)), np.zeros((5, 64), np.float32)
    run_clean(lambda: load("elementwise.cpp")["swiglu"][2](x, y, 5, 128), y)
    left, right = x[:, :64].astype(np.float64), x[:, 64:]
    assert np.allclose(y, left / (1 + np.exp(-left)) * right, rtol=1e-5, atol=1e-6)


# Rows.


def test_layer_norm_by_hand(platform):
    x, gamma, beta = random((7, 512), np.float16), random(512, seed=1), random(512, seed=2)
    y, mean = np.zeros_like(x), np.zeros(7, np.float32)
    run_clean(lambda: load("layer_norm_rows.cpp")["layer_norm"][3](x, gamma, beta, y, mean, 7, 512, 1e-5), y, mean)
    wide = x.astype(np.float64)
    expected = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * gamma + beta
    assert np.allclose(mean, wide.mean(1), atol=1e-6) and np.allclose(y, expected, rtol=2e-3, atol=2e-3)


def test_softmax_of_one_repeat_per_row(platform):
    for rows in (1, 32, 70):
        x = random((rows, 64))
        y = np.zeros_like(x)
        run_clean(lambda: load("layer_norm_rows.cpp")["softmax64"][2](x, y, rows), y)
        expected = np.exp(x - x.max(1, keepdims=True))
        assert np.allclose(y, expected / expected.sum(1, keepdims=True), rtol=1e-5)


def test_argmax_reads_the_index_of_a_reduction(platform):
    x, index = random((9, 1000)), np.zeros(9, np.int32)
    run_clean(lambda: load("layer_norm_rows.cpp")["argmax_rows"][2](x, index, 9, 1000), index)
    assert np.array_equal(index, x.argmax(1))


def test_reductions_of_repeats_that_do_not_follow_each_other(platform):
    """40 lanes of every second repeat: first one result for each, then of these."""
    source = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void reduced(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  TBuf<> buf;
  pipe.InitBuffer(in, 1, 4096);
  pipe.InitBuffer(out, 1, 96);
  pipe.InitBuffer(buf, 4096);
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  LocalTensor<float> a = in.AllocTensor<float>(), work = buf.Get<float>();
  DataCopy(a, xGm, 1024);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> results = out.AllocTensor<float>();
  Duplicate(results, 0.0f, 24);
  ReduceSum(results, a, work, 40, 5, 16);
  ReduceMax(results[8], a, work, 40, 5, 16);
  ReduceMin(results[16], a, work, 40, 5, 16, false);
  out.EnQue(results);
  in.FreeTensor(a);
  results = out.DeQue<float>();
  DataCopy(yGm, results, 24);
  out.FreeTensor(results);
}
"""
    x, y = random(1024), np.zeros(24, np.float32)
    run_clean(lambda: ascendc.load(source)["reduced"][1](x, y), y)
    part = x.reshape(8, 128)[:5, :40]
    assert np.isclose(y[0], part.sum(), atol=1e-4) and y[8] == part.max() and y[16] == part.min()


# Choosing and sorting.


def test_where_by_a_mask_of_bytes(platform):
    mask = np.random.default_rng(3).integers(0, 2, 4096).astype(np.uint8)
    x, other, y = random(4096), random(4096, seed=1), np.zeros(4096, np.float32)
    run_clean(lambda: load("choose.cpp")["where_bytes"][2](mask, x, other, y, 4096), y)
    assert np.array_equal(y, np.where(mask, x, other))


def test_compare_and_select_tensors_and_scalars(platform):
    x, y = random(4096, np.float16), random(4096, np.float16, 1)
    larger, positive = np.zeros_like(x), np.zeros_like(x)
    run_clean(lambda: load("choose.cpp")["compare_select"][2](x, y, larger, positive), larger, positive)
    assert np.array_equal(larger, np.maximum(x, y)) and np.array_equal(positive, np.maximum(x, 0))


def test_compaction_by_bits_tells_how_many_it_kept(platform):
    x, y, count = random(2048), np.zeros(2048, np.float32), np.zeros(8, np.int32)
    run_clean(lambda: load("choose.cpp")["compact"][1](x, y, count), y, count)
    expected = x[x > 0]
    assert count[0] == expected.size and np.array_equal(y[:expected.size], expected) and not y[expected.size:].any()


def test_sorting_by_merges(platform):
    x = np.round(random((2, 1024)) * 20)  # equal scores keep their order
    values, indices = np.zeros_like(x), np.zeros((2, 1024), np.uint32)
    run_clean(lambda: load("choose.cpp")["sort_descending"][2](x, values, indices), values, indices)
    assert np.array_equal(indices, np.argsort(-x, axis=1, kind="stable"))
    assert np.array_equal(values, -np.sort(-x, axis=1))


# Moving.


def test_rows_move_without_the_vector_unit(platform):
    source, target = random((37, 50), np.float16), np.zeros((37, 61), np.float16)
    run_clean(lambda: load("moves.cpp")["move_rows"][2](source, target, 37, 45, 50, 61), target)
    assert np.array_equal(target[:, :45], source[:, :45]) and not target[:, 45:].any()


def test_rows_by_index_and_back_by_atomic_stores(platform):
    kernels = load("moves.cpp")
    table, index = random((20, 64)), np.random.default_rng(1).integers(0, 20, 33).astype(np.int32)
    rows, sums = np.zeros((33, 64), np.float32), np.zeros((20, 64), np.float32)
    run_clean(lambda: kernels["embedding"][4](table, index, rows, 33, 64), rows)
    assert np.array_equal(rows, table[index])
    run_clean(lambda: kernels["scatter_add"][4](rows, index, sums, 33, 64), sums)
    expected = np.zeros((20, 64))
    np.add.at(expected, index, rows)
    assert np.allclose(sums, expected, atol=1e-5)


def test_transposes(platform):
    kernels = load("moves.cpp")
    x, y = random((48, 64), np.float16), np.zeros((64, 48), np.float16)
    run_clean(lambda: kernels["transpose_matrix"][3](x, y, 48, 64), y)
    assert np.array_equal(y, x.T)
    x, y = random((2, 16, 8)), np.zeros((2, 8, 16), np.float32)
    run_clean(lambda: kernels["transpose_rows"][2](x, y), y)
    assert np.array_equal(y, x.transpose(0, 2, 1))


def test_a_tail_is_shifted_by_a_pattern(platform):
    for length in (16, 17, 100, 127):
        x = random(length, np.float16)
        y = np.zeros_like(x)
        run_clean(lambda: load("moves.cpp")["abs_unaligned"][1](x, y, length), y)
        assert np.array_equal(y, abs(x)), length


def test_pools_share_their_bytes(platform):
    x, y = random(512), random(512, seed=1)
    total, difference = np.zeros_like(x), np.zeros_like(x)
    run_clean(lambda: load("moves.cpp")["pools"][1](x, y, total, difference, 512), total, difference)
    assert np.array_equal(total, x + y) and np.array_equal(difference, x - y)


def test_static_tensors_and_flags(platform):
    x, y, z = random(6144), random(6144, seed=1), np.zeros(6144, np.float32)
    run_clean(lambda: load("moves.cpp")["static_add"][2](x, y, z, 3), z)
    assert np.array_equal(z, x + y)


# Blocks that wait for each other.

TILE = 1024


def test_two_phases_with_sync_all(platform):
    x, y, partial = abs(random(8 * 4 * TILE)), np.zeros(8 * 4 * TILE, np.float32), np.zeros(64, np.float32)
    run_clean(lambda: load("sync_blocks.cpp")["normalise"][8](x, y, partial, x.size), y, partial)
    assert np.allclose(y, x / x.astype(np.float64).sum(), rtol=1e-5)


def test_sync_all_by_counters_in_global_memory(platform):
    x, sync = random((6, TILE), np.float16), np.zeros(512, np.int32)
    y, middle = np.zeros_like(x), np.zeros_like(x)
    run_clean(lambda: load("sync_blocks.cpp")["rotate_soft"][6](x, y, middle, sync), y, middle)
    assert np.array_equal(y, np.roll(x, -1, 0))


def test_blocks_one_after_another(platform):
    kernels = load("sync_blocks.cpp")
    x, sync = random((5, TILE)), np.zeros(512, np.int32)
    expected = x.copy()
    for i in range(1, 5):
        expected[i] += expected[i - 1]
    y = np.zeros_like(x)
    run_clean(lambda: kernels["chain"][5](x, y, sync), y)
    assert np.array_equal(y, expected)
    y = np.zeros(TILE, np.float32)
    run_clean(lambda: kernels["ordered_sum"][5](x, y, sync), y)
    assert np.array_equal(y, expected[4])


def test_rounds_of_cross_core_flags(platform):
    x = np.arange(4 * TILE, dtype=np.int32).reshape(4, TILE)
    expected, y = np.roll(x, -3, 0), np.zeros_like(x)
    run_clean(lambda: load("sync_blocks.cpp")["stages"][4](x, y, 3), x, y)
    assert np.array_equal(y, expected)


def test_time_of_a_barrier_is_that_of_the_slowest_block(c220):
    """Without waits in the replay, blocks would end after their own work alone."""
    source = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void uneven(int32_t work, int32_t waits) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 1024);
  for (int32_t i = 0; i < (GetBlockIdx() == 0 ? work : 1); i++) Duplicate(x, 1.0f, 1024);
  if (waits) SyncAll();
  for (int32_t i = 0; i < (GetBlockIdx() == 1 ? work : 1); i++) Duplicate(x, 1.0f, 1024);
}
"""
    kernel = ascendc.load(source)["uneven"]
    cycles = {}
    for waits in (0, 1):
        with asc.profile() as profile:
            kernel[2](400, waits)
        cycles[waits] = profile.cycles
    with asc.profile() as profile:
        kernel[2](1, 1)
    work = cycles[0] - profile.cycles
    assert work > 1000 and abs(cycles[1] - cycles[0] - work) < work / 10


def test_the_checker_sees_a_missing_barrier_between_blocks(c220):
    source = (LIBRARY / "sync_blocks.cpp").read_text()
    x, sync = random((6, TILE), np.float16), np.zeros(512, np.int32)
    y, middle = np.zeros_like(x), np.zeros_like(x)
    broken = ascendc.load(source.replace("SyncAll(syncGm, syncLocal);", ""))["rotate_soft"]
    assert [finding for finding, _ in findings_of(lambda: broken[6](x, y, middle, sync))] == ["cross.read-write"]
    # A set that does not wait for its own stores covers nothing.
    early = ascendc.load(source.replace("CrossCoreSetFlag<0, PIPE_MTE3>(5);", "CrossCoreSetFlag<0, PIPE_MTE2>(5);"))["stages"]
    x = np.zeros((4, TILE), np.int32)
    found = {finding for finding, _ in findings_of(lambda: early[4](x, np.zeros_like(x), 3))}
    assert found >= {"cross.read-write"}


def test_a_barrier_not_all_blocks_reach_is_a_finding(c220):
    source = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void stuck(int32_t first) {
  if (GetBlockIdx() >= first) SyncAll();
}
"""
    kernel = ascendc.load(source)["stuck"]
    kernel[4](0)
    assert findings_of(lambda: kernel[4](1)) == [
        ("deadlock.cross-wait", "the block waits for cross-core flag 14: of 4 blocks that must set it for each wait, 3 sets were made in all")]
    with pytest.raises(asc.KernelError, match="and the chip 48 cores|and the chip 40 cores"):
        kernel[100](0)


# The matrix unit.


@pytest.mark.parametrize("m, k, n", [(32, 64, 48), (20, 40, 32), (16, 16, 16)])
def test_mmad_with_bias_through_queues(c220, m, k, n):
    a, b, bias = random((m, k), np.float16), random((k, n), np.float16, 1), random(n, seed=2)
    c = np.zeros((m, n), np.float32)
    run_clean(lambda: load("mmad_bias.cpp")["mmad_bias"][1](a, b, bias, c, m, k, n), c)
    assert np.allclose(c, a.astype(np.float64) @ b + bias, atol=1e-3)


def test_mmad_of_bytes(c220):
    draw = np.random.default_rng(5).integers
    a, b = draw(-128, 128, (32, 96)).astype(np.int8), draw(-128, 128, (96, 64)).astype(np.int8)
    bias, c = draw(-9999, 9999, 64).astype(np.int32), np.zeros((32, 64), np.int32)
    run_clean(lambda: load("mmad_bias.cpp")["mmad_int8"][1](a, b, bias, c, 32, 96, 64), c)
    assert np.array_equal(c, a.astype(np.int32) @ b + bias)


def test_results_are_scaled_on_their_way_out(c220):
    draw = np.random.default_rng(6).integers
    a, b = draw(-9, 9, (32, 64)).astype(np.int8), draw(-9, 9, (32, 64)).astype(np.int8)
    c = np.zeros((32, 32), np.float16)
    run_clean(lambda: load("mmad_bias.cpp")["mmad_dequant"][1](a, b, c, 0.125), c)
    assert np.array_equal(c, (a.astype(np.int32) @ b.T * np.float32(0.125)).astype(np.float16))


def test_results_stay_in_fractals(c220):
    a, b, c = random((2, 32, 16), np.float16), random((16, 32), np.float16, 1), np.zeros((2, 2, 32, 16), np.float32)
    run_clean(lambda: load("mmad_bias.cpp")["mmad_nz"][2](a, b, c), c)
    expected = np.maximum(a.astype(np.float32) @ b.astype(np.float32), 0).reshape(2, 32, 2, 16).transpose(0, 2, 1, 3)
    assert np.allclose(c, expected, atol=1e-4)


# Registers of the 950.


def test_layer_norm_in_registers(c310):
    for columns in (64, 100):
        x, gamma = random((5, columns)), random(columns, seed=1)
        y = np.zeros_like(x)
        run_clean(lambda: load("registers.cpp")["layer_norm_registers"][2](x, gamma, y, 5, columns), y)
        wide = x.astype(np.float64)
        expected = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * gamma
        assert np.allclose(y, expected, atol=1e-5)


def test_a_scope_of_register_code(c310):
    x, y = random(512, np.float16), random(512, np.float16, 1)
    expected = (x.astype(np.float32) * np.float32(0.5) + y.astype(np.float32)).astype(np.float16)
    run_clean(lambda: load("registers.cpp")["axpy_scope"][2](x, y, 0.5, 256), y)
    assert np.array_equal(y, expected)


def test_buffer_ids_order_pipes(c310):
    x = random(9000)
    y = np.zeros_like(x)
    run_clean(lambda: load("registers.cpp")["doubled_mutex"][2](x, y, 9000), y)
    assert np.array_equal(y, x * 2)


def test_unsigned_words_are_reduced_in_registers(c310):
    x, y = np.random.default_rng(7).integers(0, 2**32, 640, dtype=np.uint32), np.zeros(2, np.uint32)
    run_clean(lambda: load("registers.cpp")["reduce_words"][1](x, y, 640), y)
    assert y[0] == x.sum(dtype=np.uint32) and y[1] == x.max()


# Projects of custom operators.


def project(**options):
    return asc.load_ascendc(SOURCES / "op_project/op_kernel/add_custom.cpp", **options)


TYPES = [f"-DDTYPE_{name}=half" for name in "XYZ"]


def test_a_custom_operator_finds_its_tiling_struct(platform):
    """The vendor's build puts the host's struct before the kernel; op_kernel/ and op_host/ lie beside each other."""
    library = project(options=[*TYPES, "-DTILING_KEY_VAR=1"])
    x, y, z = random(16384, np.float16), random(16384, np.float16, 1), np.zeros(16384, np.float16)
    run_clean(lambda: library["add_custom"][8](x, y, z, np.zeros(1, np.uint8), struct.pack("<IIII", 16384, 8, 0, 0)), z)
    assert np.array_equal(z, x + y)
    library.close()


def test_a_tiling_key_must_be_given(c220):
    library = project(options=TYPES)
    x = np.zeros(4096, np.float16)
    with pytest.raises(asc.KernelError, match="add_custom.cpp:78: error: TILING_KEY_IS without a key: give the compiler -DTILING_KEY_VAR=<key>"):
        library["add_custom"][1](x, x, x, np.zeros(1, np.uint8), struct.pack("<IIII", 4096, 8, 0, 0))
    library.close()


def test_an_assertion_names_its_condition(c220):
    library = project(options=[*TYPES, "-DTILING_KEY_VAR=1"])
    x = np.zeros(4096, np.float16)
    with pytest.raises(asc.KernelError, match=r"assertion 'tileNum != 0 && \"tile num can not be zero!\"' does not hold"):
        library["add_custom"][1](x, x, x, np.zeros(1, np.uint8), struct.pack("<IIII", 4096, 0, 0, 0))
    library.close()
