"""Writes what people read of Triton's operations from their table (include/tilesmith/Frontend/TritonOperations.def).

`python tools/triton_operations.py` writes python/tilesmith/triton/package/language/_operations.py and docs/triton/README.md; `--check` only compares.
"""

import argparse
import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare only")
    args = parser.parse_args()
    stale = [path for path, text in outputs() if not path.exists() or path.read_text() != text]
    if args.check:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not what tools/triton_operations.py writes", file=sys.stderr)
        return bool(stale)
    for path, text in outputs():
        path.parent.mkdir(parents=True, exist_ok=True)
        if path in stale:
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
