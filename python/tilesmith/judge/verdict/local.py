"""`asc.verify`: a function against a reference, in this process.

For people who check their own kernels. There is no isolation here: to judge somebody else's, use `tilesmith verify`.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any

from ..isolation import wire
from . import compare
from .compare import Verdict


class VerifyReport:
    """What `asc.verify` found out. True in a condition if everything passed."""

    def __init__(self, outputs: list[Verdict], findings: list[str], error: str = "") -> None:
        self.outputs = outputs  # one verdict per output
        self.findings = findings  # what the verdict does not see
        self.error = error  # the traceback of a function that raised

    @property
    def passed(self) -> bool:
        """Did every output pass the accuracy gate?"""
        return not self.error and bool(self.outputs) and all(verdict.passed for verdict in self.outputs)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        lines = ["pass" if self.passed else "FAIL"]
        if self.error:
            lines.append(self.error.rstrip())
        lines += [f"  output {index}: {verdict}" for index, verdict in enumerate(self.outputs)]
        lines += [f"  finding: {text}" for text in self.findings]
        return "\n".join(lines)


def _described(array: Any) -> tuple[dict[str, Any], Any]:
    """Description and contiguous bytes of a numpy array or torch tensor."""
    import numpy as np

    if hasattr(array, "detach"):
        tensor = array.detach().cpu().resolve_conj().contiguous()
        name = str(tensor.dtype).removeprefix("torch.")
        data = tensor.reshape(-1).view(_torch().uint8).numpy() if tensor.numel() else b""
        strides = list(array.stride())
    else:
        array = np.asarray(array)
        name, data = str(array.dtype), np.ascontiguousarray(array).reshape(-1).view(np.uint8) if array.size else b""
        strides = [stride // array.itemsize for stride in array.strides]
    if name not in wire.SIZES:
        raise TypeError(f"results of dtype {name} cannot be compared")
    return {"k": "tensor", "dtype": name, "shape": list(array.shape), "stride": strides}, data


def _torch() -> Any:
    import torch

    return torch


def _is_array(value: Any) -> bool:
    return hasattr(value, "detach") or hasattr(value, "__array_interface__") or type(value).__module__ == "numpy"


def _copy(value: Any) -> Any:
    if hasattr(value, "detach"):
        return value.detach().clone()
    return value.copy() if _is_array(value) else value


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _judge(actual: Any, golden: Any, hifloat32: bool) -> Verdict:
    if actual is None or golden is None:
        return Verdict(False, "missing", f"None on {'both sides' if actual is golden else 'one side'}")
    if _is_array(actual) and _is_array(golden):
        (a, a_bytes), (g, g_bytes) = _described(actual), _described(golden)
        return compare.tensors(a, a_bytes, g, g_bytes, hifloat32)
    if _is_array(actual) or _is_array(golden):
        return Verdict(False, "value", f"a {type(actual).__name__}, expected a {type(golden).__name__}")
    return Verdict(True) if actual == golden else Verdict(False, "value", f"{actual!r}, expected {golden!r}")


def _findings(index: int, actual: Any, golden: Any, verdict: Verdict, hifloat32: bool) -> list[str]:
    if not (_is_array(actual) and _is_array(golden)) or tuple(actual.shape) != tuple(golden.shape):
        return []
    (a, _), (g, data) = _described(actual), _described(golden)
    found = []
    if a["dtype"] != g["dtype"]:
        found.append(f"output {index}: dtype {a['dtype']}, expected {g['dtype']}")
    if verdict.facts.get("unequal") and verdict.passed:
        found.append(f"output {index}: {verdict.facts['unequal']} integers differ")
    if verdict.facts.get("count") and not verdict.facts["finite"]:
        found.append(f"output {index}: nothing finite to compare")
    return found + [f"output {index}: {probe} would pass" for probe in compare.null_probes(g, data, (), hifloat32)]


def verify(
    fn: Callable[..., Any], reference: Callable[..., Any], inputs: Sequence[Any], *, hifloat32: bool = False, raises: bool = False
) -> VerifyReport:
    """Runs fn and reference on copies of the inputs and judges what they return by MERE and MARE of the reference's dtype.

    inputs: the arguments, numpy arrays, torch tensors or anything else. hifloat32: judge float32 results as hifloat32. raises:
    raise AssertionError, with the report as text, unless everything passed.
    """
    mine, theirs = [_copy(value) for value in inputs], [_copy(value) for value in inputs]
    golden = _listed(reference(*theirs))
    try:
        actual = _listed(fn(*mine))
    except Exception as error:
        report = VerifyReport([], [], "".join(traceback.format_exception(error)))
        if raises:
            raise AssertionError(str(report)) from error
        return report
    if len(actual) != len(golden):
        report = VerifyReport([Verdict(False, "missing", f"{len(actual)} outputs, expected {len(golden)}")], [])
    else:
        verdicts = [_judge(a, g, hifloat32) for a, g in zip(actual, golden)]
        findings = [
            text
            for index, (a, g, verdict) in enumerate(zip(actual, golden, verdicts))
            for text in _findings(index, a, g, verdict, hifloat32)
        ]
        for index, (before, after) in enumerate(zip(inputs, mine)):
            if _is_array(before) and bytes(_described(before)[1]) != bytes(_described(after)[1]):
                findings.append(f"input {index} was modified")
        report = VerifyReport(verdicts, findings)
    if raises and not report.passed:
        raise AssertionError(str(report))
    return report
