"""Tuning: asc2.autotune, its results on disk, and `tilesmith tune`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import _tilesmith
import asc
import asc2
import golden
import matmul
import softmax
from asc.codegen.errors import CodegenError
from asc.runtime import config
from asc.runtime.tuning import plot
from tilesmith.tuning import page as tune_page
from asc.runtime.tuning.measure import Task, measure, quiet
from asc.runtime.tuning.workers import Forked, Inline

PYTHONPATH = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)
TILES = {"tile": [128, 256, 512, 1024, 2048, 4096, 65536]}


@asc2.jit
def scale_kernel(x_ptr, y_ptr, size, factor, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [tile], tile_id=[i]) * factor, y_gm, tile_id=[i])


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    """Results of other tests and other days are not found."""
    monkeypatch.setattr(_tilesmith, "cache_folder", lambda: str(tmp_path / "cache"))


def arrays(size=50_000):
    return np.ones(size, np.float32), np.zeros(size, np.float32)


def cycles_of(blocks, tile, size=50_000):
    x, y = arrays(size)
    with asc.profile() as report:
        scale_kernel[blocks](x, y, size, 2.0, tile=tile)
    return report.cycles


# ---- the search ----


@pytest.mark.parametrize("platform", golden.PLATFORMS)
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_choice_is_that_of_timing_everything(platform, jobs):
    config.set_platform("Model", platform)
    times = {}
    for tile in TILES["tile"]:
        for blocks in (4, 16, 40):
            try:
                times[tile, blocks] = cycles_of(blocks, tile)
            except CodegenError:
                assert tile == 65536
    x, y = arrays()
    kernel = asc2.autotune(configs={**TILES, "blocks": [4, 16, 40]})(scale_kernel)
    result = kernel.tune(x, y, 50_000, 2.0, jobs=jobs)
    best = min(times, key=lambda key: (times[key], list(times).index(key)))
    assert (result.best.tile, result.best.blocks) == best and result.best_row.cycles == times[best]
    for row in result.rows:
        key = row.config.tile, row.config.blocks
        assert row.status == ("invalid" if key not in times else row.status)
        assert row.status != "timed" or row.cycles == times[key]
        assert row.status != "slower" or times[best] <= row.cycles - 1 <= times[key]
    assert result.complete and not y.any()


def test_tables_do_not_depend_on_the_number_of_processes():
    x, y = arrays()
    kernel = asc2.autotune(configs={**TILES, "blocks": [1, 8, 40]})(scale_kernel)
    one, two = (str(kernel.tune(x, y, 50_000, 2.0, jobs=jobs, reuse=False)) for jobs in (1, 2))
    assert one == two


def test_what_cannot_be_compiled_is_left_out_with_its_reason():
    x, y = arrays()
    kernel = asc2.autotune(configs=TILES)(scale_kernel)
    result = kernel[8].tune(x, y, 50_000, 2.0)
    [row] = [row for row in result.rows if row.status == "invalid"]
    assert row.config == asc2.Config(tile=65536) and row.reason == "tile of shape [65536] does not fit into UB"
    assert "tile of shape [65536] does not fit into UB" in repr(result)


def test_nothing_possible_says_why_in_full():
    x, y = arrays()
    kernel = asc2.autotune(configs={"tile": [1 << 20, 1 << 21]})(scale_kernel)
    with pytest.raises(
        RuntimeError, match="none of the 2 configurations of 'scale_kernel' can be launched; the first, tile=1048576:"
    ) as raised:
        kernel[8](x, y, 50_000, 2.0)
    assert "asc2.load(x_gm, [tile], tile_id=[i])" in str(raised.value)


def test_a_launch_uses_the_best_and_computes():
    x, y = arrays()
    kernel = asc2.autotune(configs=TILES, key=["size"])(scale_kernel)
    with asc.profile() as report:
        kernel[8](x, y, 50_000, 3.0)
    assert (y == 3).all() and len(report.launches) == 1
    best = kernel[8].best_config(x, y, 50_000, 3.0)
    assert report.cycles == cycles_of(8, best.tile) == min(cycles_of(8, tile) for tile in TILES["tile"][:-1])


def test_blocks_may_depend_on_the_configuration():
    x, y = arrays()
    kernel = asc2.autotune(configs={"tile": [1024, 4096]})(scale_kernel)
    with asc.profile() as report:
        kernel[lambda chosen: min(48, asc.ceildiv(50_000, chosen["tile"]))](x, y, 50_000, 1.0)
    assert report.launches[0].blocks in (13, 48)


def test_what_a_launch_gives_is_not_tuned():
    x, y = arrays()
    kernel = asc2.autotune(configs={"tile": [1024, 4096], "blocks": [4, 8]})(scale_kernel)
    assert kernel.best_config(x, y, 50_000, 1.0, tile=512).tile == 512
    assert {row.config.tile for row in kernel.tune(x, y, 50_000, 1.0, tile=512).rows} == {512}


def test_options_of_jit_are_tuned_too():
    x, y = arrays()
    kernel = asc2.autotune(configs=[asc2.Config(tile=1024, opt_level=level) for level in (1, 3)])(scale_kernel)
    assert len([row for row in kernel[4].tune(x, y, 50_000, 1.0, exhaustive=True).rows if row.status == "timed"]) == 2


@pytest.mark.parametrize("platform", golden.PLATFORMS)
def test_the_depth_of_rings_is_chosen_by_the_model(platform):
    config.set_platform("Model", platform)
    x, y = arrays()
    cycles = {}
    for depth in (1, 2, 3, 4):
        with asc.profile(dry=True) as report:
            scale_kernel._with_options(dict(ring_depth=depth))[4](x, y, 50_000, 2.0, tile=1024)
        cycles[depth] = report.cycles
    assert cycles[1] > cycles[2]
    result = asc2.autotune(configs={"tile": [1024], "ring_depth": [1, 2, 3, 4]})(scale_kernel)[4].tune(x, y, 50_000, 2.0)
    assert result.best.ring_depth == min(cycles, key=lambda depth: (cycles[depth], depth))
    assert result.best_row.cycles == min(cycles.values())


def test_placeholders_can_be_tuned():
    x = asc2.placeholder(1 << 30, "float16")
    kernel = asc2.autotune(configs={"tile": [4096, 8192, 16384]})(scale_kernel)
    result = kernel[48].tune(x, asc2.placeholder_like(x), 1 << 26, 1.0)
    assert result.best.tile >= 8192


def test_searches_leave_launch_settings_alone():
    x, y = arrays()
    kernel = asc2.autotune(configs=TILES)(scale_kernel)
    with asc.check() as report:
        before = _tilesmith.get_settings()
        kernel[8].tune(x, y, 50_000, 1.0)
        assert _tilesmith.get_settings() == before
    assert not report.launches


# ---- what is kept ----


def test_results_are_used_again(monkeypatch):
    x, y = arrays()
    first = asc2.autotune(configs=TILES)(scale_kernel)[8].tune(x, y, 50_000, 1.0)
    monkeypatch.setattr(Inline, "run", lambda *args: pytest.fail("nothing needs to be measured"))
    monkeypatch.setattr(Forked, "run", lambda *args: pytest.fail("nothing needs to be measured"))
    again = asc2.autotune(configs={"tile": [first.best.tile, 65536]})(scale_kernel)[8].tune(x, y, 50_000, 1.0)
    assert again.best == first.best and again.time_us == first.time_us


def test_results_belong_to_platform_arguments_and_source():
    x, y = arrays()
    kernel = asc2.autotune(configs={"tile": [1024, 4096]})(scale_kernel)
    kernel[8].tune(x, y, 50_000, 1.0)
    folder = Path(_tilesmith.cache_folder()) / "tuned"
    files = lambda: len(list(folder.iterdir()))
    assert files() == 1
    config.set_platform("Model", "Ascend950PR_9599")
    kernel[8].tune(x, y, 50_000, 1.0)
    assert files() == 2
    kernel[8].tune(x, y, 40_000, 1.0)
    assert files() == 3
    kernel[8].tune(x, x, 40_000, 1.0)  # in place: other code
    assert files() == 4
    facts = json.loads(next(folder.iterdir()).read_text())
    assert facts["kernel"] == "scale_kernel" and facts["platform"] in golden.PLATFORMS and len(facts["model"]) > 20


def test_helpers_and_constants_are_part_of_the_source():
    from asc.runtime.tuning.store import identity

    scope = {"asc2": asc2, "asc": asc, "FACTOR": 2.0}
    text = "@asc2.jit(source=TEXT)\ndef kernel(x_ptr, y_ptr):\n    y = asc2.tensor(y_ptr, [64])\n    asc2.store(asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0]) * FACTOR, y, offsets=[0])\n"
    exec(text, {"TEXT": text, **scope}, scope)
    one = identity(scope["kernel"])
    scope["kernel"].fn.__globals__["FACTOR"] = 3.0
    assert identity(scope["kernel"]) != one


def test_a_damaged_file_is_no_result():
    x, y = arrays()
    kernel = asc2.autotune(configs={"tile": [1024, 4096]})(scale_kernel)
    best = kernel[8].tune(x, y, 50_000, 1.0).best
    [file] = (Path(_tilesmith.cache_folder()) / "tuned").iterdir()
    for text in ("", "[]", '{"entries": {"a": 1}}', '{"entries": 3}'):
        file.write_text(text)
        assert kernel[8].tune(x, y, 50_000, 1.0).best == best


def test_times_of_data_are_not_kept():
    @asc2.jit
    def some(n_ptr, x_ptr, y_ptr, tile: asc.ConstExpr[int]):
        n = asc2.load(asc2.tensor(n_ptr, [1]), offsets=[0])
        x, y = asc2.tensor(x_ptr, [n]), asc2.tensor(y_ptr, [n])
        for i in asc2.range(asc.ceildiv(n, tile)):
            asc2.store(asc2.load(x, [tile], tile_id=[i]), y, tile_id=[i])

    x, y = arrays()
    kernel = asc2.autotune(configs={"tile": [64, 1024]})(some)
    times = [kernel[1].tune(np.array([n], np.int32), x, y).time_us for n in (1000, 50_000)]
    assert times[0] < times[1]


# ---- mistakes ----


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: asc2.autotune(configs={"tiel": [1]})(scale_kernel), r"'scale_kernel' has no ConstExpr parameter 'tiel'; did you mean 'tile'\? \(it has: tile\)"),
        (lambda: asc2.autotune(configs={"size": [1]})(scale_kernel), "'size' of 'scale_kernel' is not a ConstExpr parameter; only those, blocks and options"),
        (lambda: asc2.autotune(configs={"tile": 1024})(scale_kernel), "configs: 'tile' needs a list of values to choose from, not 1024"),
        (lambda: asc2.autotune(configs=[1024])(scale_kernel), "configs: an entry is an asc2.Config, not 1024"),
        (lambda: asc2.autotune(configs=5)(scale_kernel), "configs is a list of asc2.Config or a dict of lists, not 5"),
        (lambda: asc2.autotune(configs=TILES)(lambda x: x), "autotune takes a jit function: write @asc2.autotune"),
        (lambda: asc2.autotune(configs=TILES, key=["siz"])(scale_kernel), r"key: 'scale_kernel' has no parameter 'siz'; did you mean 'size'\?"),
        (lambda: asc2.autotune(configs=TILES, key="size")(scale_kernel), "key is a list of names of parameters, not 'size'"),
        (lambda: asc2.autotune(scale_kernel), "autotune needs configurations"),
        (lambda: asc2.Config(blocks=1, core_num=2), "names its number of blocks once"),
        (lambda: asc2.autotune(configs=TILES)(scale_kernel)(*arrays(), 1, 1.0), r"is launched as scale_kernel\[blocks\]\(...\)"),
        (lambda: asc2.autotune(configs=TILES)(scale_kernel)[4](1), r"missing arguments 'y_ptr', 'size', 'factor'"),
        (lambda: asc2.autotune(configs=TILES)(scale_kernel)[4](1, 2, 3, 4, 5, 6), "takes 5 arguments but 6 were given"),
    ],
)  # fmt: skip
def test_mistakes_are_named(make, text):
    with pytest.raises(TypeError, match=text):
        make()


def test_an_empty_search_is_an_error():
    with pytest.raises(ValueError, match="configs names no configuration"):
        asc2.autotune(configs={"tile": []})


# ---- how it is shown ----


def test_results_show_themselves():
    x, y = arrays()
    result = asc2.autotune(configs=TILES)(scale_kernel)[8].tune(x, y, 50_000, 1.0, exhaustive=True)
    assert [row.status for row in result.sorted()] == ["timed"] * 6 + ["invalid"]
    assert repr(result).splitlines()[0] == "scale_kernel on Ascend910B1: 7 configurations: 6 timed, 1 not possible"
    page = result._repr_html_()
    assert page.count("<rect") == 7 and "does not fit into UB" in page
    import xml.etree.ElementTree as xml

    xml.fromstring(plot.svg(result))
    text = tune_page.render([result])
    assert text.count("<section>") == 1 and result.kernel in text and 'data-theme="dark"] .tune' in text
    facts = json.loads(json.dumps(result.to_dict()))
    assert facts["best"]["config"] == result.best.values and len(facts["configurations"]) == 7


# ---- processes ----


def test_a_process_that_dies_loses_its_configuration_only(monkeypatch):
    x, y = arrays()
    task = Task(scale_kernel, {"x_ptr": x, "y_ptr": y, "size": 50_000, "factor": 1.0}, 8)
    configs = [asc2.Config(tile=tile) for tile in (512, 1024, 2048)]
    original = Task.launch

    def launch(self, chosen):
        if chosen.tile == 1024:
            os._exit(9)
        return original(self, chosen)

    monkeypatch.setattr(Task, "launch", launch)
    workers, outcomes = Forked(task, configs, 2), {}
    try:
        workers.run([(i, chosen, 0, "time") for i, chosen in enumerate(configs)], outcomes.__setitem__)
    finally:
        workers.close()
    assert outcomes[1] == {"status": "invalid", "reason": "the process that measured it ended with status 9"}
    with quiet():
        assert outcomes[0] == measure(task, configs[0]) and outcomes[2]["status"] == "timed"


# ---- the library's own tiles ----


@pytest.mark.parametrize("platform", golden.PLATFORMS)
def test_matmul_finds_better_tiles_than_those_written_by_hand(platform):
    config.set_platform("Model", platform)
    n = 1024
    a, c = asc2.placeholder((n, n), "float16"), asc2.placeholder((n, n), "float32")
    kernel = asc2.autotune(configs={"tile_m": [64, 128, 256], "tile_n": [64, 128, 256], "tile_k": [32, 64, 128]})(
        matmul.matmul_kernel
    )
    result = kernel[golden.cube_cores()].tune(a, asc2.placeholder_like(a), c, n, n, n)
    with asc.profile(dry=True) as report:
        matmul.matmul_launch(a, asc2.placeholder_like(a), c)
    assert result.time_us <= report.time_us


@pytest.mark.parametrize("platform", golden.PLATFORMS)
def test_softmax_finds_rows_as_good_as_those_written_by_hand(platform):
    config.set_platform("Model", platform)
    x = asc2.placeholder((1024, 1024), "float16")
    kernel = asc2.autotune(configs={"tile_rows": [1, 2, 4, 8, 11, 15, 16], "blocks": [16, 32, 48, 64, 72]})(softmax.softmax_kernel)
    result = kernel.tune(x, asc2.placeholder_like(x), 1024, 1024, tile_cols=1024)
    with asc.profile(dry=True) as report:
        softmax.softmax_launch(x, asc2.placeholder_like(x))
    assert result.time_us <= report.time_us


# ---- launches that are too long ----


def product(n, **tiles):
    a, b, c = asc2.placeholder((n, n), "float16"), asc2.placeholder((n, n), "float16"), asc2.placeholder((n, n), "float32")
    task = Task(matmul.matmul_kernel, {"a_ptr": a, "b_ptr": b, "c_ptr": c, "m": n, "n": n, "k": n}, golden.cube_cores())
    return task, asc2.Config(**tiles)


def scaled(monkeypatch, task, chosen, part):
    monkeypatch.setattr("asc.runtime.tuning.measure.PART", part)
    with quiet():
        calls = measure(task, chosen, 0, "least")["calls"]
        return measure(task, chosen, calls, "scale"), measure(task, chosen)


@pytest.mark.parametrize("platform", golden.PLATFORMS)
@pytest.mark.parametrize("tile_n", [64, 128])
def test_part_of_a_launch_tells_its_time(monkeypatch, platform, tile_n):
    config.set_platform("Model", platform)
    task, chosen = product(4608, tile_m=128, tile_n=tile_n, tile_k=64)
    part, whole = scaled(monkeypatch, task, chosen, 900_000)
    assert part["status"] == "scaled" and part["bound"] == whole["bound"] and "% of its calls" in part["reason"]
    assert abs(part["cycles"] / whole["cycles"] - 1) < 0.01


def test_a_part_that_does_not_tell_says_so(monkeypatch):
    """What L2 takes in the beginning is faster than HBM is in the end: scaled, this would be a third too short."""
    config.set_platform("Model", "Ascend950PR_9599")
    x = asc2.placeholder(1 << 28, "float16")
    task = Task(scale_kernel, {"x_ptr": x, "y_ptr": asc2.placeholder_like(x), "size": x.size, "factor": 1.0}, 72)
    part, whole = scaled(monkeypatch, task, asc2.Config(tile=4096), 60_000)
    assert whole["status"] == "timed" and part["status"] == "invalid" and "the first ones do not tell their time" in part["reason"]


def test_long_launches_are_scaled_in_a_search(monkeypatch):
    monkeypatch.setattr("asc.runtime.tuning.search.MOST_CALLS", 10_000)
    monkeypatch.setattr("asc.runtime.tuning.measure.PART", 600_000)
    n = 4608
    a, c = asc2.placeholder((n, n), "float16"), asc2.placeholder((n, n), "float32")
    kernel = asc2.autotune(configs={"tile_m": [64, 128], "tile_n": [128], "tile_k": [64]}, jobs=1)(matmul.matmul_kernel)
    result = kernel[24].tune(a, asc2.placeholder_like(a), c, n, n, n)
    assert result.best_row.status == "scaled" and result.best.tile_m == 128
    assert "scaled from" in str(result) and "~" in str(result)


# ---- the command ----


SCRIPT = """
import numpy as np
import asc
import asc2

