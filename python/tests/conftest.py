import sys
from pathlib import Path

import _tilesmith
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "kernels"))


@pytest.fixture(autouse=True)
def same_platform():
    """A test that chooses a platform does not choose it for the next one."""
    before = _tilesmith.current_platform()
    yield
    _tilesmith.set_platform(before)
