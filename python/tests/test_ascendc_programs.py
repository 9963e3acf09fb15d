"""Host programs in the manner of public samples (`.asc`, kernel<<<...>>>, acl) through the command line and asc.load_ascendc."""

import os
import re
import subprocess
import sys
from pathlib import Path

import asc
import ascendc
import numpy as np
import pytest
from asc.runtime import config
from asc.runtime.ascendc import vendor
from asc.runtime.ascendc.build import include_folder

PROGRAMS = Path(__file__).parent / "ascendc_programs"
C220, C310 = "Ascend910B1", "Ascend950PR_9599"
GCC, CLANG = ascendc.COMPILERS[0], ascendc.COMPILERS[-1]


def tilesmith(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "tilesmith", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
    )


def line_of(program, text):
    source = (PROGRAMS / program).read_text()
    return source[: source.index(text)].count("\n") + 1


@pytest.mark.parametrize(
    "program, platform, compiler, printed",
    [
        ("vector_add.asc", C220, GCC, "wrong: 0\n"),
        ("vector_add.asc", C310, CLANG, "wrong: 0\n"),
        ("templates.asc", C220, GCC, f"186 381 -5 11 line {line_of('templates.asc', '__LINE__')}\n"),
        ("templates.asc", C220, CLANG, f"186 381 -5 11 line {line_of('templates.asc', '__LINE__')}\n"),
        ("named_like_c.asc", C220, GCC, "1 2 3 4, 9 2\n"),
        ("named_like_c.asc", C220, CLANG, "1 2 3 4, 9 2\n"),
        ("debug_guards.asc", C220, CLANG, "block 0 of 2, 7, 128\nblock 1 of 2, 7, 128\n1.5 2.5 15872\n"),
        ("matmul_object.asc", C220, GCC, "wrong: 0\n"),
        ("matmul_object.asc", C310, CLANG, "wrong: 0\n"),
        ("architecture.asc", C220, GCC, "910 220\n"),
        ("architecture.asc", C310, GCC, "950 310\n"),
    ],
)
def test_a_program_runs_as_it_is(program, platform, compiler, printed):
    done = tilesmith("run", "-v", platform, PROGRAMS / program, "--compiler", compiler, "--host")
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")


@pytest.mark.parametrize(
    "program, platform, compiler, printed",
    [
        ("called_by_name.asc", C310, GCC, "-1 -63 101 100, 2 65, 255 255 0\n"),
        ("wide_registers.asc", C310, CLANG, "wrong: 0\n"),
        ("register_permute.asc", C310, GCC, "wrong: 0\n"),
        ("newer_names.asc", C310, CLANG, "2016 6112, 7 127, 1 253, 0 240\n"),
        ("cube_memories.asc", C220, GCC, "96 96, 127 255 383 -1\n"),
        ("in_turn.asc", C220, CLANG, "63 63\n"),
        ("tensor_api.asc", C220, GCC, "wrong: 0, 0\n"),
        ("tensor_api.asc", C310, CLANG, "wrong: 0, 0\n"),
        ("capi_cube.asc", C220, CLANG, "wrong: 0\n"),
        ("older_names.asc", C310, GCC, "wrong: 0, 72 cores\n"),
        ("capi_permute.asc", C310, GCC, "wrong: 0\n"),
        ("scalar_unit.asc", C310, CLANG, "10 -3 8 1 11 3.5\n"),
        ("platform_query.asc", C220, GCC, "24 48 48, UB 196608 L1 524288 HBM 64 GiB at 33, 910B, 10\n"),
        ("platform_query.asc", C310, CLANG, "36 72 72, UB 253952 L1 524288 HBM 128 GiB at 25, other, 10\n"),
    ],
)
def test_a_checked_program_is_right_and_has_no_findings(program, platform, compiler, printed):
    """Each was wrong, a false alarm or refused: bits of a mask, scratch of a vector function, registers of 64 bits, a barrier of
    WaitPreBlock, Fill of L0, L1 to global memory, a vector function called by its name."""
    done = tilesmith("check", "-v", platform, PROGRAMS / program, "--compiler", compiler, "--host")
    launches = "2 launches" if program == "tensor_api.asc" else "1 launch"
    assert (done.returncode, done.stdout) == (0, f"{printed}no findings in {launches}\n"), done.stderr


UNWRITTEN = """#include "kernel_operator.h"
using namespace AscendC;
__simd_vf__ inline void keep(__ubuf__ float *x, __ubuf__ float *y) {
  Reg::RegTensor<float> before, zero;
  Reg::MaskReg all = Reg::CreateMask<float>();
  Reg::LoadAlign(before, x);
  Reg::Duplicate(zero, 0.0f);
  Reg::StoreAlign(x, zero, all);
  Reg::StoreAlign(y, before, all);
}
extern "C" __global__ __aicore__ void unwritten(GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 512);
  LocalTensor<float> x = buffer.Get<float>();
  START((__ubuf__ float *)x.GetPhyAddr(), (__ubuf__ float *)x[64].GetPhyAddr());
}
"""


