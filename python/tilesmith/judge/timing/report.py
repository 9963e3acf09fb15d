"""A benchmark for people: the table of one result, and what changed against another.

Both read the result as it is stored. `details` (bench.py) adds clock and spread of each side; results of other tools have
none, and then no statement about noise is made.
"""

import math

CLOCKS = {"wall": "", "gpu": " GPU", "model": " model", "given": " given"}


def describe_input(item):
    """One input as a reader would name it: `[32, 4096] float16`, `0.5`."""
    if not isinstance(item, dict):
        return str(item)
    if item.get("type") == "tensor":
        return f"{item.get('shape')} {str(item.get('dtype', '')).removeprefix('torch.')}"
    return str(item.get("value"))


def describe_inputs(items, width=None):
    text = ", ".join(describe_input(item) for item in items) or "no inputs"
    return text if width is None or len(text) <= width else text[: width - 3] + "..."


def side_details(result, index):
    """What `details` knows of one shape; {} for results that have none."""
    for shape in (result.get("details") or {}).get("shapes", []):
        if shape.get("case_idx") == index:
            return shape
    return {}


def _time(side, detail):
    if side is None:
        return "-"
    return f"{side['avg_latency_ms']:.4f} ms{CLOCKS.get((detail or {}).get('clock'), '')}"


def _spread(detail):
    """Half the distance between the 10th and the 90th percentile, as a share of the median."""
    if not detail or detail.get("clock") not in ("wall", "gpu") or not detail.get("median_ms"):
        return ""
    return f"±{50 * (detail['high_ms'] - detail['low_ms']) / detail['median_ms']:.0f} %"


def _columns(rows, right):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (
            text.rjust(width) if column in right else text.ljust(width) for column, (text, width) in enumerate(zip(row, widths))
        )
        yield ("  " + "  ".join(cells)).rstrip()


