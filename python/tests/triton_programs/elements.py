"""Programs that compute element by element: functions, types, random numbers."""

import math

import numpy as np
import torch

from triton_programs.common import close, program, tl, triton
from triton.language.extra.cann import libdevice

F = torch.nn.functional

@triton.jit
def gelu_k(x_ptr, y_ptr, n, B: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * B + tl.arange(0, B)
    m = offs < n
    x = tl.load(x_ptr + offs, mask=m, other=0.0)
    y = 0.5 * x * (1 + libdevice.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
    tl.store(y_ptr + offs, y, mask=m)
@program
def gelu():
    x = torch.randn(5000); y = torch.empty_like(x)
    gelu_k[(triton.cdiv(5000, 512),)](x, y, 5000, B=512)
    close(y, torch.nn.functional.gelu(x, approximate="tanh"))

@triton.jit
def rand_k(o_ptr, seed, B: tl.constexpr):
    r = tl.arange(0, B)
    tl.store(o_ptr + r, tl.rand(seed, r))
@program
def rands():
    o = torch.zeros(8); rand_k[(1,)](o, 42, 8)
    def philox(seed, c):
        M = 0xffffffff; c0, c1, c2, c3 = c, 0, 0, 0; k0, k1 = seed & M, seed >> 32
        for _ in range(10):
            b, a = c0, c2
            c0 = ((a * 0xCD9E8D57) >> 32) ^ c1 ^ k0; c2 = ((b * 0xD2511F53) >> 32) ^ c3 ^ k1
            c1 = (a * 0xCD9E8D57) & M; c3 = (b * 0xD2511F53) & M
            k0 = (k0 + 0x9E3779B9) & M; k1 = (k1 + 0xBB67AE85) & M
        return c0
    e = []
    for c in range(8):
        v = philox(42, c); v = v - 2**32 if v >= 2**31 else v
        v = -v - 1 if v < 0 else v
        e.append(np.float32(v) * np.float32(4.6566127342e-10))
    assert o.tolist() == [float(x) for x in e], (o, e)

@triton.jit
def add_kernel(x_ptr, y_ptr, output_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    block_start = pid * BLOCK_SIZE
    offsets = block_start + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    output = x + y
    tl.store(output_ptr + offsets, output, mask=mask)
@program
def addition():
    x = torch.rand(9843); y = torch.rand(9843); z = torch.empty(9843)
    add_kernel[lambda meta: (triton.cdiv(9843, meta["BLOCK_SIZE"]),)](x, y, z, 9843, BLOCK_SIZE=1024)
    assert torch.equal(z, x + y)

@triton.jit
def swiglu_k(a_ptr, b_ptr, c_ptr, stride, n_cols: tl.constexpr, B: tl.constexpr):
    program_id = tl.program_id(0).to(tl.int64)
    a_ptr += program_id * stride; b_ptr += program_id * stride; c_ptr += program_id * stride
    col = tl.arange(0, B); mask = col < n_cols
    a = tl.load(a_ptr + col, mask=mask, other=0).to(tl.float32)
    b = tl.load(b_ptr + col, mask=mask, other=0)
    c = (a * tl.sigmoid(a)).cast(b.dtype) * b
    tl.store(c_ptr + col, c, mask=mask)
@program
def swiglu():
    a = torch.randn(9, 100, dtype=torch.float16); b = torch.randn_like(a); c = torch.zeros_like(a)
    swiglu_k[(9,)](a, b, c, a.stride(-2), n_cols=100, B=128, num_warps=4); close(c, F.silu(a.float()) * b.float(), 5e-3)

@triton.jit
def drop_k(x_ptr, y_ptr, n, p, seed, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B); m = o < n
    x = tl.load(x_ptr + o, mask=m); r = tl.rand(seed, o); keep = r > p
    tl.store(y_ptr + o, tl.where(keep, x / (1 - p), 0.0), mask=m)
@program
def drop():
    x = torch.ones(1000); y = torch.zeros(1000); drop_k[(4,)](x, y, 1000, 0.25, 123, B=256)
    assert 0.6 < (y > 0).float().mean() < 0.9 and set(y.unique().tolist()) <= {0.0, float(torch.tensor(1 / 0.75))}, y.unique()

@triton.jit
def quant(x_ptr, q_ptr, s_ptr, N: tl.constexpr):
    r = tl.program_id(0); n = tl.arange(0, N); x = tl.load(x_ptr + r * N + n)
    s = tl.max(tl.abs(x), 0) / 127.0
    q = libdevice.rint(x / s)
    tl.store(q_ptr + r * N + n, q.to(tl.int8)); tl.store(s_ptr + r, s)
@program
def quants():
    x = torch.randn(5, 64); q = torch.zeros(5, 64, dtype=torch.int8); s = torch.zeros(5); quant[(5,)](x, q, s, 64)
    e = x.abs().max(1, keepdim=True).values / 127; close(s, e[:, 0]); assert ((q - torch.round(x / e)).abs() <= 1).all() and (q != torch.round(x/e)).float().mean() < 0.02

@triton.jit
def bits_k(x_ptr, o_ptr, B: tl.constexpr):
    x = tl.load(x_ptr + tl.program_id(0) * B + tl.arange(0, B))
    tl.atomic_or(o_ptr + tl.arange(0, B), x)
    tl.atomic_xor(o_ptr + B + tl.arange(0, B), x)
    tl.atomic_and(o_ptr + 2 * B, tl.sum(x))
@program
def bits():
    x = torch.randint(0, 1 << 20, (5, 24), dtype=torch.int32); o = torch.zeros(49, dtype=torch.int32); o[48] = -1
    bits_k[(5,)](x, o, 24)
    e = np.concatenate([np.bitwise_or.reduce(x.numpy()), np.bitwise_xor.reduce(x.numpy()), [np.bitwise_and.reduce(x.sum(1).numpy())]])
    assert o.tolist() == e.tolist()

@triton.jit
def shifts_k(x_ptr, s_ptr, l_ptr, r_ptr, h_ptr, B: tl.constexpr):
    i = tl.arange(0, B); x = tl.load(x_ptr + i); s = tl.load(s_ptr + i)
    tl.store(l_ptr + i, x << s); tl.store(r_ptr + i, x >> s)
    tl.store(h_ptr + tl.arange(0, 8), tl.histogram(s, 8, mask=i < 30))
    tl.store(h_ptr + 8, tl.reduce_or(s, 0))
@program
def shifts():
    for dt in (torch.int32, torch.int16):
        x = torch.randint(-200, 200, (40,), dtype=dt); s = torch.randint(0, 8, (40,), dtype=dt); h = torch.zeros(9, dtype=torch.int32)
        left = torch.zeros_like(x); right = torch.zeros_like(x); shifts_k[(1,)](x, s, left, right, h, 40)
        assert torch.equal(left, x << s) and torch.equal(right, x >> s)
        assert h[:8].tolist() == torch.bincount(s[:30].int(), minlength=8).tolist() and h[8].item() == np.bitwise_or.reduce(s.numpy())

@triton.jit
def angles_k(x_ptr, y_ptr, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B); x = tl.load(x_ptr + i); y = tl.load(y_ptr + i)
    tl.store(o_ptr + i, libdevice.atan(y)); tl.store(o_ptr + B + i, libdevice.atan2(y, x)); tl.store(o_ptr + 2 * B + i, libdevice.asin(x))
    tl.store(o_ptr + 3 * B + i, libdevice.acos(x)); tl.store(o_ptr + 4 * B + i, libdevice.asinh(y)); tl.store(o_ptr + 5 * B + i, libdevice.acosh(1 + tl.abs(y)))
    tl.store(o_ptr + 6 * B + i, libdevice.atanh(x)); tl.store(o_ptr + 7 * B + i, libdevice.erfinv(x)); tl.store(o_ptr + 8 * B + i, libdevice.cyl_bessel_i0(y))
    tl.store(o_ptr + 9 * B + i, libdevice.hypot(x, y)); tl.store(o_ptr + 10 * B + i, libdevice.round(y)); tl.store(o_ptr + 11 * B + i, libdevice.copysign(y, x))
    tl.store(o_ptr + 12 * B + i, libdevice.ldexp(y, 5)); tl.store(o_ptr + 13 * B + i, libdevice.ilogb(y)); tl.store(o_ptr + 14 * B + i, libdevice.signbit(y))
    tl.store(o_ptr + 15 * B + i, libdevice.div_rz(x, y)); tl.store(o_ptr + 16 * B + i, libdevice.fmod(y, x))
@program
def angles():
    x = torch.rand(64) * 1.98 - 0.99; y = torch.randn(64) * 6; y[:3] = torch.tensor([0.5, -2.5, 3.5]); o = torch.zeros(17, 64)
    angles_k[(1,)](x, y, o, 64)
    q = x.double() / y.double(); r = q.float(); beyond = r.double().abs() > q.abs(); towards = torch.where(beyond, torch.nextafter(r, torch.zeros(64)), r)
    close(o, torch.stack([y.atan(), torch.atan2(y, x), x.asin(), x.acos(), y.asinh(), (1 + y.abs()).acosh(), x.atanh(), x.erfinv(), y.i0(), torch.hypot(x, y),
                          y.sign() * (y.abs() + 0.5).floor(), torch.copysign(y, x), y * 32, y.abs().log2().floor(), torch.signbit(y).float(), towards, torch.fmod(y, x)]), 1e-4)
    assert torch.equal(o[15], towards)

@triton.jit
def casts_k(x_ptr, s_ptr, f_ptr, h_ptr, B: tl.constexpr):
    i = tl.arange(0, B); x = tl.load(x_ptr + i); f = tl.load(f_ptr + i)
    tl.store(s_ptr + i, tl.cast(x, tl.int8, overflow_mode="saturate")); tl.store(s_ptr + B + i, tl.cast(f * 100, tl.int8, overflow_mode="saturate"))
    tl.store(h_ptr + i, f.to(tl.float16, fp_downcast_rounding="rtz")); tl.store(h_ptr + B, tl.max(f, 0, propagate_nan=True))
@program
def casts():
    x = torch.randint(-300, 300, (32,), dtype=torch.int32); f = torch.randn(32) * 3; f[0] = 1e6; s = torch.zeros(64, dtype=torch.int8); h = torch.zeros(33, dtype=torch.float16)
    casts_k[(1,)](x, s, f, h, 32)
    near = f.half(); zero = torch.zeros(32, dtype=torch.float16)
    assert s.tolist() == torch.cat([x, (f * 100).clamp(-1000, 1000).int()]).clamp(-128, 127).tolist()
    assert torch.equal(h[:32], torch.where(near.float().abs() > f.abs(), torch.nextafter(near, zero), near))

@triton.jit
def gammas_k(x_ptr, y_ptr, l_ptr, g_ptr, n_ptr, n: tl.constexpr):
    i = tl.arange(0, n); x = tl.load(x_ptr + i)
    tl.store(l_ptr + i, libdevice.lgamma(x))
    tl.store(g_ptr + i, libdevice.gamma(x))
    tl.store(n_ptr + i, libdevice.nextafter(x, tl.load(y_ptr + i)))
@program
def gammas():
    x = torch.cat([torch.linspace(-3.4, 8.3, 50), torch.tensor([0.0, 1e-40, -1e-40, 3.0])]); y = torch.randn(54)
    l, g, n = torch.zeros(54), torch.zeros(54), torch.zeros(54)
    gammas_k[1,](x, y, l, g, n, 54)
    e = torch.lgamma(x.double())
    close(l[:50], e[:50]); close(g[:50], torch.from_numpy(np.vectorize(math.gamma)(x[:50].double().numpy())))
    assert torch.equal(n, torch.nextafter(x, y))
