"""`tilesmith sweep`: everything is judged once, whoever is killed when; and what it leaves can be read."""

import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from benched import TASK, candidate_source
from tilesmith.judge.isolation import sandbox
from tilesmith.judge.sweep import candidate_page, executors, summary, unit
from tilesmith.judge.verdict import tasks
from tilesmith.judge.sweep.journal import Journal, JournalError

LONG = os.environ.get("TILESMITH_LONG")

JSON_TASK = """
import torch

class Model(torch.nn.Module):
    def forward(self, x, factor):
        return x * factor

def get_init_inputs():
    return []
"""
LINES = "".join(json.dumps({"inputs": [{"name": "x", "type": "tensor", "required": True, "dtype": dtype, "shape": [4, rows]},
                                       {"name": "factor", "type": "attr", "dtype": "float", "value": 2.5}]}) + "\n"
                for dtype in ("fp16", "fp32") for rows in (1, 17, 64))
SCALE = "import torch\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x, factor):\n        return x * {}\n"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "tasks"
    (folder / "level1" / "scale").mkdir(parents=True)
    for name, text in {
            "wave.py": TASK, "wave_good.py": candidate_source("return compute(x)"),
            "wave_bad.py": candidate_source("return x"), "level1/scale.py": JSON_TASK, "level1/scale.json": LINES,
            "level1/scale/right.py": SCALE.format("factor"), "level1/scale/wrong.py": SCALE.format("2.0"),
            "level1/scale/broken.py": "def ("
    }.items():
        (folder / name).write_text(text)
    return folder


VERDICTS = {
    "level1/scale/broken.py": "fail", "level1/scale/right.py": "pass", "level1/scale/wrong.py": "fail",
    "wave_bad.py": "fail", "wave_good.py": "pass"
}


def start(folder, *args, **kwargs):
    command = [
        sys.executable, "-m", "tilesmith", "sweep",
        str(folder), "--output",
        str(folder.parent / "out.jsonl"), "--jobs", "2", "--no-validate", *map(str, args)
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kwargs)


def sweep(folder, *args):
    process = start(folder, *args)
    out, err = process.communicate(timeout=300)
    return process.returncode, err, records(folder)


def records(folder):
    """The records written so far: a line without its end is still being written by a sweep that runs."""
    path = folder.parent / "out.jsonl"
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def verdicts(found):
    return {record["candidate"]: record["status"] for record in found if record["record"] == "candidate"}


def test_a_sweep_judges_everything_once_and_what_changed_again(folder):
    code, err, found = sweep(folder, "--html", folder.parent / "page.html", "--bench", "--warmup", 1, "--repeats", 3)
    assert code == 0, err
    assert verdicts(found) == VERDICTS
    assert "5 candidates: 2 passed, 3 failed" in err and re.search(r"^pass   level1/scale/right.py  6 of 6 cases  [\d.]+x$",
                                                                   err, re.MULTILINE)
    candidates = {record["candidate"]: record for record in found if record["record"] == "candidate"}
    assert candidates["wave_good.py"]["verify"] == {"total_cases": 2, "passed_cases": 2, "failed_cases": 0}
    assert candidates["wave_good.py"]["bench"]["speedup_vs_torch"] > 0 and candidates["wave_bad.py"]["bench"] is None
    assert candidates["level1/scale/broken.py"]["error_type"] == "SyntaxError"
    cases = [record for record in found if record["record"] == "case" and record["candidate"] == "level1/scale/wrong.py"]
    assert [(case["stage"], case["case_idx"], case["status"]) for case in cases] == [("verify", index, "fail")
                                                                                     for index in range(1, 7)]
    assert cases[1]["input_desc"] == [{"type": "tensor", "shape": [4, 17], "dtype": "torch.float16"},
                                      {"type": "scalar", "value": 2.5}]
    page = (folder.parent / "page.html").read_text()
    assert page.count("<tr>") == 6 and "2 passed, 3 failed" in page and "http" not in page

    again = sweep(folder, "--bench", "--warmup", 1, "--repeats", 3)
    assert again[0] == 0 and again[2] == found and "5 of 5 candidates judged before" in again[1]

    (folder / "wave_bad.py").write_text(candidate_source("return compute(x) + 0"))
    (folder / "level1/scale.json").write_text(LINES.splitlines()[0])
    code, err, later = sweep(folder, "--bench", "--warmup", 1, "--repeats", 3)
    assert verdicts(later[len(found):]) == {
        name: verdict
        for name, verdict in {**VERDICTS, "wave_bad.py": "pass"}.items() if name != "wave_good.py"
    }
    assert "1 of 5 candidates judged before" in err


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def complete(folder, found):
    """Every record whole, every case judged, each candidate with one verdict: nothing lost, nothing twice."""
    names = [record["candidate"] for record in found if record["record"] == "candidate"]
    assert sorted(names) == sorted(VERDICTS) and verdicts(found) == VERDICTS
    cases = {(record["candidate"], record["case_idx"]) for record in found if record["record"] == "case"}
    counts = {"wave_good.py": 2, "wave_bad.py": 2, "level1/scale/right.py": 6, "level1/scale/wrong.py": 6}
    assert cases == {(name, index) for name, count in counts.items() for index in range(1, count + 1)}


