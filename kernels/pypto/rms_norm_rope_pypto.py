"""RMS norm of each head, then its rotary embedding: two halves that turn against each other."""

import pypto

HEADS, WIDTH = 4, 64


@pypto.frontend.jit
def rms_norm_rope(x: pypto.Tensor([pypto.DYNAMIC, HEADS, WIDTH], pypto.DT_FP32), gamma: pypto.Tensor([WIDTH], pypto.DT_FP32),
                  cos: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32), sin: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
                  y: pypto.Tensor([pypto.DYNAMIC, HEADS, WIDTH], pypto.DT_FP32), tile: tuple = (1, 4, 64)):
    pypto.set_vec_tile_shapes(*tile)
    for t in pypto.loop(x.shape[0], name="tokens", idx_name="t"):
        head = pypto.rms_norm(x[t : t + 1, :, :], gamma)
        left, right = head[:, :, : WIDTH // 2], head[:, :, WIDTH // 2 :]
        turned = pypto.concat([-right, left], -1)
        c, s = (pypto.reshape(table[t : t + 1, :], [1, 1, WIDTH]) for table in (cos, sin))
        y[t : t + 1, :, :] = head * c + turned * s
