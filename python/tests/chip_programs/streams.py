"""Streams and events around launches."""

import asc2
import torch
import torch_npu  # noqa: F401


@asc2.jit
def scale(x_ptr, y_ptr, size, factor: float):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [1024]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [1024], tile_id=[i]) * factor, y_gm, tile_id=[i])


x = torch.rand(100_000).npu()
y, z = torch.empty_like(x), torch.empty_like(x)
begin, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
copying, computing = torch.npu.Stream(), torch.npu.Stream()
computing.wait_stream(torch.npu.current_stream())
begin.record(computing)
with torch.npu.stream(computing):
    for _ in range(3):
        scale[8](x, y, x.numel(), 2.0)
    done = computing.record_event()
end.record(computing)
copying.wait_event(done)
with torch.npu.stream(copying):
    scale[8](y, z, y.numel(), 0.5)
copying.synchronize()
torch.npu.synchronize()
assert end.query() and begin.elapsed_time(end) > 0
assert torch.equal(z.cpu(), x.cpu()) and torch.npu.current_stream() == torch.npu.default_stream()
print("streams.py", z.device, tuple(z.shape))
