"""A kernel from an empty folder to CP-3, and projects that cheat on the way."""

import json
import os
import random
import shutil
import time
from datetime import date

import pytest
from cli import killed, tilesmith
from tilesmith import records
from tilesmith.document import Failure
from tilesmith.workflow import checkpoints, design, gate, project, review, tasks

PLATFORM = "Ascend950PR_9599"


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A kernel that has passed everything, and the key its records are signed with."""
    folder = tmp_path_factory.mktemp("workflow")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILESMITH_JUDGE_KEY", str(folder / "judge.key"))
        patch.chdir(folder)
        made, _ = project.create("sample", "exp", "float32", "Model", PLATFORM)
        project.environment(made)
        design.write_score(made, *design.evaluate(made))
        review.review(made, PLATFORM)
        for name in checkpoints.NAMES:
            assert gate.run(made, name) == (name, [])
        yield made


@pytest.fixture
def copy(honest, tmp_path):
    return project.Project(shutil.copytree(honest.folder, tmp_path / "sample"))


def edit(path, old, new):
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize("dtype, platform", [("float32", PLATFORM), ("float16", "Ascend910B1")])
def test_commands_lead_from_an_empty_folder_to_the_end(tmp_path, dtype, platform):
    def run(*words, code=0):
        done = tilesmith(*words, cwd=tmp_path)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    run("gate", "mine", code=2)
    run("new", "mine", "--op", "abs", "--dtype", dtype, "--platform", platform)
    assert "exists already" in run("new", "mine").stderr
    run("gate", "mine", code=1)
    run("env", "mine", "--platform", platform)
    run("gate", "mine")
    run("gate", "mine", "--checkpoint", "CP-2", code=2)
    run("gate", "mine", code=1)
    run("design", "mine", "--check")
    run("gate", "mine")
    run("review", "mine", "-v", platform)
    run("gate", "mine")
    facts = json.loads(run("gate", "mine", "--json").stdout)
    assert (facts["checkpoint"], facts["passed"]) == ("CP-3", True)


def test_score_falls_into_the_bands():
    score = review.score_of
    assert score([]) == 10 and score(["medium"] * 9) == 9.0
    assert score(["high"]) == 8.5 and score(["high", "medium"]) == 8.4
    assert 7.0 <= score(["high"] * 2) < 8.5 and score(["high"] * 50) == 7.0
    assert score(["critical"]) < 7 and score(["critical"] * 50) == 0


# Changes of an honest project, made before it is reviewed: (file, old, new, checkpoint, a word of the reason).
KERNEL = {
    "a word instead of a comparison": ("        np.testing.assert_allclose(launch(x).astype(np.float64), reference(x), rtol=1e-5, atol=1e-5)\n",
                                       "        launch(x)\n        print('PASS allclose')\n", "comparison that can fail"),
    "a comparison in a comment": ("        np.testing", "        launch(x)  # np.testing", "comparison that can fail"),
    "a comparison whose answer is dropped": ("np.testing.assert_allclose(launch(x).astype(np.float64), reference(x), rtol=1e-5, atol=1e-5)",
                                             "print('PASS', np.allclose(launch(x), reference(x)))", "TS503"),
    "a reference that is the kernel": ("return np.exp(wide)", "return launch(x).astype(np.float64)", "TS506"),
    "a result that is the reference": ("launch(x).astype(np.float64), reference(x)", "(launch(x), reference(x))[1], reference(x)", "every result of its launches was replaced"),
    "a swallowed failure": ("        np.testing.assert_allclose(launch(x).astype(np.float64), reference(x), rtol=1e-5, atol=1e-5)\n",
                            "        try:\n            np.testing.assert_allclose(launch(x).astype(np.float64), reference(x), rtol=1e-5, atol=1e-5)\n        except AssertionError:\n            pass\n", "TS505"),
    "a dummy kernel": ("    sample_kernel[blocks](x, y, x.size, tile=TILE)\n", "    y[:] = np.exp(x)\n", "launches"),
    "NumPy after the launch": ("    return y\n\n\ndef reference", "    y[:] = np.exp(x)\n    return y\n\n\ndef reference", "every result of its launches was replaced"),
    "a loose tolerance": ("rtol=1e-5, atol=1e-5", "rtol=10.0, atol=10.0", "too loose"),
    "a few elements compared": ("launch(x).astype(np.float64), reference(x)", "launch(x).astype(np.float64)[:16], reference(x)[:16]", "elements that launches wrote are compared"),
    "a mean compared": ("launch(x).astype(np.float64), reference(x)", "launch(x).astype(np.float64).mean(), reference(x).mean()", "computed on the host"),
    "truths compared": ("launch(x).astype(np.float64), reference(x)", "launch(x) > 1, reference(x) > 1", "computed on the host"),
    "the larger of both": ("launch(x).astype(np.float64), reference(x)", "np.maximum(launch(x), reference(x)), reference(x)", "computed on the host"),
    "what the kernel copied, computed by NumPy": ("asc2.exp(asc2.load(x, [tile], tile_id=[i]))", "asc2.load(x, [tile], tile_id=[i])", "asc2.exp is not used",
                                                  "launch(x).astype(np.float64), reference(x)", "np.exp(launch(x).astype(np.float64)), reference(x)"),
    "inputs that are all alike": ("np.random.default_rng(seed).uniform(-5, 5, size)", "np.zeros(size)", "one value everywhere"),
    "a comparison of another make": ("def run_kernel(backend", "def close(a, b, **_):\n    assert np.isfinite(b).all()\n\n\nnp.testing.assert_allclose = close\n\n\ndef run_kernel(backend", "is replaced"),
    "a tolerance by another name": ("rtol=1e-5, atol=1e-5", "**dict(zip(('rtol', 'atol'), (50, 50)))", "a tolerance of 50"),
    "a script that counts its runs": ('    print("every size', '    open("ran", "a").close()\n    print("every size', "open(...)"),
    "a script that looks up its callers": ("    return y\n\n\ndef reference", "    import sys\n    assert 'poison' not in sys._getframe(9).f_locals\n    return y\n\n\ndef reference", "sys._getframe"),
    "a test that is hollow": ("def test_sample(backend, platform):\n    run_kernel(backend, platform)", "def test_sample(backend, platform):\n    pass", "a test_* function that compares"),
    "a test that is skipped": ("def test_sample(", "import pytest\n\n\n@pytest.mark.skip\ndef test_sample(", "pytest.mark.skip"),
    "a comparison now and then": ("        np.testing", "        if np.random.rand() < 0.5:\n            launch(x)\n            continue\n        np.testing", ""),
    "a wrong result": ("asc2.exp(", "asc2.sqrt(", "AssertionError"),
    "a print in the kernel": ("        asc2.store(", "        print(i)\n        asc2.store(", "TS106"),
    "a break, which upstream refuses": ("        asc2.store(", "        if i > 1000:\n            break\n        asc2.store(", "TS105"),
    "flags of the first version": ("        asc2.store(", "        asc.set_flag(asc.HardEvent.MTE2_V, 0)\n        asc2.store(", "TS301"),
    "an endless script's exit code": ("    run_kernel(getattr", "    raise SystemExit(0)\n    run_kernel(getattr", "launches"),
    "another platform than was asked for": ("asc.runtime.config.set_platform(backend, platform)", "asc.runtime.config.set_platform(backend, 'Ascend910B1')", "platform that is asked for"),
    "no driver": ('if __name__ == "__main__":', 'if __name__ == "main":', "launches"),
    "a shape that is not constant": ("tile: asc.ConstExpr[int]", "tile", "TS132"),
    "a secret": ("CORES = 24", 'CORES = 24\nAPI_TOKEN = "9f8e7d6c5b4a"', "TS702"),
    "code that does not parse": ("TILE = ", "TILE == = ", "parse"),
    "two blocks that store to the same bytes": ("asc2.range(asc2.block_idx(), asc2.num_tiles(x, 0, [tile]), asc2.block_num())", "asc2.range(asc2.num_tiles(x, 0, [tile]))", "checked mode"),
}


# Each takes three runs of a kernel: some are drawn, others another day.
LONG = bool(os.environ.get("TILESMITH_LONG"))
DRAWN = sorted(KERNEL) if LONG else sorted(random.Random(date.today().toordinal()).sample(sorted(KERNEL), 14))


@pytest.mark.parametrize("name", DRAWN)
def test_review_refuses(copy, name):
    old, new, reason, *more = KERNEL[name]
    edit(copy.kernel, old, new)
    if more:
        edit(copy.kernel, *more)
    content = review.review(copy, PLATFORM)
    texts = " | ".join(problem["text"] for problem in content["problems"])
    assert reason in texts
    found = [text for name in ("CP-2", "CP-3") for text, _ in checkpoints.missing(copy, name)]
    assert found, "the checkpoints pass"


def forge(path, **changes):
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, **changes}))


def copied_environment(it):
    forge(it.environment, kernel_name="other")


def other_kernel(it):
    content = records.read(it.environment)
    records.write(it.environment, {**content, "kernel_name": "other"})


def typed_score(it):
    edit(it.design, "- tile size", "- size")


def edited_design_score(it):
    it.design.write_text(design.without_score(it.design.read_text()) + "\n## Design Score\n\n9.9 / 10\n")


def score_in_a_comment(it):
    it.design.write_text(design.without_score(it.design.read_text()) + "\n<!--\n## Design Score\n\n10.0 / 10\n-->\n")


def unticked(it):
    it.design.write_text(design.without_score(it.design.read_text()).replace("- [x] loops", "- [ ] loops"))
    design.write_score(it, *design.evaluate(it))


def no_boxes(it):
    it.design.write_text(design.without_score(it.design.read_text()).replace("- [x]", "-"))
    design.write_score(it, *design.evaluate(it))


def unknown_function(it):
    edit(it.design, "asc2.load |", "asc2.load_everything |")
    design.write_score(it, *design.evaluate(it))


def tile_too_large(it):
    edit(it.design, "tile size: 4096", "tile size: 400000")
    design.write_score(it, *design.evaluate(it))


def sections_in_code(it):
    it.design.write_text("# Design of sample\n\n```\n" + design.without_score(it.design.read_text()) + "```\n")
    design.write_score(it, *design.evaluate(it))


def of_another(it):
    edit(it.design, "# Design of sample", "# Design of abs_f16")
    design.write_score(it, *design.evaluate(it))


def boxes_the_kernel_contradicts(it):
    edit(it.kernel, "        asc2.store(", "        print(i)\n        asc2.store(")
    design.write_score(it, *design.evaluate(it))


def other_pages(it, name):
    path = it.path("docs", "tasks.json")
    content = records.read(path)
    for task in content["tasks"]:
        if task["task"] == name:
            task["read"] = {page: "0" * 16 for page in task["read"]}
    records.write(path, content)


def rewritten_record(it):
    """Signed with the user's own key, hashes and all."""
    edit(it.kernel, "        asc2.store(", "        print(i)\n        asc2.store(")
    records.write(it.review, {**records.read(it.review), "hashes": review.hashes(it)})
    tasks.note(it, "kernel.py", {"score": 10.0})
    line = it.kernel.read_text().splitlines().index("        print(i)") + 1
    assert [text for text, _ in checkpoints.missing(it, "CP-2")] == [f"the review does not say: kernel.py:{line}: print in device code [TS106]"]


