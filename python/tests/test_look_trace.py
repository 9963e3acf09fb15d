"""`tilesmith prof --trace`: what Perfetto is given."""

import gzip
import json

import numpy as np
import pytest

import asc
import asc2
from asc.runtime import config
from tilesmith.look import trace


@pytest.fixture(autouse=True)
def platform():
    config.set_platform("Model", "Ascend910B1")


@asc2.jit
def scale(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i])
        asc2.store(x * 2.0, y_gm, tile_id=[i])


@pytest.fixture(scope="module")
def report():
    config.set_platform("Model", "Ascend910B1")
    x, y = np.ones(40_000, np.float32), np.zeros(40_000, np.float32)
    with asc.launch_mode("traced"), asc.profile() as report:
        scale[3](x, y, x.size, tile=1024)
        scale[2](x, y, x.size, tile=512)
    return report


@pytest.fixture(scope="module")
def events(report, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("trace") / "out.json")
    count = trace.write(path, report)
    loaded = json.loads(open(path).read())["traceEvents"]
    assert len(loaded) == count
    return loaded


def test_every_instruction_is_a_bar_with_its_line_bytes_and_array(report, events):
    bars = [event for event in events if event["ph"] == "X" and event.get("cat") in ("V", "MTE2", "MTE3", "S")]
    assert len(bars) == sum(len(launch.timeline) for launch in report.launches)
    loads = [bar for bar in bars if bar["name"] == "copy_gm_to_ub"]
    assert {bar["args"]["array"] for bar in loads} == {"x_ptr"} and {bar["args"]["dtype"] for bar in loads} == {"float32"}
    assert sum(bar["args"]["bytes"] for bar in loads) == 2 * 160_000
    assert all(bar["args"]["line"].startswith("test_look_trace.py:") for bar in loads)


def test_a_block_is_a_process_and_a_pipe_a_thread(events):
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert sorted(names.values()) == ["0: scale block 0", "0: scale block 1", "0: scale block 2", "1: scale block 0",
                                      "1: scale block 1", "launches"]
    threads = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert {"V", "MTE2", "MTE3"} <= threads


def test_bars_of_a_thread_never_overlap(events):
    """Perfetto drops what is neither beside nor inside of another bar; moves of one pipe do overlap."""
    threads = {}
    for event in events:
        if event["ph"] == "X":
            threads.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["dur"]))
    assert len(threads) > 10
    for bars in threads.values():
        bars.sort()
        for (begin, length), (following, _) in zip(bars, bars[1:]):
            assert begin + length <= following + 2e-4


def test_an_arrow_leads_from_a_bar_to_a_wait(events):
    bars = [event for event in events if event["ph"] == "X"]
    starts = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    assert starts.keys() == ends.keys() and starts

    def around(event):
        return [bar for bar in bars if (bar["pid"], bar["tid"]) == (event["pid"], event["tid"])
                and bar["ts"] - 1e-3 <= event["ts"] <= bar["ts"] + bar["dur"] + 1e-3]

    for number in list(starts)[:50]:
        assert around(starts[number]) and any(bar["name"].startswith("wait for ") for bar in around(ends[number]))
        assert starts[number]["ts"] <= ends[number]["ts"] + 1e-3


def test_launches_follow_each_other(report, events):
    first, second = [event for event in events if event["pid"] == 0 and event["ph"] == "X"]
    assert first["dur"] == pytest.approx(report.launches[0].time_us, abs=1e-3)
    assert second["ts"] > first["ts"] + first["dur"]


def test_memory_in_use_is_a_counter(report, events):
    counters = [event for event in events if event["ph"] == "C"]
    assert {event["name"] for event in counters} == {"UB in use"}
    used = [event["args"]["bytes"] for event in counters]
    assert min(used) == 0 and 0 < max(used) <= report.launches[0].memories["UB"][0]


def test_a_name_in_gz_is_compressed(report, tmp_path):
    path = str(tmp_path / "out.json.gz")
    trace.write(path, report)
    with gzip.open(path, "rt") as file:
        assert len(json.load(file)["traceEvents"]) > 100


def test_reports_write_themselves(report, tmp_path):
    report.write_trace(str(tmp_path / "out.json"))
    report.write_html(str(tmp_path / "out.html"), "two")
    assert json.loads((tmp_path / "out.json").read_text())["traceEvents"] and "<h1>two</h1>" in (tmp_path / "out.html").read_text()
    with asc.profile() as untraced:
        scale[1](np.ones(512, np.float32), np.zeros(512, np.float32), 512, tile=512)
    with pytest.raises(ValueError, match=r'they need asc.launch_mode\("traced"\)'):
        untraced.write_trace(str(tmp_path / "none.json"))


def test_nothing_launched_is_said_and_the_old_file_stays(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("before")
    with asc.profile() as nothing:
        pass
    with pytest.raises(trace.NothingToShow, match="no kernel was launched"):
        trace.write(str(path), nothing)
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]


def test_cores_of_a_mixed_block_have_threads_and_memories_of_their_own(tmp_path):
    """A block of a mixed kernel has two UBs; C++ kernels hand their timeline over from another process."""
    from test_ascendc_mixed import FOLDER, MatmulAdd

    case = MatmulAdd()
    library = asc.load_ascendc(FOLDER / case.source)
    with asc.launch_mode("traced"), asc.profile() as report:
        case.launch(library[case.kernel])
    (launch,) = report.launches
    assert sum(part.adds_us for part in launch.parts) == pytest.approx(launch.time_us)
    assert {row["name"]: row["written"] for row in launch.traffic}["c"] == case.c.nbytes
    path = str(tmp_path / "mixed.json")
    trace.write(path, report)
    loaded = json.loads(open(path).read())["traceEvents"]
    threads = {event["args"]["name"] for event in loaded if event["name"] == "thread_name"}
    assert {"AIC M", "AIC MTE2", "AIV 0 V", "AIV 1 V"} <= threads
    assert {"UB of AIV 0 in use", "UB of AIV 1 in use", "L1 of AIC in use"} <= {event["name"] for event in loaded if event["ph"] == "C"}


def test_whole_nanoseconds_do_not_overlap_either(events):
    """Perfetto multiplies by 1000 and drops the rest."""
    threads = {}
    for event in events:
        if event["ph"] == "X":
            threads.setdefault((event["pid"], event["tid"]), []).append((int(event["ts"] * 1000), int(event["dur"] * 1000)))
    for bars in threads.values():
        bars.sort()
        assert all(begin + length <= following for (begin, length), (following, _) in zip(bars, bars[1:]))
