"""gelu in its tanh form: a chain of element-wise operations, which moves each element once."""

import math

import pypto

SCALE = math.sqrt(2 / math.pi)


@pypto.frontend.jit
def gelu(x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP16), y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP16),
         tile: tuple = (4, 1024)):
    pypto.set_vec_tile_shapes(*tile)
    wide = pypto.cast(x, pypto.DT_FP32)
    inner = SCALE * (wide + 0.044715 * (wide * wide * wide))
    # 0.5 * (1 + tanh(z)) is 1 / (1 + exp(-2 * z)).
    y[:] = pypto.cast(wide / (1.0 + pypto.exp(inner * -2.0)), pypto.DT_FP16)
