"""The text for a source that does not compile.

Names and headers of the vendor's that are not modelled (vendor.py) are told first, all at once, in our own words: a missing header ends a
compile, so the source is compiled once more with an empty file in the place of each. Other errors are the compiler's
(diagnostics.py).
"""

import os
import re

from .diagnostics import Reader, render
from .source import quiet
from .vendor import missing

_NO_FILE = re.compile(r"(?:(?P<gcc>[^\s:]+): No such file or directory|'(?P<clang>[^']+)' file not found)")
_UNKNOWN = [
    re.compile(pattern)
    for pattern in (
        r"'(?:\w+::)*(\w+)' was not declared in this scope",
        r"'(\w+)' is not a member of '",
        r"'(\w+)' in (?:namespace|class|struct) '[^']*' does not name a (?:template )?type",
        r"'(?:\w+::)*(\w+)' does not name a (?:template )?type",
        r"'(?:\w+::)*(\w+)' has not been declared",
        r"'(\w+)' is not a (?:class|namespace|type|template)",
        r"there are no arguments to '(\w+)' that depend",
        r"use of undeclared identifier '(\w+)'",
        r"unknown (?:type|class) name '(\w+)'",
        r"no (?:template|type|member) named '(\w+)'",
        r"(\w+): this instruction is not in the model yet",
    )
]
_NO_MATCH = re.compile(r"no matching function for call to '(?:\w+::)*(\w+)\b")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_ENTRY = re.compile(r'^tilesmith::libraryKernel<.*>\("(.*)", [^()"]*\)[,)]?$')
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9_]{6,}\b")
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:) [`']?([^'\n]+)")
_MOST = 20  # errors that are shown
_ROUNDS = 8  # of looking for headers behind headers


def missing_header(diagnostic):
    """The header a diagnostic says is not there, or None."""
    found = _NO_FILE.search(diagnostic.text)
    return (found["gcc"] or found["clang"]) if found else None


def missing_name(diagnostic, calls):
    """The name a diagnostic says nothing is known by, or None; `calls` are declared only to say so."""
    name = next((found[1] for found in (pattern.search(diagnostic.text) for pattern in _UNKNOWN) if found), None)
    called = _NO_MATCH.search(diagnostic.text)
    return called[1] if not name and called and called[1] in calls else name


def explain_missing(headers, names, main):
    """The text for what is not modelled: `headers` {name: (file, line, part)}, `names` {name: (part, [(file, line)])}."""
    lines, parts = [], {}
    for name, (file, line, part) in headers.items():
        lines.append(f"{file}:{line}: error: {name} is not modelled ({part.what})")
        parts.setdefault(part, []).append(name)
    if names:
        first = next(iter(names.values()))[1][0]
        listed = [f"{name} ({_places(places, main)})" for name, (_, places) in names.items()]
        lines.append(f"{first[0]}:{first[1]}: error: not in the model: {', '.join(listed)}")
        for name, (part, _) in names.items():
            parts.setdefault(part, []).append(name)
    for part, what in parts.items():
        shown = ", ".join(what[:4]) + (f" and {len(what) - 4} more" if len(what) > 4 else "")
        lines.append(f"help: {shown}: {part.what}; {part.help}")
    return lines


def _places(places, main):
    own = [str(line) for file, line in places if file == main]
    text = [f"line{'s' * (len(own) > 1)} {', '.join(own)}"] if own else []
    return ", ".join(text + [f"{os.path.basename(file)}:{line}" for file, line in places if file != main])


class Explanation:
    """`again(*options)` compiles once more, without making anything, and gives the output; `headers` is the folder of our own."""

    def __init__(self, path, staging, headers, again):
        self.path, self.staging, self.headers, self.again = path, staging, headers, again
        self.table = missing(os.path.join(headers, "ascendc", "tilesmith", "missing.def"))
        self.wrapper = os.path.join(staging, "library.cpp")
        self.stubs = os.path.join(staging, "stubs")
        self.absent = {}  # header: where it is included, its part

    def of(self, output):
        """What to tell the user about this output of the compiler."""
        reader = self._read(output)
        for _ in range(_ROUNDS):
            if not any([self._stub(each) for each in reader.errors if missing_header(each)]):
                break
            reader = self._read(self.again("-I", self.stubs))
        names = self._names(reader)
        if not self.absent and not names:
            return self._plain(reader)
        lines = explain_missing(self.absent, names, self.path)
        rest = len([each for each in reader.errors if missing_name(each, self.table.calls) not in names])
        if rest:
            lines.append(f"note: the compiler has {rest} more error{'s' * (rest > 1)}, which may follow from what is missing")
        return "\n".join(lines)

    def _read(self, output):
        entries = {}
        if os.path.exists(self.wrapper):
            with open(self.wrapper) as file:
                lines = [_ENTRY.match(line) for line in file.read().splitlines()]
            entries = {number: entry[1] for number, entry in enumerate(lines, 1) if entry}
        return Reader(self._is_user, self.wrapper, entries).read(output)

    def _is_user(self, file):
        place = os.path.realpath(os.path.join(os.path.dirname(self.path), file))
        inside = (os.path.realpath(self.headers), os.path.realpath(self.staging), "/usr/")
        return not file.startswith("<") and not place.startswith(inside)

    def _names(self, reader):
        """{name: (part, [(file, line)])} of the vendor's names that are not there."""
        names = {}
        for each in reader.errors:
            name = missing_name(each, self.table.calls)
            part = self.table.name(name) if name else None
            if part and (each.file, each.line) not in names.setdefault(name, (part, []))[1]:
                names[name][1].append((each.file, each.line))
        if names or self.absent:
            self._add_macros(names)
        return dict(sorted(names.items(), key=lambda item: (item[1][1][0][0] != self.path, item[1][1][0])))

    def _add_macros(self, names):
        """Macros are not told where their arguments are wrong already."""
        with open(self.path, encoding="utf-8", errors="replace") as file:
            text = quiet(file.read())
        for match in _CAPITALS.finditer(text):
            part = self.table.names.get(match[0])
            place = self.path, text.count("\n", 0, match.start()) + 1
            if part and place not in names.setdefault(match[0], (part, []))[1]:
                names[match[0]][1].append(place)

    def _stub(self, diagnostic):
        """Puts an empty file in the place of the header that is missing, and of others of the same file. Whether one was the vendor's."""
        try:
            with open(diagnostic.file, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            text = ""
        included = {match[1]: text.count("\n", 0, match.start()) + 1 for match in _INCLUDE.finditer(text)}
        included[missing_header(diagnostic)] = diagnostic.line
        found = False
        for name, line in sorted(included.items(), key=lambda item: item[1]):
            part = self.table.header(name)
            folders = (os.path.join(self.headers, "ascendc"), os.path.dirname(diagnostic.file))
            if not part or name in self.absent or any(os.path.exists(os.path.join(folder, name)) for folder in folders):
                continue
            self.absent[name] = (diagnostic.file, line, part)
            stub = os.path.normpath(os.path.join(self.stubs, name))
            if stub.startswith(self.stubs + os.sep):
                os.makedirs(os.path.dirname(stub), exist_ok=True)
                with open(stub, "w") as file:
                    file.write('#include "kernel_operator.h"\n')
            found = True
        return found

    def _plain(self, reader):
        """The compiler's own errors, in the user's files."""
        undefined = list(dict.fromkeys(_UNDEFINED.findall("\n".join(reader.other))))
        if not reader.errors and undefined:
            lines = [f"{self.path}: error: no source defines '{name}'" for name in undefined[:_MOST]]
            return "\n".join([*lines, "help: name the files that do after --host"])
        if not reader.errors:
            return "\n".join(line.replace(self.staging + os.sep, "") for line in reader.other)
        shown = render(reader.errors[:_MOST])
        more = len(reader.errors) - _MOST
        return "\n".join([*shown, f"and {more} more error{'s' * (more > 1)}"] if more > 0 else shown)
