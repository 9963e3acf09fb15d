"""How names of the language are declared: the compiler knows them by name, their Python function says the rest."""

from asc._builtin import Builtin

OUTSIDE = "Did you forget to add @triton.jit? tl.{} works inside a kernel only"


def operation(function):
    """Makes the decorated function the builtin of its name."""
    name = function.__name__
    return Builtin(f"triton.{name}", function, False, (), (ValueError, OUTSIDE.format(name)))
