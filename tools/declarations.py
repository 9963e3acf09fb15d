"""Reads the declarations of the language: the one place where signatures of builtins are written.

A builtin is a Python function without a body (python/asc2/_*.py, python/asc/language/core), and so is a method of a value. From
them come the type stubs (tools/stubs.py) and, at build time, what the compiler knows of them:

    declarations.py --language asc2 build/include/tilesmith/Frontend/Asc2Declarations.inc

writes a line for each builtin with its signature, for each method with the builtin behind it, and for each element-wise function
with its operation of tile IR.
"""

import argparse
import ast
from dataclasses import dataclass
from pathlib import Path

PYTHON = Path(__file__).resolve().parent.parent / "python"
ASC = ["asc/language/core/ops.py"]
ASC2 = ["asc2/_elementwise.py", "asc2/_memory.py", "asc2/_shape.py", "asc2/_index.py"]
# Classes whose methods are builtins of their own.
TYPES = {"asc": ["asc/language/core/ir_value.py"], "asc2": ["asc2/_types.py"]}
GROUPS = ("unary", "binary", "comparison")  # decorators of element-wise functions


@dataclass
class Declaration:
    name: str  # as the compiler knows it: "asc2.load"
    node: ast.FunctionDef
    forms: list  # signatures for type checkers
    method: str = ""  # of tiles
    group: str = ""  # of an element-wise function: one of GROUPS
    operation: str = ""  # its kind in TileEnums.td

    @property
    def takes_number(self):
        """An element-wise function of one tile that may be a number instead."""
        return self.group == "unary" and ast.unparse(self.node.args.args[0].annotation) == "Operand"


def parsed(path):
    return ast.parse((PYTHON / path).read_text())


def constants(tree):
    """Module-level names whose values are literals."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                pass
    return found


def forms_of(node, known):
    """Signatures a builtin is given for type checkers, or its own."""
    for decorator in node.decorator_list:
        for keyword in getattr(decorator, "keywords", ()):
            if keyword.arg == "forms":
                return known[keyword.value.id] if isinstance(keyword.value, ast.Name) else ast.literal_eval(keyword.value)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return [f"({ast.unparse(node.args)}){returns}"]


def declared_in(path):
    """The builtins a module declares, in order."""
    tree = parsed(path)
    known = constants(tree)
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
            continue
        decorator = node.decorator_list[0]
        keywords = {keyword.arg: keyword.value for keyword in decorator.keywords}
        forms = forms_of(node, known)
        if decorator.func.id not in GROUPS:
            method = ast.literal_eval(keywords["method"]) if "method" in keywords else ""
            yield Declaration(ast.literal_eval(decorator.args[0]), node, forms, method)
            continue
        operation = ast.literal_eval(decorator.args[0]) if decorator.args else node.name
        is_method = decorator.func.id == "unary" and ("method" not in keywords or ast.literal_eval(keywords["method"]))
        one = Declaration(f"asc2.{node.name}", node, forms, node.name if is_method else "", decorator.func.id, operation)
        if one.takes_number:
            one.forms = known["TILE_OR_SCALAR"]
        yield one


def methods_in(path):
    """(class, declaration) of the methods of values: those Python has no operator or property for."""
    for node in parsed(path).body:
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and member.name[0] != "_" and not member.decorator_list:
                    yield node.name, Declaration(f"{node.name}.{member.name}", member, [], member.name)


def signature(node):
    """The parameters without types: "tensor, shape=None, *, tile_id=None, location=UB"."""
    arguments = node.args

    def one(argument, default):
        if default is None:
            return argument.arg
        return f"{argument.arg}={default.attr if isinstance(default, ast.Attribute) else ast.unparse(default)}"

    first = len(arguments.args) - len(arguments.defaults)
    parts = [one(argument, arguments.defaults[i - first] if i >= first else None) for i, argument in enumerate(arguments.args)]
    if arguments.vararg or arguments.kwonlyargs:
        parts.append("*" + (arguments.vararg.arg if arguments.vararg else ""))
    parts += [one(argument, default) for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return ", ".join(parts)


def table(language):
    """The lines for the compiler."""
    lines = []
    for path in {"asc": ASC, "asc2": ASC2}[language]:
        for one in declared_in(path):
            lines.append(f'TILESMITH_BUILTIN("{one.name}", "{signature(one.node)}")')
            if one.group:
                number = "true" if one.takes_number else "false"
                lines.append(f'TILESMITH_ELEMENTWISE({one.group}, "{one.name}", "{one.operation}", {number})')
            if one.method:
                lines.append(f'TILESMITH_METHOD(Tile, "{one.method}", "{one.name}")')
    for path in TYPES[language]:
        for owner, one in methods_in(path):
            lines.append(f'TILESMITH_BUILTIN("{one.name}", "{signature(one.node)}")')
            lines.append(f'TILESMITH_METHOD({owner}, "{one.method}", "{one.name}")')
    macros = ("BUILTIN", "ELEMENTWISE", "METHOD")
    return "\n".join(
        [
            "// Made by tools/declarations.py from python/asc and python/asc2.",
            *(f"#ifndef TILESMITH_{name}\n#define TILESMITH_{name}(...)\n#endif" for name in macros),
            *lines,
            *(f"#undef TILESMITH_{name}" for name in macros),
            "",
        ]
    )


def main():
    parser = argparse.ArgumentParser(description="Write what the compiler knows of the declarations.")
    parser.add_argument("--language", choices=TYPES, required=True)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    text = table(args.language)
    if not args.output.exists() or args.output.read_text() != text:
        args.output.write_text(text)


if __name__ == "__main__":
    main()
