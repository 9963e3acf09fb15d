"""The process a task or a candidate runs in; `python -m tilesmith.judge.isolation.worker <connection>` is the nursery of them (spawn.py).

It answers requests of the judge (process.py) until the connection closes. Everything after `load` shares this process with
code nobody trusts: an answer is a claim about the candidate's own results, never a verdict. What the judge must know for sure
(how the process ended, whether inputs were changed, peak memory, golden results) does not come from here.
"""

import contextlib
import importlib
import os
import socket
import sys
import traceback
from time import perf_counter_ns  # our own name for it: a candidate may have another idea of time

from tilesmith.judge.isolation import cases, channel, gpu, sandbox, spawn, wire

_TEXT = 1 << 16  # characters of a traceback that are sent


class _Failure(Exception):
    """What the user's file does not have; the message says it all."""


def _describe_error(error):
    """(class name, traceback without our own frames) of anything, even an exception that cannot be printed."""
    try:
        if isinstance(error, _Failure):
            return "ImportError", str(error)
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        text = "".join(traceback.format_exception(type(error), error, trace))
    except BaseException as second:
        text = f"{type(error).__name__}, which cannot be printed ({type(second).__name__})"
    return type(error).__name__, text if len(text) <= _TEXT else text[: _TEXT // 2] + "\n...\n" + text[-_TEXT // 2 :]


def _seed(seed):
    import random

    import numpy as np
    import torch

    random.seed(seed)
    np.random.seed(seed % (1 << 32))
    torch.manual_seed(seed)


def _narrow(value, size):
    """A value whose tensors are one shorter in every dimension of this size."""
    import torch

    if isinstance(value, torch.Tensor):
        for dim, extent in enumerate(value.shape):
            if extent == size:
                value = value.narrow(dim, 0, size - 1)
        return value.contiguous()
    if type(value) in (list, tuple):
        return type(value)(_narrow(item, size) for item in value)
    return value


# Inputs that random numbers never are, made of those that were drawn.
_SPECIAL = {
    "zero": lambda x: x * 0,
    "large": lambda x: x * 100,
    "denormal": lambda x: x * _tiny(x.dtype),
    "infinite": lambda x: _salted(x, float("inf")),
    "NaN": lambda x: _salted(x, float("nan")),
}


def _tiny(dtype):
    """What makes numbers near 1 denormal in a dtype."""
    import torch

    return torch.finfo(dtype).tiny / 4


def _salted(x, value):
    """A copy with a value at a few places, of both signs."""
    salted = x.clone()
    flat = salted.view(-1) if salted.is_contiguous() else salted.reshape(-1)
    flat[:: max(1, flat.numel() // 5)] = value
    flat[flat.numel() // 3 :: max(1, flat.numel() // 2)] = -value
    return flat.view(x.shape)


def _special(value, kind):
    """A value whose floats are special ones."""
    import torch

    if isinstance(value, torch.Tensor) and value.is_floating_point() and value.itemsize > 1 and value.numel():
        return _SPECIAL[kind](value.detach())
    if type(value) in (list, tuple):
        return type(value)(_special(item, kind) for item in value)
    return value


def _flat_tensors(value):
    """The tensors of a value in the order wire.tensors has them."""
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _flat_tensors(item)
    elif isinstance(value, (list, tuple, set)):
        for item in value:
            yield from _flat_tensors(item)


def _range_of(tensor):
    try:
        storage = tensor.untyped_storage()
        return storage.data_ptr(), storage.data_ptr() + storage.nbytes()
    except Exception:
        return 0, 0


class _Placer(wire.Encoder):
    """Describes values whose tensors are on the device by where they are."""

    def __init__(self, remote):
        super().__init__(contiguous=True)
        self.remote = remote

    def tensor(self, value, torch):
        if value.device.type != "npu" and value.numel():
            raise _Failure("an output is in the host's memory, and kernels write only the device's")
        entry = self.remote.place(value.detach())
        return {"k": "tensor", "stride_in_file": entry["stride"], **entry}


class _Outputs:
    """What a model returned, without code of the candidate's that reading it would run: that has run when this is made.

    `values` is a list, one for each output; `classes` has the names of classes that are not torch's or Python's, by output.
    """

    def __init__(self, returned):
        self.classes = {}
        items = self._items(returned, -1)
        self.values = [self._plain(item, index) for index, item in enumerate([returned] if items is None else items)]

    def _items(self, value, index):
        """The items of a list or tuple, as Python keeps them, not as its class gives them; None of anything else."""
        for kind in (list, tuple):
            if issubclass(type(value), kind):  # isinstance asks the object
                if type(value) is not kind and not hasattr(type(value), "_fields"):
                    self.classes[max(index, 0)] = type(value).__name__
                return list(kind.__iter__(value))
        return None

    def _plain(self, value, index):
        import torch

        if issubclass(type(value), torch.Tensor) and type(value) not in (torch.Tensor, torch.nn.Parameter):
            self.classes[index] = type(value).__name__
            return value.detach().clone().as_subclass(torch.Tensor)
        items = self._items(value, index)
        return value if items is None else [self._plain(item, index) for item in items]


def _shown(finding):
    """A finding of a launch as the judge is told of it."""
    return [str(finding.get("id"))[:100], str(finding.get("rendered"))[:1000]]


class _Launches:
    """Counts kernels that really started: on the Machine, and of Triton."""

    def __init__(self, evidence):
        self.evidence = evidence  # launches are checked, and what they write is replaced
        self.poison = ""
        self.triton = 0
        self.recorded = []
        self.patched = False

    def watch(self):
        if "triton" in sys.modules and not self.patched:
            self.patched = True
            self._watch_triton()
        if "asc" in sys.modules:
            import _tilesmith

            self.recorded = []
            _tilesmith.set_settings(recorder=self.recorded)
            if self.evidence:
                _tilesmith.set_settings(mode="checked", raise_findings=False, poison=self.poison)

    def _watch_triton(self):
        owners = []
        try:
            from triton.runtime.jit import JITFunction

            owners.append((JITFunction, "run"))
        except ImportError:
            pass
        try:
            from triton.runtime.interpreter import GridExecutor

            owners.append((GridExecutor, "__call__"))
        except ImportError:
            pass
        for owner, name in owners:

            def counted(*args, _original=getattr(owner, name), **kwargs):  # noqa: B008 - each its own
                self.triton += 1
                return _original(*args, **kwargs)

            setattr(owner, name, counted)


class Worker:
    def __init__(self, connection, options):
        self.connection, self.options = connection, options
        self.module = self.model = self.groups = self.outputs = self.rng = None
        self.slots = {}
        self.remote = None  # tilesmith.npu.remote, where the device is in another process
        self.gpu = None  # a clock, where there is a GPU
        self.launches = _Launches(options.get("evidence"))

    # Requests: each returns its answer, or (answer, file descriptor to send along).

    def attach(self, request, fd):
        """The device is at the other end of this connection."""
        try:
            from tilesmith.npu import remote
        except ImportError as error:
            return {"attached": False, "why": str(error)}
        remote.connect(os.dup(fd))
        self.remote = remote
        return {"attached": True}

    def load(self, request, fd):
        import importlib.util

        import torch

        if self.options.get("poison"):
            # Memory a candidate asks for holds NaN until it writes it: what it left over shows.
            # The public function would import a compiler first, which takes seconds.
            torch._C._set_deterministic_algorithms(True, warn_only=True)
            torch.utils.deterministic.fill_uninitialized_memory = True
            import warnings

            warnings.filterwarnings("ignore", message=".*does not have a deterministic implementation.*")
        if self.options["device"] == "auto":
            self.options["device"] = "cuda" if torch.cuda.is_available() else "cpu"
        if self.options["device"] == "cpu":
            from tilesmith import triton

            triton.install_if_missing()
            if not triton.is_installed():
                os.environ["TRITON_INTERPRET"] = "1"  # read when Triton is imported
        else:
            self.gpu = gpu.clock_of(torch)
        path = request["file"]
        name = os.path.splitext(os.path.basename(path))[0]
        while name in sys.modules:  # a task called random.py is not the module random
            name = "_" + name
        sys.path.insert(0, os.path.dirname(path))
        spec = importlib.util.spec_from_file_location(name, path)
        self.module = importlib.util.module_from_spec(spec)
        sys.modules[name] = self.module
        spec.loader.exec_module(self.module)
        for wanted in request["names"]:
            if not any(hasattr(self.module, choice) for choice in wanted.split("|")):
                raise _Failure(f"{os.path.basename(path)} does not define {wanted.replace('|', ' or ')}")
        return {"dsl": self._dsl(), "asc": "asc" in sys.modules, "torch": torch.__version__}

    def _dsl(self):
        return "triton" if "triton" in sys.modules else "asc" if "asc" in sys.modules else "torch"

    def _pin_platform(self):
        """The judge's platform, whatever the candidate chooses."""
        if self.options.get("platform") and "asc" in sys.modules:
            config = sys.modules["asc"].runtime.config  # the candidate's own: the judge does not import asc
            config._pinned = None
            config.set_platform(config.Backend.Model, self.options["platform"])
            config._pinned = config.current_platform()

    def prepare(self, request, fd):
        """Makes the inputs of all cases."""
        _seed(request["seed"])
        if hasattr(self.module, "get_input_groups"):
            groups = list(self.module.get_input_groups())
        elif (lines := cases.cases_file(self.module.__file__)) is not None:
            groups = [cases.make_inputs(case) for case in cases.read_cases(lines)]
        elif hasattr(self.module, "get_inputs"):
            groups = [self.module.get_inputs()]
        else:
            raise _Failure("the task defines neither get_input_groups nor get_inputs")
        for number, group in enumerate(groups, 1):
            if not isinstance(group, (list, tuple)):
                raise _Failure(f"the inputs of case {number} are a {type(group).__name__}, not a list")
        self.groups = groups
        encoder = wire.Encoder(contiguous=False)
        return {"cases": [[encoder.value(value) for value in group] for group in groups]}

    def inputs(self, request, fd):
        group = list(self.groups[request["case"]])
        if request.get("narrow"):
            group = [_narrow(value, request["narrow"]) for value in group]
        if request.get("special"):
            group = [_special(value, request["special"]) for value in group]
        return wire.pack(group)

    def init_inputs(self, request, fd):
        return wire.pack(list(self.module.get_init_inputs()))

    def build(self, request, fd):
        import torch

        arguments = wire.unpack(request["init"], fd)
        if request.get("poison"):
            import _tilesmith

            self.launches.poison = request["poison"]
            _tilesmith.set_settings(poison=request["poison"])  # nothing in this process can take it back
        self.model = self.outputs = None
        _seed(request["seed"])
        self.model = getattr(self.module, request["class"])(*arguments)
        if self.options["device"] != "cpu" and isinstance(self.model, torch.nn.Module):
            self.model = self.model.to(self.options["device"])
        if self.remote is not None:
            self.remote.take_model(self.model)
        return {}

    def state(self, request, fd):
        import torch

        found = []
        for module in self.model.modules() if isinstance(self.model, torch.nn.Module) else [self.model]:
            found += [value for value in vars(module).values() if isinstance(value, torch.Tensor)]
            found += [value for value in getattr(module, "_parameters", {}).values() if value is not None]
            found += [value for value in getattr(module, "_buffers", {}).values() if value is not None]
        return wire.pack([value.detach() for value in found], contiguous=True)

    def put(self, request, fd):
        # The old inputs keep their place until the new ones have theirs, so that no address comes twice in a row.
        if self.remote is not None:
            bases = [self.remote.tensor_at(address, size) for address, size in request["inputs"]["blobs"]]
            self.slots[request["slot"]] = wire.values_over(request["inputs"]["values"], bases)
        else:
            self.slots[request["slot"]] = wire.unpack(request["inputs"], fd, self.options["device"])
        return {}

    def drop(self, request, fd):
        self.slots.clear()
        self.outputs = None
        return {}

    def call(self, request, fd):
        import torch

        arguments = self.slots[request["slot"]]
        self.outputs = None
        if request.get("rng") == "save":
            self.rng = torch.get_rng_state()
        elif request.get("rng") == "restore":
            torch.set_rng_state(self.rng)
        self._pin_platform()
        self.launches.watch()
        triton = self.launches.triton
        profile = None
        if request.get("clock") == "model" and "asc" in sys.modules and self.remote is None:
            profile = sys.modules["asc"].profile()  # the candidate's own: the judge does not import asc
        judged = self.remote.judged_call() if self.remote is not None else contextlib.nullcontext()
        with torch.no_grad(), judged:
            report = profile.__enter__() if profile else None
            on_gpu = None
            try:
                if self.gpu:
                    self.gpu.begin()
                begin = perf_counter_ns()
                self.outputs = _Outputs(self.model(*arguments))
                if self.gpu:
                    on_gpu = self.gpu.end()
                end = perf_counter_ns()
            finally:
                if profile:
                    profile.__exit__(None, None, None)
        launches = report.launches if report else self.launches.recorded
        answer = {
            "wall_ns": end - begin,
            "triton_launches": self.launches.triton - triton,
            "model_launches": len(launches),
            "dsl": self._dsl(),
        }
        if on_gpu is not None:
            answer["gpu_ns"] = on_gpu
        if launches:
            facts = [launch.__dict__ if report else launch for launch in launches]
            answer["launches"] = [[str(each["kernel"])[:200], each["blocks"]] for each in facts[:1000]]
            answer["platforms"] = sorted({str(each["platform"])[:200] for each in facts})
            answer["launch_findings"] = [_shown(finding) for each in facts for finding in each["findings"]][:20]
        if report is not None:
            answer["model_ns"] = report.time_us * 1000.0
            answer["cycles"] = report.cycles
            answer["operators"] = {}
            for launch in report.launches:
                if launch.timed:
                    answer["operators"][launch.kernel] = answer["operators"].get(launch.kernel, 0.0) + launch.time_us
        return answer

    def fetch(self, request, fd):
        """The outputs of the last call, always as a list."""
        outputs = self.outputs.values
        if self.remote is not None:
            return {"values": self._places(outputs)}
        description, file = wire.pack(outputs, contiguous=True)
        given = [_range_of(tensor) for value in self.slots.get(request["slot"], []) for tensor in _flat_tensors(value)]
        described = [entry for value in description["values"] for entry in wire.tensors(value)]
        for index, name in self.outputs.classes.items():
            for entry in wire.tensors(description["values"][index]) if index < len(description["values"]) else ():
                entry["class"] = name
        made = [tensor for value in outputs for tensor in _flat_tensors(value)]
        for entry, tensor in zip(described, made):
            low, high = _range_of(tensor)
            shared = [index for index, (begin, end) in enumerate(given) if low < end and begin < high]
            if shared:
                entry["alias"] = shared[0]
        return description, file

    def _places(self, outputs):
        """The outputs of a call whose bytes are on the device."""
        encoder = _Placer(self.remote)
        described = [encoder.value(value) for value in outputs]
        for index, name in self.outputs.classes.items():
            for entry in wire.tensors(described[index]) if index < len(described) else ():
                entry["class"] = name
        return described

    def serve(self):
        requests = {
            name: getattr(self, name)
            for name in ("attach", "state", "load", "prepare", "inputs", "init_inputs", "build", "put", "drop", "call", "fetch")
        }
        while True:
            try:
                request, fds = channel.receive(self.connection)
            except channel.Closed:
                return
            fd = fds[0] if fds else -1
            file = -1
            try:
                answer = requests[request["request"]](request, fd)
                if isinstance(answer, tuple):
                    answer, file = {"bundle": answer[0]}, answer[1]
            except BaseException as error:  # whatever it is, it is the judge's to report
                kind, text = _describe_error(error)
                answer = {"error": kind, "text": text}
            for opened in fds:
                os.close(opened)
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            except BaseException:
                pass
            answer["nonce"] = request["nonce"]
            channel.send(self.connection, answer, [file] if file >= 0 else [])
            if file >= 0:
                os.close(file)


def _poison_malloc():
    """glibc fills memory it hands out with 0x7f, which is NaN or huge in every float type."""
    import ctypes

    ctypes.CDLL(None).mallopt(-6, 128)  # M_PERTURB


def run(config, fds, parent):
    """A worker, in a process just forked. fds: connection, status, output."""
    connection, status, output = socket.socket(fileno=fds[0]), fds[1], fds[2]
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    os.chdir(config["folder"])
    os.environ.update(config["environment"])
    try:
        kept = sandbox.enter(config, status, parent)
    except sandbox.Refused as error:
        channel.send(connection, {"refused": str(error)})
        return
    if config["options"].get("poison"):
        _poison_malloc()
    channel.send(connection, {"ready": kept})
    try:
        module = config["options"].get("serves")
        (importlib.import_module(module).Device if module else Worker)(connection, config["options"]).serve()
    except channel.Closed:
        pass
    os._exit(0)  # what the candidate registered for the end of the process is not our business


def _import_torch():
    try:
        import numpy  # noqa: F401
        import torch  # noqa: F401
    except ImportError:
        pass  # loading a file says so


def main():
    connection = socket.socket(fileno=int(sys.argv[1]))
    sys.argv = ["worker"]
    spawn.serve(connection, _import_torch, run)


if __name__ == "__main__":
    main()
