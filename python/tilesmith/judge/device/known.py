"""Data a candidate may bring besides the inputs: the reference's parameters, in any order and precision, and what computes nothing."""

import hashlib

import numpy as np
import torch

_FLOATS = (torch.float16, torch.bfloat16, torch.float32)


def _sorted(tensor):
    """The elements as bits, in an order of their own."""
    bits = tensor.contiguous().reshape(-1).view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.itemsize])
    return torch.sort(bits).values.numpy()


class Known:
    """The parameters of a reference."""

    def __init__(self, parameters):
        self.parameters = [each for each in parameters if isinstance(each, torch.Tensor) and each.numel()]
        self._sorted, self._answers = {}, {}

    def has(self, raw):
        """Whether bytes are a parameter, rearranged or rounded, or as good as nothing: a constant, a mask, numbers in a row."""
        data = np.frombuffer(raw, np.uint8)
        seen = hashlib.sha256(data).digest()  # of every call again
        if seen not in self._answers:
            self._answers[seen] = says_nothing(data) or self._is_a_parameter(data)
        return self._answers[seen]

    def _is_a_parameter(self, data):
        return any(self._is(number, data) for number in range(len(self.parameters)))

    def _is(self, number, data):
        parameter = self.parameters[number]
        kinds = _FLOATS if parameter.is_floating_point() else (parameter.dtype,)
        for kind in dict.fromkeys((parameter.dtype, *kinds)):
            if parameter.numel() * kind.itemsize != data.nbytes or kind.itemsize > 8:
                continue
            if (number, kind) not in self._sorted:
                self._sorted[number, kind] = _sorted(parameter.to(kind))
            mine = self._sorted[number, kind]
            if np.array_equal(np.sort(data.view(mine.dtype)), mine):
                return True
        return False


def says_nothing(data):
    """One or two values, or an arithmetic progression, whatever the elements are."""
    for kind in ("int8", "int16", "int32", "int64", "float16", "float32"):
        if data.nbytes % np.dtype(kind).itemsize:
            continue
        values = data.view(kind)
        if kind.startswith("int") and len(np.unique(values)) <= 2:
            return True
        with np.errstate(all="ignore"):
            steps = np.diff(values.astype(np.float64))
        if len(steps) and np.isfinite(steps).all() and steps[0] and (steps == steps[0]).all():
            return True
    return False
