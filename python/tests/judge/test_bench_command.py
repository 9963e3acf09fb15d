"""`tilesmith bench`: what it refuses, what it prints and writes, and candidates that want to look fast without being it."""

import json
import random
import re
import subprocess
import sys

import pytest

from benched import HONEST, TASK, bench, candidate_source, task_worker
from test_statistics import KEYS, SHAPE_KEYS
from tilesmith.judge.timing import measure, plot, report, rotation

# ---- the command -------------------------------------------------------------------------------------------------------


def tilesmith(*args):
    return subprocess.run([sys.executable, "-m", "tilesmith", *map(str, args)], capture_output=True, text=True, timeout=300)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "op_torch.py").write_text(TASK)
    (tmp_path / "op_triton_ascend_impl.py").write_text(candidate_source("return compute(x)"))
    return tmp_path


def bench_command(folder, *args):
    return tilesmith("bench", "--op_name", "op", "--verify_dir", folder, "--warmup", 2, "--repeats", 4, *args)


def test_verify_opens_the_gate_for_the_files_it_saw_and_no_others(folder):
    """One run of everything: verify, bench to a file with table, plot and comparison, then a changed candidate."""
    assert tilesmith("verify", "--op_name", "op", "--verify_dir", folder).returncode == 0
    output = folder / "perf.json"
    done = bench_command(folder, "--output", output, "--plot", folder / "perf.svg")
    assert done.returncode == 0, done.stderr
    result = json.loads(output.read_text())
    assert list(result) == [*KEYS, "details"]
    assert [list(shape) for shape in result["per_shape_results"]] == [SHAPE_KEYS] * 2
    assert (result["total_cases"], result["passed_cases"], result["warmup"], result["repeats"]) == (2, 2, 2, 4)
    assert result["per_shape_results"][0]["input_desc"] == [{"type": "tensor", "shape": [32, 64], "dtype": "torch.float32"}]
    assert all(shape["implementation"]["avg_latency_ms"] > 0 and shape["speedup_vs_torch"] > 0
               for shape in result["per_shape_results"])
    assert all(shape["implementation"]["clock"] == "wall" and shape["implementation"]["samples"] == 4
               for shape in result["details"]["shapes"])
    assert re.search(r"^     2  \[128, 64\] float32  +[\d.]+ ms .* [\d.]+x$", done.stdout, re.MULTILINE), done.stdout
    assert "geometric mean of 2 speedups" in done.stdout
    assert (folder / "perf.svg").read_text().startswith("<svg ")

    (folder / "op_triton_ascend_impl.py").write_text(candidate_source("return compute(x) + 0"))
    done = bench_command(folder, "--output", output)
    assert done.returncode == 2 and "the result is stale: candidate_sha256 was" in done.stderr
    assert "passed/total: 2/2" in done.stderr and str(folder / "verify_result.json") in done.stderr
    assert not output.exists(), "the result of the other candidate must not be taken for this one's"


@pytest.mark.parametrize("impl, name", [("triton_ascend_impl", "verify_result.json"),
                                        ("triton_fast", "verify_result_fast.json")])
def test_the_gate_is_shut_without_a_result(folder, impl, name):
    (folder / "op_triton_fast.py").write_text(candidate_source("return compute(x)"))
    done = bench_command(folder, "--triton_impl_name", impl)
    assert (done.returncode, done.stdout) == (2, "") and f"result file: {folder / name}" in done.stderr


def test_a_result_written_by_hand_does_not_open_the_gate(folder):
    """A candidate that writes the specified keys itself has not been verified."""
    (folder / "verify_result.json"
     ).write_text('{"op_name": "op", "total_cases": 2, "passed_cases": 2, "failed_cases": 0, "failures": []}')
    done = bench_command(folder)
    assert done.returncode == 2 and "does not say what was verified" in done.stderr


def test_what_is_not_there_ends_with_1_before_the_gate(folder, tmp_path):
    done = tilesmith("bench", "--op_name", "op", "--verify_dir", tmp_path / "nowhere")
    assert done.returncode == 1 and "there is no folder" in done.stderr
    done = tilesmith("bench", "--op_name", "other", "--verify_dir", folder)
    assert done.returncode == 1 and "other_torch.py'" in done.stderr


@pytest.mark.parametrize("args", [["--repeats", "0"], ["--warmup", "-1"], ["--repeats", "many"], ["--task", "t.py"]])
def test_a_wrong_command_line_ends_with_2(args):
    assert tilesmith("bench", "--op_name", "op", *args).returncode == 2


