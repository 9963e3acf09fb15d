"""Builtins of the tile language: result types and shapes, and the operations they become."""

import inspect

import asc
import asc2
import pytest
from asc._builtin import Builtin
from frontend import const, error_of, lower_body, lower_text, ptr, scalar

TILE = {"float32": "x", "float16": "xh", "int32": "xk"}


def last_op(text, name):
    return [line.strip() for line in text.splitlines() if name in line][-1]


def result_of(expression, name="tile."):
    return last_op(lower_body(f"result = {expression}"), name)


# ---- element types of two operands ----


def promoted(lhs, rhs):
    text = lower_text("""
        def kernel(p, q):
            t = asc2.load(asc2.tensor(p, [64]), [64], offsets=[0])
            u = asc2.load(asc2.tensor(q, [64]), [64], offsets=[0])
            r = t + u
            asc2.store(r, asc2.tensor(p, [64]) if r.dtype == t.dtype else asc2.tensor(q, [64]), offsets=[0])
        """, ptr(lhs), ptr(rhs))
    return last_op(text, "tile.binary").split("-> <64x")[1].split(",")[0]


@pytest.mark.parametrize("lhs, rhs, result", [
    ("float32", "float32", "f32"), ("float16", "float32", "f32"), ("bfloat16", "float32", "f32"), ("int16", "int32", "i32"),
    ("int8", "int32", "i32"), ("int32", "float32", "f32"), ("float32", "int32", "f32"), ("int16", "float16", "f16"),
    ("bfloat16", "int16", "bf16"), ("float16", "bfloat16", "f16"), ("bfloat16", "float16", "bf16"),
])
def test_two_tiles(lhs, rhs, result):
    assert promoted(lhs, rhs) == result


@pytest.mark.parametrize("lhs, rhs", [("int16", "float32"), ("int8", "float16"), ("float16", "int32")])
def test_two_tiles_without_common_type(lhs, rhs):
    with pytest.raises(Exception, match=f"add of {lhs} and {rhs} has no common type") as info:
        promoted(lhs, rhs)
    assert isinstance(info.value.exception, RuntimeError)


@pytest.mark.parametrize("tile, number, constant", [
    ("xh", "2", "2.000000e+00 : f16"), ("xk", "2", "2 : i32"), ("xk", "2.0", "2 : i32"), ("x", "True", "1.000000e+00 : f32"),
    ("xh", "0.1", "9.997550e-02 : f16"),
])
def test_number_takes_the_tiles_type(tile, number, constant):
    assert constant in lower_body(f"y = {tile} * {number}")


def test_scalar_takes_the_tiles_type():
    assert "arith.sitofp %arg3 : i32 to f16" in lower_body("y = xh * n")
    assert "arith.fptosi %arg4 : f32 to i32" in lower_body("y = xk * f")
    assert "arith.truncf %arg4 : f32 to f16" in lower_body("y = f - xh")


def test_fraction_beside_an_integer_tile():
    error = error_of("y = xk * 0.5")
    assert error.error_message == "the float 0.5 is not a value of int32" and isinstance(error.exception, TypeError)


def test_number_too_large_for_the_type():
    assert error_of("y = xk + 3000000000").error_message == "3000000000 does not fit into int32"


@pytest.mark.parametrize("dtype", ["float64"])
def test_tiles_of_other_types_are_refused(dtype):
    with pytest.raises(Exception, match=f"tiles of {dtype} are not supported"):
        lower_text("def kernel(p):\n    t = asc2.load(asc2.tensor(p, [64]), [64], offsets=[0])\n", ptr(dtype))


def test_shapes_that_are_not_broadcast():
    error = error_of("y = x.reshape(2, 32) + x")
    assert error.error_message == "add of tiles of different shapes [2, 32] and [64]" and isinstance(error.exception, RuntimeError)


# ---- element-wise ----


@pytest.mark.parametrize("name", "add sub mul div maximum minimum".split())
def test_binary_functions_in_all_forms(name):
    kind = {"maximum": "max", "minimum": "min"}.get(name, name)
    for operands in ("x, x", "x, 2", "2, x", "n, x", "x, f"):
        assert f"tile.binary {kind} " in result_of(f"asc2.{name}({operands})")


@pytest.mark.parametrize("name, kind, mirrored", [("equal", "eq", "eq"), ("not_equal", "ne", "ne"), ("greater", "gt", "lt"),
                                                  ("greater_equal", "ge", "le"), ("less", "lt", "gt"), ("less_equal", "le", "ge")])
