"""The mistakes people make and the Python they try, each with the exact text that appears (mistakes.md): nothing is silent, nothing is
without its place, and nothing leads into our own files.

`python python/tests/test_mistakes.py --write` writes the texts of the page anew; read the difference before you keep it.
"""

import contextlib
import io
import linecache
import os
import re
import subprocess
import sys
import textwrap
import traceback
import types
import warnings
from pathlib import Path

import _tilesmith
import asc2
import numpy as np
import pytest

PAGE = Path(__file__).with_name("mistakes.md")
OURS = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(.*)\n((?:.*\n)*?)```\n", re.MULTILINE)
BUILT_IN = {path.stem for path in (OURS.parent / "lib/Machine/Time/platforms").glob("*.platform")}
NOTHING = "(nothing)"  # what is shown of a script that prints nothing


class Entry:
    """A section of the page: a script, made of its blocks and of the kernel shown at the top, and what it prints."""

    def __init__(self, chapter, name, text, prelude, frame):
        self.chapter, self.name, self.text = chapter, name, text
        *blocks, (_, self.printed) = BLOCK.findall(text)
        blocks = {kind.removeprefix("python").strip(): code for kind, code in blocks}
        self.script = f"{prelude}\n{blocks.get('', '')}"
        if blocks.keys() - {""}:
            head, call = frame.split("        ...\n")
            body = blocks.get("kernel", "asc2.store(t + 1, y, tile_id=[i])\n")
            gap = "\n\n" if "" in blocks else ""
            self.script += gap + head + textwrap.indent(body, " " * 8) + call[:call.index("k[")] + blocks.get("launch", call[call.index("k["):])

    def shown(self):
        """What running the script prints, in this process; the file is called k.py."""
        name, out = "k.py", io.StringIO()
        linecache.cache[name] = (len(self.script), None, self.script.splitlines(keepends=True), name)
        platform = _tilesmith.current_platform()
        module = types.ModuleType("__main__")
        try:
            with warnings.catch_warnings(record=True) as said, contextlib.redirect_stdout(out):
                warnings.simplefilter("always")
                error = None
                try:
                    exec(compile(self.script, name, "exec"), module.__dict__)
                except Exception as raised:
                    error = raised
        finally:
            del linecache.cache[name]
            _tilesmith.set_platform(platform)
        text = "".join(f"{warning.filename}:{warning.lineno}: {warning.category.__name__}: {warning.message}\n" for warning in said)
        text += out.getvalue()
        if error is not None:
            text += "Traceback (most recent call last):\n"
            for frame in traceback.extract_tb(error.__traceback__)[1:]:
                inside = frame.filename.startswith(str(OURS))
                place = f'"{os.path.relpath(frame.filename, OURS)}"' if inside else f'"{frame.filename}", line {frame.lineno}'
                text += f"  File {place}, in {frame.name}\n"
            text += "".join(traceback.format_exception_only(type(error), error)[:1 if isinstance(error, AttributeError) else None])
            assert error.__cause__ is None and (error.__suppress_context__ or error.__context__ is None), "the error comes twice"
        return text or NOTHING + "\n"


def entries():
    text = PAGE.read_text()
    top, *chapters = re.split(r"^## ", text, flags=re.MULTILINE)
    (_, prelude), (_, frame) = BLOCK.findall(top)
    for chapter in chapters:
        title, *sections = re.split(r"^### ", chapter, flags=re.MULTILINE)
        for section in sections:
            name, body = section.split("\n", 1)
            yield Entry(title.strip(), name, body, prelude, frame)


ENTRIES = list(entries())
BY_NAME = {entry.name: entry for entry in ENTRIES}


@pytest.mark.parametrize("entry", ENTRIES, ids=[f"{entry.chapter.split()[-1]}: {entry.name}" for entry in ENTRIES])
def test_mistake(entry):
    shown = entry.shown()
    for part in _tilesmith.platforms():
        if part not in BUILT_IN:  # a page of the documentation adds one to this process
            shown = shown.replace(f", {part}", "")
    assert shown == entry.printed


def chapter(words):
    return [entry for entry in ENTRIES if words in entry.chapter]


def test_the_table_is_whole():
    assert len(chapter("48 mistakes")) == 48
    assert len(chapter("51 features")) == 51


def works(entry):
    return "work" in entry.chapter or "which work" in entry.name


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if works(entry)], ids=lambda entry: entry.name)
def test_what_works_is_held_to_numpy(entry):
    """It computes, says nothing, and compares what it computed."""
    assert entry.printed == NOTHING + "\n" and "\nassert " in entry.script


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if not works(entry)], ids=lambda entry: entry.name)
def test_what_is_wrong_has_a_place_and_a_way_out(entry):
    """Not silent; at a line of the script; with a fix where there is one; our own files at most where Python code of ours is called."""
    text = entry.printed
    assert re.search(r'k\.py:\d+|File "k\.py", line \d+', text)
    if entry.name not in {"The decorator forgotten"}:  # Python's own words
        assert re.search(r"^help: |did you mean|Warning: |instead|it is one of|call it in", text, re.MULTILINE) or "note: " in text
    inside = [line for line in text.splitlines() if line.startswith("  File ") and "k.py" not in line]
    assert all(re.match(r'  File "asc/(runtime/(jit|config|profile)|_builtin)\.py"', line) for line in inside)


@pytest.mark.parametrize("name", ["The number of blocks forgotten", "A function misspelt", "A grid of two dimensions"])
@pytest.mark.parametrize("command", [[], ["-m", "tilesmith", "run"]], ids=["python", "tilesmith run"])
def test_a_process_of_its_own_says_the_same(tmp_path, name, command):
    """Once, and nothing of ours in the traceback."""
    (tmp_path / "k.py").write_text(BY_NAME[name].script)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, *command, "k.py"], cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert done.returncode == 1
    message = BY_NAME[name].printed.split("in <module>\n")[1]
    said = message if not command else re.sub(r"^[\w.]*CodegenError: ", "", message)
    assert done.stderr.replace(f"{tmp_path}/", "").endswith(said)
    assert done.stderr.count("error: ") <= 1 and "direct cause" not in done.stderr
    assert str(OURS / "asc") not in done.stderr


@pytest.mark.parametrize("origins, names, ours", getattr(_tilesmith, "elsewhere", list)(), ids=lambda value: value if " " not in value else None)
def test_what_is_recommended_exists(origins, names, ours):
    """A name from elsewhere that has none here must not be answered with another one that does not exist."""
    for path in re.findall(r"\b(?:asc2?|numpy)(?:\.\w+)+", ours):
        package, *attributes = path.split(".")
        value = __import__(package)
        for attribute in attributes:
            value = getattr(value, attribute)
    for method in re.findall(r"\bx\.(\w+)", ours):
        assert hasattr(asc2.Tile, method)
    if {"numpy", "torch"} & set(origins.split()):
        assert not set(names.split()) & set(asc2.__all__), "asc2 has it under the same name: no row is needed"


@pytest.mark.parametrize("wanted, names, found", [
    ("lod", ["load", "store"], "load"),           # a letter left out
    ("laod", ["load", "store"], "load"),          # two swapped
    ("ASCEND910b1", ["Ascend910B1"], "Ascend910B1"),
    ("sum", ["sub", "sum"], "sub"),               # itself is not asked for
    ("x", ["y", "z"], ""),                        # nearly every short name is one letter away
    ("N", ["n"], "n"),
    ("frobnicate", ["load", "fabricate"], ""),    # a wrong suggestion is worse than none
    ("store", [], ""),
    ("", ["load"], ""),
])
def test_closest(wanted, names, found):
    assert _tilesmith.closest(wanted, names) == found


def test_a_warning_comes_again_in_the_next_process(tmp_path):
    """The second process found the kernel in the disk cache and said nothing."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYASC_CACHE_DIR": str(tmp_path / "cache")}
    for name in ("A fraction beside an int", "A store forgotten"):
        (tmp_path / "k.py").write_text(BY_NAME[name].script)
        for _ in range(2):
            done = subprocess.run([sys.executable, "k.py"], cwd=tmp_path, capture_output=True, text=True, env=environment)
            assert done.stderr.replace(f"{tmp_path}/", "").startswith(BY_NAME[name].printed.rstrip("\n"))


def test_check_shows_a_kernel_without_effect(tmp_path):
    (tmp_path / "k.py").write_text(BY_NAME["A store forgotten"].script)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-m", "tilesmith", "check", "k.py"], cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert "k.py:5: SyntaxWarning: kernel 'k' has no effect" in done.stderr


def test_a_loop_without_effects_is_in_the_source_for_the_chip():
    @asc2.jit
    def wait(x_ptr, n):
        left = n * 2
        while left > n:
            left = left + n - n
        asc2.store(1.0, asc2.tensor(x_ptr, [4]), offsets=[0])

    assert "while (" in wait[1].ascendc(np.ones(4, np.float32), 1)


def test_a_kernel_that_only_prints_has_an_effect(capsys):
    @asc2.jit
    def look(x_ptr):
        asc2.device_print("first {}", asc2.load(asc2.tensor(x_ptr, [4]), offsets=[0]))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        look[1](np.ones(4, np.float32))
    assert capsys.readouterr().out.endswith("first 1.0\n")


def test_a_warning_can_be_an_error():
    @asc2.jit
    def nothing(x_ptr):
        pass

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(SyntaxWarning, match="kernel 'nothing' has no effect"):
            nothing[1](np.ones(4, np.float32))


if __name__ == "__main__":
    page = PAGE.read_text()
    for entry in ENTRIES:
        new = entry.text.replace(f"```\n{entry.printed}```\n", f"```\n{entry.shown()}```\n")
        page = page.replace(f"### {entry.name}\n{entry.text}", f"### {entry.name}\n{new}")
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page)
    else:
        sys.exit("usage: python python/tests/test_mistakes.py --write")
