"""Every misuse the language refuses, through a launch: the class of the exception behind the CodegenError and the values its
text names. In the order of the language's parts: tiles, memory, arithmetic, matrices, reductions, shapes, scalars, statements.
"""

import importlib.util
import itertools

import asc
import numpy as np
import pytest
from asc.codegen.errors import CodegenError, UnsupportedSyntaxError

NUMBER = itertools.count()
HEAD = """\
import asc
import asc2

@asc2.jit(always_compile=True{options})
def kernel(a_ptr, h_ptr, k_ptr, u_ptr, n, f, shape: asc.ConstExpr = (64,)):
    a, h, k = asc2.tensor(a_ptr, [n]), asc2.tensor(h_ptr, [n]), asc2.tensor(k_ptr, [n])
    m = asc2.tensor(a_ptr, [8, n])
    x, xh, xk = asc2.load(a, [64], offsets=[0]), asc2.load(h, [64], offsets=[0]), asc2.load(k, [64], offsets=[0])
    t = x.reshape(2, 32)
"""


def launch(tmp_path, body, options=""):
    path = tmp_path / f"kernel_{next(NUMBER)}.py"
    path.write_text(HEAD.format(options=options) + "".join(f"    {line}\n" for line in body.splitlines()))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    arrays = np.zeros(512, np.float32), np.zeros(512, np.float16), np.zeros(512, np.int32), np.zeros(512, np.uint8)
    module.kernel[1](*arrays, 64, 2.5)


