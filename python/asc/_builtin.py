"""Builtins of the kernel language.

A builtin is known to the compiler by its name. Its Python function carries the signature and documentation; a few also
work on the host (`asc.ceildiv`), the others explain where they belong.
"""

import functools


class Builtin:
    """A function of the kernel language, such as `asc2.load`."""

    def __init__(self, name, function, on_host, forms, refusal=None, method=""):
        functools.update_wrapper(self, function)
        self.function = function
        self.forms = forms
        self.method = method  # of tiles; empty: none
        self.name = name
        self.on_host = on_host
        works = f"{name} works inside a kernel only: call it in a function decorated with @asc2.jit"
        self.refusal = refusal or (RuntimeError, works)  # what calling it on the host raises

    def __call__(self, *args, **kwargs):
        if not self.on_host:
            __tracebackhide__ = True  # of pytest
            kind, text = self.refusal
            error = kind(text)
            error.tilesmith_builtin = self.name  # a kernel that was called without [blocks] knows it by this
            raise error
        return self.function(*args, **kwargs)

    def __get__(self, instance, owner=None):
        """Nothing is bound. That there is a `__get__` makes this a routine for `help`, which then shows the signature."""
        return self

    def __repr__(self):
        return f"<builtin {self.name}>"

    def __reduce__(self):
        return self.name


def instruction(name, forms):
    """Makes the decorated function the instruction of this name. Most declarations are made by tools/isa.py."""
    works = f"{name.replace('asc.basic.', 'asc.')} works inside a kernel only: call it in a function decorated with @asc.jit"
    return lambda function: Builtin(name, function, False, forms, (RuntimeError, works))


def builtin(name, on_host=False, forms=(), method=""):
    """Makes the decorated function the builtin of this name.

    `forms` are its signatures for type checkers, where what comes out depends on what goes in. `method` is its name as a method of
    tiles. tools/declarations.py reads the declarations here: from them come the signatures the compiler knows (at build time) and
    the files *.pyi (tools/stubs.py).
    """
    return lambda function: Builtin(name, function, on_host, forms, method=method)
