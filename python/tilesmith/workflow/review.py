"""The acceptance review of a kernel, computed: rules, static checks, two runs on the model, a score for what was found.

Two further runs replace every result of a launch by bytes nobody can guess. A script that passes then, too, compares nothing that its
kernel computed; and from what it compares in both the place is known where each element comes from (`lineage`).

The score begins at 10. One critical problem: 6.9, less 0.9 for each further one. No critical, some high: 9.0, less 0.5 for each, at
least 7.0. Neither: 10, at least 9.0. In each band a medium problem costs 0.1 (0.3 where there is neither), a low one 0.05 (0.1).
So one high problem is 8.5, which passes, and one medium more is 8.4, which does not.
"""

import hashlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

from tilesmith import records
from tilesmith.lint import config, engine
from tilesmith.lint.rules import rules
from tilesmith.workflow.design import ENOUGH

CHILD = Path(__file__).with_name("review_child.py")
TIME_LIMIT = 600
TOTAL = "## Total Score"
# Rules by item of the checklist: (category, item, severity, prefixes of rules).
ITEMS = [
    ("syntax", "supported constructs only", "critical", ("TS1",)),
    ("syntax", "names have a value on every path", "high", ("TS115",)),
    ("API", "names exist, arguments match, copies go the right way", "critical", ("TS135", "TS3")),
    ("loops", "asc2.range; parallel loops carry nothing", "high", ("TS2",)),
    ("launch", "blocks, arguments and results of launches", "critical", ("TS4",)),
    ("verification", "results are compared, and closely", "high", ("TS5",)),
    ("JIT", "always_compile=True", "medium", ("TS303",)),
    ("conduct", "no paths of one machine, no secrets", "medium", ("TS7",)),
]


def score_of(severities):
    """The score of a list of critical, high, medium, low."""
    critical, high, medium, low = (severities.count(name) for name in ("critical", "high", "medium", "low"))
    if critical:
        return round(max(6.9 - 0.9 * (critical - 1) - 0.1 * (high + medium), 0.0), 2)
    if high:
        return round(max(9.0 - 0.5 * high - 0.1 * medium - 0.05 * low, 7.0), 2)
    return round(max(10.0 - 0.3 * medium - 0.1 * low, 9.0), 2)


def _item_of(rule):
    """The item a rule belongs to: the one with the longest prefix."""
    found = [(len(prefix), index) for index, item in enumerate(ITEMS) for prefix in item[3] if rule.startswith(prefix)]
    return ITEMS[max(found)[1]] if found else None


