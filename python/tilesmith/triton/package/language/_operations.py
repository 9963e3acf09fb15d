"""The operations of the language. Made by tools/triton_operations.py from include/tilesmith/Frontend/TritonOperations.def."""

from tilesmith.triton.package.language._declared import operation

FORMS = {
    "program_id": "Function",
    "num_programs": "Function",
    "arange": "Function",
    "full": "Function",
    "zeros": "Function",
    "zeros_like": "Function",
    "load": "Function",
    "store": "Function",
    "atomic_add": "Function",
    "atomic_max": "Function",
    "atomic_min": "Function",
    "atomic_and": "Function",
    "atomic_or": "Function",
    "atomic_xor": "Function",
    "atomic_xchg": "Function",
    "atomic_cas": "Function",
    "make_block_ptr": "Function",
    "advance": "Function",
    "make_tensor_descriptor": "Function",
    "load_tensor_descriptor": "Function",
    "store_tensor_descriptor": "Function",
    "exp": "Math",
    "exp2": "Math",
    "log": "Math",
    "log2": "Math",
    "sqrt": "Math",
    "sqrt_rn": "Math",
    "rsqrt": "Math",
    "sin": "Math",
    "cos": "Math",
    "erf": "Math",
    "floor": "Math",
    "ceil": "Math",
    "abs": "Math",
    "tan": "Device",
    "sinh": "Device",
    "cosh": "Device",
    "tanh": "Device",
    "reciprocal": "Device",
    "log1p": "Device",
    "expm1": "Device",
    "relu": "Device",
    "pow": "Device",
    "maximum": "Math",
    "minimum": "Math",
    "logical_and": "Method",
    "logical_or": "Method",
    "fdiv": "Math",
    "div_rn": "Math",
    "umulhi": "Math",
    "where": "Function",
    "cast": "Function",
    "broadcast_to": "Method",
    "broadcast": "Function",
    "expand_dims": "Method",
    "reshape": "Method",
    "view": "Method",
    "ravel": "Method",
    "trans": "Method",
    "permute": "Method",
    "sum": "Method",
    "max": "Method",
    "min": "Method",
    "argmax": "Method",
    "argmin": "Method",
    "cumsum": "Method",
    "reduce": "Method",
    "associative_scan": "Method",
    "sort": "Method",
    "flip": "Function",
    "gather": "Method",
    "extract_slice": "Function",
    "insert_slice": "Function",
    "get_element": "Function",
    "join": "Function",
    "interleave": "Function",
    "split": "Method",
    "cat": "Function",
    "dot": "Function",
    "static_range": "Function",
    "range": "Function",
    "parallel": "Function",
    "static_assert": "Function",
    "static_print": "Function",
    "device_assert": "Function",
    "device_print": "Function",
    "debug_barrier": "Function",
    "assume": "Function",
    "compile_hint": "Function",
    "multibuffer": "Function",
    "multiple_of": "Function",
    "max_contiguous": "Function",
    "max_constancy": "Function",
}


@operation
def program_id(axis):
    """The number of this program along an axis of the grid."""


@operation
def num_programs(axis):
    """The number of programs along an axis of the grid."""


@operation
def arange(start, end):
    """start, start + 1, ... below end, as int32."""


@operation
def full(shape, value, dtype):
    """A tile of this shape filled with a value."""


@operation
def zeros(shape, dtype):
    """A tile of this shape filled with 0."""


@operation
def zeros_like(input):
    """A tile like another one, filled with 0."""


@operation
def load(
    pointer,
    mask=None,
    other=None,
    boundary_check=(),
    padding_option="",
    cache_modifier="",
    eviction_policy="",
    volatile=False,
    care_padding=True,
):
    """What lies at the pointers; where the mask does not choose, `other`, or 0 without one. Unchosen elements are not read."""


@operation
def store(pointer, value, mask=None, boundary_check=(), cache_modifier="", eviction_policy=""):
    """Writes a value where the pointers point and the mask chooses. Unchosen elements keep their bytes."""


@operation
def atomic_add(pointer, val, mask=None, sem=None, scope=None):
    """Adds to what lies at the pointers, without losing what other programs add. Gives what was there before."""


@operation
def atomic_max(pointer, val, mask=None, sem=None, scope=None):
    """Leaves the larger of a value and what lies at the pointers. Gives what was there before."""


