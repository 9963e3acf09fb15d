"""`autotune` and `heuristics`: which constants a launch has. Configurations are timed by the model."""

import builtins
import os

from tilesmith.triton.package._jit import KernelInterface


class Config:
    """Constants and options of one way to launch a kernel."""

    def __init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None, **options):
        self.kwargs, self.num_warps, self.num_stages, self.num_ctas = kwargs, num_warps, num_stages, num_ctas
        self.maxnreg, self.pre_hook, self.options = maxnreg, pre_hook, options

    def all_kwargs(self):
        """Everything a launch is given."""
        given = {"num_warps": self.num_warps, "num_stages": self.num_stages, "num_ctas": self.num_ctas, "maxnreg": self.maxnreg}
        return self.kwargs | {name: value for name, value in given.items() if value is not None} | self.options

    def __str__(self):
        return ", ".join(f"{name}: {value}" for name, value in self.all_kwargs().items())

    __repr__ = __str__


class Autotuner(KernelInterface):
    """A kernel that is launched with the configuration the model finds the fastest."""

    def __init__(self, fn, configs, key, prune_configs_by=None, pre_hook=None, post_hook=None):
        self.fn, self.configs, self.keys = fn, configs or [Config({})], key
        self.arg_names = fn.arg_names
        self.prune, self.pre_hook, self.post_hook = prune_configs_by or {}, pre_hook, post_hook
        self.cache = {}
        self.best_config, self.configs_timings, self.invalid = None, {}, {}
        self.__name__, self.__doc__ = fn.__name__, fn.__doc__

    @property
    def base_fn(self):
        """The function itself."""
        fn = self.fn
        while not hasattr(fn, "__code__"):
            fn = fn.fn
        return fn

    def run(self, *args, grid, warmup=False, **kwargs):
        """Finds the best configuration for new values of the key, and launches it."""
        named = dict(zip(self.arg_names, args)) | kwargs
        key = tuple(named[name] for name in self.keys if name in named)
        key += tuple(str(value.dtype) for value in named.values() if hasattr(value, "dtype") and hasattr(value, "shape"))
        if len(self.configs) == 1:
            self.best_config = self.configs[0]
        elif key in self.cache:
            self.best_config = self.cache[key]
        else:
            self.best_config = self.cache[key] = self._search(args, kwargs, grid, named)
        config = self.best_config
        if config.pre_hook is not None:
            config.pre_hook(named | config.all_kwargs())
        return self.fn.run(*args, grid=grid, warmup=warmup, **(kwargs | config.all_kwargs()))

    def warmup(self, *args, grid, **kwargs):
        """Compiles without a launch."""
        return self.run(*args, grid=grid, warmup=True, **kwargs)

    def _search(self, args, kwargs, grid, named):
        from tilesmith.triton.package.testing import model_time

        configs = list(self.configs)
        if "early_config_prune" in self.prune:
            configs = list(self.prune["early_config_prune"](configs, named, **kwargs))
        self.configs_timings, self.invalid = {}, {}
        for config in configs:
            try:
                if config.pre_hook is not None:
                    config.pre_hook(named | config.all_kwargs())
                launch = lambda config=config: self.fn.run(*args, grid=grid, **(kwargs | config.all_kwargs()))
                self.configs_timings[config] = model_time(launch, dry=True)
            except Exception as error:  # one that cannot be compiled is one that is not chosen
                self.invalid[config] = error
        if not self.configs_timings:
            raise next(iter(self.invalid.values()))
        best = min(self.configs_timings, key=self.configs_timings.get)
        if os.environ.get("TRITON_PRINT_AUTOTUNING") == "1":
            print(f"Triton autotuning for function {self.__name__} finished; best config selected: {best};")
        return best


def autotune(configs, key=(), prune_configs_by=None, reset_to_zero=None, restore_value=None, pre_hook=None, post_hook=None, warmup=None,
             rep=None, use_cuda_graph=False, do_bench=None, cache_results=False):  # fmt: skip
    """Chooses among configurations by the time the model says; nothing is computed for that, so no argument changes."""
    return lambda fn: Autotuner(fn, configs, key, prune_configs_by, pre_hook, post_hook)


class Heuristics(KernelInterface):
    """A kernel with constants that are functions of its arguments."""

    def __init__(self, fn, values):
        self.fn, self.values, self.arg_names = fn, values, fn.arg_names
        self.__name__, self.__doc__ = fn.__name__, fn.__doc__

    def run(self, *args, grid, warmup=False, **kwargs):
        """Computes the constants and launches."""
        for name, value in self.values.items():
            kwargs[name] = value(builtins.dict(zip(self.arg_names, args)) | kwargs)
        return self.fn.run(*args, grid=grid, warmup=warmup, **kwargs)

    def warmup(self, *args, grid, **kwargs):
        """Compiles without a launch."""
        return self.run(*args, grid=grid, warmup=True, **kwargs)


def heuristics(values):
    """Constants as functions of the arguments by name."""
    return lambda fn: Heuristics(fn, values)
