"""Attacks in asc, PyPTO and Triton (attacks_in.py, triton_attacks.py): `verify --strict` alone refuses each, for its reason."""

import os
import random
from datetime import date

import attacks_in
import pytest
import triton_attacks
from test_candidates import has_triton
from test_evidence import assert_refused

ALL = {" ".join(key): attack for key, attack in attacks_in.attacks().items()} | {
    f"in Triton {name}": attack for name, attack in triton_attacks.CALLS.items()
}
SAMPLE = sorted(ALL) if os.environ.get("TILESMITH_LONG") else random.Random(date.today().toordinal()).sample(sorted(ALL), 8)


@pytest.mark.parametrize("name", SAMPLE)
def test_an_attack_is_refused(verify, name):
    if "Triton" in name and has_triton():
        pytest.skip("the judge takes the Triton that is installed")
    task, candidate, reason, text = ALL[name]
    done = verify(task, candidate, "--strict")
    assert done.code == 1, done.out
    if reason:
        assert_refused(done.result, reason, text)


@pytest.mark.parametrize("language", sorted(attacks_in.LANGUAGES))
def test_what_the_attacks_are_made_of_is_accepted(verify, language):
    """What refused the kernels themselves would show nothing about the attacks."""
    if language == "Triton" and has_triton():
        pytest.skip("the judge takes the Triton that is installed")
    done = verify(attacks_in.TASK, attacks_in.made(language, "work(x, y)\nreturn y"), "--strict")
    assert done.code == 0, (done.result, done.err)
