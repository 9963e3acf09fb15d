"""Arrays that are not contiguous: the kernel sees their elements in order, and writes them where they are."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import asc
import asc2

torch = pytest.importorskip("torch")


@asc2.jit
def add_one(x_ptr, y_ptr, size, tile: asc.ConstExpr[int] = 64):
    x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x, [tile], tile_id=[i]) + 1, y, tile_id=[i])


@asc2.jit
def store_first(x_ptr, y_ptr, size):
    """Leaves most of y as it was."""
    x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    asc2.store(asc2.load(x, offsets=[size - 1]), y, offsets=[0])


def ramp(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


VIEWS = {
    "every second": lambda a: a[:, ::2],
    "columns": lambda a: a[:, 3:9],
    "transposed": lambda a: a.T,
    "backwards": lambda a: a[::-1, ::-1],
    "one column": lambda a: a[:, 5],
    "Fortran order": lambda a: np.asfortranarray(a),
    "three dimensions": lambda a: a.reshape(4, 5, 16).transpose(2, 0, 1)[1::3],
    "an axis of one": lambda a: a[:, None, ::4],
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32])
def test_views_are_read_and_written(view, dtype):
    from_, into = ramp(20, 16).astype(dtype), np.full((20, 16), 77, dtype)
    x, y = view(from_), view(into)
    if dtype == np.int8:
        copy = store_first
        expected = y.copy()
        expected.reshape(-1)[0] = x.reshape(-1)[-1]
    else:
        copy, expected = add_one, (x + 1).astype(dtype)
    around = into.copy()
    copy[2](x, y, x.size)
    np.testing.assert_array_equal(y, expected)
    np.testing.assert_array_equal(from_, ramp(20, 16).astype(dtype))
    view(around)[...] = expected  # what is not in the view stays
    np.testing.assert_array_equal(into, around)


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(-3, 3).filter(bool), st.booleans()), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_view_against_numpy(axes):
    shape = [size * abs(step) for size, step, _ in axes]
    base = np.zeros(shape, np.float32)
    order = np.argsort([flip for *_, flip in axes], kind="stable")
    y = base[tuple(slice(None, None, step) for _, step, _ in axes)].transpose(order)
    x = ramp(*y.shape)
    add_one[1](x, y, x.size)
    np.testing.assert_array_equal(y, x + 1)
    assert np.count_nonzero(base) == y.size


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int32])
def test_torch_views(dtype):
    x, into = torch.arange(320).reshape(20, 16).to(dtype), torch.zeros(16, 20, dtype=dtype)
    add_one[2](x.t(), into[:, ::2].expand(16, 10), 160)
    assert torch.equal(into[:, ::2].reshape(-1), x.t().reshape(-1)[:160] + 1)
    assert (into[:, 1::2] == 0).all()


def test_negated_torch_views_are_refused():
    """Their memory holds the opposite of what they show."""
    y = torch.zeros(8)
    x = torch.complex(torch.zeros(8), torch.arange(8.)).conj().imag
    with pytest.raises(ValueError, match=r"argument 'x_ptr' is a view that negates its elements .*resolve_neg"):
        add_one[1](x, y, 8)


def test_dlpack_and_memoryview():
    class Foreign:
        def __init__(self, tensor):
            self.tensor = tensor

        def __dlpack__(self, **kwargs):
            return self.tensor.__dlpack__(**kwargs)

        def __dlpack_device__(self):
            return self.tensor.__dlpack_device__()

    into = torch.zeros(8, 2)
    add_one[1](ramp(8), Foreign(into[:, 1]), 8)
    assert into[:, 1].tolist() == [1, 2, 3, 4, 5, 6, 7, 8] and (into[:, 0] == 0).all()
    raw = memoryview(bytearray(64)).cast("f")
    add_one[1](ramp(8), raw[::2], 8)
    assert list(raw) == [v for i in range(8) for v in (i + 1.0, 0.0)]


def test_repeated_elements_may_be_read_but_not_written():
    row, y = ramp(1, 8), np.zeros((4, 8), np.float32)
    x = np.broadcast_to(row, (4, 8))
    add_one[1](x, y, 32)
    np.testing.assert_array_equal(y, x + 1)
    windows = np.lib.stride_tricks.sliding_window_view(ramp(8), 3, writeable=True)
    repeated = np.lib.stride_tricks.as_strided(np.zeros(8, np.float32), (4, 8), (0, 4))
    for out in (windows, repeated):
        before = out.copy()
        with pytest.raises(ValueError, match=r"elements of argument 'y_ptr' \(shape \(\d, \d\), strides \(\d, 4\)\) share memory, but the "
                                             "kernel 'add_one' writes to it; pass a copy"):
            add_one[1](ramp(out.size), out, out.size)
        np.testing.assert_array_equal(out, before)
    with pytest.raises(ValueError, match="argument 'y_ptr' is read-only, but the kernel 'add_one' writes to it"):
        add_one[1](y, x, 32)
    # Strides look as if elements met, but they do not: 2 elements 12 bytes apart, 3 of 8.
    meets = np.lib.stride_tricks.as_strided(np.zeros(16, np.float32), (2, 3), (12, 8))
    add_one[1](ramp(6), meets, 6)
    np.testing.assert_array_equal(meets.reshape(-1), ramp(6) + 1)


def test_the_same_view_twice_is_one_memory():
    base = ramp(20, 16)
    x = base[:, ::2]
    add_one[2](x, x, x.size)
    expected = ramp(20, 16)
    expected[:, ::2] += 1
    np.testing.assert_array_equal(base, expected)
    # A block reads what an earlier tile of the same memory wrote.
    base = np.zeros((4, 2), np.float32)
    store_first[1](base[:, 0], base[:, 0], 4)


def test_views_that_share_elements_are_refused_by_name():
    base = ramp(64)
    match = "arguments 'x_ptr' and 'y_ptr' share memory, '{}' is not contiguous, and the kernel 'add_one' writes to one of them"
    for x, y, strided in ((base[::2], base[:32], "x_ptr"), (base[:32], base[::2], "y_ptr"), (base[::2], base[::4], "x_ptr"),
                          (base[::-1], base[::1], "x_ptr")):
        with pytest.raises(ValueError, match=match.format(strided)):
            add_one[1](x, y, min(x.size, y.size))
    np.testing.assert_array_equal(base, ramp(64))


def test_views_that_only_interleave_are_apart():
    base = ramp(8, 8)
    add_one[1](base[:, :4], base[:, 4:], 32)
    np.testing.assert_array_equal(base[:, :4], ramp(8, 8)[:, :4])
    np.testing.assert_array_equal(base[:, 4:], base[:, :4] + 1)
    flat = ramp(64)
    add_one[1](flat[::2], flat[1::2], 32)
    np.testing.assert_array_equal(flat[1::2], flat[::2] + 1)


def test_views_that_are_only_read_may_share():
    @asc2.jit
    def add(x_ptr, y_ptr, z_ptr, size):
        x, y, z = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size]), asc2.tensor(z_ptr, [size])
        asc2.store(asc2.load(x, [32], offsets=[0]) + asc2.load(y, [32], offsets=[0]), z, offsets=[0])

    base, z = ramp(64), np.zeros(32, np.float32)
    add[1](base[::2], base[32:], z, 32)
    np.testing.assert_array_equal(z, base[::2] + base[32:])


def test_empty_views():
    base = ramp(8, 8)
    add_one[1](base[:0, ::2], base[3:3, ::2], 0)
    add_one[1](torch.zeros(4, 4)[:, :0].t(), torch.zeros(0), 0)
    np.testing.assert_array_equal(base, ramp(8, 8))


def test_checked_launches_see_the_copies():
    base = ramp(20, 16)
    with asc.check() as report:
        add_one[2](base[:, :8], base[:, 8:], 160)
    assert report.launches and not report.findings
    np.testing.assert_array_equal(base[:, 8:], base[:, :8] + 1)


def test_the_other_byte_order_is_refused_by_name():
    y = np.zeros(8, np.float32)
    for dtype in (">f4", ">i2"):
        with pytest.raises(TypeError, match=f"argument 'x_ptr' has dtype {dtype}, in the byte order of another machine"):
            add_one[1](np.zeros(8, dtype), y, 8)
    with pytest.raises(TypeError, match="argument 'x_ptr' has dtype >f8"):
        add_one[1](np.zeros(8, ">f8"), y, 8)


def test_booleans_are_int8():
    flags, out = np.array([True, False, True] * 11), np.zeros(33, np.bool_)
    store_first[1](flags, out, 33)
    assert out[0] and not out[1:].any()
    also = torch.zeros(33, dtype=torch.bool)
    store_first[1](torch.from_numpy(flags), also, 33)
    assert also[0] and not also[1:].any()
