"""An operator in PyPTO: parts of a whole tensor in a loop, a product, a helper."""
import pypto
import torch


def scaled(part, factor):
    return pypto.exp(part) * factor


@pypto.frontend.jit(runtime_options={"run_mode": pypto.RunMode.SIM})
def rows_of(x: pypto.Tensor([pypto.DYNAMIC, 256], pypto.DT_FP32), w: pypto.Tensor([256, 64], pypto.DT_FP32),
            y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), rows: int):
    pypto.set_vec_tile_shapes(16, 256)
    for i in pypto.loop((x.shape[0] + rows - 1) // rows):
        left = (x.shape[0] - i * rows).min(rows)
        part = pypto.view(x, [rows, 256], [i * rows, 0], valid_shape=[left, 256])
        y[i * rows:, 0:] = pypto.matmul(scaled(part, 0.5), w, pypto.DT_FP32)


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(256, 64))

    def forward(self, x):
        y = torch.empty((x.shape[0], 64), dtype=x.dtype, device=x.device)
        rows_of(x, self.weight, y, 64)
        return y
