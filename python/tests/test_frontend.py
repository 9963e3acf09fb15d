"""What the front end makes of statements and expressions: tile IR, as text."""

import math

import asc
import asc2
import pytest
from asc.codegen.errors import CodegenError
from frontend import const, error_of, Jit, lower, lower_body, lower_text, ops, ptr, scalar

SIZE = 128
SCALE = 0.25


class Config:
    tile = 64
    shape = (2, 32)


def test_abs_kernel_reads_like_its_source():
    text = lower_text("""
        def abs_kernel(x_ptr, y_ptr, size, tile):
            x_gm = asc2.tensor(x_ptr, [size])
            y_gm = asc2.tensor(y_ptr, [size])
            for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
                x = asc2.load(x_gm, [tile], tile_id=[i]).to(asc.float32)
                asc2.store(asc2.abs(x).to(y_gm.dtype), y_gm, tile_id=[i])
        """, ptr("float16"), ptr("float16"), scalar(), const(1024))
    assert text == """\
module {
  func.func @abs_kernel(%arg0: !tile.ptr<f16>, %arg1: !tile.ptr<f16>, %arg2: i32) attributes {tile.kernel} {
    %0 = tile.tensor %arg0, [%arg2] : <f16> -> <?xf16>
    %1 = tile.tensor %arg1, [%arg2] : <f16> -> <?xf16>
    %2 = tile.block_idx
    %c1023_i32 = arith.constant 1023 : i32
    %3 = arith.addi %arg2, %c1023_i32 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %4 = arith.divsi %3, %c1024_i32 : i32
    %5 = tile.block_num
    scf.for %arg3 = %2 to %4 step %5  : i32 {
      %c1024_i32_0 = arith.constant 1024 : i32
      %6 = arith.muli %arg3, %c1024_i32_0 : i32
      %cst = arith.constant 0.000000e+00 : f16
      %7 = tile.load %0[%6], %cst : <?xf16>, f16 -> <1024xf16, UB>
      %8 = tile.cast %7 : <1024xf16, UB> -> <1024xf32, UB>
      %9 = tile.unary abs %8 : <1024xf32, UB>
      %10 = tile.cast %9 : <1024xf32, UB> -> <1024xf16, UB>
      %c1024_i32_1 = arith.constant 1024 : i32
      %11 = arith.muli %arg3, %c1024_i32_1 : i32
      tile.store %10, %1[%11] : <1024xf16, UB>, <?xf16>
    }
    return
  }
}
"""


def test_locations_name_file_line_column_and_variable():
    text = lower_body("y = x + x", locations=True)
    assert '"y"(' in text and "kernel.py:4:9" in text


# ---- if ----


def test_compile_time_if_leaves_no_trace_and_lets_names_escape():
    text = lower_body("""
        if asc.float32 == a.dtype:
            y = x * 2
        else:
            y = undefined_name
        asc2.store(y, a, offsets=[0])
        """)
    assert "scf.if" not in text and "tile.binary mul" in text


def test_runtime_if_merges_names_of_before():
    text = lower_body("""
        y = x
        if n > 3:
            y = x + 1
        asc2.store(y, a, offsets=[0])
        """)
    assert "scf.if %" in text and "-> (!tile.tile<64xf32, UB>)" in text


def test_runtime_if_without_changes_has_no_result():
    text = lower_body("""
        if n > 3:
            asc2.store(x, a, offsets=[0])
        """)
    assert "scf.if %6 {" in text and "else" not in text


def test_numbers_that_differ_in_branches_become_runtime_values():
    text = lower_body("""
        s, c = 1, 2
        if n > 3:
            s = 2.5
        asc2.store(s, a, offsets=[c])
        """)
    assert "-> (f32)" in text


def test_number_and_scalar_in_branches_take_the_scalars_type():
    text = lower_body("""
        s = 0
        if n > 3:
            s = f
        asc2.store(s, a, offsets=[0])
        """)
    assert "-> (f32)" in text


