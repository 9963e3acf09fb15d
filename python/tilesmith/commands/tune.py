"""`tilesmith tune`: the best values for the ConstExpr parameters of the kernels a script launches."""

import os

from tilesmith import script, terminal
from tilesmith.document import Failure
from tilesmith.schemas import count, listed, number, text

EXAMPLES = """
examples:
  tilesmith tune kernels/softmax.py                                  values around those of the script
  tilesmith tune kernels/gelu.py --set tile=1024,2048,4096,8192 --blocks 8,24,48
  tilesmith tune kernels/matmul.py -v Ascend950PR_9599 --plot tune.svg --shape 1024x1024x1024
"""

_CONFIGURATION = {
    "type": "object",
    "properties": {
        "config": {"type": "object", "description": "values of ConstExpr parameters, blocks and options"},
        "blocks": {"type": ["integer", "null"]},
        "status": {
            "enum": ["timed", "scaled", "slower", "wrong", "invalid", "unknown"],
            "description": "scaled: timed in part. slower: than the best, so it was not timed to its end. wrong: its results are not those of the script's values",
        },
        "cycles": count("of the launch"),
        "time_us": number("of the launch"),
        "at_least_cycles": count("of a launch that was not timed to its end"),
        "at_least_time_us": number("of a launch that was not timed to its end"),
        "bound": text("what limits the launch"),
        "reason": text("why it is wrong or invalid, or how it was scaled"),
    },
    "required": ["config", "status"],
}

SCHEMA = {
    "properties": {
        "script": text("as it was named"),
        "notes": listed(text("a note"), "what else there is to know"),
        "results": listed(
            {
                "type": "object",
                "properties": {
                    "kernel": text("its name"),
                    "platform": text("the part"),
                    "complete": {"type": "boolean", "description": "false: interrupted, or the budget was used up"},
                    "best": {"anyOf": [_CONFIGURATION, {"type": "null"}]},
                    "present": {"anyOf": [_CONFIGURATION, {"type": "null"}], "description": "the values of the script"},
                    "configurations": listed(_CONFIGURATION, "best first"),
                },
                "required": ["kernel", "platform", "complete", "best", "configurations"],
            },
            "one for each different launch",
        ),
    },
    "required": ["script", "results"],
}

DESCRIPTION = """\
Find the best values for the ConstExpr parameters of the kernels a script launches, by model time. Each launch is tuned with the arguments
it has, by dry launches; its results with the best values are compared with those of the script. What was found is kept with the compiled
kernels and used again. (docs/tune.md)
"""


def _seconds(text):
    import argparse

    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not seconds > 0:
        raise argparse.ArgumentTypeError(f"a number of seconds, not '{text}'")
    return seconds


def _jobs(text):
    import argparse

    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number of processes from 1, not '{text}'")
    return int(text)


def add_parser(commands):
    sub = script.add_parser(
        commands,
        "tune",
        "find the best ConstExpr parameters for the launches of a script",
        description=DESCRIPTION,
        examples=EXAMPLES,
    )
    sub.add_argument("--kernel", metavar="NAME", help="only launches of this kernel")
    sub.add_argument(
        "--set",
        action="append",
        metavar="NAME=VALUES",
        help="values of a ConstExpr parameter or an option, such as tile=1024,2048; more than once for several (default: those of "
        "asc2.autotune, or powers of two around the present values)",
    )
    sub.add_argument("--blocks", metavar="NUMBERS", help="numbers of blocks to try, such as 8,16,48 (default: that of the launch)")
    sub.add_argument("--budget", type=_seconds, metavar="SECONDS", help="end each search after this time, with the best so far")
    sub.add_argument("--all", action="store_true", help="time every configuration to its end, also those that cannot win")
    sub.add_argument(
        "--no-verify", dest="verify", action="store_false", help="do not compare results with those of the script's values"
    )
    sub.add_argument("--fresh", action="store_true", help="do not use what an earlier search found")
    sub.add_argument(
        "--executor",
        default="local",
        metavar="local|ray|ray://HOST:PORT",
        help="where configurations are measured (default: local)",
    )
    sub.add_argument("-j", "--jobs", type=_jobs, metavar="N", help="processes of the executor local (default: one per processor)")
    sub.add_argument("--plot", metavar="FILE", help="write the times as a picture (.svg) or a page (.html)")
    return sub


def command(args):
    from tilesmith.tuning import remote, space
    from tilesmith.tuning.session import Session, listening

    if script.is_cpp(args) and os.path.isfile(args.script):
        raise Failure("C++ kernels cannot be tuned: their parameters are fixed when they are compiled")
    chosen = space.parse_set(args.set)
    blocks = space.parse_blocks(args.blocks) if args.blocks else None
    if args.plot and not args.plot.endswith((".svg", ".html")):
        raise Failure(f"--plot writes .svg or .html, not '{args.plot}'")
    script.prepare(args)
    cluster = None
    if args.executor != "local":
        if not args.executor.startswith("ray"):
            raise Failure(f"no executor is called '{args.executor}'; it is local, ray or ray://HOST:PORT")
        try:
            cluster = remote.Ray(args.executor, args.script, list(args.args), args.platform)
        except RuntimeError as error:
            raise Failure(str(error)) from None
    session = Session(
        args.kernel, chosen, blocks, make_workers=cluster.workers if cluster else None, verify=args.verify,
        exhaustive=args.all, budget=args.budget, jobs=args.jobs, reuse=not args.fresh,
    )  # fmt: skip
    try:
        with listening(session):
            code = script.run(args)
    finally:  # an interrupt leaves what was found
        if cluster:
            cluster.close()
        _report(args, session)
    session.check_used(args.script)
    if not any(result.best_row for result in session.results):
        raise Failure("; ".join(session.notes) if not session.results else "no configuration could be timed", code or 1)
    return code


def _report(args, session):
    args.document.update(results=[result.to_dict() for result in session.results], notes=session.notes)
    if args.plot and session.results:
        _plot(args.plot, session.results)
    if args.json:
        return
    for result in session.results:
        terminal.say(result)
        best, present = result.best_row, result.present
        if best and present and present is not best and present.cycles and present.status != "slower":
            print(f"best: {best.config.text()}, {present.time_us / best.time_us:.2f} times as fast as {present.config.text()}")
        elif best and present is best:
            print(f"best: {best.config.text()}, as in the script")
        elif best:
            print(f"best: {best.config.text()}")
        if not result.complete:
            print("the search was not finished; the same command continues it")
    for note in session.notes:
        print(f"note: {note}")


def _plot(path, results):
    from asc.runtime.tuning import plot

    from tilesmith.tuning import page

    base, end = os.path.splitext(path)
    files = {path: page.render(results)} if end == ".html" else {}
    for place, result in enumerate(results if end == ".svg" else ()):
        files[path if place == 0 else f"{base}_{place + 1}{end}"] = plot.svg(result)
    try:
        for name, text in files.items():
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise Failure(f"cannot write '{error.filename}': {error.strerror}") from None
