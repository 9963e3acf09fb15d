"""tilesmith validate: degenerate candidates are refused for the right reason, honest ones pass, nothing crashes it."""

import json
import os
import random
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilesmith import rules
from tilesmith.rules import HEAD
from tilesmith.validate import validate

CANDIDATES = Path(__file__).parent / "candidates"
DEGENERATE = sorted((CANDIDATES / "degenerate").glob("*.py"))
HONEST = sorted((CANDIDATES / "honest").glob("*.py"))

def name_of(path):
    return path.stem


def check(tmp_path, body, **options):
    """The report on a candidate that starts with the kernel above."""
    path = tmp_path / "candidate.py"
    path.write_text(HEAD + textwrap.dedent(body))
    return json.loads(validate(str(path), **options)[1])


def forward(tmp_path, lines, **options):
    return check(tmp_path, "class ModelNew(nn.Module):\n    def forward(self, x, y):\n"
                 + textwrap.indent(textwrap.dedent(lines).strip(), " " * 8) + "\n", **options)


def calls(report):
    return [violation["call"] for violation in report["checks"]["no_forbidden_torch_ops"]["violations"]]


def tilesmith(*arguments, **options):
    command = [sys.executable, "-m", "tilesmith", "validate", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


@pytest.mark.parametrize("path", DEGENERATE, ids=name_of)
def test_degenerate_candidate_is_refused_for_its_reason(path):
    """The first line of each file says the type and a word of the reason."""
    expected = re.fullmatch(r"# degenerate: type (\d): (.+)", path.read_text().splitlines()[0])
    clean, text, _ = validate(str(path))
    report = json.loads(text)
    assert not clean and report["valid"] is False
    assert report["regression_type"] == int(expected[1]), text
    checks = report["checks"]
    reasons = [checks[name]["error"] or "" for name in checks]
    reasons += [f"{v['call']}: {v['reason']}" for v in checks["no_forbidden_torch_ops"]["violations"]]
    assert any(expected[2] in reason for reason in reasons), text


@pytest.mark.parametrize("path", HONEST, ids=name_of)
def test_honest_candidate_passes(path):
    clean, text, _ = validate(str(path))
    report = json.loads(text)
    assert clean, text
    assert report["valid"] is True and report["regression_type"] is None and report["suggestion"] == ""
    assert report["checks"]["kernel_called_from_forward"]["called"]


def test_there_are_enough_candidates():
    assert len(DEGENERATE) >= 45 and len(HONEST) >= 30


def test_keys_of_the_report_and_their_order(tmp_path):
    """Programs read the JSON: names, order and nesting are the specification's."""
    report = forward(tmp_path, "return run(x).sum()")
    assert list(report) == ["valid", "regression_type", "suggestion", "filepath", "checks"]
    assert list(report["checks"]) == ["triton_kernel_exists", "kernel_called_from_forward", "no_forbidden_torch_ops"]
    exists, called, ops = report["checks"].values()
    assert exists == {"passed": True, "kernels": [{"name": "double", "line": 8, "has_tl_usage": True}], "error": None}
    assert called == {"passed": True, "called": ["double"], "error": None}
    assert list(ops) == ["passed", "violations", "error"] and ops["passed"] is False
    assert ops["violations"] == [{"line": 21, "call": "run(x).sum()", "reason": "computes on tensors outside the kernels", "rule": "DG301"}]
    assert report["filepath"].endswith("candidate.py")


def test_later_checks_are_not_run(tmp_path):
    """A type 2 candidate lists no violations, a type 1 candidate no calls."""
    report = forward(tmp_path, "return torch.relu(x)")
    assert report["regression_type"] == 2
    ops = report["checks"]["no_forbidden_torch_ops"]
    assert ops == {"passed": False, "violations": [], "error": None}


@pytest.mark.parametrize("code, call", [
    ("return torch.relu(run(x))", "torch.relu"),
    ("return run(x).sum()", "run(x).sum()"),
    ("y = run(x)\nreturn y.sum()", "y.sum()"),
    ("return run(x) @ y", "@"),
    ("self.conv = nn.Conv2d(1, 1, 1)\nreturn self.conv(run(x))", "self.conv(...)"),
])
def test_spelling_of_calls(tmp_path, code, call):
    assert call in calls(forward(tmp_path, code))


def test_called_kernels_are_sorted_and_include_earlier_stages(tmp_path):
    report = check(tmp_path, """
        @triton.jit
        def another(x_ptr, out_ptr):
            tl.store(out_ptr, tl.load(x_ptr))


        class ModelNew(nn.Module):
            def forward(self, x):
                out = torch.empty_like(x)
                another[(1,)](run(x), out)
                return out
    """)
    assert report["checks"]["kernel_called_from_forward"]["called"] == ["another", "double"]


def test_a_kernel_whose_result_is_dropped_is_not_called(tmp_path):
    report = check(tmp_path, """
        @triton.jit
        def another(x_ptr, out_ptr):
            tl.store(out_ptr, tl.load(x_ptr))


        class ModelNew(nn.Module):
            def forward(self, x):
                another[(1,)](x, torch.empty_like(x))
                return run(x)
    """)
    assert report["valid"] and report["checks"]["kernel_called_from_forward"]["called"] == ["double"]


@pytest.mark.parametrize("lines", [
    "n = (x.shape[0] * 2 + 64 - 1) // 64\nreturn run(x)",
    "n = max(64, x.numel())\nreturn run(x)",
    "for s in x.shape:\n    s + 1\nreturn run(x)",
    "bytes = x.stride(0) * x.element_size()\nreturn run(x)",
    "a = run(x)\nb = run(y)\nreturn a, b",
    "return run(run(x))",
    "return run(x.t().contiguous()).view(-1, 2).T",
    "return run(x[:, 1:].narrow(0, 0, 1).expand(3, -1))",
    "z = [run(t) for t in (x, y)]\nreturn z[0]",
    "assert x.shape == y.shape and x.dtype == y.dtype\nreturn run(x)",
    "k = double\nout = torch.empty_like(x)\nk[1, 1](x, out_ptr=out, n=x.numel(), BLOCK=64)\nreturn out",
    "if x.dim() == 3:\n    x = x.flatten(0, 1)\nreturn run(x)",
    "try:\n    return run(x)\nexcept RuntimeError as e:\n    raise ValueError('bad shape') from e",
    "out = torch.empty_like(x)\nargs = (x, out, x.numel())\ndouble[(1,)](*args, BLOCK=64)\nreturn out",
    "out = torch.empty_like(x)\noptions = dict(BLOCK=64)\ndouble[(1,)](x, out, x.numel(), **options)\nreturn out",
    "n = int(y.item())\nreturn run(x[:n])",
    "m = max(y.tolist())\nout = torch.empty((m + 1, 3), device=x.device)\ndouble[(1,)](x, out, m, BLOCK=4)\nreturn out",
    "if x.dtype == torch.float16:\n    return run(x)\nif x.dtype == torch.float32:\n    return run(x.half()).float()\nraise TypeError(x.dtype)",
    "outs = [torch.empty_like(t) for t in (x, y)]\nfor t, o in zip((x, y), outs):\n    double[(1,)](t, o, 3, BLOCK=4)\nreturn tuple(outs)",
    "import functools, operator\nn = functools.reduce(operator.mul, x.shape, 1)\nreturn run(x.view(n))",
    "out = None\ndef go():\n    nonlocal out\n    out = run(x)\ngo()\nreturn out",
    "self.calls = getattr(self, 'calls', 0) + 1\nreturn run(x)",
    "if not self.training:\n    return x\nreturn run(x)",
    "while x.shape[0] > 1:\n    x = run(x[: x.shape[0] // 2])\nreturn x",
    "from types import SimpleNamespace\nc = SimpleNamespace(kernel=double, block=64)\nout = torch.empty_like(x)\n"
    "c.kernel[(1,)](x, out, 3, BLOCK=c.block)\nreturn out",
    "from collections import namedtuple\nreturn namedtuple('Out', 'a b')(run(x), run(y))",
    "with torch.npu.device(x.device):\n    return run(x)",
    "return run(x).chunk(2, dim=-1)",
    "print(x)\nreturn run(x)",
])
def test_what_host_code_may_do(tmp_path, lines):
    """Arithmetic on shapes, views, several launches, loops: none of it computes on tensors."""
    report = forward(tmp_path, lines)
    assert report["valid"], report


def test_inputs_are_tensors_by_their_use_not_by_their_annotation(tmp_path):
    """`x: int` does not make `x * 2` shape arithmetic when x has a shape."""
    report = check(tmp_path, """
        class ModelNew(nn.Module):
            def forward(self, x: int, n: int):
                rows = n * 2
                return run(x * 2)
    """)
    assert [v["call"] for v in report["checks"]["no_forbidden_torch_ops"]["violations"]] == ["*"]


@pytest.mark.parametrize("before, lines", [
    ("", "return self.__dict__.setdefault('out', run(x))"),
    ("", "if hasattr(self, 'out'):\n    return self.out\nself.out = run(x)\nreturn self.out"),
    ("", "if hasattr(run, 'out'):\n    return run.out\nrun.out = run(x)\nreturn run.out"),
    ("def g(x, kept={}):\n    if 'k' in kept:\n        return kept['k']\n    kept['k'] = run(x)\n    return kept['k']", "return g(x)"),
    ("import weakref\nKEPT = weakref.WeakKeyDictionary()", "if x in KEPT:\n    return KEPT[x]\nKEPT[x] = run(x)\nreturn run(x)"),
    ("LAST = None", "global LAST\nif LAST is not None:\n    return LAST\nLAST = run(x)\nreturn LAST"),
    ("fc = torch.compile(nn.Linear(3, 3))", "return run(fc(x))"),
    ("", "return run(torch.jit.fork(torch.relu, x))"),
    ("", "return run(__builtins__['eval']('torch.relu(x)'))"),
    ("", "import builtins\nreturn run(getattr(builtins, 'ev' + 'al')('torch.relu(x)'))"),
    ("TABLE = [" + "lambda t: t, " * 120 + "torch.relu]", "return TABLE[x.shape[0]](run(x))"),
    ("import numpy as np", "return run(torch.from_numpy(np.fromiter((v * 2 for v in x.tolist()), dtype=np.float32)))"),
    ("import struct", "values = struct.unpack('f', x.numpy().tobytes())\nreturn run(torch.tensor([v * 2 for v in values]))"),
    ("import contextlib\n@contextlib.contextmanager\ndef doubled(t):\n    yield t * 2", "with doubled(x) as t:\n    return run(t)"),
    ("class W:\n    def __init__(self, t):\n        self.t = t\n    def __mul__(self, other):\n        return W(torch.mul(self.t, other))",
     "return (W(run(x)) * 2).t"),
    ("class E(Exception):\n    pass", "try:\n    raise E(torch.relu(x))\nexcept E as error:\n    return run(error.args[0])"),
    ("", "match x.dim():\n    case 2:\n        return run(x)\n    case _:\n        return torch.relu(x)"),
    ("", "out = torch.zeros_like(x)\nx.shape[0] > 7 and double[(1,)](x, out, 3, BLOCK=4)\nreturn out"),
    ("import itertools", "return run(list(itertools.starmap(torch.add, [(x, y)]))[0])"),
    ("", "return run(x[x > 0])"),
    ("class W:\n    def __init__(self, t):\n        self.t = t\n    def __len__(self):\n        self.t.copy_(self.t.exp())\n        return 1",
     "w = W(x)\nlen(w)\nreturn run(w.t)"),
    ("class W:\n    def __class_getitem__(cls, t):\n        return t.exp()", "return run(W[x])"),
    ("class Meta(type):\n    def __call__(cls, t):\n        return t.exp()\nclass W(metaclass=Meta):\n    pass", "return run(W(x))"),
    ("import functools\n@functools.singledispatch\ndef f(t):\n    return t\n@f.register(torch.Tensor)\ndef _(t):\n    return t.exp()",
     "return run(f(x))"),
    ("@torch.library.custom_op('a::b', mutates_args=())\ndef f(t: torch.Tensor) -> torch.Tensor:\n    return run(t)\n"
     "@f.register_kernel('npu')\ndef _(t):\n    return t.exp()", "return f(x)"),
    ("", "return {'a': run(x) * 2}['a']"),
    ("@triton.autotune([triton.Config({}, pre_hook=lambda a: a['p'].copy_(torch.relu(a['p'])))], key=[])\n@triton.jit\n"
     "def k(p, q):\n    tl.store(q, tl.load(p))", "out = torch.empty_like(x)\nk[(1,)](x, out)\nreturn out"),
])
def test_further_evasions(tmp_path, before, lines):
    """Caches in odd places, code built at run time, work hidden in protocols and hooks."""
    body = "class ModelNew(nn.Module):\n    def forward(self, x, y):\n" + textwrap.indent(lines, " " * 8) + "\n"
    assert check(tmp_path, before + "\n\n\n" + body)["regression_type"] in (2, 3)


@pytest.mark.parametrize("model", [
    "class Meta(type):\n    def __call__(cls, *a):\n        return 1\nclass ModelNew(nn.Module, metaclass=Meta):\n    def forward(self, x):\n        return run(x)",
    "class Model(nn.Module):\n    def forward(self, x):\n        return x * 2\nclass ModelNew(nn.Module):\n    def __new__(cls):\n        return Model()\n"
    "    def forward(self, x):\n        return run(x)",
    "class Model(nn.Module):\n    def forward(self, x):\n        return x * 2\nModelNew = Model",
    "if torch.npu.is_available():\n    class ModelNew(nn.Module):\n        def forward(self, x):\n            return run(x)\n"
    "else:\n    class ModelNew(nn.Module):\n        def forward(self, x):\n            return x.relu()",
])
def test_the_model_is_what_the_name_stands_for(tmp_path, model):
    assert check(tmp_path, model + "\n")["regression_type"] in (2, 3)


def test_strict_rules_are_off_by_default(tmp_path):
    loop = "outs = []\nfor t in (x, y):\n    outs.append(run(t))\nreturn outs"
    assert forward(tmp_path, loop)["valid"]
    assert set(calls(forward(tmp_path, loop, strict_loops=True))) == {"for", "outs.append()"}
    two = "out = torch.empty_like(x)\ndouble[(1,)](x, out, 1, BLOCK=1)\ndouble[(1,)](x, out, 1, BLOCK=1)\nreturn out"
    assert forward(tmp_path, two)["valid"]
    assert calls(forward(tmp_path, two, strict_launches=True)) == ["double"]
    assert forward(tmp_path, "return run(x)", strict_loops=True, strict_launches=True)["valid"]


def test_dsl_counts_only_its_kernels(tmp_path):
    assert forward(tmp_path, "return run(x)", dsl="triton")["valid"]
    report = forward(tmp_path, "return run(x)", dsl="asc2")
    assert report["regression_type"] == 1


# The rules.


RULES = {rule["id"]: rule for rule in rules.rules()}


def found(tmp_path, code, **options):
    """What a candidate is refused for: ids of violations, or the type where the report has no violations."""
    path = tmp_path / "candidate.py"
    path.write_text(code)
    report = json.loads(validate(str(path), **options)[1])
    violations = report["checks"]["no_forbidden_torch_ops"]["violations"]
    return {violation["rule"] for violation in violations} or report["regression_type"]


@pytest.mark.parametrize("rule", RULES)
def test_examples_of_a_rule_are_refused_for_it_and_clean(tmp_path, rule):
    """The page of a rule shows candidates: they are what it says they are."""
    page, early = RULES[rule], {"DG101": 1, "DG102": 1, "DG201": 2, "DG202": 2}
    bad = found(tmp_path, rules.example(page["bad"]), enable=[rule])
    assert bad == early[rule] if rule in early else rule in bad
    assert found(tmp_path, rules.example(page["good"]), enable=[rule]) is None


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_is_off_is_silent(tmp_path, rule):
    bad = rules.example(RULES[rule]["bad"])
    off = found(tmp_path, bad, disable=[RULES[rule]["name"]])
    assert off != found(tmp_path, bad, enable=[rule]) and (not isinstance(off, set) or rule not in off)


def test_every_violation_of_the_degenerate_candidates_has_a_rule(tmp_path):
    for path in DEGENERATE:
        report = json.loads(validate(str(path))[1])
        assert all(violation["rule"] in RULES for violation in report["checks"]["no_forbidden_torch_ops"]["violations"])


def test_the_page_of_rules_is_up_to_date():
    page = Path(__file__).parents[3] / "docs/rules.md"
    assert page.read_text() == rules.document(), "run tools/rules.py"


def test_switches_of_the_command(tmp_path):
    path = tmp_path / "candidate.py"
    path.write_text(HEAD + "class ModelNew(nn.Module):\n    def forward(self, x):\n        return torch.relu(run(x))\n")
    assert tilesmith(path).returncode == 1
    assert tilesmith(path, "--disable", "host-compute").returncode == 0
    assert tilesmith(path, "--disable", "DG301", "--enable", "DG601").returncode == 0
    wrong = tilesmith(path, "--disable", "nothing")
    assert wrong.returncode == 2 and wrong.stderr == "tilesmith: error: unknown rule 'nothing'; `tilesmith validate --rules` lists them\n"
    with pytest.raises(ValueError, match="unknown rule 'nothing'"):
        validate(str(path), enable=["nothing"])


def test_rules_are_listed_and_explained():
    listed = tilesmith("--rules")
    assert listed.returncode == 0 and [line.split()[0] for line in listed.stdout.splitlines()] == list(RULES)
    for name in ("DG301", "host-compute"):
        explained = tilesmith("--explain", name)
        assert explained.returncode == 0 and explained.stdout.startswith("# DG301 host-compute\n\nSomething reachable from forward")
    assert tilesmith("--explain", "DG999").returncode == 2


def test_the_specification_is_known_to_one_file_only():
    """Names and types of the report's specification are the consumer's; engine and rules do not know them."""
    lint = Path(__file__).parents[3] / "lib/Lint"
    for path in [*lint.rglob("*.cpp"), *lint.rglob("*.h")]:
        if path.name != "Validate.cpp":
            assert not re.search(r"triton_kernel_exists|regression|no_forbidden", path.read_text()), path


# The command.


def test_exit_codes(tmp_path):
    assert tilesmith(HONEST[0]).returncode == 0
    assert tilesmith(DEGENERATE[0]).returncode == 1
    missing = tilesmith()
    assert missing.returncode == 2 and missing.stderr == "tilesmith: error: missing argument FILE\n"
    assert tilesmith(HONEST[0], "--dsl", "cuda").returncode == 2
    assert tilesmith(HONEST[0], "--jobs", "0").returncode == 2
    assert tilesmith(tmp_path).returncode == 2  # a folder without candidates


def test_missing_file_is_an_error_of_its_own(tmp_path):
    result = tilesmith(tmp_path / "none.py", "--json")
    report = json.loads(result.stdout)
    assert result.returncode == 1 and list(report)[:2] == ["valid", "error"] and report["valid"] is False
    assert [error["message"] for error in report["errors"]] == [report["error"]] and report["exit_code"] == 1
    assert "none.py" in report["error"]


def test_text_for_people(tmp_path):
    path = tmp_path / "candidate.py"
    path.write_text(HEAD + "class ModelNew(nn.Module):\n    def forward(self, x):\n        return torch.relu(run(x))\n")
    result = tilesmith("candidate.py", cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert result.stdout == (
        "candidate.py:21:16: error: type 3: torch.relu: computes on tensors outside the kernels [DG301]\n"
        "   21 |         return torch.relu(run(x))\n"
        "      |                ^~~~~~~~~~~~~~~~~~\n"
        "help: Move these computations into the kernel; forward may only allocate, reshape and launch.\n"
        "1 file: 1 refused\n")


def test_folders_and_several_files_give_one_line_each(tmp_path):
    result = tilesmith(CANDIDATES / "honest", "--json")
    reports = json.loads(result.stdout)["reports"]
    lines = tilesmith(CANDIDATES / "honest", "--jsonl").stdout.splitlines()
    assert reports == [json.loads(line) for line in lines]
    assert result.returncode == 0 and [Path(report["filepath"]).name for report in reports] == [path.name for path in HONEST]
    assert tilesmith(HONEST[0], DEGENERATE[0], "--json").returncode == 1


def test_many_files_in_several_processes_keep_their_order(tmp_path):
    one = tilesmith(CANDIDATES, "--json", "--jobs", "1")
    two = tilesmith(CANDIDATES, "--json", "--jobs", "2")
    assert one.stdout == two.stdout and one.returncode == two.returncode == 1


def test_the_command_loads_neither_numpy_nor_torch():
    """1,000 files in under 2 s leaves no time for that."""
    code = ("import sys; from tilesmith.__main__ import main; "
            f"main(['validate', {str(HONEST[0])!r}]); print({{'numpy', 'torch', 'asc'}} & set(sys.modules))")
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == "set()", result.stderr


# Bad input.


@pytest.mark.parametrize("data, word", [
    (b"", "no kernel"),
    (b"x = 1\x00", "null bytes"),
    (b"\xff\xfe\x00", "decode"),
    (b"# coding: nonsense\n", "nonsense"),
    (b"(" * 5000, "parse"),
    (b"x = " + b"(" * 250 + b")" * 250, "parse"),
    (b"x = " + b"-" * 100_000 + b"1", "parse"),
    (b"x = " + b"[" * 90 + b"]" * 90, "no kernel"),
    (b"def f(:\n", "parse"),
    (b"x = 0" + b" + 1" * 20_000, "parse"),
    (b"if 1:\n" + b"".join(b" " * i + b"if 1:\n" for i in range(1, 99)) + b" " * 99 + b"pass", "no kernel"),
    (b"x.y" * 1, "no kernel"),
    ("é = '\ud800'".encode("utf-8", "surrogatepass"), "decode"),
    ("# -*- coding: latin-1 -*-\né = 1\n".encode("latin-1"), "no kernel"),
    (b"\xef\xbb\xbfx = 1\r\ny = 2\r", "no kernel"),
    (b"x = '\\ud800'\n", "no kernel"),
    (b"#" * (1 << 20) + b"\n", "larger"),
])
def test_files_that_are_not_candidates(tmp_path, data, word):
    path = tmp_path / "bad.py"
    path.write_bytes(data)
    clean, text, human = validate(str(path))
    report = json.loads(text)
    assert not clean and report["regression_type"] == 1
    assert word in report["checks"]["triton_kernel_exists"]["error"] and human


@pytest.mark.parametrize("body", [
    # Calls that double at each level, recursion, mutual recursion, deep chains, a class that inherits from itself.
    "".join(f"def f{i}(x):\n    return f{i + 1}(f{i + 1}(x))\n" for i in range(40)) + "def f40(x):\n    return run(x)\n"
    "class ModelNew(nn.Module):\n    def forward(self, x):\n        return f0(x)\n",
    "def f(x):\n    return g(x)\ndef g(x):\n    return f(x)\nclass ModelNew(nn.Module):\n    def forward(self, x):\n        return f(x)\n",
    "".join(f"def f{i}(x):\n    return f{i + 1}(x)\n" for i in range(2000)) + "def f2000(x):\n    return run(x)\n"
    "class ModelNew(nn.Module):\n    def forward(self, x):\n        return f0(x)\n",
    "class A:\n    pass\nA.__bases__ = (A,)\nclass ModelNew(A):\n    def forward(self, x):\n        return self(x)\n",
    "class ModelNew(nn.Module):\n    def forward(self, x):\n" + "".join(" " * (8 + i) + "for i in range(3):\n" for i in range(18))
    + " " * 40 + "x = run(x)\n        return x\n",
    "class ModelNew(nn.Module):\n    def forward(self, x):\n        return " + "run(" * 180 + "x" + ")" * 180 + "\n",
    "class ModelNew(nn.Module):\n    def forward(self, x):\n" + "".join(
        f"        if x.shape[{i}]:\n            x = run(x)\n" for i in range(200)) + "        return x\n",
    "class ModelNew(nn.Module):\n    def forward(self, x):\n        s = 'a'\n" + "        s = s + s\n" * 60 + "        return run(x)\n",
    "l = []\nl.append(l)\nd = {}\nd['d'] = d\nclass ModelNew(nn.Module):\n    def forward(self, x):\n        return l, d\n",
])
def test_large_and_twisted_candidates_end(tmp_path, body):
    """Whatever the verdict, it comes soon."""
    report = check(tmp_path, body)
    assert report["valid"] in (True, False)


def mutate(random_, text):
    lines = text.splitlines(keepends=True)
    for _ in range(random_.randrange(1, 6)):
        at = random_.randrange(len(lines))
        kind = random_.randrange(5)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, random_.choice(lines))
        elif kind == 2:
            words = re.split(r"(\W+)", lines[at])
            random_.shuffle(words)
            lines[at] = "".join(words)
        elif kind == 3:
            lines[at] = re.sub(r"\b\w+\b", lambda match: random_.choice(WORDS) if random_.random() < 0.3 else match[0], lines[at])
        else:
            other = random_.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        if not lines:
            break
    return "".join(lines)


WORDS = ["x", "self", "torch", "out", "None", "lambda: x", "*x", "super()", "yield", "await x", "double", "globals()", "0", "run",
         "getattr(torch, x)", "[*x]", "{**x}", "x[0]", "type(x)", "nn.Module", "ModelNew", "del x", "nonlocal x", "global x", "..."]


@pytest.mark.parametrize("seed", range(12 if not os.environ.get("TILESMITH_LONG") else 400))
def test_mutated_candidates_never_crash_it(tmp_path, seed):
    """Deleted, repeated, swapped and scrambled lines of the candidates: any verdict, but a verdict."""
    random_ = random.Random(seed)
    path = tmp_path / "mutant.py"
    for source in random_.sample(DEGENERATE + HONEST, 20):
        path.write_text(mutate(random_, source.read_text()))
        clean, text, human = validate(str(path))
        assert json.loads(text)["valid"] is clean and bool(human) is not clean


EXPRESSIONS = st.recursive(
    st.sampled_from(["x", "y", "self", "torch", "nn", "tl", "triton", "double", "run", "None", "0", "1.5", "'matmul'", "self.a", "x.T"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "@", "and", "if x else", "<", "is", "in", ":="]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"{t[0]}[{t[1]}]"),
        inner.map(lambda e: f"(lambda x: {e})"),
        inner.map(lambda e: f"[{e} for y in {e}]"),
        inner.map(lambda e: f"{{**{e}, 'k': {e}}}"),
        inner.map(lambda e: f"getattr({e}, 'sum')"),
        inner.map(lambda e: f"f(*{e}, **{e})"),
        st.tuples(inner, st.sampled_from(["sum", "shape", "apply", "forward", "__class__", "append", "data_ptr"])).map(lambda t: f"({t[0]}).{t[1]}"),
    ), max_leaves=12)


@settings(max_examples=150 if not os.environ.get("TILESMITH_LONG") else 5000, deadline=None)
@given(st.lists(st.tuples(EXPRESSIONS, EXPRESSIONS), min_size=1, max_size=5))
def test_random_programs_never_crash_it(tmp_path_factory, lines):
    body = "".join(f"        {'a' if i % 2 else 'self.a'} = {left}\n        if {right}:\n            return {left}\n"
                   for i, (left, right) in enumerate(lines))
    path = tmp_path_factory.getbasetemp() / "random.py"
    path.write_text(HEAD + "class ModelNew(nn.Module):\n    def forward(self, x, y):\n" + body + "        return run(x)\n")
    clean, text, _ = validate(str(path))
    assert json.loads(text)["valid"] is clean
