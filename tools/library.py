"""Writes the tables of docs/adv.md, the page about the library of functions: from their table (Machine/Library.def), the rule for temporary
buffers, and the table of what the model does not have. `--check` only compares."""

import ctypes
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/adv.md"
BEGIN, END = "<!-- written by tools/library.py -->\n", "<!-- end of written -->\n"
TYPES = {
    "Floats": "half, float",
    "FloatsAndI32": "half, float, int32_t",
    "Words": "int16_t, uint16_t",
    "Bytes": "int8_t",
    "Ints32": "int32_t",
}
# What headers have that is an instruction or written in them.
OTHERS = {"math": ["Axpy", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Exp"], "pad": ["BroadCast", "Broadcast"], "sort": ["Concat", "Extract", "Sort", "TopK"], "index": ["ArithProgression"],
          "reduce": ["Mean", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum", "Sum"]}  # fmt: skip
SIZES = {"half": 2, "float": 4, "int32_t": 4, "int16_t": 2, "uint16_t": 2, "int8_t": 1}


def rows():
    text = (ROOT / "include/tilesmith/Machine/Library.def").read_text()
    elements = re.findall(
        r'^TILESMITH_LIBRARY_MAP\((\w+), "(\w*)", (\w+), (\w+), ([\w.-]+), ([\w.-]+), "(\w+)",\s*"([^"]*)"\)', text, re.MULTILINE
    )
    of_rows = re.findall(r'^TILESMITH_LIBRARY_ROWS\((\w+), "(\w*)", (\w+), "(\w+)",\s*"([^"]*)"\)', text, re.MULTILINE)
    return elements, of_rows


def rule(of_rows, number, size, count, columns=64):
    """(least, most) bytes of a temporary buffer."""
    library = ctypes.CDLL(str(next((ROOT / "build/python/tilesmith_lib").glob("libtilesmith_cpu.so"))))
    least, most = ctypes.c_int64(), ctypes.c_int64()
    numbers = [ctypes.c_int64(value) for value in (of_rows, number, size, count, columns)]
    library.tilesmith_library_bytes(*numbers, ctypes.byref(least), ctypes.byref(most))
    return least.value, most.value


def accuracy(relative, absolute):
    parts = [f"{relative} of it"] * (relative != "0") + [absolute] * (absolute != "0")
    return " + ".join(parts) or "exact"


def document():
    elements, of_rows = rows()
    text = "| Ascend C | asc.adv | element types | what it is | off by at most | bytes per 64 elements (910B) |\n|---|---|---|---|---|---|\n"
    for number, (name, python, _, types, relative, absolute, _, meaning) in enumerate(elements):
        sizes = sorted({SIZES[each] for each in TYPES[types].split(", ")})
        need = ", ".join(f"{rule(0, number, size, 1)[0]}" for size in sizes)
        need += " (half, float)" if len(sizes) > 1 else ""
        shown = meaning.replace("|", "\\|")
        text += f"| `{name}` | `{python}` | {TYPES[types]} | {shown} | {accuracy(relative, absolute)} | {need} |\n"
    text += "\nFunctions of rows; bytes are those for 16 rows of 64 elements, half and float:\n\n"
    text += "| Ascend C | element types | what it is | bytes |\n|---|---|---|---|\n"
    for number, (name, _, types, _, meaning) in enumerate(of_rows):
        text += f"| `{name}` | {TYPES[types]} | {meaning} | {rule(1, number, 2, 16)[0]}, {rule(1, number, 4, 16)[0]} |\n"
    names = defaultdict(set, {group: set(others) for group, others in OTHERS.items()})
    for name, *_, group, _ in elements:
        names[group].add({"PowerOfScalar": "Power", "PowerByScalar": "Power"}.get(name, name))
    for name, _, _, group, _ in of_rows:
        if not name.startswith(("Row", "Column")) and name != "LayerNormRstd":
            names[group].add(name)
    absent = re.findall(
        r"^TILESMITH_MISSING_(?:CALL|NAME)\(math, (\w+)\)",
        (ROOT / "include/ascendc/tilesmith/missing.def").read_text(),
        re.MULTILINE,
    )
    text += "\nNames of the vendor's headers:\n\n| class | names | |\n|---|---|---|\n"
    for group in sorted(names):
        text += (
            f"| `lib/{group}` | {len(names[group])} | {', '.join(sorted(names[group], key=lambda name: (name.lower(), name)))} |\n"
        )
    text += (
        f"| not there (told at the line) | {len(absent)} | {', '.join(sorted(absent, key=lambda name: (name.lower(), name)))} |\n"
    )
    before, _, rest = PAGE.read_text().partition(BEGIN)
    return before + BEGIN + text + END + rest.partition(END)[2]


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(document() != PAGE.read_text())
    PAGE.write_text(document())
