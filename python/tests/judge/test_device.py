"""A candidate whose device is in another process: what it may ask of it, what it learns from it, and what the device says of it."""

import os
import random
import signal
import subprocess
import sys
from datetime import date

import pytest
from test_evidence import ASCEND_C, DOUBLE, HONEST, LOADED, TASK, assert_refused, model
from test_kill import alive, start, until
from tilesmith.judge.isolation import sandbox

SEND = """
import os, socket, struct
def device():
    # Our end of the connection to the device: found, not given. It came last.
    for number in sorted(map(int, os.listdir("/proc/self/fd")), reverse=True):
        try:
            end = socket.socket(fileno=os.dup(number))
        except OSError:
            continue
        if end.family == socket.AF_UNIX:
            return end
def ask(*parts):
    data = b"".join(struct.pack("<q", part) if isinstance(part, int) else struct.pack("<q", len(part)) + part for part in parts)
    end = device()
    end.sendall(struct.pack("<q", len(data)) + data)
    return end.recv(1 << 16)
"""
BY_HAND = """
module {
  func.func private @system(!isa.buffer<GM, f32>)
  func.func @work(%arg0: !isa.buffer<GM, f32>) attributes {isa.arch = "C220", isa.kernel} {
    func.call @system(%arg0) : (!isa.buffer<GM, f32>) -> ()
    return
  }
}
"""
WEIGHTED = TASK.replace("class Model(torch.nn.Module):", """class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(33, 40))""").replace("torch.tanh(x)", "torch.tanh(x) + self.w.t()")
ADD = """
@asc2.jit
def tanh_plus(x_ptr, w_ptr, y_ptr, size, factor: float):
    x_gm, w_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(w_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        w = asc2.load(w_gm, [512], tile_id=[i])
        asc2.store(asc2.tanh(asc2.load(x_gm, [512], tile_id=[i])) + w * factor, y_gm, tile_id=[i])

@asc2.jit
def beyond(x_ptr, y_ptr, size):
    asc2.store(asc2.load(asc2.tensor(x_ptr, [size]), [512], offsets=[0]), asc2.tensor(y_ptr, [1 << 20]), offsets=[1 << 19])
"""
MADE = model("tanh_plus[4](x, self.w, y, x.numel(), {factor})\nreturn y", before=ADD).replace(
    "    def forward", """    def __init__(self):
        super().__init__()
        {made}
    def forward""")


def made(text, factor):
    return MADE.replace("{made}", text).replace("{factor}", str(factor))


