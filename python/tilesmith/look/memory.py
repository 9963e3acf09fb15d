"""What a core's own memories hold over time: from a write to the last read of what it wrote.

The accesses of a timeline say which bytes an instruction touches, from the first to the last. A piece of memory is a range that is
accessed as a whole: planned buffers where the compiler made them, and otherwise ranges as the accesses show them.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Piece(NamedTuple):
    """A slot of a buffer, or a range that is used like one."""

    memory: str
    begin: int
    end: int
    name: str
    shape: str
    line: int


class Life(NamedTuple):
    """A value in a piece: written from `begin` on, last used until `end` (cycles)."""

    piece: int
    begin: int
    end: int


def pieces(timeline: Any) -> list[Piece]:
    """Slots of the planned buffers; ranges of accesses that lie in none."""
    planned: dict[tuple[str, int, int], Piece] = {}
    for memory, address, size, slots, name, shape, line in timeline.buffers:
        for slot in range(slots):
            text = (name or "temporary") + (f" [{slot}]" if slots > 1 else "")
            key = memory, address + slot * size, address + (slot + 1) * size
            if key in planned:  # values that take turns
                before = planned[key]
                names = before.name.split(" / ")
                text = before.name if text in names else " / ".join([*names, text])
                shape, line = before.shape, before.line
            planned[key] = Piece(*key, text, shape, line)
    found = list(planned.values())
    known: dict[str, list[Piece]] = {}
    for piece in found:
        known.setdefault(piece.memory, []).append(piece)
    others: dict[str, set[tuple[int, int]]] = {}
    accesses = timeline.accesses
    for memory, begin, end in set(zip(_memories(timeline), accesses["begin"].tolist(), accesses["end"].tolist())):
        if not any(piece.begin <= begin and end <= piece.end for piece in known.get(memory, ())):
            others.setdefault(memory, set()).add((begin, end))
    for memory, ranges in sorted(others.items()):
        merged: list[list[int]] = []
        for begin, end in sorted(ranges):
            if merged and begin < merged[-1][1]:
                merged[-1][1] = max(end, merged[-1][1])
            else:
                merged.append([begin, end])
        found += [Piece(memory, begin, end, "", "", 0) for begin, end in merged]
    return found


def _memories(timeline: Any) -> list[str]:
    """The memory of every access; in a block of several cores, whose it is."""
    names, entries, accesses = timeline.names()["memories"], timeline.entries, timeline.accesses
    if timeline.cores_of_block == 1:
        return [names[number] for number in accesses["memory"].tolist()]
    cores = (entries["core"][accesses["entry"]] % timeline.cores_of_block).tolist()
    return [f"{names[number]} of {timeline.core_name(core)}" for number, core in zip(accesses["memory"].tolist(), cores)]


def lives(timeline: Any, found: list[Piece]) -> list[Life]:
    """What the pieces hold when, by piece and begin."""
    entries, accesses = timeline.entries, timeline.accesses
    by_memory: dict[str, list[int]] = {}
    for number, piece in enumerate(found):
        by_memory.setdefault(piece.memory, []).append(number)
    begins, ends = entries["begin"][accesses["entry"]].tolist(), entries["end"][accesses["entry"]].tolist()
    touching: dict[tuple[str, int, int], list[int]] = {}
    events: dict[int, list[tuple[int, int, bool]]] = {}
    columns = zip(
        _memories(timeline), accesses["begin"].tolist(), accesses["end"].tolist(), accesses["write"].tolist(), begins, ends
    )
    for memory, low, high, write, begin, end in columns:
        key = memory, low, high
        if key not in touching:
            holding = [i for i in by_memory.get(memory, ()) if found[i].begin <= low and high <= found[i].end]
            # Buffers may lie over each other at different times; the smallest that holds it all is the one meant.
            touching[key] = [min(holding, key=lambda i: found[i].end - found[i].begin)] if holding else [
                i for i in by_memory.get(memory, ()) if found[i].begin < high and low < found[i].end
            ]  # fmt: skip
        for number in touching[key]:
            events.setdefault(number, []).append((begin, end, bool(write)))
    result = []
    for number, touched in sorted(events.items()):
        current: list[int] | None = None
        was_read = True
        for begin, end, write in sorted(touched):
            # A write after a read begins a new value; until then instructions complete one.
            if current is None or (write and was_read and begin >= current[1]):
                if current:
                    result.append(Life(number, *current))
                current, was_read = [begin, end], not write
            else:
                current[1], was_read = max(current[1], end), was_read or not write
        if current:
            result.append(Life(number, *current))
    return result


def occupied(timeline: Any) -> dict[str, list[tuple[int, int]]]:
    """By memory: [(cycle, bytes in use from then on)]."""
    found = pieces(timeline)
    changes: dict[str, dict[int, int]] = {}
    for life in lives(timeline, found):
        piece = found[life.piece]
        of_memory = changes.setdefault(piece.memory, {})
        of_memory[life.begin] = of_memory.get(life.begin, 0) + piece.end - piece.begin
        of_memory[life.end] = of_memory.get(life.end, 0) - (piece.end - piece.begin)
    steps: dict[str, list[tuple[int, int]]] = {}
    for memory, by_time in changes.items():
        used, steps[memory] = 0, []
        for cycle in sorted(by_time):
            used += by_time[cycle]
            steps[memory].append((cycle, used))
    return steps
