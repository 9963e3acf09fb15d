"""A profile adds up, and its hints are true: each rule fires where it should, is silent where it should, and what it promises holds."""

import re

import numpy as np
import pytest

import asc
import asc2
import ascendc
from asc.runtime import config
from asc.runtime.profile import LaunchRecord
from tilesmith import glossary
from tilesmith.look import hints, text, units


@pytest.fixture(autouse=True)
def platform():
    config.set_platform("Model", "Ascend910B1")


@asc2.jit
def scale(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i])
        asc2.store(x * 2.0 + 1.0, y_gm, tile_id=[i])


@asc2.jit
def columns(x_ptr, y_ptr, rows, cols, tile_rows: asc.ConstExpr[int], tile_cols: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [rows, cols]), asc2.tensor(y_ptr, [rows, cols])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
        for j in asc2.range(asc.ceildiv(cols, tile_cols)):
            x = asc2.load(x_gm, [tile_rows, tile_cols], tile_id=[i, j])
            asc2.store(x * 2.0, y_gm, tile_id=[i, j])


@asc2.jit
def scalars(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    total = 0.0
    for i in asc2.range(size):
        total = total + asc2.load(x_gm, offsets=[i])
    asc2.store(asc2.full([8], 1.0, asc.float32) * total, y_gm, offsets=[0])


@asc2.jit
def product(a_ptr, b_ptr, c_ptr, m, n, k, tile: asc.ConstExpr[int], deep: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    wide = asc.ceildiv(n, tile)
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile) * wide, asc2.block_num()):
        acc = asc2.zeros_acc([tile, tile], asc.float32)
        for j in asc2.range(asc.ceildiv(k, deep)):
            a = asc2.load(a_gm, [tile, deep], tile_id=[i // wide, j], location=asc2.TileLocation.L0A)
            b = asc2.load(b_gm, [deep, tile], tile_id=[j, i % wide], location=asc2.TileLocation.L0B)
            asc2.matmul_acc(a, b, acc)
        asc2.store(acc, c_gm, tile_id=[i // wide, i % wide])


def launch_scale(blocks, size, tile):
    x, y = np.ones(size, np.float32), np.zeros(size, np.float32)
    with asc.profile() as report:
        scale[blocks](x, y, size, tile=tile)
    return report.launches[0]


def launch_columns(tile_rows, tile_cols):
    x, y = np.ones((1536, 512), np.float32), np.zeros((1536, 512), np.float32)
    with asc.profile() as report:
        columns[48](x, y, 1536, 512, tile_rows=tile_rows, tile_cols=tile_cols)
    return report.launches[0]


def launch_product(size, tile, deep):
    a, b, c = np.ones((size, size), np.float16), np.ones((size, size), np.float16), np.zeros((size, size), np.float32)
    with asc.profile() as report:
        product[24](a, b, c, size, size, size, tile=tile, deep=deep)
    return report.launches[0]


def ids(launch):
    return {hint.id for hint in launch.hints()}


# What adds up


@pytest.mark.parametrize("name", ["Ascend910B1", "Ascend950PR_9599"])
@pytest.mark.parametrize("blocks, size, tile", [(1, 64, 64), (4, 20_000, 4096), (48, 100_000, 4096), (100, 300_000, 1024), (48, 1 << 21, 8192)])
def test_parts_add_up_to_the_model_time(name, blocks, size, tile):
    config.set_platform("Model", name)
    launch = launch_scale(blocks, size, tile)
    assert sum(part.adds_us for part in launch.parts) == pytest.approx(launch.time_us, rel=1e-12)
    assert all(part.adds_us >= 0 and part.busy_us >= part.adds_us or not part.busy_us for part in launch.parts)
    assert all(0 < share <= 1 for share in launch.pipes.values())
    shown = [float(row.split()[-4]) for row in text.parts_table(launch)[1:]]
    assert sum(shown[:-1]) == pytest.approx(shown[-1], abs=1e-9), "what is printed adds up, too"
    by_pipe = {}
    for line in launch.lines():
        for pipe, time in line.pipes.items():
            by_pipe[pipe] = by_pipe.get(pipe, 0) + time
    busy = {part.name: part.busy_us for part in launch.parts if part.busy_us}
    assert by_pipe == pytest.approx(busy), "lines and pipes have one basis"


def test_blocks_without_work_do_not_dilute_lines():
    """Lines were means over all blocks: 96 blocks halved the lines of 48."""
    few, many = launch_scale(4, 4 * 4096, 4096), launch_scale(40, 4 * 4096, 4096)
    assert many.lines()[0].time_us == pytest.approx(few.lines()[0].time_us, rel=0.2)
    assert many.idle_blocks == 36 and few.idle_blocks == 0


@pytest.mark.parametrize("name", ["Ascend910B1", "Ascend950PR_9599"])
@pytest.mark.parametrize("size", [1 << 16, 1 << 20, 1 << 23])
def test_nothing_is_more_than_reached(name, size):
    """Bytes written back after the end, and writes at the rate of reads, gave "104.9 % reached"."""
    config.set_platform("Model", name)
    for blocks in (8, 48):
        launch = launch_scale(blocks, size, 8192)
        assert launch.reached is None or 0 < launch.reached <= 1
        if launch.bound == "HBM":
            assert re.search(r"HBM \(.*MB.* = [\d.]+ us\), \d+(\.\d)? % reached", str(launch))


def test_traffic_is_told_by_argument():
    launch = launch_scale(8, 100_000, 4096)
    assert [(row["name"], row["read"], row["written"]) for row in launch.traffic] == [("x_ptr", 400_000, 0), ("y_ptr", 0, 400_000)]


def test_reports_show_themselves():
    with asc.profile() as report:
        scale[1](np.ones(64, np.float32), np.zeros(64, np.float32), 64, tile=64)
    assert re.fullmatch(r"<report of 1 launch, [\d.]+ us>", repr(report))
    assert re.fullmatch(r"<launch of scale\[1\] on Ascend910B1, [\d.]+ us, bound: latency>", repr(report.launches[0]))
    html = report._repr_html_()
    assert "start-up" in html and "test_look_profile.py:" in html and html.count("<table>") == html.count("</table>") == 2
    with asc.check() as nothing:
        pass
    assert repr(nothing) == "<report of 0 launches>" and nothing._repr_html_() == "<p>no kernel was launched</p>"


def test_what_the_compiler_made_of_a_product():
    """Rings in L1, steps in L0 and parts of results are chosen by the compiler: without a word, nobody can see them."""
    config.set_platform("Model", "Ascend910B1")
    launch = launch_product(512, 128, 64)
    tiles = {(tile["memory"], tile["name"]): (tile["shape"], tile["slots"]) for tile in launch.to_dict()["tiles"]}
    assert tiles["L1", "a"] == ("[128, 512] float16", 2) and tiles["L0A", ""] == ("[128, 64] float16", 4) and tiles["L0C", "acc"][1] == 2
    assert re.search(r"  L1 +\d+ of 524288 bytes\n +2 x a \[128, 512\] float16, ", str(launch))
    assert launch_scale(1, 64, 64).tiles == []


def test_to_dict_has_the_keys_it_documents():
    launch = launch_scale(1, 64, 64)
    facts = launch.to_dict()
    documented = set(re.findall(r"\b[a-z][a-z0-9_]+\b", LaunchRecord.to_dict.__doc__))
    assert facts.keys() <= documented, facts.keys() - documented
    assert launch.to_json() == facts and "timeline" not in facts


def test_a_timeline_comes_as_arrays():
    x, y = np.ones(5000, np.float32), np.zeros(5000, np.float32)
    with asc.launch_mode("traced"), asc.profile() as report:
        scale[3](x, y, 5000, tile=1024)
    timeline = report.launches[0].timeline
    entries = timeline.entries
    assert len(timeline) == len(entries) > 10 and (entries["end"] >= entries["begin"]).all()
    assert entries["end"].max() <= report.launches[0].cycles and set(entries["block"].tolist()) == {0, 1, 2}
    names = timeline.names()
    loads = entries[entries["instruction"] == names["instructions"].index("copy_gm_to_ub")]
    assert loads["amount"].sum() == 20_000 and set(loads["array"].tolist()) == {0}
    assert {names["pipes"][pipe] for pipe in set(loads["pipe"].tolist())} == {"MTE2"}
    file, line, *_ = timeline.places[int(loads["place"][0])]
    assert file == __file__ and "asc2.load" in open(__file__).read().splitlines()[line - 1]
    assert [buffer[4] for buffer in timeline.buffers][:1] == ["x"] and len(timeline.accesses) and len(timeline.flags)
    assert launch_scale(1, 64, 64).timeline is None


# Hints


def test_more_blocks_than_tiles():
    launch = launch_scale(48, 100_000, 4096)
    assert any(hint.text.startswith("48 blocks for 25 tiles of work: 23 have nothing to do") for hint in launch.hints())
    assert "idle-blocks" not in ids(launch_scale(25, 100_000, 4096))


def test_fewer_blocks_are_as_fast_as_the_hint_says():
    launch = launch_scale(48, 100_000, 2048)
    hint = next(hint for hint in launch.hints() if hint.id == "start-up")
    blocks, promised = re.search(r": (\d+) blocks would take about ([\d.]+) us", hint.text).groups()
    again = launch_scale(int(blocks), 100_000, 2048)
    assert again.time_us == pytest.approx(float(promised), rel=0.25) and again.time_us < launch.time_us
    assert "start-up" not in ids(launch_scale(48, 1 << 22, 8192))


def test_short_transfers():
    launch = launch_scale(8, 100_000, 64)
    hint = next(hint for hint in launch.hints() if hint.id == "short-transfers")
    assert "transfers of 256 bytes: 205 cycles until the first byte" in hint.text and hint.file == __file__
    assert "short-transfers" not in ids(launch_scale(8, 1 << 20, 16384))


def test_short_rows():
    launch = launch_columns(32, 32)
    hint = next(hint for hint in launch.hints() if hint.id == "short-rows")
    assert "moves rows of 128 bytes: a row takes as long as 988 bytes would" in hint.text
    assert "short-rows" not in ids(launch_columns(8, 512))


def test_unused_memory():
    assert "unused-memory" in ids(launch_scale(8, 100_000, 256))
    assert "unused-memory" not in ids(launch_scale(8, 1 << 20, 8192))


SAME_BANKS = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void add_often(GM_ADDR z, int32_t gap) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 4096), y(TPosition::VECCALC, 16384 + gap, 4096);
  LocalTensor<float> sum(TPosition::VECCALC, 65536, 4096);
  Duplicate(x, 1.0f, 4096);
  Duplicate(y, 1.0f, 4096);
  PipeBarrier<PIPE_V>();
  for (int i = 0; i < 200; ++i) {
    Add(sum, x, y, 4096);
    PipeBarrier<PIPE_V>();
  }
}"""


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend950PR_9599"])
def test_both_sources_in_one_bank_group(platform):
    config.set_platform("Model", platform)
    kernel, z = ascendc.load(SAME_BANKS)["add_often"], np.zeros(8, np.float32)

    def hints(gap):
        with asc.profile() as report:
            kernel[1](z, gap)
        return report.launches[0].hints()

    (hint,) = [hint for hint in hints(0) if hint.id == "bank-conflict"]
    assert re.search(r"operands at \w+.cpp:11 lie in one bank group: V waits [\d.]+ us for UB", hint.text)
    assert "bank-conflict" not in {hint.id for hint in hints(256)}


def test_the_scalar_unit_dominates():
    x, y = np.ones(2000, np.float32), np.zeros(8, np.float32)
    with asc.profile() as report:
        scalars[1](x, y, 2000)
    assert "scalar-bound" in ids(report.launches[0])
    assert "scalar-bound" not in ids(launch_scale(8, 100_000, 4096))


def test_one_wave_and_a_small_tail():
    launch = launch_scale(50, 50 * 8192, 8192)
    assert any("50 blocks on 48 cores: the last of 2 waves has 2 blocks" in hint.text for hint in launch.hints())
    assert "tail" not in ids(launch_scale(96, 96 * 8192, 8192))


def test_tiles_that_do_not_divide_evenly():
    assert "uneven" in ids(launch_scale(8, 9 * 16384, 16384))
    assert "uneven" not in ids(launch_scale(8, 16 * 16384, 16384))


def test_the_cube_waits_for_loads():
    launch = launch_product(512, 32, 64)
    assert "starved-cube" in ids(launch)
    hint = next(hint for hint in launch.hints() if hint.id == "re-reads")
    assert re.match(r"a_ptr is read 16 times over \(8.4 MB, of which 5\d\d.\d KB come from HBM\)", hint.text)
    assert not ids(launch_scale(48, 1 << 22, 8192)) & {"starved-cube", "re-reads"}
    assert "starved-cube" not in ids(launch_product(64, 64, 64)), "there is no larger tile than all of it"


def record(together, moves=8, **facts):
    """A launch that was made up: for what a compiler that buffers twice does not produce."""
    line = {"file": "k.py", "line": 3, "cycles": 500, "pipes": {"MTE2": 500}, "moves": moves, "bytes": moves * 65536, "pieces": moves}
    total = sum(cycles for _, cycles in together)
    return LaunchRecord({
        "kernel": "k", "platform": "Ascend910B1", "dtype": "float32", "elements": 1, "arrays": [], "blocks": 1, "waves": 1, "memories": {},
        "findings": [], "cycles": total, "clock_mhz": 1850, "busy": {"MTE2": 1, "V": 1}, "lines": [line], "traffic": [], "idle_blocks": 0,
        "critical": {"core": 0, "block": 0, "start": 0, "end": total, "together": together},
        "cores": [{"start": 0, "end": total, "blocks": 1, "busy": {"MTE2": 1, "V": 1}}], **facts,
    })


def test_loads_and_computing_take_turns():
    taking_turns = record([(["MTE2"], 500), (["V"], 400), ([], 10)])
    assert [hint.text[:58] for hint in taking_turns.hints()] == ["loads (0.27 us) and computing (0.22 us) never overlap: the"]
    assert not ids(record([(["MTE2"], 100), (["MTE2", "V"], 400)]))
    assert not ids(record([(["MTE2"], 500), (["V"], 400)], moves=1)), "one tile has nothing to overlap with"


def test_every_rule_has_fired_above_and_is_explained():
    """A rule that never fires is not a rule. Ids are what `tilesmith explain` is asked for, and so are the rows of a profile."""
    source = open(__file__).read()
    used = set(re.findall(r'Hint\(\s*"([a-z-]+)"', open(hints.__file__).read()))
    assert len(used) == 12 and all(f'"{name}"' in source or name in ("tail", "no-overlap") for name in used), used
    rows = {"start-up", "idle", "other cores", "adds", "busy", "hint", "S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"}
    assert not [name for name in used | rows if glossary.find(name) is None]


# Numbers


def test_rounded_parts_sum_up():
    assert units.rounded([1.004, 1.004, 1.004], 2) == ["1.00", "1.01", "1.00"]
    assert units.rounded([0.0, 0.336, 0.336, 0.336], 2) == ["0.00", "0.34", "0.33", "0.34"]


@pytest.mark.parametrize("us, shown", [(0.004, "0.00 us"), (7.012, "7.01 us"), (84.31, "84.3 us"), (12_340, "12.34 ms"), (2.5e6, "2.5 s")])
def test_times(us, shown):
    assert units.time(us) == shown


def test_lines_are_cut_to_the_terminal(monkeypatch):
    launch = launch_scale(8, 100_000, 4096)
    for columns_there in (90, 200):
        monkeypatch.setenv("COLUMNS", str(columns_there))
        rows = [row for row in str(launch).splitlines() if "test_look_profile.py:" in row]
        assert all(len(row) <= columns_there for row in rows)
        assert any(row.endswith("...") for row in rows) == (columns_there == 90)
