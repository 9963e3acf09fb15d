"""The attacks of device_attacks.py: `verify --strict` alone refuses each, and `bench` those that wait until they are timed."""

import json
import os
import random
from datetime import date

import pytest
from device_attacks import CALLS, SOURCES, WAITING
from test_evidence import ASCEND_C, DOUBLE, LOADED, assert_refused

LONG = os.environ.get("TILESMITH_LONG")
TODAY = random.Random(date.today().toordinal())


def sample(names, count):
    """Others every day, all with TILESMITH_LONG=1."""
    return sorted(names) if LONG else TODAY.sample(sorted(names), count)


def assert_it_is_refused(done, reason, text):
    assert done.code == 1, done.out
    if done.result is None:  # it could not even be loaded
        assert text in done.err
    elif reason:
        assert_refused(done.result, reason, text)


@pytest.mark.parametrize("name", sample(CALLS, 4))
def test_verify_alone_refuses(verify, name):
    task, candidate, reason, text = CALLS[name]
    assert_it_is_refused(verify(task, candidate, "--strict"), reason, text)


@pytest.mark.parametrize("name", sample(SOURCES, 3))
def test_verify_alone_refuses_cpp(verify, tmp_path, name):
    before, body, reason, text = SOURCES[name]
    (tmp_path / "work.cpp").write_text(before + "\n" + ASCEND_C % body)
    assert_it_is_refused(verify(DOUBLE, LOADED, "--strict"), reason, text)


@pytest.mark.parametrize("name", sorted(WAITING))
def test_bench_alone_refuses_what_waits_until_it_is_timed(verify, tmp_path, capsys, name):
    """They are right and fair as long as `verify` calls them."""
    from tilesmith.__main__ import main

    task, candidate, source, text = WAITING[name]
    (tmp_path / "work.cpp").write_text(source)
    done = verify(task, candidate, "--strict", "-v", "Ascend910B1")
    assert done.code == 0, (done.result, done.err)
    output = tmp_path / "perf.json"
    main(["bench", "--op_name", "op", "--verify_dir", str(tmp_path), "-v", "Ascend910B1", "--repeats", "30", "--output", str(output)])
    capsys.readouterr()
    [shape] = json.loads(output.read_text())["per_shape_results"]
    assert (shape["status"], shape["error_type"]) == ("fail", "ChangedBehaviour") and text in shape["error_msg"]
