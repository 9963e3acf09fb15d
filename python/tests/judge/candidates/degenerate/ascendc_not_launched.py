# degenerate: type 2: launches no kernel
import torch
import torch.nn as nn

import asc


add = asc.load_ascendc("add_custom.cpp")["add_custom"]


class ModelNew(nn.Module):
    def forward(self, x, y):
        return torch.zeros_like(x)