def test_all_cases_failing_is_still_a_result(folder):
    """Without --output the JSON goes to stdout, alone; what people read goes to stderr."""
    (folder / "op_triton_ascend_impl.py").write_text(candidate_source("return compute(x) * 1.5"))
    done = bench_command(folder, "--verify_not_required")
    assert done.returncode == 0 and "--verify_not_required" in done.stderr and "case 2 failed: AccuracyError: " in done.stderr
    result = json.loads(done.stdout)
    assert (result["passed_cases"], result["failed_cases"], result["framework"], result["speedup_vs_torch"]) == (0, 2, None,
                                                                                                                 None)
    assert result["per_shape_results"][0]["error_type"] == "AccuracyError"


def test_a_candidate_that_cannot_be_loaded_ends_with_1(folder):
    (folder / "op_triton_ascend_impl.py").write_text("import nothing_of_this_name\n")
    done = bench_command(folder, "--verify_not_required", "--output", folder / "perf.json")
    assert done.returncode == 1 and "ModuleNotFoundError" in done.stderr and not (folder / "perf.json").exists()


def test_a_candidate_cannot_write_results(folder):
    """Neither a result of `verify` nor one of `bench`, not even after the judge wrote it."""
    body = f"""
        import os
        if os.fork() == 0:
            time.sleep(3)
            for name in ("perf.json", "verify_result.json"):
                open({str(folder)!r} + "/" + name, "w").write("forged")
            os._exit(0)
        return compute(x)
    """
    source = candidate_source(
        body,
        f"import time\ntry:\n    open({str(folder / 'perf.json')!r}, 'w').write('forged')\nexcept OSError:\n    pass\n")
    (folder / "op_triton_ascend_impl.py").write_text(source)
    bench_command(folder, "--verify_not_required", "--output", folder / "perf.json")
    assert "forged" not in (folder / "perf.json").read_text() and not (folder / "verify_result.json").exists()


def test_a_baseline_that_is_none_is_refused_before_anything_is_timed(folder):
    for text in ("[]", "{}", '{"per_shape_results": [3]}',
                 '{"per_shape_results": [{"input_desc": [], "status": "pass", "implementation": 3}]}'):
        (folder / "old.json").write_text(text)
        done = bench_command(folder, "--verify_not_required", "--compare", folder / "old.json")
        assert done.returncode == 1 and "old.json is not a result of a benchmark" in done.stderr


# ---- measuring ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    folder = tmp_path_factory.mktemp("task")
    with task_worker(folder) as worker:
        yield worker


def errors(result):
    return [(shape["error_type"], shape["error_msg"]) for shape in result["per_shape_results"]]


def test_an_honest_candidate_passes(task, tmp_path):
    result = bench(task, tmp_path, candidate_source("return compute(x)"))
    assert errors(result) == [(None, None)] * 2
    assert all(not shape["findings"] for shape in result["details"]["shapes"])


HELPERS = """
    import time, threading, os, sys
    CACHE, CALLS = {}, []
    class Lazy(torch.Tensor):
        pass
    def spin(seconds):
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass
"""


@pytest.mark.parametrize("body, error, said", [
    pytest.param("""
        return CACHE.setdefault(x.data_ptr(), compute(x))
    """,
                 "MemoisedResult",
                 "returned what an earlier call had returned for other inputs",
                 id="remembers by address"),
    pytest.param("""
        return CACHE.setdefault(tuple(x.shape), compute(x)).clone()
    """,
                 "MemoisedResult",
                 "returned what an earlier call had returned for other inputs",
                 id="remembers by shape"),
    pytest.param("""
        CALLS.append(1)
        return compute(x) if len(CALLS) % 100 < 6 else torch.zeros_like(x)
    """,
                 "ChangedBehaviour",
                 "calls were right before, call ",
                 id="works in the warm-up only"),
    pytest.param("""
        CALLS.append(1)
        return compute(x) + 0.01 * len(CALLS) - 0.01
    """,
                 "ChangedBehaviour",
                 "1 call was right before, call 2 of the warm-up is not",
                 id="keeps state"),
    pytest.param("""
        out = torch.zeros_like(x)
        def work():
            time.sleep(0.02)
            out.copy_(compute(x))
        threading.Thread(target=work).start()
        return out
    """,
                 "LateResult",
                 "were not there when it returned, 200 ms later they were",
                 id="finishes in a thread"),
    pytest.param("""
        threading.Thread(target=spin, args=(0.05,)).start()
        return compute(x)
    """,
                 "WorkAfterReturn",
                 "ms of processor time in the next",
                 id="goes on in a thread"),
    pytest.param("""
        return compute(x).as_subclass(Lazy)
    """,
                 "LazyResult",
                 "returned a Lazy, not a torch.Tensor",
                 id="returns a promise"),
    pytest.param("""
        if not CALLS:
            for module in (time, sys.modules["__main__"]):
                module.perf_counter_ns = module.perf_counter = module.monotonic = lambda: len(CALLS) * 1000
        CALLS.append(1)
        spin(0.01)
        return compute(x)
    """,
                 "TimerTampered",
                 "the process claims 0.0",
                 id="turns back the clock"),
    pytest.param("""
        CALLS.append(1)
        if len(CALLS) > 5:
            os._exit(0)
        return compute(x)
    """,
                 "ProcessExited",
                 "left with status 0",
                 id="leaves"),
    pytest.param(
        "return compute(x).double()[:, :63].float()", "AccuracyError", "shape [32, 63], expected [32, 64]", id="is wrong"),
])
def test_a_candidate_that_only_looks_fast_fails_with_its_own_message(task, tmp_path, body, error, said):
    kind, message = errors(bench(task, tmp_path, candidate_source(body, HELPERS)))[0]
    assert kind == error and said in message


