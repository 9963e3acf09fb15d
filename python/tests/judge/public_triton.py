"""Honest candidates in Triton as people publish them: element-wise kernels, rows, reductions, products and layers, each launched in several of the
ways there are on the host. All of them, with those of public_triton_more.py, are its `candidates()`.
"""

import textwrap

HEAD = """
import math
from typing import Optional, Tuple
import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl
"""


def elementwise(name, args, expr):
    loads = "\n".join(f"    {a} = tl.load({a}_ptr + offs, mask=mask)" for a in args)
    return f"""
@triton.jit
def {name}_kernel({", ".join(a + "_ptr" for a in args)}, out_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offs = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n_elements
{loads}
    tl.store(out_ptr + offs, {expr}, mask=mask)
"""


# elementwise: (args, torch ref, triton expr)
ELEMENTWISE = {
    "relu": (["x"], "torch.relu(x)", "tl.maximum(x, 0.0)"),
    "leaky": (["x"], "F.leaky_relu(x, 0.1)", "tl.where(x > 0, x, 0.1 * x)"),
    "sigmoid": (["x"], "torch.sigmoid(x)", "1.0 / (1.0 + tl.exp(-x))"),
    "swish": (["x"], "x * torch.sigmoid(x)", "x * tl.sigmoid(x)"),
    "tanh": (["x"], "torch.tanh(x)", "2.0 * tl.sigmoid(2.0 * x) - 1.0"),
    "softplus": (["x"], "F.softplus(x)", "tl.where(x > 20.0, x, tl.log(1.0 + tl.exp(x)))"),
    "softsign": (["x"], "F.softsign(x)", "x / (1.0 + tl.abs(x))"),
    "elu": (["x"], "F.elu(x)", "tl.where(x > 0, x, tl.exp(x) - 1.0)"),
    "selu": (["x"], "F.selu(x)", "1.0507009873554805 * tl.where(x > 0, x, 1.6732632423543772 * (tl.exp(x) - 1.0))"),
    "hardsigmoid": (["x"], "F.hardsigmoid(x)", "tl.minimum(tl.maximum(x / 6.0 + 0.5, 0.0), 1.0)"),
    "hardtanh": (["x"], "F.hardtanh(x)", "tl.minimum(tl.maximum(x, -1.0), 1.0)"),
    "gelu": (["x"], "F.gelu(x)", "0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))"),
    "newgelu": (
        ["x"],
        "0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))",
        "x * tl.sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))",
    ),
    "add": (["a", "b"], "a + b", "a + b"),
    "mul": (["a", "b"], "a * b", "a * b"),
    "axpy": (["a", "b"], "2.5 * a + b", "2.5 * a + b"),
    "swiglu": (["a", "b"], "F.silu(a) * b", "a * tl.sigmoid(a) * b"),
    "lerp": (["a", "b", "c"], "torch.lerp(a, b, c)", "a + c * (b - a)"),
    "where": (["a", "b"], "torch.where(a > b, a, b)", "tl.where(a > b, a, b)"),
    "sq": (["x"], "x.square()", "x * x"),
}
ROWS = {
    "softmax": ("x.softmax(-1)", "    x = x - tl.max(x, axis=0)\n    num = tl.exp(x)\n    y = num / tl.sum(num, axis=0)", "-float('inf')"),
    "logsoftmax": ("x.log_softmax(-1)", "    x = x - tl.max(x, axis=0)\n    y = x - tl.log(tl.sum(tl.exp(x), axis=0))", "-float('inf')"),
    "rms": ("x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)", "    y = x * tl.rsqrt(tl.sum(x * x, axis=0) / n_cols + 1e-6)", "0.0"),
    "l2": ("x / x.norm(dim=-1, keepdim=True).clamp_min(1e-12)", "    y = x / tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-12)", "0.0"),
    "l1": ("x / x.abs().mean(-1, keepdim=True)", "    y = x / (tl.sum(tl.abs(x), axis=0) / n_cols)", "0.0"),
    "ln": (
        "F.layer_norm(x, (x.shape[-1],))",
        "    mean = tl.sum(x, axis=0) / n_cols\n    d = tl.where(mask, x - mean, 0.0)\n    y = d * tl.rsqrt(tl.sum(d * d, axis=0) / n_cols + 1e-5)",
        "0.0",
    ),
    "cumsum": ("x.cumsum(-1)", "    y = tl.cumsum(x, axis=0)", "0.0"),
}
REDUCTIONS = {
    "sum": ("x.sum(-1)", "tl.sum(x, axis=0)", "0.0"),
    "mean": ("x.mean(-1)", "tl.sum(x, axis=0) / n_cols", "0.0"),
    "max": ("x.max(-1)[0]", "tl.max(x, axis=0)", "-float('inf')"),
    "min": ("x.min(-1)[0]", "tl.min(x, axis=0)", "float('inf')"),
    "var": (
        "x.var(-1, unbiased=False)",
        "tl.sum(tl.where(mask, (x - tl.sum(x, axis=0) / n_cols) * (x - tl.sum(x, axis=0) / n_cols), 0.0), axis=0) / n_cols",
        "0.0",
    ),
    "lse": ("x.logsumexp(-1)", "tl.log(tl.sum(tl.exp(x - tl.max(x, axis=0)), axis=0)) + tl.max(x, axis=0)", "-float('inf')"),
}


