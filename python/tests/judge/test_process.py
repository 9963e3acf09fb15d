"""Workers through their own door: what bench and sweep build on."""

import json
import os
import socket
import subprocess
import sys
import time

import pytest
from judging import HONEST, MODEL, TASK
from tilesmith.judge.isolation import channel, process, wire
from tilesmith.judge.isolation.process import Died, Limits, Raised, TimedOut, Worker


@pytest.fixture
def files(tmp_path):
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "op_torch.py").write_text(TASK)
    (tmp_path / "impl.py").write_text(HONEST)
    return tmp_path / "task" / "op_torch.py", tmp_path / "impl.py"


def test_a_worker_runs_and_is_measured(files):
    import numpy as np

    task_file, impl_file = files
    with Worker(task_file, role="task") as task, Worker(impl_file, hidden=[task_file]) as candidate:
        task.load("Model", "get_input_groups|get_inputs")
        assert candidate.load("ModelNew")["dsl"] == "torch"
        assert [[wire.describe(value)["shape"] for value in case] for case in task.prepare(0)] == [[[64, 33]], [[7, 33]]]
        with task.inputs(0) as first, task.init_inputs() as init:
            task.prepare(1)
            with task.inputs(0) as second:
                for worker, name in ((task, "Model"), (candidate, "ModelNew")):
                    worker.build(name, init)
                golden = [task.run(inputs)[0] for inputs in (first, second)]
                runs = candidate.measure([first, second], warmup=1, repeats=4, keep=lambda repeat: repeat >= 2)
        assert [run.outputs is not None for run in runs] == [False, False, True, True]
        assert all(0 < run.wall_ns <= run.round_trip_ns and not run.inputs_changed for run in runs)
        for run in runs[2:]:  # repeat i ran on inputs i % 2
            expected = golden[runs.index(run) % 2]
            a, g = (np.frombuffer(bundle.bytes_of(bundle.values[0]), np.float32) for bundle in (run.outputs, expected))
            assert np.allclose(a, g, atol=1e-6)
        candidate.reset_peak_memory()
        assert 1 << 20 < candidate.peak_memory() < 4 << 30


def test_claimed_times_are_never_longer_than_what_the_judge_saw(files, tmp_path):
    """A clock turned back by the candidate must not give times the judge knows to be wrong."""
    (tmp_path / "impl.py").write_text(MODEL.format(forward="""
        import time
        time.perf_counter_ns = lambda: -10**18 if time.tick() else 0
        return torch.tanh(x) * self.w""") + "import time\nticks = [0]\ntime.tick = lambda: ticks.append(1) or len(ticks) % 2\n")
    with Worker(files[0], role="task") as task, Worker(tmp_path / "impl.py") as candidate:
        task.load()
        candidate.load("ModelNew")
        task.prepare()
        with task.inputs(0) as inputs, task.init_inputs() as init:
            candidate.build("ModelNew", init)
            for run in candidate.measure([inputs], 0, 3):
                assert 0 <= run.wall_ns <= run.round_trip_ns


def test_a_dead_worker_can_be_restarted(files, tmp_path):
    (tmp_path / "impl.py").write_text(MODEL.format(forward="import os; os._exit(3)"))
    with Worker(files[0], role="task") as task, Worker(tmp_path / "impl.py") as candidate:
        task.load()
        candidate.load("ModelNew")
        task.prepare()
        with task.inputs(0) as inputs, task.init_inputs() as init:
            for _ in range(2):
                candidate.build("ModelNew", init)
                with pytest.raises(Died, match="left with status 3") as error:
                    candidate.run(inputs)
                assert error.value.error_type == "ProcessExited" and not candidate.alive
                with pytest.raises(Died):
                    candidate.run(inputs)
                candidate.restart()


def test_exceptions_leave_the_worker_alive(files):
    with Worker(files[1]) as candidate:
        with pytest.raises(Raised) as error:
            candidate.load("ModelNew", "something")
        assert error.value.error_msg == "impl.py does not define something"
        candidate.load("ModelNew")


def test_the_deadline_ends_everything(tmp_path):
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(100)\n")
    with Worker(tmp_path / "slow.py", deadline=time.monotonic() + 1) as worker:
        begin = time.monotonic()
        with pytest.raises(TimedOut):
            worker.load()
        assert time.monotonic() - begin < 5 and not worker.alive


def test_folders_of_workers_are_removed(files):
    with Worker(files[1]) as worker:
        folder = worker.folder
        assert os.path.isdir(folder)
    assert not os.path.exists(folder)


@pytest.mark.parametrize("forward, error_type", [
    ("import os; os._exit(0)", "ProcessExited"),
    ("import os; os.kill(os.getpid(), 9)", "ProcessKilled"),
    ("import subprocess; [subprocess.Popen(['sleep', '60'], start_new_session=True) for _ in range(200)]", "ProcessLimit"),
    ("while True: print('x' * 1000)", "OutputFlood"),
])
def test_without_namespaces_too(files, tmp_path, monkeypatch, forward, error_type):
    """Systems that allow no namespaces get the plain guard: less is hidden, endings are told the same way."""
    monkeypatch.setattr(process, "_level", "plain")
    (tmp_path / "impl.py").write_text(MODEL.format(forward=forward))
    with Worker(files[0], role="task") as task, Worker(tmp_path / "impl.py") as candidate:
        assert not candidate.kept["files"]
        task.load()
        candidate.load("ModelNew")
        task.prepare()
        with task.inputs(0) as inputs, task.init_inputs() as init:
            candidate.build("ModelNew", init)
            with pytest.raises(Died) as error:
                candidate.run(inputs)
        assert error.value.error_type == error_type


