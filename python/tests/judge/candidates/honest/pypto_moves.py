"""Operators in PyPTO that write by move and assemble."""
import pypto
import torch
from pypto import frontend


@frontend.jit
def halves(x: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32),
           z: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 128)
    pypto.assemble(pypto.sqrt(x), [0, 0], y)
    z.move(pypto.abs(x))


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y, z = torch.empty_like(x), torch.empty_like(x)
        halves(x, y, z)
        return y, z
