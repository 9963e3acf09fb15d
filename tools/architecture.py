"""Writes the IR after each stage into ARCHITECTURE.md, between its `generated` marks.

`./dev run tools/architecture.py` rewrites the page; `--check` only says whether it is current, and
python/tests/test_architecture.py calls that.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- generated: stages -->\n", "<!-- end of generated -->\n"
OPT = Path(os.environ.get("TILESMITH_BUILD", ROOT / "build")) / "bin" / "tilesmith-opt"

KERNEL = """
import numpy as np
import asc, asc2
from asc.runtime import config

@asc2.jit(always_compile=True)
def double(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i]).to(asc.float32)
        asc2.store((x * 2.0 + 1.0).to(asc.float16), y_gm, tile_id=[i])
"""
LAUNCH = """
config.set_platform("Model", {platform!r})
x = np.ones(10000, np.float16)
double[4](x, np.empty_like(x), x.size, tile=4096)
"""

FRONT_PASSES = "canonicalize,unroll-loops,expand-math,legalise-dtypes{{arch={arch}}},cse,place{{arch={arch}}}"
LOWER_PASSES = "lower-to-isa{{arch={arch}}},cse,loop-invariant-code-motion"
STAGES = [
    ("The front end leaves tile IR: values, no addresses, no order between units.", "C220", ""),
    (
        "Lowered for the 910B: buffers and instructions. A partial tile is filled before it is loaded.",
        "C220",
        FRONT_PASSES + "," + LOWER_PASSES,
    ),
    (
        "Planned: loops pipelined through rings of two slots, addresses given.",
        "C220",
        FRONT_PASSES + "," + LOWER_PASSES + ",pipeline-loops,plan-memory",
    ),
    (
        "Synchronised: every dependency between pipes is a flag; tokens that cross iterations are primed before the loop and "
        "drained after it.",
        "C220",
        FRONT_PASSES + "," + LOWER_PASSES + ",pipeline-loops,plan-memory,synchronise",
    ),
    ("The same kernel lowered for the 950: the arithmetic is one vector function.", "C310", FRONT_PASSES + "," + LOWER_PASSES),
]


def tile_ir(platform):
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "double.py"
        script.write_text(KERNEL + LAUNCH.format(platform=platform))
        subprocess.run([sys.executable, script], check=True, env=dict(os.environ, PYASC_DUMP_PATH=folder))
        return (Path(folder) / "codegen.mlir").read_text()


def run_passes(text, arch, passes):
    pipeline = f"builtin.module(func.func({passes.format(arch=arch)}))" if passes else "builtin.module()"
    result = subprocess.run([OPT, "--pass-pipeline", pipeline, "-"], input=text, text=True, capture_output=True)
    if result.returncode:
        sys.exit(f"architecture.py: tilesmith-opt failed\n{result.stderr}")
    lines = [line[2:] for line in result.stdout.splitlines()[1:-1]]  # without the module around the function
    return "\n".join(line if len(line) <= 160 else line[:157] + "..." for line in lines if line.strip())


def generate():
    text = tile_ir("Ascend910B1")
    parts = ["```python" + KERNEL.split("from asc.runtime import config\n")[1].replace("(always_compile=True)", "") + "```\n"]
    for title, arch, passes in STAGES:
        parts.append(f"{title}\n\n```mlir\n{run_passes(text, arch, passes)}\n```\n")
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if the page is out of date")
    args = parser.parse_args()
    page = PAGE.read_text()
    current = re.sub(re.escape(BEGIN) + ".*" + re.escape(END), lambda _: BEGIN + generate() + END, page, flags=re.S)
    if current == page:
        return
    if args.check:
        sys.exit("ARCHITECTURE.md is out of date: ./dev run tools/architecture.py")
    PAGE.write_text(current)


if __name__ == "__main__":
    main()
