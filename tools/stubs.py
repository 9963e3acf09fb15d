"""Writes the type stubs (*.pyi) beside the packages.

Signatures and documentation live in one place: in the Python sources where a function is declared, in the table of options, in
the extension. Stubs are made where those cannot say it themselves: builtins of the language (the compiler implements them),
operators of tiles, names that are loaded on first use. `python tools/stubs.py` writes them, `--check` only compares.
"""

import argparse
import ast
import sys
import textwrap

from declarations import ASC2, PYTHON, constants, declared_in, forms_of, parsed

HEADER = "# Made by tools/stubs.py. Signatures and texts are in {}.\n"

BINARY = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "<<": "lshift",
    ">>": "rshift",
    "&": "and",
    "|": "or",
    "^": "xor",
    "@": "matmul",
}
COMPARE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}

ALIASES = """
RuntimeInt = Union[int, PlainValue]
Scalar = Union[bool, int, float, PlainValue]
"""


def all_of(names):
    return (
        "__all__ = [\n"
        + textwrap.fill(", ".join(f'"{name}"' for name in names) + ",", 124, initial_indent="    ", subsequent_indent="    ")
        + "\n]\n"
    )


def indented(text, depth):
    return "\n".join(" " * depth + line if line else "" for line in text.splitlines())


def function(name, forms, doc, depth=0, ignore=""):
    """A function of one or several signatures, documented once."""
    lines = []
    for index, form in enumerate(forms):
        if len(forms) > 1:
            lines.append("@overload")
        last = index == len(forms) - 1
        text = f"def {name}{form}:{'  # type: ignore[' + ignore + ']' if ignore else ''}"
        lines.append(text + ("" if last and doc else " ..."))
    if doc:
        lines.append(f'    """{doc}"""')
    return indented("\n".join(lines), depth) + "\n"


def document(node):
    """The docstring as the source has it, with lines after the first one level deeper in methods of stubs."""
    first, *rest = (ast.get_docstring(node) or "").splitlines() or [""]
    return "\n".join([first, *(f"    {line}" if line else "" for line in rest), *(["    "] if rest else [])])


def builtins_of(path):
    """name -> (forms, documentation) of the builtins of a module."""
    return {one.node.name: (one.forms, document(one.node)) for one in declared_in(path)}


def is_public(name):
    return name[0] != "_" or (name[:2] == "__" and name not in ("__init__", "__repr__", "__tilesmith_mock__"))


def class_of(node, more=()):
    """A class as the source has it, without what is private, and with more members."""
    bases = f"({', '.join(ast.unparse(base) for base in node.bases)})" if node.bases else ""
    text = ast.get_docstring(node)
    lines = [f"class {node.name}{bases}:", indented(f'"""{text}' + ("\n" if "\n" in text else "") + '"""', 4), ""]
    for member in node.body:
        if isinstance(member, ast.Assign) and ast.unparse(member.targets[0])[0] != "_":
            lines += [f"    {ast.unparse(member)}"]
        if isinstance(member, ast.FunctionDef) and is_public(member.name):
            if any(ast.unparse(decorator) == "property" for decorator in member.decorator_list):
                lines.append("    @property")
            lines.append(function(member.name, forms_of(member, {}), document(member), 4))
    return "\n".join(lines + list(more)).rstrip() + "\n"


def classes(path):
    return {node.name: node for node in parsed(path).body if isinstance(node, ast.ClassDef)}


def as_method(form):
    """The signature with its first parameter as self."""
    return "(self" + form[form.index(": Tile") + len(": Tile") :]


def operators_of_tiles(types, functions):
    for symbol, name in types["OPERATORS"].items():
        forms, doc = functions[name]
        other = "Tile" if name == "matmul" else "Operand"
        doc = doc.split(";")[0].split(".")[0] + "."
        if symbol in COMPARE:
            ignore = "override" if symbol in ("==", "!=") else ""
            yield function(f"__{COMPARE[symbol]}__", [f"(self, other: {other}) -> Tile"], doc, 4, ignore)
            continue
        yield function(f"__{BINARY[symbol]}__", [f"(self, other: {other}) -> Tile"], doc, 4)
        if name not in ("matmul", "left_shift", "right_shift"):
            yield function(f"__r{BINARY[symbol]}__", ["(self, other: Scalar) -> Tile"], doc, 4)


