"""What kernels print with `asc2.device_print`: turned into text and written to `sys.stdout` after the launch."""

import os
import re
import sys

import numpy as np

_ELEMENT: np.dtype = np.dtype([("site", "<i8"), ("value", "<i8"), ("element", "<i8"), ("bits", "<i8"), ("loc", "<u4"), ("", "<u4")])
_MOST_TEXT = 1 << 20  # characters of one launch


def _decode(bits, dtype):
    """Numbers of a dtype from their bits, as an array."""
    if dtype == "int1":
        return bits != 0
    if dtype == "bfloat16":
        return (bits.astype(np.uint32) << 16).view(np.float32)
    width = np.dtype(dtype).itemsize
    return bits.astype(f"<u{width}").view(dtype)


class _Tile:
    """A printed tile: NumPy's text; a format applies to each element."""

    def __init__(self, array):
        self.array = array

    def __format__(self, spec):
        each = {"all": lambda number: format(number.item(), spec)} if spec else None
        return np.array2string(self.array, threshold=1000, edgeitems=3, formatter=each)


class _Field:
    """A value of a print site, such as "int32" or "float16[4, 64]"."""

    def __init__(self, text):
        self.dtype, dims = re.fullmatch(r"(\w+)(?:\[(.*)\])?", text).groups()
        self.shape = None if dims is None else tuple(map(int, dims.split(",")))

    def value(self, elements, bits):
        numbers = _decode(bits, self.dtype)
        if self.shape is None:
            number = numbers[0]
            return number if isinstance(number, np.floating) else number.item()
        # Elements in the middle of a large tile were not read; the text leaves them out too.
        array = np.zeros(int(np.prod(self.shape)), numbers.dtype)
        array[elements] = numbers
        return _Tile(array.reshape(self.shape))


def _lines(sites, places, data):
    elements = np.frombuffer(data, _ELEMENT)
    starts = np.flatnonzero((elements["value"] == 0) & (elements["element"] == 0))
    for line in np.split(elements, starts[1:]):
        text, fields = sites[line["site"][0]]
        values = []
        for index, field in enumerate(fields):
            mine = line[line["value"] == index]
            if not mine.size:
                break
            values.append(field.value(mine["element"], mine["bits"]))
        else:
            file, number = places[line["loc"][0]]
            yield f"{os.path.basename(file)}:{number}: {text.format(*values)}"


def show(sites, places, blocks):
    """Writes the lines of all blocks, in the order of the blocks."""
    sites = [(text, [_Field(value) for value in values]) for text, values in sites]
    left, lines, dropped = _MOST_TEXT, [], 0
    for block, data, lost in blocks:
        dropped += lost
        for text in _lines(sites, places, data) if data else ():
            line = f"[block {block}] {text}\n"
            left -= len(line)
            if left >= 0:
                lines.append(line)
            else:
                dropped += 1
    if dropped:
        lines.append(f"... {dropped} more line{'s' * (dropped > 1)} of device_print left out\n")
    sys.stdout.write("".join(lines))
