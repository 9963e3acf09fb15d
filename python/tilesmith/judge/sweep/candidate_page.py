"""The page of one candidate of a sweep: verdict, evidence, times with a timeline of a call, findings and source."""

import hashlib
from pathlib import Path

from tilesmith import pages
from tilesmith.pages import svg

from ..timing.report import describe_inputs, plural

MOST_SOURCE = 1 << 20  # bytes that are shown
WIDTH, LABEL, ROW = 820, 190, 22  # of a timeline, in pixels
EVIDENCE = {
    "device process": "a process of its own had the memory and saw what wrote each byte: the candidate's never held one",
    "replaced results": "the candidate ran again with the results of its launches replaced: what it returned came from them",
    "interpreter": "kernels ran as Python, under Triton's interpreter: nothing is proved about where results come from",
    "none": "no launch was seen: nothing is proved about where results come from",
}


def timeline(operators):
    """A call: its kernels one after another, as long as the model says they take. `operators` has microseconds by name."""
    total = sum(operators.values())
    if not total > 0:
        return ""
    scale = (WIDTH - LABEL - 80) / total
    parts, at = [], 0.0
    for index, (name, micros) in enumerate(operators.items()):
        y = index * ROW + 4
        shown = name if len(name) <= 28 else name[:27] + "…"
        parts.append(svg.text(LABEL - 8, y + 13, shown, anchor="end"))
        parts.append(
            svg.rect(LABEL + at * scale, y, max(micros * scale, 1.0), ROW - 5, "var(--faster)", f"{name}: {micros:.3f} us", 2)
        )
        parts.append(svg.text(LABEL + (at + micros) * scale + 6, y + 13, f"{micros:.2f} us", fill="var(--faint)"))
        at += micros
    return svg.picture(WIDTH, len(operators) * ROW + 8, parts, "kernels of a call, in model time")


def _figure(side, name):
    value = (side or {}).get(name)
    return "" if value is None else f"{value:.4f} ms"


def _cases(cases):
    """A row for each case: (number, inputs, verdict, reference, candidate, speedup, timeline, what is wrong)."""
    by_case = {}
    for case in cases:
        by_case.setdefault(case["case_idx"], {})[case["stage"]] = case
    for number, stages in sorted(by_case.items()):
        verified, timed = stages.get("verify"), stages.get("bench")
        known = verified or timed
        failed = next((case for case in (verified, timed) if case and case["status"] != "pass"), None)
        speedup = (timed or {}).get("speedup_vs_torch")
        yield {
            "number": number,
            "inputs": describe_inputs(known["input_desc"], 100),
            "status": "fail" if failed else "pass",
            "reference": _figure((timed or {}).get("framework"), "mean_ms"),
            "candidate": _figure((timed or {}).get("implementation"), "mean_ms"),
            "speedup": "" if speedup is None else f"{speedup:.4g}x",
            "timeline": timeline((timed or {}).get("operators") or {}),
            "error": f"{failed['error_type'] or ''}: {(failed['error_msg'] or '').strip()}" if failed else "",
        }


def _source(folder, unit):
    """(lines, note): the text that was judged, or why it is not here."""
    path = Path(folder) / unit["candidate"]
    try:
        data = path.read_bytes()
    except OSError as error:
        return [], f"the source cannot be read: {error.strerror}"
    if hashlib.sha256(data).hexdigest() != unit["candidate_sha256"]:
        return [], "the file was changed after it was judged; the source is not shown"
    note = "" if len(data) <= MOST_SOURCE else f"the first {MOST_SOURCE} bytes of {len(data)}"
    return data[:MOST_SOURCE].decode("utf-8", "replace").splitlines(), note


def page(folder, unit, cases, summary=None):
    """The page of a candidate. `summary` is the address of the page of all."""
    findings = [
        *unit.get("findings", []),
        *(finding for case in cases for finding in case.get("findings", [])),
        *(unit.get("bench") or {}).get("findings", []),
    ]
    verify, bench = unit.get("verify") or {}, unit.get("bench") or {}
    evidence = unit.get("evidence") or "none"
    facts = [
        ("task", unit["task"]),
        ("verdict", f"{verify['passed_cases']} of {plural(verify['total_cases'], 'case')} passed" if verify else "not verified"),
        ("evidence", f"{evidence}: {EVIDENCE.get(evidence, '')}" if verify else "none: it was not verified"),
        ("platforms", ", ".join(unit.get("platforms") or []) or "none"),
        ("speedup", f"{bench['speedup_vs_torch']:.4g}x" if bench.get("speedup_vs_torch") is not None else "not timed"),
        ("judged in", f"{unit['seconds']:.1f} s"),
        ("SHA-256", unit["candidate_sha256"]),
    ]
    lines, note = _source(folder, unit)
    return pages.render(
        "candidate.html.j2",
        title=unit["candidate"],
        light=svg.LIGHT,
        dark=svg.DARK,
        unit=unit,
        facts=facts,
        findings=findings,
        cases=list(_cases(cases)),
        lines=lines,
        note=note,
        summary=summary,
    )
