"""Kernels of the library as candidates that have everything in one file, in each of the ways people write them.

A candidate is a kernel's source with the helpers it uses, and a ModelNew that launches it: on NumPy arrays, on tensors of the host, or on
the device `npu` with torch_npu. Its task has its cases as `get_inputs`, `get_input_groups`, or as lines of a JSON file beside it.
"""

import json
import re
from pathlib import Path

import library_more

KERNELS = Path(__file__).resolve().parents[3] / "kernels"
STYLES = ("numpy", "torch", "npu")
FORMS = ("inputs", "groups", "json")
DTYPES = {"fp16": "torch.float16", "fp32": "torch.float32", "int32": "torch.int32"}

# name: (function, inputs as (name, dtype, shape), reference, outputs as (dtype, shape), further arguments).
# A shape is Python, in which inputs are known by their names.
ASC2 = {
    "abs": ("abs_launch", [("x", "fp32", (3000,))], "x.abs()", [("x.dtype", "x.shape")], ""),
    "add": ("add_launch", [("a", "fp32", (3000,)), ("b", "fp32", (3000,))], "a + b", [("a.dtype", "a.shape")], ""),
    "sub": ("sub_launch", [("a", "fp16", (300,)), ("b", "fp16", (300,))], "a - b", [("a.dtype", "a.shape")], ""),
    "mul": ("mul_launch", [("a", "fp32", (50, 60)), ("b", "fp32", (50, 60))], "a * b", [("a.dtype", "a.shape")], ""),
    "gelu": ("gelu_launch", [("x", "fp32", (64, 100))], "F.gelu(x)", [("x.dtype", "x.shape")], ""),
    "leaky_relu": ("leaky_relu_launch", [("x", "fp16", (5000,))], "F.leaky_relu(x, 0.01)", [("x.dtype", "x.shape")], ", 0.01"),
    "softmax": ("softmax_launch", [("x", "fp32", (33, 700))], "x.softmax(-1)", [("x.dtype", "x.shape")], ""),
    "rms_norm": ("rms_norm_launch", [("x", "fp32", (40, 200)), ("g", "fp32", (200,))], "F.rms_norm(x, (200,), g, 1e-6)", [("x.dtype", "x.shape")], ""),
    "layer_norm": ("layer_norm_launch", [("x", "fp32", (40, 200)), ("g", "fp32", (200,)), ("b", "fp32", (200,))],
                   "F.layer_norm(x, (200,), g, b, 1e-5)", [("x.dtype", "x.shape")], ""),
    "reduce_sum": ("row_sum_launch", [("x", "fp32", (40, 300))], "x.sum(-1)", [("x.dtype", "x.shape[:1]")], ""),
    "matmul": ("matmul_launch", [("a", "fp16", (64, 96)), ("b", "fp16", (96, 80))], "a.float() @ b.float()",
               [("float32", "(a.shape[0], b.shape[1])")], ""),
    "batched_matmul": ("batched_matmul_launch", [("a", "fp16", (3, 33, 64)), ("b", "fp16", (3, 64, 50))], "a.float() @ b.float()",
                       [("float32", "(a.shape[0], a.shape[1], b.shape[2])")], ""),
    "swiglu": ("swiglu_launch", [("x", "fp32", (9, 600))], "F.silu(x[:, :300]) * x[:, 300:]", [("x.dtype", "(x.shape[0], x.shape[1] // 2)")], ""),
    "transpose": ("transpose_launch", [("x", "fp32", (31, 500))], "x.T.contiguous()", [("x.dtype", "x.shape[::-1]")], ""),
    "rope": ("rope_launch", [("x", "fp32", (9, 7, 128)), ("c", "fp32", (9, 64)), ("s", "fp32", (9, 64))],
             "torch.cat([x[..., :64] * c[:, None] - x[..., 64:] * s[:, None], x[..., 64:] * c[:, None] + x[..., :64] * s[:, None]], -1)",
             [("x.dtype", "x.shape")], ""),
    "cross_entropy": ("cross_entropy_launch", [("x", "fp32", (50, 300)), ("t", "ids 300", (50,))], "F.cross_entropy(x, t.long(), reduction='none')",
                      [("float32", "x.shape[:1]")], ""),
    "embedding": ("embedding_launch", [("w", "fp32", (101, 64)), ("i", "ids 101", (50,))], "w[i.long()]", [("w.dtype", "(i.shape[0], w.shape[1])")], ""),
    "quantised_matmul": ("quantised_matmul_launch", [("a", "bytes", (64, 96)), ("b", "bytes", (96, 80)), ("r", "positive fp32", (64,)), ("s", "positive fp32", (80,))],
                         "(a.float() @ b.float()) * r[:, None] * s", [("float32", "(a.shape[0], b.shape[1])")], ""),
    "matmul_bias": ("matmul_bias_launch", [("a", "positive fp32", (64, 96)), ("b", "positive fp32", (96, 80)), ("c", "fp32", (80,))], "a @ b + c",
                    [("a.dtype", "(a.shape[0], b.shape[1])")], ", activation=relu"),
    "matmul_gelu": ("matmul_gelu_launch", [("a", "positive fp16", (64, 96)), ("b", "positive fp16", (96, 80)), ("c", "positive fp16", (80,))],
                    "F.gelu(a.float() @ b.float() + c.float(), approximate='tanh').half()", [("a.dtype", "(a.shape[0], b.shape[1])")], ""),
    "matmul_swiglu": ("matmul_swiglu_launch", [("a", "positive fp32", (64, 96)), ("w", "positive fp32", (96, 160))],
                      "F.silu((a @ w)[:, :80]) * (a @ w)[:, 80:]", [("a.dtype", "(a.shape[0], w.shape[1] // 2)")], ""),
    "stream_k_matmul": ("stream_k_launch", [("a", "positive fp32", (64, 700)), ("b", "positive fp32", (700, 80))], "a @ b",
                        [("a.dtype", "(a.shape[0], b.shape[1])")], ""),
    "layer_norm_matmul": ("layer_norm_matmul_launch", [("x", "fp32", (50, 128)), ("g", "positive fp32", (128,)), ("b", "positive fp32", (128,)), ("w", "positive fp32", (128, 80)),
                                                       ("c", "positive fp32", (80,))], "F.layer_norm(x, (128,), g, b, 1e-5) @ w + c", [("x.dtype", "(x.shape[0], w.shape[1])")], ""),
    "flash_attention": ("(lambda k, q, v, o: flash_attention_launch(q, k, v, o))", [("k", "fp16", (3, 64, 100)), ("q", "fp16", (3, 64, 64)), ("v", "positive fp16", (3, 100, 64))],
                        "((q.float() @ k.float() / 8).softmax(-1) @ v.float()).half()", [("q.dtype", "q.shape")], ""),
    "paged_attention": ("(lambda n, q, k, v, t, o: paged_attention_launch(q, k, v, t, n, o))", [("n", "lengths 64", (3,)), ("q", "fp16", (3, 8, 128)), ("k", "fp16", (6, 32, 2, 128)), ("v", "positive fp16", (6, 32, 2, 128)), ("t", "ids 6", (3, 2))], "paged(q, k, v, t, n)", [("q.dtype", "q.shape")], ""),
    **library_more.ASC2,
    "argmax": ("argmax_launch", [("x", "fp32", (50, 300))], "x.argmax(-1).int()", [("int32", "x.shape[:1]")], ""),
}

