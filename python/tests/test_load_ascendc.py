"""People's own C++ kernels through asc.load_ascendc and the command line: results, the worker, and everything that goes wrong."""

import os
import struct
import subprocess
import sys
import textwrap
import threading

import asc
from asc.language.core.struct import Field, Struct
import asc.runtime.config as config
import numpy as np
import pytest

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../kernels/ascendc")
C220, C310 = "Ascend910B1", "Ascend950PR_9599"

HEAD = '#include "kernel_operator.h"\nusing namespace AscendC;\n'


@pytest.fixture(params=[C220, C310])
def platform(request):
    config.set_platform(config.Backend.Model, request.param)
    yield request.param
    config.set_platform(config.Backend.Model, C220)


@pytest.fixture
def load(tmp_path):
    """Compiles a text, or loads a file of the library; ends the workers afterwards."""
    made = []

    def load(source, **options):
        path = os.path.join(KERNELS, source)
        if "\n" in source:
            path = tmp_path / f"kernel{len(made)}.cpp"
            path.write_text(HEAD + textwrap.dedent(source))
        made.append(asc.load_ascendc(path, **options))
        return made[-1]

    yield load
    for library in made:
        library.close()


def checked(kernel, blocks, *arguments):
    with asc.check() as report:
        kernel[blocks](*arguments)
    assert not report.findings, "\n".join(finding["rendered"] for finding in report.findings)


