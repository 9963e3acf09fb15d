"""What judging costs: `verify --strict` with the device's process and its evidence, beside the same without them, over honest candidates;
and a launch through the device's process, beside one in the candidate's own.

Rounds of all alternate, the fastest of each candidate counts, and medians over candidates are compared; of launches the median counts. Model times are not looked at.
"""

import argparse
import contextlib
import importlib.util
import io
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "python/tests"

LAUNCHES = 2000
LAUNCH = """
import asc, asc2, time
import torch
@asc2.jit
def add(x_ptr, y_ptr, size):
    x = asc2.load(asc2.tensor(x_ptr, [size]), [1024], offsets=[0])
    asc2.store(x + x, asc2.tensor(y_ptr, [size]), offsets=[0])
class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        took = []
        for _ in range(%d):
            begin = time.perf_counter_ns()
            add[1](x, y, 1024)
            took.append(time.perf_counter_ns() - begin)
        print("a launch took", sorted(took)[len(took) // 2], flush=True)
        return y
"""
TASK = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + x
def get_init_inputs():
    return []
def get_inputs():
    return [torch.randn(1024)]
"""


@contextlib.contextmanager
def without_device(evidence=False):
    """Candidates run in one process, and nobody asks what did the work."""
    from tilesmith.judge.isolation import process
    from tilesmith.judge.verdict import evidence as asked

    kept = process.Worker._may_have_a_device, asked.Evidence.begin, asked.Evidence.look
    process.Worker._may_have_a_device = lambda self: False
    if not evidence:
        asked.Evidence.begin = lambda self: None
        asked.Evidence.look = lambda self, *_: None
    try:
        yield
    finally:
        process.Worker._may_have_a_device, asked.Evidence.begin, asked.Evidence.look = kept


@contextlib.contextmanager
def without_special_values():
    """No reruns on zeros, large numbers and so on."""
    from tilesmith.judge.verdict import session

    kept = session.Session._special_values
    session.Session._special_values = lambda self, case, values: None
    try:
        yield
    finally:
        session.Session._special_values = kept


WAYS = {
    "without device and evidence": (without_device, without_special_values),
    "with them": (without_special_values,),
    "with special values, too": (),
}


def verified(folder):
    """Seconds of one strict verification."""
    from tilesmith.__main__ import main

    begin = time.perf_counter()
    options = ["--op_name", "op", "--verify_dir", folder, "--timeout", "100", "--memory", "4", "--strict"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main(["verify", *options])
    return time.perf_counter() - begin


def cases(candidates, rounds):
    """{way: [seconds of each candidate]}"""
    times = {way: [] for way in WAYS}
    for task, text in candidates:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "op_torch.py").write_text(task)
            (Path(folder) / "op_triton_ascend_impl.py").write_text(text)
            best = dict.fromkeys(WAYS, float("inf"))
            for _ in range(rounds):
                for way, patches in WAYS.items():
                    with contextlib.ExitStack() as stack:
                        for patch in patches:
                            stack.enter_context(patch())
                        best[way] = min(best[way], verified(folder))
            for way, seconds in best.items():
                times[way].append(seconds)
    return times


def launch(rounds):
    """Microseconds of a launch in the candidate's process, and through the device's."""
    from tilesmith.judge.isolation.process import Worker

    best = {}
    with tempfile.TemporaryDirectory() as folder:
        task, candidate = Path(folder) / "op_torch.py", Path(folder) / "op_impl.py"
        task.write_text(TASK)
        candidate.write_text(LAUNCH % LAUNCHES)
        for where, patch in (("in process", without_device), ("through the device's", contextlib.nullcontext)):
            with patch():
                reference, worker = Worker(str(task), role="task"), Worker(str(candidate), role="candidate")
                try:
                    reference.load("Model")
                    worker.load("ModelNew")
                    reference.prepare()
                    with reference.inputs(0) as inputs, reference.init_inputs() as init:
                        worker.build("ModelNew", init)
                        for _ in range(rounds + 1):
                            outputs, handed = worker.run(inputs)
                            outputs.close()
                            handed.close()
                    took = [
                        int(line.split()[-1]) for line in worker.printed.text().splitlines() if line.startswith("a launch took")
                    ]
                    best[where] = min(took) / 1e3
                finally:
                    reference.stop()
                    worker.stop()
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=24, help="how many, drawn from all honest ones")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only-launches", action="store_true")
    args = parser.parse_args()
    sys.path[:0] = [str(TESTS / "judge"), str(TESTS), str(ROOT / "python")]
    attacks = importlib.util.module_from_spec(
        spec := importlib.util.spec_from_file_location("attacks_tool", ROOT / "tools/attacks.py")
    )
    spec.loader.exec_module(attacks)

    everybody = [(task, text) for kind in attacks.honest().values() for name, (task, text, _) in sorted(kind.items())]
    drawn = random.Random(args.seed).sample(everybody, min(args.candidates, len(everybody)))
    with tempfile.TemporaryDirectory() as keys:
        os.environ.setdefault("TILESMITH_JUDGE_KEY", os.path.join(keys, "judge.key"))
        verified(keys)  # starts the nursery
        times = {} if args.only_launches else cases(drawn, args.rounds)
        if times:
            print(f"{len(drawn)} honest candidates, the fastest of {args.rounds} rounds each")
        for way, seconds in times.items():
            ratio = statistics.median(mine / before for mine, before in zip(seconds, times["without device and evidence"]))
            print(f"  {way:28} median {statistics.median(seconds):5.2f} s   {ratio:4.2f} times")
        costs = launch(args.rounds)
        print("a launch of a small kernel")
        for where, micros in costs.items():
            print(f"  {where:28} {micros:6.1f} us")
    return 0


if __name__ == "__main__":
    sys.exit(main())
