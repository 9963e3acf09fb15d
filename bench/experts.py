"""Generated code beside what an expert writes by hand: cycles of the library's kernels over those of kernels/ascendc/expert.

Every kernel, dtype and platform by a dry launch of each; the share of the bound the expert's has reached (the bytes it moved
at the rate of HBM, or the products of all cubes), and the geometric means of the ratios. `./dev experts --help` lists the
options.
"""

import argparse
import functools
import json
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "kernels"), str(ROOT / "kernels" / "ascendc" / "expert")]

import add  # noqa: E402
import asc  # noqa: E402
import gelu  # noqa: E402
import golden  # noqa: E402
import launch as expert  # noqa: E402
import layer_norm  # noqa: E402
import matmul  # noqa: E402
import numpy as np  # noqa: E402
import reduce_sum  # noqa: E402
import rms_norm  # noqa: E402
import softmax  # noqa: E402
from asc2 import placeholder_like  # noqa: E402

ROWS, COLUMNS = 4096, 4096
SHORT_ROWS, SHORT = 1 << 20, 16
ATTENTION = 1024  # queries and keys


class Cases:
    """What is compared: (name, launch of the library or None where it has no kernel, launch of the expert's, arrays). Nothing is
    computed, so arrays are shared."""

    def __init__(self, dtype):
        self.dtype = dtype

    def array(self, *shape, dtype=None):
        return np.zeros(shape, dtype or self.dtype)

    def all(self):
        x, y = self.array(ROWS, COLUMNS), self.array(ROWS, COLUMNS)
        row = self.array(COLUMNS)
        yield "add", add.add_launch, expert.add_launch, (x, self.array(ROWS, COLUMNS), y)
        yield "softmax", softmax.softmax_launch, expert.softmax_launch, (x, y)
        yield "rms_norm", rms_norm.rms_norm_launch, expert.rms_norm_launch, (x, row, y)
        yield "layer_norm", layer_norm.layer_norm_launch, expert.layer_norm_launch, (x, row, self.array(COLUMNS), y)
        sums = self.array(ROWS)
        yield "reduce_sum", reduce_sum.row_sum_launch, lambda *a: expert.reduce_launch("sum", *a), (x, sums)
        short = self.array(SHORT_ROWS, SHORT), self.array(SHORT_ROWS)
        yield f"reduce_sum {SHORT}", reduce_sum.row_sum_launch, lambda *a: expert.reduce_launch("sum", *a), short
        yield "gelu_tanh", lambda *a: gelu.gelu_launch(*a, "tanh"), lambda *a: expert.gelu_launch(*a, "tanh"), (x, y)
        yield "gelu_erf", gelu.gelu_launch, expert.gelu_launch, (x, y)
        if self.dtype == "float16":
            for size in (2048, 4096):
                square = [self.array(size, size) for _ in range(2)]
                yield (
                    f"matmul {size}",
                    matmul.matmul_launch,
                    expert.matmul_launch,
                    (*square, self.array(size, size, dtype="float32")),
                )
            q = self.array(2 * golden.cube_cores(), ATTENTION, 128)
            for name, causal in (("attention", False), ("attention causal", True)):
                yield name, None, functools.partial(expert.flash_attention_launch, causal=causal), (q, q, q, self.array(*q.shape))


def timed(launch, arrays):
    """The records of a dry launch."""
    with asc.profile(dry=True) as report:
        launch(*arrays)
    return report.launches


def share(records):
    """Of the time, what the bound needs: the products of all cubes, or the bytes moved at the rate of HBM."""
    time, ops = sum(record.time_us for record in records), sum(record.cube_ops for record in records)
    if ops:
        return ops / (golden.cube_cores() * 8192 * records[0].clock_mhz * time)
    return sum(record.hbm_bytes / record.hbm_mbps for record in records) / time


def compare(platforms, dtypes, wanted):
    for platform in platforms:
        golden.use(platform)
        for dtype in dtypes:
            for name, of_library, of_expert, arrays in Cases(dtype).all():
                if wanted and not any(part in name for part in wanted):
                    continue
                theirs = timed(of_expert, arrays)
                row = {
                    "platform": platform,
                    "dtype": dtype,
                    "kernel": name,
                    "expert_us": sum(record.time_us for record in theirs),
                    "expert_share": share(theirs),
                    "bound": theirs[-1].bound,
                }
                if of_library:
                    ours = timed(of_library, [placeholder_like(array) for array in arrays])
                    row |= {
                        "generated_us": sum(record.time_us for record in ours),
                        "generated_share": share(ours),
                        "ratio": sum(record.cycles for record in ours) / sum(record.cycles for record in theirs),
                    }
                yield row


def mean(rows):
    return math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--platform", action="append", help="such as Ascend910B1; may be given several times")
    parser.add_argument("--dtype", action="append", choices=golden.DTYPES, help="may be given several times")
    parser.add_argument("--kernel", action="append", help="a part of its name, such as gelu; may be given several times")
    parser.add_argument("--json", action="store_true", help="one object with all rows and means")
    args = parser.parse_args()
    rows = []
    if not args.json:
        print(
            f"{'platform':18}{'dtype':9}{'kernel':16}{'expert':>12}{'share':>8}{'generated':>12}{'share':>8}{'ratio':>8}  expert's bound"
        )
    for row in compare(args.platform or golden.PLATFORMS, args.dtype or golden.DTYPES, args.kernel):
        rows.append(row)
        if not args.json:
            generated = f"{'none':>12}{'':16}"
            if "ratio" in row:
                generated = f"{row['generated_us']:9.1f} us{row['generated_share']:8.1%}{row['ratio']:8.2f}"
            print(
                f"{row['platform']:18}{row['dtype']:9}{row['kernel']:16}{row['expert_us']:9.1f} us{row['expert_share']:8.1%}"
                f"{generated}  {row['bound']}",
                flush=True,
            )
    if not rows:
        parser.error("no kernel of this name")
    compared = [row for row in rows if "ratio" in row]
    of = {"all": compared}
    for platform in dict.fromkeys(row["platform"] for row in rows):
        of[platform] = [row for row in compared if row["platform"] == platform]
    for name in ("matmul", "vector"):
        of[name] = [row for row in compared if row["kernel"].startswith("matmul") == (name == "matmul")]
    means = {name: mean(group) for name, group in of.items() if group}
    if args.json:
        print(json.dumps({"rows": rows, "means": means}, indent=1))
    elif means:
        print("generated : expert, geometric means  " + "  ".join(f"{name} {value:.2f}" for name, value in means.items()))


if __name__ == "__main__":
    main()
