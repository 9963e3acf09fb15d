"""What the programs of this folder share. Each launches kernels and compares with what torch computes."""

import os

import torch

import tilesmith.triton

tilesmith.triton.install(quiet=True)

import triton
import triton.language as tl

__all__ = ["LONG", "PROGRAMS", "close", "program", "tl", "triton"]

PROGRAMS = []
LONG = os.environ.get("TILESMITH_LONG") == "1"


def program(function):
    PROGRAMS.append(function)
    return function


def close(a, b, tol=2e-3):
    a, b = a.float(), b.float()
    assert a.shape == b.shape
    bad = ~torch.isclose(a, b, rtol=tol, atol=tol, equal_nan=True)
    assert not bad.any(), f"{bad.sum().item()} differ, such as {a[bad][:4]} for {b[bad][:4]}"
