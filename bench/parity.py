"""The same algorithm in three languages: the talk's Add in `asc`, by hand in Ascend C, and in `asc2`, on the model of an Ascend910B4.

The talk measured PyAsc beside Ascend C on 20 cores and beside torch on 40. Its sizes are thousands of elements a core; which part and
which element types it had is not said there: from the bytes per second it was half on 20 cores, float on 40, and an Ascend910B4. `asc`
and Ascend C are one algorithm, kernels/asc/add_flags.py and kernels/ascendc/add_flags.cpp: what they call is compared, not only what it
takes.
"""

import importlib.util
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
PLATFORM, TILE = "Ascend910B4", 2048
TALK = {  # (cores, element type, whom PyAsc was measured beside): [(thousand elements a core, us of PyAsc, us of the other)]
    (20, "float16", "Ascend C"): [
        (3200, 579.84, 583.944),
        (6400, 1217.42, 1217.64),
        (9600, 1858.66, 1861.72),
        (12800, 2494.64, 2496.976),
        (16000, 3134.08, 3141.2),
        (19200, 3778.24, 3771.12),
        (22400, 4407.784, 4425.296),
        (25600, 5065.92, 5071.944),
    ],
    (40, "float32", "torch"): [
        (3000, 2488.29, 2364.20),
        (4800, 3918.32, 3794.94),
        (6600, 5350.93, 5203.52),
        (8400, 6796.81, 6629.72),
        (10200, 8249.39, 8046.56),
        (12000, 9695.01, 9471.12),
        (13800, 11127.17, 10885.44),
        (15600, 12588.07, 12305.90),
    ],
}


def by_file(path):
    spec = importlib.util.spec_from_file_location(f"parity_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(quick=False, every=False):
    """(cores, element type, the talk's other, size, {language: model us}, the talk's us) of each size."""
    import asc
    import asc2
    from asc.runtime import config

    config.set_platform(config.Backend.Model, PLATFORM)
    with_flags = by_file(ROOT / "kernels/asc/add_flags.py").add_flags
    by_hand = asc.load_ascendc(ROOT / "kernels/ascendc/add_flags.cpp")
    tiles = by_file(ROOT / "kernels/add.py").add_kernel
    for (cores, dtype, other), sizes in TALK.items():
        twin = by_hand["add_flags_half" if dtype == "float16" else "add_flags"]
        for size, *measured in sizes[:1] if quick else sizes if every else sizes[::3]:
            count = cores * size * (10 if quick else 1000)
            count = -(-count // TILE) * TILE  # the kernels copy whole tiles
            arrays = [asc2.placeholder(count, dtype) for _ in range(3)]
            memory = [np.empty(count, dtype) for _ in range(3)]  # never touched: the launch is only timed
            with asc.profile(dry=True) as profile:
                with_flags[cores](*arrays, count)
                twin[cores](*memory, count)
                tiles[cores](*arrays, count, tile=16384 // memory[0].itemsize)
            times = dict(zip(("asc", "Ascend C", "asc2"), (launch.time_us for launch in profile.launches)))
            assert profile.launches[0].calls == profile.launches[1].calls, "asc and Ascend C make as many calls"
            yield cores, dtype, other, size, times, measured


def show(figures, quick=False, every=False):
    print(f"the talk's Add on the {PLATFORM}, model us; ratio: asc beside Ascend C of the same algorithm (target 1.00)")
    print("  cores type     k a core        asc   Ascend C  ratio       asc2   talk: PyAsc      other  ratio")
    for cores, dtype, other, size, times, (pyasc, peer) in rows(quick, every):
        print(
            f"  {cores:5d} {dtype:8s} {size:8d} {times['asc']:10.1f} {times['Ascend C']:10.1f} {times['asc'] / times['Ascend C']:6.3f} "
            f"{times['asc2']:10.1f} {pyasc:13.1f} {peer:10.1f} {pyasc / peer:6.3f}  ({other})",
            flush=True,
        )
        figures[f"parity {cores} {dtype} {size}"] = dict(times, talk_pyasc=pyasc, talk_other=peer)
    print()
