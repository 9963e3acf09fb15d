"""What `tilesmith doctor` looks at. Each entry is {name, state, what, use, needed}: state is "ok", "missing" or "failed", `use` says
what the part is for, and `needed` whether kernels cannot run without it.

Nothing here assumes that anything works: what a check raises is its answer.
"""

import os
import platform
import shutil
import subprocess
import sys

from tilesmith import __version__

PLATFORMS = ("Ascend910B1", "Ascend950PR_9599")  # one of each architecture


def _entry(name, check, use="", needed=False, absent="missing"):
    """The answer of a check: its text, or why there is none."""
    try:
        what, state = check(), "ok"
    except ModuleNotFoundError as error:
        what, state = f"not installed: {error}" if needed else "not installed", absent
    except Exception as error:
        what, state = str(error).strip() or type(error).__name__, absent
    return {"name": name, "state": state, "what": what, "use": use, "needed": needed}


class _Missing(Exception):
    """A part that is not there."""


def _version(module):
    def check():
        from importlib import import_module, metadata

        try:
            return metadata.version(module)
        except metadata.PackageNotFoundError:
            return getattr(import_module(module), "__version__", "installed")

    return check


def _program(*names):
    def check():
        for name in names:
            if path := shutil.which(name):
                done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20)
                lines = (done.stdout or done.stderr).strip().splitlines()
                return f"{lines[0].strip() if done.returncode == 0 and lines else 'found'}  {path}"
        raise _Missing("not on PATH")

    return check


def _extension():
    from importlib import import_module

    import_module("tilesmith.extension")  # it says why it cannot be loaded
    import _tilesmith

    built = _tilesmith.build_info()
    return f"LLVM {built['llvm']}, built with {built['compiler']} for Python {built['python']}"


def _cpu():
    import _tilesmith

    return f"{platform.machine()}, level {_tilesmith.cpu_level()}, {os.cpu_count()} processors"


def _parts():
    import _tilesmith

    return f"{len(_tilesmith.platforms())} parts"


def _cache():
    from asc.runtime import cache

    folder = cache.folder()
    kernels, size = cache.usage()
    place = folder
    while place and not os.path.exists(place):
        place = os.path.dirname(place)
    if not os.access(place or "/", os.W_OK):
        raise _Missing(f"{folder} cannot be written: every process compiles its kernels anew")
    return f"{folder}: {kernels} kernels, {size / 1e6:.1f} MB"


def _kernel(part):
    def check():
        import _tilesmith
        import numpy as np

        from tilesmith.probe import double

        before = _tilesmith.current_platform()
        x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
        _tilesmith.set_platform(part)
        try:
            double[1](x, y, 64)
        finally:
            _tilesmith.set_platform(before)
        if not (y == 2 * x).all():
            raise _Missing("the result of a kernel is wrong")
        return "a kernel compiled, ran and gave the right result"

    return check


def _cann():
    from asc.runtime.npu import _Toolchain

    found = _Toolchain()
    if missing := list(found.missing()):
        raise _Missing("; ".join(missing))
    return str(found.home)


def _namespaces():
    from tilesmith.judge.isolation import sandbox

    if why := sandbox.why_no_namespaces():
        raise _Missing(f"not allowed here ({why})")
    return "allowed"


def _cxx():
    from asc.runtime.ascendc.build import find_compiler

    path, version = find_compiler()
    return f"{version.splitlines()[0]}  {path}"


def examine():
    """All entries, those that kernels need first."""
    return [
        _entry("tilesmith", lambda: f"{__version__}  {os.path.dirname(os.path.abspath(__file__))}", needed=True),
        _entry("Python", lambda: f"{platform.python_version()}  {sys.executable}", needed=True),
        _entry("NumPy", _version("numpy"), needed=True, absent="failed"),
        _entry("extension", _extension, needed=True, absent="failed"),
        _entry("platforms", _parts, needed=True, absent="failed"),
        *(_entry(part, _kernel(part), needed=True, absent="failed") for part in PLATFORMS),
        _entry("CPU", _cpu),
        _entry("cache", _cache, "kernels that are compiled once"),
        _entry("C++ compiler", _cxx, "kernels in Ascend C: load_ascendc, tilesmith run kernel.cpp"),
        _entry("g++", _program("g++"), "kernels in Ascend C, with clang++ as the alternative"),
        _entry("clang++", _program("clang++", "clang++-22"), "kernels in Ascend C, with g++ as the alternative"),
        _entry("torch", _version("torch"), "tilesmith verify, bench and sweep; tensors as arguments of kernels"),
        _entry("Triton", _version("triton"), "candidates written in Triton"),
        _entry("CANN", _cann, "Backend.NPU: launches on a device"),
        _entry("Ray", _version("ray"), "tilesmith sweep --executor ray"),
        _entry("FileCheck", _program("FileCheck", "FileCheck-22"), "the compiler's own tests"),
        _entry("rich", _version("rich"), "progress bars on terminals"),
        _entry("jinja2", _version("jinja2"), "pages: prof --html, sweep --html"),
        _entry("shtab", _version("shtab"), "tilesmith completion"),
        _entry("namespaces", _namespaces, "candidates of tilesmith verify kept from files, network and processes"),
    ]
