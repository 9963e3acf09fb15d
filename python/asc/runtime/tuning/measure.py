"""The time of one configuration, by a dry launch."""

from __future__ import annotations

import _tilesmith

from .config import Config, blocks_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Task:
    """A launch to be tuned: a kernel, its other arguments by name, and its blocks (a number or a function of the configuration)."""

    def __init__(self, kernel: Any, arguments: dict[str, Any], blocks: Any = None) -> None:
        self.kernel, self.arguments, self.blocks = kernel, arguments, blocks

    def launch(self, config: Config) -> None:
        """Launches the kernel with this configuration, as things are set now."""
        parameters = {name for name, *_ in self.kernel.parameters}
        chosen = {name: value for name, value in config.values.items() if name != "blocks" or name in parameters}
        self.kernel[blocks_of(config, self.blocks)](**{**self.arguments, **chosen})


HOW = ("time", "least", "scale")
PART = 4_000_000  # calls of a launch that stand for all of them
BEYOND_L2 = 1 << 29  # bytes; larger than any L2
STEADY = 0.03  # by how much neighbouring parts of it may differ


class _Facts(list):
    """Receives the facts of launches."""


class _Set:
    """Settings of launches while active."""

    def __init__(self, **settings):
        self.settings = settings

    def __enter__(self):
        self.before = _tilesmith.get_settings()
        _tilesmith.set_settings(**self.settings)

    def __exit__(self, *exception):
        _tilesmith.set_settings(**self.before)


def quiet() -> _Set:
    """Nobody else's settings, recorders or captures while a search launches kernels."""
    return _Set(
        mode="timed", late="none", verify_late=False, keep_calls=False, raise_findings=True, dry_run=False, dry=True, max_cycles=0, max_calls=0,
        only_first=0, emitter=None, listener=None, recorder=None,
    )  # fmt: skip


def reason_of(error: BaseException) -> str:
    """Why a configuration is not possible, in one line: what an error says behind its place."""
    text = str(error).strip() or type(error).__name__
    for line in text.splitlines():
        if "error: " in line:
            return line.partition("error: ")[2]
    return text.splitlines()[0]


def _is_fed_by_l2(facts, time_us):
    """Whether a part of a launch that comes near to what HBM can feed was too short to see it: L2 is faster as long as it has room."""
    from asc.language.core.data_type import DataType

    total = sum(count * max(1, DataType(dtype).sizeof()) for _, dtype, count in facts["arrays"])
    return facts["hbm_bytes"] < BEYOND_L2 and time_us < 1.5 * total / facts["hbm_mbps"]


def scale(task: Task, config: Config, calls: int, blocks: int) -> dict[str, Any]:
    """The time of a launch that is too long to be replayed, from its beginning.

    `calls` are those of the first block. Blocks are cut after a part of that; from there on the time goes on as in the second half of
    the part. Where that does not go on like the quarter before it, the beginning does not tell. status "scaled".
    """
    part = max(PART // blocks, 256)
    seen: list[dict[str, Any]] = []
    try:
        for most in (part // 4, part // 2, part):
            facts = _Facts()
            with _Set(recorder=facts, max_cycles=0, only_first=0, max_calls=most):
                task.launch(config)
            seen += facts
    except Exception as error:
        return {"status": "invalid", "reason": reason_of(error), "text": str(error)[:4000]}
    if any("cycles" not in facts for facts in seen):
        return {"status": "invalid", "reason": "the launch has no time"}
    quarter, half, whole = (facts["cycles"] for facts in seen)
    if not seen[-1]["is_part"]:  # shorter than it looked
        return measure(task, config)
    cycles = whole + (whole - half) * (calls - part) // (part - part // 2)
    time_us = cycles / seen[-1]["clock_mhz"]
    if abs((whole - half) - 2 * (half - quarter)) > STEADY * (whole - half) or _is_fed_by_l2(seen[-1], time_us):
        return {
            "status": "invalid",
            "reason": f"about {calls * blocks:.1e} calls are too many, and the first ones do not tell their time",
        }
    return {
        "status": "scaled",
        "cycles": cycles,
        "time_us": time_us,
        "calls": calls,
        "blocks": blocks,
        "bound": seen[-1]["bound"],
        "reason": f"scaled from {100 * part / calls:.1f} % of its calls",
        **({"reads_data": True} if seen[-1].get("reads_data") else {}),
    }


def measure(task: Task, config: Config, limit: int = 0, how: str = "time") -> dict[str, Any]:
    """What is known of a configuration after a launch, as JSON can hold it.

    `how` is "time", "least" or "scale". status "timed": `cycles` are its time. "slower": it takes at least `cycles`, which is more than
    `limit`, or the least its first block allows. "scaled": about `cycles`; `limit` are the calls of the first block then. "invalid": it
    cannot be launched, and `reason` says why.
    """
    if how == "scale":
        return scale(task, config, limit, blocks_of(config, task.blocks))
    seen = _Facts()
    try:
        with _Set(recorder=seen, max_cycles=limit, only_first=1 if how == "least" else 0):
            task.launch(config)
    except Exception as error:
        return {"status": "invalid", "reason": reason_of(error), "text": str(error)[:4000]}
    if len(seen) != 1 or "cycles" not in seen[0]:
        return {"status": "invalid", "reason": "the launch has no time"}
    facts = seen[0]
    return {
        "status": "slower" if facts.get("at_least") else "timed",
        "cycles": facts["cycles"],
        "time_us": facts["cycles"] / facts["clock_mhz"],
        "calls": facts["calls"],
        "blocks": facts["blocks"],
        **({"bound": facts["bound"]} if facts["bound"] and not facts.get("at_least") else {}),
        **({"in_full": True} if not facts["dry"] else {}),
        **({"reads_data": True} if facts.get("reads_data") or not facts["dry"] else {}),
    }
