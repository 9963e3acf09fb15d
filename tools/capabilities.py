"""Writes kernels/capabilities.yaml: a cell for every kernel of the library, type and platform, with evidence from runs on the model.

    python tools/capabilities.py              cells that have no evidence for the kernel as it is now
    python tools/capabilities.py gelu         these kernels alone

The evidence is signed with the key of whoever runs it (`TILESMITH_JUDGE_KEY`); its public half goes into kernels/judge.trusted.
"""

import importlib
import json
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "kernels"
sys.path[:0] = [str(KERNELS)]

TIERS = {
    "elementwise": {"level": 0, "description": "each element alone"},
    "reduction": {"level": 1, "description": "rows become numbers, or move"},
    "composed": {"level": 2, "description": "several steps on one tile"},
    "advanced": {"level": 3, "description": "matrix units, several kernels, indices"},
}
MEMBERS = {
    "elementwise": "abs add sub mul leaky_relu gelu swiglu dropout adam positions quantise",
    "reduction": "reduce_sum argmax transpose",
    "composed": "softmax rms_norm layer_norm rope cross_entropy",
}
ELEMENTS = 1 << 18  # of a shape that is run: larger ones take long in checked mode


def tier_of(name):
    return next((tier for tier, names in MEMBERS.items() if name in names.split()), "advanced")


def cells(name):
    """The cells of a kernel: types and shapes as its tests have them, both platforms."""
    import golden

    module = importlib.import_module(name)
    named = re.search(r"golden\.main\(([^)]*)shape", (KERNELS / f"{name}.py").read_text())
    tests = [getattr(module, word.strip()) for word in named[1].split(",") if word.strip()] if named else []
    tests = [test for test in tests if hasattr(test, "shapes")]
    if not tests:
        return []
    shared = [shape for shape in tests[0].shapes if all(shape in test.shapes for test in tests)]
    small = [list(shape) for shape in shared if _size(shape) <= ELEMENTS] or [list(min(shared, key=_size))]
    chosen = [small[-1], small[len(small) // 2]] if len(small) > 1 else small
    return [
        {"dtype": dtype, "platform": platform, "shapes": chosen, "golden_status": "pending", "golden": f"{name}.py"}
        for dtype in tests[0].dtypes
        for platform in golden.PLATFORMS
        if chosen
    ]


def _size(shape):
    result = 1
    for extent in shape:
        result *= extent
    return result


def main(names):
    from tilesmith.workflow import capabilities

    path = KERNELS / "capabilities.yaml"
    before = {}
    if path.exists():
        for operation, cell in capabilities.cells(capabilities.load(path)):
            before[operation["name"], cell["dtype"], cell["platform"]] = (operation, cell)
    known = sorted(file.stem for file in KERNELS.glob("*.py") if file.stem not in ("golden", "gate"))
    operations = []
    for name in known:
        made = cells(name)
        for cell in made:
            _, old = before.get((name, cell["dtype"], cell["platform"]), (None, {}))
            cell |= {key: old[key] for key in ("golden_status", "golden_evidence") if key in old}
        if made:
            operations.append({"name": name, "tier": tier_of(name), "asc2_api": f"kernels/{name}.py", "cells": made})
    capabilities.save(path, {"schema_version": "3", "tiers": TIERS, "operations": operations})
    content = capabilities.load(path)
    for operation, cell in capabilities.cells(content):
        name = operation["name"]
        if (names and name not in names) or not capabilities.doubt(operation, cell, "golden", KERNELS):
            continue
        words = (name, cell["dtype"], cell["platform"], str(KERNELS / f"{name}.py"), "golden")
        target, evidence = capabilities.record(str(path), *words)
        detail = evidence["verification"]["detail"]
        print(f"{target.name}: {'pass' if capabilities.overall(evidence) else 'FAIL ' + detail}", flush=True)
    content, _ = capabilities.sync(path)
    capabilities.save(path, content)
    keys = {json.loads(file.read_text())["signature"]["key"] for file in (KERNELS / "evidence").glob("*.json")}
    (KERNELS / "judge.trusted").write_text("".join(f"{key}\n" for key in sorted(keys)))
    print(yaml.safe_dump({"cells": len(list(capabilities.cells(content))), "confirmed": _confirmed(content)}).strip())


def _confirmed(content):
    from tilesmith.workflow import capabilities

    return sum(cell["golden_status"] == "confirmed" for _, cell in capabilities.cells(content))


if __name__ == "__main__":
    main(sys.argv[1:])
