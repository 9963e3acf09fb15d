"""What an expression of a kernel is: shape, type, memory, the pipe that makes it, and what that costs on the model.

Read from the text alone, so that an editor has it while a kernel is being written: extents are numbers where the file says them and names
where a launch does. Costs are the platform's latency and rate for this one operation; what overlaps is for `tilesmith prof` to say.
"""

import ast
from dataclasses import dataclass, replace
from functools import cache, lru_cache

PLATFORM = "Ascend950PR_9599"
SIZES = {"float64": 8, "int64": 8, "uint64": 8, "float32": 4, "int32": 4, "uint32": 4, "float16": 2, "bfloat16": 2}
SIZES |= {"int16": 2, "uint16": 2, "int8": 1, "uint8": 1, "bool": 1}
PYPTO = {"FP32": "float32", "FP16": "float16", "BF16": "bfloat16", "BOOL": "bool", "DOUBLE": "float64"}
REDUCTIONS = {"reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "sum", "max", "min", "amax", "amin", "mean", "prod", "var"}
SHAPED = {"full", "zeros", "ones", "arange"}


@dataclass(frozen=True)
class Value:
    """A tile or tensor. Extents are integers, or the words of the source."""

    kind: str  # "tile", "tensor"
    shape: tuple
    dtype: str  # "" where the file does not say; then `like` names what has the type
    memory: str
    pipe: str = ""
    like: str = ""
    inner: object = None  # of a product: the extent that is summed over

    def elements(self):
        count = 1
        for extent in self.shape:
            if not isinstance(extent, int):
                return None
            count *= extent
        return count

    def bytes(self):
        count = self.elements()
        return None if count is None or self.dtype not in SIZES else count * SIZES[self.dtype]


@cache
def platform(name=PLATFORM):
    import _tilesmith

    return _tilesmith.describe_platform(name)


class Reader(ast.NodeVisitor):
    """Values of the expressions of one function, by node."""

    def __init__(self, tree, function):
        self.modules, self.functions = {}, {}
        self.values = {}  # id(node) -> Value
        self.numbers, self.names = {}, {}
        for node in tree.body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.modules[alias.asname or alias.name.split(".")[0]] = alias.name
            elif isinstance(node, ast.ImportFrom) and node.module in ("asc", "asc2", "pypto"):
                for alias in node.names:
                    self.functions[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and type(node.value.value) is int:
                self.numbers |= {target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)}
        for node in ast.walk(function):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.function(node)

    def path(self, node):
        if isinstance(node, ast.Attribute):
            base = self.path(node.value)
            return f"{base}.{node.attr}" if base else ""
        if isinstance(node, ast.Name) and node.id not in self.names:
            return self.modules.get(node.id) or self.functions.get(node.id, "")
        return ""

    def function(self, node):
        self.names, self.own = {}, {}
        for argument in node.args.args + node.args.kwonlyargs:
            self.names[argument.arg] = self.annotated(argument)
            if self.names[argument.arg]:
                self.values[id(argument)] = self.names[argument.arg]
        for statement in node.body:
            self.statement(statement)
        self.names = {}

    def annotated(self, argument):
        """The tensor a parameter of a PyPTO entry is."""
        call = argument.annotation
        if not isinstance(call, ast.Call) or self.path(call.func) not in ("pypto.Tensor", "pypto.tensor") or len(call.args) < 2:
            return None
        name = self.path(call.args[1]).rpartition("DT_")[2]
        return Value("tensor", self.extents(call.args[0]), PYPTO.get(name, name.lower()), "GM")

    def statement(self, node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            value = self.value(node.value) if node.value else None
            if isinstance(node, ast.AugAssign):
                value = self.combined(self.value(node.target), value)
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                self.bind(target, value, node.value)
            return
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.stmt):
                self.statement(child)
            else:
                for inner in ast.iter_child_nodes(child):
                    self.statement(inner) if isinstance(inner, ast.stmt) else None

    def bind(self, target, value, source):
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(source, (ast.Tuple, ast.List)):
            for one, each in zip(target.elts, source.elts):
                self.bind(one, self.value(each), each)
        elif isinstance(target, ast.Name):
            self.names[target.id] = value
            if isinstance(source, ast.Constant) and type(source.value) is int:
                self.own[target.id] = source.value
            if value:
                self.values[id(target)] = value

    def extent(self, node):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name):
            return self.own.get(node.id, self.numbers.get(node.id, node.id))
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)):
            left, right = self.extent(node.left), self.extent(node.right)
            if isinstance(left, int) and isinstance(right, int) and (right or not isinstance(node.op, ast.FloorDiv)):
                signs = {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right}
                return left // right if isinstance(node.op, ast.FloorDiv) else signs[type(node.op)]
        return ast.unparse(node)

    def extents(self, node):
        if isinstance(node, ast.Name) and node.id in self.numbers:
            return (self.numbers[node.id],)
        return tuple(map(self.extent, node.elts)) if isinstance(node, (ast.List, ast.Tuple)) else (self.extent(node),)

    def value(self, node):
        """The value of an expression, and of everything inside it; None where it is a number, or is not known."""
        found = self.made(node)
        if found is None:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr) and id(child) not in self.values:
                    self.value(child)
                elif isinstance(child, ast.keyword):
                    self.value(child.value)
        else:
            self.values[id(node)] = found
        return found

    def made(self, node):
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.BinOp):
            left, right = self.value(node.left), self.value(node.right)
            if isinstance(node.op, ast.MatMult):
                return self.product(left, right)
            return self.combined(left, right)
        if isinstance(node, ast.UnaryOp):
            operand = self.value(node.operand)
            return operand and replace(operand, kind="tile", pipe="V", memory="UB", inner=None)
        if isinstance(node, ast.Compare):
            found = self.value(node.left)
            for each in node.comparators:
                found = self.combined(found, self.value(each))
            return found and replace(found, dtype="bool", like="")
        if isinstance(node, ast.Call):
            return self.called(node)
        return None

    def combined(self, left, right):
        if not left or not right:
            found = left or right
            return found and replace(found, kind="tile", memory="UB", pipe="V", inner=None)
        short, long = sorted((left.shape, right.shape), key=len)
        padded = (1,) * (len(long) - len(short)) + short
        shape = tuple(b if a == 1 else a for a, b in zip(padded, long))
        return replace(left, kind="tile", shape=shape, memory="UB", pipe="V", inner=None)

    def product(self, left, right):
        if not left or not right or len(left.shape) < 2 or len(right.shape) < 2:
            return None
        return Value("tile", (*left.shape[:-1], right.shape[-1]), "float32", "L0C", "M", inner=left.shape[-1])

    def dtype(self, node):
        name = self.path(node).rpartition(".")[2] if node is not None else ""
        return name if name in SIZES else PYPTO.get(name.removeprefix("DT_"), "")

    def called(self, node):
        path = self.path(node.func)
        method = node.func.attr if isinstance(node.func, ast.Attribute) and not path else ""
        owner = self.value(node.func.value) if method else None
        given = [self.value(each) for each in node.args]
        named = {each.arg: each.value for each in node.keywords if each.arg}
        for each in named.values():
            self.value(each)
        module, _, name = path.partition(".")
        arguments = node.args

        def argument(at, word):
            return named.get(word, arguments[at] if at < len(arguments) else None)

        if method:
            if not owner:
                return None
            name, given, shift = method, [owner, *given], 1
        elif module not in ("asc2", "pypto"):
            return None
        else:
            shift = 0
        first = given[0] if given else None
        if path == "asc2.tensor" and argument(1, "shape") is not None:
            return Value(
                "tensor", self.extents(argument(1, "shape")), "", "GM", like=ast.unparse(arguments[0]) if arguments else ""
            )
        if name == "load" and first and argument(1 - shift, "shape") is not None:
            memory = ast.unparse(named["location"]).rpartition(".")[2] if "location" in named else "UB"
            return replace(first, kind="tile", shape=self.extents(argument(1 - shift, "shape")), memory=memory, pipe="MTE2")
        if path == "pypto.view" and first and argument(1, "shape") is not None:
            return replace(first, kind="tile", shape=self.extents(argument(1, "shape")), memory="UB", pipe="MTE2")
        if name == "store" and first:
            return replace(first, pipe="MTE3", memory="GM", kind="store")
        if name in SHAPED and not method and argument(0, "shape") is not None:
            dtype = self.dtype(named.get("dtype", arguments[-1] if arguments else None))
            return Value("tile", self.extents(argument(0, "shape")), dtype, "UB", "V")
        if name in ("to", "cast") and first:
            dtype = self.dtype(argument(1 - shift, "dtype"))
            return replace(
                first,
                dtype=dtype,
                like="" if dtype else f"{ast.unparse(argument(1 - shift, 'dtype') or node)}",
                pipe="V",
                memory="UB",
            )
        if name == "matmul" and len(given) > 1:
            return self.product(given[0], given[1])
        if name == "where" and len(given) > 2:
            return self.combined(given[1], given[2]) or given[0]
        if name == "reshape" and first and argument(1 - shift, "shape") is not None:
            return replace(first, shape=self.extents(argument(1 - shift, "shape")))
        if name in REDUCTIONS and first:
            return self.reduced(first, argument(1 - shift, "axis") or named.get("dim"), named)
        tiles = [each for each in given if each]
        if not tiles or tiles[0].kind == "store":
            return None
        found = tiles[0]
        for each in tiles[1:]:
            found = self.combined(found, each)
        return replace(found, kind="tile", memory="UB", pipe="V", inner=None)

    def reduced(self, first, axis, named):
        keeps = any(isinstance(named.get(word), ast.Constant) and named[word].value for word in ("keep_dims", "keepdim"))
        number = self.extent(axis) if axis is not None else None
        if number is None:
            return None if not keeps else replace(first, shape=(1,) * len(first.shape), pipe="V", kind="tile")
        if isinstance(number, str):
            number = int(number) if number.lstrip("-").isdigit() else None
        if number is None or not -len(first.shape) <= number < len(first.shape):
            return None
        number %= len(first.shape)
        rest = first.shape[:number] + ((1,) if keeps else ()) + first.shape[number + 1 :]
        return replace(first, kind="tile", shape=rest, memory="UB", pipe="V", inner=first.shape[number])


