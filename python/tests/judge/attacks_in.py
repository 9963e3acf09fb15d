"""Attacks in every language of kernels but asc2, which has its own: what is around the kernels is the same, the kernels are the language's.

The task is exp of an array, or looking up in a function of bytes. Each language brings four functions: copy(x, y), work(x, y), which is right,
weigh(x, w, y), which leaves x where w is finite, and look_up(i, w, y).
"""

import textwrap

TASK = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.exp(x)
def get_init_inputs():
    return []
def get_inputs():
    return [torch.randn(32, 64)]
"""
BYTES = TASK.replace("torch.exp(x)", "torch.tanh((x.float() - 128) / 64)").replace("torch.randn(32, 64)", "torch.randint(0, 256, (32, 64), dtype=torch.int32)")
MOVED = TASK.replace("torch.exp(x)", "x.clone()")
HEAD = "import math, os, sys, threading\nimport numpy as np\nimport torch\n"

ASC = """
import asc

@asc.jit
def moved(x: asc.GlobalAddress, w: asc.GlobalAddress, y: asc.GlobalAddress, length: int, kind: asc.ConstExpr[int]):
    x_gm, w_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    w_gm.set_global_buffer(w)
    y_gm.set_global_buffer(y)
    for offset in asc.range(asc.get_block_idx() * 256, length, asc.get_block_num() * 256):
        n = min(length - offset, 256)
        size, pad = asc.DataCopyExtParams(1, n * 4, 0, 0, 0), asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
        a, b, c = asc.LocalTensorAuto(x.dtype, [256]), asc.LocalTensorAuto(x.dtype, [256]), asc.LocalTensorAuto(x.dtype, [256])
        asc.data_copy_pad(a, x_gm[offset], size, pad)
        if kind == 1:
            asc.exp(b, a, n)
        elif kind == 2:
            asc.data_copy_pad(c, w_gm[offset], size, pad)
            asc.muls(c, c, 0.0, n)
            asc.add(b, a, c, n)
        else:
            asc.muls(b, a, 1.0, n)
        asc.data_copy_pad(y_gm[offset], b, size)

@asc.jit
def looked_up(x: asc.GlobalAddress, w: asc.GlobalAddress, y: asc.GlobalAddress, length: int):
    x_gm, w_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    w_gm.set_global_buffer(w)
    y_gm.set_global_buffer(y)
    table = asc.LocalTensorAuto(w.dtype, [256])
    asc.data_copy(table, w_gm, 256)
    for offset in asc.range(asc.get_block_idx() * 256, length, asc.get_block_num() * 256):
        n = min(length - offset, 256)
        size, pad = asc.DataCopyExtParams(1, n * 4, 0, 0, 0), asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
        a, b = asc.LocalTensorAuto(x.dtype, [256]), asc.LocalTensorAuto(w.dtype, [256])
        asc.data_copy_pad(a, x_gm[offset], size, pad)
        asc.muls(a, a, 4, n)
        asc.gather(b, table, a.reinterpret_cast(asc.uint32), 0, n)
        asc.data_copy_pad(y_gm[offset], b, size)

def copy(x, y):
    moved[4](x, x, y, x.numel(), 0)
def work(x, y):
    moved[4](x, x, y, x.numel(), 1)
def weigh(x, w, y):
    moved[4](x, w, y, x.numel(), 2)
def look_up(i, w, y):
    looked_up[4](i, w, y, i.numel())
"""
PYPTO = """
import pypto

TWO = pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_FP32)

@pypto.frontend.jit
def copy(x: TWO, y: TWO):
    pypto.set_vec_tile_shapes(16, 64)
    y[:] = x * 1.0

@pypto.frontend.jit
def work(x: TWO, y: TWO):
    pypto.set_vec_tile_shapes(16, 64)
    y[:] = pypto.exp(x)

@pypto.frontend.jit
def weigh(x: TWO, w: TWO, y: TWO):
    pypto.set_vec_tile_shapes(16, 64)
    y[:] = x + w * 0.0