def test_comparisons(name, kind, mirrored):
    assert f"tile.compare {kind} %3, %3" in result_of(f"asc2.{name}(x, x)")
    assert f"tile.compare {mirrored} %3, %cst" in result_of(f"asc2.{name}(1, x)")
    assert result_of(f"asc2.{name}(x, 1)").endswith("-> <64xi1, UB>")


@pytest.mark.parametrize("name", "abs ceil cos cosh erf exp exp2 expm1 floor gelu log log1p log2 reciprocal rsqrt sigmoid silu sin sinh softplus sqrt tan tanh".split())
def test_unary_functions_and_methods(name):
    assert f"tile.unary {name} %3 : <64xf32, UB>" in result_of(f"asc2.{name}(x)")
    assert f"tile.unary {name} %4 : <64xf16, UB>" in result_of(f"xh.{name}()")
    error = error_of(f"y = asc2.{name}(xk)")
    assert error.error_message == f"{name} is not defined for tiles of int32" and isinstance(error.exception, RuntimeError)


def test_negative_relu_and_not():
    assert "tile.unary neg" in result_of("-x") and "tile.unary neg" in result_of("asc2.negative(xk)")
    assert "tile.unary relu" in result_of("asc2.relu(xk)") and result_of("+x") == result_of("x")
    assert "tile.unary not" in result_of("~(x > 0)") and "tile.binary and" in result_of("(x > 0) & (x < 1)")


@pytest.mark.parametrize("name", ["exp", "erf", "sqrt"])
def test_scalar_forms(name):
    for operand in ("0.5", "f", "n", "2"):
        assert lower_body(f"y = asc2.{name}({operand})").count(f"tile.unary {name}") == 1
    assert "tile.extract" in result_of(f"asc2.{name}(f)")


def test_shifts():
    assert "tile.binary shl" in result_of("xk << 2") and "tile.binary shr" in result_of("asc2.right_shift(xk, n)")
    assert "must not be negative" in error_of("y = xk << -1").error_message
    assert "a shift takes an integer tile" in error_of("y = x << 1").error_message
    assert "a shift takes an integer tile" in error_of("y = 1 << xk").error_message


def test_where():
    assert "tile.select" in result_of("asc2.where(x > 0, x, 0)")
    assert result_of("asc2.where(x > 0, 1, 2.5)").endswith("-> <64xf32, UB>")
    assert result_of("asc2.where(x > 0, 1, 2)").endswith("-> <64xi32, UB>")
    assert result_of("asc2.where(x > 0, xh, x)").endswith("-> <64xf32, UB>")
    assert "must be the result of a comparison" in error_of("y = asc2.where(x, x, x)").error_message


def test_to():
    assert "tile" not in lower_body("y = x.to(asc.float32)\nassert y is x").split("%5 =")[1].split("\n", 1)[1].split("return")[0]
    for dtype, short in [("float16", "f16"), ("bfloat16", "bf16"), ("int8", "i8"), ("int16", "i16"), ("int32", "i32")]:
        assert result_of(f"x.to(asc.{dtype})") == f"%6 = tile.cast %3 : <64xf32, UB> -> <64x{short}, UB>"
    assert lower_body("y = x.to(asc.float16).to(asc.float32)").count("tile.cast") == 2


def test_binary_functions_need_a_tile():
    error = error_of("y = asc2.add(n, 1)")
    assert isinstance(error.exception, TypeError) and "needs at least one tile" in error.error_message


# ---- memory ----


def test_load_and_store_in_all_forms():
    text = lower_text("""
        def kernel(p, n, where, none):
            t = asc2.tensor(p + n + 1, [n, 32])
            u = asc2.load(t, shape=[2, 32], tile_id=[n, 0], offsets=none, location=asc2.TileLocation.L1, pad_value=1)
            v = asc2.load(t, where, offsets=(n, 3))
            s = asc2.load(t, offsets=[0, n])
            asc2.store(v, t, tile_id=[1, n])
            asc2.store(s, t, offsets=[0, 0])
            asc2.store(asc2.full([1], 1), t, offsets=[0, 0])
            asc2.store(3, t, offsets=[0, 0])
        """, ptr(), scalar(), const([4, 8]), const(None))
    assert "tile.tensor %arg0 + %" in text and "<2x32xf32, L1>" in text and "<4x8xf32, UB>" in text
    assert "tile.get %" in text and text.count("tile.set") == 2
    assert "tile.cast" in text and "tile.reshape" in text  # one element of another type and rank


