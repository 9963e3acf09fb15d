"""Colour and progress: on terminals, and nowhere else."""

import os
import pty
import re
import subprocess
import sys

import pytest
from cli import tilesmith, with_race, write_script
from tilesmith import terminal

PLAIN = {name: None for name in ("NO_COLOR", "FORCE_COLOR")}


@pytest.fixture
def script(tmp_path):
    return write_script(tmp_path)


def on_terminal(*args, env=()):
    """What a terminal gets from the command."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in PLAIN} | {"TERM": "xterm", **dict(env)}
    process = subprocess.Popen([sys.executable, "-m", "tilesmith", *map(str, args)], stdin=theirs, stdout=theirs, stderr=theirs,
                               env=environment)
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # the other side is gone
            break
        if not piece:
            break
        text += piece
    os.close(ours)
    process.wait(timeout=60)
    return text.decode().replace("\r\n", "\n")


def without_colour(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_findings_are_coloured_on_a_terminal(script):
    with_race(script)
    text = on_terminal("check", script)
    assert "\x1b[1;31merror:\x1b[0m" in text and "\x1b[2m [cross.write-write]\x1b[0m" in text and "\x1b[1;31m1 finding in 1 launch\x1b[0m" in text
    assert re.search(r"\x1b\[1;32m\^", text), text
    plain = on_terminal("check", script, "--color", "never")
    assert without_colour(text) == plain and "\x1b" not in plain
    assert "\x1b" not in on_terminal("check", script, env={"NO_COLOR": "1"})


def test_elsewhere_there_is_none_unless_it_is_asked_for(script):
    env = {"NO_COLOR": "", "FORCE_COLOR": ""}
    plain = tilesmith("prof", script, env=env).stdout
    assert "\x1b" not in plain
    always = tilesmith("prof", "--color", "always", script, env=env).stdout
    assert "\x1b[36mmodel time\x1b[0m" in always and without_colour(always) == plain
    assert tilesmith("prof", script, env=env | {"FORCE_COLOR": "1"}).stdout == always


@pytest.mark.parametrize("text", [
    "", "plain\n", "  two  words: error\n", "k.py:3:7: error: what\n", "a | b\n", "| 1 | 2 |\n", "x  y\n", "error\n",
    "k.py:1:2: note: see [here] [a.b]\n    3 |     x = 1\n      |     ^~~\nhelp: do\n", "f  float32  3 elements  2 blocks on X\n  UB   3\n",
])
def test_colour_adds_nothing_but_colour(text):
    assert without_colour(terminal.coloured(text)) == text


def test_a_long_check_shows_how_far_it_is(tmp_path):
    """And what the script prints meanwhile is not lost."""
    path = tmp_path / "many.py"
    path.write_text("""
import time
import numpy as np
import asc2

@asc2.jit
def double(x_ptr, size):
    x = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0])
    asc2.store(x + x, asc2.tensor(x_ptr, [size]), offsets=[0])

for i in range(3):
    double[1](np.ones(64, np.float32), 64)
    print("line", i)
    time.sleep(0.6)
""")
    text = on_terminal("check", path)
    assert "3 launches checked" in text and all(f"line {i}\n" in text for i in range(3))
    assert without_colour(text.splitlines()[-1]).endswith("no findings in 3 launches")
    done = tilesmith("check", path)
    assert (done.stdout, done.stderr) == ("line 0\nline 1\nline 2\nno findings in 3 launches\n", "")


def test_progress_says_lines_in_their_order(capsys):
    with terminal.progress("working", total=2) as bar:
        bar.line("one")
        bar.advance()
        bar.line("two")
    assert bar.done == 1 and capsys.readouterr() == ("", "one\ntwo\n")


def test_help_of_errors_in_the_command_line_is_coloured(script):
    assert "\x1b[1;31merror:\x1b[0m" in on_terminal("prof", "--jsn", script)
