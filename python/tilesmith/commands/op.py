"""`tilesmith op`: an operator of PyPTO through its stages."""

from tilesmith.schemas import count, listed, text

ACTIONS = (
    "new",
    "status",
    "start",
    "submit",
    "complete",
    "fail",
    "rollback",
    "record",
    "cleanup",
    "adopt",
    "snapshot",
    "recover",
    "hook",
)

EXAMPLES = """\
examples:
  tilesmith op new gelu                       custom/gelu with every file of the pipeline
  tilesmith op complete 1                     the gate of stage 1, then stage 2 begins
  tilesmith op start M1                       in stage 5: begin a module
  tilesmith op submit M1                      the phase's gate: rules and self-review
  tilesmith op complete M1                    verify it on the model
  tilesmith op fail M1 --category precision
  tilesmith op rollback 3 --reason "the tiles do not fit"
  tilesmith op cleanup                        the impl, made of the last module
  tilesmith op adopt                          somebody else's operator: everything is verified again
  tilesmith op snapshot                       the first intermediate that drifts (snapshot.yaml)
  tilesmith op recover -- python test_gelu.py
  tilesmith op hook post-edit < event.json
docs/op.md has the whole way.
"""

SCHEMA = {
    "properties": {
        "operator": text("its name"),
        "folder": text("where it is"),
        "stage": count("current"),
        "stage_status": {"type": "object", "description": "pending, in_progress, completed or failed, by stage"},
        "phases": {"type": "object", "description": "of stage 5: status and cycles by module"},
        "changed": listed({"type": "string"}, "files that were frozen and are not as they were"),
        "gate": {
            "type": "object",
            "description": "the verdict of the rules, where an action has a gate",
            "properties": {
                "passed": {"type": "boolean"},
                "findings": listed({"type": "object"}, "by place"),
                "summary": {"type": "object"},
            },
        },
        "verified": count("results compared on the model"),
        "model_time_us": {"type": ["number", "null"], "description": "of the verification; null: not known"},
        "symptom": {
            "type": ["string", "null"],
            "description": "of recover: what stopped the command; null: nothing of the machine",
        },
        "log": text("of recover: everything the command printed"),
        "probes": listed(
            {"type": "object"}, "of snapshot: point, tensor, and what is wrong (null: nothing), up to the first drift"
        ),
    }
}


def add_parser(commands):
    help = "develop an operator of PyPTO stage by stage"
    sub = commands.add_parser(
        "op",
        help=help,
        description=help[0].upper()
        + help[1:]
        + ". Exit code 0: done; 1: refused, with the reason; 2: the command line is wrong, or (hook stop) a rule blocks.",
        epilog=EXAMPLES,
    )
    sub.add_argument("action", choices=ACTIONS, metavar="ACTION", help=", ".join(ACTIONS))
    sub.add_argument("words", nargs="*", metavar="WORD", help="a name, a stage (1 to 7), a module (M1), a hook's mode")
    sub.add_argument("-C", "--folder", help="the operator's folder (default: this one, or the only one in custom/)")
    sub.add_argument("--modules", type=int, default=1, metavar="N", help="of new: how many modules (default 1)")
    sub.add_argument(
        "-v", "--platform", metavar="NAME", help="of new and gates: what it is verified on (default: as the runtime's)"
    )
    sub.add_argument("--keep", action="store_true", help="of snapshot: leave the probes in the impl")
    sub.add_argument("--remove", action="store_true", help="of snapshot: take probes out of the impl, and run nothing")
    sub.add_argument("--category", help="of fail: why a module failed")
    sub.add_argument("--reason", help="of rollback: why")
    sub.add_argument("--profile", choices=["default", "compat", "latest"], help="of the rules (default: latest at gates)")
    return sub


