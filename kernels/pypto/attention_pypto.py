"""Attention of a few heads at once, with all scores of a head on the chip."""

import pypto


@pypto.frontend.jit
def attention(q: pypto.Tensor([pypto.STATIC, pypto.STATIC, ...], pypto.DT_FP16), k: pypto.Tensor([pypto.STATIC, ...], pypto.DT_FP16),
              v: pypto.Tensor([pypto.STATIC, ...], pypto.DT_FP16), o: pypto.Tensor([pypto.STATIC, ...], pypto.DT_FP16),
              scale: float, tile: tuple = (32, 64, 64)):
    m, inner, n = tile
    pypto.set_cube_tile_shapes([m, m], [inner, inner], [n, n])
    pypto.set_vec_tile_shapes(1, m, n)
    scores = pypto.matmul(q, k, pypto.DT_FP32, b_trans=True) * scale
    weights = pypto.cast(pypto.softmax(scores, -1), pypto.DT_FP16)
    o[:] = pypto.matmul(weights, v, pypto.DT_FP16)
