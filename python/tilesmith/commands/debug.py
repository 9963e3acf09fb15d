"""`tilesmith debug`: a script's launches in the debugger."""

from tilesmith import script
from tilesmith.document import Failure
from tilesmith.schemas import count, listed, text

EXAMPLES = """
examples:
  tilesmith debug kernels/softmax.py                        stop at the first statement of each launch
  tilesmith debug kernels/softmax.py --break 23 --block 1   stop before line 23, in block 1 only
  tilesmith debug kernels/softmax.py --break "23 if i > 2"
  echo "names\nwatch y_ptr[100]\nc" | tilesmith debug kernel.py --break kernel.py:12
"""


SCHEMA = {
    "properties": {
        "script": text("as it was named"),
        "launches": count("that were debugged"),
        "stops": listed(
            {
                "type": "object",
                "properties": {
                    "reason": {"enum": ["block", "breakpoint", "step", "call", "watch", "finding", "interrupt"]},
                    "kernel": text("its name"),
                    "block": count("from 0"),
                    "file": text("of the statement"),
                    "line": count("of the statement; 0: unknown"),
                },
                "required": ["reason", "kernel", "block", "file", "line"],
            },
            "in order",
        ),
    },
    "required": ["script", "launches", "stops"],
}


def add_parser(commands):
    sub = script.add_parser(
        commands,
        "debug",
        "run a kernel script in the debugger: stop at lines, print names, step, watch memory",
        "Run a kernel script in the debugger: stop at lines of a block, print tiles and numbers by name, step, watch memory. "
        "Commands come from the terminal or a pipe; `help` lists them (docs/debug.md).",
        examples=EXAMPLES,
    )
    sub.add_argument(
        "-b",
        "--break",
        dest="places",
        action="append",
        default=[],
        metavar="[FILE:]LINE",
        help='stop before this line instead of at the first one; with a condition: "12 if i == 3". May be repeated',
    )
    sub.add_argument("--block", type=int, default=-1, metavar="N", help="stop in this block only")
    sub.add_argument(
        "--as-compiled",
        action="store_true",
        help="debug the code as it runs without a debugger: addresses and order are the real ones, fewer names are known",
    )
    return sub


def command(args):
    from asc.runtime.debug import debugging

    from tilesmith.debug import Debugger
    from tilesmith.debug.breakpoints import Malformed

    script.prepare(args)
    if script.is_cpp(args):
        raise Failure(
            "kernels written in C++ cannot be debugged here: they run in a process of their own; "
            "use prints (AscendC::printf) and `tilesmith check`"
        )
    if args.block < -1:
        raise Failure(f"blocks are counted from 0, not {args.block}")
    try:
        debugger = Debugger(args.places, args.block, args.as_compiled)
    except Malformed as error:
        raise Failure(f"--break: {error}") from None
    with debugging(debugger):
        code = script.run(args)
    debugger.finish()
    args.document.update(launches=debugger.launches, stops=debugger.stops)
    return code