def plural(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"


def table(result):
    """The result as text."""
    rows = [("case", "inputs", "reference", "", "candidate", "", "speedup")]
    failed = []
    for shape in result["per_shape_results"]:
        detail = side_details(result, shape["case_idx"])
        if shape["status"] == "pass":
            speedup = shape["speedup_vs_torch"]
            verdict = "none" if speedup is None else f"{speedup:.4g}x"
        else:
            verdict = "failed"
            failed.append(shape)
        framework, implementation = detail.get("framework"), detail.get("implementation")
        rows.append(
            (
                str(shape["case_idx"]),
                describe_inputs(shape["input_desc"], 56),
                _time(shape["framework"], framework),
                _spread(framework),
                _time(shape["implementation"], implementation),
                _spread(implementation),
                verdict,
            )
        )
    shapes = plural(result["total_cases"], "shape")
    lines = [
        f"{result['op_name']}  {shapes}, warm-up {result['warmup']}, repeats {result['repeats']}",
        *_columns(rows, right=(0, 2, 3, 4, 5, 6)),
    ]
    for shape in failed:
        message = (shape["error_msg"] or "").strip().splitlines() or [""]
        lines.append(f"  case {shape['case_idx']} failed: {shape['error_type']}: {message[-1][:300]}")
    valid = sum(shape["speedup_vs_torch"] is not None for shape in result["per_shape_results"])
    if result["speedup_vs_torch"] is None:
        lines.append("  no valid speedup")
    else:
        lines.append(f"  geometric mean of {plural(valid, 'speedup')}: {result['speedup_vs_torch']:.4g}x")
    for kind in ("nan", "inf", "zero", "negative", "none"):
        if indices := result[f"{kind}_indices"]:
            cases = f"{'case' if len(indices) == 1 else 'cases'} {', '.join(map(str, indices))}"
            lines.append(f"  {kind} speedup, not in the mean: {cases}")
    details = result.get("details") or {}
    for shape in details.get("shapes", []):
        for finding in shape.get("findings", []):
            lines.append(f"  finding: case {shape['case_idx']}: {finding['text']} [{finding['id']}]")
    lines += [f"  finding: {finding['text']} [{finding['id']}]" for finding in details.get("findings", [])]
    return "\n".join(lines)


# ---- against a baseline ------------------------------------------------------------------------------------------------


def check_result(value):
    """Raises ValueError unless `value` is the result of a benchmark as far as comparing needs it."""
    shapes = value.get("per_shape_results") if isinstance(value, dict) else None
    if not isinstance(shapes, list):
        raise ValueError("it has no per_shape_results")
    for shape in shapes:
        known = isinstance(shape, dict) and shape.get("status") in ("pass", "fail")
        if not known or not isinstance(shape.get("input_desc"), list):
            raise ValueError("an item of per_shape_results is not a result of a shape")
        for side in (shape.get("framework"), shape.get("implementation")):
            latency = side.get("avg_latency_ms") if isinstance(side, dict) else None
            if side is not None and (isinstance(latency, bool) or not isinstance(latency, (int, float))):
                raise ValueError("an item of per_shape_results has no latency")
    return value


def change(now, before):
    """How one side's time changed: (ratio, low, high, verdict).

    The ratio is before / now, so above 1 is faster; low and high are what the spreads of both allow, None where there is no
    spread. A change is called one only when 1 lies outside of them.
    """
    if now.get("clock") != before.get("clock"):
        return None, None, None, "other clock"
    if not now["median_ms"] or not before["median_ms"]:
        return None, None, None, "no time"
    ratio = before["median_ms"] / now["median_ms"]
    if now["clock"] == "model":  # deterministic: every difference is a change
        low = high = ratio
    elif "low_ms" not in before or not now["low_ms"] or not now["high_ms"]:
        return ratio, None, None, "no spread known"
    else:
        low, high = before["low_ms"] / now["high_ms"], before["high_ms"] / now["low_ms"]
    if math.isclose(ratio, 1, rel_tol=1e-9) and low == high:
        return ratio, low, high, "same"
    return ratio, low, high, "faster" if low > 1 else "slower" if high < 1 else "within noise"


def _detail(result, shape):
    found = side_details(result, shape["case_idx"]).get("implementation")
    return found or {"clock": "wall", "median_ms": (shape["implementation"] or {}).get("avg_latency_ms", 0)}


def comparison(result, baseline):
    """What changed in the candidate's time against `baseline`, shape by shape, as rows of facts. Shapes are matched by their inputs."""
    waiting = {}
    for shape in baseline["per_shape_results"]:
        waiting.setdefault(describe_inputs(shape["input_desc"]), []).append(shape)
    rows = []
    for shape in result["per_shape_results"]:
        inputs = describe_inputs(shape["input_desc"])
        row = {"case_idx": shape["case_idx"], "inputs": inputs, "ratio": None, "low": None, "high": None}
        before = waiting[inputs].pop(0) if waiting.get(inputs) else None
        if before is None:
            row["verdict"] = "new"
        elif shape["status"] != before["status"]:
            row["verdict"] = "fails now" if shape["status"] == "fail" else "passes now"
        elif shape["status"] == "fail":
            row["verdict"] = "fails still"
        else:
            row["ratio"], row["low"], row["high"], row["verdict"] = change(_detail(result, shape), _detail(baseline, before))
        rows.append(row)
    rows += [
        {"case_idx": None, "inputs": inputs, "ratio": None, "low": None, "high": None, "verdict": "gone"}
        for inputs, shapes in waiting.items()
        for _ in shapes
    ]
    return rows


def comparison_table(rows, name):
    lines = [("case", "inputs", "before/now", "range", "")]
    for row in rows:
        index = "-" if row["case_idx"] is None else str(row["case_idx"])
        ratio = "-" if row["ratio"] is None else f"{row['ratio']:.3f}x"
        spread = "" if row["low"] is None or row["low"] == row["high"] else f"{row['low']:.2f}..{row['high']:.2f}"
        lines.append((index, row["inputs"][:56], ratio, spread, row["verdict"]))
    return "\n".join([f"against {name}", *_columns(lines, right=(0, 2, 3))])
