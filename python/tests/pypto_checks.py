"""What tests of PyPTO have in common: both platforms, outputs that are not written yet, launches that must be clean."""

import pytest
import torch

import asc
from asc.runtime import config

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]


@pytest.fixture(params=PLATFORMS, autouse=True)
def platform(request):
    """Every test of a module that imports it runs on both platforms."""
    torch.manual_seed(0)
    config.set_platform("Model", request.param)
    yield request.param
    config.set_platform("Model", PLATFORMS[0])


def nan(*shape, dtype=torch.float32):
    """A tensor that no operator has written into."""
    if dtype.is_floating_point:
        return torch.full(shape, float("nan"), dtype=dtype)
    return torch.full(shape, 77, dtype=dtype)


def close(actual, expected, rtol=1e-3, atol=1e-3):
    torch.testing.assert_close(actual.double(), expected.double(), rtol=rtol, atol=atol)


def equal(actual, expected):
    assert torch.equal(actual, expected)


def run(kernel, *args, **keywords):
    """A launch with the order checker; findings fail the test."""
    with asc.check() as report:
        kernel(*args, **keywords)
    assert not report.findings, report.findings[0]["rendered"]
