"""Honest candidates as people publish them: modules of several kernels, weights, buffers, conversions, views, wrappers of all kinds.

A line of `CANDIDATES` is (inputs of the task, its Model, kernels of the library that are used, ModelNew and what stands before it). `Model` and
`ModelNew` are bodies of a class; the text around them is made here.
"""

import textwrap

from library import source

HEAD = """
import contextlib
import dataclasses
import functools
import logging
import math
import typing
from typing import List, NamedTuple, Optional, Tuple
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
"""


def _plain(arguments, body):
    return f"def forward(self, {arguments}):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ")


GELU = ["torch.randn(64, 100).clamp(-3, 3)"], _plain("x", "return F.gelu(x)"), ["gelu"]
SOFTMAX = ["torch.randn(33, 300)"], _plain("x", "return x.softmax(-1)"), ["softmax"]
ADD = ["torch.randn(50, 60)", "torch.randn(50, 60)"], _plain("a, b", "return a + b"), ["add"]
NORM = """
def __init__(self, size=200):
    super().__init__()
    self.weight = nn.Parameter(torch.rand(size) + 0.5)
    self.bias = nn.Parameter(torch.randn(size))
"""
LAYER_NORM = ["torch.randn(40, 200)"], NORM + _plain("x", "return F.layer_norm(x, (200,), self.weight, self.bias, 1e-5)"), ["layer_norm"]
LINEAR = """
def __init__(self):
    super().__init__()
    self.proj = nn.Linear(96, 80, bias=False)
"""
PROJECTION = ["torch.randn(64, 96).half()"], LINEAR + _plain("x", "return x.float() @ self.proj.weight.half().float().t()"), ["matmul"]


def _candidate(task, *parts, before="", init=""):
    """`parts` are lines of forward; its arguments are those of the task's Model."""
    return (*task, textwrap.dedent(before), textwrap.dedent(init).strip() + "\n" if init else None, "\n".join(textwrap.dedent(part).strip() for part in parts))


