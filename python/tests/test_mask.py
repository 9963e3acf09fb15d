"""asc2.mask against NumPy: elements that are not chosen become `other`, and stores touch the chosen ones only."""

import asc
import asc2
import numpy as np
import pytest
from asc.codegen.errors import CodegenError
from asc.runtime import config
from hypothesis import HealthCheck, given, settings, strategies as st
from observed import launch

DTYPES = [np.float32, np.float16, np.int32, np.int16, np.int8]


@pytest.fixture(autouse=True, params=["Ascend910B1", "Ascend950PR_9599"])
def platform(request):
    config.set_platform(config.Backend.Model, request.param)


few = settings(max_examples=60, deadline=None, derandomize=True,
               suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def chosen(shape, count=None, bits=None):
    """Which elements of a tile a mask chooses, as an array of bool."""
    flat = np.ones(int(np.prod(shape)), bool)
    if count is not None:
        flat &= np.arange(flat.size) < count
    if bits is not None:
        number = bits[0] << 64 | bits[1]
        flat &= [bool(number >> i & 1) for i in range(flat.size)]
    return flat.reshape(shape)


@asc2.jit
def arithmetic(x_ptr, y_ptr, n, shape: asc.ConstExpr, count: asc.ConstExpr, bits: asc.ConstExpr, other: asc.ConstExpr):
    zeros = [0] * len(shape)
    x = asc2.load(asc2.tensor(x_ptr, shape), shape, offsets=zeros)
    z = x
    with asc2.mask(count=n if count == "n" else count, bits=bits, other=other):
        y = asc2.relu(x * 2 - 3)
        z = asc2.where(x > 1, x, y)
    w = z + 0
    asc2.store(w, asc2.tensor(y_ptr, shape), offsets=zeros)


def expected_arithmetic(x, mine, other):
    """Each operation inside the mask is selected by itself."""
    other = x.dtype.type(other or 0)

    def masked(value):
        return np.where(mine, value, other)

    product = masked((x * 2).astype(x.dtype))
    y = masked(np.maximum(masked((product - 3).astype(x.dtype)), 0))
    greater = np.where(mine, x > 1, bool(other))
    return masked(np.where(greater, x, y))


shapes = st.sampled_from([(1,), (7,), (17,), (64,), (128,), (200,), (3, 32), (5, 32), (2, 3, 32), (4, 64), (1, 96)])


@few
@given(shape=shapes, count=st.integers(0, 300), dtype=st.sampled_from(DTYPES), other=st.sampled_from([None, 0, 3, -2]),
       runtime=st.booleans(), seed=st.integers(0, 99))
def test_counts(shape, count, dtype, other, runtime, seed):
    x = np.random.default_rng(seed).integers(-9, 9, shape).astype(dtype)
    y = np.zeros_like(x)
    launch(arithmetic, 1, x, y, count, shape=shape, count="n" if runtime else count, bits=None, other=other)
    np.testing.assert_array_equal(y, expected_arithmetic(x, chosen(shape, count), other))


words = st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 0xFF, 2**63, 2**64 - 1, 0x5555]))


@few
@given(shape=shapes, high=words, low=words, dtype=st.sampled_from(DTYPES), other=st.sampled_from([None, 5]))
def test_bits(shape, high, low, dtype, other):
    x = np.random.default_rng(0).integers(-9, 9, shape).astype(dtype)
    y = np.zeros_like(x)
    launch(arithmetic, 1, x, y, 0, shape=shape, count=None, bits=(high, low), other=other)
    np.testing.assert_array_equal(y, expected_arithmetic(x, chosen(shape, bits=(high, low)), other))


