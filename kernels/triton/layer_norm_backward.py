"""Gradients of layer norm: of the input row by row, of weight and bias added up over all rows, atomically."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def layer_norm_backward_kernel(dy_ptr, x_ptr, w_ptr, dx_ptr, dw_ptr, db_ptr, n, eps, TILE: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, TILE)
    inside = column < n
    x = tl.load(x_ptr + row * n + column, mask=inside, other=0.0).to(tl.float32)
    dy = tl.load(dy_ptr + row * n + column, mask=inside, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + column, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / n
    centred = tl.where(inside, x - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / n + eps)
    normal, weighted = centred * scale, dy * w
    along, constant = tl.sum(normal * weighted, axis=0) / n, tl.sum(weighted, axis=0) / n
    tl.store(dx_ptr + row * n + column, (weighted - normal * along - constant) * scale, mask=inside)
    tl.atomic_add(dw_ptr + column, dy * normal, mask=inside)
    tl.atomic_add(db_ptr + column, dy, mask=inside)


def layer_norm_backward_launch(dy, x, w, dx, dw, db, eps=1e-5):
    rows, n = x.shape
    dw[:], db[:] = 0, 0
    layer_norm_backward_kernel[(rows,)](dy, x, w, dx, dw, db, n, eps, TILE=triton.next_power_of_2(n))


@golden.cases([(1, 16), (7, 100)], dtypes=["float32"])
def test_layer_norm_backward(platform, dtype, shape):
    golden.use(platform)
    x, dy = golden.sample(shape, dtype, low=-2, high=3, seed=1), golden.sample(shape, dtype, low=1, high=2, seed=2)
    w = golden.sample(shape[1:], dtype, low=0, high=1, seed=3)
    dx, dw, db = np.empty_like(x), np.empty_like(w), np.empty_like(w)
    layer_norm_backward_launch(dy, x, w, dx, dw, db)
    wide, dy, w = x.astype(np.float64), dy.astype(np.float64), w.astype(np.float64)
    scale = 1 / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    normal, weighted = (wide - wide.mean(1, keepdims=True)) * scale, dy * w
    along, constant = (normal * weighted).mean(1, keepdims=True), weighted.mean(1, keepdims=True)
    golden.check(db, dy.sum(0))
    np.testing.assert_allclose(dx, (weighted - normal * along - constant) * scale, atol=1e-5)
    np.testing.assert_allclose(dw, (dy * normal).sum(0), atol=1e-4)


if __name__ == "__main__":
    golden.main(test_layer_norm_backward, shape=(128, 1024))
