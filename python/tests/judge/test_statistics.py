"""The figures of a benchmark: what counts, what is left out and listed, and how it is rounded."""

import json
import math

import pytest

from tilesmith.judge.timing import statistics

KEYS = [
    "op_name", "warmup", "repeats", "total_cases", "passed_cases", "failed_cases", "nan_indices", "inf_indices",
    "zero_indices", "negative_indices", "none_indices", "framework", "implementation", "speedup_vs_torch",
    "per_shape_results"
]
SHAPE_KEYS = ["case_idx", "input_desc", "status", "framework", "implementation", "speedup_vs_torch", "error_type", "error_msg"]


@pytest.mark.parametrize("speedup, kind", [
    (None, "none"), ("2", "none"), ([], "none"), ({}, "none"), (1j, "none"),
    (math.nan, "nan"), (-math.nan, "nan"), (math.inf, "inf"), (-math.inf, "inf"), (10**400, "inf"), (-(10**400), "inf"),
    (-1.0, "negative"), (-5e-324, "negative"), (0, "zero"), (0.0, "zero"), (-0.0, "zero"), (False, "zero"),
    (True, "valid"), (1, "valid"), (1e-4, "valid"), (5e-324, "valid"), (1e308, "valid"),
])
def test_classification(speedup, kind):
    assert statistics.classify(speedup) == kind


@pytest.mark.parametrize("framework, implementation, ratio", [
    (2, 1, 2.0),
    (1, 3, 0.3333),
    (0, 1, 0.0),
    (1, 0, 0.0),
    (-1, 1, 0.0),
    (1, -1, 0.0),
    (4.9e-5, 1, 0.0),
    (5.1e-5, 1, 0.0001),
    (math.nan, 1, 0.0),
])
def test_a_ratio_has_four_decimals_and_is_zero_without_two_positive_times(framework, implementation, ratio):
    assert statistics.ratio(framework, implementation) == ratio


def test_geometric_mean():
    assert statistics.geometric_mean([2, 0.5]) == 1.0
    assert statistics.geometric_mean([1, 2]) == 1.4142
    assert statistics.geometric_mean([]) is None
    assert statistics.geometric_mean([1e300] * 10 +
                                     [1e-300] * 10) == 1.0, "the product overflows, the mean of logarithms does not"


def case(index, speedup=2.0, status="pass", framework_ms=2.0, implementation_ms=1.0, operators=None):
    if status == "fail":
        return {"case_idx": index, "input_desc": [], "status": "fail", "framework": None, "implementation": None,
                "speedup_vs_torch": None, "error_type": "AccuracyError", "error_msg": "wrong"}
    return {
        "case_idx": index, "input_desc": [], "status": "pass", "error_type": None, "error_msg": None,
        "speedup_vs_torch": speedup, "framework": {"avg_latency_ms": framework_ms, "peak_memory_mb": 1.0, "operators": {}},
        "implementation": {"avg_latency_ms": implementation_ms, "peak_memory_mb": 2.0, "operators": operators or {}}
    }


def test_keys_are_in_the_specified_order():
    result = statistics.result("relu", 5, 50, [case(1), case(2, status="fail")])
    assert list(result) == KEYS
    assert all(list(shape) == SHAPE_KEYS for shape in result["per_shape_results"])
    assert list(result["framework"]) == list(result["implementation"]) == ["avg_latency_ms", "peak_memory_mb", "operators"]
    assert list(result["per_shape_results"][0]["framework"]) == ["avg_latency_ms", "peak_memory_mb"]
    assert result["per_shape_results"][1]["framework"] is result["per_shape_results"][1]["implementation"] is None


def test_abnormal_speedups_stay_passed_are_listed_and_leave_the_mean():
    speedups = [2.0, None, math.nan, math.inf, -math.inf, -1.0, 0.0, 0.5]
    result = statistics.result("relu", 5, 50, [case(index, speedup) for index, speedup in enumerate(speedups, 1)])
    assert (result["total_cases"], result["passed_cases"], result["failed_cases"]) == (8, 8, 0)
    assert {key: value for key, value in result.items() if key.endswith("_indices")} == {
        "nan_indices": [3], "inf_indices": [4, 5], "zero_indices": [7], "negative_indices": [6], "none_indices": [2]}
    assert [shape["speedup_vs_torch"]
            for shape in result["per_shape_results"]] == [2.0, None, None, None, None, None, None, 0.5]
    assert result["speedup_vs_torch"] == 1.0
    json.dumps(result, allow_nan=False)


def test_all_abnormal_gives_null():
    result = statistics.result("relu", 5, 50, [case(1, 0.0), case(2, math.nan)])
    assert result["speedup_vs_torch"] is None and result["framework"]["avg_latency_ms"] == 2.0


def test_without_a_passing_case_both_sides_are_null():
    result = statistics.result("relu", 5, 50, [case(1, status="fail")])
    assert result["framework"] is result["implementation"] is result["speedup_vs_torch"] is None
    assert (result["passed_cases"], result["failed_cases"], result["none_indices"]) == (0, 1, [])


def test_a_failed_case_enters_no_mean():
    result = statistics.result("relu", 5, 50, [case(1, 3.0), case(2, status="fail")])
    assert result["speedup_vs_torch"] == 3.0 and result["implementation"]["avg_latency_ms"] == 1.0


def test_means_and_operators_are_over_passing_cases_and_rounded():
    shapes = [
        case(1, implementation_ms=1.00004, operators={"a": 1.0, "b": 3.0}),
        case(2, implementation_ms=1.00008, operators={"a": 2.00011}),
        case(3, status="fail")
    ]
    shapes[0]["implementation"]["peak_memory_mb"] = 1.006
    result = statistics.result("relu", 5, 50, shapes)
    assert result["implementation"] == {"avg_latency_ms": 1.0001, "peak_memory_mb": 1.5, "operators": {"a": 1.5001, "b": 1.5}}
    assert result["per_shape_results"][0]["implementation"] == {"avg_latency_ms": 1.0, "peak_memory_mb": 1.01}
