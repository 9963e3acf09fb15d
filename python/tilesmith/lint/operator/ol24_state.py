"""OL24: The state file cannot be read, or lacks operator_name, current_stage or stage_status."""

RULE = {
    "id": "OL24",
    "name": "state-file",
    "severity": "S1",
    "role": "json",
    "file": ".orchestrator_state.json",
    "stages": [1, 2, 3, 4, 5, 6, 7],
    "what": "The state file cannot be read, or lacks operator_name, current_stage or stage_status.",
    "why": "Nothing can be decided without it.",
    "use": "let `tilesmith op` write it; `tilesmith op status` says what is wrong",
    "bad": """\
{"operator_name": "sample"}
""",
    "good": """\
{"operator_name": "sample", "current_stage": 1, "stage_status": {"1": "in_progress"}}
""",
}


def check(folder, tell):
    if not folder.exists(".orchestrator_state.json"):
        if folder.isGate:
            tell("there is no state file", ".orchestrator_state.json")
        return
    if folder.state is None:
        tell("the state file is not JSON", ".orchestrator_state.json")
        return
    for key in ("operator_name", "current_stage", "stage_status"):
        if not folder.state.get(key):
            tell(f"'{key}' is missing", ".orchestrator_state.json")
