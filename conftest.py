"""What holds for all tests, those in python/tests and those beside kernels."""

import _tilesmith
import pytest


@pytest.fixture(autouse=True)
def same_platform():
    """A test that chooses a platform does not choose it for the next one."""
    before = _tilesmith.current_platform()
    yield
    _tilesmith.set_platform(before)


@pytest.fixture(autouse=True, scope="module")
def same_platform_after_a_file():
    """Nor does a fixture that chooses one for a whole file."""
    before = _tilesmith.current_platform()
    yield
    _tilesmith.set_platform(before)
