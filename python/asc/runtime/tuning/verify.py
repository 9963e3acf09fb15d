"""Whether a configuration computes what the present values compute: both run on copies of the arrays, and the arrays are compared.

A tile that is smaller than the kernel assumes may leave part of the result out, and be fast. Sums may come in another order, so floats
are compared with a tolerance.
"""

from __future__ import annotations

from .measure import _Set, quiet, reason_of

_TOLERANCE = {"float16": 2.0**-7, "bfloat16": 2.0**-5, "float32": 2.0**-10}


def _kind(value):
    if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "clone"):
        return "torch"
    return "numpy" if hasattr(value, "__array_interface__") and getattr(value, "shape", ()) else None


def _copies(arguments):
    """The arguments with their arrays copied; None if there are arrays that cannot be."""
    made = {}
    result = {}
    bases = []
    for name, value in arguments.items():
        kind = _kind(value)
        if kind is None:
            if (
                hasattr(value, "__tilesmith_placeholder__")
                or hasattr(value, "__dlpack__")
                or isinstance(value, (bytearray, memoryview))
            ):
                return None
            result[name] = value
            continue
        if id(value) not in made:
            if kind == "numpy":
                import numpy as np

                if any(np.may_share_memory(value, other) for other in bases):
                    return None
                bases.append(value)
            made[id(value)] = value.copy() if kind == "numpy" else value.clone()
        result[name] = made[id(value)]
    return result


def _numbers(value):
    """As NumPy's, floats wide enough to compare."""
    import numpy as np

    if _kind(value) == "torch":
        value = value.detach()
        value = (value.double() if value.is_floating_point() else value).cpu().numpy()
    return value.astype(np.float64) if value.dtype.kind == "f" or str(value.dtype) == "bfloat16" else value


def _difference(name, found, expected):
    """In words, or nothing."""
    import numpy as np

    tolerance = _TOLERANCE.get(str(expected.dtype).removeprefix("torch."), 2.0**-20)
    a, b = _numbers(found), _numbers(expected)
    if b.dtype.kind != "f":
        same = a == b
    else:
        finite = np.isfinite(b)
        size = np.abs(b[finite]).mean() if finite.any() else 0.0
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.abs(a - b) <= tolerance * (np.abs(b) + size)
        same = near | (a == b) | (np.isnan(a) & np.isnan(b))
    different = int(same.size - np.count_nonzero(same))
    return f"{different} of {same.size} elements of '{name}' differ from those of the present values" if different else ""


class Verifier:
    """Compares configurations with the present one. Called with a configuration, it says what is wrong, or nothing."""

    def __init__(self, task, present):
        self.task, self.present, self.expected = task, present, None
        self.possible = _copies(task.arguments) is not None

    def _run(self, config):
        arguments = _copies(self.task.arguments)
        task = type(self.task)(self.task.kernel, arguments, self.task.blocks)
        with quiet(), _Set(mode="fast", dry=False):
            task.launch(config)
        return {name: value for name, value in arguments.items() if _kind(value)}

    def __call__(self, config):
        if self.expected is None:
            self.expected = self._run(self.present)
        try:
            found = self._run(config)
        except Exception as error:
            return reason_of(error)
        for name, value in found.items():
            if text := _difference(name, value, self.expected[name]):
                return text
        return ""
