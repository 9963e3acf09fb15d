"""The folder an operator begins with: every document and file of the pipeline, with a small operator in them that is right."""

import re
from pathlib import Path

from tilesmith.document import Failure
from tilesmith.operators import state

TEMPLATES = Path(__file__).parent / "templates"


def described(op, count):
    """What the templates say about each module: M1 doubles x, every later one adds x to what came before."""
    single = count == 1
    found = []
    for number in range(1, count + 1):
        name = op if single else f"{op}_step{number}"
        output = "y" if number == count else f"h{number}"
        before = found[-1]["output"] if found else None
        inputs = "x" if before is None else f"x, {before}"
        file = f"{op}_impl.py" if single else f"modules/{state.module_file(op, f'M{number}')}"
        found.append(
            {
                "id": f"M{number}",
                "name": name,
                "output": output,
                "inputs": inputs,
                "operands": "x, x" if before is None else f"{before}, x",
                "kernel": "x + x" if before is None else f"{before} + x",
                "text": "doubles x" if before is None else f"adds x to {before}",
                "file": file,
                "line": 10 + 5 * (number - 1),
            }
        )
    return found


def files(op, count):
    """(path in the folder, text) of every file."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    modules = described(op, count)
    formula = "x + x" if count == 1 else f"{count + 1} * x, added one at a time"
    shared = {"op": op, "modules": modules, "formula": formula}

    def made(template, **more):
        return environment.get_template(f"{template}.j2").render(**shared, **more)

    yield "SPEC.md", made("SPEC.md")
    yield "API_REPORT.md", made("API_REPORT.md")
    yield "DESIGN.md", made("DESIGN.md")
    yield "MEMORY.md", made("MEMORY.md")
    yield "README.md", made("README.md")
    yield "eval/module_interfaces.yaml", made("module_interfaces.yaml")
    yield f"{op}_golden.py", made("golden.py")
    yield f"test_{op}.py", made("test.py")
    whole = {"title": "", "kernel": f"{op}_kernel", "wrapper": f"{op}_wrapper", "written": modules}
    yield f"{op}_impl.py", made("impl.py", **whole)
    if count == 1:
        return
    for number, module in enumerate(modules, 1):
        suffix = "".join(map(str, range(1, number + 1)))
        if number == 1:
            part = {
                "title": f", up to {module['id']}",
                "kernel": f"{op}_module{suffix}_kernel",
                "wrapper": f"{op}_module{suffix}_wrapper",
            }
            yield module["file"], made("impl.py", **part, written=modules[:number])
        else:
            yield module["file"], made("stub.py", before=modules[number - 2]["id"])


def create(op, count, parent):
    """Writes the folder. Returns it."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", op):
        raise Failure(f"'{op}' is not the name of an operator: small letters, digits and _ are")
    if not 1 <= count <= 9:
        raise Failure(f"an operator has 1 to 9 modules, not {count}")
    folder = Path(parent) / "custom" / op
    if folder.exists():
        raise Failure(f"'{folder}' exists already", 1)
    for name, text in files(op, count):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    state.save(folder, state.new(op, count))
    return folder
