"""PyPTO's operators beside the same ones written by hand in asc2, under several tilings; and what compiling and launching them costs.

    ./dev run bench/pypto_tilings.py [--quick]

Model time of a kernel of kernels/pypto over that of its twin in kernels/, for each tiling: below 1 the whole-tensor one takes less.
Compiling is measured in processes of their own, with an empty disk cache and with a warm one.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "kernels"), str(ROOT / "kernels/pypto")]

import asc  # noqa: E402
import asc2  # noqa: E402
import ffn_pypto  # noqa: E402
import gelu  # noqa: E402
import gelu_pypto  # noqa: E402
import golden  # noqa: E402
import layer_norm  # noqa: E402
import layer_norm_pypto  # noqa: E402
import matmul  # noqa: E402
import matmul_swiglu  # noqa: E402
import numpy as np  # noqa: E402
import pypto  # noqa: E402
import softmax  # noqa: E402
import softmax_pypto  # noqa: E402
import torch  # noqa: E402
from pypto_cases import CASES  # noqa: E402

ROWS = [(1, 1024), (2, 1024), (4, 1024), (8, 1024), (16, 1024)]
FORWARD = [(16, 64, 256), (32, 64, 256), (64, 64, 256), (64, 128, 128), (128, 128, 256)]
PRODUCTS = [(64, 64, 128), (64, 64, 256), (128, 64, 128), (128, 64, 256), (256, 64, 128)]


@pypto.frontend.jit
def product(a: pypto.Tensor(), b: pypto.Tensor(), c: pypto.Tensor(), tile: tuple):
    m, k, n = tile
    pypto.set_cube_tile_shapes([m, m], [k, k], [n, n])
    c[:] = pypto.matmul(a, b, pypto.DT_FP32)


def cycles(launch):
    with asc.profile() as profile:
        launch()
    return sum(one.cycles for one in profile.launches)


def twins(quick):
    """(name, launch of the twin, launch of the operator under a tiling, tilings)."""
    rows, size = (512, 512) if quick else (2048, 1024)
    x, y = np.ones((rows, 1024), np.float32), np.zeros((rows, 1024), np.float32)
    weight, bias = np.ones(1024, np.float32), np.zeros(1024, np.float32)
    half, result = x.astype(np.float16), y.astype(np.float16)
    a, c = np.ones((size, size), np.float16), np.zeros((size, size), np.float32)
    yield "softmax", lambda: softmax.softmax_launch(x, y), lambda tile: softmax_pypto.softmax(x, y, tile=tile), ROWS
    yield (
        "layer_norm",
        lambda: layer_norm.layer_norm_launch(x, weight, bias, y),
        lambda tile: layer_norm_pypto.layer_norm(x, weight, bias, y, tile=tile),
        ROWS,
    )
    yield "gelu", lambda: gelu.gelu_launch(half, result, "tanh"), lambda tile: gelu_pypto.gelu(half, result, tile=tile), ROWS
    width, hidden = (128, 256) if quick else (256, 512)
    given, up, down = (torch.ones(shape).bfloat16() for shape in ((rows, width), (width, 2 * hidden), (hidden, width)))
    between, out = torch.zeros(rows, hidden).bfloat16(), torch.zeros(rows, width).bfloat16()

    sums = torch.zeros(rows, width)  # the kernel by hand stores what it sums in

    def feed_forward():
        matmul_swiglu.matmul_swiglu_launch(given, up, between)
        matmul.matmul_launch(between, down, sums)

    yield "ffn", feed_forward, lambda tile: ffn_pypto.ffn(given, up, down, out, tile=tile), FORWARD
    yield "matmul", lambda: matmul.matmul_launch(a, a, c), lambda tile: product(a, a, c, tile), PRODUCTS


FIRST = """
import json, sys, time
sys.path[:0] = [{kernels!r}]
from asc.runtime import config
from pypto_cases import CASES
config.set_platform("Model", {platform!r})
import add_pypto, torch
small = torch.zeros(8, 8)
# What the first launches of a process set up, for vector cores and for both kinds, is not counted.
add_pypto.add(small, small.clone(), small.clone(), tile=(8, 8))
other = CASES["matmul_bias" if {name!r} != "matmul_bias" else "ffn"]
tensors, others, _ = other.make()
other.kernel(*tensors, *others, tile=other.tiles[0])
case = CASES[{name!r}]
tensors, others, _ = case.make()
times, work = [], []
for _ in range(12):
    start, began = time.perf_counter(), time.process_time()
    case.kernel(*tensors, *others, tile=case.tiles[0])
    times.append(time.perf_counter() - start)
    work.append(time.process_time() - began)
