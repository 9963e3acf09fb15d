"""What holds for all tests, those in python/tests and those beside kernels."""

import _tilesmith
import pytest
import tilesmith.triton

tilesmith.triton.install_if_missing()  # kernels of the library say `import triton`


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
