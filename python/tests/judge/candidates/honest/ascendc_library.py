from pathlib import Path

import torch
import torch.nn as nn
from asc import load_ascendc

SOURCE = Path(__file__).with_name("kernels.cpp")


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.library = load_ascendc(str(SOURCE))
        self.kernel = self.library["scale_custom"]

    def forward(self, x):
        out = torch.zeros(x.shape, dtype=x.dtype)
        self.kernel[16](x, out, bytes(16))
        return out