SOFTMAX = ([("a", "fp32", (40, 128))], "a.softmax(-1)", 8, ", a.shape[0], a.shape[1]")
# Kernels of asc: (inputs, reference, blocks, further arguments, the output if it is not like `a`).
ASC = {
    "softmax_rows": SOFTMAX,
    "add_custom": ([("a", "fp16", (16384,)), ("b", "fp16", (16384,))], "a + b", 8, ", a.shape[0]"),
    "add_flags": ([("a", "fp32", (4096,)), ("b", "fp32", (4096,))], "a + b", 4, ", a.shape[0]"),
    "clip_select": ([("a", "fp32", (4096,))], "torch.where((a > -1) & (a < 1), a, 0.5)", 4, ", a.shape[0], -1.0, 1.0, 0.5"),
    "gather_rows": ([("t", "fp32", (1024,)), ("a", "ids 1024", (2048,))], "t[a.long()]", 4, ", t.shape[0], a.shape[0]", ("float32", "a.shape")),
    "sum_masked": ([("a", "positive fp32", (128, 64))], "a[:, :50].sum(-1)", 4, ", a.shape[0], 50", ("float32", "a.shape[:1]")),
    "matmul_cube": ([("a", "fp16", (32, 32)), ("b", "fp16", (32, 32))], "a.float() @ b.float()", 1, ", 32, 32, 32", ("float32", "a.shape")),
    "matmul_object": ([("a", "fp16", (128, 64)), ("b", "fp16", (64, 96))], "a.float() @ b.float()", 4, ", tiling(128, 96, 64)", ("float32", "(128, 96)")),
    "add_automatic": ([("a", "fp32", (4096,)), ("b", "fp32", (4096,))], "a + b", 4, ", a.shape[0], 512"),
    **library_more.ASC,
}
ASCENDC = {  # by file and function
    "softmax_rows softmax_rows_float": SOFTMAX,
    "add_custom": ([("a", "fp16", (16384,)), ("b", "fp16", (16384,))], "a + b", 8, ", a.shape[0]"),
    "add_flags": ([("a", "fp32", (4096,)), ("b", "fp32", (4096,))], "a + b", 4, ", a.shape[0]"),
    **library_more.ASCENDC,
}


