"""C = gelu(A B + bias): the product on cube cores, bias and activation on the vector cores beside them, in one kernel.

The compiler splits the kernel: each result tile goes from the cube core to its two vector cores while the next one is being
multiplied. gelu is its tanh form.
"""

import numpy as np

import asc
import asc2
import golden
from asc.runtime import config
from matmul import choose_tiles, place


@asc2.jit
def matmul_gelu_kernel(a_ptr, b_ptr, bias_ptr, c_ptr, m, n, k, high, large, group, tile_m: asc.ConstExpr[int],
                       tile_n: asc.ConstExpr[int], tile_k: asc.ConstExpr[int], low_m: asc.ConstExpr[int] = 0,
                       parts_m: asc.ConstExpr[int] = 1, parts_n: asc.ConstExpr[int] = 1):
    # Results are dealt out as in matmul: whole tiles, then lower ones, or the last ones in parts.
    a_gm = asc2.tensor(a_ptr, [m, k])
    b_gm = asc2.tensor(b_ptr, [k, n])
    bias_gm = asc2.tensor(bias_ptr, [n])
    c_gm = asc2.tensor(c_ptr, [m, n])
    columns, steps = asc.ceildiv(n, tile_n), max(asc.ceildiv(k, tile_k), 1)
    for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
        row, column = place(i, high, columns, group)
        one_result(a_gm, b_gm, bias_gm, c_gm, row * tile_m, column * tile_n, steps, tile_m, tile_n, tile_k)
    first = (asc2.block_idx() + asc.ceildiv(large, asc2.block_num()) * asc2.block_num() - large) % asc2.block_num()
    if low_m > 0:
        lower = asc.ceildiv(m - high * tile_m, low_m)
        for i in asc2.range(first, lower * columns, asc2.block_num()):
            row, column = place(i, lower, columns, group)
            one_result(a_gm, b_gm, bias_gm, c_gm, high * tile_m + row * low_m, column * tile_n, steps, low_m, tile_n, tile_k)
    if parts_m * parts_n > 1:
        part_m, part_n = tile_m // parts_m, tile_n // parts_n
        for i in asc2.range(first, (high * columns - large) * (parts_m * parts_n), asc2.block_num()):
            row, column = place(large + i // (parts_m * parts_n), high, columns, group)
            part = i % (parts_m * parts_n)
            top, left = row * tile_m + part // parts_n * part_m, column * tile_n + part % parts_n * part_n
            one_result(a_gm, b_gm, bias_gm, c_gm, top, left, steps, part_m, part_n, tile_k)


@asc2.jit
def one_result(a_gm, b_gm, bias_gm, c_gm, top, left, steps, tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int],
               tile_k: asc.ConstExpr[int]):
    acc = asc2.zeros_acc([tile_m, tile_n], asc.float32)
    for j in asc2.range(steps):
        a = asc2.load(a_gm, [tile_m, tile_k], offsets=[top, j * tile_k])
        b = asc2.load(b_gm, [tile_k, tile_n], offsets=[j * tile_k, left])
        asc2.matmul_acc(a, b, acc)
    x = acc + asc2.load(bias_gm, [tile_n], offsets=[left]).to(asc.float32).broadcast_to([tile_m, tile_n])
    # x (1 + tanh(u)) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3) is x / (1 + exp(-2 u)).
    y = x / (asc2.exp((x * x * 0.044715 + 1.0) * x * -1.5957691216) + 1.0)
    asc2.store(y.to(c_gm.dtype), c_gm, offsets=[top, left])


def matmul_gelu_launch(a, b, bias, c):
    (m, k), n = a.shape, b.shape[1]
    tiles = choose_tiles(m, n, k, a.itemsize, config.current_platform().value)
    blocks = tiles.pop("blocks")
    if tiles.pop("divisions") > 1:  # k is not divided: parts would have to be added before the activation
        high, columns = asc.ceildiv(m, tiles["tile_m"]), asc.ceildiv(n, tiles["tile_n"])
        tiles = {name: tiles[name] for name in ("tile_m", "tile_n", "tile_k")} | {"high": high, "large": high * columns, "group": 4}
        blocks = min(golden.cube_cores(), high * columns)
    matmul_gelu_kernel[blocks](a, b, bias, c, m, n, k, **tiles)


# Shapes are m x n x k.
@golden.cases([(1, 1, 1), (16, 16, 16), (127, 129, 65), (7, 300, 31), (257, 16, 1000), (512, 512, 512)], dtypes=["float16"])
def test_matmul_gelu(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1 / k, seed=2)
    bias = golden.sample((n,), dtype, low=0, high=1, seed=3)
    c = np.empty((m, n), np.float32)
    matmul_gelu_launch(a, b, bias, c)
    x = a.astype(np.float64) @ b.astype(np.float64) + bias
    golden.check(c, x / (1 + np.exp(-1.5957691216 * (x + 0.044715 * x**3))))


if __name__ == "__main__":
    golden.main(test_matmul_gelu, shape=(512, 512, 512))