def random(shape, dtype, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def test_a_tiling_struct_is_read_through_its_pointer(load, platform):
    kernel = load("muls_tiling.cpp")["muls_tiling"]
    for length, tile, blocks in [(1, 256, 1), (1000, 256, 3), (4097, 1024, 2)]:
        x, y = random(length, np.float32), np.zeros(length, np.float32)
        checked(kernel, blocks, x, y, struct.pack("<IIf", length, tile, 2.5))
        assert np.array_equal(y, x * np.float32(2.5))


class Scaling(Struct):
    by = Field(dtype=asc.float32)
    length = Field(dtype=asc.int32)


def test_a_struct_by_value_is_bytes_an_array_or_a_struct_of_the_host(load):
    text = """
        struct Scaling { float by; int32_t length; };
        extern "C" __global__ __aicore__ void scaled(GM_ADDR y, Scaling given) {
          GlobalTensor<float> out;
          out.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(y));
          out.SetValue(0, given.by * given.length);
        }
        """
    kernel = load(text)["scaled"]
    one = Scaling(by=2.5, length=4)
    for given in (one, one.pack(), np.frombuffer(one.pack(), np.uint8)):
        y = np.zeros(8, np.float32)
        kernel[1](y, given)
        assert y[0] == 10
    for wrong in (7, "text", one.pack()[:4]):
        with pytest.raises(TypeError, match="argument 'given' of scaled.. is a struct of 8 bytes; pass its bytes"):
            kernel[1](np.zeros(8, np.float32), wrong)


def test_silu(load, platform):
    kernel = load("silu.cpp")["silu"]
    for length in (1, 2047, 3 * 2048 + 5):
        x = random(length, np.float16)
        y = np.zeros_like(x)
        checked(kernel, 2, x, y, length)
        wide = x.astype(np.float64)
        assert np.allclose(y, wide / (1 + np.exp(-wide)), rtol=1e-3, atol=1e-6)


def test_rows_plus_bias(load, platform):
    kernel = load("row_bias.cpp")["row_bias"]
    for rows, blocks in [(1, 1), (8, 1), (61, 4)]:
        x, bias = random((rows, 64), np.float32, 1), random(64, np.float32, 2)
        y = np.zeros_like(x)
        checked(kernel, blocks, x, bias, y, rows)
        assert np.array_equal(y, x + bias)


COPY = """
    extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR y, uint32_t n) {
      TPipe pipe;
      TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
      pipe.InitBuffer(queue, 1, n * sizeof(float));
      GlobalTensor<float> xGm, yGm;
      xGm.SetGlobalBuffer((__gm__ float *)x, n);
      yGm.SetGlobalBuffer((__gm__ float *)y, n);
      LocalTensor<float> local = queue.AllocTensor<float>();
      DataCopy(local, xGm, n);
      queue.EnQue(local);
      local = queue.DeQue<float>();
      DataCopy(yGm, local, n);
      queue.FreeTensor(local);
    }
"""


def test_arguments_are_checked_against_the_parameters(load):
    kernel = load(COPY)["copy"]
    x = np.arange(64, dtype=np.float32)
    y = np.zeros_like(x)
    kernel[1](x, y=y, n=64)
    assert np.array_equal(x, y)
    with pytest.raises(TypeError, match=r"copy\(\) is missing argument 'n'"):
        kernel[1](x, y)
    with pytest.raises(RuntimeError, match="read through a null pointer: the tensor was given no memory"):
        kernel[1](None, y, 64)  # a null pointer is a value, and nothing lies there
    with pytest.raises(TypeError, match="argument 'x' of copy.. is a pointer; it takes an array or None, not int"):
        kernel[1](1, y, 64)
    with pytest.raises(TypeError, match="argument 'n' of copy.. is an integer; 1.5 is none"):
        kernel[1](x, y, 1.5)
    with pytest.raises(RuntimeError, match="n does not fit into 32 unsigned bits"):
        kernel[1](x, y, -1)
    with pytest.raises(ValueError, match="argument 'x' of shape .32,. is not contiguous"):
        kernel[1](x[::2], y, 32)
    with pytest.raises(ValueError, match="must be positive, not 0"):
        kernel[0](x, y, 64)
    with pytest.raises(KeyError, match="defines no kernel 'other'; it defines copy"):
        kernel.library["other"]


def test_one_array_twice_is_one_memory(load):
    kernel = load("""
        extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {
          GlobalTensor<float> a, b;
          a.SetGlobalBuffer((__gm__ float *)x, 8);
          b.SetGlobalBuffer((__gm__ float *)y, 8);
          a.SetValue(0, 3.0f);
          b.SetValue(1, b.GetValue(0) + 1.0f);
        }
    """)["twice"]
    x = np.zeros(8, np.float32)
    kernel[1](x, x)
    assert list(x[:2]) == [3, 4]


def test_profile_and_modes_reach_the_worker(load):
    kernel = load(COPY)["copy"]
    x = np.arange(1024, dtype=np.float32)
    with asc.profile() as report:
        kernel[1](x, np.zeros_like(x), 1024)
    (launch,) = report.launches
    assert launch.kernel == "copy" and launch.cycles > 0 and launch.elements == 1024 and launch.dtype == "float32"
    assert launch.by_line()[0][0].endswith("kernel0.cpp")


def test_a_missing_wait_is_found_with_the_line(load):
    kernel = load("""
        extern "C" __global__ __aicore__ void racy(GM_ADDR x) {
          GlobalTensor<float> gm;
          gm.SetGlobalBuffer((__gm__ float *)x, 64);
          LocalTensor<float> local(TPosition::VECCALC, 0, 64);
          DataCopy(local, gm, 64);
          Muls(local, local, 2.0f, 64);
          SetFlag<HardEvent::V_MTE3>(0);
          WaitFlag<HardEvent::V_MTE3>(0);
          DataCopy(gm, local, 64);
        }
    """)["racy"]
    with asc.check() as report:
        kernel[1](np.ones(64, np.float32))
    assert any(finding["place"].get("line") == 9 and finding["id"].startswith("order.") for finding in report.findings)


def test_a_source_that_does_not_compile_shows_the_users_line(load, tmp_path):
    with pytest.raises(asc.AscendCError) as info:
        load("""
            extern "C" __global__ __aicore__ void bad(GM_ADDR x) {
              int n = undeclared_name;
            }
        """)
    text = str(info.value)
    assert "kernel0.cpp:5" in text and "undeclared_name" in text and "library.cpp" not in text


def test_kernels_out_of_macros_includes_and_conditions(load, tmp_path):
    """Kernels are what the compiler sees, not what the text looks like: a parameter of a macro is no kernel."""
    (tmp_path / "shared kernels.h").write_text(
        'extern "C" __global__ __aicore__ void included(GM_ADDR x) { ((__gm__ float *)x)[0] = 3; }\n'
    )
    library = load("""
        #include "shared kernels.h"
        #define KERNEL(NAME, VALUE)                                   \\
          extern "C" __global__ __aicore__ void NAME(GM_ADDR target) { \\
            ((__gm__ float *)target)[0] = VALUE;                      \\
          }
        KERNEL(one, 1)
        KERNEL(two, 2)
        #ifdef NEVER_DEFINED
        extern "C" __global__ __aicore__ void hidden(GM_ADDR x) { undeclared(); }
        #endif
    """)
    assert list(library) == ["included", "one", "two"]
    for name, value in [("included", 3), ("one", 1), ("two", 2)]:
        x = np.zeros(8, np.float32)
        library[name][1](x)
        assert x[0] == value
    assert library["two"].parameters()[0][0] == "target"
    assert list(asc.load_ascendc(library.path)) == ["included", "one", "two"]  # from the cache


def test_sources_without_kernels_and_missing_files(load, tmp_path):
    with pytest.raises(asc.AscendCError, match="defines no kernel; a kernel is a function marked"):
        load("\nint f() { return 1; }\n")
    with pytest.raises(asc.AscendCError, match="cannot be read: No such file"):
        asc.load_ascendc(tmp_path / "none.cpp")
    with pytest.raises(asc.AscendCError, match="no C.. compiler was found"):
        load(COPY, compiler="no-such-compiler")
    with pytest.raises(asc.AscendCError, match="defines no kernel 'other'; it defines copy"):
        load(COPY, kernels=["other"])


def test_a_crash_names_kernel_block_and_statement_and_the_next_launch_works(load):
    kernel = load(
        """
        extern "C" __global__ __aicore__ void crash(GM_ADDR x, uint32_t how) {
          GlobalTensor<float> gm;
          gm.SetGlobalBuffer((__gm__ float *)x, 8);
          gm.SetValue(0, 1.0f);
          if (how == 1)
            *(volatile int *)8 = 1;
          if (how == 2)
            std::abort();
          if (how == 3)
            std::_Exit(7);
          if (how == 4)
            throw std::runtime_error("no luck");
        }
    """.replace("extern", "#include <cstdlib>\n#include <stdexcept>\nextern", 1)
    )["crash"]
    x = np.zeros(8, np.float32)
    with pytest.raises(asc.KernelError, match=r"kernel0.cpp:9: error: kernel 'crash', block 0 was ended by SIGSEGV"):
        kernel[1](x, 1)
    with pytest.raises(asc.KernelError, match=r"kernel 'crash', block 0 was ended by SIGABRT"):
        kernel[1](x, 2)
    with pytest.raises(asc.KernelError, match="left the process with status 7"):
        kernel[1](x, 3)
    with pytest.raises(asc.KernelError, match="no luck"):
        kernel[1](x, 4)
    kernel[1](x, 0)
    assert x[0] == 1


def test_a_hang_is_stopped(load):
    kernel = load(
        """
        extern "C" __global__ __aicore__ void spin(GM_ADDR x) {
          for (volatile int i = 0;; i = i + 1) {
          }
        }
    """,
        timeout=1.0,
    )["spin"]
    with pytest.raises(asc.KernelError, match="kernel 'spin', block 0 did not end within 1 s and was stopped"):
        kernel[1](np.zeros(8, np.float32))


def test_waits_and_queues_that_cannot_go_on_are_findings(load):
    library = load("""
        extern "C" __global__ __aicore__ void waits(GM_ADDR x) { WaitFlag<HardEvent::MTE2_V>(0); }
        extern "C" __global__ __aicore__ void pops(GM_ADDR x) {
          TPipe pipe;
          TQue<TPosition::VECIN, 1> queue;
          pipe.InitBuffer(queue, 1, 256);
          LocalTensor<float> local = queue.DeQue<float>();
        }
        extern "C" __global__ __aicore__ void overruns(GM_ADDR x) {
          LocalTensor<float> local(TPosition::VECCALC, 0, 64);
          Duplicate(local, 0.0f, 1 << 20);
        }
    """)
    for name, line in [("waits", 4), ("pops", 9), ("overruns", 13)]:
        with pytest.raises(asc.KernelError, match=rf"kernel0.cpp:{line}.*(\n|.)*kernel '{name}', block 0"):
            library[name][1](np.zeros(8, np.float32))


def test_a_tensor_does_not_end_beyond_its_buffer(load):
    library = load("""
        extern "C" __global__ __aicore__ void queued(GM_ADDR x) {
          TPipe pipe;
          TQue<TPosition::VECIN, 1> first, second;
          pipe.InitBuffer(first, 1, 256);
          pipe.InitBuffer(second, 1, 256);
          LocalTensor<float> a = first.AllocTensor<float>(), b = second.AllocTensor<float>();
          Duplicate(a, 0.0f, 128);
        }
        extern "C" __global__ __aicore__ void plain(GM_ADDR x) {
          TPipe pipe;
          TBuf<> first, second;
          pipe.InitBuffer(first, 256);
          pipe.InitBuffer(second, 256);
          Duplicate(first.Get<float>()[32], 0.0f, 64);
        }
    """)
    for name, line, text in [
        ("queued", 10, "duplicate writes 512 bytes to dst, whose buffer ends after 256"),
        ("plain", 17, "duplicate writes 256 bytes to dst, whose buffer ends after 128"),
    ]:
        with asc.check() as report:
            library[name][1](np.zeros(8, np.float32))
        assert any(
            finding["id"] == "queue.overrun" and finding["text"] == text and f"kernel0.cpp:{line}:" in finding["rendered"]
            for finding in report.findings
        ), report.findings


def test_faults_of_plain_code_end_the_launch_only(load):
    """Also in blocks that another thread runs because earlier ones wait."""
    kernel = load("""
        int32_t deep(int32_t n, volatile char *above) {
          volatile char here[4096];
          here[0] = above ? above[0] : 1;
          return n <= 0 ? here[0] : deep(n - 1, here) + here[0];
        }
        extern "C" __global__ __aicore__ void faults(GM_ADDR x, int32_t how, int32_t waits) {
          GlobalTensor<int32_t> gm, none;
          volatile int32_t zero = 0;
          gm.SetGlobalBuffer((__gm__ int32_t *)x, 8);
          if (waits && GetBlockIdx() == 0)
            SyncAll();
          gm.SetValue(GetBlockIdx(), 1);
          if (GetBlockIdx() == waits) {
            if (how == 1)
              gm.SetValue(0, deep(1 << 20, nullptr));
            if (how == 2)
              gm.SetValue(0, 100 / zero);
            none.SetGlobalBuffer(nullptr, 8);
            if (how == 3)
              none.SetValue(0, 1);
            if (how == 4)
              gm.SetValue(0, *(__gm__ volatile int32_t *)none.GetPhyAddr());
            if (how == 5)
              Trap();
          }
          if (waits && GetBlockIdx() != 0)
            SyncAll();
        }
    """)["faults"]
    x = np.zeros(8, np.int32)
    for waits in (0, 1):
        for how, text in [
            (1, "block {} was ended by SIGSEGV"),
            (2, "block {} was ended by SIGFPE"),
            (4, "block {} was ended by SIGSEGV"),
            (3, "write through a null pointer: the tensor was given no memory"),
            (5, "the kernel called Trap"),
        ]:
            with pytest.raises(asc.KernelError, match=text.format(waits)):
                kernel[2](x, how, waits)
        kernel[2](x, 0, waits)


def test_the_second_load_reuses_the_library_until_an_include_changes(tmp_path):
    (tmp_path / "value.h").write_text("constexpr float VALUE = 1.0f;\n")
    source = tmp_path / "store.cpp"
    source.write_text(
        HEAD + '#include "value.h"\nextern "C" __global__ __aicore__ void store(GM_ADDR x) {\n'
        "  GlobalTensor<float> gm;\n  gm.SetGlobalBuffer((__gm__ float *)x, 8);\n  gm.SetValue(0, VALUE);\n}\n"
    )
    first = asc.load_ascendc(source)
    time = os.stat(first.file).st_ctime_ns
    again = asc.load_ascendc(source)
    assert again.file == first.file and os.stat(again.file).st_ino == os.stat(first.file).st_ino
    (tmp_path / "value.h").write_text("constexpr float VALUE = 2.0f;\n")
    x = np.zeros(8, np.float32)
    changed = asc.load_ascendc(source)
    changed["store"][1](x)
    changed.close()
    assert x[0] == 2 and os.stat(changed.file).st_ctime_ns > time


def test_threads_share_a_library(load):
    kernel = load(COPY)["copy"]
    wrong = []

    def work(seed):
        for i in range(5):
            x = random(256, np.float32, seed * 100 + i)
            y = np.zeros_like(x)
            kernel[1](x, y, 256)
            if not np.array_equal(x, y):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def command(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "tilesmith", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
    )


def test_the_command_line_runs_a_kernel_on_files(tmp_path):
    (tmp_path / "copy.cpp").write_text(HEAD + textwrap.dedent(COPY))
    x = np.arange(64, dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    done = command(
        "run", "copy.cpp", "--kernel", "copy", "--blocks", "1", "--arg", "x.npy", "--out", "y.npy", "--arg", "64", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "y.npy"), x)
    done = command("check", "copy.cpp", "--arg", "x.npy", "--out", "y.npy:float32:64", "--arg", "64", cwd=tmp_path)
    assert done.returncode == 0 and "no findings in 1 launch" in done.stdout
    done = command("run", "copy.cpp", "--arg", "missing.npy", cwd=tmp_path)
    assert done.returncode == 2 and "--arg missing.npy: neither a number nor a file" in done.stderr
    done = command("run", "copy.cpp", "--arg", "x.npy", cwd=tmp_path)
    assert done.returncode == 2 and "is missing arguments 'y', 'n'" in done.stderr


MAIN = """
#ifndef ASCENDC_CPU_DEBUG
#include "acl/acl.h"
extern void doubled_do(uint32_t blockDim, void *stream, uint8_t *x);
#else
#include "tikicpulib.h"
extern "C" __global__ __aicore__ void doubled(GM_ADDR x);
#endif
#include <cassert>
int32_t main(int32_t argc, char *argv[]) {
  size_t bytes = 4 * 256 * sizeof(float);
#ifdef ASCENDC_CPU_DEBUG
  float *x = (float *)AscendC::GmAlloc(bytes);
  for (int i = 0; i < 4 * 256; i++) x[i] = i;
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_RUN_KF(doubled, 4, (uint8_t *)x);
  for (int i = 0; i < 4 * 256; i++) assert(x[i] == 2 * i);
  AscendC::GmFree((void *)x);
#endif
  return 0;
}
"""
KERNEL = (
    HEAD
    + """
extern "C" __global__ __aicore__ void doubled(GM_ADDR x) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, 1024);
  pipe.InitBuffer(out, 1, 1024);
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float *)x + 256 * GetBlockIdx(), 256);
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, gm, 256);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Add(b, a, a, 256);
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<float>();
  DataCopy(gm, b, 256);
  out.FreeTensor(b);
}
"""
)


def test_a_host_program_of_two_files(tmp_path):
    """As samples are laid out: main.cpp with a branch for the CPU, the kernel in a file of its own with its launch left out."""
    (tmp_path / "main.cpp").write_text(MAIN)
    (tmp_path / "doubled.cpp").write_text(
        KERNEL
        + """
#ifndef ASCENDC_CPU_DEBUG
void doubled_do(uint32_t blockDim, void *stream, uint8_t *x) { doubled<<<blockDim, nullptr, stream>>>(x); }
#endif
"""
    )
    done = command("check", str(tmp_path / "main.cpp"), "--host", str(tmp_path / "doubled.cpp"))
    assert done.returncode == 0, done.stderr
    (tmp_path / "main.cpp").write_text(MAIN.replace("2 * i)", "3 * i)"))
    done = command("run", str(tmp_path / "main.cpp"), "--host", str(tmp_path / "doubled.cpp"))
    assert done.returncode == 1 and "x[i] == 3 * i" in done.stderr


def test_launches_in_the_vendors_syntax(tmp_path, load):
    """One file with kernel, main and kernel<<<...>>>: as a program, and its kernel by itself; places stay the file's own."""
    source = (
        KERNEL
        + """
#include "acl/acl.h"
#include <cstdio>
int32_t main() {
  aclInit(nullptr);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  size_t bytes = 4 * 256 * sizeof(float);
  float *host;
  uint8_t *device;
  aclrtMallocHost((void **)(&host), bytes);
  aclrtMalloc((void **)&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  for (int i = 0; i < 1024; i++) host[i] = i;
  aclrtMemcpy(device, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  doubled<<<4, nullptr,
            stream>>>(device); // "text with <<<1>>>(" stays
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(host, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  printf("%g %s %d\\n", host[1023], "<<<1>>>(", __LINE__);
  aclrtFree(device);
  aclrtFreeHost(host);
  return aclFinalize();
}
"""
    )
    (tmp_path / "simple.cpp").write_text(source)
    done = command("run", str(tmp_path / "simple.cpp"), "--host")
    line = source[: source.index("printf")].count("\n") + 1
    assert (done.returncode, done.stdout) == (0, f"2046 <<<1>>>( {line}\n"), done.stderr
    kernel = load(source.replace(HEAD, ""))["doubled"]
    x = np.arange(1024, dtype=np.float32)
    kernel[4](x)
    assert x[1023] == 2046


def test_a_host_program_runs_its_kernels(tmp_path):
    source = os.path.abspath(os.path.join(KERNELS, "square_host.cpp"))
    for how in ("run", "check"):
        done = command(how, source, "--host")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("passed: 0 of 1024 elements are wrong\n")
    with open(source) as file:
        (tmp_path / "broken.cpp").write_text(file.read().replace("xGm, perBlock);", "xGm, 8 * perBlock);"))
    done = command("run", str(tmp_path / "broken.cpp"), "--host")
    assert done.returncode == 1
    assert "broken.cpp:15: error:" in done.stderr and "in kernel 'square', block" in done.stderr
