"""Failures of the machine, not of the kernel: a symptom on stderr, a recipe, one more run.

What is not in the table is the kernel's own failure, and returned as it is.
"""

import re
import subprocess
import sys

from tilesmith.lint import files, fixes

TABLE = [
    (
        r"lib(hccl|atb|ascend_hal)\.so[^\n]*(cannot open|not found|No such file)",
        "the toolkit's libraries are not on the path",
        "source the toolkit's set_env.sh, then run again",
    ),
    (r"DT_FP8E8M0", "pypto and the toolkit are of different versions", "install the pypto that belongs to the toolkit"),
    (
        r"no member named '(?P<name>\w+)' in namespace 'pto'",
        "the PTO-ISA headers are too old",
        "look for newer headers, and set PTO_TILE_LIB_CODE_PATH to them",
    ),
    (
        r"pto::TROWEXPAND(ADD|MAX)",
        "the PTO-ISA headers are too old",
        "look for newer headers, and set PTO_TILE_LIB_CODE_PATH to them",
    ),
    (r"No module named 'pypto'", "pypto is not installed", "install it, or add its folder to PYTHONPATH"),
    (r"undefined symbol|ABI mismatch", "an extension was built against another torch", "rebuild it against the installed torch"),
    (
        r"ResolutionImpossible",
        "two packages ask for different versions of a third",
        "see both names in the log, and loosen one of them",
    ),
    (
        r"TILE_FWK_DEVICE_ID[^\n]*(not set|unset|KeyError)|KeyError: 'TILE_FWK_DEVICE_ID'|device[^\n]*busy",
        "no device is chosen, or it is busy",
        "choose an idle device: TILE_FWK_DEVICE_ID=N",
    ),
]


def diagnose(text):
    """(symptom, recipe) of what stderr shows, or None."""
    for pattern, symptom, recipe in TABLE:
        if match := re.search(pattern, text):
            return f"{symptom}: {match[0]}", recipe
    return None


def run(command):
    """Runs a command with its output shown. Returns (exit code, all of its output)."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError as error:
        return 127, f"{command[0]}: {error.strerror}\n"
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode, done.stdout + done.stderr


def recover(command, folder):
    """Runs a command; once more if what stopped it was the machine. Returns (exit code, symptom or None, log)."""
    code, log = run(command)
    found = diagnose(log) if code else None
    if not found:
        return code, None, log
    symptom, recipe = found
    print(f"{symptom}\n  recipe: {recipe}", file=sys.stderr)
    again, more = run(command)
    if not again:
        operator = files.operator_at(str(folder))
        if operator:
            note(operator, f"- Env recovery: {symptom} → {recipe}")
    return again, symptom, log + more


def note_once(machine, line):
    """A line of the log, if it is not there yet."""
    path = machine.folder / "MEMORY.md"
    if not path.exists() or line not in path.read_text(encoding="utf-8").splitlines():
        note(files.Operator(machine.folder, machine.name, machine.stage), line)


def note(operator, line):
    """Appends a line to the log of MEMORY.md."""
    path = operator.path("MEMORY.md")
    text = path.read_text(encoding="utf-8") if path.exists() else f"# Memory of {operator.name}\n\n## Development & debug log\n"
    fixes.write(str(path), (text.rstrip("\n") + f"\n{line}\n").encode())
