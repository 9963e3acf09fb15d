"""Breakpoints: a line of a file, perhaps under a condition; and where a kernel really stops for them."""

import os
import re
from dataclasses import dataclass


class Malformed(ValueError):
    """A place that is not one."""


@dataclass
class Breakpoint:
    id: int
    file: str | None  # None: of the kernel that is launched
    line: int
    condition: str = ""
    text: str = ""  # as it was asked for
    hits: int = 0
    found: bool = False  # a kernel that was launched has the line

    def __str__(self):
        place = f"{self.file}:{self.line}" if self.file else f"line {self.line}"
        return place + (f" if {self.condition}" if self.condition else "")


def parse(text, id=0):
    """`12`, `k.py:12`, `12 if i == 3`."""
    place, *rest = re.split(r"\s+if\s+", text.strip(), maxsplit=1)
    condition = rest[0].strip() if rest else ""
    match = re.fullmatch(r"(?:(.+):)?(\d+)", place)
    if not match or int(match[2]) < 1:
        raise Malformed(f"'{text.strip()}' is not a place: write LINE, FILE:LINE, or either with `if CONDITION`")
    if condition:
        try:
            compile(condition, "<condition>", "eval")
        except SyntaxError as error:
            raise Malformed(f"the condition '{condition}' is not an expression: {error.msg}") from None
    return Breakpoint(id, match[1], int(match[2]), condition, text.strip())


def same_file(asked, file):
    """Whether a file as the user names it is a file of the kernel: by its path, or by its last parts."""
    if asked == file or os.path.abspath(asked) == os.path.abspath(file):
        return True
    parts = os.path.normpath(asked).split(os.sep)
    return os.path.normpath(file).split(os.sep)[-len(parts) :] == parts


def resolve(breakpoint, lines, main):
    """The (file, line) of a kernel at which it stops: the line, or the next one that has a statement. None: nowhere.

    `lines` is {file: sorted lines with statements}, `main` the file of the kernel.
    """
    for file, having in lines.items():
        if file != main if breakpoint.file is None else not same_file(breakpoint.file, file):
            continue
        later = [line for line in having if line >= breakpoint.line]
        if later and breakpoint.line >= having[0] - 1:
            return file, later[0]
    return None
