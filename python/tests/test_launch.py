"""kernel[core_num](...): binding, argument kinds, aliasing, threads."""

import array
import ctypes
import threading

import numpy as np
import pytest

import asc
import asc2
from asc.runtime import config

torch = pytest.importorskip("torch")


@asc2.jit
def scale_kernel(x_ptr, y_ptr, size, factor, tile: asc.ConstExpr[int] = 256):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [tile], tile_id=[i]) * factor, y_gm, tile_id=[i])


@asc2.jit
def blocks_kernel(out_ptr):
    out = asc2.tensor(out_ptr, [64])
    asc2.store(asc2.block_num(), out, offsets=[asc2.block_idx() * 16])


@pytest.fixture(autouse=True)
def platform():
    config.set_platform(config.Backend.Model, config.Platform.Ascend910B1)


def ramp(size, dtype=np.float32):
    return np.arange(size).astype(dtype)


def test_numpy_arrays_are_written_in_place():
    x, y = ramp(1000), np.zeros(1000, np.float32)
    assert scale_kernel[4](x, y, 1000, 2.0) is None
    np.testing.assert_array_equal(y, 2 * ramp(1000))
    np.testing.assert_array_equal(x, ramp(1000))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int16, np.int32])
def test_numpy_dtypes(dtype):
    x, y = ramp(300, dtype), np.zeros(300, dtype)
    scale_kernel[2](x, y, 300, 3 if np.issubdtype(dtype, np.integer) else 3.0)
    np.testing.assert_array_equal(y, 3 * x)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.int16, torch.int32])
def test_torch_dtypes(dtype):
    x = torch.arange(200).to(dtype)
    y = torch.zeros_like(x)
    scale_kernel[2](x, y, 200, 2 if not dtype.is_floating_point else 2.0)
    assert torch.equal(y, x * 2)


def test_multidimensional_arrays_are_their_elements():
    x, y = ramp(600).reshape(2, 3, 100), np.zeros((2, 3, 100), np.float32)
    scale_kernel[1](x, y, 600, 2.0)
    np.testing.assert_array_equal(y, 2 * x)


@pytest.mark.parametrize("factor", [2.0, np.float32(2), np.float64(2), torch.tensor(2.0), torch.tensor(2.0, dtype=torch.float32)])
def test_scalars_of_every_kind(factor):
    x, y = ramp(100), np.zeros(100, np.float32)
    scale_kernel[1](x, y, 100, factor)
    np.testing.assert_array_equal(y, 2 * x)


@pytest.mark.parametrize("size", [100, np.int32(100), torch.tensor(100, dtype=torch.int32), np.int64(100)])
def test_integers_of_every_kind(size):
    x, y = ramp(200), np.zeros(200, np.float32)
    scale_kernel[1](x, y, size, 2.0)
    np.testing.assert_array_equal(y[:100], 2 * x[:100])
    assert (y[100:] == 0).all()


def test_zero_dim_tensor_scalar_of_bfloat16():
    x = torch.arange(64).to(torch.bfloat16)
    y = torch.zeros_like(x)
    scale_kernel[1](x, y, 64, torch.tensor(0.5, dtype=torch.bfloat16))
    assert torch.equal(y, x * 0.5)


def test_buffers_and_dlpack():
    x, y = array.array("f", range(50)), bytearray(200)
    out = memoryview(y).cast("f")
    scale_kernel[1](x, out, 50, 2.0)
    assert list(out) == [2.0 * i for i in range(50)]
    raw = (ctypes.c_float * 50)()
    scale_kernel[1](x, raw, 50, 3.0)
    assert list(raw) == [3.0 * i for i in range(50)]

    class Foreign:  # what a library neither numpy nor torch hands over
        def __init__(self, tensor):
            self.tensor = tensor

        def __dlpack__(self, **kwargs):
            return self.tensor.__dlpack__(**kwargs)

        def __dlpack_device__(self):
            return self.tensor.__dlpack_device__()

    z = torch.zeros(50)
    scale_kernel[1](x, Foreign(z), 50, 4.0)
    assert z.tolist() == [4.0 * i for i in range(50)]


