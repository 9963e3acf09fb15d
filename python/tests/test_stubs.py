"""Type stubs and documentation: made from one place, complete, and right for the kernels of the library."""

import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = ["asc", "asc2", "asc.language", "asc.runtime.cache", "asc.runtime.compiler", "asc.runtime.config", "asc.runtime.emit", "asc.runtime.errors",
           "asc.runtime.jit", "asc.runtime.launcher", "asc.runtime.npu", "asc.runtime.profile", "asc.lib.profiling", "asc.lib.runtime",
           "asc.codegen.errors", "asc.common.compat", "asc.language.basic", "asc.language.core.dtype", "asc.language.core.constexpr",
           "asc.language.core.ir_value"]


def test_stubs_are_what_the_sources_say():
    done = subprocess.run([sys.executable, ROOT / "tools/stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def public_things():
    for name in MODULES:
        module = importlib.import_module(name)
        names = getattr(module, "__all__", None) or [key for key, value in vars(module).items() if key[0] != "_" and getattr(
            value, "__module__", None) == name]
        yield from ((f"{name}.{key}", getattr(module, key)) for key in names)


def undocumented(name, thing):
    """What of a public name has no documentation or no signature."""
    if inspect.isclass(thing):
        if not inspect.getdoc(thing):
            yield name
        for key, member in vars(thing).items():
            if key[0] != "_" and (inspect.isfunction(member) or isinstance(member, property)):
                if not inspect.getdoc(member):
                    yield f"{name}.{key}"
    elif callable(thing):
        if not inspect.getdoc(thing) or not inspect.signature(thing):
            yield name


@pytest.mark.parametrize("name, thing", list(public_things()), ids=lambda value: value if isinstance(value, str) else "")
def test_everything_public_is_documented(name, thing):
    assert not list(undocumented(name, thing))


WRONG = """\
import asc
import asc2
from asc.language import basic


@asc2.jit(opt_levle=1)
def one(x_ptr, n):
    x = asc2.tensor(x_ptr, [n])
    asc2.load(x, [64], offset=[0])
    t = asc2.load(x, [64], offsets=[0])
    asc2.store(t.summ(), x, offsets=[0])
    s: asc2.Tile = asc2.load(x, offsets=[0])
    asc2.exp("x")
    t["a"]
    asc2.copy(t, location="UB")
    (1.0 - t).to(3)
    asc.ceildiv(3, t)


def two(a: basic.LocalTensor):
    basic.add(a, a, a, mask=[1, 2], repeat_times=3, repeat_params=basic.BinaryRepeatParams(dst_rep_stride=4))
    basic.select(a, a, a, a, basic.SelMode.VSEL_TENSOR_TENSOR_MODE, 64)
    basic.add(a, a, 3, 64)
    basic.set_flag("MTE2_V")
    basic.mmad(a, a, a, basic.BinaryRepeatParams())
"""


@pytest.fixture(scope="module")
def errors(tmp_path_factory, request):
    """What mypy says about the kernels of the library, and about a file full of mistakes: {file: [line]}, text."""
    wrong = tmp_path_factory.mktemp("types") / "wrong.py"
    wrong.write_text(WRONG)
    done = subprocess.run([sys.executable, "-m", "mypy", f"--cache-dir={request.config.cache.mkdir('mypy')}", str(wrong),
                           *sorted(map(str, (ROOT / "kernels").glob("*.py")))], cwd=ROOT, capture_output=True, text=True)
    found = {}
    for line in done.stdout.splitlines():
        if ": error:" in line:
            file, number = line.split(":")[:2]
            found.setdefault(Path(file).name, set()).add(int(number))
    return found, done.stdout + done.stderr


def test_kernels_type_check(errors):
    found, text = errors
    assert set(found) == {"wrong.py"}, text


def test_misuse_does_not_type_check(errors):
    """Stubs that say Any everywhere would pass the test above."""
    found, text = errors
    assert found["wrong.py"] == {6, 9, 11, 12, 13, 14, 15, 16, 17, 23, 24, 25}, text
