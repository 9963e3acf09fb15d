"""How names of the language are declared: the compiler knows them by name, their Python function says the rest."""

from asc._builtin import Builtin


def operation(function):
    """Makes the decorated function the builtin of its name."""
    name = f"pypto.{function.__name__}"
    works = f"{name} works inside a kernel only: call it in a function decorated with @pypto.frontend.jit"
    return Builtin(name, function, False, (), (RuntimeError, works))


def on_host(function):
    """The same, of one that also works outside of kernels."""
    return Builtin(f"pypto.{function.__name__}", function, True, ())