def cost(value):
    """What making a value costs, as a sentence; empty where nothing moves."""
    facts, size = platform(), value.bytes()
    moves = {"MTE2": "gm_to_l1" if value.memory in ("L1", "L0A", "L0B") else "gm_to_ub", "MTE3": "ub_to_gm"}
    if value.pipe in moves:
        latency, rate = facts["moves"][moves[value.pipe]]
        cycles = f"about {latency + size / rate:.0f} cycles" if size is not None else "cycles"
        return f"{cycles}: {latency:g} + {f'{size} bytes' if size is not None else 'bytes'} / {rate:g}"
    if value.pipe == "M":
        shape = (*value.shape, value.inner)
        macs = facts["cube_macs"]["float16"]
        if all(isinstance(extent, int) for extent in shape):
            products = 1
            for extent in shape:
                products *= extent
            return f"about {products / macs:.0f} cycles: {products} products in float16 / {macs}"
        return f"cycles: {' * '.join(map(str, shape))} products in float16 / {macs}"
    if value.pipe == "V":
        grown = value if value.inner is None else replace(value, shape=(*value.shape, value.inner), inner=None)
        count = grown.elements()
        lanes = facts["vector_lanes"] * 4 // SIZES.get(value.dtype, 4)
        return f"{-(-count // lanes)} repeats of {lanes} lanes" if count is not None else f"elements / {lanes} repeats"
    return ""


