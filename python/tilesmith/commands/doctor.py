"""`tilesmith doctor`: does it work here, and what would more software add?"""

from tilesmith import terminal
from tilesmith.schemas import listed, text

EXAMPLES = """\
examples:
  tilesmith doctor
  tilesmith doctor --json
"""

_CHECK = {
    "type": "object",
    "properties": {
        "name": text("what was looked at"),
        "state": {"enum": ["ok", "missing", "failed"]},
        "what": text("what was found"),
        "use": text("what a missing part would be for"),
        "needed": {"type": "boolean", "description": "whether kernels cannot run without it"},
    },
    "required": ["name", "state", "what", "use", "needed"],
}

SCHEMA = {
    "properties": {
        "works": {"type": "boolean", "description": "whether kernels run here"},
        "checks": listed(_CHECK, "what was looked at"),
    },
    "required": ["works", "checks"],
}


def add_parser(commands):
    return commands.add_parser(
        "doctor",
        help="say whether kernels run here, and what is missing for what",
        description="Say whether kernels run here, and what is missing for what. A small kernel is compiled and launched on each "
        "architecture; the exit code is 1 only if that fails.",
        epilog=EXAMPLES,
    )


_MARKS = {"ok": "ok", "missing": "-", "failed": "FAILED"}


def command(args):
    from tilesmith import health

    entries = health.examine()
    works = all(entry["state"] != "failed" for entry in entries if entry["needed"])
    args.document.update(works=works, checks=entries)
    for entry in entries:
        if entry["needed"] and entry["state"] == "failed":
            args.document.error("doctor", f"{entry['name']}: {entry['what']}")
    if not args.json:
        width = max(len(entry["name"]) for entry in entries)
        for entry in entries:
            mark = _MARKS[entry["state"]].ljust(6)
            note = f"  (for {entry['use']})" if entry["use"] and entry["state"] != "ok" else ""
            what = entry["what"].replace("\n", "\n" + " " * (width + 10))
            terminal.say(f"{mark}  {entry['name']:<{width}}  {what}{note}")
        terminal.say("kernels run here" if works else "tilesmith: error: kernels do not run here")
    return 0 if works else 1
