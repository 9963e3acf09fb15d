"""The verbs of the command line: one module each, with two functions.

`add_parser(commands)` declares the verb on argparse's subparsers and returns its parser; `command(args)` does it and returns the exit
code. A module is found by its name, and only the one that is asked for is imported, so what a verb needs it imports in `command`.
`--json` and `--color` are added here, to every verb alike.
"""

import pkgutil
from importlib import import_module

from tilesmith import __version__
from tilesmith.arguments import Parser

# How `--help` lists them; others come after these.
ORDER = [
    *("run", "prof", "check", "emit", "debug", "tune"),
    *("verify", "bench", "sweep", "validate"),
    *("lint", "rule", "api", "lsp"),
    *("new", "env", "design", "review", "gate", "capabilities", "op"),
    *("explain", "platforms", "doctor", "cache", "schema", "completion"),
]

DESCRIPTION = "Run, profile and check kernels on a model of the chip, write them as Ascend C, judge candidates."

EPILOG = """\
examples:
  tilesmith run kernel.py                          run a script's kernels on the model
  tilesmith prof kernel.py -v Ascend950PR_9599     and print their time on another part
  tilesmith check kernel.py                        look for races and missing synchronisation
  tilesmith COMMAND --help                         more about a command

exit codes:
  0    all is well
  1    the script failed, `check` has findings, `emit` wrote nothing, or `validate` or `verify` refused a candidate
  2    the command line is wrong, or `lint` has errors
  130  interrupted
A script that ends with a code of its own keeps it; those of `bench` and `sweep` are in docs/bench.md and docs/sweep.md.

environment:
  TILESMITH_MODE       mode of launches: fast (default), timed, checked, traced
  TILESMITH_TIME_LIMIT seconds of a processor one run of a `while` loop may take (default 60; 0: no limit)
  TILESMITH_THREADS    host threads of a launch (default: all)
  PYASC_CACHE_DIR      folder of compiled kernels; PYASC_HOME/.pyasc/cache or ~/.pyasc/cache otherwise
  PYASC_DUMP_PATH      folder that receives codegen.mlir, ascir.mlir and ascendc.cpp of each compilation
"""


def verbs():
    """Names of all verbs, in the order `--help` has them."""
    found = [module.name for module in pkgutil.iter_modules(__path__)]
    return sorted(found, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def module_of(verb):
    """The module of a verb."""
    return import_module(f"{__name__}.{verb}")


def parser(only=None):
    """The parser of the command line; with `only`, of a command line known to name this verb."""
    main = Parser(prog="tilesmith", description=DESCRIPTION, epilog=EPILOG)
    main.add_argument("--version", action="version", version=f"tilesmith {__version__}")
    commands = main.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for verb in [only] if only else verbs():
        module_of(verb).add_parser(commands)
        commands.choices[verb].add_common_options()
    return main
