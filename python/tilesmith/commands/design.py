"""`tilesmith design`: the score of a kernel's design document."""

from tilesmith.schemas import listed, number, text

EXAMPLES = """\
examples:
  tilesmith design gelu
  tilesmith design gelu --check
"""

SCHEMA = {
    "properties": {
        "kernel": text("its name"),
        "score": number("of 10; 8.5 is enough"),
        "parts": {"type": "object", "description": "completeness, api, syntax, verification, clarity: of 10 each"},
        "problems": listed({"type": "string"}, "what lowers it"),
    },
    "required": ["kernel", "score", "parts", "problems"],
}


def add_parser(commands):
    help = "score a kernel's design document"
    sub = commands.add_parser(
        "design", help=help, description=help[0].upper() + help[1:] + ". Exit code 1 below 8.5.", epilog=EXAMPLES
    )
    sub.add_argument("name", metavar="NAME", help="of the kernel, or its folder")
    sub.add_argument("--check", action="store_true", help="write the score into the document, as CP-1 wants it")
    return sub


def command(args):
    from tilesmith.document import Failure
    from tilesmith.workflow import design, project

    found = project.find(args.name)
    score, parts, wrong = design.evaluate(found)
    if not parts:
        raise Failure(wrong[0], 1)
    if args.check:
        design.write_score(found, score, parts, wrong)
    args.document.update(kernel=found.name, score=score, parts=parts, problems=wrong)
    if not args.json:
        print(f"{found.name}: design {score:.1f} of 10")
        for text in wrong:
            print(f"  {text}")
    return 0 if score >= design.ENOUGH else 1
