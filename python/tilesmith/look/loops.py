"""The loops of a kernel: what bounds each, and what the compiler chose there.

A loop is a `for` or `while` of the source; what happens in it is what happens at its lines, on the core a profile is about. Its time
is from the first instruction of these lines to the end of the last, with whatever other lines do in between.
"""

from __future__ import annotations

import ast
import functools
import linecache
from typing import Any, NamedTuple

from . import units

LEAST = 0.05  # of the launch's time


class Ring(NamedTuple):
    """Buffers of one tile that take turns; in the workspace they hand it from one kind of core to the other."""

    name: str
    shape: str
    memory: str  # "workspace" for what crosses
    slots: int
    bytes: int  # of each


class Loop(NamedTuple):
    """A loop: its place, its time, the pipe that works most in it, and for what that pipe waits most."""

    file: str
    line: int
    text: str  # the line of the source
    time_us: float
    bound: str  # a pipe
    busy_us: float
    waits_for: list[str]  # the pipe it waits for most, and what that waits for in turn; nothing where it hardly waits
    waited_us: float
    rings: list[Ring]

    @property
    def share(self) -> float:
        """How much of the time the pipe works."""
        return self.busy_us / self.time_us


def loops(launch: Any) -> list[Loop]:
    """The loops that take a noticeable part of a timed launch, in the order of the source."""
    lines: dict[str, list[Any]] = {}
    for line in launch.lines():
        lines.setdefault(line.file, []).append(line)
    found = []
    for file, used in lines.items():
        ranges = _loops_of(file)
        for first, last in ranges:
            inside = [line for line in used if first < line.line <= last and line.end_us > line.begin_us]
            inner = [other for other in ranges if first < other[0] <= last]
            own = set(range(first + 1, last + 1)) - {line for begin, end in inner for line in range(begin + 1, end + 1)}
            loop = _loop(launch, file, first, own, inside)
            if loop is not None and loop.time_us >= LEAST * launch.time_us:
                found.append(loop)
    return sorted(found, key=lambda loop: (loop.file, loop.line))


def describe(loop: Loop) -> list[str]:
    """A loop in words: its bound, and its rings."""
    text = f"{units.time(loop.time_us)}; {loop.bound} works {units.share(loop.share)} of it"
    if loop.waits_for:
        text += f" and waits {units.share(loop.waited_us / loop.time_us)} for {', which waits for '.join(loop.waits_for)}"
    held = [f"{ring.slots} x {ring.name} {ring.shape} in {ring.memory}".replace("  ", " ") for ring in loop.rings]
    return [text, ", ".join(held)] if held else [text]


@functools.lru_cache(maxsize=64)
def _loops_in(text: str) -> list[tuple[int, int]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):  # of another language, or not as it was any more
        return []
    return [(node.lineno, node.end_lineno or node.lineno) for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While))]


def _loops_of(file: str) -> list[tuple[int, int]]:
    """First and last lines of the loops of a Python file."""
    return _loops_in("".join(linecache.getlines(file))) if file.endswith(".py") or file.startswith("<") else []


def _loop(launch: Any, file: str, first: int, own: set[int], lines: list[Any]) -> Loop | None:
    """The loop that begins at a line; `own` are the lines of its body that are in no loop inside it."""
    busy: dict[str, float] = {}
    waits: dict[tuple[str, str], float] = {}
    for line in lines:
        for pipe, time in line.pipes.items():
            busy[pipe] = busy.get(pipe, 0) + time
        for wait in line.waits:
            waits[wait.pipe, wait.on] = waits.get((wait.pipe, wait.on), 0) + wait.time_us
    if not busy:
        return None
    time = max(line.end_us for line in lines) - min(line.begin_us for line in lines)
    bound = max(busy, key=lambda pipe: (busy[pipe], pipe))
    chain, waited = [bound], 0.0
    while True:
        us, on = max(((us, on) for (pipe, on), us in waits.items() if pipe == chain[-1]), default=(0.0, ""))
        if us < (0.5 * waited or 0.02 * time) or on in chain:
            break
        waited = waited or us
        chain.append(on)
    text = linecache.getline(file, first).strip()
    return Loop(file, first, text, time, bound, busy[bound], chain[1:], waited, _rings(launch, own))


def _rings(launch: Any, made: set[int]) -> list[Ring]:
    """Rings of tiles that are made in these lines."""
    places: dict[tuple[str, str, str], set[int]] = {}
    sizes: dict[tuple[str, str, str], int] = {}
    for memory, address, size, slots, name, shape, line in launch.buffers:
        if line in made and shape and slots > 1:
            tile = (name if memory in ("UB", "L1", "L0C") else "", shape, memory)
            places.setdefault(tile, set()).update(address + slot * size for slot in range(slots))
            sizes[tile] = size
    rings = [Ring(*tile, len(at), sizes[tile]) for tile, at in places.items()]
    for ring in launch.workspace.rings if launch.workspace else []:
        if ring.sent in made or ring.received in made:
            rings.append(Ring(ring.name, ring.shape, "the workspace", ring.slots, ring.bytes))
    return rings
