"""Options of jit and of launches, and the configuration of platforms."""

import enum
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import _tilesmith
import asc
import asc2
from asc.runtime import config
from asc.codegen.errors import CodegenError
from asc.runtime.compiler import CodegenOptions, Compiler, CompileOptions, LaunchOptions, OPTION_NAMES
from asc.runtime.jit import JITFunction, MockTensor, MockValue


def copy(x_ptr, y_ptr, size):
    tile = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0])
    asc2.store(tile, asc2.tensor(y_ptr, [size]), offsets=[0])


def works(kernel, **options):
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    kernel[1](x, y, 64, **options)
    np.testing.assert_array_equal(y, x)


OTHER_VALUES = {"opt_level": 1, "ring_depth": 3, "kernel_type": config.KernelType.AIV_ONLY, "without_sync": None, "custom_builtins": {}, "core_num": 4, "slack": 64,
                "auto_sync_log": "log.txt", "bisheng_options": ["-O2"], "stream": None, "run_passes": True}


@pytest.mark.parametrize("name", sorted(OPTION_NAMES))
def test_options_are_accepted_at_decoration_and_at_launch(name):
    default = (CodegenOptions.defaults | CompileOptions.defaults | LaunchOptions.defaults)[name]
    value = OTHER_VALUES.get(name, not default)
    works(asc2.jit(**{name: value})(copy))
    works(asc2.jit(copy), **{name: value})


def test_the_page_about_options_is_the_table():
    """What people read and what the code does come from one table."""
    page = Path(__file__).parents[2] / "docs/options.md"
    assert page.read_text() == _tilesmith.options_page(), "run tools/options.py"
    for name in OPTION_NAMES:
        assert page.read_text().count(f"\n| `{name}` |") == 1


# ---- what each option does ------------------------------------------------------------------------------------------------


@pytest.fixture
def ir(tmp_path, monkeypatch):
    """Compiles with options and returns the isa IR, or the tile IR."""
    monkeypatch.setenv("PYASC_DUMP_PATH", str(tmp_path))

    def dump(function, *arguments, stage="ascir", platform="Ascend910B1", **options):
        for old in tmp_path.glob("*.mlir"):
            old.unlink()
        config.set_platform("Model", platform)
        asc2.jit(function, **options)[1](*arguments)
        return (tmp_path / f"{stage}.mlir").read_text()

    return dump


def chain(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [64]), asc2.block_num()):
        x = asc2.load(x_gm, [64], tile_id=[i])
        a = asc2.exp(x)
        b = a.to(asc.float16).to(asc.float32)
        c = b.to(asc.float16).to(asc.float32) + a
        asc2.store(c * x, y_gm, tile_id=[i])


def arrays(size=1000):
    return np.linspace(-1, 1, size, dtype=np.float32), np.zeros(size, np.float32), size


def usage(function, platform="Ascend910B1", **options):
    config.set_platform("Model", platform)
    with asc.profile() as report:
        asc2.jit(function, **options)[1](*arrays())
    return report.launches[0].memories["UB"][0]


def test_levels(ir):
    for platform in ("Ascend910B1", "Ascend950PR_9599"):
        one, two, three = (ir(chain, *arrays(), platform=platform, opt_level=level) for level in (1, 2, 3))
        assert "isa.slot" not in one and "isa.slot" in two and two == three
    assert one.count("isa.vf ") > two.count("isa.vf ") == 1


def test_fusion(ir):
    c310 = {given: ir(chain, *arrays(), platform="Ascend950PR_9599", vf_fusion=given).count("isa.vf ") for given in (None, True, False)}
    assert c310[None] == c310[True] == 1 and c310[False] > 5
    assert ir(chain, *arrays(), platform="Ascend950PR_9599", opt_level=1, vf_fusion=True).count("isa.vf ") == 1
    assert ir(chain, *arrays(), vf_fusion=True) == ir(chain, *arrays(), vf_fusion=False)


def test_reuse():
    never, pressed, always = (usage(chain, reuse_ub=given) for given in (False, None, True))
    assert never == pressed > always
    assert usage(chain, reuse_ub=True, reuse_ub_in_out=True) <= always
    assert usage(chain, reuse_ub=True, reuse_ub_in_out=True, opt_level=1) < usage(chain, reuse_ub=True, opt_level=1)


