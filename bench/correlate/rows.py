"""Measured rows: what was measured, where, and the launch that reproduces it.

A row is a line of a CSV file. Columns: id, family, class, platform, kernel, blocks, arguments, part, warm, measure, total, busy, source,
confidence, note; all but id, platform, kernel, total and source may be left out. docs/correlation.md explains them.
"""

import ast
import difflib
import operator
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "kernels"
LIBRARY = HERE.parent.parent / "kernels"

CLASSES = ("streaming", "cube", "small", "other", "envelope")
PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")
CONFIDENCE = ("high", "medium", "low")
REQUIRED = ("id", "platform", "kernel", "total", "source")
COLUMNS = "id family class platform kernel blocks arguments part warm measure total busy source confidence note".split()
DTYPES = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "i8": "int8",
    "u8": "uint8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
}


class RowError(Exception):
    """A file of rows that cannot be read; its text has place, line and caret."""


@dataclass(frozen=True)
class Array:
    dtype: str
    shape: tuple


@dataclass(frozen=True)
class Row:
    id: str
    platform: str
    kernel: str  # as written
    file: Path
    function: str
    blocks: int  # 0: the script decides
    arguments: str
    part: tuple  # of fractions; empty: the whole
    warm: bool  # inputs are in L2 when the launch begins
    measure: str  # "time", a pipe, or a pipe / calls
    low: float  # measured; low == high unless the row is a range
    high: float
    busy: dict  # pipe: measured microseconds, mean over cores
    family: str = ""
    rank: str = "total"  # what variants of the family are ranked by: "total" or a pipe
    kind: str = "other"  # its class
    source: str = ""
    confidence: str = "medium"
    note: str = ""
    place: str = field(default="", compare=False)

    @property
    def unit(self):
        return "us" if self.measure == "time" else "cycles"

    @property
    def measured(self):
        return (self.low * self.high) ** 0.5

    @property
    def is_range(self):
        return self.low != self.high

    @property
    def is_light(self):
        """It takes less than a second."""
        return not self.is_heavy and self.counts and self.file.name != "gelu.cpp"

    @property
    def counts(self):
        """Whether the model is held to it: its kernel is described well enough."""
        return self.kind != "envelope"

    @property
    def is_heavy(self):
        """It takes seconds: where many times are compared, `stand_in` is timed instead."""
        return "part" in self.arguments and not self.part

    @property
    def is_script(self):
        return self.file.suffix == ".py"


# ---- arguments ---------------------------------------------------------------------------------------------------------

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}
_ARRAY = re.compile(r"(\w+)\[([^\]]*)\]\Z")
_NAMED = re.compile(r"([A-Za-z_]\w*)=(.*)\Z")


def _number(node, part):
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return Fraction(node.value) if isinstance(node.value, int) else node.value
    if isinstance(node, ast.Name) and node.id == "part":
        return part
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_number(node.left, part), _number(node.right, part))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand, part)
    raise ValueError("a number is written with digits, part, + - * / // and parentheses")


def _evaluate(text, part):
    value = _number(ast.parse(text, mode="eval").body, part)
    return value if isinstance(value, float) else int(value) if value.denominator == 1 else float(value)


def parse_arguments(text, part=Fraction(1)):
    """([positional], {named}) of `f16[8192,8192] 67108864*part tile=4096 approximate='tanh'`."""
    positional, named = [], {}
    for word in text.split():
        name = _NAMED.match(word)
        body = name.group(2) if name else word
        array = _ARRAY.match(body)
        try:
            if array and array.group(1) in DTYPES:
                shape = tuple(_evaluate(extent, part) for extent in array.group(2).split(","))
                if any(not isinstance(extent, int) or extent < 1 for extent in shape):
                    raise ValueError
                value = Array(DTYPES[array.group(1)], shape)
            elif array:
                raise ValueError(f"'{array.group(1)}' is not an element type; known are {', '.join(DTYPES)}")
            elif body[:1] in "'\"" and body[:1] == body[-1:] and len(body) > 1:
                value = body[1:-1]
            else:
                value = _evaluate(body, part)
        except (SyntaxError, ValueError, ZeroDivisionError, RecursionError) as error:
            why = (
                str(error)
                if type(error) is ValueError and str(error)
                else "an argument is an array such as f16[4096,64], a number, or a 'text'"
            )
            raise ValueError(f"'{word}' is not an argument: {why}") from None
        if name:
            named[name.group(1)] = value
        else:
            positional.append(value)
    return positional, named


