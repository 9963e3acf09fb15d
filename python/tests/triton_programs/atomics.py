"""Programs that update memory others update, too."""

import random

import torch

from triton_programs.common import LONG, close, program, tl, triton

@triton.jit
def hist_k(x_ptr, o_ptr, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + r, mask=r < n, other=0)
    tl.atomic_add(o_ptr + x, 1, mask=r < n)
@program
def hist():
    x = torch.randint(0, 10, (100,), dtype=torch.int32); o = torch.zeros(10, dtype=torch.int32)
    hist_k[(4,)](x, o, 100, B=32)
    assert torch.equal(o, torch.bincount(x, minlength=10).int()), o

@triton.jit
def atomsum_k(x_ptr, o_ptr, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + r, mask=r < n, other=0.0)
    tl.atomic_add(o_ptr, tl.sum(x))
@program
def atomsum():
    x = torch.randn(1000); o = torch.zeros(1)
    atomsum_k[(8,)](x, o, 1000, B=128)
    close(o, x.sum().reshape(1))

@triton.jit
def splitk(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K, BK: tl.constexpr):
    pk = tl.program_id(0); rm = tl.arange(0, M); rn = tl.arange(0, N); rk = pk * BK + tl.arange(0, BK)
    a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=rk[None, :] < K, other=0.0); b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=rk[:, None] < K, other=0.0)
    tl.atomic_add(c_ptr + rm[:, None] * N + rn[None, :], tl.dot(a, b))
@program
def splitks():
    a = torch.randn(32, 100, dtype=torch.float16); b = torch.randn(100, 16, dtype=torch.float16); c = torch.zeros(32, 16)
    splitk[(4,)](a, b, c, 32, 16, 100, BK=32); close(c, a.float() @ b.float(), 1e-2)

@triton.jit
def tickets_k(count_ptr, part_ptr, o_ptr, x_ptr, P: tl.constexpr, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(part_ptr + pid, tl.sum(tl.load(x_ptr + pid * B + tl.arange(0, B))))
    if tl.atomic_add(count_ptr, 1) == P - 1:
        tl.store(o_ptr, tl.sum(tl.load(part_ptr + tl.arange(0, P))))
@program
def last_program_adds_up():
    x = torch.randint(-9, 9, (8 * 32,)).float(); n = torch.zeros(1, dtype=torch.int32); part = torch.zeros(8); o = torch.zeros(1)
    tickets_k[(8,)](n, part, o, x, 8, 32)
    assert n.item() == 8 and o.item() == x.sum().item()

@triton.jit
def lock_k(lock_ptr, x_ptr, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B); pid = tl.program_id(0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(o_ptr + i, tl.load(o_ptr + i) * 0.5 + tl.load(x_ptr + pid * B + i))
    tl.atomic_xchg(lock_ptr, 0)
@program
def locks():
    x = torch.randn(6, 40); o = torch.zeros(40); e = torch.zeros(40); lock = torch.zeros(1, dtype=torch.int32)
    lock_k[(6,)](lock, x, o, 40)
    for row in x:
        e = e * 0.5 + row
    close(o, e, 1e-5); assert lock.item() == 0

@triton.jit
def updates_k(p_ptr, i_ptr, v_ptr, e_ptr, o_ptr, n, KIND: tl.constexpr, APART: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(v_ptr + r); m = r < n
    if APART:
        at = p_ptr + tl.arange(0, B)
    else:
        at = p_ptr + tl.load(i_ptr + r)
    if KIND == "add": old = tl.atomic_add(at, v, mask=m)
    elif KIND == "max": old = tl.atomic_max(at, v, mask=m)
    elif KIND == "min": old = tl.atomic_min(at, v, mask=m)
    elif KIND == "and": old = tl.atomic_and(at, v, mask=m)
    elif KIND == "or": old = tl.atomic_or(at, v, mask=m)
    elif KIND == "xor": old = tl.atomic_xor(at, v, mask=m)
    elif KIND == "xchg": old = tl.atomic_xchg(at, v, mask=m)
    else: old = tl.atomic_cas(at, tl.load(e_ptr + r), v)
    tl.store(o_ptr + r, old, mask=m)
def updated(kind, old, v, e):
    return {"add": lambda: old + v, "max": lambda: max(old, v), "min": lambda: min(old, v), "and": lambda: old & v, "or": lambda: old | v,
            "xor": lambda: old ^ v, "xchg": lambda: v, "cas": lambda: v if old == e else old}[kind]()
@program
def old_values_of_atomics():
    B, P = 32, 2
    cases = [(kind, dt) for kind in "add max min and or xor xchg cas".split() for dt in (torch.int32, torch.float32, torch.int64, torch.int8, torch.float16)
             if not (dt.is_floating_point and kind in ("and", "or", "xor"))]
    for number, (kind, dt) in enumerate(cases if LONG else random.sample(cases, 5)):
        apart, n = number % 2 == 0, B * P - (0 if kind == "cas" else 5)
        p = torch.randint(0, 9, (B,)).to(dt); v = torch.randint(0, 9, (B * P,)).to(dt); e = torch.randint(0, 3, (B * P,)).to(dt)
        i = torch.randint(0, 7, (B * P,), dtype=torch.int32); o = torch.full((B * P,), 77).to(dt)
        place = torch.arange(B).repeat(P) if apart else i.long()
        left, found = p.tolist(), [77] * (B * P)
        for j in range(n):
            at = place[j].item(); found[j] = left[at]; left[at] = updated(kind, left[at], v[j].item(), e[j].item())
        updates_k[(P,)](p, i, v, e, o, n, kind, apart, B)
        assert p.tolist() == left and o.tolist() == found, (kind, dt, apart)

@triton.jit
def fused_sum_k(a_ptr, b_ptr, c_ptr, n_ptr, BK: tl.constexpr, K: tl.constexpr):
    pid = tl.program_id(0); r = tl.arange(0, 16); k = pid * BK + tl.arange(0, BK)
    part = tl.dot(tl.load(a_ptr + r[:, None] * K + k[None, :]), tl.load(b_ptr + k[:, None] * 16 + r[None, :]))
    at = c_ptr + r[:, None] * 16 + r[None, :]
    if tl.atomic_add(n_ptr, 1) == 0:
        tl.store(at, part)
    else:
        tl.store(at, tl.load(at) + part)
@program
def first_program_of_a_product_writes():
    a = torch.randn(16, 96, dtype=torch.float16); b = torch.randn(96, 16, dtype=torch.float16); c = torch.full((16, 16), 9.0)
    fused_sum_k[(3,)](a, b, c, torch.zeros(1, dtype=torch.int32), 32, 96); close(c, a.float() @ b.float(), 1e-2)
