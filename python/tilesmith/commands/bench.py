"""`tilesmith bench`: how fast is a candidate that is right?"""

import math

from tilesmith.judge import DEFAULT_IMPL
from tilesmith.schemas import count, listed, text

EXAMPLES = """\
examples:
  tilesmith bench --op_name softmax --verify_dir out --output out/perf.json     after `tilesmith verify`
  tilesmith bench --op_name softmax --verify_dir out --compare out/perf.json
"""

SCHEMA = {
    "properties": {
        "op_name": text("of the task"),
        **{name: count("as measured") for name in ("warmup", "repeats", "total_cases", "passed_cases", "failed_cases")},
        "per_shape_results": listed({"type": "object"}, "one for each case (docs/bench.md)"),
        "details": {"type": "object", "description": "seed, isolation, times, findings"},
        "comparison": listed({"type": "object"}, "with --compare: what changed, shape by shape"),
    },
    "required": ["op_name", "warmup", "repeats", "total_cases", "passed_cases", "failed_cases", "per_shape_results", "details"],
}


def add_parser(commands):
    sub = commands.add_parser(
        "bench",
        help="time a verified candidate against its task",
        description="Time a verified candidate against its task.",
        epilog=EXAMPLES,
    )
    sub.add_argument("--op_name", metavar="NAME", help="the task is NAME_torch.py and the candidate NAME_IMPL.py in verify_dir")
    sub.add_argument(
        "--verify_dir", default=".", metavar="DIR", help="folder of both, and of the result of `verify` (default: here)"
    )
    sub.add_argument("--triton_impl_name", default=DEFAULT_IMPL, metavar="IMPL", help=f"(default: {DEFAULT_IMPL})")
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
        "--accept",
        action="append",
        default=[],
        metavar="FINDING",
        help="time it in spite of findings of `verify` with this id (docs/verify.md)",
    )
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


def command(args):
    from tilesmith.judge.timing import bench

    args.document.specified = True
    return bench.command(args)
