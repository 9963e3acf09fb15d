"""The real verification of a phase: the wrapper against the golden, on the Machine, in processes of their own.

The golden side computes module after module from the primary inputs, the other one calls the wrapper. Neither knows the other's
results. They are compared here, by the judge's bounds and by the tolerance the operator asks for, and the first element that differs is
named with its module. A third run replaces every result of a launch: an operator that passes then, too, does not compute with its kernel.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tilesmith import records
from tilesmith.operators import interfaces, state

TIME_LIMIT = 600
CHILD = Path(__file__).with_name("verification_child.py")


class Drift(Exception):
    """A result that is not the golden one, or a side that failed. `str()` names the module and the first bad element."""


def run(side, plan, folder):
    """(facts, {name: (description, bytes)}) of one side."""
    import numpy as np

    with tempfile.TemporaryDirectory(prefix="tilesmith-op-") as scratch:
        given, answer = Path(scratch) / "plan.json", Path(scratch) / "answer.npz"
        given.write_text(json.dumps(plan))
        environment = {**os.environ, "TILESMITH_MODE": "checked", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, str(CHILD), side, str(given), str(answer)]
        try:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            raise Drift(f"the {side} takes more than {TIME_LIMIT} s") from None
        if done.returncode or not answer.exists():
            raise Drift(f"the {side} failed: {_last_words(done)}")
        with np.load(answer, allow_pickle=False) as results:
            arrays = {name: results[name] for name in results.files}
        facts = json.loads(arrays.pop("facts").tobytes())
        return facts, {name: (facts[name], data) for name, data in arrays.items()}


def _last_words(done):
    """The error in what a process printed: its first line that says error, or the last one."""
    lines = (done.stderr.strip() or done.stdout.strip() or f"it ended with {done.returncode}").splitlines()
    return next((line for line in lines if ": error: " in line or line.startswith("finding")), lines[-1])


def plan_of(folder, name, phase, modules, platform=None):
    """What to run for a phase (None: the whole operator), and the last module of it."""
    content = interfaces.load(folder)
    single = modules == 1 or phase is None
    module_file = f"{name}_impl.py" if single else f"modules/{state.module_file(name, phase)}"
    chain = content["modules"] if phase is None else content["modules"][: int(phase.lstrip("M_"))]
    last = chain[-1]
    outputs = content["final_outputs"]
    if phase is not None:
        outputs = [{"name": entry["name"], "source": last["id"]} for entry in last["outputs"]]
    used = {it["name"] for part in chain for it in part.get("inputs") or [] if it["source"] == "primary"}
    primary = [entry["name"] for entry in content["primary_inputs"]]
    checks = content.get("composition_verification") or {}
    cases = [
        {"seed": int(seed), "values": values, "shapes": _shapes(content["primary_inputs"], values)}
        for values in checks.get("shapes") or [{}]
        for seed in checks.get("seeds") or [0]
    ]
    plan = {
        "golden": str(folder / f"{name}_golden.py"),
        "impl": str(folder / module_file),
        "wrapper": Path(module_file).stem.removesuffix("_impl") + "_wrapper",
        "primary": content["primary_inputs"],
        "given": primary if single else [it for it in primary if it in used],
        "chain": chain,
        "outputs": outputs,
        "names": [output["name"] for output in outputs],
        "cases": cases,
        "platform": platform,
        "tolerance": {key: float(checks[key]) for key in ("atol", "rtol") if key in checks},
    }
    return plan, last


def fingerprint(folder, name, phase, modules, platform):
    """A hash of everything a verification depends on: the plan, every source of the folder, this tool."""
    from tilesmith import __version__

    plan, _ = plan_of(folder, name, phase, modules, platform)
    sources = {path.relative_to(folder).as_posix(): records.sha256(path) for path in sorted(folder.rglob("*.py"))}
    text = json.dumps([plan, sources, __version__, sys.version], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def difference(got, want, tolerance=None):
    """What is wrong with a tensor, with its first bad element; None if the judge accepts it."""
    from tilesmith.judge.verdict import compare

    (actual, data), (golden, expected) = got, want
    if actual["shape"] != golden["shape"]:
        return f"the shape is {actual['shape']}, expected {golden['shape']}"
    verdict = compare.tensors(actual, data, golden, expected)
    a, g = _tensor(actual, data), _tensor(golden, expected)
    wrong = _wrong(a, g, verdict, golden["dtype"], tolerance)
    if not len(wrong):
        return None if verdict.passed else verdict.reason
    at = wrong[0].tolist()
    reason = f"; {verdict.reason}" if not verdict.passed else ""
    return (
        f"{len(wrong)} of {a.numel()} elements differ, the first at {at}: {a[tuple(at)]:.9g}, expected {g[tuple(at)]:.9g}{reason}"
    )


def _tensor(facts, data):
    import torch

    dtype = getattr(torch, facts["dtype"])
    tensor = torch.from_numpy(data.copy()).view(dtype).reshape(facts["shape"])
    return tensor.to(torch.float64) if tensor.is_floating_point() else tensor.to(torch.int64)


def _wrong(a, g, verdict, dtype, tolerance):
    """Places that differ: beyond the judge's bound for one element (or for their mean, if that fails), beyond the tolerance."""
    import torch

    from tilesmith.judge.verdict.compare import _tilesmith

    if not a.is_floating_point():
        return (a != g).nonzero()
    bound = _tilesmith.threshold(dtype) or 2.0**-13
    relative = (a - g).abs() / g.abs().clamp(min=bound)
    same = (a == g) | (a.isnan() & g.isnan())
    bad = torch.zeros_like(same)
    if not verdict.passed:
        bad = ~(relative < 10 * bound) & ~same
        bad = bad if bad.any() else ~(relative < bound) & ~same
    if tolerance:
        bad |= ~torch.isclose(a, g, rtol=tolerance.get("rtol", 0.0), atol=tolerance.get("atol", 0.0), equal_nan=True)
    return bad.nonzero()


