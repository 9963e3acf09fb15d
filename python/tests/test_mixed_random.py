"""Random kernels with both kinds of cores: right, clean and independent of order, on one core and on all, on both platforms."""

import os
import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import golden
from mixed_programs import Program
from observed import launch

LONG = bool(os.environ.get("TILESMITH_LONG"))


@pytest.fixture(params=golden.PLATFORMS, autouse=True)
def platform(request):
    golden.use(request.param)
    return request.param


def run(program, n, parts, blocks, times, flag, seed):
    """Launches it and compares what it stores. Sums that cancel keep what was rounded on the way: errors are relative to the largest."""
    values = np.random.default_rng(seed)
    xs = values.uniform(-1, 1, (parts, n, n)).astype(np.float32)
    a, b = (values.uniform(-0.5, 0.5, (n, n)).astype(np.float16) for _ in range(2))
    bias, flags = values.uniform(-1, 1, n).astype(np.float32), values.integers(0, 2, 8).astype(np.int32)
    results = [np.zeros((parts * n, n), np.float32) for _ in range(4)]
    launch(program.kernel(), blocks, xs.reshape(parts * n, n), b, a, bias, flags, *results, parts, times, flag, n)
    for name, actual, expected in zip(("x", "y", "m", "side"), results, program.expected(xs, b, a, bias, flags, times, flag)):
        error, largest = np.abs(actual - expected).max(), np.abs(expected).max()
        assert error <= 5e-2 * largest, f"{name}: {error} of {largest}\n{program.ours}"


@settings(max_examples=1500 if LONG else 8, deadline=None, suppress_health_check=list(HealthCheck))
@given(numbers=st.randoms(use_true_random=False), n=st.sampled_from([16, 32, 48, 64]), parts=st.integers(1, 4),
       blocks=st.sampled_from([1, 2, 24]), times=st.integers(0, 3), flag=st.integers(0, 3), seed=st.integers(0, 1 << 20))  # fmt: skip
def test_random_programs(numbers, n, parts, blocks, times, flag, seed):
    run(Program(numbers, n), n, parts, blocks, times, flag, seed)


@pytest.mark.parametrize("blocks", [1, 24])
def test_programs_of_new_seeds(blocks):
    """Seeds that no run before had, named where they fail."""
    first = random.SystemRandom().randrange(1 << 30)
    for seed in range(first, first + (300 if LONG else 4)):
        numbers = random.Random(seed)
        n, parts, times, flag = numbers.choice([16, 32, 48]), numbers.randint(1, 4), numbers.randint(0, 3), numbers.randint(0, 3)
        try:
            run(Program(numbers, n), n, parts, blocks, times, flag, seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error


def test_an_array_that_cores_would_share_in_two_ways():
    """The program that found it: a result that both vector cores have is stored over one they share by rows."""
    numbers = random.Random(37)
    program = Program(numbers, 16)
    program.ours = "\n".join([
        "asc2.store(x.to(half) @ b, side_gm, offsets=[part * n, 0])", "y = y + asc2.reduce_sum(a @ b, 0).broadcast_to([n, n])",
        "x = (y.to(half) @ b) * 0.25", "asc2.store(asc2.reduce_sum(y, 0).broadcast_to([n, n]), side_gm, offsets=[part * n, 0])",
    ])  # fmt: skip
    program.theirs = "\n".join([
        "side = h(x) @ b", "y = y + (a @ b).sum(0)", "x = (h(y) @ b) * 0.25", "side = y.sum(0).expand(n, n)",
    ])  # fmt: skip
    program.assemble()
    run(program, 16, 2, 1, 1, 1, 5)
