"""A task or a candidate in a process of its own.

    with Worker(task_file, role="task") as task, Worker(impl_file, hidden=[task_file]) as candidate:
        task.load("Model", "get_init_inputs", "get_inputs|get_input_groups")
        candidate.load("ModelNew")
        cases = task.prepare(seed=0)                      # [[description of an argument, ...], ...]; see wire.py
        for case in range(len(cases)):
            with task.inputs(case) as inputs, task.init_inputs() as init:
                task.build("Model", init)                 # seed 0 before each constructor
                candidate.build("ModelNew", init)
                actual, handed = candidate.run(inputs)    # a Bundle; `handed.changed()`: what it did to its inputs
                golden, _ = task.run(inputs)
            # compare: tilesmith.judge.verdict.compare.outputs(actual, golden)

Timing, for benchmarks:

        runs = candidate.measure([inputs_a, inputs_b], warmup=5, repeats=50, clock="wall", keep=lambda i: i % 10 == 0)
        runs[i].wall_ns, runs[i].round_trip_ns, runs[i].model_ns (clock="model": kernels on the Machine), runs[i].outputs
        candidate.peak_memory()                           # bytes since the last reset_peak_memory()

Each repeat gets the next of the given inputs, freshly copied to a new address. The judge decides after a repeat whether it
wants its outputs, so nothing in the candidate's process can know which repeats are looked at. `wall_ns` and `model_ns` are
claims of that process; `round_trip_ns` is measured here and is never less than the truth.

Every failure is a WorkerError with `error_type` and `error_msg` as result files hold them: `Raised` (an exception in the
user's code; the worker lives on), `Died` (signal, exit, flood, too many processes, too much memory, nonsense on the wire; the
worker is gone, `restart()` gives a new one), `TimedOut` (`deadline`, in time.monotonic(), has passed; gone as well).

What the process is kept from is in `kept` ({"processes", "network", "files"}); see sandbox.py.
"""

import contextlib
import importlib.util
import json
import os
import re
import secrets
import shutil
import signal
import socket
import tempfile
import threading
import time
import weakref
from dataclasses import dataclass, field

from . import channel, sandbox, spawn, surroundings, wire
from .bundle import Bundle, Handed, OnDevice
from .output import Output

_START = 120  # seconds a worker has to come up, whatever the deadline
SOURCES = (".cpp", ".cc", ".cxx", ".h", ".hpp", ".cce", ".asc")  # copied with a candidate: its kernels in C++
_level = "namespaces"  # what this system allows, as far as we know


def _imports(name):
    """What imports a module, by a statement or by its name in quotes."""
    return re.compile(rb"\b(import|from)\s[\w .,]*\b(" + name + rb")\b|[\"'](" + name + rb")\b")


class WorkerError(Exception):
    """A task or candidate that did not do what it was asked."""

    def __init__(self, error_type, error_msg):
        super().__init__(f"{error_type}: {error_msg}")
        self.error_type, self.error_msg = error_type, error_msg


class Raised(WorkerError):
    """An exception in the user's code."""


class Died(WorkerError):
    """The process is gone."""


class TimedOut(WorkerError):
    """The deadline has passed; the process is gone."""


def _most_of_memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4


@dataclass
class Limits:
    """What one worker may use."""

    memory: int = field(default_factory=_most_of_memory)  # bytes, of all its processes together
    disk: int = 1 << 30  # bytes in its /tmp, which is memory, too
    processes: int = 100
    threads: int = 200 + 8 * (os.cpu_count() or 1)  # more than a process per core of torch's and ours
    output: int = 16 << 20  # bytes it may print
    cpu: int = 24 * 3600  # seconds


@dataclass
class Run:
    """One timed call."""

    wall_ns: int
    round_trip_ns: int
    model_ns: float | None
    facts: dict
    outputs: Bundle | None = None
    inputs_changed: bool = False


def scratch():
    """A folder that is removed when this process ends, however it ends."""
    return spawn.nursery(surroundings.environment()).folder


def _signalled(pid, number):
    try:
        os.kill(pid, number)
        return True
    except OSError:  # it has ended, or is another user's
        return False


class _Descriptor:
    """A connection as what goes beside a message."""

    def __init__(self, connection):
        self.fd = connection.fileno()


