"""gated_norm, up to M1."""

import pypto
import torch

ROWS = 16  # of a tile
COLS = 256


def pypto_gated_norm_norm(x, gamma):
    pypto.set_vec_tile_shapes(ROWS, COLS)
    mean = pypto.sum(x * x, -1, keepdim=True) * (1.0 / COLS)
    return x * pypto.rsqrt(mean + 1e-6) * gamma


def _gated_norm_kernel_impl(
    x, gamma, out,
    # <<< SNAPSHOT:SIG_IMPL
    # >>> SNAPSHOT:SIG_IMPL
):
    pypto.set_vec_tile_shapes(ROWS, COLS)
    # <<< SNAPSHOT:before_nt_loop
    # >>> SNAPSHOT:before_nt_loop
    for i in pypto.loop((x.shape[0] + ROWS - 1) // ROWS):
        left = (x.shape[0] - i * ROWS).min(ROWS)
        part = pypto.view(x, [ROWS, COLS], [i * ROWS, 0], valid_shape=[left, COLS])
        h1 = pypto_gated_norm_norm(part, gamma)
        # <<< SNAPSHOT:inside_nt_loop
        # >>> SNAPSHOT:inside_nt_loop
        out[i * ROWS:, 0:] = h1
    # <<< SNAPSHOT:after_nt_loop
    # >>> SNAPSHOT:after_nt_loop


@pypto.frontend.jit
def gated_norm_module1_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, COLS], pypto.DT_FP32),
    gamma: pypto.Tensor([1, COLS], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, COLS], pypto.DT_FP32),
    # <<< SNAPSHOT:SIG_JIT
    # >>> SNAPSHOT:SIG_JIT
):
    _gated_norm_kernel_impl(
        x, gamma, out,
        # <<< SNAPSHOT:CALL_IMPL
        # >>> SNAPSHOT:CALL_IMPL
    )


def gated_norm_module1_wrapper(x, gamma):
    out = torch.empty_like(x)
    # <<< SNAPSHOT:HOST_WRAPPER_INSPECT_ALLOC
    # >>> SNAPSHOT:HOST_WRAPPER_INSPECT_ALLOC
    gated_norm_module1_kernel(
        x, gamma, out,
        # <<< SNAPSHOT:HOST_WRAPPER_INSPECT_PASS
        # >>> SNAPSHOT:HOST_WRAPPER_INSPECT_PASS
    )
    return out
