"""Writes what people read of Triton's operations from their table (include/tilesmith/Frontend/TritonOperations.def).

`python tools/triton_operations.py` writes python/tilesmith/triton/package/language/_operations.py and docs/triton/README.md; `--check` only compares.
"""

import ast
import re
import sys

from outputs import ROOT, main

TABLE = ROOT / "include/tilesmith/Frontend/TritonOperations.def"
ROW = re.compile(r'^TRITON_OPERATION\("(\w+)", "((?:[^"\\]|\\.)*)", (\w+), (\w+), (\w+), "([^"]*)"\)', re.MULTILINE)
FORMS = {
    "Function": "`tl.{0}`",
    "Method": "`tl.{0}`, `x.{0}`",
    "Math": "`tl.{0}`, `tl.math.{0}`, `libdevice.{0}`, `x.{0}`",
    "Device": "`libdevice.{0}`, `tl.math.{0}`, `x.{0}`",
}


def rows():
    for name, signature, _family, _kind, form, text in ROW.findall(TABLE.read_text()):
        yield name, signature.replace("\\\\", "\\"), form, text


def module():
    lines = [
        '"""The operations of the language. Made by tools/triton_operations.py from include/tilesmith/Frontend/TritonOperations.def."""',
        "",
        "from tilesmith.triton.package.language._declared import operation",
        "",
        "FORMS = {",
    ]
    lines += [f'    "{name}": "{form}",' for name, _, form, _ in rows()]
    lines.append("}")
    for name, signature, _, text in rows():
        typed = ast.unparse(ast.parse(f"def {name}({signature}): pass").body[0].args).replace("'", '"')
        one = f"def {name}({typed}):"
        lines += ["", "", "@operation"]
        if len(one) > 132:
            lines += [f"def {name}("] + [f"    {part}," for part in typed.split(", ")] + ["):"]
        else:
            lines.append(one)
        lines.append(f'    """{text}"""')
    return "\n".join(lines) + "\n"


def index():
    lines = [
        "# Operations of Triton",
        "",
        "<!-- Made by tools/triton_operations.py. -->",
        "",
        "| operation | names | |",
        "|---|---|---|",
    ]
    for name, signature, form, text in sorted(rows()):
        lines.append(f"| `{name}({signature})` | {FORMS[form].format(name)} | {text} |".replace("\\n", "\\\\n"))
    return "\n".join(lines) + "\n"


def outputs():
    yield ROOT / "python/tilesmith/triton/package/language/_operations.py", module()
    yield ROOT / "docs/triton/README.md", index()


if __name__ == "__main__":
    sys.exit(main(__file__, outputs, __doc__.splitlines()[0]))
