"""`--json`: one document on stdout whatever happens, as its schema says, with the true exit code and the reason."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli import document, tilesmith, write_script
from tilesmith import commands, schemas
from tilesmith.__main__ import main

jsonschema = pytest.importorskip("jsonschema")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def script(tmp_path):
    return write_script(tmp_path)


def checked(*args, verb=None, **kwargs):
    """The document of a command that starts as a process; it is valid by the schema of its verb and by that of all."""
    code, facts = document(*args, **kwargs)
    assert facts["exit_code"] == code and bool(facts["errors"]) <= bool(code)
    validate(facts, verb or args[0])
    return facts


def validate(facts, verb):
    if facts["command"] is not None:
        jsonschema.Draft202012Validator(schemas.schema_of(verb)).validate(facts)
    jsonschema.Draft202012Validator(schemas.everything()).validate(facts)


@pytest.mark.parametrize("verb", ["run", "prof", "check", "emit"])
def test_scripts_that_work(verb, script, tmp_path):
    options = ["-o", tmp_path / "out"] if verb == "emit" else []
    facts = checked(verb, script, "--json", *options)
    assert facts["exit_code"] == 0 and facts["errors"] == [] and facts["script"] == str(script)
    assert [launch["kernel"] for launch in facts["kernels" if verb == "emit" else "launches"]] == ["double"]


@pytest.mark.parametrize("verb", ["run", "prof", "check", "emit"])
def test_a_kernel_that_does_not_compile_is_an_error_with_its_place(verb, script):
    """`"exit_code": 1, "launches": [], "findings": []` and no word of why."""
    script.write_text(script.read_text().replace("x + x", "x + nothing"))
    error = checked(verb, script, "--json")["errors"][0]
    assert error["kind"] == "compile" and error["file"] == str(script) and "nothing" in error["message"]
    assert (error["line"], error["column"]) == (10, 20) and "^" in error["rendered"]


def test_tune_and_debug(script, tmp_path):
    script.write_text(script.read_text().replace("size):", "size, tile: asc.ConstExpr[int]):").replace("[1024], offsets", "[tile], offsets")
                      .replace("y, 1024)", "y, 1024, tile=1024)"))
    environment = {"PYASC_CACHE_DIR": str(tmp_path / "cache")}
    facts = checked("tune", script, "--set", "tile=1024,2048", "--json", env=environment)
    assert facts["exit_code"] == 0 and [result["kernel"] for result in facts["results"]] == ["double"], facts
    facts = checked("debug", script, "--json", env=environment, input="continue\n")
    assert facts["exit_code"] == 0 and facts["script"] == str(script), facts


SCRIPTS = {
    "1 / 0\n": (1, "script", "ZeroDivisionError: division by zero"),
    "x = = 1\n": (1, "script", "SyntaxError: invalid syntax"),
    "class Own(BaseException): pass\nraise Own('odd')\n": (1, "script", "Own: odd"),
    "import sys; sys.exit('out of luck')\n": (1, "script", "out of luck"),
    "import os; os._exit(3)\n": (3, "crashed", "the process ended itself with exit code 3"),
    "import os; os._exit(0)\n": (1, "crashed", "the process ended itself with exit code 0"),
    "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)\n": (139, "crashed", "the process was ended by SIGSEGV"),
    "raise KeyboardInterrupt\n": (130, "interrupted", "interrupted"),
}


@pytest.mark.parametrize("text", SCRIPTS)
def test_however_a_script_ends_there_is_a_document(text, tmp_path):
    path = tmp_path / "k.py"
    path.write_text("import os; print('out'); os.system('echo child')\n" + text)
    facts = checked("run", path, "--json")
    (error,) = facts["errors"]
    assert (facts["exit_code"], error["kind"], error["message"]) == SCRIPTS[text]
    if error["kind"] == "script" and error["message"] != "out of luck":
        assert (error["file"], error["line"]) == (str(path), 1 + text.count("\n"))
        assert "runpy" not in error["rendered"] and "tilesmith" not in error["rendered"]


def test_a_scripts_own_exit_code_is_not_an_error(tmp_path):
    (tmp_path / "k.py").write_text("import sys; sys.exit(7)\n")
    code, facts = document("run", tmp_path / "k.py", "--json")
    assert code == facts["exit_code"] == 7 and facts["errors"] == []


def test_nothing_else_is_on_stdout(tmp_path):
    """Not even what processes of the script print."""
    path = tmp_path / "k.py"
    path.write_text("import os, sys\nprint('a', flush=True)\nos.system('echo b')\nos.write(1, b'c')\nsys.__stdout__.write('d')\n")
    done = tilesmith("run", path, "--json")
    assert json.loads(done.stdout)["exit_code"] == 0 and sorted(done.stderr.replace("\n", "")) == list("abcd")


def test_warnings_are_in_the_document(script):
    script.write_text(script.read_text().replace("sys.exit", "import warnings; warnings.warn('careful'); sys.exit"))
    (warning,) = checked("run", script, "--json")["warnings"]
    assert warning["message"] == "careful" and warning["kind"] == "UserWarning" and warning["file"] == str(script)


def test_an_error_of_a_launch_is_told(script):
    script.write_text(script.read_text().replace("double[1](x, y, 1024)", "double[1](x, y[:8], 1024)"))
    error = checked("run", script, "--json")["errors"][0]
    assert error["kind"] == "kernel" and error["file"] == str(script) and "^" in error["rendered"]


@pytest.mark.parametrize("words, verb", [
    (["run", "no/such.py"], "run"), (["prof", "k.py", "-v"], "prof"), (["run"], "run"), (["cache", "burn"], "cache"), (["porf"], None), ([], None),
    (["verify"], "verify"), (["verify", "--task", "a"], "verify"), (["sweep", "no/such"], "sweep"), (["validate"], "validate"),
    (["validate", "--explain", "DG999"], "validate"), (["platforms", "Ascend310"], "platforms"), (["schema", "porf"], "schema"),
    (["bench", "--op_name", "x", "--timeout", "0"], "bench"), (["verify", "--op_name", "x", "--verify_dir", "no/such"], "verify"),
])
def test_wrong_command_lines_give_a_document_too(words, verb, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        code = main([*words, "--json"])
    except SystemExit as end:
        code = end.code
    facts = json.loads(capsys.readouterr().out)
    assert code == facts["exit_code"] and code in (1, 2) and facts["command"] == verb and facts["errors"][0]["message"]
    validate(facts, verb)


@pytest.mark.parametrize("words", [["cache", "show"], ["platforms"], ["platforms", "Ascend910B3"], ["doctor"], ["schema"], ["schema", "prof"], ["explain"],
                                   ["explain", "cross.write-write"],
                                   ["completion", "zsh"], ["validate", "--rules"], ["validate", "--explain", "DG301"],
                                   ["validate", str(ROOT / "python/tests/judge/candidates/honest")]], ids=" ".join)
def test_other_verbs(words, capsys):
    code = main([*words, "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert code == facts["exit_code"] == 0 and facts["command"] == words[0] and facts["errors"] == []
    validate(facts, words[0])


def test_ctrl_c_leaves_a_document(tmp_path):
    path = tmp_path / "sleep.py"
    path.write_text("import sys, time\nprint('ready', file=sys.stderr, flush=True)\ntime.sleep(60)\n")
    process = subprocess.Popen([sys.executable, "-m", "tilesmith", "run", str(path), "--json"], stdout=subprocess.PIPE, text=True,
                               stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert process.stderr.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == json.loads(out)["exit_code"] == 130 and json.loads(out)["errors"][0]["kind"] == "interrupted"


def test_numbers_that_json_does_not_have_are_null():
    from tilesmith.document import Document

    facts = Document("prof")
    facts.update(a=float("nan"), b=[float("inf"), 1.5])
    assert json.loads(facts.text(0), parse_constant=pytest.fail)["b"] == [None, 1.5]


def test_every_verb_has_a_schema_of_its_own():
    """And both the schemas and the published copy are schemas."""
    for verb in commands.verbs():
        jsonschema.Draft202012Validator.check_schema(schemas.schema_of(verb))
        assert schemas.schema_of(verb)["properties"].keys() > schemas.head(verb).keys(), f"commands/{verb}.py has no SCHEMA"
    published = json.loads((ROOT / "docs/schema.json").read_text())
    assert published == json.loads(json.dumps(schemas.everything())), "run ./dev run tools/schema.py"
    jsonschema.Draft202012Validator.check_schema(published)


def test_the_schema_refuses_what_is_not_a_document():
    """A schema that lets everything pass would make the tests here worthless."""
    good = {"schema_version": 1, "command": "cache", "exit_code": 0, "errors": [], "warnings": [], "folder": "x", "kernels": 1, "bytes": 1,
            "cleared": False}
    validate(good, "cache")
    for wrong in ({"schema_version": 2}, {"exit_code": 300}, {"errors": [{"kind": "odd"}]}, {"kernels": "many"}, {"folder": None}):
        with pytest.raises(jsonschema.ValidationError):
            validate(good | wrong, "cache")
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(schemas.everything()).validate(good | wrong)
    with pytest.raises(jsonschema.ValidationError):
        validate({name: value for name, value in good.items() if name != "bytes"}, "cache")


WORDS = ["run", "prof", "check", "emit", "cache", "platforms", "schema", "completion", "validate", "verify", "bench", "k.py", "k.cpp", "folder",
         "-v", "Ascend910B1", "nope", "--platform", "--platform=Ascend910B2", "--color", "always", "--color=never", "-o", "--kernel", "--", "-",
         "-x", "--arg", "3", "--out", "--host", "show", "bash", "", "é", "--explain", "DG301", "--rules", "--op_name", "x", "--task", "--json",
         "-vX", "--timeout", "1", "--plat", "--js=3", "--json=3", "-1", "--=", "=", "--a=b"]


def test_any_command_line_gives_one_document(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.py").write_text("pass\n")
    (tmp_path / "k.cpp").write_text("")
    (tmp_path / "folder").mkdir()
    draw = random.Random(7)
    everything = jsonschema.Draft202012Validator(schemas.everything())
    for _ in range(120):
        words = [draw.choice(WORDS[:11]), *(draw.choice(WORDS) for _ in range(draw.randrange(6)))]
        words.insert(draw.randrange(len(words) + 1) if "--" not in words else 0, "--json")
        try:
            code = main(list(words))
        except SystemExit as end:
            code = end.code
        facts = json.loads(capsys.readouterr().out)
        assert facts["exit_code"] == code and not any(error["kind"] == "internal" for error in facts["errors"]), words
        everything.validate(facts)
