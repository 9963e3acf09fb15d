# degenerate: type 2: returns
import torch
import torch.nn as nn

import asc
import asc2


@asc2.jit
def scale_kernel(x_ptr, z_ptr, size, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    z_gm = asc2.tensor(z_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [tile], tile_id=[i]) * 2, z_gm, tile_id=[i])


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        scale_kernel[8](x, out, x.numel(), tile=1024)
        return x