def kill_and_resume(folder, seed):
    chance = random.Random(seed)
    (folder.parent / "out.jsonl").unlink(missing_ok=True)
    before = []
    for _ in range(2):
        process = start(folder)
        if chance.random() < 0.5:
            time.sleep(chance.uniform(0, 4))
        else:  # right after a certain record
            wanted = len(before) + chance.randrange(1, 8)
            wait_for(lambda: len((folder.parent / "out.jsonl").read_bytes().splitlines()
                                 if (folder.parent / "out.jsonl").exists() else []) >= wanted or process.poll() is not None)
        below = sandbox.descendants(process.pid)
        process.kill()
        process.communicate()
        wait_for(lambda: not any(alive(pid) for pid in below), 20)  # nothing goes on behind our back
        data = (folder.parent / "out.jsonl").read_bytes() if (folder.parent / "out.jsonl").exists() else b""
        kept = [json.loads(line) for line in data[:data.rfind(b"\n") + 1].splitlines()]
        assert kept[:len(before)] == before, "records of the sweep before were lost"
        before = kept
    code, err, found = sweep(folder)
    assert code == 0 and found[:len(before)] == before, err
    complete(folder, found)


def test_a_sweep_that_is_killed_continues_and_loses_nothing(folder):
    for seed in range(25 if LONG else 2):
        kill_and_resume(folder, seed)


def test_a_judging_process_that_is_killed_is_replaced(folder):
    """kill -9 of one of the pool's own processes: the job is tried again, the verdict is the same."""
    process = start(folder)
    wait_for(lambda: [pid for pid in sandbox.descendants(process.pid) if is_unit(pid)])
    for pid in sandbox.descendants(process.pid):
        if is_unit(pid):
            os.kill(pid, signal.SIGKILL)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    complete(folder, records(folder))


