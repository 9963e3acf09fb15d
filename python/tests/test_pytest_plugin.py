"""The pytest plug-in: checked suites, and the fixture for platforms."""

import os
import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

KERNELS = """
import numpy as np
import pytest
import asc, asc2
from asc.runtime import config

@asc2.jit
def double(x_ptr, y_ptr, size):
    x = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0])
    asc2.store(x + asc2.block_idx(), asc2.tensor(y_ptr, [size]), offsets=[0])

def launch(blocks, room=64):
    x, y = np.ones(64, np.float32), np.zeros(room, np.float32)
    double[blocks](x, y, 64)
    return y
"""


@pytest.fixture
def suite(pytester, monkeypatch):
    """suite(tests, *options): runs pytest on these tests, in a process of its own."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(os.path.abspath(path) for path in sys.path if path))

    def run(tests, *options):
        pytester.makepyfile(kernels=KERNELS, test_it="from kernels import *\n" + tests)
        return pytester.runpytest_subprocess("-p", "tilesmith.pytest_plugin", "-p", "no:cacheprovider", *options)

    return run


RACE = """
def test_clean():
    assert launch(1).all()

def test_race():
    launch(2)

def test_race_that_is_wanted_elsewhere():
    with asc.check() as report:
        launch(2)
    assert report.findings

@pytest.fixture
def prepared():
    return launch(2)

def test_race_in_a_fixture(prepared):
    pass

@pytest.mark.tilesmith_allow_findings("cross.write-write")
def test_allowed():
    launch(2)

@pytest.mark.tilesmith_allow_findings("flag.no-event")
def test_another_is_allowed():
    launch(2)

@pytest.mark.tilesmith_allow_findings
def test_all_are_allowed():
    launch(2)

def test_an_expected_error():
    with pytest.raises(asc.KernelError, match="."):
        launch(1, 8)

def test_no_kernel():
    pass
"""


def test_findings_fail_the_test_that_made_them(suite):
    done = suite(RACE, "--tilesmith-check", "-rA")
    done.assert_outcomes(passed=6, failed=2, errors=1)
    done.stdout.fnmatch_lines(["tilesmith: every launch is checked", "*KernelError: *kernels.py:9:5: error: block 0 and block 1 both write*",
                               "1 finding of --tilesmith-check", "tilesmith: 8 launches in 8 tests were checked",
                               "ERROR test_it.py::test_race_in_a_fixture*"])
    for name in ("test_clean", "test_race_that_is_wanted_elsewhere", "test_allowed", "test_all_are_allowed", "test_an_expected_error", "test_no_kernel"):
        done.stdout.fnmatch_lines([f"PASSED test_it.py::{name}"])


def test_without_the_option_nothing_is_checked_or_loaded(suite):
    done = suite(RACE)
    done.assert_outcomes(passed=9)
    assert "tilesmith:" not in done.stdout.str()
    code = "import sys, tilesmith.pytest_plugin; print({'asc', 'asc2', '_tilesmith', 'numpy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


PLATFORMS = """
def test_default(tilesmith_platform):
    assert config.current_platform().value == tilesmith_platform
    with asc.profile() as report:
        launch(1)
    assert report.launches[0].platform == tilesmith_platform

@pytest.mark.tilesmith_platforms("Ascend910B3")
def test_marked(tilesmith_platform):
    assert config.current_platform().value == "Ascend910B3"

@pytest.mark.parametrize("tilesmith_platform", ["Ascend910B4"], indirect=True)
def test_by_hand(tilesmith_platform):
    assert config.current_platform().value == "Ascend910B4"

def test_it_is_put_back():
    assert config.current_platform().value == "Ascend910B1"
"""


def test_the_fixture_is_each_architecture(suite):
    done = suite(PLATFORMS, "-v")
    done.assert_outcomes(passed=5)
    done.stdout.fnmatch_lines(["*test_default?Ascend910B1? PASSED*", "*test_default?Ascend950PR_9599? PASSED*", "*test_marked?Ascend910B3? PASSED*"])


def test_platforms_can_be_chosen(suite):
    done = suite(PLATFORMS, "-v", "--tilesmith-platform", "Ascend950PR_957c")
    done.assert_outcomes(passed=4)
    done.stdout.fnmatch_lines(["*test_default?Ascend950PR_957c? PASSED*"])
    done = suite(PLATFORMS, "--tilesmith-platform", "Ascend910B")
    assert done.ret != 0
    done.stderr.fnmatch_lines(["*no platform is called 'Ascend910B'; did you mean 'Ascend910B1'?"])
