"""The real verification of a phase: the wrapper against the golden, on the Machine, in processes of their own.

The golden side computes module after module from the primary inputs, the other one calls the wrapper. Neither knows the other's
results; they are compared here, and the first element that differs is named with its module.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tilesmith.operators import interfaces, state

TIME_LIMIT = 600
CHILD = Path(__file__).with_name("verification_child.py")


class Drift(Exception):
    """A result that is not the golden one, or a side that failed. `str()` names the module and the first bad element."""


def _run(side, plan, folder):
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
            lines = (done.stderr.strip() or done.stdout.strip() or f"it ended with {done.returncode}").splitlines()
            raise Drift(f"the {side} failed: {lines[-1]}")
        import numpy as np

        with np.load(answer, allow_pickle=False) as results:
            return {name: results[name] for name in results.files}


def verify(folder, name, phase, modules):
    """Verifies an operator up to a phase (None: the whole). Returns (cases compared, model time in us or None). Raises Drift."""
    import numpy as np

    content = interfaces.load(folder)
    single = modules == 1 or phase is None
    module_file = f"{name}_impl.py" if single else f"modules/{state.module_file(name, phase)}"
    wrapper = Path(module_file).stem.removesuffix("_impl") + "_wrapper"
    chain = content["modules"] if phase is None else content["modules"][: int(phase.lstrip("M_"))]
    last = chain[-1]
    outputs = [entry["name"] for entry in (content["final_outputs"] if phase is None else last["outputs"])]
    checks = content.get("composition_verification") or {}
    atol, rtol = float(checks.get("atol", 1e-3)), float(checks.get("rtol", 1e-3))
    cases = [
        {"seed": int(seed), "values": values, "shapes": _shapes(content["primary_inputs"], values)}
        for values in checks.get("shapes") or [{}]
        for seed in checks.get("seeds") or [0]
    ]
    plan = {
        "golden": str(folder / f"{name}_golden.py"),
        "impl": str(folder / module_file),
        "wrapper": wrapper,
        "primary": content["primary_inputs"],
        "chain": chain,
        "outputs": outputs,
        "cases": cases,
    }
    expected, actual = _run("golden", plan, folder), _run("impl", plan, folder)
    time_us = float(actual["time_us"]) if "time_us" in actual else None
    for index, case in enumerate(cases):
        for output in outputs:
            key = f"{index}.{output}"
            want, got = expected[key], actual.get(key)
            where = f"{last['id']} ({last['name']}), {output}, shapes {case['shapes']}, seed {case['seed']}"
            if got is None or got.shape != want.shape:
                raise Drift(f"{where}: the shape is {None if got is None else got.shape}, expected {want.shape}")
            wrong = ~np.isclose(got, want, rtol=rtol, atol=atol, equal_nan=True)
            if wrong.any():
                at = tuple(int(i) for i in np.argwhere(wrong)[0])
                count = int(wrong.sum())
                raise Drift(
                    f"{where}: {count} of {want.size} elements differ, the first at {list(at)}: {got[at]:.9g}, expected {want[at]:.9g}"
                )
    return len(cases) * len(outputs), time_us


def _shapes(primary, values):
    return {entry["name"]: [interfaces.extent(one, values) for one in entry["shape"]] for entry in primary}
