"""Programs as people write them in Triton, beside what torch computes: each function launches kernels and compares."""

import os
import random

import numpy as np
import torch

import tilesmith.triton

tilesmith.triton.install(quiet=True)

import triton
import triton.language as tl
from triton.language.extra.cann import libdevice

PROGRAMS = []
LONG = os.environ.get("TILESMITH_LONG") == "1"


def program(function):
    PROGRAMS.append(function)
    return function


def close(a, b, tol=2e-3):
    a, b = a.float(), b.float()
    assert a.shape == b.shape
    bad = ~torch.isclose(a, b, rtol=tol, atol=tol, equal_nan=True)
    assert not bad.any(), f"{bad.sum().item()} differ, such as {a[bad][:4]} for {b[bad][:4]}"

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
def transpose_k(x_ptr, y_ptr, M, N, sxm, sxn, sym, syn, BM: tl.constexpr, BN: tl.constexpr):
    pm, pn = tl.program_id(0), tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM); rn = pn * BN + tl.arange(0, BN)
    x = tl.load(x_ptr + rm[:, None] * sxm + rn[None, :] * sxn, mask=(rm[:, None] < M) & (rn[None, :] < N))
    tl.store(y_ptr + rn[:, None] * sym + rm[None, :] * syn, tl.trans(x), mask=(rn[:, None] < N) & (rm[None, :] < M))
@program
def transpose():
    x = torch.randn(70, 50); y = torch.empty(50, 70)
    transpose_k[(3, 2)](x, y, 70, 50, x.stride(0), x.stride(1), y.stride(0), y.stride(1), BM=32, BN=32)
    close(y, x.T)

@triton.jit
def transpose2_k(x_ptr, y_ptr, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)[:, None]; n = tl.arange(0, N)[None, :]
    x = tl.load(x_ptr + m * N + n)
    tl.store(y_ptr + n * M + m, x)
@program
def transpose2():
    for M, N in ((16, 24), (5, 7), (1, 9), (8, 1)):
        for dt in (torch.float32, torch.float16, torch.int8, torch.int64):
            x = (torch.randn(M, N) * 50).to(dt); y = torch.zeros(N, M, dtype=dt)
            transpose2_k[(1,)](x, y, M, N)
            assert torch.equal(y, x.T), (M, N, dt, x, y)

@triton.jit
def sums_k(x_ptr, y_ptr, z_ptr, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :])
    tl.store(y_ptr + n, tl.sum(x, axis=0))
    tl.store(z_ptr + m, tl.max(x, 1))
    tl.store(z_ptr + M, tl.sum(x))
@program
def sums():
    for M, N in ((8, 16), (5, 7), (3, 100)):
        x = torch.randn(M, N); y = torch.empty(N); z = torch.empty(M + 1)
        sums_k[(1,)](x, y, z, M, N)
        close(y, x.sum(0)); close(z[:M], x.max(1).values); close(z[M:], x.sum().reshape(1))

@triton.jit
def embed_k(ids_ptr, w_ptr, o_ptr, n, D: tl.constexpr, B: tl.constexpr):
    pid = tl.program_id(0)
    r = pid * B + tl.arange(0, B); c = tl.arange(0, D)
    ids = tl.load(ids_ptr + r, mask=r < n, other=0)
    rows = tl.load(w_ptr + ids[:, None] * D + c[None, :], mask=r[:, None] < n, other=0.0)
    tl.store(o_ptr + r[:, None] * D + c[None, :], rows, mask=r[:, None] < n)
@program
def embed():
    for it in (torch.int32, torch.int64):
        for D in (64, 20):
            w = torch.randn(100, D); ids = torch.randint(0, 100, (37,), dtype=it); o = torch.zeros(37, D)
            embed_k[(3,)](ids, w, o, 37, D=D, B=16)
            close(o, w[ids.long()])

