"""What a C++ source says about its kernels: names and parameters, read from the text.

The text is the file's own where that is enough, else what the preprocessor makes of it: kernels may come out of macros,
stand in included files or under an #if. Only functions marked `__global__` count. Templates of kernels have no address of their own and are left out; a source can
be asked for an instance by naming it (`kernels=["scale<half>"]`).
"""

import re
from dataclasses import dataclass

_QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_GLOBAL = re.compile(r"\b__(?:tilesmith_)?global__\b[^;{}()]*?(?:__\w+__\s*\([^)]*\)[^;{}()]*?)?\bvoid\s+(\w+)\s*\(")
_TEMPLATE = re.compile(r"template\s*<[^;{}]*>\s*(?:extern\s*)?[^;{}]*\Z")
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)
_MARKER = re.compile(r'# \d+ "((?:\\.|[^"\\])*)"')


_LAUNCH = re.compile(r"\b([A-Za-z_]\w*(?:::\w+)*)(\s*<[^<>;{}()]*>)?\s*<<<(.*?)>>>\s*\(", re.DOTALL)


def without_launch_syntax(text, path):
    """A source whose launches (`kernel<<<blocks, nullptr, stream>>>(...)`) are calls any compiler reads, or None when it has none."""
    quiet = _QUIET.sub(_blank, text)
    if not _LAUNCH.search(quiet):
        return None
    pieces, end = ['#include "tikicpulib.h"\n#line 1 "' + path + '"\n'], 0
    for launch in _LAUNCH.finditer(quiet):
        kernel = text[launch.start(1) : launch.end(1)] + (launch.group(2) or "").strip()
        configuration = text[launch.start(3) : launch.end(3)]
        lines = "\n" * (text.count("\n", launch.start(), launch.end()) - configuration.count("\n"))
        pieces += [text[end : launch.start()], f'::tilesmith::launched<&{kernel}>("{launch.group(1)}", {configuration}){lines}(']
        end = launch.end()
    return "".join([*pieces, text[end:]])


@dataclass(frozen=True)
class KernelSource:
    name: str
    parameters: tuple  # names, "" for a parameter without one
    type: str = ""  # the enumerator its attributes name; "": they do not


_ATTRIBUTE = re.compile(r"\b__(?:tilesmith_)?(cube|vector|mix)__\b(?:\s*\(\s*(\d)\s*,\s*(\d)\s*\))?")
_TYPES = {
    ("cube", None, None): "KERNEL_TYPE_AIC_ONLY",
    ("vector", None, None): "KERNEL_TYPE_AIV_ONLY",
    ("mix", "1", "0"): "KERNEL_TYPE_MIX_AIC_1_0",
    ("mix", "0", "1"): "KERNEL_TYPE_MIX_AIV_1_0",
    ("mix", "1", "1"): "KERNEL_TYPE_MIX_AIC_1_1",
    ("mix", "1", "2"): "KERNEL_TYPE_MIX_AIC_1_2",
}


def _blank(match):
    """Comments and literals become spaces of the same shape, so that positions stay."""
    return re.sub(r"[^\n]", " ", match.group())


def _closing(text, begin):
    """Position of the parenthesis that closes the one before `begin`, or -1."""
    depth = 1
    for position in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    return -1


def _split(text):
    """A parameter list cut at its outer commas."""
    parts, depth, begin = [], 0, 0
    for position, character in enumerate(text):
        depth += {"(": 1, "<": 1, "[": 1, "{": 1, ")": -1, ">": -1, "]": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(text[begin:position])
            begin = position + 1
    parts.append(text[begin:])
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def _parameter_name(declaration):
    words = re.findall(r"\w+", declaration.split("=")[0].split("[")[0])
    # A lone word is a type; so is the last one after it is followed by * or &.
    named = len(words) > 1 and not re.search(r"[*&>]\s*\Z", declaration.split("=")[0].strip())
    return words[-1] if named and words[-1] not in ("int", "char", "float", "double", "long", "short", "unsigned", "bool") else ""


def needs_preprocessor(text, is_known_header):
    """Whether macros, conditions or includes of the user's own can hide or make up kernels."""
    for directive, rest in _DIRECTIVE.findall(text):
        if directive in ("if", "ifdef", "ifndef", "elif") or directive == "define" and "__global__" in rest:
            return True
        if directive == "include":
            name = rest.strip()
            if name.startswith('"') and not is_known_header(name.strip('"')):
                return True
    return False


def own_lines(preprocessed, is_own_file):
    """The lines of a preprocessed text that come from files of the user's."""
    kept, own = [], False
    for line in preprocessed.splitlines():
        marker = _MARKER.match(line)
        if marker:
            own = is_own_file(marker.group(1).replace('\\"', '"').replace("\\\\", "\\"))
        elif own:
            kept.append(line)
    return "\n".join(kept)


def find_kernels(text):
    """The kernels a source defines, in order. Declarations without a body and templates are left out."""
    text = _QUIET.sub(_blank, text)
    found = {}
    for match in _GLOBAL.finditer(text):
        end = _closing(text, match.end())
        if end < 0:
            continue
        after = text[end + 1 :].lstrip()
        if not after.startswith("{"):
            continue
        # What stands between the end of the statement before and this one.
        before = text[: match.start()]
        before = before[max(before.rfind(";"), before.rfind("}"), before.rfind("{")) + 1 :]
        if _TEMPLATE.search(before):
            continue
        parameters = tuple(_parameter_name(part) for part in _split(text[match.end() : end]))
        attribute = _ATTRIBUTE.search(before + match.group())
        kind = _TYPES.get(attribute.groups(), "") if attribute else ""
        found.setdefault(match.group(1), KernelSource(match.group(1), parameters, kind))
    return list(found.values())
