"""What the vendor's Ascend C has and the model does not have: the table of include/ascendc/tilesmith/missing.def."""

import fnmatch
import functools
import re
from dataclasses import dataclass

_ROW = re.compile(r"^TILESMITH_MISSING_(PART|CALL|NAME|HEADER)\((\w+), (.*)\)$", re.MULTILINE)
_TEXT = re.compile(r'"((?:\\.|[^"\\])*)"')


@dataclass(frozen=True)
class Part:
    """A part of the vendor's software."""

    what: str
    help: str


class Missing:
    """Names and headers that are not modelled, each with the part it belongs to."""

    def __init__(self, text):
        self.parts, self.names, self.headers = {}, {}, {}
        self.calls = set()  # names that headers declare, to say that they are not there
        for kind, part, rest in _ROW.findall(text):
            values = _TEXT.findall(rest) or [rest]
            if kind == "PART":
                self.parts[part] = Part(*values)
            else:
                (self.headers if kind == "HEADER" else self.names)[values[0]] = self.parts[part]
                if kind == "CALL":
                    self.calls.add(values[0])

    def name(self, name):
        """The part a name belongs to, or None."""
        return self._find(self.names, name)

    def header(self, path):
        return self._find(self.headers, path)

    @staticmethod
    def _find(table, key):
        if key in table:
            return table[key]
        return next((part for pattern, part in table.items() if "*" in pattern and fnmatch.fnmatchcase(key, pattern)), None)


@functools.cache
def missing(path):
    """The table in this file."""
    with open(path) as file:
        return Missing(file.read())
