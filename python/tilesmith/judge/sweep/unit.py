"""One job of a sweep: a candidate, judged. `python -m tilesmith.judge.sweep.unit` takes jobs on stdin, a line each, and writes records
to stdout, a line each.

A job holds the folder, task and candidate in it, the options of the sweep and the records of cases that are known already.
Records are dictionaries: one for each case when it is verified, one more when it is timed, and at the end one of the candidate.
"""

import contextlib
import ctypes
import io
import json
import os
import secrets
import signal
import sys
import tempfile
import time

from ..isolation.process import TimedOut, WorkerError, scratch
from ..verdict import verify
from ..verdict.findings import WRONG, fail_strictly
from ..verdict.result import truncated

_SET_PDEATHSIG = 1


class _Stop(Exception):
    """The candidate's fate is known."""

    def __init__(self, status, error_type, error_msg):
        super().__init__(error_msg)
        self.status, self.error_type, self.error_msg = status, error_type, error_msg


def can_validate():
    """Whether this build has the command `validate`."""
    from tilesmith.__main__ import parser

    try:
        with contextlib.redirect_stderr(io.StringIO()):
            parser().parse_args(["validate", "file", "--json"])
    except SystemExit:
        return False
    return True


def _validate(candidate, record):
    """The static check, as the command `validate` does it. Raises _Stop for a degenerate candidate."""
    from tilesmith.__main__ import main

    if not can_validate():
        return
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        main(["validate", candidate, "--json"])
    record["validate"] = found = json.loads(out.getvalue())
    if not found["valid"]:
        error = next((check["error"] for check in found.get("checks", {}).values() if check["error"]), None)
        error = error or found.get("error") or found.get("suggestion")
        if str(error).startswith("the file does not parse"):
            raise _Stop("fail", "SyntaxError", error)
        raise _Stop("fail", "Degenerate", f"type {found.get('regression_type')}: {error}")


def _case_record(case):
    return {
        "record": "case",
        "stage": "verify",
        "case_idx": case.index,
        "input_desc": case.input_desc(),
        "status": "pass" if case.passed else "fail",
        "error_type": case.error_type or None,
        "error_msg": truncated(case.error_msg) if case.error_msg else None,
    }


def _verify(job, task, candidate, record, emit):
    """Verifies the cases nobody has verified yet; raises _Stop unless all are right."""
    from ..verdict.session import Session

    options = job["options"]
    known = {done["case_idx"]: done for done in job["done"] if done.get("stage") == "verify"}

    def judged(case):
        emit(_case_record(case))

    with Session(task, candidate, options["timeout"], hifloat32=options["hifloat32"], platform=options["platform"]) as session:
        cases = session.verdicts(skip=known, on_case=judged)
        for case in cases:
            if done := known.get(case.index):
                case.error_type, case.error_msg = done["error_type"] or "", done["error_msg"] or ""
        findings = session.findings()
        record["evidence"], record["platforms"] = session.evidence_of, sorted(session.platforms)
    for case in fail_strictly(cases, findings) if options["strict"] else ():
        emit(_case_record(case))
    passed = sum(case.passed for case in cases)
    record["verify"] = {"total_cases": len(cases), "passed_cases": passed, "failed_cases": len(cases) - passed}
    record["findings"] = [finding.to_json() for finding in findings]
    if not cases:
        raise _Stop("fail", "NoCases", "the task has no cases")
    if passed < len(cases):
        first = next(case for case in cases if not case.passed)
        raise _Stop("fail", first.error_type, f"case {first.index}: {truncated(first.error_msg)}")


def _bench(job, task, candidate, record, emit):
    from ..timing.benchmark import measured, open_session

    def timed(shape, detail):
        record = {"record": "case", "stage": "bench"}
        record |= {
            name: shape[name] for name in ("case_idx", "input_desc", "status", "error_type", "error_msg", "speedup_vs_torch")
        }
        record |= {name: detail[name] for name in ("framework", "implementation", "findings")}
        record["operators"] = (shape["implementation"] or {}).get("operators") or {}
        emit(record)

    options = job["options"]
    with open_session(task, candidate, options["timeout"], hifloat32=options["hifloat32"], platform=options["platform"]) as session:
        content = measured(
            job["op_name"],
            session,
            options["warmup"],
            options["repeats"],
            options["timeout"],
            secrets.randbelow(1 << 31),
            on_case=timed,
        )
    known = ("op_name", "warmup", "repeats", "per_shape_results", "details")
    record["bench"] = {name: value for name, value in content.items() if name not in known}
    record["bench"]["findings"] = content["details"]["findings"]
    if content["failed_cases"]:
        first = next(shape for shape in content["per_shape_results"] if shape["status"] == "fail")
        raise _Stop("fail", first["error_type"], f"case {first['case_idx']}, timed: {first['error_msg']}")


def _check_gate(record):
    """What is wrong though every case passed is not timed, as in `tilesmith bench`."""
    for finding in record["findings"]:
        if finding["id"] in WRONG:
            raise _Stop("fail", "GateShut", f"case {finding['case_idx']}: {finding['text']} [{finding['id']}]")


def judge(job, emit):
    """Judges a candidate; `emit` gets the records."""
    began = time.monotonic()
    task = os.path.join(job["folder"], job["task"])
    record = {
        "record": "candidate",
        "status": "pass",
        "validate": None,
        "verify": None,
        "bench": None,
        "findings": [],
        "error_type": None,
        "error_msg": None,
    }
    try:
        with tempfile.TemporaryDirectory(dir=scratch()) as folder:
            candidate = verify.snapshot(os.path.join(job["folder"], job["candidate"]), folder)
            if job["options"]["validate"]:
                _validate(candidate, record)
            _verify(job, task, candidate, record, emit)
            if job["options"]["bench"]:
                _check_gate(record)
                _bench(job, task, candidate, record, emit)
    except _Stop as end:
        record.update(status=end.status, error_type=end.error_type, error_msg=end.error_msg)
    except TimedOut:
        record.update(status="fail", error_type="TimeoutError", error_msg=f"验证超时({job['options']['timeout']:g}秒)")
    except WorkerError as error:
        at_fault = "error" if getattr(error, "role", "") == "task" else "fail"
        record.update(status=at_fault, error_type=error.error_type, error_msg=truncated(error.error_msg))
    except OSError as error:
        record.update(status="error", error_type=type(error).__name__, error_msg=str(error))
    record["seconds"] = round(time.monotonic() - began, 3)
    emit(record)


def records(job):
    """All records of a job at once, for executors that cannot stream."""
    found = []
    judge(job, found.append)
    return found


def main():
    ctypes.CDLL(None).prctl(_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0)
    if os.getppid() == 1:  # the sweep was gone before we could ask to go with it
        return 1
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # records alone go to stdout

    def emit(record):
        out.write(json.dumps(record, allow_nan=False) + "\n")
        out.flush()

    with contextlib.redirect_stdout(sys.stderr):
        for line in sys.stdin:
            judge(json.loads(line), emit)
    return 0


if __name__ == "__main__":
    sys.exit(main())
