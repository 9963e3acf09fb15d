"""Cases as JSON Lines: `{"inputs": [{"name", "type", "dtype", "shape" or "value", ...}, ...]}`, one case in each line.

`read_cases` reads and checks such a file; `make_inputs` makes the arguments of one case, where the task runs (it needs torch).
What a case may hold is in docs/sweep.md.
"""

import json
import math
from pathlib import Path


class TaskError(Exception):
    """A task that cannot be read; the text names the file and the line."""


SHORT_NAMES = {
    "fp16": "float16",
    "half": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "float": "float32",
    "fp64": "float64",
    "double": "float64",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "i8": "int8",
    "int4": "int8",  # torch has no such type: numbers of 4 bits, a byte each
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "boolean": "bool",
    "cfloat": "complex64",
    "cdouble": "complex128",
    "fp8_e4m3": "float8_e4m3fn",
    "float8_e4m3": "float8_e4m3fn",
    "fp8_e5m2": "float8_e5m2",
}
FLOATS = ("float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2")
INTEGERS = {
    f"{sign}int{bits}": (0 if sign else -(1 << bits - 1), (1 << bits - (not sign)) - 1)
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}
COMPLEX = ("complex32", "complex64", "complex128")
SPECIAL = {"nan": math.nan, "inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
# Names of distributions, as what is drawn from instead: nothing is N(0, 1), a pair is even.
DISTRIBUTIONS = {"normal": None, "gaussian": None, "randn": None, "standard_normal": None, "uniform": [0, 1], "rand": [0, 1]}
FOUR_BITS = [-8, 7]
RANKS = range(9)
OUTLIER_SHARE = 64  # one element in so many is an outlier where outliers are declared, and at least one of each


def dtype_name(name):
    """The torch name of a dtype, from its short or long form; ValueError for others."""
    full = str(name).removeprefix("torch.").lower()
    full = SHORT_NAMES.get(full, full)
    if full == "bool" or full in FLOATS or full in INTEGERS or full in COMPLEX:
        return full
    raise ValueError(f"dtype {name!r} is unknown")


def cases_file(task):
    """The file of JSON Lines that belongs to a task file; None without one."""
    path = Path(task).with_suffix(".json")
    return path if path.is_file() else None


def read_cases(path):
    """The cases of a file of JSON Lines: for each line, the list of its inputs as objects. Checked as far as torch is not needed."""
    path = Path(path)
    try:
        lines = path.read_bytes().decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    cases = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            inputs = case.get("inputs") if isinstance(case, dict) else None
            if not isinstance(inputs, list) or not all(isinstance(item, dict) for item in inputs):
                raise ValueError('a case is an object with a list of objects as "inputs"')
            for item in inputs:
                _check(item)
        except (ValueError, TypeError, RecursionError) as error:
            raise TaskError(f"{path}:{number}: {error}") from None
        cases.append(inputs)
    if not cases:
        raise TaskError(f"{path}: no case is in it")
    return cases


def _check_shape(shape):
    if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"shape {shape!r} is not a list of sizes")
    if len(shape) not in RANKS:
        raise ValueError(f"shape {shape!r} has {len(shape)} dimensions; tasks have up to {RANKS[-1]}")


def _check(item):
    """Raises ValueError for an input `make_input` would not know how to make."""
    name, kind = item.get("name", "?"), item.get("type")
    try:
        if kind == "tensor":
            if "shape" not in item:
                raise ValueError("a tensor has a shape, which may be null")
            dtype_name(item.get("dtype"))
            if item["shape"] is None:
                if item.get("required"):
                    raise ValueError("a required tensor has no shape")
            else:
                _check_shape(item["shape"])
        elif kind == "tensor_list":
            if not isinstance(item.get("shapes"), list):
                raise ValueError("a tensor_list has a list of shapes")
            for dtype in item["dtype"] if isinstance(item.get("dtype"), list) else [item.get("dtype")]:
                dtype_name(dtype)
            for shape in item["shapes"]:
                _check_shape(shape)
        elif kind in ("attr", "scalar"):
            if "value" in item:
                _plain_value(item, None)
            elif kind == "attr" or item.get("range_values") is None:
                raise ValueError(f"{'an' if kind == 'attr' else 'a'} {kind} has a value, which may be null")
            else:
                dtype_name(item.get("dtype"))
        else:
            raise ValueError(f"type {kind!r} is unknown; it is tensor, tensor_list, attr or scalar")
        for key in ("range_values", "outlier_values"):
            _special_numbers(item.get(key))
    except ValueError as error:
        raise ValueError(f"input {name!r}: {error}") from None


def _special_numbers(value):
    """Numbers and lists of numbers, with "nan", "inf" and "-inf" turned into floats, and names of distributions into what they are."""
    if isinstance(value, str) and value.lower() in DISTRIBUTIONS:
        return DISTRIBUTIONS[value.lower()]
    if isinstance(value, list):
        return [_special_numbers(item) for item in value]
    if isinstance(value, str):
        if value.lower() not in SPECIAL:
            raise ValueError(f"{value!r} is not a number")
        return SPECIAL[value.lower()]
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise ValueError(f"{value!r} is not a number")
    return value


