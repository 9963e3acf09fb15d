# degenerate: type 1: shell
import torch
import torch.nn as nn

import asc
import asc2


@asc2.jit
def shell(x_ptr, size: asc.ConstExpr[int]):
    asc2.block_idx()


class ModelNew(nn.Module):
    def forward(self, x):
        shell[8](x, 3)
        return x
