"""The tile language: kernels on tiles of tensors.

A `Tensor` describes an array in global memory, a `Tile` is an immutable value of static shape on the chip. Load tiles,
compute with operators and the functions here, store the results:

    @asc2.jit
    def scale(x_ptr, y_ptr, size, factor, tile: asc.ConstExpr[int]):
        x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
        for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x, 0, [tile]), asc2.block_num()):
            asc2.store(asc2.load(x, [tile], tile_id=[i]) * factor, y, tile_id=[i])

    scale[8](x, y, x.size, 0.5, tile=1024)
"""

from asc._builtin import Builtin as _Builtin

from asc2 import _elementwise, _index, _memory, _shape
from asc2._types import Tensor, Tile, TileLocation

_BUILTINS = {
    name: value
    for module in (_elementwise, _memory, _shape, _index)
    for name, value in vars(module).items()
    if isinstance(value, _Builtin)
}
globals().update(_BUILTINS)
for _builtin in _BUILTINS.values():
    if _builtin.method:
        setattr(Tile, _builtin.method, _builtin.__wrapped__)
del _builtin

# Loaded on first use, as the compiler is.
_LAZY = {
    "Config": "asc.runtime.tuning.config",
    "autotune": "asc.runtime.tuning.autotune",
    "placeholder": "asc.runtime.placeholder",
    "placeholder_like": "asc.runtime.placeholder",
}

__all__ = sorted([*_BUILTINS, *_LAZY, "Tensor", "Tile", "TileLocation", "jit"])


def __getattr__(name):
    if name in _LAZY:
        from importlib import import_module

        globals()[name] = value = getattr(import_module(_LAZY[name]), name)
        return value
    if name == "__version__":
        from tilesmith import __version__

        return __version__
    if name != "jit":
        raise AttributeError(f"module 'asc2' has no attribute {name!r}")
    from asc.runtime.jit import make_jit

    globals()["jit"] = jit = make_jit({"run_asc2_passes": True, "insert_sync": True, "custom_builtins": {"range": _memory.range}})
    return jit


def __dir__():
    return sorted({*globals(), *_LAZY, "jit"})
