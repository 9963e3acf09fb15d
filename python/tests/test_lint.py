"""`tilesmith lint`: every rule fires on its bad example and not on its good one, and what goes around the rules."""

import json
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

import pytest
from cli import tilesmith
from kernel_probes import PROBES as KERNEL_PROBES
from operator_probes import PROBES
from tilesmith.lint import engine, files, rules

ROOT = Path(__file__).resolve().parents[2]
OF_FILES = [rule for rule in rules.rules() if rule["role"] in rules.HEADS and not rule["id"].startswith("TS9") and "file" not in rule]
OF_FOLDERS = [rule for rule in rules.rules() if "file" in rule]


def found(rule, code):
    options = engine.Options(profile="latest" if rule["latest"] else "default", only=[rule["id"]])
    return engine.lint_text("k.py", rules.example(rule, code).encode(), rule["role"], 0, options)[0]


@pytest.mark.parametrize("rule", OF_FILES, ids=lambda rule: rule["id"])
def test_rule_fires_on_its_bad_example_only(rule):
    told = found(rule, rule["bad"])
    assert {finding.rule for finding in told} == {rule["id"]}
    assert found(rule, rule["good"]) == []


@pytest.mark.parametrize("rule", OF_FILES, ids=lambda rule: rule["id"])
def test_rule_is_not_fooled_by_a_comment_or_a_string(rule):
    """The bad example as a comment is clean; comments that name what is asked for do not make it clean."""
    if rule["id"] in ("OL01", "OL07", "OL08", "OL18", "OL19", "OL20", "OL21", "OL22"):
        hidden = "\n".join("# " + line for line in rule["good"].strip().splitlines())
        assert found(rule, "import pypto_\n" + hidden + "\nX = '''" + rule["good"].replace("'''", "") + "'''\n")
    else:
        hidden = "\n".join("# " + line for line in rule["bad"].strip().splitlines())
        assert found(rule, rule["good"].rstrip() + "\n\n" + hidden + "\n") == []


@pytest.mark.parametrize("rule", OF_FOLDERS, ids=lambda rule: rule["id"])
def test_folder_rule_fires_on_its_bad_example_only(rule, tmp_path):
    from tilesmith.lint import operator as folder_rules

    if rule["id"] == "OL42":
        pytest.skip("there is no device")
    for kind in ("bad", "good"):
        folder = make_operator(tmp_path / kind / "custom" / "sample")
        path = folder / rule["file"].format(op="sample")
        path.parent.mkdir(exist_ok=True)
        path.write_text(rule[kind])
        files.operator_at.cache_clear()
        stage = rule["stages"][0] if rule["id"] in ("OL11", "OL13", "OL14", "OL59") else 0
        options = engine.Options(profile="latest", only=[rule["id"]], stage=stage)
        told = folder_rules.check(files.Operator(folder, "sample", stage), "", options)
        assert {finding.rule for finding in told} == ({rule["id"]} if kind == "bad" else set()), told


def make_operator(folder):
    """A small operator that breaks no rule about folders."""
    folder.mkdir(parents=True)
    (folder / "eval").mkdir()
    (folder / "sample_golden.py").write_text("def sample_golden(x):\n    return x + x\n")
    (folder / "sample_impl.py").write_text(
        "import pypto\nimport torch\n\n\n@pypto.frontend.jit\n"
        "def kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), out: pypto.Tensor([16, 64], pypto.DT_FP32)):\n"
        "    pypto.set_vec_tile_shapes(16, 64)\n    part = x + x\n    out[:] = part\n\n\n"
        "def sample_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return out\n"
    )
    (folder / "test_sample.py").write_text(
        "import torch\nfrom sample_golden import sample_golden\nfrom sample_impl import sample_wrapper\n\n\n"
        "def test_sample_l0():\n    x = torch.ones(16, 64, dtype=torch.float32)\n"
        "    torch.testing.assert_close(sample_golden(x), sample_wrapper(x), rtol=1e-3, atol=1e-3)\n"
    )
    (folder / "README.md").write_text("# sample\n")
    return folder


