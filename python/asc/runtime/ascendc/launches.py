"""Launches in the vendor's syntax, `kernel<<<blocks, nullptr, stream>>>(...)`, which only its compiler reads."""

import re
from dataclasses import dataclass

from .source import KernelSource, TemplateSource, find_kernels, is_c_function, quiet
from .threads import has_threads

_NAME = re.compile(r"(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*\Z")
_CLOSING = re.compile(r">>>\s*\(")
_SIZED = r"\w+\s*(?:\[[^\[\];]*\])+"
_UB_ARRAY = re.compile(
    rf"(?P<dynamic>\bextern\s+)?\b(?P<memory>__ubuf__|__shared__|__cbuf__|__ca__|__cb__|__cc__)\s+(?P<type>[\w:]+(?:\s*<[^<>;]*>)?)\s+(?P<arrays>{_SIZED}(?:\s*,\s*{_SIZED})*)\s*;"
)
# Memories of the cube core, whose bytes no pointer of the host reaches.
_OF_CUBE = {"__cbuf__": "A1", "__ca__": "A2", "__cb__": "B2", "__cc__": "CO1"}
_CACHE_HINT = re.compile(r"\b(asc_(?:load|store)_l2_cache_mode)\s*::\s*\w+")
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


def for_any_compiler(texts):
    """{file: text} as any compiler reads it, of those of a program's files {file: text} that are not so already. Launches are calls, and
    a kernel with the name of a C function is not `extern "C"`, so that it is a function beside that one. Arrays in UB are declared
    so that they lie there, and hints for L2 lose their names. Lines stay where they are."""
    launches = {file: find_launches(text) for file, text in texts.items()}
    known, threads = {}, has_threads(texts)
    for text in texts.values() if any(launches.values()) else ():
        kernels, templates = find_kernels(text)
        known |= templates | {each.name: each for each in kernels}
    changed = {}
    for file, text in texts.items():
        edits = [
            (match.start(), match.end(), re.sub(r"\S", " ", match.group()))
            for match in _EXTERN_C.finditer(text)
            if is_c_function(match.group(1))
        ]
        edits += [*_arrays_in_ub(quiet(text), text), *_cache_hints(quiet(text))]
        edits += [
            (each.begin, each.end, _call(each, known, threads, text.count("\n", each.begin, each.end))) for each in launches[file]
        ]
        if edits:
            changed[file] = f'#include "tikicpulib.h"\n{_in_place(file)}{_edited(text, edits)}'
    return changed


def as_it_is(file, text):
    """A copy of a file whose lines are told as the file's own."""
    return _in_place(file) + text


def _arrays_in_ub(still, text):
    """A declaration in a function is a reference to bytes of UB: one array for a block. One that is `extern` begins where UB does. In a
    memory of the cube core it is an offset."""
    edits = []
    for match in _UB_ARRAY.finditer(still):
        kind, made = match["type"], []
        for array in re.finditer(_SIZED, still[: match.end("arrays")][match.start("arrays") :]):
            name, sizes = re.match(r"(\w+)\s*(.*)", text[match.start("arrays") :][array.start() : array.end()], re.DOTALL).groups()
            if match["dynamic"]:
                made.append(f"auto *{name} = ::tilesmith::sharedMemory<{kind}{sizes[sizes.index(']') + 1 :]}>();")
            elif match["memory"] in _OF_CUBE:
                place = f"::AscendC::TPosition::{_OF_CUBE[match['memory']]}"
                made.append(f"auto *{name} = ::tilesmith::cubeArray<{kind}{sizes}, {place}>([] {{}});")
            else:
                made.append(f"auto &{name} = ::tilesmith::sharedArray<{kind}{sizes}>([] {{}});")
        lines = text.count("\n", match.start(), match.end()) - sum(each.count("\n") for each in made)
        edits.append((match.start(), match.end(), " ".join(made) + "\n" * lines))
    return edits


def _cache_hints(still):
    return [(match.start(), match.end(), f"{match[1]}::tsAny") for match in _CACHE_HINT.finditer(still)]


def _in_place(file):
    return f'#line 1 "{file}"\n'


def _edited(text, edits):
    pieces, end = [], 0
    for first, last, replacement in sorted(edits):
        pieces += [text[end:first], replacement]
        end = last
    return "".join([*pieces, text[end:]])


def _call(launch, known, threads, lines):
    """A launch as a call that takes as many lines. In a source with threads a kernel that says nothing of a core is one of threads."""
    name, kernel = launch.name + launch.arguments, known.get(launch.name.rpartition("::")[2])
    address = kernel.address() if isinstance(kernel, KernelSource) and "::" not in name else f"&{name}"
    type = kernel.type if kernel and kernel.type else -1
    launched = "::tilesmith::launchedThreads" if threads and kernel and kernel.plain else "::tilesmith::launched"
    workspace = (
        f", {kernel.workspace()}"
        if isinstance(kernel, KernelSource) and kernel.workspace() >= 0 and not launched.endswith("Threads")
        else ""
    )
    if isinstance(kernel, TemplateSource) and not launch.arguments:  # which instance, the arguments of the call tell
        call = f'{launched}By([](auto... args) {{ {name}(args...); }}, "{name}", {type}, {launch.configuration})'
    else:
        call = f'{launched}<::tilesmith::kernelAt({address}){workspace}>("{name}", {type}, {launch.configuration})'
    return call + "\n" * (lines - call.count("\n")) + "("
