"""OL50: The wrapper's parameters are not the primary inputs of module_interfaces.yaml, in their order."""

from tilesmith.lint.operator.folder import module_files, wrapper_of

RULE = {
    "id": "OL50",
    "name": "wrapper-signature",
    "severity": "S1",
    "role": "yaml",
    "file": "eval/module_interfaces.yaml",
    "stages": [5, 6],
    "what": "The wrapper's parameters are not the primary inputs of module_interfaces.yaml, in their order.",
    "why": "The generated tests call it with them.",
    "use": "def <op>_wrapper(<primary inputs>, **kwargs)",
    "bad": """\
schema_version: 1
op: sample
primary_inputs:
  - {name: a, shape: [rows, 64], dtype: float32}
""",
    "good": """\
schema_version: 1
op: sample
primary_inputs:
  - {name: x, shape: [rows, 64], dtype: float32}
""",
}


def check(folder, tell):
    inputs = (folder.interfaces or {}).get("primary_inputs")
    if not isinstance(inputs, list):
        return
    names = [str(it.get("name")) for it in inputs if isinstance(it, dict)]
    modules = [it for it in folder.interfaces.get("modules") or [] if isinstance(it, dict)]
    for file, name, count in module_files(folder):
        wrapper = wrapper_of(folder.facts(file) if folder.exists(file) else {}, name)
        if not wrapper:
            continue
        given = [it["name"] for it in wrapper["parameters"] if not it["keyword_only"] or it["required"]]
        used = {
            str(it.get("name"))
            for module in modules[:count]
            for it in module.get("inputs") or []
            if isinstance(it, dict) and it.get("source") == "primary"
        }
        wanted = [it for it in names if it in used] if count and used else names
        if given != wanted:
            tell(
                f"'{wrapper['name']}' takes ({', '.join(given)}), the primary inputs are ({', '.join(wanted)})",
                file,
                wrapper["line"],
            )