ARTEFACTS = {
    "no folder for tests": (lambda it: shutil.rmtree(it.path("test")), "CP-0"),
    "no environment": (lambda it: it.environment.unlink(), "CP-0"),
    "an environment that is no JSON": (lambda it: it.environment.write_text("{"), "CP-0"),
    "an environment written by hand": (lambda it: it.environment.write_text('{"kernel_name": "sample", "python": {"version": "3"}}'), "CP-0"),
    "the environment of another kernel": (copied_environment, "CP-0"),
    "a signed environment of another kernel": (other_kernel, "CP-0"),
    "no design": (lambda it: it.design.unlink(), "CP-1"),
    "a score that is not that of the document": (typed_score, "CP-1"),
    "an edited score": (edited_design_score, "CP-1"),
    "a score in a comment": (score_in_a_comment, "CP-1"),
    "a box that is not ticked": (unticked, "CP-1"),
    "no boxes": (no_boxes, "CP-1"),
    "a function that does not exist": (unknown_function, "CP-1"),
    "a tile that does not fit": (tile_too_large, "CP-1"),
    "sections inside a block of code": (sections_in_code, "CP-1"),
    "the design of another kernel": (of_another, "CP-1"),
    "boxes that the kernel contradicts": (boxes_the_kernel_contradicts, "CP-1"),
    "a design nobody evaluated": (lambda it: it.path("docs", "tasks.json").unlink(), "CP-1"),
    "tasks that were typed": (lambda it: it.path("docs", "tasks.json").write_text('{"kernel_name": "sample", "tasks": []}'), "CP-2"),
    "tasks of another kernel": (lambda it: records.write(it.path("docs", "tasks.json"), {**records.read(it.path("docs", "tasks.json")), "kernel_name": "other"}), "CP-2"),
    "a design held against another interface": (lambda it: other_pages(it, "evaluation"), "CP-1"),
    "a review by another checklist": (lambda it: other_pages(it, "acceptance"), "CP-2"),
    "a record whose score is not that of its problems": (lambda it: records.write(it.review, {**records.read(it.review), "problems": [{"severity": "high", "text": "x"}]}), "CP-2"),
    "a record that leaves out what lint says": (lambda it: rewritten_record(it), "CP-2"),
    "no kernel": (lambda it: it.kernel.unlink(), "CP-2"),
    "no review": (lambda it: it.review.unlink(), "CP-2"),
    "a kernel that was swapped after the review": (lambda it: edit(it.kernel, "CORES = 24", "CORES = 8"), "CP-2"),
    "a file beside it that was added": (lambda it: it.path("helper.py").write_text("x = 1\n"), "CP-2"),
    "an edited total score": (lambda it: edit(it.path("docs", "acceptance_review.md"), "10.00 / 10", "9.00 / 10"), "CP-2"),
    "an edited record": (lambda it: forge(it.review, score=9.9), "CP-2"),
    "a record without its digest": (lambda it: forge(it.review, digest=""), "CP-2"),
    "an edited verification": (lambda it: edit(it.path("docs", "verification.md"), "Result: PASS", "Result: PASS "), "CP-3"),
    "no verification": (lambda it: it.path("docs", "verification.md").unlink(), "CP-3"),
}