def both(sides, plan, folder):
    """What two sides give that run beside each other."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as threads:
        started = [threads.submit(run, side, plan, folder) for side in sides]
        return [each.result() for each in started]


def verify(folder, name, phase, modules, platform=None):
    """Verifies an operator up to a phase (None: the whole). Returns (results compared, model time in us). Raises Drift."""
    plan, last = plan_of(folder, name, phase, modules, platform)
    (_, expected), (facts, actual) = both(("golden", "impl"), plan, folder)
    sources = {part["id"]: part["name"] for part in plan["chain"]}
    for index, case in enumerate(plan["cases"]):
        for output in plan["outputs"]:
            key = f"{index}.{output['name']}"
            if found := difference(actual[key], expected[key], plan["tolerance"]):
                where = f"{output['source']} ({sources.get(output['source'], last['name'])}), {output['name']}"
                boundary = _boundary(folder, name, modules, platform) if phase is None and modules > 1 else ""
                raise Drift(f"{where}, shapes {case['shapes']}, seed {case['seed']}: {found}{boundary}")
    if not facts["launches"]:
        raise Drift(f"'{plan['wrapper']}' launches no kernel: its results are computed on the host")
    kept = [output for output in plan["names"] if not difference(actual[f"replaced.0.{output}"], expected[f"0.{output}"])]
    if kept and any(expected[f"0.{output}"][1].size for output in kept):
        raise Drift(f"{', '.join(kept)}: right although every result of the launches was replaced; the kernel does not compute it")
    for output in plan["names"]:
        if left := _not_moved(facts, actual, output):
            raise Drift(f"{output}: {left} elements are not what a launch wrote: the wrapper computes them")
    if len(set(facts["launches_by_case"])) > 1:
        counts = ", ".join(f"{count} with {case['values']}" for count, case in zip(facts["launches_by_case"], plan["cases"]))
        raise Drift(f"the number of launches depends on the shape ({counts}): the wrapper loops over chunks")
    return len(plan["cases"]) * len(plan["names"]), facts.get("time_us")


def _not_moved(facts, actual, output):
    """How many elements of the first case are not bytes of launches: what the wrapper adds or computes."""
    from tilesmith.judge.verdict import evidence

    (described, first), (_, second) = actual[f"replaced.0.{output}"], actual[f"other.0.{output}"]
    if first.shape != second.shape or described["dtype"] not in evidence.wire.SIZES:
        return len(first)
    return evidence.moved(first, second, actual["table"][1], described["dtype"])


def _boundary(folder, name, modules, platform):
    """The first module whose own file is wrong too, as words; or that all of them are right."""
    for number in range(1, modules + 1):
        try:
            verify(folder, name, f"M{number}", modules, platform)
        except Drift as drift:
            return f"\nfirst wrong module: M{number}: {drift}"
    return "\nevery module's own file is right: what differs came in when the impl was made of the last one"


def _shapes(primary, values):
    return {entry["name"]: [interfaces.extent(one, values) for one in entry["shape"]] for entry in primary}
