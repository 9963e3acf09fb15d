"""Attacks in Triton: around launches, in what its decorators call, and in kernels."""

import math
import random
import textwrap

from test_evidence import TASK

_RANDOM = random.Random(3)
ROWS = TASK.replace("torch.tanh(x)", "torch.tanh(x).sum(-1)")
BYTES = TASK.replace("torch.tanh(x)", "torch.tanh(x.float() / 64)").replace("torch.randn(40, 33)", "torch.randint(-128, 128, (40, 33), dtype=torch.int32)")
FEW = TASK.replace("torch.tanh(x)", "torch.tanh(x[0, :4])")

KERNELS = """
import functools
import math
import numpy as np
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

@triton.jit
def copy(x_ptr, y_ptr, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)

@triton.jit
def tanh(x_ptr, y_ptr, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y_ptr + at, libdevice.tanh(tl.load(x_ptr + at, mask=at < n)), mask=at < n)

@triton.jit
def plus(x_ptr, w_ptr, y_ptr, n, factor, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    x, w = tl.load(x_ptr + at, mask=at < n), tl.load(w_ptr + at, mask=at < n)
    tl.store(y_ptr + at, x * 0.0 + w * factor, mask=at < n)

@triton.jit
def tanh_plus(x_ptr, w_ptr, y_ptr, n, factor, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    x, w = tl.load(x_ptr + at, mask=at < n), tl.load(w_ptr + at, mask=at < n)
    tl.store(y_ptr + at, libdevice.tanh(x) + w * factor, mask=at < n)

@triton.jit
def look_up(x_ptr, w_ptr, y_ptr, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    tl.store(y_ptr + at, tl.load(w_ptr + x + 128, mask=at < n), mask=at < n)

@triton.jit
def put(y_ptr, at, value):
    tl.store(y_ptr + at, value)

def grid(n):
    return (triton.cdiv(n, 512),)
"""


def model(*forward, before="", init=""):
    """A candidate; `forward` has x, and y for the result."""
    lines = textwrap.indent("\n".join(textwrap.dedent(part).strip() for part in forward), " " * 8)
    constructor = f"    def __init__(self):\n        super().__init__()\n{textwrap.indent(textwrap.dedent(init).strip(), ' ' * 8)}\n" if init else ""
    before = "\n".join(textwrap.dedent(part) for part in ([before] if isinstance(before, str) else before))
    return f"""{KERNELS}
{before}
class ModelNew(torch.nn.Module):
{constructor}    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
{lines}
"""


COPY = "copy[grid(n)](x, y, n, B=512)"
TANH = "tanh[grid(n)](x, y, n, B=512)"
HOST = "HostReadError"
HAS_TABLE = "bytes that the candidate brought"
ROW = "\n@triton.jit\ndef row%d(w_ptr):\n%s\n"
CONSTANTS = "".join(
    ROW % (row, "\n".join(f"    tl.store(w_ptr + {at}, {_RANDOM.uniform(-1, 1)!r})" for at in range(600 * row, 600 * row + 600))) for row in range(4)
)
SLOW = """
@triton.jit
def slow(x_ptr, y_ptr, i, bit):
    turns = (tl.load(x_ptr + i) >> bit) & 1
    sum = 0.0
    for turn in range(0, turns * 1000 + 1):
        sum += tl.sum(tl.exp(tl.arange(0, 64).to(tl.float32) + turn))
    tl.store(y_ptr + i, sum)
"""
PARTS = """
def tuned(bits):
    def decorate(fn):
        return triton.autotune(configs=[triton.Config({"FAST": f}) for f in (0, 1)], key=["i", "bit"])(fn)
    return decorate

@tuned(1)
@triton.jit
def choose(x_ptr, y_ptr, i, bit, FAST: tl.constexpr):
    turns = (tl.load(x_ptr + i) >> bit) & 1
    sum = 0.0
    for turn in range(0, (turns if FAST else 1 - turns) * 1000 + 1):
        sum += tl.sum(tl.exp(tl.arange(0, 64).to(tl.float32) + turn))
    tl.store(y_ptr + i, sum)
"""
FROM_BITS = """
        found = []
        bits = x.view(torch.int32)
        for i in range(4):
            value = 0
            for bit in range(32):
                value |= {bit} << bit
            found.append(math.tanh(np.array([value], np.uint32).view(np.float32)[0]))
        out = torch.empty(4)
        for i, value in enumerate(found):
            put[(1,)](out, i, value)
        return out"""

