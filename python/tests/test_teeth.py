"""The checker has teeth: leave out each flag and each barrier of compiled kernels, one at a time.

Late mode is the judge that knows nothing of the checker's rules: if the bytes change, the synchronisation was needed. The
order checker must report every one of those.

Reported without a change: inside one pipe, late mode completes what is pending at the pipe's next set_flag, while the
checker counts only on barriers; a fill and the copy over it may write the same bytes; a flag id that is set again too early
happens to meet a finished wait. Neither: the branch they stand in did not run (a partial tile's fill, an empty loop over k);
barriers between stores whose places are known only at run time and turned out disjoint; flags from S behind a scalar read,
which is complete when S goes on; the last barrier, because the end of a block drains all pipes anyway.
"""

import contextlib

import numpy as np
import pytest

import abs as abs_kernels
import asc
import asc2
import gelu
import golden
import matmul
import rms_norm
import softmax
from asc.codegen.errors import CodegenError


def flat(module, name, *extra, size=7 * 1024 + 5, tile=1024):
    x = golden.sample((size,), "float32")

    def run(kernel):
        y = np.zeros_like(x)
        kernel[1](x, y, size, *extra, tile=tile)
        return y

    return getattr(module, name), run


def rows(kernel, shape=(13, 100)):
    x = golden.sample(shape, "float32")

    def run(kernel):
        y = np.zeros_like(x)
        kernel[1](x, y, *shape, tile_rows=2, tile_cols=128)
        return y

    return kernel, run


def normalised(shape=(5, 700)):
    x, gamma = golden.sample(shape, "float32", seed=1), golden.sample(shape[1:], "float32", seed=2)

    def run(kernel):
        y = np.zeros_like(x)
        kernel[1](x, gamma, y, *shape, 1e-6, tile_cols=128)
        return y

    return rms_norm.rms_norm_split_kernel, run


def product(m=100, n=100, k=200):
    a, b = golden.sample((m, k), "float16", seed=1), golden.sample((k, n), "float16", seed=2)

    def run(kernel):
        c = np.zeros((m, n), np.float32)
        kernel[1](a, b, c, m, n, k, tile_m=32, tile_n=32, tile_k=32)
        return c

    return matmul.matmul_kernel, run


@asc2.jit
def masked_kernel(x_ptr, y_ptr, count):
    x, y = asc2.tensor(x_ptr, [4, 64]), asc2.tensor(y_ptr, [8, 64])
    for i in range(4):
        tile = asc2.load(x, [1, 64], tile_id=[i, 0])
        with asc2.mask(count=count + i, other=2.0):
            asc2.store(asc2.exp(tile) * tile, y, tile_id=[i, 0])
        with asc2.mask(bits=(0, 0b11011011100)):
            asc2.store(tile + 1, y, tile_id=[i + 4, 0])


def masked():
    x = golden.sample((4, 64), "float32")

    def run(kernel):
        y = np.zeros((8, 64), np.float32)
        kernel[1](x, y, 21)
        return y

    return masked_kernel, run


KERNELS = {
    "abs": lambda: flat(abs_kernels, "abs_kernel"),
    "gelu": lambda: flat(gelu, "gelu_kernel", "tanh"),
    "softmax": lambda: rows(softmax.softmax_kernel),
    "rms_norm": normalised,
    "matmul": product,
    "mask": masked,
}


def outcome(kernel, run, index):
    """(bytes changed late, checker reported) without synchronisation `index`, or None when there are no more."""
    mutant = asc2.jit(always_compile=True, without_sync=index)(kernel.fn) if index is not None else kernel
    observed = []
    for mode in (dict(mode="checked"), dict(late="consumers"), dict(late="producers")):
        with asc.check() if "mode" in mode else contextlib.nullcontext() as report:
            with asc.launch_mode(**mode):
                try:
                    observed.append(run(mutant).tobytes())
                except CodegenError as error:
                    assert "there is no synchronisation" in str(error)
                    return None
        if report is not None:
            findings = report.findings
    return any(late != observed[0] for late in observed[1:]), findings


@pytest.mark.parametrize("platform", golden.PLATFORMS)
@pytest.mark.parametrize("name", KERNELS)
def test_every_needed_synchronisation_is_reported(name, platform, record_property):
    golden.use(platform)
    kernel, run = KERNELS[name]()
    changed, findings = outcome(kernel, run, None)
    assert not changed and not findings
    missed, needed, extra, silent = [], 0, 0, 0
    for index in range(1000):
        result = outcome(kernel, run, index)
        if result is None:
            break
        changed, findings = result
        needed += changed
        missed += [index] if changed and not findings else []
        extra += bool(findings) and not changed
        silent += not findings and not changed
    record_property("counts", f"{index} left out: {needed} change bytes, {extra} reported only, {silent} neither")
    print(f"{name} on {platform}: {index} left out, {needed} change late bytes, all reported: {not missed}; "
          f"{extra} reported without a change, {silent} neither")
    assert index > 0 and needed > 0
    assert not missed, f"late mode changes the bytes without synchronisation {missed}, the checker is silent"
