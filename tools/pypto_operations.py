"""Writes what people read of PyPTO's operations from their table (include/tilesmith/Frontend/PyptoOperations.def).

`python tools/pypto_operations.py` writes python/pypto/_operations.py, its stub python/pypto/_operations.pyi and a page for each operation in
docs/pypto; `--check` only compares.
"""

import ast
import re
import sys

from outputs import ROOT, main

TABLE = ROOT / "include/tilesmith/Frontend/PyptoOperations.def"
ROW = re.compile(r'^PYPTO_OPERATION\("(\w+)", "([^"]*)", (\w+), (\w+), (\w+), (\w+), "([^"]*)"\)', re.MULTILINE)

DTYPES = {
    "Floats": "FP16, BF16, FP32",
    "Numbers": "FP16, BF16, FP32, INT8, INT16, INT32, INT64, UINT8",
    "Any": "FP16, BF16, FP32, INT8, INT16, INT32, INT64, UINT8, BOOL",
}
RESULTS = {
    "Same": "that of the first tensor",
    "Widened": "that of the first tensor; FP32 if that is an integer",
    "Bool": "BOOL",
    "Other": "as the text says",
}
NO_RESULT = ("assemble", "move")


def rows():
    for name, signature, _family, _kind, dtypes, result, text in ROW.findall(TABLE.read_text()):
        yield name, signature, dtypes, result, text


def module(stub):
    lines = ["# Made by tools/pypto_operations.py from include/tilesmith/Frontend/PyptoOperations.def."]
    if not stub:
        lines[0] = (
            '"""The operations on tensors. Made by tools/pypto_operations.py from include/tilesmith/Frontend/PyptoOperations.def."""'
        )
        lines += ["", "from pypto._declared import operation"]
    else:
        lines += ["", "from typing import Any", "", "from pypto._types import Tensor"]
    lines += ["", "__all__ = ["]
    lines += [f'    "{name}",' for name, *_ in rows()]
    lines.append("]")
    for name, signature, _, _, text in rows():
        lines += ["", ""] if not stub else [""]
        if stub:
            typed = ast.parse(f"def {name}({signature}): pass").body[0].args
            for one in [*typed.args, *typed.kwonlyargs, *([typed.vararg] if typed.vararg else [])]:
                one.annotation = ast.Name("Any")
            returns = "None" if name in NO_RESULT else "Tensor"
            lines += [f"def {name}({ast.unparse(typed)}) -> {returns}:", f'    """{text}"""']
        else:
            lines += ["@operation", f"def {name}({signature}):", f'    """{text}"""']
    return "\n".join(lines) + "\n"


def page(name, signature, dtypes, result, text):
    return f"""# pypto.{name}

<!-- Made by tools/pypto_operations.py. -->

```text
pypto.{name}({signature})
```

{text}

| | |
|---|---|
| element types | {DTYPES[dtypes]} |
| type of the result | {RESULTS[result]} |
| also written | `x.{name}(...)` |
"""


def index():
    lines = ["# Operations of PyPTO", "", "<!-- Made by tools/pypto_operations.py. -->", "", "| operation | |", "|---|---|"]
    lines += [f"| [`{name}`]({name}.md) | {text} |" for name, _, _, _, text in rows()]
    return "\n".join(lines) + "\n"


def outputs():
    yield ROOT / "python/pypto/_operations.py", module(stub=False)
    yield ROOT / "python/pypto/_operations.pyi", module(stub=True)
    yield ROOT / "docs/pypto/README.md", index()
    for row in rows():
        yield ROOT / f"docs/pypto/{row[0]}.md", page(*row)


if __name__ == "__main__":
    sys.exit(main(__file__, outputs, __doc__.splitlines()[0]))
