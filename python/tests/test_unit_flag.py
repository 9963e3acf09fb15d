"""unitFlag in Ascend C: a Mmad and a Fixpipe hand each other L0C without flags, in results, checks and time."""

import numpy as np
import pytest

import _tilesmith
import asc
import ascendc

PRODUCTS = """
#include "kernel_operator.h"
using namespace AscendC;

// `rounds` products of 128 x 64 by 64 x 128, one after the other through the same part of L0C; the last product of each two has
// `last`. With unitFlag 0 by flags of the pipes.
extern "C" __global__ __aicore__ void products(GM_ADDR a, GM_ADDR b, GM_ADDR c, int32_t rounds, uint8_t last, uint8_t out) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  constexpr int32_t m = 128, n = 128, k = 64;
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a);
  bGm.SetGlobalBuffer((__gm__ half *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  LocalTensor<half> a1(TPosition::A1, 0, m * k), b1(TPosition::B1, m * k * 2, k * n), a2(TPosition::A2, 0, m * k), b2(TPosition::B2, 0, k * n);
  LocalTensor<float> c1(TPosition::CO1, 0, m * n);
  DataCopy(a1, aGm, m * k);
  DataCopy(b1, bGm, k * n);
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  for (int32_t i = 0; i < m * k / 256; ++i)
    LoadData(a2[i * 256], a1[i * 256], LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  for (int32_t i = 0; i < k * n / 256; ++i)
    LoadData(b2[i * 256], b1[i * 256], LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  FixpipeParamsV220 params(n, m, m, n, false);
  params.unitFlag = out;
  if (!last)
    SetFlag<HardEvent::FIX_M>(0);
  for (int32_t i = 0; i < rounds; ++i) {
    if (!last)
      WaitFlag<HardEvent::FIX_M>(0);
    Mmad(c1, a2, b2, MmadParams(m, n, k, last ? 2 : 0, false, true));
    Mmad(c1, a2, b2, MmadParams(m, n, k, last, false, false));
    if (!last) {
      SetFlag<HardEvent::M_FIX>(0);
      WaitFlag<HardEvent::M_FIX>(0);
    }
    Fixpipe<float, float, CFG_ROW_MAJOR>(cGm[i * m * n], c1, params);
    if (!last)
      SetFlag<HardEvent::FIX_M>(0);
  }
  if (!last)
    WaitFlag<HardEvent::FIX_M>(0);
}
"""


@pytest.fixture(params=["Ascend910B1", "Ascend950PR_9599"])
def part(request):
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(request.param)
    yield request.param
    _tilesmith.set_platform(before)


def launch(rounds, last, out):
    rng = np.random.default_rng(0)
    a, b = rng.integers(-3, 4, 128 * 64).astype(np.float16), rng.integers(-3, 4, 64 * 128).astype(np.float16)
    c = np.zeros((rounds, 128, 128), np.float32)
    ascendc.load(PRODUCTS)["products"][1](a, b, c, rounds, last, out)
    return c


def test_results_and_order(part):
    by_flags = launch(3, 0, 0)
    assert np.abs(by_flags).max() > 0 and np.array_equal(by_flags[0], by_flags[2])
    with asc.check() as report:
        assert np.array_equal(launch(3, 3, 3), by_flags)
    assert not report.findings
    for late in ("consumers", "producers"):
        with asc.launch_mode(late=late):
            assert np.array_equal(launch(3, 3, 3), by_flags)


def test_writing_out_hides_behind_products(part):
    cycles = {}
    for flag in (0, 3):
        with asc.profile() as profile:
            launch(16, flag, flag)
        cycles[flag] = profile.cycles
    assert cycles[3] < 0.9 * cycles[0]


@pytest.mark.parametrize("last, out, who", [(2, 3, "FIX waits by unitFlag"), (3, 0, "M waits by unitFlag")])
def test_what_nobody_hands_over_hangs_in_every_mode(part, last, out, who):
    with pytest.raises(RuntimeError, match=who):
        launch(2, last, out)
    with pytest.raises(RuntimeError, match=who), asc.launch_mode(late="consumers"):
        launch(2, last, out)
    with pytest.raises(RuntimeError, match=who), asc.profile():
        launch(2, last, out)


def test_a_unit_flag_of_1_is_refused(part):
    with pytest.raises(RuntimeError, match="unitFlag is 0 \\(off\\), 2 \\(on\\) or 3 \\(on, and hands over\\), not 1"):
        launch(1, 1, 3)
