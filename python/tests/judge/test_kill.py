"""kill -9 at any moment: no result that was not earned, no half of a file, nobody left running."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from judging import HONEST, MODEL, TASK
from tilesmith.judge.isolation import sandbox
from tilesmith.judge.verdict import result

ROUNDS = 150 if os.environ.get("TILESMITH_LONG") else 3


def start(folder, impl):
    (folder / "op_torch.py").write_text(TASK)
    (folder / "op_triton_ascend_impl.py").write_text(impl)
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    environment = dict(os.environ, TMPDIR=str(temporary), PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    return subprocess.Popen([sys.executable, "-m", "tilesmith", "verify", "--op_name", "op", "--verify_dir", str(folder)],
                            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def alive(pids):
    return [pid for pid in pids if os.path.exists(f"/proc/{pid}/exe") and os.access(f"/proc/{pid}/cmdline", os.R_OK)
            and open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] != "Z"]


def until(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def files(folder):
    return {path.name for path in folder.iterdir()} - {"op_torch.py", "op_triton_ascend_impl.py", "tmp", "__pycache__"}


@pytest.mark.parametrize("impl, right", [(HONEST, True), (MODEL.format(forward="return x"), False)], ids=["right", "wrong"])
def test_killing_the_judge(tmp_path, impl, right):
    generator = random.Random(int(right))
    for _ in range(ROUNDS):
        judge = start(tmp_path, impl)
        delay, begin, seen = generator.uniform(0.1, 3.5), time.monotonic(), set()
        while time.monotonic() - begin < delay and judge.poll() is None:
            seen.update(sandbox.descendants(judge.pid))
            time.sleep(0.01)
        seen.update(sandbox.descendants(judge.pid))
        judge.kill()
        judge.communicate()
        assert files(tmp_path) <= {"verify_result.json"}
        if files(tmp_path):
            content = json.loads((tmp_path / "verify_result.json").read_text())
            assert (content["passed_cases"] == content["total_cases"]) == right
        assert until(lambda: not alive(seen)), "somebody outlived the judge"
        assert until(lambda: not list((tmp_path / "tmp").iterdir())), "something is left"


def test_killing_the_candidate(tmp_path):
    """The judge reports a death, or the candidate had finished; never a pass of a wrong one."""
    generator = random.Random(3)
    slow = MODEL.format(forward="import time; time.sleep(0.3); return x")
    for _ in range(ROUNDS):
        judge = start(tmp_path, slow)
        # judge - nursery - keeper - guard - worker
        assert until(lambda: len(sandbox.descendants(judge.pid)) >= 7 or judge.poll() is not None, 60)
        time.sleep(generator.uniform(0, 0.8))
        below = sandbox.descendants(judge.pid)
        if below:
            try:
                os.kill(generator.choice(below), signal.SIGKILL)
            except ProcessLookupError:
                pass
        out, err = judge.communicate(timeout=60)
        assert judge.returncode == 1, out + err
        if (tmp_path / "verify_result.json").exists():
            content = json.loads((tmp_path / "verify_result.json").read_text())
            assert content["passed_cases"] == 0


def test_a_result_is_whole_or_not_there(tmp_path):
    """A reader at any moment, while results are written over one another."""
    path = tmp_path / "r.json"
    big = {"failures": ["x" * 1000] * 1000}
    child = os.fork()
    if child == 0:
        while True:
            result.remove(path)
            result.write(path, big)
            result.write(path, big)
    try:
        for _ in range(200):
            try:
                assert json.loads(path.read_text()) == big
            except FileNotFoundError:
                pass
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_result_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises((TypeError, ValueError)):
        result.write(tmp_path / "r.json", {"x": object()})
    with pytest.raises(ValueError):
        result.write(tmp_path / "r.json", {"x": float("nan")})
    assert not list(tmp_path.iterdir())
    result.write(tmp_path / "r.json", {"x": "\ud800"})
    assert json.loads((tmp_path / "r.json").read_text()) == {"x": "\ud800"}
