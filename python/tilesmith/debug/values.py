"""What names of a kernel stand for when it is stopped: numbers, and arrays in the memories of a core."""

import ast
import os
import re
import struct

import numpy as np

MEMORIES = ("GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB", "L0AMX", "L0BMX")
NOWHERE = -1  # in place of an address: the value is in no memory
DTYPES = {"bfloat16": np.uint16, "int1": np.bool_}  # as they are in memory; all others are NumPy's own
ROWS = 16  # of a fractal, which has 32 bytes in each


class Unavailable(Exception):
    """A value that cannot be shown here, and why."""


def dtype_of(name):
    return np.dtype(DTYPES.get(name, name))


def split(address):
    """(memory, offset) of an address; the top byte is the memory."""
    return (address >> 56) & 0xFF, address & ((1 << 56) - 1)


def as_float32(bits):
    """bfloat16 as NumPy can show it."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def number(dtype, bits):
    """A scalar from the bits it travels in."""
    if dtype == "int1":
        return bool(bits & 1)
    if dtype == "bfloat16":
        return struct.unpack("<f", struct.pack("<I", (bits & 0xFFFF) << 16))[0]
    kind = dtype_of(dtype)
    return np.frombuffer(struct.pack("<Q", bits & (1 << 64) - 1)[: kind.itemsize], kind)[0].item()


class Array:
    """A tile, tensor or array: where it is, and its elements as a NumPy array over the memory itself."""

    def __init__(self, control, what, dtype, shape, address, arch):
        self.note = ""  # what else is known of the place
        self.control, self.what, self.dtype, self.shape, self.arch = control, what, dtype, tuple(shape), arch
        if address == NOWHERE:
            raise Unavailable("it is in no memory: relu and casts of a product happen when it is stored")
        memory, self.offset = split(address)
        self.address, self.memory = address, MEMORIES[memory] if memory < len(MEMORIES) else f"memory {memory}"

    def describe(self):
        where = "" if self.memory == "GM" else f" in {self.memory} at {self.offset}"
        shown = " (shown as float32)" if self.dtype == "bfloat16" else ""
        return f"{self.what} {list(self.shape)} {self.dtype}{shown}{where}{self.note}"

    @property
    def is_fractal(self):
        return self.memory in ("L1", "L0A", "L0B", "L0C")

    def _bytes(self, size):
        view = self.control.memory(self.address, size)
        if view is None:
            raise Unavailable(f"{size} bytes from {self.memory} {self.offset} are not all there")
        return np.frombuffer(view, np.uint8)

    def raw(self):
        """The elements in memory: bits of bfloat16 as integers, no copy. None where they do not lie in rows."""
        if self.is_fractal or self.dtype == "int1":
            return None
        kind = dtype_of(self.dtype)
        count = int(np.prod(self.shape, dtype=np.int64))
        return self._bytes(count * kind.itemsize).view(kind).reshape(self.shape)

    def flat(self):
        """The elements one after another, whatever the memory."""
        kind = dtype_of(self.dtype)
        plain = self._bytes(int(np.prod(self.shape, dtype=np.int64)) * kind.itemsize).view(kind)
        return as_float32(plain) if self.dtype == "bfloat16" else plain

    def storage(self):
        """All its bytes."""
        if self.dtype == "int1":
            return self._bytes((int(np.prod(self.shape, dtype=np.int64)) + 7) // 8)
        if self.is_fractal:
            _, _, high, wide, deep = self._fractals()
            per_block = ROWS if self.memory == "L0C" else 32 // dtype_of(self.dtype).itemsize
            columns = max(wide * ROWS, deep * per_block)
            return self._bytes(high * ROWS * columns * dtype_of(self.dtype).itemsize)
        return self.raw().reshape(-1).view(np.uint8)

    def _fractals(self):
        if len(self.shape) < 2:
            raise Unavailable(f"a tile of rank {len(self.shape)} in {self.memory} has no rows")
        rows, cols = self.shape[-2:]
        per_block = 32 // dtype_of(self.dtype).itemsize
        return rows, cols, -(-rows // ROWS), -(-cols // ROWS), -(-cols // per_block)

    def value(self):
        """The elements as people see them."""
        if self.dtype == "int1":
            count = int(np.prod(self.shape, dtype=np.int64))
            bits = np.unpackbits(self.storage(), bitorder="little")[:count]
            return bits.astype(np.bool_).reshape(self.shape)
        plain = self._matrix() if self.is_fractal else self.raw()
        return as_float32(plain) if self.dtype == "bfloat16" else plain

    def _matrix(self):
        """A tile of the matrix unit, row by row."""
        rows, cols, high, wide, deep = self._fractals()
        kind = dtype_of(self.dtype)
        per_block = 32 // kind.itemsize

        def take(*dims):
            return self._bytes(int(np.prod(dims)) * kind.itemsize).view(kind).reshape(dims)

        if self.memory == "L0C":  # columns in 16s, each with all rows
            whole = take(wide, high * ROWS, ROWS).transpose(1, 0, 2).reshape(high * ROWS, wide * ROWS)
        elif self.memory == "L0B":  # blocks of k, then 16s of columns; a fractal is turned
            depth = -(-rows // per_block)
            whole = take(depth, wide, ROWS, per_block).transpose(0, 3, 1, 2).reshape(depth * per_block, wide * ROWS)
        elif self.memory == "L0A" and self.arch == "c220":  # 16s of rows, then blocks of columns
            whole = take(high, deep, ROWS, per_block).transpose(0, 2, 1, 3).reshape(high * ROWS, deep * per_block)
        else:
            whole = take(deep, high * ROWS, per_block).transpose(1, 0, 2).reshape(high * ROWS, deep * per_block)
        return whole[:rows, :cols].reshape(self.shape)


class Constant:
    """A value known while compiling; `value` where it is a literal, else only text."""

    def __init__(self, text):
        self.text = text
        try:
            self.value = ast.literal_eval(text)
            self.is_known = True
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            self.is_known = False


class Frame:
    """A function around the statement: its names, in the order they were bound."""

    def __init__(self, facts, control, values, arch, place=None):
        self.function, self.file, self.line = facts["function"], facts["file"], facts["line"]
        self._facts = dict(facts["names"])
        self._control, self._values, self._arch, self._place = control, values, arch, place

    def __contains__(self, name):
        return name in self._facts

    def __iter__(self):
        return iter(self._facts)

    def __getitem__(self, name):
        """An Array, Constant, list, tuple, number or text; raises Unavailable."""
        return self._decode(self._facts[name])

    def dtype_of(self, name):
        return self._facts[name].get("scalar", "") if isinstance(self._facts[name], dict) else ""

    def _decode(self, what):
        if what is None:
            raise Unavailable("it has no value here")
        if "constant" in what:
            return Constant(what["constant"])
        if "scalar" in what:
            return number(what["scalar"], self._values[what["value"]])
        if "tile" in what:
            return self._array("tile", what["tile"], what["shape"], self._values[what["value"]])
        if "tensor" in what:
            dims = [plain(self._decode(dim)) for dim in what["dims"]]
            return self._array("tensor", what["tensor"], dims, self._values[what["value"]])
        if "array" in what:
            size = dtype_of(what["array"]).itemsize
            address = self._values[what["value"]] + size * (plain(self._decode(what["offset"])) if "offset" in what else 0)
            return self._array("array", what["array"], [self._control.room(address) // size], address)
        if "buffers" in what:
            return self._latest(what["buffers"])
        for kind, make in (("tuple", tuple), ("list", list)):
            if kind in what:
                return make(self._decode(item) for item in what[kind])
        raise Unavailable(what.get("text", "it cannot be shown"))

    def _latest(self, buffers):
        """Of the buffers a name has in compiled code, and of the slots of a ring, the one that was written last."""
        slots = [
            (shape, address + slot * size, size, slot, count) for shape, address, size, count in buffers for slot in range(count)
        ]
        written = [(self._control.last_write(address, size), *rest) for rest in slots for _, address, size, *_ in [rest]]
        written = [entry for entry in written if entry[0]]
        if not written:
            raise Unavailable("nothing has been written to its buffer yet")
        (_, loc), shape, address, _, slot, count = max(written, key=lambda entry: entry[0][0])
        dims, dtype = re.fullmatch(r"\[(.*)\] (\w+)", shape).groups()
        array = self._array("buffer", dtype, [int(dim) for dim in dims.split(",")], address)
        file, line = self._place(loc)
        array.note = (f", slot {slot} of {count}" if count > 1 else "") + (
            f", written at {os.path.basename(file)}:{line}" if line else ""
        )
        return array

    def _array(self, *facts):
        return Array(self._control, *facts, self._arch)


def plain(value):
    """A value as expressions compute with it."""
    if isinstance(value, Array):
        return value.value()
    if isinstance(value, Constant):
        if not value.is_known:
            raise Unavailable(f"{value.text} is known while compiling only")
        return value.value
    if isinstance(value, (tuple, list)):
        return type(value)(plain(item) for item in value)
    return value


def names_in(expression):
    return {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}


def evaluate(text, frame):
    """A Python expression over the names of a frame, and `np`."""
    tree = ast.parse(text.strip(), "<expression>", mode="eval")
    known = {name: plain(frame[name]) for name in names_in(tree) if name in frame}
    return eval(compile(tree, "<expression>", "eval"), {"np": np, **known})


def locate(text, frame):
    """(Array, view of its elements or None): the memory an expression `name` or `name[index]` stands for."""
    tree = ast.parse(text.strip(), "<expression>", mode="eval").body
    name = tree.value if isinstance(tree, ast.Subscript) else tree
    if not isinstance(name, ast.Name):
        raise Unavailable("only a name, or elements of one such as y[100], can be watched")
    if name.id not in frame:
        raise Unavailable(f"no name `{name.id}` here")
    array = frame[name.id]
    if not isinstance(array, Array):
        raise Unavailable(f"`{name.id}` is not in a memory: tiles, tensors and arrays can be watched")
    if name is tree:
        return array, None
    elements = array.raw()
    if elements is None:
        raise Unavailable(f"single elements of a {array.dtype} tile in {array.memory} cannot be watched; watch {name.id}")
    index = eval(compile(ast.Expression(tree.slice), "<index>", "eval"), {"np": np})
    view = elements[(*index, ...) if isinstance(index, tuple) else (index, ...)]
    if not np.shares_memory(view, elements):
        raise Unavailable("these elements are not a slice of it")
    return array, view


def runs_of(view):
    """(address, size) of the contiguous pieces of a view, in order."""
    if view.size == 0:
        return []
    if view.flags.c_contiguous:
        return [(view.__array_interface__["data"][0], view.nbytes)]
    if view.ndim == 1:
        return [(view[i : i + 1].__array_interface__["data"][0], view.itemsize) for i in range(len(view))]
    return [run for part in view for run in runs_of(part)]
