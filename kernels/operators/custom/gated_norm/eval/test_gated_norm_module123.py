"""gated_norm up to M3 against its golden: made from module_interfaces.yaml."""

import os
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "modules")]

from gated_norm_module123_golden import gated_norm_module123_golden
from gated_norm_module123_impl import gated_norm_module123_wrapper

DEVICE = int(os.environ.get("TILE_FWK_DEVICE_ID", "0"))
CASES = [
    (0, [[16, 256], [1, 256]]),
    (1, [[16, 256], [1, 256]]),
    (0, [[100, 256], [1, 256]]),
    (1, [[100, 256], [1, 256]]),
    (0, [[1, 256], [1, 256]]),
    (1, [[1, 256], [1, 256]]),
]


def detailed_tensor_compare(golden, actual, tensor_name, rtol, atol):
    """Fails with the first element that differs."""
    wrong = ~torch.isclose(actual, golden, rtol=rtol, atol=atol, equal_nan=True)
    if wrong.any():
        at = tuple(wrong.nonzero()[0].tolist())
        raise AssertionError(f"{tensor_name}{list(at)} is {actual[at].item()}, expected {golden[at].item()}")


def run(seed, shapes):
    torch.manual_seed(seed)
    given = [
        torch.randn(shapes[0]).to(torch.float32),
        torch.randn(shapes[1]).to(torch.float32),
    ]
    golden, actual = gated_norm_module123_golden(*given), gated_norm_module123_wrapper(*given)
    detailed_tensor_compare(golden, actual, tensor_name="y", rtol=0.001, atol=0.001)


def test_gated_norm_module123_l0():
    run(*CASES[0])


def test_gated_norm_module123_l1():
    for seed, shapes in CASES:
        run(seed, shapes)


if __name__ == "__main__":
    try:
        test_gated_norm_module123_l1()
    except AssertionError as error:
        print(f"[PRECISION_FAIL] {error}")
        sys.exit(1)
    print("[PRECISION_PASS]")
