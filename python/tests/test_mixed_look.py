"""What profiles show of kernels with both kinds of cores: the workspace, arrows between the cores, what bounds the loops."""

import json

import numpy as np
import pytest

import asc
import asc2
import golden
from tilesmith.look import loops, text
from tilesmith.pages import gantt


@asc2.jit
def squashed(a_ptr, b_ptr, c_ptr, rows):
    b = asc2.load(asc2.tensor(b_ptr, [64, 64]), [64, 64], offsets=[0, 0])
    a_gm, c_gm = asc2.tensor(a_ptr, [rows, 64]), asc2.tensor(c_ptr, [rows, 64])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, 64), asc2.block_num()):
        a = asc2.load(a_gm, [64, 64], tile_id=[i, 0])
        x = a @ b
        asc2.store(x / (asc2.exp(-x) + 1.0), c_gm, tile_id=[i, 0])


@asc2.jit
def scaled(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i])
        asc2.store(asc2.exp(x), y_gm, tile_id=[i])


def line_of(text):
    with open(__file__) as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


@pytest.fixture(params=golden.PLATFORMS, scope="module")
def launch(request):
    golden.use(request.param)
    a, b, c = np.ones((1024, 64), np.float16), np.ones((64, 64), np.float16), np.zeros((1024, 64), np.float32)
    with asc.launch_mode("traced"), asc.profile() as report:
        squashed[2](a, b, c, 1024)
    report.launches[0].report = report
    return report.launches[0]


def goes_directly(launch):
    """Results go from L0C to UB on the 950."""
    return launch.platform == golden.PLATFORMS[1]


def test_what_crosses_directly_lies_in_the_memory_of_who_reads_it(launch):
    """Half of the rows of a result, in two slots at the end of UB. Where it crosses through the workspace, nothing lies there."""
    slots = [(memory, shape, size) for memory, _, size, _, name, shape, _ in launch.buffers if name == "x"]
    assert (("UB", "[32, 64] float32", 2 * 32 * 64 * 4) in slots) == goes_directly(launch)
    assert (launch.workspace is None) == goes_directly(launch)
    assert ("workspace" in str(launch)) != goes_directly(launch)


def test_the_workspace_says_what_crosses_and_where(launch):
    if goes_directly(launch):
        return
    (ring,) = launch.workspace.rings
    assert launch.workspace.bytes == 2 * 64 * 64 * 4 and ring.offset == 0
    assert (ring.name, ring.shape, ring.slots, ring.bytes) == ("x", "[64, 64] float32", 2, 64 * 64 * 4)
    assert (ring.filled_by, ring.read_by) == ("AIC", "AIV")
    assert (ring.sent, ring.received) == (line_of("x = a @ b"), line_of("asc2.store(x / (asc2"))
    assert launch.to_dict()["workspace"] == {"bytes": 32768, "rings": [ring._asdict()]}
    shown = str(launch)
    assert "workspace    32768 bytes for each block, 65.5 KB in all" in shown
    assert f"2 x x [64, 64] float32, AIC to AIV, line {ring.sent} to {ring.received}" in shown


def test_kernels_of_one_kind_of_core_have_no_workspace():
    with asc.profile() as report:
        scaled[1](np.ones(4096, np.float32), np.zeros(4096, np.float32), 4096, tile=1024)
    assert report.launches[0].workspace is None and "workspace" not in report.launches[0].to_dict()


