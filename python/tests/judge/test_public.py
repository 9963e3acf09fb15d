"""Candidates as people publish them (public.py, public_triton.py) are accepted, by `validate` and strictly by `verify`."""

import json
import os
import random
from datetime import date

import public
import public_triton_more
import pytest
from test_candidates import has_triton

from tilesmith.validate import validate

# What the specification of `validate` says of forward: no function of torch.nn.functional, and of torch only those that allocate.
REFUSED = ("padded", "torch.cat", "torch.stack")
ALL = [*public.candidates(), *public_triton_more.candidates()]
ALLOWED = [each for each in ALL if not (each[0].startswith("Triton: ") and any(word in each[0] for word in REFUSED))]
SAMPLE = ALL if os.environ.get("TILESMITH_LONG") else random.Random(date.today().toordinal()).sample(ALL, 6)


@pytest.mark.parametrize("each", ALLOWED, ids=lambda each: each[0])
def test_validate_accepts(tmp_path, each):
    _, _, candidate = each
    path = tmp_path / "candidate.py"
    path.write_text(candidate)
    clean, report, _ = validate(str(path))
    assert clean, json.loads(report)["checks"]


@pytest.mark.parametrize("each", SAMPLE, ids=lambda each: each[0])
def test_verify_accepts(verify, each):
    name, task, candidate = each
    if name.startswith("Triton: ") and has_triton():
        pytest.skip("the judge takes the Triton that is installed")
    done = verify(task, candidate, "--strict")
    assert done.code == 0, (done.result, done.err)
    assert done.result["evidence"] == "device process"
