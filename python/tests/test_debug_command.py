"""`tilesmith debug` through its door: commands from a pipe and from a terminal, the page, what it refuses."""

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import textwrap
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tilesmith(*arguments, commands="", cwd=None):
    path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
    return subprocess.run([sys.executable, "-m", "tilesmith", *map(str, arguments)], input=commands, capture_output=True, text=True, cwd=cwd,
                          env={**os.environ, "PYTHONPATH": path})


PAGE = (ROOT / "docs/debug.md").read_text()


def test_the_session_of_the_page(tmp_path):
    """The page shows what really happens."""
    source = re.search(r"^```python\n(.*?)^```", PAGE, re.M | re.S)[1]
    command, transcript = re.search(r"^```console\n\$ tilesmith ([^\n]*)\n(.*?)^```", PAGE, re.M | re.S).groups()
    (tmp_path / "scale.py").write_text(source)
    given = re.findall(r"^\(debug\) ?(.*)$", transcript, re.M)
    done = tilesmith(*command.split(), commands="".join(f"{line}\n" for line in given), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == transcript


def test_every_command_is_on_the_page():
    from tilesmith.debug.commands import COMMANDS, usage

    for known in COMMANDS:
        assert f"| `{usage(known)}` |" in PAGE, usage(known)


def script(tmp_path, text="", after=""):
    file = tmp_path / "k.py"
    file.write_text(textwrap.dedent("""\
        import asc2, numpy as np

        @asc2.jit
        def kernel(x_ptr, size):
            x_gm = asc2.tensor(x_ptr, [size])
            x = asc2.load(x_gm, [16], offsets=[0])
            asc2.store(x + 1.0, x_gm, offsets=[0])

        x = np.zeros(16, np.float32)
        kernel[1](x, 16)
        print("x is", x[0])
        """))
    return file


def test_the_end_of_the_commands_ends_the_script(tmp_path):
    done = tilesmith("debug", script(tmp_path), commands="n\n")
    assert done.returncode == 0 and done.stderr == ""
    assert "x is" not in done.stdout
    assert done.stdout.endswith("(debug)\n\n")


def test_quit_ends_the_script_and_continue_runs_it(tmp_path):
    assert "x is" not in tilesmith("debug", script(tmp_path), commands="q\n").stdout
    done = tilesmith("debug", "-v", "Ascend950PR_9599", script(tmp_path), commands="c\n")
    assert done.returncode == 0 and done.stdout.endswith("(debug) c\nx is 1.0\n")
    assert "[launch] kernel: 1 block on Ascend950PR_9599" in done.stdout


def test_an_interrupt_at_the_prompt_ends_cleanly(tmp_path):
    import signal


    child = subprocess.Popen([sys.executable, "-m", "tilesmith", "debug", str(script(tmp_path))], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    for line in child.stdout:
        if line.startswith("->"):
            break
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "Traceback" not in err


@pytest.mark.parametrize("arguments, said", [
    (["--break", "nowhere"], "--break: 'nowhere' is not a place: write LINE, FILE:LINE, or either with `if CONDITION`"),
    (["--block", "-3"], "blocks are counted from 0, not -3"),
])
def test_what_the_command_refuses(tmp_path, arguments, said):
    done = tilesmith("debug", script(tmp_path), *arguments)
    assert done.returncode == 2 and said in done.stderr


def test_kernels_in_cpp_are_refused_with_a_reason(tmp_path):
    (tmp_path / "k.cpp").write_text("int main() {}")
    done = tilesmith("debug", tmp_path / "k.cpp")
    assert done.returncode == 2
    assert "kernels written in C++ cannot be debugged here: they run in a process of their own" in done.stderr


def test_breakpoints_that_nothing_reached_are_told(tmp_path):
    done = tilesmith("debug", script(tmp_path), "--break", "other.py:3", "--break", "k.py:900", "--block", "5")
    assert done.returncode == 0 and "x is 1.0" in done.stdout
    assert "note: this launch has no block 5; it has 1" in done.stdout
    assert "warning: breakpoint 1, other.py:3: no kernel that was launched has a statement there" in done.stdout
    assert "warning: breakpoint 2, k.py:900: no kernel that was launched has a statement there" in done.stdout


def test_json_says_where_it_stopped(tmp_path):
    import json

    done = tilesmith("debug", script(tmp_path), "--break", "7", "--json", commands="c\n")
    facts = json.loads(done.stdout)
    assert facts["launches"] == 1
    assert facts["stops"] == [{"reason": "breakpoint", "kernel": "kernel", "block": 0, "file": str(tmp_path / "k.py"), "line": 7}]


# A terminal.


class Terminal:
    """A program under a terminal of its own."""

    def __init__(self, *arguments):
        path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
        self.main, side = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": path, "TERM": "dumb"}
        self.child = subprocess.Popen([sys.executable, *map(str, arguments)], stdin=side, stdout=side, stderr=side, env=environment,
                                      start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(side)
        self.text = ""

    def until(self, wanted):
        """Reads until the text appears; returns what came."""
        start = len(self.text)
        while wanted not in self.text[start:]:
            ready, _, _ = select.select([self.main], [], [], 60)
            try:
                read = os.read(self.main, 4096) if ready else b""
            except OSError:  # the other side is closed
                read = b""
            if not read:
                self.child.kill()
            assert read, f"{wanted!r} did not come: {self.text}"
            self.text += read.decode().replace("\r\n", "\n")
        return self.text[start:]

    def send(self, text):
        os.write(self.main, text.encode())

    def end(self):
        try:
            return self.child.wait(timeout=60)
        finally:
            self.child.kill()
            os.close(self.main)

    def interrupt_at_prompt(self):
        """Ctrl-C until the program ends: Python's readline misses one that comes after the prompt is shown and before it
        waits for a key, which happens where the program loses its processor between the two."""
        for _ in range(10):
            self.send("\x03")
            try:
                self.child.wait(timeout=5)
                break
            except subprocess.TimeoutExpired:
                pass


def test_in_a_terminal_a_breakpoint_of_the_source_asks(tmp_path):
    """A plain `python script.py`: the launch stops, the script continues after it."""
    file = script(tmp_path)
    file.write_text(file.read_text().replace("    asc2.store", "    asc2.breakpoint()\n    asc2.store"))
    terminal = Terminal(file)
    assert "[asc2.breakpoint()]\n" in terminal.until("(debug) ")
    terminal.send("p size\n")
    assert "16\n" in terminal.until("(debug) ")
    terminal.send("c\n")
    terminal.until("x is 1.0")
    assert terminal.end() == 0


def test_ctrl_c_stops_a_launch_that_runs(tmp_path):
    file = tmp_path / "long.py"
    file.write_text(textwrap.dedent("""\
        import asc2, numpy as np

        @asc2.jit
        def kernel(x_ptr, count):
            x_gm = asc2.tensor(x_ptr, [16])
            for i in asc2.range(0, count):
                x = asc2.load(x_gm, [16], offsets=[0])
                asc2.store(x + 1.0, x_gm, offsets=[0])

        kernel[1](np.zeros(16, np.float32), 1 << 30)
        """))
    terminal = Terminal("-m", "tilesmith", "debug", file)
    terminal.until("(debug) ")
    terminal.send("n\n")
    terminal.until("(debug) ")
    terminal.send("c\n")
    terminal.until("c\n")
    time.sleep(0.3)
    terminal.send("\x03")
    assert "[interrupted]\n" in terminal.until("(debug) ")
    terminal.send("p i > 0\n")
    assert "True\n" in terminal.until("(debug) ")
    terminal.interrupt_at_prompt()
    assert terminal.end() == 130
