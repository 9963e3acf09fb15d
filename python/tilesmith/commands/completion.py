"""`tilesmith completion`: what a shell needs to complete command lines."""

from tilesmith.document import Failure

EXAMPLES = """\
examples:
  tilesmith completion bash > ~/.local/share/bash-completion/completions/tilesmith
  tilesmith completion zsh > ~/.zfunc/_tilesmith        with ~/.zfunc in fpath before compinit
  tilesmith completion tcsh > ~/.tilesmith.tcsh         and source it in ~/.tcshrc
"""

SHELLS = ("bash", "zsh", "tcsh")

SCHEMA = {"properties": {"shell": {"enum": list(SHELLS)}, "completion": {"type": "string"}}, "required": ["shell", "completion"]}


def add_parser(commands):
    sub = commands.add_parser(
        "completion",
        help="print the completion of command lines for a shell",
        description="Print the completion of command lines for a shell.",
        epilog=EXAMPLES,
    )
    sub.add_argument("shell", choices=SHELLS)
    return sub


def _mark_files(parser, files, folders):
    """Says of each argument whether it is a file, a folder or a platform."""
    import argparse

    import _tilesmith

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                _mark_files(sub, files, folders)
        elif action.dest == "platform" or (action.dest == "names" and action.metavar == "NAME"):
            action.choices = _tilesmith.platforms()
        elif action.dest in ("folder", "verify_dir") or action.metavar == "DIR":
            action.complete = folders
        elif action.dest in ("script", "files", "extra") or str(action.metavar).startswith("FILE"):
            action.complete = files
        elif action.dest == "verb":
            from tilesmith import commands

            action.choices = commands.verbs()


def command(args):
    try:
        import shtab
    except ImportError:
        raise Failure("completion needs the package shtab: pip install shtab", 1) from None
    from tilesmith import commands

    parser = commands.parser()
    _mark_files(parser, shtab.FILE, shtab.DIRECTORY)
    text = shtab.complete(parser, args.shell)
    args.document.update(shell=args.shell, completion=text)
    if not args.json:
        print(text)
    return 0
