"""Every function of the library in every form, for every element type and platform, in Ascend C (by each compiler) and in asc: a launched
kernel against NumPy in double precision, with the accuracy its row in Library.def states.

CI runs a sample that differs from day to day; TILESMITH_LONG=1 runs everything and prints how much that is."""

import datetime
import os
import subprocess
import sys

import _tilesmith
import ascendc
import numpy as np
import pytest
from library_calls import CPP, FORMS, ROOT, expected, functions, operands, worst

import asc

PLATFORMS = ("Ascend910B1", "Ascend950PR_9599")
TABLE = functions()
LONG = os.environ.get("TILESMITH_LONG") == "1"
SLOT = 8192  # bytes of UB for each tensor

KERNEL = """
template <typename T, typename D> __aicore__ inline void Map{index}(GM_ADDR *all, int32_t function, int32_t form, uint32_t n) {{
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffers[6];
  for (auto &buffer : buffers)
    pipe.InitBuffer(buffer, 8192);
  auto a = buffers[0].Get<T>(), b = buffers[1].Get<T>(), c = buffers[2].Get<T>();
  auto d = buffers[3].Get<D>(), e = buffers[4].Get<D>();
  auto w = buffers[5].Get<uint8_t>();
  LocalTensor<T> *sources[] = {{&a, &b, &c}};
  for (int i = 0; i < 3; ++i) {{
    GlobalTensor<T> gm;
    gm.SetGlobalBuffer((__gm__ T *)all[i], n);
    DataCopyPad(*sources[i], gm, DataCopyExtParams(1, n * sizeof(T), 0, 0, 0), DataCopyPadExtParams<T>());
    sources[i]->SetSize(n);
  }}
  d.SetSize(n);
  e.SetSize(n);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  switch (function * 4 + form) {{
{cases}
  }}
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  for (int i = 0; i < (function == {two} ? 2 : 1); ++i) {{
    GlobalTensor<D> gm;
    gm.SetGlobalBuffer((__gm__ D *)all[3 + i], n);
    DataCopyPad(gm, i ? e : d, DataCopyExtParams(1, n * sizeof(D), 0, 0, 0));
  }}
}}
extern "C" __global__ __aicore__ void map{index}(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR d, GM_ADDR e, int32_t function, int32_t form,
                                                 uint32_t n) {{
  GM_ADDR all[] = {{a, b, c, d, e}};
  Map{index}<{source}, {result}>(all, function, form, n);
}}
"""
PAIRS = sorted({(dtype, function.result_of(dtype)) for function in TABLE for dtype in function.types})


def source():
    two = next(i for i, function in enumerate(TABLE) if function.results == 2)
    text = '#include "kernel_operator.h"\nusing namespace AscendC;\n'
    for index, (dtype, result) in enumerate(PAIRS):
        cases = [f"  case {number * 4 + FORMS.index(form)}:\n    {function.cpp(form)};\n    break;" for number, function in enumerate(TABLE)
                 if dtype in function.types and function.result_of(dtype) == result for form in function.forms()]  # fmt: skip
        text += KERNEL.format(index=index, source=CPP[dtype], result=CPP[result], cases="\n".join(cases), two=two)
    return text