def row_kernel(name, body, other, reduce=False):
    out = f"    tl.store(out_ptr + row, {body})" if reduce else f"{body}\n    tl.store(out_ptr + row * stride + cols, y, mask=mask)"
    return f"""
@triton.jit
def {name}_kernel(x_ptr, out_ptr, stride, n_cols, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * stride + cols, mask=mask, other={other})
{out}
"""


MM = """
@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn, HAS_BIAS: tl.constexpr, ACT: tl.constexpr,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    pid_m, pid_n = tl.program_id(0), tl.program_id(1)
    offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak
    b_ptrs = b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=(offs_m[:, None] < M) & (offs_k[None, :] < K - k), other=0.0)
        b = tl.load(b_ptrs, mask=(offs_k[:, None] < K - k) & (offs_n[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    if HAS_BIAS:
        acc += tl.load(bias_ptr + offs_n, mask=offs_n < N, other=0.0)[None, :]
    if ACT == "relu":
        acc = tl.maximum(acc, 0.0)
    if ACT == "silu":
        acc = acc * tl.sigmoid(acc)
    tl.store(c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :] * stride_cn, acc, mask=(offs_m[:, None] < M) & (offs_n[None, :] < N))

def linear(x, w, bias=None, act="none"):
    M, K = x.shape
    N = w.shape[0]
    out = torch.empty((M, N), device=x.device, dtype=torch.float32)
    grid = lambda META: (triton.cdiv(M, META["BLOCK_M"]), triton.cdiv(N, META["BLOCK_N"]))
    matmul_kernel[grid](x, w, out, bias if bias is not None else out, M, N, K, x.stride(0), x.stride(1), w.stride(1), w.stride(0), out.stride(0), out.stride(1),
                        HAS_BIAS=bias is not None, ACT=act, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32)
    return out
"""


def task(inputs, ref, init="", args=""):
    t = HEAD.replace("import triton\nimport triton.language as tl\n", "")
    names = [n for n, _ in inputs]
    ini = f"    def __init__(self{', ' + args if args else ''}):\n        super().__init__()\n{textwrap.indent(init, ' ' * 8)}\n" if init else ""
    return (
        t
        + f"class Model(nn.Module):\n{ini}    def forward(self, {', '.join(names)}):\n{textwrap.indent(ref if 'return' in ref else 'return ' + ref, ' ' * 8)}\ndef get_inputs():\n    return [{', '.join(v for _, v in inputs)}]\ndef get_init_inputs():\n    return []\n"
    )


def candidate(kernels, helper, forward, inputs, init="", before=""):
    names = [n for n, _ in inputs]
    ini = f"    def __init__(self):\n        super().__init__()\n{textwrap.indent(init, ' ' * 8)}\n" if init else ""
    return (
        HEAD
        + before
        + kernels
        + helper
        + f"\nclass ModelNew(nn.Module):\n{ini}    def forward(self, {', '.join(names)}):\n{textwrap.indent(textwrap.dedent(forward), ' ' * 8)}\n"
    )


CANDIDATES = {}


def add(name, described, text):
    CANDIDATES[name] = described, text


