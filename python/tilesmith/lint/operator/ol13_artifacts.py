"""OL13: The impl, the test or the README is missing when stage 5 is left."""

RULE = {
    "id": "OL13",
    "name": "stage-artifacts",
    "severity": "S1",
    "role": "py",
    "file": "{op}_impl.py",
    "stages": [5],
    "what": "The impl, the test or the README is missing when stage 5 is left.",
    "why": "They are what stage 6 verifies.",
    "use": "write what is missing; an empty file is missing, too",
    "bad": """\
-
""",
    "good": """\
import pypto
""",
}


def check(folder, tell):
    if not folder.isGate:
        return
    for file in ("{op}_impl.py", "test_{op}.py", "README.md"):
        if not (folder.text(file) or "").strip(" -\n"):
            tell("the file is missing", file)
