"""torch.autocast("npu"): which operators compute in the narrow type, which in float32, and which in the widest of their arguments.

The lists are those torch uses for its other devices.
"""

from __future__ import annotations

import torch

_NARROW = """
_convolution.deprecated _convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d.input conv_transpose3d.input
convolution prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear addbmm baddbmm bmm chain_matmul linalg_multi_dot lstm_cell
gru_cell rnn_tanh_cell rnn_relu_cell scaled_dot_product_attention
""".split()
_WIDE = """
acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow.Tensor_Scalar pow.Tensor_Tensor pow.Scalar softplus
layer_norm native_layer_norm rms_norm group_norm frobenius_norm.dim nuclear_norm nuclear_norm.dim cosine_similarity poisson_nll_loss
cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss mse_loss margin_ranking_loss
multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm
logsumexp upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_linear1d upsample_bilinear2d upsample_trilinear3d
upsample_bicubic2d
""".split()
_WIDE_RESULT = """
prod prod.dim_int softmax.int log_softmax.int cumprod cumsum linalg_vector_norm linalg_matrix_norm linalg_matrix_norm.str_ord sum
sum.dim_IntList norm.Scalar norm.ScalarOpt_dim
""".split()
_WIDEST = "addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add".split()

_KEY = torch._C.DispatchKeySet(torch._C._dispatch_key_parse("AutocastPrivateUse1"))
_FLOATS = (torch.float16, torch.bfloat16, torch.float32)
library = torch.library.Library("aten", "IMPL")
others = torch.library.Library("_", "IMPL")


def _floats(value):
    if isinstance(value, torch.Tensor):
        return [value] if value.dtype in _FLOATS and value.device.type == "npu" else []
    return [each for item in value for each in _floats(item)] if isinstance(value, (list, tuple)) else []


def _cast(value, dtype):
    if _floats(value):
        if isinstance(value, torch.Tensor):
            return value.to(dtype)
        return type(value)(_cast(item, dtype) for item in value)
    return value


def _autocast(op, dtype_for):
    def run(*args, **kwargs):
        with torch._C._ExcludeDispatchKeyGuard(_KEY):
            dtype = dtype_for(args, kwargs)
            if dtype is not None:
                args = [_cast(value, dtype) for value in args]
                kwargs = {name: _cast(value, dtype) for name, value in kwargs.items()}
            return op(*args, **kwargs)

    return run


def _narrow(args, kwargs):
    return torch.get_autocast_dtype("npu")


def _wide(args, kwargs):
    return torch.float32


def _widest(args, kwargs):
    found = {each.dtype for each in _floats(list(args) + list(kwargs.values()))}
    narrow = torch.get_autocast_dtype("npu")
    return torch.float32 if torch.float32 in found else narrow if found else None


def _without_dtype(args, kwargs):
    return None if kwargs.get("dtype") is not None else torch.float32


def register() -> None:
    """Registers the lists; other operators compute in the type they are given."""
    others.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    for names, dtype_for in ((_NARROW, _narrow), (_WIDE, _wide), (_WIDE_RESULT, _without_dtype), (_WIDEST, _widest)):
        for name in names:
            packet, _, overload = name.partition(".")
            op = getattr(getattr(torch.ops.aten, packet), overload or "default")
            library.impl(name, _autocast(op, dtype_for), "AutocastPrivateUse1")
