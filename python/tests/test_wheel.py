"""The wheel: installed into an empty environment, a kernel runs, is profiled, and a C++ kernel is compiled and run.

Building it takes minutes, so it is built only with TILESMITH_LONG=1; TILESMITH_WHEEL=FILE tests one that is there already.
"""

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 80e6

KERNEL = """
import numpy as np
import asc, asc2

@asc2.jit
def double(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [tile], tile_id=[i]) * 2.0, y_gm, tile_id=[i])

x = np.arange(10_007, dtype=np.float32)
y = np.zeros_like(x)
double[8](x, y, x.size, tile=1024)
assert (y == 2 * x).all()
print("right")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    given = os.environ.get("TILESMITH_WHEEL")
    if given:
        return Path(given)
    if not os.environ.get("TILESMITH_LONG"):
        pytest.skip("building the wheel takes minutes: TILESMITH_LONG=1")
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, ROOT / "dev", "wheel", "-o", folder], check=True)
    built, = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An empty environment into which only the wheel was installed, and what a shell of a user has."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "-q", wheel], check=True)
    return {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": str(folder.parent)}


def run(installed, *command, cwd):
    return subprocess.run(command, env=installed, cwd=cwd, capture_output=True, text=True, timeout=120)


def test_its_name_says_where_it_runs_and_it_is_small(wheel):
    assert re.fullmatch(r"tilesmith-[\d.]+-cp3\d+-cp3\d+-manylinux_2_36_x86_64\.whl", wheel.name)
    assert wheel.stat().st_size < LIMIT


def test_it_has_the_headers_and_everything_typed(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"tilesmith_include/ascendc/kernel_operator.h", "asc2/py.typed", "asc2/__init__.pyi", "_tilesmith.pyi"} <= names
    stand_in = "tilesmith/npu/stand_in"  # of torch_npu, whose .dist-info tools for packages like to leave out
    assert {f"{stand_in}/torch_npu/__init__.py", f"{stand_in}/tilesmith_npu.dist-info/entry_points.txt"} <= names


def test_it_needs_no_library_that_a_plain_system_lacks(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    for binary in tmp_path.rglob("*.so"):
        dynamic = subprocess.run(["readelf", "-d", binary], capture_output=True, text=True, check=True).stdout
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
        assert needed <= {"libz.so.1", "libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2"}, binary
        assert "RUNPATH" not in dynamic and "RPATH" not in dynamic, binary


def test_a_kernel_runs_and_is_profiled(installed, tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL)
    done = run(installed, "python", "kernel.py", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == "right\n", done.stderr
    for platform in ("Ascend910B1", "Ascend950PR_9599"):
        done = run(installed, "tilesmith", "prof", "-v", platform, "kernel.py", cwd=tmp_path)
        assert done.returncode == 0 and f"double  float32  10007 elements  8 blocks on {platform}" in done.stdout, done.stderr


def test_a_c_plus_plus_kernel_is_compiled_against_its_headers(installed, tmp_path):
    script = (f"import asc, numpy as np\n"
              f"add = asc.load_ascendc({str(ROOT / 'kernels/ascendc/add_custom.cpp')!r})['add_custom']\n"
              f"x = np.ones(16384, np.float16); z = np.zeros_like(x)\n"
              f"add[8](x, x, z, 16384)\n"
              f"assert (z == 2).all()\n")
    done = run(installed, "python", "-c", script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
