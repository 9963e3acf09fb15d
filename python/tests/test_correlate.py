"""The correlation: measured kernels, not traces like them, run here and stay within their bounds; and the tool that compares them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import asc
from asc.runtime import config

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "bench" / "correlate"
sys.path.append(str(TOOL))

import _tilesmith
import errors
import fit
import page
import platforms
import record
import rows as rows_of
import sensitivity

ROWS = {row.id: row for row in rows_of.read(rows_of.ours(), _tilesmith.platforms())}
FAILED = {each["id"] for each in page.kept()["rows"] if "failed" in each}
LIGHT = [row for row in ROWS.values() if row.is_light and row.id not in FAILED]


def tool(*arguments, **options):
    return subprocess.run([sys.executable, str(TOOL), *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


@pytest.fixture(autouse=True)
def keep_platform():
    yield
    config.set_platform("Model")


# ---- the rows -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", LIGHT, ids=lambda row: row.id)
def test_small_rows_stay_within_their_bounds(row):
    """The measured kernel itself: within 15 % of the measurement, or explained on the page, and as the page has it."""
    predicted, = record.predict(row)
    value = predicted.value(row)
    error = errors.relative(value, row.low, row.high)
    assert abs(error) <= page.LARGE or page.explained(row.id, page.explanations()), (
        f"{row.id}: measured {row.measured:g}, predicted {value:g} ({100 * error:+.1f} %), and explanations.csv does not say why"
    )
    shown = next(each for each in page.kept()["rows"] if each["id"] == row.id)
    assert value == pytest.approx(shown.get("predicted"), rel=0.02), "docs/correlation.md is old: run ./dev correlate --page --light"


def test_the_page_is_written_from_its_data_and_has_every_row():
    for path, text in {page.PAGE: page.render(page.kept()), **page.pictures(page.kept()["rows"], page.PICTURE)}.items():
        assert path.read_text() == text, "run ./dev correlate --page"
    assert [each["id"] for each in page.kept()["rows"]] == list(ROWS)
    assert "{{" not in page.PAGE.read_text()


def test_every_large_error_is_explained():
    large = [each["id"] for each in page.kept()["rows"] if page.is_large(each) or page.large_pipes(each)]
    assert not [id for id in large if not page.explained(id, page.explanations())]


def test_rows_in_part_scale():
    for each in page.kept().get("scaling", []):
        assert each["scaled"] == pytest.approx(each["run"], rel=0.03), each["row"]


# ---- the kernels --------------------------------------------------------------------------------------------------------


def kernels(file):
    return asc.load_ascendc(str(rows_of.KERNELS / file))


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend950PR_9589"])
@pytest.mark.parametrize("buffers, bypass, gap", [(1, 0, 0), (2, 1, 256)])
def test_add_adds(platform, buffers, bypass, gap):
    config.set_platform("Model", platform)
    x, y = np.arange(40000, dtype=np.float16) % 100, np.ones(40000, np.float16)
    z = np.zeros_like(x)
    with asc.check() as report:
        kernels("add.cpp")["add_half"][3](x, y, z, x.size, 4096, buffers, bypass, gap)
    assert (z == x + y).all() and not report.findings


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend950PR_9589"])
@pytest.mark.parametrize("kernel, rings1, rings0, group, deep", [
    ("matmul_half", 1, 1, 0, 32), ("matmul_half", 2, 2, 2, 64), ("matmul_half_ahead", 2, 2, -1, 32), ("matmul_half_by_units", 2, 2, 2, 64),
])  # fmt: skip
def test_products_multiply(platform, kernel, rings1, rings0, group, deep):
    config.set_platform("Model", platform)
    a, b = (np.random.default_rng(seed).integers(-3, 4, shape).astype(np.float16) for seed, shape in ((1, (128, 128)), (2, (128, 128))))
    c = np.zeros((128, 128), np.float16)
    with asc.check() as report:
        kernels("matmul.cpp")[kernel][2](a, b, c, 128, 128, 128, 64, 64, deep, 32, rings1, rings0, group)
    assert (c == (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)).all() and not report.findings


@pytest.mark.parametrize("shape", range(4))
def test_gelu_of_every_loop_shape_is_the_same(shape):
    config.set_platform("Model", "Ascend950PR_9589")
    x = np.linspace(-4, 4, 2048, dtype=np.float32)
    y = np.zeros_like(x)
    with asc.check() as report:
        kernels("gelu.cpp")["gelu_shapes"][2](x, y, x.size, 512, shape)
    wanted = x / (1 + np.exp(-1.5957691216 * (x + 0.044715 * x**3))) * 0.5 + 1  # never negative: the last of the three operations changes nothing
    np.testing.assert_allclose(y, wanted, rtol=1e-5)
    assert not report.findings


def test_row_max():
    x, y = np.random.default_rng(1).normal(size=(50, 10)).astype(np.float32), np.zeros(50, np.float32)
    config.set_platform("Model", "Ascend950PR_9599")
    record._module(rows_of.KERNELS / "reduce_max.py").row_max_launch(x, y)
    assert (y == x.max(axis=1)).all()


# ---- the arithmetic -----------------------------------------------------------------------------------------------------


def test_kept_calls_have_the_time_of_a_launch_with_the_same_numbers():
    """Otherwise sensitivities and fits would be those of another model."""
    for id in ("KUB-8K", "BU2", "M4"):
        row = ROWS[id]
        changed = {"hbmMissLatency": "333", "moveIssue": "99", "launchNsAllCores": "12345"}
        recorded = record.Whole(row)
        assert recorded.time().us == recorded.recordings[0].time(row.platform).us
        name = platforms.derive(row.platform, changed)
        launched = record.Recording(rows_of.Row(**{**row.__dict__, "platform": name})).first
        assert recorded.time(changed).us == launched.us
        assert recorded.time(changed).cycles == launched.cycles


def test_lines_of_a_part_come_from_its_bases():
    lines = platforms.lines("Ascend910B3")
    assert lines["cubeCores"].part == "Ascend910B3" and lines["gmToUb"].part == "Ascend910B1"
    names = {constant.name: constant for constant in platforms.constants("Ascend910B3")}
    rate = names["Ascend910B1:gmToUb.rate"]
    latency = names["Ascend910B1:gmToUb.latency"]
    text = lines["gmToUb"].text
    assert platforms.overrides("Ascend910B3", {rate: "7.00", latency: "9"})["gmToUb"] == re.sub(r"^\d+|[\d.]+$", lambda m: "7.00" if "." in m[0] else "9", text)
    assert not any("capacity" in name or "cubeCores" in name for name in names)


def test_tau_counts_pairs():
    assert errors.tau([(1, 1), (2, 2), (3, 3)]) == 1
    assert errors.tau([(1, 3), (2, 2), (3, 1)]) == -1
    assert errors.tau([(1, 5), (2, 5)]) == 0, "variants the model cannot tell apart are not in an order"
    assert errors.tau([(1000, 2), (1001, 1), (2000, 3)]) == 1, "measurements that are equal within noise do not count"


def test_errors_of_ranges_begin_at_their_ends():
    assert errors.relative(5, 4, 6) == 0
    assert errors.relative(3, 4, 6) == pytest.approx(-0.25)
    assert errors.relative(9, 4, 6) == pytest.approx(0.5)


def test_sensitivity_finds_what_a_row_depends_on_and_nothing_else():
    found = {constant.name.partition(":")[2]: sensitivity.slope(effect) for constant, effect in sensitivity.effects(ROWS["A0"]).items()}
    assert found["scalarAccess"] > 0.8
    assert not any(name.startswith(("vector", "cube", "l0c")) for name in found)


def test_a_fit_finds_the_constant_that_made_the_rows(tmp_path):
    """Rows whose measurements are the model's own with another latency."""
    wanted = {constant.name: constant for constant in platforms.constants("Ascend910B1")}["Ascend910B1:gmToUb.latency"]
    texts = platforms.overrides("Ascend910B1", {wanted: wanted.write(wanted.value * 1.3)})
    made = []
    for id in ("KUB-1K", "KUB-4K", "KUB-8K", "KUB-16K"):
        value = record.predict(ROWS[id], [texts])[0].value(ROWS[id])
        made.append(rows_of.Row(**{**ROWS[id].__dict__, "low": value, "high": value}))
    result = fit.fit(made, fit.find(["gmToUb.latency"], made), lambda tasks: [fit.evaluate(*task) for task in tasks])
    proposal, = result.proposals
    assert proposal.value == pytest.approx(wanted.value * 1.3, rel=0.02)
    assert result.after < 0.01 < result.before
    assert proposal.low <= proposal.value <= proposal.high
    text = "\n".join(fit.report(result))
    assert "Nothing was written." in text and "decided by KUB-1K" in text