def test_patching_the_modules_of_python_does_not_change_the_clock(task, tmp_path):
    """The judge has its own name for the clock; patching that one is found."""
    result = bench(task, tmp_path, candidate_source("""
        time.perf_counter_ns = time.perf_counter = time.monotonic = time.time = lambda: 0
        spin(0.003)
        return compute(x)
    """, HELPERS))
    assert errors(result) == [(None, None)] * 2
    assert all(shape["implementation"]["low_ms"] >= 3 for shape in result["details"]["shapes"])


def test_hifloat32_is_judged_as_verify_judges_it(task, tmp_path):
    source = candidate_source("return compute(x) * (1 + 2**-12)")
    assert errors(bench(task, tmp_path, source))[0][0] == "AccuracyError"
    assert errors(bench(task, tmp_path, source, hifloat32=True)) == [(None, None)] * 2


@pytest.mark.parametrize(
    "body", ["CALLS.append(1)\nreturn compute(x) * (len(CALLS) % 100 < 5)", "return CACHE.setdefault(0, compute(x))"])
def test_large_outputs_are_compared_in_some_calls(task, tmp_path, monkeypatch, body):
    monkeypatch.setattr(measure, "ALWAYS_LOOK", -1)
    assert errors(bench(task, tmp_path, candidate_source(body, HELPERS)))[0][0] is not None


def test_a_call_that_does_not_end_fails_its_case_alone(task, tmp_path):
    result = bench(task, tmp_path, candidate_source("""
        while x.shape[0] == 32:
            pass
        return compute(x)
    """), timeout=3)
    assert errors(result) == [("TimeoutError", "running did not end in time"), (None, None)]


def test_a_late_failure_does_not_take_the_other_cases_with_it(task, tmp_path):
    result = bench(task, tmp_path, candidate_source("""
        if x.shape[0] == 32:
            os._exit(1)
        return compute(x)
    """, HELPERS))
    assert errors(result)[0][0] == "ProcessExited" and errors(result)[1] == (None, None)
    assert (result["passed_cases"], result["failed_cases"]) == (1, 1)


def test_remembering_by_content_gains_nothing_when_every_call_has_new_inputs(task, tmp_path):
    """...and where inputs must be used again, new ones are mixed in and give it away."""
    body = """
        key = x.numpy().tobytes()
        if key not in CACHE:
            spin(0.003)
            CACHE[key] = compute(x)
        return CACHE[key]
    """
    result = bench(task, tmp_path, candidate_source(body, HELPERS))
    assert errors(result)[0] == (None, None)
    assert all(shape["implementation"]["low_ms"] > 2.9 for shape in result["details"]["shapes"]), "every call did the work"


def test_remembering_by_content_is_found_where_inputs_are_used_again(task, tmp_path, monkeypatch):
    monkeypatch.setattr(rotation, "FEWEST", 12)
    monkeypatch.setattr(rotation, "SECONDS", 0)
    body = """
        key = x.numpy().tobytes()
        if key not in CACHE:
            spin(0.003)
            CACHE[key] = compute(x)
        return CACHE[key]
    """
    kind, message = errors(bench(task, tmp_path, candidate_source(body, HELPERS), repeats=40))[0]
    assert kind == "MemoisedResult" and "inputs seen before take" in message


