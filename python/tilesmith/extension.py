"""The extension module `_tilesmith`; or, where it cannot be loaded, why, and what to do."""

import sys

HELP = "run ./dev build in a checkout, or pip install ."


def _version(path):
    """The Python an extension file was built for, as people write it ("3.13"); its tag where that is not CPython's."""
    tag = path.name.split(".")[1]
    digits = tag.split("-")[1] if tag.startswith("cpython-") else ""
    return f"{digits[0]}.{digits[1:]}" if digits.isdigit() else tag


def _built_for():
    """Versions of Python the extension files on the path were built for."""
    from pathlib import Path

    files = [file for folder in sys.path for file in sorted(Path(folder or ".").glob("_tilesmith.*.so"))]
    return list(dict.fromkeys(map(_version, files)))


def _reason(error):
    this = f"{sys.version_info.major}.{sys.version_info.minor}"
    if not isinstance(error, ModuleNotFoundError):  # it is there and does not load: a library it needs is missing
        return f"the extension of tilesmith cannot be loaded: {error}"
    found = _built_for()
    if found:
        return f"the extension of tilesmith was built for Python {' and '.join(found)}, this is {this}"
    return f"the extension of tilesmith (_tilesmith) was not built for this Python ({this})"


try:
    import _tilesmith  # noqa: F401
except ImportError as error:
    if str(error).startswith("TILESMITH_"):  # a variable of the environment that it read while it was loaded
        raise ImportError(str(error), name="_tilesmith") from None
    raise ImportError(f"{_reason(error)}\nhelp: {HELP}", name="_tilesmith") from None
