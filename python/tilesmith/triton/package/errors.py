"""What goes wrong while a kernel is compiled or launched, by the names programs catch."""

from asc.codegen.errors import CodegenError


class TritonError(Exception):
    """The base of all of them."""


class CompilationError(CodegenError, TritonError):
    """A kernel cannot be compiled. The text shows the place and the reason."""


class CompileTimeAssertionFailure(CompilationError):
    """The condition of a static_assert is false."""


class UnsupportedLanguageConstruct(CompilationError):
    """The kernel uses a construct of Python that has no meaning on the chip."""


class OutOfResources(TritonError):
    """What a kernel needs does not fit on the chip."""


def translated(error):
    """An error of our compiler as Triton's."""
    from asc.codegen.errors import UnsupportedSyntaxError

    kind = CompilationError
    if isinstance(error, UnsupportedSyntaxError):
        kind = UnsupportedLanguageConstruct
    elif isinstance(error.exception, AssertionError):
        kind = CompileTimeAssertionFailure
    return kind(error.message, error.node, error.src, error.error_message)