def _number(kind, value):
    if isinstance(value, str) and value.lower() in SPECIAL:
        value = SPECIAL[value.lower()]
    if isinstance(value, (str, list, dict)):
        raise ValueError(f"{value!r} is no {kind.__name__}")
    if kind is int and (isinstance(value, float) and not value.is_integer()):
        raise ValueError(f"{value!r} is not an int")
    return kind(value)


def _plain_value(item, torch):
    """The value of an attr or scalar. Without torch only checks it, and gives dtypes by name."""
    value, kind = item["value"], str(item.get("dtype", "")).lower()
    if value is None:
        return None
    if kind == "dtype" or (kind.startswith("torch.") and isinstance(value, str)):
        name = dtype_name(value)
        return getattr(torch, name) if torch else name
    if kind in ("str", "string"):
        if not isinstance(value, str):
            raise ValueError(f"{value!r} is not a string")
        return value
    if kind in ("list", "tuple") or isinstance(value, list):
        if not isinstance(value, list):
            raise ValueError(f"{value!r} is no {kind}")
        return tuple(value) if kind == "tuple" else list(value)
    if kind == "bool":
        if value not in (0, 1):
            raise ValueError(f"{value!r} is not a bool")
        return bool(value)
    if kind in ("", "none"):
        return value
    name = dtype_name(kind)
    if name in COMPLEX:
        return complex(*value) if isinstance(value, list) else _number(complex, value)
    return _number(bool if name == "bool" else int if name in INTEGERS else float, value)


def make_inputs(case):
    """The argument list of one case. Data comes from torch's generator of random numbers, so a seed decides it."""
    return [_make_input(item) for item in case]


def _make_input(item):
    import torch

    if item["type"] == "tensor":
        return None if item["shape"] is None else _make_tensor(torch, item, item["dtype"], item["shape"])
    if item["type"] == "tensor_list":
        shapes, dtype = item["shapes"], item["dtype"]
        dtypes = dtype if isinstance(dtype, list) else [dtype] * len(shapes)
        if len(dtypes) != len(shapes):
            raise ValueError(f"input {item.get('name')!r}: {len(dtypes)} dtypes for {len(shapes)} shapes")
        return [_make_tensor(torch, item, dtype, shape) for dtype, shape in zip(dtypes, shapes)]
    if "value" not in item:  # a number of a range
        return _make_tensor(torch, item, item["dtype"], [1]).item()
    return _plain_value(item, torch)


def _make_tensor(torch, item, dtype, shape):
    import numpy as np

    name = dtype_name(dtype)
    if not hasattr(torch, name):
        raise ValueError(f"input {item.get('name')!r}: torch {torch.__version__} has no {name}")
    random = np.random.default_rng(torch.randint(1 << 62, ()).item())
    wanted = _special_numbers(item.get("range_values"))
    if wanted is None and str(dtype).lower().removeprefix("torch.") == "int4":
        wanted = FOUR_BITS
    count = math.prod(shape)
    if name in COMPLEX:
        data = _elements(random, "float64", wanted, count) + 1j * _elements(random, "float64", wanted, count)
    else:
        data = _elements(random, name, wanted, count)
    outliers = _special_numbers(item.get("outlier_values"))
    if outliers and count and name != "bool":
        outliers = outliers if isinstance(outliers, list) else [outliers]
        where = random.permutation(count)[: max(len(outliers), count // OUTLIER_SHARE)]
        data[where] = [_fitting(name, outliers[index % len(outliers)]) for index in range(len(where))]
    return torch.from_numpy(data.reshape(shape)).to(getattr(torch, name))


def _fitting(name, value):
    """A number as elements of this type can have it: integers have no fractions, no NaN and no infinity."""
    if name not in INTEGERS:
        return value
    low, high = INTEGERS[name]
    return 0 if value != value else max(low, min(high, int(value) if math.isfinite(value) else low if value < 0 else high))


def _elements(random, name, wanted, count):
    """`count` elements drawn from `wanted`: nothing, a number, a pair of bounds, or a list of these to choose from."""
    import numpy as np

    carrier = np.dtype(name if name in INTEGERS or name in ("bool", "float64") else "float32")
    if isinstance(wanted, list) and wanted and (len(wanted) != 2 or any(isinstance(item, list) for item in wanted)):
        parts = [_elements(random, name, item, count) for item in wanted]
        return np.choose(random.integers(len(parts), size=count), parts).astype(carrier) if len(parts) > 1 else parts[0]
    if name == "bool":
        fixed = isinstance(wanted, (int, float))
        return np.full(count, bool(wanted)) if fixed else random.integers(2, size=count).astype(bool)
    if wanted is None or wanted == []:
        if name in INTEGERS:
            return random.integers(max(INTEGERS[name][0], -10), 10, size=count).astype(carrier)
        return random.standard_normal(count, dtype=carrier)
    if not isinstance(wanted, list):
        return np.full(count, _fitting(name, wanted), carrier)
    low, high = (_fitting(name, bound) for bound in wanted)
    if name in INTEGERS:
        return random.integers(min(low, high), max(low, high), size=count, dtype=carrier, endpoint=True)
    if not (math.isfinite(low) and math.isfinite(high)):  # there is nothing between them to draw from
        return np.where(random.integers(2, size=count, dtype=np.uint8) == 0, low, high).astype(carrier)
    return random.uniform(low, high, count).astype(carrier)
