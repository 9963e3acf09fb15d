"""A timeline as a trace for Perfetto (ui.perfetto.dev) and chrome://tracing: JSON in the Trace Event Format, one event a line.

Launches follow each other in time. A block is a process, a pipe of one of its cores a thread; a flag that somebody waited for is an
arrow from its set to its wait, from core to core too. Events are written as they are made, so a trace is as long as it has to be and memory is not.
A name that ends in .gz is compressed; Perfetto reads that, too.
"""

from __future__ import annotations

import bisect
import gzip
import json
import os
from typing import TYPE_CHECKING, Any, TextIO

from . import units

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 4096  # events in one piece of text
GAP_US = 1.0  # between launches


class NothingToShow(ValueError):
    """There is no launch with a timeline."""


def write(path: str, report: Any) -> int:
    """Writes the launches of a report. Returns the number of events; what was there before stays if something fails."""
    launches = [launch for launch in report.launches if launch.timeline is not None]
    if not launches:
        if report.launches:
            raise NothingToShow('the launches have no timelines; they need asc.launch_mode("traced")')
        raise NothingToShow("no kernel was launched, so there is no timeline")
    partial = f"{path}.part{os.getpid()}"
    try:
        opened: TextIO = gzip.open(partial, "wt", compresslevel=4) if path.endswith(".gz") else open(partial, "w")
        with opened as file:
            count = _write(file, launches)
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.unlink(partial)
    return count


def _write(file: TextIO, launches: list[Any]) -> int:
    file.write('{"displayTimeUnit": "ns", "otherData": {"tool": "tilesmith"}, "traceEvents": [\n')
    count, pending = 0, []
    for event in _events(launches):
        pending.append(event)
        if len(pending) == CHUNK:
            file.write(("" if count == 0 else ",\n") + ",\n".join(pending))
            count, pending = count + CHUNK, []
    if pending:
        file.write(("" if count == 0 else ",\n") + ",\n".join(pending))
    file.write("\n]}\n")
    return count + len(pending)


def _events(launches: list[Any]) -> Iterator[str]:
    start, processes, arrows = 0.0, 1, 0
    yield json.dumps({"ph": "M", "pid": 0, "name": "process_name", "args": {"name": "launches"}})
    for number, launch in enumerate(launches):
        writer = _Launch(launch, number if len(launches) > 1 else None, start, processes, arrows)
        yield from writer.events()
        start += launch.time_us + GAP_US
        processes += launch.blocks
        arrows += len(launch.timeline.flags)


class _Lanes:
    """The bars of one pipe, on as many threads as overlap: moves are issued while earlier ones are still on their way."""

    def __init__(self) -> None:
        self.ends: list[int] = []  # of the last bar on each
        self.bars: list[tuple[list[int], list[int]]] = []  # begins and ends on each

    def place(self, begin: int, end: int) -> int:
        """The lane of a bar; bars come in the order they begin."""
        lane = next((lane for lane, last in enumerate(self.ends) if last <= begin), len(self.ends))
        if lane == len(self.ends):
            self.ends.append(0)
            self.bars.append(([], []))
        self.ends[lane] = end
        self.bars[lane][0].append(begin)
        self.bars[lane][1].append(end)
        return lane

    def ending(self, time: int) -> tuple[int, int] | None:
        """The lane, and a time inside of its bar, of what was complete by then; the latest."""
        best = None
        for lane, (begins, ends) in enumerate(self.bars):
            at = bisect.bisect_right(ends, time) - 1
            if at >= 0 and (best is None or ends[at] > best[2]):
                best = lane, begins[at], ends[at]
        return (best[0], max(best[2] - 1, best[1])) if best else None


def _us(ns: int) -> str:
    """Microseconds, and a tenth of a nanosecond more for readers that cut off what is behind the nanosecond."""
    return f"{ns // 1000}.{ns % 1000:03d}1"


