"""The documentation is a program: every block of Python and every command in README.md and docs/ runs, prints what the page says it
prints, and the timelines are those of the launches beside them (tools/pages.py says how)."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))

import pages

# Why a block may be left out, and what runs it instead.
NOT_RUN = {
    "installs system packages and builds": ".ci/bare, in a fresh Debian",
    "builds for minutes": "test_wheel.py and test_packaging.py, with --long",
    "needs CANN and an NPU": "nothing: we have none, and the pages say so",
}


@pytest.mark.parametrize("path", pages.pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_page_runs_and_is_up_to_date(path):
    page = pages.run(path)
    for file, text in pages.stale(page).items():
        shown = file.read_text() if file.exists() else ""
        assert shown == text, f"{file.relative_to(ROOT)} is not up to date: run tools/pages.py"


def test_every_shell_command_is_in_a_block_that_runs():
    """A block without a language that shows a prompt, or a command of ours, would not be run."""
    wrong = []
    for path in pages.pages():
        for match in pages.PIECE.finditer(path.read_text()):
            if match["kind"] == "" and re.match(r"\s*(\$ |tilesmith |\./dev |pip )", match["body"] or ""):
                wrong.append(f"{path.relative_to(ROOT)}: {match['body'].splitlines()[0]}")
    assert not wrong, "\n".join(wrong)


def test_what_is_not_run_has_a_reason():
    notes = {match["note"] for path in pages.pages() for match in pages.PIECE.finditer(path.read_text()) if match["mark"] == "not run"}
    assert notes == set(NOT_RUN)


def test_a_page_that_is_wrong_is_noticed(tmp_path, monkeypatch):
    """The test above has teeth: a wrong print, output, exit status and block."""
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    (tmp_path / "kernels").mkdir()

    def outcome(text):
        path = tmp_path / "page.md"
        path.write_text(text)
        try:
            return sorted(file.name for file in pages.stale(pages.run(path)))
        except pages.Mistake as mistake:
            return str(mistake)

    assert outcome("```python\nprint(1 + 1)\n```\n\nprints\n\n```\n2\n```\n") == []
    assert outcome("```python\nprint(1 + 1)\n```\n\nprints\n\n```\n3\n```\n") == ["page.md"]
    assert "page.md:2: the block raises ZeroDivisionError" in outcome("```python\n1 / 0\n```\n")
    assert outcome("```console\n$ echo one; echo two; echo three\none\n...\nthree\n```\n") == []
    assert outcome("```console\n$ echo one\ntwo\n```\n") == ["page.md"]
    assert outcome("```console\n$ false  # exit 1\n```\n") == []
    assert "page.md:2: `false` ends with 1, not 0" in outcome("```console\n$ false\n```\n")
    assert "page.md:2: `no_such_command` ends with 127" in outcome("```sh\nno_such_command\n```\n")
    assert outcome("<!-- not run: reason -->\n```sh\nno_such_command\n```\n") == []
    assert "no launch before this picture" in outcome("<!-- picture: -->\n![a](a.svg)\n")
