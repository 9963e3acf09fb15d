"""`tilesmith api`: what a function of the languages is called, takes and does."""

from tilesmith.schemas import listed, text

EXAMPLES = """\
examples:
  tilesmith api asc2.load
  tilesmith api --search reduce
  tilesmith api --calls kernel.py
"""

_ENTRY = {
    "type": "object",
    "properties": {
        "name": text("with its module"),
        "signature": text("as it is called"),
        "documentation": text("of it"),
        "exists": {"type": "boolean"},
    },
    "required": ["name"],
}
SCHEMA = {"properties": {"functions": listed(_ENTRY, "that were asked for, by name")}, "required": ["functions"]}


def add_parser(commands):
    help = "look up functions of asc, asc2 and pypto"
    sub = commands.add_parser(
        "api", help=help, description=help[0].upper() + help[1:] + ". Exit code 1 if there is none.", epilog=EXAMPLES
    )
    sub.add_argument("name", nargs="?", metavar="NAME", help="such as asc2.load")
    sub.add_argument("--search", metavar="WORD", help="names and documentation with this word")
    sub.add_argument("--calls", metavar="FILE", help="the functions of the languages that a file calls")
    return sub


def command(args):
    from tilesmith import terminal
    from tilesmith.document import Failure
    from tilesmith.lint import api

    if bool(args.name) + bool(args.search) + bool(args.calls) != 1:
        raise Failure("one of NAME, --search WORD and --calls FILE is asked for")
    if args.calls:
        try:
            found = api.calls(args.calls)
        except (OSError, SyntaxError, UnicodeError) as error:
            raise Failure(f"cannot read '{args.calls}': {error}", 1, "file") from None
    else:
        found = api.search(args.search) if args.search else api.lookup(args.name)
    args.document["functions"] = found
    if not found:
        raise Failure(f"there is no '{args.name or args.search}'{api.near(args.name or args.search)}", 1)
    if not args.json:
        terminal.write("".join(api.line(each, whole=bool(args.name)) for each in found))
    return 1 if args.calls and any(not each["exists"] for each in found) else 0
