"""The environment variables that are read anywhere in Tilesmith, as a table: docs/environment.md is written from it
(tools/environment.py), and a test compares it with the sources."""

from __future__ import annotations

from typing import NamedTuple


class Variable(NamedTuple):
    """A variable, what it is when it is not set, and what it does."""

    name: str
    default: str
    what: str


USERS = [
    Variable("TILESMITH_MODE", "`fast`", "how launches run: `fast`, `timed`, `checked` or `traced`; an error lists them"),
    Variable(
        "TILESMITH_TIME_LIMIT",
        "60",
        "seconds of a processor one run of a `while` loop of a kernel may take; 0: no limit (language.md)",
    ),
    Variable("TILESMITH_SLACK", "0", "bytes behind every array that belong to nobody, for kernels that copy past the end (asc.md)"),
    Variable("TILESMITH_THREADS", "all processors", "host threads of a launch; results and model time do not depend on it"),
    Variable(
        "TILESMITH_PLATFORM",
        "`Ascend910B1`",
        "the part that host programs in C++ run on; scripts have `config.set_platform` and `-v`",
    ),
    Variable("TILESMITH_PLATFORM_PATH", "", "files and folders with platforms of your own, separated by `:` (platforms.md)"),
    Variable(
        "TILESMITH_CPU",
        "what the processor has",
        "`baseline`, `avx2` or `avx512`: holds a larger processor back; results are the same",
    ),
    Variable("TILESMITH_CACHE_LIMIT", "1024", "MiB of compiled kernels kept on disk; 0 keeps none"),
    Variable("TILESMITH_JUDGE_KEY", "see verify.md", "file with the key by which `tilesmith verify` signs its results"),
    Variable("XDG_CONFIG_HOME", "`~/.config`", "the folder whose `tilesmith/judge.key` is that key otherwise"),
    Variable("PYASC_CACHE_DIR", "see below", "folder of compiled kernels"),
    Variable("PYASC_HOME", "`~`", "without `PYASC_CACHE_DIR` compiled kernels are kept in `.pyasc/cache` of this folder"),
    Variable("HOME", "", "without `PYASC_HOME` either, in `.pyasc/cache` of this one; without it nothing is kept"),
    Variable("PYASC_DUMP_PATH", "", "folder that receives `codegen.mlir`, `ascir.mlir` and `ascendc.cpp` of each compilation"),
    Variable("DRY_RUN", "", "anything but `0`: kernels are compiled, not launched"),
    Variable(
        "CXX", "`clang++`, `g++`, `c++`", "the compiler for kernels in Ascend C; without it, the first of these that is there"
    ),
    Variable("TRITON_PRINT_AUTOTUNING", "", "`1`: `triton.autotune` prints what it chose (triton.md)"),
    Variable("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS", "", "`1`: kernels in Triton read any global (triton.md)"),
    Variable("NO_COLOR", "", "anything: no colour, on terminals either"),
    Variable("FORCE_COLOR", "", "anything: colour, also where the output is not a terminal"),
    Variable("TERM", "", "`dumb`: a terminal without colour"),
    Variable("ASCEND_HOME_PATH", "", "the CANN whose compiler and libraries launches on a real NPU use"),
    Variable("ASCEND_TOOLKIT_HOME", "", "the same, where `ASCEND_HOME_PATH` is not set"),
    Variable("PYASC_COMPILER", "`bisheng`", "another compiler for launches on a real NPU"),
]

INTERNAL = [
    Variable("TILESMITH_LAUNCHES", "", "the file in which a host program leaves its launches for `tilesmith`"),
    Variable(
        "TILESMITH_SYSCALLS_FROM_HERE",
        "",
        "set for processes of the judge: what calls the system has to be code that was there before",
    ),
    Variable("TRITON_INTERPRET", "", "set by the judge for candidates of Triton: they run in its interpreter"),
]

DEVELOPERS = [
    Variable("TILESMITH_JOBS", "all processors", "parallel jobs of `./dev` and of tests that build"),
    Variable("TILESMITH_LONG", "", "set by `./dev test --long`: tests that take minutes run, too"),
    Variable("TILESMITH_NO_SYSTEM_PACKAGES", "", "`./dev` installs no system packages"),
    Variable("TILESMITH_CMAKE_ARGS", "", "more arguments for CMake"),
    Variable("TILESMITH_BUILD", "`build`", "the build folder that tools and tests look into"),
]


def page() -> str:
    """docs/environment.md"""

    def table(variables: list[Variable]) -> str:
        rows = [f"| `{each.name}` | {each.default} | {each.what} |" for each in variables]
        return "\n".join(["| variable | not set | |", "|---|---|---|", *rows]) + "\n"

    return (
        "# Environment variables\n\n<!-- Written by tools/environment.py from python/tilesmith/environment.py. -->\n\n"
        "None is needed. Where a command has an option for the same thing, the option counts.\n\n"
        f"{table(USERS)}\n## For those who work on Tilesmith\n\n{table(DEVELOPERS)}\n"
        f"## Between our own processes\n\nNot for you to set.\n\n{table(INTERNAL)}"
    )
