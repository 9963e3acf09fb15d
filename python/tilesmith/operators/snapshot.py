"""Intermediate tensors of a kernel, held against what they should be: which one drifts first.

A manifest (`snapshot.yaml`) names tensors at points of the impl. The points are pairs of comments, `# <<< SNAPSHOT:X` and
`# >>> SNAPSHOT:X`; what a probe needs is written between them: a parameter of entry and implementation, a tensor of the wrapper, the
assignment at its point. The run uses a filled copy in `_debug/`, so the impl is as it was whatever happens; `--keep` fills the impl
itself, `--remove` empties the pairs again, byte for byte.
"""

import re

import yaml

from tilesmith.lint import fixes
from tilesmith.operators import interfaces, verification

MANIFEST = "snapshot.yaml"
POINTS = ("before_nt_loop", "inside_nt_loop", "after_nt_loop")
FRAME = ("SIG_IMPL", "SIG_JIT", "CALL_IMPL", "HOST_WRAPPER_INSPECT_ALLOC", "HOST_WRAPPER_INSPECT_PASS")
DTYPES = {"float32": "DT_FP32", "float16": "DT_FP16", "bfloat16": "DT_BF16", "int32": "DT_INT32", "int64": "DT_INT64"}
UNWRITTEN = {"float32": -3.0e38, "float16": -65504.0, "bfloat16": -3.0e38, "int32": -(2**31), "int64": -(2**31)}
OPEN, CLOSE = re.compile(r"^(\s*)# <<< SNAPSHOT:(\w+)\s*$"), re.compile(r"^\s*# >>> SNAPSHOT:(\w+)\s*$")


class SnapshotError(Exception):
    """A manifest or an impl that cannot be probed. `str()` has a sentence on each line."""


def load(path):
    """The manifest's content. SnapshotError with everything that is wrong."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError, yaml.YAMLError) as error:
        raise SnapshotError(f"'{path}' cannot be read: {str(error).splitlines()[0]}") from None
    probes = content.get("probes") if isinstance(content, dict) else None
    if not isinstance(probes, list) or not probes:
        raise SnapshotError(f"'{path}' has no list `probes`")
    wrong = []
    for number, probe in enumerate(probes, 1):
        if not isinstance(probe, dict):
            wrong.append(f"probe {number} is not a mapping")
            continue
        wrong += [f"probe {number} has no {key}" for key in ("point", "tensor", "shape", "dtype", "golden") if key not in probe]
        if probe.get("point") not in POINTS:
            wrong.append(f"probe {number}: '{probe.get('point')}' is not a point; they are {', '.join(POINTS)}")
        if probe.get("dtype") not in DTYPES:
            wrong.append(f"probe {number}: '{probe.get('dtype')}' is not a dtype; they are {', '.join(DTYPES)}")
        if not re.fullmatch(r"[A-Za-z_][\w.\[\]:, ]*", str(probe.get("tensor", ""))):
            wrong.append(f"probe {number}: '{probe.get('tensor')}' is not the name of a tensor")
        if not isinstance(probe.get("shape"), list) or not probe["shape"]:
            wrong.append(f"probe {number}: the shape is not a list")
        if "at" in probe and (not isinstance(probe["at"], list) or len(probe["at"]) != len(probe.get("shape") or [])):
            wrong.append(f"probe {number}: `at` is not a list of one offset for each axis")
    if wrong:
        raise SnapshotError("\n".join(f"{path.name}: {text}" for text in wrong))
    return content


def pairs(text):
    """{name: (index of the opening line, index of the closing line, indentation)}. SnapshotError where they do not match."""
    found, open_name, open_at, indent = {}, None, 0, ""
    for index, line in enumerate(text.splitlines()):
        if match := OPEN.match(line):
            if open_name:
                raise SnapshotError(f"line {index + 1}: SNAPSHOT:{open_name} is not closed")
            indent, open_name, open_at = match[1], match[2], index
        elif match := CLOSE.match(line):
            if match[1] != open_name:
                raise SnapshotError(f"line {index + 1}: SNAPSHOT:{match[1]} is closed and was not opened")
            found[open_name], open_name = (open_at, index, indent), None
    if open_name:
        raise SnapshotError(f"line {open_at + 1}: SNAPSHOT:{open_name} is not closed")
    return found


def emptied(text):
    """The text with nothing between the marks of any pair."""
    known = pairs(text)
    lines = text.splitlines(keepends=True)
    inside = {at for start, end, _ in known.values() for at in range(start + 1, end)}
    return "".join(line for at, line in enumerate(lines) if at not in inside)


def filled(text, probes, values):
    """The text with the probes in its pairs. SnapshotError where a pair is missing or not empty."""
    known = pairs(text)
    used = {probe["point"] for probe in probes}
    missing = [name for name in (*FRAME, *POINTS) if name not in known and (name in FRAME or name in used)]
    # Where the entry itself holds the loop there is no implementation to hand probes to.
    if "SIG_IMPL" in missing and "CALL_IMPL" in missing:
        missing = [name for name in missing if name not in ("SIG_IMPL", "CALL_IMPL")]
    if missing:
        raise SnapshotError("\n".join(f"the impl has no pair of marks SNAPSHOT:{name}" for name in missing))
    if held := [name for name, (start, end, _) in known.items() if end > start + 1]:
        raise SnapshotError(f"SNAPSHOT:{held[0]} is not empty; `tilesmith op snapshot --remove` empties it")
    parts = {name: [] for name in known}

    def put(name, line):
        if name in parts:
            parts[name].append(line)

    for number, probe in enumerate(probes):
        name, shape = f"snapshot_{number}", [interfaces.extent(one, values) for one in probe["shape"]]
        declared = ", ".join(str(one) if isinstance(one, int) else "pypto.DYNAMIC" for one in probe["shape"])
        put("SIG_IMPL", f"{name},")
        put("SIG_JIT", f"{name}: pypto.Tensor([{declared}], pypto.{DTYPES[probe['dtype']]}),")
        put("CALL_IMPL", f"{name},")
        dtype = probe["dtype"]
        put("HOST_WRAPPER_INSPECT_ALLOC", f"{name} = torch.full({shape}, {UNWRITTEN[dtype]}, dtype=torch.{dtype})")
        put("HOST_WRAPPER_INSPECT_PASS", f"{name},")
        where = ", ".join(f"{one}:" for one in probe["at"]) if "at" in probe else ":"
        put(probe["point"], f"{name}[{where}] = {probe['tensor']}")
    put("HOST_WRAPPER_INSPECT_ALLOC", f"globals()['snapshots'] = [{', '.join(f'snapshot_{at}' for at in range(len(probes)))}]")
    result = []
    ends = {start: name for name, (start, _, _) in known.items()}
    for at, line in enumerate(text.splitlines(keepends=True)):
        result.append(line)
        if at in ends:
            indent = known[ends[at]][2]
            result += [f"{indent}{each}\n" for each in parts[ends[at]]]
    return "".join(result)


def impl_of(folder, machine):
    """The file to probe: the active module's, else the impl."""
    from tilesmith.operators import state

    active = machine.phases.get("active_phase")
    single = len(machine.phases["phase_status"]) == 1
    phase = None if single else active
    file = f"{machine.name}_impl.py" if phase is None else f"modules/{state.module_file(machine.name, phase)}"
    return folder / file, phase


