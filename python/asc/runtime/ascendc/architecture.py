"""What a source is told about the chip it is compiled for: the vendor's macros, from the platform that is chosen.

Our headers do not depend on them, so one library serves every platform unless the source itself asks.
"""

import re

import _tilesmith

from .errors import AscendCError
from .source import user_files

MACROS = {
    "c220": {"__NPU_ARCH__": "2201", "__CCE_AICORE__": "220"},
    "c310": {"__NPU_ARCH__": "3510", "__CCE_AICORE__": "310"},
}
_PARTS = {"c220": "Ascend910B1", "c310": "Ascend950PR_9599"}  # one of each, for messages
_ASKS = re.compile("|".join(MACROS["c220"]))


def architecture():
    """That of the current platform."""
    return _tilesmith.describe_platform(_tilesmith.current_platform())["arch"]


def asks(path, options):
    """Whether the source or a file of the user's that it includes looks at a macro of the architecture."""
    return any(_ASKS.search(text) for text in user_files(path, options).values())


def chosen(options):
    """{macro: value} of the options that name an architecture themselves."""
    given = dict(option[2:].partition("=")[::2] for option in options if option.startswith("-D"))
    return {name: given[name] or "1" for name in MACROS["c220"] if name in given}


def check(options):
    """An error where options name another architecture than the current platform has."""
    platform = _tilesmith.current_platform()
    own = MACROS.get(architecture(), {})
    for name, value in chosen(options).items():
        if name in own and value != own[name]:
            other = next((arch for arch, macros in MACROS.items() if macros[name] == value), None)
            raise AscendCError(
                f"error: -D{name}={value} is not the architecture of {platform}, where {name} is {own[name]}\n"
                f"help: the platform alone chooses the architecture: leave the option out"
                + (f", or choose a platform it belongs to (-v {_PARTS[other]})" if other else "")
            )


def flags(options):
    """Options that say the current platform's architecture, as far as the user's own options do not."""
    given = chosen(options)
    return [f"-D{name}={value}" for name, value in MACROS.get(architecture(), {}).items() if name not in given]
