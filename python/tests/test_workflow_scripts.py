"""Scripts by the names that pipelines of kernels and operators call, and `tilesmith api`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli import tilesmith

SCRIPTS = Path(__file__).resolve().parents[1] / "tilesmith/drop_in"


def run(name, *words, cwd, code=0):
    path = os.pathsep.join(entry for entry in sys.path if "site-packages" in entry or "build" in entry)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHON": sys.executable, "TILESMITH_JUDGE_KEY": str(cwd / "judge.key")}
    command = [SCRIPTS / name, *words] if name.endswith(".sh") else [sys.executable, SCRIPTS / name, *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, cwd=cwd, env=environment)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_scripts_of_the_kernel_workflow(tmp_path):
    assert "usage" in run("init_kernel_project.sh", cwd=tmp_path, code=1).stderr
    run("init_kernel_project.sh", "mine", "--platform", "Ascend910B1", cwd=tmp_path)
    assert "exists already" in run("init_kernel_project.sh", "mine", cwd=tmp_path).stderr
    run("verify_environment.sh", "mine", cwd=tmp_path)
    run("verify_environment.sh", "none", cwd=tmp_path, code=1)
    assert json.loads((tmp_path / "kernels/mine/docs/environment.json").read_text())["kernel_name"] == "mine"
    run("check_env.py", cwd=tmp_path)
    kernel = tmp_path / "kernels/mine/kernel.py"
    run("run_kernel.py", kernel, cwd=tmp_path)
    run("verify_output.py", kernel, "--backend", "Model", "--atol", "1e-5", cwd=tmp_path)
    kernel.write_text(kernel.read_text().replace("tile_id=[i]) * 2", "tile_id=[i]) * 3"))
    run("run_kernel.py", kernel, "Model", "Ascend950PR_9599", cwd=tmp_path, code=1)
    run("verify_output.py", kernel, cwd=tmp_path, code=1)
    run("verify_output.py", tmp_path / "none.py", cwd=tmp_path, code=1)
    kernel.write_text("x = 1\n")
    run("verify_output.py", kernel, cwd=tmp_path, code=2)  # nothing was verified


def test_scripts_about_capabilities(tmp_path):
    assert run("check_capabilities.py", "--json", cwd=tmp_path, code=1)
    (tmp_path / "capabilities.yaml").write_text('schema_version: "3"\ntiers: {a: {level: 0, description: b}}\noperations: []\n')
    verdict = json.loads(run("check_capabilities.py", "--json", cwd=tmp_path).stdout)
    assert verdict == {"status": "pass", "schema_version": "3", "total_cells": 0, "tier_counts": {}, "failures": [], "warnings": []}
    run("sync_capabilities.py", "--dry-run", cwd=tmp_path)
    run("check_regressions.py", cwd=tmp_path, code=2)


def test_actions_of_the_pipeline(tmp_path):
    run("state_transition.py", "none", cwd=tmp_path, code=2)
    run("state_transition.py", "init", "sample", cwd=tmp_path)
    folder = tmp_path / "custom/sample"
    for stage in (1, 2, 3):
        run("state_transition.py", "complete_stage", stage, "--op-dir", folder, cwd=tmp_path)
    run("state_transition.py", "submit_design", "--op-dir", folder, cwd=tmp_path)
    run("state_transition.py", "complete_stage", 4, "--op-dir", folder, cwd=tmp_path)
    run("state_transition.py", "start_phase", "M1", "--op-dir", folder, cwd=tmp_path)
    run("state_transition.py", "fail_phase", "M1", "precision", "--op-dir", folder, cwd=tmp_path)
    run("state_transition.py", "rollback_to_stage", 3, "the design was wrong", "--op-dir", folder, cwd=tmp_path)
    facts = json.loads(run("state_transition.py", "status", "--json", "--op-dir", folder, cwd=tmp_path).stdout)
    assert facts["stage"] == 3 and facts["phases"]["M1"] == {"status": "pending", "cycles": 0, "last_category": "precision"}


def test_api(tmp_path):
    assert tilesmith("api", "asc2.load").stdout.startswith("asc2.load(")
    assert "asc2.reduce_sum" in tilesmith("api", "--search", "reduce_sum").stdout
    done = tilesmith("api", "asc2.lode")
    assert done.returncode == 1 and "there is no 'asc2.lode'" in done.stderr
    path = tmp_path / "k.py"
    path.write_text("import asc2\n\n\n@asc2.jit\ndef k(x_ptr):\n    asc2.swish(asc2.exp(x_ptr))\n")
    facts = json.loads(run("extract_pypto_calls.py", path, "--json", cwd=tmp_path, code=1).stdout)
    assert [(each["name"], each["exists"]) for each in facts["functions"]] == [("asc2.exp", True), ("asc2.swish", False)]


@pytest.mark.parametrize("words", [(), ("a", "--search", "b")])
def test_api_is_asked_one_thing(words):
    assert tilesmith("api", *words).returncode == 2