def text(value):
    """A value as a hover says it."""
    shape = ", ".join(map(str, value.shape))
    dtype = value.dtype or (f"the type of {value.like}" if value.like else "its type")
    size = value.bytes()
    where = f"{value.memory}, {size} bytes" if size is not None else value.memory
    lines = [
        f"**{value.kind}** [{shape}] of {dtype}, in {where}" if value.kind != "store" else f"**store** of [{shape}] of {dtype}"
    ]
    if value.pipe:
        lines.append(f"pipe {value.pipe}, {cost(value)} ({PLATFORM})")
    return "\n\n".join(lines)


@lru_cache(maxsize=8)
def parsed(source):
    """The tree of a text; None where it does not parse."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None


def read(source, line):
    """(function, values) of the function a line is in; nothing where there is none."""
    tree = parsed(source)
    for node in tree.body if tree else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.lineno <= line <= node.end_lineno:
            return node, Reader(tree, node).values
    return None, {}


def at(source, line, column):
    """The smallest expression at a place (line from 1, column in bytes from 0) that is a tile or tensor, as a hover says it; or None."""
    function, values = read(source, line)
    best = None
    for node in ast.walk(function) if function else ():
        if id(node) not in values or not hasattr(node, "end_lineno"):
            continue
        start, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
        if start <= (line, column) <= end:
            size = (end[0] - start[0], end[1] - start[1] if end[0] == start[0] else 0)
            if best is None or size < best[0]:
                best = (size, values[id(node)])
    return text(best[1]) if best else None
