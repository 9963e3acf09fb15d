"""Where the source of a kernel may be: files, notebooks' cells, exec-ed text, doctests, `python -c`."""

import doctest
import functools
import importlib.util
import linecache
import os
import subprocess
import sys
import textwrap
import types

import numpy as np
import pytest

import asc
import asc2
from asc.codegen.errors import CodegenError

ADD = textwrap.dedent("""\
    import asc, asc2
    FIRST = 1


    @asc2.jit
    def add(x_ptr, n: asc.ConstExpr[int]):
        x = asc2.tensor(x_ptr, [n])
        asc2.store(asc2.load(x, [n], offsets=[0]) + FIRST, x, offsets=[0])
""")


def adds(kernel, amount):
    x = np.zeros(64, np.float32)
    kernel[1](x, 64)
    assert (x == amount).all()


def run_cell(text, number, names):
    """As IPython does: compiled under a name of its own, the text in linecache without a time."""
    name = f"/tmp/ipykernel_1/{number}.py"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), names)
    return name


def test_cells_of_a_notebook():
    names = {}
    run_cell(ADD, 1, names)
    adds(names["add"], 1)
    # The same name again, in the next cell, below a comment: another kernel.
    run_cell(ADD.replace("FIRST = 1", "FIRST = 5\n# changed"), 2, names)
    adds(names["add"], 5)


def test_errors_of_a_cell_show_its_lines():
    """Both of the front end and of later stages, which read lines by file and number."""
    names = {}
    file = run_cell(ADD.replace("+ FIRST", "+ SECOND"), 3, names)
    with pytest.raises(CodegenError) as error:
        names["add"][1](np.zeros(64, np.float32), 64)
    assert f"{file}:8" in str(error.value) and "asc2.store(" in str(error.value)
    run_cell(ADD, 4, names)
    with pytest.raises(CodegenError, match="does not fit into UB") as error:
        names["add"][1](np.zeros(200_000, np.float32), 200_000)
    assert "asc2.store(asc2.load(x, [n], offsets=[0])" in str(error.value)


def test_a_cell_has_the_name_people_see(monkeypatch):
    """It was `2980179996.py`. IPython's compiler knows the numbers; this stands for it."""
    compiler = types.SimpleNamespace(format_code_name=lambda name: ("Cell", "In[7]") if name == "/tmp/ipykernel_1/7.py" else None)
    shell = types.SimpleNamespace(compile=compiler)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    names = {}
    run_cell(ADD.replace("+ FIRST", "+ SECOND"), 7, names)
    with pytest.raises(CodegenError) as error:
        names["add"][1](np.zeros(64, np.float32), 64)
    assert str(error.value).startswith("Cell In[7]:8:") and "asc2.store(" in str(error.value)
    run_cell(ADD, 7, names)
    with asc.profile() as report:
        adds(names["add"], 1)
    assert {file for file, _, _ in report.by_line()} == {"Cell In[7]"} and "asc2.store(asc2.load(" in str(report)
    run_cell(ADD, 8, names)  # not a cell of this shell
    assert names["add"].filename == "/tmp/ipykernel_1/8.py"


