"""The conditions CP-0 to CP-3 as code: each gives what is missing, with the command that mends it."""

import re

from tilesmith import records
from tilesmith.lint.operator.folder import Document
from tilesmith.workflow import design, review, tasks

NAMES = ("CP-0", "CP-1", "CP-2", "CP-3")


def environment(project):
    """CP-0: the folder, and docs/environment.json of this kernel."""
    mend = f"tilesmith env {project.name}"
    for name in ("docs", "test"):
        if not project.path(name).is_dir():
            yield f"the folder {name}/ is missing", f"mkdir {project.folder / name}"
    try:
        content = records.read(project.environment)
    except records.RecordError as error:
        yield str(error), mend
        return
    if content.get("kernel_name") != project.name:
        yield f"docs/environment.json is about '{content.get('kernel_name')}'", mend
    for key, field in (("python", "version"), ("pyasc", "version"), ("cann", "status"), ("backend", "model")):
        if not (isinstance(content.get(key), dict) and content[key].get(field)):
            yield f"docs/environment.json has no {key}.{field}", mend
    for problem in content.get("blocking") or []:
        yield problem, "tilesmith doctor"


def designed(project):
    """CP-1: the design's score is computed again here; what is written must be that."""
    mend = f"tilesmith design {project.name} --check"
    score, _, wrong = design.evaluate(project)
    if wrong and score == 0:
        yield wrong[0], f"write {project.design}"
        return
    written = design.written_score(project.design.read_text(encoding="utf-8"))
    if written is None:
        yield f"docs/design.md has no {design.SCORE}", mend
    elif written != score:
        yield f"docs/design.md says {written}, the document scores {score}", mend
    if score < design.ENOUGH:
        yield f"the design scores {score}, {design.ENOUGH} is enough: {'; '.join(wrong[:3])}", f"edit {project.design}"
    for text in wrong:
        if text.startswith(("not ticked", "the boxes are ticked", "the compliance check has no boxes")):
            yield text, f"edit {project.design}"
    for text in tasks.missing(project, "docs/design.md"):
        yield text, mend
    title = re.search(r"^# .*", design.without_score(project.design.read_text(encoding="utf-8")), re.MULTILINE)
    named = re.findall(r"\b[a-z]\w*_\w+\b", title[0]) if title else []
    if named and project.name not in named:
        yield f"docs/design.md is about something else: {title[0]}", f"edit {project.design}"


def _reviewed(project, mend):
    """The review's record, or what is wrong with it: (content, [(text, command)])."""
    if not project.kernel.is_file():
        return None, [("kernel.py is missing", f"write {project.kernel}")]
    try:
        content = records.read(project.review)
    except records.RecordError as error:
        return None, [(f"no acceptance review: {error}", mend)]
    wrong = []
    if content.get("kernel_name") != project.name:
        wrong.append((f"the review is about '{content.get('kernel_name')}'", mend))
    if changed := review.stale(project, content):
        wrong.append((f"changed after the review: {', '.join(changed)}", mend))
    return content, wrong


def accepted(project):
    """CP-2: the kernel, and a review of just this kernel."""
    mend = f"tilesmith review {project.name}"
    content, wrong = _reviewed(project, mend)
    yield from wrong
    if content is None:
        return
    if content["score"] < design.ENOUGH:
        first = "; ".join(problem["text"] for problem in content["problems"][:3])
        yield f"the review scores {content['score']}, {design.ENOUGH} is enough: {first}", f"edit {project.kernel}"
    said = {(problem["severity"], problem["text"]) for problem in content["problems"]}
    if content["score"] != review.score_of([problem["severity"] for problem in content["problems"]]):
        yield "the review's score is not that of its problems", mend
    if left := [text for severity, text in review.static(project)[1] if (severity, text) not in said]:
        yield f"the review does not say: {left[0]}", mend
    for missing in tasks.missing(project, "kernel.py") if not wrong else ():
        yield missing, mend
    text = project.path("docs", "acceptance_review.md")
    section = Document(text.read_text(encoding="utf-8")).section("Total Score") if text.is_file() else None
    number = re.search(r"\d+(?:\.\d+)?", "\n".join(section[1])) if section else None
    if not number or float(number[0]) != content["score"]:
        yield "docs/acceptance_review.md does not say what the review found", mend


def verified(project):
    """CP-3: the run, and every static check; what upstream would refuse fails here."""
    mend = f"tilesmith review {project.name}"
    content, wrong = _reviewed(project, mend)
    yield from wrong
    if content is None:
        return
    if content["runtime"] != "PASS":
        yield f"the run is {content['runtime']}", f"edit {project.kernel}"
    if not content["static"]:
        problems = [problem["text"] for problem in content["problems"]]
        yield f"not every static check passes: {'; '.join(problems[:3])}", f"edit {project.kernel}"


CONDITIONS = {"CP-0": environment, "CP-1": designed, "CP-2": accepted, "CP-3": verified}


def missing(project, name):
    """[(what is missing, the command that mends it)] of a checkpoint."""
    return list(CONDITIONS[name](project))