# name: (candidate, finding or error, part of its text); the task is tanh
ATTACKS = {
    "reads the address of a tensor": (model("import ctypes", "ctypes.string_at(x.data_ptr(), 4)", "return x"), "ProcessKilled", "SIGSEGV"),
    "asks the device for bytes": (model("import _tilesmith", """_tilesmith.ask_device(b'{"do": "read"}')""", "return x"), "_Refused", "does not do 'read'"),
    "copies to where it has no memory": (model("""
        from tilesmith.npu import remote
        place = remote.place(y)
        remote.ask({"do": "copy", "source": remote.place(x), "target": {**place, "at": place["at"] + (1 << 30)}})
        return y"""), "_Refused", "not in the device's memory"),
    "launches on what it has not allocated": (model("""
        from tilesmith.npu import remote
        tanh[4](x, remote.tensor_at(y.data_ptr() + (1 << 30), y.nbytes).view(torch.float32), x.numel())
        return y"""), "ValueError", "'y_ptr' is not in the device's memory"),
    "returns a place that is not its own": (model("""
        from tilesmith.npu import remote
        tanh[4](x, y, x.numel())
        return remote.tensor_at(y.data_ptr() + (1 << 30), y.nbytes).view(torch.float32).view(x.shape)"""), "_Refused", "not in the device's memory"),
    "learns from what a launch found": (model("""
        try:
            beyond[1](x, y, x.numel())
        except Exception as error:
            assert "out of" in str(error) or "bounds" in str(error), str(error)
        tanh[4](x, y, x.numel())
        return y""", before=ADD), "KernelError", "kernel 'beyond' was stopped; the judge's result says why"),
    "goes on after a launch was stopped": (model("""
        try:
            beyond[1](x, y, x.numel())
        except Exception:
            pass
        tanh[4](x, y, x.numel())
        return y""", before=ADD), "KernelError", "y_ptr["),
    "fills a part of it": (model("tanh[4](x, y, x.numel())", "y[0] = 0.0", "return y"), "AssertionError", "output 0"),
    "returns an array of the host": (model("tanh[4](x, y, x.numel())", "import math", "return torch.tensor([[math.tanh(1)] * 33] * 40, device='cpu')"),
                                     "ImportError", "an output is in the host's memory"),
    "writes to an array of the host": (model("y = torch.empty(x.shape, device='cpu')", "tanh[4](x, y, x.numel())", "return y"),
                                       "ValueError", "argument 'y_ptr' is in the host's memory, and the kernel 'tanh' writes to it"),
    "prints a tensor": (model("print(x)", "return y"), "HostReadError", "in a judged call the bytes of tensors are on the device"),
    "asks whether a tensor is true": (model("return y if (x > 0).all() else x"), "HostReadError", "aten::gt computes on the host"),
    "takes a number out": (model("return y if float(x[0, 0]) else x"), "HostReadError", "a number is read from a tensor"),
    "forks, and the child launches": (model("""
        pid = os.fork()
        if not pid:
            try:
                tanh[4](x, y, x.numel())
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        return y""", before="import os"), "AssertionError", "NaN"),
    "says on the connection what is no packet": (model("device().sendall(b'\\xff' * 64)", "tanh[4](x, y, x.numel())", "return y", before=SEND),
                                                "ConnectionError", "the device's process is gone"),
    "gives IR that it wrote by hand": (model(f"raise RuntimeError(repr(ask(2, b'Ascend910B1', 3, -1, 1, b'x', {BY_HAND.encode()!r})))", before=SEND),
                                       "RuntimeError", "'func.call' is not an operation of kernels"),
    "gives IR that is none": (model("raise RuntimeError(repr(ask(2, b'Ascend910B1', 3, -1, 1, b'x', b'module { nonsense')))", before=SEND),
                              "RuntimeError", "'nonsense' is unknown"),
    "keeps what an earlier call left": (model("""
        if not KEPT:
            KEPT.append(y.clone())
            tanh[4](x, KEPT[0], x.numel())
        tanh_plus[4](x, KEPT[0], y, x.numel(), 0.0)
        return y""", before=ADD + "KEPT = []"), "kept-results", "read what launches of an earlier call had written"),
    "brings a table": (made("self.w = torch.randn(40, 33)", 0.0), "own-data", "5280 bytes that the candidate brought"),
}
SAMPLE = sorted(ATTACKS) if os.environ.get("TILESMITH_LONG") else random.Random(date.today().toordinal()).sample(sorted(ATTACKS), 7)


@pytest.mark.parametrize("name", SAMPLE)
def test_an_attack_on_the_device_is_refused(verify, name):
    candidate, reason, text = ATTACKS[name]
    done = verify(TASK, candidate, "--strict")
    assert done.code == 1, done.out
    assert_refused(done.result, reason, text)


@pytest.mark.parametrize("how", [
    "self.w = torch.nn.Parameter(torch.randn(33, 40))\n        self.w = torch.nn.Parameter(self.w.detach().t().contiguous())",
    "self.kept = [torch.randn(33, 40).t().contiguous()]\n        self.w = self.kept[0]",
], ids=["as a parameter", "in a list"])
def test_a_parameter_of_the_reference_may_be_rearranged(verify, how):
    """Weights laid out for the kernel are no table of answers."""
    done = verify(WEIGHTED, made(how, 1.0), "--strict")
    assert done.code == 0, (done.out, done.err)


