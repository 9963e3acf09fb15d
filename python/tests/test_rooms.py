"""Rooms with doors: a room includes only what it may know (ARCHITECTURE.md, section Rooms)."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Room -> folders of ours it may include, and whether it may use MLIR, LLVM.
MAY_USE = {
    "Isa": (["Isa"], []),
    "Machine": (["Machine", "Isa"], []),
    "Options": (["Options", "Isa"], []),
    "Dialect/Tile": (["Dialect/Tile", "Isa"], ["mlir", "llvm"]),
    # VectorFunction.h is the shape of a VF that compiler and Machine agree on.
    "Dialect/Isa": (["Dialect/Isa", "Isa", "Machine/VectorFunction.h"], ["mlir", "llvm"]),
    "Frontend": (["Frontend", "Dialect", "Isa"], ["mlir", "llvm"]),
    "Lint": (["Lint", "Frontend/Ast.h"], ["llvm"]),
    "Transforms": (["Transforms", "Dialect", "Options", "Isa", "Machine/VectorFunction.h"], ["mlir", "llvm"]),
    "Target/Host": (["Target/Host", "Dialect/Isa", "Isa", "Machine"], ["mlir", "llvm"]),
    "Target/AscendC": (["Target/AscendC", "Dialect/Isa", "Isa"], ["mlir", "llvm"]),
    # Not even the Machine: a mistake in its conversions must not hide itself from the judge.
    "Verify": (["Verify"], []),
    "Runtime": (["Runtime", "Options", "Target", "Machine", "Frontend", "Transforms", "Dialect", "Isa"], ["mlir", "llvm"]),
}


def includes(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".h", ".cpp", ".def"):
            for line, text in enumerate(path.read_text().splitlines(), 1):
                if match := re.match(r'\s*#\s*include\s+[<"]([^>"]+)[>"]', text):
                    yield path.relative_to(ROOT), line, match[1]


def test_headers_for_kernels_know_only_the_table_of_functions():
    """include/ascendc is compiled by users' compilers: nothing of ours but Api.h may be needed,
    and HostProgram.h by programs that launch kernels themselves."""
    known = {"tilesmith/Machine/Api.h", "tilesmith/Machine/HostProgram.h"}
    wrong = [f"{path}:{line} includes {name}" for path, line, name in includes(ROOT / "include/ascendc")
             if name.startswith("tilesmith/") and "/" in name.removeprefix("tilesmith/") and name not in known]
    assert not wrong, "\n".join(wrong)


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
