"""A timeline in little space: columns of numbers as differences, deflated, in base64.

Blocks of a launch mostly do the same, so only some are kept in full: the one the profile is about, the fastest, and one of each
group of blocks that issue the same instructions. The others are in the utilisation of the cores.
"""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING, Any

from . import memory

if TYPE_CHECKING:
    import numpy as np

SHOWN_BLOCKS = 6
ENTRIES = 2_000_000  # of the shown blocks of a launch
FLAGS = 400_000


def column(values: np.ndarray, differences: bool = False) -> str:
    """Numbers below 2**32 as a page reads them: little-endian, 32 bits."""
    import numpy as np

    words: np.ndarray = values.astype(np.uint32)
    if differences:
        words = np.diff(words, prepend=np.uint32(0))
    planes = words.view(np.uint8).reshape(-1, 4).T  # equal bytes side by side deflate better
    return base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode()


def representatives(launch: Any) -> tuple[list[tuple[int, str]], int, int]:
    """([(block, why it is shown)], groups, blocks that did something)."""
    import numpy as np

    timeline = launch.timeline
    entries = timeline.entries
    blocks, first, counts = np.unique(entries["block"], return_index=True, return_counts=True)
    if not len(blocks):
        return [], 0, 0
    groups: dict[int, list[int]] = {}
    spans: dict[int, int] = {}
    for block, begin, count in zip(blocks.tolist(), first.tolist(), counts.tolist()):
        part = entries[begin : begin + count]
        if timeline.cores_of_block > 1 or not (part["block"] == block).all():  # cores of a block are neighbours
            part = entries[entries["block"] == block]
        kinds = np.stack([part["instruction"], part["place"].astype(np.int64), part["amount"].astype(np.int64)])
        groups.setdefault(zlib.crc32(np.ascontiguousarray(kinds).tobytes()), []).append(block)
        spans[block] = int(part["end"].max() - part["begin"].min())
    chosen: dict[int, str] = {}
    budget = ENTRIES
    sizes = dict(zip(blocks.tolist(), counts.tolist()))

    def choose(block: int, why: str) -> None:
        nonlocal budget
        if block in chosen or len(chosen) == SHOWN_BLOCKS or (chosen and sizes[block] > budget):
            return
        chosen[block] = why
        budget -= sizes[block]

    if launch.critical_block in sizes:
        choose(launch.critical_block, "the last to end")
    choose(min(spans, key=lambda block: (spans[block], block)), "the fastest")
    for members in sorted(groups.values(), key=lambda members: (-len(members), members[0])):
        if not any(block in chosen for block in members):
            others = len(members) - 1
            choose(members[0], f"like {others} other{'s' if others > 1 else ''}" if others else "unlike any other")
    return sorted(chosen.items()), len(groups), len(blocks)


def compact(launch: Any) -> dict[str, Any]:
    """What a page needs of a launch's timeline."""
    import numpy as np

    timeline = launch.timeline
    chosen, groups, active = representatives(launch)
    kinds: dict[tuple[int, ...], int] = {}
    result: dict[str, Any] = {"blocks": [], "groups": groups, "active": active, "entries": len(timeline)}
    entries, flags = timeline.entries, timeline.flags
    for block, why in chosen:
        own = np.flatnonzero(entries["block"] == block)
        part = entries[own]
        order = np.argsort(part["begin"], kind="stable")
        part = part[order]
        key = np.stack([
            part["core"].astype(np.int64) % timeline.cores_of_block, part["pipe"], part["instruction"], part["place"], part["dtype"],
            part["array"], part["amount"],
        ], axis=1)  # fmt: skip
        unique, inverse = np.unique(key, axis=0, return_inverse=True)
        numbers = np.array([kinds.setdefault(tuple(row), len(kinds)) for row in unique.tolist()], np.uint32)
        between = flags["set_core"] != flags["core"]
        waits = flags[(flags["block"] == block) & ((flags["end"] > flags["begin"]) | between)]
        waits = waits[np.argsort(waits["begin"], kind="stable")][:FLAGS]
        wait_key = np.stack([
            waits["core"].astype(np.int64) % timeline.cores_of_block, waits["from"], waits["to"], waits["set_place"], waits["wait_place"],
            waits["id"], _setter(waits, timeline.cores_of_block),
        ], axis=1)  # fmt: skip
        wait_kinds, wait_inverse = np.unique(wait_key, axis=0, return_inverse=True)
        result["blocks"].append({
            "block": block, "why": why, "count": len(part),
            "begin": column(part["begin"], True), "length": column(part["end"] - part["begin"]),
            "kind": column(numbers[inverse.reshape(-1)] if len(part) else numbers),
            "waits": {
                "kinds": wait_kinds.tolist(), "begin": column(waits["begin"], True), "length": column(waits["end"] - waits["begin"]),
                "back": column(np.clip(waits["end"] - waits["set"], 0, None) * (waits["set"] >= 0)),
                "kind": column(wait_inverse.reshape(-1)),
            },
        })  # fmt: skip
    result["kinds"] = [list(key) for key in kinds]
    result["memory"] = _memory(timeline)
    return result


def _setter(waits: np.ndarray, cores_of_block: int) -> np.ndarray:
    """Which core of the wait's block set the flag; -1: one of another block."""
    import numpy as np

    setter: np.ndarray = waits["set_core"].astype(np.int64)
    same = setter // cores_of_block == waits["core"].astype(np.int64) // cores_of_block
    return np.where(same, setter % cores_of_block, -1)


def _memory(timeline: Any) -> dict[str, Any]:
    import numpy as np

    found = memory.pieces(timeline)
    lives = memory.lives(timeline, found)
    table = np.array(lives, np.int64).reshape(-1, 3)
    used = sorted(set(table[:, 0].tolist()))
    numbers = {old: new for new, old in enumerate(used)}
    return {
        "pieces": [list(found[i]) for i in used],
        "piece": column(np.array([numbers[i] for i in table[:, 0].tolist()])),
        "begin": column(table[:, 1], True),  # wraps around where the next piece starts again
        "length": column(table[:, 2] - table[:, 1]),
    }
