"""Hints: what to try, computed from what a launch did. A hint is a rule: a function of a record that returns a Hint or None.

Each says what was seen, with its numbers, and what would change it. A rule is silent when the launch would gain little.
`id` is what `tilesmith explain` knows it by.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from . import units

if TYPE_CHECKING:
    from collections.abc import Callable

RULES: list[Callable[[Any], Hint | None]] = []


class Hint(NamedTuple):
    """What to try. `gain` is the share of the launch's time it is about."""

    id: str
    text: str
    gain: float
    file: str = ""
    line: int = 0


def hints(launch: Any) -> list[Hint]:
    """The hints of a timed launch, those about most of its time first."""
    if not launch.timed or not launch.time_us:
        return []
    found = [hint for hint in (rule(launch) for rule in RULES) if hint]
    return sorted(found, key=lambda hint: -hint.gain)


def rule(function: Callable[[Any], Hint | None]) -> Callable[[Any], Hint | None]:
    RULES.append(function)
    return function


def _platform(launch: Any) -> dict[str, Any]:
    import _tilesmith

    return _tilesmith.describe_platform(launch.platform)


def _at(line: Any) -> str:
    return f"{os.path.basename(line.file)}:{line.line}"


def _part(launch: Any, name: str) -> float:
    return next((part.adds_us for part in launch.parts if part.name == name), 0.0)


def _work_us(launch: Any) -> float:
    """From the begin of the core the profile is about to its end."""
    return (launch.critical["end"] - launch.critical["start"]) / launch.clock_mhz


def _busy_us(launch: Any, *pipes: str) -> float:
    """How long any of these pipes worked; a mixed kernel's have their core in front."""
    cycles = sum(time for at_once, time in launch.critical["together"] if any(name.split()[-1] in pipes for name in at_once))
    return cycles / launch.clock_mhz


def _overlap_us(launch: Any, first: tuple[str, ...], second: tuple[str, ...]) -> float:
    def has(at_once: list[str], pipes: tuple[str, ...]) -> bool:
        return any(name.split()[-1] in pipes for name in at_once)

    cycles = sum(time for at_once, time in launch.critical["together"] if has(at_once, first) and has(at_once, second))
    return cycles / launch.clock_mhz


def _has_several_tiles(launch: Any) -> bool:
    """Whether a core loads more than two tiles at some line."""
    return any(line.moves > 2 for line in launch.lines() if any(name.split()[-1] == "MTE2" for name in line.pipes))


def startup_us(launch: Any, blocks: int) -> float:
    """When the last of so many cores begins: they are started one after another."""
    platform = _platform(launch)
    one, every = platform["launch_ns"]
    seats = platform["cube_cores"] if any(name.split()[-1] == "M" for name in launch.busy) else platform["vector_cores"]
    return (one + (every - one) * (min(blocks, seats) - 1) / max(seats - 1, 1)) / 1000


@rule
def idle_blocks(launch: Any) -> Hint | None:
    """More blocks than tiles."""
    idle, blocks = launch.idle_blocks, launch.blocks
    working = blocks - idle
    if not idle or not working:
        return None
    saved = startup_us(launch, blocks) - startup_us(launch, working)
    text = f"{units.plural(blocks, 'block')} for {units.plural(working, 'tile')} of work: {idle} have nothing to do"
    if saved > 0.02 * launch.time_us:
        text += f"; the last core of {working} starts {units.time(saved)} earlier"
    return Hint("idle-blocks", text, saved / launch.time_us)


@rule
def startup(launch: Any) -> Hint | None:
    """Starting cores takes longer than their work."""
    start, blocks = _part(launch, "start-up"), launch.blocks - launch.idle_blocks
    if launch.waves > 1 or blocks < 2 or start < 0.4 * launch.time_us:
        return None
    # The work of all cores on fewer of them, each with a longer share; shared bandwidth is not the limit here.
    work = sum(core["end"] - core["start"] for core in launch.cores) / launch.clock_mhz

    def estimate(count: int) -> float:
        return startup_us(launch, count) + work / count

    best = min(range(1, blocks + 1), key=estimate)
    if estimate(best) > 0.85 * launch.time_us:
        return None
    return Hint(
        "start-up",
        f"starting {units.plural(min(launch.blocks, len(launch.cores)), 'core')} takes {units.time(start)} of "
        f"{units.time(launch.time_us)}: {units.plural(best, 'block')} would take about {units.time(estimate(best))}",
        1 - estimate(best) / launch.time_us,
    )


