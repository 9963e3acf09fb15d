"""Layer norm over the last axis, with weight and bias."""

import pypto


@pypto.frontend.jit
def layer_norm(x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32), weight: pypto.Tensor([pypto.STATIC], pypto.DT_FP32),
               bias: pypto.Tensor([pypto.STATIC], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
               tile: tuple = (8, 1024), epsilon: float = 1e-5):
    pypto.set_vec_tile_shapes(*tile)
    count = float(x.shape[1])
    mean = pypto.sum(x, -1, keepdim=True) / count
    centred = x - mean
    variance = pypto.sum(centred * centred, -1, keepdim=True) / count
    y[:] = centred * pypto.rsqrt(variance + epsilon) * weight + bias
