"""`tilesmith capabilities`: which operations work, and the evidence."""

from tilesmith.schemas import count, listed, text

EXAMPLES = """\
examples:
  tilesmith capabilities record --operation abs --dtype float32 --kernel kernels/abs/kernel.py
  tilesmith capabilities sync
  tilesmith capabilities check --json
  tilesmith capabilities regressions
  tilesmith capabilities dashboard -o capabilities.html
"""

SCHEMA = {
    "properties": {
        "status": {"enum": ["pass", "fail"]},
        "capabilities_schema": {"type": ["string", "null"], "description": 'of the file: "3"'},
        "total_cells": count("of the file"),
        "tier_counts": {"type": "object", "description": "cells by tier"},
        "failures": listed({"type": "string"}, "what the evidence does not bear out"),
        "findings": listed({"type": "string"}, "regressions"),
        "drift": listed({"type": "string"}, "warnings of check"),
        "changes": listed({"type": "object"}, "of sync: cell, kind, before, after"),
        "evidence": text("file that record wrote"),
        "page": text("file that dashboard wrote"),
    }
}


def add_parser(commands):
    help = "keep which operations work, with evidence"
    sub = commands.add_parser(
        "capabilities",
        help=help,
        description=help[0].upper()
        + help[1:]
        + ". Exit code 1 where check, record or regressions find something; 2 where there is nothing to look at.",
        epilog=EXAMPLES,
    )
    actions = ("record", "sync", "check", "regressions", "dashboard")
    sub.add_argument("action", choices=actions, metavar="ACTION", help=", ".join(actions))
    sub.add_argument("--capabilities", default="capabilities.yaml", metavar="FILE", help="default: capabilities.yaml")
    sub.add_argument("--evidence-dir", metavar="DIR", help="of regressions (default: evidence beside the file)")
    sub.add_argument("--dry-run", action="store_true", help="of sync: change nothing")
    sub.add_argument("--soft-runtime", action="store_true", help="of check: a run that is in doubt is a warning, [DRIFT]")
    sub.add_argument("--operation", help="of record")
    sub.add_argument("--dtype", help="of record, such as float32")
    sub.add_argument("--platform", default="Ascend950PR_9599", help="of record (default: Ascend950PR_9599)")
    sub.add_argument("--kernel", metavar="FILE", help="of record: the script to run")
    sub.add_argument("--kind", choices=["golden", "generative"], default="golden", help="of record (default: golden)")
    sub.add_argument("--agent", help="of record --kind generative: what wrote the kernel")
    sub.add_argument(
        "-o", "--output", default="capabilities.html", metavar="FILE", help="of dashboard (default: capabilities.html)"
    )
    return sub


def command(args):
    from tilesmith.document import Failure
    from tilesmith.workflow import capabilities

    actions = {"record": _record, "sync": _sync, "check": _check, "regressions": _regressions, "dashboard": _dashboard}
    try:
        return actions[args.action](args, capabilities)
    except capabilities.CapabilityError as error:
        raise Failure(str(error), 2 if args.action == "regressions" else 1) from None


def _say(args, *lines):
    if not args.json:
        for line in lines:
            print(line)


def _record(args, capabilities):
    from tilesmith.document import Failure

    for name in ("operation", "dtype", "kernel"):
        if not getattr(args, name):
            raise Failure(f"record needs --{name}")
    agent = {"platform": args.agent, "completed": True} if args.agent else None
    target, evidence = capabilities.record(
        args.capabilities, args.operation, args.dtype, args.platform, args.kernel, args.kind, agent
    )
    passed = capabilities.overall(evidence)
    args.document.update(evidence=str(target), status="pass" if passed else "fail")
    _say(args, f"{target.name}: {'pass' if passed else 'FAIL'} {evidence['verification']['detail']}".rstrip())
    return 0 if passed else 1


def _sync(args, capabilities):
    content, changes = capabilities.sync(args.capabilities)
    if changes and not args.dry_run:
        capabilities.save(args.capabilities, content)
    args.document["changes"] = [dict(zip(("cell", "kind", "before", "after"), change)) for change in changes]
    _say(args, *(f"{cell}: {kind} {before} -> {after}" for cell, kind, before, after in changes), f"{len(changes)} changed")
    return 0


def _check(args, capabilities):
    verdict = capabilities.check(args.capabilities, args.soft_runtime)
    args.document.update(status=verdict["status"], capabilities_schema=verdict["schema_version"], failures=verdict["failures"])
    args.document.update(total_cells=verdict["total_cells"], tier_counts=verdict["tier_counts"], drift=verdict["warnings"])
    _say(args, *verdict["failures"], *verdict["warnings"], f"{verdict['total_cells']} cells: {verdict['status']}")
    return 1 if verdict["failures"] else 0


def _regressions(args, capabilities):
    from pathlib import Path

    looked, found = capabilities.regressions(args.evidence_dir or Path(args.capabilities).parent / "evidence")
    args.document["findings"] = found
    if not looked:
        raise capabilities.CapabilityError("there is no evidence to look at")
    _say(args, *found, f"{looked} evidence files, {len(found)} regressions")
    return 1 if found else 0


def _dashboard(args, capabilities):
    from tilesmith.lint import fixes

    fixes.write(args.output, capabilities.dashboard(args.capabilities).encode())
    args.document["page"] = args.output
    _say(args, args.output)
    return 0
