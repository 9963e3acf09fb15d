"""The decorator `jit`, and the object it makes."""

import sys
from contextlib import nullcontext

from asc.codegen.errors import CodegenError, UnsupportedSyntaxError
from asc.runtime.config import core_count
from asc.runtime.jit import JITFunction

from pypto._helpers import follow_all, uses_products
from pypto._options import check_groups, is_checked, run_mode
from pypto._simulation import checking, running
from pypto._types import STATIC, DataType, StatusType, Tensor, TileOpFormat
from pypto.error import FeError, ParserError, PyptoError, coded, fe

_ORDINALS = ("1st", "2nd", "3rd")


def _ordinal(index):
    return _ORDINALS[index] if index < 3 else f"{index + 1}th"


def _annotations(fn):
    """Annotations by name; those given as text evaluated where they may be tensors."""
    found = {}
    for name, annotation in fn.__annotations__.items():
        if isinstance(annotation, str) and "ensor" in annotation:
            cells = zip(fn.__code__.co_freevars, fn.__closure__ or ())
            names = dict(fn.__globals__) | {key: cell.cell_contents for key, cell in cells}
            try:
                annotation = eval(annotation, names)
            except Exception as error:
                raise fe(f"the annotation of '{name}' in '{fn.__qualname__}' cannot be evaluated: {error}") from None
        if annotation is Tensor:
            annotation = Tensor()
        found[name] = annotation
    return found


def _dims_of(annotation, rank):
    """For each axis: an int, DYNAMIC or STATIC."""
    dims = list(annotation.dims or (Ellipsis,))
    if dims[-1] is Ellipsis:
        dims[-1:] = [STATIC] * (rank - len(dims) + 1)
    return dims


# What kernels may say of Python beside what every language here has.
_WHILE_COMPILING = {
    one.__name__: one
    for one in (print, AssertionError, IndexError, KeyError, NotImplementedError, RuntimeError, TypeError, ValueError)
}


class _Operator(JITFunction):
    """The kernel behind an operator, with the parameters a launch adds: what its tensors are, and their dynamic sizes."""

    language = "pypto"

    def __init__(self, fn, parameters):
        self._all_parameters = parameters
        super().__init__(fn, run_asc2_passes=True, insert_sync=True, custom_builtins=_WHILE_COMPILING)

    def _set_up(self):
        self.parameters = self._all_parameters
        super()._set_up()  # type: ignore[misc]