# host styles for elementwise; {k} kernel, {a} args
HOSTS = {
    "plain": (
        "",
        lambda k, a: (
            f"out = torch.empty_like({a[0]})\nn = out.numel()\ngrid = lambda meta: (triton.cdiv(n, meta['BLOCK_SIZE']),)\n{k}_kernel[grid]({', '.join(a)}, out, n, BLOCK_SIZE=1024)\nreturn out"
        ),
    ),
    "helper with contiguous": (
        lambda k, a: (
            f"\ndef triton_{k}({', '.join(a)}):\n    {', '.join(a) + ',' if len(a) == 1 else ', '.join(a)} = ({', '.join(x + '.contiguous()' for x in a)},)\n    out = torch.empty_like({a[0]})\n    n = {a[0]}.numel()\n    BLOCK_SIZE = triton.next_power_of_2(min(n, 2048))\n    grid = (triton.cdiv(n, BLOCK_SIZE),)\n    {k}_kernel[grid]({', '.join(a)}, out, n, BLOCK_SIZE=BLOCK_SIZE)\n    return out\n"
        ),
        lambda k, a: f"return triton_{k}({', '.join(a)})",
    ),
    "asserts and is_cuda comments": (
        "",
        lambda k, a: (
            f"assert all(t.is_contiguous() for t in ({', '.join(a)},)), 'inputs must be contiguous'\nassert {a[0]}.dtype == torch.float32\nshape = {a[0]}.shape\nflat = [t.view(-1) for t in ({', '.join(a)},)]\nout = torch.zeros_like(flat[0])\nn = flat[0].shape[0]\n{k}_kernel[((n + 511) // 512,)](*flat, out, n, BLOCK_SIZE=512, num_warps=4)\nreturn out.view(shape)"
        ),
    ),
    "autograd": (
        lambda k, a: (
            f"\nclass Fn(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, {', '.join(a)}):\n        out = torch.empty({a[0]}.size(), dtype={a[0]}.dtype, device={a[0]}.device)\n        n = out.numel()\n        {k}_kernel[(triton.cdiv(n, 256),)]({', '.join(a)}, out, n, 256)\n        ctx.save_for_backward({', '.join(a)})\n        return out\n    @staticmethod\n    def backward(ctx, g):\n        return None\n"
        ),
        lambda k, a: f"return Fn.apply({', '.join(a)})",
    ),
    "autotuned": (
        "AUTO",
        lambda k, a: (
            f"out = torch.empty_like({a[0]})\nn_elements = out.numel()\n{k}_kernel[lambda meta: (triton.cdiv(n_elements, meta['BLOCK_SIZE']),)]({', '.join(a)}, out, n_elements)\nreturn out"
        ),
    ),
    "heuristics": (
        "HEUR",
        lambda k, a: (
            f"out = {a[0]}.new_empty({a[0]}.shape)\nn_elements = out.numel()\n{k}_kernel[lambda meta: (triton.cdiv(n_elements, meta['BLOCK_SIZE']),)]({', '.join(a)}, out, n_elements)\nreturn out"
        ),
    ),
    "padded": (
        "",
        lambda k, a: (
            f"n = {a[0]}.numel()\npad = (-n) % 1024\nparts = [F.pad(t.reshape(-1), (0, pad)) for t in ({', '.join(a)},)]\nout = torch.empty_like(parts[0])\n{k}_kernel[((n + pad) // 1024,)](*parts, out, n + pad, BLOCK_SIZE=1024)\nreturn out[:n].reshape({a[0]}.shape)"
        ),
    ),
    "clone in place": (
        "",
        lambda k, a: (
            f"out = {a[0]}.clone()\nn = out.numel()\n{k}_kernel[(triton.cdiv(n, 1024),)](out, {''.join(x + ', ' for x in a[1:])}out, n, BLOCK_SIZE=1024)\nreturn out"
        ),
    ),
}
SHAPES = ["torch.randn(64, 130)", "torch.randn(8, 3, 50)", "torch.randn(5000)", "torch.randn(16, 256)"]
for i, (k, (a, ref, expr)) in enumerate(ELEMENTWISE.items()):
    sty = list(HOSTS)
    for j in range(4):
        st = sty[(i * 3 + j * 2 + (i // 4)) % len(sty)]
        inputs = [(x, SHAPES[(i + j) % 4]) for x in a]
        kern = elementwise(k, a, expr)
        helper, fw = HOSTS[st]
        if helper == "AUTO":
            kern = kern.replace(
                "@triton.jit",
                "@triton.autotune(configs=[triton.Config({'BLOCK_SIZE': 256}, num_warps=2), triton.Config({'BLOCK_SIZE': 1024}, num_warps=4), triton.Config({'BLOCK_SIZE': 2048}, num_warps=8)], key=['n_elements'])\n@triton.jit",
            )
            helper = ""
        elif helper == "HEUR":
            kern = kern.replace(
                "@triton.jit", "@triton.heuristics({'BLOCK_SIZE': lambda args: min(1024, triton.next_power_of_2(args['n_elements']))})\n@triton.jit"
            )
            helper = ""
        elif callable(helper):
            helper = helper(k, a)
        add(f"{k} {st}", task(inputs, ref), candidate(kern, helper, fw(k, a), inputs))
ROW_HOSTS = {
    "rows": "rows, n_cols = x.shape\nout = torch.empty_like(x)\n{k}_kernel[(rows,)](x, out, x.stride(0), n_cols, BLOCK_SIZE=triton.next_power_of_2(n_cols))\nreturn out",
    "last dim of 3d": "shape = x.shape\nx2 = x.view(-1, shape[-1])\nout = torch.empty_like(x2)\n{k}_kernel[(x2.shape[0],)](x2, out, x2.stride(0), x2.shape[1], BLOCK_SIZE=triton.next_power_of_2(x2.shape[1]), num_warps=4)\nreturn out.view(*shape)",
    "dim 1": "xt = x.permute(0, 2, 1).contiguous()\nout = torch.empty_like(xt)\nn = xt.shape[-1]\n{k}_kernel[(xt.shape[0] * xt.shape[1],)](xt, out, n, n, BLOCK_SIZE=triton.next_power_of_2(n))\nreturn out.permute(0, 2, 1).contiguous()",
    "movedim": "xt = x.movedim(1, -1).contiguous()\nout = torch.empty_like(xt)\nn = xt.size(-1)\n{k}_kernel[(xt.numel() // n,)](xt, out, n, n, BLOCK_SIZE=triton.next_power_of_2(n))\nreturn out.movedim(-1, 1)",
}
for i, (k, (ref, body, other)) in enumerate(ROWS.items()):
    for st, fw in ROW_HOSTS.items():
        if st == "rows":
            inputs = [("x", "torch.randn(37, 200)")]
            r = ref
        elif st == "last dim of 3d":
            inputs = [("x", "torch.randn(4, 9, 120)")]
            r = ref
        else:
            inputs = [("x", "torch.randn(4, 100, 6)")]
            r = f"x = x.transpose(1, 2).contiguous()\ny = {ref}\nreturn y.transpose(1, 2){'.contiguous()' if st == 'dim 1' else ''}"
        if k == "l1":
            inputs = [(n, v + " + 3") for n, v in inputs]
        add(f"{k} {st}", task(inputs, r), candidate(row_kernel(k, body, other), "", fw.replace("{k}", k), inputs))
REDUCTION_HOSTS = {
    "rows": (
        "torch.randn(37, 200)",
        "{r}",
        "out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)\n{k}_kernel[(x.shape[0],)](x, out, x.stride(0), x.shape[1], BLOCK_SIZE=triton.next_power_of_2(x.shape[1]))\nreturn out",
    ),
    "keepdim": (
        "torch.randn(4, 9, 120)",
        "{r}.unsqueeze(-1)",
        "out = x.new_empty(x.shape[:-1] + (1,))\n{k}_kernel[(out.numel(),)](x, out, x.shape[-1], x.shape[-1], BLOCK_SIZE=triton.next_power_of_2(x.shape[-1]))\nreturn out",
    ),
    "dim 1": (
        "torch.randn(4, 100, 6)",
        "x = x.transpose(1, 2).contiguous()\nreturn {r}",
        "xt = x.transpose(1, 2).contiguous().view(-1, x.size(1))\nout = torch.empty(xt.size(0), dtype=torch.float32)\n{k}_kernel[(xt.size(0),)](xt, out, xt.size(1), xt.size(1), BLOCK_SIZE=triton.next_power_of_2(xt.size(1)))\nreturn out.view(x.size(0), x.size(2))",
    ),
}
for k, (ref, body, other) in REDUCTIONS.items():
    for st, (inp, r, fw) in REDUCTION_HOSTS.items():
        inp2 = inp + " + 2" if k in ("sum", "mean", "lse") else inp
        inputs = [("x", inp2)]
        add(
            f"reduce {k} {st}",
            task(inputs, r.replace("{r}", ref)),
            candidate(row_kernel("red_" + k, body, other, True), "", fw.replace("{k}", "red_" + k), inputs),
        )
# linear family
LIN = "self.fc = nn.Linear(70, 50)"
X = [("x", "torch.rand(40, 70)")]
lin = [
    ("linear of layer", "x = self.fc(x)\nreturn x", LIN, "return linear(x, self.fc.weight, self.fc.bias)", LIN),
    ("linear relu", "return F.relu(self.fc(x))", LIN, "return linear(x, self.fc.weight, self.fc.bias, act='relu')", LIN),
    (
        "linear silu, own parameters",
        "return F.silu(self.fc(x))",
        LIN,
        "return linear(x, self.weight, self.bias, 'silu')",
        "fc = nn.Linear(70, 50)\nself.weight = nn.Parameter(fc.weight.clone())\nself.bias = nn.Parameter(fc.bias.detach().clone())",
    ),
    (
        "linear, kaiming by hand",
        "return F.linear(x, self.weight)",
        "self.weight = nn.Parameter(torch.empty(50, 70))\nnn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))",
        "return linear(x, self.weight)",
        "self.weight = nn.Parameter(torch.empty(50, 70))\nnn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))",
    ),
    (
        "linear, transposed buffer",
        "return self.fc(x)",
        LIN,
        "return linear(x, self.wt.t(), self.b)",
        "fc = nn.Linear(70, 50)\nself.register_buffer('wt', fc.weight.detach().t().contiguous())\nself.register_buffer('b', fc.bias.detach())",
    ),
    (
        "two layers",
        "return self.b(F.relu(self.a(x)))",
        "self.a = nn.Linear(70, 50)\nself.b = nn.Linear(50, 20)",
        "h = linear(x, self.a.weight, self.a.bias, act='relu')\nreturn linear(h, self.b.weight, self.b.bias)",
        "self.a = nn.Linear(70, 50)\nself.b = nn.Linear(50, 20)",
    ),
    (
        "module list",
        "for l in self.ls:\n    x = F.relu(l(x))\nreturn x",
        "self.ls = nn.ModuleList(nn.Linear(70, 70) for _ in range(3))",
        "for layer in self.ls:\n    x = linear(x, layer.weight, layer.bias, act='relu')\nreturn x",
        "self.ls = nn.ModuleList(nn.Linear(70, 70) for _ in range(3))",
    ),
    (
        "sequential indices",
        "return self.net(x)",
        "self.net = nn.Sequential(nn.Linear(70, 50), nn.ReLU(), nn.Linear(50, 30))",
        "h = linear(x, self.net[0].weight, self.net[0].bias, act='relu')\nreturn linear(h, self.net[2].weight, self.net[2].bias)",
        "self.net = nn.Sequential(nn.Linear(70, 50), nn.ReLU(), nn.Linear(50, 30))",
    ),
    ("batched rows", "return self.fc(x)", LIN, "b, s, k = x.shape\nreturn linear(x.reshape(b * s, k), self.fc.weight, self.fc.bias).reshape(b, s, -1)", LIN),
    (
        "qkv split",
        "q, k, v = self.qkv(x).chunk(3, -1)\nreturn q, k, v",
        "self.qkv = nn.Linear(70, 60)",
        "out = linear(x, self.qkv.weight, self.qkv.bias)\nreturn out[:, :20], out[:, 20:40], out[:, 40:]",
        "self.qkv = nn.Linear(70, 60)",
    ),
    (
        "qkv chunk heads",
        "B, T, C = x.shape\nq, k, v = self.qkv(x).split(20, dim=2)\nreturn q.view(B, T, 2, 10).transpose(1, 2).contiguous()",
        "self.qkv = nn.Linear(70, 60)",
        "B, T, C = x.size()\nq, k, v = linear(x.view(-1, C), self.qkv.weight, self.qkv.bias).view(B, T, 60).split(20, dim=2)\nreturn q.view(B, T, 2, 10).transpose(1, 2).contiguous()",
        "self.qkv = nn.Linear(70, 60)",
    ),
    (
        "matmul nt",
        "return x @ self.w.t()",
        "self.w = nn.Parameter(torch.rand(30, 70))",
        "return linear(x, self.w)",
        "self.w = nn.Parameter(torch.rand(30, 70))",
    ),
    (
        "cached half weights",
        "return (x.half().float() @ self.fc.weight.half().float().t())",
        LIN.replace("50)", "50, bias=False)"),
        "if getattr(self, '_w', None) is None:\n    self._w = self.fc.weight.data.half()\nreturn linear(x.half(), self._w)",
        LIN.replace("50)", "50, bias=False)"),
    ),
    (
        "state dict names",
        "return self.fc(x)",
        LIN,
        "w, b = dict(self.named_parameters())['fc.weight'], dict(self.named_parameters())['fc.bias']\nreturn linear(x, w, b)",
        LIN,
    ),
    (
        "dropout in eval",
        "return self.drop(self.fc(x))",
        LIN + "\nself.drop = nn.Dropout(0.0)",
        "y = linear(x, self.fc.weight, self.fc.bias)\nreturn y",
        LIN + "\nself.drop = nn.Dropout(0.0)",
    ),
    (
        "bias by expand",
        "return self.fc(x) + 1",
        LIN,
        "out = linear(x, self.fc.weight, self.fc.bias)\nadd_one_kernel[(triton.cdiv(out.numel(), 1024),)](out, out, out.numel(), BLOCK_SIZE=1024)\nreturn out",
        LIN,
    ),
    (
        "einsum shapes",
        "return torch.einsum('bk,nk->bn', x, self.fc.weight)",
        LIN,
        "M, K = x.shape\nN = self.fc.out_features\nassert self.fc.in_features == K\nreturn linear(x, self.fc.weight).reshape(M, N)",
        LIN,
    ),
    (
        "cat of two",
        "return torch.cat([self.a(x), self.b(x)], dim=-1)",
        "self.a = nn.Linear(70, 20)\nself.b = nn.Linear(70, 30)",
        "out = torch.empty(x.size(0), 50, device=x.device, dtype=x.dtype)\nout[:, :20] = linear(x, self.a.weight, self.a.bias)\nout[:, 20:] = linear(x, self.b.weight, self.b.bias)\nreturn out",
        "self.a = nn.Linear(70, 20)\nself.b = nn.Linear(70, 30)",
    ),
    (
        "torch.cat of two",
        "return torch.cat([self.a(x), self.b(x)], dim=-1)",
        "self.a = nn.Linear(70, 20)\nself.b = nn.Linear(70, 30)",
        "return torch.cat([linear(x, self.a.weight, self.a.bias), linear(x, self.b.weight, self.b.bias)], dim=-1)",
        "self.a = nn.Linear(70, 20)\nself.b = nn.Linear(70, 30)",
    ),
    (
        "torch.stack of two",
        "return torch.stack([self.a(x), self.b(x)])",
        "self.a = nn.Linear(70, 20)\nself.b = nn.Linear(70, 20)",
        "return torch.stack([linear(x, self.a.weight, self.a.bias), linear(x, self.b.weight, self.b.bias)])",
        "self.a = nn.Linear(70, 20)\nself.b = nn.Linear(70, 20)",
    ),
    (
        "folded scale",
        "return self.fc(x) * self.g",
        "self.fc = nn.Linear(70, 50)\nself.g = nn.Parameter(torch.rand(50) + 0.5)",
        "out = linear(x, self.fc.weight, self.fc.bias)\nscale_kernel[(out.shape[0],)](out, self.g, out, out.shape[1], BLOCK_SIZE=64)\nreturn out",
        "self.fc = nn.Linear(70, 50)\nself.g = nn.Parameter(torch.rand(50) + 0.5)",
    ),
    ("flatten", "return self.fc(x.flatten(1))", LIN, "return linear(torch.flatten(x, 1), self.fc.weight, self.fc.bias)", LIN),
    (
        "no_grad and detach",
        "return self.fc(x)",
        LIN,
        "with torch.no_grad():\n    w, b = self.fc.weight.detach(), self.fc.bias.detach()\n    return linear(x.detach(), w, b)",
        LIN,
    ),
    ("inference decorator", "return self.fc(x)", LIN, "return self.run(x)", LIN),
]
ADD1 = (
    elementwise("add_one", ["x"], "x + 1.0")
    + """
@triton.jit
def scale_kernel(x_ptr, g_ptr, y_ptr, n, BLOCK_SIZE: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK_SIZE)
    m = cols < n
    tl.store(y_ptr + row * n + cols, tl.load(x_ptr + row * n + cols, mask=m) * tl.load(g_ptr + cols, mask=m), mask=m)
"""
)
for name, r, ti, fw, ci in lin:
    inputs = X
    if name in ("batched rows", "qkv chunk heads"):
        inputs = [("x", "torch.rand(4, 10, 70)")]
    if name == "flatten":
        inputs = [("x", "torch.rand(40, 7, 10)")]
    c = candidate(MM + ADD1, "", fw, inputs, ci)
    if name == "inference decorator":
        c += "\n    @torch.inference_mode()\n    def run(self, x):\n        return linear(x, self.fc.weight, self.fc.bias)\n"
    add("mm " + name, task(inputs, r, ti), c)