@pytest.mark.parametrize("name", ARTEFACTS)
def test_checkpoint_refuses(copy, name):
    change, where = ARTEFACTS[name]
    assert not checkpoints.missing(copy, where)
    change(copy)
    assert checkpoints.missing(copy, where)
    assert gate.run(copy, where)[1]


def test_people_may_write_notes(copy):
    for name in ("acceptance_review.md", "verification.md"):
        edit(copy.path("docs", name), "<!-- notes -->", "<!-- notes -->\nrun on a Tuesday")
    assert gate.run(copy, "CP-3") == ("CP-3", [])
    review.review(copy, PLATFORM)
    assert "run on a Tuesday" in copy.path("docs", "verification.md").read_text()


def test_record_of_the_gate_is_not_edited_or_copied(copy, tmp_path):
    content = json.loads(copy.record.read_text())
    copy.record.write_text(json.dumps({**content, "history": content["history"][:1]}))
    with pytest.raises(gate.Refused, match="edited by hand"):
        gate.run(copy)
    copy.record.write_text(json.dumps(content))
    other = project.Project(copy.folder.rename(tmp_path / "other"))
    with pytest.raises(gate.Refused, match="record of 'sample'"):
        gate.run(other)


def test_phases_are_not_skipped(copy):
    copy.record.unlink()
    with pytest.raises(gate.Refused, match="CP-0 has not passed"):
        gate.run(copy, "CP-3")
    assert gate.run(copy) == ("CP-0", [])