class Kernel:
    """A function on whole tensors. Called with torch tensors it computes into those it writes."""

    def __init__(self, fn, groups):
        code = fn.__code__
        if code.co_flags & 0x0C or code.co_kwonlyargcount or code.co_posonlyargcount:
            raise ParserError(coded(f"'{fn.__name__}' may have named parameters only, without * and **", "SyntaxError"))
        self.fn, self.groups = fn, groups
        self.__name__, self.__qualname__, self.__doc__, self.__module__ = fn.__name__, fn.__qualname__, fn.__doc__, fn.__module__
        self.__wrapped__ = fn
        names = code.co_varnames[: code.co_argcount]
        annotations = _annotations(fn)
        self.names = names
        self.tensors = [name for name in names if isinstance(annotations.get(name), Tensor)]
        self.annotations = [annotations[name] for name in self.tensors]
        self.others = [name for name in names if name not in self.tensors]
        self._leading = tuple(self.tensors)
        self.defaults = dict(zip(reversed(names), reversed(fn.__defaults__ or ())))
        dynamic = sum(dim is StatusType.DYNAMIC for one in self.annotations for dim in one.dims or ())
        parameters = [(name, name not in self.tensors, None) for name in names]
        parameters.append(("tensors of the launch", True, None))
        parameters += [(f"dynamic size {index}", False, None) for index in range(dynamic)]
        self.operator = _Operator(fn, tuple(parameters))
        self._launchers = {}
        self._products = None
        self._options_checked = False  # its options
        self._seen = {}  # shapes and sizes of tensors, by their types

    def on_cores(self, cores):
        """The kernel on so many cores at most; None: on all there are."""
        return lambda *args, **kwargs: self._launch(cores, args, kwargs)

    def __call__(self, *args, **kwargs):
        __tracebackhide__ = True
        self._launch(None, args, kwargs)

    def _launch(self, cores, args, kwargs):
        __tracebackhide__ = True
        if not self._options_checked:  # a program may change the options until the first call
            check_groups(self.groups)
            self._options_checked = True
        mode, checked = run_mode(self.groups), is_checked(self.groups)
        key = self._key(args, kwargs)
        shapes, sizes = self._seen.get(key, (None, None))
        ordered = args
        if shapes is None:
            values, tensors = self._bind(args, kwargs)
            shapes, sizes = self._describe(tensors)
            ordered = [values[name] for name in self.names]
            if key:
                if len(self._seen) >= 1000:
                    self._seen.clear()
                self._seen[key] = shapes, sizes
        try:
            if mode is None and not checked:
                self._launcher(cores)(*ordered, shapes, *sizes)
                return
            with running(mode), checking() if checked else nullcontext():
                self._launcher(cores)(*ordered, shapes, *sizes)
        except CodegenError as error:
            raise _translated(error) from None

    def _key(self, args, kwargs):
        """What decides how arguments are described, where all are given in order and nothing about them is unusual; else None."""
        torch = sys.modules.get("torch")
        if kwargs or torch is None or len(args) != len(self.names) or self.names[: len(self.tensors)] != self._leading:
            return None
        key: list[object] = []
        for one in args[: len(self.tensors)]:
            if type(one) is not torch.Tensor or not one.is_contiguous() or not one.shape:
                return None
            key += (one.shape, one.dtype)
        for one in args[len(self.tensors) :]:
            if isinstance(one, torch.Tensor):
                return None
        return tuple(key)

    def ascendc(self, *args, **kwargs):
        """The operator as Ascend C source for these arguments."""
        values, tensors = self._bind(args, kwargs)
        shapes, sizes = self._describe(tensors)
        return self._launcher().ascendc(*[values[name] for name in self.names], shapes, *sizes)

    def _launcher(self, cores=None):
        if self._products is None:
            self._products = uses_products(self.fn)
            follow_all(self.fn)
        there = core_count("cube" if self._products else "vector")
        cores = there if cores is None else min(cores, there)
        if cores not in self._launchers:
            self._launchers[cores] = self.operator[cores]
        return self._launchers[cores]

    def _bind(self, args, kwargs):
        """The values by name, and the tensors in order."""
        count = len(self.tensors)
        if len(args) < count:
            raise fe(f"Expected at least {count} tensor argument(s), got {len(args)}.")
        if len(args) > len(self.names):
            raise fe(f"Too many positional arguments: {len(args)} for {len(self.names)} parameters.")
        unknown = [name for name in kwargs if name not in self.others]
        if unknown:
            raise fe(f"Unknown keyword argument(s): {unknown}. Valid non-tensor parameters: {self.others}")
        tensors = [one.data if isinstance(one, Tensor) else one for one in args[:count]]
        tensors = [one.reshape(1) if _is_tensor(one) and not one.dim() else one for one in tensors]
        values = dict(zip(self.tensors, tensors))
        values.update(zip(self.others, args[count:]))
        for name, value in kwargs.items():
            if name in values:
                raise fe(f"Too many values for the parameter '{name}'.")
            values[name] = value
        for name in self.others:
            if name not in values:
                if name not in self.defaults:
                    raise fe(f"Missing required non-tensor argument '{name}'.")
                values[name] = self.defaults[name]
            if _is_tensor(values[name]):
                raise fe(f"Non-tensor parameter '{name}' must not be a torch.Tensor", "TypeError")
        return values, tensors

    def _describe(self, tensors):
        """Of each tensor its dimensions, None where only the launch tells, and whether it is of truth values; and the sizes left out."""
        shapes, sizes = [], []
        for index, (annotation, value, name) in enumerate(zip(self.annotations, tensors, self.tensors)):
            if not _is_tensor(value) and not hasattr(value, "__array_interface__"):
                raise fe(f"the argument '{name}' must be a torch.Tensor, not {type(value).__name__}", "TypeError")
            actual = tuple(value.shape) or (1,)
            if hasattr(value, "is_contiguous") and not value.is_contiguous():
                raise fe(f"not all tensors are contiguous: '{name}' is not")
            if not all(actual):
                raise fe(f"The shape of {_ordinal(index)} input tensor '{name}' {list(actual)} is empty")
            dims = _dims_of(annotation, len(actual))
            open_ended = not annotation.dims or annotation.dims[-1] is Ellipsis
            least = len(annotation.dims or ()) - open_ended if annotation.dims else 0
            if len(actual) < least if open_ended else len(actual) != len(dims):
                raise fe(
                    f"The number of dimensions of {_ordinal(index)} input tensor '{name}' does not match: "
                    f"{len(dims)} expected, {len(actual)} given"
                )
            shape = []
            for dim, size in zip(dims, actual):
                if isinstance(dim, int) and dim != size:
                    raise fe(
                        f"The shape of {_ordinal(index)} input tensor '{name}' does not match: {dims} expected, {list(actual)} given"
                    )
                if dim is StatusType.DYNAMIC:
                    sizes.append(size)
                shape.append(None if dim is StatusType.DYNAMIC else int(size))
            if annotation.dtype is not None and _name_of(value.dtype) != _name_of_annotation(annotation.dtype):
                raise fe(
                    f"The dtype of {_ordinal(index)} input tensor '{name}' does not match: "
                    f"{annotation.dtype!r} expected, {value.dtype} given",
                    "TypeError",
                )
            in_fractals = annotation.format is TileOpFormat.TILEOP_NZ
            if in_fractals:
                _check_fractals(name, shape, value)
            shapes.append((tuple(shape), _name_of(value.dtype) == "int1", in_fractals))
        return tuple(shapes), sizes

    def __get__(self, instance, owner=None):
        return self if instance is None else _Bound(self, instance)