@asc.jit
def on_core(
    x: asc.GlobalAddress,
    y: asc.GlobalAddress,
    z: asc.GlobalAddress,
    d: asc.GlobalAddress,
    e: asc.GlobalAddress,
    n: asc.ConstExpr[int],
    slot: asc.ConstExpr[int],
    op: asc.ConstExpr,
    shape: asc.ConstExpr[str],
    name: asc.ConstExpr[str],
    form: asc.ConstExpr[int],
):
    pipe = asc.TPipe()
    size = x.dtype.sizeof()
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, n)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, slot, n)
    c = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 2 * slot, n)
    r = asc.LocalTensor(d.dtype, asc.TPosition.VECOUT, 3 * slot, n)
    s = asc.LocalTensor(d.dtype, asc.TPosition.VECOUT, 4 * slot, n)
    work = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 5 * slot, slot)
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x)
    asc.data_copy_pad(a, gm, asc.DataCopyExtParams(1, n * size, 0, 0, 0), asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    gm.set_global_buffer(y)
    asc.data_copy_pad(b, gm, asc.DataCopyExtParams(1, n * size, 0, 0, 0), asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    gm.set_global_buffer(z)
    asc.data_copy_pad(c, gm, asc.DataCopyExtParams(1, n * size, 0, 0, 0), asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    count = n if form == 0 or form == 2 else None
    buffer = work if form < 2 else None
    if shape == "TwoResults":
        op(r, s, a, count, buffer)
    elif name == "Clamp":
        op(r, a, 0.75, 2.5, count, buffer)
    elif name == "PowerByScalar":
        op(r, a, 3, count, buffer)
    elif name == "PowerOfScalar":
        op(r, 3, a, count, buffer)
    elif name == "AscendQuant":
        op(r, a, 0.75, 2.5, count, buffer)
    elif name == "AscendAntiQuant":
        op(r, a, 0.75, 2.5, count, buffer)
    elif shape == "Scaled":
        op(r, a, 0.75, count=count, temp_buffer=buffer)
    elif shape == "ScaledBinary":
        op(r, a, b, 0.75, count, buffer)
    elif shape == "Ternary":
        op(r, a, b, c, count, buffer)
    elif shape == "Binary" or shape == "TruthOfTwo":
        op(r, a, b, count, buffer)
    else:
        op(r, a, count, buffer)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    gd = asc.GlobalTensor()
    gd.set_global_buffer(d)
    asc.data_copy_pad(gd, r, asc.DataCopyExtParams(1, n * d.dtype.sizeof(), 0, 0, 0))
    if shape == "TwoResults":
        gd.set_global_buffer(e)
        asc.data_copy_pad(gd, s, asc.DataCopyExtParams(1, n * d.dtype.sizeof(), 0, 0, 0))


@pytest.fixture(scope="module", params=ascendc.COMPILERS)
def kernels(request):
    return ascendc.load(source(), request.param)


@pytest.fixture(autouse=True)
def restore_platform():
    before = _tilesmith.current_platform()
    yield
    _tilesmith.set_platform(before)


def cases(share):
    """All of them, or a part that is another one tomorrow."""
    every = [(platform, number, dtype, form) for platform in PLATFORMS for number, function in enumerate(TABLE) for dtype in function.types
             for form in function.forms()]  # fmt: skip
    if LONG:
        return every
    rng = np.random.default_rng(datetime.date.today().toordinal())
    return [case for case, chosen in zip(every, rng.random(len(every)) < share, strict=True) if chosen]


def check(launch, platform, function, dtype, form, seed):
    """Launches once in checked mode; how far the results are off, in units of what is allowed."""
    rng = np.random.default_rng(seed)
    _tilesmith.set_platform(platform)
    n = int(rng.choice([1, 17, 64, 200, 256, 777, 1024]))
    sources = operands(function, dtype, n, rng)
    given = (sources * 3)[:3]
    results = [np.zeros(n, function.result_of(dtype)) for _ in range(2)]
    with asc.check() as report:
        launch(given, results, n)
    assert not report.findings, report.findings[0]["rendered"]
    off = [worst(function, actual, exact) for actual, exact in zip(results, expected(function, sources), strict=False)]
    return max(off), (function.name, dtype, form, platform, n)


def test_functions_in_ascend_c(kernels):
    chosen, wrong = cases(0.25), []
    for seed, (platform, number, dtype, form) in enumerate(chosen):
        function = TABLE[number]
        kernel = kernels[f"map{PAIRS.index((dtype, function.result_of(dtype)))}"]

        def launch(given, results, n, kernel=kernel, number=number, form=form):
            kernel[1](
                *given,
                *(array.view(np.uint8) if array.dtype == np.bool_ else array for array in results),
                number,
                FORMS.index(form),
                n,
            )

        off, what = check(launch, platform, function, dtype, form, seed)
        if off > 1:
            wrong.append((off, *what))
    print(f"{len(chosen)} calls of {len(TABLE)} functions")
    assert not wrong, sorted(wrong, reverse=True)[:20]


def test_functions_in_asc():
    chosen, wrong = cases(0.12), []
    for seed, (platform, number, dtype, form) in enumerate(chosen):
        function = TABLE[number]

        def launch(given, results, n, function=function, form=form):
            arrays = [array.view(np.uint8) if array.dtype == np.bool_ else array for array in results]
            on_core[1](
                *given, *arrays, n, SLOT, getattr(asc.adv, function.python), function.shape, function.name, FORMS.index(form)
            )

        off, what = check(launch, platform, function, dtype, form, seed)
        if off > 1:
            wrong.append((off, *what))
    print(f"{len(chosen)} calls of {len(TABLE)} functions")
    assert not wrong, sorted(wrong, reverse=True)[:20]


def test_every_function_has_a_call_in_asc():
    assert {function.python for function in TABLE} <= set(asc.adv.__all__)


def test_the_page_is_written_from_the_table():
    done = subprocess.run([sys.executable, ROOT / "tools/library.py", "--check"], check=False)
    assert done.returncode == 0, "./dev run tools/library.py writes docs/adv.md"
