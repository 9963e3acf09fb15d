"""The same algorithm in asc and in Ascend C: model time of both, beside what boards measured of PyAsc and Ascend C (910B4)."""

import importlib.util
import sys
from pathlib import Path

import asc
import numpy as np
from asc.lib import host
from asc.runtime import config

ROOT = Path(__file__).resolve().parent.parent

# n: (PyAsc, Ascend C) in us, a product of n x n x n of float16 by a Matmul object on 20 cube cores. Published in a talk on PyAsc in 2025.
TALK = {
    2560: (334.25, 332.04), 3840: (1328.72, 1332.54), 5120: (2875.0, 2902.66), 6400: (6539.53, 6295.36), 7680: (7082.11, 6896.86),
    8960: (20955.0, 19999.57), 10240: (20560.42, 20800.17), 11520: (48979.96, 48136.02),
}  # fmt: skip


def kernels():
    path = ROOT / "kernels" / "asc" / "matmul_mix.py"
    spec = importlib.util.spec_from_file_location("matmul_mix", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["matmul_mix"] = module
    spec.loader.exec_module(module)
    return module.matmul_mix, asc.load_ascendc(ROOT / "kernels" / "ascendc" / "matmul_mix.cpp", timeout=600)["matmul_mix"]


def matmul_mix(platform, sizes):
    """(n, us in asc, us in Ascend C) of launches that compute nothing: only their calls and times are wanted."""
    config.set_platform(config.Backend.Model, platform)
    mine, twin = kernels()
    for n in sizes:
        tiler = host.MultiCoreMatmulTiling()
        tiler.set_dim(tiler.platform.get_core_num_aiv())
        tiler.set_shape(n, n, n)
        tiling = host.TCubeTiling()
        assert tiler.get_tiling(tiling) == 0
        a, c, workspace = np.zeros((n, n), np.float16), np.zeros((n, n), np.float32), np.zeros(16 << 20, np.uint8)
        blocks = -(-tiling.used_core_num // 2)
        times = []
        for kernel, last in ((mine, tiling), (twin, np.frombuffer(tiling.pack(), np.uint8))):
            with asc.launch_mode(dry=True), asc.profile() as profile:
                kernel[blocks](a, a, c, workspace, last)
            times.append(profile.time_us)
        yield (n, *times)


def show(figures, quick=False):
    print("a Matmul object on the Ascend910B4, n x n x n of float16, model us; ratio: asc beside Ascend C (target 1.00)")
    for n, mine, twin in matmul_mix("Ascend910B4", list(TALK)[: 1 if quick else 4]):
        pyasc, peer = TALK[n]
        print(
            f"  {n:6d} {mine:10.1f} {twin:10.1f} {mine / twin:6.3f}   talk: {pyasc:10.1f} {peer:10.1f} {pyasc / peer:6.3f}",
            flush=True,
        )
        figures[f"parity matmul {n}"] = dict(asc=mine, ascendc=twin, talk_pyasc=pyasc, talk_other=peer)
    print()
