"""The table of findings: every id comes from it, every example does what its page says, and messages name arguments and elements."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import _tilesmith
import asc
import asc2
import numpy as np
import pytest
from tilesmith import findings

ROOT = Path(__file__).resolve().parents[2]
ROWS = {row["id"]: row for row in findings.table()}
GROUPS = "|".join(sorted({id.partition(".")[0] for id in ROWS}))
CODE = [*(ROOT / "lib/Machine").rglob("*"), *(ROOT / "lib/Runtime").glob("*"), *(ROOT / "python/extension").glob("*"),
        *(ROOT / "include/ascendc").rglob("*"), *(ROOT / "python/asc/runtime").rglob("*.py")]


def test_every_finding_has_examples_or_says_why_not():
    for row in ROWS.values():
        assert row["what"] and row["why"] and not row["what"].endswith(".")
        assert (findings.examples(row) is None) == bool(row["unreached"]), row["id"]
    assert {path.stem for path in findings.EXAMPLES.glob("*.md")} <= set(ROWS)


def test_no_id_is_written_beside_the_table():
    """In C++ a row is an enumerator; what Python says itself must be a row, too."""
    for path in CODE:
        if path.suffix not in (".cpp", ".h", ".py", ".inc"):
            continue
        text = path.read_text()
        if path.suffix != ".py":
            assert not re.findall(rf'"(?:{GROUPS})\.[a-z][a-z-]*[a-z]"', text), path
            continue
        for id in re.findall(rf"\[((?:{GROUPS})\.[a-z-]+)\]", text):
            assert findings.find(id), f"{path} speaks of {id}"


def test_the_page_is_up_to_date():
    assert (ROOT / "docs/findings.md").read_text() == findings.document(), "run ./dev run tools/findings.py"


def test_ids_of_families_are_found():
    assert findings.find("init.l0a")["id"] == "init.MEMORY"
    assert findings.find("bounds.gm-read")["id"] == "bounds.gm-read"
    assert findings.find("bounds.ub-write")["id"] == "bounds.MEMORY-write"
    assert findings.find("operand.unsupported")["id"] == "operand.unsupported"
    assert findings.find("operand.set_flag")["id"] == "operand.INSTRUCTION"
    assert findings.find("init.nowhere") is None and findings.find("order") is None and findings.find("") is None


def cases(language):
    for row in ROWS.values():
        for which, example in zip(("fires", "clean"), findings.examples(row) or ()):
            if example[1] == language:
                yield pytest.param(row, which, *example, id=f"{row['id']}-{which}")


def judge(row, which, found):
    """A late mode sees most missing flags, too: that is one mistake, and two checks that find it."""
    if row["id"].startswith("order.") and which == "fires":
        found = found - {"late.differs"}
    names = {findings.find(id)["id"] for id in found}
    assert names == ({row["id"]} if which == "fires" else set()), found


@pytest.mark.parametrize("row, which, options, language, source", list(cases("py")))
def test_examples_in_python(row, which, options, language, source, tmp_path):
    path = tmp_path / "example.py"
    path.write_text(source)
    with asc.check() as report:
        try:
            runpy.run_path(str(path), run_name="__main__")
        except asc.KernelError as error:  # of an example that asks for another mode itself
            assert which == "fires"
            judge(row, which, set(re.findall(r"\[([a-z.-]+)\]", str(error))))
            return
    assert report.launches
    judge(row, which, {finding["id"] for finding in report.findings})


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """All examples in C++ as one source: they differ in the name of the kernel."""
    parts = []
    for number, case in enumerate(cases("cpp")):
        source = case.values[4]
        if number:
            source = source.replace('#include "kernel_operator.h"\n', "").replace("using namespace AscendC;\n", "")
        assert source.count("void example(") == 1
        parts.append(source.replace("void example(", f"void example{number}("))
    path = tmp_path_factory.mktemp("examples") / "examples.cpp"
    path.write_text("".join(parts))
    return asc.load_ascendc(path, timeout=20.0)


NUMBER = {case.id: number for number, case in enumerate(cases("cpp"))}


@pytest.mark.parametrize("row, which, options, language, source", list(cases("cpp")))
def test_examples_in_cpp(row, which, options, language, source, library, request):
    words = dict(zip(*[iter(options.split())] * 2))
    blocks, platform = int(words.pop("--blocks", 1)), words.pop("-v", "Ascend910B1")
    timeout = float(words.pop("--timeout", 20))
    assert not words, "options the test does not know"
    kernel = library[f"example{NUMBER[request.node.callspec.id]}"]
    x, y = np.ones(1024, np.float32), np.zeros(1024, np.float32)
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(platform)
    library.timeout = timeout
    try:
        with asc.check() as report:
            kernel[blocks](x, y)
        found = {finding["id"] for finding in report.findings}
    except asc.KernelError as error:  # its process is gone
        found = set(re.findall(r"\[(kernel\.[a-z-]+)\]", str(error)))
    finally:
        library.timeout = 20.0
        _tilesmith.set_platform(before)
    judge(row, which, found)


def command(*arguments, cwd=None):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, "-m", "tilesmith", *arguments], capture_output=True, text=True, cwd=cwd, env=environment)
    return done.returncode, done.stdout, done.stderr


def test_an_example_runs_as_its_page_says(tmp_path):
    np.save(tmp_path / "x.npy", np.ones(1024, np.float32))
    fires, clean = findings.examples(ROWS["order.raw"])
    for expected, (_, _, source) in ((1, fires), (0, clean)):
        (tmp_path / "example.cpp").write_text(source)
        code, out, err = command("check", "example.cpp", "--arg", "x.npy", "--out", "y.npy", cwd=tmp_path)
        assert code == expected and ("[order.raw]" in out) == bool(expected), out + err


# Arguments and elements.


@asc2.jit
def scalar_at(x_ptr, y_ptr, index):
    value = asc2.load(asc2.tensor(x_ptr, [1]), offsets=[index])
    asc2.store(value, asc2.tensor(y_ptr, [64]), offsets=[0])


@pytest.mark.parametrize("index, said", [
    (1005, "read of x_ptr[1005], but the array has 1000 elements [bounds.gm-read]"),
    (-3, "read of the element 3 before x_ptr[0] [bounds.gm-read]"),
    (1 << 20, "read of x_ptr[1048576], but the array has 1000 elements [bounds.gm-read]"),
])
def test_a_read_out_of_bounds_names_argument_and_index(index, said):
    """However far the index is, the argument is the one the kernel reads."""
    with pytest.raises(asc.KernelError) as error:
        scalar_at[1](np.ones(1000, np.float32), np.zeros(64, np.float32), index)
    assert said in str(error.value) and "0x" not in str(error.value)


def test_elements_of_an_array_with_a_shape_are_named_by_all_indices():
    torch = pytest.importorskip("torch")
    for x in (np.ones((4, 16), np.float16), torch.ones(4, 16), np.ones((16, 4), np.int32).T, np.ones((8, 4, 32), np.float32)[::2, :, :1]):
        with pytest.raises(asc.KernelError) as error:
            scalar_at[1](x, np.zeros(64, np.float32).astype(np.float16), x.numel() + 3 if hasattr(x, "numel") else x.size + 3)
        shape = ", ".join(map(str, x.shape))
        index = ", ".join(map(str, np.unravel_index(3, tuple(x.shape))[1:]))
        assert f"read of x_ptr[{x.shape[0]}, {index}] of [{shape}], but the array has 64 elements" in str(error.value) or len(x.shape) == 3


def test_two_blocks_that_write_one_place_are_both_named():
    @asc2.jit
    def both(y_ptr, rows):
        y = asc2.tensor(y_ptr, [rows, 64])
        asc2.store(asc2.full([1, 64], 1.0, asc.float32), y, offsets=[asc2.block_idx() // 2, 0])

    with asc.check() as report:
        both[3](np.zeros((2, 64), np.float32), 2)
    finding, = report.findings
    assert finding["id"] == "cross.write-write"
    assert finding["text"] == "block 0 and block 1 both write y_ptr[0, 0:64] of [2, 64]"
    assert "note: the other access is here" in finding["rendered"]


HOST = """
#include "tikicpulib.h"
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)x);
  out.SetGlobalBuffer((__gm__ float *)y);
  out.SetValue(0, in.GetValue(1025)); // here
}
int main() {
  uint8_t *other = (uint8_t *)AscendC::GmAlloc(64);
  uint8_t *x = (uint8_t *)AscendC::GmAlloc(4096), *y = (uint8_t *)AscendC::GmAlloc(4096);
  ICPU_RUN_KF(copy, 1, x, y);
  return other == nullptr;
}
"""


def test_a_host_program_names_allocation_and_element_and_shows_the_line(tmp_path):
    (tmp_path / "main.cpp").write_text(HOST)
    code, out, err = command("check", "main.cpp", "--host", cwd=tmp_path)
    text = out + err
    assert code == 1
    assert "read of argument 1 (allocation 2)[1025], but the array has 1024 elements [bounds.gm-read]" in text
    assert "out.SetValue(0, in.GetValue(1025)); // here" in text and "note: in kernel 'copy', block 0" in text


# tilesmith explain.


def test_explain_knows_terms_findings_and_rules():
    for name, said in [("latency", "no unit and no memory is busy"), ("mte2", "the pipe that loads"), ("start-up", "cores are started one after another"),
                       ("order.raw", "Clean:"), ("[bounds.gm-read]", "# bounds.gm-read"), ("bounds.ub-read", "# bounds.MEMORY-read"),
                       ("bias table", "Bias table")]:
        code, out, err = command("explain", *name.split())
        assert code == 0 and said.lower() in out.lower(), (name, out, err)
    rule = json.loads(_tilesmith.validate_rules())[0]
    assert command("explain", rule["id"].lower())[1].startswith(f"# {rule['id']} {rule['name']}")


def test_explain_says_what_may_have_been_meant():
    for name, near in [("latancy", "latency"), ("ordre.raw", "order.raw"), ("boundz.gm-read", "bounds.gm-read"), ("MTE4", "MTE")]:
        code, out, err = command("explain", name)
        assert code == 2 and not out and f"nothing is called '{name}'; did you mean '{near}" in err, err
    assert "`tilesmith explain` lists what there is" in command("explain", "xyzzy")[2]


def test_explain_lists_everything_and_speaks_json():
    code, out, _ = command("explain")
    assert code == 0 and all(id in out for id in ROWS) and "UB" in out
    document = json.loads(command("explain", "--json")[1])
    assert {row["id"] for row in document["findings"]} == set(ROWS) and document["exit_code"] == 0
    document = json.loads(command("explain", "cross.waves", "--json")[1])
    assert document["kind"] == "finding" and document["name"] == "cross.waves" and document["page"].startswith("# cross.waves")
    assert "SyncAll" in document["entry"]["fires"] and document["entry"]["severity"] == "error"
    document = json.loads(command("explain", "nothing-like-it", "--json")[1])
    assert document["exit_code"] == 2 and document["errors"]


def test_the_glossary_refers_to_itself_only():
    from tilesmith import glossary

    names = [name.casefold() for entry in glossary.terms() for name in (entry["term"], *entry["aliases"])]
    assert len(names) == len(set(names))
    for entry in glossary.terms():
        assert entry["text"].endswith((".", ")")) and all(glossary.find(other) for other in entry["see"]), entry
    for pipe in ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"):
        assert glossary.find(pipe)
    for memory in _tilesmith.describe_platform("Ascend910B1")["memories"]:
        assert glossary.find(memory), memory
