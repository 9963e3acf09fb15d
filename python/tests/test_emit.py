"""Kernels as Ascend C: the source of a launch, the files `tilesmith emit` writes, and the text staying the same."""

import importlib
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import asc
import asc2
import ascendc
import golden
from asc.runtime import config
from asc.runtime.emit import captured
from test_cli import tilesmith
from test_kernels import all_cases

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
ascendc_golden = importlib.import_module("ascendc_golden")


@asc2.jit
def scale(x_ptr, y_ptr, size, factor, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i])
        asc2.store(x * factor, y_gm, tile_id=[i])


@pytest.fixture(params=golden.PLATFORMS)
def platform(request):
    config.set_platform("Model", request.param)
    yield request.param
    config.set_platform("Model")


def arrays(size=1000, dtype=np.float32):
    return np.arange(size).astype(dtype), np.zeros(size, dtype)


def test_the_source_names_what_the_kernel_names(platform):
    x, y = arrays()
    text = scale[8].ascendc(x, y, 1000, 2.0, tile=256)
    assert 'extern "C" __global__ __aicore__ void scale(__gm__ float *x_ptr, __gm__ float *y_ptr, int32_t size, float factor) {' in text
    assert "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);" in text
    line = next(n for n, line in enumerate(Path(__file__).read_text().splitlines(), 1) if "x = asc2.load(x_gm, [tile]" in line)
    assert f"// test_emit.py:{line}: x = asc2.load(x_gm, [tile], tile_id=[i])" in text
    assert not y.any(), "asking for the source must not launch"


