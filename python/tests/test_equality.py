"""Emitted Ascend C, compiled by ordinary compilers, is the kernel: the same calls, the same bytes, the same cycles.

Every kernel of the library runs twice on its own test data: as machine code of the JIT, and as emitted source through
include/ascendc. Scalar code, addresses, flags, vector functions, each must agree; a difference shows its first call.
"""

import itertools

import pytest

import _tilesmith
import asc
import ascendc
import golden
from asc.runtime.emit import EmittedLaunch
from test_kernels import all_cases, outputs


def recorded(monkeypatch, case, emitter):
    """(bytes of the results, launches) of a kernel's test."""
    before = _tilesmith.get_settings()
    _tilesmith.set_settings(keep_calls=True, emitter=emitter)
    try:
        with asc.profile() as profile:
            results = outputs(monkeypatch, *case)
    finally:
        _tilesmith.set_settings(keep_calls=False, emitter=before["emitter"])
    return results, profile.launches


def through_compiler(compiler):
    """Runs a launch as emitted source instead."""

    def run(facts):
        launch = EmittedLaunch(facts)
        kernel = ascendc.load(launch.source, compiler)[launch.symbol]
        kernel[launch.blocks](*(argument["value"] for argument in facts["arguments"]))

    return run


def compare(monkeypatch, case, compiler):
    results, launches = recorded(monkeypatch, case, None)
    emitted_results, emitted = recorded(monkeypatch, case, through_compiler(compiler))
    assert len(emitted) == len(launches) > 0
    for one, other in zip(launches, emitted):
        assert one.call_trace.differs_from(other.call_trace) is None
        assert one.call_trace.hash == other.call_trace.hash
        assert one.cycles == other.cycles
    assert emitted_results == results


def representative_cases():
    """Of every kernel on every platform and dtype the shapes at the ends of its list: they differ most."""
    key = lambda case: (case.values[0].__name__, case.values[1], case.values[2])
    for _, group in itertools.groupby(all_cases(), key):
        cases = list(group)
        yield cases[len(cases) // 2]
        yield cases[-1]


@pytest.mark.parametrize("test, platform, dtype, shape", list(representative_cases()))
def test_emitted_source_is_the_kernel(monkeypatch, test, platform, dtype, shape):
    compare(monkeypatch, (test, platform, dtype, shape), ascendc.COMPILERS[0])


@pytest.mark.skipif(len(ascendc.COMPILERS) < 2, reason="needs a second compiler")
@pytest.mark.parametrize("platform", golden.PLATFORMS)
def test_the_compiler_does_not_matter(monkeypatch, platform):
    import softmax

    compare(monkeypatch, (softmax.test_softmax, platform, "float16", (31, 127)), ascendc.COMPILERS[1])


def test_rows_longer_than_the_910b_counts(monkeypatch):
    """The 950 counts the elements of a row in more than 16 bits; so does what is emitted for it."""
    import asc
    import asc2
    import numpy as np
    from asc.runtime import config
    from asc.runtime.emit import captured

    @asc2.jit(always_compile=True)
    def product(a_ptr, b_ptr, c_ptr, k):
        a = asc2.load(asc2.tensor(a_ptr, [16, k]), [16, 16], offsets=[0, 65536])
        b = asc2.load(asc2.tensor(b_ptr, [16, 16]), [16, 16], offsets=[0, 0])
        asc2.store(a @ b, asc2.tensor(c_ptr, [16, 16]), offsets=[0, 0])

    config.set_platform(config.Backend.Model, "Ascend950PR_9599")
    random = np.random.default_rng(1)
    a = random.standard_normal((16, 65552)).astype(np.float16)
    b, c = random.standard_normal((16, 16)).astype(np.float16), np.zeros((16, 16), np.float32)
    with captured() as launches:
        product[1](a, b, c, 65552)
    kernel = ascendc.load(launches[0].source)[launches[0].symbol]
    kernel[1](a, b, c, 65552)
    assert np.allclose(c, a[:, 65536:].astype(np.float64) @ b.astype(np.float64), rtol=1e-3, atol=1e-3)
