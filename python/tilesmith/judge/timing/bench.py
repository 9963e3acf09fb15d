"""`tilesmith bench`: how fast is a candidate that is right? docs/bench.md says what exactly is done.

Exit codes: 0 every case was tried, whatever came of it, 1 nothing could be measured, 2 the gate is shut or the command line wrong.
"""

import json
import os
import secrets
import sys
import tempfile

from tilesmith import terminal
from tilesmith.document import Failure

from ..isolation.process import TimedOut, WorkerError, scratch
from ..verdict import result, signature, verify
from . import gate, report


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
            gate.check(
                args.verify_result or os.path.join(args.verify_dir, gate.result_name(args.triton_impl_name)),
                bound,
                name,
                args.accept,
            )
            if not signature.can_sign():
                print(f"tilesmith: results are not signed here; {signature.HELP}", file=sys.stderr)
        seed = secrets.randbelow(1 << 31) if args.seed is None else args.seed
        with (
            open_session(task, copy, args.timeout, args.extra, args.hifloat32, args.platform) as session,
            terminal.progress(f"timing {name}") as bar,
        ):
            content = measured(
                name,
                session,
                args.warmup,
                args.repeats,
                args.timeout,
                seed,
                args.framework_latency_ms if args.skip_framework else None,
                accept=args.accept,
                on_case=lambda shape, detail: bar.advance(text=f"timing {name}: {bar.done + 1} cases"),
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
        args.document.error("refused", str(error))
        return 2
    except (Refused, OSError) as error:
        raise Failure(str(error), 1, "refused") from None
    except TimedOut as error:
        raise Failure(f"{name}: {error.error_msg}", 1, "timeout") from None
    except WorkerError as error:
        side = {"task": task, "candidate": candidate}.get(getattr(error, "role", ""), name)
        raise Failure(f"{side}: {error.error_type}\n{error.error_msg.rstrip()}", 1, "script") from None
    args.document.update(content)
    if not args.output and not args.json:
        print(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))
    people = sys.stdout if args.output else sys.stderr
    print(report.table(content), file=people)
    if baseline is not None:
        compared = report.comparison(content, baseline)
        args.document["comparison"] = compared
        print(report.comparison_table(compared, args.compare), file=people)
    return 0