def _end(process, connection, folder):
    """Nothing of a worker outlives its owner."""
    connection.close()
    process.send(signal.SIGTERM)
    if not process.wait(sandbox.GRACE + 1):
        below = sandbox.descendants(process.pid)
        process.send(signal.SIGKILL)
        for pid in below:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        process.wait()
    try:
        os.killpg(process.pid, signal.SIGKILL)  # its session, had it no namespace
    except OSError:
        pass
    shutil.rmtree(folder, ignore_errors=True)


class Worker:
    """See the head of this file. role: "task" (sees the folder of its file) or "candidate" (sees a copy of its file and of the
    C++ sources beside it). extra: further files copied beside a candidate. hidden: files it must not see. poison: memory it
    asks for holds NaN. evidence: launches are checked, and what they write is replaced by what build() says. device: where
    tensors live, a GPU if torch has one. platform: of kernels on the model."""

    def __init__(
        self,
        file,
        role="candidate",
        limits=None,
        hidden=(),
        extra=(),
        poison=None,
        device="auto",
        deadline=None,
        environment=(),
        platform=None,
        evidence=False,
    ):
        self.file, self.role, self.limits = os.path.abspath(file), role, limits or Limits()
        self.hidden, self.extra, self.device = [os.path.abspath(path) for path in hidden], list(extra), device
        self.evidence = evidence
        self.poison = role == "candidate" if poison is None else poison
        self.deadline, self.environment, self.platform = deadline, dict(environment), platform
        self.facts = {}
        self._names = None
        self._uses_our_languages = False  # whatever its text says
        self.device_process = None  # what has the memory and kernels of a candidate that is written for the model
        self._start()

    # Life and death.

    def _start(self):
        global _level
        while True:
            refused = self._try(_level)
            if refused is None:
                return
            if _level == "plain":
                raise Died("WorkerError", f"no process could be started: {refused}")
            _level = "plain"

    def _try(self, level):
        """Starts the process; why the system does not allow it at this level, or None."""
        try:
            nursery = spawn.nursery(surroundings.environment())
        except OSError as error:
            raise Died("WorkerError", str(error)) from None
        self.folder = tempfile.mkdtemp(dir=nursery.folder)
        self._fork(nursery, self._order(level))
        try:
            answer, _ = channel.receive(self.connection, time.monotonic() + _START)
        except (channel.Closed, TimeoutError):
            raise self._obituary("starting") from None
        if "refused" in answer:
            self.stop()
            return answer["refused"]
        self.kept = answer["ready"]
        below = sandbox.descendants(self.process.pid)
        self.pid = below[-1] if below else self.process.pid
        return None

    def _copy_candidate(self):
        """A folder with the candidate, the C++ sources beside it and the extra files, readable by everybody."""
        own, beside = os.path.join(self.folder, "candidate"), os.path.dirname(self.file)
        os.mkdir(own)
        sources = [os.path.join(beside, name) for name in sorted(os.listdir(beside)) if name.endswith(SOURCES)]
        for path in [self.file, *sources, *self.extra]:
            shutil.copyfile(path, os.path.join(own, os.path.basename(path)))
        for root, _folders, files in os.walk(own):
            os.chmod(root, 0o755)
            for name in files:
                os.chmod(os.path.join(root, name), 0o644)
        return own

    def _order(self, level):
        """What the nursery is told: the surroundings, limits and options of the process (sandbox.enter, worker.run)."""
        visible, own, self._path = surroundings.visible_paths(), None, self.file
        if self.role == "candidate":
            own = self._copy_candidate()
            self._path = os.path.join(own if level == "plain" else sandbox.CANDIDATE, os.path.basename(self.file))
        elif self.role == "task":
            visible.append(os.path.dirname(self.file))
        work = sandbox.WORK if level == "namespaces" else self.folder
        return {
            "level": level,
            "folder": self.folder,
            "candidate": own,
            "visible": visible,
            "hidden": self.hidden,
            "devices": surroundings.devices(),
            "reads_all": self.role == "task",
            "limits": {name: getattr(self.limits, name) for name in ("memory", "disk", "processes", "threads", "cpu")},
            "options": {
                "poison": self.poison,
                "evidence": self.evidence,
                "device": self.device,
                "platform": self.platform,
                "serves": "tilesmith.judge.device.serve" if self.role == "device" else None,
            },
            "environment": {
                "HOME": work,
                "TMPDIR": work,
                "PYASC_CACHE_DIR": os.path.join(work, "pyasc-cache"),
                "TORCHINDUCTOR_CACHE_DIR": os.path.join(work, "inductor"),
                "TRITON_CACHE_DIR": os.path.join(work, "triton"),
                **self.environment,
            },
        }

    def _fork(self, nursery, order):
        """The process, and our ends of what connects us: messages, how it ended, what it prints."""
        ours, theirs = socket.socketpair()
        status_read, status_write = os.pipe()
        output_read, output_write = os.pipe()
        fds = [theirs.fileno(), status_write, output_write]
        try:
            self.process = nursery.fork(order, fds)
        except OSError as error:
            for fd in (status_read, output_read):
                os.close(fd)
            ours.close()
            shutil.rmtree(self.folder, ignore_errors=True)
            raise Died("WorkerError", str(error)) from None
        finally:
            theirs.close()
            os.close(status_write)
            os.close(output_write)
        self.connection, self._flood = ours, False
        self._status = os.fdopen(status_read, "rb", buffering=0)
        self._close = weakref.finalize(self, _end, self.process, ours, self.folder)
        self.printed = Output(os.fdopen(output_read, "rb"), self.limits.output, self._flooded)

    def _flooded(self):
        self._flood = True
        self.process.send(signal.SIGTERM)

    def stop(self):
        """Ends the process and everything it started, and its device at the same time."""
        beside = None
        if self.device_process is not None:
            beside = threading.Thread(target=self.device_process.stop)
            beside.start()
        self._close()
        self._status.close()
        if beside is not None:
            beside.join()

    def restart(self):
        """A fresh process with the same file loaded."""
        self.stop()
        self._start()
        if self._names is not None:
            self.load(*self._names)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def alive(self):
        beside = self.device_process is None or self.device_process.alive
        return self._close.alive and not self.process.ended and beside

    # Questions and answers.

    def ask(self, request, bundle=None, **arguments):
        """Sends a request, with a bundle's file beside it, and returns (answer, file descriptor or -1)."""
        if not self._close.alive:
            raise Died("ProcessDied", "the process has ended before")
        nonce = secrets.token_hex(16)
        message = {"request": request, "nonce": nonce, **arguments}
        doing = {"load": "loading the file", "call": "running"}.get(request, request)
        try:
            left = None if self.deadline is None else self.deadline - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError
            channel.send(self.connection, message, [bundle.fd] if bundle is not None else [], left)
            answer, fds = channel.receive(self.connection, self.deadline)
        except TimeoutError:
            self.stop()
            raise TimedOut("TimeoutError", f"{doing} did not end in time") from None
        except channel.Closed:
            raise self._obituary(doing) from None
        except ValueError as error:
            self.stop()
            raise Died("ProtocolError", f"{doing}: the process sent {error}") from None
        except BaseException:  # Ctrl-C: the worker must not go on behind the user's back
            self.stop()
            raise
        for fd in fds[1:]:
            os.close(fd)
        fd = fds[0] if fds else -1
        if not secrets.compare_digest(str(answer.get("nonce")).encode(), nonce.encode()):
            if fd >= 0:
                os.close(fd)
            self.stop()
            raise Died("ProtocolError", f"{doing}: an answer to a question that was not asked; the candidate writes to its judge")
        if "error" in answer:
            if fd >= 0:
                os.close(fd)
            raise Raised(str(answer["error"])[:200], str(answer.get("text")))
        return answer, fd

    def _obituary(self, doing):
        """How the process ended, told by its guard."""
        self.printed.thread.join(0.2)
        self._wait_for_end()
        try:
            os.set_blocking(self._status.fileno(), False)
            how = json.loads((self._status.read() or b"{}").split(b"\n")[0] or b"{}")
        except (ValueError, OSError):
            how = {}
        flooded = self._flood
        self.stop()
        limits = self.limits
        if flooded:
            return Died("OutputFlood", f"{doing}: printed more than {limits.output} bytes and was stopped")
        if how.get("reason") == "processes":
            return Died(
                "ProcessLimit", f"{doing}: started {how['count']} processes, {limits.processes} are allowed; all were stopped"
            )
        if how.get("reason") == "memory":
            bound = "the system has no more" if how.get("system") else f"{limits.memory} are allowed"
            return Died("MemoryLimit", f"{doing}: used {how['bytes']} bytes, {bound}; it was stopped")
        if "signal" in how:
            return Died("ProcessKilled", f"{doing}: the process was ended by {spawn.signal_name(how['signal'])}")
        if "exit" in how:
            return Died("ProcessExited", f"{doing}: the process left with status {how['exit']} and without an answer")
        printed = f"; it printed\n{self.printed.text()[-2000:]}" if self.printed.total else ""
        return Died("ProcessDied", f"{doing}: the process is gone{printed}")

    def _wait_for_end(self):
        """A closed connection need not mean a dead process; give it a moment to tell its end."""
        self.process.wait(2)

    def _bundle(self, answer, fd, what):
        try:
            if fd < 0:
                raise wire.Malformed("no bytes came with it")
            wire.check(answer.get("bundle"), fd)
        except (wire.Malformed, RecursionError) as error:
            if fd >= 0:
                os.close(fd)
            self.stop()
            raise Died("ProtocolError", f"{what}: the process sent values that cannot be read: {error}") from None
        return Bundle(answer["bundle"], fd)

    # What a worker can do.

    def load(self, *names):
        """Imports the file. names must be defined there; "a|b" is one of both."""
        self._names = names
        if self._may_have_a_device() and (self._uses_our_languages or self._names_our_languages()):
            self._attach_device()
        facts = self.ask("load", file=self._path, names=list(names))[0]
        if facts.get("asc") and self.device_process is None and self._may_have_a_device() and not self._uses_our_languages:
            self._uses_our_languages = True  # it imports them under a name it puts together
            self.stop()
            self._start()
            return self.load(*names)
        return facts

    def _may_have_a_device(self):
        """Whether the process is a candidate's that runs on the host."""
        on_gpu = self.device == "cuda" or self.device == "auto" and surroundings.devices()
        return self.role == "candidate" and not self.evidence and not on_gpu

    def _names_our_languages(self):
        """Whether a file imports them, or the chip's package for torch and not Triton, whose interpreter needs memory of the host."""
        texts = [path for path in (self.file, *self.extra) if path.endswith(".py")]
        texts = [open(path, "rb").read() for path in texts]
        if any(_imports(rb"(?:asc2?|pypto)").search(text) for text in texts):
            return True
        if importlib.util.find_spec("triton") is None:  # then it is ours, too
            return any(_imports(rb"(?:torch_npu|triton)").search(text) for text in texts)
        return any(_imports(rb"torch_npu").search(text) and not _imports(rb"triton").search(text) for text in texts)

    def _attach_device(self):
        """Gives the candidate a device in a process of its own; none where torch is not one the device is made for."""
        ends, failures = socket.socketpair(), []

        def start():
            """Beside the candidate's imports, which take as long."""
            try:
                self.device_process = DeviceProcess(self.limits, self.deadline, self.platform)
                self.device_process.ask("attach", _Descriptor(ends[0]))
            except BaseException as error:
                failures.append(error)

        beside = threading.Thread(target=start)
        beside.start()
        attached = False
        try:
            attached = self.ask("attach", _Descriptor(ends[1]))[0].get("attached") is True
        finally:
            beside.join()
            for end in ends:
                end.close()
            if self.device_process is not None and (failures or not attached):
                self.device_process.stop()
                self.device_process = None
        if failures:
            raise failures[0]

    def prepare(self, seed=0):
        """Makes the inputs of all cases of a task; descriptions of the arguments of each."""
        cases = self.ask("prepare", seed=seed)[0].get("cases")
        try:
            if not isinstance(cases, list) or not all(isinstance(case, list) for case in cases):
                raise wire.Malformed("no list of cases")
            for case in cases:
                for value in case:
                    wire.check_description(value)
        except wire.Malformed as error:
            self.stop()
            raise Died("ProtocolError", f"inputs: {error}") from None
        return cases

    def inputs(self, case, narrow=None, special=None):
        """The inputs of a case as a Bundle; narrow: dimensions of this size are made one shorter; special: floats become
        "zero", "large", "denormal", or have "infinite" or "NaN" ones among them."""
        return self._bundle(*self.ask("inputs", case=case, narrow=narrow, special=special), "inputs")

    def init_inputs(self):
        return self._bundle(*self.ask("init_inputs"), "get_init_inputs")

    def state(self):
        """Parameters and buffers of the model, and tensors in its attributes, as a Bundle."""
        return self._bundle(*self.ask("state"), "parameters")

    @property
    def has_device(self):
        """Whether a process of its own has this worker's device."""
        return self.device_process is not None

    def tell_parameters(self, parameters):
        """A device learns what the reference's parameters are: a candidate may bring the same, and little else."""
        self.device_process.ask("parameters", parameters, parameters=parameters.description)

    def build(self, class_name, init, seed=0, poison=""):
        """Constructs the model, with a fresh copy of the arguments. poison: what launches write from now on (Runtime/Poison.h)."""
        if self.device_process is not None:
            self.device_process.ask("build")
        self.ask("build", Handed(init), init=init.description, seed=seed, poison=poison, **{"class": class_name})

    def put(self, inputs, slot=0):
        """Copies inputs to the worker, at an address they had not before."""
        if self.device_process is not None:
            placed = OnDevice(self.device_process, inputs, slot)
            self.ask("put", inputs=placed.description, slot=slot)
            return placed
        handed = Handed(inputs)
        self.ask("put", handed, inputs=inputs.description, slot=slot)
        return handed

    def call(self, slot=0, **options):
        """Runs the model on inputs put there before: {"wall_ns", "model_launches", "triton_launches", ...}. clock="model" adds
        "model_ns", "cycles" and "operators"; rng="save" and "restore" make two calls draw the same random numbers; evidence: a
        device checks the launches and says where bytes come from."""
        evidence = options.pop("evidence", False)
        if self.device_process is None:
            return self.ask("call", slot=slot, **options)[0]
        self.device_process.ask("begin", evidence=evidence, clock=options.get("clock"))
        try:
            claims = self.ask("call", slot=slot, **options)[0]
        except Raised as error:
            if stopped := self.device_process.ask("end")[0]["stopped"]:
                raise Raised("KernelError", "\n".join([*stopped, error.error_msg])) from None
            raise
        seen = self.device_process.ask("end")[0]
        if seen["stopped"]:
            raise Raised("KernelError", "\n".join(seen["stopped"]))
        return {name: claims.get(name) for name in ("wall_ns", "triton_launches", "dsl")} | seen

    def fetch(self, slot=0):
        """The outputs of the last call as a Bundle of contiguous tensors."""
        answer, fd = self.ask("fetch", slot=slot)
        if self.device_process is None:
            return self._bundle(answer, fd, "outputs")
        if fd >= 0:
            os.close(fd)
        return self._bundle(*self.device_process.ask("take", values=answer.get("values"), slot=slot), "outputs")

    def run(self, inputs, **options):
        """(outputs, Handed) of one call; `facts` has what the call told."""
        handed = self.put(inputs)
        self.facts = self.call(**options)
        return self.fetch(), handed

    def measure(self, inputs, warmup, repeats, clock="wall", keep=lambda repeat: False):
        """One Run per repeat; see the head of this file."""
        runs = []
        for repeat in range(-warmup, repeats):
            handed = self.put(inputs[repeat % len(inputs)])
            begin = time.perf_counter_ns()
            facts = self.call(clock=clock)
            end = time.perf_counter_ns()
            if repeat >= 0:
                outputs = self.fetch() if keep(repeat) else None
                wall, model = facts.get("wall_ns"), facts.get("model_ns")
                if type(wall) is not int or not 0 <= wall <= end - begin:
                    wall = end - begin  # a claim that cannot be true
                model = float(model) if isinstance(model, (int, float)) and not isinstance(model, bool) else None
                runs.append(Run(wall, end - begin, model, facts, outputs, outputs is not None and handed.changed()))
            handed.close()
        return runs

    @property
    def pids(self):
        """The processes that do its work: its own, and its device's."""
        return [self.pid] if self.device_process is None else [self.pid, self.device_process.pid]

    @contextlib.contextmanager
    def held(self):
        """Its process and what that started stand still meanwhile."""
        stopped = [pid for pid in (self.pid, *sandbox.descendants(self.pid)) if _signalled(pid, signal.SIGSTOP)]
        try:
            yield
        finally:
            for pid in stopped:
                _signalled(pid, signal.SIGCONT)

    def reset_peak_memory(self):
        try:
            with open(f"/proc/{self.pid}/clear_refs", "w") as file:
                file.write("5")
        except OSError:
            pass  # the peak then counts from the start

    def peak_memory(self):
        """Bytes of host memory, read by the judge from the kernel."""
        try:
            with open(f"/proc/{self.pid}/status") as file:
                for line in file:
                    if line.startswith("VmHWM:"):
                        return int(line.split()[1]) * 1024
        except OSError:
            pass
        return 0


class DeviceProcess(Worker):
    """The device of a candidate's worker: tilesmith.judge.device."""

    def __init__(self, limits, deadline, platform):
        super().__init__(os.devnull, "device", limits, poison=False, device="cpu", deadline=deadline, platform=platform)

    def ask(self, request, bundle=None, **arguments):
        """As a worker's, but what ends is the device."""
        try:
            return super().ask(request, bundle, **arguments)
        except Died as error:
            raise Died(error.error_type, f"the device's process: {error.error_msg}") from None
