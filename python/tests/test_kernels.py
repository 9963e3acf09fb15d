"""Every kernel of the library in every mode: right, clean in checked mode, the same bytes however late instructions run.

pytest also collects the tests in kernels/ themselves, in fast mode; here the same cases run again under observation.
"""

import importlib
import itertools
from pathlib import Path

import pytest

import asc
import golden

KERNELS = Path(golden.__file__).parent
MODULES = sorted(path.stem for path in KERNELS.glob("*.py") if path.stem not in ("golden", "gate"))


def all_cases():
    for name in MODULES:
        module = importlib.import_module(name)
        for attribute in sorted(vars(module)):
            test = getattr(module, attribute)
            if attribute.startswith("test_") and hasattr(test, "shapes"):
                for platform, dtype, shape in itertools.product(golden.PLATFORMS, test.dtypes, test.shapes):
                    label = f"{attribute[5:]}-{platform}-{dtype}-{'x'.join(map(str, shape))}"
                    yield pytest.param(test, platform, dtype, shape, id=label)


def outputs(monkeypatch, test, platform, dtype, shape):
    """Runs the test and returns the bytes it checked."""
    seen = []
    check = golden.check
    with monkeypatch.context() as patch:
        patch.setattr(golden, "check", lambda actual, expected: (seen.append(actual.tobytes()), check(actual, expected)))
        test(platform, dtype, shape)
    return seen


@pytest.mark.parametrize("test, platform, dtype, shape", list(all_cases()))
def test_clean_and_independent_of_order(monkeypatch, test, platform, dtype, shape):
    with asc.check() as report:
        program_order = outputs(monkeypatch, test, platform, dtype, shape)
    assert not report.findings, "\n".join(map(str, report.findings))
    for policy in ("consumers", "producers"):
        with asc.launch_mode(late=policy):
            assert outputs(monkeypatch, test, platform, dtype, shape) == program_order, f"late mode, {policy} first"
