"""A platform is one file: of the tree or of the user's, and a changed number needs no build."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import asc
import asc2
from asc.runtime import config

ROOT = Path(__file__).resolve().parents[2]
PLATFORMS = ROOT / "lib/Machine/Time/platforms"


@asc.jit
def double(x_ptr, y_ptr, n: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [n]), asc2.tensor(y_ptr, [n])
    asc2.store(asc2.load(x_gm, [n], offsets=[0]) * 2.0, y_gm, offsets=[0])


def time_of(name):
    """Model time of a launch in microseconds."""
    config.set_platform("Model", name)
    with asc.profile() as observed:
        double[1](np.ones(1024, np.float32), np.zeros(1024, np.float32), 1024)
    return observed.time_us


@pytest.fixture
def own(tmp_path, monkeypatch):
    """own(name, lines) writes a part over Ascend910B1."""
    monkeypatch.setenv("TILESMITH_PLATFORM_PATH", "")  # which add_platform appends to
    before = config.current_platform()

    def write(name, *lines):
        path = tmp_path / f"{name}.platform"
        path.write_text("\n".join([f"platform {name}", "base Ascend910B1", "", *lines, ""]))
        return path

    yield write
    config.set_platform("Model", before)


def run_python(text, **environment):
    return subprocess.run([sys.executable, "-c", text], env=os.environ | environment, capture_output=True, text=True)


def test_a_part_of_the_users_own(own):
    config.add_platform(own("MyPart-2", "vectorCores = 7  # a guess"))
    part = config.Platform("MyPart-2")
    assert part is config.Platform.MyPart_2 and part in config.Platform and part.name == "MyPart_2"
    config.set_platform("Model", part)
    assert config.current_platform() is part and config.core_count("vector") == 7
    assert config.platform_to_arch(part) is config.CompilationArch.C220


def test_a_changed_file_is_used_at_once_and_compiled_anew(own):
    """The compiler reads numbers of the platform (capacities): neither the kernels in memory nor those on disk may answer."""
    config.add_platform(own("Growing", "capacity.UB = 96 KiB  # small"))
    config.set_platform("Model", "Growing")
    n = 20000  # a tile of 80000 bytes, twice
    x, y = np.ones(n, np.float32), np.zeros(n, np.float32)
    with pytest.raises(Exception, match="does not fit into UB"):
        double[1](x, y, n)
    config.add_platform(own("Growing", "capacity.UB = 256 KiB  # larger"))
    double[1](x, y, n)
    assert (y == 2).all()


def test_a_number_changes_the_time(own):
    config.add_platform(own("Slow", "gmToUb = 100205 + bytes / 119.00  # far away"))
    assert time_of("Slow") == pytest.approx(time_of("Ascend910B1") + 100000 / 1850, rel=0.01)


def test_the_key_of_the_disk_cache_has_the_numbers(own, tmp_path):
    program = ("import numpy as np, asc, asc2, _tilesmith\nfrom asc.runtime import config\n"
               "config.set_platform('Model', 'Cached')\nimport kernel\n"
               "kernel.double[1](np.ones(64, np.float32), np.zeros(64, np.float32), 64)\nprint(_tilesmith.compilations())")
    source = Path(__file__).read_text()
    (tmp_path / "kernel.py").write_text("import asc, asc2\n\n\n" + re.search(r"@asc.jit\ndef double.*?\n\n\n", source, re.DOTALL)[0])

    def compilations():
        done = run_python(program, TILESMITH_PLATFORM_PATH=str(tmp_path), PYASC_CACHE_DIR=str(tmp_path / "cache"),
                          PYTHONPATH=f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    own("Cached", "clockMHz = 1000  # first")
    assert [compilations(), compilations()] == [1, 0]
    own("Cached", "clockMHz = 1000  # another source, the same number")
    assert compilations() == 0
    own("Cached", "clockMHz = 1001  # another number")
    assert compilations() == 1


def test_kernels_in_cpp_run_on_it(own, tmp_path):
    """They run in a process of their own, which may have begun before the part was added."""
    source = tmp_path / "nothing.cpp"
    source.write_text('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void nothing(GM_ADDR x) {}\n')
    kernel = asc.load_ascendc(source)["nothing"]
    x = np.zeros(8, np.float32)
    kernel[1](x)
    config.add_platform(own("Late", "launchNsOneCore = 5000  # slow"))
    config.set_platform("Model", "Late")
    with asc.profile() as observed:
        kernel[1](x)
    assert 5 <= observed.time_us < 6


def test_errors_name_the_place(own):
    path = own("Wrong", "clockMhz = 2000  # a guess")
    text = (f"{path}:4:1: error: a platform has no number called 'clockMhz'; did you mean 'clockMHz'?\n"
            "    4 | clockMhz = 2000  # a guess\n"
            "      | ^~~~~~~~")
    with pytest.raises(ValueError) as caught:
        config.add_platform(path)
    assert str(caught.value) == text
    with pytest.raises(ValueError, match="no platform is called 'Wrong'"):
        config.set_platform("Model", "Wrong")
    done = run_python("import asc.runtime.config", TILESMITH_PLATFORM_PATH=str(path))
    assert done.returncode == 1 and f"ValueError: TILESMITH_PLATFORM_PATH: {text}" in done.stderr


def test_the_path_names_files_and_folders(own, tmp_path):
    own("InFolder")
    (tmp_path / "other").mkdir()
    file = tmp_path / "other/single.platform"
    file.write_text("platform Single\nbase InFolder\n")
    done = run_python("from asc.runtime import config; print(config.Platform.Single.value, config.Platform('InFolder').name)",
                      TILESMITH_PLATFORM_PATH=f"{tmp_path}:{file}")
    assert done.stdout == "Single InFolder\n", done.stderr


def test_a_part_of_the_tree_is_one_file():
    """No list anywhere names the parts: nothing else has to be edited for a new one."""
    names = {path.stem for path in PLATFORMS.glob("*.platform")}
    assert names == {platform.value for platform in config.Platform if platform.value in names} and len(names) > 20
    leaf = "Ascend950PR_957c"
    assert leaf in names
    named = [path for folder in ("lib", "include", "python/asc", "python/asc2", "python/tilesmith", "python/extension", "tools", "cmake")
             for path in (ROOT / folder).rglob("*")
             if path.suffix in (".cpp", ".h", ".inc", ".td", ".py", ".pyi", ".txt", ".cmake", ".platform") and leaf in path.read_text()]
    assert named == [PLATFORMS / f"{leaf}.platform"]
    for path in PLATFORMS.glob("*.platform"):
        assert path.read_text().startswith((f"platform {path.stem}\n", "#"))
