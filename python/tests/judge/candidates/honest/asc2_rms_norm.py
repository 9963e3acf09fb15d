import torch
import torch.nn as nn
import asc
import asc2


@asc2.jit
def rms_norm_kernel(x_ptr, gamma_ptr, y_ptr, rows, cols: asc.ConstExpr[int], eps: asc.ConstExpr[float]):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    g_gm = asc2.tensor(gamma_ptr, [cols])
    y_gm = asc2.tensor(y_ptr, [rows, cols])
    gamma = asc2.load(g_gm, [cols], offsets=[0]).to(asc.float32)
    for row in asc2.range(asc2.block_idx(), rows, asc2.block_num()):
        x = asc2.load(x_gm, [1, cols], offsets=[row, 0]).to(asc.float32)
        y = asc2.rms_norm(x, gamma, eps)
        asc2.store(y.to(y_gm.dtype), y_gm, offsets=[row, 0])


class ModelNew(nn.Module):
    def __init__(self, cols: int, eps: float = 1e-5):
        super().__init__()
        self.norm = nn.RMSNorm(cols, eps=eps)

    def forward(self, x):
        y = torch.empty_like(x)
        cols = x.shape[-1]
        rows = x.numel() // cols
        rms_norm_kernel[min(40, rows)](x.reshape(rows, cols), self.norm.weight, y, rows, cols=cols, eps=self.norm.eps)
        return y
