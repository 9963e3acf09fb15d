"""Host programs in the manner of public samples (`.asc`, kernel<<<...>>>, acl) through the command line and asc.load_ascendc."""

import os
import subprocess
import sys
from pathlib import Path

import asc
import ascendc
import numpy as np
import pytest
from asc.runtime import config

PROGRAMS = Path(__file__).parent / "ascendc_programs"
C220, C310 = "Ascend910B1", "Ascend950PR_9599"
GCC, CLANG = ascendc.COMPILERS[0], ascendc.COMPILERS[-1]


def tilesmith(*arguments):
    return subprocess.run([sys.executable, "-m", "tilesmith", *map(str, arguments)], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))


def line_of(program, text):
    source = (PROGRAMS / program).read_text()
    return source[: source.index(text)].count("\n") + 1


@pytest.mark.parametrize("program, platform, compiler, printed", [
    ("vector_add.asc", C220, GCC, "wrong: 0\n"),
    ("vector_add.asc", C310, CLANG, "wrong: 0\n"),
    ("templates.asc", C220, GCC, f"186 381 -5 line {line_of('templates.asc', '__LINE__')}\n"),
    ("templates.asc", C220, CLANG, f"186 381 -5 line {line_of('templates.asc', '__LINE__')}\n"),
    ("named_like_c.asc", C220, GCC, "1 2 3 4, 9 2\n"),
    ("named_like_c.asc", C220, CLANG, "1 2 3 4, 9 2\n"),
    ("debug_guards.asc", C220, CLANG, "block 0 of 2, 7, 128\nblock 1 of 2, 7, 128\n1.5 2.5 15872\n"),
    ("architecture.asc", C220, GCC, "910 220\n"),
    ("architecture.asc", C310, GCC, "950 310\n"),
])
def test_a_program_runs_as_it_is(program, platform, compiler, printed):
    done = tilesmith("run", "-v", platform, PROGRAMS / program, "--compiler", compiler, "--host")
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")


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


def test_a_template_says_how_to_name_an_instance(tmp_path):
    source = tmp_path / "scale.cpp"
    source.write_text('#include "kernel_operator.h"\ntemplate <typename T, int n, bool b> __global__ __aicore__ void scale(GM_ADDR x) {}\n')
    done = tilesmith("run", source, "--arg", "1")
    assert done.returncode == 1
    assert done.stderr == (f"'{source}' defines no kernel by itself: 'scale' is a template; name an instance of it, as in "
                           "kernels=[\"scale<half, 1, true>\"] (on the command line: --kernel 'scale<half, 1, true>')\n")
    done = tilesmith("run", source, "--kernel", "scale")
    assert "'scale' is a template; name an instance of it" in done.stderr


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
        "help: the platform alone chooses the architecture: leave the option out, or choose a platform it belongs to (-v Ascend950PR_9599)\n")
    done = tilesmith("run", "-v", C310, PROGRAMS / "architecture.asc", "-D__NPU_ARCH__=3510", "--host")
    assert (done.returncode, done.stdout) == (0, "950 310\n")