@triton.jit
def gather_k(i_ptr, x_ptr, o_ptr, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    i = tl.load(i_ptr + r, mask=r < n, other=0)
    v = tl.load(x_ptr + i, mask=(r < n) & (i >= 0), other=-5.0)
    tl.store(o_ptr + r, v, mask=r < n)
@program
def gather():
    x = torch.randn(300); i = torch.randint(-20, 300, (100,), dtype=torch.int32); o = torch.zeros(100)
    gather_k[(2,)](i, x, o, 100, B=64)
    close(o, torch.where(i >= 0, x[i.clamp(min=0).long()], torch.tensor(-5.0)))

@triton.jit
def scatter_k(i_ptr, x_ptr, o_ptr, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    i = tl.load(i_ptr + r, mask=r < n, other=0)
    v = tl.load(x_ptr + r, mask=r < n)
    tl.store(o_ptr + i, v, mask=r < n)
@program
def scatter():
    x = torch.randn(100); p = torch.randperm(300)[:100]; o = torch.zeros(300)
    scatter_k[(2,)](p.to(torch.int32), x, o, 100, B=64)
    e = torch.zeros(300); e[p] = x; close(o, e)

@triton.jit
def datamask_k(x_ptr, o_ptr, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + r, mask=r < n, other=0.0)
    tl.store(o_ptr + r, x * 2, mask=(r < n) & (x > 0))
@program
def datamask():
    x = torch.randn(100); o = torch.full((100,), 7.0)
    datamask_k[(2,)](x, o, 100, B=64)
    close(o, torch.where(x > 0, x * 2, torch.tensor(7.0)))

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
def blockptr_k(a_ptr, b_ptr, c_ptr, M, N, K, sam, sak, sbk, sbn, scm, scn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0); pn = tl.program_id(1)
    a = tl.make_block_ptr(a_ptr, shape=(M, K), strides=(sam, sak), offsets=(pm * BM, 0), block_shape=(BM, BK), order=(1, 0))
    b = tl.make_block_ptr(b_ptr, shape=(K, N), strides=(sbk, sbn), offsets=(0, pn * BN), block_shape=(BK, BN), order=(1, 0))
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a, boundary_check=(0, 1))
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        acc += tl.dot(x, y)
        a = tl.advance(a, (0, BK)); b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (scm, scn), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(c, acc.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))
@program
def blockptr():
    M, N, K = 100, 70, 90
    a = torch.randn(M, K, dtype=torch.float16); b = torch.randn(K, N, dtype=torch.float16); c = torch.zeros(M, N, dtype=torch.float16)
    blockptr_k[(2, 2)](a, b, c, M, N, K, *a.stride(), *b.stride(), *c.stride(), BM=64, BN=64, BK=32)
    close(c, a.float() @ b.float(), 2e-2)

