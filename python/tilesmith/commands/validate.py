"""`tilesmith validate`: does a candidate compute in its kernels?"""

DSLS = ("triton", "asc2", "ascendc")


def add_parser(commands):
    text = "check statically that candidates compute in their kernels"
    sub = commands.add_parser("validate", help=text, description=text[0].upper() + text[1:] + ". Exit code 1 if one does not.")
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