class _Bound:
    """A kernel that is a method: its object is not a parameter of kernels."""

    def __init__(self, kernel, instance):
        raise fe(f"'{kernel.__name__}' is a method; kernels are functions", "TypeError")


def _check_fractals(name, shape, value):
    """A matrix in fractals of 16 rows of 32 bytes is made of whole ones, as many as are known while compiling."""
    size = value.element_size() if hasattr(value, "element_size") else value.itemsize
    if len(shape) < 2 or None in shape:
        raise fe(f"'{name}' in TILEOP_NZ must have two axes or more, and sizes that are not DYNAMIC")
    if shape[-2] % 16 or shape[-1] % (32 // size):
        raise fe(f"'{name}' in TILEOP_NZ must have whole fractals: multiples of 16 rows and {32 // size} columns, not {shape[-2:]}")


def _is_tensor(value):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def _name_of(dtype):
    text = str(dtype).removeprefix("torch.")
    return "int1" if text == "bool" else text


def _name_of_annotation(dtype):
    return dtype.element.name if isinstance(dtype, DataType) else str(dtype)


def _translated(error):
    """An error of the compiler as a program of pypto expects it."""
    text = str(error)
    if isinstance(error, UnsupportedSyntaxError):
        return ParserError(coded(text, "SyntaxError"))
    if "does not fit" in text:
        return PyptoError(f"ErrCode: F40005, RuntimeError: {text}")
    kind = "RuntimeError" if error.exception is None else type(error.exception).__name__
    return FeError(coded(text, kind))


def jit(
    fn=None,
    *,
    host_options=None,
    codegen_options=None,
    pass_options=None,
    runtime_options=None,
    verify_options=None,
    debug_options=None,
    new_ir=True,
    create_new_logical_tensor=False,
):
    """Makes a kernel of a function on whole tensors: `@pypto.frontend.jit`, or with options (docs/pypto.md)."""
    groups = {
        "host": host_options,
        "codegen": codegen_options,
        "pass": pass_options,
        "runtime": runtime_options,
        "verify": verify_options,
        "debug": debug_options,
    }
    if fn is None:
        return lambda function: _make(function, groups)
    return _make(fn, groups)


def _make(fn, groups):
    if not hasattr(fn, "__code__") or fn.__name__ == "<lambda>":
        raise fe("jit decorator can only be used on functions", "TypeError")
    return Kernel(fn, groups)
