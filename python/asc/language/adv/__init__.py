"""Functions above instructions. exp, log, axpy and the helpers of sorting run; the others are declared, warn where they are used, and
are a finding when they run."""

from __future__ import annotations

from asc._builtin import instruction
from asc.language.adv.tiling import RmsNormTiling, SoftmaxTiling, TCubeTiling
from asc.language.basic.functions import concat, extract, sort

_UNARY = (
    "acos acosh asin asinh atan atanh ceil cos cosh digamma erf erfc floor frac lgamma log round sign sin sinh tan tanh trunc"
).split()
_FORMS = {name: "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt | None = None, temp_buffer: LocalTensor | None = None, "
          "is_reuse_source: bool = False) -> None" for name in _UNARY}  # fmt: skip
_FORMS |= {
    "exp": "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt | None = None, taylor_expand_level: int = 0, "
    "temp_buffer: LocalTensor | None = None, is_reuse_source: bool = False) -> None",
    "axpy": "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt | None = None, temp_buffer: LocalTensor | None = None, "
    "is_reuse_source: bool = False) -> None",
    "power": "(dst: LocalTensor, src0: LocalTensor | Scalar, src1: LocalTensor | Scalar, *arguments: object) -> None",
    "xor": "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *arguments: object) -> None",
    "softmax": "(dst: LocalTensor, sum: LocalTensor, max: LocalTensor, src: LocalTensor, tiling: object, *arguments: object) -> None",
    "rmsnorm": "(dst: LocalTensor, src: LocalTensor, gamma: LocalTensor, epsilon: Scalar, tiling: object, *arguments: object) -> None",
    "quant": "(dst: LocalTensor, src: LocalTensor, scale: Scalar, offset: Scalar, *arguments: object) -> None",
}


def _declare(name, form):
    def function(*args, **kwargs):
        pass

    function.__name__ = function.__qualname__ = name
    runs = name in ("exp", "log", "axpy")
    function.__doc__ = "The instruction of this name, on count elements." if runs else "Not in the model."
    return instruction(f"asc.adv.{name}", forms=(form,))(function)


for _name, _form in _FORMS.items():
    globals()[_name] = _declare(_name, _form)

__all__ = [*_FORMS, "RmsNormTiling", "SoftmaxTiling", "TCubeTiling", "concat", "extract", "sort"]
