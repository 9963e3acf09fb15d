"""Options of jit and of launches, and the configuration of platforms."""

import enum
import os
import subprocess
import sys

import numpy as np
import pytest

import asc
import asc2
from asc.runtime import config
from asc.runtime.compiler import Compiler, CompileOptions, LaunchOptions
from asc.runtime.jit import JITFunction, MockTensor, MockValue


def copy(x_ptr, y_ptr, size):
    tile = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0])
    asc2.store(tile, asc2.tensor(y_ptr, [size]), offsets=[0])


def works(kernel, **options):
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    kernel[1](x, y, 64, **options)
    np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize("options", [
    dict(always_compile=True), dict(opt_level=1), dict(static_alloc=False), dict(static_alloc=None), dict(vf_fusion=True),
    dict(reuse_ub=True), dict(reuse_ub_in_out=True), dict(densify_load_store=True), dict(insert_sync=True), dict(run_asc2_passes=True),
    dict(kernel_type=config.KernelType.AIV_ONLY), dict(auto_sync=True), dict(capture_exceptions=False), dict(ir_multithreading=False),
    dict(matmul_cube_only=False, verify_sync=True, strip_loc=False, debug=True), dict(core_num=4, stream=None),
])
def test_options_are_accepted_at_decoration_and_at_launch(options):
    works(asc2.jit(**options)(copy))
    works(asc2.jit(copy), **options)


def test_unknown_options_are_refused():
    with pytest.raises(RuntimeError, match="unknown option: speed"):
        asc2.jit(speed=11)
    with pytest.raises(RuntimeError, match="unknown option: speed"):
        asc2.jit(copy, speed=11)
    with pytest.raises(TypeError, match=r"copy\(\) got an unexpected argument 'speed'"):
        works(asc2.jit(copy), speed=11)


@pytest.mark.parametrize("level", [0, 4, -1, "3", None])
def test_optimisation_levels(level):
    with pytest.raises(RuntimeError, match="Please check input compile option"):
        Compiler(CompileOptions(opt_level=level))
    with pytest.raises(RuntimeError, match="Please check input compile option"):
        asc2.jit(opt_level=level)
    with pytest.raises(RuntimeError, match="Please check input compile option"):
        works(asc2.jit(copy), opt_level=level)


def test_a_parameter_named_like_an_option_is_refused():
    def kernel(x_ptr, opt_level):
        pass

    with pytest.raises(RuntimeError, match="parameter 'opt_level' of '.*kernel' has the name of a jit option"):
        asc2.jit(kernel)


def test_what_jit_takes():
    with pytest.raises(TypeError, match="jit takes a function defined with def"):
        asc2.jit(lambda x: x)
    with pytest.raises(TypeError, match="takes \\*args or \\*\\*kwargs"):
        @asc2.jit
        def kernel(*args):
            pass
    assert isinstance(asc2.jit(copy), JITFunction) and isinstance(asc.jit(copy), JITFunction)


def test_string_annotations_are_resolved():
    """`from __future__ import annotations` must not hide ConstExpr."""
    def kernel(x_ptr, y_ptr, n: "asc.ConstExpr[int]"):
        tile = asc2.load(asc2.tensor(x_ptr, [n]), [n], offsets=[0])
        asc2.store(tile, asc2.tensor(y_ptr, [n]), offsets=[0])

    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    asc2.jit(kernel)[1](x, y, 32)
    np.testing.assert_array_equal(y, x)
    with pytest.raises(RuntimeError, match="argument 'n' must be int, but is float"):
        asc2.jit(kernel)[1](x, y, 32.0)


def test_mocks_compile_without_a_launch():
    asc2.jit(copy)[1](MockTensor(asc.float16), MockTensor(asc.float16), MockValue(asc.int32))


def test_launch_options_are_a_record():
    assert LaunchOptions() == LaunchOptions(core_num=0, stream=None)
    with pytest.raises(RuntimeError):
        LaunchOptions(cores=1)


def test_platforms_and_architectures():
    assert len(config.Platform) == 23
    assert config.Platform("Ascend910B4-1") is config.Platform.Ascend910B4_1
    arch = config.CompilationArch
    for platform in config.Platform:
        expected = arch.C310 if "_95" in platform.value else arch.C220
        assert config.platform_to_arch(platform) is config.platform_to_arch(platform.value) is expected
    assert str(arch.C220) == "c220" and arch("c310") is arch.C310
    assert issubclass(config.KernelType, enum.IntEnum) and config.KernelType.MIX_AIC_1_2 == 7
    with pytest.raises(ValueError, match="no architecture is known for platform 'Ascend310'"):
        config.platform_to_arch("Ascend310")


def test_set_platform():
    for platform in config.Platform:
        config.set_platform(config.Backend.Model, platform, device_id=0)
        assert config.current_platform() is platform
        assert config.core_count("vector") > 0 and config.core_count("cube") > 0
    config.set_platform("Model")
    assert config.current_platform() is config.Platform.Ascend910B1
    with pytest.raises(ValueError, match="no platform is called 'Ascend310P'"):
        config.set_platform("Model", "Ascend310P")
    with pytest.raises(ValueError, match="no backend is called 'GPU'"):
        config.set_platform("GPU")
    with pytest.raises(RuntimeError, match="backend NPU needs a device"):
        config.set_platform(config.Backend.NPU)
    with pytest.raises(ValueError, match="a core is 'vector' or 'cube'"):
        config.core_count("scalar")


def run_python(text, **environment):
    return subprocess.run([sys.executable, "-c", text], env=os.environ | environment, capture_output=True, text=True)


def test_import_does_not_pull_in_torch():
    done = run_python("import asc, asc2, sys; sys.exit('torch' in sys.modules)")
    assert done.returncode == 0, done.stderr


def test_mode_of_the_environment():
    show = "import asc, _tilesmith; print(_tilesmith.get_settings()['mode'])"
    assert run_python(show, TILESMITH_MODE="checked").stdout.strip() == "checked"
    done = run_python(show, TILESMITH_MODE="quick")
    assert done.returncode != 0 and "launch mode 'quick' is unknown" in done.stderr
