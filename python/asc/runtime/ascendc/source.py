"""What a C++ source says about its kernels: names and parameters, read from the text.

The text is the file's own where that is enough, else what the preprocessor makes of it: kernels may come out of macros,
stand in included files or under an #if. Only functions marked `__global__` count. A template of a kernel has no address of its own: its
instances are what the source instantiates or launches with arguments that mean the same everywhere, and what the user names
(`kernels=["scale<half>"]`).
"""

import ctypes
import os
import re
from dataclasses import dataclass

_QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_GLOBAL = re.compile(r"\b__(?:tilesmith_)?global__\b[^;{}()]*?(?:__\w+__\s*\([^)]*\)[^;{}()]*?)?\bvoid\s+(\w+)\s*\(")
_TEMPLATE = re.compile(r"\btemplate\s*<([^;{}]*)>\s*(?:extern\s*)?[^;{}<>]*\Z")
_INSTANTIATION = re.compile(r"\btemplate\s+[^;{}()<>]*(?:__\w+__\s*\([^)]*\)[^;{}()<>]*)?\bvoid\s+(\w+)\s*<([^;{}()]*)>\s*\(")
_PLAIN = re.compile(
    r"-?\d\w*|true|false|(?:(?:un)?signed\s+)?(?:bool|char|short|int|long|float|double)|half|bfloat16_t|float16_t|u?int(?:8|16|32|64)_t"
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)
_MARKER = re.compile(r'# \d+ "((?:\\.|[^"\\])*)"')


_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


@dataclass(frozen=True)
class KernelSource:
    name: str
    parameters: tuple  # names, "" for a parameter without one
    type: str = ""  # the enumerator its attributes name; "": they do not
    declared: tuple = ()  # the parameters as they are declared
    plain: bool = False  # nothing says that it runs on a core: in a source with threads, one thread of it does

    def workspace(self):
        """The position of the parameter that is the workspace of the system; -1: none."""
        marked = [index for index, text in enumerate(self.declared) if "__kfc_workspace__" in text]
        names = [name.lower() for name in self.parameters]
        return marked[0] if marked else names.index("workspace") if "workspace" in names else -1

    def address(self):
        """Its address in C++. Among functions of the C library with its name only its type tells it."""
        return f"static_cast<void (*)({', '.join(self.declared)})>(&{self.name})" if is_c_function(self.name) else f"&{self.name}"


@dataclass(frozen=True)
class TemplateSource:
    """A template of a kernel; `arguments` are the declarations of its template parameters."""

    name: str
    parameters: tuple
    type: str
    arguments: str
    plain: bool = False

    def instance(self, name):
        return KernelSource(name, self.parameters, self.type, plain=self.plain)

    def example(self):
        """How an instance may be written."""
        words = {"bool": "true", "typename": "half", "class": "half"}
        return f"{self.name}<{', '.join(words.get(part.split()[0], '1') for part in _split(self.arguments))}>"


_ATTRIBUTE = re.compile(r"\b__(?:tilesmith_)?(cube|vector|mix)__\b(?:\s*\(\s*(\d)\s*,\s*(\d)\s*\))?")
_TYPES = {
    ("cube", None, None): "KERNEL_TYPE_AIC_ONLY",
    ("vector", None, None): "KERNEL_TYPE_AIV_ONLY",
    ("mix", "1", "0"): "KERNEL_TYPE_MIX_AIC_1_0",
    ("mix", "0", "1"): "KERNEL_TYPE_MIX_AIV_1_0",
    ("mix", "1", "1"): "KERNEL_TYPE_MIX_AIC_1_1",
    ("mix", "1", "2"): "KERNEL_TYPE_MIX_AIC_1_2",
}


# A Matmul object needs both kinds of cores, or where the file says so cube cores alone; a kernel may say its type itself.
_MATMUL = re.compile(r"\bREGIST_MATMUL_OBJ\b|\bregisterMatmuls\b")
_OF_CUBES = re.compile(r"^[ \t]*#[ \t]*define[ \t]+ASCENDC_CUBE_ONLY\b|\bregisterMatmuls<true>", re.MULTILINE)
_SAYS_TYPE = re.compile(r"\bKERNEL_TASK_TYPE\w*\b|\btsm_kernel_type\b")


def _usual_type(text):
    """The type of kernels that do not say it."""
    if not _MATMUL.search(text) or _SAYS_TYPE.search(text):
        return ""
    return "KERNEL_TYPE_AIC_ONLY" if _OF_CUBES.search(text) else "KERNEL_TYPE_MIX_AIC_1_2"


def user_files(path, options):
    """{file: text} of a source and of the files it includes by quotes, from its folder and those of -I, as far as they exist."""
    folders = [option[2:] for option in options if option.startswith("-I")]
    todo, found = [os.path.abspath(path)], {}
    while todo:
        file = os.path.normpath(todo.pop())
        if file in found:
            continue
        try:
            with open(file, encoding="utf-8-sig", errors="surrogateescape", newline="") as source:
                found[file] = source.read()
        except OSError:
            continue
        for name in _INCLUDE.findall(found[file]):
            todo += [os.path.join(folder, name) for folder in [os.path.dirname(file), *folders]]
    return found


def quiet(text):
    """The text with comments and literals as spaces of the same shape, so that positions stay."""
    return _QUIET.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def is_c_function(name):
    return hasattr(ctypes.CDLL(None), name)


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
    """The kernels a source defines, in order, and its templates of kernels. Declarations without a body are left out."""
    text = quiet(text)
    usual = _usual_type(text)
    found, templates = {}, {}
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
        declared = _split(text[match.end() : end])
        parameters = tuple(_parameter_name(part) for part in declared)
        attribute = _ATTRIBUTE.search(before + match.group())
        kind = _TYPES.get(attribute.groups(), "") if attribute else usual
        plain = not attribute and "__aicore__" not in before + match.group()
        template = _TEMPLATE.search(before)
        if template:
            templates.setdefault(match.group(1), TemplateSource(match.group(1), parameters, kind, template.group(1), plain))
        else:
            found.setdefault(
                match.group(1),
                KernelSource(
                    match.group(1),
                    parameters,
                    kind,
                    tuple(part.split("=")[0] for part in declared),
                    plain,
                ),
            )
    return list(found.values()), templates


def instances(text, templates, launches):
    """The instances of its templates that a source names: explicit instantiations, and launches whose arguments are literals and types
    of the language, which mean the same outside of the function that launches."""
    named = [(match.group(1), match.group(2)) for match in _INSTANTIATION.finditer(quiet(text))]
    named += [
        (launch.name, launch.arguments[1:-1])
        for launch in launches
        if launch.arguments and all(_PLAIN.fullmatch(part) for part in _split(launch.arguments[1:-1]))
    ]
    found = {f"{name}<{', '.join(_split(arguments))}>": templates.get(name.rpartition("::")[2]) for name, arguments in named}
    return [template.instance(name) for name, template in found.items() if template]
