"""What a stage must show before it is completed: the rules of lint, the self-review held against the code, the verification."""

import re
from pathlib import Path

from tilesmith.lint import files
from tilesmith.lint.findings import Finding
from tilesmith.lint.operator.folder import BOX, Folder, wrapper_of
from tilesmith.operators import gates, golden_check, hooks, interfaces, phases, state, verification
from tilesmith.workflow import conduct

AUDITED = 5  # lines around the one that an audit names
REVIEWED = {
    "OL50": ("OL50", "signature"),
    "OL51": ("OL51", "outputs written"),
    "OL52": ("OL52", "view rank"),
    "OL53": ("OL53", "inventory"),
    "OL45": ("OL45", "in range"),
}


class Gate:
    """Called by the state machine. `findings` are those of the last call."""

    def __init__(self, folder, profile="latest", verify=True, platform=None):
        self.folder, self.profile, self.verify, self.platform = folder, profile, verify, platform
        self.findings, self.cases, self.time_us = [], 0, None
        self.state = None
        self.isTuned = False  # what is for after tuning alone (OL56) is not asked of earlier stages any more

    def __call__(self, stage, phase):
        files.operator_at.cache_clear()
        operator = files.Operator(self.folder, self.state["operator_name"], stage)
        if phase == "design":
            found = gates.of_folder(operator, stage, self.profile, gates.DESIGN, shown="")
        elif phase:
            found = gates.of_folder(operator, stage, self.profile, gates.PHASE, shown="")
            found += self.self_review(operator, phase)
        else:
            found = gates.of_folder(operator, stage, self.profile, shown="")
        if stage == 4 or phase:
            found += self.interfaces()
        if stage == 2 and not phase and self.verify:
            found += self.golden(operator)
        if stage == 3 and not phase:
            found += self.module_count()
        if phase not in (None, "design"):
            found += self.is_written(operator, phase)
        if stage >= 5:
            found += self.conduct(operator)
        if stage == 5 and not phase:
            found += self.clean_up(operator)
        found += self.escalated(operator) + self.retries(operator)
        found = [it for it in found if not (self.isTuned and it.rule == "OL56")]
        self.findings = found
        if gates.blocking(found):
            raise state.StateError(gates.block_text(found))
        if self.verify and stage == 6 and not phase:
            self.run_test(operator)
        if self.verify and (phase not in (None, "design") or stage in (6, 7)):
            self.run(operator, phase)

    def interfaces(self):
        folder = Folder(files.Operator(self.folder, self.state["operator_name"], 4), "", _options())
        try:
            content = interfaces.load(self.folder)
            wrong = interfaces.against_spec(content, folder.spec.front if folder.spec else {})
        except interfaces.InterfaceError as error:
            wrong = str(error).splitlines()
        return [Finding("OL50", "S1", text, interfaces.FILE, 1, 1, "see docs/op.md") for text in wrong]

    def golden(self, operator):
        folder = Folder(operator, "", _options())
        return golden_check.findings(self.folder, folder.spec, operator.name, folder.facts(f"{operator.name}_golden.py", "golden"))

    def conduct(self, operator):
        """An impl that reads files, runs text or looks at its callers may hold anything."""
        found = []
        for path in (operator.impl, *sorted(operator.path("modules").glob("*_impl.py"))):
            if phases.is_stub(path):
                continue
            file = path.relative_to(self.folder).as_posix()
            for line, what in conduct.places(path.read_bytes()):
                found.append(
                    Finding("OL16", "S1", f"{what}: an impl reads and writes tensors alone", file, line, 1, "compute in the kernel")
                )
        return found

    def run_test(self, operator):
        """The verdict of the operator's own test."""
        import importlib.util
        import os
        import subprocess
        import sys

        path = operator.test
        runner = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if importlib.util.find_spec("pytest") else []
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                [sys.executable, *runner, path.name],
                cwd=self.folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=verification.TIME_LIMIT,
            )
        except subprocess.TimeoutExpired:
            raise state.StateError(f"{path.name} takes more than {verification.TIME_LIMIT} s") from None
        if done.returncode or "[PRECISION_FAIL]" in done.stdout:
            lines = [line for line in done.stdout.splitlines() if line.startswith(("E  ", "[PRECISION_FAIL]"))]
            words = lines[0].removeprefix("E").strip() if lines else f"it ended with {done.returncode}"
            raise state.StateError(f"{path.name} fails: {words}")

    def is_written(self, operator, phase):
        """A stub is skipped by the rules; what is submitted is none."""
        single = self.state["module_count"] == 1
        file = f"{operator.name}_impl.py" if single else f"modules/{state.module_file(operator.name, phase)}"
        if Folder(operator, "", _options()).exists(file):
            return []
        return [Finding("OL44", "S1", f"{file} is missing, or still a stub", file, 1, 1, "write it, then submit it")]

    def clean_up(self, operator):
        """The impl of an operator of several modules is the last one's file under other names."""
        if self.state["module_count"] == 1 or phases.same_bodies(self.folder, _Named(self.state)):
            return []
        file = f"{operator.name}_impl.py"
        message = "the bodies are not those of the last module, which was verified"
        return [Finding("OL13", "S1", message, file, 1, 1, "tilesmith op cleanup writes the impl from the last module")]

    def module_count(self):
        folder = Folder(files.Operator(self.folder, self.state["operator_name"], 3), "", _options())
        count = folder.design.front.get("module_count") if folder.design else None
        if count != self.state["module_count"]:
            message = f"module_count is {count}, the operator was begun with {self.state['module_count']}"
            return [Finding("OL12", "S1", message, "DESIGN.md", 1, 1, "module_count in the front matter, from section 0.3")]
        return []

    def self_review(self, operator, phase):
        """Ticked items that the code contradicts, items that are missing, and the audit of valid shapes."""
        folder = Folder(operator, "", _options())
        memory = folder.memory
        found = []

        def tell(message, line=1):
            found.append(Finding("OL54", "S1", message, "MEMORY.md", line, 1, "tick what the code does, and only that"))

        if memory is None:
            tell("MEMORY.md is missing")
            return found
        active = str(folder.memory_facts.get("active_module"))
        if active != phase:
            tell(f"active_module of MEMORY.md is {active}, the phase is {phase}")
        section = memory.section(f"Phase {phase} self-review", f"Phase M_{phase[1:]} self-review")
        if not section:
            tell(f"no section `## Phase {phase} self-review`")
            return found
        boxes = [
            (section[0] + at, match[1] in "xX", match[2]) for at, line in enumerate(section[1], 1) if (match := BOX.match(line))
        ]
        single = self.state["module_count"] == 1
        file = f"{operator.name}_impl.py" if single else f"modules/{state.module_file(operator.name, phase)}"
        told = gates.of_folder(operator, 5, self.profile, [*REVIEWED], shown="")
        for rule, words in REVIEWED.items():
            ticked = [box for box in boxes if box[1] and any(word.lower() in box[2].lower() for word in words)]
            if ticked and (wrong := [it for it in told if it.rule == rule]):
                tell(
                    f"'{ticked[0][2]}' is ticked, and {wrong[0].file}:{wrong[0].line} says otherwise: {wrong[0].message}",
                    ticked[0][0],
                )
        facts = folder.facts(file)
        wrapper = wrapper_of(facts, Path(file).stem.removesuffix("_impl"))
        entries = {entry["name"] for entry in facts.get("entries", [])}
        calls = sum(call in entries for call in wrapper["calls"]) if wrapper else 0
        ticked = [box for box in boxes if box[1] and re.search(r"JIT call|exactly once", box[2], re.IGNORECASE)]
        if ticked and calls != 1:
            tell(f"'{ticked[0][2]}' is ticked, and the wrapper calls the entry {calls} times", ticked[0][0])
        audit = [box for box in boxes if re.search(r"valid.?shape", box[2], re.IGNORECASE)]
        place = re.search(r"([\w./]+\.py):(\d+)", audit[0][2]) if audit and audit[0][1] else None
        if not place:
            tell("the valid-shape audit is missing, not ticked, or without a line", audit[0][0] if audit else section[0])
        else:
            lines = (folder.text(place[1]) or "").splitlines()
            near = lines[max(int(place[2]) - AUDITED, 0) : int(place[2]) + AUDITED]
            if int(place[2]) > len(lines):
                tell(f"the valid-shape audit names {place[0]}, which is not there", audit[0][0])
            elif any("valid_shape" in line for line in lines) and not any("valid_shape" in line for line in near):
                tell(f"the valid-shape audit names {place[0]}, where there is no valid_shape", audit[0][0])
        ticked = [box for box in boxes if box[1] and "inventory" in box[2].lower()]
        rows = [row for document in (folder.spec, memory) for row in (document.tables(("inventory",)) if document else ())]
        if ticked and not any(cells and "golden" in cells[0] for _, cells in rows):
            tell(f"'{ticked[0][2]}' is ticked, and no inventory names a function of the golden", ticked[0][0])
        return found

    def escalated(self, operator):
        text = (Folder(operator, "", _options()).text("MEMORY.md") or "").lower()
        return [
            Finding(
                "OL54",
                "S1",
                f"{key} blocked five times in a row and was not escalated",
                "MEMORY.md",
                1,
                1,
                "hand it to a debugger, and log it",
            )
            for key in hooks.escalations(operator)
            if "escalating: " + key.rsplit(":", 1)[1].lower() not in text
        ]

    def retries(self, operator):
        """Rules that blocked before and are clean now have their line in the log."""
        text = Folder(operator, "", _options()).text("MEMORY.md") or ""
        journal = hooks.blocked_rules(operator)
        return [
            Finding(
                "OL54",
                "S1",
                f"{rule} was repaired and the retry was not logged",
                "MEMORY.md",
                1,
                1,
                f"- lint retry {rule}: cause → fix",
            )
            for rule in sorted(journal)
            if not re.search(rf"lint retry {rule}\s*:", text)
        ]

    def run_phase(self, phase):
        """The verification of a module alone."""
        self.run(files.Operator(self.folder, self.state["operator_name"], 5), phase)

    def run(self, operator, phase):
        import importlib.util

        if importlib.util.find_spec("pypto") is None:
            raise state.StateError(
                "there is no pypto here: what is not run is not verified\nhelp: install the package pypto of this Tilesmith"
            )
        platform = self.platform or self.state.get("platform")
        content = verification.fingerprint(self.folder, operator.name, phase, self.state["module_count"], platform)
        kept = self.state.get("verified") or {}
        if (
            phase
            and kept.get("content") == content
            and self.state["stage5_phases"]["phase_status"][phase]["status"] == "awaiting_verify"
        ):
            self.cases, self.time_us = kept["cases"], kept["time_us"]
            return
        try:
            self.cases, self.time_us = verification.verify(self.folder, operator.name, phase, self.state["module_count"], platform)
        except (verification.Drift, interfaces.InterfaceError) as error:
            raise state.StateError(f"verification: {error}") from None
        self.state["verified"] = {"content": content, "cases": self.cases, "time_us": self.time_us}
        if operator.stage == 7:
            before = self.state.get("model_time_us")
            if before and self.time_us and self.time_us > before * (1 + 1e-6):
                raise state.StateError(
                    f"the tuned operator takes {self.time_us:.2f} us on the model, before it took {before:.2f} us"
                )


class _Named:
    """What `phases` asks of a machine, of a state alone."""

    def __init__(self, content):
        self.name, self.phases = content["operator_name"], content["stage5_phases"]


def _options():
    from tilesmith.lint import engine

    return engine.Options()
