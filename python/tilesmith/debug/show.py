"""Values as text: of an expression, of all names, of the memories."""

import ast

import numpy as np

from tilesmith.debug import values

OPTIONS = {"threshold": 64, "edgeitems": 3, "linewidth": 120, "suppress": False}


def array_lines(array):
    with np.printoptions(**OPTIONS):
        return str(array).splitlines()


def text_of(value):
    if isinstance(value, np.ndarray):
        return "\n".join(array_lines(value)) if value.ndim else str(value[()])
    if isinstance(value, np.generic):
        return str(value)
    return repr(value)


def lines_of(expression, frame):
    """What `print` shows. A name alone also says what and where it is."""
    tree = ast.parse(expression.strip(), "<expression>", mode="eval").body
    if isinstance(tree, ast.Name) and tree.id in frame:
        value = frame[tree.id]
        if isinstance(value, values.Array):
            return [f"{tree.id}: {value.describe()}", *array_lines(value.value())]
        if isinstance(value, values.Constant):
            return [value.text]
        if isinstance(value, (tuple, list)):
            return [described(value)]
    return text_of(values.evaluate(expression, frame)).splitlines() or [""]


def described(value):
    """A sequence with arrays in it, in a line."""
    if isinstance(value, values.Array):
        return f"<{value.describe()}>"
    if isinstance(value, values.Constant):
        return value.text
    if isinstance(value, (tuple, list)):
        items = ", ".join(described(item) for item in value)
        return f"[{items}]" if isinstance(value, list) else f"({items}{',' * (len(value) == 1)})"
    return repr(value)


def summary(frame, name):
    """(what it is, its value in short)"""
    try:
        value = frame[name]
        if isinstance(value, values.Array):
            elements = value.value()
            few = " ".join(str(element) for element in elements.reshape(-1)[:4])
            return value.describe(), few + (" ..." if elements.size > 4 else "")
        if isinstance(value, values.Constant):
            return "constant", value.text
        if isinstance(value, (tuple, list)):
            return type(value).__name__, described(value)
        return frame.dtype_of(name), repr(value)
    except values.Unavailable as why:
        return "", f"({why})"


def arrays_in(value):
    if isinstance(value, values.Array):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from arrays_in(item)


def memory_map(stop):
    """Names by memory and address."""
    import _tilesmith

    capacity = _tilesmith.describe_platform(stop.launch.platform)["memories"]
    found = {}
    for frame in stop.frames:
        for name in frame:
            try:
                for array in arrays_in(frame[name]):
                    if array.memory != "GM":
                        found.setdefault((array.memory, array.offset, array.storage().nbytes, array.describe()), []).append(name)
            except values.Unavailable:
                continue
    if not found:
        yield "no name is in the memories of the core here"
    for memory in sorted({key[0] for key in found}, key=values.MEMORIES.index):
        entries = sorted((key, names) for key, names in found.items() if key[0] == memory)
        end = max(offset + size for (_, offset, size, _), _ in entries)
        yield f"{memory}: up to byte {end}; {stop.launch.platform} has {capacity[memory]}"
        for (_, offset, size, what), names in entries:
            yield f"  {offset:8} to {offset + size:8}  {', '.join(dict.fromkeys(names))}: {what.split(' in ')[0]}"


class Watched:
    """Elements in memory whose bytes are followed."""

    def __init__(self, array, view):
        self.array, self.view = array, view
        self.whole = array.storage() if view is None else view
        self.runs = values.runs_of(self.whole)

    def read(self, old=None):
        """What is there, or was there when the bytes were `old`."""
        if old is None:
            old = b"".join(part.tobytes() for part in (self.whole,))
        if self.view is None and self.array.raw() is None:
            return f"{len(old)} bytes, the first " + old[:8].hex(" ")
        raw = self.array.raw() if self.view is None else self.view
        then = np.frombuffer(old, raw.dtype).reshape(raw.shape)
        if self.array.dtype == "bfloat16":
            then = values.as_float32(then)
        return text_of(then)
