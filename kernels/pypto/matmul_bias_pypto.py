"""A product of matrices with a bias for each column."""

import pypto


@pypto.frontend.jit
def matmul_bias(a: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP16), b: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_FP16),
                bias: pypto.Tensor([1, pypto.STATIC], pypto.DT_FP32), c: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP16),
                tile: tuple = (64, 64, 64)):
    m, k, n = tile
    pypto.set_cube_tile_shapes([m, m], [k, k], [n, n])
    pypto.set_vec_tile_shapes(m, n)
    c[:] = pypto.matmul(a, b, pypto.DT_FP16, extend_params={"bias_tensor": bias})