def test_equal_numbers_in_branches_stay_constants():
    text = lower_body("""
        t = 64
        if n > 3:
            t = 64
        asc2.store(asc2.full([t], 1.0), a, offsets=[0])
        """)
    assert "tile<64xf32" in text or "<64xf32" in text


def test_elif_chain_nests():
    text = lower_body("""
        y = x
        if n > 3:
            y = x + 1
        elif n > 2:
            y = x + 2
        else:
            y = x + 3
        asc2.store(y, a, offsets=[0])
        """)
    assert text.count("scf.if") == 2


# ---- loops ----


def test_bare_range_is_a_runtime_loop_even_with_constant_bounds():
    text = lower_body("""
        for i in range(4):
            asc2.store(x, a, offsets=[i])
        """)
    assert "scf.for %arg5 = %c0_i32_4 to %c4_i32 step %c1_i32" in text


def test_loop_hints_become_attributes():
    text = lower_body("""
        for i in asc2.range(1, n, 2, unroll_factor=4, parallel=True):
            asc2.store(x, a, offsets=[i])
        """)
    assert "tile.parallel, tile.unroll_factor = 4 : i64" in text


def test_carried_number_is_promoted_not_folded():
    """`n = 0; for ...: n += 1` compiled to a constant upstream, silently wrong."""
    text = lower_body("""
        m = 0
        for i in range(n):
            m += 1
        asc2.store(m, k, offsets=[0])
        """)
    assert "iter_args(%arg6 = %c0_i32" in text and "-> (i32)" in text


def test_carried_number_takes_the_type_it_meets_inside():
    text = lower_body("""
        s = 0
        for i in range(n):
            s = s + asc2.reduce_sum(x)
        asc2.store(s, a, offsets=[0])
        """)
    assert "-> (f32)" in text and "arith.constant 0.000000e+00 : f32" in text


def test_carried_int_that_becomes_a_fraction_is_float():
    text = lower_body("""
        s = 1
        for i in range(n):
            s = s / 2
        asc2.store(s, a, offsets=[0])
        """)
    assert "arith.divf" in text and "-> (f32)" in text


def test_number_plus_tile_in_a_loop_starts_as_a_filled_tile():
    text = lower_body("""
        total = 0
        for i in range(n):
            total = total + x
        asc2.store(total, a, offsets=[0])
        """)
    assert "tile.splat" in text and "-> (!tile.tile<64xf32, UB>)" in text


def test_number_assigned_but_unchanged_stays_a_constant():
    text = lower_body("""
        t = 64
        for i in range(n):
            t = 64
            asc2.store(asc2.full([t], 1.0), a, offsets=[i])
        """)
    assert "iter_args" not in text


def test_number_changed_in_an_untaken_branch_stays_a_constant():
    text = lower_body("""
        t = 64
        for i in range(n):
            if t == 32:
                t = t + 1
            asc2.store(asc2.full([t], 1.0), a, offsets=[i])
        """)
    assert "iter_args" not in text and "scf.if" not in text


def test_division_that_is_only_zero_at_first_is_no_error():
    text = lower_body("""
        d = 0
        for i in range(n):
            e = 10 // d
            d = d + 1
        asc2.store(d, k, offsets=[0])
        """)
    assert "arith.divsi" in text


def test_nested_loops_carry_scalars_and_tiles():
    text = lower_body("""
        c = 0
        for i in range(n):
            for j in range(n):
                x = x + 1
                c += j
        asc2.store(x, a, offsets=[c])
        """)
    assert text.count("-> (!tile.tile<64xf32, UB>, i32)") == 2 or text.count("-> (i32, !tile.tile<64xf32, UB>)") == 2


def test_swapped_tiles_keep_value_semantics():
    text = lower_body("""
        y = x + 1
        for i in range(n):
            x, y = y, x
        asc2.store(x, a, offsets=[0])
        """)
    assert "scf.yield %arg7, %arg6" in text


