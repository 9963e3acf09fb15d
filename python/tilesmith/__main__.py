"""The command line: finds the verb, does it, ends with its exit code. The verbs are in tilesmith.commands."""

import os
import sys

from tilesmith import commands, terminal
from tilesmith.arguments import UsageError
from tilesmith.document import Document, Failure


def parser():
    """The parser of the whole command line."""
    return commands.parser()


def _verb_first(argv):
    """The same command line in the order the parser has: `help prof` is `prof --help`, and --json may stand before the verb."""
    if argv[:1] == ["help"]:
        return [*argv[1:2], "--help"]
    rest, common = list(argv), []
    while rest and rest[0].partition("=")[0] in ("--json", "--color"):
        count = 2 if rest[0] == "--color" else 1
        common, rest = common + rest[:count], rest[count:]
    return [*rest[:1], *common, *rest[1:]] if rest else common


def _parse(argv):
    wants_json = "--json" in (argv[: argv.index("--")] if "--" in argv else argv)
    argv = _verb_first(argv)
    verb = argv[0] if argv and argv[0] in commands.verbs() else None
    try:
        return commands.parser(verb).parse_args(argv)
    except UsageError as error:
        if wants_json:
            document = Document(verb)
            document.error("usage", error.message)
            print(document.text(2))
        raise


def _installation(error):
    """The failure an error stands for that is about the extension or the environment; None for others."""
    text = str(error)
    if (isinstance(error, ImportError) and error.name == "_tilesmith") or (
        isinstance(error, ValueError) and text.startswith("TILESMITH_")
    ):
        return Failure(text, 1, "installation")
    return None


def _release(args):
    for release in reversed(args.releases):
        release()


def _tell(args, failure):
    terminal.say(f"tilesmith: error: {failure}", file=sys.stderr)
    args.document.error(failure.kind, str(failure))
    return failure.code


def _do(args):
    """Does the verb; returns the exit code. What a user or the system did wrong is told here."""
    try:
        return commands.module_of(args.command).command(args)
    except Failure as failure:
        return _tell(args, failure)
    except UsageError as error:  # of an option that only the verb could judge
        if not args.json:
            raise
        args.document.error("usage", error.message)
        return 2
    except KeyboardInterrupt:
        print("tilesmith: interrupted", file=sys.stderr)
        args.document.error("interrupted", "interrupted")
        return 130
    except Exception as error:
        if reason := _installation(error):
            return _tell(args, reason)
        if not args.json or isinstance(error, BrokenPipeError):
            raise
        import traceback

        text = traceback.format_exc()
        sys.stderr.write(text)
        args.document.error("internal", text)
        return 1
    finally:
        _release(args)


def _to_document(args):
    """(exit code, text of the document); whatever else is written goes to stderr."""
    with args.document.alone_on_stdout():
        code = _do(args)
    return code, args.document.text(code)


def main(argv=None):
    """Does what the command line says; returns the exit code. A wrong command line raises SystemExit(2), as argparse does."""
    args = _parse(list(sys.argv[1:] if argv is None else argv))
    args.document = Document(args.command)
    args.releases = []  # what a verb changes for all of the process, put back at the end
    terminal.choose(args.color)
    try:
        if not args.json:
            return _do(args)
        if argv is None and hasattr(args, "script"):  # the process is ours, and somebody else's code runs in it
            from tilesmith.supervise import supervised

            code, text = supervised(args.document, lambda: _to_document(args))
        else:
            code, text = _to_document(args)
        print(text)
        return code
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
