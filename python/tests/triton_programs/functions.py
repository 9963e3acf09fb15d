"""Programs about control flow, functions that kernels call, and choosing constants."""

import torch

from triton_programs.common import close, program, tl, triton

@triton.jit
def while_k(x_ptr, o_ptr, n):
    i = 0
    s = 0.0
    while i < n:
        s += tl.load(x_ptr + i)
        i += 1
    tl.store(o_ptr, s)
@program
def whiles():
    x = torch.randn(20); o = torch.zeros(1); while_k[(1,)](x, o, 20); close(o, x.sum().reshape(1))

@triton.jit
def early_k(x_ptr, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid * B >= n:
        return
    r = pid * B + tl.arange(0, B)
    tl.store(x_ptr + r, pid, mask=r < n)
@program
def early():
    x = torch.zeros(100, dtype=torch.int32); early_k[(9,)](x, 100, B=32)
    assert torch.equal(x, torch.arange(100, dtype=torch.int32) // 32)

@triton.jit
def two(x): 
    return x + 1, x * 2
@triton.jit
def multi_k(x_ptr, o_ptr, B: tl.constexpr):
    r = tl.arange(0, B)
    a, b = two(tl.load(x_ptr + r))
    if tl.program_id(0) == 0:
        c = a
    else:
        c = b
    tl.store(o_ptr + tl.program_id(0) * B + r, c)
@program
def multi():
    x = torch.randn(16); o = torch.zeros(32); multi_k[(2,)](x, o, 16); close(o, torch.cat([x + 1, x * 2]))

@triton.jit
def tuned_k(x_ptr, y_ptr, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y_ptr + r, tl.load(x_ptr + r, mask=r < n) * 2, mask=r < n)
@program
def tuned():
    k = triton.autotune([triton.Config({"B": b}, num_warps=4) for b in (64, 1024)], key=["n"])(tuned_k)
    x = torch.randn(5000); y = torch.zeros(5000)
    k[lambda m: (triton.cdiv(5000, m["B"]),)](x, y, 5000); close(y, 2 * x)
    assert k.best_config.kwargs["B"] == 1024, k.configs_timings

@triton.heuristics({"EVEN": lambda a: a["n"] % a["B"] == 0})
@triton.jit
def heur_k(x_ptr, n, B: tl.constexpr, EVEN: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    if EVEN:
        x = tl.load(x_ptr + o)
    else:
        x = tl.load(x_ptr + o, mask=o < n, other=0.)
    tl.store(x_ptr + o, x + 1, mask=o < n)
@program
def heur():
    for n in (64, 70):
        x = torch.zeros(n); heur_k[(triton.cdiv(n, 32),)](x, n, B=32); assert (x == 1).all()

@triton.jit
def masked_part(x, rows: tl.constexpr, n: tl.constexpr, narrow: tl.constexpr):
    return tl.where(rows < n, x.to(tl.float16) if narrow else x, 0)
@triton.jit
def tiles_for_constants_k(x_ptr, o_ptr, N: tl.constexpr):
    i = tl.arange(0, N); x = tl.load(x_ptr + i)
    tl.store(o_ptr + i, masked_part(x, i, N // 2, x_ptr.dtype.element_ty == tl.float8e5 or x.dtype.is_fp64()))
@program
def tiles_for_constants():
    x = torch.randn(32); o = torch.ones(32); tiles_for_constants_k[(1,)](x, o, 32)
    assert torch.equal(o[:16], x[:16]) and not o[16:].any()
