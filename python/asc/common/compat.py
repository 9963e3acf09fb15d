"""Differences between Python versions."""

import inspect


def get_annotations(obj: object) -> dict[str, object]:
    """Annotations of a function or class, with those written as text evaluated."""
    return inspect.get_annotations(obj, eval_str=True)