def is_unit(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"tilesmith.judge.sweep.unit" in file.read()
    except OSError:
        return False


def test_a_job_that_always_loses_its_process_is_told_and_tried_again_next_time(monkeypatch):
    monkeypatch.setattr(
        subprocess, "Popen",
        lambda command, **kwargs: ORIGINAL([sys.executable, "-c", "import sys; input(); sys.exit('no luck')"], **kwargs))
    found = []
    executors.Local(2).run([{"key": "k", "done": []}], lambda job, record: found.append(record))
    [record] = found
    assert record["status"] == "error" and record[
        "error_msg"] == "the judge's own process ended with status 1\nno luck\nin each of 3 attempts"


ORIGINAL = subprocess.Popen


def test_ctrl_c_ends_cleanly_with_130(folder):
    (folder / "wave_good.py").write_text(candidate_source("import time; time.sleep(60); return compute(x)"))
    process = start(folder, "--html", folder.parent / "page.html", start_new_session=True)
    signal_at = lambda: sum(record["record"] == "candidate" for record in records(folder)) >= 4
    wait_for(signal_at)
    below = sandbox.descendants(process.pid)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130 and "interrupted with 1 to go; the same command continues" in err, err
    assert time.monotonic() - began < 10 and "Traceback" not in err
    wait_for(lambda: not any(alive(pid) for pid in below), 20)
    assert "1 not judged yet" in (folder.parent / "page.html").read_text()


def test_a_terminal_gets_a_bar(folder):
    import pty

    for name in ("wave.py", "wave_good.py", "wave_bad.py"):
        (folder / name).unlink()
    ours, theirs = pty.openpty()
    process = start(folder, stdin=subprocess.DEVNULL)
    process.communicate()
    command = [
        sys.executable, "-m", "tilesmith", "sweep",
        str(folder), "--no-validate", "--output",
        str(folder.parent / "out.jsonl")
    ]
    process = subprocess.Popen(command, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    plain = re.sub(rb"\x1b\[[?\d;]*[A-Za-z]", b"", shown).decode()
    assert process.wait() == 0 and re.search("\u2501 +3/3", plain), plain


@pytest.mark.parametrize("args, said", [
    (["--jobs", "0"], "--jobs and --repeats are at least 1"),
    (["--output", "/nowhere/out.jsonl"], "/nowhere/out.jsonl: No such file or directory"),
    (["--executor", "ray://127.0.0.1:1"], "Ray"),
])
def test_what_cannot_be_done_is_said(folder, args, said):
    code, err, _ = sweep(folder, *args)
    assert code == 2 and said in err


def test_an_empty_folder_is_told(tmp_path):
    (tmp_path / "empty").mkdir()
    code, err, _ = sweep(tmp_path / "empty")
    assert code == 2 and "has no task with a candidate beside it" in err


def test_a_degenerate_candidate_is_not_run(folder, monkeypatch):
    """What `validate` refuses fails with its type and advice."""
    import tilesmith.__main__

    def validate(arguments):
        assert arguments[0] == "validate" and arguments[2:] == ["--json"] and arguments[1].endswith("/wave_good.py")
        print(json.dumps({"valid": False, "regression_type": 2, "suggestion": "launch the kernel"}))
        return 1

    monkeypatch.setattr(tilesmith.__main__, "main", validate)
    monkeypatch.setattr(unit, "can_validate", lambda: True)
    found = []
    options = {"validate": True, "bench": False, "timeout": 60, "strict": False, "hifloat32": False, "platform": None}
    unit.judge({"folder": str(folder), "task": "wave.py", "candidate": "wave_good.py", "options": options, "done": []}, found.append)
    [record] = found
    assert (record["status"], record["error_type"], record["error_msg"]) == ("fail", "Degenerate", "type 2: launch the kernel")
    assert record["validate"]["valid"] is False and record["verify"] is None


def test_two_sweeps_do_not_write_into_one_file(tmp_path):
    with Journal(tmp_path / "out.jsonl"), pytest.raises(JournalError, match="another sweep is writing to it"):
        Journal(tmp_path / "out.jsonl")


# ---- the journal -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("torn", range(1, 18))
def test_a_torn_line_is_dropped_and_nothing_else(tmp_path, torn):
    path = tmp_path / "out.jsonl"
    with Journal(path) as journal:
        journal.append({"a": 1})
        journal.append({"text": "ü\n\r "})
        whole = path.read_bytes()
        journal.append({"b": "lost and"})
    path.write_bytes(path.read_bytes()[:-torn])
    with Journal(path) as journal:
        assert journal.records == [{"a": 1}, {"text": "ü\n\r "}]
        assert path.read_bytes() == whole and journal.dropped == len('{"b":"lost and"}\n') - torn
        journal.append({"c": 3})
    with Journal(path) as journal:
        assert journal.records[2:] == [{"c": 3}] and journal.dropped == 0


def test_a_file_that_is_no_journal_is_not_touched(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes\nof last year\nunfinished")
    with pytest.raises(JournalError, match="notes.txt:1: not a record of a sweep"):
        Journal(path)
    assert path.read_text() == "my notes\nof last year\nunfinished"


def test_a_full_disk_leaves_no_half_record(tmp_path, monkeypatch):
    path = tmp_path / "out.jsonl"
    with Journal(path) as journal:
        journal.append({"a": 1})
        write = os.write
        monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:5]))
        with pytest.raises(JournalError, match="only 5 of 10 bytes could be written"):
            journal.append({"b": 234})
        monkeypatch.undo()
        journal.append({"c": 3})
    assert path.read_text() == '{"a":1}\n{"c":3}\n'


