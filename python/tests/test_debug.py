"""The debugger: where it stops, what it shows, what it leaves alone. Sessions are compared letter by letter."""

import importlib
import re
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import asc
import asc2
import numpy as np
import pytest
from asc.runtime import config
from asc.runtime.debug import debugging
from debugging import answers, session
from tilesmith.debug import Debugger

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(params=["Ascend910B1", "Ascend950PR_9599"])
def platform(request):
    config.set_platform(config.Backend.Model, request.param)
    return request.param


def line_of(kernel, text):
    """The line of a kernel's file that has this text."""
    lines = kernel.source.splitlines()
    return kernel.first_line + next(index for index, line in enumerate(lines) if text in line)


def value(lines, command):
    """What the first command of this text printed."""
    return "\n".join(next(said for given, said in answers(lines) if given == command))


@asc2.jit
def halved(tile):
    half = tile * 0.5
    return half


@asc2.jit
def scale(x_ptr, y_ptr, size, factor, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i])
        y = x * factor
        z = halved(y) + 1.0
        asc2.store(z, y_gm, tile_id=[i])


def run_scale(blocks=2, size=64, tile=16):
    x, y = np.arange(size, dtype=np.float32), np.zeros(size, np.float32)
    scale[blocks](x, y, size, 4.0, tile=tile)
    assert (y == x * 2 + 1).all()


def test_a_session(platform):
    """Names, steps, functions, watches: one session as a user has it, on both platforms."""
    file = Path(__file__).name
    first = line_of(scale, "y = x * factor")
    said = session(run_scale, ["where", "p i", "p x[:4]", "x", "n", "p y[:4]", "s", "s", "p half[1]", "up", "p factor", "finish", "c", "q"],
                   [f"{first}"], block=1)
    text = "\n".join(said).replace(str(Path(__file__)), file)
    text = re.sub(r"(?:\.\./|python/tests/)+test_debug.py", file, text)
    text = text.replace(platform, "PLATFORM")
    assert text == textwrap.dedent(f"""\
        [breakpoint 1]
        block 1, {file}:{first} in scale
        -> {first:4} |         y = x * factor
        (debug) where
        -> #0 scale at {file}:{first}
           block 1 of 2 on PLATFORM
        (debug) p i
        1
        (debug) p x[:4]
        [16. 17. 18. 19.]
        (debug) x
        x: tile [16] float32 in UB at 0
        [16. 17. 18. 19. 20. 21. 22. 23. 24. 25. 26. 27. 28. 29. 30. 31.]
        (debug) n
        block 1, {file}:{first + 1} in scale
        -> {first + 1:4} |         z = halved(y) + 1.0
        (debug) p y[:4]
        [64. 68. 72. 76.]
        (debug) s
        block 1, {file}:{line_of(halved, 'half = ')} in halved
        -> {line_of(halved, 'half = '):4} |     half = tile * 0.5
        (debug) s
        block 1, {file}:{line_of(halved, 'return')} in halved
        -> {line_of(halved, 'return'):4} |     return half
        (debug) p half[1]
        34.0
        (debug) up
        #1 scale at {file}:{first + 1}
        -> {first + 1:4} |         z = halved(y) + 1.0
        (debug) p factor
        4.0
        (debug) finish
        block 1, {file}:{first + 2} in scale
        -> {first + 2:4} |         asc2.store(z, y_gm, tile_id=[i])
        (debug) c
        [breakpoint 1]
        block 1, {file}:{first} in scale
        -> {first:4} |         y = x * factor
        (debug) q""")


def test_a_watch_shows_old_and_new_and_who_did_it(platform):
    store = line_of(scale, "asc2.store")
    said = session(run_scale, ["watch y_ptr[20]", "watch y_ptr[100]", "watch y_ptr[16:18]", "b", "c", "delete 1", "d 7", "c", "q"])
    assert value(said, "watch y_ptr[20]") == "watch 1: y_ptr[20] = 0.0"
    assert value(said, "watch y_ptr[100]") == "error: IndexError: index 100 is out of bounds for axis 0 with size 64"
    assert value(said, "b") == "watch 1: y_ptr[20]\nwatch 2: y_ptr[16:18]"
    first, second = (lines for command, lines in answers(said) if command == "c")
    assert re.fullmatch(rf"\[watch 1\] y_ptr\[20\] changed at .*test_debug.py:{store}", first[0])
    assert first[1:3] == ["  old: 0.0", "  new: 41.0"]
    assert first[3].startswith("  by:  MTE3: copy_ub_to_gm.F32 dst=y_ptr[16], src=UB ")
    assert first[4].startswith("block 1, ")
    assert value(said, "d 7") == "error: no breakpoint and no watch has number 7; `break` lists them"
    assert second[1:3] == ["  old: [0. 0.]", "  new: [33. 35.]"]


