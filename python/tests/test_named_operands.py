"""Operands are read by their names in the record (Isa/Operands.h), never by number: a new operand in the middle of a record must not
silently shift what the code around it reads."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BY_NUMBER = re.compile(r"""\bargs\s*\[[^\]]*\d[^\]]*\]      # instr.args[3], args[form + 2]
                         | \bargs\s*\+\s*\d                 # instr.args + 5
                         | \b(?:address|arg)\(\s*\d+\s*\)   # instr.address(0)
                         | \bbetween\(\s*\d                 # between(5, 0, 255)""", re.VERBOSE)


def by_number(text):
    return [line for line in text.splitlines() if BY_NUMBER.search(line.split("//")[0])]


def test_the_pattern_finds_what_it_is_for():
    assert by_number("x = instr.args[3];\ny = instr.args + 5;\nz = memory.at(instr.address(0));\nw = args[form + 1];")
    assert not by_number("x = call.m();\ny = instr.args[operand];\nz = instr.address(operand);\n// args[3]")


def test_no_operand_is_read_by_number():
    found = []
    for folder in ("lib/Machine", "lib/Target", "lib/Runtime", "include/tilesmith"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                found += [f"{path.relative_to(ROOT)}: {line.strip()}" for line in by_number(path.read_text())]
    assert not found, "\n".join(found)
