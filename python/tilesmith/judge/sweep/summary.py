"""The outcome of a sweep as one HTML page that needs nothing else: a row for each candidate, its failures below it."""

from tilesmith import pages
from tilesmith.pages import svg

from ..timing.report import describe_inputs, plural
from .candidate_page import EVIDENCE

SHOWN_FAILURES = 20

COLUMNS = [
    ("task", ""),
    ("candidate", ""),
    ("verdict", ""),
    ("evidence", ""),
    ("cases passed", "number"),
    ("speedup", "number"),
    ("latency", "number"),
    ("seconds", "number"),
    ("notes", ""),
]


def _failures(unit, cases):
    """(what is wrong in a few words, texts)."""
    failed = [case for case in cases if case["status"] != "pass"]
    texts = []
    if unit.get("error_msg") and not failed:
        texts.append(f"{unit['error_type'] or ''}: {unit['error_msg'].strip()}")
    for case in failed[:SHOWN_FAILURES]:
        inputs = describe_inputs(case["input_desc"], 100)
        texts.append(f"case {case['case_idx']} ({inputs})\n{case['error_type'] or ''}: {(case['error_msg'] or '').strip()}")
    if len(failed) > SHOWN_FAILURES:
        texts.append(f"and {len(failed) - SHOWN_FAILURES} more")
    findings = [
        *unit.get("findings", []),
        *(finding for case in cases for finding in case.get("findings", [])),
        *(unit.get("bench") or {}).get("findings", []),
    ]
    if findings:
        texts.append("\n".join(f"{finding['id']}: {finding['text']}" for finding in findings[:SHOWN_FAILURES]))
    words = (
        plural(len(failed), "failed case") if failed else "",
        plural(len(findings), "finding") if findings else "",
        (unit.get("error_type") or "") if not failed else "",
    )
    return ", ".join(filter(None, words)), texts


def _strength(unit):
    """How much is proved, the most first."""
    known = list(EVIDENCE)
    evidence = unit.get("evidence") or "none"
    return known.index(evidence) if evidence in known and unit.get("verify") else len(known)


def ranked(units):
    """The candidates of each task, best first: right ones, then those with more evidence, then the faster ones. A speedup without
    evidence does not stand above one that is proved."""

    def rank(entry):
        unit, _ = entry
        speedup = (unit.get("bench") or {}).get("speedup_vs_torch")
        return (unit["task"], unit["status"] != "pass", _strength(unit), speedup is None, -(speedup or 0), unit["candidate"])

    return sorted(units, key=rank)


def _row(unit, cases, address):
    """The cells of a candidate: (text, class, value to sort by)."""
    verify, bench = unit.get("verify") or {}, unit.get("bench") or {}
    counts = f"{verify['passed_cases']} of {verify['total_cases']}" if verify else ""
    passed = verify["passed_cases"] / verify["total_cases"] if verify.get("total_cases") else ""
    speedup = bench.get("speedup_vs_torch")
    latency = (bench.get("implementation") or {}).get("avg_latency_ms")
    cells = [
        (unit["task"], "", None),
        (unit["candidate"], "", None),
        (unit["status"], unit["status"], None),
        (unit.get("evidence") or "none" if verify else "", "", _strength(unit)),
        (counts, "number", passed),
        ("" if speedup is None else f"{speedup:.4g}x", "number", "" if speedup is None else speedup),
        ("" if latency is None else f"{latency:.4f} ms", "number", "" if latency is None else latency),
        (f"{unit['seconds']:.1f}", "number", unit["seconds"]),
    ]
    title, texts = _failures(unit, cases)
    return {"cells": cells, "title": title, "texts": texts, "address": address}


def page(title, units, missing=0, addresses=None):
    """The page. `units` are (record of a candidate, records of its cases); `missing` are not judged yet; `addresses` are those of the
    candidates' own pages, by key."""
    tally = {status: sum(unit["status"] == status for unit, _ in units) for status in ("pass", "fail", "error")}
    counts = [
        f"{plural(len(units), 'candidate')} of {plural(len({unit['task'] for unit, _ in units}), 'task')}",
        f"{tally['pass']} passed",
        f"{tally['fail']} failed",
    ]
    counts += [f"{tally['error']} could not be judged"] if tally["error"] else []
    counts += [f"{missing} not judged yet"] if missing else []
    rows = [_row(unit, cases, (addresses or {}).get(unit.get("key"))) for unit, cases in ranked(units)]
    return pages.render(
        "sweep.html.j2", title=title, light=svg.LIGHT, dark=svg.DARK, counts=", ".join(counts), columns=COLUMNS, rows=rows
    )
