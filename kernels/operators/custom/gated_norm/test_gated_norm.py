"""gated_norm against its golden, on the shapes of SPEC.md."""

import os
import sys

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from gated_norm_golden import gated_norm_golden
from gated_norm_impl import gated_norm_wrapper

DEVICE = int(os.environ.get("TILE_FWK_DEVICE_ID", "0"))


def detailed_tensor_compare(golden, actual, tensor_name, rtol, atol):
    """Fails with the first element that differs."""
    wrong = ~torch.isclose(actual, golden, rtol=rtol, atol=atol)
    if wrong.any():
        at = tuple(wrong.nonzero()[0].tolist())
        raise AssertionError(f"{tensor_name}{list(at)} is {actual[at].item()}, expected {golden[at].item()}")


def run(shape, seed):
    torch.manual_seed(seed)
    x = torch.randn(shape, dtype=torch.float32)
    gamma = torch.randn([1, 256], dtype=torch.float32)
    detailed_tensor_compare(gated_norm_golden(x, gamma), gated_norm_wrapper(x, gamma), tensor_name="y", rtol=1e-3, atol=1e-3)


def test_gated_norm_l0():
    run([16, 256], 0)


def test_gated_norm_l1():
    for seed, shape in enumerate([[16, 256], [100, 256], [1, 256]]):
        run(shape, seed)


if __name__ == "__main__":
    try:
        test_gated_norm_l0()
        test_gated_norm_l1()
    except AssertionError as error:
        print(f"[PRECISION_FAIL] {error}")
        sys.exit(1)
    print("[PRECISION_PASS]")