def test_fits_of_nothing_are_errors():
    rows = [ROWS["KUB-1K"]]
    with pytest.raises(fit.FitError, match="no constant 'gmToUb.latancy'; did you mean 'gmToUb.latency'"):
        fit.find(["gmToUb.latancy"], rows)
    with pytest.raises(fit.FitError, match="none of these rows depends on Ascend910B1:scalarAccess"):
        fit.fit(rows, fit.find(["scalarAccess"], rows), lambda tasks: [fit.evaluate(*task) for task in tasks])


# ---- rows of a user -----------------------------------------------------------------------------------------------------


def test_the_example_of_the_page_works(tmp_path):
    text = page.PAGE.read_text()
    own = text[text.index("## Rows of your own") :]
    (tmp_path / "mine.csv").write_text(re.search(r"```text\n(id,.*?)```", own, re.DOTALL)[1])
    (tmp_path / "scale.cpp").write_text(re.search(r"```cpp\n(.*?)```", own, re.DOTALL)[1])
    done = tool("--csv", tmp_path / "mine.csv", "--sensitivity", "--json", "--plot", tmp_path / "mine")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [row["id"] for row in data["rows"]] == ["scale-1", "scale-2"] and data["rows"][0]["pipes"]["V"][1] > 0
    assert any("hbmMBps" in name for name in data["effects"]["scale-1"])
    assert "<svg" in (tmp_path / "mine.svg").read_text() and (tmp_path / "mine-residuals.svg").exists()


