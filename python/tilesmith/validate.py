"""`tilesmith validate`: does a candidate compute in its kernels? The analysis is in lib/Lint, the rules in docs/rules.md."""

import json
import os
import sys
import warnings

from tilesmith import rules, terminal
from tilesmith.document import Failure

MAX_BYTES = 1 << 20  # of a candidate; syntax trees take a hundred times that
FEW_FILES = 128  # one process is as fast for up to so many


def expand(paths):
    """Files as given, and those in folders, in a fixed order."""
    for path in paths:
        if os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders.sort()
                yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".py"))
        else:
            yield path


def read(path):
    """The source as UTF-8 with plain line ends, whatever its encoding."""
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise SyntaxError(f"it is larger than {MAX_BYTES} bytes")
    if b"coding" in b"".join(data.splitlines(keepends=True)[:2]):
        import tokenize

        lines = iter(data.splitlines(keepends=True))
        encoding = tokenize.detect_encoding(lambda: next(lines, b""))[0]
        text = data.decode(encoding)
    else:
        text = data.decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8")


def refusal(path, error):
    """The report on a file that is not text in its encoding: type 1, as for one that does not parse."""
    message = f"the file does not parse: {error}"
    report = {
        "valid": False,
        "regression_type": 1,
        "suggestion": "Save the candidate as Python source in UTF-8.",
        "filepath": path,
        "checks": {
            "triton_kernel_exists": {"passed": False, "kernels": [], "error": message},
            "kernel_called_from_forward": {"passed": False, "called": [], "error": None},
            "no_forbidden_torch_ops": {"passed": False, "violations": [], "error": None},
        },
    }
    return False, json.dumps(report), f"{path}: error: type 1: {message}\n"


def validate(path, dsl=None, strict_loops=False, strict_launches=False, enable=(), disable=()):
    """(clean, report as JSON on one line, report for people) of one file.

    enable, disable: rules by id or name (docs/rules.md). ValueError for one that does not exist.
    """
    from tilesmith.extension import _tilesmith

    strict = ["python-loop"] * strict_loops + ["second-launch"] * strict_launches
    on, off = ([rules.find(name)["id"] for name in names] for names in ([*enable, *strict], disable))
    try:
        text = read(path)
    except OSError as error:
        message = f"cannot read '{path}': {error.strerror or error}"
        return False, json.dumps({"valid": False, "error": message}), f"tilesmith: error: {message}\n"
    except (SyntaxError, UnicodeError, LookupError) as error:
        return refusal(path, error)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the candidate's own escapes in strings
        return _tilesmith.validate_source(text, path, dsl or "", on, off)


def validate_all(paths, jobs, options):
    """Reports in the order of the paths."""
    if jobs == 1:
        yield from (validate(path, *options) for path in paths)
        return
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial
    from multiprocessing import get_context

    import _tilesmith  # noqa: F401  loaded once, before the processes part

    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        yield from pool.map(partial(validate_one, options), paths, chunksize=16)


def validate_one(options, path):
    return validate(path, *options)


def validate_command(args):
    import gc

    try:
        named = [rules.find(name) for name in [*args.enable, *args.disable, *([args.explain] if args.explain else [])]]
    except ValueError as error:
        raise Failure(str(error)) from None
    if args.rules or args.explain:
        args.document["rules"] = rules.rules() if args.rules else [named[-1]]
        if not args.json:
            sys.stdout.write(rules.listing() if args.rules else rules.page(named[-1]))
        return 0
    if not args.files:
        raise Failure("missing argument FILE")
    gc.disable()  # syntax trees are freed by their counts
    paths = list(expand(args.files))
    if not paths:
        raise Failure(f"no *.py in {', '.join(args.files)}")
    jobs = args.jobs or (1 if len(paths) <= FEW_FILES else os.cpu_count() or 1)
    options = (args.dsl, args.strict_loops, args.strict_launches, args.enable, args.disable)
    refused, reports = 0, []
    with terminal.progress("validating", len(paths), owns_output=False) as bar:
        for clean, report, text in validate_all(paths, min(jobs, max(len(paths), 1)), options):
            refused += not clean
            if args.json:
                reports.append(json.loads(report))
            elif args.jsonl:
                print(report)
            else:
                terminal.write(text)
            bar.advance()
    for report in reports:
        if "error" in report:
            args.document.error("file", report["error"])
    if len(paths) == 1 and args.files == paths:
        args.document.update(*reports)
    else:
        args.document.update(files=len(paths), refused=refused, reports=reports)
    if not args.json and not args.jsonl:
        files = f"{len(paths)} file{'' if len(paths) == 1 else 's'}"
        print(f"{files}: clean" if not refused else f"{files}: {refused} refused")
    return 1 if refused else 0
