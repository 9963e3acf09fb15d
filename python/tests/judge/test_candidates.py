"""Honest candidates in the languages people write them in: all accepted, strictly."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

ADD = """
import torch
class Model(torch.nn.Module):
    def forward(self, x, y):
        return x + y
def get_init_inputs():
    return []
def get_input_groups():
    return [[torch.randn(n), torch.randn(n)] for n in (1000, 4096, 5)]
"""
HALF_ADD = ADD.replace("torch.randn(n)", "torch.randn(n).half()").replace("(1000, 4096, 5)", "(2048, 16384)")

ASC2 = """
import asc
import asc2
import torch

@asc2.jit
def add(x_ptr, y_ptr, z_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm, z_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size]), asc2.tensor(z_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        z = asc2.load(x_gm, [tile], tile_id=[i]) + asc2.load(y_gm, [tile], tile_id=[i])
        asc2.store(z, z_gm, tile_id=[i])

class ModelNew(torch.nn.Module):
    def forward(self, x, y):
        z = torch.empty_like(x)
        add[8](x, y, z, x.numel(), tile=1024)
        return z
"""

ASCEND_C = """
import os
import asc
import torch
add = asc.load_ascendc(os.path.join(os.path.dirname(__file__), "add_custom.cpp"))["add_custom"]

class ModelNew(torch.nn.Module):
    def forward(self, x, y):
        z = torch.empty_like(x)
        add[8](x, y, z, x.numel())
        return z
"""

TRITON = """
import torch
import triton
import triton.language as tl

@triton.jit
def add(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(z_ptr + offsets, tl.load(x_ptr + offsets, mask) + tl.load(y_ptr + offsets, mask), mask)

class ModelNew(torch.nn.Module):
    def forward(self, x, y):
        z = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 1024),)](x, y, z, x.numel(), BLOCK=1024)
        return z
"""


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend950PR_9599"])
def test_asc2(verify, platform):
    done = verify(ADD, ASC2, "--strict", "-v", platform)
    assert done.code == 0, done.result or done.err


def test_a_wrong_asc2_kernel_fails(verify):
    done = verify(ADD, ASC2.replace("tile_id=[i])\n        asc2.store", "tile_id=[i]) * 1.01\n        asc2.store"))
    assert done.errors == ["AssertionError"] * 3


def test_an_asc2_error_reads_as_everywhere(verify):
    done = verify(ADD, ASC2.replace("asc2.store(z", "asc2.store(nothing"))
    assert done.errors[0] == "CodegenError" and "nothing is not defined" in done.failures[0]["error_msg"]


def test_ascend_c_with_its_source_beside_it(verify, tmp_path):
    source = (ROOT / "kernels" / "ascendc" / "add_custom.cpp").read_text()
    (tmp_path / "add_custom.cpp").write_text(source)
    done = verify(HALF_ADD, ASCEND_C)
    assert done.code == 0, done.result or done.err
    assert "no-launch" not in done.findings


def has_triton():
    """Whether one is installed; ours is not, it stands in where there is none."""
    found = importlib.util.find_spec("triton")
    return found is not None and not (found.origin or "tilesmith").count("tilesmith")


def test_triton_under_its_interpreter(verify):
    if not has_triton():
        pytest.skip("Triton is not installed")
    done = verify(ADD, TRITON, "--strict")
    assert done.code == 0, done.result or done.err


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend950PR_9599"])
def test_triton_on_the_model(verify, platform):
    """Kernels go to the device's process like those of asc2: that is the evidence."""
    if has_triton():
        pytest.skip("the judge takes the Triton that is installed")
    done = verify(ADD, TRITON, "--strict", "-v", platform)
    assert done.code == 0, done.result or done.err
    assert done.result["evidence"] == "device process" and done.result["platforms"] == [platform]


def test_a_wrong_triton_kernel_fails(verify):
    done = verify(ADD, TRITON.replace("+ tl.load(y_ptr", "- tl.load(y_ptr"))
    assert done.code == 1


def test_a_triton_kernel_that_never_runs_is_found(verify):
    done = verify(ADD, TRITON.replace("        add[", "        if x is None: add[").replace("return z", "return x + y"))
    if has_triton():
        assert done.code == 0 and "no-launch" in done.findings
    else:  # the device's process computes nothing but kernels
        assert done.code == 1 and done.errors == ["HostReadError"] * 3


def test_model_time_is_measured(tmp_path):
    """Cycles of the model, the same in every repeat."""
    from tilesmith.judge.isolation.process import Worker

    (tmp_path / "task.py").write_text(ADD)
    (tmp_path / "impl.py").write_text(ASC2)
    with Worker(tmp_path / "task.py", role="task") as task, Worker(tmp_path / "impl.py") as candidate:
        task.load()
        assert candidate.load("ModelNew")["dsl"] == "asc"
        task.prepare()
        with task.inputs(0) as inputs, task.init_inputs() as init:
            candidate.build("ModelNew", init)
            runs = candidate.measure([inputs], warmup=1, repeats=3, clock="model")
    assert runs[0].model_ns > 0 and len({run.model_ns for run in runs}) == 1
    assert list(runs[0].facts["operators"]) == ["add"] and runs[0].facts["model_launches"] == 1