@pytest.mark.parametrize("start", ["keep", "asc_vf_call<keep>"])
def test_what_a_vector_function_loads_before_it_writes_is_read(tmp_path, start):
    """The load is told when its lanes are used, which is after the store."""
    source = tmp_path / "unwritten.cpp"
    source.write_text(UNWRITTEN.replace("START", start))
    config.set_platform(config.Backend.Model, C310)
    library = asc.load_ascendc(source)
    try:
        with asc.check() as report:
            library["unwritten"][1](np.zeros(8, np.float32))
    finally:
        config.set_platform(config.Backend.Model, C220)
        library.close()
    assert [finding["id"] for finding in report.findings] == ["init.ub"]
    assert "UB [0, 256)" in report.findings[0]["text"]


def test_check_of_a_program_counts_its_findings(tmp_path):
    """It said 'no findings in 0 launches' whatever the program found, and when it did not compile."""
    source = (PROGRAMS / "in_turn.asc").read_text()
    program = tmp_path / "races.asc"
    program.write_text(source.replace("  WaitPreBlock(signals, sync);\n", "").replace("  NotifyNextBlock(signals, sync);\n", ""))
    done = tilesmith("check", program, "--host")
    assert done.returncode == 1 and done.stdout.endswith("1 finding in 1 launch\n"), done.stdout
    assert "races.asc:" in done.stderr and "[order.raw]" in done.stderr
    program.write_text("int main() { return nothing; }\n")
    done = tilesmith("check", program, "--host")
    assert done.returncode == 1 and "finding" not in done.stdout
    assert f"{program}:1:21: error: 'nothing' was not declared" in done.stderr or "undeclared identifier 'nothing'" in done.stderr


MISSING = """#include "kernel_operator.h"
#include "tiling/data_copy_transpose_tiling.h"
#include "lib/matmul_intf.h"
#include <lib/hccl/hccl.h>
using namespace AscendC;
__global__ __aicore__ void unmodelled(GM_ADDR x) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  SoftmaxFlashV3(t, t, 64);
  BilinearInterpolation<float, false>(t, t, 64);
  AscendC::RpSort16<float, half, true>(t, t);
  Conv3D<int> conv;
  REGIST_CONV3D_OBJ(&pipe, conv);
  asc_copy_ub2l1(1, 2);
  AscendC::complex32 narrow;
}
int main() {}
"""


@pytest.mark.parametrize("compiler", [GCC, CLANG])
def test_what_is_not_modelled_is_told_at_once(tmp_path, compiler):
    """A missing header was 'No such file or directory' and hid what else was missing; a missing name was a page of templates."""
    program = tmp_path / "unmodelled.asc"
    program.write_text(MISSING)
    done = tilesmith("run", program, "--compiler", compiler, "--host")
    assert done.returncode == 1
    lines = [line for line in done.stderr.splitlines() if not line.startswith("note: the compiler has ")]
    assert lines == [
        f"{program}:2: error: tiling/data_copy_transpose_tiling.h is not modelled (the host library of tilings)",
        f"{program}:4: error: lib/hccl/hccl.h is not modelled (the mathematical library)",
        f"{program}:11: error: not in the model: SoftmaxFlashV3 (line 11), BilinearInterpolation (line 12), RpSort16 (line 13), Conv3D (line 14), "
        "REGIST_CONV3D_OBJ (line 15), asc_copy_ub2l1 (line 16), complex32 (line 17)",
        "help: tiling/data_copy_transpose_tiling.h: the host library of tilings; compute the tiling struct by hand and pass it to the kernel",
        "help: lib/hccl/hccl.h, SoftmaxFlashV3: the mathematical library; write it in instructions of docs/isa; "
        "kernels/ascendc has a softmax and a silu",
        "help: BilinearInterpolation, RpSort16: an instruction of the chip that the model does not have yet; "
        "docs/isa lists the instructions that are there",
        "help: Conv3D, REGIST_CONV3D_OBJ: objects of convolutions, and services of the cube core other than Matmul; "
        "use LoadData, Mmad and Fixpipe, or a Matmul; kernels/ascendc has both",
        "help: asc_copy_ub2l1: a function of the C API that is not modelled; use the classes and functions of kernel_operator.h",
        "help: complex32: an element type of fewer than 16 bits or of complex numbers; use the types of docs/isa/dtypes.md",
    ]


