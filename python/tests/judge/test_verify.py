"""`tilesmith verify` as it is specified: files, order, messages, exit codes, result."""

import json
import os
import subprocess
import sys
import time

import pytest

from judging import HONEST, MODEL, TASK

CASES = """
import torch
class Model(torch.nn.Module):
    def forward(self, x, factor=1.0):
        return x * factor
def get_init_inputs():
    return []
def get_inputs():
    return {inputs}
"""
IMPL = """
import torch
class ModelNew(torch.nn.Module):
    def forward(self, x, factor=1.0):
        {forward}
"""


def case(inputs, groups=None):
    text = CASES.format(inputs=inputs)
    return text if groups is None else text + f"def get_input_groups():\n    return {groups}\n"


def test_an_honest_candidate_passes_with_the_specified_result(verify):
    done = verify(TASK, HONEST)
    assert done.code == 0, done.out + done.err
    assert list(done.result)[:5] == ["op_name", "total_cases", "passed_cases", "failed_cases", "failures"]
    assert [done.result[key] for key in list(done.result)[:5]] == ["op", 2, 2, 0, []]
    assert done.result["findings"] == []


def test_the_result_is_bound_to_both_files_and_the_tool(verify):
    """A result of an earlier candidate must not pass for this one."""
    first, second = verify(TASK, HONEST), verify(TASK, HONEST + "# changed\n")
    for name in ("task_sha256", "tool_sha256"):
        assert len(first.result[name]) == 64 and first.result[name] == second.result[name]
    assert first.result["candidate_sha256"] != second.result["candidate_sha256"]


def test_a_failure_has_index_inputs_type_and_traceback(verify):
    task = case("[torch.ones(2, 3, dtype=torch.float16), 2.5]")
    done = verify(task, IMPL.format(forward="raise ZeroDivisionError('no way')"))
    assert done.code == 1
    failure, = done.failures
    assert list(failure) == ["case_idx", "input_desc", "error_type", "error_msg"]
    assert failure["case_idx"] == 1 and failure["error_type"] == "ZeroDivisionError"
    assert failure["input_desc"] == [{"type": "tensor", "shape": [2, 3], "dtype": "torch.float16"}, {"type": "scalar", "value": 2.5}]
    assert failure["error_msg"].startswith("Traceback") and failure["error_msg"].rstrip().endswith("ZeroDivisionError: no way")


def test_what_a_candidate_prints_cannot_be_taken_for_the_judge(verify):
    done = verify(case("[torch.ones(3)]"), IMPL.format(forward="print('op: 1 of 1 case passed'); return x * 2"))
    lines = done.out.splitlines()
    assert lines[0] == "op: 0 of 1 case passed" and "  | op: 1 of 1 case passed" in lines and lines.count("op: 1 of 1 case passed") == 0


