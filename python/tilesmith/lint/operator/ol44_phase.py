"""OL44: The impl, golden or test of the active phase is missing."""

import re

RULE = {
    "id": "OL44",
    "name": "phase-artifacts",
    "severity": "S1",
    "role": "markdown",
    "file": "MEMORY.md",
    "stages": [5],
    "what": "The impl, golden or test of the active phase is missing.",
    "why": "It cannot be verified.",
    "use": "write modules/<op>_module<suffix>_impl.py before submitting it",
    "bad": """\
# Memory
```yaml
module_count: 2
active_module: M2
modules_pypto_verified: []
```
""",
    "good": """\
# Memory
```yaml
module_count: 1
active_module: M1
modules_pypto_verified: []
```
""",
}


def check(folder, tell):
    facts = folder.memory_facts
    active = str(facts.get("active_module") or "")
    match = re.fullmatch(r"M(\d+)", active)
    if not folder.memory or facts.get("module_count") == 1 or not match:
        return
    suffix = "".join(map(str, range(1, int(match[1]) + 1)))
    file = f"modules/{folder.operator.name}_module{suffix}_impl.py"
    if not folder.exists(file):
        tell(f"the impl of {active} is missing", file)
    if not folder.exists("{op}_golden.py"):
        tell(f"the golden of {active} is missing", "{op}_golden.py")
    tests = (f"eval/test_{folder.operator.name}_module{suffix}.py", f"tests/test_{folder.operator.name}_module{suffix}.py")
    if not any(map(folder.exists, (*tests, "test_{op}.py"))):
        tell(f"the test of {active} is missing", tests[0])
