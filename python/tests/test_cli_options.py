"""Options around the script, and command lines that are nearly right."""

import json
import re

import pytest
from cli import document, tilesmith, write_script
from tilesmith import commands
from tilesmith.__main__ import main, parser


@pytest.fixture
def script(tmp_path):
    return write_script(tmp_path)


@pytest.mark.parametrize("words", [["-v", "Ascend950PR_9599"], ["-vAscend950PR_9599"], ["--platform", "Ascend950PR_9599"],
                                   ["--platform=Ascend950PR_9599"]])
def test_our_options_are_ours_on_both_sides_of_the_script(words):
    for order in ([*words, "k.py", "one", "two"], ["k.py", "one", "two", *words], ["k.py", "one", *words, "two"]):
        args = parser().parse_args(["prof", *order])
        assert (args.script, args.platform, args.args) == ("k.py", "Ascend950PR_9599", ["one", "two"])


def test_the_beginning_of_an_option_is_enough_before_the_script():
    """As argparse has it. After the script it may be the script's."""
    args = parser().parse_args(["prof", "--plat", "Ascend910B2", "--js", "k.py", "--plat", "4"])
    assert (args.script, args.platform, args.json, args.args) == ("k.py", "Ascend910B2", True, ["--plat", "4"])


def test_the_platform_may_follow_the_script(script):
    """It went to the script, and `prof k.py -v X` printed another part's figures."""
    done = tilesmith("prof", script, "-v", "Ascend950PR_9599")
    assert done.returncode == 0 and "on Ascend950PR_9599" in done.stdout, done.stderr
    assert done.stdout.splitlines()[0] == "sum 2048.0 []"


def test_help_and_common_options_before_the_verb(capsys):
    with pytest.raises(SystemExit):
        main(["help", "prof"])
    assert capsys.readouterr().out.startswith("usage: tilesmith prof")
    with pytest.raises(SystemExit):
        main(["help"])
    assert capsys.readouterr().out.startswith("usage: tilesmith [-h]")
    assert main(["--color", "never", "--json", "cache", "show"]) == 0
    assert json.loads(capsys.readouterr().out)["command"] == "cache"


def test_other_options_are_the_scripts(script):
    done = tilesmith("run", script, "--shape", "4x4", "-r", "Model", "-1", "--flag=7", "-v", "Ascend910B2", "-x")
    assert done.stdout == "sum 2048.0 ['--shape', '4x4', '-r', 'Model', '-1', '--flag=7', '-x']\n" and done.stderr == ""


def test_all_behind_the_mark_is_the_scripts(script):
    done = tilesmith("prof", script, "--shape", "4", "--", "-v", "Ascend950PR_9599", "--json", "--", "--help")
    assert done.stdout.splitlines()[0] == "sum 2048.0 ['--shape', '4', '-v', 'Ascend950PR_9599', '--json', '--', '--help']"
    assert "on Ascend910B1" in done.stdout


def test_a_script_may_begin_with_a_dash(script):
    script.rename(script.parent / "-odd.py")
    done = tilesmith("run", "--", "-odd.py", "-v", cwd=script.parent)
    assert done.stdout == "sum 2048.0 ['-v']\n", done.stderr


def test_help_after_the_script_is_the_scripts(script):
    assert tilesmith("run", script, "--help").stdout == "sum 2048.0 ['--help']\n"
    assert "usage: tilesmith run" in tilesmith("run", "--help", script).stdout


def test_json_after_the_script(script):
    code, facts = document("prof", script, "--json", "--shape", "3")
    assert code == 0 and facts["launches"][0]["kernel"] == "double"


def test_the_librarys_kernels_take_the_platform_from_the_command():
    """They have -v themselves; the command's pins the platform."""
    done = tilesmith("prof", "kernels/gelu.py", "-v", "Ascend950PR_9599", "--shape", "64x64", cwd=__file__.rsplit("/python/", 1)[0])
    assert done.returncode == 0 and "64x64  on Ascend950PR_9599" in done.stdout, done.stderr
    assert set(re.findall(r"blocks? on (\w+)", done.stdout)) == {"Ascend950PR_9599"}


