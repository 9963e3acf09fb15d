"""`tilesmith lint`: how kernels and operators are written."""

from tilesmith.schemas import count, listed, text

EXAMPLES = """\
examples:
  tilesmith lint kernels/
  tilesmith lint kernel.py --format sarif
  tilesmith lint custom/gelu --stage 5
  tilesmith lint kernels/ --enable small-loads --fix
"""

FINDING = {
    "type": "object",
    "properties": {
        "rule": text("its id; `tilesmith rule ID` tells more"),
        "severity": {"enum": ["error", "warning", "info", "S0", "S1", "S2", "S3"]},
        "message": text("what"),
        "file": text("as it was named"),
        "line": count("from 1"),
        "column": count("from 1"),
        "hint": text("what to use instead"),
        "portability": {"type": "boolean", "description": "our compiler takes it, upstream's does not"},
        "fixable": {"type": "boolean", "description": "--fix repairs it"},
    },
    "required": ["rule", "severity", "message", "file", "line", "column", "hint"],
}

SCHEMA = {
    "properties": {
        "findings": listed(FINDING, "by place"),
        "files": count("that were checked"),
        "fixed": count("findings repaired by --fix"),
    },
    "required": ["findings", "files"],
}


def add_parser(commands):
    help = "check how kernels and operators are written"
    sub = commands.add_parser(
        "lint",
        help=help,
        description=help[0].upper() + help[1:] + ". Exit code 2 for errors; 1 for warnings with --strict; else 0.",
        epilog=EXAMPLES,
    )
    sub.add_argument("paths", nargs="*", metavar="PATH", help="a Python file, an operator's folder, or a folder: all *.py below it")
    sub.add_argument("--format", choices=["text", "json", "sarif", "github", "junit"], default="text", help="default: text")
    sub.add_argument("--profile", choices=["default", "compat", "latest"], help="compat: upstream's exact conditions for operators")
    sub.add_argument("--stage", type=int, choices=range(1, 8), metavar="N", help="the gate of this stage of an operator, 1 to 7")
    sub.add_argument("--fix", action="store_true", help="repair what can be repaired safely")
    sub.add_argument("--strict", action="store_true", help="exit code 1 for warnings")
    sub.add_argument("--enable", action="append", default=[], metavar="RULE", help="switch on a rule, by id or name")
    sub.add_argument("--disable", action="append", default=[], metavar="RULE", help="switch off a rule")
    sub.add_argument("--select", action="append", default=[], metavar="RULE", help="only these rules")
    sub.add_argument("--no-portability", action="store_true", help="leave out what our compiler takes and upstream's does not")
    return sub


def command(args):
    import gc
    from pathlib import Path

    from tilesmith import terminal
    from tilesmith.document import Failure
    from tilesmith.lint import config, engine, files, fixes, formats, rules
    from tilesmith.lint.findings import exit_code

    if not args.paths:
        raise Failure("missing argument PATH")
    settings = config.load(args.paths[0])

    def ids(names):
        try:
            return [rules.find(name)["id"] for name in names]
        except ValueError as error:
            raise Failure(str(error)) from None

    options = engine.Options(
        profile=args.profile or settings.profile,
        stage=args.stage or 0,
        portable=settings.portable and not args.no_portability,
        enable=ids([*settings.enable, *args.enable]),
        disable=ids([*settings.disable, *args.disable]),
        only=ids(args.select),
    )
    gc.disable()  # syntax trees are freed by their counts
    paths, operators = files.expand(args.paths, settings)
    if args.stage:  # the folder that is named is judged, however little is in it
        known = {operator.folder for _, operator in operators}
        for path in map(Path, args.paths):
            if path.is_dir() and not any(folder.is_relative_to(path.resolve()) for folder in known):
                operators.append((str(path), files.Operator(path.resolve(), path.resolve().name, args.stage)))
    if not paths and not operators:
        raise Failure(f"no *.py in {', '.join(args.paths)}")
    if settings.per_file_ignores:
        options.ignored = {path: ids(settings.ignored(path)) for path in paths}
    findings = engine.lint(paths, operators, options)
    fixed = 0
    while args.fix and fixed < 10_000 and (now := fixes.fix(findings)):
        fixed += now
        findings = engine.lint(paths, operators, options)
    args.document.update(findings=[finding.public() for finding in findings], files=len(paths))
    if args.fix:
        args.document["fixed"] = fixed
    if not args.json:
        shown = formats.render(args.format, findings, paths)
        (terminal.write if args.format == "text" else _plainly)(shown)
        if args.format == "text":
            _summary(findings, paths, fixed)
    return exit_code(findings, args.strict)


def _plainly(text):
    import sys

    sys.stdout.write(text)


def _summary(findings, paths, fixed):
    levels = [finding.level for finding in findings]
    parts = [
        f"{levels.count(level)} {level}{'s' if levels.count(level) != 1 else ''}"
        for level in ("error", "warning")
        if level in levels
    ]
    if "info" in levels:
        parts.append(f"{levels.count('info')} to look at")
    repaired = f"{fixed} repaired; " if fixed else ""
    print(f"{repaired}{len(paths)} file{'' if len(paths) == 1 else 's'}: {', '.join(parts) or 'clean'}")
