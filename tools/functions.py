#!/usr/bin/env python3
"""Writes docs/functions.md: every public name of asc2 with its signature, what it does, and an example that runs.

Signatures and sentences are those of the declarations (asc2/_*.py), examples are in function_examples.py.
"""

import argparse
import inspect
import sys
from pathlib import Path

import asc2
from function_examples import ELSEWHERE, FRAME, GROUPS, OF_TILES, PROGRAMS

PAGES = {"tuning": "tune.md", "debugging": "debug.md"}
PAGE = Path(__file__).resolve().parents[1] / "docs/functions.md"

HEAD = """# Functions of asc2

<!-- Written by tools/functions.py from the declarations and tools/function_examples.py. -->

Everything a kernel can call, with an example for each. All examples run in the tests, with these arrays and this helper:
"""

TILE_NOTE = """Operators of tiles are functions, too: `+ - * / // << >> @ == != > >= < <=` and, for the results of comparisons,
`& | ^ ~`. Numbers may stand on either side. Many functions are methods as well: `x.exp()`, `x.sum(1)`, `x.reshape(4, 8)`.
"""


def signatures(name):
    """How a name is called, one line for each form."""
    value = getattr(asc2, name)
    if forms := getattr(value, "forms", ()):
        return [f"asc2.{name}{form}" for form in forms]
    if inspect.isclass(value):
        return [f"class asc2.{name}"]
    text = str(inspect.signature(value)).replace("'", "")
    return [f"asc2.{name}{text}"]


def members(name):
    """What a class has, as a table: properties and methods that are declared in it, or the values of an enumeration."""
    value = getattr(asc2, name)
    if name == "TileLocation":
        return ["| location | of |", "|---|---|"] + [f"| `{each.name}` | {LOCATIONS[each.name]} |" for each in value]
    rows = []
    for member, what in vars(value).items():
        text = inspect.getdoc(what.fget if isinstance(what, property) else what) if not member.startswith("__") else None
        if text and (isinstance(what, property) or member == "to"):
            rows.append(f"| `{member}{'' if isinstance(what, property) else '(dtype)'}` | {' '.join(text.split())} |")
    methods = sorted(builtin.method for builtin in vars(asc2).values() if getattr(builtin, "method", ""))
    more = (
        ["", "Functions that are methods, too: " + ", ".join(f"`{method}`" for method in methods) + "."] if name == "Tile" else []
    )
    return ["| member | |", "|---|---|", *rows, *more]


LOCATIONS = {
    "UB": "vector tiles: everything but matrix products. The default",
    "L1": "what products are cut from: larger than L0A and L0B, and reached by `asc2.copy`",
    "L0A": "the left operand of a product",
    "L0B": "the right operand of a product",
    "L0C": "the result of a product",
    "FIX": "parameters of the unit that stores products",
}


def kernel_of(name):
    """An example from a row of OF_TILES."""
    expression, golden, *dtype = OF_TILES[name]
    two = any(token in expression for token in ("y.", "y)", " y", "(y"))
    load = lambda array: f"    {array} = asc2.load(asc2.tensor({array}_ptr, [8]), [8], offsets=[0])"
    arguments = ", ".join(["x", "y"] if two else ["x"])
    given = f", dtype=np.{dtype[0]}" if dtype else ""
    lines = [
        *(["import math", "", ""] if "math." in golden else []),
        "@asc2.jit",
        f"def {name}_of({', '.join(f'{array}_ptr' for array in arguments.split(', '))}, z_ptr):",
        *map(load, arguments.split(", ")),
        f"    asc2.store({expression}, asc2.tensor(z_ptr, [8]), offsets=[0])",
        "",
        "",
        f"assert np.allclose(run({name}_of, {arguments}{given}), {golden}, rtol=1e-5, atol=1e-6)",
    ]
    return "\n".join(lines) + "\n"


def page():
    out = [HEAD, "```python" + FRAME + "```\n", TILE_NOTE]
    for group, names in GROUPS.items():
        out.append(f"## {group}\n")
        for name in names:
            what = (
                "The decorator of kernels and of functions that kernels call."
                if name == "jit"
                else inspect.getdoc(getattr(asc2, name))
            )
            call = ["asc2.jit(function=None, **options)"] if name == "jit" else signatures(name)
            out += [f"### {name}\n", "```py\n" + "\n".join(call) + "\n```\n", " ".join(what.split()) + "\n"]
            if inspect.isclass(getattr(asc2, name)):
                out.append("\n".join(members(name)) + "\n")
            out.append("```python\n" + (PROGRAMS[name].lstrip("\n") if name in PROGRAMS else kernel_of(name)) + "```\n")
    places = sorted(set(ELSEWHERE.values()))
    out.append("## Elsewhere\n")
    for place in places:
        out.append(f"- [{place}]({PAGES[place]}): " + ", ".join(f"`{name}`" for name in ELSEWHERE if ELSEWHERE[name] == place))
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail if the page is not up to date")
    args = parser.parse_args()
    text = page()
    if args.check:
        sys.exit(0 if PAGE.exists() and PAGE.read_text() == text else f"{PAGE} is not up to date: run tools/functions.py")
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
