"""A debugging session: what `_tilesmith` asks when a launch stops, and the stop as commands see it."""

import json
import os
import re

from tilesmith.debug import breakpoints, values
from tilesmith.debug.prompt import Prompt


class Quit(SystemExit):
    """The user ended the session: nothing of the script follows."""


class Stop:
    """Where the launch stands."""

    def __init__(self, launch, control, facts):
        self.launch, self.control, self.facts = launch, control, facts
        self.reason, self.block, self.blocks, self.core = facts["reason"], facts["block"], facts["blocks"], facts["core"]
        self.at_end = facts["kind"] == "end"
        if facts["site"] >= 0:
            site = launch.sites[facts["site"]]
            self.frames = [values.Frame(frame, control, facts["values"], launch.arch) for frame in site["frames"]]
        else:
            self.frames = [launch.plain_frame(control, *launch.place(facts["loc"]))]
        self.level = 0  # the frame that is looked at

    @property
    def frame(self):
        return self.frames[self.level]

    def with_names(self, call):
        """A call in words with array arguments by their names: `dst=y_ptr[256]` and not an address."""

        def name(match):
            address = int(match[1], 16)
            for argument in self.launch.arguments:
                begin = self.control.address_of(argument["host"]) if argument["array"] else values.NOWHERE
                if begin != values.NOWHERE and begin <= address < begin + argument["bytes"]:
                    return f"{argument['name']}[{(address - begin) // values.dtype_of(argument['dtype']).itemsize}]"
            return match[0]

        return re.sub(r"GM (0x[0-9a-f]+)", name, call)


class Launch:
    """What is launched: its statements, places and arguments."""

    def __init__(self, facts):
        from asc.runtime.config import platform_to_arch

        self.kernel, self.blocks, self.platform = facts["kernel"], facts["blocks"], facts["platform"]
        self.arch = str(platform_to_arch(self.platform))
        self.locations, self.arguments, self.buffers = facts["locations"], facts["arguments"], facts["buffers"]
        self.sites = [json.loads(site) for site in facts["sites"]]
        self.has_names = bool(self.sites)
        frames = [(frame["file"], frame["line"]) for site in self.sites for frame in site["frames"][:1]]
        places = frames or [(file, line) for file, line, *_ in self.locations if line]
        self.lines = {}
        for file, line in places:
            self.lines.setdefault(file, set()).add(line)
        self.lines = {file: sorted(lines) for file, lines in self.lines.items()}
        outermost = [site["frames"][-1]["file"] for site in self.sites]
        self.file = outermost[0] if outermost else next(iter(self.lines), "")

    def place(self, loc):
        file, line, *_ = self.locations[loc] if loc < len(self.locations) else ("", 0)
        return file, line

    def plain_frame(self, control, file, line):
        """A kernel without debug information: its arguments, and the buffers that have a name."""
        names = [
            [argument["name"], {"array" if argument["array"] else "scalar": argument["dtype"], "value": index}]
            for index, argument in enumerate(self.arguments)
        ]
        places = {}
        for name, shape, *where in self.buffers:
            places.setdefault(name, []).append([shape, *where])
        known = {argument["name"] for argument in self.arguments}
        names += [[name, {"buffers": found}] for name, found in places.items() if name not in known]
        bits = [control.address_of(argument["host"]) if argument["array"] else argument["bits"] for argument in self.arguments]
        facts = {"function": self.kernel, "file": file, "line": line, "names": names}
        return values.Frame(facts, control, bits, self.arch, self.place)


class Debugger:
    """Follows the launches of a script. `asc.runtime.debug` gives it to the launcher."""

    def __init__(self, places=(), block=-1, as_compiled=False, prompt=None):
        self.as_compiled = as_compiled
        self.only_block = block
        self.breakpoints = []
        self.next_id = 1
        self.watches = {}  # id: (text, what is watched)
        self.prompt = prompt or Prompt()
        self.launch = None
        self.launches = 0
        self.stops = []  # for `--json`: where it stopped and why
        self.resolved = {}  # (file, line): [breakpoints]
        self.has_quit = False
        self.detached = False  # stops at breakpoints only
        self.told = as_compiled  # how kernels are compiled
        for place in places:
            self.add_breakpoint(place)

    # What the launcher asks.

    def begin(self, control, facts):
        self.launch = Launch(facts)
        self.launches += 1
        self.watches.clear()
        control.only_block = self.only_block
        # The first statement is a stop, unless the user said where to stop.
        control.at_start = not (self.breakpoints or self.detached)
        self.resolve()
        if not self.told:
            self.told = True
            self.prompt.say(
                "Kernels are compiled for debugging: every name is kept in memory, operations are not joined and loops not "
                "pipelined.\nResults are the same; addresses and time are not (--as-compiled keeps both). Type `help` for help."
            )
        if self.only_block >= self.launch.blocks:
            self.prompt.say(f"note: this launch has no block {self.only_block}; it has {self.launch.blocks}")

    def breaks_at(self, file, line):
        return (file, line) in self.resolved

    def stopped(self, control, facts):
        stop = Stop(self.launch, control, facts)
        if stop.reason == "breakpoint" and facts["kind"] != "breakpoint" and not self.holds(stop):
            return "same"
        frame = stop.frames[0]
        self.stops.append(
            {"reason": stop.reason, "kernel": self.launch.kernel, "block": stop.block, "file": frame.file, "line": frame.line}
        )
        try:
            return self.prompt.talk(self, stop)
        except Quit:
            self.has_quit = True
            raise
        except (EOFError, KeyboardInterrupt) as end:
            self.has_quit = True
            self.prompt.say("")
            raise Quit(130 if isinstance(end, KeyboardInterrupt) else 0) from None

    # Breakpoints.

    def add_breakpoint(self, text):
        breakpoint = breakpoints.parse(text, self.next_id)
        self.next_id += 1
        self.breakpoints.append(breakpoint)
        return breakpoint

    def resolve(self):
        self.resolved = {}
        if self.launch is None:
            return
        for breakpoint in self.breakpoints:
            if place := breakpoints.resolve(breakpoint, self.launch.lines, self.launch.file):
                breakpoint.found = True
                self.resolved.setdefault(place, []).append(breakpoint)

    def holds(self, stop):
        """Whether a breakpoint of the line has no condition, or one that holds."""
        place = (stop.frames[0].file, stop.frames[0].line)
        for breakpoint in self.resolved.get(place, ()):
            if breakpoint.condition:
                try:
                    if not values.evaluate(breakpoint.condition, stop.frame):
                        continue
                except Exception as error:
                    self.prompt.say(f"error: the condition of breakpoint {breakpoint.id}: {explain(error)}")
            breakpoint.hits += 1
            stop.breakpoint = breakpoint
            return True
        return False

    def finish(self):
        """After the script: what the user may wonder about."""
        if self.has_quit:
            return
        for breakpoint in self.breakpoints:
            if not breakpoint.found:
                self.prompt.say(
                    f"warning: breakpoint {breakpoint.id}, {breakpoint}: no kernel that was launched has a statement there"
                )
        if not self.launches:
            self.prompt.say("warning: the script launched no kernel")


def explain(error):
    """An error of the user's expression, in a line."""
    if isinstance(error, values.Unavailable):
        return str(error)
    if isinstance(error, SyntaxError):
        return f"not an expression: {error.msg}"
    if isinstance(error, NameError):
        return str(error)
    return f"{type(error).__name__}: {error}"


def short(path):
    """A path as people write it: from here, if it is below."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return path
    return path if relative.startswith("..") or not os.path.exists(path) else relative