@operation
def atomic_min(pointer, val, mask=None, sem=None, scope=None):
    """Leaves the smaller of a value and what lies at the pointers. Gives what was there before."""


@operation
def atomic_and(pointer, val, mask=None, sem=None, scope=None):
    """Leaves the bits that a value and what lies at the pointers share. Gives what was there before."""


@operation
def atomic_or(pointer, val, mask=None, sem=None, scope=None):
    """Leaves the bits of a value and of what lies at the pointers. Gives what was there before."""


@operation
def atomic_xor(pointer, val, mask=None, sem=None, scope=None):
    """Leaves the bits that only one of a value and what lies at the pointers has. Gives what was there before."""


@operation
def atomic_xchg(pointer, val, mask=None, sem=None, scope=None):
    """Leaves a value. Gives what was there before."""


@operation
def atomic_cas(pointer, cmp, val, sem=None, scope=None):
    """Leaves a value where the pointers find the bits of `cmp`. Gives what was there before."""


@operation
def make_block_ptr(base, shape, strides, offsets, block_shape, order):
    """A pointer to a block of an array with extents: loads and stores can be clipped to it."""


@operation
def advance(base, offsets):
    """The block pointer moved by so many elements along each dimension."""


@operation
def make_tensor_descriptor(base, shape, strides, block_shape, padding_option="zero"):
    """An array with extents, of which blocks are loaded and stored: outside of it reads are 0 and writes are dropped."""


@operation
def load_tensor_descriptor(desc, offsets):
    """The block of a descriptor at these offsets."""


@operation
def store_tensor_descriptor(desc, offsets, value):
    """Writes the block of a descriptor at these offsets."""


@operation
def exp(x):
    """e to the power of each element."""


@operation
def exp2(x):
    """2 to the power of each element."""


@operation
def log(x):
    """The natural logarithm of each element."""


@operation
def log2(x):
    """The logarithm to base 2 of each element."""


@operation
def sqrt(x):
    """The square root of each element."""


@operation
def sqrt_rn(x):
    """The square root of each element, rounded to nearest."""


@operation
def rsqrt(x):
    """1 / sqrt(x) of each element."""


@operation
def sin(x):
    """The sine of each element."""


@operation
def cos(x):
    """The cosine of each element."""


@operation
def erf(x):
    """The error function of each element."""


@operation
def floor(x):
    """The largest whole number not above each element."""


@operation
def ceil(x):
    """The smallest whole number not below each element."""


@operation
def abs(x):
    """The absolute value of each element."""


@operation
def tan(x):
    """The tangent of each element."""


@operation
def sinh(x):
    """The hyperbolic sine of each element."""


@operation
def cosh(x):
    """The hyperbolic cosine of each element."""


@operation
def tanh(x):
    """The hyperbolic tangent of each element."""


@operation
def reciprocal(x):
    """1 / x of each element."""


@operation
def log1p(x):
    """log(1 + x), exact near 0."""


@operation
def expm1(x):
    """exp(x) - 1, exact near 0."""


@operation
def relu(x):
    """The larger of each element and 0."""


@operation
def pow(x, y):
    """Each element to a power."""


@operation
def maximum(x, y, propagate_nan=None):
    """The larger of two elements. A NaN on one side gives the other, or NaN with PropagateNan.ALL."""


@operation
def minimum(x, y, propagate_nan=None):
    """The smaller of two elements. A NaN on one side gives the other, or NaN with PropagateNan.ALL."""


@operation
def logical_and(input, other):
    """Whether both elements are not 0."""


@operation
def logical_or(input, other):
    """Whether any of two elements is not 0."""


@operation
def fdiv(x, y, ieee_rounding=False):
    """The quotient of floats."""


@operation
def div_rn(x, y):
    """The quotient of floats, rounded to nearest."""


@operation
def umulhi(x, y):
    """The upper 32 bits of the product of 32-bit integers."""


@operation
def where(condition, x, y):
    """x where the condition holds, else y; both are computed."""


@operation
def cast(input, dtype, fp_downcast_rounding=None, bitcast=False, overflow_mode=None):
    """The elements as another type: rounded to nearest even, truncated to integers, wrapped to narrower ones."""


@operation
def broadcast_to(input, *shape):
    """The tile with axes of size 1 repeated."""


@operation
def broadcast(input, other):
    """Two tiles brought to one shape."""


@operation
def expand_dims(input, axis):
    """The tile with new axes of size 1."""


