"""The gates of a whole repository: before a change is proposed (pr), before it is merged, and every night.

pr looks at sources and at what is recorded; merge runs every golden kernel and is strict; nightly runs the generated ones, too, and looks
for regressions.
"""

from pathlib import Path

from tilesmith.workflow import capabilities, review
from tilesmith.workflow.project import Project

LEVELS = ("pr", "merge", "nightly")


def scripts(content, folder, kinds):
    """(name, script, cell) of every kernel the cells name, each once for a platform and a type."""
    from tilesmith import records

    found = {}
    for operation, cell in capabilities.cells(content):
        for kind in kinds:
            if cell.get(f"{kind}_status") in (None, "untested", "blocked"):
                continue
            named = cell.get("golden") if kind == "golden" else None
            if not named and cell.get(f"{kind}_evidence"):
                try:
                    named = records.read(folder / cell[f"{kind}_evidence"]).get("kernel_path")
                except records.RecordError:
                    continue  # `check` tells it
            if named:
                name = f"{operation['name']} {cell['dtype']} {cell['platform']} ({kind})"
                found[str(named), cell["platform"], cell["dtype"]] = (name, folder / str(named), cell)
    return list(found.values())


def run(level, path, advance=lambda: None):
    """(failures, warnings, kernels looked at) of a gate. CapabilityError if there is nothing to judge."""
    content = capabilities.load(path)
    folder = Path(path).resolve().parent
    verdict = capabilities.check(path, soft_runtime=level == "pr")
    failures, warnings = list(verdict["failures"]), list(verdict["warnings"])
    kinds = ("golden", "generative") if level == "nightly" else ("golden",)
    looked = scripts(content, folder, kinds)
    for name, kernel, cell in looked:
        script = capabilities.Script(kernel, Project(kernel.parent))
        _, problems = review.static(script, configured=True)
        if level != "pr" and kernel.is_file():
            problems += capabilities.runs(script, cell["platform"], cell["dtype"], cell.get("shapes"))[1]
        failures += [f"{name}: {text}" for severity, text in problems if severity in ("critical", "high")]
        warnings += [f"{name}: {text}" for severity, text in problems if severity not in ("critical", "high")]
        advance()
    if level == "nightly":
        failures += capabilities.regressions(folder / "evidence")[1]
    return failures, warnings, len(looked)
