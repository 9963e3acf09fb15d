"""Ascend C on the Machine: kernels as people write them, compiled by the host's compilers against include/ascendc."""

import numpy as np
import pytest

import _tilesmith
import asc
import ascendc
from ascendc import COMPILERS, ROOT

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
KERNELS = ROOT / "kernels/ascendc"


@pytest.fixture(autouse=True)
def restore_platform():
    before = _tilesmith.current_platform()
    _tilesmith.set_platform("Ascend910B1")
    yield
    _tilesmith.set_platform(before)


def random(shape, dtype, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def run_clean(launch, *outputs):
    """Runs the launch observed: no findings, and the same bytes however late instructions run."""
    with asc.check() as report:
        launch()
    assert not report.findings, "\n".join(finding["rendered"] for finding in report.findings)
    expected = [output.tobytes() for output in outputs]
    for late in ("consumers", "producers"):
        for output in outputs:
            output[...] = 0
        with asc.launch_mode(late=late):
            launch()
        assert [output.tobytes() for output in outputs] == expected


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_add_with_queues(platform, compiler):
    _tilesmith.set_platform(platform)
    x, y, z = random(16384, np.float16), random(16384, np.float16, 1), np.zeros(16384, np.float16)
    kernel = ascendc.load(KERNELS / "add_custom.cpp", compiler)["add_custom"]
    run_clean(lambda: kernel[8](x, y, z, x.size), z)
    assert np.array_equal(z, x + y)
    with asc.profile() as profile:
        kernel[8](x, y, z, x.size)
    assert profile.launches[0].kernel == "add_custom" and profile.cycles > 1000
    assert profile.by_line()[0][0].endswith("add_custom.cpp")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_tiling_struct_is_read_through_its_pointer(compiler):
    tiling = np.zeros(1, np.dtype([("total", "u4"), ("tile", "u4"), ("slope", "f4")]))
    tiling[0] = (10007, 1024, 0.25)
    x, y = random(10007, np.float32), np.zeros(10007, np.float32)
    kernel = ascendc.load(KERNELS / "leaky_relu_custom.cpp", compiler)["leaky_relu_custom"]
    run_clean(lambda: kernel[3](x, y, tiling.view(np.uint8)), y)
    assert np.array_equal(y, np.where(x >= 0, x, x * np.float32(0.25)))


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("dtype, tolerance", [(np.float16, 2e-3), (np.float32, 2e-6)])
def test_softmax_with_reductions_and_scalars(platform, dtype, tolerance):
    _tilesmith.set_platform(platform)
    x, y = random((5, 300), dtype), np.zeros((5, 300), dtype)
    kernel = ascendc.load(KERNELS / "softmax_rows.cpp")["softmax_rows_half" if dtype == np.float16 else "softmax_rows_float"]
    run_clean(lambda: kernel[2](x, y, 5, 300), y)
    wide = x.astype(np.float64)
    expected = np.exp(wide - wide.max(1, keepdims=True))
    assert np.allclose(y, expected / expected.sum(1, keepdims=True), atol=tolerance)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_flags_by_hand(platform):
    _tilesmith.set_platform(platform)
    x, y, z = random(40960, np.float32), random(40960, np.float32, 1), np.zeros(40960, np.float32)
    kernel = ascendc.load(KERNELS / "add_flags.cpp")["add_flags"]
    run_clean(lambda: kernel[4](x, y, z, x.size), z)
    assert np.array_equal(z, x + y)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_vector_function_on_registers(compiler):
    _tilesmith.set_platform("Ascend950PR_9599")
    x, y = random(9001, np.float32), np.zeros(9001, np.float32)
    kernel = ascendc.load(KERNELS / "gelu_registers.cpp", compiler)["gelu_registers"]
    run_clean(lambda: kernel[2](x, y, x.size), y)
    wide = x.astype(np.float64)
    expected = wide / (1 + np.exp(-1.5957691216 * (wide + 0.044715 * wide**3)))
    assert np.allclose(y, expected, atol=1e-6)
    _tilesmith.set_platform("Ascend910B1")
    with pytest.raises(RuntimeError, match="Ascend910B1 has no vector functions"):
        kernel[2](x, y, x.size)


def test_matrix_unit_with_queues():
    a, b = random((2 * 32, 64), np.float16), random((64, 48), np.float16, 1)
    c = np.zeros((2 * 32, 48), np.float32)
    kernel = ascendc.load(KERNELS / "matmul_cube.cpp")["matmul_cube"]
    run_clean(lambda: kernel[2](a, b, c, 32, 48, 64), c)
    assert np.allclose(c, a.astype(np.float64) @ b.astype(np.float64), atol=1e-4)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_one_queue_from_loads_through_vectors_to_stores(platform):
    """A tensor computed in place is enqueued twice, between other pipes each time."""
    _tilesmith.set_platform(platform)
    kernel = ascendc.load("""
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void in_place(GM_ADDR x, GM_ADDR y, int32_t tiles) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 0> queue;
  pipe.InitBuffer(queue, 2, 1024 * sizeof(float));
  for (int32_t i = 0; i < tiles; ++i) {
    LocalTensor<float> a = queue.AllocTensor<float>();
    DataCopy(a, xGm[i * 1024], 1024);
    queue.EnQue<TPosition::GM, TPosition::VECIN, float>(a);
    a = queue.DeQue<TPosition::GM, TPosition::VECIN, float>();
    Adds(a, a, 1.0f, 1024);
    queue.EnQue<TPosition::VECOUT, TPosition::GM, float>(a);
    a = queue.DeQue<TPosition::VECOUT, TPosition::GM, float>();
    DataCopy(yGm[i * 1024], a, 1024);
    queue.FreeTensor(a);
  }
}""")["in_place"]
    x, y = random(5 * 1024, np.float32), np.zeros(5 * 1024, np.float32)
    run_clean(lambda: kernel[1](x, y, 5), y)
    assert np.array_equal(y, x + np.float32(1))


def test_plain_copies_into_l1():
    """Operands that lie in global memory as the matrix unit wants them need no ND to NZ."""
    kernel = ascendc.load("""
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void product(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a);
  bGm.SetGlobalBuffer((__gm__ half *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  LocalTensor<half> a1(TPosition::A1, 0, 512), b1(TPosition::B1, 1024, 512), a2(TPosition::A2, 0, 512), b2(TPosition::B2, 0, 512);
  LocalTensor<float> c1(TPosition::CO1, 0, 256);
  DataCopy(a1, aGm, 512);
  DataCopy(b1, bGm, {2, 16, 0, 0});
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  LoadData(a2, a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
  LoadData(b2, b1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  Mmad<float, half, half>(c1, a2, b2, MmadParams(16, 16, 32, 0, false, true));
  SetFlag<HardEvent::M_FIX>(0);
  WaitFlag<HardEvent::M_FIX>(0);
  Fixpipe<float, float, CFG_ROW_MAJOR>(cGm, c1, FixpipeParamsV220(16, 16, 16, 16, false));
}""")["product"]
    a, b = random((16, 32), np.float16), random((32, 16), np.float16, 1)
    fractals = lambda x: np.ascontiguousarray(x.reshape(16, 2, 16).transpose(1, 0, 2))  # 16 x 16 squares, one after the other
    c = np.zeros((16, 16), np.float32)
    run_clean(lambda: kernel[1](fractals(a), fractals(np.ascontiguousarray(b.T)), c), c)
    assert np.allclose(c, a.astype(np.float64) @ b.astype(np.float64), atol=1e-5)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_more_kernels(platform):
    _tilesmith.set_platform(platform)
    x, gamma, y = random((5, 256), np.float32), random(256, np.float32, 1), np.zeros((5, 256), np.float32)
    kernel = ascendc.load(KERNELS / "rms_norm_rows.cpp")["rms_norm_rows"]
    run_clean(lambda: kernel[2](x, gamma, y, 5, 4, 1e-5), y)
    wide = x.astype(np.float64)
    assert np.allclose(y, wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-5) * gamma, atol=1e-5)

    x, y = random(2048, np.float32), np.zeros(2048, np.float32)
    kernel = ascendc.load(KERNELS / "clip_select.cpp")["clip_select"]
    run_clean(lambda: kernel[2](x, y, 2048, -0.5, 1.0, 9.0), y)
    assert np.array_equal(y, np.where((x > -0.5) & (x < 1.0), x, np.float32(9)))

    x, y = random(1024, np.float16), np.zeros(1024, np.float16)
    kernel = ascendc.load(KERNELS / "negate_odd_lanes.cpp")["negate_odd_lanes"]
    run_clean(lambda: kernel[2](x, y), y)
    assert np.array_equal(y, np.where(np.arange(1024) % 2, -x, x))

    x, y = np.arange(20 * 100, dtype=np.int16).reshape(20, 100), np.zeros((20, 37), np.int16)
    kernel = ascendc.load(KERNELS / "copy_columns.cpp")["copy_columns"]
    run_clean(lambda: kernel[2](x, y, 20, 100, 37), y)
    assert np.array_equal(y, x[:, :37])

    x, sums = np.round(random((40, 128), np.float32) * 8), np.zeros(128, np.float32)
    kernel = ascendc.load(KERNELS / "column_sums.cpp")["column_sums"]
    with asc.check() as report:
        kernel[4](x, sums, 40, 128)
    assert not report.findings and np.array_equal(sums, x.sum(0))


