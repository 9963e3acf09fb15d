"""A task and its reference worker for tests of benchmarks; candidates are written as the body of `forward`."""

import textwrap
from types import SimpleNamespace

from tilesmith.judge.isolation.process import Worker
from tilesmith.judge.timing import benchmark
from tilesmith.judge.verdict.session import CANDIDATE_NAMES, TASK_NAMES

TASK = """
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x) * 2 + x.sum(dim=1, keepdim=True) / 64

def get_init_inputs():
    return []

def get_input_groups():
    return [[torch.randn(rows, 64)] for rows in (32, 128)]
"""

HONEST = "return torch.tanh(x) * 2 + x.sum(dim=1, keepdim=True) / 64"


def candidate_source(body, before="", init="pass"):
    """A candidate whose forward has this body; `compute(x)` is the right answer."""
    inside = " " * 8
    return "\n".join([
        "import torch",
        textwrap.dedent(before), "def compute(x):", f"    {HONEST}", "", "class ModelNew(torch.nn.Module):",
        "    def __init__(self):", f"{inside}super().__init__()",
        textwrap.indent(textwrap.dedent(init), inside), "    def forward(self, x):",
        textwrap.indent(textwrap.dedent(body), inside), ""
    ])


def task_worker(folder, source=TASK, name="op_torch.py"):
    path = folder / name
    path.write_text(source)
    worker = Worker(str(path), role="task")
    worker.load(*TASK_NAMES[:2])
    return worker


def bench(task, folder, source, warmup=3, repeats=12, framework_ms=None, seed=1, timeout=60, hifloat32=False):
    """(result with details) of a candidate beside a running task worker."""
    path = folder / "candidate.py"
    path.write_text(source)
    with Worker(str(path), hidden=[task.file], poison=False) as candidate:
        candidate.facts_of_load = candidate.load(*CANDIDATE_NAMES)
        session = SimpleNamespace(task=task, candidate=candidate, isolation=candidate.kept, hifloat32=hifloat32)
        return benchmark.measured("op", session, warmup, repeats, timeout, seed, framework_ms)
