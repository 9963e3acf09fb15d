"""`tilesmith validate`: does a candidate compute in its kernels?"""

from tilesmith.schemas import count, listed, text

DSLS = ("triton", "asc2", "ascendc", "pypto")

EXAMPLES = """\
examples:
  tilesmith validate candidate.py
  tilesmith validate candidates/ --json
  tilesmith validate --explain DG301
"""

_REPORT = {
    "valid": {"type": "boolean"},
    "regression_type": {"enum": [None, 1, 2, 3]},
    "suggestion": text("what to do about it"),
    "filepath": text("as it was named"),
    "checks": {"type": "object", "required": ["triton_kernel_exists", "kernel_called_from_forward", "no_forbidden_torch_ops"]},
    "error": text("why the file could not be read"),
}

SCHEMA = {
    "properties": {
        **_REPORT,
        "files": count("that were checked, where several were named"),
        "refused": count("of them"),
        "reports": listed({"type": "object", "properties": _REPORT, "required": ["valid"]}, "in the order of the files"),
        "rules": listed({"type": "object", "required": ["id", "name", "what", "why"]}, "with --rules and --explain"),
    },
    "anyOf": [{"required": [field]} for field in ("valid", "reports", "rules")] + [{"properties": {"errors": {"minItems": 1}}}],
}


def add_parser(commands):
    text = "check statically that candidates compute in their kernels"
    sub = commands.add_parser(
        "validate", help=text, description=text[0].upper() + text[1:] + ". Exit code 1 if one does not.", epilog=EXAMPLES
    )
    sub.add_argument("files", nargs="*", metavar="FILE", help="a candidate (class ModelNew), or a folder: all *.py below it")
    sub.add_argument("--jsonl", action="store_true", help="the reports as JSON, one on a line, as each file is done")
    sub.add_argument("--dsl", choices=DSLS, help="only kernels of this language count (default: any)")
    sub.add_argument(
        "--strict-loops",
        action="store_true",
        help="refuse Python loops and append reachable from forward, too (--enable python-loop)",
    )
    sub.add_argument(
        "--strict-launches",
        action="store_true",
        help="refuse more than one launch reachable from forward, too (--enable second-launch)",
    )
    sub.add_argument("--enable", action="append", default=[], metavar="RULE", help="switch on a rule, by id or name")
    sub.add_argument("--disable", action="append", default=[], metavar="RULE", help="switch off a rule, by id or name")
    sub.add_argument("--rules", action="store_true", help="list the rules")
    sub.add_argument("--explain", metavar="RULE", help="print the page about a rule")
    sub.add_argument("--jobs", type=positive, metavar="N", help="processes (default: one for few files, else one per core)")
    return sub


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def command(args):
    from tilesmith.validate import validate_command

    args.document.specified = True
    return validate_command(args)
