"""OL14: Stage 6 is judged before stage 5 is completed."""

RULE = {
    "id": "OL14",
    "name": "stage-order",
    "severity": "S1",
    "role": "json",
    "file": ".orchestrator_state.json",
    "stages": [6],
    "what": "Stage 6 is judged before stage 5 is completed.",
    "why": "What is verified must be what was built.",
    "use": "tilesmith op complete 5",
    "bad": """\
{"operator_name": "sample", "current_stage": 6, "stage_status": {"5": "in_progress"}}
""",
    "good": """\
{"operator_name": "sample", "current_stage": 6, "stage_status": {"5": "completed"}}
""",
}


def check(folder, tell):
    if folder.stage != 6 or not folder.state:
        return
    status = folder.state.get("stage_status")
    if isinstance(status, dict) and status.get("5") != "completed":
        tell(f"stage 5 is {status.get('5', 'not begun')}", ".orchestrator_state.json")