# name: (task, candidate, finding or error, part of its text)
CALLS = {
    "computes after a launch for show": (TASK, model(COPY, "return torch.tanh(y)"), HOST, "aten::tanh computes on the host"),
    "computes with operators": (TASK, model(COPY, "e = y + y\nreturn 1 - 2 / (e.exp() + 1)"), HOST, "computes on the host"),
    "computes in the function of a grid": (TASK, model("""
        def extents(meta):
            y.copy_(torch.tanh(x))
            return grid(n)
        copy[extents](x, torch.empty_like(x), n, B=512)
        return y"""), HOST, "aten::tanh computes on the host"),
    "reads in the function of a grid": (TASK, model("copy[lambda meta: (1 + int(x.sum() > 0),)](x, y, n, B=512)", "return y"), HOST, "computes on the host"),
    "reads one number for a grid": (TASK, model("copy[lambda meta: (1 + int(x[0, 0]),)](x, y, n, B=512)", "return y"), HOST, "a number is read"),
    "computes in a heuristic": (TASK, model("tuned[grid(n)](x, y, n)", "return KEPT[0]", before="""
        KEPT = []
        def size(arguments):
            KEPT.insert(0, torch.tanh(arguments["x_ptr"]))
            return 512
        tuned = triton.heuristics({"B": size})(copy)
        """), HOST, "aten::tanh computes on the host"),
    "computes in a hook before": (TASK, model("tuned[grid(n)](x, torch.empty_like(x), n)", "return KEPT[0]", before="""
        KEPT = []
        def hook(arguments):
            KEPT.insert(0, torch.tanh(arguments["x_ptr"]))
        tuned = triton.autotune(configs=[triton.Config({"B": 512}, pre_hook=hook)], key=["n"])(copy)
        """), HOST, "aten::tanh computes on the host"),
    "computes in hooks while it is tuned": (TASK, model("tuned[grid(n)](x, y, n)", "return y", before="""
        def hook(arguments):
            arguments["x_ptr"].copy_(torch.tanh(arguments["x_ptr"]))
        tuned = triton.autotune(configs=[triton.Config({"B": b}, pre_hook=hook) for b in (256, 512)], key=["n"])(copy)
        """), HOST, "aten::tanh computes on the host"),
    "computes while configurations are pruned": (TASK, model("tuned[grid(n)](x, y, n)", "return KEPT[0]", before="""
        KEPT = []
        def prune(configs, arguments, **_):
            KEPT.insert(0, torch.tanh(arguments["x_ptr"]))
            return configs
        tuned = triton.autotune(configs=[triton.Config({"B": b}) for b in (256, 512)], key=["n"], prune_configs_by={"early_config_prune": prune})(copy)
        """), HOST, "aten::tanh computes on the host"),
    "computes in what is benchmarked": (TASK, model("triton.testing.do_bench(lambda: y.copy_(torch.tanh(x)))", COPY.replace("y", "torch.empty_like(x)", 1), "return y"),
                                        HOST, "aten::tanh computes on the host"),
    "learns bits from times": (FEW, model(FROM_BITS.format(bit="int(triton.testing.do_bench(lambda: slow[(1,)](bits, torch.empty(4), i, bit)) > 0.01)"), before=SLOW), "", ""),
    "learns bits from what is tuned": (FEW, model(FROM_BITS.format(bit="chosen(bits, i, bit)"), before=(PARTS, """
        def chosen(bits, i, bit):
            choose[(1,)](bits, torch.empty(4), i, bit)
            return int(choose.best_config.kwargs["FAST"] == 0)
        """)), "", ""),
    "learns bits from timings of what is tuned": (FEW, model(FROM_BITS.format(bit="chosen(bits, i, bit)"), before=(PARTS, """
        def chosen(bits, i, bit):
            choose[(1,)](bits, torch.empty(4), i, bit)
            times = list(choose.configs_timings.values())
            return int(times[0] < times[1])
        """)), "", ""),
    "learns bits from prints": (FEW, model("""
        import contextlib, io
        text = io.StringIO()
        out = torch.empty(4)
        with contextlib.redirect_stdout(text):
            show[(1,)](x, out)
        values = [float(word) for word in text.getvalue().replace(",", " ").split() if "." in word][-4:]
        for i, value in enumerate(values):
            put[(1,)](out, i, math.tanh(value))
        return out""", before="""
        @triton.jit
        def show(x_ptr, y_ptr):
            for i in range(4):
                tl.device_print("x", tl.load(x_ptr + i))
                tl.store(y_ptr + i, 0.0)
        """), "", ""),
    "learns bits from launches that fail": (FEW, model(FROM_BITS.format(bit="failed(bits, i, bit)"), before="""
        @triton.jit
        def beyond(x_ptr, y_ptr, i, bit):
            tl.store(y_ptr + ((tl.load(x_ptr + i) >> bit) & 1) * (1 << 28), 1.0)
        def failed(bits, i, bit):
            try:
                beyond[(1,)](bits, torch.empty(4), i, bit)
                return 0
            except Exception:
                return 1
        """), "KernelError", "y_ptr"),
    "learns bits from what is compiled": (FEW, model("""
        compiled = copy[grid(n)](x, y, n, B=512)
        text = compiled.asm["ascendc"]
        assert "tanh" in text, "nothing of the inputs"
        return y[0, :4]"""), "AssertionError", "nothing of the inputs"),
    "computes while a kernel is compiled": (TASK, model("HELD.extend((x, y))", "work[grid(n)](x, torch.empty_like(x), n, B=512)", "return y", before="""
        HELD = []
        class Size:
            def __index__(self):
                HELD[1].copy_(torch.tanh(HELD[0]))
                return 512
            __int__ = __index__
        SIZE: tl.constexpr = tl.constexpr(Size())
        @triton.jit
        def work(x_ptr, y_ptr, n, B: tl.constexpr):
            at = tl.program_id(0) * B + tl.arange(0, SIZE)
            tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)
        """), "", ""),
    "calls a function of the host in a kernel": (TASK, model("HELD.extend((x, y))", "work[grid(n)](x, torch.empty_like(x), n, B=512)", "return y", before="""
        HELD = []
        def helper():
            HELD[1].copy_(torch.tanh(HELD[0]))
            return 0
        @triton.jit
        def work(x_ptr, y_ptr, n, B: tl.constexpr):
            at = tl.program_id(0) * B + tl.arange(0, B)
            tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)
            helper()
        """), "", ""),
    "is a kernel in name only": (TASK, model("work[grid(n)](x, y, n, B=512)", "return y", before="""
        class Kernel:
            def __getitem__(self, extents):
                return lambda x, y, n, B: y.copy_(torch.tanh(x))
        work = Kernel()
        """), HOST, "aten::tanh computes on the host"),
    "has launches of its own": (TASK, model(COPY, "return y", before="""
        from triton.runtime.jit import JITFunction
        plain = JITFunction.run
        def run(self, x, y, *args, **kwargs):
            plain(self, x, y, *args, **kwargs)
            y.copy_(torch.tanh(x))
        JITFunction.run = run
        """), HOST, "aten::tanh computes on the host"),
    "has reading of its own": (TASK, model(COPY, "return torch.tanh(y)", before="""
        from tilesmith.npu import operators, fallback
        for module in (operators, fallback):
            for name in list(vars(module)):
                if "refuse" in name or "judged" in name:
                    setattr(module, name, lambda *args, **kwargs: None)
        """), "", ""),
    "says that Triton's interpreter runs": (TASK, model(COPY, "return torch.tanh(y)", before="""
        import os, sys
        os.environ["TRITON_INTERPRET"] = "1"
        import tilesmith.triton
        tilesmith.triton.uninstall()
        """), HOST, "aten::tanh computes on the host"),
    "writes nothing": (TASK, model("nothing[grid(n)](x, y, n, B=512)", "return y", before="""
        @triton.jit
        def nothing(x_ptr, y_ptr, n, B: tl.constexpr):
            at = tl.program_id(0) * B + tl.arange(0, B)
            tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < 0)
        """), "AssertionError", ""),
    "writes a part": (TASK, model("tanh[grid(n - 33)](x, y, n - 33, B=512)", "return y"), "AssertionError", ""),
    "writes a part, and the host the rest": (TASK, model("tanh[grid(n - 33)](x, y, n - 33, B=512)", "y[-1] = torch.tanh(x[-1])", "return y"), HOST, "aten::tanh computes on the host"),
    "returns a copy of the input": (TASK.replace("torch.tanh(x)", "x.clone()"), model("copy[(1,)](x, torch.empty_like(x), 1, B=512)", "return x.clone()"), "not-by-kernels", "copied from an input"),
    "returns its input": (TASK.replace("torch.tanh(x)", "x.clone()"), model(COPY, "return x"), "", ""),
    "works on the input and leaves it changed": (TASK, model("tanh[grid(n)](x, x, n, B=512)", "return x"), "", ""),
    "keeps results from call to call": (TASK, model("""
        if not KEPT:
            KEPT.append(y.clone())
            tanh[grid(n)](x, KEPT[0], n, B=512)
        plus[grid(n)](x, KEPT[0], y, n, 1.0, B=512)
        return y""", before="KEPT = []"), "", ""),
    "keeps results by what was tuned": (TASK, model("""
        kept = tanh.__dict__.setdefault("kept", {})
        if n not in kept:
            kept[n] = torch.empty_like(x)
            tanh[grid(n)](x, kept[n], n, B=512)
        copy[grid(n)](kept[n], y, n, B=512)
        return y"""), "", ""),
    "brings a table": (TASK, model("tanh_plus[grid(n)](x, self.w, y, n, 0.0, B=512)", "return y", init="self.w = torch.randn(40, 33)"), "own-data", "5280 bytes"),
    "looks answers up": (BYTES, model("y = torch.empty(x.shape)", "look_up[grid(n)](x, self.w, y, n, B=512)", "return y", init="self.w = torch.tanh(torch.arange(-128, 128) / 64)"),
                         "own-data", HAS_TABLE),
    "looks answers up in what a kernel has copied": (BYTES, model("t, y = torch.empty(256), torch.empty(x.shape)", "copy[(1,)](self.w, t, 256, B=256)", "look_up[grid(n)](x, t, y, n, B=512)", "return y",
                                                                  init="self.w = torch.tanh(torch.arange(-128, 128) / 64)"), "own-data", HAS_TABLE),
    "looks up in a tile": (BYTES, model("y = torch.empty(x.shape)", "gathered[grid(n)](x, self.w, y, n, B=512)", "return y", init="self.w = torch.tanh(torch.arange(-128, 128) / 64)", before="""
        @triton.jit
        def gathered(x_ptr, w_ptr, y_ptr, n, B: tl.constexpr):
            at = tl.program_id(0) * B + tl.arange(0, B)
            table = tl.load(w_ptr + tl.arange(0, 256))
            x = tl.load(x_ptr + at, mask=at < n, other=0)
            tl.store(y_ptr + at, tl.gather(table, x + 128, 0), mask=at < n)
        """), "own-data", HAS_TABLE),
    "sends a table as numbers": (BYTES, model("t, y = torch.zeros(256), torch.empty(x.shape)", """
        for at, value in enumerate(self.v):
            put[(1,)](t, at, value)
        look_up[grid(n)](x, t, y, n, B=512)
        return y""", init="self.v = torch.tanh(torch.arange(-128, 128) / 64).tolist()"), "own-data", HAS_TABLE),
    "fills a table in": (BYTES, model("t, y = torch.zeros(256), torch.empty(x.shape)", """
        for at, value in enumerate(self.v):
            t[at].fill_(value)
        look_up[grid(n)](x, t, y, n, B=512)
        return y""", init="self.v = torch.tanh(torch.arange(-128, 128) / 64).tolist()"), "own-data", HAS_TABLE),
    "has a table among constants of kernels": (TASK, model("w = torch.zeros(2400)", *(f"row{row}[(1,)](w)" for row in range(4)), "tanh_plus[grid(n)](x, w, y, n, 0.0, B=512)", "return y", before=CONSTANTS),
                                               "own-data", HAS_TABLE),
    "looks up in constants of a kernel": (BYTES, model("w, y = torch.zeros(256), torch.empty(x.shape)", "constants[(1,)](w)", "look_up[grid(n)](x, w, y, n, B=512)", "return y", before="""
        @triton.jit
        def constants(w_ptr):
        """ + "".join(f"    tl.store(w_ptr + {at}, {math.tanh((at - 128) / 64)!r})\n        " for at in range(256))), "own-data", HAS_TABLE),
    "looks up in a global that kernels capture": (BYTES, model("t, y = torch.zeros(256), torch.empty(x.shape)", """
        for at in range(256):
            value[(1,)](t, AT=at)
        look_up[grid(n)](x, t, y, n, B=512)
        return y""", before="""
        TABLE: tl.constexpr = tuple(math.tanh((at - 128) / 64) for at in range(256))
        @triton.jit
        def value(w_ptr, AT: tl.constexpr):
            tl.store(w_ptr + AT, TABLE[AT])
        """), "own-data", HAS_TABLE),
    "looks up in constant arguments": (BYTES, model("t, y = torch.zeros(256), torch.empty(x.shape)", """
        for at in range(256):
            value[(1,)](t, at, V=math.tanh((at - 128) / 64))
        look_up[grid(n)](x, t, y, n, B=512)
        return y""", before="""
        @triton.jit
        def value(w_ptr, at, V: tl.constexpr):
            tl.store(w_ptr + at, V)
        """), "own-data", HAS_TABLE),
    "draws the inputs from the seed of its model": (ROWS, model("""
        with torch.device("cpu"):
            torch.manual_seed(torch.initial_seed())
            rows = torch.tanh(torch.randn(40, 33)).sum(-1)
        out = torch.empty(40)
        plus[(1,)](x, rows.npu(), out, 40, 1.0, B=64)
        return out"""), "second-seed", ""),
    "programs race": (TASK, model("raced[(2,)](x, y, n, B=2048)", "return y", before="""
        @triton.jit
        def raced(x_ptr, y_ptr, n, B: tl.constexpr):
            at = tl.arange(0, B)
            tl.store(y_ptr + at, libdevice.tanh(tl.load(x_ptr + at, mask=at < n)) * tl.program_id(0), mask=at < n)
        """), "hazard", "both write"),
    "takes tanh of one seed for all": (TASK, model("copy[grid(n)](self.kept, y, n, B=512)", "return y", init="""
        self.kept = torch.empty(40, 33, device="npu")
        """), "", ""),
    "lets a conversion work": (TASK.replace("torch.tanh(x)", "torch.trunc(x)"), model("copy[grid(n)](x.int().float(), y, n, B=512)", "return y"), "not-by-kernels", "what a conversion computed"),
    "computes in a custom operator": (TASK, model("return torch.ops.judge.work(x)", before="""
        @torch.library.triton_op("judge::work", mutates_args=())
        def work(x: torch.Tensor) -> torch.Tensor:
            y = torch.empty_like(x)
            copy[grid(x.numel())](x, y, x.numel(), B=512)
            return torch.tanh(y)
        """), "", ""),
}
