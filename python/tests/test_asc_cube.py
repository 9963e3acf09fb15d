"""Moves of the cube core that products of other tests do not make: fractals of global memory, results to L1, a bias in L0C; against NumPy."""

import numpy as np
import pytest
from test_asc_emit import road as road
from test_asc_emit import same

import asc
from asc.runtime import config
from asc.runtime.config import KernelType


@pytest.fixture(autouse=True)
def platform():
    config.set_platform(config.Backend.Model, "Ascend910B1")


@asc.jit
def ordered():
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


@asc.jit(kernel_type=KernelType.AIC_ONLY)
def chained(fractals: asc.GlobalAddress, b: asc.GlobalAddress, out: asc.GlobalAddress, by_copy: asc.ConstExpr[bool]):
    """out = half(F1 * F3) * b + F1 * F3, of 16 x 16 fractals 1 and 3 of four."""
    f_gm = asc.GlobalTensor()
    f_gm.set_global_buffer(fractals)
    b_gm = asc.GlobalTensor()
    b_gm.set_global_buffer(b)
    o_gm = asc.GlobalTensor()
    o_gm.set_global_buffer(out)
    two = asc.LocalTensor(asc.float16, asc.TPosition.A1, 0, 512)
    b1 = asc.LocalTensor(asc.float16, asc.TPosition.B1, 2048, 256)
    back = asc.LocalTensor(asc.float16, asc.TPosition.A1, 4096, 256)
    a2 = asc.LocalTensor(asc.float16, asc.TPosition.A2, 0, 256)
    b2 = asc.LocalTensor(asc.float16, asc.TPosition.B2, 0, 256)
    c = asc.LocalTensor(asc.float32, asc.TPosition.CO1, 0, 256)
    asc.load_data(two, f_gm, asc.LoadData2DParams(1, 2, 2, 0, 0, False, 0))
    asc.data_copy(b1, b_gm, asc.Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0))
    ordered()
    asc.load_data(a2, two, asc.LoadData2DParams(0, 1, 1, 0, 0, False, 0))
    asc.load_data(b2, two, asc.LoadData2DParams(1, 1, 1, 0, 0, True, 0))
    ordered()
    asc.mmad(c, a2, b2, asc.MmadParams(16, 16, 16))
    ordered()
    if by_copy:
        asc.data_copy(back, c, asc.DataCopyCO12DstParams(16, 16, 16, 16, asc.QuantModes.F322F16, 0, False, False))
    else:
        asc.fixpipe(back, c, asc.FixpipeParamsV220(16, 16, 16, 16, asc.QuantModes.F322F16), config=asc.FixpipeConfig.cfg_nz())
    ordered()
    asc.load_data(a2, back, asc.LoadData2DParams(0, 1, 1, 0, 0, False, 0))
    asc.load_data(b2, b1, asc.LoadData2DParams(0, 1, 1, 0, 0, True, 0))
    ordered()
    asc.mmad(c, a2, b2, c, asc.MmadParams(16, 16, 16))
    ordered()
    asc.fixpipe(o_gm, c, asc.FixpipeParamsV220(16, 16, 16, 16))


@pytest.mark.parametrize("by_copy", [True, False])
def test_fractals_come_and_results_go_on(by_copy, road):
    draw = np.random.default_rng(6)
    fractals, b = draw.standard_normal((4, 16, 16)).astype(np.float16), draw.standard_normal((16, 16)).astype(np.float16)

    def launch():
        out = np.zeros((16, 16), np.float32)
        chained[1](fractals, b, out, by_copy)
        return [out]

    with asc.check() as report:
        (out,) = launch()
    assert not report.findings, report.findings
    first = fractals[1].astype(np.float64) @ fractals[3]
    np.testing.assert_allclose(out, first.astype(np.float16).astype(np.float64) @ b + first, rtol=2e-3, atol=2e-2)
    same(road, launch)


@asc.jit(kernel_type=KernelType.AIC_ONLY)
def bias_elsewhere(out: asc.GlobalAddress):
    o_gm = asc.GlobalTensor()
    o_gm.set_global_buffer(out)
    a2 = asc.LocalTensor(asc.float16, asc.TPosition.A2, 0, 256)
    b2 = asc.LocalTensor(asc.float16, asc.TPosition.B2, 0, 256)
    c = asc.LocalTensor(asc.float32, asc.TPosition.CO1, 0, 256)
    asc.init_const_value(a2, asc.InitConstValueParams(1, 1, 0, 1))
    asc.init_const_value(b2, asc.InitConstValueParams(1, 1, 0, 1))
    ordered()
    asc.mmad(c, a2, b2, c[256:], asc.MmadParams(16, 16, 16))
    asc.fixpipe(o_gm, c, asc.FixpipeParamsV220(16, 16, 16, 16))


def test_a_bias_at_another_place_of_l0c_is_a_finding():
    with (
        pytest.warns(SyntaxWarning, match="neither in the bias table"),
        pytest.raises(asc.KernelError, match="neither in the bias table"),
    ):
        bias_elsewhere[1](np.zeros((16, 16), np.float32))
