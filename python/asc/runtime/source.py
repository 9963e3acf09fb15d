"""Where the text of a function is: in its file, in a notebook's cell, or given by hand."""

import linecache
import os
import sys
import time

_imported = time.time()


class Source:
    """The text of a function with its decorators, the name of the file it is from, and the line it begins at."""

    def __init__(self, text, filename, first_line):
        self.text, self.filename, self.first_line = text, filename, first_line


def name_of(filename):
    """How people know a file: a notebook's cell is "Cell In[3]", whatever file its code pretends to be in."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    formatted = getattr(getattr(shell, "compile", None), "format_code_name", lambda name: None)(filename)
    if not formatted:
        return filename
    name = " ".join(formatted)
    if filename in linecache.cache:
        linecache.cache[name] = linecache.cache[filename]  # profiles and findings show lines by this name
    return name


def _block_of(lines):
    """The function that starts at the first of these lines, decorators included.

    Where indentation alone tells the end, nothing else is asked; the exact way needs `inspect`, which takes longer to
    import than a kernel to load.
    """
    started, count = False, 0
    for index, line in enumerate(lines):
        text = line.lstrip()
        if not started:
            started = text.startswith(("def ", "async "))
            indent = len(line) - len(text)
        elif not text or text[0] == "#":
            continue
        elif len(line) - len(text) <= indent and text[0] not in ")]}":
            break
        count = index + 1
    block = "".join(lines[:count])
    plain = not any(quote in block for quote in ('"""', "'''", "\\\n"))
    if started and plain and all(block.count(a) == block.count(b) for a, b in ("()", "[]", "{}")):
        return block
    from inspect import getblock

    return "".join(getblock(lines))


def _functions_in(text, filename):
    """(path of names, first line, text) of every function in a source."""
    import ast

    lines = text.splitlines(keepends=True)

    def walk(node, path):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                yield (*path, child.name), first, "".join(lines[first - 1 : child.end_lineno])
                yield from walk(child, (*path, child.name, "<locals>"))
            else:
                yield from walk(child, (*path, child.name) if isinstance(child, ast.ClassDef) else path)

    return list(walk(ast.parse(text, filename), ()))


def _given(fn, text):
    """The function in a text its author hands over: the one on its line, or the only one of its name."""
    code = fn.__code__
    if not isinstance(text, str):
        raise TypeError(f"source is the text '{fn.__qualname__}' is defined in, not {type(text).__name__}")
    found = [entry for entry in _functions_in(text, code.co_filename) if entry[0][-1] == fn.__name__]
    for wanted in (
        lambda entry: entry[1] == code.co_firstlineno,
        lambda entry: ".".join(entry[0]) == fn.__qualname__,
        lambda entry: True,
    ):
        chosen = [entry for entry in found if wanted(entry)]
        if len(chosen) == 1:
            return Source(chosen[0][2], name_of(code.co_filename), chosen[0][1])
    raise RuntimeError(f"the source given for '{fn.__qualname__}' has {len(found) or 'no'} functions of this name")


def _code_objects(code):
    yield code
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield from _code_objects(constant)


def _is_stale(fn, lines):
    """Whether the file has another function now than the one that was loaded from it.

    Only a file written after this process began can have changed, so most are not looked at.
    """
    code = fn.__code__
    try:
        if os.stat(code.co_filename).st_mtime < _imported - 1:
            return False
    except OSError:
        return False
    try:
        compiled = compile("".join(lines), code.co_filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return True
    for now in _code_objects(compiled):
        if now.co_name == code.co_name and now.co_firstlineno == code.co_firstlineno:
            if any(name.startswith("@py_") for name in code.co_names + code.co_varnames):
                return False  # pytest rewrote its assert statements
            return now.co_code != code.co_code or now.co_varnames != code.co_varnames or now.co_names != code.co_names
    return True


def source_of(fn, given=None):
    """The source of a function; `given` is the text it was compiled from, where that is in no file."""
    if given is not None:
        return _given(fn, given)
    code = fn.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, fn.__globals__)
    first = code.co_firstlineno
    if first > len(lines):
        raise RuntimeError(
            f"the source of '{fn.__qualname__}' cannot be read from '{code.co_filename}', line {first}; "
            "a kernel is compiled from its source\n"
            "help: define it in a file or a notebook's cell, or hand its text over: @asc2.jit(source=text)"
        )
    if _is_stale(fn, lines):
        raise RuntimeError(f"'{code.co_filename}' has changed since '{fn.__qualname__}' was loaded from it; load the module again")
    return Source(_block_of(lines[first - 1 :]), name_of(code.co_filename), first)
