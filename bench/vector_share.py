"""How near the vector kernels of the library come to what memory allows, by dry launches.

Share = the time HBM needs for the bytes moved (reads and writes at the rates of the platform) over the time of the launch.
`./dev run bench/vector_share.py [--platform NAME] [--dtype float16] [--kernel softmax ...] [--verbose]`
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "kernels"))

import add  # noqa: E402
import asc  # noqa: E402
import gelu  # noqa: E402
import golden  # noqa: E402
import layer_norm  # noqa: E402
import reduce_sum  # noqa: E402
import rms_norm  # noqa: E402
import softmax  # noqa: E402
import swiglu  # noqa: E402
from asc2 import placeholder  # noqa: E402


def launches(shape, dtype):
    """Each kernel on fresh placeholders of this shape: {name: a function that launches}."""
    rows, cols = shape
    x = lambda: placeholder(shape, dtype)
    row = lambda: placeholder((cols,), dtype)
    return {
        "add": lambda: add.add_launch(x(), x(), x()),
        "softmax": lambda: softmax.softmax_launch(x(), x()),
        "rms_norm": lambda: rms_norm.rms_norm_launch(x(), row(), x()),
        "layer_norm": lambda: layer_norm.layer_norm_launch(x(), row(), row(), x()),
        "gelu_tanh": lambda: gelu.gelu_launch(x(), x(), "tanh"),
        "gelu_erf": lambda: gelu.gelu_launch(x(), x()),
        "swiglu": lambda: swiglu.swiglu_launch(placeholder((rows, 2 * cols), dtype), x()),
        "reduce_sum": lambda: reduce_sum.row_sum_launch(x(), placeholder((rows,), "float32")),
    }


def memory_us(launch):
    return launch.hbm_read / launch.hbm_mbps + launch.hbm_written / launch.hbm_write_mbps


def measure(launch):
    """The records of a dry launch."""
    with asc.profile(dry=True) as report:
        launch()
    return report.launches


def row(name, dtype, platform, records):
    time = sum(record.time_us for record in records)
    share = sum(map(memory_us, records)) / time
    pipes = "  ".join(f"{pipe} {part:4.0%}" for pipe, part in list(records[-1].pipes.items())[:4])
    return f"{platform:18}{dtype:9}{name:12}{time:9.1f} us {share:7.1%}   {pipes}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--platform", action="append", help="such as Ascend910B1; may be given several times")
    parser.add_argument("--dtype", action="append", help="float16 or float32; may be given several times")
    parser.add_argument("--kernel", action="append", help="such as softmax; may be given several times")
    parser.add_argument("--shape", type=golden.parse_shape, default=(4096, 4096), help="such as 4096x4096")
    parser.add_argument("--verbose", action="store_true", help="also the profile of each launch")
    args = parser.parse_args()
    for platform in args.platform or golden.PLATFORMS:
        for dtype in args.dtype or golden.DTYPES:
            golden.use(platform)
            for name, launch in launches(args.shape, dtype).items():
                if args.kernel and name not in args.kernel:
                    continue
                records = measure(launch)
                print(row(name, dtype, platform, records), flush=True)
                if args.verbose:
                    print(*records, sep="\n")


if __name__ == "__main__":
    main()
