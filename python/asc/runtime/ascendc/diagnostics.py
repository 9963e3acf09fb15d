"""What a compiler said about a user's source, at lines of the user's own files.

Errors inside our headers or the system's are told where the user's code led there, without the way in between. gcc and clang are
understood.
"""

import re
from dataclasses import dataclass, field

_PLACE = re.compile(
    r"^(?P<file>(?:[A-Za-z]:)?[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<kind>fatal error|error|warning|note): (?P<text>.*)$"
)
_FROM = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)?\s+required from ")
_MACRO = re.compile(r"in (?:definition|expansion) of macro|expanded from macro")


@dataclass
class Diagnostic:
    file: str
    line: int
    column: int
    text: str
    notes: list = field(default_factory=list)  # (file, line, column, text), those in the user's files
    kernel: str = ""  # whose name is wrong


class Reader:
    """Reads one compiler's output. `is_user(file)` tells the user's files, `entries` {line: kernel} those of the wrapper `wrapper`."""

    def __init__(self, is_user, wrapper="", entries=None):
        self.is_user, self.wrapper, self.entries = is_user, wrapper, entries or {}
        self.errors, self.other = [], []
        self._way, self._inner = [], False

    def read(self, output):
        for line in output.replace("‘", "'").replace("’", "'").splitlines():
            required, place = _FROM.match(line), _PLACE.match(line)
            if required:
                self._way.append((required["file"], int(required["line"]), int(required["column"] or 0)))
            elif place:
                self._place(place["file"], int(place["line"]), int(place["column"] or 0), place["kind"], place["text"])
            elif not re.match(
                r"^\s|^In file included from|.*: (?:In |At )|compilation terminated|\d+ (?:error|warning)s? generated", line
            ):
                self.other.append(line)
        return self

    def _place(self, file, line, column, kind, text):
        if kind == "warning":
            self._way, self._inner = [], False
        elif kind != "note":
            self._inner = False
            text = re.sub("^static assertion failed due to requirement '.*': ", "static assertion failed: ", text)
            if file == self.wrapper and line in self.entries:
                self._entry(self.entries[line], text)
            elif self.is_user(file):
                self.errors.append(Diagnostic(file, line, column, text))
            else:  # gcc has told the way before, clang tells it in the notes that follow
                user = next((place for place in reversed(self._way) if self.is_user(place[0])), None)
                self.errors.append(Diagnostic(*(user or (file, line, column)), text))
                self._inner = user is None
            self._way = []
        elif self.errors and self.is_user(file):
            if self._inner:
                last = self.errors[-1]
                last.file, last.line, last.column = file, line, column
                self._inner = not re.search("requested here|expanded from", text)
            elif not _MACRO.search(text) and not text.startswith(" "):  # gcc indents what goes on from another note
                self.errors[-1].notes.append((file, line, column, text))

    def _entry(self, kernel, text):
        """An error of the line that makes a kernel launchable: the first tells what is wrong with its name."""
        if not any(error.kernel == kernel for error in self.errors):
            self.errors.append(Diagnostic("", 0, 0, f"kernel '{kernel}': {text}", kernel=kernel))


def render(diagnostics):
    """Errors in the manner of compilers, each with the user's line."""
    lines = []
    for each in diagnostics:
        lines += _render(each.file, each.line, each.column, "error", each.text)
        for file, line, column, text in each.notes:
            lines += _render(file, line, column, "note", text)
    return lines


def _render(file, line, column, kind, text):
    if not line:
        return [f"{kind}: {text}"]
    lines = [f"{file}:{line}:{f'{column}:' if column else ''} {kind}: {text}"]
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            excerpt = source.read().splitlines()[line - 1]
    except (OSError, IndexError):
        return lines
    lines.append(f"{line:5} | {excerpt}")
    if column and column <= len(excerpt) + 1:
        lines.append("      | " + re.sub(r"[^\t]", " ", excerpt[: column - 1]) + "^")
    return lines
