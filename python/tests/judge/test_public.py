"""Candidates as people publish them (public.py) are accepted, by `validate` and strictly by `verify`."""

import json
import os
import random
from datetime import date

import pytest
from public import candidates

from tilesmith.validate import validate

ALL = list(candidates())
SAMPLE = ALL if os.environ.get("TILESMITH_LONG") else random.Random(date.today().toordinal()).sample(ALL, 6)


@pytest.mark.parametrize("each", ALL, ids=lambda each: each[0])
def test_validate_accepts(tmp_path, each):
    _, _, candidate = each
    path = tmp_path / "candidate.py"
    path.write_text(candidate)
    clean, report, _ = validate(str(path))
    assert clean, json.loads(report)["checks"]


@pytest.mark.parametrize("each", SAMPLE, ids=lambda each: each[0])
def test_verify_accepts(verify, each):
    _, task, candidate = each
    done = verify(task, candidate, "--strict")
    assert done.code == 0, (done.result, done.err)
    assert done.result["evidence"] == "device process"