class _Launch:
    """The events of one launch, core after core."""

    def __init__(self, launch: Any, number: int | None, start: float, first_process: int, first_arrow: int) -> None:
        self.launch, self.start, self.first_process, self.arrows = launch, start, first_process, first_arrow
        self.title = launch.kernel if number is None else f"{number}: {launch.kernel}"
        self.timeline = launch.timeline
        self.names = self.timeline.names()
        self.heads: dict[tuple[int, int, int, int], tuple[str, str]] = {}
        self.lanes: dict[int, dict[int, _Lanes]] = {}  # by core and pipe

    def ns(self, cycles: int) -> int:
        return round((self.start + cycles / self.launch.clock_mhz) * 1000)

    def time(self, cycles: int) -> str:
        return _us(self.ns(cycles))

    def length(self, begin: int, end: int) -> str:
        """Between whole nanoseconds, as readers keep them: bars that touch must not overlap by one."""
        return _us(self.ns(end) - self.ns(begin))

    def events(self) -> Iterator[str]:
        launch = self.launch
        yield json.dumps({
            "ph": "X", "pid": 0, "tid": 1, "name": self.title, "ts": round(self.start, 4), "dur": round(launch.time_us, 4),
            "args": {"platform": launch.platform, "blocks": launch.blocks, "bound": launch.bound, "cycles": launch.cycles},
        })  # fmt: skip
        between: list[tuple[int, ...]] = []  # waits for other cores
        for core, entries, flags in _by_core(self.timeline):
            yield from self.core(core, entries, flags, between)
        for setter, core, source, target, set_, begin, end in between:
            yield from self.arrow(setter, source, set_, core, target, begin, end)
        yield from self.memory()

    def pid(self, core: int) -> int:
        return self.first_process + core // self.timeline.cores_of_block

    def thread(self, core: int, pipe: int, lane: int, waits: bool = False) -> int:
        place = core % self.timeline.cores_of_block
        return ((place * len(self.names["pipes"]) + pipe) * 32 + min(lane, 30)) * 2 + waits + 1

    def core(self, core: int, entries: Any, flags: Any, between: list[tuple[int, ...]]) -> Iterator[str]:
        block, pid = core // self.timeline.cores_of_block, self.pid(core)
        if core % self.timeline.cores_of_block == 0:
            yield json.dumps({"ph": "M", "pid": pid, "name": "process_name", "args": {"name": f"{self.title} block {block}"}})
            yield json.dumps({"ph": "M", "pid": pid, "name": "process_sort_index", "args": {"sort_index": pid}})
        lanes = self.lanes.setdefault(core, {})
        threads: set[int] = set()

        def named(tid: int, pipe: int, lane: int, waits: bool = False) -> Iterator[str]:
            if tid in threads:
                return
            threads.add(tid)
            name = f"{self.timeline.core_name(core)} {self.names['pipes'][pipe]}".strip()
            name += " waits" if waits else f" +{lane}" if lane else ""
            yield json.dumps({"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": name}})
            yield json.dumps({"ph": "M", "pid": pid, "tid": tid, "name": "thread_sort_index", "args": {"sort_index": tid}})

        moves = {self.names["pipes"].index(name) for name in ("MTE1", "MTE2", "MTE3", "FIX")}
        columns = ("begin", "end", "place", "amount", "instruction", "pipe", "dtype", "array")
        for begin, end, place, amount, instruction, pipe, dtype, array in _rows(entries, columns):
            lane = lanes.setdefault(pipe, _Lanes()).place(begin, end)
            tid = self.thread(core, pipe, lane)
            yield from named(tid, pipe, lane)
            head, more = self.texts(instruction, place, dtype, array, pipe)
            yield (
                f'{head}, "pid": {pid}, "tid": {tid}, "ts": {self.time(begin)}, "dur": {self.length(begin, end)}, '
                f'"args": {more}, "{"bytes" if pipe in moves else "operations"}": {amount}}}}}'
            )
        # A wait that held its pipe up, or that was for another core, is a bar; what it waited for points to it.
        of_waits = ("set", "begin", "end", "set_place", "wait_place", "from", "to", "id", "set_core")
        for set_, begin, end, set_place, wait_place, source, target, identity, setter in _rows(flags, of_waits):
            if end <= begin and setter == core:
                continue
            tid = self.thread(core, target, 0, True)
            yield from named(tid, target, 0, True)
            args = {"set at": self.place(set_place), "waited for at": self.place(wait_place), "id": identity}
            other = f"{self.timeline.core_name(setter)} " if setter != core else ""
            yield (
                f'{{"ph": "X", "name": "wait for {other}{self.names["pipes"][source]}", "cat": "flag", "pid": {pid}, "tid": {tid}, '
                f'"ts": {self.time(begin)}, "dur": {self.length(begin, end)}, "args": {json.dumps(args)}}}'
            )
            if setter == core:
                yield from self.arrow(core, source, set_, core, target, begin, end)
            else:
                between.append((setter, core, source, target, set_, begin, end))

    def arrow(self, setter: int, source: int, set_: int, core: int, target: int, begin: int, end: int) -> Iterator[str]:
        """From what was complete when a flag was set, to the wait for it."""
        lanes = self.lanes.get(setter, {})
        ended = lanes[source].ending(set_) if source in lanes else None
        if ended is None:
            return
        self.arrows += 1
        yield (
            f'{{"ph": "s", "id": {self.arrows}, "name": "flag", "cat": "flag", "pid": {self.pid(setter)}, '
            f'"tid": {self.thread(setter, source, ended[0])}, "ts": {self.time(ended[1])}}}'
        )
        yield (
            f'{{"ph": "f", "bp": "e", "id": {self.arrows}, "name": "flag", "cat": "flag", "pid": {self.pid(core)}, '
            f'"tid": {self.thread(core, target, 0, True)}, "ts": {self.time(max(end - 1, begin))}}}'
        )

    def place(self, number: int) -> str:
        file, line, *_ = self.timeline.places[number] if number < len(self.timeline.places) else ("", 0)
        return f"{os.path.basename(file)}:{line}" if line else ""

    def texts(self, instruction: int, place: int, dtype: int, array: int, pipe: int) -> tuple[str, str]:
        """Begin of an event and of its arguments, made once for each pair of instruction and place."""
        key = instruction, place, dtype, array
        if key not in self.heads:
            head = {"ph": "X", "name": self.names["instructions"][instruction], "cat": self.names["pipes"][pipe]}
            more = {"line": self.place(place), "dtype": self.names["dtypes"][dtype]}
            arrays = [name for name, _, elements in self.launch.arrays if elements]
            if 0 <= array < len(arrays):
                more["array"] = arrays[array]
            self.heads[key] = json.dumps(head)[:-1], json.dumps(more)[:-1]
        return self.heads[key]

    def memory(self) -> Iterator[str]:
        """Bytes of each memory that hold something which is still needed, in the block the profile is about."""
        from .memory import occupied

        pid = self.first_process + self.launch.critical_block
        for name, steps in occupied(self.timeline).items():
            for cycles, used in steps:
                yield (
                    f'{{"ph": "C", "name": {json.dumps(name + " in use")}, "pid": {pid}, "ts": {self.time(cycles)}, '
                    f'"args": {{"bytes": {used}}}}}'
                )


def _by_core(timeline: Any) -> Iterator[tuple[int, Any, Any]]:
    """(core, its entries, its flags by begin of the wait) for every core that did something."""
    import numpy as np

    entries, flags = timeline.entries, timeline.flags
    flags = flags[np.lexsort((flags["begin"], flags["core"]))]
    for core in np.unique(np.concatenate([entries["core"], flags["core"]])).tolist():
        yield core, _of_core(entries, core), _of_core(flags, core)


def _of_core(table: Any, core: int) -> Any:
    """The rows of a core, in a table that is sorted by it."""
    import numpy as np

    begin, end = np.searchsorted(table["core"], core), np.searchsorted(table["core"], core + 1)
    return table[begin:end]


def _rows(table: Any, columns: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Rows as tuples of plain numbers, a bounded number of them at a time."""
    for begin in range(0, len(table), 65536):
        part = table[begin : begin + 65536]
        yield from zip(*(part[name].tolist() for name in columns))


def describe(path: str, events: int) -> str:
    """What was written, in one line."""
    return f"wrote {path}: {events} events, {units.size(os.path.getsize(path))}; open it in ui.perfetto.dev"