def static(project, configured=False):
    """(checks of the source, problems): each check is (category, item, passed, evidence), each problem (severity, text).

    `configured`: a library may say in its pyproject.toml that it is for our compiler alone: rules about what upstream's refuses, and
    no others, are off as they are there."""
    checks, problems = [], []
    try:
        text = project.kernel.read_bytes()
    except OSError:
        return [("file", "kernel.py", False, "it is missing")], [("critical", "kernel.py is missing")]
    options = engine.Options(enable=["TS303"])
    if configured:
        settings = config.load(str(project.kernel))
        off = set(settings.disable) | set(settings.ignored(str(project.kernel)))
        portability = {name for rule in rules() if rule["portability"] for name in (rule["id"], rule["name"])}
        options = engine.Options(portable=settings.portable, disable=sorted(off & portability))
    found = [it for it in engine.lint_file(str(project.kernel), options) if it.level != "info" or it.rule == "TS303"]
    for category, item, severity, prefixes in ITEMS:
        mine = [it for it in found if (owner := _item_of(it.rule)) and owner[1] == item]
        evidence = (
            "; ".join(f"kernel.py:{it.line} {it.message} [{it.rule}]" for it in mine[:5]) or f"lint: {', '.join(prefixes)} clean"
        )
        checks.append((category, item, not mine, evidence))
        problems += [(severity, f"kernel.py:{it.line}: {it.message} [{it.rule}]") for it in mine]
    if any(it.rule == "TS901" for it in found):
        checks.append(("syntax", "the file parses", False, found[0].message))
        problems.append(("critical", f"kernel.py: {found[0].message}"))
        return checks, problems
    _, facts = engine.lint_text(str(project.kernel), text, "kernel", 0, options, describe=True)
    kernels = facts.get("kernels", [])
    host = [function for function in facts.get("functions", []) if not function["device"]]
    stated = [
        (
            "JIT",
            "a kernel of asc2 or asc",
            "critical",
            bool(kernels),
            f"kernels: {', '.join(it['name'] for it in kernels) or 'none'}",
        ),
        ("launch", "every kernel is launched", "high", all(it["launched"] for it in kernels), "launches of the file"),
        ("API", "loads and stores", "critical", _moves(kernels), "calls in kernels and the functions they call"),
        (
            "verification",
            "a test_* function that compares",
            "high",
            any(it["name"].startswith("test_") and it["checks"] for it in host),
            "functions of the file, and what they call",
        ),
        ("verification", "a comparison that can fail", "critical", any(it["checks"] for it in host), "calls of host functions"),
    ]
    for category, item, severity, holds, evidence in stated:
        checks.append((category, item, holds, evidence))
        if not holds:
            problems.append((severity, f"{item}: no"))
    return checks, problems


def of_project(project):
    """What is asked of a project besides: [(item, severity, what is wrong)]."""
    from tilesmith.workflow import conduct, design

    yield (
        "the script does not look at who runs it, and replaces nothing",
        "medium",
        [f"{file}:{line} {what}" for file, line, what in conduct.of_folder(project)],
    )
    yield "what the design names is used", "medium", [f"{name} is not used" for name in design.unused(project)]


def kernels_of(project):
    """Names of the kernels of kernel.py."""
    options = engine.Options()
    try:
        text = project.kernel.read_bytes()
        return {it["name"] for it in engine.lint_text("kernel.py", text, "kernel", 0, options, describe=True)[1].get("kernels", [])}
    except OSError:
        return set()


def _moves(kernels):
    calls = {call for it in kernels for call in it["calls"]}
    ends = ("data_copy", "data_copy_pad", "load_data", "fixpipe", "iterate_all", "get_tensor_c", "Matmul")
    ascs = any(call.endswith(ends) for call in calls)
    return ascs or ({"asc2.store"} <= calls or any("atomic" in call or "scatter" in call for call in calls))


def execute(project, platform, poison="", words=(), last=None):
    """What a run of the script did (a lineage.Run), or why there was none. `words` are further arguments of the script, `last` is how
    many comparisons the ordinary run had."""
    import numpy as np

    from tilesmith.workflow.lineage import Run

    job = {"script": str(project.kernel), "platform": platform, "poison": poison, "words": words, "last": last}
    nothing = {"launches": [], "findings": [], "comparisons": []}
    with tempfile.TemporaryDirectory(prefix="tilesmith-review-") as scratch:
        answer = Path(scratch) / "answer.npz"
        command = [sys.executable, str(CHILD), str(answer)]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command, input=json.dumps(job), capture_output=True, text=True, timeout=TIME_LIMIT, env=environment
            )
        except subprocess.TimeoutExpired:
            return Run({"error": f"it takes more than {TIME_LIMIT} s", **nothing}, {})
        try:
            with np.load(answer, allow_pickle=False) as results:
                arrays = {name: results[name] for name in results.files}
            return Run(json.loads(arrays.pop("facts").tobytes()), arrays)
        except (OSError, ValueError, KeyError):
            lines = (done.stderr.strip() or f"the process ended with {done.returncode}").splitlines()
            return Run({"error": lines[-1], **nothing}, {})


