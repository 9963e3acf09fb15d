"""Calls whose operands come from registers: scales of conversions, padding, the precision of products; in launched kernels, against NumPy."""

import numpy as np
import pytest
from test_asc_emit import road as road
from test_asc_emit import same
from test_asc_forms import launched, written
from test_asc_more_names import C220, C310

import asc
from asc.runtime import config
from asc.runtime.config import KernelType

BOTH = pytest.mark.parametrize("part", [C220, C310])
SCALES = [0.25 * (i + 1) for i in range(16)]
OFFSETS = [3 * i - 20 for i in range(16)]
UNSIGNED = [False] * 16


# CastDeq: 16 integers of 16 bits become half a block of bytes.


@asc.jit
def first_halves(d, a, b, work):
    asc.set_deq_scale(scale=0.5, offset=-7, sign_mode=True)
    asc.cast_deq(d, a, count=100, is_vec_deq=False, half_block=False)


@asc.jit
def second_halves(d, a, b, work):
    asc.set_deq_scale(0.5, -7, True)
    asc.cast_deq(d, a, 100, 2, asc.UnaryRepeatParams(1, 1, 8, 8), is_vec_deq=False)


@asc.jit
def single_lanes(d, a, b, work):
    asc.set_deq_scale(0.5, -7, True)
    asc.cast_deq(
        d, a, mask=[0x0F00FF0000000003, 1 << 63], repeat_times=2, repeat_params=asc.UnaryRepeatParams(2, 1, 16, 8), is_vec_deq=False
    )


@asc.jit
def by_columns(d, a, b, work):
    info = asc.VdeqInfo(SCALES, OFFSETS, UNSIGNED)
    asc.set_deq_scale(work.reinterpret_cast(asc.uint64), info)
    asc.cast_deq(d, a, count=100, half_block=False)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.cast_deq(d, a[256:], 128, 1, asc.UnaryRepeatParams(), half_block=True)


def scaled(x, scale, offset, low, high):
    return np.clip(np.rint(x.astype(np.float32) * np.float32(scale)) + offset, low, high)


