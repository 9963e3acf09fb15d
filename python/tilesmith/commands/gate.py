"""`tilesmith gate`: the checkpoints of a kernel, and the gates of a repository."""

from tilesmith.schemas import count, listed, text

EXAMPLES = """\
examples:
  tilesmith gate gelu                        the next checkpoint
  tilesmith gate gelu --checkpoint CP-2
  tilesmith gate --merge                     all kernels of capabilities.yaml
docs/workflow.md has the conditions.
"""

SCHEMA = {
    "properties": {
        "kernel": text("its name"),
        "checkpoint": {"enum": ["CP-0", "CP-1", "CP-2", "CP-3"]},
        "gate": {"enum": ["pr", "merge", "nightly"]},
        "passed": {"type": "boolean"},
        "failures": listed({"type": "string"}, "of a repository's gate"),
        "kernels": count("that a repository's gate looked at"),
        "missing": listed({"type": "object", "required": ["text", "command"]}, "with the command that mends it"),
    },
    "required": ["passed"],
}


def add_parser(commands):
    help = "pass a kernel's checkpoints, CP-0 to CP-3"
    sub = commands.add_parser(
        "gate",
        help=help,
        description=help[0].upper() + help[1:] + ". Exit code 0: passed; 1: something is missing; 2: it cannot be tried.",
        epilog=EXAMPLES,
    )
    sub.add_argument("name", nargs="?", metavar="NAME", help="of the kernel, or its folder")
    levels = sub.add_mutually_exclusive_group()
    levels.add_argument("--pr", dest="level", action="store_const", const="pr", help="sources, and what is recorded")
    levels.add_argument(
        "--merge", dest="level", action="store_const", const="merge", help="and every golden kernel on the model, strictly"
    )
    levels.add_argument(
        "--nightly", dest="level", action="store_const", const="nightly", help="and the generated ones, and regressions"
    )
    sub.add_argument(
        "--capabilities", default="capabilities.yaml", metavar="FILE", help="of a repository (default: capabilities.yaml)"
    )
    sub.add_argument("--checkpoint", choices=["CP-0", "CP-1", "CP-2", "CP-3"], help="default: the next one that is open")
    return sub


def command(args):
    from tilesmith.document import Failure
    from tilesmith.workflow import gate, project

    if args.level:
        return _repository(args)
    if not args.name:
        raise Failure("missing argument NAME, or --pr, --merge or --nightly")
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


def _repository(args):
    from tilesmith import terminal
    from tilesmith.document import Failure
    from tilesmith.workflow import capabilities, repository

    try:
        with terminal.progress(f"gate {args.level}", owns_output=False) as bar:
            failures, warnings, looked = repository.run(args.level, args.capabilities, bar.advance)
    except capabilities.CapabilityError as error:
        raise Failure(str(error), 2) from None
    args.document.update(gate=args.level, passed=not failures, failures=failures, kernels=looked)
    if not args.json:
        for text in failures:
            print(f"FAIL {text}")
        for text in warnings:
            print(f"     {text}")
        print(f"{looked} kernels: {'fail' if failures else 'pass'}")
    return 1 if failures else 0