@pytest.mark.parametrize("text", [
    "y = torch.zeros(x.numel() + 7)[7:]; tanh[4](x, y, x.numel()); return y.reshape(x.shape)",
    "y = torch.full(x.shape[::-1], 3.0).t(); tanh[4](x, y, x.numel()); return y.contiguous()",
    "tanh[4](np.ascontiguousarray(x.numpy()), y, x.numel()); return y.clone()",
    "out = np.full_like(x.numpy().reshape(-1), 2); tanh[4](x.detach(), out, len(out)); return torch.from_numpy(out.reshape(x.shape))",
    "rows = torch.arange(40); tanh[4](x, y, x.numel()); assert rows.shape == (40,) and torch.npu.is_available(); return (y,)",
    "tanh[4](x, y, x.numel()); return y.double().float()",
    "tanh[4](x.double().float(), y, x.numel()); return y",
], ids=["a view", "transposed", "a clone", "arrays", "positions", "a result converted", "an input converted"])
def test_what_memory_alone_needs_is_allowed(verify, text):
    done = verify(TASK, model(text), "--strict")
    assert done.code == 0, (done.result, done.err)
    assert done.result["evidence"] == "device process"


@pytest.mark.parametrize("line, name", [
    ("std::thread([] {}).join();", "std::thread"),
    ('std::fopen("x", "w");', "fopen"),
    ('std::getenv("HOME");', "getenv"),
    ('std::system("true");', "system"),
])
def test_kernels_in_cpp_call_nothing_a_chip_does_not_have(verify, tmp_path, line, name):
    body = f"""AscendC::GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)x);
  out.SetGlobalBuffer((__gm__ float *)y);
  {line}
  for (uint32_t i = 0; i < size; ++i) out.SetValue(i, in.GetValue(i) + in.GetValue(i));"""
    (tmp_path / "work.cpp").write_text("#include <thread>\n#include <cstdio>\n#include <cstdlib>\n#include <cmath>\n" + ASCEND_C % body)
    done = verify(DOUBLE, LOADED, "--strict")
    assert done.code == 1 and "which a chip does not have" in done.err and name in done.err, done


def slow(seconds):
    return HONEST["one kernel"].replace("y = torch.empty_like(x)", f"import time; y = torch.empty_like(x); time.sleep({seconds})")


def test_killing_one_of_four_processes(tmp_path):
    """A judge whose candidate, device or task is gone says so, and leaves nobody."""
    generator = random.Random(date.today().toordinal())
    for _ in range(30 if os.environ.get("TILESMITH_LONG") else 2):
        judge = start(tmp_path, HONEST["one kernel"].replace("return y", "import time; time.sleep(0.5); return y * 0"))
        assert until(lambda: len(sandbox.descendants(judge.pid)) >= 10 or judge.poll() is not None, 60)
        seen = sandbox.descendants(judge.pid)
        if seen:
            try:
                os.kill(generator.choice(seen), signal.SIGKILL)
            except ProcessLookupError:
                pass
        out, err = judge.communicate(timeout=90)
        assert judge.returncode == 1, out + err
        assert until(lambda: not alive(seen)), "somebody outlived the judge"


def test_ctrl_c_leaves_nobody(tmp_path):
    judge = start(tmp_path, slow(20))
    assert until(lambda: len(sandbox.descendants(judge.pid)) >= 10 or judge.poll() is not None, 60)
    seen = sandbox.descendants(judge.pid)
    judge.send_signal(signal.SIGINT)
    judge.communicate(timeout=30)
    assert judge.returncode != 0
    assert until(lambda: not alive(seen)), "somebody outlived the judge"
    assert until(lambda: not list((tmp_path / "tmp").iterdir())), "something is left"


def test_a_device_that_dies_is_named(tmp_path):
    code = """
import os, signal, sys
from tilesmith.judge.isolation.process import Died, Worker
with Worker(sys.argv[1] + "/op_torch.py", role="task") as task, Worker(sys.argv[1] + "/op.py") as candidate:
    task.load("Model"); candidate.load("ModelNew"); task.prepare()
    with task.inputs(0) as inputs, task.init_inputs() as init:
        candidate.build("ModelNew", init)
        candidate.run(inputs)
        os.kill(candidate.device_process.pid, signal.SIGKILL)
        try:
            candidate.run(inputs)
        except Died as error:
            print(error.error_type, error.error_msg)
        candidate.restart()
        candidate.build("ModelNew", init)
        print(candidate.run(inputs)[0].values[0]["shape"])
"""
    (tmp_path / "op_torch.py").write_text(TASK)
    (tmp_path / "op.py").write_text(HONEST["one kernel"])
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == ["ProcessKilled the device's process: put: the process was ended by SIGKILL (Killed)", "[40, 33]"], done.stderr
