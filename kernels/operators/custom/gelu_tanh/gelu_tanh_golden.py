"""gelu_tanh in torch."""

import torch


def gelu_tanh_golden(x):
    return torch.nn.functional.gelu(x, approximate="tanh")