CANDIDATES = {
    "empty_like": _candidate(GELU, "y = torch.empty_like(x)\ngelu_launch(x, y)\nreturn y"),
    "new_empty": _candidate(GELU, "y = x.new_empty(x.shape)\ngelu_launch(x, y)\nreturn y"),
    "new_zeros and squeeze": _candidate(GELU, "y = x.new_zeros((1, *x.shape))\ngelu_launch(x, y[0])\nreturn y.squeeze(0)"),
    "full": _candidate(GELU, "y = torch.full(x.shape, float('nan'), dtype=x.dtype, device=x.device)\ngelu_launch(x, y)\nreturn y"),
    "flattened": _candidate(GELU, "shape = x.shape\nflat = x.contiguous().view(-1)\ny = torch.empty_like(flat)\ngelu_launch(flat, y)\nreturn y.view(*shape)"),
    "a clone in place": _candidate(GELU, "y = x.clone()\ngelu_launch(y, y)\nreturn y"),
    "in double, converted back": _candidate(GELU, "work = x.to(torch.float32)\ny = torch.empty(work.shape, dtype=torch.float32, device=x.device)\n"
                                                  "gelu_launch(work, y)\nreturn y.to(x.dtype)"),
    "half inputs, float kernel, half result": _candidate(
        (["torch.randn(64, 100).half()"], _plain("x", "return F.gelu(x.float()).half()"), ["gelu"]),
        "y = torch.empty(x.shape, dtype=torch.float32)\ngelu_launch(x.float(), y)\nreturn y.half()"),
    "bfloat16 inputs": _candidate(
        (["torch.randn(64, 100).bfloat16()"], _plain("x", "return F.gelu(x.float()).bfloat16()"), ["gelu"]),
        "y = torch.empty_like(x, dtype=torch.float32)\ngelu_launch(x.float(), y)\nreturn y.bfloat16()"),
    "early return for empty inputs": _candidate(GELU, "if x.numel() == 0:\n    return torch.empty_like(x)\ny = torch.empty_like(x)\ngelu_launch(x, y)\nreturn y"),
    "checks what it is given": _candidate(GELU, "assert x.dim() == 2 and x.is_contiguous() and x.dtype in (torch.float16, torch.float32), x.dtype\n"
                                                "rows, columns = x.shape\ny = torch.empty((rows, columns), dtype=x.dtype)\ngelu_launch(x, y)\nreturn y"),
    "no_grad and logging": _candidate(GELU, "LOG.debug('gelu of %s', tuple(x.shape))\nwith torch.no_grad():\n    y = torch.empty_like(x)\n    gelu_launch(x, y)\nreturn y",
                                      before="LOG = logging.getLogger(__name__)"),
    "prints shapes": _candidate(GELU, "print('gelu', x.shape, x.stride(), x.dtype)\ny = torch.empty_like(x)\ngelu_launch(x, y)\nreturn y"),
    "autograd function": _candidate(GELU, "return Gelu.apply(x)", before="""
        class Gelu(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                y = torch.empty_like(x)
                gelu_launch(x, y)
                return y

            @staticmethod
            def backward(ctx, gradient):
                raise NotImplementedError
        """),
    "custom operator": _candidate(GELU, "return torch.ops.public.gelu(x)", before="""
        @torch.library.custom_op("public::gelu", mutates_args=())
        def gelu_op(x: torch.Tensor) -> torch.Tensor:
            y = torch.empty_like(x)
            gelu_launch(x, y)
            return y

        @gelu_op.register_fake
        def _(x):
            return torch.empty_like(x)
        """),
    "module of modules": _candidate(GELU, "return self.inner(x)", before="""
        class Inner(nn.Module):
            def forward(self, x):
                y = torch.empty_like(x)
                gelu_launch(x, y)
                return y
        """, init="self.inner = Inner()"),
    "function in an attribute": _candidate(GELU, "y = torch.empty_like(x)\nself.launch(x, y)\nreturn y", init="self.launch = functools.partial(gelu_launch, approximate='none')"),
    "chosen by dtype": _candidate(GELU, "y = torch.empty_like(x)\nLAUNCHES[x.dtype](x, y)\nreturn y", before="LAUNCHES = {torch.float32: gelu_launch, torch.float16: gelu_launch}"),
    "configuration": _candidate(GELU, "y = torch.empty_like(x)\ngelu_launch(x, y, self.config.approximate)\nreturn y", before="""
        @dataclasses.dataclass(frozen=True)
        class Config:
            approximate: str = "none"
        """, init="self.config = Config()"),
    "an output that is kept": _candidate(GELU, "if self.out is None or self.out.shape != x.shape:\n    self.out = torch.empty_like(x)\ngelu_launch(x, self.out)\nreturn self.out", init="self.out = None"),
    "row by row": _candidate(GELU, "y = torch.empty_like(x)\nfor row in range(x.shape[0]):\n    gelu_launch(x[row], y[row])\nreturn y"),
    "in chunks": _candidate(GELU, "y = torch.empty_like(x)\nfor source, target in zip(x.split(16), y.split(16)):\n    gelu_launch(source, target)\nreturn y"),
    "synchronised": _candidate(GELU, "x = x.npu()\ny = torch.empty_like(x)\ngelu_launch(x, y)\ntorch.npu.synchronize()\nreturn y", before="import torch_npu"),
    "a stream": _candidate(GELU, "y = torch.empty_like(x)\nstream = torch.npu.Stream()\nwith torch.npu.stream(stream):\n    gelu_launch(x, y)\nstream.synchronize()\nreturn y", before="import torch_npu"),
    "events around it": _candidate(GELU, "begin, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)\nbegin.record()\ny = torch.empty_like(x)\n"
                                         "gelu_launch(x, y)\nend.record()\ntorch.npu.synchronize()\nself.last = begin.elapsed_time(end)\nreturn y", before="import torch_npu"),
    "device by name": _candidate(GELU, "y = torch.empty(x.shape, dtype=x.dtype, device='npu:0')\ngelu_launch(x.to('npu:0'), y)\nreturn y", before="import torch_npu"),
    "NumPy": _candidate(GELU, "a = np.ascontiguousarray(x.numpy())\nout = np.empty_like(a)\ngelu_launch(a, out)\nreturn torch.from_numpy(out)"),
    "NumPy by detach and cpu": _candidate(GELU, "a = x.detach().cpu().numpy()\nout = np.zeros(a.shape, dtype=a.dtype)\ngelu_launch(a, out)\nreturn torch.from_numpy(out).to(x.device)"),
    "NumPy, flat": _candidate(GELU, "out = np.empty(x.numel(), np.float32)\ngelu_launch(x.numpy().reshape(-1), out)\nreturn torch.from_numpy(out).view(x.shape)"),
    "a transposed view": _candidate(GELU, "y = torch.empty(x.shape[::-1], dtype=x.dtype)\ngelu_launch(x.t().contiguous(), y)\nreturn y.t().contiguous()"),
    "strided view of the input": _candidate(
        (["torch.randn(30, 128)"], _plain("x", "return F.gelu(x[:, ::2])"), ["gelu"]),
        "half = x[:, ::2].contiguous()\ny = torch.empty_like(half)\ngelu_launch(half, y)\nreturn y"),
    "three dimensions": _candidate((["torch.randn(2, 3, 70)"], _plain("x", "return x.softmax(-1)"), ["softmax"]),
                                   "rows = x.reshape(-1, x.shape[-1])\ny = torch.empty_like(rows)\nsoftmax_launch(rows, y)\nreturn y.reshape(x.shape)"),
    "another dimension": _candidate((["torch.randn(4, 50, 6)"], _plain("x", "return x.softmax(1)"), ["softmax"]),
                                    "rows = x.transpose(1, 2).contiguous()\ny = torch.empty_like(rows)\nsoftmax_launch(rows.view(-1, rows.shape[-1]), y.view(-1, y.shape[-1]))\n"
                                    "return y.transpose(1, 2).contiguous()"),
    "two outputs": _candidate((["torch.randn(33, 300)"], _plain("x", "return x.softmax(-1), F.gelu(x)"), ["softmax", "gelu"]),
                              "p, g = torch.empty_like(x), torch.empty_like(x)\nsoftmax_launch(x, p)\ngelu_launch(x, g)\nreturn p, g"),
    "a named tuple": _candidate((["torch.randn(33, 300)"], _plain("x", "return x.softmax(-1), x.sum(-1)"), ["softmax", "reduce_sum"]),
                                "out = Out(torch.empty_like(x), torch.empty(x.shape[0]))\nsoftmax_launch(x, out.p)\nrow_sum_launch(x, out.s)\nreturn out",
                                before="class Out(NamedTuple):\n    p: torch.Tensor\n    s: torch.Tensor"),
    "a dict of outputs": _candidate((["torch.randn(33, 300)"], _plain("x", "return {'p': x.softmax(-1), 'g': F.gelu(x)}"), ["softmax", "gelu"]),
                                    "outs = {name: torch.empty_like(x) for name in ('p', 'g')}\nsoftmax_launch(x, outs['p'])\ngelu_launch(x, outs['g'])\nreturn outs"),
    "two stages": _candidate((["torch.randn(33, 300)"], _plain("x", "return F.gelu(x.softmax(-1))"), ["softmax", "gelu"]),
                             "middle = torch.empty_like(x)\nsoftmax_launch(x, middle)\ny = torch.empty_like(x)\ngelu_launch(middle, y)\nreturn y"),
    "a residual": _candidate((["torch.randn(33, 300)"], _plain("x", "return x + F.gelu(x)"), ["gelu", "add"]),
                             "y = torch.empty_like(x)\ngelu_launch(x, y)\nout = torch.empty_like(x)\nadd_launch(x, y, out)\nreturn out"),
    "a list of inputs": _candidate((["[torch.randn(20, 30) for _ in range(3)]"], _plain("xs", "return [F.gelu(x) for x in xs]"), ["gelu"]),
                                   "ys = [torch.empty_like(x) for x in xs]\nfor x, y in zip(xs, ys):\n    gelu_launch(x, y)\nreturn ys"),
    "numbers and flags as inputs": _candidate((["torch.randn(20, 30)", "0.25", "True", "None"], _plain("x, slope, on, mask", "return F.leaky_relu(x, slope) if on else x"), ["leaky_relu"]),
                                              "assert mask is None\ny = torch.empty_like(x)\nleaky_relu_launch(x, y, float(slope) if on else 1.0)\nreturn y"),
    "a broadcast operand": _candidate((["torch.randn(50, 60)", "torch.randn(60)"], _plain("a, b", "return a + b"), ["add"]),
                                      "y = torch.empty_like(a)\nadd_launch(a, b.expand_as(a).contiguous(), y)\nreturn y"),
    "weights of a norm": _candidate(LAYER_NORM, "y = torch.empty_like(x)\nlayer_norm_launch(x, self.weight, self.bias, y)\nreturn y",
                                    init="self.weight = nn.Parameter(torch.rand(size) + 0.5)\nself.bias = nn.Parameter(torch.randn(size))"),
    "weights of a norm as arrays": _candidate(LAYER_NORM, "y = np.empty(x.shape, np.float32)\nlayer_norm_launch(x.numpy(), self.weight.detach().numpy(), self.bias.data.numpy(), y)\nreturn torch.from_numpy(y)",
                                              init="self.weight = nn.Parameter(torch.rand(size) + 0.5)\nself.bias = nn.Parameter(torch.randn(size))"),
    "weights of a layer, converted in the call": _candidate(PROJECTION, "w = self.proj.weight.t().contiguous().half()\nout = torch.empty(x.shape[0], w.shape[1])\nmatmul_launch(x, w, out)\nreturn out",
                                                            init="self.proj = nn.Linear(96, 80, bias=False)"),
    "weights of a layer, prepared at first": _candidate(PROJECTION, "if self.ready is None:\n    self.ready = self.proj.weight.detach().half().t().contiguous()\n"
                                                                    "out = torch.empty(x.shape[0], self.ready.shape[1])\nmatmul_launch(x, self.ready, out)\nreturn out",
                                                        init="self.proj = nn.Linear(96, 80, bias=False)\nself.ready = None"),
    "weights of a layer in a buffer": _candidate(PROJECTION, "out = torch.empty(x.shape[0], self.w.shape[1])\nmatmul_launch(x, self.w, out)\nreturn out",
                                                 init="proj = nn.Linear(96, 80, bias=False)\nself.register_buffer('w', proj.weight.detach().half().t().contiguous())"),
    "fused weights": _candidate((["torch.randn(9, 600)"], _plain("x", "return F.silu(x[:, :300]) * x[:, 300:]"), ["swiglu"]),
                                "y = x.new_empty(x.shape[0], x.shape[1] // 2)\nswiglu_launch(x.contiguous(), y)\nreturn y"),
    "in an exit stack": _candidate(ADD, "with contextlib.ExitStack() as stack:\n    stack.enter_context(torch.no_grad())\n    c = torch.empty_like(a)\n    add_launch(a, b, c)\nreturn c"),
    "finally": _candidate(ADD, "c = torch.empty_like(a)\ntry:\n    add_launch(a, b, c)\nfinally:\n    self.calls += 1\nreturn c", init="self.calls = 0"),
    "in place in a part": _candidate((["torch.randn(40, 128)"], _plain("x", "return torch.cat([F.gelu(x[:, :64]), x[:, 64:]], 1)"), ["gelu"]),
                                     "y = x.clone()\ng = torch.empty(x.shape[0], 64)\ngelu_launch(x[:, :64].contiguous(), g)\ny[:, :64] = g\nreturn y"),
    "zeros beside results": _candidate((["torch.randn(40, 100)"], _plain("x", "return F.pad(F.gelu(x), (0, 0, 0, 24))"), ["gelu"]),
                                       "y = torch.zeros(x.shape[0] + 24, x.shape[1])\ngelu_launch(x, y[:x.shape[0]])\nreturn y"),
    "weights of several layers in one": _candidate((["torch.randn(64, 96).half()"],
        "def __init__(self):\n    super().__init__()\n    self.q, self.k, self.v = (nn.Linear(96, 32, bias=False) for _ in range(3))\n"
        + _plain("x", "return torch.cat([x.float() @ each.weight.half().float().t() for each in (self.q, self.k, self.v)], 1)"), ["matmul"]),
        "y = torch.empty(x.shape[0], 96)\nmatmul_launch(x, self.w, y)\nreturn y",
        init="q, k, v = (nn.Linear(96, 32, bias=False) for _ in range(3))\nself.w = torch.cat([q.weight, k.weight, v.weight]).t().contiguous().half()"),
    "padded weights": _candidate((["torch.randn(64, 90).half()"], "def __init__(self):\n    super().__init__()\n    self.proj = nn.Linear(90, 70, bias=False)\n"
        + _plain("x", "return x.float() @ self.proj.weight.half().float().t()"), ["matmul"]),
        "a = torch.zeros(x.shape[0], 96, dtype=x.dtype)\na[:, :90] = x\ny = torch.empty(x.shape[0], 80)\nmatmul_launch(a, self.w, y)\nreturn y[:, :70].contiguous()",
        init="proj = nn.Linear(90, 70, bias=False)\nself.w = F.pad(proj.weight.detach().half(), (0, 6, 0, 10)).t().contiguous()"),
    "a causal mask": _candidate((["torch.randn(100, 100)"], _plain("x", "return x + torch.full((100, 100), -1e4).triu(1)"), ["add"]),
                                "y = torch.empty_like(x)\nadd_launch(x, self.mask, y)\nreturn y", init="self.register_buffer('mask', torch.full((100, 100), -1e4).triu(1))"),
    "slopes times distances": _candidate((["torch.randn(8, 64, 64)"], _plain("x", "s = torch.tensor([2.0 ** -(i + 1) for i in range(8)])\n"
                                          "return x + s[:, None, None] * (torch.arange(64)[None] - torch.arange(64)[:, None])[None]"), ["add"]),
                                         "y = torch.empty_like(x)\nadd_launch(x, self.bias, y)\nreturn y",
                                         init="s = torch.tensor([2.0 ** -(i + 1) for i in range(8)])\nself.bias = s[:, None, None] * (torch.arange(64)[None] - torch.arange(64)[:, None])[None].contiguous()"),
    "cosines and sines made at first": _candidate((["torch.randn(9, 7, 128)"], _plain("x", """
        f = 1.0 / 10000 ** (torch.arange(0, 64).float() / 64)
        a = torch.arange(9).float()[:, None] * f
        c, s = a.cos()[:, None], a.sin()[:, None]
        return torch.cat([x[..., :64] * c - x[..., 64:] * s, x[..., 64:] * c + x[..., :64] * s], -1)"""), ["rope"]),
        "y = torch.empty_like(x)\nrope_launch(x, self.c, self.s, y)\nreturn y",
        init="f = 1.0 / 10000 ** (torch.arange(0, 64).float() / 64)\na = torch.arange(9).float()[:, None] * f\nself.c, self.s = a.cos(), a.sin()"),
    "joined by slices": _candidate((["torch.randn(20, 30)", "torch.randn(20, 10)"], _plain("a, b", "return torch.cat([F.gelu(a), F.gelu(b)], 1)"), ["gelu"]),
                                   "y = torch.empty(a.shape[0], a.shape[1] + b.shape[1])\nleft, right = torch.empty_like(a), torch.empty_like(b)\ngelu_launch(a, left)\n"
                                   "gelu_launch(b, right)\ny[:, :a.shape[1]] = left\ny[:, a.shape[1]:].copy_(right)\nreturn y"),
    "padded for the kernel": _candidate(GELU, "n = x.numel()\npadded = torch.zeros((n + 511) // 512 * 512)\npadded[:n].copy_(x.view(-1))\ny = torch.empty_like(padded)\n"
                                              "gelu_launch(padded, y)\nreturn y[:n].view(x.shape)"),
    "a seed that is drawn": _candidate(GELU, "seed = int(torch.randint(0, 2**31 - 1, (1,)).item())\ntorch.seed()\ny = torch.empty_like(x)\ngelu_launch(x, y)\nself.seed = seed\nreturn y"),
    "weights that are repeated": _candidate((["torch.randn(50, 60)"], "def __init__(self):\n    super().__init__()\n    self.w = nn.Parameter(torch.randn(60))\n"
                                             + _plain("a", "return a + self.w"), ["add"]),
                                            "y = torch.empty_like(a)\nadd_launch(a, self.w.repeat(a.shape[0], 1), y)\nreturn y", init="self.w = nn.Parameter(torch.randn(60))"),
    "positions and sizes on the host": _candidate(GELU, "sizes = torch.tensor([x.shape[0], x.shape[1]])\nrows = int(sizes[0])\nassert sizes.tolist() == list(x.shape)\n"
                                                        "y = torch.empty(rows, x.shape[1])\ngelu_launch(x, y)\nreturn y"),
    "settings in an array": _candidate(GELU, "settings = np.zeros(4, np.int32)\nsettings[0] = x.numel()\ny = torch.empty_like(x)\ngelu_launch(x, y)\nreturn y"),
    "autocast": _candidate(GELU, "with torch.autocast('npu', enabled=False):\n    y = torch.empty_like(x)\n    gelu_launch(x, y)\nreturn y", before="import torch_npu"),
    "compiled eagerly": _candidate(GELU, "return self.work(x)", before="""
        def work(x):
            y = torch.empty_like(x)
            gelu_launch(x, y)
            return y
        """, init="self.work = torch.compiler.disable(work)"),
}

def candidates():
    """(name, task, candidate) of all."""
    for name, (inputs, model, kernels, before, init, forward) in CANDIDATES.items():
        task = f"{HEAD}\nclass Model(nn.Module):\n{textwrap.indent(model.strip(), '    ')}\ndef get_init_inputs():\n    return []\n"
        task += f"def get_inputs():\n    return [{', '.join(inputs)}]\n"
        seen = set()
        text = HEAD + "".join(source(kernel, seen) for kernel in kernels if kernel not in seen)
        constructor = f"def __init__(self, size=200):\n    super().__init__()\n{textwrap.indent(init, '    ')}" if init else ""
        arguments = model.rpartition("def forward(self, ")[2].partition(")")[0]
        body = f"{constructor}def forward(self, {arguments}):\n{textwrap.indent(forward, '    ')}\n"
        yield name, task, f"{text}\n{before}\nclass ModelNew(nn.Module):\n{textwrap.indent(body, '    ')}"
