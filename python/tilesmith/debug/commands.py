"""The commands of the debugger: one function each, with its names, arguments and help."""

import difflib
import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass

from tilesmith.debug import breakpoints, show, values
from tilesmith.debug.session import Quit, explain, short


@dataclass
class Command:
    names: tuple[str, ...]
    arguments: str
    text: str
    run: Callable


COMMANDS: list[Command] = []


class Refused(Exception):
    """A command that cannot be done, in a line."""


def command(*names, arguments=""):
    def add(function):
        COMMANDS.append(Command(names, arguments, " ".join(function.__doc__.split()), function))
        return function

    return add


def find(word):
    return next((known for known in COMMANDS if word in known.names), None)


def run(debugger, stop, line):
    """Does a command. Returns how the launch goes on, or None where the user is to be asked again."""
    match = re.match(r"(\?|\w+)(.*)", line, re.S)
    word, rest = (match[1], match[2].strip()) if match else (line, "")
    found = find(word)
    # `n = 3` and `n[0]` are about a name n, not about the command.
    is_expression = bool(match) and match[2][:1] in tuple("[.(+-*/%@<>=!,")
    try:
        if found and not is_expression:
            return found.run(debugger, stop, rest)
        if word in stop.frame or (is_expression and not found):
            return print_command(debugger, stop, line)
        close = difflib.get_close_matches(word, [name for known in COMMANDS for name in known.names if len(name) > 1], n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise Refused(f"no command and no name here is called '{word}'{hint} (`help` lists the commands)")
    except (Refused, breakpoints.Malformed) as error:
        debugger.prompt.say(f"error: {error}")
    except (Quit, KeyboardInterrupt):
        raise
    except (Exception, SystemExit) as error:
        hint = "; with --as-compiled only arguments and buffers have names"
        debugger.prompt.say(f"error: {explain(error)}{hint * (isinstance(error, NameError) and not stop.launch.has_names)}")
    return None


# Where it stands.


def show_stop(debugger, stop):
    facts, say = stop.facts, debugger.prompt.say
    frame = stop.frames[0]
    place = f"{short(frame.file)}:{frame.line}" if frame.line else "an unknown place"
    if stop.reason == "watch":
        text, watched = debugger.watches.get(facts["watch"], ("?", None))
        at = ":".join(map(str, (short(stop.launch.place(facts["call_loc"])[0]), stop.launch.place(facts["call_loc"])[1])))
        say(f"[watch {facts['watch']}] {text} changed at {at}")
        if watched:
            say(f"  old: {watched.read(facts['old'])}\n  new: {watched.read()}")
        say(f"  by:  {call_of(stop)}")
    elif stop.reason == "finding":
        say(f"[finding] {facts['finding'][0]}: {facts['finding'][1]}")
        say(f"  of:  {call_of(stop)}")
    elif stop.reason == "interrupt":
        say("[interrupted]")
    elif stop.reason == "breakpoint":
        breakpoint = getattr(stop, "breakpoint", None)
        say(f"[breakpoint {breakpoint.id}]" if breakpoint else "[asc2.breakpoint()]")
    elif stop.reason == "block" and stop.block == 0:
        say(f"[launch] {stop.launch.kernel}: {stop.blocks} block{'s' * (stop.blocks > 1)} on {stop.launch.platform}")
    where = "the end of " if stop.at_end else ""
    say(f"{stop.core}, {place} in {where}{frame.function}")
    if not stop.at_end:
        show_line(say, frame, "->")
    if stop.reason == "call":
        say(f"next: {call_of(stop)}")


def call_of(stop):
    return f"{stop.facts['pipe']}: {stop.with_names(stop.facts['call'])}"


def show_line(say, frame, mark, line=None):
    line = frame.line if line is None else line
    text = linecache.getline(frame.file, line).rstrip("\n")
    say(f"{mark:2} {line:4} | {text}".rstrip())


@command("list", "l", arguments="[LINE]")
def list_command(debugger, stop, rest):
    """Shows the source around the current line, or around LINE."""
    frame = stop.frame
    middle = number(rest, "a line") if rest else frame.line
    stops = {line for file, line in debugger.resolved if file == frame.file}
    shown = [line for line in range(max(1, middle - 5), middle + 6) if linecache.getline(frame.file, line)]
    if not shown:
        raise Refused(
            f"{short(frame.file)} has no line {middle}" if linecache.getlines(frame.file) else f"no source of {frame.file}"
        )
    for line in shown:
        show_line(debugger.prompt.say, frame, "->" if line == frame.line else "* " if line in stops else "  ", line)


@command("where", "bt")
def where_command(debugger, stop, rest):
    """Shows the functions around the current statement, innermost first, and the block."""
    for level, frame in enumerate(stop.frames):
        mark = "->" if level == stop.level else "  "
        debugger.prompt.say(f"{mark} #{level} {frame.function} at {short(frame.file)}:{frame.line}")
    debugger.prompt.say(f"   {stop.core} of {stop.blocks} on {stop.launch.platform}")


@command("up")
def up_command(debugger, stop, rest):
    """Looks at the function that called this one."""
    move(debugger, stop, stop.level + 1)


@command("down")
def down_command(debugger, stop, rest):
    """Looks at the function that this one called."""
    move(debugger, stop, stop.level - 1)


def move(debugger, stop, level):
    if not 0 <= level < len(stop.frames):
        raise Refused("there is no function further out" if level > 0 else "this is the innermost function")
    stop.level = level
    debugger.prompt.say(f"#{level} {stop.frame.function} at {short(stop.frame.file)}:{stop.frame.line}")
    show_line(debugger.prompt.say, stop.frame, "->")


# What it holds.


@command("print", "p", arguments="EXPRESSION")
def print_command(debugger, stop, rest):
    """Prints an expression of the names here: `p x`, `p x[0, :8]`, `p np.abs(x - y).max()`. Tiles and arrays are NumPy arrays;
    `np` is NumPy.
    """
    if not rest:
        raise Refused("what? `p x` prints x, `names` lists the names")
    for line in show.lines_of(rest, stop.frame):
        debugger.prompt.say(line)


@command("names", "locals")
def names_command(debugger, stop, rest):
    """Lists the names of the function with what they are and, where it is short, their value."""
    rows = [(name, *show.summary(stop.frame, name)) for name in stop.frame]
    if not rows:
        raise Refused("no names are known here")
    widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
    for name, what, value in rows:
        debugger.prompt.say(f"  {name:{widths[0]}}  {what:{widths[1]}}  {value}".rstrip())


@command("memory", "mem")
def memory_command(debugger, stop, rest):
    """Shows where the tiles of all names are in the memories of the core."""
    for line in show.memory_map(stop):
        debugger.prompt.say(line)


@command("dump", arguments="MEMORY+OFFSET [COUNT] [DTYPE]")
def dump_command(debugger, stop, rest):
    """Prints elements at an address: `dump UB+256 16 float32`. Without COUNT and DTYPE 16 bytes."""
    match = re.fullmatch(r"(\w+?)\s*\+\s*(0x[0-9a-fA-F]+|\d+)(?:\s+(\d+))?(?:\s+(\w+))?", rest)
    if not match:
        raise Refused("write `dump MEMORY+OFFSET [COUNT] [DTYPE]`, such as `dump UB+256 16 float32`")
    memories = stop.control.memories()
    if match[1].upper() not in memories:
        raise Refused(f"no memory is called {match[1]}; there are {', '.join(memories)}")
    count, dtype = int(match[3] or 16), match[4] or "uint8"
    try:
        values.dtype_of(dtype)
    except TypeError:
        raise Refused(f"no dtype is called {dtype}") from None
    address = memories[match[1].upper()][0] + int(match[2], 0)
    array = values.Array(stop.control, "bytes", dtype, [count], address, stop.launch.arch)
    for line in show.array_lines(array.flat()):
        debugger.prompt.say(line)


@command("pipes", "flight")
def pipes_command(debugger, stop, rest):
    """Lists the instructions nothing has waited for yet, pipe by pipe, and the flags that are raised. On the chip they may still
    run; the model is through with an instruction when it returns.
    """
    pipes, flags = stop.control.in_flight(8)
    if not pipes and not flags:
        debugger.prompt.say("nothing is in flight")
    for pipe, count, calls in pipes:
        left = f", the last {len(calls)}" if count > len(calls) else ""
        debugger.prompt.say(f"{pipe}: {count} instruction{'s' * (count > 1)} in flight{left}")
        for loc, text in calls:
            debugger.prompt.say(f"  {place_of(stop, loc)}  {stop.with_names(text)}")
    for source, target, id, sets, loc in flags:
        again = f", {sets} times" if sets > 1 else ""
        debugger.prompt.say(f"flag {source} -> {target} {id} raised{again} at {place_of(stop, loc)}")


def place_of(stop, loc):
    file, line = stop.launch.place(loc)
    return f"{short(file)}:{line}" if line else "(no place)"


# Going on.


@command("step", "s")
def step_command(debugger, stop, rest):
    """Runs to the next statement, in a function that is called, too."""
    return "step"


@command("next", "n")
def next_command(debugger, stop, rest):
    """Runs to the next statement of this function."""
    return "next"


@command("stepi", "si")
def stepi_command(debugger, stop, rest):
    """Runs one instruction and shows the next one."""
    return "call"


@command("finish", "f")
def finish_command(debugger, stop, rest):
    """Runs to the end of this function, or of the block in the kernel itself."""
    return "finish"


@command("continue", "c")
def continue_command(debugger, stop, rest):
    """Runs to the next breakpoint, watch or finding, or to the end."""
    return "continue"


@command("block", "nb", arguments="[N]")
def block_command(debugger, stop, rest):
    """Runs to the first statement of the next block. With N, only block N stops from here on; `block all` ends that."""
    if rest == "all":
        debugger.only_block = stop.control.only_block = -1
        debugger.prompt.say("every block stops")
        return None
    if rest:
        block = number(rest, "a block")
        if block >= stop.blocks:
            raise Refused(f"the launch has {stop.blocks} blocks, 0 to {stop.blocks - 1}")
        if block <= stop.block:
            raise Refused(f"block {block} has begun: blocks run in order, and this is block {stop.block}")
        debugger.only_block = stop.control.only_block = block
    stop.control.at_start = True
    return "block"


@command("quit", "q", "exit")
def quit_command(debugger, stop, rest):
    """Ends the session and the script."""
    raise Quit(0)


# Where to stop.


@command("break", "b", arguments="[FILE:]LINE [if CONDITION]")
def break_command(debugger, stop, rest):
    """Stops before a line, where CONDITION holds: `b 12`, `b k.py:12 if i == 3`. Without arguments lists what stops."""
    say = debugger.prompt.say
    if not rest:
        for breakpoint in debugger.breakpoints:
            say(f"breakpoint {breakpoint.id}: {breakpoint}, hit {breakpoint.hits} time{'s' * (breakpoint.hits != 1)}")
        for id, (text, _) in debugger.watches.items():
            say(f"watch {id}: {text}")
        if not debugger.breakpoints and not debugger.watches:
            say("nothing stops: `b LINE` and `watch NAME` do")
        return
    breakpoint = breakpoints.parse(rest, debugger.next_id)
    place = breakpoints.resolve(breakpoint, stop.launch.lines, stop.frames[0].file)
    if place is None:
        say(f"note: {stop.launch.kernel} has no statement there; another kernel may")
    if breakpoint.file is None:
        breakpoint.file = short(place[0] if place else stop.frames[0].file)
    debugger.breakpoints.append(breakpoint)
    debugger.next_id += 1
    debugger.resolve()
    stop.control.breakpoints_changed()
    if place:
        moved = f" (line {breakpoint.line} has no statement)" if place[1] != breakpoint.line else ""
        condition = f" if {breakpoint.condition}" if breakpoint.condition else ""
        say(f"breakpoint {breakpoint.id} at {short(place[0])}:{place[1]}{condition}{moved}")


@command("watch", "w", arguments="NAME[INDEX]")
def watch_command(debugger, stop, rest):
    """Stops when a tile, an array or elements of one change: `watch y_ptr[100]`, `watch x[0, :8]`, `watch acc`."""
    if not rest:
        raise Refused("what? `watch y_ptr[100]` stops when that element changes")
    watched = show.Watched(*values.locate(rest, stop.frame))
    if not stop.control.watch(debugger.next_id, watched.runs):
        raise Refused(f"{rest} has no bytes in the memories of this launch")
    debugger.watches[debugger.next_id] = (rest, watched)
    debugger.prompt.say(f"watch {debugger.next_id}: {rest} = {watched.read()}")
    debugger.next_id += 1


@command("delete", "d", arguments="NUMBER")
def delete_command(debugger, stop, rest):
    """Removes a breakpoint or watch by its number."""
    id = number(rest, "the number of a breakpoint or watch")
    if id in debugger.watches:
        del debugger.watches[id]
        stop.control.unwatch(id)
        return
    kept = [breakpoint for breakpoint in debugger.breakpoints if breakpoint.id != id]
    if len(kept) == len(debugger.breakpoints):
        raise Refused(f"no breakpoint and no watch has number {id}; `break` lists them")
    debugger.breakpoints = kept
    debugger.resolve()
    stop.control.breakpoints_changed()


def number(text, what):
    if not text.isdecimal():
        raise Refused(f"'{text}' is not {what}" if text else f"{what} is missing")
    return int(text)


@command("help", "h", "?", arguments="[COMMAND]")
def help_command(debugger, stop, rest):
    """Lists the commands, or explains one."""
    say = debugger.prompt.say
    if rest:
        found = find(rest)
        if not found:
            raise Refused(f"no command is called '{rest}'")
        say(f"{' | '.join(found.names)} {found.arguments}".rstrip() + f"\n  {found.text}")
        return
    width = max(len(usage(known)) for known in COMMANDS)
    for known in COMMANDS:
        say(f"  {usage(known):{width}}  {first_sentence(known.text)}")
    say("A name alone prints it; an empty line repeats the last command; Ctrl-C stops a launch that runs.")


def usage(known):
    return f"{', '.join(known.names[:2])} {known.arguments}".rstrip()


def first_sentence(text):
    return re.split(r"[:.](?:\s|$)", text, maxsplit=1)[0]
