"""Functions above instructions: the mathematical library and the helpers of sorting. What they are composed of, and the buffers they
need, is docs/adv.md. Matmul objects have a module and a page of their own (docs/matmul.md)."""

from __future__ import annotations

from asc._builtin import instruction
from asc.language.adv import matmul as _matmul
from asc.language.adv.matmul import *  # noqa: F403
from asc.language.adv.tiling import RmsNormTiling, SoftmaxTiling, TCubeTiling
from asc.language.basic.functions import concat, extract, sort

_REST = "count: RuntimeInt | None = None, temp_buffer: LocalTensor | None = None, is_reuse_source: bool = False) -> None"
_OPERANDS = {
    "dst: LocalTensor, src: LocalTensor": (
        "acos acosh asin asinh atan atanh ceil cos cosh digamma erf erfc exp2 floor frac is_finite is_inf is_nan lgamma log log10 log2 "
        "logical_not rint round sign sin sinh tan tanh trunc faster_gelu faster_gelu_v2 gelu sigmoid silu"
    ),
    "dst: LocalTensor, src0: LocalTensor, src1: LocalTensor": "fmod geglu hypot logical_and logical_or logical_xor reglu xor",
    "dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, src2: LocalTensor": "fma lerp",
    "dst: LocalTensor, src: LocalTensor, scalar: Scalar": "axpy clamp_max clamp_min swish",
    "dst: LocalTensor, src: LocalTensor, min: Scalar, max: Scalar": "clamp",
    "dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, scalar: Scalar": "swiglu",
    "dst: LocalTensor, src: LocalTensor, scale: Scalar, offset: Scalar": "antiquant",
    "dst0: LocalTensor, dst1: LocalTensor, src: LocalTensor": "sincos",
    "dst: LocalTensor, src0: LocalTensor | Scalar, src1: LocalTensor | Scalar": "power",
}
_FORMS = {name: f"({operands}, {_REST}" for operands, names in _OPERANDS.items() for name in names.split()}
_FORMS |= {
    "exp": "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt | None = None, taylor_expand_level: int = 0, "
    "temp_buffer: LocalTensor | None = None, is_reuse_source: bool = False) -> None",
    "softmax": "(dst: LocalTensor, sum: LocalTensor, max: LocalTensor, src: LocalTensor, tiling: SoftmaxTiling, "
    "temp_buffer: LocalTensor | None = None, reuse_source: bool = False, basic_block: bool = False, data_format_nz: bool = False) -> None",
    "rmsnorm": "(dst: LocalTensor, src: LocalTensor, gamma: LocalTensor, epsilon: Scalar, tiling: RmsNormTiling, "
    "temp_buffer: LocalTensor | None = None, basic_block: bool = False) -> None",
    "quant": "(dst: LocalTensor, src: LocalTensor, scale: Scalar, offset: Scalar, count: RuntimeInt | None = None, "
    "temp_buffer: LocalTensor | None = None, reuse_source: bool = False, config: object = None) -> None",
}


def _declare(name, form):
    def function(*args, **kwargs):
        pass

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} of count elements, or of all of the source (docs/adv.md)."
    return instruction(f"asc.adv.{name}", forms=(form,))(function)


for _name, _form in _FORMS.items():
    globals()[_name] = _declare(_name, _form)

__all__ = [*_FORMS, *_matmul.__all__, "RmsNormTiling", "SoftmaxTiling", "TCubeTiling", "concat", "extract", "sort"]
