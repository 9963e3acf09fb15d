"""`tilesmith review`: the acceptance review of a kernel, computed."""

from tilesmith.schemas import listed, number, text

EXAMPLES = """\
examples:
  tilesmith review gelu
  tilesmith review gelu -v Ascend910B1 --json
"""

SCHEMA = {
    "properties": {
        "kernel": text("its name"),
        "platform": text("it ran on"),
        "score": number("of 10; 8.5 is enough"),
        "runtime": {"enum": ["PASS", "FAIL"]},
        "static": {"type": "boolean", "description": "whether every static check passes"},
        "problems": listed({"type": "object", "required": ["severity", "text"]}, "critical, high, medium and low"),
        "launches": listed({"type": "object"}, "of the run"),
    },
    "required": ["kernel", "score", "runtime", "static", "problems"],
}


def add_parser(commands):
    help = "review a kernel: rules, checks, runs on the model"
    sub = commands.add_parser(
        "review",
        help=help,
        description=help[0].upper()
        + help[1:]
        + ". Writes docs/self_review.md, acceptance_review.md and verification.md. Exit code 1 below 8.5.",
        epilog=EXAMPLES,
    )
    sub.add_argument("name", metavar="NAME", help="of the kernel, or its folder")
    sub.add_argument("-v", "--platform", default="Ascend950PR_9599", help="the model's (default: Ascend950PR_9599)")
    return sub


def command(args):
    from tilesmith.workflow import design, project, review

    found = project.find(args.name)
    content = review.review(found, args.platform)
    keys = ("platform", "score", "runtime", "static", "problems", "launches")
    args.document.update(kernel=found.name, **{key: content[key] for key in keys})
    if not args.json:
        print(
            f"{found.name}: {content['score']:.2f} of 10, run {content['runtime']}, static checks {'pass' if content['static'] else 'FAIL'}"
        )
        for problem in content["problems"]:
            print(f"  {problem['severity']}: {problem['text']}")
    return 0 if content["score"] >= design.ENOUGH and content["runtime"] == "PASS" else 1
