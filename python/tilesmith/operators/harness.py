"""Goldens and tests of an operator's modules, made from `eval/module_interfaces.yaml`: what the build stage is held against.

`eval/<op>_module<suffix>_golden.py` composes the functions of the golden up to a module, `eval/test_<op>_module<suffix>.py` compares
the module's wrapper with it. They say the same as the verification, and run on the chip too.
"""

from tilesmith.operators import interfaces


def files(folder, name):
    """(path in the folder, text) of the golden and the test of every module; nothing for an operator of one."""
    content = interfaces.load(folder)
    if len(content["modules"]) < 2:
        return
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from tilesmith.operators import state
    from tilesmith.operators.scaffold import TEMPLATES

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    checks = content.get("composition_verification") or {}
    primary = [entry["name"] for entry in content["primary_inputs"]]
    for number, last in enumerate(content["modules"], 1):
        chain = content["modules"][:number]
        used = {it["name"] for part in chain for it in part.get("inputs") or [] if it["source"] == "primary"}
        stem = state.module_file(name, f"M{number}").removesuffix("_impl.py")
        cases = []
        for values in checks.get("shapes") or [{}]:
            shapes = {it["name"]: [interfaces.extent(one, values) for one in it["shape"]] for it in content["primary_inputs"]}
            cases += [(int(seed), [shapes[it] for it in primary if it in used]) for seed in checks.get("seeds") or [0]]
        facts = {
            "op": name,
            "stem": stem,
            "last": last,
            "inputs": [it for it in content["primary_inputs"] if it["name"] in used],
            "steps": [
                {
                    "function": f"{part['name']}_golden",
                    "results": [f"{part['id'].lower()}_{it['name']}" for it in part["outputs"]],
                    "operands": [
                        it["name"] if it["source"] == "primary" else f"{it['source'].lower()}_{it['name']}"
                        for it in part.get("inputs") or []
                    ],
                }
                for part in chain
            ],
            "outputs": [it["name"] for it in last["outputs"]],
            "returned": [f"{last['id'].lower()}_{it['name']}" for it in last["outputs"]],
            "cases": cases,
            "rtol": checks.get("rtol", 1e-3),
            "atol": checks.get("atol", 1e-3),
        }
        yield f"eval/{stem}_golden.py", environment.get_template("module_golden.py.j2").render(facts)
        yield f"eval/test_{stem}.py", environment.get_template("module_test.py.j2").render(facts)


def write(folder, name):
    """Writes what is not there as it should be. Returns the files' names."""
    from tilesmith.lint import fixes

    names = []
    for file, text in files(folder, name):
        names.append(file)
        path = folder / file
        if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text:
            path.parent.mkdir(exist_ok=True)
            fixes.write(str(path), text.encode())
    return names
