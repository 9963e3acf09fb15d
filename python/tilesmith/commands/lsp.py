"""`tilesmith lsp`: the rules of lint in an editor."""

EXAMPLES = """\
examples:
  tilesmith lsp          started by the editor; it speaks over stdin and stdout
docs/lint.md says how editors are told.
"""

SCHEMA = {"properties": {"messages": {"const": "on stdout", "description": "the protocol has the stream: --json is refused"}}}


def add_parser(commands):
    help = "serve lint to an editor (Language Server Protocol)"
    return commands.add_parser("lsp", help=help, description=help[0].upper() + help[1:] + ".", epilog=EXAMPLES)


def command(args):
    import os
    import sys

    from tilesmith.document import Failure
    from tilesmith.lsp.server import Server

    if args.json:
        raise Failure("--json cannot be used with lsp: its stdout has the protocol")
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints must not come between messages
    return Server(sys.stdin.buffer, sink).serve()
