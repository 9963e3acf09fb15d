"""Candidates that launch kernels and do the work elsewhere. `validate` is not asked: verify --strict alone must refuse them.

Each is refused for the reason beside it, and an honest candidate of each kind is not.
"""

import os
import random
import subprocess
import sys
import textwrap
from datetime import date

import numpy as np
import pytest

from tilesmith.judge.verdict.evidence import moved, scrambled

TASK = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x)
def get_init_inputs():
    return []
def get_inputs():
    return [torch.randn(40, 33)]
"""

KERNELS = """
import asc, asc2
import numpy as np
import torch

@asc2.jit
def copy(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [512], tile_id=[i]), y_gm, tile_id=[i])

@asc2.jit
def tanh(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        asc2.store(asc2.tanh(asc2.load(x_gm, [512], tile_id=[i])), y_gm, tile_id=[i])
"""
MODEL = KERNELS + """
class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        {forward}
"""


def model(*forward, before=""):
    body = "\n".join(textwrap.dedent(part).strip() for part in forward)
    text = MODEL.format(forward=textwrap.indent(body, " " * 8).strip())
    return text.replace("class ModelNew", textwrap.dedent(before) + "\nclass ModelNew")


PYPTO = """
import pypto, torch

@pypto.frontend.jit
def whole(x: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y[:] = pypto.%s(x)

class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        whole(x, y)
        return %s
"""
HONEST = {
    "one kernel": model("""
        tanh[4](x, y, x.numel())
        return y"""),
    "NumPy": model("""
        out = np.empty(x.shape, np.float32)
        tanh[4](x.numpy(), out, out.size)
        return torch.from_numpy(out)"""),
    "two kernels, views": model("""
        middle = torch.empty(x.numel())
        tanh[4](x, middle, x.numel())
        copy[2](middle, y.view(-1), x.numel())
        return [y.reshape(-1).view(x.shape)]"""),
    "PyPTO": PYPTO % ("tanh", "y"),
    "tuned": model("tuned[lambda config: asc.ceildiv(x.numel(), config.tile)](x, y, x.numel())\nreturn y", before="""
        @asc2.autotune(configs={"tile": [64, 512, 1 << 24]}, key=["size"])
        @asc2.jit
        def tuned(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
            x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
            for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
                asc2.store(asc2.tanh(asc2.load(x_gm, [tile], tile_id=[i])), y_gm, tile_id=[i])
        """),
    "tuned, and its time depends on the data": model("tuned[2](x, y, x.numel())\nreturn y", before="""
        @asc2.autotune(configs={"tile": [512, 64]}, jobs=1)
        @asc2.jit
        def tuned(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
            x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
            first = asc2.load(x_gm, offsets=[0])
            for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
                if first > 100.0:
                    asc2.store(asc2.full([tile], 1.0, dtype=asc.float32), y_gm, tile_id=[i])
                else:
                    asc2.store(asc2.tanh(asc2.load(x_gm, [tile], tile_id=[i])), y_gm, tile_id=[i])
        """),
    "a padded output": model("""
        padded = torch.zeros(x.numel() + 100)
        tanh[4](x, padded, x.numel())
        return padded[:x.numel()].view_as(x)"""),
}

LAUNCH = "copy[1](x, y, x.numel())\n"
# name: (candidate, finding or error, part of its text)
ATTACKS = {
    "computes on the host after a launch for show": (model(LAUNCH, "return torch.tanh(x)"), "HostReadError", "aten::tanh computes on the host"),
    "computes beside a kernel of PyPTO": (PYPTO % ("abs", "torch.tanh(x)"), "HostReadError", "aten::tanh computes on the host"),
    "computes before and launches on something else": (model("z = torch.tanh(x)\n" + LAUNCH, "return z"), "HostReadError", "aten::tanh computes on the host"),
    "overwrites what the kernel wrote": (model(LAUNCH, "y.copy_(torch.tanh(y))\nreturn y * 1"), "HostReadError", "aten::tanh computes on the host"),
    "computes one row on the host": (model("""
        tanh[4](x, y, x.numel() - 33)
        y[-1] = torch.tanh(x[-1])
        return y"""), "HostReadError", "aten::tanh computes on the host"),
    "launders through containers": (model(LAUNCH, """
        from collections import deque
        return deque([torch.tanh])[0](x)"""), "HostReadError", "aten::tanh computes on the host"),
    "computes in NumPy": (model(LAUNCH, "return torch.from_numpy(np.tanh(x.numpy()))"), "HostReadError", "numpy.tanh computes with an array of the device"),
    "computes in Python": (model(LAUNCH, """
        import math
        return torch.tensor([[math.tanh(item) for item in row] for row in x.tolist()])"""), "HostReadError", "a tensor is copied to the host"),
    "computes in a method of a dict": (model(LAUNCH, """
        class Key(str):
            def __eq__(self, other):
                y.copy_(torch.tanh(x))
                return True
            __hash__ = str.__hash__
        {"a": 1}.get(Key("a"))
        return y"""), "HostReadError", "aten::tanh computes on the host"),
    "computes in an exception": (model(LAUNCH, """
        try:
            raise ValueError(x)
        except ValueError as error:
            return torch.tanh(error.args[0])"""), "HostReadError", "aten::tanh computes on the host"),
    "computes while a kernel is traced": (model("helper.x, helper.y = x, y\ncopy_and[1](x, torch.empty_like(x), x.numel())\nreturn y", before="""
        def helper():
            helper.y.copy_(torch.tanh(helper.x))
            return 0

        @asc2.jit(always_compile=True)
        def copy_and(x_ptr, y_ptr, size):
            asc2.store(asc2.load(asc2.tensor(x_ptr, [size]), [512], offsets=[0]), asc2.tensor(y_ptr, [size]), offsets=[0])
            helper()
        """), "CodegenError", "aten::tanh computes on the host"),
    "computes when outputs are fetched": (model(LAUNCH, "return Lazy([y, x])", before="""
        class Lazy(list):
            def __iter__(self):
                return iter([torch.tanh(list.__getitem__(self, 1))])
        """), "subclass", "is a Lazy"),
    "computes in a tensor of its own class": (model(LAUNCH, "return x.as_subclass(Lazy)", before="""
        class Lazy(torch.Tensor):
            @classmethod
            def __torch_function__(cls, function, types, args=(), kwargs=None):
                plain = [a.as_subclass(torch.Tensor) if isinstance(a, cls) else a for a in args]
                return function(*[torch.tanh(a) if isinstance(a, torch.Tensor) else a for a in plain], **(kwargs or {}))
        """), "HostReadError", "aten::tanh computes on the host"),
    "computes in a thread": (model(LAUNCH, """
        import threading
        thread = threading.Thread(target=lambda: y.copy_(torch.tanh(x)))
        thread.start()
        thread.join()
        return y"""), "AssertionError", "MERE"),
    "computes in another process": (model(LAUNCH, """
        import os
        read, write = os.pipe()
        if not os.fork():
            os.write(write, np.tanh(x.numpy()).tobytes())
            os._exit(0)
        os.wait()
        return torch.from_numpy(np.frombuffer(os.read(read, 1 << 16), np.float32).reshape(40, 33).copy())"""), "HostReadError", "numpy.tanh computes with an array of the device"),
    "is honest only when launches are poisoned": (model("""
        probe = torch.zeros(8)
        copy[1](torch.ones(8), probe, 8)
        if bool((probe == 1).all()):
            return torch.tanh(x)
        tanh[4](x, y, x.numel())
        return y"""), "HostReadError", "aten::eq computes on the host"),
    "refuses to work when launches are poisoned": (model("""
        probe = torch.zeros(8)
        copy[1](torch.ones(8), probe, 8)
        assert bool((probe == 1).all())
        return torch.tanh(x)"""), "HostReadError", "aten::eq computes on the host"),
    "switches poisoning off": (model("""
        import _tilesmith
        _tilesmith.set_settings(poison="")
        """, LAUNCH, "return torch.tanh(x)"), "HostReadError", "aten::tanh computes on the host"),
    "returns a remembered result": (model(LAUNCH, """
        key = x.numpy().tobytes()
        if key not in self.__dict__:
            self.__dict__[key] = torch.tanh(x)
        return self.__dict__[key]"""), "HostReadError", "an array of the device is computed with, or read"),
    "blocks race": (KERNELS + """
@asc2.jit
def raced(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(0, asc2.num_tiles(x_gm, 0, [512])):
        x = asc2.load(x_gm, [512], tile_id=[i])
        asc2.store(asc2.tanh(x) * (asc2.block_idx() * 1.0), y_gm, tile_id=[i])

class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        raced[2](x, y, x.numel())
        return y
""", "hazard", "block 0 and block 1 both write"),
}
# Right, and the work is a conversion's.
TRUNC = TASK.replace("torch.tanh(x)", "torch.trunc(x)")
CONVERTED = model("copy[4](x, y, x.numel())", "return y.int().float()")
# Each takes seconds; every day takes others, all with TILESMITH_LONG=1.
SAMPLE = sorted(ATTACKS) if os.environ.get("TILESMITH_LONG") else random.Random(date.today().toordinal()).sample(sorted(ATTACKS), 8)


def assert_refused(result, reason, text):
    """A result says no, for the reason of a finding or of the error a case ended with."""
    told = [(each["id"], each["text"]) for each in result["findings"]]
    told += [(each["error_type"], each["error_msg"]) for each in result["failures"]]
    assert any(kind == reason and text in words for kind, words in told), told


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_candidate_is_accepted(verify, name):
    done = verify(TASK, HONEST[name], "--strict")
    assert done.code == 0, (done.result or done.err, done.err)
    assert done.result["evidence"] == "device process" and done.result["platforms"] == ["Ascend910B1"]


@pytest.mark.parametrize("name", SAMPLE)
def test_an_attack_is_refused(verify, name):
    candidate, reason, text = ATTACKS[name]
    done = verify(TASK, candidate, "--strict")
    assert done.code == 1, done.out
    assert_refused(done.result, reason, text)


ASCEND_C = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void work(GM_ADDR x, GM_ADDR y, uint32_t size) {
  %s
}
"""
LOADED = """
import os
import asc, torch
work = asc.load_ascendc(os.path.join(os.path.dirname(os.path.abspath(__file__)), "work.cpp"))["work"]
class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        work[1](x, y, x.numel())
        return y
"""
DOUBLE = TASK.replace("torch.tanh(x)", "x + x")


@pytest.mark.parametrize("body, accepted", [
    ("""AscendC::GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)x);
  out.SetGlobalBuffer((__gm__ float *)y);
  for (uint32_t i = 0; i < size; ++i) out.SetValue(i, in.GetValue(i) + in.GetValue(i));""", True),
    ("for (uint32_t i = 0; i < size; ++i) ((float *)y)[i] = ((float *)x)[i] + ((float *)x)[i];", False),
], ids=["by the scalar unit", "through plain pointers, which take no time"])
def test_loops_of_c_over_global_memory(verify, tmp_path, body, accepted):
    (tmp_path / "work.cpp").write_text(ASCEND_C % body)
    done = verify(DOUBLE, LOADED, "--strict")
    assert (done.code == 0) == accepted, (done.result, done.err)
    if not accepted:
        assert {"not-by-kernels", "plain-pointers"} <= set(done.findings)


def test_the_judge_names_the_platform_and_keeps_its_own(verify):
    """The candidate's set_platform ran its kernels on another chip than the result is about."""
    choose = HONEST["one kernel"].replace("tanh[4]", 'asc.runtime.config.set_platform("Model", "Ascend950PR_9599"); tanh[4]')
    done = verify(TASK, choose, "--strict")
    assert done.code == 0 and done.result["platforms"] == ["Ascend950PR_9599"]
    done = verify(TASK, choose, "--strict", "--platform", "Ascend910B1")
    assert done.code == 0 and done.result["platforms"] == ["Ascend910B1"]
    done = verify(TASK, choose.replace("asc.runtime.config.set_platform(", "__import__('_tilesmith').set_platform(")
                  .replace('"Model", ', ""), "--strict", "--platform", "Ascend910B1")
    assert done.code == 1
    assert_refused(done.result, "ValueError", "this call is judged on Ascend910B1; a kernel for Ascend950PR_9599 cannot run there")


def test_replaced_results_stay_replaced(tmp_path):
    """In a process of its own, as it cannot be undone. Only what the launch stored is replaced, the same in every run."""
    code = KERNELS + """
import _tilesmith
_tilesmith.set_settings(poison=bytes(range(256)).hex() + "one")
x, y = np.ones(1000, np.float32), np.zeros(1000, np.float32)
def replaced(size):
    y[:] = 0
    copy[2](x, y[:size], size)
    return y[:size].view(np.uint8).copy()
first = replaced(600)
print((first != 0).all(), len(set(first)) > 200, (y[600:] == 0).all(), (x == 1).all())
second = replaced(600)
print((first != second).mean() > 0.9)  # another launch
_tilesmith.set_settings(poison=bytes(range(256)).hex() + "two")
print((replaced(600) == first).all())
_tilesmith.set_settings(poison="")
with asc.profile():
    print((replaced(600) == second).all())
try:
    _tilesmith.set_settings(poison="x")
except ValueError as error:
    print(error)
"""
    (tmp_path / "program.py").write_text(code)
    done = subprocess.run([sys.executable, tmp_path / "program.py"], capture_output=True, text=True)
    assert done.stdout == "True True True True\nTrue\nTrue\nTrue\npoison is a table of 256 bytes in hexadecimal digits\n", done.stderr


TABLE = scrambled()
WRITTEN = np.random.default_rng(1).integers(1, 256, 4096, dtype=np.uint8)
FLOATS = WRITTEN.view(np.float32)


@pytest.mark.parametrize("function, share", [
    (lambda x: x, 0),
    (lambda x: x.reshape(32, 32).T[::2, 3:].copy(), 0),
    (lambda x: np.zeros_like(x), 1),
    (lambda x: np.maximum(x, 0), 0.2),
    (lambda x: np.abs(x), 0.2),
    (lambda x: np.nan_to_num(np.sort(x)), 0.9),
    (lambda x: x.reshape(-1, 8).max(1), 0.5),
    (lambda x: np.where(x > 0, x, x[::-1]), 0.2),
    (lambda x: x * 2, 0.9),
    (lambda x: np.tanh(x), 0.2),
], ids=["moved", "moved about", "constant", "relu", "abs", "sorted", "maxima", "chosen", "twice", "tanh"])
def test_what_is_computed_from_replaced_results_is_seen(function, share):
    """NaN instead would go through most functions unchanged."""
    with np.errstate(all="ignore"):
        first, second = function(FLOATS), function(TABLE[WRITTEN].view(np.float32))
    left = moved(np.ascontiguousarray(first).tobytes(), np.ascontiguousarray(second).tobytes(), TABLE, "float32")
    assert left >= share * first.size and (share or not left)


def test_every_byte_that_is_written_changes():
    for _ in range(5):
        table = scrambled()
        assert sorted(table) == list(range(256)) and (table[1:] != np.arange(1, 256)).all()


def test_booleans_may_be_made_of_bytes():
    ones, mixed = np.ones(4, np.uint8).tobytes(), np.array([1, 0, 1, 1], np.uint8).tobytes()
    assert moved(ones, ones, TABLE, "bool") == 0 and moved(ones, mixed, TABLE, "bool") == 1


SOFTMAX = TASK.replace("torch.tanh(x)", "x.softmax(-1)")
SOFTMAX_MODEL = """
import torch
class ModelNew(torch.nn.Module):
    def forward(self, x):
        {body}
"""


@pytest.mark.parametrize("body, finding, text", [
    ("e = x.exp(); return e / e.sum(-1, keepdim=True)", "special-values", "with large inputs, output 0: NaN on one side only"),
    ("y = x.softmax(-1); y[x == 0] = float('nan'); return y", "special-values", "with zero inputs"),
    ("y = x.softmax(-1); return torch.where(x.isinf().any(-1, keepdim=True), 0.5, y)", "rare-values", "with infinite inputs"),
    ("return x.softmax(-1)", None, ""),
], ids=["without its maximum", "wrong at zero", "wrong at infinity", "right"])
def test_inputs_random_numbers_never_are(verify, body, finding, text):
    done = verify(SOFTMAX, SOFTMAX_MODEL.format(body=body), "--strict")
    kinds = {each["id"] for each in done.result["findings"]} & {"special-values", "rare-values"}
    assert (finding in kinds) == bool(finding) and (finding == "special-values" or "special-values" not in kinds)
    assert not finding or any(text in each["text"] for each in done.result["findings"])
    assert done.code == (finding == "special-values")  # others are advice


def test_a_dict_of_outputs_may_come_in_any_order(verify):
    task = TASK.replace("torch.tanh(x)", "{'a': x + 1, 'b': x * 2}")
    for answer, code in [("{'b': x * 2, 'a': x + 1}", 0), ("{'b': x * 2}", 1), ("{'a': x * 2, 'b': x + 1}", 1)]:
        assert verify(task, SOFTMAX_MODEL.format(body=f"return {answer}"), "--strict").code == code


def test_a_variant_has_a_result_of_its_own(verify, tmp_path):
    """Verifying a variant overwrote what was known of the default one."""
    first = verify(SOFTMAX, SOFTMAX_MODEL.format(body="return x.softmax(-1)"))
    before = first.path.read_text()
    (tmp_path / "op_triton_optimized.py").write_text(SOFTMAX_MODEL.format(body="return x * 0"))
    done = verify(SOFTMAX, SOFTMAX_MODEL.format(body="return x.softmax(-1)"), "--triton_impl_name", "triton_optimized")
    assert done.code == 1 and first.path.read_text() == before
    assert '"passed_cases": 0' in (tmp_path / "verify_result_optimized.json").read_text()


def test_the_gate_knows_findings(verify, tmp_path, capsys):
    """A launch for show passes the specification's verdict; without --strict the gate let it be timed."""
    from tilesmith.__main__ import main

    done = verify(TRUNC, CONVERTED)
    assert done.code == 0 and "not-by-kernels" in done.findings
    bench = ["bench", "--op_name", "op", "--verify_dir", str(tmp_path), "--warmup", "1", "--repeats", "2"]
    assert main(bench) == 2
    error = capsys.readouterr().err
    assert "1320 of 1320 elements were not written by a launch of this call but computed by a copy that converts [not-by-kernels]" in error
    assert "--accept not-by-kernels times it all the same" in error
    accepted = [option for finding in done.findings for option in ("--accept", finding)]
    assert main([*bench, *accepted]) == 0


@pytest.mark.parametrize("known_ns, fair", [(500.0, False), (1000.0, True), (1100.0, True)])
def test_known_inputs_must_not_be_faster_on_the_clock_of_the_model(known_ns, fair):
    """A kernel for show on inputs it remembers: a wall clock that ticks would hide it, the model's does not tick."""
    from tilesmith.judge.timing import measure

    seat = measure.Seat(None, "model")
    for number, index in enumerate([0, 1, 2, 0, 1, 2]):
        seat.calls.append(measure.Call(number, index, 10**6, 10**6, 10**6, 1000.0 if number < 3 else known_ns, None, 1, {}))
    duel = measure.Duel(None, seat, [None] * 3, 0, 6, __import__("random").Random(1), None)
    if fair:
        duel._check_new_inputs()
    else:
        with pytest.raises(measure.Unfair, match="inputs seen before take 0.0005 ms, new ones 0.0010 ms"):
            duel._check_new_inputs()


def test_launches_that_cost_the_host_more_than_they_take(verify, tmp_path, capsys):
    import json

    from tilesmith.__main__ import main

    verify(TASK, model("""
        for row in range(x.shape[0]):
            tanh[1](x[row], y[row], x.shape[1])
        return y"""))
    main(["bench", "--op_name", "op", "--verify_dir", str(tmp_path), "--warmup", "1", "--repeats", "2", "-v", "Ascend910B1",
          "--output", str(tmp_path / "perf.json")])
    capsys.readouterr()
    detail = json.loads((tmp_path / "perf.json").read_text())["details"]["shapes"][0]
    assert detail["platforms"] == ["Ascend910B1"] and detail["launches"] == 40
    assert any(each["id"] == "bench.host-bound" and "40 launches a call cost the host 0.2" in each["text"] for each in detail["findings"]), detail


def test_a_sweep_does_not_time_what_is_wrong(tmp_path, capsys):
    """Nor does advice fail a candidate under --strict, as it did in a sweep and nowhere else."""
    import json

    from tilesmith.__main__ import main

    near = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return torch.tanh(x) * (1 + 0.00007)\n"
    for name, task, candidate in [("show", TRUNC, CONVERTED), ("near", TASK, near)]:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "op_torch.py").write_text(task)
        (folder / "op_triton_ascend_impl.py").write_text(candidate)
    for name, strict, status in [("show", [], "GateShut"), ("near", ["--strict"], None)]:
        output = tmp_path / f"{name}.jsonl"
        main(["sweep", str(tmp_path / name), "--bench", "--output", str(output), "--warmup", "1", "--repeats", "2", "--no-validate", *strict])
        capsys.readouterr()
        records = [json.loads(line) for line in output.read_text().splitlines()]
        [record] = [record for record in records if record.get("record") == "candidate"]
        assert record["error_type"] == status, record
        assert record["evidence"] == ("device process" if name == "show" else "none")
        assert name == "show" or any(finding["id"] == "near-bound" for finding in record["findings"])