def dynamic(project, platform, words=(), isFirst=True, isWitnessed=False):
    """(checks, problems, facts) of three runs; of one where it is not the first time. `isWitnessed`: what is compared is looked at, too."""
    plain = execute(project, platform, words=words)
    run, launches = plain.facts, plain.facts["launches"]
    checks, problems = [], []

    def note(item, holds, severity, evidence):
        checks.append(("execution", item, holds, evidence))
        if not holds:
            problems.append((severity, f"{item}: {evidence}"))

    note("the script ends well", not run["error"], "critical", run["error"] or f"python kernel.py -r Model -v {platform}")
    note("it launches", bool(launches), "critical", f"{len(launches)} launches")
    if launches:
        wrong = sorted({str(it["platform"]) for it in launches if it["platform"] != platform})
        note("it runs on the platform that is asked for", not wrong, "high", ", ".join(wrong) or platform)
        note(
            "no findings in checked mode",
            not run["findings"],
            "critical",
            "; ".join(run["findings"][:3]) or "order, bounds, initialisation",
        )
        sizes = {it["elements"] for it in launches}
        note("several shapes", len(sizes) > 1, "low", f"{len(sizes)} sizes of arrays")
    if launches and not run["error"] and isFirst:
        _replaced(project, platform, words, plain, note, isWitnessed)
    return checks, problems, run


def _replaced(project, platform, words, plain, note, isWitnessed):
    """Two runs with replaced results, beside each other, and what they show."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from tilesmith.judge.verdict.evidence import scrambled
    from tilesmith.workflow import lineage

    table, tail = scrambled(), secrets.token_hex(8)
    tables = [np.arange(256, dtype=np.uint8), table] if isWitnessed else [table]
    with ThreadPoolExecutor(2) as threads:
        started = [
            threads.submit(execute, project, platform, it.tobytes().hex() + tail, words, len(plain.comparisons)) for it in tables
        ]
        runs = [each.result() for each in started]
    holds = all(run.facts["error"] for run in runs)
    text = (
        f"with replaced results the script ends with: {runs[-1].facts['error']}"
        if holds
        else "the script passes although every result of its launches was replaced"
    )
    note("the comparison depends on what the kernel computed", holds, "critical", text)
    if not isWitnessed:
        return
    found, compared = lineage.problems(plain, *runs, table)
    for severity, text in found:
        note("what is compared is what the kernel wrote, and right", False, severity, text)
    if not found:
        note("what is compared is what the kernel wrote, and right", True, "", f"{compared} elements, each moved alone; the judge")


def review(project, platform):
    """Computes the review, writes its three documents and the record that binds them. Returns the record."""
    from tilesmith.workflow import tasks

    checks, problems = static(project)
    for item, severity, found in of_project(project):
        checks.append(("conduct", item, not found, "; ".join(found[:5]) or "sources of the folder"))
        problems += [(severity, f"{item}: {text}") for text in found]
    more, worse, run = dynamic(project, platform, isWitnessed=True)
    known = kernels_of(project)
    if strange := sorted({it["kernel"] for it in run["launches"]} - known):
        worse.append(("critical", f"kernel.py has no kernel {', '.join(strange)}, which is launched"))
    score = score_of([severity for severity, _ in problems + worse])
    result = "PASS" if not worse and run["launches"] else "FAIL"
    times = [it for it in run["launches"] if it.get("time_us")]
    bound = [it for it in times if it.get("bound_us")]
    slowest = max(times, key=lambda it: it["time_us"], default=None)
    speed = None
    if slowest:
        share = f", {slowest['bound_us'] / slowest['time_us']:.0%} of its bound" if slowest in bound else ""
        speed = f"{slowest['kernel']}, {slowest['elements']} elements: {slowest['time_us']:.1f} us{share}"
    people = {name: _kept(project.path("docs", name)) for name in ("self_review.md", "acceptance_review.md", "verification.md")}
    _write(project, "self_review.md", ["# Self review", "", *_table(checks)], people)
    accepted = "accepted" if score >= ENOUGH else "not accepted"
    body = ["# Acceptance review", "", *_table(checks + more), "", TOTAL, "", f"{score:.2f} / 10 ({accepted}; {ENOUGH} is enough)"]
    body += ["", "## Problems", "", *(f"- {severity}: {text}" for severity, text in problems + worse)] if problems + worse else []
    _write(project, "acceptance_review.md", body, people)
    body = ["# Verification", "", "## Runtime", "", f"Result: {result}", "", f"python kernel.py -r Model -v {platform}"]
    body += ["", *(f"- {text}" for _, text in worse)] if worse else []
    body += ["", f"Model time: {speed}"] if speed else []
    body += [
        "",
        "## Static checks",
        "",
        *(f"- [{'x' if holds else ' '}] {item}: {evidence}" for _, item, holds, evidence in checks),
    ]
    limits = "Run on the model, not on a chip; on the sizes of the script."
    body += ["", "## Limitations", "", limits if result == "PASS" else f"{limits} The run failed: nothing is shown to be right."]
    _write(project, "verification.md", body, people)
    content = {
        "schema_version": 1,
        "kernel_name": project.name,
        "when": records.now(),
        "who": records.who(),
        "platform": platform,
        "score": score,
        "runtime": result,
        "static": all(holds for _, _, holds, _ in checks),
        "problems": [{"severity": severity, "text": text} for severity, text in problems + worse],
        "launches": run["launches"],
        "hashes": hashes(project),
    }
    records.write(project.review, content)
    tasks.note(project, "kernel.py", {"score": score, "runtime": result})
    return content


DOCUMENTS = ("docs/self_review.md", "docs/acceptance_review.md", "docs/verification.md")


def hashes(project):
    """What the review is about, and what it wrote."""
    found = {name: _without_notes(project.path(name)) for name in DOCUMENTS}
    return {"kernel.py": records.sha256(project.kernel)} | found | {"parts": _imports(project)}


def _without_notes(path):
    """The hash of a document but for what people write between the marks."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return None
    before, _, rest = text.partition(NOTES[0])
    return hashlib.sha256((before + rest.partition(NOTES[1])[2]).encode()).hexdigest()