def test_a_worker_limited_in_memory_is_stopped(tmp_path):
    """Many small processes cannot have together what one may not have."""
    (tmp_path / "impl.py").write_text("""
import os, time
for _ in range(8):
    if os.fork() == 0:
        held = bytearray(os.urandom(1 << 20) * 128)
        time.sleep(60)
time.sleep(60)
""")
    with Worker(tmp_path / "impl.py", limits=Limits(memory=900 << 20), deadline=time.monotonic() + 30) as worker:
        with pytest.raises(Died) as error:
            worker.load()
        assert error.value.error_type == "MemoryLimit"


# The wire, fed by somebody who means harm.

def bundle(**changes):
    import torch

    description, fd = wire.pack([torch.arange(6.0).reshape(2, 3)])
    description["values"][0].update(changes)
    return description, fd


@pytest.mark.parametrize("changes", [
    {"shape": [3, 3]}, {"shape": [1 << 40, 1 << 40]}, {"shape": [-1, 3]}, {"shape": "ab"}, {"shape": [2]}, {"blob": 1}, {"blob": -1},
    {"offset": 8}, {"offset": -4}, {"dtype": "float128"}, {"dtype": ["float32"]}, {"stride_in_file": [1 << 40, 1]}, {"k": "exec"},
    {"shape": [True, 6]}, {"shape": [2.0, 3]}], ids=str)
def test_descriptions_that_reach_outside_are_refused(changes):
    description, fd = bundle(**changes)
    with pytest.raises(wire.Malformed):
        wire.check(description, fd)
    os.close(fd)


def test_files_that_may_change_are_refused(tmp_path):
    """An unsealed file could be cut while it is compared, which would end the judge with SIGBUS."""
    description, fd = bundle()
    wire.check(description, fd)
    loose = os.memfd_create("loose")
    os.ftruncate(loose, 1 << 16)
    with pytest.raises(wire.Malformed, match="not sealed"):
        wire.check(description, loose)
    (tmp_path / "x").write_bytes(bytes(1 << 16))
    with open(tmp_path / "x") as file, pytest.raises(wire.Malformed, match="not in a memory file"):
        wire.check(description, file.fileno())
    for item in (fd, loose):
        os.close(item)


@pytest.mark.parametrize("data, error", [
    ((1 << 60).to_bytes(8, "little"), ValueError),
    ((3).to_bytes(8, "little") + b"[1]", ValueError),
    ((4).to_bytes(8, "little") + b"nope", ValueError),
    ((200000).to_bytes(8, "little") + b"[" * 200000, ValueError),
    (b"\x01", TimeoutError),
    (b"", TimeoutError),
])
def test_messages_that_are_none(data, error):
    ours, theirs = socket.socketpair()
    theirs.sendall(data)
    with pytest.raises(error):
        channel.receive(ours, time.monotonic() + 0.2)
    theirs.close()
    with pytest.raises((channel.Closed, ValueError)):
        channel.receive(ours, time.monotonic() + 0.2)
    ours.close()


def test_values_survive_the_wire():
    import torch

    shared = torch.randn(4, 6)
    values = [None, True, -(1 << 70), 0.1, float("inf"), 2 - 3j, "ü", [1, (2, {"a": None})], torch.float16, torch.device("cpu"),
              torch.Size([2, 3]), slice(1, None, 2), torch.nn.functional.relu, torch.tanh, shared.T, shared[1:3, ::2],
              torch.zeros(0, 3), torch.tensor(7), torch.randn(3).to(torch.float8_e5m2), torch.randn(2, dtype=torch.complex64).conj()]
    description, fd = wire.pack(values)
    description = json.loads(json.dumps(description))
    wire.check(description, fd)
    back = process.Handed(process.Bundle(description, fd))  # a copy that may be written
    got = wire.unpack(description, back.fd)
    assert got[:14] == values[:14]
    for a, b in zip(got[14:], values[14:]):
        assert a.dtype == b.dtype and a.shape == b.shape and a.stride() == b.stride()
        assert str(a.contiguous()) == str(b.resolve_conj().contiguous())
    assert got[14].untyped_storage().data_ptr() == got[15].untyped_storage().data_ptr()


def test_libraries_are_found_by_the_name_of_a_link(files, tmp_path, isolated):
    """An environment behind a symbolic link was shown at its real place only, where Python does not look for it."""
    (tmp_path / "store" / "site-packages").mkdir(parents=True)
    (tmp_path / "store" / "site-packages" / "helper_library.py").write_text("value = 3\n")
    (tmp_path / "environment").symlink_to("store")
    (tmp_path / "impl.py").write_text("import helper_library\n" + HONEST)
    script = "import sys\nfrom tilesmith.judge.isolation.process import Worker\nwith Worker(sys.argv[1]) as it: print(it.load('ModelNew'))"
    path = os.pathsep.join([str(tmp_path / "environment" / "site-packages"), os.environ.get("PYTHONPATH", "")])
    ran = subprocess.run([sys.executable, "-c", script, tmp_path / "impl.py"], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
