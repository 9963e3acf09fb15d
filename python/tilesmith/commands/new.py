"""`tilesmith new`: the folder of a new kernel."""

from tilesmith.schemas import text

EXAMPLES = """\
examples:
  tilesmith new gelu
  tilesmith new scaled --op double --dtype float16
"""

SCHEMA = {"properties": {"kernel": text("its name"), "folder": text("where it is")}, "required": ["kernel", "folder"]}


def add_parser(commands):
    help = "begin a kernel: its folder, design and a kernel that runs"
    sub = commands.add_parser(
        "new", help=help, description=help[0].upper() + help[1:] + ". An existing folder is left as it is.", epilog=EXAMPLES
    )
    sub.add_argument("name", metavar="NAME", help="of the kernel: small letters, digits and _")
    sub.add_argument(
        "--op", choices=["double", "abs", "relu", "exp"], default="double", help="what it computes at first (default: double)"
    )
    sub.add_argument("--dtype", choices=["float32", "float16"], default="float32", help="default: float32")
    sub.add_argument("--backend", choices=["Model", "NPU"], default="Model", help="of its tests (default: Model)")
    sub.add_argument("--platform", default="Ascend950PR_9599", help="of its tests (default: Ascend950PR_9599)")
    return sub


def command(args):
    import sys

    from tilesmith import terminal
    from tilesmith.workflow import project

    made, existed = project.create(args.name, args.op, args.dtype, args.backend, args.platform)
    args.document.update(kernel=made.name, folder=str(made.folder))
    if existed:
        terminal.say(f"tilesmith: warning: '{made.folder}' exists already, and is left as it is", file=sys.stderr)
    elif not args.json:
        print(f"kernels/{made.name}: next, tilesmith env {made.name} and tilesmith gate {made.name}")
    return 0
