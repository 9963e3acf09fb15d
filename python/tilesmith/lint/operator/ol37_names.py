"""OL37: The code of the design and the entry share fewer than two names."""

import re

RULE = {
    "id": "OL37",
    "name": "design-names",
    "severity": "S3",
    "role": "markdown",
    "file": "DESIGN.md",
    "stages": [5, 6],
    "what": "The code of the design and the entry share fewer than two names.",
    "why": "The kernel that was built may not be the one that was designed.",
    "use": "the names of the design",
    "bad": """\
# Design
```python
alpha = 1
beta = 2
```
""",
    "good": """\
# Design
```python
for i in pypto.loop(n):
    part = x[i * 16:(i + 1) * 16]
    out[i * 16:, 0:] = part + part
```
""",
}


def check(folder, tell):
    entries = folder.impl.get("entries")
    blocks = folder.design.python() if folder.design else []
    if not entries or not blocks:
        return
    words = set(re.findall(r"[A-Za-z_]\w*", "\n".join(code for _, code in blocks)))
    if not any(len(words & set(entry["names"])) >= 2 for entry in entries):
        tell("the entry shares fewer than two names with the code of DESIGN.md", "{op}_impl.py", entries[0]["line"])
