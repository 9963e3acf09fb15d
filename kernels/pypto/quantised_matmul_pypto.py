"""A product of INT8 matrices: rows are quantised by their largest element, and scaled back behind it."""

import pypto

ROWS = 32


@pypto.frontend.jit
def quantised_matmul(x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16), w: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_INT8),
                     scales: pypto.Tensor([1, pypto.STATIC], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
                     tile: tuple = (32, 64, 64)):
    m, k, n = tile
    pypto.set_cube_tile_shapes([m, m], [k, k], [n, n])
    pypto.set_vec_tile_shapes(m, n)
    rows, inner = x.shape
    for i in pypto.loop(pypto.ceildiv(rows, ROWS), name="rows", idx_name="i"):
        part = pypto.view(x, [ROWS, inner], [i * ROWS, 0], valid_shape=[(rows - i * ROWS).min(ROWS), inner])
        wide = pypto.cast(part, pypto.DT_FP32)
        step = pypto.maximum(pypto.amax(pypto.abs(wide), -1, keepdim=True), 1e-6) / 127.0
        bytes_ = pypto.cast(pypto.cast(wide / step, pypto.DT_INT32, pypto.CastMode.CAST_RINT), pypto.DT_INT8)
        product = pypto.matmul(bytes_, w, pypto.DT_INT32)
        y[i * ROWS :, 0:] = pypto.cast(pypto.cast(product, pypto.DT_FP32) * step * scales, pypto.DT_BF16)
