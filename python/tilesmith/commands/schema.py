"""`tilesmith schema`: what `--json` prints, as JSON Schema."""

EXAMPLES = """\
examples:
  tilesmith schema prof
  tilesmith schema > tilesmith.schema.json
"""

SCHEMA = {"properties": {"schema": {"type": "object", "description": "JSON Schema, draft 2020-12"}}, "required": ["schema"]}


def add_parser(commands):
    sub = commands.add_parser(
        "schema",
        help="print the JSON Schema of what `--json` prints",
        description="Print the JSON Schema (draft 2020-12) of what `--json` prints: of one command, or of all.",
        epilog=EXAMPLES,
    )
    sub.add_argument("verb", nargs="?", metavar="COMMAND", help="one command (default: all, told apart by their field `command`)")
    return sub


def command(args):
    import json

    from tilesmith import commands, schemas
    from tilesmith.arguments import suggestion
    from tilesmith.document import Failure

    if args.verb and args.verb not in commands.verbs():
        raise Failure(f"no command is called '{args.verb}'{suggestion(args.verb, commands.verbs())}")
    schema = schemas.schema_of(args.verb) if args.verb else schemas.everything()
    args.document["schema"] = schema
    if not args.json:
        print(json.dumps(schema, indent=2))
    return 0
