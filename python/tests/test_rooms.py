"""Rooms with doors: a room includes only what it may know (ARCHITECTURE.md, section Rooms)."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Room -> folders of ours it may include, and whether it may use MLIR, LLVM.
MAY_USE = {
    # What rooms that may not know each other share: header-only, nothing behind it.
    "Support": (["Support"], []),
    "Isa": (["Isa"], []),
    "Machine": (["Machine", "Isa", "Support"], []),
    "Options": (["Options", "Isa"], []),
    "Dialect/Tile": (["Dialect/Tile", "Isa"], ["mlir", "llvm"]),
    "Dialect/Graph": (["Dialect/Graph", "Dialect/Tile"], ["mlir", "llvm"]),
    "Dialect/Triton": (["Dialect/Triton", "Dialect/Tile"], ["mlir", "llvm"]),
    # VectorFunction.h is the shape of a VF that compiler and Machine agree on.
    "Dialect/Isa": (["Dialect/Isa", "Isa", "Support", "Machine/VectorFunction.h"], ["mlir", "llvm"]),
    # Entries.h has the numbers that operands of the C ABI may be instead of numbers, Library.def the functions of the library, Matmul and
    # CubeTiling the tables of matrix objects.
    "Frontend": (["Frontend", "Dialect", "Isa", "Support", "Machine/Entries.h", "Machine/Library", "Machine/Matmul", "Machine/CubeTiling"],
                 ["mlir", "llvm"]),
    # No dialect: what a value is made of is the language's business.
    "Dialect/Asc": (["Dialect/Asc", "Dialect/Isa"], ["mlir", "llvm"]),
    "Frontend/Python": (["Frontend", "Isa", "Support"], ["mlir", "llvm"]),
    "Lint": (["Lint", "Frontend/Ast.h"], ["llvm"]),
    "Transforms": (["Transforms", "Dialect", "Options", "Isa", "Support", "Machine/VectorFunction.h"], ["mlir", "llvm"]),
    "Target/Host": (["Target/Host", "Dialect/Asc", "Dialect/Isa", "Isa", "Machine", "Support"], ["mlir", "llvm"]),
    "Target/AscendC": (["Target/AscendC", "Dialect/Isa", "Dialect/Asc", "Isa"], ["mlir", "llvm"]),
    # Not even the Machine: a mistake in its conversions must not hide itself from the judge.
    "Verify": (["Verify", "Support"], []),
    "Runtime": (["Runtime", "Options", "Target", "Machine", "Frontend", "Transforms", "Dialect", "Isa"], ["mlir", "llvm"]),
}


def includes(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".h", ".cpp", ".def"):
            for line, text in enumerate(path.read_text().splitlines(), 1):
                if match := re.match(r'\s*#\s*include\s+[<"]([^>"]+)[>"]', text):
                    yield path.relative_to(ROOT), line, match[1]


def test_headers_for_kernels_know_only_the_table_of_functions():
    """include/ascendc is compiled by users' compilers: nothing of ours but Api.h and the tables of the library and
    of matrix objects may be needed, and HostProgram.h by programs that launch kernels themselves."""
    known = {"tilesmith/Machine/Api.h", "tilesmith/Machine/HostProgram.h", "tilesmith/Machine/Library.def", "tilesmith/Machine/Matmul.h",
             "tilesmith/Machine/MatmulConfig.def", "tilesmith/Machine/CubeTiling.def", "tilesmith/Machine/CubeTiling.h"}
    wrong = [f"{path}:{line} includes {name}" for path, line, name in includes(ROOT / "include/ascendc")
             if name.startswith("tilesmith/") and "/" in name.removeprefix("tilesmith/") and name not in known]
    assert not wrong, "\n".join(wrong)


def test_headers_for_kernels_keep_no_state_of_the_chip():
    """What calls leave behind for later calls is the core's, or kernels of the JIT would need it a second time. A thread of the headers
    knows its core, the last file it was called from, the register code it is running, and which thread of a function of threads."""
    known = {"core", "inKernel", "last", "index", "vf", "vfLoads", "g_coreType", "threadIdx", "blockIdx", "blockDim", "gridDim"}
    wrong = [f"{path.relative_to(ROOT)}: {name}" for path in sorted((ROOT / "include/ascendc").rglob("*.h"))
             for name in re.findall(r"\b(?:thread_local|__thread)\b[^;={]*?(\w+)(?: TILESMITH_HIDDEN)?\s*[;={]", path.read_text()) if name not in known]
    assert not wrong, "\n".join(wrong)


def test_every_entry_of_the_machine_is_a_record():
    """An entry written by hand would be there for C++ kernels alone."""
    text = (ROOT / "include/tilesmith/Machine/Api.h").read_text()
    table = text[text.index("typedef struct TsApi {"):text.index("} TsApi;")]
    members = [line for line in table.splitlines()[1:] if line.strip() and not line.startswith("#")]
    assert members == ["  int64_t version, size; /* TS_API_VERSION and sizeof(TsApi) */"]


@pytest.mark.parametrize("room", MAY_USE)
def test_room_includes_only_what_it_may(room):
    ours, outside = MAY_USE[room]
    wrong = []
    for folder in (ROOT / "include/tilesmith" / room, ROOT / "lib" / room):
        for path, line, name in includes(folder):
            if name.startswith("tilesmith/"):
                allowed = any(name.removeprefix("tilesmith/").startswith(door) for door in ours)
            elif name.startswith(("mlir/", "llvm/", "mlir-c/", "llvm-c/")):
                allowed = name.split("/")[0] in outside
            else:
                allowed = not name.startswith(("Python.h", "nanobind/"))
            if not allowed:
                wrong.append(f"{path}:{line} includes {name}")
    assert not wrong, "\n".join(wrong)


def test_python_knows_no_language_and_languages_not_each_other():
    """A language is a folder beside Frontend/Python; a second one must not need an edit there."""
    room = ROOT / "lib/Frontend"
    folders = {path.name for path in room.iterdir() if path.is_dir()}
    assert {"Python", "Asc", "Asc2"} <= folders
    for folder in folders:
        known = {folder, "Python"}
        wrong = [f"{path}:{line} includes {name}" for path, line, name in includes(room / folder)
                 if ".." in name or (name.split("/")[0] in folders and name.split("/")[0] not in known)]
        assert not wrong, "\n".join(wrong)


def test_lints_engine_knows_no_rule_and_a_rule_only_events():
    """A rule inside the engine has no id, no page and no switch."""
    for folder, allowed in (("Engine", ("tilesmith/Lint/Engine.h", "tilesmith/Lint/Events.h")), ("Rules", ("tilesmith/Lint/Rule.h",))):
        wrong = [f"{path}:{line} includes {name}" for path, line, name in includes(ROOT / "lib/Lint" / folder)
                 if name.startswith("tilesmith/Lint/") and name not in allowed or "Rules/" in name or folder == "Rules" and name.startswith("../")]
        assert not wrong, "\n".join(wrong)
