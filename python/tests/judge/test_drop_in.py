"""Scripts by the names that pipelines call: same arguments, files and exit codes as the commands."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from judging import HONEST, TASK

import tilesmith

SCRIPTS = Path(tilesmith.__file__).parent / "drop_in"
CANDIDATES = Path(__file__).parent / "candidates"


def run(name, *arguments, cwd):
    """By its path, from elsewhere, without the environment of this checkout's shell."""
    path = os.pathsep.join(entry for entry in sys.path if "site-packages" in entry or "build" in entry)
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run([sys.executable, SCRIPTS / name, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          cwd=cwd, env=environment)


@pytest.mark.parametrize("path, code", [("honest/softmax_rows.py", 0), ("degenerate/e02_method_on_method.py", 1), ("nowhere.py", 1)])
def test_validate_prints_one_report(tmp_path, path, code):
    done = run("validate_triton_impl.py", CANDIDATES / path, "--json", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert json.loads(done.stdout)["valid"] is (code == 0)


def test_no_arguments_are_a_wrong_command_line(tmp_path):
    assert run("verify.py", cwd=tmp_path).returncode == 2
    assert run("benchmark.py", cwd=tmp_path).returncode == 2


def test_verify_opens_the_gate_of_benchmark(tmp_path):
    """The two find each other's file by the name of the variant."""
    (tmp_path / "op_torch.py").write_text(TASK)
    (tmp_path / "op_triton_optimized.py").write_text(HONEST)
    common = ("--op_name", "op", "--verify_dir", tmp_path, "--triton_impl_name", "triton_optimized")
    shut = run("benchmark.py", *common, cwd="/")
    assert shut.returncode == 2 and "there is no result file" in shut.stderr
    done = run("verify.py", *common, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((tmp_path / "verify_result_optimized.json").read_text())["passed_cases"] == 2
    assert not (tmp_path / "verify_result.json").exists()
    done = run("benchmark.py", *common, "--repeats", 2, "--warmup", 1, "--output", tmp_path / "perf.json", cwd="/")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "perf.json").read_text())["total_cases"] == 2
