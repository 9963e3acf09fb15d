"""Differences between Python versions."""

import inspect
from collections.abc import Callable


def get_annotations(obj: Callable[..., object] | type) -> dict[str, object]:
    """Annotations of a function or class, with those written as text evaluated."""
    return inspect.get_annotations(obj, eval_str=True)
