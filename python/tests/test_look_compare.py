"""`tilesmith prof --trace`, `--html` and `--compare` from the command line."""

import json
import re
import subprocess
import sys

import pytest

from tilesmith.look import compare

SCRIPT = """
import numpy as np
import asc, asc2

@asc2.jit
def scale(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [tile], tile_id=[i]) * 2.0, y_gm, tile_id=[i])

x = np.ones(30_000, np.float32)
y = np.zeros_like(x)
scale[BLOCKS](x, y, x.size, tile=TILE)
assert (y == 2).all()
"""


def tilesmith(*args, **kwargs):
    return subprocess.run([sys.executable, "-m", "tilesmith", *map(str, args)], capture_output=True, text=True, **kwargs)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prof")
    for name, blocks, tile in (("before", 4, 512), ("after", 8, 2048)):
        (folder / f"{name}.py").write_text(SCRIPT.replace("BLOCKS", str(blocks)).replace("TILE", str(tile)))
        done = tilesmith("prof", folder / f"{name}.py", "--json")
        assert done.returncode == 0, done.stderr
        (folder / f"{name}.json").write_text(done.stdout)
    return folder


def test_a_trace_and_a_page_are_written_beside_the_profile(folder):
    done = tilesmith("prof", folder / "before.py", "--trace", folder / "out.json", "--html", folder / "out.html")
    assert done.returncode == 0, done.stderr
    assert re.search(r"wrote .*out.json: \d+ events, [\d.]+ KB; open it in ui.perfetto.dev", done.stdout) and "model time" in done.stdout
    assert re.search(r"wrote .*out.html: [\d.]+ KB", done.stdout)
    assert json.loads((folder / "out.json").read_text())["traceEvents"] and "before.py" in (folder / "out.html").read_text()


def test_with_json_only_the_document_is_on_stdout(folder):
    done = tilesmith("prof", folder / "before.py", "--trace", folder / "out.json.gz", "--json")
    document = json.loads(done.stdout)
    assert document["trace"] == str(folder / "out.json.gz") and document["launches"][0]["parts"] and "wrote" in done.stderr


def test_a_failing_script_still_gets_its_page(folder):
    (folder / "fails.py").write_text((folder / "before.py").read_text() + "raise SystemExit(7)\n")
    done = tilesmith("prof", folder / "fails.py", "--html", folder / "fails.html")
    assert done.returncode == 7 and (folder / "fails.html").exists()


def test_findings_are_on_the_page_and_fail_the_command(folder):
    """Two blocks store different values into the same bytes; tracing checks for that, and the page is made all the same."""
    text = (folder / "before.py").read_text().replace("* 2.0, y_gm, tile_id=[i])", "* 2.0 + asc2.block_idx(), y_gm, tile_id=[0])").replace("assert", "#")
    (folder / "race.py").write_text(text)
    done = tilesmith("prof", folder / "race.py", "--html", folder / "race.html")
    assert done.returncode == 1 and "[cross." in done.stdout and "[cross." in (folder / "race.html").read_text(), done.stderr


@pytest.mark.parametrize("option", ["--trace", "--html"])
def test_where_it_cannot_be_written_is_said_before_the_run(folder, option):
    done = tilesmith("prof", folder / "before.py", option, folder / "no/such/folder/out")
    assert done.returncode == 2 and "cannot write" in done.stderr and "model time" not in done.stdout
    assert tilesmith("prof", folder / "before.py", option, folder).returncode == 2


def test_nothing_of_the_users_is_written_over(folder):
    text = (folder / "before.py").read_text()
    done = tilesmith("prof", folder / "before.py", "--html", folder / "before.py")
    assert done.returncode == 2 and "would be written over" in done.stderr and (folder / "before.py").read_text() == text
    done = tilesmith("prof", "--compare", folder / "before.json", folder / "after.json", "--html", folder / "after.json")
    assert done.returncode == 2 and json.loads((folder / "after.json").read_text())
    assert tilesmith("prof", folder / "before.py", "--html", folder / "x", "--trace", folder / "x").returncode == 2


