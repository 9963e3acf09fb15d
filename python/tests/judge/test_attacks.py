"""The attacks of attacks/*.txt: `validate` refuses each for the reason beside it, and `verify --strict` refuses it without `validate`.

Each computes its (right) answer on the host and launches a kernel for show, so every one that gets through is a hole.
"""

import json
import os
import random
import re
from datetime import date

import pytest
from attacks import TASK, attacks

from tilesmith.validate import validate

ALL = attacks()
LONG = os.environ.get("TILESMITH_LONG")
SAMPLE = ALL if LONG else random.Random(date.today().toordinal()).sample(ALL, 5)


def test_there_are_many_and_each_says_why_it_is_refused():
    assert len(ALL) >= 300 and len({str(attack) for attack in ALL}) == len(ALL)
    assert all(re.fullmatch(r"DG\d{3}", attack.rule) for attack in ALL)


@pytest.mark.parametrize("attack", ALL, ids=str)
def test_validate_refuses(tmp_path, attack):
    path = tmp_path / "candidate.py"
    path.write_text(attack.candidate())
    clean, text, _ = validate(str(path))
    checks = json.loads(text)["checks"]
    assert not clean, f"{attack} gets through"
    by_type = {"DG2": checks["kernel_called_from_forward"]["error"], "DG1": checks["triton_kernel_exists"]["error"]}
    rules = {violation["rule"] for violation in checks["no_forbidden_torch_ops"]["violations"]}
    assert attack.rule in rules or by_type.get(attack.rule[:3]), text


@pytest.mark.parametrize("attack", SAMPLE, ids=str)
def test_verify_refuses_without_validate(verify, attack):
    done = verify(TASK, attack.candidate(), "--strict")
    assert done.code == 1, f"{attack} gets through: {done.out}"
