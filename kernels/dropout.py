"""Dropout: each element is kept with probability 1 - p and then divided by it, else it is 0.

The random numbers come from a counter, not from a state: element i of a seed has the same one in every launch, on every
platform, however many blocks there are, so a backward pass makes the same choice again and stores nothing.

Tiles of integers have no exclusive or, with which counters are usually mixed. `random_bits` takes what they have:
x (2x + 1) is a permutation of the 32-bit numbers whose upper bits depend on all lower ones, and a rotation brings them down
again; four rounds of it. It is meant for dropout and the like, not for secrets.
"""

import math

import numpy as np

import asc
import asc2
import golden
from positions import positions

TILE = 2048  # elements of one tile
MULTIPLIER, STEP = 0x9E3779B1, 0x7F4A7C15  # odd, their bits well spread


@asc2.jit
def random_bits(counter, seed):
    """32 random bits for each element of a tile of counters (uint32). The seed is a number of 32 bits (uint32)."""
    h = counter * MULTIPLIER + seed
    for i in asc.static_range(4):
        h = h * (h + h + 1)
        h = (h << 16) + (h >> 16) + (seed + STEP * (i + 1) % 2**32)
    return h


@asc2.jit
def uniform(counter, seed):
    """Numbers in [0, 1): the upper 24 bits, which float32 holds exactly."""
    return (random_bits(counter, seed) >> 8).to(asc.int32).to(asc.float32) * 2.0**-24


@asc2.jit
def dropout_kernel(x_ptr, y_ptr, size, seed, keep, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    ramp = positions(tile).to(asc.uint32)
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i]).to(asc.float32)
        kept = uniform(ramp + i * tile, seed) < keep
        asc2.store(asc2.where(kept, x / keep, 0.0).to(y_gm.dtype), y_gm, tile_id=[i])


def dropout_launch(x, y, p, seed):
    """p: the probability of 0, at least 0 and less than 1. Equal seeds make equal choices."""
    if not 0 <= p < 1:
        raise ValueError(f"p is {p}, but a probability to drop is at least 0 and less than 1")
    size = math.prod(x.shape)
    blocks = min(golden.vector_cores(), asc.ceildiv(size, TILE))
    dropout_kernel[blocks](x, y, size, np.uint32(seed % 2**32), 1.0 - p, tile=TILE)


def random_bits_golden(counter, seed):
    """`random_bits` on the host."""
    h = counter.astype(np.uint32) * np.uint32(MULTIPLIER) + np.uint32(seed)
    for i in range(4):
        h = h * (h + h + np.uint32(1))
        h = (h << np.uint32(16)) + (h >> np.uint32(16)) + np.uint32((seed + STEP * (i + 1)) % 2**32)
    return h


@golden.cases([(1,), (17,), (2048,), (3, 50), (10007,)])
def test_dropout(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype)
    y = np.empty_like(x)
    dropout_launch(x, y, p=0.3, seed=20250)
    keep = np.float32(1 - 0.3)
    kept = (random_bits_golden(np.arange(x.size), 20250) >> np.uint32(8)) * np.float32(2.0**-24) < keep
    golden.check(y, np.where(kept.reshape(shape), x.astype(np.float64) / keep, 0))
    golden.check(y != 0, kept.reshape(shape) & (x != 0))  # the same choice, element by element


if __name__ == "__main__":
    golden.main(test_dropout, shape=(1 << 20,))
