"""`@asc2.autotune`: a kernel that chooses its own ConstExpr parameters."""

from __future__ import annotations

import os

from . import config as configs_module
from .config import Config, blocks_of, expand
from .measure import Task
from .search import Search
from .store import Store, signature
from .workers import Inline, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from .result import TuneResult

session: Any = None  # of `tilesmith tune`: told of launches of autotuned kernels, and chooses for them


def tune(
    kernel: Any,
    arguments: Mapping[str, Any],
    configs: Any,
    *,
    blocks: Any = None,
    key: Iterable[str] | None = None,
    jobs: int | None = None,
    reuse: bool = True,
    workers: Any = None,
    **how: Any,
) -> TuneResult:
    """Searches configurations for a kernel (a jit function) and its other arguments, by name."""
    chosen = expand(configs)
    configs_module.check(chosen, kernel)
    task = Task(kernel, dict(arguments), blocks)
    store = Store.of(kernel, signature(task.arguments, key)) if reuse else Store.nowhere()
    mine = workers or make(task, chosen, jobs if jobs is not None else (os.cpu_count() or 1))
    search = Search(task, chosen, mine, store, **how)
    try:
        if all(store.get(search._key(row)) for row in search.rows if _resolved(row, task)):
            search.workers = Inline(task)
        return search.run()
    finally:
        mine.close()


def _resolved(row, task):
    try:
        row.blocks = blocks_of(row.config, task.blocks)
    except Exception:
        return False
    return True


def _is_jit(kernel):
    from asc.runtime.jit import JITFunction

    return isinstance(kernel, JITFunction)


def _same_blocks(blocks):
    """What tells one number of blocks, or one function for it, from another."""
    code = getattr(blocks, "__code__", None)
    if code is None:
        return blocks
    cells = tuple(_told(cell.cell_contents) for cell in blocks.__closure__ or ())
    return code, cells, _told(blocks.__defaults__)


def _told(value):
    """A value as text; of an array its shape and dtype, as its elements do not change how many blocks there are."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{type(value).__name__} {tuple(value.shape)} {value.dtype}"
    return repr(value)


class AutotunedLauncher:
    """`kernel[blocks]` of an autotuned kernel: launches with the best configuration for its arguments."""

    def __init__(self, kernel: Autotuned, blocks: Any) -> None:
        self.kernel, self.blocks = kernel, blocks

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Launches. The first launch with arguments of a kind searches; what was found before is used again."""
        arguments, given = self.kernel._bind(args, kwargs)
        config = self.kernel._choose(self.blocks, arguments, given)
        import _tilesmith

        listener = _tilesmith.get_settings()["listener"]
        if listener is not None and session is not None:
            _tilesmith.set_settings(listener=None)  # it has been told
        try:
            Task(self.kernel.kernel, arguments, self.blocks).launch(config)
        finally:
            if listener is not None and session is not None:
                _tilesmith.set_settings(listener=listener)

    def tune(self, *args: Any, jobs: int | None = None, reuse: bool = True, exhaustive: bool = False, **kwargs: Any) -> TuneResult:
        """Searches for these arguments and launches nothing. With `exhaustive` every configuration is timed to its end."""
        arguments, given = self.kernel._bind(args, kwargs)
        return self.kernel._search(self.blocks, arguments, given, jobs=jobs, reuse=reuse, exhaustive=exhaustive)

    def best_config(self, *args: Any, **kwargs: Any) -> Config:
        """The configuration a launch with these arguments has."""
        arguments, given = self.kernel._bind(args, kwargs)
        return self.kernel._choose(self.blocks, arguments, given)


