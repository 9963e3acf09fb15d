"""OL33: The golden and the wrapper need different numbers of arguments."""

RULE = {
    "id": "OL33",
    "name": "arity",
    "severity": "S2",
    "role": "py",
    "file": "{op}_golden.py",
    "stages": [5, 6],
    "what": "The golden and the wrapper need different numbers of arguments.",
    "why": "A test cannot hand the same inputs to both.",
    "use": "the same required parameters, in the same order",
    "bad": """\
def sample_golden(x, y):
    return x + y
""",
    "good": """\
def sample_golden(x):
    return x + x
""",
}


def check(folder, tell):
    named = [it for it in folder.golden.get("functions", []) if it["name"].endswith("_golden")]
    goldens = [it for it in named if it["name"] == f"{folder.operator.name}_golden"] or named[-1:]
    if not goldens or not folder.wrapper:
        return
    counts = [sum(parameter["required"] for parameter in it["parameters"]) for it in (goldens[0], folder.wrapper)]
    if counts[0] != counts[1]:
        message = f"'{folder.wrapper['name']}' needs {counts[1]} arguments, the golden {counts[0]}"
        tell(message, "{op}_impl.py", folder.wrapper["line"])