def test_without_reuse_what_does_not_fit_is_an_error():
    def long_chain(x_ptr, y_ptr, size):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [12000], offsets=[0])
        a = asc2.exp(x)
        b = asc2.where(a > 1, a, x).to(asc.float16)
        c = b.to(asc.float32)
        d = asc2.where(c > 1, c, 0.5).to(asc.float16)
        asc2.store(d.to(asc.float32), asc2.tensor(y_ptr, [size]), offsets=[0])

    config.set_platform("Model")
    asc2.jit(long_chain)[1](*arrays(12000))
    with pytest.raises(CodegenError, match=r"does not fit into UB(.|\n)*help: with reuse_ub=True it fits: buffers that are not needed"):
        asc2.jit(long_chain, reuse_ub=False)[1](*arrays(12000))


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend950PR_9599"])
def test_without_sync_the_checks_speak(ir, platform):
    """Flags are not decoration: without them the launches are right only in program order."""
    text = ir(chain, *arrays(), platform=platform, insert_sync=False, auto_sync=False)
    assert "set_flag" not in text and "pipe_barrier" not in text
    text = ir(chain, *arrays(), platform=platform, insert_sync=False)
    assert "set_flag" not in text and ("pipe_barrier" in text) == (platform == "Ascend910B1")
    found = {}
    for name, chosen in (("none", dict(auto_sync=False)), ("vendor", dict()), ("ours", dict(insert_sync=True))):
        with asc.check() as report:
            asc2.jit(chain, **(dict(insert_sync=False) | chosen))[2](*arrays())
        found[name] = [finding["id"] for finding in report.findings]
    assert not found["ours"] and any(name.startswith("order.") for name in found["vendor"])
    assert (len(found["none"]) > len(found["vendor"])) == (platform == "Ascend910B1")


def test_verify_sync_raises_what_it_finds():
    config.set_platform("Model")
    kernel = asc2.jit(chain, insert_sync=False)
    kernel[1](*arrays())
    with pytest.raises(asc.KernelError, match=r"test_options.py:\d+:\d+: error: (.|\n)*\[order\."):
        kernel[1](*arrays(), verify_sync=True)
    with pytest.raises(RuntimeError, match=r"\[order\."):
        asc2.jit(chain, insert_sync=False, verify_sync=True)[1](*arrays())
    asc2.jit(chain, verify_sync=True)[1](*arrays())
    with asc.check() as report:  # collects, as it says
        kernel[1](*arrays(), verify_sync=True)
    assert report.findings


def test_a_stripped_kernel_names_no_lines():
    with pytest.raises(asc.KernelError) as error:
        asc2.jit(chain, insert_sync=False, verify_sync=True, strip_loc=True)[1](*arrays())
    assert "test_options.py" not in str(error.value) and "[order." in str(error.value)
    with asc.profile() as report:
        asc2.jit(chain, strip_loc=True)[1](*arrays())
    assert not report.by_line() and report.cycles


def test_ir_is_printed_before_each_pass(capfd):
    asc2.jit(chain)[1](*arrays(), print_ir_before_all=True)
    printed = capfd.readouterr()
    assert not printed.out
    for name in ("ExpandMath", "LowerToIsa", "PlanMemory", "Synchronise"):
        assert f"IR Dump Before {name}" in printed.err


def test_always_compile_compiles():
    kernel = asc2.jit(copy)
    works(kernel)
    before = _tilesmith.compilations()
    works(kernel)
    assert _tilesmith.compilations() == before
    works(kernel, always_compile=True)
    works(kernel, always_compile=True)
    assert _tilesmith.compilations() == before + 2


def test_without_passes_the_front_end_is_all(ir, tmp_path):
    x, y, size = arrays()
    assert "tile.load" in ir(chain, x, y, size, stage="codegen", run_passes=False)
    assert not (tmp_path / "ascir.mlir").exists() and not y.any()

    def wrong(x_ptr):
        asc2.store(nothing, x_ptr)

    with pytest.raises(CodegenError, match="nothing is not defined"):
        asc2.jit(wrong, run_passes=False)[1](x)


def test_uncaptured_exceptions_keep_their_class():
    def wrong(x_ptr):
        asc2.tensor(x_ptr, [0.5])

    def failing(x_ptr, n: asc.ConstExpr[int]):
        assert n > 5, "too small"

    x = np.zeros(8, np.float32)
    with pytest.raises(CodegenError):
        asc2.jit(wrong)[1](x)
    with pytest.raises(TypeError):
        asc2.jit(wrong, capture_exceptions=False)[1](x)
    with pytest.raises(AssertionError, match="too small"):
        asc2.jit(failing)[1](x, 3, capture_exceptions=False)


