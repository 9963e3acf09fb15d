"""The disk cache: what is found again, what is not, and what happens when the disk misbehaves."""

import os
import stat
import subprocess
import sys
import textwrap

import pytest

KERNEL = """
    import sys
    import numpy as np
    import asc, asc2
    import _tilesmith
    from settings import SCALE

    @asc2.jit
    def helper(x):
        return x * SCALE

    @asc2.jit
    def scale(x_ptr, y_ptr, size):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0])
        asc2.store(helper(x), asc2.tensor(y_ptr, [size]), offsets=[0])

    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    scale[1](x, y, 64)
    print(y[1], _tilesmith.compilations())
"""


class Project:
    """A script, a module of constants and a cache folder of their own."""

    def __init__(self, folder):
        self.folder, self.cache = folder, folder / "cache"
        self.script = folder / "kernel.py"
        self.script.write_text(textwrap.dedent(KERNEL))
        self.set_scale(2.0)

    def set_scale(self, value):
        (self.folder / "settings.py").write_text(f"SCALE = {value}\n")
        for compiled in self.folder.glob("__pycache__/settings*"):
            compiled.unlink()

    def start(self, **environment):
        environment = os.environ | {"PYASC_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"} | environment
        return subprocess.Popen([sys.executable, str(self.script)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, **environment):
        """(value computed, kernels compiled), and what went to stderr"""
        process = self.start(**environment)
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        value, compilations = out.split()
        return (float(value), int(compilations)), err

    def entries(self):
        return sorted(self.cache.glob("*/*.o"))


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def test_a_second_process_compiles_nothing(project):
    assert project.run() == ((2.0, 1), "")
    assert project.run() == ((2.0, 0), "")
    assert len(project.entries()) == 1


def test_constants_of_called_functions_are_checked(project):
    """Upstream reuses a stale kernel after a module constant was edited."""
    project.run()
    project.set_scale(3.0)
    assert project.run()[0] == (3.0, 1)
    project.set_scale(2.0)
    assert project.run()[0] == (2.0, 0)
    assert len(project.entries()) == 2


def test_an_edited_kernel_is_compiled_again(project):
    project.run()
    text = project.script.read_text()
    project.script.write_text(text.replace("store(helper(x)", "store(helper(x) + 1.0"))
    assert project.run()[0] == (3.0, 1)
    project.script.write_text(text.replace("return x * SCALE", "return x * SCALE * SCALE"))
    assert project.run()[0] == (4.0, 1)
    project.script.write_text(text)
    assert project.run()[0] == (2.0, 0)


def test_the_platform_is_part_of_the_key(project):
    project.run()
    text = project.script.read_text()
    project.script.write_text(text.replace("import _tilesmith\n", "import _tilesmith; _tilesmith.set_platform('Ascend950PR_9599')\n"))
    assert project.run()[0] == (2.0, 1)


@pytest.mark.parametrize("damage", ["truncate", "flip", "empty", "text"])
def test_a_damaged_entry_is_replaced(project, damage):
    project.run()
    (entry,) = project.entries()
    data = bytearray(entry.read_bytes())
    if damage == "truncate":
        data = data[:len(data) // 2]
    elif damage == "flip":
        data[len(data) // 2] ^= 1
    elif damage == "empty":
        data = b""
    else:
        data = b"not a kernel"
    entry.write_bytes(data)
    assert project.run() == ((2.0, 1), "")
    assert project.run() == ((2.0, 0), "")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_one_warning(project):
    project.cache.mkdir()
    project.cache.chmod(stat.S_IRUSR | stat.S_IXUSR)
    result, err = project.run()
    assert result == (2.0, 1) and err.count("compiled kernels are not kept") == 1


def test_a_cache_that_cannot_be_written_is_one_warning(project):
    project.cache.write_text("a file where the folder should be")
    result, err = project.run()
    assert result == (2.0, 1) and err.count("compiled kernels are not kept") == 1


def test_no_home_is_no_cache(project):
    result, err = project.run(PYASC_CACHE_DIR="", PYASC_HOME="", HOME="")
    assert result == (2.0, 1) and err == ""


def test_home_of_the_cache(project):
    project.run(PYASC_CACHE_DIR="", PYASC_HOME=str(project.folder))
    assert list((project.folder / ".pyasc" / "cache").glob("*/scale-*.o"))


def test_processes_compiling_the_same_kernel_at_once(project):
    started = [project.start() for _ in range(4)]
    for process in started:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0 and out.split()[0] == "2.0", err
    assert len(project.entries()) == 1 and not list(project.cache.glob("staging/*"))
    assert project.run() == ((2.0, 0), "")


def test_always_compile_uses_no_cache(project):
    project.script.write_text(project.script.read_text().replace("scale[1](x, y, 64)", "scale[1](x, y, 64, always_compile=True)"))
    assert project.run()[0] == (2.0, 1)
    assert project.run()[0] == (2.0, 1)
    assert not project.entries()


def test_dumped_stages(project):
    dump = project.folder / "dump"
    project.run(PYASC_DUMP_PATH=str(dump))
    assert "tile.load" in (dump / "codegen.mlir").read_text()
    assert "isa." in (dump / "ascir.mlir").read_text()


def test_printing_the_passes(project):
    project.script.write_text(project.script.read_text().replace("scale[1](x, y, 64)", "scale[1](x, y, 64, print_ir_before_all=True)"))
    result, err = project.run()
    assert result == (2.0, 1) and "IR Dump Before" in err


def test_globals_are_read_at_each_launch():
    """Memory cache: a rebound constant must not be ignored, and binding it back must not compile again."""
    import _tilesmith
    import numpy as np

    kernel = globals()["add_offset"]
    x, y = np.zeros(64, np.float32), np.zeros(64, np.float32)
    seen = []
    for value in (1.0, 2.0, 1.0, 2.0):
        globals()["OFFSET"] = value
        before = _tilesmith.compilations()
        kernel[1](x, y, 64)
        seen.append((float(y[0]), _tilesmith.compilations() - before))
    assert [value for value, _ in seen] == [1.0, 2.0, 1.0, 2.0]
    assert [count for _, count in seen][2:] == [0, 0]


import asc2

OFFSET = 1.0


@asc2.jit
def add_offset(x_ptr, y_ptr, size):
    x = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0])
    asc2.store(x + OFFSET, asc2.tensor(y_ptr, [size]), offsets=[0])
