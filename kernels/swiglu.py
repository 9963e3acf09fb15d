"""SwiGLU, the gate of transformer MLPs: y = silu(gate) * up, with silu(x) = x / (1 + exp(-x)).

Gate and up come as one matrix [rows, 2 cols], the way one product makes them: gate in the left half, up in the right.
"""

import numpy as np

import asc
import asc2
import golden

TILE_ROWS, TILE_COLS = 8, 512


@asc2.jit
def silu(x):
    return x / (1.0 + asc2.exp(-x))


@asc2.jit
def swiglu_kernel(x_ptr, y_ptr, rows, cols, tile_rows: asc.ConstExpr[int], tile_cols: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows, 2 * cols])
    y_gm = asc2.tensor(y_ptr, [rows, cols])
    across = asc.ceildiv(cols, tile_cols)
    shape = [tile_rows, tile_cols]
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows) * across, asc2.block_num()):
        row, col = i // across * tile_rows, i % across * tile_cols
        # The last tile of gate reaches into up; those columns are beyond the end of y, and the store drops them.
        gate = asc2.load(x_gm, shape, offsets=[row, col]).to(asc.float32)
        up = asc2.load(x_gm, shape, offsets=[row, cols + col]).to(asc.float32)
        asc2.store((silu(gate) * up).to(y_gm.dtype), y_gm, offsets=[row, col])


def swiglu_launch(x, y):
    rows, cols = y.shape
    tiles = asc.ceildiv(rows, TILE_ROWS) * asc.ceildiv(cols, TILE_COLS)
    swiglu_kernel[min(golden.vector_cores(), tiles)](x, y, rows, cols, tile_rows=TILE_ROWS, tile_cols=TILE_COLS)


# Shapes are those of the result.
@golden.cases([(1, 1), (5, 7), (8, 512), (9, 513), (67, 1100)])
def test_swiglu(platform, dtype, shape):
    golden.use(platform)
    rows, cols = shape
    x, y = golden.sample((rows, 2 * cols), dtype, low=-8, high=8), np.empty(shape, dtype)
    swiglu_launch(x, y)
    gate, up = np.split(x.astype(np.float64), 2, axis=1)
    golden.check(y, gate / (1 + np.exp(-gate)) * up)


if __name__ == "__main__":
    golden.main(test_swiglu, shape=(1024, 4096))
