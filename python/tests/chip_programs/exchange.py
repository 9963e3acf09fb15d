"""Default device, printing, pickles, DLPack, NumPy, and shared views."""

import copy
import io
import pickle

import numpy as np
import torch
import torch_npu  # noqa: F401

torch.set_default_device("npu")
x = torch.arange(6.0).view(2, 3)
assert x.device.type == "npu" and torch.ones(2).is_npu and torch.zeros_like(x).device == x.device
assert repr(x).endswith("device='npu:0')") and "5." in str(x)
assert torch.equal(pickle.loads(pickle.dumps(x)).cpu(), x.cpu())
assert torch.equal(copy.deepcopy(x).t().cpu(), x.cpu().t())
twin = torch.from_dlpack(x)
twin[0, 0] = 7
assert x[0, 0].item() == 7 and twin.device == x.device
file = io.BytesIO()
torch.save(x, file)
file.seek(0)
assert torch.load(file).device.type == "npu"
torch.set_default_device("cpu")
assert np.array_equal(x.cpu().numpy(), np.array([[7, 1, 2], [3, 4, 5]], np.float32))
assert x.to("npu:0") is x and x.npu() is x and x.to("cpu").device.type == "cpu"
assert x.is_contiguous() and not x.t().is_contiguous() and x.t()[1].tolist() == [1.0, 4.0]
print("exchange.py", x.tolist())