@BOTH
def test_integers_become_bytes(part, road):
    config.set_platform(config.Backend.Model, part)
    x = np.random.default_rng(1).integers(-700, 700, 512).astype(np.int16)
    z = np.full(1024, 99, np.int8)
    signed = scaled(x, 0.5, -7, -128, 127).reshape(-1, 16)

    expected = z.reshape(-1, 32).copy()
    expected[:6, :16], expected[6, :4] = signed[:6], signed[6, :4]
    np.testing.assert_array_equal(launched(first_halves, x, x, z), expected.ravel())

    expected = z.reshape(2, 16, 32)[:, :8].copy()
    for repeat in range(2):
        lanes = expected[repeat, :, 16:].reshape(-1).copy()
        lanes[:100] = signed[8 * repeat : 8 * repeat + 8].ravel()[:100]
        expected[repeat, :, 16:] = lanes.reshape(8, 16)
    np.testing.assert_array_equal(launched(second_halves, x, x, z)[:512], expected.ravel()[:512])

    words = [0x0F00FF0000000003, 1 << 63]
    active = np.array([words[i // 64] >> i % 64 & 1 for i in range(128)], bool).reshape(8, 16)
    expected = z.reshape(2, 8, 2, 32).copy()
    for repeat in range(2):
        half = expected[repeat, :, 0, 16:]
        half[active] = signed[8 * repeat : 8 * repeat + 8][active]
    np.testing.assert_array_equal(launched(single_lanes, x, x, z), expected.ravel())

    z = z.view(np.uint8)
    columns = scaled(x.reshape(-1, 16), np.array(SCALES), np.array(OFFSETS), 0, 255)
    expected = z.reshape(-1, 32).copy()
    expected[:6, :16], expected[6, :4] = columns[:6], columns[6, :4]
    expected[:8, 16:] = columns[16:24]
    np.testing.assert_array_equal(launched(by_columns, x, x, z), expected.ravel())
    if part == C220:
        for body in (second_halves, single_lanes):
            written(road, body, x, x, z.view(np.int8))
        written(road, by_columns, x, x, z)


# One source by bits, the other a number in the compare register.


@asc.jit
def source_or_number(d, a, b, work):
    number = work.reinterpret_cast(a.dtype)
    asc.duplicate(number, 2.5, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.set_cmp_mask(number)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.select(d, b, a, repeat_times=3, repeat_params=asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8))


@BOTH
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_one_source_by_bits(part, dtype, road):
    config.set_platform(config.Backend.Model, part)
    x = np.random.default_rng(2).standard_normal(512).astype(dtype)
    bits = np.random.default_rng(3).integers(0, 256, 64).astype(np.uint8)
    z = np.zeros(512, dtype)
    count = 3 * 256 // z.itemsize
    chosen = np.unpackbits(bits, bitorder="little")[:count].astype(bool)
    expected = z.copy()
    expected[:count] = np.where(chosen, x[:count], dtype(2.5))
    np.testing.assert_array_equal(launched(source_or_number, x, bits, z), expected)
    if part == C220:
        written(road, source_or_number, x, bits, z)


# Scattering single lanes, which the 950 has.


@asc.jit
def scattered(d, a, b, work):
    asc.scatter(d, a, b, 32, mask=[0xF0000000000000FF, 0x3], repeat_times=2, src_rep_stride=9)


@asc.jit
def scattered_first(d, a, b, work):
    asc.scatter(d, a, dst_offset=b, dst_base=0, mask=50, repeat_times=2, src_rep_stride=8)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int32])
def test_lanes_are_scattered(dtype):
    config.set_platform(config.Backend.Model, C310)
    draw = np.random.default_rng(4)
    size = np.dtype(dtype).itemsize
    lanes = 256 // size
    x = draw.integers(-99, 99, 1024).astype(dtype)
    places = draw.permutation(900)[: 2 * lanes].astype(np.uint32)
    z = np.zeros(1024, dtype)
    words = [0xF0000000000000FF, 0x3]
    some = [i for i in range(lanes) if words[i // 64] >> i % 64 & 1]
    for body, stride, base, active in ((scattered, 9, 32, some), (scattered_first, 8, 0, range(50))):
        expected = z.copy()
        for repeat in range(2):
            for i in active:
                expected[places[repeat * lanes + i] + base // size] = x[repeat * stride * 32 // size + i]
        np.testing.assert_array_equal(launched(body, x, places * size, z), expected)


# Padding.


@asc.jit
def padded(x: asc.GlobalAddress, out: asc.GlobalAddress):
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    go = asc.GlobalTensor()
    go.set_global_buffer(out)
    rows = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    asc.set_pad_value(asc.number(37, x.dtype))
    asc.data_copy_pad(rows, gx, asc.DataCopyParams(2, 10, 0, 0), asc.DataCopyPadParams(False, 2, 1, 0))
    asc.data_copy_pad(rows[32:], gx, asc.DataCopyExtParams(2, 10, 0, 0, 0), asc.DataCopyPadExtParams(x.dtype, True, 1, 0, 5))
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(go, rows, 64)


@BOTH
@pytest.mark.parametrize("dtype", [np.float16, np.int16])
def test_a_register_pads(part, dtype, road):
    """A value that comes with the copy goes before what was set."""
    config.set_platform(config.Backend.Model, part)
    x = np.arange(1, 17).astype(dtype)

    def launch():
        out = np.zeros(64, dtype)
        padded[1](x, out)
        return [out]

    with asc.check() as report:
        (out,) = launch()
    assert not report.findings, report.findings
    for row, left, value in ((0, 2, 37), (1, 2, 37), (2, 1, 5), (3, 1, 5)):
        expected = np.full(16, value, dtype)
        expected[left : left + 5] = x[row % 2 * 5 :][:5]
        np.testing.assert_array_equal(out[16 * row : 16 * row + 16], expected)
    if part == C220:
        same(road, launch)


# The cube core.


@asc.jit
def ordered():
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


@asc.jit(kernel_type=KernelType.AIC_ONLY)
def scaled_columns(
    a: asc.GlobalAddress, b: asc.GlobalAddress, scales: asc.GlobalAddress, out: asc.GlobalAddress, nz: asc.GlobalAddress
):
    """The product of bytes as halves by column: rows straight to GM, and fractals by way of L1."""
    a_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a)
    b_gm = asc.GlobalTensor()
    b_gm.set_global_buffer(b)
    s_gm = asc.GlobalTensor()
    s_gm.set_global_buffer(scales)
    o_gm = asc.GlobalTensor()
    o_gm.set_global_buffer(out)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(nz)
    a1 = asc.LocalTensor(asc.int8, asc.TPosition.A1, 0, 512)
    b1 = asc.LocalTensor(asc.int8, asc.TPosition.B1, 1024, 1024)
    s1 = asc.LocalTensor(asc.uint64, asc.TPosition.A1, 4096, 32)
    back = asc.LocalTensor(asc.float16, asc.TPosition.A1, 8192, 512)
    a2 = asc.LocalTensor(asc.int8, asc.TPosition.A2, 0, 512)
    b2 = asc.LocalTensor(asc.int8, asc.TPosition.B2, 0, 1024)
    c = asc.LocalTensor(asc.int32, asc.TPosition.CO1, 0, 512)
    asc.data_copy(a1, a_gm, 512)
    asc.data_copy(b1, b_gm, 1024)
    asc.data_copy(s1, s_gm, 32)
    ordered()
    asc.load_data(a2, a1, asc.LoadData2DParams(0, 1, 1, 0, 0, False, 0))
    asc.load_data(b2, b1, asc.LoadData2DParams(0, 2, 1, 0, 0, False, 0))
    ordered()
    asc.mmad(c, a2, b2, asc.MmadParams(16, 32, 32))
    ordered()
    asc.fixpipe(o_gm, c, s1, asc.FixpipeParamsV220(32, 16, 16, 32, asc.QuantModes.VDEQF16))
    asc.fixpipe(back, c, s1, asc.FixpipeParamsV220(32, 16, 16, 16, asc.QuantModes.VDEQF16), config=asc.FixpipeConfig.cfg_nz())
    ordered()
    asc.data_copy(z_gm, back, 512)


def test_scales_of_columns(road):
    config.set_platform(config.Backend.Model, C220)
    draw = np.random.default_rng(7)
    a, b = draw.integers(-9, 9, (16, 32)).astype(np.int8), draw.integers(-9, 9, (32, 32)).astype(np.int8)
    factors = np.array([0.25 * (i + 1) for i in range(32)], np.float32)
    scales = factors.view(np.uint32).astype(np.uint64)

    def launch():
        out, nz = np.zeros((16, 32), np.float16), np.zeros((2, 16, 16), np.float16)
        scaled_columns[1](a, b.T.copy(), scales, out, nz)  # fractals of L0B hold columns
        return [out, nz]

    with asc.check() as report:
        out, nz = launch()
    assert not report.findings, report.findings
    expected = ((a.astype(np.int32) @ b) * factors).astype(np.float16)
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(nz.transpose(1, 0, 2).reshape(16, 32), expected)
    same(road, launch)


@asc.jit(kernel_type=KernelType.AIC_ONLY)
def shorter(a: asc.GlobalAddress, b: asc.GlobalAddress, out: asc.GlobalAddress, cut: asc.ConstExpr[bool]):
    """A product of one fractal each that comes straight from global memory, where the chip has that way."""
    a_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a)
    b_gm = asc.GlobalTensor()
    b_gm.set_global_buffer(b)
    o_gm = asc.GlobalTensor()
    o_gm.set_global_buffer(out)
    a2 = asc.LocalTensor(asc.float32, asc.TPosition.A2, 0, 256)
    b2 = asc.LocalTensor(asc.float32, asc.TPosition.B2, 0, 256)
    c = asc.LocalTensor(asc.float32, asc.TPosition.CO1, 0, 256)
    asc.set_hf32_mode(True)
    asc.set_hf32_trans_mode(cut)
    asc.load_data(a2, a_gm, asc.LoadData2DParams(1, 2, 2, 0, 0, False, 0))
    asc.load_data(b2, b_gm, asc.LoadData2DParams(0, 2, 1, 0, 0, False, 0))
    ordered()
    asc.mmad(c, a2, b2, asc.MmadParams(16, 16, 16))
    ordered()
    asc.set_hf32_mode(False)
    asc.fixpipe(o_gm, c, asc.FixpipeParamsV220(16, 16, 16, 16))


def shortened(x, cut):
    """11 bits of the mantissa, as the 910B keeps them."""
    bits = x.view(np.uint32).astype(np.uint64)
    if not cut:
        bits = bits + 2047 + (bits >> 12 & 1)
    return (bits & 0xFFFFF000).astype(np.uint32).view(np.float32)


@pytest.mark.parametrize("cut", [False, True])
def test_shorter_factors_from_global_memory(cut, road):
    config.set_platform(config.Backend.Model, C220)
    draw = np.random.default_rng(8)
    fractals = draw.standard_normal((4, 16, 8)).astype(np.float32)
    a = np.concatenate([fractals[1], fractals[3]], axis=1)
    b = draw.standard_normal((16, 16)).astype(np.float32)  # [k, n]
    b_fractals = b.T.reshape(16, 2, 8).transpose(1, 0, 2).copy()

    def launch():
        out = np.zeros((16, 16), np.float32)
        shorter[1](fractals, b_fractals, out, cut)
        return [out]

    with asc.check() as report:
        (out,) = launch()
    assert not report.findings, report.findings
    short = shortened(a, cut).astype(np.float64) @ shortened(b, cut).astype(np.float64)
    np.testing.assert_allclose(out, short, rtol=1e-5, atol=1e-5)
    assert np.abs(out - a.astype(np.float64) @ b).max() > 2e-5  # whole factors give something else
    same(road, launch)
