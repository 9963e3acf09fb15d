"""Which names of a module kernels may read: constants of the compilation, functions, types and modules, as in Triton."""

import ast
import os
import textwrap

from tilesmith.triton.package.errors import CompilationError


def check_globals(function, seen=None):
    """An error if the function, or one it calls, reads a global that is data and not a constant of the compilation."""
    if os.environ.get("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS") == "1":
        return
    seen = set() if seen is None else seen
    if function in seen:
        return
    seen.add(function)
    code, cells = function.fn.__code__, {}
    for name, cell in zip(code.co_freevars, function.fn.__closure__ or ()):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # not set yet
            continue
    own = {*code.co_varnames, *code.co_cellvars}
    known = function.fn.__globals__ | cells
    text = textwrap.dedent(function.source)
    cut = len(function.source.split("\n")[0]) - len(text.split("\n")[0])
    for statement in next(one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)).body:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or node.id in own or node.id not in known:
                continue
            value = known[node.id]
            if type(value) is type(function):
                check_globals(value, seen)
            elif _is_data(value):
                raise _error(function, node, cut)


def _is_data(value):
    from tilesmith.triton.package.language._types import constexpr

    if isinstance(value, constexpr) or hasattr(value, "_fields"):  # a named tuple
        return False
    return isinstance(value, (bool, int, float, complex, str, bytes, list, dict, set, tuple)) or hasattr(value, "__array__")


def _error(function, node, cut):
    line, column = function.first_line + node.lineno - 1, node.col_offset + cut
    reason = f"NameError: Cannot access global variable {node.id} from within @jit'ed function"
    text = function.source.split("\n")[node.lineno - 1]
    bar = " " * len(str(line)) + " | "
    message = (
        f"{function.filename}:{line}:{column + 1}: error: {reason}\n{line} | {text}\n{bar}{' ' * column}^{'~' * (len(node.id) - 1)}\n"
        f"help: make it a constant of the compilation: {node.id} = tl.constexpr(...), or a parameter of the kernel"
    )
    return CompilationError(message, node, function.source, reason)
