"""Tasks as files: what a kernel has to compute, on which inputs, and which candidates there are for it.

A task is a Python file with `Model` and `get_init_inputs()`, and its inputs come from the first of these that is there:

  - `get_input_groups()`: a list of argument lists, one for each case;
  - a file of JSON Lines with the same stem beside it, one case in each line (cases.py);
  - `get_inputs()`: one argument list.

Nothing of a task is executed here: files are parsed to learn what they define.
"""

import ast
import os
from dataclasses import dataclass, field
from pathlib import Path

from ..isolation.cases import TaskError, cases_file


def defined_names(source):
    """The names a module defines at its top level, None if it does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = set()
    pending = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.update(name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))
        else:  # an `if` or a `try` around definitions
            pending += [child for child in ast.iter_child_nodes(node) if isinstance(child, (ast.stmt, ast.ExceptHandler))]
    return names


@dataclass
class Task:
    """A task and its candidates, as files."""

    name: str  # unique in a folder: the path without suffix
    path: Path
    cases: Path | None = None
    candidates: list[Path] = field(default_factory=list)

    @property
    def op_name(self):
        """What results call the operator."""
        return self.path.stem.removesuffix("_torch")


def _python_files(folder):
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__pycache__")))
        yield from (Path(root, name) for name in sorted(files) if name.endswith(".py") and not name.startswith("."))


def discover(folder):
    """The tasks below a folder with their candidates, sorted by name.

    A file that defines `ModelNew` is a candidate; one that defines `Model` and not `ModelNew` is a task. The candidates of
    `a/op.py` (or `a/op_torch.py`) are the files in the folder `a/op/` whose names do not begin with `_`, whatever they define,
    and those beside it named `op_<variant>.py` or `op.<variant>.py`; with several tasks that fit, the longest name has it.
    """
    folder = Path(folder)
    kinds = {}
    for path in _python_files(folder):
        try:
            names = defined_names(path.read_bytes())
        except OSError as error:
            raise TaskError(f"{path}: {error.strerror}") from None
        kinds[path] = "broken" if names is None else "candidate" if "ModelNew" in names else "task" if "Model" in names else "other"
    tasks = {}
    for path in (path for path, kind in kinds.items() if kind == "task"):
        key = path.with_name(path.stem.removesuffix("_torch"))
        if key in tasks:
            raise TaskError(f"{path}: {tasks[key].path.name} beside it is a task of the same name")
        tasks[key] = Task(str(path.relative_to(folder).with_suffix("")), path, cases_file(path))
    for path, kind in sorted(kinds.items()):
        owner = None
        if path.parent in tasks:
            owner = tasks[path.parent] if kind != "task" and not path.name.startswith("_") else None
        elif kind in ("candidate", "broken"):  # beside its task
            stems = (path.stem[:end] for end in range(len(path.stem) - 1, 0, -1) if path.stem[end] in "_.")
            owner = next((tasks[path.with_name(stem)] for stem in stems if path.with_name(stem) in tasks), None)
        if owner is not None:
            owner.candidates.append(path)
    return [tasks[key] for key in sorted(tasks)]
