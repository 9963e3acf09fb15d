"""A row's launch, recorded once and timed as often as wanted.

Launches are dry: nothing is computed, arrays are placeholders. A kernel whose scalar code reads what it computed runs in full, on zeros.
The calls are kept, so that other numbers of the platform cost a replay and not a launch.
"""

import importlib.util
import sys
from dataclasses import dataclass, field

import _tilesmith
import asc
import asc2
import platforms
from asc.runtime.ascendc import Builder, architecture
from rows import KERNELS, LIBRARY, Array, parse_arguments


@dataclass
class Prediction:
    """What the model says of a row."""

    us: float = 0.0
    busy: dict = field(default_factory=dict)  # pipe: microseconds, mean over the cores that ran
    cycles: dict = field(default_factory=dict)  # pipe: cycles of all cores
    bound: str = ""
    hbm_bytes: int = 0

    def add(self, facts):
        """The next launch of the row."""
        cores, clock = max(1, len(facts["cores"])), facts["clock_mhz"]
        self.us += facts["cycles"] / clock
        for pipe, cycles in facts["busy"].items():
            pipe = pipe.split()[-1]
            self.busy[pipe] = self.busy.get(pipe, 0) + cycles / cores / clock
            self.cycles[pipe] = self.cycles.get(pipe, 0) + cycles
        self.bound = facts["bound"]
        self.hbm_bytes += facts["hbm_bytes"]

    def scaled(self, before, after):
        """Changed as a stand-in changed from one prediction to another."""
        times = lambda old, new, value: value * new / old if old else value
        every = lambda name: {
            pipe: times(getattr(before, name).get(pipe, 0), getattr(after, name).get(pipe, 0), value)
            for pipe, value in getattr(self, name).items()
        }
        return Prediction(times(before.us, after.us, self.us), every("busy"), every("cycles"), after.bound, self.hbm_bytes)

    def value(self, row):
        """In the row's unit."""
        if row.measure == "time":
            return self.us
        pipe, _, calls = row.measure.partition("/")
        return self.cycles.get(pipe, 0) / int(calls or 1)


class Recording:
    """The calls of the launches of a row, at a fraction of its work."""

    def __init__(self, row, part=1, platform=None):
        self.row, self.traces = row, []
        self.first = Prediction()
        positional, named = parse_arguments(row.arguments, part)
        _tilesmith.set_platform(platform or row.platform)
        try:
            launches = self._launch(*_all(_placeholder, positional, named))
        except (asc.KernelError, ValueError) as error:
            if "no memory behind" not in str(error):
                raise
            launches = self._launch(*_all(_zeros, positional, named))  # it reads data
        for facts in launches:
            self.first.add(facts)
            self.traces.append(facts["call_trace"])
        if not self.traces:
            raise ValueError(f"'{row.kernel}' launched nothing")

    def _launch(self, positional, named):
        launches = []
        settings = dict(mode="timed", dry=True, keep_calls=True, warm_l2=self.row.warm, raise_findings=True, recorder=launches)
        before = _tilesmith.get_settings()
        _tilesmith.set_settings(**settings)
        try:
            if self.row.is_script:
                getattr(_module(self.row.file), self.row.function)(*positional, **named)
            else:
                _kernel(self.row.file, self.row.function)[self.row.blocks](*positional)
        finally:
            _tilesmith.set_settings(**before)
        return launches

    def time(self, platform):
        result = Prediction()
        for trace in self.traces:
            result.add(trace.time(platform, warm_l2=self.row.warm))
        return result


def _all(make, positional, named):
    return [make(value) for value in positional], {name: make(value) for name, value in named.items()}


def _placeholder(value):
    return asc2.placeholder(value.shape, value.dtype) if isinstance(value, Array) else value


def _zeros(value):
    import numpy as np

    if not isinstance(value, Array):
        return value
    return np.zeros(value.shape, np.uint16 if value.dtype == "bfloat16" else value.dtype)


_modules, _libraries = {}, {}


def _module(file):
    if file not in _modules:
        for folder in (LIBRARY, KERNELS, file.parent):
            if str(folder) not in sys.path:
                sys.path.insert(0, str(folder))
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module
        spec.loader.exec_module(module)
        _modules[file] = module
    return _modules[file]


def _kernel(file, name):
    """Loaded into this process, which is a worker's: a kernel that crashes takes only it along."""
    asks = architecture.asks(str(file), [])
    key = file, architecture.architecture() if asks else None
    if key not in _libraries:
        library, sources = Builder(None, architecture.flags([]) if asks else []).build(str(file), None)
        names = {source.name: list(source.parameters) for source in sources}
        _libraries[key] = _tilesmith.load_kernel_library(library), names
    kernels, names = _libraries[key]
    if name not in kernels:
        raise ValueError(f"{file.name} defines no kernel '{name}'; it defines {', '.join(kernels)}")
    kernel = kernels[name].without_plain_pointers()
    return kernel.named(names[name], []) if len(names.get(name, ())) == len(kernel.parameters) else kernel


def extrapolate(parts, values):
    """The whole from two fractions of it: what does not grow with the work counts once."""
    (a, b), (x, y) = map(float, parts), values
    return x + (y - x) * (1 - a) / (b - a)


def whole(parts, predictions):
    """The prediction of a row from those at its two fractions."""
    small, large = predictions
    result = Prediction(bound=large.bound, hbm_bytes=int(extrapolate(parts, [small.hbm_bytes, large.hbm_bytes])))
    result.us = extrapolate(parts, [small.us, large.us])
    for name in ("busy", "cycles"):
        for pipe in getattr(large, name):
            getattr(result, name)[pipe] = extrapolate(parts, [getattr(p, name).get(pipe, 0) for p in predictions])
    return result


def needs_launch(row, keys):
    """Vector functions of C++ are timed while they run: other numbers of theirs need another launch."""
    return not row.is_script and any(key.startswith("vf") for key in keys)


class Whole:
    """A row as a whole, recorded at its fractions where it has some."""

    def __init__(self, row, parts=None):
        self.row, self.parts = row, parts or row.part or (1,)
        self.recordings = [Recording(row, part) for part in self.parts]

    def time(self, texts=None):
        """The prediction, with these lines of the platform changed."""
        if not texts:
            predictions = [recording.first for recording in self.recordings]
        else:
            platform = platforms.derive(self.row.platform, texts)
            if needs_launch(self.row, texts):
                predictions = [Recording(self.row, part, platform).first for part in self.parts]
            else:
                predictions = [recording.time(platform) for recording in self.recordings]
        return predictions[0] if len(self.parts) == 1 else whole(self.parts, predictions)


# ---- what workers are asked ----------------------------------------------------------------------------------------------


def predict(row, variants=({},), parts=None):
    """[prediction] of a row with {line: text} of its platform changed."""
    recorded = Whole(row, parts)
    return [recorded.time(texts) for texts in variants]


def scaling(row, third):
    """(time of a third fraction of the work as the row's two fractions have it, its time)."""
    small, large = (Recording(row, part).first.value(row) for part in row.part)
    a, b = map(float, row.part)
    return small + (large - small) * (float(third) - a) / (b - a), Recording(row, third).first.value(row)