class Autotuned:
    """A kernel whose ConstExpr parameters are chosen by model time.

    `k[blocks](...)` launches it, without the parameters that are tuned; `blocks` is a number, or a function of the configuration:
    `k[lambda config: asc.ceildiv(n, config.tile)](...)`. Where every configuration names its `blocks`, `k(...)` launches. `k.kernel` is
    the jit function.
    """

    def __init__(self, kernel: Any, configs: Any, key: Iterable[str] | None = None, jobs: int | None = None) -> None:
        if not _is_jit(kernel):
            raise TypeError("autotune takes a jit function: write @asc2.autotune(...) above @asc2.jit")
        self.kernel, self.configs, self.jobs = kernel, expand(configs), jobs
        configs_module.check(self.configs, kernel)
        names = [name for name, *_ in kernel.parameters]
        if isinstance(key, str):
            raise TypeError(f"key is a list of names of parameters, not {key!r}")
        self.key = None if key is None else list(key)
        for name in self.key or ():
            if name not in names:
                import difflib

                near = next(iter(difflib.get_close_matches(name, names, 1)), None)
                raise TypeError(
                    f"key: '{kernel.__name__}' has no parameter '{name}'" + (f"; did you mean '{near}'?" if near else "")
                )
        self._tuned = {name for config in self.configs for name in config if name in names}
        self._chosen: dict[Any, Config] = {}
        self.__name__, self.__qualname__, self.__module__ = kernel.__name__, kernel.__qualname__, kernel.__module__
        self.__doc__, self.fn = kernel.__doc__, kernel.fn

    def __getitem__(self, blocks: int | Callable[[Config], int]) -> AutotunedLauncher:
        if not callable(blocks):
            self.kernel[blocks]  # says what is wrong with a number
        return AutotunedLauncher(self, blocks)

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Launches, where every configuration names its number of blocks."""
        return self._unbracketed()(*args, **kwargs)

    def tune(self, *args: Any, **kwargs: Any) -> TuneResult:
        """Searches for these arguments; the same as `k[blocks].tune(...)` where every configuration names its number of blocks."""
        return self._unbracketed().tune(*args, **kwargs)

    def best_config(self, *args: Any, **kwargs: Any) -> Config:
        """The configuration a launch with these arguments has, where every configuration names its number of blocks."""
        return self._unbracketed().best_config(*args, **kwargs)

    def clear_cache(self) -> None:
        """Forgets what was chosen and compiled in this process."""
        self._chosen.clear()
        self.kernel.clear_cache()

    def __repr__(self) -> str:
        return f"<autotuned {self.kernel!r}, {len(self.configs)} configurations>"

    def _unbracketed(self):
        blocks = self.kernel.options.get("core_num")
        if not blocks and not all("blocks" in config for config in self.configs):
            raise TypeError(
                f"'{self.__name__}' is launched as {self.__name__}[blocks](...), as its configurations name no number of blocks"
            )
        return AutotunedLauncher(self, blocks or None)

    def _bind(self, args, kwargs):
        """(arguments by name without what is to be chosen, values given for parameters that are tuned)."""
        names = [name for name, *_ in self.kernel.parameters]
        if len(args) > len(names):
            raise TypeError(f"{self.__name__}() takes {len(names)} arguments but {len(args)} were given")
        bound = dict(zip(names, args))
        for name in kwargs.keys() & bound.keys():
            raise TypeError(f"{self.__name__}() got multiple values for argument '{name}'")
        bound.update(kwargs)
        defaults = {entry[0]: entry[3] for entry in self.kernel.parameters if len(entry) > 3}
        missing = [name for name in names if name not in bound and name not in self._tuned and name not in defaults]
        if missing:
            listed = ", ".join(f"'{name}'" for name in missing)
            raise TypeError(f"{self.__name__}() is missing argument{'s' if len(missing) > 1 else ''} {listed}")
        given = {name: bound.pop(name) for name in list(bound) if name in self._tuned}
        return bound, given

    def _space(self, given):
        """The configurations that agree with the values a launch gives itself."""
        if not given:
            return self.configs
        return list(dict.fromkeys(Config(**{**config.values, **given}) for config in self.configs))

    def _search(self, blocks, arguments, given, **how):
        how.setdefault("jobs", self.jobs)
        return tune(self.kernel, arguments, self._space(given), blocks=blocks, key=self.key, **how)

    def _found(self, blocks, arguments, given):
        """The best configuration of a search."""
        import _tilesmith

        remote = _tilesmith.device_is_remote()
        # Where the device is in another process, children cannot use it and nothing is kept on disk.
        result = self._search(blocks, arguments, given, **({"jobs": 1, "reuse": False} if remote else {}))
        if result.best_row is not None:
            return result.best
        # It may not tell times, or not those that depend on data: the first configuration that can be launched, then.
        for row in result.rows if remote else ():
            if row.reason == "the launch has no time" or "the scalar unit reads data" in row.text:
                return row.config
        raise RuntimeError(result.failure())

    def _choose(self, blocks, arguments, given):
        import _tilesmith

        if session is not None:
            return session.autotuned(self, blocks, arguments, given).best
        space = self._space(given)
        if len(space) == 1:
            return space[0]
        key = _tilesmith.model_id(), signature(arguments, self.key), _same_blocks(blocks), repr(sorted(given.items()))
        if key not in self._chosen:
            self._chosen[key] = self._found(blocks, arguments, given)
        return self._chosen[key]


def autotune(
    configs: Mapping[str, Iterable[Any]] | Iterable[Config | Mapping[str, Any]],
    key: Iterable[str] | None = None,
    *,
    jobs: int | None = None,
) -> Callable[[Any], Autotuned]:
    """Chooses ConstExpr parameters of a kernel by model time, when it is first launched with arguments of a kind:

        @asc2.autotune(configs={"tile": [1024, 2048, 4096]}, key=["size"])
        @asc2.jit
        def scale(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]): ...

        scale[48](x, y, x.size)

    `configs` is a list of `asc2.Config(tile=1024, blocks=8)`, or a dict of lists, of which every combination is tried. Names are
    ConstExpr parameters, `blocks`, and options of jit. `key` names the parameters whose values make another search necessary; without
    it, all do. Configurations that cannot be compiled or launched are left out. `jobs` is the number of processes of a search.
    """
    if configs is None or callable(configs):
        raise TypeError("autotune needs configurations: @asc2.autotune(configs={'tile': [1024, 2048]})")
    chosen = expand(configs)
    return lambda kernel: Autotuned(kernel, chosen, key, jobs)
