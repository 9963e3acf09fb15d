"""An operator of one's own, gradients through it, and torch.compile."""

import asc2
import torch
import torch_npu  # noqa: F401


@asc2.jit
def square_kernel(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        x = asc2.load(x_gm, [512], tile_id=[i])
        asc2.store(x * x, y_gm, tile_id=[i])


@torch.library.custom_op("chip::square", mutates_args=(), device_types="npu")
def square(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    square_kernel[4](x, y, x.numel())
    return y


@square.register_fake
def _(x):
    return torch.empty_like(x)


square.register_autograd(lambda ctx, grad: 2 * ctx.x * grad, setup_context=lambda ctx, inputs, output: setattr(ctx, "x", inputs[0]))

x = torch.linspace(-3, 3, 1000).npu().requires_grad_()
torch.ops.chip.square(x).sum().backward()
assert torch.allclose(x.grad.cpu(), 2 * x.detach().cpu())


@torch.compile(backend="eager")
def norm(v):
    return torch.ops.chip.square(v).sum().sqrt()


assert torch.allclose(norm(x).cpu(), x.detach().cpu().norm())
print("operators.py", x.grad.device)
