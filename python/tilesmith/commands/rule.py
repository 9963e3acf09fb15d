"""`tilesmith rule`: what a rule of `tilesmith lint` says."""

from tilesmith.schemas import listed

EXAMPLES = """\
examples:
  tilesmith rule TS106
  tilesmith rule loose-tolerance
  tilesmith rule --json
"""

SCHEMA = {
    "properties": {
        "rules": listed({"type": "object", "required": ["id", "name", "severity", "what", "why", "use"]}, "that were asked for")
    },
    "required": ["rules"],
}


def add_parser(commands):
    help = "explain a rule of lint, or list them"
    sub = commands.add_parser("rule", help=help, description=help[0].upper() + help[1:] + ".", epilog=EXAMPLES)
    sub.add_argument("rule", nargs="?", metavar="ID", help="its id or name; without it the list")
    return sub


def command(args):
    import sys

    from tilesmith.document import Failure
    from tilesmith.lint import rules

    try:
        found = [rules.find(args.rule)] if args.rule else rules.rules()
    except ValueError as error:
        raise Failure(str(error)) from None
    args.document["rules"] = found
    if not args.json:
        sys.stdout.write(rules.page(found[0]) if args.rule else rules.listing())
    return 0
