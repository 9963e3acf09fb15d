"""Graphs that are replayed, formats of the cube, and a benchmark loop as people write it."""

import os

import asc2
import torch
import torch_npu


@asc2.jit
def add_one(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [256]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [256], tile_id=[i]) + 1.0, y_gm, tile_id=[i])


device = int(os.environ.get("TILE_FWK_DEVICE_ID", 0))
torch.npu.set_device(device)
x = torch.zeros(1000, device=device)
y = torch.empty_like(x, device=f"npu:{device}")
graph = torch.npu.NPUGraph()
with torch.npu.graph(graph):
    add_one[2](x, y, x.numel())
x.fill_(4)
graph.replay()
assert y.eq(5).all()
weight = torch_npu.npu_format_cast(torch.rand(32, 48, dtype=torch.float16).npu(), 29)
assert torch_npu.get_npu_format(weight) == 29 and torch_npu.get_npu_format(x) == 2
for _ in range(3):
    add_one[2](x, y, x.numel())
torch.npu.synchronize()
times = []
for _ in range(5):
    start, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
    start.record()
    add_one[2](x, y, x.numel())
    end.record()
    torch.npu.synchronize()
    times.append(start.elapsed_time(end))
assert min(times) > 0 and max(times) < 1
print("graphs.py", y.device, y[0].item())
