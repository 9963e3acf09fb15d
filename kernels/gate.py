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


def as_golden_dtype(actual, golden):
    """The candidate in the golden dtype, both as numpy arrays; bfloat16, which numpy lacks, as float32."""
    if hasattr(golden, "numpy"):  # a torch tensor
        import torch
        actual = torch.as_tensor(actual).to(golden.dtype)
        widen = lambda t: (t.float() if t.is_floating_point() else t).detach().cpu().numpy()
        return widen(actual), widen(golden)
    actual = actual.float().numpy() if hasattr(actual, "numpy") else np.asarray(actual)
    golden = np.asarray(golden)
    with np.errstate(over="ignore", invalid="ignore"):
        return actual.astype(golden.dtype, copy=False), golden


def compare(actual, golden):
    """Judges one output against the golden one; arrays of numpy or torch."""
    if tuple(actual.shape) != tuple(golden.shape):
        return Verdict(False, f"shape {tuple(actual.shape)} is not {tuple(golden.shape)}")
    threshold = THRESHOLDS.get(dtype_name(golden), OTHER_THRESHOLD)
    a, g = as_golden_dtype(actual, golden)
    if g.dtype == np.bool_:
        return Verdict(bool((a == g).all()), "booleans are compared exactly")
    with np.errstate(over="ignore"):
        a, g = a.astype(np.float32), g.astype(np.float32)
    if (np.isnan(a) != np.isnan(g)).any():
        return Verdict(False, f"NaN in {int((np.isnan(a) != np.isnan(g)).sum())} places of one side only")
    if (np.isinf(a) != np.isinf(g)).any():
        return Verdict(False, f"infinity in {int((np.isinf(a) != np.isinf(g)).sum())} places of one side only")
    if (np.signbit(a) != np.signbit(g))[np.isinf(g)].any():
        return Verdict(False, "infinities of different sign")
    finite = np.isfinite(a) & np.isfinite(g)
    if not finite.any():
        return Verdict(True, "no finite elements to compare")
    a, g = a[finite].astype(np.float64), g[finite].astype(np.float64)
    rel = np.abs(a - g) / np.maximum(np.abs(g), threshold)
    mere, mare = float(rel.mean()), float(rel.max())
    return Verdict(mere < threshold and mare < 10 * threshold, "", mere, mare, threshold)
