"""C = f(A B + bias) for an activation f that is chosen while compiling: any function of a tile, here relu, silu and none.

As matmul_gelu.py, which deals its tiles out more finely. What the function is the kernel need not know: it is a parameter, and its
body stands where it is called.
"""

import numpy as np

import asc
import asc2
import golden
from asc.runtime import config
from matmul import choose_tiles, place
from swiglu import silu


@asc2.jit
def relu(x):
    return asc2.relu(x)


@asc2.jit
def none(x):
    return x


@asc2.jit
def matmul_bias_kernel(a_ptr, b_ptr, bias_ptr, c_ptr, m, n, k, group, activation: asc.ConstExpr, tile_m: asc.ConstExpr[int],
                       tile_n: asc.ConstExpr[int], tile_k: asc.ConstExpr[int]):
    a_gm, b_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n])
    bias_gm, c_gm = asc2.tensor(bias_ptr, [n]), asc2.tensor(c_ptr, [m, n])
    rows, columns = asc.ceildiv(m, tile_m), asc.ceildiv(n, tile_n)
    for i in asc2.range(asc2.block_idx(), rows * columns, asc2.block_num()):
        row, column = place(i, rows, columns, group)
        row, column = row * tile_m, column * tile_n
        acc = asc2.zeros_acc([tile_m, tile_n], asc.float32)
        for j in asc2.range(asc.ceildiv(k, tile_k)):
            a = asc2.load(a_gm, [tile_m, tile_k], offsets=[row, j * tile_k])
            asc2.matmul_acc(a, asc2.load(b_gm, [tile_k, tile_n], offsets=[j * tile_k, column]), acc)
        bias = asc2.load(bias_gm, [tile_n], offsets=[column]).to(asc.float32)
        asc2.store(activation(acc + bias).to(c_gm.dtype), c_gm, offsets=[row, column])


def matmul_bias_launch(a, b, bias, c, activation=none):
    (m, k), n = a.shape, b.shape[1]
    tiles = choose_tiles(m, n, k, a.itemsize, config.current_platform().value)
    sizes = {name: tiles[name] for name in ("tile_m", "tile_n", "tile_k")}
    count = asc.ceildiv(m, sizes["tile_m"]) * asc.ceildiv(n, sizes["tile_n"])
    matmul_bias_kernel[min(golden.cube_cores(), count)](a, b, bias, c, m, n, k, 4, activation=activation, **sizes)


GOLDEN = {none: lambda x: x, relu: lambda x: np.maximum(x, 0), silu: lambda x: x / (1 + np.exp(-x))}


# Shapes are m x n x k.
@golden.cases([(1, 1, 1), (127, 129, 65), (7, 300, 31), (200, 64, 300)], dtypes=["float16", "float32"])
def test_matmul_bias(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1 / k, seed=2)
    # A large bias: where the sum with it cancels, no result can meet a relative bound.
    bias = golden.sample((n,), dtype, low=1, high=2, seed=3) * np.where(np.arange(n) % 3, 1, -3).astype(dtype)
    for activation, expected in GOLDEN.items():
        c = np.empty((m, n), dtype)
        matmul_bias_launch(a, b, bias, c, activation)
        golden.check(c, expected(a.astype(np.float64) @ b.astype(np.float64) + bias))


if __name__ == "__main__":
    golden.main(test_matmul_bias, shape=(512, 512, 512))