TILING = """

def tiling(m, n, k, cores=4):
    host = asc.lib.host
    tiler = host.MultiCoreMatmulTiling()
    tiler.set_dim(cores)
    tiler.set_a_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT16)
    tiler.set_b_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT16)
    tiler.set_c_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT)
    tiler.set_shape(m, n, k)
    tiler.set_org_shape(m, n, k)
    found = host.TCubeTiling()
    assert tiler.get_tiling(found) == 0
    return found
"""


def _without_tests(text):
    text = re.split(r"^(?:@golden\.cases|@pytest|if __name__|def test_)", text, maxsplit=1, flags=re.MULTILINE)[0]
    return re.sub(r'^""".*?"""\n', "", text, flags=re.DOTALL)


def source(name, seen=None):
    """A kernel's file with the files of the library it imports, as one text."""
    seen = set() if seen is None else seen
    seen.add(name)
    text = _without_tests((KERNELS / f"{name}.py").read_text())
    if name == "golden":
        text = text.split("\ndef sample(")[0]
        text = re.sub(r"\ndef use\(.*?\n\n\n", "\n\n\n", text, flags=re.DOTALL)
        text = re.sub(r"^(import argparse|import sys|from gate.*|from asc.runtime.profile.*)\n", "", text, flags=re.MULTILINE)
    before = ""
    for used in re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE):
        if (KERNELS / f"{used}.py").exists():
            if used not in seen:
                before += source(used, seen)
            text = re.sub(rf"^(?:import {used}|from {used} import .*)\n", "", text, flags=re.MULTILINE)
    if name == "golden":
        for own in re.findall(r"^def (\w+)", text, re.MULTILINE):
            text = re.sub(rf"\b{own}\(", f"golden_{own}(", text)
    text = text.replace("golden.", "golden_")
    return before + re.sub(r"\bgolden_([A-Z])", r"\1", text)


def triton_source(name, style):
    """A kernel in Triton with what it uses of the library."""
    text = _without_tests((KERNELS / "triton" / f"{name}.py").read_text())
    text = text.replace("sys.path.append(str(Path(__file__).parents[1]))\nimport golden\n", "")
    text = text.replace("golden.vector_cores()", "triton.runtime.driver.active.utils.get_aivector_core_num()")
    return text if style == "numpy" else re.sub(r"\.size\b", ".numel()", text)


def model(style, inputs, outputs, launch):
    """ModelNew, with `launch` a text in which {inputs} and {outputs} stand for what is handed over."""
    names = [name for name, _, _ in inputs]
    arrays = [name for name, dtype, _ in inputs if dtype != "number"]
    wanted = [f"y{index}" for index in range(len(outputs))]
    body = []
    for want, (dtype, shape) in zip(wanted, outputs):
        if dtype == "copy":
            body.append(f"{want} = {shape}.numpy().copy()" if style == "numpy" else f"{want} = {shape}.clone()")
        elif dtype.startswith(("zeros ", "scratch ")):
            zeros = f"np.zeros({shape}, np." if style == "numpy" else f"torch.zeros({shape}, device={arrays[0]}.device, dtype=torch."
            body.append(f"{want} = {zeros}{dtype.partition(' ')[2]})")
        elif style == "numpy":
            dtype = dtype.replace(".dtype", ".numpy().dtype") if "." in dtype else f"np.{dtype}"
            body.append(f"{want} = np.empty({shape}, {dtype})")
        else:
            dtype = dtype if "." in dtype else f"torch.{dtype}"
            device = f", device={arrays[0]}.device" if arrays and style == "npu" else ", device='npu'" if style == "npu" else ""
            body.append(f"{want} = torch.empty({shape}, dtype={dtype}{device})")
    given = [f"{name}.numpy()" if style == "numpy" and name in arrays else name for name in names]
    if style == "npu":
        body = [*(f"{name} = {name}.npu()" for name in arrays), *body]
    body.append(launch.format(inputs=", ".join(given), outputs=", ".join(wanted)))
    if style == "npu":
        body.append("torch.npu.synchronize()")
    results = [f"torch.from_numpy({want})" if style == "numpy" else want for want, (kind, _) in zip(wanted, outputs) if not kind.startswith("scratch ")]
    body.append(f"return {', '.join(results)}")
    text = "\n".join(f"        {line}" for line in body)
    return f"\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, {', '.join(names)}):\n{text}\n"


