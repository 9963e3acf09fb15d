"""`tilesmith doctor`, `platforms`, `completion`: what they find, and what they say where something is missing."""

import json
import os
import shutil
import subprocess
import sys

import asc
import asc2
import pytest
import tilesmith
from cli import tilesmith as command
from tilesmith import health
from tilesmith.__main__ import main


def test_packages_have_versions():
    assert asc.__version__ == asc2.__version__ == tilesmith.__version__


def test_doctor_runs_kernels_on_both_architectures(capsys):
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "kernels run here"
    for part in ("Ascend910B1", "Ascend950PR_9599"):
        assert any(line.split() == f"ok {part} a kernel compiled, ran and gave the right result".split() for line in lines)
    names = {line[8:].split("  ")[0] for line in lines[:-1]}
    assert {"tilesmith", "Python", "NumPy", "extension", "CPU", "cache", "g++", "clang++", "torch", "Triton", "CANN", "Ray", "FileCheck",
            "namespaces"} <= names


def test_doctor_says_what_a_missing_part_would_be_for(capsys, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CXX", raising=False)
    assert main(["doctor", "--json"]) == 0
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["g++"]["state"] == "missing" and "Ascend C" in checks["g++"]["use"] and not checks["g++"]["needed"]
    assert checks["FileCheck"] == {"name": "FileCheck", "state": "missing", "what": "not on PATH", "use": "the compiler's own tests",
                                   "needed": False}


def test_doctor_fails_only_if_kernels_do_not_run(capsys, monkeypatch):
    class Broken:
        def find_spec(self, name, path=None, target=None):
            if name == "tilesmith.probe":
                raise ImportError("no such luck")

    monkeypatch.delitem(sys.modules, "tilesmith.probe", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "FAILED  Ascend910B1" in out and "no such luck" in out and out.endswith("tilesmith: error: kernels do not run here\n")


def test_doctor_without_the_extension(tmp_path):
    """It is what one runs when nothing else works."""
    folder = tmp_path / "python"
    shutil.copytree(tilesmith.__path__[0], folder / "tilesmith", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run([sys.executable, "-m", "tilesmith", "doctor", "--json"], capture_output=True, text=True, cwd=tmp_path,
                          env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    facts = json.loads(done.stdout)
    assert done.returncode == 1 and not facts["works"], done.stderr
    failed = {check["name"] for check in facts["checks"] if check["state"] == "failed"}
    done = subprocess.run([sys.executable, "-m", "tilesmith", "platforms"], capture_output=True, text=True, cwd=tmp_path,
                          env={"PYTHONPATH": str(folder)})
    assert done.returncode == 1 and done.stderr.startswith("tilesmith: error: the extension of tilesmith"), done.stderr
    assert {"extension", "Ascend910B1"} <= failed and {error["kind"] for error in facts["errors"]} == {"doctor"}


def test_namespaces_are_tried_and_not_assumed(monkeypatch):
    from tilesmith.judge.isolation import sandbox

    monkeypatch.setattr(sandbox, "_separate", lambda: (_ for _ in ()).throw(sandbox.Refused("unshare: not permitted")))
    assert sandbox.why_no_namespaces() == "unshare: not permitted"
    entry = next(entry for entry in health.examine() if entry["name"] == "namespaces")
    assert entry["state"] == "missing" and entry["what"] == "not allowed here (unshare: not permitted)"


def test_platforms_have_their_numbers(capsys):
    main(["platforms", "Ascend910B4", "Ascend950PR_9599"])
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    assert [cell.strip() for cell in lines[1] if cell.strip()] == [
        "Ascend910B4", "c220", "40", "20", "1650", "32 GiB", "0.62 TB/s", "96 MiB", "2.60 TB/s", "192 KiB", "512 KiB", "64 KiB", "64 KiB", "128 KiB"]
    # In a process of its own, without what other tests have added to this one and its environment.
    plain = {name: value for name, value in os.environ.items() if name != "TILESMITH_PLATFORM_PATH"}
    done = subprocess.run([sys.executable, "-m", "tilesmith", "platforms"], capture_output=True, text=True, env=plain)
    assert len(done.stdout.splitlines()) == 25


def test_a_part_of_ones_own_is_listed(tmp_path):
    path = tmp_path / "mine.platform"
    path.write_text("platform MyPart\nbase Ascend910B1\nclockMHz = 1234  # a guess\n")
    done = command("platforms", "MyPart", "--json", env={"TILESMITH_PLATFORM_PATH": str(path)})
    (part,) = json.loads(done.stdout)["platforms"]
    assert part["name"] == "MyPart" and part["clock_mhz"] == 1234 and part["vector_cores"] == 48
    path.write_text("platform MyPart\nnonsense\n")
    done = command("platforms", "--json", env={"TILESMITH_PLATFORM_PATH": str(path)})
    (error,) = json.loads(done.stdout)["errors"]
    assert done.returncode == 1 and (error["file"], error["line"]) == (str(path), 2), done.stderr


@pytest.mark.parametrize("words, expected", [
    (["tilesmith", "pr"], {"prof"}),
    (["tilesmith", "prof", "--js"], {"--json"}),
    (["tilesmith", "prof", "-v", "Ascend950PR_958"], {"Ascend950PR_9589", "Ascend950PR_958b"}),
    (["tilesmith", "cache", "c"], {"clear"}),
    (["tilesmith", "run", "k"], {"kernel.py"}),
    (["tilesmith", "run", "--color", "n"], {"never"}),
])
def test_bash_completes(words, expected, tmp_path, capsys):
    (tmp_path / "kernel.py").write_text("")
    main(["completion", "bash"])
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    program = ('source ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_tilesmith tilesmith "${COMP_WORDS[$COMP_CWORD]}" '
               '"${COMP_WORDS[$COMP_CWORD - 1]}"; printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", program, "bash", *words], cwd=tmp_path, capture_output=True, text=True)
    assert set(done.stdout.split()) == expected, done.stderr


@pytest.mark.parametrize("shell, begin", [("zsh", "#compdef tilesmith"), ("tcsh", "# AUTOMATICALLY GENERATED")])
def test_other_shells(shell, begin, capsys):
    main(["completion", shell])
    text = capsys.readouterr().out
    assert text.startswith(begin) and "prof" in text and "Ascend910B4-1" in text