@asc2.jit
def stores(y_ptr, n, value, tensor_shape: asc.ConstExpr, shape: asc.ConstExpr, offsets: asc.ConstExpr, dtype: asc.ConstExpr,
           count: asc.ConstExpr, bits: asc.ConstExpr):
    tile = asc2.full(shape, value, dtype)
    y = asc2.tensor(y_ptr, tensor_shape)
    if bits is None:
        with asc2.mask(count=n if count == "n" else count):
            asc2.store(tile, y, offsets=offsets)
    elif count is None:
        with asc2.mask(bits=bits):
            asc2.store(tile, y, offsets=offsets)
    else:
        with asc2.mask(bits=bits):
            with asc2.mask(count=n if count == "n" else count):
                asc2.store(tile, y, offsets=offsets)


def place(y, shape, offsets, mine, value):
    """NumPy's meaning of a store: what lies inside the tensor and is chosen."""
    for index in np.argwhere(mine):
        at = tuple(i + o for i, o in zip(index, offsets))
        if all(0 <= i < d for i, d in zip(at, y.shape)):
            y[at] = value


placements = st.sampled_from([
    ((64,), (64,), (0,)), ((50,), (64,), (0,)), ((50,), (64,), (-5,)), ((300,), (200,), (90,)), ((9, 40), (4, 32), (2, 3)),
    ((9, 40), (8, 32), (3, 20)), ((9, 40), (4, 32), (-1, -7)), ((4, 64), (3, 64), (0, 0)), ((3, 5, 40), (2, 3, 32), (1, 3, 9)),
    ((3, 5, 40), (2, 3, 32), (-1, 0, -3)), ((7,), (7,), (0,)),
])


@few
@given(placement=placements, count=st.one_of(st.none(), st.integers(0, 260)), runtime=st.booleans(), dtype=st.sampled_from(DTYPES),
       bits=st.one_of(st.none(), st.tuples(words, words)))
def test_stores_write_only_chosen_elements(placement, count, runtime, dtype, bits):
    tensor_shape, shape, offsets = placement
    if count is None and bits is None:
        count = 11
    y = np.full(tensor_shape, -1, dtype)
    expected = y.copy()
    place(expected, shape, offsets, chosen(shape, count, bits), 7)
    name = str(np.dtype(dtype))
    launch(stores, 1, y, count or 0, 7, tensor_shape=tensor_shape, shape=shape, offsets=offsets, dtype=asc.DataType(name),
           count="n" if runtime and count is not None else count, bits=bits)
    np.testing.assert_array_equal(y, expected)


def test_neighbouring_blocks_do_not_disturb_each_other():
    """Each block stores 10 elements of a tile of 64; a store that rewrote the others would undo or race with its neighbours."""

    @asc2.jit
    def kernel(y_ptr, size):
        y = asc2.tensor(y_ptr, [size])
        block = asc2.block_idx()
        with asc2.mask(count=10):
            asc2.store(asc2.full([64], block, asc.int32), y, offsets=[block * 10])
        with asc2.mask(bits=(0, 0x3FF << 3)):
            asc2.store(asc2.full([64], block + 100, asc.int32), y, offsets=[1000 + block * 10 - 3])

    y = np.full(2000, -1, np.int32)
    launch(kernel, 8, y, 2000)
    expected = np.full(2000, -1, np.int32)
    expected[:80] = np.repeat(np.arange(8), 10)
    expected[1000:1080] = np.repeat(np.arange(8), 10) + 100
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32])
@pytest.mark.parametrize("mask", [dict(count=5), dict(bits=(0, 0b1101000))], ids=["count", "bits"])
def test_atomics_combine_only_chosen_elements(dtype, mask):
    @asc2.jit
    def kernel(x_ptr, y_ptr, count: asc.ConstExpr, bits: asc.ConstExpr):
        x = asc2.load(asc2.tensor(x_ptr, [2, 16]), [2, 16], offsets=[0, 0])
        with asc2.mask(count=count, bits=bits):
            asc2.atomic_add(x, asc2.tensor(y_ptr, [2, 16]), offsets=[0, 0])

    x = np.arange(32, dtype=dtype).reshape(2, 16)
    y = np.ones((2, 16), dtype)
    launch(kernel, 4, x, y, count=mask.get("count"), bits=mask.get("bits"))
    np.testing.assert_array_equal(y, 1 + 4 * np.where(chosen((2, 16), **mask), x, 0))