def test_keywords_and_defaults():
    x, y = ramp(100), np.zeros(100, np.float32)
    scale_kernel[2](factor=2.0, size=100, y_ptr=y, x_ptr=x)
    np.testing.assert_array_equal(y, 2 * x)
    scale_kernel[2](x, y, factor=3.0, size=100, tile=64)
    np.testing.assert_array_equal(y, 3 * x)
    scale_kernel[2](x, y, 100, **{"fac" + "tor": 4.0})
    np.testing.assert_array_equal(y, 4 * x)


@pytest.mark.parametrize("call, text", [
    (lambda k, x: k(x, x, 10, 2.0, 64, 5), r"scale_kernel\(\) takes 5 arguments but 6 were given"),
    (lambda k, x: k(x, x, 10), r"scale_kernel\(\) is missing argument 'factor'"),
    (lambda k, x: k(x), r"scale_kernel\(\) is missing arguments 'y_ptr', 'size', 'factor'"),
    (lambda k, x: k(x, x, 10, 2.0, x_ptr=x), r"scale_kernel\(\) got multiple values for argument 'x_ptr'"),
    (lambda k, x: k(x, x, 10, 2.0, colour=1), r"scale_kernel\(\) got an unexpected argument 'colour'"),
    (lambda k, x: k("x", x, 10, 2.0), "Argument type in JIT function is not supported: str"),
    (lambda k, x: k(x.astype(np.float64), x, 10, 2.0), "argument 'x_ptr' has dtype float64"),
    (lambda k, x: k(x.astype(np.complex64), x, 10, 2.0), "argument 'x_ptr' has dtype complex64"),
    (lambda k, x: k(torch.zeros(4, dtype=torch.float64), x, 10, 2.0), "argument 'x_ptr' has dtype torch.float64"),
])
def test_wrong_arguments_are_type_errors(call, text):
    with pytest.raises(TypeError, match=text):
        call(scale_kernel[1], ramp(10))


def test_constants_are_checked_against_their_annotation():
    with pytest.raises(RuntimeError, match="argument 'tile' must be int, but is float"):
        scale_kernel[1](ramp(10), ramp(10), 10, 2.0, tile=64.0)


def test_an_int_that_does_not_fit():
    for size in (5_000_000_000, 1 << 31, -(1 << 31) - 1, 1 << 70):
        with pytest.raises(OverflowError, match=f"argument 'size' = {size} does not fit into int32"):
            scale_kernel[1](ramp(10), ramp(10), size, 2.0)


def test_read_only_arrays_may_be_read_but_not_written():
    x, y = ramp(10), np.zeros(10, np.float32)
    x.flags.writeable = False
    scale_kernel[1](x, y, 10, 2.0)
    np.testing.assert_array_equal(y, 2 * x)
    with pytest.raises(ValueError, match="argument 'y_ptr' is read-only, but the kernel 'scale_kernel' writes to it"):
        scale_kernel[1](y, x, 10, 2.0)
    np.testing.assert_array_equal(x, ramp(10))


@pytest.mark.parametrize("core_num", [0, -1, 65536, 1 << 40, 1 << 80])
@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend910B4-1", "Ascend950PR_9599"])
def test_core_num_is_what_the_platform_can_count(core_num, platform):
    config.set_platform(config.Backend.Model, platform)
    with pytest.raises(ValueError, match=f"core_num must be between 1 and 65535 on {platform}, not {core_num}"):
        scale_kernel[core_num]
    with pytest.raises(ValueError, match=f"core_num must be between 1 and 65535 on {platform}, not {core_num}"):
        scale_kernel[1](ramp(10), ramp(10), 10, 2.0, core_num=core_num)


def test_core_num_of_the_call_and_of_the_decorator():
    """The nearest one counts, and naming one compiles nothing anew."""
    out = np.zeros(64, np.int32)
    blocks_kernel[2](out, core_num=3, stream=None)
    assert out[::16].tolist() == [3, 3, 3, 0]
    fixed = asc2.jit(core_num=4)(blocks_kernel.fn)
    fixed(out)
    assert out[::16].tolist() == [4, 4, 4, 4]
    fixed(out, core_num=1)
    assert out[::16].tolist() == [1, 4, 4, 4]
    fixed[2](out)
    assert out[::16].tolist() == [2, 2, 4, 4]