def test_library_is_clean():
    done = tilesmith("lint", ROOT / "kernels", "--strict", cwd=ROOT)
    assert done.returncode == 0, done.stdout


def write(path, text):
    path.write_text(text)
    return path


BAD = """\
import asc2


@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    print(x)
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
"""

TEXT = """\
k.py:7:5: error: print in device code [TS106]
    7 |     print(x)
      |     ^~~~~~~~
help: asc2.device_print(tile), or look at the kernel with `tilesmith debug`
1 file: 1 error
"""


def test_text_is_like_clangs(tmp_path):
    write(tmp_path / "k.py", BAD)
    done = tilesmith("lint", "k.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, TEXT)


def test_formats(tmp_path):
    write(tmp_path / "k.py", BAD)

    def out(name):
        done = tilesmith("lint", "k.py", "--format", name, cwd=tmp_path)
        assert done.returncode == 2
        return done.stdout

    finding = json.loads(out("json"))[0]
    assert {key: finding[key] for key in ("rule", "severity", "file", "line", "column")} == {
        "rule": "TS106", "severity": "error", "file": "k.py", "line": 7, "column": 5}
    assert finding["message"] and finding["hint"]
    result = json.loads(out("sarif"))["runs"][0]["results"][0]
    assert result["ruleId"] == "TS106" and result["locations"][0]["physicalLocation"]["region"]["startLine"] == 7
    assert out("github").startswith("::error file=k.py,line=7,col=5,title=TS106::print in device code")
    assert xml.etree.ElementTree.fromstring(out("junit")).attrib["failures"] == "1"


def test_exit_codes(tmp_path):
    warning = write(tmp_path / "w.py", BAD.replace("print(x)", "f = lambda a: a"))
    assert tilesmith("lint", warning).returncode == 0
    assert tilesmith("lint", warning, "--strict").returncode == 1
    assert tilesmith("lint", warning, "--strict", "--no-portability").returncode == 0
    assert tilesmith("lint", write(tmp_path / "e.py", BAD)).returncode == 2
    assert tilesmith("lint", write(tmp_path / "s.py", "def f(:\n")).returncode == 2
    assert tilesmith("lint", write(tmp_path / "n.py", "")).returncode == 0
    assert tilesmith("lint", write(tmp_path / "z.py", "x = '\0'")).returncode == 2


def test_helpers_are_followed_and_told_once(tmp_path):
    """A helper that two kernels call runs on the device; its place is told once."""
    text = "import asc2\ndef helper(t):\n    print(t)\n    return t\n"
    for name in ("a", "b"):
        text += f"@asc2.jit\ndef {name}(x_ptr, n):\n    x = asc2.tensor(x_ptr, [n])\n"
        text += "    asc2.store(helper(asc2.load(x, [64], tile_id=[0])), x, tile_id=[0])\n"
    findings = engine.lint_file(str(write(tmp_path / "k.py", text)), engine.Options())
    assert [(finding.rule, finding.line) for finding in findings] == [("TS106", 3)]


def test_aliases_are_followed(tmp_path):
    """What a module is called does not matter, and a local name of a module's is not the module."""
    text = BAD.replace("import asc2", "import asc2 as tiles\nfrom asc2 import load as ld").replace("asc2.jit", "tiles.jit")
    text = text.replace("asc2.", "tiles.").replace("tiles.load", "ld")
    findings = engine.lint_file(str(write(tmp_path / "k.py", text)), engine.Options())
    assert [finding.rule for finding in findings] == ["TS106"]


def test_ignores(tmp_path):
    def told(text):
        return [finding.rule for finding in engine.lint_file(str(write(tmp_path / "k.py", text)), engine.Options())]

    assert told(BAD.replace("print(x)", "print(x)  # tilesmith: ignore[TS106]")) == []
    assert told(BAD.replace("    print(x)", "    # tilesmith: ignore[print-in-kernel]\n    print(x)")) == []
    assert told(BAD.replace("print(x)", "print(x)  # tilesmith: ignore[TS107]")) == ["TS106", "TS902"]
    assert told(BAD.replace("print(x)", "print('# tilesmith: ignore[TS106]')")) == ["TS106"]


def test_configuration(tmp_path):
    project = tmp_path / "pyproject.toml"
    write(tmp_path / "k.py", BAD)
    write(project, '[tool.tilesmith.lint]\ndisable = ["print-in-kernel"]\n')
    assert tilesmith("lint", "k.py", cwd=tmp_path).returncode == 0
    write(project, '[tool.tilesmith.lint.per-file-ignores]\n"k*.py" = ["TS106"]\n')
    assert tilesmith("lint", tmp_path, cwd=tmp_path).returncode == 0
    write(project, '[tool.tilesmith.lint]\ndisabel = ["TS106"]\n')
    done = tilesmith("lint", "k.py", cwd=tmp_path)
    assert done.returncode == 2 and "did you mean 'disable'?" in done.stderr
    write(project, "[tool\n")
    assert "cannot read" in tilesmith("lint", "k.py", cwd=tmp_path).stderr


OPERATOR = """\
import pypto as p
import torch


@p.frontend.jit
def kernel(n: int, x: p.Tensor([p.DYNAMIC, 64], p.DT_FP32), out: p.Tensor([p.DYNAMIC, 64], p.DT_FP32)):
    p.set_vec_tile_shapes(16, 64)
    for i in p.loop(min(n, 4)):
        out[:] = x + x


def gelu_wrapper(x):
    out = p.empty(4, 64)
    kernel(4, x, out)
    return out
"""

REPAIRED = """\
import pypto
import torch


@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), n: int):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(pypto.min(n, 4)):
        out[:] = x + x


def gelu_wrapper(x):
    out = torch.empty(4, 64)
    kernel(x, out, 4)
    return out
"""


def test_fixes(tmp_path):
    """OL01, OL06, OL07, OL26 and OL58 are repaired, and what was repaired is clean. One repair may show the next."""
    path = write(tmp_path / "gelu_impl.py", OPERATOR)
    done = tilesmith("lint", path, "--fix")
    assert path.read_text() == REPAIRED
    assert done.returncode == 0, done.stdout
    path = write(tmp_path / "relu_impl.py", REPAIRED.replace("@pypto.frontend.jit", "@pypto.jit(debug_options={})"))
    assert tilesmith("lint", path, "--fix").returncode == 0
    assert "@pypto.frontend.jit(debug_options={})" in path.read_text()


def test_compat_reads_the_entry_alone():
    """Upstream does not follow helpers, and tells one place of each rule."""
    text = REPAIRED.replace("@pypto", "def helper(n):\n    return max(n, 2) + max(n, 3)\n\n\n@pypto").replace("pypto.min(n, 4)", "helper(n)")
    text = text.replace("out[:] = x + x", "out = min(out, x)\n        out = min(x, x)")

    def told(profile):
        options = engine.Options(profile=profile, only=["OL06"])
        return [finding.line for finding in engine.lint_text("gelu_impl.py", text.encode(), "impl", 0, options)[0]]

    assert told("default") == [6, 6, 13, 14] and told("compat") == [13]


def test_stub_is_skipped(tmp_path):
    path = write(tmp_path / "gelu_impl.py", "# PYPTO_PENDING_STUB\nimport pypto\n")
    assert engine.lint_file(str(path), engine.Options()) == []


def test_a_thousand_files_take_less_than_two_seconds(tmp_path):
    """In processor time: the machine may be busy."""
    text = (ROOT / "kernels/softmax.py").read_text()
    for number in range(1000):
        write(tmp_path / f"k{number}.py", text)
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "tilesmith", "lint", tmp_path, "--format", "json"], stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert min(used, time.perf_counter() - start) < 3


