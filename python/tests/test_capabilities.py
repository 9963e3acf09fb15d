"""`tilesmith capabilities`: what confirms a cell, and what does not."""

import json
import time

import pytest
import yaml
from cli import killed, tilesmith
from tilesmith import records
from tilesmith.workflow import capabilities, project

PLATFORM = "Ascend950PR_9599"
CELL = {"dtype": "float32", "platform": PLATFORM, "golden_status": "pending"}
BASE = {
    "schema_version": "3",
    "tiers": {"elementwise": {"level": 0, "description": "each alone"}},
    "operations": [{"name": "abs", "tier": "elementwise", "cells": [CELL]}],
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A folder with a kernel, and evidence that passes."""
    folder = tmp_path_factory.mktemp("capabilities")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILESMITH_JUDGE_KEY", str(folder / "judge.key"))
        patch.chdir(folder)
        project.create("magnitude", "abs", "float32", "Model", PLATFORM)
        (folder / "capabilities.yaml").write_text(yaml.safe_dump(BASE))
        capabilities.record("capabilities.yaml", "abs", "float32", PLATFORM, "kernels/magnitude/kernel.py", "golden")
        yield folder


@pytest.fixture
def folder(recorded, tmp_path):
    import shutil

    copy = shutil.copytree(recorded, tmp_path / "work")
    content, changes = capabilities.sync(copy / "capabilities.yaml")
    assert [change[2:] for change in changes] == [("pending", "confirmed")]
    capabilities.save(copy / "capabilities.yaml", content)
    return copy


def evidence(folder):
    return next((folder / "evidence").glob("*.json"))


def status(folder):
    content, _ = capabilities.sync(folder / "capabilities.yaml")
    return content["operations"][0]["cells"][0]["golden_status"]


def test_good_evidence_confirms(folder):
    assert capabilities.check(folder / "capabilities.yaml")["status"] == "pass"
    assert capabilities.sync(folder / "capabilities.yaml")[1] == []
    assert capabilities.regressions(folder / "evidence") == (1, [])
    assert "1 of 1 cells are confirmed" in capabilities.dashboard(folder / "capabilities.yaml")


def test_killed_at_any_moment_loses_nothing(folder):
    """The file and the evidence are those before the command or those after it."""
    words = ("--operation", "abs", "--dtype", "float32", "--kernel", "kernels/magnitude/kernel.py")
    start = time.monotonic()
    assert tilesmith("capabilities", "sync", cwd=folder).returncode == 0
    whole = time.monotonic() - start
    for turn in range(5):
        if turn % 2:
            killed("capabilities", "record", *words, cwd=folder, within=4 * whole)
        else:
            (folder / "capabilities.yaml").write_text((folder / "capabilities.yaml").read_text().replace("confirmed", "pending"))
            killed("capabilities", "sync", cwd=folder, within=1.2 * whole)
        assert records.read(evidence(folder))["kind"] == "golden"
        assert status(folder) == "confirmed"  # what `sync` makes of it, whether it ran to its end or not


def rewrite(folder, **changes):
    path = evidence(folder)
    records.write(path, {**records.read(path), **changes})


DOUBTS = {
    "failed": lambda folder: rewrite(folder, verification={"status": "fail", "platform": PLATFORM}, runtime_verified=False),
    "static only": lambda folder: rewrite(folder, runtime_verified=False),
    "deleted": lambda folder: evidence(folder).unlink(),
    "of another kernel": lambda folder: (folder / "kernels/magnitude/kernel.py").write_text("x = 1\n"),
    "of another type": lambda folder: rewrite(folder, dtype="float16"),
    "of another operation": lambda folder: rewrite(folder, operation="exp"),
    "of another platform": lambda folder: rewrite(folder, verification={"status": "pass", "platform": "Ascend910B1"}),
    "not accepted": lambda folder: rewrite(folder, score={"value": 5, "accepted": False}),
    "edited": lambda folder: evidence(folder).write_text(evidence(folder).read_text().replace('"pass"', '"PASS"')),
}


@pytest.mark.parametrize("name", DOUBTS)
def test_doubtful_evidence_demotes(folder, name):
    DOUBTS[name](folder)
    assert capabilities.check(folder / "capabilities.yaml")["status"] == "fail"
    assert status(folder) == "pending"


def test_soft_check_shows_a_run_in_doubt_as_drift(folder):
    DOUBTS["static only"](folder)
    verdict = capabilities.check(folder / "capabilities.yaml", soft_runtime=True)
    assert verdict["status"] == "pass" and verdict["warnings"][0].startswith("[DRIFT]")
    DOUBTS["of another kernel"](folder)
    assert capabilities.check(folder / "capabilities.yaml", soft_runtime=True)["status"] == "fail"


def test_regression_is_seen_in_the_history(folder):
    DOUBTS["failed"](folder)
    assert capabilities.regressions(folder / "evidence")[1][0].startswith("[REGRESSION]")
    assert capabilities.regressions(folder / "nothing") == (0, [])


def test_blocked_and_untested_cells_stay(folder):
    path = folder / "capabilities.yaml"
    cells = [
        {**CELL, "golden_status": "blocked", "golden_evidence": "evidence/none.json"},
        {**CELL, "dtype": "float16", "golden_status": "untested"},
        {**CELL, "dtype": "int32", "golden_status": "confirmed"},
    ]
    path.write_text(yaml.safe_dump({**BASE, "operations": [{**BASE["operations"][0], "cells": cells}]}))
    content, changes = capabilities.sync(path)
    assert [cell["golden_status"] for cell in content["operations"][0]["cells"]] == ["blocked", "untested", "pending"]
    assert len(changes) == 1


@pytest.mark.parametrize(
    "change, word",
    [
        ({"schema_version": "2"}, "schema_version"),
        ({"tiers": {}}, "no tiers"),
        ({"operations": 3}, "no operations"),
        ({"operations": [{"name": "x", "tier": "other"}]}, "no tier 'other'"),
        (
            {
                "operations": [
                    {"name": "x", "tier": "elementwise", "cells": [{"dtype": "f", "platform": "p", "golden_status": "done"}]}
                ]
            },
            "'done'",
        ),
    ],
)
def test_wrong_files_are_refused(tmp_path, change, word):
    path = tmp_path / "capabilities.yaml"
    path.write_text(yaml.safe_dump({**BASE, **change}))
    assert word in json.dumps(capabilities.check(path))


@pytest.mark.parametrize("level", ["pr", "merge", "nightly"])
def test_gates_of_a_repository(folder, level):
    from tilesmith.workflow import repository

    path = folder / "capabilities.yaml"
    assert repository.run(level, path)[::2] == ([], 1)
    kernel = folder / "kernels/magnitude/kernel.py"
    kernel.write_text(kernel.read_text().replace("asc2.abs(", "asc2.exp("))
    assert repository.run(level, path)[0]


def test_strict_only_where_it_is_merged(folder):
    """A record of a run that is in doubt is drift in a proposal and fails a merge."""
    from tilesmith.workflow import repository

    DOUBTS["static only"](folder)
    assert repository.run("pr", folder / "capabilities.yaml")[0] == []
    assert repository.run("merge", folder / "capabilities.yaml")[0]
    with pytest.raises(capabilities.CapabilityError):
        repository.run("pr", folder / "none.yaml")


LOOK = """<script>
const shown = [...document.querySelectorAll("td")].map(cell => [cell.textContent, getComputedStyle(cell).color, cell.getBoundingClientRect().height > 0]);
document.body.dataset.look = JSON.stringify({shown, wide: document.documentElement.scrollWidth > innerWidth});
</script>"""


def test_dashboard_in_a_browser(folder, tmp_path):
    """What a reader sees: every cell has its place and its colour, and nothing runs out of the window."""
    import html
    import re
    import shutil
    import subprocess

    browser = next(
        (found for name in ("chromium", "chromium-browser", "google-chrome", "chrome") if (found := shutil.which(name))), None
    )
    if not browser:
        pytest.skip("there is no browser")
    page = tmp_path / "dashboard.html"
    page.write_text(capabilities.dashboard(folder / "capabilities.yaml").replace("</body>", LOOK + "</body>"))
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    done = subprocess.run([browser, *options, page.as_uri()], capture_output=True, text=True, timeout=120)
    seen = json.loads(html.unescape(re.search(r'data-look="([^"]*)"', done.stdout)[1]))
    confirmed = [cell for cell in seen["shown"] if cell[0] == "confirmed"]
    assert confirmed == [["confirmed", "rgb(0, 170, 102)", True]]
    assert all(visible for _, _, visible in seen["shown"]) and not seen["wide"]
    assert "1 of 1 cells are confirmed" in done.stdout


def test_library_has_evidence(tmp_path, monkeypatch):
    """Every kernel of the library has cells, and one of them, another every day, is recorded again as it was."""
    import shutil
    from datetime import date
    from pathlib import Path

    kernels = Path(__file__).resolve().parents[2] / "kernels"
    monkeypatch.setenv("TILESMITH_JUDGE_KEY", str(tmp_path / "judge.key"))
    shutil.copy(kernels / "judge.trusted", tmp_path / "judge.trusted")
    copy = shutil.copytree(kernels, tmp_path / "kernels", ignore=shutil.ignore_patterns("__pycache__", "asc", "ascendc", "pypto"))
    shutil.copy(kernels.parent / "pyproject.toml", tmp_path)
    path = copy / "capabilities.yaml"
    content = capabilities.load(path)
    known = {file.stem for file in kernels.glob("*.py") if "golden.main" in file.read_text()}
    assert {operation["name"] for operation in content["operations"]} == known - {"golden"}
    cells = list(capabilities.cells(content))
    # A kernel that was changed since has to be recorded again (tools/capabilities.py); nothing else may be wrong.
    doubts = [
        capabilities.doubt(operation, cell, "golden", copy) for operation, cell in cells if cell["golden_status"] == "confirmed"
    ]
    assert all("is not the one the evidence is about" in doubt[0] for doubt in doubts if doubt)
    confirmed = [(operation, cell) for operation, cell in cells if cell["golden_status"] == "confirmed"]
    assert len(confirmed) > len(cells) / 2
    operation, cell = confirmed[date.today().toordinal() * 7 % len(confirmed)]
    words = (operation["name"], cell["dtype"], cell["platform"], str(copy / cell["golden"]), "golden")
    _, evidence = capabilities.record(str(path), *words)
    assert capabilities.overall(evidence), evidence
