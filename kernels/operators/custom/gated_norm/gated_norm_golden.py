"""gated_norm in torch: one function for each module, and the whole."""

import torch


def gated_norm_norm_golden(x, gamma):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * gamma


def gated_norm_gate_golden(h1):
    return h1 * torch.sigmoid(h1)


def gated_norm_residual_golden(x, h2):
    return x + h2


def gated_norm_golden(x, gamma):
    h1 = gated_norm_norm_golden(x, gamma)
    h2 = gated_norm_gate_golden(h1)
    return gated_norm_residual_golden(x, h2)
