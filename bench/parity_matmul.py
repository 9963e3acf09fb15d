"""The talk's product in three languages, on the model of an Ascend910B4: a Matmul object in asc and in Ascend C, which are one algorithm,
and tiles in asc2. Beside them what the talk measured of PyAsc and Ascend C."""

import importlib.util
import sys
from pathlib import Path

import asc
import asc2
import numpy as np
from asc.lib import host
from asc.runtime import config

ROOT = Path(__file__).resolve().parent.parent

# n: (PyAsc, Ascend C) in us, a product of n x n x n of float16 by a Matmul object on 20 cube cores. Published in a talk on PyAsc in 2025.
TALK = {
    2560: (334.25, 332.04), 3840: (1328.72, 1332.54), 5120: (2875.0, 2902.66), 6400: (6539.53, 6295.36), 7680: (7082.11, 6896.86),
    8960: (20955.0, 19999.57), 10240: (20560.42, 20800.17), 11520: (48979.96, 48136.02),
}  # fmt: skip


def by_file(path, name):
    spec = importlib.util.spec_from_file_location(f"parity_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


def products(platform, sizes):
    """(n, us in asc, in Ascend C, in asc2) of launches that compute nothing: only their calls and times are wanted."""
    config.set_platform(config.Backend.Model, platform)
    mine = by_file(ROOT / "kernels/asc/matmul_mix.py", "matmul_mix")
    twin = asc.load_ascendc(ROOT / "kernels/ascendc/matmul_mix.cpp", timeout=600)["matmul_mix"]
    tiles = by_file(ROOT / "kernels/matmul.py", "matmul_launch")
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
        factors = [asc2.placeholder((n, n), "float16") for _ in range(2)]
        with asc.launch_mode(dry=True), asc.profile() as profile:
            tiles(*factors, asc2.placeholder((n, n), "float32"))
        yield (n, *times, profile.time_us)


def show(figures, quick=False, every=False):
    print("the talk's n x n x n product of float16 on the Ascend910B4, model us; ratio: asc beside Ascend C (target 1.00)")
    print("       n        asc   Ascend C  ratio       asc2   talk: PyAsc   Ascend C  ratio")
    sizes = list(TALK)
    for n, mine, twin, tiles in products("Ascend910B4", sizes[:1] if quick else sizes if every else sizes[:4:3]):
        pyasc, peer = TALK[n]
        print(
            f"  {n:6d} {mine:10.1f} {twin:10.1f} {mine / twin:6.3f} {tiles:10.1f} {pyasc:13.1f} {peer:10.1f} {pyasc / peer:6.3f}",
            flush=True,
        )
        figures[f"parity matmul {n}"] = dict(asc=mine, ascendc=twin, asc2=tiles, talk_pyasc=pyasc, talk_other=peer)
    print()
