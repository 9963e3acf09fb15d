"""The modules below `triton`: which there are, and what is in each.

Each is a module of ours with a name below `triton`, found by an importer that `install` puts in front of all others.
"""

import collections
import importlib
import importlib.abc
import importlib.machinery
import sys
import types

_PACKAGE = "tilesmith.triton.package"


def _math():
    operations = importlib.import_module(f"{_PACKAGE}.language._operations")
    library = importlib.import_module(f"{_PACKAGE}.language._library")
    found = {name: getattr(operations, name) for name, form in operations.FORMS.items() if form in ("Math", "Device")}
    return found | {name: getattr(library, name) for name in ("clamp", "fma", "sigmoid")}


def _libdevice():
    flip = importlib.import_module(f"{_PACKAGE}.language._operations").flip
    return _math() | vars(importlib.import_module(f"{_PACKAGE}.language._libdevice")) | {"flip": flip}


_EXTENSION = (
    "cast", "compile_hint", "extract_slice", "flip", "get_element", "insert_slice", "multibuffer", "parallel", "sort",
)  # fmt: skip


def _extension():
    language = importlib.import_module(f"{_PACKAGE}.language")
    own = importlib.import_module(f"{_PACKAGE}.language._extension")
    return {name: getattr(language, name) for name in _EXTENSION} | {name: getattr(own, name) for name in own.__all__}


def _jit():
    package = importlib.import_module(_PACKAGE)
    names = ("JITFunction", "KernelInterface", "OutOfResources", "jit", "Autotuner", "Config", "autotune", "heuristics")
    return {name: getattr(package, name) for name in names}


def _runtime():
    """Some reach the driver without importing it."""
    return _jit() | {"driver": make("triton.runtime.driver")}


def _compiler():
    """What torch looks for, too, when it sees that there is a Triton, to compile for GPUs if there were one."""
    launched = importlib.import_module(f"{_PACKAGE}._jit").Launched
    return _errors() | {"CompiledKernel": launched, "triton_key": lambda: "tilesmith"}


def _errors():
    return vars(importlib.import_module(f"{_PACKAGE}.errors"))


def _driver():
    return vars(importlib.import_module(f"{_PACKAGE}._driver"))


def _cache():
    """Programs clear the cache, or ask where it is."""
    from asc.runtime import cache

    return {"default_cache_dir": cache.folder, "clear": cache.clear}


def _language():
    return vars(importlib.import_module(f"{_PACKAGE}.language"))


# Name below `triton` to what is in it: a module of ours, or a function that gives its names.
NAMES = {
    "triton": _PACKAGE,
    "triton.language": f"{_PACKAGE}.language",
    "triton.language.core": _language,
    "triton.language.standard": _language,
    "triton.language.random": _language,
    "triton.language.math": _math,
    "triton.language.extra": dict,
    "triton.language.extra.libdevice": _libdevice,
    "triton.language.extra.cann": dict,
    "triton.language.extra.cann.libdevice": _libdevice,
    "triton.language.extra.cann.extension": _extension,
    "triton.language.extra.ascend": dict,
    "triton.language.extra.ascend.libdevice": _libdevice,
    "triton.language.extra.cuda": dict,
    "triton.language.extra.cuda.libdevice": _libdevice,
    "triton.testing": f"{_PACKAGE}.testing",
    "triton.compiler": _compiler,
    "triton.compiler.errors": _errors,
    "triton.compiler.compiler": _compiler,
    "triton.errors": _errors,
    "triton.runtime": _runtime,
    "triton.runtime.jit": _jit,
    "triton.runtime.autotuner": _jit,
    "triton.runtime.errors": _errors,
    "triton.runtime.driver": _driver,
    "triton.runtime.libentry": lambda: {"libentry": lambda *_, **__: lambda fn: fn},
    "triton.backends": lambda: {"backends": {}},
    "triton.backends.compiler": lambda: {"GPUTarget": collections.namedtuple("GPUTarget", "backend arch warp_size")},
    "triton.backends.ascend": dict,
    "triton.backends.ascend.driver": _driver,
    "triton.tools": dict,
    "triton.knobs": f"{_PACKAGE}._knobs",
    "triton.runtime.cache": _cache,
}


def name_of(module, name):
    """The full name, below `triton`, of what a module of ours has under a name."""
    if "triton" not in sys.modules or not is_ours(sys.modules["triton"]):
        make("triton")
    full = "triton" + module.removeprefix(_PACKAGE) + "." + name
    make(full)
    return full


def is_ours(module):
    """Whether a module is one of these."""
    return getattr(module, "__tilesmith_triton__", False)


def make(full):
    """The module of this name, with the ones above it."""
    known = sys.modules.get(full)
    if known is not None and is_ours(known):
        return known
    content = NAMES[full]
    if isinstance(content, str):
        module = importlib.import_module(content)
    else:
        module = types.ModuleType(full)
        module.__path__ = []
    vars(module)["__tilesmith_triton__"] = True
    sys.modules[full] = module
    if not isinstance(content, str):
        names = {name: value for name, value in content().items() if not name.startswith("__")}
        vars(module).update(names)
    above, _, name = full.rpartition(".")
    if above:
        setattr(make(above), name, module)
    return module


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `triton` and everything below it."""

    def find_spec(self, fullname, path=None, target=None):
        """A module of ours; nothing of another name."""
        if fullname not in NAMES:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        """Made in `make`, as one module may have several names."""
        return make(spec.name)

    def exec_module(self, module):
        """There is nothing left to do."""