def test_atomics_cut_off_on_the_left_stay_atomic():
    """A tile that starts before the tensor is staged; writing its elements one by one would overwrite instead of add."""

    @asc2.jit
    def kernel(x_ptr, y_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [32]), [32], offsets=[0])
        asc2.atomic_add(x, asc2.tensor(y_ptr, [32]), offsets=[-3])

    x, y = np.arange(32, dtype=np.float32), np.ones(32, np.float32)
    launch(kernel, 4, x, y)
    np.testing.assert_array_equal(y, 1 + 4 * np.concatenate([x[3:], [0, 0, 0]]))


def test_numbers_are_element_zero():
    @asc2.jit
    def kernel(y_ptr, n):
        y = asc2.tensor(y_ptr, [16])
        with asc2.mask(count=n):
            asc2.store(1, y, offsets=[0])
        with asc2.mask(count=0):
            asc2.store(2, y, offsets=[1])
        with asc2.mask(bits=(0, 2)):
            asc2.store(3, y, offsets=[2])
        with asc2.mask(bits=(0, 1)):
            asc2.store(4, y, offsets=[3])

    for n, first in ((0, -1), (1, 1), (9, 1)):
        y = np.full(16, -1, np.int32)
        launch(kernel, 1, y, n)
        assert y[:4].tolist() == [first, -1, -1, 4]