def test_a_vector_scope_in_place():
    _tilesmith.set_platform("Ascend950PR_9599")
    x, y = random(4096, np.float16), np.zeros(4096, np.float16)
    kernel = ascendc.load(KERNELS / "scale_scope.cpp")["scale_scope"]
    run_clean(lambda: kernel[2](x, y, 4096, 1.5, 0.25), y)
    assert np.array_equal(y, (x.astype(np.float32) * np.float32(1.5) + np.float32(0.25)).astype(np.float16))


def test_parameters_are_described_and_checked():
    kernels = ascendc.load("""
#include "kernel_operator.h"
struct Sizes { int32_t count; float scale; };
extern "C" __global__ __aicore__ void all_kinds(__gm__ float *y, int32_t a, uint8_t b, float c, half d, Sizes sizes) {
  AscendC::GlobalTensor<float> out;
  out.SetGlobalBuffer(y, 8);
  out.SetValue(0, a);
  out.SetValue(1, b);
  out.SetValue(2, c);
  out.SetValue(3, d);
  out.SetValue(4, sizes.count);
  out.SetValue(5, sizes.scale);
}""")
    kernel = kernels["all_kinds"]
    assert [parameter["kind"] for parameter in kernel.parameters] == ["pointer", "int", "uint", "float", "float", "struct"]
    y = np.zeros(8, np.float32)
    sizes = np.zeros(1, np.dtype([("count", "i4"), ("scale", "f4")]))
    sizes[0] = (7, 1.5)
    kernel[1](y, -3, 200, 0.5, 2.25, sizes.view(np.uint8))
    assert y.tolist() == [-3, 200, 0.5, 2.25, 7, 1.5, 0, 0]
    with pytest.raises(TypeError, match="argument 3 does not fit into 8 unsigned bits"):
        kernel[1](y, 0, 256, 0.0, 0.0, sizes.view(np.uint8))
    with pytest.raises(TypeError, match="argument 6 is a struct of 8 bytes, not 4"):
        kernel[1](y, 0, 0, 0.0, 0.0, np.zeros(4, np.uint8))
    with pytest.raises(TypeError, match="all_kinds takes 6 arguments, not 1"):
        kernel[1](y)


