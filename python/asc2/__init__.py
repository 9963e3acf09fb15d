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

from asc2._elementwise import (abs, add, ceil, cos, cosh, div, equal, erf, exp, exp2, floor, greater, greater_equal, left_shift,
                               less, less_equal, log, log2, maximum, minimum, mul, negative, not_equal, relu, right_shift,
                               rms_norm, rsqrt, sin, sinh, softmax, sqrt, sub, tan, tanh, where)
from asc2._memory import (atomic_add, atomic_max, atomic_min, block_idx, block_num, copy, device_print, load, mask, num_tiles, range, store,
                          tensor)
from asc2._shape import (broadcast_to, concat, expand_dims, full, full_like, matmul, matmul_acc, ravel, reduce_max, reduce_min,
                         reduce_prod, reduce_sum, reshape, squeeze, zeros, zeros_acc, zeros_like)
from asc2._types import Tensor, Tile, TileLocation

__all__ = [
    "Tensor", "Tile", "TileLocation", "abs", "add", "atomic_add", "atomic_max", "atomic_min", "block_idx", "block_num",
    "broadcast_to", "ceil", "concat", "copy", "cos", "cosh", "device_print", "div", "equal", "erf", "exp", "exp2",
    "expand_dims", "floor", "full", "full_like", "greater", "greater_equal", "jit", "left_shift", "less", "less_equal", "load",
    "log", "log2", "mask", "matmul", "matmul_acc", "maximum", "minimum", "mul", "negative", "not_equal", "num_tiles", "range",
    "ravel", "reduce_max", "reduce_min", "reduce_prod", "reduce_sum", "relu", "reshape", "right_shift", "rms_norm", "rsqrt",
    "sin", "sinh", "softmax", "sqrt", "squeeze", "store", "sub", "tan", "tanh", "tensor", "where", "zeros", "zeros_acc",
    "zeros_like",
]


def __getattr__(name):
    if name != "jit":
        raise AttributeError(f"module 'asc2' has no attribute {name!r}")
    from asc.runtime.jit import make_jit

    globals()["jit"] = jit = make_jit({"run_asc2_passes": True, "insert_sync": True, "custom_builtins": {"range": range}})
    return jit


def __dir__():
    return sorted({*globals(), "jit"})