def test_scripts_and_parts_of_a_user(tmp_path):
    (tmp_path / "own.platform").write_text("platform MyPart\nbase Ascend910B1\n\nlaunchNsAllCores = 1000  # measured\n")
    (tmp_path / "copies.py").write_text(
        "import asc, asc2\n\n\n@asc2.jit\ndef copy(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):\n"
        "    x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])\n"
        "    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x, 0, [tile]), asc2.block_num()):\n"
        "        asc2.store(asc2.load(x, [tile], tile_id=[i]), y, tile_id=[i])\n\n\n"
        "def launch(x, y, tile):\n    copy[8](x, y, x.size, tile=tile)\n"
    )
    (tmp_path / "mine.csv").write_text(
        "id,platform,kernel,arguments,total,source\nown,MyPart,copies.py:launch,f32[65536] f32[65536] tile=2048,5,me\n"
    )
    import os

    done = tool("--csv", tmp_path / "mine.csv", env={**os.environ, "TILESMITH_PLATFORM_PATH": str(tmp_path / "own.platform")})
    assert done.returncode == 0 and "MyPart" in done.stdout, done.stderr


def test_a_kernel_that_crashes_costs_its_row_only(tmp_path):
    (tmp_path / "bad.cpp").write_text(
        '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void bad(int32_t) { *(volatile int *)8 = 1; }\n'
    )
    (tmp_path / "mine.csv").write_text(
        "id,platform,kernel,blocks,arguments,total,source\n"
        "a,Ascend910B1,bad.cpp:bad,1,0,1,me\nb,Ascend910B1,single.cpp:nothing,1,0,0.46,me\n"
    )
    done = tool("--csv", tmp_path / "mine.csv", "-j", 1)
    assert done.returncode == 1
    assert re.search(r"^a .*failed: the kernel ended its process", done.stdout, re.MULTILINE)
    assert re.search(r"^b .*0\.46", done.stdout, re.MULTILINE)
    assert "error: row a" in done.stderr


HEAD = "id,platform,kernel,blocks,arguments,total,busy,source\n"
GOOD = "a,Ascend910B1,single.cpp:nothing,1,0,1,V=1,me"


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "mine.csv: error: no header; the first line names the columns: "),
        ("id,platfrm\n", "mine.csv:1:4: error: no column is called 'platfrm'; did you mean 'platform'?\n    1 | id,platfrm\n      |    ^~~~~~~\n"),
        ("id,platform,kernel,total\n", "mine.csv:1:1: error: missing column 'source'\n"),
        (HEAD + GOOD + "\n" + GOOD, "mine.csv:3:1: error: the id 'a' is taken by the row at "),
        (HEAD + GOOD.replace("910B1", "910B"), "mine.csv:2:3: error: 'Ascend910B' is not a platform; did you mean 'Ascend910B4'?\n"),
        (HEAD + GOOD.replace("single", "sngle"), "mine.csv:2:15: error: no file 'sngle.cpp' beside mine.csv, in bench/correlate/kernels or in kernels\n"),
        (HEAD + GOOD.replace(":nothing", ""), "mine.csv:2:15: error: 'single.cpp' is not a kernel: FILE.cpp:KERNEL, or FILE.py:FUNCTION"),
        (HEAD + GOOD.replace(",1,0,", ",many,0,"), "mine.csv:2:34: error: 'many' is not a number of blocks\n"),
        (HEAD + GOOD.replace(",1,0,", ",,0,"), "mine.csv:2:1: error: the row has no blocks, and a kernel of Ascend C is launched with"),
        (HEAD + GOOD.replace(",0,", ",q16[4],"), "mine.csv:2:36: error: 'q16[4]' is not an argument: 'q16' is not an element type; known are f16"),
        (HEAD + GOOD.replace(",0,", ",import,"), "mine.csv:2:36: error: 'import' is not an argument: "),
        (HEAD + GOOD.replace(",1,V", ",-1,V"), "mine.csv:2:38: error: '-1' is not a positive number\n"),
        (HEAD + GOOD.replace(",1,V", ",9..3,V"), "mine.csv:2:38: error: the range 9..3 is empty\n"),
        (HEAD + GOOD.replace("V=1", "W=1"), "mine.csv:2:40: error: 'W=1' is not PIPE=MICROSECONDS; pipes are S, V, M"),
        (HEAD + GOOD + ",more", "mine.csv:2:47: error: the file has 8 columns, this line has 9\n"),
        (HEAD + '"a,b', "mine.csv:2:1: error: a quote is opened here and not closed\n"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_place(tmp_path, text, message):
    path = tmp_path / "mine.csv"
    path.write_text(text)
    with pytest.raises(rows_of.RowError) as raised:
        rows_of.read([path], _tilesmith.platforms())
    assert (str(raised.value).replace(str(tmp_path) + "/", "") + "\n").startswith(message)


def test_a_file_that_is_not_there(tmp_path):
    done = tool("--csv", tmp_path / "none.csv")
    assert done.returncode == 1 and done.stderr == f"{tmp_path}/none.csv: error: cannot read it: No such file or directory\n"
