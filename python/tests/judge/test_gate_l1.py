"""The gate before a benchmark: it opens on an earned result alone, and says why it stays shut."""

import json
import os
import sys

import pytest

from tilesmith.judge.timing import gate
from tilesmith.judge.verdict import signature

BINDING = {"task_sha256": "aa", "candidate_sha256": "bb"}
GOOD = {"op_name": "relu", "total_cases": 3, "passed_cases": 3, "failed_cases": 0, "failures": [], **BINDING}


@pytest.mark.parametrize("impl, name", [
    ("triton_ascend_impl", "verify_result.json"),
    ("triton_baseline", "verify_result_baseline.json"),
    ("triton_optimized", "verify_result_optimized.json"),
    ("triton_v2_final", "verify_result_v2_final.json"),
    ("mine", "verify_result_mine.json"),
    ("my_triton_x", "verify_result_my_triton_x.json"),
    ("ascend_impl", "verify_result_ascend_impl.json"),
])
def test_the_result_file_follows_from_the_name_of_the_variant(impl, name):
    assert gate.result_name(impl) == name


@pytest.fixture
def check(tmp_path):
    path = tmp_path / "verify_result.json"

    def check(content, op_name="relu"):
        content = signature.signed(content) if isinstance(content, dict) else content  # so that nothing else shuts it
        data = content if isinstance(
            content, bytes) else content.encode() if isinstance(content, str) else json.dumps(content).encode()
        path.write_bytes(data)
        return gate.check(path, BINDING, op_name)

    check.path = path
    return check


def refusal(check, content):
    with pytest.raises(gate.Refusal) as caught:
        check(content)
    text = str(caught.value)
    assert text.startswith("tilesmith: the gate is shut: ") and f"  result file: {check.path}" in text
    return text


def test_a_bound_passing_result_opens_the_gate(check):
    assert {**check(GOOD), "signature": None} == {**GOOD, "signature": None}


def test_a_missing_file_shuts_it(tmp_path):
    with pytest.raises(gate.Refusal,
                       match="there is no result file; run `tilesmith verify` first, with --output for a variant\n  result file: .*nowhere.json$"):
        gate.check(tmp_path / "nowhere.json", BINDING)


def test_what_is_no_file_shuts_it_and_does_not_hang(tmp_path):
    """Opening a pipe nobody writes to would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "pipe" / "below"):
        with pytest.raises(gate.Refusal, match="cannot be read"):
            gate.check(path, BINDING)


def test_a_file_larger_than_memory_should_hold_is_not_read(check):
    check.path.touch()
    os.truncate(check.path, 1 << 40)
    with pytest.raises(gate.Refusal, match="cannot be read: 1099511627776 bytes, more than a result has"):
        gate.check(check.path, BINDING)


@pytest.mark.parametrize("content, said", [
    ("", "not JSON"),
    ("{", "not JSON"),
    (b"\xff\xfe{}", "not JSON"),
    ("[" * 100_000, "not JSON"),
    (json.dumps(GOOD)[:-1], "not JSON"),
    (json.dumps(GOOD) + json.dumps(GOOD), "not JSON"),
    (json.dumps(GOOD)[:-1] + ', "passed_cases": 3}', "not JSON: key 'passed_cases' is there twice"),
    (json.dumps(GOOD)[:-1] + ', "extra": NaN}', "not JSON: NaN is not JSON"),
    (json.dumps(GOOD)[:-1] + ', "extra": -Infinity}', "not JSON: -Infinity is not JSON"),
    ('{"total_cases": ' + "9" * 5000 + "}", "not JSON"),
    ("[]", "holds [], not an object"),
    ("null", "holds None, not an object"),
    ('"passed"', "holds 'passed', not an object"),
    ("3", "holds 3, not an object"),
    ("true", "holds True, not an object"),
])
def test_what_is_no_json_object_shuts_it(check, content, said):
    assert said in refusal(check, content)


@pytest.mark.parametrize("value", [-1, None, "3", "", True, 3.0, [], {}, [3]])
@pytest.mark.parametrize("names", [("total_cases", "passed_cases"), ("total_cases",), ("passed_cases",), ("failed_cases",)])
def test_counts_that_are_no_counts_shut_it_even_when_they_are_equal(check, names, value):
    """-1 == -1, null == null, "3" == "3" and true == 1 opened a gate that only compares."""
    said = refusal(check, {**GOOD, **dict.fromkeys(names, value)})
    assert "is not a count" in said


@pytest.mark.parametrize("change, said", [
    ({"total_cases": 0, "passed_cases": 0}, "no case was verified"),
    ({"total_cases": 0}, "no case was verified"),
    ({"passed_cases": 2}, "not every case passed"),
    ({"passed_cases": 4}, "not every case passed"),
    ({"passed_cases": 0, "failed_cases": 3}, "not every case passed"),
    ({"failed_cases": 1}, "failed_cases is 1"),
    ({"failures": [{"case_idx": 1}]}, "and yet failures are listed"),
    ({"failures": ["case 1 failed"]}, "failures is ['case 1 failed'], not a list of objects"),
    ({"failures": [None]}, "not a list of objects"),
    ({"failures": {}}, "not a list of objects"),
    ({"failures": None}, "not a list of objects"),
    ({"failures": "", }, "not a list of objects"),
    ({"op_name": "gelu"}, "of operator 'gelu', not 'relu'"),
    ({"op_name": None}, "of operator None"),
    ({"task_sha256": "ab"}, "stale: task_sha256 was 'ab', is 'aa'"),
    ({"candidate_sha256": "b"}, "stale: candidate_sha256 was 'b', is 'bb'"),
    ({"candidate_sha256": None}, "stale"),
])
def test_a_result_that_was_not_earned_shuts_it(check, change, said):
    assert said in refusal(check, {**GOOD, **change})


@pytest.mark.parametrize("name, said", [("total_cases", "no case was verified"), ("passed_cases", "not every case passed"),
                                        ("task_sha256", "(task_sha256 is missing)"), ("candidate_sha256", "is missing"),
                                        ("op_name", "of operator None")])
def test_a_missing_key_shuts_it(check, name, said):
    """A missing count is 0. A result without hashes may be of any file: it was written by hand, or by the candidate."""
    assert said in refusal(check, {key: value for key, value in GOOD.items() if key != name})


def test_counts_and_at_most_five_failures_are_shown(check):
    failures = [{"case_idx": index, "error_type": "AssertionError", "error_msg": f"Traceback\n  line\nwrong by {index}\n"}
                for index in range(1, 8)]
    text = refusal(check, {**GOOD, "total_cases": 9, "passed_cases": 2, "failed_cases": 7, "failures": failures})
    assert text.splitlines()[1:] == [
        f"  result file: {check.path}", "  passed/total: 2/9",
        *(f"  case {index}: AssertionError: wrong by {index}" for index in range(1, 6)), "  and 2 more"
    ]


def test_failures_of_strange_content_are_shown_without_falling_over_them(check):
    failures = [{}, {"case_idx": None, "error_type": 3, "error_msg": None}, {"error_msg": ["a", "b"]},
                {"error_msg": "x" * 100_000}]
    text = refusal(check, {**GOOD, "passed_cases": 0, "failures": failures})
    assert len(text) < 2000 and text.count("\n  case ") == 4


@pytest.mark.skipif(os.geteuid() == 0 or sys.platform == "win32", reason="root may read everything")
def test_an_unreadable_file_shuts_it(check):
    check.path.write_text(json.dumps(GOOD))
    check.path.chmod(0)
    with pytest.raises(gate.Refusal, match="cannot be read: Permission denied"):
        gate.check(check.path, BINDING)