def test_kernels_print():
    kernel = ascendc.load("""
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void speak(int32_t n) {
  AscendC::printf("block %d of %d: %s %.2f\\n", int(AscendC::GetBlockIdx()), n, "half", half(0.333));
}""")["speak"]
    import contextlib
    import io

    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        kernel[2](2)
    assert text.getvalue() == "block 0 of 2: half 0.33\nblock 1 of 2: half 0.33\n"


WRONG = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void wrong(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
  yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  TBuf<TPosition::VECCALC> temporary;
  pipe.InitBuffer(in, 1, 4096);
  pipe.InitBuffer(out, 1, 4096);
  pipe.InitBuffer(temporary, 4096);
  LocalTensor<float> calc = temporary.Get<float>();
  @BODY@
}
"""
STEPS = """
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, 1024);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Adds(b, a, 1.0f, 1024);
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<float>();
  DataCopy(yGm, b, 1024);
  out.FreeTensor(b);
"""


def findings_of(body, mode="check"):
    kernel = ascendc.load(WRONG.replace("@BODY@", body))["wrong"]
    x, y = random(1024, np.float32), np.zeros(1024, np.float32)
    with asc.check() as report:
        kernel[1](x, y)
    return report.findings


def line_of(body, text):
    lines = WRONG.replace("@BODY@", body).splitlines()
    return 1 + next(i for i, line in enumerate(lines) if text in line)


def test_the_steps_themselves_are_clean():
    assert findings_of(STEPS) == []


@pytest.mark.parametrize("change, place, id, text", [
    # A queue that nothing is in.
    (("in.EnQue(a);", ""), "a = in.DeQue<float>()", "queue.empty",
     "DeQue finds the queue empty: an EnQue is missing before it"),
    # All buffers are given out.
    (("in.EnQue(a);", "auto more = in.AllocTensor<float>();\n"), "auto more =", "queue.no-buffer",
     "AllocTensor finds none of the queue's 1 buffers free: a FreeTensor is missing before it"),
    # More than UB has.
    (("LocalTensor<float> a =", "TBuf<TPosition::VECCALC> more;\n  pipe.InitBuffer(more, 400000);\n  LocalTensor<float> a ="),
     "pipe.InitBuffer(more", "queue.capacity", "InitBuffer asks for 400000 bytes of UB, which has 184320 of 196608 left"),
    # A tensor used after it was given back.
    (("out.EnQue(b);\n  in.FreeTensor(a);", "in.FreeTensor(a);\n  Adds(b, a, 2.0f, 1024);\n  out.EnQue(b);"),
     "Adds(b, a, 2.0f", "queue.freed", "src of adds is a tensor that FreeTensor gave back to its queue"),
    # The tensor of another queue.
    (("in.FreeTensor(a);", "in.FreeTensor(b);"), "in.FreeTensor(b)", "queue.foreign",
     "FreeTensor of a tensor this queue did not give out, or that was freed before"),
    # Bytes nothing has written.
    (("Adds(b, a, 1.0f, 1024);", "Add(b, a, calc, 1024);"), "Add(b, a, calc", "init.ub", "which nothing has written"),
    # Beyond a tensor, and beyond UB.
    (("Adds(b, a, 1.0f, 1024);", "Adds(b[60000], a, 1.0f, 1024);"), "Adds(b[60000]", "bounds.ub-write", "leaves UB"),
    # Beyond an argument.
    (("DataCopy(yGm, b, 1024);", "DataCopy(yGm[8], b, 1024);"), "DataCopy(yGm[8]", "bounds.gm-write", "write of 1024 elements from argument 2[8] leaves the array, which has 1024 elements"),
    # A wait that nothing answers.
    (("out.EnQue(b);", "WaitFlag<HardEvent::MTE3_V>(5);\n  out.EnQue(b);"), "WaitFlag<HardEvent::MTE3_V>(5)", "deadlock.wait-flag",
     "waits for flag 5"),
    # An exception.
    (("out.EnQue(b);", "throw 3;"), None, "kernel.exception", "a C++ exception left the kernel: not a std::exception"),
])
def test_mistakes_are_findings_with_their_line(change, place, id, text):
    old, new = change
    assert old in STEPS
    body = STEPS.replace(old, new, 1)
    findings = findings_of(body)
    found = [finding for finding in findings if finding["id"] == id]
    assert found, findings
    assert text in found[0]["text"]
    if place:
        assert found[0]["place"]["line"] == line_of(body, place)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_scalar_accesses_wait_as_the_vendors_compiler_makes_them(platform):
    """GetValue of what V or MTE2 writes, SetValue into what V reads next and MTE3 stores: the compiler orders S with these pipes."""
    _tilesmith.set_platform(platform)
    kernel = ascendc.load(SCALARS)["scalars"]
    x, y = random(1024, np.float32), np.zeros(1024, np.float32)
    run_clean(lambda: kernel[1](x, y), y)
    expected = (x + np.float32(1)) * (x[3] + np.float32(1))
    expected[5] = np.float32(7) * (x[3] + np.float32(1))
    expected[6] = x[9]
    assert np.array_equal(y, expected)


SCALARS = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void scalars(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, 4096);
  pipe.InitBuffer(out, 1, 4096);
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
  yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, 1024);
  float ninth = a.GetValue(9);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Adds(b, a, 1.0f, 1024);
  float third = b.GetValue(3);
  b.SetValue(5, 7.0f);
  Muls(b, b, third, 1024);
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<float>();
  b.SetValue(6, ninth);
  DataCopy(yGm, b, 1024);
  out.FreeTensor(b);
}
"""