_PATHS = {"MTE2": ("gm_to_ub", "gm_to_l1"), "MTE3": ("ub_to_gm",), "FIX": ("l0c_to_gm",)}


@rule
def short_transfers(launch: Any) -> Hint | None:
    """Moves that cost latency, or pieces shorter than what a piece costs."""
    platform, worst = _platform(launch), None
    for line in launch.lines():
        for pipe, paths in _PATHS.items():
            time = sum(us for name, us in line.pipes.items() if name.split()[-1] == pipe)
            if not line.moves or time < 0.15 * _work_us(launch) or (worst and time <= worst[0]):
                continue
            cube = any(name.split()[-1] == "M" for name in launch.busy) and pipe == "MTE2"
            latency, per_cycle = platform["moves"][paths[-1 if cube else 0]]
            piece, move = line.bytes / max(line.pieces, 1), line.bytes / line.moves
            enough = platform["piece_cycles"][1 if cube else 0] * per_cycle
            if line.pieces > line.moves and piece < enough / 2:
                text = (
                    f"{_at(line)} moves rows of {piece:.0f} bytes: a row takes as long as {enough:.0f} bytes would; "
                    "make the tile's last dimension longer"
                )
                worst = time, Hint("short-rows", text, time / launch.time_us * (1 - piece / enough), line.file, line.line)
            elif move < latency * per_cycle / 8 and line.moves > 1:
                text = (
                    f"{_at(line)} has {units.plural(line.moves, 'transfer')} of {move:.0f} bytes: {latency} cycles until "
                    f"the first byte, {max(move / per_cycle, 1):.0f} for the bytes; use larger tiles"
                )
                worst = time, Hint("short-transfers", text, time / launch.time_us * 0.8, line.file, line.line)
    return worst[1] if worst else None


@rule
def unused_memory(launch: Any) -> Hint | None:
    """Small tiles although there is room, and many of them."""
    used, available = launch.memories.get("UB", (0, 1))
    moves = sum(line.moves for line in launch.lines())
    if not used or used > 0.1 * available or moves < 4 or _work_us(launch) < 0.3 * launch.time_us:
        return None
    if _busy_us(launch, "MTE2", "MTE3") < 0.3 * _work_us(launch) and _busy_us(launch, "S") < 0.3 * _work_us(launch):
        return None
    text = f"{units.share(used / available)} of UB is used, and a core makes {moves} transfers: larger tiles mean fewer of them"
    return Hint("unused-memory", text, 0.3 * _work_us(launch) / launch.time_us)


@rule
def bank_conflicts(launch: Any) -> Hint | None:
    """Operands of a vector instruction in one bank group of UB."""
    line = max(launch.lines(), key=lambda line: line.conflicts_us, default=None)
    if line is None or line.conflicts_us < 0.05 * launch.time_us:
        return None
    text = (
        f"operands at {_at(line)} lie in one bank group: V waits {units.time(line.conflicts_us)} for UB; "
        "another tile size, or in Ascend C an offset of 256 bytes, moves them apart"
    )
    return Hint("bank-conflict", text, line.conflicts_us / launch.time_us, line.file, line.line)


@rule
def scalar_unit(launch: Any) -> Hint | None:
    """The scalar unit is the busiest pipe."""
    scalar, work = _busy_us(launch, "S"), _work_us(launch)
    others = max((_busy_us(launch, pipe) for pipe in ("V", "M", "MTE1", "MTE2", "MTE3", "FIX")), default=0.0)
    if scalar < 0.5 * work or scalar < others or scalar < 0.25 * launch.time_us:
        return None
    line = max(launch.lines(), key=lambda line: sum(us for name, us in line.pipes.items() if name.split()[-1] == "S"), default=None)
    where = f", most of it at {_at(line)}" if line else ""
    text = (
        f"the scalar unit works {units.share(scalar / launch.time_us)} of the time{where}: it reads and writes single elements "
        "or issues many small instructions; use operations on tiles, and larger ones"
    )
    return Hint("scalar-bound", text, scalar / launch.time_us, line.file if line else "", line.line if line else 0)