def test_tuple_of_tiles_is_carried():
    text = lower_body("""
        pair = (x, 0.5)
        for i in range(n):
            pair = (pair[0] + 1, 0.5)
        asc2.store(pair[0], a, offsets=[0])
        """)
    assert "iter_args(%arg6 = %3)" in text


def test_static_range_unrolls_and_names_escape():
    text = lower_body("""
        for i in asc.static_range(1, 6, 2):
            y = x + i
        asc2.store(y, a, offsets=[i])
        """)
    assert text.count("tile.binary add") == 3 and "arith.constant 5 : i32" in text and "scf.for" not in text


def test_while_evaluates_its_condition_each_time():
    text = lower_body("""
        i = 0
        while i < n:
            i += 2
        asc2.store(i, k, offsets=[0])
        """)
    before, after = text.split("} do {")
    assert "arith.cmpi slt, %arg5, %arg3" in before and "arith.addi" in after


def test_while_that_is_false_at_once_vanishes():
    assert "scf.while" not in lower_body("""
        i = 0
        while i > 10:
            i += 1
        """)


def test_loop_in_a_branch_in_a_loop():
    text = lower_body("""
        s = 0.0
        for i in range(n):
            if i > 2:
                for j in range(i):
                    s += f
        asc2.store(s, a, offsets=[0])
        """)
    assert text.count("-> (f32)") == 3


def test_address_moves_in_a_loop():
    text = lower_text("""
        def kernel(p, n):
            for i in range(n):
                t = asc2.tensor(p, [64])
                asc2.store(asc2.full([64], 0.0), t, offsets=[0])
                p = p + 64
        """, ptr(), scalar())
    assert "tile.tensor %arg0 + %arg3" in text


# ---- expressions ----


def test_reflected_operators():
    text = lower_body("y = 2 * x; z = 1.0 / x; w = n + x; q = 0 < x")
    assert "tile.binary mul %cst" in text and "tile.binary div %cst" in text and "arith.sitofp %arg3" in text
    assert "tile.compare gt" in text


def test_chained_comparison():
    text = lower_body("c = 0 < n < 10\nif c:\n    asc2.store(x, a, offsets=[0])")
    assert text.count("arith.cmpi slt") == 2 and "arith.andi" in text


def test_chained_comparison_on_the_host():
    lower_body("assert 1 < 2 <= 2.5 != 3\nassert not (3 < 2 < undefined)")


def test_and_or_not_have_pythons_meaning():
    text = lower_body("""
        assert (0 or 5) == 5 and (3 and 4) == 4 and not 0 and 1 == 1.0 and 1 < 2.5
        assert (None or n) is n
        c = n and 7
        d = n > 3 or f
        e = not n
        """)
    assert "arith.select" in text and "arith.ori" in text and "arith.xori" in text


def test_or_does_not_read_memory_unless_needed():
    text = lower_body("c = n > 3 and asc2.load(k, offsets=[n]) > 0")
    assert text.index("scf.if") < text.index("tile.get")


def test_ternary():
    lower_body("y = x if True else undefined")
    assert "arith.select" in lower_body("m = n if n > 3 else 2")
    text = lower_body("y = x if n > 3 else x + 1")
    assert "scf.if" in text and "tile.binary add" in text


def test_truth_of_a_scalar_is_not_its_low_bit():
    assert "arith.cmpi ne, %arg3" in lower_body("if n:\n    asc2.store(x, a, offsets=[0])")


def test_unpacking_nested_and_from_host():
    lower_text("""
        def kernel(n, shape):
            (p, q), r = shape, n
            assert p == 2 and q == 3 and r is n
        """, scalar(), const((2, 3)))


def test_subscripts_slices_and_lists():
    lower_body("""
        s = [n, 1, 2, 3]
        assert s[-1] == 3 and len(s) == 4 and len(s[1:]) == 3 and s[1:][0] == 1 and s[::2][1] == 2
        s[0] = 7
        s.append(8)
        assert s[0] == 7 and s[4] == 8 and s == [7, 1, 2, 3, 8]
        assert 3 in s and 9 not in s
        assert (1, n)[0] == 1 and (*s, 9)[-1] == 9
        s[1] += 1
        assert s[1] == 2
        """)


