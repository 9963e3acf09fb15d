"""The feed-forward part of a transformer with SwiGLU: two products, and the activation between them stays on the chip."""

import pypto

ROWS = 16


def swiglu(up):
    half = up.shape[1] // 2
    gate, value = up[:, :half], up[:, half:]
    return gate / (1.0 + pypto.exp(-gate)) * value


@pypto.frontend.jit
def ffn(x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16), up: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_BF16),
        down: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_BF16), y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
        tile: tuple = (16, 64, 128)):
    m, k, n = tile
    pypto.set_cube_tile_shapes([m, m], [k, k], [n, n])
    pypto.set_vec_tile_shapes(m, n)
    rows = x.shape[0]
    for i in pypto.loop(pypto.ceildiv(rows, ROWS), name="rows", idx_name="i"):
        part = pypto.view(x, [ROWS, x.shape[1]], [i * ROWS, 0], valid_shape=[(rows - i * ROWS).min(ROWS), x.shape[1]])
        hidden = pypto.cast(swiglu(pypto.matmul(part, up, pypto.DT_FP32)), pypto.DT_BF16)
        y[i * ROWS :, 0:] = pypto.matmul(hidden, down, pypto.DT_BF16)