@rule
def no_overlap(launch: Any) -> Hint | None:
    """Loads and computing take turns."""
    compute = ("V", "M")
    loads, computes, work = _busy_us(launch, "MTE2"), _busy_us(launch, *compute), _work_us(launch)
    smaller = min(loads, computes)
    if not _has_several_tiles(launch) or smaller < 0.15 * work or smaller < 0.1 * launch.time_us:
        return None
    if _overlap_us(launch, ("MTE2",), compute) > 0.1 * smaller:
        return None
    text = (
        f"loads ({units.time(loads)}) and computing ({units.time(computes)}) never overlap: there is one buffer per tile, or each "
        "iteration needs the result of the one before; two buffers need room for two tiles"
    )
    return Hint("no-overlap", text, smaller / launch.time_us)


@rule
def tail(launch: Any) -> Hint | None:
    """A last wave that few cores have work in, or tiles that do not divide evenly."""
    cores = len(launch.cores)
    if launch.waves > 1:
        last = launch.blocks - (launch.waves - 1) * cores
        if launch.waves > 8 or last > 0.5 * cores:
            return None
        lost = (1 - last / cores) / launch.waves
        text = (
            f"{launch.blocks} blocks on {units.plural(cores, 'core')}: the last of {launch.waves} waves has {units.plural(last, 'block')}; "
            f"{(launch.waves - 1) * cores} blocks, or a loop over tiles in {cores}, leave no core without work"
        )
        return Hint("tail", text, lost * _work_us(launch) / launch.time_us)
    spans = [core["end"] - core["start"] for core in launch.cores if any(pipe.split()[-1] != "S" for pipe in core["busy"])]
    if len(spans) < 2 or _work_us(launch) < 0.4 * launch.time_us:
        return None
    even = sum(spans) / len(spans) / max(spans)
    if even > 0.75:
        return None
    text = f"cores have work for {units.share(even)} of the time the longest of them needs: the tiles do not divide evenly among the blocks"
    return Hint("uneven", text, (1 - even) * _work_us(launch) / launch.time_us)


@rule
def starved_cube(launch: Any) -> Hint | None:
    """The cube waits for operands."""
    cube, work = _busy_us(launch, "M"), _work_us(launch)
    if not cube or cube > 0.6 * work or work < 0.4 * launch.time_us or not _has_several_tiles(launch):
        return None
    feeding = max(("MTE2", "MTE1"), key=lambda pipe: _busy_us(launch, pipe))
    if _busy_us(launch, feeding) < 1.2 * cube or _busy_us(launch, feeding) < 0.5 * work:
        return None
    what = "loads from global memory" if feeding == "MTE2" else "copies from L1 into L0A and L0B"
    text = (
        f"the cube works {units.share(cube / work)} of a core's time, {what} ({feeding}) {units.share(_busy_us(launch, feeding) / work)}: "
        "larger tiles in m and n use each operand more often"
    )
    return Hint("starved-cube", text, (1 - cube / work) * work / launch.time_us)


@rule
def rereads(launch: Any) -> Hint | None:
    """An array is read many times over."""
    if _busy_us(launch, "MTE2") < 0.4 * launch.time_us:
        return None
    import _tilesmith

    names = _tilesmith.isa_names()
    sizes = dict(zip(names["dtypes"], names["dtype_bytes"]))
    worst = None
    for row in launch.traffic:
        bytes_there = row["elements"] * sizes.get(row["dtype"], 0)
        if (
            bytes_there
            and row["read"] >= 4 * bytes_there
            and row["read"] > 4 * row["written"]
            and (not worst or row["read"] > worst[0]["read"])
        ):
            worst = row, row["read"] / bytes_there
    if not worst:
        return None
    row, times = worst
    share = row["read"] / max(sum(each["read"] for each in launch.traffic), 1)
    text = (
        f"{row['name'] or 'an array'} is read {times:.0f} times over ({units.size(row['read'])}, of which {units.size(row['hbm_read'])} "
        "come from HBM): larger tiles, or keeping a tile for several products, read it less often"
    )
    return Hint("re-reads", text, share * 0.5 * _busy_us(launch, "MTE2") / launch.time_us)
