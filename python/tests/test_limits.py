"""Kernels that do not end: endless loops are stopped, waits that nothing answers are errors, and neither has a time."""

import os
import signal
import subprocess
import sys
import time

import asc
import asc2
import numpy as np
import pytest

MODES = ("fast", "timed", "checked", "traced")


@asc2.jit
def endless(x_ptr, n):
    x = asc2.tensor(x_ptr, [8])
    while n > 0:
        asc2.store(n, x, offsets=[0])
        n = (n + 1) // 2


@asc2.jit
def around(x_ptr, n):
    x = asc2.tensor(x_ptr, [8])
    while n > 0:
        for i in range(10):
            asc2.store(i, x, offsets=[0])
        m = n
        while m > 0:
            m = m // 2


@pytest.mark.parametrize("mode", MODES)
def test_an_endless_loop_ends_with_an_error_that_names_it(mode):
    for kernel, line in ((endless, "while n > 0:"), (around, "while n > 0:")):
        with asc.launch_mode(mode, time_limit=0.05), pytest.raises(asc.KernelError) as error:
            kernel[2](np.zeros(8, np.int32), 100)
        text = str(error.value)
        assert "this while loop has not ended after 0.05 s" in text and "[limit.while]" in text and line in text
        assert f"in kernel '{kernel.__name__}', block " in text and "TILESMITH_TIME_LIMIT=SECONDS" in text


def test_max_ticks_is_the_other_limit():
    with asc.launch_mode(max_ticks=1000), pytest.raises(asc.KernelError, match="did not end within 1000 iterations"):
        endless[1](np.zeros(8, np.int32), 100)
    with pytest.raises(ValueError, match="time_limit is a number of seconds, or 0 for no limit"):
        with asc.launch_mode(time_limit=-1):
            pass


def test_what_was_stopped_has_no_time():
    with asc.launch_mode(time_limit=0.05), asc.check() as report:
        endless[1](np.zeros(8, np.int32), 100)
    launch, = report.launches
    assert not launch.timed and [finding["id"] for finding in launch.findings] == ["limit.while"]
    assert "help: " in launch.findings[0]["rendered"]


def test_a_trace_that_grows_without_end_is_stopped():
    with asc.launch_mode("timed", trace_limit=1 << 20), pytest.raises(asc.KernelError, match=r"more than trace_limit allows.*\[limit\.trace\]"):
        endless[1](np.zeros(8, np.int32), 100)


SCRIPT = """
import sys
import asc2, numpy as np
@asc2.jit
def spin(x_ptr, n):
    x = asc2.tensor(x_ptr, [8])
    {loop}
        asc2.store(n, x, offsets=[0])
print("begins", flush=True)
spin[1](np.zeros(8, np.int32), 5)
print("ended")
"""


def run(tmp_path, loop, *words, **environment):
    path = tmp_path / "spin.py"
    path.write_text(SCRIPT.format(loop=loop))
    return subprocess.Popen([sys.executable, *words, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, **environment))


def test_the_limit_of_the_environment(tmp_path):
    out, err = run(tmp_path, "while n > 0:", TILESMITH_TIME_LIMIT="0.1").communicate(timeout=60)
    assert "has not ended after 0.1 s" in err and "ended" not in out
    process = run(tmp_path, "while n > 0:", TILESMITH_TIME_LIMIT="soon")
    assert "TILESMITH_TIME_LIMIT is 'soon', not a number of seconds (0: no limit)" in process.communicate(timeout=60)[1]


@pytest.mark.parametrize("loop", ["while n > 0:", "for i in range(2000000000):"])
def test_ctrl_c_ends_a_loop_of_either_kind(tmp_path, loop):
    process = run(tmp_path, loop, TILESMITH_TIME_LIMIT="0")
    assert process.stdout.readline() == "begins\n"
    time.sleep(1.5)  # the kernel compiles, and runs
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0 and "KeyboardInterrupt" in err and "ended" not in out


def test_prof_of_an_endless_kernel_prints_no_time(tmp_path):
    process = run(tmp_path, "while n > 0:", "-m", "tilesmith", "prof", TILESMITH_TIME_LIMIT="0.1")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1 and "[limit.while]" in out + err and " us " not in out, out


# Deadlocks.


STUCK = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void missing(GM_ADDR x) {
  WaitFlag<HardEvent::MTE2_V>(1);
}
extern "C" __global__ __aicore__ void circle(GM_ADDR x) {
  WaitFlag<HardEvent::V_MTE2>(1);
  WaitFlag<HardEvent::MTE2_V>(1);
  SetFlag<HardEvent::V_MTE2>(1);
  SetFlag<HardEvent::MTE2_V>(1);
}
extern "C" __global__ __aicore__ void barrier(GM_ADDR x) {
  WaitFlag<HardEvent::V_MTE2>(1);
  PipeBarrier<PIPE_ALL>();
  SetFlag<HardEvent::V_MTE2>(1);
}
extern "C" __global__ __aicore__ void some(GM_ADDR x) {
  if (GetBlockIdx() == 0) SyncAll();
}
extern "C" __global__ __aicore__ void mixed(GM_ADDR x) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  if ASCEND_IS_AIC { CrossCoreWaitFlag(3); }
}
extern "C" __global__ __aicore__ void held(GM_ADDR x) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  if ASCEND_IS_AIV { CrossCoreSetFlag<2, PIPE_MTE3>(3); WaitFlag<HardEvent::MTE2_V>(1); }
  if ASCEND_IS_AIC { CrossCoreWaitFlag(3); }
}
extern "C" __global__ __aicore__ void fine(GM_ADDR x) {
  WaitFlag<HardEvent::MTE2_V>(1);
  SetFlag<HardEvent::MTE2_V>(1);
}
"""


@pytest.fixture(scope="module")
def stuck(tmp_path_factory):
    path = tmp_path_factory.mktemp("stuck") / "stuck.cpp"
    path.write_text(STUCK)
    return asc.load_ascendc(path)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name, id", [("missing", "wait-flag"), ("circle", "wait-flag"), ("barrier", "wait-flag"), ("some", "cross-wait"),
                                      ("mixed", "cross-wait"), ("held", "wait-flag")])
def test_a_cpp_kernel_that_deadlocks_is_an_error_in_every_mode(stuck, name, id, mode):
    with asc.launch_mode(mode), pytest.raises(asc.KernelError, match=rf"\[deadlock\.{id}\]"):
        stuck[name][2](np.zeros(64, np.float32))
    with asc.check(late=False) as report, asc.launch_mode(mode):
        stuck[name][2](np.zeros(64, np.float32))
    assert not report.launches[0].timed


@pytest.mark.parametrize("mode", MODES)
def test_a_set_may_come_after_its_wait(stuck, mode):
    with asc.launch_mode(mode):
        stuck["fine"][2](np.zeros(64, np.float32))