def asc2_stub():
    functions, methods = {}, []
    for path in ASC2:
        functions |= builtins_of(path)
        methods += [
            function(one.method, [as_method(form) for form in one.forms if ": Tile" in form], document(one.node), 4)
            for one in declared_in(path)
            if one.method
        ]
    types = constants(parsed("asc2/_types.py"))
    known = classes("asc2/_types.py")
    methods += operators_of_tiles(types, functions)
    lazy = constants(parsed("asc2/__init__.py"))["_LAZY"]
    exported = sorted([*functions, *lazy, *(name for name in known if name != "TensorShape"), "jit"])
    known = {name: class_of(node, methods if name == "Tile" else ()).replace("(_KernelValue)", "") for name, node in known.items()}
    text = [
        HEADER.format("asc2/_*.py"),
        f'"""{ast.get_docstring(parsed("asc2/__init__.py"))}\n"""\n',
        "import enum\nfrom contextlib import AbstractContextManager\nfrom typing import Iterable, Iterator, Union, overload\n\n"
        "from asc.language.core.dtype import DataType, int32\nfrom asc.language.core.ir_value import GlobalAddress, PlainValue\n"
        "from asc.runtime.jit import jit as jit\n"
        + "".join(f"from {lazy[name]} import {name} as {name}\n" for name in sorted(lazy))
        + "\n__version__: str\n",
        all_of(exported),
        ALIASES + 'Operand = Union["Tile", Scalar]\n\n',
        "\n\n".join([*known.values(), *(function(name, *functions[name]) for name in exported if name in functions)]),
    ]
    return "\n".join(text)


def values_stub():
    path = "asc/language/core/ir_value.py"
    known, table = classes(path), constants(parsed(path))
    more = []
    for symbol in table["OPERATORS"]:
        more.append(function(f"__{BINARY[symbol]}__", ["(self, other: Scalar) -> PlainValue"], f"self {symbol} other", 4))
        more.append(function(f"__r{BINARY[symbol]}__", ["(self, other: Scalar) -> PlainValue"], f"other {symbol} self", 4))
    for symbol in table["COMPARISONS"]:
        ignore = "override" if symbol in ("==", "!=") else ""
        more.append(
            function(f"__{COMPARE[symbol]}__", ["(self, other: Scalar) -> PlainValue"], f"self {symbol} other, as int1", 4, ignore)
        )
    more += [
        function("__neg__", ["(self) -> PlainValue"], "-self", 4),
        function("__pos__", ["(self) -> PlainValue"], "self", 4),
        function("__bool__", ["(self) -> bool"], "In conditions: whether it is not 0, when the kernel runs.", 4),
        function("__index__", ["(self) -> int"], "In ranges and offsets: the number, when the kernel runs.", 4),
    ]
    # A kernel's tile operators take numbers on either side, so what a number does not know it leaves to the tile.
    return "\n".join(
        [
            HEADER.format(path),
            "from __future__ import annotations\n\nfrom typing import Union\n\nfrom asc.language.core.dtype import DataType\n",
            ALIASES.replace("PlainValue", '"PlainValue"'),
            "",
            class_of(known["_KernelValue"]),
            "",
            class_of(known["PlainValue"], more),
            "",
            class_of(known["GlobalAddress"]),
        ]
    )


def constexpr_stub():
    """Inside a kernel a parameter annotated ConstExpr[int] is an int, so that is what a type checker is told."""
    path = "asc/language/core/constexpr.py"
    doc = ast.get_docstring(classes(path)["ConstExpr"])
    return "\n".join(
        [
            HEADER.format(path),
            'from typing import Annotated, TypeVar\n\nT = TypeVar("T")\n\nConstExpr = Annotated[T, "known while compiling"]',
            f'"""{doc}"""',
            "",
        ]
    )


def ops_stub():
    path = "asc/language/core/ops.py"
    functions = builtins_of(path)
    return "\n".join(
        [
            HEADER.format(path),
            "from typing import Iterator, Union, overload\n\nfrom asc.language.core.dtype import "
            "DataType\nfrom asc.language.core.ir_value import PlainValue\n",
            ALIASES,
            "",
            "\n\n".join(function(name, *value) for name, value in functions.items()),
        ]
    )


def instructions_stub():
    path = "asc/language/basic/instructions.py"
    functions = builtins_of(path)
    return "\n".join(
        [
            HEADER.format(path + ", which tools/isa.py writes from the instruction table"),
            "from typing import Literal, overload\n\nfrom asc.language.basic.types import *\n"
            "from asc.language.basic.types import RuntimeInt, Scalar\nfrom asc.language.core.dtype import DataType\n"
            "from asc.language.core.enums import MemDsbT\nfrom asc.language.core.tensor import GlobalTensor, LocalTensor\n"
            "from asc.language.core.types import FixpipeConfig\n",
            all_of(sorted(functions)),
            "\n\n".join(function(name, *value) for name, value in functions.items()),
        ]
    )


def exports_stub(path, doc_path):
    """Re-exports of `asc` and `asc.language`: what is loaded on first use included."""
    core = {}
    for node in parsed("asc/language/core/__init__.py").body:
        if isinstance(node, ast.ImportFrom) and not node.names[0].asname:
            names = [alias.name for alias in node.names]
            if names == ["*"]:
                names = constants(parsed(node.module.replace(".", "/") + ".py"))["__all__"]
            core |= dict.fromkeys(names, node.module)
    lazy = {"jit": "asc.runtime.jit"}
    packages = ()
    if path == "asc/__init__.py":
        lazy = constants(parsed(path))["_LAZY"]
        packages = constants(parsed(path))["_PACKAGES"]
    names = core | lazy
    lines = [
        f"from {module} import {name} as {name}" for name, module in sorted(names.items(), key=lambda item: (item[1], item[0]))
    ]
    lines[:0] = [f"from asc import {name} as {name}" for name in packages]
    lines += ["", "__version__: str"] if packages else []
    return "\n".join([HEADER.format(path), f'"""{ast.get_docstring(parsed(path))}"""\n', *lines, "", all_of(sorted(names))])