def test_custom_builtins_are_names_of_the_kernel():
    def scaled(x_ptr, y_ptr, size):
        tile = asc2.load(asc2.tensor(x_ptr, [size]), [64], offsets=[0])
        asc2.store(double(tile) + SHIFT, asc2.tensor(y_ptr, [size]), offsets=[0])

    @asc2.jit
    def twice(tile):
        return tile * 2

    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    for shift in (3, 4):
        asc2.jit(scaled, custom_builtins={"double": twice, "SHIFT": shift})[1](x, y, 64)
        np.testing.assert_array_equal(y, 2 * x + shift)
    with pytest.raises(CodegenError, match="double is not defined"):
        asc2.jit(scaled)[1](x, y, 64)
    with pytest.raises(RuntimeError, match="custom_builtins is a dict of names"):
        asc2.jit(scaled, custom_builtins=["double"])


def product(a_ptr, b_ptr, c_ptr):
    a = asc2.load(asc2.tensor(a_ptr, [16, 16]), [16, 16], offsets=[0, 0], location=asc2.TileLocation.L0A)
    b = asc2.load(asc2.tensor(b_ptr, [16, 16]), [16, 16], offsets=[0, 0], location=asc2.TileLocation.L0B)
    asc2.store(a @ b, asc2.tensor(c_ptr, [16, 16]), offsets=[0, 0])


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend950PR_9599"])
@pytest.mark.parametrize("kind", config.KernelType)
def test_kernel_types_are_checked(platform, kind):
    config.set_platform("Model", platform)
    ones, c = np.ones((16, 16), np.float16), np.zeros((16, 16), np.float32)
    vector, cube = asc2.jit(copy, kernel_type=kind), asc2.jit(product, kernel_type=int(kind), matmul_cube_only=True)
    on_vector = "AIV" in kind.name or kind.name in ("MIX_AIC_1_1", "MIX_AIC_1_2")
    on_cube = "AIC" in kind.name
    if on_vector:
        works(vector)
    else:
        with pytest.raises(CodegenError, match=f"test_options.py:.*kernel_type {kind.name} asks for a cube core, but this needs a vector core"):
            works(vector)
    if on_cube:
        cube[1](ones, ones, c)
        assert (c == 16).all()
    else:
        with pytest.raises(CodegenError, match=f"kernel_type {kind.name} asks for a vector core, but this needs a cube core: L1 is"):
            cube[1](ones, ones, c)


@pytest.mark.parametrize("given, text", [
    (dict(kernel_type=9), "kernel_type is one of AIV_ONLY, .*, not 9"), (dict(kernel_type="AIV"), "kernel_type is one of"),
    (dict(vf_fusion="yes"), "vf_fusion is True or False, not 'yes'"), (dict(insert_sync=0.5), "insert_sync is True or False"),
    (dict(without_sync=-1), "without_sync is a number from 0 to 2147483647, not -1"),
    (dict(without_sync="all"), "without_sync is a number from 0 to 2147483647, not 'all'"),
    (dict(opt_level=2.0), "opt_level is 1, 2 or 3, not 2.0"), (dict(opt_level=True), "opt_level is 1, 2 or 3"),
])
def test_values_no_compiler_could_use_are_refused(given, text):
    with pytest.raises(RuntimeError, match="Please check input compile option: " + text):
        asc2.jit(copy, **given)
    with pytest.raises(RuntimeError, match="Please check input compile option: " + text):
        works(asc2.jit(copy), **given)


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
    with pytest.raises(AttributeError, match="launch options are frozen"):
        LaunchOptions().core_num = 3
    assert hash(LaunchOptions(core_num=2)) == hash(LaunchOptions(core_num=2))


def test_platforms_and_architectures():
    ours = {path.stem for path in (Path(__file__).resolve().parents[2] / "lib/Machine/Time/platforms").glob("*.platform")}
    assert len(ours) == 23 and ours <= {each.value for each in config.Platform}  # other tests add parts of their own
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
    with pytest.raises(ValueError, match="device_id is a number from 0, not -1"):
        config.set_platform("Model", device_id=-1)
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
