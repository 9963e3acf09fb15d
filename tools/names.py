"""Writes docs/names.md: every name of Ascend C that the headers have, by class, and those that are known to be missing.

The headers are read as the compiler sees them, so names that macros and the instruction table make are there, too. `--check` only compares.
"""

import re
import shutil
import subprocess
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/names.md"
SOURCE = """#include "kernel_operator.h"
#include "c_api/asc_simd.h"
#include "simt_api/asc_simt.h"
#include "lib/matmul_intf.h"
#include "acl/acl.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"
#include "tensor_api/tensor.h"
"""
# The class of a name by the file it is declared in; the first that fits.
CLASSES = {
    "registers (AscendC::Reg)": r"tilesmith/(register|vector_functions)",
    "threads (SIMT)": r"tilesmith/simt|simt_api/",
    "C API": r"tilesmith/capi|c_api/",
    "Tensor API": r"tilesmith/(layouts|tensor_api)\.h",
    "library": r"tilesmith/(library(_rows|_norms|_choices|_shapes|_quantise|_configs)?|bitwise|broadcast|topk)\.h|Machine/Library",
    "Matmul objects": r"tilesmith/matmul(_config)?\.h|Machine/Matmul",
    "host": r"acl/|tikicpulib|tilesmith/(host|matmul_host|matmul_tilings|library_host(_more)?|library_tilings(_more)?|graph_types|tiling)|tiling/|platform",
    "basic API": r"",
}
PARTS = {"basic": "basic API", "math": "library", "capi": "C API", "simt": "threads (SIMT)", "tiling": "host", "matmul": "Matmul objects",
         "tensor": "Tensor API", "types": "element types", "framework": "operators and graphs", "debug": "tools"}  # fmt: skip
PARTLY = re.compile(r"\bunsupported\w*\(|is not in the model yet|the model has ")
WORDS = {"here", "if", "for", "while", "switch", "return", "sizeof", "decltype", "operator", "static_assert", "defined", "alignas"}
INTRO = """# Names of Ascend C

What the headers have, by class: functions, classes and types. "In part" have forms that are a finding (`operand.unsupported`) or do not
compile and say so. What is missing and known is told by name at your line, all of it at once.

Written by `tools/names.py`.

| class | names | in part | known to be missing |
|---|---|---|---|
"""


def preprocessed():
    compiler = next(path for path in map(shutil.which, ("g++", "clang++", "clang++-22", "c++")) if path)
    folders = [f"-I{ROOT / folder}" for folder in ("include", "include/ascendc", "build/include", "build/include/ascendc")]
    command = [compiler, "-std=c++17", "-E", "-x", "c++", *folders, "-"]
    return subprocess.run(command, input=SOURCE, capture_output=True, text=True, check=True).stdout


def statements(text):
    """(file, namespace, head, body) of what is declared in namespaces."""
    file, spaces, head, depth, body = "", [], "", 0, ""
    for line in text.splitlines():
        if marker := re.match(r'# \d+ "([^"]*)"', line):
            file = marker[1]
            continue
        line = re.sub(r'"(?:\\.|[^"\\])*"', lambda match: match[0].translate({ord(c): None for c in "{};"}), line)
        for piece in re.findall(r"[{};]|[^{};]+", line + " "):
            if depth:  # inside of something
                depth += {"{": 1, "}": -1}.get(piece, 0)
                body += piece
                if depth == 0:
                    yield file, "::".join(spaces), head, body
                    head = body = ""
            elif piece == "{":
                if space := re.fullmatch(r"\s*(?:inline\s+)?namespace\s*([\w:]*)\s*", head):
                    spaces.append(space[1])
                    head = ""
                elif re.fullmatch(r'\s*extern\s*"C"\s*', head):
                    spaces.append("")
                    head = ""
                else:
                    depth, body = 1, ""
            elif piece == "}":
                if spaces:
                    spaces.pop()
                head = ""
            elif piece == ";":
                yield file, "::".join(spaces), head, ""
                head = ""
            else:
                head += piece


def name_of(head):
    head = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", head)
    if alias := re.search(r"\busing\s+(\w+)\s*=", head):
        return alias[1]
    if kind := re.match(
        r"\s*(?:template\s*<.*?>\s*)?(?:struct|class|enum(?:\s+class)?)\s+(?:alignas\([^)]*\)\s*)?(\w+)\s*(?::.*)?$", head
    ):
        return kind[1]
    call = re.search(r"\b(\w+)\s*\(", re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", head)))
    if call and call[1] not in WORDS:
        return call[1]
    value = re.search(r"\bconst(?:expr)?\b[^=]*?\b(\w+)\s*(?:=|$)", head)
    return value[1] if value else None


def document():
    present, partly = defaultdict(set), defaultdict(set)
    for file, space, head, body in statements(preprocessed()):
        if (
            "/include/" not in file
            or not file.startswith(str(ROOT))
            or "tilesmith" in space.split("::")
            or file.endswith("missing.h")
        ):
            continue
        name = name_of(head)
        if not name or re.match(r"ts[A-Z_]|_|TS_|Ts[A-Z]|tilesmith_|void$", name):
            continue
        kind = next(each for each, pattern in CLASSES.items() if re.search(pattern, file))
        present[kind].add(name)
        if PARTLY.search(body) or "alwaysFalse" in body:
            partly[kind].add(name)
    missing = defaultdict(set)
    table = (ROOT / "include/ascendc/tilesmith/missing.def").read_text()
    for part, name in re.findall(r'^TILESMITH_MISSING_(?:CALL|NAME)\((\w+), "?([\w*]+)"?\)', table, re.MULTILINE):
        missing[PARTS[part]].add(name)
    text, lists = INTRO, ""
    for kind in [*CLASSES, *(each for each in PARTS.values() if each not in CLASSES)]:
        absent = missing[kind] - present[kind]
        text += f"| {kind} | {len(present[kind])} | {len(partly[kind] & present[kind])} | {len(absent)} |\n"
        lists += f"\n## {kind[0].upper()}{kind[1:]}\n"
        for what, names in (
            ("There", present[kind] - partly[kind]),
            ("In part", partly[kind] & present[kind]),
            ("Missing", absent),
        ):
            if names:
                line = f"{what}: " + ", ".join(f"`{name}`" for name in sorted(names, key=lambda name: (name.lower(), name))) + "."
                lists += "\n" + textwrap.fill(line, 140, break_long_words=False, break_on_hyphens=False) + "\n"
    return text + lists


def main():
    text = document()
    if "--check" in sys.argv:
        return int(PAGE.read_text() != text)
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
