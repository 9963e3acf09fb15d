"""What `import asc, asc2` gives in a plain script, and what it says where the extension cannot be had."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = Path(__file__).resolve().parents[1]
KERNEL = """
@asc2.jit
def k(x_ptr):
    asc2.store(1.0, asc2.tensor(x_ptr, [1]), offsets=[0])
"""
CHOOSE = 'asc.runtime.config.set_platform("Model", "Ascend950PR_9599")\n'
SHOW = "print(asc.lib.runtime.get_soc_version())\n"


def python(path, *arguments, **environment):
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    return subprocess.run([sys.executable, *map(str, arguments)], cwd=path, capture_output=True, text=True, env=os.environ | environment)


@pytest.mark.parametrize("body", [
    CHOOSE + KERNEL,
    KERNEL + CHOOSE,
    KERNEL + "k[1](np.zeros(1, np.float32))\n" + CHOOSE,
], ids=["before the kernel", "after it", "after a launch"])
def test_platform_is_chosen_by_the_name_the_readme_gives(tmp_path, body):
    """Nothing had imported asc.runtime.config by then: AttributeError."""
    (tmp_path / "k.py").write_text("import numpy as np\nimport asc, asc2\n" + body + SHOW)
    done = python(tmp_path, "k.py")
    assert (done.stdout, done.stderr) == ("Ascend950PR_9599\n", "")


def test_modules_are_attributes(tmp_path):
    names = "runtime.jit.JITFunction runtime.compiler.CompileOptions runtime.launcher.Launcher runtime.errors lib.profiling.Profiler " \
            "codegen.errors.CodegenError common.compat language.core.ops language.basic".split()
    for name in names:  # each first in its process
        assert python(tmp_path, "-c", f"import asc; asc.{name}").stderr == ""
    assert "config" in python(tmp_path, "-c", "import asc; print(dir(asc.runtime))").stdout
    last = python(tmp_path, "-c", "import asc; asc.runtime.confg").stderr.splitlines()[-1]
    assert last == "AttributeError: module 'asc.runtime' has no attribute 'confg'. Did you mean: 'config'?"


def test_import_loads_no_compiler(tmp_path):
    code = "import sys, asc, asc2; print([name for name in ('_tilesmith', 'numpy', 'rich', 'json', 'inspect', 'ast') if name in sys.modules])"
    assert python(tmp_path, "-c", code).stdout == "[]\n"


@pytest.mark.parametrize("file, said", [
    (None, "the extension of tilesmith (_tilesmith) was not built for this Python ({this})"),
    ("_tilesmith.cpython-39-x86_64-linux-gnu.so", "the extension of tilesmith was built for Python 3.9, this is {this}"),
    ("_tilesmith.pypy39-pp73-x86_64-linux-gnu.so", "the extension of tilesmith was built for Python pypy39-pp73-x86_64-linux-gnu, this is {this}"),
    ("_tilesmith.so", "the extension of tilesmith cannot be loaded: {path}/_tilesmith.so: file too short"),
], ids=["none", "another version", "another Python", "broken"])
@pytest.mark.parametrize("door", ["import asc2; asc2.jit", "import asc; asc.runtime.config", "import asc.lib.runtime", "import tilesmith.judge.verdict.compare"])
def test_extension_that_cannot_be_had(tmp_path, file, said, door):
    """`No module named '_tilesmith'` from inside our own files says neither why nor what to do."""
    for package in ("asc", "asc2", "tilesmith"):
        (tmp_path / package).symlink_to(PACKAGES / package)
    if file:
        (tmp_path / file).touch()
    done = python(tmp_path, "-c", door, PYTHONPATH=str(tmp_path))
    this = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert done.returncode == 1
    assert done.stderr.splitlines()[-2:] == ["ImportError: " + said.format(this=this, path=tmp_path),
                                             "help: run ./dev build in a checkout, or pip install ."]
    assert "During handling" not in done.stderr and "direct cause" not in done.stderr