def test_a_tile_can_be_watched(platform):
    x = line_of(scale, "y = x * factor")
    said = session(run_scale, ["watch x", "c", "q"], [str(x)], block=0)
    # The next iteration loads into the tile.
    lines = value(said, "c").splitlines()
    assert re.fullmatch(rf"\[watch 2\] x changed at .*:{x - 1}", lines[0])
    assert lines[1:3] == [f"  old: {np.arange(16.0)}", f"  new: {np.arange(32.0, 48.0)}"]


def test_conditions(platform):
    x = line_of(scale, "y = x * factor")
    said = session(run_scale, ["p i", "c"], [f"{x} if i == 3"])
    assert value(said, "p i") == "3"
    # One that cannot be evaluated stops, and says why.
    said = session(run_scale, ["q"], [f"{x} if nothing == 3"])
    assert said[:2] == ["error: the condition of breakpoint 1: name 'nothing' is not defined", "[breakpoint 1]"]
    # A condition that does not hold does not stop a step.
    said = session(lambda: run_scale(1), ["n", "n", "n", "n", "q"], [f"{x} if i == 7", str(x - 1)])
    assert [line.split(" in ")[0].rsplit(":")[-1] for line in said if line.startswith("block 0")] == [str(x + i) for i in (-1, 0, 1, 2, -1)]


def test_blocks(platform):
    start = line_of(scale, "x_gm = ")
    said = session(lambda: run_scale(4), ["nb", "nb 0", "nb 9", "nb 3", "nb all", "q"])
    places = [line for line in said if line.startswith("block")]
    assert [place.split(",")[0] for place in places] == ["block 0", "block 1", "block 3"]
    assert all(f":{start} in scale" in place for place in places)
    assert value(said, "nb 0") == "error: block 0 has begun: blocks run in order, and this is block 1"
    assert value(said, "nb 9") == "error: the launch has 4 blocks, 0 to 3"


def test_instructions_and_what_is_in_flight(platform):
    x = line_of(scale, "x = asc2.load")
    said = session(run_scale, ["pipes", *["si"] * 8, "pipes", "q"], [str(x)], block=0)
    assert all(re.match(r"flag \w+ -> \w+ \d raised at .*:\d+", line) for line in value(said, "pipes").splitlines())  # of the loop
    nexts = [line for line in said if line.startswith("next: ")]
    assert any(line.startswith("next: MTE2: copy_gm_to_ub.F32 dst=UB 0, src=x_ptr[0], ") for line in nexts)
    assert any(re.match(r"next: (MTE2|V): (set|wait)_flag \w+ -> \w+ \d$", line) for line in nexts)
    busy = [lines for command, lines in answers(said) if command == "pipes"][-1]
    assert any(re.match(r"(MTE2|V|MTE3): \d+ instructions? in flight|flag \w+ -> \w+ \d raised at .*:\d+", line) for line in busy)


def test_errors_of_commands_do_not_end_the_session(platform):
    said = session(run_scale, ["p nothing", "p x +", "p", "p 1 / 0", "prnt x", "b", "b nowhere", "b 3 if (", "b 99999", "watch i", "watch factor * 2",
                               "watch nothing", "watch", "d", "d x", "list 99999", "up", "down", "help nope", "dump UB", "dump XX+0",
                               "dump UB+99999999999", "dump UB+0 4 nope", "p x_gm.nothing", "p __import__('sys').exit(3)", "p i", "q"])
    assert [lines[0] if lines else "" for _, lines in answers(said)] == [
        "error: name 'nothing' is not defined",
        "error: not an expression: invalid syntax",
        "error: what? `p x` prints x, `names` lists the names",
        "error: ZeroDivisionError: division by zero",
        "error: no command and no name here is called 'prnt'; did you mean print? (`help` lists the commands)",
        "nothing stops: `b LINE` and `watch NAME` do",
        "error: 'nowhere' is not a place: write LINE, FILE:LINE, or either with `if CONDITION`",
        "error: the condition '(' is not an expression: '(' was never closed",
        "note: scale has no statement there; another kernel may",
        "error: no name `i` here",
        "error: only a name, or elements of one such as y[100], can be watched",
        "error: no name `nothing` here",
        "error: what? `watch y_ptr[100]` stops when that element changes",
        "error: the number of a breakpoint or watch is missing",
        "error: 'x' is not the number of a breakpoint or watch",
        "error: " + said_file() + " has no line 99999",
        "error: there is no function further out",
        "error: this is the innermost function",
        "error: no command is called 'nope'",
        "error: write `dump MEMORY+OFFSET [COUNT] [DTYPE]`, such as `dump UB+256 16 float32`",
        "error: no memory is called XX; there are UB, L1, L0A, L0B, L0C, BT, FB" + ", L0AMX, L0BMX" * (platform == "Ascend950PR_9599"),
        "error: 16 bytes from UB 99999999999 are not all there",
        "error: no dtype is called nope",
        "error: name 'x_gm' is not defined",
        "error: SystemExit: 3",
        "error: name 'i' is not defined",
        "",
    ]


