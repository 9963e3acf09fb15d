"""The language of kernels: `import triton.language as tl`."""

from tilesmith.triton.package.language import _operations, _types
from tilesmith.triton.package.language._types import PropagateNan, constexpr, dtype, pointer_type, tensor

_DTYPES = "int1 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32".split()
for _name in _DTYPES:
    globals()[_name] = dtype(_name)
# Types kernels ask about, of which this chip has no tiles.
_ABSENT = {"float64": "float64", "float8e5": "float8_e5m2", "float8e4nv": "float8_e4m3fn"}
for _name, _full in _ABSENT.items():
    globals()[_name] = dtype(_full)
_BUILTINS = {name: vars(_operations)[name] for name in _operations.FORMS}
for _name, _form in _operations.FORMS.items():
    if _form != "Device":
        globals()[_name] = _BUILTINS[_name]
del _name, _form, _full

from tilesmith.triton.package.language import _extension, _library
from tilesmith.triton.package.language._extension import *  # noqa: F403
from tilesmith.triton.package.language._library import *  # noqa: F403

# As many elements a tile has at most.
TRITON_MAX_TENSOR_NUMEL = 1048576
__all__ = sorted(
    [
        *_DTYPES,
        *_ABSENT,
        *(name for name, form in _operations.FORMS.items() if form != "Device"),
        *_library.__all__,
        *_extension.__all__,
    ]
    + ["PropagateNan", "constexpr", "dtype", "extra", "math", "pointer_type", "tensor"]
)

# Names people try that are elsewhere.
_ELSEWHERE = {
    "tanh": "tl.extra.cann.libdevice.tanh",
    "pow": "tl.extra.cann.libdevice.pow",
    "isnan": "tl.extra.cann.libdevice.isnan",
    "isinf": "tl.extra.cann.libdevice.isinf",
    "round": "tl.extra.cann.libdevice.rint",
}


def __getattr__(name):
    if name in ("math", "extra", "core", "standard", "random"):
        from importlib import import_module

        from tilesmith.triton import modules

        return import_module(modules.name_of(__name__, name))
    if name in _ELSEWHERE:
        raise AttributeError(f"module 'triton.language' has no attribute {name!r}; use {_ELSEWHERE[name]}")
    if name.startswith("__"):
        raise AttributeError(name)
    from _tilesmith import closest

    close = closest(name, __all__)
    help = f"; did you mean tl.{close}?" if close else ""
    raise AttributeError(f"module 'triton.language' has no attribute {name!r}{help}")
