"""Forms of calls that are several instructions, in launched kernels on both platforms, against NumPy, and as Ascend C."""

import numpy as np
import pytest
from test_asc_emit import road as road
from test_asc_emit import same
from test_asc_more_names import C220, C310, on_core

import asc
from asc.runtime import config

FLOATS = pytest.mark.parametrize("dtype", [np.float16, np.float32])


@pytest.fixture(params=[C220, C310], autouse=True)
def platform(request):
    config.set_platform(config.Backend.Model, request.param)
    return request.param


def launched(body, x, y, z):
    """The third array after the launch: no finding, and the same however late instructions run."""

    def launch():
        result = z.copy()
        on_core[1](x, y, result, sizes=(x.size, y.size, z.size), body=body)
        return result

    with asc.check() as report:
        expected = launch()
    assert not report.findings, report.findings
    for late in ("consumers", "producers"):
        with asc.launch_mode(late=late):
            np.testing.assert_array_equal(launch(), expected)
    return expected


def written(road, body, x, y, z):
    def launch():
        result = z.copy()
        on_core[1](x, y, result, sizes=(x.size, y.size, z.size), body=body)
        return [result]

    same(road, launch)


@asc.jit
def largest(d, a, b, work):
    asc.reduce_max(d, a, work.reinterpret_cast(a.dtype), mask=20, repeat_time=5, src_rep_stride=9, cal_index=True)


@asc.jit
def smallest_of_bits(d, a, b, work):
    asc.reduce_min(d, a, work.reinterpret_cast(a.dtype), mask=[0x0F0F0F0F, 0], repeat_time=5, src_rep_stride=9, cal_index=True)


@asc.jit
def sum_of_bits(d, a, b, work):
    asc.reduce_sum(d, a, work.reinterpret_cast(a.dtype), mask=[0x0F0F0F0F, 0], repeat_time=5, src_rep_stride=9)


@FLOATS
def test_reductions_of_repeats_with_gaps(dtype, road):
    """The index is the element's place in the source, not in its repeat."""
    size = np.dtype(dtype).itemsize
    x = np.random.default_rng(5).permutation(1024).astype(dtype)
    starts = np.arange(5) * 9 * 32 // size
    bits = np.flatnonzero([0x0F0F0F0F >> i & 1 for i in range(32)])
    first, some = (starts[:, None] + np.arange(20)).ravel(), (starts[:, None] + bits).ravel()
    z = np.zeros(32, dtype)
    index = np.uint16 if size == 2 else np.uint32
    for body, places, best in ((largest, first, np.argmax), (smallest_of_bits, some, np.argmin)):
        found = launched(body, x, x, z)
        place = places[best(x[places])]
        assert found[0] == x[place] and found.view(index)[1] == place
    assert launched(sum_of_bits, x, x, z)[0] == pytest.approx(x[some].astype(np.float64).sum(), rel=2e-3)


@asc.jit
def to_pixels(d, a, b, work):
    params = asc.TransposeParamsExt(2, 16, 4, 8, asc.TransposeType.TRANSPOSE_NCHW2NHWC)
    asc.transpose(d, a, work.reinterpret_cast(asc.uint8), params)


@asc.jit
def to_channels(d, a, b, work):
    params = asc.TransposeParamsExt(n_size=1, c_size=3, h_size=4, w_size=8, transpose_type=asc.TransposeType.TRANSPOSE_NHWC2NCHW)
    asc.transpose(d, a, shared_tmp_buffer=work.reinterpret_cast(asc.uint8), params=params)


@asc.jit
def square(d, a, b, work):
    asc.transpose(d, a, work.reinterpret_cast(asc.uint8), asc.TransposeParamsExt())


@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.int16, np.float32, np.int32])
def test_channels_and_pixels_change_places(dtype):
    x = np.random.default_rng(2).integers(0, 200, 1024).astype(dtype)
    z = np.zeros(1024, dtype)
    np.testing.assert_array_equal(launched(to_pixels, x, x, z), x.reshape(2, 16, 32).transpose(0, 2, 1).ravel())
    np.testing.assert_array_equal(launched(to_channels, x, x, z)[:96], x[:96].reshape(32, 3).T.ravel())
    if np.dtype(dtype).itemsize == 2:
        np.testing.assert_array_equal(launched(square, x, x, z)[:256], x[:256].reshape(16, 16).T.ravel())


@asc.jit
def gathered(d, a, b, work):
    asc.gather(d, a, b, 64, mask=[0x5555555500000003, 0x1], repeat_times=2, dst_rep_stride=8)


@FLOATS
def test_lanes_of_bits_are_gathered(dtype):
    size = np.dtype(dtype).itemsize
    lanes = 256 // size
    x = np.arange(1024, dtype=np.float32).astype(dtype)
    places = np.random.default_rng(3).integers(0, 900, 2 * lanes).astype(np.uint32)
    z = np.full(2 * lanes, -1, dtype)
    word = [0x5555555500000003 >> i & 1 for i in range(64)] + [1] + [0] * 63
    chosen = np.tile(np.array(word[:lanes], bool), 2)
    np.testing.assert_array_equal(launched(gathered, x, places * size, z), np.where(chosen, x[places + 64 // size], z))


@pytest.mark.parametrize(
    "body", [largest, smallest_of_bits, sum_of_bits, to_pixels, to_channels, gathered], ids=lambda body: body.__name__
)
def test_the_same_in_ascend_c(body, road, platform):
    if platform == C310 and body is not to_pixels:
        pytest.skip("one form is enough on the second platform")
    x = np.random.default_rng(4).permutation(1024).astype(np.float32)
    written(road, body, x, (np.arange(128) * 4).astype(np.uint32) if body is gathered else x, np.zeros(1024, np.float32))