@pytest.mark.parametrize("call, message, cause", [
    ("asc2.load(a, [64])", "asc2.load needs exactly one of tile_id and offsets", ValueError),
    ("asc2.load(a, [64], tile_id=[0], offsets=[0])", "asc2.load needs exactly one of tile_id and offsets, both were given", ValueError),
    ("asc2.load(a)", "asc2.load needs a shape to load a tile, or offsets to read one element", ValueError),
    ("asc2.load(a, [2, 32], offsets=[0, 0])", "a tile of shape [2, 32] does not match a tensor of rank 1", RuntimeError),
    ("asc2.load(a, [n], offsets=[0])", "All values in 'shape' must be integers known while compiling, not a runtime int32", RuntimeError),
    ("asc2.load(a, [0], offsets=[0])", "All values in 'shape' must be positive, not 0", RuntimeError),
    ("asc2.load(a, [], offsets=[])", "the shape of a tile must not be empty", RuntimeError),
    ("asc2.load(a, 64, offsets=[0])", "the shape of a tile must be a tuple or a list, not the int 64", TypeError),
    ("asc2.load(a, [64], offsets=[0, 0])", "offsets has 2 values for a tensor of rank 1", RuntimeError),
    ("asc2.load(a, [64], offsets=[0.5])", "values of offsets must be integers, not the float 0.5", TypeError),
    ("asc2.load(x, [64], offsets=[0])", "asc2.load needs a tensor, not a tile [64] float32", TypeError),
    ("asc2.load(a_ptr, [64], offsets=[0])", "asc2.load needs a tensor, not an address of float32", TypeError),
    ("asc2.load(a, [64], offsets=[0], location=3)", "location must be a member of asc2.TileLocation, not the int 3", TypeError),
    ("asc2.load(a, [10**9], offsets=[0])", "a tile of shape [1000000000] does not fit on the chip", RuntimeError),
    ("asc2.load(a, [64], [0])", "asc2.load takes at most 2 positional arguments, 3 were given", TypeError),
    ("asc2.load(a, [64], offset=[0])", "asc2.load has no parameter offset", TypeError),
    ("asc2.load(a, [64], tensor=a)", "asc2.load got two values for its parameter tensor", TypeError),
    ("asc2.store(x)", "missing argument tensor of asc2.store", TypeError),
    ("asc2.store(xh, a, offsets=[0])", "a tile of float16 cannot be stored into a tensor of float32", RuntimeError),
    ("asc2.store(1, a, tile_id=[0])", "writing one element needs offsets, not tile_id", ValueError),
    ("asc2.store(None, a, offsets=[0])", "asc2.store needs a tile or a number, not None", TypeError),
    ("asc2.tensor(x, [n])", "asc2.tensor needs a pointer argument of the kernel, not a tile [64] float32", TypeError),
    ("asc2.tensor(a_ptr, [1.5])", "a dimension of a tensor must be an integer, not the float 1.5", TypeError),
    ("asc2.tensor(a_ptr, [-1])", "a dimension of a tensor must be between 0 and 2147483647, not -1", ValueError),
    ("asc2.copy(x, [65])", "the part [65] at offset 0 of dimension 0 lies outside the tile [64]", RuntimeError),
    ("asc2.num_tiles(a, 1, [64])", "axis 1 is out of range for a tensor of rank 1", ValueError),
    ("asc2.num_tiles(a, 0, [64, 2])", "a tile of shape [64, 2] does not match a tensor of rank 1", RuntimeError),
    ("asc2.atomic_add(xh, a, [0])", "a tile of float16 cannot be combined with a tensor of float32", RuntimeError),
])
def test_memory_errors(call, message, cause):
    error = error_of(f"y = {call}")
    assert error.error_message == message and isinstance(error.exception, cause)


def test_rows_of_a_tile_are_whole_blocks():
    with pytest.raises(Exception) as info:
        lower_text("def kernel(p):\n    t = asc2.load(asc2.tensor(p, [9, 9]), [4, 7], offsets=[0, 0])\n", ptr("float16"))
    assert str(info.value) == """\
kernel.py:2:43: error: a row of the tile [4, 7] float16 has 14 bytes, which is not a multiple of 32
    2 |     t = asc2.load(asc2.tensor(p, [9, 9]), [4, 7], offsets=[0, 0])
      |                                           ^~~~~~
help: round the last dimension up to 16; elements outside the tensor are padded on load and dropped on store"""


