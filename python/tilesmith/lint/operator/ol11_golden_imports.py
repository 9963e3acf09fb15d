"""OL11: The golden does not import within 10 seconds."""

import subprocess
import sys
import tempfile
import time

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


LIMIT = 10


def check(folder, tell):
    if not folder.exists("{op}_golden.py"):
        if folder.isGate:
            tell("the golden is missing", "{op}_golden.py")
        return
    if not folder.isGate:
        return  # linting runs no code
    source = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='golden')"
    command = [sys.executable, "-c", source, str(folder.path("{op}_golden.py"))]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, cwd=folder.operator.folder, stdout=subprocess.DEVNULL, stderr=errors)
        start = time.monotonic()
        while True:
            try:
                code = process.wait(0.1)
                break
            except subprocess.TimeoutExpired:
                if time.monotonic() - start - waited(process.pid) > LIMIT:
                    process.kill()
                    process.wait()
                    tell(f"the golden takes more than {LIMIT} s to import", "{op}_golden.py")
                    return
        errors.seek(0)
        if code:
            tell(f"the golden does not import: {(errors.read().strip().splitlines() or ['no message'])[-1]}", "{op}_golden.py")


def waited(pid):
    """Seconds for which a process could have run and had no processor: they are the machine's, not its own."""
    try:
        with open(f"/proc/{pid}/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
