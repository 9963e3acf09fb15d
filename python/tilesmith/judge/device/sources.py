"""C++ sources of a candidate, compiled where the device is. The folder is the device's own; options that run programs are refused."""

import os
import re

from . import symbols

_OPTION = re.compile(r"-(D|U|I|O[0-3s]|std=|W(?![alp],)|g|f(?!plugin))[^,]*")
PLAIN = 1024  # bytes of constants, and of texts, in any library
_COMPILERS = ("c++", "clang++", "g++")


def load(folder, request):
    """(a library of the kernels in `request["files"]`, of which `request["path"]` has them; bytes that its data says)."""
    import asc

    for option in request["options"]:
        if not _OPTION.fullmatch(option):
            raise ValueError(f"option {option} is not one a judged candidate may give to the compiler")
    if request["compiler"] is not None and not re.fullmatch(
        rf"({'|'.join(map(re.escape, _COMPILERS))})(-[0-9]+)?", request["compiler"]
    ):
        raise ValueError(f"a judged candidate chooses one of {', '.join(_COMPILERS)}, not {request['compiler']}")
    for path, text in request["files"].items():
        place = _below(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
    options = ["-I" + _below(folder, option[2:]) if option.startswith("-I") else option for option in request["options"]]
    try:
        library = asc.load_ascendc(
            _below(folder, request["path"]),
            kernels=request["kernels"],
            compiler=request["compiler"],
            options=options,
            timeout=request["timeout"],
        )
        symbols.check(library.file)
        data = sum(max(0, each - PLAIN) for each in symbols.data_in(library.file))
    except Exception as error:
        raise ValueError(str(error).replace(folder, "")) from None
    return library, data


def _below(folder, path):
    return folder + os.path.normpath("/" + path)
