"""Tilings as the host gives them to kernels: structs whose fields are those of Ascend C in snake case."""

from __future__ import annotations

import re

import _tilesmith

from asc.language.core.dtype import float32, int32
from asc.language.core.struct import Field, Struct

_SOFTMAX = (
    "srcM srcK srcSize outMaxM outMaxK outMaxSize splitM splitK splitSize reduceM reduceK reduceSize rangeM tailM tailSplitSize tailReduceSize"
).split()
_RMS_NORM = (
    "bLength sLength hLength originalHLength reciprocalOfHLength mainBshLength mainBsLength mainBsLengthAlign loopRound inputTailPos "
    "tailBshLength tailBsLength"
).split()
_NAMES = {"originalHLength": "original_h_length", "reciprocalOfHLength": "reciprocal_of_h_length"}


def _snake(name):
    return _NAMES.get(name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _fields(names, floats=()):
    return {_snake(name): Field(float32 if name in floats else int32, 0, name=name) for name in names}


TCubeTiling = type(
    "TCubeTiling",
    (Struct,),
    {
        "__doc__": "How a matrix product is cut.",
        "__module__": __name__,
        **{name: Field(int32, 0, name=cpp) for name, cpp in _tilesmith.cube_tiling_members()},
    },
)
SoftmaxTiling = type("SoftmaxTiling", (Struct,), {"__doc__": "How a softmax is cut.", "__module__": __name__, **_fields(_SOFTMAX)})
RmsNormTiling = type(
    "RmsNormTiling",
    (Struct,),
    {"__doc__": "How an RMS norm is cut.", "__module__": __name__, **_fields(_RMS_NORM, ("reciprocalOfHLength",))},
)

__all__ = ["RmsNormTiling", "SoftmaxTiling", "TCubeTiling"]
