"""`tilesmith bench`: how fast is a candidate that is right? docs/bench.md says what exactly is done.

Exit codes: 0 every case was tried, whatever came of it, 1 nothing could be measured, 2 the gate is shut or the command line wrong.
"""

import json
import math
import os
import secrets
import sys
import tempfile

from ..isolation.process import TimedOut, WorkerError, scratch
from ..verdict import result, verify
from . import gate, report


def add_parser(commands):
    sub = commands.add_parser(
        "bench", help="time a verified candidate against its task", description="Time a verified candidate against its task."
    )
    sub.add_argument("--op_name", metavar="NAME", help="the task is NAME_torch.py and the candidate NAME_IMPL.py in verify_dir")
    sub.add_argument(
        "--verify_dir", default=".", metavar="DIR", help="folder of both, and of the result of `verify` (default: here)"
    )
    sub.add_argument("--triton_impl_name", default=gate.DEFAULT_IMPL, metavar="IMPL", help=f"(default: {gate.DEFAULT_IMPL})")
    sub.add_argument("--task", metavar="FILE", help="the task, wherever it is; defines Model")
    sub.add_argument("--impl", metavar="FILE", help="the candidate, wherever it is; defines ModelNew")
    sub.add_argument(
        "--with", dest="extra", action="append", default=[], metavar="FILE", help="a file the candidate needs beside it"
    )
    sub.add_argument("--warmup", type=_count(0), default=5, metavar="N", help="calls before the timed ones (default 5)")
    sub.add_argument("--repeats", type=_count(1), default=50, metavar="N", help="timed calls (default 50)")
    sub.add_argument("--output", metavar="FILE", help="the result; without it the result goes to stdout")
    sub.add_argument("--skip_framework", action="store_true", help="do not time the task")
    sub.add_argument(
        "--framework_latency_ms", type=_finite, default=0.0, metavar="MS", help="its time, with --skip_framework (default 0.0)"
    )
    sub.add_argument("--verify_not_required", action="store_true", help="time it without a result of `verify`")
    sub.add_argument(
        "--verify_result", metavar="FILE", help="the result of `verify` (default: verify_result*.json in verify_dir, by IMPL)"
    )
    sub.add_argument("--timeout", type=_finite, default=900.0, metavar="SECONDS", help="for each case (default 900)")
    sub.add_argument("--seed", type=int, metavar="N", help="of the inputs; without it they are others each time")
    sub.add_argument("--hifloat32", action="store_true", help="judge float32 results as hifloat32, as `verify` did")
    sub.add_argument("-v", "--platform", help="platform of kernels on the model, such as Ascend950PR_9599")
    sub.add_argument("--compare", metavar="FILE", help="an earlier result: show what changed")
    sub.add_argument("--plot", metavar="FILE.svg", help="draw the speedups")
    sub.set_defaults(usage_error=sub.error)
    return sub


def _count(least):
    def convert(text):
        value = int(text)
        if value < least:
            raise ValueError(text)
        return value

    convert.__name__ = f"number from {least} on"  # argparse shows it
    return convert


def _finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


class Refused(Exception):
    """Nothing was measured; the text says why."""


def _baseline(path):
    try:
        with open(path, "rb") as file:
            return report.check_result(gate.strict_json(file.read()))
    except (OSError, ValueError) as error:
        raise Refused(f"{path} is not a result of a benchmark: {getattr(error, 'strerror', None) or error}") from None


def _bench(args, name, task, candidate):
    from .benchmark import measured, open_session

    baseline = _baseline(args.compare) if args.compare else None
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        copy = verify.snapshot(candidate, folder)  # what the gate saw is what runs
        bound = result.bindings(task, copy)
        if args.verify_not_required:
            print("tilesmith: the gate is open: --verify_not_required", file=sys.stderr)
        else:
            gate.check(args.verify_result or os.path.join(args.verify_dir, gate.result_name(args.triton_impl_name)), bound, name)
        seed = secrets.randbelow(1 << 31) if args.seed is None else args.seed
        with open_session(task, copy, args.timeout, args.extra, args.hifloat32, args.platform) as session:
            content = measured(
                name,
                session,
                args.warmup,
                args.repeats,
                args.timeout,
                seed,
                args.framework_latency_ms if args.skip_framework else None,
            )
        if result.bindings(task, copy) != bound:
            raise Refused(f"'{task}' changed while it was timed")
    content["details"].update(bound)
    return content, baseline


def command(args):
    name, task, candidate, _ = verify.files_of(args)
    if args.timeout <= 0:
        args.usage_error("argument --timeout: it has to be more than 0")
    try:
        for path in (args.output, args.plot):
            if path and not os.path.isdir(os.path.dirname(os.path.abspath(path))):
                raise Refused(f"there is no folder for '{path}'")
        if args.output:
            result.remove(args.output)  # an older result must not be taken for this one
        if not os.path.isdir(args.verify_dir):
            raise Refused(f"there is no folder '{args.verify_dir}'")
        for path in (task, candidate, *args.extra):
            if not os.path.isfile(path):
                raise Refused(f"there is no file '{path}'")
        content, baseline = _bench(args, name, task, candidate)
        if args.output:
            result.write(args.output, content)
        if args.plot:
            from . import plot

            result.write_text(args.plot, plot.svg(content))
    except gate.Refusal as error:
        print(error, file=sys.stderr)
        return 2
    except (Refused, OSError) as error:
        print(f"tilesmith: error: {error}", file=sys.stderr)
        return 1
    except TimedOut as error:
        print(f"tilesmith: error: {name}: {error.error_msg}", file=sys.stderr)
        return 1
    except WorkerError as error:
        side = {"task": task, "candidate": candidate}.get(getattr(error, "role", ""), name)
        print(f"tilesmith: error: {side}: {error.error_type}\n{error.error_msg.rstrip()}", file=sys.stderr)
        return 1
    if not args.output:
        print(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))
    people = sys.stdout if args.output else sys.stderr
    print(report.table(content), file=people)
    if baseline is not None:
        print(report.comparison_table(report.comparison(content, baseline), args.compare), file=people)
    return 0