ERRORS = [
    # 1.1 operands
    ("x + xk.to(asc.int16)", RuntimeError, "add of float32 and int16 has no common type"),
    ("xh + xk.to(asc.int8)", RuntimeError, "add of float16 and int8 has no common type"),
    ("x + asc2.full([32], 1.0)", RuntimeError, r"add of tiles of different shapes \[64\] and \[32\]"),
    ("xk + 1.5", TypeError, "the float 1.5 is not a value of int32"),
    ("x + 'a'", TypeError, "add of a tile needs a tile or a number, not the str 'a'"),
    ("asc2.load(m, [2, 3], offsets=[0, 0])", RuntimeError, r"a row of the tile \[2, 3\] float32 has 12 bytes, which is not a multiple of 32"),
    ("asc2.store(asc2.full([2, 3], 1.0), m, offsets=[0, 0])", RuntimeError, r"a row of the tile \[2, 3\] float32 has 12 bytes"),
    ("asc2.copy(t, [2, 3])", RuntimeError, r"a row of the tile \[2, 3\] float32 has 12 bytes"),
    ("asc2.load(a, [], offsets=[0])", RuntimeError, "the shape of a tile must not be empty"),
    ("asc2.load(a, [n], offsets=[0])", RuntimeError, "All values in 'shape' must be integers"),
    ("asc2.load(a, [2.0], offsets=[0])", RuntimeError, "All values in 'shape' must be integers known while compiling, not the float 2.0"),
    ("asc2.load(a, [0], offsets=[0])", RuntimeError, "All values in 'shape' must be positive, not 0"),
    ("asc2.load(a, [64], offsets=[1.5])", TypeError, "values of offsets must be integers, not the float 1.5"),
    ("asc2.load(a, [64], tile_id=[f])", TypeError, "values of tile_id must be integers, not a runtime float32"),
    # 1.2 program model
    ("asc2.tensor(n, [3])", TypeError, "asc2.tensor needs a pointer argument of the kernel, not a runtime int32"),
    ("asc2.tensor(a_ptr, [1.5])", TypeError, "a dimension of a tensor must be an integer, not the float 1.5"),
    ("asc2.tensor(a_ptr, [-1])", ValueError, "a dimension of a tensor must be between 0 and 2147483647, not -1"),
    ("a.shape[1]", IndexError, "tuple index out of range|list index out of range"),
    ("asc2.range()", ValueError, "asc2.range takes 1 to 3 positional arguments, 0 were given"),
    ("asc2.range(1, 2, 3, 4)", ValueError, "asc2.range takes 1 to 3 positional arguments, 4 were given"),
    ("asc2.range(n, unroll_factor=2.0)", TypeError, "unroll_factor must be an int known while compiling, not the float 2.0"),
    ("asc2.range(n, unroll_factor=0)", ValueError, "unroll_factor must be at least 1, not 0"),
    ("asc2.range(n, parallel=1)", TypeError, "parallel must be True or False, not the int 1"),
    ("asc2.num_tiles(a, 0, [2, 2])", RuntimeError, r"a tile of shape \[2, 2\] does not match a tensor of rank 1"),
    ("asc2.num_tiles(a, 1, [64])", ValueError, "axis 1 is out of range for a tensor of rank 1"),
    # 1.3 memory
    ("asc2.load(a, [64])", ValueError, "asc2.load needs exactly one of tile_id and offsets"),
    ("asc2.load(a, [64], tile_id=[0], offsets=[0])", ValueError, "asc2.load needs exactly one of tile_id and offsets, both were given"),
    ("asc2.load(a, [2, 64], offsets=[0, 0])", RuntimeError, r"a tile of shape \[2, 64\] does not match a tensor of rank 1"),
    ("asc2.load(a, [64], offsets=[0, 0])", RuntimeError, "offsets has 2 values for a tensor of rank 1"),
    ("asc2.load(x, [64], offsets=[0])", TypeError, r"asc2.load needs a tensor, not a tile \[64\] float32"),
    ("asc2.load(a, [64], offsets=[0], location=3)", TypeError, "location must be a member of asc2.TileLocation, not the int 3"),
    ("asc2.load(a, tile_id=[0])", ValueError, "reading one element needs offsets, not tile_id"),
    ("asc2.store(x, a)", ValueError, "asc2.store needs exactly one of tile_id and offsets"),
    ("asc2.store(xh, a, offsets=[0])", RuntimeError, "a tile of float16 cannot be stored into a tensor of float32"),
    ("asc2.store(1, a, tile_id=[0])", ValueError, "writing one element needs offsets, not tile_id"),
    ("asc2.store(1, a, offsets=[0, 0])", RuntimeError, "offsets has 2 values for a tensor of rank 1"),
    ("asc2.store(1, a)", ValueError, "asc2.store needs exactly one of tile_id and offsets"),
    ("asc2.store('a', a, offsets=[0])", TypeError, "asc2.store needs a tile or a number, not the str 'a'"),
    ("asc2.copy(t, [64])", RuntimeError, r"a tile of shape \[2, 32\] has no part of shape \[64\]"),
    ("asc2.copy(t, [2, 32], offsets=[1, 0])", RuntimeError, r"the part \[2, 32\] at offset 1 of dimension 0 lies outside the tile \[2, 32\]"),
    # 1.4 element-wise
    ("asc2.add(1, 2)", TypeError, "asc2.add needs at least one tile, not the int 1 and the int 2"),
    ("asc2.maximum(n, f)", TypeError, "asc2.maximum needs at least one tile, not a runtime int32 and a runtime float32"),
    ("xk << xk", TypeError, "a shift takes an integer tile and an integer number"),
    ("xk << -1", ValueError, "a shift count must not be negative or huge: -1"),
    ("x >> 1", TypeError, "a shift takes an integer tile and an integer number"),
    ("(x > 1) + 1", TypeError, "add is not defined for the result of a comparison"),
    ("{x: 1}", UnsupportedSyntaxError, "Dict syntax is not supported"),
    # 1.5 matrices
    ("x @ 2", TypeError, "asc2.matmul needs a tile, not the int 2"),
    ("t @ xh.reshape(32, 2)", RuntimeError, "a matrix product needs equal element types, not float32 and float16"),
    ("xk.reshape(8, 8) @ xk.reshape(8, 8)", RuntimeError, "a matrix product is defined for float16, bfloat16, float32 and int8, not for int32"),
    ("x @ x", RuntimeError, r"a matrix product needs tiles of at least 2 dimensions, not \[64\] and \[64\]"),
    ("t @ t", RuntimeError, r"the inner dimensions of \[2, 32\] @ \[2, 32\] differ"),
    ("asc2.zeros_acc([16, 16], asc.float16)", RuntimeError, r"an accumulator is a float32 or int32 tile of 2 dimensions, not \[16, 16\] float16"),
    ("asc2.matmul_acc(t, x.reshape(32, 2), x)", RuntimeError, "the accumulator of matmul_acc must come from asc2.zeros_acc"),
    # 1.6 unary
    ("asc2.exp(xk)", RuntimeError, "exp is not defined for tiles of int32"),
    ("xk.floor()", RuntimeError, "floor is not defined for tiles of int32"),
    ("asc2.softmax(xk)", RuntimeError, "softmax is defined for float32 and float16, not for int32"),
    ("asc2.softmax(x.reshape(2, 4, 8))", RuntimeError, r"softmax takes a tile of at most 2 dimensions, not a tile \[2, 4, 8\] float32"),
    ("asc2.rms_norm(xk, xk, 1.0)", RuntimeError, "rms_norm is defined for float32 and float16, not for int32"),
    ("asc2.rms_norm(t, x, 1.0)", RuntimeError, "gamma has 64 elements for rows of 32"),
    # 1.7 reductions
    ("x.prod()", RuntimeError, "prod"),
    ("t.sum(0, 1)", RuntimeError, "all"),
    ("t.sum(2)", (RuntimeError, ValueError, IndexError), "2"),
    ("t.sum(n)", TypeError, "must be an int known while compiling, not a runtime int32"),
    # 1.8 shapes, creation, selection
    ("t.broadcast_to(3, 32)", RuntimeError, r"\[2, 32\].*\[3, 32\]"),
    ("x.reshape(3, 3)", RuntimeError, r"\[64\].*\[3, 3\]"),
    ("t.squeeze(0)", RuntimeError, "0"),
    ("asc2.concat(x, xh)", RuntimeError, "float"),
    ("asc2.concat(t, x.reshape(4, 16))", RuntimeError, r"asc2.concat cannot join a tile \[4, 16\] float32 with a tile \[2, 32\] float32"),
    ("asc2.where(x, x, x)", TypeError, "the mask of asc2.where must be the result of a comparison"),
    ("asc2.where(x > 1, t, 0.0)", RuntimeError, r"selection of tiles of different shapes \[64\] and \[2, 32\]"),
    ("asc2.mask()", ValueError, "asc2.mask needs exactly one of count and bits"),
    ("asc2.atomic_add(xh, a, [0])", RuntimeError, "a tile of float16 cannot be combined with a tensor of float32"),
    ("asc2.full([4], 'a')", TypeError, "the str 'a'"),
    ("x.to('float16')", TypeError, "the argument of to must be a dtype"),
    ("x.to(asc.void)", RuntimeError, "tiles of void are not supported"),
    # 1.10 scalars
    ("n ** 2", NotImplementedError, r"operator \*\* is not defined for runtime scalars of int32"),
    ("2 ** n", NotImplementedError, r"operator \*\* is not defined for runtime scalars of int32"),
    ("~n", NotImplementedError, "operator ~ is not defined for a runtime int32"),
    ("f & 1", TypeError, "operator & is not defined for runtime scalars of float32"),
    ("n + 'a'", TypeError, r"operator \+ is not defined for a runtime int32 and the str 'a'"),
    ("n + 2**40", OverflowError, "1099511627776 does not fit into int32"),
    ("n.cast(asc.void)", TypeError, "a scalar cannot be void"),
    ("n.foo", AttributeError, "a runtime int32 has no attribute foo inside a kernel"),
    # 2.2 tools
    ("asc.static_assert(1 == 2, 'sizes')", AssertionError, "sizes"),
    ("asc.static_assert(n)", RuntimeError, "asc.static_assert needs a value known while compiling, not a runtime int32"),
    ("asc.static_range(n)", TypeError, "asc.static_range takes ints known while compiling, not a runtime int32"),
    ("asc.number('1', asc.int32)", TypeError, "expected a number, got the str '1'"),
    ("asc.inline('x = 1;')", NotImplementedError, r"asc.inline is raw C\+\+ for the chip's compiler and cannot be run here"),
    ("asc.array(asc.int32, -1)", ValueError, "an array has 0 to 1024 elements, not -1"),
    ("asc.array(asc.int32, [1, 2], 3)", ValueError, "fill_value goes with a length, not with values"),
    ("a_ptr - 1", TypeError, "operator - is not defined for an address of float32 and the int 1"),
    ("a_ptr + 1.5", TypeError, "an address moves by an integer number of elements, not by the float 1.5"),
    ("a_ptr[0]", TypeError, "an address of float32 cannot be indexed"),
    # 3.4 names
    ("print(n)", NameError, "NameError: print is not defined"),
    ("undefined", NameError, "NameError: undefined is not defined"),
    # 3.5 calls
    ("kernel(1, 2, 3, 4, 5, 6)", RecursionError, "recursive call of kernel"),
    ("asc2.add(**x)", UnsupportedSyntaxError, r"\*\* in a call is not supported inside a kernel"),
    ("asc2.load()", TypeError, "missing argument tensor of asc2.load"),
    ("asc2.exp(x, x)", TypeError, "asc2.exp takes at most 1 positional arguments, 2 were given"),
    ("asc2.exp(x, foo=1)", TypeError, "asc2.exp has no parameter foo"),
    ("sorted([n, 1])", TypeError, "sorted needs values known while compiling"),
    ("int('x')", ValueError, "invalid literal for int"),
    # 3.6 statements
    ("y = z = 1", UnsupportedSyntaxError, "chained assignment is not supported inside a kernel"),
    ("y, z = 1, 2, 3", ValueError, "cannot unpack 3 values into 2 names"),
    ("if x:\n    pass", TypeError, r"a tile \[64\] float32 has no truth value"),
    ("if n > 1:\n    y = 1\nasc2.store(y, k, offsets=[0])", NameError, "y is not defined here: it was bound inside the runtime if"),
    ("y = 1\nif n > 1:\n    y = x\nelse:\n    y = t\nasc2.store(y, a, offsets=[0])", TypeError, "y is a tile .* in one branch of this if"),
    ("for i in range(n):\n    pass\nasc2.store(i, k, offsets=[0])", NameError, "i is not defined here: its value ends with the loop"),
    ("for i in range(0, n, -1):\n    pass", ValueError, "the step of a runtime loop must be positive, not -1"),
    ("for i, j in range(n):\n    pass", UnsupportedSyntaxError, "the variable of a runtime loop must be one name"),
    ("for i in n:\n    pass", UnsupportedSyntaxError, "a for loop inside a kernel runs over range"),
    ("assert 1 == 2, f'{1 + 1} values'", AssertionError, "AssertionError: 2 values"),
    ("assert n > 1", RuntimeError, "an assert inside a kernel must be known while compiling, not a runtime int1"),
    ("return n", UnsupportedSyntaxError, "a kernel cannot return a value"),
    ("while True:\n    pass", RuntimeError, "this loop never ends"),
    ("{i for i in (1, 2)}", UnsupportedSyntaxError, "SetComp syntax is not supported"),
    ("[i for i in range(n)]", TypeError, "a comprehension is unrolled while compiling: its range cannot have a runtime int32"),
    ("[i for i in (1, 2) if n > i]", TypeError, "the condition of a comprehension must be known while compiling, not a runtime int1"),
    ("for i in range(n):\n    break\nelse:\n    pass", UnsupportedSyntaxError, "for ... else is not supported inside a kernel"),
]


