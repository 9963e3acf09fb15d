"""The judge's packages: each uses only those before it, and only the device, which runs kernels, imports asc."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tilesmith.judge

JUDGE = Path(tilesmith.judge.__file__).parent
ORDER = ["isolation", "device", "verdict", "timing", "sweep"]


def imported(path):
    """Full names of the modules a file imports, and names from them, anywhere in it."""
    package = ["tilesmith", "judge", *path.relative_to(JUDGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*package[:len(package) - node.level + 1], *filter(None, [node.module])]) if node.level else node.module
            yield from (f"{base}.{alias.name}" for alias in node.names)


def test_every_module_is_in_a_package():
    assert sorted(path.name for path in JUDGE.iterdir() if path.name != "__pycache__") == sorted(["__init__.py", *ORDER])


@pytest.mark.parametrize("package", ORDER)
def test_a_package_uses_only_those_before_it(package):
    """A verdict that needed the timing, or a sandbox that knew what a verdict is, could not be trusted by itself."""
    later = [f"tilesmith.judge.{name}" for name in ORDER[ORDER.index(package) + 1:]]
    wrong = [f"{path.relative_to(JUDGE)}: {name}" for path in sorted((JUDGE / package).glob("*.py")) for name in imported(path)
             if any(f"{name}.".startswith(f"{other}.") for other in later)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", [name for name in ORDER if name != "device"])
def test_nothing_of_the_judge_imports_asc(package):
    """asc uses isolation and verdict: an import in the other direction is a cycle, and brings asc into a candidate's process."""
    wrong = [f"{path.relative_to(JUDGE)}: {name}" for path in sorted((JUDGE / package).glob("*.py")) for name in imported(path)
             if name.split(".")[0] in ("asc", "asc2")]
    assert not wrong, "\n".join(wrong)


def test_loading_isolation_loads_neither_asc_nor_the_other_packages():
    """What the imports inside functions reach counts as well: every module is imported, surroundings are asked."""
    names = [f"tilesmith.judge.isolation.{path.stem}" for path in (JUDGE / "isolation").glob("[a-z]*.py")]
    code = (f"import sys, importlib; [importlib.import_module(name) for name in {names!r}]; "
            "from tilesmith.judge.isolation import surroundings; surroundings.visible_paths(), surroundings.environment(); "
            "print([name for name in sys.modules if name in ('asc', 'asc2', 'torch') or name.startswith('tilesmith.judge.')"
            " and not name.startswith('tilesmith.judge.isolation')])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr


def test_parts_of_pages_know_neither_profiles_nor_the_judge_nor_asc():
    """Both use them: an import in the other direction would bring asc into the judge."""
    folder = JUDGE.parent / "pages"
    names = [name for path in folder.glob("*.py") for node in ast.walk(ast.parse(path.read_text()))
             for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else
                          [node.module or ""] if isinstance(node, ast.ImportFrom) else [])]
    assert names and not [name for name in names if name.split(".")[0] in ("asc", "asc2", "_tilesmith") or name.startswith("tilesmith.")]
