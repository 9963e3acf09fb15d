"""Texts of tasks and candidates the tests share."""

# y = tanh(x) * w: nothing but the work itself gives it.
TASK = """
import torch
class Model(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(n))
    def forward(self, x):
        return torch.tanh(x) * self.w
def get_init_inputs():
    return [33]
def get_input_groups():
    return [[torch.randn(64, 33)], [torch.randn(7, 33)]]
"""

MODEL = """
import torch
class ModelNew(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(n))
    def forward(self, x):
        {forward}
"""
HONEST = MODEL.format(forward="return torch.tanh(x) * self.w")