def test_a_missing_wait_changes_late_bytes_and_is_found():
    """Without the queue's events nothing orders the copy before the addition."""
    body = STEPS.replace("in.EnQue(a);", "").replace("a = in.DeQue<float>();", "")
    findings = findings_of(body)
    assert {"order.raw", "late.differs"} <= {finding["id"] for finding in findings}


def test_what_is_missing_says_so():
    error = ascendc.compile_error("""
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void missing() {
  AscendC::LocalTensor<float> x;
  AscendC::CrossCoreSetFlag<3, PIPE_FIX>(0);
  AscendC::RpSort16<float, false>(x, x, 64);
}""")
    assert "CrossCoreSetFlag has the modes 0, 1, 2 and 4" in error
    assert "RpSort16: this instruction is not in the model yet" in error


def test_a_file_that_is_no_library_is_refused(tmp_path):
    with pytest.raises(ValueError, match="cannot open shared object file"):
        _tilesmith.load_kernel_library(str(tmp_path / "nothing.so"))


def test_equal_kernels_have_equal_call_streams():
    """Both compilers must make the same calls; another tile size must not."""
    x, y, z = random(16384, np.float16), random(16384, np.float16, 1), np.zeros(16384, np.float16)
    traces = []
    for compiler in COMPILERS:
        kernel = ascendc.load(KERNELS / "add_custom.cpp", compiler)["add_custom"]
        _tilesmith.set_settings(keep_calls=True)
        try:
            with asc.profile() as profile:
                kernel[4](x, y, z, 16384)
                kernel[4](x, y, z, 8192)
        finally:
            _tilesmith.set_settings(keep_calls=False)
        traces.append([launch.call_trace for launch in profile.launches])
    (one, small), *others = traces
    for other, _ in others:
        assert one.hash == other.hash and one.differs_from(other) is None
    assert one.hash != small.hash
    text = one.differs_from(small)
    assert text.startswith("block 0, call 4:\n  left:  copy_gm_to_ub.F16 dst=UB 0, src=GM 0x120000000000, blockCount=1, blockLen=512")
    assert "add_custom.cpp:" in text
