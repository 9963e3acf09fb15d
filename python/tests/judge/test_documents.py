"""`--json` of the judge's commands: one document on stdout, valid by its schema, beside results whose format is fixed elsewhere."""

import json

import pytest

from judging import HONEST, MODEL, TASK
from tilesmith import schemas
from tilesmith.__main__ import main

jsonschema = pytest.importorskip("jsonschema")
HEAD = {"schema_version", "command", "exit_code", "errors", "warnings"}
WRONG = MODEL.format(forward="return x")


@pytest.fixture
def document(capsys):
    def run(verb, *args):
        try:
            code = main([verb, *map(str, args), "--json"])
        except SystemExit as end:
            code = end.code
        facts = json.loads(capsys.readouterr().out)
        jsonschema.Draft202012Validator(schemas.schema_of(verb)).validate(facts)
        jsonschema.Draft202012Validator(schemas.everything()).validate(facts)
        assert facts["exit_code"] == code and facts["command"] == verb
        return facts

    return run


@pytest.fixture
def files(tmp_path):
    for name, text in {"op_torch.py": TASK, "op_triton_ascend_impl.py": HONEST}.items():
        (tmp_path / name).write_text(text)
    return ["--op_name", "op", "--verify_dir", tmp_path]


def test_verify_and_bench(document, files, tmp_path):
    facts = document("verify", *files)
    written = json.loads((tmp_path / "verify_result.json").read_text())
    assert facts["exit_code"] == 0 and list(facts) == [*written, "schema_version", "command", "exit_code", "errors", "warnings"]

    facts = document("bench", *files, "--warmup", 0, "--repeats", 1, "--output", tmp_path / "perf.json")
    written = json.loads((tmp_path / "perf.json").read_text())
    assert facts["exit_code"] == 0 and facts.items() >= written.items() and facts.keys() - written.keys() == HEAD
    again = document("bench", *files, "--warmup", 0, "--repeats", 1, "--compare", tmp_path / "perf.json")
    assert [row["case_idx"] for row in again["comparison"]] == [1, 2]


def test_a_candidate_that_is_wrong(document, files, tmp_path):
    (tmp_path / "op_triton_ascend_impl.py").write_text(WRONG)
    facts = document("verify", *files)
    assert facts["exit_code"] == 1 and facts["failed_cases"] == 2 and facts["errors"] == []
    facts = document("bench", *files)
    assert facts["exit_code"] == 2 and facts["errors"][0]["kind"] == "refused"  # the gate's own text
    (tmp_path / "op_triton_ascend_impl.py").write_text("def (")
    facts = document("verify", *files)
    assert facts["exit_code"] == 1 and facts["errors"][0]["kind"] == "script" and "SyntaxError" in facts["errors"][0]["message"]


def test_sweep(document, tmp_path):
    folder = tmp_path / "tasks"
    folder.mkdir()
    for name, text in {"op.py": TASK, "op_good.py": HONEST, "op_bad.py": WRONG}.items():
        (folder / name).write_text(text)
    facts = document("sweep", folder, "--no-validate", "--output", tmp_path / "out.jsonl", "-j", 1)
    assert facts["exit_code"] == 0 and (facts["candidates"], facts["passed"], facts["failed"], facts["waiting"]) == (2, 1, 1, 0)
    assert {record["candidate"]: record["status"] for record in facts["records"]} == {"op_good.py": "pass", "op_bad.py": "fail"}
