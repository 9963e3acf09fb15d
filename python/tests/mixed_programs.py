"""Random kernels that mix products and tile operations: their source, and what they compute in torch.

A program works on two tiles, a column and a bias; products, element-wise operations, reductions along both axes and stores come in
random order, in loops, nested loops and branches whose bounds and conditions are arguments or read from an array.
"""

import textwrap

import asc
import asc2
import numpy as np
import torch

TILES, DEEPEST = ("x", "y"), 2


class Program:
    """One program: `kernel(blocks, arguments...)` and `expected(arguments...)`, made from a source of random numbers."""

    def __init__(self, rng, n, half="float16", length=None):
        self.rng, self.n, self.half = rng, n, half
        self.names = 0
        lines = self.block(0, length or rng.randint(1, 6))
        self.ours = "\n".join(ours for ours, _ in lines)
        self.theirs = "\n".join(theirs for _, theirs in lines)
        self.assemble()

    def assemble(self):
        self.source = KERNEL.format(body=textwrap.indent(self.ours, "        "), half=self.half)

    def kernel(self, **options):
        names = {"__name__": "mixed_program", "asc": asc, "asc2": asc2}
        exec(compile(self.source, "<mixed program>", "exec"), names)
        return asc2.jit(names["program"], source=self.source, **options)

    def expected(self, xs, b, a, bias, flags, times, flag):
        """Results of all parts, each computed from its own x: float32, rounded to half where the kernel rounds."""
        half = getattr(torch, self.half)
        names = {"torch": torch, "h": lambda value: value.to(half).float()}
        exec("def program(x, a, b, bias, flags, times, flag, n):\n    y, m = x * 0.5, torch.zeros(n, 1)\n"
             f"    side = torch.zeros(n, n)\n{textwrap.indent(self.theirs, '    ')}\n    return x, y, m.expand(n, n), side", names)  # fmt: skip
        b, a, bias = (torch.from_numpy(np.asarray(value, np.float32)) for value in (b, a, bias))
        parts = [names["program"](torch.from_numpy(x), a, b, bias, flags, times, flag, self.n) for x in xs]
        return [torch.cat(results).numpy() for results in zip(*parts)]

    # Statements: a pair of sources each, ours and torch's.

    def block(self, depth, length, loop=None):
        return [line for _ in range(length) for line in self.statement(depth, loop)]

    def statement(self, depth, loop):
        kinds = [self.product] * 4 + [self.elementwise] * 4 + [self.reduction] * 2 + [self.side]
        if depth < DEEPEST:
            kinds += [self.loop] * 2 + [self.branch] * 2
        if loop is not None:
            kinds.append(self.leave)
        return self.rng.choice(kinds)(depth, loop)

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def tile(self):
        return self.rng.choice(TILES)

    def product(self, depth, loop):
        to, one, other = self.tile(), self.tile(), self.tile()
        scale = f"{1 / self.n:.6f}"
        which = self.rng.randrange(6)
        if which == 0:
            return [(f"{to} = ({one}.to(half) @ b) * 0.25", f"{to} = (h({one}) @ b) * 0.25")]
        if which == 1:  # the tile of a product is loaded for vectors, too
            return [(f"{to} = (a @ b) * 0.25 + a.to(asc.float32) + {one} * 0.5", f"{to} = (a @ b) * 0.25 + a + {one} * 0.5")]
        if which == 2:  # both operands from vectors
            return [(f"{to} = ({one}.to(half) @ {other}.to(half)) * {scale}", f"{to} = (h({one}) @ h({other})) * {scale}")]
        if which == 3:  # a product of a product
            return [(f"{to} = (({one}.to(half) @ b).to(half) @ b) * 0.125", f"{to} = (h(h({one}) @ b) @ b) * 0.125")]
        if which == 4:  # used twice
            p = self.name("p")
            return [
                (f"{p} = {one}.to(half) @ a", f"{p} = h({one}) @ a"),
                (f"{to} = {p} * 0.125 + asc2.abs({p}) * {other}", f"{to} = {p} * 0.125 + {p}.abs() * {other}"),
            ]
        count, acc = self.rng.choice(["times", "2", "flag"]), self.name("acc")
        return [
            (f"{acc} = asc2.zeros_acc([n, n], asc.float32)", f"{acc} = torch.zeros(n, n)"),
            (f"for _ in asc2.range({count}):\n    asc2.matmul_acc({one}.to(half), b, {acc})",
             f"for _ in range({count}):\n    {acc} = {acc} + h({one}) @ b"),
            (f"{to} = {acc} * 0.125 + {other} * 0.5", f"{to} = {acc} * 0.125 + {other} * 0.5"),
        ]  # fmt: skip

    def elementwise(self, depth, loop):
        to, one, other = self.tile(), self.tile(), self.tile()
        which = self.rng.randrange(5)
        if which == 0:
            return [(f"{to} = asc2.abs({one}) + 0.25", f"{to} = {one}.abs() + 0.25")]
        if which == 1:
            return [(f"{to} = {one} / (asc2.abs({one}) + 1.0)", f"{to} = {one} / ({one}.abs() + 1.0)")]
        if which == 2:
            return [(f"{to} = {one} * 0.5 - {other} * 0.25", f"{to} = {one} * 0.5 - {other} * 0.25")]
        if which == 3:
            return [(f"{to} = {one} * 0.5 + bias.broadcast_to([n, n])", f"{to} = {one} * 0.5 + bias")]
        return [(f"x, y = {one}, {other}", f"x, y = {one}, {other}")]

    def reduction(self, depth, loop):
        to, one = self.tile(), self.tile()
        which = self.rng.randrange(4)
        if which == 0:
            return [
                (f"m = asc2.maximum(m, asc2.reduce_max({one}, 1, keep_dims=True))", f"m = torch.maximum(m, {one}.max(1, keepdim=True).values)"),
                (f"{to} = {one} - m.broadcast_to([n, n]) * 0.5", f"{to} = {one} - m * 0.5"),
            ]  # fmt: skip
        if which == 1:
            return [
                (f"m = m * 0.5 + asc2.reduce_sum({one}, 1, keep_dims=True) * 0.03", f"m = m * 0.5 + {one}.sum(1, keepdim=True) * 0.03")
            ]
        if which == 2:  # needs all rows
            return [
                (f"{to} = {one} * 0.5 + asc2.reduce_sum({one}, 0).broadcast_to([n, n]) * 0.01", f"{to} = {one} * 0.5 + {one}.sum(0) * 0.01")
            ]
        return [(f"{to} = {one} * 0.5 + m.broadcast_to([n, n]) * 0.25", f"{to} = {one} * 0.5 + m * 0.25")]

    def side(self, depth, loop):
        """A result that leaves on the way, from either kind of core."""
        one = self.tile()
        if self.rng.randrange(2):
            return [(f"asc2.store({one}.to(half) @ b, side_gm, offsets=[part * n, 0])", f"side = h({one}) @ b")]
        return [(f"asc2.store({one} + 1.0, side_gm, offsets=[part * n, 0])", f"side = {one} + 1.0")]

    def loop(self, depth, loop):
        name = self.name("i")
        ours, theirs = self.rng.choice([
            ("asc2.range(times)", "range(times)"), ("asc2.range(flag)", "range(flag)"), ("asc2.range(1, 3)", "range(1, 3)"),
            ("asc2.range(flag, times + 2, 2)", "range(flag, times + 2, 2)"),
        ])  # fmt: skip
        body = self.block(depth + 1, self.rng.randint(1, 3), name)
        return [self.indented(f"for {name} in {ours}:", f"for {name} in {theirs}:", body)]

    def condition(self, loop):
        conditions = [("flag > 1", "flag > 1"), ("times == 2", "times == 2")]
        if loop is not None:
            conditions += [(f"{loop} > 0", f"{loop} > 0")] * 2
            conditions += [(f"asc2.load(flags_gm, offsets=[{loop}]) > 0", f"flags[{loop}] > 0")] * 2
        return self.rng.choice(conditions)

    def branch(self, depth, loop):
        ours, theirs = self.condition(loop)
        lines = [self.indented(f"if {ours}:", f"if {theirs}:", self.block(depth + 1, self.rng.randint(1, 2), None))]
        if self.rng.randrange(2):
            lines.append(self.indented("else:", "else:", self.block(depth + 1, self.rng.randint(1, 2), None)))
        return lines

    def leave(self, depth, loop):
        ours, theirs = self.condition(loop)
        word = self.rng.choice(["break", "continue"])
        return [self.indented(f"if {ours}:", f"if {theirs}:", [(word, word)])]

    @staticmethod
    def indented(ours, theirs, body):
        inside = lambda which: textwrap.indent("\n".join(line[which] for line in body), "    ")
        return f"{ours}\n{inside(0)}", f"{theirs}\n{inside(1)}"


