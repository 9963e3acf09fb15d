import math

import torch
import torch.nn as nn

import asc
import asc2

TILE = 4096


@asc2.jit(always_compile=True)
def add_kernel(x_ptr, y_ptr, z_ptr, size, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    z_gm = asc2.tensor(z_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i])
        y = asc2.load(y_gm, [tile], tile_id=[i])
        asc2.store(x + y, z_gm, tile_id=[i])


class ModelNew(nn.Module):
    def forward(self, x, y):
        z = torch.empty_like(x)
        size = math.prod(x.shape)
        if size:
            add_kernel[min(16, asc.ceildiv(size, TILE))](x, y, z, size, tile=TILE)
        return z
