"""The state machine of an operator's seven stages. Every action is a row: what it needs, what it does, which gate it passes.

Invariants
 - `.orchestrator_state.json` is changed here alone, in one step; a direct edit is noticed when it is read next
 - a stage begins when the one before is completed, and one is in progress at most
 - SPEC.md keeps the hash it had when stage 1 was completed; files of verified phases keep theirs
"""

import re

from tilesmith import records
from tilesmith.operators import harness

FILE = ".orchestrator_state.json"
STAGES = 7
MAX_CYCLES = 10
CATEGORIES = (
    "precision",
    "aicore",
    "host_crash",
    "workspace_overlap",
    "oom",
    "tile_shape",
    "structure",
    "layout",
    "infra",
    "other",
)
FROZEN_BY = {
    1: ("SPEC.md",),
    2: ("{op}_golden.py",),
    3: ("DESIGN.md",),
    4: ("eval/module_interfaces.yaml",),
    7: ("{op}_impl.py", "test_{op}.py"),
}


class StateError(Exception):
    """An action that the state does not allow, or a state that cannot be trusted."""


def module_file(name, phase):
    """The impl of a phase, as its suffix counts: M3 is module123."""
    match = re.fullmatch(r"M_?(\d+)", phase)
    suffix = "".join(map(str, range(1, int(match[1]) + 1))) if match else ""
    return f"{name}_module{suffix}_impl.py"


def new(name, modules):
    return {
        "operator_name": name,
        "schema_version": "2.0",
        "max_stage": STAGES,
        "current_stage": 1,
        "module_count": modules,
        "stage_status": {"1": "in_progress", **{str(stage): "pending" for stage in range(2, STAGES + 1)}},
        "stage_retry_count": {str(stage): 0 for stage in range(1, STAGES + 1)},
        "stage5_phases": {
            "active_phase": None,
            "phase_status": {f"M{number}": {"status": "pending", "cycles": 0} for number in range(1, modules + 1)},
            "max_cycles_per_phase": MAX_CYCLES,
        },
        "artifact_hashes": {},
        "rollback_history": [],
        "log": [{"action": "init", "when": records.now(), "who": records.who()}],
        "last_updated": records.now(),
    }


def load(folder, isForeign=False):
    try:
        content = records.read(folder / FILE, isForeign)
    except records.RecordError as error:
        raise StateError(str(error)) from None
    if not isinstance(content.get("stage_status"), dict) or not isinstance(content.get("operator_name"), str):
        raise StateError(f"'{folder / FILE}' is not the state of an operator")
    if content["operator_name"] != folder.resolve().name:
        raise StateError(f"'{folder / FILE}' is the state of '{content['operator_name']}', not of '{folder.resolve().name}'")
    return content


def save(folder, state):
    state["last_updated"] = records.now()
    records.write(folder / FILE, state)


