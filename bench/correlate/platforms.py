"""The numbers of a part, one by one, and parts that differ from it in some.

A constant is a number of a line of a platform file: `Ascend910B1:gmToUb.rate`. It belongs to the file that says it; parts based on that
one have the same. A derived part is a file with its base and the lines that differ, so nothing but the model reads it.
"""

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "lib" / "Machine" / "Time" / "platforms"
FITTED = re.compile(r"\bINFERRED\b|\bfitted\b", re.IGNORECASE)

# Of the part and its memories, or words about a result: changing them makes another part, not another model of this one.
FACTS = re.compile(
    r"capacity\..*|cubeCores|vectorCores|clockMHz|maxBlocks|boundPercent|l2Bytes|l2Line|alignBytes|bank(Groups|Bytes|Merge)|vf\w*Ports|cubeMac\w+"
)
_LINE = re.compile(r"([\w.]+)\s*=\s*([^#]*?)\s*(?:#\s*(.*))?\Z")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Line:
    part: str  # whose file says it
    key: str
    text: str  # the value as written
    source: str


@dataclass(frozen=True)
class Constant:
    line: Line
    index: int  # of the number in the line
    name: str  # part:key or part:key.what

    @property
    def number(self):
        return _NUMBER.findall(self.line.text)[self.index]

    @property
    def value(self):
        return float(self.number)

    @property
    def is_fitted(self):
        return bool(FITTED.search(self.line.source))

    def write(self, value):
        """The number as the file writes it: with its decimals."""
        decimals = len(self.number.partition(".")[2])
        return f"{value:.{decimals}f}"

    def changed(self, factor):
        """(text, value) of about so many times the number; the next one where rounding would leave it as it is."""
        text = self.write(self.value * factor)
        if float(text) == self.value and self.value:
            unit = 10.0 ** -len(self.number.partition(".")[2])
            text = self.write(self.value + (unit if factor > 1 else -unit))
        return text, float(text)


_PARTS = {
    "path": (re.compile(r"\S+ \+ bytes / \S+"), ("latency", "rate")),
    "vector": (re.compile(r"\S+ \+ \S+ or \S+ per repeat"), ("fixed", "per32", "per16")),
}


def _names(key, text):
    count = len(_NUMBER.findall(text))
    for form, names in _PARTS.values():
        if form.fullmatch(text) and count == len(names):
            return [f"{key}.{name}" for name in names]
    return [key] if count == 1 else [f"{key}.{number}" for number in range(1, count + 1)]


_files = {}


def _read():
    paths = sorted(FOLDER.glob("*.platform"))
    for place in filter(None, os.environ.get("TILESMITH_PLATFORM_PATH", "").split(os.pathsep)):
        paths += sorted(Path(place).glob("*.platform")) if os.path.isdir(place) else [Path(place)]
    for path in paths:
        name, base, lines = path.stem, None, {}
        for text in path.read_text().splitlines():
            if head := re.match(r"\s*(platform|base)\s+(\S+)", text):
                name, base = (head.group(2), base) if head.group(1) == "platform" else (name, head.group(2))
            elif match := _LINE.match(text.strip()):
                lines[match.group(1)] = (match.group(2), match.group(3) or "")
        _files[name] = base, lines


def lines(part):
    """{key: Line} of a part, its bases' included."""
    if not _files:
        _read()
    if part not in _files:
        raise ValueError(f"no platform file of '{part}' was found in {FOLDER.name} or TILESMITH_PLATFORM_PATH")
    base, own = _files[part]
    result = lines(base) if base else {}
    return result | {key: Line(part, key, text, source) for key, (text, source) in own.items()}


def constants(part):
    """All numbers of a part that its times may depend on."""
    return [
        Constant(line, index, f"{line.part}:{name}")
        for line in lines(part).values()
        if not FACTS.fullmatch(line.key)
        for index, name in enumerate(_names(line.key, line.text))
    ]


def overrides(part, values):
    """{key: text} that gives a part's constants other numbers: {constant: text of the number}."""
    texts = {}
    for constant, number in values.items():
        text = texts.get(constant.line.key, lines(part)[constant.line.key].text)
        seen = -1

        def replace(match, index=constant.index, number=number):
            nonlocal seen
            seen += 1
            return number if seen == index else match.group()

        texts[constant.line.key] = _NUMBER.sub(replace, text)
    return texts


_known = {}
_folder = None


def derive(part, texts):
    """The name of a part that is `part` but for these lines, known to this process from now on."""
    import _tilesmith

    global _folder
    if not texts:
        return part
    content = "".join(f"{key} = {text}  # varied\n" for key, text in sorted(texts.items()))
    key = part, content
    if key not in _known:
        _folder = _folder or tempfile.TemporaryDirectory(prefix="correlate-")
        name = f"{part}x{hashlib.sha256(content.encode()).hexdigest()[:12]}"
        path = Path(_folder.name) / f"{name}.platform"
        path.write_text(f"platform {name}\nbase {part}\n\n{content}")
        _tilesmith.add_platforms(str(path))
        _known[key] = name
    return _known[key]