def option_keywords():
    import _tilesmith

    for _, name, given, default in _tilesmith.options():
        # What may be anything is at least declared as what its default is.
        yield f"{name}: {given if given != 'Any' or default is None else type(default).__name__} = ..."


def jit_stub():
    path = "asc/runtime/jit.py"
    known = classes(path)
    tree = parsed(path)
    inner = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "jit")
    options = ",\n        ".join(["source: str | None = None", *option_keywords()])
    jit = function(
        "jit",
        [
            "(fn: Callable[..., Any], /, *, source: str | None = None, **options: Any) -> JITFunction",
            f"(\n        *, {options},\n) -> Callable[[Callable[..., Any]], JITFunction]",
        ],
        document(inner),
    )
    attributes = (
        "    fn: Callable[..., Any]\n    options: dict[str, Any]\n    source: str\n    filename: str\n    first_line: int\n\n"
        "    def __init__(self, fn: Callable[..., Any], *, source: str | None = None, **options: Any) -> None: ...\n"
    )
    made = (
        'def make_jit(defaults: dict[str, Any]) -> Callable[..., Any]:\n    """'
        + ast.get_docstring(next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "make_jit"))
        + '"""\n'
    )
    return "\n".join(
        [
            HEADER.format(f"{path} and include/tilesmith/Options/Options.def"),
            "from typing import Any, Callable, overload\n\nimport _tilesmith\n"
            "from asc.language.core.dtype import DataType\nfrom asc.runtime.config import KernelType\n",
            "",
            class_of(known["JITFunction"], [attributes]),
            "",
            jit,
            "",
            made,
            "",
            class_of(known["MockTensor"], ["    def __init__(self, dtype: DataType) -> None: ..."]),
            "",
            class_of(known["MockValue"], ["    def __init__(self, dtype: DataType) -> None: ..."]),
        ]
    )


def extension_stub():
    """The extension's functions as it describes them itself, and its two types."""
    import _tilesmith
    from nanobind.stubgen import StubGen

    generator = StubGen(_tilesmith)
    for name in sorted(vars(_tilesmith)):
        if name[0] != "_" and not isinstance(getattr(_tilesmith, name), type):
            generator.put(getattr(_tilesmith, name), name)
    kernel = (
        "class Kernel:\n" + indented(f'"""{_tilesmith.Kernel.__doc__}"""', 4) + "\n\n"
        "    def __init__(self, name: str, parameters: tuple[Any, ...], source: str, options: dict[str, Any], dump_folder: str,\n"
        "                 /) -> None: ...\n"
        "    def __getitem__(self, core_num: int | tuple[int] | tuple[int, Any], /) -> Launcher: ...\n"
        "    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...\n"
        "    def clear_cache(self) -> None:\n" + indented(f'"""{_tilesmith.Kernel.clear_cache.__doc__}"""', 8) + "\n"
    )
    launcher = (
        "class Launcher:\n" + indented(f'"""{_tilesmith.Launcher.__doc__}"""', 4) + "\n\n"
        "    @property\n    def core_num(self) -> int: ...\n    @property\n    def kernel(self) -> Kernel: ...\n"
        "    def __call__(self, *args: Any, **kwargs: Any) -> None: ...\n"
        "    def ascendc(self, *args: Any, **kwargs: Any) -> str:\n"
        + indented(f'"""{_tilesmith.Launcher.ascendc.__doc__}"""', 8)
        + "\n"
    )
    return "\n".join(
        [HEADER.format("python/extension"), "from typing import Any\n\n", kernel, "", launcher, "", generator.get().strip() + "\n"]
    )


def stubs():
    """path -> text of every stub."""
    return {
        "_tilesmith.pyi": extension_stub(),
        "asc/__init__.pyi": exports_stub("asc/__init__.py", "asc"),
        "asc/language/__init__.pyi": exports_stub("asc/language/__init__.py", "asc.language"),
        "asc/language/core/ir_value.pyi": values_stub(),
        "asc/language/core/constexpr.pyi": constexpr_stub(),
        "asc/language/core/ops.pyi": ops_stub(),
        "asc/language/basic/instructions.pyi": instructions_stub(),
        "asc/runtime/jit.pyi": jit_stub(),
        "asc2/__init__.pyi": asc2_stub(),
    }


def main():
    parser = argparse.ArgumentParser(description="Write the type stubs of the packages.")
    parser.add_argument("--check", action="store_true", help="only say which are not up to date")
    stale = []
    args = parser.parse_args()
    for name, text in stubs().items():
        path = PYTHON / name
        if not path.exists() or path.read_text() != text:
            stale.append(name)
            if not args.check:
                path.write_text(text)
    if args.check and stale:
        sys.exit(f"not up to date: {', '.join(stale)}; run tools/stubs.py")


if __name__ == "__main__":
    main()
