"""The command line: what it prints, and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from cli import tilesmith, with_race, write_script


@pytest.fixture
def script(tmp_path):
    return write_script(tmp_path)


def test_run_prints_what_the_script_prints(script):
    done = tilesmith("run", script, "--", "-r", "Model")
    assert (done.returncode, done.stdout, done.stderr) == (0, "sum 2048.0 ['-r', 'Model']\n", "")
    assert tilesmith("run", script, "-x").stdout == "sum 2048.0 ['-x']\n"


def test_a_script_keeps_its_exit_code(script):
    (script.parent / "beside.py").write_text("CODE = 7\n")
    assert tilesmith("run", script).returncode == 7
    (script.parent / "beside.py").write_text("CODE = 'out of luck'\n")
    done = tilesmith("run", script)
    assert done.returncode == 1 and done.stderr == "out of luck\n"


def test_prof_tells_time_and_bound(script):
    done = tilesmith("prof", script)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1] == "double  float32  1024 elements  1 block on Ascend910B1"
    assert re.fullmatch(r"  model time   [\d.]+ us      bound: .+", lines[2])
    assert re.match(r"  block 0 +busy +adds", lines[3]) and re.match(r"    start-up +[\d.]+ us +\d+ %", lines[4])
    assert re.search(r"slowest      double.py:\d+ +[\d.]+ us", done.stdout) and re.search(r"UB +\d+ of \d+ bytes", done.stdout)


@pytest.mark.parametrize("command, times", [(["-m", "tilesmith", "prof"], 1), ([], 1), (["-m", "tilesmith", "run"], 1),
                                            (["-m", "tilesmith", "check"], 0)])
def test_a_profile_is_printed_once(command, times):
    """The library's kernels print their own profile, unless the command does."""
    kernel = Path(__file__).parents[2] / "kernels/abs.py"
    done = subprocess.run([sys.executable, *command, kernel], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("  bound: ") == times, done.stdout


def test_the_platform_can_be_chosen(script):
    assert "on Ascend950PR_9599" in tilesmith("prof", "-v", "Ascend950PR_9599", script).stdout
    done = tilesmith("prof", "-v", "Ascend310", script)
    assert done.returncode == 2 and "no platform is called 'Ascend310'" in done.stderr


def test_json_is_all_there_is_on_stdout(script):
    done = tilesmith("prof", "--json", script)
    facts = json.loads(done.stdout)
    assert done.stderr.startswith("sum 2048.0")
    (launch,) = facts["launches"]
    assert launch["kernel"] == "double" and launch["cycles"] > 0 and facts["exit_code"] == 0 and facts["findings"] == []


def test_check_of_a_clean_script(script):
    done = tilesmith("check", script)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "no findings in 1 launch")


def test_check_shows_findings_and_fails(script):
    with_race(script)
    done = tilesmith("check", script)
    assert done.returncode == 1, done.stdout
    assert re.search(r"double\.py:\d+:\d+: error: .*\[cross\.", done.stdout)
    assert json.loads(tilesmith("check", "--json", script).stdout)["findings"]


def test_errors_of_kernels_are_not_tracebacks(script):
    script.write_text(script.read_text().replace("x + x", "x + nothing"))
    done = tilesmith("run", script)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert re.search(r"double\.py:\d+:\d+: error: ", done.stderr) and "^" in done.stderr


@pytest.mark.parametrize("env, text", [
    ({"TILESMITH_MODE": "fats"}, "TILESMITH_MODE: launch mode 'fats' is unknown; it is one of fast, timed, checked, traced"),
    ({"TILESMITH_PLATFORM_PATH": "/nowhere"}, "TILESMITH_PLATFORM_PATH: /nowhere: error: cannot be read as a platform file or a folder of them"),
])
def test_a_wrong_environment_is_not_a_traceback(script, env, text):
    done = tilesmith("run", script, env=env)
    assert (done.returncode, done.stderr) == (1, f"tilesmith: error: {text}\n")
    facts = json.loads(tilesmith("platforms", "--json", env=env).stdout)
    assert facts["exit_code"] == 1 and [error["kind"] for error in facts["errors"]] == ["installation"]


def test_errors_of_scripts_are(script):
    script.write_text("1 / 0\n")
    done = tilesmith("run", script)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("args, text", [
    ((), "required"), (("run",), "required"), (("frobnicate",), "invalid choice"), (("run", "no/such/file.py"), "no file 'no/such/file.py'"),
    (("cache", "burn"), "invalid choice"),
])
def test_wrong_command_lines_end_with_2(args, text):
    done = tilesmith(*args)
    assert done.returncode == 2 and text in done.stderr


def test_help_and_version():
    assert re.fullmatch(r"tilesmith \d+\.\d+\.\d+\n", tilesmith("--version").stdout)
    text = tilesmith("--help").stdout
    for word in ("run", "prof", "check", "cache", "exit codes", "130", "TILESMITH_MODE"):
        assert word in text


def test_cache_is_shown_and_cleared(script, tmp_path):
    environment = os.environ | {"PYASC_CACHE_DIR": str(tmp_path / "cache")}
    tilesmith("run", script, env=environment)
    assert tilesmith("cache", "show", env=environment).stdout.startswith("1 kernels")
    facts = json.loads(tilesmith("cache", "show", "--json", env=environment).stdout)
    assert facts["kernels"] == 1 and facts["folder"] == str(tmp_path / "cache")
    assert tilesmith("cache", "clear", env=environment).stdout.startswith("removed 1 kernels")
    assert tilesmith("cache", "show", env=environment).stdout.startswith("0 kernels")


def start_in_foreground(path):
    """Runs the script as a terminal would. Tests started in the background inherit an ignored SIGINT, and so would it."""
    return subprocess.Popen([sys.executable, "-m", "tilesmith", "run", str(path)], stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def test_interrupted_runs_end_with_130(tmp_path):
    path = tmp_path / "sleep.py"
    path.write_text("import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    process = start_in_foreground(path)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130 and err == "tilesmith: interrupted\n"


def test_an_endless_kernel_can_be_interrupted(tmp_path):
    path = tmp_path / "endless.py"
    path.write_text(textwrap.dedent("""
        import numpy as np
        import asc2

        @asc2.jit
        def endless(x_ptr, n):
            while n > 0:
                asc2.store(1.0, asc2.tensor(x_ptr, [8]), offsets=[0])

        print("ready", flush=True)
        endless[1](np.zeros(8, np.float32), 1)
    """))
    process = start_in_foreground(path)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