# ---- files -------------------------------------------------------------------------------------------------------------


def _split(line):
    """[(text, column of its first character)] of a line of CSV; "" inside quotes is a quote."""
    cells, at = [], 0
    while True:
        if line[at : at + 1] == '"':
            begin, text = at + 1, ""
            at += 1
            while True:
                end = line.find('"', at)
                if end < 0:
                    raise ValueError(begin - 1)
                text += line[at:end]
                at = end + 1
                if line[at : at + 1] != '"':
                    break
                text += '"'
                at += 1
            cells.append((text, begin))
            end = line.find(",", at)
        else:
            end = line.find(",", at)
            raw = line[at:] if end < 0 else line[at:end]
            cells.append((raw.strip(), at + len(raw) - len(raw.lstrip())))
        if end < 0:
            return cells
        at = end + 1


class _Reader:
    def __init__(self, path, platforms):
        self.path, self.platforms = Path(path), platforms
        self.line, self.text = 0, ""

    def fail(self, column, width, message):
        width = max(1, min(width, len(self.text) - column))
        number = f"{self.line:5}"
        raise RowError(
            f"{self.path}:{self.line}:{column + 1}: error: {message}\n{number} | {self.text}\n      | {' ' * column}^{'~' * (width - 1)}"
        )

    def wrong(self, name, message):
        text, column = self.cells[name]
        self.fail(column, max(len(text), 1), message)

    def rows(self):
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise RowError(f"{self.path}: error: cannot read it: {getattr(error, 'strerror', None) or error}") from None
        header = None
        for self.line, self.text in enumerate(lines, 1):
            if not self.text.strip() or self.text.startswith("#"):
                continue
            try:
                cells = _split(self.text)
            except ValueError as error:
                self.fail(error.args[0], len(self.text), "a quote is opened here and not closed")
            if header is None:
                header = self.header(cells)
                continue
            if len(cells) > len(header):
                self.fail(
                    cells[len(header)][1],
                    len(cells[len(header)][0]),
                    f"the file has {len(header)} columns, this line has {len(cells)}",
                )
            self.cells = {name: ("", 0) for name in COLUMNS} | dict(zip(header, cells))
            yield self.row()
        if header is None:
            raise RowError(f"{self.path}: error: no header; the first line names the columns: {','.join(COLUMNS)}")

    def header(self, cells):
        names = [text for text, _ in cells]
        for name, column in cells:
            if name not in COLUMNS:
                close = difflib.get_close_matches(name, COLUMNS, 1)
                self.fail(
                    column,
                    len(name),
                    f"no column is called '{name}'"
                    + (f"; did you mean '{close[0]}'?" if close else f"; columns are {', '.join(COLUMNS)}"),
                )
            if names.count(name) > 1:
                self.fail(column, len(name), f"two columns are called '{name}'")
        missing = [name for name in REQUIRED if name not in names]
        if missing:
            self.fail(0, len(self.text), f"missing column '{missing[0]}'")
        return names

    def one_of(self, name, known, default):
        text = self.cells[name][0] or default
        if text not in known:
            close = difflib.get_close_matches(text, known, 1)
            self.wrong(
                name,
                f"'{text}' is not a {name}" + (f"; did you mean '{close[0]}'?" if close else f"; known are {', '.join(known)}"),
            )
        return text

    def number(self, name, text, column):
        try:
            value = float(text)
        except ValueError:
            value = -1
        if not 0 < value < float("inf"):
            self.fail(column, len(text), f"'{text}' is not a positive number")
        return value

    def row(self):
        get = {name: text for name, (text, _) in self.cells.items()}
        for name in REQUIRED:
            if not get[name]:
                self.fail(0, len(self.text), f"the row has no {name}")
        platform = self.one_of("platform", self.platforms, "")
        file, function = self.kernel(get["kernel"])
        blocks = 0
        if get["blocks"]:
            if not get["blocks"].isdigit() or not 0 < int(get["blocks"]) < 1 << 16:
                self.wrong("blocks", f"'{get['blocks']}' is not a number of blocks")
            blocks = int(get["blocks"])
        elif file.suffix != ".py":
            self.fail(0, len(self.text), "the row has no blocks, and a kernel of Ascend C is launched with a number of them")
        low, _, high = get["total"].partition("..")
        column = self.cells["total"][1]
        first = self.number("total", low, column)
        last = self.number("total", high, column + len(low) + 2) if high else first
        if last < first:
            self.wrong("total", f"the range {get['total']} is empty")
        measure = get["measure"] or "time"
        pipe, _, calls = measure.partition("/")
        if measure != "time" and (pipe not in PIPES or (calls and not (calls.isdigit() and int(calls)))):
            self.wrong("measure", f"'{measure}' is not a measure: time, a pipe ({', '.join(PIPES)}), or a pipe / calls")
        family, _, rank = get["family"].partition("/")
        if rank and rank not in PIPES:
            self.wrong("family", f"'{rank}' is not a pipe")
        return Row(
            id=get["id"], platform=platform, kernel=get["kernel"], file=file, function=function, blocks=blocks,
            arguments=self.arguments(get["arguments"]), part=self.part(get["part"]),
            warm=self.one_of("warm", ("no", "yes"), "no") == "yes", measure=measure, low=first, high=last, busy=self.busy(get["busy"]),
            family=family or get["id"], rank=rank or "total", kind=self.one_of("class", CLASSES, "other"), source=get["source"],
            confidence=self.one_of("confidence", CONFIDENCE, "medium"), note=get["note"], place=f"{self.path}:{self.line}",
        )  # fmt: skip

    def kernel(self, text):
        name, colon, function = text.rpartition(":")
        if not colon or not name.endswith((".cpp", ".asc", ".py")) or not function.isidentifier():
            self.wrong("kernel", f"'{text}' is not a kernel: FILE.cpp:KERNEL, or FILE.py:FUNCTION for a script that launches")
        for folder in (self.path.parent, KERNELS, LIBRARY):
            if (folder / name).is_file():
                return (folder / name).resolve(), function
        self.wrong("kernel", f"no file '{name}' beside {self.path.name}, in bench/correlate/kernels or in kernels")

    def arguments(self, text):
        try:
            parse_arguments(text)
        except ValueError as error:
            self.wrong("arguments", str(error))
        return text

    def part(self, text):
        try:
            parts = tuple(Fraction(word) for word in text.split())
        except (ValueError, ZeroDivisionError):
            parts = (Fraction(2),)
        if len(parts) not in (0, 2) or any(not 0 < part < 1 for part in parts) or len(set(parts)) != len(parts):
            self.wrong("part", f"'{text}' are not two fractions of the work, such as 1/64 1/32")
        return tuple(sorted(parts))

    def busy(self, text):
        result = {}
        column = self.cells["busy"][1]
        for word in re.finditer(r"\S+", text):
            pipe, equals, value = word.group().partition("=")
            if pipe not in PIPES or not equals:
                self.fail(
                    column + word.start(),
                    len(word.group()),
                    f"'{word.group()}' is not PIPE=MICROSECONDS; pipes are {', '.join(PIPES)}",
                )
            result[pipe] = self.number("busy", value, column + word.start() + len(pipe) + 1)
        return result


def read(paths, platforms):
    """The rows of CSV files, in their order. `platforms` are the names that are known."""
    rows, seen = [], {}
    for path in paths:
        reader = _Reader(path, platforms)
        for row in reader.rows():
            if row.id in seen:
                reader.wrong("id", f"the id '{row.id}' is taken by the row at {seen[row.id].place}")
            seen[row.id] = row
            rows.append(row)
    return rows


def ours():
    """The files of public rows."""
    return sorted((HERE / "rows").glob("*.csv"))


def stand_in(row, rows):
    """(row, fractions) whose times change as the row's do. Of heavy streaming rows, which differ in length only, the first of their
    family; a fraction of them would fit into L2. A product at an eighth of its rows."""
    if not row.is_heavy:
        return row, None
    if row.kind == "streaming":
        return next(each for each in rows if each.family == row.family), None
    return row, (Fraction(1, 8),)
