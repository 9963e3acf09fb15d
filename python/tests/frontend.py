"""Helpers of the front end's tests: lower a function to tile IR text, and catch its errors."""

import inspect
import textwrap

import _tilesmith
import asc
import asc2
import pytest
from asc.codegen.errors import CodegenError


class Jit:
    """The attributes the front end asks of a jit function, without the runtime."""

    def __init__(self, fn):
        self.fn = fn
        lines, self.first_line = inspect.getsourcelines(fn)
        self.source, self.filename = "".join(lines), fn.__code__.co_filename
        parameters = []
        for name, parameter in inspect.signature(fn).parameters.items():
            annotation = parameter.annotation
            origin = getattr(annotation, "__origin__", annotation)
            kind = getattr(annotation, "__args__", (None,))[0]
            default = () if parameter.default is parameter.empty else (parameter.default,)
            parameters.append((name, origin is asc.ConstExpr, kind if isinstance(kind, type) else None) + default)
        self.parameters = tuple(parameters)


def const(value):
    return "const", value


def ptr(dtype="float32"):
    return "pointer", dtype


def scalar(dtype="int32"):
    return "scalar", dtype


def lower(fn, *params, **options):
    """Tile IR of a function (its first lines may be decorators), as text."""
    fn = getattr(fn, "fn", fn)
    lines, first = inspect.getsourcelines(fn)
    closure = inspect.getclosurevars(fn).nonlocals
    return _tilesmith.lower_to_tile("".join(lines), "kernel.py", first, fn.__globals__, closure, list(params), **options)


def lower_text(source, *params, names=None, **options):
    """The same for a function given as text, which starts at line 1."""
    names = {"asc": asc, "asc2": asc2, **(names or {})}
    return _tilesmith.lower_to_tile(textwrap.dedent(source).lstrip("\n"), "kernel.py", 1, names, {}, list(params), **options)


def lower_body(body, **options):
    """A kernel with the usual parameters around a body: tensors a, b of float32, h of float16, k of int32; scalars n, f."""
    source = "def kernel(a_ptr, h_ptr, k_ptr, n, f):\n" + textwrap.indent(PRELUDE + textwrap.dedent(body).strip("\n"), "    ")
    return lower_text(source, ptr(), ptr("float16"), ptr("int32"), scalar(), scalar("float32"), **options)


PRELUDE = """\
a, h, k = asc2.tensor(a_ptr, [n]), asc2.tensor(h_ptr, [n]), asc2.tensor(k_ptr, [n])
x, xh, xk = asc2.load(a, [64], offsets=[0]), asc2.load(h, [64], offsets=[0]), asc2.load(k, [64], offsets=[0])
"""
PRELUDE_LINES = PRELUDE.count("\n") + 1


def error_of(body, **options):
    """The error of a kernel with this body; lines of the body count from 1, columns from the body's own."""
    with pytest.raises(CodegenError) as info:
        lower_body(body, **options)
    return info.value


def ops(text, prefix="tile."):
    """Names of the operations in order, those with the prefix."""
    found = []
    for line in text.splitlines():
        for word in line.split():
            if word.startswith(prefix):
                found.append(word)
                break
    return found