def test_copy_and_atomics():
    assert result_of("asc2.copy(x)") .endswith(": <64xf32, UB> -> <64xf32, UB>")
    assert "-> <16xf32, L1>" in result_of("asc2.copy(x, [16], offsets=[n], location=asc2.TileLocation.L1)")
    for name in ("add", "max", "min"):
        assert f"tile.atomic {name}" in lower_body(f"asc2.atomic_{name}(x, a, offsets=[0])")


def test_num_tiles():
    assert "arith.divsi" in result_of("asc2.num_tiles(a, 0, [64])", "arith.")
    lower_text("def kernel(p):\n    assert asc2.num_tiles(asc2.tensor(p, [100]), 0, [64]) == 2\n", ptr())


# ---- reductions and shapes ----


def test_reductions():
    text = lower_body("""
        m = x.reshape(2, 32)
        s = asc2.reduce_sum(m)
        assert m.sum(0).shape == (32,) and m.max(-1).shape == (2,) and m.min(0, 1, keep_dims=True).shape == (1, 1)
        assert m.prod(1, keep_dims=True).shape == (2, 1) and s.dtype == asc.float32 and xk.max().dtype == asc.int32
        """)
    assert "tile.reduce sum %6 [0, 1] : <2x32xf32, UB> -> <1xf32, UB>" in text and "tile.extract" in text


@pytest.mark.parametrize("expression, message", [
    ("x.prod()", "reduce_prod needs the dimensions to reduce"), ("x.sum(0)", "reducing all dimensions leaves no shape"),
    ("x.sum(1)", "dimension 1 is out of range for a tile [64]"),
    ("x.sum(n)", "a dimension to reduce must be an int known while compiling, not a runtime int32"),
    ("(x > 0).sum()", "asc2.reduce_sum is not defined for the result of a comparison"),
    ("x.sum(0, keep_dims=1)", "keep_dims must be True or False, not the int 1"),
])
def test_reduction_errors(expression, message):
    assert error_of(f"y = {expression}").error_message == message


def test_shapes():
    lower_body("""
        assert x.reshape(2, 32).shape == (2, 32) and x.reshape([4, 16]).shape == (4, 16) and x.reshape(2, 32).ravel().shape == (64,)
        assert x.expand_dims(0).shape == (1, 64) and x.expand_dims(-1).shape == (64, 1) and x.expand_dims(0, 2).shape == (1, 64, 1)
        assert x.expand_dims(0).squeeze().shape == (64,) and x.reshape(1, 64, 1).squeeze(0).shape == (64, 1)
        assert x.reshape(1, 64, 1).squeeze(-1).shape == (1, 64) and asc2.full([1], 2).squeeze().shape == (1,)
        assert x.broadcast_to(3, 64).shape == (3, 64) and asc2.full([1, 32], 1.0).broadcast_to([50, 32]).shape == (50, 32)
        assert asc2.full([1], 1.0).broadcast_to(3, 32).shape == (3, 32) and asc2.concat(x, x).shape == (128,)
        """)


@pytest.mark.parametrize("expression, message", [
    ("x.reshape(3, 21)", "a tile [64] cannot be reshaped to [3, 21]: the number of elements differs"),
    ("x.broadcast_to(3, 32)", "a tile [64] cannot be broadcast to [3, 32]"),
    ("x.squeeze(0)", "axis 0 of the tile [64] is not 1 and cannot be squeezed"),
    ("x.squeeze(4)", "axis 4 is out of range for rank 1"),
    ("asc2.concat(x, xh)", "asc2.concat cannot join a tile [64] float16 with a tile [64] float32"),
    ("asc2.concat()", "asc2.concat needs at least one tile"),
    ("x.reshape(-1)", "All values in 'shape' must be positive, not -1"),
])
def test_shape_errors(expression, message):
    error = error_of(f"y = {expression}")
    assert error.error_message == message and isinstance(error.exception, RuntimeError)


