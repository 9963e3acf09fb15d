"""What is wrong with a launch, in words: blocks, arguments, brackets that were forgotten.

The extension asks for a text when it refuses a call and raises the error itself, so that a traceback ends at the user's line.
"""

from __future__ import annotations

import _tilesmith

FORMS = "a kernel is launched as kernel[core_num] or kernel[core_num, stream]"
KINDS = "a kernel takes arrays (NumPy, torch, DLPack) and numbers"


def _kind(value):
    return "None" if value is None else type(value).__name__


def brackets(kernel: str, given: tuple | list) -> str:
    """Why `kernel[given]` is not a launch: blocks counted in several dimensions, as elsewhere, or something else altogether."""
    from math import prod
    from operator import index

    try:
        sizes = [index(size) for size in given]
    except TypeError:
        arrays = any(hasattr(item, "shape") for item in given)
        return f"{FORMS}\nhelp: arguments go into parentheses: {kernel}[8](...)" if arrays else FORMS
    if len(sizes) < 2:
        return FORMS
    shown = ", ".join(map(str, sizes))
    text = f"blocks are counted in one dimension: {kernel}[{max(prod(sizes), 1)}], not {kernel}[{shown}]; {FORMS}"
    if len(sizes) == 2 and min(sizes) > 1:
        inner = sizes[1]
        text += f"\nhelp: asc2.block_idx() // {inner} and asc2.block_idx() % {inner} are the two indices of a block in the kernel"
    return text


def block_count(kernel: str, given: object) -> str:
    """Why something is not a number of blocks."""
    text = f"core_num must be an integer, not {_kind(given)}"
    if callable(given):
        return f"{text}\nhelp: compute the number of blocks before the launch: {kernel}[asc.ceildiv(n, tile)](...)"
    if isinstance(given, float):
        return f"{text} {given!r}\nhelp: // and asc.ceildiv give integers"
    if hasattr(given, "shape"):
        return f"{text}\nhelp: arguments go into parentheses, after the number of blocks: {kernel}[8](...)"
    return f"{text}\nhelp: name the number of blocks: {kernel}[8](...)"


def block_range(kernel: str, given: int, most: int, platform: str) -> str:
    """Why a number is not a number of blocks."""
    text = f"core_num must be between 1 and {most} on {platform}, not {given}"
    if given == 0:
        return f"{text}\nhelp: n // tile is 0 where n is smaller than a tile; asc.ceildiv(n, tile) rounds up"
    if given > most:
        return f"{text}\nhelp: let each block take several tiles: for i in asc2.range(asc2.block_idx(), tiles, asc2.block_num())"
    return text


def parameters(kernel):
    """The parameters of a jit function as a line of help."""
    shown = []
    for name, is_constant, kind, *default in kernel.parameters:
        constant = f": asc.ConstExpr[{kind.__name__}]" if kind else ": asc.ConstExpr"
        value = f" = {default[0]!r}" if default else ""
        shown.append(f"{name}{constant * is_constant}{value if is_constant else value.replace(' ', '')}")
    return f"help: {kernel.__name__}({', '.join(shown)})"


def wrong_call(kernel, what: str) -> str:
    """Arguments that do not fit the parameters."""
    return f"{what}\n{parameters(kernel)}"


def unexpected(kernel, names: list[str]) -> str:
    """Keywords that are neither parameters nor options."""
    quoted = ", ".join(f"'{name}'" for name in names)
    text = f"{kernel.__name__}() got an unexpected argument {quoted}: neither a parameter nor an option"
    known = [entry[0] for entry in kernel.parameters] + [row[1] for row in _tilesmith.options()]
    close = _tilesmith.closest(names[0], known)
    return f"{text}; did you mean '{close}'?" if close else f"{text}\n{parameters(kernel)}"


def _way_out(name, value):
    """What to do with a value no kernel takes."""
    if value is None:
        return f"only a constant can be None: {name}: asc.ConstExpr"
    if isinstance(value, (list, tuple, range)):
        if any(hasattr(item, "__array__") or isinstance(item, (list, tuple)) for item in value):
            return f"numpy.asarray({name}) makes one array of it, or pass each of its items as an argument of its own"
        kind = "int32" if value and all(isinstance(item, int) for item in value) else "float32"
        return f"numpy.asarray({name}, dtype=numpy.{kind}) makes an array of it"
    if isinstance(value, (set, frozenset)):
        return f"numpy.asarray(sorted({name})) makes an array of it"
    if isinstance(value, bytes):
        return f"numpy.frombuffer({name}, dtype=numpy.uint8) makes an array of it"
    if isinstance(value, complex):
        return "pass the real and the imaginary part"
    if hasattr(value, "__array__"):
        return f"numpy.asarray({name}) makes an array of it"
    if isinstance(value, dict):
        return "pass its values as arguments of their own"
    if hasattr(type(value), "__next__"):
        return f"numpy.fromiter({name}, dtype=numpy.float32) makes an array of it"
    if hasattr(type(value), "__float__"):
        return f"float({name}) makes a number of it"
    return ""


def argument(kernel: str, name: str, value: object) -> str:
    """Why a value is not an argument."""
    text = f"Argument type in JIT function is not supported: {type(value).__name__}, given for '{name}' of {kernel}"
    way = _way_out(name, value) or f"what is known while compiling is a constant: {name}: asc.ConstExpr"
    return f"{text}\nhelp: {KINDS}; {way}"


def constant(name: str, wanted: type, value: object) -> str:
    """Why a value is not a constant of the type its parameter names."""
    text = f"argument '{name}' must be {wanted.__name__}, but is {type(value).__name__}"
    if getattr(value, "shape", None):
        return f"{text}: it is an asc.ConstExpr, known while compiling\nhelp: are the arguments in the order of the parameters?"
    if wanted is int and isinstance(value, float):
        return f"{text} {value!r}\nhelp: // and asc.ceildiv give integers"
    if wanted in (int, float, bool) and hasattr(type(value), "__float__"):
        return f"{text}\nhelp: convert it: {wanted.__name__}({name})"
    return text


def hint(error: BaseException) -> str:
    """A line of help for an error that Python raised itself; empty where there is none."""
    if isinstance(error, TypeError) and str(error) == "'function' object is not subscriptable":
        return "help: a function that is launched needs @asc2.jit above its def\n"
    return ""


def no_blocks(kernel: str, builtin: str) -> str:
    """A kernel called like a function."""
    return (
        f"{kernel} needs the number of blocks: {kernel}[8](...)\n"
        f"note: without brackets it runs as plain Python, and {builtin} works inside a kernel only"
    )