KERNEL = """\
def program(x_ptr, b_ptr, a_ptr, bias_ptr, flags_ptr, rx_ptr, ry_ptr, rm_ptr, side_ptr, parts, times, flag, n: asc.ConstExpr[int]):
    half = asc.{half}
    x_gm, side_gm = asc2.tensor(x_ptr, [parts * n, n]), asc2.tensor(side_ptr, [parts * n, n])
    rx_gm, ry_gm, rm_gm = asc2.tensor(rx_ptr, [parts * n, n]), asc2.tensor(ry_ptr, [parts * n, n]), asc2.tensor(rm_ptr, [parts * n, n])
    flags_gm = asc2.tensor(flags_ptr, [8])
    for part in asc2.range(asc2.block_idx(), parts, asc2.block_num()):
        b = asc2.load(asc2.tensor(b_ptr, [n, n]), [n, n], offsets=[0, 0])
        a = asc2.load(asc2.tensor(a_ptr, [n, n]), [n, n], offsets=[0, 0])
        bias = asc2.load(asc2.tensor(bias_ptr, [n]), [n], offsets=[0])
        x = asc2.load(x_gm, [n, n], offsets=[part * n, 0])
        y = x * 0.5
        m = asc2.full([n, 1], 0.0, asc.float32)
{body}
        asc2.store(x, rx_gm, offsets=[part * n, 0])
        asc2.store(y, ry_gm, offsets=[part * n, 0])
        asc2.store(m.broadcast_to([n, n]), rm_gm, offsets=[part * n, 0])
"""