# ---- the page ----------------------------------------------------------------------------------------------------------


def test_the_page_escapes_what_candidates_say():
    unit = {
        "task": "<t>", "candidate": "<c>", "status": "fail", "verify": {"total_cases": 1, "passed_cases": 0}, "bench": None,
        "seconds": 1.0, "error_type": "<e>", "error_msg": "first", "findings": [{"id": "<i>", "text": "<u>"}]
    }
    case = {
        "case_idx": 1, "status": "fail", "input_desc": [{"type": "scalar", "value": "<v>"}], "error_type": "E",
        "error_msg": "<script>alert(1)</script>"
    }
    page = summary.page("<title>", [(unit, [case])])
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page and "(&lt;v&gt;)" in page
    assert not re.search("<[tcevu]>", page)


# ---- Ray ---------------------------------------------------------------------------------------------------------------


def test_ray_runs_the_same_sweep(folder, tmp_path):
    """Against a Ray of this machine, started for the test."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'ray[client]'")
    code, err, found = sweep(folder, "--executor", "ray", "--html", tmp_path / "page.html")
    assert code == 0, err
    complete(folder, found)


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RuntimeError, match=r'which is not installed: pip install "ray\[client\]"'):
        executors.make("ray://somewhere:10001", 1, ".")


def test_discovery_finds_what_the_sweep_judges(folder):
    assert {str(path.relative_to(folder)) for task in tasks.discover(folder) for path in task.candidates} == set(VERDICTS)


def _judged(candidate, evidence, speedup, status="pass"):
    return ({"task": "t", "candidate": candidate, "key": candidate, "status": status, "evidence": evidence, "seconds": 1.0,
             "verify": {"total_cases": 1, "passed_cases": 1}, "bench": {"speedup_vs_torch": speedup}}, [])


def test_evidence_ranks_before_speed():
    """A thousandfold speedup of which nothing is proved does not stand above what is."""
    units = [_judged("unproved.py", "none", 1000.0), _judged("wrong.py", "replaced results", 50.0, "fail"),
             _judged("interpreted.py", "interpreter", 300.0), _judged("slow.py", "replaced results", 0.9),
             _judged("quick.py", "replaced results", 2.0)]
    assert [unit["candidate"] for unit, _ in summary.ranked(units)] == [
        "quick.py", "slow.py", "interpreted.py", "unproved.py", "wrong.py"]
    page = summary.page("t", units)
    assert page.index("quick.py") < page.index("unproved.py") and "replaced results" in page


def test_the_page_of_a_candidate_shows_what_it_was_judged_by(tmp_path):
    """Verdict, evidence, time, timeline and source; nothing of the candidate's is markup."""
    source = 'x = "<b>"\n'
    (tmp_path / "mine.py").write_text(source)
    unit, _ = _judged("mine.py", "replaced results", 2.0)
    unit |= {"candidate_sha256": hashlib.sha256(source.encode()).hexdigest(), "platforms": ["Ascend910B1"], "error_msg": None,
             "findings": [{"id": "near-bound", "text": "<u>", "case_idx": 1}], "error_type": None}
    case = {"case_idx": 1, "stage": "bench", "status": "pass", "input_desc": [], "speedup_vs_torch": 2.0, "findings": [],
            "framework": {"mean_ms": 2.0}, "implementation": {"mean_ms": 1.0}, "operators": {"<add>": 600.0, "mul": 400.0}}
    page = candidate_page.page(tmp_path, unit, [case], "../all.html")
    for shown in ("1 of 1 case passed", "replaced results: the candidate ran again", "1.0000 ms", "600.00 us", "near-bound",
                  "x = &#34;&lt;b&gt;&#34;", "Ascend910B1", "../all.html"):
        assert shown in page, shown
    assert not re.search("<b>\"|<u>|<add>", page)
    (tmp_path / "mine.py").write_text("changed")
    assert "the file was changed after it was judged" in candidate_page.page(tmp_path, unit, [case])