def test_tensor_shape_is_tuple_like():
    lower_text("""
        def kernel(p, n):
            t = asc2.tensor(p, [n, 16])
            assert len(t.shape) == 2 and t.shape[1] == 16 and t.shape[-1] == 16
            assert not t.shape.is_static() and t.shape.is_dynamic_dim(0) and not t.shape.is_dynamic_dim(axis=1)
            rows, cols = t.shape
            u = asc2.tensor(p, [*t.shape])
            assert cols == 16 and isinstance(t, asc2.Tensor) and not isinstance(t, asc2.Tile)
        """, ptr(), scalar())


def test_fstrings_in_messages():
    error = error_of('assert x.size == 3, f"size {x.size:04d} {asc.float32!r} {n}"')
    assert error.error_message == "AssertionError: size 0064 asc.float32 <a runtime int32>"


def test_attributes_of_tiles():
    lower_body("assert x.dtype == asc.float32 and x.shape == (64,) and x.size == 64 and xh.dtype.sizeof() == 2")


def test_scalar_arithmetic_follows_the_left_type():
    text = lower_body("m = 1.0 + n")
    assert "arith.addi %c1_i32, %arg3 : i32" in text
    text = lower_body("m = n / 2; q = n // 2; r = n % 2; s = f / 2; t = f // 2")
    assert text.count("arith.divsi") == 2 and "arith.remsi" in text and text.count("arith.divf") == 2


def test_scalar_operators():
    text = lower_body("m = n << 1; m = n >> 1; m = n & 1; m = n | 1; m = n ^ 1; m = -n; g = -f; h2 = +f")
    for op in "shli shrsi andi ori xori subi negf".split():
        assert f"arith.{op}" in text


def test_int_scalar_compared_with_a_fraction():
    assert "arith.cmpf olt" in lower_body("c = n < 2.5")


def test_min_max_abs_of_runtime_scalars():
    text = lower_body("m = min(n, 8); q = max(0, n, 3); r = abs(n); s = int(f); t = float(n)")
    assert text.count("arith.select") == 4 and "arith.fptosi" in text and "arith.sitofp" in text
    lower_body("assert min(3, 4) == 3 and max([1, 2]) == 2 and sum((1, 2)) == 3 and bool(1) and sorted([2, 1]) == [1, 2]")


def test_module_constants_closures_and_attributes():
    inner = 32

    def kernel(p, cfg):
        t = asc2.tensor(p, [SIZE])
        y = asc2.load(t, [inner], offsets=[0]) * SCALE + math.pi
        asc2.store(y, t, offsets=[cfg.tile])

    text = lower(kernel, ptr(), const(Config))
    assert "<128xf32>" in text and "<32xf32, UB>" in text and "2.500000e-01" in text and "3.14159274" in text


def test_constexpr_objects_stand_for_their_value():
    text = lower_text("def kernel(p):\n    t = asc2.tensor(p, [N])\n", ptr(), names={"N": asc.ConstExpr(asc.ConstExpr(48))})
    assert "<48xf32>" in text


def test_big_integers_are_python_integers():
    lower_body("assert 2**100 == 1267650600228229401496703205376 and (1 << 70) % 7 == 2")


# ---- calls ----


@Jit
def twice(v):
    return v + v


@Jit
def scaled(v, factor=2.0, count: asc.ConstExpr[int] = 1):
    for i in asc.static_range(count):
        v = v * factor
    return v, count


@Jit
def choose(flag: asc.ConstExpr, v):
    if flag:
        return v * 3
    return v


@Jit
def accumulate(lhs, acc):
    asc2.matmul_acc(lhs, lhs, acc)


@Jit
def forever(v):
    return forever(v)


