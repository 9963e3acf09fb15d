"""Many judges at once, and tensors that are large beside the machine."""

import os
import subprocess
import sys
import time

from test_evidence import HONEST, TASK
from test_kill import alive, until
from tilesmith.judge.isolation import sandbox

LONG = os.environ.get("TILESMITH_LONG")
MANY = 16 if LONG else 3


def test_many_judges_at_once(tmp_path):
    """Each of four processes and more, on few cores: all come to the same verdict, in time, and leave nobody."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    judges, seen = [], set()
    for number in range(MANY):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "op_torch.py").write_text(TASK)
        right = number % 4 != 3
        (folder / "op_triton_ascend_impl.py").write_text(HONEST["one kernel"].replace("return y", "return y" if right else "return x"))
        command = [sys.executable, "-m", "tilesmith", "verify", "--op_name", "op", "--verify_dir", str(folder), "--strict"]
        judges.append((right, subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)))
    while any(judge.poll() is None for _, judge in judges):
        for _, judge in judges:
            seen.update(sandbox.descendants(judge.pid))
        time.sleep(0.2)
    for right, judge in judges:
        assert (judge.returncode == 0) == right, judge.stdout.read()
    assert len(seen) >= 8 * MANY and until(lambda: not alive(seen)), "somebody outlived a judge"


LARGE = TASK.replace("torch.tanh(x)", "x.clone()").replace("torch.randn(40, 33)", "torch.rand({count})")
COPY = """
import asc, asc2
import torch

@asc2.jit
def copy(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [8192]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [8192], tile_id=[i]), y_gm, tile_id=[i])

class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        copy[48](x, y, x.numel())
        return y
"""
PROGRAM = """
import sys
from tilesmith.judge.isolation.process import Worker
from tilesmith.judge.verdict import compare
folder = sys.argv[1]
with Worker(folder + "/op_torch.py", role="task") as task, Worker(folder + "/op.py", poison=False) as candidate:
    task.load("Model"); candidate.load("ModelNew"); task.prepare()
    with task.inputs(0) as inputs, task.init_inputs() as init:
        task.build("Model", init); candidate.build("ModelNew", init)
        actual, handed = candidate.run(inputs)
        golden, again = task.run(inputs)
        with actual, golden:
            print(all(verdict.passed for verdict in compare.outputs(actual, golden)), handed.changed())
        print(candidate.has_device, candidate.peak_memory())
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))  # a new program's own, unlike ru_maxrss
print(int(peak.split()[1]) * 1024)
"""


def test_the_judge_and_the_candidate_hold_no_tensors(tmp_path):
    """4 GiB of them, inputs and results, pass by the judge through files, and are in the candidate's process never."""
    size = (2 << 30) if LONG else (128 << 20)
    (tmp_path / "op_torch.py").write_text(LARGE.format(count=size // 4))
    (tmp_path / "op.py").write_text(COPY)
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    done = subprocess.run([sys.executable, "-c", PROGRAM, tmp_path], env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    verdict, own, judge = done.stdout.splitlines()
    assert verdict == "True False"
    has_device, candidate = own.split()
    assert has_device == "True" and int(candidate) < (700 << 20) and int(judge) < (700 << 20), done.stdout
