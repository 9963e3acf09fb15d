"""Written for another chip, and moved by one import."""

import torch
import torch_npu  # noqa: F401
from torch_npu.contrib import transfer_to_npu  # noqa: F401

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(8, 8, device=device)
y = x.cuda().half()
torch.cuda.synchronize()
with torch.cuda.stream(torch.cuda.Stream()):
    z = (y @ y).float()
assert z.is_cuda and torch.cuda.current_device() == 0
print("cuda.py", z.device.type, torch.cuda.device_count() >= 1)
