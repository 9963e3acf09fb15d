"""Programs with products of matrices."""

import torch

from triton_programs.common import close, program, tl, triton

F = torch.nn.functional

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
def bytes_k(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)[:, None]; n = tl.arange(0, N)[None, :]; k = tl.arange(0, K)
    tl.store(c_ptr + m * N + n, tl.dot(tl.load(a_ptr + m * K + k[None, :]), tl.load(b_ptr + k[:, None] * N + n), out_dtype=tl.int32))
@program
def products_of_bytes():
    for M, N, K in ((16, 16, 16), (16, 40, 32), (32, 64, 16)):
        a = torch.randint(-9, 9, (M, K), dtype=torch.int8); b = torch.randint(-9, 9, (K, N), dtype=torch.int8); c = torch.zeros(M, N, dtype=torch.int32)
        bytes_k[(1,)](a, b, c, M, N, K); assert torch.equal(c, a.int() @ b.int())

@triton.jit
def scaled_k(x, sx, y, sy, o, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, T: tl.constexpr):
    a = tl.load(x + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :])
    b = tl.load(y + tl.arange(0, K)[:, None] * N + tl.arange(0, N)[None, :])
    s = tl.load(sx + tl.arange(0, M)[:, None] * (K // 32) + tl.arange(0, K // 32)[None, :])
    if sy is None:
        c = tl.dot_scaled(a, s, T, b, None, T)
    else:
        c = tl.dot_scaled(a, s, T, b, tl.load(sy + tl.arange(0, N)[:, None] * (K // 32) + tl.arange(0, K // 32)[None, :]), T)
    tl.store(o + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], c)
@program
def scaled_products():
    M, N, K = 16, 32, 64
    for dtype, name in ((torch.bfloat16, "bf16"), (torch.float16, "fp16")):
        for both in (True, False):
            x, y = torch.randn(M, K).to(dtype), torch.randn(K, N).to(dtype)
            sx, sy = (torch.randint(-3, 4, (rows, 2), dtype=torch.int8) for rows in (M, N))
            o = torch.zeros(M, N)
            scaled_k[1,](x, sx, y, sy if both else None, o, M, N, K, name)
            a = x.float() * 2.0 ** sx.float().repeat_interleave(32, 1)
            b = y.float() * (2.0 ** sy.float().repeat_interleave(32, 1)).T if both else y.float()
            close(o, a @ b, 1e-2)