def test_casts_comparisons_and_scalars_inside_a_mask():
    @asc2.jit
    def kernel(x_ptr, y_ptr, z_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        positive, half = x > 0, x.to(asc.float16)
        with asc2.mask(count=5, other=True):
            positive = x > 0
        y = asc2.where(positive, 1, 0)
        with asc2.mask(count=40, other=-7):
            with asc2.mask(bits=(0, 0xFFFF0000FF), other=9):
                half = (1.5 - x).to(asc.float16)
        asc2.store(y, asc2.tensor(y_ptr, [64]), offsets=[0])
        asc2.store(half, asc2.tensor(z_ptr, [64]), offsets=[0])

    x = np.random.default_rng(1).normal(size=64).astype(np.float32)
    y, z = np.zeros(64, np.int32), np.zeros(64, np.float16)
    launch(kernel, 1, x, y, z)
    first = np.arange(64) < 5
    np.testing.assert_array_equal(y, np.where(first, x > 0, True))
    mine = chosen((64,), 40, (0, 0xFFFF0000FF))
    np.testing.assert_array_equal(z, np.where(mine, np.where(mine, np.float32(1.5) - x, 9).astype(np.float16), np.float16(9)))


@pytest.mark.parametrize("count", [0, 3, 33, 64, 99])
def test_bfloat16(count):
    import torch

    @asc2.jit
    def kernel(x_ptr, y_ptr, count):
        x = asc2.load(asc2.tensor(x_ptr, [2, 32]), [2, 32], offsets=[0, 0])
        y = asc2.tensor(y_ptr, [2, 32])
        with asc2.mask(count=count, other=-1.5):
            z = x * x
            asc2.store(z, y, offsets=[0, 0])
            asc2.atomic_add(z, y, offsets=[0, 0])

    x, y = torch.linspace(-3, 3, 64, dtype=torch.bfloat16), torch.full((64,), 8, dtype=torch.bfloat16)
    launch(kernel, 1, x, y, count)
    chosen = torch.arange(64) < count
    assert torch.equal(y, torch.where(chosen, x * x + x * x, torch.tensor(8, dtype=torch.bfloat16)))


def test_a_mask_in_a_loop_and_in_a_function():
    """The mask around a call holds inside the called function; a count may change with the loop."""

    @asc2.jit
    def double(x):
        return x * 2

    @asc2.jit
    def kernel(y_ptr, n):
        total = asc2.zeros([32])
        ones = asc2.full([32], 1)
        for i in range(n):
            with asc2.mask(count=i * 3):
                total = total + double(ones)
        asc2.store(total, asc2.tensor(y_ptr, [32]), offsets=[0])

    y = np.zeros(32, np.int32)
    launch(kernel, 1, y, 6)
    expected = np.zeros(32, np.int32)
    for i in range(6):
        expected = np.where(np.arange(32) < i * 3, expected + 2, 0)
    np.testing.assert_array_equal(y, expected)


def test_names_end_with_the_mask_and_others_keep_their_value():
    @asc2.jit
    def good(y_ptr):
        a = asc2.full([16], 1)
        with asc2.mask(count=4):
            a = a + 1
        asc2.store(a, asc2.tensor(y_ptr, [16]), offsets=[0])

    @asc2.jit
    def bad(y_ptr):
        with asc2.mask(count=4):
            a = asc2.full([16], 1)
        asc2.store(a, asc2.tensor(y_ptr, [16]), offsets=[0])

    y = np.zeros(16, np.int32)
    launch(good, 1, y)
    assert y.tolist() == [2] * 4 + [0] * 12
    with pytest.raises(CodegenError, match="NameError: a is not defined here: it was bound inside the with at line"):
        bad[1](y)


@pytest.mark.parametrize("arguments, cause, text", [
    ("", ValueError, "asc2.mask needs exactly one of count and bits"),
    ("count=1, bits=(0, 1)", ValueError, "asc2.mask needs exactly one of count and bits, both were given"),
    ("count=-1", ValueError, "the count of a mask must be between 0 and 2147483647, not -1"),
    ("count=1.5", TypeError, "the count of a mask must be an integer, not the float 1.5"),
    ("bits=3", TypeError, "the bits of a mask must be a tuple or a list, not the int 3"),
    ("bits=(1, 2, 3)", ValueError, "the bits of a mask are two ints, high and low 64 bits, not 3 values"),
    ("bits=(0, -1)", ValueError, "the bits of a mask have 64 bits each and are not negative, not -1"),
    ("bits=(0, 2**64)", ValueError, "the bits of a mask have 64 bits each and are not negative, not 18446744073709551616"),
    ("bits=(0, n)", TypeError, "the bits of a mask must be ints known while compiling, not a runtime int32"),
    ("count=1, other='x'", TypeError, "other of a mask must be a number, not the str 'x'"),
])
def test_wrong_masks(arguments, cause, text):
    from frontend import error_of

    error = error_of(f"with asc2.mask({arguments}):\n    pass")
    assert text in str(error) and isinstance(error.exception, cause)


def test_other_context_managers_run_while_compiling():
    from frontend import lower_text, ptr

    events = []

    class Context:

        def __enter__(self):
            events.append("enter")
            return 5

        def __exit__(self, *error):
            events.append("exit")

    text = lower_text("""
        def kernel(y):
            with context as n:
                asc2.store(n, asc2.tensor(y, [1]), offsets=[0])
        """, ptr("int32"), names={"context": Context()})
    assert events == ["enter", "exit"] and "arith.constant 5" in text


def test_a_name_bound_by_with_counts_as_changed_by_the_loop_around_it():
    """Otherwise the loop would leave the value of before."""
    from frontend import error_of

    text = str(error_of("q = n\nfor i in range(n):\n    with asc2.mask(count=1) as q:\n        pass\nasc2.store(q, k, offsets=[0])"))
    assert "q is a runtime int32 before the loop and None after one iteration" in text


def test_what_is_no_context_manager():
    from frontend import error_of

    assert "a runtime int32 is not a context manager" in str(error_of("with n:\n    pass"))
    assert "a with statement takes one item inside a kernel" in str(
        error_of("with asc2.mask(count=1), asc2.mask(count=2):\n    pass"))
