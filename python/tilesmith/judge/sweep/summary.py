"""The outcome of a sweep as one HTML page that needs nothing else: a row for each candidate, its failures below it."""

from html import escape

from ..timing.report import describe_inputs, plural

SHOWN_FAILURES = 20

STYLE = """
:root { color-scheme: light dark; --ink: #1d2126; --faint: #6a737d; --line: #dde1e6; --ground: #ffffff; --row: #f6f8fa;
        --good: #1a7f37; --bad: #b3261e; --odd: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e6ea; --faint: #9aa4af; --line: #343a42; --ground: #16191d; --row: #1e2227;
        --good: #4ac26b; --bad: #ff7b72; --odd: #e0a83c; } }
body { font: 15px/1.45 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; color: var(--ink); background: var(--ground);
       margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; } p { color: var(--faint); margin: .2rem 0 1.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; white-space: nowrap; cursor: pointer; user-select: none; } th[data-order="1"]::after { content: " \\2191"; }
th[data-order="-1"]::after { content: " \\2193"; }
td:last-child { min-width: 22rem; } td.number, th.number { text-align: right; white-space: nowrap; }
.pass { color: var(--good); } .fail { color: var(--bad); } .error { color: var(--odd); } .pass, .fail, .error { font-weight: 600; }
details { margin: .15rem 0; } summary { cursor: pointer; color: var(--faint); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--row); padding: .5rem .7rem; margin: .3rem 0; font-size: 12.5px; }
"""

SORT = """
for (const head of document.querySelectorAll("th")) head.onclick = () => {
  const order = -(head.dataset.order || -1), column = head.cellIndex, body = document.querySelector("tbody");
  document.querySelectorAll("th").forEach(other => delete other.dataset.order);
  head.dataset.order = order;
  const key = row => { const cell = row.cells[column], value = cell.dataset.value ?? cell.textContent;
                       return value !== "" && !isNaN(value) ? Number(value) : value; };
  [...body.rows].sort((a, b) => { const x = key(a), y = key(b); return order * (x < y ? -1 : x > y ? 1 : 0); }).forEach(row => body.append(row));
};
"""

COLUMNS = [
    ("task", ""),
    ("candidate", ""),
    ("verdict", ""),
    ("cases passed", "number"),
    ("speedup", "number"),
    ("latency", "number"),
    ("seconds", "number"),
    ("notes", ""),
]


def _cell(text, kind="", value=None):
    data = "" if value is None else f' data-value="{escape(str(value))}"'
    return f"<td{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}{data}>{text}</td>"


def _failures(unit, cases):
    failed = [case for case in cases if case["status"] != "pass"]
    parts = []
    if unit.get("error_msg") and not failed:
        parts.append(f"<pre>{escape(unit['error_type'] or '')}: {escape(unit['error_msg'].strip())}</pre>")
    for case in failed[:SHOWN_FAILURES]:
        parts.append(
            f"<pre>case {case['case_idx']} ({escape(describe_inputs(case['input_desc'], 100))})\n"
            f"{escape(case['error_type'] or '')}: {escape((case['error_msg'] or '').strip())}</pre>"
        )
    if len(failed) > SHOWN_FAILURES:
        parts.append(f"<pre>and {len(failed) - SHOWN_FAILURES} more</pre>")
    findings = [
        *unit.get("findings", []),
        *(finding for case in cases for finding in case.get("findings", [])),
        *(unit.get("bench") or {}).get("findings", []),
    ]
    if findings:
        parts.append(
            "<pre>" + escape("\n".join(f"{finding['id']}: {finding['text']}" for finding in findings[:SHOWN_FAILURES])) + "</pre>"
        )
    if not parts:
        return ""
    title = ", ".join(
        text
        for text in (
            plural(len(failed), "failed case") if failed else "",
            plural(len(findings), "finding") if findings else "",
            (unit.get("error_type") or "") if not failed else "",
        )
        if text
    )
    return f"<details><summary>{escape(title)}</summary>{''.join(parts)}</details>"


def _row(unit, cases):
    verify, bench = unit.get("verify") or {}, unit.get("bench") or {}
    counts = f"{verify['passed_cases']} of {verify['total_cases']}" if verify else ""
    speedup = bench.get("speedup_vs_torch")
    latency = (bench.get("implementation") or {}).get("avg_latency_ms")
    return (
        "<tr>"
        + "".join(
            [
                _cell(escape(unit["task"])),
                _cell(escape(unit["candidate"])),
                _cell(unit["status"], unit["status"]),
                _cell(counts, "number", verify["passed_cases"] / verify["total_cases"] if verify.get("total_cases") else ""),
                _cell("" if speedup is None else f"{speedup:.4g}x", "number", "" if speedup is None else speedup),
                _cell("" if latency is None else f"{latency:.4f} ms", "number", "" if latency is None else latency),
                _cell(f"{unit['seconds']:.1f}", "number", unit["seconds"]),
                _cell(_failures(unit, cases)),
            ]
        )
        + "</tr>"
    )


def page(title, units, missing=0):
    """The page. `units` are (record of a candidate, records of its cases); `missing` are not judged yet."""
    tally = {status: sum(unit["status"] == status for unit, _ in units) for status in ("pass", "fail", "error")}
    counts = [
        f"{plural(len(units), 'candidate')} of {plural(len({unit['task'] for unit, _ in units}), 'task')}",
        f"{tally['pass']} passed",
        f"{tally['fail']} failed",
    ]
    counts += [f"{tally['error']} could not be judged"] if tally["error"] else []
    counts += [f"{missing} not judged yet"] if missing else []
    heads = "".join(f'<th class="{kind}">{name}</th>' if kind else f"<th>{name}</th>" for name, kind in COLUMNS)
    rows = "\n".join(_row(unit, cases) for unit, cases in units)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>\n<h1>{escape(title)}</h1>\n<p>{', '.join(counts)}</p>\n"
        f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table></div>\n'
        f"<script>{SORT}</script></body></html>\n"
    )