print(json.dumps([times[0] - min(times[1:]), work[0] - min(work[1:])]))
"""


@pypto.frontend.jit
def tiny(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 64)
    y[:] = x + 1.0


@asc2.jit
def tiny_by_hand(x_ptr, y_ptr, n):
    x, y = asc2.tensor(x_ptr, [n, 64]), asc2.tensor(y_ptr, [n, 64])
    asc2.store(asc2.load(x, [8, 64], offsets=[0, 0]) + 1.0, y, offsets=[0, 0])


def launching():
    """Seconds of a launch of one tile on one core, and of the same kernel by hand in asc2: the best of many."""

    def best(launch):
        times = []
        for _ in range(3000):
            start = time.perf_counter()
            launch()
            times.append(time.perf_counter() - start)
        return min(times)

    x, y = torch.ones(8, 64), torch.zeros(8, 64)
    operator, by_hand = tiny.on_cores(1), tiny_by_hand[1]
    return best(lambda: operator(x, y)), best(lambda: by_hand(x, y, 8))


def compiling(platform, name, rounds):
    """Seconds of a first launch with an empty cache and with a warm one, beyond those of the launches after it: (by the clock, of
    this process's work), which differ where the machine has other work."""
    code = FIRST.format(kernels=str(ROOT / "kernels/pypto"), platform=platform, name=name)
    cold, warm = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            for into in (cold, warm):
                run = subprocess.run([sys.executable, "-c", code], env=dict(os.environ, PYASC_CACHE_DIR=cache), capture_output=True)
                into.append(json.loads(run.stdout))
    return [[statistics.median(one) for one in zip(*times)] for times in (cold, warm)]


def show(figures, quick, platforms=golden.PLATFORMS):
    for platform in platforms:
        golden.use(platform)
        print(f"PyPTO on {platform}: model time over that of the kernel by hand in asc2 (target 1.25), by tile shape")
        for name, by_hand, operator, tilings in twins(quick):
            base = cycles(by_hand)
            ratios = {tile: cycles(lambda: operator(tile)) / base for tile in tilings}
            best = min(ratios, key=ratios.get)
            cells = "  ".join(
                f"{'x'.join(map(str, tile))} {ratio:.2f}{'*' if tile == best else ''}" for tile, ratio in ratios.items()
            )
            print(f"  {name:12s} {base:8d} cycles by hand   {cells}", flush=True)
            figures[f"pypto {platform} {name}"] = {"x".join(map(str, tile)): ratio for tile, ratio in ratios.items()}
        print(f"PyPTO on {platform}: compiling (cold; from the disk cache, target 3 ms; in brackets: work of the process)")
        for name in ("softmax", "ffn", "attention") if quick else CASES:
            (cold, cold_work), (warm, warm_work) = compiling(platform, name, 1 if quick else 3)
            target = 250 if "attention" in name else 100
            print(
                f"  {name:18s} {cold * 1e3:7.1f} ms [{cold_work * 1e3:.1f}], target {target}   "
                f"{warm * 1e3:6.2f} ms [{warm_work * 1e3:.2f}]",
                flush=True,
            )
            figures[f"pypto {platform} compile {name}"] = dict(cold=cold, warm=warm, cold_work=cold_work, warm_work=warm_work)
        ours, by_hand = launching()
        print(
            f"PyPTO on {platform}: a launch {ours * 1e6:.1f} us, of the same kernel by hand {by_hand * 1e6:.1f} us (target 10 us beyond it)"
        )
        figures[f"pypto {platform} launch"] = dict(ours=ours, by_hand=by_hand)
        print()


if __name__ == "__main__":
    show({}, "--quick" in sys.argv)
