"""kernels/pypto: right, clean, and the same bytes whatever the tiles and the number of cores are."""

import copy
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

import asc
from pypto_checks import platform  # noqa: F401

KERNELS = Path(__file__).resolve().parents[2] / "kernels/pypto"
sys.path.append(str(KERNELS))

from pypto_cases import CASES

LONG = bool(os.environ.get("TILESMITH_LONG"))
# Short runs take two tilings of each operator, others every day; alike in all processes.
DAY = random.Random(int(time.time()) // 86400)
TILES = {name: case.tiles if LONG else [case.tiles[0], DAY.choice(case.tiles[1:])] for name, case in CASES.items()}


def launched(case, tile, cores=None):
    """The results of a launch on the case's data, checked for hazards, and what they should be."""
    torch.manual_seed(3)
    tensors, others, expected = case.make()
    tensors = [copy.deepcopy(one) for one in tensors]
    with asc.check() as report:
        case.kernel.on_cores(cores)(*tensors, *others, tile=tile)
    assert not report.findings, report.findings[0]["rendered"]
    return {index: tensors[index] for index in expected}, expected


@pytest.mark.parametrize("name", list(CASES))
def test_operators_are_right_under_all_tiles_and_cores(name):
    case, first = CASES[name], None
    for tile in TILES[name]:
        for cores in (None, 1):
            results, expected = launched(case, tile, cores)
            for index, golden in expected.items():
                if golden.is_floating_point():
                    torch.testing.assert_close(results[index].double(), golden.double(), rtol=case.bound, atol=case.bound)
                else:
                    assert torch.equal(results[index], golden)
            first = first or results
            for index, result in results.items():
                assert torch.equal(first[index].view(torch.uint8), result.view(torch.uint8)), (tile, cores)


@pytest.mark.parametrize("name", list(CASES))
def test_late_execution_gives_the_same_bytes(name):
    case = CASES[name]
    early, _ = launched(case, case.tiles[0])
    for policy in ("consumers", "producers"):
        torch.manual_seed(3)
        tensors, others, expected = case.make()
        with asc.launch_mode(late=policy):
            case.kernel(*tensors, *others, tile=case.tiles[0])
        assert all(torch.equal(early[index].view(torch.uint8), tensors[index].view(torch.uint8)) for index in expected)


def test_operators_with_helpers_come_from_the_disk_cache(tmp_path):
    """A helper function is part of what is compiled: another process must find it unchanged, not unknown."""
    code = f"""
import sys
sys.path.append({str(KERNELS)!r})
import _tilesmith
from asc.runtime import config
from pypto_cases import CASES
config.set_platform("Model", "Ascend910B1")
before = _tilesmith.compilations()
tensors, others, _ = CASES["softmax"].make()
CASES["softmax"].kernel(*tensors, *others)
print(_tilesmith.compilations() - before)
"""
    env = dict(os.environ, PYASC_CACHE_DIR=str(tmp_path))
    for expected in ("1", "0"):
        run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
        assert run.stdout.split() == [expected], run.stderr
