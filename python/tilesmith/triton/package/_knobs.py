"""`triton.knobs`: settings that programs read or change. Those with a variable of the environment act through it."""

import os
from contextlib import contextmanager


class Switch:
    """A setting that is on where a variable of the environment says 1."""

    def __init__(self, variable):
        self.variable = variable

    def __get__(self, instance, owner=None):
        return os.environ.get(self.variable, "0") in ("1", "true", "on")

    def __set__(self, instance, value):
        os.environ[self.variable] = "1" if value else "0"


class Group:
    """Settings of one kind; one that has no meaning here keeps what it is given."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return None

    @contextmanager
    def scope(self):
        """What is changed inside is undone afterwards."""
        own, variables = dict(vars(self)), dict(os.environ)
        try:
            yield self
        finally:
            vars(self).clear()
            vars(self).update(own)
            os.environ.clear()
            os.environ.update(variables)


class Autotuning(Group):
    """How configurations are chosen."""

    print = Switch("TRITON_PRINT_AUTOTUNING")


class Compilation(Group):
    """How kernels are compiled."""

    allow_non_constexpr_globals = Switch("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS")


class Cache(Group):
    """Where compiled kernels are kept."""

    @property
    def dir(self):
        """The folder."""
        from asc.runtime import cache

        return cache.folder()


runtime, autotuning, compilation, cache = Group(), Autotuning(), Compilation(), Cache()
language, build, ascend, npu, nvidia, amd, proton, redis = (Group() for _ in range(8))
