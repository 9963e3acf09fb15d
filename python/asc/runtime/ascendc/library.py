"""A compiled source as an object: its kernels by name, each launched like a jit function."""

import operator
import os
import threading

import _tilesmith

from asc.runtime.errors import KernelError

from .. import timeline
from . import architecture
from .arguments import Arguments
from .build import Builder
from .process import Worker

_FORWARDED = (
    "mode",
    "late",
    "verify_late",
    "warm_l2",
    "threads",
    "max_ticks",
    "time_limit",
    "trace_limit",
    "dry",
    "poison",
    "judged",
)


recorder_of_work = None  # takes launches to do later, while torch.npu.graph records them


def load_ascendc(path, *, kernels=None, compiler=None, options=(), timeout=60.0):
    """Compiles an Ascend C source for the model; the result maps names of kernels to kernels.

    `kernels` names those wanted (all by default; instances of templates as "scale<half>"), `compiler` and `options` go to the
    host's C++ compiler, `timeout` limits one launch in seconds (None: no limit).

        add = asc.load_ascendc("add.cpp")["add_custom"]
        add[8](x, y, z)
    """
    if _tilesmith.device_is_remote():
        from .remote import RemoteLibrary

        return RemoteLibrary(path, kernels=kernels, compiler=compiler, options=options, timeout=timeout)
    return Library(path, kernels=kernels, compiler=compiler, options=options, timeout=timeout)


class Library:
    """The kernels of one source. Launches of one library run one after another, in one worker process."""

    def __init__(self, path, *, kernels=None, compiler=None, options=(), timeout=60.0):
        self.path = os.path.abspath(os.fspath(path))
        self.timeout = timeout
        self._names, self._compiler, self._options = kernels, compiler, [str(option) for option in options]
        self._asks = architecture.asks(self.path, self._options)
        self.file, sources = self._build()
        self._lock = threading.RLock()
        self._worker = None
        self._kernels = {source.name: CppKernel(self, source) for source in sources}

    def __getitem__(self, name):
        try:
            return self._kernels[name]
        except KeyError:
            raise KeyError(f"'{self.path}' defines no kernel '{name}'; it defines {', '.join(self._kernels)}") from None

    def __iter__(self):
        return iter(self._kernels)

    def __len__(self):
        return len(self._kernels)

    def __contains__(self, name):
        return name in self._kernels

    def __repr__(self):
        return f"<Ascend C library {self.path!r}: {', '.join(self._kernels)}>"

    def close(self):
        """Ends the worker process; the next launch starts another."""
        with self._lock:
            if self._worker is not None:
                self._worker.close()
                self._worker = None

    def _build(self):
        """(library file, kernels) for the current platform's architecture, where the source asks for it."""
        self._built_for = architecture.architecture() if self._asks else None
        more = architecture.flags(self._options) if self._asks else []
        return Builder(self._compiler, [*more, *self._options]).build(self.path, self._names)

    def _running(self):
        """The worker, started when there is none, the last one died or the architecture is another one. Under the lock."""
        architecture.check(self._options)
        if self._asks and self._built_for != architecture.architecture():
            self.close()
            self.file, _ = self._build()
        if self._worker is None or self._worker.process.poll() is not None:
            self._worker = Worker(self.file)
        return self._worker

    def _ask(self, request, what, arguments):
        with self._lock:
            worker = self._running()
            memory = worker.shared(arguments.bytes)
            arguments.write(memory)
            answer = worker.ask(request, what, self.timeout, arguments.on_device)
            arguments.read(memory)
            return timeline.unpack(answer["facts"])

    def _parameters(self, name):
        with self._lock:
            return self._running().kernels[name]


class CppKernel:
    """A kernel written in C++; `kernel[blocks](...)` launches it."""

    def __init__(self, library, source):
        self.library, self.source, self.__name__ = library, source, source.name
        self._parameters = None

    def parameters(self):
        """[(name, kind, bytes)] of the kernel's parameters."""
        if self._parameters is None:
            kinds = self.library._parameters(self.__name__)
            names = self.source.parameters if len(self.source.parameters) == len(kinds) else ("",) * len(kinds)
            self._parameters = [
                (name or f"argument{index}", kind, size) for index, (name, (kind, size)) in enumerate(zip(names, kinds))
            ]
        return self._parameters

    def __getitem__(self, configuration):
        blocks = operator.index(configuration[0] if isinstance(configuration, tuple) and configuration else configuration)
        if blocks <= 0:
            raise ValueError(f"the number of blocks must be positive, not {blocks}")
        stream = configuration[1] if isinstance(configuration, tuple) and len(configuration) > 1 else None
        return lambda *args, **keywords: self._launch(blocks, stream, args, keywords)

    def __call__(self, *args, **keywords):
        raise TypeError(f"'{self.__name__}' is a C++ kernel; launch it as {self.__name__}[blocks](...)")

    def __repr__(self):
        return f"<Ascend C kernel {self.__name__} of {self.library.path!r}>"

    def _launch(self, blocks, stream, args, keywords):
        parameters = self.parameters()
        arguments = Arguments(self.__name__, parameters, args, keywords)
        now = _tilesmith.get_settings()
        if recorder_of_work is not None:
            recorder_of_work(lambda: self._launch(blocks, stream, args, keywords))
            return
        if now["dry_run"]:
            return
        request = {
            "command": "launch",
            "kernel": self.__name__,
            "blocks": blocks,
            "platform": _tilesmith.current_platform(),
            "platform_path": os.environ.get("TILESMITH_PLATFORM_PATH", ""),
            "settings": {name: now[name] for name in _FORWARDED},
            "names": [name for name, _, _ in parameters],
            "types": arguments.types(),
            "arguments": arguments.described,
        }
        facts = self.library._ask(request, f"kernel '{self.__name__}'", arguments)
        facts.update(blocks=blocks, **arguments.facts())
        if now["clock"] is not None and facts.get("cycles"):
            now["clock"](stream, facts["cycles"] / facts["clock_mhz"])
        if now["recorder"] is not None:
            now["recorder"].append(facts)
        errors = [finding for finding in facts["findings"] if finding["severity"] == "error"]
        if errors and now["raise_findings"]:
            text = "\n".join(finding["rendered"] for finding in errors[:3])
            raise KernelError(text + (f"\nand {len(errors) - 3} more" if len(errors) > 3 else ""))
