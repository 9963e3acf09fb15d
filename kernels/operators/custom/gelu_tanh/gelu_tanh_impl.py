"""gelu_tanh: gelu by its tanh form."""

import pypto
import torch

ROWS = 8  # of a tile
COLS = 256


def pypto_gelu_tanh(x):
    pypto.set_vec_tile_shapes(ROWS, COLS)
    inner = (x * x * x * 0.044715 + x) * 0.7978845608028654
    return x * 0.5 * (pypto.tanh(inner) + 1.0)


def _gelu_tanh_kernel_impl(
    x, out,
    # <<< SNAPSHOT:SIG_IMPL
    # >>> SNAPSHOT:SIG_IMPL
):
    pypto.set_vec_tile_shapes(ROWS, COLS)
    # <<< SNAPSHOT:before_nt_loop
    # >>> SNAPSHOT:before_nt_loop
    for i in pypto.loop((x.shape[0] + ROWS - 1) // ROWS):
        left = (x.shape[0] - i * ROWS).min(ROWS)
        part = pypto.view(x, [ROWS, COLS], [i * ROWS, 0], valid_shape=[left, COLS])
        y = pypto_gelu_tanh(part)
        # <<< SNAPSHOT:inside_nt_loop
        # >>> SNAPSHOT:inside_nt_loop
        out[i * ROWS:, 0:] = y
    # <<< SNAPSHOT:after_nt_loop
    # >>> SNAPSHOT:after_nt_loop


@pypto.frontend.jit
def gelu_tanh_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, COLS], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, COLS], pypto.DT_FP32),
    # <<< SNAPSHOT:SIG_JIT
    # >>> SNAPSHOT:SIG_JIT
):
    _gelu_tanh_kernel_impl(
        x, out,
        # <<< SNAPSHOT:CALL_IMPL
        # >>> SNAPSHOT:CALL_IMPL
    )


def gelu_tanh_wrapper(x):
    out = torch.empty_like(x)
    # <<< SNAPSHOT:HOST_WRAPPER_INSPECT_ALLOC
    # >>> SNAPSHOT:HOST_WRAPPER_INSPECT_ALLOC
    gelu_tanh_kernel(
        x, out,
        # <<< SNAPSHOT:HOST_WRAPPER_INSPECT_PASS
        # >>> SNAPSHOT:HOST_WRAPPER_INSPECT_PASS
    )
    return out
