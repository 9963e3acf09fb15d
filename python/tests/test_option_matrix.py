"""No option changes results: every kernel of the library gives the same bytes under all of them.

A pass that is wrong only without rings, only unfused, or only where buffers share addresses would show here. Each option is
tried alone with every value, and in rows that bring the others together; each on one host thread and on two, with loops as
written and unrolled.
"""

import importlib.util
import itertools
import re
from pathlib import Path

import pytest

import asc
import golden
from asc.codegen.errors import CodegenError
from asc.runtime.jit import JITFunction
from test_kernels import MODULES

KERNELS = Path(golden.__file__).parent

SETTINGS = [
    dict(opt_level=1), dict(opt_level=2), dict(vf_fusion=True), dict(vf_fusion=False), dict(reuse_ub=True),
    dict(reuse_ub=True, reuse_ub_in_out=True), dict(reuse_ub_in_out=True), dict(reuse_ub=False), dict(reuse_ub_in_out=False),
    dict(ring_depth=1), dict(ring_depth=4), dict(insert_sync=False), dict(insert_sync=False, auto_sync=False), dict(strip_loc=True, static_alloc=False, debug=True),
    dict(densify_load_store=True, ir_multithreading=False, matmul_cube_only=True, verify_sync=True),
    dict(opt_level=1, vf_fusion=True, reuse_ub=True, reuse_ub_in_out=True), dict(opt_level=2, vf_fusion=False, reuse_ub=True, ring_depth=3),
    dict(opt_level=1, reuse_ub=False, insert_sync=False), dict(opt_level=3, vf_fusion=False, reuse_ub=True, reuse_ub_in_out=True),
]



def load(name, unroll):
    """The text of a kernel's module, with its innermost loops unrolled."""
    lines = (KERNELS / f"{name}.py").read_text().splitlines(keepends=True)
    loops = [index for index, line in enumerate(lines) if re.match(r" +for \w+ in asc2\.range\(.*\):$", line)]
    indents = [len(lines[index]) - len(lines[index].lstrip()) for index in loops] + [0]
    inner = [index for index, here, following in zip(loops, indents, indents[1:]) if following <= here]
    assert inner, f"no loop to unroll in {name}"
    for index in inner if unroll > 1 else ():
        lines[index] = lines[index].replace("):\n", f", unroll_factor={unroll}):\n")
    return "".join(lines)


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    folder, made = tmp_path_factory.mktemp("unrolled"), {}

    def get(name, unroll):
        if (name, unroll) not in made:
            path = folder / f"{name}_{unroll}.py"
            path.write_text(load(name, unroll))
            spec = importlib.util.spec_from_file_location(path.stem, path)
            made[name, unroll] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(made[name, unroll])
        return made[name, unroll]

    return get


def outputs(monkeypatch, module, options, test, arguments):
    """The bytes a test of the module checks when its kernels are compiled with these options."""
    seen = []
    with monkeypatch.context() as patch:
        patch.setattr(golden, "check", lambda actual, expected: seen.append(actual.tobytes()))
        for name, value in list(vars(module).items()):
            if options and isinstance(value, JITFunction):
                patch.setattr(module, name, value._with_options(options))
        getattr(module, test)(*arguments)
    return seen


def cases():
    for name in MODULES:
        for test in re.findall(r"^def (test_\w+)", (KERNELS / f"{name}.py").read_text(), flags=re.MULTILINE):
            for platform in golden.PLATFORMS:
                yield pytest.param(name, test, platform, id=f"{test[5:]}-{platform}")


@pytest.mark.parametrize("name, test, platform", list(cases()))
def test_results_do_not_depend_on_options(monkeypatch, modules, name, test, platform):
    plain = modules(name, 1)
    shapes = getattr(plain, test).shapes
    # One with tails and several tiles, small enough to run often.
    wanted = ((10007,), (31, 127), (75, 130), (127, 129, 65), (5, 7, 129, 65), (200, 33), (3, 5, 70), (9, 513), (2, 10007), (7, 50), (129, 127),
              (4, 2, 100, 100, 128), (2, 1, 100, 100, 64), (50, 129, 65), (70, 5, 65, 130, 2), (3, 8, 2, 32, 128), (2, 50, 64, 48))
    shape = next(s for s in shapes if s in wanted)
    dtype = getattr(plain, test).dtypes[0]
    arguments = (platform, dtype, shape)
    expected = outputs(monkeypatch, plain, {}, test, arguments)
    assert expected
    for unroll, options, threads in itertools.product((1, 2, 3), [{}, *SETTINGS], (1, 2)):
        if unroll == 2 and len(options) == 1 or unroll == 3 and options:
            continue  # unrolled loops meet the rows only
        try:
            with asc.launch_mode(threads=threads):
                got = outputs(monkeypatch, modules(name, unroll), options, test, arguments)
        except CodegenError as error:  # a kernel may need to share, but then it says so
            assert False in (options.get("reuse_ub"), options.get("reuse_ub_in_out")) and "=True it fits" in str(error), str(error)
            continue
        assert got == expected, f"{options}, unrolled {unroll} times, {threads} threads"
