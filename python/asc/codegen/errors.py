"""Errors of compiling a kernel."""


class CodegenError(Exception):
    """A kernel cannot be compiled. The text shows the place and the reason, like a compiler's.

    `message` is the whole text, `error_message` the reason alone, `node` the place (`lineno`, `col_offset`, `end_lineno`,
    `end_col_offset`), `src` the source of the function, `exception` the Python exception the error stands for. That is not its
    `__cause__`, or Python would show both.
    """

    exception: BaseException | None = None

    def __init__(self, message, node=None, src=None, error_message=None):
        super().__init__(message)
        self.message = message
        self.node = node
        self.src = src
        self.error_message = message if error_message is None else error_message


class UnsupportedSyntaxError(CodegenError):
    """The kernel uses a construct of Python that has no meaning on the chip."""