def test_functions_that_call_each_other_end():
    """Every function calls every other: a walk that follows each way would not come back."""
    names = [f"f{number}" for number in range(40)]
    text = "import pypto\n\n\n@pypto.frontend.jit\ndef kernel(x: pypto.Tensor()):\n    pass\n"
    text += "".join(f"def {name}(x):\n" + "".join(f"    {other}(x)\n" for other in names) for name in names)
    text += "def run_all(x):\n    for i in range(3):\n        f0(x)\n"
    start = time.process_time()
    engine.lint_text("x_impl.py", text.encode(), "impl", 0, engine.Options(), describe=True)
    assert time.process_time() - start < 5


def test_numbers_do_not_overflow():
    text = BAD.replace("print(x)", "y = asc2.zeros([9223372036854775807, 9223372036854775807, 99999999999999999999], asc.float32)")
    assert "TS901" not in {finding.rule for finding in engine.lint_text("k.py", text.encode(), "kernel", 0, engine.Options())[0]}


def test_pages_are_up_to_date():
    for name, text in rules.documents().items():
        assert (ROOT / "docs/lint" / name).read_text() == text, "run ./dev run tools/rules.py"


def test_what_every_rule_says():
    """Place, excerpt, hint of every rule about one file, letter by letter."""
    sys.path.append(str(ROOT / "tools"))
    from rules import told

    assert (ROOT / "python/tests/lint.txt").read_text() == told(), "run ./dev run tools/rules.py, and read what has changed"


