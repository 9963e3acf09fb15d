"""`tilesmith check`: what it counts, and that it fails where nothing was checked."""

import shutil
from pathlib import Path

import pytest
from cli import document, tilesmith, with_race, write_script

EXAMPLES = Path(__file__).parents[2] / "kernels/ascendc"


@pytest.fixture
def script(tmp_path):
    return write_script(tmp_path)


def test_a_script_that_launches_nothing_was_not_checked(tmp_path):
    """It said "no findings in 0 launches", and passed."""
    path = tmp_path / "empty.py"
    path.write_text("print('hello')\n")
    done = tilesmith("check", path)
    assert (done.returncode, done.stdout) == (1, "hello\n")
    assert done.stderr == f"tilesmith: error: nothing was checked: {path} launched no kernel\n"
    code, facts = document("check", path, "--json")
    assert code == facts["exit_code"] == 1 and facts["errors"][0]["kind"] == "nothing-checked" and facts["launches"] == []


def test_a_kernel_that_does_not_compile_was_not_checked(script):
    script.write_text(script.read_text().replace("x + x", "x + nothing"))
    done = tilesmith("check", script)
    assert done.returncode == 1 and "findings" not in done.stdout
    assert done.stderr.splitlines()[-1] == f"tilesmith: error: nothing was checked: a kernel of {script} does not compile"


def test_a_script_that_fails_early_was_not_checked(tmp_path):
    path = tmp_path / "early.py"
    path.write_text("import sys\nsys.exit(7)\n")
    done = tilesmith("check", path)
    assert done.returncode == 7
    assert done.stderr == f"tilesmith: error: nothing was checked: {path} ended with exit code 7 before it launched a kernel\n"


def test_the_exit_code_in_the_document_is_the_true_one(script):
    """It said 0 while the process ended with 1."""
    code, facts = document("check", with_race(script), "--json")
    assert code == facts["exit_code"] == 1 and facts["findings"] and facts["errors"] == []


HOST = """
#include "kernel_operator.h"
#include "tikicpulib.h"
#include <cstdio>
using namespace AscendC;

extern "C" __global__ __aicore__ void fill(GM_ADDR x) {
  TPipe pipe;
  GlobalTensor<float> out;
  out.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(x), 64);
  TQue<QuePosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 64 * sizeof(float));
  LocalTensor<float> tile = queue.AllocTensor<float>();
  Duplicate(tile, 1.0f, 64);
  queue.EnQue(tile);
  tile = queue.DeQue<float>();
  DataCopy(out, tile, 64);
  queue.FreeTensor(tile);
}

int main() {
  auto *x = static_cast<uint8_t *>(AscendC::GmAlloc(64 * sizeof(float)));
  ICPU_RUN_KF(fill, 1, x);
  ICPU_RUN_KF(fill, BLOCKS, x);
  std::printf("%g\\n", reinterpret_cast<float *>(x)[0]);
  AscendC::GmFree(x);
  return 0;
}
"""


@pytest.mark.skipif(not (shutil.which("g++") or shutil.which("clang++")), reason="no C++ compiler")
def test_host_programs_are_counted(tmp_path):
    """Whatever the program found, `check --host` said "no findings in 0 launches"."""
    path = tmp_path / "fill.cpp"
    path.write_text(HOST)
    done = tilesmith("check", path, "--host", "-DBLOCKS=1")
    assert (done.returncode, done.stdout) == (0, "1\nno findings in 2 launches\n"), done.stderr

    done = tilesmith("check", path, "--host", "-DBLOCKS=2")
    assert done.returncode == 1 and done.stdout.endswith("1 finding in 2 launches\n"), done.stdout + done.stderr
    assert done.stderr.count("[cross.write-write]") == 1
    code, facts = document("check", path, "--host", "-DBLOCKS=2", "--json")
    assert code == facts["exit_code"] == 1 and [launch["blocks"] for launch in facts["launches"]] == [1, 2]
    assert [finding["id"] for finding in facts["findings"]] == ["cross.write-write"] and facts["findings"][0]["place"]["line"] == 17

    path.write_text("int main() { return nothing; }\n")
    done = tilesmith("check", path, "--host")
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == f"tilesmith: error: nothing was checked: {path} does not compile"
    code, facts = document("check", path, "--host", "--json")
    assert [error["kind"] for error in facts["errors"]] == ["compile", "nothing-checked"]
    assert facts["errors"][0]["line"] == 1 and "nothing" in facts["errors"][0]["message"]
