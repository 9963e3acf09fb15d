"""What an editor's hooks ask: before a write, after one, after a command, and when the work is said to be done.

Each takes a JSON object from stdin and answers with one. A hook never fails because of what it is asked: what it does not know it
allows.
"""

import json
import os
import re
import sys
from pathlib import Path

from tilesmith.lint import files, fixes
from tilesmith.operators import gates

MODES = ("post-edit", "pre-edit", "post-bash", "stop")
LIMIT = 5  # blocks in a row by one rule at one place
FROZEN = ("SPEC.md", "API_REPORT.md", "DESIGN.md")  # for the build stage


def run(mode, profile="default", folder=None, stream=None):
    """Answers one call. Returns the exit code."""
    try:
        payload = json.loads((stream or sys.stdin).read() or "{}")
    except ValueError:
        payload = {}
    payload = payload if isinstance(payload, dict) else {}
    if mode == "stop":
        return stop(payload, profile, folder)
    answer = {"post-edit": post_edit, "pre-edit": pre_edit, "post-bash": post_bash}[mode](payload, profile)
    print(json.dumps(answer, ensure_ascii=False))
    return 0


def answer(event, reason="", context=""):
    decision = "block" if reason else "allow"
    return {
        "hookSpecificOutput": {
            "hookEventName": event,
            "decision": decision,
            "reason": reason,
            "additionalContext": context or reason,
        }
    }


def _path(payload):
    given = payload.get("tool_input")
    path = given.get("file_path") if isinstance(given, dict) else None
    if not isinstance(path, str) or not path or "\0" in path:
        return None
    return Path(os.path.abspath(os.path.join(str(payload.get("cwd") or "."), path)))


def post_edit(payload, profile):
    path = _path(payload)
    if path is None or not path.is_file() or gates.role_of(path) is None:
        return answer("PostToolUse")
    found = gates.after_edit(path, profile)
    escalated = _count(path, gates.blocking(found))
    if not gates.blocking(found):
        told = "\n".join(f"[{it.rule}][{it.severity}] {it.file}:{it.line} {it.message}" for it in found)
        return answer("PostToolUse", context=told)
    return answer("PostToolUse", "\n".join([gates.block_text(found), *escalated]))


def _journal(operator):
    """What blocked: how often in a row, by file, line and rule; and all rules that ever did."""
    try:
        journal = json.loads((operator.path("_debug") / "lint_blocks.json").read_text())
        return {str(key): int(count) for key, count in journal["counts"].items()}, {str(rule) for rule in journal["blocked"]}
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return {}, set()


def _count(path, found):
    """Counts blocks in a row by rule and place; the lines that say that one cannot be resolved."""
    operator = files.operator_of(path)
    if operator is None:
        return []
    before, blocked = _journal(operator)
    others = {key: count for key, count in before.items() if not key.startswith(f"{path.name}:")}
    now = {f"{path.name}:{it.line}:{it.rule}": it for it in found}
    counts = {key: before.get(key, 0) + 1 for key in now}
    if found or before:
        journal = operator.path("_debug") / "lint_blocks.json"
        journal.parent.mkdir(exist_ok=True)
        content = {"counts": others | counts, "blocked": sorted(blocked | {it.rule for it in found})}
        fixes.write(str(journal), (json.dumps(content, indent=2) + "\n").encode())
    return [
        f"lint not resolvable, escalating: {now[key].rule} fired {count}× consecutively at {now[key].file}:{now[key].line}. "
        "Root cause unclear; need debugger."
        for key, count in counts.items()
        if count >= LIMIT
    ]


def escalations(operator):
    """Places where one rule blocked five times in a row."""
    return [key for key, count in _journal(operator)[0].items() if count >= LIMIT]


def blocked_rules(operator):
    """Rules that blocked once or more."""
    return _journal(operator)[1]


def pre_edit(payload, profile):
    path = _path(payload)
    if path is None:
        return answer("PreToolUse")
    if path.name == ".orchestrator_state.json":
        return answer("PreToolUse", "the state file is written by `tilesmith op` alone")
    operator = files.operator_of(path)
    if operator is None:
        return answer("PreToolUse")
    if path.name == "SPEC.md" and operator.stage >= 2:
        return answer("PreToolUse", "SPEC.md is frozen since stage 1; `tilesmith op rollback 1 --reason ...` opens it")
    if operator.stage == 5:
        inside = path.relative_to(operator.folder.resolve()) if path.is_relative_to(operator.folder.resolve()) else path
        if path.name in FROZEN or path.name.endswith("_golden.py") or "eval" in inside.parts:
            return answer("PreToolUse", f"{inside} is not written by the build stage")
        frozen = frozen_modules(operator)
        if path.name in frozen:
            return answer("PreToolUse", f"{path.name} is verified, and frozen; `tilesmith op rollback 5 --reason ...` opens it")
    return answer("PreToolUse")


def frozen_modules(operator):
    """Names of files whose phases are verified."""
    from tilesmith.operators import state

    try:
        phases = state.load(operator.folder)["stage5_phases"]["phase_status"]
    except (state.StateError, KeyError, TypeError):
        return set()
    return {state.module_file(operator.name, phase) for phase, facts in phases.items() if facts.get("status") == "verified"}


def post_bash(payload, profile):
    response = payload.get("tool_response")
    text = response if isinstance(response, str) else json.dumps(response, ensure_ascii=False) if response is not None else ""
    marks = re.findall(r"\[PRECISION_(PASS|FAIL)\]", text)
    if "FAIL" in marks:
        return answer("PostToolUse", "the test printed [PRECISION_FAIL]: debug the kernel, not the test")
    return answer("PostToolUse", context="the test printed [PRECISION_PASS]; `tilesmith op complete` verifies it" if marks else "")


def stop(payload, profile, folder):
    """All rules of the stage. Exit code 2 on S0 and S1."""
    start = Path(folder or str(payload.get("cwd") or "."))
    operator = files.operator_at(str(start.resolve())) or files.operator_of(start / "x")
    if operator is None:
        return 0
    found = gates.of_folder(operator, operator.stage, profile)
    if gates.blocking(found):
        print(gates.block_text(found), file=sys.stderr)
        return 2
    return 0
