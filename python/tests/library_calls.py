"""The functions of the library (Machine/Library.def) as calls: their rows, the Ascend C and the Python of a call, and what NumPy says
they compute. test_library_functions.py runs them; the oracle knows the meaning of a name and nothing of how the model composes it."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[2]
TYPES = {
    "Floats": ("float32", "float16"),
    "FloatsAndI32": ("float32", "float16", "int32"),
    "Words": ("int16", "uint16"),
    "Bytes": ("int8",),
}
CPP = {
    "float32": "float",
    "float16": "half",
    "int32": "int32_t",
    "int16": "int16_t",
    "uint16": "uint16_t",
    "int8": "int8_t",
    "bool": "bool",
}
SOURCES = {"Unary": 1, "UnaryPrecision": 1, "Truth": 1, "TwoResults": 1, "Scaled": 1, "Binary": 2, "TruthOfTwo": 2, "ScaledBinary": 2,
           "Ternary": 3, "Quantise": 1}  # fmt: skip
# With a temporary buffer and a count, and without either.
FORMS = ("work and count", "work", "count", "plain")
SCALARS = (0.75, 2.5)
_ROW = re.compile(r'^TILESMITH_LIBRARY_MAP\((\w+), "(\w*)", (\w+), (\w+), ([\w.-]+), ([\w.-]+), "(\w+)",', re.MULTILINE)


@dataclass(frozen=True)
class Function:
    name: str
    python: str
    shape: str
    types: tuple
    relative: float
    absolute: float
    header: str

    @property
    def sources(self):
        return SOURCES[self.shape]

    @property
    def is_bool(self):
        return self.shape.startswith("Truth")

    def result_of(self, dtype):
        """The element type of the results."""
        return "bool" if self.is_bool else {"AscendQuant": "int8", "AscendAntiQuant": "float16"}.get(self.name, dtype)

    @property
    def results(self):
        return 2 if self.shape == "TwoResults" else 1

    def forms(self):
        """Those Ascend C has of the function."""
        if self.name in ("ClampMax", "ClampMin", "SinCos"):
            return ("work and count", "count")
        if self.name == "AscendAntiQuant":
            return ("work", "plain")
        return ("count",) if self.name in ("Clamp", "Swish") else FORMS

    def cpp(self, form):
        """The call, of tensors d, e, a, b, c, a buffer w and a count n."""
        operands = {"Unary": "d, a", "UnaryPrecision": "d, a", "Truth": "d, a", "TwoResults": "d, e, a", "Binary": "d, a, b",
                    "TruthOfTwo": "d, a, b", "Ternary": "d, a, b, c"}.get(self.shape)  # fmt: skip
        rest = {"work and count": ", w, n", "work": ", w", "count": ", n", "plain": ""}[form]
        scalar, second = f"T({SCALARS[0]}f)", f"T({SCALARS[1]}f)"
        if self.name in ("ClampMax", "ClampMin"):
            return f"{self.name}(d, a, {'w, ' if 'work' in form else ''}{scalar}, n)"
        if self.shape == "Quantise" and self.name == "AscendAntiQuant":
            return f"AscendAntiQuant(d, a, half({SCALARS[1]}f), half({SCALARS[0]}f), {'w, ' if form == 'work' else ''}1)"
        if self.shape == "Quantise":
            return f"AscendQuant(d, a, {'w, ' if 'work' in form else ''}{SCALARS[0]}f, {SCALARS[1]}f{', n' if 'count' in form else ''})"
        special = {"Clamp": f"Clamp(d, a, {scalar}, {second}, n)", "Swish": f"Swish(d, a, n, {scalar})",
                   "SwiGLU": f"SwiGLU(d, a, b, {SCALARS[0]}f{rest})", "PowerByScalar": f"Power(d, a, T(3){rest})",
                   "PowerOfScalar": f"Power(d, T(3), a{rest})"}  # fmt: skip
        return special.get(self.name, f"{self.name}({operands}{rest})")


def functions():
    return [Function(name, python, shape, TYPES[types], float(relative), float(absolute), header)
            for name, python, shape, types, relative, absolute, header in _ROW.findall(
                (ROOT / "include/tilesmith/Machine/Library.def").read_text())]  # fmt: skip


def _special(function):
    return lambda x: function(torch.from_numpy(np.ascontiguousarray(x))).numpy()


def _gelu(x):
    return x / (1 + np.exp(-1.5957691216057308 * (x + 0.044715 * x**3)))


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _integer_power(x, y):
    result = np.ones_like(x)
    factor, rest = x.copy(), np.abs(y)
    while rest.any():
        result = np.where(rest & 1, result * factor, result)
        factor, rest = factor * factor, rest >> 1
    return np.where(y < 0, np.where(np.abs(x) == 1, result, 0), result)


ONE = {
    "Acos": np.arccos, "Acosh": np.arccosh, "Asin": np.arcsin, "Asinh": np.arcsinh, "Atan": np.arctan, "Atanh": np.arctanh,
    "Ceil": np.ceil, "Cos": np.cos, "Cosh": np.cosh, "Digamma": _special(torch.special.digamma), "Erf": _special(torch.special.erf),
    "Erfc": _special(torch.special.erfc), "Floor": np.floor, "Frac": lambda x: x - np.trunc(x), "Lgamma": _special(torch.special.gammaln),
    "Log": np.log, "Log2": np.log2, "Log10": np.log10, "Rint": np.rint, "Round": np.rint, "Sign": np.sign, "Sin": np.sin, "Sinh": np.sinh,
    "Tan": np.tan, "Tanh": np.tanh, "Trunc": np.trunc, "Exp2": np.exp2, "SinCos": lambda x: (np.sin(x), np.cos(x)), "IsNan": np.isnan,
    "IsInf": np.isinf, "IsFinite": np.isfinite, "LogicalNot": lambda x: x == 0, "ClampMax": lambda x: np.minimum(x, SCALARS[0]),
    "ClampMin": lambda x: np.maximum(x, SCALARS[0]), "Clamp": lambda x: np.clip(x, *SCALARS), "Sigmoid": _sigmoid,
    "Silu": lambda x: x * _sigmoid(x), "Swish": lambda x: x * _sigmoid(SCALARS[0] * x), "Gelu": _gelu,
    "FasterGelu": lambda x: x * _sigmoid(1.702 * x),
    "AscendQuant": lambda x: np.clip(np.rint(x.astype(np.float32) * np.float32(SCALARS[0]) + np.float32(SCALARS[1])), -128, 127),
    "AscendAntiQuant": lambda x: (x.astype(np.float64) + SCALARS[1]) * SCALARS[0],
    "FasterGeluV2": lambda x: x * (np.sign(x) * (0.5 - 0.1444 * (np.minimum(0.70710678 * np.abs(x), 1.769) - 1.769) ** 2) + 0.5),
    "PowerByScalar": lambda x: x**3, "PowerOfScalar": lambda x: _integer_power(np.full_like(x, 3), x) if x.dtype.kind == "i" else 3.0**x,
}  # fmt: skip
MORE = {
    "Power": lambda x, y: _integer_power(x, y) if x.dtype.kind == "i" else np.power(x, y), "Fmod": np.fmod, "Xor": np.bitwise_xor,
    "Hypot": np.hypot, "LogicalAnd": lambda x, y: (x != 0) & (y != 0), "LogicalOr": lambda x, y: (x != 0) | (y != 0),
    "LogicalXor": lambda x, y: (x != 0) ^ (y != 0), "Lerp": lambda x, y, z: x + z * (y - x), "Fma": lambda x, y, z: x * y + z,
    "SwiGLU": lambda x, y: x * y * _sigmoid(SCALARS[0] * y), "GeGLU": lambda x, y: x * _gelu(y), "ReGlu": lambda x, y: x * np.maximum(y, 0),
}  # fmt: skip
# Where a function is asked; others: numbers of all sizes around 0.
DOMAINS = {"Acos": (-1, 1), "Asin": (-1, 1), "Atanh": (-0.999, 0.999), "Acosh": (1, 200), "Log": (1e-3, 500), "Log2": (1e-3, 500),
           "Log10": (1e-3, 500), "Cosh": (-20, 20), "Sinh": (-20, 20), "Erfc": (-3, 9), "Exp2": (-14, 14), "Digamma": (-20, 50),
           "Lgamma": (-20, 50), "Tanh": (-6, 6), "Erf": (-5, 5), "PowerOfScalar": (-8, 9), "PowerByScalar": (-20, 20),
           "AscendQuant": (-150, 150)}  # fmt: skip


def operands(function, dtype, count, rng):
    """Sources of one call, so that results can be represented."""
    if dtype in ("int16", "uint16", "int8"):
        info = np.iinfo(dtype)
        return [rng.integers(info.min, info.max, count, dtype, endpoint=True) for _ in range(function.sources)]
    if dtype == "int32":
        return [rng.integers(-12, 12, count, dtype), rng.integers(-3, 9, count, dtype)][-function.sources :]
    if function.name == "Power":
        return [np.exp(rng.uniform(-2, 2, count)).astype(dtype), rng.uniform(-3, 3, count).astype(dtype)]
    low, high = DOMAINS.get(function.name, (-12, 12))
    sources = [rng.uniform(low, high, count) for _ in range(function.sources)]
    if low < 0 < high:  # sizes of all kinds, and the values a formula changes at
        small = rng.random(count) < 0.4
        sources = [np.where(small, x * 10.0 ** -rng.uniform(0, 4, count), x) for x in sources]
    if function.is_bool:
        for x in sources:
            x[rng.random(count) < 0.3] = 0
            x[rng.random(count) < 0.2] = np.inf
            x[rng.random(count) < 0.2] = np.nan
    return [x.astype(dtype) for x in sources]


def expected(function, sources):
    """The exact results, as a list; in double for floats."""
    exact = [x if x.dtype.kind in "iu" else x.astype(np.float64) for x in sources]
    with np.errstate(all="ignore"):
        result = (ONE if function.name in ONE else MORE)[function.name](*exact)
    return list(result) if isinstance(result, tuple) else [result]


def worst(function, actual, exact):
    """How far a result is off, in units of what its row allows; at most 1 is right."""
    if function.is_bool or actual.dtype.kind in "iu":
        return float((actual != exact.astype(actual.dtype)).any()) * 2
    with np.errstate(all="ignore"):
        if actual.dtype == np.float16:  # the spacing of numbers there, and the error of what was rounded
            rounding = np.spacing(np.abs(exact).astype(np.float16)).astype(np.float64) * 0.5
        elif function.relative == 0:
            rounding = np.zeros(exact.shape)
        else:
            rounding = np.full(exact.shape, 1e-44)
        allowed = rounding + function.relative * np.abs(exact) + function.absolute
        if function.relative == 0 and actual.dtype == np.float32:
            exact = exact.astype(np.float32).astype(np.float64)
        off = np.abs(actual.astype(np.float64) - exact)
        off[(actual == exact.astype(actual.dtype)) | (np.isnan(actual) & np.isnan(exact))] = 0
        ratio = np.where(off == 0, 0, off / np.maximum(allowed, 1e-300))
    return float(np.nan_to_num(ratio, nan=np.inf).max())
