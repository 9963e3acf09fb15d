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

    first = module_text(op, count, 1)
    audit = next(number for number, line in enumerate(first.splitlines(), 1) if "valid_shape" in line)
    yield "SPEC.md", made("SPEC.md")
    yield "API_REPORT.md", made("API_REPORT.md")
    yield "DESIGN.md", made("DESIGN.md")
    yield "MEMORY.md", made("MEMORY.md", audit=audit)
    yield "README.md", made("README.md")
    yield "eval/module_interfaces.yaml", made("module_interfaces.yaml")
    yield f"{op}_golden.py", made("golden.py")
    yield f"test_{op}.py", made("test.py")
    if count == 1:
        yield f"{op}_impl.py", first
        return
    yield f"{op}_impl.py", made("stub.py", before=modules[-1]["id"])
    for number, module in enumerate(modules):
        yield module["file"], made("stub.py", before=modules[number - 1]["id"]) if number else first


def module_text(op, count, number):
    """The file of a module as it is right for the golden of a new operator; of the whole where it has one module."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    modules = described(op, count)
    name = op if count == 1 else f"{op}_module{''.join(map(str, range(1, number + 1)))}"
    part = {"kernel": f"{name}_kernel", "wrapper": f"{name}_wrapper", "written": modules[:number]}
    title = "" if number == count else f", up to {modules[number - 1]['id']}"
    return environment.get_template("impl.py.j2").render(op=op, modules=modules, title=title, **part)


def is_untouched(folder, op, count):
    """Whether golden and interfaces are still those of a new operator; what it is verified on may differ."""
    import yaml

    def interfaces(text):
        content = yaml.safe_load(text)
        content.pop("composition_verification", None)
        return content

    wanted = dict(files(op, count))
    golden, file = f"{op}_golden.py", "eval/module_interfaces.yaml"
    try:
        return (folder / golden).read_text(encoding="utf-8") == wanted[golden] and interfaces(
            (folder / file).read_text(encoding="utf-8")
        ) == interfaces(wanted[file])
    except (OSError, UnicodeError, yaml.YAMLError, AttributeError):
        return False


def create(op, count, parent, platform=None):
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
    state.save(folder, state.new(op, count) | ({"platform": platform} if platform else {}))
    return folder