def test_a_terminal_without_chinese(tmp_path):
    (tmp_path / "task.py").write_text(TASK)
    (tmp_path / "impl.py").write_text(MODEL.format(forward="\n        while True: pass"))
    environment = dict(os.environ, PYTHONIOENCODING="ascii", PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    done = subprocess.run([sys.executable, "-m", "tilesmith", "verify", "--task", "task.py", "--impl", "impl.py", "--timeout", "5"],
                          cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and "\\u9a8c\\u8bc1\\u8d85\\u65f6(5\\u79d2)" in done.stdout and not done.stderr


def test_tracebacks_show_the_candidates_lines_and_none_of_ours(verify, isolated):
    done = verify(case("[torch.ones(3)]"), IMPL.format(forward="raise ValueError('here')"))
    message = done.failures[0]["error_msg"]
    assert '/candidate/op_triton_ascend_impl.py", line 5, in forward' in message
    assert "isolation/worker.py" not in message and "tilesmith-judge" not in message


def test_messages_over_2000_characters_keep_both_ends(verify):
    done = verify(case("[torch.ones(3)]"), IMPL.format(forward="raise ValueError('first' + 'x' * 5000 + 'last')"))
    message = done.failures[0]["error_msg"]
    assert 2000 < len(message) < 2100 and "truncated" in message[1000:-1000]
    assert message.rstrip().endswith("xlast") and message.startswith("Traceback")


def test_groups_beat_inputs_and_every_case_runs(verify):
    """A case that fails must not keep the later ones from running, nor from being listed."""
    task = case("[torch.ones(99)]", "[[torch.full((n,), float(n))] for n in (1, 2, 3, 4)]")
    done = verify(task, IMPL.format(forward="""
        if x.numel() == 2: raise RuntimeError('two')
        return x * (5 if x.numel() == 3 else 1)"""))
    assert (done.code, done.result["total_cases"], done.result["passed_cases"], done.result["failed_cases"]) == (1, 4, 2, 2)
    assert [failure["case_idx"] for failure in done.failures] == [2, 3]
    assert done.errors == ["RuntimeError", "AssertionError"]


def test_a_case_that_kills_its_process_does_not_take_the_others_along(verify):
    task = case("", "[[torch.ones(n)] for n in (1, 2, 3)]")
    done = verify(task, IMPL.format(forward="""
        import os, signal
        if x.numel() == 2: os.kill(os.getpid(), signal.SIGSEGV)
        return x * factor"""))
    assert (done.errors, done.result["passed_cases"]) == (["ProcessKilled"], 2)
    assert "SIGSEGV" in done.failures[0]["error_msg"]


def test_models_have_the_same_random_weights_in_every_case(verify):
    """Seed 0 before each constructor: a judge that seeded once would give the second case other weights on one side."""
    assert verify(TASK, HONEST).code == 0
    wrong = HONEST.replace("self.w =", "torch.randn(1); self.w =")
    assert verify(TASK, wrong).errors == ["AssertionError"] * 2


def test_inputs_are_made_under_seed_0(verify):
    """The inputs of the specification are reproducible; a candidate written against them passes."""
    import torch

    torch.manual_seed(0)
    first = torch.randn(4)[0].item()
    done = verify(case("[torch.randn(4)]"), IMPL.format(forward=f"assert x[0].item() == {first!r} or self.again(); return x * factor")
                  + "    def again(self):\n        return True\n")
    assert done.code == 0
    assert verify(case("[torch.randn(4)]"), IMPL.format(forward=f"return x if x[0].item() == {first!r} else x * 0")).code == 0


def test_init_inputs_reach_both_constructors(verify):
    task = """
import torch
class Model(torch.nn.Module):
    def __init__(self, sizes, scale, options, dtype, act, weight):
        super().__init__()
        assert sizes == (2, [3]) and options == {'a': None, 'b': -1e300} and dtype is torch.float16 and act is torch.nn.ReLU
        self.scale, self.weight = scale, weight
    def forward(self, x):
        return x * self.scale + self.weight.T
def get_init_inputs():
    return [(2, [3]), 2.5, {'a': None, 'b': -1e300}, torch.float16, torch.nn.ReLU, torch.randn(3, 2)]
def get_inputs():
    return [torch.randn(2, 3)]
"""
    assert verify(task, task.replace("class Model(", "class ModelNew(")).code == 0


def test_what_cannot_travel_is_named(verify):
    done = verify(TASK.replace("return [33]", "return [lambda: 1]"), HONEST)
    assert done.code == 1 and "cannot be handed to another process" in done.failures[0]["error_msg"]


@pytest.mark.parametrize("reference, candidate, wrong", [
    ("(x, x)", "[x]", "1 outputs, expected 2"),
    ("(x, x)", "[x, x]", None),
    ("x", "None", "None on one side"),
    ("None", "None", "None on both sides"),
    ("(x, 3)", "(x, 3)", None),
    ("(x, 3)", "(x, 4)", "4, expected 3"),
    ("(x, 'a')", "(x, 'b')", "'b', expected 'a'"),
    ("x", "3.0", "expected tensor float32[3]"),
    ("{'y': x}", "{'y': x + 1}", "item 0: MERE"),
    ("{'y': x}", "{'y': x + 0}", None),
    ("x.max(0)", "x.max(0)", None),
], ids=range(11))
def test_outputs_that_are_no_single_tensor(verify, reference, candidate, wrong):
    task = case("[torch.arange(3.0)]").replace("return x * factor", f"return {reference}")
    done = verify(task, IMPL.format(forward=f"return {candidate}"))
    assert done.code == (1 if wrong else 0), done.out
    assert wrong is None or wrong in done.failures[0]["error_msg"]


@pytest.mark.parametrize("golden, candidate, first", [
    ("torch.zeros(2, 3)", "torch.full((3, 2), float('nan'))", "shape [3, 2], expected [2, 3]"),
    ("torch.tensor([1., 1.])", "torch.tensor([float('nan'), float('inf')])", "NaN on one side only"),
    ("torch.tensor([1., 1.])", "torch.tensor([5., float('inf')])", "infinity on one side only"),
    ("torch.tensor([1., float('inf')])", "torch.tensor([5., -float('inf')])", "infinities of different sign"),
    ("torch.tensor([True, False])", "torch.tensor([True, True])", "1 of 2 booleans differ"),
    ("torch.tensor([1., 2.])", "torch.tensor([1., 2.5])", "MERE 0.125 is not < 0.00012207 and MARE 0.25 is not < 0.0012207"),
], ids=["shape", "nan", "inf", "sign", "bool", "numeric"])
def test_the_first_check_that_fails_is_reported(verify, golden, candidate, first):
    """Each pair fails later checks as well."""
    task = case("[torch.ones(1)]").replace("return x * factor", f"return {golden}")
    done = verify(task, IMPL.format(forward=f"return {candidate}"))
    assert done.failures[0]["error_msg"].startswith("output 0: " + first), done.failures


def test_another_dtype_is_cast_and_only_found(verify):
    task = case("[torch.randn(50, dtype=torch.float16)]")
    done = verify(task, IMPL.format(forward="return (x * factor).float()"))
    assert done.code == 0 and "dtype" in done.findings
    assert verify(task, IMPL.format(forward="return (x * factor).float()"), "--strict").errors == ["StrictFinding"]


def test_timeout_says_the_specified_words_and_leaves_nothing(verify, tmp_path):
    """An older, passing result must not survive."""
    (tmp_path / "verify_result.json").write_text(json.dumps({"total_cases": 1, "passed_cases": 1}))
    begin = time.monotonic()
    done = verify(TASK, MODEL.format(forward="\n        while True: pass"), "--timeout", "3")
    assert done.code == 1 and done.result is None
    assert "验证超时(3秒)" in done.out
    assert time.monotonic() - begin < 10


@pytest.mark.parametrize("task, impl, text", [
    (TASK, "import nothing_of_that_name", "ModuleNotFoundError"),
    (TASK, "syntax error here", "SyntaxError"),
    (TASK, "x = 1", "does not define ModelNew"),
    (TASK.replace("class Model(", "class Other("), HONEST, "does not define Model"),
    (TASK.replace("get_init_inputs", "other"), HONEST, "does not define get_init_inputs"),
    (TASK.replace("get_input_groups", "other"), HONEST, "does not define get_input_groups or get_inputs"),
    (TASK.replace("return [[torch.randn(64", "return [[torch.rand_n(64"), HONEST, "AttributeError"),
], ids=["import", "syntax", "no ModelNew", "no Model", "no init", "no inputs", "inputs raise"])
def test_files_that_cannot_be_used(verify, tmp_path, task, impl, text):
    (tmp_path / "verify_result.json").write_text("{}")
    done = verify(task, impl)
    assert done.code == 1 and done.result is None and text in done.err


def test_zero_cases_verify_nothing(verify):
    done = verify(case("[]", "[]"), IMPL.format(forward="return x"))
    assert done.code == 1 and done.result["total_cases"] == 0 and "nothing was verified" in done.out


def test_missing_folder_and_files(tmp_path, capsys):
    from tilesmith.__main__ import main

    assert main(["verify", "--op_name", "op", "--verify_dir", str(tmp_path / "none")]) == 1
    assert main(["verify", "--op_name", "op", "--verify_dir", str(tmp_path)]) == 1
    assert "op_torch.py" in capsys.readouterr().err
    for arguments in ([], ["--task", "x.py"], ["--op_name", "x", "--timeout", "-1"]):
        with pytest.raises(SystemExit) as error:
            main(["verify", *arguments])
        assert error.value.code == 2


def test_task_and_impl_anywhere(tmp_path, capsys):
    from tilesmith.__main__ import main

    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "scale.py").write_text(TASK)
    (tmp_path / "mine.py").write_text(HONEST)
    code = main(["verify", "--task", str(tmp_path / "a" / "scale.py"), "--impl", str(tmp_path / "mine.py"), "--output",
                 str(tmp_path / "r.json"), "--json"])
    assert code == 0
    printed = json.loads(capsys.readouterr().out)
    written = json.loads((tmp_path / "r.json").read_text())
    assert printed.items() >= written.items() and written["op_name"] == "scale"
    assert printed.keys() - written.keys() == {"schema_version", "command", "exit_code", "errors", "warnings"}


def test_a_task_reads_the_file_beside_it(verify, tmp_path):
    """Tasks keep their cases in a JSON Lines file of the same name."""
    (tmp_path / "op_torch.json").write_text('{"n": 3}\n{"n": 5}\n')
    task = TASK.replace("return [[torch.randn(64, 33)], [torch.randn(7, 33)]]", """
    import json, os
    with open(os.path.splitext(os.path.abspath(__file__))[0] + ".json") as file:
        return [[torch.randn(json.loads(line)["n"], 33)] for line in file]""")
    assert verify(task, HONEST).result["passed_cases"] == 2


def test_strides_and_shared_memory_of_inputs_survive_the_way(verify):
    task = """
import torch
class Model(torch.nn.Module):
    def forward(self, x, y, z):
        assert x.stride() == (1, 5) and z.stride() == (0, 1) and x.data_ptr() == y.data_ptr()
        return x + y.T.reshape(5, 4).T.reshape(5, 4) * 0 + z.sum()
def get_init_inputs():
    return []
def get_inputs():
    base = torch.randn(4, 5)
    return [base.T, base, torch.randn(3).expand(2, 3)]
"""
    done = verify(task.replace("x + y.T.reshape(5, 4).T.reshape(5, 4) * 0", "x"),
                  task.replace("x + y.T.reshape(5, 4).T.reshape(5, 4) * 0", "x").replace("Model(", "ModelNew("))
    assert done.code == 0, done.failures


def test_hifloat32_by_request(verify):
    task, impl = case("[torch.ones(9)]"), IMPL.format(forward="return x * (1 + 2.0**-12)")
    assert verify(task, impl).code == 1
    assert verify(task, impl, "--hifloat32").code == 0