def test_cells_of_a_real_shell():
    pytest.importorskip("IPython")
    code = ("from IPython.core.interactiveshell import InteractiveShell\nshell = InteractiveShell.instance()\n"
            "shell.run_cell('x = 1', store_history=True)\n"
            f"shell.run_cell({ADD + 'print(add.filename)'!r}, store_history=True)\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "Cell In[2]\n", done.stdout + done.stderr


def test_text_without_a_file_needs_source():
    with pytest.raises(RuntimeError, match="the source of 'add' cannot be read from '<nowhere>', line 5(.|\n)*"
                                           "help: .*@asc2.jit\\(source=text\\)"):
        exec(compile(ADD, "<nowhere>", "exec"), {})
    names = {"TEXT": ADD.replace("@asc2.jit", "@asc2.jit(source=TEXT)")}
    exec(names["TEXT"], names)
    adds(names["add"], 1)
    assert names["add"].first_line == 5


def test_lines_of_given_source_are_found():
    """`fn` may come from other lines than the text has it on; then the name decides, and must be unique."""
    text = "def helper():\n    pass\n\n\n" + ADD
    names = {}
    exec(ADD.replace("@asc2.jit\n", ""), names)
    kernel = asc2.jit(names["add"], source=text)
    assert kernel.first_line == 9
    adds(kernel, 1)
    with pytest.raises(CodegenError, match="<string>:12"):
        asc2.jit(names["add"], source=text.replace("FIRST, x", "THIRD, x"))[1](np.zeros(64, np.float32), 64)
    with pytest.raises(RuntimeError, match="the source given for 'add' has no functions of this name"):
        asc2.jit(names["add"], source="x = 1\n")
    with pytest.raises(RuntimeError, match="the source given for 'add' has 2 functions of this name"):
        asc2.jit(names["add"], source="if 1:\n    def add(x): pass\nelse:\n    def add(y): pass\n")
    with pytest.raises(TypeError, match="source is the text 'add' is defined in, not bytes"):
        asc2.jit(names["add"], source=b"def add(): pass")


def test_python_dash_c():
    text = ADD + "import numpy as np\nx = np.zeros(64, np.float32)\nadd[1](x, 64)\nprint(x[0])\n"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    if sys.version_info >= (3, 13):  # keeps the text for tracebacks
        assert done.stdout == "1.0\n", done.stderr
    else:
        assert "@asc2.jit(source=text)" in done.stderr
    whole = f"TEXT = {text!r}\nexec(TEXT.replace('asc2.jit', 'asc2.jit(source=TEXT)'))\n"
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True)
    assert done.stdout == "1.0\n", done.stderr


def test_doctests():
    example = "".join(f"{'... ' if line[:1] in (' ', 'd') else '>>> '}{line}\n" for line in ADD.splitlines() if line)
    example += ">>> import numpy as np\n>>> x = np.zeros(64, np.float32)\n>>> add[1](x, 64)\n>>> int(x[0])\n1\n"
    test = doctest.DocTestParser().get_doctest(example, {}, "example", "example.py", 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def load(path):
    spec = importlib.util.spec_from_file_location("edited", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_file_that_changed_since_it_was_loaded(tmp_path):
    """Line numbers of the loaded code must not be looked up in another text."""
    file = tmp_path / "edited.py"
    file.write_text(ADD.replace("@asc2.jit\n", ""))
    module = load(file)
    adds(asc2.jit(module.add), 1)
    file.write_text("# a line more\n" + file.read_text())
    os.utime(file, (2_000_000_000, 2_000_000_000))
    with pytest.raises(RuntimeError, match="edited.py' has changed since 'add' was loaded from it; load the module again"):
        asc2.jit(module.add)
    file.write_text(ADD.replace("@asc2.jit\n", "").replace("+ FIRST", "- FIRST"))
    os.utime(file, (2_000_000_001, 2_000_000_001))
    with pytest.raises(RuntimeError, match="has changed since"):
        asc2.jit(module.add)
    adds(asc2.jit(load(file).add), -1)


def test_decorators_above_and_below():
    seen = []

    def note(function):
        seen.append(function)
        return function

    @note
    @asc2.jit(opt_level=2)
    @note
    def add(x_ptr, n: asc.ConstExpr[int]):
        x = asc2.tensor(x_ptr, [n])
        asc2.store(asc2.load(x, [n], offsets=[0]) + 1, x, offsets=[0])

    adds(add, 1)
    assert len(seen) == 2 and seen[1] is add and seen[0] is add.fn


def test_nested_functions_and_two_of_one_name():
    def make(sign):
        if sign > 0:
            @asc2.jit
            def add(x_ptr, n: asc.ConstExpr[int]):
                assert n > 0, "rewritten by pytest"
                x = asc2.tensor(x_ptr, [n])
                asc2.store(asc2.load(x, [n], offsets=[0]) + 1, x, offsets=[0])
        else:
            @asc2.jit
            def add(x_ptr, n: asc.ConstExpr[int]):
                x = asc2.tensor(x_ptr, [n])
                asc2.store(asc2.load(x, [n], offsets=[0]) - sign, x, offsets=[0])
        return add

    adds(make(1), 1)
    adds(make(-3), 3)
    adds(make(-4), 4)


def test_partial_objects_and_classes_are_no_kernels():
    for thing in (functools.partial(adds), ADD, object, len):
        with pytest.raises(TypeError, match="jit takes a function defined with def"):
            asc2.jit(thing)
