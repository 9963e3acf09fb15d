"""Random operators of PyPTO, with loops, branches and memory, against torch: right, clean, and alike on any number of cores."""

import os

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from pypto_programs import programs

import asc
from asc.runtime import config
from pypto_checks import PLATFORMS

EXAMPLES = 300 if os.environ.get("TILESMITH_LONG") else 12


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_random_operator_is_what_torch_computes(name, tmp_path):
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs())
    def holds(program):
        config.set_platform("Model", name)
        kernel, golden = program.functions(tmp_path)
        torch.manual_seed(1)
        x, z = (torch.randn(program.rows, program.columns) for _ in "xz")
        w = torch.randn(program.columns, program.columns) / program.columns
        for counts in program.counts:
            expected = [torch.full_like(x, float("nan"), dtype=torch.float64) for _ in "ty"]
            golden(x.double(), z.double(), w.double(), counts, *expected)
            first = None
            for cores in (None, 1):
                actual = [torch.full_like(x, float("nan")) for _ in "ty"]
                with asc.check() as report:
                    kernel.on_cores(cores)(x, z, w, torch.tensor(counts, dtype=torch.int32), *actual)
                assert not report.findings, report.findings[0]["rendered"]
                for one, other in zip(actual, expected):
                    torch.testing.assert_close(one.double(), other, rtol=2e-3, atol=2e-3, equal_nan=True)
                first = first or actual
                assert all(torch.equal(one.view(torch.int32), other.view(torch.int32)) for one, other in zip(first, actual))

    try:
        holds()
    finally:
        config.set_platform("Model", PLATFORMS[0])
