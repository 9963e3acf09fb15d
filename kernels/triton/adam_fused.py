"""One step of Adam: moments and parameters in place."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def adam_kernel(p_ptr, g_ptr, m_ptr, v_ptr, n, rate, beta1, beta2, eps, correct1, correct2, TILE: tl.constexpr):
    offsets = tl.program_id(0) * TILE + tl.arange(0, TILE)
    mask = offsets < n
    p, g = tl.load(p_ptr + offsets, mask=mask), tl.load(g_ptr + offsets, mask=mask)
    m = beta1 * tl.load(m_ptr + offsets, mask=mask) + (1 - beta1) * g
    v = beta2 * tl.load(v_ptr + offsets, mask=mask) + (1 - beta2) * g * g
    tl.store(m_ptr + offsets, m, mask=mask)
    tl.store(v_ptr + offsets, v, mask=mask)
    tl.store(p_ptr + offsets, p - rate * (m / correct1) / (tl.sqrt(v / correct2) + eps), mask=mask)


def adam_launch(p, g, m, v, step, rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8):
    adam_kernel[(triton.cdiv(p.size, 2048),)](p, g, m, v, p.size, rate, beta1, beta2, eps, 1 - beta1**step, 1 - beta2**step, TILE=2048)


@golden.cases([(1,), (5000,)], dtypes=["float32"])
def test_adam_fused(platform, dtype, shape):
    golden.use(platform)
    p, g, m = (golden.sample(shape, dtype, seed=seed) for seed in range(3))
    v = golden.sample(shape, dtype, low=0, high=1, seed=3)
    wide = [one.astype(np.float64) for one in (p, g, m, v)]
    adam_launch(p, g, m, v, 3)
    m1, v1 = 0.9 * wide[2] + 0.1 * wide[1], 0.999 * wide[3] + 0.001 * wide[1] ** 2
    golden.check(p, wide[0] - 1e-3 * (m1 / (1 - 0.9**3)) / (np.sqrt(v1 / (1 - 0.999**3)) + 1e-8))


if __name__ == "__main__":
    golden.main(test_adam_fused, shape=(1048576,))