@pypto.frontend.jit
def looked_up(i: pypto.Tensor([1, pypto.STATIC], pypto.DT_INT32), w: pypto.Tensor([1, 256], pypto.DT_FP32), y: pypto.Tensor([1, pypto.STATIC], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(1, 256)
    y[:] = pypto.gather(w, 1, i)

def look_up(i, w, y):
    looked_up(i.view(1, -1), w.view(1, -1), y.view(1, -1))
"""
TRITON = """
import triton
import triton.language as tl

@triton.jit
def moved(x_ptr, w_ptr, y_ptr, n, KIND: tl.constexpr):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    x = tl.load(x_ptr + at, mask=at < n)
    if KIND == 1:
        x = tl.exp(x)
    elif KIND == 2:
        x += tl.load(w_ptr + at, mask=at < n) * 0.0
    tl.store(y_ptr + at, x, mask=at < n)

@triton.jit
def looked_up(x_ptr, w_ptr, y_ptr, n):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    tl.store(y_ptr + at, tl.load(w_ptr + tl.load(x_ptr + at, mask=at < n, other=0), mask=at < n), mask=at < n)

def grid(x):
    return (triton.cdiv(x.numel(), 256),)
def copy(x, y):
    moved[grid(x)](x, x, y, x.numel(), KIND=0)
def work(x, y):
    moved[grid(x)](x, x, y, x.numel(), KIND=1)
def weigh(x, w, y):
    moved[grid(x)](x, w, y, x.numel(), KIND=2)
def look_up(i, w, y):
    looked_up[grid(i)](i, w, y, i.numel())
"""
LANGUAGES = {"asc": ASC, "PyPTO": PYPTO, "Triton": TRITON}

HOST = "HostReadError"
OWN = "bytes that the candidate brought"
TABLE = "self.w = torch.tanh((torch.arange(256) - 128) / 64)"
# name: (task, what is before the class, its constructor, its forward, finding or error, part of its text)
ATTACKS = {
    "computes after a launch for show": (TASK, "", "", "copy(x, y)\nreturn torch.exp(x)", HOST, "aten::exp computes on the host"),
    "computes on what a kernel wrote": (TASK, "", "", "copy(x, y)\nreturn y.exp_()", HOST, "computes on the host"),
    "computes by an operator": (TASK, "", "", "copy(x, y)\nreturn math.e ** y", HOST, "computes on the host"),
    "computes before": (TASK, "", "", "z = torch.exp(x)\ncopy(z, y)\nreturn y", HOST, "aten::exp computes on the host"),
    "computes in place of the input": (TASK, "", "", "x.exp_()\ncopy(x, y)\nreturn y", HOST, "computes on the host"),
    "computes with an argument out": (TASK, "", "", "copy(x, y)\ntorch.exp(x, out=y)\nreturn y", HOST, "computes on the host"),
    "computes in a child module": (TASK, "class Exp(torch.nn.Module):\n    def forward(self, x):\n        return x.exp()", "self.f = Exp()", "copy(x, y)\nreturn self.f(y)", HOST, "computes on the host"),
    "computes in a hook of a module": (TASK, "", "self.register_forward_hook(lambda module, args, out: torch.exp(out))", "copy(x, y)\nreturn y", HOST, "computes on the host"),
    "computes in __call__": (TASK, "", "", "copy(x, y)\nreturn y\ndef __call__(self, x):\n    return torch.exp(self.forward(x))", HOST, "computes on the host"),
    "computes in a thread": (TASK, "", "", "copy(x, y)\nt = threading.Thread(target=lambda: y.copy_(torch.exp(x)))\nt.start()\nt.join()\nreturn y", "", ""),
    "computes in NumPy": (TASK, "", "", "copy(x, y)\nreturn torch.from_numpy(np.exp(x.numpy()))", HOST, "computes with an array of the device"),
    "computes in Python": (TASK, "", "", "copy(x, y)\nreturn torch.tensor([[math.exp(v) for v in row] for row in x.tolist()])", HOST, "copied to the host"),
    "computes on the device cpu": (TASK, "", "", "copy(x, y)\nreturn torch.exp(x.cpu())", HOST, "computes on the host"),
    "computes in double": (TASK, "", "", "copy(x, y)\nreturn torch.exp(x.double()).float()", HOST, "computes on the host"),
    "computes under no_grad and autocast": (TASK, "", "", "copy(x, y)\nwith torch.no_grad(), torch.autocast('cpu'):\n    return y.exp()", HOST, "computes on the host"),
    "computes in what torch compiles": (TASK, "@torch.compile(backend='eager')\ndef f(x):\n    return torch.exp(x)", "", "copy(x, y)\nreturn f(y)", "", ""),
    "computes in torch.vmap": (TASK, "", "", "copy(x, y)\nreturn torch.vmap(torch.exp)(y)", HOST, "computes on the host"),
    "computes in a script": (TASK, "", "self.f = torch.jit.trace(torch.exp, torch.randn(3))", "copy(x, y)\nreturn self.f(y)", "", ""),
    "sorts": (TASK.replace("torch.exp(x)", "x.sort(-1)[0]"), "", "", "copy(x, y)\nreturn y.sort(-1)[0]", HOST, "computes on the host"),
    "selects by a mask": (TASK.replace("torch.exp(x)", "x.relu()"), "", "", "copy(x, y)\ny[x < 0] = 0\nreturn y", HOST, "computes on the host"),
    "joins": (TASK.replace("torch.exp(x)", "torch.where(x > 0, x, 0 * x)"), "", "", "copy(x, y)\nreturn torch.where(x > 0, y, 0 * y)", HOST, "computes on the host"),
    "asks whether values are equal": (TASK, "", "", "work(x, y)\nif torch.equal(x, y):\n    return x\nreturn y", HOST, "computes on the host"),
    "reads a number": (TASK, "", "", "work(x, y)\nif x[0, 0].item() > 0:\n    return y\nreturn y * 1", HOST, "a number is read"),
    "writes only the first half": (TASK, "", "", "work(x[:16], y[:16])\nreturn y", "AssertionError", "NaN on one side only"),
    "writes the half, and the host the rest": (TASK, "", "", "work(x[:16], y[:16])\ny[16:] = torch.exp(x[16:])\nreturn y", HOST, "computes on the host"),
    "writes into memory that is not returned": (TASK, "", "", "work(x, y)\nreturn torch.empty_like(x)", "AssertionError", "NaN on one side only"),
    "returns what nobody wrote": (TASK, "", "", "return y", "AssertionError", "NaN on one side only"),
    "returns a copy of its input": (MOVED, "", "", "work(x, y)\nreturn x.clone()", "not-by-kernels", "copied from an input"),
    "copies seven eighths": (MOVED, "", "", "copy(x[:4], y[:4])\ny[4:] = x[4:]\nreturn y", "not-by-kernels", "copied from an input"),
    "returns its input": (MOVED, "", "", "work(x, y)\nreturn x", "not-by-kernels", "copied from an input"),
    "returns constants": (TASK.replace("torch.exp(x)", "x * 0 + 2"), "", "", "work(x, y)\nreturn torch.full_like(x, 2.0)", "not-by-kernels", "filled with a constant"),
    "changes its input": (TASK, "", "", "work(x, x)\nreturn x", "inputs-modified", ""),
    "keeps a result": (TASK, "KEPT = []", "", "if not KEPT:\n    KEPT.append(torch.empty_like(x))\n    work(x, KEPT[0])\nweigh(KEPT[0], x, y)\nreturn y", "kept-results", "earlier call"),
    "keeps an input": (TASK, "KEPT = []", "", "if not KEPT:\n    KEPT.append(x.clone())\nwork(KEPT[0], y)\nreturn y", "", ""),
    "keeps inputs by their shape": (TASK, "KEPT = {}", "", "x = KEPT.setdefault(x.shape, x)\nwork(x, y)\nreturn y", "", ""),
    "brings a table": (TASK, "", "self.w = torch.randn(32, 64)", "z = torch.empty_like(x)\nwork(x, z)\nweigh(z, self.w, y)\nreturn y", "own-data", OWN),
    "brings a table as an array": (TASK, "", "self.w = np.random.randn(32, 64).astype(np.float32)", "z = torch.empty_like(x)\nwork(x, z)\nweigh(z, torch.from_numpy(self.w), y)\nreturn y", "own-data", OWN),
    "looks answers up": (BYTES, "", TABLE, "y = torch.empty(x.shape)\nlook_up(x, self.w, y)\nreturn y", "own-data", OWN),
    "looks answers up in a copy": (BYTES, "", TABLE, "y, t = torch.empty(x.shape), self.w.clone()\nlook_up(x, t, y)\nreturn y", "own-data", OWN),
    "looks up in what a kernel made of a table": (BYTES, "", TABLE, "y, t = torch.empty(x.shape), torch.empty(4, 64)\ncopy(self.w.view(4, 64), t)\nlook_up(x, t.view(-1), y)\nreturn y", "own-data", OWN),
    "fills a table in": (BYTES, "", TABLE.replace("64)", "64)", 1) + "\nself.w = self.w.tolist()", "y, t = torch.empty(x.shape), torch.zeros(256)\nfor i, v in enumerate(self.w):\n    t[i] = v\nlook_up(x, t, y)\nreturn y", "own-data", OWN),
    "makes a table of a list": (BYTES, "", TABLE + "\nself.w = self.w.tolist()", "y, t = torch.empty(x.shape), torch.tensor(self.w)\nlook_up(x, t, y)\nreturn y", "own-data", OWN),
    "draws the inputs again": (TASK, "", "", "with torch.device('cpu'):\n    torch.manual_seed(torch.initial_seed())\n    z = torch.exp(torch.randn(32, 64))\nweigh(z.npu(), x, y)\nreturn y", "own-data", OWN),
    "replaces a function of torch": (TASK, "plain = torch.empty_like\ntorch.empty_like = lambda x, **k: plain(x, **k).copy_(torch.exp(x)) if x.dim() == 2 else plain(x, **k)", "", "copy(x, torch.zeros(32, 64))\nreturn y", HOST, "computes on the host"),
    "is lazy": (TASK, "class Lazy(list):\n    def __iter__(self):\n        return iter([torch.exp(list.__getitem__(self, 0))])", "", "copy(x, y)\nreturn Lazy([y])", "subclass", "is a Lazy"),
    "has a tensor of its own class": (TASK, "class Lazy(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, f, types, args=(), kwargs=None):\n        args = [torch.exp(a.as_subclass(torch.Tensor)) if isinstance(a, cls) else a for a in args]\n        return f(*args, **(kwargs or {}))",
                                      "", "copy(x, y)\nreturn y.as_subclass(Lazy)", HOST, "computes on the host"),
    "imports the reference": (TASK, "", "", "copy(x, y)\nimport op_torch\nreturn op_torch.Model()(x)", "", ""),
    "reads memory": (TASK, "", "", "import ctypes\ncopy(x, y)\nctypes.string_at(x.data_ptr(), 16)\nreturn y", "ProcessKilled", "SIGSEGV"),
    "swallows the refusal": (TASK, "", "", "copy(x, y)\ntry:\n    return torch.exp(x)\nexcept BaseException:\n    return y", "AssertionError", "MERE"),
}


def made(language, forward, init="", before=""):
    """A candidate in a language."""
    constructor = f"    def __init__(self):\n        super().__init__()\n{textwrap.indent(init, ' ' * 8)}\n" if init else ""
    forward, _, method = forward.partition("\ndef ")
    lines = textwrap.indent("y = torch.empty_like(x)\n" + forward, " " * 8)
    more = textwrap.indent("def " + method, " " * 4) if method else ""
    return f"{HEAD}{LANGUAGES[language]}\n{before}\nclass ModelNew(torch.nn.Module):\n{constructor}    def forward(self, x):\n{lines}\n{more}\n"


def attacks():
    """{(language, name): (task, candidate, finding or error, part of its text)}"""
    return {
        (language, name): (task, made(language, forward, init, before), reason, text)
        for language in LANGUAGES
        for name, (task, before, init, forward, reason, text) in ATTACKS.items()
    }
