"""Launches in the vendor's syntax, `kernel<<<blocks, nullptr, stream>>>(...)`, which only its compiler reads."""

import re
from dataclasses import dataclass

from .source import KernelSource, find_kernels, is_c_function, quiet

_NAME = re.compile(r"(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*\Z")
_CLOSING = re.compile(r">>>\s*\(")
_EXTERN_C = re.compile(
    r'\bextern\s+"C"(?=\s+(?:\w+\s+|__\w+__\s*\([^)]*\)\s*)*?__global__\b[^;{}()]*?'
    r"(?:__\w+__\s*\([^)]*\)[^;{}()]*?)?\bvoid\s+(\w+)\s*\()"
)


@dataclass(frozen=True)
class Launch:
    begin: int  # where the name of the kernel begins
    end: int  # after the parenthesis that opens its arguments
    name: str  # without template arguments
    arguments: str  # of the template, with their brackets; "" without
    configuration: str  # between <<< and >>>


def find_launches(text):
    """All launches of a source, in order."""
    still, found = quiet(text), []
    for at in (match.start() for match in re.finditer("<<<", still)):
        closing = _CLOSING.search(still, at + 3)
        before = still[:at].rstrip()
        opening = _opening(before) if before.endswith(">") else len(before)
        name = _NAME.search(before[:opening].rstrip()) if opening > 0 else None
        if closing and name and (not found or name.start() >= found[-1].end):
            found.append(
                Launch(
                    name.start(),
                    closing.end(),
                    re.sub(r"\s", "", name.group()),
                    text[opening : len(before)].strip(),
                    text[at + 3 : closing.start()],
                )
            )
    return found


def _opening(text):
    """Where the angle bracket opens that the text ends with closing; 0 where none does."""
    depth = inside = 0
    for position in range(len(text) - 1, -1, -1):
        inside += {")": 1, "(": -1}.get(text[position], 0)
        if inside == 0:  # what stands in parentheses compares
            depth += {">": 1, "<": -1}.get(text[position], 0)
        if depth == 0 or inside < 0 or text[position] in ";{}":
            return position if text[position] == "<" else 0
    return 0


def for_any_compiler(text, path):
    """A source that any compiler reads, with the lines it had: launches are calls, and a kernel with the name of a C function is not
    `extern "C"`, so that it is a function beside that one. None where the source is that already."""
    launches = find_launches(text)
    renamed = [match for match in _EXTERN_C.finditer(text) if is_c_function(match.group(1))]
    if not launches and not renamed:
        return None
    edits = [(match.start(), match.end(), re.sub(r"\S", " ", match.group())) for match in renamed]
    kernels, templates = find_kernels(text) if launches else ([], {})
    known = templates | {each.name: each for each in kernels}
    for launch in launches:
        name, kernel = launch.name + launch.arguments, known.get(launch.name.rpartition("::")[2])
        address = kernel.address() if isinstance(kernel, KernelSource) and "::" not in name else f"&{name}"
        type = kernel.type if kernel and kernel.type else -1
        call = f'::tilesmith::launched<::tilesmith::kernelAt({address})>("{name}", {type}, {launch.configuration})'
        edits.append(
            (launch.begin, launch.end, call + "\n" * (text.count("\n", launch.begin, launch.end) - call.count("\n")) + "(")
        )
    pieces, end = ['#include "tikicpulib.h"\n#line 1 "' + path + '"\n'], 0
    for first, last, replacement in sorted(edits):
        pieces += [text[end:first], replacement]
        end = last
    return "".join([*pieces, text[end:]])
