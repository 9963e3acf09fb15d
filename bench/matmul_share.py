"""What share of the cube matrix products reach on the model: 2 m n k / (peak of all cores) / time, launch included.

    ./dev run bench/matmul_share.py [SIZE | MxNxK]... [--dtype float16] [--platform NAME]

Launches are dry: the cycles are those of a run, and 8192 cubed takes seconds. "rounds" is the share that is left when the
tiles the launch chose are dealt to the cores in whole rounds.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kernels"))

import asc
import asc2
import golden
import matmul
from asc.runtime import config


def share(platform, dtype, m, n, k):
    golden.use(platform)
    chip = config.platform_facts()
    a, b = asc2.placeholder((m, k), dtype), asc2.placeholder((k, n), dtype)
    with asc.profile(dry=True) as profile:
        matmul.matmul_launch(a, b, asc2.placeholder((m, n), "float32"))
    launches = profile.launches
    cycles = sum(launch.cycles for launch in launches)
    macs = chip["cube_macs"]["float32" if dtype == "float32" else "float16"]
    ideal = m * n * k / macs / chip["cube_cores"]
    busy = "  ".join(f"{pipe} {time / cycles / chip['cube_cores']:4.0%}" for pipe, time in launches[0].busy.items() if pipe != "S")
    tiles = matmul.choose_tiles(m, n, k, a.itemsize, platform)
    print(
        f"{platform:17} {dtype:9} {m}x{n}x{k}: {profile.time_us:8.1f} us  {ideal / cycles:6.1%} of the cube   {busy}   "
        + " ".join(f"{name} {value}" for name, value in tiles.items()),
        flush=True,
    )
    return ideal / cycles


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shapes", nargs="*", default=["2048", "4096"])
    parser.add_argument("--dtype", nargs="*", default=["float16"])
    parser.add_argument("--platform", nargs="*", default=golden.PLATFORMS)
    args = parser.parse_args()
    for platform in args.platform:
        for dtype in args.dtype:
            for shape in map(golden.parse_shape, args.shapes):
                share(platform, dtype, *(shape * 3)[:3])


if __name__ == "__main__":
    main()
