"""Compiles Ascend C with a host compiler against include/ascendc and loads it, for tests of the headers."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import _tilesmith
from asc.runtime.ascendc import Builder
from asc.runtime.ascendc.build import include_folder

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = [name for name in ("g++", "clang++-22") if shutil.which(name)]
INCLUDES = [f"-I{include_folder()}", f"-I{include_folder()}/ascendc"]
_loaded, _builders = {}, {}


def compile_error(text, compiler=COMPILERS[0], options=()):
    """What the compiler says about a source that must not compile."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "wrong.cpp"
        source.write_text(text)
        done = subprocess.run([compiler, *INCLUDES, *options, "-std=c++17", "-fsyntax-only", str(source)], capture_output=True, text=True)
        assert done.returncode != 0
        return done.stderr


def load(source, compiler=COMPILERS[0], kernels=None):
    """The kernels of a file (or of a text) by name, in this process; compiled as asc.load_ascendc does."""
    key = source, compiler, kernels and tuple(kernels)
    if key not in _loaded:
        if compiler not in _builders:
            _builders[compiler] = Builder(compiler, ["-Wall", "-Werror=return-type"])
        builder = _builders[compiler]
        library, _ = (builder.build if isinstance(source, Path) else builder.build_text)(source, kernels)
        _loaded[key] = _tilesmith.load_kernel_library(library)
    return _loaded[key]
