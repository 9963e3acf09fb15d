# degenerate: type 1: no kernel
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x, y):
        return x @ y