@asc2.jit
def scale(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [tile], tile_id=[i]) * 2.0, y_gm, tile_id=[i])

@asc2.jit
def first_tile(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    asc2.store(asc2.load(x_gm, [tile], offsets=[0]) * 2.0, y_gm, offsets=[0])

x, y, z = np.ones(30000, np.float32), np.zeros(30000, np.float32), np.zeros(1024, np.float32)
scale[8](x, y, 30000, tile=256)
assert (y == 2).all()
first_tile[1](x, z, 1024, tile=1024)
assert (z == 2).all()
print("checked")
"""


def tune(tmp_path, *options, script=SCRIPT, code=0):
    path = tmp_path / "script.py"
    path.write_text(script)
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH, "PYASC_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "tilesmith", "tune", str(path), *options],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_a_script_is_tuned_and_still_runs(tmp_path):
    done = tune(tmp_path, "--plot", "times.svg")
    assert "checked" in done.stdout
    assert "scale on Ascend910B1: 7 configurations" in done.stdout and "times as fast as tile=256" in done.stdout
    assert (tmp_path / "times.svg").read_text().startswith("<svg") and (tmp_path / "times_2.svg").exists()


def test_a_smaller_tile_that_leaves_results_out_is_not_chosen(tmp_path):
    results = json.loads(tune(tmp_path, "--kernel", "first_tile", "--json").stdout)["results"]
    assert [result["kernel"] for result in results] == ["first_tile"]
    statuses = {entry["config"]["tile"]: entry["status"] for entry in results[0]["configurations"]}
    assert statuses[512] == statuses[256] == statuses[128] == "wrong" and results[0]["best"]["config"]["tile"] >= 1024
    reasons = [entry["reason"] for entry in results[0]["configurations"] if entry["status"] == "wrong"]
    assert "512 of 1024 elements of 'y_ptr' differ from those of the present values" in reasons


def test_values_and_blocks_from_the_command_line(tmp_path):
    document = json.loads(
        tune(tmp_path, "--kernel=scale", "--set", "tile=512,1024,2048", "--blocks", "4,8", "--all", "--json").stdout
    )
    [result] = document["results"]
    configs = [entry["config"] for entry in result["configurations"]]
    assert len(configs) == 7 and {"tile": 256, "blocks": 8} in configs  # the present one is always there
    assert {entry["status"] for entry in result["configurations"]} == {"timed"} and result["complete"]
    times = [entry["time_us"] for entry in result["configurations"]]
    assert times == sorted(times)


def test_a_platform_from_the_command_line(tmp_path):
    done = tune(tmp_path, "-v", "Ascend950PR_9599", "--kernel", "scale")
    assert "scale on Ascend950PR_9599" in done.stdout


def test_autotuned_kernels_bring_their_configurations(tmp_path):
    text = SCRIPT.replace(
        "@asc2.jit\ndef scale", '@asc2.autotune(configs={"tile": [512, 1024]}, key=["size"])\n@asc2.jit\ndef scale'
    )
    [result] = json.loads(tune(tmp_path, "--kernel", "scale", "--json", script=text.replace(", tile=256)", ")")).stdout)["results"]
    assert sorted(entry["config"]["tile"] for entry in result["configurations"]) == [512, 1024]


@pytest.mark.parametrize(
    "options, code, text",
    [
        (["--set", "tiel=1,2"], 2, "no kernel that {} launched has a ConstExpr parameter 'tiel'; did you mean 'tile'?"),
        (["--kernel", "scal"], 1, "launched no kernel 'scal'; did you mean 'scale'?; it launched scale, first_tile"),
        (["--set", "tile"], 2, "--set takes NAME=VALUE,VALUE,..., such as tile=1024,2048, not 'tile'"),
        (["--blocks", "x"], 2, "--blocks takes numbers of blocks, such as 8,16,48, not 'x'"),
        (["--budget", "-1"], 2, "argument --budget: a number of seconds, not '-1'"),
        (["--jobs", "0"], 2, "a number of processes from 1, not '0'"),
        (["--plot", "a.png"], 2, "--plot writes .svg or .html, not 'a.png'"),
        (["--executor", "slurm"], 2, "no executor is called 'slurm'; it is local, ray or ray://HOST:PORT"),
        (["--kernel", "first_tile", "--set", "tile=64", "--no-verify", "--plot", "no/such/folder.svg"], 2, "cannot write 'no/such/folder.svg'"),
    ],
)  # fmt: skip
def test_wrong_command_lines(tmp_path, options, code, text):
    assert text.format(tmp_path / "script.py") in tune(tmp_path, *options, code=code).stderr


def test_a_script_without_launches(tmp_path):
    assert "launched no kernel" in tune(tmp_path, script="print(1)\n", code=1).stderr
    assert json.loads(tune(tmp_path, "--json", script="print(1)\n", code=1).stdout)["errors"]


def test_an_interrupted_search_keeps_what_it_found(tmp_path):
    """The script interrupts itself when a few configurations have been measured, as Ctrl-C would."""
    text = SCRIPT.replace(
        "import asc2\n",
        """import asc2
from asc.runtime.tuning.store import Store
original = Store.put
def put(self, key, entry, seen=[]):
    original(self, key, entry)
    seen.append(key)
    if len(seen) == 2:
        raise KeyboardInterrupt
Store.put = put
""",
        1,
    )
    done = tune(tmp_path, "--kernel", "scale", "--all", script=text, code=130)
    assert "the search was not finished; the same command continues it" in done.stdout
    [file] = (tmp_path / "cache" / "tuned").iterdir()
    assert len(json.loads(file.read_text())["entries"]) == 2


def test_ray_measures_what_processes_measure(tmp_path, monkeypatch):
    """A stand-in for Ray that runs tasks in processes of their own: what travels is what would."""
    from tilesmith.tuning import remote

    (tmp_path / "script.py").write_text(SCRIPT)

    class Fake:
        @staticmethod
        def init(**how):
            assert how["runtime_env"] == {"working_dir": str(tmp_path)} and how["address"] == "ray://host:1"

        cluster_resources = staticmethod(lambda: {"CPU": 2.0})
        shutdown = staticmethod(lambda: None)

        @staticmethod
        def remote(**options):
            class Remote:
                def __init__(self, function):
                    self.function = function

                def remote(self, *args):
                    code = f"import json; from tilesmith.tuning.remote import measure_launch; print('RESULT' + json.dumps(measure_launch(*{args!r})))"
                    done = subprocess.run(
                        [sys.executable, "-c", code],
                        capture_output=True,
                        text=True,
                        cwd=tmp_path,
                        env={**os.environ, "PYTHONPATH": PYTHONPATH},
                    )
                    return done.stdout.partition("RESULT")[2]

            return Remote

        wait = staticmethod(lambda pending, num_returns: (pending[:1], pending[1:]))
        get = staticmethod(json.loads)

    monkeypatch.setitem(sys.modules, "ray", Fake)
    cluster = remote.Ray("ray://host:1", str(tmp_path / "script.py"), [], "Ascend950PR_9599")
    configs = [asc2.Config(tile=512), asc2.Config(tile=1 << 20)]
    outcomes = {}
    cluster.workers(1, None, configs).run([(i, chosen, 0, "time") for i, chosen in enumerate(configs)], outcomes.__setitem__)
    cluster.close()
    assert outcomes[0]["status"] == "timed" and outcomes[1]["reason"].endswith("does not fit into UB")
