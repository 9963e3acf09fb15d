"""From the measurements of single shapes to the figures of a benchmark.

A measured shape is a dictionary as `per_shape_results` lists it, except that its `speedup_vs_torch` may be anything; what is
no positive finite number leaves the mean, is stored as null and is listed by kind. Latencies are in milliseconds, memory in
MiB, operators in microseconds.
"""

import math

KINDS = ("nan", "inf", "zero", "negative", "none")  # in the order of the lists in the result
SPEEDUP_DECIMALS = 4
LATENCY_DECIMALS = 4
MEMORY_DECIMALS = 2
OPERATOR_DECIMALS = 4


def classify(speedup):
    """The kind of a speedup: none, nan, inf, negative, zero or valid, decided in this order."""
    if not isinstance(speedup, (bool, int, float)):
        return "none"
    try:
        value = float(speedup)
    except OverflowError:
        return "inf"
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf"
    if value < 0:
        return "negative"
    return "zero" if value == 0 else "valid"


def ratio(framework_ms, implementation_ms):
    """How many times faster the implementation is; 0 unless both times are positive."""
    if framework_ms > 0 and implementation_ms > 0:
        return round(framework_ms / implementation_ms, SPEEDUP_DECIMALS)
    return 0.0


def geometric_mean(values):
    """The geometric mean, None of nothing. Logarithms, because a product of thousands of ratios leaves the range of floats."""
    values = list(values)
    if not values:
        return None
    return round(math.exp(math.fsum(math.log(value) for value in values) / len(values)), SPEEDUP_DECIMALS)


def _mean(values, decimals):
    values = list(values)
    return round(math.fsum(values) / len(values), decimals)


def _side(cases, name):
    """One side over all passing shapes."""
    sides = [case[name] for case in cases]
    operators = {}
    for side in sides:
        for operator, time in side.get("operators", {}).items():
            operators[operator] = operators.get(operator, 0.0) + time
    return {
        "avg_latency_ms": _mean((side["avg_latency_ms"] for side in sides), LATENCY_DECIMALS),
        "peak_memory_mb": _mean((side["peak_memory_mb"] for side in sides), MEMORY_DECIMALS),
        "operators": {name: round(time / len(sides), OPERATOR_DECIMALS) for name, time in operators.items()},
    }


def _rounded(side):
    return side and {
        "avg_latency_ms": round(side["avg_latency_ms"], LATENCY_DECIMALS),
        "peak_memory_mb": round(side["peak_memory_mb"], MEMORY_DECIMALS),
    }


def result(op_name, warmup, repeats, shapes):
    """The specified result of a benchmark, its keys in the specified order.

    Each of `shapes` has case_idx, input_desc, status, framework and implementation (with operators), speedup_vs_torch,
    error_type and error_msg.
    """
    passing = [case for case in shapes if case["status"] == "pass"]
    kinds = {case["case_idx"]: classify(case["speedup_vs_torch"]) for case in passing}
    valid = [case["speedup_vs_torch"] for case in passing if kinds[case["case_idx"]] == "valid"]
    return {
        "op_name": op_name,
        "warmup": warmup,
        "repeats": repeats,
        "total_cases": len(shapes),
        "passed_cases": len(passing),
        "failed_cases": len(shapes) - len(passing),
        **{f"{kind}_indices": [index for index, found in kinds.items() if found == kind] for kind in KINDS},
        "framework": _side(passing, "framework") if passing else None,
        "implementation": _side(passing, "implementation") if passing else None,
        "speedup_vs_torch": geometric_mean(valid),
        "per_shape_results": [
            {
                "case_idx": case["case_idx"],
                "input_desc": case["input_desc"],
                "status": case["status"],
                "framework": _rounded(case["framework"]),
                "implementation": _rounded(case["implementation"]),
                "speedup_vs_torch": case["speedup_vs_torch"] if kinds.get(case["case_idx"]) == "valid" else None,
                "error_type": case["error_type"],
                "error_msg": case["error_msg"],
            }
            for case in shapes
        ],
    }
