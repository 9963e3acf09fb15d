"""OL11: The golden does not import within 10 seconds."""

import subprocess
import sys

RULE = {
    "id": "OL11",
    "name": "golden-imports",
    "severity": "S2",
    "role": "py",
    "file": "{op}_golden.py",
    "stages": [2],
    "what": "The golden does not import within 10 seconds.",
    "why": "Every verification imports it.",
    "use": "keep heavy work out of the module's own code",
    "bad": """\
import nothing_of_this_name
""",
    "good": """\
def sample_golden(x):
    return x + x
""",
}


def check(folder, tell):
    if not folder.exists("{op}_golden.py"):
        if folder.isGate:
            tell("the golden is missing", "{op}_golden.py")
        return
    if not folder.isGate:
        return  # linting runs no code
    source = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='golden')"
    command = [sys.executable, "-c", source, str(folder.path("{op}_golden.py"))]
    try:
        done = subprocess.run(command, cwd=folder.operator.folder, capture_output=True, text=True, timeout=10)
    except subprocess.TimeoutExpired:
        tell("the golden takes more than 10 s to import", "{op}_golden.py")
        return
    if done.returncode:
        tell(f"the golden does not import: {(done.stderr.strip().splitlines() or ['no message'])[-1]}", "{op}_golden.py")
