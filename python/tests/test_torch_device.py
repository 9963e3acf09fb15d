"""The device `npu` of torch: its memory, launches on its tensors, streams and time, and what falls back to the host."""

import gc
import os
import struct
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import asc
import asc2
import numpy as np
import pytest
from asc.runtime import config

torch = pytest.importorskip("torch")
import tilesmith.npu
from tilesmith import npu_autoload

from cli import tilesmith as command

KERNELS = Path(__file__).resolve().parents[2] / "kernels/ascendc"
PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]


@asc2.jit
def add_one(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [tile], tile_id=[i]) + 1.0, y_gm, tile_id=[i])


@pytest.fixture(autouse=True)
def quiet():
    config.set_platform("Model", "Ascend910B1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tilesmith.npu.FallbackWarning)
        yield


def python(*arguments, path=(), **environment):
    others = [each for each in sys.path if each and "stand_in" not in each]  # which another test may have installed here
    path = os.pathsep.join([*map(str, path), *others])
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": path} | environment)


# Launches


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("blocks", [1, 8])
def test_a_launch_takes_tensors_where_they_are(platform, dtype, blocks):
    """A copy would show in other bytes of y, another time, or copies in the profile."""
    config.set_platform("Model", platform)
    x, y = np.arange(1000, dtype=dtype), np.zeros(1000, dtype)
    with asc.profile() as on_host:
        add_one[blocks](x, y, 1000, tile=256)
    on, result = torch.from_numpy(x).npu(), torch.zeros(1000, dtype=getattr(torch, dtype), device="npu")
    at = result.data_ptr()
    with asc.profile() as on_device:
        add_one[blocks](on, result, 1000, tile=256)
    assert result.data_ptr() == at and not on_device.copies
    assert (result.cpu().numpy() == y).all()
    assert on_device.launches[0].cycles == on_host.launches[0].cycles


def test_a_view_lies_in_its_512_bytes_as_on_the_chip():
    """Rows that begin between two units of memory take longer; an array of the host begins at one."""
    whole = torch.arange(48 * 8192 + 1, dtype=torch.float32, device="npu")
    times = []
    for begin in (0, 1):
        x = whole[begin:begin + 48 * 8192]
        y = torch.empty_like(x)
        with asc.profile() as report:
            add_one[48](x, y, x.numel(), tile=64)
        assert torch.equal(y.cpu(), x.cpu() + 1)
        times.append(report.cycles)
    assert times[1] > times[0]


def test_strides_numbers_and_tensors_that_share_memory():
    whole = torch.arange(2000.0, device="npu")
    y = torch.zeros(1000, device="npu")
    add_one[2](whole[::2], y, torch.tensor(1000, dtype=torch.int32, device="npu"), tile=256)
    assert torch.equal(y.cpu(), torch.arange(0, 2000.0, 2) + 1)
    add_one[2](whole, whole, 2000, tile=256)
    assert torch.equal(whole.cpu(), torch.arange(2000.0) + 1)
    with pytest.raises(ValueError, match="resolve_neg"):
        add_one[1](torch.complex(y, y).conj().imag, y, 1000, tile=256)


def test_host_and_device_arrays_in_one_launch():
    x, y = np.arange(100, dtype=np.float32), torch.zeros(100, device="npu")
    add_one[1](x, y, 100, tile=64)
    assert (y.cpu().numpy() == x + 1).all()


def test_a_launch_beyond_a_tensor_is_a_finding():
    """The block of a tensor is longer than the tensor, and memory of others follows it."""
    x, y, other = torch.zeros(100, device="npu"), torch.zeros(100, device="npu"), torch.zeros(100, device="npu")
    with asc.check(late=False) as report:
        add_one[1](x, y, 160, tile=64)
    assert {finding["id"] for finding in report.findings} >= {"bounds.gm-read", "bounds.gm-write"}
    assert "y_ptr[" in "".join(finding["rendered"] for finding in report.findings)
    assert not other.cpu().any()


@pytest.mark.parametrize("platform", PLATFORMS)
def test_ascend_c_kernels_map_the_memory_of_the_device(platform):
    """The worker is another process: it must see writes, and forget what was given back."""
    config.set_platform("Model", platform)
    library = asc.load_ascendc(KERNELS / "muls_tiling.cpp")
    try:
        for length in (1000, 3 << 20, 77):
            whole = torch.arange(length + 16.0, device="npu")
            x, y = whole[16:], torch.zeros(length, device="npu")
            library["muls_tiling"][2](x, y, struct.pack("<IIf", length, 256, 2.0))
            assert torch.equal(y.cpu(), x.cpu() * 2)
            del whole, x, y
            torch.npu.empty_cache()
        with pytest.raises(ValueError, match="is not contiguous"):
            library["muls_tiling"][1](torch.ones(8, device="npu")[::2], torch.ones(8, device="npu"), struct.pack("<IIf", 4, 256, 2.0))
        x = torch.ones(4, device="npu")
        with asc.profile() as report:
            library["muls_tiling"][1](x, np.zeros(4, np.float32), struct.pack("<IIf", 4, 256, 2.0))
        assert [array[0] for array in report.launches[0].arrays] == ["x", "y", "tilingGm"]
        if Path("/proc/self/maps").exists():
            maps = Path(f"/proc/{library._worker.process.pid}/maps").read_text()
            assert maps.count("tilesmith-npu") <= 2
    finally:
        library.close()


def test_threads_launch_on_tensors_of_their_own():
    def work():
        try:
            for size in range(1, 40):
                x = torch.full((size,), float(size), device="npu")
                y = torch.empty_like(x)
                add_one[2](x, y, size, tile=64)
                assert (y.cpu() == size + 1).all()
        except BaseException as error:
            failed.append(error)

    failed = []
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_a_custom_operator_of_torch_launches_a_kernel():
    @torch.library.custom_op("tilesmith_test::add_one", mutates_args=(), device_types="npu")
    def operator(x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        add_one[2](x, y, x.numel(), tile=64)
        return y

    operator.register_fake(lambda x: torch.empty_like(x))
    operator.register_autograd(lambda context, grad: grad)
    x = torch.arange(9.0, device="npu", requires_grad=True)
    compiled = torch.compile(lambda x: torch.ops.tilesmith_test.add_one(x) * 3, backend="eager", fullgraph=True)
    with tilesmith.npu.strict():
        assert torch.ops.tilesmith_test.add_one(x).cpu().tolist() == list(range(1, 10))
    compiled(x).sum().backward()
    assert x.grad.cpu().tolist() == [3.0] * 9


# Memory


def test_memory_is_used_again_and_counted():
    gc.collect()
    torch.npu.empty_cache()
    before = torch.npu.memory_allocated()
    x = torch.empty(100, device="npu")
    at = x.data_ptr()
    assert at % 512 == 0 and torch.npu.memory_allocated() - before == 512
    view = x[10:]
    del x
    assert torch.npu.memory_allocated() - before == 512  # the view holds it
    del view
    assert torch.empty(60, device="npu").data_ptr() == at
    torch.npu.reset_peak_memory_stats()
    large = torch.empty(30 << 20, dtype=torch.uint8, device="npu")
    assert torch.npu.max_memory_allocated() - before > 30 << 20
    reserved = torch.npu.memory_reserved()
    del large
    assert torch.npu.memory_reserved() == reserved
    torch.npu.empty_cache()
    assert reserved - torch.npu.memory_reserved() >= 30 << 20
    assert torch.npu.mem_get_info()[1] == 64 << 30
    assert torch.npu.memory_stats()["allocated_bytes.all.current"] == torch.npu.memory_allocated()


def test_a_device_that_is_full_says_so():
    with pytest.raises(torch.OutOfMemoryError, match=r"NPU out of memory. Tried to allocate 65.00 GiB. Device 0 has a total capacity of 64.00 GiB"):
        torch.empty(65 << 30, dtype=torch.uint8, device="npu")


def test_poison_shows_what_is_read_before_it_is_written():
    with tilesmith.npu.poison():
        x = torch.empty(10, device="npu")
        assert x.isnan().all() and (torch.empty(3, dtype=torch.int32, device="npu") == -1).all()
    del x
    x = torch.empty(10, device="npu").fill_(3)
    del x
    assert (torch.empty(10, device="npu") == 3).all()  # as on the chip


def test_devices_have_memories_of_their_own():
    x = torch.ones(3, device="npu:5")
    assert x.get_device() == 5 and torch.npu.memory_allocated(5) > 0
    with torch.npu.device(5):
        assert torch.empty(1, device="npu").device.index == 5
    assert torch.empty(1, device="npu").device.index == 0
    assert x.npu(2).cpu().tolist() == [1, 1, 1]
    with pytest.raises(RuntimeError, match="there is no device npu:8; this model has npu:0 to npu:7"):
        torch.npu.set_device(8)
    with pytest.raises(RuntimeError, match="npu:5 and npu:0"):
        x + torch.ones(3, device="npu")
    with pytest.raises(RuntimeError, match="npu:5 and cpu"):
        x + torch.ones(3)


def test_what_would_end_the_process_is_an_error_or_works():
    """Torch asks an allocator it does not have, and calls itself without end."""
    x = torch.arange(4.0, device="npu")
    assert torch.UntypedStorage(16, device="npu").device.type == "npu"
    assert x.untyped_storage().clone().nbytes() == 16
    assert (-torch.complex(x, x).conj().imag).tolist() == x.tolist()
    with pytest.raises(NotImplementedError, match="cannot grow"):
        x.untyped_storage().resize_(1 << 20)
    with pytest.raises(NotImplementedError, match="an npu does not have"):
        x.to_sparse()
    with pytest.raises(TypeError, match="can't convert npu:0"):
        x.numpy()


def test_a_forked_process_does_not_write_into_its_parents_memory():
    program = """if True:
        import os, torch, tilesmith.npu
        x = torch.ones(3, device="npu")
        if not os.fork():
            try:
                torch.empty(3, device="npu")
            except RuntimeError as error:
                print(error, flush=True)
            os._exit(0)
        os.wait()
        print(x.tolist(), torch.ones(3, device="npu").tolist())"""
    done = python("-W", "ignore", "-c", program)
    assert done.stdout == ("a forked process cannot use the device of its parent; start it with the method 'spawn'\n"
                           "[1.0, 1.0, 1.0] [1.0, 1.0, 1.0]\n"), done.stderr


# Operators that run on the host


def test_a_fallback_is_counted_and_named_once_at_the_users_line():
    x = torch.ones(3, device="npu")
    before = tilesmith.npu.fallbacks().get("aten::erfinv", 0)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(3):
            torch.erfinv(x)
    assert tilesmith.npu.fallbacks()["aten::erfinv"] == before + 3
    assert [Path(warning.filename).name for warning in seen] == ["test_torch_device.py"]
    assert str(seen[0].message).startswith("aten::erfinv runs on the host")


def test_strict_makes_a_fallback_an_error_at_the_users_line():
    x = torch.ones(3, device="npu")
    with tilesmith.npu.strict():
        y = torch.zeros_like(x).copy_(x)[1:].view(2, 1).fill_(2)  # the device has these
        line = sys._getframe().f_lineno + 2
        with pytest.raises(tilesmith.npu.FallbackError) as error:
            y * 2
    assert str(error.value) == (f"{__file__}:{line}: error: aten::mul would run on the host: the device has no kernel for it\n"
                                "help: write it as a kernel, or leave tilesmith.npu.strict()")
    assert (y * 2).tolist() == [[4.0], [4.0]]


def test_printing_is_not_a_fallback():
    with tilesmith.npu.strict():
        assert repr(torch.ones(2).npu()) == "tensor([1., 1.], device='npu:0')"


def test_autocast_computes_in_the_narrow_type():
    x = torch.ones(2, 2, device="npu")
    with torch.autocast("npu", dtype=torch.bfloat16):
        assert [(x @ x).dtype, x.softmax(1).dtype, (x + 1).dtype] == [torch.bfloat16, torch.float32, torch.float32]
        assert torch.nn.functional.linear(x, x).dtype is torch.bfloat16
    with pytest.raises(RuntimeError, match="dtype|supports"), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            with torch.autocast("npu", dtype=torch.float64):
                pass
        except UserWarning as error:
            raise RuntimeError(str(error))


@pytest.mark.parametrize("cell", [torch.nn.LSTM, torch.nn.GRU])
def test_recurrent_layers_learn_as_on_the_host(cell):
    """Torch takes fused kernels for them on every device but the host."""
    torch.manual_seed(1)
    layer, x = cell(4, 5), torch.randn(3, 2, 4)
    layer(x)[0].square().sum().backward()
    wanted = [parameter.grad.clone() for parameter in layer.parameters()]
    layer.zero_grad()
    layer.npu()(x.npu())[0].square().sum().backward()
    for parameter, grad in zip(layer.parameters(), wanted):
        torch.testing.assert_close(parameter.grad.cpu(), grad)


def test_random_numbers_follow_seeds():
    draw = lambda **how: torch.rand(3, device="npu", **how).tolist()
    torch.manual_seed(3)
    first = draw()
    assert draw() != first
    torch.npu.manual_seed(3)
    assert draw() == first == draw(generator=torch.Generator("npu").manual_seed(3))
    state = torch.npu.get_rng_state()
    following = draw()
    torch.npu.set_rng_state(state)
    assert draw() == following


# Time


def test_events_have_the_models_time():
    done = python("-c", """if True:
        import torch, tilesmith.npu, _tilesmith
        event = torch.npu.Event(enable_timing=True)
        print(_tilesmith.get_settings()["mode"])
        del event
        print(_tilesmith.get_settings()["mode"], _tilesmith.get_settings()["clock"])""")
    assert done.stdout == "timed\nfast None\n"  # in a process where nothing else holds an event
    x, y = torch.zeros(1000, device="npu"), torch.zeros(1000, device="npu")
    with asc.profile() as report:
        add_one[4](x, y, 1000, tile=256)
    start, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
    start.record()
    for _ in range(3):
        add_one[4](x, y, 1000, tile=256)
    end.record()
    torch.npu.synchronize()
    assert start.elapsed_time(end) * 1000 == pytest.approx(3 * report.time_us)
    with pytest.raises(RuntimeError, match="only with enable_timing=True"):
        torch.npu.Event().elapsed_time(torch.npu.Event())
    one = torch.npu.Event(enable_timing=True)
    with pytest.raises(RuntimeError, match="was not recorded"):
        one.elapsed_time(one)


def test_streams_order_work():
    x, y = torch.zeros(1000, device="npu"), torch.zeros(1000, device="npu")
    mark = torch.npu.Event(enable_timing=True)
    side, other = torch.npu.Stream(), torch.npu.Stream()
    add_one[4, side](x, y, 1000, tile=256)
    assert side.line.end > 0 and other.line.end == 0
    with torch.npu.stream(other):
        assert torch.npu.current_stream() == other
        torch.npu.current_stream().wait_stream(side)
        mark.record()
    assert mark._time == side.line.end and torch.npu.current_stream() == torch.npu.default_stream()
    before = torch.npu.current_stream().line.end
    add_one[4](x, y, 1000, tile=256, stream=other)
    assert other.line.end > side.line.end and torch.npu.current_stream().line.end == before


def test_a_profile_shows_copies():
    x = torch.ones(1 << 20)
    with asc.profile() as report:
        on = x.npu()
        on.clone()
        on.zero_()
        on.cpu()
    assert [(copy.kind, copy.bytes) for copy in report.copies] == [(kind, 4 << 20) for kind in ("to device", "on device", "fill", "to host")]
    assert all(copy.time_us > 0 for copy in report.copies)
    assert "torch: 1 copied to device, 4.2 MB, 184.8 us" in str(report)
    assert report.to_dict()["copies"][0]["kind"] == "to device"


def test_a_graph_is_recorded_once_and_done_again():
    x, y = torch.arange(4.0, device="npu"), torch.full((4,), -1.0, device="npu")
    graph = torch.npu.NPUGraph()
    with torch.npu.graph(graph):
        add_one[1](x, y, 4, tile=64)
        doubled = y * 2
        y.add_(1)
    assert y.tolist() == [-1.0] * 4  # recording does not do the work
    graph.replay()
    assert y.tolist() == [2, 3, 4, 5] and doubled.tolist() == [2, 4, 6, 8]
    x.fill_(5)
    graph.replay()
    assert y.tolist() == [7] * 4 and doubled.tolist() == [12] * 4
    with pytest.raises(RuntimeError, match="a graph is replayed after it was recorded"):
        torch.npu.NPUGraph().replay()


# Programs for the chip


def test_a_program_for_the_chip_runs_unchanged(tmp_path):
    (tmp_path / "program.py").write_text("""
import os
import torch
import torch_npu
import asc, asc2

@asc2.jit
def double(x_ptr, y_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
    asc2.store(x + x, asc2.tensor(y_ptr, [64]), offsets=[0])

torch.npu.set_device(int(os.environ["TILE_FWK_DEVICE_ID"]))
x = torch.arange(64.0).npu()
y = torch.empty(64, device=f"npu:{torch.npu.current_device()}")
double[1](x, y)
torch.npu.synchronize()
weight = torch_npu.npu_format_cast(torch.arange(400.0).reshape(20, 20).to("npu"), 29)
print(y[:3].tolist(), y.device, torch_npu.get_npu_format(weight), torch_npu.get_npu_format(y), weight[1, :2].tolist())
torch_npu.npu.empty_cache()
try:
    torch_npu.npu_rotary_mul
except AttributeError as error:
    print(error)
""")
    done = command("run", tmp_path / "program.py", cwd=tmp_path, env={"TILE_FWK_DEVICE_ID": "2", "PYTHONWARNINGS": "ignore"})
    assert done.stdout == ("[0.0, 2.0, 4.0] npu:2 29 2 [20.0, 21.0]\ntorch_npu has no 'npu_rotary_mul' here: this is the stand-in of "
                           "tilesmith.npu, which has Format, get_npu_format, npu, npu_format_cast, npu_format_cast_ and torch.npu\n"), done.stderr


def test_the_device_is_there_for_who_only_imports_torch(tmp_path):
    done = python("-c", "import torch; print(torch.ones(2).npu().device)", path=[npu_autoload.STAND_IN])
    assert done.stdout == "npu:0\n", done.stderr


def test_an_installed_torch_npu_is_not_shadowed(tmp_path):
    (tmp_path / "torch_npu.py").write_text("print('the real one')\n")
    done = python("-c", "import tilesmith.npu_autoload as a; a.install(); import torch, torch_npu; print(hasattr(torch, 'npu'))", path=[tmp_path])
    assert done.stdout == "the real one\nFalse\n", done.stderr


def test_programs_for_cuda_use_the_device():
    program = "from torch_npu.contrib import transfer_to_npu\nimport torch\n" \
              "print(torch.ones(2, device='cuda').device, torch.ones(2).cuda().is_cuda, torch.cuda.is_available())"
    done = python("-c", program, path=[npu_autoload.STAND_IN])
    assert done.stdout == "npu:0 True True\n", done.stderr


@pytest.mark.parametrize("shape, dtype", [((16, 16), "float16"), ((20, 33), "float16"), ((2, 17, 9), "float32"), ((5, 40), "int8")])
def test_fractals_lie_in_memory_as_the_cube_reads_them(shape, dtype):
    """Fractals of 16 rows of 32 bytes, one column of them after another."""
    from tilesmith.npu import formats

    x = torch.arange(torch.Size(shape).numel()).to(getattr(torch, dtype)).reshape(shape)
    cast = formats.npu_format_cast(x.npu(), 29)
    storage = cast.untyped_storage()
    elements = torch.empty(0, dtype=x.dtype, device="npu").set_(storage)
    width = 32 // x.element_size()
    high, wide = -(-shape[-2] // 16), -(-shape[-1] // width)
    flat = formats.memory.host_view(elements, raw=True).numpy()
    matrix = x.reshape(-1, *shape[-2:])[-1].numpy()
    last = flat[-high * 16 * wide * width:].reshape(wide, high, 16, width)
    for row, column in [(0, 0), (shape[-2] - 1, shape[-1] - 1), (shape[-2] // 2, shape[-1] // 2)]:
        assert last[column // width, row // 16, row % 16, column % width] == matrix[row, column]
    assert torch.equal(cast.cpu(), x) and torch.equal(cast[..., 1:, ::2].cpu(), x[..., 1:, ::2])
    assert torch.equal(formats.npu_format_cast(cast, 2).cpu(), x)
    assert formats.get_npu_format(formats.npu_format_cast(cast, 2)) == 2
    with pytest.raises(RuntimeError, match="cast it to ND"):
        cast.zero_()
    at = storage.data_ptr()
    del cast, storage, elements
    assert at not in formats._fractal


# Installations


def test_another_torch_is_refused_by_name(tmp_path):
    info = tmp_path / "torch-2.12.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.12.1\n")
    done = python("-c", "import tilesmith.npu", path=[tmp_path])
    assert done.stderr.splitlines()[-2:] == ["ImportError: tilesmith.npu works with torch 2.13.0; this is torch 2.12.1",
                                             "help: pip install torch==2.13.0"]


def test_no_torch_is_said():
    done = python("-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(Path(tilesmith.__file__).parents[1])!r}); import tilesmith.npu")
    assert done.stderr.splitlines()[-2:] == ["ImportError: tilesmith.npu needs torch 2.13.0, which is not installed",
                                             "help: pip install torch==2.13.0"]


def test_a_place_that_is_taken_is_said():
    done = python("-c", "import torch; torch.utils.rename_privateuse1_backend('xyz'); import tilesmith.npu")
    assert done.stderr.splitlines()[-1] == "ImportError: torch has room for one more device, and another package has registered 'xyz' there"


def test_nothing_else_imports_torch(tmp_path):
    code = "import sys, asc, asc2, tilesmith.__main__, tilesmith.npu_autoload; asc.profile; asc2.jit; print('torch' in sys.modules)"
    assert python("-c", code).stdout == "False\n"
