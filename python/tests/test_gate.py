"""The accuracy gate itself: a gate that lets a wrong result pass makes every other test worthless."""

import numpy as np
import pytest
import torch

from gate import THRESHOLDS, compare


def f32(*values):
    return np.array(values, np.float32)


@pytest.mark.parametrize("dtype, t", [(np.float16, 2.0**-10), (np.float32, 2.0**-13), (np.int32, 2.0**-13),
                                      (np.float64, 2.0**-13)])
def test_threshold_follows_the_golden_dtype(dtype, t):
    assert compare(np.ones(4, dtype), np.ones(4, dtype)).threshold == t


def test_bfloat16_comes_from_torch():
    x = torch.ones(4, dtype=torch.bfloat16)
    assert compare(x, x).threshold == THRESHOLDS["bfloat16"] == 2.0**-7


def test_an_error_exactly_at_the_bound_fails():
    """Both bounds are strict."""
    t = 2.0**-13
    assert not compare(f32(1 + t), f32(1)).passed
    golden = np.ones(1024, np.float32)
    actual = golden.copy()
    actual[0] += 10 * t
    assert not compare(actual, golden).passed
    actual[0] = np.float32(1 + 9.5 * t)
    assert compare(actual, golden).passed


def test_mean_is_gated_on_its_own():
    golden = np.ones(1000, np.float32)
    assert not compare(golden * np.float32(1 + 2 * 2.0**-13), golden).passed


def test_small_golden_values_are_judged_absolutely():
    """Below t the denominator is t: an error of t/2 on a golden zero is a relative error of one half."""
    verdict = compare(f32(2.0**-14), f32(0))
    assert verdict.mare == 0.5 and not verdict.passed


def test_zeros_of_either_sign_are_equal():
    assert compare(f32(-0.0), f32(0.0)).passed


def test_shape_is_compared_not_only_the_element_count():
    assert not compare(np.ones((2, 3), np.float32), np.ones((3, 2), np.float32)).passed


@pytest.mark.parametrize("actual, golden, passed", [
    (f32(np.nan, 1), f32(np.nan, 1), True),
    (f32(np.nan, 1), f32(1, np.nan), False),
    (f32(np.inf, 1), f32(np.inf, 1), True),
    (f32(np.inf, 1), f32(-np.inf, 1), False),
    (f32(np.inf, 1), f32(1, 1), False),
    (f32(np.nan, np.inf), f32(np.nan, np.inf), True),
    (f32(), f32(), True),
])
def test_special_values_must_stand_in_the_same_places(actual, golden, passed):
    assert compare(actual, golden).passed == passed


def test_the_candidate_is_cast_to_the_golden_dtype():
    assert compare(f32(1 + 2.0**-12), np.ones(1, np.float16)).mare == 0
    assert compare(f32(1.0), torch.ones(1, dtype=torch.bfloat16)).passed


def test_infinity_places_are_compared_before_the_cast():
    """A finite candidate beyond float16's range must not become the golden infinity by being cast."""
    assert not compare(f32(1e6), np.array([np.inf], np.float16)).passed
    assert not compare(f32(1e6), np.array([6e4], np.float16)).passed


def test_golden_booleans_are_exact():
    golden = np.array([True, False])
    assert compare(golden.copy(), golden).passed
    assert not compare(~golden, golden).passed
