"""Every option of `jit` and of launches: its default and what it does here. docs/options.md is made from this table."""

# (name, default, what it does)
CODEGEN: tuple[tuple[str, object, str], ...] = (
    ("capture_exceptions", True,
     "errors of compiling are CodegenErrors that show the place; False raises the Python exception they stand for"),
    ("ir_multithreading", True, "no effect: a kernel is one function, compiled by one thread"),
    ("custom_builtins", {}, "names a kernel sees besides its own; `asc2.jit` gives it `range`"),
)

COMPILE = (
    ("always_compile", False, "compile at every launch: neither the kernels in memory nor those on disk are used"),
    ("opt_level", 3,
     "1: loops are not pipelined, operations not joined, host code is made quickly; 2: both are done; 3: host code is "
     "optimised, too. Results are the same at every level"),
    ("vf_fusion", None,
     "C310: join element-wise operations into vector functions. Not given: from opt_level 2 on; False: one function per "
     "operation. No effect on C220, which has no vector functions"),
    ("reuse_ub", None,
     "whether buffers in UB that are not needed at the same time share bytes. Not given: only if they do not fit otherwise; "
     "True: always, in as few bytes as possible; False: never, and what does not fit is an error. Buffers that are loaded or "
     "stored are left out of True"),
    ("reuse_ub_in_out", None, "the same for the buffers that are loaded from or stored to global memory; not given: as reuse_ub "
     "says, but never always"),
    ("insert_sync", None,
     "False: the compiler inserts no flags and no barriers, so that checked launches report the hazards; otherwise it does"),
    ("auto_sync", True,
     "what the vendor's compiler adds: with insert_sync=False, barriers between dependent vector instructions on C220. "
     "No effect with insert_sync, which includes them"),
    ("verify_sync", False,
     "check the order of every launch; what is found raises asc.KernelError"),
    ("kernel_type", None,
     "an asc.runtime.config.KernelType the kernel must be able to run as; a kernel that needs a core the type has not is an "
     "error"),
    ("matmul_cube_only", False, "no effect: a kernel with matrix products runs on cube cores only, anyway"),
    ("run_passes", True, "False: only the front end runs, which checks the kernel; nothing is launched"),
    ("strip_loc", False, "True: the compiled kernel does not know its source; findings and profiles name no lines"),
    ("print_ir_before_all", False, "print the IR before each pass to stderr"),
    ("without_sync", None,
     "leave out the i-th flag or barrier the compiler inserted, to see whether the checks notice; an addition of ours"),
    ("run_asc2_passes", False, "no effect: there is one pipeline, and it always runs; set by `asc2.jit`"),
    ("static_alloc", None, "no effect: addresses are always fixed while compiling"),
    ("densify_load_store", False, "no effect: loads of later iterations run ahead through rings of buffers, unrolled or not"),
    ("debug", False, "no effect: debug information for the vendor's debugger"),
    ("auto_sync_log", "", "no effect: a file for the vendor's compiler"),
    ("bisheng_options", None, "no effect: flags for the vendor's compiler"),
)

LAUNCH = (
    ("core_num", 0,
     "number of blocks. As an option of `jit` it lets `kernel(...)` launch; `kernel[n](...)` and `core_num=n` in the call come "
     "before it"),
    ("stream", None, "no effect: a launch is complete when its call returns"),
)

# Options that change what is done with a compilation, not the code.
NOT_IN_KEY = frozenset({"always_compile", "print_ir_before_all", "ir_multithreading", "custom_builtins", "core_num", "stream",
                        "debug", "verify_sync", "auto_sync_log", "bisheng_options", "capture_exceptions", "static_alloc", "densify_load_store",
                        "run_asc2_passes", "matmul_cube_only"})


def table() -> str:
    """The options as a page of Markdown."""
    lines = ["# Options of kernels", "",
             "Given to the decorator, `@asc2.jit(opt_level=1)`, or to a launch, `kernel[8](x, y, opt_level=1)`; a launch's come "
             "first. No option", "changes the results of a kernel. This page is made from `python/asc/runtime/options.py` by "
             "`tools/options.py`.", ""]
    for title, options in (("Front end", CODEGEN), ("Compiling", COMPILE), ("Launching", LAUNCH)):
        lines += [f"## {title}", "", "| option | default | what it does |", "|---|---|---|"]
        lines += [f"| `{name}` | `{default!r}` | {meaning} |" for name, default, meaning in options]
        lines.append("")
    return "\n".join(lines)