def head(style):
    return "import numpy as np\nimport torch\n" + ("import tilesmith.npu\ntilesmith.npu.install()\nimport torch_npu\n" if style == "npu" else "")


def candidates():
    """(name, inputs, reference, candidate, files beside it) of all."""
    for style in STYLES:
        for name, (function, inputs, reference, outputs, more, *styles) in ASC2.items():
            if style not in (styles or STYLES):
                continue
            text = head(style) + source(name) + model(style, inputs, outputs, f"{function}({{inputs}}, {{outputs}}{more})")
            yield f"asc2 {name} {style}", inputs, reference, text, []
        for name, (inputs, reference, outputs, more, *function) in library_more.PYPTO.items() if style != "numpy" else ():
            launch = model(style, inputs, outputs, f"{(function or [name])[0]}({{inputs}}, {{outputs}}{more})")
            yield f"pypto {name} {style}", inputs, reference, head(style) + (KERNELS / "pypto" / f"{name}_pypto.py").read_text() + launch, []
        for name, (function, inputs, reference, outputs) in library_more.TRITON.items():
            text = triton_source(name, style) + model(style, inputs, outputs, f"{function}({{inputs}}, {{outputs}})")
            yield f"triton {name} {style}", inputs, reference, head(style) + text, []
        for language, kernels in (("asc", ASC), ("ascendc", ASCENDC)):
            for name, (inputs, reference, blocks, more, *output) in kernels.items():
                outputs = output or [("a.dtype", "a.shape")]
                file, _, function = name.partition(" ")
                function = function or file
                launch = model(style, inputs, outputs, f"{function}[{blocks}]({{inputs}}, {{outputs}}{more})")
                if language == "asc":
                    text, beside = head(style) + _without_tests((KERNELS / "asc" / f"{file}.py").read_text()) + (TILING if "tiling(" in more else "") + launch, []
                else:
                    beside = [KERNELS / "ascendc" / f"{file}.cpp"]
                    path = f'os.path.join(os.path.dirname(__file__), "{file}.cpp")'
                    load = f'import os\nimport asc\n\n{function} = asc.load_ascendc({path})["{function}"]\n'
                    text = head(style) + load + launch
                yield f"{language} {name} {style}", inputs, reference, text, beside


def _made(dtype, shape):
    """An input of a task: random numbers of a dtype, `positive` ones, numbers of rows, `lengths`, or `bytes`."""
    if shape is None:
        return dtype
    if dtype == "number":
        return str(shape)
    kind, _, rest = dtype.partition(" ")
    if kind == "bytes":
        return f"torch.randint(-20, 21, {shape}, dtype=torch.int8)"
    if kind in ("ids", "lengths"):
        return f"torch.randint({int(kind == 'lengths')}, {rest}, {shape}, dtype=torch.int32)"
    draw = "rand" if kind == "positive" else "randn"
    return f"torch.{draw}({shape}, dtype=torch.float32).to({DTYPES[rest or dtype]})"


def task(inputs, reference, form):
    """(the task, lines of its cases or None)."""
    made = [_made(dtype, shape) for _, dtype, shape in inputs]
    if form == "json" and any(dtype not in DTYPES for _, dtype, _ in inputs):
        form = "inputs"
    text = f"""
import torch
import torch.nn.functional as F
{"".join(text for name, text in library_more.REFERENCES.items() if f"{name}(" in reference)}
class Model(torch.nn.Module):
    def forward(self, {', '.join(name for name, _, _ in inputs)}):
        return {reference}
def get_init_inputs():
    return []
"""
    lines = None
    if form == "inputs":
        text += f"def get_inputs():\n    return [{', '.join(made)}]\n"
    elif form == "groups":
        text += f"def get_input_groups():\n    return [[{', '.join(made)}] for _ in range(2)]\n"
    else:
        case = [{"name": name, "type": "tensor", "required": True, "dtype": dtype, "shape": shape} for name, dtype, shape in inputs]
        lines = json.dumps({"inputs": case}) + "\n"
    return text, lines
