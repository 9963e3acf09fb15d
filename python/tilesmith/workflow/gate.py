"""The record of a kernel's checkpoints: who passed which when, with the hashes of what was there.

Invariants
 - a checkpoint passes only when those before it have passed, and still hold
 - the record is sealed (tilesmith.records): what was edited, or copied from another kernel, is refused
"""

from tilesmith import records
from tilesmith.workflow import checkpoints

FILES = {
    "CP-0": ("docs/environment.json",),
    "CP-1": ("docs/design.md",),
    "CP-2": ("kernel.py", "docs/self_review.md", "docs/acceptance_review.md", "docs/review.json"),
    "CP-3": ("kernel.py", "docs/verification.md", "docs/review.json"),
}


class Refused(Exception):
    """A checkpoint that cannot be tried: one before it is open, or the record is not to be trusted."""


def load(project):
    """The record, a new one if there is none. Refused if it is not as the tool left it."""
    if not project.record.exists():
        return {"schema_version": 1, "kernel_name": project.name, "history": []}
    try:
        content = records.read(project.record)
    except records.RecordError as error:
        raise Refused(f"{error}; remove it, and pass the checkpoints again") from None
    if content.get("kernel_name") != project.name:
        raise Refused(f"'{project.record}' is the record of '{content.get('kernel_name')}', not of '{project.name}'")
    return content


def passed(content):
    """Names of checkpoints that have passed once."""
    return {entry["checkpoint"] for entry in content["history"] if entry["passed"]}


def run(project, wanted=None):
    """Tries a checkpoint (the next one that is open, without a name). Returns (name, [(missing, command)])."""
    if not project.folder.is_dir():
        raise Refused(f"there is no folder '{project.folder}'")
    docs = project.path("docs")
    if not docs.is_dir():
        raise Refused(f"there is no '{docs}'; `tilesmith new {project.name}` begins a kernel")
    with records.locked(docs):
        content = load(project)
        done = passed(content)
        name = wanted or next((it for it in checkpoints.NAMES if it not in done), checkpoints.NAMES[-1])
        before = checkpoints.NAMES[: checkpoints.NAMES.index(name)]
        for earlier in before:
            if earlier not in done:
                raise Refused(f"{earlier} has not passed: tilesmith gate {project.name} --checkpoint {earlier}")
        found = [
            (f"{earlier} does not hold any more: {text}", command)
            for earlier in before
            for text, command in checkpoints.missing(project, earlier)
        ]
        found += checkpoints.missing(project, name)
        content["history"].append(
            {
                "checkpoint": name,
                "passed": not found,
                "when": records.now(),
                "who": records.who(),
                "hashes": {file: records.sha256(project.path(file)) for file in FILES[name]},
                "missing": [text for text, _ in found],
            }
        )
        records.write(project.record, content)
    return name, found
