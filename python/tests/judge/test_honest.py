"""Honest candidates are accepted: kernels of the library in the ways people write candidates, on each form of case file, and the files of
candidates/honest. What refuses one of them refuses users' kernels."""

import json
import os
import random
from datetime import date

import pytest
from library import FORMS, candidates, task
from test_candidates import has_triton

from tilesmith.validate import validate

ALL = list(candidates())
LONG = os.environ.get("TILESMITH_LONG")
JUDGED = [(each, FORMS[index % len(FORMS)]) for index, each in enumerate(ALL)]
# Every day takes others.
SAMPLE = JUDGED if LONG else random.Random(date.today().toordinal()).sample(JUDGED, 4)


def test_there_are_enough():
    from test_validate import HONEST

    assert len(ALL) + len(HONEST) >= 120 and len({name for name, *_ in ALL}) == len(ALL)


@pytest.mark.parametrize("each", ALL, ids=lambda each: each[0])
def test_validate_accepts(tmp_path, each):
    _, _, _, text, _ = each
    path = tmp_path / "candidate.py"
    path.write_text(text)
    clean, report, _ = validate(str(path))
    assert clean, json.loads(report)["checks"]


@pytest.mark.parametrize("each, form", SAMPLE, ids=lambda value: value if isinstance(value, str) else value[0])
def test_verify_accepts(verify, tmp_path, each, form):
    """With evidence, and strictly where the kernel is for any shape: those of asc and Ascend C take lengths that divide evenly, some of
    PyPTO shapes of their own."""
    name, inputs, reference, text, beside = each
    if name.startswith("triton ") and has_triton():
        pytest.skip("the judge takes the Triton that is installed")
    for file in beside:
        (tmp_path / file.name).write_text(file.read_text())
    described, lines = task(inputs, reference, form)
    if lines:
        (tmp_path / "op_torch.json").write_text(lines)
    done = verify(described, text, *(["--strict"] if name.startswith(("asc2 ", "triton ")) else []))
    assert done.code == 0, (done.out, done.err)
    assert done.result["evidence"] == "device process"