def test_more_blocks_than_cores_run_in_waves():
    x, y = ramp(10_000), np.zeros(10_000, np.float32)
    for blocks, waves in ((1, 1), (48, 1), (49, 2), (96, 2), (500, 11)):
        with asc.profile() as report:
            scale_kernel[blocks](x, y, 10_000, 2.0, tile=64)
        np.testing.assert_array_equal(y, 2 * x)
        assert report.launches[0].waves == waves
        assert (f"{blocks} blocks on Ascend910B1 in {waves} waves" in str(report)) == (waves > 1)


@pytest.mark.parametrize("configuration", ["4", 1.5, None, (1, 2, 3), ()])
def test_core_num_must_be_an_integer(configuration):
    with pytest.raises(TypeError):
        scale_kernel[configuration]


def test_a_stream_may_be_named():
    x, y = ramp(10), np.zeros(10, np.float32)
    scale_kernel[1, None](x, y, 10, 2.0)
    np.testing.assert_array_equal(y, 2 * x)


def test_pending_launches_are_independent():
    """kernel[4] followed by kernel[8] must not turn the first into a launch of 8 blocks."""
    two, four = blocks_kernel[2], blocks_kernel[4]
    out = np.zeros(64, np.int32)
    two(out)
    assert out[::16].tolist() == [2, 2, 0, 0]
    four(out)
    assert out[::16].tolist() == [4, 4, 4, 4]


def test_calling_the_function_itself_runs_python():
    @asc2.jit
    def plain(a, b=2):
        return a + b

    assert plain(1) == 3
    assert plain.__name__ == "plain" and plain.fn(2, 2) == 4


def test_the_same_array_twice_is_one_array():
    x = ramp(1000)
    scale_kernel[4](x, x, 1000, 2.0)
    np.testing.assert_array_equal(x, 2 * ramp(1000))


def test_overlapping_arrays_share_their_bytes():
    """Separate device copies would lose what one argument writes and the other holds."""
    base = ramp(1024)
    scale_kernel[1](base[:512], base[256:768], 512, 0.0, tile=512)
    expected = ramp(1024)
    expected[256:768] = 0
    np.testing.assert_array_equal(base, expected)


def test_empty_arrays_are_legal():
    empty = np.zeros(0, np.float32)
    scale_kernel[2](empty, empty, 0, 2.0)


def test_one_parameter_may_be_array_or_scalar():
    @asc2.jit
    def add(x_ptr, y, out_ptr, size, is_scalar: asc.ConstExpr[bool]):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0])
        if is_scalar:
            result = x + y
        else:
            result = x + asc2.load(asc2.tensor(y, [size]), [64], offsets=[0])
        asc2.store(result, asc2.tensor(out_ptr, [size]), offsets=[0])

    x, out = ramp(64), np.zeros(64, np.float32)
    add[1](x, 3.0, out, 64, True)
    np.testing.assert_array_equal(out, x + 3)
    add[1](x, x, out, 64, False)
    np.testing.assert_array_equal(out, 2 * x)


def test_launches_from_several_threads():
    results = [np.zeros(5000, np.float32) for _ in range(8)]

    def work(index):
        for _ in range(20):
            scale_kernel[8](ramp(5000), results[index], 5000, float(index))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index, result in enumerate(results):
        np.testing.assert_array_equal(result, index * ramp(5000))


def test_one_launcher_is_entered_by_many_threads():
    """Views, options, dtypes and platforms mixed: a launch may use nothing of another's."""
    launch, failures = scale_kernel[8], []
    variants = [dict(), dict(opt_level=1), dict(reuse_ub=True), dict(tile=64), dict(core_num=3), dict(always_compile=True)]

    def work(index):
        for turn in range(12):
            dtype = (np.float32, np.float16, np.int32)[(index + turn) % 3]
            base = np.zeros((100, 2 + index % 3), dtype)
            y = base[:, turn % base.shape[1]]
            launch(np.arange(100).astype(dtype), y, 100, dtype(index), **variants[(index + turn) % len(variants)])
            if not np.array_equal(y, np.arange(100).astype(dtype) * dtype(index)) or np.count_nonzero(base) > 99:
                failures.append((index, turn))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.parametrize("name", ["Ascend910B1", "Ascend950PR_9599"])
