"""The documentation as a whole: complete, up to date with the tables it is written from, and a site that builds without a warning."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import asc2
from tilesmith import environment

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.append(str(ROOT / "tools"))

import function_examples
import functions
import glossary

READS = re.compile(  # what reads a variable, or hands one to a process of ours that reads it
    r"""getenv\(\s*"(\w+)"\)|environ(?:\.get\(|\[)\s*["'](\w+)["']|["']((?:TILESMITH|PYASC)_[A-Z_]+)["']|\bvariable\("(\w+)"\)"""
)
SOURCES = ["lib/**/*.cpp", "lib/**/*.h", "include/tilesmith/**/*.h", "python/extension/*.cpp", "python/asc/**/*.py", "python/asc2/**/*.py",
           "python/tilesmith/**/*.py", "tools/*.py", "dev"]
SYSTEM = {"PATH", "PYTHONPATH", "TMPDIR", "SHELL"}
OF_CMAKE = {"TILESMITH_PYTHON", "TILESMITH_SANITIZE"}  # options of the build, in the same letters


def variables_read():
    found = {}
    for pattern in SOURCES:
        for path in ROOT.glob(pattern):
            if path.name == "environment.py":
                continue
            for match in READS.finditer(path.read_text()):
                found.setdefault(next(filter(None, match.groups())), path.relative_to(ROOT))
    return found


def test_every_variable_that_is_read_is_on_the_page():
    known = {each.name for each in [*environment.USERS, *environment.DEVELOPERS, *environment.INTERNAL]}
    read = variables_read()
    missing = {name: str(path) for name, path in read.items() if name not in known | SYSTEM | OF_CMAKE}
    assert not missing, f"not in python/tilesmith/environment.py: {missing}"
    assert len(read) > 15  # the expression above still finds them


def test_no_variable_is_on_the_page_that_nobody_reads():
    read = variables_read()
    # Read through a tuple of names, or by tests alone.
    elsewhere = {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "TILESMITH_LONG"}
    for each in [*environment.USERS, *environment.DEVELOPERS, *environment.INTERNAL]:
        assert each.name in read or each.name in elsewhere, f"{each.name} is read nowhere"


def test_pages_made_from_tables_are_up_to_date():
    assert (DOCS / "environment.md").read_text() == environment.page(), "run tools/environment.py"
    assert (DOCS / "glossary.md").read_text() == glossary.page(), "run tools/glossary.py"
    assert (DOCS / "functions.md").read_text() == functions.page(), "run tools/functions.py"


def test_every_public_name_of_asc2_has_an_example():
    grouped = [name for names in function_examples.GROUPS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    assert set(asc2.__all__) <= {*grouped, *function_examples.ELSEWHERE}, "add an example to tools/function_examples.py"
    assert set(grouped) <= set(asc2.__all__)
    assert set(grouped) == {*function_examples.OF_TILES, *function_examples.PROGRAMS}


def test_every_kernel_of_the_library_is_on_its_page():
    text = (DOCS / "library.md").read_text()
    for path in sorted((ROOT / "kernels").glob("*.py")):
        assert f"`{path.name}`" in text, f"docs/library.md does not mention {path.name}"


@pytest.mark.parametrize("builder", ["html", "markdown"] if os.environ.get("TILESMITH_LONG") else ["html"])
def test_site_builds_without_a_warning(tmp_path, builder):
    done = subprocess.run([sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", builder, DOCS, tmp_path / "out", "-d",
                           tmp_path / "trees"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    if builder == "html":
        assert (tmp_path / "out/isa/add.html").exists() and (tmp_path / "out/searchindex.js").stat().st_size > 100_000
        assert "https://" not in re.sub(r'<a [^>]*>|xmlns="[^"]*"', "", (tmp_path / "out/index.html").read_text().split("<body")[0])
