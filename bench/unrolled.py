"""Kernels with unrolled loops: what compiling costs when a body holds many copies of itself."""

import asc
import asc2


@asc2.jit(always_compile=True)
def plain(x_ptr, y_ptr, size, tile: asc.ConstExpr[int], unroll: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num(), unroll_factor=unroll):
        asc2.store(asc2.load(x_gm, [tile], tile_id=[i]) * 2.0 + 1.0, y_gm, tile_id=[i])


@asc2.jit(always_compile=True)
def matmul(a_ptr, b_ptr, c_ptr, m, n, k, tile: asc.ConstExpr[int], outer: asc.ConstExpr[int], inner: asc.ConstExpr[int]):
    a_gm = asc2.tensor(a_ptr, [m, k])
    b_gm = asc2.tensor(b_ptr, [k, n])
    c_gm = asc2.tensor(c_ptr, [m, n])
    columns = asc.ceildiv(n, tile)
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile) * columns, asc2.block_num(), unroll_factor=outer):
        row, column = i // columns, i % columns
        acc = asc2.zeros_acc([tile, tile], asc.float32)
        for j in asc2.range(asc.ceildiv(k, tile), unroll_factor=inner):
            a = asc2.load(a_gm, [tile, tile], tile_id=[row, j], location=asc2.TileLocation.L0A)
            b = asc2.load(b_gm, [tile, tile], tile_id=[j, column], location=asc2.TileLocation.L0B)
            asc2.matmul_acc(a, b, acc)
        asc2.store(acc, c_gm, tile_id=[row, column])
