"""Programs written for the chip run unchanged: those of chip_programs under `tilesmith run`, two of them a day."""

import os
import random
from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("torch")

from cli import tilesmith

PROGRAMS = sorted((Path(__file__).parent / "chip_programs").glob("*.py"))
SAMPLE = PROGRAMS if os.environ.get("TILESMITH_LONG") else random.Random(date.today().toordinal()).sample(PROGRAMS, 3)


@pytest.mark.parametrize("program", SAMPLE, ids=lambda path: path.stem)
def test_it_runs_to_its_end(program, tmp_path):
    done = tilesmith("run", program, cwd=tmp_path, env={"PYTHONWARNINGS": "ignore", "TILE_FWK_DEVICE_ID": "1"})
    assert done.returncode == 0 and done.stdout.startswith(program.name), done.stderr
