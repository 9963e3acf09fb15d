"""No result depends on the host's CPU: what is shown at its own level is shown again at every smaller one (TILESMITH_CPU).

The C++ tests of elements and execution do so in ctest; here whole kernels: the conformance tests and the equality of both roads
pass at each level, and kernels on arbitrary bits (NaNs of all kinds, infinities, subnormals) write the same bytes.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ["baseline", "avx2", "avx512"]


def run(level, *command):
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, cwd=ROOT,
                          env=os.environ | {"TILESMITH_CPU": level})


def has(level):
    return "but this CPU has only" not in run(level, "-c", "import _tilesmith; _tilesmith.cpu_level()").stderr


@pytest.fixture(scope="module")
def levels():
    """Those this machine has; the largest is what all other tests run at."""
    return [level for level in LEVELS if has(level)]


def smaller(level, levels):
    if level not in levels[:-1]:
        pytest.skip(f"{level} is not below this machine's own level")
    return level


@pytest.mark.parametrize("level", LEVELS[:-1])
def test_conformance(level, levels):
    files = sorted(ROOT.glob("python/tests/test_ascendc_conformance*.py"))
    result = run(smaller(level, levels), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *files)
    assert result.returncode == 0 and " passed" in result.stdout, result.stdout[-4000:] + result.stderr[-2000:]


@pytest.mark.parametrize("level", LEVELS[:-1])
def test_equality(level, levels):
    result = run(smaller(level, levels), "tools/equality.py", "--compiler", "g++")
    assert result.returncode == 0 and "equal" in result.stdout, result.stdout[-4000:] + result.stderr[-2000:]


def test_arbitrary_bits_give_the_same_bytes(levels):
    """Kernels that add, multiply, choose, reduce and multiply matrices, on bits that are NaN as often as not."""
    outputs = {level: run(level, "python/tests/arbitrary_bits.py") for level in levels}
    for level, output in outputs.items():
        assert output.returncode == 0 and len(output.stdout.splitlines()) == 12, f"{level}: {output.stderr}"
    assert len({output.stdout for output in outputs.values()}) == 1, {k: v.stdout for k, v in outputs.items()}
    # What arithmetic wrote has one NaN per type.
    for line in outputs[levels[-1]].stdout.splitlines():
        assert set(line.split()[3:]) <= {"0x7fc00000", "0x7e00"}, line


def test_a_level_the_machine_does_not_know_is_said():
    result = run("sse9", "-c", "import _tilesmith; print(_tilesmith.cpu_level())")
    assert result.stderr == "tilesmith: warning: TILESMITH_CPU=sse9 is not one of baseline, avx2, avx512\n"
    assert result.stdout.strip() in LEVELS
