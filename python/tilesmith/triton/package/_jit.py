"""The decorator `jit`, and launches over grids.

A launch is a specialisation of the function (which parameters are constants) and a number of programs: each program is a block. The
kernel gets the extents of the grid beside its own parameters.
"""

import os
import sys

import _tilesmith
from asc.codegen.errors import CodegenError
from asc.runtime.jit import JITFunction as _Kernel
from asc.runtime.source import source_of

from tilesmith.triton.package._names import check_globals
from tilesmith.triton.package.errors import translated

MOST_PROGRAMS = 65535
# Options of compilers that change no result here; the page says so.
OPTIONS = frozenset(
    "num_warps num_stages num_ctas maxnreg enable_fp_fusion multibuffer unit_flag limit_auto_multi_buffer_only_for_local_buffer "
    "limit_auto_multi_buffer_of_local_buffer set_workspace_multibuffer enable_hivm_auto_cv_balance tile_mix_vector_loop "
    "tile_mix_cube_loop sync_solver enable_auto_bind_sub_block inject_barrier_all inject_block_all disable_auto_inject_block_sync "
    "enable_nd2nz_on_vector enable_mixed_cv enable_linearize enable_ubuf_saving enable_select_analysis auto_blockify_size stream "
    "parallel_mode force_simt_only debug sanitize_overflow allow_fp8e4nv optimize_dynamic_offset".split()
)
_ADDED = ("grid x", "grid y", "grid z", "names of the language")


class KernelInterface:
    """Something that is launched as `kernel[grid](...)`."""

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)


def _is_constexpr(annotation):
    from tilesmith.triton.package.language._types import constexpr

    return annotation is constexpr or (isinstance(annotation, str) and "constexpr" in annotation)


class _Specialised(_Kernel):
    """The function with some of its parameters known while compiling."""

    language = "triton"

    def __init__(self, function, constants, ones):
        self.fn, self.options = function.fn, {}
        self.source, self.filename, self.first_line = function.source, function.filename, function.first_line
        names = [(name, name in constants, None) for name in function.arg_names]
        grid = [(name, index in ones, None) for index, name in enumerate(_ADDED[:3])]
        self.parameters = (*names, *grid, (_ADDED[3], True, None))
        self.__name__, self.__qualname__, self.__module__ = function.__name__, function.__qualname__, function.__module__
        self.__doc__ = function.__doc__
        self._derived = {}
        self._set_up()


class Launched:
    """What a launch gives back: what was compiled, for those who look at it."""

    n_regs = n_spills = 0

    def __init__(self, launcher, arguments, name):
        self._launcher, self._arguments, self.name = launcher, arguments, name
        self.metadata = {"name": name}

    @property
    def asm(self):
        """The kernel in Ascend C."""
        return {"ascendc": self._launcher.ascendc(*self._arguments)}


