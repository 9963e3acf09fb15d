"""OL51: The kernel writes fewer tensors than module_interfaces.yaml has final outputs."""

RULE = {
    "id": "OL51",
    "name": "written-outputs",
    "severity": "S1",
    "role": "yaml",
    "file": "eval/module_interfaces.yaml",
    "stages": [5, 6],
    "what": "The kernel writes fewer tensors than module_interfaces.yaml has final outputs.",
    "why": "An output nobody writes holds what was in memory.",
    "use": "out[:] = ... for every output",
    "bad": """\
schema_version: 1
op: sample
final_outputs:
  - {name: y, source: M1}
  - {name: z, source: M1}
""",
    "good": """\
schema_version: 1
op: sample
final_outputs:
  - {name: y, source: M1}
""",
}


def check(folder, tell):
    outputs = (folder.interfaces or {}).get("final_outputs")
    entries = folder.impl.get("entries")
    if not isinstance(outputs, list) or not entries:
        return
    written = max(len(entry["writes"]) for entry in entries)
    if written < len(outputs):
        tell(f"the kernel writes {written} of {len(outputs)} outputs", "{op}_impl.py", entries[0]["line"])
