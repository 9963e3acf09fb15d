"""What goes wrong before a C++ kernel runs."""


class AscendCError(RuntimeError):
    """A C++ kernel could not be compiled or found. The text is the compiler's, against the user's own file and line."""
