"""What is known about a name of asc and asc2: its signature, its first words, the file and line it is declared in."""

import inspect
import re
from functools import cache

PATH = re.compile(r"[A-Za-z_][\w.]*")


def at(line, column):
    """The dotted name at a column of a line, up to the part that is pointed at; or None."""
    for match in PATH.finditer(line):
        if match.start() <= column <= match.end():
            end = line.find(".", column, match.end())
            return line[match.start() : end if end != -1 else match.end()]
    return None


def modules(text):
    """The names under which a source has asc and asc2: {name: module}."""
    found = {}
    for match in re.finditer(r"^\s*import\s+(.+)$", text, re.MULTILINE):
        for part in match[1].split("#")[0].split(","):
            words = part.split()
            if words and words[0] in ("asc", "asc2"):
                found[words[2] if len(words) == 3 and words[1] == "as" else words[0]] = words[0]
    return found


@cache
def described(path):
    """(signature, documentation, file, line) of `asc2.load`; None if there is no such name."""
    from importlib import import_module

    module, _, name = path.partition(".")
    try:
        thing = import_module(module)
        for part in name.split("."):
            thing = getattr(thing, part)
    except (ImportError, AttributeError):
        return None
    try:
        signature = f"{path}{inspect.signature(thing)}"
    except (TypeError, ValueError):
        signature = path
    try:
        source = inspect.unwrap(thing) if callable(thing) else thing
        file, line = inspect.getsourcefile(source), inspect.getsourcelines(source)[1]
    except (TypeError, OSError):
        file, line = None, 0
    return signature, inspect.getdoc(thing) or "", file, line
