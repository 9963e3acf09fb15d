"""What the comparisons of a script show about its kernel: three runs held side by side.

In two of them the results of launches are replaced, by two tables (Runtime/Poison.h): bytes that launches wrote and that were only moved
or widened since then are `table[p]` in the second run where they were `p` in the first. A side of a comparison that is so is the kernel's;
one that differs in another way was computed on the host from what the kernel left, and shows nothing about the kernel.
"""

from dataclasses import dataclass

import numpy as np

from tilesmith.judge.verdict import compare

ENOUGH = 0.98  # of a side's elements; NaN lose bits when they are widened
LOOSE = 0.1  # a tolerance above shows nothing
PART = 8  # one element in so many of what launches wrote is compared, at least
SIZES = {"float64": 8, "int64": 8, "uint64": 8, "float32": 4, "int32": 4, "uint32": 4, "float16": 2, "bfloat16": 2}
SIZES |= {"int16": 2, "uint16": 2, "int8": 1, "uint8": 1, "bool": 1}


@dataclass
class Run:
    """What one run left: its facts (error, launches, findings, comparisons) and the bytes of what it compared."""

    facts: dict
    arrays: dict

    @property
    def comparisons(self):
        return self.facts.get("comparisons") or []

    def shape_of(self, number):
        return [it and it["shape"] for it in self.comparisons[number]["sides"]]

    def side(self, number, index):
        facts = self.comparisons[number]["sides"][index]
        return (facts["dtype"], self.arrays[f"{number}.{index}"]) if facts else None


def as_dtype(dtype, data, wanted):
    """Bytes of one type as bytes of another; None if there is no way."""
    import torch

    if dtype == wanted:
        return data
    try:
        tensor = torch.from_numpy(data.copy()).view(getattr(torch, dtype))
        return tensor.to(getattr(torch, wanted)).view(torch.uint8).numpy()
    except (AttributeError, TypeError, RuntimeError):
        return None


def _nans(dtype, data):
    import torch

    if not dtype.startswith(("float", "bfloat")) or not len(data):
        return np.zeros(len(data) // SIZES.get(dtype, 1), bool)
    return torch.from_numpy(data.copy()).view(getattr(torch, dtype)).isnan().numpy()


def moved(first, second, table, dtypes):
    """The type in which a side is bytes of launches, moved and widened alone; None if it is not."""
    (dtype, a), (_, b) = first, second
    if dtype not in SIZES or len(a) != len(b) or not len(a):
        return None
    known = ~(_nans(dtype, a) | _nans(dtype, b))
    for wanted in dict.fromkeys((dtype, *dtypes)):
        one, other = (as_dtype(dtype, data, wanted) if wanted in SIZES else None for data in (a, b))
        if one is None or other is None:
            continue
        size = SIZES[wanted]
        left, right = one.reshape(-1, size), other.reshape(-1, size)
        good = ((table[left] == right) & (left != 0)).all(axis=1)
        mask = known if wanted != dtype else np.ones(len(good), bool)
        if mask.sum() * 10 >= len(mask) and good[mask].mean() >= ENOUGH:
            return wanted
    return None


def _count(shape):
    return int(np.prod(shape)) if shape else 1


def written(launches):
    """Elements that launches wrote, and their types."""
    elements, dtypes = 0, []
    for launch in launches:
        for array in launch.get("written") or ():
            elements += min(array["bytes"] // SIZES.get(array["dtype"], 1), array["elements"])
            dtypes.append(array["dtype"])
    return elements, list(dict.fromkeys(dtypes))


def problems(plain, first, second, table):
    """(what is wrong as (severity, text), results compared) of three runs of one script."""
    elements, dtypes = written(plain.facts["launches"])
    alike = len(first.comparisons) == len(second.comparisons) == len(plain.comparisons) and all(
        first.shape_of(it) == second.shape_of(it) == plain.shape_of(it) for it in range(len(plain.comparisons))
    )
    if not plain.comparisons:
        return [("critical", "the script compares nothing with numpy.testing.assert_allclose or the like")], 0
    if not alike:
        return [("critical", "what the script compares differs from run to run")], 0
    wrong, compared, host, isFlat = [], 0, 0, True
    for number, comparison in enumerate(plain.comparisons):
        sides = [[run.side(number, index) for run in (first, second)] for index in (0, 1)]
        if any(None in both for both in sides):
            continue
        own = [moved(*both, table, dtypes) for both in sides]
        same = [np.array_equal(both[0][1], both[1][1]) for both in sides]
        if not (own[0] and same[1]) and not (own[1] and same[0]):
            host += 0 if all(same) or all(own) else max(map(_count, plain.shape_of(number)))
            continue
        index = 0 if own[0] and same[1] else 1
        shapes = plain.shape_of(number)
        compared += _count(shapes[index])
        got, want = plain.side(number, index), plain.side(number, 1 - index)
        isFlat = isFlat and _is_flat(want)
        if comparison["tolerance"] > LOOSE:
            wrong.append(("high", f"comparison {number + 1} ({comparison['name']}): a tolerance of {comparison['tolerance']:g}"))
        if text := inexact(got, want, own[index], shapes):
            wrong.append(("critical", f"comparison {number + 1} ({comparison['name']}): {text}"))
    if not compared or host >= compared:
        text = (
            "what is compared was computed on the host from what the launches wrote"
            if host
            else "no result of a launch is compared"
        )
        wrong.append(("critical", text))
    elif compared * PART < elements:
        wrong.append(("high", f"{compared} of {elements} elements that launches wrote are compared"))
    elif isFlat:
        wrong.append(("high", "what is expected is one value everywhere: inputs that differ show more"))
    return wrong, compared


def _is_flat(side):
    _, data = side
    size = SIZES.get(side[0], 1)
    rows = data.reshape(-1, size)
    return len(rows) < 2 or bool((rows == rows[0]).all())


def inexact(got, want, dtype, shapes):
    """Why the judge does not accept a result; None if it does."""
    actual, expected = as_dtype(*got, dtype), as_dtype(*want, dtype)
    if actual is None or expected is None:
        return None
    if len(actual) != len(expected):
        return None if _count(shapes[0]) == 1 or _count(shapes[1]) == 1 else f"shapes {shapes[0]} and {shapes[1]}"
    facts = {"dtype": dtype, "shape": [len(actual) // SIZES[dtype]]}
    verdict = compare.tensors(facts, actual, facts, expected)
    return None if verdict.passed or verdict.is_outlier else f"the judge: {verdict.reason}"
