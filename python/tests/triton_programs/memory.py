"""Programs about where elements are read and written."""

import torch

import triton.language.extra.cann.extension as al
from triton_programs.common import close, program, tl, triton

F = torch.nn.functional

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
def bool_k(x_ptr, y_ptr, o_ptr, n, B: tl.constexpr):
    r = tl.arange(0, B); m = r < n
    x = tl.load(x_ptr + r, mask=m); y = tl.load(y_ptr + r, mask=m)
    tl.store(o_ptr + r, x & ~y, mask=m)
@program
def bools():
    x = torch.rand(50) > .5; y = torch.rand(50) > .5; o = torch.zeros(50, dtype=torch.bool)
    bool_k[(1,)](x, y, o, 50, B=64); assert torch.equal(o, x & ~y)

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
def named_rows_k(x_ptr, i_ptr, o_ptr, p_ptr, g_ptr, R: tl.constexpr, C: tl.constexpr, K: tl.constexpr):
    i = tl.load(i_ptr + tl.arange(0, K))
    at = tl.arange(0, K)[:, None] * C + tl.arange(0, C)[None, :]
    rows = al.index_select_simd(x_ptr, 0, i, src_shape=(R, C), src_offset=(-1, 0), read_shape=(-1, C))
    tl.store(o_ptr + at, rows)
    al.index_put(p_ptr, i, rows, 0, R, (K, C), (0, 0), (C, 1))
    along = i[:, None].broadcast_to(K, C)
    found = al.gather_out_to_ub(src=x_ptr, index=along, index_boundary=R, dim=0, src_stride=(C, 1), end_offset=(K, C), start_offset=(0, 0))
    al.scatter_ub_to_out(g_ptr, found, along, R, 0, (C, 1), (K, C), (0, 0))
@program
def rows_named_by_the_extension():
    R, C, K = 20, 16, 5
    x = torch.randn(R, C); i = torch.tensor([3, 0, 19, 7, 4], dtype=torch.int32)
    o, p, g = torch.zeros(K, C), torch.zeros(R, C), torch.zeros(R, C)
    named_rows_k[1,](x, i, o, p, g, R, C, K)
    e = torch.zeros(R, C); e[i.long()] = x[i.long()]
    close(o, x[i.long()]); close(p, e); close(g, e)