def command(args):
    from tilesmith.document import Failure
    from tilesmith.operators import state

    words = args.words
    if args.action == "hook":
        return _hook(args, words)
    if args.action == "recover":
        return _recover(args, words)
    if args.action == "new":
        return _new(args, words)
    folder = _folder(args.folder).resolve()
    from tilesmith import records
    from tilesmith.operators.pipeline import Gate

    _check_platform(args.platform)
    gate = Gate(folder, args.profile or "latest", platform=args.platform)
    with records.locked(folder):
        try:
            machine = state.Machine(folder, gate, isForeign=args.action == "adopt")
            gate.state = machine.state
            if args.action == "snapshot":
                return _snapshot(args, folder, machine, words)
            if args.action != "status":
                _act(machine, args.action, words, args)
                if gate.time_us is not None and machine.stage <= 7:
                    machine.state["model_time_us"] = gate.time_us
                state.save(folder, machine.state)
        except state.StateError as error:
            _facts(args, folder, None, gate)
            raise Failure(str(error), 1, "refused") from None
    _facts(args, folder, machine, gate)
    if not args.json:
        print(_shown(machine, gate))
    return 0


def _check_platform(name):
    if name is None:
        return
    from asc.runtime import config

    from tilesmith.arguments import suggestion
    from tilesmith.document import Failure

    known = [platform.value for platform in config.Platform]
    if name not in known:
        raise Failure(f"there is no platform '{name}'{suggestion(name, known)}")


def _snapshot(args, folder, machine, words):
    from pathlib import Path

    from tilesmith.document import Failure
    from tilesmith.operators import interfaces, snapshot, verification

    try:
        if args.remove:
            path, _ = snapshot.impl_of(folder, machine)
            removed = snapshot.remove(path)
            if not args.json:
                print(f"{path.name}: {'the probes are out' if removed else 'there were no probes'}")
            return 0
        manifest = Path(words[0]) if words else folder / snapshot.MANIFEST
        found = snapshot.take(folder, machine, manifest, args.keep, args.platform or machine.state.get("platform"))
    except (snapshot.SnapshotError, verification.Drift, interfaces.InterfaceError, OSError) as error:
        raise Failure(str(error), 1, "snapshot") from None
    args.document["probes"] = [{"point": probe["point"], "tensor": probe["tensor"], "drift": wrong} for probe, wrong in found]
    if not args.json:
        for number, (probe, wrong) in enumerate(found, 1):
            print(f"{number} {probe['point']} {probe['tensor']}: {wrong or 'as its golden'}")
    return 1 if any(wrong for _, wrong in found) else 0


def _act(machine, action, words, args):
    from tilesmith.document import Failure
    from tilesmith.operators import phases, recovery

    word = words[0] if words else None
    if action == "adopt":
        return machine.adopt()
    if action == "cleanup":
        machine.need(len(machine.phases["phase_status"]) > 1, "an operator of one module has its impl already")
        machine.need(machine.stage == 5, "the impl is made of the last module in stage 5")
        open_phases = [name for name, facts in machine.phases["phase_status"].items() if facts["status"] != "verified"]
        machine.need(not open_phases, f"not verified: {', '.join(open_phases)}")
        phases.clean_up(machine.folder, machine)
        return machine.note("cleanup")
    if action == "record":
        if len(words) != 2:
            raise Failure("record takes a file and its hash")
        return machine.record(*words)
    if word is None:
        word = machine.phases["active_phase"] if action in ("submit", "fail") and machine.stage == 5 else str(machine.stage)
    if action == "submit" and not str(word).startswith("M"):
        return machine.submit_design()
    if str(word).startswith("M"):
        if action == "fail":
            return machine.fail_phase(word, args.category or "other")
        actions = {"start": machine.start_phase, "submit": machine.submit_phase, "complete": machine.complete_phase}
        if action not in actions:
            raise Failure(f"{action} takes a stage, not a module")
        actions[action](word)
        if action == "start":
            phases.begin(machine.folder, machine, word)
        elif action == "submit":
            single = len(machine.phases["phase_status"]) == 1
            line = "L0 single-shot impl + README produced" if single else None
            recovery.note_once(machine, f"- {line or f'{word} impl produced; awaiting Phase {word} verification'}")
        else:
            phases.remember(machine.folder, machine, word)
            last = list(machine.phases["phase_status"])[-1]
            impl = machine.folder / f"{machine.name}_impl.py"
            if word == last and word != "M1" and phases.is_stub(impl):
                phases.clean_up(machine.folder, machine)
        return None
    if not str(word).isdigit():
        raise Failure(f"'{word}' is neither a stage (1 to 7) nor a module (M1)")
    stage = int(word)
    if action == "rollback":
        return machine.rollback(stage, args.reason)
    return {"start": machine.start, "complete": machine.complete, "fail": machine.fail}[action](stage)


