"""GELU in both usual forms: exact, x/2 (1 + erf(x/sqrt 2)), and the tanh approximation."""

import math

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # elements of one tile

SQRT_HALF = math.sqrt(0.5)
SQRT_2_OVER_PI = math.sqrt(2.0 / math.pi)
CUBIC = 0.044715


@asc2.jit
def gelu_erf(x):
    return 0.5 * x * (1.0 + asc2.erf(x * SQRT_HALF))


@asc2.jit
def gelu_tanh(x):
    # x/2 (1 + tanh u) is x / (1 + exp(-2u)): the same function, without the cancellation near tanh u = -1.
    u = SQRT_2_OVER_PI * (x + CUBIC * x * x * x)
    return x / (1.0 + asc2.exp(-2.0 * u))


@asc2.jit
def gelu_kernel(x_ptr, y_ptr, size, approximate: asc.ConstExpr[str], tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        # In half precision 1 + erf(...) loses all digits for negative x, so the formula runs in float32.
        x = asc2.load(x_gm, [tile], tile_id=[i]).to(asc.float32)
        if approximate == "tanh":  # known while compiling: only the taken branch exists in the kernel
            y = gelu_tanh(x)
        else:
            y = gelu_erf(x)
        asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i])


def gelu_launch(x, y, approximate="none"):
    size = math.prod(x.shape)
    if size:
        cores = min(golden.vector_cores(), asc.ceildiv(size, TILE))
        gelu_kernel[cores](x, y, size, approximate=approximate, tile=TILE)


def run(platform, dtype, shape, approximate):
    golden.use(platform)
    x = golden.sample(shape, dtype, low=-8, high=8)
    y = np.empty_like(x)
    gelu_launch(x, y, approximate)
    wide = x.astype(np.float64)
    if approximate == "tanh":
        golden.check(y, 0.5 * wide * (1 + np.tanh(SQRT_2_OVER_PI * (wide + CUBIC * wide**3))))
    else:
        golden.check(y, 0.5 * wide * (1 + np.vectorize(math.erf)(wide * SQRT_HALF)))


@golden.cases(golden.FLAT_SHAPES)
def test_gelu_erf(platform, dtype, shape):
    run(platform, dtype, shape, "none")


@golden.cases(golden.FLAT_SHAPES)
def test_gelu_tanh(platform, dtype, shape):
    run(platform, dtype, shape, "tanh")


if __name__ == "__main__":
    golden.main(test_gelu_erf, test_gelu_tanh, shape=(1 << 20,))
