"""More honest candidates in Triton, each with a host or a kernel of its own, and all of them: `candidates()`."""

import textwrap

from public_triton import CANDIDATES, MM, add, candidate, elementwise, row_kernel, task

SC = elementwise("scale", ["x"], "x * 2.0")
SC_REF = "x * 2"


def kernels_of(name):
    """The kernels of another candidate."""
    return CANDIDATES[name][1].split("import triton.language as tl\n")[1].split("class ModelNew")[0]


def published(name, inputs, ref, kernels, forward, init="", rinit="", before="", helper=""):
    add(name, task(inputs, ref, rinit), candidate(kernels, helper, forward, inputs, init, before))


X = [("x", "torch.randn(33, 70)")]
LAUNCH = "out = torch.empty_like(x)\nn = x.numel()\nscale_kernel[(triton.cdiv(n, 512),)](x, out, n, BLOCK_SIZE=512)\nreturn out"


def scaled(name, forward, init="", before="", helper="", inputs=X, ref=SC_REF, kernels=SC, rinit=""):
    published(name, inputs, ref, kernels, forward, init, rinit, before, helper)


scaled("device guard", "with torch.npu.device(x.device):\n" + textwrap.indent(LAUNCH, "    "), before="import torch_npu\n")
scaled(
    "core count",
    "props = triton.runtime.driver.active.utils.get_device_properties(torch.npu.current_device())\ncores = props['num_vectorcore']\nout = torch.empty_like(x)\nn = x.numel()\nper = triton.cdiv(n, cores)\nscale_kernel[(triton.cdiv(n, 512),)](x, out, n, BLOCK_SIZE=512)\nreturn out",
    before="import torch_npu\n",
)
scaled(
    "import driver",
    LAUNCH,
    before="import triton.runtime.driver as driver\n\ndef get_npu_properties():\n    device = torch.npu.current_device()\n    return driver.active.utils.get_device_properties(device)\n\nCORES = get_npu_properties()['num_aicore']\n",
)
scaled(
    "lru cache sizes",
    "out = torch.empty_like(x)\nb = block(x.numel())\nscale_kernel[(triton.cdiv(x.numel(), b),)](x, out, x.numel(), BLOCK_SIZE=b)\nreturn out",
    before="import functools\n@functools.lru_cache(maxsize=None)\ndef block(n):\n    return min(1024, triton.next_power_of_2(n))\n",
)
scaled(
    "environment",
    "out = torch.empty_like(x)\nscale_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, out, x.numel(), BLOCK_SIZE=BLOCK)\nreturn out",
    before="import os\nBLOCK = int(os.environ.get('MY_BLOCK', '512'))\n",
)
scaled(
    "warnings and logger",
    "if x.dim() != 2:\n    warnings.warn('expected a matrix')\nlogger.debug('launch %s', x.shape)\n" + LAUNCH,
    before="import logging, warnings\nlogger = logging.getLogger(__name__)\n",
)
scaled(
    "contiguous check raises",
    "if not x.is_contiguous():\n    raise ValueError('x must be contiguous')\nif x.dtype not in (torch.float16, torch.float32, torch.bfloat16):\n    raise TypeError(f'bad dtype {x.dtype}')\n"
    + LAUNCH,
)
scaled("cpu fallback raises", "if x.device.type == 'cpu' and False:\n    raise RuntimeError('needs an NPU')\n" + LAUNCH)
scaled("training flag", "assert not self.training or True\n" + LAUNCH)
scaled(
    "warm up in constructor",
    LAUNCH,
    before="import torch_npu\n",
    init="dummy = torch.zeros(512, device='npu')\nout = torch.empty_like(dummy)\nscale_kernel[(1,)](dummy, out, 512, BLOCK_SIZE=512)",
)
scaled(
    "warmup method",
    "out = torch.empty_like(x)\nn = x.numel()\nscale_kernel.warmup(x, out, n, BLOCK_SIZE=512, grid=(1,))\nscale_kernel[(triton.cdiv(n, 512),)](x, out, n, BLOCK_SIZE=512)\nreturn out",
)
scaled("run with grid", "out = torch.empty_like(x)\nn = x.numel()\nscale_kernel.run(x, out, n, BLOCK_SIZE=512, grid=(triton.cdiv(n, 512),))\nreturn out")
scaled("bound launcher", "out = torch.empty_like(x)\nn = x.numel()\nlaunch = scale_kernel[(triton.cdiv(n, 512), 1, 1)]\nlaunch(x, out, n, 512)\nreturn out")
scaled(
    "grid lambda of kwargs",
    "out = torch.empty_like(x)\nkw = dict(BLOCK_SIZE=256, num_warps=4, num_stages=2)\ngrid = lambda META: (triton.cdiv(out.numel(), META['BLOCK_SIZE']),)\nscale_kernel[grid](x, out, out.numel(), **kw)\nreturn out",
)
scaled(
    "in chunks by narrow",
    "out = torch.empty_like(x)\nfor i in range(0, x.shape[0], 10):\n    a, b = x.narrow(0, i, min(10, x.shape[0] - i)), out.narrow(0, i, min(10, x.shape[0] - i))\n    scale_kernel[(triton.cdiv(a.numel(), 256),)](a, b, a.numel(), BLOCK_SIZE=256)\nreturn out",
)
scaled(
    "unbind rows",
    "out = torch.empty_like(x)\nfor a, b in zip(x.unbind(0), out.unbind(0)):\n    scale_kernel[(1,)](a, b, a.numel(), BLOCK_SIZE=128)\nreturn out",
)
scaled(
    "output as argument",
    "return scale(x, torch.empty(x.shape, dtype=x.dtype, device=x.device))",
    helper="\ndef scale(x: torch.Tensor, out: Optional[torch.Tensor] = None) -> torch.Tensor:\n    if out is None:\n        out = torch.empty_like(x)\n    scale_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK_SIZE=512)\n    return out\n",
)
scaled(
    "custom op by triton_op name",
    "return scale_op(x)",
    helper="\n@torch.library.custom_op('mine::scale', mutates_args=())\ndef scale_op(x: torch.Tensor) -> torch.Tensor:\n    out = torch.empty_like(x)\n    scale_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK_SIZE=512)\n    return out\n@scale_op.register_fake\ndef _(x):\n    return torch.empty_like(x)\n",
)
scaled(
    "module constants",
    "out = torch.empty_like(x)\nscale_kernel[(triton.cdiv(x.numel(), self.block),)](x, out, x.numel(), BLOCK_SIZE=self.block)\nreturn out",
    init="self.block = 512",
)
scaled(
    "register buffer used as size",
    "out = torch.empty_like(x)\nscale_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK_SIZE=512)\nreturn out",
    init="self.register_buffer('version', torch.tensor(1))",
)
scaled(
    "try finally",
    "out = torch.empty_like(x)\ntry:\n    scale_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK_SIZE=512)\nfinally:\n    pass\nreturn out",
)
scaled(
    "dtype cast around",
    "orig = x.dtype\nx32 = x.to(torch.float32) if x.dtype != torch.float32 else x\nout = torch.empty_like(x32)\nscale_kernel[(triton.cdiv(x.numel(), 512),)](x32, out, x.numel(), BLOCK_SIZE=512)\nreturn out.to(orig)",
    inputs=[("x", "torch.randn(33, 70).half()")],
)
scaled("non contiguous input", "x = x.contiguous()\n" + LAUNCH, inputs=[("x", "torch.randn(70, 33).t()")], ref="(x * 2).contiguous()")
scaled(
    "channels last",
    "xc = x.permute(0, 2, 3, 1).contiguous()\nout = torch.empty_like(xc)\nscale_kernel[(triton.cdiv(xc.numel(), 512),)](xc, out, xc.numel(), BLOCK_SIZE=512)\nreturn out.permute(0, 3, 1, 2).contiguous()",
    inputs=[("x", "torch.randn(2, 3, 8, 9)")],
)
scaled(
    "expand then contiguous",
    "b = b.expand_as(a).contiguous()\nout = torch.empty_like(a)\nadd_kernel[(triton.cdiv(a.numel(), 512),)](a, b, out, a.numel(), BLOCK_SIZE=512)\nreturn out",
    inputs=[("a", "torch.randn(33, 70)"), ("b", "torch.randn(1, 70)")],
    ref="a + b",
    kernels=elementwise("add", ["a", "b"], "a + b"),
)
scaled(
    "broadcast_tensors",
    "a, b = torch.broadcast_tensors(a, b)\na, b = a.contiguous(), b.contiguous()\nout = torch.empty_like(a)\nadd_kernel[(triton.cdiv(a.numel(), 512),)](a, b, out, a.numel(), BLOCK_SIZE=512)\nreturn out",
    inputs=[("a", "torch.randn(33, 70)"), ("b", "torch.randn(70)")],
    ref="a + b",
    kernels=elementwise("add", ["a", "b"], "a + b"),
)
scaled("new_full accumulate", "out = torch.full_like(x, 0)\nscale_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK_SIZE=512)\nreturn out")
scaled(
    "empty_strided",
    "out = torch.empty_strided(x.size(), x.stride(), dtype=x.dtype, device=x.device)\nscale_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK_SIZE=512)\nreturn out",
)
scaled(
    "flatten unflatten",
    "f = x.flatten()\nout = torch.empty_like(f)\nscale_kernel[(triton.cdiv(f.numel(), 512),)](f, out, f.numel(), BLOCK_SIZE=512)\nreturn out.unflatten(0, x.shape)",
)
scaled(
    "squeeze unsqueeze",
    "y = x.unsqueeze(0).squeeze(0)\nout = torch.empty_like(y)\nscale_kernel[(triton.cdiv(y.numel(), 512),)](y, out, y.numel(), BLOCK_SIZE=512)\nreturn out.reshape_as(x)",
)
scaled(
    "torch.zeros with device kw",
    "out = torch.zeros(x.shape[0], x.shape[1], device=x.device, dtype=x.dtype)\nscale_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK_SIZE=512)\nreturn out",
)
scaled(
    "list comprehension outs",
    "outs = [torch.empty_like(c) for c in x.chunk(3)]\nfor c, o in zip(x.chunk(3), outs):\n    scale_kernel[(triton.cdiv(c.numel(), 256),)](c, o, c.numel(), BLOCK_SIZE=256)\nreturn outs",
    ref="return list((x * 2).chunk(3))",
)
scaled(
    "dict result",
    "out = torch.empty_like(x)\nscale_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK_SIZE=512)\nreturn {'out': out}",
    ref="{'out': x * 2}",
)
scaled(
    "math constants",
    "out = torch.empty_like(x)\nn = x.numel()\nscale_by_kernel[(triton.cdiv(n, 512),)](x, out, n, math.sqrt(2.0), BLOCK_SIZE=512)\nreturn out",
    ref="x * math.sqrt(2.0)",
    kernels="""
@triton.jit
def scale_by_kernel(x_ptr, out_ptr, n, factor, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    tl.store(out_ptr + offs, tl.load(x_ptr + offs, mask=offs < n) * factor, mask=offs < n)
""",
)
scaled(
    "scalar parameter item at init",
    "out = torch.empty_like(x)\nn = x.numel()\nscale_by_kernel[(triton.cdiv(n, 512),)](x, out, n, self.factor, BLOCK_SIZE=512)\nreturn out",
    ref="x * self.f",
    rinit="self.f = nn.Parameter(torch.tensor(1.5))",
    init="self.factor = float(nn.Parameter(torch.tensor(1.5)))",
    kernels=kernels_of("math constants"),
)
scaled(
    "parameter as pointer",
    "out = torch.empty_like(x)\nn = x.numel()\nsp_kernel[(triton.cdiv(n, 512),)](x, self.f, out, n, BLOCK_SIZE=512)\nreturn out",
    ref="x * self.f",
    rinit="self.f = nn.Parameter(torch.tensor(1.5))",
    init="self.f = nn.Parameter(torch.tensor(1.5))",
    kernels="""
@triton.jit
def sp_kernel(x_ptr, f_ptr, out_ptr, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    f = tl.load(f_ptr)
    tl.store(out_ptr + offs, tl.load(x_ptr + offs, mask=offs < n) * f, mask=offs < n)
""",
)
# two-stage reductions, losses
PART = """
@triton.jit
def partial_kernel(a_ptr, b_ptr, part_ptr, n, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    m = offs < n
    d = tl.load(a_ptr + offs, mask=m, other=0.0) - tl.load(b_ptr + offs, mask=m, other=0.0)
    tl.store(part_ptr + pid, tl.sum(d * d, axis=0))

@triton.jit
def final_kernel(part_ptr, out_ptr, parts, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.arange(0, BLOCK_SIZE)
    tl.store(out_ptr, tl.sum(tl.load(part_ptr + offs, mask=offs < parts, other=0.0), axis=0) / n)

@triton.jit
def atomic_kernel(a_ptr, b_ptr, out_ptr, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    m = offs < n
    d = tl.load(a_ptr + offs, mask=m, other=0.0) - tl.load(b_ptr + offs, mask=m, other=0.0)
    tl.atomic_add(out_ptr, tl.sum(d * d, axis=0) / n)
"""
AB = [("a", "torch.rand(64, 100)"), ("b", "torch.rand(64, 100)")]
published(
    "mse two stages",
    AB,
    "F.mse_loss(a, b)",
    PART,
    "n = a.numel()\nparts = triton.cdiv(n, 1024)\npartial = torch.empty(parts, device=a.device, dtype=torch.float32)\nout = torch.empty((), device=a.device, dtype=torch.float32)\npartial_kernel[(parts,)](a, b, partial, n, BLOCK_SIZE=1024)\nfinal_kernel[(1,)](partial, out, parts, n, BLOCK_SIZE=triton.next_power_of_2(parts))\nreturn out",
)
# batch norm inference with buffers
BN = """
@triton.jit
def bn_kernel(x_ptr, m_ptr, v_ptr, w_ptr, b_ptr, out_ptr, C, S, eps, BLOCK_SIZE: tl.constexpr):
    nc = tl.program_id(0)
    c = nc % C
    mean, var = tl.load(m_ptr + c), tl.load(v_ptr + c)
    w, b = tl.load(w_ptr + c), tl.load(b_ptr + c)
    scale = w / tl.sqrt(var + eps)
    for start in range(0, S, BLOCK_SIZE):
        offs = start + tl.arange(0, BLOCK_SIZE)
        x = tl.load(x_ptr + nc * S + offs, mask=offs < S)
        tl.store(out_ptr + nc * S + offs, (x - mean) * scale + b, mask=offs < S)
"""
BNI = "self.bn = nn.BatchNorm2d(6)\nself.bn.running_mean.uniform_(-1, 1)\nself.bn.running_var.uniform_(1, 2)\nself.bn.eval()"
published(
    "batch norm with buffers",
    [("x", "torch.randn(2, 6, 10, 11)")],
    "self.bn(x)",
    BN,
    "N, C, H, W = x.shape\nout = torch.empty_like(x)\nbn = self.bn\nbn_kernel[(N * C,)](x, bn.running_mean, bn.running_var, bn.weight, bn.bias, out, C, H * W, bn.eps, BLOCK_SIZE=64)\nreturn out",
    BNI,
    BNI,
)
published(
    "group norm",
    [("x", "torch.randn(2, 6, 10, 11)")],
    "F.group_norm(x, 3)",
    row_kernel(
        "ln", "    mean = tl.sum(x, axis=0) / n_cols\n    d = tl.where(mask, x - mean, 0.0)\n    y = d * tl.rsqrt(tl.sum(d * d, axis=0) / n_cols + 1e-5)", "0.0"
    ),
    "g = x.view(x.shape[0] * 3, -1)\nout = torch.empty_like(g)\nln_kernel[(g.shape[0],)](g, out, g.stride(0), g.shape[1], BLOCK_SIZE=triton.next_power_of_2(g.shape[1]))\nreturn out.view_as(x)",
)
# pooling
published(
    "max pool",
    [("x", "torch.randn(2, 3, 8, 10)")],
    "F.max_pool2d(x, 2)",
    """
@triton.jit
def pool_kernel(x_ptr, out_ptr, H, W, OH, OW, BLOCK_SIZE: tl.constexpr):
    nc, oh = tl.program_id(0), tl.program_id(1)
    ow = tl.arange(0, BLOCK_SIZE)
    m = ow < OW
    best = tl.full((BLOCK_SIZE,), -float('inf'), tl.float32)
    for i in tl.static_range(2):
        for j in tl.static_range(2):
            best = tl.maximum(best, tl.load(x_ptr + nc * H * W + (oh * 2 + i) * W + ow * 2 + j, mask=m, other=-float('inf')))
    tl.store(out_ptr + (nc * OH + oh) * OW + ow, best, mask=m)
""",
    "N, C, H, W = x.shape\nOH, OW = H // 2, W // 2\nout = x.new_empty((N, C, OH, OW))\npool_kernel[(N * C, OH)](x, out, H, W, OH, OW, BLOCK_SIZE=triton.next_power_of_2(OW))\nreturn out",
)
# conv1d depthwise w/ parameters
published(
    "depthwise conv",
    [("x", "torch.randn(2, 6, 50)")],
    "self.conv(x)",
    """
@triton.jit
def conv_kernel(x_ptr, w_ptr, b_ptr, out_ptr, C, T, TO, K: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    nc = tl.program_id(0)
    c = nc % C
    t = tl.arange(0, BLOCK_SIZE)
    m = t < TO
    acc = tl.zeros((BLOCK_SIZE,), tl.float32) + tl.load(b_ptr + c)
    for k in range(K):
        acc += tl.load(x_ptr + nc * T + t + k, mask=m, other=0.0) * tl.load(w_ptr + c * K + k)
    tl.store(out_ptr + nc * TO + t, acc, mask=m)
""",
    "N, C, T = x.shape\nK = self.conv.kernel_size[0]\nTO = T - K + 1\nout = torch.empty(N, C, TO, dtype=x.dtype, device=x.device)\nconv_kernel[(N * C,)](x, self.conv.weight, self.conv.bias, out, C, T, TO, K=K, BLOCK_SIZE=triton.next_power_of_2(TO))\nreturn out",
    "self.conv = nn.Conv1d(6, 6, 3, groups=6)",
    "self.conv = nn.Conv1d(6, 6, 3, groups=6)",
)
# embedding, cross entropy
published(
    "embedding with weight",
    [("i", "torch.randint(0, 40, (5, 7))")],
    "self.e(i)",
    """
@triton.jit
def emb_kernel(i_ptr, w_ptr, out_ptr, D, BLOCK_SIZE: tl.constexpr):
    p = tl.program_id(0)
    r = tl.load(i_ptr + p)
    d = tl.arange(0, BLOCK_SIZE)
    tl.store(out_ptr + p * D + d, tl.load(w_ptr + r * D + d, mask=d < D), mask=d < D)
""",
    "D = self.e.embedding_dim\nout = torch.empty(*i.shape, D, dtype=self.e.weight.dtype, device=i.device)\nemb_kernel[(i.numel(),)](i.contiguous(), self.e.weight, out, D, BLOCK_SIZE=triton.next_power_of_2(D))\nreturn out",
    "self.e = nn.Embedding(40, 24)",
    "self.e = nn.Embedding(40, 24)",
)
published(
    "cross entropy of rows",
    [("x", "torch.randn(20, 33)"), ("t", "torch.randint(0, 33, (20,))")],
    "F.cross_entropy(x, t, reduction='none')",
    """
@triton.jit
def ce_kernel(x_ptr, t_ptr, out_ptr, n_cols, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + row * n_cols + c, mask=c < n_cols, other=-float('inf'))
    m = tl.max(x, axis=0)
    lse = tl.log(tl.sum(tl.exp(x - m), axis=0)) + m
    t = tl.load(t_ptr + row)
    tl.store(out_ptr + row, lse - tl.load(x_ptr + row * n_cols + t))
""",
    "out = torch.empty(x.shape[0], device=x.device, dtype=torch.float32)\nce_kernel[(x.shape[0],)](x, t, out, x.shape[1], BLOCK_SIZE=triton.next_power_of_2(x.shape[1]))\nreturn out",
)
# attention w/ block pointers
ATT = """
@triton.jit
def attn_kernel(q_ptr, k_ptr, v_ptr, o_ptr, scale, T, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    bh, pm = tl.program_id(0), tl.program_id(1)
    base = bh * T * D
    qb = tl.make_block_ptr(q_ptr + base, (T, D), (D, 1), (pm * BM, 0), (BM, D), (1, 0))
    kb = tl.make_block_ptr(k_ptr + base, (D, T), (1, D), (0, 0), (D, BN), (0, 1))
    vb = tl.make_block_ptr(v_ptr + base, (T, D), (D, 1), (0, 0), (BN, D), (1, 0))
    ob = tl.make_block_ptr(o_ptr + base, (T, D), (D, 1), (pm * BM, 0), (BM, D), (1, 0))
    q = tl.load(qb, boundary_check=(0,), padding_option="zero")
    m_i = tl.zeros([BM], tl.float32) - float("inf")
    l_i = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for start in range(0, T, BN):
        k = tl.load(kb, boundary_check=(1,), padding_option="zero")
        s = tl.dot(q, k) * scale
        s = tl.where((start + tl.arange(0, BN))[None, :] < T, s, -float("inf"))
        m_n = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp(s - m_n[:, None])
        alpha = tl.exp(m_i - m_n)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(vb, boundary_check=(0,), padding_option="zero")
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_n
        kb = tl.advance(kb, (0, BN))
        vb = tl.advance(vb, (BN, 0))
    tl.store(ob, (acc / l_i[:, None]).to(o_ptr.dtype.element_ty), boundary_check=(0,))
"""
QKV = [(n, "torch.rand(2, 2, 50, 32)") for n in "qkv"]
published(
    "attention by block pointers",
    QKV,
    "F.scaled_dot_product_attention(q, k, v)",
    ATT,
    "B, H, T, D = q.shape\no = torch.empty_like(q)\nattn_kernel[(B * H, triton.cdiv(T, 32))](q.contiguous(), k.contiguous(), v.contiguous(), o, 1.0 / math.sqrt(D), T, D=D, BM=32, BN=32)\nreturn o",
)
published(
    "attention from qkv projection",
    [("x", "torch.rand(2, 20, 64)")],
    "B, T, C = x.shape\nq, k, v = self.qkv(x).chunk(3, -1)\nq, k, v = (t.view(B, T, 2, 32).transpose(1, 2) for t in (q, k, v))\nreturn F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, C)",
    ATT + MM,
    "B, T, C = x.shape\nqkv = linear(x.reshape(B * T, C), self.qkv.weight, self.qkv.bias).view(B, T, 3, 2, 32).permute(2, 0, 3, 1, 4).contiguous()\nq, k, v = qkv[0], qkv[1], qkv[2]\no = torch.empty_like(q)\nattn_kernel[(B * 2, triton.cdiv(T, 32))](q, k, v, o, 32 ** -0.5, T, D=32, BM=32, BN=32)\nreturn o.transpose(1, 2).reshape(B, T, C)",
    "self.qkv = nn.Linear(64, 192)",
    "self.qkv = nn.Linear(64, 192)",
)
# rotary with cached tables
published(
    "rotary with buffers",
    [("x", "torch.randn(2, 9, 3, 16)")],
    "c, s = self.c[: x.shape[1], None], self.s[: x.shape[1], None]\na, b = x.chunk(2, -1)\nreturn torch.cat([a * c - b * s, b * c + a * s], -1)",
    """
@triton.jit
def rope_kernel(x_ptr, c_ptr, s_ptr, out_ptr, T, H, HALF: tl.constexpr):
    p = tl.program_id(0)
    t = (p // H) % T
    d = tl.arange(0, HALF)
    c, s = tl.load(c_ptr + t * HALF + d), tl.load(s_ptr + t * HALF + d)
    a, b = tl.load(x_ptr + p * 2 * HALF + d), tl.load(x_ptr + p * 2 * HALF + HALF + d)
    tl.store(out_ptr + p * 2 * HALF + d, a * c - b * s)
    tl.store(out_ptr + p * 2 * HALF + HALF + d, b * c + a * s)
""",
    "B, T, H, D = x.shape\nout = torch.empty_like(x)\nrope_kernel[(B * T * H,)](x, self.c[:T].contiguous(), self.s[:T].contiguous(), out, T, H, HALF=D // 2)\nreturn out",
    *[
        "f = 1.0 / (10000 ** (torch.arange(0, 16, 2).float() / 16))\nang = torch.outer(torch.arange(32).float(), f)\nself.register_buffer('c', ang.cos(), persistent=False)\nself.register_buffer('s', ang.sin(), persistent=False)"
    ]
    * 2,
)
published(
    "kv cache update in place",
    [("cache", "torch.randn(4, 16, 24)"), ("new", "torch.randn(4, 24)"), ("pos", "5")],
    "c = cache.clone()\nc[:, pos] = new\nreturn c",
    """
@triton.jit
def put_kernel(n_ptr, c_ptr, pos, T, D, BLOCK_SIZE: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK_SIZE)
    tl.store(c_ptr + b * T * D + pos * D + d, tl.load(n_ptr + b * D + d, mask=d < D), mask=d < D)
@triton.jit
def copy_kernel(x_ptr, out_ptr, n, BLOCK_SIZE: tl.constexpr):
    o = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    tl.store(out_ptr + o, tl.load(x_ptr + o, mask=o < n), mask=o < n)
""",
    "out = torch.empty_like(cache)\nB, T, D = cache.shape\ncopy_kernel[(triton.cdiv(cache.numel(), 512),)](cache, out, cache.numel(), BLOCK_SIZE=512)\nput_kernel[(B,)](new, out, pos, T, D, BLOCK_SIZE=triton.next_power_of_2(D))\nreturn out",
)
published(
    "masked fill",
    [("x", "torch.randn(20, 30)"), ("m", "torch.rand(20, 30) > 0.5")],
    "x.masked_fill(m, -1.0)",
    """
@triton.jit
def mf_kernel(x_ptr, m_ptr, out_ptr, n, BLOCK_SIZE: tl.constexpr):
    o = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    k = o < n
    x, m = tl.load(x_ptr + o, mask=k), tl.load(m_ptr + o, mask=k)
    tl.store(out_ptr + o, tl.where(m != 0, -1.0, x), mask=k)
""",
    "out = torch.empty_like(x)\nmf_kernel[(triton.cdiv(x.numel(), 256),)](x, m, out, x.numel(), BLOCK_SIZE=256)\nreturn out",
)
published(
    "masked fill as int8",
    [("x", "torch.randn(20, 30)"), ("m", "torch.rand(20, 30) > 0.5")],
    "x.masked_fill(m, -1.0)",
    kernels_of("masked fill"),
    "out = torch.empty_like(x)\nmf_kernel[(triton.cdiv(x.numel(), 256),)](x, m.to(torch.int8), out, x.numel(), BLOCK_SIZE=256)\nreturn out",
)
published(
    "compare gives bool",
    [("a", "torch.randn(20, 30)"), ("b", "torch.randn(20, 30)")],
    "a > b",
    elementwise("gt", ["a", "b"], "a > b"),
    "out = torch.empty(a.shape, dtype=torch.bool, device=a.device)\ngt_kernel[(triton.cdiv(a.numel(), 256),)](a, b, out, a.numel(), BLOCK_SIZE=256)\nreturn out",
)
published(
    "argmax int64",
    [("x", "torch.randn(20, 30)")],
    "x.argmax(-1)",
    """
@triton.jit
def am_kernel(x_ptr, out_ptr, n, BLOCK_SIZE: tl.constexpr):
    r, c = tl.program_id(0), tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + r * n + c, mask=c < n, other=-float('inf'))
    tl.store(out_ptr + r, tl.argmax(x, axis=0))
""",
    "out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)\nam_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK_SIZE=triton.next_power_of_2(x.shape[1]))\nreturn out",
)
published(
    "argmax int32 converted",
    [("x", "torch.randn(20, 30)")],
    "x.argmax(-1)",
    kernels_of("argmax int64"),
    "out = torch.empty(x.shape[0], dtype=torch.int32, device=x.device)\nam_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK_SIZE=triton.next_power_of_2(x.shape[1]))\nreturn out.to(torch.int64)",
)
published(
    "mask output converted",
    [("x", "torch.randn(20, 30)")],
    "x > 0",
    elementwise("pos", ["x"], "tl.where(x > 0, 1, 0)"),
    "out = torch.empty(x.shape, dtype=torch.int8, device=x.device)\npos_kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK_SIZE=256)\nreturn out.to(torch.bool)",
)
published(
    "mask output viewed",
    [("x", "torch.randn(20, 30)")],
    "x > 0",
    elementwise("pos", ["x"], "tl.where(x > 0, 1, 0)"),
    "out = torch.empty(x.shape, dtype=torch.int8, device=x.device)\npos_kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK_SIZE=256)\nreturn out.view(torch.bool)",
)
published(
    "one hot",
    [("t", "torch.randint(0, 10, (20,))")],
    "F.one_hot(t, 10)",
    """
@triton.jit
def oh_kernel(t_ptr, out_ptr, n, C):
    i = tl.program_id(0)
    c = tl.load(t_ptr + i)
    tl.store(out_ptr + i * C + c, 1)
""",
    "out = torch.zeros(t.shape[0], 10, dtype=torch.int64, device=t.device)\noh_kernel[(t.shape[0],)](t, out, t.shape[0], 10)\nreturn out",
)
published(
    "tril by kernel",
    [("x", "torch.randn(24, 24)")],
    "x.tril()",
    """
@triton.jit
def tril_kernel(x_ptr, out_ptr, n, BLOCK_SIZE: tl.constexpr):
    r, c = tl.program_id(0), tl.arange(0, BLOCK_SIZE)
    m = c < n
    x = tl.load(x_ptr + r * n + c, mask=m)
    tl.store(out_ptr + r * n + c, tl.where(c <= r, x, 0.0), mask=m)
""",
    "out = torch.empty_like(x)\ntril_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK_SIZE=32)\nreturn out",
)
published(
    "int8 weights dequantised",
    [("x", "torch.rand(20, 64)")],
    "x @ (self.q.float() * self.s[:, None]).t()",
    MM
    + """
@triton.jit
def dq_kernel(q_ptr, s_ptr, w_ptr, K, BLOCK_SIZE: tl.constexpr):
    r, c = tl.program_id(0), tl.arange(0, BLOCK_SIZE)
    tl.store(w_ptr + r * K + c, tl.load(q_ptr + r * K + c, mask=c < K).to(tl.float32) * tl.load(s_ptr + r), mask=c < K)
""",
    "N, K = self.q.shape\nw = torch.empty(N, K, device=x.device)\ndq_kernel[(N,)](self.q, self.s, w, K, BLOCK_SIZE=64)\nreturn linear(x, w)",
    *["self.register_buffer('q', torch.randint(0, 100, (30, 64), dtype=torch.int8))\nself.register_buffer('s', torch.rand(30))"] * 2,
)
published(
    "persistent rows",
    [("x", "torch.randn(300, 100)")],
    "x.softmax(-1)",
    """
@triton.jit
def sm_kernel(x_ptr, out_ptr, rows, n_cols, BLOCK_SIZE: tl.constexpr):
    c = tl.arange(0, BLOCK_SIZE)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=2):
        x = tl.load(x_ptr + row * n_cols + c, mask=c < n_cols, other=-float('inf'))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(out_ptr + row * n_cols + c, e / tl.sum(e, axis=0), mask=c < n_cols)
""",
    "rows, n = x.shape\nout = torch.empty_like(x)\nsm_kernel[(min(rows, 40), 1, 1)](x, out, rows, n, BLOCK_SIZE=triton.next_power_of_2(n))\nreturn out",
)
published(
    "noinline helper device function",
    [("x", "torch.randn(300)")],
    "torch.sigmoid(x)",
    """
@triton.jit
def my_sigmoid(v):
    return 1.0 / (1.0 + tl.exp(-v))
@triton.jit
def sg_kernel(x_ptr, out_ptr, n, BLOCK_SIZE: tl.constexpr):
    o = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    tl.store(out_ptr + o, my_sigmoid(tl.load(x_ptr + o, mask=o < n)), mask=o < n)
""",
    "out = torch.empty_like(x)\nsg_kernel[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK_SIZE=128)\nreturn out",
)
published(
    "autotuned matmul",
    [("a", "torch.rand(70, 64)"), ("b", "torch.rand(64, 90)")],
    "a @ b",
    MM.replace(
        "@triton.jit",
        "@triton.autotune(configs=[triton.Config({'BLOCK_M': m, 'BLOCK_N': n, 'BLOCK_K': 32}, num_warps=4, num_stages=2) for m in (32, 64) for n in (32, 64)], key=['M', 'N', 'K'])\n@triton.jit",
        1,
    ).split("def linear")[0],
    "M, K = a.shape\nN = b.shape[1]\nc = torch.empty(M, N, device=a.device, dtype=torch.float32)\ngrid = lambda META: (triton.cdiv(M, META['BLOCK_M']), triton.cdiv(N, META['BLOCK_N']))\nmatmul_kernel[grid](a, b, c, c, M, N, K, a.stride(0), a.stride(1), b.stride(0), b.stride(1), c.stride(0), c.stride(1), HAS_BIAS=False, ACT='none')\nreturn c",
)


def candidates():
    """(name, task, candidate) of all."""
    return [(f"Triton: {name}", *each) for name, each in CANDIDATES.items()]
