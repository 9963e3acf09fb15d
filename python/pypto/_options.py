"""Groups of options: what a kernel may be given, and what is in force for all of them."""

import contextlib

from pypto._types import RunMode
from pypto.error import FeError, coded

KNOWN = {
    "runtime": {
        "run_mode", "device_sched_mode", "stitch_function_max_num", "max_workspace_kb", "valid_shape_optimize",
        "ready_on_host_tensors", "device_sched_parallelism", "launch_sched_aicpu_num", "launch_early_mode",
    },
    "pass": {
        "vec_nbuffer_setting", "cube_l1_reuse_setting", "cube_nbuffer_setting", "sg_set_scope", "sg_set_ooo_scope",
        "ooo_sched_mode", "auto_mix_partition", "sg_set_tunevf_mode", "enable_slice",
    },
    "host": {
        "compile_stage", "compile_monitor_enable", "compile_timeout", "compile_timeout_stage", "compile_monitor_print_interval",
    },
    "debug": {"compile_debug_mode", "runtime_debug_mode", "dump_pass_graph"},
    "verify": {
        "enable_pass_verify", "pass_verify_save_tensor", "pass_verify_save_tensor_dir", "pass_verify_pass_filter",
        "pass_verify_error_tol",
    },
    "codegen": {"support_dynamic_aligned", "soc_version", "enable_pmu_trace", "vf_options"},
}  # fmt: skip

in_force: dict[str, dict] = {group: {} for group in KNOWN}


def check(group, options):
    """The options, if all of them are known."""
    unknown = sorted(set(options or ()) - KNOWN[group])
    if unknown:
        raise FeError(
            coded(f"unknown {group} option(s): {', '.join(unknown)}; known are {', '.join(sorted(KNOWN[group]))}", "ValueError")
        )
    return options or {}


def check_groups(groups):
    """Checks what a kernel was given."""
    for group, options in groups.items():
        check(group, options)


def _asked(groups, group, key):
    """What a kernel was given, or what is in force for all; None: nothing."""
    own = groups[group]
    return own[key] if own and key in own else in_force[group].get(key)


def run_mode(groups):
    """The run mode a kernel asks for, or None."""
    mode = _asked(groups, "runtime", "run_mode")
    if mode is None:
        return None
    if mode not in (RunMode.NPU, RunMode.SIM):
        raise FeError(coded("Invalid run mode, run mode must be RunMode.NPU or RunMode.SIM.", "ValueError"))
    return RunMode(mode)


def is_checked(groups):
    """Whether launches are looked at for hazards: `enable_pass_verify`, or a `runtime_debug_mode` of 3 or 4."""
    return bool(_asked(groups, "verify", "enable_pass_verify")) or _asked(groups, "debug", "runtime_debug_mode") in (3, 4)


def _setter(group):
    def set_options(**options):
        in_force[group].update(check(group, options))

    set_options.__name__ = f"set_{group}_options"
    set_options.__doc__ = f"Options of the group '{group}' for all kernels."
    return set_options


def _getter(group):
    def get_options():
        return dict(in_force[group])

    get_options.__name__ = f"get_{group}_options"
    get_options.__doc__ = f"The options of the group '{group}' that are in force."
    return get_options


set_runtime_options, get_runtime_options = _setter("runtime"), _getter("runtime")
set_host_options, get_host_options = _setter("host"), _getter("host")
set_debug_options, get_debug_options = _setter("debug"), _getter("debug")
set_verify_options, get_verify_options = _setter("verify"), _getter("verify")
set_codegen_options, get_codegen_options = _setter("codegen"), _getter("codegen")
get_pass_options = _getter("pass")


_settings: dict[str, object] = {}


def set_options(**groups):
    """Options of several groups for all kernels: `set_options(runtime_options={...}, pass_options={...})`."""
    for name, values in groups.items():
        group = name.removesuffix("_options")
        if group not in KNOWN:
            raise FeError(coded(f"unknown group of options: {name}", "ValueError"))
        in_force[group].update(check(group, values))


def set_global_config(key, value):
    """Remembers a setting of upstream's; nothing here depends on it."""
    _settings[key] = value


def get_global_config(key):
    """What was set, or None."""
    return _settings.get(key)


def set_print_options(**options):
    """Accepted; nothing here depends on it."""


def reset_options():
    """Forgets all options that were set."""
    for group in in_force.values():
        group.clear()


class options(contextlib.ContextDecorator):
    """Options for a part of a program: a context, or the decorator of a function of the host."""

    def __init__(self, **groups):
        self.groups = {}
        for name, value in groups.items():
            group = name.removesuffix("_options")
            if group in KNOWN:
                self.groups[group] = check(group, value)
            elif name not in ("vec_tile_shapes", "cube_tile_shapes", "conv_tile_shapes", "matrix_size"):
                raise FeError(coded(f"unknown group of options: {name}", "ValueError"))

    def __enter__(self):
        self.before = {group: dict(values) for group, values in in_force.items()}
        for group, values in self.groups.items():
            in_force[group].update(values)
        return self

    def __exit__(self, *error):
        for group, values in self.before.items():
            in_force[group].clear()
            in_force[group].update(values)
        return False
