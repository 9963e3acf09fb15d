"""One step of Adam with decoupled weight decay (AdamW), in place.

m = b1 m + (1 - b1) g;  v = b2 v + (1 - b2) g^2;  p = p - rate (m / (1 - b1^t) / (sqrt(v / (1 - b2^t)) + epsilon) + decay p)

The moments m and v are float32; parameters and gradients are of any float type, and computed with in float32.
"""

import math

import numpy as np

import asc
import asc2
import golden

TILE = 2048  # elements of one tile


@asc2.jit
def adam_kernel(p_ptr, g_ptr, m_ptr, v_ptr, size, rate, b1, b2, b1_rest, b2_rest, m_scale, v_scale, epsilon, decay,
                tile: asc.ConstExpr[int]):
    p_gm, g_gm = asc2.tensor(p_ptr, [size]), asc2.tensor(g_ptr, [size])
    m_gm, v_gm = asc2.tensor(m_ptr, [size]), asc2.tensor(v_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(p_gm, 0, [tile]), asc2.block_num()):
        p = asc2.load(p_gm, [tile], tile_id=[i]).to(asc.float32)
        g = asc2.load(g_gm, [tile], tile_id=[i]).to(asc.float32)
        m = asc2.load(m_gm, [tile], tile_id=[i]) * b1 + g * b1_rest
        v = asc2.load(v_gm, [tile], tile_id=[i]) * b2 + g * g * b2_rest
        step = m * m_scale / (asc2.sqrt(v * v_scale) + epsilon)
        asc2.store(m, m_gm, tile_id=[i])
        asc2.store(v, v_gm, tile_id=[i])
        asc2.store((p - (step + p * decay) * rate).to(p_gm.dtype), p_gm, tile_id=[i])


def adam_launch(p, g, m, v, step, rate=1e-3, betas=(0.9, 0.999), epsilon=1e-8, decay=0.0):
    """Changes p, m and v. Steps count from 1."""
    size = math.prod(p.shape)
    b1, b2 = betas
    # What depends on the step is computed here, in double precision: 1 - b2 and 1 - b2^t have few digits in float32.
    m_scale, v_scale = 1 / (1 - b1**step), 1 / (1 - b2**step)
    blocks = min(golden.vector_cores(), asc.ceildiv(size, TILE))
    adam_kernel[blocks](p, g, m, v, size, rate, b1, b2, 1 - b1, 1 - b2, m_scale, v_scale, epsilon, decay, tile=TILE)


@golden.cases([(1,), (17,), (2048,), (3, 50), (10007,)])
def test_adam(platform, dtype, shape):
    golden.use(platform)
    p, g = golden.sample(shape, dtype, seed=1), golden.sample(shape, dtype, low=0.1, seed=2)
    m, v = golden.sample(shape, np.float32, low=0, seed=3), golden.sample(shape, np.float32, low=0, seed=4)
    wide = [array.astype(np.float64) for array in (p, g, m, v)]
    adam_launch(p, g, m, v, step=10, rate=0.01, decay=0.1)
    wp, wg, wm, wv = wide
    wm, wv = 0.9 * wm + 0.1 * wg, 0.999 * wv + 0.001 * wg * wg
    step = wm / (1 - 0.9**10) / (np.sqrt(wv / (1 - 0.999**10)) + 1e-8)
    golden.check(m, wm)
    golden.check(v, wv)
    golden.check(p, wp - 0.01 * (step + 0.1 * wp))


if __name__ == "__main__":
    golden.main(test_adam, shape=(1 << 20,))