@triton.jit
def attn_k(Q, K, V, O, sm_scale, sqm, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    pid = tl.program_id(0)
    offs_m = pid * BM + tl.arange(0, BM); offs_d = tl.arange(0, D)
    q = tl.load(Q + offs_m[:, None] * sqm + offs_d[None, :], mask=offs_m[:, None] < N, other=0.0)
    m_i = tl.full([BM], -float("inf"), tl.float32); l_i = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    hi = min((pid + 1) * BM, N) if CAUSAL else N
    for start in range(0, hi, BN):
        offs_n = start + tl.arange(0, BN)
        k = tl.load(K + offs_n[:, None] * sqm + offs_d[None, :], mask=offs_n[:, None] < N, other=0.0)
        s = tl.dot(q, tl.trans(k)) * sm_scale
        s = tl.where(offs_n[None, :] < N, s, -float("inf"))
        if CAUSAL:
            s = tl.where(offs_m[:, None] >= offs_n[None, :], s, -float("inf"))
        m_new = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp(s - m_new[:, None])
        alpha = tl.exp(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(V + offs_n[:, None] * sqm + offs_d[None, :], mask=offs_n[:, None] < N, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_new
    acc = acc / l_i[:, None]
    tl.store(O + offs_m[:, None] * sqm + offs_d[None, :], acc.to(O.dtype.element_ty), mask=offs_m[:, None] < N)
@program
def attention():
    for causal in (False, True):
        N, D = 150, 64
        q, k, v = (torch.randn(N, D, dtype=torch.float16) for _ in range(3)); o = torch.zeros_like(q)
        attn_k[(triton.cdiv(N, 64),)](q, k, v, o, D ** -0.5, D, N, D=D, BM=64, BN=64, CAUSAL=causal)
        s = q.float() @ k.float().T * D ** -0.5
        if causal: s = s.masked_fill(~torch.tril(torch.ones(N, N, dtype=torch.bool)), -float("inf"))
        close(o, torch.softmax(s, -1) @ v.float(), 5e-3)

@triton.jit
def bool_k(x_ptr, y_ptr, o_ptr, n, B: tl.constexpr):
    r = tl.arange(0, B); m = r < n
    x = tl.load(x_ptr + r, mask=m); y = tl.load(y_ptr + r, mask=m)
    tl.store(o_ptr + r, x & ~y, mask=m)
@program
def bools():
    x = torch.rand(50) > .5; y = torch.rand(50) > .5; o = torch.zeros(50, dtype=torch.bool)
    bool_k[(1,)](x, y, o, 50, B=64); assert torch.equal(o, x & ~y)

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
def argmax_k(x_ptr, v_ptr, i_ptr, N: tl.constexpr):
    row = tl.program_id(0); r = tl.arange(0, N)
    v, i = tl.max(tl.load(x_ptr + row * N + r), axis=0, return_indices=True)
    tl.store(v_ptr + row, v); tl.store(i_ptr + row, i)
@program
def argmaxs():
    x = torch.randn(9, 64); v = torch.zeros(9); i = torch.zeros(9, dtype=torch.int32)
    argmax_k[(9,)](x, v, i, 64); close(v, x.max(1).values); assert torch.equal(i.long(), x.argmax(1))

@triton.jit
def cumsum_k(x_ptr, o_ptr, M: tl.constexpr, N: tl.constexpr, REV: tl.constexpr):
    o = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o_ptr + o, tl.cumsum(tl.load(x_ptr + o), 1, reverse=REV))
@program
def cumsums():
    x = torch.randn(4, 32); o = torch.zeros(4, 32); cumsum_k[(1,)](x, o, 4, 32, False); close(o, x.cumsum(1))
    cumsum_k[(1,)](x, o, 4, 32, True); close(o, x.flip(1).cumsum(1).flip(1))

@triton.jit
def rope_k(x_ptr, cos_ptr, sin_ptr, o_ptr, D: tl.constexpr):
    row = tl.program_id(0); h = tl.arange(0, D // 2)
    a = tl.load(x_ptr + row * D + h); b = tl.load(x_ptr + row * D + D // 2 + h)
    c = tl.load(cos_ptr + row * (D // 2) + h); s = tl.load(sin_ptr + row * (D // 2) + h)
    tl.store(o_ptr + row * D + h, a * c - b * s); tl.store(o_ptr + row * D + D // 2 + h, b * c + a * s)
@program
def rope():
    x = torch.randn(6, 32); c = torch.randn(6, 16); s = torch.randn(6, 16); o = torch.zeros(6, 32)
    rope_k[(6,)](x, c, s, o, 32); a, b = x[:, :16], x[:, 16:]
    close(o, torch.cat([a * c - b * s, b * c + a * s], 1))

@triton.jit
def strided_k(x_ptr, o_ptr, s0, s1, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)[:, None]; n = tl.arange(0, N)[None, :]
    tl.store(o_ptr + m * N + n, tl.load(x_ptr + m * s0 + n * s1))
@program
def strided():
    x = torch.randn(40, 60); o = torch.zeros(8, 16)
    for v in (x[2:10, 3:19], x.T[1:9, 4:20], x[::4, ::3][:8, :16], x[3:11, :1].expand(8, 16)):
        strided_k[(1,)](v, o, v.stride(0), v.stride(1), 8, 16); close(o, v)

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

@triton.jit
def int8_k(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N); k = tl.arange(0, K)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :]); b = tl.load(b_ptr + k[:, None] * N + n[None, :])
    tl.store(c_ptr + m[:, None] * N + n[None, :], tl.dot(a, b))
@program
def int8s():
    a = torch.randint(-100, 100, (32, 64), dtype=torch.int8); b = torch.randint(-100, 100, (64, 32), dtype=torch.int8); c = torch.zeros(32, 32, dtype=torch.int32)
    int8_k[(1,)](a, b, c, 32, 32, 64); assert torch.equal(c, a.int() @ b.int())
@program
def smalldots():
    for M, N, K in ((16, 16, 16), (1, 8, 4), (5, 7, 9), (16, 32, 8)):
        for dt in (torch.float16, torch.float32, torch.bfloat16):
            a = torch.randn(M, K, dtype=dt); b = torch.randn(K, N, dtype=dt); c = torch.zeros(M, N)
            int8_k[(1,)](a, b, c, M, N, K); close(c, a.float() @ b.float(), 5e-3)

@triton.jit
def bdot_k(a_ptr, b_ptr, c_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    z = tl.arange(0, B)[:, None, None]; m = tl.arange(0, M); n = tl.arange(0, N); k = tl.arange(0, K)
    a = tl.load(a_ptr + z * M * K + m[None, :, None] * K + k[None, None, :]); b = tl.load(b_ptr + z * K * N + k[None, :, None] * N + n[None, None, :])
    tl.store(c_ptr + z * M * N + m[None, :, None] * N + n[None, None, :], tl.dot(a, b))
@program
def bdots():
    a = torch.randn(3, 16, 32, dtype=torch.float16); b = torch.randn(3, 32, 16, dtype=torch.float16); c = torch.zeros(3, 16, 16)
    bdot_k[(1,)](a, b, c, 3, 16, 16, 32); close(c, a.float() @ b.float(), 5e-3)


@triton.jit
def leaky(x):
    return tl.where(x >= 0, x, 0.01 * x)

@triton.jit
def softmax_kernel(output_ptr, input_ptr, input_row_stride, output_row_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr):
    row_start = tl.program_id(0)
    row_step = tl.num_programs(0)
    for row_idx in tl.range(row_start, n_rows, row_step, num_stages=2):
        row_start_ptr = input_ptr + row_idx * input_row_stride
        col_offsets = tl.arange(0, BLOCK_SIZE)
        input_ptrs = row_start_ptr + col_offsets
        mask = col_offsets < n_cols
        row = tl.load(input_ptrs, mask=mask, other=-float('inf'))
        row_minus_max = row - tl.max(row, axis=0)
        numerator = tl.exp(row_minus_max)
        denominator = tl.sum(numerator, axis=0)
        softmax_output = numerator / denominator
        output_row_start_ptr = output_ptr + row_idx * output_row_stride
        tl.store(output_row_start_ptr + col_offsets, softmax_output, mask=mask)


@program
def softmax():
    x = torch.randn(53, 181); y = torch.empty_like(x)
    softmax_kernel[(20,)](y, x, x.stride(0), y.stride(0), 53, 181, BLOCK_SIZE=256)
    close(y, torch.softmax(x, 1), 1e-6)

@triton.jit
def layer_norm(X, Y, W, B, Mean, Rstd, stride, N, eps, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    Y += row * stride
    X += row * stride
    mean = 0
    _mean = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        a = tl.load(X + cols, mask=cols < N, other=0.).to(tl.float32)
        _mean += a
    mean = tl.sum(_mean, axis=0) / N
    _var = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        x = tl.load(X + cols, mask=cols < N, other=0.).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.)
        _var += x * x
    var = tl.sum(_var, axis=0) / N
    rstd = 1 / tl.sqrt(var + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        mask = cols < N
        w = tl.load(W + cols, mask=mask)
        b = tl.load(B + cols, mask=mask)
        x = tl.load(X + cols, mask=mask, other=0.).to(tl.float32)
        x_hat = (x - mean) * rstd
        y = x_hat * w + b
        tl.store(Y + cols, y, mask=mask)


@program
def layer_norms():
    x = torch.randn(21, 300, dtype=torch.float16); w = torch.rand(300, dtype=torch.float16); b = torch.rand(300, dtype=torch.float16)
    y = torch.empty_like(x); mean = torch.empty(21); rstd = torch.empty(21)
    layer_norm[(21,)](x, y, w, b, mean, rstd, x.stride(0), 300, 1e-5, BLOCK_SIZE=128, num_warps=8)
    close(y, torch.nn.functional.layer_norm(x.float(), (300,), w.float(), b.float()), 5e-3)
    close(mean, x.float().mean(1), 1e-5)

@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, ACT: tl.constexpr):
    pid = tl.program_id(axis=0)
    num_pid_m = tl.cdiv(M, BM)
    num_pid_n = tl.cdiv(N, BN)
    num_pid_in_group = GROUP * num_pid_n
    group_id = pid // num_pid_in_group
    first_pid_m = group_id * GROUP
    group_size_m = min(num_pid_m - first_pid_m, GROUP)
    pid_m = first_pid_m + ((pid % num_pid_in_group) % group_size_m)
    pid_n = (pid % num_pid_in_group) // group_size_m
    offs_am = (pid_m * BM + tl.arange(0, BM)) % M
    offs_bn = (pid_n * BN + tl.arange(0, BN)) % N
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    if ACT == "leaky_relu":
        acc = leaky(acc)
    c = acc.to(tl.float16)
    offs_cm = pid_m * BM + tl.arange(0, BM)
    offs_cn = pid_n * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    c_mask = (offs_cm[:, None] < M) & (offs_cn[None, :] < N)
    tl.store(c_ptrs, c, mask=c_mask)


@program
def matmuls():
    for act in ("", "leaky_relu"):
        M, N, K = 100, 70, 50
        a = torch.randn(M, K, dtype=torch.float16); b = torch.randn(K, N, dtype=torch.float16); c = torch.empty(M, N, dtype=torch.float16)
        grid = lambda META: (triton.cdiv(M, META["BM"]) * triton.cdiv(N, META["BN"]),)
        matmul_kernel[grid](a, b, c, M, N, K, *a.stride(), *b.stride(), *c.stride(), BM=64, BN=32, BK=32, GROUP=8, ACT=act)
        ref = a.float() @ b.float()
        close(c, torch.where(ref >= 0, ref, 0.01 * ref) if act else ref, 1e-2)

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


F = torch.nn.functional

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
def rms_k(x_ptr, w_ptr, y_ptr, n_rows, n_cols, eps, ROWS: tl.constexpr, B: tl.constexpr):
    pid = tl.program_id(0)
    rows = pid * ROWS + tl.arange(0, ROWS); cols = tl.arange(0, B)
    mask = (rows[:, None] < n_rows) & (cols[None, :] < n_cols)
    x = tl.load(x_ptr + rows[:, None] * n_cols + cols[None, :], mask=mask, other=0.0).to(tl.float32)
    var = tl.sum(x * x, axis=1) / n_cols
    rstd = tl.rsqrt(var + eps)
    w = tl.load(w_ptr + cols, mask=cols < n_cols, other=0.0)
    y = x * rstd[:, None] * w[None, :]
    tl.store(y_ptr + rows[:, None] * n_cols + cols[None, :], y.to(y_ptr.dtype.element_ty), mask=mask)
@program
def rms():
    x = torch.randn(13, 100, dtype=torch.float16); w = torch.randn(100, dtype=torch.float16); y = torch.zeros_like(x)
    rms_k[(4,)](x, w, y, 13, 100, 1e-6, ROWS=4, B=128)
    xf = x.float(); close(y, xf * torch.rsqrt(xf.pow(2).mean(1, keepdim=True) + 1e-6) * w.float(), 5e-3)

@triton.jit
def ce_k(logits_ptr, labels_ptr, loss_ptr, n_cols, B: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels_ptr + row)
    m = -float("inf"); d = 0.0
    for i in range(0, n_cols, B):
        offs = i + tl.arange(0, B)
        x = tl.load(logits_ptr + row * n_cols + offs, mask=offs < n_cols, other=-float("inf"))
        bm = tl.max(x)
        mn = tl.maximum(m, bm)
        d = d * tl.exp(m - mn) + tl.sum(tl.exp(x - mn))
        m = mn
    xl = tl.load(logits_ptr + row * n_cols + label)
    if label == -100:
        tl.store(loss_ptr + row, 0.0)
    else:
        tl.store(loss_ptr + row, tl.log(d) + m - xl)
@program
def ce():
    x = torch.randn(6, 300); l = torch.randint(0, 300, (6,)); o = torch.zeros(6)
    ce_k[(6,)](x, l, o, 300, B=128); close(o, F.cross_entropy(x, l, reduction="none"))

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
def addc(a, b): return a + b
@triton.jit
def maxc(a, b): return tl.maximum(a, b)
@triton.jit
def red_k(x_ptr, o_ptr, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :])
    tl.store(o_ptr + m, tl.reduce(x, 1, addc)); tl.store(o_ptr + M + m, tl.reduce(x, 1, maxc))
    tl.store(o_ptr + 2 * M + m, tl.max(x, axis=1) - tl.min(x, axis=1))
@program
def red():
    x = torch.randn(8, 24); o = torch.zeros(24); red_k[(1,)](x, o, 8, 24)
    close(o, torch.cat([x.sum(1), x.max(1).values, x.max(1).values - x.min(1).values]))

@triton.jit
def scan_k(x_ptr, o_ptr, N: tl.constexpr):
    n = tl.arange(0, N)
    tl.store(o_ptr + n, tl.associative_scan(tl.load(x_ptr + n), 0, maxc))
@program
def scan():
    x = torch.randn(40); o = torch.zeros(40); scan_k[(1,)](x, o, 40); close(o, x.cummax(0).values)

@triton.jit
def welford(m1, v1, c1, m2, v2, c2):
    d = m2 - m1; c = c1 + c2; r = tl.where(c == 0.0, 0.0, c2 / c)
    return m1 + d * r, v1 + v2 + d * d * c1 * r, c
@triton.jit
def welf_k(x_ptr, o_ptr, N: tl.constexpr):
    n = tl.arange(0, N); x = tl.load(x_ptr + n)
    m, v, c = tl.reduce((x, tl.zeros([N], tl.float32), tl.full([N], 1.0, tl.float32)), 0, welford)
    tl.store(o_ptr, m); tl.store(o_ptr + 1, v / c)
@program
def welf():
    x = torch.randn(64); o = torch.zeros(2); welf_k[(1,)](x, o, 64); close(o, torch.stack([x.mean(), x.var(unbiased=False)]))

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
def bmm_k(a_ptr, b_ptr, c_ptr, M, N, K, sab, sam, sak, sbb, sbk, sbn, scb, scm, scn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pb = tl.program_id(2); pm = tl.program_id(0); pn = tl.program_id(1)
    a_ptr += pb * sab; b_ptr += pb * sbb
    rm = pm * BM + tl.arange(0, BM); rn = pn * BN + tl.arange(0, BN); rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        a = tl.load(a_ptr + rm[:, None] * sam + (k + rk)[None, :] * sak, mask=(rm[:, None] < M) & ((k + rk)[None, :] < K), other=0.0)
        b = tl.load(b_ptr + (k + rk)[:, None] * sbk + rn[None, :] * sbn, mask=((k + rk)[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, allow_tf32=False)
    c = c_ptr + pb * scb + rm[:, None] * scm + rn[None, :] * scn
    tl.store(c, acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
@program
def bmm():
    for dt in (torch.float16, torch.float32):
        a = torch.randn(3, 40, 50, dtype=dt); b = torch.randn(3, 50, 30, dtype=dt); c = torch.zeros(3, 40, 30)
        bmm_k[(2, 1, 3)](a, b, c, 40, 30, 50, *a.stride(), *b.stride(), *c.stride(), BM=32, BN=32, BK=16); close(c, a.float() @ b.float(), 1e-2)
        bt = torch.randn(3, 30, 50, dtype=dt).transpose(1, 2)
        bmm_k[(2, 1, 3)](a, bt, c, 40, 30, 50, *a.stride(), *bt.stride(), *c.stride(), BM=32, BN=32, BK=16); close(c, a.float() @ bt.float(), 1e-2)

@triton.jit
def bias_gelu_mm(a_ptr, b_ptr, bias_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0); pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM); rn = pn * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        rk = k * BK + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc=acc)
    bias = tl.load(bias_ptr + rn, mask=rn < N, other=0.0)
    x = acc + bias[None, :]
    x = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], x.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))
@program
def biasgelu():
    a = torch.randn(60, 90, dtype=torch.float16) / 5; b = torch.randn(90, 70, dtype=torch.float16); bi = torch.randn(70); c = torch.zeros(60, 70, dtype=torch.float16)
    bias_gelu_mm[(2, 2)](a, b, bi, c, 60, 70, 90, BM=32, BN=64, BK=32); close(c, F.gelu(a.float() @ b.float() + bi), 5e-3)

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
def conv1d(x_ptr, w_ptr, y_ptr, L, KW: tl.constexpr, B: tl.constexpr):
    c = tl.program_id(0); o = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros([B], tl.float32)
    for k in tl.static_range(KW):
        i = o - (KW - 1) + k
        acc += tl.load(x_ptr + c * L + i, mask=(i >= 0) & (i < L), other=0.0) * tl.load(w_ptr + c * KW + k)
    tl.store(y_ptr + c * L + o, acc, mask=o < L)
@program
def conv():
    x = torch.randn(3, 50); w = torch.randn(3, 4); y = torch.zeros(3, 50); conv1d[(3, 2)](x, w, y, 50, KW=4, B=32)
    close(y, F.conv1d(F.pad(x[None], (3, 0)), w[:, None], groups=3)[0])

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
def pool(x_ptr, y_ptr, H, W, OH, OW, B: tl.constexpr):
    pid = tl.program_id(0); o = pid * B + tl.arange(0, B)
    oh = o // OW; ow = o % OW
    m = o < OH * OW
    best = tl.full([B], -float("inf"), tl.float32)
    for i in range(2):
        for j in range(2):
            v = tl.load(x_ptr + (oh * 2 + i) * W + ow * 2 + j, mask=m, other=-float("inf"))
            best = tl.maximum(best, v)
    tl.store(y_ptr + o, best, mask=m)
@program
def pools():
    x = torch.randn(10, 12); y = torch.zeros(5, 6); pool[(1,)](x, y, 10, 12, 5, 6, B=32); close(y, F.max_pool2d(x[None, None], 2)[0, 0])

@triton.jit
def desc_k(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    x = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [BM, BN]); y = tl.make_tensor_descriptor(y_ptr, [M, N], [N, 1], [BM, BN])
    i = tl.program_id(0) * BM; j = tl.program_id(1) * BN
    y.store([i, j], x.load([i, j]) * 2)
@program
def descs():
    x = torch.randn(20, 36); y = torch.zeros(20, 36); desc_k[(2, 2)](x, y, 20, 36, 16, 32); close(y, 2 * x)


@triton.jit
def sort_k(x_ptr, o_ptr, N: tl.constexpr):
    n = tl.arange(0, N); tl.store(o_ptr + n, tl.sort(tl.load(x_ptr + n)))
@program
def sorts():
    x = torch.randn(64); o = torch.zeros(64); sort_k[(1,)](x, o, 64); close(o, x.sort().values)


@triton.jit
def joins_k(x_ptr, y_ptr, o_ptr, N: tl.constexpr):
    n = tl.arange(0, N); a = tl.load(x_ptr + n); b = tl.load(y_ptr + n)
    tl.store(o_ptr + tl.arange(0, 2 * N), tl.interleave(a, b))
@program
def joins():
    x = torch.randn(16); y = torch.randn(16); o = torch.zeros(32); joins_k[(1,)](x, y, o, 16); close(o, torch.stack([x, y], 1).reshape(-1))

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

@triton.jit
def slices_k(x_ptr, o_ptr, e_ptr, k, B: tl.constexpr):
    i = tl.arange(0, B); j = tl.arange(0, 4)
    x = tl.load(x_ptr + i[:, None] * B + i[None, :])
    part = tl.extract_slice(x, (k, 1), (4, 4), (1, 3))
    x = tl.insert_slice(x, part * 10, offsets=(1, k), sizes=(4, 4), strides=(3, 2))
    tl.store(o_ptr + i[:, None] * B + i[None, :], x)
    tl.store(e_ptr, tl.get_element(x, (k, 2)))
    tl.store(e_ptr + 1 + j, tl.topk(tl.load(x_ptr + i), 4))
@program
def slices():
    for dt in (torch.float32, torch.float16):
        x = torch.randn(16, 16).to(dt); o = torch.zeros(16, 16, dtype=dt); e = torch.zeros(5, dtype=dt); slices_k[(1,)](x, o, e, 3, 16)
        y = x.clone(); y[1:11:3, 3:10:2] = x[3:7, 1:11:3] * 10
        assert torch.equal(o, y) and e[0] == y[3, 2] and torch.equal(e[1:], x[0].topk(4).values)

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
def bytes_k(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)[:, None]; n = tl.arange(0, N)[None, :]; k = tl.arange(0, K)
    tl.store(c_ptr + m * N + n, tl.dot(tl.load(a_ptr + m * K + k[None, :]), tl.load(b_ptr + k[:, None] * N + n), out_dtype=tl.int32))
@program
def products_of_bytes():
    for M, N, K in ((16, 16, 16), (16, 40, 32), (32, 64, 16)):
        a = torch.randint(-9, 9, (M, K), dtype=torch.int8); b = torch.randint(-9, 9, (K, N), dtype=torch.int8); c = torch.zeros(M, N, dtype=torch.int32)
        bytes_k[(1,)](a, b, c, M, N, K); assert torch.equal(c, a.int() @ b.int())

@triton.jit
def order_k(x_ptr, y_ptr, o_ptr, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, DOWN: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    both = tl.cat(tl.sort(tl.load(x_ptr + i), descending=DOWN), tl.sort(tl.load(y_ptr + i), descending=not DOWN), dim=D)
    at = tl.arange(0, both.shape[0])[:, None] * both.shape[1] + tl.arange(0, both.shape[1])[None, :]
    tl.store(o_ptr + at, tl.where(both.logical_and(at < 1000), both, 7))
@program
def order_of_integers():
    for dt, M, N, D in ((torch.int32, 3, 13, 0), (torch.int64, 2, 16, 1), (torch.int32, 1, 100, 1), (torch.int16, 4, 8, 0)):
        x = torch.randint(-5000, 5000, (M, N)).to(dt); y = torch.randint(-50, 50, (M, N)).to(dt); down = random.random() < 0.5
        e = torch.cat([x.sort(1, descending=down).values, y.sort(1, descending=not down).values], D); o = torch.zeros_like(e)
        order_k[(1,)](x, y, o, M, N, D, down); assert torch.equal(o, torch.where(e != 0, e, torch.tensor(7, dtype=dt)))

@triton.jit
def many_bins_k(x_ptr, o_ptr, N: tl.constexpr, BINS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    tl.store(o_ptr + tl.arange(0, BINS), tl.histogram(x, BINS))
@program
def many_bins():
    x = torch.randint(-3, 50, (1024,), dtype=torch.int32); o = torch.zeros(40, dtype=torch.int32); many_bins_k[(1,)](x, o, 1024, 40)
    assert o.tolist() == [(x == b).sum().item() for b in range(40)]

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