def said_file():
    from tilesmith.debug.session import short

    return short(__file__)


def test_names_of_every_kind(platform):
    @asc2.jit
    def kinds(x_ptr, y_ptr, rows, ratio, flag, tile: asc.ConstExpr[int], word: asc.ConstExpr[str]):
        x_gm = asc2.tensor(x_ptr, [rows, 16])
        wide = asc2.load(x_gm, [4, tile], offsets=[0, 0])
        narrow = wide.to(asc.bfloat16)
        whole = wide.to(asc.int32)
        bits = wide > 3.0
        pair = (wide, rows)
        ahead = x_ptr + 3
        total = asc2.reduce_sum(wide, 1)
        if rows > 2:
            total = total * 2.0
        else:
            total = total * 3.0
        asc2.store(total, asc2.tensor(y_ptr, [4]), offsets=[0])

    def run():
        kinds[1](np.arange(64, dtype=np.float32).reshape(4, 16), np.zeros(4, np.float32), 4, 0.25, True, tile=16, word="a")

    said = session(run, ["names", "p narrow[1, :3]", "p bits[0, :6]", "p pair", "p ahead[0]", "p tile + 1", "p word", "p total.tolist()", "q"],
                   [str(line_of(kinds, "asc2.store"))])
    names = {line.split()[0]: line for line in value(said, "names").splitlines()}
    assert list(names) == ["x_ptr", "y_ptr", "rows", "ratio", "flag", "tile", "word", "x_gm", "wide", "narrow", "whole", "bits", "pair", "ahead", "total"]
    assert re.search(r"rows +int32 +4$", names["rows"])
    assert re.search(r"ratio +float32 +0.25$", names["ratio"])
    assert re.search(r"tile +constant +16$", names["tile"])
    assert re.search(r"x_ptr +array \[64\] float32 +0.0 1.0 2.0 3.0 ...$", names["x_ptr"])
    assert re.search(r"x_gm +tensor \[4, 16\] float32 +0.0 1.0 2.0 3.0 ...$", names["x_gm"])
    assert re.search(r"wide +tile \[4, 16\] float32 in UB at \d+ +0.0 1.0 2.0 3.0 ...$", names["wide"])
    assert "tile [4, 16] bfloat16 (shown as float32) in UB" in names["narrow"]
    assert "tile [4, 16] int32 in UB" in names["whole"] and "tile [4, 16] int1 in UB" in names["bits"]
    assert value(said, "p narrow[1, :3]") == "[16. 17. 18.]"
    assert value(said, "p bits[0, :6]") == "[False False False False  True  True]"
    assert re.fullmatch(r"\(<tile \[4, 16\] float32 in UB at \d+>, 4\)", value(said, "p pair"))
    assert value(said, "p ahead[0]") == "3.0"
    assert value(said, "p tile + 1") == "17"
    assert value(said, "p word") == "'a'"
    assert value(said, "p total.tolist()") == str([2.0 * (16 * 16 * row + 120) for row in range(4)])


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_tiles_of_the_matrix_unit_show_their_rows(platform, dtype):
    """L1, L0A, L0B and L0C keep fractals; people think of rows and columns."""
    @asc2.jit
    def product(a_ptr, b_ptr, c_ptr):
        a = asc2.load(asc2.tensor(a_ptr, [40, 64]), [40, 64], offsets=[0, 0], location=asc2.TileLocation.L1)
        b = asc2.load(asc2.tensor(b_ptr, [64, 48]), [64, 48], offsets=[0, 0], location=asc2.TileLocation.L1)
        left = asc2.copy(a, [40, 64], offsets=[0, 0], location=asc2.TileLocation.L0A)
        right = asc2.copy(b, [64, 48], offsets=[0, 0], location=asc2.TileLocation.L0B)
        acc = asc2.zeros_acc([40, 48], asc.float32)
        asc2.matmul_acc(left, right, acc)
        asc2.store(acc, asc2.tensor(c_ptr, [40, 48]), offsets=[0, 0])

    a, b = np.arange(40 * 64).reshape(40, 64) % 31, np.arange(64 * 48).reshape(64, 48) % 17
    c = np.zeros((40, 48), np.float32)
    said = session(lambda: product[1](a.astype(dtype), b.astype(dtype), c),
                   ["p (acc == 0).all()", "n", "p a.astype(int).tolist()", "p left.astype(int).tolist()", "p b.astype(int).tolist()",
                    "p right.astype(int).tolist()", "p acc.astype(int).tolist()", "memory", "c"], [str(line_of(product, "matmul_acc"))])
    assert (c == a @ b).all()
    assert value(said, "p (acc == 0).all()") == "True"
    for name, expected in (("a", a), ("left", a), ("b", b), ("right", b), ("acc", a @ b)):
        assert value(said, f"p {name}.astype(int).tolist()") == str(expected.tolist()), name
    assert [line.split(":")[0] for line in value(said, "memory").splitlines() if not line.startswith(" ")] == ["L1", "L0A", "L0B", "L0C"]


