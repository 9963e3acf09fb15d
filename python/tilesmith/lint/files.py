"""What is checked, and what a file is: a kernel, or a part of an operator's folder."""

import json
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

STUB = b"PYPTO_PENDING_STUB"  # in the first bytes of a file that is not written yet
MARKS = (".orchestrator_state.json", "SPEC.md", "API_REPORT.md", "DESIGN.md", "MEMORY.md")
PARTS = ("modules", "eval", "tests", "test")  # folders inside an operator's
SKIPPED = {"__pycache__", "node_modules"}


@dataclass(frozen=True)
class Operator:
    """An operator's folder and its name."""

    folder: Path
    name: str
    stage: int  # 0: not known

    def path(self, name):
        return self.folder / name.format(op=self.name)

    @property
    def impl(self):
        return self.path("{op}_impl.py")

    @property
    def golden(self):
        return self.path("{op}_golden.py")

    @property
    def test(self):
        return self.path("test_{op}.py")


@lru_cache(maxsize=4096)
def operator_at(folder):
    """The operator whose folder this is, or None."""
    folder = Path(folder)
    try:
        names = os.listdir(folder)
    except OSError:
        return None
    made = [name for name in names if name.endswith(("_golden.py", "_impl.py"))]
    if not any(mark in names for mark in MARKS[:1]) and not (
        any(mark in names for mark in MARKS) and (made or folder.parent.name == "custom")
    ):
        if not (made and folder.parent.name == "custom"):
            return None
    name, stage = folder.name, 0
    try:
        state = json.loads((folder / MARKS[0]).read_text())
        name, stage = str(state.get("operator_name") or name), int(state.get("current_stage") or 0)
    except (OSError, ValueError, AttributeError, TypeError):
        pass
    return Operator(folder, name, stage)


def operator_of(path):
    """The operator a file belongs to, or None."""
    folder = Path(path).resolve().parent
    found = operator_at(str(folder))
    if not found and folder.name in PARTS:
        found = operator_at(str(folder.parent))
    return found


def role_of(path, text):
    """(role of a Python file: kernel, impl, golden or test; its operator or None)."""
    name = os.path.basename(path)
    isNamed = name.endswith(("_impl.py", "_golden.py")) or (name.startswith("test_") and name.endswith(".py"))
    if not isNamed:
        return "kernel", None
    operator = operator_of(path)
    if name.endswith("_impl.py"):
        return ("impl", operator) if operator or b"pypto" in text else ("kernel", None)
    if name.endswith("_golden.py"):
        return ("golden", operator) if operator or b"pypto" in text else ("kernel", None)
    return ("test", operator) if operator or b"pypto" in text or b"_impl" in text else ("kernel", None)


def expand(paths, config):
    """Python files as named, and those below folders, in a fixed order; and the operators' folders met on the way."""
    files, operators = [], []
    for path in paths:
        if not os.path.isdir(path):
            files.append(path)
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
            if any(name in MARKS for name in names) and (operator := operator_at(str(Path(folder).resolve()))):
                operators.append((folder, operator))
            found = [os.path.join(folder, name) for name in sorted(names) if name.endswith(".py")]
            files += [name for name in found if not config.excludes(name)]
    return files, operators