def test_an_error_is_told_at_the_users_line_alone(tmp_path):
    source = tmp_path / "wrong.cpp"
    source.write_text(
        '#include "kernel_operator.h"\nusing namespace AscendC;\n'
        'extern "C" __global__ __aicore__ void wrong(GM_ADDR x) {\n'
        "  LocalTensor<float> t;\n  Add(t, t, 3);\n  LocalTensor<double> d;\n  Add(d, d, d, 64);\n}\n"
    )
    with pytest.raises(asc.AscendCError) as info:
        asc.load_ascendc(source, compiler=GCC)
    assert str(info.value).splitlines() == [
        f"{source}:5:6: error: no matching function for call to 'Add(AscendC::LocalTensor<float>&, AscendC::LocalTensor<float>&, int)'",
        "    5 |   Add(t, t, 3);",
        "      |      ^",
        f"{source}:7:6: error: static assertion failed: tensors of this element type are not supported",
        "    7 |   Add(d, d, d, 64);",
        "      |      ^",
    ]
    with pytest.raises(asc.AscendCError) as info:
        asc.load_ascendc(PROGRAMS / "templates.asc", kernels=["store<many, true>"], compiler=CLANG)
    assert str(info.value) == "error: kernel 'store<many, true>': use of undeclared identifier 'many'"


def test_a_kernel_that_no_file_defines(tmp_path):
    """The linker's own words are about functions of ours with names of half a page."""
    program = tmp_path / "main.asc"
    program.write_text(
        '#include "acl/acl.h"\n#include "kernel_operator.h"\n__global__ __aicore__ void elsewhere(GM_ADDR x);\n'
        "int main() { elsewhere<<<1, nullptr, nullptr>>>(nullptr); }\n"
    )
    done = tilesmith("run", program, "--host")
    assert done.returncode == 1
    assert (
        done.stderr
        == f"{program}: error: no source defines 'elsewhere(unsigned char*)'\nhelp: name the files that do after --host\n"
    )


def test_nothing_in_the_table_of_what_is_missing_is_there(tmp_path):
    """A row for a name that has been added would say that it is not in the model."""
    table = vendor.missing(os.path.join(include_folder(), "ascendc/tilesmith/missing.def"))
    names = sorted(name for name in table.names if "*" not in name)
    calls = re.findall(r"TILESMITH_MISSING_CALL\(\w+, (\w+)\)", Path(include_folder(), "ascendc/tilesmith/missing.def").read_text())
    names = [name for name in names if name not in calls]
    source = tmp_path / "names.cpp"
    source.write_text(
        '#include "kernel_operator.h"\n#include "acl/acl.h"\nnamespace probe {\n'
        + "".join(f"using AscendC::{name};\n" for name in names)
        + "}\n"
    )
    errors = ascendc.compile_error(source.read_text(), CLANG, ["-ferror-limit=0"])
    unknown = set(re.findall(r"no member named '(\w+)' in namespace 'AscendC'", errors))
    assert set(names) - unknown == set()


def test_a_kernel_that_fails_is_its_streams_error():
    """assert in a kernel ended the whole program, although <cassert> is included last and the chip goes on."""
    program = PROGRAMS / "stream_error.asc"
    done = tilesmith("run", program, "-DLOOK", "--host")
    assert done.returncode == 0 and done.stdout == "checked 3\nchecked 2\ngood 0 bad 507015\ndone\n", done.stderr
    line = line_of("stream_error.asc", "assert(n < 4)")
    assert f"{program}:{line}: error: assertion 'n < 4' does not hold [kernel.assert]" in done.stderr
    done = tilesmith("run", program, "--host")
    assert done.returncode == 1 and done.stdout == "checked 3\nchecked 2\ndone\n"  # nobody looked at the error


def test_kernels_of_a_program_load_by_themselves():
    """Templates without an instance were 'defines no kernel'; those that are launched or instantiated are there."""
    library = asc.load_ascendc(PROGRAMS / "templates.asc")
    assert list(library) == ["store<7, false>", "store<5, true>"]
    x = np.zeros(8, np.int32)
    library["store<5, true>"][1](x)
    assert x[0] == -5
    library.close()
    library = asc.load_ascendc(PROGRAMS / "templates.asc", kernels=["store<3, false>"])
    library["store<3, false>"][1](x=x)
    assert x[0] == 3
    library.close()
    library = asc.load_ascendc(PROGRAMS / "named_like_c.asc")
    library["select"][1](x, x, x)
    assert x[2] == 3
    library.close()


