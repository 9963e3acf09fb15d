"""Backend.NPU with a stand-in for CANN: a script for the compiler, a small library for the runtime."""

import os
import shutil
import stat
import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
    import numpy as np
    import asc2
    from asc.runtime import config

    @asc2.jit
    def double(x_ptr, y_ptr, size, factor):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [1024], offsets=[0])
        asc2.store(x * factor, asc2.tensor(y_ptr, [size]), offsets=[0])

    config.set_platform(config.Backend.NPU, {platform!r}, device_id=3)
    x, y = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
    for _ in range(2):
        double[2](x, y, 1000, 3.0)
    print(y.sum(), x.sum())
"""

# Stands for the device: the "compiled" kernel multiplies, and tells what it was given.
KERNEL = """
    #include <stdint.h>
    #include <stdio.h>
    void tilesmith_launch(uint32_t blocks, void *stream, void *const *args) {
      float *x = args[0], *y = args[1];
      int32_t size = *(const int32_t *)args[2];
      for (int32_t i = 0; i < size; ++i)
        y[i] = x[i] * *(const float *)args[3];
      x[0] = 1e9f; /* not written by the kernel: must not come back */
      printf("launched on %u blocks, stream %ld\\n", blocks, (long)stream);
      fflush(stdout);
    }
"""
RUNTIME = """
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int aclInit(const char *file) { return file ? 1 : 0; }
    int aclrtSetDevice(int id) { printf("device %d\\n", id); fflush(stdout); return 0; }
    int aclrtCreateStream(void **stream) { *stream = (void *)7; return 0; }
    int aclrtMalloc(void **memory, size_t size, int policy) { *memory = malloc(size); return *memory ? 0 : 1; }
    int aclrtFree(void *memory) { free(memory); return 0; }
    int aclrtMemcpy(void *to, size_t most, const void *from, size_t size, int kind) { memcpy(to, from, size); return most < size; }
    int aclrtSynchronizeStream(void *stream) { return getenv("FAIL_SYNC") ? 507015 : 0; }
"""
COMPILER = """\
#!/bin/sh
echo "$@" >> {log}
[ -n "$FAIL_COMPILE" ] && {{ echo "launch.cpp:3:1: error: no such instruction" >&2; exit 4; }}
while [ "$1" != "-o" ]; do shift; done
cc -shared -fPIC -o "$2" {kernel}
"""


@pytest.fixture
def cann(tmp_path):
    if not shutil.which("cc"):
        pytest.skip("needs a C compiler")
    home = tmp_path / "cann"
    (home / "lib64").mkdir(parents=True)
    (home / "bin").mkdir()
    (tmp_path / "kernel.c").write_text(textwrap.dedent(KERNEL))
    (tmp_path / "runtime.c").write_text(textwrap.dedent(RUNTIME))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", home / "lib64/libascendcl.so", tmp_path / "runtime.c"], check=True)
    compiler = home / "bin/bisheng"
    compiler.write_text(COMPILER.format(log=tmp_path / "log", kernel=tmp_path / "kernel.c"))
    compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)
    return home


def run(tmp_path, platform="Ascend910B1", program=PROGRAM, **environment):
    clean = {name: value for name, value in os.environ.items() if name not in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "PYASC_COMPILER")}
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program).replace("{platform!r}", repr(platform)))
    return subprocess.run([sys.executable, path], env=clean | {"PYASC_CACHE_DIR": str(tmp_path / "cache")} | environment,
                          capture_output=True, text=True)


@pytest.mark.parametrize("platform, arch", [("Ascend910B1", "dav-2201"), ("Ascend950PR_9599", "dav-3510")])
def test_a_launch_compiles_once_and_runs_on_the_device(cann, tmp_path, platform, arch):
    done = run(tmp_path, platform, ASCEND_HOME_PATH=str(cann))
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["device 3", "launched on 2 blocks, stream 7", "launched on 2 blocks, stream 7", "1498500.0 499500.0"]
    commands = (tmp_path / "log").read_text().splitlines()
    assert len(commands) == 1 and f"-x asc --npu-arch={arch}" in commands[0]
    run(tmp_path, platform, ASCEND_HOME_PATH=str(cann))
    assert len((tmp_path / "log").read_text().splitlines()) == 1, "a second process uses what the first compiled"


def test_without_cann_the_error_says_what_is_missing_and_where_the_source_is(tmp_path):
    done = run(tmp_path, PATH="/nowhere")
    lines = done.stderr.splitlines()
    error = next(i for i, line in enumerate(lines) if line.startswith("asc.runtime.npu.NpuError"))
    assert lines[error] == ("asc.runtime.npu.NpuError: kernel 'double' cannot run on an NPU: no CANN is installed: ASCEND_HOME_PATH and "
                            "ASCEND_TOOLKIT_HOME are not set; no compiler 'bisheng'")
    assert lines[error + 2] == "help: install CANN and source its set_env.sh, or use Backend.Model"
    source = lines[error + 1].removeprefix("note: its source is in ")
    assert "void double1(" in open(source).read()


def test_a_chosen_compiler_that_is_not_there(cann, tmp_path):
    done = run(tmp_path, ASCEND_HOME_PATH=str(cann), PYASC_COMPILER="/no/such/compiler")
    assert "no compiler: PYASC_COMPILER names '/no/such/compiler', which cannot be run" in done.stderr


def test_the_compilers_words_are_shown(cann, tmp_path):
    done = run(tmp_path, ASCEND_HOME_PATH=str(cann), FAIL_COMPILE="1")
    assert "the compiler could not compile kernel 'double' (exit code 4): " in done.stderr
    assert "launch.cpp:3:1: error: no such instruction\nnote: the source is in " in done.stderr


def test_a_failed_call_of_the_runtime_is_named(cann, tmp_path):
    done = run(tmp_path, ASCEND_HOME_PATH=str(cann), FAIL_SYNC="1")
    assert "NpuError: aclrtSynchronizeStream failed with code 507015" in done.stderr


def test_arrays_that_share_memory_are_refused(cann, tmp_path):
    program = PROGRAM.replace("double[2](x, y, 1000, 3.0)", "double[2](x, x, 1000, 3.0)")
    done = run(tmp_path, program=program, ASCEND_HOME_PATH=str(cann))
    assert "arguments 'x_ptr' and 'y_ptr' of kernel 'double' overlap and are written" in done.stderr


def test_strided_arrays_are_refused(cann, tmp_path):
    program = PROGRAM.replace("double[2](x, y, 1000, 3.0)", "double[2](x[::2], y, 500, 3.0)")
    done = run(tmp_path, program=program, ASCEND_HOME_PATH=str(cann))
    assert "ValueError: argument 'x_ptr' is not contiguous, which Backend.NPU does not support; pass a copy" in done.stderr


def test_the_model_is_used_again_after_the_npu(tmp_path):
    program = PROGRAM.replace("x, y =", 'config.set_platform("Model", {platform!r})\n    x, y =')
    done = run(tmp_path, program=program)
    assert (done.stdout, done.stderr) == ("1498500.0 499500.0\n", "")
