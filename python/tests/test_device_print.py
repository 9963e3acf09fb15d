"""asc2.device_print: what appears on sys.stdout, and that printing changes nothing else."""

import asc
import asc2
import numpy as np
import pytest
from asc.runtime import config
from frontend import error_of
from observed import launch


@pytest.fixture(autouse=True, params=["Ascend910B1", "Ascend950PR_9599"])
def platform(request):
    config.set_platform(config.Backend.Model, request.param)


def test_values_of_every_kind_and_blocks_in_order(capsys):
    @asc2.jit
    def kernel(y_ptr, n, f, flag):
        asc2.device_print("n = {}, twice {:04d}, f = {:.2f} {{}}", n, n * 2, f)
        asc2.device_print("block", asc2.block_idx(), "of", asc2.block_num(), 2.5, None, n > 3, flag)
        asc2.device_print("just text")
        asc2.store(n, asc2.tensor(y_ptr, [1]), offsets=[0])

    kernel[2](np.zeros(1, np.int32), 7, 0.125, True)
    first = kernel.first_line
    expected = []
    for block in (0, 1):
        head = f"[block {block}] test_device_print.py"
        expected += [f"{head}:{first + 2}: n = 7, twice 0014, f = 0.12 {{}}",
                     f"{head}:{first + 3}: block {block} of 2 2.5 None True 1", f"{head}:{first + 4}: just text"]
    assert capsys.readouterr().out.splitlines() == expected


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
                                   "float64"])
def test_scalars_of_every_dtype(capsys, dtype):
    @asc2.jit
    def kernel(y_ptr, value):
        asc2.device_print("{}", value)

    number = np.dtype(dtype).type(200 if dtype.startswith("uint") else -3.5 if dtype.startswith("float") else -100)
    kernel[1](np.zeros(1, np.int32), number)
    assert capsys.readouterr().out.endswith(f": {number}\n")


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.int16, np.int8])
@pytest.mark.parametrize("shape", [(5,), (64,), (3, 32), (40, 64), (2000,), (9, 8, 32)])
def test_tiles_print_as_numpy_prints_them(capsys, dtype, shape):
    @asc2.jit
    def kernel(x_ptr, shape: asc.ConstExpr):
        x = asc2.load(asc2.tensor(x_ptr, shape), shape, offsets=[0] * len(shape))
        asc2.device_print("{}", x + 1)

    x = np.random.default_rng(0).integers(-50, 50, shape).astype(dtype)
    launch(kernel, 1, x, shape=shape)
    with np.printoptions(threshold=1000, edgeitems=3):
        assert capsys.readouterr().out.split(": ", 1)[1] == f"{x + dtype(1)}\n"


def test_masks_bfloat16_formats_and_sequences(capsys):
    import torch

    @asc2.jit
    def kernel(x_ptr, n):
        x = asc2.load(asc2.tensor(x_ptr, [4]), [4], offsets=[0])
        asc2.device_print("{}", x > 1)
        asc2.device_print("{:.1f}", x)
        asc2.device_print("{:d} {:x}", x > 1, n + 20)
        asc2.device_print("{} {}", [n, 2], (n, "a"))
        asc2.device_print("{:>5}|{:<4}|", "ab", n)

    kernel[1](torch.tensor([0.5, 1.5, 2.25, -1.0], dtype=torch.bfloat16), 3)
    texts = [line.split(": ", 1)[1] for line in capsys.readouterr().out.splitlines()]
    assert texts == ["[False  True  True False]", "[0.5 1.5 2.2 -1.0]", "[0 1 1 0] 17", "[3, 2] (3, a)", "   ab|3   |"]


