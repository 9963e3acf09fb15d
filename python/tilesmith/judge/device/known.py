"""Data a candidate may bring besides the inputs: the reference's parameters, arranged and rounded as it likes; and how much
anything else says."""

import hashlib
import zlib

import numpy as np
import torch

_FLOATS = (torch.float16, torch.bfloat16, torch.float32)
_HEAD = 12  # bytes that anything compressed has
SHORT, LONG = 1 << 10, 1 << 24  # bytes of data in which a pattern is looked for


def _sorted(tensor):
    """The elements as bits: (each once, how often)."""
    bits = tensor.contiguous().reshape(-1).view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.itemsize])
    return np.unique(bits.numpy(), return_counts=True)


class Known:
    """The parameters of a reference."""

    def __init__(self, parameters):
        found = [each for each in parameters if isinstance(each, torch.Tensor) and each.numel()]
        self.parameters = sorted(found, key=lambda each: -each.numel())
        self.bytes = sum(each.nbytes for each in found)
        self._sorted, self._answers = {}, {}

    def are_parameters(self, raw):
        """Whether bytes are parameters, arranged, joined, padded or rounded."""
        data = np.frombuffer(raw, np.uint8)
        seen = hashlib.sha256(data).digest()  # of every call again
        if seen not in self._answers:
            self._answers[seen] = self._are_parameters(data)
        return self._answers[seen]

    def _are_parameters(self, data):
        if not self.parameters or not data.size:
            return False
        if _two_values(data) is not None:  # any order of those could be made of a bias and a scale
            return any(self._is_as_it_is(parameter, data) for parameter in self.parameters)
        kinds = dict.fromkeys((*_FLOATS, *(parameter.dtype for parameter in self.parameters)))
        return any(self._is_made_of(kind, data) for kind in kinds)

    def _is_as_it_is(self, parameter, data):
        raw = parameter.contiguous().reshape(-1).view(torch.uint8).numpy()
        return raw.size == data.size and np.array_equal(raw, data)

    def _is_made_of(self, kind, data):
        """Whether data of a dtype is whole parameters, each once, and one value that pads them."""
        if kind.itemsize > 8 or data.nbytes % kind.itemsize:
            return False
        values, left = np.unique(data.view(f"i{kind.itemsize}" if kind.itemsize > 1 else "u1"), return_counts=True)
        size = data.nbytes // kind.itemsize
        for number, parameter in enumerate(self.parameters):
            if parameter.numel() > size or not (parameter.dtype == kind or parameter.is_floating_point() and kind in _FLOATS):
                continue
            if (number, kind) not in self._sorted:
                self._sorted[number, kind] = _sorted(parameter.to(kind))
            mine, counts = self._sorted[number, kind]
            at = np.minimum(np.searchsorted(values, mine), len(values) - 1)
            if np.array_equal(values[at], mine) and (left[at] >= counts).all():
                left[at] -= counts
                size -= parameter.numel()
        return np.count_nonzero(left) <= 1 and size < data.nbytes // kind.itemsize


def _two_values(data):
    """The elements, if they are of one or two values, whatever they are; else None."""
    for kind in ("i8", "i4", "i2", "u1"):
        if data.nbytes % np.dtype(kind).itemsize == 0:
            values = data.view(kind)
            few = values[: 1 << 12]
            if len(np.unique(few)) <= 2 and len(np.unique(values)) <= 2:
                return values
    return None


def _is_progression(data):
    for kind in ("i1", "i2", "i4", "i8", "f2", "f4"):
        if data.nbytes % np.dtype(kind).itemsize:
            continue
        with np.errstate(all="ignore"):
            steps = np.diff(data.view(kind).astype(np.float64))
        if len(steps) and np.isfinite(steps).all() and steps[0] and (steps == steps[0]).all():
            return True
    return False


def _compressed(numbers):
    return max(0, len(zlib.compress(np.ascontiguousarray(numbers).tobytes(), 9)) - _HEAD)


def information(data):
    """Bytes that say as much as some data (uint8) does, not more than those it has.

    Masks say where they change, as far as that is no pattern; progressions say nothing.
    """
    if not data.size or _is_progression(data):
        return 0
    values = _two_values(data)
    if values is None:
        return data.nbytes
    changes = np.flatnonzero(values[1:] != values[:-1])
    gaps = np.diff(changes, prepend=0)
    return min(_compressed((gaps[2:] - gaps[:-2]).astype(np.int32)), -(-len(values) // 8))


def pattern(data):
    """The same of data that nothing looks up in: what goes on as it did says nothing, whatever the elements are."""
    says = information(data)
    if not SHORT < says <= LONG:
        return says
    kinds = [f"i{size}" for size in (2, 4, 8) if data.nbytes % size == 0]
    left = min((_compressed(np.diff(np.diff(data.view(kind), prepend=0), prepend=0)) for kind in kinds), default=says)
    return left if 2 * left < says else says


def information_of(sequences):
    """The same of numbers that came one after another: sequences of int64. What repeats, or goes on as it did, says nothing."""
    steps = []
    for sequence in sequences:
        numbers = np.frombuffer(sequence, np.int64)
        steps.append(numbers[:1])
        steps.append(np.diff(np.diff(numbers, prepend=numbers[:1]), prepend=0))
    return _compressed(np.concatenate(steps)) if steps else 0
