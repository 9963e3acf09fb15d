"""`tilesmith verify`: is a candidate right?"""

from tilesmith.judge import DEFAULT_IMPL
from tilesmith.schemas import count, listed, text

EXAMPLES = """\
examples:
  tilesmith verify --task softmax_torch.py --impl my_softmax.py
  tilesmith verify --op_name softmax --verify_dir out          out/softmax_torch.py, out/softmax_triton_ascend_impl.py
  tilesmith verify --op_name softmax --verify_dir out --strict --json
"""

SCHEMA = {
    "properties": {
        "op_name": text("of the task"),
        **{name: count("cases") for name in ("total_cases", "passed_cases", "failed_cases")},
        "failures": listed(
            {"type": "object", "required": ["case_idx", "input_desc", "error_type", "error_msg"]}, "one for each failed case"
        ),
        "strict": {"type": "boolean"},
        "findings": listed({"type": "object"}, "what the verdict cannot see (docs/verify.md)"),
        "findings_complete": {"type": "boolean"},
        "isolation": {"type": "object", "additionalProperties": {"type": "boolean"}},
        "evidence": {"enum": ["device process", "replaced results", "interpreter", "none"]},
        "platforms": listed({"type": "string"}, "that kernels of the candidate ran on"),
        **{f"{name}_sha256": text("of what was judged") for name in ("task", "candidate", "tool")},
        "signature": {"type": ["object", "null"], "description": "of the judge: algorithm, key, value (docs/verify.md)"},
    },
    "required": ["op_name", "total_cases", "passed_cases", "failed_cases", "failures", "findings"],
}


def add_parser(commands):
    sub = commands.add_parser(
        "verify", help="judge a candidate against its task", description="Judge a candidate against its task.", epilog=EXAMPLES
    )
    sub.add_argument("--op_name", metavar="NAME", help="the task is NAME_torch.py and the candidate NAME_IMPL.py in verify_dir")
    sub.add_argument("--verify_dir", default=".", metavar="DIR", help="folder of both (default: here)")
    sub.add_argument("--triton_impl_name", default=DEFAULT_IMPL, metavar="IMPL", help=f"(default: {DEFAULT_IMPL})")
    sub.add_argument("--task", metavar="FILE", help="the task, wherever it is; defines Model")
    sub.add_argument("--impl", metavar="FILE", help="the candidate, wherever it is; defines ModelNew")
    sub.add_argument(
        "--with",
        dest="extra",
        action="append",
        default=[],
        metavar="FILE",
        help="a file the candidate needs beside it (C++ sources beside it come along by themselves)",
    )
    sub.add_argument("--timeout", type=_seconds, default=900, metavar="SECONDS", help="for everything together (default: 900)")
    sub.add_argument(
        "--output",
        metavar="FILE",
        help="the result (default: DIR/verify_result.json; DIR/verify_result_<variant>.json for IMPL triton_<variant>)",
    )
    sub.add_argument("--strict", action="store_true", help="findings fail their case")
    sub.add_argument("--hifloat32", action="store_true", help="judge float32 results as hifloat32")
    sub.add_argument("--memory", type=float, metavar="GIB", help="memory of the candidate (default: three quarters of the host's)")
    sub.add_argument("-v", "--platform", help="platform of kernels on the model, such as Ascend950PR_9599")
    sub.set_defaults(usage_error=sub.error)
    return sub


def _seconds(text):
    value = float(text)
    if not 0 < value < 1e9:
        raise ValueError(text)
    return int(value) if value == int(value) else value


def command(args):
    from tilesmith.judge.verdict import verify

    args.document.specified = True
    return verify.command(args)