def test_rule_command():
    done = tilesmith("rule", "TS106")
    assert done.returncode == 0 and done.stdout.startswith("# TS106 print-in-kernel")
    assert "did you mean 'TS106'" in tilesmith("rule", "TS1066").stderr


@pytest.mark.parametrize("number, rule, role, code, near", [(at, *probe) for at, probe in enumerate(PROBES)])
def test_other_spellings(number, rule, role, code, near):
    """What a rule is about is found however it is written, and what is like it is left alone."""
    options = engine.Options(profile="latest", only=[rule])
    assert {finding.rule for finding in engine.lint_text("k.py", code.encode(), role, 0, options)[0]} == {rule}
    assert engine.lint_text("k.py", near.encode(), role, 0, options)[0] == []


@pytest.mark.parametrize("number, rule, code, near", [(at, *probe) for at, probe in enumerate(KERNEL_PROBES)])
def test_other_spellings_in_kernels(number, rule, code, near):
    options = engine.Options(only=[rule], enable=[rule])
    assert {finding.rule for finding in engine.lint_text("k.py", code.encode(), "kernel", 0, options)[0]} == {rule}
    assert engine.lint_text("k.py", near.encode(), "kernel", 0, options)[0] == []


@pytest.mark.parametrize("text, lines", [
    ('parser.add_argument("--run_mode", default="sim")', [1]), ("p.add_argument('-r', '--run-mode', type=str,\n    default='sim')", [1]),
    ('mode = os.environ.get("RUN_MODE", "sim")', [1]), ('def run(x, run_mode="sim"):\n    pass', [1]), ("RUN_MODE = pypto.RunMode.SIM", [1]),
    ('# parser.add_argument("--run_mode", default="sim")', []), ("TEXT = 'run_mode default = \"sim\"'", []), ('parser.add_argument("--run_mode", default="npu")', []),
    ('parser.add_argument("--run_mode", choices=["npu", "sim"])', []), ('parser.add_argument("--data", default="sim")', []),
])
def test_simulator_by_default_is_found_by_meaning(text, lines):
    import ast

    from tilesmith.lint.operator import ol42_device

    assert list(ol42_device.places(ast.parse(text))) == lines
