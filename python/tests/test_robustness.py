"""The process survives bad kernels: every one of these is an exception with a place, never a crash."""

import importlib.util
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import asc
import asc2
from asc.codegen.errors import CodegenError
from asc.runtime import config
from asc.runtime.errors import KernelError

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]


@pytest.fixture(params=PLATFORMS)
def platform(request):
    config.set_platform("Model", request.param)
    yield request.param
    config.set_platform("Model")


def floats(n=64):
    return np.zeros(n, np.float32)


def define(tmp_path, text):
    """A module made of this text."""
    path = tmp_path / "bad.py"
    path.write_text("import asc\nimport asc2\n\n" + textwrap.dedent(text))
    spec = importlib.util.spec_from_file_location("bad", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_tensor_larger_than_its_array(platform):
    """Shapes given by the user are not believed: the array's bytes are the limit."""

    @asc2.jit
    def lie(x_ptr, y_ptr, size):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [256], offsets=[size - 256])
        asc2.store(x, asc2.tensor(y_ptr, [size]), offsets=[size - 256])

    for size in (1 << 12, 1 << 20, (1 << 31) - 1):
        with pytest.raises(KernelError, match=r"test_robustness\.py:\d+:\d+: error: .*\[bounds\.gm-read\]"):
            lie[1](floats(), floats(1 << 12), size)
    with pytest.raises(
        KernelError, match=r"write of 256 elements from y_ptr\[3840\], but the array has 64 elements \[bounds\.gm-write\]"
    ):
        lie[1](floats(1 << 12), floats(), 1 << 12)


def test_offsets_out_of_range_are_clipped(platform):
    @asc2.jit
    def far(x_ptr, y_ptr, size, at):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[at], pad_value=7.0)
        asc2.store(x, asc2.tensor(y_ptr, [size]), offsets=[0])

    for at in (64, 1000, (1 << 31) - 100, 32):
        y = floats()
        far[1](floats(), y, 64, at)
        assert (y[max(0, 64 - at) :] == 7).all()


def test_a_tile_that_does_not_fit(platform):
    @asc2.jit
    def big(x_ptr, y_ptr, size):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [200000], offsets=[0])
        asc2.store(x + 1.0, asc2.tensor(y_ptr, [size]), offsets=[0])

    with pytest.raises(CodegenError) as caught:
        big[1](floats(), floats(), 64)
    text = str(caught.value)
    assert "does not fit into UB" in text and "test_robustness.py" in text and "^" in text and platform in text


def test_wrong_dtypes(platform):
    @asc2.jit
    def mixed(x_ptr, y_ptr, size):
        asc2.store(asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0]), asc2.tensor(y_ptr, [size]), offsets=[0])

    with pytest.raises(CodegenError, match=r"test_robustness\.py:\d+:\d+: error: "):
        mixed[1](floats(), np.zeros(64, np.float16), 64)


UNSUPPORTED = {
    "dict": "d = {1: 2}",
    "set": "s = {1, 2}",
    "list_comprehension": "s = [i for i in x]",
    "walrus": "(n := 1)",
    "del": "del x",
    "try": "try:\n    pass\nexcept Exception:\n    pass",
    "raise": "raise ValueError()",
    "import": "import math",
    "import_from": "from math import pi",
    "global": "global g",
    "class": "class C:\n    pass",
    "match": "match x:\n    case 1:\n        pass",
    "yield": "yield 1",
    "chained": "a = b = 1",
    "print": "print(x)",
    "for_over_number": "for i in 12:\n    pass",
    "assert_false": "assert 1 == 2, 'never'",
    "name": "y = undefined_name",
    "attribute": "y = asc2.no_such_function(x)",
    "del_attr": "del asc2.add",
    "while_else": "while x > 0:\n    pass\nelse:\n    pass",
    "return_value": "return 1",
    "star_kwargs": "asc2.load(**{})",
    "recursion": "kernel(x)",
    "try_finally": "try:\n    pass\nfinally:\n    pass",
    "with_two": "with asc2.mask(count=1), asc2.mask(count=2):\n    pass",
    "await": "await x",
    "nonlocal_": "nonlocal q",
}


