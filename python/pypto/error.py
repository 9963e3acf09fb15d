"""What goes wrong with a kernel. Texts begin with a code: `ErrCode: F00002, ValueError: ...`."""

_CODES = {"TypeError": "F00001", "ValueError": "F00002", "RuntimeError": "F00003"}


class PyptoError(Exception):
    """Any of them."""


class FeError(PyptoError):
    """A kernel was called or declared wrongly."""


class ParserError(FeError):
    """A kernel says something the language does not have."""


def coded(text, kind="RuntimeError"):
    """The text with its code."""
    return f"ErrCode: {_CODES.get(kind, 'F00003')}, {kind}: {text}"


def fe(text, kind="ValueError"):
    """An error of a call."""
    return FeError(coded(text, kind))
