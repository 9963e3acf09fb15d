"""OL51: The kernel writes fewer tensors than module_interfaces.yaml has final outputs."""

from tilesmith.lint.operator.folder import module_files

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
    interfaces = folder.interfaces or {}
    modules = [it for it in interfaces.get("modules") or [] if isinstance(it, dict)]
    for file, _, count in module_files(folder):
        outputs = modules[count - 1].get("outputs") if 0 < count <= len(modules) else interfaces.get("final_outputs")
        entries = folder.facts(file).get("entries") if folder.exists(file) else None
        if not isinstance(outputs, list) or not entries:
            continue
        written = max(len(entry["writes"]) for entry in entries)
        if written < len(outputs):
            tell(f"the kernel writes {written} of {len(outputs)} outputs", file, entries[0]["line"])
