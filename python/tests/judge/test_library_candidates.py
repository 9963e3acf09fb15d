"""Kernels of the library as candidates: all accepted, strictly, with evidence. What refused one of them would refuse users' kernels."""

import os
import random
from datetime import date
from pathlib import Path

import pytest

KERNELS = Path(__file__).resolve().parents[3] / "kernels"

TASK = """
import torch
import torch.nn.functional as F
class Model(torch.nn.Module):
    def forward(self, {names}):
        return {reference}
def get_init_inputs():
    return []
def get_inputs():
    return [{inputs}]
"""
LAUNCH = {"reduce_sum": "row_sum"}  # where it is not called like its file
CASES = {  # names of inputs, the reference, inputs, shape of the output, arguments of the launch
    "abs": ("x", "x.abs()", "torch.randn(3000)", "x.shape", "x.numpy(), y"),
    "add": ("a, b", "a + b", "torch.randn(3000), torch.randn(3000)", "a.shape", "a.numpy(), b.numpy(), y"),
    "sub": ("a, b", "a - b", "torch.randn(300), torch.randn(300)", "a.shape", "a.numpy(), b.numpy(), y"),
    "mul": ("a, b", "a * b", "torch.randn(3000), torch.randn(3000)", "a.shape", "a.numpy(), b.numpy(), y"),
    "gelu": ("x", "F.gelu(x)", "torch.randn(64, 100)", "x.shape", "x.numpy(), y"),
    "leaky_relu": ("x", "F.leaky_relu(x, 0.01)", "torch.randn(5000).half()", "x.shape", "x.numpy(), y, 0.01"),
    "softmax": ("x", "x.softmax(-1)", "torch.randn(33, 700)", "x.shape", "x.numpy(), y"),
    "rms_norm": ("x, g", "F.rms_norm(x, (200,), g, 1e-6)", "torch.randn(40, 200), torch.randn(200)", "x.shape", "x.numpy(), g.numpy(), y"),
    "layer_norm": ("x, g, b", "F.layer_norm(x, (200,), g, b, 1e-5)", "torch.randn(40, 200), torch.randn(200), torch.randn(200)", "x.shape",
                   "x.numpy(), g.numpy(), b.numpy(), y"),
    "reduce_sum": ("x", "x.sum(-1)", "torch.rand(40, 300)", "x.shape[:1]", "x.numpy(), y"),
    "matmul": ("a, b", "a.float() @ b.float()", "torch.randn(64, 96).half(), torch.randn(96, 80).half()", "(a.shape[0], b.shape[1]), np.float32",
               "a.numpy(), b.numpy(), y"),
}


# Every day takes others, all with TILESMITH_LONG=1.
SAMPLE = sorted(CASES) if os.environ.get("TILESMITH_LONG") else random.Random(date.today().toordinal()).sample(sorted(CASES), 4)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_kernel_of_the_library_is_accepted(verify, name):
    names, reference, inputs, shape, arguments = CASES[name]
    candidate = f"""
import numpy as np
import torch
from {name} import {LAUNCH.get(name, name)}_launch as launch
class ModelNew(torch.nn.Module):
    def forward(self, {names}):
        y = np.empty({shape if "np." in shape else f"{shape}, {names.split(',')[0]}.numpy().dtype"})
        launch({arguments})
        return torch.from_numpy(y)
"""
    beside = [option for file in KERNELS.glob("*.py") for option in ("--with", str(file))]
    done = verify(TASK.format(names=names, reference=reference, inputs=inputs), candidate, "--strict", *beside)
    assert done.code == 0, (done.out, done.err)
    assert done.result["evidence"] == "device process"
