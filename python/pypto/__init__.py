"""PyPTO: operators on whole tensors, compiled for Ascend NPUs and run on a model of the chip.

@pypto.frontend.jit
def add(x: pypto.Tensor([64, 256], pypto.DT_FP32), z: pypto.Tensor([64, 256], pypto.DT_FP32),
        y: pypto.Tensor([64, 256], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 256)
    y[:] = x + z

add(x, z, y)  # torch tensors; the result is in y
"""

from pypto import _control, _operations, _options, _types, error
from pypto._control import *  # noqa: F403
from pypto._operations import *  # noqa: F403
from pypto._options import get_global_config, options, reset_options, set_global_config, set_options, set_print_options
from pypto._types import *  # noqa: F403

_TYPES = [
    name
    for name, value in vars(_types).items()
    if isinstance(value, type) and value.__module__ == _types.__name__ and name[0] != "_"
]
_CONTROL = [name for name, value in vars(_control).items() if type(value).__name__ == "Builtin"]
_OPTIONS = [name for name in vars(_options) if name[:4] in ("set_", "get_") and name.endswith("_options")]
for _name in _CONTROL:
    globals()[_name] = getattr(_control, _name)
for _name in _OPTIONS:
    globals()[_name] = getattr(_options, _name)
for _member in _types.DataType:
    globals()[_member.name] = _member
del _name, _member

__all__ = sorted(
    [*_operations.__all__, *_CONTROL, *_OPTIONS, *_TYPES, *(member.name for member in _types.DataType)]
    + [
        "DYN",
        "DYNAMIC",
        "STATIC",
        "bytes_of",
        "element",
        "error",
        "experimental",
        "from_torch",
        "frontend",
        "function",
        "get_global_config",
        "get_last_function",
        "jit",
        "options",
        "reset_options",
        "set_global_config",
        "set_options",
        "set_print_options",
        "symbolic_scalar",
        "tensor",
    ]
)

DYNAMIC, DYN, STATIC = _types.DYNAMIC, _types.DYN, _types.STATIC
element = _types.Element
symbolic_scalar = _types.SymbolicScalar
bytes_of = _types.bytes_of

# Loaded on first use, as the compiler is.
_LAZY = {
    "jit": "pypto._jit",
    "function": "pypto.frontend",
    "experimental": "pypto.experimental",
    "get_last_function": "pypto.runtime",
    "from_torch": "pypto._host",
    "frontend": "pypto.frontend",
    "runtime": "pypto.runtime",
    "platform": "pypto.platform",
}


def __getattr__(name):
    from importlib import import_module

    if name in _LAZY:
        module = import_module(_LAZY[name])
        value = module if _LAZY[name].endswith(f".{name}") else getattr(module, name)
        globals()[name] = value
        return value
    if name == "__version__":
        return import_module("tilesmith").__version__
    from _tilesmith import closest

    from pypto._upstream import NOT_HERE

    if name in NOT_HERE:
        raise AttributeError(f"pypto.{name} exists upstream and is not there yet: {NOT_HERE[name]}")
    close = closest(name, __all__)
    help = f"; did you mean pypto.{close}?" if close else ""
    raise AttributeError(f"module 'pypto' has no attribute {name!r}{help}")


def __dir__():
    return sorted({*globals(), *_LAZY})
