"""OL54: The self-review of the active phase is missing, or one of its six items is not ticked."""

from tilesmith.lint.operator.folder import BOX

RULE = {
    "id": "OL54",
    "name": "self-review",
    "severity": "S1",
    "role": "markdown",
    "file": "MEMORY.md",
    "stages": [5],
    "what": "The self-review of the active phase is missing, or one of its six items is not ticked.",
    "why": "The phase is submitted with it.",
    "use": "a section `## Phase M_k self-review` with six boxes `- [x]`",
    "bad": """\
# Memory
```yaml
module_count: 1
active_module: M1
```
## Phase M1 self-review
- [x] wrapper signature = primary_inputs (OL50)
- [ ] all outputs written (OL51)
""",
    "good": """\
# Memory
```yaml
module_count: 1
active_module: M1
```
## Phase M1 self-review
- [x] wrapper signature = primary_inputs (OL50)
- [x] all outputs written (OL51)
- [x] view ranks (OL52)
- [x] inventory rows (OL53)
- [x] no `for ... in range` in the wrapper (OL45)
- [x] JIT called exactly once
""",
}


ITEMS = {
    "OL50": ("OL50", "signature"),
    "OL51": ("OL51", "outputs written", "outputs"),
    "OL52": ("OL52", "view rank"),
    "OL53": ("OL53", "inventory"),
    "OL45": ("OL45", "in range"),
    "one JIT call": ("JIT called", "JIT call", "exactly once"),
}


def check(folder, tell):
    memory, active = folder.memory, folder.memory_facts.get("active_module")
    if memory is None or not active:
        return
    section = memory.section(f"Phase {active} self-review", f"Phase M_{str(active).removeprefix('M')} self-review")
    if not section:
        tell(f"no section `## Phase {active} self-review`", "MEMORY.md")
        return
    boxes = [
        (section[0] + offset, match[1] in "xX", match[2]) for offset, line in enumerate(section[1], 1) if (match := BOX.match(line))
    ]
    taken = set()  # one box is one item
    for item, words in ITEMS.items():
        found = [box for box in boxes if box[0] not in taken and any(word.lower() in box[2].lower() for word in words)]
        if not found:
            tell(f"the item {item} is missing", "MEMORY.md", section[0])
            continue
        taken.add(found[0][0])
        again = [box for box in found if box[2].strip() == found[0][2].strip()]  # the same item, written twice
        taken.update(box[0] for box in again)
        if open_boxes := [box for box in again if not box[1]]:
            tell(f"the item {item} is not ticked", "MEMORY.md", open_boxes[0][0])