def test_an_accumulator_nothing_was_added_to_does_not_touch_another(platform):
    """Two of them are one value until a product changes one: looking at the other must not zero the sums."""
    @asc2.jit
    def sums(a_ptr, c_ptr):
        a_gm, c_gm = asc2.tensor(a_ptr, [16, 16]), asc2.tensor(c_ptr, [16, 16])
        acc, empty = asc2.zeros_acc([16, 16], asc.float32), asc2.zeros_acc([16, 16], asc.float32)
        for i in asc2.range(0, 2):
            left = asc2.load(a_gm, [16, 16], offsets=[0, 0], location=asc2.TileLocation.L0A)
            right = asc2.load(a_gm, [16, 16], offsets=[0, 0], location=asc2.TileLocation.L0B)
            asc2.matmul_acc(left, right, acc)
        asc2.store(acc, c_gm, offsets=[0, 0])

    a, c = np.eye(16, dtype=np.float16) * 3, np.zeros((16, 16), np.float32)
    said = session(lambda: sums[1](a, c), ["p acc[0, 0]", "p empty[0, 0]", "c"], [str(line_of(sums, "asc2.store"))])
    assert (value(said, "p acc[0, 0]"), value(said, "p empty[0, 0]")) == ("18.0", "0.0")
    assert (c == np.eye(16) * 18).all()


def test_a_finding_stops_where_it_happens(platform):
    @asc2.jit
    def wild(x_ptr, size):
        x_gm = asc2.tensor(x_ptr, [size])
        x = asc2.load(x_gm, [64], offsets=[0])
        asc2.store(x, x_gm, offsets=[0])

    def run():
        with pytest.raises(asc.KernelError):
            wild[1](np.zeros(16, np.float32), 4096)

    said = session(run, ["p size", "c"], ["1"])
    assert said[0].startswith("[finding] bounds.gm")
    assert f":{line_of(wild, 'asc2.load')} in wild" in said[2]
    assert value(said, "p size") == "4096"


def test_a_breakpoint_in_the_source_stops(platform):
    @asc2.jit
    def marked(x_ptr, size):
        x_gm = asc2.tensor(x_ptr, [size])
        for i in asc2.range(0, 4):
            x = asc2.load(x_gm, [16], tile_id=[i])
            if i == 2:
                asc2.breakpoint()
            asc2.store(x + 1.0, x_gm, tile_id=[i])

    x = np.zeros(64, np.float32)
    said = session(lambda: marked[1](x, 64), ["c", "p i", "p x_gm[30:34]", "s", "c"])
    assert said[4] == "[asc2.breakpoint()]"
    assert value(said, "p i") == "2"
    assert value(said, "p x_gm[30:34]") == "[1. 1. 0. 0.]"
    assert f":{line_of(marked, 'asc2.store')} in marked" in value(said, "s")
    assert (x == 1).all()


def test_without_a_terminal_a_breakpoint_warns_once_and_continues(tmp_path):
    program = """
        import asc2, numpy as np

        @asc2.jit
        def marked(x_ptr):
            x_gm = asc2.tensor(x_ptr, [16])
            asc2.breakpoint()
            asc2.store(asc2.load(x_gm, [16], offsets=[0]) + 1.0, x_gm, offsets=[0])

        x = np.zeros(16, np.float32)
        marked[1](x)
        marked[1](x)
        print(x[0])
    """
    file = tmp_path / "marked.py"
    file.write_text(textwrap.dedent(program))
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.stdout == "2.0\n"
    assert done.stderr.count("RuntimeWarning: asc2.breakpoint() in kernel 'marked' is passed over: there is no terminal to ask.") == 1


