"""What goes wrong while a kernel is compiled or launched, by the names programs catch."""

import re

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

    kind, message = CompilationError, error.message
    if isinstance(error, UnsupportedSyntaxError):
        kind = UnsupportedLanguageConstruct
    elif isinstance(error.exception, AssertionError):
        kind = CompileTimeAssertionFailure
    return kind(_overflow(_in_other_words(message)), error.node, error.src, error.error_message)


# Where our words are others: those people search for.
_WORDS = (
    (
        re.compile(r"error: (?:TypeError: )?(\w+) is (.+?) before the loop and (.+?) after one iteration"),
        "Loop-carried variable {} has initial type {} but is re-assigned to {} in loop! Please make sure that the type stays consistent.",
    ),
    (
        re.compile(r"error: (?:TypeError: )?(\w+) is (.+?) in one branch of this if and (.+?) in the other"),
        "Mismatched type for {} between then block ({}) and else block ({})",
    ),
)


def _in_other_words(message):
    for ours, words in _WORDS:
        found = ours.search(message)
        if found:
            return f"{message}\nnote: {words.format(*found.groups())}"
    return message


_LIVE = re.compile(r"live in (UB|L1|L0C) here \(\S+ has (\d+) bytes\):\n(.*?)(?:\nhelp|\Z)", re.DOTALL)


def overflows(error):
    """Whether tiles of the kernel do not fit into UB."""
    found = _LIVE.search(error.message)
    return found is not None and found[1] == "UB"


def _overflow(message):
    """The message, in the words people search for where tiles do not fit on the chip."""
    found = _LIVE.search(message)
    if not found:
        return message
    needed = sum(int(size) for size in re.findall(r" (\d+) bytes", found[3]))
    words = f"{found[1].lower()} overflow, requires {8 * needed} bits while {8 * int(found[2])} bits available"
    return f"{message}\nnote: {words}"