def test_the_same_source_for_the_same_launch(platform):
    """Names and order must not depend on addresses or hash seeds."""
    program = textwrap.dedent(f"""
        import sys
        sys.path[:0] = [{str(ROOT / 'tools')!r}]
        import ascendc_golden, hashlib
        text = repr(sorted(ascendc_golden.texts().items()))
        print(hashlib.sha256(text.encode()).hexdigest())
    """)
    if platform != golden.PLATFORMS[0]:
        pytest.skip("both platforms are in one run")
    results = {subprocess.run([sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True,
                              text=True, check=True).stdout for seed in "123"}
    assert len(results) == 1


def test_golden_files():
    """The text of three kernels, letter by letter; `tools/ascendc_golden.py --write` after a change that is meant."""
    for name, text in ascendc_golden.texts().items():
        assert (ascendc_golden.FOLDER / name).read_text() == text, name


def unique_kernels():
    """One case of every kernel and dtype of the library."""
    seen = set()
    for case in all_cases():
        test, platform, dtype, shape = case.values
        if (test.__name__, platform, dtype) not in seen:
            seen.add((test.__name__, platform, dtype))
            yield case


def launches_of(monkeypatch, test, platform, dtype, shape):
    monkeypatch.setattr(golden, "check", lambda actual, expected: None)
    with captured() as launches:
        test(platform, dtype, shape)
    return launches


@pytest.mark.parametrize("test, platform, dtype, shape", list(all_cases()))
def test_every_kernel_can_be_written(monkeypatch, test, platform, dtype, shape):
    for launch in launches_of(monkeypatch, test, platform, dtype, shape):
        assert f"void {launch.symbol}(" in launch.source
        assert launch.source.count("{") == launch.source.count("}")


@pytest.mark.parametrize("test, platform, dtype, shape", list(unique_kernels()))
def test_every_kernel_is_c_plus_plus(monkeypatch, tmp_path, test, platform, dtype, shape):
    for number, launch in enumerate(launches_of(monkeypatch, test, platform, dtype, shape)):
        path = tmp_path / f"{number}.cpp"
        path.write_text(launch.source)
        command = ["g++", "-std=c++17", "-fsyntax-only", "-Wall", "-Werror", *ascendc.INCLUDES, path]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_captured_launches_do_not_run(platform):
    x, y = arrays()
    with captured() as launches:
        scale[8](x, y, 1000, 2.0, tile=256)
        config.set_platform("Model", platform)  # as scripts do; it must not end the capture
        scale[4](x, y, 1000, -0.0, tile=256)
    assert not y.any()
    assert [(launch.kernel, launch.blocks) for launch in launches] == [("scale", 8), ("scale", 4)]
    assert [str(argument) for argument in launches[0].arguments] == [
        "x_ptr: float32 [1000], 4000 bytes", "y_ptr: float32 [1000], 4000 bytes, written", "size = 1000", "factor = 0x1.0000000000000p+1f"]
    assert str(launches[1].arguments[3]) == "factor = -0x0.0p+0f"
    scale[8](x, y, 1000, 2.0, tile=256)
    assert (y == 2 * x).all()


def test_the_host_program_launches_with_the_same_arguments(platform):
    x, y = arrays(dtype=np.float16)
    with captured() as launches:
        scale[3](x, y, 1000, np.float16(0.5), tile=256)
    program = launches[0].host_program("scale.cpp")
    assert '#include "scale.cpp"' in program
    assert "scale<<<3, nullptr, stream>>>(static_cast<__gm__ half *>(x_ptrDevice), static_cast<__gm__ half *>(y_ptrDevice), 1000, half(0x1.0000000000000p-1f));" in program
    assert 'readArray("x_ptr.bin", 2000)' in program and 'writeArray("y_ptr.out.bin", y_ptrHost)' in program
    assert "x_ptr.out.bin" not in program
    assert ("dav-2201" if platform == "Ascend910B1" else "dav-3510") in program


SCRIPT = """
    import numpy as np
    import asc, asc2

    @asc2.jit
    def double(x_ptr, y_ptr, size):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [1024], offsets=[0])
        asc2.store(x + x, asc2.tensor(y_ptr, [size]), offsets=[0])

    @asc2.jit
    def other(x_ptr, size):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [1024], offsets=[0])
        asc2.store(-x, asc2.tensor(x_ptr, [size]), offsets=[0])

    if __name__ == "__main__":
        x, y = np.ones(1024, np.float32), np.zeros(1024, np.float32)
        double[1](x, y, 1024)
        double[1](x, y, 1024)
        double[2](x, y, 1000)
        other[1](x, 1024)
        print("results")
        assert y.all(), "launches run, too"
        other[1](y, 512)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "double.py"
    path.write_text(textwrap.dedent(SCRIPT))
    return path


def test_emit_writes_sources_and_programs(script, tmp_path):
    done = tilesmith("emit", "-o", tmp_path / "out", script)
    assert done.returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "double.cpp", "double_2.cpp", "double_2_main.cpp", "double_main.cpp", "other.cpp", "other_2.cpp", "other_2_main.cpp",
        "other_main.cpp"]
    assert "results" in done.stderr and "results" not in done.stdout
    assert done.stdout.splitlines()[0] == f"double  1 blocks on Ascend910B1  {tmp_path}/out/double.cpp  {tmp_path}/out/double_main.cpp"
    assert "double1<<<2, nullptr, stream>>>" in (tmp_path / "out/double_2_main.cpp").read_text()


def test_emit_keeps_the_scripts_exit_code(script, tmp_path):
    """What was launched before the script failed is written; that it failed is not hidden."""
    script.write_text(script.read_text().replace("assert y.all()", "assert not y.any()"))
    done = tilesmith("emit", "-o", tmp_path / "out", script)
    assert done.returncode == 1 and "AssertionError: launches run, too" in done.stderr and "runpy" not in done.stderr
    assert len(list((tmp_path / "out").iterdir())) == 6 and len(done.stdout.splitlines()) == 3


def test_emit_takes_options_after_the_script(script, tmp_path):
    done = tilesmith("emit", script, "-o", tmp_path / "out", "--kernel", "other", "--platform", "Ascend950PR_9599", "--json", "-x")
    facts = json.loads(done.stdout)
    assert done.returncode == 0 and facts["exit_code"] == 0
    assert [kernel["kernel"] for kernel in facts["kernels"]] == ["other", "other"]
    assert facts["kernels"][0]["arguments"] == [{"name": "x_ptr", "dtype": "float32", "shape": [1024], "bytes": 4096, "written": True},
                                                {"name": "size", "dtype": "int32", "value": "1024"}]
    assert "C310" in Path(facts["kernels"][0]["source"]).read_text()


def test_emit_says_when_there_is_nothing_to_write(script, tmp_path):
    done = tilesmith("emit", "--kernel", "third", "-o", tmp_path, script)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"tilesmith: error: {script} launched no kernel 'third'; it launched double, other"
    empty = tmp_path / "empty.py"
    empty.write_text("pass\n")
    done = tilesmith("emit", empty)
    assert (done.returncode, done.stderr) == (1, f"tilesmith: error: {empty} launched no kernel\n")


def test_emit_into_a_folder_that_cannot_be_made(script, tmp_path):
    (tmp_path / "file").write_text("")
    done = tilesmith("emit", "-o", tmp_path / "file/out", script)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"tilesmith: error: cannot write '{tmp_path}/file/out': Not a directory"


def test_emit_of_ascend_c(tmp_path):
    (tmp_path / "add.cpp").write_text("")
    done = tilesmith("emit", tmp_path / "add.cpp")
    assert (done.returncode, done.stderr) == (2, f"tilesmith: error: '{tmp_path}/add.cpp' is Ascend C already\n")


def test_emit_reports_a_kernel_that_does_not_compile(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("import numpy as np, asc2\n\n@asc2.jit\ndef bad(x_ptr):\n    y = nonsense\n\nbad[1](np.ones(4, np.float32))\n")
    done = tilesmith("emit", path)
    assert done.returncode == 1 and "bad.py:5:9: error: " in done.stderr


def test_dump_path_receives_the_source(tmp_path):
    program = textwrap.dedent(SCRIPT).replace("assert", "#")
    path = tmp_path / "double.py"
    path.write_text(program)
    subprocess.run([sys.executable, path], env=os.environ | {"PYASC_DUMP_PATH": str(tmp_path / "dump")}, check=True, capture_output=True)
    assert sorted(p.name for p in (tmp_path / "dump").iterdir()) == ["ascendc.cpp", "ascir.mlir", "codegen.mlir"]
    assert "void other(" in (tmp_path / "dump/ascendc.cpp").read_text()
