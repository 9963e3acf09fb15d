"""`tilesmith gate`: the checkpoints of a kernel."""

from tilesmith.schemas import listed, text

EXAMPLES = """\
examples:
  tilesmith gate gelu                        the next checkpoint
  tilesmith gate gelu --checkpoint CP-2
docs/workflow.md has the conditions.
"""

SCHEMA = {
    "properties": {
        "kernel": text("its name"),
        "checkpoint": {"enum": ["CP-0", "CP-1", "CP-2", "CP-3"]},
        "passed": {"type": "boolean"},
        "missing": listed({"type": "object", "required": ["text", "command"]}, "with the command that mends it"),
    },
    "required": ["kernel", "checkpoint", "passed", "missing"],
}


def add_parser(commands):
    help = "pass a kernel's checkpoints, CP-0 to CP-3"
    sub = commands.add_parser(
        "gate",
        help=help,
        description=help[0].upper() + help[1:] + ". Exit code 0: passed; 1: something is missing; 2: it cannot be tried.",
        epilog=EXAMPLES,
    )
    sub.add_argument("name", metavar="NAME", help="of the kernel, or its folder")
    sub.add_argument("--checkpoint", choices=["CP-0", "CP-1", "CP-2", "CP-3"], help="default: the next one that is open")
    return sub


def command(args):
    from tilesmith.document import Failure
    from tilesmith.workflow import gate, project

    found = project.find(args.name, must_exist=False)
    try:
        name, missing = gate.run(found, args.checkpoint)
    except gate.Refused as error:
        raise Failure(str(error), 2, "refused") from None
    entries = [{"text": text, "command": command} for text, command in missing]
    args.document.update(kernel=found.name, checkpoint=name, passed=not missing, missing=entries)
    if not args.json:
        print(f"{found.name}: {name} {'passed' if not missing else 'is open'}")
        for entry in entries:
            print(f"  {entry['text']}\n    {entry['command']}")
    return 1 if missing else 0
