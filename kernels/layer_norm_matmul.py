"""C = layer_norm(X) W + bias: rows are normalised on the vector cores on their way into the product.

Each block takes rows of X, finds their means and variances, and goes through the columns of W: chunk by chunk of a row, vectors make
the operand of a product, and the cube core adds to an accumulator. The normalised matrix is never stored; a chunk is made once for
every tile of columns, which is why these are wide.
"""

import numpy as np

import asc
import asc2
import golden

TILE_M, TILE_N, TILE_K = 64, 256, 256


@asc2.jit
def layer_norm_matmul_kernel(x_ptr, gamma_ptr, beta_ptr, w_ptr, bias_ptr, c_ptr, m, n, k, epsilon, tile_m: asc.ConstExpr[int],
                             tile_n: asc.ConstExpr[int], tile_k: asc.ConstExpr[int]):
    x_gm, w_gm, c_gm = asc2.tensor(x_ptr, [m, k]), asc2.tensor(w_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    gamma_gm, beta_gm, bias_gm = asc2.tensor(gamma_ptr, [k]), asc2.tensor(beta_ptr, [k]), asc2.tensor(bias_ptr, [n])
    chunks = asc.ceildiv(k, tile_k)
    columns = asc.ceildiv(n, tile_n)
    share = 1.0 / k.cast(asc.float32)

    def chunk(row, j):
        return asc2.load(x_gm, [tile_m, tile_k], offsets=[row, j * tile_k]).to(asc.float32)

    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile_m), asc2.block_num()):
        row = i * tile_m
        total = asc2.zeros([tile_m, 1], asc.float32)
        for j in asc2.range(chunks):  # the padding, 0, adds nothing
            total = total + asc2.reduce_sum(chunk(row, j), 1, keep_dims=True)
        mean = total * share
        squares = asc2.zeros([tile_m, 1], asc.float32)
        for j in asc2.range(chunks):
            inside = asc2.minimum(asc2.maximum((k - j * tile_k).cast(asc.float32) - asc2.arange(0.0, tile_k), 0.0), 1.0)
            d = (chunk(row, j) - mean) * inside
            squares = squares + asc2.reduce_sum(d * d, 1, keep_dims=True)
        scale = 1.0 / asc2.sqrt(squares * share + epsilon)
        for c in asc2.range(columns):
            acc = asc2.zeros_acc([tile_m, tile_n], asc.float32)
            for j in asc2.range(chunks):
                gamma = asc2.load(gamma_gm, [tile_k], offsets=[j * tile_k]).to(asc.float32)
                beta = asc2.load(beta_gm, [tile_k], offsets=[j * tile_k]).to(asc.float32)
                y = (chunk(row, j) - mean) * scale * gamma + beta  # beyond the end gamma and beta are 0
                w = asc2.load(w_gm, [tile_k, tile_n], offsets=[j * tile_k, c * tile_n])
                asc2.matmul_acc(y.to(w_gm.dtype), w, acc)
            bias = asc2.load(bias_gm, [tile_n], offsets=[c * tile_n]).to(asc.float32)
            asc2.store((acc + bias).to(c_gm.dtype), c_gm, offsets=[row, c * tile_n])


def layer_norm_matmul_launch(x, gamma, beta, w, bias, c, epsilon=1e-5):
    (m, k), n = x.shape, w.shape[1]
    tile_m = min(TILE_M, golden.round_up(asc.ceildiv(m, golden.cube_cores()), 16))
    tile_n, tile_k = min(TILE_N, golden.round_up(n, 16)), min(TILE_K, golden.round_up(k, 16))
    blocks = min(golden.cube_cores(), asc.ceildiv(m, tile_m))
    layer_norm_matmul_kernel[blocks](x, gamma, beta, w, bias, c, m, n, k, epsilon, tile_m=tile_m, tile_n=tile_n, tile_k=tile_k)


# Shapes are m x n x k.
@golden.cases([(1, 1, 8), (50, 129, 65), (7, 300, 600), (200, 64, 256)], dtypes=["float16", "float32"])
def test_layer_norm_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    x, gamma = golden.sample((m, k), dtype, low=1, high=9, seed=1), golden.sample((k,), dtype, low=0, high=0.5, seed=2)
    # A large beta and positive weights: where sums cancel, no result can meet a relative bound.
    beta, w = golden.sample((k,), dtype, low=1, high=2, seed=3), golden.sample((k, n), dtype, low=0, high=1 / k, seed=4)
    bias, c = golden.sample((n,), dtype, low=0, high=1, seed=5), np.empty((m, n), dtype)
    layer_norm_matmul_launch(x, gamma, beta, w, bias, c)
    x, gamma, beta, w, bias = (array.astype(np.float64) for array in (x, gamma, beta, w, bias))
    d = x - x.mean(axis=1, keepdims=True)
    y = d / np.sqrt((d * d).mean(axis=1, keepdims=True) + 1e-5) * gamma + beta
    golden.check(c, y @ w + bias)


if __name__ == "__main__":
    golden.main(test_layer_norm_matmul, shape=(512, 512, 512))