def test_creation():
    lower_body("""
        assert asc2.full([4], 1).dtype == asc.int32 and asc2.full([4], True).dtype == asc.int32
        assert asc2.full([4], 1.0).dtype == asc.float32 and asc2.full([4], f).dtype == asc.float32
        assert asc2.full([4], 1, asc.float16).dtype == asc.float16 and asc2.full_like(xh, 2).dtype == asc.float16
        assert asc2.zeros([4]).dtype == asc.int32 and asc2.zeros([4], asc.float32).dtype == asc.float32
        assert asc2.zeros_like(xh).shape == (64,)
        """)


def test_softmax_and_rms_norm():
    assert "tile.softmax %4 : <64xf16, UB>" in result_of("xh.softmax()")
    assert "tile.rms_norm" in result_of("asc2.rms_norm(x, x, 1e-6)")
    assert error_of("y = asc2.softmax(xk)").error_message == "softmax is defined for float32 and float16, not for int32"


# ---- matrix products ----


def test_matmul():
    text = lower_body("""
        t = asc2.full([16, 32], 1.0, asc.float16)
        u = asc2.full([32, 48], 1.0, asc.float16)
        c = t @ u
        assert c.shape == (16, 48) and c.dtype == asc.float32
        d = asc2.matmul(t, u)
        asc2.store(asc2.relu(d).to(asc.float16), asc2.tensor(h_ptr, [16, 48]), offsets=[0, 0])
        """)
    assert text.count("tile.matmul") == 2 and "tile.unary relu %9 : <16x48xf32, L0C>" in text
    assert "-> <16x48xf16, L0C>" in text


@pytest.mark.parametrize("expression, message", [
    ("x @ x", "a matrix product needs tiles of at least 2 dimensions, not [64] and [64]"),
    ("x.reshape(2, 32) @ x.reshape(2, 32)", "the inner dimensions of [2, 32] @ [2, 32] differ"),
    ("x.reshape(2, 32) @ xh.reshape(32, 2)", "a matrix product needs equal element types, not float32 and float16"),
    ("xk.reshape(2, 32) @ xk.reshape(32, 2)", "a matrix product is defined for float16, bfloat16, float32 and int8, not for int32"),
    ("x @ 2", "asc2.matmul needs a tile, not the int 2"),
    ("asc2.zeros_acc([16, 16], asc.float16)", "an accumulator is a float32 or int32 tile of 2 dimensions, not [16, 16] float16"),
    ("asc2.matmul_acc(x.reshape(8, 8), x.reshape(8, 8), x)",
     "the accumulator of matmul_acc must come from asc2.zeros_acc, not be a tile [64] float32"),
    ("asc2.matmul_acc(x.reshape(8, 8), x.reshape(8, 8), asc2.zeros_acc([8, 16], asc.float32))",
     "the accumulator of a product [8, 8] cannot be a tile [8, 16] float32"),
])
def test_matmul_errors(expression, message):
    assert error_of(f"y = {expression}").error_message == message


# ---- tools ----


def test_tools():
    text = lower_body("""
        assert asc.ceildiv(7, 2) == 4 and asc.number(1, asc.int64).dtype == asc.int64 and n.cast(asc.float32).dtype == asc.float32
        c = asc.ceildiv(n, 16)
        d = n.ceildiv(16)
        asc.static_assert(x.size == 64, "size")
        b = asc.get_block_idx()
        """)
    assert text.count("arith.divsi") == 2 and "tile.block_idx" in text


