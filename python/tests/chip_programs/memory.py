"""Devices, memory and random numbers."""

import os

import torch
import torch_npu

torch.npu.set_device(0)
assert torch.npu.is_available() and torch.npu.device_count() >= 1 and torch.npu.current_device() == 0
assert torch.npu.get_device_name(0).startswith("Ascend")
torch.npu.reset_peak_memory_stats()
before = torch.npu.memory_allocated()
x = torch.empty(1 << 20, dtype=torch.float32, device="npu")
assert torch.npu.memory_allocated() - before >= x.nbytes and torch.npu.max_memory_allocated() >= x.nbytes
assert torch.npu.memory_reserved() >= torch.npu.memory_allocated()
free, total = torch.npu.mem_get_info()
assert 0 < free < total == torch.npu.get_device_properties(0).total_memory
del x
assert torch.npu.memory_allocated() == before
torch.npu.empty_cache()
torch_npu.npu.synchronize()
torch.npu.manual_seed(3)
first = torch.randn(8, device="npu")
torch.npu.manual_seed_all(3)
assert torch.equal(first, torch.randn(8, device="npu"))
with torch.npu.device(1):
    y = torch.ones(3, device="npu")
assert y.device == torch.device("npu", 1) and torch.npu.current_device() == 0
print(os.path.basename(__file__), y.device, y.is_npu, y.cpu().sum().item())
