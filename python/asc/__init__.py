"""Kernels for Ascend NPUs, compiled and run on a model of the chip. The tile language is in the package `asc2`."""

from asc.language import *  # noqa: F403
from asc.language import __all__ as _language

# Loaded on first use: a program that only reads dtypes needs neither compiler nor model.
_LAZY = {
    "jit": "asc.runtime.jit",
    "JITFunction": "asc.runtime.jit",
    "CodegenOptions": "asc.runtime.compiler",
    "CompileOptions": "asc.runtime.compiler",
    "LaunchOptions": "asc.runtime.compiler",
    "profile": "asc.runtime.profile",
    "check": "asc.runtime.profile",
    "launch_mode": "asc.runtime.profile",
    "KernelError": "asc.runtime.errors",
    "load_ascendc": "asc.runtime.ascendc",
    "AscendCError": "asc.runtime.ascendc",
    "verify": "tilesmith.judge.verdict.local",
    "VerifyReport": "tilesmith.judge.verdict.local",
}
_PACKAGES = ("codegen", "common", "language", "lib", "runtime")
# Packages of the language that are attributes of `asc`, and those whose names are flat in it, too.
_LANGUAGE = {"adv": "asc.language.adv", "basic": "asc.language.basic", "core": "asc.language.core", "fwk": "asc.language.fwk"}
_FLAT = ("asc.language.basic", "asc.language.fwk")

__all__ = [*_language, *_LAZY]


def __getattr__(name):
    from importlib import import_module

    if name in _PACKAGES:
        return import_module(f"asc.{name}")
    if name == "__version__":
        return import_module("tilesmith").__version__
    if name in _LANGUAGE:
        return import_module(_LANGUAGE[name])
    if name not in _LAZY:
        for module in _FLAT:
            if name in import_module(module).__all__:
                return getattr(import_module(module), name)
        raise AttributeError(f"module 'asc' has no attribute {name!r}")
    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_LAZY, *_PACKAGES, *_LANGUAGE})
