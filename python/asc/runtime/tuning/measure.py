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
        mode="timed", late="none", verify_late=False, keep_calls=False, raise_findings=True, dry_run=False, dry=True, max_cycles=0,
        only_first=0, emitter=None, listener=None, recorder=None,
    )  # fmt: skip


def reason_of(error: BaseException) -> str:
    """Why a configuration is not possible, in one line: what an error says behind its place."""
    text = str(error).strip() or type(error).__name__
    for line in text.splitlines():
        if "error: " in line:
            return line.partition("error: ")[2]
    return text.splitlines()[0]


def measure(task: Task, config: Config, limit: int = 0, least: bool = False) -> dict[str, Any]:
    """What is known of a configuration after a launch, as JSON can hold it.

    status "timed": `cycles` are its time. "slower": it takes at least `cycles`, which is more than `limit`, or with `least` the least
    its first block allows. "invalid": it cannot be launched, and `reason` says why.
    """
    seen = _Facts()
    try:
        with _Set(recorder=seen, max_cycles=limit, only_first=1 if least else 0):
            task.launch(config)
    except Exception as error:
        return {"status": "invalid", "reason": reason_of(error), "text": str(error)[:4000]}
    if len(seen) != 1:
        return {"status": "invalid", "reason": "nothing was launched"}
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
