"""The accuracy gate: is a result as good as its dtype allows?

Shapes, NaN places, infinity places and their signs must agree. On the rest, both widened to float32,
``rel = |a - g| / max(|g|, t)`` with t the threshold of the golden dtype; the gate passes iff mean(rel) < t (MERE) and
max(rel) < 10 t (MARE), both strictly. Golden booleans must be equal.
"""

from dataclasses import dataclass

import numpy as np

THRESHOLDS = {
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
    "float32": 2.0**-13,
    "hifloat32": 2.0**-11,
    "float8_e4m3": 2.0**-3,
    "float8_e5m2": 2.0**-2,
}
OTHER_THRESHOLD = 2.0**-13


@dataclass
class Verdict:
    passed: bool
    reason: str = ""
    mere: float = 0.0
    mare: float = 0.0
    threshold: float = 0.0

    def __str__(self):
        if self.reason:
            return f"{'pass' if self.passed else 'FAIL'} ({self.reason})"
        bounds = f"MERE {self.mere:.2e} < {self.threshold:.2e}, MARE {self.mare:.2e} < {10 * self.threshold:.2e}"
        return f"pass: {bounds}" if self.passed else f"FAIL: not {bounds}"


def dtype_name(array):
    """'float16' for numpy.float16 and torch.float16 alike; fp8 variants lose their suffix."""
    name = str(array.dtype).removeprefix("torch.")
    return next((known for known in THRESHOLDS if known.startswith("float8") and name.startswith(known)), name)


def to_numpy(array):
    """Float tensors come as float32, which holds exactly what numpy lacks: bfloat16 and fp8."""
    if not hasattr(array, "detach"):
        return np.asarray(array)
    array = array.detach().cpu()
    return (array.float() if array.is_floating_point() and array.element_size() <= 4 else array).numpy()


def cast_like(actual, golden):
    """The candidate rounded to the golden dtype, as a numpy array."""
    if hasattr(golden, "detach"):
        import torch
        return to_numpy(torch.as_tensor(actual).to(golden.dtype))
    with np.errstate(over="ignore", invalid="ignore"):
        return to_numpy(actual).astype(golden.dtype, copy=False)


def compare(actual, golden):
    """Judges one output against the golden one; arrays of numpy or torch."""
    if tuple(actual.shape) != tuple(golden.shape):
        return Verdict(False, f"shape {tuple(actual.shape)} is not {tuple(golden.shape)}")
    a, g = to_numpy(actual), to_numpy(golden)
    for name, places in ("NaN", np.isnan), ("infinity", np.isinf):
        differ = int((places(a) != places(g)).sum())
        if differ:
            return Verdict(False, f"{name} on one side only, in {differ} places")
    if (np.signbit(a) != np.signbit(g))[np.isinf(g)].any():
        return Verdict(False, "infinities of different sign")
    if g.dtype == np.bool_:
        return Verdict(bool((a == g).all()), "booleans are compared exactly")
    finite = np.isfinite(a) & np.isfinite(g)
    if not finite.any():
        return Verdict(True, "no finite elements to compare")
    threshold = THRESHOLDS.get(dtype_name(golden), OTHER_THRESHOLD)
    with np.errstate(over="ignore"):
        a, g = cast_like(actual, golden).astype(np.float32)[finite], g.astype(np.float32)[finite]
    # The quotient in float64, so that the judgement itself rounds nothing away.
    a, g = a.astype(np.float64), g.astype(np.float64)
    rel = np.abs(a - g) / np.maximum(np.abs(g), threshold)
    mere, mare = float(rel.mean()), float(rel.max())
    return Verdict(mere < threshold and mare < 10 * threshold, "", mere, mare, threshold)
