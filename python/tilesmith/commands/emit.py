"""`tilesmith emit`: the launches of a script as Ascend C."""

import os
import sys

from tilesmith import script
from tilesmith.document import Failure
from tilesmith.schemas import count, listed, text

EXAMPLES = """
examples:
  tilesmith emit kernels/softmax.py -o out
  tilesmith emit kernels/softmax.py --kernel softmax_kernel -v Ascend950PR_9599
"""

SCHEMA = {
    "properties": {
        "script": text("as it was named"),
        "launches": count("of the kernels that were wanted"),
        "kernels": listed(
            {
                "type": "object",
                "properties": {
                    "kernel": text("its name"),
                    "blocks": count("it is launched with"),
                    "platform": text("it is for"),
                    "core": {"enum": ["vector", "cube"]},
                    "arguments": listed({"type": "object", "required": ["name", "dtype"]}, "of the launch, without constants"),
                    "source": text("file of the kernel"),
                    "program": text("file of the host program"),
                },
                "required": ["kernel", "blocks", "platform", "core", "arguments", "source", "program"],
            },
            "one for each launch that is not like an earlier one",
        ),
    },
    "required": ["script", "launches", "kernels"],
}


def add_parser(commands):
    sub = script.add_parser(
        commands, "emit", "write the kernels a script launches as Ascend C, with a host program for each launch", examples=EXAMPLES
    )
    sub.add_argument("-o", "--output", default=".", metavar="DIR", help="folder of the files (default: here)")
    sub.add_argument("--kernel", metavar="NAME", help="only launches of this kernel")
    return sub


def _files(launches):
    """(launch, name of its files) for each launch that is not the same as an earlier one."""
    seen, counts = set(), {}
    for launch in launches:
        key = launch.source, launch.host_program("")
        if key in seen:
            continue
        seen.add(key)
        counts[launch.kernel] = counts.get(launch.kernel, 0) + 1
        number = counts[launch.kernel]
        yield launch, launch.kernel if number == 1 else f"{launch.kernel}_{number}"


def command(args):
    from asc.runtime.emit import captured

    if script.is_cpp(args) and os.path.isfile(args.script):
        raise Failure(f"'{args.script}' is Ascend C already")
    script.prepare(args)
    # Launches take place as well, so that a script that checks its results comes to all of them. What it prints goes where it is not
    # mistaken for ours.
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        with captured(run=True) as launches:
            code = script.run(args)
    finally:
        sys.stdout.flush()
        sys.stdout = stdout
    wanted = [launch for launch in launches if args.kernel in (None, launch.kernel)]
    args.document.update(launches=len(wanted), kernels=[])
    if not wanted:
        what = f"no kernel '{args.kernel}'" if args.kernel else "no kernel"
        others = ", ".join(sorted({launch.kernel for launch in launches}))
        raise Failure(f"{args.script} launched {what}" + (f"; it launched {others}" if others else ""), code or 1)
    for launch, source, program in _write(wanted, args.output):
        args.document["kernels"].append(launch.to_json() | {"source": source, "program": program})
        if not args.json:
            print(f"{launch.kernel}  {launch.blocks} blocks on {launch.platform}  {source}  {program}")
    return code


def _write(launches, folder):
    """[(launch, its source, its program)]"""
    written = []
    try:
        os.makedirs(folder, exist_ok=True)
        for launch, name in _files(launches):
            source, program = (os.path.join(folder, f"{name}{end}") for end in (".cpp", "_main.cpp"))
            for path, text in (source, launch.source), (program, launch.host_program(os.path.basename(source))):
                with open(path, "w") as file:
                    file.write(text)
            written.append((launch, source, program))
    except OSError as error:
        raise Failure(f"cannot write '{error.filename}': {error.strerror}") from None
    return written
