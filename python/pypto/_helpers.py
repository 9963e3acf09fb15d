"""Python functions that kernels call: the compiler reads them like the kernel itself."""

import ast
import dis
import linecache
import types

from asc.runtime.source import source_of

_ATTRIBUTE = "__tilesmith_helper__"
_OWN = ("pypto", "asc", "asc2", "tilesmith", "torch", "numpy", "math", "builtins")


class Helper:
    """A function as the compiler wants it: its source, where that is, its parameters. Numbers given to it stay known."""

    keeps_numbers = True

    def __init__(self, function):
        found = _Text(function) if function.__code__.co_name == "<lambda>" else source_of(function)
        self.fn = function
        self.source, self.filename, self.first_line = found.text, found.filename, found.first_line
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        defaults = dict(zip(reversed(names[: code.co_argcount]), reversed(function.__defaults__ or ())))
        defaults.update(function.__kwdefaults__ or {})
        self.parameters = tuple((name, False, None, *((defaults[name],) if name in defaults else ())) for name in names)
        self.uses_pypto = uses_pypto(function, set())


class _Text:
    """The source of a lambda as that of a function."""

    def __init__(self, function):
        code = function.__code__
        self.filename, self.first_line = code.co_filename, code.co_firstlineno
        lines = "".join(linecache.getlines(self.filename))
        nodes = [node for node in ast.walk(ast.parse(lines)) if isinstance(node, ast.Lambda) and node.lineno == self.first_line]
        if len(nodes) > 1 and hasattr(code, "co_positions"):
            places = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
            nodes = [node for node in nodes if places and all(_within(node.body, place) for place in places)]
        if len(nodes) != 1:
            raise RuntimeError("the source of the lambda was not found")
        self.text = f"def function({ast.unparse(nodes[0].args)}): return {ast.unparse(nodes[0].body)}\n"


def _within(node, place):
    return (node.lineno, node.col_offset) <= place < (node.end_lineno, node.end_col_offset)


def _values(function):
    """The values of the names a function's code uses."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        for name in code.co_names:
            if name in function.__globals__:
                yield function.__globals__[name]
    for cell in cells.values():
        try:
            yield cell.cell_contents
        except ValueError:
            pass


def uses_pypto(function, seen):
    """Whether a function, or one it calls, names anything of pypto."""
    if function in seen:
        return False
    seen.add(function)
    for value in _values(function):
        module = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None) or ""
        if str(module).split(".")[0] == "pypto" or type(value).__module__.startswith(("pypto", "asc._builtin")):
            return True
        if isinstance(value, types.FunctionType) and uses_pypto(value, seen):
            return True
    return False


def uses_products(function, seen=None):
    """Whether a function, or one it calls, may multiply matrices: its blocks are then cube cores with their vector cores."""
    seen = set() if seen is None else seen
    if function in seen:
        return False
    seen.add(function)
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        if "matmul" in code.co_names or any(one.opname == "BINARY_OP" and one.argrepr == "@" for one in dis.get_instructions(code)):
            return True
    return any(isinstance(value, types.FunctionType) and uses_products(value, seen) for value in _values(function))


def follow(function):
    """The function as the compiler follows it; None if it has no source of a user."""
    if (function.__module__ or "").split(".")[0] in _OWN:
        return None
    try:
        helper = Helper(function)
    except (RuntimeError, OSError, SyntaxError):
        return None
    setattr(function, _ATTRIBUTE, helper)
    return helper


def follow_all(function, seen=None):
    """Follows all functions a kernel may call, so that a compiled kernel of another process can be compared with them."""
    seen = set() if seen is None else seen
    names = set(function.__code__.co_names)
    for value in _values(function):
        if isinstance(value, types.ModuleType) and value.__name__.split(".")[0] not in _OWN:
            reached = [getattr(value, name, None) for name in names]
        else:
            reached = [value]
        for one in reached:
            if isinstance(one, types.FunctionType) and one not in seen:
                seen.add(one)
                if _ATTRIBUTE in one.__dict__ or follow(one) is not None:
                    follow_all(one, seen)
