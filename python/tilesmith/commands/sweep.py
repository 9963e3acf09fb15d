"""`tilesmith sweep`: every candidate below a folder, judged."""

import os

from tilesmith.schemas import count, listed, text

EXAMPLES = """\
examples:
  tilesmith sweep tasks/ -j 4 --html sweep.html
  tilesmith sweep tasks/ --bench --executor ray
"""

SCHEMA = {
    "properties": {
        "folder": text("of tasks and candidates"),
        "journal": text("file of results"),
        **{name: count("candidates") for name in ("candidates", "passed", "failed", "not_judged", "waiting")},
        "records": listed(
            {"type": "object", "required": ["candidate", "status"]}, "of the candidates that were judged (docs/sweep.md)"
        ),
    },
    "required": ["folder", "journal", "candidates", "passed", "failed", "not_judged", "waiting", "records"],
}


def add_parser(commands):
    text = "judge every candidate of every task below a folder"
    parser = commands.add_parser("sweep", help=text, description=text[0].upper() + text[1:] + ".", epilog=EXAMPLES)
    parser.add_argument("folder", help="folder with tasks and candidates (docs/sweep.md)")
    parser.add_argument(
        "-j",
        "--jobs",
        type=int,
        default=max(1, (os.cpu_count() or 2) // 2),
        metavar="N",
        help="candidates judged at the same time (default: half of the processors)",
    )
    parser.add_argument(
        "--output",
        default="results.jsonl",
        metavar="FILE",
        help="journal of results; a sweep continues where it ended (default: %(default)s)",
    )
    parser.add_argument(
        "--html", metavar="FILE", help="write a summary as a page, and a page for each candidate in the folder FILE_candidates"
    )
    parser.add_argument(
        "--executor", default="local", metavar="local|ray|ray://HOST:PORT", help="where candidates run (default: local)"
    )
    parser.add_argument("--bench", action="store_true", help="benchmark candidates that are right")
    parser.add_argument("--warmup", type=int, default=5, help="calls before the timed ones (default 5)")
    parser.add_argument("--repeats", type=int, default=50, help="timed calls (default 50)")
    parser.add_argument("--timeout", type=float, default=900, help="seconds a candidate may take (default 900)")
    parser.add_argument("--strict", action="store_true", help="findings beyond the specification fail a case, too")
    parser.add_argument("--hifloat32", action="store_true", help="judge float32 results as hifloat32")
    parser.add_argument("-v", "--platform", help="platform of kernels on the model, such as Ascend950PR_9599")
    parser.add_argument(
        "--no-validate", dest="validate", action="store_false", help="skip the static check for degenerate candidates"
    )
    return parser


def command(args):
    from tilesmith.judge.sweep import sweep

    return sweep.command(args)