@operation
def reshape(input, *shape, can_reorder=False):
    """The same elements in another shape."""


@operation
def view(input, *shape):
    """The same elements in another shape."""


@operation
def ravel(x, can_reorder=False):
    """The elements in one dimension."""


@operation
def trans(input, *dims):
    """The tile with its last two axes changed, or all in the order given."""


@operation
def permute(input, *dims):
    """The tile with its axes in another order."""


@operation
def sum(input, axis=None, keep_dims=False, dtype=None):
    """The sum along an axis, or of all elements. Integers below 32 bits are summed in 32 bits."""


@operation
def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False, propagate_nan=None):
    """The largest element along an axis, or of all; with its index if that is asked for."""


@operation
def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False, propagate_nan=None):
    """The smallest element along an axis, or of all; with its index if that is asked for."""


@operation
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    """Where the largest element along an axis stands, the first of equal ones."""


@operation
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    """Where the smallest element along an axis stands, the first of equal ones."""


@operation
def cumsum(input, axis=0, reverse=False, dtype=None):
    """Sums of all beginnings of an axis."""


@operation
def reduce(input, axis, combine_fn, keep_dims=False):
    """An axis combined by a function of the language, which is associative and commutative; of several tiles at once if they are a tuple."""


@operation
def associative_scan(input, axis, combine_fn, reverse=False):
    """All beginnings of an axis combined by a function of the language; of several tiles at once if they are a tuple."""


@operation
def sort(x, dim=None, descending=False):
    """The elements along the last axis in order. Integers of 32 and 64 bits go through a network of pairs, which takes longer."""


@operation
def flip(x, dim=None):
    """The elements along an axis in reverse order; the last axis without one."""


@operation
def gather(src, index, axis):
    """Elements of a tile by their indices along an axis."""


@operation
def extract_slice(ful, offsets, sizes, strides):
    """The elements of a tile from offsets on, in steps of strides; triton-ascend's."""


@operation
def insert_slice(ful, sub, offsets, sizes, strides):
    """The first tile with the elements of another one from offsets on, in steps of strides; triton-ascend's."""


@operation
def get_element(src, indice):
    """One element of a tile as a number; triton-ascend's."""


@operation
def join(a, b):
    """Two tiles as one with a new last axis of size 2."""


@operation
def interleave(a, b):
    """The elements of two tiles in turn along the last axis."""


@operation
def split(a):
    """The two halves of a last axis of size 2."""


@operation
def cat(input, other, can_reorder=False, dim=0):
    """Two tiles, one behind the other along an axis."""


@operation
def dot(input, other, acc=None, input_precision=None, allow_tf32=None, max_num_imprecise_acc=None, out_dtype=None):
    """The product of two matrices or batches of them, added to `acc`; floats are summed in float32, int8 in int32."""


@operation
def static_range(*bounds):
    """A loop that is unrolled while compiling."""


@operation
def range(
    *bounds,
    num_stages=None,
    loop_unroll_factor=None,
    disallow_acc_multi_buffer=False,
    flatten=False,
    warp_specialize=False,
    disable_licm=False,
):
    """A loop at run time; its options never change results."""


@operation
def parallel(*bounds, num_stages=None, loop_unroll_factor=None, bind_sub_block=False):
    """A loop at run time whose iterations triton-ascend shares out; here they run in order."""


@operation
def static_assert(cond, msg=""):
    """An error of the compilation where the condition is false."""


@operation
def static_print(*values, sep=" ", end="\n", file=None, flush=False):
    """Accepted; nothing is printed."""


@operation
def device_assert(cond, msg="", mask=None):
    """Accepted: assertions are off unless a kernel is debugged."""


@operation
def device_print(prefix, *args, hex=False):
    """Prints the prefix and the values of a program."""


@operation
def debug_barrier():
    """Orders a program with itself, which it is anyway."""


@operation
def assume(cond):
    """A promise the compiler does not need."""


@operation
def compile_hint(ptr, hint_name, hint_val=None):
    """A hint the compiler does not need; triton-ascend's."""


@operation
def multibuffer(src, size):
    """A hint the compiler does not need; triton-ascend's."""


@operation
def multiple_of(input, values):
    """A promise the compiler does not need; the input."""


@operation
def max_contiguous(input, values):
    """A promise the compiler does not need; the input."""


@operation
def max_constancy(input, values):
    """A promise the compiler does not need; the input."""
