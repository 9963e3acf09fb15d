"""GELU in both usual forms: exact, x/2 (1 + erf(x/sqrt 2)), and the tanh approximation."""

import math

import numpy as np

import asc
import asc2
import golden

SQRT_2_OVER_PI = math.sqrt(2.0 / math.pi)
CUBIC = 0.044715

# The logarithm of the tail of the normal distribution, log P(X > a), as a polynomial in a, highest power first. The result is off
# by 8e-8 at most, and by 5e-7 of itself for a < 1.
TAIL = (-8.697119824319088e-07, 1.341368624707684e-05, -5.875479109818116e-05, -0.00027735906769521534, 0.0051543270237743855,
        -0.036583349108695984, -0.31822699308395386, -0.7978952527046204, -0.6931469440460205)  # fmt: skip
FAR = 14.0  # nothing of the tail is left there

# gelu(x) = x / (1 + exp(x p(x^2))) in both forms, as the probability is the logistic function of its log-odds. Highest power first.
# For tanh p is exact; for erf the result is off by 7e-4 at most of what half precision asks for, a rounding to half by 5e-4.
TANH = (-2.0 * SQRT_2_OVER_PI * CUBIC, -2.0 * SQRT_2_OVER_PI)
ERF_HALF = (-4.10555481e-06, 0.00087296847, -0.0751324524, -1.59351521)


@asc2.jit
def polynomial(x, coefficients):
    p = x * coefficients[0] + coefficients[1]
    for coefficient in coefficients[2:]:
        p = p * x + coefficient
    return p


@asc2.jit
def odd_polynomial(x, coefficients):
    """x p(x^2). A register waits for each step of a polynomial: four coefficients are two and two, in half the steps."""
    square = x * x
    if len(coefficients) != 4:
        return x * polynomial(square, coefficients)
    a, b, c, d = coefficients
    return x * ((square * a + b) * (square * square) + (square * c + d))


@asc2.jit
def gelu_in_registers(x, coefficients):
    wide = x.to(asc.float32)
    return wide / (1.0 + asc2.exp(odd_polynomial(wide, coefficients)))


@asc2.jit
def gelu_half(x, coefficients):
    wide = x.to(asc.float32)
    odds = asc2.exp(wide * polynomial(wide * wide, coefficients))
    # The instruction's reciprocal is good enough for a half, and so is the product of two.
    return x * asc2.reciprocal(1.0 + odds).to(asc.float16)


@asc2.jit
def gelu_tanh(x):
    # The same function as x/2 (1 + tanh u), without the cancellation near tanh u = -1.
    return x / (1.0 + asc2.exp(x * polynomial(x * x, TANH)))


@asc2.jit
def gelu_erf(x):
    # x/2 (1 + erf(x / sqrt 2)) = x P(X < x) = max(x, 0) - |x| P(X > |x|): nothing cancels on either side of 0.
    a = asc2.minimum(asc2.abs(x), FAR)
    return asc2.relu(x) - a * asc2.exp(polynomial(a, TAIL))


@asc2.jit
def gelu_kernel(x_ptr, y_ptr, size, approximate: asc.ConstExpr[str], tile: asc.ConstExpr[int],
                in_registers: asc.ConstExpr[bool] = False, lead=0):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    tiles, block = asc2.num_tiles(x_gm, 0, [tile]), asc2.block_idx()
    for i in asc2.range(golden.first_tile(tiles, lead, block), golden.first_tile(tiles, lead, block + 1)):
        x = asc2.load(x_gm, [tile], tile_id=[i])
        # Known while compiling: only the taken branch exists in the kernel.
        if x_gm.dtype == asc.float16:
            coefficients = TANH if approximate == "tanh" else ERF_HALF
            y = gelu_in_registers(x, coefficients) if in_registers else gelu_half(x, coefficients)
        elif approximate == "tanh":
            y = gelu_tanh(x.to(asc.float32))
        else:
            y = gelu_erf(x.to(asc.float32))
        asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i])


def gelu_launch(x, y, approximate="none"):
    size = math.prod(x.shape)
    if size:
        tile = golden.tile_elements(x, 20 if x.itemsize < 4 else 24)
        tiles = asc.ceildiv(size, tile)
        cores = min(golden.vector_cores(), tiles)
        lead = golden.lead(tiles, tile * x.itemsize) if approximate == "tanh" else 0  # of erf the vector unit decides
        gelu_kernel[cores](x, y, size, approximate=approximate, tile=tile, in_registers=golden.memory_decides(), lead=lead)


def run(platform, dtype, shape, approximate):
    golden.use(platform)
    x = golden.sample(shape, dtype, low=-8, high=8)
    y = np.empty_like(x)
    gelu_launch(x, y, approximate)
    wide = x.astype(np.float64)
    if approximate == "tanh":
        golden.check(y, 0.5 * wide * (1 + np.tanh(SQRT_2_OVER_PI * (wide + CUBIC * wide**3))))
    else:
        golden.check(y, 0.5 * wide * (1 + np.vectorize(math.erf)(wide * math.sqrt(0.5))))


@golden.cases(golden.FLAT_SHAPES)
def test_gelu_erf(platform, dtype, shape):
    run(platform, dtype, shape, "none")


@golden.cases(golden.FLAT_SHAPES)
def test_gelu_tanh(platform, dtype, shape):
    run(platform, dtype, shape, "tanh")


if __name__ == "__main__":
    golden.main(test_gelu_erf, test_gelu_tanh, shape=(1 << 20,))