def test_cycles_depend_on_neither_threads_nor_addresses_nor_repetition(name):
    config.set_platform("Model", name)
    cycles = set()
    for threads in (1, 2, 1, 2):
        room = np.zeros(100_000 + 3 * threads, np.float32)
        x, y = room[threads:50_000 + threads], np.zeros(50_000, np.float32)
        with asc.launch_mode(threads=threads), asc.profile() as profile:
            scale_kernel[8](x, y, 50_000, 2.0)
        cycles.add(profile.cycles)
    assert len(cycles) == 1 and cycles.pop() > 0


def test_a_profile_has_the_facts():
    x, y = ramp(20_000), np.zeros(20_000, np.float32)
    with asc.profile() as profile:
        scale_kernel[4](x, y, 20_000, 2.0)
    (launch,) = profile.launches
    assert (launch.kernel, launch.dtype, launch.elements, launch.blocks) == ("scale_kernel", "float32", 20_000, 4)
    assert profile.cycles == launch.cycles > 0 and profile.time_us > 0 and profile.bound
    assert 0 < profile.pipes["MTE2"] <= 1 and "V" in profile.pipes
    assert profile.by_line()[0][0] == __file__ and not profile.findings
    assert "model time" in str(profile) and "on Ascend910B1" in str(profile)


def test_watches_nest():
    x, y = ramp(100), np.zeros(100, np.float32)
    with asc.check() as outer:
        with asc.profile() as inner:
            scale_kernel[1](x, y, 100, 2.0)
        scale_kernel[1](x, y, 100, 2.0)
    assert len(inner.launches) == 1 and len(outer.launches) == 2
    with asc.profile() as after:
        pass
    assert not after.launches and str(after) == "no kernel was launched"


def test_modes_give_the_same_results():
    for mode in ("fast", "timed", "checked", "traced"):
        for late in ("none", "consumers", "producers"):
            y = np.zeros(3000, np.float32)
            with asc.launch_mode(mode, late=late):
                scale_kernel[3](ramp(3000), y, 3000, 2.0)
            np.testing.assert_array_equal(y, 2 * ramp(3000))
    with pytest.raises(ValueError, match="launch mode 'quick' is unknown"):
        asc.launch_mode("quick")


def test_results_do_not_depend_on_the_hosts_float_mode():
    """torch may flush subnormals for the whole thread; the chip does not."""
    x = np.full(64, 1e-39, np.float32)
    y = np.zeros_like(x)
    try:
        torch.set_flush_denormal(True)
        scale_kernel[1](x, y, x.size, 0.5)
    finally:
        torch.set_flush_denormal(False)
    assert (y == np.float32(5e-40)).all()


def test_threads_compile_at_once():
    """Compilations share one context and one record of host reads; a thread switch inside one must not mix them up."""
    def make(offset):
        @asc2.jit(always_compile=offset % 2 == 0)
        def add(x_ptr, y_ptr, size):
            x = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0])
            asc2.store(x + OFFSETS[offset], asc2.tensor(y_ptr, [size]), offsets=[0])

        return add

    kernels = [make(i) for i in range(6)]
    results = {}

    def work(thread):
        for index, kernel in enumerate(kernels):
            y = np.zeros(64, np.float32)
            kernel[1](np.zeros(64, np.float32), y, 64)
            results[thread, index] = y[0]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {(thread, index): OFFSETS[index] for thread in range(6) for index in range(6)}


OFFSETS = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]


def test_an_uninitialised_function_is_an_error():
    from asc.runtime.jit import JITFunction

    with pytest.raises(RuntimeError, match="not initialised"):
        JITFunction.__new__(JITFunction)[1]
