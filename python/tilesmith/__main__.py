"""tilesmith: run, profile and check kernels on a model of the chip, write them as Ascend C, judge candidates."""

import argparse
import json
import os
import runpy
import sys
import traceback

from tilesmith import __version__, cpp, validate
from tilesmith.judge.sweep import sweep
from tilesmith.judge.timing import bench
from tilesmith.judge.verdict import verify

EPILOG = """\
exit codes:
  0    all is well
  1    the script failed, `check` has findings, `emit` wrote nothing, or `validate` or `verify` refused a candidate
  2    the command line is wrong
  130  interrupted
A script that ends with a code of its own keeps it; those of `bench` and `sweep` are in docs/bench.md and docs/sweep.md.

environment:
  TILESMITH_MODE       mode of launches: fast (default), timed, checked, traced
  TILESMITH_THREADS    host threads of a launch (default: all)
  PYASC_CACHE_DIR      folder of compiled kernels; PYASC_HOME/.pyasc/cache or ~/.pyasc/cache otherwise
  PYASC_DUMP_PATH      folder that receives codegen.mlir, ascir.mlir and ascendc.cpp of each compilation
"""


def parser():
    main = argparse.ArgumentParser(
        prog="tilesmith",
        description=__doc__.split(": ", 1)[1].capitalize(),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    main.add_argument("--version", action="version", version=f"tilesmith {__version__}")
    commands = main.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def script_command(name, text):
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.add_argument("-v", "--platform", help="run on this platform whatever the script chooses, such as Ascend950PR_9599")
        sub.add_argument("--json", action="store_true", help="facts as JSON on stdout; the script's own output goes to stderr")
        sub.add_argument("script", help="a Python file, which runs as __main__, or an Ascend C source (.cpp)")
        sub.add_argument(
            "args",
            nargs=argparse.REMAINDER,
            help="arguments of the script (a leading -- is dropped); for a C++ kernel, see `%(prog)s kernel.cpp --help`",
        )
        return sub

    script_command("run", "run a kernel script on the model")
    script_command("prof", "run a kernel script and print the model's time of every launch")
    script_command("check", "run a kernel script with every launch checked: order, initialisation, late modes")
    emit = script_command("emit", "write the kernels a script launches as Ascend C, with a host program for each launch")
    emit.add_argument("-o", "--output", default=".", metavar="DIR", help="folder of the files (default: here)")
    emit.add_argument("--kernel", metavar="NAME", help="only launches of this kernel")
    verify.add_parser(commands)
    bench.add_parser(commands)
    sweep.add_parser(commands)
    cache = commands.add_parser(
        "cache", help="show or clear the compiled kernels on disk", description="Show or clear the compiled kernels on disk."
    )
    cache.add_argument("action", choices=["show", "clear"])
    cache.add_argument("--json", action="store_true", help="facts as JSON")
    validate.add_parser(commands)
    return main


def run_script(args):
    """Runs the script as `python script args` would. Returns its exit code."""
    arguments = args.args[1:] if args.args[:1] == ["--"] else args.args
    sys.argv = [args.script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(args.script)))
    try:
        if args.script.endswith(cpp.SUFFIXES):
            return cpp.run(args.command, args.script, arguments)
        runpy.run_path(args.script, run_name="__main__")
    except SystemExit as exit:
        if exit.code is None:
            return 0
        if isinstance(exit.code, int):
            return exit.code & 0xFF
        print(exit.code, file=sys.stderr)
        return 1
    except Exception as error:
        from asc.codegen.errors import CodegenError
        from asc.runtime.ascendc.errors import AscendCError
        from asc.runtime.errors import KernelError

        if isinstance(error, (AscendCError, CodegenError, KernelError)):
            print(error, file=sys.stderr)  # it names its place itself
        else:
            traceback.print_exc()
        return 1
    return 0


def script_command(args):
    if not os.path.isfile(args.script):
        print(f"tilesmith: error: no file '{args.script}'", file=sys.stderr)
        return 2
    from asc.runtime import config

    if args.command == "emit":
        from tilesmith.emit import emit_command as run_command
    else:
        run_command = watch_command
    if args.platform:
        try:
            config.set_platform(config.Backend.Model, args.platform)
        except ValueError as error:
            print(f"tilesmith: error: {error}", file=sys.stderr)
            return 2
        config._pinned = config.current_platform()
    return run_command(args, run_script)


def watch_command(args, run_script):
    from asc.runtime import profile

    watch = {"run": profile.launch_mode, "prof": profile.profile, "check": profile.check}[args.command]
    if args.json and args.command == "run":
        watch = profile.profile
    stdout = sys.stdout
    if args.json:
        sys.stdout = sys.stderr
    try:
        with watch() as report:
            code = run_script(args)
    finally:
        sys.stdout.flush()
        sys.stdout = stdout

    errors = report.findings if report else []
    if args.json:
        print(json.dumps({"command": args.command, "script": args.script, "exit_code": code, **report.to_json()}, indent=2))
    elif args.command == "prof":
        print(report)
    elif args.command == "check":
        for finding in errors:
            print(finding["rendered"])
        launches = len(report.launches)
        print(f"{len(errors) or 'no'} finding{'' if len(errors) == 1 else 's'} in {launches} launch{'' if launches == 1 else 'es'}")
    return code or (1 if args.command == "check" and errors else 0)


def cache_command(args):
    from asc.runtime import cache

    entries, size = cache.clear() if args.action == "clear" else cache.usage()
    if args.json:
        print(json.dumps({"folder": cache.folder(), "kernels": entries, "bytes": size, "cleared": args.action == "clear"}))
    elif args.action == "clear":
        print(f"removed {entries} kernels, {size / 1e6:.1f} MB, from {cache.folder()}")
    else:
        print(f"{entries} kernels, {size / 1e6:.1f} MB, in {cache.folder()}")
    return 0


def take_options(args):
    """Options of `emit` may also follow the script, up to the first that is not ours."""
    rest = args.args
    while rest and rest[0] in ("-o", "--output", "--kernel", "-v", "--platform", "--json"):
        if rest[0] == "--json":
            args.json, rest = True, rest[1:]
        elif len(rest) == 1:
            parser().error(f"emit: argument {rest[0]}: expected one argument")
        else:
            name = {"-o": "output", "-v": "platform"}.get(rest[0], rest[0].lstrip("-"))
            setattr(args, name, rest[1])
            rest = rest[2:]
    args.args = rest


def main(argv=None):
    args = parser().parse_args(argv)
    if args.command == "emit":
        take_options(args)
    try:
        if args.command == "verify":
            return verify.command(args)
        if args.command == "validate":
            return validate.validate_command(args)
        if args.command in ("bench", "sweep"):
            return (bench if args.command == "bench" else sweep).command(args)
        return cache_command(args) if args.command == "cache" else script_command(args)
    except KeyboardInterrupt:
        print("tilesmith: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
