"""Loops, numbers of the program, and what is in force for the operations that follow."""

from pypto._declared import on_host, operation

_vector_tile: list[int] = []


@operation
def loop(*bounds, name=None, idx_name=None, unroll_list=None, submit_before_loop=False, parallel=False):
    """`for i in pypto.loop(start, stop, step)`: a loop of the program; bounds may be runtime numbers.

    `parallel=True` promises that iterations do not depend on each other. Unroll lists change nothing but time.
    """


@operation
def loop_unroll(*bounds, name=None, idx_name=None, unroll_list=None, submit_before_loop=False, parallel=False):
    """`for i, k in pypto.loop_unroll(...)`: the body does k steps at once; here k is 1."""


@operation
def loop_axis():
    """The index of the innermost loop that the statement `pypto.loop(n)` began; upstream has no such name."""


@operation
def is_loop_begin(index):
    """Whether this is the first iteration of the loop the index is of."""


@operation
def is_loop_end(index):
    """Whether this is the last iteration of the loop the index is of."""


@operation
def cond(condition):
    """The condition of a branch of the program; `if` on a runtime number does the same."""


@on_host
def min(a, b):
    """The smaller of two numbers, which may be known only at run time."""
    return a if a <= b else b


@on_host
def max(a, b):
    """The larger of two numbers, which may be known only at run time."""
    return a if a >= b else b


@on_host
def ceildiv(a, b):
    """The quotient rounded up."""
    return -(-a // b)


@on_host
def set_vec_tile_shapes(*sizes):
    """How vector operations that follow may be cut: a size for each axis, from the left."""
    _vector_tile[:] = sizes


@on_host
def get_vec_tile_shapes():
    """The sizes in force."""
    return list(_vector_tile)


@on_host
def set_cube_tile_shapes(m, k, n, enable_split_k=False):
    """How products that follow may be cut: [L0, L1] for each of m, k and n."""


@operation
def get_cube_tile_shapes():
    """The sizes in force: (m, k, n, enable_split_k)."""


@on_host
def set_conv_tile_shapes(*sizes):
    """Accepted; there are no convolutions yet."""


@on_host
def set_matrix_size(sizes):
    """Accepted; the sizes of ND operands are known."""


@on_host
def set_semantic_label(label):
    """Accepted; names a part of the program."""


@on_host
def pass_verify_print(*values, cond=1):
    """Accepted; upstream prints the values where its passes are verified one by one."""


@on_host
def pass_verify_save(tensor, fname, cond=1):
    """Accepted; upstream saves the tensor where its passes are verified one by one."""


@on_host
def set_pass_options(
    *,
    vec_nbuffer_setting=None,
    cube_l1_reuse_setting=None,
    cube_nbuffer_setting=None,
    sg_set_scope=None,
    sg_set_ooo_scope=None,
    ooo_sched_mode=None,
    auto_mix_partition=None,
    sg_set_tunevf_mode=None,
    enable_slice=None,
):
    """Accepted; how upstream schedules, which changes no value."""
