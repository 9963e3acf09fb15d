"""The sum of two tensors."""

import pypto


@pypto.frontend.jit
def add(x: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_FP32), z: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_FP32),
        y: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_FP32), tile: tuple = (8, 1024)):
    pypto.set_vec_tile_shapes(*tile)
    y[:] = x + z
