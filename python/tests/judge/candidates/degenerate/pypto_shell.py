# degenerate: type 3: computes on tensors
import pypto
import torch


@pypto.frontend.jit
def absolute(x: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 128)
    y[:] = pypto.abs(x)


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        absolute(x, y)
        return torch.tanh(y)