def case_of(plan, content):
    """The case to run: the first of the verification, or the one whose extents the manifest names."""
    wanted = content.get("extents")
    if not isinstance(wanted, dict):
        return plan["cases"][0]
    shapes = {it["name"]: [interfaces.extent(one, wanted) for one in it["shape"]] for it in plan["primary"]}
    return {"seed": int(content.get("seed", 0)), "values": wanted, "shapes": shapes}


def take(folder, machine, manifest, keep=False, platform=None):
    """Runs the probes. Returns [(probe, what is wrong or None)] in their order, up to the first that drifts."""
    content = load(manifest)
    path, phase = impl_of(folder, machine)
    text = path.read_text(encoding="utf-8")
    plan, _ = verification.plan_of(folder, machine.name, phase, len(machine.phases["phase_status"]), platform)
    case = case_of(plan, content)
    probes = content["probes"]
    try:
        probed = filled(text, probes, case["values"])
    except ValueError as error:
        raise SnapshotError(f"{manifest.name}: {error}") from None
    copy = folder / "_debug" / "snapshot" / path.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    fixes.write(str(copy), probed.encode())
    if keep:
        fixes.write(str(path), probed.encode())
    golden = [str(probe["golden"]) for probe in probes]
    golden = [str((folder / each).resolve()) if each.endswith(".npy") else each for each in golden]
    names = [f"probe{number}" for number in range(len(probes))]
    one = {**plan, "cases": [case], "impl": str(copy), "expressions": golden}
    (_, outputs), (_, expected) = verification.both(("probes", "expressions"), {**one, "names": names}, folder)
    found = []
    for number, probe in enumerate(probes):
        key = f"0.probe{number}"
        wrong = _drift(outputs[key], expected[key], probe, plan["tolerance"])
        found.append((probe, wrong))
        if wrong:
            break
    return found


def _drift(got, want, probe, tolerance):
    """What is wrong with a probe. Elements that were never written (a tail, a block of another core) are left out."""
    (facts, data), (golden, expected) = got, want
    if facts["shape"] != golden["shape"]:
        return f"the probe has the shape {facts['shape']}, its golden {golden['shape']}"
    import torch

    def typed(dtype, content):
        return torch.from_numpy(content.copy()).view(getattr(torch, dtype))

    kept = typed(facts["dtype"], data)
    wanted = typed(golden["dtype"], expected).to(kept.dtype)
    empty = kept == torch.tensor(UNWRITTEN[probe["dtype"]]).to(kept.dtype)
    if bool(empty.all()) and kept.numel():
        return "nothing was written to it: the point is not reached"
    wanted = torch.where(empty, kept, wanted)
    facts_of_golden = {"dtype": facts["dtype"], "shape": golden["shape"]}
    content = wanted.contiguous().view(torch.uint8).numpy()
    return verification.difference((facts, data), (facts_of_golden, content), tolerance)


def remove(path):
    """Empties the pairs of a file. Returns whether something was in them."""
    text = path.read_text(encoding="utf-8")
    clean = emptied(text)
    if clean != text:
        fixes.write(str(path), clean.encode())
    return clean != text
