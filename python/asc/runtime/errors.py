"""Errors of running kernels. Those of compiling them are in asc.codegen.errors."""


class KernelError(RuntimeError):
    """The model saw a kernel do something the chip does not allow. The text names the place, like a compiler's."""
