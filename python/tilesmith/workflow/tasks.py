"""docs/tasks.json: who did which step of a kernel when, on which version of its file.

Four tasks: `design` and `evaluation` of docs/design.md, `implementation` and `acceptance` of kernel.py. The tool notes them when it sees
a version for the first time and when it judges one, with hashes of what it was held against (`read`): the rules about syntax, the
interface, the kernel that a folder begins with, the checklist of the review. It is a sealed record: nobody else writes it.
"""

import hashlib
import json

from tilesmith import records

PAIRS = {"docs/design.md": ("design", "evaluation"), "kernel.py": ("implementation", "acceptance")}
FILE = "tasks.json"


def version(project, file):
    """The hash of what a task is about: of the design without the score that the tool writes."""
    path = project.path(*file.split("/"))
    if file != "docs/design.md":
        return records.sha256(path)
    from tilesmith.workflow import design

    try:
        return hashlib.sha256(design.without_score(path.read_text(encoding="utf-8")).encode()).hexdigest()
    except (OSError, UnicodeError):
        return None


def pages(file):
    """Hashes of what a file is judged by, by name."""
    from tilesmith.lint import engine
    from tilesmith.lint.rules import rules
    from tilesmith.workflow import review
    from tilesmith.workflow.project import TEMPLATES

    def of(content):
        return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:16]

    listed = rules()
    if file == "kernel.py":
        return {"review checklist": of([review.ITEMS, [rule["id"] for rule in listed if rule["id"].startswith("TS")]])}
    return {
        "syntax constraints": of([rule for rule in listed if rule["id"].startswith("TS1")]),
        "API patterns": of(sorted(engine.exports().split())),
        "golden kernel": of((TEMPLATES / "kernel.py.j2").read_text(encoding="utf-8")),
    }


def load(project):
    """The tasks; none where there is no record. RecordError if it is not as the tool left it."""
    path = project.path("docs", FILE)
    if not path.exists():
        return []
    content = records.read(path)
    if content.get("kernel_name") != project.name:
        raise records.RecordError(f"'{path}' is about '{content.get('kernel_name')}'")
    return content["tasks"]


def note(project, file, judged):
    """Notes that a file was written (a version not seen before) and judged (with what was found)."""
    try:
        tasks = load(project)
    except records.RecordError:
        tasks = []  # what is not trusted counts for nothing, and begins again
    made, judging = PAIRS[file]
    now = {"when": records.now(), "who": records.who(), "file": file, "sha256": version(project, file)}
    if not any(task["task"] == made and task["sha256"] == now["sha256"] for task in tasks):
        tasks.append({"task": made, **now})
    tasks.append({"task": judging, **now, **judged, "read": pages(file)})
    content = {"schema_version": 1, "kernel_name": project.name, "tasks": tasks[-200:]}
    records.write(project.path("docs", FILE), content)


def missing(project, file):
    """What is not noted about the present version of a file, in words."""
    try:
        tasks = load(project)
    except records.RecordError as error:
        yield str(error)
        return
    wanted = version(project, file)
    for name in PAIRS[file]:
        found = [task for task in tasks if task.get("task") == name and task.get("sha256") == wanted]
        if not found:
            yield f"docs/{FILE} has no {name} of this {file}"
        elif name == PAIRS[file][1]:
            read, now = found[-1].get("read") or {}, pages(file)
            if changed := [page for page in now if read.get(page) != now[page]]:
                yield f"the {name} of {file} was held against other versions of: {', '.join(changed)}"
