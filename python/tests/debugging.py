"""Debugging sessions for tests: commands in, what was said out."""

import io

from asc.runtime.debug import debugging
from tilesmith.debug import Debugger, Quit
from tilesmith.debug.prompt import Prompt


def session(launch, commands, places=(), **options):
    """Runs `launch()` under a debugger that is given these commands, and continues after them. Returns the lines it said."""
    output = io.StringIO()
    lines = [command + "\n" for command in commands]
    debugger = Debugger(places, prompt=Prompt(lines, output), **options)
    debugger.told = True  # the greeting is tested on its own
    try:
        with debugging(debugger):
            launch()
    except Quit:
        pass
    return output.getvalue().splitlines()


def answers(lines):
    """What the commands answered: (command, [lines]) in order."""
    result = []
    for line in lines:
        if line.startswith("(debug)"):
            result.append((line[len("(debug)") :].strip(), []))
        elif result:
            result[-1][1].append(line)
    return result
