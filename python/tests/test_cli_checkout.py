"""`tilesmith` in a checkout: the entry script, and `./dev shell`."""

import importlib.machinery
import importlib.util
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = r"tilesmith \d+\.\d+\.\d+\n"


@pytest.fixture
def dev(monkeypatch):
    if not (ROOT / ".venv/bin/python").exists():
        pytest.skip("not built by ./dev")
    loader = importlib.machinery.SourceFileLoader("dev", str(ROOT / "dev"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("dev", loader))
    loader.exec_module(module)
    monkeypatch.setattr(module, "set_up", lambda *args, **options: None)
    return module


@pytest.mark.skipif(not (ROOT / ".venv/bin/python").exists(), reason="not built by ./dev")
def test_the_entry_script_works_from_anywhere(tmp_path):
    (tmp_path / "tilesmith").symlink_to(ROOT / "bin/tilesmith")
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for program in (ROOT / "bin/tilesmith", tmp_path / "tilesmith"):
        done = subprocess.run([program, "--version"], cwd=tmp_path, env=plain, capture_output=True, text=True)
        assert done.returncode == 0 and re.fullmatch(VERSION, done.stdout), done.stderr


def test_the_entry_script_of_a_checkout_that_is_not_built(tmp_path):
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin/tilesmith"
    script.write_text((ROOT / "bin/tilesmith").read_text())
    script.chmod(0o755)
    done = subprocess.run([script, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, f"tilesmith: error: this checkout is not built; run {tmp_path}/dev build\n")


def test_a_shell_finds_the_command_and_the_packages(dev, monkeypatch, capfd, tmp_path):
    """The README's `tilesmith ...` was "command not found"."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.chdir(tmp_path)
    assert dev.command_shell(dev.parse(["shell", "sh", "-c", "tilesmith --version && python -c 'import asc2; print(asc2.__file__)'"])) == 0
    out = capfd.readouterr().out
    assert re.fullmatch(VERSION + re.escape(str(ROOT)) + r"/python/asc2/__init__\.py\n", out), out


def test_a_shell_is_the_users(dev, monkeypatch, capfd, tmp_path):
    shell = tmp_path / "mine"
    shell.write_text("#!/bin/sh\ncommand -v tilesmith\nexit 7\n")
    shell.chmod(0o755)
    monkeypatch.setenv("SHELL", str(shell))
    assert dev.command_shell(dev.parse(["shell"])) == 7
    assert capfd.readouterr().out == f"{ROOT}/bin/tilesmith\n"
    with pytest.raises(SystemExit):
        dev.command_shell(dev.parse(["shell", "no-such-command"]))
    assert "cannot run 'no-such-command'" in capfd.readouterr().err
