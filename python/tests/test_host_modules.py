"""The modules programs written for devices import: names, and what they do here."""

import os
import subprocess
import sys

import numpy as np
import pytest

import asc
import asc2
from asc.codegen.errors import CodegenError
from asc.common.compat import get_annotations
from asc.lib import profiling, runtime
from asc.runtime import config
from asc.runtime.jit import JITFunction, MockTensor, MockValue
from asc.runtime.launcher import Launcher


@asc2.jit
def double(x_ptr, y_ptr, size, tile: asc.ConstExpr[int] = 64):
    x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x, [tile], tile_id=[i]) * 2, y, tile_id=[i])


def arrays(size=1000):
    return np.ones(size, np.float32), np.zeros(size, np.float32), size


def test_a_profiler_sees_the_launches_between_start_and_stop():
    config.set_platform("Model")
    profiler = profiling.Profiler("folder", aic_metrics="PipeUtilization")
    double[1](*arrays())
    profiler.start()
    for size in (100, 10_000, 1000):
        double[1](*arrays(size))
    report = profiler.stop()
    double[1](*arrays())
    assert len(report.launches) == 3
    assert profiling.task_time_median(profiler) == profiling.task_time_median(report) == report.launches[2].time_us > 0
    with profiling.Profiler() as again:
        double[1](*arrays())
    assert len(again.report.launches) == 1
    assert profiler.stop() is report  # stopping twice is harmless


def test_the_runtime_of_the_model():
    assert runtime.current_stream() is None and runtime.synchronize() is None
    for platform in ("Ascend950PR_9599", "Ascend910B1"):
        config.set_platform("Model", platform)
        assert runtime.get_soc_version() == platform
    assert {"AiCore", "VectorCore", "CubeCore"} <= set(runtime.CoreType.__members__)
    double[1, runtime.current_stream()](*arrays())


def test_a_launcher_knows_its_kernel():
    launcher = double[3]
    assert isinstance(launcher, Launcher) and launcher.core_num == 3 and launcher.kernel is double
    assert isinstance(double, JITFunction) and double.__wrapped__ is double.fn and double.__module__ == __name__
    with pytest.raises(AttributeError):
        launcher.core_num = 4


def test_mocks_compile_and_do_not_run():
    import _tilesmith

    fresh = asc2.jit(double.fn, always_compile=True)
    before = _tilesmith.compilations()
    fresh[1](MockTensor(asc.float16), MockTensor(asc.float16), MockValue(asc.int32), tile=32)
    assert _tilesmith.compilations() == before + 1
    fresh[1](MockTensor(asc.float32), np.zeros(4, np.float32), 4)  # mocks and arrays together do not run either
    with pytest.raises(TypeError, match="no kernel can use dtype void"):
        fresh[1](MockTensor(asc.void), MockTensor(asc.void), 4)
    with pytest.raises(CodegenError, match="does not fit into UB"):
        fresh[1](MockTensor(asc.float32), MockTensor(asc.float32), MockValue(asc.int32), tile=100_000)


def test_annotations_written_as_text():
    def function(a: "asc.ConstExpr[int]", b: "int | None" = None) -> "asc2.Tile":
        pass

    assert get_annotations(function) == {"a": asc.ConstExpr[int], "b": int | None, "return": asc2.Tile}


def test_import_language_as_asc():
    import asc.language as language

    for name in ("jit", "float16", "ConstExpr", "GlobalAddress", "ceildiv", "number", "static_range"):
        assert getattr(language, name) is getattr(asc, name)


SCRIPT = """
import numpy as np, sys
sys.path.insert(0, {folder!r})
from test_host_modules import double, arrays
x, y, n = arrays()
double[1](x, y, n)
print(y.any())
try:
    double[1](x, y, n, tile=100_000)
except Exception as error:
    print(type(error).__name__, 'does not fit into UB' in str(error))
"""


def test_the_environment_of_3_3(tmp_path):
    """DRY_RUN compiles and checks without a launch; PYASC_HOME and PYASC_CACHE_DIR say where kernels are kept."""
    def run(**environment):
        names = {key: value for key, value in os.environ.items() if not key.startswith("PYASC_")}
        done = subprocess.run([sys.executable, "-c", SCRIPT.format(folder=os.path.dirname(__file__))], env=names | environment,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    assert run(PYASC_HOME=str(tmp_path / "home")) == ["True", "CodegenError True"]
    assert any((tmp_path / "home/.pyasc/cache").iterdir())
    assert run(PYASC_CACHE_DIR=str(tmp_path / "cache"), DRY_RUN="1") == ["False", "CodegenError True"]
    assert any((tmp_path / "cache").iterdir())
    dump = tmp_path / "dump" / "here"
    run(PYASC_CACHE_DIR=str(tmp_path / "cache"), PYASC_DUMP_PATH=str(dump), PYASC_COMPILER="none", PYASC_LINKER="none")
    assert {"codegen.mlir", "ascir.mlir"} <= {path.name for path in dump.iterdir()}
