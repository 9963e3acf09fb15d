"""`tilesmith env`: what a kernel is developed with, as docs/environment.json."""

from tilesmith.schemas import listed, text

EXAMPLES = """\
examples:
  tilesmith env gelu
  tilesmith env kernels/gelu --platform Ascend910B1
"""

SCHEMA = {
    "properties": {
        "kernel_name": text("the kernel"),
        "file": text("that was written"),
        "python": {"type": "object"},
        "pyasc": {"type": "object"},
        "cann": {"type": "object"},
        "backend": {"type": "object"},
        "blocking": listed({"type": "string"}, "what keeps kernels from being compiled"),
    },
    "required": ["kernel_name", "file", "python", "pyasc", "cann", "backend", "blocking"],
}


def add_parser(commands):
    help = "write docs/environment.json of a kernel"
    sub = commands.add_parser(
        "env", help=help, description=help[0].upper() + help[1:] + ". Exit code 1 if kernels cannot be compiled.", epilog=EXAMPLES
    )
    sub.add_argument("name", metavar="NAME", help="of the kernel, or its folder")
    sub.add_argument("--platform", default="Ascend950PR_9599", help="the model's (default: Ascend950PR_9599)")
    return sub


def command(args):
    from tilesmith.workflow import project

    found = project.find(args.name)
    found.path("docs").mkdir(exist_ok=True)
    content = project.environment(found, args.platform)
    args.document.update({key: content[key] for key in ("kernel_name", "python", "pyasc", "cann", "backend", "blocking")})
    args.document["file"] = str(found.environment)
    if not args.json:
        print(
            f"{found.name}: Python {content['python']['version']}, {content['pyasc']['implementation']} {content['pyasc']['version']}, CANN {content['cann']['status']}"
        )
        for problem in content["blocking"]:
            print(f"  {problem}")
    return 1 if content["blocking"] else 0
