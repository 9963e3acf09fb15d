"""A model, its optimiser, mixed precision and checkpoints."""

import io

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch_npu  # noqa: F401

device = torch.device("npu:0")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
x, target = torch.randn(64, 16, device=device), torch.randint(0, 4, (64,), device=device)
losses = []
for step in range(12):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type="npu", dtype=torch.float16, enabled=step % 2 == 0):
        loss = F.cross_entropy(model(x).float(), target)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    losses.append(loss.item())
assert losses[-1] < losses[0], losses
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
file.seek(0)
saved = torch.load(file, map_location="cpu", weights_only=True)
again = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4)).npu()
again.load_state_dict(saved["model"])
with torch.no_grad():
    assert torch.equal(again(x), model.eval()(x)) and next(again.parameters()).device.type == "npu"
print("training.py", next(model.parameters()).device, model(x).argmax(-1).shape)
