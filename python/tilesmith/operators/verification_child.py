"""One side of a verification, a process: `golden|impl|probes|expressions PLAN ANSWER`. It writes its tensors, each with type and shape.

`golden` and `impl` compute the outputs of every case; `probes` calls a wrapper that keeps intermediate tensors, `expressions` computes
what they should be.
"""

import importlib.util
import json
import secrets
import sys
from pathlib import Path


def load(path):
    path = Path(path)
    sys.path[:0] = [str(path.parent), str(path.parent.parent), str(path.parent.parent.parent)]
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
        shape, dtype = case["shapes"][entry["name"]], "int32" if entry["dtype"] == "int" else entry["dtype"]
        if dtype in ("float32", "float16", "bfloat16"):
            made[entry["name"]] = torch.randn(shape, generator=generator).to(getattr(torch, dtype))
        elif dtype == "bool":
            made[entry["name"]] = torch.randint(0, 2, shape, generator=generator).bool()
        else:
            made[entry["name"]] = torch.randint(0, 16, shape, generator=generator).to(getattr(torch, dtype))
    return made


def golden(plan, module, case):
    values = {("primary", name): value for name, value in inputs(plan, case).items()}
    for part in plan["chain"]:
        function = getattr(module, f"{part['name']}_golden")
        results = function(*(values[given["source"], given["name"]] for given in part["inputs"]))
        results = results if isinstance(results, (tuple, list)) else (results,)
        for output, result in zip(part["outputs"], results, strict=True):
            values[part["id"], output["name"]] = result
    return [values[output["source"], output["name"]] for output in plan["outputs"]]


def impl(plan, module, case):
    given = inputs(plan, case)
    results = getattr(module, plan["wrapper"])(*(given[name] for name in plan["given"]))
    return list(results) if isinstance(results, (tuple, list)) else [results]


def probes(plan, module, case):
    impl(plan, module, case)
    return module.snapshots


def expressions(plan, module, case):
    import numpy as np
    import torch

    names = {**vars(module), "torch": torch, "np": np, **inputs(plan, case), **case["values"]}
    found = []
    for text in plan["expressions"]:
        if text.endswith(".npy"):
            found.append(torch.from_numpy(np.load(text)))
        else:
            found.append(torch.as_tensor(eval(text, names)))
    return found


def raw(tensor):
    """A tensor as a description and its bytes."""
    import torch

    tensor = torch.as_tensor(tensor).detach().cpu().contiguous()
    facts = {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape)}
    return facts, tensor.reshape(-1).view(torch.uint8).numpy()


def main(side, plan, answer):
    import numpy as np

    plan = json.loads(Path(plan).read_text())
    if platform := plan.get("platform"):
        from asc.runtime import config

        config.set_platform(config.Backend("Model"), config.Platform(platform))
    module = load(plan["impl" if side in ("impl", "probes") else "golden"])
    compute = {"golden": golden, "impl": impl, "probes": probes, "expressions": expressions}[side]
    facts, arrays = {}, {}

    def run(cases, prefix="", after=lambda: None):
        for index, case in enumerate(cases):
            results = compute(plan, module, case)
            after()
            if len(results) != len(plan["names"]):
                raise SystemExit(f"{len(results)} results, {len(plan['names'])} are declared: {', '.join(plan['names'])}")
            for name, result in zip(plan["names"], results):
                facts[f"{prefix}{index}.{name}"], arrays[f"{prefix}{index}.{name}"] = raw(result)

    if side in ("impl", "probes"):
        import asc

        counts = [0]
        with asc.profile() as profile:
            run(plan["cases"], after=lambda: counts.append(len(profile.launches)))
        facts["launches"] = len(profile.launches)
        facts["launches_by_case"] = [now - before for before, now in zip(counts, counts[1:])]
        facts["time_us"] = float(profile.time_us) if profile.launches else None
        if side == "impl" and profile.launches:
            import _tilesmith
            from asc.runtime import profile as profiles

            from tilesmith.judge.verdict.evidence import scrambled

            facts["table"], arrays["table"] = {}, scrambled()
            tail = secrets.token_hex(8)
            for prefix, table in (("replaced.", np.arange(256, dtype=np.uint8)), ("other.", arrays["table"])):
                with profiles.check():
                    _tilesmith.set_settings(poison=table.tobytes().hex() + tail, raise_findings=False)
                    run(plan["cases"][:1], prefix)
    else:
        run(plan["cases"])
    np.savez(answer, facts=np.frombuffer(json.dumps(facts).encode(), np.uint8), **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])