def test_the_platform_is_pinned_for_the_command_alone(script, capsys):
    """Tests and notebooks call main() as well."""
    from asc.runtime import config

    before = config.current_platform()
    assert main(["prof", str(script), "-v", "Ascend910B3"]) == 0 and "on Ascend910B3" in capsys.readouterr().out
    assert config.current_platform() is before
    config.set_platform("Model", "Ascend910B4")
    assert config.current_platform() is config.Platform.Ascend910B4


def test_a_typing_error_after_the_script_does_not_pass_silently(script):
    done = tilesmith("prof", script, "--josn", "--jason", "--", "--jsno")
    assert done.stderr == "".join(f"tilesmith: note: '{word}' goes to the script; did you mean '--json'?\n" for word in ("--josn", "--jason"))


@pytest.mark.parametrize("words, text", [
    (("porf", "k.py"), "invalid choice: 'porf' (choose from 'run', 'prof'"),
    (("porf", "k.py"), "; did you mean 'prof'?"),
    (("prof", "--jsn", "k.py"), "tilesmith prof: error: unrecognized arguments: --jsn; did you mean '--json'?"),
    (("verify", "--opname", "x"), "unrecognized arguments: --opname x; did you mean '--op_name'?"),
    (("cache", "claer"), "did you mean 'clear'?"),
    (("prof", "k.py", "-v"), "argument -v/--platform: expected one argument"),
    (("run", "-v", "Ascend910B1"), "the following arguments are required: SCRIPT"),
    (("run",), "usage: tilesmith run [options] SCRIPT"),
])
def test_wrong_command_lines_say_what_was_meant(words, text, capsys):
    with pytest.raises(SystemExit) as end:
        main(list(words))
    out, err = capsys.readouterr()
    assert end.value.code == 2 and text in err and out == ""


@pytest.mark.parametrize("words", [["k.py", "-v"], ["k.py", "-v", "--verbose"], ["k.py", "-v", "very"], ["k.py", "--color=much"]])
def test_an_option_the_script_may_have_meant_names_the_mark(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.py").write_text("")
    try:
        code = main(["run", *words])
    except SystemExit as end:
        code = end.code
    err = capsys.readouterr().err
    assert code == 2 and err.endswith("what the script shall get stands after `--`\n")


def test_options_of_a_cpp_kernel_are_checked(tmp_path):
    (tmp_path / "k.cpp").write_text("")
    assert tilesmith("run", tmp_path / "k.cpp", "--help").stderr == ""
    done = tilesmith("run", tmp_path / "k.cpp", "--kernl", "x")
    assert done.returncode == 2 and "unrecognized arguments: --kernl x; did you mean '--kernel'?" in done.stderr
    code, facts = document("run", tmp_path / "k.cpp", "--kernl", "x", "--json")
    assert code == facts["exit_code"] == 2 and facts["errors"][0]["kind"] == "usage"


@pytest.mark.parametrize("verb", commands.verbs())
def test_help_says_whose_options_are_whose_and_has_examples(verb, capsys):
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    text = capsys.readouterr().out
    assert re.search(rf"examples:\n  (TILESMITH_\w+=\S+ )?tilesmith {verb}\b", text)
    assert ("everything after `--`" in text) == ("SCRIPT [options]" in text)


def test_help_of_the_command_begins_well():
    """`.capitalize()` made "as ascend c" of it."""
    assert "write them as Ascend C" in " ".join(parser().format_help().split())


def test_no_verb_loads_more_than_it_needs():
    """`--help` and completion would be slow otherwise."""
    import subprocess
    import sys

    code = ("import sys; from tilesmith.__main__ import parser; parser(); "
            "print({'numpy', 'rich', 'jinja2', 'shtab', 'torch', '_tilesmith', 'asc', 'subprocess', 'hashlib', 'difflib'} & set(sys.modules))")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
