"""`state_transition.py ACTION [WORDS] [--op-dir DIR]` for pipelines that call a script of this name: it is `tilesmith op`, with the same arguments and exit codes. It runs by its path,
whether Tilesmith is installed or this is a checkout."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])  # not the folder of these scripts

from tilesmith.__main__ import main  # noqa: E402

# Actions of the pipeline, and the words of `tilesmith op` they are.
ACTIONS = {
    "init": "new",
    "start_stage": "start",
    "complete_stage": "complete",
    "fail_stage": "fail",
    "submit_design": "submit",
    "start_phase": "start",
    "submit_for_verify": "submit",
    "complete_phase": "complete",
    "fail_phase": "fail",
    "record_artifact_hash": "record",
    "rollback_to_stage": "rollback",
    "status": "status",
}

if __name__ == "__main__":
    words = [{"--op-dir": "--folder"}.get(word, word) for word in sys.argv[1:]]
    if not words or words[0] not in ACTIONS:
        print(f"usage: state_transition.py ACTION ...; actions are {', '.join(ACTIONS)}", file=sys.stderr)
        sys.exit(2)
    action, *rest = words
    if action == "fail_phase" and len(rest) > 1 and not rest[1].startswith("-"):
        rest[1:2] = ["--category", rest[1]]
    if action == "rollback_to_stage" and len(rest) > 1 and not rest[1].startswith("-"):
        rest[1:2] = ["--reason", rest[1]]
    sys.exit(main(["op", ACTIONS[action], *rest]))