def test_waits_for_other_cores_say_who_set_the_flag(launch):
    timeline = launch.timeline
    flags, pipes = timeline.flags, timeline.names()["pipes"]
    between = flags[flags["set_core"] != flags["core"]]
    # The cube core waits for slots, each vector core for results: 16 tiles, and the slots that are taken back.
    assert len(between) == 16 + 2 * 2 + 2 * 16
    assert (between["set_core"] // 3 == between["core"] // 3).all() and (between["set"] <= between["end"]).all()
    for flag in between[between["core"] % 3 != 0]:
        assert timeline.core_name(flag["set_core"]) == "AIC" and pipes[flag["from"]] == "FIX"
        assert timeline.places[flag["wait_place"]][1] == line_of("asc2.store(x / (asc2")
    # Nothing is loaded before it was stored.
    entries = timeline.entries
    stores = np.sort(entries[(entries["core"] == 0) & (entries["pipe"] == pipes.index("FIX"))]["end"])
    loads = np.sort(entries[(entries["core"] == 1) & (entries["pipe"] == pipes.index("MTE2"))]["begin"])
    assert (loads[: len(stores)] >= stores[: len(loads)]).all()


def test_the_trace_has_flows_between_the_cores(launch, tmp_path):
    launch.report.write_trace(str(tmp_path / "trace.json"))
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    starts = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    assert starts.keys() == ends.keys()
    flows = [(names[starts[i]["pid"], starts[i]["tid"]], names[ends[i]["pid"], ends[i]["tid"]]) for i in starts]
    for sub in (0, 1):
        full = [target for source, target in flows if source.startswith("AIC FIX") and target.startswith(f"AIV {sub}")]
        assert len(full) == 16 and all(target.endswith("waits") for target in full)
    assert any(source.startswith("AIV") and target.startswith("AIC") for source, target in flows)
    assert all(starts[i]["ts"] <= ends[i]["ts"] + 1e-3 for i in starts)
    waits = [event for event in events if event["ph"] == "X" and event["name"] == "wait for AIC FIX"]
    assert len(waits) == 32 and waits[0]["args"]["set at"] == f"test_mixed_look.py:{line_of('x = a @ b')}"


def test_the_page_has_workspace_loops_and_setters_of_flags(launch, tmp_path):
    launch.report.write_html(str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text()
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    kinds = data["launches"][0]["timeline"]["blocks"][0]["waits"]["kinds"]
    assert {(kind[0], kind[6]) for kind in kinds if kind[0] != kind[6]} >= {(1, 0), (2, 0)}
    shows = "AIC &rarr; AIV" in page and "32768 bytes for each block, 65.5 KB in all" in page
    assert shows != goes_directly(launch)
    assert "for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, 64), asc2.block_num()):" in page


def test_pictures_have_a_row_for_each_pipe_of_each_core_and_arrows(launch):
    rows = gantt.lanes(launch, {0})
    assert [row.label for row in rows if row.pipe in ("M", "V")] == ["AIC  M", "AIV 0  V", "AIV 1  V"]
    arrows = gantt.arrows(launch, rows)
    reader = "V" if goes_directly(launch) else "MTE2"
    assert {(arrow.source.label, arrow.target.label) for arrow in arrows} >= {("AIC  FIX", f"AIV {i}  {reader}") for i in (0, 1)}
    assert gantt.picture(rows, title="t", flags=arrows).count("<path d=") > gantt.picture(rows, title="t").count("<path d=") + 20


def test_a_loop_says_what_bounds_it_and_what_takes_turns(launch):
    (loop,) = launch.loops()
    assert loop.line == line_of("for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, 64)") and loop.text.startswith("for i in")
    assert loop.busy_us == max(loop_us for loop_us in busy(launch, loop).values()) and 0 < loop.share <= 1
    assert loop.time_us <= launch.time_us
    rings = {(ring.name, ring.memory): ring.slots for ring in loop.rings}
    assert rings["a", "L1"] >= 2 and rings.get(("x", "the workspace")) == (None if goes_directly(launch) else 2)
    assert any(line.endswith("bytes of it") or "works" in line for line in loops.describe(loop))
    assert f"test_mixed_look.py:{loop.line}  for i in" in "\n".join(text.loops_text(launch, 120))


def busy(launch, loop):
    """Busy times of the pipes at the loop's lines."""
    times = {}
    for line in launch.lines():
        if loop.line < line.line <= loop.line + 3:
            for pipe, time in line.pipes.items():
                times[pipe] = times.get(pipe, 0) + time
    return times


@pytest.mark.parametrize("platform", golden.PLATFORMS)
def test_loops_of_vector_kernels(platform):
    """A pipe that waits says for which: exp of a tile waits for its load, or the other way round."""
    golden.use(platform)
    x, y = np.ones(1 << 18, np.float32), np.zeros(1 << 18, np.float32)
    with asc.profile() as report:
        scaled[4](x, y, x.size, tile=4096)
    (loop,) = report.launches[0].loops()
    assert loop.bound in ("V", "MTE2", "MTE3") and {ring.memory for ring in loop.rings} == {"UB"}
    assert any(ring.slots >= 2 and ring.shape == "[4096] float32" for ring in loop.rings)
    waits = [wait for line in report.launches[0].lines() for wait in line.waits]
    assert {("V", "MTE2"), ("MTE3", "V")} <= {(wait.pipe, wait.on) for wait in waits}
    assert all(0 < wait.time_us <= report.time_us for wait in waits)