def test_called_functions_are_inlined_and_specialised():
    text = lower_body("y = twice(x); z = twice(xh); m = twice(3)", names={"twice": twice})
    assert "tile.binary add %3, %3" in text and "tile.binary add %4, %4" in text and "arith.addi" in text
    assert "call" not in text


def test_defaults_keywords_and_constants_of_called_functions():
    text = lower_body("y, c = scaled(x); z, d = scaled(x, count=3, factor=f)\nassert c == 1 and d == 3", names={"scaled": scaled})
    assert text.count("tile.binary mul") == 4


def test_return_inside_a_compile_time_if():
    text = lower_body("y = choose(True, x); z = choose(False, x)\nassert z is x", names={"choose": choose})
    assert text.count("tile.binary mul") == 1


def test_accumulator_written_by_a_called_function_in_a_loop():
    text = lower_body("""
        acc = asc2.zeros_acc([16, 16], asc.float32)
        t = asc2.full([16, 16], 1.0, asc.float16)
        for i in range(n):
            accumulate(t, acc)
        asc2.store(acc, asc2.tensor(a_ptr, [16, 16]), offsets=[0, 0])
        """, names={"accumulate": accumulate})
    assert "iter_args(%arg6 = %6) -> (!tile.tile<16x16xf32, L0C>)" in text and "scf.yield %" in text


def test_matmul_acc_rebinds_through_branches_and_aliases():
    text = lower_body("""
        acc = asc2.zeros_acc([16, 16], asc.float32)
        same = acc
        t = asc2.full([16, 16], 1.0, asc.float16)
        if n > 3:
            asc2.matmul_acc(t, t, acc)
        asc2.store(same, asc2.tensor(a_ptr, [16, 16]), offsets=[0, 0])
        """)
    result = text.split("scf.if")[0].rsplit("%", 1)[1].split()[0]
    assert f"tile.store %{result}," in text


def test_functions_as_constants():
    text = lower_text("def kernel(p, op):\n    y = op(asc2.full([32], 1.0), 2)\n", ptr(), const(asc2.add))
    assert "tile.binary add" in text


def test_starred_arguments():
    lower_body("y = x.reshape(*(2, 32)); z = asc2.reduce_sum(y, *[0, 1], keep_dims=True)")


def test_builtins_outside_a_kernel_explain_themselves():
    with pytest.raises(RuntimeError, match="asc2.load works inside a kernel only"):
        asc2.load(None)
    assert asc.ceildiv(7, 2) == 4
    assert repr(asc2.load) == "<builtin asc2.load>"


def test_recursion_is_an_error():
    assert "recursive call of forever" in error_of("y = forever(x)", names={"forever": forever}).error_message


def test_error_inside_a_called_function_shows_both_places():
    error = error_of("y = twice(None)", names={"twice": twice})
    assert "test_frontend.py" in str(error).splitlines()[0]
    assert "kernel.py:4:9: note: in twice, called here" in str(error)


def test_host_reads_are_recorded_with_paths():
    import _tilesmith

    lower_text("""
        def kernel(p, cfg):
            y = twice(asc2.full([cfg.tile], 1.0)) * SCALE
        """, ptr(), const(Config), names={"twice": twice, "SCALE": 0.5})
    reads, complete = _tilesmith.last_host_reads()
    assert complete and [path for path, _ in reads] == ["$cfg.tile", "twice", "SCALE"]


def test_unknown_objects_make_the_record_incomplete():
    import _tilesmith

    lower_text("def kernel(p):\n    y = len(thing)\n", ptr(), names={"thing": {"a": object()}})
    assert _tilesmith.last_host_reads()[1] is False


def test_errors_are_reported_as_their_class():
    error = error_of("y = asc2.load(a, [64], offsets=[0], tile_id=[0])")
    assert isinstance(error, CodegenError) and isinstance(error.exception, ValueError)
    assert error.node.lineno == 4 and error.src.startswith("def kernel")


def test_ops_helper_sees_every_tile_op():
    assert ops(lower_body("y = x + 1"))[-1] == "tile.binary"