def test_a_launch_in_an_included_file(tmp_path):
    """With its own line, beside the kernel's attributes from another file; and compiled again when that file changes."""
    (tmp_path / "host").mkdir()
    (tmp_path / "kernel.h").write_text(
        '#pragma once\n#include "kernel_operator.h"\n__global__ __mix__(1, 2) void say(int n) {\n'
        '  AscendC::printf("%d %d: %d\\n", __LINE__, int(AscendC::GetTaskRation()), n);\n}\n'
    )
    launch = (
        '#pragma once\n#include "../kernel.h"\ninline void launchSay() {\n  say<<<1, nullptr,\n    nullptr>>>(7 * __LINE__);\n}\n'
    )
    (tmp_path / "host" / "launch.h").write_text(launch)
    (tmp_path / "main.asc").write_text('#include "host/launch.h"\nint main() { launchSay(); }\n')
    done = tilesmith("run", tmp_path / "main.asc", "--host")
    assert (done.returncode, done.stdout) == (0, "4 1: 35\n4 2: 35\n4 2: 35\n"), done.stderr
    (tmp_path / "host" / "launch.h").write_text(launch.replace("7 *", "2 *"))
    done = tilesmith("run", tmp_path / "main.asc", "--host")
    assert (done.returncode, done.stdout) == (0, "4 1: 10\n4 2: 10\n4 2: 10\n"), done.stderr


def test_a_template_says_how_to_name_an_instance(tmp_path):
    source = tmp_path / "scale.cpp"
    source.write_text(
        '#include "kernel_operator.h"\ntemplate <typename T, int n, bool b> __global__ __aicore__ void scale(GM_ADDR x) {}\n'
    )
    done = tilesmith("run", source, "--arg", "1")
    assert done.returncode == 1
    assert done.stderr == (
        f"'{source}' defines no kernel by itself: 'scale' is a template; name an instance of it, as in "
        "kernels=[\"scale<half, 1, true>\"] (on the command line: --kernel 'scale<half, 1, true>')\n"
    )
    done = tilesmith("run", source, "--kernel", "scale")
    assert "'scale' is a template; name an instance of it" in done.stderr


def test_a_program_without_host_says_how_to_run_it():
    """It was 'vector_add() is missing arguments'."""
    done = tilesmith("run", PROGRAMS / "vector_add.asc")
    assert done.returncode == 2
    assert (
        "vector_add.asc has a main(): run it as a program by --host, or launch one of its kernels by --kernel and --arg"
        in done.stderr
    )


def test_the_platform_chooses_the_architecture():
    library = asc.load_ascendc(PROGRAMS / "architecture.asc")
    x = np.zeros(8, np.int32)
    try:
        for platform, part in [(C220, 910), (C310, 950), (C220, 910)]:
            config.set_platform(config.Backend.Model, platform)
            library["which"][1](x)
            assert x[0] == part
    finally:
        config.set_platform(config.Backend.Model, C220)
        library.close()
    done = tilesmith("run", PROGRAMS / "architecture.asc", "-D__NPU_ARCH__=3510", "--host")
    assert done.returncode == 1 and done.stderr == (
        "error: -D__NPU_ARCH__=3510 is not the architecture of Ascend910B1, where __NPU_ARCH__ is 2201\n"
        "help: the platform alone chooses the architecture: leave the option out, or choose a platform it belongs to (-v Ascend950PR_9599)\n"
    )
    done = tilesmith("run", "-v", C310, PROGRAMS / "architecture.asc", "-D__NPU_ARCH__=3510", "--host")
    assert (done.returncode, done.stdout) == (0, "950 310\n")


def test_a_program_of_an_editor_for_windows(tmp_path):
    """A mark of the encoding and lines that end with \\r\\n, in a source of which a copy is compiled."""
    program = tmp_path / "crlf.asc"
    text = (
        '#include "acl/acl.h"\n#include "kernel_operator.h"\n#define LAUNCH(k, ...) \\\n  k<<<2, nullptr, \\\n  nullptr>>>(__VA_ARGS__)\n'
        '__global__ __vector__ void one(GM_ADDR, int n) { if (block_idx == 1) AscendC::printf("%d ", n); }\n'
        'int main() {\n  LAUNCH(one, nullptr, 4);\n  printf("%d\\n", __LINE__);\n}\n'
    )
    program.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    done = tilesmith("run", program, "--host")
    assert (done.returncode, done.stdout) == (0, "4 9\n"), done.stderr


def test_elements_past_the_cache_are_accesses_of_the_scalar_unit(tmp_path):
    """Plain pointers would not be seen: not by bounds, and not by the time of the kernel."""
    path = tmp_path / "past.cpp"
    path.write_text("""#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void past(__gm__ float *x, __gm__ float *y, int32_t at) {
  WriteGmByPassDCache(y + 3, ReadGmByPassDCache(x + at) * 2);
}
""")
    library = asc.load_ascendc(path)
    x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    try:
        with asc.check() as report:
            library["past"][1](x, y, 5)
        assert report.findings == [] and y[3] == 10
        with asc.check() as report:
            library["past"][1](x, y, 8)
    finally:
        library.close()
    assert [finding["id"] for finding in report.findings] == ["bounds.gm-read"]
