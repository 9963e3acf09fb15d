# degenerate: type 3: out.sum()
import torch
import torch.nn as nn

import asc


add = asc.load_ascendc("add_custom.cpp")["add_custom"]


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[8](x, y, out, x.numel())
        return out.sum()
