"""Options of compiling and launching."""


class _Options:
    """Keyword options with defaults; equal when all values are."""

    defaults = {}

    def __init__(self, **values):
        unknown = values.keys() - self.defaults.keys()
        if unknown:
            raise RuntimeError(f"unknown {type(self).__name__}: {', '.join(sorted(unknown))}")
        self.__dict__.update(self.defaults)
        self.__dict__.update(values)

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


class CodegenOptions(_Options):
    defaults = dict(capture_exceptions=True, ir_multithreading=True, custom_builtins={})


class CompileOptions(_Options):
    """Most choose between ways to the same results; the compiler here decides those itself and accepts them.

    `without_sync=i` is an addition of ours: it leaves out the i-th flag or barrier of the compiled kernel, to see whether
    the checks notice.
    """

    defaults = dict(always_compile=False, run_asc2_passes=False, insert_sync=None, static_alloc=None, reuse_ub=False,
                    reuse_ub_in_out=False, densify_load_store=False, vf_fusion=False, opt_level=3, kernel_type=None,
                    matmul_cube_only=False, run_passes=True, verify_sync=False, strip_loc=False, debug=False,
                    print_ir_before_all=False, auto_sync=True, auto_sync_log="", bisheng_options=None, without_sync=None)


class LaunchOptions(_Options):
    defaults = dict(core_num=0, stream=None)


OPTION_NAMES = frozenset(CodegenOptions.defaults) | frozenset(CompileOptions.defaults) | frozenset(LaunchOptions.defaults)

# Options that change what is done with a compilation, not its result.
_NOT_IN_KEY = {"always_compile", "print_ir_before_all", "ir_multithreading", "custom_builtins", "core_num", "stream", "debug"}


def check_options(options):
    """Raises RuntimeError for names or values that no kernel can be compiled with."""
    unknown = options.keys() - OPTION_NAMES
    if unknown:
        raise RuntimeError(f"unknown option: {', '.join(sorted(unknown))}")
    level = options.get("opt_level", 3)
    if level not in (1, 2, 3) or isinstance(level, bool):
        raise RuntimeError(f"Please check input compile option: opt_level is 1, 2 or 3, not {level!r}")


def options_key(options):
    """Text of the options that may change code."""
    return repr(sorted((name, value) for name, value in options.items() if name not in _NOT_IN_KEY))


class Compiler:
    """Holds checked options, as programs that drive the compiler themselves expect."""

    def __init__(self, options=None):
        self.options = CompileOptions() if options is None else options
        check_options(vars(self.options))
