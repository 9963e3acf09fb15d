"""`tilesmith check`: hazards in a script's launches."""

from tilesmith import script, terminal
from tilesmith.document import Failure
from tilesmith.schemas import LAUNCHES

EXAMPLES = """
examples:
  tilesmith check kernels/softmax.py
  tilesmith check kernels/softmax.py -v Ascend950PR_9599 --json
"""

SCHEMA = LAUNCHES


def add_parser(commands):
    return script.add_parser(
        commands,
        "check",
        "run a kernel script with every launch checked: order, initialisation, late modes",
        "Run a kernel script with every launch checked: order, initialisation, late modes. Exit code 1 if there are findings, or if nothing was launched.",
        examples=EXAMPLES,
    )


def command(args):
    from asc.runtime import profile

    script.prepare(args)
    with terminal.progress("checking", owns_output=False) as bar, profile.check() as report:
        append = report.append
        report.append = lambda facts: (append(facts), bar.advance(text=f"{len(report.launches)} launches checked"))
        code = script.run(args)
    script.note_launches(args, report)
    findings, launches = args.document["findings"], len(args.document["launches"])
    if not launches:
        raise Failure(f"nothing was checked: {_why_not(args, code)}", code or 1, "nothing-checked")
    if not args.json:
        for finding in report.findings:  # those of a host program it has told itself
            terminal.say(finding["rendered"])
        found = f"{len(findings) or 'no'} finding{'' if len(findings) == 1 else 's'}"
        terminal.say(f"{found} in {launches} launch{'' if launches == 1 else 'es'}")
    return code or (1 if findings else 0)


def _why_not(args, code):
    kinds = {error["kind"] for error in args.document.errors}
    if "compile" in kinds:
        return f"{args.script} does not compile" if script.is_cpp(args) else f"a kernel of {args.script} does not compile"
    if "usage" in kinds:
        return "the command line is wrong"
    return f"{args.script} ended with exit code {code} before it launched a kernel" if code else f"{args.script} launched no kernel"
