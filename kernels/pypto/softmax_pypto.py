"""Softmax of a batch whose size only the launch tells, in a loop over its rows."""

import pypto

ROWS = 16


def softmax_rows(x):
    top = pypto.amax(x, dim=-1, keepdim=True)
    powers = pypto.exp(x - top)
    return powers / pypto.sum(powers, dim=-1, keepdim=True)


@pypto.frontend.jit
def softmax(x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
            tile: tuple = (8, 256)):
    pypto.set_vec_tile_shapes(*tile)
    rows, columns = x.shape
    for i in pypto.loop(pypto.ceildiv(rows, ROWS), name="rows", idx_name="i"):
        part = pypto.view(x, [ROWS, columns], [i * ROWS, 0], valid_shape=[(rows - i * ROWS).min(ROWS), columns])
        y[i * ROWS :, 0:] = softmax_rows(part)
