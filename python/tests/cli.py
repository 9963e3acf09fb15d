"""What tests of the command line share: scripts, and the command as a user starts it."""

import json
import os
import subprocess
import sys
import textwrap

SCRIPT = """
    import sys
    import numpy as np
    import asc, asc2
    import beside  # found next to the script

    @asc2.jit
    def double(x_ptr, y_ptr, size):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [1024], offsets=[0])
        asc2.store(x + x, asc2.tensor(y_ptr, [size]), offsets=[0])

    if __name__ == "__main__":
        x, y = np.ones(1024, np.float32), np.zeros(1024, np.float32)
        double[1](x, y, 1024)
        print("sum", y.sum(), sys.argv[1:])
        sys.exit(beside.CODE)
"""


def write_script(folder):
    """A script that launches one kernel and prints the sum of its result and its arguments."""
    (folder / "beside.py").write_text("CODE = 0\n")
    path = folder / "double.py"
    path.write_text(textwrap.dedent(SCRIPT))
    return path


def with_race(script):
    """The same script with two blocks that store to the same bytes."""
    text = script.read_text().replace("double[1]", "double[2]")
    script.write_text(text.replace("x + x", "x + x.dtype.bitwidth * 0.0 + asc2.block_idx()"))
    return script


def tilesmith(*args, env=None, **kwargs):
    """The command, as a process."""
    command = [sys.executable, "-m", "tilesmith", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment(env), **kwargs)


def environment(more=None):
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)  # for tests that start it elsewhere
    return os.environ | {"PYTHONPATH": paths} | (more or {})


def document(*args, **kwargs):
    """(exit code, what stdout holds) of the command; stdout is one JSON document."""
    done = tilesmith(*args, **kwargs)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        raise AssertionError(f"not one JSON document:\n{done.stdout}\n{done.stderr}") from None


def killed(*words, cwd, within):
    """Runs a command and kills it (SIGKILL, its children too) at a random moment within so many seconds. Whether it was killed."""
    import random
    import signal

    command = [sys.executable, "-m", "tilesmith", *map(str, words)]
    nothing = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=cwd, env=environment(), start_new_session=True, **nothing)
    try:
        process.wait(random.uniform(0.2, 1.0) * within)
        return False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
