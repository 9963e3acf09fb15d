import math

import torch
import torch.nn as nn

import asc
import asc2

TILE = 4096


@asc2.jit(always_compile=True)
def double_kernel(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])

    def get(i):
        return asc2.load(x_gm, [tile], tile_id=[i])

    def put(i, value, out):
        asc2.store(value, out, tile_id=[i])

    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        put(i, get(i) * 2.0, y_gm)


class ModelNew(nn.Module):
    def forward(self, x):
        y, size = torch.empty_like(x), math.prod(x.shape)
        double_kernel[min(16, asc.ceildiv(size, TILE))](x, y, size, tile=TILE)
        return y
