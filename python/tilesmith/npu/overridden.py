"""Operators for which torch asks a device that is not its own for something else than the operator."""

from __future__ import annotations

import torch

from . import fallback
from .memory import aten
from .operators import on_device

_MATH = 0  # at::SDPBackend::math: attention as its steps


def register() -> None:
    """Registers them."""

    @on_device("_fused_sdp_choice")
    def _(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False):
        return _MATH

    @on_device("convolution_overrideable")
    def _(*args, **kwargs):
        return fallback.run(aten.convolution.default, *args, **kwargs)

    @on_device("convolution_backward_overrideable")
    def _(grad_output, input, weight, stride, padding, dilation, transposed, output_padding, groups, output_mask):
        return fallback.run(
            aten.convolution_backward.default,
            *(grad_output, input, weight, [weight.size(0 if not transposed else 1)]),
            *(stride, padding, dilation, transposed, output_padding, groups, output_mask),
        )

    @on_device("_thnn_fused_lstm_cell")
    def _(input_gates, hidden_gates, cx, input_bias=None, hidden_bias=None):
        gates = _sum(input_gates, hidden_gates, input_bias, hidden_bias)
        i, f, g, o = gates.chunk(4, 1)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        cy = f * cx + i * g
        return o * cy.tanh(), cy, torch.cat([i, f, g, o], 1)

    @on_device("_thnn_fused_lstm_cell_backward_impl")
    def _(grad_hy, grad_cy, cx, cy, workspace, has_bias):
        i, f, g, o = workspace.chunk(4, 1)
        tanh = cy.tanh()
        grad_hy = torch.zeros_like(cy) if grad_hy is None else grad_hy
        grad_c = grad_hy * o * (1 - tanh * tanh)
        if grad_cy is not None:
            grad_c = grad_c + grad_cy
        parts = [grad_c * g * i * (1 - i), grad_c * cx * f * (1 - f), grad_c * i * (1 - g * g), grad_hy * tanh * o * (1 - o)]
        grad_gates = torch.cat(parts, 1)
        return grad_gates, grad_c * f, grad_gates.sum(0) if has_bias else torch.empty(0, device=cx.device)

    @on_device("_thnn_fused_gru_cell")
    def _(input_gates, hidden_gates, hx, input_bias=None, hidden_bias=None):
        ir, iz, inew = _sum(input_gates, None, input_bias).chunk(3, 1)
        hr, hz, hnew = _sum(hidden_gates, None, hidden_bias).chunk(3, 1)
        r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
        n = (inew + r * hnew).tanh()
        return (1 - z) * n + z * hx, torch.cat([r, z, n, hx, hnew], 1)

    @on_device("_thnn_fused_gru_cell_backward")
    def _(grad_hy, workspace, has_bias):
        r, z, n, hx, hnew = workspace.chunk(5, 1)
        grad_n = grad_hy * (1 - z) * (1 - n * n)
        grad_z = grad_hy * (hx - n) * z * (1 - z)
        grad_r = grad_n * hnew * r * (1 - r)
        from_input = torch.cat([grad_r, grad_z, grad_n], 1)
        from_hidden = torch.cat([grad_r, grad_z, grad_n * r], 1)
        biases = (from_input.sum(0), from_hidden.sum(0)) if has_bias else (None, None)
        return (from_input, from_hidden, grad_hy * z, *biases)


def _sum(*parts):
    """The sum of those that are there."""
    given = [part for part in parts if part is not None]
    total = given[0]
    for part in given[1:]:
        total = total + part
    return total
