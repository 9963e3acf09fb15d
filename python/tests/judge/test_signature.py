"""Results carry the signature of the judge that wrote them, and the gate opens to no other."""

import json

import pytest
from judging import TASK

from tilesmith.judge.timing import gate
from tilesmith.judge.verdict import signature

pytest.importorskip("cryptography", reason="cryptography is not installed")

BINDING = {"task_sha256": "aa"}
GOOD = {"op_name": "relu", "total_cases": 3, "passed_cases": 3, "failed_cases": 0, "failures": [], **BINDING}


@pytest.fixture(autouse=True)
def own_key(tmp_path, monkeypatch):
    monkeypatch.setenv("TILESMITH_JUDGE_KEY", str(tmp_path / "keys" / "judge.key"))
    return tmp_path / "keys" / "judge.key"


@pytest.fixture
def opens(tmp_path):
    def opens(content):
        path = tmp_path / "verify_result.json"
        path.write_text(json.dumps(content))
        return gate.check(path, BINDING, "relu")

    return opens


def test_what_the_judge_signed_opens_the_gate(opens, own_key):
    assert opens(signature.signed(GOOD))["passed_cases"] == 3
    assert own_key.stat().st_mode & 0o777 == 0o600, "the key is its owner's alone"


def test_the_key_is_made_once(own_key):
    first = signature.signed(GOOD)["signature"]["key"]
    text = own_key.read_text()
    assert signature.signed(GOOD)["signature"]["key"] == first and own_key.read_text() == text


@pytest.mark.parametrize("change, said", [
    (lambda r: r.pop("signature"), "it has no signature of a judge"),
    (lambda r: r.update(signature=None), "it has no signature of a judge"),
    (lambda r: r.update(signature="yes"), "it has no signature of a judge"),
    (lambda r: r.update(passed_cases=4, total_cases=4), "its signature does not fit"),
    (lambda r: r.update(extra=1), "its signature does not fit"),
    (lambda r: r["signature"].update(value="00" * 64), "its signature does not fit"),
    (lambda r: r["signature"].update(value="zz"), "its signature is not one"),
    (lambda r: r["signature"].update(value=None), "its signature is not one"),
    (lambda r: r["signature"].update(key=7), "names no key"),
    (lambda r: r["signature"].update(algorithm="none"), "is not ed25519"),
])
def test_a_forged_result_does_not_open_it(opens, change, said):
    content = signature.signed(GOOD)
    change(content)
    with pytest.raises(gate.Refusal, match=said):
        opens(content)


def test_the_signature_of_another_judge_counts_when_it_is_trusted(opens, own_key, tmp_path, monkeypatch):
    """A candidate can sign with a key of its own; and a farm of judges trusts each other by a file."""
    monkeypatch.setenv("TILESMITH_JUDGE_KEY", str(tmp_path / "other.key"))
    content = signature.signed(GOOD)
    monkeypatch.setenv("TILESMITH_JUDGE_KEY", str(own_key))
    signature.signed(GOOD)
    with pytest.raises(gate.Refusal, match="which this judge does not trust"):
        opens(content)
    own_key.with_suffix(".trusted").write_text(f"# the farm\n{content['signature']['key']}  # its first machine\n")
    assert opens(content)


def test_without_the_library_there_is_no_signature_and_none_is_asked_for(opens, monkeypatch):
    monkeypatch.setattr(signature, "_library", lambda: None)
    assert signature.signed(GOOD)["signature"] is None and opens(GOOD)


def test_a_file_that_is_not_a_key_is_an_error(own_key):
    own_key.parent.mkdir()
    own_key.write_text("secret\n")
    with pytest.raises(OSError, match="is not a key of a judge: 64 hexadecimal digits are expected"):
        signature.signed(GOOD)


def test_verify_signs_and_its_candidate_cannot(verify, isolated, own_key):
    """The whole way: the result of the command is signed; the candidate does not find the key."""
    search = """
import os, torch
found = [os.path.join(a, f) for a, _, fs in os.walk("/") if not a.startswith(("/proc", "/sys", "/usr")) for f in fs if f == "judge.key"]
class ModelNew(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(n))
    def forward(self, x):
        assert not found, found
        return torch.tanh(x) * self.w
"""
    done = verify(TASK, search)
    assert done.code == 0, (done.result, done.err)
    signature.check(done.result)
    assert done.result["signature"]["algorithm"] == "ed25519"