class Machine:
    """The state of one folder, with the actions on it. `gate(stage, phase)` raises StateError if what a stage must show is not shown."""

    def __init__(self, folder, gate, isForeign=False):
        self.folder, self.gate = folder, gate
        self.state = load(folder, isForeign)

    @property
    def name(self):
        return self.state["operator_name"]

    @property
    def stage(self):
        return self.state["current_stage"]

    @property
    def phases(self):
        return self.state["stage5_phases"]

    def status(self, stage):
        return self.state["stage_status"].get(str(stage), "pending")

    def phase(self, name):
        facts = self.phases["phase_status"].get(name)
        if facts is None:
            known = ", ".join(self.phases["phase_status"])
            raise StateError(f"there is no phase {name}; the phases are {known}")
        return facts

    def in_progress(self):
        return [int(stage) for stage, status in self.state["stage_status"].items() if status == "in_progress"]

    def note(self, action, **facts):
        self.state["log"].append({"action": action, "when": records.now(), "who": records.who(), **facts})

    def need(self, holds, text):
        if not holds:
            raise StateError(text)

    def changed(self):
        """What earlier stages left and is not as it was, in words."""
        for file, known in self.state["artifact_hashes"].items():
            actual = records.sha256(self.folder / file)
            if actual != known:
                what = "is gone" if actual is None else "was changed"
                yield f"{file} {what} after it was frozen; `tilesmith op rollback` opens its stage again"

    def check_frozen(self):
        for text in self.changed():
            raise StateError(text)

    # Stages.

    def start(self, stage):
        self.need(1 <= stage <= STAGES, f"there is no stage {stage}")
        running = self.in_progress()
        self.need(not running, f"stage {running[0] if running else 0} is in progress")
        self.need(stage == 1 or self.status(stage - 1) == "completed", f"stage {stage - 1} is not completed")
        self.need(self.status(stage) != "completed", f"stage {stage} is completed already")
        self.check_frozen()
        self.state["stage_status"][str(stage)] = "in_progress"
        self.state["current_stage"] = stage
        self.note("start_stage", stage=stage)

    def complete(self, stage):
        self.need(self.status(stage) == "in_progress", f"stage {stage} is not in progress")
        self.check_frozen()
        if stage == 5:
            open_phases = [name for name, facts in self.phases["phase_status"].items() if facts["status"] != "verified"]
            self.need(not open_phases, f"not verified: {', '.join(open_phases)}")
        self.gate(stage, None)
        for file in FROZEN_BY.get(stage, ()):
            self.freeze(file.format(op=self.name))
        if stage == 4:
            for file in harness.write(self.folder, self.name):
                self.freeze(file)
        self.state["stage_status"][str(stage)] = "completed"
        self.note("complete_stage", stage=stage)
        if stage < STAGES:
            self.state["stage_status"][str(stage + 1)] = "in_progress"
            self.state["current_stage"] = stage + 1

    def freeze(self, file):
        found = records.sha256(self.folder / file)
        self.need(found is not None, f"{file} is missing")
        self.state["artifact_hashes"][file] = found

    def adopt(self):
        """Everything that a state of somebody else says is completed is shown again, here; then it is this user's."""
        self.need(self.stage in range(1, STAGES + 1), "the state has no stage")
        self.check_frozen()
        for stage in range(1, STAGES + 1):
            files = [file.format(op=self.name) for file in FROZEN_BY.get(stage, ())] if self.status(stage) == "completed" else []
            for file in files:
                if file not in self.state["artifact_hashes"]:
                    self.freeze(file)
        self.state.pop("model_time_us", None)  # of another model, perhaps
        self.gate.isTuned = self.status(STAGES) == "completed"
        for stage in (stage for stage in range(1, STAGES + 1) if self.status(stage) == "completed"):
            self.gate(stage, None)
        for name, facts in self.phases["phase_status"].items():
            if facts["status"] == "verified":
                self.gate.run_phase(name)
        self.note("adopt")

    def fail(self, stage):
        self.need(self.status(stage) == "in_progress", f"stage {stage} is not in progress")
        self.state["stage_status"][str(stage)] = "failed"
        self.state["stage_retry_count"][str(stage)] += 1
        self.note("fail_stage", stage=stage)

    def submit_design(self):
        self.need(self.stage == 4 and self.status(4) == "in_progress", "the design is submitted in stage 4")
        self.check_frozen()
        self.gate(4, "design")
        self.note("submit_design")

    def rollback(self, stage, reason):
        self.need(1 <= stage < self.stage, f"a rollback goes to an earlier stage than {self.stage}")
        self.need(bool(reason and reason.strip()), "a rollback needs a reason")
        self.state["rollback_history"].append(
            {"from": self.stage, "to": stage, "reason": reason, "when": records.now(), "who": records.who()}
        )
        for later in range(stage, STAGES + 1):
            self.state["stage_status"][str(later)] = "pending"
            for file in FROZEN_BY.get(later, ()):
                self.state["artifact_hashes"].pop(file.format(op=self.name), None)
            if later == 4:
                for file in [file for file in self.state["artifact_hashes"] if file.startswith("eval/")]:
                    self.state["artifact_hashes"].pop(file)
        if stage <= 5:
            for name, facts in self.phases["phase_status"].items():
                self.state["artifact_hashes"].pop(f"modules/{module_file(self.name, name)}", None)
                facts.update(status="pending", cycles=0)
            self.phases["active_phase"] = None
        self.state["stage_status"][str(stage)] = "in_progress"
        self.state["current_stage"] = stage
        self.note("rollback_to_stage", stage=stage, reason=reason)

    def record(self, file, value):
        self.need(bool(re.fullmatch(r"[0-9a-f]{64}", value)), "a hash is 64 hexadecimal digits")
        self.need(records.sha256(self.folder / file) == value, f"{file} does not have this hash")
        self.state["artifact_hashes"][file] = value
        self.note("record_artifact_hash", file=file)

    # Phases of stage 5.

    def start_phase(self, name):
        facts = self.phase(name)
        self.need(self.stage == 5 and self.status(5) == "in_progress", "phases are for stage 5")
        active = self.phases["active_phase"]
        self.need(active in (None, name), f"{active} is active; one module at a time")
        self.need(facts["status"] not in ("verified", "blocked"), f"{name} is {facts['status']}")
        for before, other in self.phases["phase_status"].items():
            if before == name:
                break
            self.need(other["status"] == "verified", f"{before} is not verified")
        self.check_frozen()
        self.phases["active_phase"] = name
        facts["status"] = "in_progress"
        self.note("start_phase", phase=name)

    def submit_phase(self, name):
        facts = self.phase(name)
        self.need(self.phases["active_phase"] == name, f"{name} is not active")
        self.need(facts["status"] in ("in_progress", "in_debug"), f"{name} is {facts['status']}")
        self.check_frozen()
        self.check_one_module(name)
        self.gate(5, name)
        facts["status"] = "awaiting_verify"
        self.note("submit_for_verify", phase=name)

    def check_one_module(self, name):
        """No later module is written yet: a stub, or nothing."""
        from tilesmith.lint.files import STUB

        names = list(self.phases["phase_status"])
        for later in names[names.index(name) + 1 :]:
            path = self.folder / "modules" / module_file(self.name, later)
            if path.is_file() and STUB not in path.read_bytes()[:512]:
                raise StateError(f"{path.name} is written before {name} is verified; one module at a time")

    def complete_phase(self, name):
        facts = self.phase(name)
        self.need(self.phases["active_phase"] == name, f"{name} is not active")
        self.need(facts["status"] == "awaiting_verify", f"{name} is {facts['status']}; submit it first")
        self.check_frozen()
        self.gate(5, name)
        facts["status"] = "verified"
        if len(self.phases["phase_status"]) > 1:
            self.freeze(f"modules/{module_file(self.name, name)}")
        self.phases["active_phase"] = None
        self.note("complete_phase", phase=name)

    def fail_phase(self, name, category):
        facts = self.phase(name)
        self.need(category in CATEGORIES, f"'{category}' is not a category; they are {', '.join(CATEGORIES)}")
        self.need(self.phases["active_phase"] == name, f"{name} is not active")
        facts["cycles"] += 1
        limit = self.phases.get("max_cycles_per_phase", MAX_CYCLES)
        facts["status"] = "blocked" if facts["cycles"] >= limit else "in_debug"
        facts["last_category"] = category
        if facts["status"] == "blocked":
            self.phases["active_phase"] = None
        self.note("fail_phase", phase=name, category=category)