@pytest.mark.parametrize("given, zeros, speedup", [(0.0, [1, 2], None), (1000.0, [], pytest.approx)])
def test_a_given_time_of_the_framework(task, tmp_path, given, zeros, speedup):
    """Its memory is 0.0; without a time the speedups are zero, and the mean is null."""
    result = bench(task, tmp_path, candidate_source("return compute(x)"), framework_ms=given)
    assert result["zero_indices"] == zeros and result["passed_cases"] == 2
    assert result["framework"] == {"avg_latency_ms": given, "peak_memory_mb": 0.0, "operators": {}}
    assert (result["speedup_vs_torch"] is None) == (speedup is None)
    findings = [finding["id"] for finding in result["details"]["findings"]]
    assert findings == (["bench.abnormal-share"] if zeros else [])


def test_a_reference_that_fails_fails_the_case_unless_its_time_is_given(tmp_path):
    source = TASK.replace("return torch.tanh", "raise ValueError('no device'); return torch.tanh")
    with task_worker(tmp_path, source) as task:
        kind, message = errors(bench(task, tmp_path, candidate_source("return compute(x)")))[0]
        assert kind == "ValueError" and message.startswith("the reference: ")
        result = bench(task, tmp_path, candidate_source("return compute(x)"), framework_ms=5.0)
        assert result["passed_cases"] == 2
        assert [finding["id"] for finding in result["details"]["shapes"][0]["findings"]] == ["bench.not-compared"]


def test_what_is_too_good_to_be_true_is_flagged(tmp_path):
    """A view of the input written by nobody, and a reference that waits."""
    task_source = TASK.replace(HONEST, "import time; time.sleep(0.02); return x").replace("(rows, 64)", "(rows, 1 << 18)")
    with task_worker(tmp_path, task_source) as task:
        result = bench(task, tmp_path, candidate_source("return x"), warmup=1, repeats=3)
    assert errors(result) == [(None, None)] * 2
    assert [finding["id"]
            for finding in result["details"]["shapes"][1]["findings"]] == ["bench.below-roofline", "bench.absurd-speedup"]


def test_inputs_that_do_not_depend_on_the_seed_are_told(tmp_path):
    with task_worker(tmp_path, TASK.replace("torch.randn", "torch.ones")) as task:
        result = bench(task, tmp_path, candidate_source("return compute(x)"), warmup=1, repeats=3)
    assert [finding["id"] for finding in result["details"]["shapes"][0]["findings"]] == ["bench.same-inputs"]


MODEL = """
    import asc, asc2
    @asc2.jit
    def double(x_ptr, y_ptr, size):
        x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
        for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
            x = asc2.load(x_gm, [512], tile_id=[i])
            asc2.store(x + x, y_gm, tile_id=[i])
    CACHE = {}
"""
LAUNCH = """
    y = torch.empty_like(x)
    double[8](x.reshape(-1), y.reshape(-1), x.numel())
    return y
"""


@pytest.fixture(scope="module")
def doubling(tmp_path_factory):
    folder = tmp_path_factory.mktemp("doubling")
    with task_worker(folder, TASK.replace(HONEST, "return x + x")) as worker:
        yield worker


def test_kernels_on_the_model_have_the_models_time(doubling, tmp_path):
    """The same in every call and every run; and that two clocks were used is told."""
    first, second = (bench(doubling, tmp_path, candidate_source(LAUNCH, MODEL), repeats=4, seed=seed) for seed in (1, 2))
    sides = [shape["implementation"] for shape in first["details"]["shapes"]]
    assert errors(first) == [(None, None)] * 2 and all(side["clock"] == "model" and side["low_ms"] == side["high_ms"] > 0
                                                       for side in sides)
    assert first["implementation"] == {**second["implementation"], "peak_memory_mb": first["implementation"]["peak_memory_mb"]}
    assert first["implementation"]["operators"]["double"] == pytest.approx(1000 * first["implementation"]["avg_latency_ms"],
                                                                           abs=0.1)
    assert [finding["id"] for finding in first["details"]["findings"]] == ["bench.mixed-clocks"]
    assert [row["verdict"] for row in report.comparison(first, second)] == ["same", "same"]


def test_a_kernel_that_is_launched_in_some_calls_only_is_found(tmp_path):
    """What a device does without a kernel, copies and fills, is no launch."""
    with task_worker(tmp_path, TASK.replace(HONEST, "return x.clone()")) as copying:
        kind, message = errors(bench(copying, tmp_path, candidate_source("""
    CACHE[0] = CACHE.get(0, 0) + 1
    if CACHE[0] > 5:
        return x.clone()
    """ + LAUNCH, MODEL.replace("x + x", "x")), repeats=6))[0]
    assert kind == "ChangedBehaviour" and "call 3: " in message and "were not written by a launch of this call but copied from an input" in message


