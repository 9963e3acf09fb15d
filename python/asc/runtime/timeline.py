"""The timeline of a launch that ran in mode "traced": every instruction with its begin and end, as arrays.

    with asc.launch_mode("traced"), asc.profile() as p:
        kernel[8](x, y, n)
    timeline = p.launches[0].timeline
    timeline.entries["end"] - timeline.entries["begin"]     # cycles of every instruction

Nothing here is made per instruction: the arrays are views of the bytes the extension filled.
"""

from __future__ import annotations

import base64
import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np

_BYTES = ("entries", "flags", "accesses")


@functools.cache
def _dtypes() -> dict[str, Any]:
    """As machine::TimelineEntry, FlagEntry and AccessEntry lie in memory (Machine/Timing.h)."""
    import numpy as np

    def struct(size: int, *fields: tuple[str, str, int]) -> Any:
        names, formats, offsets = zip(*fields)
        return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})

    return {
        "entries": struct(
            48, ("begin", "<i8", 0), ("end", "<i8", 8), ("block", "<i4", 16), ("core", "<u4", 20), ("place", "<u4", 24),
            ("call", "<u4", 28), ("amount", "<u4", 32), ("instruction", "<u2", 36), ("pipe", "u1", 38), ("dtype", "u1", 39),
            ("array", "<i2", 40),
        ),
        "flags": struct(
            48, ("set", "<i8", 0), ("begin", "<i8", 8), ("end", "<i8", 16), ("block", "<i4", 24), ("core", "<u4", 28),
            ("set_place", "<u4", 32), ("wait_place", "<u4", 36), ("from", "u1", 40), ("to", "u1", 41), ("id", "u1", 42),
            ("set_core", "<u4", 44),
        ),
        "accesses": struct(
            16, ("entry", "<u4", 0), ("begin", "<u4", 4), ("end", "<u4", 8), ("memory", "u1", 12), ("write", "u1", 13)
        ),
    }  # fmt: skip


class Timeline:
    """Arrays and the names their numbers stand for.

    entries   begin, end (cycles), block, core (of the launch), place, call, amount (bytes of a move, operations of anything
              else), instruction, pipe, dtype, array (-1: none); by core, then by begin
    flags     waits: set, begin, end (cycles), block, core, set_place, wait_place, from, to, id, and set_core: another one where
              a flag between cores was waited for
    accesses  bytes of its own memory an entry of the critical core's last block touches: entry, begin, end, memory, write
    places    [(file, line, column, name, caller)]; place 0 is the unknown one
    buffers   [(memory, address, bytes, slots, name, shape, line)]
    """

    def __init__(self, facts: dict[str, Any]) -> None:
        self._bytes = {name: facts[name] for name in _BYTES}
        self.places: list[tuple[str, int, int, str, int]] = [tuple(place) for place in facts["places"]]
        self.buffers: list[tuple[str, int, int, int, str, str, int]] = [tuple(buffer) for buffer in facts["buffers"]]
        self.cores_of_block: int = facts["cores_of_block"]

    def _array(self, name: str) -> np.ndarray:
        import numpy as np

        return np.frombuffer(self._bytes[name], _dtypes()[name])

    @property
    def entries(self) -> np.ndarray:
        """One row per instruction."""
        return self._array("entries")

    @property
    def flags(self) -> np.ndarray:
        """One row per wait for a flag."""
        return self._array("flags")

    @property
    def accesses(self) -> np.ndarray:
        """Which bytes of a core's own memories the instructions of one block touch."""
        return self._array("accesses")

    def __len__(self) -> int:
        return len(self._bytes["entries"]) // 48

    def __repr__(self) -> str:
        return f"<timeline of {len(self)} instructions>"

    @staticmethod
    def names() -> dict[str, list[str]]:
        """pipes, instructions, dtypes and memories by their numbers."""
        import _tilesmith

        return _tilesmith.isa_names()

    def core_name(self, core: int) -> str:
        """Which core of its block it is, "AIC" or "AIV 0"; nothing where a block is one core."""
        place = core % self.cores_of_block
        if self.cores_of_block == 1:
            return ""
        return f"AIV {place - 1}" if place else "AIC"


def pack(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts as JSON can carry them, from one process to another."""
    if "timeline" in facts:
        facts["timeline"] = {
            name: base64.b64encode(value).decode() if name in _BYTES else value for name, value in facts["timeline"].items()
        }
    return facts


def unpack(facts: dict[str, Any]) -> dict[str, Any]:
    """The reverse of pack."""
    if "timeline" in facts:
        facts["timeline"] = {
            name: base64.b64decode(value) if name in _BYTES else value for name, value in facts["timeline"].items()
        }
    return facts