@pytest.mark.parametrize("body, message", [
    ("asc.static_assert(x.size == 3, 'wrong size')", "AssertionError: wrong size"),
    ("asc.static_assert(n == 3)", "asc.static_assert needs a value known while compiling, not a runtime int1"),
    ("asc2.range()", "asc2.range takes 1 to 3 positional arguments, 0 were given"),
    ("asc2.range(0.5)", "asc2.range takes integers, not the float 0.5"),
    ("asc2.range(n, unroll_factor=0)", "unroll_factor must be at least 1, not 0"),
    ("asc2.range(n, unroll_factor=n)", "unroll_factor must be an int known while compiling, not a runtime int32"),
    ("asc2.range(n, parallel=1)", "parallel must be True or False, not the int 1"),
    ("asc.static_range(n)", "asc.static_range takes ints known while compiling, not a runtime int32"),
    ("n ** 2", "operator ** is not defined for runtime scalars of int32"),
    ("~n", "operator ~ is not defined for a runtime int32"),
    ("xk ** -2", "an integer tile cannot be raised to the power -2"),
    ("xk % 0.5", "the float 0.5 is not a value of int32"),
    ("x.T(1)", "a tile [64] float32 is not callable"),
    ("x.transpose(1)", "asc2.transpose needs every axis of a tile [64] once, or none"),
    ("asc2.arange(n)", "asc2.arange counts between numbers known while compiling, not a runtime int32"),
    ("asc2.arange(5, 5)", "asc2.arange has no elements, or too many, between these bounds"),
    ("asc2.arange(300, dtype=asc.int8)", "the numbers of asc2.arange do not fit into int8"),
    ("asc2.arange(0.5, 3.0, dtype=asc.int32)", "asc2.arange of fractions needs a float dtype, not int32"),
    ("x.argmax(1)", "dimension 1 is out of range for a tile [64]"),
    ("x.argmax(0)", "asc2.argmax along the only dimension leaves no shape"),
    ("x.argmax(keep_dims=True)", "keep_dims needs the dimension to look along"),
    ("asc2.argmin(x > 0)", "asc2.argmin is not defined for the result of a comparison"),
    ("xk.sort()", "sorting tiles of int32 has no instruction: the chip sorts float16 and float32"),
    ("x.topk(65)", "asc2.topk takes 1 to 64 elements of a row of a tile [64], not 65"),
    ("x.gather(x)", "positions must be a tile of integers, not a tile [64] float32"),
    ("x.gather(xk.reshape(2, 32), 0)", "asc2.gather along dimension 0 of a tile [64] needs positions of as many dimensions, none longer "
                                       "but that one, not [2, 32]"),
    ("x.scatter(xk, xh)", "asc2.scatter puts a tile [64] float16 at the positions [64] of a tile [64] float32"),
    ("asc2.load_rows(a, xk, 32)", "rows are taken from a tensor of 2 dimensions whose last one has stride 1, not of 1"),
    ("asc2.device_assert(x > 0)", "a tile [64] int1 has no truth value"),
    ("asc2.device_assert(n > 0, n)", "the message of device_assert is a string, not a runtime int32"),
    ("f & 1", "operator & is not defined for runtime scalars of float32"),
    ("x[0]", "a tile [64] float32 cannot be indexed"),
    ("x.foo", "a tile [64] float32 has no attribute foo inside a kernel"),
    ("n(3)", "a runtime int32 is not callable"),
    ("len(x)", "a tile [64] float32 has no len()"),
    ("n * 1e10", "10000000000 does not fit into int32"),
    ("n + float('nan')", "the float nan is not a value of int32"),
])
def test_tool_errors(body, message):
    assert error_of(f"y = {body}").error_message == message


def test_every_public_name_has_documentation():
    for name in asc2.__all__:
        if name != "jit":
            assert getattr(asc2, name).__doc__, name
    assert len(set(asc2.__all__)) == len(asc2.__all__)
    assert asc.DataType("float16") == asc.half and hash(asc.float16) == hash(asc.half) and asc.float16.sizeof() == 2


def written(parameter):
    """A parameter as the compiler writes it: without its type, a default by its last name."""
    star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    if parameter.default is parameter.empty:
        return star + parameter.name
    return f"{parameter.name}={getattr(parameter.default, 'name', parameter.default)}"


def signature_of(function):
    parameters = list(inspect.signature(function).parameters.values())
    parts = [written(parameter) for parameter in parameters]
    keywords = [index for index, parameter in enumerate(parameters) if parameter.kind is parameter.KEYWORD_ONLY]
    if keywords and not any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        parts.insert(keywords[0], "*")
    return ", ".join(parts)


DECLARED = {value.name: value for module in (asc, asc2) for value in vars(module).values() if isinstance(value, Builtin)}


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_the_compiler_knows_the_declared_signature(name):
    """A compiler built from other declarations than those imported would refuse, or take, the wrong keywords."""
    error = error_of(f"y = {name}(no_such_parameter=1)")
    assert error.error_message == f"{name} has no parameter no_such_parameter"
    assert str(error).endswith(f"help: {name}({signature_of(DECLARED[name])})")


def test_methods_take_the_keywords_they_declare():
    """`self` is not `x`: n.ceildiv(x=8) gave two values to one parameter."""
    assert "arith.divsi" in lower_body("y = n.ceildiv(x=8)")
    assert "tile.reduce" in lower_body("y = x.sum(0, keep_dims=True)")
    assert error_of("y = x.to(n, dtype=asc.float16)").error_message == "Tile.to got two values for its parameter dtype"