def _folder(given):
    from pathlib import Path

    from tilesmith.document import Failure
    from tilesmith.operators import state

    if given:
        folder = Path(given)
        if not (folder / state.FILE).exists():
            raise Failure(f"'{given}' is not the folder of an operator: it has no {state.FILE}", 1)
        return folder
    here = [folder for folder in (Path("."), *sorted(Path("custom").glob("*"))) if (folder / state.FILE).exists()]
    if len(here) == 1 or (here and here[0] == Path(".")):
        return here[0]
    if not here:
        raise Failure("there is no operator here; `tilesmith op new NAME` begins one", 1)
    raise Failure(f"which operator? -C {' or -C '.join(map(str, here))}")


def _facts(args, folder, machine, gate):
    from tilesmith.operators import gates

    args.document["folder"] = str(folder)
    if machine:
        args.document.update(operator=machine.name, stage=machine.stage, stage_status=machine.state["stage_status"])
        args.document["phases"] = machine.phases["phase_status"]
        args.document["changed"] = list(machine.changed())
    if gate.findings:
        args.document["gate"] = gates.as_json(gate.findings, {finding.rule for finding in gate.findings})
    if gate.cases:
        args.document.update(verified=gate.cases, model_time_us=gate.time_us)


def _shown(machine, gate):
    lines = [f"{machine.name}: stage {machine.stage} of 7 is {machine.status(machine.stage).replace('_', ' ')}"]
    for name, facts in machine.phases["phase_status"].items() if machine.stage == 5 else ():
        lines.append(
            f"  {name} {facts['status'].replace('_', ' ')}{', ' + str(facts['cycles']) + ' failed' if facts['cycles'] else ''}"
        )
    lines += [f"  {text}" for text in machine.changed()]
    if gate.cases:
        time = f", {gate.time_us:.1f} us on the model" if gate.time_us else ""
        lines.append(f"  {gate.cases} results are those of the golden{time}")
    for finding in gate.findings:
        lines.append(f"  [{finding.rule}][{finding.severity}] {finding.file}:{finding.line} {finding.message}")
    return "\n".join(lines)


def _new(args, words):
    from tilesmith.document import Failure
    from tilesmith.operators import scaffold

    if len(words) != 1:
        raise Failure("new takes the name of the operator")
    _check_platform(args.platform)
    folder = scaffold.create(words[0], args.modules, args.folder or ".", args.platform)
    args.document.update(operator=words[0], folder=str(folder), stage=1)
    if not args.json:
        print(f"{folder}: stage 1 is in progress; edit SPEC.md and API_REPORT.md, then tilesmith op complete 1")
    return 0


def _hook(args, words):
    from tilesmith.document import Failure
    from tilesmith.operators import hooks

    if len(words) != 1 or words[0] not in hooks.MODES:
        raise Failure(f"hook takes one of {', '.join(hooks.MODES)}")
    return hooks.run(words[0], args.profile or "default", args.folder)


def _recover(args, words):
    from pathlib import Path

    from tilesmith.document import Failure
    from tilesmith.operators import recovery

    if not words:
        raise Failure("recover takes a command: tilesmith op recover -- python test.py")
    code, symptom, log = recovery.recover(words, Path(args.folder or ".").resolve())
    args.document.update(symptom=symptom, log=log)
    return code