def test_loops_branches_and_checked_mode(capsys):
    """Printing a tile is a read: it waits for what computes the tile, also inside loops whose buffers rotate."""

    @asc2.jit
    def kernel(x_ptr, y_ptr, n):
        x, y = asc2.tensor(x_ptr, [64]), asc2.tensor(y_ptr, [64])
        for i in range(n):
            tile = asc2.load(x, [8], tile_id=[i]) * 2
            if i % 2 == 1:
                asc2.device_print("{} {}", i, tile)
            asc2.store(tile, y, tile_id=[i])

    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    launch(kernel, 1, x, y, 8)
    np.testing.assert_array_equal(y, 2 * x)
    texts = [line.split(": ", 1)[1] for line in capsys.readouterr().out.splitlines()]
    assert texts == [f"{i} {2 * x[8 * i:8 * i + 8]}" for i in (1, 3, 5, 7)]


def test_late_mode_prints_the_same(capsys):
    @asc2.jit
    def kernel(x_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [16]), [16], offsets=[0])
        asc2.device_print("{}", asc2.exp(x).sum())
        asc2.device_print("{}", x)

    x = np.arange(16, dtype=np.float32) / 8
    kernel[1](x)
    normal = capsys.readouterr().out
    assert normal
    for policy in ("consumers", "producers"):
        with asc.launch_mode(late=policy):
            kernel[1](x)
        assert capsys.readouterr().out == normal


def test_a_flood_is_cut(capsys):
    @asc2.jit
    def kernel(y_ptr, n):
        for i in range(n):
            asc2.device_print("a line of text that is not very short, number {}", i)

    kernel[1](np.zeros(1, np.int32), 300000)
    out = capsys.readouterr().out
    assert len(out) < 1_100_000
    last = out.splitlines()[-1]
    shown = out.count("number")
    assert last == f"... {300000 - shown} more lines of device_print left out"


def test_many_blocks_share_what_may_be_printed(capsys):
    @asc2.jit
    def kernel(y_ptr):
        asc2.device_print("here")

    kernel[5000](np.zeros(1, np.int32))
    out = capsys.readouterr().out.splitlines()
    assert [line.split("]")[0] for line in out[:-1]] == [f"[block {i}" for i in range(4096)]
    assert out[-1] == "... 904 more lines of device_print left out"


def test_a_kernel_from_the_cache_prints_too(capsys, tmp_path):
    import subprocess
    import sys

    script = tmp_path / "script.py"
    script.write_text("import asc2, numpy as np, _tilesmith\n@asc2.jit\ndef kernel(x):\n    asc2.device_print('hello {}', asc2.block_idx())\n"
                      "kernel[1](np.zeros(1, np.float32))\nprint(_tilesmith.compilations())\n")
    import os

    environment = os.environ | {"PYASC_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
    for compilations in ("1", "0"):
        out = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=True).stdout
        assert out == f"[block 0] script.py:4: hello 0\n{compilations}\n"


def test_the_alias_in_asc(capsys):
    @asc2.jit
    def kernel(x):
        asc.device_print("from asc")

    kernel[1](np.zeros(1, np.float32))
    assert capsys.readouterr().out.endswith(": from asc\n")


@pytest.mark.parametrize("call, text", [
    ("asc2.device_print('{} {}', n)", "device_print has more {} fields than values: 1 were given"),
    ("asc2.device_print('{}', n, n)", "device_print has 1 {} fields for 2 values"),
    ("asc2.device_print('{0}', n)", "the field {0} of device_print has a name"),
    ("asc2.device_print('{', n)", "a { without } in the format of device_print"),
    ("asc2.device_print('}', n)", "a single } in the format of device_print"),
    ("asc2.device_print('{:q}', n)", "the format `q` does not fit a runtime int32"),
    ("asc2.device_print('{:d}', f)", "the format `d` does not fit a runtime float32"),
    ("asc2.device_print('{}', a)", "device_print prints numbers, tiles and what is known while compiling, not a tensor of float32"),
    ("asc2.device_print(n)", "the first argument of device_print is its format, a string, not a runtime int32"),
])
def test_wrong_calls(call, text):
    assert text in str(error_of(call))