def test_nothing_launched(folder):
    (folder / "idle.py").write_text("print('hello')\n")
    done = tilesmith("prof", folder / "idle.py", "--trace", folder / "idle.json")
    assert done.returncode == 1 and "no kernel was launched, so there is no timeline" in done.stderr and not (folder / "idle.json").exists()


def test_two_profiles_are_compared(folder):
    done = tilesmith("prof", "--compare", folder / "before.json", folder / "after.json")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "before.json -> after.json" and lines[1].startswith("scale  float32  30000 elements  8 blocks on Ascend910B1")
    assert "  (4 blocks -> 8 blocks)" in lines
    assert any(re.fullmatch(r"  model time +[\d.]+ us -> +[\d.]+ us +[-+][\d.]+ us  .*(less|more|times|same).*", line) for line in lines)
    assert any(line.startswith("  start-up ") for line in lines) and any(line.startswith("  before.py:") for line in lines)


def test_compared_as_json_and_as_a_page(folder):
    done = tilesmith("prof", "--compare", folder / "before.json", folder / "after.json", "--json", "--html", folder / "both.html")
    (pair,) = json.loads(done.stdout)["pairs"]
    assert pair["kernel"] == "scale" and {"start-up", "MTE2", "V"} <= {part["name"] for part in pair["parts"]}
    assert sum(part["after_us"] for part in pair["parts"]) == pytest.approx(pair["after_us"])
    assert "before.json and after.json" in (folder / "both.html").read_text()


def test_a_profile_is_the_same_as_itself(folder):
    done = tilesmith("prof", "--compare", folder / "after.json", folder / "after.json")
    assert "the same" in done.stdout and "less" not in done.stdout


def test_what_is_not_a_profile_is_refused(folder):
    (folder / "list.json").write_text("[1]")
    (folder / "broken.json").write_text("{")
    for name, text in (("missing.json", "cannot read"), ("list.json", "is not a profile; write one with"), ("broken.json", "is not JSON")):
        done = tilesmith("prof", "--compare", folder / name, folder / "after.json")
        assert done.returncode == 2 and text in done.stderr, done.stderr
    assert tilesmith("prof").returncode == 2
    done = tilesmith("prof", folder / "before.py", "--compare", folder / "before.json", folder / "after.json")
    assert done.returncode == 2 and "runs no script" in done.stderr


def launch(kernel, time, **parts):
    return {"kernel": kernel, "dtype": "float32", "elements": 1, "blocks": 1, "platform": "P", "bound": "HBM", "time_us": time, "lines": [],
            "parts": [{"name": name, "busy_us": 0, "adds_us": us} for name, us in parts.items()]}


def test_launches_are_paired_by_kernel():
    before = {"launches": [launch("a", 1.0, V=1.0), launch("b", 2.0, V=2.0), launch("a", 3.0, V=3.0)], "time_us": 6.0}
    after = {"launches": [launch("b", 1.0, M=1.0), launch("a", 1.0, V=1.0), launch("c", 5.0, V=5.0)], "time_us": 7.0}
    found = compare.pairs(before, after)
    assert [(pair.before and pair.before["time_us"], pair.after and pair.after["time_us"]) for pair in found] == [(2.0, 1.0), (1.0, 1.0), (None, 5.0), (3.0, None)]
    text = compare.text(before, after, ("x", "y"))
    assert "(only after)" in text and "(only before)" in text and "all launches: 6.00 us -> 7.00 us, 16.7 % more" in text
    assert [compare.change(compare.Row("", *times)) for times in ((1, 1.001), (1, 3), (4, 1), (1, 0.9), (0, 1), (1, 0))] == [
        "the same", "3.00 times", "75.0 % less", "10.0 % less", "new", "gone"]
