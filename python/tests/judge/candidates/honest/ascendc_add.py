import torch
import torch.nn as nn

import asc

add = asc.load_ascendc("add_custom.cpp")["add_custom"]


class ModelNew(nn.Module):
    def forward(self, x, y):
        x, y = x.contiguous(), y.contiguous()
        z = torch.empty_like(x)
        add[8](x, y, z, x.numel())
        return z
