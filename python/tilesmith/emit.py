"""tilesmith emit: the launches of a script as Ascend C."""

import json
import os
import sys

from asc.runtime.emit import captured

from tilesmith import cpp


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


def emit_command(args, run_script):
    if args.script.endswith(cpp.SUFFIXES):
        print(f"tilesmith: error: '{args.script}' is Ascend C already", file=sys.stderr)
        return 2
    # Nothing runs, so what the script prints about its results means nothing; it goes where it is not mistaken for ours.
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        with captured() as launches:
            code = run_script(args)
    finally:
        sys.stdout.flush()
        sys.stdout = stdout
    wanted = [launch for launch in launches if args.kernel in (None, launch.kernel)]
    if not wanted:
        what = f"kernel '{args.kernel}'" if args.kernel else "no kernel"
        others = ", ".join(sorted({launch.kernel for launch in launches}))
        note = f"; it launched {others}" if others else ""
        print(f"tilesmith: error: {args.script} launched {'no ' if args.kernel else ''}{what}{note}", file=sys.stderr)
        return code or 1

    written = []
    try:
        os.makedirs(args.output, exist_ok=True)
        for launch, name in _files(wanted):
            source, program = (os.path.join(args.output, f"{name}{end}") for end in (".cpp", "_main.cpp"))
            for path, text in (source, launch.source), (program, launch.host_program(os.path.basename(source))):
                with open(path, "w") as file:
                    file.write(text)
            written.append((launch, source, program))
    except OSError as error:
        print(f"tilesmith: error: cannot write '{error.filename}': {error.strerror}", file=sys.stderr)
        return 2
    if args.json:
        kernels = [launch.to_json() | {"source": source, "program": program} for launch, source, program in written]
        print(
            json.dumps(
                {"command": "emit", "script": args.script, "exit_code": 0, "launches": len(wanted), "kernels": kernels}, indent=2
            )
        )
    else:
        for launch, source, program in written:
            print(f"{launch.kernel}  {launch.blocks} blocks on {launch.platform}  {source}  {program}")
    return 0