@pytest.mark.parametrize("body, cause, text", ERRORS, ids=[body.replace("\n", "; ") for body, *_ in ERRORS])
def test_misuse(tmp_path, body, cause, text):
    with pytest.raises(CodegenError, match=text) as info:
        launch(tmp_path, body)
    error = info.value
    causes = cause if isinstance(cause, tuple) else (cause,)
    assert isinstance(error.exception or error, causes), repr(error.exception)
    first = str(error).splitlines()[0]
    assert ".py:" in first and ": error: " in first
    if UnsupportedSyntaxError not in causes:
        assert type(error) is CodegenError
        with pytest.raises(causes):
            launch(tmp_path, body, options=", capture_exceptions=False")


def kernel_with(**options):
    import asc2

    @asc2.jit(**options)
    def kernel(x, n: asc.ConstExpr[int] = 1):
        pass

    return kernel


def test_arguments():
    with pytest.raises(TypeError, match="Argument type in JIT function is not supported: str") as info:
        kernel_with()[1]("text")
    assert not isinstance(info.value, CodegenError)
    with pytest.raises(TypeError, match="Argument type in JIT function is not supported: dict"):
        kernel_with()[1]({})
    with pytest.raises(RuntimeError, match="n"):
        kernel_with()[1](np.zeros(1, np.float32), n=1.5)


