"""kernel[core_num]: an independent callable, implemented in the extension; and the steps of a launch that can be replaced."""

import _tilesmith

from .compiler import LaunchOptions

__all__ = ["Launcher", "LaunchOptions"]


class Replaceable(type):
    """A class with methods that stand for steps of a launch, `_STEPS`: name to (hook, function).

    Tests replace them to look at the IR, or to launch nothing. Unless one is replaced, a launch asks no Python code: the
    extension is told when one is.
    """

    _replaced: dict = {}  # hook to the methods replaced now

    def __setattr__(cls, name, value):
        super().__setattr__(name, value)
        hook, original = cls._STEPS.get(name, (None, None))
        if hook:
            methods = Replaceable._replaced.setdefault(hook, set())
            (methods.discard if value is original else methods.add)((cls, name))
            _tilesmith.set_hooks(**{hook: bool(methods)})


class _AnyLauncher(Replaceable):
    def __instancecheck__(cls, instance):
        return isinstance(instance, _tilesmith.Launcher)


class Launcher(metaclass=_AnyLauncher):
    """What `kernel[core_num]` is an instance of."""

    def run(self, core_num):
        """Stands for running a compiled kernel. Replaced, the replacement is called and nothing runs."""

    _STEPS = {"run": ("launcher_replaced", run)}
