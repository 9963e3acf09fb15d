"""Flash attention: keys in blocks, with the maximum, the sum and the result carried from one to the next."""

import pypto

QUERIES, KEYS = 64, 64


@pypto.frontend.jit
def flash_attention(q: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP16), k: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP16),
                    v: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP16), o: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
                    scale: float, tile: tuple = (64, 64)):
    pypto.set_cube_tile_shapes([64, 64], [64, 64], [64, 64])
    pypto.set_vec_tile_shapes(*tile)
    keys = k.shape[0]
    for i in pypto.loop(pypto.ceildiv(q.shape[0], QUERIES), name="queries", idx_name="i"):
        rows = pypto.view(q, [QUERIES, 64], [i * QUERIES, 0])
        top = pypto.full([QUERIES, 1], -1e30, pypto.DT_FP32)
        total = pypto.zeros([QUERIES, 1], dtype=pypto.DT_FP32)
        out = pypto.zeros([QUERIES, 64], dtype=pypto.DT_FP32)
        for j in pypto.loop(pypto.ceildiv(keys, KEYS), name="keys", idx_name="j"):
            valid = [(keys - j * KEYS).min(KEYS), 64]
            block = pypto.view(k, [KEYS, 64], [j * KEYS, 0], valid_shape=valid)
            score = pypto.matmul(rows, block, pypto.DT_FP32, b_trans=True) * scale
            higher = pypto.maximum(top, pypto.amax(score, -1, keepdim=True))
            power, shrink = pypto.exp(score - higher), pypto.exp(top - higher)
            total = total * shrink + pypto.sum(power, -1, keepdim=True)
            values = pypto.view(v, [KEYS, 64], [j * KEYS, 0], valid_shape=valid)
            out = out * shrink + pypto.matmul(pypto.cast(power, pypto.DT_FP16), values, pypto.DT_FP32)
            top = higher
        o[i * QUERIES :, 0:] = out / total
