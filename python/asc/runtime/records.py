"""What launches leave behind: a record of each, and reports of several. `asc.profile()` and `asc.check()` give them."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing them takes longer than importing this
    from typing import Any

    from tilesmith.look.hints import Hint
    from tilesmith.look.loops import Loop

    from asc.runtime.timeline import Timeline


class Part(NamedTuple):
    """A row of a profile: how long a pipe worked, and what that adds to the rows above it (microseconds)."""

    name: str  # of a pipe, or "start-up", "idle", "other cores"
    busy_us: float
    adds_us: float


class Wait(NamedTuple):
    """How long a pipe stood still for a flag of another one."""

    pipe: str
    on: str
    time_us: float


class Line(NamedTuple):
    """What a line of the source took on the core the profile is about, in microseconds of busy pipes."""

    file: str
    line: int
    time_us: float
    pipes: dict[str, float]  # time_us by pipe
    moves: int  # transfers from and to global memory, their bytes, and the contiguous pieces they have there
    bytes: int
    pieces: int
    conflicts_us: float  # of V: because operands lie in one bank group
    begin_us: float  # when it began to work, and when it ended to, over all its times
    end_us: float
    waits: list[Wait]


class Copy(NamedTuple):
    """A copy of a tensor of tilesmith.npu: "to device", "to host", "on device", or "fill"."""

    kind: str
    bytes: int
    time_us: float


class Tiles(NamedTuple):
    """Tiles of one shape in a memory of matrix products: how many the compiler keeps side by side, and the bytes of each."""

    memory: str
    name: str
    shape: str
    slots: int
    bytes: int


class Ring(NamedTuple):
    """A ring of slots in the workspace, through which a tile crosses from one kind of core to the other."""

    name: str
    shape: str
    slots: int
    bytes: int  # of each
    filled_by: str  # "AIC" or "AIV"
    read_by: str
    sent: int  # lines of the source; 0: unknown
    received: int
    offset: int  # in the workspace of a block


class Workspace(NamedTuple):
    """Global memory of a kernel with both kinds of cores, through which tiles cross."""

    bytes: int  # of each block
    rings: list[Ring]


class LaunchRecord:
    """The facts of one launch. Times are those of the model.

    Parts and lines are about one core: the last to end of those that had work, since it makes the launch as long as it is.
    `parts` sums up to `time_us`. `to_dict` lists what there is.
    """

    kernel: str
    platform: str
    dtype: str  # of the largest array
    elements: int
    arrays: list[tuple[str, str, int]]  # name, dtype, elements
    blocks: int
    waves: int  # how often the cores were filled: 1 if there are enough for all blocks
    memories: dict[str, tuple[int, int]]  # bytes used, and bytes there are
    findings: list[dict[str, Any]]
    # Those below are there only where the launch was timed.
    time_us: float
    cycles: int
    core_cycles: int
    clock_mhz: int
    calls: int
    bound: str
    hbm_bytes: int
    hbm_read: int
    hbm_written: int
    hbm_mbps: int
    hbm_write_mbps: int
    l2_bytes: int
    l2_mbps: int
    cube_ops: int
    vector_ops: int
    idle_blocks: int
    cores: list[dict[str, Any]]  # start, end (cycles), blocks, busy (cycles by pipe) of every core
    timeline: Timeline | None  # only in mode "traced"

    def __init__(self, facts: dict[str, Any]) -> None:
        self.__dict__.update(facts)
        self.timed = "cycles" in facts
        self.__dict__["time_us"] = facts["cycles"] / facts["clock_mhz"] if self.timed else None
        self.__dict__["timeline"] = None
        if "timeline" in facts:
            from asc.runtime.timeline import Timeline

            self.timeline = Timeline(facts["timeline"])
        self.buffers: list[tuple[str, int, int, int, str, str, int]] = self.__dict__.pop("buffers", [])
        self._workspace = self.__dict__.pop("workspace", None)
        self._lines = self.__dict__.pop("lines", [])
        self._traffic = self.__dict__.pop("traffic", [])

    def _us(self, cycles: float) -> float:
        return cycles / self.clock_mhz

    @property
    def critical_block(self) -> int:
        """The block that parts and lines are about; of a core that ran several, the last."""
        return self.critical["block"] if self.timed else 0  # type: ignore[attr-defined]

    @property
    def parts(self) -> list[Part]:
        """Start-up, pipes (most busy first), idle time and waiting for other cores. The `adds_us` sum up to `time_us`."""
        if not self.timed:
            return []
        core = self.critical  # type: ignore[attr-defined]
        busy: dict[str, float] = {}
        for pipes, cycles in core["together"]:
            for pipe in pipes:
                busy[pipe] = busy.get(pipe, 0) + cycles
        order = sorted(busy, key=lambda pipe: (-busy[pipe], pipe))
        adds = dict.fromkeys(["", *order], 0.0)  # "": nothing works
        for pipes, cycles in core["together"]:
            adds[min(pipes, key=order.index, default="")] += cycles
        parts = [Part("start-up", 0.0, self._us(core["start"]))]
        parts += [Part(pipe, self._us(busy[pipe]), self._us(adds[pipe])) for pipe in order]
        parts.append(Part("idle", 0.0, self._us(adds[""])))
        # A launch ends with the cycle its last core ends in.
        parts.append(Part("other cores", 0.0, max(self.time_us - sum(part.adds_us for part in parts), 0.0)))
        if parts[-1].adds_us * self.clock_mhz < 1:
            rest = parts.pop().adds_us
            parts[-1] = parts[-1]._replace(adds_us=parts[-1].adds_us + rest)
        return parts

    @property
    def pipes(self) -> dict[str, float]:
        """Busy time of the pipes as shares of the launch, most busy first."""
        return {part.name: part.busy_us / self.time_us for part in self.parts if part.busy_us}

    def lines(self) -> list[Line]:
        """What lines of the source took, slowest first."""
        lines: dict[tuple[str, int], Line] = {}
        for entry in self._lines:
            if "line" not in entry:
                continue
            place = entry["file"], entry["line"]
            so_far = lines.get(place, Line(*place, 0.0, {}, 0, 0, 0, 0.0, 0.0, 0.0, []))
            pipes = dict(so_far.pipes)
            for pipe, cycles in entry["pipes"].items():
                pipes[pipe] = pipes.get(pipe, 0) + self._us(cycles)
            moves, size, pieces = (old + entry.get(name, 0) for old, name in zip(so_far[4:7], ("moves", "bytes", "pieces")))
            lost = so_far.conflicts_us + self._us(entry.get("conflicts", 0))
            begin, end = (self._us(cycles) for cycles in entry.get("span", (0, 0)))
            if so_far.end_us and end:
                begin, end = min(begin, so_far.begin_us), max(end, so_far.end_us)
            elif not end:
                begin, end = so_far.begin_us, so_far.end_us
            waits = so_far.waits + [Wait(pipe, on, self._us(cycles)) for pipe, on, cycles in entry.get("waits", [])]
            time = so_far.time_us + self._us(entry["cycles"])
            lines[place] = Line(*place, time, pipes, moves, size, pieces, lost, begin, end, waits)
        return sorted(lines.values(), key=lambda line: (-line.time_us, line.file, line.line))

    def by_line(self) -> list[tuple[str, int, float]]:
        """[(file, line, microseconds of busy pipes)], slowest first."""
        return [line[:3] for line in self.lines()]

    @property
    def traffic(self) -> list[dict[str, Any]]:
        """What moved between the arrays and the cores: name, dtype, elements, and bytes read, written and read from HBM."""
        rows = []
        arrays = [array for array in self.arrays if array[2]] if self.timed else []
        for (name, dtype, elements), (read, written, hbm_read) in zip(arrays, self._traffic):
            rows.append(
                {"name": name, "dtype": dtype, "elements": elements, "read": read, "written": written, "hbm_read": hbm_read}
            )
        return rows

    @property
    def bound_us(self) -> float | None:
        """The time the bound alone would take: of memory, its bytes at its full rate; of a pipe, its work. None: latency."""
        if not self.timed or self.bound == "latency":
            return None
        if self.bound == "HBM":
            return self.hbm_read / self.hbm_mbps + self.hbm_written / self.hbm_write_mbps
        if self.bound == "L2":
            return self.l2_bytes / self.l2_mbps
        return self.busy_max.get(self.bound, 0) / self.clock_mhz  # type: ignore[attr-defined]

    @property
    def reached(self) -> float | None:
        """bound_us as a share of time_us: how near the launch came to its bound."""
        least = self.bound_us
        return None if least is None or not self.time_us else least / self.time_us

    @property
    def workspace(self) -> Workspace | None:
        """Through what the cores of a block hand tiles to each other; None: the kernel needs one kind of core, or all that crosses
        goes from memory to memory of the cores."""
        if not self._workspace or not any(self._workspace):
            return None
        size, rings = self._workspace
        return Workspace(
            size,
            [
                Ring(name, shape, slots, each, *(("AIV", "AIC") if to_cube else ("AIC", "AIV")), sent, received, offset)
                for offset, each, slots, to_cube, name, shape, sent, received in rings
            ],
        )

    def loops(self) -> list[Loop]:
        """What bounds the loops of the kernel that take a noticeable part of its time, and what the compiler chose there."""
        from tilesmith.look.loops import loops

        return loops(self) if self.timed else []

    def hints(self) -> list[Hint]:
        """What could be tried, most promising first."""
        from tilesmith.look.hints import hints

        return hints(self)

    def __str__(self) -> str:
        from tilesmith.look.text import launch_text

        return launch_text(self)

    def __repr__(self) -> str:
        time = f", {self.time_us:.2f} us, bound: {self.bound}" if self.timed else ""
        return f"<launch of {self.kernel}[{self.blocks}] on {self.platform}{time}>"

    def _repr_html_(self) -> str:
        from tilesmith.look.notebook import launch_html

        return launch_html(self)

    @property
    def tiles(self) -> list[Tiles]:
        """What the compiler put into the memories of matrix products: rings in L1, steps in L0A and L0B, parts of results in L0C."""
        places: dict[tuple[str, str, str], set[int]] = {}
        sizes: dict[tuple[str, str, str], int] = {}
        for memory, address, size, slots, name, shape, _ in self.buffers:
            if memory == "UB" or not shape:
                continue
            tile = (memory, name if memory in ("L1", "L0C") else "", shape)
            places.setdefault(tile, set()).update(address + slot * size for slot in range(slots))
            sizes[tile] = size
        return [Tiles(*tile, len(at), sizes[tile]) for tile, at in places.items()]

    def to_dict(self) -> dict[str, Any]:
        """The facts as plain values.

        Always: kernel, platform, dtype, elements, arrays [[name, dtype, elements]], blocks, waves, memories {name: [used, size]},
        tiles [{memory, name, shape, slots, bytes}] of matrix products, workspace {bytes, rings [{name, shape, slots, bytes,
        filled_by, read_by, sent, received, offset}]} of kernels with both kinds of cores, findings.
        Of timed launches also: cycles, time_us, core_cycles (summed over cores), clock_mhz, calls (instructions), bound, bound_us,
        reached (share), hbm_bytes = hbm_read + hbm_written, hbm_mbps, hbm_write_mbps, l2_bytes, l2_mbps, cube_ops, vector_ops,
        busy and busy_max {pipe: cycles} (over all cores, of the busiest), pipes {pipe: share}, critical_block, idle_blocks,
        parts [{name, busy_us, adds_us}], lines [{file, line, time_us, pipes, moves, bytes, pieces, conflicts_us,
        begin_us, end_us, waits [{pipe, on, time_us}]}], loops [{file, line, text, time_us, bound, busy_us, waits_for [pipe], waited_us,
        rings [{name, shape, memory, slots, bytes}]}],
        slowest (the first ten of them: file, line, time_us), traffic [{name, dtype, elements, read, written, hbm_read}],
        hints [{id, text, gain, file, line}].
        """
        facts = {name: self.__dict__[name] for name in _ALWAYS if name in self.__dict__}
        facts["memories"] = {name: list(sizes) for name, sizes in self.memories.items()}
        facts["tiles"] = [tile._asdict() for tile in self.tiles]
        if workspace := self.workspace:
            facts["workspace"] = {"bytes": workspace.bytes, "rings": [ring._asdict() for ring in workspace.rings]}
        facts["arrays"] = [list(array) for array in facts.get("arrays", [])]
        if self.timed:
            facts.update({name: self.__dict__[name] for name in _TIMED})
            lines = self.lines()
            facts.update(
                bound_us=self.bound_us,
                reached=self.reached,
                pipes=self.pipes,
                critical_block=self.critical_block,
                parts=[part._asdict() for part in self.parts],
                lines=[{**line._asdict(), "waits": [wait._asdict() for wait in line.waits]} for line in lines],
                loops=[{**loop._asdict(), "rings": [ring._asdict() for ring in loop.rings]} for loop in self.loops()],
                slowest=[{"file": line.file, "line": line.line, "time_us": line.time_us} for line in lines[:10]],
                traffic=self.traffic,
                hints=[hint._asdict() for hint in self.hints()],
            )
        return facts

    def to_json(self) -> dict[str, Any]:
        """The facts as JSON can hold them: to_dict."""
        return self.to_dict()


_ALWAYS = ("kernel", "platform", "dtype", "elements", "arrays", "blocks", "waves", "memories", "findings")
_TIMED = (
    *("cycles", "time_us", "core_cycles", "clock_mhz", "calls", "bound", "hbm_bytes", "hbm_read", "hbm_written", "hbm_mbps"),
    *("hbm_write_mbps", "l2_bytes", "l2_mbps", "cube_ops", "vector_ops", "busy", "busy_max", "idle_blocks"),
)


class Report:
    """What a context manager saw: one record per launch, in order."""

    def __init__(self) -> None:
        self.launches: list[LaunchRecord] = []
        self.copies: list[Copy] = []

    def append(self, facts: dict[str, Any] | LaunchRecord) -> None:
        """Adds a launch."""
        self.launches.append(facts if isinstance(facts, LaunchRecord) else LaunchRecord(facts))

    def copied(self, kind: str, size: int, time_us: float) -> None:
        """Adds a copy or a fill of a tensor on the device."""
        self.copies.append(Copy(kind, size, time_us))

    @property
    def cycles(self) -> int:
        """Cycles of all launches, summed."""
        return sum(launch.cycles for launch in self.launches if launch.timed)

    @property
    def core_cycles(self) -> int:
        """Cycles of all cores, summed."""
        return sum(launch.core_cycles for launch in self.launches if launch.timed)

    @property
    def time_us(self) -> float:
        """Microseconds of all launches, summed."""
        return sum(launch.time_us for launch in self.launches if launch.timed)

    @property
    def pipes(self) -> dict[str, float]:
        """Shares of the whole time, over all launches."""
        total: dict[str, float] = {}
        for launch in self.launches:
            for pipe, share in launch.pipes.items():
                total[pipe] = total.get(pipe, 0) + share * launch.time_us
        return {pipe: busy / self.time_us for pipe, busy in sorted(total.items(), key=lambda item: -item[1])}

    @property
    def bound(self) -> str | None:
        """What limits the longest launch."""
        timed = [launch for launch in self.launches if launch.timed]
        return max(timed, key=lambda launch: launch.cycles).bound if timed else None

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings of all launches."""
        return [finding for launch in self.launches for finding in launch.findings]

    def by_line(self) -> list[tuple[str, int, float]]:
        """[(file, line, microseconds)] over all launches, slowest first."""
        lines: dict[tuple[str, int], float] = {}
        for launch in self.launches:
            for file, line, time in launch.by_line():
                lines[file, line] = lines.get((file, line), 0) + time
        return [(*place, time) for place, time in sorted(lines.items(), key=lambda item: -item[1])]

    def __str__(self) -> str:
        from tilesmith.look.text import report_text

        return report_text(self)

    def __repr__(self) -> str:
        count = len(self.launches)
        launches = "1 launch" if count == 1 else f"{count} launches"
        time = f", {self.time_us:.2f} us" if any(launch.timed for launch in self.launches) else ""
        findings = f", {len(self.findings)} findings" if self.findings else ""
        return f"<report of {launches}{time}{findings}>"

    def _repr_html_(self) -> str:
        from tilesmith.look.notebook import report_html

        return report_html(self)

    def write_html(self, path: str, title: str = "profile") -> None:
        """Writes a page with everything about the launches; their timelines, if they ran in mode "traced"."""
        from tilesmith import pages
        from tilesmith.look import page

        pages.write(path, page.render(self, title))

    def write_trace(self, path: str) -> None:
        """Writes the timelines of the launches as a trace for ui.perfetto.dev; .gz is compressed."""
        from tilesmith.look import trace

        trace.write(path, self)

    def to_dict(self) -> dict[str, Any]:
        """launches (LaunchRecord.to_dict of each), cycles, time_us and findings of all, and copies [{kind, bytes, time_us}]."""
        return {
            "copies": [copy._asdict() for copy in self.copies],
            "launches": [launch.to_dict() for launch in self.launches],
            "cycles": self.cycles,
            "time_us": self.time_us,
            "findings": self.findings,
        }

    def to_json(self) -> dict[str, Any]:
        """The facts of all launches as JSON can hold them: to_dict."""
        return self.to_dict()
