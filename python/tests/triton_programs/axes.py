"""Programs that work along axes: sums, extremes, scans, order, parts of tiles."""

import random

import torch

from triton_programs.common import close, program, tl, triton

F = torch.nn.functional

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