def _imports(project):
    """Other files of the folder: a kernel may live in one."""
    names = sorted(
        path.relative_to(project.folder).as_posix() for path in project.folder.rglob("*.py") if "__pycache__" not in path.parts
    )
    return {name: records.sha256(project.path(name)) for name in names if name != "kernel.py"}


def stale(project, content):
    """Names of files that are not what they were when the review was written. Notes of people between their marks may change."""
    now, then = hashes(project), content.get("hashes") or {}
    changed = [name for name in ("kernel.py", *DOCUMENTS) if now[name] != then.get(name)]
    parts = then.get("parts") or {}
    return changed + [name for name in sorted({*now["parts"], *parts}) if now["parts"].get(name) != parts.get(name)]


NOTES = ("<!-- notes -->", "<!-- end of notes -->")


def _kept(path):
    """What people wrote between the marks."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return ""
    if NOTES[0] not in text or NOTES[1] not in text:
        return ""
    return text.split(NOTES[0], 1)[1].split(NOTES[1], 1)[0].strip("\n")


def _write(project, name, lines, people):
    from tilesmith.lint import fixes

    notes = [NOTES[0], *([people[name]] if people[name] else []), NOTES[1]]
    project.path("docs").mkdir(exist_ok=True)
    fixes.write(str(project.path("docs", name)), ("\n".join([*lines, "", "## Notes", "", *notes]) + "\n").encode())


def _table(checks):
    rows = [
        f"| {category} | {item} | {'pass' if holds else 'FAIL'} | {evidence.replace('|', '/')} |"
        for category, item, holds, evidence in checks
    ]
    return ["| | item | | evidence |", "|---|---|---|---|", *rows]