class JITFunction(KernelInterface):
    """A kernel, or a function that kernels call."""

    keeps_numbers = True

    def __init__(self, fn, do_not_specialize=(), **options):
        self.fn = fn
        found = source_of(fn)
        self.source, self.filename, self.first_line = found.text, found.filename, found.first_line
        if not os.path.exists(self.filename):
            _tilesmith.remember_source(self.filename, self.first_line, self.source)
        code = fn.__code__
        if code.co_flags & 0x0C:
            raise TypeError(f"'{fn.__qualname__}' takes *args or **kwargs; a kernel has named parameters only")
        self.arg_names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        self.defaults = dict(zip(reversed(self.arg_names[: code.co_argcount]), reversed(fn.__defaults__ or ())))
        self.defaults.update(fn.__kwdefaults__ or {})
        self.constexprs = {name for name, annotation in fn.__annotations__.items() if _is_constexpr(annotation)}
        # As the compiler looks at a function that is called by a kernel: constants stay constants in all parameters, and tiles
        # may be given to those annotated as constants, as in Triton.
        self.parameters = tuple(
            (name, False, None, *([self.defaults[name]] if name in self.defaults else [])) for name in self.arg_names
        )
        self.unspecialised = {self.arg_names[one] if isinstance(one, int) else one for one in do_not_specialize or ()}
        self.__name__, self.__qualname__, self.__module__ = fn.__name__, fn.__qualname__, fn.__module__
        self.__doc__, self.__wrapped__ = fn.__doc__, fn
        self._variants = {}

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Cannot call @triton.jit'd outside of the scope of a kernel")

    def __repr__(self):
        return f"JITFunction({self.__module__}:{self.fn.__qualname__})"

    def bind(self, args, kwargs):
        """Arguments by name; options are taken out."""
        if len(args) > len(self.arg_names):
            raise TypeError(f"{self.__name__}() takes {len(self.arg_names)} positional arguments but {len(args)} were given")
        bound = dict(zip(self.arg_names, args))
        for name, value in kwargs.items():
            if name in self.arg_names:
                if name in bound:
                    raise TypeError(f"{self.__name__}() got multiple values for argument '{name}'")
                bound[name] = value
            elif name not in OPTIONS:
                raise KeyError(f"Keyword argument {name} was specified but unrecognised")
        for name in self.arg_names:
            if name not in bound:
                if name not in self.defaults:
                    raise TypeError(f"{self.__name__}() missing a required argument: '{name}'")
                bound[name] = self.defaults[name]
        return bound

    def warmup(self, *args, grid, **kwargs):
        """Compiles without a launch."""
        return self.run(*args, grid=grid, warmup=True, **kwargs)

    def run(self, *args, grid, warmup=False, **kwargs):
        """Compiles for these arguments, and launches unless it is a warm-up."""
        __tracebackhide__ = True  # of pytest
        from asc.language.core.constexpr import ConstExpr

        bound = {name: ConstExpr.unwrap(value) for name, value in self.bind(args, kwargs).items()}
        extents = extents_of(grid, bound)
        programs = extents[0] * extents[1] * extents[2]
        if programs == 0 and not warmup:
            return None
        if programs > MOST_PROGRAMS:
            raise RuntimeError(
                f"coreDim={programs} can't be greater than UINT16_MAX ({MOST_PROGRAMS})\n"
                "help: let each program take several tiles: for i in range(tl.program_id(0), tiles, tl.num_programs(0))"
            )
        constants, truths, values = set(), [], []
        for name in self.arg_names:
            value = bound[name]
            if name in self.constexprs or self._is_constant(name, value):
                constants.add(name)
            else:
                value, is_truth = _argument(name, value)
                if is_truth:
                    truths.append(name)
            values.append(value)
        ones = tuple(index for index, extent in enumerate(extents) if extent == 1)
        key = frozenset(constants), ones
        kernel = self._variants.get(key)
        if kernel is None:
            check_globals(self)
            kernel = self._variants[key] = _Specialised(self, constants, ones)
        from tilesmith.triton.package.language._types import dtype, pointer_type

        launcher = kernel[max(programs, 1)]
        values += [*extents, (dtype, pointer_type, tuple(truths))]
        try:
            if warmup:
                launcher.ascendc(*values)
            else:
                launcher(*values)
        except CodegenError as error:
            raise translated(error) from None
        return Launched(launcher, values, self.__name__)

    def _is_constant(self, name, value):
        """Whether an argument that is not annotated as one is a constant all the same."""
        if value is None or isinstance(value, (bool, str, tuple, list)) or isinstance(value, JITFunction):
            return True
        if isinstance(value, int):
            # 0 and negative numbers as well: a stride of these is another way to copy.
            return value <= 1 and name not in self.unspecialised
        from asc.language.core.data_type import DataType

        return isinstance(value, DataType)


def extents_of(grid, bound):
    """The three extents of a grid: a number, up to three of them, or a function of the arguments by name."""
    if callable(grid):
        grid = grid(bound)
    if isinstance(grid, (tuple, list)):
        given = list(grid)
    else:
        given = [grid]
    if not 1 <= len(given) <= 3:
        raise ValueError(f"grid must have 1 to 3 extents, not {len(given)}: {tuple(given)}")
    extents = []
    for extent in given:
        if isinstance(extent, bool) or not hasattr(extent, "__index__"):
            raise TypeError(f"an extent of a grid must be an integer, not {type(extent).__name__} {extent!r}")
        extents.append(int(extent))
    if min(extents) < 0:
        raise ValueError(f"an extent of a grid must not be negative: {tuple(extents)}")
    return extents + [1] * (3 - len(extents))


def _argument(name, value):
    """What the kernel is given for an argument, and whether it points to truth values. Pointers to parts of arrays see all that follows."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        if value.device.type not in ("cpu", "npu"):
            raise ValueError(f"Pointer argument '{name}' cannot be accessed from Triton (cpu tensor?): it is on {value.device}")
        if value.numel() >= 1 << 31:
            raise NotImplementedError(f"the tensor '{name}' has 2**31 elements or more, which is not there yet")
        is_truth = value.dtype == torch.bool
        if is_truth:
            value = value.view(torch.int8)
        if not value.dim() or not value.is_contiguous():
            rest = value.untyped_storage().nbytes() // value.element_size() - value.storage_offset()
            value = value.as_strided((max(rest, 1) if value.dim() else 1,), (1,))
        return value, is_truth
    if hasattr(value, "__array_interface__") and getattr(value, "ndim", 0):
        is_truth = value.dtype == bool
        return (value.view("int8") if is_truth else value), is_truth
    return value, False


def jit(fn=None, *, version=None, repr=None, launch_metadata=None, do_not_specialize=None, do_not_specialize_on_alignment=None, debug=None,
        noinline=None):  # fmt: skip
    """Makes a kernel, or a function that kernels call: `@triton.jit`."""
    if fn is None:
        return lambda function: jit(function, do_not_specialize=do_not_specialize)
    if not hasattr(fn, "__code__"):
        raise TypeError(f"@triton.jit takes a function defined with def, not {fn!r}")
    return JITFunction(fn, do_not_specialize or ())
