"""Adding an option is one row: a row written into a scratch copy of the table reaches its check, its error, the key of
compilations, the page, the types of the stubs and every pass by itself.

The option is the worked example of CONTRIBUTING.md, letter by letter. With TILESMITH_LONG=1 a scratch copy of the tree is built,
and a pass reads it.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TILESMITH_BUILD", ROOT / "build"))
TABLE = "include/tilesmith/Options/Options.def"


def worked_example():
    """The row of the example, and the line of a pass that reads it."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text[text.index("## Adding an option"):text.index("## Adding a builtin")]
    return re.findall(r"```cpp\n(.*?)```", section, re.DOTALL)


def add_row(table):
    row, _ = worked_example()
    text = table.read_text()
    place = text.index('TILESMITH_OPTION(reuseUb, "reuse_ub"')
    table.write_text(text[:place] + row + text[place:])


# Every line is one answer of the room Options, compiled with the scratch table.
PROBE = """\
#include "tilesmith/Options/Options.h"
#include <cstdio>
using namespace tilesmith;
int main() {
  KernelOptions options;
  std::printf("%s\\n", options.parse("max_slots=9")->c_str());
  std::printf("%d\\n", options.parse("max_slots=3 debug=true").has_value());
  std::printf("%d\\n", int(*options.maxSlots));
  std::printf("%s\\n", options.key().c_str());
  std::printf("%s\\n", findOption("max_slots")->annotation.c_str());
  std::fputs(optionsPage().c_str(), stdout);
}
"""


def test_a_row_is_all(tmp_path):
    table = tmp_path / "include/tilesmith/Options"
    shutil.copytree(ROOT / "include/tilesmith/Options", table)
    add_row(table / "Options.def")
    (tmp_path / "probe.cpp").write_text(PROBE)
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE))
    subprocess.run([cache["CMAKE_CXX_COMPILER"], "-std=c++20", f"-I{tmp_path}/include", f"-I{ROOT}/include", f"-I{BUILD}/include",
                    tmp_path / "probe.cpp", *(ROOT / "lib/Options").glob("*.cpp"), "-o", tmp_path / "probe"], check=True)
    lines = subprocess.run([tmp_path / "probe"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[:5] == ["max_slots is 1, 2, 3 or 4", "0", "3", "max_slots=3", "int | None"]
    row, = (line for line in lines if line.startswith("| `max_slots` |"))
    assert row == "| `max_slots` | `None` | most buffers a ring may have. Not given: 2 |"
    assert "max_slots" not in (ROOT / TABLE).read_text(), "the example of CONTRIBUTING.md is in the table; choose another one"


def passes():
    """Names of our passes on kernels."""
    text = "".join((ROOT / "include/tilesmith/Transforms" / name).read_text() for name in ("Passes.td", "Plan/PlanPasses.td"))
    return re.findall(r'Tilesmith_(?:Plan)?Pass<"([\w-]+)"', text)


@pytest.mark.parametrize("name", passes())
def test_every_pass_has_the_options(name, tmp_path):
    """A pass that did not get them would read defaults, whatever the user says."""
    (tmp_path / "empty.mlir").write_text("module {}\n")
    command = [BUILD / "bin/tilesmith-opt", tmp_path / "empty.mlir"]
    done = subprocess.run([*command, f"--{name}=options={{opt_level=1 reuse_ub=true}}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*command, f"--{name}=options={{opt_level=7}}"], capture_output=True, text=True)
    assert done.returncode != 0 and "opt_level is 1, 2 or 3" in done.stderr


@pytest.mark.skipif(not os.environ.get("TILESMITH_LONG"), reason="builds the passes once more; set TILESMITH_LONG=1")
def test_a_pass_reads_it(tmp_path):
    """The example of CONTRIBUTING.md in a scratch copy of the tree: a row and a reading line, nothing else."""
    tree = tmp_path / "tree"
    for name in subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and not name.startswith("docs/"):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    add_row(tree / TABLE)
    _, reading = worked_example()
    path = tree / "lib/Transforms/Plan/PipelineLoops.cpp"
    text = path.read_text()
    place = "  void runOnOperation() override {\n"
    assert text.count(place) == 1
    remark = '    getOperation().emitRemark() << "rings have " << most;\n'
    path.write_text(text.replace(place, place + "    " + reading + remark))

    build = tree / "build"
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE))
    kept = ["CMAKE_BUILD_TYPE", "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER",
            "CMAKE_CXX_FLAGS", "CMAKE_EXE_LINKER_FLAGS", "CMAKE_MODULE_LINKER_FLAGS", "CMAKE_SHARED_LINKER_FLAGS"]
    subprocess.run(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DTILESMITH_TESTS=OFF", "-DTILESMITH_PYTHON=OFF",
                    *(f"-D{name}={cache[name]}" for name in kept if name in cache)], check=True)
    jobs = os.environ.get("TILESMITH_JOBS", str(os.cpu_count() or 1))
    subprocess.run(["ninja", "-C", build, f"-j{jobs}", "tilesmith-opt"], check=True)
    (tmp_path / "kernel.mlir").write_text("func.func @kernel() attributes {isa.kernel} {\n  return\n}\n")
    for options, most in (("", 2), ("=options={max_slots=4}", 4)):
        done = subprocess.run([build / "bin/tilesmith-opt", tmp_path / "kernel.mlir", f"--pipeline-loops{options}"],
                              capture_output=True, text=True)
        assert f"remark: rings have {most}" in done.stderr, done.stderr
