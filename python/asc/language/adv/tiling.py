"""Tilings as the host gives them to kernels: structs whose fields are those of Ascend C in snake case."""

from __future__ import annotations

import re

from asc.language.core.dtype import float32, int32
from asc.language.core.struct import Field, Struct

_CUBE = (
    "usedCoreNum M N Ka Kb singleCoreM singleCoreN singleCoreK baseM baseN baseK depthA1 depthB1 stepM stepN isBias transLength iterateOrder "
    "shareMode shareL1Size shareL0CSize shareUbSize batchM batchN singleBatchM singleBatchN stepKa stepKb depthAL1CacheUB depthBL1CacheUB "
    "dbL0A dbL0B dbL0C ALayoutInfoB ALayoutInfoS ALayoutInfoN ALayoutInfoG ALayoutInfoD BLayoutInfoB BLayoutInfoS BLayoutInfoN BLayoutInfoG "
    "BLayoutInfoD CLayoutInfoB CLayoutInfoS1 CLayoutInfoN CLayoutInfoG CLayoutInfoS2 BatchNum"
).split()
_SOFTMAX = (
    "srcM srcK srcSize outMaxM outMaxK outMaxSize splitM splitK splitSize reduceM reduceK reduceSize rangeM tailM tailSplitSize tailReduceSize"
).split()
_RMS_NORM = (
    "bLength sLength hLength originalHLength reciprocalOfHLength mainBshLength mainBsLength mainBsLengthAlign loopRound inputTailPos "
    "tailBshLength tailBsLength"
).split()
_NAMES = {"Ka": "k_a", "Kb": "k_b", "stepKa": "step_k_a", "stepKb": "step_k_b", "shareL0CSize": "share_l0c_size", "dbL0A": "db_l0a",
          "dbL0B": "db_l0b", "dbL0C": "db_l0c", "originalHLength": "original_h_length", "reciprocalOfHLength": "reciprocal_of_h_length", "depthAL1CacheUB": "depth_al1_cache_ub", "depthBL1CacheUB": "depth_bl1_cache_ub"}  # fmt: skip


def _snake(name):
    return _NAMES.get(name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[ABC])(?=Layout)", "_", name).lower()


def _fields(names, floats=()):
    return {_snake(name): Field(float32 if name in floats else int32, 0, name=name) for name in names}


TCubeTiling = type("TCubeTiling", (Struct,), {"__doc__": "How a matrix product is cut.", "__module__": __name__, **_fields(_CUBE)})
SoftmaxTiling = type("SoftmaxTiling", (Struct,), {"__doc__": "How a softmax is cut.", "__module__": __name__, **_fields(_SOFTMAX)})
RmsNormTiling = type(
    "RmsNormTiling",
    (Struct,),
    {"__doc__": "How an RMS norm is cut.", "__module__": __name__, **_fields(_RMS_NORM, ("reciprocalOfHLength",))},
)

__all__ = ["RmsNormTiling", "SoftmaxTiling", "TCubeTiling"]
