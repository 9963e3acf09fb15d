"""Random PyPTO operators: a program is drawn once and written twice, as a kernel and as torch in double precision."""

from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

UNARY = {
    "pypto.abs({})": "{}.abs()",
    "pypto.neg({})": "-{}",
    "pypto.relu({})": "{}.relu()",
    "pypto.tanh({})": "{}.tanh()",
    "pypto.sigmoid({})": "{}.sigmoid()",
    "pypto.exp({} * 0.25)": "({} * 0.25).exp()",
    "({} * 0.5 - 0.125)": "({} * 0.5 - 0.125)",
    "(1.0 - {})": "(1.0 - {})",
    "pypto.clip({}, -1.5, 2.0)": "{}.clamp(-1.5, 2.0)",
}
BINARY = {
    "({} + {}) * 0.5": "({} + {}) * 0.5",
    "({} - {})": "({} - {})",
    "pypto.tanh({} * {})": "({} * {}).tanh()",
    "pypto.maximum({}, {})": "torch.maximum({}, {})",
    "pypto.minimum({}, {})": "torch.minimum({}, {})",
    "pypto.where(x > 0.0, {}, {})": "torch.where(x > 0.0, {}, {})",
}
ROWS = {  # along the rows, and back to their shape
    "({0} - pypto.amax({0}, -1, True))": "({0} - {0}.amax(-1, True))",
    "pypto.tanh({0} * pypto.sum({0}, -1, True))": "({0} * {0}.sum(-1, True)).tanh()",
    "pypto.softmax({0}, -1)": "{0}.softmax(-1)",
    "pypto.minimum({0}, pypto.amin({0} + 0.5, -1, True))": "torch.minimum({0}, ({0} + 0.5).amin(-1, True))",
}
COLUMNS = {
    "({0} - pypto.amax({0}, 0, True))": "({0} - {0}.amax(0, True))",
    "pypto.transpose(pypto.transpose({0}, 0, 1), 0, 1)": "{0}",
}
PRODUCTS = {"pypto.tanh(pypto.matmul({}, w, pypto.DT_FP32))": "({} @ w).tanh()"}


@dataclass
class Program:
    rows: int
    columns: int
    tile: tuple
    cube: int
    counts: tuple  # n[0] and n[1] of two launches
    kernel: list = field(default_factory=list)
    golden: list = field(default_factory=list)

    def say(self, depth, kernel, golden=None):
        self.kernel.append("    " * depth + kernel)
        self.golden.append("    " * depth + (kernel if golden is None else golden))

    def source(self):
        r, c = self.rows, self.columns
        m, t = self.cube, list(self.tile)
        return "\n".join(
            [
                "import pypto, torch",
                "@pypto.frontend.jit",
                f"def kernel(x: pypto.Tensor([{r}, {c}], pypto.DT_FP32), z: pypto.Tensor([{r}, {c}], pypto.DT_FP32),",
                f"           w: pypto.Tensor([{c}, {c}], pypto.DT_FP32), n: pypto.Tensor([2], pypto.DT_INT32),",
                f"           t: pypto.Tensor([{r}, {c}], pypto.DT_FP32), y: pypto.Tensor([{r}, {c}], pypto.DT_FP32)):",
                f"    pypto.set_vec_tile_shapes(*{t})",
                f"    pypto.set_cube_tile_shapes([{m}, {m}], [{m}, {m}], [{m}, {m}])",
                *self.kernel,
                "def golden(x, z, w, n, t, y):",
                *self.golden,
                "",
            ]
        )

    def functions(self, folder):
        """The kernel and its golden function, from a file, because kernels are read from their source."""
        path = Path(folder) / "drawn.py"
        path.write_text(self.source())
        names: dict = {"__file__": str(path), "__name__": "drawn"}
        exec(compile(path.read_text(), str(path), "exec"), names)
        return names["kernel"], names["golden"]


@st.composite
def programs(draw):
    rows, columns = draw(st.integers(1, 40)), draw(st.sampled_from([5, 8, 16, 33, 48, 64]))
    tile = (draw(st.sampled_from([1, 3, 8, 16, 64])), draw(st.sampled_from([8, 16, 64])))
    program = Program(
        rows,
        columns,
        tile,
        draw(st.sampled_from([16, 32, 64])),
        tuple(draw(st.tuples(st.integers(0, 3), st.integers(0, 3))) for _ in "ab"),
    )

    def expression(names, inside, depth=2):
        """Text of the kernel and of torch. `inside`: part of the rows, where others are not to be had."""
        kind = draw(st.integers(0, 9)) if depth else 0
        if kind == 0:
            name = draw(st.sampled_from(names))
            return name, name
        if kind <= 4:
            forms = UNARY
        elif kind <= 7:
            forms = {k: v for k, v in BINARY.items() if not (inside and "(x > " in k)}
        else:
            forms = {**ROWS, **({} if inside else COLUMNS), **PRODUCTS}
        form = draw(st.sampled_from(list(forms)))
        operands = [
            expression(names, inside, depth - 1)
            for _ in range(2 if forms is BINARY or "{}, {}" in form or form.count("{}") == 2 else 1)
        ]
        return form.format(*(one for one, _ in operands)), forms[form].format(*(f"({one})" for _, one in operands))

    def assign(depth, name, names, inside=False):
        kernel, golden = expression(names, inside)
        program.say(depth, f"{name} = {kernel}", f"{name} = {golden}")

    def statement(depth, names, deep):
        kind = draw(st.integers(0, 6 if deep else 2))
        if kind <= 1:
            assign(depth, draw(st.sampled_from(["v", "u"])), names)
        elif kind == 2:  # through memory
            kernel, golden = expression(names, False)
            program.say(depth, f"t[:] = {kernel}", f"t[:] = {golden}")
            program.say(depth, "u = t + 0.25")
        elif kind == 3:
            program.say(depth, f"if n[0] < {draw(st.integers(0, 3))}:")
            for _ in range(draw(st.integers(1, 2))):
                statement(depth + 1, names, False)
            program.say(depth, "else:")
            statement(depth + 1, names, False)
        elif kind == 4:
            program.say(depth, "for i in pypto.loop(n[1]):", "for i in range(n[1]):")
            for _ in range(draw(st.integers(1, 2))):
                statement(depth + 1, names, False)
        else:  # parts of rows, with a tail
            size = draw(st.sampled_from([4, 16, 32]))
            memory = draw(st.sampled_from(["x", "z", "t"]))
            target = draw(st.sampled_from(["t", "y"]))
            if memory == "t" or target == "t":
                program.say(depth, "t[:] = v")
            program.say(depth, f"for i in pypto.loop({-(-rows // size)}):", f"for i in range({-(-rows // size)}):")
            program.say(
                depth + 1,
                f"p = pypto.view({memory}, [{size}, {columns}], [i * {size}, 0])",
                f"p = {memory}[i * {size} : (i + 1) * {size}]",
            )
            for _ in range(draw(st.integers(1, 2))):
                assign(depth + 1, "p", ["p"], inside=True)
            program.say(depth + 1, f"{target}[i * {size}:, 0:] = p", f"{target}[i * {size} : (i + 1) * {size}] = p")
            program.say(depth, f"u = {'t' if target == 't' else 'x'} * 0.5")

    program.say(1, "v = x * 0.5")
    program.say(1, "u = z + 0.5")
    names = ["x", "z", "u", "v"]
    for _ in range(draw(st.integers(1, 4))):
        statement(1, names, True)
    kernel, golden = expression(names, False)
    program.say(1, f"y[:] = {kernel}", f"y[:] = {golden}")
    return program