def test_breakpoints_cost_nothing_without_a_debugger(platform):
    """The isa IR of a kernel with a breakpoint is that of the kernel without."""
    @asc2.jit
    def plain(x_ptr):
        x_gm = asc2.tensor(x_ptr, [64])
        for i in asc2.range(0, 4):
            x = asc2.load(x_gm, [16], tile_id=[i])
            asc2.store(x + 1.0, x_gm, tile_id=[i])

    @asc2.jit
    def marked(x_ptr):
        x_gm = asc2.tensor(x_ptr, [64])
        for i in asc2.range(0, 4):
            x = asc2.load(x_gm, [16], tile_id=[i])
            if i > 2:
                asc2.breakpoint()
            asc2.store(x + 1.0, x_gm, tile_id=[i])

    x = np.zeros(64, np.float32)
    times = []
    for kernel in (plain, marked):
        with asc.profile() as report, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kernel[1](x)
        times.append(report.launches[0].cycles)
    assert times[0] == times[1]
    assert "breakpoint" not in marked[1].ascendc(x) and "probe" not in marked[1].ascendc(x)


def test_as_compiled_shows_what_really_runs(platform):
    """Two buffers per tile, in place or in one vector function: the buffers have names, and say who wrote them."""
    store = line_of(scale, "asc2.store")
    said = session(run_scale, ["names", "p x[:3]", "p i", "watch y_ptr[0]", "c", "c", "p x[:3]", "q"], [str(store)], as_compiled=True)
    assert said[0] == "[breakpoint 1]" and f":{store} in scale" in said[1]
    names = {line.split()[0]: line for line in value(said, "names").splitlines()}
    result = "y" if platform == "Ascend910B1" else "z"  # computed in place, or in registers
    assert list(names) == ["x_ptr", "y_ptr", "size", "factor", "x", result]
    assert f"buffer [16] float32 in UB at 0, slot 0 of 2, written at test_debug.py:{line_of(scale, 'x = asc2.load')}" in names["x"]
    assert names[result].endswith(" 1.0 3.0 5.0 7.0 ...")
    assert value(said, "p i") == "error: name 'i' is not defined; with --as-compiled only arguments and buffers have names"
    assert "  new: 1.0" in said
    assert [lines for command, lines in answers(said) if command == "p x[:3]"] == [["[0. 1. 2.]"], ["[32. 33. 34.]"]]


def test_every_command_has_help(platform):
    from tilesmith.debug.commands import COMMANDS

    said = session(run_scale, ["help", *(f"help {known.names[0]}" for known in COMMANDS), "q"])
    overview = value(said, "help").splitlines()
    assert len(overview) == len(COMMANDS) + 1
    for known in COMMANDS:
        assert any(line.startswith(f"  {known.names[0]}") for line in overview)
        assert len(value(said, f"help {known.names[0]}").splitlines()) == 2


class Looking:
    """A prompt that asks for everything at its first stops, and steps."""

    def __init__(self, stops):
        self.stops, self.errors, self.seen = stops, [], 0

    def say(self, text):
        if text.startswith("error"):
            self.errors.append(text)

    def talk(self, debugger, stop):
        from tilesmith.debug import commands

        self.seen += 1
        if self.seen > self.stops:
            return "continue"
        for command in ("names", "memory", "pipes", "where"):
            commands.run(debugger, stop, command)
        return "call" if self.seen % 3 else "step"


@pytest.mark.parametrize("name, test, shape", [("softmax", "test_softmax", (31, 127)), ("matmul", "test_matmul", (127, 129, 65)),
                                               ("reduce_sum", "test_sum", (75, 130)), ("rms_norm", "test_rms_norm", (31, 127))])
def test_results_do_not_change_under_the_debugger(monkeypatch, platform, name, test, shape):
    """Compiled for debugging, stopped and looked at, kernels of the library give the bytes they give without."""
    from test_kernels import outputs

    module = importlib.import_module(name)
    found = getattr(module, test)
    expected = outputs(monkeypatch, found, platform, found.dtypes[0], shape)
    looking = Looking(stops=40)
    with debugging(Debugger(prompt=looking)):
        assert outputs(monkeypatch, found, platform, found.dtypes[0], shape) == expected
    assert looking.seen > 40 and not looking.errors
