"""`tilesmith check`: hazards in a script's launches."""

from tilesmith import script

EXAMPLES = """
examples:
  tilesmith check kernels/softmax.py
  tilesmith check kernels/softmax.py -v Ascend950PR_9599 --json
"""


def add_parser(commands):
    return script.add_parser(
        commands,
        "check",
        "run a kernel script with every launch checked: order, initialisation, late modes",
        "Run a kernel script with every launch checked: order, initialisation, late modes. Exit code 1 if there are findings.",
        examples=EXAMPLES,
    )


def command(args):
    from asc.runtime import profile

    script.prepare(args)
    with profile.check() as report:
        code = script.run(args)
    args.document.update(report.to_json())
    findings, launches = report.findings, len(report.launches)
    if not args.json:
        for finding in findings:
            print(finding["rendered"])
        print(
            f"{len(findings) or 'no'} finding{'' if len(findings) == 1 else 's'} in {launches} launch{'' if launches == 1 else 'es'}"
        )
    return code or (1 if findings else 0)
