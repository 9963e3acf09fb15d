"""A launch of each kernel of this folder, with data: what tests, `./dev equality` and `./dev bench` run."""

import importlib.util
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from collections.abc import Callable

import numpy as np

BOTH = ("Ascend910B1", "Ascend950PR_9599")


@dataclass(frozen=True)
class Launch:
    """`arguments()` makes fresh ones; `outputs` are the places of those the kernel writes."""

    name: str
    blocks: int
    arguments: Callable[[], tuple]
    outputs: tuple = (-1,)
    options: dict[str, Any] = field(default_factory=dict)
    platforms: tuple = BOTH

    @property
    def kernel(self):
        return load(self.name)

    def run(self, kernel=None):
        """The arrays the launch has written."""
        arguments = self.arguments()
        (kernel or self.kernel)[self.blocks](*arguments, **self.options)
        return [argument for i in self.outputs for argument in [arguments[i]]]


def load(name):
    """The kernel of a file of this folder, which has its name."""
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"kernels_asc_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def random(shape, dtype=np.float32, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def zeros(shape, dtype=np.float32):
    return np.zeros(shape, dtype)


def three(count, dtype=np.float32):
    return random(count, dtype), random(count, dtype, 2), zeros(count, dtype)


def gathered():
    index = np.random.default_rng(3).integers(0, 2048, 1024).astype(np.int32)
    return random(2048), index, zeros(1024), 2048, 1024


def product(m, n, k, bias=False, **settings):
    """Arguments of the kernels with a Matmul: the host's tiling shares the product between two vector cores, or two cube cores."""
    from asc.lib import host

    tiler = host.MultiCoreMatmulTiling()
    tiler.set_dim(2)
    for setter in (tiler.set_a_type, tiler.set_b_type):
        setter(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT16)
    tiler.set_shape(m, n, k)
    tiler.set_org_shape(m, n, k)
    tiler.enable_bias(bias)
    for name, values in settings.items():
        getattr(tiler, name)(*values)
    tiling = host.TCubeTiling()
    assert tiler.get_tiling(tiling) == 0
    return random((m, k), np.float16), random((k, n), np.float16, 2), zeros((m, n)), np.zeros(16 << 20, np.uint8), tiling


def leaky(m, n, k):
    a, b, c, workspace, tiling = product(m, n, k, bias=True, set_fix_split=(32, 48, -1), set_align_split=(32, 48, -1))
    return a, b, random(n, seed=3), c, workspace, tiling, 0.25


def alone(m, n, k):
    a, b, c, _, tiling = product(m, n, k)
    return a, b, c, tiling


def best():
    return random((3, 1024)), np.arange(1024, dtype=np.uint32), zeros((3, 10)), zeros((3, 10), np.uint32), 3, 10


LAUNCHES = [
    Launch("add_flags", 2, lambda: (*three(16384), 16384), (2,)),
    Launch("add_custom", 4, lambda: (*three(16384, np.float16), 16384), (2,)),
    Launch("add_automatic", 2, lambda: (*three(8192), 8192), (2,), {"tile": 1024}),
    Launch("clip_select", 2, lambda: (random(4096), zeros(4096), 4096, -0.5, 0.5, 9.0), (1,)),
    Launch("softmax_rows", 2, lambda: (random((5, 100)), zeros((5, 100)), 5, 100), (1,)),
    Launch(
        "matmul_cube",
        2,
        lambda: (random((64, 64), np.float16), random((64, 48), np.float16, 2), zeros((64, 48)), 32, 48, 64),
        (2,),
        platforms=BOTH[:1],
    ),
    Launch("ordered_sum", 4, lambda: (random((4, 1024)), zeros(1024), zeros(64, np.int32)), (1,)),
    Launch("top_k", 2, best, (2, 3)),
    Launch("transpose_squares", 2, lambda: (random((48, 80), np.float16), zeros((80, 48), np.float16), 48, 80), (1,)),
    Launch("scale_to_bytes", 2, lambda: (random(4096) * np.float32(2), zeros(4096, np.int8), 4096, 40.0, 3.0), (1,)),
    Launch("gather_rows", 2, gathered, (2,)),
    Launch("matmul_object", 2, lambda: alone(96, 80, 64), (2,)),
    Launch("matmul_mix", 1, lambda: product(100, 80, 72), (2,)),
    Launch("matmul_leaky_relu", 1, lambda: leaky(64, 96, 64), (3,)),
    Launch("sum_masked", 2, lambda: (random((96, 64)), zeros(96), 96, 37), (1,)),
]
