"""Running a user's script for a verb: its options, its platform, its arguments, how it ended."""

import os
import sys

from tilesmith import terminal
from tilesmith.arguments import SEPARATOR, nearest
from tilesmith.document import Failure

NOTE = """
Options of this command may stand before and after the script; others after it are the script's, and so is everything after `--`.
An option that both have is ours: `tilesmith {verb} kernel.py -- -v X` hands -v to the script. `kernel.py --help` is the script's help;
for a C++ kernel it lists the options for its launch.
"""


def add_parser(commands, verb, help, description=None, examples="", required=True):
    """The parser of a verb that runs a script, or may run one."""
    text = description or help[0].upper() + help[1:] + "."
    sub = commands.add_parser(verb, help=help, description=text, epilog=NOTE.format(verb=verb).lstrip("\n") + examples)
    sub.take_script(required=required)
    sub.add_argument("-v", "--platform", help="run on this platform whatever the script chooses, such as Ascend950PR_9599")
    return sub


def is_cpp(args):
    """Whether the script is a C++ source."""
    from tilesmith import cpp

    return args.script.endswith(cpp.SUFFIXES)


def prepare(args):
    """Checks that there is a script, and pins the platform the command line names."""
    args.document["script"] = args.script
    args.host_launches = []  # of a C++ program that launches its kernels itself; others are recorded by a watch
    if not os.path.isfile(args.script):
        raise Failure(f"no file '{args.script}'")
    _note_near_misses(args)
    from asc.runtime import config

    if args.platform:
        before = config.current_platform()
        args.releases.append(lambda: _unpin(config, before))
        try:
            config.set_platform(config.Backend.Model, args.platform)
        except ValueError as error:
            raise Failure(f"{error}\n{SEPARATOR}" if args.after_script else str(error)) from None
        config._pinned = config.current_platform()


def _unpin(config, before):
    config._pinned = None
    config.set_platform(config.Backend.Model, before)


def _note_near_misses(args):
    """An option the script gets is not silently one of ours with a typing error."""
    words = [] if is_cpp(args) else args.args[: args.args.index("--")] if "--" in args.args else args.args
    for name in (word.partition("=")[0] for word in words if word.startswith("--") and len(word) > 5):
        near = nearest(name, args.own_options, 0.8)
        if near and near != name:
            terminal.say(f"tilesmith: note: '{name}' goes to the script; did you mean '{near}'?", file=sys.stderr)


def run(args):
    """Runs the script as `python script args` would. Returns its exit code; what went wrong is printed and noted."""
    arguments = list(args.args)
    sys.path.insert(0, os.path.dirname(os.path.abspath(args.script)))
    try:
        if is_cpp(args):
            from tilesmith import cpp

            return cpp.run(args.command, args.script, arguments, args.host_launches)
        import runpy

        from tilesmith import npu_autoload, triton

        npu_autoload.install()
        triton.install_if_missing()
        if "--" in arguments:
            arguments.remove("--")  # the first is the mark between ours and the script's
        sys.argv = [args.script, *arguments]
        runpy.run_path(args.script, run_name="__main__")
    except SystemExit as exit:
        return _exit_code(args, exit)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever class a script derives its own from
        _show(args, error)
        return 1
    return 0


def note_launches(args, report):
    """Puts what a watch recorded, and what a host program's launches left, into the document."""
    facts = report.to_json()
    for launch in args.host_launches:
        if "cycles" in launch:
            launch["time_us"] = launch["cycles"] / launch["clock_mhz"]
        facts["launches"].append(launch)
        facts["findings"] += launch["findings"]
        for total in ("cycles", "time_us"):
            facts[total] += launch.get(total, 0)
    args.document.update(facts)


def _exit_code(args, exit):
    if exit.code is None:
        return 0
    if isinstance(exit.code, int):
        if exit.code and getattr(exit, "message", None):  # options of a C++ kernel
            args.document.error("usage", exit.message)
        return exit.code & 0xFF
    print(exit.code, file=sys.stderr)
    args.document.error("script", str(exit.code))
    return 1


def _show(args, error):
    from asc.codegen.errors import CodegenError
    from asc.runtime.ascendc.errors import AscendCError
    from asc.runtime.errors import KernelError

    kinds = {CodegenError: "compile", AscendCError: "compile", KernelError: "kernel"}
    for kind, name in kinds.items():
        if isinstance(error, kind):
            terminal.say(error, file=sys.stderr)  # it names its place itself
            args.document.error(name, str(error))
            return
    import traceback

    from asc.runtime.misuse import hint

    users = _users_part(args.script, error.__traceback__)
    text = "".join(traceback.format_exception(type(error), error, users)) + hint(error)
    sys.stderr.write(text)
    lines = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()
    message = lines[-1 if isinstance(error, SyntaxError) else 0]  # a SyntaxError begins with its place, others end with help
    place = {}
    if users is not None:
        last = traceback.extract_tb(users)[-1]
        place = {"file": last.filename, "line": last.lineno}
    elif isinstance(error, SyntaxError) and error.filename:
        place = {"file": error.filename, "line": error.lineno or 1}
    args.document.errors.append({"kind": "script", "message": message, **place, "rendered": text.rstrip()})


def _users_part(script, traceback):
    """The traceback from the script on: what ran it is not the user's."""
    part = traceback
    while part is not None and part.tb_frame.f_code.co_filename != script:
        part = part.tb_next
    return part
