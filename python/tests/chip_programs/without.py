"""Imports torch only: the device is there all the same."""

import torch

x = torch.tensor([[1, -2], [3, 4]], dtype=torch.int32, device="npu")
assert x.sum().item() == 6 and x.abs().max(dim=1).values.tolist() == [2, 4]
assert torch.stack([x, x]).shape == (2, 2, 2) and torch.where(x > 0, x, 0).cpu().tolist() == [[1, 0], [3, 4]]
print("without.py", x.device)
