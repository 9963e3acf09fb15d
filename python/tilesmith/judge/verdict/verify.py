"""`tilesmith verify`: is a candidate right? docs/verify.md says what exactly is done.

Exit codes: 0 all cases passed, 1 anything else, 2 the command line is wrong.
"""

import os
import shutil
import sys
import tempfile

from tilesmith import terminal
from tilesmith.document import Failure

from ..isolation.process import SOURCES, Limits, TimedOut, WorkerError, scratch
from . import result, signature
from .findings import ADVISORY, fail_strictly


def files_of(args):
    """(name, task, candidate, result file)."""
    if (args.task is None) != (args.impl is None):
        args.usage_error("--task and --impl belong together")
    if args.task is None and args.op_name is None:
        args.usage_error("the following arguments are required: --op_name, or --task and --impl")
    output = args.output or os.path.join(args.verify_dir, result.result_name(args.triton_impl_name))
    if args.task is not None:
        name = args.op_name or os.path.splitext(os.path.basename(args.task))[0].removesuffix("_torch")
        return name, args.task, args.impl, output
    return (
        args.op_name,
        os.path.join(args.verify_dir, f"{args.op_name}_torch.py"),
        os.path.join(args.verify_dir, f"{args.op_name}_{args.triton_impl_name}.py"),
        output,
    )


class _Refused(Exception):
    """No verification took place; the text says why."""


def command(args):
    name, task, candidate, output = files_of(args)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows no Chinese, a traceback that is no text
    written = False
    try:
        try:
            result.remove(output)
        except OSError as error:
            raise _Refused(f"the old result cannot be removed: {error}") from None
        if not os.path.isdir(args.verify_dir):
            raise _Refused(f"there is no folder '{args.verify_dir}'")
        if not os.path.isdir(os.path.dirname(os.path.abspath(output))):
            raise _Refused(f"there is no folder for the result '{output}'")
        for path in (task, candidate, *args.extra):
            if not os.path.isfile(path):
                raise _Refused(f"there is no file '{path}'")
        content = _verify(args, name, task, candidate)
        content = _signed(content)
        result.write(output, content)
        written = True
    except (_Refused, OSError) as error:
        raise Failure(str(error), 1, "refused") from None
    except TimedOut:
        print(f"验证超时({args.timeout}秒)")
        args.document.error("timeout", f"验证超时({args.timeout}秒)")
        return 1
    except WorkerError as error:
        side = {"task": task, "candidate": candidate}.get(getattr(error, "role", ""), name)
        raise Failure(f"{side}: {error.error_type}\n{error.error_msg.rstrip()}", 1, "script") from None
    finally:
        if not written:
            try:
                result.remove(output)  # whoever wrote it, it was not us
            except OSError:
                pass
    args.document.update(content)
    return 0 if content["passed_cases"] == content["total_cases"] > 0 else 1


def _signed(content):
    try:
        return signature.signed(content)
    except OSError as error:
        help = "TILESMITH_JUDGE_KEY names a file for the key of the judge"
        print(f"tilesmith: the result is not signed: {error}\n  help: {help}", file=sys.stderr)
        return {**content, signature.FIELD: None}


def snapshot(candidate, folder):
    """The candidate and its C++ sources as they are now; what is judged is what is hashed."""
    beside = os.path.dirname(os.path.abspath(candidate))
    for name in [os.path.basename(candidate)] + [name for name in os.listdir(beside) if name.endswith(SOURCES)]:
        shutil.copyfile(os.path.join(beside, name), os.path.join(folder, name))
    return os.path.join(folder, os.path.basename(candidate))


def _verify(args, name, task, candidate):
    from .session import Session

    limits = Limits()
    if args.memory:
        limits.memory = int(args.memory * (1 << 30))
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        copy = snapshot(candidate, folder)
        bound = result.bindings(task, copy)
        with Session(task, copy, args.timeout, limits, args.extra, args.hifloat32, args.platform) as session:
            with terminal.progress(f"verifying {name}") as bar:
                cases = session.verdicts(on_case=lambda case: bar.advance(text=f"verifying {name}: {case.index} cases"))
                bar.advance(0, text=f"verifying {name}: reruns")
                findings = session.findings()
            if args.strict and not session.complete:
                raise TimedOut("TimeoutError", "the reruns did not end in time")
            isolation, complete, printed = session.isolation, session.complete, session.printed
            shown = {"evidence": session.evidence_of, "platforms": sorted(session.platforms)}
        if result.bindings(task, copy) != bound:
            raise _Refused(f"'{task}' changed while it was judged")
    content = _content(name, cases, findings, args.strict)
    content.update(
        strict=args.strict,
        findings=[finding.to_json() for finding in findings],
        findings_complete=complete,
        isolation=isolation,
        **shown,
        **bound,
    )
    _print(content, cases, findings, args.strict, complete)
    if printed.strip() and content["failed_cases"]:
        # Marked line by line, so that nothing of it can be taken for ours.
        print("the candidate printed:\n" + "\n".join(f"  | {line}" for line in result.truncated(printed).splitlines()))
    return content


def _content(name, cases, findings, strict):
    failures = []
    if strict:
        fail_strictly(cases, findings)
    for case in cases:
        if not case.passed:
            failures.append(
                {
                    "case_idx": case.index,
                    "input_desc": case.input_desc(),
                    "error_type": case.error_type,
                    "error_msg": result.truncated(case.error_msg),
                }
            )
    return {
        "op_name": name,
        "total_cases": len(cases),
        "passed_cases": len(cases) - len(failures),
        "failed_cases": len(failures),
        "failures": failures,
    }


def _print(content, cases, findings, strict, complete):
    total, passed = content["total_cases"], content["passed_cases"]
    if not total:
        print(f"{content['op_name']}: the task has no cases, nothing was verified")
        return
    print(f"{content['op_name']}: {passed} of {total} case{'' if total == 1 else 's'} passed")
    for case in cases:
        if not case.passed:
            lines = case.error_msg.rstrip().splitlines() or [""]
            text = lines[-1] if case.error_type not in ("AssertionError", "StrictFinding") else "\n    ".join(lines[:5])
            print(f"  case {case.index}: {case.error_type}: {text}")
    shown = [finding for finding in findings if not strict or finding.id in ADVISORY]
    if shown:
        print("findings:" if strict else "findings, which --strict would count:")
        for finding in shown:
            print(f"  {finding}")
    if not complete:
        print("not all reruns fitted into the time; findings may be missing")
    if not all(content["isolation"].values()):
        missing = ", ".join(what for what, kept in content["isolation"].items() if not kept)
        print(f"this system does not allow to isolate: {missing}")
