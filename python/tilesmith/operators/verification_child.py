"""One side of a verification, a process: `golden|impl PLAN ANSWER`. It writes its results as arrays."""

import importlib.util
import json
import sys
from pathlib import Path


def load(path):
    path = Path(path)
    sys.path[:0] = [str(path.parent), str(path.parent.parent)]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def inputs(plan, case):
    import torch

    generator = torch.Generator().manual_seed(case["seed"])
    made = {}
    for entry in plan["primary"]:
        shape, dtype = case["shapes"][entry["name"]], entry["dtype"]
        if dtype in ("float32", "float16", "bfloat16"):
            made[entry["name"]] = torch.randn(shape, generator=generator).to(getattr(torch, dtype))
        elif dtype == "bool":
            made[entry["name"]] = torch.randint(0, 2, shape, generator=generator).bool()
        else:
            made[entry["name"]] = torch.randint(0, 16, shape, generator=generator).to(
                getattr(torch, dtype.replace("int", "int32") if dtype == "int" else dtype)
            )
    return made


def golden(plan, module, case):
    values = {("primary", name): value for name, value in inputs(plan, case).items()}
    for part in plan["chain"]:
        function = getattr(module, f"{part['name']}_golden")
        results = function(*(values[given["source"], given["name"]] for given in part["inputs"]))
        results = results if isinstance(results, tuple) else (results,)
        for output, result in zip(part["outputs"], results, strict=True):
            values[part["id"], output["name"]] = result
    found = {name: value for (_, name), value in values.items()}
    return [found[name] for name in plan["outputs"]]


def impl(plan, module, case):
    results = getattr(module, plan["wrapper"])(*inputs(plan, case).values())
    return list(results) if isinstance(results, tuple) else [results]


def main(side, plan, answer):
    import numpy as np

    plan = json.loads(Path(plan).read_text())
    module = load(plan["golden" if side == "golden" else "impl"])
    compute = golden if side == "golden" else impl
    arrays = {}

    def run():
        for index, case in enumerate(plan["cases"]):
            for name, result in zip(plan["outputs"], compute(plan, module, case), strict=True):
                arrays[f"{index}.{name}"] = result.detach().cpu().to(dtype=_wide(result)).numpy()

    if side == "impl":
        import asc

        with asc.profile() as profile:
            run()
        if profile.launches:
            arrays["time_us"] = np.float64(profile.time_us)
    else:
        run()
    np.savez(answer, **arrays)


def _wide(tensor):
    import torch

    return torch.float32 if tensor.is_floating_point() else torch.int64


if __name__ == "__main__":
    main(*sys.argv[1:])