def test_an_earlier_checkpoint_must_still_hold(copy):
    copy.environment.unlink()
    assert any("CP-0 does not hold any more" in text for text, _ in gate.run(copy, "CP-3")[1])


def test_names_do_not_leave_the_folder():
    with pytest.raises(Failure):
        project.find("../../etc;x")
    with pytest.raises(Failure):
        project.create("../x", "abs", "float32", "Model", PLATFORM)


def test_killed_at_any_moment_loses_nothing(copy, monkeypatch):
    """Records are those before the command or those after it, documents are whole, and the checkpoints can be passed again."""
    parent = copy.folder.parent / "kernels"
    parent.mkdir()
    it = project.Project(copy.folder.rename(parent / "sample"))
    commands = [("env", "sample"), ("design", "sample", "--check"), ("gate", "sample", "--checkpoint", "CP-1"), ("review", "sample")]
    start = time.monotonic()
    assert tilesmith("gate", "sample", "--checkpoint", "CP-3", cwd=parent.parent).returncode == 0
    whole = time.monotonic() - start
    kept = it.record.read_text()
    for words in commands * 2:
        killed(*words, cwd=parent.parent, within=whole * (4 if words[0] == "review" else 1.3))
        for path in it.path("docs").glob("*.json"):
            records.read(path)  # whole, sealed, and signed
        assert all(path.stat().st_size for path in it.path("docs").iterdir() if path.is_file() and not path.name.startswith("."))
        history = records.read(it.record)["history"]
        assert history[: len(json.loads(kept)["history"])] == json.loads(kept)["history"]
    for words in (("env", "sample"), ("design", "sample", "--check"), ("review", "sample"), ("gate", "sample", "--checkpoint", "CP-3")):
        done = tilesmith(*words, cwd=parent.parent)
        assert done.returncode == 0, done.stdout + done.stderr
