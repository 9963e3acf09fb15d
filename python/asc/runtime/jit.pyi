# Made by tools/stubs.py. Signatures and texts are in asc/runtime/jit.py and include/tilesmith/Options/Options.def.

from typing import Any, Callable, overload

import _tilesmith
from asc.language.core.dtype import DataType
from asc.runtime.config import KernelType


class JITFunction(_tilesmith.Kernel):
    """A Python function as a kernel: `f[core_num](...)` compiles and launches it, `f(...)` runs it as plain Python.

    With a `core_num` among the options of its decorator, `f(...)` launches as well; the plain function is `f.fn`.
    """

    fn: Callable[..., Any]
    options: dict[str, Any]
    source: str
    filename: str
    first_line: int

    def __init__(self, fn: Callable[..., Any], *, source: str | None = None, **options: Any) -> None: ...


@overload
def jit(fn: Callable[..., Any], /, *, source: str | None = None, **options: Any) -> JITFunction: ...
@overload
def jit(
        *, source: str | None = None,
        capture_exceptions: bool = ...,
        ir_multithreading: bool = ...,
        custom_builtins: dict[str, Any] = ...,
        always_compile: bool = ...,
        opt_level: int = ...,
        vf_fusion: bool | None = ...,
        ring_depth: int | None = ...,
        reuse_ub: bool | None = ...,
        reuse_ub_in_out: bool | None = ...,
        insert_sync: bool | None = ...,
        auto_sync: bool = ...,
        verify_sync: bool = ...,
        kernel_type: KernelType | int | None = ...,
        matmul_cube_only: bool = ...,
        run_passes: bool = ...,
        strip_loc: bool = ...,
        print_ir_before_all: bool = ...,
        without_sync: int | None = ...,
        run_asc2_passes: bool = ...,
        static_alloc: bool | None = ...,
        densify_load_store: bool = ...,
        debug: bool = ...,
        debug_info: bool = ...,
        auto_sync_log: str = ...,
        bisheng_options: Any = ...,
        core_num: int = ...,
        slack: int | None = ...,
        stream: Any = ...,
) -> Callable[[Callable[..., Any]], JITFunction]:
    """Makes a kernel of a function: `@jit`, or `@jit(opt_level=1)` with options (docs/options.md).

    `source` is the text the function was compiled from, for code that is in no file and no notebook's cell.
    """


def make_jit(defaults: dict[str, Any]) -> Callable[..., Any]:
    """The decorator with these default options, usable with and without parentheses."""


class MockTensor:
    """Stands for an array of a dtype when a kernel is compiled but not launched."""

    def __init__(self, dtype: DataType) -> None: ...


class MockValue:
    """Stands for a scalar of a dtype when a kernel is compiled but not launched."""

    def __init__(self, dtype: DataType) -> None: ...