def test_options():
    import asc2

    with pytest.raises(RuntimeError, match="unknown option: bogus"):
        kernel_with(bogus=1)
    with pytest.raises(RuntimeError, match="Please check input compile option"):
        kernel_with(opt_level=0)
    with pytest.raises(RuntimeError, match="parameter 'opt_level' of .* has the name of a jit option"):

        @asc2.jit
        def kernel(x, opt_level):
            pass


def test_launches():
    kernel = kernel_with()
    for count in (0, -1):
        with pytest.raises(ValueError, match=f"core_num must be between 1 and 65535 on .*, not {count}"):
            kernel[count]
    with pytest.raises(TypeError, match="core_num must be an integer, not str"):
        kernel["a"]
    with pytest.raises(TypeError, match=r"a kernel is launched as kernel\[core_num\] or kernel\[core_num, stream\]"):
        kernel[1, 2, 3]


def test_types():
    with pytest.raises(ValueError, match="int1 does not take whole bytes"):
        asc.DataType("int1").sizeof()
    with pytest.raises(ValueError, match="unknown dtype 'float31'"):
        asc.DataType("float31")
    with pytest.raises(RuntimeError, match="asc2.load works inside a kernel only"):
        import asc2

        asc2.load(1, 2)
    with pytest.raises(NotImplementedError, match=r"asc.inline is raw C\+\+"):
        asc.inline("x")

    from asc.language.core.struct import Struct

    class Pair(Struct):
        pass

    with pytest.raises(TypeError, match="Pair has no field 'a'; its fields are "):
        Pair(a=1)