def test_a_kernel_on_the_model_has_no_host_beside_it(doubling, tmp_path):
    kind, message = errors(bench(doubling, tmp_path, candidate_source("return x + x", MODEL), repeats=2))[0]
    assert kind == "HostReadError" and "aten::add computes on the host" in message


# ---- inputs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sets, warmup, repeats", [(1, 0, 1), (1, 5, 50), (2, 5, 50), (4, 5, 50), (30, 5, 50), (54, 5, 50),
                                                   (55, 5, 50), (60, 5, 50), (9, 0, 3)])
def test_every_set_of_inputs_is_used_and_some_are_new_in_the_timed_calls(sets, warmup, repeats):
    for seed in range(50):
        order = measure.order_of(sets, warmup, repeats, random.Random(seed))
        calls = warmup + repeats
        assert len(order) == calls and 0 in order and all(0 <= index < sets for index in order)
        if sets >= calls:
            assert len(set(order)) == calls, "no inputs twice"
        elif sets > 1:
            new = [index for index in set(order[warmup:]) if order.count(index) == 1 and index not in order[:warmup]]
            assert new, "inputs nobody has seen before are among the timed ones"


def test_inputs_are_made_in_batches_that_fit(monkeypatch):
    monkeypatch.setattr(rotation, "BUDGET", 1000)
    assert rotation.batches([10, 10, 10], 55) == [[(0, 55)], [(1, 55)], [(2, 55)]]
    assert rotation.batches([1, 1, 300, 2000, 0], 55) == [[(0, 55), (1, 55)], [(2, 4)], [(3, 4)], [(4, 55)]]
    assert rotation.batches([1, 1, 1], 55, first=2) == [[(2, 55)]]


# ---- comparing and drawing ---------------------------------------------------------------------------------------------


def made(*medians, clock="wall", spread=0.1, status="pass", shape=8):
    """A result with one shape for each median."""
    side = {"avg_latency_ms": 1.0, "peak_memory_mb": 0.0}
    shapes = [{
        "case_idx": index, "input_desc": [{"type": "tensor", "shape": [shape * index], "dtype": "torch.float16"}],
        "status": status, "framework": side, "implementation": {**side, "avg_latency_ms": median},
        "speedup_vs_torch": round(1 / median, 4), "error_type": None, "error_msg": None
    } for index, median in enumerate(medians, 1)]
    details = [{
        "case_idx": index, "findings": [], **{
            name: {
                "clock": clock, "median_ms": value, "low_ms": value * (1 - spread), "high_ms": value * (1 + spread),
                "samples": 50
            }
            for name, value in (("framework", 1.0), ("implementation", median))
        }
    } for index, median in enumerate(medians, 1)]
    return {
        "op_name": "op", "speedup_vs_torch": 1.0, "per_shape_results": shapes,
        "details": {"shapes": details, "findings": []}
    }


def verdicts(now, before):
    return [row["verdict"] for row in report.comparison(now, before)]


def test_noise_is_not_called_a_change():
    assert verdicts(made(1.0, 1.0, 1.0, 1.0), made(1.15, 0.9, 1.5,
                                                   0.5)) == ["within noise", "within noise", "faster", "slower"]
    assert verdicts(made(1.0, 1.0, clock="model"), made(1.001, 1.0, clock="model")) == ["faster", "same"]
    assert verdicts(made(1.0, clock="model"), made(1.0)) == ["other clock"]
    assert verdicts(made(1.0), {**made(1.2), "details": None}) == ["no spread known"]


def test_shapes_are_matched_by_their_inputs():
    assert verdicts(made(1.0, 1.0), made(1.0, shape=16)) == ["new", "within noise"]
    assert verdicts(made(1.0), made(1.0, 1.0)) == ["within noise", "gone"]
    assert verdicts(made(1.0, status="fail"), made(1.0)) == ["fails now"]
    assert verdicts(made(1.0), made(1.0, status="fail")) == ["passes now"]


def test_the_plot_is_well_formed_whatever_the_result_holds():
    from xml.dom.minidom import parseString

    result = made(0.001, 1.0, 1000.0)
    result["op_name"] = "<&>\""
    result["per_shape_results"][1].update(status="fail", speedup_vs_torch=None)
    drawn = parseString(plot.svg(result))
    assert [text.firstChild.data for text in drawn.getElementsByTagName("text")].count("failed") == 1
    bars = [bar for bar in drawn.getElementsByTagName("rect") if bar.getAttribute("rx")]
    assert len(bars) == 2 and all(0 < float(bar.getAttribute("width")) < 460 for bar in bars)
    parseString(plot.svg({**made(), "speedup_vs_torch": None}))