@pytest.mark.parametrize("construct", UNSUPPORTED)
def test_unsupported_syntax_is_refused_in_its_place(tmp_path, construct):
    text = "@asc2.jit\ndef kernel(x):\n" + textwrap.indent(UNSUPPORTED[construct], "    ") + "\n"
    try:
        module = define(tmp_path, text)
    except SyntaxError:
        pytest.skip("Python itself refuses it")
    with pytest.raises(CodegenError, match=r"bad\.py:\d+:\d+: error: ") as caught:
        module.kernel[1](1)
    assert "^" in str(caught.value)


@pytest.mark.parametrize("text", ["", "\n", "exec", "<string>"])
def test_no_source_file(text):
    names = {"asc2": asc2}
    code = compile("def kernel(x_ptr):\n    pass\n", text or "<nowhere>", "exec")
    exec(code, names)
    with pytest.raises(RuntimeError, match="the source of 'kernel' cannot be read from"):
        asc2.jit(names["kernel"])


def test_a_source_file_that_went_away(tmp_path):
    """Source is taken when the function is decorated; later changes of the file do not matter."""
    module = define(tmp_path, "@asc2.jit\ndef kernel(x_ptr):\n    asc2.store(1.0, asc2.tensor(x_ptr, [4]), offsets=[0])\n")
    (tmp_path / "bad.py").unlink()
    x = floats()
    module.kernel[1](x)
    assert x[0] == 1


def test_an_endless_loop_ends(platform):
    @asc2.jit
    def endless(x_ptr, n):
        while n > 0:
            asc2.store(1.0, asc2.tensor(x_ptr, [8]), offsets=[0])

    with asc.launch_mode(max_ticks=100_000):
        with pytest.raises(KernelError, match="error: .*"):
            endless[1](floats(), 1)


@pytest.mark.parametrize("expression", ["10 // n", "10 % n", "1 << (n + 100)"])
def test_arithmetic_without_a_value(platform, tmp_path, expression):
    module = define(
        tmp_path, f"@asc2.jit\ndef kernel(x_ptr, n):\n    asc2.store({expression}, asc2.tensor(x_ptr, [4]), offsets=[0])\n"
    )
    try:
        module.kernel[1](np.zeros(4, np.int32), 0)
    except KernelError as error:
        assert "bad.py:6" in str(error)


def test_many_blocks(platform):
    @asc2.jit
    def count(x_ptr):
        asc2.atomic_add(asc2.full([8], 1.0, asc.float32), asc2.tensor(x_ptr, [8]), offsets=[0])

    x = floats(8)
    count[1000](x)
    assert (x == 1000).all()


def test_errors_leave_the_process_usable(platform):
    @asc2.jit
    def good(x_ptr):
        asc2.store(asc2.full([8], 3.0), asc2.tensor(x_ptr, [8]), offsets=[0])

    @asc2.jit
    def bad(x_ptr):
        asc2.store(asc2.full([9], 3.0) + asc2.full([8], 1.0), asc2.tensor(x_ptr, [8]), offsets=[0])

    for _ in range(3):
        x = floats(8)
        with pytest.raises(CodegenError):
            bad[1](x)
        good[1](x)
        assert (x == 3).all()


def test_dry_run_compiles_only(tmp_path):
    path = tmp_path / "dry.py"
    path.write_text(
        textwrap.dedent("""
        import numpy as np, asc2
        @asc2.jit
        def kernel(x_ptr):
            asc2.store(1.0, asc2.tensor(x_ptr, [4]), offsets=[0])
        x = np.zeros(4, np.float32)
        kernel[1](x)
        print(x[0])
    """)
    )
    done = subprocess.run([sys.executable, str(path)], env=os.environ | {"DRY_RUN": "1"}, capture_output=True, text=True)
    assert done.stdout == "0.0\n", done.stderr


def test_a_process_with_failed_kernels_ends_normally(tmp_path):
    """Syntax trees are converted with objects of Python's own; none of them may outlive the interpreter."""
    script = tmp_path / "refused.py"
    script.write_text("""
import numpy as np, asc2
@asc2.jit
def refused(x_ptr):
    try:
        pass
    finally:
        pass
try:
    refused[1](np.zeros(8, np.float32))
except Exception as error:
    print(type(error).__name__)
""")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "UnsupportedSyntaxError\n"), result.stderr
